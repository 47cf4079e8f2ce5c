// The proof as a picture: two bounds on one axis that meet at an equilibrium; or each player's gain from a best reply.

import { el, textWidth } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { evaluate, isZero, sumOf } from "./explore_game.js";
import { isSolved, uniform } from "./explore_model.js";
import { amountText, times } from "./numbers.js";

const PAD = 16, FONT = 15, AXIS = 46, LONG = 12; // pixels; letters of a number
const STEPS = [[1, 20], [1, 10], [1, 8], [1, 4], [1, 2], [1, 1], [2, 1], [5, 1]]; // between ticks
const NEAR = 1e-3; // the largest gap of the bounds that counts as almost closed, in the largest payoff
const ALMOST = 1e-6, DUST = 1e-9; // gains that count as none: where the page rounds, and where the strategies were rounded

/** The picture of the proof, `width` pixels wide. */
export function proofOf(self, width) {
  return self.result.bounds ? axisOf(self, width) : gainsOf(self);
}

export function isEquilibrium({ result }) {
  return result.gains.every((gain) => gain && (isZero(gain) || gain[0] < (result.exact ? DUST : ALMOST)));
}

/** What the axis spans: the bounds seen so far, of uniform play to begin with. */
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

function text(x, y, anchor, kind, ...words) {
  return el("svg:text", { x, y, "text-anchor": anchor, class: kind }, ...words);
}

function axisOf(self, width) {
  const { result, tree } = self, { players } = tree.data, [low, high] = spanOf(self), at = (x) => PAD + ((x - low) / (high - low)) * (width - 2 * PAD);
  const [sure, most] = result.bounds, [left, right] = [at(sure[0]), at(most[0])], narrow = width < 620;
  const words = [[`${players[0]} is sure of `, amountText(...sure, LONG)], [amountText(...most, LONG), ` is the most ${players[1]} allows`]];
  if (narrow) [words[0][0], words[1][1]] = [`${players[0]} `, ` ${players[1]}`];
  const sizes = words.map((pair) => textWidth(pair.join(""), FONT, true)), gap = 8;
  const ends = [Math.max(PAD / 2 + sizes[0], left - gap), Math.min(width - PAD / 2 - sizes[1], right + gap)], fits = ends[0] < ends[1];
  const up = fits ? 0 : 18, y = AXIS + up, line = (x, kind) => el("svg:path", { class: kind, d: `M${x},${y - 15}V${y + 15}` });
  const value = isSolved(self) && !self.changes.size ? at(self.solved.payoffs[0][0]) : null, label = value === null ? "" : `value ${amountText(...self.solved.payoffs[0])}`;
  const isClear = (x) => value === null || Math.abs(x - value) > textWidth(label, 13) / 2 + 24;
  const strong = (words) => el("svg:tspan", { "font-weight": "bold" }, words);
  const parts = [
    el("svg:path", { class: "efg-xaxis", d: `M${PAD},${y}H${width - PAD}` }),
    ...ticksOf(low, high, narrow ? 5 : 9).flatMap((tick) => [el("svg:path", { class: "efg-xaxis", d: `M${at(tick[0])},${y - 3}v6` }), isClear(at(tick[0])) ? text(at(tick[0]), y + 28, "middle", "efg-soft", amountText(...tick)) : null]),
    el("svg:rect", { class: "efg-xgap", x: Math.min(left, right), y: y - 11, width: Math.abs(right - left), height: 22 }),
  ];
  if (value !== null) parts.push(el("svg:path", { class: "efg-xdash", d: `M${value},${y - 17}v34` }), text(value, y + 28, "middle", "efg-xsmall", label));
  parts.push(
    el("svg:g", { class: colorsOf(0) }, line(left, "efg-xbound"), text(ends[0], 18, "end", "efg-ink", words[0][0], strong(words[0][1]))),
    el("svg:g", { class: colorsOf(1) }, line(right, "efg-xbound"), text(ends[1], 18 + up, "start", "efg-ink", strong(words[1][0]), words[1][1])),
    el("svg:circle", { class: "efg-xvalue", cx: at(result.payoffs[0][0]), cy: y, r: 5.5 }),
  );
  return el("svg:svg", { class: "efg-xaxes", width, viewBox: `0 0 ${width} ${y + 34}`, role: "img", "aria-label": words.flat().join("") }, ...parts);
}

function gainsOf(self) {
  const { result, tree } = self;
  const rows = tree.data.players.map((name, i) => {
    const gain = result.gains[i], none = gain && (isZero(gain) || gain[0] < 1e-9);
    return el("tr", { class: colorsOf(i) },
      el("th", { scope: "row" }, el("span", { class: `efg-dot ${colorsOf(i)}`, "aria-hidden": "true" }), name), el("td", {}, `gets ${amountText(...result.payoffs[i], LONG)}`),
      el("td", { class: "efg-xgain" }, gain ? el("span", { class: "efg-xgained", style: `width:${Math.min(100, (50 * gain[0]) / self.payoffs.most)}%` }) : null,
        el("span", {}, !gain ? "forgets, so no best reply is computed" : none ? "no gain from a best reply" : `gains ${amountText(...gain, LONG)} by a best reply`)));
  });
  return el("table", { class: "efg-xgains" }, el("tbody", {}, rows));
}

/** What the picture says, in words. */
export function sentenceOf(self, learning) {
  const { result, tree, changes } = self, { players } = tree.data, b = (words, kind = "") => el("b", { class: kind }, words), isFound = isEquilibrium(self);
  if (result.gains.includes(null)) {
    const who = players.filter((_, i) => !self.game.recall[i]).join(" and ");
    return [`${who} forgets own moves or knowledge, so this tab has no best replies, bounds or Learn for ${who}. Payoffs and reach probabilities follow the bars.`];
  }
  if (isFound) {
    const kind = result.gains.every(isZero) ? "an equilibrium" : "an equilibrium but for rounding";
    const proof = result.bounds ? `The bounds meet: this is ${kind}, and the value is ${amountText(...result.bounds[0], LONG)}.` : `Nobody gains by a best reply: this is ${kind}.`;
    return [b(`✓ ${proof}`, "efg-xgood"), " Drag a bar: who can punish it?"];
  }
  const gap = sumOf(result.gains);
  if (!learning && gap[0] < NEAR * self.payoffs.most) {
    const near = result.bounds ? `The bounds are ${amountText(...gap)} apart: the value is` : `Best replies gain ${amountText(...gap)} in all:`;
    return [b(`≈ ${near} ${result.bounds ? amountText(...result.payoffs[0]) : "almost an equilibrium"}.`, "efg-xgood")];
  }
  const said = learning ? "Learning: the players play against each other and regret moves they did not make. " : changes.size ? "The payoffs are changed; Learn finds the new equilibrium. " : "";
  if (!result.bounds) return [said, "Best replies gain ", b(amountText(...gap), "efg-xbad"), " in all. At an equilibrium nobody gains."];
  if (changes.size || learning) return [said, "The value is between the bounds, which are ", b(amountText(...gap), "efg-xbad"), " apart."];
  const gains = players.flatMap((name, i) => [i ? `, ${name} ` : ` A best reply gains ${name} `, b(amountText(...result.gains[i]), `efg-ink ${colorsOf(i)}`)]);
  return [`These strategies pay ${players[0]} `, b(amountText(...result.payoffs[0])), ".", ...gains, "."];
}

/** "1 of 4" of the equilibrium shown, where several are on the page. */
export function placeOf({ tree, now }) {
  return / (\d+ of \d+)/.exec(tree.data.solutions[now]?.name ?? "")?.[0] ?? "";
}
