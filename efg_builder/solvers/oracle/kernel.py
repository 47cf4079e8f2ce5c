"""One iteration of regret minimisation on the restricted game, compiled: the same as ``regret.NumpyStep``.

There each step is done for all nodes at once, so a dozen arrays go through memory several times. Here everything about
an information set is done while its numbers are at hand, and histories that nobody plays are passed over. Cores work
on lots of subtrees, so that they wait for each other twice in a pass and not at every depth. Needs numba
(``pip install ".[fast]"`` in the checkout).

In reading order: ``Kernel``, which ``RestrictedRegrets`` uses; ``_layout`` and ``_subtrees``, who does what;
``_settle``, from the leaves up: worth, regrets; ``_play``, from the root down: the plan by regret matching.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import numpy.typing as npt

from ...base.machine import threads
from ..bidding_model import Bidding

if TYPE_CHECKING:
    from .regret import RestrictedRegrets, SideRows

Floats = npt.NDArray[np.float32]
Longs = npt.NDArray[np.int64]
compiled: Any = numba.njit(nogil=True, fastmath={"contract", "reassoc", "nsz"}, cache=True, error_model="numpy")

TASKS_PER_CORE = 3
"""Subtrees are dealt out to so many times as many tasks as there are cores, for some take longer than others."""

LEAST_DECISIONS = 48
"""Subtrees begin where a depth has at least so many decisions."""

WORTH_SHARING = 100_000
"""Where all regrets together are fewer numbers than this, one core does it all: sharing takes time too."""


@dataclass(frozen=True)
class CallTable:
    """What called bids are worth: ``worth[bid, line]`` are weights of the opponent's hands, ``line[bid, hand]`` an own
    hand's line."""

    worth: Floats
    line: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class KernelLayout:
    """Where things stand, for one player. A decision is a row of the other side, the last one the root.

    ``top``: (first decision, end) for each depth above the subtrees. ``tasks``: the same within each lot of subtrees.
    ``bids``: (first own node, end) after each decision. ``answers``:
    (first of the other side's nodes, end) after each own node. ``above``: the own node that leads to each decision, the
    last for the root. ``last``, ``bid``: the bid before each decision, and that of each own node.
    """

    top: Longs
    tasks: list[Longs]
    bids: Longs
    answers: Longs
    above: Longs
    last: Longs
    bid: Longs


class Kernel:
    """The compiled step for one game (see ``regret.IterationStep``)."""

    kind = np.float32

    def __init__(self, model: Bidding) -> None:
        self.tables = []
        for player, line in enumerate(model.lines):
            worth = line.matrix / (model.totals[1 - player] * model.largest)
            self.tables.append((_table(worth, line.call), _table(worth, line.bid)))
        self.cores = threads()
        self.pool = ThreadPoolExecutor(self.cores)
        self.layouts: list[KernelLayout] = []
        self.values: list[Floats] = []
        # Which own nodes some hand regrets not to have gone to: most rows of regrets are zero.
        self.some: list[npt.NDArray[np.bool_]] = []

    def lay(self, regrets: RestrictedRegrets) -> None:
        """Take over the layout of the restricted game, which has grown."""
        sides = regrets.sides
        size = sum(table.size for tables in (regrets.bids, regrets.calls) for table in tables)
        tasks = 1 if self.cores == 1 or size < WORTH_SHARING else TASKS_PER_CORE * self.cores
        self.layouts = [_layout(sides[p], sides[1 - p], p == 0, tasks) for p in range(2)]
        self.values = [np.empty_like(regrets.calls[p]) for p in range(2)]
        self.some = [np.asarray(regrets.bids[p].any(axis=1)) for p in range(2)]

    def settle(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        """Bring the regrets of *player* up to date against the other's present plan; old ones are discounted."""
        at, (called, bid) = self.layouts[player], self.tables[player]

        def work(spans: Longs) -> None:
            _settle(
                spans,
                *(at.bids, at.answers, at.last, at.bid),
                *(called.worth, called.line, bid.worth, bid.line),
                *(regrets.reach[1 - player], regrets.live[1 - player]),
                *(regrets.calls[player], regrets.bids[player], self.some[player], self.values[player]),
                np.float32(discount),
                player == 0,
            )

        self._all(work, at.tasks)
        work(at.top)

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        """Bring the plan of *player* up to date by regret matching, and add it to the average with this *weight*."""
        at = self.layouts[player]

        def work(spans: Longs) -> None:
            _play(
                spans,
                *(at.bids, at.above, regrets.calls[player], regrets.bids[player], self.some[player]),
                *(regrets.reach[player], regrets.live[player], regrets.totals[player]),
                np.float32(weight),
                player == 0,
            )

        work(at.top)
        self._all(work, at.tasks)

    def _all(self, work: Callable[[Longs], None], tasks: list[Longs]) -> None:
        if len(tasks) > 1:
            list(self.pool.map(work, tasks))
        else:
            for task in tasks:
                work(task)


def _table(matrix: npt.NDArray[np.float64], index: npt.NDArray[np.intp]) -> CallTable:
    found = [np.unique(row, return_inverse=True) for row in index]
    worth = np.zeros((len(index), max(len(lines) for lines, _ in found), len(matrix)), dtype=np.float32)
    for bid, (lines, _) in enumerate(found):
        worth[bid, : len(lines)] = matrix[:, lines].T
    return CallTable(worth, np.array([place for _, place in found], dtype=np.uint8))


def _layout(mine: SideRows, theirs: SideRows, opens: bool, tasks: int) -> KernelLayout:
    root, own = len(theirs.nodes), len(mine.nodes)
    # Row -1 is the root.
    bids, answers = _spans(mine, root + 1), _spans(theirs, own + 1)[:-1]
    above = np.append(theirs.above, -1)
    cut = next(
        (k for k, (first, end) in enumerate(theirs.levels) if end - first >= LEAST_DECISIONS), len(theirs.levels)
    )
    top = [*([(root, root + 1)] if opens else []), *theirs.levels[:cut]]
    return KernelLayout(
        top=np.array(top, dtype=np.int64).reshape(-1, 2),
        tasks=_subtrees(theirs, cut, tasks),
        bids=bids,
        answers=answers,
        above=np.where(above < 0, own, above).astype(np.int64),
        last=theirs.bid.astype(np.int64),
        bid=mine.bid.astype(np.int64),
    )


def _subtrees(side: SideRows, cut: int, tasks: int) -> list[Longs]:
    """The rows from depth *cut* on in *tasks* lots of about one size: (first row, end) for each depth.

    Rows are in the order of their parents', so what comes after neighbours are neighbours.
    """
    if cut == len(side.levels):
        return []
    first, end = side.levels[cut]
    size = np.ones(len(side.nodes))
    for start, stop in reversed(side.levels[cut + 1 :]):
        np.add.at(size, side.own[start:stop], size[start:stop])
    whole = np.cumsum(size[first:end])
    bounds = first + np.searchsorted(whole, whole[-1] * np.arange(tasks + 1) / tasks)
    bounds[-1] = end
    depths = [bounds]
    for start, stop in side.levels[cut + 1 :]:
        bounds = start + np.searchsorted(side.own[start:stop], bounds)
        depths.append(bounds)
    return [np.array([(b[k], b[k + 1]) for b in depths], dtype=np.int64) for k in range(tasks)]


def _spans(side: SideRows, count: int) -> Longs:
    """(first row, end) of the children of each of *count* parents."""
    spans = np.zeros((count, 2), dtype=np.int64)
    spans[side.owners, 0] = side.starts
    spans[side.owners, 1] = np.append(side.starts, len(side.nodes))[1:]
    return spans


@compiled
def _settle(  # type: ignore[no-untyped-def]
    spans, bids_of, answers_of, last, bid, call_worth, call_line, bid_worth, bid_line,
    reach, live, calls, bids, some, values, discount, opens,
):  # fmt: skip
    """Decisions of those spans, deeper ones first: their ``values`` under the present strategy, and new regrets."""
    hands, others, root, count = calls.shape[1], reach.shape[1], len(calls) - 1, call_worth.shape[1]
    zero, one = np.float32(0), np.float32(1)
    worth = np.empty((len(bid_worth), hands), np.float32)
    total, inverse = np.empty(hands, np.float32), np.empty(hands, np.float32)
    lines, rest = np.empty(count + bid_worth.shape[1], np.float32), np.empty(others, np.float32)
    for level in range(len(spans) - 1, -1, -1):
        for w in range(spans[level, 0], spans[level, 1]):
            if not live[w]:
                continue
            first, end, opening = bids_of[w, 0], bids_of[w, 1], opens and w == root
            here, value = reach[w], values[w]
            if not opening:
                _dot(lines[:count], call_worth[last[w]], here)
            if first == end:
                for h in range(hands):
                    value[h] = lines[call_line[last[w], h]]
                continue
            total[:] = calls[w]
            for v in range(first, end):
                if some[v]:
                    total += bids[v]
            # What a hand does that regrets nothing: it calls, or makes all openings alike.
            for h in range(hands):
                inverse[h] = one / total[h] if total[h] > zero else zero
            if opening:
                value[:] = zero
            else:
                for h in range(hands):
                    played = calls[w, h] * inverse[h] if total[h] > zero else one
                    value[h] = lines[call_line[last[w], h]] * played
            for v in range(first, end):
                row = worth[v - first]
                # What is not answered by a bid calls this one.
                rest[:] = here
                for u in range(answers_of[v, 0], answers_of[v, 1]):
                    if live[u]:
                        rest -= reach[u]
                _dot(lines[count:], bid_worth[bid[v]], rest)
                for h in range(hands):
                    row[h] = lines[count + bid_line[bid[v], h]]
                for u in range(answers_of[v, 0], answers_of[v, 1]):
                    if live[u]:
                        row += values[u]
                if opening:
                    unknown = one / np.float32(end - first)
                    for h in range(hands):
                        value[h] += row[h] * (bids[v, h] * inverse[h] if total[h] > zero else unknown)
                elif some[v]:
                    for h in range(hands):
                        value[h] += row[h] * bids[v, h] * inverse[h]
            if not opening:
                for h in range(hands):
                    called = lines[call_line[last[w], h]]
                    calls[w, h] = max(calls[w, h] * discount + called - value[h], zero)
            for v in range(first, end):
                most = zero
                if some[v]:
                    for h in range(hands):
                        regret = max(bids[v, h] * discount + worth[v - first, h] - value[h], zero)
                        bids[v, h] = regret
                        most = max(most, regret)
                    some[v] = most > zero
                    continue
                # A row of zeros is not read, and mostly not written either.
                for h in range(hands):
                    most = max(most, worth[v - first, h] - value[h])
                if most > zero:
                    some[v] = True
                    for h in range(hands):
                        bids[v, h] = max(worth[v - first, h] - value[h], zero)


@compiled
def _dot(out, rows, vector):  # type: ignore[no-untyped-def]
    for c in range(len(rows)):
        total = np.float32(0)
        for g in range(len(vector)):
            total += rows[c, g] * vector[g]
        out[c] = total


@compiled
def _play(  # type: ignore[no-untyped-def]
    spans, bids_of, above, calls, bids, some, reach, live, totals, weight, opens
):  # fmt: skip
    """The plan after the decisions of those spans, those of smaller depth first, by regret matching."""
    hands, root, zero = calls.shape[1], len(calls) - 1, np.float32(0)
    share, total = np.empty(hands, np.float32), np.empty(hands, np.float32)
    for level in range(len(spans)):
        for w in range(spans[level, 0], spans[level, 1]):
            first, end, own, opening = bids_of[w, 0], bids_of[w, 1], above[w], opens and w == root
            playing = live[own]
            if playing and first < end:
                total[:] = calls[w]
                for v in range(first, end):
                    if some[v]:
                        total += bids[v]
                for h in range(hands):
                    share[h] = reach[own, h] / total[h] if total[h] > zero else zero
            for v in range(first, end):
                if not (opening or (playing and some[v])):
                    if live[v]:
                        live[v] = False
                        reach[v] = zero
                    continue
                most = zero
                for h in range(hands):
                    part = bids[v, h] * share[h]
                    reach[v, h] = part
                    most = max(most, part)
                if opening:
                    # Every hand must open: all openings alike where nothing is known.
                    for h in range(hands):
                        if total[h] <= zero:
                            reach[v, h] = reach[own, h] / np.float32(end - first)
                            most = max(most, reach[v, h])
                live[v] = most > zero
                if most > zero:
                    for h in range(hands):
                        totals[v, h] += weight * reach[v, h]
