"""An iteration of two players' regret minimization on a part of a bidding game, compiled by numba.

The compiled functions work on one information set at a time, and skip the parts of the game that no plan reaches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ...base.machine import threads
from ...forms.bidding_form import BiddingForm, Flags, Floats, Indices, Longs


@dataclass(frozen=True)
class KernelSettings:
    """The distribution of an iteration among cores."""

    tasks_per_core: int = 3
    """Number of tasks per core; several tasks balance the load."""
    least_decisions: int = 48
    """Subtrees begin at the first depth with at least this number of decisions."""
    least_shared: int = 100_000
    """Minimum number of regrets for the use of several cores; below it, distributing the work takes too long."""


SETTINGS = KernelSettings()


@dataclass(frozen=True)
class SideRows:
    """The layout of the nodes at which one player made the last bid.

    Each node has a row. Rows are sorted by depth, then by the parent's row, so siblings are adjacent. ``above``: the
    parent's row in the opponent's layout, -1 for the root; in ascending order. ``levels``: (first row, end) for each
    depth.
    """

    nodes: Indices
    bid: Indices
    above: Indices
    levels: list[tuple[int, int]]


class Tables(Protocol):
    """Both players' arrays; see ``oracle.regret.RestrictedRegrets``."""

    sides: tuple[SideRows, SideRows]
    bids: list[Floats]
    calls: list[Floats]
    totals: list[Floats]
    reach: list[Floats]
    live: list[Flags]


class CallTables(NamedTuple):
    """The payoffs of called bids for each class of the player's hands.

    ``of_call``, ``of_bid``: the payoffs if the player or the opponent calls, ``[bid, class, opponent's hand]``.
    ``call_class``, ``bid_class``: the class of each hand, ``[bid, hand]``.
    """

    of_call: npt.NDArray[np.float32]
    call_class: npt.NDArray[np.uint8]
    of_bid: npt.NDArray[np.float32]
    bid_class: npt.NDArray[np.uint8]


class Nodes(NamedTuple):
    """One player's nodes and decisions.

    A node is a row of the player's ``SideRows``. A decision is a row of the opponent's ``SideRows``, or the root (the
    last decision). ``bids``: (first node, end) after each decision. ``answers``: (first decision, end) after each node.
    ``above``: the node before each decision (for the root, the last row of ``reach``). ``last``: the bid before each
    decision. ``bid``: the bid of each node.
    """

    bids: Longs
    answers: Longs
    above: Longs
    last: Longs
    bid: Longs


class Regrets(NamedTuple):
    """One player's regrets and values.

    ``some``: flags of the nodes at which some hand has a positive regret. Most nodes have no positive regrets.
    ``values``: the value of each decision, ``[decision, hand]``.
    """

    calls: Floats
    bids: Floats
    some: Flags
    values: Floats


class Plan(NamedTuple):
    """A player's realization weights ``[node, hand]``, and flags of the nodes with positive weights."""

    reach: Floats
    live: Flags


class Scratch(NamedTuple):
    """Arrays for intermediate results: by class of hands, and by the opponent's hand."""

    classes: Floats
    rest: Floats


@dataclass(frozen=True)
class KernelLayout:
    """One player's nodes, and the order of computation.

    ``top``: (first decision, end) for each depth above the subtrees. ``tasks``: for each group of subtrees, (first
    decision, end) for each depth.
    """

    nodes: Nodes
    top: Longs
    tasks: list[Longs]


class Kernel:
    """The compiled iteration."""

    kind = np.float32

    def __init__(self, form: BiddingForm, update: Any, play: Any) -> None:
        self.compiled_update, self.compiled_play = update, play
        self.tables = []
        for player, line in enumerate(form.lines):
            worth = line.matrix / (form.totals[1 - player] * form.largest)
            self.tables.append(CallTables(*_call_table(worth, line.call), *_call_table(worth, line.bid)))
        self.cores = threads()
        self.pool = ThreadPoolExecutor(self.cores)
        try:
            self.pool.submit(int).result()
        except RuntimeError:  # there are no threads
            self.cores = 1
        self.layouts: list[KernelLayout] = []
        self.values: list[Floats] = []
        self.some: list[Flags] = []

    def lay(self, tables: Tables) -> None:
        """Prepare for a larger part of the game."""
        sides = tables.sides
        size = sum(table.size for group in (tables.bids, tables.calls) for table in group)
        tasks = 1 if self.cores == 1 or size < SETTINGS.least_shared else SETTINGS.tasks_per_core * self.cores
        self.layouts = [_layout(sides[p], sides[1 - p], p == 0, tasks) for p in range(2)]
        self.values = [np.empty_like(tables.calls[p]) for p in range(2)]
        self.some = [np.asarray(tables.bids[p].any(axis=1)) for p in range(2)]

    def update_regrets(self, tables: Tables, player: int, discount: float) -> None:
        """Discount the regrets of *player*, and update them against the opponent's current plan."""
        at, own, pays = self.layouts[player], self._regrets(tables, player), self.tables[player]
        theirs, factor = Plan(tables.reach[1 - player], tables.live[1 - player]), np.float32(discount)

        def work(spans: Longs) -> None:
            self.compiled_update(spans, at.nodes, pays, own, theirs, factor, player == 0)

        self._all(work, at.tasks)
        work(at.top)

    def play(self, tables: Tables, player: int, weight: float) -> None:
        """Update the plan of *player* by regret matching, and add it to the average with *weight*."""
        at, own, share = self.layouts[player], self._regrets(tables, player), np.float32(weight)
        mine, totals = Plan(tables.reach[player], tables.live[player]), tables.totals[player]

        def work(spans: Longs) -> None:
            self.compiled_play(spans, at.nodes, own, mine, totals, share, player == 0)

        work(at.top)
        self._all(work, at.tasks)

    def _regrets(self, tables: Tables, player: int) -> Regrets:
        return Regrets(tables.calls[player], tables.bids[player], self.some[player], self.values[player])

    def _all(self, work: Callable[[Longs], None], tasks: Sequence[Longs]) -> None:
        if len(tasks) > 1:
            list(self.pool.map(work, tasks))
        else:
            for task in tasks:
                work(task)


def _call_table(
    matrix: npt.NDArray[np.float64], index: Indices
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    found = [np.unique(row, return_inverse=True) for row in index]
    worth = np.zeros((len(index), max(len(lines) for lines, _ in found), len(matrix)), dtype=np.float32)
    for bid, (lines, _) in enumerate(found):
        worth[bid, : len(lines)] = matrix[:, lines].T
    return worth, np.array([place for _, place in found], dtype=np.uint8)


def _layout(mine: SideRows, theirs: SideRows, opens: bool, tasks: int) -> KernelLayout:
    root, own = len(theirs.nodes), len(mine.nodes)
    bids, answers = _children(mine, root), _children(theirs, own)[:-1]
    above = np.append(theirs.above, -1)
    cut = next(
        (k for k, (first, end) in enumerate(theirs.levels) if end - first >= SETTINGS.least_decisions),
        len(theirs.levels),
    )
    top = [*([(root, root + 1)] if opens else []), *theirs.levels[:cut]]
    above = np.where(above < 0, own, above).astype(np.int64)
    return KernelLayout(
        nodes=Nodes(bids, answers, above, theirs.bid.astype(np.int64), mine.bid.astype(np.int64)),
        top=np.array(top, dtype=np.int64).reshape(-1, 2),
        tasks=_subtrees(theirs, mine, cut, tasks),
    )


def _subtrees(side: SideRows, other: SideRows, cut: int, tasks: int) -> list[Longs]:
    """Split the rows from depth *cut* on into *tasks* groups of similar size; return (first row, end) by depth."""
    if cut == len(side.levels):
        return []
    (first, end), *deeper = side.levels[cut:]
    grandparents = [other.above[side.above[start:stop]] for start, stop in deeper]
    size = np.ones(len(side.nodes))
    for rows, (start, stop) in zip(reversed(grandparents), reversed(deeper), strict=True):
        np.add.at(size, rows, size[start:stop])
    whole = np.cumsum(size[first:end])
    bounds = first + np.searchsorted(whole, whole[-1] * np.arange(tasks + 1) / tasks)
    bounds[-1] = end
    depths = [bounds]
    for rows, (start, _) in zip(grandparents, deeper, strict=True):
        bounds = start + np.searchsorted(rows, bounds)
        depths.append(bounds)
    return [np.array([(b[k], b[k + 1]) for b in depths], dtype=np.int64) for k in range(tasks)]


def _children(side: SideRows, parents: int) -> Longs:
    """Return (first row, end) of the children of each row of the opponent, and of the root, which comes last."""
    counts = np.bincount(side.above + 1, minlength=parents + 1)
    ends = np.cumsum(counts)
    return np.roll(np.stack([ends - counts, ends], axis=1), -1, axis=0).astype(np.int64)


# The compiled functions have no types: numba infers them.
# mypy: disable-error-code="no-untyped-def,no-untyped-call"


@cache
def _compiled() -> tuple[Any, Any] | None:
    helpers = (_pays, _inverse_totals, _add_answers, _cut_off)
    try:
        import numba

        jit = numba.njit(nogil=True, fastmath={"contract", "reassoc", "nsz"}, cache=True, error_model="numpy")
        compiled = jit(_update_regrets), jit(_play)
        inlined = {part.__name__: numba.njit(part, inline="always") for part in helpers}
    except (ImportError, RuntimeError):
        return None
    # Compiled functions look up their helpers in this module. If compilation fails, the helpers stay plain Python.
    globals().update(inlined)
    return compiled


def compiled_kernel(form: BiddingForm) -> Kernel | None:
    """Return the compiled iteration, or None if numba is missing or cannot save compiled code."""
    compiled = _compiled()
    return None if compiled is None else Kernel(form, *compiled)


def _pays(out, classes, payoffs, class_of, reach):
    """Fill *out* with each hand's payoff from a call: the *payoffs* of its class times the opponent's *reach*."""
    for c in range(len(payoffs)):
        total = np.float32(0)
        for g in range(len(reach)):
            total += payoffs[c, g] * reach[g]
        classes[c] = total
    for h in range(len(out)):
        out[h] = classes[class_of[h]]


def _inverse_totals(inverse, total, calls, own, first, end):
    """Fill *total* with the sums of positive regrets, and *inverse* with their inverses (0 for 0)."""
    zero = np.float32(0)
    total[:] = calls
    for v in range(first, end):
        if own.some[v]:
            total += own.bids[v]
    for h in range(len(total)):
        inverse[h] = np.float32(1) / total[h] if total[h] > zero else zero


def _add_answers(row, scratch, payoffs, class_of, here, theirs, values, answers):
    """Fill *row* with the value of a bid for each hand. An opponent's hand calls unless it answers with a bid."""
    rest = scratch.rest
    rest[:] = here
    for u in range(answers[0], answers[1]):
        if theirs.live[u]:
            rest -= theirs.reach[u]
    _pays(row, scratch.classes, payoffs, class_of, rest)
    for u in range(answers[0], answers[1]):
        if theirs.live[u]:
            row += values[u]


def _cut_off(regrets, some, gained, value, discount):
    """Update the regrets of one bid, and return whether any regret is positive.

    If *some* is False, all old regrets are 0 and are not read.
    """
    most, zero = np.float32(0), np.float32(0)
    if some:
        for h in range(len(regrets)):
            regrets[h] = max(regrets[h] * discount + gained[h] - value[h], zero)
            most = max(most, regrets[h])
        return most > zero
    for h in range(len(regrets)):
        most = max(most, gained[h] - value[h])
    if most > zero:
        for h in range(len(regrets)):
            regrets[h] = max(gained[h] - value[h], zero)
    return most > zero


def _update_regrets(spans, nodes, pays, own, theirs, discount, opens):
    calls, bids, some, values = own
    hands, root, zero = calls.shape[1], len(calls) - 1, np.float32(0)
    worth, called = np.empty((len(pays.of_bid), hands), np.float32), np.empty(hands, np.float32)
    total, inverse = np.empty(hands, np.float32), np.empty(hands, np.float32)
    classes = np.empty(max(pays.of_call.shape[1], pays.of_bid.shape[1]), np.float32)
    scratch = Scratch(classes, np.empty(theirs.reach.shape[1], np.float32))
    for level in range(len(spans) - 1, -1, -1):
        for w in range(spans[level, 0], spans[level, 1]):
            if not theirs.live[w]:
                continue
            first, end, opening, value = nodes.bids[w, 0], nodes.bids[w, 1], opens and w == root, values[w]
            here = theirs.reach[w]
            if not opening:
                _pays(called, classes, pays.of_call[nodes.last[w]], pays.call_class[nodes.last[w]], here)
            if first == end:
                value[:] = called
                continue
            _inverse_totals(inverse, total, calls[w], own, first, end)
            # A hand without positive regrets calls; at the root, it makes all openings with equal probability.
            for h in range(hands):
                share = calls[w, h] * inverse[h] if total[h] > zero else np.float32(1)
                value[h] = zero if opening else called[h] * share
            equal = np.float32(1) / np.float32(end - first)
            for v in range(first, end):
                row, bid = worth[v - first], nodes.bid[v]
                _add_answers(
                    row, scratch, pays.of_bid[bid], pays.bid_class[bid], here, theirs, values, nodes.answers[v]
                )
                if opening or some[v]:
                    for h in range(hands):
                        if total[h] > zero:
                            value[h] += row[h] * bids[v, h] * inverse[h]
                        elif opening:
                            value[h] += row[h] * equal
            if not opening:
                for h in range(hands):
                    calls[w, h] = max(calls[w, h] * discount + called[h] - value[h], zero)
            for v in range(first, end):
                some[v] = _cut_off(bids[v], some[v], worth[v - first], value, discount)


def _play(spans, nodes, own, plan, totals, weight, opens):
    calls, bids, some, _ = own
    reach, live = plan
    hands, root, zero = calls.shape[1], len(calls) - 1, np.float32(0)
    share, total = np.empty(hands, np.float32), np.empty(hands, np.float32)
    for level in range(len(spans)):
        for w in range(spans[level, 0], spans[level, 1]):
            first, end, above, opening = nodes.bids[w, 0], nodes.bids[w, 1], nodes.above[w], opens and w == root
            playing = live[above]
            if playing and first < end:
                _inverse_totals(share, total, calls[w], own, first, end)
                for h in range(hands):
                    share[h] = reach[above, h] / total[h] if total[h] > zero else zero
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
                    # Every hand must open. If its regrets are all zero, all openings are equally likely.
                    for h in range(hands):
                        if total[h] <= zero:
                            reach[v, h] = reach[above, h] / np.float32(end - first)
                            most = max(most, reach[v, h])
                live[v] = most > zero
                if most > zero:
                    for h in range(hands):
                        totals[v, h] += weight * reach[v, h]
