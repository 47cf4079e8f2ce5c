// A node of the full tree: a circle for who moves, the hand, the value, and how much is folded away behind it.

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

export function fullNode(state, id) {
  const { tree, view } = state, player = view.player(id);
  const mark = foldMark(view, state.folds.full, id, state.touch);
  const pieces = tree.infoset[id] === NONE ? ending(state, id) : decision(state, id, player);
  let x = 24;
  const placed = pieces.map((piece) => {
    const at = x;
    const w = Math.max(textWidth(piece.text, 12.5, piece.bold) + (piece.kind === "efg-hand" ? 10 : 0), textWidth(piece.was ?? "", WAS_SIZE, true));
    x += w + 7;
    return { ...piece, x: at, w };
  });
  const markAt = x - 3;
  const w = mark ? markAt + mark.w : x - 5;
  return {
    w,
    h: pieces.some((piece) => piece.was) ? 42 : 26,
    beside: player === TERMINAL, // no set's line joins it: its square stands at its payoffs
    draw(g, { shift, room }) {
      if (player < -1) g.append(el("svg:rect", { class: "efg-end", x: shift + 5, y: -5, width: 10, height: 10 }));
      else {
        g.append(el("svg:circle", { class: `efg-who ${player < 0 ? "efg-c" : `efg-p${player % 8} efg-by${player % 8}`}`, cx: shift + RADIUS, r: RADIUS }));
        const letter = player < 0 ? "?" : badges(tree.data.players)[player];
        g.append(el("svg:text", { class: `efg-letter efg-l${player < 0 ? "c" : player % 8}`, x: shift + RADIUS, y: 4.5, "text-anchor": "middle", "font-size": 12.5 }, letter));
      }
      for (const { text, was, x: at, kind, w: wide } of placed) {
        const hand = kind === "efg-hand"; // stands in a box, like a die: not to be taken for a value
        if (hand) g.append(el("svg:rect", { class: "efg-die", x: room + at, y: -9, width: wide, height: 18, rx: 4 }));
        if (was) g.append(el("svg:text", { class: "efg-diff", x: room + at, y: 18, "font-size": WAS_SIZE }, was));
        g.append(el("svg:text", { class: kind, x: room + at + (hand ? 5 : 0), y: 4.5, "font-size": 12.5 }, text));
      }
      mark?.draw(g, room + markAt);
    },
  };
}

function decision(state, id, player) {
  const { tree } = state, label = tree.data.infosets[tree.infoset[id]][1];
  const hand = player < 0 ? "" : (handOf(label) ?? label);
  const pieces = hand ? [{ text: short(hand, 18), kind: "efg-hand", bold: true }] : [];
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
