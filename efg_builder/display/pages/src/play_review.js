// The parts of a round besides the board: the others' beliefs about your hand, and your expected payoff move by move.

import { el, short } from "./dom.js";
import { followed } from "./play_round.js";
import { smallPicture } from "./play_dice.js";
import { EQUILIBRIUM, bidText, shares as inShares, sharesInTable } from "./play_words.js";

const MOST = 10; // the maximum number of bars, for the most probable hands
const LETTERS = 4, STANDING = 7; // with longer names or more bars, the bars are horizontal
const WIDTH = 320, SIDE = 22, TOP = 22, HEIGHT = 62, LETTER = 6.2; // pixels

/** The bars after `count` events; `told`: whether they are shown or only announced; `openly`: for the other player, given that player's hand. */
export function showBeliefs(parts, play, count, told, openly, data) {
  const { board, seat, events, path } = play, pair = board.players.length === 2;
  const after = (n) => board.believed(followed(board, seat, path.slice(0, n)).state, seat, openly && pair);
  const believed = data.advised ? after(count) : null, who = pair ? board.players[1 - seat] : "the others";
  parts.believed.hidden = !believed;
  if (!believed) return;
  const what = board.pictures === "rolls" ? "rolled" : board.holds ? "hold" : "know", adviser = data.adviser ?? EQUILIBRIUM;
  const own = events.flatMap(({ player }, k) => (player === seat && k < count ? [k] : [])), last = own.at(-1);
  const strange = sumOf(believed) ? null : own.find((k) => !sumOf(after(k + 1)));
  const before = told && last !== undefined && strange === null ? new Map(shareOf(after(last))) : new Map();
  const shares = shareOf(believed), held = ownOf(play, shares);
  // Before a hint, even the choice of hands must not tell the strategy.
  const most = [...shares].sort(([a, p], [b, q]) => (b === held) - (a === held) || told && q - p).slice(0, MOST).map(([name]) => name);
  const shown = shares.filter(([name]) => most.includes(name)), rest = shares.length - shown.length;
  const texts = told && strange === null ? sharesInTable(shown.map(([, p]) => p)) : shown.map(() => "");
  const lying = shown.length > STANDING || shown.some(([name]) => !board.pictures && name.length > LETTERS);
  const bar = ([name, p], k) => el("li", { class: name === held ? "held" : null },
    el("span", { class: "share" }, texts[k]),
    el("span", { class: "bar", "aria-hidden": "true" }, texts[k] && el("i", { style: `--p:${p}` }), before.has(name) && texts[k] ? el("i", { class: "before", style: `--p:${before.get(name)}` }) : null),
    el("span", { class: "of" }, smallPicture(board, name)));
  parts.believed.replaceChildren(
    el("h2", {}, `What ${who} must think you ${what}`),
    el("ol", { class: `play-bars${lying ? " lying" : ""}${told ? "" : " untold"}` }, shown.map(bar)),
    el("p", {}, said()));

  function said() {
    if (!told) return "Ask for a hint to see it, or wait for the review.";
    if (strange !== null) return `Off the equilibrium path: ${lower(adviser)} would not make the move “${bidText(board, events[strange].action)}” here with any hand. So Bayes’ rule says nothing about your hand.`;
    const whose = board.bids || !pair ? "" : !openly ? ` on average over what ${who} may hold,` : board.dealt ? ` for ${who} with ${board.held(play.state, 1 - seat)},` : "";
    const line = last === undefined ? "" : `; the line is before your ${bidText(board, events[last].action)}`;
    return `By Bayes’ rule,${whose} if you play like ${lower(adviser)}${line}.${rest ? ` The other ${rest} hands: ${inShares([1 - sumOf(shown)])[0]}.` : ""}`;
  }
}

function sumOf(believed) {
  return believed?.reduce((sum, [, p]) => sum + p, 0) ?? 0;
}

function shareOf(believed) {
  const sum = sumOf(believed);
  return (believed ?? []).map(([name, p]) => [name, sum ? p / sum : 0]);
}

function lower(words) {
  return words[0].toLowerCase() + words.slice(1);
}

/** The name of the player's hand among the bars, or null. */
function ownOf({ board, seat, state }, shares) {
  const name = board.held(state, seat);
  return shares.some(([each]) => each === name) ? name : null;
}

/** Your expected payoff with best play: [{label, value (null: not known), kind, at}] at the start, after each move, and at the end. */
export function courseOf({ board, seat, events }, record) {
  const points = [{ label: "start", value: record.start, kind: "" }];
  let own = 0;
  events.forEach((event, at) => {
    const step = record.steps[own], mine = event.player === seat;
    const value = mine ? step.values[step.actions.indexOf(step.action)] : events[at + 1]?.player === seat ? Math.max(...step.values) : null;
    if (mine) own += 1;
    const label = event.player >= 0 ? bidText(board, event.action) : at || !board.dealt ? event.action : "deal";
    if (value !== null || event.player >= 0) points.push({ label, value, at, kind: mine ? (step.price ? "mine lost" : "mine") : "" });
  });
  return [...points, { label: "end", value: record.result, at: null, kind: "" }];
}

/** The line of expected payoffs, with the moves on its axis; before the end (no record), only its place. */
export function showCourse(parts, play, record, at, { unit }) {
  const heading = el("h2", {}, `Your ${unit.name}, move by move`);
  if (!record) return parts.course.replaceChildren(heading, el("p", { class: "play-later" }, "You see it after the round."));
  const points = courseOf(play, record), known = points.filter(({ value }) => value !== null), values = known.map(({ value }) => value);
  const low = Math.min(...values), high = Math.max(...values), gap = (WIDTH - 2 * SIDE) / (points.length - 1);
  const xOf = (point) => SIDE + gap * points.indexOf(point), yOf = (value) => TOP + (high - low < 1e-9 ? 0.5 : (high - value) / (high - low)) * HEIGHT;
  const texts = unit.written(values), axis = TOP + HEIGHT + 12, now = points.find((point) => point.at === at) ?? points.at(-1);
  const lines = known.slice(1).map((point, k) => el("svg:path", { class: point.kind, d: `M${xOf(known[k])},${yOf(values[k])}L${xOf(point)},${yOf(point.value)}` }));
  const dots = known.map((point) => el("svg:circle", { class: point.kind, cx: xOf(point), cy: yOf(point.value), r: point === now ? 5.5 : 4 }));
  const fits = (point, k) => point === now || point === points[0] || texts[k].length * LETTER < gap - 4;
  const numbers = known.map((point, k) => fits(point, k) && el("svg:text", { class: `number ${point.kind}`, x: xOf(point), y: yOf(point.value) - 9 }, texts[k]));
  const labels = points.map((point) => el("svg:text", { class: point.kind, x: xOf(point), y: axis + 15 }, short(point.label, Math.max(3, Math.floor(gap / LETTER)))));
  const zero = low < 0 && high > 0 ? el("svg:path", { class: "zero", d: `M${SIDE},${yOf(0)}H${WIDTH - SIDE}` }) : null;
  const spoken = known.map(({ label }, k) => `${label} ${texts[k]}`).join(", ");
  parts.course.replaceChildren(heading,
    el("svg:svg", { viewBox: `0 0 ${WIDTH} ${axis + 22}`, role: "img", "aria-label": `Your ${unit.name}: ${spoken}` },
      zero, el("svg:path", { class: "now", d: `M${xOf(now)},${now.value === null ? TOP : yOf(now.value)}V${axis}` }), el("svg:path", { class: "axis", d: `M${SIDE},${axis}H${WIDTH - SIDE}` }), lines, dots, numbers, labels));
}

/** The finished rounds as buttons that open their review; `looked`: the round on the board. */
export function showRounds(parts, records, scene, looked, act) {
  parts.rounds.replaceChildren(...records.map((record, index) => {
    const [result, loss] = scene.unit.written([record.result], [record.price]), place = scene.place(record, index);
    const said = `Round ${place}: ${result}, ${record.price ? `loss ${loss}` : "no mistake"}`;
    return el("li", {}, el("button", { type: "button", class: record.price ? "lost" : null, "aria-current": looked?.index === index ? "true" : null, "aria-label": said, title: `${said}. ${scene.luck(record)}`, click: () => act.look(index, null) },
      el("small", {}, `${place}:`), " ", result));
  }));
  parts.rounds.parentElement.hidden = !records.length;
}
