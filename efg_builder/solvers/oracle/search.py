"""The search for exact equilibria of bidding games that are too large for a tree: a double oracle in sequence form.

The double oracle solves the restricted game as a linear program, and adds moves from best responses in the whole game
until neither player gains. It then solves the last basis exactly (B. Bosansky, C. Kiekintveld, V. Lisy and M.
Pechoucek, J. Artif. Intell. Res. 51, 2014). This version differs in four points:

- If a strategy has no entry for a hand, the hand calls.
- Each round adds many moves, and the simplex method starts from the last basis.
- Each player responds to a blend of the new plan and the best plan so far (W. Ben-Ameur and J. Neto, Networks 49,
  2007).
- While linear programs are too large, regret minimization narrows the bracket. At first, it leaves out low bids. Plans
  without low bids still prove bounds for the whole game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.util import find_spec
from math import ceil

import numpy as np

from ...base.parameters import Choice, Parameter
from ...forms.bidding_form import BiddingForm
from ...games.bidding import BiddingGame
from ..driver import Driver
from ..lp.exact import NotExactError, exact_optimum
from ..lp.highs import LinearProgramError, Vertex, maximize
from ..protocol import Ended, Found, Request, TimeLimit, read_options
from .regret import SETTINGS as REGRET_SETTINGS
from .regret import minimize, narrow, widen
from .response import Response
from .restricted import Master, PlanOnSupport, blended, carried, exact_plan, float_plan, master, rounded, sparse_profile
from .state import SIGHT, WIDEST, OracleState, load, save, start


@dataclass(frozen=True)
class OracleSettings:
    """The settings of the search. Gaps are shares of half the payoff range."""

    add_share_of_gap: float = 0.01
    """A move is added if its gain exceeds this share of the current gap."""
    least_weight: float = 1e-11
    """Realization weights below this value are treated as numerical noise."""
    least_gap: float = 1e-6
    """Minimum requested gap for plans with floats; a smaller gap requires an exact solution."""
    first_sequences: int = 2_500
    """Maximum number of sequences in a linear program before the first regret minimization (not for ``master=lp``)."""
    patience: float = 60.0
    """Time limit in seconds for a linear program after regret minimization; longer if regret minimization took longer.
    """
    sequences_per_second: int = 500
    """Maximum number of sequences in this linear program, per second of the time limit."""
    near_gap: float = 1e-3
    """The gap at which linear programs are tried on the support of the average plans."""
    early_factor: float = 2
    """Linear programs on a small support are tried at gaps up to this multiple of ``near_gap``."""
    early_sequences: int = 8_000
    """Maximum number of sequences in a small support."""
    narrower: float = 4
    """The factor by which ``near_gap`` decreases after each run of regret minimization."""
    blend_share: float = 0.25
    """The weight of a linear program's plans in the blend with the best plans so far."""
    few_moves: float = 0.01
    """If the blend adds at most this share of the sequences, responses to the linear program's plans are added too."""
    lacking_share: float = 0.5
    """Without low bids, a player's regret minimization stops when the plan's gap is this share of the bracket's width.
    """
    first_bids: int = 4
    """Number of bids in the first game without low bids, which has only the highest bids."""
    bids_growth: float = 1.05
    """Growth factor of the number of bids from one floor to the next."""


SETTINGS = OracleSettings()

OPTIONS = (
    Parameter(
        name="master",
        default="auto",
        read=Choice("auto", "lp", "regret"),
        help="solver of restricted games without a tree: lp, regret (never exact), or auto (regret, then lp on its "
        "support)",
    ),
    Parameter(
        name="bids",
        default="high",
        read=Choice("high", "all"),
        help="bids at the start of regret minimization without a tree: high, or all (slower on large games)",
    ),
)


def run_by_rules(game: BiddingGame, request: Request) -> Found:
    """Return an exact equilibrium, or the best strategies at the time limit or Ctrl-C."""
    driver, options = Driver(request), read_options("oracle", OPTIONS, request.options)
    model = BiddingForm(game)
    search = start(model) if request.resume is None else load(request.resume, model)
    if request.resume is None and options["bids"] == "high":
        search.floor = lower(model.bids, None)
    oracle = Oracle(search, share_of_largest(model, request.gap), driver)
    with driver.stopping():
        driver.message = oracle.run(options["master"])
    message = driver.message if driver.ended == "done" else driver.message + _slow(search)
    return answer(search, driver.ended, message)


class TooSlow(Exception):
    """The linear program is too large or takes too long."""


@dataclass
class Oracle:
    """A run of the search. ``wanted``: the requested gap as a share of half the payoff range (0: exact)."""

    search: OracleState
    wanted: float = 0.0
    driver: Driver = field(default_factory=lambda: Driver(Request()))

    def run(self, how: str) -> str:
        """Alternate linear programs and regret minimization; return a message. Raises ``TimeLimit``."""
        search, enough = self.search, max(self.wanted, SIGHT)
        if how == "lp":
            return self.solve_by_lp()
        # A resumed search with a narrow gap runs only linear programs, for an exact solution.
        unfinished = search.regrets is not None and search.last is None and search.gap > enough
        if how == "auto" and not unfinished and (ended := self.try_lp()) is not None:
            return ended
        while True:
            began = time.monotonic()
            near = SETTINGS.near_gap / SETTINGS.narrower**search.turns if how == "auto" else 0.0
            self.minimize_regrets(enough, near)
            if search.gap <= enough:
                return "the requested gap was reached" if self.wanted else "regret minimization is never exact"
            search.spent += time.monotonic() - began
            search.turns += 1
            if how == "auto" and (ended := self.try_lp()) is not None:
                return ended

    def try_lp(self) -> str | None:
        """Run linear programs if they are small and fast; return the final message, or None if they are not."""
        search = self.search
        patience = max(SETTINGS.patience, search.spent)
        try:
            if not search.turns:
                return self.solve_by_lp(most=SETTINGS.first_sequences)
            if sum(search.sequences) <= SETTINGS.sequences_per_second * patience:
                return self.solve_by_lp(patience=patience)
        except TooSlow:
            pass
        return None

    def solve_by_lp(self, patience: float | None = None, most: int | None = None) -> str:
        """Run rounds until the gap is narrow enough; return the final message. Raises ``TooSlow`` and ``TimeLimit``.

        *patience*: time limit in seconds for each linear program. *most*: maximum number of sequences.
        """
        search, share = self.search, SETTINGS.add_share_of_gap
        if search.regrets is not None:
            search.gather()
        search.own = (-WIDEST / 2, WIDEST / 2)
        while True:
            if most is not None and sum(search.sequences) > most:
                raise TooSlow
            added = self.round(share, patience)
            if self.wanted and search.gap <= self.wanted:
                return "the requested gap was reached"
            if added and search.gap > SIGHT:
                continue
            if not added and search.gap > SIGHT and share > SIGHT:
                share /= 10
                continue
            try:
                if self.exact_round():
                    return ""
            except NotExactError as error:
                return f"the basis was not solved exactly: {error}"

    def round(self, share: float, patience: float | None) -> int:
        """Solve the restricted game, add the moves that gain more than *share* of the gap, and return their number."""
        search, model, support = self.search, self.search.model, self.search.support
        program, vertex = self.solve(patience)
        found = program.masses(vertex.values, vertex.duals)
        one, two = (
            float_plan(model, support, p, program.sequences[p], found[p], SETTINGS.least_weight) for p in range(2)
        )
        threshold = max(SIGHT, share * (search.own[1] - search.own[0]))
        moves: list[Response] = []
        if search.regrets is not None:
            best = search.plans
            blend = (
                blended(support, one, best[0], SETTINGS.blend_share),
                blended(support, two, best[1], SETTINGS.blend_share),
            )
            moves += search.respond(blend, threshold)
        if sum(len(response.moves) for response in moves) <= SETTINGS.few_moves * sum(search.sequences):
            moves += search.respond((one, two), threshold)
        self.driver.progress(search.line())
        self.save()
        return search.add(moves)

    def solve(self, patience: float | None) -> tuple[Master, Vertex]:
        """Return the linear program of the restricted game and an optimal vertex; start from the last basis."""
        search = self.search
        program = master(search.model, search.support)
        basis = None
        if search.last is not None:
            before, vertex = search.last
            basis = carried(before, vertex, program)

        def report(line: str) -> None:
            self.driver.progress(f"{search.line()}; {line}")

        limit = seconds = self.driver.left()
        if seconds is not None and seconds <= 0:
            raise TimeLimit
        if patience is not None and (seconds is None or seconds > patience):
            limit = patience
        try:
            vertex = maximize(program.program, limit, report, basis)
        except TimeLimit:
            if limit == seconds:
                raise
            raise TooSlow from None
        except LinearProgramError:
            if basis is None:
                raise
            vertex = maximize(program.program, self.driver.left(), report)
        search.last = program, vertex
        return program, vertex

    def exact_round(self) -> bool:
        """Solve the basis exactly, add improving moves, and return whether neither player gains.

        Raises ``NotExactError``.
        """
        search, model, support = self.search, self.search.model, self.search.support
        self.driver.progress(f"{search.line()}; solving the basis exactly")
        program, vertex = self.solve(None)
        point, _ = exact_optimum(program.exact, vertex, self.driver)
        found = program.masses(np.array(point.primal, dtype=object), np.array(point.dual, dtype=object))
        one, two = (exact_plan(model, support, p, program.sequences[p], list(found[p])) for p in range(2))
        responses, closed = search.respond_exactly((one, two))
        search.add(responses)
        return closed

    def minimize_regrets(self, enough: float, near: float) -> None:
        """Minimize regrets until the gap is at most *enough* or linear programs may start. Raises ``TimeLimit``."""
        search = self.search
        search.last = None
        widen(search.support)
        if self.leave_out_low_bids(enough, near):
            return
        search.own = (-WIDEST / 2, WIDEST / 2)
        regrets = search.minimizer(1)

        def look(plans: tuple[PlanOnSupport, PlanOnSupport], responses: tuple[Response, Response]) -> bool:
            search.judge(plans, responses)
            self.report_look("regret minimization")
            if search.gap <= enough:
                return False
            if not self.may_start_lp(near, search.own[1] - search.own[0], plans):
                return True
            narrow(search.support, plans)
            return False

        minimize(regrets, look, lambda: search.gap, self.driver.left)

    def leave_out_low_bids(self, enough: float, near: float) -> bool:
        """Minimize regrets without bids below a falling floor; return False if the floor falls to 0, otherwise True."""
        search = self.search
        while search.floor:
            for player in range(2):
                self.minimize_without_low_bids(player, enough, near)
                if search.gap <= enough:
                    return True
            if self.may_start_lp(near, search.gap, search.plans):
                search.gather()
                narrow(search.support, search.plans)
                return True
            search.floor = lower(search.model.bids, search.floor)
        search.gather()
        return False

    def may_start_lp(self, near: float, gap: float, plans: Sequence[PlanOnSupport]) -> bool:
        """Return whether linear programs may start: *gap* is at most *near*, or a little wider if *plans* are small."""
        if gap <= near or gap > SETTINGS.early_factor * near:
            return gap <= near
        return (
            sum(int(np.count_nonzero(plan.weights > REGRET_SETTINGS.kept_weight * plan.scale)) for plan in plans)
            <= SETTINGS.early_sequences
        )

    def minimize_without_low_bids(self, player: int, enough: float, near: float) -> None:
        """Minimize regrets until the plan of *player* is nearly optimal without low bids. Raises ``TimeLimit``."""
        search, other = self.search, 1 - player
        regrets, game = search.minimizer(player), search.model.game
        held = short = WIDEST

        def look(plans: tuple[PlanOnSupport, PlanOnSupport], responses: tuple[Response, Response]) -> bool:
            nonlocal held, short
            given = responses[other].value
            search.count(responses)
            search.keep(player, plans[player], given, regrets.support, search.floor)
            held = min(held, given)
            # The best response to the opponent's average plan bounds the value of every plan without low bids.
            short = held + responses[player].restricted
            lacking = held + responses[player].value
            self.report_look(
                f"regret minimization, {game.players[player]} without bids below {game.bid_names[search.floor]}"
            )
            if search.gap <= enough or self.may_start_lp(near, search.gap, search.plans):
                return False
            return bool(lacking > SETTINGS.lacking_share * search.gap)

        minimize(regrets, look, lambda: max(short, SIGHT), self.driver.left)

    def report_look(self, how: str) -> None:
        """Report progress, and save the search if a checkpoint is due. Raises ``TimeLimit``."""
        self.driver.progress(f"{self.search.line()}; {how}")
        self.save()
        self.driver.check_time()

    def save(self) -> None:
        self.driver.keeper.keep(lambda path: save(path, self.search))


def lower(bids: int, floor: int | None) -> int:
    """Return the next lower floor, or the first floor if *floor* is None. *bids*: the game's number of bids."""
    return bids - min(bids, SETTINGS.first_bids if floor is None else ceil((bids - floor) * SETTINGS.bids_growth))


def _slow(search: OracleState) -> str:
    if (search.early or search.regrets) and find_spec("numba") is None:
        return "; numba makes this several times as fast: pip install 'efg-builder[fast]'"
    return ""


def share_of_largest(model: BiddingForm, gap: Fraction | None) -> float:
    """Return *gap* as a share of half the payoff range, or 0 if *gap* is None or too narrow for floats."""
    wanted = 0.0 if gap is None else float(gap / model.unit / model.largest)
    return wanted if wanted >= SETTINGS.least_gap else 0.0


def answer(search: OracleState, ended: Ended, message: str) -> Found:
    model, support = search.model, search.support
    one, two = (
        plan if plan.scale > 1 or plan.weights.dtype != np.float64 else rounded(model, home, player, plan)
        for player, (home, plan) in enumerate(zip((search.home, support), search.plans, strict=True))
    )
    details = {
        "rounds": search.rounds,
        "sequences": list(search.sequences),
        "histories": 1 + sum(bool(flags.any()) for flags in support.allowed[1:]),
        "visited": list(search.visited),
    }
    return Found((sparse_profile(model, (search.home, support), (one, two), search.alike),), ended, message, details)
