// A game as sequences: payoffs, reach probabilities and best responses of a profile, in BigInt over common denominators
// or in floats. The same code computes both: `+`, `*` and `>` work on either kind of number.

import { exactPayment } from "./exact.js";
import { members, startsOf, summed } from "./measures.js";
import { CHANCE, NONE } from "./model.js";
import { compare, float, fraction, fractionText, gcd, minus, plus, times } from "./numbers.js";

/** The maximum number of nodes computed in fractions, and at all. */
export const MOST_EXACT = 3000, MOST_EXPLORED = 50_000;
const TIED = 1e-9; // below this difference of payoffs, two moves pay the same up to the rounding of strategies
const MOST_BITS = 20_000; // maximum bits of the common denominator of one player's plan; with longer denominators, floats are used
const ONE = [1n, 1n];

/**
 * The game of a tree. `start[k]`: the first index of the actions of information set k in arrays over all actions.
 * A player's sequence 0 is empty; `above[i][s]` is the sequence before the last move of s, `last[i][s]` this move.
 * `at[i][node]`: player i's sequence at a node. `before[k]`: the mover's sequence at k, NONE without perfect recall.
 * `next[action]`: the sequence that ends with an action. `sets[i]`: player i's information sets of at least `least`
 * actions, earlier moves first; others count as no moves. `recall[i]`: whether player i has perfect recall.
 */
export function gameOf(tree, least = 2) {
  const { data } = tree, players = data.players.length, start = startsOf(tree);
  const at = data.players.map(() => new Int32Array(tree.count)), above = at.map(() => [NONE]), last = at.map(() => [NONE]);
  const before = new Int32Array(data.infosets.length).fill(-2), next = new Int32Array(start.at(-1)).fill(NONE);
  const sets = at.map(() => []), recall = at.map(() => true), known = at.map(() => new Map()), leaves = [], inner = [];
  const isChoice = (k) => data.infosets[k][0] !== CHANCE && data.infosets[k][2].length >= least;
  for (let node = 0; node < tree.count; node++) {
    const from = tree.parent[node], k = tree.infoset[node];
    if (from !== NONE) {
      for (let i = 0; i < players; i++) at[i][node] = at[i][from];
      const mover = tree.player[from], action = start[tree.infoset[from]] + tree.action[node];
      if (mover !== CHANCE && isChoice(tree.infoset[from])) {
        const own = at[mover][from], key = own * next.length + action;
        if (next[action] === NONE || above[mover][next[action]] !== own) {
          if (!known[mover].has(key)) {
            known[mover].set(key, above[mover].length);
            above[mover].push(own);
            last[mover].push(action);
          }
          next[action] = known[mover].get(key);
        }
        at[mover][node] = next[action];
      }
    }
    if (k === NONE) leaves.push(node);
    else if (isChoice(k)) {
      const mover = tree.player[node];
      inner.push(node);
      if (before[k] === -2) {
        before[k] = at[mover][node];
        sets[mover].push(k);
      } else if (before[k] !== at[mover][node]) {
        before[k] = NONE;
        recall[mover] = false;
      }
    }
  }
  const chance = Float64Array.from(chanceOf(tree, 1, (a, b) => a * b, float));
  return { tree, players, start, at, above, last, before, next, sets, recall, leaves, inner, chance, mover: data.infosets.map(([player]) => player) };
}

/** A row of probabilities: `p` floats, `exact` fractions or null. */
export function rowOf(exact) {
  return { p: exact.map(floatOf), exact, ...together(exact) };
}

export function rowOfFloats(p) {
  return { p, exact: null };
}

/** The row of texts like "1/3" or "0.25"; null if they are not probabilities with sum 1. */
export function rowOfTexts(texts) {
  const exact = texts.map(rational);
  if (exact.some((p) => !p || p[0] < 0n)) return null;
  return compare(exact.reduce(plus), ONE) === 0 ? rowOf(exact) : null;
}

/** The fraction in lowest terms of a text like "1/3" or "-0.25", or null. */
export function rational(text) {
  const found = /^(-?)(\d*)\.(\d+)$/.exec(text);
  return found ? times([BigInt(found[1] + found[2] + found[3]), 1n], [1n, 10n ** BigInt(found[3].length)]) : times(fraction(text), ONE);
}

export function floatOf(f) {
  return float(fractionText(f));
}

function lcm(a, b) {
  return a % b === 0n ? a : (a / gcd(a, b)) * b;
}

/** Fractions over their least common denominator: {num, den}. */
function together(fractions) {
  const den = fractions.reduce((all, [, b]) => lcm(all, b), 1n);
  return { num: fractions.map(([a, b]) => a * (den / b)), den };
}

/**
 * The payoffs at the leaves by player: `float[i]`, and if `exact` also `num[i]` over `den`. `sum`: the constant sum of two
 * players' payoffs, otherwise null; `most`: the largest amount. `paid`: fractions by outcome and player.
 */
export function payoffsOf(game, paid, exact) {
  const { tree, leaves, players } = game, floats = paid.map((row) => row.map(floatOf));
  const made = { float: summed(tree, floats).map((sum) => Float64Array.from(leaves, (leaf) => sum[leaf])) };
  const shared = made.float[0][0] + made.float[1]?.[0], isShared = players === 2 && made.float[0].every((x, n) => Math.abs(x + made.float[1][n] - shared) < 1e-9);
  made.most = made.float.flatMap((row) => [...row]).reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
  if (!exact) return { ...made, sum: isShared ? [shared, null] : null };
  const all = tree.data.players.map((_, i) => leaves.map((leaf) => exactPayment(tree, leaf, i, paid)));
  const { num, den } = together(all.flat()), slice = (_, i) => num.slice(i * leaves.length, (i + 1) * leaves.length);
  return { ...made, num: all.map(slice), den, sum: isShared ? [shared, plus(all[0][0], all[1][0])] : null };
}

/** Chance's probabilities of the nodes; `read` makes numbers of the rules' texts, `product` multiplies them. */
function chanceOf(tree, one, product, read) {
  const p = [one];
  for (let node = 1; node < tree.count; node++) {
    const set = tree.data.infosets[tree.infoset[tree.parent[node]]], before = p[tree.parent[node]];
    p.push(set[0] === CHANCE ? product(before, read(set[3][tree.action[node]])) : before);
  }
  return p;
}

/** The weights of a player's sequences under the rows of a profile: {weight, den}. */
export function planOf(game, player, profile, exact) {
  const above = game.above[player], last = game.last[player], weight = exact ? [1n] : new Float64Array(above.length).fill(1), dens = [1n];
  game.owner ??= game.mover.flatMap((_, k) => Array(game.start[k + 1] - game.start[k]).fill(k));
  let den = 1n;
  for (let s = 1; s < above.length; s++) {
    const k = game.owner[last[s]], a = last[s] - game.start[k], row = profile[k];
    weight[s] = weight[above[s]] * (exact ? row.num[a] : row.p[a]);
    if (exact) den = lcm(den, (dens[s] = dens[above[s]] * row.den));
  }
  if (!exact) return { weight, den: 1 };
  return { weight: weight.map((w, s) => w * (den / dens[s])), den };
}

/** The probability that chance and the players other than `player` (NONE: all players) reach a node. */
function without(game, player, plans, chance, node) {
  let weight = chance[node];
  for (let j = 0; j < plans.length && weight; j++) if (j !== player) weight *= plans[j].weight[game.at[j][node]];
  return weight;
}

/** By sequence of `player`: the payoffs at its leaves, times the probability that the others and chance reach them. */
export function leafSums(game, player, plans, payoff, chance) {
  const { at, leaves } = game, exact = typeof plans[0].weight[0] === "bigint";
  const sums = exact ? game.above[player].map(() => 0n) : new Float64Array(game.above[player].length);
  for (let n = 0; n < leaves.length; n++) {
    const weight = without(game, player, plans, chance, leaves[n]);
    if (weight) sums[at[player][leaves[n]]] += weight * payoff[n];
  }
  return sums;
}

/** By information set: the probability that chance and the others reach it. */
export function allowedBy(game, plans, chance, zero = 0) {
  const sums = game.mover.map(() => zero);
  for (const node of game.inner) sums[game.tree.infoset[node]] += without(game, game.tree.player[node], plans, chance, node);
  return sums;
}

/** Turns the sums of leaves into the most that each sequence can bring, in place; returns the most of the empty sequence. */
export function backUp(game, player, sums) {
  const { sets, before, next, start } = game;
  for (let n = sets[player].length - 1; n >= 0; n--) {
    const k = sets[player][n];
    let most = sums[next[start[k]]];
    for (let action = start[k] + 1; action < start[k + 1]; action++) if (sums[next[action]] > most) most = sums[next[action]];
    sums[before[k]] += most;
  }
  return sums[0];
}

/**
 * Results of a profile; numbers are pairs [float, fraction or null]. `payoffs`: by player. `best`: the payoff of each
 * player's best response, null without perfect recall. `gains`, `bounds` ([player 1's guaranteed payoff, the most that
 * player 2 allows], null unless two players share a constant sum). `reach(k)`: an information set's reach probability;
 * `allowed(k)`: the probability that chance and the others reach it. `originsOf(k, i)`: the actions that may be player i's
 * last one before k (NONE: no action), each with its probability if the others' moves lead to k.
 * `values(k)`: the value of each move with best responses later; null if the others' moves never lead to k.
 */
export function evaluate(game, profile, payoffs) {
  const { tree, players, inner, before, next, start, mover, last, at } = game;
  const rational = payoffs.num !== undefined && profile.every((row) => !row || row.exact);
  let plans = tree.data.players.map((_, i) => planOf(game, i, profile, rational));
  const exact = rational && plans.every(({ den }) => den.toString(16).length * 4 < MOST_BITS);
  if (rational && !exact) plans = plans.map((_, i) => planOf(game, i, profile, false));
  const chance = exact ? (game.exactChance ??= together(chanceOf(tree, ONE, times, fraction))) : { num: game.chance, den: 1 }, zero = exact ? 0n : 0;
  const den = exact ? payoffs.den : 1;
  const unit = plans.map((_, i) => plans.reduce((all, plan, j) => (i === j ? all : all * plan.den), chance.den));
  const pair = exact ? pairOf : (a, b) => [a / b, null];
  const allowed = allowedBy(game, plans, chance.num, zero), reached = mover.map(() => zero);
  for (const node of inner) reached[tree.infoset[node]] += without(game, NONE, plans, chance.num, node);
  const payoff = [], best = [], sums = [];
  for (let i = 0; i < players; i++) {
    const own = leafSums(game, i, plans, exact ? payoffs.num[i] : payoffs.float[i], chance.num);
    let total = zero;
    for (let s = 0; s < own.length; s++) total += own[s] * plans[i].weight[s];
    payoff.push(pair(total, unit[i] * plans[i].den * den));
    best.push(game.recall[i] ? pair(backUp(game, i, own), unit[i] * den) : null);
    sums.push(own);
  }
  const gains = payoff.map((got, i) => best[i] && difference(best[i], got));
  const bounds = payoffs.sum && best[0] && best[1] ? [difference(payoffs.sum, best[1]), best[0]] : null;
  return {
    exact, payoffs: payoff, best, gains, bounds,
    reach: (k) => pair(reached[k], unit[mover[k]] * plans[mover[k]].den),
    isReached: (k) => reached[k] > zero,
    allowed: (k) => pair(allowed[k], unit[mover[k]]),
    originsOf(k, other) {
      const weights = new Map();
      for (const node of members(tree, k)) {
        const origin = last[other][at[other][node]] ?? NONE, weight = without(game, mover[k], plans, chance.num, node);
        weights.set(origin, (weights.get(origin) ?? zero) + weight);
      }
      return [...weights].map(([action, weight]) => [action, pair(weight, allowed[k])]);
    },
    values(k) {
      if (before[k] === NONE || !game.recall[mover[k]] || !(allowed[k] > zero)) return null;
      const row = [];
      for (let action = start[k]; action < start[k + 1]; action++) row.push(pair(sums[mover[k]][next[action]], allowed[k] * den));
      return row;
    },
  };
}

function pairOf(above, below) {
  const exact = times([above, below], ONE);
  return [floatOf(exact), exact];
}

/** a − b, both pairs. */
export function difference(a, b) {
  const exact = a[1] && b[1] ? minus(a[1], b[1]) : null;
  return [exact ? floatOf(exact) : a[0] - b[0], exact];
}

/** Whether a number is 0: exactly, or up to rounding errors. */
export function isZero([x, exact]) {
  return exact ? exact[0] === 0n : Math.abs(x) < 1e-9;
}

/** The loss of a row against the best move, and the best moves, up to a difference of `tied`: {loss, best}; null without values. */
export function lossOf(values, row, tied = TIED) {
  if (!values) return null;
  const most = values.reduce((a, b) => (difference(b, a)[0] > 0 ? b : a));
  const best = values.map((value) => difference(most, value)[0] <= tied);
  const loss = values.reduce((sum, value, a) => {
    const less = difference(most, value), exact = sum[1] && less[1] && row.exact ? plus(sum[1], times(row.exact[a], less[1])) : null;
    return [sum[0] + row.p[a] * less[0], exact];
  }, [0, [0n, 1n]]);
  return { loss, best };
}

export function sumOf(pairs) {
  const exact = pairs.reduce((sum, [, f]) => (sum && f ? plus(sum, f) : null), [0n, 1n]);
  return [exact ? floatOf(exact) : pairs.reduce((sum, [x]) => sum + x, 0), exact];
}
