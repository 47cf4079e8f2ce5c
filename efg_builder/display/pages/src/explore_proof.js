// The proof as a picture: two bounds on one axis that meet at an equilibrium; or each player's gain from a best response.

import { el, textWidth, words } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { evaluate, isZero } from "./explore_game.js";
import { isSolved, uniform } from "./explore_model.js";
import { LONG, amountText, times } from "./numbers.js";

const PAD = 16, FONT = 15, AXIS = 46; // pixels
const STEPS = [[1, 20], [1, 10], [1, 8], [1, 4], [1, 2], [1, 1], [2, 1], [5, 1]]; // between ticks

/** The picture of the proof, `width` pixels wide. */
export function proofOf(self, width) {
  return self.result.bounds ? axisOf(self, width) : gainsOf(self);
}

/** The span of the axis: the bounds so far, beginning with the bounds of uniform play. */
function spanOf(self) {
  if (!self.span) {
    const { bounds } = evaluate(self.game, uniform(self), self.payoffs);
    self.span = bounds.map(([x]) => x);
  }
  const seen = [...self.span, ...self.result.bounds.map(([x]) => x)], [low, high] = [Math.min(...seen), Math.max(...seen)];
  self.span = [low, high];
  const pad = 0.12 * (high - low || 1);
  return [low - pad, high + pad];
}

/** At most `most` round numbers between two: pairs [float, fraction]. */
function ticksOf(low, high, most) {
  const [a, b] = STEPS.find(([a, b]) => ((high - low) * b) / a <= most) ?? [10 ** Math.ceil(Math.log10((high - low) / most)), 1], ticks = [];
  for (let n = Math.ceil((low * b) / a); (n * a) / b <= high; n++) ticks.push([(n * a) / b, times([BigInt(n * a), BigInt(b)], [1n, 1n])]);
  return ticks;
}

function axisOf(self, width) {
  const { result, tree } = self, { players } = tree.data, [low, high] = spanOf(self), at = (x) => PAD + ((x - low) / (high - low)) * (width - 2 * PAD);
  const [sure, most] = result.bounds, [left, right] = [at(sure[0]), at(most[0])];
  const said = [[`${players[0]} is sure of `, amountText(...sure)], [`${players[1]} allows at most `, amountText(...most)]];
  const sizes = said.map((pair) => textWidth(pair.join(""), FONT, true)), gap = 8;
  const ends = [Math.max(PAD / 2 + sizes[0], left - gap), Math.min(width - PAD / 2 - sizes[1], right + gap)], fits = ends[0] < ends[1];
  const up = fits ? 0 : 18, y = AXIS + up, line = (x, kind) => el("svg:path", { class: kind, d: `M${x},${y - 15}V${y + 15}` });
  const value = isSolved(self) ? at(self.solved.payoffs[0][0]) : null, label = value === null ? "" : `value ${amountText(...self.solved.payoffs[0], LONG)}`;
  const isClear = (x) => value === null || Math.abs(x - value) > textWidth(label, 13) / 2 + 24;
  const strong = (inside) => el("svg:tspan", { "font-weight": "bold" }, inside);
  const parts = [
    el("svg:path", { class: "efg-xaxis", d: `M${PAD},${y}H${width - PAD}` }),
    ...ticksOf(low, high, Math.ceil(width / 100)).flatMap((tick) => [el("svg:path", { class: "efg-xaxis", d: `M${at(tick[0])},${y - 3}v6` }), isClear(at(tick[0])) ? words(at(tick[0]), y + 28, "middle", "efg-soft", amountText(...tick)) : null]),
    el("svg:rect", { class: "efg-xgap", x: Math.min(left, right), y: y - 11, width: Math.abs(right - left), height: 22 }),
  ];
  if (value !== null) parts.push(el("svg:path", { class: "efg-xdash", d: `M${value},${y - 17}v34` }), words(value, y + 28, "middle", "efg-xsmall", label));
  parts.push(
    el("svg:g", { class: colorsOf(0) }, line(left, "efg-xbound"), words(ends[0], 18, "end", "efg-ink", said[0][0], strong(said[0][1]))),
    el("svg:g", { class: colorsOf(1) }, line(right, "efg-xbound"), words(ends[1], 18 + up, "start", "efg-ink", said[1][0], strong(said[1][1]))),
    el("svg:circle", { class: "efg-xvalue", cx: at(result.payoffs[0][0]), cy: y, r: 5.5 }),
  );
  return el("svg:svg", { class: "efg-xaxes", width, viewBox: `0 0 ${width} ${y + 34}`, role: "img", "aria-label": said.flat().join("") }, ...parts);
}

function gainsOf(self) {
  const { result, tree } = self;
  const rows = tree.data.players.map((name, i) => {
    const gain = result.gains[i], none = gain && isZero(gain);
    return el("tr", { class: colorsOf(i) },
      el("th", { scope: "row" }, el("span", { class: `efg-dot ${colorsOf(i)}`, "aria-hidden": "true" }), name), el("td", {}, `gets ${amountText(...result.payoffs[i], LONG)}`),
      el("td", { class: "efg-xgain" }, gain ? el("span", { class: "efg-xgained", style: `width:${Math.min(100, (50 * gain[0]) / self.payoffs.most)}%` }) : null,
        el("span", {}, !gain ? "forgets, so no best response is computed" : none ? "no gain from a best response" : `gains ${amountText(...gain, LONG)} by a best response`)));
  });
  return el("table", { class: "efg-xgains" }, el("tbody", {}, rows));
}

/** The number of the shown equilibrium, "1 of 4", if the page has several. */
export function placeOf({ tree, now }) {
  return / (\d+ of \d+)/.exec(tree.data.solutions[now]?.name ?? "")?.[0] ?? "";
}
