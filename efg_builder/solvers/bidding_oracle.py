"""Exact equilibria of bidding games that no tree can hold: a double oracle in sequence form.

Both sides start with the lowest opening and calls. That restricted game is solved as a linear program, each side's
best response in the whole game is found by visiting what the other's support reaches, and every move that
improves is added, until neither side gains. The last basis is then solved in rationals.
B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek, "An exact double-oracle algorithm for zero-sum
extensive-form games with imperfect information", J. Artif. Intell. Res. 51 (2014). What is not theirs: play that is not
written down is a call, moves are added by the dozen, and the simplex method goes on from the last basis.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from ..errors import ParameterError, nearest
from ..games.bidding import BiddingGame
from .bidding import Bidding, bidding
from .bidding_checkpoint import load, save
from .bidding_large import minimise
from .bidding_master import Master, carried, master
from .bidding_plan import exact_plan, first_plan, float_plan, rounded, sparse_profile
from .bidding_response import Response, respond_both
from .bidding_support import ROOT, Plan, Support
from .exact_vertex import exact_optimum
from .highs import LinearProgramError, TimeLimit, Vertex, maximise
from .protocol import Ended, FoundPlay, Left, Request, countdown
from .rational import NotExactError

SHARE = 0.01
"""A move is added where it gains more than this share of the present gap."""

SIGHT = 1e-9
"""Gaps and gains below this, as a share of half the payoff range, are left to exact arithmetic."""

CUT = 1e-11
"""Realization weights below this are noise of the simplex method."""

LEAST_GAP = 1e-6
"""Asked-for gaps below this, as a share of half the payoff range, are left to exact arithmetic: plans get rounded."""

LP_SECONDS = 10.0
"""Where one linear program takes longer than this, regrets are minimised instead, unless asked otherwise."""

MASTERS = ("auto", "lp", "regret")
"""What solves the restricted games: linear programs for as long as they are fast, only those, or only regrets."""

SAVE_EVERY = 2.0
"""Seconds between two checkpoints."""


class TooSlow(Exception):
    """One linear program took longer than it is worth."""


@dataclass
class Search:
    """How far the search is. ``lower`` and ``upper`` bound the mean of the model's integers, in floats and as a
    share of the largest; ``plans`` are those that gave the two bounds.
    """

    model: Bidding
    support: Support
    lower: float = -2.0
    upper: float = 2.0
    plans: list[Plan] = field(default_factory=list)
    rounds: int = 0
    visited: tuple[int, int] = (0, 0)
    master: str = "auto"
    last: tuple[Master, Vertex] | None = None
    saved: float = -SAVE_EVERY

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

    def add(self, responses: tuple[Response, Response]) -> int:
        """Allow what improves; returns how many moves that are."""
        moves = [move for response in responses for move in response.moves]
        for node, bid, hands in moves:
            self.support.allow(node, bid, hands)
        return len(moves)


def play(game: BiddingGame, request: Request) -> FoundPlay:
    """An equilibrium of *game*, exact; where time runs out or on Ctrl-C, the best strategies so far."""
    left = countdown(request.timeout)
    master_name = request.options.get("master", MASTERS[0])
    if master_name not in MASTERS:
        raise ParameterError(f"master={master_name}: {nearest(master_name, MASTERS)}")
    search = start(bidding(game))
    search.master = master_name
    if request.resume is not None:
        _resume(search, request.resume)
    ended: Ended = "done"
    message = ""
    try:
        message = _search(search, request, left)
    except TimeLimit:
        ended, message = "timeout", f"the time limit came first{_go_on(request)}"
    except KeyboardInterrupt:
        ended, message = "interrupted", f"stopped before the end{_go_on(request)}"
    return _found(search, ended, message)


def _go_on(request: Request) -> str:
    return f"; --resume {request.checkpoint} goes on from there" if request.checkpoint else ""


def start(model: Bidding) -> Search:
    """Before the first round: the lowest opening, and calls."""
    support = Support(model)
    support.allow(ROOT, 0, np.ones(model.hands[0], dtype=bool))
    return Search(model, support, plans=[first_plan(model, support, player) for player in range(2)])


def _resume(search: Search, path: Path) -> None:
    search.support, search.last, search.rounds = load(path, search.model)
    search.plans = [first_plan(search.model, search.support, player) for player in range(2)]
    if search.last is None and search.master == "auto":
        search.master = "regret"


def _save(search: Search, request: Request, vertex: Vertex | None) -> None:
    """Keep the state, if it is time to."""
    if request.checkpoint is not None and time.monotonic() - search.saved >= SAVE_EVERY:
        save(request.checkpoint, search.model, search.support, vertex, search.rounds)
        search.saved = time.monotonic()


def _search(search: Search, request: Request, left: Left) -> str:
    """Round after round until the gap is closed; returns what is to be said of it."""
    wanted = 0.0 if request.gap is None else float(request.gap / search.model.unit / search.model.largest)
    if wanted < LEAST_GAP:
        wanted = 0.0
    share = SHARE
    if search.master == "regret":
        return _regret(search, wanted, left, request)
    while True:
        try:
            added = _round(search, share, left, request)
        except TooSlow:
            return _regret(search, wanted, left, request)
        if added and search.gap > max(SIGHT, wanted):
            continue
        if wanted and search.gap <= wanted:
            return "the asked-for gap was reached"
        if not added and search.gap > SIGHT and share > SIGHT:
            share /= 10
            continue
        try:
            if _exact_round(search, left, request):
                return ""
        except NotExactError as error:
            return f"not made exact: {error}"


def _regret(search: Search, wanted: float, left: Left, request: Request) -> str:
    """Go on by regret minimisation until the time or the asked-for gap is reached."""

    def look(plans: tuple[Plan, Plan], responses: tuple[Response, Response]) -> bool:
        _judge(search, plans, responses)
        request.progress(f"{_line(search)}; regret minimisation")
        _save(search, request, None)
        seconds = left()
        if seconds is not None and seconds <= 0:
            raise TimeLimit("time limit")
        return search.gap > max(wanted, SIGHT)

    minimise(search.model, search.support, look, lambda: search.gap, left)
    return "the asked-for gap was reached" if wanted else "the linear programs took too long to be made exact"


def _judge(search: Search, plans: tuple[Plan, Plan], responses: tuple[Response, Response]) -> None:
    """Count a round, and keep the plans where they give a better bound."""
    search.rounds += 1
    search.visited = (responses[0].visited, responses[1].visited)
    if -responses[1].value >= search.lower:
        search.lower, search.plans[0] = -responses[1].value, plans[0]
    if responses[0].value <= search.upper:
        search.upper, search.plans[1] = responses[0].value, plans[1]


def _round(search: Search, share: float, left: Left, request: Request) -> int:
    """Solve the restricted game, respond, add what improves; returns how many moves that are."""
    model, support = search.model, search.support
    program, vertex = _solve(search, left, request)
    found = program.masses(vertex.values, vertex.duals)
    one, two = (float_plan(model, support, p, program.sequences[p], found[p], CUT) for p in range(2))
    plans = (one, two)
    threshold = max(SIGHT, share * search.gap)
    responses = respond_both(model, support, plans, threshold)
    _judge(search, plans, responses)
    request.progress(_line(search))
    _save(search, request, vertex)
    return search.add(responses)


def _solve(search: Search, left: Left, request: Request, *, patient: bool = False) -> tuple[Master, Vertex]:
    """The restricted game's linear program, from the last round's basis on.

    Raises ``TooSlow`` unless *patient*, and ``TimeLimit``.
    """
    program = master(search.model, search.support)
    basis = carried(*search.last, program) if search.last else None

    def report(line: str) -> None:
        request.progress(f"{_line(search)}; {line}")

    seconds = left()
    if seconds is not None and seconds <= 0:
        raise TimeLimit("time limit")
    limit = seconds
    if search.master == "auto" and not patient and (seconds is None or seconds > LP_SECONDS):
        limit = LP_SECONDS
    try:
        vertex = maximise(program.program, limit, report, basis)
    except TimeLimit:
        if limit == seconds:
            raise
        raise TooSlow from None
    except LinearProgramError:
        if basis is None:
            raise
        vertex = maximise(program.program, left(), report)
    search.last = program, vertex
    return program, vertex


def _exact_round(search: Search, left: Left, request: Request) -> bool:
    """Solve the basis in rationals and respond exactly; says whether neither side gains.

    Raises ``NotExactError``.
    """
    model, support = search.model, search.support
    request.progress(f"{_line(search)}; solving the basis in rationals")
    program, vertex = _solve(search, left, request, patient=True)
    point = exact_optimum(program.exact, vertex, left, request.progress)
    found = program.masses(np.array(point.primal, dtype=object), np.array(point.dual, dtype=object))
    one, two = (exact_plan(model, support, p, program.sequences[p], list(found[p])) for p in range(2))
    plans = (one, two)
    responses = respond_both(model, support, plans, 0)
    upper, lower = (_mean(model, r.value, p.scale) for r, p in zip(responses, plans[::-1], strict=True))
    lower = -lower
    search.plans = list(plans)
    search.lower, search.upper = float(lower) / model.largest, float(upper) / model.largest
    search.visited = (responses[0].visited, responses[1].visited)
    search.add(responses)
    return upper == lower


def _mean(model: Bidding, total: int, scale: int) -> Fraction:
    """The mean of the model's integers, from a sum over both players' hands."""
    return Fraction(int(total), model.totals[0] * model.totals[1] * scale)


def _found(search: Search, ended: Ended, message: str) -> FoundPlay:
    model, support = search.model, search.support
    plans = [
        p if p.scale > 1 or p.weights.dtype != np.float64 else rounded(model, support, i, p)
        for i, p in enumerate(search.plans)
    ]
    details = {
        "rounds": search.rounds,
        "sequences": list(search.sequences),
        "histories": len(support),
        "visited": list(search.visited),
    }
    return FoundPlay(sparse_profile(model, support, (plans[0], plans[1])), ended, message, details)


def _line(search: Search) -> str:
    """Round, gap, bracket, sizes: in player 1's payoffs."""
    model = search.model
    bounds = (min(max(bound, -1.0), 1.0) for bound in (search.lower, search.upper))
    low, high = (float(model.payoff(Fraction(bound) * model.largest)) for bound in bounds)
    size = " + ".join(f"{count:,}" for count in search.sequences)
    return (
        f"round {search.rounds}: gap {high - low:.2g}, value in [{low:.6f}, {high:.6f}], {size} sequences, "
        f"{sum(search.visited):,} histories visited"
    )
