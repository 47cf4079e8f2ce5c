// The page to play on: reads its data, deals, and hands what is done to the parts that show it.
// "#seed=7" in the address makes all that is drawn at random the same each time.

import { unpacked } from "./data.js";
import { biddingBoard } from "./bidding.js";
import { treeBoard } from "./play_tree.js";
import { begin, choose, randomSource, record, score, strayed, valuesOf } from "./play_round.js";
import { annotate, chanceNote, costNote, frame, showRound, showScore } from "./play_view.js";
import { advice, does, ended, hint } from "./play_words.js";

const FORMAT = 1;

async function main() {
  const root = document.getElementById("play"), data = await unpacked("play-data");
  if (data.format !== FORMAT) throw new Error(`data of format ${data.format}, and this page reads ${FORMAT}`);
  const board = data.bidding ? biddingBoard(data) : treeBoard(data);
  const random = randomSource(seed());
  let seat = data.seat, play = null, records = [];

  const act = {
    move(index) {
      if (play.turn.kind !== "move" || index < 0) return;
      const before = play.events.length + 1, byKey = parts.moves.contains(document.activeElement);
      play = choose(play, index, random);
      went(before, byKey);
    },
    again() {
      play = begin(board, seat, random);
      went(0, true);
    },
    sit(other) {
      seat = other;
      act.again();
    },
    hint() {
      if (play.turn.kind !== "move") return;
      const values = valuesOf(play);
      annotate(parts, play, costNote(values));
      parts.told.textContent = hint(play.turn.actions, values);
    },
    advice() {
      if (play.turn.kind !== "move" || !data.advised) return;
      const chances = board.behavior(play.state, 1);
      annotate(parts, play, chanceNote(chances));
      parts.told.textContent = advice(play.turn.actions, chances, strayed(play));
    },
  };

  /** Shows where play has got to, and says what others did since `before`. */
  function went(before, focus) {
    const over = play.turn.kind === "end", ending = over ? record(play) : null;
    if (over) records = [...records, ending];
    parts.told.textContent = "";
    showRound(parts, play, act, ending);
    showScore(parts, score(records), records);
    const seen = board.open ? play.events.slice(before).filter(({ player }) => player >= 0 && player !== seat) : [];
    const done = seen.map((event) => `${does(board, seat, event)}. `).join("");
    parts.status.textContent = done + (over ? ended(board, ending).join(" ") : `${before ? "" : `You are ${board.players[seat]}. `}Your move.`);
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
    else if (key === "c" && board.bids && play.turn.kind === "move") act.move(play.turn.actions.indexOf(board.call));
  });
  play = begin(board, seat, random);
  went(0, false);
}

function seed() {
  const given = /seed=(\d+)/.exec(location.hash);
  return given ? Number(given[1]) : crypto.getRandomValues(new Uint32Array(1))[0];
}

main();
