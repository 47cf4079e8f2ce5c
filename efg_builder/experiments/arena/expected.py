"""Expected payoffs, exact in small games, for comparison with sampled means.

A small round is evaluated on its tree. A larger two-player bidding game is evaluated on arrays of all histories, in
floats with an error bound. Other rounds are evaluated on the histories that sparse strategies reach. A two-player match
is evaluated backward: the stakes of a round are the players' expected payoffs in later rounds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from ...base.errors import EfgBuilderError, MatrixTooLargeError, NotApplicableError, TreeTooLargeError
from ...base.rationals import Number, from_json, text
from ...base.strict_json import strict_json
from ...forms.bidding_form import class_size
from ...forms.extensive import GameTree, build
from ...games.match_rules import Bounds, MatchRules, Stakes, Standing
from ...games.protocol import DealtGame
from ...proof import values
from ...proof.dense import dense_value, error_bound, stakes
from ...proof.sparse import sparse_values
from ...proof.verify import tree_error
from ...strategies.policy import Policy, Seated
from ...strategies.reading import FileStrategy
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile, bidding_of_two
from ..matches.playing import after_loss
from .play import Contest, Rows
from .tally import number

NODES = 20_000  # the maximum number of nodes of a tree
ENTRIES = 1 << 18  # the maximum number of probabilities per player in arrays, for larger two-player bidding games
WRITTEN = 10_000  # the maximum number of information sets of a player's sparse strategy, for all other games
LONGEST = 10**40  # the maximum denominator of a stake; above it, the stake is rounded to a float
UNIT_ROUNDOFF = 2.0**-53

ROUNDING = Fraction(1, 10**12)  # the maximum rounding error of a mean, as a fraction of the largest averaged value
NO_STAKES = Stakes((Bounds(Fraction(-1), Fraction(-1)),), (Bounds(Fraction(1), Fraction(1)),))
"""Placeholder stakes, later replaced by the expected payoffs of a pairing."""

NEVER = (NotApplicableError, TreeTooLargeError, MatrixTooLargeError)
"""Permanent errors. After any other error, such as a time limit, a later run tries again."""

Figures = tuple[Number, ...]


@dataclass(frozen=True)
class Expected:
    """The expected payoffs of a pairing.

    ``mean``: each player's mean payoff over all seatings, empty if unknown. ``seat``: the payoff of player p in seat s,
    at index ``p * seats + s``. ``error``: the maximum error of a float payoff. ``why``: the reason for
    missing payoffs, or empty. ``again``: True if a later run tries again, e.g. after a player's time limit.
    """

    mean: Figures = ()
    seat: Figures = ()
    error: float = 0.0
    why: str = ""
    again: bool = False

    def to_json(self) -> str:
        data = {"mean": self.mean, "seat": self.seat, "error": self.error, "why": self.why}
        return json.dumps(data | ({"again": True} if self.again else {}), default=text)

    @classmethod
    def from_json(cls, given: str, players: int) -> Expected:
        """Read the JSON text that ``to_json`` returns. Raises ``ValueError`` for inconsistent data."""
        data: dict[str, Any] = strict_json(given)
        mean, seat = (tuple(map(from_json, data[k])) for k in ("mean", "seat"))
        if not isinstance(data["why"], str) or number(data["error"]) < 0:
            raise ValueError("'why' must be a text, and 'error' must be 0 or a positive number")
        if (len(mean), len(seat)) not in ((0, 0), (players, players**2)):
            raise ValueError("the number of players is wrong")
        for figure in (*mean, *seat):
            number(float(figure))  # raises an error if the number does not fit into a float
        for k, each in enumerate(mean):
            own = seat[k * players : (k + 1) * players]
            exact, seats = all(isinstance(figure, Fraction) for figure in (each, *own)), [Fraction(one) for one in own]
            off = abs(Fraction(each) - sum(seats, Fraction(0)) / players)
            if off > (0 if exact else ROUNDING * max(Fraction(1), *map(abs, seats))):
                raise ValueError("a player's mean is not the mean of the payoffs by seat")
        return cls(mean, seat, number(data["error"]), data["why"], data.get("again") is True)


@dataclass(eq=False)
class ExpectedPayoffs:
    """A cache of expected payoffs in ``contest``."""

    contest: Contest
    _values: dict[tuple[Standing, tuple[int, ...]], tuple[Number, float]] = field(default_factory=dict)
    _rows: dict[tuple[tuple[int, ...], int, int], Any] = field(default_factory=dict)

    def of(self, pairing: Sequence[int]) -> Expected:
        """Return the expected payoffs of the players with the indices *pairing*, or the reason for missing payoffs."""
        n = len(pairing)
        seat: list[Number] = [Fraction(0)] * (n * n)
        error, seatings = 0.0, list(permutations(range(n)))
        try:
            for slots in seatings:
                got, off = self.seated(tuple(pairing[slot] for slot in slots))
                error = max(error, off)
                for place, slot in enumerate(slots):
                    seat[slot * n + place] += got[place]
        except NEVER as problem:
            return Expected(why=str(problem))
        except EfgBuilderError as problem:
            return Expected(why=f"{problem} (the next run tries again)", again=True)
        share = Fraction(n, len(seatings))  # each player has each seat in (n - 1)! of the n! seatings
        per_seat = tuple(x * share for x in seat)
        mean = tuple(sum(per_seat[slot * n : slot * n + n], Fraction(0)) / n for slot in range(n))
        return Expected(mean, per_seat, error)

    def seated(self, seating: tuple[int, ...]) -> tuple[Figures, float]:
        """Return each seat's payoff and an error bound. Raises ``NotApplicableError`` if the game is too large."""
        match, room = self.contest.match, self.contest.tree_room
        if room is not None:
            if len(room.tree) > NODES:
                raise _too_large(len(room.tree))
            return _over(room.tree, [room.rows[who] for who in seating])
        if match is None:
            return self._round(self.contest.round_game(()), (), seating)
        if len(match.dice) != 2:
            raise NotApplicableError("exact payoffs of a match are computed for two players only")
        value, error = self._value(match, Standing(match.dice, 0), seating)
        return (value, -value), error

    def _value(self, rules: MatchRules, standing: Standing, seating: tuple[int, ...]) -> tuple[Number, float]:
        """Return the expected payoff of seat 0 at *standing*, and an error bound."""
        winner = rules.winner(standing)
        if winner is not None:
            return Fraction(1 if winner == 0 else -1), 0.0
        if (standing, seating) not in self._values:
            first, error, stakes = standing.first, 0.0, list[tuple[Fraction, ...]]()
            sign = 1 if first == 0 else -1  # stakes are payoffs to the first bidder
            for loser in (first, 1 - first):
                known = [self._value(rules, each, seating) for each in after_loss(rules, standing, loser)]
                played_for = tuple(_stake(sign * value) for value, _ in known)
                stakes.append(played_for)
                rounded = any(stake != sign * value for stake, (value, _) in zip(played_for, known, strict=True))
                error = max(error, *(off + UNIT_ROUNDOFF * rounded for _, off in known))
            dice = standing.dice[first], standing.dice[1 - first]
            staked = replace(rules.round_of(dice, NO_STAKES), lose1=stakes[0], lose2=stakes[1])
            got, off = self._round(staked, dice, (seating[first], seating[1 - first]))
            value = sign * got[0] if not error else float(sign * got[0])
            self._values[standing, seating] = value, error + off
        return self._values[standing, seating]

    def _round(self, game: DealtGame, dice: tuple[int, ...], seating: tuple[int, ...]) -> tuple[Figures, float]:
        nodes, bidding = game.size().nodes, bidding_of_two(game)
        if nodes <= NODES:
            tree = build(game)
            # If games differ only in stakes, their trees have the same information sets in the same order.
            rows = [self._kept(game, dice, who, 2, lambda one: one.on(tree).probabilities) for who in seating]
            return _over(tree, rows)
        if bidding and class_size(len(bidding.bid_names)) * max(game.hand_counts) <= ENTRIES:
            facts, (one, two) = stakes(bidding), seating
            pair = (
                self._kept(game, dice, one, 0, lambda policy: policy.dense(0)),
                self._kept(game, dice, two, 1, lambda policy: policy.dense(1)),
            )
            first = dense_value(facts, pair)
            return (first, float(facts.total) - first), error_bound(facts, np.float64, pair)
        given = [self.contest.room(dice).samplers[who].given for who in seating]
        # Use a sparse profile only if all strategies are sparse: converting another strategy would list every turn.
        sparse = tuple(one for one in given if isinstance(one, SparseProfile | FileStrategy))
        form = Seated(sparse).sparse() if len(sparse) == len(given) else None
        if form is None or max(form.sizes) > WRITTEN:
            raise _too_large(nodes)
        return sparse_values(SparseProfile(game, form.strategies)), 0.0

    def _kept(self, game: DealtGame, dice: tuple[int, ...], who: int, form: int, make: Callable[[Policy], Any]) -> Any:
        """Return ``make(policy)``, cached for all games that differ only in stakes."""
        key = dice, who, form
        if key not in self._rows:
            found = self.contest.room(dice).samplers[who]
            self._rows[key] = make(Policy(found.answer, found.by_last_bid, game=game))
        return self._rows[key]


def _too_large(nodes: int) -> NotApplicableError:
    return NotApplicableError(f"{nodes:,} nodes are too many for exact payoffs")


def _over(tree: GameTree, seats: Sequence[Rows]) -> tuple[Figures, float]:
    profile = TreeProfile.from_personal(tree, {k: seats[tree.infosets[k].player][k] for k in tree.personal})
    return values(profile).value, 0.0 if profile.exact else tree_error(tree)


def _stake(value: Number) -> Fraction:
    exact = Fraction(value)
    return exact if exact.denominator <= LONGEST else Fraction(float(value))
