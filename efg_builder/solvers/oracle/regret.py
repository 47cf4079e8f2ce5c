"""The restricted game by regret minimisation: nearly optimal plans where the linear program is too large.

Counterfactual regret minimisation with regrets cut off at zero, players in turn and later plans weighing more
(CFR+: O. Tammelin, N. Burch, M. Johanson and M. Bowling, "Solving heads-up limit Texas hold'em", IJCAI 2015), old
regrets being discounted (N. Brown and T. Sandholm, "Solving imperfect-information games via discounted regret
minimization", AAAI 2019).

In reading order: ``minimise``, which iterates while best responses over the whole game make the restricted game grow;
what it takes from the averages (``average``, ``narrow``); ``SideRows``, the layout of arrays;
``RestrictedRegrets``, the arrays; ``NumpyStep``, the iteration itself by NumPy. ``kernel`` has the same compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..bidding_model import Bidding
from ..protocol import Left
from .response import Bidders, Response, every_bid, respond_both
from .support import ROOT, Indices, PlanOnSupport, Support, valid_plan

Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

ADD_SHARE_OF_GAP = 0.01
"""A history is added where a hand gains more than this share of the present gap by it."""

LEAST_WEIGHT, LEAST_SHARE_OF_GAP = 1e-3, 0.02
"""Average weights below the first, or below the second times the gap, are dropped before a plan is judged."""

FIRST_BATCH, LARGEST_BATCH = 20, 2_000
"""Iterations between two looks at the whole game: at first, and at most unless a look takes as long."""

LOOK_COST = 5.0
"""A look takes as long at a bid at a history it visits as an iteration does at so many histories."""

GROW_ABOVE, SHRINK_BELOW = 0.5, 0.25
"""Batches grow where the restricted game's own gap is more than the first share of the whole one, and shrink where it
is less than the second."""

DISCOUNT, FIRST_DISCOUNT = 1.5, 100
"""Before each iteration regrets are multiplied by t^a / (t^a + 1), where *a* is the first. When averages start anew, t
is the second."""

POWER = 2
"""Plans weigh as much in the average as this power of the number of the iteration."""

RESTART_GROWTH = 1.05
"""Averages start anew when the restricted game has grown by this factor: they know nothing of the new part."""

KEPT_WEIGHT = 0.02
"""Average weights below this are not worth a place in the linear program that follows."""

MOST_ITERATIONS = 10**9
"""More iterations than any search has."""

MOST = 1e30
"""Regrets and weights that are read from a file are below this, so that their sums are finite in 32 bits."""

Look = Callable[[tuple[PlanOnSupport, PlanOnSupport], tuple[Response, Response]], bool]
"""Takes both plans and the best responses to them; returns whether to go on."""


def minimise(regrets: RestrictedRegrets, look: Look, gap: Callable[[], float], left: Left) -> None:
    """Regret minimisation on the growing restricted game until *look* returns False.

    Between two looks at the whole game some iterations are made; then every history at which some hand gains is added,
    for all hands. *gap* returns the present gap, *left* the seconds that are left (None: no limit).
    """
    model, support, batch = regrets.model, regrets.support, FIRST_BATCH
    regrets.forget()
    settled = len(support)
    while True:
        for _ in range(batch):
            regrets.iterate()
            seconds = left()
            if seconds is not None and seconds <= 0:
                break
        cut = min(LEAST_WEIGHT, LEAST_SHARE_OF_GAP * gap())
        plans = (average(regrets, 0, cut), average(regrets, 1, cut))
        threshold = max(1e-9, ADD_SHARE_OF_GAP * gap())
        responses = respond_both(model, support, plans, threshold, regrets.bidding)
        if not look(plans, responses):
            return
        if _extend(support, responses):
            regrets.grow()
        if len(support) > RESTART_GROWTH * settled:
            regrets.forget()
            settled = len(support)
        batch = _next(batch, responses, model.bids, len(support))


def _next(batch: int, responses: tuple[Response, Response], bids: int, histories: int) -> int:
    """How many iterations come before the next look at the whole game.

    As long as the restricted game lacks much, looks should come often, but they should not take longer than iterations.
    No clock is asked, so that a search takes the same course again.
    """
    whole, restricted = (sum(getattr(response, of) for response in responses) for of in ("value", "restricted"))
    look = LOOK_COST * bids * sum(response.visited for response in responses) / histories
    if batch < look or (restricted > GROW_ABOVE * whole and batch < LARGEST_BATCH):
        return 2 * batch
    if restricted < SHRINK_BELOW * whole and batch > 2 * look:
        return max(batch // 2, 1)
    return batch


def widen(support: Support) -> None:
    """Allow every hand the moves that some hand may make."""
    for node in range(1, len(support)):
        support.allowed[node][:] = True


def narrow(support: Support, plans: Sequence[PlanOnSupport]) -> None:
    """Allow only bids that weigh more than ``KEPT_WEIGHT`` in *plans*, and those that lead to them.

    A bid of weight after one without weight is kept: it may be the reason that one is bad. So one hand may make that
    one: the hand that does so most.
    """
    weights = [np.zeros(support.hands[support.bidder(node)]) for node in range(len(support))]
    for plan in plans:
        for node, row in zip(plan.nodes, plan.weights, strict=True):
            weights[node] = row / plan.scale
    for node in range(1, len(support)):
        support.allowed[node] = weights[node] > KEPT_WEIGHT
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
    """The average plan of *player*, without weights below *cut*."""
    nodes, weights = regrets.average(player, cut)
    order = np.argsort(nodes)
    weights = weights[order]
    weights[weights < cut] = 0.0
    return valid_plan(regrets.model, regrets.support, player, nodes[order], np.minimum(weights, 1.0, out=weights), 1)


def _extend(support: Support, responses: tuple[Response, Response]) -> bool:
    """Allow all hands the moves by which some hand gains; returns whether the restricted game grew."""
    before = len(support)
    for response in responses:
        for node, bid, hands in response.moves:
            support.allow(node, bid, np.ones(len(hands), dtype=bool))
    return len(support) > before


@dataclass(frozen=True)
class SideRows:
    """The nodes whose last bid is one player's, those of smaller depth first, children of one node together.

    ``nodes``: their numbers in the support. ``bid``: the last bid. ``above``: the row of each one's parent among the
    other side's nodes, -1 for the root. ``own``: the row of the grandparent among these, -1 where there is none.
    ``levels``: (first row, end) for each depth. ``starts``, ``owners``: where the children of each parent with
    children start, and the parent's row (the root's children, if any, come first, with owner -1). ``groups``:
    (bid, rows with that bid).
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
    """The layout of the restricted game, for both players, without histories that have other bids than *bidding*."""
    row = {ROOT: -1}
    found: list[list[int]] = [[], []]
    levels: list[list[tuple[int, int]]] = [[], []]
    front, bidder = [ROOT], 0
    while front:
        # Children in the order of their parents' rows.
        front = [child for node in front for child in support.children[node].values()]
        if bidding is not None:
            front = [child for child in front if bidding[bidder][support.bid[child]]]
        mine, first = found[bidder], len(found[bidder])
        for node in front:
            row[node] = len(mine)
            mine.append(node)
        if front:
            levels[bidder].append((first, len(mine)))
        bidder = 1 - bidder
    return _side(support, found[0], row, levels[0]), _side(support, found[1], row, levels[1])


def _side(support: Support, nodes: list[int], row: dict[int, int], levels: list[tuple[int, int]]) -> SideRows:
    above = np.array([row[support.parent[node]] for node in nodes], dtype=np.intp)
    grand = [support.parent[support.parent[node]] if support.depth[node] > 1 else ROOT for node in nodes]
    own = np.array([row[node] for node in grand], dtype=np.intp)
    bid = np.array([support.bid[node] for node in nodes], dtype=np.intp)
    starts = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]])) if nodes else np.zeros(0, dtype=np.intp)
    groups = [(int(b), np.flatnonzero(bid == b)) for b in np.unique(bid)]
    return SideRows(
        nodes=np.array(nodes, dtype=np.intp),
        bid=bid,
        above=above,
        own=own,
        levels=levels,
        starts=starts,
        owners=above[starts],
        groups=groups,
    )


class IterationStep(Protocol):
    """How an iteration is worked out: by ``NumpyStep``, or compiled by ``kernel.Kernel``. ``kind``: of its floats."""

    kind: Any

    def lay(self, regrets: RestrictedRegrets) -> None:
        """Take over the layout of the restricted game, which has grown."""

    def settle(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        """Bring the regrets of *player* up to date against the other's present plan; old ones are discounted."""

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        """Bring the plan of *player* up to date by regret matching, and add it to the average with this *weight*."""


def fastest(model: Bidding) -> IterationStep:
    """The compiled step, or where numba is not installed (or cannot keep what it compiles) that of NumPy."""
    try:
        from .kernel import Kernel
    except (ImportError, RuntimeError):
        return NumpyStep(model)
    return Kernel(model)


class RestrictedRegrets:
    """Both players' regrets and average plans on a growing restricted game.

    Arrays have one row for each node of a side; those of sets, ``calls``, and of ``reach``, the present plans, have one
    more, the last, for the root, which is what row -1 means. ``live``: which rows of ``reach`` are not all zero.
    ``bidding``: the bids of each player that are in the game; histories with others are left out.
    """

    def __init__(
        self, model: Bidding, support: Support, step: IterationStep | None = None, bidding: Bidders | None = None
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
        """Take over what was added to the support since, if anything was, and bids that are new in the game, if any."""
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
        """Everything that an equal object on the same support needs for ``restore``."""
        arrays: dict[str, Any] = {"weight": np.array([self.iterations, self.fresh, self.weight])}
        for player in range(2):
            for name, table in self._tables(player):
                arrays[f"{name}{player}"] = table
        return arrays

    def restore(self, arrays: dict[str, Any]) -> None:
        """Go back to a ``state``. Raises ``KeyError`` and ``ValueError`` where it does not fit."""
        (self.iterations, self.fresh), self.weight = map(int, arrays["weight"][:2]), float(arrays["weight"][2])
        if not (0 <= self.fresh <= self.iterations < MOST_ITERATIONS and 0 <= self.weight < MOST):
            raise ValueError("no weights of averages")
        for player in range(2):
            for name, table in self._tables(player):
                found = arrays[f"{name}{player}"]
                # A payoff is at most 1 here, so an iteration adds at most 2 to a regret.
                most = MOST if name == "totals" else 4.0 * (self.iterations + 1)
                if found.shape != table.shape or not np.all((found >= 0) & (found <= most)):
                    raise ValueError("the regrets do not fit")
                # The inverse of a tiny number is not finite.
                table[:] = np.where(found < 1 / MOST, 0, found)
        self._start()

    def _tables(self, player: int) -> list[tuple[str, Floats]]:
        return [("bids", self.bids[player]), ("calls", self.calls[player]), ("totals", self.totals[player])]

    def iterate(self) -> None:
        """One iteration: first player 1's regrets and plan, then player 2's."""
        old = float(self.fresh + FIRST_DISCOUNT) ** DISCOUNT
        self.iterations += 1
        self.fresh += 1
        weight = float(self.fresh) ** POWER
        self.weight += weight
        for player in range(2):
            self.step.settle(self, player, old / (old + 1))
            self.step.play(self, player, weight)

    def forget(self) -> None:
        """Start the averages anew."""
        self.fresh, self.weight = 0, 0.0
        for total in self.totals:
            total[:] = 0

    def average(self, player: int, least: float = 0.0) -> tuple[Indices, Floats]:
        """The average plan: nodes at which some weight is at least *least*, and weights of shape (nodes, hands)."""
        whole, totals = max(self.weight, 1.0), self.totals[player]
        # Of 32 bits, so a little less is asked for.
        rows = np.flatnonzero(totals.max(axis=1, initial=0) >= least * whole * 0.999)
        return self.sides[player].nodes[rows], totals[rows].astype(np.float64) / whole


class NumpyStep:
    """The iteration by NumPy, all nodes at once."""

    def __init__(self, model: Bidding, kind: Any = np.float32) -> None:
        self.model, self.kind = model, kind
        self.lines = [
            (line.matrix / (model.totals[1 - p] * model.largest)).astype(kind) for p, line in enumerate(model.lines)
        ]
        self.strategies: dict[int, tuple[Floats, Floats]] = {}

    def lay(self, regrets: RestrictedRegrets) -> None:
        """See ``IterationStep``."""
        self.strategies = {player: _matched(regrets, player) for player in range(2)}

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        """See ``IterationStep``."""
        self.strategies[player] = _matched(regrets, player)
        side, bids = regrets.sides[player], self.strategies[player][0]
        reach = np.concatenate([bids, np.ones((1, bids.shape[1]), dtype=self.kind)])
        for first, end in side.levels:
            reach[first:end] *= reach[side.own[first:end]]
        regrets.reach[player], regrets.live[player] = reach, (reach != 0).any(axis=1)
        regrets.totals[player] += reach[:-1] * self.kind(weight)

    def settle(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        """See ``IterationStep``."""
        mine, theirs = regrets.sides[player], regrets.sides[1 - player]
        reach = regrets.reach[1 - player]
        worth = self._worth(player, self.model.lines[player].call, theirs, reach[:-1])
        called = np.concatenate([worth, np.zeros((1, worth.shape[1]), dtype=self.kind)])
        # What reaches each own bid and is not answered by a bid calls it.
        rest = reach[mine.above]
        if len(theirs.nodes):
            inner = theirs.owners >= 0
            rest[theirs.owners[inner]] -= np.add.reduceat(reach[:-1], theirs.starts, axis=0)[inner]
        worth = self._worth(player, self.model.lines[player].bid, mine, rest)
        value = self._back(mine, theirs, self.strategies[player], worth, called)
        # Where the other does not come nothing is learnt, and nothing forgotten.
        kept = np.where(regrets.live[1 - player], self.kind(discount), self.kind(1))[:, None]
        regrets.calls[player] = np.maximum(regrets.calls[player] * kept + called - value, 0)
        if player == 0:
            regrets.calls[player][-1] = 0
        regrets.bids[player] = np.maximum(regrets.bids[player] * kept[mine.above] + worth - value[mine.above], 0)

    def _back(
        self, mine: SideRows, theirs: SideRows, strategy: tuple[Floats, Floats], worth: Floats, called: Floats
    ) -> Floats:
        """Backward induction: completes the *worth* of bids; returns the value of sets under the strategy."""
        bids, call = strategy
        value: Floats = called * call
        # Sets without bids are called at; the others are completed below.
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
        """What the last bid of each node of *side* is worth to each hand of *player*, when called by *reach*."""
        worth = np.empty((len(side.nodes), self.model.hands[player]), dtype=self.kind)
        for bid, rows in side.groups:
            lines, place = np.unique(index[bid], return_inverse=True)
            worth[rows] = (reach[rows] @ self.lines[player][:, lines])[:, place]
        return worth


def _matched(regrets: RestrictedRegrets, player: int) -> tuple[Floats, Floats]:
    """The strategy by regret matching: each bid's probability, and that of calling at each set."""
    side, positive = regrets.sides[player], regrets.bids[player]
    total = regrets.calls[player].copy()
    if len(side.nodes):
        total[side.owners] += np.add.reduceat(positive, side.starts, axis=0)
    known = total > 0
    share = np.divide(1, total, out=np.zeros_like(total), where=known)
    call = np.where(known, regrets.calls[player] * share, 1).astype(total.dtype)
    bids = positive * share[side.above]
    if player == 0:
        # Every hand must open: all openings alike where nothing is known.
        first, end = side.levels[0]
        bids[first:end] += ~known[-1] / total.dtype.type(end - first)
        call[-1] = 0
    return bids, call
