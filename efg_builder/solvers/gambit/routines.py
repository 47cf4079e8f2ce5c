"""The routines of ``pygambit.nash`` as solvers, each run in its own process."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any

from ...base.errors import FileError, ParameterError, ProfileError, nearest
from ...base.formats import COMPUTED
from ...base.parameters import Parameter, integer, positive, truth
from ...forms.extensive import GameTree
from ...interop.efg import efg_chunks
from ...interop.gambit import child
from ...interop.gambit.mapping import faults, from_profile, to_profile
from ...strategies.reading import read_solution
from ...strategies.tree_profile import TreeProfile
from ..protocol import Found, Request, Solver, Solves, read_options

AUTO_TIMEOUT = 60.0
"""Default total time limit, in seconds, for all routines that ``auto`` runs. Other runs have no default limit."""

LEAST_TIMEOUT = 1.0
"""Minimum time limit, in seconds, of a routine that ``auto`` runs, unless less time is left."""

PAYOFFS = "gambit_payoffs"
"""The key in ``Found.details`` for each player's payoff in each profile, as computed by Gambit."""

MOST = 999_999_999
"""The largest integer that an option accepts, because Gambit uses 32-bit integers."""

ANY = Solves(least_players=1, gambit=True)
"""Some routines crash on games without players."""

TWO_OR_MORE = replace(ANY, least_players=2)
"""Some routines use the payoffs of pairs of players."""


@dataclass(frozen=True, slots=True)
class Option(Parameter):
    """An option of a routine. If ``default`` is empty, Gambit's default applies.

    ``needs``: another option that must be true. ``starts``: "floats" or "exact", the type of probabilities, if the
    option is a starting point.
    """

    needs: str = ""
    starts: str = ""


def number(accepts: Callable[[float], bool], what: str) -> Callable[[str], float]:
    """Return a function that reads a finite float and tests the float with *accepts*; *what* describes valid floats."""

    def read(text: str) -> float:
        with suppress(ValueError):
            if isfinite(value := float(text)) and accepts(value):
                return value
        raise ValueError(f"must be {what}")

    return read


def exact(text: str) -> str:
    """Return a positive fraction as text for Gambit. Raises ``ValueError``."""
    with suppress(ValueError, ZeroDivisionError):
        return str(positive(text))
    raise ValueError("must be a number above zero, like 1/1000 or 1e-6")


above_zero = number(lambda value: value > 0, "a number above zero")
count = integer(1, MOST)

RATIONAL = Option("rational", "", truth, "true (default): exact arithmetic; false: floats, faster and often wrong")
STRATEGIC = Option("use_strategic", "", truth, "true: solve the reduced strategic form; false (default): the tree")
MAX_REGRET = Option(
    "maxregret", "", above_zero, "accept a profile if its regret is at most this fraction of the payoff range"
)
STOP_AFTER = Option("stop_after", "", count, "stop after this many equilibria")


def point(key: str, tree: GameTree, text: str, *, exact: bool) -> Any:
    """Return the starting point for Gambit's process.

    *text* is ``uniform`` (or ``centroid``), ``first``, ``random:SEED`` or a file. Raises ``ValueError``.
    """
    word, _, seed = text.partition(":")
    if text in ("uniform", "centroid"):
        if key == "perturbation":
            raise ValueError(
                "must favor one strategy of each player, so it cannot be uniform; use first or random:SEED"
            )
        return "uniform"
    if text == "first":
        return "first"
    if word == "random":
        try:
            return {"random": integer(0, MOST)(seed)}
        except ValueError:
            raise ValueError("must be random:SEED with a whole number like 1") from None
    if not text.endswith(".json") and not os.path.exists(text):
        raise ValueError(f"no such file; {nearest(text, ('uniform', 'first', 'random:SEED', 'FILE.json'))}")
    try:
        return {"rows": from_profile(read_solution(text, tree), exact=exact)}
    except (FileError, ProfileError) as error:
        raise ValueError(str(error)) from None


POINT = "uniform, first (each player's first strategy), random:SEED or FILE.json (a solution)"


def starting(key: str, default: str, starts: str = "floats", help: str = POINT) -> Option:
    return Option(key, default, str, f"{help} (default {default})", starts=starts)


START = starting("start", "uniform")
PERTURBATION = starting(
    "perturbation", "first", help="strategies to favor: first (each player's first strategy), random:SEED or FILE.json"
)
ITERATIONS = Option("maxiter", "", count, "maximum number of iterations (default 1000)")


def run(name: str, options: Sequence[Option], none: str, tree: GameTree, request: Request) -> Found:
    """Return the profiles that a routine finds for *tree*. Raises ``ParameterError`` before Gambit starts."""
    given = _read(name, options, tree, request.options)
    answer = child.run(efg_chunks(tree), routine(name), given, request.timeout, request.progress)
    profiles, wrong = _profiles(tree, answer.rows)
    details: dict[str, object] = {COMPUTED: round(answer.seconds, 3)}
    if answer.payoffs:
        details[PAYOFFS] = answer.payoffs
    messages = [answer.message] if answer.message else []
    if answer.ended == "done" and not answer.rows:
        exhausted = none if answer.success else ""
        messages.insert(0, exhausted or "Gambit found no equilibrium")
        return Found((), "done" if exhausted else "failed", ": ".join(messages), details)
    if wrong:
        more = f" (and {len(wrong) - 1:,} similar problems)" if len(wrong) > 1 else ""
        messages.append(wrong[0] + more)
    ended = "failed" if answer.ended == "done" and not profiles else answer.ended
    return Found(profiles, ended, "; ".join(messages), details)


def _read(name: str, options: Sequence[Option], tree: GameTree, given: Mapping[str, str]) -> dict[str, Any]:
    known = [
        replace(one, read=partial(point, one.name, tree, exact=one.starts == "exact")) if one.starts else one
        for one in options
    ]
    values = read_options(name, known, given)
    for option in known:
        if option.needs and option.name in values and not values.get(option.needs):
            raise ParameterError(f"{name}: {option.name} works only with {option.needs}=true")
    return values


def _profiles(tree: GameTree, answers: list[Any]) -> tuple[tuple[TreeProfile, ...], list[str]]:
    found: dict[tuple[Any, ...], TreeProfile] = {}
    wrong = []
    for rows in answers:
        try:
            profile = to_profile(tree, rows)
            wrong += faults(tree, rows)
        except ProfileError as error:
            wrong.append(f"a profile from Gambit does not fit this tree: {error}")
        else:
            found.setdefault(profile.probabilities, profile)
    return tuple(found.values()), wrong


def routine(name: str) -> str:
    """Return the name of a method's function in ``pygambit.nash``."""
    return name.removeprefix("gambit-").replace("-", "_") + "_solve"


def solver(
    name: str,
    summary: str,
    source: str,
    solves: Solves = ANY,
    options: tuple[Option, ...] = (),
    several: bool = False,
    none: str = "",
) -> Solver:
    """Return a routine as a solver. *none*: the conclusion if an exhaustive routine finds no equilibrium."""
    return Solver(
        name=name,
        summary=f"Gambit: {summary}",
        source=source,
        solves=replace(solves, several=several),
        run=partial(run, name, options, none),
        parameters=options,
    )


SOLVERS = (
    solver(
        "gambit-lp",
        "linear program of the sequence form; exact",
        "Koller, Megiddo and von Stengel (STOC 1994)",
        Solves(players=2, constant_sum=True, gambit=True),
        (RATIONAL, STRATEGIC),
    ),
    solver(
        "gambit-lcp",
        "Lemke's method on the sequence form; exact",
        "Koller, Megiddo and von Stengel (Games Econ. Behav. 14, 1996); Lemke and Howson (SIAM J. 12, 1964)",
        Solves(players=2, gambit=True),
        (
            RATIONAL,
            STRATEGIC,
            Option("stop_after", "", count, f"{STOP_AFTER.help}; strategic form only", needs="use_strategic"),
        ),
        several=True,
    ),
    solver(
        "gambit-enumpure",
        "all equilibria in pure strategies, by testing every pure profile",
        "definition of Nash (Ann. Math. 54, 1951)",
        several=True,
        none="no pure-strategy equilibrium exists",
    ),
    solver(
        "gambit-enumpure-agent",
        "all pure profiles in which no deviation at a single information set gains",
        "agent form of Selten (Int. J. Game Theory 4, 1975)",
        replace(ANY, recall=None),
        several=True,
        none="no pure-strategy equilibrium of the agent form exists",
    ),
    solver(
        "gambit-enummixed",
        "all extreme equilibria of the strategic form",
        "Mangasarian (SIAM J. 12, 1964); Avis, Rosenberg, Savani and von Stengel (Econ. Theory 42, 2010)",
        Solves(players=2, gambit=True),
        (RATIONAL,),
        several=True,
    ),
    solver(
        "gambit-enumpoly",
        "equilibria by solving polynomial equations for each support",
        "McKelvey and McLennan (Handbook of Computational Economics 1, 1996)",
        options=(
            STRATEGIC,
            STOP_AFTER,
            MAX_REGRET,
            Option(
                "max_rectangles",
                "",
                count,
                "maximum number of rectangles before Gambit drops a support (default 20000)",
            ),
        ),
        several=True,
    ),
    solver(
        "gambit-logit",
        "follows the logit quantal response equilibria to their limit",
        "McKelvey and Palfrey (Exp. Econ. 1, 1998); Turocy (Games Econ. Behav. 51, 2005)",
        options=(
            STRATEGIC,
            MAX_REGRET,
            Option("first_step", "", above_zero, "length of the first step (default 0.03)"),
            Option(
                "max_accel",
                "",
                number(lambda value: value >= 1, "a number of at least 1"),
                "maximum growth factor of a step (default 1.1)",
            ),
        ),
    ),
    solver(
        "gambit-liap",
        "minimizes a Lyapunov function of the strategic form from a starting point",
        "McKelvey (A Liapunov function for Nash equilibria, 1991)",
        options=(MAX_REGRET, ITERATIONS, START),
    ),
    solver(
        "gambit-liap-agent",
        "minimizes a Lyapunov function of the agent form from a starting point",
        "McKelvey (A Liapunov function for Nash equilibria, 1991)",
        options=(MAX_REGRET, ITERATIONS, START),
    ),
    solver(
        "gambit-ipa",
        "iterated polymatrix approximation",
        "Govindan and Wilson (J. Econ. Dyn. Control 28, 2004)",
        TWO_OR_MORE,
        (PERTURBATION,),
    ),
    solver(
        "gambit-gnm",
        "global Newton method: all equilibria on one path from a perturbed game",
        "Govindan and Wilson (J. Econ. Theory 110, 2003)",
        TWO_OR_MORE,
        (
            Option(
                "end_lambda",
                "",
                number(lambda value: value < 0, "a number below zero"),
                "follow the path down to this perturbation (default -10)",
            ),
            Option("steps", "", count, "number of steps within a support (default 100)"),
            Option("local_newton_interval", "", count, "number of steps between corrector steps (default 3)"),
            Option("local_newton_maxits", "", count, "maximum number of iterations of a corrector step (default 10)"),
            PERTURBATION,
        ),
        several=True,
    ),
    solver(
        "gambit-simpdiv",
        "simplicial subdivision of the mixed strategies; rational",
        "van der Laan, Talman and van der Heyden (Math. Oper. Res. 12, 1987)",
        options=(
            Option("maxregret", "", exact, MAX_REGRET.help + " (default 1e-7)"),
            Option("refine", "", integer(2, MOST), "refinement factor from grid to grid (default 2)"),
            Option("leash", "", count, "maximum number of steps on a grid"),
            starting("start", "uniform", "exact"),
        ),
    ),
    solver(
        "gambit-hp",
        "differentiable homotopy: the tracing procedure from a prior",
        "Herings and Peeters (Econ. Theory 18, 2001)",
        # Against a uniform prior, players often have several best responses, which the method does not allow.
        options=(MAX_REGRET, starting("prior", "random:1")),
    ),
)
