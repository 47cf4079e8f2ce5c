"""A session of whole matches of a person against the match's strategies, for ``players.session.talk``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from ...base.errors import NotApplicableError, NotSolvedError, ParameterError
from ...games.match_rules import MatchRules, match_rules
from ...players.rounds import Board, Record, words
from ...players.session import round_data, score_data
from ...proof.certificate import holds_match
from . import Match, playing, read_match, solve_match
from .playing import CHANCES, MatchTable, PlayedMatch, played_matches


@dataclass(frozen=True, eq=False)
class Matches:
    """Consecutive matches at one ``table``. ``matches`` is the number of matches; None for no limit."""

    table: MatchTable
    matches: int | None
    unit: words.Unit = CHANCES

    @property
    def asked(self) -> str:
        return playing.adviser(self.table.match)

    def adviser(self, board: Board) -> Board:
        return board

    @property
    def opening(self) -> str:
        match = self.table.match
        proved = playing.caption(match)
        known = f"({proved})" if playing.is_equilibrium(match) else proved
        return f"{self.table.rules.title}. Against you: {playing.opponent(match)} {known}."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        return playing.next_round(self.table, records, self.matches)

    def heading(self, records: Sequence[Record]) -> str:
        done = played_matches(self.table, records)
        if not done or self.table.rules.winner(done[-1].standing) is not None:
            return playing.heading(self.table, len(done) + 1, 1, self.table.opening)
        return playing.heading(self.table, len(done), len(done[-1].records) + 1, done[-1].standing)

    def closing(self, records: Sequence[Record]) -> Iterator[str]:
        return playing.closing(self.table, played_matches(self.table, records)[-1])

    def tally(self, records: Sequence[Record], last: bool = True) -> Iterable[str]:
        """Return the lines of the score; during a match, only the first line, with the probability of winning."""
        done = played_matches(self.table, records)
        whole = last or self.table.rules.winner(done[-1].standing) is not None
        return islice(playing.tally(self.table, done), None if whole else 1)

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        """Return the matches as JSON values: values from -1 to 1 as exact text, and winners numbered from 1."""
        table = self.table
        return {
            "match": table.rules.settings,
            "title": table.rules.title,
            "opponent": {"name": playing.opponent(table.match), "caption": playing.caption(table.match)},
            "seat": table.human + 1,
            "matches": [self._match_data(each) for each in played_matches(table, records)],
        }

    def _match_data(self, played: PlayedMatch) -> dict[str, Any]:
        winner = self.table.rules.winner(played.standing)
        rounds = [
            {"dice": before.dice, "first": before.first + 1} | round_data(record)
            for before, record in zip(played.standings[:-1], played.records, strict=True)
        ]
        return {
            "winner": None if winner is None else winner + 1,
            "dice": played.standing.dice,
            "score": score_data(played.score(self.table.worth(self.table.opening))),
            "rounds": rounds,
        }


def complete_match(path: str | Path, progress: Callable[[str], None]) -> Match:
    """Return the match in the file at *path*, verified again. Raises ``NotApplicableError`` if rounds are missing."""
    if not holds_match(path):
        raise ParameterError(f"--match {path}: not a match; 'efg-builder match ... -o match.json.gz' writes a match")
    progress(f"proving {path} again")
    match = read_match(path)
    if not match.complete:
        resume = f"'efg-builder match {_in_words(match.rules)} --resume {path} -o {path}' continues"
        raise NotApplicableError(f"{path}: not all rounds of the match are solved; {resume}")
    return match


def solved_within(rules: MatchRules, timeout: float, progress: Callable[[str], None]) -> Match:
    """Return the match with *rules*. Raises ``NotSolvedError`` if a round takes more than *timeout* seconds."""
    end = time.monotonic() + timeout

    def keep(match: Match, _: object) -> None:
        late = not match.complete and time.monotonic() > end
        if late or match.rounds[-1].solution["status"] == "timeout":
            # The limit is for each round, whose bracket is used in the other rounds.
            command = f"efg-builder match {_in_words(rules)} --timeout {timeout:g} -o match.json.gz"
            way = f"run '{command}', then 'efg-builder play --match match.json.gz'"
            problem = f"the match was not solved within {timeout:g} s (--timeout); {way}"
            raise NotSolvedError(problem, timed_out=True)

    return solve_match(rules, timeout=timeout, progress=progress, keep=keep)


def _in_words(rules: MatchRules) -> str:
    plain = match_rules({}).settings
    changed = (f"{key}={value}" for key, value in rules.settings.items() if value != plain[key])
    return " ".join(["liars-dice", *changed])
