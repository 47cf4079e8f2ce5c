// The reader's actions as functions, which buttons, keys and tests call.

import { select as d3select } from "d3-selection";
import { zoomIdentity } from "d3-zoom";
import { arrange, redraw } from "./draw.js";
import { MOST, PAGE, canUnfold, unfold } from "./folding.js";
import { many } from "./draw_parts.js";
import { isMoved } from "./explore_model.js";
import { unfoldFirst, unfoldLikely, unfoldMost } from "./legible.js";
import { members } from "./measures.js";
import { notations } from "./notations.js";
import { fillPanel } from "./panel.js";
import { search as searchIn, MOST_HITS } from "./search.js";
import { PAD, READ, SMALL_SCALE, WHOLE, choose, counterpart, look, refresh, show, under, who } from "./state.js";
import { historyText } from "./words.js";

const LEAST = 0.48; // the minimum scale of readable letters
const MOST_UNFOLDED = 60; // the maximum number of members of an information set to unfold at once

const NO_HITS = { text: null, now: null, found: [], played: 0, at: -1 };

export function actionsOf(app) {
  const { state } = app;
  let painted = false, hits = NO_HITS;

  /** Draws the window, at most once per frame. */
  function paint() {
    if (painted) return;
    painted = true;
    requestAnimationFrame(() => {
      painted = false;
      redraw(state, app.layers, app.ident);
    });
  }

  /** Lays out and draws the tree, with `still` (a key) fixed on the screen. */
  function draw(still = state.selected) {
    const began = performance.now();
    if (state.exploring) return explore();
    const before = app.places?.get(still);
    lay();
    app.places = new Map(state.sight.order.map((item) => [item.key, { x: item.x, y: item.y }]));
    const after = app.places.get(still), { transform } = state.window;
    if (before && after) moveTo(transform.translate(before.x - after.x, before.y - after.y));
    redraw(state, app.layers, app.ident);
    tell();
    app.times.last = performance.now() - began;
  }

  /** Draws the tab Explore. */
  function explore() {
    app.root.dataset.kind = "explore";
    app.explore.open();
    app.explore.draw();
    caption();
    tell();
  }

  /** Writes the caption of Explore; not during a drag, because a further line would move the bars. */
  function caption() {
    app.parts.caption.textContent = `${beforeOf(state)}${captionOf(state)}`;
  }

  /** Lays out the tree for the free part of the window. */
  function lay() {
    const { parts } = app, compared = state.tree.data.solutions[state.before];
    app.root.dataset.kind = state.view.kind;
    parts.rounded.hidden = !notations(state).rounded;
    parts.compared.hidden = !compared;
    parts.compared.textContent = compared ? `▲ larger, ▼ smaller than in ${compared.name}, with the value there` : "";
    parts.caption.textContent = captionOf(state);
    acts.measure();
    arrange(state);
  }

  function moveTo(transform) {
    d3select(app.parts.svg).call(app.zoom.transform, transform);
  }

  /** Updates the panel, the controls and the item for screen readers. */
  function tell() {
    const { parts } = app;
    parts.svg.setAttribute("aria-activedescendant", `${app.ident}-${`${state.selected}`.replace(" ", "-")}`);
    for (const tab of parts.tabs) tab.setAttribute("aria-pressed", `${tab.dataset.kind === (state.exploring ? "explore" : state.view.kind)}`);
    if (parts.solution) parts.solution.value = state.now;
    if (parts.before) parts.before.value = state.before;
    const item = state.sight.index.get(state.selected);
    const name = item.kind === "node" ? who(state, state.view.player(item.id)) : "Folded away";
    if (!state.exploring) parts.handle.textContent = `${name} · ${historyText(state.view, state.selected)}`;
    details();
    if (app.past?.note()) note("");
    const can = app.past?.can();
    parts.undo.disabled = !can?.undo;
    parts.redo.disabled = !can?.redo;
    if (document.activeElement?.disabled) parts.svg.focus(); // the keyboard goes on from there
  }

  function details() {
    if (state.exploring) return app.explore.fill(app.parts.panel);
    fillPanel(state, app.parts.panel, state.hovered ?? { key: state.selected, hand: state.hand }, acts);
  }

  function note(text) {
    app.parts.note.textContent = text;
  }

  /** Moves the selection, and as many of its moves as fit, into the window, by the shortest way. */
  function bring(moves = false) {
    const item = state.sight.index.get(state.selected), below = moves ? item.children : [];
    const likeliest = below.filter(({ kind, p }) => kind === "node" && !below.some((other) => other.p > p)).slice(0, 1);
    for (const together of [[item, ...below], [item, ...likeliest], [item]]) bringAll(together);
  }

  function bringAll(items) {
    const { transform, width, height } = state.window, { k } = transform;
    const edges = (of) => items.map((item) => of(item));
    const [left, top] = transform.apply([Math.min(...edges(({ x, body }) => x - body.back)), Math.min(...edges(({ y, up }) => y - up))]);
    const [right, bottom] = transform.apply([Math.max(...edges(({ x, body }) => x + body.w)), Math.max(...edges(({ y, down }) => y + down))]);
    const push = (low, high, size) => (low < PAD || high - low > size - 2 * PAD ? PAD - low : high > size - PAD ? size - PAD - high : 0);
    const [dx, dy] = [push(left, right, width), push(top, bottom, height)];
    if (dx || dy) moveTo(transform.translate(dx / k, dy / k));
  }

  const acts = {
    paint,
    draw,
    /** Takes the size of the tree's window; whether it has changed. */
    measure() {
      const box = app.parts.svg.getBoundingClientRect(), [width, height] = [Math.max(box.width, 1), Math.max(box.height, 1)];
      const changed = state.window.width !== width || state.window.height !== height;
      Object.assign(state.window, { width, height });
      return changed;
    },
    bring,
    details,
    caption,
    under: (which) => under(state, which),
    select(key, hand = null) {
      [state.selected, state.hand, state.hovered] = [key, hand, null];
      bring();
      redraw(state, app.layers, app.ident);
      tell();
    },
    hover(at) {
      const now = state.hovered;
      if (now?.key === at?.key && now?.hand === at?.hand) return;
      state.hovered = at;
      paint();
      details();
    },
    /** Unfolds or folds a node (`open`: which; by default, toggles it); replaces a stand-in by its nodes. */
    toggle(key, open = null) {
      const began = performance.now();
      const folds = state.folds[state.view.kind], item = state.sight.index.get(key), { id } = item;
      let told = "";
      state.selected = key;
      const full = `The maximum of ${many(MOST)} nodes is shown: fold some away (“Fold” leaves only the probable moves).`;
      if (item.kind !== "node" && state.sight.order.length + Math.min(PAGE, item.count) > MOST) return note(full);
      if (item.kind === "never") folds.all.add(id);
      else if (item.kind === "more") folds.shown.set(id, (folds.shown.get(id) ?? PAGE) + PAGE);
      else if (!canUnfold(state.view, id)) return acts.select(key);
      else if (open ?? !folds.open.has(id)) {
        if (!unfold(state.view, under(state)?.chances, folds, id, state.sight)) told = full;
      } else for (const each of [folds.open, folds.all, folds.shown]) each.delete(id);
      const first = item.kind !== "node" && item.place;
      refresh(state);
      const parent = state.sight.index.get(id);
      if (first) state.selected = (parent.children[first - 1] ?? parent).key;
      state.hand = state.hovered = null;
      draw(item.kind === "node" ? key : id);
      if (app.fitted) acts.fit();
      bring(true);
      note(told);
      app.times.unfold = performance.now() - began;
    },
    /** Selects a node of the shown tree by its number, even if it is folded away. */
    goto(id, hand = null) {
      choose(state, id, hand);
      state.hovered = null;
      draw();
      bring();
    },
    hand(id, k) {
      acts.goto(id, state.hand === k ? null : k);
    },
    row(n) {
      const item = state.sight.index.get(state.selected);
      if (state.view.kind !== "public" || item.kind !== "node") return;
      const k = state.view.infosets(item.id)[n];
      if (k !== undefined) acts.select(item.key, state.hand === k ? null : k);
    },
    /** Goes to a node of the full tree. */
    node(node) {
      app.past?.leap();
      if (state.view.kind !== "full") acts.look("full");
      acts.goto(node);
    },
    members(k) {
      const all = members(state.tree, k).slice(0, MOST_UNFOLDED);
      const at = state.selected;
      for (const node of all) choose(state, state.view.at(node));
      state.selected = at;
      draw();
      if (members(state.tree, k).length > all.length) note(`Only the first ${all.length} nodes of the information set are shown.`);
    },
    look(kind) {
      if (kind === "explore" ? state.exploring : !state.views[kind] || (state.view.kind === kind && !state.exploring)) return;
      app.past?.leap();
      const left = state.exploring && state.view.kind === kind;
      state.exploring = kind === "explore";
      if (state.exploring || (left && state.untouched !== kind)) return draw();
      const at = left ? null : counterpart(state, kind), fresh = look(state, kind);
      hits = NO_HITS;
      app.places = null;
      if (fresh) acts.first();
      if (at) choose(state, ...at);
      draw();
      acts.fit();
      bring();
    },
    turn() {
      const kind = state.exploring ? state.view.kind : state.view.kind === "full" ? "public" : "full";
      if (state.views[kind]) acts.look(kind);
      else note(state.tree.data.no_public);
    },
    show(which) {
      app.past?.leap();
      show(state, which);
      draw();
    },
    next() {
      const count = state.tree.data.solutions.length;
      if (count > 1) acts.show((state.now + 1) % count);
    },
    compare(which) {
      app.past?.leap();
      state.before = which;
      draw();
      if (app.fitted) acts.fit();
    },
    fold() {
      lay();
      unfoldLikely(state);
      note("");
      app.places = null;
      draw();
      acts.fit();
    },
    /** Unfolds the whole tree, or the readable part of a large tree, with a note. */
    unfoldAll() {
      lay();
      const more = unfoldMost(state);
      app.places = null;
      draw();
      acts.fit();
      note(more ? `Unfolded as far as letters can be read: ${many(more)} more nodes are folded away. ${state.touch ? "Tap" : "Click"} a triangle or a “+” to see them.` : "");
    },
    undo() {
      if (!app.past.undo()) note("Nothing to undo.");
    },
    redo() {
      if (!app.past.redo()) note("Nothing to redo.");
    },
    /** Draws the state after undo, Back or an address; `kind`: the earlier tree; `wrong`: a message about missing parts. */
    turned(kind, wrong) {
      hits = NO_HITS;
      if (kind !== state.view.kind) app.places = null;
      draw();
      if (kind !== state.view.kind) acts.fit();
      if (!state.exploring) bring();
      note(wrong ?? "");
    },
    copy() {
      const done = navigator.clipboard?.writeText(app.past.address()) ?? Promise.reject();
      done.then(() => note("Copied the address of this view."), () => note("Copying is not possible here: use the address bar."));
    },
    /** Goes to the next hit (1) or the previous hit (-1) of the text in the search field. */
    hit(step) {
      const text = app.parts.input.value, { hits: label } = app.parts;
      if (text !== hits.text || state.now !== hits.now) {
        hits = { text, now: state.now, ...searchIn(state.view, text, playedIn(under(state))), at: step > 0 ? -1 : 0 };
      }
      const { found, played } = hits;
      if (!found.length) {
        label.textContent = text.trim() ? "nothing found" : "";
        return;
      }
      hits.at = (hits.at + step + found.length) % found.length;
      acts.goto(found[hits.at].id, found[hits.at].hand);
      const most = found.length === MOST_HITS ? "more than " : "", told = played ? `${many(played)} of them` : "none";
      label.textContent = `${many(hits.at + 1)} of ${most}${many(found.length)}${state.now < 0 || found.length === 1 ? "" : `, ${told} played`}`;
    },
    find() {
      if (state.touch) acts.menu(true);
      app.parts.input.focus();
      app.parts.input.select();
    },
    escape() {
      acts.menu(false);
      app.parts.svg.focus();
    },
    zoom(factor) {
      app.fitted = false;
      d3select(app.parts.svg).call(app.zoom.scaleBy, factor);
    },
    /** Fits the unfolded tree into the window if readable, otherwise the start and its most probable branch. */
    fit() {
      const { bounds, root } = state.sight, { width, height } = state.window, pad = PAD;
      const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
      const wide = (width - 2 * pad) / w, whole = Math.min(wide, (height - 2 * pad) / h, 1.25);
      // A part that is too high is cut off below, because smaller letters would be unreadable.
      const near = Math.max(...state.sight.order.filter((item) => item.level < 2).map((item) => item.x + item.body.w)) - bounds.left;
      const least = Math.max(LEAST, Math.min(READ, (width - 2 * pad) / near)); // the start and its moves
      const k = Math.max(whole, whole < WHOLE ? Math.min(wide, READ) : 0, state.touch ? SMALL_SCALE : wide < LEAST ? least : LEAST);
      const x = (w * k <= width - 2 * pad ? (width - w * k) / 2 : pad) - k * bounds.left;
      const [low, high] = [height - pad - k * bounds.bottom, pad - k * bounds.top]; // no blank below the tree, nor above
      const y = h * k <= height - 2 * pad ? (low + high) / 2 : Math.min(high, Math.max(low, height / 2 - k * root.y));
      moveTo(zoomIdentity.translate(x, y).scale(k));
      app.fitted = true;
    },
    /** Unfolds the first part of the tree. */
    first() {
      lay();
      unfoldFirst(state);
    },
    /** The first picture. */
    open() {
      if (state.exploring) return draw();
      acts.first();
      draw();
      acts.fit();
    },
    help() {
      app.parts.help.showModal();
      app.parts.help.scrollTop = 0; // the browser scrolls to the button at the end
    },
    closeHelp() {
      app.parts.help.close();
    },
    /** On a small screen: opens or closes the details at the bottom, and closes the menu. */
    sheet(open = app.root.classList.contains("efg-shut")) {
      if (open) acts.menu(false);
      app.root.classList.toggle("efg-shut", !open);
      app.parts.handle.setAttribute("aria-expanded", `${open}`);
    },
    /** On a small screen: opens or closes the menu of controls, and closes the details. */
    menu(open) {
      if (open === app.root.classList.contains("efg-menued")) return;
      if (open) acts.sheet(false);
      app.root.classList.toggle("efg-menued", open);
      app.parts.menu.setAttribute("aria-expanded", `${open}`);
      acts.measure();
    },
  };
  return acts;
}

/** The words before a caption of strategies or payoffs that Explore has changed. */
function beforeOf({ explore, now }) {
  if (explore?.changes.size) return "Before the change of payoffs: ";
  return explore && now >= 0 && isMoved(explore) ? "Before the bars moved: " : "";
}

function captionOf({ tree: { data }, now }) {
  const solution = data.solutions[now];
  if (!solution) return "The tree without a solution";
  return [solution.caption || solution.name, solution.ranges ? "with ranges over all equilibria" : "", data.only_played ? "only moves that are played" : ""].filter(Boolean).join(" · ");
}

/** A test whether a hit is reached; null without a solution. */
function playedIn(now) {
  return now && (({ id, hand }) => (hand === null ? now.chances.reach(id) : now.measures.reached[hand]) > 0);
}
