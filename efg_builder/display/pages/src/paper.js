// The viewer on paper: all that is unfolded, on one sheet, without controls and panel.

import { zoomIdentity } from "d3-zoom";
import { coloursOf } from "./colours.js";
import { arrange, redraw } from "./draw.js";
import { el } from "./dom.js";

const PAD = 12; // pixels around the tree
const TALL = [190, 228], WIDE = [277, 150]; // millimetres for the tree on a sheet of A4, and on one turned sideways

/** Draws the tree whole, in the colours of a light screen; a page that is the viewer alone chooses how the sheet lies. */
export function toPaper(app) {
  const { root, state, parts } = app;
  if (app.screen) return;
  app.screen = state.window;
  root.classList.add("efg-printing");
  state.colours = coloursOf(root);
  arrange(state, Infinity);
  const { left, right, top, bottom } = state.sight.bounds;
  const [width, height] = [right - left + 2 * PAD, bottom - top + 2 * PAD];
  const scale = ([w, h]) => Math.min(w / width, h / height);
  const whole = root.classList.contains("efg-whole"), wide = whole && scale(WIDE) > scale(TALL);
  if (whole) root.append(app.sheet = el("style", {}, `@page { size: A4 ${wide ? "landscape" : "portrait"}; }`));
  parts.svg.style.maxHeight = `${(wide ? WIDE : TALL)[1]}mm`;
  parts.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  state.window = { transform: zoomIdentity.translate(PAD - left, PAD - top), width, height };
  redraw(state, app.layers, app.ident);
}

/** Back to the screen as it was. */
export function fromPaper(app) {
  const { root, state, parts } = app;
  if (!app.screen) return;
  [state.window, app.screen] = [app.screen, null];
  app.sheet?.remove();
  root.classList.remove("efg-printing");
  parts.svg.style.maxHeight = "";
  parts.svg.removeAttribute("viewBox");
  state.colours = coloursOf(root);
  app.acts.draw();
}
