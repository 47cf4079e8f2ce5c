"""From average plans in floats to behavior strategies in rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...forms.sequence_form import PlayerSequences
from ...games.bid_index import bids_at
from ...strategies.sparse_profile import SparseProfile
from ..oracle.bidding import Bidding
from .regret_arrays import RegretArrays
from .regret_rules import Floats

GRAIN = 2**40
"""Probabilities are rounded to so many parts."""

LEAST = 1e-12
"""Realization weights up to this are never played; of large games more is left out."""

MOST_SETS = 200_000
"""Information sets of one player that are written down, at most: those that own play comes to most."""


def behavior(side: PlayerSequences, plan: Floats) -> dict[int, tuple[Fraction, ...]]:
    """The behavior strategy of a realization plan, by index in ``tree.infosets``; uniform where it never leads."""
    rows = {}
    for k, first, width in zip(side.infosets.tolist(), side.first.tolist(), side.widths.tolist(), strict=True):
        weights = plan[first : first + width]
        total = float(weights.sum())
        rows[k] = _rational(weights / total if total > LEAST else np.full(width, 1 / width))
    return rows


def _rational(row: Floats) -> tuple[Fraction, ...]:
    """Probabilities in parts of ``GRAIN`` that sum to exactly 1: the largest takes what rounding leaves."""
    parts = np.rint(row * GRAIN).astype(np.int64)
    parts[parts.argmax()] += GRAIN - parts.sum()
    return tuple(Fraction(int(part), GRAIN) for part in parts)


def written(model: Bidding, regrets: RegretArrays) -> SparseProfile:
    """Both average plans as behavior strategies; nothing is written where a hand only calls, or hardly ever comes."""
    return SparseProfile(model.game, (_strategy(model, regrets, 0), _strategy(model, regrets, 1)))


def _strategy(model: Bidding, regrets: RegretArrays, player: int) -> dict[str, dict[int, dict[str, Fraction]]]:
    plan = regrets.average(player)
    at = regrets.reaching(player, plan)
    # What a hand bids at a set is what comes there less what is called.
    bid = np.zeros_like(at)
    for parents, children in regrets.slices:
        bid[parents] += plan[children]
    if player == 0:
        bid[0] += plan[0]
    least = _least(np.where(bid > LEAST, at, 0))
    found: dict[str, dict[int, dict[str, Fraction]]] = {}
    for index in np.flatnonzero(((at > least) & (bid > LEAST)).any(axis=1)).tolist():
        hands = np.flatnonzero((at[index] > least) & (bid[index] > LEAST)).tolist()
        found[model.game.history(bids_at(player, index))] = {
            hand: _row(model, player, index, plan[:, hand], float(at[index, hand])) for hand in hands
        }
    return found


def _least(reach: Floats) -> float:
    """Where own play must come to be written down."""
    count = int((reach > LEAST).sum())
    if count <= MOST_SETS:
        return LEAST
    return max(LEAST, float(np.partition(reach, reach.size - MOST_SETS, axis=None)[reach.size - MOST_SETS]))


def _row(model: Bidding, player: int, index: int, plan: Floats, came: float) -> dict[str, Fraction]:
    """What one hand plays at one set; *plan*: its realization weights."""
    game = model.game
    root = player == 0 and index == 0
    first = 1 if root else index.bit_length() + 1
    bids = np.arange(first, model.bids)
    weights = plan[index | 1 << (bids - 1)]
    names = [game.bid_names[bid] for bid in bids]
    if root:
        weights, names = np.concatenate([plan[:1], weights]), [game.bid_names[0], *names]
    else:
        weights, names = np.append(weights, max(came - weights.sum(), 0.0)), [*names, game.call]
    row = _rational(weights / weights.sum())
    return {name: share for name, share in zip(names, row, strict=True) if share}
