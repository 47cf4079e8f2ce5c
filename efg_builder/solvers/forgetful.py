"""Equilibria of games without perfect recall: all pure ones, or else a mixed one that was proposed and checked.

One information set with two actions may occur more than once on a path (absent-mindedness). The best probability of the
first action may then be strictly between 0 and 1. It is computed for each combination of pure moves at other
information sets. A game without perfect recall may have no equilibrium in behavior strategies (P. C. Wichardt, Games
and Economic Behavior 63, 2008).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import comb, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ..forms.extensive import CHANCE, NONE, GameTree
from ..forms.plans import TooManyError
from ..strategies.tree_profile import TreeProfile
from .driver import STEP, Driver, Iterates
from .proposals import SEARCHED, propose
from .protocol import Found, Request, Solver, Solves
from .pure import TOO_MANY, all_plans, how_many, limit, pure_equilibria

MOST_WORK = 200_000
"""Maximum of n * c**2 for n nodes and c combinations of pure moves."""

MOST_NODES = 2_000
"""Maximum number of nodes in a tree."""

LISTED = 100
"""Maximum number of equilibria in the result."""

SHORT_DENOMINATOR = 1_000
"""Maximum denominator of the simple fractions that are tried as probabilities."""

FINE_DENOMINATOR = 10**20
"""Maximum denominator of all other probabilities."""

Exact = npt.NDArray[np.object_]


@dataclass(frozen=True)
class _Layout:
    """The information sets over which strategies are enumerated.

    ``sets``, ``widths``: the information sets with pure moves, and their numbers of actions. ``again``: the information
    set that occurs up to ``times`` times on a path. ``moves``: the players' moves before each node, as (information
    set, action), without forced moves.
    """

    sets: tuple[int, ...]
    widths: tuple[int, ...]
    again: int
    times: int
    moves: tuple[tuple[tuple[int, int], ...], ...]


class TooLargeError(Exception):
    """There are too many nodes, combinations of moves, or information sets that occur repeatedly on a path."""


def _layout(tree: GameTree) -> _Layout:
    """Return the layout of a tree to which ``pure.limit`` applies. Raises ``TooLargeError``."""
    if len(tree) > MOST_NODES:
        raise TooLargeError(f"the tree has {len(tree):,} nodes (limit {MOST_NODES:,})")
    moves: list[tuple[tuple[int, int], ...]] = [()] * len(tree)
    times: Counter[int] = Counter()
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        k, action = int(tree.infoset[above]), int(tree.action[node])
        own = tree.infosets[k].player != CHANCE and len(tree.infosets[k].actions) > 1
        moves[node] = (*moves[above], (k, action)) if own else moves[above]
        if own:
            times[k] = max(times[k], sum(k == met for met, _ in moves[node]))
    again = [k for k, most in times.items() if most > 1]
    if len(again) > 1 or any(len(tree.infosets[k].actions) != 2 for k in again):
        names = ", ".join(repr(tree.names[k]) for k in again)
        raise TooLargeError(f"{names}: only one information set, with two actions, may occur more than once on a path")
    sets = tuple(k for k in times if k not in again)
    widths = tuple(len(tree.infosets[k].actions) for k in sets)
    cells = prod(widths)
    # Each combination may have its own best probability, and each probability is tried with all combinations. Without
    # such an information set, there are too many pure strategies.
    if not again or cells * len(tree) * cells > MOST_WORK:
        raise TooLargeError(f"there are too many combinations of pure moves for a tree of {len(tree):,} nodes")
    return _Layout(sets, widths, again[0], times[again[0]], tuple(moves))


def run(tree: GameTree, request: Request) -> Found:
    """Return equilibria in strategies that are pure, except at the information set that occurs repeatedly on a path.

    If there is no such information set and no pure equilibrium, return a proposed equilibrium.
    """
    driver = Driver(request)
    if limit(tree) is None:
        return _pure_or_proposed(tree, driver)
    layout = _layout(tree)
    request.progress("enumerating pure strategies")
    found: list[TreeProfile] = []
    with driver.in_time("the time limit stopped the enumeration of strategies"):
        driver.complete(enumerate_strategies(tree, layout, found))
    if driver.message:
        return Found(tuple(found), driver.ended, driver.message)
    pure = f"strategies that are pure except at {tree.names[layout.again]!r}"
    if not found:
        return Found((), "done", f"no equilibrium in {pure}; other strategies were not searched")
    return Found(
        tuple(found), "done", f"the first {LISTED} found in {pure}" if len(found) == LISTED else f"found in {pure}"
    )


def _pure_or_proposed(tree: GameTree, driver: Driver) -> Found:
    listed = list[TreeProfile]()
    best = None
    with driver.in_time("the time limit stopped the enumeration of strategies"):
        try:
            number = driver.complete(pure_equilibria(tree, LISTED, listed))
        except TooManyError:
            return Found((), "failed", TOO_MANY)
        if listed:
            return Found(tuple(listed), "done", how_many(number, LISTED))
        best = driver.complete(propose(tree, all_plans(tree)))
    if best is None:
        return Found((), driver.ended, driver.message)
    if best[0]:
        searched = f"all pure strategies, {SEARCHED}"
        return Found((best[1],), "failed", f"no equilibrium was found among {searched}")
    return Found((best[1],), "done", "no equilibrium in pure strategies; this mixed one was proposed, then checked")


def enumerate_strategies(tree: GameTree, layout: _Layout, found: list[TreeProfile]) -> Iterates[None]:
    """Add up to ``LISTED`` equilibria to *found*."""
    worth = yield from _worth(tree, layout)
    owner = tree.infosets[layout.again].player
    shares = set[Fraction]()
    for row in worth[owner].reshape(-1, layout.times + 1):
        yield STEP
        shares.update(_best_shares(row))
    own = [
        tuple(axis for axis, k in enumerate(layout.sets) if tree.infosets[k].player == player)
        for player in range(len(tree.players))
    ]
    paid = {s: worth.dot(np.array([s**power for power in range(layout.times + 1)], dtype=object)) for s in shares}
    highest = {s: [np.max(row, axis=axes, keepdims=True) for row, axes in zip(paid[s], own, strict=True)] for s in paid}
    # The owner may change the share and the pure moves together.
    top = reduce(np.maximum, [rows[owner] for rows in highest.values()])
    for share in sorted(shares, reverse=True):
        yield STEP
        highest[share][owner] = top
        best = [row == most for row, most in zip(paid[share], highest[share], strict=True)]
        for cell in np.argwhere(np.logical_and.reduce(best)):
            yield STEP
            picked = dict(zip(layout.sets, cell.tolist(), strict=True))
            rows = {
                k: tuple(Fraction(int(action == picked.get(k, 0))) for action in range(len(tree.infosets[k].actions)))
                for k in tree.personal
            }
            rows[layout.again] = (share, 1 - share)
            found.append(TreeProfile.from_personal(tree, rows))
            if len(found) == LISTED:
                return


def _worth(tree: GameTree, layout: _Layout) -> Iterates[Exact]:
    """Return each player's payoffs for all combinations of pure moves.

    The payoffs are polynomials in the probability of the first action at ``again``. Shape: (players, *widths, powers).
    """
    worth = np.full((len(tree.players), *layout.widths, layout.times + 1), Fraction(0), dtype=object)
    axes = {k: axis for axis, k in enumerate(layout.sets)}
    chances = [Fraction(1)] * len(tree)
    for node in range(len(tree)):
        yield STEP
        if node:
            above = int(tree.parent[node])
            p = tree.infosets[tree.infoset[above]].probabilities
            chances[node] = chances[above] * (1 if p is None else p[tree.action[node]])
        if tree.outcome[node] == NONE:
            continue
        where: list[Any] = [slice(None)] * len(layout.sets)
        for k, action in layout.moves[node]:
            if k in axes:
                where[axes[k]] = action
        again = [action for k, action in layout.moves[node] if k == layout.again]
        first, other = again.count(0), again.count(1)
        for player, payoff in enumerate(tree.payoffs[tree.outcome[node]]):
            for power in range(other + 1):
                weight = chances[node] * payoff * comb(other, power) * (-1) ** power
                worth[(player, *where, first + power)] += weight
    return worth


def _best_shares(row: Exact) -> list[Fraction]:
    """Return the points in [0, 1] at which a polynomial has its maximum.

    Points with denominators up to ``SHORT_DENOMINATOR`` are exact; other points are rounded to fractions with
    denominators up to ``FINE_DENOMINATOR``.
    """
    steep = [c * power for power, c in enumerate(row)][1:]
    tried = [Fraction(0), Fraction(1)]
    scale = max(map(abs, steep), default=Fraction(0)) or Fraction(1)
    for root in np.roots([float(c / scale) for c in reversed(steep)]):
        if abs(root.imag) < 1e-6 and 0 < root.real < 1:
            near = Fraction(float(root.real))
            short = near.limit_denominator(SHORT_DENOMINATOR)
            tried.append(short if abs(short - near) < Fraction(1, 10**9) else _nearer(steep, near))
    values = [sum(c * share**power for power, c in enumerate(row)) for share in tried]
    close = Fraction(1, 10**20) * max(map(abs, values))
    return [share for share, value in zip(tried, values, strict=True) if value >= max(values) - close]


def _nearer(steep: list[Fraction], root: Fraction) -> Fraction:
    slope = sum((c * power * root ** (power - 1) for power, c in enumerate(steep) if power), Fraction(0))
    step = sum((c * root**power for power, c in enumerate(steep)), Fraction(0)) / slope if slope else Fraction(0)
    return min(max(root - step, Fraction(0)), Fraction(1)).limit_denominator(FINE_DENOMINATOR)


def _too_large(tree: GameTree) -> str | None:
    if limit(tree) is None:
        return None
    try:
        _layout(tree)
    except TooLargeError as error:
        return str(error)
    return None


SOLVERS = (
    Solver(
        name="forgetful",
        summary="exact equilibria of small games without perfect recall: all pure ones, or a mixed one that was "
        "proposed and checked; mixed at an information set that occurs more than once on a path",
        source="M. Piccione and A. Rubinstein, On the interpretation of decision problems with imperfect recall "
        "(Games and Economic Behavior 20, 1997)",
        solves=Solves(recall=False, limit=_too_large, several=True, exact=False),
        run=run,
    ),
)
