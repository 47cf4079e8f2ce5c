"""Subgame-perfect equilibria: every subgame is solved on its own, the innermost first.

Each subgame is solved with its inner subgames replaced by the payoffs of their equilibria (R. Selten, "Reexamination of
the perfectness concept", International Journal of Game Theory 4, 1975). If an inner subgame has several equilibria, the
outer subgame is solved for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product

from ..base.words import plural
from ..forms.extensive import GameTree
from ..forms.recall import history
from ..forms.subgames import Part, inner, part, subgames
from ..strategies.tree_profile import TreeProfile
from .backward import OPTIONS, most_listed
from .driver import Driver
from .proposals import largest_gain, node_reach
from .protocol import Ended, Found, Request, Solver, Solves
from .pure import all_plans
from .pure import limit as pure_limit
from .registry import method

ONE, EVERY = ("backward", "lp", "lcp", "pure", "forgetful", "many"), ("backward", "extreme", "pure")
"""The methods for a subgame, in order: for one equilibrium, and for a list."""

Rows = dict[int, tuple[Fraction, ...]]

ROUNDED, MOST_CHECKED = "many", 1_000
"""The method whose results may be rounded, and the maximum number of pure strategies in a check that they are not."""


@dataclass(frozen=True)
class _Play:
    """An equilibrium of a subgame: the payoffs, and the probabilities at the subgame's information sets."""

    payoffs: tuple[Fraction, ...]
    rows: Rows


@dataclass
class _Seen:
    """The methods used in subgames, whether a list was cut, and how the searches ended.

    ``pure``: the last reason why the method ``pure`` found no equilibrium of a subgame.
    """

    methods: set[str] = field(default_factory=set)
    pure: str = ""
    cut: bool = False
    ended: Ended = "done"


def run(tree: GameTree, request: Request) -> Found:
    """Return subgame-perfect equilibria. Raises ``ParameterError``."""
    driver, most = Driver(request), most_listed("subgames", tree, request)
    solved: dict[int, list[_Play]] = {}
    seen = _Seen()
    with driver.in_time("the time limit stopped the search before all subgames were solved"):
        for number, (root, below) in enumerate(inner(tree).items()):
            driver.step(f"subgame {number + 1:,} of {len(subgames(tree)):,}")
            every = product(*(solved[each] for each in below))
            plays = islice(_plays(tree, root, below, every, most, driver, seen), most + 1)
            solved[root] = list(plays)
            if not solved[root]:
                return Found((), "failed", _not_found(tree, root, bool(below), seen.pure))
            seen.cut |= len(solved[root]) > most
            del solved[root][most:]
    # An information set with one action may cross the border of a subgame, or lie outside all parts.
    forced: Rows = {k: (Fraction(1),) for k in tree.personal if len(tree.infosets[k].actions) == 1}
    profiles = tuple(TreeProfile.from_personal(tree, forced | play.rows) for play in solved.get(0, ()))
    ended = seen.ended if driver.ended == "done" else driver.ended
    return Found(profiles, ended, driver.message or _how_many(len(profiles), seen))


def _plays(
    tree: GameTree,
    root: int,
    below: list[int],
    every: Iterator[tuple[_Play, ...]],
    most: int,
    driver: Driver,
    seen: _Seen,
) -> Iterator[_Play]:
    """Yield the equilibria of the subgame at *root*, for each choice of equilibria of its inner subgames."""
    for chosen in every:
        piece = part(tree, root, {node: play.payoffs for node, play in zip(below, chosen, strict=True)})
        left = driver.left()
        request = Request(None if left is None else max(left, 0.01))
        for profile in _equilibria(piece, most, request, seen):
            rows = {k: tuple(Fraction(p) for p in profile.probabilities[i]) for i, k in enumerate(piece.infosets)}
            inside = {k: row for play in chosen for k, row in play.rows.items()}
            yield _Play(_payoffs(piece.tree, profile), rows | inside)


def _equilibria(piece: Part, most: int, request: Request, seen: _Seen) -> list[TreeProfile]:
    for name in (*(EVERY if most > 1 else ()), *ONE):
        solver = method(name)
        problem = solver.inapplicable(piece.tree)
        if name == "pure" and problem is not None:
            seen.pure = problem
        if problem is not None or (name == ROUNDED and not _checkable(piece.tree)):
            continue
        options = {"most": str(most + 1)} if "most" in solver.options else {}
        result = solver.solve(piece.tree, replace(request, options=options))
        profiles = [each.tree_profile for each in result.strategies if each.tree_profile is not None]
        if name == ROUNDED:
            plans = all_plans(piece.tree)
            profiles = [each for each in profiles if each.exact and not largest_gain(piece.tree, plans, each)]
        if profiles:
            seen.methods.add(name)
            seen.cut |= len(profiles) > most
            seen.ended = seen.ended if result.ended == "done" else result.ended
            return profiles[:most]
        if name == "pure":
            seen.pure = result.message
    return []


def _checkable(tree: GameTree) -> bool:
    """Return whether pure strategies are few enough to check that an equilibrium of ``ROUNDED`` is exact."""
    return pure_limit(tree) is None and sum(len(side.choices) for side in all_plans(tree)) <= MOST_CHECKED


def _payoffs(tree: GameTree, profile: TreeProfile) -> tuple[Fraction, ...]:
    """Return the expected payoffs from the first node on."""
    played = [(p, tree.payoffs[k]) for p, k in zip(node_reach(tree, profile), tree.outcome.tolist(), strict=True) if p]
    players = range(len(tree.players))
    return tuple(sum((p * payoffs[player] for p, payoffs in played), Fraction(0)) for player in players)


def _not_found(tree: GameTree, root: int, solved_below: bool, reason: str) -> str:
    """Return a message that names the subgame without a found equilibrium, and the *reason*."""
    where = "the game" if root == 0 else f"the subgame {history(tree, root)}"
    rest = ", after its proper subgames were solved" if solved_below else ""
    return f"no equilibrium of {where} was found{rest}: {reason}"


def _how_many(listed: int, seen: _Seen) -> str:
    number = plural(listed, "subgame-perfect equilibrium", "subgame-perfect equilibria")
    if seen.ended != "done":
        return f"{number} found; the search for more in a subgame was stopped"
    if seen.cut:
        return f"the first {listed:,} subgame-perfect equilibria; --option most=NUMBER lists more"
    if not seen.methods <= {"backward", "extreme"}:
        return f"{number} found"
    if listed == 1:
        return "the only subgame-perfect equilibrium that is extreme in each subgame"
    return f"all {listed:,} subgame-perfect equilibria that are extreme in each subgame"


def limit(tree: GameTree) -> str | None:
    """Return None if the game has proper subgames, otherwise the reason why the method does not apply."""
    return "the game has no proper subgame" if len(subgames(tree)) == 1 else None


SOLVERS = (
    Solver(
        name="subgames",
        summary="subgame-perfect equilibria: solves each proper subgame on its own, the innermost first, by an exact "
        "method that applies",
        source="R. Selten, Reexamination of the perfectness concept (International Journal of Game Theory 4, 1975)",
        solves=Solves(least_players=1, recall=None, limit=limit, several=True, exact=False),
        run=run,
        parameters=OPTIONS,
    ),
)
