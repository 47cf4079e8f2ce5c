// Elements from text that is never parsed as markup, as labels in files are untrusted.

const SVG = "http://www.w3.org/2000/svg";
const MOST_LISTED = 8; // words

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

/** A table with heads, texts or [text, title on hover]. */
export function table(caption, heads, rows) {
  const head = heads.map((each) => (Array.isArray(each) ? el("th", { scope: "col", title: each[1] }, each[0]) : el("th", { scope: "col" }, each)));
  return el("table", {}, caption ? el("caption", {}, caption) : null, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
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

/** "J, Q and K"; a long list is shortened to its start and its end. */
export function listed(words, last = "and") {
  if (words.length > MOST_LISTED) words = [...words.slice(0, MOST_LISTED - 3), "…", ...words.slice(-2)];
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words.join("");
}

export function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
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
