// The page "Try it": asks a worker with Python for the answer, and shows it. All that comes back is text: it is never
// put into this page as HTML, and the game's own page stands in a frame that can reach nothing.

const { pyodide, version, first, wanted, games, templates } = JSON.parse(document.getElementById("setup").textContent);
const FEW = 3, MOST_PRINTED = 200, LONGEST_FILE = 4_000_000, HERE = new URL(".", location).href;
const $ = (id) => document.getElementById(id), kinds = ["catalogue", "class", "file"];
let worker = null, ready = null, waiting = new Map(), count = 0, printed = [];

// --- the worker

/** Starts Python; the promise is kept until the worker is stopped. */
function begin() {
  return (ready ??= offline().then(startWorker));
}

async function startWorker() {
  // A worker made from text obeys this page's list of addresses; one with an address of its own would not.
  const text = await fetch("worker.js").then((reply) => reply.text());
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  worker = new Worker(url, { type: "module" });
  worker.onmessage = ({ data: { id, answer, says, prints } }) => {
    if (says !== undefined) $("progress").textContent = String(says);
    if (prints !== undefined) show(String(prints));
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  worker.onerror = (event) => stop(`Python stopped: ${event.message || "it may have had too little memory"}.`);
  const files = ["efg_builder.zip", "work.py"].map((name) => `${HERE}${name}?${version}`);
  const { error } = await ask("start", { pyodide: new URL(pyodide, location).href, files, first, wanted });
  if (error) throw new Error(error);
}

function ask(name, words = {}) {
  return new Promise((done) => {
    waiting.set(++count, done);
    worker.postMessage({ id: count, ask: name, ...words });
  });
}

/** Ends the worker, whatever it does, with what is to be said about it. */
function stop(said) {
  worker?.terminate();
  const asked = [...waiting.values()];
  [worker, ready, waiting] = [null, null, new Map()];
  asked.forEach((done) => done({ error: said }));
}

/** From the second visit on, what was loaded comes from the browser's store. */
async function offline() {
  try {
    await navigator.serviceWorker.register("offline.js");
    await Promise.race([navigator.serviceWorker.ready, new Promise((done) => setTimeout(done, 2000))]);
  } catch {
    // A page without such a store works, with a net.
  }
}

// --- asking

async function solve() {
  const request = requestNow();
  printed = [];
  for (const id of ["printed", "error", "answer", "hint"]) $(id).hidden = true;
  mark(null);
  busy(true);
  const began = performance.now();
  let answer;
  try {
    await begin();
    $("progress").textContent = "Solving …";
    answer = await ask("solve", { request });
  } catch (error) {
    stop("");
    answer = { error: error.message };
  }
  busy(false);
  $("progress").textContent = answer.error === undefined ? `Done in ${((performance.now() - began) / 1000).toFixed(1)} s.` : "";
  if (answer.error === undefined) return tell(answer);
  if (answer.spent) stop("");
  return refuse(answer);
}

function busy(is) {
  $("solve").disabled = is;
  $("stop").hidden = !is;
}

function requestNow() {
  const kind = kinds.find((each) => !$(each).hidden);
  if (kind === "catalogue") {
    const settings = Object.fromEntries([...$("catalogue").querySelectorAll(".settings [name]")].map((each) => [each.name, each.value.trim()]));
    return { kind, name: $("name").value, settings };
  }
  return { kind, text: $(kind === "class" ? "program" : "text").value };
}

function tell({ title, figures, proved, script, page, files }) {
  $("answer").hidden = false;
  $("title").textContent = title;
  const [said, left = ""] = proved.split(/ (?=\(not checked)/);
  $("proved").textContent = proved && `✓ Proved: ${said}`;
  $("script").textContent = proved && `Checked here by ${script}, a script that shares no code with the solver. ${left}`;
  $("figures").textContent = figures;
  $("files").replaceChildren("Download: ", ...files.map((name) => {
    const button = document.createElement("button");
    button.textContent = name;
    button.onclick = () => download(name, button);
    return button;
  }));
  $("page").srcdoc = page;
  $("title").focus({ preventScroll: true });
  if (innerWidth < 900) $("answer").scrollIntoView();
}

function refuse({ error, line }) {
  $("error").hidden = !error;
  $("error").textContent = line && !error.includes(`line ${line}`) ? `Line ${line}: ${error}` : error;
  if (!$("class").hidden) mark(line ?? null);
}

async function download(name, button) {
  button.disabled = true;
  const { bytes, error } = await ask("file", { name });
  button.disabled = false;
  if (error) return refuse({ error: `${name}: ${error}` });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
}

function show(text) {
  if (printed.length > MOST_PRINTED) return;
  printed.push(printed.length < MOST_PRINTED ? text.slice(0, MOST_PRINTED) : "…");
  $("printed").hidden = false;
  $("printed").textContent = printed.join("\n");
}

// --- choosing

function choose(kind) {
  for (const each of kinds) {
    const tab = $(`tab-${each}`);
    $(each).hidden = each !== kind;
    tab.setAttribute("aria-selected", each === kind);
    tab.tabIndex = each === kind ? 0 : -1;
  }
  $("solve").textContent = kind === "class" && !$("foreign").hidden ? "Run this program" : "Solve";
}

/** The settings of the chosen game; `given`: those of a link. */
function settle(given = {}) {
  const { summary, parameters } = games[$("name").value];
  $("summary").textContent = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
  const labels = parameters.map(({ name, value, choices, help }) => {
    const field = document.createElement(choices.length ? "select" : "input"), label = document.createElement("label");
    field.name = name;
    field.append(...choices.map((each) => new Option(each, each)));
    field.value = given[name] ?? value;
    label.append(name, field, Object.assign(document.createElement("small"), { textContent: help }));
    return label;
  });
  $("settings").replaceChildren(...labels.slice(0, FEW));
  $("rest").replaceChildren(...labels.slice(FEW));
  $("more").hidden = labels.length <= FEW;
  $("more").open = parameters.slice(FEW).some(({ name, value }) => (given[name] ?? value) !== value);
}

async function take(file) {
  if (!file) return;
  if (file.size > LONGEST_FILE) return refuse({ error: `${file.name}: the file is too large for this page.` });
  const isClass = file.name.endsWith(".py");
  choose(isClass ? "class" : "file");
  $(isClass ? "program" : "text").value = await file.text();
  number();
}

/** Numbers the lines of the program. */
function number() {
  const lines = $("program").value.split("\n").length;
  if ($("lines").childElementCount !== lines) {
    $("lines").replaceChildren(...Array.from({ length: lines }, (_, n) => Object.assign(document.createElement("span"), { textContent: `${n + 1}\n` })));
  }
  $("lines").scrollTop = $("program").scrollTop;
}

/** Marks a line of the program, and goes there. */
function mark(line) {
  [...$("lines").children].forEach((each, n) => each.classList.toggle("wrong", n + 1 === line));
  if (!line) return;
  const field = $("program"), starts = field.value.split("\n").slice(0, line).map((text) => text.length + 1), end = starts.reduce((a, b) => a + b, 0) - 1;
  field.focus();
  field.setSelectionRange(end + 1 - starts.at(-1), end);
  field.scrollTop = (line - 4) * parseFloat(getComputedStyle(field).lineHeight);
  number();
}

/** A new line begins where the last one did. */
function indent(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  const field = event.target, line = field.value.slice(0, field.selectionStart).split("\n").pop();
  event.preventDefault();
  document.execCommand("insertText", false, `\n${/^ */.exec(line)[0]}${line.trimEnd().endsWith(":") ? "    " : ""}`);
}

// --- links

async function link() {
  const { kind, name, settings, text } = requestNow();
  const words = kind === "catalogue" ? { game: name, ...settings } : { [kind]: await packed(text) };
  history.replaceState(null, "", `#${new URLSearchParams(words)}`);
  await navigator.clipboard.writeText(location.href).catch(() => {});
  $("progress").textContent = "The link is in the address bar, and copied where the browser allows it.";
}

/** Does what the address says; only a game of the catalogue or a file is solved at once. */
async function follow() {
  const { game, class: program, file, ...settings } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (program !== undefined || file !== undefined) {
    const text = await unpacked(program ?? file).catch(() => null);
    if (text === null) return refuse({ error: "The link is not complete." });
    $(program === undefined ? "text" : "program").value = text;
    $("foreign").hidden = program === undefined;
    choose(program === undefined ? "file" : "class");
    return program === undefined ? solve() : number();
  }
  if (game === undefined) return undefined;
  if (!Object.hasOwn(games, game)) return refuse({ error: `There is no game ${JSON.stringify(game)}.` });
  $("name").value = game;
  settle(settings);
  choose("catalogue");
  return solve();
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// --- the page

$("name").append(...Object.keys(games).map((name) => new Option(name, name)));
$("template").append(...Object.keys(templates).map((name) => new Option(name, name)));
$("name").onchange = () => settle();
$("template").onchange = () => {
  $("program").value = templates[$("template").value];
  $("foreign").hidden = true;
  choose("class");
  number();
};
kinds.forEach((kind, n) => {
  $(`tab-${kind}`).onclick = () => choose(kind);
  $(`tab-${kind}`).onkeydown = ({ key }) => {
    const next = kinds[(n + { ArrowRight: 1, ArrowLeft: 2 }[key]) % kinds.length];
    if (next) choose(next), $(`tab-${next}`).focus();
  };
});
$("program").oninput = number;
$("program").onscroll = number;
$("program").onkeydown = indent;
$("open").onchange = () => take($("open").files[0]);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
$("solve").onclick = solve;
$("stop").onclick = () => stop("Stopped.");
$("link").onclick = link;
addEventListener("hashchange", follow);
$("template").onchange();
choose("catalogue");
settle({ sides: "3" });
begin().then(() => ready && !$("solve").disabled && ($("progress").textContent = "Python is ready."), () => {});
follow();
