"""A player measured over a whole match: against the strategies of a solved match, and against its best response.

Backward over the dice left, as the match was solved: each round is played for what the rounds after it were measured to
be worth to this player in its seat. Floats come with a bound, and stakes are rounded as in a match, so each figure is
from ... to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...base.errors import NotApplicableError
from ...base.words import quiet
from ...games.match_rules import Bounds, in_words, wins
from ...players.evaluate import Evaluation, evaluate
from ...proof.certificate.chain import Pair
from ...proof.certificate.reading import read_strategies
from . import Match

SEATS = ("as Player 1", "as Player 2")


@dataclass(frozen=True)
class Measured:
    """What the player ``name`` gets over the match, for each seat: the first bidder's, and the other's.

    ``against``: the strategies of the match. ``worst``: a best response in every round. ``best``: what the match is
    worth in that seat. As text it is what ``efg-builder evaluate --match`` prints.
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
            lines.append(f"  best play there is worth {in_words(self.best[seat])}, wins {wins(self.best[seat])}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data: two ends each."""
        kinds = {"against": self.against, "worst": self.worst, "best": self.best}
        seats = [{kind: [float(end) for end in found[seat]] for kind, found in kinds.items()} for seat in range(2)]
        return {"match": self.title, "strategy": self.name, "seats": seats}


def measure(match: Match, strategy: object, *, progress: Callable[[str], None] = quiet, **limits: Any) -> Measured:
    """Measure *strategy*, whatever ``evaluate`` takes, in each seat of *match*, which must be complete.

    *limits*: as of ``evaluate``, for each round. Raises what that raises, and ``NotApplicableError``.
    """
    if not match.complete:
        raise NotApplicableError(f"{match.rules.title}: {len(match.rounds)} of its rounds are solved, and all must be")
    rules, name = match.rules, ""
    # Worths to who bids first, by the seat of the player that is measured.
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
