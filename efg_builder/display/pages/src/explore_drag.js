// Moving the bars of Explore: by mouse or finger along a bar, at an edge, at a move's number or at the curve; by keys.

import { rational, rowOf } from "./explore_game.js";
import { exactRow } from "./explore_learn.js";
import { choiceAt, heirsOf, setRow, withShare } from "./explore_model.js";
import { compare, minus, plus } from "./numbers.js";

const FIELD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24]; // denominators that a bar is dragged to
const STIFF = 0.0007; // how much farther a fraction may be for each unit that its denominator is smaller
const COARSE = 12, FINE = 100; // steps of the keys, without and with Shift

/** Lets the bars in `element` be moved; the callbacks are the same as for `dialOf`. */
export function movable(element, self, { pause, paint, changed }) {
  let held = null; // {k, a, with: the move that trades with a, null if all others do, heirs, box, from, row}
  element.addEventListener("pointerdown", (event) => {
    const row = event.target.closest(".efg-xrow"), slider = event.target.closest("[role=slider]"), curve = event.target.closest("[data-left]");
    if (!(row || curve) || event.button) return;
    pause();
    if (curve) return hold(event, self.chosen.k, { a: self.chosen.a, with: null, isCurve: true }, boxOfCurve(curve));
    const k = Number(row.dataset.k), bar = row.querySelector(".efg-xbar");
    if (!slider && !bar.contains(event.target)) {
      if (self.chosen.k !== k) self.chosen = choiceAt(self, k);
      changed();
      return;
    }
    const box = bar.getBoundingClientRect();
    slider?.focus({ preventScroll: true });
    hold(event, k, bar.contains(event.target) ? edgeAt(self.profile[k].p, (event.clientX - box.left) / box.width) : { a: Number(slider.dataset.a), with: null }, box);
  });
  element.addEventListener("pointermove", (event) => held && drag(event));
  element.addEventListener("pointerup", (event) => held && drop(event));
  element.addEventListener("pointercancel", () => held && release(held.before));
  element.addEventListener("keydown", press);

  function hold(event, k, moves, box) {
    held = { k, box, from: event.clientX, row: self.profile[k], before: self.chosen, heirs: heirsOf(self, k, moves.a), ...moves };
    element.setPointerCapture?.(event.pointerId);
    self.chosen = { k, a: held.a };
    event.preventDefault();
    // A finger may be about to scroll the page.
    if (event.pointerType !== "touch") drag(event);
  }

  function drag({ clientX }) {
    const { k, a, with: other, isCurve, box, from, row, heirs } = held, at = clamped((clientX - box.left) / box.width);
    if (isCurve && row.p.length > 2) setRow(self, k, withShare(row, a, snapped(at), heirs));
    else if (row.p.length === 2) setRow(self, k, withShare(row, 1, snapped(1 - at)));
    else if (other !== null) setRow(self, k, traded(row, a, other, at));
    else if (clientX !== from) setRow(self, k, withShare(row, a, snapped(clamped(row.p[a] + (clientX - from) / box.width)), heirs));
    paint();
  }

  function drop(event) {
    drag(event);
    held = null;
    changed();
  }

  /** Undoes a move that became a scroll of the page. */
  function release(chosen) {
    setRow(self, held.k, held.row);
    self.chosen = chosen;
    held = null;
    changed();
  }

  function press(event) {
    const slider = event.target.closest("[role=slider]"), way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!slider || event.ctrlKey || event.metaKey || event.altKey || !(way || /^(Home|End)$/.test(event.key))) return;
    const k = Number(slider.dataset.k), a = Number(slider.dataset.a), row = self.profile[k], steps = event.shiftKey ? FINE : COARSE;
    const turn = row.p.length === 2 && /Left|Right/.test(event.key) ? -way : way; // the second move is at the right end
    const next = turn > 0 ? Math.floor(row.p[a] * steps + 1e-9) + 1 : Math.ceil(row.p[a] * steps - 1e-9) - 1;
    const count = event.key === "Home" ? 0 : event.key === "End" ? steps : Math.min(steps, Math.max(0, next));
    pause();
    self.chosen = { k, a };
    setRow(self, k, withShare(self.profile[k], a, rational(`${count}/${steps}`), heirsOf(self, k, a)));
    event.preventDefault();
    event.stopPropagation();
    changed();
  }
}

/** The place of the curve's axis in the window. */
function boxOfCurve(curve) {
  const { left, width } = curve.getBoundingClientRect(), scale = width / curve.viewBox.baseVal.width;
  return { left: left + curve.dataset.left * scale, width: curve.dataset.width * scale };
}

function clamped(x) {
  return Math.min(1, Math.max(0, x));
}

/** The fraction near x that is the simplest. */
function snapped(x) {
  const away = ({ num, den }) => Math.abs(x - num / den) + STIFF * den;
  const near = FIELD.map((den) => ({ den, num: Math.round(x * den) })).reduce((a, b) => (away(b) < away(a) ? b : a));
  return [BigInt(near.num), BigInt(near.den)];
}

/** The two moves on either side of the edge that is nearest to a place in a bar: {a, with}, a on the left. */
function edgeAt(p, at) {
  if (p.length === 2) return { a: 1, with: 0 };
  let sum = 0;
  const edges = p.slice(0, -1).map((x) => (sum += x)), near = Math.min(...edges.map((edge) => Math.abs(edge - at)));
  const same = edges.flatMap((edge, n) => (Math.abs(Math.abs(edge - at) - near) < 1e-9 ? [n] : []));
  const left = p.findLastIndex((x, n) => n <= same.at(-1) && x > 0), right = p.findIndex((x, n) => n > same[0] && x > 0);
  return { a: left < 0 ? same.at(-1) : left, with: right < 0 ? same[0] + 1 : right };
}

/** A row in which two moves trade so that their edge is at a place. */
function traded(row, a, other, at) {
  const { exact } = row.exact ? row : exactRow(row), both = plus(exact[a], exact[other]), before = row.p.slice(0, a).reduce((x, y) => x + y, 0);
  const near = snapped(clamped(at - before)), share = compare(near, both) > 0 ? both : near;
  return rowOf(exact.map((p, n) => (n === a ? share : n === other ? minus(both, share) : p)));
}
