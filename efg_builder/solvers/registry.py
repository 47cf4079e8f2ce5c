"""The registry of solvers from this package, installed packages, and functions passed to ``solve``.

Each algorithm in this package is one folder or file with a tuple ``SOLVERS``. Another package registers a solver
through an entry point in the group ``efg_builder.solvers``. The entry point is a ``Solver``, or a function that takes a
``GameTree`` and returns a profile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ..base.errors import FAILURES, PASSED_ON, EfgBuilderError, NotSolvedError, ParameterError, kind_of
from ..base.foreign import is_gambits
from ..base.parameters import Registry, summary_of
from ..forms.extensive import GameTree
from ..interop.gambit.mapping import read_strategy
from ..strategies.tree_profile import Strategy
from .protocol import Found, Request, Solver, Solves

AUTO = "auto"

AUTO_ORDER = (
    "backward",
    "subgames",
    "lp",
    "lcp",
    "forgetful",
    "pure",
    "many",
    "gambit-lcp",
    "gambit-logit",
    "gambit-enumpure",
)
"""The methods that ``auto`` tries, in order. ``auto`` skips methods that do not apply, and stops at the first success.
``backward`` is before ``lp`` because it is faster, and its equilibria are subgame-perfect: their moves are best off the
equilibrium path too. If a method before ``lp`` applies and is not in ``AUTO_ALONE``, ``auto`` runs the methods in turn,
so ``lp`` has a time limit.

Tests determined the choice of Gambit's three routines. With two players, on Gambit's catalog and random trees of 31 to
1,023 nodes, Lemke's method (lcp) solved every game that any other routine solved. With three and four players, each
routine had three seconds for each of ten games with 9 to 63 nodes. The numbers of solved games are: enumpure 10, ipa
10, logit 8, gnm 8, hp 6, simpdiv 4, enumpoly 3, liap 1. If there is no pure-strategy equilibrium (matching pennies for
three players), enumpure fails, but logit, ipa and gnm succeed. On the larger random trees, logit solved the most games
and always ended within seconds.
"""

AUTO_ALONE = ("backward", "lp", "forgetful")
"""If ``auto`` begins with one of these methods, it tries no other: the method succeeds, or no other method applies."""


def methods() -> MappingProxyType[str, Solver]:
    """Return all solvers by name, from this package and from the installed packages that can be loaded.

    Returns
    -------
    mapping of str to Solver
        Read-only. A solver has ``summary``, ``options`` (help by name), ``several`` and ``stops_at_gap``.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.methods()["lp"].several, eb.methods()["extreme"].several
    (False, True)
    >>> eb.solve("kuhn", eb.methods()["lp"]).value[0]
    Fraction(-1, 18)
    """
    return REGISTRY.all()


def method(asked: str | Solver) -> Solver:
    """Return a solver. Raises ``ParameterError`` if its name is unknown, and ``RulesError`` if its plugin is faulty."""
    return asked if isinstance(asked, Solver) else REGISTRY.find(asked, AUTO)


def check_options(name: str | Solver, keys: Iterable[str]) -> None:
    """Raise ``ParameterError`` if the method or one of its options is unknown."""
    known = method(name).options
    for key in keys:
        if key not in known:
            right = f"its options: {', '.join(known)}" if known else "it takes no options"
            raise ParameterError(f"{name} has no option {key!r}; {right}")


def applicable(tree: GameTree) -> Iterator[Solver]:
    """Yield the methods in ``AUTO_ORDER`` that apply to this game and are installed."""
    return (one for one in map(method, AUTO_ORDER) if one.inapplicable(tree) is None and one.lacking() is None)


def choose(tree: GameTree) -> Solver:
    """Return the solver that ``auto`` tries first on this game; if none applies, the last solver in ``AUTO_ORDER``."""
    return next(applicable(tree), method(AUTO_ORDER[-1]))


# Functions as solvers.


def solver_of(function: Callable[[GameTree], Any], name: str = "") -> Solver:
    """Return a solver that calls *function*. The default name is the function's name."""
    name = name or getattr(function, "__name__", type(function).__name__)

    def run(tree: GameTree, request: Request) -> Found:
        request.progress(f"running {name}")
        try:
            answer = function(tree)
        except (EfgBuilderError, *PASSED_ON):
            raise
        except FAILURES as error:
            raise NotSolvedError(f"the solver {name} failed: {type(error).__name__}: {error}") from error
        return Found((_profile(answer, tree, name),))

    return Solver(name, summary_of(function) or "a function", "", Solves(recall=None, exact=False), run)


def _profile(answer: Any, tree: GameTree, name: str) -> Any:
    answer = getattr(answer, "strategy", answer)  # the function may return a solution
    if isinstance(answer, Strategy):
        return answer.on(tree)
    if not isinstance(answer, Mapping) and not is_gambits(answer):
        right = "a strategy or a mapping {information set: {action: probability}}"
        raise NotSolvedError(f"the solver {name} returned {kind_of(answer)}, not {right}")
    return read_strategy(answer, tree)


REGISTRY = Registry("efg_builder.solvers", "efg_builder.solvers", "SOLVERS", "method", Solver, solver_of)
