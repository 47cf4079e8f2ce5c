// Positions: columns by level; in each column, each subtree has separate rows. The members of an information set stand
// below each other in a lane without other nodes between them. Branches are straight lines. If branches to many moves
// would run through a word or a node, they are slanted first, and then level.

import { READ, WHOLE } from "./state.js";

export const RADIUS = 9; // pixels, of a node
export const CLEAR = 2; // pixels from a node to the edge of its information set's band
const LANE = 2 * RADIUS + CLEAR; // from lane to lane
const GAPS = [12, 5], GAP = 0; // pixels between the subtrees of the start, of its moves, of other nodes
const FAN = { share: 1 / 8, least: 24, most: 70 }; // pixels from a column to the words of the next column, for the widest branch
const BESIDE = 3; // pixels from a line to the words beside it
const AROUND = 5; // pixels from a word to a node
const TIE = 1e-9; // moves whose probabilities differ by at most this are equally likely, and the first is taken
const ROUNDS = 100; // the maximum number of rounds that bring sets to one level; only sets that no column can hold need more

/**
 * Places the shown items. Each gets `x`, `y` (its node's middle, or the middle of its left edge), `lane`, `level` (its
 * column), `side` (-1 if its words stand above its line, 1 below), `up` and `down` (its extent), `straight`
 * (whether the branches to its moves are), and `wordsEnd` and `knee`, where the words on the line to it end, and where a
 * slanted line becomes level.
 *
 * `sizeOf(item)` gives {body, label, inner, outer}: the drawing (`back` and `w`: its extent to the left and to the right,
 * `out`: where branches start, `node`: whether it is one), the words on the line to it, and its extent on
 * the side without and with words. `setOf(item)` is its information set, null for none. A tree that cannot be
 * read in the `frame` ({width, height}) is aligned with its likeliest branch, by `chanceOf(item)`. Branches are longer if
 * that fills the frame. Leaves the bounds and the sets in `sight`.
 */
export function place(sight, sizeOf, setOf, chanceOf, frame) {
  for (const item of sight.order) Object.assign(item, sizeOf(item));
  const sets = sight.sets = grouped(sight.order, setOf);
  level(sight.order, [...sets.values()]);
  for (const item of sight.order) Object.assign(item, { straight: !item.body.out, amid: [0, item.children.length - 1] });
  let more = 0;
  const settle = () => {
    sides(sight);
    rows(sight.root, 0);
    columns(sight, lanes(sight.order, sets, setOf), more);
    const { top, bottom, left, right } = sight.bounds;
    return { width: right - left, height: bottom - top };
  };
  const { width, height } = settle(), tall = height * WHOLE > frame.height;
  if (tall) for (const item of sight.order) item.amid = likeliest(item.children, chanceOf);
  more = Math.max(0, frame.width / (tall ? READ : frame.height / height) - width);
  settle();
  for (let bent; (bent = sight.order.filter((item) => item.straight && !hasRoom(item))).length; settle()) {
    for (const item of bent) item.straight = false;
  }
}

/** The number of the most probable move, twice. */
function likeliest(children, chanceOf) {
  let found = 0, most = -1;
  children.forEach((child, n) => {
    const chance = child.kind === "node" ? chanceOf(child) : -1;
    if (chance > most + TIE) [found, most] = [n, chance];
  });
  return [found, found];
}

/** The items of each information set, from above to below once they are placed. */
function grouped(order, setOf) {
  const sets = new Map();
  for (const item of order) {
    const k = setOf(item);
    if (k !== null) sets.get(k)?.push(item) ?? sets.set(k, [item]);
  }
  return sets;
}

/** Gives all members of a set the level of its deepest member, if possible. */
function level(order, sets) {
  for (const item of order) item.level = item.depth;
  const whole = sets.filter((items) => items.some((item) => item.depth !== items[0].depth) ? !passesTwice(items) : items.length > 1);
  for (let round = 0, still = false; !still; round++) {
    still = true;
    for (const items of whole) {
      const deepest = Math.max(...items.map((item) => item.level));
      for (const item of items) if (item.level < deepest) [item.level, still] = [deepest, false];
    }
    for (const item of order) if (item.parent && item.level <= item.parent.level) [item.level, still] = [item.parent.level + 1, false];
    if (round === ROUNDS) {
      for (const item of order) item.level = item.depth;
      return;
    }
  }
}

/** Whether a path can contain two of these nodes. */
function passesTwice(items) {
  const members = new Set(items);
  return items.some((item) => {
    for (let at = item.parent; at; at = at.parent) if (members.has(at)) return true;
    return false;
  });
}

/** Words stand on the outer side of straight branches, and above those that become level. */
function sides({ root, order }) {
  root.side = 0;
  for (const { children, amid, straight } of order) {
    children.forEach((child, n) => (child.side = !straight || 2 * n < amid[0] + amid[1] || !n ? -1 : 1));
  }
  for (const item of order) {
    item.up = item.side <= 0 ? item.outer : item.inner;
    item.down = item.side >= 0 ? item.outer : item.inner;
  }
}

/** Gives each subtree separate rows, from `top` on, and each node the middle row of its moves, or the row of its most probable move. Returns the bottom. */
function rows(item, top) {
  const { children, amid } = item;
  let bottom = top;
  children.forEach((child, n) => (bottom = rows(child, bottom + (n ? GAPS[item.depth] ?? GAP : 0))));
  const least = top + item.up, middle = children.length ? (children[amid[0]].y + children[amid[1]].y) / 2 : least;
  if (middle < least) for (const child of children) push(child, least - middle);
  item.y = Math.max(middle, least);
  item.rows = [top, Math.max(item.y + item.down, ...children.slice(-1).map((child) => child.rows[1]))];
  return item.rows[1];
}

function push(item, by) {
  item.y += by;
  item.rows = item.rows.map((edge) => edge + by);
  for (const child of item.children) push(child, by);
}

/** The lane of each node: the first lane that is free from the first to the last member of its set; and the number of lanes by level. */
function lanes(order, sets, setOf) {
  const runs = [];
  for (const items of sets.values()) {
    items.sort((a, b) => a.y - b.y);
    for (const at of new Set(items.map((item) => item.level))) runs.push(items.filter((item) => item.level === at));
  }
  for (const item of order) if (setOf(item) === null && item.body.node) runs.push([item]);
  runs.sort((a, b) => a[0].y - b[0].y);
  const taken = [], lined = new Set(); // by level and lane, the lowest used row; the levels with lines between nodes
  for (const run of runs) {
    const busy = taken[run[0].level] ??= [];
    let lane = busy.findIndex((bottom) => bottom + 2 * LANE < run[0].y);
    if (lane < 0) lane = busy.length;
    busy[lane] = run.at(-1).y;
    for (const item of run) item.lane = lane;
    if (run.length > 1) lined.add(run[0].level);
  }
  for (const item of order) if (!item.body.node) item.lane = lined.has(item.level) ? taken[item.level].length : 0;
  return taken.map((busy) => busy.length);
}

/** The left ends of the columns, with this additional room between them: most where branches are widest. */
function columns(sight, counts, more) {
  const words = [0], drops = [0], wide = [], starts = [0], knees = [0], larger = (of, n, size) => (of[n] = Math.max(of[n] ?? 0, size));
  const edge = (item) => (counts[item.level] ? RADIUS + CLEAR : 0), aside = (item) => Math.max(edge(item), item.body.back - item.lane * LANE) + AROUND;
  for (const item of sight.order) {
    larger(wide, item.level, item.lane * LANE + (item.body.out || edge(item)));
    if (!item.parent) continue;
    larger(words, item.level, aside(item) + (item.label?.w ?? 0) + AROUND);
    larger(drops, item.level, Math.abs(item.y - item.parent.y));
  }
  const sum = drops.reduce((all, drop) => all + drop, 1e-9);
  for (let n = 1; n < wide.length; n++) {
    knees[n] = starts[n - 1] + (wide[n - 1] ?? 0) + Math.min(Math.max(FAN.least, FAN.share * (drops[n] ?? 0)), FAN.most) + Math.min((more * (drops[n] ?? 0)) / sum, 2 * FAN.most);
    starts[n] = knees[n] + (words[n] ?? 0);
  }
  for (const item of sight.order) {
    item.x = starts[item.level] + item.lane * LANE;
    item.wordsEnd = starts[item.level] - aside(item);
    item.knee = knees[item.level];
  }
  const most = (of) => sight.order.reduce((found, item) => Math.max(found, of(item)), -Infinity);
  sight.bounds = {
    top: -most((item) => item.up - item.y), bottom: most((item) => item.y + item.down),
    left: -most((item) => item.body.back - item.x), right: most((item) => item.x + item.body.w),
  };
}

/** The points of the line to an item. */
export function lineTo({ parent, x, y, knee }) {
  const start = [parent.x + parent.body.out, parent.y];
  return parent.straight || parent.y === y ? [start, [x, y]] : [start, [knee, y], [x, y]];
}

/** The place of the words on the line to an item: their right end, and the edge next to the line. */
export function wordsAt(item) {
  const { parent, side, wordsEnd, label } = item, [[x0, y0]] = lineTo(item);
  const height = (x) => (parent.straight ? y0 + ((item.y - y0) * (x - x0)) / (item.x - x0) : item.y);
  const near = side * Math.max(side * height(wordsEnd), side * height(wordsEnd - label.w));
  return [wordsEnd, near + side * BESIDE];
}

/** Whether straight branches to the moves of an item keep clear of each other's words and nodes. */
function hasRoom({ children, x, y }) {
  const beside = (item) => {
    const around = [{ left: item.x - item.body.back, right: item.x + RADIUS, top: item.y - item.up, bottom: item.y + item.down }];
    if (item.children.length) around.push({ left: item.children[0].knee, right: Infinity, top: item.rows[0], bottom: item.rows[1] });
    if (!item.label?.w) return around;
    const [right, near] = wordsAt(item), far = near + item.side * item.label.h;
    return [...around, { left: right - item.label.w, right, top: Math.min(near, far), bottom: Math.max(near, far) }];
  };
  const clear = (item, other) => beside(other).every(({ left, right, top, bottom }) => {
    if (left > item.x) return true;
    const heights = [left, Math.min(right, item.x)].map((at) => y + ((item.y - y) * (at - x)) / (item.x - x));
    return item.y < other.y ? Math.max(...heights) <= top - CLEAR : Math.min(...heights) >= bottom + CLEAR;
  });
  return children.every((item, n) => [children[n - 1], children[n + 1]].every((other) => !other || clear(item, other)));
}
