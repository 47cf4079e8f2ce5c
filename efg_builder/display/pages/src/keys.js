// The keyboard: arrows walk the tree as screen readers expect, and up and down also go to other branches.

export const HELP = [
  ["→", "unfold, then go to the first move"],
  ["←", "fold, then go back one move"],
  ["↑ ↓", "the node above or below in the same column"],
  ["Enter, Space", "unfold or fold"],
  ["Home, End", "the start; the last unfolded node"],
  ["/", "search; Enter and n: next hit, N: previous"],
  ["1 … 9", "in the public tree: the hand of that row"],
  ["v", "the other tree"],
  ["s", "the next solution"],
  ["*", "unfold as much as can be read"],
  ["+ − 0", "larger, smaller, fit"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo: folding, selection, bars, change of tree or solution"],
  ["Arrows, Home, End", "in Explore: move the bar; with Shift, by 1/100"],
  ["Esc", "back to the tree"],
  ["?", "this help"],
];

/** Keys with the same meaning outside the tree, except in text fields. */
export const ANYWHERE = /^[/?nNvs*+=\-0-9]$/;

/** Handles a key in the tree with the actions of viewer.js; returns whether it had an effect. */
export function onKey(event, state, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const item = state.sight.index.get(state.selected);
  const open = item.kind === "node" && state.folds[state.view.kind].open.has(item.id);
  const go = (to) => to && acts.select(to.key);
  const does = {
    ArrowRight: () => (open ? go(item.children[0]) : acts.toggle(item.key, true)),
    ArrowLeft: () => (open && item.children.length ? acts.toggle(item.key, false) : go(item.parent)),
    ArrowUp: () => go(beside(state, item, -1)),
    ArrowDown: () => go(beside(state, item, 1)),
    Home: () => go(state.sight.root),
    End: () => go(state.sight.order.at(-1)),
    Enter: () => acts.toggle(item.key),
    " ": () => acts.toggle(item.key),
    "/": acts.find,
    n: () => acts.hit(1),
    N: () => acts.hit(-1),
    v: acts.turn,
    s: acts.next,
    "*": acts.unfoldAll,
    "+": () => acts.zoom(1.25),
    "=": () => acts.zoom(1.25),
    "-": () => acts.zoom(0.8),
    0: acts.fit,
    "?": acts.help,
    Escape: acts.escape,
  }[event.key] ?? (/^[1-9]$/.test(event.key) ? () => acts.row(Number(event.key) - 1) : null);
  if (!does) return false;
  does();
  return true;
}

/** The next item up or down in the same column. */
function beside(state, item, step) {
  const column = state.sight.order.filter((each) => each.level === item.level);
  return column[column.indexOf(item) + step];
}
