// Earlier states: undo and redo, and the page's address for the browser's Back and Forward.

import { addressOf, goTo, isAddress } from "./address.js";

const MOST = 500; // the maximum number of steps to undo
const MOST_LETTERS = 60_000; // the maximum length of the bars of Explore in the page's address, as browsers limit it
const PAUSE = 250; // delay of the address in milliseconds, as browsers limit its changes

/**
 * Keeps the earlier states of `app`: `note()` after each change (returns whether there was one), `leap()` before a change that Back will undo, and
 * `undo`, `redo`, `back`. `turned(kind)`: draws the state from an address; `kind`: the kind of the earlier tree.
 */
export function pastOf(app, turned) {
  const { state } = app, shown = app.root.classList.contains("efg-whole"), undone = [], done = [];
  const first = addressOf(state);
  let now = first, leaps = false, waiting = null;

  function note() {
    const next = addressOf(state), changed = next !== now;
    if (changed) {
      done.push(now);
      if (done.length > MOST) done.shift();
      undone.length = 0;
      now = next;
      tell();
    }
    leaps = false;
    return changed;
  }

  /** Writes the address, as a new entry in the browser's history after a leap. */
  function tell() {
    if (!shown) return;
    if (leaps) {
      write("pushState");
      return;
    }
    waiting ??= setTimeout(() => write("replaceState"), PAUSE);
  }

  function write(how) {
    clearTimeout(waiting);
    waiting = null;
    try {
      history[how](null, "", `#${now.replace(/&bars=[^&]*/, (bars) => (bars.length > MOST_LETTERS ? "" : bars))}`);
    } catch {
      // A page in a frame without its own address.
    }
  }

  function turnTo(text) {
    const kind = state.view.kind, wrong = goTo(state, text, app.acts.first);
    now = addressOf(state);
    turned(kind, wrong);
  }

  function step(from, to) {
    if (!from.length) return false;
    to.push(now);
    turnTo(from.pop());
    tell();
    return true;
  }

  return {
    note,
    leap() {
      if (waiting !== null) write("replaceState");
      leaps = true;
    },
    undo: () => step(done, undone),
    redo: () => step(undone, done),
    can: () => ({ undo: done.length > 0, redo: undone.length > 0 }),
    /** Goes to the page's address; at the start, only if it is not empty. */
    back(start = false) {
      const text = location.hash.slice(1);
      if (!shown || !(isAddress(text) || (!text && !start))) return;
      clearTimeout(waiting);
      waiting = null;
      if (!start) done.push(now);
      turnTo(isAddress(text) ? text : first);
    },
    address() {
      write("replaceState");
      return location.href;
    },
  };
}
