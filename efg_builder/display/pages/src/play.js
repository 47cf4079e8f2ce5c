// The page to play on: reads its data, deals, and hands what is done to the parts that show it.
// "#seed=7" in the address makes all that is drawn at random the same each time.

import { unpacked } from "./data.js";
import { matchScene } from "./play_match.js";
import { begin, choose, randomSource, record, strayed, valuesOf } from "./play_round.js";
import { roundsScene } from "./play_rounds.js";
import { annotate, chanceNote, costNote, frame, showRound } from "./play_view.js";
import { advice, does, hint } from "./play_words.js";

const FORMAT = 3;

async function main() {
  const root = document.getElementById("play"), data = await unpacked("play-data");
  if (data.format !== FORMAT) throw new Error(`data of format ${data.format}, and this page reads ${FORMAT}`);
  const scene = data.match ? matchScene(data) : roundsScene(data);
  const random = randomSource(seed());
  let human = data.seat, play = null, records = [], wanted = human, opening = "";

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
    },
    hint() {
      if (play.turn.kind !== "move") return;
      const values = valuesOf(play);
      annotate(parts, play, costNote(values, scene.unit));
      parts.told.textContent = hint(play.board, play.turn.actions, values, scene.unit);
    },
    advice() {
      if (play.turn.kind !== "move" || !data.advised) return;
      const chances = play.board.behavior(play.state, 1);
      annotate(parts, play, chanceNote(chances));
      parts.told.textContent = advice(play.board, play.turn.actions, chances, strayed(play), data.adviser);
    },
  };

  /** Deals the next round. */
  function deal() {
    if (scene.free(records)) human = wanted;
    const { board, seat } = scene.round(records, human);
    parts.standing.textContent = scene.standing(records, human);
    opening = scene.opening(records, human);
    play = begin(board, seat, random);
  }

  /** Shows where play has got to, and says what others did since `before`. */
  function went(before, focus) {
    const { board, seat } = play, over = play.turn.kind === "end";
    const ending = over ? scene.over(record(play), board, records, human) : null;
    if (over) records = [...records, ending];
    parts.told.textContent = "";
    showRound(parts, play, act, scene, ending);
    scene.score(parts, records, human);
    parts.again.firstChild.textContent = over || !records.length ? scene.again(records) : parts.again.firstChild.textContent;
    const seen = board.open ? play.events.slice(before).filter(({ player }) => player >= 0 && player !== seat) : [];
    const done = seen.map((event) => `${does(board, seat, event)}. `).join("");
    parts.status.textContent = done + (over ? scene.ended(board, ending).join(" ") : `${before ? "" : opening}Your move.`);
    parts.status.classList.toggle("unseen", over);
    root.dataset.records = JSON.stringify(records); // what tests hold against Python
    root.dataset.infoset = over ? "" : play.turn.key;
    if (focus) (over ? parts.again : parts.moves.querySelector("button:enabled"))?.focus({ preventScroll: true });
  }

  const parts = frame(root, data, act);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const key = event.key.toLowerCase();
    const what = { h: act.hint, e: act.advice, n: () => play.turn.kind === "end" && act.again() }[key];
    if (what) what();
    else if (key === "c" && play.board.bids && play.turn.kind === "move") act.move(play.turn.actions.indexOf(play.board.call));
  });
  deal();
  went(0, false);
}

function seed() {
  const given = /seed=(\d+)/.exec(location.hash);
  return given ? Number(given[1]) : crypto.getRandomValues(new Uint32Array(1))[0];
}

main();
