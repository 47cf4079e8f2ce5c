"""Regret minimisation over the whole game: a second opinion on the oracle and on linear programs.

Games of bidding need no tree: their arrays hold all histories at once. Other two-player constant-sum games are
solved on the sequence form of their tree. Averages converge to an equilibrium without reaching it; so the answer is a
bracket, whose width can be asked for (``gap``).
In reading order: this file, ``regret_matching``, ``arrays`` (games of bidding), ``tree``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

import numpy as np

from ...base.machine import memory_here
from ...base.parameters import Parameter, choice, integer
from ...base.words import STOPPING
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ...strategies.tree_profile import TreeProfile
from .. import bidding_model
from ..bidding_model import bidding
from ..protocol import (
    Ended,
    Found,
    Left,
    Request,
    Solver,
    countdown,
    read_options,
    two_player_constant_sum_with_recall,
)
from ..tree_model import whole_game
from .arrays import RegretArrays, memory, written
from .regret_matching import RULES, Rule
from .tree import TreeRegrets, behavior

DEFAULT_RULE = "dcfr"
"""Of the rules the one that is never far from the best, on plain rules and with wild faces."""

DEFAULT_GAP = Fraction(1, 10**6)
"""The NashConv at which cfr stops where no gap is asked for, as a share of the range of payoffs."""

GAP_HINT = ", where cfr stops unless --gap (gap=) says what is enough; lp and oracle are exact"
"""Part of the message where cfr stopped at ``DEFAULT_GAP``."""

KINDS = {"float64": np.float64, "float32": np.float32}

ASSUMED_MEMORY = 2**34
"""Bytes of memory that are assumed where the machine does not report any."""

SHARE = 8
"""NashConv is worked out whenever this part of all iterations is new: it costs as much as one iteration."""


class Regrets(Protocol):
    """What both engines have in common; ``nash_conv`` is in units of ``unit`` payoffs."""

    rule: Rule
    iterations: int

    @property
    def unit(self) -> float:
        """What a value of 1 is in player 1's payoffs."""

    def iterate(self) -> None:
        """One iteration for both players."""

    def nash_conv(self) -> float:
        """What both could gain against the average plans."""


OPTIONS = (
    Parameter("rule", DEFAULT_RULE, choice(*RULES), f"{', '.join(RULES)} (default: {DEFAULT_RULE})"),
    Parameter("iterations", "", integer(1, 999_999_999), "stop after this many"),
    Parameter("precision", "float64", choice(*KINDS), "float64 (default) or float32"),
)


def play(game: BiddingGame, request: Request) -> Found:
    """Nearly optimal strategies of *game*, without its tree. Raises ``ParameterError`` for its options."""
    left, options = countdown(request.timeout), read_options("cfr", OPTIONS, request.options)
    model, kind = bidding(game), KINDS[options["precision"]]
    request.progress(f"arrays of {memory(model.bids, model.hands, kind) / 2**20:,.0f} MiB")
    regrets = RegretArrays(model, RULES[options["rule"]], kind)
    wanted = float(2 * DEFAULT_GAP if request.gap is None else request.gap / (model.unit * model.largest))
    ended, message, details = _minimise(regrets, wanted, options.get("iterations"), left, request)
    return Found((written(model, regrets),), ended, message, details)


def run(tree: GameTree, request: Request) -> Found:
    """Nearly optimal strategies of the game of *tree*. Raises ``ParameterError`` for its options."""
    left, options = countdown(request.timeout), read_options("cfr", OPTIONS, request.options)
    request.progress("building the sequence form")
    whole = whole_game(tree)
    regrets = TreeRegrets(whole, RULES[options["rule"]], KINDS[options["precision"]])
    span = 2 * whole.form.half or Fraction(1)
    wanted = float((DEFAULT_GAP * span if request.gap is None else request.gap) / (whole.form.unit * whole.largest))
    ended, message, details = _minimise(regrets, wanted, options.get("iterations"), left, request)
    one, two = (behavior(side.sequences, plan) for side, plan in zip(whole.sides, regrets.averages(), strict=True))
    return Found((TreeProfile.from_personal(tree, one | two),), ended, message, details)


def _minimise(
    regrets: Regrets, wanted: float, stop: int | None, left: Left, request: Request
) -> tuple[Ended, str, dict[str, object]]:
    """Iterate until NashConv is *wanted*, for *stop* iterations at most: how it ended, why, and figures."""
    ended: Ended = "done"
    gap, due, message = np.inf, 1, ""
    try:
        while not message:
            regrets.iterate()
            seconds, last = left(), regrets.iterations == stop
            late = seconds is not None and seconds <= 0
            if regrets.iterations >= due or last or late:
                gap = regrets.nash_conv()
                due = regrets.iterations + 1 + regrets.iterations // SHARE
                request.progress(f"iteration {regrets.iterations:,}: NashConv {gap * regrets.unit:.3g}")
            if gap <= wanted:
                message = f"NashConv {gap * regrets.unit:.3g} after {regrets.iterations:,} iterations"
                message += GAP_HINT if request.gap is None else ""
            elif last:
                message = f"stopped after {stop:,} iterations"
            elif late:
                ended, message = "timeout", "the time limit came first"
    except KeyboardInterrupt:
        request.progress(STOPPING)
        ended, message = "interrupted", "stopped before the end"
    details = {"iterations": regrets.iterations, "nash_conv": gap * regrets.unit, "rule": regrets.rule.name}
    return ended, message, details


def unplayable(game: Game) -> str | None:
    """Why *game* needs a tree for this method, or None."""
    problem = bidding_model.unplayable(game)
    if problem is not None:
        return problem
    assert isinstance(game, BiddingGame)
    need, there = memory(len(game.bid_names), game.hand_counts), memory_here() or ASSUMED_MEMORY
    return None if need <= there else f"its arrays take {need / 2**30:,.0f} GiB, and there are {there / 2**30:,.0f}"


SOLVERS = (
    Solver(
        name="cfr",
        summary="regret minimisation over the whole game, by arrays over all histories where it is one of bidding: "
        "nearly optimal, to a NashConv asked for with --gap",
        source="; ".join(rule.source for rule in RULES.values()),
        inapplicable=two_player_constant_sum_with_recall,
        run=run,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        play=play,
        unplayable=unplayable,
    ),
)
