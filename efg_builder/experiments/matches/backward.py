"""Matches solved backward, from few dice to many: the stakes of a round are the values of later rounds.

Each round is a separate game. Its value is exact if its solution and the values of later rounds are exact. Otherwise,
its bracket also covers the uncertainty of these values.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from ..._later import later
from ...base.errors import FileError, NotSolvedError, ParameterError, check_functions, check_kind
from ...base.files import check_path, write_atomically
from ...base.rationals import parse
from ...base.words import in_columns, plural, progress_of
from ...equilibria.solution import Judged, Solution
from ...equilibria.solve import solve
from ...games.catalogue import identify
from ...games.match_rules import Bounds, MatchRules, StakedRound, Stakes, in_words, wins
from ...proof import verify
from ...proof.certificate.chain import Pair, match_part, proved_match, standings
from ...proof.certificate.reading import read_strategies
from ...strategies.writing import encode


@dataclass(frozen=True)
class SolvedRound:
    """A solved round of a match.

    Attributes
    ----------
    pair : pair of int
        The numbers of dice of the first bidder and of the other player.
    bounds : Bounds
        The value to the first bidder, including later rounds: 1 is a win of the match, -1 a loss.
    solution : mapping
        The solution of the round's game as JSON values.
    """

    pair: Pair
    bounds: Bounds
    solution: Mapping[str, Any] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether the round's exact value is known."""
        return self.bounds.width == 0


@dataclass(frozen=True)
class Match:
    """A completely or partly solved match; the text of this object is the output of ``efg-builder match``.

    Attributes
    ----------
    rules : MatchRules
        The rules of the match; see ``eb.match_rules``.
    rounds : tuple of SolvedRound
        The solved rounds; rounds with fewer dice come first.

    Examples
    --------
    >>> import efg_builder as eb
    >>> match = eb.solve_match(eb.match_rules({"dice": "1,1", "sides": "2"}))
    >>> match.complete, match.worth
    (True, Bounds(lower=Fraction(0, 1), upper=Fraction(0, 1)))
    """

    rules: MatchRules
    rounds: tuple[SolvedRound, ...]

    def __repr__(self) -> str:
        worth = "" if self.worth is None else f", value {in_words(self.worth)}"
        return f"<Match of {self.rules.title!r}: {len(self.rounds)} of {len(self.rules.rounds())} rounds{worth}>"

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    @property
    def bounds(self) -> dict[Pair, Bounds]:
        """Bounds on each round's value to the first bidder, including later rounds, by the round's ``pair``."""
        return {each.pair: each.bounds for each in self.rounds}

    @property
    def complete(self) -> bool:
        """Whether all rounds are solved."""
        return len(self.rounds) == len(self.rules.rounds())

    @property
    def worth(self) -> Bounds | None:
        """The value to player 1, who bids first; None for an incomplete match."""
        return self.bounds.get((self.rules.dice[0], self.rules.dice[1]))

    def standings(self) -> tuple[tuple[Pair, int, Bounds], ...]:
        """Return each standing: the dice of players 1 and 2, the first bidder (from 0), and the value to player 1."""
        return tuple(standings(self.rules, self.bounds))

    def draw(self, path: str | os.PathLike[str]) -> Path:
        """Draw the probability of winning for each combination of remaining dice.

        Parameters
        ----------
        path : str or path
            The file, whose name ends in ``.svg``, ``.png`` or ``.pdf``.

        Returns
        -------
        Path
            The path of the file.

        Raises
        ------
        ParameterError
            If the suffix is unknown.
        FileError
            If the file cannot be written.
        """
        check_path(path)
        drawn: Path = later("Match.draw")(self, path)
        return drawn

    def to_json(self) -> dict[str, Any]:
        """Return the match as JSON values, with the proofs of its rounds."""
        return match_part(self.rules, self.bounds, {each.pair: each.solution for each in self.rounds})

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the match to *path*, compressed if *path* ends in ``.gz``. ``eb.verify(path)`` verifies the file."""
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
    """Solve a two-player match round by round, backward over the remaining dice.

    Ctrl-C ends the current round with bounds, passes the match so far to *keep*, and raises ``KeyboardInterrupt``.

    Parameters
    ----------
    rules : MatchRules
        The rules, such as ``eb.match_rules({"dice": "2,2"})``.
    timeout : float, optional
        Time limit in seconds for each round. A round that reaches the limit has bounds, which widen the bounds of
        rounds with more dice.
    gap : float or Fraction, optional
        The width of a round's bounds at which its search stops.
    progress : callable, optional
        A function that receives lines of progress.
    resume : Match, optional
        A partial solution of the match. Rounds that are exact or at most *gap* wide are reused. Other rounds are solved
        again.
    keep : callable, optional
        A function that is called after each round with the match so far and the solution of the round (None if the
        round was reused from *resume*).
    checkpoint : str or path, optional
        A prefix for the names of checkpoint files. Long rounds save their state to these files, and resume from them.

    Returns
    -------
    Match
        The match with all rounds.

    Raises
    ------
    ParameterError
        If the match has more than two players, or *resume* is a different match.
    NotSolvedError
        If a round ended without bounds.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.solve_match(eb.match_rules({"dice": "1,1", "sides": "2"}))
    <Match of "Match of Liar's Dice: one two-sided die each, loss one, next loser": 1 of 1 rounds, value 0>
    """
    check_kind(
        "solve_match", rules, MatchRules, "the rules of a match", "eb.match_rules({'dice': '2,2'}) returns rules"
    )
    if resume is not None:
        check_kind("solve_match", resume, Match, "a match as resume=", "eb.read_match(path) reads a match")
    check_functions("solve_match", keep=keep)
    progress = progress_of("solve_match", progress)
    if checkpoint is not None:
        check_path(checkpoint)
    if len(rules.dice) != 2:
        raise ParameterError(f"dice={','.join(map(str, rules.dice))}: a match needs two players, as in dice=2,2")
    if resume is not None and replace(resume.rules, dice=rules.dice) != rules:
        raise ParameterError(f"cannot resume: {resume.rules.title!r} differs from {rules.title!r}")
    before = {} if resume is None else {each.pair: each for each in resume.rounds}
    match = Match(rules, ())
    for pair in rules.rounds():
        stakes = rules.stakes(pair, match.bounds)
        found, new = _again(rules, before.get(pair), stakes), None
        state = None if checkpoint is None else Path(f"{checkpoint}.{pair[0]}-{pair[1]}.npz")
        # Reuse a round that is exact for its stakes, or has narrow enough bounds.
        if found is None or not (found.solution["exact"] or found.bounds.width <= (gap or 0)):

            def tell(line: str, pair: Pair = pair) -> None:
                progress(f"{pair[0]} against {pair[1]}: {line}")

            new = solve_round(rules.round_of(pair, stakes), state, tell, timeout=timeout, gap=gap)
            solved = SolvedRound(pair, stakes.around(*_ends(new)), new.to_json())
            found = solved if found is None or solved.bounds.width < found.bounds.width else found
        match = replace(match, rounds=(*match.rounds, found))
        if keep is not None:
            keep(match, new)
        if new is not None:
            _close(new, state)
    return match


def _close(solution: Solution, state: Path | None) -> None:
    """Delete the saved *state* of an exact round. Raises ``KeyboardInterrupt`` after an interrupted round."""
    if solution.exact and state is not None:
        state.unlink(missing_ok=True)
    if solution.status == "interrupted":
        raise KeyboardInterrupt


def solve_round(game: StakedRound, state: Path | None, progress: Callable[[str], None], **limits: Any) -> Solution:
    """Solve one round, resuming from the file *state* if it exists; *limits* are limits of ``solve``."""
    begin = partial(solve, game, "oracle", progress=progress, checkpoint=state, **limits)
    try:
        return begin(resume=state if state is not None and state.exists() else None)
    except FileError as error:
        progress(f"started again: {error}")
        return begin()


def _ends(found: Solution) -> tuple[Fraction, Fraction]:
    if not isinstance(found.lower, Fraction) or not isinstance(found.upper, Fraction):
        raise NotSolvedError(f"{found.title}: {found.message or found.status}", found.status == "timeout")
    return found.lower, found.upper


def _again(rules: MatchRules, found: SolvedRound | None, stakes: Stakes) -> SolvedRound | None:
    """Return *found* with its value for these *stakes*; verify its strategies again if the stakes have changed."""
    if found is None:
        return None
    game = rules.round_of(found.pair, stakes)
    _, settings = identify(game) or ("", {})
    if found.solution["game"]["settings"] != settings:
        profile = read_strategies(game, found.solution["strategies"])
        verdict = verify(profile)
        judged = Solution(
            tree=None,
            game=game,
            method=found.solution["method"],
            status="equilibrium" if verdict.equilibrium else "bracket",
            message="" if verdict.equilibrium else "strategies found for other stakes, verified for these",
            judged=(Judged(profile, verdict),),
        )
        return SolvedRound(found.pair, stakes.around(*_ends(judged)), judged.to_json())
    ends = (parse(found.solution[key]) for key in ("lower", "upper"))
    return replace(found, bounds=stakes.around(*ends))


def read_match(path: str | os.PathLike[str]) -> Match:
    """Read a file that ``Match.write`` wrote, and verify the match round by round.

    Parameters
    ----------
    path : str or path
        A file whose name ends in ``.json`` or ``.json.gz``.

    Returns
    -------
    Match
        The match, with verified values and bounds.

    Raises
    ------
    FileError
        If the file cannot be read.
    CertificateError
        If the file is not a match, or one of its claims is wrong.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve_match(eb.match_rules({"dice": "1,1", "sides": "2"})).write("match.json")
    >>> eb.read_match(path).worth.lower
    Fraction(0, 1)
    """
    check_kind("read_match", path, (str, os.PathLike), "the path of a file", "Match.write(path) writes a file")
    data, proof = proved_match(path)
    return Match(proof.rules, tuple(_solved(data["rounds"], proof.bounds)))


def _solved(entries: list[dict[str, Any]], bounds: Mapping[Pair, Bounds]) -> Iterator[SolvedRound]:
    for entry in entries:
        pair = (entry["dice"][0], entry["dice"][1])
        yield SolvedRound(pair, bounds[pair], entry["solution"])


# --- a match as lines of text


def _lines(match: Match) -> list[str]:
    worth, exact = match.worth, sum(each.exact for each in match.rounds)
    lines = [match.rules.title, f"rounds      {plural(len(match.rounds), 'round')}, {exact} of them exact"]
    if worth is not None:
        how = "exact" if worth.width == 0 else f"proved to within {float(worth.width):.2g}"
        lines.append(
            f"value       {in_words(worth)} to Player 1, who bids first ({how}; 1 wins the match, -1 loses it)"
        )
        lines.append(f"wins        Player 1 wins {wins(worth)} of such matches if both play perfectly")
    return [*lines, "chart       your probability of winning, by the dice left", *_chart(match)]


def _chart(match: Match) -> list[str]:
    known = match.bounds
    rows: list[tuple[str, ...]] = [("you have", "they have", "you start", "they start")]
    for mine, other in match.rules.rounds():
        ends = [known.get((mine, other)), known.get((other, mine))]
        shown = ["" if end is None else wins(end if k == 0 else -end) for k, end in enumerate(ends)]
        rows.append((plural(mine, "die", "dice"), plural(other, "die", "dice"), *shown))
    return [f"{'':12}{line}" for line in in_columns(rows, gap="   ")]
