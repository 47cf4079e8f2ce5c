// Dice as pictures, with names for screen readers.

import { el } from "./dom.js";

const SPOTS = {
  1: [[12, 12]],
  2: [[7, 7], [17, 17]],
  3: [[6.5, 6.5], [12, 12], [17.5, 17.5]],
  4: [[7, 7], [7, 17], [17, 7], [17, 17]],
  5: [[6.5, 6.5], [6.5, 17.5], [12, 12], [17.5, 6.5], [17.5, 17.5]],
  6: [[7, 6], [7, 12], [7, 18], [17, 6], [17, 12], [17, 18]],
};

/** The dice of a hand such as "2,5"; null if hands are not dice on this board. */
export function diceOf(board, text) {
  return board.pictures === "dice" && text ? text.split(",").map(Number) : null;
}

/** The player's last roll in an observation of Mia: "3,2" in "(21) 31 (32)"; null if there is none. */
export function lastRoll(text) {
  return [...text.matchAll(/\((\d)(\d)\)/g)].at(-1)?.slice(1).join() ?? null;
}

/** One die; `face` null hides it, and a face that matches the call is highlighted. */
export function die(face, size = 44, counts = false) {
  const inside = face === null
    ? [el("svg:text", { x: 12, y: 16.5, class: "die-mark" }, "?")]
    : SPOTS[face]?.map(([x, y]) => el("svg:circle", { cx: x, cy: y, r: 2.3, class: "die-spot" }))
      ?? [el("svg:text", { x: 12, y: 16.5, class: "die-mark" }, `${face}`)];
  const name = face === null ? "a hidden die" : `a die showing ${face}${counts ? ", which counts" : ""}`;
  const shape = el("svg:rect", { x: 1.2, y: 1.2, width: 21.6, height: 21.6, rx: 4.5 });
  const kind = `die${face === null ? " die-hidden" : ""}${counts ? " die-counts" : ""}`;
  return el("svg:svg", { viewBox: "0 0 24 24", width: size, height: size, class: kind, role: "img", "aria-label": name }, shape, inside);
}

/** A hand as dice or text; `counts(face)` selects highlighted dice. */
export function handPicture(board, text, counts = () => false) {
  const dice = diceOf(board, text);
  return dice ? row(dice.map((face) => die(face, 44, counts(face)))) : el("span", { class: "hand-text" }, text);
}

/** The observation in a game without hands: the player's last roll, if there is one, and the whole as text. */
export function knownPicture(board, text) {
  const roll = board.pictures === "rolls" && lastRoll(text), words = el("span", { class: "hand-text" }, text);
  return roll ? el("span", {}, row(roll.split(",").map((face) => die(Number(face)))), " ", words) : words;
}

/** A hand or roll as small dice, or text. */
export function smallPicture(board, text) {
  return board.pictures ? el("span", { class: "hand" }, text.split(",").map((face) => die(Number(face), 18))) : text;
}

function row(dice) {
  return el("span", { class: "hand" }, dice);
}
