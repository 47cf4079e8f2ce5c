"""Exact bounds for strategies of games no tree can hold: best responses over all of public play.

This module is the judge of what the oracle finds, and shares no code with it. It is plain recursion in whole
numbers, without floats, arrays or solvers, so that it can be read and redone.

One player (the *responder*) plays as well as can be, the others (the *opponents*) as written. The recursion goes
over public histories. On the way down it carries, for each hand of each opponent, the probability that this
opponent plays towards this history; on the way up it brings, for each hand of the responder, the most that can
still be gained, weighted by the opponents' hands and their ways here. At the responder's turns every action is
tried, at an opponent's only those of positive probability, so that only histories which the opponents' strategies
lead to are visited: however large the game, these are about as many as are written down, times the actions at
each. The responder sees the own hand and the public history, so that choosing for each pair of them separately,
from the last move backwards, is a best response (perfect recall; Kuhn 1953).

In games of bidding some first bids are worth the same whatever follows (``strategies.sparse_profile`` says why), and
only the lowest of them is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import gcd, lcm, prod
from operator import itemgetter, mul
from typing import NamedTuple

from ..base.errors import NotApplicableError, ProfileError
from ..games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from ..strategies.sparse_profile import Behavior, SparseProfile, alike_openings

Weights = tuple[int, list[int]]
"""One number for each hand of a player, as a common denominator and the numerators."""


Enter = Callable[[PublicDecision], object]
"""Takes each turn that is visited, before what follows it."""

Reaches = tuple[Weights, ...]
"""The weights of every player's hands at a public history; those of a responder are never looked at."""


class Worths(NamedTuple):
    """What something is worth to each hand of the responder, over ``scale``: ``numbers`` by the hands' ``classes``
    (None: by hand). Most are those of ends, where many hands are worth the same."""

    scale: int
    numbers: list[int]
    classes: tuple[int, ...] | None = None

    def by_hand(self) -> Weights:
        """One number for each hand."""
        return self.scale, self.numbers if self.classes is None else list(_picker(self.classes)(self.numbers))

    def of(self, hand: int) -> Fraction:
        """What it is worth to one hand."""
        return Fraction(self.numbers[hand if self.classes is None else self.classes[hand]], self.scale)


Leave = Callable[[PublicDecision, Reaches, list[Worths]], object]
"""Takes a turn of the responder after what follows it: the opponents' weights there, and what each action is worth."""

Moves = Callable[[PublicDecision, Weights], Iterable[tuple[int, Weights]]]
"""At a turn of an opponent, with its weights: the actions that are made, by index, with the weights after them."""


@dataclass(frozen=True)
class SparseFigures:
    """What sparse strategies get and what best responses to them get, exactly.

    ``visited``: the public histories at which someone moves that each player's best response had to look at, because
    the others' strategies lead there; of first bids that are alike those after one. ``spread``: the widest range of a
    player's payoffs at the ends that were visited.
    """

    value: tuple[Fraction, ...]
    best: tuple[Fraction, ...]
    visited: tuple[int, ...]
    spread: Fraction


def sparse_figures(profile: SparseProfile) -> SparseFigures:
    """All players' payoffs and best responses over the whole game, in exact arithmetic.

    Raises ``NotApplicableError`` where play is too deep for Python's recursion (about 400 moves), and where payoffs do
    not sum to what the game says; ``ProfileError`` where an action is played that is not legal.
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
    """All players' payoffs, without best responses. Raises what ``sparse_figures`` raises."""
    return _expected(profile, Ends(profile.game))


def sparse_best_response(profile: SparseProfile, player: int) -> tuple[Fraction, dict[str, dict[int, Behavior]]]:
    """What *player* (from 0) can get against the others' strategies in *profile*, and by which moves, in play's order.

    The moves are given by public history and hand; none where the best is the default move, nor where the opponents
    never let play come. Raises what ``sparse_figures`` raises.
    """
    game, found = profile.game, dict[str, dict[int, Behavior]]()

    def enter(turn: PublicDecision) -> None:
        if turn.player == player:
            found[turn.history] = {}  # keeps its place before what follows

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
    """The most that *player* gets where the others play *moves*: the recursion that the module's text tells.

    Besides, how many public histories were visited at which someone moves. *first*: ``leave`` takes no more than the
    player's first turns. *alike*: first moves of the player that are worth the same as another, as ``alike_openings``
    finds them in the strategies that *moves* are of; what follows them is not visited. Raises
    ``NotApplicableError`` where play is too deep for it.
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
    """What each action of *turn*, the player's, is worth with a best response behind it, as ``respond`` finds it there.

    *way* are the turns before it, each with the action (an index) that leads on; the others must play towards it.
    Besides, the weights there. Raises what ``respond`` raises.
    """
    reaches = ends.starts()
    for before, action in way:
        if (mover := before.player) != player:
            made = dict(moves(before, reaches[mover]))
            reaches = (*reaches[:mover], made[action], *reaches[mover + 1 :])
    search = _Search(game, player, moves, ends)
    return reaches, [search.most(then, reaches) for _, then in turn.actions]


@dataclass
class _Search:
    """The recursion; ``visited`` counts the public histories at which someone moves, ``above`` the responder's own on
    the way."""

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
            raise NotApplicableError(f"{self.game.title}: play is too deep to be judged by recursion") from None

    def _most(self, state: State, reaches: Reaches) -> Worths:
        return self._worth(*self._onward(state, reaches), reaches)

    def _onward(self, state: State, reaches: Reaches) -> tuple[PublicDecision | PublicEnd, list[tuple[int, Weights]]]:
        """The first turn from *state* on at which the opponents' ways part, with these ways; or else, with none, the
        end or the responder's turn to which their only moves lead with all hands."""
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
        if ways:  # a sum for an opponent, whose ways part
            before, after = reaches[: turn.player], reaches[turn.player + 1 :]
            return _joined([self._most(turn.actions[a][1], (*before, way, *after)) for a, way in ways], _added)
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
            # All ends met here have the same weights: of these only the best are worked out.
            ends = self.ends.best([then.key for then, _ in onward if isinstance(then, PublicEnd)], self.player)
            found = [self.ends.worth(key, self.player, reaches) for key in ends]
            found += [self._worth(then, parts, reaches) for then, parts in onward if not isinstance(then, PublicEnd)]
        self.above -= 1
        # The most for the responder, who chooses.
        return _joined(found, _greatest)


def _joined(found: list[Worths], join: Callable[[list[list[int]]], list[int]]) -> Worths:
    """All of *found* together: first those with the same classes, which are few numbers, then by hand."""
    if len(found) == 1:
        return found[0]
    groups: dict[int, list[Worths]] = {}
    for each in found:
        groups.setdefault(id(each.classes), []).append(each)
    parts = []
    for group in groups.values():
        scale, rows = _common([(each.scale, each.numbers) for each in group])
        parts.append(Worths(scale, join(rows), group[0].classes))
    if len(parts) == 1:
        return parts[0]
    scale, rows = _common([part.by_hand() for part in parts])
    return Worths(scale, join(rows))


def _greatest(rows: list[list[int]]) -> list[int]:
    return rows[0] if len(rows) == 1 else list(map(max, *rows))


def _added(rows: list[list[int]]) -> list[int]:
    return rows[0] if len(rows) == 1 else list(map(sum, zip(*rows, strict=True)))


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
        yield action_index, (denominator * scale // common, [number and number // common for number in way])


def _product(one: Weights, other: Weights) -> Fraction:
    return Fraction(sum(map(mul, one[1], other[1])), one[0] * other[0])


@dataclass(frozen=True)
class _Table:
    """What an end pays, over ``scale``, by classes of hands, and ``classes[player]``, each hand's class.

    ``number``: that of its classes; tables with the same one have the same. ``payoffs[player]``: by the player's own
    class, and then by those of the others, in their order, the last fastest. ``counts``: how many classes each
    player's hands have.
    """

    number: int
    classes: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    payoffs: tuple[list[int], ...]
    scale: int


class Ends:
    """What ends of public play pay, kept by key.

    Where hands are independent, weights start at their probabilities, and an end is a small table over classes of
    hands. Where they are not, weights start at 1, and tables hold joint probability times payoff for each deal.
    ``paid``: by player, the payoffs met so far.
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
        """The weights of a player's hands before the first move."""
        if self.chances is None:
            return 1, [1] * self.game.hand_counts[player]
        scale = lcm(*(chance.denominator for chance in self.chances[player]))
        return scale, [int(chance * scale) for chance in self.chances[player]]

    def starts(self) -> Reaches:
        """The weights of all players' hands before the first move."""
        return tuple(self.start(player) for player in range(len(self.game.players)))

    def _of(self, key: Hashable) -> _Table:
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self._table(key)
        return found

    def best(self, keys: Iterable[Hashable], player: int) -> list[Hashable]:
        """Of the ends *keys* those which, with equal weights of the others, are not all paid less than at another."""
        kept: dict[int, list[Hashable]] = {}
        for key in keys:
            group = kept.setdefault(self._of(key).number, [])
            if not any(self._pays_more(other, key, player) for other in group):
                group[:] = [other for other in group if not self._pays_more(key, other, player)]
                group.append(key)
        return [key for group in kept.values() for key in group]

    def _pays_more(self, one: Hashable, other: Hashable, player: int) -> bool:
        """Whether *player* gets at *one* at least what *other*, an end of the same classes, pays, whatever hands are
        held."""
        found = self._better.get((one, other, player))
        if found is None:
            first, second = self._of(one), self._of(other)
            paid = zip(first.payoffs[player], second.payoffs[player], strict=True)
            found = all(a * second.scale >= b * first.scale for a, b in paid)
            self._better[one, other, player] = found
        return found

    def worth(self, key: Hashable, player: int, reaches: Reaches) -> Worths:
        """What each hand of *player* gets at the end *key* from the others' hands, weighted by their *reaches*."""
        table = self._of(key)
        denominator, worths = table.scale, table.payoffs[player]
        # One opponent after the other: the last class in the table is summed away, weighted by that player's hands.
        for other in reversed(range(len(reaches))):
            if other != player:
                scale, weights = reaches[other]
                sums = self._summed(other, weights, table)
                count, denominator = len(sums), denominator * scale
                worths = [sum(map(mul, worths[at : at + count], sums)) for at in range(0, len(worths), count)]
        return Worths(denominator, worths, table.classes[player])

    def _summed(self, other: int, weights: list[int], table: _Table) -> list[int]:
        """The weights of *other*'s hands by class; a turn's moves mostly meet the same weights and classes again."""
        classes = table.classes[other]
        kept = self._sums.get((other, id(classes)))
        if kept is not None and kept[0] is weights:
            return kept[1]
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
            classes = tuple(_numbered(self.game.classes(key, player)) for player in seats)
            # One deal stands for all deals of its classes.
            tuples = product(*(range(max(numbers) + 1) for numbers in classes))
            hands = [(cell, tuple(map(tuple.index, classes, cell))) for cell in tuples]
            cells = [(cell, None, Deal(self._chance(held), held)) for cell, held in hands]
        paid = [(cell, self._paid(key, deal, weight)) for cell, weight, deal in cells]
        scale = lcm(*{u.denominator for _, payoffs in paid for u in payoffs})
        counts = tuple(max(numbers) + 1 for numbers in classes)
        # Equal classes are one object, by which they are told apart.
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
        """What all are paid, times *weight*, if any; that the sum is the game's is checked rather than believed."""
        payoffs, total = self.game.settle(key, deal).payoffs, self.game.constant_sum
        if total is not None and sum(payoffs) != total:
            raise NotApplicableError(f"{self.game.title}: the payoffs do not always sum to {total}")
        for paid, payoff in zip(self.paid, payoffs, strict=True):
            paid.add(payoff)
        return payoffs if weight is None else tuple(weight * payoff for payoff in payoffs)

    def _chance(self, held: tuple[int, ...]) -> Fraction:
        assert self.chances is not None
        return prod((mine[hand] for mine, hand in zip(self.chances, held, strict=True)), start=Fraction(1))


@cache
def _picker(indices: tuple[int, ...]) -> Callable[[list[int]], tuple[int, ...]]:
    """What takes the numbers at *indices* out of a list: in C, as this is most of the work."""
    return itemgetter(*indices) if len(indices) > 1 else lambda numbers: tuple(numbers[k] for k in indices)


@cache
def _members(classes: tuple[int, ...]) -> list[Callable[[list[int]], tuple[int, ...]]]:
    return [
        _picker(tuple(hand for hand, number in enumerate(classes) if number == one)) for one in range(1 + max(classes))
    ]


def _numbered(classes: tuple[int, ...]) -> tuple[int, ...]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return tuple(numbers[name] for name in classes)
