"""Solvers: from a game or a tree to candidate strategies. Each algorithm is one folder with a tuple ``SOLVERS``.

``protocol``: what a solver is. ``bidding_model``, ``tree_model``: games as arrays, for ``oracle`` and ``cfr``. ``lp``:
linear programs on the sequence form. ``oracle``: double oracles. ``cfr``: regret minimisation. ``gambit``: Gambit's
routines.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..base.errors import ParameterError, nearest
from ..base.registry import collect
from .protocol import Facts, Found, Request, Solver

AUTO = "auto"

AUTO_ORDER = (
    "lp",
    "gambit-lcp",
    "gambit-logit",
    "gambit-enumpure",
    "gambit-ipa",
    "gambit-gnm",
    "gambit-hp",
    "gambit-enumpoly",
    "gambit-enummixed",
    "gambit-simpdiv",
    "gambit-liap",
)
"""``auto`` takes the first of these that applies; of Gambit's routines, one after the other until one succeeds.

By their results on Gambit's catalogue and on random trees of 31 to 1,023 nodes for two to four players: Lemke's
method solved all that any routine did for two; for three and four, logit solved the most and always ended within
seconds, then enumpure, ipa and gnm; the others solved nothing that these did not.
"""


def methods() -> MappingProxyType[str, Solver]:
    """Every solver by name."""
    return collect(__name__, "SOLVERS")


def method(name: str) -> Solver:
    """The solver of that name. Raises ``ParameterError``."""
    known = methods()
    if name not in known:
        raise ParameterError(f"there is no method {name!r}; {nearest(name, [*known, AUTO])}")
    return known[name]


def check_options(name: str, keys: Iterable[str]) -> None:
    """Raise ``ParameterError`` for an unknown method, or for a key that is no option of it."""
    known = method(name).options
    for key in keys:
        if key not in known:
            right = f"its options: {', '.join(known)}" if known else "it takes none"
            raise ParameterError(f"{name} has no option {key!r}; {right}")


def applicable(facts: Facts) -> tuple[Solver, ...]:
    """Those of ``AUTO_ORDER`` that apply to this game, in that order."""
    return tuple(solver for solver in map(method, AUTO_ORDER) if solver.inapplicable(facts) is None)


def choose(facts: Facts) -> Solver:
    """The solver that ``auto`` begins with on this game; the last of the order where none applies."""
    return next(iter(applicable(facts)), method(AUTO_ORDER[-1]))


__all__ = [
    "AUTO",
    "AUTO_ORDER",
    "Facts",
    "Found",
    "Request",
    "Solver",
    "applicable",
    "check_options",
    "choose",
    "method",
    "methods",
]
