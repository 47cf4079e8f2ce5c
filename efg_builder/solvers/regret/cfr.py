"""Regret minimization on the whole game, until the bracket is as narrow as the requested gap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from ...base.machine import memory_here
from ...base.parameters import Choice, Parameter, integer
from ...forms.bidding_form import BiddingForm, no_integer_form
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile, bidding_of_two
from ..driver import STEP, Driver, Iterate, Iterates
from ..protocol import Found, Request, Solver, Solves, read_options
from .engine import RULES, Engine, rational
from .part import BiddingRegrets
from .tree import TreeRegrets


@dataclass(frozen=True)
class CfrSettings:
    rule: str = "dcfr"
    """The default rule. It performs almost as well as the best rule on games with and without wild faces."""
    gap: Fraction = Fraction(1, 10**6)
    """The NashConv at which the method stops by default, as a share of the payoff range."""
    check_growth: int = 8
    """Between two computations of NashConv, the number of iterations is multiplied by about 1 + 1/``check_growth``."""
    most_sets: int = 200_000
    """Maximum number of information sets per player in the result.

    If there are more, the information sets with the lowest weights are omitted.
    """
    least_weight: float = 1e-12
    """Realization weights up to this value are treated as 0."""
    assumed_memory: int = 2**34
    """Assumed memory, in bytes, if the operating system does not report it."""


SETTINGS = CfrSettings()

GAP_HINT = "; cfr stops at this gap by default (--gap, gap=); lp and oracle are exact"
"""The end of the message if cfr stopped at its default gap."""

Average = Callable[[], TreeProfile | SparseProfile]
"""A function that returns the average strategies."""

OPTIONS = (
    Parameter("rule", SETTINGS.rule, Choice(*RULES), f"update rule: {', '.join(RULES)} (default: {SETTINGS.rule})"),
    Parameter("iterations", "", integer(1, 999_999_999), "maximum number of iterations"),
)


def run_by_rules(game: BiddingGame, request: Request) -> Found:
    """Return nearly optimal strategies for *game*, without its tree. Raises ``ParameterError``."""
    driver, options = Driver(request), read_options("cfr", OPTIONS, request.options)
    request.progress(f"arrays of {memory(len(game.bid_names), game.hand_counts) / 2**20:,.0f} MiB")
    engine = BiddingRegrets(BiddingForm(game), RULES[options["rule"]])
    details = _run(engine, options.get("iterations"), driver, request.gap, partial(written, engine))
    return Found((written(engine),), driver.ended, driver.message, details)


def run(tree: GameTree, request: Request) -> Found:
    """Return nearly optimal strategies on *tree*. Raises ``ParameterError``."""
    driver, options = Driver(request), read_options("cfr", OPTIONS, request.options)
    engine = TreeRegrets(tree, RULES[options["rule"]])

    def average() -> TreeProfile:
        return engine.written(engine.average(), rational)

    details = _run(engine, options.get("iterations"), driver, request.gap, average)
    return Found((average(),), driver.ended, driver.message, details)


def written(engine: BiddingRegrets) -> SparseProfile:
    """Return the average strategies, with at most ``most_sets`` information sets per player.

    Omit the hands that almost never reach a history or almost never bid there. A hand without an entry calls.
    """
    average, found = engine.average(), []
    for player in range(2):
        reach = engine.plan(average, player)[player]
        bidding = reach * (1 - average.calls[player]) > SETTINGS.least_weight
        reach[~bidding] = 0
        if np.count_nonzero(reach) > SETTINGS.most_sets:
            bidding &= (
                reach > np.partition(reach, reach.size - SETTINGS.most_sets, axis=None)[reach.size - SETTINGS.most_sets]
            )
        found.append(engine.rows(average, player, bidding, rational))
    return SparseProfile(engine.form.game, tuple(found))


def _run(engine: Engine, stop: int | None, driver: Driver, gap: Fraction | None, average: Average) -> dict[str, object]:
    """Minimize regrets, set the driver's message, and return the details."""
    wanted = float(2 * SETTINGS.gap) * engine.units[0] if gap is None else float(gap)
    found = driver.run(minimize(engine, stop, wanted, average))
    nash_conv = engine.nash_conv() if found is None else found
    if driver.ended == "timeout" and nash_conv <= wanted:
        driver.ended, found = "done", nash_conv
    if found is not None and found <= wanted:
        driver.message = f"NashConv {found:.3g} after {engine.iterations:,} iterations"
        driver.message += GAP_HINT if gap is None else ""
    elif found is not None:
        driver.message = f"stopped after {stop:,} iterations"
    return {"iterations": engine.iterations, "nash_conv": nash_conv, "rule": engine.rule.name}


def minimize(engine: Engine, stop: int | None, wanted: float, average: Average) -> Iterates[float]:
    """Minimize regrets until NashConv is at most *wanted*, or for *stop* iterations; return NashConv."""
    due = 1
    while True:
        engine.iterate()
        if engine.iterations < due and engine.iterations != stop:
            yield STEP
            continue
        nash_conv = engine.nash_conv()
        due = engine.iterations + 1 + engine.iterations // SETTINGS.check_growth
        ended = nash_conv <= wanted or engine.iterations == stop
        line = f"iteration {engine.iterations:,}: NashConv {nash_conv:.3g}"
        yield Iterate(line, last=ended, number=engine.iterations, strategies=average)
        if ended:
            return nash_conv


def memory(bids: int, hands: tuple[int, ...]) -> int:
    """Return the approximate memory, in bytes, for two players' arrays and for an iteration."""
    return (1 << bids - 1) * 8 * (8 * sum(hands) + 5 * max(hands))


def needs_tree(game: Game) -> str | None:
    problem, bidding = no_integer_form(game), bidding_of_two(game)
    if problem is not None or bidding is None:
        return problem
    need, there = memory(len(bidding.bid_names), bidding.hand_counts), memory_here() or SETTINGS.assumed_memory
    if need <= there:
        return None
    return f"its arrays need {need / 2**30:,.0f} GiB, more than the available {there / 2**30:,.0f} GiB"


SOLVERS = (
    Solver(
        name="cfr",
        summary="regret minimization over the whole game (for bidding games, in arrays over all histories): "
        "nearly optimal strategies, with a NashConv of at most --gap",
        source="; ".join(rule.source for rule in RULES.values()),
        solves=Solves(
            players=2, constant_sum=True, limit_by_rules=needs_tree, exact=False, stops_at_gap=True, iterates=True
        ),
        run=run,
        parameters=OPTIONS,
        run_by_rules=run_by_rules,
    ),
)
