"""Plans of a game of bidding: from the linear program's answers, and to behavior strategies."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...strategies.sparse_profile import SparseProfile
from .bidding import Bidding
from .bidding_support import ROOT, Flags, Plan, Sequences, Support

Numbers = npt.NDArray[Any]

GRAIN = 2**30
"""Plans in floats are rounded to so many parts."""


def float_plan(
    model: Bidding, support: Support, player: int, sequences: Sequences, mass: npt.NDArray[np.float64], cut: float
) -> Plan:
    """A valid plan near the *mass* (chance times weight) of each sequence; weights below *cut* are dropped.

    What is bid at a set is scaled to what came there, at the start to all there is.
    """
    weights = np.zeros((len(support), model.hands[player]))
    chance = model.chances[player] / model.totals[player]
    weights[sequences.node, sequences.hand] = np.minimum(mass / chance[sequences.hand], 1.0)
    weights[weights < cut] = 0.0
    return valid_plan(model, support, player, weights, 1)


def rounded(model: Bidding, support: Support, player: int, plan: Plan) -> Plan:
    """A plan in integers near a plan in floats."""
    weights = np.zeros((len(support), model.hands[player]), dtype=np.int64)
    weights[plan.nodes] = np.rint(plan.weights * GRAIN)
    return valid_plan(model, support, player, weights, GRAIN)


def exact_plan(model: Bidding, support: Support, player: int, sequences: Sequences, mass: list[Fraction]) -> Plan:
    """The plan of exact masses, in integers over one scale."""
    chances, total = model.chances[player], model.totals[player]
    shares = [part * total / int(chances[hand]) for part, hand in zip(mass, sequences.hand, strict=True)]
    scale = lcm(*(share.denominator for share in shares))
    weights = np.zeros((len(support), model.hands[player]), dtype=object)
    for node, hand, share in zip(sequences.node, sequences.hand, shares, strict=True):
        weights[node, hand] = share.numerator * (scale // share.denominator)
    return _plan(_smaller(model, weights, scale), scale)


def _smaller(model: Bidding, weights: Numbers, scale: int) -> Numbers:
    """In 64 bits where every sum over the whole game fits."""
    fits = scale * model.totals[0] * model.totals[1] * model.largest < 2**58
    return weights.astype(np.int64) if fits else weights


def valid_plan(model: Bidding, support: Support, player: int, weights: Numbers, whole: int) -> Plan:
    """The plan of *weights* by node, changed as little as needed: no more is bid than there is, all of it at first."""
    nodes = [ROOT] if player == 0 else []
    nodes += [node for node in range(1, len(support)) if support.bidder(node) != player]
    for node in nodes:
        children = list(support.children[node].values())
        if not children:
            continue
        there = _there(support, weights, node, whole)
        bid = weights[children]
        total = bid.sum(axis=0)
        if node == ROOT:
            bid[0] += np.where(total == 0, whole, 0)
            total, over = bid.sum(axis=0), np.ones(len(total), dtype=bool)
        else:
            over = total > there
        weights[children] = _scaled(bid, total, there, over)
    return _plan(weights, whole)


def _there(support: Support, weights: Numbers, node: int, whole: int) -> Numbers:
    """What came to a set, by hand."""
    own = support.parent[node]
    return weights[own] if own > ROOT else np.full(weights.shape[1], whole, dtype=weights.dtype)


def _scaled(bid: Numbers, total: Numbers, there: Numbers, over: Flags) -> Numbers:
    """Of shape (bids, hands): scaled to what is there where it is *over*; integers stay integers."""
    if bid.dtype == np.float64:
        factor = np.where(over, there / np.where(over, total, 1.0), 1.0)
        return bid * factor
    scaled = np.where(over, bid * there // np.where(over, total, 1), bid)
    if over.all():
        # At the start all must be bid: what rounding left goes to the largest.
        rest = there - scaled.sum(axis=0)
        scaled[scaled.argmax(axis=0), np.arange(len(rest))] += rest
    return scaled


def _plan(weights: Numbers, scale: int) -> Plan:
    nodes = np.flatnonzero((weights != 0).any(axis=1))
    return Plan(nodes, weights[nodes], scale)


def first_plan(model: Bidding, support: Support, player: int) -> Plan:
    """What is played before anything was found: the default."""
    return valid_plan(model, support, player, np.zeros((len(support), model.hands[player])), 1)


def sparse_profile(model: Bidding, support: Support, plans: tuple[Plan, Plan]) -> SparseProfile:
    """The behavior strategies of two plans in integers; where a hand only calls, nothing is written."""
    return SparseProfile(
        model.game, tuple(_strategy(model, support, player, plan) for player, plan in enumerate(plans))
    )


def _strategy(model: Bidding, support: Support, player: int, plan: Plan) -> dict[str, dict[int, dict[str, Fraction]]]:
    game = model.game
    at = {int(node): k for k, node in enumerate(plan.nodes)}
    sets: dict[int, list[int]] = {}
    for node in at:
        sets.setdefault(support.parent[node], []).append(node)
    strategy: dict[str, dict[int, dict[str, Fraction]]] = {}
    for node, children in sets.items():
        own = support.parent[node]
        came = plan.weights[at[own]] if own > ROOT else [plan.scale] * model.hands[player]
        bids = np.array([plan.weights[at[child]] for child in sorted(children, key=lambda c: support.bid[c])])
        names = [game.bid_names[bid] for bid in sorted(support.bid[child] for child in children)]
        hands = {}
        for hand in np.flatnonzero((bids != 0).any(axis=0)).tolist():
            whole = int(came[hand])
            row = {name: Fraction(int(w), whole) for name, w in zip(names, bids[:, hand], strict=True) if w}
            rest = 1 - sum(row.values(), Fraction(0))
            if rest:
                row[game.call] = rest
            hands[hand] = row
        strategy[game.history(support.path(node))] = hands
    return strategy
