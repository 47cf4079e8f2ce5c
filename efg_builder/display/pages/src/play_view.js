// The contents of the page: built once, and updated after each move.

import { die, diceOf, handPicture, knownPicture } from "./play_dice.js";
import { el } from "./dom.js";
import { NOISE, followed } from "./play_round.js";
import { EQUILIBRIUM, bidText, calledBid, does, mistakes, reviewed, shares, soFar, spoken } from "./play_words.js";

/** Puts the fixed parts into `root`; `act` has the actions of buttons. */
export function frame(root, data, act) {
  const button = (label, what, key) =>
    el("button", { type: "button", click: what, "aria-keyshortcuts": key }, label, el("kbd", { "aria-hidden": "true" }, key));
  const asked = data.adviser ?? EQUILIBRIUM;
  const parts = {
    status: el("p", { class: "play-status", role: "status", "aria-live": "polite" }),
    standing: el("p", { class: "play-standing" }),
    others: el("div", { class: "play-others" }),
    own: el("div", { class: "play-own" }),
    history: el("ol", { class: "play-history", "aria-label": "Moves of this round" }),
    moves: el("div", { class: "play-moves", role: "group", "aria-label": "Your moves" }),
    told: el("div", { class: "play-told", role: "status", "aria-live": "polite" }),
    closing: el("div", { class: "play-closing" }),
    score: el("tbody"),
    verdict: el("p", { class: "play-verdict" }),
    helps: el("p", { class: "play-helps" }),
    rounds: el("ol", { class: "play-rounds" }),
    believed: el("section", { class: "play-believed", "aria-live": "polite" }),
    course: el("section", { class: "play-course" }),
    hint: button("Hint", act.hint, "h"),
    advice: button(`What would ${asked[0].toLowerCase()}${asked.slice(1)} do?`, act.advice, "e"),
    again: button("New round", act.again, "n"),
  };
  parts.stage = el("div", { class: "play-stage" }, el("div", { class: "play-talk" }, parts.status, parts.told), parts.closing, parts.moves);
  const seats = data.seats.map((k) => el("option", { value: k, selected: k === data.seat }, `${data.players[k]}${k ? "" : " (moves first)"}`));
  parts.seat = el("select", { id: "play-seat", change: (event) => act.sit(Number(event.target.value)) }, seats);
  if (!data.advised) parts.advice.hidden = true;
  root.append(
    ...rules(data),
    el("p", { class: "play-opponent" }, "Against you: ", el("strong", {}, data.opponent.name), ` ${data.match && !data.opponent.equilibrium ? data.opponent.caption : `(${data.opponent.caption})`}.`),
    el("div", { class: "play-columns" },
      el("section", { class: "play-table", "aria-label": "The round" },
        el("div", { class: "play-board" },
          el("div", {}, parts.standing, el("div", { class: "play-hands" }, parts.own, parts.others), parts.history, parts.stage),
          el("div", { class: "play-insight" }, parts.believed, parts.course)),
        el("div", { class: "play-tools" }, parts.again, parts.hint, parts.advice)),
      el("aside", { class: "play-side", "aria-label": "Score" },
        el("h2", {}, "Score"),
        el("table", { class: "play-score" }, el("caption", {}, data.match ? "Your chance to win, without luck" : "Your result, without luck"), parts.score),
        parts.verdict, el("div", {}, el("h2", {}, "Review a round"), parts.rounds), parts.helps,
        el("label", { class: "play-seat", for: "play-seat" }, "Your seat ", parts.seat),
        el("button", { type: "button", class: "play-forget", click: act.forget }, "Start over"),
        about(data))));
  return parts;
}

/** The rules: in short if possible, and in full. On a phone they are folded, so that the round comes first. */
function rules({ rules, explained }) {
  const narrow = matchMedia("(max-width: 760px)").matches;
  const minus = (text) => text.replace(/(^|\s)-(?=\d)/g, "$1−"), short = rules ? el("p", { class: "play-rules" }, minus(rules)) : null;
  const full = explained.map((text) => el("p", {}, minus(text)));
  const folded = (head, open, ...what) => el("details", { class: "play-rules", open }, el("summary", {}, head), el("div", {}, ...what));
  if (!full.length || (narrow && short)) return short ? [folded("The rules", !narrow, short, full)] : [];
  return short ? [short, folded("All the rules", false, full)] : [folded("The rules", !narrow, full)];
}

function about({ match, players }) {
  return el("details", { class: "play-about" }, el("summary", {}, "What do these numbers mean?"),
    el("p", {}, `Each of your moves is compared with the best move, given what you knew: your hand, the moves, and your opponent${players.length > 2 ? "s' strategies" : "'s strategy"}. The loss of a move is the value of the best move minus the value of the move.`),
    match ? el("p", {}, "All numbers are chances to win the match: the value of a move is your chance to win after it with best play, and losses and luck are in percentage points.") : null,
    el("p", {}, "Best play is the average result without mistakes. Mistakes are minus the sum of all losses. Luck is the dice and the others' choices, and averages 0 in the long run, however you play. The sum of the three is your " + (match ? "chance now, which is 100% or 0% at the end." : "result.")),
    el("p", {}, `${match ? "The chance at the start" : "Best play"} and mistakes together estimate the average result of such play. The possible losses depend on the dice, so the estimate can be far off over few rounds, even ${match ? "below 0%" : "outside the possible results"}.`),
    el("p", {}, "“What the others must think you hold” is their belief about your hand. It follows from your moves by Bayes' rule, if you play the strategy of the advice: a hand becomes more probable after a move that the strategy makes more often with it."),
    el("p", {}, "Keys: h hint, e equilibrium, n new round, c call; arrows move among the bids and, after a round, from move to move."));
}

/** Shows hands, moves so far, and legal moves; of a finished round (`record`), before the event number `at`, or its end (null). */
export function showRound(parts, play, act, scene, record, at) {
  const { board, seat } = play, now = at === null ? play : followed(board, seat, play.path.slice(0, at)), over = now.turn.kind === "end";
  const hand = board.hand(now.state, seat), bid = over ? calledBid(board, record) : null;
  parts.own.replaceChildren(...(hand ? [el("h2", {}, "You hold"), handPicture(board, hand, bid?.counts)] : known(now)));
  parts.others.replaceChildren(...othersHands(now, record, bid));
  parts.history.replaceChildren(...chips(play, act, scene, record, at));
  parts.history.hidden = !parts.history.children.length;
  parts.moves.replaceChildren(...(over ? [] : board.bids ? grid(now, act, at !== null) : plain(now, act, at !== null)));
  parts.moves.setAttribute("aria-label", over || now.turn.player === seat ? "Your moves" : `${board.players[now.turn.player]}'s moves`);
  parts.status.classList.toggle("unseen", over);
  parts.closing.replaceChildren(...(over ? closing(scene, board, record) : []));
  if (at === null) return;
  const step = now.turn.player === seat ? record.steps[now.steps.length] : null;
  annotate(parts, now, step ? costNote(step.values, scene.unit) : chanceNote(board.behavior(now.state, 0)));
  parts.status.textContent = reviewed(now, play.events[at], step, record, scene.unit);
  for (const button of parts.moves.querySelectorAll("button.move")) button.classList.toggle("made", button.dataset.action === play.events[at].action);
}

/** The moves of the round, and chance moves that are known; of a finished round, as buttons with losses. */
function chips({ board, seat, events }, act, scene, record, at) {
  const isShown = ({ player }, k) => (player >= 0 ? board.open || player === seat || record : record ? !board.dealt : k && board.opened);
  const losses = record ? scene.unit.notes(record.steps.filter(({ price }) => price).map(({ price }) => -price)) : [], steps = record ? [...record.steps] : [];
  const look = (to, what, loss) => el("button", { type: "button", "aria-current": at === to ? "step" : null, "aria-label": loss ? `${what}: loses ${loss.slice(1)}` : null, click: () => act.look(null, to) },
    el("span", {}, what), loss ? el("b", {}, loss) : null);
  const made = events.map((event, k) => {
    const what = event.player < 0 ? event.action : does(board, seat, event), loss = event.player === seat && steps.shift()?.price ? losses.shift() : null;
    const kind = event.player < 0 ? "chance" : event.player === seat ? (loss ? "mine lost" : "mine") : null;
    return isShown(event, k) ? el("li", { class: kind }, record && event.player >= 0 ? look(k, what, loss) : what) : null;
  });
  return [...made, record ? el("li", { class: "end" }, look(null, "End")) : null].filter(Boolean);
}

/** The mover's information in a game without hands, at the end yours at your last move; in Mia, the name of the information set is the observation. */
function known({ board, seat, state, turn, steps }) {
  const at = turn.kind === "move" ? { infoset: turn.key, state } : steps.at(-1), mine = turn.kind !== "move" || turn.player === seat;
  if (!at) return [];
  if (board.pictures === "rolls") return [el("h2", {}, mine ? "You know" : `${board.players[turn.player]} knows`), knownPicture(board, at.infoset || "nothing yet")];
  return [el("h2", {}, mine ? "Your information set" : `${board.players[turn.player]}'s information set`), knownPicture(board, at.infoset), el("p", { class: "play-seen" }, soFar(board, seat, board.seen(at.state)))];
}

function othersHands({ board, seat, state, turn }, record, bid) {
  if (record) {
    const others = board.dealt ? record.uncovered.filter(([name]) => name !== board.players[seat]) : [], over = turn.kind === "end";
    return others.map(([name, hand]) => el("div", { class: over ? null : "play-secret" }, el("h2", {}, name, over ? "" : " (hidden then)"), handPicture(board, hand, bid?.counts)));
  }
  return board.players.map((name, player) => {
    const dice = player === seat ? null : diceOf(board, board.hand(state, player));
    return dice && el("div", {}, el("h2", {}, name), el("span", { class: "hand" }, dice.map(() => die(null))));
  }).filter(Boolean);
}

/** A grid of bids, quantities in rows and faces in columns; illegal bids are disabled. */
function grid(play, act, past) {
  const { board, turn } = play, all = [...board.bids.values()];
  const faces = sorted(all.map(([, face]) => face)), quantities = sorted(all.map(([quantity]) => quantity));
  const head = el("tr", {}, el("td"), faces.map((face) => el("th", { scope: "col" }, die(face, 24))));
  const rows = quantities.map((quantity) => el("tr", {}, el("th", { scope: "row" }, `${quantity}×`), faces.map((face) => {
    const name = `${quantity}x${face}`;
    return el("td", {}, board.bids.has(name) ? moveButton(play, act, past, name, `bid ${spoken(board, name)}`) : null);
  })));
  const calls = turn.actions.includes(board.call);
  const made = play.events.filter((event) => event.player >= 0).at(-1);
  const what = calls ? `Call ${bidText(board, made.action)}` : "Call (there is no bid yet)";
  return [
    el("div", { class: "play-scroll", keydown: arrows }, el("table", { class: "play-grid", role: "presentation" }, el("thead", {}, head), el("tbody", {}, rows))),
    moveButton(play, act, past, board.call, null, what),
  ];
}

function sorted(numbers) {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function plain(play, act, past) {
  return play.turn.actions.map((action) => moveButton(play, act, past, action, null, action));
}

function moveButton(play, act, past, action, name, label = bidText(play.board, action)) {
  const index = play.turn.actions.indexOf(action);
  const call = play.board.bids && action === play.board.call;
  const attributes = { type: "button", class: call ? "move call" : "move", "data-action": action, disabled: past || index < 0, click: () => act.move(index) };
  return el("button", { ...attributes, "aria-label": name, "aria-keyshortcuts": call ? "c" : null }, label, el("small", { class: "note" }));
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

/** Writes a note under each move, such as its loss. */
export function annotate(parts, play, note) {
  for (const button of parts.moves.querySelectorAll("button.move")) {
    const index = play.turn.actions.indexOf(button.dataset.action);
    const { text = "", kind = "", title = text } = index < 0 ? {} : note(index);
    button.querySelector(".note").textContent = text;
    button.title = title; // also read aloud where the name of a button is not its text
    button.dataset.kind = kind;
  }
}

export function costNote(values, unit) {
  const best = Math.max(...values), losses = values.map((value) => value - best), texts = unit.notes(losses), count = values.length;
  const all = unit.written(values, losses.map((loss) => -loss));
  return (index) => (losses[index] > -NOISE ? { text: "best", kind: "best", title: `best: worth ${all[index]}` }
    : { text: texts[index], kind: "worse", title: `worth ${all[index]}, loses ${all[count + index]}` });
}

export function chanceNote(chances) {
  const texts = shares(chances);
  return (index) => ({ text: texts[index], kind: chances[index] > 0 ? "best" : "never" });
}

function closing(scene, board, record) {
  const wrong = mistakes(board, record, scene.unit);
  const hidden = board.dealt ? [] : record.uncovered;
  return [
    el("p", { class: `play-ending ${scene.kind(record)}` }, scene.ended(board, record).join(" ")),
    hidden.length ? el("p", {}, `Uncovered: ${hidden.map(([name, what]) => `${name || "chance"}: ${what}`).join("; ")}.`) : null,
    ...wrong.map((text) => el("p", { class: "play-mistake" }, text)),
    el("p", {}, wrong.length ? "" : record.steps.length ? "You made no mistake. " : "You had no move. ", scene.luck(record)),
    record.steps.length ? el("p", { class: "play-how" }, "A click on a move, or ← and →, steps back to it.") : null,
  ].filter(Boolean);
}
