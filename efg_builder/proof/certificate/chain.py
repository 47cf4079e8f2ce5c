"""The certificate of a match, which contains a certificate for each round of the match.

The stakes of a round follow from the verified values of earlier rounds in the certificate.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, overload

import numpy as np

from ...base.errors import CertificateError, FileError, ParameterError, check_budget, check_kind, kind_of
from ...base.facts import Fact, fact, facts_in_text
from ...base.files import read_text
from ...base.foreign import is_gambits
from ...base.formats import check_format, format_of
from ...base.rationals import text
from ...base.strict_json import parse_json
from ...base.words import plural, quiet
from ...forms.extensive import MAX_NODES
from ...forms.subject import Subject
from ...games.match_rules import Bounds, MatchRules, in_words, match_rules
from ...interop.gambit.mapping import read_gambit
from ...interop.trees import GameLike
from ...strategies.tree_profile import Strategy
from ..verify import Verdict
from ..verify import verify as judge
from .check import HasClaim, Proof, prove, prove_solution, verify_solution
from .reading import CLAIM, check_parts, differing, have_all, named_source, read_plain, word

Pair = tuple[int, int]
"""The numbers of dice of the first bidder and of the other player in a round."""

KEYS = frozenset({"match", "title", "complete", "table", "rounds"})
_BEGINNING = re.compile(r'\ufeff?\s*\{\s*("format"\s*:\s*"efg-builder match [^"]*"\s*,\s*)?"match"\s*:')
_ROUND = frozenset({"dice", "lower", "upper", "solution"})


@dataclass(frozen=True)
class MatchProof:
    """The verified certificate of a match.

    ``bounds``: bounds on each round's value to the first bidder. ``rounds``: each round's proof. ``complete``: whether
    all rounds of the match are included. ``str`` returns the output of ``efg-builder verify``.
    """

    rules: MatchRules
    bounds: Mapping[Pair, Bounds]
    rounds: Mapping[Pair, Proof]
    complete: bool

    @property
    def exact(self) -> bool:
        """Whether all rounds are included, and their exact values are known."""
        return self.complete and all(bounds.width == 0 for bounds in self.bounds.values())

    def __repr__(self) -> str:
        return f"<MatchProof of {self.rules.title!r}: {len(self.rounds)} of {len(self.rules.rounds())} rounds>"

    def __str__(self) -> str:
        return facts_in_text(self.rules.title, _facts(self))

    def to_json(self) -> dict[str, Any]:
        """Return the proof as plain data."""
        return {
            "match": self.rules.settings,
            "title": self.rules.title,
            "complete": self.complete,
            "table": table_part(self.rules, self.bounds),
            "rounds": [{"dice": list(pair)} | proof.to_json() for pair, proof in self.rounds.items()],
        }


def table_part(rules: MatchRules, bounds: Mapping[Pair, Bounds]) -> list[dict[str, Any]]:
    """Return a row for each pair of dice counts and each first bidder.

    ``value``: the value to player 1, or null if only bounds are known. ``wins``: the probability that player 1 wins the
    match, or bounds on this probability.
    """
    rows = []
    for dice, first, value in standings(rules, bounds):
        wins = [text((1 + end) / 2) for end in value]
        rows.append(
            {
                "dice": list(dice),
                "first": first + 1,
                "value": text(value.lower) if value.width == 0 else None,
                "lower": text(value.lower),
                "upper": text(value.upper),
                "wins": wins[:1] if value.width == 0 else wins,
            }
        )
    return rows


def standings(rules: MatchRules, bounds: Mapping[Pair, Bounds]) -> Iterable[tuple[Pair, int, Bounds]]:
    """Yield both players' dice counts, the first bidder (from 0), and the bounds on the value to player 1."""
    for one in range(1, rules.dice[0] + 1):
        for two in range(1, rules.dice[1] + 1):
            for first in range(2):
                pair = (one, two) if first == 0 else (two, one)
                if pair in bounds:
                    yield (one, two), first, bounds[pair] if first == 0 else -bounds[pair]


def match_part(
    rules: MatchRules, bounds: Mapping[Pair, Bounds], solutions: Mapping[Pair, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the certificate of a match as plain data. *solutions*: the rounds' solutions as plain data."""
    rounds = [
        {
            "dice": list(pair),
            "lower": text(bounds[pair].lower),
            "upper": text(bounds[pair].upper),
            "solution": solutions[pair],
        }
        for pair in rules.rounds()
        if pair in solutions
    ]
    return {
        "format": format_of("match"),
        "match": rules.settings,
        "title": rules.title,
        "complete": len(rounds) == len(rules.rounds()),
        "table": table_part(rules, bounds),
        "rounds": rounds,
    }


def holds_match(path: str | os.PathLike[str]) -> bool:
    """Return whether the file at *path* seems to be the certificate of a match, not of a round.

    Raises ``FileError``.
    """
    found = read_text(path)
    if _BEGINNING.match(found) is not None:
        return True
    if '"match"' not in found or '"rounds"' not in found:
        return False
    try:  # The keys may be in another order.
        data = parse_json(found)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and "match" in data and "game" not in data


def verify_file(
    path: str | os.PathLike[str],
    game: GameLike | None = None,
    *,
    tolerance: float | Fraction | None = None,
    max_nodes: int = MAX_NODES,
) -> Proof | MatchProof:
    """Verify the file of a solution or match at *path*, without a solver.

    *game* is needed if a solution neither names a game in the catalogue nor contains the game's tree. If *game* is
    given, it must be the game of the solution. *tolerance*: the maximum regret of an equilibrium, as a fraction of the
    payoff range (None: 0 for rational strategies, 1e-6 for floats). This tolerance overrides the tolerance in the file.

    Raises ``CertificateError``, which names the wrong part, and ``TreeTooLargeError``. Raises ``FileError`` for an
    unreadable file or invalid JSON. Raises ``ParameterError`` if *game* is needed, or if a match is given with a *game*
    or a *tolerance*.
    """
    check_kind("verify_file", path, (str, os.PathLike), "the path of a file", "a Solution has the method verify()")
    source = str(path)
    data = read_plain(read_text(path), source)
    if data.keys() - {"game"} and not data.keys() & (CLAIM | KEYS | {"digests"}):
        hint = "to measure a strategy, use 'efg-builder evaluate GAME --strategy FILE' (eb.evaluate)"
        raise FileError(f"{source} is not a solution: it contains no claim; {hint}")
    with named_source(source):
        if "match" not in data or "game" in data:
            return prove_solution(data, source, game, max_nodes, tolerance)
        for given, what in ((game, "the game"), (tolerance, "the tolerance")):
            if given is not None:
                raise ParameterError(f"{source} is the certificate of a match, which names its rules; leave {what} out")
        return prove_match(data, max_nodes, source)


@overload
def verify(
    given: Strategy,
    tolerance: float | Fraction | None = None,
    *,
    over: str = "auto",
    kind: Any = np.float64,
    progress: Callable[[str], None] = quiet,
) -> Verdict: ...


@overload
def verify(
    given: str | os.PathLike[str] | HasClaim,
    tolerance: float | Fraction | None = None,
    *,
    game: GameLike | None = None,
    max_nodes: int = MAX_NODES,
) -> Proof | MatchProof: ...


def verify(given: Any, tolerance: float | Fraction | None = None, **options: Any) -> Verdict | Proof | MatchProof:
    """Judge a strategy by best responses, or verify a solution without a solver.

    Parameters
    ----------
    given : Strategy, Solution, str, path or pygambit profile
        A strategy, a solution, or the file of a solution or match. A behavior or strategy profile of pygambit is judged
        in the profile's own game.
    tolerance : float or Fraction, optional
        The maximum regret of an equilibrium, as a fraction of the payoff range, at least 0. The default is 0 for
        rational strategies, and 1e-6 for floats.
    over : str, default "auto"
        Strategies only: the method. ``"tree"`` visits all nodes of the tree. ``"sparse"`` visits the histories of the
        public tree that exact strategies reach. ``"dense"`` uses arrays of all histories. ``"auto"`` chooses a method
        for the strategy.
    kind : dtype, default numpy.float64
        Strategies only: the float type of ``"dense"``.
    progress : callable, optional
        Strategies only: a function that receives progress lines.
    game : GameLike, optional
        Solutions and files only: the game, if the file neither names nor contains the game.
    max_nodes : int, default 5,000,000
        Solutions and files only: the maximum number of nodes of a tree to build.

    Returns
    -------
    Verdict, Proof or MatchProof
        The verdict on a strategy, or the proof of a solution, a file or a match.

    Raises
    ------
    CertificateError
        If a claim in the solution or file is wrong. The message names the wrong part.
    ParameterError, ProfileError, RecallError, NotApplicableError, FileError, TreeTooLargeError
        If *given* is of another type, cannot be read, or cannot be judged.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("kuhn")
    >>> eb.verify(solution).exact, eb.verify(solution.strategy).regret
    (True, Fraction(0, 1))
    """
    hint = "eb.read_strategy reads a strategy, and eb.solve(game) returns a solution"
    if is_gambits(given):
        given = read_gambit(given)
    kinds = (Strategy, HasClaim, str, os.PathLike)
    check_kind("verify", given, kinds, "a strategy, a solution, or the path of a file", hint)
    strategy = given if isinstance(given, Strategy) else None
    taken = ("game", "max_nodes") if strategy is None else ("over", "kind", "progress")
    for name in options.keys() - set(taken):
        known = ", ".join(("tolerance", *taken))
        raise ParameterError(f"verify() takes no argument {name}= with {kind_of(given)}; choose from: {known}")
    if isinstance(given, str) and not Path(given).suffix and not os.path.exists(given):
        raise FileError(f"there is no file {given!r} to verify; eb.solve(game).verify() proves the solution of a game")
    check_budget("verify", "max_nodes", options.get("max_nodes", MAX_NODES))
    if strategy is not None:
        return judge(strategy, tolerance, **options)
    prove_it = verify_solution if isinstance(given, HasClaim) else verify_file
    return prove_it(given, tolerance=tolerance, **options)


def proved_match(path: str | os.PathLike[str], max_nodes: int = MAX_NODES) -> tuple[dict[str, Any], MatchProof]:
    """Return the data and the proof of a match file. Raises the errors of ``verify_file``."""
    source = str(path)
    data = read_plain(read_text(path), source)
    with named_source(source):
        return data, prove_match(data, max_nodes, source)


def prove_match(data: Mapping[str, Any], max_nodes: int = MAX_NODES, source: str = "the match") -> MatchProof:
    """Verify a match from the plain data that ``match_part`` returns.

    Raises ``CertificateError``. Raises ``FileError``, which names *source*, for an unknown format.
    """
    check_format(data, "match", source)
    have_all({key: part for key, part in data.items() if key != "format"}, KEYS, "the whole")
    settings = data.get("match")
    if not isinstance(settings, dict):
        raise CertificateError("match", "missing, or not an object")
    try:
        rules = match_rules(settings)
    except ParameterError as error:
        raise CertificateError("match", str(error)) from None
    if len(rules.dice) != 2:
        raise CertificateError("match", "only matches of two players can be proved")
    if settings != rules.settings:
        raise CertificateError("match", f"the settings must be complete, and in this form: {word(rules.settings)}")
    entries = data.get("rounds")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise CertificateError("rounds", "not a list of objects")
    if not entries:
        raise CertificateError("rounds", "the list is empty, so nothing is proved")
    bounds: dict[Pair, Bounds] = {}
    proofs: dict[Pair, Proof] = {}
    order = rules.rounds()
    if len(entries) > len(order):
        raise CertificateError("rounds", f"{len(entries)} rounds, but the match has {len(order)}")
    for pair, entry in zip(order, entries, strict=False):
        proofs[pair], bounds[pair] = _prove_round(rules, pair, entry, bounds, max_nodes)
    complete = len(entries) == len(order)
    _same("title", data.get("title"), rules.title)
    _same("complete", data.get("complete"), complete)
    _same_table(data.get("table"), table_part(rules, bounds))
    return MatchProof(rules, bounds, proofs, complete)


def _prove_round(
    rules: MatchRules, pair: Pair, entry: Mapping[str, Any], known: Mapping[Pair, Bounds], max_nodes: int
) -> tuple[Proof, Bounds]:
    place = f"rounds, {pair[0]} against {pair[1]}"
    have_all(entry, _ROUND, place)
    _same(f"{place}, dice", entry.get("dice"), list(pair))
    solution, stakes = entry.get("solution"), rules.stakes(pair, known)
    if not isinstance(solution, dict):
        raise CertificateError(place, "the solution is missing, or not an object")
    try:
        check_parts(solution, place)
        proof = prove(solution, place, Subject(rules.round_of(pair, stakes)), max_nodes)
    except CertificateError as error:
        raise CertificateError(f"{place}, {error.where}", error.problem) from None
    if not isinstance(proof.lower, Fraction) or not isinstance(proof.upper, Fraction):
        raise CertificateError(place, "its bounds are floats, which prove nothing about later rounds")
    value = stakes.around(proof.lower, proof.upper)
    for key, bound in (("lower", value.lower), ("upper", value.upper)):
        _same(f"{place}, {key}", entry.get(key), text(bound))
    return proof, value


def _same_table(said: object, right: Sequence[Mapping[str, Any]]) -> None:
    if isinstance(said, list) and len(said) == len(right):
        for one, other in zip(said, right, strict=True):
            found = one if isinstance(one, dict) else {}
            for key in differing(other, found):
                place = f"table, dice {other['dice'][0]} and {other['dice'][1]}, player {other['first']} first, {key}"
                _same(place, found.get(key), other.get(key))
    _same("table", said, right)


def _same(place: str, said: object, right: object) -> None:
    for _ in differing({place: said}, {place: right}):
        raise CertificateError(
            place, f"{word(said)} in the file, but {word(right)} by the rules and the earlier rounds"
        )


def _facts(proof: MatchProof) -> Iterator[Fact]:
    for (one, two), bounds in proof.bounds.items():
        how = "exact" if bounds.width == 0 else f"to within {float(bounds.width):.2g}"
        yield fact("proved", f"{one} against {two}: {in_words(bounds)} to the first bidder ({how})")
    if not proof.rounds:
        yield fact("proved", "nothing: there are no rounds in the file")
    left = "" if proof.complete else "; rounds with more dice are missing"
    yield fact("checked", f"{plural(len(proof.rounds), 'round')}, each with the values of earlier rounds{left}")
