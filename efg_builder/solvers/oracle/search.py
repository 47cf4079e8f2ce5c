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
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from math import ceil

import numpy as np

from ...base.parameters import Choice, Parameter
from ...forms.bidding_form import BiddingForm, no_integer_form
from ...games.bidding import BiddingGame
from ...strategies.sparse_profile import SparseProfile
from ..driver import STEP, Driver, Iterate, Iterates
from ..lp.exact import NotExactError, exact_optimum
from ..lp.highs import LinearProgramError, TooSlow, Vertex, maximize
from ..protocol import Ended, Found, Request, Solves, TimeLimit, read_options
from .regret import SETTINGS as REGRET_SETTINGS
from .regret import RestrictedRegrets, average, narrow, next_batch, widen
from .response import Response, respond_both
from .restricted import Master, PlanOnSupport, blended, carried, exact_plan, float_plan, master, rounded, sparse_profile
from .state import SIGHT, WIDEST, OracleState, load, start


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
    gap_share: float = 0.5
    """Without low bids, a player's regret minimization stops when the plan's gap is this share of the bracket's width.
    """
    first_bids: int = 4
    """Number of bids in the first game without low bids, which has only the highest bids."""
    bids_growth: float = 1.05
    """Growth factor of the number of bids from one floor to the next."""


SETTINGS = OracleSettings()

SOLVES = Solves(
    players=2, constant_sum=True, limit_by_rules=no_integer_form, exact=False, stops_at_gap=True, iterates=True
)
"""The games that ``oracle`` and ``gambit-oracle`` solve."""

SOURCE = "Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)"

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
    options = read_options("oracle", OPTIONS, request.options)
    model = BiddingForm(game)
    search = start(model) if request.resume is None else load(request.resume, model)
    if request.resume is None and options["bids"] == "high":
        search.floor = lower(model.bids, None)
    driver = Driver(request)
    message = driver.run(solve(search, options["master"], share_of_largest(model, request.gap)))
    return answer(search, driver.ended, driver.message + _slow(search) if message is None else message)


def solve(search: OracleState, how: str, wanted: float) -> Iterates[str]:
    """Alternate linear programs and regret minimization; return a message.

    *how*: the option ``master``. *wanted*: the requested gap as a share of half the payoff range (0: exact).
    """
    if how == "lp":
        return (yield from double_oracle(search, wanted))
    enough = max(wanted, SIGHT)
    # A resumed search with a narrow gap runs only linear programs, for an exact solution.
    unfinished = search.regrets is not None and search.last is None and search.gap > enough
    if how == "auto" and not unfinished and (ended := (yield from try_linear_programs(search, wanted))) is not None:
        return ended
    while True:
        began = time.monotonic()
        near = SETTINGS.near_gap / SETTINGS.narrower**search.turns if how == "auto" else 0.0
        yield from minimize_regrets(search, enough, near)
        if search.gap <= enough:
            return "the requested gap was reached" if wanted else "regret minimization is never exact"
        search.spent += time.monotonic() - began
        search.turns += 1
        if how == "auto" and (ended := (yield from try_linear_programs(search, wanted))) is not None:
            return ended


def try_linear_programs(search: OracleState, wanted: float) -> Iterates[str | None]:
    """Run linear programs if they are small and fast; return the final message, or None if they are not."""
    patience = max(SETTINGS.patience, search.spent)
    try:
        if not search.turns:
            return (yield from double_oracle(search, wanted, most=SETTINGS.first_sequences))
        if sum(search.sequences) <= SETTINGS.sequences_per_second * patience:
            return (yield from double_oracle(search, wanted, patience))
    except TooSlow:
        pass
    return None


def double_oracle(
    search: OracleState, wanted: float, patience: float | None = None, most: int | None = None
) -> Iterates[str]:
    """Add best responses until the gap is narrow enough; return the final message. Raises ``TooSlow``.

    *patience*: time limit in seconds for each linear program. *most*: maximum number of sequences.
    """
    share = SETTINGS.add_share_of_gap
    if search.regrets is not None:
        search.gather()
    search.recent = (-WIDEST / 2, WIDEST / 2)
    while True:
        if most is not None and sum(search.sequences) > most:
            raise TooSlow
        program, vertex = yield from solve_restricted_game(search, patience)
        responses = best_responses(search, program, vertex, share)
        reached = wanted > 0 and search.gap <= wanted
        yield step(search, search.line(), last=reached)
        added = search.add_moves(responses)
        if reached:
            return "the requested gap was reached"
        if search.gap > SIGHT and (added or share > SIGHT):
            share = share if added else share / 10
            continue
        try:
            if (yield from solve_exactly(search)):
                return ""
        except NotExactError as error:
            return f"the basis was not solved exactly: {error}"


def solve_restricted_game(search: OracleState, patience: float | None = None) -> Iterates[tuple[Master, Vertex]]:
    """Return the linear program of the restricted game and an optimal vertex; start from the last basis.

    Raises ``TooSlow`` after *patience* seconds.
    """
    program, basis = master(search.model, search.support), None
    if search.last is not None:
        before, vertex = search.last
        basis = carried(before, vertex, program)
    prefix = f"{search.line()}; "
    try:
        vertex = yield from maximize(program.program, basis, patience=patience, prefix=prefix)
    except LinearProgramError:
        if basis is None:
            raise
        vertex = yield from maximize(program.program, prefix=prefix)
    search.last = program, vertex
    return program, vertex


def best_responses(search: OracleState, program: Master, vertex: Vertex, share: float) -> list[Response]:
    """Return best responses to the plans of *vertex*, with the moves that gain more than *share* of the gap.

    After regret minimization, respond to a blend of these plans and the best plans first.
    """
    model, support = search.model, search.support
    masses = program.masses(vertex.values, vertex.duals)
    one, two = (float_plan(model, support, p, program.sequences[p], masses[p], SETTINGS.least_weight) for p in range(2))
    threshold = max(SIGHT, share * (search.recent[1] - search.recent[0]))
    responses: list[Response] = []
    if search.regrets is not None:
        best = search.plans
        blend = (
            blended(support, one, best[0], SETTINGS.blend_share),
            blended(support, two, best[1], SETTINGS.blend_share),
        )
        responses += search.respond(blend, threshold)
    if sum(len(response.moves) for response in responses) <= SETTINGS.few_moves * sum(search.sequences):
        responses += search.respond((one, two), threshold)
    return responses


def solve_exactly(search: OracleState) -> Iterates[bool]:
    """Solve the last basis exactly, add improving moves, and return whether neither player gains.

    Raises ``NotExactError``.
    """
    model, support = search.model, search.support
    yield Iterate(f"{search.line()}; solving the basis exactly")
    program, vertex = yield from solve_restricted_game(search)
    point, _ = yield from exact_optimum(program.exact, vertex)
    masses = program.masses(np.array(point.primal, dtype=object), np.array(point.dual, dtype=object))
    one, two = (exact_plan(model, support, p, program.sequences[p], list(masses[p])) for p in range(2))
    responses, optimal = search.respond_exactly((one, two))
    search.add_moves(responses)
    return optimal


class RegretRounds:
    """Rounds of regret minimization: a batch of iterations, best responses to the average plans, and new histories."""

    def __init__(self, regrets: RestrictedRegrets) -> None:
        self.regrets, self.batch = regrets, REGRET_SETTINGS.first_batch
        self._forget()

    def _forget(self) -> None:
        self.regrets.forget()
        self._settled = len(self.regrets.support)

    def round(self, gap: float) -> Iterates[tuple[tuple[PlanOnSupport, PlanOnSupport], tuple[Response, Response]]]:
        """Run a batch of iterations, which the time limit may shorten; return average plans and best responses."""
        regrets = self.regrets
        with suppress(TimeLimit):
            for _ in range(self.batch):
                regrets.iterate()
                yield STEP
        cut = min(REGRET_SETTINGS.least_weight, REGRET_SETTINGS.least_share_of_gap * gap)
        plans = average(regrets, 0, cut), average(regrets, 1, cut)
        threshold = max(SIGHT, REGRET_SETTINGS.add_share_of_gap * gap)
        return plans, respond_both(regrets.model, regrets.support, plans, threshold, regrets.bidding)

    def add_histories(self, responses: tuple[Response, Response]) -> None:
        """Add the profitable histories in *responses*, and choose the number of iterations of the next round."""
        regrets, histories = self.regrets, len(self.regrets.support)
        for response in responses:
            for node, bid, hands in response.moves:
                regrets.support.allow(node, bid, np.ones(len(hands), dtype=bool))
        if len(regrets.support) > histories:
            regrets.grow()
        if len(regrets.support) > REGRET_SETTINGS.restart_growth * self._settled:
            self._forget()
        self.batch = next_batch(self.batch, responses, regrets.model.bids, len(regrets.support))


def minimize_regrets(search: OracleState, enough: float, near: float) -> Iterates[None]:
    """Minimize regrets until the gap is at most *enough* or linear programs may start."""
    search.last = None
    widen(search.support)
    if (yield from leave_out_low_bids(search, enough, near)):
        return
    search.recent = (-WIDEST / 2, WIDEST / 2)
    rounds = RegretRounds(search.minimizer(1))
    while True:
        plans, responses = yield from rounds.round(search.gap)
        search.update_bounds(plans, responses)
        yield step(search, f"{search.line()}; regret minimization")
        if search.gap <= enough:
            return
        if may_start_lp(near, search.recent[1] - search.recent[0], plans):
            narrow(search.support, plans)
            return
        rounds.add_histories(responses)


def leave_out_low_bids(search: OracleState, enough: float, near: float) -> Iterates[bool]:
    """Minimize regrets without bids below a falling floor; return False if the floor falls to 0, otherwise True."""
    while search.floor:
        for player in range(2):
            yield from minimize_without_low_bids(search, player, enough, near)
            if search.gap <= enough:
                return True
        if may_start_lp(near, search.gap, search.plans):
            search.gather()
            narrow(search.support, search.plans)
            return True
        search.floor = lower(search.model.bids, search.floor)
    search.gather()
    return False


def may_start_lp(near: float, gap: float, plans: Sequence[PlanOnSupport]) -> bool:
    """Return whether linear programs may start: *gap* is at most *near*, or a little wider if *plans* are small."""
    if gap <= near or gap > SETTINGS.early_factor * near:
        return gap <= near
    return (
        sum(int(np.count_nonzero(plan.weights > REGRET_SETTINGS.kept_weight * plan.scale)) for plan in plans)
        <= SETTINGS.early_sequences
    )


def minimize_without_low_bids(search: OracleState, player: int, enough: float, near: float) -> Iterates[None]:
    """Minimize regrets until the plan of *player* is nearly optimal without low bids."""
    regrets, other, game = search.minimizer(player), 1 - player, search.model.game
    how = f"regret minimization, {game.players[player]} without bids below {game.bid_names[search.floor]}"
    rounds, least_loss, restricted_gap = RegretRounds(regrets), WIDEST, WIDEST
    while True:
        plans, responses = yield from rounds.round(max(restricted_gap, SIGHT))
        loss = responses[other].value
        search.count(responses)
        search.keep_best(player, plans[player], loss, regrets.support, search.floor)
        yield step(search, f"{search.line()}; {how}")
        least_loss = min(least_loss, loss)
        # The best response to the opponent's average plan bounds the value of every plan without low bids.
        restricted_gap = least_loss + responses[player].restricted
        gap = least_loss + responses[player].value
        if search.gap <= enough or may_start_lp(near, search.gap, search.plans):
            return
        if gap <= SETTINGS.gap_share * search.gap:
            return
        rounds.add_histories(responses)


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


def step(search: OracleState, line: str, last: bool = False) -> Iterate:
    return Iterate(line, search.save, last, search.rounds, partial(best_strategies, search))


def best_strategies(search: OracleState) -> SparseProfile:
    """Return the best plan so far of each player as exact strategies."""
    model, support = search.model, search.support
    one, two = (
        plan if plan.scale > 1 or plan.weights.dtype != np.float64 else rounded(model, home, player, plan)
        for player, (home, plan) in enumerate(zip((search.home, support), search.plans, strict=True))
    )
    return sparse_profile(model, (search.home, support), (one, two), search.alike)


def answer(search: OracleState, ended: Ended, message: str) -> Found:
    support = search.support
    details = {
        "rounds": search.rounds,
        "sequences": list(search.sequences),
        "histories": 1 + sum(bool(flags.any()) for flags in support.allowed[1:]),
        "visited": list(search.visited),
    }
    return Found((best_strategies(search),), ended, message, details)
