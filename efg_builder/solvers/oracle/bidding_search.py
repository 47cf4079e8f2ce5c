"""How far a double oracle for bidding is: the restricted game, the bracket, and the plans that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ..lp.highs import Vertex
from .bidding import Bidding
from .bidding_master import Master
from .bidding_plan import first_plan
from .bidding_regret import Regrets
from .bidding_response import Response, respond_both
from .bidding_support import ROOT, Plan, Support

WIDEST = 4.0
"""No bracket is wider than this, as a share of the model's largest integer."""

SIGHT = 1e-9
"""Gaps and gains below this, as a share of half the payoff range, are left to exact arithmetic."""


@dataclass
class Search:
    """How far the search is. ``lower`` and ``upper`` bound the mean of the model's integers, in floats and as a
    share of the largest; ``plans`` are those that gave the two bounds.

    ``own``: the bracket of the plans found since the present way of solving restricted games began.
    ``last``: the last linear program and its vertex. ``regrets``: where regrets have been minimised, for ``spent``
    seconds in ``turns`` turns. ``saved``: whether the state was written to a file.
    """

    model: Bidding
    support: Support
    lower: float = -WIDEST / 2
    upper: float = WIDEST / 2
    plans: list[Plan] = field(default_factory=list)
    own: tuple[float, float] = (-WIDEST / 2, WIDEST / 2)
    rounds: int = 0
    visited: tuple[int, int] = (0, 0)
    master: str = "auto"
    last: tuple[Master, Vertex] | None = None
    regrets: Regrets | None = None
    spent: float = 0.0
    turns: int = 0
    saved: bool = False

    @property
    def sequences(self) -> tuple[int, int]:
        """The size of the restricted game, for each player."""
        counts = [0, 0]
        for node in range(1, len(self.support)):
            counts[self.support.bidder(node)] += int(self.support.allowed[node].sum())
        return counts[0], counts[1]

    @property
    def gap(self) -> float:
        """The width of the bracket."""
        return self.upper - self.lower

    def begin(self) -> None:
        """Another way of solving restricted games begins."""
        self.own = (-WIDEST / 2, WIDEST / 2)

    def judge(self, plans: Sequence[Plan], responses: tuple[Response, Response]) -> None:
        """Count a round, and keep the plans where they give a better bound."""
        self.rounds += 1
        self.visited = (responses[0].visited, responses[1].visited)
        low, high = -responses[1].value, responses[0].value
        self.own = max(self.own[0], low), min(self.own[1], high)
        if low >= self.lower:
            self.lower, self.plans[0] = low, plans[0]
        if high <= self.upper:
            self.upper, self.plans[1] = high, plans[1]

    def judge_exact(self, plans: Sequence[Plan], lower: Fraction, upper: Fraction) -> None:
        """Keep exact plans, which give these bounds, where they are the best so far; the bracket gets no wider.

        Plans in floats are rounded in the end, so one that is better by less than floats can tell gives way. Where the
        two bounds meet, that is the value, and these plans are the proof.
        """
        low, high = float(lower), float(upper)
        if lower == upper:
            self.lower, self.upper, self.plans = low, high, list(plans)
            return
        if low >= self.lower - SIGHT:
            self.plans[0] = plans[0]
        if high <= self.upper + SIGHT:
            self.plans[1] = plans[1]
        self.lower, self.upper = max(self.lower, low), min(self.upper, high)

    def respond(self, plans: tuple[Plan, Plan], threshold: float) -> tuple[Response, Response]:
        """Both best responses, judged."""
        responses = respond_both(self.model, self.support, plans, threshold)
        self.judge(plans, responses)
        return responses

    def add(self, responses: tuple[Response, Response]) -> int:
        """Allow what improves; returns how many moves that are."""
        moves = [move for response in responses for move in response.moves]
        for node, bid, hands in moves:
            self.support.allow(node, bid, hands)
        return len(moves)

    def line(self) -> str:
        """Round, gap, bracket, sizes: in player 1's payoffs."""
        model = self.model
        bounds = (min(max(bound, -1.0), 1.0) for bound in (self.lower, self.upper))
        low, high = (float(model.payoff(Fraction(bound) * model.largest)) for bound in bounds)
        size = " + ".join(f"{count:,}" for count in self.sequences)
        return (
            f"round {self.rounds}: gap {high - low:.2g}, value in [{low:.6f}, {high:.6f}], {size} sequences, "
            f"{sum(self.visited):,} histories visited"
        )


def start(model: Bidding) -> Search:
    """Before the first round: the lowest opening, and calls."""
    support = Support(model)
    support.allow(ROOT, 0, np.ones(model.hands[0], dtype=bool))
    return Search(model, support, plans=[first_plan(model, support, player) for player in range(2)])
