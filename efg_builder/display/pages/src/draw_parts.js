// What both trees are drawn of.

import { el, short, textWidth } from "./dom.js";
import { TARGET } from "./state.js";

export const SIZE = 13, WAS_SIZE = 12;
const count = new Intl.NumberFormat("en");

/** A number of nodes: "1,144". */
export function many(n) {
  return count.format(n);
}

/** What stands for moves never made, or for the children of later pages. */
export function standIn(item) {
  const text = item.kind === "never" ? `+${many(item.count)} never made` : `+${many(item.count)} more`;
  const w = textWidth(text, 12) + 20;
  return {
    w,
    h: 22,
    beside: true,
    draw(g, { shift }) {
      g.append(
        el("svg:rect", { class: "efg-pill", x: shift, y: -10, width: w, height: 20, rx: 10 }),
        el("svg:text", { x: shift + 10, y: 4, "font-size": 12 }, text),
      );
    },
  };
}

/** A label on a line: the move and its probability, and below the line how that changed. `draw(g, x, y)` ends it at x. */
export function lineText(move, chance, was) {
  const name = short(move, 22) || (chance ? "" : "·");
  const parts = [[name, "efg-move"], [chance, "efg-chance"]].filter(([text]) => text);
  const width = parts.reduce((sum, [text, kind]) => sum + textWidth(text, SIZE, kind !== "efg-chance") + 6, 0);
  return {
    width: Math.max(width, was ? textWidth(was, WAS_SIZE, true) + 6 : 0),
    h: was ? 32 : 22,
    draw(g, x, y) {
      const line = el("svg:text", { x, y: y - 5, "text-anchor": "end", "font-size": SIZE });
      parts.forEach(([text, kind], n) => line.append(el("svg:tspan", { class: kind, dx: n ? 5 : 0 }, text)));
      g.append(line);
      if (was) g.append(el("svg:text", { class: "efg-diff", x, y: y + 14, "text-anchor": "end", "font-size": WAS_SIZE }, was));
    },
  };
}

/** How many nodes an unfolded node would show: a small triangle and a number at the right end of a body. */
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
