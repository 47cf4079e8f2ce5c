"""The page to play whole matches on: every round's rules and strategies; the scripts work out what moves are worth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.errors import NotApplicableError
from ...base.files import write_atomically
from ...experiments.matches.playing import MatchTable, refused_in_match
from ...experiments.matches.words import adviser, is_equilibrium, opponent
from ...games.liars_dice_stakes import EXACTS, StakedRound
from ...games.match_rules import MatchRules, in_short
from .page import Part, page
from .play import FORMAT, MAX_ROWS, bidding_data, bids_in_short, open_seats, part_of


def write_match(
    path: str | os.PathLike[str], table: MatchTable, caption: str, seats: Sequence[int] | None = None
) -> Path:
    """Write a page to play matches on to *path*, whole or not at all; arguments as for ``match_part``.

    Raises what that raises, and ``FileError``.
    """
    return write_atomically(path, (page(f"Play: {table.rules.title}", [match_part(table, caption, seats)]).encode(),))


def match_part(table: MatchTable, caption: str, seats: Sequence[int] | None = None) -> Part:
    """A page's part to play matches on: the human sits where *table* says at first; *caption* is what
    is known of the match's strategies, in a line. *seats*, with that one among them,
    can be taken (None: all that ``playing.refused_in_match`` leaves).

    Raises ``NotApplicableError`` where the strategies of all rounds together are too large for a page, or where the
    seat of *table* cannot be taken.
    """
    rules = table.rules
    rounds: list[dict[str, Any]] = [{"dice": list(pair), "bidding": _bidding(table, pair)} for pair in rules.rounds()]
    written = sum(
        len(entries) for each in rounds for side in each["bidding"]["strategies"][0] for entries in side.values()
    )
    if written > MAX_ROWS:
        what = f"strategies of {written:,} information sets are too large for a page (limit {MAX_ROWS:,})"
        raise NotApplicableError(f"{rules.title}: {what}; the match can be played in the terminal, without -o")
    table.worth(table.opening)
    if seats is None:
        seats = open_seats(table.players, refused_in_match(table))
    first = table.solved(table.pair(table.opening)).game
    assert isinstance(first, StakedRound)
    return part_of(
        {
            "format": FORMAT,
            "title": rules.title,
            "rules": f"{in_short(rules)} {bids_in_short(first)}",
            "explained": [*_in_full(rules), *first.explain()[:-1]],
            "players": list(table.players),
            "seat": table.human,
            "seats": list(seats),
            "opponent": {"name": opponent(table.match), "caption": caption, "equilibrium": is_equilibrium(table.match)},
            "advised": True,
            "adviser": adviser(table.match),
            "match": {
                "dice": list(rules.dice),
                "loss": rules.loss,
                "exact": rules.exact,
                "next": rules.next,
                "rounds": rounds,
            },
        }
    )


def _bidding(table: MatchTable, pair: tuple[int, int]) -> dict[str, Any]:
    """One round; what it pays is worked out by the scripts, from the rounds after it."""
    solved = table.solved(pair)
    assert isinstance(solved.game, StakedRound)
    data = bidding_data(solved.game, [solved])
    del data["pays"]
    return data


def _in_full(rules: MatchRules) -> list[str]:
    """The rules of the match, one paragraph each; the last one leads over to those of its first round."""
    loss = "A call costs its loser one die."
    if rules.loss == "difference":
        loss = (
            "A call costs its loser as many dice as bid and count differ by, or all that are left if those are fewer."
        )
    exact = "Where the count is just the bid, the bid holds, and the caller loses one die."
    if rules.exact != EXACTS[0]:
        exact = "Where the count is just the bid, the bidder loses one die."
    then = f"The {rules.next} of the call makes the first bid of the next round"
    gives_way = "; a loser who has no dice left has lost the match" if rules.next == "loser" else ""
    dice = " against ".join(map(str, rules.dice))
    return [
        "A match goes on, round after round, until one side has no dice left. The other side has won it.",
        f"{loss} {exact}",
        f"Player 1 makes the first bid of all. {then}{gives_way}.",
        f"Every round is played with the dice that are left. What follows are the rules of the first one, {dice}; "
        "later ones differ in the number of dice, in how far bids go, and in who begins.",
    ]
