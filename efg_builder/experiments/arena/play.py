"""One game of the arena, from random numbers to payoffs: a single round, or a whole match.

**Draws.** Random numbers are uniform in [0, 1), and depend only on (seed, block, turn, part). Each number belongs to a
seat, so every player in this seat gets the same dice and the same numbers for moves ("common random numbers").

**Rooms** cache the public turns that play has reached, and their cumulative probabilities. A full cache is emptied,
which changes no result. Players are not informed of the end of a round (``Policy.on_end``), because the same deal is
played again with exchanged seats.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import accumulate, count
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...base.errors import NotApplicableError, ProfileError
from ...base.rationals import Number
from ...base.words import quiet
from ...forms.bidding_form import class_size
from ...forms.extensive import CHANCE, NONE, GameTree, scaled_payoffs
from ...forms.subject import Subject
from ...games.bidding import BiddingGame
from ...games.catalogue import game
from ...games.checks import settle
from ...games.match_rules import EXACTS, MatchRules, Standing
from ...games.protocol import Deal, DealtGame, PublicDecision, PublicEnd, State
from ...players import TIMEOUT
from ...players.find import Table, find
from ...players.kinds.person import NAME as PERSON
from ...players.rounds.boards import on_table_rows
from ...proof.certificate.chain import holds_match
from ...proof.certificate.reading import read_strategies
from ...strategies.tree_profile import FLOAT_SUM_TOLERANCE, Strategy, bidding_of_two
from ..matches import Match, read_match
from .schedule import Contestant

MOVES = 8  # the number of moves per seat whose random numbers are drawn at once
_ORDER, _HANDS, _MOVES, _ROLLS = 0, 1, 2, 1 << 20

MOST_SEED = 2**32 - 1
"""The maximum seed. NumPy splits a larger seed, so different arguments could give the same numbers."""


@dataclass(frozen=True, eq=False)
class Draws:
    """The random numbers of a block's first ``deals`` deals; *turn* is the round of a match, from 0."""

    seed: int
    block: int
    deals: int
    seats: int
    _known: dict[tuple[int, int], list[Any]] = field(default_factory=dict)

    def orders(self) -> list[list[int]]:
        order: list[list[int]] = np.argsort(self._numbers(0, _ORDER, self.seats), axis=1, kind="stable").tolist()
        return order

    def hands(self, game: int, turn: int) -> list[float]:
        return self._numbers(turn, _HANDS, self.seats)[game]  # type: ignore[no-any-return]

    def moves(self, game: int, turn: int, part: int) -> list[list[float]]:
        """Return the random numbers of each seat for its moves 8 * part to 8 * part + 7."""
        return self._numbers(turn, _MOVES + part, self.seats, MOVES)[game]  # type: ignore[no-any-return]

    def rolls(self, game: int, part: int) -> list[float]:
        """Return the random numbers for a tree's chance moves 8 * part to 8 * part + 7."""
        return self._numbers(0, _ROLLS + part, MOVES)[game]  # type: ignore[no-any-return]

    def _numbers(self, turn: int, part: int, *shape: int) -> list[Any]:
        if (turn, part) not in self._known:
            generator = np.random.default_rng(np.random.SeedSequence([self.seed, self.block, turn, part]))
            # Use a list: reading single numbers from an array takes several times as long.
            self._known[turn, part] = generator.random((self.deals, *shape)).tolist()
        return self._known[turn, part]


Moves = Callable[[int], list[list[float]]]
"""``Draws.moves`` in one round, as a function of *part*."""

Answer = Callable[[PublicDecision, int], Mapping[str, Number]]

AT_ONCE = 1 << 21  # a policy with more probabilities is not read as arrays


@dataclass(frozen=True, eq=False)
class MoveSampler:
    """The probabilities of one player's moves in one game.

    ``by_last_bid``: whether the probabilities depend only on the seat, the hand and the last bid. ``given``: the
    strategy if it may be sparse, otherwise None.
    """

    answer: Answer
    by_last_bid: bool = False
    given: Strategy | None = None

    def row(self, turn: PublicDecision, hand: int) -> list[float]:
        """Return the probabilities of the turn's actions. Raises ``ProfileError`` for an invalid distribution."""
        chances = self.answer(turn, hand)
        row = [float(chances.get(action, 0)) for action, _ in turn.actions]
        if not (min(row) >= 0 and abs(sum(row) - 1) <= FLOAT_SUM_TOLERANCE):  # rejects nan too
            raise ProfileError(f"at {turn.history!r}, hand {hand}: {row} is not a distribution over the moves there")
        return row


def sampler(given: Strategy, game: DealtGame) -> MoveSampler:
    policy = given.policy
    if policy is None:
        return MoveSampler(on_table_rows(given), given=given)
    bidding = bidding_of_two(game)
    if policy.arrays is not None and bidding and class_size(len(bidding.bid_names)) * sum(game.hand_counts) <= AT_ONCE:
        return MoveSampler(on_table_rows(policy.arrays()))
    return MoveSampler(policy.at, policy.last_bid_only and isinstance(game, BiddingGame))


ROUNDS = ("sides", "dice", "wild", "wild_biddable", "order", "max_quantity")
"""The settings that determine the hands and the bids of a round."""


def in_match(match: Match, game: DealtGame, name: str) -> MoveSampler:
    """Return the sampler of *match*'s equilibrium in the round *game*.

    Raises ``NotApplicableError`` if *match* has no such round.
    """
    for solved_round in match.rounds:
        plain = round_game(match.rules, solved_round.pair)
        if all(getattr(game, key, None) == getattr(plain, key) for key in ROUNDS):
            staked = match.rules.round_of(solved_round.pair, match.rules.stakes(solved_round.pair, match.bounds))
            strategies = read_strategies(staked, solved_round.solution["strategies"])
            return MoveSampler(strategies.played, given=strategies)
    raise NotApplicableError(f"{name} is {match.rules.title!r}, which has no round {game.title!r}")


def seat(one: Contestant, table: Table) -> Strategy:
    """Return the strategy of *one* at *table*.

    Raises the errors of ``find``, and ``NotApplicableError`` for a person.
    """
    if isinstance(one.given, str) and one.given.partition(":")[0] == PERSON:
        instead = f"use 'efg-builder play GAME --players {PERSON},NAME'"
        raise NotApplicableError(f"{PERSON}: an arena has thousands of games, too many for a person; {instead}")
    return find(one.given, table, "run_arena")


def sit_down(one: Contestant, game: DealtGame, timeout: float, progress: Callable[[str], None]) -> MoveSampler:
    """Return the sampler of *one* in *game*. Raises the errors of ``seat`` and of ``in_match``."""
    given = one.given
    if isinstance(given, str) and given.lower().endswith((".json", ".gz")) and Path(given).is_file():
        given = read_match(given) if holds_match(given) else given
    if isinstance(given, Match):
        return in_match(given, game, one.name)
    return sampler(seat(one, Table(Subject(game), timeout, progress, verified=True)), game)


KEPT = 1_500_000
"""The approximate maximum number of cached moves in a room; a move takes about 200 bytes."""

PART = 10  # a room caches at most ``KEPT / PART`` payoffs, and at most as many rows of ``by_last_bid`` samplers
_ALL = 2.0  # exceeds every random number
Paid = tuple[float, ...]

Rows = Sequence[Sequence[Number]]  # [information set, move]: the probability


@dataclass(eq=False, slots=True)
class _Node:
    """A public turn. ``rows[player, hand]``: cumulative probabilities. ``after``: the node reached by each action."""

    turn: PublicDecision
    after: list[_Node | _End | None]
    rows: dict[tuple[int, int], list[float]]


@dataclass(eq=False, slots=True)
class _End:
    key: Hashable


@dataclass(eq=False)
class Room:
    """A room in which *samplers* play *game* in any seats."""

    game: DealtGame
    samplers: Sequence[MoveSampler]
    kept: int = KEPT
    _root: _Node | None = None
    _held: int = 0
    _paid: dict[tuple[Hashable, tuple[int, ...]], Paid] = field(default_factory=dict)
    _short: dict[tuple[int, int, State, int], list[float]] = field(default_factory=dict)

    @cached_property
    def _deals(self) -> tuple[Deal, ...]:
        return tuple(self.game.deals)

    @cached_property
    def _chances(self) -> tuple[list[float], ...]:
        """The cumulative probabilities of each player's hands, or of all deals if the hands are dependent."""
        chances = self.game.hand_probabilities or [[deal.probability for deal in self._deals]]
        return tuple(_sums(list(map(float, each))) for each in chances)

    def hands(self, numbers: Sequence[float]) -> tuple[int, ...]:
        """Return the indices of the hands; *numbers* has one number in [0, 1) per seat."""
        if self.game.hand_probabilities is None:
            return self._deals[bisect_right(self._chances[0], numbers[0])].hands
        return tuple(map(bisect_right, self._chances, numbers))

    def play(self, seats: Sequence[int], hands: Sequence[int], moves: Moves) -> tuple[Hashable, int]:
        """Play one round, and return the key of its end and the last mover.

        *seats* contains the index of each seat's sampler.
        """
        node = self._start()
        made, drawn = [0] * len(seats), moves(0)
        while True:
            player = node.turn.player
            who, hand, k = seats[player], hands[player], made[player]
            made[player] = k + 1
            row = node.rows.get((who, hand)) or self._row(node, who, hand)
            number = drawn[player][k] if k < MOVES else moves(k // MOVES)[player][k % MOVES]
            action = bisect_right(row, number)
            then = node.after[action]
            if then is None:
                then = node.after[action] = self._made(node.turn.actions[action][1])
            if isinstance(then, _End):
                return then.key, player
            node = then

    def paid(self, key: Hashable, hands: tuple[int, ...]) -> Paid:
        """Return the payoff of each seat at the end *key* with the given *hands*."""
        found = self._paid.get((key, hands))
        if found is None:
            found = tuple(map(float, settle(self.game, key, Deal(Fraction(1), hands)).payoffs))
            if len(self._paid) >= self.kept // PART:
                self._paid.clear()
            self._paid[key, hands] = found
        return found

    def _start(self) -> _Node:
        if self._root is None or self._held > self.kept:
            self._held = 0
            self._root = cast("_Node", self._made(self.game.public_root()))
        return self._root

    def _made(self, state: State) -> _Node | _End:
        turn = self.game.public_turn(state)
        if isinstance(turn, PublicEnd):
            return _End(turn.key)
        self._held += len(turn.actions)
        return _Node(turn, [None] * len(turn.actions), {})

    def _row(self, node: _Node, who: int, hand: int) -> list[float]:
        turn, sampler = node.turn, self.samplers[who]
        key = (who, turn.player, turn.history.rpartition(" ")[2], hand) if sampler.by_last_bid else None
        found = self._short.get(key) if key else None
        if found is None:
            found = _sums(sampler.row(turn, hand))
            if key is None:
                self._held += len(turn.actions)
            else:
                if len(self._short) >= self.kept // PART:
                    self._short.clear()
                self._short[key] = found
        node.rows[who, hand] = found
        return found


def _sums(chances: list[float]) -> list[float]:
    """Return cumulative probabilities with which ``bisect_right`` never samples a move of probability 0."""
    total = sum(chances)
    last = max(k for k, chance in enumerate(chances) if chance > 0)
    sums = [each / total for each in accumulate(chances)]
    return [each if k < last else _ALL for k, each in enumerate(sums)]  # rounding must not lead beyond index ``last``


@dataclass(eq=False)
class TreeRoom:
    """A room in which players play a game on its *tree*. ``rows``: each player's probabilities by information set."""

    tree: GameTree
    rows: Sequence[Rows]

    @cached_property
    def _sums(self) -> tuple[tuple[list[float], ...], ...]:
        return tuple(tuple(_sums(list(map(float, row))) for row in rows) for rows in self.rows)

    @cached_property
    def _nodes(self) -> tuple[list[int], list[int], list[list[int]]]:
        """The mover, the information set and the children of each node."""
        below: list[list[int]] = [[] for _ in range(len(self.tree))]
        for node, above in enumerate(self.tree.parent.tolist()):
            if above != NONE:
                below[above].append(node)
        return self.tree.player.tolist(), self.tree.infoset.tolist(), below

    @cached_property
    def _payoffs(self) -> list[Paid]:
        scaled, unit = scaled_payoffs(self.tree)
        return [tuple(float(Fraction(number, unit)) for number in row) for row in scaled.tolist()]

    def play(self, seats: Sequence[int], moves: Moves, rolls: Callable[[int], list[float]]) -> Paid:
        """Play one game, and return the payoff of each seat; *seats* has the index of each seat's player."""
        (player, infoset, below), node, rolled = self._nodes, 0, 0
        made = [0] * len(seats)
        while below[node]:
            who, k = player[node], infoset[node]
            if who == CHANCE:
                number, row = rolls(rolled // MOVES)[rolled % MOVES], self._sums[0][k]
                rolled += 1
            else:
                number, row = moves(made[who] // MOVES)[who][made[who] % MOVES], self._sums[seats[who]][k]
                made[who] += 1
            node = below[node][bisect_right(row, number)]
        return self._payoffs[node]


@dataclass(frozen=True, slots=True)
class GameResult:
    """Each seat's payoff (``paid``) and rank (0 is best; equal ranks are ties)."""

    paid: Paid
    ranks: tuple[int, ...]


@dataclass(eq=False)
class Contest:
    """A game of single rounds, or a ``match``, with its players.

    ``subject``: the game of single rounds, or of the first round of the match. Players are prepared for a combination
    of dice when it first occurs.
    """

    subject: Subject
    players: Sequence[Contestant]
    timeout: float = TIMEOUT
    progress: Callable[[str], None] = quiet
    match: MatchRules | None = None
    _rooms: dict[tuple[int, ...], Room] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        given: Subject | MatchRules,
        players: Sequence[Contestant],
        timeout: float = TIMEOUT,
        progress: Callable[[str], None] = quiet,
    ) -> Contest:
        """Return the contest of a game of single rounds, or of a match."""
        if isinstance(given, MatchRules):
            return cls(Subject(round_game(given, given.dice)), players, timeout, progress, given)
        return cls(given, players, timeout, progress)

    @property
    def seats(self) -> int:
        return len(self.subject.players)

    def play(self, seating: Sequence[int], draws: Draws, game: int) -> GameResult:
        """Play game number *game* of the block of *draws*; *seating* contains the index of each seat's player."""
        if self.match is not None:
            return self._match(self.match, seating, draws, game)
        if self.tree_room is not None:
            paid = self.tree_room.play(seating, partial(draws.moves, game, 0), partial(draws.rolls, game))
        else:
            room = self.room(())
            hands = room.hands(draws.hands(game, 0))
            paid = room.paid(room.play(seating, hands, partial(draws.moves, game, 0))[0], hands)
        return GameResult(paid, ranks(paid))

    @cached_property
    def tree_room(self) -> TreeRoom | None:
        """The room for play on the tree; None for dealt games and matches. Raises the errors of ``find``."""
        if self.subject.given_dealt is not None:
            return None
        table = Table(self.subject, self.timeout, self.progress, verified=True)
        tree = table.tree()
        return TreeRoom(tree, [tuple(seat(one, table).on(tree).probabilities) for one in self.players])

    def open(self) -> None:
        """Prepare the players. Raises the errors of ``find`` and ``sit_down``."""
        if self.tree_room is None:
            self.room(() if self.match is None else self.match.dice)

    def room(self, dice: tuple[int, ...]) -> Room:
        """Return the room for the remaining *dice* (``()`` for a single round)."""
        if dice not in self._rooms:
            game = self.round_game(dice)
            samplers = [sit_down(one, game, self.timeout, self.progress) for one in self.players]
            # A match has a room for each combination of remaining dice, so each room has a share of the cache.
            rooms = 1 if self.match is None else prod(self.match.dice)
            self._rooms[dice] = Room(game, samplers, KEPT // rooms)
        return self._rooms[dice]

    def round_game(self, dice: tuple[int, ...]) -> DealtGame:
        """Return the game of a round with the remaining *dice* (``()`` for a single round)."""
        if self.match is not None:
            return round_game(self.match, dice)
        return cast("DealtGame", self.subject.given_dealt)  # other games have a ``tree_room``

    def _match(self, rules: MatchRules, seating: Sequence[int], draws: Draws, game: int) -> GameResult:
        standing, out = Standing(rules.dice, 0), list[int]()
        for turn in count():
            # Omit players without dice; the first bidder has the first seat of the round.
            places = in_turn(standing)
            room, numbers = self.room(tuple(standing.dice[place] for place in places)), draws.hands(game, turn)
            hands = room.hands([numbers[place] for place in places])
            key, caller = room.play([seating[place] for place in places], hands, partial(draws.moves, game, turn))
            standing = rules.after(standing, places[caller], *called(room.game, key, hands))
            out += [seat for seat, dice in enumerate(standing.dice) if not dice and seat not in out]
            if rules.winner(standing) is not None:
                break
        last = len(seating) - 1
        place = {seat: last - k for k, seat in enumerate(out)}
        found = tuple(place.get(seat, 0) for seat in range(len(seating)))
        return GameResult(tuple(-1 / last if rank else 1.0 for rank in found), found)


def called(game: Any, key: Any, hands: tuple[int, ...]) -> tuple[tuple[int, int], int]:
    """Return the bid that was called at the end *key* of a round of Liar's Dice, and the number of matching dice."""
    bid = game.bids[key[0]]
    return bid, game.matching(bid[1], hands)


def in_turn(standing: Standing) -> list[int]:
    """Return the seats that have dice, starting with the first bidder."""
    seats = len(standing.dice)
    around = [(standing.first + k) % seats for k in range(seats)]
    return [seat for seat in around if standing.dice[seat]]


def round_game(rules: MatchRules, dice: tuple[int, ...]) -> DealtGame:
    settings: dict[str, object] = {name: getattr(rules, name) for name in ("sides", "wild", "wild_biddable", "order")}
    # Only the game with stakes has a rule for exact counts.
    if len(dice) == 2 and rules.exact != EXACTS[0]:
        return game("liars-dice-stakes", **settings, dice=dice, exact=rules.exact, lose1="-1", lose2="1")
    return game("liars-dice", **settings, dice=dice)


@cache
def ranks(paid: Paid) -> tuple[int, ...]:
    """Return each seat's rank: the number of seats with a higher payoff."""
    return tuple(sum(other > mine for other in paid) for mine in paid)
