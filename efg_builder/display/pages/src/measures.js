// Results of strategies: reach, values, beliefs, counterfactual values of moves. Two passes over the tree
// in typed arrays for each solution, on first use.

import { float, fraction } from "./numbers.js";
import { CHANCE, NONE, childrenOf, membersOf } from "./model.js";

/** Float probabilities up to this are a solver's noise (efg_builder/base/rationals.py). */
const NEGLIGIBLE = 1e-6;

/** The first index of each information set's actions in arrays over all actions, and the total. */
export function startsOf(tree) {
  const start = new Int32Array(tree.data.infosets.length + 1);
  tree.data.infosets.forEach((set, k) => (start[k + 1] = start[k] + set[2].length));
  return start;
}

/** The members of information sets, cached by tree. */
export function members(tree, infoset) {
  tree.members ??= membersOf(tree);
  return tree.members[infoset];
}

/** The probability of an action as text: exact, like "1/3", or a float. */
export function probabilityText(tree, solution, infoset, action) {
  const set = tree.data.infosets[infoset];
  if (set[0] === CHANCE) return set[3][action];
  return tree.data.numbers[solution.probabilities[infoset][action]];
}

/**
 * The results of `solution` (an entry of data.solutions). Arrays over nodes: `reach`, `values[player]` (expected payoffs,
 * with all payments on the path), `without[player]` (reach without the factors of the player's own moves). Over actions,
 * from `start[infoset]` on: `probability`, and `worth` (the mover's expected payoff, given the beliefs from the others'
 * moves; NaN if their moves never lead there). Over information sets: `reached`.
 */
export function measuresOf(tree, solution) {
  const start = tree.start ??= startsOf(tree);
  const { given, settled } = probabilities(tree, solution, start);
  const players = tree.data.players.length;
  const array = () => new Float64Array(tree.count);
  const reach = array(), without = Array.from({ length: players }, array), values = Array.from({ length: players }, array);
  const paid = payments(tree);
  const reached = new Float64Array(tree.data.infosets.length);
  for (let node = 0; node < tree.count; node++) {
    const above = tree.parent[node];
    if (above === NONE) {
      reach[node] = 1;
      for (const each of without) each[node] = 1;
    } else {
      const p = settled[start[tree.infoset[above]] + tree.action[node]], mover = tree.player[above];
      reach[node] = reach[above] * p;
      for (let i = 0; i < players; i++) without[i][node] = i === mover ? without[i][above] : without[i][above] * p;
    }
    const k = tree.infoset[node];
    if (k !== NONE) reached[k] += reach[node];
  }
  for (let node = tree.count - 1; node >= 0; node--) {
    const above = tree.parent[node];
    const weight = above === NONE ? 0 : given[start[tree.infoset[above]] + tree.action[node]];
    for (let i = 0; i < players; i++) {
      if (tree.infoset[node] === NONE) values[i][node] = paid[i][node];
      if (above !== NONE) values[i][above] += weight * values[i][node];
    }
  }
  const worth = worths(tree, start, without, values);
  for (const each of [...values, worth]) settle(tree, each);
  return { tree, solution, start, probability: settled, reach, without, values, reached, worth };
}

/** All actions' probabilities as given, and without float noise. */
function probabilities(tree, solution, start) {
  const size = start[start.length - 1];
  const given = new Float64Array(size), settled = new Float64Array(size);
  const known = tree.data.numbers.map((text) => {
    const p = float(text);
    if (fraction(text)) return [p, p];
    return [p, p <= NEGLIGIBLE ? 0 : p < 1 - NEGLIGIBLE ? p : 1];
  });
  tree.data.infosets.forEach((set, k) => {
    for (let a = 0; a < set[2].length; a++) {
      const pair = set[0] === CHANCE ? [float(set[3][a]), float(set[3][a])] : known[solution.probabilities[k][a]];
      [given[start[k] + a], settled[start[k] + a]] = pair;
    }
  });
  return { given, settled };
}

/** Replaces sums that are only rounding errors, such as −4.16e−17, by 0. */
export function settle(tree, numbers) {
  tree.tiny ??= 1e-13 * tree.data.outcomes.reduce((most, [, paid]) => Math.max(most, ...paid.map((u) => Math.abs(float(u)))), 0);
  for (let n = 0; n < numbers.length; n++) if (Math.abs(numbers[n]) < tree.tiny) numbers[n] = 0;
}

/** Each player's payments up to each node, inclusive, by the rules. */
export function payments(tree) {
  return (tree.paid ??= summed(tree, tree.data.outcomes.map(([, payoffs]) => payoffs.map(float))));
}

/** For each player, the sum of the outcomes' payments on the path to each node. `pay`: by outcome and player. */
export function summed(tree, pay) {
  return tree.data.players.map((_, i) => {
    const sums = new Float64Array(tree.count);
    for (let node = 0; node < tree.count; node++) {
      const before = node ? sums[tree.parent[node]] : 0;
      sums[node] = tree.outcome[node] === NONE ? before : before + pay[tree.outcome[node]][i];
    }
    return sums;
  });
}

function worths(tree, start, without, values) {
  const worth = new Float64Array(start[start.length - 1]).fill(0);
  const weight = new Float64Array(start.length - 1);
  for (let node = 0; node < tree.count; node++) {
    const k = tree.infoset[node], mover = tree.player[node];
    if (mover < 0 || !without[mover][node]) continue;
    weight[k] += without[mover][node];
    let at = start[k];
    for (const child of childrenOf(tree, node)) worth[at++] += without[mover][node] * values[mover][child];
  }
  weight.forEach((total, k) => {
    for (let at = start[k]; at < start[k + 1]; at++) worth[at] = total > 0 ? worth[at] / total : NaN;
  });
  return worth;
}

/**
 * An information set under a solution: `actions` ({label, p, worth, regret}), its `reach` and `worth`. The regret of
 * an action is the best action's value minus its value, if play continues as given; NaN if the others' moves never lead
 * there.
 */
export function infosetFacts(measures, k) {
  const { tree, start, probability, worth } = measures;
  const set = tree.data.infosets[k];
  const own = worth.subarray(start[k], start[k + 1]);
  const best = Math.max(...own);
  let value = 0;
  const actions = set[2].map((label, a) => {
    const p = probability[start[k] + a];
    if (p) value += p * own[a];
    return { a, label: tree.data.labels[label], p, worth: own[a], regret: best - own[a] };
  });
  return { k, player: set[0], actions, reach: measures.reached[k], worth: value };
}

/** The probability of a node within its information set; null if the set is never reached. */
export function belief(measures, node) {
  const total = measures.reached[measures.tree.infoset[node]];
  return total > 0 ? measures.reach[node] / total : null;
}
