// Runs Python in a thread of its own: whatever a program does there, the page goes on. Stop ends the whole thread.

let work = null, rest = null;

const ASKS = {
  /** Loads Python, its packages and ours. */
  async start({ pyodide, files, first, wanted }) {
    say("Loading Python, about 35 MB the first time …");
    const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
    const [python, lock] = await Promise.all([
      loadPyodide({ indexURL: pyodide, stdout: print, stderr: print }),
      fetch(`${pyodide}pyodide-lock.json`).then((reply) => reply.json()),
    ]);
    // An engine that is missing has a substitute.
    const load = (names, tell) => python.loadPackage(names.filter((name) => name in lock.packages), { messageCallback: tell });
    await load(first, say);
    say("Loading the games …");
    for (const name of files) {
      const reply = await fetch(name);
      if (!reply.ok) throw new Error(`${name} cannot be loaded (${reply.status})`);
      const bytes = await reply.arrayBuffer();
      if (/\.zip\b/.test(name)) python.unpackArchive(bytes, "zip");
      else python.FS.writeFile(new URL(name).pathname.split("/").pop(), new Uint8Array(bytes));
    }
    work = python.pyimport("work");
    const show = work.hide();
    rest = load(wanted, () => {}).then(() => show()); // small games do not wait for it
    return {};
  },

  async solve({ request }) {
    const answer = JSON.parse(work.solve(JSON.stringify(request), say));
    if (!answer.needs) return answer;
    say("Loading SciPy, which this game needs …");
    await rest;
    return JSON.parse(work.solve(JSON.stringify(request), say));
  },

  async file({ name }) {
    await rest;
    const made = work.made(name), bytes = made.toJs();
    made.destroy();
    return { bytes };
  },
};

function say(text) {
  postMessage({ says: String(text) });
}

function print(text) {
  postMessage({ prints: String(text) });
}

onmessage = async ({ data: { id, ask, ...words } }) => {
  try {
    postMessage({ id, answer: await ASKS[ask](words) });
  } catch (error) {
    postMessage({ id, answer: { error: lineOf(String(error.message ?? error)) } });
  }
};

/** The line of a traceback that says what happened. */
function lineOf(text) {
  const lines = text.trim().split("\n");
  return lines.findLast((line) => /^[\w.]+(Error|Exception)\b/.test(line)) ?? lines.pop();
}
