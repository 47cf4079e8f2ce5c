// The tab Explore: the equilibrium that can be moved. Bars to drag, the two bounds that meet, the best replies, learning.

import { el } from "./dom.js";
import { many } from "./draw_parts.js";
import { boxOf, groupsOf } from "./explore_bars.js";
import { MOST_EXPLORED, rowOf } from "./explore_game.js";
import { exactRow, learner } from "./explore_learn.js";
import { bestReply, choiceAt, dials, exploreOf, isSolved, setPayoff, setRow, settled, show, start, uniform, withShare, withoutBluffs } from "./explore_model.js";
import { placeOf, proofOf, sentenceOf } from "./explore_proof.js";
import { why } from "./explore_why.js";
import { compare, fractionText, minus, plus } from "./numbers.js";

const SHOWN = 9, MORE = 30; // boxes of a column at first, and with each press of "more"
const FRAME = 12; // milliseconds of learning in a frame
const NEAR = 1e-5, MOST_STEPS = 20_000; // learning ends when nobody gains more than this share of the largest payoff, or after so many steps
const FIELD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 18, 20, 24]; // denominators that a bar is dragged to
const TWELFTH = 12;

/** The fraction near x that is the simplest. */
export function snapped(x) {
  const best = FIELD.map((den) => ({ den, num: Math.round(x * den) })).reduce((a, b) => (away(b) < away(a) ? b : a));
  return [BigInt(best.num), BigInt(best.den)];

  function away({ num, den }) {
    return Math.abs(x - num / den) + 0.0007 * den;
  }
}

/** Explore in a viewer: {element, open, draw, fill(panel)}; what it shows is `state.explore`. */
export function exploreIn(app) {
  const { state, acts } = app, { tree } = state, rank = state.level + 1;
  const element = el("div", { class: "efg-explore", tabindex: -1 });
  let self = null, boxes = [], learning = null, painted = false, parts = null;
  const watch = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const box = boxes.find((each) => each.element === target);
      isIntersecting ? box?.fill() : box?.clear();
    }
  }, { root: element, rootMargin: "300px" });
  return { element, open, draw, fill, fillAll };

  /** Makes the tab at its first opening. */
  function open() {
    if (parts) return;
    parts = {};
    self = state.explore ??= exploreOf(tree, state.now);
    if (self) build();
    else element.append(el("p", {}, `This tree has ${many(tree.count)} nodes. Explore takes trees of up to ${many(MOST_EXPLORED)} nodes.`));
  }

  function build() {
    const { players } = tree.data, button = (text, does, extra = {}) => el("button", { type: "button", click: () => { pause(); does(); changed(); }, ...extra }, text);
    Object.assign(parts, { learn: el("button", { type: "button", class: "efg-go", click: () => (learning ? pause() : learn()) }), proof: el("div", { class: "efg-xproof" }), say: el("p", { class: "efg-xsay", role: "status" }), dial: el("span", { class: "efg-xdial" }) });
    parts.back = button("", () => show(self, self.base));
    const presets = [
      state.now >= 0 ? parts.back : null, button("Uniform", () => show(self, uniform(self))),
      tree.data.bluffs ? button("Never bluff", () => show(self, withoutBluffs(self)), { title: "No bid that none of the bidder's dice support" }) : null,
      ...players.map((name, i) => self.game.recall[i] && self.game.sets[i].length && button(`Best reply of ${name}`, () => show(self, bestReply(self, i)))),
    ];
    const tools = el("div", { class: "efg-xtools", role: "group", "aria-label": "Strategies and payoffs" }, presets, parts.learn, parts.dial);
    parts.boxes = el("div", { class: "efg-xboxes" });
    element.replaceChildren(tools, el("div", { class: "efg-xtop" }, parts.proof, parts.say), parts.boxes, legendOf(tree.data.solutions));
    parts.learn.hidden = self.game.recall.includes(false);
    buildBoxes();
    buildDial();
    drags();
    new ResizeObserver(paint).observe(parts.proof);
  }

  function buildBoxes() {
    const columns = new Map();
    for (const group of groupsOf(self)) columns.set(group.depth, [...(columns.get(group.depth) ?? []), group]);
    const reach = (group) => group.sets.reduce((sum, k) => sum + self.result.reach(k)[0], 0), fits = columns.size <= 4 && [...columns.values()].every((each) => each.length <= 4 && each[0].moves.length < 4);
    parts.boxes.classList.toggle("efg-xcolumns", fits);
    for (const groups of columns.values()) {
      const known = new Map(groups.map((group) => [group, reach(group)])), order = groups.toSorted((a, b) => known.get(b) - known.get(a) > 1e-9 ? 1 : known.get(a) - known.get(b) > 1e-9 ? -1 : 0);
      const place = fits ? groups : order, column = el("div", { class: `efg-xcolumn${groups.some((group) => group.moves.length > 2) ? " efg-xwide" : ""}` }), more = el("button", { type: "button", class: "efg-xmore", click: () => add(MORE) });
      let shown = 0;
      const add = (count) => {
        const fresh = place.slice(shown, shown + count).map((group) => boxOf(state, self, group, rank));
        shown += fresh.length;
        boxes.push(...fresh);
        more.before(...fresh.map((box) => box.element));
        fresh.forEach((box) => watch.observe(box.element));
        more.hidden = shown === place.length;
        more.textContent = `${many(place.length - shown)} more ${place.slice(shown).every((group) => !known.get(group)) ? "that are not reached" : "that are reached less often"}`;
      };
      column.append(more);
      parts.boxes.append(column);
      add(SHOWN);
    }
  }

  /** What can be dragged beside the bars: a parameter of the game, or a payoff. */
  function buildDial() {
    const all = dials(self), shared = all.every((dial) => dial.name.endsWith(".0")), said = self.settings.length ? "" : shared ? `Payoff to ${tree.data.players[0]} if` : "Payoff to", name = el("select", { "aria-label": "What to change", change: drawDial }, all.map((dial) => el("option", { value: dial.name }, dial.label)));
    const slide = el("input", { type: "range", "aria-label": "Its value", input: () => turn() }), now = el("output", {}), reset = el("button", { type: "button", click: () => { self.changes.clear(); setPayoff(self, "", null); changed(); } }, "Reset");
    parts.dial.replaceChildren(...(all.length > 1 || !self.settings.length ? [el("label", {}, el("span", {}, said), name)] : [el("span", {}, all[0].label), name]), slide, now, reset);
    name.hidden = all.length === 1;
    Object.assign(parts, { name, slide, now, reset });
    drawDial();

    function turn() {
      const dial = dials(self).find((each) => each.name === name.value), steps = BigInt(slide.value), value = plus(dial.low, [steps * dial.step[0], dial.step[1]]);
      pause();
      setPayoff(self, dial.name, value);
      paint();
    }
    slide.addEventListener("change", () => changed());
  }

  function drawDial() {
    const dial = dials(self).find((each) => each.name === parts.name.value), steps = (value) => { const [a, b] = minus(value, dial.low); return Number((a * dial.step[1]) / (b * dial.step[0])); };
    Object.assign(parts.slide, { min: 0, max: steps(dial.high), step: 1 });
    parts.slide.value = steps(dial.value);
    parts.now.textContent = fractionText(dial.value).replace("-", "−");
    parts.slide.setAttribute("aria-valuetext", fractionText(dial.value));
    parts.reset.hidden = !self.changes.size;
  }

  // --- drawing

  /** Draws at most once in a frame. */
  function paint() {
    if (painted) return;
    painted = true;
    requestAnimationFrame(() => {
      painted = false;
      draw();
      acts.details();
    });
  }

  function draw() {
    if (!self) return;
    const began = performance.now();
    if (self.which !== state.now && !learning) {
      start(self, state.now);
      rebuild();
    }
    parts.back.textContent = isSolved(self) ? `Equilibrium${placeOf(state)}` : tree.data.solutions[self.which]?.name ?? "";
    parts.learn.textContent = learning ? `❚❚ Pause · ${many(learning.steps)}` : "▶ Learn";
    parts.proof.replaceChildren(proofOf(self, parts.proof.clientWidth || 600));
    parts.say.replaceChildren(...sentenceOf(self, learning));
    boxes.forEach((box) => box.draw());
    drawDial();
    app.times.explore = performance.now() - began;
  }

  function rebuild() {
    boxes.forEach((box) => watch.unobserve(box.element));
    boxes = [];
    parts.boxes.replaceChildren();
    buildBoxes();
  }

  /** Puts all bars into the page, as for printing. */
  function fillAll() {
    boxes.forEach((box) => box.fill());
    draw();
  }

  /** Fills the panel at the side. */
  function fill(panel) {
    panel.setAttribute("class", "efg-panel efg-xwhy");
    panel.replaceChildren(...(self ? why(state, self, rank) : []).flat().filter(Boolean));
  }

  /** Draws a change that undo and the address know. */
  function changed() {
    acts.draw();
  }

  // --- dragging

  function drags() {
    let held = null;
    element.addEventListener("pointerdown", (event) => {
      const bar = event.target.closest(".efg-xbar"), number = event.target.closest(".efg-xnumber[role]"), row = event.target.closest(".efg-xrow");
      if (!row || event.button) return;
      const k = Number(row.dataset.k);
      pause();
      if (!bar && !number) {
        if (self.chosen?.k !== k) self.chosen = choiceAt(self, k);
        return changed();
      }
      const box = row.querySelector(".efg-xbar").getBoundingClientRect();
      held = { k, box, from: event.clientX, row: self.profile[k], ...(number ? { a: Number(number.dataset.a) } : edgeAt(self.profile[k].p, (event.clientX - box.left) / box.width)) };
      event.target.setPointerCapture?.(event.pointerId);
      (number ?? (bar.hasAttribute("role") ? bar : null))?.focus({ preventScroll: true });
      self.chosen = { k, a: held.a };
      move(event);
      event.preventDefault();
    });
    element.addEventListener("pointermove", (event) => held && move(event));
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => {
      if (!held) return;
      held = null;
      changed();
    });
    element.addEventListener("keydown", onKey);

    function move({ clientX }) {
      const { k, a, with: other, box, from, row } = held, by = (clientX - from) / box.width, at = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
      const p = row.p[a];
      if (other === undefined) setRow(self, k, by ? withShare(row, a, snapped(Math.min(1, Math.max(0, p + by)))) : row);
      else if (row.p.length === 2) setRow(self, k, withShare(row, 1, snapped(1 - at)));
      else setRow(self, k, traded(row, a, other, at));
      paint();
    }
  }

  /** In a bar of many moves: the two moves whose edge is nearest to a place, the one that grows to the right first. */
  function edgeAt(p, at) {
    if (p.length === 2) return { a: 1, with: 0 };
    const edges = p.slice(0, -1).map(((sum) => (x) => (sum += x))(0)), near = Math.min(...edges.map((edge) => Math.abs(edge - at)));
    const same = edges.flatMap((edge, n) => (Math.abs(Math.abs(edge - at) - near) < 1e-9 ? [n] : []));
    const left = p.findLastIndex((x, n) => n <= same.at(-1) && x > 0), right = p.findIndex((x, n) => n > same[0] && x > 0);
    return { a: left < 0 ? same.at(-1) : left, with: right < 0 ? same[0] + 1 : right };
  }

  /** A row in which two moves trade so that their edge is at a place. */
  function traded(row, a, other, at) {
    const exact = row.exact ? row : exactRow(row), both = plus(exact.exact[a], exact.exact[other]), before = row.p.slice(0, a).reduce((x, y) => x + y, 0);
    let share = snapped(Math.min(1, Math.max(0, at - before)));
    if (compare(share, both) > 0) share = both;
    return rowOf(exact.exact.map((p, n) => (n === a ? share : n === other ? minus(both, share) : p)));
  }

  function onKey(event) {
    const slider = event.target.closest("[role=slider]"), way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!slider || event.ctrlKey || event.metaKey || event.altKey || !(way || /^(Home|End)$/.test(event.key))) return;
    const k = Number(slider.dataset.k), a = Number(slider.dataset.a), two = self.profile[k].p.length === 2, p = self.profile[k].p[a];
    const turn = two && /Left|Right/.test(event.key) ? -way : way, steps = event.shiftKey ? 100 : TWELFTH; // the bar's right end is the second move
    const next = turn > 0 ? Math.floor(p * steps + 1e-9) + 1 : Math.ceil(p * steps - 1e-9) - 1;
    const share = event.key === "Home" ? [0n, 1n] : event.key === "End" ? [1n, 1n] : [BigInt(Math.min(steps, Math.max(0, next))), BigInt(steps)];
    pause();
    self.chosen = { k, a };
    setRow(self, k, withShare(self.profile[k], a, share));
    event.preventDefault();
    event.stopPropagation();
    changed();
  }

  // --- learning

  function learn() {
    learning = learner(self.game, self.payoffs, self.profile);
    const most = self.payoffs.float.flatMap((row) => [...row]).reduce((size, x) => Math.max(size, Math.abs(x)), 1e-9);
    let tried = 0;
    const frame = () => {
      if (!learning) return;
      const until = performance.now() + FRAME, few = learning.steps < 40;
      do learning.step(); while (!few && performance.now() < until && learning.steps < MOST_STEPS);
      const profile = learning.profile();
      show(self, profile);
      const gain = Math.max(...self.result.gains.map(([x]) => x)), now = performance.now(), isDone = gain < NEAR * most || learning.steps >= MOST_STEPS;
      if (now - tried > 700 || isDone) {
        tried = now;
        const simple = gain < 0.05 * most && settled(self, profile);
        if (simple || isDone) return pause(simple || null);
      }
      draw();
      acts.details();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  /** Ends learning; its average strategy, in millionths, or the simple one that was found becomes the bars. */
  function pause(simple = null) {
    if (!learning) return;
    learning = null;
    show(self, simple ?? self.profile.map((row) => (row && !row.exact && self.isExact ? exactRow(row) : row)));
    changed();
  }
}

function legendOf(solutions) {
  const sign = (kind, words) => el("li", {}, el("span", { class: `efg-xsign ${kind}`, "aria-hidden": "true" }), words);
  return el("ul", { class: "efg-legend efg-xlegend" }, solutions.length ? sign("efg-xsignmark", "the solution") : null,
    solutions.some((each) => each.ranges) ? sign("efg-xsignrange", "over all equilibria") : null, el("li", {}, el("b", { class: "efg-xgood" }, "1/2"), " pays best"), el("li", {}, el("b", { class: "efg-xbad" }, "loses"), " against the best move"), sign("efg-xsigndead", "not reached"));
}
