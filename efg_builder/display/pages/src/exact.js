// Exact numbers of a solution, computed and cached per node: fractions over a whole large tree would take minutes.

import { CHANCE, NONE, childrenOf, pathTo } from "./model.js";
import { fraction, plus, times } from "./numbers.js";
import { members, probabilityText } from "./measures.js";

const ZERO = [0n, 1n], ONE = [1n, 1n];
const MOST_KNOWN = 3000; // the maximum number of nodes of a small tree, and of visited nodes in sums over a large tree
const MOST_SEEN = 1000; // the maximum number of nodes of a large tree visited for one value
const MOST_MEMBERS = 200, MOST_DIGITS = 60;

/** A solution's exact numbers: fractions, null where floats are played, nothing is reached, or too many nodes would be visited. */
export function exactOf(tree, solution) {
  return (solution.exact ??= numbersOf(tree, solution));
}

function numbersOf(tree, solution) {
  const { data } = tree, reaches = new Map([[0, ONE]]), values = data.players.map(() => new Map());
  const isSmall = tree.count <= MOST_KNOWN;
  let nodes;
  return { chance, step, reach, without, belief, value, worths, worth, reached, nodes: () => (nodes === undefined ? (nodes = reachedNodes(tree, isSmall, reach)) : nodes) };

  /** The probability of an action at an information set. */
  function chance(k, a) {
    return fraction(probabilityText(tree, solution, k, a));
  }

  /** The probability of the move to a node. */
  function step(node) {
    return chance(tree.infoset[tree.parent[node]], tree.action[node]);
  }

  function reach(node) {
    for (const at of pathTo(tree, node)) if (!reaches.has(at)) reaches.set(at, times(reaches.get(tree.parent[at]), step(at)));
    return reaches.get(node);
  }

  /** The probability of a node without the factors of a player's own moves. */
  function without(node, player) {
    return pathTo(tree, node).slice(1).filter((at) => tree.player[tree.parent[at]] !== player).reduce((product, at) => times(product, step(at)), ONE);
  }

  /** The probability of a node within its information set. */
  function belief(node) {
    const all = members(tree, tree.infoset[node]);
    return all.length > MOST_MEMBERS ? null : over(reach(node), all.reduce((sum, each) => plus(sum, reach(each)), ZERO));
  }

  /** A player's expected payoff from a node on, with what was paid on the way. */
  function value(node, player) {
    if (!values[player].has(node)) values[player].set(node, valueBelow(node, player, { left: isSmall ? Infinity : MOST_SEEN }));
    return values[player].get(node);
  }

  function valueBelow(node, player, budget) {
    if (values[player].has(node)) return values[player].get(node);
    if (budget.left-- <= 0) return null;
    let sum = tree.infoset[node] === NONE ? exactPayment(tree, node, player) : ZERO;
    for (const child of childrenOf(tree, node)) {
      const p = step(child);
      if (p?.[0] !== 0n) sum = sum && short(plus(sum, times(p, p && valueBelow(child, player, budget))));
    }
    if (sum) values[player].set(node, sum);
    return sum;
  }

  /** The value of each action at an information set to its mover. */
  function worths(k) {
    const [player, , actions] = data.infosets[k], all = members(tree, k), sums = actions.map(() => ZERO);
    if (all.length > MOST_MEMBERS) return null;
    let total = ZERO;
    for (const node of all) {
      const weight = without(node, player);
      if (weight?.[0] === 0n) continue;
      total = plus(total, weight);
      [...childrenOf(tree, node)].forEach((child, a) => (sums[a] = plus(sums[a], times(weight, weight && value(child, player)))));
    }
    return sums.every(Boolean) && total?.[0] ? sums.map((sum) => over(sum, total)) : null;
  }

  /** The value of an information set to its mover. */
  function worth(k) {
    return worths(k)?.reduce((sum, each, a) => plus(sum, times(each, chance(k, a))), ZERO);
  }

  /** The reach probability of an information set. */
  function reached(k) {
    return this.nodes() && members(tree, k).reduce((sum, node) => (!isSmall && !reaches.has(node) ? sum : plus(sum, reach(node))), ZERO);
  }
}

/** The nodes of positive probability, or all nodes of a small tree; null if there are too many. */
function reachedNodes(tree, isSmall, reach) {
  const nodes = [0];
  for (let n = 0; n < nodes.length; n++) {
    for (const child of childrenOf(tree, nodes[n])) if (reach(child)?.[0] !== 0n || isSmall) nodes.push(child);
    if (nodes.length > MOST_KNOWN) return null;
  }
  return nodes;
}

export function over(a, b) {
  if (!a || !b || b[0] === 0n) return null;
  return b[0] < 0n ? times(a, [-b[1], -b[0]]) : times(a, [b[1], b[0]]);
}

function short(f) {
  return f && f[1].toString().length <= MOST_DIGITS ? f : null;
}

/** The payoffs that the rules give, as fractions by outcome and player. */
export function rulesOfPay({ data }) {
  return data.outcomes.map(([, row]) => row.map(fraction));
}

/** A player's exact payments up to a node, inclusive; `pay`: fractions by outcome and player. */
export function exactPayment(tree, node, player, pay = (tree.pay ??= rulesOfPay(tree))) {
  return pathTo(tree, node).reduce((sum, at) => (tree.outcome[at] === NONE ? sum : plus(sum, pay[tree.outcome[at]][player])), ZERO);
}

/** {reach, step, value} of the public tree `view`: sums over the deals. */
export function exactPublic(view, solution) {
  const { tree } = view, exact = exactOf(tree, solution), nodes = exact.nodes(), none = () => null;
  if (!nodes) return { reach: none, step: none, value: none };
  const array = () => Array(view.count).fill(ZERO), reach = array(), sums = tree.data.players.map(array);
  for (const node of nodes) {
    const p = exact.reach(node), id = view.at(node);
    if (tree.player[node] === CHANCE || p?.[0] === 0n) continue;
    reach[id] = plus(reach[id], p);
    sums.forEach((sum, i) => (sum[id] = plus(sum[id], times(p, exact.value(node, i)))));
  }
  return {
    reach: (id) => reach[id],
    step: (id) => over(reach[id], reach[view.parent(id)]),
    value: (id, player) => over(sums[player][id], reach[id]),
  };
}
