// The controls around the tree: the choice of tree and solution, search, zoom, help.

import { el } from "./dom.js";
import { HELP } from "./keys.js";
import { colorsOf, many } from "./draw_parts.js";
import { badges, opensWhole, teller } from "./state.js";

const COMPARE = "Compare with: marks what differs from the chosen solution: ▲ larger, ▼ smaller, with the old value.";

/** The markup of a viewer, empty; its parts by name. */
export function skeleton(root, state, ident, acts, explore) {
  const { tree } = state, { data } = tree;
  const heading = (rank, ...inside) => el(`h${state.level + rank}`, ...inside);
  const button = (text, label, click, extra = {}) => el("button", { type: "button", "aria-label": label, title: label, click, ...extra }, text);
  const tabs = [["public", "Public tree", "One node per public history, for all hands"], ["full", "Full tree", "Every deal"], ["explore", "Explore", "Move the probabilities"]].map(([kind, text, title]) =>
    el("button", { type: "button", class: "efg-tab", "data-kind": kind, title, disabled: kind !== "explore" && !state.views[kind], click: () => acts.look(kind) }, text));
  const chooser = (label, none, pick, title) => {
    const options = [none, ...data.solutions.map((each) => each.name)].map((name, n) => (name === null ? null : el("option", { value: n - 1 }, name)));
    return el("label", { class: `efg-choose${none === null ? "" : " efg-ontree"}`, title }, el("span", {}, label), el("select", { change: (event) => pick(Number(event.target.value)) }, options));
  };
  const several = data.solutions.length > 1;
  const solutions = several ? chooser("Solution", null, acts.show, "The strategies shown (s: next)") : null;
  const before = several ? chooser("Compare with", "nothing", acts.compare, COMPARE) : null;
  const input = el("input", { type: "search", placeholder: example(state), "aria-label": "Search a history, a hand or an information set", autocomplete: "off", spellcheck: "false" });
  const hits = el("span", { class: "efg-hits", role: "status" });
  const find = el("form", { class: "efg-find", role: "search", submit: (event) => { event.preventDefault(); acts.hit(1); } },
    input, button("↑", "Previous hit", () => acts.hit(-1)), button("↓", "Next hit", () => acts.hit(1)), hits);
  const undo = button("↶", "Undo (Ctrl+Z)", acts.undo, { disabled: true }), redo = button("↷", "Redo (Ctrl+Shift+Z)", acts.redo, { disabled: true });
  const copy = root.classList.contains("efg-whole") && location.protocol !== "about:" ? button("Copy link", "Copy link to this view", acts.copy) : null;
  const zoom = el("span", { class: "efg-zoom" }, button("−", "Smaller", () => acts.zoom(0.8), { class: "efg-plusminus efg-ontree" }), button("+", "Larger", () => acts.zoom(1.25), { class: "efg-plusminus efg-ontree" }),
    button("Fit", "Fit the unfolded tree (0)", acts.fit, { class: "efg-ontree" }), button("Fold", "Fold all but probable moves", acts.fold, { class: "efg-ontree" }), button("Unfold all", "Unfold all (*)", acts.unfoldAll, { class: "efg-ontree" }), copy, button("?", "Keys and signs", acts.help));
  const rest = el("div", { class: "efg-rest", id: `${ident}-rest` }, el("span", { class: "efg-past" }, undo, redo), solutions, before, find, zoom);
  const menu = button("☰", "More controls", () => acts.menu(!root.classList.contains("efg-menued")), { class: "efg-menu", "aria-expanded": "false", "aria-controls": rest.id });
  zoom.addEventListener("click", () => state.touch && acts.escape(), true); // first, so that the tree has its whole window
  const svg = el("svg:svg", { class: "efg-tree", role: "tree", tabindex: 0, "aria-label": `Game tree of ${data.title || "this game"}`, "aria-multiselectable": "false" });
  const note = el("p", { class: "efg-note", role: "status" });
  const panel = el("aside", { class: "efg-panel", "aria-label": "Details", tabindex: 0 });
  const handle = el("button", { type: "button", class: "efg-handle", "aria-expanded": "false", click: () => acts.sheet() });
  const caption = el("p", { class: "efg-caption" });
  const help = helpOf(state, acts, heading), signs = legend(state);
  const head = el("header", {}, el("div", { class: "efg-names" }, heading(0, { class: "efg-called", title: data.title }, data.title || "Game tree"), caption),
    el("div", { class: "efg-tools", role: "group", "aria-label": "Controls" }, el("span", { class: "efg-tabs" }, tabs), menu, rest));
  root.replaceChildren(head, el("div", { class: "efg-stage" }, svg, signs, explore, note), el("div", { class: "efg-side" }, handle, panel), help);
  const compared = signs.appendChild(el("li", { class: "efg-compared", hidden: true }));
  const rounded = signs.appendChild(el("li", { hidden: true }, "percentages are rounded"));
  return { svg, compared, rounded, panel, note, input, hits, caption, help, handle, menu, tabs, undo, redo, solution: solutions?.querySelector("select"), before: before?.querySelector("select") };
}

function helpOf(state, acts, heading) {
  const { data } = state.tree;
  const rows = HELP.map(([keys, does]) => el("tr", {}, el("th", { scope: "row" }, keys), el("td", {}, does)));
  const signs = [
    "A branch has its player's color; wider branches are more probable. A move that is never made has a thin gray branch. A certain move has no probability beside it.",
    data.solutions.length > 1 ? COMPARE : "",
    "A band joins the nodes of one information set, which the mover cannot distinguish. An information set with a single action has none. A band is longer if some of them are folded away. The chosen information set is gold; a dashed gold outline hides more of its nodes.",
    data.solutions.length ? "A hollow node is never reached. Beside a node are its hand and value; after a triangle, the number of nodes folded away." : "",
    data.subgames ? "An arc before a node: a proper subgame begins here." : "",
    data.solutions.some((each) => each.refuted) ? "A ring around nodes: the information set, or the subgame, where the equilibrium is not best; the line under the title says why." : "",
    "Regret: the value of the best move minus the value of the move, given the beliefs.",
    data.solutions.some((each) => each.ranges) ? "Ranges: an outlined cell is free. The small numbers, and the column “Can be” at the side, are its lowest and highest probability over all equilibria." : "",
    data.public ? "Public tree: a row for each of the mover's hands, a column for each move that is made." : data.no_public,
  ];
  return el("dialog", { class: "efg-help", "aria-label": "Keys and signs" },
    heading(1, { class: "efg-subh" }, "Keys"), el("table", {}, el("tbody", {}, rows)), heading(1, { class: "efg-subh" }, "Signs"), el("ul", {}, signs.filter(Boolean).map((text) => el("li", {}, text))),
    el("p", {}, `${many(state.tree.count)} nodes, ${many(data.infosets.filter((set) => set[0] >= 0).length)} information sets${data.public ? `, ${many(data.public.parent.length)} public histories` : ""}.`),
    el("form", { method: "dialog" }, el("button", { click: acts.closeHelp }, "Close")));
}

function legend(state) {
  const { players } = state.tree.data, letters = badges(players);
  const solved = state.tree.data.solutions.length > 0;
  const sets = state.tree.data.infosets, chance = sets.some((set) => set[0] < 0);
  return el("ul", { class: "efg-legend", "aria-label": "Who moves" }, players.map((name, i) => el("li", {}, el("span", { class: `efg-dot ${colorsOf(i)}` }, letters[i]), name)), chance ? el("li", { class: "efg-infull" }, el("span", { class: "efg-dot efg-ofc" }), "chance") : null,
    boxed("efg-infull", "efg-boxalike", "one information set"), opensWhole(state) ? null : boxed("efg-infull", "efg-boxholds", "more of the information set is folded away"),
    state.tree.data.subgames ? boxed("efg-infull", "efg-boxopens", "a subgame begins") : null,
    state.tree.data.solutions.some((each) => each.refuted) ? boxed("efg-infull", "efg-boxrefuted", "not best here") : null,
    solved ? [boxed("", "efg-boxplayed", "wider: more probable"), boxed("efg-infull", "efg-boxnever", "never played"), boxed("efg-infull", "efg-boxoff", "not reached")] : null,
    state.tree.data.solutions.some((each) => each.ranges) ? boxed("efg-inpublic", "efg-boxfree", "outlined: free, other equilibria differ") : null,
    solved ? el("li", { class: "efg-whose" }, el("span", { class: "efg-box efg-boxchip efg-infull", "aria-hidden": "true" }), whoseValues(state)) : null);
}

function boxed(where, kind, text) {
  return el("li", { class: where }, el("span", { class: `efg-box ${kind}`, "aria-hidden": "true" }), text);
}

/** An example for the search, with a short history of this game if there is one. */
function example(state) {
  const view = state.views.public;
  if (!view) return "a move or a label";
  const first = view.children(0).find((id) => view.children(id).length) ?? 0;
  const moves = first ? `${view.move(first)} ${view.move(view.children(first)[0])}` : "";
  return moves && moves.length <= 12 ? `${moves} or a hand` : "a move or a hand";
}

function whoseValues(state) {
  const { players } = state.tree.data;
  return teller(state, 0) === teller(state, 1) ? `value: expected payoff of ${players[0]}` : "value: expected payoff of the mover; at terminal nodes, of each player";
}
