// The bars of Explore: a box for each public history (or group of information sets alike), a bar for each hand.

import { letterOver, shadeOf } from "./colours.js";
import { el } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { difference, isZero, lossOf, sumOf } from "./explore_game.js";
import { shareOf } from "./explore_model.js";
import { NEARLY, historyOf } from "./explore_say.js";
import { members } from "./measures.js";
import { pathTo } from "./model.js";
import { amountText, float, notationOf, shareInFull, shareText } from "./numbers.js";
import { rangesAt } from "./ranges.js";
import { handAt, publicView } from "./views.js";
import { movesTo } from "./words.js";

const PALE = 0.17; // the opacity of the first move's color; the last move has opacity 1
const SMALL = { many: 0.07, two: 0.14, chosen: 0.25 }; // of a bar: a move with a smaller share has no text; the handle of a chosen bar of two takes room
const SHORT_NAME = 3; // letters of a hand that stands beside its bar; longer names stand above
const ROOM = 40; // letters that a bar of many moves has room for; a move with its share needs two more
const MANY = 2; // with more moves, the number of each is dragged too

/** {player, title, depth, sets, hands, moves}: the content of one box. */
export function groupsOf({ tree, game }) {
  const { data } = tree, view = publicView(tree), groups = new Map(), choice = new Set(game.sets.flat());
  const add = (where, title, depth, k, hand) => {
    const moves = data.infosets[k][2].map((n) => data.labels[n]), player = game.mover[k], key = [player, where, ...moves].join("\n");
    if (!groups.has(key)) groups.set(key, { player, title, depth, sets: [], hands: [], moves });
    groups.get(key).sets.push(k);
    groups.get(key).hands.push(hand);
  };
  if (view) {
    for (let id = 0; id < view.count; id++) {
      const moves = movesTo(view, id);
      if (view.player(id) >= 0) view.infosets(id).forEach((k, n) => choice.has(k) && add(id, moves.join(" › "), moves.length, k, view.hands(id)[n]));
    }
  } else {
    for (const k of choice) {
      const hand = handAt(tree, k), history = historyOf({ tree }, k), path = pathTo(tree, members(tree, k)[0]), depth = path.filter((at) => tree.player[at] >= 0).length - 1;
      add(hand === null ? depth : history, hand === null ? "" : history, depth, k, hand ?? data.infosets[k][1]);
    }
  }
  return [...groups.values()].sort((a, b) => a.depth - b.depth);
}

/** The look of a move in its player's color (null: unreached): {color, letters}; the later a move, the stronger. */
export function lookOf(colours, player, a, count) {
  const strength = PALE + ((1 - PALE) * a) / (count - 1);
  return { color: `rgb(${shadeOf(colours, player, strength).map(Math.round)})`, letters: letterOver(colours, player, strength) };
}

/** The name of an information set for a sentence: its hand, or its label. */
export function nameOf({ tree }, k) {
  return handAt(tree, k) || tree.data.infosets[k][1] || "here";
}

/** Classes by the number of moves and the length of names; they determine the layout. */
function kindsOf({ moves: { length }, hands }) {
  const kinds = { "efg-xmany": length > MANY, "efg-xfive": length > 4, "efg-xfull": length > 6, "efg-xnamed": length > 13, "efg-xlong": hands.some((hand) => hand.length > SHORT_NAME) };
  return Object.keys(kinds).filter((kind) => kinds[kind]);
}

/** An empty box; `fill` puts bars into it and `clear` removes them, as it comes into sight and leaves it; `draw` updates them. */
export function boxOf(state, self, group, rank) {
  const reached = el("small"), body = el("div", { class: "efg-xrows" }), many = group.moves.length > MANY;
  const heads = el("div", { class: "efg-xheads", "aria-hidden": "true" }, group.moves.map((move) => el("span", { title: move }, move)));
  const title = el(`h${rank}`, {}, self.tree.data.players[group.player], " ", reached);
  const element = el("section", { class: ["efg-xbox", colorsOf(group.player), ...kindsOf(group)].join(" "), style: `--n:${group.moves.length};--rows:${group.sets.length}`, "aria-label": `${self.tree.data.players[group.player]} ${group.title}` }, title, heads, body);
  let rows = [];
  return { element, group, fill, clear, draw };

  function fill() {
    if (rows.length) return;
    rows = group.sets.map((k, n) => rowOfBar(self, group, k, group.hands[n]));
    body.replaceChildren(...rows.map((row) => row.element));
    body.style.minHeight = "";
    draw();
  }

  function clear() {
    if (!rows.length || element.contains(document.activeElement)) return;
    body.style.minHeight = `${body.offsetHeight}px`;
    body.replaceChildren();
    rows = [];
  }

  function draw() {
    if (!rows.length) return;
    const { result, profile, chosen } = self, sums = group.sets.map((k) => result.reach(k));
    const all = sumOf(sums), where = group.title ? `after ${group.title}` : group.depth ? "" : "begins";
    reached.textContent = [where, isZero(all) ? "not reached" : all[0] < 1 ? `reached\u00a0${shareText(...all)}` : ""].filter(Boolean).join(" · ");
    element.classList.toggle("efg-xdead", isZero(all));
    const write = notationOf(group.sets.flatMap((k) => profile[k].p.map((_, a) => shareOf(profile[k], a))));
    rows.forEach((row) => row.draw(write, state.colours, chosen));
  }
}

function rowOfBar(self, group, k, hand) {
  const { moves, player } = group, count = moves.length, many = count > MANY, spoken = `${self.tree.data.players[player]}, ${self.tree.data.infosets[k][1] || hand}`;
  const slider = (a) => ({ role: "slider", tabindex: 0, "aria-label": `${spoken}: ${moves[a]}`, "aria-valuemin": 0, "aria-valuemax": 100, "data-k": k, "data-a": a });
  const parts = moves.map(() => el("span", { class: "efg-xpart" })), mark = () => el("i", { class: "efg-xmark" });
  const marks = moves.slice(1).map(mark), grips = marks.map(() => el("i", { class: "efg-xgrip" })), range = el("i", { class: "efg-xrange" }), ranges = self.tree.data.solutions[self.which] && rangesAt(self.tree, self.tree.data.solutions[self.which], k);
  const bar = el("div", { class: "efg-xbar", "data-k": k, ...(many ? {} : slider(1)) }, parts, range, marks, grips);
  const numbers = moves.map((move, a) => el("span", { class: "efg-xnumber", "data-move": move, ...(many ? slider(a) : {}) })), note = el("em");
  const element = el("div", { class: "efg-xrow", "data-k": k }, el("b", { title: self.tree.data.infosets[k][1] }, hand), bar, el("div", { class: "efg-xnumbers" }, numbers), note);
  const free = [...(ranges ?? [])].map(([a, texts]) => [a, ...texts.map(float)]).filter(([a, low, high]) => high > low && (many || a === 1));
  showRanges();
  return { element, draw };

  function draw(write, colours, chosen) {
    const isReached = self.result.isReached(k), row = self.profile[k], values = self.result.values(k), known = lossOf(values, row, NEARLY * self.payoffs.most), base = self.base[k];
    element.classList.toggle("efg-chosen", chosen?.k === k);
    element.classList.toggle("efg-xdead", !isReached);
    range.hidden = many || !free.length || self.changes.size > 0; // ranges are over the equilibria of the rules' payoffs
    let from = 0, mark = 0;
    parts.forEach((part, a) => {
      const p = row.p[a], text = p > 1e-9 ? write(p, row.exact?.[a] ?? null, row.p) : "", inside = p >= SMALL[many ? "many" : chosen?.k === k ? "chosen" : "two"];
      const { color, letters } = lookOf(colours, isReached ? player : null, a, count);
      part.style.cssText = `left:${100 * from}%;width:${100 * p}%;background:${color}`;
      part.className = `efg-xpart ${letters}${a && a === count - 1 ? " efg-xlast" : ""}`;
      part.hidden = !text;
      part.textContent = inside ? (many && p * ROOM > moves[a].length + text.length + 2 ? `${moves[a]}  ${text}` : text) : "";
      part.title = p ? `${moves[a]}: ${shareInFull(p, row.exact?.[a] ?? null)}` : "";
      from += p;
      if (a === count - 1) return;
      mark += base.p[a];
      grips[a].style.left = `clamp(var(--half), ${100 * from}%, 100% - var(--half))`;
      marks[a].style.left = `${100 * mark}%`;
      marks[a].hidden = self.which < 0 || self.changes.size > 0;
    });
    const says = (a) => `${moves[a]} ${shareText(row.p[a], row.exact?.[a] ?? null)}`;
    const sliders = many ? numbers.map((number, a) => [number, a]) : [[bar, 1]];
    for (const [slider, a] of sliders) {
      slider.setAttribute("aria-valuenow", Math.round(100 * row.p[a]));
      slider.setAttribute("aria-valuetext", [many ? says(a) : moves.map((_, n) => says(n)).join(", "), known && !isZero(known.loss) ? `loses ${amountText(...known.loss)}` : ""].filter(Boolean).join("; "));
    }
    numbers.forEach((number, a) => {
      number.textContent = values ? amountText(...values[a]) : "–";
      const isFree = number.style.length && !self.changes.size;
      number.className = `efg-xnumber${known?.best[a] ? " efg-xbest" : ""}${isFree ? " efg-xfree" : ""}${row.p[a] > 1e-9 ? " efg-xplayed" : ""}${chosen?.k === k && chosen.a === a ? " efg-xheld" : ""}`;
      const span = isFree ? `; over all equilibria: ${ranges.get(a).join(" to ")}` : "";
      number.title = (values ? `${moves[a]} pays ${amountText(...values[a], 13)}` : "The others' moves never lead here") + span;
    });
    const loses = known && known.loss[0] > NEARLY * self.payoffs.most, ties = known?.best.every(Boolean) && !many;
    note.textContent = loses ? `loses ${known.loss[0] < 0.001 ? "<0.001" : amountText(...known.loss)}` : ties ? `${isZero(difference(...values)) ? "=" : "≈"} indifferent` : "";
    note.className = loses ? "efg-xloss" : "";
  }

  /** Marks the range of a probability over all equilibria: on the bar, or with many moves beneath each number. */
  function showRanges() {
    for (const [a, low, high] of free) {
      range.style.cssText = `left:${100 * (1 - high)}%;width:${100 * (high - low)}%`;
      range.title = `${moves[a]} over all equilibria: ${ranges.get(a).join(" to ")}`;
      if (many) numbers[a].style.cssText = `--low:${100 * low}%;--high:${100 * high}%`;
    }
  }
}
