// The mover's hands at a public history: each is a button that shows its information set.

import { el, table } from "./dom.js";
import { infosetFacts } from "./measures.js";
import { over } from "./exact.js";
import { amountText } from "./numbers.js";
import { notations } from "./notations.js";
import { under } from "./state.js";

const PLAYED = 4;

export function handsTable(state, id, hand, acts) {
  const { view } = state, now = under(state), names = view.hands(id);
  const total = now ? now.chances.reach(id) : 0;
  const rows = view.infosets(id).map((k, n) => {
    const facts = now && infosetFacts(now.measures, k);
    const share = total > 0 ? notations(state).players(facts.reach / total, over(now.whole.reached(k), now.exact.reach(id))) : "–";
    const button = el("button", { type: "button", class: "efg-link", "aria-pressed": `${k === hand}`, click: () => acts.hand(id, k) }, names[n]);
    const cells = [el("th", { scope: "row" }, button)];
    if (now) cells.push(el("td", {}, share), el("td", {}, played(state, facts)), el("td", {}, Number.isNaN(facts.worth) ? "–" : amountText(facts.worth, now.whole.worth(k))));
    return el("tr", k === hand ? { class: "efg-here" } : {}, cells);
  });
  return now ? table("By hand", ["Hand", "Belief", "Plays", "Value"], rows) : table("Hands", ["Hand"], rows);
}

function played(state, { k, actions }) {
  const made = actions.filter((each) => each.p > 0).sort((a, b) => b.p - a.p);
  const text = made.slice(0, PLAYED).map((each) => (each.p >= 1 ? each.label : `${each.label} ${notations(state).players(each.p, under(state).whole.chance(k, each.a), made.map(({ p }) => p))}`)).join(", ");
  return made.length > PLAYED ? `${text}, …` : text;
}
