"""The interface of a solver; ``registry`` lists the solvers.

A solver proposes strategies, and ``proof`` verifies these strategies with independent code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..base.errors import NotApplicableError
from ..base.parameters import Parameter, read_settings
from ..base.words import quiet
from ..forms.extensive import GameTree, constant_sum, has_perfect_information, has_perfect_recall
from ..games.protocol import Game
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile


@dataclass(frozen=True)
class Facts:
    """The properties of a game that determine whether a method applies."""

    tree: GameTree

    @cached_property
    def players(self) -> int:
        return len(self.tree.players)

    @cached_property
    def constant_sum(self) -> Fraction | None:
        return constant_sum(self.tree)

    @cached_property
    def perfect_recall(self) -> bool:
        return has_perfect_recall(self.tree)

    @cached_property
    def perfect_information(self) -> bool:
        return has_perfect_information(self.tree)


Progress = Callable[[str], None]
"""A function that receives a line of text about the current work, possibly many times per second."""


Left = Callable[[], float | None]
"""A function that returns the remaining seconds, or None if there is no limit."""


def countdown(timeout: float | None) -> Left:
    """Start a countdown of *timeout* seconds; return a function for the remaining seconds."""
    began = time.monotonic()
    return lambda: None if timeout is None else timeout - (time.monotonic() - began)


class TimeLimit(Exception):
    """The time limit has passed."""


def check_time(left: Left) -> None:
    if (seconds := left()) is not None and seconds <= 0:
        raise TimeLimit


@dataclass(frozen=True)
class Request:
    """A request to a solver.

    ``timeout``: the time limit in seconds (None: no limit). ``options``: the solver's options as text. ``gap``: the
    width of the bracket at which the solver may stop (None: the method's default). ``checkpoint``: the file in which a
    long search saves its state. ``resume``: the checkpoint from which the search continues. Methods without checkpoints
    ignore both files.
    """

    timeout: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = quiet
    gap: Fraction | None = None
    checkpoint: Path | None = None
    resume: Path | None = None


Ended = Literal["done", "timeout", "interrupted", "failed"]
"""The outcome of a run. With every outcome, the solver returns the strategies found so far."""


@dataclass(frozen=True)
class Found:
    """The result of a run.

    ``strategies``: the strategies, in the order of discovery. ``message``: the reason for the outcome. ``details``:
    data about the run, e.g. the number of iterations.
    """

    strategies: tuple[TreeProfile | SparseProfile, ...]
    ended: Ended = "done"
    message: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Solver:
    """A method that solves games. Other packages add methods by entry points in the group ``efg_builder.solvers``.

    Parameters
    ----------
    name, summary, source : str
        The name, one line of help, and the origin (a paper or a package).
    inapplicable : callable
        Takes ``Facts``. Returns None if the method applies, otherwise the reason why not, as a clause.
    run : callable
        Takes a ``GameTree`` and a ``Request``, and returns ``Found``.
    parameters : tuple of Parameter
        The KEY=VALUE options.
    several : bool, default False
        Whether the method looks for more than one equilibrium.
    brackets : bool, default False
        Whether the method may return a bracket or a near-equilibrium instead of an exact equilibrium.
    run_by_rules, needs_tree : callable, optional
        ``run_by_rules`` solves a game without its tree. ``needs_tree`` returns the reason why ``run_by_rules`` cannot
        solve a game, or None.
    stops_at_gap : bool, default False
        Whether the method stops when its bracket is as narrow as the requested gap.
    keeps_state, keeps_state_on_trees : bool, default False
        Whether the method can resume a search without a tree (``keeps_state``) or on a tree (``keeps_state_on_trees``).
    lacking : callable
        Returns an error that names a missing package, or None if all required packages are installed.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.methods()["lp"].name
    'lp'
    """

    name: str
    summary: str
    source: str
    inapplicable: Callable[[Facts], str | None]
    run: Callable[[GameTree, Request], Found]
    parameters: tuple[Parameter, ...] = ()
    several: bool = False
    brackets: bool = False
    run_by_rules: Callable[[Any, Request], Found] | None = None
    needs_tree: Callable[[Game], str | None] = lambda game: "the method needs the tree"
    stops_at_gap: bool = False
    keeps_state: bool = False
    keeps_state_on_trees: bool = False
    lacking: Callable[[], NotApplicableError | None] = lambda: None

    def __repr__(self) -> str:
        return f"<Solver {self.name!r}>"

    def __str__(self) -> str:
        return self.name

    @property
    def options(self) -> Mapping[str, str]:
        """One line of help for each option."""
        return {parameter.name: parameter.help for parameter in self.parameters}


def read_options(name: str, parameters: Sequence[Parameter], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the *given* options, and all other nonempty defaults. Raises ``ParameterError``."""
    return read_settings(name, [one for one in parameters if one.default or one.name in given], given)


# Conditions for ``Solver.inapplicable``. The minimax theorem requires a constant sum. The sequence form and Kuhn's
# theorem (1953) require perfect recall.


def two_players(facts: Facts) -> str | None:
    return None if facts.players == 2 else f"the game has {facts.players} players, not two"


def perfect_recall(facts: Facts) -> str | None:
    return None if facts.perfect_recall else "a player does not have perfect recall"


def two_player_constant_sum(facts: Facts) -> str | None:
    return two_players(facts) or (None if facts.constant_sum is not None else "the payoffs do not sum to a constant")


def two_player_constant_sum_with_recall(facts: Facts) -> str | None:
    return two_player_constant_sum(facts) or perfect_recall(facts)


def only_without_tree(facts: Facts, instead: str) -> str | None:
    """Return the reason why a method that takes no tree does not apply, and suggest the method *instead*."""
    takes = f"it solves two-player bidding games from their rules, not from a tree; use --method (method=) {instead}"
    return two_player_constant_sum_with_recall(facts) or takes


def no_tree(tree: GameTree, request: Request) -> Found:
    """Raise ``NotApplicableError``: the ``Solver.run`` of methods that take no tree."""
    raise NotApplicableError("the method takes no tree")
