// The chosen bar in the panel: what its mover is sure of as a function of this one probability, and the others' best
// replies as bands.

import { el } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { lookOf, nameOf } from "./explore_bars.js";
import { TIE, courseOf } from "./explore_course.js";
import { evaluate } from "./explore_game.js";
import { heirsOf, shareOf, withShare } from "./explore_model.js";
import { answerOf, historyOf, questionOf, whereIs } from "./explore_say.js";
import { amountText, shareText } from "./numbers.js";

const MOST_BANDS = 6;
const MOST_MARKED = 400; // nodes of a tree whose curves have exact numbers at their ends
const LEFT = 58, WIDTH = 300, TOP = 14, HEIGHT = 132; // pixels of the curve
const BAND = 28, LINE = 18, WORD = 40; // pixels: the height of a band and of a line, the least width of a band with a word

/** The elements that explain the chosen bar. `rank`: of their headings. */
export function why(state, self, rank) {
  if (!self.chosen) return [el("p", {}, "This game has no choice to move.")];
  const { k, a } = self.chosen, { data } = self.tree, [player, , actions] = data.infosets[k], { sum } = self.payoffs;
  const course = courseOf(self, self.chosen), { curves, bands } = course, isSure = sum !== null && player === 0, more = bands.length - MOST_BANDS;
  const title = sum === null ? "What a best reply gets" : isSure ? `What ${data.players[0]} is sure of` : `The most that ${data.players[1]} allows`;
  const lines = curves.map((curve) => ({ player: curve.player, y: isSure ? curve.y.map((y) => sum[0] - y) : curve.y, color: sum === null ? curve.player : player }));
  const heading = (text) => el(`h${rank}`, { class: "efg-h" }, text), label = `probability of ${data.labels[actions[a]]} ${whereIs(self, k)}`;
  return [
    heading(questionOf(self)), el("p", { class: "efg-xanswer" }, answerOf(self, course)),
    curves.length ? [heading(title), curveOf(self, lines, label, knownBy(self, lines))] : null,
    heading(sum === null ? "Best replies" : `Best reply of ${data.players[1 - player]}`), bandsOf(state, self, bands.slice(0, MOST_BANDS)),
    more > 0 ? el("p", { class: "efg-soft" }, `It changes at ${more} more information sets.`) : null,
  ].flat();
}

/** What best replies get now and at both ends of the curve, exactly, where this is quick. */
function knownBy(self, lines) {
  const { chosen: { k, a }, game, profile, payoffs, result } = self, results = [result];
  if (self.tree.count <= MOST_MARKED) for (const p of [[0n, 1n], [1n, 1n]]) results.push(evaluate(game, profile.with(k, withShare(profile[k], a, p, heirsOf(self, k, a))), payoffs));
  return results.flatMap(({ best, bounds }) => bounds ?? lines.map(({ player }) => best[player]));
}

function svgOf(height, label, ...inside) {
  return el("svg:svg", { class: "efg-xsvg", viewBox: `0 0 ${LEFT + WIDTH + 14} ${height}`, role: "img", "aria-label": label }, ...inside);
}

function xOf(p) {
  return LEFT + p * WIDTH;
}

function text(x, y, anchor, content, kind = "") {
  return el("svg:text", { x, y, "text-anchor": anchor, class: kind }, content);
}

/** The curves; `known`: exact numbers of which some may be marked at the side. */
function curveOf(self, lines, label, known) {
  const { k, a } = self.chosen, all = lines.flatMap(({ y }) => y), low = Math.min(...all), high = Math.max(...all), pad = Math.max((high - low) * 0.12, 1e-9);
  const yOf = (y) => TOP + ((high + pad - y) / (high - low + 2 * pad)) * HEIGHT, bottom = TOP + HEIGHT, p = self.profile[k].p[a];
  const parts = [
    el("svg:path", { class: "efg-xaxis", d: `M${LEFT},${TOP - 4}V${bottom}H${xOf(1)}` }),
    ...[0, 1].map((at) => text(xOf(at), bottom + 16, "middle", `${at}`, "efg-soft")),
    ...(high - low < 1e-9 ? [high] : [low, high]).map((y) => text(LEFT - 5, yOf(y) + 4, "end", amountText(y, known.find(([x]) => Math.abs(x - y) < 1e-9)?.[1]), "efg-soft")),
    text(xOf(0.5), bottom + 33, "middle", label),
  ];
  const base = shareOf(self.base[k], a), isMarked = self.which >= 0 && !self.changes.size;
  if (isMarked) parts.push(el("svg:path", { class: "efg-xdash", d: `M${xOf(base[0])},${TOP - 4}V${bottom}` }));
  const now = shareOf(self.profile[k], a);
  if (now[0] > 0.06 && now[0] < 0.94) parts.push(text(xOf(now[0]), bottom + 16, "middle", shareText(...now)));
  for (const { player, y, color } of lines) {
    const steps = y.length - 1, at = p * steps, n = Math.min(steps - 1, Math.floor(at)), now = y[n] + (at - n) * (y[n + 1] - y[n]);
    parts.push(el("svg:g", { class: colorsOf(color) },
      el("svg:polyline", { class: "efg-xline", points: y.map((each, m) => `${xOf(m / steps).toFixed(1)},${yOf(each).toFixed(1)}`).join(" ") }),
      el("svg:circle", { class: "efg-xdot", cx: xOf(p), cy: yOf(now), r: 6 }),
      lines.length > 1 ? text(xOf(1) - 2, yOf(y[steps]) - 6, "end", self.tree.data.players[player], "efg-ink") : null));
  }
  return svgOf(bottom + 40, label, ...parts);
}

function bandsOf(state, self, bands) {
  const { data } = self.tree, p = self.profile[self.chosen.k].p[self.chosen.a];
  if (!bands.length) return el("p", { class: "efg-soft" }, "It does not change with this bar.");
  const histories = new Map(), parts = [];
  for (const band of bands) histories.set(historyOf(self, band.k), [...(histories.get(historyOf(self, band.k)) ?? []), band]);
  let y = 0;
  for (const [history, group] of histories) {
    if (history) parts.push(text(LEFT, (y += LINE) - 5, "start", `after ${history}`, "efg-soft"));
    for (const band of group) {
      parts.push(bandOf(band, y));
      y += BAND;
    }
  }
  return svgOf(y + 2, "Best reply by hand", ...parts);

  function bandOf({ k, best }, y) {
    const names = data.infosets[k][2].map((n) => data.labels[n]), player = data.infosets[k][0], cells = [], steps = best.length - 1, words = [];
    for (let from = 0, n = 1; n <= steps + 1; n++) {
      if (n <= steps && best[n] === best[from]) continue;
      const left = xOf(Math.max(0, (from - 0.5) / steps)), right = xOf(Math.min(1, (n - 0.5) / steps)), a = best[from], wide = right - left > WORD;
      if (a >= 0) cells.push(el("svg:rect", { x: left, y, width: right - left, height: BAND - 6, style: `fill:${lookOf(state.colours, player, a, names.length).color}` }));
      else if (wide) cells.push(el("svg:rect", { class: "efg-xtie", x: left, y, width: right - left, height: BAND - 6 }));
      const word = a >= 0 ? names[a] : a === TIE ? "indifferent" : "never reached";
      if (wide && (right - left) / word.length > 6) words.push(text((left + right) / 2, y + 15, "middle", word, a >= 0 ? lookOf(state.colours, player, a, names.length).letters : "efg-soft"));
      from = n;
    }
    return el("svg:g", { class: colorsOf(player) }, el("svg:title", {}, data.infosets[k][1]), text(LEFT - 6, y + 15, "end", shortened(nameOf(self, k)), "efg-ink"), cells, el("svg:path", { class: "efg-xnow", d: `M${xOf(p)},${y - 3}v${BAND}` }), words);
  }
}

function shortened(name) {
  return name.length > 8 ? `${name.slice(0, 7)}…` : name;
}
