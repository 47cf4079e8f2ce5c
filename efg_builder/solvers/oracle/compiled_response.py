"""Backward induction of best responses in floats, compiled: the same as ``response.work_out``.

There all nodes of one depth are worked out at once, bids times hands for each. Here a node follows right after all
that comes after it, so that what those hand up waits in one table for each depth, and the worth of a bid is gone
through while it is in the cache. Most weights are 0 and are passed over. Needs numba, see ``kernel``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .kernel import compiled

if TYPE_CHECKING:
    from .response import Walk


def work_out(walk: Walk, threshold: float) -> tuple[Any, ...]:
    """The fields of ``response.Worked``."""
    model, player = walk.model, walk.player
    lines = model.lines[player]
    best = np.empty(walk.here.shape, dtype=np.int16)
    ends = np.searchsorted(walk.at, np.arange(len(walk.nodes) + 1))
    value, restricted, at, bid, gains = _backward(
        _order(walk.above, walk.at),
        *(walk.depth // 2, walk.last, walk.above, walk.weights, walk.here),
        *(ends, walk.bid, walk.allowed),
        *(lines.matrix.astype(np.float64), lines.bid.astype(np.int32), lines.call.astype(np.int32)),
        *(model.chances[player].astype(np.float64), float(threshold), best, walk.bids),
    )
    order = np.argsort(at, kind="stable")
    return value, restricted, best, at[order], bid[order], gains[order]


@compiled
def _order(above, at):  # type: ignore[no-untyped-def]
    """The nodes so that each comes right after all that come after it in play."""
    count = len(above)
    # Row -1 stands for what is before the first nodes.
    size, start = np.ones(count + 1, np.int64), np.zeros(count + 1, np.int64)
    order = np.empty(count, np.int64)
    for k in range(count - 1, -1, -1):
        size[at[above[k]] if above[k] >= 0 else -1] += size[k]
    for k in range(count):
        up = at[above[k]] if above[k] >= 0 else -1
        order[count - 1 - start[up]] = k
        start[k] = start[up] + 1
        start[up] += size[k]
    return order


@compiled
def _backward(  # type: ignore[no-untyped-def]
    order, level, last, above, weights, here, ends, bid_of, allowed, matrix, line, call, chances, threshold, best, has
):  # fmt: skip
    bids, hands = line.shape
    levels = level.max() + 1 if len(level) else 1
    # What the opponent's bids after each own one add to its worth: in the whole game, in the restricted one.
    free, inner = np.empty((levels, bids, hands)), np.empty((levels, bids, hands))
    answered = np.zeros((levels, bids), np.bool_)
    lines, worth = np.empty(matrix.shape[1]), np.empty(hands)
    most, least, found = np.empty(hands), np.empty(hands), np.empty(hands, np.int64)
    row = np.full(bids, -1)
    value, restricted, count = 0.0, 0.0, 0
    at, by, gains = np.empty(64, np.int64), np.empty(64, np.int64), np.empty((64, hands), np.bool_)
    for k in order:
        depth, before = level[k], last[k]
        # Lines of greater bids come after those of smaller ones, and all before those of calls.
        if before + 1 < bids:
            _product(lines, weights[k], matrix, line[before + 1].min(), line[bids - 1].max() + 1)
        if before < 0:
            most[:] = -np.inf
        else:
            _product(lines, weights[k], matrix, call[before].min(), call[before].max() + 1)
            for h in range(hands):
                most[h] = lines[call[before, h]]
        least[:] = most
        found[:] = -1
        for bid in range(before + 1, bids):
            if not has[bid]:
                continue
            _worth(worth, lines, line[bid], answered[depth, bid], free[depth, bid])
            for h in range(hands):
                if worth[h] > most[h]:
                    most[h] = worth[h]
                    found[h] = bid
        best[k] = found
        for move in range(ends[k], ends[k + 1]):
            bid = bid_of[move]
            row[bid] = move
            _worth(worth, lines, line[bid], answered[depth, bid], inner[depth, bid])
            for h in range(hands):
                if allowed[move, h] and worth[h] > least[h]:
                    least[h] = worth[h]
        if _any_gains(most, least, threshold, here[k]):
            for bid in range(before + 1, bids):
                if not has[bid]:
                    continue
                _worth(worth, lines, line[bid], answered[depth, bid], free[depth, bid])
                if not _any_gains(worth, least, threshold, here[k]):
                    continue
                if count == len(at):
                    at, by, gains = _twice(at), _twice(by), _twice(gains)
                some = False
                for h in range(hands):
                    gain = here[k, h] and worth[h] - least[h] > threshold
                    gain = gain and not (row[bid] >= 0 and allowed[row[bid], h])
                    gains[count, h] = gain
                    some = some or gain
                if some:
                    at[count], by[count] = k, bid
                    count += 1
        row[:] = -1
        answered[depth] = False
        if above[k] < 0:
            for h in range(hands):
                value += chances[h] * most[h]
                restricted += chances[h] * least[h]
            continue
        opened = bid_of[above[k]]
        _product(lines, weights[k], matrix, line[opened].min(), line[opened].max() + 1)
        for h in range(hands):
            called = lines[line[opened, h]]
            old = answered[depth - 1, opened]
            free[depth - 1, opened, h] = most[h] - called + (free[depth - 1, opened, h] if old else 0.0)
            inner[depth - 1, opened, h] = least[h] - called + (inner[depth - 1, opened, h] if old else 0.0)
        answered[depth - 1, opened] = True
    return value, restricted, at[:count], by[:count], gains[:count]


@compiled
def _product(lines, weights, matrix, first, end):  # type: ignore[no-untyped-def]
    """The *lines* from *first* to *end* of weights times matrix."""
    lines[first:end] = 0.0
    for g in range(len(weights)):
        weight = weights[g]
        if weight != 0.0:
            for c in range(first, end):
                lines[c] += weight * matrix[g, c]


@compiled
def _worth(worth, lines, line, answered, more):  # type: ignore[no-untyped-def]
    """What one bid is worth to each hand, if it is called, and *more* by what answers it."""
    if answered:
        for h in range(len(worth)):
            worth[h] = lines[line[h]] + more[h]
    else:
        for h in range(len(worth)):
            worth[h] = lines[line[h]]


@compiled
def _any_gains(worth, least, threshold, here):  # type: ignore[no-untyped-def]
    some = False
    for h in range(len(worth)):
        some |= here[h] and worth[h] - least[h] > threshold
    return some


@compiled
def _twice(array):  # type: ignore[no-untyped-def]
    """The array with room for as much again."""
    larger = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
