"""Exact bounds for strategies of games no tree can hold: best responses over all of public play.

This module is the judge of what the oracle finds, and shares no code with it. It is plain recursion in whole
numbers, without floats, arrays or solvers, so that it can be read and redone.

Of two players, the one judged (the *opponent*) plays as written and the other (the *responder*) as well as can
be. The recursion goes over public histories. On the way down it carries, for each hand of the opponent, the
probability that the opponent plays towards this history; on the way up it brings, for each hand of the
responder, the most that can still be had, weighted by the opponent's hands and their way here. At the
responder's turns every action is tried, at the opponent's only what is played, so that only histories which the
opponent's strategy leads to are visited: however large the game, these are about as many as are written down,
times the actions at each. The responder sees the own hand and the public history, so that choosing for each
pair of them separately, from the last move backwards, is a best response (perfect recall; Kuhn 1953).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod
from operator import mul

from ..base.errors import NotApplicableError, ProfileError
from ..games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from ..strategies.sparse_profile import SparseProfile
from .verify import Verdict, check_tolerance

Weights = tuple[int, list[int]]
"""One number for each hand of a player, as a common denominator and the numerators."""


@dataclass(frozen=True)
class SparseVerdict(Verdict):
    """The verdict on a ``SparseProfile``, always exact; ``reach`` is empty.

    ``visited``: the public histories at which someone moves that each player's best response had to look at,
    because the other's strategy leads there.
    """

    visited: tuple[int, ...]


def verify_sparse(profile: SparseProfile, tolerance: float | Fraction | None = None) -> SparseVerdict:
    """Judge *profile* by both players' best responses over the whole game, in exact arithmetic.

    It is an equilibrium where its regret is at most *tolerance* (None: 0) times the range of the payoffs at the
    ends that were visited. Raises ``NotApplicableError`` unless there are two players who divide a constant
    sum, and where play is too deep for Python's recursion (about 400 moves); ``ProfileError`` where an action
    is played that is not legal; and what ``verify.check_tolerance`` raises.
    """
    check_tolerance(tolerance)
    game = profile.game
    total = game.constant_sum
    if len(game.players) != 2 or total is None:
        raise NotApplicableError(f"{game.title}: bounds need two players who divide a constant sum")
    ends = _Ends(game, total)
    responses = tuple(_Response(profile, player, ends) for player in range(2))
    try:
        best = tuple(response.value() for response in responses)
    except RecursionError:
        raise NotApplicableError(f"{game.title}: play is too deep to be judged by recursion") from None
    first = _expected(profile, ends)
    value = (first, total - first)
    regret = max(b - v for b, v in zip(best, value, strict=True))
    return SparseVerdict(
        value=value,
        best_responses=best,
        regret=regret,
        reach=(),
        lower=total - best[1],
        upper=best[0],
        equilibrium=regret <= Fraction(tolerance or 0) * (max(ends.paid) - min(ends.paid)),
        exact=True,
        visited=tuple(response.visited for response in responses),
    )


class _Response:
    """The best response of *player* to the other's strategy in *profile*."""

    def __init__(self, profile: SparseProfile, player: int, ends: _Ends) -> None:
        self.profile, self.player, self.ends = profile, player, ends
        self.visited = 0

    def value(self) -> Fraction:
        """What the player can get, the deal included."""
        game = self.profile.game
        return _product(self.ends.start(self.player), self._most(game.public_root(), self.ends.start(1 - self.player)))

    def _most(self, state: State, reach: Weights) -> Weights:
        """The most from *state* on, for each own hand; *reach* are the opponent's hands and their way here."""
        turn = self.profile.game.public_turn(state)
        if isinstance(turn, PublicEnd):
            return self.ends.worth(turn.key, self.player, reach)
        self.visited += 1
        if turn.player == self.player:
            found = [self._most(then, reach) for _, then in turn.actions]
        else:
            found = [self._most(turn.actions[a][1], way) for a, way in _played(self.profile, turn, reach)]
        scale = lcm(*(denominator for denominator, _ in found))
        rows = [row if d == scale else [scale // d * number for number in row] for d, row in found]
        if len(rows) == 1:
            return scale, rows[0]
        # max for the responder, who chooses; sum for the opponent, whose ways part.
        return scale, list(map(max, *rows) if turn.player == self.player else map(sum, zip(*rows, strict=True)))


def _expected(profile: SparseProfile, ends: _Ends) -> Fraction:
    """The first player's payoff where both play as written."""
    total = Fraction(0)
    stack = [(profile.game.public_root(), ends.start(0), ends.start(1))]
    while stack:
        state, first, second = stack.pop()
        turn = profile.game.public_turn(state)
        if isinstance(turn, PublicEnd):
            total += _product(first, ends.worth(turn.key, 0, second))
        elif turn.player == 0:
            stack += [(turn.actions[a][1], way, second) for a, way in _played(profile, turn, first)]
        else:
            stack += [(turn.actions[a][1], first, way) for a, way in _played(profile, turn, second)]
    return total


def _played(profile: SparseProfile, turn: PublicDecision, reach: Weights) -> Iterator[tuple[int, Weights]]:
    """The actions that the mover plays at *turn*, by index, each with the hands that do so and their way there."""
    written = profile.written(turn.player, turn.history)
    if not written:
        yield profile.game.default_action(turn), reach
        return
    denominator, weights = reach
    hands = [hand for hand, weight in enumerate(weights) if weight]
    scale = lcm(*(p.denominator for hand in hands for p in written.get(hand, {}).values()))
    index = {label: a for a, (label, _) in enumerate(turn.actions)}
    default = turn.actions[profile.game.default_action(turn)][0]
    ways: dict[int, list[int]] = {}
    for hand in hands:
        for action, p in written.get(hand, {default: Fraction(1)}).items():
            if action not in index:
                name = profile.game.infoset_name(turn.player, hand, turn.history)
                raise ProfileError(f"{profile.game.players[turn.player]}: {action!r} is not an action at {name!r}")
            if p:
                way = ways.setdefault(index[action], [0] * len(weights))
                way[hand] = weights[hand] * p.numerator * (scale // p.denominator)
    for action_index, way in ways.items():
        # In lowest terms: numbers stay as short as those of a realization plan.
        common = gcd(denominator * scale, *way)
        yield action_index, (denominator * scale // common, [number // common for number in way])


def _product(one: Weights, other: Weights) -> Fraction:
    """The sum over hands of both numbers' product."""
    return Fraction(sum(map(mul, one[1], other[1])), one[0] * other[0])


@dataclass(frozen=True)
class _Table:
    """What an end pays: ``payoffs[player][own class][other's class]`` over ``scale``, and each hand's class."""

    classes: tuple[tuple[int, ...], ...]
    payoffs: tuple[list[list[int]], ...]
    scale: int


class _Ends:
    """What ends of public play pay, kept by key.

    Where hands are independent, weights start at their probabilities, and an end is a small table over classes of
    hands. Where they are not, weights start at 1, and tables hold joint probability times payoff for each deal.
    ``paid`` are the first player's payoffs met so far.
    """

    def __init__(self, game: DealtGame, total: Fraction) -> None:
        self.game, self.total = game, total
        self.chances = game.hand_probabilities
        self.paid: set[Fraction] = set()
        self._tables: dict[Hashable, _Table] = {}

    def start(self, player: int) -> Weights:
        """The weights of a player's hands before the first move."""
        if self.chances is None:
            return 1, [1] * self.game.hand_counts[player]
        scale = lcm(*(chance.denominator for chance in self.chances[player]))
        return scale, [int(chance * scale) for chance in self.chances[player]]

    def worth(self, key: Hashable, player: int, reach: Weights) -> Weights:
        """What each hand of *player* gets at the end *key* from the other's hands, weighted by *reach*."""
        if key not in self._tables:
            self._tables[key] = self._table(key)
        table, (denominator, weights) = self._tables[key], reach
        sums = [0] * len(table.payoffs[1 - player])
        for number, weight in zip(table.classes[1 - player], weights, strict=True):
            sums[number] += weight
        worths = [sum(map(mul, row, sums)) for row in table.payoffs[player]]
        return denominator * table.scale, [worths[number] for number in table.classes[player]]

    def _table(self, key: Hashable) -> _Table:
        if self.chances is None:
            classes = tuple(tuple(range(count)) for count in self.game.hand_counts)
            cells = [(deal.hands, deal.probability, deal) for deal in self.game.deals]
        else:
            classes = tuple(_numbered(self.game.classes(key, player)) for player in range(2))
            # One deal stands for all deals of its classes.
            pairs = product(*(range(max(numbers) + 1) for numbers in classes))
            hands = [(pair, tuple(map(tuple.index, classes, pair))) for pair in pairs]
            cells = [(pair, Fraction(1), Deal(self._chance(held), held)) for pair, held in hands]
        paid = [(cell, weight, self._first(key, deal)) for cell, weight, deal in cells]
        scale = lcm(*((weight * u).denominator for _, weight, u in paid for u in (u, self.total - u)))
        own, other = (max(numbers) + 1 for numbers in classes)
        payoffs = [[0] * other for _ in range(own)], [[0] * own for _ in range(other)]
        for (i, j), weight, u in paid:
            payoffs[0][i][j] = int(weight * u * scale)
            payoffs[1][j][i] = int(weight * (self.total - u) * scale)
        return _Table(classes, payoffs, scale)

    def _first(self, key: Hashable, deal: Deal) -> Fraction:
        """What the first player is paid; that the sum is the game's is checked rather than believed."""
        first, second = self.game.settle(key, deal).payoffs
        if first + second != self.total:
            raise NotApplicableError(f"{self.game.title}: the payoffs do not always sum to {self.total}")
        self.paid.add(first)
        return first

    def _chance(self, held: tuple[int, ...]) -> Fraction:
        assert self.chances is not None
        return prod((mine[hand] for mine, hand in zip(self.chances, held, strict=True)), start=Fraction(1))


def _numbered(classes: tuple[int, ...]) -> tuple[int, ...]:
    """The same classes, numbered from 0 in the order in which hands meet them."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return tuple(numbers[name] for name in classes)
