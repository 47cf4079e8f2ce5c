"""Matches of a human against an equilibrium: boards, rounds, scores and texts. Also, a player's expected payoffs.

A win of the match pays 1 and a loss -1, so the winning probability is (1 + value) / 2. The stakes of a round are the
human's values at the next standings, if the human plays best responses to this opponent. So over the whole match,
result = start + luck - losses from mistakes. The luck has mean 0, even if the opponent is not an exact equilibrium.
Texts give winning probabilities in percent, and their differences in percentage points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor, log10
from typing import Any, cast

from ...base.errors import NotApplicableError, ParameterError
from ...base.rationals import up
from ...base.words import plural, quiet
from ...games.match_rules import Bounds, MatchRules, StakedRound, Standing, in_words, wins
from ...players.evaluate import Evaluation, evaluate
from ...players.rounds import Record, Score, score, words
from ...players.rounds.boards import OnTable
from ...proof.certificate.chain import Pair
from ...proof.certificate.reading import read_strategies
from . import Match

_HUNDREDTH = Fraction(1, 100)


@dataclass(frozen=True, eq=False)
class MatchTable:
    """A complete match with a ``human`` player (from 0). Raises ``NotApplicableError`` for an incomplete match."""

    match: Match
    human: int
    _boards: dict[tuple[Pair, int], OnTable] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.match.complete:
            have, all_ = len(self.match.rounds), len(self.match.rules.rounds())
            raise NotApplicableError(
                f"{self.match.rules.title}: {have} of its {all_} rounds are solved, but all rounds must be solved"
            )
        if self.human not in (0, 1):
            raise ParameterError(f"there is no seat {self.human + 1}: a match has seats 1 and 2")

    @property
    def rules(self) -> MatchRules:
        return self.match.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players; player 1 bids first."""
        return ("Player 1", "Player 2")

    @property
    def opening(self) -> Standing:
        return Standing(self.rules.dice, 0)

    def seat(self, standing: Standing) -> int:
        """Return the human's seat at *standing*; seat 0 bids first."""
        return 0 if standing.first == self.human else 1

    def pair(self, standing: Standing) -> Pair:
        """Return the numbers of dice of the first bidder and of the other player."""
        return standing.dice[standing.first], standing.dice[1 - standing.first]

    def board(self, standing: Standing) -> OnTable:
        """Return the board of the round at *standing*; its payoffs are valid only for the human's seat."""
        pair, seat = self.pair(standing), self.seat(standing)
        if (pair, seat) not in self._boards:
            self._boards[pair, seat] = self._made(standing)
        return self._boards[pair, seat]

    def worth(self, standing: Standing) -> Fraction:
        """Return the human's value of the match at *standing* under best play, from -1 to 1."""
        winner = self.rules.winner(standing)
        if winner is not None:
            return Fraction(1 if winner == self.human else -1)
        return self.board(standing).values(self.seat(standing)).start

    def solved(self, pair: Pair) -> OnTable:
        game = self.rules.round_of(pair, self.rules.stakes(pair, self.match.bounds))
        (found,) = (each for each in self.match.rounds if each.pair == pair)
        return OnTable(game, read_strategies(game, found.solution["strategies"]).played)

    def _made(self, standing: Standing) -> OnTable:
        solved, first = self.solved(self.pair(standing)), standing.first
        game = cast("StakedRound", solved.game)
        sign = 1 if first == self.human else -1  # the payoffs are payoffs to the first bidder
        lose1, lose2 = (
            tuple(sign * self.worth(each) for each in after_loss(self.rules, standing, loser))
            for loser in (first, 1 - first)
        )
        names = self.players if first == 0 else self.players[::-1]
        return replace(solved, game=replace(game, lose1=lose1, lose2=lose2), names=names, _known={})

    def after(self, standing: Standing, record: Record) -> Standing:
        game = cast("StakedRound", self.board(standing).game)
        caller = standing.first if record.events[-1].player == 0 else 1 - standing.first
        return self.rules.after(standing, caller, *words.called_bid(record, game))


def refused_in_match(table: MatchTable) -> dict[int, NotApplicableError]:
    """Return the seats (from 0) that a human cannot take in this match, each with its error."""
    found = {}
    for human in range(len(table.players)):
        seated = table if human == table.human else replace(table, human=human, _boards={})
        try:
            seated.worth(seated.opening)
        except NotApplicableError as error:
            found[human] = error
    return found


def after_loss(rules: MatchRules, standing: Standing, loser: int) -> list[Standing]:
    """Return the standings after a call in which *loser* loses 1, 2, ... dice (up to the maximum)."""
    first, dice = loser if rules.next == "loser" else 1 - loser, standing.dice
    most = min(dice[loser], 1 if rules.loss == "one" else max(dice))
    lost = [dice[loser] - k for k in range(1, most + 1)]
    return [Standing((left, dice[1]) if loser == 0 else (dice[0], left), first) for left in lost]


@dataclass(frozen=True)
class PlayedMatch:
    """A match in progress or finished.

    ``standings``: the standing before each of the ``records``, then the current standing.
    """

    records: tuple[Record, ...]
    standings: tuple[Standing, ...]

    @property
    def standing(self) -> Standing:
        return self.standings[-1]

    def score(self, start: Fraction) -> Score:
        """Return the score of this match; *start* is the value before the match."""
        total = score(self.records)
        return replace(total, start=start, result=self.records[-1].result if self.records else start)


def played_matches(table: MatchTable, records: Sequence[Record]) -> tuple[PlayedMatch, ...]:
    """Split the rounds *records* into matches, each with at least one round."""
    found: list[PlayedMatch] = []
    for record in records:
        if not found or table.rules.winner(found[-1].standing) is not None:
            found.append(PlayedMatch((), (table.opening,)))
        played = found[-1]
        after = table.after(played.standing, record)
        found[-1] = PlayedMatch((*played.records, record), (*played.standings, after))
    return tuple(found)


def next_round(table: MatchTable, played: Sequence[Record], matches: int | None) -> tuple[OnTable, int] | None:
    """Return the board and the human's seat of the next round; None after the last of *matches* matches."""
    done = played_matches(table, played)
    over = not done or table.rules.winner(done[-1].standing) is not None
    if over and matches is not None and len(done) >= matches:
        return None
    standing = table.opening if over else done[-1].standing
    return table.board(standing), table.seat(standing)


# --- texts


def is_equilibrium(match: Match) -> bool:
    """Return whether the strategies of a complete *match* are an exact equilibrium."""
    return match.worth is not None and match.worth.width == 0


def opponent(match: Match) -> str:
    """Return the name of the human's opponent: "equilibrium", or "strategies" if the solution is not exact."""
    return "equilibrium" if is_equilibrium(match) else "strategies"


def adviser(match: Match) -> str:
    return words.EQUILIBRIUM if is_equilibrium(match) else words.SOLUTION


def caption(match: Match) -> str:
    """Return a caption that states the verified accuracy of a complete *match*."""
    worth = match.bounds[match.rules.dice[0], match.rules.dice[1]]
    if worth.width == 0:
        return "verified, exact"
    digits = max(1, 1 - floor(log10(50 * worth.width)))
    return f"proved to within {up(50 * worth.width, digits)} points of the chance to win"


def chance(value: Fraction) -> str:
    """Return *value* (from -1 to 1) as a winning probability such as ``53.13%``; 0% and 100% are always exact."""
    share = _share(value)
    return f"{share}%" if share in (0, 100) else f"{float(share):.2f}%"


def points(value: Fraction) -> str:
    """Return a difference of winning probabilities in percentage points, such as ``1.93 points``."""
    if 0 < abs(value) * 50 < _HUNDREDTH:
        return "less than 0.01 points"
    return f"{float(_rounded(50 * value)):.2f} points"


def _share(value: Fraction) -> Fraction:
    """Return the displayed winning probability in percent, from which the displayed luck is computed."""
    share = 50 * (1 + value)
    return share if share in (0, 100) else min(max(_rounded(share), _HUNDREDTH), 100 - _HUNDREDTH)


def _rounded(share: Fraction) -> Fraction:
    return Fraction(round(100 * share), 100)


CHANCES = words.Unit(chance, points)


def heading(table: MatchTable, number: int, rounds: int, standing: Standing) -> str:
    """Return the line before a round: both players' numbers of dice, and the first bidder."""
    mine, theirs = standing.dice[table.human], standing.dice[1 - table.human]
    first = "You bid first" if standing.first == table.human else f"{table.players[standing.first]} bids first"
    where = f"Match {number}, round {rounds}."
    dice, other = [plural(count, "die", "dice") for count in (mine, theirs)], table.players[1 - table.human]
    return f"{where} You have {dice[0]}, {other} has {dice[1]}. {first}."


def closing(table: MatchTable, played: PlayedMatch) -> Iterator[str]:
    """Yield the result of the last round, its mistakes with their losses, and the winner of a finished match."""
    record, before, now = played.records[-1], played.standings[-2], played.standing
    yield from words.shown(record, table.board(before).game)
    loser = 0 if now.dice[0] < before.dice[0] else 1
    who = "You lose" if loser == table.human else f"{table.players[loser]} loses"
    yield f"{who} {plural(before.dice[loser] - now.dice[loser], 'die', 'dice')}."
    yield from words.mistakes(record, CHANCES)
    luck = _luck(played.records) - _luck(played.records[:-1])
    slips = ", the rest mistakes" if record.price else ""
    moved = f"from {chance(record.start)} to {chance(record.result)}"
    yield f"Your chance to win the match went {moved}: luck {_signed(luck)} points{slips}."
    winner = table.rules.winner(now)
    if winner is not None:
        yield "You win the match." if winner == table.human else f"{table.players[winner]} wins the match."


def _luck(records: Sequence[Record]) -> Fraction:
    if not records:
        return Fraction(0)
    return _share(records[-1].result) - _share(records[0].start) + _cost(records)


def _cost(records: Sequence[Record]) -> Fraction:
    return _rounded(50 * sum((each.price for each in records), Fraction(0)))


def tally(table: MatchTable, played_matches: tuple[PlayedMatch, ...]) -> Iterator[str]:
    """Yield the score of the current match and, after several matches, the total score."""
    yield from _one(played_matches[-1])
    over = [played for played in played_matches if table.rules.winner(played.standing) is not None]
    if len(played_matches) > 1 and over:
        won = sum(table.rules.winner(played.standing) == table.human for played in over)
        worth = _rounded(sum(map(_without_luck, over), Fraction(0)) / len(over))
        yield f"After {plural(len(over), 'match', 'matches')} you have won {won}; {_estimate(worth)}."


def _one(played: PlayedMatch) -> Iterator[str]:
    score = played.score(played.records[0].start)
    yield f"Chance to win after {plural(score.rounds, 'round')}: {chance(score.result)}"
    yield f"  at the start {float(_share(score.start)):9.2f}%  by best play, before the first deal"
    yield f"  mistakes     {_signed(-_cost(played.records)):>9}   {words.slips(score)}"
    yield f"  luck         {_signed(_luck(played.records)):>9}   dice and the other's choices, 0 on average"
    yield "  The three add up to your chance now."
    yield f"  {_upper(_estimate(_without_luck(played)))}."


def _without_luck(played: PlayedMatch) -> Fraction:
    """Return the winning probability without luck in percent; many mistakes make it negative."""
    return _share(played.records[0].start) - _cost(played.records)


def _estimate(worth: Fraction) -> str:
    """Return, in words, an unbiased estimate of the winning probability in percent, perhaps outside 0 to 100."""
    if worth < 0:
        return (
            "without luck, no chance is left: mistakes cost more than the chance at the start "
            "(an estimate, which after few rounds may fall outside 0% to 100%)"
        )
    return f"without luck, such play wins about {float(worth):.2f}% (an estimate, rough after few rounds)"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _signed(share: Fraction) -> str:
    return f"{float(_rounded(share)):+.2f}" if _rounded(share) else "0.00"


# --- a player's payoffs over a match
#
# These payoffs are computed backward over the remaining dice, like the solution of the match: the stakes of a round are
# the player's expected payoffs in later rounds, by seat. Floats have error bounds. Stakes are rounded as in a match.

SEATS = ("as Player 1", "as Player 2")


@dataclass(frozen=True)
class Measured:
    """The expected payoffs of a player over the match, as first and as second bidder.

    ``against``: payoffs against the match's strategies. ``worst``: payoffs against a best response in each round.
    ``best``: the value under best play.
    """

    title: str
    name: str
    against: tuple[Bounds, Bounds]
    worst: tuple[Bounds, Bounds]
    best: tuple[Bounds, Bounds]

    def __str__(self) -> str:
        lines = [self.title, f"strategy      {self.name}"]
        for seat, place in enumerate(SEATS):
            lines.append(place)
            kinds = (("the match's strategies", self.against), ("a best response", self.worst))
            lines += [f"  against {who}: {in_words(found[seat])}, wins {wins(found[seat])}" for who, found in kinds]
            lines.append(f"  best play: {in_words(self.best[seat])}, wins {wins(self.best[seat])}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return two bounds on each payoff, as JSON values."""
        kinds = {"against": self.against, "worst": self.worst, "best": self.best}
        seats = [{kind: [float(end) for end in found[seat]] for kind, found in kinds.items()} for seat in range(2)]
        return {"match": self.title, "strategy": self.name, "seats": seats}


def measure(match: Match, strategy: object, *, progress: Callable[[str], None] = quiet, **limits: Any) -> Measured:
    """Measure *strategy*, of any type that ``evaluate`` accepts, in both seats of a complete *match*.

    *limits* are the limits of ``evaluate`` for each round. Raises ``NotApplicableError``, and the errors of
    ``evaluate``.
    """
    if not match.complete:
        problem = f"{len(match.rounds)} of its rounds are solved, but all rounds must be solved"
        raise NotApplicableError(f"{match.rules.title}: {problem}")
    rules, name = match.rules, ""
    # The payoffs to the first bidder, by the seat of the measured player.
    against: tuple[dict[Pair, Bounds], ...] = ({}, {})
    worst: tuple[dict[Pair, Bounds], ...] = ({}, {})
    for each in match.rounds:
        for seat in range(2):
            told = f"{each.pair[0]} against {each.pair[1]}, {'first' if seat == 0 else 'second'} to bid"

            def tell(line: str, told: str = told) -> None:
                progress(f"{told}: {line}")

            stakes = rules.stakes(each.pair, against[seat], against[1 - seat])
            game = rules.round_of(each.pair, stakes)
            opponent = read_strategies(game, each.solution["strategies"])
            found = evaluate(game, strategy, opponent, progress=tell, **limits)
            name = found.strategies[0].name
            value = found.matches[seat].value[0]
            against[seat][each.pair] = stakes.around(*_ends(value, found))
            stakes = rules.stakes(each.pair, worst[seat], worst[1 - seat])
            found = evaluate(rules.round_of(each.pair, stakes), strategy, progress=tell, **limits)
            answer = found.matches[0].best_response[1 - seat]
            worst[seat][each.pair] = stakes.around(*_ends(answer if seat == 1 else -answer, found))
    return Measured(
        rules.title,
        name,
        _of_seats(match, against),
        _of_seats(match, worst),
        _of_seats(match, (match.bounds, match.bounds)),
    )


def _ends(value: Any, found: Evaluation) -> tuple[Fraction, Fraction]:
    off = Fraction(found.error_bound or 0)
    return Fraction(value) - off, Fraction(value) + off


def _of_seats(match: Match, worths: tuple[dict[Pair, Bounds], ...]) -> tuple[Bounds, Bounds]:
    one, two = match.rules.dice
    return worths[0][one, two], -worths[1][one, two]
