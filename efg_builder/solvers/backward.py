"""Backward induction on trees with perfect information: exact subgame-perfect equilibria for any number of players.

If several actions are best, there is an equilibrium for each of them, in the order of the actions. Source: H. W. Kuhn,
"Extensive games and the problem of information", 1953, corollary 1 of theorem 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import NamedTuple

from ..base.parameters import Parameter, integer
from ..forms.extensive import CHANCE, NONE, GameTree
from ..strategies.tree_profile import TreeProfile
from .driver import STEP, Driver, Iterates
from .protocol import Found, Request, Solver, Solves, read_options

LISTED_NODES, LISTED = 200, 100
"""The default maximum number of equilibria: ``LISTED`` for trees of up to ``LISTED_NODES`` nodes, else 1."""


class _Play(NamedTuple):
    """An equilibrium of a subgame.

    ``node``: the root. ``action``: the action at the root (``NONE`` at a chance node or a terminal node). ``below``:
    the equilibrium after each action, in order.
    """

    payoffs: tuple[Fraction, ...]
    node: int
    action: int
    below: tuple[_Play, ...]


OPTIONS = (
    Parameter(
        "most",
        "",
        integer(1, 999_999_999),
        f"maximum number of equilibria in the list (default: {LISTED}; 1 for trees with over {LISTED_NODES:,} nodes)",
    ),
)


def run(tree: GameTree, request: Request) -> Found:
    """Return the subgame-perfect equilibria in pure strategies. Raises ``ParameterError``."""
    driver, most = Driver(request), most_listed("backward", tree, request)
    request.progress("backward induction")
    plays, more = list[_Play](), False
    with driver.in_time("the time limit stopped the induction before it reached the root"):
        plays, more = driver.complete(backward_induction(tree, most))
    found = tuple(_profile(tree, play) for play in plays)
    return Found(found, driver.ended, driver.message or _how_many(len(found), more))


def most_listed(name: str, tree: GameTree, request: Request) -> int:
    """Return the maximum number of equilibria in the list of the method *name*. Raises ``ParameterError``."""
    most: int = read_options(name, OPTIONS, request.options).get("most", LISTED if len(tree) <= LISTED_NODES else 1)
    return most


def backward_induction(tree: GameTree, most: int) -> Iterates[tuple[list[_Play], bool]]:
    """Return the equilibria, up to *most* in each subgame, and whether a subgame has more."""
    below: list[list[Sequence[_Play]]] = [[] for _ in range(len(tree))]
    more = False
    # In prefix order, every node comes before its descendants.
    for node in reversed(range(len(tree))):
        yield STEP
        plays = list(islice(_plays(tree, node, below[node][::-1]), most + 1))
        below[node] = []
        more |= len(plays) > most
        if node:
            below[tree.parent[node]].append(plays[:most])
    return plays[:most], more


def _plays(tree: GameTree, node: int, after: Sequence[Sequence[_Play]]) -> Iterator[_Play]:
    """Yield the equilibria of the subgame at *node*.

    *after*: the equilibria after each action; long lists may be truncated.
    """
    paid, k = tree.payoffs[tree.outcome[node]], int(tree.infoset[node])
    if k == NONE:
        yield _Play(paid, node, NONE, ())
        return
    player, chances = tree.infosets[k].player, tree.infosets[k].chances
    for below in product(*after):
        if player == CHANCE:
            columns = zip(*(one.payoffs for one in below), strict=True)
            worth = [sum(map(Fraction.__mul__, chances, column)) for column in columns]
            yield _Play(tuple(map(Fraction.__add__, paid, worth)), node, NONE, below)
            continue
        most = max(one.payoffs[player] for one in below)
        for action, one in enumerate(below):
            if one.payoffs[player] == most:
                yield _Play(tuple(map(Fraction.__add__, paid, one.payoffs)), node, action, below)


def _profile(tree: GameTree, play: _Play) -> TreeProfile:
    taken, stack = {}, [play]
    while stack:
        one = stack.pop()
        taken[int(tree.infoset[one.node])] = one.action
        stack += one.below
    rows = {}
    for k in tree.personal:
        row = [Fraction(0)] * len(tree.infosets[k].actions)
        row[taken.get(k, 0)] = Fraction(1)
        rows[k] = tuple(row)
    return TreeProfile.from_personal(tree, rows)


def _how_many(listed: int, more: bool) -> str:
    if listed == 1:
        return "one of several subgame-perfect equilibria" if more else "the only subgame-perfect equilibrium"
    if more:
        return f"the first {listed:,} subgame-perfect equilibria in pure strategies; --option most=NUMBER lists more"
    return f"all {listed:,} subgame-perfect equilibria in pure strategies"


SOLVERS = (
    Solver(
        name="backward",
        summary="backward induction in games with perfect information: the exact subgame-perfect equilibria in pure "
        "strategies",
        source="H. W. Kuhn, Extensive games and the problem of information (1953)",
        solves=Solves(recall=None, perfect_information=True, several=True),
        run=run,
        parameters=OPTIONS,
    ),
)
