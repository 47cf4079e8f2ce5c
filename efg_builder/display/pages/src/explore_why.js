// The chosen bar in the panel: its mover's guaranteed payoff as a function of this one probability, and the others' best
// responses as bands.

import { el, short, words } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { lookOf, nameOf } from "./explore_bars.js";
import { TIE, courseOf } from "./explore_course.js";
import { evaluate } from "./explore_game.js";
import { heirsOf, isSolved, shareOf, withShare } from "./explore_model.js";
import { answerOf, historyOf, questionOf, whereIs } from "./explore_say.js";
import { amountText, shareText } from "./numbers.js";

const MOST_BANDS = 6;
const LEFT = 58, WIDTH = 300, TOP = 14, HEIGHT = 132; // pixels of the curve
const BAND = 28, LINE = 18, WORD = 40, NAME = 14; // pixels: the height of a band and of a line, the least width of a band with a word, the distance of names

/** The elements that explain the chosen bar. `rank`: of their headings. */
export function why(state, self, rank) {
  if (!self.chosen) return [el("p", {}, "No player has a choice in this game, so there is no bar to move.")];
  const { k, a } = self.chosen, { data } = self.tree, [player, , actions] = data.infosets[k], { sum } = self.payoffs;
  const course = courseOf(self, self.chosen), { curves, bands } = course, isSure = sum !== null && player === 0, more = bands.length - MOST_BANDS;
  const title = sum === null ? "Payoff of a best response" : isSure ? `Payoff that ${data.players[0]} is sure of` : `Payoff that ${data.players[1]} allows at most`;
  const lines = curves.map((curve) => ({ player: curve.player, points: isSure ? curve.points.map(([x, y]) => [x, sum[0] - y]) : curve.points, color: sum === null ? curve.player : player }));
  const heading = (text) => el(`h${rank}`, { class: "efg-h" }, text), label = `probability of ${data.labels[actions[a]]} ${whereIs(self, k)}`;
  return [
    heading(questionOf(self)), el("p", { class: "efg-xanswer" }, answerOf(self, course).flatMap((thought) => [el("span", {}, thought), " "])),
    curves.length ? [heading(title), curveOf(self, lines, label, knownBy(self, lines))] : null,
    heading(sum === null ? "Best responses" : `Best response of ${data.players[1 - player]}`), bandsOf(state, self, bands.slice(0, MOST_BANDS)),
    more > 0 ? el("p", { class: "efg-soft" }, `It changes at ${more} more information sets.`) : null,
    data.rules ? el("details", { class: "efg-xrules", open: self.isReading, toggle: (event) => (self.isReading = event.target.open) }, el("summary", {}, "The rules"), data.rules.map((rule) => el("p", {}, rule))) : null,
  ].flat();
}

/** The exact payoffs of best responses, now, in the solution, and at both ends of the curve. */
function knownBy(self, lines) {
  const { chosen: { k, a }, game, profile, payoffs, result } = self, results = isSolved(self) ? [result, self.solved] : [result];
  if (self.isExact) for (const p of [[0n, 1n], [1n, 1n]]) results.push(evaluate(game, profile.with(k, withShare(profile[k], a, p, heirsOf(self, k, a))), payoffs));
  return results.flatMap(({ best, bounds }) => bounds ?? lines.map(({ player }) => best[player]));
}

function svgOf(height, label, more, ...inside) {
  return el("svg:svg", { ...more, class: "efg-xsvg", viewBox: `0 0 ${LEFT + WIDTH + 14} ${height}`, role: "img", "aria-label": label }, ...inside);
}

/** The place of a probability. In a bar of two moves, the second is at the right: its probability grows to the left, as when the bar is dragged. */
function placesIn({ chosen, profile }) {
  return profile[chosen.k].p.length === 2 ? (p) => LEFT + (1 - p) * WIDTH : (p) => LEFT + p * WIDTH;
}

/** The curves; `known`: exact numbers of which some may be marked at the side. */
function curveOf(self, lines, label, known) {
  const { k, a } = self.chosen, xOf = placesIn(self), [now, base] = [self.profile, self.base].map((rows) => shareOf(rows[k], a)), p = now[0];
  const all = lines.flatMap(({ points }) => points.map(([, y]) => y)), low = Math.min(...all), high = Math.max(...all), pad = Math.max((high - low) * 0.12, 1e-9);
  const yOf = (y) => TOP + ((high + pad - y) / (high - low + 2 * pad)) * HEIGHT, bottom = TOP + HEIGHT;
  const sideOf = (y) => words(LEFT - 7, yOf(y) + 4, "end", "efg-soft", amountText(y, known.find(([x]) => Math.abs(x - y) < 1e-9)?.[1]));
  const right = LEFT + WIDTH, isTurned = xOf(0) === right, move = short(self.tree.data.labels[self.tree.data.infosets[k][2][a]], 16);
  const ends = lines.map(({ player, points }) => [player, yOf(points.at(isTurned ? 0 : -1)[1]) - 6]).sort(([, a], [, b]) => a - b), names = new Map();
  for (const [player, y] of ends) names.set(player, Math.max(y, ...[...names.values()].map((above) => above + NAME)));
  const nameOfLine = ({ player }) => el("svg:g", { class: colorsOf(player) }, words(right - 2, names.get(player), "end", "efg-ink efg-xname", self.tree.data.players[player]));
  const lineOf = ({ points, color }) => el("svg:g", { class: colorsOf(color) },
    el("svg:polyline", { class: "efg-xline", points: points.map(([x, y]) => `${xOf(x).toFixed(1)},${yOf(y).toFixed(1)}`).join(" ") }),
    el("svg:circle", { class: "efg-xdot", cx: xOf(p), cy: yOf(points.find(([x]) => x === p)[1]), r: 6 }));
  return svgOf(bottom + 40, label, { "data-left": LEFT, "data-width": WIDTH },
    el("svg:path", { class: "efg-xaxis", d: `M${LEFT},${TOP - 4}V${bottom}H${right}` }),
    ["never", "always"].map((often, at) => words(xOf(at), bottom + 33, xOf(at) === right ? "end" : "start", "efg-soft efg-xoften", `${often} ${move}`)),
    (high - low < 1e-9 ? [high] : [low, high]).map(sideOf),
    self.which >= 0 && !self.changes.size ? el("svg:path", { class: "efg-xdash", d: `M${xOf(base[0])},${TOP - 4}V${bottom}` }) : null,
    words(xOf(p), bottom + 16, "middle", "", shareText(...now)),
    lines.map(lineOf), lines.length > 1 ? lines.map(nameOfLine) : null);
}

/** The others' best responses as bands, by history and hand. */
function bandsOf(state, self, bands) {
  if (!bands.length) return el("p", { class: "efg-soft" }, "It does not change with this bar.");
  const parts = [], groups = new Map(bands.map((band) => [historyOf(self, band.k), []]));
  bands.forEach((band) => groups.get(historyOf(self, band.k)).push(band));
  let y = 0;
  for (const [history, group] of groups) {
    if (history) parts.push(words(LEFT, (y += LINE) - 5, "start", "efg-soft", `after ${history}`));
    for (const band of group) {
      parts.push(bandOf(state, self, band, y));
      y += BAND;
    }
  }
  return svgOf(y + 2, "Best response by hand", {}, ...parts);
}

function bandOf(state, self, { k, best }, y) {
  const { labels, infosets } = self.tree.data, [player, name, actions] = infosets[k], steps = best.length - 1, xOf = placesIn(self), p = self.profile[self.chosen.k].p[self.chosen.a];
  const cells = [], names = [];
  for (let from = 0, n = 1; n <= steps + 1; n++) {
    if (n <= steps && best[n] === best[from]) continue;
    const edges = [Math.max(0, (from - 0.5) / steps), Math.min(1, (n - 0.5) / steps)].map(xOf), left = Math.min(...edges), width = Math.max(...edges) - left, a = best[from], isWide = width > WORD;
    const look = a >= 0 ? lookOf(state.colours, player, a, actions.length) : null, word = look ? labels[actions[a]] : a === TIE ? "indifferent" : "never reached";
    if (look || isWide) cells.push(el("svg:rect", { class: look ? "" : "efg-xtie", x: left, y, width, height: BAND - 6, style: look ? `fill:${look.color}` : null }));
    if (isWide && width / word.length > 6) names.push(words(left + width / 2, y + 15, "middle", look?.letters ?? "efg-soft", word));
    from = n;
  }
  const now = el("svg:path", { class: "efg-xnow", d: `M${xOf(p)},${y - 3}v${BAND}` });
  return el("svg:g", { class: colorsOf(player) }, el("svg:title", {}, name), words(LEFT - 6, y + 15, "end", "efg-ink", short(nameOf(self, k), 8)), cells, now, names);
}
