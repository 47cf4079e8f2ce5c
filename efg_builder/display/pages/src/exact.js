// Exact numbers where a reader looks, worked out there and then: fractions over the whole tree would take minutes.

import { childrenOf, NONE, pathTo } from "./model.js";
import { fraction, plus, times } from "./numbers.js";
import { members, probabilityText } from "./measures.js";

const ZERO = [0n, 1n], ONE = [1n, 1n];
const MOST_MEMBERS = 200, MOST_NODES = 4000, MOST_DIGITS = 60;

/** The moves on the way to a node: {node (where it is made), action, text} with its probability. */
export function factors(tree, solution, node) {
  return pathTo(tree, node).slice(1).map((at) => {
    const above = tree.parent[at], k = tree.infoset[above];
    return { node: above, action: tree.action[at], text: probabilityText(tree, solution, k, tree.action[at]) };
  });
}

/** The exact probability of a node, or null where a factor is a float. `player`: leave this one's own moves out. */
export function exactReach(tree, solution, node, player = null) {
  return factors(tree, solution, node)
    .filter((factor) => player === null || tree.player[factor.node] !== player)
    .reduce((product, factor) => times(product, fraction(factor.text)), ONE);
}

/** How likely a node is within its information set, exactly; null where that cannot be said or not quickly. */
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

/** A player's exact expected payoff from a node on; null where floats are played, or too much is. */
export function exactValue(tree, solution, node, player) {
  return valueBelow(tree, solution, node, player, { left: MOST_NODES });
}

function valueBelow(tree, solution, node, player, budget) {
  let paid = ZERO;
  for (const at of pathTo(tree, node)) {
    if (tree.outcome[at] !== NONE) paid = plus(paid, fraction(tree.data.outcomes[tree.outcome[at]][1][player]));
  }
  return plus(paid, onwards(tree, solution, node, player, budget));
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

/** What each action at an information set is worth to its mover, exactly, or null. */
export function exactWorths(tree, solution, k) {
  const player = tree.data.infosets[k][0], all = members(tree, k), budget = { left: MOST_NODES };
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
