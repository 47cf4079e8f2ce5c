// Keeps what the page has loaded, so that it opens without a net. The address of Pyodide has a version: what was kept
// from there is never asked for again. Our own files are asked for first, and taken from what was kept without a net.

const PYODIDE = new URL("{{ pyodide }}", location).href, STORES = { own: "try {{ version }}", pyodide: `try ${PYODIDE}` };

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
  const store = await caches.open(STORES.own);
  try {
    return await keep(store, request);
  } catch (error) {
    const found = await store.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}

async function keep(store, request) {
  const reply = await fetch(request);
  if (reply.ok) await store.put(request, reply.clone());
  return reply;
}
