// The page "Try it": asks a worker with Python for the answer, and shows it. All that comes back is text: it is never
// put into this page as HTML, and the frame with the game has scripts of ours alone.

const { pyodide, version, first, later, files, games, templates } = JSON.parse(document.getElementById("setup").textContent);
const FEW = 3, LONGEST_FILE = 4_000_000, LONGEST_LINK = 60_000, HERE = new URL(".", location).href;
const STOPPED = "Stopped. Python is being loaded again.";
const $ = (id) => document.getElementById(id), kinds = ["catalogue", "class", "file"], own = (name) => `${HERE}${name}?${version}`;
let worker = null, ready = null, waiting = new Map(), count = 0, asked = 0, spoiled = false, heard = 0, since = 0;

// --- the worker

/** Starts Python; the promise is kept until the worker is stopped. */
function begin() {
  return (ready ??= offline().then(startWorker));
}

async function startWorker() {
  const mine = ready;
  // A worker made from text obeys this page's list of addresses; one with an address of its own would not.
  const text = await fetch(own("worker.js")).then((reply) => reply.text());
  if (mine !== ready) throw new Error(STOPPED);
  worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
  worker.onmessage = ({ data }) => {
    const { id, answer, says, prints } = Object(data), most = 1000 + (performance.now() - since) / 5; // 200 a second
    if ((heard += 1 + String(says ?? prints ?? "").length / 1000) > most) return stop("Stopped: the program sends too much.");
    if (says !== undefined) $("progress").textContent = String(says);
    if (prints !== undefined) $("printed").append(`${prints}\n`);
    $("printed").hidden = !$("printed").textContent;
    waiting.get(id)?.(Object(answer));
    waiting.delete(id);
  };
  worker.onerror = (event) => stop(`Python stopped: ${event.message || "it may have had too little memory"}.`);
  const { error } = await ask("start", { pyodide: new URL(pyodide, location).href, own: own("efg_builder.zip"), first, later });
  if (error !== undefined) throw new Error(String(error));
}

function ask(name, words = {}) {
  return new Promise((done) => {
    waiting.set(++count, done);
    worker.postMessage({ id: count, ask: name, ...words });
  });
}

/** Starts Python while nothing is asked of it. */
function prepare(done) {
  const mine = begin();
  mine.then(done, ({ message }) => mine === ready && !$("solve").disabled && (stop(""), refuse({ error: message })));
}

/** Ends the worker, whatever it does, with what is to be said about it. */
function stop(said) {
  worker?.terminate();
  const left = [...waiting.values()];
  [worker, ready, waiting, spoiled] = [null, null, new Map(), false];
  left.forEach((done) => done({ error: said }));
}

/** From the second visit on, what was loaded comes from the browser's store; a page without one works, with a net. */
const offline = () => Promise.race([
  navigator.serviceWorker?.register("offline.js").then(() => navigator.serviceWorker.ready).catch(() => {}),
  new Promise((done) => setTimeout(done, 2000)),
]);

// --- asking

async function solve() {
  const request = requestNow(), mine = ++asked;
  // A program can change the package: what is no program of its author gets a Python that no program has seen.
  if (spoiled && request.kind !== "class") stop("");
  [heard, since] = [0, performance.now()];
  $("printed").textContent = "";
  for (const id of ["printed", "error", "answer", "hint"]) $(id).hidden = true;
  mark(null);
  busy(true);
  history.replaceState(null, "", request.kind === "catalogue" ? addressOf(request) : location.pathname);
  const started = performance.now();
  let answer;
  try {
    await begin();
    $("progress").textContent = "Solving …";
    spoiled ||= request.kind === "class";
    answer = await ask("solve", { request });
  } catch (error) {
    answer = { error: error.message, spent: error.message !== STOPPED };
  }
  if (mine !== asked) return;
  busy(false);
  if (answer.spent) stop("");
  if (answer.error !== undefined) return refuse(answer);
  $("progress").textContent = `Done in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
  tell(answer, request.kind === "class");
}

function busy(is) {
  $("solve").disabled = is;
  $("stop").hidden = !is;
  $("progress").setAttribute("aria-live", is ? "off" : "polite");
}

function requestNow() {
  const kind = kinds.find((each) => !$(each).hidden);
  if (kind === "catalogue") {
    const settings = Object.fromEntries([...$("catalogue").querySelectorAll(".settings [name]")].map((each) => [each.name, each.value.trim() || each.placeholder]));
    return { kind, name: $("name").value, settings };
  }
  return { kind, text: $(kind === "class" ? "program" : "text").value };
}

async function tell({ title, figures, warnings, script, proved, said, data }, isClass) {
  const [claim, left] = String(said).replace(/^(proved|refused): /, "").replace("; 1 of 1 profiles in 'equilibria' are equilibria", "").split(" (not checked: ");
  $("answer").hidden = false;
  $("answer").classList.remove("old");
  $("title").textContent = title;
  const isChecked = ["checker.py", "tree_checker.py"].includes(script), isProved = isChecked && proved === true;
  $("proved").classList.toggle("not", !isProved);
  $("proved").textContent = isProved ? `✓ Proved: ${claim}` : isChecked ? `Not proved: ${claim}` : claim;
  $("script").textContent = isChecked ? `Checked here by ${script}, which shares no code with the solver${left ? "; it did not check the line “refined”" : ""}. ` : "";
  if (isClass) $("script").append("A program can deceive a check in its own Python: if it is not yours, check its certificate elsewhere.");
  $("warned").hidden = !Object(warnings).length;
  $("warned").textContent = [].concat(warnings).join(" ");
  $("figures").textContent = figures;
  $("files").replaceChildren("Download: ", ...Object.entries(files).map(([name, label]) => {
    const button = Object.assign(document.createElement("button"), { textContent: label });
    button.onclick = () => download(name, button);
    return button;
  }));
  const text = await fetch(own("frame.html")).then((reply) => reply.text()), [before, after] = text.split("DATA<");
  const frame = Object.assign(document.createElement("iframe"), { id: "page", title: "The game, with its equilibrium" });
  frame.sandbox = "allow-scripts";
  frame.srcdoc = `${before}${/^[A-Za-z0-9+/=]*$/.test(data) ? data : ""}<${after}`;
  $("page").replaceWith(frame); // a frame that was hidden would keep its size, and each new page of it a step of Back
  $("title").focus({ preventScroll: true });
  if (innerWidth < 900) $("answer").scrollIntoView();
}

function refuse({ error, line }) {
  $("progress").textContent = "";
  const said = line && !String(error).includes(`line ${line}`) ? `Line ${line}: ${error}` : error;
  Object.assign($("error"), { hidden: !error, textContent: said });
  if (!$("class").hidden) mark(line ?? null);
  $("error").scrollIntoView({ block: "nearest" });
}

async function download(name, button) {
  const before = $("progress").textContent;
  button.disabled = true;
  $("progress").textContent = `Making ${name} …`;
  const { bytes, error } = await ask("file", { name });
  button.disabled = false;
  if (!(bytes instanceof Uint8Array)) return refuse({ error: `${name}: ${error}` });
  $("progress").textContent = before;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = `${$("title").textContent.toLowerCase().match(/[a-z0-9]+/g)?.join("-").slice(0, 60) ?? "game"}-${name}`;
  link.click();
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
  changed();
}

/** The answer on the page is not that of what was chosen since. */
const changed = () => $("answer").classList.add("old");

/** The settings of the chosen game; `given`: those of a link. Returns what is wrong with them. */
function settle(given = {}) {
  const { summary, parameters } = games[$("name").value], known = new Map(parameters.map((each) => [each.name, each]));
  $("summary").textContent = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
  const labels = parameters.map(({ name, value, choices, help }) => {
    const field = document.createElement(choices.length ? "select" : "input"), label = document.createElement("label");
    field.append(...choices.map((each) => new Option(each, each)));
    Object.assign(field, { name, placeholder: value, value: given[name] ?? value });
    label.append(name, field, Object.assign(document.createElement("small"), { textContent: help }));
    return label;
  });
  $("settings").replaceChildren(...labels.slice(0, FEW));
  $("rest").replaceChildren(...labels.slice(FEW));
  $("more").hidden = labels.length <= FEW;
  $("more").open = parameters.slice(FEW).some(({ name, value }) => (given[name] ?? value) !== value);
  changed();
  const wrong = Object.entries(given).find(([name, value]) => !known.has(name) || (known.get(name).choices.length && !known.get(name).choices.includes(value)));
  return wrong && `The link sets ${wrong.join("=")}, which is no setting of ${$("name").value}.`;
}

function write(text, isForeign) {
  const field = $("program");
  choose("class");
  field.focus();
  field.select();
  document.execCommand("insertText", false, text); // undo brings back what was there
  if (field.value !== text) field.value = text;
  field.setSelectionRange(0, 0);
  $("foreign").hidden = !isForeign;
  choose("class");
  number();
}

async function take(file) {
  if (!file) return;
  if (file.size > LONGEST_FILE) return refuse({ error: `${file.name}: the file is too large for this page.` });
  const text = await file.text();
  if (file.name.endsWith(".py")) return write(text, false);
  choose("file");
  $("text").value = text;
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
}

/** A new line begins where the last one did. */
function indent(event) {
  if (event.key !== "Enter" || event.isComposing) return;
  const field = event.target, line = field.value.slice(0, field.selectionStart).split("\n").pop();
  event.preventDefault();
  document.execCommand("insertText", false, `\n${/^ */.exec(line)[0]}${line.trimEnd().endsWith(":") ? "    " : ""}`);
}

// --- links

const addressOf = ({ name, settings }) => `#${new URLSearchParams({ game: name, ...settings })}`;

async function link() {
  const request = requestNow(), packed = request.kind === "catalogue" ? "" : await pack(request.text);
  if (packed.length > LONGEST_LINK) return refuse({ error: "The text is too long for a link: send it as a file." });
  history.replaceState(null, "", packed ? `#${new URLSearchParams({ [request.kind]: packed })}` : addressOf(request));
  const copied = await navigator.clipboard.writeText(location.href).then(() => true, () => false);
  $("progress").textContent = copied ? "The link is copied." : "Copy the link from the address bar.";
}

/** Does what the address says; only a game of the catalogue or a file is solved at once. */
async function follow() {
  const { game, class: program, file, ...settings } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if ([game, program, file].every((each) => each === undefined)) return;
  if ($("solve").disabled) stop("");
  if (game === undefined) {
    const text = await unpack(program ?? file).catch(() => null);
    if (text === null) return refuse({ error: "The link is not complete." });
    if (program !== undefined) return write(text, true);
    $("text").value = text;
    choose("file");
    return solve();
  }
  if (!Object.hasOwn(games, game)) return refuse({ error: `There is no game ${JSON.stringify(game)}.` });
  $("name").value = game;
  const wrong = settle(settings);
  choose("catalogue");
  return wrong ? refuse({ error: wrong }) : solve();
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

async function pack(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpack(text) {
  if (text.length > LONGEST_LINK) throw new Error("too long");
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes));
}

// --- the page

$("name").append(...Object.keys(games).map((name) => new Option(name, name)));
$("template").append(...Object.keys(templates).map((name) => new Option(name, name)));
$("name").onchange = () => settle();
$("template").onchange = () => {
  write(templates[$("template").value], false);
  $("template").selectedIndex = 0;
};
kinds.forEach((kind, n) => {
  $(`tab-${kind}`).onclick = () => choose(kind);
  $(`tab-${kind}`).onkeydown = ({ key }) => {
    const next = kinds[(n + { ArrowRight: 1, ArrowLeft: 2 }[key]) % kinds.length];
    if (next) choose(next), $(`tab-${next}`).focus();
  };
});
$("ask").addEventListener("input", changed);
$("program").oninput = number;
$("program").onscroll = number;
$("program").onkeydown = indent;
$("open").onchange = () => take($("open").files[0]);
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => (event.preventDefault(), take(event.dataTransfer.files[0])));
$("solve").onclick = solve;
$("stop").onclick = () => {
  stop(STOPPED);
  prepare(() => $("solve").disabled || ($("error").hidden = true));
};
$("link").onclick = link;
addEventListener("hashchange", follow);
$("program").value = Object.values(templates)[0];
number();
settle();
prepare(() => ready && !$("solve").disabled && ($("progress").textContent = "Python is ready."));
follow();
