// The values of one player's moves against the other players' sparse strategies.
// efg_builder/players/rounds/boards.py defines the numbers and computes them in fractions.

import { paid } from "./bidding_calls.js";

/**
 * The values of `seat`'s moves: `start`, the payoff of best play, and `at(state)`, one number for each action.
 *
 * The recursion passes down the probability that each hand of the other players leads here, and returns the best payoff
 * of each hand of `seat`, weighted by it. A hand without an entry calls, so few histories are visited. If the others
 * answer a first bid like a lower bid, and do not call it, both bids have the same value.
 */
export function valuesFor(rules, strategy, seat) {
  const found = new Map(), bids = rules.names.length, players = rules.hands.length;
  const start = weighted(rules.chances[seat], most([], rules.chances.map((cup) => Float64Array.from(cup))));
  return { start, at };

  function at(state) {
    const { total, worths } = found.get((seat === 0 ? answeredAs(strategy, state.bids) : state.bids).join(" "));
    return worths.map((row) => row[state.hands[seat]] / total);
  }

  /** By hand of `seat`: the best payoff from the history on, times the others' reach probability (`reaches`, by player and hand). */
  function most(history, reaches) {
    return history.length % players === seat ? own(history, reaches) : other(history, reaches);
  }

  function own(history, reaches) {
    const last = history.at(-1) ?? -1, worths = [];
    for (let bid = last + 1; bid < bids; bid++) {
      const lower = last < 0 ? strategy.alike.get(bid) : undefined; // only the first player makes a first bid
      worths.push(lower === undefined ? most([...history, bid], reaches) : worths[lower]);
    }
    if (last >= 0) worths.push(called(rules, last, seat, seat, reaches));
    const total = reaches.reduce((all, reach, player) => (player === seat ? all : all * reach.reduce((sum, p) => sum + p, 0)), 1);
    found.set(history.join(" "), { total, worths });
    return worths.reduce((best, row) => best.map((value, hand) => Math.max(value, row[hand])));
  }

  function other(history, reaches) {
    const mover = history.length % players, reach = reaches[mover];
    const last = history.at(-1) ?? -1, rows = rowsAt(strategy, mover, history), ways = new Map();
    for (let hand = 0; hand < reach.length; hand++) {
      if (!reach[hand]) continue;
      for (const [move, p] of rows?.get(hand) ?? [[last >= 0 ? bids : 0, 1]]) {
        if (!ways.has(move)) ways.set(move, new Float64Array(reach.length));
        ways.get(move)[hand] = reach[hand] * p;
      }
    }
    const sum = new Float64Array(rules.hands[seat].length);
    for (const [move, way] of ways) {
      const after = reaches.map((each, player) => (player === mover ? way : each));
      const worth = move === bids ? called(rules, last, mover, seat, after) : most([...history, move], after);
      worth.forEach((value, hand) => (sum[hand] += value));
    }
    return sum;
  }
}

/** The stored moves of `player` after these bids, by hand. */
export function rowsAt(strategy, player, history) {
  return strategy.written[player].get((player === 0 ? history : answeredAs(strategy, history)).join(" "));
}

/** The history, with the first bid replaced by its equivalent for the others. */
function answeredAs(strategy, history) {
  const lower = strategy.alike.get(history[0]);
  return lower === undefined ? history : [lower, ...history.slice(1)];
}

/** The payoff of each hand of `seat` if `caller` calls the bid, weighted by the others' hands. */
function called(rules, bid, caller, seat, reaches) {
  const [quantity, face] = rules.bids[bid];
  const mine = rules.counts[seat][face];
  let byCount = Float64Array.of(1); // the probability of each number of matching dice of the others
  reaches.forEach((reach, player) => {
    if (player !== seat) byCount = convolved(byCount, rules.counts[player][face], reach);
  });
  const byOwn = Array.from({ length: Math.max(...mine) + 1 }, (_, own) =>
    byCount.reduce((sum, p, count) => sum + p * paid(rules, caller, quantity, own + count)[seat], 0));
  const worth = mine.map((own) => byOwn[own]);
  return Float64Array.from(worth);
}

/** `byCount` with the hands of one more player: the number of matching dice, and the probability, of each hand. */
function convolved(byCount, counts, reach) {
  const found = new Float64Array(byCount.length + Math.max(...counts));
  counts.forEach((count, hand) => {
    if (reach[hand]) byCount.forEach((p, there) => (found[there + count] += p * reach[hand]));
  });
  return found;
}

function weighted(chances, worths) {
  return chances.reduce((sum, p, hand) => sum + p * worths[hand], 0);
}
