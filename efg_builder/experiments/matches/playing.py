"""A whole match against its equilibrium: a board for every round, the next round, and the score.

Values are those of the match: 1 for winning it, -1 for losing it, so that the chance to win is (1 + value) / 2.
The stakes of a round are the worths, to the human, of the standings after it, under best play against this opponent.
So the payoff of one round is the worth of the next before its deal, and over a whole match

    result = start + luck - prices

holds exactly, with luck of mean 0, also where the opponent's strategies are no exact equilibrium. Where they are one,
these stakes are the match's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ...base.errors import NotApplicableError, ParameterError
from ...forms.extensive import CHANCE
from ...games.match_rules import MatchRules, StakedRound, Standing
from ...players.rounds import Record, Score, score
from ...players.rounds.boards import OnTable
from ...proof.certificate.reading import read_strategies
from . import Match

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class MatchTable:
    """Where a match is played: *match*, which must be complete, and the ``human``, its player 1 or 2 (from 0).

    Raises ``NotApplicableError`` where rounds are missing, ``ParameterError`` for a player who does not exist.
    """

    match: Match
    human: int
    _boards: dict[tuple[Pair, int], OnTable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.match.complete:
            have, all_ = len(self.match.rounds), len(self.match.rules.rounds())
            raise NotApplicableError(
                f"{self.match.rules.title}: {have} of its {all_} rounds are solved, and all must be"
            )
        if self.human not in (0, 1):
            raise ParameterError(f"there is no seat {self.human + 1}: a match has seats 1 and 2")

    @property
    def rules(self) -> MatchRules:
        """The rules of the match."""
        return self.match.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the match's players; player 1 makes the first bid of all."""
        return ("Player 1", "Player 2")

    @property
    def opening(self) -> Standing:
        """The standing before the first round."""
        return Standing(self.rules.dice, 0)

    def seat(self, standing: Standing) -> int:
        """The human's seat in the round of *standing*, where seat 0 bids first."""
        return 0 if standing.first == self.human else 1

    def pair(self, standing: Standing) -> Pair:
        """Dice of who bids first in the round of *standing*, and of the other."""
        return standing.dice[standing.first], standing.dice[1 - standing.first]

    def board(self, standing: Standing) -> OnTable:
        """The board of the round of *standing*; its payoffs are right for the human's seat."""
        pair, seat = self.pair(standing), self.seat(standing)
        if (pair, seat) not in self._boards:
            self._boards[pair, seat] = self._made(standing)
        return self._boards[pair, seat]

    def worth(self, standing: Standing) -> Fraction:
        """The worth of the match to the human at *standing*, under best play: from -1 to 1."""
        winner = self.rules.winner(standing)
        if winner is not None:
            return Fraction(1 if winner == self.human else -1)
        return self.board(standing).values(self.seat(standing)).start

    def solved(self, pair: Pair) -> OnTable:
        """The round of *pair* for the stakes for which it was solved, and with its strategies."""
        game = self.rules.round_of(pair, self.rules.stakes(pair, self.match.bounds))
        (found,) = (each for each in self.match.rounds if each.pair == pair)
        return OnTable(game, read_strategies(game, found.solution["strategies"]).played)

    def _made(self, standing: Standing) -> OnTable:
        solved, first = self.solved(self.pair(standing)), standing.first
        game = solved.game
        assert isinstance(game, StakedRound)
        sign = 1 if first == self.human else -1  # payoffs are those of who bids first
        lose1, lose2 = (
            tuple(sign * self.worth(each) for each in after_loss(self.rules, standing, loser))
            for loser in (first, 1 - first)
        )
        names = self.players if first == 0 else self.players[::-1]
        return replace(solved, game=replace(game, lose1=lose1, lose2=lose2), names=names, _known={})

    def after(self, standing: Standing, record: Record) -> Standing:
        """The standing after the round of *standing* that *record* tells, by the rules of the match."""
        game = self.board(standing).game
        assert isinstance(game, StakedRound)
        bid, call = [event for event in record.events if event.player != CHANCE][-2:]
        called = game.bids[game.bid_names.index(bid.action)]
        hands = [tuple(map(int, hand.split(","))) for _, hand in record.uncovered]
        count = sum(game.matches(hand, called[1]) for hand in hands)
        caller = standing.first if call.player == 0 else 1 - standing.first
        return self.rules.after(standing, caller, called, count)


def refused_in_match(table: MatchTable) -> dict[int, NotApplicableError]:
    """The seats (from 0) that nobody can take in the match of *table*, and why: as ``board.refused``."""
    found = {}
    for human in range(len(table.players)):
        seated = table if human == table.human else replace(table, human=human, _boards={})
        try:
            seated.worth(seated.opening)
        except NotApplicableError as error:
            found[human] = error
    return found


def after_loss(rules: MatchRules, standing: Standing, loser: int) -> list[Standing]:
    """The standings of two players after *loser* has lost 1, 2, ... dice by one call, as many as it can."""
    first, dice = loser if rules.next == "loser" else 1 - loser, standing.dice
    most = min(dice[loser], 1 if rules.loss == "one" else max(dice))
    lost = [dice[loser] - k for k in range(1, most + 1)]
    return [Standing((left, dice[1]) if loser == 0 else (dice[0], left), first) for left in lost]


@dataclass(frozen=True)
class PlayedMatch:
    """A match under way or over: the standing before each of its ``records``, and the present one (the last)."""

    records: tuple[Record, ...]
    standings: tuple[Standing, ...]

    @property
    def standing(self) -> Standing:
        """The dice that are left, and who bids first."""
        return self.standings[-1]

    def score(self, start: Fraction) -> Score:
        """The score of this match, which was worth *start* before it: its ``result`` is its worth now.

        ``result = start + luck - price``, exactly, as in ``Score``.
        """
        total = score(self.records)
        return replace(total, start=start, result=self.records[-1].result if self.records else start)


def played_matches(table: MatchTable, records: Sequence[Record]) -> tuple[PlayedMatch, ...]:
    """The matches whose rounds *records* are, one after the other; none is empty."""
    found: list[PlayedMatch] = []
    for record in records:
        if not found or table.rules.winner(found[-1].standing) is not None:
            found.append(PlayedMatch((), (table.opening,)))
        played = found[-1]
        after = table.after(played.standing, record)
        found[-1] = PlayedMatch((*played.records, record), (*played.standings, after))
    return tuple(found)


def next_round(table: MatchTable, played: Sequence[Record], matches: int | None) -> tuple[OnTable, int] | None:
    """The board of the round after those *played*, and the human's seat there.

    Matches follow one another; None after the last of *matches* (None: there is no last one).
    """
    done = played_matches(table, played)
    over = not done or table.rules.winner(done[-1].standing) is not None
    if over and matches is not None and len(done) >= matches:
        return None
    standing = table.opening if over else done[-1].standing
    return table.board(standing), table.seat(standing)
