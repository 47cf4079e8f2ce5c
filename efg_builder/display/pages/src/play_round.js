// One round, from the deal to the end, and the score over many rounds: immutable values.
// efg_builder/players/rounds defines the numbers and computes them in fractions; here they are doubles.
//
// A board has players, open (whether all see the others' moves), root(), turn(state), behavior(state, which) (0 the
// opponent, 1 the equilibrium), values(seat), hand(state, player) and uncovered(state); dealt (whether hands are
// uncovered) and pictures (the texts drawn as dice, null: none). For Liar's Dice it has bids (each label's
// [quantity, face]), call, wild and exact; for other games bids is null. Only the data
// decide this: the form of a label does not make it a bid, a call or dice. A turn is {kind: "chance", chances, label, next}, {kind: "move", player, key, actions, next} or {kind: "end", payoffs, label}.

export const NOISE = 1e-9; // differences below this are rounding

/**
 * A source of numbers in [0, 1) that gives the same for the same seed (a 32-bit mixer; two draws make 53 bits).
 * `state()` is the seed of a source that continues this source.
 */
export function randomSource(seed) {
  let state = seed >>> 0;
  const draw = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const random = () => ((draw() >>> 5) * 2 ** 26 + (draw() >>> 6)) / 2 ** 53;
  return Object.assign(random, { state: () => state });
}

function pick(chances, random) {
  let left = random() * chances.reduce((sum, p) => sum + p, 0);
  for (let index = 0; index < chances.length; index++) {
    left -= chances[index];
    if (left < 0 && chances[index] > 0) return index;
  }
  return chances.findLastIndex((p) => p > 0);
}

/** Deals, and lets the others play up to the human's first turn. */
export function begin(board, seat, random) {
  return advanced(fresh(board, seat), random);
}

function fresh(board, seat) {
  const state = board.root();
  return { board, seat, state, turn: board.turn(state), events: [], steps: [], path: [], helped: false };
}

/** The round after the actions in `path` (indices, chance included), the `path` of an unfinished round. */
export function followed(board, seat, path) {
  return path.reduce(went, fresh(board, seat));
}

/** Makes the human's move with that index, then the others' moves. */
export function choose(play, index, random) {
  return advanced(went(play, index), random);
}

function advanced(play, random) {
  while (play.turn.kind === "chance" || (play.turn.kind === "move" && play.turn.player !== play.seat)) {
    play = went(play, pick(play.turn.chances ?? play.board.behavior(play.state, 0), random));
  }
  return play;
}

/** One step: the mover takes the action with that index. */
function went(play, index) {
  const { board, seat, turn } = play, state = turn.next(index), mine = turn.player === seat;
  const event = turn.kind === "chance" ? { player: -1, action: turn.label(index) } : { player: turn.player, action: turn.actions[index] };
  const next = { ...play, state, turn: board.turn(state), events: [...play.events, event], path: [...play.path, index] };
  return mine ? { ...next, steps: [...play.steps, stepOf(play, index)], helped: false } : next;
}

/** A move of the human: the alternatives, and whether help was requested. */
function stepOf(play, index) {
  const { board, seat, state, turn, helped } = play, { key: infoset, actions } = turn;
  return { state, infoset, hand: board.hand(state, seat), action: actions[index], actions, values: valuesOf(play), index, helped };
}

/** The value of each legal move. */
export function valuesOf(play) {
  return play.board.values(play.seat).at(play.state);
}

/** The loss of a step: the best move's value minus the chosen move's. */
function priceOf(step) {
  const price = Math.max(...step.values) - step.values[step.index];
  return price > NOISE ? price : 0;
}

/** Whether the human made a move that the equilibrium never makes. */
export function strayed(play) {
  return play.steps.some((step) => !play.board.behavior(step.state, 1)[step.index]);
}

/** The record of a finished round; result = start + luck - price. */
export function record(play) {
  const { board, seat, events, steps, turn, state } = play;
  const result = turn.payoffs[seat], start = board.values(seat).start;
  const price = steps.reduce((sum, step) => sum + priceOf(step), 0);
  const told = steps.map(({ infoset, hand, action, actions, values, helped }, k) => ({ infoset, hand, action, actions, values, helped, price: priceOf(steps[k]) }));
  return { seat, path: play.path, events, steps: told, uncovered: board.uncovered(state), ending: turn.label, payoffs: turn.payoffs, result, start, price, luck: result - start + price };
}

/** Sums over rounds. */
export function score(records) {
  const sum = (key) => records.reduce((total, each) => total + each[key], 0);
  const steps = records.flatMap((each) => each.steps);
  const [result, start, price, luck] = ["result", "start", "price", "luck"].map(sum);
  const starts = new Map(); // the number of rounds by value at the start
  for (const each of records) starts.set(each.start, (starts.get(each.start) ?? 0) + 1);
  return { rounds: records.length, starts: [...starts], result, start, price, luck, skill: start - price, moves: steps.length, mistakes: steps.filter((step) => step.price).length };
}
