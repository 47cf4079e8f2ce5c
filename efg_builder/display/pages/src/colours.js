// The colors of the style sheet as numbers, to choose readable letters on shaded cells.

const PLAYERS = 8;

/** The current colors of a viewer's element as [red, green, blue]: the ground of cells, each player's shade, and the shade of unreached bars. */
export function coloursOf(root) {
  const style = getComputedStyle(root);
  const read = (name) => [1, 3, 5].map((at) => parseInt(style.getPropertyValue(name).trim().slice(at, at + 2), 16));
  return { ground: read("--back"), unreached: read("--never"), shades: Array.from({ length: PLAYERS }, (_, i) => read(`--s${i}`)) };
}

/** A player's shade of this opacity on the ground; of unreached bars if the player is null. */
export function shadeOf({ ground, shades, unreached }, player, opacity) {
  const shade = player === null ? unreached : shades[player % PLAYERS];
  return ground.map((part, i) => part + opacity * (shade[i] - part));
}

/** Black or white, as a class: the color with the higher contrast (WCAG 2.1) on a player's shade of this opacity. */
export function letterOver(colours, player, opacity) {
  const [r, g, b] = shadeOf(colours, player, opacity).map((part) => linear(part / 255));
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (light + 0.05) ** 2 > 1.05 * 0.05 ? "efg-black" : "efg-white";
}

function linear(part) {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
