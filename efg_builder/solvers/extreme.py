"""All extreme equilibria of small two-player games, computed exactly.

A point (x, v) of a player's polyhedron consists of a realization plan x of the player and an upper bound v on the
opponent's payoff from every pure plan against x. An extreme equilibrium is a pair of vertices, one from each
polyhedron, whose plans attain both bounds (O. L. Mangasarian, SIAM J. 12, 1964). ``lp.double_description`` finds the
vertices.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..base.parameters import Parameter, integer
from ..base.words import plural
from ..forms.extensive import GameTree
from ..forms.sequence_form import PlayerSequences, SequenceForm, behavior, sequence_form
from ..strategies.tree_profile import TreeProfile
from .completion import completed
from .driver import STEP, Driver, Iterate, Iterates
from .lcp import Plans
from .lemke import NoEndError
from .lp.double_description import Objects, cut
from .lp.optimal_plans import sets_in_order
from .protocol import Found, Request, Solver, Solves, TimeLimit, read_options
from .small import equilibrium_plans


@dataclass(frozen=True)
class ExtremeSettings:
    most_plans: int = 5_000
    """Maximum number of pure plans per player; with more plans, the enumeration takes too long."""
    payoff_tolerance: float = 1e-6
    """A vertex pair is checked exactly if its payoffs differ from v by less than this share of the largest payoff."""
    listed: int = 1_000
    """The default maximum number of equilibria in the list."""
    paths_after_stop: int = 20
    """Maximum number of Lemke's paths to follow if the enumeration stops before it finds an equilibrium."""
    seconds_after_stop: float = 2.0
    """Time limit in seconds for these paths."""


SETTINGS = ExtremeSettings()

OPTIONS = (
    Parameter(
        "most", "", integer(1, 999_999_999), f"maximum number of equilibria in the list (default: {SETTINGS.listed:,})"
    ),
)


def run(tree: GameTree, request: Request) -> Found:
    """Return all extreme equilibria, or the equilibria found before the time limit or Ctrl-C.

    Raises ``ParameterError``.
    """
    driver, options = Driver(request), read_options("extreme", OPTIONS, request.options)
    forms = sequence_form(tree), sequence_form(tree, 1)
    sides = pure_plans(forms[0].players[0]), pure_plans(forms[0].players[1])
    if sides[0] is None or sides[1] is None:
        limit = f"a player has more than {SETTINGS.most_plans:,} pure plans, so the equilibria were not enumerated"
        return Found((), "failed", f"{limit}; method lcp finds some of them (--option starts=NUMBER)")
    most, pairs = options.get("most", SETTINGS.listed), list[tuple[Objects, Objects]]()
    driver.run(extreme_equilibria(forms, (sides[0], sides[1]), pairs))
    plans: list[Plans] = [(_plan(x), _plan(y)) for x, y in pairs[:most]]
    kind = "extreme "
    if driver.ended != "done" and not pairs:
        kind = ""
        seconds = min(SETTINGS.seconds_after_stop, request.timeout or SETTINGS.seconds_after_stop)
        with suppress(TimeLimit):  # not Ctrl-C, which ends the run now
            Driver(Request(seconds)).complete(ends_of_paths(forms, plans))
    found: dict[tuple[Any, ...], TreeProfile] = {}
    for x, y in plans:
        rows = behavior(forms[0].players[0], x) | behavior(forms[0].players[1], y)
        profile = completed(TreeProfile.from_personal(tree, rows))
        found.setdefault(profile.probabilities, profile)
    number = len(pairs) if kind else len(found)
    count = plural(number, f"{kind}equilibrium", f"{kind}equilibria")
    if driver.ended != "done":
        stopped = "the time limit" if driver.ended == "timeout" else "an interrupt"
        only = f", of which {most:,} are listed" if number > most else ""
        message = f"incomplete: {count} found{only}; {stopped} ended the search"
    elif number > most:
        message = f"the first {most:,} of {count}; --option most=NUMBER lists more"
    else:
        message = "the only extreme equilibrium" if number == 1 else f"all {count}"
    return Found(tuple(found.values()), driver.ended, message)


def extreme_equilibria(
    forms: tuple[SequenceForm, SequenceForm], plans: tuple[Objects, Objects], found: list[tuple[Objects, Objects]]
) -> Iterates[None]:
    """Add all extreme equilibria to *found*, as rows of ``vertices``. *plans*: both players' pure plans."""
    first, second = map(dense, forms)
    x = yield from vertices(plans[0], plans[1] @ second.T)
    y = yield from vertices(plans[1], plans[0] @ first)
    for i, j in _near(first, second, x, y):
        yield STEP
        if _equilibrium(first, second, x[i], y[j]):
            found.append((x[i], y[j]))


def ends_of_paths(forms: tuple[SequenceForm, SequenceForm], found: list[Plans]) -> Iterates[None]:
    """Add the equilibria at the ends of Lemke's paths to *found*. Some of these equilibria may not be extreme."""
    for number in range(SETTINGS.paths_after_stop):
        with suppress(NoEndError):
            found.append((yield from equilibrium_plans(forms, number)))


def _plan(row: Objects) -> list[Fraction]:
    return [Fraction(weight, row[0]) for weight in row[:-1]]


def _near(first: Objects, second: Objects, x: Objects, y: Objects) -> list[tuple[int, int]]:
    rows, columns = ((side[:, :-1] / side[:, :1]).astype(np.float64) for side in (x, y))
    near = np.ones((len(x), len(y)), dtype=bool)
    for payoffs, side in ((first, y), (second, x)):
        unit = max(int(abs(payoffs).max()), 1)
        bound = (side[:, -1] / (side[:, 0] * unit)).astype(np.float64)
        paid = rows @ (payoffs / unit).astype(np.float64) @ columns.T
        near &= abs(paid - (bound[None, :] if side is y else bound[:, None])) < SETTINGS.payoff_tolerance
    return [(int(i), int(j)) for i, j in np.argwhere(near)]


def _equilibrium(first: Objects, second: Objects, x: Objects, y: Objects) -> bool:
    """Return whether the plans of two vertices attain both bounds. *x*, *y*: rows of ``vertices``."""
    pay = [x[:-1] @ payoffs @ y[:-1] for payoffs in (first, second)]
    return bool(pay[0] == x[0] * y[-1] and pay[1] == x[-1] * y[0])


def dense(form: SequenceForm) -> Objects:
    """Return the integer payoffs of *form* as a matrix, shape (player 1's sequences, player 2's sequences)."""
    one, two = form.players
    matrix = np.zeros((one.count, two.count), dtype=object)
    matrix[form.rows, form.columns] = form.payoffs
    return matrix


def pure_plans(side: PlayerSequences) -> Objects | None:
    """Return the distinct pure realization plans as rows, or None if there are more than ``most_plans``."""
    plans = np.zeros((1, side.count), dtype=np.int64)
    plans[0, 0] = 1
    for h in sets_in_order(side):
        led = plans[:, side.parent[h]] == 1
        parts = [plans[~led]]
        for action in range(side.first[h], side.first[h] + side.widths[h]):
            parts.append(plans[led])
            parts[-1][:, action] = 1
        plans = np.concatenate(parts)
        if len(plans) > SETTINGS.most_plans:
            return None
    return plans.astype(object)


def vertices(plans: Objects, earned: Objects) -> Iterates[Objects]:
    """Return the vertices of a player's polyhedron.

    Each row contains a plan and v, scaled to integers; shape (vertices, sequences + 1). *plans*: the player's pure
    plans. *earned*: the opponent's payoffs, shape (opponent's pure plans, player's sequences).
    """
    up = np.array([[0] * plans.shape[1] + [1]], dtype=object)
    rows = np.concatenate([np.concatenate([plans, (plans @ earned[0])[:, None]], 1), up])
    # The first constraints keep weights nonnegative. Each later constraint belongs to a pure plan of the opponent.
    tight = np.column_stack([rows[:, :-1] == 0, np.arange(len(rows)) < len(plans)]).astype(np.float32)
    dimension = 1 + int(np.linalg.matrix_rank(plans.astype(np.float64)))
    for count, earns in enumerate(earned[1:], start=1):
        yield Iterate(f"plan {count:,} of {len(earned):,}: {plural(len(rows), 'vertex', 'vertices')}")
        rows, tight = yield from cut(rows, tight, rows[:, -1] - rows[:, :-1] @ earns, dimension)
    # A row in which the empty sequence has weight 0 is a direction of the polyhedron, not a vertex.
    return rows[rows[:, 0] > 0]


SOLVERS = (
    Solver(
        name="extreme",
        summary="all extreme equilibria of a small two-player game, with or without a constant sum: the exact vertices "
        "of the best-response polyhedra of the sequence form",
        source="O. L. Mangasarian (SIAM J. 12, 1964); Fukuda and Prodon (Double description method revisited, 1996)",
        solves=Solves(players=2, several=True),
        run=run,
        parameters=OPTIONS,
    ),
)
