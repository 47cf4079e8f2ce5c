"""Rounds of a double oracle for bidding whose restricted games are solved as linear programs, to the exact end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..lp.exact_vertex import exact_optimum
from ..lp.highs import LinearProgramError, TimeLimit, Vertex, maximise
from ..lp.rational import NotExactError
from ..protocol import Left, Progress
from .bidding import Bidding
from .bidding_master import Master, carried, master
from .bidding_plan import exact_plan, float_plan
from .bidding_response import respond_both
from .bidding_search import SIGHT, Search

SHARE = 0.01
"""A move is added where it gains more than this share of the present gap."""

CUT = 1e-11
"""Realization weights below this are noise of the simplex method."""


class TooSlow(Exception):
    """One linear program took longer than it is worth."""


@dataclass(frozen=True)
class Programs:
    """Linear programs in turn with best responses over the whole game.

    ``wanted``: the gap that is enough, as a share of half the payoff range (0: exact). ``left``: seconds left in
    all. ``patience``: seconds for one linear program (None: no limit of its own). ``save`` keeps the state.
    """

    search: Search
    wanted: float
    left: Left
    progress: Progress
    save: Callable[[], None]
    patience: float | None

    def close(self) -> str:
        """Round after round until the gap is closed; returns what is to be said of it.

        Raises ``TooSlow`` and ``TimeLimit``.
        """
        search, share = self.search, SHARE
        search.begin()
        while True:
            added = self.round(share)
            if self.wanted and search.gap <= self.wanted:
                return "the asked-for gap was reached"
            if added and search.gap > SIGHT:
                continue
            if not added and search.gap > SIGHT and share > SIGHT:
                share /= 10
                continue
            try:
                if self._exact_round():
                    return ""
            except NotExactError as error:
                return f"not made exact: {error}"

    def round(self, share: float) -> int:
        """Solve the restricted game, respond, add what improves; returns how many moves that are."""
        search, model, support = self.search, self.search.model, self.search.support
        program, vertex = self._solve(self.patience)
        found = program.masses(vertex.values, vertex.duals)
        one, two = (float_plan(model, support, p, program.sequences[p], found[p], CUT) for p in range(2))
        responses = search.respond((one, two), max(SIGHT, share * (search.own[1] - search.own[0])))
        self.progress(search.line())
        self.save()
        return search.add(responses)

    def _solve(self, patience: float | None) -> tuple[Master, Vertex]:
        """The restricted game's linear program, from the last round's basis on."""
        search = self.search
        program = master(search.model, search.support)
        basis = carried(*search.last, program) if search.last else None

        def report(line: str) -> None:
            self.progress(f"{search.line()}; {line}")

        limit = seconds = self.left()
        if seconds is not None and seconds <= 0:
            raise TimeLimit("time limit")
        if patience is not None and (seconds is None or seconds > patience):
            limit = patience
        try:
            vertex = maximise(program.program, limit, report, basis)
        except TimeLimit:
            if limit == seconds:
                raise
            raise TooSlow from None
        except LinearProgramError:
            if basis is None:
                raise
            vertex = maximise(program.program, self.left(), report)
        search.last = program, vertex
        return program, vertex

    def _exact_round(self) -> bool:
        """Solve the basis in rationals and respond exactly; says whether neither side gains.

        Raises ``NotExactError``.
        """
        search, model, support = self.search, self.search.model, self.search.support
        self.progress(f"{search.line()}; solving the basis in rationals")
        program, vertex = self._solve(None)
        point = exact_optimum(program.exact, vertex, self.left, self.progress)
        found = program.masses(np.array(point.primal, dtype=object), np.array(point.dual, dtype=object))
        one, two = (exact_plan(model, support, p, program.sequences[p], list(found[p])) for p in range(2))
        plans = (one, two)
        responses = respond_both(model, support, plans, 0)
        upper, lower = (_mean(model, r.value, p.scale) for r, p in zip(responses, plans[::-1], strict=True))
        lower = -lower
        search.visited = (responses[0].visited, responses[1].visited)
        search.judge_exact(plans, lower / model.largest, upper / model.largest)
        search.add(responses)
        return upper == lower


def _mean(model: Bidding, total: int, scale: int) -> Fraction:
    """The mean of the model's integers, from a sum over both players' hands."""
    return Fraction(int(total), model.totals[0] * model.totals[1] * scale)
