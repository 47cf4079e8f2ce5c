// Why a bar stands where it stands: what its mover is sure of as a function of this one probability, and the others' best
// replies as bands.

import { el } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { allowedBy, backUp, difference, evaluate, isZero, leafSums, lossOf, planOf, rowOfFloats } from "./explore_game.js";
import { lookOf, nameOf } from "./explore_bars.js";
import { heirsOf, shareOf, withShare } from "./explore_model.js";
import { amountText, shareText } from "./numbers.js";

const FINE = 120, COARSE = 48, MOST_FINE = 10_000; // points of a curve, and the nodes of a tree with many points
const MOST_BANDS = 6, TIE = -1, NEVER = -2;
const MOST_MARKED = 400; // nodes of a tree whose curves have exact numbers at their ends
const LEFT = 58, WIDTH = 300, TOP = 14, HEIGHT = 132; // pixels of the curve
const BAND = 28, LINE = 18, WORD = 40; // pixels: the height of a band and of a line, the least width of a band with a word

/**
 * As the chosen move's probability goes from 0 to 1: {curves: [{player, y}], bands: [{k, best}]}, where y[n] is what the
 * player's best reply gets, and best[n] the best move at an information set k where it changes: TIE if several are best, NEVER
 * if play does not get there.
 */
export function courseOf(self, { k, a }) {
  const { game, profile, payoffs } = self, { mover, sets, start, next, recall } = game, row = profile[k].p, others = 1 - row[a], heirs = heirsOf(self, k, a);
  const rest = row.map((p, n) => (n === a ? 0 : others > 1e-12 ? p / others : heirs.includes(n) / heirs.length));
  const ends = [rest, row.map((_, n) => +(n === a))].map((p) => profile.with(k, rowOfFloats(p)));
  const plans = ends.map((end) => sets.map((_, i) => planOf(game, i, end, false))), allowed = plans.map((each) => allowedBy(game, each, game.chance));
  const curves = [], bands = [], steps = game.tree.count > MOST_FINE ? COARSE : FINE;
  sets.forEach((own, i) => {
    if (i === mover[k] || !recall[i]) return;
    const [from, to] = plans.map((each) => leafSums(game, i, each, payoffs.float[i], game.chance)), y = [], best = own.map(() => []);
    for (let n = 0; n <= steps; n++) {
      const t = n / steps, sums = from.map((x, s) => x + t * (to[s] - x));
      y.push(backUp(game, i, sums));
      own.forEach((set, m) => {
        const reach = allowed[0][set] + t * (allowed[1][set] - allowed[0][set]);
        let most = start[set], ties = 0;
        for (let action = start[set] + 1; action < start[set + 1]; action++) {
          const more = sums[next[action]] - sums[next[most]], same = Math.abs(more) < 1e-10;
          if (same) ties += 1;
          else if (more > 0) [most, ties] = [action, 0];
        }
        best[m].push(reach < 1e-12 ? NEVER : ties ? TIE : most - start[set]);
      });
    }
    curves.push({ player: i, y });
    own.forEach((set, m) => new Set(best[m].filter((move) => move >= 0)).size > 1 && bands.push({ k: set, best: best[m], reach: allowed[0][set] + allowed[1][set] }));
  });
  return { curves, bands: bands.sort((x, y) => y.reach - x.reach) };
}

/** The elements that explain the chosen bar. `rank`: of their headings. */
export function why(state, self, rank) {
  const { chosen, tree, profile, result, payoffs } = self, { data } = tree;
  if (!chosen) return [el("p", {}, "This game has no choice to move.")];
  const { k, a } = chosen, [player, , actions] = data.infosets[k], names = actions.map((n) => data.labels[n]), move = names[a], hand = nameOf(self, k);
  const { curves, bands } = courseOf(self, chosen), isShared = payoffs.sum !== null, other = data.players[1 - player];
  const heading = (text) => el(`h${rank}`, { class: "efg-h" }, text);
  const title = !curves.length ? "" : isShared ? (player === 0 ? `What ${data.players[0]} is sure of` : `The most that ${data.players[1]} allows`) : "What a best reply gets";
  const sign = isShared && player === 0 ? (y) => payoffs.sum[0] - y : (y) => y;
  const lines = curves.map((curve) => ({ ...curve, y: curve.y.map(sign), color: isShared ? player : curve.player }));
  return [
    heading(title), curves.length ? curveOf(self, lines, `probability of ${move} with ${hand}`, knownBy(self, lines)) : null,
    heading(isShared ? `Best reply of ${other}` : "Best replies"), bandsOf(state, self, bands.slice(0, MOST_BANDS)),
    bands.length > MOST_BANDS ? el("p", { class: "efg-soft" }, `It changes at ${bands.length - MOST_BANDS} more information sets.`) : null,
    el("p", {}, explained(), bands.length ? ` ${switched(self, bands[0])}` : ""),
  ];

  function explained() {
    const values = result.values(k), known = lossOf(values, profile[k]);
    if (!values) return `The others never let play get to ${hand} here, so this bar costs nothing now.`;
    const best = names.filter((_, n) => known.best[n]), [first, second] = values.map((value, n) => [value, n]).sort(([x], [y]) => y[0] - x[0]);
    if (best.length > 1) return `With ${hand}, ${best.slice(0, 3).join(" and ")} now pay the same: ${data.players[player]} is indifferent, and only the reply of the others fixes this bar.`;
    return `With ${hand}, ${names[first[1]]} now pays ${amountText(...difference(first[0], second[0]))} more than ${names[second[1]]}${isZero(known.loss) ? "." : `: this bar loses ${amountText(...known.loss)}.`}`;
  }
}

/** Where the best reply at a band changes first, in words. */
function switched(self, { k, best }) {
  const { data } = self.tree, names = data.infosets[k][2].map((n) => data.labels[n]), steps = best.length - 1, history = historyOf(self, k);
  const low = best.find((a) => a >= 0), at = best.findIndex((a) => a >= 0 && a !== low), base = shareOf(self.base[self.chosen.k], self.chosen.a);
  const near = Math.abs(base[0] - (at - 0.5) / steps) < 1 / steps ? shareText(...base) : `≈${Math.round((100 * (at - 0.5)) / steps)}%`;
  return `Below ${near}, the best reply of ${data.players[data.infosets[k][0]]} with ${nameOf(self, k)}${history ? ` after ${history}` : ""} is ${names[low]}; above, ${names[best[at]]}.`;
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
  return svgOf(y + 2, "Best reply by hand", ...parts, el("svg:path", { class: "efg-xnow", d: `M${xOf(p)},-2V${y}` }));

  function bandOf({ k, best }, y) {
    const names = data.infosets[k][2].map((n) => data.labels[n]), player = data.infosets[k][0], cells = [], steps = best.length - 1;
    for (let from = 0, n = 1; n <= steps + 1; n++) {
      if (n <= steps && best[n] === best[from]) continue;
      const left = xOf(Math.max(0, (from - 0.5) / steps)), right = xOf(Math.min(1, (n - 0.5) / steps)), a = best[from], wide = right - left > WORD;
      if (a >= 0) cells.push(el("svg:rect", { x: left, y, width: right - left, height: BAND - 6, style: `fill:${lookOf(state.colours, player, a, names.length).color}` }));
      else if (wide) cells.push(el("svg:rect", { class: "efg-xtie", x: left, y, width: right - left, height: BAND - 6 }));
      const word = a >= 0 ? names[a] : a === TIE ? "indifferent" : "never reached";
      if (wide && (right - left) / word.length > 6) cells.push(text((left + right) / 2, y + 15, "middle", word, a >= 0 ? lookOf(state.colours, player, a, names.length).letters : "efg-soft"));
      from = n;
    }
    return el("svg:g", { class: colorsOf(player) }, el("svg:title", {}, data.infosets[k][1]), text(LEFT - 6, y + 15, "end", shortened(nameOf(self, k)), "efg-ink"), cells);
  }
}

/** The history in the label of an information set, "" at the start and where the label has none. */
function historyOf({ tree }, k) {
  const [, history = ""] = /: (.*)$/.exec(tree.data.infosets[k][1]) ?? [];
  return history === "start" ? "" : history;
}

function shortened(name) {
  return name.length > 8 ? `${name.slice(0, 7)}…` : name;
}
