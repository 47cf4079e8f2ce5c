// Elements from text that is never parsed as markup, as labels in files are untrusted.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element `tag` ("svg:g" for one of SVG) with attributes (functions are listeners, null and false are left out)
 * and children: elements, or what becomes text.
 */
export function el(tag, attributes = {}, ...children) {
  const made = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Words in a picture at (x, y), which is their start, middle or end. */
export function words(x, y, anchor, kind, ...inside) {
  return el("svg:text", { x, y, "text-anchor": anchor, class: kind }, ...inside);
}

/** `text` on one line of at most `letters` letters. */
export function short(text, letters) {
  const clean = text.replace(/\s+/g, " ").trim();
  return clean.length <= letters ? clean : `${clean.slice(0, letters - 1)}…`;
}

let pen = null;
const widths = new Map();

/** The width of a text in pixels in the browser. */
export function textWidth(text, size, bold = false) {
  const key = `${bold}${size} ${text}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `${bold ? "bold " : ""}${size}px "efg dice", system-ui, sans-serif`;
    if (widths.size > 20000) widths.clear();
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}
