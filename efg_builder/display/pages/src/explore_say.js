// The sentences of Explore: the kind of strategies, the gains by other moves, the reason for a bar's probability.

import { capital, el, listed } from "./dom.js";
import { colorsOf } from "./draw_parts.js";
import { over } from "./exact.js";
import { switchesOf } from "./explore_course.js";
import { difference, evaluate, floatOf, isZero, lossOf, rational, sumOf } from "./explore_game.js";
import { heirsOf, isSolved, shareOf, withShares } from "./explore_model.js";
import { LONG, amountText, inText, minus, plus, shareText, times } from "./numbers.js";
import { handAt } from "./views.js";

/** Shares of the largest payoff: a gap of the bounds that counts as almost closed, and a difference of payoffs that counts as ≈ 0. */
export const NEAR = 1e-3, NEARLY = 1e-4;
const ALMOST = 1e-6, DUST = 1e-9; // gains that count as 0: due to rounding by the page, and to rounded strategies
const MOST_NAMED = 3;

/** The history in the label of an information set, "" at the start or if the label has no history. */
export function historyOf({ tree }, k) {
  const [, history = ""] = /: (.*)$/.exec(tree.data.infosets[k][1]) ?? [];
  return history === "start" ? "" : history;
}

/** "with J after check bet", or "at" a label without a hand; for several information sets after one history: "with J and Q". */
export function whereIs(self, ...sets) {
  const hands = sets.slice(0, MOST_NAMED).map((k) => handAt(self.tree, k)), label = self.tree.data.infosets[sets[0]][1], history = historyOf(self, sets[0]);
  if (hands[0] === null) return label ? `at ${label}` : "here";
  return `with ${listed(hands)}${history ? ` after ${history}` : ""}`;
}

function movesAt({ tree: { data } }, k) {
  return data.infosets[k][2].map((n) => data.labels[n]);
}

function moverAt({ tree: { data } }, k) {
  return data.players[data.infosets[k][0]];
}

// --- all strategies

export function isEquilibrium({ result }) {
  return result.gains.every((gain) => gain && (isZero(gain) || gain[0] < (result.exact ? DUST : ALMOST)));
}

/** The sentence on the picture of the proof. */
export function sentenceOf(self, learning) {
  const { result, tree, changes } = self, { players } = tree.data, bad = (gap) => el("b", { class: "efg-xbad" }, amountText(...gap));
  if (result.gains.includes(null)) {
    const forgetful = players.filter((_, i) => !self.game.recall[i]), who = listed(forgetful);
    return [`${who} ${forgetful.length > 1 ? "forget" : "forgets"} earlier moves or knowledge, so this tab has no best responses, bounds or Learn for ${who}. Payoffs and reach probabilities follow the bars.`];
  }
  if (isEquilibrium(self)) return [el("b", { class: "efg-xgood" }, `✓ ${proofIn(self)}`), el("span", { class: "efg-xhint" }, " Drag a bar: who can punish it?")];
  const gap = sumOf(result.gains);
  if (!learning && isClosed(self)) {
    const near = result.bounds ? `The value is ${aboutText(result.payoffs[0])}: the bounds are only ${amountText(...gap)} apart.` : `Best responses gain ${amountText(...gap)} in all: almost an equilibrium.`;
    return [el("b", { class: "efg-xgood" }, near)];
  }
  const said = learning ? "Learning: the players play against each other and regret moves they did not make. " : changes.size ? "The payoffs are changed; Learn finds the new equilibrium. " : "";
  if (!said) return players.flatMap((_, i) => gainIn(self, i));
  if (result.bounds) return [said, "The value is between the bounds, which are ", bad(gap), " apart."];
  return [said, "Best responses gain ", bad(gap), " in all."];
}

/** "≈−0.056", "about −1/18". */
function aboutText(amount) {
  const text = amountText(...amount);
  return text.startsWith("≈") ? text : `about ${text}`;
}

function proofIn({ result }) {
  if (!result.gains.every(isZero)) return `No best response gains more than ${result.exact ? "a billionth" : "a millionth"}: this is an equilibrium up to rounding.`;
  if (!result.bounds) return "Nobody gains by a best response: this is an equilibrium.";
  return `The bounds meet: this is an equilibrium, and the value is ${amountText(...result.bounds[0], LONG)}.`;
}

/** "Player 2 can gain 1/9: call with Q after bet." */
function gainIn(self, i) {
  const { result, profile, game, tree } = self;
  if (isZero(result.gains[i])) return [];
  const costs = game.sets[i].map((k) => {
    const known = lossOf(result.values(k), profile[k]);
    return { k, known, cost: known ? result.reach(k)[0] * known.loss[0] : 0 };
  });
  const { k, known, cost } = costs.reduce((most, each) => (each.cost > most.cost ? each : most)), move = movesAt(self, k)[known.best.indexOf(true)];
  const more = costs.some((each) => each.k !== k && each.cost > ALMOST * cost) ? ", and more" : "";
  return [el("b", { class: `efg-ink ${colorsOf(i)}` }, `${tree.data.players[i]} can gain ${amountText(...result.gains[i])}`), `: ${move} ${whereIs(self, k)}${more}. `];
}

// --- the chosen bar

/** "Why bet 1/3 with J?"; for a moved bar: "Bet 2/3 with J instead of 1/3". */
export function questionOf(self) {
  const { k, a } = self.chosen, move = movesAt(self, k)[a], where = whereIs(self, k);
  const now = shareOf(self.profile[k], a), base = shareOf(self.base[k], a), share = shareText(...now);
  if (!isSolved(self)) return `${capital(move)} ${share} ${where}`;
  if (Math.abs(now[0] - base[0]) > DUST) return `${capital(move)} ${share} ${where} instead of ${shareText(...base)}`;
  return `Why ${now[0] === 0 ? `never ${move}` : now[0] === 1 ? `always ${move}` : `${move} ${share}`} ${where}?`;
}

/** The answer, thought by thought. `course`: a result of `courseOf`. */
export function answerOf(self, course) {
  const changes = switchIn(self, course);
  return [anotherIn(self), ...(changes.length ? changes : [slopeIn(self, course)]), boundIn(self), comparisonIn(self)].filter(Boolean);
}

/** The sentence that the bars are another equilibrium, or nearly. */
function anotherIn(self) {
  const { k, a } = self.chosen, away = isSolved(self) ? Math.abs(shareOf(self.profile[k], a)[0] - shareOf(self.base[k], a)[0]) : 0;
  if (away <= DUST || self.result.gains.includes(null)) return "";
  if (isEquilibrium(self)) return "This is another equilibrium.";
  return away > NEAR && isClosed(self) ? "This is nearly another equilibrium." : "";
}

/** Whether best responses gain almost nothing. */
function isClosed({ result, payoffs }) {
  return sumOf(result.gains)[0] < NEAR * payoffs.most;
}

/** The change of a best response that is nearest to the solution's probability, or without a solution, to the bar's probability, and its reason. */
function switchIn(self, { bands }) {
  const { k, a } = self.chosen, now = shareOf(self.profile[k], a), from = isSolved(self) ? shareOf(self.base[k], a) : now;
  const all = switchesOf(bands), away = ({ at }) => Math.abs(at - from[0]);
  if (!all.length) return [];
  const found = all.reduce((best, each) => (away(each) < away(best) - each.width ? each : best)), { at, width } = found;
  const namesOf = ({ k, low, high }) => [low, high].map((move) => movesAt(self, k)[move]), [low, high] = namesOf(found);
  const alike = all.filter((each) => Math.abs(each.at - at) < width && historyOf(self, each.k) === historyOf(self, found.k) && namesOf(each).join() === namesOf(found).join());
  const limit = limitOf(self, found, from[1]), reply = `the best response of ${moverAt(self, found.k)} ${whereIs(self, ...alike.map((each) => each.k))} is`;
  const [side, is, not] = now[0] > at ? ["more", high, low] : ["less", low, high], faced = facedAt(self, found.k);
  if (Math.abs(now[0] - at) >= width) return [`${shareText(...now)} is ${side} than ${limit}, so ${reply} ${is}, not ${not}.`, faced];
  return [`With less than ${limit}, ${reply} ${low}; with more, it is ${high}. At ${limit} both are equally good${isEquilibrium(self) ? bestIn(self) : ""}.`, faced];
}

/** The hands of the bar's player that a best response faces, if the bar's moves lead to it: "With Q, Player 2 then faces K with probability 3/4 and J with 1/4." */
function facedAt(self, k) {
  const { game, result, chosen } = self, hand = handAt(self.tree, k), own = handAt(self.tree, chosen.k);
  if (hand === null || own === null || !result.values(k)) return "";
  const hands = new Map(), origins = result.originsOf(k, game.mover[chosen.k]).filter(([action]) => action >= 0);
  if (!origins.some(([action]) => game.owner[action] === chosen.k)) return "";
  for (const [action, p] of origins) {
    const name = handAt(self.tree, game.owner[action]);
    hands.set(name, sumOf([p, ...(hands.has(name) ? [hands.get(name)] : [])]));
  }
  const faced = [...hands].filter(([, [p]]) => p > DUST).sort(([, [p]], [, [q]]) => q - p), named = faced.length > MOST_NAMED ? [[own, hands.get(own)]] : faced;
  const shares = inText(named.map(([, p]) => p)), texts = named.map(([name], n) => `${name} with ${n ? "" : "probability "}${shares[n]}`);
  return `With ${hand}, ${moverAt(self, k)} then faces ${faced.length === 1 ? `only ${faced[0][0]}` : listed(texts)}.`;
}

/** The probability at which both best moves of a change pay the same, as text; in whole percent if it is not checked. `likely`: try it first. */
function limitOf(self, { k, low, high, between, at, width, isSharp }, likely) {
  const { game, profile, payoffs, chosen } = self, heirs = heirsOf(self, chosen.k, chosen.a);
  const moreAt = (p) => {
    const result = evaluate(game, profile.with(chosen.k, withShares(profile[chosen.k], new Map([[chosen.a, p]]), heirs)), payoffs), values = result.values(k);
    const more = values && difference(values[high], values[low]), allowed = result.allowed(k), better = values?.some((value) => difference(value, values[low])[0] > DUST && difference(value, values[high])[0] > DUST);
    return values && !better ? [allowed[0] * more[0], times(allowed[1], more[1])] : null;
  };
  const isZeroAt = (p) => p && isZero(moreAt(p) ?? [1]), isNear = likely && Math.abs(floatOf(likely) - at) < width;
  const isExact = self.isExact && isSharp;
  if (isExact && isNear && isZeroAt(likely)) return shareText(floatOf(likely), likely);
  // The weighted difference is linear, unless the player changes a later move as well.
  const [from, to] = between, [less, more] = isExact ? between.map(moreAt) : [], share = less && more ? less[0] / (less[0] - more[0]) : NaN;
  const inside = less?.[1] && more?.[1] ? over(less[1], minus(less[1], more[1])) : rational(share.toFixed(12)), zero = plus(from, times(inside, minus(to, from)));
  return isZeroAt(zero) ? shareText(floatOf(zero), less[1] && zero) : `≈${Math.round(100 * at)}%`;
}

function bestIn(self) {
  const { mover } = self.game, { k } = self.chosen;
  return self.result.bounds ? `, and ${moverAt(self, k)} ${mover[k] === 0 ? "is sure of the most" : "allows the least"}` : "";
}

/** The sides of an equilibrium's bar without changes of best responses on which the mover is sure of less (or allows more). */
function slopeIn(self, { curves }) {
  if (!isEquilibrium(self) || !self.result.bounds) return "";
  const { k, a } = self.chosen, [{ points, player }] = curves, p = self.profile[k].p[a], [, now] = points.find(([x]) => x === p);
  const near = [["less", points.findLast(([x]) => x < p - DUST)], ["more", points.find(([x]) => x > p + DUST)]];
  const sides = near.filter(([, point]) => point?.[1] > now + DUST).map(([side]) => side);
  if (!sides.length) return `A small change costs ${moverAt(self, k)} nothing.`;
  return `With ${sides.join(" or ")}, the best response of ${self.tree.data.players[player]} pays more, and ${moverAt(self, k)} ${player ? "is sure of less" : "allows more"}.`;
}

/** The payoff that a moved bar's mover is sure of, or allows, instead of the value. */
function boundIn(self) {
  const { result, solved, game, chosen } = self, i = game.mover[chosen.k];
  if (!result.bounds || !isSolved(self)) return "";
  const [now, value] = [result, solved].map(({ bounds }) => bounds[i]);
  if (Math.abs(difference(now, value)[0]) < NEAR * self.payoffs.most) return "";
  return `${moverAt(self, chosen.k)} ${i === 0 ? "is now sure of only" : "now allows"} ${amountText(...now)}, not ${amountText(...value)}.`;
}

/** The payoffs of the chosen bar's moves. */
function comparisonIn(self) {
  const { k } = self.chosen, values = self.result.values(k), known = lossOf(values, self.profile[k], NEARLY * self.payoffs.most), names = movesAt(self, k), where = whereIs(self, k);
  if (!self.game.recall[self.game.mover[k]]) return "";
  if (!values) return `The others' moves never lead here, so this bar costs ${moverAt(self, k)} nothing now.`;
  const best = names.filter((_, n) => known.best[n]), [first, second] = values.map((value, n) => [value, n]).sort(([x], [y]) => y[0] - x[0]);
  const loses = isZero(known.loss) ? "" : `: this bar loses ${amountText(...known.loss)}`, isAlone = self.profile.every((row, n) => n === k || row === self.base[n]);
  if (best.length > 1) {
    const same = `${listed(best.slice(0, MOST_NAMED))} ${where} pay ${isZero(difference(first[0], second[0])) ? "" : "nearly "}the same`;
    return boundIn(self) && isAlone && !loses ? `While only this bar moves, ${same}: only the best response punishes the bar.` : `To ${moverAt(self, k)}, ${same} now${loses}.`;
  }
  return `To ${moverAt(self, k)}, ${names[first[1]]} ${where} pays ${amountText(...difference(first[0], second[0]))} more than ${names[second[1]]} now${loses}.`;
}
