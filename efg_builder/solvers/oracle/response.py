"""Best responses in a whole bidding game, computed only at histories that the opponent's plan reaches.

If a strategy has no entry for a hand, the hand calls. Most bids therefore end play, and one matrix product gives the
payoffs of all these bids. The cost depends on the size of the opponent's support, not on the size of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...forms.bidding_form import BiddingForm, Flags, Indices
from .restricted import ROOT, Numbers, PlanOnSupport, Support

BLOCK = 2**22
"""Maximum number of entries in one array; larger levels are computed in parts."""

SERIAL = 2**18
"""Maximum number of multiplications in one matrix product.

OpenBLAS splits larger products among threads, which wait for each other. On two busy cores, 5,000 histories of 2v2 with
six sides take 0.8 ms of CPU time in parts, but 60 ms in one product.
"""

Move = tuple[int, int, Flags]

Bidders = tuple[Flags, Flags]
"""Flags of the bids that each player may make."""


@dataclass(frozen=True)
class Response:
    """The values of best responses to a plan in the whole game and in the restricted game, summed over hands.

    ``moves``: the moves that improve on the restricted game, as (node, bid, hands that gain). ``visited``: the number
    of the player's decision nodes that the opponent's plan reaches.
    """

    value: Any
    restricted: Any
    moves: list[Move]
    visited: int


def every_bid(model: BiddingForm) -> Bidders:
    return np.ones(model.bids, dtype=bool), np.ones(model.bids, dtype=bool)


def respond_both(
    model: BiddingForm,
    support: Support,
    plans: tuple[PlanOnSupport, PlanOnSupport],
    threshold: Any,
    bidding: Bidders | None = None,
) -> tuple[Response, Response]:
    one, two = every_bid(model) if bidding is None else bidding
    return respond(model, support, 0, plans[1], threshold, one), respond(model, support, 1, plans[0], threshold, two)


def respond(
    model: BiddingForm, support: Support, player: int, plan: PlanOnSupport, threshold: Any, bids: Flags | None = None
) -> Response:
    """Return the best response of *player* to the opponent's *plan*, and all moves that improve on the restricted game.

    The player may make only *bids* (None: all bids). A move improves if its value in the whole game exceeds the value
    of its information set in the restricted game by more than *threshold*. Only information sets to which the player's
    allowed moves lead are considered. After each new move, the moves of the best response are added too.

    If *plan* contains floats, values are shares of half the payoff range. If *plan* contains integers, values are
    integers, scaled by the weights of hands and the plan's scale.
    """
    walk = _walk(model, support, player, plan, every_bid(model)[player] if bids is None else bids)
    bound: Any = threshold
    unit: Any = 1
    if plan.weights.dtype == np.float64:
        bound = threshold * model.totals[1 - player] * model.largest
        unit = 1.0 / (model.totals[0] * model.totals[1] * model.largest)
    found = work_out(walk, bound)
    return Response(found.value * unit, found.restricted * unit, list(_moves(support, walk, found)), len(walk.nodes))


@dataclass(frozen=True)
class Walk:
    """The player's decision nodes that the opponent's plan reaches, parents first.

    ``weights``: the opponent's plan at each node, shape (nodes, opponent's hands). ``scale``: the plan's scale.
    ``last``: the opponent's bid before each node, -1 at the root. ``above``: the index of the player's previous move,
    or -1. ``here``: flags of the hands whose allowed moves lead to each node, shape (hands, nodes).

    ``at``, ``bid``: the node (an index in ``nodes``) and the bid of each of the player's moves in the restricted game.
    Moves are grouped by node. ``allowed``: flags of the hands that may make each move, shape (hands, moves). ``bids``:
    flags of the bids that the player may make.
    """

    model: BiddingForm
    player: int
    bids: Flags
    scale: int
    nodes: Indices
    weights: Numbers
    depth: Indices
    last: Indices
    above: Indices
    here: Flags
    at: Indices
    bid: Indices
    allowed: Flags


def _walk(model: BiddingForm, support: Support, player: int, plan: PlanOnSupport, bids: Flags) -> Walk:
    start, hands = [ROOT] if player == 0 else [], model.hands[player]
    nodes = np.array([*start, *plan.nodes], dtype=np.intp)
    whole = np.full((len(start), model.hands[1 - player]), plan.scale, dtype=plan.weights.dtype)
    parent, bid, depth = support.table
    # The index of each node in the walk, or -1. The parent of ROOT is -1, which selects the last entry; this entry is
    # -1.
    place = np.full(len(support) + 1, -1)
    place[nodes] = np.arange(len(nodes))
    moves = np.flatnonzero((place[parent] >= 0) & bids[bid])
    moves = moves[np.argsort(place[parent[moves]], kind="stable")]
    number = np.full(len(support), -1)
    number[moves] = np.arange(len(moves))
    here = np.ones((len(nodes), hands), dtype=bool)
    here[parent[nodes] > ROOT] = support.rows(parent[nodes][parent[nodes] > ROOT], hands)
    return Walk(
        model=model,
        player=player,
        bids=bids,
        scale=plan.scale,
        nodes=nodes,
        weights=np.concatenate([whole, plan.weights]),
        depth=depth[nodes],
        last=bid[nodes],
        above=np.where(parent[nodes] <= ROOT, -1, number[parent[nodes]]),
        here=here.T,
        at=place[parent[moves]],
        bid=bid[moves],
        allowed=support.rows(moves, hands).T,
    )


@dataclass(frozen=True)
class Worked:
    """The result of ``work_out``; ``Response`` contains the scaled values.

    ``best``: the best bid of each hand at each node (-1: a call), shape (hands, nodes). ``gains``: flags of the hands
    that gain, by node and bid.
    """

    value: Any
    restricted: Any
    best: Numbers
    gains: dict[int, dict[int, Flags]]


def work_out(walk: Walk, threshold: Any) -> Worked:
    """Compute the best response by backward induction, for all nodes at a depth at once; rows are hands."""
    model, player, kind = walk.model, walk.player, walk.weights.dtype
    lines, chances = model.lines[player], model.chances[player].astype(kind)
    matrix, hands = lines.matrix.T.astype(kind), model.hands[player]
    # Integers have no infinity, so use a bound below all values.
    exact = kind != np.float64
    never = -4 * model.largest * model.totals[1 - player] * walk.scale if exact else -np.inf
    value = restricted = 0 if exact else 0.0
    best = np.full((hands, len(walk.nodes)), -1, dtype=np.int32)
    # The value that replies add to each of the player's bids, in the whole game and in the restricted game.
    free, inner = np.zeros((2, len(walk.bid), hands), dtype=kind)
    place = np.full(len(walk.nodes), -1)
    gains: dict[int, dict[int, Flags]] = {}
    for level in _levels(walk):
        last, above, here = walk.last[level], walk.above[level], walk.here[:, level]
        called = _product(matrix, walk.weights[level])
        if walk.nodes[level[0]] == ROOT:
            most = np.full((hands, 1), never, dtype=kind)
        else:
            most = np.take_along_axis(called, lines.call[last].T, axis=0)
        least, found = most.copy(), np.full(most.shape, -1, dtype=np.int32)
        place[:] = -1
        place[level] = np.arange(len(level))
        moves = np.flatnonzero(place[walk.at] >= 0)
        at, bid, allowed = place[walk.at[moves]], walk.bid[moves], walk.allowed[:, moves]
        made = called[lines.bid[bid].T, at]
        if len(moves):
            starts = np.flatnonzero(np.diff(at, prepend=-1))
            inside = np.maximum.reduceat(np.where(allowed, made + inner[moves].T, never), starts, axis=1)
            least[:, at[starts]] = np.maximum(least[:, at[starts]], inside)
        made += free[moves].T
        for b, end, worth in _by_bid(walk, called, last, at, bid, made):
            np.copyto(found[:, :end], b, where=worth > most[:, :end])
            np.maximum(most[:, :end], worth, out=most[:, :end])
        best[:, level] = found
        gaining = np.flatnonzero(((most - least > threshold) & here).any(axis=0))
        place[:] = -1
        place[level[gaining]] = np.arange(len(gaining))
        new = np.flatnonzero(place[walk.at[moves]] >= 0)
        at, made = place[walk.at[moves[new]]], np.where(allowed, never, made)[:, new]
        floor, here = least[:, gaining] + threshold, here[:, gaining]
        for b, end, worth in _by_bid(walk, called[:, gaining], last[gaining], at, bid[new], made):
            over = (worth > floor[:, :end]) & here[:, :end]
            for k in np.flatnonzero(over.any(axis=0)).tolist():
                gains.setdefault(int(level[gaining[k]]), {})[b] = over[:, k]
        if above[0] < 0:
            value += (chances @ most).sum()
            restricted += (chances @ least).sum()
        else:
            before = called[lines.bid[walk.bid[above]].T, np.arange(len(level))]
            order = np.argsort(above, kind="stable")
            starts = np.flatnonzero(np.diff(above[order], prepend=-1))
            to = above[order[starts]]
            free[to] += np.add.reduceat((most - before).T[order], starts)
            inner[to] += np.add.reduceat((least - before).T[order], starts)
    return Worked(value, restricted, best, gains)


def _product(matrix: Numbers, weights: Numbers) -> Numbers:
    rows = max(1, SERIAL // matrix.size)
    product = np.empty((len(matrix), len(weights)), dtype=weights.dtype)
    for k in range(0, len(weights), rows):
        np.matmul(matrix, weights[k : k + rows].T, out=product[:, k : k + rows])
    return product


def _levels(walk: Walk) -> Iterator[Indices]:
    rows = max(1, BLOCK // walk.model.lines[walk.player].matrix.shape[1])
    for depth in np.unique(walk.depth)[::-1]:
        level = np.flatnonzero(walk.depth == depth)
        level = level[np.argsort(walk.last[level], kind="stable")]
        yield from (level[k : k + rows] for k in range(0, len(level), rows))


def _by_bid(
    walk: Walk, called: Numbers, last: Indices, at: Indices, bid: Indices, made: Numbers
) -> Iterator[tuple[int, int, Numbers]]:
    """Yield each bid, the number of nodes at which it is legal, and its values at these nodes.

    Nodes are sorted by the last bid, so the nodes at which a bid is legal come first. *at*, *bid*, *made*: the node,
    the bid and the values of each move of the restricted game; these values replace the values of calls.
    """
    lines, order = walk.model.lines[walk.player], np.argsort(bid, kind="stable")
    first = np.searchsorted(bid[order], np.arange(walk.model.bids + 1)).tolist()
    ends = np.searchsorted(last, np.arange(walk.model.bids)).tolist()
    for b in np.flatnonzero(walk.bids).tolist():
        if ends[b]:
            moves = order[first[b] : first[b + 1]]
            worth = called[:, : ends[b]][lines.bid[b]]
            worth[:, at[moves]] = made[:, moves]
            yield b, ends[b], worth


def _moves(support: Support, walk: Walk, found: Worked) -> Iterator[Move]:
    place = dict(zip(walk.nodes.tolist(), range(len(walk.nodes)), strict=True))
    follow: dict[int, Flags] = {}
    for k in np.argsort(walk.depth, kind="stable").tolist():
        if k not in found.gains and k not in follow:
            continue
        new, here = found.gains.get(k, {}), follow.pop(k, None)
        if here is not None:
            best = np.where(here, found.best[:, k], -1)
            for bid in dict.fromkeys(best[best >= 0].tolist()):
                new[bid] = new[bid] | (best == bid) if bid in new else best == bid
        node = int(walk.nodes[k]) if new else ROOT
        for bid, hands in new.items():
            yield node, bid, hands
            child = support.children[node].get(bid)
            for answer in support.children[child].values() if child is not None else ():
                after = place.get(answer)
                if after is not None:
                    follow[after] = follow[after] | hands if after in follow else hands
