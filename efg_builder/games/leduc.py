"""Leduc hold'em with OpenSpiel's payoffs: one card each, a round of betting, one public card, another round.

Suits do not affect payoffs. By default, players see only ranks (288 information sets). With ``suits_seen`` they also
see suits, as in the paper by Southey et al. (936 information sets).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import comb
from typing import NamedTuple

from ..base.parameters import Parameter, integer, truth
from ..base.words import listed, player_names, plural
from .catalogue import GameType
from .protocol import Chance, Decision, End, Game, Size, State, Turn

BETS = (2, 4)
"""The size of a raise in the first and in the second round."""

RANKS = "A23456789TJQK"
"""The ranks from low to high. Smaller decks use the highest ranks."""

SUITS = "cdhs"


class Betting(NamedTuple):
    """A betting round: the players who have not folded, the players who must still move, and the number of raises."""

    left: tuple[int, ...]
    waiting: tuple[int, ...]
    raises: int = 0

    @property
    def over(self) -> bool:
        return not self.waiting or len(self.left) == 1

    def moves(self, raises: int) -> tuple[str, ...]:
        """Return the mover's actions, with at most *raises* raises in a round."""
        moves = ("fold", "call") if self.raises else ("check",)
        return (*moves, "raise") if self.raises < raises else moves

    def after(self, move: str) -> Betting:
        """Return the round after the mover's *move*. After a raise, every other remaining player must move."""
        mover, others = self.waiting[0], self.waiting[1:]
        if move == "fold":
            return Betting(tuple(player for player in self.left if player != mover), others, self.raises)
        if move == "raise":
            seat = self.left.index(mover)
            return Betting(self.left, self.left[seat + 1 :] + self.left[:seat], self.raises + 1)
        return Betting(self.left, others, self.raises)


class Played(NamedTuple):
    """A state: the private cards, the public card (or None), the betting round, the payments, and the past moves."""

    cards: tuple[int, ...]
    board: int | None
    betting: Betting
    paid: tuple[int, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class LeducPoker(Game):
    """Leduc hold'em with ``seats`` players and ``suits`` suits of ``ranks`` cards each.

    ``raises`` is the maximum number of raises in a round.
    """

    suits: int = 2
    ranks: int = 3
    raises: int = 2
    seats: int = 2
    suits_seen: bool = False

    comment = (
        f"One card each, betting by {BETS[0]}, one public card, betting by {BETS[1]}; a pair with the public card "
        "wins, else the highest card."
    )
    constant_sum = Fraction(0)

    @cached_property
    def players(self) -> tuple[str, ...]:
        return player_names(self.seats)

    @property
    def title(self) -> str:
        seen = ", suits seen" if self.suits_seen else ""
        often = f"{self.raises} raise{'s' * (self.raises > 1)}"
        return f"Leduc hold'em: {self.seats} players, {self.suits} suits of {self.ranks} ranks, {often} a round{seen}"

    def explain(self) -> tuple[str, ...]:
        first, *others = self.players
        ranks = ", ".join(RANKS[-self.ranks :])
        return (
            f"{plural(self.seats, 'player')} and a deck of {self.suits * self.ranks} cards: {ranks}, from "
            f"low to high, each {self.suits} times. Each puts 1 into the pot and gets one card, which nobody else "
            "sees.",
            f"There are two rounds of betting. In each {first} moves first, then {listed(others)}; players who have "
            "folded are skipped. As long as nobody has raised, you check, and pay nothing, or raise. After a raise you "
            "fold, and are out; or call, and pay as much as the others; or call and raise at once.",
            f"A raise adds {BETS[0]} in the first round and {BETS[1]} in the second, and there are at most "
            f"{plural(self.raises, 'raise')} in a round. A round ends when all have checked, or have answered the last "
            "raise.",
            "After the first round one card is laid open on the table. It belongs to everybody's hand.",
            "If all others have folded, the last player takes the pot, and no card is shown. Otherwise, after the "
            "second round, the cards are uncovered. A card of the same rank as the open one makes a pair and wins; if "
            "nobody has a pair, the highest card wins. Equal cards share the pot. Suits do not matter.",
            "A player's payoff is the money taken minus the money paid. Payoffs sum to 0.",
            "Moves are written in order, with the open card in brackets: raise call (K) check means "
            "that a raise was called, a king was laid open, and the first player checked.",
        )

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The names of the distinguishable cards, lowest first: ranks, or ranks with suits."""
        suits = SUITS[-self.suits :] if self.suits_seen else ("",)
        return tuple(rank + suit for rank in RANKS[-self.ranks :] for suit in suits)

    @property
    def copies(self) -> int:
        return self.suits * self.ranks // len(self.kinds)

    def rank(self, card: int) -> int:
        """Return the rank, from 0, of a card (an index into ``kinds``)."""
        return card * self.ranks // len(self.kinds)

    def size(self) -> Size:
        """Return the size, computed from numbers of deals and of betting histories."""
        everybody = tuple(range(self.seats))
        first = _count(Betting(everybody, everybody), self.raises)
        complete = {left: times for left, times in first.ends.items() if len(left) > 1}
        second, ends = Counter[int](), 0
        for left, times in complete.items():
            later = _count(Betting(left, left), self.raises)
            second += Counter({player: times * n for player, n in later.decisions.items()})
            ends += times * later.ends.total()
        kinds, deals, boards = len(self.kinds), self._deals(self.seats), self._deals(self.seats + 1)
        onward = sum(complete.values())
        return Size(
            1 + deals * onward,
            deals * first.decisions.total() + boards * second.total(),
            deals * (first.ends.total() - onward) + boards * ends,
            tuple(kinds * first.decisions[player] + self._deals(2) * second[player] for player in everybody),
        )

    def _deals(self, cards: int) -> int:
        """Return the number of distinguishable sequences of this many *cards*."""
        ways = [1] + [0] * cards
        for _ in self.kinds:
            most = range(self.copies + 1)
            ways = [sum(comb(n, k) * ways[n - k] for k in most if k <= n) for n in range(cards + 1)]
        return ways[cards]

    def root(self) -> State:
        return None

    def turn(self, state: State) -> Turn:
        if state is None:
            everybody, ante = tuple(range(self.seats)), (1,) * self.seats
            deals = (
                (" vs ".join(self.kinds[c] for c in cards), p, Played(cards, None, Betting(everybody, everybody), ante))
                for cards, p in self._dealt((), self.seats)
            )
            return Chance("deal", tuple(deals))
        cards, board, betting, paid, words = state
        if not betting.over:
            player = betting.waiting[0]
            moves = betting.moves(self.raises)
            knows = f"{self.kinds[cards[player]]}: {' '.join(words) or 'start'}"
            return Decision(player, knows, tuple((move, self._moved(state, move)) for move in moves))
        if len(betting.left) > 1 and board is None:
            following = Betting(betting.left, betting.left)
            boards = (
                (self.kinds[card], p, Played(cards, card, following, paid, (*words, f"({self.kinds[card]})")))
                for (card,), p in self._dealt(cards, 1)
            )
            return Chance(" ".join(["card", *words]), tuple(boards))  # a public label, without private cards
        return self._end(state)

    def _dealt(self, gone: tuple[int, ...], cards: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
        if cards == 0:
            return (((), Fraction(1)),)
        total = self.suits * self.ranks - len(gone)
        return tuple(
            ((card, *others), Fraction(left, total) * chance)
            for card in range(len(self.kinds))
            if (left := self.copies - gone.count(card))
            for others, chance in self._dealt((*gone, card), cards - 1)
        )

    def _moved(self, state: Played, move: str) -> Played:
        player, level = state.betting.waiting[0], max(state.paid)
        if move == "raise":
            level += BETS[state.board is not None]
        pays = state.paid[player] if move == "fold" else level
        paid = (*state.paid[:player], pays, *state.paid[player + 1 :])
        return Played(state.cards, state.board, state.betting.after(move), paid, (*state.words, move))

    def _end(self, state: Played) -> End:
        left = state.betting.left
        board = None if state.board is None else self.rank(state.board)
        worth = {player: (self.rank(state.cards[player]) == board, self.rank(state.cards[player])) for player in left}
        winners = [player for player in left if worth[player] == max(worth.values())] if len(left) > 1 else list(left)
        share = Fraction(sum(state.paid), len(winners))
        payoffs = tuple(share * (player in winners) - paid for player, paid in enumerate(state.paid))
        label = f"Player {winners[0] + 1} takes {share}" if len(winners) == 1 else f"split {sum(state.paid)}"
        return End(payoffs, label)


class Histories(NamedTuple):
    """The counts of a betting round: each player's decisions, and the ends with each tuple of remaining players."""

    decisions: Counter[int]
    ends: Counter[tuple[int, ...]]


@cache
def _count(betting: Betting, raises: int) -> Histories:
    if betting.over:
        return Histories(Counter(), Counter([betting.left]))
    following = [_count(betting.after(move), raises) for move in betting.moves(raises)]
    decisions = sum((one.decisions for one in following), Counter([betting.waiting[0]]))
    return Histories(decisions, sum((one.ends for one in following), Counter[tuple[int, ...]]()))


def _make(suits: int, ranks: int, raises: int, seats: int, suits_seen: bool) -> LeducPoker:
    if suits * ranks <= seats:
        raise ValueError(
            f"suits={suits} ranks={ranks}: the deck must have more cards than there are players, seats={seats}"
        )
    return LeducPoker(suits, ranks, raises, seats, suits_seen)


GAMES = (
    GameType(
        name="leduc",
        summary="Leduc hold'em: one card each, a round of betting, a public card, another round",
        parameters=(
            Parameter("suits", "2", integer(2, 4), "number of cards of each rank"),
            Parameter("ranks", "3", integer(2, 13), "number of ranks"),
            Parameter("raises", "2", integer(1, 4), "maximum number of raises in a round"),
            Parameter("seats", "2", integer(2, 10), "number of players"),
            Parameter("suits_seen", "false", truth, "true if players see the suits, which do not affect payoffs"),
        ),
        sources=(
            "F. Southey et al., 'Bayes' bluff: opponent modelling in poker', UAI 2005",
            "OpenSpiel, leduc_poker",
        ),
        make=_make,
        small=(
            {"ranks": 2, "raises": 1},
            {"ranks": 2, "raises": 1, "suits_seen": True},
            {"ranks": 2, "raises": 1, "seats": 3},
        ),
    ),
)
