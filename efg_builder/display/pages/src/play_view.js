// What the page shows: built once, filled anew after each move.

import { percent } from "./numbers.js";
import { die, diceOf, handPicture, knownPicture } from "./play_dice.js";
import { make } from "./play_dom.js";
import { NOISE } from "./play_round.js";
import { EQUILIBRIUM, bidText, calledBid, does, hint, mistakes, soFar, spoken } from "./play_words.js";

/** The fixed parts, put into `root`; `act` holds what buttons do. */
export function frame(root, data, act) {
  const button = (label, what, key) =>
    make("button", { type: "button", click: what, "aria-keyshortcuts": key }, label, make("kbd", { "aria-hidden": "true" }, key));
  const asked = data.adviser ?? EQUILIBRIUM;
  const parts = {
    status: make("p", { class: "play-status", role: "status", "aria-live": "polite" }),
    standing: make("p", { class: "play-standing" }),
    others: make("div", { class: "play-others" }),
    own: make("div", { class: "play-own" }),
    history: make("ol", { class: "play-history", "aria-label": "Moves of this round" }),
    moves: make("div", { class: "play-moves", role: "group", "aria-label": "Your moves" }),
    told: make("div", { class: "play-told", role: "status", "aria-live": "polite" }),
    closing: make("div", { class: "play-closing" }),
    score: make("tbody"),
    verdict: make("p", { class: "play-verdict" }),
    helps: make("p", { class: "play-helps" }),
    rounds: make("ol", { class: "play-rounds" }),
    hint: button("Hint", act.hint, "h"),
    advice: button(`What would ${asked[0].toLowerCase()}${asked.slice(1)} do?`, act.advice, "e"),
    again: button("New round", act.again, "n"),
  };
  const seats = data.seats.map((k) => make("option", { value: k, selected: k === data.seat }, `${data.players[k]}${k ? "" : " (moves first)"}`));
  parts.seat = make("select", { id: "play-seat", change: (event) => act.sit(Number(event.target.value)) }, seats);
  if (!data.advised) parts.advice.hidden = true;
  root.append(
    ...rules(data),
    make("p", { class: "play-opponent" }, "Against you: ", make("strong", {}, data.opponent.name), ` ${data.match && !data.opponent.equilibrium ? data.opponent.caption : `(${data.opponent.caption})`}.`),
    make("div", { class: "play-columns" },
      make("section", { class: "play-table", "aria-label": "The round" },
        parts.standing, make("div", { class: "play-hands" }, parts.own, parts.others),
        parts.history, parts.status, parts.closing, parts.moves, parts.told,
        make("div", { class: "play-tools" }, parts.again, parts.hint, parts.advice)),
      make("aside", { class: "play-side", "aria-label": "Score" },
        make("h2", {}, "Score"),
        make("table", { class: "play-score" }, make("caption", {}, data.match ? "Your chance to win, with its luck taken out" : "Your result, with its luck taken out"), parts.score),
        parts.verdict, parts.helps,
        make("label", { class: "play-seat", for: "play-seat" }, "Your seat ", parts.seat),
        make("details", {}, make("summary", {}, "Rounds so far"), parts.rounds),
        make("button", { type: "button", class: "play-forget", click: act.forget }, "Start over"),
        about(data))));
  return parts;
}

/** The rules: in short where there is a short way, and in full. On a phone they are folded: the round comes first. */
function rules({ rules, explained }) {
  const narrow = matchMedia("(max-width: 760px)").matches;
  const minus = (text) => text.replace(/(^|\s)-(?=\d)/g, "$1−"), short = rules ? make("p", { class: "play-rules" }, minus(rules)) : null;
  const full = explained.map((text) => make("p", {}, minus(text)));
  const folded = (head, open, ...what) => make("details", { class: "play-rules", open }, make("summary", {}, head), ...what);
  if (!full.length || (narrow && short)) return short ? [folded("The rules", !narrow, short, full)] : [];
  return short ? [short, folded("All the rules", false, full)] : [folded("The rules", !narrow, full)];
}

function about({ match, players }) {
  return make("details", { class: "play-about" }, make("summary", {}, "What do these numbers mean?"),
    make("p", {}, `Every move of yours is held against the best you could have made there, with what you knew: your hand, the moves, and how your opponent${players.length > 2 ? "s play" : " plays"}. What it falls short, on average, is its price.`),
    match ? make("p", {}, "All is told as chances to win the match: what a move is worth is how often you win after it by playing as well as can be, and prices and luck are percentage points of that.") : null,
    make("p", {}, "Best play is what playing without mistakes is worth on average. Mistakes are minus the sum of all prices. Luck is the dice and the others' choices, and comes to 0 in the long run, however you play. The three add up to your " + (match ? "chance now, which is 100% or 0% at the end." : "result.")),
    make("p", {}, `${match ? "The chance at the start" : "Best play"} and mistakes together estimate what such play is worth on average. What there is to lose depends on the dice, so over few rounds the estimate may be far off, even outside what can be ${match ? "won: below 0%" : "won or lost"}.`),
    make("p", {}, "Keys: h hint, e equilibrium, n new round, c call; arrows move among the bids."));
}

/** Hands, moves so far, and what can be done now. */
export function showRound(parts, play, act, scene, record) {
  const { board, seat, state, events, turn } = play, over = turn.kind === "end";
  const hand = board.hand(state, seat), bid = record ? calledBid(board, record) : null;
  if (hand) parts.own.replaceChildren(make("h2", {}, "You hold"), handPicture(board, hand, bid?.counts));
  else parts.own.replaceChildren(...(over ? [] : known(board, seat, state, turn)));
  parts.others.replaceChildren(...othersHands(play, record, bid));
  const open = events.filter((event) => event.player >= 0 && (board.open || event.player === seat || over));
  parts.history.replaceChildren(...open.map((event) => make("li", { class: event.player === seat ? "mine" : null }, does(board, seat, event))));
  parts.history.hidden = !open.length;
  parts.moves.replaceChildren(...(over ? [] : board.bids ? grid(play, act) : plain(play, act)));
  parts.hint.disabled = parts.advice.disabled = over;
  parts.again.disabled = !over; // a round once begun counts
  parts.again.classList.toggle("play-main", over);
  parts.closing.replaceChildren(...(record ? closing(scene, board, record) : []));
}

/** What the human knows where there are no hands; in Mia the information set is called by just what was seen. */
function known(board, seat, state, turn) {
  if (board.pictures === "rolls") return [make("h2", {}, "You know"), knownPicture(board, turn.key || "nothing yet")];
  return [make("h2", {}, "Your information set"), knownPicture(board, turn.key), make("p", { class: "play-seen" }, soFar(board, seat, board.seen(state)))];
}

function othersHands(play, record, bid) {
  const { board, seat, state } = play;
  if (record) {
    const others = board.dealt ? record.uncovered.filter(([name]) => name !== board.players[seat]) : [];
    return others.map(([name, hand]) => make("div", {}, make("h2", {}, name), handPicture(board, hand, bid?.counts)));
  }
  return board.players.map((name, player) => {
    const dice = player === seat ? null : diceOf(board, board.hand(state, player));
    return dice && make("div", {}, make("h2", {}, name), make("span", { class: "hand" }, dice.map(() => die(null))));
  }).filter(Boolean);
}

/** Bids as a grid, quantities down and faces across; those that are not legal are disabled. */
function grid(play, act) {
  const { board, turn } = play, all = [...board.bids.values()];
  const faces = sorted(all.map(([, face]) => face)), quantities = sorted(all.map(([quantity]) => quantity));
  const head = make("tr", {}, make("td"), faces.map((face) => make("th", { scope: "col" }, die(face, 24))));
  const rows = quantities.map((quantity) => make("tr", {}, make("th", { scope: "row" }, `${quantity}×`), faces.map((face) => {
    const name = `${quantity}x${face}`;
    return make("td", {}, board.bids.has(name) ? moveButton(play, act, name, `bid ${spoken(board, name)}`) : null);
  })));
  const calls = turn.actions.includes(board.call);
  const made = play.events.filter((event) => event.player >= 0).at(-1);
  const what = calls ? `Call ${bidText(board, made.action)}` : "Call (there is no bid yet)";
  return [
    make("div", { class: "play-scroll", keydown: arrows }, make("table", { class: "play-grid", role: "presentation" }, make("thead", {}, head), make("tbody", {}, rows))),
    moveButton(play, act, board.call, null, what),
  ];
}

function sorted(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function plain(play, act) {
  return play.turn.actions.map((action) => moveButton(play, act, action, null, action));
}

function moveButton(play, act, action, name, label = bidText(play.board, action)) {
  const index = play.turn.actions.indexOf(action);
  const call = play.board.bids && action === play.board.call;
  const attributes = { type: "button", class: call ? "move call" : "move", "data-action": action, disabled: index < 0, click: () => act.move(index) };
  return make("button", { ...attributes, "aria-label": name, "aria-keyshortcuts": call ? "c" : null }, label, make("small", { class: "note" }));
}

/** Arrow keys move the focus among the legal bids. */
function arrows(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!step || !(event.target instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")].map((cell) => cell.firstChild));
  let y = rows.findIndex((row) => row.includes(event.target)), x = rows[y].indexOf(event.target);
  do [y, x] = [y + step[0], x + step[1]]; while (rows[y]?.[x]?.disabled);
  rows[y]?.[x]?.focus();
}

/** A hint (see play_words.js) as elements. */
export function hintList(play, values, unit, whole) {
  const { head, rows, foot } = hint(play.board, play.turn.actions, values, unit, whole);
  const row = ([move, worth, price]) => make("tr", {}, make("th", { scope: "row" }, move), make("td", {}, worth), make("td", {}, price));
  return [make("p", {}, head), make("table", { class: "play-hint" }, make("tbody", {}, rows.map(row))), foot ? make("p", {}, foot) : ""];
}

/** Writes a note under each move, such as what it costs. */
export function annotate(parts, play, note) {
  for (const button of parts.moves.querySelectorAll("button.move")) {
    const index = play.turn.actions.indexOf(button.dataset.action);
    const { text = "", kind = "" } = index < 0 ? {} : note(index);
    button.querySelector(".note").textContent = text;
    button.dataset.kind = kind;
  }
}

export function costNote(values, { note }) {
  const best = Math.max(...values);
  return (index) => (best - values[index] < NOISE ? { text: "best", kind: "best" } : { text: note(values[index] - best), kind: "worse" });
}

export function chanceNote(chances) {
  return (index) => (chances[index] > 0 ? { text: percent(chances[index]), kind: "best" } : { text: "0%", kind: "never" });
}

function closing(scene, board, record) {
  const wrong = mistakes(board, record, scene.unit);
  const hidden = board.dealt ? [] : record.uncovered;
  return [
    make("p", { class: `play-ending ${scene.kind(record)}` }, scene.ended(board, record).join(" ")),
    hidden.length ? make("p", {}, `Uncovered: ${hidden.map(([name, what]) => `${name || "chance"}: ${what}`).join("; ")}.`) : null,
    ...wrong.map((text) => make("p", { class: "play-mistake" }, text)),
    make("p", {}, wrong.length ? "" : record.steps.length ? "You made no mistake. " : "You had no move. ", scene.luck(record)),
  ].filter(Boolean);
}
