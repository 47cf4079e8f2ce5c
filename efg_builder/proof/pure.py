"""Properties of a normal form's pure strategies: best responses, equilibria and guaranteed payoffs.

The module also computes guaranteed payoffs of mixed strategies. All comparisons are exact, and no solver is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from ..base.errors import ParameterError
from ..forms.normal_form import Cells, NormalForm

Flags = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Pick:
    """The best strategies by a measure: their indices ``strategies`` in ascending order, and the measure ``worth``."""

    strategies: tuple[int, ...]
    worth: Fraction


@dataclass(frozen=True)
class PurePlay:
    """One player's best pure strategies by four measures.

    ``maximin``: the strategies with the best guaranteed payoff. ``minimax``: the other player's strategies that
    minimize this player's best payoff. ``against_uniform``: the best strategies against an opponent who plays all
    reduced strategies with equal probability. For these three measures, ``worth`` is this player's expected payoff.

    ``most_replies``: the strategies that are best responses to the most pure strategies of the opponent; ``worth`` is
    the number of these pure strategies.
    """

    maximin: Pick
    minimax: Pick
    against_uniform: Pick
    most_replies: Pick


@dataclass(frozen=True)
class ReplyStep:
    """A step in a chain of best responses: ``player`` (from 0) chooses the strategy with the index ``strategy``.

    ``payoff``: the expected payoff of this strategy against the previous strategy (None for the first step).
    ``equals``: the number of best responses to the previous strategy, including this one.
    """

    player: int
    strategy: int
    payoff: Fraction | None
    equals: int


@dataclass(frozen=True)
class Chain:
    """A chain of best responses. The best response to the last step is the strategy of ``steps[back]``."""

    steps: tuple[ReplyStep, ...]
    back: int

    @property
    def length(self) -> int:
        """The even number of steps in the cycle; 2 if the two strategies are an equilibrium."""
        return len(self.steps) - self.back


def best_replies(form: NormalForm, player: int) -> Flags:
    """Return flags of shape (rows, columns): true if *player*'s strategy is a best response to the other strategy."""
    cells = form.cells[player]
    return np.asarray(cells == cells.max(axis=player, keepdims=True), dtype=bool)


def pure_equilibria(form: NormalForm) -> tuple[tuple[int, int], ...]:
    """Return each cell (row, column) whose two strategies are best responses to each other."""
    found = np.argwhere(best_replies(form, 0) & best_replies(form, 1))
    return tuple((int(row), int(column)) for row, column in found)


def pure_play(form: NormalForm, player: int) -> PurePlay:
    """Return the best pure strategies of *player* (from 0) by four measures."""
    own, other = player, 1 - player
    cells = form.cells[player]
    replies = best_replies(form, player).sum(axis=other).astype(object)
    return PurePlay(
        maximin=_pick(cells.min(axis=other).astype(object), form.scale),
        minimax=_pick(-cells.max(axis=own).astype(object), -form.scale),
        against_uniform=_pick(cells.astype(object).sum(axis=other), form.scale * form.shape[other]),
        most_replies=_pick(replies, 1),
    )


def _pick(measure: Objects, scale: int) -> Pick:
    best = measure.max()
    return Pick(tuple(map(int, np.flatnonzero(measure == best))), Fraction(int(best), scale))


def best_reply_chain(form: NormalForm, start: int, player: int = 0) -> Chain:
    """Return a chain of best responses from *player*'s strategy *start*.

    The players alternately choose a best response to the previous strategy; among several best responses, they choose
    the last in lexicographic order. (In dice poker, this strategy also raises or calls with low dice.) The chain ends
    before the first repetition. Raises ``ParameterError`` if *player* has no strategy *start*.
    """
    if player not in (0, 1) or not 0 <= start < form.shape[player]:
        raise ParameterError(f"player number {player} has no strategy number {start}")
    steps = [ReplyStep(player, start, None, 1)]
    seen = {(player, start): 0}
    while True:
        fixed, player = steps[-1].strategy, 1 - steps[-1].player
        worth = form.cells[player][:, fixed] if player == 0 else form.cells[player][fixed]
        best = np.flatnonzero(worth == worth.max())
        reply = int(best[-1])
        if (player, reply) in seen:
            return Chain(tuple(steps), seen[player, reply])
        seen[player, reply] = len(steps)
        steps.append(ReplyStep(player, reply, Fraction(int(worth[reply]), form.scale), len(best)))


def expected(form: NormalForm, player: int, mix: Sequence[Fraction]) -> list[Fraction]:
    """Return the expected payoff of each pure strategy of *player* against the other player's mixed strategy *mix*."""
    return _expected(form.cells[0] if player == 0 else form.cells[1].T, form.scale, mix)


def _expected(cells: Cells, scale: int, mix: Sequence[Fraction]) -> list[Fraction]:
    """Return the expectation of each row of *cells*, in units of 1 / *scale*, if *mix* plays the columns."""
    whole = lcm(*(weight.denominator for weight in mix))
    played = [(i, int(weight * whole)) for i, weight in enumerate(mix) if weight]
    sums = np.zeros(len(cells), dtype=object)
    for other, weight in played:
        sums += cells[:, other].astype(object) * weight
    return [Fraction(int(value), whole * scale) for value in sums]


def guarantees(form: NormalForm, mixes: tuple[Sequence[Fraction], Sequence[Fraction]]) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound on player 1's payoff.

    Player 1's mixed strategy guarantees the lower bound, and player 2's mixed strategy guarantees the upper bound.
    """
    return min(_expected(form.cells[0].T, form.scale, mixes[0])), max(expected(form, 0, mixes[1]))
