"""Every routine of ``pygambit.nash`` as a solver, each run in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...base.errors import ProfileError
from ...forms.extensive import GameTree
from ...interop.efg import efg_chunks
from ...interop.gambit import child
from ...interop.gambit.mapping import faults, to_profile
from ...strategies.tree_profile import Profile
from ..protocol import Facts, Found, Request, Solver, two_player_constant_sum
from .options import (
    MAX_REGRET,
    RATIONAL,
    STOP_AFTER,
    STRATEGIC,
    Option,
    above_zero,
    below_zero,
    count,
    exact,
    executable,
    one_or_more,
    point,
    read_options,
    truth,
    whole,
)

MAX_DEPTH = 10_000
"""Levels that Gambit is given at most: its reader died between 12,500 and 12,900 of them with a stack of 8 MiB."""

Condition = Callable[[Facts], str | None]


def has_players(facts: Facts) -> str | None:
    """Every routine: some crash where nobody plays."""
    return None if facts.players else "the game has no players"


def shallow(facts: Facts) -> str | None:
    """Every routine: Gambit's reader calls itself once for each level, until the stack is full and the process dies."""
    depth = int(facts.tree.depth.max())
    if depth <= MAX_DEPTH:
        return None
    return (
        f"the tree is {depth:,} levels deep, and Gambit, which reads level within level, crashes beyond {MAX_DEPTH:,}"
    )


def two_or_more(facts: Facts) -> str | None:
    """Routines that work on the payoffs from pairs of players."""
    return None if facts.players >= 2 else f"the game has {facts.players} players, not two or more"


def two_players(facts: Facts) -> str | None:
    """Complementarity and vertex enumeration."""
    return None if facts.players == 2 else f"the game has {facts.players} players, not two"


def perfect_recall(facts: Facts) -> str | None:
    """The sequence form, and behavior from mixed strategies (Kuhn 1953)."""
    return None if facts.perfect_recall else "a player does not have perfect recall"


@dataclass(frozen=True, slots=True)
class Start:
    """The option that names a point to start from, and its value where none is given."""

    key: str
    default: str
    help: str
    kind: str = "strategy"


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the table: a routine, what it needs of the game and which settings it takes.

    ``none`` is what finding nothing proves, where the routine is exhaustive.
    """

    name: str
    summary: str
    source: str
    conditions: tuple[Condition, ...] = (has_players, perfect_recall)
    options: Mapping[str, Option] = field(default_factory=dict)
    start: Start | None = None
    several: bool = False
    none: str = ""

    @property
    def routine(self) -> str:
        """The function of ``pygambit.nash``."""
        return self.name.removeprefix("gambit-").replace("-", "_") + "_solve"

    def inapplicable(self, facts: Facts) -> str | None:
        """The first condition that the game does not meet."""
        return next((problem for condition in (shallow, *self.conditions) if (problem := condition(facts))), None)

    def known(self, tree: GameTree) -> dict[str, Option]:
        """All settings, the starting point for *tree* included."""
        if self.start is None:
            return dict(self.options)
        read = partial(point, self.start.key, tree, kind=self.start.kind)
        return {**self.options, self.start.key: Option(read, self.start.help)}

    def help(self) -> dict[str, str]:
        """A line on each setting."""
        start = {} if self.start is None else {self.start.key: f"{self.start.help} (default {self.start.default})"}
        return {key: option.help for key, option in self.options.items()} | start


POINT = "uniform, first (each player's first strategy), random:SEED or FILE.json (a solution)"
PERTURBATION = Start("perturbation", "first", "what to favour: first (each first strategy), random:SEED or FILE.json")
ITERATIONS = Option(count, "at most this many iterations (default 1000)")

METHODS = (
    Method(
        "gambit-lp",
        "linear program of the sequence form; exact",
        "Koller, Megiddo and von Stengel (STOC 1994)",
        (two_player_constant_sum, perfect_recall),
        {"rational": RATIONAL, "use_strategic": STRATEGIC},
    ),
    Method(
        "gambit-lcp",
        "Lemke's method on the sequence form; exact",
        "Koller, Megiddo and von Stengel (Games Econ. Behav. 14, 1996); Lemke and Howson (SIAM J. 12, 1964)",
        (two_players, perfect_recall),
        {
            "rational": RATIONAL,
            "use_strategic": STRATEGIC,
            "stop_after": Option(count, f"{STOP_AFTER.help}; strategic form only", needs="use_strategic"),
            "max_depth": Option(count, "at most this deep a recursion; strategic form only", needs="use_strategic"),
        },
        several=True,
    ),
    Method(
        "gambit-enumpure",
        "all equilibria in pure strategies, by trying each",
        "definition of Nash (Ann. Math. 54, 1951)",
        several=True,
        none="no pure-strategy equilibrium exists",
    ),
    Method(
        "gambit-enumpure-agent",
        "all pure profiles that no single information set gains by leaving",
        "agent form of Selten (Int. J. Game Theory 4, 1975)",
        (has_players,),
        several=True,
        none="no pure-strategy equilibrium of the agent form exists",
    ),
    Method(
        "gambit-enummixed",
        "all extreme equilibria of the strategic form",
        "Mangasarian (SIAM J. 12, 1964); Avis, Rosenberg, Savani and von Stengel (Econ. Theory 42, 2010)",
        (two_players, perfect_recall),
        {
            "rational": RATIONAL,
            "cliques": Option(truth, "true: count the connected sets of equilibria too", excludes=("lrsnash_path",)),
            "lrsnash_path": Option(executable, "the program lrsnash, to let it do the work"),
        },
        several=True,
    ),
    Method(
        "gambit-enumpoly",
        "equilibria support by support, by solving polynomial equations",
        "McKelvey and McLennan (Handbook of Computational Economics 1, 1996)",
        options={
            "use_strategic": STRATEGIC,
            "stop_after": STOP_AFTER,
            "maxregret": MAX_REGRET,
            "max_rectangles": Option(count, "give up a support after this many rectangles (default 20000)"),
            "phcpack_path": Option(executable, "the program phc, to solve the equations", needs="use_strategic"),
        },
        several=True,
    ),
    Method(
        "gambit-logit",
        "follows the logit quantal response equilibria to their limit",
        "McKelvey and Palfrey (Exp. Econ. 1, 1998); Turocy (Games Econ. Behav. 51, 2005)",
        options={
            "use_strategic": STRATEGIC,
            "maxregret": MAX_REGRET,
            "first_step": Option(above_zero, "length of the first step (default 0.03)"),
            "max_accel": Option(one_or_more, "how fast steps may lengthen (default 1.1)"),
        },
    ),
    Method(
        "gambit-liap",
        "minimises a Lyapunov function of the strategic form from a starting point",
        "McKelvey (A Liapunov function for Nash equilibria, 1991)",
        options={"maxregret": MAX_REGRET, "maxiter": ITERATIONS},
        start=Start("start", "uniform", POINT),
    ),
    Method(
        "gambit-liap-agent",
        "minimises a Lyapunov function of the agent form from a starting point",
        "McKelvey (A Liapunov function for Nash equilibria, 1991)",
        options={"maxregret": MAX_REGRET, "maxiter": ITERATIONS},
        start=Start("start", "uniform", POINT, "behavior"),
    ),
    Method(
        "gambit-ipa",
        "iterated polymatrix approximation",
        "Govindan and Wilson (J. Econ. Dyn. Control 28, 2004)",
        (two_or_more, perfect_recall),
        start=PERTURBATION,
    ),
    Method(
        "gambit-gnm",
        "global Newton method: all equilibria on one path from a perturbed game",
        "Govindan and Wilson (J. Econ. Theory 110, 2003)",
        (two_or_more, perfect_recall),
        {
            "end_lambda": Option(below_zero, "follow the path down to this perturbation (default -10)"),
            "steps": Option(count, "steps within a support (default 100)"),
            "local_newton_interval": Option(count, "a corrector step after this many steps (default 3)"),
            "local_newton_maxits": Option(count, "iterations of a corrector step (default 10)"),
        },
        PERTURBATION,
        several=True,
    ),
    Method(
        "gambit-simpdiv",
        "simplicial subdivision of the mixed strategies; rational",
        "van der Laan, Talman and van der Heyden (Math. Oper. Res. 12, 1987)",
        options={
            "maxregret": Option(exact, MAX_REGRET.help + " (default 1e-7)"),
            "refine": Option(whole(2), "how many times finer each grid is (default 2)"),
            "leash": Option(count, "at most this many steps on a grid"),
        },
        start=Start("start", "uniform", POINT, "exact"),
    ),
    Method(
        "gambit-hp",
        "differentiable homotopy: the tracing procedure from a prior",
        "Herings and Peeters (Econ. Theory 18, 2001)",
        options={"maxregret": MAX_REGRET},
        # From the uniform prior, players often have several best responses, which the method rules out.
        start=Start("prior", "random:1", POINT),
    ),
)


def run(method: Method, tree: GameTree, request: Request) -> Found:
    """What the routine proposes for *tree*. Raises ``ParameterError`` for its settings before it starts."""
    given: dict[str, str] = dict(request.options)
    if method.start is not None:
        given.setdefault(method.start.key, method.start.default)
    options: dict[str, Any] = read_options(method.name, method.known(tree), given)
    answer = child.run(efg_chunks(tree), method.routine, options, request.timeout, request.progress)
    profiles, wrong = _profiles(tree, answer.rows)
    messages = [answer.message] if answer.message else []
    if answer.ended == "done" and not answer.rows:
        exhausted = method.none if answer.success else ""
        messages.insert(0, exhausted or "Gambit found no equilibrium")
        return Found((), "done" if exhausted else "failed", ": ".join(messages))
    if wrong:
        more = f" (and {len(wrong) - 1:,} more of that kind)" if len(wrong) > 1 else ""
        messages.append(wrong[0] + more)
    ended = "failed" if answer.ended == "done" and not profiles else answer.ended
    return Found(profiles, ended, "; ".join(messages))


def _profiles(tree: GameTree, answers: list[Any]) -> tuple[tuple[Profile, ...], list[str]]:
    """The profiles, each once, in the order found; and what is wrong with Gambit's answers, in sentences."""
    found: dict[tuple[Any, ...], Profile] = {}
    wrong = []
    for rows in answers:
        try:
            profile = to_profile(tree, rows)
            wrong += faults(tree, rows)
        except ProfileError as error:
            wrong.append(f"a profile of Gambit's is none on this tree: {error}")
        else:
            found.setdefault(profile.probabilities, profile)
    return tuple(found.values()), wrong


SOLVERS = tuple(
    Solver(
        name=method.name,
        summary=f"Gambit: {method.summary}",
        source=method.source,
        inapplicable=method.inapplicable,
        run=partial(run, method),
        options=method.help(),
        several=method.several,
    )
    for method in METHODS
)
