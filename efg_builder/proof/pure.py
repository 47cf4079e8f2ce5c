"""Pure strategies of a normal form: best replies, equilibria, guarantees; and the guarantees of mixed ones.

Exact comparisons of integers, cell by cell. Nothing is taken from a solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from ..base.errors import ParameterError
from ..forms.normal_form import NormalForm

Flags = npt.NDArray[np.bool_]
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True)
class Pick:
    """Strategies of one player (indices, in order) that are best by one measure, and how good by that measure."""

    strategies: tuple[int, ...]
    worth: Fraction


@dataclass(frozen=True)
class PurePlay:
    """One player's pure strategies, by four measures; a ``worth`` is this player's expected payoff unless said.

    ``maximin``: the best guarantee, the most that the worst reply leaves. ``minimax``: the other player's
    strategies that keep this player's best reply down most, and what it then gets. ``against_uniform``: best
    against an opponent who plays all reduced strategies equally often. ``most_replies``: best reply to the most
    of the opponent's pure strategies (``worth`` is their number).
    """

    maximin: Pick
    minimax: Pick
    against_uniform: Pick
    most_replies: Pick


@dataclass(frozen=True)
class ReplyStep:
    """A strategy in a chain of best replies: who plays it (from 0), its index, what it gets, how many do as well.

    ``payoff`` is what ``player`` expects against the strategy before; the first step has none.
    """

    player: int
    strategy: int
    payoff: Fraction | None
    equals: int


@dataclass(frozen=True)
class Chain:
    """Best replies to best replies. ``steps[back]`` is the one to which the last step's reply would lead again."""

    steps: tuple[ReplyStep, ...]
    back: int

    @property
    def length(self) -> int:
        """Steps in the cycle, an even number; 2 where both strategies are an equilibrium."""
        return len(self.steps) - self.back


def best_replies(form: NormalForm, player: int) -> Flags:
    """Where *player*'s strategy is a best reply to the other's; shape (rows, columns)."""
    cells = form.cells[player]
    return np.asarray(cells == cells.max(axis=player, keepdims=True), dtype=bool)


def pure_equilibria(form: NormalForm) -> tuple[tuple[int, int], ...]:
    """All cells in which both strategies are best replies to each other, in order."""
    found = np.argwhere(best_replies(form, 0) & best_replies(form, 1))
    return tuple((int(row), int(column)) for row, column in found)


def pure_play(form: NormalForm, player: int) -> PurePlay:
    """The four measures of *player*'s (from 0) pure strategies."""
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
    """From *player*'s strategy *start* on, each player in turn answers the other's last strategy with a best reply.

    Of several best replies the last in lexicographic order is taken: in dice poker the one that raises or
    calls on low dice too. Ends before the first repeated (player, strategy). Raises ``ParameterError``.
    """
    if player not in (0, 1) or not 0 <= start < form.shape[player]:
        raise ParameterError(f"there is no strategy number {start} of player number {player}")
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
    """What *player* expects with each own pure strategy where the other one mixes with the weights *mix*."""
    whole = lcm(*(weight.denominator for weight in mix))
    played = [(i, int(weight * whole)) for i, weight in enumerate(mix) if weight]
    cells = form.cells[player] if player == 0 else form.cells[player].T
    sums = np.zeros(form.shape[player], dtype=object)
    for other, weight in played:
        sums += cells[:, other].astype(object) * weight
    return [Fraction(int(value), whole * form.scale) for value in sums]


def guarantees(form: NormalForm, mixes: tuple[Sequence[Fraction], Sequence[Fraction]]) -> tuple[Fraction, Fraction]:
    """In a constant-sum game: what player 1's mix guarantees player 1, and what player 2's allows player 1 at most."""
    assert form.total is not None
    return form.total - max(expected(form, 1, mixes[0])), max(expected(form, 0, mixes[1]))
