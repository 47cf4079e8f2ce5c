"""A game as the table sees it: bids and calls with how often they are made, over all hands together.

With hundreds of deals, a tree of deals is no picture for people. What somebody sees who knows the strategies and
no hand is small: public histories, each with the probability of every move there, and what it is worth in the mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ..base.errors import TreeTooLargeError
from ..forms.extensive import MAX_NODES, NONE, GameTree, Infoset, Ints, Outcome
from ..games.protocol import Deal, DealtGame, End, PublicDecision, PublicEnd, State
from .sparse_profile import Solved, SparseProfile, strategies_of
from .tree_profile import TreeProfile

Ways = list[tuple[Deal, Fraction]]
"""The deals with which play gets somewhere, each with the probability of that, the deal's included."""


def table_view(profile: SparseProfile | Solved, *, max_nodes: int = MAX_NODES) -> TreeProfile:
    """*profile* as the table sees it: a profile on a tree of the public histories that are reached.

    A solution that was found without a tree stands for its strategies.
    Each history is one node; a move's probability is its mean over the hands, given the history, and an end pays
    the expected payoffs there. So every node's reach is the history's, and every expected payoff is right; but the
    tree is no game that could be played like that, since hands are not in it. It takes a step for each node of the
    support tree (``support_tree``), of which up to *max_nodes* are allowed.

    Raises ``TreeTooLargeError``, ``ProfileError`` where an action is played that is not legal, and ``ParameterError``
    for anything but a sparse profile or such a solution.
    """
    strategies = strategies_of("table_view", profile)
    if strategies.game.deal_count >= max_nodes:  # before they are listed
        raise TreeTooLargeError(strategies.game.deal_count + 1, max_nodes, exact=False)
    return _Walk(strategies, max_nodes).table()


@dataclass
class _Walk:
    """Public play as far as *profile* leads, in prefix order: columns of the tree, and its tables."""

    profile: SparseProfile
    max_nodes: int
    parent: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    infoset: list[int] = field(default_factory=list)
    outcome: list[int] = field(default_factory=list)
    infosets: list[Infoset] = field(default_factory=list)
    rows: dict[int, tuple[Fraction, ...]] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def table(self) -> TreeProfile:
        """Walk, and put the tree together."""
        game = self.profile.game
        ways, steps = [(deal, deal.probability) for deal in game.deals], 0
        stack: list[tuple[State, int, int, Ways]] = [(game.public_root(), NONE, NONE, ways)]
        while stack:
            state, above, by, ways = stack.pop()
            steps += len(ways)
            if steps > self.max_nodes:
                raise TreeTooLargeError(self.max_nodes, self.max_nodes, exact=False)
            node, turn = len(self.parent), game.public_turn(state)
            self.parent.append(above)
            self.action.append(by)
            if isinstance(turn, PublicEnd):
                self._end(turn, ways)
                continue
            onward = self._decide(turn, ways)
            follow = [then for action, then in turn.actions if action in onward]
            moves = zip(follow, range(len(follow)), onward.values(), strict=True)
            stack += reversed([(then, node, number, way) for then, number, way in moves])
        tree = GameTree(
            title=game.title,
            players=game.players,
            parent=_ints(self.parent),
            action=_ints(self.action),
            infoset=_ints(self.infoset),
            outcome=_ints(self.outcome),
            infosets=tuple(self.infosets),
            outcomes=tuple(self.outcomes),
            comment=_comment(game),
        )
        return TreeProfile.from_personal(tree, self.rows)

    def _decide(self, turn: PublicDecision, ways: Ways) -> dict[str, Ways]:
        """The ways on, by action that is played; adds the turn."""
        played = {hand: self.profile.played(turn, hand) for hand in {deal.hands[turn.player] for deal, _ in ways}}
        found: dict[str, Ways] = {}
        for deal, way in ways:
            for action, p in played[deal.hands[turn.player]].items():
                found.setdefault(action, []).append((deal, way * p))
        onward = {action: found[action] for action, _ in turn.actions if action in found}
        self.infoset.append(len(self.infosets))
        self.outcome.append(NONE)
        self.rows[len(self.infosets)] = tuple(_sum(way) / _sum(ways) for way in onward.values())
        number = 1 + sum(1 for known in self.infosets if known.player == turn.player)
        self.infosets.append(Infoset(turn.player, number, turn.history, tuple(onward)))
        return onward

    def _end(self, turn: PublicEnd, ways: Ways) -> None:
        """Adds an end that pays what this one pays in the mean."""
        ends: dict[End, Fraction] = {}
        for deal, way in ways:
            end = self.profile.game.settle(turn.key, deal)
            ends[end] = ends.get(end, Fraction(0)) + way
        paid = tuple(
            sum((way * end.payoffs[player] for end, way in ends.items()), Fraction(0)) / _sum(ways)
            for player in range(len(self.profile.game.players))
        )
        self.infoset.append(NONE)
        self.outcome.append(len(self.outcomes))
        self.outcomes.append(Outcome(len(self.outcomes) + 1, f"mean {len(self.outcomes) + 1}", paid))


def _sum(ways: Ways) -> Fraction:
    return sum((way for _, way in ways), Fraction(0))


def _comment(game: DealtGame) -> str:
    """What the numbers are, which is not plain to see, and the game's own comment."""
    return (
        "As seen at the table, all hands together: beside a move how often it is made there, at an end what it pays "
        f"in the mean. Only what is played is shown. {game.comment}"
    ).strip()


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int32)
