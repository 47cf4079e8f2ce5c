"""All equilibria in pure strategies, for any number of players, with or without perfect recall.

Each player's reduced pure strategies are listed, and the expected payoffs of all combinations are computed exactly. A
combination is an equilibrium if no player has a strategy with a larger payoff.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ..base.parameters import Parameter, integer
from ..forms.extensive import GameTree, kept, revisits
from ..forms.plans import NOT_REACHED, Plans, TooManyError, payoff_cells, reduced_plans
from ..forms.recall import forced_nodes
from ..strategies.tree_profile import TreeProfile
from .completion import completed
from .driver import STEP, Driver, Iterates
from .protocol import Found, Request, Solver, Solves, read_options

MOST_STRATEGIES = 100_000
"""Maximum number of a player's reduced pure strategies."""

MOST_CELLS = 10_000_000
"""Maximum number of combinations of strategies. Their payoffs take some seconds, and 80 MB for each player."""

TOO_MANY = f"there are more than {MOST_CELLS:,} combinations of pure strategies"

LISTED = 1_000
"""The default maximum number of equilibria in the list."""

OPTIONS = (
    Parameter("most", "", integer(1, 999_999_999), f"maximum number of equilibria in the list (default: {LISTED:,})"),
)


def run(tree: GameTree, request: Request) -> Found:
    """Return the equilibria in pure strategies. Raises ``ParameterError``."""
    driver, options = Driver(request), read_options("pure", OPTIONS, request.options)
    most, listed = options.get("most", LISTED), list[TreeProfile]()
    request.progress("listing pure strategies")
    number = 0
    try:
        with driver.in_time("the time limit stopped the enumeration of pure strategies"):
            number = driver.complete(pure_equilibria(tree, most, listed))
    except TooManyError:
        return Found((), "failed", TOO_MANY)
    return Found(tuple(listed), driver.ended, driver.message or how_many(number, most))


def pure_equilibria(tree: GameTree, most: int, listed: list[TreeProfile]) -> Iterates[int]:
    """Add up to *most* equilibria to *listed*, in lexicographic order, and return the number of all equilibria.

    Raises ``TooManyError`` if a step of the computation of payoffs needs more than ``MOST_CELLS`` numbers.
    """
    plans = all_plans(tree)
    yield STEP
    best = []
    for player, worth in enumerate(payoff_cells(tree, plans, MOST_CELLS)):
        yield STEP
        best.append(worth == worth.max(axis=player, keepdims=True))
        yield STEP
    combinations = np.argwhere(np.logical_and.reduce(best))
    for combination in combinations[:most].tolist():
        yield STEP
        rows = {k: (Fraction(1), *[Fraction(0)] * (len(tree.infosets[k].actions) - 1)) for k in tree.personal}
        for side, index in zip(plans, combination, strict=True):
            for k, choice in zip(side.infosets, side.choices[index].tolist(), strict=True):
                if choice != NOT_REACHED:
                    rows[k] = tuple(Fraction(int(action == choice)) for action in range(len(rows[k])))
        listed.append(completed(TreeProfile.from_personal(tree, rows)))
    return len(combinations)


@kept
def all_plans(tree: GameTree) -> tuple[Plans, ...]:
    """Return the reduced pure strategies of all players. Raises ``TooManyError``."""
    plans, cells = list[Plans](), 1
    for player in range(len(tree.players)):
        plans.append(reduced_plans(tree, player, min(MOST_STRATEGIES, MOST_CELLS // cells)))
        cells *= len(plans[-1].choices)
    return tuple(plans)


def how_many(number: int, most: int) -> str:
    if not number:
        return "no equilibrium in pure strategies; mixed strategies were not searched"
    if number > most:
        return (
            f"the first {most:,} of {number:,} equilibria in reduced pure strategies; --option most=NUMBER lists more"
        )
    found = "the only equilibrium" if number == 1 else f"all {number:,} equilibria"
    return f"{found} in reduced pure strategies; mixed strategies were not searched"


def limit(tree: GameTree) -> str | None:
    """Return None if the pure strategies can be listed, otherwise the reason why not, as a clause."""
    again = [node for node in revisits(tree) if not forced_nodes(tree)[node] and tree.player[node] >= 0]
    if again:
        return f"a path contains {tree.names[int(tree.infoset[min(again)])]!r} more than once"
    try:
        all_plans(tree)
    except TooManyError:
        return TOO_MANY
    return None


SOLVERS = (
    Solver(
        name="pure",
        summary="all equilibria in pure strategies, exact, for any number of players, with or without perfect recall",
        source="J. Nash, Equilibrium points in n-person games (1950); reduced strategies: von Stengel (2002)",
        solves=Solves(least_players=1, recall=None, limit=limit, several=True),
        run=run,
        parameters=OPTIONS,
    ),
)
