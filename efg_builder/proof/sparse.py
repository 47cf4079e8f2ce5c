"""Exact bounds for strategies of games no tree can hold: best responses over all of public play.

This module is the judge of what the oracle finds, and shares no code with it. It is plain recursion in whole
numbers, without floats, arrays or solvers, so that it can be read and redone.

Of two players, the one judged (the *opponent*) plays as written and the other (the *responder*) as well as can
be. The recursion goes over public histories. On the way down it carries, for each hand of the opponent, the
probability that the opponent plays towards this history; on the way up it brings, for each hand of the
responder, the most that can still be gained, weighted by the opponent's hands and their way here. At the
responder's turns every action is tried, at the opponent's only those of positive probability, so that only
histories which the opponent's strategy leads to are visited: however large the game, these are about as many
as are written down, times the actions at each. The responder sees the own hand and the public history, so that
choosing for each pair of them separately, from the last move backwards, is a best response (perfect recall; Kuhn
1953).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import gcd, lcm, prod
from operator import mul

from ..base.errors import NotApplicableError, ProfileError
from ..games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from ..strategies.sparse_profile import Behavior, SparseProfile

Weights = tuple[int, list[int]]
"""One number for each hand of a player, as a common denominator and the numerators."""


Enter = Callable[[PublicDecision], object]
"""Takes each turn that is visited, before what follows it."""

Leave = Callable[[PublicDecision, Weights, list[Weights]], object]
"""Takes a turn of the responder after what follows it: the opponent's weights there, and what each action is worth."""

Moves = Callable[[PublicDecision, Weights], Iterable[tuple[int, Weights]]]
"""At a turn of the opponent, with these weights: the actions that are made, by index, with the weights after them."""


@dataclass(frozen=True)
class SparseFigures:
    """What sparse strategies get and what best responses to them get, exactly.

    ``visited``: the public histories at which someone moves that each player's best response had to look at, because
    the other's strategy leads there. ``spread``: the range of the payoffs at the ends that were visited.
    """

    value: tuple[Fraction, Fraction]
    best: tuple[Fraction, Fraction]
    visited: tuple[int, int]
    spread: Fraction


def sparse_figures(profile: SparseProfile) -> SparseFigures:
    """Both players' payoffs and best responses over the whole game, in exact arithmetic.

    Raises ``NotApplicableError`` unless there are two players who divide a constant sum, and where play is too deep
    for Python's recursion (about 400 moves); ``ProfileError`` where an action is played that is not legal.
    """
    ends, moves = Ends(profile.game, _total(profile.game)), partial(_played, profile)
    best, visited = zip(*(respond(profile.game, player, moves, ends) for player in range(2)), strict=True)
    first = _expected(profile, ends)
    return SparseFigures(
        value=(first, _total(profile.game) - first),
        best=best,
        visited=visited,
        spread=max(ends.paid) - min(ends.paid),
    )


def sparse_best_response(profile: SparseProfile, player: int) -> tuple[Fraction, dict[str, dict[int, Behavior]]]:
    """What *player* (from 0) can get against the other's strategy in *profile*, and by which moves, in play's order.

    The moves are given by public history and hand; none where the best is the default move, nor where the opponent
    never lets play come. Raises what ``sparse_figures`` raises.
    """
    game, found = profile.game, dict[str, dict[int, Behavior]]()

    def enter(turn: PublicDecision) -> None:
        if turn.player == player:
            found[turn.history] = {}  # keeps its place before what follows

    def leave(turn: PublicDecision, reach: Weights, worths: list[Weights]) -> None:
        default = game.default_action(turn)
        for hand, column in enumerate(zip(*_common(worths)[1], strict=True)):
            if column[default] != max(column):
                found[turn.history][hand] = {turn.actions[column.index(max(column))][0]: Fraction(1)}
        if not found[turn.history]:
            del found[turn.history]

    ends = Ends(game, _total(game))
    return respond(game, player, partial(_played, profile), ends, enter, leave)[0], found


def respond(
    game: DealtGame,
    player: int,
    moves: Moves,
    ends: Ends,
    enter: Enter = lambda turn: None,
    leave: Leave | None = None,
) -> tuple[Fraction, int]:
    """The most that *player* gets where the other one plays *moves*: the recursion that the module's text tells.

    Besides, how many public histories were visited at which someone moves. Raises ``NotApplicableError`` where play
    is too deep for it.
    """

    visited = 0

    def most(state: State, reach: Weights) -> Weights:
        nonlocal visited
        turn = game.public_turn(state)
        if isinstance(turn, PublicEnd):
            return ends.worth(turn.key, player, reach)
        visited += 1
        enter(turn)
        if turn.player == player:
            found = [most(then, reach) for _, then in turn.actions]
            if leave is not None:
                leave(turn, reach, found)
        else:
            found = [most(turn.actions[a][1], way) for a, way in moves(turn, reach)]
        scale, rows = _common(found)
        if len(rows) == 1:
            return scale, rows[0]
        # max for the responder, who chooses; sum for the opponent, whose ways part.
        return scale, list(map(max, *rows) if turn.player == player else map(sum, zip(*rows, strict=True)))

    try:
        return _product(ends.start(player), most(game.public_root(), ends.start(1 - player))), visited
    except RecursionError:
        raise NotApplicableError(f"{game.title}: play is too deep to be judged by recursion") from None


def _common(found: list[Weights]) -> tuple[int, list[list[int]]]:
    """The same numbers over one denominator."""
    scale = lcm(*(denominator for denominator, _ in found))
    return scale, [row if d == scale else [scale // d * number for number in row] for d, row in found]


def _total(game: DealtGame) -> Fraction:
    if len(game.players) != 2 or game.constant_sum is None:
        raise NotApplicableError(f"{game.title}: bounds need two players who divide a constant sum")
    return game.constant_sum


def _expected(profile: SparseProfile, ends: Ends) -> Fraction:
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
    """See ``Moves``. Raises ``ProfileError`` where an action is not legal."""
    written, default = profile.rows(turn.player, turn.history), profile.game.default_action(turn)
    if not written:
        return iter([(default, reach)])
    legal, move = {label for label, _ in turn.actions}, {turn.actions[default][0]: Fraction(1)}
    behaviors = {hand: written.get(hand, move) for hand, weight in enumerate(reach[1]) if weight}
    for hand, behavior in behaviors.items():
        for action in behavior:
            if action not in legal:
                name = profile.game.infoset_name(turn.player, hand, turn.history)
                raise ProfileError(f"{profile.game.players[turn.player]}: {action!r} is not an action at {name!r}")
    return parted(turn, reach, behaviors)


def parted(
    turn: PublicDecision, reach: Weights, behaviors: Mapping[int, Mapping[str, Fraction]]
) -> Iterator[tuple[int, Weights]]:
    """The actions that *behaviors*, by hand, make at *turn*, by index, each with the hands' weights after it."""
    denominator, weights = reach
    scale = lcm(*(p.denominator for behavior in behaviors.values() for p in behavior.values()))
    index = {label: a for a, (label, _) in enumerate(turn.actions)}
    ways: dict[int, list[int]] = {}
    for hand, behavior in behaviors.items():
        for action, p in behavior.items():
            if p:
                way = ways.setdefault(index[action], [0] * len(weights))
                way[hand] = weights[hand] * p.numerator * (scale // p.denominator)
    for action_index, way in sorted(ways.items()):
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


class Ends:
    """What ends of public play pay, kept by key.

    Where hands are independent, weights start at their probabilities, and an end is a small table over classes of
    hands. Where they are not, weights start at 1, and tables hold joint probability times payoff for each deal.
    ``paid`` are the first player's payoffs met so far. ``total`` is what both payoffs sum to; None where that varies.
    """

    def __init__(self, game: DealtGame, total: Fraction | None) -> None:
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
        paid = [(cell, weight, self._paid(key, deal)) for cell, weight, deal in cells]
        scale = lcm(*((weight * u).denominator for _, weight, pair in paid for u in pair))
        own, other = (max(numbers) + 1 for numbers in classes)
        payoffs = [[0] * other for _ in range(own)], [[0] * own for _ in range(other)]
        for (i, j), weight, (first, second) in paid:
            payoffs[0][i][j] = int(weight * first * scale)
            payoffs[1][j][i] = int(weight * second * scale)
        return _Table(classes, payoffs, scale)

    def _paid(self, key: Hashable, deal: Deal) -> tuple[Fraction, Fraction]:
        """What both are paid; that the sum is the game's is checked rather than believed."""
        first, second = self.game.settle(key, deal).payoffs
        if self.total is not None and first + second != self.total:
            raise NotApplicableError(f"{self.game.title}: the payoffs do not always sum to {self.total}")
        self.paid.add(first)
        return first, second

    def _chance(self, held: tuple[int, ...]) -> Fraction:
        assert self.chances is not None
        return prod((mine[hand] for mine, hand in zip(self.chances, held, strict=True)), start=Fraction(1))


def _numbered(classes: tuple[int, ...]) -> tuple[int, ...]:
    """The same classes, numbered from 0 in the order in which hands meet them."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return tuple(numbers[name] for name in classes)
