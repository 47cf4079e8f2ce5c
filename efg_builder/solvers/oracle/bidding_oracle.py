"""Exact equilibria of bidding games that no tree can hold: a double oracle in sequence form.

Both sides start with the lowest opening and calls. That restricted game is solved as a linear program, each side's
best response in the whole game is found by visiting what the other's support reaches, and every move that
improves is added, until neither side gains. The last basis is then solved in rationals.
B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek, "An exact double-oracle algorithm for zero-sum
extensive-form games with imperfect information", J. Artif. Intell. Res. 51 (2014). What is not theirs: play that is not
written down is a call, moves are added by the dozen, and the simplex method goes on from the last basis. Where a
linear program takes too long, regrets are minimised until the bracket is narrow, and linear programs
start again from what the average plans play.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...base.errors import ParameterError, nearest
from ...games.bidding import BiddingGame
from ..lp.highs import TimeLimit
from ..protocol import Ended, Found, Left, Request, countdown
from .bidding import bidding
from .bidding_checkpoint import load, save
from .bidding_large import minimise, narrow, widen
from .bidding_plan import rounded, sparse_profile
from .bidding_programs import Programs, TooSlow
from .bidding_regret import Regrets
from .bidding_response import Response
from .bidding_search import SIGHT, Search, start
from .bidding_support import Plan

LEAST_GAP = 1e-6
"""Asked-for gaps below this, as a share of half the payoff range, are left to exact arithmetic: plans get rounded."""

LP_SECONDS = 10.0
"""Where one linear program takes longer than this at first, regrets are minimised instead, unless asked otherwise."""

PATIENCE = 60.0
"""A linear program that starts from what regrets came to may take this long, or as long as they were minimised."""

NEAR = 4e-3
"""The gap, as a share of half the payoff range, at which regret minimisation has found what is worth playing."""

NEARER = 4
"""How many times narrower it must be where linear programs were too slow even so."""

MASTERS = ("auto", "lp", "regret")
"""What solves the restricted games: linear programs where they are fast enough, only those, or only regrets."""

SAVE_EVERY = 2.0
"""Seconds between two checkpoints; more where writing one takes long."""


def play(game: BiddingGame, request: Request) -> Found:
    """An equilibrium of *game*, exact; where time runs out or on Ctrl-C, the best strategies so far."""
    left = countdown(request.timeout)
    how = request.options.get("master", MASTERS[0])
    if how not in MASTERS:
        raise ParameterError(f"master={how}: {nearest(how, MASTERS)}")
    model = bidding(game)
    search = start(model) if request.resume is None else load(request.resume, model)
    search.master = how
    ended: Ended = "done"
    message = ""
    try:
        message = _search(search, request, left)
    except TimeLimit:
        ended, message = "timeout", f"the time limit came first{_go_on(search, request)}"
    except KeyboardInterrupt:
        ended, message = "interrupted", f"stopped before the end{_go_on(search, request)}"
    return _found(search, ended, message)


def _go_on(search: Search, request: Request) -> str:
    if request.checkpoint is None:
        return ""
    return f"; --resume {request.checkpoint} goes on from there" if search.saved else "; too early for a checkpoint"


def _saver(search: Search, request: Request) -> Callable[[], None]:
    """Keeps the state, if it is time to."""
    path, due = request.checkpoint, [0.0]

    def keep() -> None:
        began = time.monotonic()
        if path is None or began < due[0]:
            return
        save(path, search)
        search.saved = True
        ended = time.monotonic()
        # Saving should cost no more than a twentieth of the time.
        due[0] = ended + max(SAVE_EVERY, 20 * (ended - began) if SAVE_EVERY else 0.0)

    return keep


def _search(search: Search, request: Request, left: Left) -> str:
    """Linear programs and regret minimisation in turn until the gap is closed; returns what is to be said of it.

    Each turn has more patience than the one before.
    """
    wanted = 0.0 if request.gap is None else float(request.gap / search.model.unit / search.model.largest)
    if wanted < LEAST_GAP:
        wanted = 0.0
    keep = _saver(search, request)
    auto = search.master == "auto"
    by_regret = search.master == "regret" or (auto and search.regrets is not None and search.last is None)
    while True:
        patience = (max(PATIENCE, search.spent) if search.turns else LP_SECONDS) if auto else None
        near = NEAR / NEARER**search.turns if auto else 0.0
        if not by_regret:
            try:
                return Programs(search, wanted, left, request.progress, keep, patience).close()
            except TooSlow:
                pass
        by_regret = False
        began = time.monotonic()
        _Large(search, max(wanted, SIGHT), near, left, request, keep).minimise()
        if search.gap <= max(wanted, SIGHT):
            return "the asked-for gap was reached" if wanted else "regrets do not become exact"
        search.spent += time.monotonic() - began
        search.turns += 1


@dataclass(frozen=True)
class _Large:
    """Regret minimisation until the gap is *wanted*, or the present one is *near* and the game is made small."""

    search: Search
    wanted: float
    near: float
    left: Left
    request: Request
    keep: Callable[[], None]

    def minimise(self) -> None:
        """Go on for as long as it takes. Raises ``TimeLimit``."""
        search = self.search
        search.begin()
        search.last = None
        widen(search.support)
        if search.regrets is None:
            search.regrets = Regrets(search.model, search.support)
        else:
            search.regrets.grow()
        minimise(search.regrets, self._look, lambda: search.gap, self.left)

    def _look(self, plans: tuple[Plan, Plan], responses: tuple[Response, Response]) -> bool:
        search = self.search
        search.judge(plans, responses)
        self.request.progress(f"{search.line()}; regret minimisation")
        self.keep()
        seconds = self.left()
        if seconds is not None and seconds <= 0:
            raise TimeLimit("time limit")
        if search.gap <= self.wanted:
            return False
        if search.own[1] - search.own[0] > self.near:
            return True
        assert search.regrets is not None
        narrow(search.regrets)
        return False


def _found(search: Search, ended: Ended, message: str) -> Found:
    model, support = search.model, search.support
    plans = [
        p if p.scale > 1 or p.weights.dtype != np.float64 else rounded(model, support, i, p)
        for i, p in enumerate(search.plans)
    ]
    details = {
        "rounds": search.rounds,
        "sequences": list(search.sequences),
        "histories": 1 + sum(bool(flags.any()) for flags in support.allowed[1:]),
        "visited": list(search.visited),
    }
    return Found((sparse_profile(model, support, (plans[0], plans[1])),), ended, message, details)
