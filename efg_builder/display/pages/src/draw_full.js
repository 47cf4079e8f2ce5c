// A node of the full tree, as in the pictures: a disc for the mover, beside it the hand and the value, and at its right the
// number of nodes folded away; a dot for an end, and the payoffs.

import { el, short, textWidth } from "./dom.js";
import { CHANCE, NONE } from "./model.js";
import { exactPayment } from "./exact.js";
import { CLEAR, RADIUS } from "./layout.js";
import { payments } from "./measures.js";
import { LONG, amountText, float, fraction } from "./numbers.js";
import { notations } from "./notations.js";
import { SIZE, WAS_SIZE, colorsOf, foldMark } from "./draw_parts.js";
import { badges, teller, tellers, under } from "./state.js";
import { handAt } from "./views.js";
import { changed } from "./words.js";

const SMALL = 11.5, CHIP = 15; // pixels: letters beside a node, and the height of what is around them
const END = 2.8, PAY_GAP = 9; // the radius of an end's dot, and the room between payoffs
const OPENING = RADIUS + 6; // the radius of the arc before the first node of a subgame

export function fullNode(state, item) {
  const { tree } = state;
  return tree.infoset[item.id] === NONE ? ending(state, item) : decision(state, item.id);
}

function decision(state, id) {
  const { tree, view, folds } = state, player = view.player(id);
  const mark = folds.full.open.has(id) ? null : foldMark(view, folds.full, id, state.touch);
  const chips = chipsOf(state, id, player), was = chips.find((each) => each.was)?.was, each = id ? "" : eachOf(state);
  const wide = chips.reduce((sum, chip) => sum + chip.w + 3, 0);
  const beside = Math.max(wide, was ? textWidth(was, WAS_SIZE, true) : 0, each ? textWidth(each, SIZE) : 0);
  const high = CHIP + (was ? CHIP : 0);
  const begins = tree.data.subgames?.includes(id), refuted = tree.data.solutions[state.now]?.refuted?.includes(id);
  const marked = begins ? 7 : refuted ? 3 : 0;
  return {
    w: RADIUS + (mark ? 4 + mark.w : CLEAR),
    back: RADIUS + CLEAR + marked + (beside ? 2 + beside : 0),
    out: 0,
    node: true,
    h: 2 * (RADIUS + 3),
    beside: beside ? high + 5 : 0,
    draw(g, { side }) {
      const shape = player < 0 ? el("svg:path", { d: `M0,${-RADIUS}L${RADIUS},0L0,${RADIUS}L${-RADIUS},0Z` }) : el("svg:circle", { r: RADIUS });
      shape.setAttribute("class", `efg-who ${colorsOf(player)}`);
      g.append(shape);
      if (begins) g.append(el("svg:path", { class: "efg-opening", d: `M${-OPENING / 2},${-0.866 * OPENING}A${OPENING},${OPENING} 0 0 0 ${-OPENING / 2},${0.866 * OPENING}` }));
      if (refuted) g.append(el("svg:circle", { class: "efg-refuted", r: RADIUS + 3 }));
      if (player >= 0) g.append(el("svg:text", { class: `efg-letter ${colorsOf(player)}`, y: 4.5, "text-anchor": "middle", "font-size": 12.5 }, badges(tree.data.players)[player]));
      const right = -RADIUS - CLEAR - marked - 2;
      const top = side < 0 ? -4 - high : side > 0 ? 4 : -high / 2 - (each ? CHIP / 2 + 1 : 0); // at the start, which has no line to it, in the middle
      let x = right - wide;
      for (const { text, kind, said, owner, w } of chips) {
        g.append(el("svg:rect", { class: `${kind} ${owner}`, x: x + 3, y: top, width: w, height: CHIP, rx: kind === "efg-chip" ? 4 : 2 }));
        g.append(el("svg:text", { class: `${said} ${owner}`, x: x + 3 + w / 2, y: top + 11.5, "text-anchor": "middle", "font-size": SMALL }, text));
        x += w + 3;
      }
      if (was) g.append(el("svg:text", { class: "efg-diff", x: right, y: top + CHIP + 12, "text-anchor": "end", "font-size": WAS_SIZE }, was));
      if (each) g.append(el("svg:text", { class: "efg-soft", x: right, y: top + high + (chips.length ? 14 : 0), "text-anchor": "end", "font-size": SIZE }, each));
      mark?.draw(g, RADIUS + 4);
    },
  };
}

/** The texts beside a node: its hand, and its value. */
function chipsOf(state, id, player) {
  const { tree } = state, k = tree.infoset[id], hand = handAt(tree, k), chips = [];
  const held = player < 0 ? "" : hand === null ? short(tree.data.infosets[k][1], 18) : `hand ${short(hand, 18)}`;
  if (held) chips.push({ text: held, kind: "efg-die", said: "efg-held", owner: "" });
  if (under(state)) chips.push(value(state, id, player));
  return chips.map((chip) => ({ ...chip, w: textWidth(chip.text, SMALL) + 8 }));
}

function value(state, id, player) {
  const whose = teller(state, player), now = under(state), worth = now.measures.values[whose][id];
  const compared = under(state, state.before), before = compared?.measures.values[whose][id] ?? null;
  const all = tellers(state, player), differs = before !== null && changed(worth, before);
  const text = all.map((k) => amountText(now.measures.values[k][id], now.exact.value(id, k))).join(", ");
  const was = differs ? `${worth > before ? "▲" : "▼"} was ${amountText(before, compared.exact.value(id, whose))}` : null;
  return { text, kind: "efg-chip", said: "efg-value", owner: colorsOf(all.length > 1 ? CHANCE : whose), was };
}

/** The text at a start with equal chance moves: "each 1/6". */
function eachOf(state) {
  const rule = uniform(state.tree);
  return rule ? `each ${notations(state).chance(float(rule), fraction(rule))}` : "";
}

/** The common probability of the start's moves as text, if chance moves are equally likely; else null. */
export function uniform({ data, infoset }) {
  const chances = infoset[0] === NONE ? null : data.infosets[infoset[0]][3];
  return chances?.length > 1 && chances.every((text) => text === chances[0]) ? chances[0] : null;
}

/** Each player's payoff at an end, as text. */
export function paidAt(tree, id) {
  return payments(tree).map((each, i) => amountText(each[id], exactPayment(tree, id, i), LONG));
}

/** Each player's payoff in the player's color, in columns of widths `item.paid`. */
function ending({ tree }, { id, paid }) {
  const ends = [];
  for (const width of paid) ends.push((ends.at(-1) ?? 0) + PAY_GAP + width);
  return {
    w: ends.at(-1),
    back: END,
    out: 0,
    h: 14,
    draw(g) {
      g.append(el("svg:circle", { class: "efg-end", r: END }));
      paidAt(tree, id).forEach((text, i) => g.append(el("svg:text", { class: `efg-payoff efg-ink ${colorsOf(i)}`, x: ends[i], y: 4.5, "text-anchor": "end", "font-size": SIZE }, text)));
    },
  };
}

/** The width of each player's payoffs at these ends. */
export function paidWidths(tree, ids) {
  return ids.map((id) => paidAt(tree, id).map((text) => textWidth(text, SIZE))).reduce((most, row) => row.map((w, i) => Math.max(w, most[i] ?? 0)), []);
}
