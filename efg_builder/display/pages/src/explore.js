// The tab Explore: the equilibrium that can be moved. Bars to drag, the two bounds that meet, the best responses, learning.

import { el } from "./dom.js";
import { many } from "./draw_parts.js";
import { boxOf, groupsOf } from "./explore_bars.js";
import { firstBar } from "./explore_course.js";
import { dialOf } from "./explore_dial.js";
import { movable } from "./explore_drag.js";
import { MOST_EXPLORED, isZero, sumOf } from "./explore_game.js";
import { exactRow, learner } from "./explore_learn.js";
import { bestReply, exploreOf, isSolved, settled, show, start, uniform, withoutBluffs } from "./explore_model.js";
import { placeOf, proofOf } from "./explore_proof.js";
import { isEquilibrium, questionOf, sentenceOf } from "./explore_say.js";
import { why } from "./explore_why.js";

const SHOWN = 9, MORE = 30; // boxes of a column at first, and with each press of "more"
const FRAME = 12; // milliseconds of learning in a frame
const FIRST = 40, PACE = 50; // the first steps of learning, and the least milliseconds of each, so that an eye can follow
const NEAR = 1e-5, MOST_STEPS = 20_000; // learning ends when nobody gains more than this share of the largest payoff, or after this number of steps

/** Explore in a viewer: {element, open, draw, fill(panel)}; its state is `state.explore`. */
export function exploreIn(app) {
  const { state, acts } = app, { tree } = state, rank = state.level + 1, changed = acts.draw; // undo and the address know what this draws
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
    if (self) self.chosen ??= firstBar(self);
    if (self) build();
    else if (tree.data.only_played) element.append(el("p", {}, "This page has only the moves that are played, and best responses need all moves."));
    else element.append(el("p", {}, `This tree has ${many(tree.count)} nodes. Explore takes trees of up to ${many(MOST_EXPLORED)} nodes.`));
  }

  function build() {
    const { players } = tree.data;
    const button = (text, does, extra = {}) => el("button", { type: "button", click: () => act(does), ...extra }, text);
    parts.learn = el("button", { type: "button", class: "efg-go", click: () => (learning ? pause() : learn()) });
    parts.proof = el("div", { class: "efg-xproof" });
    parts.say = el("p", { class: "efg-xsay", role: "status" });
    parts.dial = dialOf(self, { pause, paint, changed });
    parts.back = button("", () => show(self, self.base));
    const presets = [
      state.now >= 0 ? parts.back : null, button("Uniform", () => show(self, uniform(self))), parts.learn,
      tree.data.bluffs ? button("Never bluff", () => show(self, withoutBluffs(self)), { title: "No bid that nothing in the bidder's hand supports" }) : null,
      ...players.map((name, i) => self.game.recall[i] && self.game.sets[i].length && button(`Best response of ${name}`, () => show(self, bestReply(self, i)))),
    ];
    const tools = el("div", { class: "efg-xtools", role: "group", "aria-label": "Strategies and payoffs" }, presets, parts.dial.element);
    parts.boxes = el("div", { class: "efg-xboxes" });
    element.replaceChildren(tools, el("div", { class: "efg-xtop" }, parts.proof, parts.say), parts.boxes, legendOf(self));
    parts.learn.hidden = self.game.recall.includes(false);
    buildBoxes();
    for (const part of [element, app.parts.panel]) movable(part, self, { pause, paint, changed });
    new ResizeObserver(paint).observe(parts.proof);
  }

  function act(does) {
    pause();
    does();
    changed();
  }

  /** Boxes by the number of moves before them: in columns if all fit side by side, otherwise in rows, the most probable first. */
  function buildBoxes() {
    watch.disconnect();
    boxes = [];
    parts.boxes.replaceChildren();
    const columns = new Map();
    for (const group of groupsOf(self)) columns.set(group.depth, [...(columns.get(group.depth) ?? []), group]);
    const fits = columns.size <= 4 && [...columns.values()].every((each) => each.length <= 4 && each[0].moves.length < 4);
    parts.boxes.classList.toggle("efg-xcolumns", fits);
    for (const groups of columns.values()) {
      const often = groups.map((group) => ({ group, reach: sumOf(group.sets.map((k) => self.result.reach(k)))[0] }));
      buildColumn(fits ? often : often.toSorted((a, b) => (Math.abs(a.reach - b.reach) > 1e-9 ? b.reach - a.reach : 0)));
    }
  }

  function buildColumn(groups) {
    const isWide = groups.some(({ group }) => group.moves.length > 2);
    const more = el("button", { type: "button", class: "efg-xmore", click: () => add(MORE) });
    let rest = groups;
    parts.boxes.append(el("div", { class: `efg-xcolumn${isWide ? " efg-xwide" : ""}` }, more));
    add(SHOWN);

    function add(count) {
      const fresh = rest.slice(0, count).map(({ group }) => boxOf(state, self, group, rank));
      rest = rest.slice(count);
      boxes.push(...fresh);
      more.before(...fresh.map((box) => box.element));
      fresh.forEach((box) => watch.observe(box.element));
      more.hidden = !rest.length;
      more.textContent = `${many(rest.length)} more that are ${rest.some(({ reach }) => reach > 0) ? "reached less often" : "not reached"}`;
    }
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
      buildBoxes();
    }
    const solution = isSolved(self) ? "Solution" : tree.data.solutions[self.which]?.name ?? "";
    parts.back.textContent = isSolved(self) && self.solved.gains.every(isZero) ? `Equilibrium${placeOf(state)}` : solution;
    parts.learn.textContent = learning ? `❚❚ Pause · ${many(learning.steps)}` : "▶ Learn";
    parts.proof.replaceChildren(proofOf(self, parts.proof.clientWidth || 600));
    parts.say.setAttribute("aria-live", learning ? "off" : "polite");
    parts.say.replaceChildren(...sentenceOf(self, learning));
    boxes.forEach((box) => box.draw());
    parts.dial.draw();
    app.times.explore = performance.now() - began;
  }

  /** Puts all bars into the page, as for printing. */
  function fillAll() {
    boxes.forEach((box) => box.fill());
    draw();
  }

  /** Fills the panel at the side. */
  function fill(panel) {
    panel.setAttribute("class", "efg-panel efg-xwhy");
    app.parts.handle.textContent = self?.chosen ? questionOf(self) : "Why?";
    panel.replaceChildren(...(self ? why(state, self, rank) : []).flat().filter(Boolean));
  }

  // --- learning

  function learn() {
    if (isEquilibrium(self)) show(self, uniform(self)); // there is nothing to learn
    learning = learner(self.game, self.payoffs, self.profile);
    draw();
    acts.caption();
    const { most } = self.payoffs;
    let tried = 0, stepped = 0;
    const frame = () => {
      if (!learning) return;
      const until = performance.now() + FRAME, few = learning.steps < FIRST;
      if (few && performance.now() - stepped < PACE) return requestAnimationFrame(frame);
      stepped = performance.now();
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

  /** Ends learning; the bars become the average strategy in millionths, or a simple equilibrium if one was found. */
  function pause(simple = null) {
    if (!learning) return;
    learning = null;
    show(self, simple ?? self.profile.map((row) => (row && !row.exact && self.isExact ? exactRow(row) : row)));
    changed();
  }
}

function legendOf({ tree: { data: { solutions } }, result }) {
  const sign = (kind, words) => el("li", {}, el("span", { class: `efg-xsign ${kind}`, "aria-hidden": "true" }), words);
  return el("ul", { class: "efg-legend efg-xlegend" }, el("li", {}, "Below a bar: what each move pays its player"), el("li", {}, el("b", { class: "efg-xgood" }, "green"), " pays best"), el("li", {}, el("b", { class: "efg-xbad" }, "loses"), ": what this bar costs its player, against the best move"),
    solutions.length ? sign("efg-xsignmark", "the solution") : null,
    solutions.some((each) => each.ranges) ? sign("efg-xsignrange", "in some equilibrium, perhaps with other bars") : null, sign("efg-xsigndead", "not reached"), result.bounds ? el("li", {}, "● payoff of these strategies") : null);
}
