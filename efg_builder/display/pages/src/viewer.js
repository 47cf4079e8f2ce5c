// The viewer of game trees: puts one into every element of class "efg-viewer", with the data that its data-store names.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { unpacked } from "./data.js";
import { canvas } from "./draw.js";
import { exactOf } from "./exact.js";
import { ANYWHERE, onKey } from "./keys.js";
import { coloursOf } from "./colours.js";
import { actionsOf } from "./actions.js";
import { exploreIn } from "./explore.js";
import { setMoves, stateOf as exploredState } from "./explore_model.js";
import { fromPaper, toPaper } from "./paper.js";
import { pastOf } from "./past.js";
import { stateOf } from "./state.js";
import { infosetFacts } from "./measures.js";
import { fractionText } from "./numbers.js";
import { skeleton } from "./toolbar.js";

const SCALES = [0.02, 4];
const NARROW = 760, MIDDLE = 1080; // pixels of the viewer, which need not be the window: below, a sheet; a narrower panel

async function mount(root) {
  const began = performance.now();
  const state = stateOf(await unpacked(root.dataset.store), root.clientWidth < NARROW);
  const ident = root.id || "view", app = { root, ident, state, times: {} };
  Object.assign(state, { level: Number(root.dataset.level ?? 1), colours: coloursOf(root) });
  const acts = app.acts = actionsOf(app);
  spread(app);
  root.classList.toggle("efg-shut", root.classList.contains("efg-narrow"));
  app.explore = exploreIn(app);
  app.parts = skeleton(root, state, ident, acts, app.explore.element);
  app.layers = canvas(app.parts.svg);
  app.zoom = zoom().scaleExtent(SCALES).on("zoom", ({ transform, sourceEvent }) => {
    state.window.transform = transform;
    if (sourceEvent) app.fitted = false; // the reader has chosen a view
    acts.paint();
  });
  const svg = select(app.parts.svg).call(app.zoom).on("dblclick.zoom", null);
  state.window = { transform: zoomIdentity };
  listen(app, svg);
  acts.open();
  app.past = pastOf(app, acts.turned);
  app.past.back(true);
  app.times.first = performance.now() - began;
  performance.mark("efg-drawn");
  root.classList.add("efg-ready");
  (window.efgView ??= {})[ident] = { state, acts, times: app.times, infosetFacts, under: acts.under, exact: exactFacts(state) };
  window.efg ??= forScripts(app);
}

/** For tests and teachers' scripts: sets bars of Explore, and returns its results as text. */
function forScripts({ state, explore, acts }) {
  const model = () => {
    explore.open();
    if (!state.explore) throw new Error(state.tree.data.only_played ? "this page has only the moves that are played" : "this tree is too large for Explore");
    return state.explore;
  };
  return {
    set(player, informationSet, moves) {
      acts.look("explore");
      const self = model(), k = setMoves(self, player, informationSet, moves);
      self.chosen = { k, a: self.profile[k].p.length === 2 ? 1 : 0 };
      acts.draw();
    },
    state: () => exploredState(model()),
  };
}

/** For tests and the console: the exact numbers of a node under a solution (by number), as text. */
function exactFacts(state) {
  const written = (f) => f && fractionText(f), { tree } = state;
  return (which, node) => {
    const exact = exactOf(tree, tree.data.solutions[which]);
    return { reach: written(exact.reach(node)), value: written(exact.value(node, 0)), belief: tree.player[node] < 0 ? null : written(exact.belief(node)) };
  };
}

/** Sets classes by the width of the viewer. */
function spread({ root, state, acts, parts }) {
  const width = root.clientWidth, narrow = width < NARROW;
  root.classList.toggle("efg-narrow", narrow);
  root.classList.toggle("efg-middle", width < MIDDLE);
  if (narrow === state.touch) return;
  state.touch = narrow;
  if (parts) acts.draw();
}

function listen(app, svg) {
  const { state, parts, acts } = app;
  const itemAt = (event) => event.target.closest(".efg-node")?.__data__ ?? null;
  const rowAt = (event) => {
    const row = event.target.closest(".efg-row");
    return row ? Number(row.dataset.set) : null;
  };
  svg.on("click", (event) => {
    const item = itemAt(event);
    if (!item) return;
    const chosen = item.key === state.selected;
    if (item.kind !== "node" || event.target.closest(".efg-fold")) acts.toggle(item.key);
    else if (chosen && state.view.kind === "full") acts.toggle(item.key);
    else acts.select(item.key, rowAt(event));
  });
  svg.on("dblclick", (event) => itemAt(event) && state.view.kind === "public" && acts.toggle(itemAt(event).key));
  svg.on("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const item = itemAt(event);
    acts.hover(item ? { key: item.key, hand: rowAt(event) } : null);
  });
  svg.on("pointerleave", () => acts.hover(null));
  document.addEventListener("keydown", (event) => {
    if (!event.defaultPrevented && !parts.help.open && keyed(app, event)) event.preventDefault();
  });
  addEventListener("popstate", () => app.past.back());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    state.colours = coloursOf(app.root);
    acts.draw();
  });
  new ResizeObserver(() => app.screen || spread(app)).observe(app.root);
  parts.input.addEventListener("input", () => (parts.hits.textContent = ""));
  new ResizeObserver(() => {
    if (app.screen || state.exploring) return; // on paper, or hidden
    if (!acts.measure()) return;
    acts.draw();
    app.fitted ? acts.fit() : acts.bring();
  }).observe(parts.svg);
  addEventListener("beforeprint", () => toPaper(app));
  addEventListener("afterprint", () => fromPaper(app));
}

/**
 * Handles a key: in the tree, any key; beside the tree, keys with the same meaning everywhere. If nothing has the focus, as
 * after loading: any key if the viewer is the whole page, or keys with one meaning if it is in the middle of the window.
 */
function keyed({ root, state, parts, acts }, event) {
  const { target, key } = event, whole = root.classList.contains("efg-whole"), onTree = !state.exploring || /^[vs?]$/.test(key);
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z" && !event.altKey) {
    const ours = root.contains(target) ? !target.closest("input") : whole && target === document.body;
    if (ours) event.shiftKey ? acts.redo() : acts.undo();
    return ours;
  }
  if (target === parts.svg) return onKey(event, state, acts);
  if (root.contains(target)) {
    if (key === "Escape") acts.escape();
    return key === "Escape" || (onTree && !target.closest("input, select") && ANYWHERE.test(key) && onKey(event, state, acts));
  }
  if (target !== document.body && target !== document.documentElement) return false;
  if (!whole) {
    const { top, bottom } = root.getBoundingClientRect(), middle = innerHeight / 2;
    return top < middle && bottom > middle && ANYWHERE.test(key) && onKey(event, state, acts);
  }
  if (event.ctrlKey || event.metaKey || event.altKey || key === "Tab" || !onTree) return false;
  const known = onKey(event, state, acts);
  if (known && document.activeElement === document.body) parts.svg.focus({ preventScroll: true });
  return known;
}

for (const root of document.querySelectorAll(".efg-viewer")) {
  mount(root).catch((error) => {
    root.textContent = `This tree cannot be shown: ${error.message}`;
    throw error;
  });
}

