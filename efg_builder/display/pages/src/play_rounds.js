// Separate rounds: the next round, and its texts. A scene for play.js has
// round(records, human) (the next round's board and the human's seat on it), standing and opening (texts about it),
// over(record, board, records) (a record with additional data), unit (the format of values), kind, ended and luck (of a
// record), again(records) (the label of the button for the next round), free(records) (whether seats may be changed now)
// and score(parts, records, human).

import { biddingBoard } from "./bidding.js";
import { score } from "./play_round.js";
import { showScore } from "./play_score.js";
import { treeBoard } from "./play_tree.js";
import { gets, number, numbers, shown } from "./play_words.js";

/** The scene of one game, round after round. */
export function roundsScene(data) {
  const board = data.bidding ? biddingBoard(data.bidding, data.players) : treeBoard(data);
  return {
    round: (records, human) => ({ board, seat: human }),
    standing: () => "",
    opening: (records, human) => `You are ${board.players[human]}. `,
    over: (record) => record,
    boardAt: () => board,
    unit: { written: (values, losses = []) => numbers([...values, ...losses]), notes: (losses) => numbers(losses).map(bare), what: "a payoff of ", name: "expected payoff" },
    kind: ({ result }) => (result > 0 ? "won" : result < 0 ? "lost" : "even"),
    ended: (_, record) => [...shown(board, record), gets(record.result)],
    luck: (record) => `Luck in this round: ${number(record.luck)}.`,
    again: () => "New round",
    free: () => true,
    place: (_, index) => `${index + 1}`,
    score: (parts, records) => showScore(parts, score(records)),
  };
}

/** A short form, because there is little room under a button. */
function bare(text) {
  return text.replace("≈", "").trim() === "0" ? "<0.001" : text.replace("≈", "");
}
