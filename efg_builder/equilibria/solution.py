"""Solutions: verified strategies with their values and regrets."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, overload

from .._later import later
from ..base.errors import NotApplicableError, NotSolvedError, ParameterError
from ..base.facts import facts_in_text
from ..base.rationals import Number, text
from ..base.words import PROVING, plural, quiet
from ..forms.extensive import GameTree
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.gambit.mapping import to_gambit
from ..proof import Near, Verdict, prove_near, verify
from ..proof.certificate import Proof, verify_solution
from ..proof.refinement import UNCHECKED, Refinement, refinement
from ..proof.sequential import SequentialVerdict
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile, dealt
from .bids import BidFigures, Bluffs, bid_figures, bluffs
from .learning import CurvePoint
from .solution_facts import facts
from .solution_files import solution_json, solution_table, write_solution

if TYPE_CHECKING:
    from ..display.trees import Picture
    from ..display.trees.options import DrawSettings
    from .second_opinion import SecondOpinion

STATUSES = (
    "equilibrium",
    "near-equilibrium",
    "bracket",
    "not-an-equilibrium",
    "no-result",
    "timeout",
    "interrupted",
    "not-applicable",
)
"""The statuses of a solution.

A ``bracket`` and a ``near-equilibrium`` have a verified regret above 0. A ``bracket`` also has bounds on the value.
"""


@dataclass(frozen=True)
class Judged:
    """A strategy from a solver, and the verdict on it (None if the strategy could not be verified).

    ``off_path``: for an equilibrium of a small tree, whether it is subgame perfect, and whether it is sequential.
    """

    strategy: TreeProfile | SparseProfile
    verdict: Verdict | None
    off_path: Refinement = UNCHECKED

    @property
    def equilibrium(self) -> bool:
        """Whether the strategy was verified as an equilibrium."""
        return self.verdict is not None and self.verdict.equilibrium


def judge(
    strategy: TreeProfile | SparseProfile,
    tolerance: float | Fraction | None = None,
    progress: Callable[[str], None] = quiet,
) -> Judged:
    """Return the strategy with its verdict at *tolerance*, or without a verdict if the strategy cannot be verified."""
    try:
        return Judged(strategy, verify(strategy, tolerance, progress=progress))
    except NotApplicableError:
        return Judged(strategy, None)


def judge_off_path(judged: Judged) -> Judged:
    """Return *judged* with the verdict off the path, if it is an exact equilibrium of a small tree."""
    profile, verdict = judged.strategy.tree_profile, judged.verdict
    if profile is None or verdict is None or not verdict.exact or verdict.regret:
        return judged
    return replace(judged, off_path=refinement(profile))


@dataclass(frozen=True, eq=False)
class Solution:
    """The best strategies found for a game, and their verdict. ``str`` returns the output of ``efg-builder solve``.

    A solution equals only itself. To compare the content of two solutions, compare the results of ``to_json``.

    Attributes
    ----------
    tree : GameTree or None
        The tree; None if the game was solved without a tree.
    game : Game or None
        The rules, if they are known.
    method : str
        Name of the method.
    status : str
        One of ``equilibrium``, ``near-equilibrium``, ``bracket``, ``not-an-equilibrium``, ``no-result``, ``timeout``,
        ``interrupted`` and ``not-applicable``.
    message : str
        The reason for the status.
    seconds : float
        Time taken to solve and verify, in seconds.
    judged : tuple of Judged
        All strategies found, with their verdicts, in order of regret.
    several : bool
        Whether the method looks for more than one equilibrium.
    number : int
        The number in ``judged``, from 1, of the strategy that all other attributes and pictures describe.
    tolerance : float, Fraction or None
        The requested tolerance; None for the default of ``verify``.
    details : mapping
        Details of the search, such as the number of rounds.
    refined : SequentialVerdict or None
        The verification of a sequential equilibrium, with beliefs.
    near : Near or None
        The proved distance to an exact equilibrium, or the reason for a missing proof.
    gambit : SecondOpinion or None
        The answer of one of Gambit's routines.
    curve : tuple of CurvePoint
        The verdicts on the strategies during the search: ``iterations``, ``lower``, ``upper`` and ``regret``; empty
        unless requested.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("kuhn")
    >>> solution.status, solution.regret
    ('equilibrium', Fraction(0, 1))
    >>> solution.to_json() == eb.solve("kuhn").to_json()
    True
    >>> solution.strategy["2: bet"]
    {'fold': Fraction(2, 3), 'call': Fraction(1, 3)}
    """

    tree: GameTree | None
    method: str
    status: str
    message: str = ""
    seconds: float = 0.0
    judged: tuple[Judged, ...] = ()
    several: bool = False
    number: int = 1
    game: Game | None = None
    tolerance: float | Fraction | None = None
    details: Mapping[str, object] = field(default_factory=dict)
    refined: SequentialVerdict | None = None
    near: Near | None = None
    gambit: SecondOpinion | None = None
    curve: tuple[CurvePoint, ...] = ()

    @property
    def title(self) -> str:
        """The game's title."""
        return self.subject.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.subject.players

    @property
    def subject(self) -> Subject:
        """The game: its rules, its tree, or both."""
        return Subject(self.game, self.tree)

    @cached_property
    def strategy(self) -> TreeProfile | SparseProfile:
        """The best strategy found. Raises ``NotSolvedError`` if no strategy was found."""
        if not self.judged:
            raise self._lacks("strategy")
        return dealt(self.judged[self.number - 1].strategy, self.game)

    def _verified(self, name: str) -> Verdict:
        if self.verdict is None:
            raise self._lacks(name)
        return self.verdict

    def _lacks(self, name: str) -> NotSolvedError:
        ended = f"{self.method} ended with status {self.status!r}" + (f": {self.message}" if self.message else "")
        late, hint = self.status == "timeout", ""
        if self.judged:
            hint = "; .strategy was found, but not verified"
        elif late and "timeout=" not in self.message:
            hint = "; a longer timeout= may find one"
        elif self.status == "not-applicable" and self.method != "auto":
            hint = "; eb.solve(game) chooses a method"
        return NotSolvedError(f"this solution of {self.title!r} has no {name}; {ended}{hint}", timed_out=late)

    @property
    def profile(self) -> TreeProfile | None:
        """``strategy`` if it is on a tree, otherwise None."""
        return self.strategy.tree_profile if self.judged else None

    @property
    def sparse(self) -> SparseProfile | None:
        """``strategy`` if it was found without a tree, otherwise None."""
        return self.strategy.sparse_profile if self.judged else None

    @property
    def equilibria(self) -> tuple[TreeProfile | SparseProfile, ...]:
        """All strategies that were verified as equilibria."""
        return tuple(dealt(one.strategy, self.game) for one in self.judged if one.equilibrium)

    @property
    def place(self) -> str:
        """``"1 of 4"`` if ``strategy`` is one of four equilibria that were found; empty if it is the only one."""
        return f"{self.number} of {len(self.equilibria)}" if len(self.equilibria) > 1 else ""

    def pick(self, number: int) -> Solution:
        """Return the solution with the equilibrium *number* (from 1) of ``equilibria`` in place of the first.

        Raises ``ParameterError`` if there is no such equilibrium.

        Examples
        --------
        >>> import efg_builder as eb
        >>> text = 'EFG 2 R "" { "A" "B" } p "" 1 1 { "out" "in" } 0 t "" 1 { 1 2 } p "" 2 1 { "no" "yes" } 0'
        >>> solution = eb.solve(eb.parse_efg(text + ' t "" 2 { 0 0 } t "" 3 { 2 1 }'), "extreme")
        >>> solution.place, solution.value, solution.pick(3).value
        ('1 of 3', (Fraction(2, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(2, 1)))
        """
        count = len(self.equilibria)  # they come first in ``judged``, in order of regret
        if type(number) is not int or not 1 <= number <= count:
            several = plural(count, "equilibrium", "equilibria")
            raise ParameterError(f"there is no equilibrium number {number!r}; the solution has {several}")
        if number == self.number:
            return self
        proof = self.judged[number - 1].off_path.proof
        return replace(self, number=number, refined=proof, near=None, gambit=None)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on ``strategy``; None if no strategy was found, or ``strategy`` could not be verified."""
        return self.judged[self.number - 1].verdict if self.judged else None

    @property
    def off_path(self) -> Refinement:
        """Whether ``strategy`` is subgame perfect, and sequential; empty if this was not checked."""
        return self.judged[self.number - 1].off_path if self.judged else UNCHECKED

    @property
    def value(self) -> tuple[Number, ...]:
        """Each player's expected payoff under ``strategy``. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("value").value

    @property
    def lower(self) -> Number | None:
        """The payoff that player 1's strategy guarantees; None if the game is not two-player constant-sum."""
        return self.verdict.lower if self.verdict else None

    @property
    def upper(self) -> Number | None:
        """The payoff to which player 2's strategy limits player 1; None if the game is not two-player constant-sum."""
        return self.verdict.upper if self.verdict else None

    @property
    def regret(self) -> Number:
        """The largest gain of any player from a best response. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("regret").regret

    @property
    def regrets(self) -> tuple[Number, ...]:
        """Each player's gain from a best response. Raises ``NotSolvedError`` if ``verdict`` is None."""
        return self._verified("regrets").regrets

    @property
    def solved(self) -> bool:
        """Whether this is an equilibrium, or a near-equilibrium with regret up to a millionth of the payoff range."""
        near = self.status == "near-equilibrium" and self.verdict is not None and self.verdict.near
        return self.status == "equilibrium" or near

    @property
    def exact(self) -> bool:
        """Whether exact best responses prove that no player gains by deviating.

        In a two-player constant-sum game, ``lower`` and ``upper`` then equal the value.
        """
        verdict = self.verdict
        return verdict is not None and verdict.exact and verdict.regret == 0

    @cached_property
    def bids(self) -> tuple[BidFigures, ...]:
        """The statistics of all bids with positive probability; empty if there are no bids or no verdict."""
        bidding = None if self.game is None else self.game.bidding_game
        return () if self.verdict is None or bidding is None else bid_figures(self.strategy, bidding)

    @cached_property
    def bluffs(self) -> Bluffs:
        """The frequency of bluffs, and the opening bids; empty if bids make no claims."""
        return bluffs(self)

    def __str__(self) -> str:
        return facts_in_text(self.title, facts(self))

    def __repr__(self) -> str:
        word = "value" if len(self.players) <= 2 else "payoffs"
        value = "" if self.verdict is None else f", {word} {', '.join(map(text, self.value))}"
        return f"<Solution of {self.title!r} by {self.method}: {self.status}{value}>"

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write the solution atomically to a file, and return the path.

        Parameters
        ----------
        path : str or path
            A file that ends in ``.json`` (for ``to_json``) or ``.csv`` (for ``table``), optionally followed by ``.gz``.

        Raises
        ------
        ParameterError
            If the path has another suffix.
        FileError
            If the file cannot be written.
        NotSolvedError
            If a table is requested, and there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.verify(eb.solve("kuhn").write("kuhn.json")).value[0]
        Fraction(-1, 18)
        """
        return write_solution(self, path)

    def table(self) -> Iterator[tuple[object, ...]]:
        """Return ``strategy`` as the rows of a table that ``read_strategy`` reads.

        If there are several equilibria, the table contains all of them, numbered in the column ``equilibrium``.

        Returns
        -------
        iterator of tuples
            The column names, then the rows. The column ``float`` contains the rounded probability. The column ``reach
            probability`` contains the reach probability of the information set; it is empty without a tree.

        Raises
        ------
        NotSolvedError
            If there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> next(eb.solve("kuhn").table())[:4]
        ('player', 'infoset', 'action', 'probability')
        """
        return solution_table(self)

    def verify(self) -> Proof:
        """Verify the data of ``to_json`` at ``tolerance``, and return the verified claims.

        Raises ``CertificateError`` if a claim is false, or there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").verify().exact
        True
        """
        return verify_solution(self, tolerance=self.tolerance)

    @overload
    def draw(self, path: None = None, **settings: Unpack[DrawSettings]) -> Picture: ...

    @overload
    def draw(self, path: str | os.PathLike[str], **settings: Unpack[DrawSettings]) -> Path: ...

    def draw(self, path: Any = None, **settings: Any) -> Path | Picture:
        """Write a picture of the tree with the strategy to the file *path*, and return the path.

        Parameters
        ----------
        path : path-like, optional
            The file for the picture, e.g. ``kuhn.svg``. By default, return a picture that a notebook displays.
        **settings
            Keyword arguments of ``efg_builder.draw``. Its documentation also lists the formats and the errors.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").draw("kuhn.svg").name
        'kuhn.svg'
        >>> str(eb.solve("kuhn").draw(values=True))[:4]
        '<svg'
        """
        drawn: Path | Picture = later("Solution.draw")(self, path, **settings)
        return drawn

    def draw_curve(self, path: str | os.PathLike[str]) -> Path:
        """Write a plot of ``curve`` to the file *path* (.svg, .png or .pdf), and return the path.

        Raises
        ------
        ParameterError
            If *path* has another suffix, or if ``curve`` is empty.
        FileError
            If the file cannot be written.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn", "cfr", gap=1e-3, curve=True).draw_curve("curve.svg").name
        'curve.svg'
        """
        drawn: Path = later("Solution.draw_curve")(self, path)
        return drawn

    def report(self, path: str | os.PathLike[str], **options: Any) -> Path:
        """Write a report on the solution as an HTML page to *path*, and return the path.

        The *options* and the errors are the same as for ``efg_builder.write_report``.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").report("kuhn.html").name
        'kuhn.html'
        """
        written: Path = later("Solution.report")(self, path, **options)
        return written

    def to_gambit(self) -> Any:
        """Return ``strategy`` as a ``pygambit.MixedBehaviorProfile``; rational if ``strategy`` is exact.

        Raises
        ------
        NotApplicableError
            If ``strategy`` is not on a tree (``support_tree`` builds one), no player moves, or the tree is too deep for
            Gambit.
        NotSolvedError
            If there is no strategy.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").to_gambit().game.title
        'Kuhn poker: 2 players, 3 cards'
        """
        return to_gambit(self)

    def to_json(self) -> dict[str, Any]:
        """Return the data that ``write`` writes to a ``.json`` file. Rationals are text such as ``"-1/9"``.

        ``value`` and ``regret`` are None if there is no verdict. The data has no times: solving a game twice with the
        same versions, without a time limit that ends the search, gives the same data.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.solve("kuhn").to_json()["value"]
        ['-1/18', '1/18']
        """
        return solution_json(self)


def with_near(solution: Solution, progress: Callable[[str], None] = quiet) -> Solution:
    """Return *solution*. If *solution* is a near-equilibrium with rational probabilities, add ``near``."""
    first = solution.judged[0] if solution.judged and solution.status == "near-equilibrium" else None
    if first is None or first.verdict is None or first.verdict.forgetful or not first.strategy.exact:
        return solution
    progress(PROVING)
    return replace(solution, near=prove_near(first.strategy))
