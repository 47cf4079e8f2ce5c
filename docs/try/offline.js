// Keeps what the page has loaded, so that it opens without a net. The address of Pyodide has a version: what was kept
// from there is never asked for again. Our own files are asked for first, and taken from what was kept without a net.

const PYODIDE = new URL("{{ pyodide }}", location).href, PATIENCE = 3000; // milliseconds for a net that does not answer
const STORES = { own: "try {{ version }}", pyodide: `try ${PYODIDE}` };

addEventListener("install", (event) => event.waitUntil(skipWaiting()));

addEventListener("activate", (event) => event.waitUntil(clean()));

addEventListener("fetch", (event) => {
  const { method, url } = event.request, here = new URL(".", location).href;
  if (method !== "GET") return;
  if (url.startsWith(PYODIDE)) event.respondWith(kept(event.request));
  else if (url.startsWith(here)) event.respondWith(fresh(event.request));
});

async function clean() {
  const old = (await caches.keys()).filter((name) => name.startsWith("try ") && !Object.values(STORES).includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

async function kept(request) {
  const store = await caches.open(STORES.pyodide);
  return (await store.match(request)) ?? keep(store, request);
}

async function fresh(request) {
  const store = await caches.open(STORES.own), found = await store.match(request);
  if (!found) return keep(store, request);
  return keep(store, request, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => found);
}

async function keep(store, request, settings) {
  const reply = await fetch(request, settings);
  if (reply.ok) await store.put(request, reply.clone());
  return reply;
}
