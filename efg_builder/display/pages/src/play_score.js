// The score over all rounds.

import { el } from "./dom.js";
import { inFull, number, numbers } from "./play_words.js";

/** The score over equal rounds: three parts whose sum is the result. */
export function showScore(parts, score) {
  const values = [score.start, -score.price, score.luck, score.result], texts = numbers([...values, ...score.starts.map(([start]) => start)]);
  const rows = [
    ["Best play", starts(score, texts.slice(values.length))],
    ["Mistakes", slips(score)],
    ["Luck", "dice and the others' choices"],
    [`Result of ${rounds(score.rounds)}`, "your total payoff: the sum of the three"],
  ];
  parts.score.replaceChildren(...rows.map(([name, note], k) => scoreRow(name, texts[k], note, k === 3, inFull(values[k]))));
  const verdict = ["Without luck, your average payoff was ", el("strong", {}, number(score.skill / score.rounds)), " per round (an estimate, rough after few rounds)."];
  parts.verdict.replaceChildren(...(score.rounds ? verdict : ["Play a round to see the values of your moves."]));
}

/** A line of the score; the `total` closes it. */
export function scoreRow(name, value, note, total, title = null) {
  return el("tr", { class: total ? "total" : null }, el("th", { scope: "row" }, name, note ? el("small", {}, note) : null), el("td", { title }, value));
}

export function rounds(count) {
  return `${count} round${count === 1 ? "" : "s"}`;
}

/** The value of best play with its number of rounds: "6 rounds × −1/9". */
function starts(score, texts) {
  return score.starts.map(([, times], k) => `${rounds(times)} × ${texts[k]}`).join(" + ");
}

export function slips({ moves, mistakes }) {
  if (!moves) return "";
  return mistakes ? `${mistakes} of ${moves} move${moves === 1 ? "" : "s"}` : "none";
}
