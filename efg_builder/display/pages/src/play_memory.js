// The memory of a page to play on, for a reload or Back: in the tab's storage, which lasts until the tab is closed.
// Without storage (because of settings, or if it is full), the page works but forgets.

/**
 * The memory of the page with the data *id*, dealt from *seed* (null: no given seed): `recall()` returns the last kept
 * value, null if there is none for this page and seed; `keep(value)`; `forget()`.
 */
export function memoryOf(id, seed) {
  const place = `efg-builder ${location.pathname}`, page = digestOf(id);
  return {
    recall() {
      const kept = attempt(() => JSON.parse(sessionStorage.getItem(place)));
      return kept?.page === page && kept.seed === seed ? kept.value : null;
    },
    keep: (value) => attempt(() => sessionStorage.setItem(place, JSON.stringify({ page, seed, value }))),
    forget: () => attempt(() => sessionStorage.removeItem(place)),
  };
}

/** 32 bits of the packed data (FNV-1a): another page at this place is another game. */
function digestOf(id) {
  let hash = 0x811c9dc5;
  for (const letter of document.getElementById(id).textContent) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

function attempt(what) {
  try {
    return what();
  } catch {
    return null;
  }
}
