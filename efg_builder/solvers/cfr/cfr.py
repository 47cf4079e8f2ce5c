"""Regret minimisation over the whole game: a second opinion on the oracle and on linear programs.

Games of bidding need no tree: their arrays hold all histories at once. Other two-player constant-sum games are
solved on the sequence form of their tree. Averages get near to an equilibrium and never there; so what comes back is a
bracket, and how narrow it is to be is asked for (``gap``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from ...base.errors import ParameterError, nearest
from ...base.machine import memory_here
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ...strategies.tree_profile import Profile
from ..lp.lp import inapplicable
from ..oracle.bidding import bidding
from ..oracle.oracle import unplayable as unplayable_by_oracle
from ..oracle.tree_oracle_game import whole_game
from ..protocol import Ended, Found, Left, Request, Solver, countdown
from .regret_arrays import RegretArrays, memory
from .regret_plans import behavior, written
from .regret_rules import RULES, Rule
from .regret_tree import TreeRegrets

DEFAULT_RULE = "dcfr"
"""Of the rules the one that is never far from the best, on plain rules and with wild faces."""

ENOUGH = Fraction(1, 10**6)
"""The NashConv that is enough where nothing else is asked for, as a share of the range of payoffs."""

UNASKED = ", where cfr stops unless --gap (gap=) says what is enough; lp and oracle are exact"
"""Said where that was enough."""

KINDS = {"float64": np.float64, "float32": np.float32}

UNTOLD = 2**34
"""Bytes of memory that are taken to be there where the machine does not tell."""

SHARE = 8
"""NashConv is worked out whenever this part of all iterations is new: it costs as much as one iteration."""


class Regrets(Protocol):
    """What both engines are; ``nash_conv`` in units of ``unit`` payoffs."""

    iterations: int

    @property
    def unit(self) -> float:
        """What a value of 1 is in player 1's payoffs."""

    def iterate(self) -> None:
        """One iteration for both players."""

    def nash_conv(self) -> float:
        """What both could gain against the average plans."""


@dataclass(frozen=True)
class Settings:
    """The method's options: a rule, a type of floats, the most iterations (None: no limit)."""

    rule: Rule
    kind: Any
    most: int | None


def settings(request: Request) -> Settings:
    """The options of *request*. Raises ``ParameterError``."""
    rule = request.options.get("rule", DEFAULT_RULE)
    if rule not in RULES:
        raise ParameterError(f"rule={rule}: {nearest(rule, list(RULES))}")
    kind = request.options.get("precision", "float64")
    if kind not in KINDS:
        raise ParameterError(f"precision={kind}: {nearest(kind, list(KINDS))}")
    most = request.options.get("iterations")
    if most is not None and not (most.isascii() and most.isdigit() and int(most) > 0):
        raise ParameterError(f"iterations={most}: must be a whole number from 1 on")
    return Settings(RULES[rule], KINDS[kind], None if most is None else int(most))


def play(game: BiddingGame, request: Request) -> Found:
    """Nearly optimal strategies of *game*, without its tree."""
    left, asked = countdown(request.timeout), settings(request)
    model = bidding(game)
    request.progress(f"arrays of {memory(model.bids, model.hands, asked.kind) / 2**20:,.0f} MiB")
    regrets = RegretArrays(model, asked.rule, asked.kind)
    wanted = float(2 * ENOUGH if request.gap is None else request.gap / (model.unit * model.largest))
    ended, message, gap = _minimise(regrets, wanted, asked, left, request)
    details = {"iterations": regrets.iterations, "nash_conv": gap, "rule": asked.rule.name}
    return Found((written(model, regrets),), ended, message, details)


def run(tree: GameTree, request: Request) -> Found:
    """Nearly optimal strategies of the game of *tree*."""
    left, asked = countdown(request.timeout), settings(request)
    request.progress("building the sequence form")
    whole = whole_game(tree)
    regrets = TreeRegrets(whole, asked.rule, asked.kind)
    span = 2 * whole.form.half or Fraction(1)
    wanted = float((ENOUGH * span if request.gap is None else request.gap) / (whole.form.unit * whole.largest))
    ended, message, gap = _minimise(regrets, wanted, asked, left, request)
    details = {"iterations": regrets.iterations, "nash_conv": gap, "rule": asked.rule.name}
    one, two = (behavior(side.sequences, plan) for side, plan in zip(whole.sides, regrets.averages(), strict=True))
    return Found((Profile.from_personal(tree, one | two),), ended, message, details)


def _minimise(
    regrets: Regrets, wanted: float, asked: Settings, left: Left, request: Request
) -> tuple[Ended, str, float]:
    """Iterate until NashConv is *wanted* or something else ends it: how it ended, why, and NashConv in payoffs."""
    gap, due, stop = np.inf, 1, asked.most
    try:
        while True:
            regrets.iterate()
            seconds, last = left(), regrets.iterations == stop
            late = seconds is not None and seconds <= 0
            if regrets.iterations >= due or last or late:
                gap = regrets.nash_conv()
                due = regrets.iterations + 1 + regrets.iterations // SHARE
                request.progress(f"iteration {regrets.iterations:,}: NashConv {gap * regrets.unit:.3g}")
            if gap <= wanted:
                reached = f"NashConv {gap * regrets.unit:.3g} after {regrets.iterations:,} iterations"
                return "done", reached + UNASKED * (request.gap is None), gap * regrets.unit
            if last:
                return "done", f"stopped after {stop:,} iterations", gap * regrets.unit
            if late:
                return "timeout", "the time limit came first", gap * regrets.unit
    except KeyboardInterrupt:
        return "interrupted", "stopped before the end", gap * regrets.unit


def unplayable(game: Game) -> str | None:
    """Why *game* needs a tree for this method, or None."""
    problem = unplayable_by_oracle(game)
    if problem is not None:
        return problem
    assert isinstance(game, BiddingGame)
    need, there = memory(len(game.bid_names), game.hand_counts), memory_here() or UNTOLD
    return None if need <= there else f"its arrays take {need / 2**30:,.0f} GiB, and there are {there / 2**30:,.0f}"


SOLVERS = (
    Solver(
        name="cfr",
        summary="regret minimisation over the whole game, by arrays over all histories where it is one of bidding: "
        "nearly optimal, to a NashConv asked for with --gap",
        source="; ".join(rule.source for rule in RULES.values()),
        inapplicable=inapplicable,
        run=run,
        options={
            "rule": f"{', '.join(RULES)} (default: {DEFAULT_RULE})",
            "iterations": "stop after so many",
            "precision": "float64 (default) or float32",
        },
        brackets=True,
        stops_at_gap=True,
        play=play,
        unplayable=unplayable,
    ),
)
