// The notations of a tree on the screen: of chance probabilities, and of all other probabilities.

import { over } from "./exact.js";
import { CHANCE } from "./model.js";
import { float, fraction, isSimple, notation, rulesOf } from "./numbers.js";
import { under } from "./state.js";

/** {chance, players}: functions that write a probability, for the shown solution and the solution compared with; `rounded`: whether in percent. */
export function notations(state) {
  const { view, now, before, tree } = state, key = `${view.kind} ${now} ${before}`;
  state.written ??= new Map();
  if (!state.written.has(key)) {
    const simple = [now, before].every((which) => which < 0 || isTableSimple(state, which));
    const rules = tree.data.infosets.filter(([player]) => player === CHANCE).flatMap((set) => set[3]);
    state.written.set(key, { chance: rulesOf([...new Set(rules)]), players: notation(simple), rounded: !simple });
  }
  return state.written.get(key);
}

function isTableSimple(state, which) {
  const { solution } = under(state, which), { numbers } = state.tree.data;
  const made = new Set([...solution.probabilities.flatMap((row) => row ?? []), ...(solution.ranges ?? []).flatMap(([, , low, high]) => [low, high])]);
  const simple = [...made].every((n) => isSimple([float(numbers[n]), fraction(numbers[n])]));
  return simple && (state.view.kind === "full" || isPublicSimple(state, which));
}

/** Whether all probabilities in the public tree are simple: of turns, hands (beliefs) and moves (means over hands). */
function isPublicSimple(state, which) {
  const { view } = state, { measures, chances, exact, whole } = under(state, which);
  for (let id = 0; id < view.count; id++) {
    const reach = chances.reach(id), step = id ? chances.step(id) : null;
    if ((view.player(id) >= 0 && !isSimple([reach, exact.reach(id)])) || (step !== null && !isSimple([step, exact.step(id)]))) return false;
    if (!reach || view.player(id) < 0) continue;
    for (const k of view.infosets(id)) {
      if (!isSimple([measures.reached[k] / reach, over(whole.reached(k), exact.reach(id))])) return false;
    }
  }
  return true;
}
