"""The search: exact equilibria of bidding games that no tree can hold, by a double oracle in sequence form.

The restricted game is solved as a linear program; moves of best responses in the whole game are added until neither
side gains; the last basis is solved in rationals (B. Bosansky, C. Kiekintveld, V. Lisy and M. Pechoucek, J. Artif.
Intell. Res. 51, 2014). Here a hand calls where its strategy says nothing, moves are added by the dozen, and the simplex
method goes on from the last basis. Responses are to a blend with the best plans so far (W. Ben-Ameur and J. Neto,
Networks 49, 2007). Where linear programs are large, regrets are minimized until the bracket is narrow, at first without
low bids: a plan without them has the same bound over the whole game.
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
from ...games.bidding import BiddingGame
from ..driver import Driver
from ..integer_game import IntegerGame, integer_game
from ..lp.exact import NotExactError, exact_optimum
from ..lp.highs import LinearProgramError, Vertex, maximise
from ..protocol import Ended, Found, Request, TimeLimit, read_options
from .regret import SETTINGS as REGRET_SETTINGS
from .regret import minimise, narrow, widen
from .response import Response
from .restricted import Master, PlanOnSupport, blended, carried, exact_plan, float_plan, master, rounded, sparse_profile
from .state import SIGHT, WIDEST, OracleState, load, save, start


@dataclass(frozen=True)
class OracleSettings:
    """What the search is tuned by; gaps and weights are shares of half the payoff range and of 1."""

    add_share_of_gap: float = 0.01
    """A move is added where it gains more than this share of the present gap."""
    least_weight: float = 1e-11
    """Realization weights below this are noise of the simplex method."""
    least_gap: float = 1e-6
    """Asked-for gaps below this are left to exact arithmetic: plans get rounded."""
    first_sequences: int = 2_500
    """Restricted games of more sequences are left to regret minimisation at first, unless asked otherwise."""
    patience: float = 60.0
    """Seconds for a linear program that starts from an average plan; or as long as regrets were minimised, if longer.
    """
    sequences_per_second: int = 500
    """Sequences, for each second of patience, of linear programs that start from an average plan, at most."""
    near_gap: float = 1e-3
    """The gap at which linear programs are tried on the average plans' support."""
    early_factor: float = 2
    """The gap may be so many times wider where that support is small."""
    early_sequences: int = 8_000
    """Sequences of a small support, at most."""
    narrower: float = 4
    """How many times narrower the gap must be where linear programs were too slow even so."""
    blend_share: float = 0.25
    """How much of a linear program's plans is in those that are responded to, beside the best plans so far."""
    few_moves: float = 0.01
    """Where fewer moves are added than this share of the sequences, the linear program's plans are responded to too."""
    lacking_share: float = 0.5
    """A player's plan without low bids is good enough when it lacks less than this share of the gap."""
    first_bids: int = 4
    """Bids that are not low at first."""
    bids_growth: float = 1.05
    """So many times as many bids are not low the next time."""


SETTINGS = OracleSettings()

OPTIONS = (
    Parameter(
        name="master",
        default="auto",
        read=Choice("auto", "lp", "regret"),
        help="without a tree: lp, regret, or auto (regret, then lp from what it plays; only lp is exact)",
    ),
    Parameter(
        name="bids",
        default="high",
        read=Choice("high", "all"),
        help="without a tree, where regrets are minimised: high ones first, or all at once (slower, less is written)",
    ),
)


def run_by_rules(game: BiddingGame, request: Request) -> Found:
    """An equilibrium of *game*, exact; where time runs out or on Ctrl-C, the best strategies so far."""
    driver, options = Driver(request), read_options("oracle", OPTIONS, request.options)
    model = integer_game(game)
    search = start(model) if request.resume is None else load(request.resume, model)
    if request.resume is None and options["bids"] == "high":
        search.floor = lower(model.bids, None)
    oracle = Oracle(search, share_of_largest(model, request.gap), driver)
    with driver.stopping():
        driver.message = oracle.run(options["master"])
    message = driver.message if driver.ended == "done" else driver.message + _slow(search)
    return answer(search, driver.ended, message)


class TooSlow(Exception):
    """One linear program takes too long."""


@dataclass
class Oracle:
    """One run of the search. ``wanted``: the gap that is enough, as a share of half the payoff range (0: exact)."""

    search: OracleState
    wanted: float = 0.0
    driver: Driver = field(default_factory=lambda: Driver(Request()))

    def run(self, how: str) -> str:
        """Linear programs and regrets in turn until the gap is closed; returns a message. Raises ``TimeLimit``."""
        search, enough = self.search, max(self.wanted, SIGHT)
        if how == "lp":
            return self.solve_by_lp()
        # A state whose plans are as good as floats tell wants to be made exact.
        unfinished = search.regrets is not None and search.last is None and search.gap > enough
        if how == "auto" and not unfinished and (ended := self.try_lp()) is not None:
            return ended
        while True:
            began = time.monotonic()
            near = SETTINGS.near_gap / SETTINGS.narrower**search.turns if how == "auto" else 0.0
            self.minimise_regrets(enough, near)
            if search.gap <= enough:
                return "the asked-for gap was reached" if self.wanted else "regrets do not become exact"
            search.spent += time.monotonic() - began
            search.turns += 1
            if how == "auto" and (ended := self.try_lp()) is not None:
                return ended

    def try_lp(self) -> str | None:
        """Linear programs, if they are small enough and not too slow; the message on the end, or None."""
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
        """Rounds of linear programs until the gap is closed; returns a message on the end.

        *patience*: seconds for one program; *most*: sequences in it. Raises ``TooSlow`` and ``TimeLimit``.
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
                return "the asked-for gap was reached"
            if added and search.gap > SIGHT:
                continue
            if not added and search.gap > SIGHT and share > SIGHT:
                share /= 10
                continue
            try:
                if self.exact_round():
                    return ""
            except NotExactError as error:
                return f"not made exact: {error}"

    def round(self, share: float, patience: float | None) -> int:
        """Solve the restricted game, respond, add the moves that gain *share* of the gap; returns their number."""
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
        """The restricted game's linear program and its vertex, from the last round's basis on."""
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
            vertex = maximise(program.program, limit, report, basis)
        except TimeLimit:
            if limit == seconds:
                raise
            raise TooSlow from None
        except LinearProgramError:
            if basis is None:
                raise
            vertex = maximise(program.program, self.driver.left(), report)
        search.last = program, vertex
        return program, vertex

    def exact_round(self) -> bool:
        """Solve the basis in rationals, respond exactly; whether neither gains. Raises ``NotExactError``."""
        search, model, support = self.search, self.search.model, self.search.support
        self.driver.progress(f"{search.line()}; solving the basis in rationals")
        program, vertex = self.solve(None)
        point, _ = exact_optimum(program.exact, vertex, self.driver)
        found = program.masses(np.array(point.primal, dtype=object), np.array(point.dual, dtype=object))
        one, two = (exact_plan(model, support, p, program.sequences[p], list(found[p])) for p in range(2))
        responses, closed = search.respond_exactly((one, two))
        search.add(responses)
        return closed

    def minimise_regrets(self, enough: float, near: float) -> None:
        """Minimize regrets until the gap is *enough*, or *near* and the game small. Raises ``TimeLimit``."""
        search = self.search
        search.last = None
        widen(search.support)
        if self.leave_out_low_bids(enough, near):
            return
        search.own = (-WIDEST / 2, WIDEST / 2)
        regrets = search.minimiser(1)

        def look(plans: tuple[PlanOnSupport, PlanOnSupport], responses: tuple[Response, Response]) -> bool:
            search.judge(plans, responses)
            self.report_look("regret minimisation")
            if search.gap <= enough:
                return False
            if not self.may_start_lp(near, search.own[1] - search.own[0], plans):
                return True
            narrow(search.support, plans)
            return False

        minimise(regrets, look, lambda: search.gap, self.driver.left)

    def leave_out_low_bids(self, enough: float, near: float) -> bool:
        """The same while low bids are left out; returns whether one of the two ends was met before none is."""
        search = self.search
        while search.floor:
            for player in range(2):
                self.minimise_without_low_bids(player, enough, near)
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
        """Whether linear programs may begin from *plans*: the *gap* is *near*, or not far off and they are small."""
        if gap <= near or gap > SETTINGS.early_factor * near:
            return gap <= near
        return (
            sum(int(np.count_nonzero(plan.weights > REGRET_SETTINGS.kept_weight * plan.scale)) for plan in plans)
            <= SETTINGS.early_sequences
        )

    def minimise_without_low_bids(self, player: int, enough: float, near: float) -> None:
        """Minimize regrets until *player*'s plan is nearly the best without low bids. Raises ``TimeLimit``."""
        search, other = self.search, 1 - player
        regrets, game = search.minimiser(player), search.model.game
        held = short = WIDEST

        def look(plans: tuple[PlanOnSupport, PlanOnSupport], responses: tuple[Response, Response]) -> bool:
            nonlocal held, short
            given = responses[other].value
            search.count(responses)
            search.keep(player, plans[player], given, regrets.support, search.floor)
            held = min(held, given)
            # Against the other's average the player gets no less than with the best plan without low bids.
            short = held + responses[player].restricted
            lacking = held + responses[player].value
            self.report_look(
                f"regret minimisation, {game.players[player]} without bids below {game.bid_names[search.floor]}"
            )
            if search.gap <= enough or self.may_start_lp(near, search.gap, search.plans):
                return False
            return bool(lacking > SETTINGS.lacking_share * search.gap)

        minimise(regrets, look, lambda: max(short, SIGHT), self.driver.left)

    def report_look(self, how: str) -> None:
        """Tell of a look at the whole game, and save what is known. Raises ``TimeLimit``."""
        self.driver.progress(f"{self.search.line()}; {how}")
        self.save()
        self.driver.check_time()

    def save(self) -> None:
        """Write the checkpoint, if one was asked for and it is time to."""
        self.driver.keeper.keep(lambda path: save(path, self.search))


def lower(bids: int, floor: int | None) -> int:
    """The next lower floor of so many *bids* (None: the highest one)."""
    return bids - min(bids, SETTINGS.first_bids if floor is None else ceil((bids - floor) * SETTINGS.bids_growth))


def _slow(search: OracleState) -> str:
    if (search.early or search.regrets) and find_spec("numba") is None:
        return "; numba makes this several times as fast: pip install 'efg-builder[fast]'"
    return ""


def share_of_largest(model: IntegerGame, gap: Fraction | None) -> float:
    """The *gap* in payoffs as a share of half the payoff range; 0 for None, and where floats are not enough."""
    wanted = 0.0 if gap is None else float(gap / model.unit / model.largest)
    return wanted if wanted >= SETTINGS.least_gap else 0.0


def answer(search: OracleState, ended: Ended, message: str) -> Found:
    """The best plans so far as strategies."""
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
