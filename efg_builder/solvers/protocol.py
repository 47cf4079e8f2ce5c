"""The interface of a solver; ``registry`` lists the solvers.

A solver proposes strategies, and ``proof`` verifies these strategies with independent code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from ..base.errors import NotApplicableError
from ..base.parameters import Parameter, read_settings
from ..base.words import plural, quiet
from ..forms.extensive import GameTree, constant_sum, has_perfect_information
from ..forms.recall import has_perfect_recall, lacks_recall, solvable
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.gambit import lacking
from ..interop.gambit.mapping import too_deep
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile

Progress = Callable[[str], None]
"""A function that receives a line of text about the current work, possibly many times per second."""


Watch = Callable[[int, TreeProfile | SparseProfile], None]
"""A function that receives the number of the iteration, and the best or average strategies of all players."""


Left = Callable[[], float | None]
"""A function that returns the remaining seconds, or None if there is no limit."""


def countdown(timeout: float | None) -> Left:
    """Start a countdown of *timeout* seconds; return a function for the remaining seconds."""
    began = time.monotonic()
    return lambda: None if timeout is None else timeout - (time.monotonic() - began)


class TimeLimit(Exception):
    """The time limit has passed."""


@dataclass(frozen=True)
class Request:
    """A request to a solver.

    ``timeout``: the time limit in seconds (None: no limit). ``options``: the solver's options as text. ``gap``: the
    width of the bracket at which the solver may stop (None: the method's default). ``checkpoint``: the file in which a
    long search saves its state. ``resume``: the checkpoint from which the search continues. Methods without checkpoints
    ignore both files. ``watch``: a function that ``Driver`` calls during the search, at growing intervals.
    """

    timeout: float | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    progress: Progress = quiet
    gap: Fraction | None = None
    checkpoint: Path | None = None
    resume: Path | None = None
    watch: Watch | None = None


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
class Solves:
    """The games that a method solves, and the kind of its results.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.methods()["lp"].solves.players, eb.methods()["lcp"].solves.constant_sum
    (2, False)
    """

    players: int | None = None
    """The number of players; None: any number."""
    least_players: int = 0
    """Minimum number of players."""
    constant_sum: bool = False
    """Whether the payoffs must sum to a constant (the minimax theorem)."""
    recall: bool | None = True
    """Whether all players must have perfect recall (Kuhn 1953); False: a player must not have it; None: no matter."""
    perfect_information: bool = False
    """Whether all players must have perfect information."""
    limit: Callable[[GameTree], str | None] = lambda tree: None
    """Takes a tree. Returns None, or the reason why the method does not apply, as a clause."""
    limit_by_rules: Callable[[Game], str | None] = lambda game: None
    """The same for rules, which the method solves without their tree."""
    instead: str = ""
    """The method for trees, if this method solves games only by their rules."""
    several: bool = False
    """Whether the method looks for more than one equilibrium."""
    exact: bool = True
    """Whether each result is an exact equilibrium, never a bracket or a near-equilibrium."""
    stops_at_gap: bool = False
    """Whether the method stops when its bracket is as narrow as the requested gap."""
    resumes: bool = False
    """Whether the method can resume a search from a checkpoint."""
    iterates: bool = False
    """Whether the method reports its strategies during the search, so that it has a learning curve."""
    gambit: bool = False
    """Whether the method needs pygambit."""

    def inapplicable(self, tree: GameTree) -> str | None:
        """Return None if the method applies to a tree, otherwise the reason why not, as a clause."""
        if self.gambit and not self.instead and (problem := too_deep(tree)):
            return problem
        players = len(tree.players)
        if self.players is not None and self.players != players:
            return f"the game has {plural(players, 'player')}, not {_in_words(self.players)}"
        if players < self.least_players:
            least = f"the game has {plural(players, 'player')}, not {_in_words(self.least_players)} or more"
            return least if players else "the game has no players"
        if self.constant_sum and constant_sum(tree) is None:
            return "the payoffs do not sum to a constant"
        if self.recall and not has_perfect_recall(tree):
            return lacks_recall(tree)
        if self.recall is False and has_perfect_recall(tree):
            return "all players have perfect recall, so other methods are better"
        if self.perfect_information and not has_perfect_information(tree):
            return "a player does not have perfect information"
        if self.instead:
            how = "it solves two-player bidding games from their rules, not from a tree"
            return f"{how}; use --method (method=) {self.instead}"
        return self.limit(tree)


def _in_words(players: int) -> str:
    return ("no", "one", "two")[players] if players <= 2 else str(players)


@dataclass(frozen=True)
class Solver:
    """A method that solves games. Other packages add methods by entry points in the group ``efg_builder.solvers``.

    Parameters
    ----------
    name, summary, source : str
        The name, one line of help, and the origin (a paper or a package).
    solves : Solves
        The games that the method solves, and the kind of its results.
    run : callable, optional
        Takes a ``GameTree`` and a ``Request``, and returns ``Found``.
    parameters : tuple of Parameter
        The KEY=VALUE options.
    run_by_rules : callable, optional
        Takes a ``Game`` and a ``Request``, and returns ``Found`` without building the tree.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.methods()["lp"].name
    'lp'
    """

    name: str
    summary: str
    source: str
    solves: Solves
    run: Callable[[Any, Request], Found] | None = None
    parameters: tuple[Parameter, ...] = ()
    run_by_rules: Callable[[Any, Request], Found] | None = None

    def __repr__(self) -> str:
        return f"<Solver {self.name!r}>"

    def __str__(self) -> str:
        return self.name

    @property
    def options(self) -> Mapping[str, str]:
        """One line of help for each option."""
        return {parameter.name: parameter.help for parameter in self.parameters}

    @property
    def several(self) -> bool:
        """Whether the method looks for more than one equilibrium."""
        return self.solves.several

    @property
    def stops_at_gap(self) -> bool:
        """Whether the method stops when its bracket is as narrow as the requested gap."""
        return self.solves.stops_at_gap

    def solve(self, game: GameTree | Game, request: Request) -> Found:
        """Run the method on a tree, or on rules without building their tree. Raises ``NotApplicableError``."""
        subject = Subject.of(game)
        tree, rules = subject.given_tree, subject.given_rules
        run = self.run_by_rules if tree is None else self.run
        if run is None:
            raise NotApplicableError(f"the method {self} takes no {'rules' if tree is None else 'tree'}")
        result = run(rules if tree is None else solvable(tree), request)
        if tree is not None and solvable(tree) is not tree:
            # The indices of information sets are the same, and a forced move has one action.
            profiles = (each.tree_profile for each in result.strategies)
            full = tuple(TreeProfile(tree, each.probabilities) for each in profiles if each is not None)
            result = replace(result, strategies=full)
        # Drop entries that have no effect, so that the counts agree with the files.
        return replace(result, strategies=tuple(one.canonical() for one in result.strategies))

    def inapplicable(self, tree: GameTree) -> str | None:
        """Return None if the method applies to a tree, otherwise the reason why not, as a clause."""
        return self.solves.inapplicable(tree)

    def needs_tree(self, game: Game) -> str | None:
        """Return None if the method solves *game* without its tree, otherwise the reason why not, as a clause."""
        return "the method needs the tree" if self.run_by_rules is None else self.solves.limit_by_rules(game)

    def lacking(self) -> NotApplicableError | None:
        """Return an error that names a missing package, or None if all required packages are installed."""
        return lacking(self.name) if self.solves.gambit else None


def read_options(name: str, parameters: Sequence[Parameter], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the *given* options, and all other nonempty defaults. Raises ``ParameterError``."""
    return read_settings(name, [one for one in parameters if one.default or one.name in given], given)


def two_player_constant_sum_with_recall(tree: GameTree) -> str | None:
    """Return None if the game has two players, a constant sum and perfect recall, otherwise the reason why not."""
    return Solves(players=2, constant_sum=True).inapplicable(tree)
