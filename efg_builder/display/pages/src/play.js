// The page to play on: reads its data, deals, and updates the parts of the page.
// "#seed=7" in the address fixes the random numbers. The state is saved after each step,
// so that a reload, or Back from another page, continues the round.

import { unpacked } from "./data.js";
import { memoryOf } from "./play_memory.js";
import { matchScene } from "./play_match.js";
import { showBeliefs, showCourse, showRounds } from "./play_review.js";
import { begin, choose, followed, randomSource, record, strayed, valuesOf } from "./play_round.js";
import { roundsScene } from "./play_rounds.js";
import { annotate, chanceNote, costNote, frame, showRound } from "./play_view.js";
import { advice, does, hint } from "./play_words.js";

const FORMAT = 5;

async function main() {
  const root = document.getElementById("play"), data = await unpacked("play-data");
  if (data.format !== FORMAT) throw new Error(`the data have format ${data.format}, but this page reads ${FORMAT}`);
  const scene = data.match ? matchScene(data) : roundsScene(data);
  const memory = memoryOf("play-data", givenSeed());
  let random = randomSource(givenSeed() ?? anySeed());
  let human = data.seat, play = null, records = [], wanted = human, dealt = 0;
  let looked = null; // the round in review, and the event before which the board shows it: {index, at}; null at its end

  const act = {
    move(index) {
      if (!isYours() || index < 0) return;
      const before = play.events.length + 1, byKey = parts.moves.contains(document.activeElement);
      play = choose(play, index, random);
      went(before, byKey);
    },
    again() {
      if (play.turn.kind === "end") next();
      else if (looked) {
        looked = null;
        show(0);
        focusOn();
      }
    },
    look(index, at) {
      const inside = [parts.history, parts.rounds].find((list) => list.contains(document.activeElement));
      looked = { index: index ?? looked.index, at };
      show(0);
      inside?.querySelector("[aria-current]")?.focus({ preventScroll: true });
    },
    sit(other) {
      wanted = other;
      if (scene.free(records)) next();
      else parts.told.textContent = "You change seats with the next match.";
      keep();
    },
    hint() {
      if (!isYours()) return;
      const values = valuesOf(play);
      annotate(parts, play, costNote(values, scene.unit));
      showBeliefs(parts, play, play.events.length, true, false, data);
      helped(hint(play.board, play.turn.actions, values, scene.unit));
    },
    advice() {
      if (!isYours() || !data.advised) return;
      const chances = play.board.behavior(play.state, 1);
      annotate(parts, play, chanceNote(chances));
      helped(advice(play.board, play.turn.actions, chances, strayed(play), data.adviser));
    },
    forget() {
      if (records.length && !confirm("Forget all rounds and the score?")) return;
      memory.forget();
      random = randomSource(givenSeed() ?? anySeed());
      records = [];
      next();
    },
  };

  function isYours() {
    return play.turn.kind === "move" && !looked;
  }

  function helped(told) {
    play = { ...play, helped: true };
    parts.told.textContent = told;
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
    const { board, seat } = scene.round(records.slice(0, dealt), human);
    play = followed(board, seat, kept.path);
    play = { ...play, helped: kept.helped, steps: play.steps.map((step, k) => ({ ...step, helped: kept.helps[k] })) };
    review();
    show(0);
    return true;
  }

  /** Opens the review of a round that has just ended. */
  function review() {
    looked = play.turn.kind === "end" ? { index: records.length - 1, at: null } : null;
  }

  /** Deals the next round. */
  function next(focus = true) {
    if (scene.free(records)) human = wanted;
    const { board, seat } = scene.round(records, human);
    dealt = records.length;
    play = begin(board, seat, random);
    went(0, focus);
  }

  /** Saves and shows the state, and puts the focus on the next control. */
  function went(before, focus) {
    if (play.turn.kind === "end") records = [...records, scene.over(record(play), play.board, records, human)];
    review();
    keep();
    show(before);
    if (focus) focusOn();
  }

  function focusOn() {
    (looked ? parts.again : parts.moves.querySelector("button:enabled"))?.focus({ preventScroll: true });
  }

  /** Shows the round in play or review, and announces the others' moves since `before`. */
  function show(before) {
    const of = looked && records[looked.index], at = looked?.at ?? null, over = play.turn.kind === "end", whose = of?.human ?? human;
    const shown = of ? followed(scene.boardAt(of), of.seat, of.path) : play, { board, seat, events } = shown, earlier = records.slice(0, looked?.index ?? dealt);
    parts.standing.textContent = scene.standing(earlier, whose) || (of && (!over || looked.index < dealt) ? `Round ${looked.index + 1}.` : "");
    parts.told.textContent = "";
    const seen = !of && board.open ? events.slice(before).filter(({ player }) => player >= 0 && player !== seat) : [];
    const done = seen.map((event) => `${does(board, seat, event)}. `).join("");
    root.classList.toggle("play-review", !!of);
    if (of && at === null) stepsOf(of).forEach(place); // makes room for all steps: nothing jumps
    if (at === null) parts.status.textContent = of ? scene.ended(board, of).join(" ") : `${done}${before ? "" : scene.opening(records, human)}Your move.`;
    place(at);
    showCourse(parts, shown, of, at, scene);
    showRounds(parts, records, scene, looked, act);
    scene.score(parts, records, human);
    showHelps();
    parts.again.firstChild.textContent = of && !over ? "Back to your round" : scene.again(records);
    parts.again.disabled = !of; // a started round counts
    parts.again.classList.toggle("play-main", !!of);
    parts.hint.disabled = parts.advice.disabled = !!of;
    root.dataset.records = JSON.stringify(records); // tests compare these with Python
    root.dataset.infoset = over ? "" : play.turn.key;

    function place(each) {
      showRound(parts, shown, act, scene, of, each);
      showBeliefs(parts, shown, each === null ? events.length : each + 1, !!of, !!of, data);
      for (const part of [parts.stage, parts.believed]) if (part.offsetHeight) part.style.minHeight = `${part.offsetHeight}px`;
    }
  }

  /** The steps of a review: the event of each move, and null for the end. */
  function stepsOf({ events }) {
    return [...events.flatMap(({ player }, k) => (player >= 0 ? [k] : [])), null];
  }

  /** In review: goes to the previous or the next move. */
  function step(by) {
    const ats = stepsOf(records[looked.index]), to = ats.indexOf(looked.at) + by;
    if (to in ats) act.look(null, ats[to]);
  }

  const parts = frame(root, data, act);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const key = event.key.toLowerCase();
    const by = { arrowleft: -1, arrowright: 1 }[key];
    const what = by && looked ? () => step(by) : { h: act.hint, e: act.advice, n: act.again }[key];
    if (what) what();
    else if (key === "c" && isYours() && play.board.bids) act.move(play.turn.actions.indexOf(play.board.call));
  });
  addEventListener("resize", () => [parts.stage, parts.believed].forEach((part) => part.removeAttribute("style")));
  if (!resumed()) next(false);
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
