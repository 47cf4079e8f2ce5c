// The viewer on paper: one sheet without controls and panel, with the unfolded tree or only the part in the window.

import { zoomIdentity } from "d3-zoom";
import { coloursOf } from "./colours.js";
import { arrange, redraw } from "./draw.js";
import { SIZE, many } from "./draw_parts.js";
import { el } from "./dom.js";

const PAD = 12; // pixels around the tree
const TALL = [190, 228], WIDE = [277, 150]; // millimeters for the tree on A4, portrait and landscape
const LEAST = 4, POINT = 25.4 / 72; // minimum letter size in points, and millimeters per point

/** Draws the tree in light colors; a page with only the viewer chooses portrait or landscape. */
export function toPaper(app) {
  const { root, state, parts } = app;
  if (app.screen) return;
  app.screen = state.window;
  root.classList.add("efg-printing");
  state.colours = coloursOf(root);
  if (state.exploring) return app.explore.fillAll();
  arrange(state, { width: 0, height: Infinity });
  const whole = root.classList.contains("efg-whole"), { left, right, top, bottom } = state.sight.bounds;
  const scale = ([w, h], { width, height }) => Math.min(w / width, h / height);
  const sheetFor = (window) => (whole && scale(WIDE, window) > scale(TALL, window) ? WIDE : TALL);
  state.window = { transform: zoomIdentity.translate(PAD - left, PAD - top), width: right - left + 2 * PAD, height: bottom - top + 2 * PAD };
  if (SIZE * scale(sheetFor(state.window), state.window) < LEAST * POINT) {
    state.window = app.screen;
    arrange(state);
    const words = `Printed: the part in the window. All ${many(state.sight.order.length)} unfolded nodes would be too small to read on one sheet.`;
    app.said = parts.caption.insertAdjacentElement("afterend", el("p", { class: "efg-caption efg-part" }, words));
  }
  const sheet = sheetFor(state.window), { width, height } = state.window;
  if (whole) root.append(app.sheet = el("style", {}, `@page { size: A4 ${sheet === WIDE ? "landscape" : "portrait"}; }`));
  parts.svg.style.maxHeight = `${sheet[1]}mm`;
  parts.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  redraw(state, app.layers, app.ident);
}

/** Restores the screen. */
export function fromPaper(app) {
  const { root, state, parts } = app;
  if (!app.screen) return;
  [state.window, app.screen] = [app.screen, null];
  app.sheet?.remove();
  app.said?.remove();
  root.classList.remove("efg-printing");
  parts.svg.style.maxHeight = "";
  parts.svg.removeAttribute("viewBox");
  state.colours = coloursOf(root);
  app.acts.draw();
}
