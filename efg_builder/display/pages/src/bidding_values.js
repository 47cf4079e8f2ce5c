// What moves of one player are worth against a strategy of the other's that is written down sparsely.
// efg_builder/players/rounds/on_table.py does the same in fractions, and says what the numbers mean.

import { paid } from "./bidding_calls.js";

/**
 * The values of `seat`'s moves: `start`, what playing as well as can be gets, and `at(state)`, one number an action.
 *
 * Down goes, for each hand of the other, the probability that it plays here; up comes, for each own hand, the most
 * there is to be had, weighted by it. Where nothing is written the other calls, so that few histories are visited.
 */
export function valuesFor(rules, strategy, seat) {
  const found = new Map(), written = strategy[1 - seat], bids = rules.names.length;
  const start = weighted(rules.chances[seat], most([], Float64Array.from(rules.chances[1 - seat])));
  return { start, at, visited: found.size };

  function at(state) {
    const { total, worths } = found.get(state.bids.join(" "));
    return worths.map((row) => row[state.hands[seat]] / total);
  }

  /** By own hand, the most from the history on, times the chance that the other plays here. */
  function most(history, reach) {
    return history.length % 2 === seat ? own(history, reach) : other(history, reach);
  }

  function own(history, reach) {
    const last = history.at(-1) ?? -1, worths = [];
    for (let bid = last + 1; bid < bids; bid++) worths.push(most([...history, bid], reach));
    if (last >= 0) worths.push(called(rules, last, seat, seat, reach));
    found.set(history.join(" "), { total: reach.reduce((sum, p) => sum + p, 0), worths });
    return worths.reduce((best, row) => best.map((value, hand) => Math.max(value, row[hand])));
  }

  function other(history, reach) {
    const last = history.at(-1) ?? -1, rows = written.get(history.join(" ")), ways = new Map();
    for (let hand = 0; hand < reach.length; hand++) {
      if (!reach[hand]) continue;
      for (const [move, p] of rows?.get(hand) ?? [[last >= 0 ? bids : 0, 1]]) {
        if (!ways.has(move)) ways.set(move, new Float64Array(reach.length));
        ways.get(move)[hand] = reach[hand] * p;
      }
    }
    const sum = new Float64Array(rules.hands[seat].length);
    for (const [move, way] of ways) {
      const worth = move === bids ? called(rules, last, 1 - seat, seat, way) : most([...history, move], way);
      worth.forEach((value, hand) => (sum[hand] += value));
    }
    return sum;
  }
}

/** What each hand of `seat` gets where `caller` calls the bid, weighted by the other's hands. */
function called(rules, bid, caller, seat, reach) {
  const [quantity, face] = rules.bids[bid];
  const mine = rules.counts[seat][face], theirs = rules.counts[1 - seat][face];
  const byCount = new Float64Array(Math.max(...theirs) + 1);
  theirs.forEach((count, hand) => (byCount[count] += reach[hand]));
  const byOwn = Array.from({ length: Math.max(...mine) + 1 }, (_, own) =>
    byCount.reduce((sum, p, count) => sum + p * paid(rules, caller, quantity, own + count)[seat], 0));
  const worth = mine.map((own) => byOwn[own]);
  return Float64Array.from(worth);
}

function weighted(chances, worths) {
  return chances.reduce((sum, p, hand) => sum + p * worths[hand], 0);
}
