// The panel with all facts of the node under the pointer or selected.

import { el, table } from "./dom.js";
import { belief, infosetFacts, members, probabilityText } from "./measures.js";
import { NONE, moveTo, pathTo } from "./model.js";
import { compare, float, fraction, minus, amountInFull, amountText, notationOf, rulesOf, shareInFull, shareText } from "./numbers.js";
import { paidAt } from "./draw_full.js";
import { colorsOf, many } from "./draw_parts.js";
import { rangesAt } from "./ranges.js";
import { idOf, membersInSight, under, who } from "./state.js";
import { handAt } from "./views.js";
import { changed, historyText } from "./words.js";
import { handsTable } from "./panel_public.js";

const LONGEST = 24, MOST_LISTED = 12;

/** Fills `panel` for `at`, {key, hand}. `acts`: the actions of its buttons (see viewer.js). */
export function fillPanel(state, panel, at, acts) {
  const id = idOf(at.key), player = typeof at.key === "number" ? state.view.player(id) : -1;
  panel.setAttribute("class", `efg-panel ${colorsOf(player)}`);
  const focused = panel.contains(document.activeElement) ? document.activeElement.textContent : null;
  panel.replaceChildren(...sections(state, at, acts).flat().filter(Boolean));
  if (focused !== null) ([...panel.querySelectorAll("button")].find((button) => button.textContent === focused) ?? panel).focus();
}

function sections(state, { key, hand }, acts) {
  const { view, tree } = state, id = idOf(key);
  if (typeof key !== "number") return [heading(state, "Folded away"), el("p", {}, "Press Enter or click it to see these nodes.")];
  if (view.kind === "public") return publicSections(state, id, hand, acts);
  const k = tree.infoset[id], player = tree.player[id];
  return [
    heading(state, who(state, player), player),
    el("p", { class: "efg-history" }, historyText(view, key)),
    tree.data.node_labels[id] ? el("p", {}, `Node: ${tree.data.node_labels[id]}`) : null,
    reachLine(state, id),
    k === NONE ? payoffLine(state, id) : valueLine(state, id),
    tree.outcome[id] !== NONE && k !== NONE ? el("p", {}, `Paid here: ${tree.data.outcomes[tree.outcome[id]][1].join(", ")}`) : null,
    player >= 0 ? setSections(state, k, id, acts) : null,
    k !== NONE && player < 0 ? chanceTable(state, k) : null,
  ].flat();
}

function publicSections(state, id, hand, acts) {
  const { view, tree } = state, now = under(state), player = view.player(id);
  const reach = now?.chances.reach(id), lines = [heading(state, who(state, player), player), el("p", { class: "efg-history" }, historyText(view, id))];
  if (now) {
    lines.push(fact("Reached", reach > 0 ? shareInFull(reach, now.exact.reach(id)) : "never"));
    const before = under(state, state.before);
    tree.data.players.forEach((name, i) => {
      const value = now.chances.value(id, i);
      if (value !== null) lines.push(fact(`Value to ${name}`, amountInFull(value, now.exact.value(id, i)), before && was(value, before.chances.value(id, i), amountText, before.exact.value(id, i))));
    });
  }
  if (player >= 0) lines.push(handsTable(state, id, hand, acts));
  if (hand !== null && hand !== undefined) lines.push(...setSections(state, hand, null, acts));
  return lines;
}

/** The information set, its members with beliefs, and its actions. */
function setSections(state, k, node, acts) {
  const { tree } = state, label = tree.data.infosets[k][1], hand = handAt(tree, k);
  const all = members(tree, k), now = under(state);
  const lines = [
    subheading(state, "Information set"),
    el("p", {}, el("b", {}, label || "without a name"), hand === null ? null : ` · hand ${hand}`),
  ];
  if (state.view.kind === "full") {
    const { seen } = membersInSight(state, k), away = all.length - seen.size;
    lines.push(el("p", {}, all.length === 1 ? "Only this node." : `${many(all.length)} nodes that the player cannot distinguish: ${many(seen.size)} shown, ${many(away)} folded away. `,
      away ? el("button", { type: "button", click: () => acts.members(k) }, "Unfold them") : null));
  }
  if (all.length > 1) lines.push(membersTable(state, k, node, all, acts));
  lines.push(subheading(state, "Moves"), movesTable(state, k));
  if (now && !(infosetFacts(now.measures, k).actions.some((each) => !Number.isNaN(each.worth)))) {
    lines.push(el("p", { class: "efg-soft" }, "The other players never let play reach this information set, so the values of its moves are undefined."));
  }
  return lines;
}

function membersTable(state, k, node, all, acts) {
  const { tree } = state, now = under(state);
  const order = now ? [...all].sort((a, b) => now.measures.reach[b] - now.measures.reach[a] || a - b) : all;
  const proved = new Map(now?.solution.beliefs), of = (each) => (proved.has(each) ? tree.data.numbers[proved.get(each)] : null);
  const rows = order.slice(0, MOST_LISTED).map((each) => {
    const share = now ? belief(now.measures, each) ?? (of(each) && float(of(each))) : null;
    const exact = of(each) ? fraction(of(each)) : now && share !== null && all.length <= 40 ? now.whole.belief(each) : null;
    const chance = pathTo(tree, each).slice(1).filter((at) => tree.player[tree.parent[at]] === -1).map((at) => moveTo(tree, at));
    const name = chance.join(", ") || historyText(state.views.full, each);
    const button = el("button", { type: "button", class: "efg-link", click: () => acts.node(each) }, name);
    return { here: each === node, button, share, exact };
  });
  const write = notationOf(rows.filter(({ share }) => share !== null).map(({ share, exact }) => [share, exact]));
  const cells = rows.map(({ here, button, share, exact }) => el("tr", here ? { class: "efg-here" } : {}, el("th", { scope: "row" }, button), share === null ? el("td", {}, "–") : bar(write, share, exact)));
  const caption = now && now.measures.reached[k] > 0 ? "Beliefs: probability of each node" : proved.has(all[0]) ? "Never reached: beliefs of the proof" : now ? "Never reached: no beliefs" : "The nodes";
  return [
    table(caption, ["Deal", now ? "Belief" : ""], cells),
    order.length > MOST_LISTED ? el("p", { class: "efg-soft" }, `and ${many(order.length - MOST_LISTED)} more`) : null,
  ];
}

/** A table of actions: probability, value, regret, range over all equilibria, and the values compared with. */
function movesTable(state, k) {
  const { tree } = state, now = under(state), before = under(state, state.before);
  const set = tree.data.infosets[k];
  if (!now) return el("ul", {}, set[2].map((a) => el("li", {}, tree.data.labels[a])));
  const facts = infosetFacts(now.measures, k), worths = now.whole.worths(k);
  const old = before && infosetFacts(before.measures, k);
  const oldWorths = before && before.whole.worths(k);
  const ranges = rangesAt(tree, now.solution, k);
  const best = worths && worths.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
  const known = ({ whole }) => facts.actions.map((_, a) => whole.chance(k, a));
  const made = known(now), made0 = before && known(before), row = facts.actions.map(({ p }) => p);
  const write = notationOf([
    ...row.map((p, a) => [p, made[a]]), ...(old?.actions ?? []).map(({ p }, a) => [p, made0[a]]),
    ...[...(ranges?.values() ?? [])].flat().map((text) => [float(text), fraction(text)]),
  ]);
  const rows = facts.actions.map((action, a) => {
    return el("tr", action.p > 0 ? {} : { class: "efg-unplayed" },
      el("th", { scope: "row" }, action.label),
      bar(write, action.p, made[a], old && was(action.p, old.actions[a].p, write, made0[a]), row),
      number(action.worth, worths?.[a], old && was(action.worth, old.actions[a].worth, amountText, oldWorths?.[a])),
      number(action.regret, worths && minus(best, worths[a])),
      ranges ? el("td", {}, rangeText(ranges.get(a), write)) : null);
  });
  const heads = ["Move", "Played", "Value", ["Regret", "The value of the best move minus this value, if play continues as shown"]];
  if (ranges) heads.push(["Can be", "The lowest and highest probability over all equilibria"]);
  return table(null, heads, rows);
}

function rangeText(range, write) {
  if (!range) return "not reached";
  const ends = range.map(float), [low, high] = range.map((text, n) => write(ends[n], fraction(text), ends));
  return range[0] === range[1] ? `always ${low}` : `${low} to ${high}`;
}

function chanceTable(state, k) {
  const set = state.tree.data.infosets[k];
  const write = rulesOf(set[3]);
  const rows = set[2].slice(0, 60).map((a, n) => el("tr", {}, el("th", { scope: "row" }, state.tree.data.labels[a]), bar(write, float(set[3][n]), fraction(set[3][n]))));
  return table(null, ["Outcome", "Probability"], rows);
}

function reachLine(state, id) {
  const now = under(state);
  if (!now) return null;
  const reach = now.measures.reach[id], exact = now.whole.reach(id);
  const { tree } = state, parts = pathTo(tree, id).slice(1).map((at) => probabilityText(tree, now.solution, tree.infoset[tree.parent[at]], tree.action[at]));
  const product = parts.length > 1 && parts.length <= 12 && parts.every((text) => text.length < 10) ? `${parts.join(" · ")} = ` : "";
  const before = under(state, state.before);
  const certain = exact && exact[0] === exact[1];
  const value = !(reach > 0) ? `${product}0: never` : certain ? "1" : `${product}${shareInFull(reach, exact, LONGEST)}`.replace("= ≈", "≈ ");
  return fact("Reached", value, before && was(reach, before.measures.reach[id], shareText, before.whole.reach(id)));
}

function valueLine(state, id) {
  const now = under(state);
  if (!now) return null;
  const before = under(state, state.before);
  return state.tree.data.players.map((name, i) => {
    const value = now.measures.values[i][id], exact = now.whole.value(id, i);
    return fact(`Value to ${name}`, amountInFull(value, exact), before && was(value, before.measures.values[i][id], amountText, before.whole.value(id, i)));
  });
}

function payoffLine(state, id) {
  const { tree } = state;
  const label = tree.outcome[id] === NONE ? "" : tree.data.outcomes[tree.outcome[id]][0];
  return [label ? fact("Outcome", label) : null, ...paidAt(tree, id).map((paid, i) => fact(tree.data.players[i], paid))];
}

function heading(state, text, player = null) {
  const dot = player === null || player < -1 ? null : el("span", { class: `efg-dot ${colorsOf(player)}`, "aria-hidden": "true" });
  return el(`h${state.level + 1}`, { class: "efg-h" }, dot, text);
}

function subheading(state, text) {
  return el(`h${state.level + 2}`, { class: "efg-subh" }, text);
}

function fact(name, value, note = null) {
  return el("p", { class: "efg-fact" }, el("span", { class: "efg-name" }, name), el("span", {}, value, note ? el("span", { class: "efg-diff" }, ` ${note}`) : null));
}

/** A probability as a cell: a bar, and the number in the table's notation; the exact number on hover. */
function bar(write, p, exact, note = null, row = []) {
  return el("td", { class: "efg-bar", title: shareInFull(p, exact, LONGEST) }, el("span", { class: "efg-fill", style: `width:${(100 * p).toFixed(2)}%` }), el("span", { class: "efg-onbar" }, write(p, exact, row), note ? el("span", { class: "efg-diff" }, ` ${note}`) : null));
}

function number(x, exact, note = null) {
  if (Number.isNaN(x)) return el("td", {}, "–");
  return el("td", { title: amountInFull(x, exact) }, amountText(x, exact), note ? el("span", { class: "efg-diff" }, ` ${note}`) : null);
}

/** "▲ was 1/3", or null if nothing changed. */
function was(now, before, written, exact) {
  return changed(now, before) ? `${now > before ? "▲" : "▼"} was ${written(before, exact)}` : null;
}
