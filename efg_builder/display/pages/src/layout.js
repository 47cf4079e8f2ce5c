// Where things stand: columns by level, as wide as what is in them, and d3's tidy tree within. In a column, the members of
// an information set stand below each other in a lane in which, between them, no other node stands: the line through
// them meets no node of another set.

import { hierarchy, tree as tidy } from "d3-hierarchy";

const GAP = 8;
const LANE = 15; // pixels between the lanes: the radius of a node, and room
const TIE = 1e-9; // moves whose probabilities differ by no more are equally likely: the first of them is taken
const ROUNDS = 100; // of bringing sets to one level: more take only sets that no column can hold

/**
 * Places what is in sight: each item gets `x`, `y` (the left end and the middle of its body), `w`, `h`, `level` (its
 * column), `shift` (how far its node stands in) and `room` (how far what is written beside all nodes of the column
 * does). What has no node of its own, and ends (`body.beside`), stand beside the lanes. `sizeOf(item)` gives {w, h, before}: its body, and how much room the label on the line to it takes;
 * `setOf(item)` its information set, null for none. A tree taller than `tall` is aligned with its likeliest branch, by
 * `chanceOf(item)`. Leaves the bounds and the sets in `sight`.
 */
export function place(sight, sizeOf, setOf, chanceOf, tall) {
  for (const item of sight.order) Object.assign(item, sizeOf(item));
  const sets = sight.sets = grouped(sight.order, setOf);
  level(sight.order, [...sets.values()]);
  const root = hierarchy(sight.root, below);
  tidy()
    .nodeSize([1, 1])
    .separation((a, b) => (a.data.h + b.data.h) / 2 + (a.parent === b.parent ? GAP : 2 * GAP))(root);
  root.each((node) => (node.data.y = node.x));
  const heights = sight.order.flatMap((item) => [item.y - item.h / 2, item.y + item.h / 2]);
  if (Math.max(...heights) - Math.min(...heights) > tall) align(sight.root, chanceOf, 0);
  lanes(sight.order, sets, setOf);
  columns(sight);
  return sight.bounds;
}

/** Gives each subtree rows of its own, from `top` on, and each node the row of its likeliest move: that line of play is level. Returns the bottom. */
function align(item, chanceOf, top) {
  let bottom = top, likeliest = null, most = -1;
  item.children.forEach((child, n) => {
    bottom = align(child, chanceOf, bottom + (n ? GAP : 0));
    const chance = child.kind === "node" ? chanceOf(child) : -1;
    if (chance > most + TIE) [likeliest, most] = [child, chance];
  });
  item.y = Math.max(top + item.h / 2, likeliest?.y ?? 0);
  return Math.max(bottom, item.y + item.h / 2);
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

/** Gives all members of a set the level of the one that is deepest, as far as that can be. */
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

/** Whether play can pass two of these. */
function passesTwice(items) {
  const members = new Set(items);
  return items.some((item) => {
    for (let at = item.parent; at; at = at.parent) if (members.has(at)) return true;
    return false;
  });
}

/** The children of an item, with something in each level that the line to them passes: no other node gets in its way. */
function below(item) {
  if (item.through) return [item.through];
  return item.children.map((child) => {
    let passed = child;
    for (let n = item.level + 1; n < child.level; n++) passed = { through: passed, h: child.h };
    return passed;
  });
}

/** The lane of each node: the first that is free from the first to the last member of its set. */
function lanes(order, sets, setOf) {
  const runs = [];
  for (const items of sets.values()) {
    items.sort((a, b) => a.y - b.y);
    for (const at of new Set(items.map((item) => item.level))) runs.push(items.filter((item) => item.level === at));
  }
  for (const item of order) if (setOf(item) === null && !item.body.beside) runs.push([item]);
  runs.sort((a, b) => a[0].y - b[0].y);
  const taken = []; // by level and lane, how far down
  for (const run of runs) {
    const busy = taken[run[0].level] ??= [];
    let lane = busy.findIndex((bottom) => bottom < run[0].y);
    if (lane < 0) lane = busy.length;
    busy[lane] = run.at(-1).y;
    for (const item of run) item.shift = lane * LANE;
  }
  const lined = new Set(runs.flatMap((run) => (run.length > 1 ? [run[0].level] : [])));
  for (const item of order) {
    item.room = Math.max(0, (taken[item.level]?.length ?? 0) - 1) * LANE;
    if (item.body.beside) item.shift = item.room = lined.has(item.level) ? item.room + LANE : 0;
  }
}

function columns(sight) {
  const widths = [], rooms = [], ends = [0];
  for (const item of sight.order) {
    item.w += item.room;
    widths[item.level] = Math.max(widths[item.level] ?? 0, item.w);
    rooms[item.level] = Math.max(rooms[item.level] ?? 0, item.before);
  }
  for (let n = 1; n < widths.length; n++) ends[n] = ends[n - 1] + (widths[n - 1] ?? 0) + (rooms[n] ?? 0);
  let [top, bottom, right] = [Infinity, -Infinity, 0];
  for (const item of sight.order) {
    item.x = ends[item.level];
    top = Math.min(top, item.y - item.h / 2);
    bottom = Math.max(bottom, item.y + item.h / 2);
    right = Math.max(right, item.x + item.w);
  }
  sight.bounds = { top, bottom, left: 0, right };
}
