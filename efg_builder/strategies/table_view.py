"""A game as the table sees it: bids and calls with how often they are made, over all hands together.

With hundreds of deals, a tree of deals is no picture for people. What somebody sees who knows the strategies and
no hand is small: public histories, each with the probability of every move there, and what it is worth in the mean.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from ..base.errors import TreeTooLargeError
from ..forms.extensive import MAX_NODES, NONE, GameTree, Infoset, Ints, Outcome
from ..games.protocol import Deal, DealtGame, PublicEnd
from .reached import Hands, Rows, reached
from .sparse_profile import Solved, SparseProfile, strategies_of
from .tree_profile import TreeProfile


def table_view(profile: SparseProfile | Solved, *, max_nodes: int = MAX_NODES) -> TreeProfile:
    """*profile* as the table sees it: a profile on a tree of the public histories that are reached.

    A solution that was found without a tree stands for its strategies.
    Each history is one node; a move's probability is its mean over the hands, given the history, and an end pays
    the expected payoffs there. So every node's reach is the history's, and every expected payoff is right; but the
    tree is no game that could be played like that, since hands are not in it. It has up to *max_nodes* nodes, and each
    player up to as many hands; where hands are independent no deal is listed, however many there are, else up to as
    many deals.

    Raises ``TreeTooLargeError``, ``ProfileError`` where an action is played that is not legal, and ``ParameterError``
    for anything but a sparse profile or such a solution.
    """
    strategies = strategies_of("table_view", profile)
    game = strategies.game
    if max(game.hand_counts) > max_nodes:  # before they are listed
        raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
    hands = Hands(game)
    if hands.chances is None and game.deal_count > max_nodes:
        raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
    parent, action, infoset, outcome = list[int](), list[int](), list[int](), list[int]()
    infosets, rows, outcomes, reach = list[Infoset](), list[list[Any]](), list[Outcome](), list[Any]()
    counts, ends = [0] * len(game.players), _Ends(hands)
    for place in reached(hands, strategies.behaviors):
        if len(parent) == max_nodes:
            raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
        reach.append(hands.likely(place.rows))
        parent.append(place.above)
        if place.above == NONE:
            action.append(NONE)
        else:
            above = infoset[place.above]
            action.append(infosets[above].actions.index(place.action))
            rows[above].append(reach[-1] / reach[place.above])
        if isinstance(place.turn, PublicEnd):
            infoset.append(NONE)
            outcome.append(len(outcomes))
            label = f"mean {len(outcomes) + 1}"
            outcomes.append(Outcome(len(outcomes) + 1, label, ends.mean(place.turn.key, place.rows)))
            continue
        outcome.append(NONE)
        infoset.append(len(infosets))
        counts[place.turn.player] += 1
        infosets.append(Infoset(place.turn.player, counts[place.turn.player], place.turn.history, tuple(place.onward)))
        rows.append([])
    tree = GameTree(
        title=game.title,
        players=game.players,
        parent=_ints(parent),
        action=_ints(action),
        infoset=_ints(infoset),
        outcome=_ints(outcome),
        infosets=tuple(infosets),
        outcomes=tuple(outcomes),
        comment=_comment(game),
    )
    return TreeProfile.from_personal(tree, dict(enumerate(map(tuple, rows))))


class _Ends:
    """What ends pay in the mean: deals in which all hands are of one class are settled once."""

    def __init__(self, hands: Hands) -> None:
        self.hands, self.game = hands, hands.game
        self._classes: dict[Hashable, list[tuple[int, ...]]] = {}
        self._paid: dict[tuple[Hashable, tuple[Hashable, ...]], tuple[Fraction, ...]] = {}

    def mean(self, key: Hashable, rows: Rows) -> tuple[Fraction, ...]:
        """What the end *key* pays each player in the mean, where hands weigh what is in *rows*."""
        if key not in self._classes:
            alone = self.hands.chances is None  # a deal of these classes might be none that is dealt
            counts = enumerate(self.game.hand_counts)
            self._classes[key] = [tuple(range(n)) if alone else self.game.classes(key, player) for player, n in counts]
        _, found = self.hands.together(rows, self._classes[key])
        payoffs = {cell: self._payoffs(key, cell) for cell in found}
        whole = sum(found.values())  # a whole number, as sparse strategies are exact
        return tuple(
            sum((int(weight) * payoffs[cell][player] for cell, weight in found.items()), Fraction(0)) / int(whole)
            for player in range(len(rows))
        )

    def _payoffs(self, key: Hashable, cell: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
        """One deal stands for all deals of its classes."""
        if (key, cell) not in self._paid:
            held = tuple(map(tuple.index, self._classes[key], cell))
            self._paid[key, cell] = self.game.settle(key, Deal(Fraction(1), held)).payoffs
        return self._paid[key, cell]


def _comment(game: DealtGame) -> str:
    """What the numbers are, which is not plain to see, and the game's own comment."""
    return (
        "As seen at the table, all hands together: beside a move how often it is made there, at an end what it pays "
        f"in the mean. Only what is played is shown. {game.comment}"
    ).strip()


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int32)
