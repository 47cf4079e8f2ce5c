"""Learning curves: the bounds on a value that the strategies of an iterative method prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..base.rationals import Number
from ..proof import verify
from ..strategies.tree_profile import Strategy

if TYPE_CHECKING:
    from .solution import Solution

RESUMED = "resumed"
"""The key in the details of a search that continued a checkpoint. Its curve has no points before the checkpoint."""


@dataclass(frozen=True)
class CurvePoint:
    """The verdict on the strategies after some iterations of a method.

    Attributes
    ----------
    iterations : int
        The number of iterations or rounds.
    lower, upper : Fraction, float or None
        The payoff that player 1's strategy guarantees, and the payoff to which player 2's strategy limits player 1;
        None if the game is not a two-player constant-sum game.
    regret : Fraction or float
        The largest gain of any player from a best response.

    Examples
    --------
    >>> import efg_builder as eb
    >>> first, *_, last = eb.solve("kuhn", "cfr", gap=1e-3, curve=True).curve
    >>> first.iterations, first.lower < last.lower <= last.upper < first.upper
    (1, True)
    """

    iterations: int
    lower: Number | None
    upper: Number | None
    regret: Number


def recorder(points: list[CurvePoint]) -> Callable[[int, Strategy], None]:
    """Return a function that verifies strategies by best responses, and adds the verdict to *points*."""

    def record(iterations: int, strategy: Strategy) -> None:
        verdict = verify(strategy)
        points.append(CurvePoint(iterations, verdict.lower, verdict.upper, verdict.regret))

    return record


def completed(points: Sequence[CurvePoint], solution: Solution) -> tuple[CurvePoint, ...]:
    """Return *points* with a last point for the verdict on *solution*."""
    verdict, details = solution.verdict, solution.details
    if verdict is None:
        return tuple(points)
    number = details.get("iterations", details.get("rounds"))
    end = max([1, *(point.iterations for point in points), *([number] if isinstance(number, int) else [])])
    last = CurvePoint(end, verdict.lower, verdict.upper, verdict.regret)
    return (*(point for point in points if point.iterations < end), last)
