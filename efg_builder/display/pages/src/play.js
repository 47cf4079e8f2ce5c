// The page to play on: reads its data, deals, and updates the parts of the page.
// "#seed=7" in the address fixes the random numbers. The state is saved after each step,
// so that a reload, or Back from another page, continues the round.

import { unpacked } from "./data.js";
import { memoryOf } from "./play_memory.js";
import { matchScene } from "./play_match.js";
import { begin, choose, followed, randomSource, record, strayed, valuesOf } from "./play_round.js";
import { roundsScene } from "./play_rounds.js";
import { annotate, chanceNote, costNote, frame, hintList, showRound } from "./play_view.js";
import { advice, does } from "./play_words.js";

const FORMAT = 4;

async function main() {
  const root = document.getElementById("play"), data = await unpacked("play-data");
  if (data.format !== FORMAT) throw new Error(`data of format ${data.format}, and this page reads ${FORMAT}`);
  const scene = data.match ? matchScene(data) : roundsScene(data);
  const memory = memoryOf("play-data", givenSeed());
  let random = randomSource(givenSeed() ?? anySeed());
  let human = data.seat, play = null, records = [], wanted = human, opening = "", dealt = 0, asked = 0;

  const act = {
    move(index) {
      if (play.turn.kind !== "move" || index < 0) return;
      const before = play.events.length + 1, byKey = parts.moves.contains(document.activeElement);
      play = choose(play, index, random);
      went(before, byKey);
    },
    again() {
      deal();
      went(0, true);
    },
    sit(other) {
      wanted = other;
      if (scene.free(records)) act.again();
      else parts.told.textContent = "You change seats with the next match.";
      keep();
    },
    hint() {
      if (play.turn.kind !== "move") return;
      const values = valuesOf(play);
      annotate(parts, play, costNote(values, scene.unit));
      asked += 1; // a repeated request shows all
      helped(hintList(play, values, scene.unit, asked % 2 === 0));
    },
    advice() {
      if (play.turn.kind !== "move" || !data.advised) return;
      const chances = play.board.behavior(play.state, 1);
      annotate(parts, play, chanceNote(chances));
      helped([advice(play.board, play.turn.actions, chances, strayed(play), data.adviser)]);
    },
    forget() {
      if (records.length && !confirm("Forget all rounds and the score?")) return;
      memory.forget();
      random = randomSource(givenSeed() ?? anySeed());
      records = [];
      act.again();
    },
  };

  function helped(told) {
    play = { ...play, helped: true };
    parts.told.replaceChildren(...told);
    showHelps();
    keep();
  }

  function showHelps() {
    const steps = [...records, ...(play.turn.kind === "end" ? [] : [play])].flatMap((each) => each.steps);
    const count = steps.filter((step) => step.helped).length + play.helped;
    parts.helps.textContent = count ? `You asked for help at ${count} move${count === 1 ? "" : "s"}.` : "";
  }

  function keep() {
    const helps = play.steps.map((step) => step.helped);
    memory.keep({ records, human, wanted, dealt, path: play.path, helps, helped: play.helped, random: random.state() });
  }

  /** Restores the saved state; returns false if there is none. */
  function resumed() {
    const kept = memory.recall();
    if (!kept) return false;
    ({ records, human, wanted, dealt } = kept);
    random = randomSource(kept.random);
    parts.seat.value = wanted;
    const before = records.slice(0, dealt);
    start(before);
    const { board, seat } = scene.round(before, human);
    play = followed(board, seat, kept.path);
    play = { ...play, helped: kept.helped, steps: play.steps.map((step, k) => ({ ...step, helped: kept.helps[k] })) };
    show(0, records[dealt] ?? null);
    return true;
  }

  function start(before) {
    parts.standing.textContent = scene.standing(before, human);
    opening = scene.opening(before, human);
  }

  /** Deals the next round. */
  function deal() {
    if (scene.free(records)) human = wanted;
    const { board, seat } = scene.round(records, human);
    dealt = records.length;
    start(records);
    play = begin(board, seat, random);
  }

  /** Saves and shows the state, and puts the focus on the next control. */
  function went(before, focus) {
    const over = play.turn.kind === "end", ending = over ? scene.over(record(play), play.board, records, human) : null;
    if (over) records = [...records, ending];
    keep();
    show(before, ending);
    if (focus) (over ? parts.again : parts.moves.querySelector("button:enabled"))?.focus({ preventScroll: true });
  }

  /** Shows the round, and announces the others' moves since `before`. */
  function show(before, ending) {
    const { board, seat } = play, over = play.turn.kind === "end";
    asked = 0;
    parts.told.textContent = "";
    showRound(parts, play, act, scene, ending);
    scene.score(parts, records, human);
    showHelps();
    parts.again.firstChild.textContent = scene.again(records);
    const seen = board.open ? play.events.slice(before).filter(({ player }) => player >= 0 && player !== seat) : [];
    const done = seen.map((event) => `${does(board, seat, event)}. `).join("");
    parts.status.textContent = done + (over ? scene.ended(board, ending).join(" ") : `${before ? "" : opening}Your move.`);
    parts.status.classList.toggle("unseen", over);
    root.dataset.records = JSON.stringify(records); // tests compare these with Python
    root.dataset.infoset = over ? "" : play.turn.key;
  }

  const parts = frame(root, data, act);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const key = event.key.toLowerCase();
    const what = { h: act.hint, e: act.advice, n: () => play.turn.kind === "end" && act.again() }[key];
    if (what) what();
    else if (key === "c" && play.board.bids && play.turn.kind === "move") act.move(play.turn.actions.indexOf(play.board.call));
  });
  if (resumed()) return;
  deal();
  went(0, false);
}

/** The seed in the address, or null. */
function givenSeed() {
  const given = /seed=(\d+)/.exec(location.hash);
  return given ? Number(given[1]) : null;
}

function anySeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

main();
