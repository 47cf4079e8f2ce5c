"""The only module that imports pygambit 17.

Rows are nested lists, indexed by player, information set (in Gambit's order) and action. An entry is a string ``"p/q"``
for a rational number, otherwise a float.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pygambit
import pygambit.nash

from ...base.rationals import text

Rows = list[list[list[str | float]]]
"""Probabilities by player, information set and action."""

Payoffs = list[str | float]
"""Each player's expected payoff, computed by Gambit."""

RANDOM_GRID = 10
"""The denominator of random exact starting points, and the initial grid size of simplicial subdivision."""


@dataclass(frozen=True)
class Routine:
    """One function of ``pygambit.nash``.

    ``point``: the keyword of the starting point. ``kind``: the type of the starting point, ``"strategy"`` (mixed
    strategies), ``"exact"`` (rational mixed strategies) or ``"behavior"``.
    """

    name: str
    point: str | None = None
    kind: str = "strategy"
    nash_callback: bool = True
    event_callback: bool = False
    rational_options: tuple[str, ...] = ()


ROUTINES: Mapping[str, Routine] = {
    routine.name: routine
    for routine in (
        Routine("lp_solve"),
        Routine("lcp_solve"),
        Routine("enumpure_solve"),
        Routine("enumpure_agent_solve"),
        Routine("enummixed_solve"),
        Routine("enumpoly_solve", event_callback=True),
        Routine("logit_solve", nash_callback=False, event_callback=True),
        Routine("liap_solve", "start", event_callback=True),
        Routine("liap_agent_solve", "start", "behavior", event_callback=True),
        Routine("ipa_solve", "perturbation", event_callback=True),
        Routine("gnm_solve", "perturbation", event_callback=True),
        Routine("simpdiv_solve", "start", "exact", event_callback=True, rational_options=("maxregret",)),
        Routine("hp_solve", "prior", nash_callback=False, event_callback=True),
    )
}
"""Every routine of ``pygambit.nash`` that returns equilibria."""

EVENTS: Mapping[str, Callable[[Any, int], str]] = {
    "GNMStepEvent": lambda event, count: f"step {count:,}, lambda {event.lam:.4g}",
    "HPStepEvent": lambda event, count: f"step {count:,}, t {event.t:.4g}",
    "LogitPathEvent": lambda event, count: f"step {count:,}, lambda {event.qre.lam:.4g}",
    "IPAStepEvent": lambda event, count: f"iteration {event.iteration:,}",
    "SimpdivRefinementEvent": lambda event, count: f"grid {event.grid_size}, regret {float(event.regret):.3g}",
    "EnumPolyCandidateSupportEvent": lambda event, count: f"{count:,} supports",
    "LiapStartEvent": lambda event, count: "minimizing",
    "LiapEndEvent": lambda event, count: f"regret {event.regret:.3g}",
}
"""For each event class, a function that converts an event and the number of such events to a progress line."""


@dataclass(frozen=True)
class RoutineEnd:
    """The result of a routine: Gambit's ``success``, the reason for a failure, and a note."""

    success: bool
    reason: str = ""
    note: str = ""


def read(efg: str) -> Any:
    """Return the pygambit game of an ``.efg`` text. Raises ``ValueError`` if Gambit cannot read the text."""
    return pygambit.read_efg(io.StringIO(efg))


def rows(profile: Any) -> Rows:
    """Return a pygambit profile as plain lists; mixed strategies become behavior strategies."""
    if isinstance(profile.game, pygambit.StrategicGame):
        return [[[_plain(p) for _, p in player]] for player in profile]
    if isinstance(profile, pygambit.gambit.MixedStrategyProfile):
        profile = profile.as_behavior()
    return [[[_plain(p) for _, p in action] for _, action in player] for player in profile]


def solve(
    game: Any,
    routine: str,
    options: Mapping[str, Any],
    on_profile: Callable[[Rows, Payoffs], None],
    on_progress: Callable[[str], None],
) -> RoutineEnd:
    """Run one of ``ROUTINES``. *on_profile* receives each new profile and its payoffs as soon as they are found.

    *options* are the routine's keyword arguments, with rational numbers as text. The option named in ``Routine.point``
    is the starting point: ``"uniform"``, ``"first"``, ``{"random": seed}`` or ``{"rows": rows}``.
    """
    entry = ROUTINES[routine]
    arguments = dict(options)
    first = game if entry.point is None else point(game, entry.kind, arguments.pop(entry.point))
    for key in entry.rational_options:
        if key in arguments:
            arguments[key] = pygambit.Rational(arguments[key])
    known: set[str] = set()
    events: Counter[str] = Counter()

    def found(profile: Any) -> None:
        table = rows(profile)
        if (key := repr(table)) not in known:
            known.add(key)
            on_profile(table, [_plain(payoff) for _, payoff in profile.payoffs])
            on_progress(f"profiles found: {len(known):,}")

    def happened(event: Any) -> None:
        kind = type(event).__name__
        events[kind] += 1
        if kind in EVENTS:
            on_progress(EVENTS[kind](event, events[kind]))

    arguments |= {"nash_callback": found} if entry.nash_callback else {}
    arguments |= {"event_callback": happened} if entry.event_callback else {}
    result = getattr(pygambit.nash, routine)(first, **arguments)
    for profile in _equilibria(result):
        found(profile)
    reason = "" if result.success or not hasattr(result, "reason") else result.reason.name
    return RoutineEnd(bool(result.success), reason.replace("_", " ").lower(), _note(events))


def branch(
    game: Any,
    options: Mapping[str, Any],
    on_found: Callable[[dict[str, Any]], None],
    on_progress: Callable[[str], None],
) -> RoutineEnd:
    """Trace the principal branch of agent logit quantal response equilibria (behavior strategies).

    *on_found* receives ``{"lambda": number, "rows": rows}`` for each point as soon as it is found, and
    ``{"bifurcation": [lambda before, lambda after]}`` at a bifurcation. ``{"perturbed": flag}`` marks the beginning and
    end of tracing in a slightly perturbed game. *options* are keyword arguments of ``logit_solve``, or ``{"at":
    numbers}``; then only the points with these values of lambda are found.
    """
    count, at = 0, options.get("at")

    def happened(event: Any) -> None:
        nonlocal count
        kind = type(event).__name__
        if kind == "LogitPathEvent":
            count += 1
            if at is None:
                on_found({"lambda": float(event.qre.lam), "rows": rows(event.qre.profile)})
            on_progress(EVENTS[kind](event, count))
        elif kind == "LogitBifurcationEvent":
            on_found({"bifurcation": [float(event.before.lam), float(event.after.lam)]})
        elif kind == "LogitPerturbationEvent":
            on_found({"perturbed": bool(event.active)})

    if at is not None:
        found = pygambit.qre.logit_solve_lambda(game, lam=list(at), event_callback=happened)
        for asked, point in zip(at, found, strict=True):
            on_found({"lambda": asked, "rows": rows(point.profile)})
        return RoutineEnd(True, "")
    result = pygambit.nash.logit_solve(game, event_callback=happened, **options)
    return RoutineEnd(bool(result.success), "" if result.success else result.reason.name.replace("_", " ").lower())


def point(game: Any, kind: str, given: Any) -> Any:
    """Return the starting point *given* (see ``solve``) as a pygambit profile."""
    exact = kind == "exact"
    if isinstance(given, dict) and "rows" in given:
        behavior = game.mixed_behavior_profile(given["rows"], rational=exact)
        return behavior if kind == "behavior" else behavior.as_strategy()
    if isinstance(given, dict):
        numbers = np.random.default_rng(given["random"])
        if kind == "behavior":
            return game.random_behavior_profile(gen=numbers)
        return game.random_strategy_profile(denom=RANDOM_GRID if exact else None, gen=numbers)
    if kind == "behavior":
        center = game.mixed_behavior_profile()
        if given == "uniform":
            return center
        data = [[[float(k == 0) for k in range(len(action))] for _, action in player] for player in center]
        return game.mixed_behavior_profile(data)
    profile = game.mixed_strategy_profile(rational=exact)
    if given == "first":
        for player in game.players:
            profile[player] = {next(iter(game.get_strategies(player))): 1}
    return profile


def _plain(probability: Any) -> str | float:
    return text(probability) if isinstance(probability, Fraction) else float(probability)


def _equilibria(result: Any) -> list[Any]:
    if hasattr(result, "equilibria"):
        return list(result.equilibria)
    return [] if result.equilibrium is None else [result.equilibrium]


def _note(events: Counter[str]) -> str:
    counts = {
        "supports skipped because their equations are singular": events["EnumPolySingularSupportEvent"],
        "supports abandoned at max_rectangles": events["EnumPolyBudgetExceededSupportEvent"],
    }
    return "; ".join(f"{what}: {count:,}" for what, count in counts.items() if count)
