"""Solvers: from a tree to candidate profiles. Each solver is one file here with a tuple ``SOLVERS``."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from ..errors import ParameterError, nearest
from ..registry import collect
from .protocol import Facts, Found, Request, Solver

AUTO = "auto"

AUTO_ORDER = ("lp", "gambit-lcp", "gambit-logit")
"""What ``auto`` takes: the first of these that applies."""


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
    known = () if name == AUTO else method(name).options
    for key in keys:
        if name == AUTO:
            raise ParameterError(f"option {key!r} needs a --method (method=): 'auto' has no options of its own")
        if key not in known:
            right = f"its options: {', '.join(known)}" if known else "it takes none"
            raise ParameterError(f"{name} has no option {key!r}; {right}")


def choose(facts: Facts) -> Solver:
    """The solver that ``auto`` stands for on this game; the last of the order where none applies."""
    for name in AUTO_ORDER:
        solver = method(name)
        if solver.inapplicable(facts) is None:
            return solver
    return solver


__all__ = ["AUTO", "AUTO_ORDER", "Facts", "Found", "Request", "Solver", "check_options", "choose", "method", "methods"]
