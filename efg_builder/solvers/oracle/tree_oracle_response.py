"""Strategies on a whole tree and best responses to them, all information sets of a level at once.

The same steps serve floats and exact integers. Payoffs are those of the sequence form: a best response is
one product of its matrix with the other player's plan, and one pass over the own sets from the last to the
first (von Stengel, "Efficient Computation of Behavior Strategies", 1996, section 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.rationals import Number
from ...strategies.tree_profile import Profile
from ..lp.rational import INT64
from .tree_oracle_game import Flags, Numbers, Restricted, Side, Whole

TIE = 1e-12
"""In floats, moves whose worth differs by no more than this share of the payoffs are equally good."""


@dataclass(frozen=True)
class Strategy:
    """One player's strategy on the whole tree, the default move where own play does not lead.

    ``behavior``: the probability of each sequence's last move at its set, shape (count,), floats or Fractions.
    ``weights / scale``: the realization plan, shape (count,); floats with scale 1, or Python's integers.
    """

    behavior: Numbers
    weights: Numbers
    scale: int

    @property
    def exact(self) -> bool:
        """Whether the probabilities are rational."""
        return bool(self.behavior.dtype == object)


def strategy(side: Side, behavior: Numbers) -> Strategy:
    """The strategy of that *behavior*, which only matters where it leads itself; see ``Strategy``."""
    mine = side.sequences
    plan = np.zeros(mine.count, dtype=behavior.dtype)
    plan[0] = 1
    led = np.zeros(len(mine.widths), dtype=bool)
    for level in side.levels:
        before = plan[mine.parent[level.sets]]
        led[level.sets] = before != 0
        played = np.repeat(led[level.sets], mine.widths[level.sets])
        moves = level.sequences[played]
        plan[moves] = np.repeat(before, mine.widths[level.sets])[played] * behavior[moves]
    default = default_behavior(side, exact=behavior.dtype == object)
    default[1:] = np.where(side.spread(led), behavior[1:], default[1:])
    if behavior.dtype != object:
        return Strategy(default, plan, 1)
    used = np.flatnonzero(plan != 0)
    scale = lcm(*(weight.denominator for weight in plan[used]))
    weights = np.zeros(mine.count, dtype=object)
    weights[used] = [weight.numerator * (scale // weight.denominator) for weight in plan[used]]
    return Strategy(default, weights, scale)


def extended(whole: Whole, restricted: Restricted, profile: Profile, *, exact: bool) -> tuple[Strategy, Strategy]:
    """Both players' strategies of a restricted game's profile, with the default move elsewhere.

    The strategies are in floats unless *exact*, which needs a rational profile.
    """
    found = []
    for side, moves in zip(whole.sides, restricted.moves, strict=True):
        behavior = default_behavior(side, exact=exact)
        sets = [k for k in restricted.tree.personal if restricted.tree.infosets[k].player == side.player]
        rows: list[Any] = [p if exact else float(p) for k in sets for p in profile.probabilities[k]]
        behavior[moves] = rows
        found.append(strategy(side, behavior))
    return found[0], found[1]


def default_behavior(side: Side, *, exact: bool) -> Numbers:
    """The behavior of always making the default move."""
    if not exact:
        return side.default.astype(np.float64)
    behavior = np.full(side.sequences.count, Fraction(0), dtype=object)
    behavior[side.default] = Fraction(1)
    return behavior


def rational(side: Side, chosen: Strategy, denominator: int) -> Strategy:
    """*chosen* in rationals: floats get denominators up to *denominator*, before they are made to sum to 1."""
    return chosen if chosen.exact else strategy(side, _in_rationals(side, chosen, denominator))


def joined(whole: Whole, strategies: tuple[Strategy, Strategy], denominator: int) -> Profile:
    """Two strategies as one profile of the whole tree, in rationals as ``rational`` makes them."""
    rows = {}
    for side, chosen in zip(whole.sides, strategies, strict=True):
        mine, values = side.sequences, _in_rationals(side, chosen, denominator).tolist()
        for k, first, width in zip(mine.infosets.tolist(), mine.first.tolist(), mine.widths.tolist(), strict=True):
            rows[k] = tuple(values[first : first + width])
    return Profile.from_personal(whole.tree, rows)


def _in_rationals(side: Side, chosen: Strategy, denominator: int) -> Numbers:
    """The behavior of *chosen*, shape (count,), in Fractions."""
    if chosen.exact:
        return chosen.behavior
    mine, values = side.sequences, chosen.behavior.tolist()
    behavior = np.full(mine.count, Fraction(1), dtype=object)
    for first, width in zip(mine.first.tolist(), mine.widths.tolist(), strict=True):
        behavior[first : first + width] = _rational(values[first : first + width], denominator)
    return behavior


def _rational(row: list[float], denominator: int) -> tuple[Fraction, ...]:
    parts = [Fraction(p).limit_denominator(denominator) if p % 1.0 else Fraction(int(p)) for p in row]
    total = sum(parts)
    return tuple(parts) if total == 1 else tuple(part / total for part in parts)


@dataclass(frozen=True)
class Response:
    """One player's best response to the other's strategy.

    ``worth[s]``: what the ends of play after the own sequence s are worth in all, weighted by the probability
    that chance and the other player play towards them, if the owner plays best from then on, shape (count,).
    ``gain[s]``: how much that is above the best which the allowed moves give at the set of s. Both, divided by
    ``scale``, are shares of half the payoff range; ``value`` is such a share, counted from its middle.
    """

    value: Number
    worth: Numbers
    gain: Numbers
    scale: Number


def best_response(whole: Whole, player: int, other: Strategy, allowed: Flags) -> Response:
    """The best response of *player* (0 or 1) to *other* over the whole tree.

    ``allowed``, shape (count,), are the player's moves of the restricted game: ``gain`` compares with them.
    In exact integers where *other* is rational, otherwise in floats.
    """
    side = whole.sides[player]
    mine = side.sequences
    worth, scale = _ends(whole, player, other)
    held, best = worth.copy(), np.zeros(len(mine.widths), dtype=worth.dtype)
    for level in reversed(side.levels):
        above = mine.parent[level.sets]
        np.add.at(worth, above, np.maximum.reduceat(worth[level.sequences], level.starts))
        within = held[level.sequences]
        # What is forbidden must not win: at each set something is allowed, which is no worse than the least.
        within = np.where(allowed[level.sequences], within, within.min())
        best[level.sets] = np.maximum.reduceat(within, level.starts)
        np.add.at(held, above, best[level.sets])
    gain = worth.copy()
    gain[0] -= held[0]
    gain[1:] -= side.spread(best)
    value = float(worth[0]) / scale if isinstance(scale, float) else Fraction(int(worth[0])) / scale
    return Response(value, worth, gain, scale)


def _ends(whole: Whole, player: int, other: Strategy) -> tuple[Numbers, Number]:
    """The worth of the ends of play after each own sequence and before the next own move; and the scale."""
    form = whole.form
    half = form.half / form.unit or Fraction(1)
    if not other.exact:
        matrix = whole.floats if player == 0 else -whole.floats.T
        return matrix @ other.weights, float(half / whole.largest)
    exact = whole.integers.times(other.weights) if player == 0 else -whole.integers.transposed.times(other.weights)
    if sum(abs(exact)) < INT64:
        exact = exact.astype(np.int64)
    return exact, half * other.scale


def improving(side: Side, allowed: Flags, response: Response, threshold: Number) -> Flags:
    """The moves to add: those that gain more than *threshold*, and what they need below; shape (count,).

    They are looked for at the sets that the player's own *allowed* moves lead to; below a new move, only the
    best response's own moves are added. ``threshold`` is a share of half the payoff range.
    """
    mine = side.sequences
    better, best = _better(response, threshold) & ~allowed, _best(side, allowed, response)
    new = np.zeros(mine.count, dtype=bool)
    walked, followed = allowed.copy(), np.zeros(mine.count, dtype=bool)
    for level in side.levels:
        above, widths, moves = mine.parent[level.sets], mine.widths[level.sets], level.sequences
        walking, following = np.repeat(walked[above], widths), np.repeat(followed[above], widths)
        chosen = following & best[moves]
        added = walking & better[moves]
        new[moves] = added | (chosen & ~allowed[moves])
        followed[moves] = added | chosen
        walked[moves] = walking & allowed[moves]
    return new


def _better(response: Response, threshold: Number) -> Flags:
    limit: Number = threshold * response.scale
    flags: npt.NDArray[np.bool_] = response.gain > (floor(limit) if isinstance(limit, Fraction) else limit)
    return flags.astype(bool)


def _best(side: Side, allowed: Flags, response: Response) -> Flags:
    """The best response's move at each set: of equally good ones the default, then what is allowed."""
    tie = TIE * response.scale if isinstance(response.scale, float) else 0
    good = np.zeros(side.sequences.count, dtype=np.int64)
    good[1:] = response.worth[1:] >= side.spread(side.greatest(response.worth)) - tie
    return side.choose(good * (1 + allowed.astype(np.int64) + side.default))
