"""A board for dealt games of two players, of any size: values by recursion over public histories.

Down the recursion goes, for each hand of the opponent, the probability that the opponent plays towards this history;
up comes, for each own hand, the most that is still to be had from there, weighted by the opponent's hands and their
way here. At the own turns all actions are tried, at the opponent's those that are played. A strategy that does the
default move where nothing is written leads to few histories, so that the size of the game hardly matters.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, lcm
from operator import mul
from typing import Any

from ...base.errors import NotApplicableError, ProfileError
from ...base.rationals import Number
from ...games.bidding import BiddingGame
from ...games.protocol import Deal, DealtGame, Decision, PublicDecision, PublicEnd, State, Turn
from ...strategies.dense_profile import WideStrategy
from ...strategies.sparse_profile import SparseProfile
from ...strategies.strategy_file import StrategyFile
from ...strategies.strategy_rows import by_rules, check_game
from ...strategies.tree_profile import Profile
from .. import Policy
from ..strategy_seats import UNIFORM, Given, asked, completion
from .board import Row, Values, exact

Weights = tuple[int, list[int]]
"""One number for each hand of a player: a common denominator and the numerators."""

Rows = Callable[[PublicDecision, int], Mapping[str, Fraction]]
"""A strategy for both seats: at a public turn and with a hand (its index), the probabilities; those left out are 0."""

MAX_TURNS = 20_000
"""Own turns that the opponent's strategy may lead to: more would take minutes."""


def suits(game: object) -> bool:
    """Whether *game* can be played on this board: two players, one deal of independent hands, then public play."""
    return isinstance(game, DealtGame) and len(game.players) == 2 and game.hand_probabilities is not None


@dataclass(frozen=True, eq=False)
class OnTable:
    """See ``Board``; a state is None before the deal, then the deal and the public state.

    ``names``: what the players are called here, where not as in the rules.
    """

    game: DealtGame
    rows: Rows
    open: bool = True
    names: tuple[str, ...] = ()
    _known: dict[int, Values] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.names or self.game.players

    def root(self) -> State:
        """Nothing has been dealt."""
        return self.game.root()

    def turn(self, state: State) -> Turn:
        """The game's own."""
        return self.game.turn(state)

    def behavior(self, state: State, turn: Decision) -> Row:
        """What the mover's hand plays."""
        deal, public = state
        found = self.rows(_decision(self.game, public), deal.hands[turn.player])
        return tuple(found.get(action, Fraction(0)) for action, _ in turn.actions)

    def hand(self, state: State, player: int) -> str:
        """The name of the hand."""
        hand: int = state[0].hands[player]
        return self.game.hands[player][hand]

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        """Both hands."""
        return tuple((name, self.hand(state, player)) for player, name in enumerate(self.players))

    def values(self, player: int) -> Values:
        """By one pass over all that the opponent's strategy leads to.

        Raises ``NotApplicableError`` where that is more than ``MAX_TURNS`` own turns, or play is too deep.
        """
        if player not in self._known:
            self._known[player] = _values(self, player)
        return self._known[player]


def _decision(game: DealtGame, public: State) -> PublicDecision:
    turn = game.public_turn(public)
    assert isinstance(turn, PublicDecision)
    return turn


@dataclass(frozen=True)
class _Turn:
    """An own turn: ``reach``, how likely the opponent (over all hands) plays towards it, and each action's worth by
    own hand, weighted by that."""

    reach: Fraction
    worths: tuple[Weights, ...]


def _values(board: OnTable, player: int) -> Values:
    game, found = board.game, dict[str, _Turn]()
    chances = game.hand_probabilities
    assert chances is not None
    ends = _ends(game, player)

    def most(state: State, reach: Weights) -> Weights:
        turn = game.public_turn(state)
        if isinstance(turn, PublicEnd):
            return ends(turn.key, reach)
        if turn.player != player:
            return _sums([most(then, way) for then, way in _played(board.rows, turn, reach)])
        if len(found) >= MAX_TURNS:
            what = f"the strategy leads to more than {MAX_TURNS:,} turns of yours, too many to say what moves are worth"
            raise NotApplicableError(f"{game.title}: {what}; play against a sparse one, such as the oracle's")
        worths = tuple(most(then, reach) for _, then in turn.actions)
        found[turn.history] = _Turn(Fraction(sum(reach[1]), reach[0]), worths)
        scale = lcm(*(denominator for denominator, _ in worths))
        columns = zip(*([scale // d * number for number in row] for d, row in worths), strict=True)
        return scale, list(map(max, columns))

    try:
        best = most(game.public_root(), _weights(chances[1 - player]))
    except RecursionError:
        raise NotApplicableError(f"{game.title}: play is too deep to be played here") from None
    own = _weights(chances[player])

    def at(state: State) -> Row:
        deal, public = state
        hand, here = deal.hands[player], found[_decision(game, public).history]
        return tuple(Fraction(row[hand], d) / here.reach for d, row in here.worths)

    return Values(Fraction(sum(map(mul, own[1], best[1])), own[0] * best[0]), at)


def _weights(chances: tuple[Fraction, ...]) -> Weights:
    scale = lcm(*(chance.denominator for chance in chances))
    return scale, [int(chance * scale) for chance in chances]


def _sums(parts: list[Weights]) -> Weights:
    scale = lcm(*(denominator for denominator, _ in parts))
    rows = [[scale // d * number for number in row] for d, row in parts]
    return scale, list(map(sum, zip(*rows, strict=True)))


def _played(rows: Rows, turn: PublicDecision, reach: Weights) -> list[tuple[State, Weights]]:
    """Where the opponent goes from *turn*, each with the hands that do so and their way there."""
    denominator, weights = reach
    behavior = {hand: rows(turn, hand) for hand, weight in enumerate(weights) if weight}
    scale = lcm(*(p.denominator for row in behavior.values() for p in row.values()))
    parted = []
    for action, then in turn.actions:
        way = [0] * len(weights)
        for hand, row in behavior.items():
            p = row.get(action, Fraction(0))
            way[hand] = weights[hand] * p.numerator * (scale // p.denominator)
        if any(way):
            common = gcd(denominator * scale, *way)
            parted.append((then, (denominator * scale // common, [number // common for number in way])))
    return parted


def _ends(game: DealtGame, player: int) -> Callable[[Hashable, Weights], Weights]:
    """Of a public end and the opponent's weights: what each own hand gets there, weighted by them."""

    @cache
    def table(key: Hashable) -> tuple[int, list[list[int]], list[int], list[int]]:
        own, other = (_numbered(game.classes(key, seat)) for seat in (player, 1 - player))
        paid: dict[tuple[int, int], Fraction] = {}
        # One deal stands for all deals of its classes.
        for i, j in product(range(max(own) + 1), range(max(other) + 1)):
            pair = own.index(i), other.index(j)
            deal = Deal(Fraction(1), pair if player == 0 else pair[::-1])
            paid[i, j] = game.settle(key, deal).payoffs[player]
        scale = lcm(*(payoff.denominator for payoff in paid.values()))
        grid = [[int(paid[i, j] * scale) for j in range(max(other) + 1)] for i in range(max(own) + 1)]
        return scale, grid, own, other

    def worth(key: Hashable, reach: Weights) -> Weights:
        scale, grid, own, other = table(key)
        sums = [0] * len(grid[0])
        for number, weight in zip(other, reach[1], strict=True):
            sums[number] += weight
        worths = [sum(map(mul, row, sums)) for row in grid]
        return reach[0] * scale, [worths[number] for number in own]

    return worth


def _numbered(classes: tuple[int, ...]) -> list[int]:
    """The same classes, numbered from 0 in the order in which hands meet them."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(classes))}
    return [numbers[name] for name in classes]


def on_table_rows(given: Given, game: DealtGame, complete: str | None) -> Rows:
    """*given* by public turn and hand. Raises ``ProfileError`` where it does not fit the game."""
    how = completion(given, complete, game)
    if isinstance(given, Policy):
        return _of_policy(given, game)
    if isinstance(given, SparseProfile):
        if given.game != game:
            raise ProfileError(f"the strategies are of {given.game.title!r}, not of {game.title!r}")
        return given.played
    if isinstance(given, Profile):
        return _of_profile(given, game)
    if isinstance(given, StrategyFile):
        return _of_file(given, game, how)
    assert isinstance(given, WideStrategy)
    if given.game != game:
        raise ProfileError(f"the arrays are of {given.game.title!r}, not of {game.title!r}")
    return _of_arrays(given, given.game)


def _exact(behavior: Mapping[str, Number]) -> dict[str, Fraction]:
    return dict(zip(behavior, exact(tuple(behavior.values())), strict=True))


def _of_policy(given: Policy, game: DealtGame) -> Rows:
    known: dict[tuple[int, str, int], dict[str, Fraction]] = {}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        seen = turn.history.rpartition(" ")[2] if given.last_bid_only else turn.history
        key = turn.player, seen, hand
        if key not in known:
            known[key] = _exact(asked(given, game, turn, hand))
        return known[key]

    return rows


def _of_profile(given: Profile, game: DealtGame) -> Rows:
    tree = given.tree
    index = {tree.infosets[k].label: k for k in tree.personal}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        k = index.get(game.infoset_name(turn.player, hand, turn.history))
        if k is None or tree.infosets[k].actions != tuple(action for action, _ in turn.actions):
            raise ProfileError(f"the profile is not one of {game.title!r}: it is of {tree.title!r}")
        return _exact(dict(zip(tree.infosets[k].actions, given.probabilities[k], strict=True)))

    return rows


def _of_file(given: StrategyFile, game: DealtGame, how: str | None) -> Rows:
    check_game(given, game, game.title)
    written = by_rules(given, game)

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        found = written[turn.player].get(turn.history, {}).get(hand)
        if found is None and how == "uniform":
            found = UNIFORM.at(turn, hand)
        return {turn.actions[game.default_action(turn)][0]: Fraction(1)} if found is None else _exact(found)

    return rows


def _of_arrays(given: WideStrategy, game: BiddingGame) -> Rows:
    from ...games.bid_index import locate

    number = {name: bid for bid, name in enumerate(game.bid_names)}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        array: Any = given.arrays[turn.player]
        if array is None:
            lacking = f"there is no strategy of player {turn.player + 1} in it"
            raise ProfileError(f"{given.source}: {lacking}" if given.source else lacking)
        bids = [number[word] for word in turn.history.split()] if turn.history != game.history(()) else []
        entry = locate(bids)[1]
        found = {
            action: Fraction(float(array[entry | 1 << number[action] >> 1, hand]))
            for action, _ in turn.actions
            if action != game.call
        }
        if bids:
            found[game.call] = max(1 - sum(found.values(), Fraction(0)), Fraction(0))
        return _exact(found)

    return rows
