// The effects of one bar as it moves from end to end: the payoffs of the others' best responses, and the points at which these responses change.

import { allowedBy, backUp, leafSums, planOf, rowOfFloats } from "./explore_game.js";
import { choiceAt, heirsOf } from "./explore_model.js";

const FINE = 120, COARSE = 48, MOST_FINE = 10_000; // points of a curve, and the nodes of a tree with many points
const MOST_TRIED = 16; // the number of bars among which the first is chosen
export const TIE = -1;
const NEVER = -2;

/**
 * As the chosen move's probability goes from 0 to 1: {curves: [{player, points}], bands: [{k, best, reach}]}, where a point is
 * a probability with the payoff of the player's best response, and best[n] the best move at an information set k where it
 * changes: TIE if several are best, NEVER if k is not reached. The bar's and the solution's probability are among the points.
 */
export function courseOf(self, { k, a }) {
  const { game, profile, payoffs } = self, { mover, sets, start, recall } = game, row = profile[k].p, others = 1 - row[a], heirs = heirsOf(self, k, a);
  const rest = row.map((p, n) => (n === a ? 0 : others > 1e-12 ? p / others : heirs.includes(n) / heirs.length));
  const ends = [rest, row.map((_, n) => +(n === a))].map((p) => profile.with(k, rowOfFloats(p)));
  const plans = ends.map((end) => sets.map((_, i) => planOf(game, i, end, false))), allowed = plans.map((each) => allowedBy(game, each, game.chance));
  const marked = [...new Set([row[a], self.base[k].p[a]])], curves = [], bands = [], steps = game.tree.count > MOST_FINE ? COARSE : FINE;
  sets.forEach((own, i) => {
    if (i === mover[k] || !recall[i]) return;
    const [from, to] = plans.map((each) => leafSums(game, i, each, payoffs.float[i], game.chance)), best = own.map(() => []);
    const sumsAt = (t) => from.map((x, s) => x + t * (to[s] - x)), points = marked.map((t) => [t, backUp(game, i, sumsAt(t))]);
    for (let n = 0; n <= steps; n++) {
      const t = n / steps, sums = sumsAt(t), y = backUp(game, i, sums);
      if (!marked.includes(t)) points.push([t, y]);
      own.forEach((set, m) => best[m].push(allowed[0][set] + t * (allowed[1][set] - allowed[0][set]) < 1e-12 ? NEVER : bestAt(game, set, sums)));
    }
    curves.push({ player: i, points: points.sort(([x], [y]) => x - y) });
    own.forEach((set, m) => new Set(best[m].filter((move) => move >= 0)).size > 1 && bands.push({ k: set, best: best[m], reach: allowed[0][set] + allowed[1][set] }));
  });
  return { curves, bands: bands.sort((x, y) => y.reach - x.reach) };
}

/** The move at an information set whose sequence brings the most, or TIE. */
function bestAt({ start, next }, k, sums) {
  let most = start[k], ties = false;
  for (let action = most + 1; action < start[k + 1]; action++) {
    const more = sums[next[action]] - sums[next[most]];
    if (Math.abs(more) < 1e-10) ties = true;
    else if (more > 0) [most, ties] = [action, false];
  }
  return ties ? TIE : most - start[k];
}

/** The changes of best responses: {k, low, high: the best moves below and above, between: fractions, isSharp: whether they tie at one point at most, at: the probability, width: its precision}. */
export function switchesOf(bands) {
  return bands.flatMap(({ k, best }) => {
    const steps = best.length - 1, sure = [...best.keys()].filter((n) => best[n] >= 0);
    const fraction = (n) => [BigInt(n), BigInt(steps)];
    const changes = sure.slice(1).map((n, m) => ({ k, low: best[sure[m]], high: best[n], between: [fraction(sure[m]), fraction(n)], isSharp: n - sure[m] <= 2, at: (sure[m] + n) / 2 / steps, width: 1 / steps }));
    return changes.filter(({ low, high }) => low !== high);
  });
}

/** The bar to explain first: among often reached bars that mix, a bar at whose probability a best response changes; otherwise a threat that is never carried out. */
export function firstBar(self) {
  const score = (k) => (self.base[k].p.some((p) => p > 0 && p < 1) ? 1 : 0) + self.result.reach(k)[0];
  const sets = self.game.sets.flat().map((k) => [score(k), k]).sort(([x], [y]) => (Math.abs(x - y) < 1e-9 ? 0 : y - x));
  const bars = sets.slice(0, MOST_TRIED).map(([, k]) => choiceAt(self, k));
  const switches = (bar) => switchesOf(courseOf(self, bar).bands), isFixed = ({ k, a }) => switches({ k, a }).some(({ at, width }) => Math.abs(at - self.base[k].p[a]) < width);
  const turns = bars.filter((bar) => switches(bar).length);
  return bars.find(isFixed) ?? turns.find(({ k }) => !self.result.isReached(k)) ?? turns[0] ?? bars[0] ?? null;
}
