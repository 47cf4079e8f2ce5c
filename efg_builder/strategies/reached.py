"""Public play under strategies, history by history, over all hands together: how much each hand weighs there.

A hand's weight for its player is the probability of the player's own moves, times that of the hand where hands are
independent. So nothing is listed deal by deal but where hands depend on each other. Weights of exact strategies are
whole numbers over one scale: these are added and multiplied in a tenth of the time that fractions take.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod
from typing import NamedTuple

from ..base.rationals import Number
from ..forms.extensive import NONE
from ..games.protocol import DealtGame, PublicDecision, PublicEnd, State

Count = int | float
"""A number over a scale: whole of exact strategies; of others a float, and its scale is 1."""

Behaviors = Callable[[PublicDecision, Collection[int]], Mapping[int, Mapping[str, Number]]]
"""What the mover does at a turn with each of these hands: probabilities by action."""


class Weights(NamedTuple):
    """One number for each hand of a player, ``by_hand``, over ``scale``; hands that do not get there are left out."""

    scale: int
    by_hand: dict[int, Count]


Rows = tuple[Weights, ...]
"""The weights of every player."""


class Reached(NamedTuple):
    """A public history that play reaches: the last ``action`` (empty at the start), and the weights of all players.

    ``above``: which history is the one before, counted from 0 as they come; NONE at the start. ``onward``: the mover's
    weights after each action that is made, in the order of the rules; empty where play ends.
    """

    turn: PublicDecision | PublicEnd
    above: int
    action: str
    rows: Rows
    onward: dict[str, Weights]


def number(count: Count, scale: int) -> Number:
    """The number itself."""
    return Fraction(count, scale) if isinstance(count, int) else count / scale


class Hands:
    """How the hands of *game* are dealt.

    ``chances``: of each player's hands; None where hands are not independent.
    """

    def __init__(self, game: DealtGame) -> None:
        self.game, self.chances = game, game.hand_probabilities

    @cached_property
    def _deals(self) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
        """The deals' probabilities over one scale."""
        deals = self.game.deals
        scale = lcm(*(deal.probability.denominator for deal in deals))
        return scale, [(deal.hands, int(deal.probability * scale)) for deal in deals]

    def start(self) -> Rows:
        """The weights before the first move."""
        if self.chances is None:
            return tuple(Weights(1, dict.fromkeys(range(count), 1)) for count in self.game.hand_counts)
        rows = []
        for mine in self.chances:
            scale = lcm(*(chance.denominator for chance in mine))
            rows.append(Weights(scale, {hand: int(chance * scale) for hand, chance in enumerate(mine) if chance}))
        return tuple(rows)

    def together(
        self, rows: Rows, classes: Sequence[Sequence[Hashable]]
    ) -> tuple[int, dict[tuple[Hashable, ...], Count]]:
        """How likely play gets there with hands of which *classes* (by player and hand), over a scale."""
        scale, found = prod(row.scale for row in rows), dict[tuple[Hashable, ...], Count]()
        if self.chances is not None:
            sums = []
            for row, mine in zip(rows, classes, strict=True):
                added = dict[Hashable, Count]()
                for hand, weight in row.by_hand.items():
                    added[mine[hand]] = added.get(mine[hand], 0) + weight
                sums.append(added)
            for cell in product(*sums):
                found[cell] = prod(mine[name] for mine, name in zip(sums, cell, strict=True))
            return scale, found
        by_chance, deals = self._deals
        for hands, chance in deals:
            if all(hand in row.by_hand for row, hand in zip(rows, hands, strict=True)):
                cell = tuple(mine[hand] for mine, hand in zip(classes, hands, strict=True))
                weight = prod((row.by_hand[hand] for row, hand in zip(rows, hands, strict=True)), start=chance)
                found[cell] = found.get(cell, 0) + weight
        return scale * by_chance, found

    def held(self, rows: Rows, player: int) -> Weights:
        """For each hand of *player*, the probability that it is held and that play gets there."""
        if self.chances is not None:
            others = [row for other, row in enumerate(rows) if other != player]
            scale, times = prod(row.scale for row in others), prod(sum(row.by_hand.values()) for row in others)
            return Weights(rows[player].scale * scale, {hand: times * w for hand, w in rows[player].by_hand.items()})
        classes = [
            range(count) if other == player else [0] * count for other, count in enumerate(self.game.hand_counts)
        ]
        scale, found = self.together(rows, classes)
        return Weights(scale, {cell[player]: weight for cell, weight in sorted(found.items())})  # type: ignore[misc]

    def likely(self, rows: Rows) -> Number:
        """How likely play gets there."""
        if self.chances is not None:
            return number(prod(sum(row.by_hand.values()) for row in rows), prod(row.scale for row in rows))
        scale, found = self.together(rows, [[0] * count for count in self.game.hand_counts])
        return number(sum(found.values()), scale)


def reached(hands: Hands, behaviors: Behaviors) -> Iterator[Reached]:
    """All public histories that are reached under *behaviors*, in prefix order, lowest moves first."""
    game, count = hands.game, 0
    stack: list[tuple[State, int, str, Rows]] = [(game.public_root(), NONE, "", hands.start())]
    while stack:
        state, above, action, rows = stack.pop()
        turn, onward = game.public_turn(state), dict[str, Weights]()
        if isinstance(turn, PublicDecision):
            row = rows[turn.player]
            if hands.chances is None:
                # A hand that nobody else's hands leave possible asks for nothing.
                possible = hands.held(rows, turn.player).by_hand
                row = Weights(row.scale, {hand: weight for hand, weight in row.by_hand.items() if hand in possible})
            onward = _parted(turn, row, behaviors(turn, row.by_hand.keys()))
            before, after = rows[: turn.player], rows[turn.player + 1 :]
            stack += [
                (then, count, move, (*before, onward[move], *after))
                for move, then in reversed(turn.actions)
                if move in onward
            ]
        yield Reached(turn, above, action, rows, onward)
        count += 1


def _parted(turn: PublicDecision, row: Weights, behaviors: Mapping[int, Mapping[str, Number]]) -> dict[str, Weights]:
    """The mover's weights after each action that is made at *turn*, in the order of the rules."""
    made: dict[str, list[tuple[int, Number]]] = {}
    for hand in row.by_hand:
        for action, p in behaviors[hand].items():
            if p:
                made.setdefault(action, []).append((hand, p))
    weights, found = row.by_hand, dict[str, Weights]()
    for action, _ in turn.actions:
        if action not in made:
            continue
        if all(isinstance(weights[hand], int) and not isinstance(p, float) for hand, p in made[action]):
            scale = lcm(*{p.denominator for _, p in made[action]})  # type: ignore[union-attr]
            part = {hand: weights[hand] * p.numerator * (scale // p.denominator) for hand, p in made[action]}  # type: ignore[union-attr]
            found[action] = _lowest(row.scale * scale, part)
        else:
            # To floats at once: a whole number may be too long for one.
            found[action] = Weights(1, {hand: weights[hand] / row.scale * float(p) for hand, p in made[action]})
    return found


def _lowest(scale: int, weights: dict[int, Count]) -> Weights:
    """In lowest terms: numbers stay as short as those of a realization plan."""
    common = scale
    for weight in weights.values():
        if common == 1:
            return Weights(scale, weights)
        common = gcd(common, weight)  # type: ignore[arg-type]
    return Weights(scale // common, {hand: weight // common for hand, weight in weights.items()})
