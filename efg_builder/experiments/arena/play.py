"""One game of the arena, from the draws to the payoffs: a single round, or a whole match.

In this order: what chance decides (``Draws``), how a player moves (``MoveSampler``), one round (``Room``), one round or
one match (``Contest``).

**Draws.** What chance decides in a block of games depends on the seed alone: it is the same for all who play that
block. Each array has a generator of its own, seeded by (seed, block, turn, part) (NumPy's ``SeedSequence``): so the
content of a block depends neither on the order in which blocks are played, nor on the players, nor on what was drawn
before. Numbers are uniform in [0, 1). They belong to a seat: whoever sits there has the same dice, and decides by the
same numbers, which makes games of different players comparable ("common random numbers").

**Rooms** are as fast as plain Python allows. The public turns that play has reached are kept as nodes, with the
players' probabilities there as running sums; so a move costs a look at a list, and the rules are asked only at a new
node. The number kept is bounded: a room that is full begins anew, which changes no result. No player is informed how a
round ended (``Policy.on_end``): the same deal is played again, with seats exchanged and by others, and a player who had
seen the hands that were uncovered would know the hands of those games.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any

from ...base.errors import NotApplicableError, ProfileError
from ...base.rationals import Number
from ...games import make
from ...games.bid_index import class_size
from ...games.bidding import BiddingGame
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_stakes import EXACTS
from ...games.match_rules import MatchRules, Standing, match_rules
from ...games.protocol import Deal, DealtGame, Game, PublicDecision, PublicEnd, State
from ...players.find import find, table_of
from ...players.kinds.person import NAME as PERSON
from ...players.rounds.boards import on_table_rows
from ...proof.certificate.chain import holds_match
from ...proof.certificate.reading import read_strategies
from ...strategies.policy import Policy
from ...strategies.protocol import Strategy
from ...strategies.tree_profile import FLOAT_SUM_TOLERANCE
from ..matches import Match, read_match
from .contestants import Contestant, Patience

MOVES = 8
"""Numbers are drawn for this many moves of a seat at a time."""

_ORDER, _HANDS, _MOVES = 0, 1, 2

MOST_SEED = 2**32 - 1
"""Seeds are at most this: larger ones take more than one word, and two lists of words could be alike."""


@dataclass(frozen=True, eq=False)
class Draws:
    """The numbers for the first ``deals`` games of block ``block`` at ``seats`` seats.

    Games are numbered from 0 within the block, ``turn`` is the round of a match (0 where there is only one).
    """

    seed: int
    block: int
    deals: int
    seats: int
    _known: dict[tuple[int, int], Any] = field(default_factory=dict)

    def _array(self, turn: int, part: int, *shape: int) -> Any:
        if (turn, part) not in self._known:
            import numpy as np

            generator = np.random.default_rng(np.random.SeedSequence([self.seed, self.block, turn, part]))
            self._known[turn, part] = generator.random((self.deals, *shape))
        return self._known[turn, part]

    def orders(self) -> list[list[int]]:
        """For each game a random order of as many players as there are seats, all orders equally likely."""
        order: list[list[int]] = self._array(0, _ORDER, self.seats).argsort(axis=1, kind="stable").tolist()
        return order

    def hands(self, game: int, turn: int) -> list[float]:
        """The numbers that decide the hand of each seat."""
        return self._list(turn, _HANDS, self.seats)[game]  # type: ignore[no-any-return]

    def moves(self, game: int, turn: int) -> Moves:
        """The numbers that decide the moves of each seat."""
        return Moves(partial(self._part, game, turn))

    def _part(self, game: int, turn: int, part: int) -> list[list[float]]:
        return self._list(turn, _MOVES + part, self.seats, MOVES)[game]  # type: ignore[no-any-return]

    def _list(self, turn: int, part: int, *shape: int) -> list[Any]:
        found = self._array(turn, part, *shape)
        if not isinstance(found, list):
            # Plain numbers: reading them one by one from an array takes several times as long.
            found = self._known[turn, part] = found.tolist()
        known: list[Any] = found
        return known


class Moves:
    """The numbers of one round: ``row(k)`` for the moves 8 k to 8 k + 7 of every seat, drawn when first asked for."""

    __slots__ = ("_draw", "_rows")

    def __init__(self, draw: partial[list[list[float]]]) -> None:
        self._draw = draw
        self._rows: list[list[list[float]]] = []

    def row(self, part: int) -> list[list[float]]:
        """One list of ``MOVES`` numbers for each seat."""
        while len(self._rows) <= part:
            self._rows.append(self._draw(len(self._rows)))
        return self._rows[part]


Answer = Callable[[PublicDecision, int], Mapping[str, Number]]

AT_ONCE = 1 << 21
"""A policy with arrays of at most this many probabilities is asked for them once."""


@dataclass(frozen=True, eq=False)
class MoveSampler:
    """How one player moves in one game: the probabilities from which its moves are sampled.

    ``by_last_bid``: they depend on seat, hand and last bid alone. ``answer`` checks the policy's answers, and names the
    policy where one is wrong; ``unchecked``, where there is one, is the policy itself.
    """

    answer: Answer
    by_last_bid: bool = False
    unchecked: Answer | None = None

    def row(self, turn: PublicDecision, hand: int) -> list[float]:
        """The probabilities of the turn's actions. Raises ``ProfileError`` for what is no behavior."""
        if self.unchecked is not None:
            with suppress(Exception):  # ``answer`` repeats the error, with the policy's name
                found = self.unchecked(turn, hand)
                if _sound(found, turn):
                    return [float(found.get(action, 0)) for action, _ in turn.actions]
        found = self.answer(turn, hand)
        row = [float(found.get(action, 0)) for action, _ in turn.actions]
        if not (min(row) >= 0 and abs(sum(row) - 1) <= FLOAT_SUM_TOLERANCE):  # nan fails too
            raise ProfileError(f"at {turn.history!r}, hand {hand}: {row} are no probabilities of the moves there")
        return row


def _sound(found: Mapping[str, Number], turn: PublicDecision) -> bool:
    """Whether ``Policy.at`` would accept *found*, as far as can be checked quickly."""
    numbers = list(found.values())
    kinds = set(map(type, numbers))
    if not found.keys() <= {action for action, _ in turn.actions} or min(numbers) < 0:
        return False
    if kinds <= {float}:
        return abs(sum(map(float, numbers)) - 1) <= FLOAT_SUM_TOLERANCE / 2  # nan is not
    return kinds <= {Fraction} and sum(numbers, Fraction(0)) == 1


def sampler(given: Strategy, game: DealtGame) -> MoveSampler:
    """How *given* plays *game*, in every seat."""
    if not isinstance(given, Policy):
        return MoveSampler(on_table_rows(given))
    if given.arrays is not None and _few(game):
        return MoveSampler(on_table_rows(given.arrays()))
    return MoveSampler(given.at, given.last_bid_only and isinstance(game, BiddingGame), given.function)


def _few(game: DealtGame) -> bool:
    """Whether *game* has arrays, and small ones."""
    if not isinstance(game, BiddingGame) or len(game.players) != 2:
        return False
    return class_size(len(game.bid_names)) * sum(game.hand_counts) <= AT_ONCE


def in_match(match: Match, game: DealtGame, name: str) -> MoveSampler:
    """How the equilibrium of *match* plays the round *game*. Raises ``NotApplicableError`` where that is none of it."""
    pair = game.dice if isinstance(game, LiarsDice) else ()
    found = next((each for each in match.rounds if each.pair == pair), None)
    if found is None or not isinstance(game, LiarsDice) or not _same_round(match, game):
        raise NotApplicableError(f"{name} is {match.rules.title!r}, and {game.title!r} is no round of it")
    staked = match.rules.round_of(found.pair, match.rules.stakes(found.pair, match.bounds))
    return MoveSampler(read_strategies(staked, found.solution["strategies"]).played)


def _same_round(match: Match, game: LiarsDice) -> bool:
    """Whether hands and bids of *game* are those of the rounds of *match*."""
    ours = {key: getattr(game, key) for key in ("sides", "dice", "wild", "wild_biddable", "order")}
    theirs = match_rules(match.rules.settings | {"dice": game.dice})
    return game.max_quantity == sum(game.dice) and all(getattr(theirs, key) == ours[key] for key in ours)


def read_if_match(given: object) -> object:
    """*given*, or the match in it where it is the file of one. Raises ``CertificateError`` and ``FileError``."""
    if isinstance(given, str) and given.lower().endswith((".json", ".gz")) and Path(given).is_file():
        return read_match(given) if holds_match(given) else given
    return given


def sit_down(one: Contestant, game: DealtGame, patience: Patience, progress: Callable[[str], None]) -> MoveSampler:
    """How *one* plays *game*. Raises the errors of ``find``, and ``NotApplicableError`` where it cannot play *game*."""
    if isinstance(one.given, str) and one.given.partition(":")[0] == PERSON:
        instead = f"'efg-builder sit GAME --seat {PERSON} --seat NAME' does"
        raise NotApplicableError(f"{PERSON}: an arena plays thousands of games and seats no person; {instead}")
    given = read_if_match(one.given)
    if isinstance(given, Match):
        return in_match(given, game, one.name)
    return sampler(find(given, table_of(game, patience.max_nodes, patience.timeout, progress)), game)


KEPT = 1_500_000
"""Approximate number of moves that a room keeps: of public turns and their probabilities; some 200 bytes each."""

PART = 10
"""Payoffs, and rows by last bid: a room keeps at most this part of ``KEPT`` of each."""

_ALL = 2.0
"""More than any number drawn."""

Paid = tuple[float, ...]


@dataclass(eq=False, slots=True)
class _Node:
    """A public turn: ``rows[player, hand]`` are running sums, ``after`` is the node after each action, once reached."""

    turn: PublicDecision
    after: list[_Node | _End | None]
    rows: dict[tuple[int, int], list[float]]


@dataclass(eq=False, slots=True)
class _End:
    key: Hashable


@dataclass(frozen=True, slots=True)
class Played:
    """A round after its last move: the ``key`` of its end, and who made that move."""

    key: Hashable
    caller: int


@dataclass(eq=False)
class Room:
    """Where *game* is played by *samplers*, each of which may sit in any seat."""

    game: DealtGame
    samplers: Sequence[MoveSampler]
    kept: int = KEPT
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
        """One round: *seats* are the samplers (by index) in the players' seats, *hands* what they hold.

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
            if len(self._paid) >= self.kept // PART:
                self._paid.clear()
            self._paid[key, hands] = found
        return found

    def _start(self) -> _Node:
        if self._root is None or self._held > self.kept:
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
        one, turn = self.samplers[who], node.turn
        if not one.by_last_bid:
            self._held += len(turn.actions)
            row = node.rows[who, hand] = self._asked(who, turn, hand)
            return row
        key = who, turn.player, turn.history.rpartition(" ")[2], hand
        found = self._short.get(key)
        if found is None:
            if len(self._short) >= self.kept // PART:
                self._short.clear()
            found = self._short[key] = self._asked(who, turn, hand)
        node.rows[who, hand] = found
        return found

    def _asked(self, who: int, turn: PublicDecision, hand: int) -> list[float]:
        return _sums(self.samplers[who].row(turn, hand))


def _sums(chances: list[float]) -> list[float]:
    """Running sums in which ``bisect_right`` of a number in [0, 1) finds k with the k-th chance, and none that is 0.

    Rounding must not lead past the last one that can happen: from there on the sums are above all numbers.
    """
    total = sum(chances)
    last = max(k for k, chance in enumerate(chances) if chance > 0)
    sums = [each / total for each in accumulate(chances)]
    return [each if k < last else _ALL for k, each in enumerate(sums)]


Subject = DealtGame | MatchRules
"""One round of a game, or matches."""


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of one game: each seat's payoff in ``paid``, and its rank (0 the best; equal ranks are ties)."""

    paid: Paid
    ranks: tuple[int, ...]


@dataclass(eq=False)
class Contest:
    """*subject*, and the players who may play it; they sit down when a round with such dice is first played."""

    subject: Subject
    players: Sequence[Contestant]
    patience: Patience
    progress: Callable[[str], None] = lambda line: None
    _rooms: dict[tuple[int, ...], Room] = field(default_factory=dict)

    @property
    def seats(self) -> int:
        """How many play together."""
        return len(self.subject.dice if isinstance(self.subject, MatchRules) else self.subject.players)

    def play(self, seating: Sequence[int], draws: Draws, game: int) -> GameResult:
        """Game *game* of the block that *draws* are of, with the players *seating* (by index) in the seats."""
        if isinstance(self.subject, MatchRules):
            return self._match(self.subject, seating, draws, game)
        room = self.room(())
        hands = room.hands(draws.hands(game, 0))
        played = room.play(seating, hands, draws.moves(game, 0))
        paid = room.paid(played.key, hands)
        return GameResult(paid, ranks(paid))

    def room(self, dice: tuple[int, ...]) -> Room:
        """Where the round with these dice left is played (``()`` where there is but one round).

        Raises the errors of ``sit_down``.
        """
        if dice not in self._rooms:
            game = round_game(self.subject, dice)
            samplers = [sit_down(one, game, self.patience, self.progress) for one in self.players]
            self._rooms[dice] = Room(game, samplers, self._kept())
        return self._rooms[dice]

    def _kept(self) -> int:
        """What a room may keep: a match has one for all dice that can be left."""
        return KEPT // (prod(self.subject.dice) if isinstance(self.subject, MatchRules) else 1)

    def _match(self, rules: MatchRules, seating: Sequence[int], draws: Draws, game: int) -> GameResult:
        """Rounds until one player has all the dice that are left. Seats are those of the first round."""
        standing, turn, out = Standing(rules.dice, 0), 0, list[int]()
        while rules.winner(standing) is None:
            standing = self._round(rules, standing, seating, draws, game, turn)
            out += [seat for seat, dice in enumerate(standing.dice) if not dice and seat not in out]
            turn += 1
        last = len(seating) - 1
        winner = rules.winner(standing)
        place = {seat: last - k for k, seat in enumerate(out)}
        share = -1 / last
        paid = tuple(1.0 if seat == winner else share for seat in range(len(seating)))
        return GameResult(paid, tuple(place.get(seat, 0) for seat in range(len(seating))))

    def _round(
        self, rules: MatchRules, standing: Standing, seating: Sequence[int], draws: Draws, game: int, turn: int
    ) -> Standing:
        """The standing after one more round. Whose dice are gone is passed over; who bids first has the first seat."""
        places = in_turn(standing)
        room = self.room(tuple(standing.dice[place] for place in places))
        numbers, moves = draws.hands(game, turn), draws.moves(game, turn)
        hands = room.hands([numbers[place] for place in places])
        sitting = [seating[place] for place in places]
        played = room.play(sitting, hands, moves)
        bid, counted = called(room.game, played.key, hands)
        return rules.after(standing, places[played.caller], bid, counted)


def called(game: Game, key: object, hands: tuple[int, ...]) -> tuple[tuple[int, int], int]:
    """The bid that was called at the end *key* of a round of Liar's Dice, and how many dice counted."""
    assert isinstance(game, LiarsDice)
    assert isinstance(key, tuple)
    bid = game.bids[key[0]]
    return bid, sum(game.matches(cup[hand][0], bid[1]) for cup, hand in zip(game.cups, hands, strict=True))


def in_turn(standing: Standing) -> list[int]:
    """The seats with dice, in turn, from who bids first."""
    seats = len(standing.dice)
    around = [(standing.first + k) % seats for k in range(seats)]
    return [seat for seat in around if standing.dice[seat]]


def round_game(subject: Subject, dice: tuple[int, ...]) -> DealtGame:
    """The round with these dice. Raises ``NotApplicableError`` for a game that is not one deal and public play."""
    if not isinstance(subject, MatchRules):
        if not isinstance(subject, DealtGame):
            title = subject.title if isinstance(subject, Game) else "a tree"
            raise NotApplicableError(f"{title}: an arena is for games of one deal and public play, such as liars-dice")
        return subject
    rounds = {"sides": subject.sides, "dice": dice, "wild": subject.wild, "wild_biddable": subject.wild_biddable}
    if len(dice) == 2 and subject.exact != EXACTS[0]:
        # Who loses an exact count is part of the round, and only the game with stakes has it.
        stakes = {"order": subject.order, "exact": subject.exact, "lose1": "-1", "lose2": "1"}
        made = make("liars-dice-stakes", rounds | stakes)
    else:
        made = make("liars-dice", rounds | {"order": subject.order})
    assert isinstance(made, DealtGame)
    return made


@cache
def ranks(paid: Paid) -> tuple[int, ...]:
    """For each seat how many got more."""
    return tuple(sum(other > mine for other in paid) for mine in paid)
