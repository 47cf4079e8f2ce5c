"""The report on a normal form: pure strategies, the value in mixed strategies, and a chain of best replies."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

from .._later import later
from ..base.errors import check_argument, check_budget, check_kind
from ..base.parameters import check_seconds
from ..base.rationals import brief, text, to_json
from ..base.words import progress_of
from ..forms.hand_names import printed_tree
from ..forms.normal_form import MAX_CELLS, NormalForm, normal_form
from ..interop.trees import GameLike, tree_of
from ..proof import Verdict, verify
from ..proof.pure import Chain, Pick, PurePlay, best_reply_chain, expected, guarantees, pure_equilibria, pure_play
from ..solvers.lp.matrix import Mix, solve_matrix
from ..solvers.protocol import Ended
from ..strategies.tree_profile import TreeProfile
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
    return normal_form(tree_of("matrix", tree), max_cells)


@dataclass(frozen=True)
class Mixed:
    """Optimal mixed strategies of a constant-sum matrix, and their verification.

    ``lower``: the payoff that player 1's mixed strategy guarantees. ``upper``: the payoff to which player 2's mixed
    strategy limits player 1. ``verdict``: the verdict on the equivalent behavior strategies on the tree.
    ``tree_value``: the exact value from the sequence form, or None. ``replies``: each player's number of pure best
    replies to the opponent's mixed strategy.
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
        The chain of best replies, if requested.
    ended : str
        ``"done"``, ``"failed"`` or ``"timeout"``.
    message : str
        The reason if ``mixed`` is None or not exact.

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

    def __repr__(self) -> str:
        rows, columns = self.form.shape
        mixed = "" if self.mixed is None else f", value {brief(self.mixed.lower)}"
        pure = f"{len(self.equilibria)} pure equilibria{mixed}"
        return f"<MatrixReport of {self.form.tree.title!r}: {rows} x {columns}, {pure}>"

    def __str__(self) -> str:
        return "\n".join(_lines(self))

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
            "title": tree.title,
            "players": list(tree.players),
            "shape": list(form.shape),
            "cells": prod(form.shape),
            "infosets": [self._infosets(player) for player in range(2)],
            "constant_sum": None if form.total is None else to_json(form.total),
            "pure_equilibria": {"count": len(self.equilibria), "cells": cells},
            "pure": [self._pure(player) for player in range(2)],
            "mixed": None if self.mixed is None else self._mixed(self.mixed),
            "chain": None if self.chain is None else self._chain(self.chain),
            "ended": self.ended,
            "message": self.message,
        }

    def _infosets(self, player: int) -> list[dict[str, Any]]:
        tree = self.form.tree
        sets = self.form.strategies[player].infosets
        return [{"label": tree.names[k], "actions": list(tree.infosets[k].actions)} for k in sets]

    def _cell(self, row: int, column: int) -> dict[str, Any]:
        one, two = self.form.strategies
        payoffs = [to_json(u) for u in self.form.payoff(row, column)]
        return {"row": one.code(row), "column": two.code(column), "payoffs": payoffs}

    def _strategy(self, player: int, index: int) -> dict[str, str]:
        side = self.form.strategies[player]
        return {"code": side.code(index), "words": side.in_words(index)}

    def _pure(self, player: int) -> dict[str, Any]:
        def pick(found: Pick, who: int) -> dict[str, Any]:
            listed = [self._strategy(who, index) for index in found.strategies[:LISTED]]
            return {"worth": to_json(found.worth), "count": len(found.strategies), "strategies": listed}

        play = self.pure[player]
        return {
            "player": self.form.tree.players[player],
            "maximin": pick(play.maximin, player),
            "minimax": pick(play.minimax, 1 - player),
            "against_uniform": pick(play.against_uniform, player),
            "most_replies": pick(play.most_replies, player),
        }

    def _mixed(self, mixed: Mixed) -> dict[str, Any]:
        def weights(player: int) -> list[dict[str, Any]]:
            played = [(i, weight) for i, weight in enumerate(mixed.mixes[player]) if weight]
            return [{"weight": to_json(weight), **self._strategy(player, i)} for i, weight in played]

        return {
            "lower": to_json(mixed.lower),
            "upper": to_json(mixed.upper),
            "exact": mixed.exact,
            "regret": to_json(mixed.verdict.regret),
            "tree_value": None if mixed.tree_value is None else to_json(mixed.tree_value),
            "strategies": [weights(player) for player in range(2)],
            "best_replies": list(mixed.replies),
            "message": mixed.message,
        }

    def _chain(self, chain: Chain) -> dict[str, Any]:
        steps = [
            {
                "player": self.form.tree.players[step.player],
                **self._strategy(step.player, step.strategy),
                "payoff": None if step.payoff is None else to_json(step.payoff),
                "equals": step.equals,
            }
            for step in chain.steps
        ]
        return {"steps": steps, "back": chain.back, "length": chain.length}


def analyse_matrix(
    form: NormalForm,
    start: int | None = None,
    *,
    timeout: float | Fraction | None = None,
    progress: Callable[[str], None] | None = None,
) -> MatrixReport:
    """Return the report on *form*. If *start* is given, a chain of best replies starts with this strategy of player 1.

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
    if form.total is None:
        message = "the payoffs do not sum to a constant: no value in mixed strategies"
        return MatrixReport(form, pure_equilibria(form), pure, None, chain, message=message)
    progress("linear programs on the matrix")
    found = solve_matrix(form, timeout, progress)
    mixed = None if found.mixes is None else _judged(form, found.mixes, found.message, timeout)
    return MatrixReport(form, pure_equilibria(form), pure, mixed, chain, found.ended, found.message)


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


def _lines(report: MatrixReport) -> list[str]:
    form = report.form
    rows, columns = form.shape
    one, two = form.tree.players
    lines = [
        form.tree.title,
        f"size       {rows:,} x {columns:,} = {rows * columns:,} cells: reduced pure strategies of {one} x {two}",
        *_equilibria(report),
        *_mixed(report),
    ]
    for player in range(2):
        lines += _pure(report, player)
    return lines + _chain(report)


def _equilibria(report: MatrixReport) -> list[str]:
    count = len(report.equilibria)
    if not count:
        return ["pure       no equilibrium: no two strategies are best replies to each other"]
    one, two = report.form.strategies
    shown = [
        f"{one.code(row)} against {two.code(column)}, paying {', '.join(map(text, report.form.payoff(row, column)))}"
        for row, column in report.equilibria[:PAIRS]
    ]
    most = f"{count:,} equilibria; the first:" if count > 1 else "1 equilibrium:"
    lines = [f"pure       {most} {shown[0]}", *(f"           then {pair}" for pair in shown[1:])]
    left = count - len(shown)
    return [*lines, f"           and {left:,} more: --json (to_json()) lists more"] if left else lines


def _mixed(report: MatrixReport) -> list[str]:
    mixed, one = report.mixed, report.form.tree.players[0]
    if mixed is None:
        way = "" if report.form.total is not None else "; 'efg-builder solve' looks for an equilibrium"
        return [f"mixed      {report.message}{way}"]
    if not mixed.exact:
        return [f"mixed      from {brief(mixed.lower)} to {brief(mixed.upper)} to {one}: {mixed.message}"]
    value = text(mixed.lower)
    decimal = "" if mixed.lower.denominator == 1 else f" = {float(mixed.lower):.6g}"
    tree = {None: "not proved", mixed.lower: "the same"}.get(mixed.tree_value, f"different: {mixed.tree_value}")
    proof = f"exact, by linear programs on the matrix; the sequence form's value: {tree}"
    lines = [f"mixed      value {value}{decimal} to {one} ({proof})"]
    for player, name in enumerate(report.form.tree.players):
        side = report.form.strategies[player]
        played = sorted(((w, i) for i, w in enumerate(mixed.mixes[player]) if w), key=lambda entry: -entry[0])
        other, count = report.form.tree.players[1 - player], mixed.replies[player]
        replies = "pure best reply" if count == 1 else "pure best replies"
        lines.append(f"  {name}'s equilibrium strategy; {name} has {count:,} {replies} to {other}'s")
        for weight, i in played[:SHOWN]:
            lines.append(f"    {text(weight):<8} {side.code(i)}  {_words(report, player, i)}")
        if len(played) > SHOWN:
            lines.append(f"    and {len(played) - SHOWN:,} more")
    return lines


def _pure(report: MatrixReport, player: int) -> list[str]:
    play, name = report.pure[player], report.form.tree.players[player]
    other, count = report.form.tree.players[1 - player], report.form.shape[1 - player]
    shown = (
        ("maximin", f"{brief(play.maximin.worth)} guaranteed", play.maximin, player),
        ("minimax", f"{brief(play.minimax.worth)} at most against {other}'s best strategy", play.minimax, 1 - player),
        (
            "uniform",
            f"{brief(play.against_uniform.worth)} on average over {other}'s strategies",
            play.against_uniform,
            player,
        ),
        (
            "replies",
            f"best reply to {play.most_replies.worth} of {other}'s {count:,} strategies",
            play.most_replies,
            player,
        ),
    )
    return [
        f"{name}'s pure strategies, payoffs to {name}",
        *(f"  {word:<9}{worth}: {_pick(report, pick, who)}" for word, worth, pick, who in shown),
    ]


def _pick(report: MatrixReport, pick: Pick, player: int) -> str:
    first, more = pick.strategies[0], len(pick.strategies) - 1
    others = f" (and {more:,} more)" if more else ""
    return f"{report.form.strategies[player].code(first)}  {_words(report, player, first)}{others}"


def _words(report: MatrixReport, player: int, index: int) -> str:
    side = report.form.strategies[player]
    return replace(side, tree=printed_tree(side.tree)).in_words(index, LETTERS)


def _chain(report: MatrixReport) -> list[str]:
    if report.chain is None:
        return []
    chain, players = report.chain, report.form.tree.players
    lines = ["chain      best replies in turn; if several replies are best, the last of them"]
    for number, step in enumerate(chain.steps, start=1):
        paid = "start" if step.payoff is None else f"gets {brief(step.payoff)}"
        equals = f" ({step.equals} best replies)" if step.equals > 1 else ""
        code = report.form.strategies[step.player].code(step.strategy)
        words = _words(report, step.player, step.strategy)
        lines.append(f"  {number:>2}  {players[step.player]}  {paid:<12} {code}  {words}{equals}")
    if chain.length == 2:
        return [*lines, "  the last two are best replies to each other: an equilibrium"]
    return [*lines, f"  then step {chain.back + 1} again: a cycle of {chain.length} steps"]
