// The common parts of both trees' drawings.

import { el, short, textWidth } from "./dom.js";
import { TARGET } from "./state.js";

export const SIZE = 13, WAS_SIZE = 12;
const LINE = 14, DROP = 3; // pixels from line to line of words, and from a line of letters to its lower edge
const PLAYERS = 8; // colors
const count = new Intl.NumberFormat("en");

/** A number of nodes: "1,144". */
export function many(n) {
  return count.format(n);
}

/** The class for the colors of a player, or of chance and terminal nodes. */
export function colorsOf(player) {
  return `efg-of${player < 0 ? "c" : player % PLAYERS}`;
}

/** The stand-in for moves never made, or for children on later pages. */
export function standIn(item) {
  const text = item.kind === "never" ? `+${many(item.count)} never made` : `+${many(item.count)} more`;
  const w = textWidth(text, 12) + 20;
  return {
    w,
    back: 0,
    out: 0,
    h: 24,
    draw(g) {
      g.append(
        el("svg:rect", { class: "efg-pill", y: -10, width: w, height: 20, rx: 10 }),
        el("svg:text", { x: 10, y: 4, "font-size": 12 }, text),
      );
    },
  };
}

/**
 * The words beside a line: the move and its probability, and how that changed, in the colors of `mover` where the move is
 * `played` (null without a solution). `draw(g, x, y, side)`: they end at x, and stand above y or below it.
 */
export function wordsOf(move, chance, was, mover, played) {
  const name = withColon(short(move, 22), chance) || (chance ? "" : "·");
  const pieces = [[name, "efg-move"], [chance, "efg-chance"]].filter(([text]) => text);
  const width = pieces.reduce((sum, [text, kind], n) => sum + textWidth(text, SIZE, kind === "efg-chance") + (n ? 5 : 0), 0);
  const lines = was ? 2 : 1, color = played === null ? "" : played ? `efg-ink ${colorsOf(mover)}` : "efg-soft";
  return {
    w: Math.max(width, was ? textWidth(was, WAS_SIZE, true) : 0),
    h: LINE * lines,
    draw(g, x, y, side) {
      const base = side < 0 ? y - DROP - LINE * (lines - 1) : y + LINE - DROP;
      const line = el("svg:text", { class: color, x, y: base, "text-anchor": "end", "font-size": SIZE });
      pieces.forEach(([text, kind], n) => line.append(el("svg:tspan", { class: kind, dx: n ? 5 : 0 }, text)));
      g.append(line);
      if (was) g.append(el("svg:text", { class: "efg-diff", x, y: base + LINE, "text-anchor": "end", "font-size": WAS_SIZE }, was));
    },
  };
}

/** The name of a move before its probability on the same line: "22: 1/4" is not 22 and a quarter. */
function withColon(name, chance) {
  return chance && /\d$/.test(name) ? `${name}:` : name;
}

/** The number of nodes that unfolding would show: a small triangle and a number at the right of a body. */
export function foldMark(view, folds, id, touch) {
  if (view.size(id) <= 1) return null;
  const open = folds.open.has(id), text = open ? "" : many(view.size(id) - 1);
  const w = Math.max(14 + (text ? textWidth(text, 11) + 4 : 0), touch ? TARGET - 6 : 0), h = touch ? TARGET : 26;
  return {
    w,
    draw(g, x) {
      g.append(el("svg:g", { class: "efg-fold", "data-fold": id, transform: `translate(${x},0)` },
        el("svg:rect", { class: "efg-touch", x: -3, y: -h / 2, width: w + 6, height: h }),
        el("svg:path", { d: open ? "M2,-3H12L7,4Z" : "M4,-5L11,0L4,5Z" }),
        text ? el("svg:text", { x: 15, y: 4, "font-size": 11 }, text) : null));
    },
  };
}
