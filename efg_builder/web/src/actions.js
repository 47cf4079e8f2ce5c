// What a reader can do, each as a function: buttons, keys and tests call the same ones.

import { select as d3select } from "d3-selection";
import { zoomIdentity } from "d3-zoom";
import { arrange, redraw } from "./draw.js";
import { MOST, PAGE, canUnfold, unfold } from "./folding.js";
import { many } from "./draw_parts.js";
import { members } from "./measures.js";
import { fillPanel } from "./panel.js";
import { search as searchIn, MOST_HITS } from "./search.js";
import { choose, foldAll, look, refresh, show, under, who } from "./state.js";
import { historyText } from "./words.js";

const CLEAR = 30; // pixels between what is selected and the edge of the window
const MOST_UNFOLDED = 60; // members of an information set that come to sight at once

export function actionsOf(app) {
  const { state } = app;
  let painted = false, hits = { text: null, found: [], at: -1 };

  /** Draws what is in the window, once in a frame however often it is asked for. */
  function paint() {
    if (painted) return;
    painted = true;
    requestAnimationFrame(() => {
      painted = false;
      redraw(state, app.layers, app.ident);
    });
  }

  /** Lays out and draws anew, with `still` (a key) staying where it is on the screen. */
  function draw(still = state.selected) {
    const began = performance.now();
    const before = app.places?.get(still);
    arrange(state);
    app.places = new Map(state.sight.order.map((item) => [item.key, { x: item.x, y: item.y }]));
    const after = app.places.get(still), { transform } = state.window;
    if (before && after) moveTo(transform.translate(before.x - after.x, before.y - after.y));
    redraw(state, app.layers, app.ident);
    tell();
    app.times.last = performance.now() - began;
  }

  function moveTo(transform) {
    d3select(app.parts.svg).call(app.zoom.transform, transform);
  }

  /** The panel, the controls and what a screen reader is told of. */
  function tell() {
    const { parts } = app, data = state.tree.data;
    parts.svg.setAttribute("aria-activedescendant", `${app.ident}-${`${state.selected}`.replace(" ", "-")}`);
    for (const tab of parts.tabs) tab.setAttribute("aria-pressed", `${tab.dataset.kind === state.view.kind}`);
    if (parts.solution) parts.solution.value = state.now;
    if (parts.before) parts.before.value = state.before;
    parts.caption.textContent = state.now >= 0 ? data.solutions[state.now].caption : "No solution was put in: the tree alone";
    const item = state.sight.index.get(state.selected);
    const name = item.kind === "node" ? who(state, state.view.player(item.id)) : "Folded away";
    parts.handle.textContent = `${name} · ${historyText(state.view, state.selected)}`;
    details();
  }

  function details() {
    fillPanel(state, app.parts.panel, state.hovered ?? { key: state.selected, hand: state.hand }, acts);
  }

  function note(text) {
    app.parts.note.textContent = text;
  }

  /** Brings what is selected into the window, moving no more than it takes. */
  function bring() {
    const item = state.sight.index.get(state.selected), { transform, width, height } = state.window;
    const [x, y] = transform.apply([item.x, item.y]), k = transform.k;
    const [w, h] = [Math.min(item.w * k, width - 2 * CLEAR), Math.min(item.h * k, height - 2 * CLEAR)];
    const push = (low, high, size) => (low < CLEAR ? CLEAR - low : high > size - CLEAR ? size - CLEAR - high : 0);
    const [dx, dy] = [push(x, x + w, width), push(y - h / 2, y + h / 2, height)];
    if (dx || dy) moveTo(transform.translate(dx / k, dy / k));
  }

  const acts = {
    paint,
    draw,
    bring,
    under: (which) => under(state, which),
    select(key, hand = null) {
      [state.selected, state.hand, state.hovered] = [key, hand, null];
      bring();
      redraw(state, app.layers, app.ident);
      tell();
    },
    hover(at) {
      const now = state.hovered;
      if (now?.key === at?.key && now?.hand === at?.hand) return;
      state.hovered = at;
      paint();
      details();
    },
    /** Unfolds or folds a node (as `open` says, else the other way); shows what a stand-in stands for. */
    toggle(key, open = null) {
      const began = performance.now();
      const folds = state.folds[state.view.kind], item = state.sight.index.get(key), { id } = item;
      note("");
      state.selected = key;
      const full = `${many(MOST)} nodes are in sight, which is the most: fold some away (“Fold” folds all but what is likely).`;
      if (item.kind !== "node" && state.sight.order.length + Math.min(PAGE, item.count) > MOST) return note(full);
      if (item.kind === "never") folds.all.add(id);
      else if (item.kind === "more") folds.pages.set(id, (folds.pages.get(id) ?? 1) + 1);
      else if (!canUnfold(state.view, id)) return acts.select(key);
      else if (open ?? !folds.open.has(id)) {
        if (!unfold(state.view, under(state)?.chances, folds, id, state.sight)) note(full);
      } else for (const each of [folds.open, folds.all, folds.pages]) each.delete(id);
      const first = item.kind !== "node" && item.place;
      refresh(state);
      const parent = state.sight.index.get(id);
      if (first) state.selected = (parent.children[first - 1] ?? parent).key;
      state.hand = state.hovered = null;
      draw(item.kind === "node" ? key : id);
      bring();
      app.times.unfold = performance.now() - began;
    },
    /** Selects a node of the tree looked at by its number, wherever it is folded away. */
    goto(id, hand = null) {
      choose(state, id, hand);
      state.hovered = null;
      draw();
      bring();
    },
    hand(id, k) {
      acts.goto(id, state.hand === k ? null : k);
    },
    row(n) {
      const item = state.sight.index.get(state.selected);
      if (state.view.kind !== "public" || item.kind !== "node") return;
      const k = state.view.infosets(item.id)[n];
      if (k !== undefined) acts.select(item.key, state.hand === k ? null : k);
    },
    /** Turns to a node of the full tree. */
    node(node) {
      if (state.view.kind !== "full") acts.look("full");
      acts.goto(node);
    },
    members(k) {
      const all = members(state.tree, k).slice(0, MOST_UNFOLDED);
      const at = state.selected;
      for (const node of all) choose(state, state.view.at(node));
      state.selected = at;
      draw();
      if (members(state.tree, k).length > all.length) note(`The first ${all.length} members are in sight.`);
    },
    look(kind) {
      if (!state.views[kind] || state.view.kind === kind) return;
      look(state, kind);
      hits = { text: null, found: [], at: -1 };
      app.places = null;
      draw();
      acts.fit();
    },
    turn() {
      const kind = state.view.kind === "full" ? "public" : "full";
      if (state.views[kind]) acts.look(kind);
      else note(state.tree.data.no_public);
    },
    show(which) {
      show(state, which);
      draw();
    },
    next() {
      const count = state.tree.data.solutions.length;
      if (count > 1) acts.show((state.now + 1) % count);
    },
    compare(which) {
      state.before = which === state.now ? -1 : which;
      draw();
    },
    fold() {
      foldAll(state);
      note("");
      app.places = null;
      draw();
      acts.fit();
    },
    /** Goes to the next hit (1) or the one before (-1) of what is written in the search field. */
    hit(step) {
      const text = app.parts.input.value, { hits: label } = app.parts;
      if (text !== hits.text) hits = { text, found: searchIn(state.view, text), at: step > 0 ? -1 : 0 };
      const { found } = hits;
      if (!found.length) {
        label.textContent = text.trim() ? "nothing found" : "";
        return;
      }
      hits.at = (hits.at + step + found.length) % found.length;
      acts.goto(found[hits.at].id, found[hits.at].hand);
      label.textContent = `${many(hits.at + 1)} of ${found.length === MOST_HITS ? "more than " : ""}${many(found.length)}`;
    },
    find() {
      app.parts.input.focus();
      app.parts.input.select();
    },
    escape() {
      app.parts.svg.focus();
    },
    zoom(factor) {
      d3select(app.parts.svg).call(app.zoom.scaleBy, factor);
    },
    /** All that is in sight into the window, as long as it can still be read; else from the start on. */
    fit() {
      const { bounds, root } = state.sight, { width, height } = state.window, pad = 24, foot = 46; // the legend stands at the foot
      const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
      const whole = Math.min((width - 2 * pad) / w, (height - pad - foot) / h, 1.25);
      const k = Math.max(whole, width < 600 ? 0.85 : 0.55);
      const x = w * k <= width - 2 * pad ? (width - w * k) / 2 : pad;
      const y = h * k <= height - pad - foot ? (height + pad - foot) / 2 - k * (bounds.top + bounds.bottom) / 2 : height / 2 - k * root.y;
      moveTo(zoomIdentity.translate(x, y).scale(k));
    },
    help() {
      app.parts.help.showModal();
    },
    closeHelp() {
      app.parts.help.close();
    },
    sheet() {
      const shut = app.root.classList.toggle("efg-shut");
      app.parts.handle.setAttribute("aria-expanded", `${!shut}`);
    },
  };
  return acts;
}
