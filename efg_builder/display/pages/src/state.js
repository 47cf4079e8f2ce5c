// The state of a viewer: tree, solution, unfolded nodes, selection. One plain object for each viewer.

import { CHANCE, TERMINAL, treeOf } from "./model.js";
import { members, measuresOf } from "./measures.js";
import { exactOf, exactPublic } from "./exact.js";
import { MOST, folded, inSight, reveal, standsFor } from "./folding.js";
import { fullView, publicView } from "./views.js";

/** The maximum number of nodes of a tree that opens whole if it is readable; on a large screen, as the full tree. */
export const SMALL = 60;

/** The state for the data of a page; shows the first solution, and the tree named by the data; otherwise the
 *  public one, unless the tree is small and the screen is not. */
export function stateOf(data, narrow) {
  const tree = treeOf(data);
  const state = {
    tree,
    views: { full: fullView(tree), public: publicView(tree) },
    folds: {},
    kept: {},
    now: data.solutions.length ? 0 : -1, // the solution shown, -1 for none
    before: -1, // the solution compared with, -1 for none
    selected: 0, // the key of an unfolded item
    hand: null, // in the public tree: the information set selected at the history
    hovered: null,
    untouched: null, // a kind of tree of which nothing was unfolded yet, as the page opened on Explore
    exploring: false, // whether the tab Explore is shown instead of a tree
    explore: null, // the state of Explore, after its first opening
    touch: narrow, // small screen: larger targets and letters
    level: 1, // the rank of the heading; the panel's headings have lower ranks
  };
  const first = data.view ?? (narrow || tree.count > SMALL ? "public" : "tree");
  look(state, first !== "tree" && state.views.public ? "public" : "full");
  state.exploring = first === "explore";
  if (state.exploring) state.untouched = state.view.kind;
  return state;
}

/** The scale at which letters of 13 pixels are easy to read, and the minimum scale at which a whole tree is better than a part. */
export const READ = 0.7, WHOLE = 0.6;
/** Pixels around the tree in the window. */
export const PAD = 16;
/** On a small screen: the minimum scale, at which letters of 11 pixels shrink to 10, and the size of touch targets. */
export const SMALL_SCALE = 0.92, TARGET = 48;

/** Switches to the full or the public tree, at its last selection; returns whether it is new, with only the start. */
export function look(state, kind) {
  if (state.view) state.kept[state.view.kind] = [state.selected, state.hand];
  state.view = state.views[kind];
  [state.selected, state.hand] = state.kept[kind] ?? [0, null];
  state.hovered = null;
  const fresh = !state.folds[kind] || state.untouched === kind;
  if (state.untouched === kind) state.untouched = null;
  if (fresh) state.folds[kind] = folded();
  refresh(state);
  return fresh;
}

/** The selected history in the other tree, [node, information set]; null if that tree was left at the same history. */
export function counterpart(state, kind) {
  const { tree, views, hand } = state, id = idOf(state.selected), { at } = views.public;
  const left = state.kept[kind] && idOf(state.kept[kind][0]);
  if (kind === "public") {
    if (left === at(id)) return null;
    const [k = null] = views.full.infosets(id);
    return [at(id), views.public.infosets(at(id)).includes(k) ? k : null];
  }
  if (left !== undefined && at(left) === id && (hand === null || tree.infoset[left] === hand)) return null;
  if (!id && hand === null) return [0];
  const nodes = hand === null ? [...tree.infoset.keys()].filter((node) => at(node) === id && tree.player[node] !== CHANCE) : members(tree, hand);
  const reach = under(state)?.measures.reach;
  return [nodes.reduce((best, node) => (reach?.[node] > reach?.[best] ? node : best))];
}

export function opensWhole({ tree }) {
  return tree.count <= SMALL;
}

/** Updates the unfolded items; a selection that is folded away moves to its stand-in. */
export function refresh(state) {
  state.sight = inSight(state.view, under(state)?.chances, state.folds[state.view.kind]);
  if (!state.sight.index.has(state.selected)) {
    const id = idOf(state.selected);
    state.selected = id < state.view.count ? standsFor(state.view, state.sight, id).key : 0;
    state.hand = null;
  }
}

/** The node of a key, or the parent of a stand-in. */
export function idOf(key) {
  return typeof key === "number" ? key : Number(key.split(" ")[1]);
}

const cache = new WeakMap();

/** Results of a solution in the current tree, {measures, chances, exact, whole, solution, name}; null without a solution.
 *  `exact` has the numbers of `chances` as fractions, null if unknown; `whole` has the numbers of the full tree. */
export function under(state, which = state.now) {
  if (which < 0) return null;
  const solution = state.tree.data.solutions[which];
  if (!cache.has(solution)) cache.set(solution, { measures: measuresOf(state.tree, solution) });
  const known = cache.get(solution), { view, tree } = state;
  known[view.kind] ??= {
    chances: view.under(known.measures),
    exact: view.kind === "full" ? exactOf(tree, solution) : exactPublic(view, solution),
  };
  return { measures: known.measures, ...known[view.kind], whole: exactOf(tree, solution), solution, name: solution.name };
}

/** Selects a node (and, in the public tree, one of its information sets), and unfolds the path to it. */
export function choose(state, id, hand = null) {
  if (!state.sight.index.has(id)) {
    const { kind } = state.view;
    const open = () => {
      reveal(state.view, under(state)?.chances, state.folds[kind], id);
      state.sight = inSight(state.view, under(state)?.chances, state.folds[kind]);
    };
    open();
    if (state.sight.order.length > MOST) {
      state.folds[kind] = folded();
      open();
    }
  }
  state.selected = id;
  state.hand = hand;
}

/** Shows a solution by its number; the solution compared with stays. */
export function show(state, which) {
  if (which === state.now) return;
  state.now = which;
  refresh(state);
}

/** The highlighted information set: under the pointer, or else selected; null for none. */
export function litSet(state) {
  const { key, hand } = state.hovered ?? { key: state.selected, hand: state.hand };
  if (typeof key !== "number") return null;
  if (hand !== null && hand !== undefined) return hand;
  return state.view.kind === "full" ? (state.view.infosets(key)[0] ?? null) : null;
}

/** The members of an information set in the current tree: {seen, folded} (keys, and stand-ins of folded ones). */
export function membersInSight(state, infoset) {
  const seen = new Set(), stands = new Map();
  for (const node of members(state.tree, infoset)) {
    const id = state.view.at(node);
    if (state.sight.index.has(id)) seen.add(id);
    else {
      const { key } = standsFor(state.view, state.sight, id);
      stands.set(key, (stands.get(key) ?? 0) + 1);
    }
  }
  return { seen, stands };
}

/** The mover in words. */
export function who(state, player) {
  if (player === CHANCE) return "Chance";
  return player === TERMINAL ? "End of play" : state.tree.data.players[player];
}

/** One letter or digit for each player that distinguishes the names, as in the pictures. */
export function badges(names) {
  const clean = names.map((name) => name.replace(/\s+/g, " ").trim());
  const heads = new Set(clean.map((name) => name.slice(0, -1)));
  for (const letters of [heads.size === 1 ? clean.map((n) => n.slice(-1)) : [], clean.map((n) => n.slice(0, 1).toUpperCase())]) {
    if (letters.length && new Set(letters).size === names.length && letters.every((c) => /^[a-z0-9]$/i.test(c))) return letters;
  }
  return names.map((_, i) => `${i + 1}`);
}

/** The player whose value is shown if there is room for one: player 1 if two share a constant sum, else the mover. */
export function teller(state, player) {
  const { players, constant_sum } = state.tree.data;
  return players.length === 2 && constant_sum !== null ? 0 : Math.max(player, 0);
}

/** The players whose values are shown: like `teller`, but all players at ends and chance nodes. */
export function tellers(state, player) {
  const one = teller(state, 0) === teller(state, 1);
  return player < 0 && !one ? state.tree.data.players.map((_, k) => k) : [teller(state, player)];
}
