// A game tree in typed arrays, as efg_builder/display/pages/viewer.py wrote it: nodes stand in prefix order, the root is 0.

export const CHANCE = -1, TERMINAL = -2, NONE = -1;
const FORMAT = 1;

/** The name of an information set, a hand or a deal in files, which can be typed instead of the display name. */
export function inFiles(data, label) {
  if (!data.typed) return label;
  const [hands, ...rest] = label.split(":");
  return [hands.split(" vs ").map((hand) => data.typed[hand] ?? hand).join(" vs "), ...rest].join(":");
}

/**
 * The tree of *data*. For each node: `infoset`, `outcome` (-1 for none), `parent`, `action` (which of the parent's
 * actions leads here), `depth`, `size` (nodes of the subtree) and `player` (CHANCE, TERMINAL).
 */
export function treeOf(data) {
  if (data.format !== FORMAT) throw new Error(`the data have format ${data.format}, but this page reads ${FORMAT}`);
  const count = data.infoset.length;
  const infoset = Int32Array.from(data.infoset), outcome = Int32Array.from(data.outcome);
  const parent = new Int32Array(count).fill(NONE), action = new Int32Array(count).fill(NONE);
  const depth = new Int32Array(count), size = new Int32Array(count).fill(1), player = new Int8Array(count);
  const path = []; // the open ancestors, and the number of their actions so far
  const taken = [];
  for (let node = 0; node < count; node++) {
    while (path.length && taken[path.length - 1] === actionsOf(data, infoset[path[path.length - 1]])) {
      path.pop();
      taken.pop();
    }
    if (path.length) {
      parent[node] = path[path.length - 1];
      action[node] = taken[path.length - 1]++;
      depth[node] = path.length;
    }
    player[node] = infoset[node] === NONE ? TERMINAL : data.infosets[infoset[node]][0];
    if (infoset[node] !== NONE) {
      path.push(node);
      taken.push(0);
    }
  }
  for (let node = count - 1; node > 0; node--) size[parent[node]] += size[node];
  return { data, count, infoset, outcome, parent, action, depth, size, player };
}

function actionsOf(data, infoset) {
  return data.infosets[infoset][2].length;
}

/** The children of a node, in the order of its actions. */
export function* childrenOf(tree, node) {
  const end = node + tree.size[node];
  for (let child = node + 1; child < end; child += tree.size[child]) yield child;
}

/** The label of the move to a node. */
export function moveTo(tree, node) {
  const above = tree.infoset[tree.parent[node]];
  return tree.data.labels[tree.data.infosets[above][2][tree.action[node]]];
}

/** The nodes from the root to *node*, inclusive. */
export function pathTo(tree, node) {
  const path = [];
  for (let at = node; at !== NONE; at = tree.parent[at]) path.push(at);
  return path.reverse();
}

/** The members of every information set (and chance event), by its index. */
export function membersOf(tree) {
  const members = tree.data.infosets.map(() => []);
  for (let node = 0; node < tree.count; node++) if (tree.infoset[node] !== NONE) members[tree.infoset[node]].push(node);
  return members;
}
