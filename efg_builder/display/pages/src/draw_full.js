// A node of the full tree: a disc for the mover, a box for the hand, a chip for the value, and the number of nodes folded away.

import { el, short, textWidth } from "./dom.js";
import { NONE, TERMINAL } from "./model.js";
import { exactPayment } from "./exact.js";
import { payments } from "./measures.js";
import { amountText } from "./numbers.js";
import { WAS_SIZE, foldMark } from "./draw_parts.js";
import { badges, signed, teller, tellers, under } from "./state.js";
import { handOf } from "./views.js";
import { changed } from "./words.js";

export const RADIUS = 10;
const BOXED = { "efg-hand": ["efg-die", 4], "efg-value": ["efg-chip", 9] }; // the class and the corners of the shape behind a text

export function fullNode(state, id) {
  const { tree, view } = state, player = view.player(id);
  const mark = foldMark(view, state.folds.full, id, state.touch);
  const pieces = tree.infoset[id] === NONE ? ending(state, id) : decision(state, id, player);
  let x = 24;
  const placed = pieces.map((piece) => {
    const at = x;
    const boxed = BOXED[piece.kind], wide = textWidth(piece.text, 12.5, piece.bold) + (boxed ? 10 : 0);
    const w = Math.max(wide, textWidth(piece.was ?? "", WAS_SIZE, true));
    x += w + 7;
    return { ...piece, x: at, boxed, wide };
  });
  const markAt = x - 3;
  const w = mark ? markAt + mark.w : x - 5;
  const forks = state.folds.full.open.has(id);
  return {
    w,
    h: pieces.some((piece) => piece.was) ? 42 : 26,
    beside: player === TERMINAL, // no set's line joins it: its square stands at its payoffs
    draw(g, { shift, room }) {
      if (player < -1) g.append(el("svg:rect", { class: "efg-end", x: shift + 5, y: -5, width: 10, height: 10 }));
      else {
        const end = room + (forks ? w : placed[0]?.x ?? 0); // the branches of an unfolded node start at its right end
        if (end > shift + 2 * RADIUS) g.append(el("svg:path", { class: "efg-neck", d: `M${shift + RADIUS},0H${end}` }));
        g.append(el("svg:circle", { class: `efg-who ${player < 0 ? "efg-c" : `efg-p${player % 8} efg-by${player % 8}`}`, cx: shift + RADIUS, r: RADIUS }));
        const letter = player < 0 ? "?" : badges(tree.data.players)[player];
        g.append(el("svg:text", { class: `efg-letter efg-l${player < 0 ? "c" : player % 8}`, x: shift + RADIUS, y: 4.5, "text-anchor": "middle", "font-size": 12.5 }, letter));
      }
      for (const { text, was, x: at, kind, boxed, wide } of placed) {
        if (boxed) g.append(el("svg:rect", { class: boxed[0], x: room + at, y: -9, width: wide, height: 18, rx: boxed[1] }));
        if (was) g.append(el("svg:text", { class: "efg-diff", x: room + at, y: 20, "font-size": WAS_SIZE }, was));
        g.append(el("svg:text", { class: kind, x: room + at + (boxed ? 5 : 0), y: 4.5, "font-size": 12.5 }, text));
      }
      mark?.draw(g, room + markAt);
    },
  };
}

function decision(state, id, player) {
  const { tree } = state, label = tree.data.infosets[tree.infoset[id]][1];
  const hand = handOf(label), held = player < 0 ? "" : hand === null ? short(label, 18) : `hand ${short(hand, 18)}`;
  const pieces = held ? [{ text: held, kind: "efg-hand", bold: true }] : [];
  const now = under(state);
  if (now) pieces.push(...value(state, id, player));
  return pieces;
}

function value(state, id, player) {
  const whose = teller(state, player), now = under(state), worth = now.measures.values[whose][id];
  const compared = under(state, state.before), before = compared?.measures.values[whose][id] ?? null;
  const all = tellers(state, player).map((k) => amountText(now.measures.values[k][id], now.exact.value(id, k)));
  const differs = before !== null && changed(worth, before);
  const was = differs ? `${worth > before ? "▲" : "▼"} was ${amountText(before, compared.exact.value(id, whose))}` : null;
  return [{ text: all.join(", "), kind: "efg-value", was }];
}

/** What each player is paid, in the player's colour. */
function ending(state, id) {
  const { tree } = state, paid = payments(tree), last = paid.length - 1;
  return paid.map((each, i) => ({
    text: `${signed(each[id], exactPayment(tree, id, i))}${i < last ? "," : ""}`,
    kind: `efg-payoff efg-ink${i % 8}`,
    bold: true,
  }));
}
