"""The report on a normal form: pure strategies, the value in mixed strategies, and a chain of best responses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

from .._later import later
from ..base.errors import check_argument, check_budget, check_kind
from ..base.facts import Fact, attributes, fact, facts_in_text, plain
from ..base.parameters import check_seconds
from ..base.rationals import brief, text
from ..base.words import plural, progress_of
from ..forms.hand_names import printed_tree
from ..forms.normal_form import MAX_CELLS, NormalForm, reduced_form
from ..interop.trees import GameLike, tree_of
from ..proof import Verdict, verify
from ..proof.pure import Chain, Pick, PurePlay, best_reply_chain, expected, guarantees, pure_equilibria, pure_play
from ..solvers.lp.matrix import Mix, solve_matrix
from ..solvers.protocol import Ended
from ..strategies.tree_profile import TreeProfile
from .dominance import Dominance, Kind, dominance
from .solve import solve

LISTED = 100
"""Maximum number of strategies or equilibria listed in JSON."""

LETTERS = 64
"""Maximum number of characters in the description of a strategy."""
SHOWN = 12
"""Maximum number of pure strategies printed for a mixed strategy."""

PAIRS = 4
"""Maximum number of printed pure-strategy equilibria."""


def matrix(tree: GameLike, *, max_cells: int = MAX_CELLS) -> NormalForm:
    """Return the reduced normal form of a two-player game with perfect recall.

    Parameters
    ----------
    tree : GameLike
        A tree, rules, a name such as ``"kuhn"``, a file, or a pygambit game.
    max_cells : int, default 1,048,576
        Maximum number of cells in the matrix.

    Returns
    -------
    NormalForm
        Both players' reduced pure strategies and their payoffs.

    Raises
    ------
    NotApplicableError
        If the game does not have two players and perfect recall.
    MatrixTooLargeError
        If the matrix has more than *max_cells* cells.
    ParameterError
        If an argument is invalid.

    Examples
    --------
    >>> import efg_builder as eb
    >>> form = eb.matrix("kuhn")
    >>> form.shape, form.payoff(0, 0)
    ((27, 64), (Fraction(0, 1), Fraction(0, 1)))
    """
    check_budget("matrix", "max_cells", max_cells)
    return reduced_form(tree_of("matrix", tree), max_cells)


@dataclass(frozen=True)
class Mixed:
    """Optimal mixed strategies of a constant-sum matrix, and their verification.

    ``lower``: the payoff that player 1's mixed strategy guarantees. ``upper``: the payoff to which player 2's mixed
    strategy limits player 1. ``verdict``: the verdict on the equivalent behavior strategies on the tree.
    ``tree_value``: the exact value from the sequence form, or None. ``replies``: each player's number of pure best
    responses to the opponent's mixed strategy.
    """

    mixes: tuple[Mix, Mix]
    lower: Fraction
    upper: Fraction
    verdict: Verdict
    tree_value: Fraction | None
    replies: tuple[int, int]
    message: str

    @property
    def exact(self) -> bool:
        """Whether the value is verified on the matrix and on the tree."""
        return self.lower == self.upper and self.verdict.regret == 0


@dataclass(frozen=True)
class MatrixReport:
    """The results of ``NormalForm.analyse``. ``str`` returns the output of ``efg-builder matrix``.

    Attributes
    ----------
    form : NormalForm
        The matrix.
    equilibria : tuple of pairs
        The pure-strategy equilibria, as (row, column).
    pure : pair of PurePlay
        Each player's maximin and minimax strategies, and the best strategies against uniform play.
    mixed : Mixed or None
        Optimal mixed strategies; None if the sum of payoffs is not constant, or no optimum was found.
    chain : Chain or None
        The chain of best responses, if requested.
    ended : str
        ``"done"``, ``"failed"`` or ``"timeout"``.
    message : str
        The reason if ``mixed`` is None or not exact.
    dominance : Dominance or None
        The elimination of dominated strategies, if requested.

    Examples
    --------
    >>> import efg_builder as eb
    >>> report = eb.matrix("kuhn").analyse()
    >>> report.equilibria, report.mixed.exact
    ((), True)
    """

    form: NormalForm
    equilibria: tuple[tuple[int, int], ...]
    pure: tuple[PurePlay, PurePlay]
    mixed: Mixed | None
    chain: Chain | None
    ended: Ended = "done"
    message: str = ""
    dominance: Dominance | None = None

    def __repr__(self) -> str:
        rows, columns = self.form.shape
        mixed = "" if self.mixed is None else f", value {brief(self.mixed.lower)}"
        pure = f"{len(self.equilibria)} pure equilibria{mixed}"
        return f"<MatrixReport of {self.form.tree.title!r}: {rows} x {columns}, {pure}>"

    def __str__(self) -> str:
        return facts_in_text(self.form.tree.title, _facts(self))

    def draw(self, path: str | os.PathLike[str]) -> Path:
        """Write a heat map of all payoffs to the file *path* (.svg, .png or .pdf), and return the path.

        Raises ``ParameterError`` and ``FileError``.
        """
        check_kind("MatrixReport.draw", path, (str, os.PathLike), "a path", "such as 'payoffs.svg'")
        drawn: Path = later("MatrixReport.draw")(self, path)
        return drawn

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON data. Rationals are text such as ``"5/54"``.

        ``infosets`` lists, for each player, the information sets to which the digits of a code refer.
        """
        form, tree = self.form, self.form.tree
        cells = [self._cell(row, column) for row, column in self.equilibria[:LISTED]]
        return {
            **attributes(tree, "title", "players"),
            "shape": list(form.shape),
            "cells": prod(form.shape),
            "infosets": [self._infosets(player) for player in range(2)],
            "constant_sum": plain(form.total),
            "pure_equilibria": {"count": len(self.equilibria), "cells": cells},
            "pure": [self._pure(player) for player in range(2)],
            "mixed": None if self.mixed is None else self._mixed(self.mixed),
            "chain": None if self.chain is None else self._chain(self.chain),
            "dominance": None if self.dominance is None else self.dominance.to_json(),
            **attributes(self, "ended", "message"),
        }

    def _infosets(self, player: int) -> list[dict[str, Any]]:
        tree = self.form.tree
        sets = self.form.strategies[player].infosets
        return [{"label": tree.names[k], "actions": list(tree.infosets[k].actions)} for k in sets]

    def _cell(self, row: int, column: int) -> dict[str, Any]:
        one, two = self.form.strategies
        return {"row": one.code(row), "column": two.code(column), "payoffs": plain(self.form.payoff(row, column))}

    def _strategy(self, player: int, index: int) -> dict[str, str]:
        side = self.form.strategies[player]
        return {"code": side.code(index), "words": side.in_words(index)}

    def _pure(self, player: int) -> dict[str, Any]:
        data: dict[str, Any] = {"player": self.form.tree.players[player]}
        for measure, pick, who in _measures(self.pure[player], player):
            listed = [self._strategy(who, index) for index in pick.strategies[:LISTED]]
            data[measure] = {"worth": plain(pick.worth), "count": len(pick.strategies), "strategies": listed}
        return data

    def _mixed(self, mixed: Mixed) -> dict[str, Any]:
        return {
            **attributes(mixed, "lower", "upper", "exact"),
            **attributes(mixed.verdict, "regret"),
            **attributes(mixed, "tree_value"),
            "strategies": [
                [{"weight": plain(weight), **self._strategy(player, i)} for i, weight in enumerate(mix) if weight]
                for player, mix in enumerate(mixed.mixes)
            ],
            "best_replies": list(mixed.replies),
            "message": mixed.message,
        }

    def _chain(self, chain: Chain) -> dict[str, Any]:
        steps = [
            {
                "player": self.form.tree.players[step.player],
                **self._strategy(step.player, step.strategy),
                **attributes(step, "payoff", "equals"),
            }
            for step in chain.steps
        ]
        return {"steps": steps, **attributes(chain, "back", "length")}


def _measures(play: PurePlay, player: int) -> Iterator[tuple[str, Pick, int]]:
    """Yield the measures of pure strategies: the name, the best strategies, and the player who has them."""
    yield "maximin", play.maximin, player
    yield "minimax", play.minimax, 1 - player
    yield "against_uniform", play.against_uniform, player
    yield "most_replies", play.most_replies, player


def analyse_matrix(
    form: NormalForm,
    start: int | None = None,
    *,
    eliminate: Kind | None = None,
    timeout: float | Fraction | None = None,
    progress: Callable[[str], None] | None = None,
) -> MatrixReport:
    """Return the report on *form*. If *start* is given, it is player 1's first strategy in a chain of best responses.

    If *eliminate* is given, dominated strategies of this kind are eliminated, within another *timeout* seconds.

    The value in mixed strategies is computed by linear programs on the matrix within *timeout* seconds. It is verified
    with the payoffs in the matrix, with best responses on the tree, and with the exact optimum of the sequence form.
    Raises ``ParameterError`` if *start* does not exist.
    """
    right = start is None or (isinstance(start, int) and not isinstance(start, bool))
    check_argument("analyse", "start", start, right, "a strategy's number")
    timeout = check_seconds(timeout)
    progress = progress_of("analyse", progress)
    chain = None if start is None else best_reply_chain(form, start)
    pure = pure_play(form, 0), pure_play(form, 1)
    removed = None if eliminate is None else dominance(form, eliminate, timeout=timeout, progress=progress)
    if form.total is None:
        message = "the payoffs do not sum to a constant: no value in mixed strategies"
        return MatrixReport(form, pure_equilibria(form), pure, None, chain, message=message, dominance=removed)
    progress("linear programs on the matrix")
    optimum = solve_matrix(form, timeout, progress)
    mixed = None if optimum.mixes is None else _judged(form, optimum.mixes, optimum.message, timeout)
    return MatrixReport(form, pure_equilibria(form), pure, mixed, chain, optimum.ended, optimum.message, removed)


def _judged(form: NormalForm, mixes: tuple[Mix, Mix], message: str, timeout: float | None) -> Mixed:
    lower, upper = guarantees(form, mixes)
    solution = solve(form.tree, "lp", timeout=timeout)
    value = solution.value[0] if solution.exact else None
    replies = _best(expected(form, 0, mixes[1])), _best(expected(form, 1, mixes[0]))
    tree_value = value if isinstance(value, Fraction) else None
    return Mixed(mixes, lower, upper, verify(TreeProfile.from_mixed(form, mixes)), tree_value, replies, message)


def _best(worth: Sequence[Fraction]) -> int:
    most = max(worth)
    return sum(value == most for value in worth)


# --- text output


def _facts(report: MatrixReport) -> Iterator[Fact]:
    (rows, columns), (one, two) = report.form.shape, report.form.tree.players
    cells = f"{rows:,} x {columns:,} = {rows * columns:,} cells"
    yield fact("size", f"{cells}: reduced pure strategies of {one} x {two}")
    yield _equilibria(report)
    yield _mixed(report)
    for player in range(2):
        yield _pure(report, player)
    if report.chain is not None:
        yield _chain(report, report.chain)
    if report.dominance is not None:
        yield report.dominance.fact()


def _equilibria(report: MatrixReport) -> Fact:
    count = len(report.equilibria)
    if not count:
        return fact("pure", "no equilibrium: no two strategies are best responses to each other")
    sides = [replace(side, tree=printed_tree(side.tree)) for side in report.form.strategies]
    one, two = (side.short_names() or side.codes for side in sides)
    first, *then = [
        f"{one[row]} against {two[column]}, paying {', '.join(map(text, report.form.payoff(row, column)))}"
        for row, column in report.equilibria[:PAIRS]
    ]
    most = f"{count:,} equilibria; the first:" if count > 1 else "1 equilibrium:"
    rest = f"and {count - PAIRS:,} more: --json (to_json()) lists more" if count > PAIRS else ""
    return fact("pure", f"{most} {first}", *(f"then {pair}" for pair in then), rest)


def _mixed(report: MatrixReport) -> Fact:
    mixed, players = report.mixed, report.form.tree.players
    if mixed is None:
        way = "" if report.form.total is not None else "; 'efg-builder solve' looks for an equilibrium"
        return fact("mixed", f"{report.message}{way}")
    if not mixed.exact:
        return fact("mixed", f"from {brief(mixed.lower)} to {brief(mixed.upper)} to {players[0]}: {mixed.message}")
    value = text(mixed.lower)
    decimal = "" if mixed.lower.denominator == 1 else f" = {float(mixed.lower):.6g}"
    tree = {None: "not proved", mixed.lower: "the same"}.get(mixed.tree_value, f"different: {mixed.tree_value}")
    proof = f"exact, by linear programs on the matrix; the sequence form's value: {tree}"
    strategies = (line for player in range(2) for line in _mix(report, mixed, player))
    return fact("mixed", f"value {value}{decimal} to {players[0]} ({proof})", table=strategies)


def _mix(report: MatrixReport, mixed: Mixed, player: int) -> Iterator[str]:
    """Yield the pure strategies in the mixed strategy of *player*, with the highest weights first."""
    name, other = report.form.tree.players[player], report.form.tree.players[1 - player]
    replies = plural(mixed.replies[player], "pure best response", "pure best responses")
    yield f"  {name}'s equilibrium strategy; {name} has {replies} to {other}'s"
    played = sorted(((w, i) for i, w in enumerate(mixed.mixes[player]) if w), key=lambda entry: -entry[0])
    for weight, i in played[:SHOWN]:
        yield f"    {text(weight):<8} {report.form.strategies[player].code(i)}  {_words(report, player, i)}"
    if len(played) > SHOWN:
        yield f"    and {len(played) - SHOWN:,} more"


def _pure(report: MatrixReport, player: int) -> Fact:
    name, other = report.form.tree.players[player], report.form.tree.players[1 - player]
    count = report.form.shape[1 - player]
    words = {
        "maximin": ("maximin", "", "guaranteed"),
        "minimax": ("minimax", "", f"at most against this strategy of {other}"),
        "against_uniform": ("uniform", "", f"on average over {other}'s strategies"),
        "most_replies": ("replies", "best response to ", f"of {other}'s {count:,} strategies"),
    }
    table = []
    for measure, pick, who in _measures(report.pure[player], player):
        word, before, after = words[measure]
        first, more = pick.strategies[0], len(pick.strategies) - 1
        others = f" (and {more:,} more)" if more else ""
        code = f"{report.form.strategies[who].code(first)}  {_words(report, who, first)}"
        table.append(f"  {word:<9}{before}{brief(pick.worth)} {after}: {code}{others}")
    return fact(f"{name}'s pure strategies, payoffs to {name}", table=table)


def _words(report: MatrixReport, player: int, index: int) -> str:
    side = report.form.strategies[player]
    return replace(side, tree=printed_tree(side.tree)).in_words(index, LETTERS)


def _chain(report: MatrixReport, chain: Chain) -> Fact:
    table = []
    for number, step in enumerate(chain.steps, start=1):
        paid = "start" if step.payoff is None else f"gets {brief(step.payoff)}"
        equals = f" ({step.equals} best responses)" if step.equals > 1 else ""
        code = report.form.strategies[step.player].code(step.strategy)
        words = _words(report, step.player, step.strategy)
        name = report.form.tree.players[step.player]
        table.append(f"  {number:>2}  {name}  {paid:<12} {code}  {words}{equals}")
    end = "the last two are best responses to each other: an equilibrium"
    if chain.length != 2:
        end = f"then step {chain.back + 1} again: a cycle of {chain.length} steps"
    head = "best responses in turn; if several are best, the last of them"
    return fact("chain", head, table=[*table, f"  {end}"])
