// Any game by its tree: a state is a node. efg_builder/players/rounds/boards.py does the same in fractions.

import { bidsOf } from "./bidding_calls.js";
import { allowedBy, backUp, gameOf, leafSums, planOf } from "./explore_game.js";
import { payments } from "./measures.js";
import { CHANCE, NONE, TERMINAL, childrenOf, moveTo, pathTo, treeOf } from "./model.js";
import { float } from "./numbers.js";
import { lastRoll } from "./play_dice.js";

/** The board (see play_round.js) of what efg_builder/display/pages/play.py wrote for other games. */
export function treeBoard(data) {
  const tree = treeOf(data.tree), known = new Map();
  const numbers = data.tree.numbers.map(float);
  const strategies = data.tree.solutions.map(({ probabilities }) => probabilities.map((row) => row?.map((k) => numbers[k]) ?? null));
  const chances = data.tree.infosets.map(([player, , , row]) => (player === CHANCE ? row.map(float) : null));
  const game = { tree, strategies, chances, hands: data.hands, known: data.known, rolls: data.pictures === "rolls" };
  return {
    players: data.players,
    open: data.tree.public !== null,
    ...(data.bids ? bidsOf(data.bids) : { bids: null }),
    dealt: data.hands !== null,
    holds: data.hands !== null || data.tree.infosets.every(([player, label]) => player === CHANCE || label.includes(": ")),
    pictures: data.pictures,
    root: () => 0,
    turn: (node) => turnAt(game, node),
    behavior: (node, which) => strategies[which][tree.infoset[node]],
    hand: (node, player) => (data.hands ? data.hands[dealOf(game, node)][player] : ""),
    uncovered: (node) => uncovered(game, node),
    seen: (node) => seen(game, node),
    opened: data.known?.some(([, opened]) => opened) ?? false,
    held: (node, seat) => heldAt(game, node, seat)[0],
    believed: (node, seat, openly) => believed(game, node, seat, openly),
    values(seat) {
      if (!known.has(seat)) known.set(seat, valuesFor(game, seat));
      return known.get(seat);
    },
  };
}

function turnAt({ tree, chances }, node) {
  const k = tree.infoset[node];
  if (tree.player[node] === TERMINAL) {
    const payoffs = payments(tree).map((sums) => sums[node]);
    return { kind: "end", payoffs, label: tree.outcome[node] === NONE ? "" : tree.data.outcomes[tree.outcome[node]][0] };
  }
  const [player, label, actions] = tree.data.infosets[k];
  const children = [...childrenOf(tree, node)], names = actions.map((action) => tree.data.labels[action]);
  const next = (index) => children[index];
  if (player === CHANCE) return { kind: "chance", chances: chances[k], label: (index) => names[index], next };
  return { kind: "move", player, key: label, actions: names, next };
}

/** The branch of the first chance event. */
function dealOf({ tree }, node) {
  return tree.action[pathTo(tree, node)[1]];
}

function uncovered(game, node) {
  const { tree, hands } = game;
  if (hands) return tree.data.players.map((name, player) => [name, hands[dealOf(game, node)][player]]);
  return wayTo(tree, node).filter(({ player }) => player === CHANCE).map(({ event, action }) => [event, action]);
}

/** The player's moves, and the others' and chance's moves common to all nodes of the information set. */
function seen({ tree }, node) {
  const mover = tree.player[node], way = wayTo(tree, node);
  const common = new Set(way.map((_, k) => k).filter((k) => way[k].player !== mover));
  for (let other = 0; common.size && other < tree.count; other++) {
    if (tree.infoset[other] !== tree.infoset[node]) continue;
    const there = wayTo(tree, other);
    for (const k of common) if (there[k]?.player !== way[k].player || there[k].action !== way[k].action) common.delete(k);
  }
  return way.filter(({ player }, k) => player === mover || common.has(k));
}

/** The events up to the node. */
function wayTo(tree, node) {
  return pathTo(tree, node).slice(1).map((at) => {
    const [player, event] = tree.data.infosets[tree.infoset[tree.parent[at]]];
    return { player, event, action: moveTo(tree, at) };
  });
}

/**
 * The hands (or observations) of `seat` after the public moves up to the node, each with its probability times the
 * probability of the player's moves; null if nothing is hidden, or the others do not see all moves. `openly`: for the other
 * of two players, given that player's hand.
 */
function believed(game, node, seat, openly) {
  const { tree, known } = game, { of } = tree.data.public ?? {}, found = new Map();
  if (!known) return null;
  const isChance = (at) => tree.player[at] === CHANCE, opened = (at) => known[tree.infoset[deciding(tree, at)]]?.[1];
  for (let at = 0; at < tree.count; at++) {
    if (of[at] !== of[node] || isChance(at) !== isChance(node) || (isChance(at) && tree.depth[at] !== tree.depth[node]) || opened(at) !== opened(node)) continue;
    const [name, order] = heldAt(game, at, seat);
    if (name === null) return null;
    const fits = !openly || heldAt(game, at, 1 - seat)[0] === heldAt(game, node, 1 - seat)[0];
    const [before, least] = found.get(name) ?? [0, order];
    found.set(name, [before + (fits ? reachOf(game, at, seat) : 0), Math.min(least, order)]);
  }
  return found.size > 1 ? [...found].sort(([, [, a]], [, [, b]]) => a - b).map(([name, [p]]) => [name, p]) : null;
}

/** The last decision on the way to the node, inclusive; NONE if there is none. */
function deciding(tree, node) {
  while (node !== NONE && tree.player[node] < 0) node = tree.parent[node];
  return node;
}

/** The hand of `seat` at the node, or the observation at the player's last turn (before it: at the next turn), and its place in order. */
function heldAt({ tree, hands, known, rolls }, node, seat) {
  let at = node;
  while (at !== NONE && tree.player[at] !== seat) at = tree.parent[at];
  if (at === NONE && !rolls) for (at = node; tree.player[at] >= 0 && tree.player[at] !== seat; ) at += 1;
  const k = tree.player[at] === seat ? tree.infoset[at] : NONE;
  if (hands) return [hands[dealOf({ tree }, node)][seat], k === NONE ? tree.count : k];
  if (k === NONE) return [null, 0];
  return [rolls ? lastRoll(tree.data.infosets[k][1]) : known[k][0], k];
}

/** The probability of a node; `seat` plays the equilibrium. */
function reachOf({ tree, strategies, chances }, node, seat) {
  let p = 1;
  for (let at = node; at && p; at = tree.parent[at]) {
    const above = tree.parent[at], k = tree.infoset[above];
    p *= (chances[k] ?? (tree.player[above] === seat ? strategies.at(-1) : strategies[0])[k])[tree.action[at]];
  }
  return p;
}

/** The values of `seat`'s moves: `start`, and `at(node)`, one number for each action. */
function valuesFor({ tree, strategies }, seat) {
  const form = (tree.form ??= gameOf(tree, 1)), { chance, next, start } = form; // forced moves have values, too
  const profile = strategies[0].map((p, k) => ({ p: p ?? tree.data.infosets[k][2].map(() => 0) }));
  const plans = tree.data.players.map((_, player) => planOf(form, player, profile, false));
  const paid = payments(tree)[seat], sums = leafSums(form, seat, plans, form.leaves.map((leaf) => paid[leaf]), chance);
  const allowed = allowedBy(form, plans, chance), most = backUp(form, seat, sums);
  const at = (node) => {
    const k = tree.infoset[node];
    return [...next.subarray(start[k], start[k + 1])].map((sequence) => sums[sequence] / allowed[k]);
  };
  return { start: most, at };
}
