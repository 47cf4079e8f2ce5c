// Keeps the page and what it loads, so that it opens without a net after the first visit. The files of one version are
// kept together, and are never mixed with those of another: a new version waits until no page of the old one is open.

const PYODIDE = new URL("{{ pyodide }}", location).href, HERE = new URL(".", location).href, VERSION = "{{ version }}";
const FILES = [HERE, ...{{ files }}.map((name) => `${HERE}${name}?${VERSION}`)];
const STORES = { own: `try ${VERSION}`, pyodide: `try ${PYODIDE}` };
const PATIENCE = 3000; // milliseconds for a net that does not answer

addEventListener("install", (event) => event.waitUntil(fill()));

addEventListener("activate", (event) => event.waitUntil(clean()));

addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(opened(event.request));
  else if (url.startsWith(PYODIDE)) event.respondWith(kept(STORES.pyodide, event.request));
  else if (url.startsWith(HERE)) event.respondWith(kept(STORES.own, event.request));
});

async function fill() {
  const store = await caches.open(STORES.own);
  await store.addAll(FILES.map((url) => new Request(url, { cache: "reload" })));
}

async function clean() {
  const old = (await caches.keys()).filter((name) => name.startsWith("try ") && !Object.values(STORES).includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

/** The newest page, or without a net the one that was kept. */
async function opened(request) {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
  } catch {
    return (await (await caches.open(STORES.own)).match(HERE)) ?? Response.error();
  }
}

/** A file of one version: it never changes. What comes from Pyodide is kept when it is first used. */
async function kept(name, request) {
  const store = await caches.open(name), found = await store.match(request);
  if (found) return found;
  const reply = await fetch(request);
  if (reply.ok && name === STORES.pyodide) await store.put(request, reply.clone()).catch(() => {}); // the store may be full
  return reply;
}
