"""The part of a game that strategies play, as a tree: small where the game is far too large for one.

A ``SparseProfile`` of a game of 10^10 nodes plays towards some ten thousand of
them. Those are a game tree of their own, and pictures, expected payoffs and reach work on it unchanged.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

import numpy as np

from ..base.errors import TreeTooLargeError
from ..base.words import distinct
from ..forms.extensive import CHANCE, MAX_NODES, NONE, GameTree, Infoset, Ints, Outcome
from ..games.bidding import BiddingGame
from ..games.protocol import Chance, Deal, DealtGame, End, PublicDecision, PublicEnd, State
from .sparse_profile import Solved, SparseProfile, strategies_of


def support_tree(profile: SparseProfile | Solved, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The tree of *profile*'s game, cut down to the support: every node that is reached, and no other.

    A solution that was found without a tree stands for its strategies.
    Information sets, actions, deals and outcomes have the names that they have in the whole tree, in the same order;
    of each set's actions those of positive probability are left, the default move included. The comment says
    what is left out. ``profile.on(tree)`` is the profile on it.

    Raises ``TreeTooLargeError`` over *max_nodes*, ``ProfileError`` where an action is played that is not legal, and
    ``ParameterError`` for anything but a sparse profile or such a solution.
    """
    strategies = strategies_of("support_tree", profile)
    game = strategies.game
    if game.deal_count >= max_nodes:  # before they are listed
        raise TreeTooLargeError(game.deal_count + 1, max_nodes, exact=False)
    return _Public(strategies, max_nodes).tree()


@dataclass(frozen=True)
class _Place:
    """A public history that is reached: ``deals`` with which (indices, ascending), and for each of them ``action``,
    the move that led here (an index among those left), ``infoset`` and ``outcome`` (raw numbers, or NONE).
    """

    above: int
    deals: Ints
    action: Ints
    infoset: Ints
    outcome: Ints


@dataclass
class _Public:
    """Public play, as far as *profile* leads: its histories in prefix order, each with the deals that get there."""

    profile: SparseProfile
    max_nodes: int
    places: list[_Place] = field(default_factory=list)
    sets: list[tuple[int, int, int, str, tuple[str, ...]]] = field(default_factory=list)
    """(player, hand, place, label, actions that are left)."""
    ends: dict[End, int] = field(default_factory=dict)
    settled: dict[tuple[Hashable, tuple[int, ...]], int] = field(default_factory=dict)
    """Ends by key and by what matters of the hands."""

    def tree(self) -> GameTree:
        """Walk, then put the copies of public play, one for each deal, one after another."""
        game, deals = self.profile.game, self.profile.game.deals
        self.hands = _ints(deal.hands for deal in deals)
        self._walk(game.public_root(), deals)
        at = np.concatenate([np.full(len(place.deals), k) for k, place in enumerate(self.places)])
        deal = np.concatenate([place.deals for place in self.places])
        # Within a deal prefix order is that of public play: a place's number in it and the deal's make a key.
        key = deal.astype(np.int64) * len(self.places) + at
        order = np.argsort(key)
        key, at = key[order], at[order]
        above = _ints(place.above for place in self.places)[at]
        parent = 1 + np.searchsorted(key, key - at + above)
        numbers, infosets = self._infosets()
        raw = np.concatenate([place.infoset for place in self.places])[order]
        root = Chance("deal", tuple((game.deal_name(d), d.probability, None) for d in deals))
        return GameTree(
            title=game.title,
            players=game.players,
            parent=_with_root(NONE, np.where(above == NONE, 0, parent)),
            action=_with_root(NONE, np.concatenate([place.action for place in self.places])[order]),
            infoset=_with_root(0, np.where(raw == NONE, NONE, numbers[raw])),
            outcome=_with_root(NONE, np.concatenate([place.outcome for place in self.places])[order]),
            infosets=(_deal_set(root), *infosets),
            outcomes=self._outcomes(),
            comment=_comment(game, 1 + len(key)),
        )

    def _walk(self, start: State, deals: tuple[Deal, ...]) -> None:
        game, nodes = self.profile.game, 1
        everyone = np.arange(len(deals), dtype=np.int32)
        stack: list[tuple[State, int, Ints, Ints]] = [(start, NONE, everyone, everyone)]
        while stack:
            state, above, here, action = stack.pop()
            nodes += len(here)
            if nodes > self.max_nodes:
                raise TreeTooLargeError(self.max_nodes, self.max_nodes, exact=False)
            turn, nothing = game.public_turn(state), np.full(len(here), NONE, dtype=np.int32)
            if isinstance(turn, PublicEnd):
                self.places.append(_Place(above, here, action, nothing, self._settle(turn, here, deals)))
                continue
            infoset, played = self._decide(turn, here)
            at = len(self.places)
            self.places.append(_Place(above, here, action, infoset, nothing))
            for a in reversed(range(len(turn.actions))):
                kept = played[a] != NONE
                if kept.any():
                    stack.append((turn.actions[a][1], at, here[kept], played[a][kept]))

    def _decide(self, turn: PublicDecision, here: Ints) -> tuple[Ints, Ints]:
        """Each deal's information set; and by action and deal, which of those left it is (NONE: not played)."""
        names = [action for action, _ in turn.actions]
        held = self.hands[here, turn.player]
        sets = np.full(self.profile.game.hand_counts[turn.player], NONE, dtype=np.int32)
        played = np.full((len(names), len(sets)), NONE, dtype=np.int32)
        for hand in np.unique(held).tolist():
            left = self.profile.played(turn, hand)
            played[[names.index(action) for action in left], hand] = np.arange(len(left))
            sets[hand] = len(self.sets)
            label = self.profile.game.infoset_name(turn.player, hand, turn.history)
            self.sets.append((turn.player, hand, len(self.places), label, tuple(left)))
        return sets[held], played[:, held]

    def _settle(self, turn: PublicEnd, here: Ints, deals: tuple[Deal, ...]) -> Ints:
        """Each deal's end. Those that pay the same are settled once."""
        game = self.profile.game
        matters = np.stack(
            [np.array(game.classes(turn.key, p))[self.hands[here, p]] for p in range(len(game.players))], axis=1
        )
        found = []
        for deal, row in zip(here.tolist(), map(tuple, matters.tolist()), strict=True):
            if (turn.key, row) not in self.settled:
                end = game.settle(turn.key, deals[deal])
                self.settled[turn.key, row] = self.ends.setdefault(end, len(self.ends))
            found.append(self.settled[turn.key, row])
        return _ints(found)

    def _infosets(self) -> tuple[Ints, list[Infoset]]:
        """The sets player by player and hand by hand, as in the whole tree, and each raw one's index among all."""
        order = sorted(range(len(self.sets)), key=lambda raw: self.sets[raw][:3])
        numbers = np.zeros(len(order), dtype=np.int32)
        numbers[order] = np.arange(1, len(order) + 1)
        counts = [0] * len(self.profile.game.players)
        infosets = []
        for raw in order:
            player, _, _, label, actions = self.sets[raw]
            counts[player] += 1
            infosets.append(Infoset(player, counts[player], label, actions))
        return numbers, infosets

    def _outcomes(self) -> tuple[Outcome, ...]:
        named = zip(self.ends, distinct(end.label for end in self.ends), strict=True)
        return tuple(Outcome(number, label, end.payoffs) for number, (end, label) in enumerate(named, start=1))


def _deal_set(root: Chance) -> Infoset:
    labels, chances, _ = zip(*root.branches, strict=True)
    return Infoset(CHANCE, 1, root.label, labels, chances)


def _comment(game: DealtGame, nodes: int) -> str:
    """The game's own comment, and what is left out."""
    move = f"would {game.call}" if isinstance(game, BiddingGame) else "would make the move that can end play soonest"
    shown = f"Shown is only what is played: {nodes:,} of {game.size().nodes:,} nodes; anywhere else a player {move}."
    return f"{game.comment} {shown}".strip()


def _ints(numbers: Iterable[object]) -> Ints:
    return np.array(list(numbers), dtype=np.int32)


def _with_root(at_root: int, rows: Ints) -> Ints:
    return np.concatenate([[at_root], rows]).astype(np.int32)
