// Liar's Dice by its rules, without a tree, so that games of any size can be played.
// A state is null before the deal, then {hands, bids, called}: all hands by index, the bids made by index.

import { bidsOf, paid } from "./bidding_calls.js";
import { float } from "./numbers.js";
import { rowsAt, valuesFor } from "./bidding_values.js";

/**
 * The board (see play_round.js) of what efg_builder/display/pages/play.py wrote for Liar's Dice (`told`), for these players.
 * `pays[loser][lost - 1]` are the payoffs if that player loses this number of dice; the last entry includes more dice.
 */
export function biddingBoard(told, players, pays = told.pays.map((side) => side.map((each) => each.map(float)))) {
  const rules = rulesOf(told, pays), known = new Map();
  const last = rules.strategies.length - 1; // a single strategy is also the equilibrium
  return {
    players,
    open: true,
    ...bidsOf(told),
    dealt: true,
    holds: true,
    pictures: "dice",
    root: () => null,
    turn: (state) => turnAt(rules, state),
    behavior: (state, which) => behaviorAt(rules, rules.strategies[Math.min(which, last)], state),
    hand: (state, player) => handName(rules.hands[player][state.hands[player]]),
    uncovered: (state) => players.map((name, player) => [name, handName(rules.hands[player][state.hands[player]])]),
    held: (state, player) => handName(rules.hands[player][state.hands[player]]),
    believed: (state, seat) => believedAt(rules, rules.strategies[last], state, seat),
    values(seat) {
      if (!known.has(seat)) known.set(seat, valuesFor(rules, rules.strategies[0], seat));
      return known.get(seat);
    },
  };
}

/** Each hand of `seat`, with its probability times the probability of the player's moves so far. */
function believedAt(rules, strategy, { hands, bids, called }, seat) {
  const moves = [...bids, ...(called ? [rules.names.length] : [])];
  return rules.hands[seat].map((dice, hand) => {
    const held = hands.with(seat, hand), own = moves.map((_, turn) => turn).filter((turn) => turn % hands.length === seat);
    const played = (turn) => behaviorAt(rules, strategy, { hands: held, bids: bids.slice(0, turn) })[moves[turn] - (bids[turn - 1] ?? -1) - 1];
    return [handName(dice), own.reduce((p, turn) => p && p * played(turn), rules.chances[seat][hand])];
  });
}

function rulesOf(told, pays) {
  const numbers = told.numbers.map(float);
  const rows = told.rows.map((row) => row.map(([move, number]) => [move, numbers[number]]));
  const count = (hand, face) => hand.filter((die) => die === face || die === told.wild).length;
  return {
    ...told,
    chances: told.chances.map((cup) => cup.map(float)),
    pays,
    // counts[player][face][hand]: how many dice of the hand count towards a bid on the face
    counts: told.hands.map((cup) => Array.from({ length: told.sides + 1 }, (_, face) => cup.map((hand) => count(hand, face)))),
    strategies: told.strategies.map((strategy, k) => ({
      alike: new Map(told.alike[k]),
      written: strategy.map((written) => new Map(
        Object.entries(written).map(([history, entries]) => [history, new Map(entries.map(([hand, row]) => [hand, rows[row]]))]),
      )),
    })),
  };
}

function handName(hand) {
  return hand.join(",");
}

function turnAt(rules, state) {
  if (state === null) return deal(rules);
  const mover = state.bids.length % rules.hands.length, last = state.bids.at(-1) ?? -1;
  if (state.called) {
    const [quantity, face] = rules.bids[last];
    const there = state.hands.reduce((sum, hand, player) => sum + rules.counts[player][face][hand], 0);
    return { kind: "end", payoffs: paid(rules, mover, quantity, there), label: "" };
  }
  const actions = rules.names.slice(last + 1);
  const nexts = actions.map((_, k) => ({ ...state, bids: [...state.bids, last + 1 + k] }));
  if (last >= 0) {
    actions.push(rules.call);
    nexts.push({ ...state, called: true });
  }
  const history = state.bids.map((bid) => rules.names[bid]).join(" ") || "start";
  const key = `${handName(rules.hands[mover][state.hands[mover]])}: ${history}`;
  return { kind: "move", player: mover, key, actions, next: (index) => nexts[index] };
}

function deal(rules) {
  let deals = [[]], chances = [1];
  for (const cup of rules.chances) {
    deals = deals.flatMap((hands) => cup.map((_, hand) => [...hands, hand]));
    chances = chances.flatMap((p) => cup.map((q) => p * q));
  }
  const next = (index) => ({ hands: deals[index], bids: [], called: false });
  return { kind: "chance", chances, label: (index) => deals[index].map((hand, p) => handName(rules.hands[p][hand])).join(" vs "), next };
}

function behaviorAt(rules, strategy, state) {
  const mover = state.bids.length % rules.hands.length, last = state.bids.at(-1) ?? -1, width = rules.names.length - last - 1 + (last >= 0);
  const row = rowsAt(strategy, mover, state.bids)?.get(state.hands[mover]);
  const found = new Array(width).fill(0);
  if (!row) found[last >= 0 ? width - 1 : 0] = 1;
  else for (const [move, p] of row) found[move - last - 1] = p;
  return found;
}
