"""All equilibria that can be listed: extreme or pure equilibria, and subgame-perfect equilibria."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from ..base.parameters import Parameter, integer
from ..forms.extensive import GameTree
from ..strategies.tree_profile import TreeProfile
from .completion import avoided
from .protocol import Ended, Found, Request, Solver, Solves, countdown
from .registry import method

LISTS = ("extreme", "forgetful", "pure")
"""The methods that list equilibria, in order of preference."""

SUBGAMES = "subgames"

OPTIONS = (Parameter("most", "", integer(1, 999_999_999), "maximum number of equilibria in each list"),)


def run(tree: GameTree, request: Request) -> Found:
    """Return the equilibria of the first of ``LISTS`` that applies and, with proper subgames, of ``SUBGAMES``."""
    seconds_left = countdown(request.timeout)
    lists = _lists(tree)
    strategies: dict[Any, list[TreeProfile]] = {}
    messages, ended = list[str](), list[Ended]()
    for solver in lists:
        remaining = seconds_left()
        options = {key: value for key, value in request.options.items() if key in solver.options}
        limit = None if remaining is None else max(remaining, 0.01)
        result = solver.solve(tree, replace(request, timeout=limit, options=options))
        # Strategies that differ only where the mover's own strategy does not lead are one equilibrium; subgames say
        # which of them to list.
        listed = dict[Any, list[TreeProfile]]()
        for profile in filter(None, (each.tree_profile for each in result.strategies)):
            out = avoided(profile)
            played = tuple(None if k in out else row for k, row in enumerate(profile.probabilities))
            listed.setdefault(played, []).append(profile)
        strategies |= listed
        messages.append(result.message)
        ended.append(result.ended)
    worst = next((each for each in ("interrupted", "timeout") if each in ended), "done" if strategies else ended[0])
    if [solver.name for solver in lists] == [SUBGAMES]:
        messages.append("other equilibria were not searched")
    return Found(tuple(chain(*strategies.values())), worst, "; ".join(filter(None, messages)))


def _lists(tree: GameTree) -> list[Solver]:
    listing = next((each for each in map(method, LISTS) if each.inapplicable(tree) is None), None)
    subgames = method(SUBGAMES)
    return [*([listing] if listing else []), *([subgames] if subgames.inapplicable(tree) is None else [])]


def _limit(tree: GameTree) -> str | None:
    if _lists(tree):
        return None
    first, *_, last = LISTS
    return f"{first}: {method(first).inapplicable(tree)}; {last}: {method(last).inapplicable(tree)}"


SOLVERS = (
    Solver(
        name="all",
        summary="all equilibria that can be listed: the extreme ones of two players with perfect recall, otherwise the "
        "pure ones; and the subgame-perfect ones",
        source="the methods extreme, pure, forgetful and subgames",
        solves=Solves(least_players=1, recall=None, limit=_limit, several=True, exact=False),
        run=run,
        parameters=OPTIONS,
    ),
)
