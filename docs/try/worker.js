// Runs Python in a thread of its own: whatever a program does there, the page goes on. Stop ends the whole thread.

const MOST_PRINTED = 200; // lines, and letters of a line: a loop that prints for ever would keep the page busy
let work = null, rest = null, left = 0;
const say = (text) => postMessage({ says: String(text) });
const print = (text) => left-- > 0 && postMessage({ prints: left ? String(text).slice(0, MOST_PRINTED) : "…" });

// A program must not reach what the browser keeps for this site, nor a thread in which it could reach it.
for (const name of ["caches", "indexedDB", "Worker", "SharedWorker", "BroadcastChannel"]) {
  for (let at = self; at; at = Object.getPrototypeOf(at)) delete at[name];
}

const ASKS = {
  /** Loads Python, its packages and ours. */
  async start({ pyodide, own, first, later }) {
    say("Loading Python, about 35 MB the first time …");
    const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
    const [python, lock] = await Promise.all([
      loadPyodide({ indexURL: pyodide, stdout: print, stderr: () => {} }),
      fetch(`${pyodide}pyodide-lock.json`).then((reply) => reply.json()),
    ]);
    const load = async (names, messageCallback) => {
      await python.loadPackage(names, { messageCallback, errorCallback: () => {} });
      const missing = names.filter((name) => name !== "highspy" && !(lock.packages[name]?.name in python.loadedPackages));
      if (missing.length) throw new Error(`${missing.join(", ")} cannot be loaded from ${pyodide}`);
    };
    await load(first, say);
    say("Loading the games …");
    const reply = await fetch(own);
    if (!reply.ok) throw new Error(`${own} cannot be loaded (${reply.status})`);
    python.unpackArchive(await reply.arrayBuffer(), "zip");
    work = python.pyimport("work");
    const show = work.hide();
    // Small games do not wait for these libraries. Without highspy, SciPy solves linear programs.
    rest = load(later.filter((name) => name in lock.packages), () => {}).then(() => show());
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
  left = MOST_PRINTED + 1;
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
