"""One round, played as fast as plain Python goes: what was asked once is not asked again.

The public turns that play has come to are kept as nodes, with the players' probabilities there as running sums; so a
move costs a look at a list, and the rules are asked only where nobody has been. What is kept is bounded: a hall that
is full begins anew, which changes no result.

Nobody is told how a round ended (``Policy.told``): the same deal is played again, with seats exchanged and by others,
so that whoever heard what hands it uncovers would know the hands of those games.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

from ...games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from .draws import MOVES, Moves
from .moves import Mover

ROOM = 1_500_000
"""Moves that are kept, about: those of public turns, and their probabilities; some 200 bytes each."""

PART = 10
"""Of other things a hall keeps this part of its room."""

_ALL = 2.0
"""More than any number drawn."""

Paid = tuple[float, ...]


@dataclass(eq=False, slots=True)
class _Node:
    """A public turn: ``rows[player, hand]`` are running sums, ``after`` what was there of each action."""

    turn: PublicDecision
    after: list[_Node | _End | None]
    rows: dict[tuple[int, int], list[float]]


@dataclass(eq=False, slots=True)
class _End:
    key: Hashable


@dataclass(frozen=True, slots=True)
class Played:
    """A round that was played: the ``key`` of its end, and who made the last move."""

    key: Hashable
    caller: int


@dataclass(eq=False)
class Hall:
    """Where *game* is played by *movers*, each of whom may sit in any seat."""

    game: DealtGame
    movers: Sequence[Mover]
    room: int = ROOM
    _root: _Node | None = None
    _held: int = 0
    _paid: dict[tuple[Hashable, tuple[int, ...]], Paid] = field(default_factory=dict)
    _short: dict[tuple[int, int, State, int], list[float]] = field(default_factory=dict)
    _hands: tuple[list[float], ...] | None = None
    _deals: tuple[list[float], list[tuple[int, ...]]] | None = None

    def hands(self, numbers: Sequence[float]) -> tuple[int, ...]:
        """The hands (by index) that *numbers*, one for each seat, uniform in [0, 1), deal."""
        if self._hands is None and self._deals is None:
            chances = self.game.hand_probabilities
            if chances is not None:
                self._hands = tuple(_sums(list(map(float, mine))) for mine in chances)
            else:
                deals = self.game.deals
                self._deals = (_sums([float(deal.probability) for deal in deals]), [deal.hands for deal in deals])
        if self._hands is not None:
            return tuple(map(bisect_right, self._hands, numbers))
        assert self._deals is not None
        return self._deals[1][bisect_right(self._deals[0], numbers[0])]

    def play(self, seats: Sequence[int], hands: Sequence[int], moves: Moves) -> Played:
        """One round: *seats* are the movers (by index) in the players' seats, *hands* what they hold.

        Raises ``ProfileError`` where a policy answers what is no behavior.
        """
        node = self._start()
        made, drawn = [0] * len(seats), moves.row(0)
        while True:
            player = node.turn.player
            who, hand, k = seats[player], hands[player], made[player]
            made[player] = k + 1
            row = node.rows.get((who, hand)) or self._row(node, who, hand)
            number = drawn[player][k] if k < MOVES else moves.row(k // MOVES)[player][k % MOVES]
            action = bisect_right(row, number)
            then = node.after[action] or self._then(node, action)
            if isinstance(then, _End):
                return Played(then.key, player)
            node = then

    def paid(self, key: Hashable, hands: tuple[int, ...]) -> Paid:
        """What the end *key* pays each seat when *hands* are uncovered."""
        found = self._paid.get((key, hands))
        if found is None:
            found = tuple(map(float, self.game.settle(key, Deal(Fraction(1), hands)).payoffs))
            if len(self._paid) >= self.room // PART:
                self._paid.clear()
            self._paid[key, hands] = found
        return found

    def _start(self) -> _Node:
        if self._root is None or self._held > self.room:
            self._held = 0
            root = self._made(self.game.public_root())
            assert isinstance(root, _Node)
            self._root = root
        return self._root

    def _made(self, state: State) -> _Node | _End:
        turn = self.game.public_turn(state)
        if isinstance(turn, PublicEnd):
            return _End(turn.key)
        self._held += len(turn.actions)
        return _Node(turn, [None] * len(turn.actions), {})

    def _then(self, node: _Node, action: int) -> _Node | _End:
        then = node.after[action] = self._made(node.turn.actions[action][1])
        return then

    def _row(self, node: _Node, who: int, hand: int) -> list[float]:
        one, turn = self.movers[who], node.turn
        if not one.by_last_bid:
            self._held += len(turn.actions)
            row = node.rows[who, hand] = self._asked(who, turn, hand)
            return row
        key = who, turn.player, turn.history.rpartition(" ")[2], hand
        found = self._short.get(key)
        if found is None:
            if len(self._short) >= self.room // PART:
                self._short.clear()
            found = self._short[key] = self._asked(who, turn, hand)
        node.rows[who, hand] = found
        return found

    def _asked(self, who: int, turn: PublicDecision, hand: int) -> list[float]:
        return _sums(self.movers[who].row(turn, hand))


def _sums(chances: list[float]) -> list[float]:
    """Running sums in which ``bisect_right`` of a number in [0, 1) finds k with the k-th chance, and none that is 0.

    Rounding must not lead past the last one that can happen: from there on the sums are above all numbers.
    """
    total = sum(chances)
    last = max(k for k, chance in enumerate(chances) if chance > 0)
    sums = [each / total for each in accumulate(chances)]
    return [each if k < last else _ALL for k, each in enumerate(sums)]
