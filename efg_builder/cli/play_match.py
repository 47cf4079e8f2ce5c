"""Whole matches for ``efg-builder play --match``: where the match comes from, what is said, and the score as data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..base.errors import NotApplicableError, NotSolvedError, ParameterError, nearest
from ..base.rationals import to_json
from ..experiments.matches import Match, read_match, solve_match
from ..experiments.matches import words as told
from ..experiments.matches.playing import MatchTable, PlayedMatch, in_matches, played_matches, refused_in_match
from ..games.match_rules import MatchRules, Standing, match_rules
from ..players.rounds import Board, Record, Round
from ..proof.certificate import holds_match
from .common import key_values
from .play_rounds import record_part, seats_left
from .play_talk import Scene, Words

GAME = "liars-dice"


def match_scene(
    given: str, words: tuple[str, ...], seat: int, matches: int | None, timeout: float, progress: Callable[[str], None]
) -> Scene:
    """So many matches (None: without end), as ``match_named``. Raises what that raises, and for a wrong *seat*."""
    if seat > 2:
        raise ParameterError(f"--seat {seat}: a match has seats 1 to 2")
    match = match_named(given, words, timeout, progress)
    progress("working out what moves are worth")
    table = MatchTable(match, seat - 1)
    table.worth(table.opening)
    return Scene(
        words=words_of(table),
        following=in_matches(table, matches),
        data=lambda records: match_data(table, records),
        write=lambda path: _write_page(path, table),
    )


def _write_page(path: Path, table: MatchTable) -> None:
    from ..display.pages.play_match import write_match

    without = refused_in_match(table)
    write_match(path, table, told.caption(table.match), seats_left(table.players, without))


def match_named(given: str, words: tuple[str, ...], timeout: float, progress: Callable[[str], None]) -> Match:
    """The match in the file *given*, proved again, or (where that names none) the one of *words*, solved first.

    Raises ``ParameterError``, ``NotSolvedError`` where solving takes longer than *timeout* seconds, and what reading
    the file raises.
    """
    if given == GAME or ("=" in given and not Path(given).exists()):  # the first of the words, taken for a file
        given, words = "", (given, *words) if given == GAME else (*words, given)
    if not given:
        return _solved(_rules(words), timeout, progress)
    if words:
        raise ParameterError(f"--match {given} names the match: it takes no game, but {words[0]!r} was given")
    if not holds_match(given):
        raise ParameterError(f"--match {given}: it holds no match; 'efg-builder match ... -o match.json.gz' writes one")
    progress(f"proving {given} again")
    match = read_match(given)
    if not match.complete:
        resume = f"'efg-builder match {_named(match.rules)} --resume {given} -o {given}' goes on"
        raise NotApplicableError(f"{given}: not all rounds of the match are solved; {resume}")
    return match


def _rules(words: tuple[str, ...]) -> MatchRules:
    if not words or words[0] != GAME:
        word = words[0] if words else ""
        raise ParameterError(
            f"--match plays {GAME}, but {repr(word) if word else 'nothing'} was given; {nearest(word, [GAME])}"
        )
    return match_rules(dict(key_values(words[1:], "settings")))


def _named(rules: MatchRules) -> str:
    """The words for *rules*, without settings that change nothing."""
    plain = match_rules({}).settings
    return " ".join([GAME, *(f"{key}={value}" for key, value in rules.settings.items() if value != plain[key])])


def _solved(rules: MatchRules, timeout: float, progress: Callable[[str], None]) -> Match:
    """The match, solved within *timeout* seconds in all. Raises ``NotSolvedError``."""
    end = time.monotonic() + timeout

    def keep(match: Match, _: object) -> None:
        late = not match.complete and time.monotonic() > end
        if late or match.rounds[-1].solution["status"] == "timeout":
            file = "match.json.gz"
            longer = (
                f"'efg-builder match {_named(rules)} -o {file}' takes its time, then 'efg-builder play --match {file}'"
            )
            problem = f"the match was not solved within {timeout:g} s (--timeout); {longer} plays it"
            raise NotSolvedError(problem, timed_out=True)

    return solve_match(rules, timeout=timeout, progress=progress, keep=keep)


def words_of(table: MatchTable) -> Words:
    """What is said around the rounds of matches."""

    def heading(records: Sequence[Record], following: Round) -> str:
        number, rounds, standing = _where(table, records)
        return told.heading(table, number, rounds, standing)

    def closing(records: Sequence[Record], board: Board) -> Iterator[str]:
        return told.closing(table, played_matches(table, records)[-1])

    return Words(
        opening=f"{table.rules.title}. Against you: {_against(table.match)}.",
        heading=heading,
        closing=closing,
        tally=lambda records: told.tally(table, played_matches(table, records)),
        adviser=lambda board: board,
        unit=told.CHANCES,
        asked=told.adviser(table.match),
    )


def _against(match: Match) -> str:
    name, proved = told.opponent(match), told.caption(match)
    return f"{name} ({proved})" if told.is_equilibrium(match) else f"{name} {proved}"


def _where(table: MatchTable, records: Sequence[Record]) -> tuple[int, int, Standing]:
    """The number of the match and of the round to come, and the standing before it."""
    done = played_matches(table, records)
    if not done or table.rules.winner(done[-1].standing) is not None:
        return len(done) + 1, 1, table.opening
    return len(done), len(done[-1].records) + 1, done[-1].standing


def match_data(table: MatchTable, records: Sequence[Record]) -> dict[str, Any]:
    """The matches as plain data: values from -1 to 1, exact rationals as text, and the winners (from 1)."""
    start = table.worth(table.opening)
    return {
        "match": table.rules.settings,
        "title": table.rules.title,
        "opponent": {"name": told.opponent(table.match), "caption": told.caption(table.match)},
        "seat": table.human + 1,
        "matches": [_course(table, course, start) for course in played_matches(table, records)],
    }


def _course(table: MatchTable, course: PlayedMatch, start: Fraction) -> dict[str, Any]:
    total, winner = course.score(start), table.rules.winner(course.standing)
    sums = {name: to_json(getattr(total, name)) for name in ("result", "start", "price", "luck", "skill")}
    rounds = [
        {"dice": list(before.dice), "first": before.first + 1} | record_part(record)
        for before, record in zip(course.standings[:-1], course.records, strict=True)
    ]
    return {
        "winner": None if winner is None else winner + 1,
        "dice": list(course.standing.dice),
        "score": {"rounds": total.rounds, **sums, "moves": total.moves, "mistakes": total.mistakes},
        "rounds": rounds,
    }
