// The keyboard reaches each block that scrolls sideways, and both sidebars have a name.
function reachBlocks() {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .cell_output .output")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
document.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");
  // A heading needs a level: the titles of the sections in the list of all pages.
  for (const title of document.querySelectorAll(".sidebar-tree .caption")) title.setAttribute("aria-level", "2");
  // Sphinx writes the lines of a long signature as a list without terms.
  for (const part of document.querySelectorAll(".sig dl, .sig dd")) {
    const line = document.createElement("span");
    line.className = part.tagName === "DD" ? "parameter" : "parameters";
    line.append(...part.childNodes);
    part.replaceWith(line);
  }
  // An empty corner of a table is not a heading.
  for (const corner of document.querySelectorAll("article th")) {
    if (corner.textContent.trim() || corner.querySelector("img")) continue;
    const cell = document.createElement("td");
    cell.className = "corner";
    corner.replaceWith(cell);
  }
  // Long words in tables break after a mark.
  for (const cell of document.querySelectorAll("article table td")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts.filter((text) => /\S{16}/.test(text.data))) {
      const parts = text.data.split(/(?<=[_/:,=(])|(?<=\.)(?=\D)/);
      text.replaceWith(...parts.flatMap((part, k) => (k ? [document.createElement("wbr"), part] : [part])));
    }
  }
  reachBlocks();
});
addEventListener("load", reachBlocks);
addEventListener("resize", reachBlocks);
