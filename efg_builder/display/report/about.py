"""What a report is about: a solution, with what the sections ask of it, worked out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from ...base.errors import TreeTooLargeError
from ...base.rationals import Number, is_played
from ...equilibria.openings import bluffing
from ...equilibria.ranges import Ranges
from ...equilibria.solution import Solution
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.liars_dice import LiarsDice
from ...games.protocol import DealtGame, Game
from ...proof.bid_statistics import BidFigures, bid_figures
from ...proof.likeliest import told_by_moves
from ...proof.reach import reaches
from ...strategies.sparse_profile import SparseProfile
from ...strategies.support_tree import support_tree
from ...strategies.tree_profile import Profile
from .markup import share

MOST_NODES = 200_000
"""Strategies without a tree are shown node by node up to so many nodes of what is played."""


@dataclass(frozen=True)
class Commands:
    """The command lines that the report names: what made it, what makes and proves the solution's file, what plays."""

    report: str
    solve: str
    verify: str
    play: str = ""


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
    def refined(self) -> bool:
        """Whether it is an equilibrium that also plays well after mistakes, verified as such."""
        return self.solution.refined is not None

    @property
    def strategies(self) -> Profile | SparseProfile | None:
        """What is played, on a tree or without; None where nothing was found, or it could not be judged."""
        if self.solution.verdict is None:
            return None
        return self.solution.strategy

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
        """The probability of each node of ``played``'s tree."""
        assert self.played is not None
        return reaches(self.played.tree, self.played)

    @cached_property
    def public(self) -> bool:
        """Whether the players' moves are all that everybody sees of ``played``, so that it has a public view."""
        return self.played is not None and told_by_moves(self.played.tree, dealt=self.dealt is not None) is not None

    @cached_property
    def free(self) -> frozenset[int] | None:
        """The information sets, by index, where other equilibria do otherwise; None where that is not known."""
        if self.ranges is None:
            return None
        return frozenset(a.infoset for a in self.ranges.actions if a.conditional is not None and not a.forced)

    @cached_property
    def bids(self) -> tuple[BidFigures, ...]:
        """Every bid that is made; empty where there are none to be told."""
        if self.bidding is None or self.strategies is None:
            return ()
        return tuple(row for row in bid_figures(self.strategies, self.bidding) if is_played(row.made))

    @cached_property
    def bluffs(self) -> tuple[str, ...]:
        """How much of each player's bids is bluff, in words, as markup; empty where bids claim nothing."""
        words = []
        for one in bluffing(self.solution, self.game):
            made = sum(row.made for row in self.bids if self.players[row.player] == one.player)
            many = f", of which there are {100 * float(made):.3g} in 100 rounds" if made else ""
            words.append(f"{share(one.share)} of {escape(one.player)}'s bids{many}")
        return tuple(words)

    @property
    def bluff(self) -> str:
        """What a bid is that counts as a bluff, in plain words."""
        wild = ", nor a wild one" if isinstance(self.game, LiarsDice) and self.game.wild is not None else ""
        return f"a bid on a face that the bidder does not hold at all{wild}"

    @property
    def here(self) -> str:
        """Where figures of play hold."""
        return "in this equilibrium" if self.equilibrium else "by these strategies"
