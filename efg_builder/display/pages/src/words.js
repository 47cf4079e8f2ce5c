// Descriptions of nodes: for screen readers, and above tables.

import { NONE, pathTo, moveTo } from "./model.js";
import { members } from "./measures.js";
import { amountText, float, fraction, shareText } from "./numbers.js";
import { many } from "./draw_parts.js";
import { paidAt, uniform } from "./draw_full.js";
import { notations } from "./notations.js";
import { idOf, teller, under, who } from "./state.js";
import { handAt } from "./views.js";

/** Whether two numbers differ by more than numerical noise. */
export function changed(a, b) {
  if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) return false;
  return Math.abs(a - b) > 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
}

/** The moves to a node of a view, first to last. */
export function movesTo(view, id) {
  if (view.kind === "full") return pathTo(view.tree, id).slice(1).map((node) => moveTo(view.tree, node));
  const moves = [];
  for (let at = id; at; at = view.parent(at)) moves.unshift(view.move(at));
  return moves;
}

/** The description of a tree item for a screen reader. */
export function sayItem(state, item) {
  const { view } = state;
  if (item.kind === "never") return `${many(item.count)} moves that are never made; Enter shows them`;
  if (item.kind === "more") return `${many(item.count)} more; Enter shows the next ones`;
  const now = under(state), player = view.player(item.id), parts = [];
  if (item.parent) {
    parts.push([view.move(item.id), stepText(state, item.id)].filter(Boolean).join(", "));
  } else parts.push("Start");
  if (view.kind === "full") parts.push(...sayNode(state, item.id, player));
  else if (player >= 0) parts.push(`${who(state, player)} to move with ${many(view.infosets(item.id).length)} hands`);
  else parts.push("play ends");
  if (now) {
    const reach = now.chances.reach(item.id), whose = teller(state, player), value = now.chances.value(item.id, whose);
    parts.push(reach > 0 ? `reached ${shareText(reach, now.exact.reach(item.id))}` : "never reached");
    if (value !== null) parts.push(`value to ${state.tree.data.players[whose] ?? "nobody"} ${amountText(value, now.exact.value(item.id, whose))}`);
  }
  return parts.join("; ");
}

/** The probability of the move to a node; without a solution, only of a chance move. Empty if unknown. */
function stepText(state, id) {
  const now = under(state), p = now?.chances.step(id) ?? null, rule = now ? null : state.view.rule(id);
  const { chance, players } = notations(state);
  if (p !== null) return (state.view.rule(id) === null ? players : chance)(p, now.exact.step(id), besides(state, id));
  return rule === null ? "" : chance(float(rule), fraction(rule));
}

/** The probabilities of all moves from the parent of a node. */
function besides(state, id) {
  const { view } = state, { chances } = under(state);
  return view.children(view.parent(id)).map((each) => chances.step(each));
}

/** The probability beside a branch: not for a certain move, a move that a player never makes, or equal chance moves named at the start. */
export function stepBeside(state, id) {
  const { view, tree } = state, rule = view.rule(id), p = rule === null ? under(state)?.chances.step(id) ?? 1 : float(rule);
  if (rule !== null && view.parent(id) === 0 && uniform(tree)) return "";
  return p < 1 && (p > 0 || rule !== null) ? stepText(state, id) : "";
}

function sayNode(state, node, player) {
  const { tree } = state;
  if (tree.infoset[node] === NONE) {
    return [`play ends: ${paidAt(tree, node).map((paid, i) => `${tree.data.players[i]} ${paid}`).join(", ")}`];
  }
  if (player < 0) return ["chance moves"];
  const k = tree.infoset[node], hand = handAt(tree, k);
  const size = members(tree, k).length;
  return [
    `${who(state, player)} to move`,
    hand === null ? `information set ${tree.data.infosets[k][1]}` : `hand ${hand}`,
    size > 1 ? `one of ${many(size)} nodes of its information set` : "",
  ].filter(Boolean);
}

/** The moves to the selected item in one line. */
export function historyText(view, key) {
  return movesTo(view, idOf(key)).join(" › ") || "the start";
}
