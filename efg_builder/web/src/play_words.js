// A round in sentences, as efg_builder/playing/words.py tells it in the terminal.

import { decimal, percent } from "./numbers.js";
import { NOISE } from "./play_round.js";

const MOST = 8;

export function listed(words, last = "and") {
  if (words.length > MOST) words = [...words.slice(0, MOST - 3), "…", ...words.slice(-2)];
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words.join("");
}

/** "2x3" as "2×3": quantity and face. */
export function bidText(action) {
  return action.replace(/^(\d+)x(\d+)$/, "$1×$2");
}

/** What a move says, for who hears it. */
export function spoken(board, action) {
  const bid = board.bids?.get(action);
  return bid ? `${bid[0]} times ${bid[1]}` : action;
}

export function does(board, seat, event) {
  const you = event.player === seat, name = you ? "You" : board.players[event.player];
  if (board.bids && event.action === board.call) return `${name} ${you ? "call" : "calls"}`;
  if (board.bids?.has(event.action)) return `${name} ${you ? "bid" : "bids"} ${bidText(event.action)}`;
  return `${name}: ${event.action}`;
}

/** How the round ended, in sentences. */
export function ended(board, record) {
  const told = board.bids ? called(board, record) : record.ending ? [`${record.ending}.`] : [];
  return [...told, gets(record.result)];
}

export function gets(result) {
  return result ? `You ${result > 0 ? "win" : "lose"} ${decimal(Math.abs(result))}.` : "You get 0.";
}

/** Of a called bid the face and whether a die counts towards it; null where nothing was called. */
export function calledBid(board, record) {
  const made = record.events.filter((event) => event.player >= 0);
  const bid = board.bids?.get(made.at(-2)?.action);
  if (!bid || made.at(-1).action !== board.call) return null;
  const [quantity, face] = bid, counts = (die) => die === face || die === board.wild;
  const dice = record.uncovered.flatMap(([, hand]) => hand.split(",").map(Number));
  return { quantity, face, counts, there: dice.filter(counts).length, bidder: made.at(-2).player, caller: made.at(-1).player };
}

function called(board, record) {
  const bid = calledBid(board, record);
  if (!bid) return [];
  const wild = board.wild !== null && board.wild !== bid.face ? ` or the wild ${board.wild}` : "";
  const dice = bid.there === 1 ? "1 die shows" : `${bid.there || "no"} dice show`, holds = bid.there >= bid.quantity;
  const loser = holds ? bid.caller : bid.bidder;
  const verdict = `The bid ${bidText(`${bid.quantity}x${bid.face}`)} ${holds ? "holds" : "does not hold"}: ${dice} ${bid.face}${wild}.`;
  // Else what you get says it.
  return board.players.length > 2 && loser !== record.seat ? [verdict, `${board.players[loser]} loses.`] : [verdict];
}

/** One sentence for each move that cost something. */
export function mistakes(record) {
  return record.steps.filter((step) => step.price).map((step) => {
    const best = Math.max(...step.values), good = step.actions.filter((_, k) => best - step.values[k] < NOISE);
    const worth = decimal(round(step.values[step.actions.indexOf(step.action)]));
    const better = `${listed(good.map(bidText), "or")} would have been worth ${decimal(round(best))}`;
    return `Mistake: your ${bidText(step.action)} was worth ${worth} on average, ${better}. Price: ${decimal(step.price)}.`;
  });
}

/** The best moves, in a sentence. */
export function hint(actions, values) {
  const best = Math.max(...values), good = actions.filter((_, k) => best - values[k] < NOISE);
  return `Best against this opponent: ${listed(good.map(bidText), "or")}, worth ${decimal(round(best))} on average.`;
}

export function advice(actions, chances, astray) {
  const parts = actions.map((action, k) => [action, chances[k]]).filter(([, p]) => p > 0);
  const note = astray ? " It never gets here by its own moves, so this is no advice to rely on." : "";
  return `The equilibrium would play ${listed(parts.map(([action, p]) => `${bidText(action)} (${percent(p)})`))}.${note}`;
}

/** Without the dust of doubles. */
export function round(x) {
  return Math.round(x * 1e9) / 1e9 + 0;
}
