"""Exact best responses and bounds over the public tree, for games too large to build.

The code checks the results of the oracle, but shares nothing with the oracle. It is a plain recursion in integers,
without floats, arrays or solvers, so that it is easy to read and to rewrite.

One player, the *responder*, plays a best response. The other players, the *opponents*, play their strategies. The
recursion visits public histories. On the way down, it computes one reach probability for each hand of each opponent. On
the way up, it returns the responder's best payoff for each hand, weighted by these probabilities. It tries every action
of the responder, but only the opponents' actions of positive probability. So the number of visited histories is about
the number of histories in the opponents' strategies, times the number of actions at each, even in a huge game. The
responder sees her hand and the public history. So the best action for each hand at each history, chosen from the last
move backward, gives a best response (perfect recall; Kuhn 1953).

In bidding games, some first bids are equivalent (see ``strategies.sparse_profile``). The recursion visits only the
lowest of these bids.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import gcd, lcm, prod
from operator import getitem, itemgetter, mul
from typing import NamedTuple

from ..base.errors import NotApplicableError
from ..games.checks import payoff_classes, settle
from ..games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from ..strategies.sparse_profile import Behavior, SparseProfile, alike_openings

Weights = tuple[int, list[int]]
"""One weight for each hand of a player: their common denominator, and their numerators."""


Enter = Callable[[PublicDecision], object]
"""A callback for each visited turn, called before later turns are visited."""

Reaches = tuple[Weights, ...]
"""Each player's weights at a public history. The responder's weights are never used."""


class Worths(NamedTuple):
    """The payoff of the responder with each hand: ``numbers`` divided by ``scale``.

    If ``classes`` gives the class of each hand, ``numbers`` has one entry for each class, otherwise one for each hand.
    At terminal histories, many hands have the same payoff.
    """

    scale: int
    numbers: list[int]
    classes: tuple[int, ...] | None = None

    def by_hand(self) -> Weights:
        """Return one payoff for each hand, even if ``numbers`` has one for each class."""
        return self.scale, self.numbers if self.classes is None else list(_picker(self.classes)(self.numbers))

    def of(self, hand: int) -> Fraction:
        return Fraction(self.numbers[hand if self.classes is None else self.classes[hand]], self.scale)


Leave = Callable[[PublicDecision, Reaches, list[Worths]], object]
"""A callback for each turn of the responder, called after later turns are visited.

It receives the turn, the opponents' weights, and the payoffs of the actions.
"""

Moves = Callable[[PublicDecision, Weights], Iterable[tuple[int, Weights]]]
"""A function from an opponent's turn and weights to the index of each played action and the weights after
this action.
"""


@dataclass(frozen=True)
class SparseFigures:
    """The exact payoffs of sparse strategies (``value``), and of best responses to them (``best``).

    ``visited``: for each player, the number of turns visited to compute the best response. Only one of several
    equivalent first bids is visited. ``spread``: the largest range of a player's payoffs at the visited terminal
    histories.
    """

    value: tuple[Fraction, ...]
    best: tuple[Fraction, ...]
    visited: tuple[int, ...]
    spread: Fraction


def sparse_figures(profile: SparseProfile) -> SparseFigures:
    """Return all players' exact payoffs and best responses over the whole game.

    Raises ``NotApplicableError`` if play is too deep for Python's recursion (about 400 moves), or if the payoffs do not
    sum to the game's constant sum. Raises ``ProfileError`` for an illegal action.
    """
    ends, moves, alike = Ends(profile.game), partial(played, profile), alike_openings(profile)
    seats = range(len(profile.game.players))
    best, visited = zip(
        *(respond(profile.game, player, moves, ends, alike=alike if player == 0 else None) for player in seats),
        strict=True,
    )
    value = _expected(profile, ends)
    return SparseFigures(value, best, visited, max(max(paid) - min(paid) for paid in ends.paid))


def sparse_values(profile: SparseProfile) -> tuple[Fraction, ...]:
    """Return all players' payoffs, without best responses. Raises the errors of ``sparse_figures``."""
    return _expected(profile, Ends(profile.game))


def sparse_best_response(profile: SparseProfile, player: int) -> tuple[Fraction, dict[str, dict[int, Behavior]]]:
    """Return the payoff and the moves of *player*'s (from 0) best response to the others' strategies in *profile*.

    The moves map each public history, in the order of play, to the behavior with each hand. Default moves, and
    histories that the opponents never reach, are omitted. Raises the errors of ``sparse_figures``.
    """
    game, found = profile.game, dict[str, dict[int, Behavior]]()

    def enter(turn: PublicDecision) -> None:
        if turn.player == player:
            found[turn.history] = {}  # keeps the order of play

    def leave(turn: PublicDecision, reaches: Reaches, worths: list[Worths]) -> None:
        default = game.default_action(turn)
        for hand, column in enumerate(zip(*_common([each.by_hand() for each in worths])[1], strict=True)):
            if column[default] != max(column):
                found[turn.history][hand] = {turn.actions[column.index(max(column))][0]: Fraction(1)}
        if not found[turn.history]:
            del found[turn.history]

    return respond(game, player, partial(played, profile), Ends(game), enter, leave)[0], found


def respond(
    game: DealtGame,
    player: int,
    moves: Moves,
    ends: Ends,
    enter: Enter = lambda turn: None,
    leave: Leave | None = None,
    first: bool = False,
    alike: Mapping[str, str] | None = None,
) -> tuple[Fraction, int]:
    """Return the payoff of *player*'s best response to the others' *moves*, and the number of visited turns.

    The module's docstring describes the recursion. *first*: whether to call ``leave`` only at the player's first turns.
    *alike*: a map from first moves of the player to equivalent moves, as ``alike_openings`` returns it. The turns after
    a move in its keys are not visited. Raises ``NotApplicableError`` if play is too deep.
    """
    search = _Search(game, player, moves, ends, enter, leave, first, alike)
    found = search.most(game.public_root(), ends.starts())
    return _product(ends.start(player), found.by_hand()), search.visited


def respond_at(
    game: DealtGame,
    player: int,
    moves: Moves,
    ends: Ends,
    way: Sequence[tuple[PublicDecision, int]],
    turn: PublicDecision,
) -> tuple[Reaches, list[Worths]]:
    """Return the weights at *turn*, and the payoff of each action of the player there if a best response follows.

    *way*: the turns before *turn*, each with the index of the chosen action. Raises the errors of ``respond``, and
    ``NotApplicableError`` if the other players' strategies never reach *turn*.
    """
    reaches = ends.starts()
    for before, action in way:
        if (mover := before.player) != player:
            made = dict(moves(before, reaches[mover]))
            if action not in made:
                never = f"{game.players[mover]} never plays {before.actions[action][0]!r} at {before.history!r}"
                raise NotApplicableError(f"{never}, so the payoffs of later moves are unknown")
            reaches = (*reaches[:mover], made[action], *reaches[mover + 1 :])
    search = _Search(game, player, moves, ends)
    return reaches, [search.most(then, reaches) for _, then in turn.actions]


@dataclass
class _Search:
    """The recursion. ``above``: the number of the responder's turns on the current path."""

    game: DealtGame
    player: int
    moves: Moves
    ends: Ends
    enter: Enter = lambda turn: None
    leave: Leave | None = None
    first: bool = False
    alike: Mapping[str, str] | None = None
    visited: int = 0
    above: int = 0

    def most(self, state: State, reaches: Reaches) -> Worths:
        try:
            return self._most(state, reaches)
        except RecursionError:
            raise NotApplicableError(f"{self.game.title}: play is too deep for the recursion") from None

    def _most(self, state: State, reaches: Reaches) -> Worths:
        return self._worth(*self._onward(state, reaches), reaches)

    def _onward(self, state: State, reaches: Reaches) -> tuple[PublicDecision | PublicEnd, list[tuple[int, Weights]]]:
        """Follow the opponents' moves from *state* as long as all hands make the same move.

        Return the next turn or terminal history. At an opponent's turn, also return the opponent's moves.
        """
        turn = self.game.public_turn(state)
        while isinstance(turn, PublicDecision) and turn.player != self.player:
            self.visited += 1
            self.enter(turn)
            reach = reaches[turn.player]
            ways = list(self.moves(turn, reach))
            if len(ways) > 1 or ways[0][1] is not reach:
                return turn, ways
            turn = self.game.public_turn(turn.actions[ways[0][0]][1])
        return turn, []

    def _worth(self, turn: PublicDecision | PublicEnd, ways: list[tuple[int, Weights]], reaches: Reaches) -> Worths:
        if isinstance(turn, PublicEnd):
            return self.ends.worth(turn.key, self.player, reaches)
        if ways:  # an opponent's turn: the sum over moves
            before, after = reaches[: turn.player], reaches[turn.player + 1 :]
            return _joined([self._most(turn.actions[a][1], (*before, way, *after)) for a, way in ways], sum)
        self.visited += 1
        self.enter(turn)
        self.above += 1
        alike = (self.above == 1 and self.alike) or {}
        labels = [label for label, _ in turn.actions if label not in alike]
        onward = [self._onward(then, reaches) for label, then in turn.actions if label not in alike]
        if self.leave is not None and (self.above == 1 or not self.first):
            found = [self._worth(then, parts, reaches) for then, parts in onward]
            worths = dict(zip(labels, found, strict=True))
            self.leave(turn, reaches, [worths[alike.get(label, label)] for label, _ in turn.actions])
        else:
            # All these terminal histories have the same weights, so the dominated histories can be skipped.
            ends = self.ends.best([then.key for then, _ in onward if isinstance(then, PublicEnd)], self.player)
            found = [self.ends.worth(key, self.player, reaches) for key in ends]
            found += [self._worth(then, parts, reaches) for then, parts in onward if not isinstance(then, PublicEnd)]
        self.above -= 1
        # The responder's turn: the maximum over moves.
        return _joined(found, max)


def _joined(found: list[Worths], join: Callable[[Iterable[int]], int]) -> Worths:
    """Combine the payoffs in *found* by *join*, ``sum`` or ``max``.

    First combine payoffs with the same classes, which is cheap. Then combine the results hand by hand.
    """
    if len(found) == 1:
        return found[0]
    groups: dict[int, list[Worths]] = {}
    for each in found:
        groups.setdefault(id(each.classes), []).append(each)
    parts = []
    for group in groups.values():
        scale, rows = _common([(each.scale, each.numbers) for each in group])
        numbers = list(map(join, zip(*rows, strict=True))) if len(rows) > 1 else rows[0]
        parts.append(Worths(scale, numbers, group[0].classes))
    if len(parts) == 1:
        return parts[0]
    scale, rows = _common([part.by_hand() for part in parts])
    return Worths(scale, list(map(join, zip(*rows, strict=True))))


def _common(found: list[Weights]) -> tuple[int, list[list[int]]]:
    scale = lcm(*(denominator for denominator, _ in found))
    return scale, [row if d == scale else [scale // d * number for number in row] for d, row in found]


def _expected(profile: SparseProfile, ends: Ends) -> tuple[Fraction, ...]:
    total = [Fraction(0)] * len(profile.game.players)
    stack = [(profile.game.public_root(), ends.starts())]
    while stack:
        state, reaches = stack.pop()
        turn = profile.game.public_turn(state)
        if isinstance(turn, PublicEnd):
            for player, mine in enumerate(reaches):
                total[player] += _product(mine, ends.worth(turn.key, player, reaches).by_hand())
            continue
        before, after = reaches[: turn.player], reaches[turn.player + 1 :]
        ways = played(profile, turn, reaches[turn.player])
        stack += [(turn.actions[a][1], (*before, way, *after)) for a, way in ways]
    return tuple(total)


def played(profile: SparseProfile, turn: PublicDecision, reach: Weights) -> Iterator[tuple[int, Weights]]:
    """Return the moves of *profile* as described in ``Moves``. Raises ``ProfileError`` for an illegal action."""
    if not profile.rows(turn.player, turn.history):
        return iter([(profile.game.default_action(turn), reach)])
    hands = [hand for hand, weight in enumerate(reach[1]) if weight]
    return parted(turn, reach, profile.behaviors(turn, hands))


def parted(
    turn: PublicDecision, reach: Weights, behaviors: Mapping[int, Mapping[str, Fraction]]
) -> Iterator[tuple[int, Weights]]:
    """Yield the index of each action in the *behaviors* of the hands at *turn*, and the weights after this action."""
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
        # In lowest terms, the weights are as short as the numbers in a realization plan.
        common = gcd(denominator * scale, *way)
        yield action_index, (denominator * scale // common, [number and number // common for number in way])


def _product(one: Weights, other: Weights) -> Fraction:
    return Fraction(sum(map(mul, one[1], other[1])), one[0] * other[0])


@dataclass(frozen=True)
class _Table:
    """The payoffs at a terminal history by classes of hands, multiplied by ``scale``.

    ``classes[player]``: the class of each hand. ``counts``: the number of classes of each player. ``number``: an id
    that tables with the same classes share. ``payoffs[player]``: a flat list, ordered by the player's class, then by
    the classes of the other players in order. The class of the last player changes fastest.
    """

    number: int
    classes: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    payoffs: tuple[list[int], ...]
    scale: int


class Ends:
    """The payoffs at terminal histories, cached by key.

    If hands are independent, the initial weights are their probabilities, and a table has one payoff for each
    combination of classes. Otherwise, the initial weights are 1, and a table has the joint probability times the payoff
    for each deal. ``paid``: for each player, all distinct payoffs computed so far.
    """

    def __init__(self, game: DealtGame) -> None:
        self.game = game
        self.chances = game.hand_probabilities
        self.paid: tuple[set[Fraction], ...] = tuple(set() for _ in game.players)
        self._tables: dict[Hashable, _Table] = {}
        self._classes: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._numbers: dict[tuple[int, ...], int] = {}
        self._better: dict[tuple[Hashable, Hashable, int], bool] = {}
        self._sums: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def start(self, player: int) -> Weights:
        """Return the weights of a player's hands before the first move."""
        if self.chances is None:
            return 1, [1] * self.game.hand_counts[player]
        scale = lcm(*(chance.denominator for chance in self.chances[player]))
        return scale, [int(chance * scale) for chance in self.chances[player]]

    def starts(self) -> Reaches:
        return tuple(self.start(player) for player in range(len(self.game.players)))

    def _of(self, key: Hashable) -> _Table:
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self._table(key)
        return found

    def best(self, keys: Iterable[Hashable], player: int) -> list[Hashable]:
        """Return the undominated *keys*. A key is dominated if another key pays at least as much with every hand."""
        groups: dict[int, list[Hashable]] = {}
        for key in keys:
            group = groups.setdefault(self._of(key).number, [])
            if not any(self._pays_more(other, key, player) for other in group):
                group[:] = [other for other in group if not self._pays_more(key, other, player)]
                group.append(key)
        return [key for group in groups.values() for key in group]

    def _pays_more(self, one: Hashable, other: Hashable, player: int) -> bool:
        """Return whether *one* pays *player* at least as much as *other* with every hand.

        *one* and *other* have the same classes.
        """
        found = self._better.get((one, other, player))
        if found is None:
            first, second = self._of(one), self._of(other)
            paid = zip(first.payoffs[player], second.payoffs[player], strict=True)
            found = all(a * second.scale >= b * first.scale for a, b in paid)
            self._better[one, other, player] = found
        return found

    def worth(self, key: Hashable, player: int, reaches: Reaches) -> Worths:
        """Return *player*'s payoff with each hand at *key*, summed over the others' hands with weights *reaches*."""
        table = self._of(key)
        denominator, worths = table.scale, table.payoffs[player]
        # For each opponent, from the last, sum over the opponent's classes with the weights of the hands.
        for other in reversed(range(len(reaches))):
            if other != player:
                scale, weights = reaches[other]
                sums = self._summed(other, weights, table)
                count, denominator = len(sums), denominator * scale
                worths = [sum(map(mul, worths[at : at + count], sums)) for at in range(0, len(worths), count)]
        return Worths(denominator, worths, table.classes[player])

    def _summed(self, other: int, weights: list[int], table: _Table) -> list[int]:
        """Return the weight of each class of *other*'s hands, cached because the moves of a turn share weights."""
        classes = table.classes[other]
        cached = self._sums.get((other, id(classes)))
        if cached is not None and cached[0] is weights:
            return cached[1]
        sums = [sum(pick(weights)) for pick in _members(classes)]
        self._sums[other, id(classes)] = weights, sums
        return sums

    def _table(self, key: Hashable) -> _Table:
        seats = range(len(self.game.players))
        cells: list[tuple[tuple[int, ...], Fraction | None, Deal]]
        if self.chances is None:
            classes = tuple(tuple(range(count)) for count in self.game.hand_counts)
            cells = [(deal.hands, deal.probability, deal) for deal in self.game.deals]
        else:
            classes = tuple(map(_numbered, payoff_classes(self.game, key)))
            # All deals with the same classes have the same payoffs.
            tuples = product(*(range(max(numbers) + 1) for numbers in classes))
            hands = [(cell, tuple(map(tuple.index, classes, cell))) for cell in tuples]
            deals = (tuple(map(getitem, self.chances, held)) for _, held in hands)
            likely = [prod(chances, start=Fraction(1)) for chances in deals]
            cells = [(cell, None, Deal(p, held)) for p, (cell, held) in zip(likely, hands, strict=True)]
        paid = [(cell, self._paid(key, deal, weight)) for cell, weight, deal in cells]
        scale = lcm(*{u.denominator for _, payoffs in paid for u in payoffs})
        counts = tuple(max(numbers) + 1 for numbers in classes)
        # Replace equal tuples by one object, so that ``id`` identifies a tuple.
        classes = tuple(self._classes.setdefault(each, each) for each in classes)
        table = tuple([0] * prod(counts) for _ in seats)
        for cell, payoffs in paid:
            for player, payoff in enumerate(payoffs):
                at = cell[player]
                for other in seats:
                    at = at * counts[other] + cell[other] if other != player else at
                table[player][at] = payoff.numerator * (scale // payoff.denominator)
        number = self._numbers.setdefault(tuple(map(id, classes)), len(self._numbers))
        return _Table(number, classes, counts, table, scale)

    def _paid(self, key: Hashable, deal: Deal, weight: Fraction | None) -> tuple[Fraction, ...]:
        """Check the game's constant sum, and return all payoffs, multiplied by *weight* if it is given."""
        payoffs, total = settle(self.game, key, deal).payoffs, self.game.constant_sum
        if total is not None and sum(payoffs) != total:
            raise NotApplicableError(f"{self.game.title}: the payoffs do not always sum to {total}")
        for paid, payoff in zip(self.paid, payoffs, strict=True):
            paid.add(payoff)
        return payoffs if weight is None else tuple(weight * payoff for payoff in payoffs)


@cache
def _picker(indices: tuple[int, ...]) -> Callable[[list[int]], tuple[int, ...]]:
    """Return a fast function, implemented in C, that picks the entries at *indices* from a list."""
    return itemgetter(*indices) if len(indices) > 1 else lambda numbers: tuple(numbers[k] for k in indices)


@cache
def _members(classes: tuple[int, ...]) -> list[Callable[[list[int]], tuple[int, ...]]]:
    return [
        _picker(tuple(hand for hand, number in enumerate(classes) if number == one)) for one in range(1 + max(classes))
    ]


def _numbered(classes: tuple[int, ...]) -> tuple[int, ...]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return tuple(numbers[name] for name in classes)
