// Ranges of probabilities over all equilibria.

import { float, fraction } from "./numbers.js";
import { actionOf } from "./views.js";

/** At an information set, [low, high] as text by action; null if the solution has no ranges. */
export function rangesAt(tree, solution, k) {
  if (!solution.ranges) return null;
  solution.bySet ??= grouped(solution.ranges);
  return new Map((solution.bySet.get(k) ?? []).map(([, a, low, high]) => [a, [tree.data.numbers[low], tree.data.numbers[high]]]));
}

function grouped(rows) {
  const found = new Map();
  for (const row of rows) found.get(row[0])?.push(row) ?? found.set(row[0], [row]);
  return found;
}

/** The range of a move by its label: {low, high, free, text}, with numbers as `write` has them; null if there is none. */
export function rangeOf(tree, solution, k, label, write = String) {
  const range = rangesAt(tree, solution, k)?.get(actionOf(tree, k, label));
  if (!range) return null;
  const [low, high] = range.map(float);
  return { low, high, free: range[0] !== range[1], text: range.map((text, n) => write([low, high][n], fraction(text), [low, high])).join("–") };
}
