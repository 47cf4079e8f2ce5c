// What is looked at: which tree, which solution, what is unfolded, what is chosen. One plain object for each viewer.

import { CHANCE, TERMINAL, treeOf } from "./model.js";
import { members, measuresOf } from "./measures.js";
import { exactFull, exactPublic } from "./exact.js";
import { MOST, folded, inSight, reveal, standsFor, unfoldAll, unfoldLikely } from "./folding.js";
import { fullView, publicView } from "./views.js";

const FIRST = { full: 48, public: 18 };
/** Trees of so many nodes open whole, and with each deal by itself. */
export const SMALL = 60;

/** The state for the data of a page; shows the first solution, and the tree that the data name: else the
 *  public one, unless the tree is small. */
export function stateOf(data) {
  const tree = treeOf(data);
  const state = {
    tree,
    views: { full: fullView(tree), public: publicView(tree) },
    folds: {},
    kept: {},
    now: data.solutions.length ? 0 : -1, // the solution shown, -1 for none
    before: -1, // the one that it is compared with
    selected: 0, // a key of what is in sight
    hand: null, // of the public tree: the information set chosen at the selected history
    hovered: null,
    touch: false, // whether the screen is small: larger targets and letters
    level: 1, // of the heading; those of the panel lie below
  };
  const first = data.view ?? (tree.count > SMALL ? "public" : "tree");
  look(state, first === "public" && state.views.public ? "public" : "full");
  return state;
}

/** The scale at which letters of 13 pixels are read with ease, and the one down to which a whole tree is better than a part of it. */
export const READ = 0.7, WHOLE = 0.6;
/** Pixels around what is fitted into the window. */
export const PAD = 16;
/** On a small screen, pixels of the tree: the least scale, at which letters of 11 are 10, and what a finger meets then. */
export const SMALL_SCALE = 0.92, TARGET = 48;

/** Turns to the full or the public tree, at what was selected when it was last looked at. */
export function look(state, kind) {
  if (state.view) state.kept[state.view.kind] = [state.selected, state.hand];
  state.view = state.views[kind];
  [state.selected, state.hand] = state.kept[kind] ?? [0, null];
  state.hovered = null;
  if (!state.folds[kind]) openFirst(state);
  refresh(state);
}

/** The selected history in the other tree, [node, information set]; null where that tree was left at the same history. */
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

/** Unfolds a small tree whole, of another what is likeliest to be played. */
function openFirst(state) {
  if (!opensWhole(state)) return foldAll(state);
  state.folds[state.view.kind] = folded();
  unfoldAll(state.view, state.folds[state.view.kind], MOST);
}

export function opensWhole({ tree }) {
  return tree.count <= SMALL;
}

/** Folds all away but what is likeliest to be played. */
export function foldAll(state) {
  const kind = state.view.kind;
  state.folds[kind] = folded();
  unfoldLikely(state.view, under(state)?.chances, state.folds[kind], FIRST[kind]);
  refresh(state);
}

/** Works out anew what is in sight; what was selected and is so no more gives way to what stands for it. */
export function refresh(state) {
  state.sight = inSight(state.view, under(state)?.chances, state.folds[state.view.kind]);
  if (!state.sight.index.has(state.selected)) {
    const id = idOf(state.selected);
    state.selected = id < state.view.count ? standsFor(state.view, state.sight, id).key : 0;
    state.hand = null;
  }
}

/** The node that a key means, or stands beside. */
export function idOf(key) {
  return typeof key === "number" ? key : Number(key.split(" ")[1]);
}

const cache = new WeakMap();

/** What follows from a solution in the tree looked at, {measures, chances, exact, solution, name}; null where there is none.
 *  `exact` tells what `chances` does in fractions, null where they are not known. */
export function under(state, which = state.now) {
  if (which < 0) return null;
  const solution = state.tree.data.solutions[which];
  if (!cache.has(solution)) cache.set(solution, { measures: measuresOf(state.tree, solution) });
  const known = cache.get(solution), { view, tree } = state;
  known[view.kind] ??= {
    chances: view.under(known.measures),
    exact: view.kind === "full" ? exactFull(tree, solution) : exactPublic(view, solution),
  };
  return { measures: known.measures, ...known[view.kind], solution, name: solution.name };
}

/** Chooses a node (and, in the public tree, one of its information sets), unfolding the way to it. */
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

/** Shows a solution by its number. What it is compared with is the reader's choice, and stays. */
export function show(state, which) {
  if (which === state.now) return;
  state.now = which;
  refresh(state);
}

/** The information set that is lit: the one hovered over, or else selected; null for none. */
export function litSet(state) {
  const { key, hand } = state.hovered ?? { key: state.selected, hand: state.hand };
  if (typeof key !== "number") return null;
  if (hand !== null && hand !== undefined) return hand;
  return state.view.kind === "full" ? (state.view.infosets(key)[0] ?? null) : null;
}

/** The members of an information set as nodes of the tree looked at: {seen, folded} (keys; what stands for them). */
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

/** Who moves, in words. */
export function who(state, player) {
  if (player === CHANCE) return "Chance";
  return player === TERMINAL ? "End of play" : state.tree.data.players[player];
}

/** One letter or digit for each player, as in the pictures: what tells the names apart. */
export function badges(names) {
  const clean = names.map((name) => name.replace(/\s+/g, " ").trim());
  const heads = new Set(clean.map((name) => name.slice(0, -1)));
  for (const letters of [heads.size === 1 ? clean.map((n) => n.slice(-1)) : [], clean.map((n) => n.slice(0, 1).toUpperCase())]) {
    if (letters.length && new Set(letters).size === names.length && letters.every((c) => /^[a-z0-9]$/i.test(c))) return letters;
  }
  return names.map((_, i) => `${i + 1}`);
}

/** Whose value is told where there is room for one: player 1's where two share a constant sum, else the mover's. */
export function teller(state, player) {
  const { players, constant_sum } = state.tree.data;
  return players.length === 2 && constant_sum !== null ? 0 : Math.max(player, 0);
}

/** The same, but of all where nobody moves: what is told of an end or of chance must not pass for one player's. */
export function tellers(state, player) {
  const one = teller(state, 0) === teller(state, 1);
  return player < 0 && !one ? state.tree.data.players.map((_, k) => k) : [teller(state, player)];
}
