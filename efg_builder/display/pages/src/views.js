// The two trees with one interface: the full tree (every deal) and the public tree.

import { settle } from "./measures.js";
import { CHANCE, NONE, TERMINAL, childrenOf, moveTo } from "./model.js";

/**
 * A view: `kind`, `count`, `parent(id)`, `children(id)` (array), `move(id)` (label of the move that leads there),
 * `player(id)`, `size(id)` (the number of nodes of its subtree), `infosets(id)`, `rule(id)` (the probability of the chance move
 * that leads there, as text; null of other moves), and `under(measures)`: the probabilities and
 * values of its nodes, {reach(id), made(id), step(id), value(id, player)}: `step` is the probability of the move that leads
 * there, null if the choice is never reached; `made`: whether anybody makes that move; unreached values are null.
 */
export function fullView(tree) {
  return {
    kind: "full",
    tree,
    count: tree.count,
    parent: (id) => tree.parent[id],
    children: (id) => [...childrenOf(tree, id)],
    move: (id) => moveTo(tree, id),
    player: (id) => tree.player[id],
    size: (id) => tree.size[id],
    infosets: (id) => (tree.player[id] < 0 ? [] : [tree.infoset[id]]),
    at: (node) => node,
    rule(id) {
      const above = tree.parent[id];
      return tree.player[above] === CHANCE ? tree.data.infosets[tree.infoset[above]][3][tree.action[id]] : null;
    },
    under(measures) {
      const step = (id) => measures.probability[measures.start[tree.infoset[tree.parent[id]]] + tree.action[id]];
      return {
        reach: (id) => measures.reach[id],
        made: (id) => step(id) > 0,
        step,
        value: (id, player) => measures.values[player][id],
      };
    },
  };
}

/** The public tree's view, or null if there is no public tree. */
export function publicView(tree) {
  const given = tree.data.public;
  if (!given) return null;
  const count = given.parent.length;
  const below = Array.from({ length: count }, () => []), size = new Int32Array(count).fill(1);
  given.parent.forEach((above, id) => above !== NONE && below[above].push(id));
  for (let id = count - 1; id > 0; id--) size[given.parent[id]] += size[id];
  const movers = given.player;
  const view = {
    kind: "public",
    tree,
    count,
    parent: (id) => given.parent[id],
    children: (id) => below[id],
    move: (id) => tree.data.labels[given.moves[id]],
    player: (id) => (movers[id] < 0 ? TERMINAL : movers[id]),
    size: (id) => size[id],
    infosets: (id) => given.infosets[id],
    hands: (id) => given.hands[id],
    at: (node) => given.of[node],
    rule: () => null,
    under: (measures) => publicMeasures(view, measures),
  };
  return view;
}

function publicMeasures(view, measures) {
  const { tree } = view, { of } = tree.data.public;
  const reach = new Float64Array(view.count);
  const sums = measures.values.map(() => new Float64Array(view.count));
  for (let node = 0; node < tree.count; node++) {
    // Chance moves are hidden: each play passes exactly one node of a history at which chance does not move.
    if (tree.player[node] === CHANCE || !measures.reach[node]) continue;
    reach[of[node]] += measures.reach[node];
    measures.values.forEach((value, i) => (sums[i][of[node]] += measures.reach[node] * value[node]));
  }
  for (const sum of sums) {
    for (let id = 0; id < view.count; id++) sum[id] = reach[id] > 0 ? sum[id] / reach[id] : 0;
    settle(tree, sum);
  }
  return {
    reach: (id) => reach[id],
    made(id) {
      const above = view.parent(id);
      if (reach[above] > 0) return reach[id] > 0;
      return view.infosets(above).some((k) => chanceOf(measures, k, view.move(id)) > 0);
    },
    step: (id) => (reach[view.parent(id)] > 0 ? reach[id] / reach[view.parent(id)] : null),
    value: (id, player) => (reach[id] > 0 ? sums[player][id] : null),
  };
}

/** The probability of the action with a label at an information set; null if there is none. */
export function chanceOf(measures, k, label) {
  const { tree, start, probability } = measures, a = actionOf(tree, k, label);
  return a < 0 ? null : probability[start[k] + a];
}

/** The index of the action with a label at an information set; -1 for none. */
export function actionOf({ data }, k, label) {
  return data.infosets[k][2].findIndex((each) => data.labels[each] === label);
}

/** All moves at a public history, in the order of its children. */
export function movesAt(view, id) {
  return view.children(id).map((child) => view.move(child));
}

/** The hand at an information set: its label up to the colon, or null. */
export function handAt(tree, k) {
  const label = tree.data.infosets[k][1], at = label.lastIndexOf(": ");
  return at < 0 ? null : label.slice(0, at);
}
