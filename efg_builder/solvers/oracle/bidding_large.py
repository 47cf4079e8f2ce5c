"""The double oracle for bidding games whose restricted games are too large for linear programs.

Regret minimisation goes on over the restricted game while best responses make it grow: between two looks at the
whole game some iterations are made, then every history at which some hand gains is taken in, for all hands.
The bracket comes from best responses over the whole game against the average plans, as everywhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ..protocol import Left
from .bidding_plan import valid_plan
from .bidding_regret import Regrets
from .bidding_response import Response, respond_both
from .bidding_support import ROOT, Plan, Support

SHARE = 0.03
"""A history is taken in where a hand gains more than this share of the present gap by it."""

CUT, CUT_SHARE = 1e-3, 0.02
"""Average weights below the first, or below the second times the gap, are dropped before a plan is judged."""

FIRST, MOST = 20, 2_000
"""Iterations between two looks at the whole game: at first, and at most."""

STALE = 1.05
"""Averages start anew when the restricted game has grown by this factor: they know nothing of the new part."""

WORTH = 0.005
"""Average weights below this are not worth a place in the linear program that follows."""

Look = Callable[[tuple[Plan, Plan], tuple[Response, Response]], bool]
"""Takes plans and what each side could get against the other's; tells whether to go on."""


def minimise(regrets: Regrets, look: Look, gap: Callable[[], float], left: Left) -> None:
    """Regret minimisation on the growing restricted game until *look* has seen enough.

    *gap* tells the present one, *left* the seconds that are left (None: no limit).
    """
    model, support, batch = regrets.model, regrets.support, FIRST
    regrets.forget()
    settled = len(support)
    while True:
        began = time.monotonic()
        for _ in range(batch):
            regrets.iterate()
            seconds = left()
            if seconds is not None and seconds <= 0:
                break
        iterated = time.monotonic()
        cut = min(CUT, CUT_SHARE * gap())
        plans = (average(regrets, 0, cut), average(regrets, 1, cut))
        threshold = max(1e-9, SHARE * gap())
        responses = respond_both(model, support, plans, threshold)
        if not look(plans, responses):
            return
        if _take_in(support, responses):
            regrets.grow()
        if len(support) > STALE * settled:
            regrets.forget()
            settled = len(support)
        if iterated - began < 3 * (time.monotonic() - iterated):
            # Looking at the whole game should not cost more than a fourth of the time.
            batch = min(2 * batch, MOST)


def widen(support: Support) -> None:
    """Allow every hand what some hand may do."""
    for node in range(1, len(support)):
        support.allowed[node][:] = True


def narrow(regrets: Regrets) -> None:
    """Allow only what is worth it in the average plans, and what leads there.

    A bid of weight after one of none is kept: it may be what makes that one bad. So some hand may make that one,
    the one that does so most.
    """
    support = regrets.support
    weights = [np.zeros(0)] * len(support)
    for player in range(2):
        for node, row in zip(*regrets.average(player), strict=True):
            weights[node] = row
    for node in range(1, len(support)):
        support.allowed[node] = weights[node] > WORTH
    for node in sorted(range(1, len(support)), key=lambda node: -support.depth[node]):
        parent = support.parent[node]
        if not support.allowed[node].any() or parent == ROOT:
            continue
        if not support.allowed[parent].any():
            support.allowed[parent][weights[parent].argmax()] = True
        own = support.parent[parent]
        if own != ROOT:
            support.allowed[own] |= support.allowed[node]


def average(regrets: Regrets, player: int, cut: float) -> Plan:
    """The average plan of *player*, without weights below *cut*."""
    model, support = regrets.model, regrets.support
    nodes, found = regrets.average(player)
    weights = np.zeros((len(support), model.hands[player]))
    weights[nodes] = np.where(found < cut, 0.0, np.minimum(found, 1.0))
    return valid_plan(model, support, player, weights, 1)


def _take_in(support: Support, responses: tuple[Response, Response]) -> bool:
    """Allow all hands what some hand gains by; says whether there was anything new."""
    before = len(support)
    for response in responses:
        for node, bid, hands in response.moves:
            support.allow(node, bid, np.ones(len(hands), dtype=bool))
    return len(support) > before
