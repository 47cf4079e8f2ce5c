"""From the last dice back to the first: every round solved for what the rounds after it are worth.

Backward induction over the standings of the match, which never repeat because every call costs dice. Each round is
a game of its own; where its solution is exact and the rounds after it are, so is its worth, and elsewhere the
bracket takes in the brackets of the rounds after it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..certificate.chain import Pair, match_part, proved_match, standings, table_part
from ..certificate.layout import encode
from ..errors import NotSolvedError, ParameterError
from ..files import write_atomically
from ..games import identify
from ..games.match_rules import Bounds, MatchRules, Stakes
from ..rationals import parse
from ..solution import Solution
from ..solving import solve


@dataclass(frozen=True)
class SolvedRound:
    """The round of ``pair`` (dice of who bids first, and of the other): its worth to who bids first, and its proof.

    ``solution`` is that of the round's game as plain data, ``seconds`` what it took to solve.
    """

    pair: Pair
    bounds: Bounds
    solution: Mapping[str, Any]

    @property
    def exact(self) -> bool:
        """Whether the round's worth is known as one fraction."""
        return self.bounds.width == 0

    @property
    def seconds(self) -> float:
        """What it took to solve."""
        return float(self.solution.get("seconds", 0))


@dataclass(frozen=True)
class Match:
    """A match, as far as its ``rounds`` are solved: those with the fewest dice first."""

    rules: MatchRules
    rounds: tuple[SolvedRound, ...]

    @property
    def bounds(self) -> dict[Pair, Bounds]:
        """What each round, and the match from there on, is worth to who bids first."""
        return {each.pair: each.bounds for each in self.rounds}

    @property
    def complete(self) -> bool:
        """Whether all rounds are solved."""
        return len(self.rounds) == len(self.rules.rounds())

    @property
    def worth(self) -> Bounds | None:
        """What the whole match is worth to player 1, who bids first; None as long as it is not complete."""
        return self.bounds.get((self.rules.dice[0], self.rules.dice[1]))

    def standings(self) -> tuple[tuple[Pair, int, Bounds], ...]:
        """Dice of players 1 and 2, who bids first (from 0), and the worth of that to player 1."""
        return tuple(standings(self.rules, self.bounds))

    def table(self) -> list[dict[str, Any]]:
        """The standings as plain data (:func:`.certificate.chain.table_part`)."""
        return table_part(self.rules, self.bounds)

    def to_json(self) -> dict[str, Any]:
        """The match as plain data, its own certificate: :func:`efg_builder.verify_match` proves it."""
        return match_part(self.rules, self.bounds, {each.pair: each.solution for each in self.rounds})

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write :meth:`to_json` to *path*, whole or not at all; compressed where *path* ends in ``.gz``."""
        return write_atomically(path, (part.encode() for part in (*encode(self.to_json()), "\n")))


def solve_match(
    rules: MatchRules,
    *,
    timeout: float | Fraction | None = None,
    gap: float | Fraction | None = None,
    progress: Callable[[str], None] | None = None,
    resume: Match | None = None,
    keep: Callable[[Match, Solution | None], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> Match:
    """Solve the match of *rules*, which must be for two players, backward over the dice that are left.

    *timeout* is for each round, in seconds (None: no limit); what is found by then is a bracket, and the rounds with
    more dice take it in. *gap*: brackets at most this wide are enough. *resume*: a part of the match that is
    solved already; of its rounds those are kept that are exact, or not wider than *gap*, and the others are solved
    anew. *keep* is called after each round with what there is, and with the round's
    solution where it was solved just now. *checkpoint* is the beginning of the names of files in
    which long rounds keep their state, and from which they go on.

    Ctrl-C ends the round at hand with a bracket, which *keep* is given, and then all, as ``KeyboardInterrupt``.
    Raises ``ParameterError`` for more players, or where *resume* is of another match, and ``NotSolvedError`` where a
    round ended without a bracket.
    """
    if len(rules.dice) != 2:
        raise ParameterError(f"dice={','.join(map(str, rules.dice))}: matches of two players are solved, like dice=2,2")
    if resume is not None and not _goes_on(rules, resume.rules):
        raise ParameterError(f"cannot resume: {resume.rules.title!r} is another match than {rules.title!r}")
    report = progress or (lambda line: None)
    before = {} if resume is None else {each.pair: each for each in resume.rounds}
    match = Match(rules, ())
    for pair in rules.rounds():
        stakes = rules.stakes(pair, match.bounds)
        found = _again(rules, before.get(pair), stakes)
        new = None
        if found is None or not _enough(found, gap):
            new = solve_round(rules, pair, stakes, timeout, gap, report, checkpoint)
            solved = SolvedRound(pair, stakes.around(*_ends(new)), new.to_json())
            found = solved if found is None or solved.bounds.width < found.bounds.width else found
        match = replace(match, rounds=(*match.rounds, found))
        if keep is not None:
            keep(match, new)
        if new is not None and new.status == "interrupted":
            raise KeyboardInterrupt
    return match


def solve_round(
    rules: MatchRules,
    pair: Pair,
    stakes: Stakes,
    timeout: float | Fraction | None,
    gap: float | Fraction | None,
    progress: Callable[[str], None],
    checkpoint: str | os.PathLike[str] | None = None,
) -> Solution:
    """One round, solved for *stakes*. Raises ``NotSolvedError`` where it ended without a bracket."""
    game, head = rules.round_of(pair, stakes), f"{pair[0]} against {pair[1]}: "
    state = None if checkpoint is None else Path(f"{checkpoint}.{pair[0]}-{pair[1]}.npz")
    found = solve(
        game,
        "oracle",
        timeout=timeout,
        gap=gap,
        progress=lambda line: progress(head + line),
        checkpoint=state,
        resume=state if state is not None and state.exists() else None,
    )
    if state is not None and found.exact:
        state.unlink(missing_ok=True)
    _ends(found)
    return found


def _ends(found: Solution) -> tuple[Fraction, Fraction]:
    if not isinstance(found.lower, Fraction) or not isinstance(found.upper, Fraction):
        raise NotSolvedError(f"{found.title}: {found.message or found.status}", found.status == "timeout")
    return found.lower, found.upper


def _enough(found: SolvedRound, gap: float | Fraction | None) -> bool:
    """Whether solving the round again would be of no use: it is exact for its stakes, or narrow enough."""
    return bool(found.solution["exact"]) or found.bounds.width <= (gap or 0)


def _goes_on(rules: MatchRules, before: MatchRules) -> bool:
    """Whether rounds of the match *before* are rounds of this one: all but the dice at the start is the same."""
    return replace(before, dice=rules.dice) == rules


def _again(rules: MatchRules, found: SolvedRound | None, stakes: Stakes) -> SolvedRound | None:
    """*found* with its worth for these stakes; None where its game was played for others."""
    if found is None:
        return None
    named = identify(rules.round_of(found.pair, stakes))
    assert named is not None
    if found.solution["game"]["settings"] != named[1]:
        return None
    ends = (parse(found.solution[key]) for key in ("lower", "upper"))
    return replace(found, bounds=stakes.around(*ends))


def read_match(path: str | os.PathLike[str]) -> Match:
    """The match in the file that :meth:`Match.write` wrote, proved again round by round.

    Raises ``CertificateError`` and ``FileError``.
    """
    data, proof = proved_match(path)
    return Match(proof.rules, tuple(_solved(data["rounds"], proof.bounds)))


def _solved(entries: list[dict[str, Any]], bounds: Mapping[Pair, Bounds]) -> Iterator[SolvedRound]:
    for entry in entries:
        pair = (entry["dice"][0], entry["dice"][1])
        yield SolvedRound(pair, bounds[pair], entry["solution"])
