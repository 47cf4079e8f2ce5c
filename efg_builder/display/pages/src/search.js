// Finds a history ("1x2 2x2"), a hand ("2"), an information set ("2: 1x2") or a label of the file.

import { CHANCE, NONE, inFiles, moveTo } from "./model.js";
import { members } from "./measures.js";
import { handAt } from "./views.js";

/** The maximum number of hits. */
export const MOST_HITS = 2000;

/**
 * The hits of `text` in a view: {found: [{id, hand}], played}. The `played` hits (their number; the argument is a test, or null
 * without a solution) come first. Played hits and other hits are in the order of these meanings: an information set's
 * label; a history from the start, without chance's moves; a hand; the label of a node, an outcome or a chance move;
 * and if there is no such hit, a part of an information set's label.
 */
export function search(view, text, played) {
  const words = normal(text);
  if (!words) return { found: [], played: 0 };
  const sets = view.tree.data.infosets, first = new Map(), rest = new Map();
  const add = (id, hand) => {
    const hit = { id, hand }, hits = played?.(hit) ? first : rest;
    if (hits.size < MOST_HITS) hits.set(`${id} ${hand}`, hit);
  };
  const addSets = (test) => sets.forEach(([player, label], k) => {
    if (player !== CHANCE && test(label, k)) for (const node of members(view.tree, k)) add(view.at(node), view.kind === "public" ? k : null);
  });
  const called = (label) => normal(label) === words || normal(inFiles(view.tree.data, label)) === words;
  addSets(called);
  for (const id of histories(view, words)) add(id, null);
  addSets((_, k) => called(handAt(view.tree, k) ?? ""));
  for (const id of labelled(view, words, called)) add(id, null);
  if (!first.size && !rest.size) addSets((label) => normal(label).includes(words));
  return { found: [...first.values(), ...rest.values()].slice(0, MOST_HITS), played: first.size };
}

const known = new Map(); // many nodes share a few labels

function normal(text) {
  if (!known.has(text)) known.set(text, plain(text));
  return known.get(text);
}

function plain(text) {
  return text.toLowerCase().replaceAll(",", ", ").replace(/[\s›]+/g, " ").trim();
}

/** Nodes reached by exactly these moves of the players. */
function histories(view, words) {
  const found = [];
  for (let id = 1; id < view.count && found.length < MOST_HITS; id++) {
    if (moverAbove(view, id) === CHANCE || !words.endsWith(normal(view.move(id)))) continue;
    let rest = words;
    for (let at = id; at && rest !== null; at = view.parent(at)) {
      if (moverAbove(view, at) === CHANCE) continue;
      const move = normal(view.move(at));
      rest = rest === move ? "" : rest.endsWith(` ${move}`) ? rest.slice(0, -move.length - 1) : null;
    }
    if (rest === "") found.push(id);
  }
  return found;
}

function moverAbove(view, id) {
  return view.player(view.parent(id));
}

function labelled(view, words, called) {
  const { tree } = view, { node_labels: labels, outcomes } = tree.data, found = [];
  const named = new Set(outcomes.flatMap(([label], n) => (normal(label) === words ? [n] : [])));
  for (let node = 0; node < tree.count && found.length < MOST_HITS; node++) {
    const dealt = node && tree.player[tree.parent[node]] === CHANCE && called(moveTo(tree, node));
    const own = labels[node] !== undefined && normal(labels[node]) === words;
    if (dealt || own || (tree.outcome[node] !== NONE && named.has(tree.outcome[node]))) found.push(view.at(node));
  }
  return found;
}
