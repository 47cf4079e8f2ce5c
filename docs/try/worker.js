// Runs Python in a thread of its own: whatever a program does there, the page goes on. Stop ends the whole thread.

const say = (text) => postMessage({ says: String(text) }), print = (text) => postMessage({ prints: String(text) });
let work = null, rest = null;

// A program must not reach what the browser keeps for this site, nor a thread in which it could reach it.
for (const name of ["caches", "indexedDB", "Worker", "SharedWorker", "BroadcastChannel"]) {
  for (let at = self; at; at = Object.getPrototypeOf(at)) delete at[name];
}

const ASKS = {
  /** Loads Python, its packages and ours. */
  async start({ pyodide, files, first, later }) {
    say("Loading Python, about 35 MB the first time …");
    const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
    const [python, lock] = await Promise.all([
      loadPyodide({ indexURL: pyodide, stdout: print, stderr: () => {} }),
      fetch(`${pyodide}pyodide-lock.json`).then((reply) => reply.json()),
    ]);
    await python.loadPackage(first, { messageCallback: say });
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
    // Small games do not wait for these libraries. Without highspy, SciPy solves linear programs.
    rest = python.loadPackage(later.filter((name) => name in lock.packages), { messageCallback: () => {} }).then(() => show());
    rest.catch(() => {}); // who needs it will hear of it
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
    await rest.catch(() => {}); // many files do not need it
    const made = work.made(name), bytes = made.toJs();
    made.destroy();
    return { bytes };
  },
};

onmessage = async ({ data: { id, ask, ...words } }) => {
  try {
    postMessage({ id, answer: await ASKS[ask](words) });
  } catch (error) {
    postMessage({ id, answer: { error: `Python stopped: ${lineOf(String(error.message ?? error))}`, spent: true } });
  }
};

/** The line of a traceback that says what happened. */
function lineOf(text) {
  const lines = text.trim().split("\n");
  return lines.findLast((line) => /^[\w.]+(Error|Exception)\b/.test(line)) ?? lines.pop();
}
