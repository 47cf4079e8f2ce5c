// The tree on the screen: SVG elements for what is in the window, and for nothing else.

import { select } from "d3-selection";
import { el } from "./dom.js";
import { canUnfold } from "./folding.js";
import { place } from "./layout.js";
import { RADIUS, fullNode } from "./draw_full.js";
import { publicNode } from "./draw_public.js";
import { changed, sayItem, stepText } from "./words.js";
import { lineText, standIn } from "./draw_parts.js";
import { members } from "./measures.js";
import { READ, TARGET, litSet, membersInSight, under } from "./state.js";
import { shareText } from "./numbers.js";

const STUB = 19, ROUND = 50; // pixels: how far the line of a set goes on below a node, or above those it leads around
const MARGIN = 200; // pixels around the window that are drawn too, so that a push shows no blank

/** Empty layers in an SVG element, to be filled by `redraw`. */
export function canvas(svg) {
  const world = el("svg:g");
  const layer = (name, attributes = {}) => world.appendChild(el("svg:g", { class: name, ...attributes }));
  const layers = { world, lines: layer("efg-lines", { "aria-hidden": "true" }), set: layer("efg-set", { "aria-hidden": "true" }) };
  layers.nodes = layer("efg-nodes", { role: "presentation" });
  world.setAttribute("role", "presentation");
  svg.append(world);
  return layers;
}

/** How each kind of item is drawn: a function of (state, item) to {w, h, draw(g)}. */
function bodyOf(state, item) {
  if (item.kind !== "node") return standIn(item);
  return state.view.kind === "full" ? fullNode(state, item.id) : publicNode(state, item.id);
}

/**
 * Lays out anew what is in sight. To be called whenever that, or what is written on it, has changed. A tree taller than `tall` pixels shows its
 * likeliest branch first.
 */
export function arrange(state, tall = state.window.height / READ) {
  const { kind } = state.view, { tree } = state, now = under(state);
  place(state.sight, (item) => {
    const body = bodyOf(state, item);
    const label = item.parent && item.kind === "node" ? lineLabel(state, item) : null;
    return { w: body.w, h: Math.max(body.h, label ? label.h : 0, state.touch ? TARGET : 0), before: (label ? label.width : 0) + 38, body, label };
  }, (item) => (kind === "full" && item.kind === "node" && tree.player[item.id] >= 0 ? tree.infoset[item.id] : null),
  (item) => now?.chances.step(item.id) ?? 0, tall);
  state.drawn = (state.drawn ?? 0) + 1;
}

/** What is in the window, drawn; elements are kept from one call to the next where nothing about them has changed. */
export function redraw(state, layers, ident) {
  const { transform, width, height } = state.window;
  const [left, top] = transform.invert([-MARGIN, -MARGIN]);
  const [right, bottom] = transform.invert([width + MARGIN, height + MARGIN]);
  const inside = (item) => item.x + item.w >= left && item.x - item.before <= right && item.y + item.h / 2 >= top && item.y - item.h / 2 <= bottom;
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
    this.body?.light?.(lit);
  });
  const ends = state.sight.order.filter((item) => item.parent && crosses(item, left, right, top, bottom));
  select(layers.lines).selectAll("g.efg-line").data(ends, (item) => item.key).join(
    (enter) => enter.append("g").attr("class", "efg-line"),
  ).each(function (item) {
    if (this.made !== state.drawn) drawLine(state, this, item);
    this.made = state.drawn;
  });
  drawSets(state, layers.set, lit, { left, right, top, bottom });
}

/** Whether play never gets here. */
function isOut(state, item) {
  const now = under(state);
  if (!now) return false;
  return item.kind === "never" || !(now.chances.reach(item.id) > 0);
}

function crosses(item, left, right, top, bottom) {
  const { parent } = item;
  const [low, high] = item.y < parent.y ? [item.y, parent.y] : [parent.y, item.y];
  return item.x >= left && parent.x + parent.w <= right && high + 20 >= top && low - 20 <= bottom;
}

function fill(state, g, item, ident) {
  g.textContent = "";
  g.id = `${ident}-${`${item.key}`.replace(" ", "-")}`;
  g.setAttribute("transform", `translate(${item.x},${item.y})`);
  g.setAttribute("aria-level", item.depth + 1);
  g.setAttribute("aria-posinset", item.place);
  g.setAttribute("aria-setsize", item.places);
  if (item.kind === "node" && canUnfold(state.view, item.id)) {
    g.setAttribute("aria-expanded", `${state.folds[state.view.kind].open.has(item.id)}`);
  } else g.removeAttribute("aria-expanded");
  g.setAttribute("aria-label", sayItem(state, item));
  g.body = item.body;
  g.append(el("svg:rect", { class: "efg-ring", x: item.shift - 5, y: -item.h / 2 - 1, width: item.w - item.shift + 10, height: item.h + 2, rx: 7 }));
  item.body.draw(g, item);
}

/** "2x1 50%", and how that differs from the solution compared with. */
function lineLabel(state, item) {
  const now = under(state), before = under(state, state.before);
  const move = state.view.move(item.id), p = now?.chances.step(item.id) ?? null;
  const was = before?.chances.step(item.id) ?? null;
  const differs = changed(p, was) && state.before >= 0;
  return lineText(move, stepText(state, item.id), differs ? `${p > was ? "▲" : "▼"} was ${shareText(was, before.exact.step(item.id))}` : "");
}

function drawLine(state, g, item) {
  g.textContent = "";
  const now = under(state), p = item.kind === "node" ? (now?.chances.step(item.id) ?? null) : 0;
  const off = now !== null && isOut(state, item); // prescribed all the same where p is above 0
  const [x0, y0] = [item.parent.x + item.parent.w, item.parent.y];
  const bend = item.x - (item.label ? item.label.width + 12 : 12), half = (x0 + bend) / 2;
  g.append(el("svg:path", {
    class: `efg-way${!off ? "" : p ? " efg-offpath" : " efg-unmade"}`,
    d: `M${x0},${y0}C${half},${y0} ${half},${item.y} ${bend},${item.y}H${item.x + item.shift}`,
    "stroke-width": now ? 1 + 3 * (p ?? 0) : 1.3,
  }));
  if (item.label) item.label.draw(g, item.x - 10, item.y);
}

/** The dotted lines through the members in sight of each information set, and a stub where more are folded away. */
function drawSets(state, layer, lit, window) {
  const sets = state.view.kind === "full" ? [...state.sight.sets].filter(([, items]) => inside(items, window)) : [];
  select(layer).selectAll("path").data(sets, ([k]) => k).join("path").each(function ([k, items]) {
    const d = lineThrough(items) + (members(state.tree, k).length > items.length ? stubBelow(items.at(-1)) : "");
    const whose = state.tree.data.infosets[k][0] % 8;
    this.setAttribute("d", d);
    this.setAttribute("class", `efg-alike efg-by${whose}${k === lit ? " efg-same" : ""}`);
  });
}

function inside(items, { left, right, top, bottom }) {
  return items[0].y <= bottom && items.at(-1).y >= top - STUB && items.some((item) => item.x <= right && item.x + item.w >= left);
}

function lineThrough(items) {
  return items.slice(1).map((item, n) => {
    const [x0, y0, x1, y1] = [...middle(items[n]), ...middle(item)];
    // Members in two columns (who has forgotten that there was a move before): around what is between them.
    return x0 === x1 ? `M${x0},${y0}V${y1}` : `M${x0},${y0}Q${(x0 + x1) / 2},${Math.min(y0, y1) - ROUND} ${x1},${y1}`;
  }).join("");
}

function stubBelow(item) {
  const [x, y] = middle(item);
  return `M${x},${y}v${STUB}`;
}

function middle(item) {
  return [item.x + item.shift + RADIUS, item.y];
}
