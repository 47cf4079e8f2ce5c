// Where things stand: columns by depth, as wide as what is in them, and d3's tidy tree within.

import { hierarchy, tree as tidy } from "d3-hierarchy";

const GAP = 8;

/**
 * Places what is in sight: each item gets `x`, `y` (the left end and the middle of its body), `w`, `h`. `sizeOf(item)`
 * gives {w, h, before}: its body, and how much room the label on the line to it takes. Returns the bounds.
 */
export function place(sight, sizeOf) {
  for (const item of sight.order) Object.assign(item, sizeOf(item));
  const widths = [], rooms = [];
  for (const item of sight.order) {
    widths[item.depth] = Math.max(widths[item.depth] ?? 0, item.w);
    rooms[item.depth] = Math.max(rooms[item.depth] ?? 0, item.before);
  }
  const columns = [0];
  for (let d = 1; d < widths.length; d++) columns[d] = columns[d - 1] + widths[d - 1] + rooms[d];
  const root = hierarchy(sight.root, (item) => item.children);
  tidy()
    .nodeSize([1, 1])
    .separation((a, b) => (a.data.h + b.data.h) / 2 + (a.parent === b.parent ? GAP : 2 * GAP))(root);
  let [top, bottom, right] = [Infinity, -Infinity, 0];
  root.each((node) => {
    const item = node.data;
    item.x = columns[item.depth];
    item.y = node.x;
    top = Math.min(top, item.y - item.h / 2);
    bottom = Math.max(bottom, item.y + item.h / 2);
    right = Math.max(right, item.x + item.w);
  });
  sight.bounds = { top, bottom, left: 0, right };
  return sight.bounds;
}
