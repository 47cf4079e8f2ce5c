"""Exams: positions of a game, with the exact loss of each move against a certified equilibrium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from numbers import Integral

from ...base.errors import check_argument
from ...equilibria.solution import Solution
from ...interop.trees import GameLike, as_subject
from ...players.find import Table
from .positions import Position, certified, drawn
from .scores import Score, score

__all__ = ["Position", "Score", "exam", "score"]


def exam(
    game: GameLike, count: int = 200, seed: int = 1, *, solution: str | os.PathLike[str] | Solution | None = None
) -> Iterator[Position]:
    """Draw positions of *game*, each with the exact loss of every move against a certified equilibrium.

    One seat is the examinee's; all other seats play the equilibrium. Before the position, each move of the examinee
    follows the equilibrium with probability 1/2, and is uniformly random otherwise. The draw favors rarely drawn
    depths.

    Parameters
    ----------
    game : GameLike
        Rules, a tree, a name such as ``"kuhn"``, a file, or a pygambit game.
    count : int, default 200
        The number of positions. All positions differ, so a small game may have fewer.
    seed : int, default 1
        Random seed. The same seed and certificate give the same positions on every machine.
    solution : path or Solution, optional
        The equilibrium, which must be verified exactly. By default, the game is solved.

    Yields
    ------
    Position
        An information set that the examinee can reach and that has at least one losing move.

    Raises
    ------
    NotSolvedError
        If the solution is not an exactly verified equilibrium.
    NotApplicableError
        If the equilibrium reaches too many turns to compute losses, or a player lacks perfect recall.
    ParameterError, ProfileError, FileError, TreeTooLargeError
        If an argument is invalid, or belongs to another game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> positions = list(eb.exam("kuhn", 6))
    >>> [position.loss("call") for position in positions if position.hand == "3" and "call" in position.moves]
    [Fraction(0, 1), Fraction(0, 1)]
    """
    for name, value, least in (("count", count, 1), ("seed", seed, 0)):
        right = isinstance(value, Integral) and value >= least
        check_argument("exam", name, value, right, f"a whole number of at least {least}")
    return drawn(certified(Table(as_subject("exam", game)), solution), count, seed)
