// A round in sentences, like those of efg_builder/players/rounds/words.py in the terminal.

import { capital, listed } from "./dom.js";
import { amountInFull, amountText, inText, isSimple, notationOf } from "./numbers.js";
import { NOISE } from "./play_round.js";

/** The adviser, at the start of a sentence. */
export const EQUILIBRIUM = "The equilibrium";

const LETTERS = 9, LARGEST = 999, DUST = 1e-11;
const DIGITS = 1e15; // from here on, doubles have no decimals

/** A bid as "2×3", quantity and face; any other move as it is. */
export function bidText(board, action) {
  return board.bids?.get(action)?.join("×") ?? action;
}

/** A move as spoken text, for screen readers. */
export function spoken(board, action) {
  const bid = board.bids?.get(action);
  return bid ? `${bid[0]} times ${bid[1]}` : action;
}

export function does(board, seat, event) {
  const you = event.player === seat, name = you ? "You" : board.players[event.player];
  if (board.bids && event.action === board.call) return `${name} ${you ? "call" : "calls"}`;
  if (board.bids?.has(event.action)) return `${name} ${you ? "bid" : "bids"} ${bidText(board, event.action)}`;
  return `${name}: ${event.action}`;
}

/** The observations so far in a game without hands: "So far: chance: Red; you: Raise." */
export function soFar(board, seat, seen) {
  const told = seen.map(({ player, event, action }) => `${player < 0 ? event || "chance" : player === seat ? "you" : board.players[player]}: ${action}`);
  return told.length ? `So far: ${told.join("; ")}.` : "You have seen nothing so far.";
}

/** The end of the round in sentences, without its payoffs. */
export function shown(board, record) {
  return board.bids ? called(board, record) : record.ending ? [`${capital(record.ending)}.`] : [];
}

export function gets(result) {
  return result ? `You ${result > 0 ? "win" : "lose"} ${number(Math.abs(result))}.` : "You get 0.";
}

/** The face of a called bid and the dice that match it; null without a call. */
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
  const exactly = bid.there === bid.quantity && board.exact === "bidder-loses-one";
  const loser = holds ? bid.caller : bid.bidder;
  const verdict = `The bid ${bid.quantity}×${bid.face} ${exactly ? "is met exactly" : holds ? "holds" : "does not hold"}: ${dice} ${bid.face}${wild}.`;
  // Otherwise, the sentence on the payoff says it.
  return board.players.length > 2 && loser !== record.seat ? [verdict, `${board.players[loser]} loses.`] : [verdict];
}

/** A sentence for each move with a positive loss. */
export function mistakes(board, record, unit) {
  return record.steps.map((step, k) => step.price && `Mistake: ${mistake(board, record, step, k, unit)}`).filter(Boolean);
}

function mistake(board, record, step, k, unit) {
  const [worth, best, loss] = unit.written([step.values[step.actions.indexOf(step.action)], Math.max(...step.values)], [step.price]);
  const better = `${bestOf(board, step.actions, step.values)} would have been ${best}`;
  return `${occasion(board, record, step, k)}, your ${bidText(board, step.action)} was worth ${unit.what}${worth}; ${better}: loss ${loss}.`;
}

/** A finished round's event at which the board is shown; `step`: your move, null for another player's move. */
export function reviewed({ board, seat, steps, turn }, event, step, record, unit) {
  if (!step) return `${does(board, seat, event)}. Under each move: how often ${board.players[turn.player]} makes it ${board.dealt ? "with this hand" : "here"}.`;
  if (step.price) return capital(mistake(board, record, step, steps.length, unit));
  return `${does(board, seat, event)}: a best move, worth ${unit.written([Math.max(...step.values)])[0]}.`;
}

function bestOf(board, actions, values) {
  const best = Math.max(...values);
  return listed(actions.filter((_, k) => best - values[k] < NOISE).map((action) => bidText(board, action)), "or");
}

/** The situation of the human's move k: "with a 1 after a raise", or the observation in a game without hands. */
function occasion(board, record, step, k) {
  if (!step.hand) return `${board.pictures === "rolls" ? "knowing" : "at"} ${step.infoset}`;
  const made = record.events.filter((event) => event.player >= 0);
  const own = made.flatMap((event, at) => (event.player === record.seat ? [at] : []));
  const before = made.slice(0, own[k]).map(({ action }) => (/^\d/.test(action) ? bidText(board, action) : article(action)));
  const hand = /^(\d+|[TJQKA])$/.test(step.hand) ? article(step.hand) : step.hand;
  return `with ${hand} ${before.length ? `after ${before.join(", ")}` : "at the start"}`;
}

function article(word) {
  return `${/^([aeiou8]|11$|18$|A$)/.test(word) ? "an" : "a"} ${word}`;
}

/** The best moves and their value; the losses of other moves are under their buttons. */
export function hint(board, actions, values, unit) {
  const who = `Against ${board.players.length > 2 ? "these opponents" : "this opponent"}`, [worth] = unit.written([Math.max(...values)]);
  const alike = Math.max(...values) - Math.min(...values) < NOISE;
  if (alike) return `${who}, ${actions.length > 1 ? "each move" : "your only move"} is worth ${worth} on average.`;
  return `${who}, ${bestOf(board, actions, values)} is worth ${worth} on average; under each other move is its loss.`;
}

export function advice(board, actions, chances, astray, who = EQUILIBRIUM) {
  const texts = shares(chances), parts = actions.map((action, k) => [action, texts[k]]).filter((_, k) => chances[k] > 0);
  const gets = who === EQUILIBRIUM ? "It never gets here by its" : "They never get here by their";
  const note = astray ? ` ${gets} own moves, so do not rely on this advice.` : "";
  return `${who} would play ${listed(parts.map(([action, p]) => (p === "1" ? bidText(board, action) : `${bidText(board, action)} (${p})`)))}.${note}`;
}

/** Payoffs in one notation: fractions (recovered from doubles) if no denominator is above 24, otherwise decimals. */
export function numbers(values) {
  const pairs = values.map((x) => [round(x), Math.abs(x) < DIGITS ? recovered(x) : null]), simple = pairs.every(isSimple);
  return pairs.map(([x, exact]) => {
    if (Math.abs(x) < DIGITS) return amountText(x, simple ? exact : null, LETTERS);
    const text = x.toExponential(5);
    return `${Number(text) === x ? "" : "≈"}${text.replace(/\.?0*e/, "e").replace("-", "−")}`;
  });
}

/** "5/54 ≈ 0.093". */
export function inFull(x) {
  return amountInFull(round(x), Math.abs(x) < DIGITS ? recovered(x) : null);
}

/** "−1/3", or "≈−0.037". */
export function number(x) {
  return numbers([x])[0];
}

/** Probabilities as text, in one notation. */
export function shares(chances) {
  return inText(chances.map((p) => [p, recovered(p)]));
}

/** The same in a table, without ≈. */
export function sharesInTable(chances) {
  const pairs = chances.map((p) => [p, recovered(p)]), write = notationOf(pairs);
  return pairs.map(([p, exact]) => write(p, exact, chances));
}

/** The fraction with a denominator of at most three digits that equals `x` up to rounding; null if there is none. */
function recovered(x) {
  let [a, b, c, d] = [1, 0, Math.floor(x), 1], rest = x - c; // the last two convergents of x
  while (Math.abs(x - c / d) > DUST * Math.max(1, Math.abs(x))) {
    const part = Math.floor(1 / rest);
    [a, b, c, d] = [c, d, part * c + a, part * d + b];
    if (d > LARGEST) return null;
    rest = 1 / rest - part;
  }
  return [BigInt(c), BigInt(d)];
}

/** Removes rounding errors of doubles. */
export function round(x) {
  return Math.round(x * 1e9) / 1e9 + 0;
}
