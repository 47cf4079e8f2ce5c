// The tree on the screen: SVG elements only for the part in the window.

import { select } from "d3-selection";
import { el } from "./dom.js";
import { canUnfold } from "./folding.js";
import { CLEAR, RADIUS, lineTo, place, wordsAt } from "./layout.js";
import { fullNode, paidWidths } from "./draw_full.js";
import { publicNode } from "./draw_public.js";
import { changed, sayItem, stepBeside } from "./words.js";
import { colorsOf, standIn, wordsOf } from "./draw_parts.js";
import { members } from "./measures.js";
import { NONE } from "./model.js";
import { PAD, TARGET, litSet, membersInSight, under } from "./state.js";
import { notations } from "./notations.js";

const GOES_ON = RADIUS + 9, BEND = 50; // pixels: how far a band goes on beyond its last node, or above nodes that it leads around
const MARGIN = 200; // pixels drawn around the window, so that moving shows no blank
const PLAIN = 1.4, LEAST = 1, GAIN = 3.4; // pixels: a line whose move has no probability, a line of a move never made, the addition for a certain move

/** Empty layers in an SVG element for `redraw`. */
export function canvas(svg) {
  const world = el("svg:g", { role: "presentation" });
  const layer = (name, attributes) => world.appendChild(el("svg:g", { class: name, ...attributes }));
  const layers = { world, sets: layer("efg-sets", { "aria-hidden": "true" }), lines: layer("efg-lines", { "aria-hidden": "true" }) };
  layers.nodes = layer("efg-nodes", { role: "presentation" });
  svg.append(world);
  return layers;
}

function bodyOf(state, item) {
  if (item.kind !== "node") return standIn(item);
  return state.view.kind === "full" ? fullNode(state, item) : publicNode(state, item.id);
}

/**
 * Lays out the shown items again. Call it after each change of these items or of their texts. A tree that would be
 * unreadable at the height of the window shows its most probable branch first.
 */
export function arrange(state, { width, height } = state.window) {
  const { sight, tree, view, touch } = state, full = view.kind === "full", now = under(state);
  const frame = { width: touch ? 0 : width - 2 * PAD, height: height - 2 * PAD }; // on a small screen nothing is far apart
  const ends = full ? sight.order.filter((item) => item.kind === "node" && tree.infoset[item.id] === NONE) : [];
  const paid = paidWidths(tree, ends.map((item) => item.id));
  for (const item of ends) item.paid = paid;
  place(sight, (item) => {
    const p = item.kind === "node" && item.parent ? (now?.chances.step(item.id) ?? null) : 0, played = now && (p === null || p > 0);
    const body = bodyOf(state, item), label = item.parent && item.kind === "node" ? lineWords(state, item, p, played) : null;
    const inner = Math.max(body.h / 2, touch ? TARGET / 2 : 0);
    return { body, label, p, played, inner, outer: Math.max(inner, label ? label.h + 3 : 0, body.beside ?? 0) };
  }, (item) => (full && item.kind === "node" && isChoice(tree, item.id) ? tree.infoset[item.id] : null),
  (item) => now?.chances.step(item.id) ?? 0, frame);
  state.drawn = (state.drawn ?? 0) + 1;
}

/** Whether a player decides at a node: a single action leaves no choice, so that its information set has no band. */
function isChoice(tree, node) {
  return tree.player[node] >= 0 && tree.data.infosets[tree.infoset[node]][2].length > 1;
}

/** Draws the part in the window; unchanged elements are reused. */
export function redraw(state, layers, ident) {
  const { transform, width, height } = state.window;
  const [left, top] = transform.invert([-MARGIN, -MARGIN]);
  const [right, bottom] = transform.invert([width + MARGIN, height + MARGIN]);
  const inside = ({ x, y, up, down, body }) => x + body.w >= left && x - body.back <= right && y + down >= top && y - up <= bottom;
  const items = state.sight.order.filter((item) => item.key === state.selected || inside(item));
  const lit = litSet(state);
  const { seen, stands } = lit === null ? { seen: new Set(), stands: new Map() } : membersInSight(state, lit);
  layers.world.setAttribute("transform", transform.toString());
  select(layers.nodes).selectAll("g.efg-node").data(items, (item) => item.key).join(
    (enter) => enter.append("g").attr("role", "treeitem"),
  ).order().each(function (item) {
    if (this.made !== state.drawn) fill(state, this, item, ident);
    this.made = state.drawn;
    this.setAttribute("aria-selected", `${item.key === state.selected}`);
    this.setAttribute("class", `efg-node efg-${item.kind}`
      + (item.key === state.selected ? " efg-chosen" : "") + (seen.has(item.key) ? " efg-lit" : "")
      + (stands.has(item.key) ? " efg-holds" : "") + (isOut(state, item) ? " efg-out" : ""));
    item.body.light?.(lit);
  });
  const crosses = ({ x, y, parent }) => parent && x >= left && parent.x <= right && Math.max(y, parent.y) + 20 >= top && Math.min(y, parent.y) - 20 <= bottom;
  select(layers.lines).selectAll("g.efg-line").data(state.sight.order.filter(crosses).sort((a, b) => (a.played !== false) - (b.played !== false)), (item) => item.key).join(
    (enter) => enter.append("g"),
  ).order().each(function (item) {
    if (this.made !== state.drawn) drawLine(state, this, item);
    this.made = state.drawn;
  });
  drawSets(state, layers.sets, lit, { left, right, top, bottom });
}

/** Whether the node is never reached. */
function isOut(state, item) {
  const now = under(state);
  if (!now) return false;
  return item.kind === "never" || !(now.chances.reach(item.id) > 0);
}

function fill(state, g, item, ident) {
  const { x, y, up, down, body } = item;
  g.textContent = "";
  g.id = `${ident}-${`${item.key}`.replace(" ", "-")}`;
  g.setAttribute("transform", `translate(${x},${y})`);
  g.setAttribute("aria-level", item.depth + 1);
  g.setAttribute("aria-posinset", item.place);
  g.setAttribute("aria-setsize", item.places);
  if (item.kind === "node" && canUnfold(state.view, item.id)) {
    g.setAttribute("aria-expanded", `${state.folds[state.view.kind].open.has(item.id)}`);
  } else g.removeAttribute("aria-expanded");
  g.setAttribute("aria-label", sayItem(state, item));
  const left = Math.max(body.back, state.touch && body.node ? TARGET / 2 : 0), right = Math.max(body.w, state.touch ? TARGET / 2 : 0);
  g.append(el("svg:rect", { class: "efg-touch", x: -left, y: -up, width: left + right, height: up + down }));
  g.append(body.node ? el("svg:circle", { class: "efg-ring", r: RADIUS + 4 }) : el("svg:rect", { class: "efg-ring", x: -body.back - 4, y: -body.h / 2 - 2, width: body.back + body.w + 8, height: body.h + 4, rx: 7 }));
  body.draw(g, item);
}

/** "2x1 1/2", and the difference from the solution compared with. */
function lineWords(state, { id, parent }, p, played) {
  const before = under(state, state.before), { view } = state, was = before?.chances.step(id) ?? null;
  const differs = changed(p, was) ? `${p > was ? "▲" : "▼"} was ${notations(state).players(was, before.exact.step(id))}` : "";
  return wordsOf(view.move(id), stepBeside(state, id), differs, view.player(parent.id), played);
}

/** A branch in its player's color, with its width by probability. */
function drawLine(state, g, item) {
  const { p, played } = item, mover = state.view.player(item.parent.id), plain = played === null || (played && (mover < 0 || p === null));
  const wide = plain ? PLAIN : LEAST + GAIN * (isOut(state, item) ? p / 3 : p);
  g.setAttribute("class", `efg-line ${colorsOf(mover)}`);
  g.replaceChildren(el("svg:path", { class: `efg-way${played === false ? " efg-unmade" : ""}`, d: `M${lineTo(item).join("L")}`, "stroke-width": wide }));
  if (item.label) item.label.draw(g, ...wordsAt(item), item.side);
}

/** A band behind the unfolded members of each information set; it is longer if more are folded away. */
function drawSets(state, layer, lit, window) {
  const sets = state.view.kind === "full" ? [...state.sight.sets].filter(([, items]) => inside(items, window)) : [];
  const more = ([k, items]) => members(state.tree, k).length > items.length;
  select(layer).selectAll("g").data(sets.filter((set) => set[1].length > 1 || more(set)), ([k]) => k).join("g").each(function ([k, items]) {
    const open = more([k, items]);
    this.setAttribute("class", `efg-band ${colorsOf(state.tree.data.infosets[k][0])}${open ? " efg-open" : ""}${k === lit ? " efg-same" : ""}`);
    this.replaceChildren(...[["efg-rim", 0], ["efg-inside", 1.6]].flatMap(([kind, less]) =>
      bandOf(items, open ? GOES_ON : 0).map(([d, width]) => el("svg:path", { class: kind, d, "stroke-width": width - less }))));
  });
}

function inside(items, { left, right, top, bottom }) {
  return items[0].y - GOES_ON <= bottom && items.at(-1).y + GOES_ON >= top && items.some(({ x }) => x <= right && x >= left);
}

/** The lines of a band: [path, width] in each column, and between columns. */
function bandOf(items, more) {
  const columns = [...new Set(items.map((item) => item.x))].sort((a, b) => a - b).map((x) => [x, items.filter((item) => item.x === x)]);
  const bands = columns.filter(([, each]) => each.length > 1 || more).map(([x, each]) => [`M${x},${each[0].y - more}V${each.at(-1).y + more}`, 2 * (RADIUS + CLEAR)]);
  // Members in two columns (the player has forgotten a move): the lines lead around the nodes between them.
  const bends = columns.slice(1).map(([x, [to]], n) => [columns[n][0], columns[n][1][0].y, x, to.y]);
  return [...bands, ...bends.map(([x0, y0, x1, y1]) => [`M${x0},${y0}Q${(x0 + x1) / 2},${Math.min(y0, y1) - BEND} ${x1},${y1}`, RADIUS])];
}
