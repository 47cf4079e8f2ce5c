"""What a solver is. Each solver is one file here with a tuple ``SOLVERS``; nothing else lists them.

A solver proposes profiles. It proves nothing: every profile is judged afterwards by
:mod:`efg_builder.analysis`, which shares no code with any solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal

from ..profile import Profile
from ..tree import GameTree, constant_sum, has_perfect_recall


@dataclass(frozen=True)
class Facts:
    """What decides whether a method applies, worked out once."""

    tree: GameTree

    @cached_property
    def players(self) -> int:
        """The number of personal players."""
        return len(self.tree.players)

    @cached_property
    def constant_sum(self) -> Fraction | None:
        """The constant that payoffs sum to, or None."""
        return constant_sum(self.tree)

    @cached_property
    def perfect_recall(self) -> bool:
        """Whether all players have perfect recall."""
        return has_perfect_recall(self.tree)


Progress = Callable[[str], None]
"""Takes one line on what is happening now; may be called often."""


@dataclass(frozen=True)
class Request:
    """What a solver is asked: a time limit in seconds (None for none) and its own options as text."""

    timeout: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = lambda line: None


@dataclass(frozen=True)
class Found:
    """What a solver came back with: none, one or several profiles, and how it ended.

    ``profiles`` are in the order in which they were found. ``ended`` is ``"done"``, ``"timeout"`` (what
    was found by then is still given) or ``"failed"``; ``message`` says why in one sentence.
    """

    profiles: tuple[Profile, ...]
    ended: Literal["done", "timeout", "failed"] = "done"
    message: str = ""


@dataclass(frozen=True)
class Solver:
    """A method by name.

    ``inapplicable`` says in one clause which property of the game the method lacks, or None where it
    applies; ``options`` are its own KEY=VALUE settings with a line of help each. ``several``: it looks for
    more than one equilibrium. ``brackets``: what it returns is near-optimal, so that its two best
    responses bracket the value even where the answer is not exact.
    """

    name: str
    summary: str
    source: str
    inapplicable: Callable[[Facts], str | None]
    run: Callable[[GameTree, Request], Found]
    options: Mapping[str, str] = field(default_factory=dict)
    several: bool = False
    brackets: bool = False


def two_player_constant_sum(facts: Facts) -> str | None:
    """The usual condition of linear programming."""
    if facts.players != 2:
        return f"the game has {facts.players} players, not two"
    if facts.constant_sum is None:
        return "the payoffs do not sum to a constant"
    return None
