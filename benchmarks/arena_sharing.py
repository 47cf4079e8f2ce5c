"""Measure the variance of means over shared deals: ``python benchmarks/arena_sharing.py``.

The arena plays each deal in all seatings. Print the variance of a mean over such deals, divided by the variance of a
mean over as many games with independent deals and balanced seats. The relative error is about 5%.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import efg_builder as eb
from efg_builder.base.rationals import Number
from efg_builder.experiments.arena import Meeting, run_arena
from efg_builder.experiments.arena.play import sampler
from efg_builder.forms.subject import Subject
from efg_builder.games.match_rules import MatchRules
from efg_builder.games.protocol import DealtGame, Game, PublicDecision
from efg_builder.players import TIMEOUT
from efg_builder.players.find import Table, find

FIELD = ("uniform", "always-call", "lowest-raise", "zero-intelligence", "equilibrium")
MATCHES = ("uniform", "always-call", "lowest-raise", "equilibrium")
SHARES = Fraction(9, 10), Fraction(1)


def factor(meeting: Meeting) -> float:
    """Return the variance of the first player's mean, relative to the variance for independent games."""
    own = sum(meeting.tally.seat2[:2]) / meeting.games
    own -= sum((total / meeting.tally.deals) ** 2 for total in meeting.tally.seat[:2]) / 2
    return meeting.paid(0).error ** 2 * meeting.games / own


def nearly(game: DealtGame, share: Fraction) -> eb.Policy:
    """Mix an equilibrium with uniform play; *share* is the weight of the equilibrium."""
    rows = sampler(find("equilibrium", Table(Subject(game), TIMEOUT, lambda line: None)), game).answer

    def play(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        own, even = rows(turn, hand), Fraction(1, len(turn.actions))
        return {action: own.get(action, 0) * share + even * (1 - share) for action, _ in turn.actions}

    return eb.Policy(play)


def show(subject: Game | MatchRules, players: Sequence[object], games: int) -> None:
    """Print the variance ratio of each pairing."""
    found = run_arena(subject, players, games, workers=1, measured=False)
    for meeting in found.meetings:
        print(f"{factor(meeting):5.2f}  {' : '.join(meeting.players):45}  {subject.title}", flush=True)


if __name__ == "__main__":
    game = eb.game("liars-dice", sides=3)
    assert isinstance(game, DealtGame)
    show(game, [(f"{share} of an equilibrium", nearly(game, share)) for share in SHARES], 20_000)
    show(game, FIELD, 20_000)
    show(eb.match_rules({"sides": 3, "dice": (2, 2)}), MATCHES, 4_000)
