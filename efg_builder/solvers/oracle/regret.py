"""Regret minimization on the restricted game, for nearly optimal plans if the linear program is too large.

The method is CFR+: counterfactual regret minimization with regrets cut off at 0, alternating updates, and larger
weights for later plans (O. Tammelin, N. Burch, M. Johanson and M. Bowling, IJCAI 2015). Old regrets are discounted (N.
Brown and T. Sandholm, AAAI 2019).

``NumpyStep`` computes an iteration with the arrays of ``regret.part``, ``regret.kernel`` with numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...forms.bidding_form import BiddingForm, Floats, Indices
from ..regret.engine import RULES, discount, squared
from ..regret.kernel import Kernel, SideRows, compiled_kernel
from ..regret.part import BiddingRegrets, Part
from .response import Bidders, Response, every_bid
from .restricted import ROOT, PlanOnSupport, Support, valid_plan


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
    restart_growth: float = 1.05
    """The averages are reset when the restricted game has grown by this factor, because they lack the new histories."""
    kept_weight: float = 0.02
    """Moves with lower realization weights in the average plan are left out of the next linear program."""
    most_iterations: int = 10**9
    """Maximum number of iterations accepted from a file."""
    most: float = 1e30
    """Upper bound on regrets and weights in a file, so that sums of 32-bit floats are finite."""


SETTINGS = RegretSettings()


def next_batch(batch: int, responses: tuple[Response, Response], bids: int, histories: int) -> int:
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


def sides(support: Support, bidding: Bidders) -> tuple[SideRows, SideRows]:
    """Return both players' layouts of the restricted game, omitting histories that contain bids outside *bidding*."""
    parent, bid, depth = support.table
    row = np.full(len(support), -2)
    row[ROOT] = -1
    found: list[list[Indices]] = [[], []]
    levels: list[list[tuple[int, int]]] = [[], []]
    for level in range(1, int(depth.max()) + 1):
        bidder = (level - 1) % 2
        nodes = np.flatnonzero((depth == level) & (row[parent] > -2))
        nodes = nodes[bidding[bidder][bid[nodes]]]
        if not len(nodes):
            break
        # Sort children by their parents' rows.
        nodes = nodes[np.argsort(row[parent[nodes]], kind="stable")]
        first = levels[bidder][-1][1] if levels[bidder] else 0
        row[nodes] = np.arange(first, first + len(nodes))
        found[bidder].append(nodes)
        levels[bidder].append((first, first + len(nodes)))
    one, two = (np.concatenate([np.zeros(0, dtype=np.intp), *own]) for own in found)
    return (
        SideRows(one, bid[one], row[parent[one]], levels[0]),
        SideRows(two, bid[two], row[parent[two]], levels[1]),
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
        factor = discount(self.fresh + SETTINGS.first_discount, SETTINGS.discount)
        self.iterations += 1
        self.fresh += 1
        weight = squared(self.fresh)
        self.weight += weight
        for player in range(2):
            self.step.update_regrets(self, player, factor)
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
    """An iteration with NumPy, which computes all histories with the same last bid at once."""

    kind = np.float64

    def __init__(self, model: BiddingForm) -> None:
        self.model = model

    def lay(self, regrets: RestrictedRegrets) -> None:
        """Prepare for a larger restricted game.

        ``rows[player]``: the rows in the part of the histories at which *player* moves, in the order of ``calls``.
        """
        histories = regrets.support.histories
        after_first, after_second = (histories[side.nodes] for side in regrets.sides)
        # Player 1 also moves at the root, which is the last row of ``calls``.
        turns = [np.append(after_second, histories[ROOT]), after_first]
        part = Part([np.sort(turn) for turn in turns], self.model.bids)  # a part has its histories in order
        self.engine = BiddingRegrets(self.model, RULES["cfr+"], part)
        self.rows = [np.searchsorted(known, turn) for known, turn in zip(part.histories, turns, strict=True)]

    def play(self, regrets: RestrictedRegrets, player: int, weight: float) -> None:
        """Update the plan of *player* by regret matching, and add it to the average with *weight*."""
        engine, strategy, own = self.engine, self.engine.strategy, regrets.bids[player]
        before, after = self.rows[player], self.rows[1 - player][: len(own)]
        strategy.calls[player][before], strategy.bids[player][after] = regrets.calls[player][: len(before)], own
        engine.normalize(strategy, player)
        engine.plans[player] = engine.plan(strategy, player)
        reach = engine.plans[player][1 - player][after]
        regrets.reach[player][:-1], regrets.live[player][:-1] = reach, reach.any(axis=1)
        regrets.totals[player] += weight * reach

    def update_regrets(self, regrets: RestrictedRegrets, player: int, discount: float) -> None:
        """Discount the regrets of *player*, and update them against the opponent's current plan."""
        bids, calls = self.engine.counterfactual_regrets(self.engine.strategy, self.engine.plans, player)
        before, after = self.rows[player], self.rows[1 - player][: len(regrets.bids[player])]
        # At nodes that the opponent's plan does not reach, regrets are neither updated nor discounted.
        kept = np.where(regrets.live[1 - player], discount, 1)[:, None]
        instant = np.zeros_like(regrets.calls[player])
        instant[: len(before)] = calls[before]
        regrets.calls[player] = np.maximum(regrets.calls[player] * kept + instant, 0)
        above = regrets.sides[player].above
        regrets.bids[player] = np.maximum(regrets.bids[player] * kept[above] + bids[after], 0)


def fastest(model: BiddingForm) -> NumpyStep | Kernel:
    """Return the compiled step, or the NumPy step if numba is missing or cannot save compiled code."""
    return compiled_kernel(model) or NumpyStep(model)
