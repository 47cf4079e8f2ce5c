// Whole matches: rounds until one player has no dice left. efg_builder/experiments/matches/playing.py does the same in fractions.
// A standing is {dice, first}: the dice of both players, and the first bidder (from 0). Values are values of the match,
// 1 for a win and -1 for a loss; they are shown as chances to win.

import { biddingBoard } from "./bidding.js";
import { lost } from "./bidding_calls.js";
import { score } from "./play_round.js";
import { rounds, scoreRow, slips } from "./play_score.js";
import { el } from "./dom.js";
import { calledBid, shown } from "./play_words.js";

const DUST = 1e-9;

/** The scene (see play_rounds.js) of consecutive matches. */
export function matchScene(data) {
  const { match, players } = data, opening = { dice: match.dice, first: 0 };
  const told = new Map(match.rounds.map((each) => [each.dice.join(), each.bidding])), boards = new Map();
  const now = (records) => (records.length && winner(records.at(-1).after) === null ? records.at(-1).after : opening);
  const left = (dice, loser, cost) => {
    const rest = dice.map((n, player) => (player === loser ? Math.max(0, n - cost) : n));
    const first = match.next === "loser" ? loser : 1 - loser;
    return { dice: rest, first: rest[first] ? first : 1 - first }; // a player without dice does not start
  };

  /** The value of the match to the human at a standing, with best play. */
  function worth(standing, human) {
    const won = winner(standing);
    return won === null ? boardOf(standing, human).values(standing.first === human ? 0 : 1).start : won === human ? 1 : -1;
  }

  /** The board of a round, whose payoffs are the values of the match to the human after it. */
  function boardOf(standing, human) {
    const { dice, first } = standing, key = `${dice} ${first} ${human}`;
    if (!boards.has(key)) {
      const order = [first, 1 - first];
      const pays = order.map((loser) => Array.from({ length: match.loss === "one" ? 1 : dice[loser] }, (_, k) => {
        const value = worth(left(dice, loser, k + 1), human);
        return order.map((player) => (player === human ? value : -value));
      }));
      boards.set(key, biddingBoard(told.get(order.map((player) => dice[player]).join()), order.map((player) => players[player]), pays));
    }
    return boards.get(key);
  }

  function after(standing, board, record) {
    const bid = calledBid(board, record), [calls, cost] = lost(match, bid.quantity, bid.there);
    const loser = (calls ? bid.caller : bid.bidder) === 0 ? standing.first : 1 - standing.first;
    return { ...left(standing.dice, loser, cost), loser };
  }

  return {
    round(records, human) {
      const standing = now(records);
      return { board: boardOf(standing, human), seat: standing.first === human ? 0 : 1 };
    },
    standing(records, human) {
      const standing = now(records), fresh = standing === opening, last = records.at(-1);
      const [number, round] = [(last?.match ?? 0) + (fresh ? 1 : 0), fresh ? 1 : last.round + 1];
      const first = standing.first === human ? "You bid first" : `${players[standing.first]} bids first`;
      return `Match ${number}, round ${round}. You have ${diceText(standing.dice[human])}, ${players[1 - human]} has ${diceText(standing.dice[1 - human])}. ${first}.`;
    },
    opening: () => "",
    over(record, board, records, human) {
      const before = now(records), last = records.at(-1), fresh = before === opening;
      const place = { match: (last?.match ?? 0) + (fresh ? 1 : 0), round: fresh ? 1 : last.round + 1 };
      const whole = { ...record, human, before, after: after(before, board, record), ...place };
      const earlier = records.filter((each) => each.match === place.match);
      return { ...whole, luckShown: cents(luckOf([...earlier, whole]) - luckOf(earlier)) };
    },
    boardAt: ({ before, human }) => boardOf(before, human),
    unit: { written: (values, losses = []) => [...values.map(chance), ...losses.map(points)], notes: (losses) => losses.map(note), what: "", name: "chance to win" },
    place: (record) => `${record.match}.${record.round}`,
    kind: ({ after: { loser }, human }) => (loser === human ? "lost" : "won"),
    ended(board, { before, after: then, human, ...record }) {
      const who = then.loser === human ? "You lose" : `${players[then.loser]} loses`, won = winner(then);
      const dice = `${who} ${diceText(before.dice[then.loser] - then.dice[then.loser])}.`;
      return [...shown(board, record), dice, ...(won === null ? [] : [won === human ? "You win the match." : `${players[won]} wins the match.`])];
    },
    luck: ({ start, result, luckShown }) => `Your chance to win the match went from ${chance(start)} to ${chance(result)}; luck in this round: ${signed(luckShown)} points.`,
    again: (records) => (records.length && winner(records.at(-1).after) !== null ? "New match" : "Next round"),
    free: (records) => now(records) === opening,
    score(parts, records, human) {
      const current = records.filter((each) => each.match === records.at(-1).match);
      showMatch(parts, current, worth(opening, current[0]?.human ?? human));
      showMatches(parts, records, current);
    },
  };

  function showMatch(parts, current, start) {
    const total = score(current), result = current.at(-1)?.result ?? start;
    parts.score.replaceChildren(
      scoreRow("At the start", `${plain(shareOf(start))}%`, "chance to win by best play"),
      scoreRow("Mistakes", signed(-costOf(current)), slips(total)),
      scoreRow("Luck", signed(luckOf(current)), "dice and the other's choices"),
      scoreRow(`After ${rounds(total.rounds)}`, `${plain(shareOf(result))}%`, "the sum of the three", true),
    );
  }

  function showMatches(parts, records, current) {
    const over = records.filter((each) => winner(each.after) !== null), won = over.filter((each) => winner(each.after) === each.human);
    parts.verdict.replaceChildren(
      ...(current.length ? estimate(cents(shareOf(current[0].start) - costOf(current))) : ["The match ends when one of you has no dice left. "]),
      over.length ? `You have won ${won.length} of ${over.length} match${over.length === 1 ? "" : "es"}.` : "",
    );
  }
}

/** The estimated result of such play in percent; it can be negative, as mistakes may cost more than the chance at the start. */
function estimate(worth) {
  if (worth >= 0) return ["Without luck, such play wins about ", el("strong", {}, `${plain(worth)}%`), " (an estimate, rough after few rounds). "];
  return ["Without luck, nothing is left: mistakes cost more than the chance at the start (an estimate, which over few rounds can be outside 0% to 100%). "];
}

/** A chance to win in percent, as shown; all other numbers are computed from these and rounded prices. */
function shareOf(value) {
  const share = 50 * (1 + value);
  return whole(share) ? Math.round(share) : Math.min(Math.max(cents(share), 0.01), 99.99);
}

/** The loss from mistakes in a match's first rounds, in points as shown. */
function costOf(records) {
  return cents(50 * score(records).price);
}

/** Luck in a match's first rounds, as shown: the result without mistakes, so that rounds sum to it. */
function luckOf(records) {
  return records.length ? cents(shareOf(records.at(-1).result) - shareOf(records[0].start) + costOf(records)) : 0;
}

/** The player with all remaining dice, from 0; null during the match. */
function winner({ dice }) {
  return dice[0] && dice[1] ? null : dice[0] ? 0 : 1;
}

function diceText(count) {
  return count === 1 ? "1 die" : `${count} dice`;
}

/** Rounds to hundredths, half to even up to rounding errors of doubles, as in the terminal. */
function cents(share) {
  const times = Math.round(share * 1e8) / 1e6, below = Math.floor(times);
  return (times - below === 0.5 ? below + (below % 2 ? 1 : 0) : Math.round(times)) / 100 + 0;
}

function plain(share) {
  return share.toFixed(2).replace("-", "−");
}

function signed(share) {
  const text = plain(cents(share));
  return cents(share) > 0 ? `+${text}` : cents(share) ? text : "0.00";
}

/** A value as a chance to win; 0% and 100% only if exact. */
function chance(value) {
  return whole(50 * (1 + value)) ? `${shareOf(value)}%` : `${plain(shareOf(value))}%`;
}

function whole(share) {
  return share < DUST || share > 100 - DUST;
}

function points(value) {
  return value && Math.abs(value) * 50 < 0.01 ? "less than 0.01 points" : `${plain(cents(50 * value))} points`;
}

/** The loss of a move, under its button. */
function note(cost) {
  return cost * 50 > -0.1 ? "<0.1" : (50 * cost).toFixed(1).replace("-", "−");
}
