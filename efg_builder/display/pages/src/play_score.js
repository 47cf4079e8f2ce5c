// The score over all rounds, and the rounds so far.

import { el } from "./dom.js";
import { does, number } from "./play_words.js";

/** The score over equal rounds: three parts whose sum is the result. */
export function showScore(parts, score, board, records) {
  const rows = [
    ["Best play", score.start, starts(score)],
    ["Mistakes", -score.price, slips(score)],
    ["Luck", score.luck, "dice and the others' choices"],
    [`Result of ${rounds(score.rounds)}`, score.result, "your total payoff: the sum of the three"],
  ];
  parts.score.replaceChildren(...rows.map(([name, value, note], k) => scoreRow(name, number(value), note, k === 3)));
  const verdict = ["Without luck, your average payoff was ", el("strong", {}, number(score.skill / score.rounds)), " per round (an estimate, rough after few rounds)."];
  parts.verdict.replaceChildren(...(score.rounds ? verdict : ["Play a round to see the values of your moves."]));
  parts.rounds.replaceChildren(...records.map((each) => 
    el("li", {}, roundTold(board, each, number, [el("strong", {}, `Result ${number(each.result)}`), `, luck ${number(each.luck)}.`]))));
}

/** A line of the score; the `total` closes it. */
export function scoreRow(name, value, note, total) {
  return el("tr", { class: total ? "total" : null }, el("th", { scope: "row" }, name, note ? el("small", {}, note) : null), el("td", {}, value));
}

export function rounds(count) {
  return `${count} round${count === 1 ? "" : "s"}`;
}

/** The value of best play with its number of rounds: "6 rounds × −1/9". */
function starts(score) {
  return score.starts.map(([start, times]) => `${rounds(times)} × ${number(start)}`).join(" + ");
}

export function slips({ moves, mistakes }) {
  if (!moves) return "";
  return mistakes ? `${mistakes} of ${moves} move${moves === 1 ? "" : "s"}` : "none";
}

/** A finished round: hands, moves (a mistake with its loss), and result. */
export function roundTold(board, record, cost, outcome) {
  let own = 0;
  const moves = record.events.filter((event) => event.player >= 0).map((event) => {
    const price = event.player === record.seat ? record.steps[own++].price : 0, text = does(board, record.seat, event);
    return price ? el("span", { class: "play-mistake" }, `${text} (mistake, ${cost(-price)})`) : text;
  });
  const hands = record.uncovered.map(([name, what]) => `${board.dealt && name === board.players[record.seat] ? "You" : name}: ${board.pictures ? what.replaceAll(",", ", ") : what}`);
  return [
    el("span", { class: "play-shown" }, hands.join("; ")), ". ",
    ...moves.flatMap((move, k) => [k ? ", " : "", move]), moves.length ? ". " : "", ...outcome,
  ];
}
