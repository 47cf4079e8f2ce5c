"""The principal branch of logit quantal response equilibria, traced by Gambit and verified here."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum, inf
from numbers import Real
from pathlib import Path
from typing import Any

from .._later import later
from ..base.errors import NotApplicableError, ParameterError, ProfileError, check_kind
from ..base.facts import Fact, attributes, fact, facts_in_text, plain
from ..base.files import csv_lines, write_atomically
from ..base.parameters import check_seconds
from ..base.rationals import Number, brief, exact_row, text
from ..base.words import above, distinct, in_columns, nobody_gains, plural, progress_of
from ..forms.extensive import GameTree
from ..forms.hand_names import printed_tree
from ..forms.normal_form import short_names
from ..forms.recall import has_perfect_recall, lacks_recall, solvable
from ..interop.efg import efg_chunks
from ..interop.gambit import child
from ..interop.gambit.mapping import to_profile
from ..interop.trees import GameLike, tree_of
from ..proof import verify
from ..proof.sequential import logit_residual
from ..strategies.tree_profile import TreeProfile

TIMEOUT = 60.0
"""The default time limit in seconds."""
MAX_REGRET = 1e-6
"""The regret at which the branch ends, as a share of the payoff range."""

POINTS = 200
DENOMINATORS = (1, 2, 3, 4, 6, 9, 12, 20, 40, 100, 1000)
"""Maximum denominators for rounding the end of the branch to an exact equilibrium."""

GRID = 2.0**-53
"""Multiples of this number, and their sums up to 1, are exact as floats."""

PLACES = 9
"""``courses`` compares the ranges of the actions' probabilities after rounding to this many decimal places.

If an information set has only two actions, their rounded ranges are equal, and the second action is chosen.
"""

ROWS, COLUMNS = 12, 5
"""Maximum number of printed choices, and of printed points; the table then fits on 80 columns."""


@dataclass(frozen=True)
class QuantalPoint:
    """A point on the branch.

    ``precision``: lambda, per unit of payoff. ``profile``: Gambit's probabilities as floats, normalized at each
    information set. The other fields are computed from this profile. ``regret``: the largest gain of any player from a
    best response. ``nash_conv``: the sum of all players' gains. ``residual``: see ``sequential.logit_residual``.
    """

    precision: float
    profile: TreeProfile
    value: tuple[Number, ...]
    regret: float
    nash_conv: float
    residual: float


@dataclass(frozen=True)
class QuantalLimit:
    """A verified exact equilibrium near the end of the branch.

    ``distance``: the largest difference between a probability at the end of the branch and in this equilibrium. Only
    information sets that the equilibrium reaches are compared.
    """

    profile: TreeProfile
    value: tuple[Number, ...]
    distance: float


@dataclass(frozen=True)
class QuantalBranch:
    """The points on a traced branch. ``str`` returns the output of ``efg-builder qre``.

    Attributes
    ----------
    tree : GameTree
        The game tree.
    points : tuple of QuantalPoint
        The points in the order of the branch: ``precision`` (lambda, not always increasing), ``profile``, ``value``,
        ``regret``, ``nash_conv`` and ``residual``.
    traced : int
        Number of points that Gambit traced; ``points`` may be a selection.
    ended : str
        ``"done"``, ``"stopped-short"`` (Gambit gave up), ``"timeout"`` or ``"failed"``.
    message : str
        The reason for ``ended``.
    bifurcations : tuple of pairs
        For each bifurcation, two values of lambda; the branch splits between these values.
    limit : QuantalLimit or None
        An exact equilibrium near the end: ``profile``, ``value``, ``distance``.
    seconds : float
        Time taken, in seconds.
    at : tuple of float
        The requested values of lambda; empty if the whole branch was traced.

    Examples
    --------
    >>> import efg_builder as eb
    >>> branch = eb.quantal_branch("dice-poker sides=2", points=20)
    >>> branch.points[0].precision
    0.0
    """

    tree: GameTree
    points: tuple[QuantalPoint, ...]
    traced: int
    ended: str
    message: str
    bifurcations: tuple[tuple[float, float], ...]
    limit: QuantalLimit | None
    seconds: float
    at: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return f"<QuantalBranch of {self.tree.title!r}: {len(self.points)} of {self.traced} points, {self.ended}>"

    def __str__(self) -> str:
        return facts_in_text(self.tree.title, _facts(self))

    def draw(self, path: str | os.PathLike[str]) -> Path:
        """Write a plot to the file *path* (.svg, .png or .pdf), and return the path. Raises ``FileError``."""
        check_kind("QuantalBranch.draw", path, (str, os.PathLike), "a path", "such as 'branch.svg'")
        drawn: Path = later("QuantalBranch.draw")(self, path)
        return drawn

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write a CSV table with one row for each point, and return its path. Raises ``FileError``."""
        return write_atomically(path, csv_lines(self._rows()))

    def _rows(self) -> Iterator[list[str]]:
        tree = self.tree
        sets = [(tree.infosets[k], tree.names[k]) for k in tree.personal]
        names = [f"{tree.players[i.player]}|{name}|{action}" for i, name in sets for action in i.actions]
        values = [f"value of {name}" for name in tree.players]
        yield ["lambda", "regret", "nash_conv", "residual", *values, *names]
        for point in self.points:
            numbers = [point.precision, point.regret, point.nash_conv, point.residual, *point.value]
            numbers += [p for k in tree.personal for p in point.profile.probabilities[k]]
            yield [repr(float(number)) for number in numbers]

    def to_json(self) -> dict[str, Any]:
        """Return the branch as JSON data.

        ``points[..]["probabilities"]`` contains one row for each information set in ``sets``. ``player`` and
        ``infoset`` are numbered from 1.
        """
        tree = self.tree
        sets = [
            {"player": i.player + 1, "infoset": i.number, "label": i.label, "actions": distinct(i.actions)}
            for i in (tree.infosets[k] for k in tree.personal)
        ]
        limit = self.limit
        return {
            **attributes(tree, "title", "players"),
            **attributes(self, "ended", "message", "traced", "bifurcations"),
            "sets": sets,
            "points": [
                {
                    "lambda": point.precision,
                    **attributes(point, "value", "regret", "nash_conv", "residual"),
                    "probabilities": _personal(point.profile),
                }
                for point in self.points
            ],
            "limit": None
            if limit is None
            else {**attributes(limit, "value", "distance"), "probabilities": _personal(limit.profile)},
            "seconds": round(self.seconds, 3),
        }


def _personal(profile: TreeProfile) -> list[list[str | float]]:
    return [plain(profile.probabilities[k]) for k in profile.tree.personal]


def quantal_branch(
    tree: GameLike,
    *,
    timeout: float | Fraction | None = TIMEOUT,
    max_regret: float = MAX_REGRET,
    points: int = POINTS,
    at: Sequence[float] = (),
    progress: Callable[[str], None] | None = None,
) -> QuantalBranch:
    """Trace the principal branch of logit quantal response equilibria with Gambit, and verify the points.

    The branch starts with equal probabilities at lambda = 0, and leads to a Nash equilibrium as lambda grows.

    Parameters
    ----------
    tree : GameLike
        A game with perfect recall: a tree, rules, a name such as ``"kuhn"``, a file, or a pygambit game.
    timeout : float or None, default 60
        Time limit in seconds; None for no limit. The points traced before the limit are returned.
    max_regret : float, default 1e-6
        The regret at which the branch ends, as a share of the payoff range, between 0 and 1.
    points : int, default 200
        Maximum number of points, at least 2. A longer branch is sampled evenly.
    at : sequence of float, default ()
        Values of lambda above 0. If given, only the points of the branch with these values are returned, in ascending
        order, and *max_regret* and *points* have no effect.
    progress : callable, optional
        Called with one line of text at a time.

    Returns
    -------
    QuantalBranch
        The points, and an exact equilibrium near the end of the branch if such an equilibrium was found.

    Raises
    ------
    NotApplicableError
        If no player moves, a player does not have perfect recall, or pygambit is not installed.
    ParameterError
        If an argument is invalid.

    References
    ----------
    R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for extensive form games", Experimental Economics 1
    (1998).

    T. L. Turocy, "A dynamic homotopy interpretation of the logistic quantal response equilibrium correspondence", Games
    and Economic Behavior 51 (2005).

    Examples
    --------
    >>> import efg_builder as eb
    >>> branch = eb.quantal_branch("dice-poker sides=2")
    >>> branch.ended, branch.limit is not None
    ('done', True)
    >>> [point.precision for point in eb.quantal_branch("dice-poker sides=2", at=[1, 2]).points]
    [1.0, 2.0]
    """
    began = time.monotonic()
    tree = solvable(tree_of("quantal_branch", tree))
    progress = progress_of("quantal_branch", progress)
    timeout = check_seconds(timeout)
    asked = _precisions(at)
    _check(tree, max_regret, points)
    options: dict[str, Any] = {"at": asked} if asked else {"maxregret": float(max_regret)}
    answer = child.run(efg_chunks(tree), "logit_branch", options, timeout, progress)
    raw = [entry for entry in answer.rows if "lambda" in entry]
    crossed = tuple((float(a), float(b)) for a, b in (e["bifurcation"] for e in answer.rows if "bifurcation" in e))
    judged: list[QuantalPoint] = []
    problem = ""
    for count, entry in enumerate(_thinned(raw, points), start=1):
        progress(f"verifying point {count:,} of {min(len(raw), points):,}")
        try:
            judged.append(_judged(tree, entry))
        except ProfileError as error:
            problem = f"a point from Gambit is not a profile of this tree: {error}"
    ended, message = str(answer.ended), answer.message
    if ended == "done" and not answer.success:
        ended, message = "stopped-short", f"Gambit stopped early: {answer.message or 'no reason given'}"
    message = "; ".join(filter(None, [message, problem]))
    limit = nearby_equilibrium(judged[-1].profile) if judged and not asked else None
    took = time.monotonic() - began
    return QuantalBranch(tree, tuple(judged), len(raw), ended, message, crossed, limit, took, tuple(asked))


def _precisions(at: Sequence[float]) -> list[float]:
    """Return the asked values of lambda in ascending order. Raises ``ParameterError``."""
    given = list(at) if isinstance(at, Sequence) and not isinstance(at, str) else [at]
    for number in given:
        if isinstance(number, bool) or not isinstance(number, Real) or not 0 < number < inf:
            raise ParameterError(f"at={at!r}: must list values of lambda above 0, such as [1, 2]")
    return sorted({float(number) for number in given})


def _check(tree: GameTree, max_regret: float, points: int) -> None:
    if not tree.personal:
        raise NotApplicableError("quantal responses need an information set, but no player moves in this game")
    if not has_perfect_recall(tree):
        raise NotApplicableError(f"quantal responses need perfect recall; {lacks_recall(tree)}")
    if not isinstance(max_regret, Real) or not 0 < max_regret < 1:
        raise ParameterError(f"max_regret={max_regret!r}: must be a number above 0 and below 1")
    if isinstance(points, bool) or not isinstance(points, int) or points < 2:
        raise ParameterError(f"points={points!r}: must be a whole number of at least 2, for both ends of the branch")


def _thinned(entries: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    if len(entries) <= most:
        return list(entries)
    last = len(entries) - 1
    return [entries[round(step * last / (most - 1))] for step in range(most)]


def _judged(tree: GameTree, entry: dict[str, Any]) -> QuantalPoint:
    precision, given = float(entry["lambda"]), to_profile(tree, entry["rows"]).probabilities
    profile = TreeProfile.from_personal(tree, {k: _summing_to_one(given[k]) for k in tree.personal})
    verdict = verify(profile)
    gains = [max(float(b) - float(v), 0.0) for b, v in zip(verdict.best_responses, verdict.value, strict=True)]
    residual = logit_residual(profile, precision)
    return QuantalPoint(precision, profile, verdict.value, max(gains), sum(gains), residual)


def _summing_to_one(row: Sequence[Number]) -> tuple[float, ...]:
    """Return *row* divided by its sum, so that the floats sum to exactly 1."""
    floats = [float(p) for p in row]
    total = fsum(floats)
    steps = [round(p / total / GRID) for p in floats]
    steps[steps.index(max(steps))] += round(1 / GRID) - sum(steps)
    return tuple(step * GRID if step else p / total for step, p in zip(steps, floats, strict=True))


def nearby_equilibrium(profile: TreeProfile) -> QuantalLimit | None:
    """Round *profile* to simple fractions, and return the nearest rounding that is an exact equilibrium, or None."""
    tree, nearest = profile.tree, None
    for bound in DENOMINATORS:
        rows = {k: exact_row(profile.probabilities[k], bound) for k in tree.personal}
        rounded = TreeProfile.from_personal(tree, rows)
        verdict = verify(rounded)
        if verdict.regret:
            continue
        reached = [k for k in tree.personal if verdict.reach[k]]
        pairs = ((p, q) for k in reached for p, q in zip(rows[k], profile.probabilities[k], strict=True))
        distance = max((abs(float(p) - float(q)) for p, q in pairs), default=0.0)
        if nearest is None or distance < nearest.distance:
            nearest = QuantalLimit(rounded, verdict.value, distance)
    return nearest


@dataclass(frozen=True)
class Course:
    """The probabilities of one action along the branch.

    ``infoset``: an index in ``tree.infosets``. ``name``: the short name of the information set.
    """

    player: int
    infoset: int
    index: int
    name: str
    action: str
    probabilities: tuple[float, ...]

    @property
    def range(self) -> float:
        return max(self.probabilities) - min(self.probabilities)


def courses(branch: QuantalBranch, most: int | None = None) -> list[Course]:
    """Return the course of one action for each information set with several actions, in the order of players.

    The action is the second one if all of the player's information sets have the same two actions. Otherwise, it is the
    action whose probability changes most. If there are more than *most* courses, return the courses with the largest
    changes.
    """
    tree, every = branch.tree, []
    for player in range(len(tree.players)):
        sets = [k for k in tree.personal if tree.infosets[k].player == player and len(tree.infosets[k].actions) > 1]
        offered = {tree.infosets[k].actions for k in sets}
        second = len(offered) == 1 and len(next(iter(offered))) == 2
        for name, k in zip(short_names([tree.names[k] for k in sets]), sets, strict=True):
            columns = zip(*(point.profile.probabilities[k] for point in branch.points), strict=True)
            of_set = [
                Course(player, k, index, name, tree.infosets[k].actions[index], tuple(map(float, column)))
                for index, column in enumerate(columns)
            ]
            every.append(of_set[1] if second else max(reversed(of_set), key=lambda course: round(course.range, PLACES)))
    if most is None or len(every) <= most:
        return every
    kept = sorted(range(len(every)), key=lambda i: -every[i].range)[:most]
    return [every[i] for i in sorted(kept)]


# --- text output


def _facts(branch: QuantalBranch) -> Iterator[Fact]:
    traced = "of the principal branch, found by Gambit" if branch.at else "traced by Gambit"
    yield fact("branch", f"{plural(branch.traced, 'point')} {traced}: {branch.ended}", branch.message)
    if not branch.points:
        if branch.ended == "timeout":
            size = f"{len(branch.tree):,} nodes, {len(branch.tree.personal):,} information sets"
            hint = (
                f"a longer --timeout or a smaller game: this game has {size}, and Gambit's first step is slow "
                "with hundreds of nodes; 'efg-builder solve' finds an equilibrium without the branch"
            )
            yield fact("try", hint)
        return
    for before, after in branch.bifurcations:
        where = f"between lambda {before:.4g} and {after:.4g}"
        yield fact("splits", f"{where}: Gambit perturbs the game slightly and follows one branch")
    end = branch.points[-1]
    value = ", ".join(f"{float(v):.6g}" for v in end.value)
    if not branch.at:
        yield fact("end", f"lambda {end.precision:.6g}: pays {value}; {nobody_gains(end.regret)}")
    residual = max(point.residual for point in branch.points)
    yield fact("checked", f"probabilities are logit responses to each other to within {residual:.1g}, at all points")
    if not branch.at:
        yield fact("limit", _limit(branch.limit))
    yield _table(branch)


def _limit(limit: QuantalLimit | None) -> str:
    if limit is None:
        return "no exact equilibrium with small denominators is near the end"
    paid = ", ".join(map(text, limit.value))
    near = f"within {above(limit.distance)} of the end at reached information sets"
    return f"an exact equilibrium that pays {paid} is {near}"


def _table(branch: QuantalBranch) -> Fact:
    """Return a table with a row for each choice, and a column for each of ``COLUMNS`` points and for the limit."""
    branch = replace(branch, tree=printed_tree(branch.tree))
    shown, count = courses(branch, ROWS), len(courses(branch))
    last = len(branch.points) - 1
    points = sorted({round(step * last / (COLUMNS - 1)) for step in range(COLUMNS)})
    left = "" if len(points) > last else f"; -o FILE.csv or FILE.svg has all {last + 1:,} points"
    if len(shown) < count:
        left = f", of the {len(shown)} of {count} information sets that change most{left}"
    head = ["", "", "lambda", *(f"{branch.points[at].precision:.4g}" for at in points)]
    rows = [["", "", "NashConv", *(f"{branch.points[at].nash_conv:.3g}" for at in points)]]
    for c in shown:
        moves = [f"{c.probabilities[at]:.4f}" for at in points]
        rows.append([branch.tree.players[c.player], c.name, c.action, *moves])
    if branch.limit is not None:
        head.append("limit")
        exact = [brief(branch.limit.profile.probabilities[c.infoset][c.index]) for c in shown]
        rows = [[*row, cell] for row, cell in zip(rows, ["0", *exact], strict=True)]
    return fact("table", f"probabilities of moves{left}", table=in_columns([head, *rows], range(3, len(head))))
