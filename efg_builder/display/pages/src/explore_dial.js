// The slider of Explore beside the bars: it moves a parameter of the game, or else a payoff.

import { el } from "./dom.js";
import { dials, setPayoffs } from "./explore_model.js";
import { fractionText, minus, plus } from "./numbers.js";

/** {element, draw}; `pause` ends learning, `paint` shows a change at once, `changed` ends one. */
export function dialOf(self, { pause, paint, changed }) {
  const all = dials(self), { players } = self.tree.data;
  if (!all.length) return { element: null, draw: () => {} };
  const isShared = all.every((dial) => dial.name.endsWith(".0"));
  const said = self.settings.length ? "Parameter" : isShared ? `Payoff to ${players[0]} of the outcome` : "Payoff of the outcome to";
  const options = all.map((dial) => el("option", { value: dial.name }, dial.label));
  const name = el("select", { "aria-label": "What to change", change: draw }, options), now = el("output");
  const slide = el("input", { type: "range", min: 0, step: 1, "aria-label": "Its value", input: turn, change: () => changed() });
  const reset = el("button", { type: "button", click: () => { pause(); setPayoffs(self, new Map()); changed(); } }, "Reset");
  return { element: el("span", { class: "efg-xdial" }, el("label", {}, el("span", {}, said), name), slide, now, reset), draw };

  function dial() {
    return dials(self).find((each) => each.name === name.value);
  }

  function turn() {
    const { low, step } = dial();
    pause();
    const value = plus(low, [BigInt(slide.value) * step[0], step[1]]);
    setPayoffs(self, new Map(self.changes).set(name.value, value));
    paint();
  }

  function draw() {
    const { low, high, step, value } = dial(), steps = ([a, b]) => Number((a * step[1]) / (b * step[0])), text = fractionText(value).replace("-", "−");
    slide.max = steps(minus(high, low));
    slide.value = steps(minus(value, low));
    slide.setAttribute("aria-valuetext", text);
    now.textContent = text;
    reset.hidden = !self.changes.size;
  }
}
