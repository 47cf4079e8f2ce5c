// The atlas: shows the variant that is chosen by buttons, by the tables, or in the address ("#1-against-1_6-sided_...").
// One small file that needs no bundling: words and numbers are made beforehand.

(async () => {
  const { variants, start } = await stored("atlas-data");
  const form = document.getElementById("choice"), answer = document.getElementById("answer");
  const said = document.getElementById("said"), title = document.title;
  const links = [...document.querySelectorAll("#map td a")];
  const byName = new Map(variants.map((each, index) => [each.name, index]));
  let now = start;

  async function stored(id) {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (c) => c.charCodeAt(0));
    return JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text());
  }

  /** The variant with `value` for the choice `axis` that agrees most with the present one. */
  function nearest(axis, value) {
    const agrees = (each) => each.at.filter((one, k) => one === variants[now].at[k]).length;
    const among = variants.filter((each) => each.at[axis] === value);
    return byName.get(among.reduce((best, each) => (agrees(each) > agrees(best) ? each : best)).name);
  }

  function isThere(axis, value) {
    return variants.some((each) => each.at.every((one, k) => one === (k === axis ? value : variants[now].at[k])));
  }

  function show(index, aloud) {
    now = index;
    const { name, at, markup } = variants[now];
    for (const input of form.querySelectorAll("input")) {
      const axis = Number(input.name.slice(5)), value = Number(input.value);
      input.checked = at[axis] === value;
      input.parentElement.classList.toggle("elsewhere", !isThere(axis, value));
    }
    answer.innerHTML = markup;
    if (aloud) said.textContent = variants[now].said;
    document.title = `${answer.querySelector("h2").textContent} – ${title}`;
    // In the tables the arrows go on from the variant that is shown; the tab key passes them in one step.
    for (const link of links) {
      const here = link.hash.slice(1) === name;
      link.tabIndex = here ? 0 : -1;
      if (here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  function named() {
    return byName.get(location.hash.slice(1));
  }

  form.addEventListener("change", ({ target }) => {
    location.hash = variants[nearest(Number(target.name.slice(5)), Number(target.value))].name;
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => show(named() ?? start, true));

  document.getElementById("map").addEventListener("click", ({ target, detail }) => {
    // By the mouse: what was chosen is above.
    if (target.closest("td a") && detail) form.scrollIntoView({ block: "start" });
  });
  document.getElementById("map").addEventListener("keydown", (event) => {
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [];
    const cell = event.target.closest("td");
    if (down === undefined || !cell) return;
    const table = cell.closest("table"), tables = [...document.querySelectorAll("#map table")];
    let row = table.rows[cell.parentElement.rowIndex + down], at = cell.cellIndex + right;
    // Past the end of a table comes the next one.
    if (down && !row?.querySelector("td")) row = [...(tables[tables.indexOf(table) + down]?.rows ?? [])].at(down > 0 ? 1 : -1);
    const link = row?.cells[at]?.querySelector("a");
    if (!link) return;
    event.preventDefault();
    location.hash = link.hash;
    link.focus();
  });

  show(named() ?? start, false);
  document.body.dataset.ready = "true";
})();
