// A public history: a table of the mover's hands and moves, shaded by probability.

import { el, short, textWidth } from "./dom.js";
import { over } from "./exact.js";
import { amountText } from "./numbers.js";
import { notations } from "./notations.js";
import { colorsOf, foldMark, many } from "./draw_parts.js";
import { letterOver } from "./colours.js";
import { rangeOf } from "./ranges.js";
import { SMALL_SCALE, TARGET, teller, tellers, under, who } from "./state.js";
import { actionOf, chanceOf, movesAt } from "./views.js";
import { changed } from "./words.js";

const ROW = 20, SMALL_LINE = 14, LINE = 16, RANGE_SIZE = 9.5, LARGE_RANGE_SIZE = 11;
const MOST_ROWS = 30, MOST_MOVES = 12, MOST_COUNTED = 40;
const EDGES = 84; // pixels beside the columns: margins, and how many have none

export function publicNode(state, id) {
  const { view } = state, player = view.player(id);
  const mark = foldMark(view, state.folds.public, id, state.touch);
  const title = titleOf(state, id, player);
  const table = player < 0 ? null : tableOf(state, id);
  const lines = title.map((pieces) => pieces.reduce((sum, [text, kind]) => sum + textWidth(text, 12.5, kind !== "efg-plain") + 6, 0));
  if (mark) lines[lines.length - 1] += mark.w + 8; // stands at the right of the last line
  const w = Math.max(...lines, table?.w ?? 0) + 14;
  const head = 8 + LINE * title.length, h = head + (table ? table.h : 0);
  return {
    w,
    back: 0,
    out: w,
    h: h + 4,
    draw(g) {
      const top = -h / 2;
      g.append(el("svg:rect", { class: "efg-card", y: top, width: w, height: h, rx: 5 }));
      g.append(el("svg:rect", { class: `efg-edge ${colorsOf(player)}`, y: top, width: 4, height: h, rx: 2 }));
      title.forEach((pieces, n) => g.append(el("svg:text", { x: 10, y: top + LINE * (n + 1), "font-size": 12.5 },
        pieces.map(([text, kind], k) => el("svg:tspan", { class: kind, dx: k ? 6 : 0 }, text)))));
      table?.draw(g, 10, top + head);
      if (mark) {
        const corner = g.appendChild(el("svg:g", { transform: `translate(0,${top + LINE * title.length - 4})` }));
        mark.draw(corner, w - mark.w - 3);
      }
    },
    light: (lit) => table?.light(lit),
  };
}

/** Lines of pieces [text, class]: the mover, reach probability and value. */
function titleOf(state, id, player) {
  const now = under(state), name = [player < 0 ? "ends" : short(who(state, player), 18), "efg-title"];
  if (!now) return [[name]];
  const reach = now.chances.reach(id), whose = teller(state, player), value = now.chances.value(id, whose);
  const compared = under(state, state.before), before = compared?.chances.value(id, whose) ?? null;
  const differs = value !== null && before !== null && changed(value, before);
  const chance = !(reach > 0) ? "never reached" : player < 0 ? "" : `reached ${notations(state).players(reach, now.exact.reach(id))}`;
  const all = tellers(state, player), amount = (k) => amountText(now.chances.value(id, k), now.exact.value(id, k));
  const worth = value === null ? [] : all.length === 1 ? [[`value ${amount(all[0])}`, "efg-plain"]]
    : [["value", "efg-plain"], ...all.map((k, n) => [`${amount(k)}${n < all.length - 1 ? "," : ""}`, `efg-payoff efg-ink ${colorsOf(k)}`])];
  const was = differs ? [[`${value > before ? "▲" : "▼"} was ${amountText(before, compared.exact.value(id, whose))}`, "efg-diff"]] : [];
  return [[name, ...(chance ? [[chance, "efg-plain"]] : [])], worth, was].filter((line) => line.length);
}

/** The moves with a column: the moves that some hand makes; without a solution, all moves. */
function columns(state, id) {
  const now = under(state), moves = movesAt(state.view, id);
  if (!now || state.folds.public.all.has(id)) return moves;
  const before = under(state, state.before);
  const made = moves.filter((move) => state.view.infosets(id).some((k) =>
    [now, before].some((each) => each && chanceOf(each.measures, k, move) > 0 && (each.chances.reach(id) === 0 || each.measures.reached[k] > 0))));
  return made.length ? made : moves;
}

/** The hands with a row: the reached hands; all hands if none is reached, or if everything is unfolded. */
function handsAt(state, id) {
  const { view } = state, now = under(state), before = under(state, state.before), all = view.infosets(id);
  if (!now || state.folds.public.all.has(id)) return all;
  const there = all.filter((k) => k === state.hand || now.measures.reached[k] > 0 || before?.measures.reached[k] > 0);
  return there.length ? there : all;
}

function tableOf(state, id) {
  const { view, tree } = state, now = under(state), before = under(state, state.before);
  const all = columns(state, id), names = view.hands(id), { touch } = state;
  const present = handsAt(state, id), sets = present.slice(0, MOST_ROWS);
  const absent = view.infosets(id).length - present.length;
  const total = now ? now.chances.reach(id) : 0;
  const { players: write } = notations(state);
  const share = (k) => (now && total > 0 ? write(now.measures.reached[k] / total, over(now.whole.reached(k), now.exact.reach(id))) : null);
  const named = new Map(view.infosets(id).map((k, n) => [k, names[n]]));
  const handText = (k) => `${short(named.get(k), 16)}${share(k) === null ? "" : ` · ${share(k)}`}`;
  const first = Math.max(30, ...sets.map((k) => textWidth(handText(k), 12) + 12));
  const ranges = new Map(sets.map((k) => [k, new Map(all.map((move) => [move, now && rangeOf(tree, now.solution, k, move, write)]))]));
  const ranged = touch ? LARGE_RANGE_SIZE : RANGE_SIZE;
  const widths = (move) => [textWidth(short(move, 10), 12) + 10, ...sets.flatMap((k) => {
    const range = ranges.get(k).get(move);
    const { text, was } = cellText(state, k, move);
    return [textWidth(text, 11.5, true) + 8, range?.free ? textWidth(range.text, ranged) + 8 : 0, textWidth(was, LARGE_RANGE_SIZE, true) + 8];
  })];
  const cell = Math.max(44, ...all.slice(0, MOST_COUNTED).flatMap(widths));
  const most = touch ? Math.max(1, Math.floor((state.window.width / SMALL_SCALE - first - EDGES) / cell)) : MOST_MOVES;
  const shown = likeliest(state, all, sets, Math.min(most, MOST_MOVES)), rest = all.length - shown.length;
  const below = [present.length - sets.length && `and ${many(present.length - sets.length)} more hands`, absent && `other hands never get here`, elsewhere(state, id, sets, all)].filter(Boolean);
  const lines = (k) => Math.max(...shown.map((move) => Number(ranges.get(k).get(move)?.free ?? 0) + Number(cellText(state, k, move).differs)));
  const tops = [0];
  sets.forEach((k, n) => tops.push(tops[n] + (touch ? TARGET : ROW + SMALL_LINE * lines(k))));
  const rows = [];
  return {
    w: Math.max(first + cell * shown.length + (rest ? 40 : 0), ...below.map((text) => textWidth(text, 11))),
    h: 18 + tops.at(-1) + LINE * below.length + 4,
    draw(g, x, y) {
      rows.length = 0;
      g.append(el("svg:text", { class: "efg-soft", x, y: y + 12, "font-size": 11 }, "hand"));
      shown.forEach((move, c) => g.append(el("svg:text", { class: "efg-head", x: x + first + cell * (c + 0.5), y: y + 12, "text-anchor": "middle", "font-size": 12 }, short(move, 10))));
      if (rest) g.append(el("svg:text", { class: "efg-soft", x: x + first + cell * shown.length + 6, y: y + 12, "font-size": 11 }, `+${rest}`));
      sets.forEach((k, n) => {
        const row = el("svg:g", { class: "efg-row", "data-set": k, transform: `translate(${x},${y + 18 + tops[n]})` },
          el("svg:rect", { class: "efg-touch", x: -6, width: first + cell * shown.length + 6, height: tops[n + 1] - tops[n] }),
          el("svg:text", { class: "efg-hand", x: 0, y: touch ? TARGET / 2 + 4 : 14, "font-size": 12 }, handText(k)));
        if (total > 0 && now.measures.reached[k] === 0) row.classList.add("efg-out");
        shown.forEach((move, c) => row.append(...cellOf(state, k, move, first + cell * c, cell, tops[n + 1] - tops[n], ranges.get(k).get(move))));
        rows.push([k, row]);
        g.append(row);
      });
      below.forEach((text, n) => g.append(el("svg:text", { class: "efg-soft", x, y: y + 31 + tops.at(-1) + LINE * n, "font-size": 11 }, text)));
    },
    light: (lit) => rows.forEach(([k, row]) => row.classList.toggle("efg-litrow", k === lit)),
  };
}

/** The most frequent moves, up to a number, in the given order. */
function likeliest(state, all, sets, most) {
  if (all.length <= most) return all;
  const now = under(state), often = (move) => (now ? sets.reduce((sum, k) => sum + now.measures.reached[k] * (chanceOf(now.measures, k, move) ?? 0), 0) : 0);
  const kept = new Set(state.touch ? all.map((move) => [often(move), move]).sort((a, b) => b[0] - a[0]).slice(0, most).map(([, move]) => move) : all.slice(0, most));
  return all.filter((move) => kept.has(move));
}

/** The moves without a column that other equilibria make with the shown hands; null if there are none. */
function elsewhere(state, id, sets, columns) {
  const now = under(state);
  if (!now?.solution.ranges) return null;
  const made = movesAt(state.view, id).filter((move) => !columns.includes(move) && sets.some((k) => rangeOf(state.tree, now.solution, k, move)?.high > 0));
  return made.length ? short(`other equilibria: ${made.join(", ")}`, 36) : null;
}

/** The text in the cell of a hand's move: {p, text, differs, was}; p is null if the hand lacks the move. */
function cellText(state, k, move) {
  const { tree } = state, now = under(state), before = under(state, state.before);
  const p = now ? chanceOf(now.measures, k, move) : null;
  if (p === null) return { p, text: "", differs: false, was: "" };
  const old = before ? chanceOf(before.measures, k, move) : null, differs = old !== null && changed(p, old);
  const { players: write } = notations(state), { start, probability } = now.measures, row = [...probability.subarray(start[k], start[k + 1])];
  const written = p > 0 ? write(p, now.whole.chance(k, actionOf(tree, k, move)), row) : differs ? "0" : "·";
  const was = differs ? `was ${write(old, before.whole.chance(k, actionOf(tree, k, move)))}` : "";
  return { p, text: `${differs ? (p > old ? "▲" : "▼") : ""}${written}`, differs, was };
}

function cellOf(state, k, move, x, w, high, range) {
  const { p, text, differs, was } = cellText(state, k, move), player = state.tree.data.infosets[k][0];
  const { touch } = state, height = touch ? TARGET : ROW, free = range?.free;
  const box = (kind, extra = {}) => el("svg:rect", { class: kind, x: x + 1, y: 1, width: w - 2, height: height - 2, rx: 2, ...extra });
  if (p === null) return [box("efg-cell")];
  const shade = p > 0 ? 0.1 + 0.85 * p : 0;
  const letters = p > 0 ? letterOver(state.colours, player, shade) : "";
  const small = [was && [was, "efg-diff", LARGE_RANGE_SIZE], free && [range.text, "efg-range", touch ? LARGE_RANGE_SIZE : RANGE_SIZE]].filter(Boolean);
  const parts = [box("efg-cell"), box(`efg-shade ${colorsOf(player)}`, { "fill-opacity": shade.toFixed(3) })];
  if (differs) parts.push(box("efg-differs"));
  parts.push(el("svg:text", { class: p > 0 ? `efg-on ${letters}` : "efg-soft", x: x + w / 2, y: height / 2 + (touch ? 4 - 8 * small.length : 4), "text-anchor": "middle", "font-size": 11.5 }, text));
  if (free) parts.push(box("efg-free", { height: high - 4 }));
  small.forEach(([line, kind, size], n) => parts.push(el("svg:text", {
    class: `${kind} ${touch ? letters : ""}`, // below the shaded cell, or on it
    x: x + w / 2, y: touch ? TARGET / 2 + 12 - 8 * (small.length - 1) + SMALL_LINE * n : 28 + SMALL_LINE * n, "text-anchor": "middle", "font-size": size,
  }, line)));
  return parts;
}
