// The viewer of game trees: puts one into every element of class "efg-viewer", with the data that its data-store names.

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { unpacked } from "./data.js";
import { canvas } from "./draw.js";
import { exactBelief, exactReach, exactValue } from "./exact.js";
import { onKey } from "./keys.js";
import { actionsOf } from "./actions.js";
import { stateOf } from "./state.js";
import { infosetFacts } from "./measures.js";
import { fractionText } from "./numbers.js";
import { skeleton } from "./toolbar.js";

const SCALES = [0.02, 4];

async function mount(root) {
  const began = performance.now();
  const state = stateOf(await unpacked(root.dataset.store));
  const ident = root.id || "view", app = { root, ident, state, times: {} };
  const acts = app.acts = actionsOf(app);
  app.parts = skeleton(root, state, ident, acts);
  app.layers = canvas(app.parts.svg);
  app.zoom = zoom().scaleExtent(SCALES).on("zoom", ({ transform }) => {
    state.window.transform = transform;
    acts.paint();
  });
  const svg = select(app.parts.svg).call(app.zoom).on("dblclick.zoom", null);
  state.window = { transform: zoomIdentity, ...sizeOf(app.parts.svg) };
  listen(app, svg);
  root.classList.toggle("efg-shut", matchMedia("(max-width: 760px)").matches);
  acts.draw();
  Object.assign(state.window, sizeOf(app.parts.svg)); // the controls have taken their room
  acts.fit();
  app.times.first = performance.now() - began;
  performance.mark("efg-drawn");
  root.classList.add("efg-ready");
  (window.efgView ??= {})[ident] = { state, acts, times: app.times, infosetFacts, under: acts.under, exact: exactFacts(state) };
}

/** For tests and the console: the exact numbers of a node under the solution of a number, as text. */
function exactFacts(state) {
  const written = (f) => f && fractionText(f), { tree } = state;
  return (which, node) => {
    const solution = tree.data.solutions[which];
    return {
      reach: written(exactReach(tree, solution, node)),
      value: written(exactValue(tree, solution, node, 0)),
      belief: tree.player[node] < 0 ? null : written(exactBelief(tree, solution, node)),
    };
  };
}

function sizeOf(svg) {
  const { width, height } = svg.getBoundingClientRect();
  return { width: Math.max(width, 1), height: Math.max(height, 1) };
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
  app.root.addEventListener("keydown", (event) => {
    if (event.target === parts.svg) {
      if (onKey(event, state, acts)) event.preventDefault();
    } else if (event.key === "Escape" && !parts.help.open) acts.escape();
  });
  parts.input.addEventListener("input", () => (parts.hits.textContent = ""));
  new ResizeObserver(() => {
    const before = state.window.height;
    Object.assign(state.window, sizeOf(parts.svg));
    if (state.window.height < before) acts.bring();
    acts.paint();
  }).observe(parts.svg);
}

for (const root of document.querySelectorAll(".efg-viewer")) {
  mount(root).catch((error) => {
    root.textContent = `This tree cannot be shown: ${error.message}`;
    throw error;
  });
}

