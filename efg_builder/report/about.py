"""What a report is about: a solution, with what the sections ask of it, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ..drawing.play import reaches
from ..equilibrium_ranges import Ranges
from ..errors import TreeTooLargeError
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game
from ..profile import Profile
from ..rationals import Number
from ..solution import Solution
from ..sparse_profile import SparseProfile
from ..support import support_tree
from ..tree import GameTree

MOST_NODES = 200_000
"""Strategies without a tree are shown node by node up to so many nodes of what is played."""


@dataclass(frozen=True)
class Commands:
    """The command lines that the report names: what made it, and what makes and proves the solution's file."""

    report: str
    solve: str
    verify: str


@dataclass(frozen=True, eq=False)
class About:
    """A solution to report on; ``ranges`` over all equilibria, where they are known; ``commands`` to print.

    ``file``: the name of the file that the strategies were read from, or empty where they were found just now.
    """

    solution: Solution
    commands: Commands
    ranges: Ranges | None = None
    file: str = ""

    @property
    def game(self) -> Game | None:
        """The rules, where they are known."""
        return self.solution.game

    @property
    def dealt(self) -> DealtGame | None:
        """The rules, where they are those of a deal followed by public play."""
        return self.game if isinstance(self.game, DealtGame) else None

    @property
    def bidding(self) -> BiddingGame | None:
        """The rules, where they are those of bidding."""
        return self.game if isinstance(self.game, BiddingGame) else None

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.solution.players

    @property
    def tree(self) -> GameTree | None:
        """The whole tree, where there is one."""
        return self.solution.tree

    @property
    def equilibrium(self) -> bool:
        """Whether it is a verified equilibrium: nothing else may be called one."""
        return self.solution.status == "equilibrium"

    @property
    def strategies(self) -> Profile | SparseProfile | None:
        """What is played, on a tree or without; None where nothing was found, or it could not be judged."""
        if self.solution.verdict is None:
            return None
        return self.solution.sparse.profile if self.solution.sparse is not None else self.solution.profile

    @cached_property
    def played(self) -> Profile | None:
        """What is played, on the whole tree or on that of what is played; None where there is none, or too much."""
        found = self.strategies
        if not isinstance(found, SparseProfile):
            return found
        try:
            return found.on(support_tree(found, max_nodes=MOST_NODES))
        except TreeTooLargeError:
            return None

    @cached_property
    def reach(self) -> Sequence[Number]:
        """The probability of each node of :attr:`played`'s tree."""
        assert self.played is not None
        return reaches(self.played.tree, self.played)

    @property
    def here(self) -> str:
        """Where figures of play hold."""
        return "in this equilibrium" if self.equilibrium else "by these strategies"
