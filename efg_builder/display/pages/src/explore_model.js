// The state of Explore: the profile of bars, the payoffs, the results. One plain object; its functions return
// nothing and draw nothing.

import { rulesOfPay } from "./exact.js";
import { MOST_EXACT, MOST_EXPLORED, evaluate, gameOf, lossOf, payoffsOf, rational, rowOf, rowOfFloats, rowOfTexts } from "./explore_game.js";
import { exactRow, simpleRow } from "./explore_learn.js";
import { CHANCE, inFiles } from "./model.js";
import { compare, float, fraction, fractionText, minus, plus, times } from "./numbers.js";

const ZERO = [0n, 1n], ONE = [1n, 1n];
const MOST_DEN = 1_000_000n; // the largest common denominator of a moved bar; other probabilities are rounded to millionths

/** Explore for a tree and one of its solutions (-1: uniform play); null if the tree is too large, or has only the moves that are played. */
export function exploreOf(tree, which) {
  if (tree.data.only_played || tree.count > MOST_EXPLORED) return null;
  const { data } = tree, game = gameOf(tree), isExact = tree.count <= MOST_EXACT;
  const self = { tree, game, isExact, which, changes: new Map(), settings: data.settings ?? [], chosen: null };
  self.paid = rulesOfPay(tree);
  self.payoffs = payoffsOf(game, self.paid, isExact);
  start(self, which);
  return self;
}

/** An information set with the move that explanations are about: the second of two, otherwise the most probable. */
export function choiceAt({ profile }, k) {
  const { p } = profile[k];
  return { k, a: p.length === 2 ? 1 : p.indexOf(Math.max(...p)) };
}

/** Shows a solution: its strategies become the bars and the marks on them. */
export function start(self, which) {
  self.which = which;
  self.base = which < 0 ? uniform(self) : rowsOf(self.tree.data, self.tree.data.solutions[which]);
  self.solved = which < 0 ? null : evaluate(self.game, self.base, payoffsOf(self.game, rulesOfPay(self.tree), self.isExact));
  show(self, self.base);
}

/** Shows a profile. */
export function show(self, profile) {
  self.profile = profile;
  self.result = evaluate(self.game, profile, self.payoffs);
}

export function setRow(self, k, row) {
  show(self, self.profile.with(k, row));
}

function rowsOf(data, solution) {
  return data.infosets.map(([player], k) => {
    if (player === CHANCE) return null;
    const texts = solution.probabilities[k].map((n) => data.numbers[n]), exact = texts.every(fraction) && rowOfTexts(texts);
    return exact || rowOfFloats(texts.map(float));
  });
}

export function uniform({ tree }) {
  return tree.data.infosets.map(([player, , actions]) => (player === CHANCE ? null : rowOf(actions.map(() => [1n, BigInt(actions.length)]))));
}

/** The row that plays one action. */
function pure(count, action) {
  return rowOf(Array.from({ length: count }, (_, a) => [a === action ? 1n : 0n, 1n]));
}

/** The profile in which a player plays a best response; bars without a better move stay. */
export function bestReply({ game, profile, result }, player) {
  return profile.map((row, k) => {
    if (!row || game.mover[k] !== player || row.p.length < 2) return row;
    const known = lossOf(result.values(k), row);
    return !known || row.p.every((p, a) => !p || known.best[a]) ? row : pure(row.p.length, known.best.indexOf(true));
  });
}

/** The solution without bids that nothing in the bidder's hand supports: other moves, or else the best other move, replace them. */
export function withoutBluffs({ tree, base, solved }) {
  return base.map((row, k) => {
    const lies = new Set(tree.data.bluffs[k]), values = solved?.values(k);
    if (!row || !lies.size || lies.size === row.p.length) return row;
    const moves = row.p.map((_, a) => a).filter((a) => !lies.has(a));
    if (moves.some((a) => row.p[a] > 0)) return withShares(row, new Map([...lies].map((a) => [a, ZERO])));
    return pure(row.p.length, values ? moves.reduce((best, a) => (values[a][0] > values[best][0] ? a : best)) : moves.at(-1));
  });
}

/** The best moves except one: they get its probability if no other move has a positive probability. */
export function heirsOf({ result, profile }, k, action) {
  const others = profile[k].p.map((_, a) => a).filter((a) => a !== action), values = result.values(k);
  const most = values && Math.max(...others.map((a) => values[a][0]));
  return values ? others.filter((a) => most - values[a][0] < 1e-9) : others;
}

/**
 * The row with these probabilities, fractions by action; the other actions share the rest as they did in `row`, or alike if
 * they had nothing: all of them or only `heirs`.
 */
export function withShares(row, shares, heirs = row.p.map((_, a) => a).filter((a) => !shares.has(a))) {
  const { exact } = row.exact ? row : exactRow(row), sum = (fractions) => fractions.reduce(plus, ZERO);
  const rest = minus(ONE, sum([...shares.values()])), left = sum(exact.filter((_, a) => !shares.has(a)));
  const alike = (a) => (heirs.includes(a) ? times(rest, [1n, BigInt(heirs.length)]) : ZERO);
  const other = (p, a) => (left[0] === 0n ? alike(a) : times(times(p, rest), [left[1], left[0]]));
  return rowOf(exact.map((p, a) => shares.get(a) ?? other(p, a)));
}

/** The row in which an action that is dragged has probability `p`, a fraction. */
export function withShare(row, action, p, heirs) {
  const made = withShares(row, new Map([[action, p]]), heirs);
  return made.den > MOST_DEN ? exactRow(made) : made;
}

/** Sets the payoffs to the rules' payoffs with these changes: the value of a parameter (by name) or of an outcome (by "number.player"). */
export function setPayoffs(self, changes) {
  const { data } = self.tree, shared = data.players.length === 2 && data.constant_sum !== null;
  const paid = rulesOfPay(self.tree);
  for (const [changed, now] of changes) {
    const setting = self.settings.find((each) => each.name === changed);
    if (setting) {
      const step = minus(now, fraction(setting.value));
      setting.slopes.forEach((row, n) => row.forEach((slope, i) => (paid[n][i] = plus(paid[n][i], times(step, fraction(slope))))));
      continue;
    }
    const [n, i] = changed.split(".").map(Number), step = minus(now, paid[n][i]);
    paid[n][i] = now;
    if (shared) paid[n][1 - i] = minus(paid[n][1 - i], step);
  }
  Object.assign(self, { changes, paid, payoffs: payoffsOf(self.game, paid, self.isExact) });
  show(self, self.profile);
}

/** The sliders beside the bars: {name, label, value, low, high, step} as fractions; the game's parameters, or else payoffs. */
export function dials({ tree, settings, paid, changes }) {
  if (settings.length) {
    return settings.map(({ name, value }) => {
      const now = fraction(value), step = times(now, [1n, 4n]);
      return { name, label: name, value: changes.get(name) ?? now, low: step, high: times(now, [4n, 1n]), step };
    });
  }
  const { data } = tree, shared = data.players.length === 2 && data.constant_sum !== null, all = data.outcomes.flatMap(([, row]) => row.map(float));
  const size = BigInt(Math.max(1, Math.ceil(Math.max(...all) - Math.min(...all))));
  return data.outcomes.flatMap(([label, row], n) => data.players.slice(0, shared ? 1 : undefined).map((player, i) => {
    const rule = fraction(row[i]), whole = [rule[0] / rule[1], 1n];
    return { name: `${n}.${i}`, label: `${shared ? "" : `${player}: `}${label || row.join(", ")}`, value: paid[n][i], low: minus(whole, [size, 1n]), high: plus(whole, [size, 1n]), step: [1n, 4n] };
  }));
}

/** Whether a bar differs from the solution's. */
export function isMoved({ profile, base }) {
  return profile.some((row, k) => row && row.p.some((p, a) => Math.abs(p - base[k].p[a]) > 1e-12));
}

/** Whether the solution is an equilibrium: the payoffs are then the rules' payoffs. */
export function isSolved({ solved, changes }) {
  return !!solved && !changes.size && solved.gains.every((gain) => gain && gain[0] < 1e-6);
}

/** The float profile in simple fractions if this is exactly an equilibrium, otherwise null. */
export function settled({ game, payoffs }, profile) {
  const simple = profile.map((row) => row && (row.p.length < 2 ? row : simpleRow(row)));
  if (payoffs.num === undefined || simple.some((row, k) => !row && profile[k])) return null;
  return evaluate(game, simple, payoffs).gains.every((gain) => gain?.[1]?.[0] === 0n) ? simple : null;
}

// --- the address

/** The changes as text: bars that differ from the solution, payoffs, the chosen bar. */
export function addressOf(self) {
  const rows = self.profile.flatMap((row, k) => (row === self.base[k] ? [] : [`${k}:${(row.exact ? row : exactRow(row)).exact.map(fractionText).join(",")}`]));
  const paid = [...self.changes].map(([name, value]) => `${encodeURIComponent(name)}:${fractionText(value)}`);
  return [rows.length ? ["bars", rows.join(";")] : null, paid.length ? ["pay", paid.join(";")] : null,
    self.chosen ? ["bar", `${self.chosen.k}.${self.chosen.a}`] : null].filter(Boolean);
}

/** Goes to an address, a map of the pairs from `addressOf`; returns whether all of it fits the game. */
export function goTo(self, given, which) {
  const { game, tree } = self, parts = (name) => (given.get(name) ?? "").split(";").filter(Boolean).map((part) => part.split(":"));
  const before = self.chosen, changes = new Map();
  start(self, which);
  let fits = true;
  for (const [name, text] of parts("pay")) {
    const value = rational(text ?? ""), known = dials(self).some((dial) => dial.name === decodeURIComponent(name));
    if (value && known) changes.set(decodeURIComponent(name), value);
    else fits = false;
  }
  setPayoffs(self, changes);
  const profile = [...self.base];
  for (const [k, texts] of parts("bars")) {
    const row = rowOfTexts((texts ?? "").split(","));
    if (row && game.mover[k] >= 0 && row.p.length === profile[k].p.length) profile[k] = row;
    else fits = false;
  }
  show(self, profile);
  const [k, a] = (given.get("bar") ?? "").split(".").map(Number), count = game.mover[k] >= 0 ? tree.data.infosets[k][2].length : 0;
  self.chosen = count > 1 && a >= 0 && a < count ? { k, a: count === 2 ? 1 : a } : before; // a bar of two is about its second move
  return fits;
}

// --- for scripts

/** The information set of a player (a name or a number from 1) with a label, as the page or files have it. */
function setOf({ tree, game }, player, label) {
  const { players, infosets } = tree.data, seat = typeof player === "number" ? player - 1 : players.indexOf(player);
  if (!(seat in players)) throw new Error(`no player ${JSON.stringify(player)}; the players are ${players.join(", ")}`);
  const k = infosets.findIndex(([mover, name], n) => mover === seat && game.mover[n] === seat && [name, inFiles(tree.data, name)].includes(label));
  if (k < 0) throw new Error(`${players[seat]} has no information set ${JSON.stringify(label)}`);
  return k;
}

/** Sets probabilities, texts by move; moves that are left out share the rest as they did. */
export function setMoves(self, player, label, moves) {
  const k = setOf(self, player, label), names = self.tree.data.infosets[k][2].map((n) => self.tree.data.labels[n]);
  const given = new Map(Object.entries(moves).map(([move, text]) => [names.indexOf(move), rational(`${text}`)]));
  if (given.has(-1)) throw new Error(`the moves of ${label} are ${names.join(", ")}`);
  const known = [...given.values()], sum = known.every((p) => p && p[0] >= 0n) ? known.reduce(plus, ZERO) : null;
  if (!sum || compare(sum, ONE) > 0 || (given.size === names.length && compare(sum, ONE) !== 0)) {
    throw new Error(`${label}: probabilities are texts such as "1/3" from 0 to 1, with sum 1`);
  }
  setRow(self, k, withShares(self.profile[k], given));
  return k;
}

/** All results as text: exact like "1/3", or decimals with ≈ before them. */
export function stateOf({ tree, game, profile, result, changes, payoffs }) {
  const { data } = tree, text = (number) => number && (number[1] ? fractionText(number[1]) : `≈${number[0]}`);
  return {
    exact: result.exact,
    payoffs: result.payoffs.map(text),
    bounds: result.bounds && result.bounds.map(text),
    best: result.best.map(text),
    regrets: result.gains.map(text),
    changed: Object.fromEntries([...changes].map(([name, value]) => [name, fractionText(value)])),
    zero_sum: payoffs.sum !== null,
    sets: game.sets.flat().sort((a, b) => a - b).map((k) => {
      const values = result.values(k), row = profile[k], known = lossOf(values, row);
      const moves = data.infosets[k][2].map((n, a) => [data.labels[n], { p: text([row.p[a], row.exact?.[a] ?? null]), value: text(values?.[a] ?? null) }]);
      return { player: data.players[game.mover[k]], label: data.infosets[k][1], reach: text(result.reach(k)), loss: text(known?.loss ?? null), moves: Object.fromEntries(moves) };
    }),
  };
}

export function shareOf(row, a) {
  return [row.p[a], row.exact?.[a] ?? null];
}
