// Whole matches: rounds until one side has no dice left. efg_builder/playing/match.py does the same in fractions.
// A standing is {dice, first}: the dice of both players, and who bids first (from 0). Values are those of the match, 1
// for winning it and -1 for losing it; they are told as chances to win.

import { biddingBoard } from "./bidding.js";
import { lost } from "./bidding_calls.js";
import { score } from "./play_round.js";
import { roundTold, rounds, scoreRow, slips } from "./play_score.js";
import { make } from "./play_dom.js";
import { calledBid, shown } from "./play_words.js";

/** The scene (see play_rounds.js) of one match after the other. */
export function matchScene(data) {
  const { match, players } = data, opening = { dice: match.dice, first: 0 };
  const told = new Map(match.rounds.map((each) => [each.dice.join(), each.bidding])), boards = new Map();
  const now = (records) => (records.length && winner(records.at(-1).after) === null ? records.at(-1).after : opening);
  const left = (dice, loser, cost) => {
    const rest = dice.map((n, player) => (player === loser ? Math.max(0, n - cost) : n));
    const first = match.next === "loser" ? loser : 1 - loser;
    return { dice: rest, first: rest[first] ? first : 1 - first }; // who has no dice left gives way
  };

  /** What the match is worth to the human at a standing, by playing as well as can be. */
  function worth(standing, human) {
    const won = winner(standing);
    return won === null ? boardOf(standing, human).values(standing.first === human ? 0 : 1).start : won === human ? 1 : -1;
  }

  /** The board of a round: it pays what the match is worth to the human after it. */
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
      return { ...record, human, before, after: after(before, board, record), ...place };
    },
    unit: { worth: chance, cost: points, note },
    kind: ({ after: { loser }, human }) => (loser === human ? "lost" : "won"),
    ended(board, { before, after: then, human, ...record }) {
      const who = then.loser === human ? "You lose" : `${players[then.loser]} loses`, won = winner(then);
      const dice = `${who} ${diceText(before.dice[then.loser] - then.dice[then.loser])}.`;
      return [...shown(board, record), dice, ...(won === null ? [] : [won === human ? "You win the match." : `${players[won]} wins the match.`])];
    },
    luck: ({ start, result, luck }) => `Your chance to win the match went from ${chance(start)} to ${chance(result)}; luck in this round: ${signed(50 * luck)} points.`,
    again: (records) => (records.length && winner(records.at(-1).after) !== null ? "New match" : "Next round"),
    free: (records) => now(records) === opening,
    score(parts, records, human) {
      const current = records.filter((each) => each.match === records.at(-1).match), total = score(current);
      const start = worth(opening, current[0]?.human ?? human);
      showMatch(parts, total, start, current.at(-1)?.result ?? start);
      showMatches(parts, records, total.rounds ? start - total.price : null);
      parts.rounds.replaceChildren(...records.map((each) => make("li", {}, `Match ${each.match}, round ${each.round}. `,
        roundTold(boardOf(each.before, each.human), each, (value) => `${signed(50 * value)} points`,
          [make("strong", {}, `Chance to win ${chance(each.result)}`), `, luck ${signed(50 * each.luck)} points.`]))));
    },
  };

  function showMatch(parts, total, start, result) {
    const shares = [start, result].map((value) => cents(50 * (1 + value)));
    const wrong = -cents(50 * total.price);
    parts.score.replaceChildren(
      scoreRow("At the start", `${plain(shares[0])}%`, "chance to win by best play"),
      scoreRow("Mistakes", signed(wrong), slips(total)),
      // What is left of the others, rounded, so that what is shown adds up.
      scoreRow("Luck", signed(cents(shares[1] - shares[0] - wrong)), "dice and the other's choices"),
      scoreRow(`After ${rounds(total.rounds)}`, `${plain(shares[1])}%`, "the three add up to it", true),
    );
  }

  function showMatches(parts, records, skill) {
    const over = records.filter((each) => winner(each.after) !== null), won = over.filter((each) => winner(each.after) === each.human);
    parts.verdict.replaceChildren(
      ...(skill === null ? ["The match goes on until one of you has no dice left. "] : ["Without luck, your play was worth ", make("strong", {}, `${plain(50 * (1 + skill))}%`), ". "]),
      over.length ? `You have won ${won.length} of ${over.length} match${over.length === 1 ? "" : "es"}.` : "",
    );
  }
}

/** Who has all the dice that are left, from 0; null while the match goes on. */
function winner({ dice }) {
  return dice[0] && dice[1] ? null : dice[0] ? 0 : 1;
}

function diceText(count) {
  return count === 1 ? "1 die" : `${count} dice`;
}

function cents(share) {
  return Math.round(share * 100) / 100;
}

function plain(share) {
  return share.toFixed(2).replace("-", "−");
}

function signed(share) {
  const text = plain(cents(share));
  return cents(share) > 0 ? `+${text}` : cents(share) ? text : "0.00";
}

/** The chance to win that a value is; 0% and 100% only where it is just that. */
function chance(value) {
  const share = 50 * (1 + value), dust = 1e-9;
  if (share < dust || share > 100 - dust) return share < 50 ? "0%" : "100%";
  return `${plain(Math.min(Math.max(share, 0.01), 99.99))}%`;
}

function points(value) {
  return value && Math.abs(value) * 50 < 0.01 ? "less than 0.01 points" : `${plain(50 * value)} points`;
}

/** What a move costs, under its button. */
function note(cost) {
  return cost * 50 > -0.1 ? "<0.1" : (50 * cost).toFixed(1).replace("-", "−");
}
