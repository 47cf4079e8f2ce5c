// The state of the viewer as one line of text: the page's address after "#", and the entries of undo and redo.
//
// "view=full&at=2 vs 1,1x3&s=2" can be written by hand; the page writes "open=…", the unfolded nodes.

import { addressOf as exploredAddress, exploreOf, goTo as goToExplored } from "./explore_model.js";
import { PAGE, canUnfold, childrenInSight, folded } from "./folding.js";
import { inFiles } from "./model.js";
import { choose, idOf, look, refresh, under } from "./state.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const SHUT = 0, OPEN = 1, ALL = 2; // ALL: the unfolded node also shows the moves never made

/** The address of a state: tree, selection, solutions, unfolded nodes. */
export function addressOf(state) {
  if (state.exploring) return joined([["view", "explore"], ...(state.now > 0 ? [["s", state.now + 1]] : []), ...(state.explore ? exploredAddress(state.explore) : [])]);
  const parts = [["view", state.view.kind]], shown = [...state.folds[state.view.kind].shown].filter(([id, n]) => n !== PAGE && state.view.children(id).length > Math.min(n, PAGE));
  const at = pathOf(state);
  if (at.length) parts.push(["at", at.map(encoded).join(",")]);
  if (state.hand !== null) parts.push(["hand", state.view.infosets(idOf(state.selected)).indexOf(state.hand) + 1]);
  if (state.now > 0) parts.push(["s", state.now + 1]);
  if (state.before >= 0) parts.push(["with", state.before + 1]);
  parts.push(["open", unfoldedText(state)]);
  if (shown.length) parts.push(["shown", shown.map(([id, n]) => `${id}:${n}`).join(",")]);
  return joined(parts);
}

function joined(parts) {
  return parts.map(([name, value]) => `${name}=${value}`).join("&");
}

/** Whether `text` can be an address of a viewer, unlike an anchor of another page. */
export function isAddress(text) {
  return /(^|&)(view|at|s)=/.test(text);
}

/** Goes to an address; returns null, or a description of the missing part. `unfoldFirst()` unfolds a tree that is new. */
export function goTo(state, text, unfoldFirst) {
  const given = new Map(text.split("&").map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
  const count = state.tree.data.solutions.length;
  const solution = (name, none) => (given.has(name) && given.get(name) >= 1 && given.get(name) <= count ? Math.trunc(given.get(name)) - 1 : none);
  state.now = solution("s", Math.min(count - 1, 0));
  state.before = solution("with", -1);
  state.exploring = given.get("view") === "explore";
  if (state.exploring) {
    state.explore ??= exploreOf(state.tree, state.now);
    return !state.explore || goToExplored(state.explore, given, state.now) ? null : "Some bars or payoffs of the address do not fit this game.";
  }
  const kind = state.views[given.get("view")] ? given.get("view") : state.view.kind;
  const fresh = (kind !== state.view.kind || kind === state.untouched) && look(state, kind);
  state.hovered = null;
  if (given.has("open")) unfoldAs(state, given.get("open"), given.get("shown") ?? "");
  else if (fresh) unfoldFirst();
  refresh(state);
  const moves = given.get("at") ? given.get("at").split(",").map(decoded) : [];
  const { id, rest } = follow(state.view, moves);
  const standIn = rest.length === 1 && /^~(never|more)$/.test(rest[0]) ? `${rest[0].slice(1)} ${id}` : null;
  choose(state, id, state.view.kind === "public" ? (state.view.infosets(id)[given.get("hand") - 1] ?? null) : null);
  if (state.sight.index.has(standIn)) state.selected = standIn;
  else if (rest.length && !standIn) return `There is no move ${JSON.stringify(rest[0])} here: the address is of another tree, or its moves were mistyped.`;
  return null;
}

/** The moves to the selection; "~never" or "~more" is last for stand-ins. */
function pathOf({ view, selected }) {
  const path = [];
  for (let at = idOf(selected); at; at = view.parent(at)) path.unshift(nameOf(view, at));
  return typeof selected === "number" ? path : [...path, `~${selected.split(" ")[0]}`];
}

/** A move by its label, or by its number ("~2") if the label is blank or ambiguous. */
function nameOf(view, id) {
  const label = called(view, id), beside = view.children(view.parent(id));
  const plain = label && !label.startsWith("~") && beside.filter((each) => called(view, each) === label).length === 1;
  return plain ? label : `~${beside.indexOf(id) + 1}`;
}

/** The move as in files, because people write addresses by hand. */
function called(view, id) {
  return inFiles(view.tree.data, view.move(id));
}

/** The node after moves from the start: {id, rest}, with the moves that do not exist. */
function follow(view, moves) {
  let id = 0;
  for (let n = 0; n < moves.length; n++) {
    const children = view.children(id), number = /^~(\d+)$/.exec(moves[n]);
    const next = number ? children[number[1] - 1] : children.find((each) => [called(view, each), view.move(each)].includes(moves[n]));
    if (next === undefined) return { id, rest: moves.slice(n) };
    id = next;
  }
  return { id, rest: [] };
}

function encoded(label) {
  return encodeURIComponent(label).replaceAll("%20", "+");
}

function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** The unfolded nodes, the first node first, three nodes per letter. */
function unfoldedText({ view, folds, sight }) {
  const { open, all } = folds[view.kind], signs = [];
  for (const { id, kind } of sight.order) {
    if (kind === "node" && canUnfold(view, id)) signs.push(open.has(id) ? (all.has(id) ? ALL : OPEN) : SHUT);
  }
  while (signs.at(-1) === SHUT) signs.pop();
  let text = "";
  for (let n = 0; n < signs.length; n += 3) text += LETTERS[signs[n] * 16 + (signs[n + 1] ?? 0) * 4 + (signs[n + 2] ?? 0)];
  return text;
}

/** Unfolds the nodes of such a text: each unfolded node determines the node of the next sign. */
function unfoldAs(state, text, shown) {
  const { view } = state, folds = folded(), signs = [...text].flatMap((letter) => signsOf(LETTERS.indexOf(letter)));
  for (const each of shown.split(",")) {
    const [id, n] = each.split(":").map(Number);
    if (n >= 1 && id >= 0 && id < view.count) folds.shown.set(id, Math.min(n, view.children(id).length));
  }
  const stack = [0];
  for (let n = 0; stack.length && n < signs.length; ) {
    const id = stack.pop();
    if (!canUnfold(view, id)) continue;
    const sign = signs[n++];
    if (sign !== OPEN && sign !== ALL) continue;
    folds.open.add(id);
    if (sign === ALL) folds.all.add(id);
    stack.push(...childrenInSight(view, under(state)?.chances, folds, id).ids.toReversed());
  }
  state.folds[view.kind] = folds;
}

function signsOf(letter) {
  return letter < 0 ? [] : [letter >> 4, (letter >> 2) & 3, letter & 3];
}
