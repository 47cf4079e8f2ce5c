// Exact numbers for the nodes looked at: fractions over the whole tree would take minutes.

import { CHANCE, childrenOf, NONE, pathTo } from "./model.js";
import { fraction, plus, times } from "./numbers.js";
import { members, probabilityText } from "./measures.js";

const ZERO = [0n, 1n], ONE = [1n, 1n];
const MOST_KNOWN = 3000; // the maximum number of nodes computed exactly at once
const MOST_SEEN = 500; // the maximum number of nodes visited for the value at a node that play does not reach
const MOST_MEMBERS = 200, MOST_NODES = 4000, MOST_DIGITS = 60;

/** The moves to a node: {node (of the mover), action, text} with the probability as text. */
export function factors(tree, solution, node) {
  return pathTo(tree, node).slice(1).map((at) => {
    const above = tree.parent[at], k = tree.infoset[above];
    return { node: above, action: tree.action[at], text: probabilityText(tree, solution, k, tree.action[at]) };
  });
}

/** The exact probability of a node, or null if a factor is a float. `player`: leave out this player's moves. */
export function exactReach(tree, solution, node, player = null) {
  return factors(tree, solution, node)
    .filter((factor) => player === null || tree.player[factor.node] !== player)
    .reduce((product, factor) => times(product, fraction(factor.text)), ONE);
}

/** The exact probability of a node within its information set; null if undefined or slow. */
export function exactBelief(tree, solution, node) {
  const all = members(tree, tree.infoset[node]);
  if (all.length > MOST_MEMBERS) return null;
  const total = all.reduce((sum, each) => plus(sum, exactReach(tree, solution, each)), ZERO);
  return over(exactReach(tree, solution, node), total);
}

export function over(a, b) {
  if (!a || !b || b[0] === 0n) return null;
  return b[0] < 0n ? times(a, [-b[1], -b[0]]) : times(a, [b[1], b[0]]);
}

/** A player's exact expected payoff from a node on; null if strategies have floats or too many nodes are reached. */
export function exactValue(tree, solution, node, player, most = MOST_NODES) {
  return valueBelow(tree, solution, node, player, { left: most });
}

function valueBelow(tree, solution, node, player, budget) {
  return plus(exactPayment(tree, node, player), onwards(tree, solution, node, player, budget));
}

function onwards(tree, solution, node, player, budget) {
  if (budget.left-- <= 0) return null;
  if (tree.infoset[node] === NONE) return ZERO;
  let sum = ZERO;
  for (const child of childrenOf(tree, node)) {
    const p = fraction(probabilityText(tree, solution, tree.infoset[node], tree.action[child]));
    if (!p) return null;
    if (p[0] === 0n) continue;
    const own = tree.outcome[child] === NONE ? ZERO : fraction(tree.data.outcomes[tree.outcome[child]][1][player]);
    sum = plus(sum, times(p, plus(own, onwards(tree, solution, child, player, budget))));
    if (!sum || sum[1].toString().length > MOST_DIGITS) return null;
  }
  return sum;
}

/** The exact value of each action at an information set to its mover, or null. */
export function exactWorths(tree, solution, k, most = MOST_NODES) {
  const player = tree.data.infosets[k][0], all = members(tree, k), budget = { left: most };
  if (all.length > MOST_MEMBERS) return null;
  const sums = tree.data.infosets[k][2].map(() => ZERO);
  let total = ZERO;
  for (const node of all) {
    const weight = exactReach(tree, solution, node, player);
    if (!weight) return null;
    if (weight[0] === 0n) continue;
    total = plus(total, weight);
    let a = 0;
    for (const child of childrenOf(tree, node)) {
      const value = valueBelow(tree, solution, child, player, budget);
      if (!value) return null;
      sums[a] = plus(sums[a], times(weight, value));
      a++;
    }
  }
  return total[0] === 0n ? null : sums.map((sum) => over(sum, total));
}

/** Whether every node of a tree is computed exactly; in a larger tree, only reached nodes are. */
export function isKnownWhole(tree) {
  return tree.count <= MOST_KNOWN;
}

/**
 * Nodes' numbers under a solution, exactly: {order (the nodes, from the start on), reach, values[player]}, arrays by node
 * with null where floats are played. null of a large tree where floats are played, or play gets to too many nodes.
 */
function known(tree, solution) {
  if (solution.known !== undefined) return solution.known;
  const step = (node) => fraction(probabilityText(tree, solution, tree.infoset[tree.parent[node]], tree.action[node]));
  const whole = isKnownWhole(tree), order = [0], reach = [ONE];
  for (let n = 0; n < order.length; n++) {
    if (tree.infoset[order[n]] === NONE) continue;
    for (const child of childrenOf(tree, order[n])) {
      const p = step(child);
      if (!whole && (!p || order.length > MOST_KNOWN)) return (solution.known = null);
      if (!whole && p[0] === 0n) continue;
      reach[child] = times(reach[order[n]], p);
      order.push(child);
    }
  }
  const values = tree.data.players.map((_, player) => {
    const value = [];
    for (const node of order) value[node] = tree.infoset[node] === NONE ? exactPayment(tree, node, player) : ZERO;
    for (const node of order.toReversed()) {
      if (!node) continue;
      const p = step(node), above = tree.parent[node];
      value[above] = p && p[0] === 0n ? value[above] : short(plus(value[above], times(p, value[node])));
    }
    return value;
  });
  return (solution.known = { order, reach, values });
}

function short(f) {
  return f && f[1].toString().length <= MOST_DIGITS ? f : null;
}

/** A player's exact payments up to a node, inclusive. */
export function exactPayment(tree, node, player) {
  return pathTo(tree, node).reduce((paid, at) => (tree.outcome[at] === NONE ? paid : plus(paid, fraction(tree.data.outcomes[tree.outcome[at]][1][player]))), ZERO);
}

/** The numbers of the full tree's `under(measures)`, exact or null: {reach, step, value}. */
export function exactFull(tree, solution) {
  const all = known(tree, solution);
  return {
    reach: (id) => all?.reach[id] ?? null,
    step: (id) => fraction(probabilityText(tree, solution, tree.infoset[tree.parent[id]], tree.action[id])),
    value: (id, player) => all?.values[player][id] ?? seen(tree, solution, id, player),
  };
}

/** The exact value at a node that play does not reach, computed once. */
function seen(tree, solution, id, player) {
  const key = `${id} ${player}`;
  solution.seen ??= new Map();
  if (!solution.seen.has(key)) solution.seen.set(key, exactValue(tree, solution, id, player, MOST_SEEN));
  return solution.seen.get(key);
}

/** The same for the public tree `view`: sums over the deals. */
export function exactPublic(view, solution) {
  const { tree } = view, all = known(tree, solution), none = () => null;
  if (!all) return { reach: none, step: none, value: none };
  const array = () => Array(view.count).fill(ZERO), reach = array(), sums = tree.data.players.map(array);
  for (const node of all.order) {
    if (tree.player[node] === CHANCE || (all.reach[node] && all.reach[node][0] === 0n)) continue;
    const id = view.at(node);
    reach[id] = plus(reach[id], all.reach[node]);
    sums.forEach((sum, i) => (sum[id] = plus(sum[id], times(all.reach[node], all.values[i][node]))));
  }
  return {
    reach: (id) => reach[id],
    step: (id) => over(reach[id], reach[view.parent(id)]),
    value: (id, player) => over(sums[player][id], reach[id]),
  };
}

/** The exact reach probability of an information set, or null. */
export function exactReached(tree, solution, k) {
  const all = known(tree, solution);
  return all && members(tree, k).reduce((sum, node) => (all.reach[node] === undefined ? sum : plus(sum, all.reach[node])), ZERO);
}

/** The exact probability of the action with a label at an information set, or null. */
export function exactChance(tree, solution, k, label) {
  const a = tree.data.infosets[k][2].findIndex((each) => tree.data.labels[each] === label);
  return a < 0 ? null : fraction(probabilityText(tree, solution, k, a));
}
