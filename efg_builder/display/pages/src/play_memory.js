// What a page to play on remembers over a reload and on the way back: in the tab's own storage, so until it is closed.
// Without storage (a reader's settings, no room left) the page plays on and forgets.

/**
 * The memory of the page that holds the data *id*, dealt from *seed* (null: from no given one): `recall()` gives what
 * was kept last, null where there is nothing of just this page and seed; `keep(value)`; `forget()`.
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
