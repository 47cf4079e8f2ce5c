// CFR+ (O. Tammelin, "Solving large imperfect information games using CFR+", 2014): the players play against each other
// again and again, each regrets the moves not made, and the average strategies approach an equilibrium.

import { leafSums, planOf, rowOf, rowOfFloats } from "./explore_game.js";

const GRID = 1_000_000n; // an average strategy is made exact in millionths
const START = 0.2; // the regret of the first strategy in payoffs, so that learning begins with it

/** The state of learning from a profile on: {step(), profile(): the average in floats, steps}. */
export function learner(game, payoffs, first) {
  const { start, sets, before, next } = game, size = start.at(-1);
  const regret = new Float64Array(size), total = new Float64Array(size), now = first.map((row) => row && rowOfFloats([...row.p]));
  for (const k of sets.flat()) first[k].p.forEach((p, a) => (regret[start[k] + a] = START * p));
  const plans = sets.map((_, i) => planOf(game, i, now, false)), self = { steps: 0, step, profile };
  return self;

  function step() {
    self.steps += 1;
    for (let i = 0; i < sets.length; i++) {
      const sums = leafSums(game, i, plans, payoffs.float[i], game.chance), own = plans[i].weight;
      for (let n = sets[i].length - 1; n >= 0; n--) {
        const k = sets[i][n], { p } = now[k];
        let value = 0;
        for (let a = 0; a < p.length; a++) {
          const action = start[k] + a;
          value += p[a] * sums[next[action]];
          total[action] += self.steps * own[before[k]] * p[a];
        }
        sums[before[k]] += value;
        for (let a = 0; a < p.length; a++) regret[start[k] + a] = Math.max(0, regret[start[k] + a] + sums[next[start[k] + a]] - value);
        normalize(regret, start[k], p);
      }
      plans[i] = planOf(game, i, now, false);
    }
  }

  function profile() {
    return now.map((row, k) => {
      if (!row || row.p.length < 2) return first[k];
      const mean = [...row.p];
      if (total.subarray(start[k], start[k + 1]).some((x) => x > 0)) normalize(total, start[k], mean);
      return rowOfFloats(mean);
    });
  }
}

function normalize(weights, from, p) {
  let sum = 0;
  for (let a = 0; a < p.length; a++) sum += weights[from + a];
  for (let a = 0; a < p.length; a++) p[a] = sum > 0 ? weights[from + a] / sum : 1 / p.length;
}

/** A float row in millionths, which sum to 1. */
export function exactRow({ p }) {
  const parts = p.map((x) => BigInt(Math.round(x * Number(GRID)))), largest = p.indexOf(Math.max(...p));
  parts[largest] += GRID - parts.reduce((a, b) => a + b);
  return rowOf(parts.map((part) => [part, GRID]));
}

/** The row of simple fractions next to a float row, or null if it has none. */
export function simpleRow({ p }, most = 24, near = 0.004) {
  for (let den = 1; den <= most; den++) {
    const parts = p.map((x) => Math.round(x * den));
    if (parts.every((part, a) => Math.abs(p[a] - part / den) < near) && parts.reduce((a, b) => a + b) === den) {
      return rowOf(parts.map((part) => [BigInt(part), BigInt(den)]));
    }
  }
  return null;
}
