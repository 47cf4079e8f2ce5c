"""Iterated elimination of dominated pure strategies, by pure and by mixed strategies. All comparisons are exact.

A linear program proposes a dominating mixture, or opponent's probabilities against which a strategy is a best response.
Either is checked in fractions (D. Pearce, Econometrica 52, 1984, lemmas 3 and 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..base.errors import NotSolvedError, check_argument
from ..base.facts import Fact, fact, facts_in_text
from ..base.parameters import check_seconds
from ..base.rationals import text
from ..base.words import plural, progress_of
from ..forms.hand_names import printed_tree
from ..forms.normal_form import Cells, NormalForm, Strategies
from ..solvers.driver import Driver, Iterate, Iterates
from ..solvers.lp.highs import LinearProgramError
from ..solvers.lp.matrix import best_mixture
from ..solvers.protocol import Request, TimeLimit

Kind = Literal["strict", "weak"]

SHOWN = 12
"""Maximum number of strategies printed for each round, and for each player at the end."""

ORDER = {
    "strict": "the order does not matter",
    "weak": "order used: round by round, the dominated strategies of both players at once; another order may leave "
    "other strategies",
}

CODED = "codes as in all lines of 'matrix': the number of the action at each information set, * if unreached"


@dataclass(frozen=True)
class Dominated:
    """A removed strategy: the ``player`` (from 0), the index ``strategy``, and the mixture that dominates it.

    ``by`` contains pairs of the index of a strategy and its positive weight; a single pair is a pure strategy.
    """

    player: int
    strategy: int
    by: tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True)
class Dominance:
    """The result of ``NormalForm.dominance``. ``str`` returns text, ``to_json`` JSON data.

    Attributes
    ----------
    form : NormalForm
        The matrix.
    kind : str
        ``"strict"`` or ``"weak"``.
    rounds : tuple of tuples of Dominated
        The strategies removed in each round, from both players at once. Each is dominated in the matrix that the
        earlier rounds left.
    remaining : pair of tuples of int
        The indices of each player's remaining strategies.

    Examples
    --------
    >>> import efg_builder as eb
    >>> found = eb.matrix(eb.normal_form([[3, 0], [5, 1]], [[3, 5], [0, 1]])).dominance()
    >>> found.rounds[0][0]
    Dominated(player=0, strategy=0, by=((1, Fraction(1, 1)),))
    >>> found.remaining
    ((1,), (1,))
    """

    form: NormalForm
    kind: Kind
    rounds: tuple[tuple[Dominated, ...], ...]
    remaining: tuple[tuple[int, ...], tuple[int, ...]]

    def __repr__(self) -> str:
        rows, columns = map(len, self.remaining)
        return f"<Dominance, {self.kind}: {plural(len(self.rounds), 'round')}, {rows} x {columns} strategies remain>"

    def __str__(self) -> str:
        return facts_in_text(self.form.tree.title, [self.fact()])

    def fact(self) -> Fact:
        """Return the row of ``efg-builder matrix --dominance``."""
        remaining = " x ".join(f"{len(each):,}" for each in self.remaining)
        rounds = plural(len(self.rounds), "round")
        line = f"{self.kind}, {rounds}; strategies left: {remaining}"
        sides = [replace(side, tree=printed_tree(side.tree)) for side in self.form.strategies]
        names = [side.short_names() for side in sides]
        coded = any(not names[each.player] for removed in self.rounds for each in removed)
        table = self._lines(sides, [own or side.codes for own, side in zip(names, sides, strict=True)])
        return fact("dominance", line, ORDER[self.kind], CODED if coded else "", table=table)

    def _lines(self, sides: Sequence[Strategies], names: Sequence[Sequence[str]]) -> Iterator[str]:
        players = self.form.tree.players
        for number, removed in enumerate(self.rounds, start=1):
            yield f"  round {number} removes {plural(len(removed), 'strategy', 'strategies')}"
            for each in removed[:SHOWN]:
                own = names[each.player]
                by = " + ".join(own[k] if weight == 1 else f"{text(weight)} of {own[k]}" for k, weight in each.by)
                yield f"    {players[each.player]}  {own[each.strategy]}, dominated by {by}"
            yield from _more(len(removed))
        for player, strategies in enumerate(self.remaining):
            yield f"  left to {players[player]}"
            for k in strategies[:SHOWN]:
                yield f"    {self._code(player, k)}  {sides[player].in_words(k)}"
            yield from _more(len(strategies))

    def _code(self, player: int, strategy: int) -> str:
        return self.form.strategies[player].code(strategy)

    def to_json(self) -> dict[str, Any]:
        """Return the rounds and the remaining strategies as JSON data, with codes for strategies."""
        rounds = [
            [
                {
                    "player": self.form.tree.players[each.player],
                    "code": self._code(each.player, each.strategy),
                    "by": [{"weight": text(weight), "code": self._code(each.player, k)} for k, weight in each.by],
                }
                for each in removed
            ]
            for removed in self.rounds
        ]
        remaining = [[self._code(player, k) for k in each] for player, each in enumerate(self.remaining)]
        return {"kind": self.kind, "order": ORDER[self.kind], "rounds": rounds, "remaining": remaining}


def _more(count: int) -> Iterator[str]:
    if count > SHOWN:
        yield f"    and {count - SHOWN:,} more: --json (to_json()) lists all"


def dominance(
    form: NormalForm,
    kind: Kind = "strict",
    *,
    timeout: float | Fraction | None = None,
    progress: Callable[[str], None] | None = None,
) -> Dominance:
    """Return the result of ``NormalForm.dominance``. Raises its errors."""
    check_argument("dominance", "kind", kind, kind in get_args(Kind), " or ".join(map(repr, get_args(Kind))))
    request = Request(check_seconds(timeout), progress=progress_of("dominance", progress))
    try:
        return Driver(request).complete(_eliminate(form, kind))
    except TimeLimit:
        raise NotSolvedError("the dominated strategies were not found within the time limit", timed_out=True) from None
    except LinearProgramError as error:
        raise NotSolvedError(f"the dominated strategies were not found: {error}") from error


def _eliminate(form: NormalForm, kind: Kind) -> Iterates[Dominance]:
    remaining = [np.arange(count) for count in form.shape]
    rounds = list[tuple[Dominated, ...]]()
    while True:
        removed = list[Dominated]()
        for player, cells in enumerate((form.cells[0], form.cells[1].T)):
            payoffs = cells[np.ix_(remaining[player], remaining[1 - player])]
            for row, k in enumerate(remaining[player].tolist()):
                yield Iterate(f"round {len(rounds) + 1} of elimination: {len(removed):,} dominated strategies")
                by = yield from _dominating(payoffs, row, kind == "weak")
                if by:
                    removed.append(Dominated(player, k, tuple((int(remaining[player][j]), w) for j, w in by.items())))
        if not removed:
            return Dominance(form, kind, tuple(rounds), (tuple(remaining[0].tolist()), tuple(remaining[1].tolist())))
        rounds.append(tuple(removed))
        for player in range(2):
            gone = [each.strategy for each in removed if each.player == player]
            remaining[player] = np.setdiff1d(remaining[player], gone)


def _dominating(payoffs: Cells, row: int, weak: bool) -> Iterates[dict[int, Fraction]]:
    """Return the weights of a mixture of rows of *payoffs* that dominates *row*; empty if there is none.

    Raises ``NotSolvedError`` if neither can be proved.
    """
    better, equal = payoffs > payoffs[row], payoffs == payoffs[row]
    pure = (better | equal).all(axis=1) & better.any(axis=1) if weak else better.all(axis=1)
    if pure.any():
        # No row dominates the dominating row with the largest sum.
        sums = payoffs[pure].astype(object).sum(axis=1)
        return {int(np.flatnonzero(pure)[sums.argmax()]): Fraction(1)}
    best = ~better.any(axis=0)
    if weak:
        best &= equal[~equal.all(axis=1)].sum(axis=0) == 0
    if best.any():
        return {}  # a best response (weak: the only one) to a column
    gains = payoffs.astype(object) - payoffs[row].astype(object)
    mixture, columns = yield from best_mixture(gains, weak)
    mixed = sum((weight * gains[k] for k, weight in enumerate(mixture) if weight), np.zeros(len(columns), dtype=object))
    if (mixed > 0).all() or (weak and (mixed >= 0).all() and (mixed > 0).any()):
        rest = 1 - mixture[row]
        return {k: Fraction(weight) / rest for k, weight in enumerate(mixture) if weight and k != row}
    against: npt.NDArray[np.object_] = gains @ np.array(columns, dtype=object)
    if min(columns) >= 0 and (min(columns) > 0 if weak else max(columns) > 0) and (against <= 0).all():
        return {}  # a best response to these probabilities of the columns (weak: all of them positive)
    raise NotSolvedError("a linear program that decides whether a strategy is dominated was not solved exactly")
