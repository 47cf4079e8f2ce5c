"""Regret minimization on the restricted game, for nearly optimal plans if the linear program is too large.

The method is CFR+: counterfactual regret minimization with regrets cut off at 0, alternating updates, and larger
weights for later plans (O. Tammelin, N. Burch, M. Johanson and M. Bowling, IJCAI 2015). Old regrets are discounted (N.
Brown and T. Sandholm, AAAI 2019).

``NumpyStep`` computes an iteration with NumPy, for all nodes at once. ``Kernel`` computes the same iteration with
numba, one information set at a time. On 2v2 with six sides, a gap of 1/2000 takes 4 CPU seconds with ``Kernel`` and 11
CPU seconds with ``NumpyStep``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.machine import threads
from ...forms.bidding_form import BiddingForm
from ..protocol import Left
from .response import Bidders, Response, every_bid, respond_both
from .restricted import ROOT, Indices, PlanOnSupport, Support, valid_plan

Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class RegretSettings:
    """The settings of regret minimization. Gaps are shares of half the payoff range."""

    add_share_of_gap: float = 0.01
    """A history is added if the gain of some hand exceeds this share of the current gap."""
    least_weight: float = 1e-3
    """Realization weights below this value are dropped from average plans before best responses are computed."""
    least_share_of_gap: float = 0.02
    """The same threshold as a share of the gap; the smaller threshold applies."""
    first_batch: int = 20
    """Number of iterations before the first best response."""
    largest_batch: int = 2_000
    """Maximum number of iterations between best responses; more if a best response takes longer than the iterations."""
    look_cost: float = 5.0
    """The time of a best response, per bid and visited history, as a multiple of an iteration's time per history."""
    grow_above: float = 0.5
    """Batches double if the restricted game's gap exceeds this share of the whole game's gap."""
    shrink_below: float = 0.25
    """Batches are halved if the restricted game's gap is below this share of the whole game's gap."""
    discount: float = 1.5
    """The exponent a: before iteration t, regrets are multiplied by t^a / (t^a + 1)."""
    first_discount: int = 100
    """The value of t in the first iteration after a reset of the averages."""
    power: int = 2
    """The exponent k: the plan of iteration n after a reset of the averages has the weight n^k in the average."""
    restart_growth: float = 1.05
    """The averages are reset when the restricted game has grown by this factor, because they lack the new histories."""
    kept_weight: float = 0.02
    """Moves with lower realization weights in the average plan are left out of the next linear program."""
    most_iterations: int = 10**9
    """Maximum number of iterations accepted from a file."""
    most: float = 1e30
    """Upper bound on regrets and weights in a file, so that sums of 32-bit floats are finite."""
    tasks_per_core: int = 3
    """Number of tasks per core; several tasks balance the load."""
    least_decisions: int = 48
    """Subtrees begin at the first depth with at least this number of decisions."""
    least_shared: int = 100_000
    """Minimum number of regrets for the use of several cores; below it, distributing the work takes too long."""


SETTINGS = RegretSettings()

Look = Callable[[tuple[PlanOnSupport, PlanOnSupport], tuple[Response, Response]], bool]
"""A function of both plans and the best responses to them. It returns whether to continue."""


def minimize(regrets: RestrictedRegrets, look: Look, gap: Callable[[], float], left: Left) -> None:
    """Minimize regrets until *look* returns False. After each batch of iterations, add profitable histories."""
    model, support, batch = regrets.model, regrets.support, SETTINGS.first_batch
    regrets.forget()
    settled = len(support)
    while True:
        for _ in range(batch):
            regrets.iterate()
            seconds = left()
            if seconds is not None and seconds <= 0:
                break
        cut = min(SETTINGS.least_weight, SETTINGS.least_share_of_gap * gap())
        plans = (average(regrets, 0, cut), average(regrets, 1, cut))
        threshold = max(1e-9, SETTINGS.add_share_of_gap * gap())
        responses = respond_both(model, support, plans, threshold, regrets.bidding)
        if not look(plans, responses):
            return
        if _extend(support, responses):
            regrets.grow()
        if len(support) > SETTINGS.restart_growth * settled:
            regrets.forget()
            settled = len(support)
        batch = _next(batch, responses, model.bids, len(support))


def _next(batch: int, responses: tuple[Response, Response], bids: int, histories: int) -> int:
    """Return the next number of iterations. Measured times have no influence, so that searches are reproducible."""
    whole, restricted = (sum(getattr(response, of) for response in responses) for of in ("value", "restricted"))
    look = SETTINGS.look_cost * bids * sum(response.visited for response in responses) / histories
    if batch < look or (restricted > SETTINGS.grow_above * whole and batch < SETTINGS.largest_batch):
        return 2 * batch
    if restricted < SETTINGS.shrink_below * whole and batch > 2 * look:
        return max(batch // 2, 1)
    return batch


def widen(support: Support) -> None:
    for node in range(1, len(support)):
        support.allowed[node][:] = True


def narrow(support: Support, plans: Sequence[PlanOnSupport]) -> None:
    """Allow only the bids with weights above ``kept_weight`` in *plans*, and the bids that lead to these bids."""
    weights = [np.zeros(support.hands[support.bidder(node)]) for node in range(len(support))]
    for plan in plans:
        for node, row in zip(plan.nodes, plan.weights, strict=True):
            weights[node] = row / plan.scale
    for node in range(1, len(support)):
        support.allowed[node] = weights[node] > SETTINGS.kept_weight
    for node in sorted(range(1, len(support)), key=lambda node: -support.depth[node]):
        parent = support.parent[node]
        if not support.allowed[node].any() or parent == ROOT:
            continue
        if not support.allowed[parent].any():
            support.allowed[parent][weights[parent].argmax()] = True
        own = support.parent[parent]
        if own != ROOT:
            support.allowed[own] |= support.allowed[node]


def average(regrets: RestrictedRegrets, player: int, cut: float) -> PlanOnSupport:
    nodes, weights = regrets.average(player, cut)
    order = np.argsort(nodes)
    weights = weights[order]
    weights[weights < cut] = 0.0
    return valid_plan(regrets.model, regrets.support, player, nodes[order], np.minimum(weights, 1.0, out=weights), 1)


def _extend(support: Support, responses: tuple[Response, Response]) -> bool:
    before = len(support)
    for response in responses:
        for node, bid, hands in response.moves:
            support.allow(node, bid, np.ones(len(hands), dtype=bool))
    return len(support) > before


@dataclass(frozen=True)
class SideRows:
    """The layout of the nodes at which one player made the last bid.

    Each node has a row. Rows are sorted by depth, and siblings are adjacent. ``above``: the parent's row in the
    opponent's layout, -1 for the root. ``own``: the grandparent's row in this layout, or -1. ``levels``: (first row,
    end) for each depth. ``starts``: the first row of each group of siblings. ``owners``: the parent's row of each group
    (-1 for the root, which comes first). ``groups``: (bid, rows) for each bid.
    """

    nodes: Indices
    bid: Indices
    above: Indices
    own: Indices
    levels: list[tuple[int, int]]
    starts: Indices
    owners: Indices
    groups: list[tuple[int, Indices]]


def sides(support: Support, bidding: Bidders | None = None) -> tuple[SideRows, SideRows]:
    """Return both players' layouts of the restricted game, omitting histories that contain bids outside *bidding*."""
    parent, bid, depth = support.table
    row = np.full(len(support), -2)
    row[ROOT] = -1
    found: list[list[Indices]] = [[], []]
    levels: list[list[tuple[int, int]]] = [[], []]
    for level in range(1, int(depth.max()) + 1):
        bidder = (level - 1) % 2
        nodes = np.flatnonzero((depth == level) & (row[parent] > -2))
        if bidding is not None:
            nodes = nodes[bidding[bidder][bid[nodes]]]
        if not len(nodes):
            break
        # Sort children by their parents' rows.
        nodes = nodes[np.argsort(row[parent[nodes]], kind="stable")]
        first = levels[bidder][-1][1] if levels[bidder] else 0
        row[nodes] = np.arange(first, first + len(nodes))
        found[bidder].append(nodes)
        levels[bidder].append((first, first + len(nodes)))
    one, two = (_side(support, np.concatenate([np.zeros(0, dtype=np.intp), *found[p]]), row, levels[p]) for p in (0, 1))
    return one, two


def _side(support: Support, nodes: Indices, row: Indices, levels: list[tuple[int, int]]) -> SideRows:
    parent, bid, _ = support.table
    above, bids = row[parent[nodes]], bid[nodes]
    starts = np.flatnonzero(np.diff(above, prepend=-2))
    return SideRows(
        nodes=nodes,
        bid=bids,
        above=above,
        own=np.where(above < 0, -1, row[parent[parent[nodes]]]),
        levels=levels,
        starts=starts,
        owners=above[starts],
        groups=[(int(b), np.flatnonzero(bids == b)) for b in np.unique(bids)],
    )


class RestrictedRegrets:
    """Both players' regrets and average plans on a growing restricted game.

    ``bids``, ``calls``: the regrets of bids and calls, shape (rows, hands). ``totals``: the weighted sums of plans.
    ``reach``: the current plans. The rows of ``calls`` are from the opponent's ``SideRows``, and all other rows are
    from the player's ``SideRows``. ``calls`` and ``reach`` have an additional last row for the root. ``live``: flags of
    the rows of ``reach`` with positive weights. ``bidding``: flags of the bids that each player may make.
    """

    def __init__(
        self,
        model: BiddingForm,
        support: Support,
        step: NumpyStep | Kernel | None = None,
        bidding: Bidders | None = None,
    ) -> None:
        self.model, self.support, self.step = model, support, step or fastest(model)
        self.iterations, self.fresh, self.weight = 0, 0, 0.0
        self.bidding = every_bid(model) if bidding is None else bidding
        self.sides, self._laid = sides(support, self.bidding), len(support)
        self.bids = [self._zeros(player, len(self.sides[player].nodes)) for player in range(2)]
        self.calls = [self._zeros(player, len(self.sides[1 - player].nodes) + 1) for player in range(2)]
        self.totals = [np.zeros_like(self.bids[player]) for player in range(2)]
        self._start()

    def _zeros(self, player: int, rows: int) -> Floats:
        return np.zeros((rows, self.model.hands[player]), dtype=self.step.kind)

    def _start(self) -> None:
        sizes = [len(side.nodes) for side in self.sides]
        self.reach = [np.concatenate([self._zeros(p, sizes[p]), self._zeros(p, 1) + 1]) for p in range(2)]
        self.live = [np.append(np.zeros(size, dtype=bool), True) for size in sizes]
        self.step.lay(self)
        for player in range(2):
            self.step.play(self, player, 0.0)

    def grow(self, bidding: Bidders | None = None) -> None:
        """Add the new histories in the support, and the new bids in *bidding*."""
        bids = self.bidding if bidding is None else bidding
        if self._laid == len(self.support) and np.array_equal(bids, self.bidding):
            return
        self.bidding = bids
        before, self.sides = self.sides, sides(self.support, self.bidding)
        self._laid = len(self.support)
        old = []
        for side in range(2):
            rows = np.full(len(self.support), -2)
            rows[before[side].nodes] = np.arange(len(before[side].nodes))
            old.append(rows[self.sides[side].nodes])
        for player in range(2):
            for table, side, root in ((self.bids, player, 0), (self.calls, 1 - player, 1), (self.totals, player, 0)):
                grown = self._zeros(player, len(old[side]) + root)
                kept = old[side] >= 0
                grown[: len(old[side])][kept] = table[player][old[side][kept]]
                table[player] = grown
        self._start()

    def state(self) -> dict[str, Any]:
        """Return all arrays that ``restore`` needs on the same support."""
        arrays: dict[str, Any] = {"weight": np.array([self.iterations, self.fresh, self.weight])}
        for player in range(2):
            for name, table in self._tables(player):
                arrays[f"{name}{player}"] = table
        return arrays

    def restore(self, arrays: dict[str, Any]) -> None:
        """Restore a ``state``. Raises ``KeyError`` and ``ValueError`` if the arrays do not fit."""
        (self.iterations, self.fresh), self.weight = map(int, arrays["weight"][:2]), float(arrays["weight"][2])
        if not (0 <= self.fresh <= self.iterations < SETTINGS.most_iterations and 0 <= self.weight < SETTINGS.most):
            raise ValueError("not the weights of averages")
        for player in range(2):
            for name, table in self._tables(player):
                found = arrays[f"{name}{player}"]
                # Payoffs are between -1 and 1, so an iteration adds at most 2 to a regret.
                most = SETTINGS.most if name == "totals" else 4.0 * (self.iterations + 1)
                if found.shape != table.shape or not np.all((found >= 0) & (found <= most)):
                    raise ValueError("the regrets do not fit")
                # The inverse of a tiny number is not finite.
                table[:] = np.where(found < 1 / SETTINGS.most, 0, found)
        self._start()

    def _tables(self, player: int) -> list[tuple[str, Floats]]:
        return [("bids", self.bids[player]), ("calls", self.calls[player]), ("totals", self.totals[player])]

    def iterate(self) -> None:
        """Run one iteration: update player 1's regrets and plan, then player 2's."""
        old = float(self.fresh + SETTINGS.first_discount) ** SETTINGS.discount
        self.iterations += 1
        self.fresh += 1
        weight = float(self.fresh) ** SETTINGS.power
        self.weight += weight
        for player in range(2):
            self.step.update_regrets(self, player, old / (old + 1))
            self.step.play(self, player, weight)

    def forget(self) -> None:
        self.fresh, self.weight = 0, 0.0
        for total in self.totals:
            total[:] = 0

    def average(self, player: int, least: float = 0.0) -> tuple[Indices, Floats]:
        """Return the nodes and weights, shape (nodes, hands), of the average plan.

        Nodes at which all weights are below *least* are omitted.
        """
        whole, totals = max(self.weight, 1.0), self.totals[player]
        # The factor allows for rounding in sums of 32-bit floats.
        rows = np.flatnonzero(totals.max(axis=1, initial=0) >= least * whole * 0.999)
        return self.sides[player].nodes[rows], totals[rows].astype(np.float64) / whole


class NumpyStep:
    """An iteration with NumPy, for all nodes at once. ``kind``: the type of floats."""

    def __init__(self, model: BiddingForm, kind: Any = np.float32) -> None:
        self.model, self.kind = model, kind
        self.lines = [
            (line.matrix / (model.totals[1 - p] * model.largest)).astype(kind) for p, line in enumerate(model.lines)
        ]
        self.strategies: dict[int, tuple[Floats, Floats]] = {}

    def lay(self, regrets: RestrictedRegrets) -> None:
        """Prepare for a larger restricted game."""
        self.strategies = {player: _matched(regrets, player) for player in range(2)}

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        """Update the plan of *player* by regret matching, and add it to the average with *weight*."""
        self.strategies[player] = _matched(regrets, player)
        side, bids = regrets.sides[player], self.strategies[player][0]
        reach = np.concatenate([bids, np.ones((1, bids.shape[1]), dtype=self.kind)])
        for first, end in side.levels:
            reach[first:end] *= reach[side.own[first:end]]
        regrets.reach[player], regrets.live[player] = reach, (reach != 0).any(axis=1)
        regrets.totals[player] += reach[:-1] * self.kind(weight)

    def update_regrets(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        """Discount the regrets of *player*, and update them against the opponent's current plan."""
        mine, theirs = regrets.sides[player], regrets.sides[1 - player]
        reach = regrets.reach[1 - player]
        worth = self._worth(player, self.model.lines[player].call, theirs, reach[:-1])
        called = np.concatenate([worth, np.zeros((1, worth.shape[1]), dtype=self.kind)])
        # After the player's bid, the weight of the opponent's call is the opponent's weight minus the weights of the
        # opponent's bids.
        rest = reach[mine.above]
        if len(theirs.nodes):
            inner = theirs.owners >= 0
            rest[theirs.owners[inner]] -= np.add.reduceat(reach[:-1], theirs.starts, axis=0)[inner]
        worth = self._worth(player, self.model.lines[player].bid, mine, rest)
        value = self._back(mine, theirs, self.strategies[player], worth, called)
        # At nodes that the opponent's plan does not reach, regrets are neither updated nor discounted.
        kept = np.where(regrets.live[1 - player], self.kind(discount), self.kind(1))[:, None]
        regrets.calls[player] = np.maximum(regrets.calls[player] * kept + called - value, 0)
        if player == 0:
            regrets.calls[player][-1] = 0
        regrets.bids[player] = np.maximum(regrets.bids[player] * kept[mine.above] + worth - value[mine.above], 0)

    def _back(
        self, mine: SideRows, theirs: SideRows, strategy: tuple[Floats, Floats], worth: Floats, called: Floats
    ) -> Floats:
        bids, call = strategy
        value: Floats = called * call
        # At information sets without bids, all hands call. The loop adds the values of bids at all other information
        # sets.
        for first, end in reversed(mine.levels):
            after = slice(*np.searchsorted(theirs.owners, [first, end]))
            if after.start < after.stop:
                starts = theirs.starts[after]
                stop = theirs.starts[after.stop] if after.stop < len(theirs.starts) else len(theirs.nodes)
                worth[theirs.owners[after]] += np.add.reduceat(value[starts[0] : stop], starts - starts[0], axis=0)
            part = slice(*np.searchsorted(mine.starts, [first, end]))
            played = worth[first:end] * bids[first:end]
            value[mine.owners[part]] += np.add.reduceat(played, mine.starts[part] - first, axis=0)
        return value

    def _worth(self, player: int, index: Indices, side: SideRows, reach: Floats) -> Floats:
        worth = np.empty((len(side.nodes), self.model.hands[player]), dtype=self.kind)
        for bid, rows in side.groups:
            lines, place = np.unique(index[bid], return_inverse=True)
            worth[rows] = (reach[rows] @ self.lines[player][:, lines])[:, place]
        return worth


def _matched(regrets: RestrictedRegrets, player: int) -> tuple[Floats, Floats]:
    side, positive = regrets.sides[player], regrets.bids[player]
    total = regrets.calls[player].copy()
    if len(side.nodes):
        total[side.owners] += np.add.reduceat(positive, side.starts, axis=0)
    known = total > 0
    share = np.divide(1, total, out=np.zeros_like(total), where=known)
    call = np.where(known, regrets.calls[player] * share, 1).astype(total.dtype)
    bids = positive * share[side.above]
    if player == 0:
        # Every hand must open. If its regrets are all zero, all openings are equally likely.
        first, end = side.levels[0]
        bids[first:end] += ~known[-1] / total.dtype.type(end - first)
        call[-1] = 0
    return bids, call


CallTable = tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]
"""The payoffs of called bids for each class of the player's hands, ``[bid, class, opponent's hand]``, and the class of
each hand, ``[bid, hand]``."""


@dataclass(frozen=True)
class KernelLayout:
    """The layout of one player's arrays.

    A node is a row of the player's ``SideRows``. A decision is a row of the opponent's ``SideRows``, or the root (the
    last decision).

    ``top``: (first decision, end) for each depth above the subtrees. ``tasks``: for each group of subtrees, (first
    decision, end) for each depth. ``bids``: (first node, end) after each decision. ``answers``: (first decision, end)
    after each node. ``above``: the node before each decision (for the root, the last row of ``reach``). ``last``: the
    bid before each decision. ``bid``: the bid of each node.
    """

    top: Longs
    tasks: list[Longs]
    bids: Longs
    answers: Longs
    above: Longs
    last: Longs
    bid: Longs


class Kernel:
    """The iteration of ``NumpyStep``, compiled by numba, one information set at a time."""

    kind = np.float32

    def __init__(self, model: BiddingForm, update: Any, play: Any) -> None:
        self.compiled_update, self.compiled_play = update, play
        self.tables = []
        for player, line in enumerate(model.lines):
            worth = line.matrix / (model.totals[1 - player] * model.largest)
            self.tables.append((_call_table(worth, line.call), _call_table(worth, line.bid)))
        self.cores = threads()
        self.pool = ThreadPoolExecutor(self.cores)
        self.layouts: list[KernelLayout] = []
        self.values: list[Floats] = []
        # Flags of the nodes at which some hand has a positive regret. Most nodes have no positive regrets.
        self.some: list[npt.NDArray[np.bool_]] = []

    def lay(self, regrets: RestrictedRegrets) -> None:
        sides = regrets.sides
        size = sum(table.size for tables in (regrets.bids, regrets.calls) for table in tables)
        tasks = 1 if self.cores == 1 or size < SETTINGS.least_shared else SETTINGS.tasks_per_core * self.cores
        self.layouts = [_layout(sides[p], sides[1 - p], p == 0, tasks) for p in range(2)]
        self.values = [np.empty_like(regrets.calls[p]) for p in range(2)]
        self.some = [np.asarray(regrets.bids[p].any(axis=1)) for p in range(2)]

    def update_regrets(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        at, (called, bid) = self.layouts[player], self.tables[player]

        def work(spans: Longs) -> None:
            self.compiled_update(
                spans,
                *(at.bids, at.answers, at.last, at.bid),
                *(*called, *bid),
                *(regrets.reach[1 - player], regrets.live[1 - player]),
                *(regrets.calls[player], regrets.bids[player], self.some[player], self.values[player]),
                np.float32(discount),
                player == 0,
            )

        self._all(work, at.tasks)
        work(at.top)

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        at = self.layouts[player]

        def work(spans: Longs) -> None:
            self.compiled_play(
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


def _call_table(matrix: npt.NDArray[np.float64], index: npt.NDArray[np.intp]) -> CallTable:
    found = [np.unique(row, return_inverse=True) for row in index]
    worth = np.zeros((len(index), max(len(lines) for lines, _ in found), len(matrix)), dtype=np.float32)
    for bid, (lines, _) in enumerate(found):
        worth[bid, : len(lines)] = matrix[:, lines].T
    return worth, np.array([place for _, place in found], dtype=np.uint8)


def _layout(mine: SideRows, theirs: SideRows, opens: bool, tasks: int) -> KernelLayout:
    root, own = len(theirs.nodes), len(mine.nodes)
    # Row -1 is the root.
    bids, answers = _spans(mine, root + 1), _spans(theirs, own + 1)[:-1]
    above = np.append(theirs.above, -1)
    cut = next(
        (k for k, (first, end) in enumerate(theirs.levels) if end - first >= SETTINGS.least_decisions),
        len(theirs.levels),
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
    """Split the rows from depth *cut* on into *tasks* groups of similar size; return (first row, end) by depth."""
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
    spans = np.zeros((count, 2), dtype=np.int64)
    spans[side.owners, 0] = side.starts
    spans[side.owners, 1] = np.append(side.starts, len(side.nodes))[1:]
    return spans


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


def fastest(model: BiddingForm) -> NumpyStep | Kernel:
    """Return the compiled step, or the NumPy step if numba is missing or cannot save compiled code."""
    compiled = _compiled()
    return NumpyStep(model) if compiled is None else Kernel(model, *compiled)


def _pays(out, lines, rows, line_of, reach):
    """Fill *out* with each hand's payoff from a call: the row of its class in *rows* times the opponent's *reach*."""
    for c in range(len(rows)):
        total = np.float32(0)
        for g in range(len(reach)):
            total += rows[c, g] * reach[g]
        lines[c] = total
    for h in range(len(out)):
        out[h] = lines[line_of[h]]


def _inverse_totals(inverse, total, calls, bids, some, first, end):
    zero = np.float32(0)
    total[:] = calls
    for v in range(first, end):
        if some[v]:
            total += bids[v]
    for h in range(len(total)):
        inverse[h] = np.float32(1) / total[h] if total[h] > zero else zero


def _add_answers(row, rest, lines, rows, line_of, here, reach, live, values, answers):
    """Fill *row* with the value of a bid for each hand. An opponent's hand calls unless it answers with a bid."""
    rest[:] = here
    for u in range(answers[0], answers[1]):
        if live[u]:
            rest -= reach[u]
    _pays(row, lines, rows, line_of, rest)
    for u in range(answers[0], answers[1]):
        if live[u]:
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


def _update_regrets(
    spans, bids_of, answers_of, last, bid, call_worth, call_line, bid_worth, bid_line,
    reach, live, calls, bids, some, values, discount, opens,
):  # fmt: skip
    hands, root, zero = calls.shape[1], len(calls) - 1, np.float32(0)
    worth, called = np.empty((len(bid_worth), hands), np.float32), np.empty(hands, np.float32)
    total, inverse = np.empty(hands, np.float32), np.empty(hands, np.float32)
    lines = np.empty(max(call_worth.shape[1], bid_worth.shape[1]), np.float32)
    rest = np.empty(reach.shape[1], np.float32)
    for level in range(len(spans) - 1, -1, -1):
        for w in range(spans[level, 0], spans[level, 1]):
            if not live[w]:
                continue
            first, end, opening, value = bids_of[w, 0], bids_of[w, 1], opens and w == root, values[w]
            if not opening:
                _pays(called, lines, call_worth[last[w]], call_line[last[w]], reach[w])
            if first == end:
                value[:] = called
                continue
            _inverse_totals(inverse, total, calls[w], bids, some, first, end)
            # A hand without positive regrets calls; at the root, it makes all openings with equal probability.
            for h in range(hands):
                share = calls[w, h] * inverse[h] if total[h] > zero else np.float32(1)
                value[h] = zero if opening else called[h] * share
            equal = np.float32(1) / np.float32(end - first)
            for v in range(first, end):
                row = worth[v - first]
                answers = answers_of[v]
                _add_answers(
                    row, rest, lines, bid_worth[bid[v]], bid_line[bid[v]], reach[w], reach, live, values, answers
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


def _play(
    spans, bids_of, above, calls, bids, some, reach, live, totals, weight, opens
):  # fmt: skip
    hands, root, zero = calls.shape[1], len(calls) - 1, np.float32(0)
    share, total = np.empty(hands, np.float32), np.empty(hands, np.float32)
    for level in range(len(spans)):
        for w in range(spans[level, 0], spans[level, 1]):
            first, end, own, opening = bids_of[w, 0], bids_of[w, 1], above[w], opens and w == root
            playing = live[own]
            if playing and first < end:
                _inverse_totals(share, total, calls[w], bids, some, first, end)
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
                    # Every hand must open. If its regrets are all zero, all openings are equally likely.
                    for h in range(hands):
                        if total[h] <= zero:
                            reach[v, h] = reach[own, h] / np.float32(end - first)
                            most = max(most, reach[v, h])
                live[v] = most > zero
                if most > zero:
                    for h in range(hands):
                        totals[v, h] += weight * reach[v, h]
