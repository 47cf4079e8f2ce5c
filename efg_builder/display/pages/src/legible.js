// The part of a tree that is unfolded at once: the readable part in the window, the most probable nodes first.

import { arrange } from "./draw.js";
import { PAGE, canUnfold, childrenInSight, folded, inSight, unfolded } from "./folding.js";
import { PAD, READ, SMALL, SMALL_SCALE, WHOLE, refresh, under } from "./state.js";

const MOST_WHOLE = 300; // the maximum number of nodes of a tree that may be readable as a whole
const MISSES = 6; // the maximum number of consecutive nodes that are tried and do not fit
const WINDOWS = 3; // on a small screen the reader pushes the tree sideways: its maximum width in windows

/** Unfolds a small tree whole if it is readable, otherwise the moves that are made. */
export function unfoldFirst(state) {
  if (state.tree.count > SMALL || !fitsWhole(state)) unfoldReadable(state, false);
  refresh(state);
}

/** Unfolds as much as can be read, with the moves never made; returns the number of other nodes. */
export function unfoldMost(state) {
  if (state.view.count > MOST_WHOLE || !fitsWhole(state)) unfoldReadable(state, true);
  refresh(state);
  return state.view.count - state.sight.order.filter((item) => item.kind === "node").length;
}

/** Unfolds the moves that are made, the most probable first, as many as can be read. */
export function unfoldLikely(state) {
  unfoldReadable(state, false);
  refresh(state);
}

/** Unfolds the whole tree; returns whether it can be read. */
function fitsWhole(state) {
  state.folds[state.view.kind] = unfolded(state.view);
  return isReadable(scaleOf(state), WHOLE);
}

/** Unfolds node after node in the order of reach probabilities, and if `all`, shows moves never made; leaves out nodes that do not fit. */
function unfoldReadable(state, all) {
  const { view } = state, chances = under(state)?.chances, folds = state.folds[view.kind] = folded();
  const fits = () => isReadable(scaleOf(state), READ);
  const weight = (id) => (chances ? chances.reach(id) : 1), waiting = [];
  const add = (id) => {
    const { ids, never } = childrenInSight(view, chances, folds, id);
    for (const child of ids) if (canUnfold(view, child) && (all || weight(child) > 0)) waiting.push({ to: folds.open, id: child, weight: weight(child) });
    if (all && never) waiting.push({ to: folds.all, id, weight: 0 });
  };
  folds.open.add(0);
  keepStart(state, folds);
  add(0);
  for (let misses = 0; waiting.length && misses < MISSES; ) {
    const next = waiting.reduce((best, each) => (each.weight > best.weight + 1e-12 ? each : best));
    waiting.splice(waiting.indexOf(next), 1);
    next.to.add(next.id);
    if (fits()) {
      misses = 0;
      add(next.id);
    } else {
      misses += 1;
      next.to.delete(next.id);
    }
  }
}

/** Shows as many of the most probable moves at the start as fit the height. */
function keepStart(state, folds) {
  let count = Math.min(PAGE, childrenInSight(state.view, under(state)?.chances, folds, 0).ids.length);
  for (let { high } = scaleOf(state); high < readAt(state, READ) && count > 1; { high } = scaleOf(state)) {
    count = Math.max(1, Math.min(count - 1, Math.floor((count * high) / readAt(state, READ))));
    folds.shown.set(0, count);
  }
}

/** The scales at which the unfolded part is as wide and as high as the window. */
function scaleOf(state) {
  const { view, window, touch } = state;
  state.sight = inSight(view, under(state)?.chances, state.folds[view.kind]);
  arrange(state);
  const { left, right, top, bottom } = state.sight.bounds;
  return { wide: ((touch ? WINDOWS : 1) * window.width - 2 * PAD) / (right - left), high: (window.height - 2 * PAD) / (bottom - top), touch };
}

function isReadable({ wide, high, touch }, least) {
  return Math.min(wide, high) >= readAt({ touch }, least) - 1e-9;
}

/** The minimum scale; on a small screen, letters are larger. */
function readAt({ touch }, least) {
  return touch ? SMALL_SCALE : least;
}
