// Folding: only unfolded nodes are laid out.

/** The number of children shown at once; the rest follow page by page. */
export const PAGE = 80;
/** The maximum number of unfolded nodes: more would be unreadable and slow. */
export const MOST = 2000;

/** Nothing unfolded. `open`: unfolded nodes; `all`: nodes that also show moves never made; `shown`: the number of shown children, by default a page. */
export function folded() {
  return { open: new Set(), all: new Set(), shown: new Map() };
}

/** Everything unfolded, with moves never made. */
export function unfolded(view) {
  const folds = folded();
  for (let id = 0; id < view.count; id++) {
    if (!canUnfold(view, id)) continue;
    folds.open.add(id);
    folds.all.add(id);
    folds.shown.set(id, view.children(id).length);
  }
  return folds;
}

/**
 * The shown children of an unfolded node, and the counts of the others: {ids, never (the number of moves never made that
 * are folded away), more (the number of less probable moves on later pages)}.
 */
export function childrenInSight(view, chances, folds, id) {
  const children = view.children(id);
  let ids = children, never = 0;
  if (chances && !folds.all.has(id)) {
    const made = children.filter((child) => chances.made(child));
    if (made.length) {
      ids = made;
      never = children.length - made.length;
    }
  }
  const most = folds.shown.get(id) ?? PAGE;
  const more = Math.max(0, ids.length - most);
  if (!more) return { ids, never, more };
  const kept = new Set(ranked(ids, chances).slice(0, most));
  return { ids: ids.filter((each) => kept.has(each)), never, more };
}

/** Nodes by their reach probabilities, the largest first. */
function ranked(ids, chances) {
  return chances ? ids.toSorted((a, b) => chances.reach(b) - chances.reach(a)) : ids;
}

/**
 * The shown tree: {id, depth, kind: "node" | "never" | "more", count, parent, children}, the root first. `index`
 * has the nodes by id, and the stands-in by "never 12" and "more 12".
 */
export function inSight(view, chances, folds) {
  const root = { key: 0, id: 0, kind: "node", depth: 0, parent: null, children: [], place: 1, places: 1 };
  const index = new Map([[0, root]]);
  const stack = [root];
  const order = [];
  while (stack.length) {
    const item = stack.pop();
    order.push(item);
    if (item.kind !== "node" || !folds.open.has(item.id)) continue;
    const { ids, never, more } = childrenInSight(view, chances, folds, item.id);
    const below = ids.map((id) => ({ key: id, id, kind: "node" }));
    if (more) below.push({ key: `more ${item.id}`, id: item.id, kind: "more", count: more });
    if (never) below.push({ key: `never ${item.id}`, id: item.id, kind: "never", count: never });
    below.forEach((child, n) => {
      Object.assign(child, { depth: item.depth + 1, parent: item, children: [], place: n + 1, places: below.length });
      index.set(child.key, child);
    });
    item.children = below;
    for (let n = below.length - 1; n >= 0; n--) stack.push(below[n]);
  }
  return { root, index, order };
}

export function canUnfold(view, id) {
  return view.size(id) > 1;
}

/** Unfolds a node; returns false if too many nodes would be unfolded. */
export function unfold(view, chances, folds, id, sight) {
  if (!canUnfold(view, id) || folds.open.has(id)) return true;
  if (sight && sight.order.length + Math.min(PAGE, view.children(id).length) > MOST) return false;
  folds.open.add(id);
  return true;
}

/** Unfolds the path to a node, with pages and moves never made if necessary. */
export function reveal(view, chances, folds, id) {
  for (let at = id; at; at = view.parent(at)) {
    const above = view.parent(at);
    folds.open.add(above);
    if (chances && !chances.made(at)) folds.all.add(above);
    const seen = childrenInSight(view, chances, folds, above);
    if (seen.more && !seen.ids.includes(at)) {
      const children = view.children(above).filter((child) => folds.all.has(above) || !chances || chances.made(child));
      folds.shown.set(above, PAGE * (Math.floor(ranked(children, chances).indexOf(at) / PAGE) + 1));
    }
  }
}

/** The unfolded node for any node: itself, or its last unfolded ancestor. */
export function standsFor(view, sight, id) {
  for (let at = id; ; at = view.parent(at)) if (sight.index.has(at)) return sight.index.get(at);
}
