// Folding: only unfolded nodes are laid out.

/** The number of children shown at once; the rest follow page by page. */
export const PAGE = 80;
/** The maximum number of unfolded nodes: more would be unreadable and slow. */
export const MOST = 2000;

/** Nothing unfolded. `open`: unfolded nodes; `all`: nodes that also show moves never made; `pages`: the number of pages shown. */
export function folded() {
  return { open: new Set(), all: new Set(), pages: new Map() };
}

/**
 * The children of an unfolded node that are in sight, and what stands for the others: {ids, never (how many moves never
 * made are folded away), more (how many wait on later pages)}.
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
  const most = PAGE * (folds.pages.get(id) ?? 1);
  const more = Math.max(0, ids.length - most);
  return { ids: more ? ids.slice(0, most) : ids, never, more };
}

/**
 * The tree in sight: {id, depth, kind: "node" | "never" | "more", count, parent, children}, the root first. `index`
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
      folds.pages.set(above, Math.floor(children.indexOf(at) / PAGE) + 1);
    }
  }
}

/** Unfolds the most probable nodes up to a number of items; without probabilities, level by level. */
export function unfoldLikely(view, chances, folds, most) {
  let count = 1;
  const waiting = [0];
  const weight = (id) => (chances ? chances.reach(id) : 1);
  while (waiting.length && count < most) {
    let best = 0;
    for (let n = 1; n < waiting.length; n++) if (weight(waiting[n]) > weight(waiting[best]) + 1e-12) best = n;
    const [id] = waiting.splice(best, 1);
    if (!canUnfold(view, id) || (chances && id && !(weight(id) > 0))) continue;
    const { ids, never, more } = childrenInSight(view, chances, folds, id);
    if (id && count + ids.length > most) continue;
    folds.open.add(id);
    count += ids.length + (never ? 1 : 0) + (more ? 1 : 0);
    waiting.push(...ids);
  }
}

/** Unfolds everything, with moves never made, level by level up to `most` nodes; returns whether that is all. */
export function unfoldAll(view, folds, most) {
  let count = 1;
  for (let level = [0]; level.length; ) {
    const next = [];
    for (const id of level) {
      if (!canUnfold(view, id)) continue;
      const children = view.children(id);
      if (count + children.length > most) return false;
      folds.open.add(id);
      folds.all.add(id);
      folds.pages.set(id, Math.ceil(children.length / PAGE));
      count += children.length;
      for (const child of children) next.push(child);
    }
    level = next;
  }
  return true;
}

/** Folds the last column; returns false if less than the start and its moves would remain. */
export function foldLast(folds, sight) {
  const last = Math.max(...sight.order.map((item) => item.depth));
  if (last < 2) return false;
  for (const item of sight.order) if (item.depth === last - 1 && item.kind === "node") folds.open.delete(item.id);
  return true;
}

/** The unfolded node for any node: itself, or its last unfolded ancestor. */
export function standsFor(view, sight, id) {
  for (let at = id; ; at = view.parent(at)) if (sight.index.has(at)) return sight.index.get(at);
}
