"""The least and the greatest weight of every sequence over all optimal plans, in few linear programs.

Most ends need no program of their own: a weight lies between 0 and what leads to it has, and an optimal plan that is
known already, from another end, may attain that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from ...forms.sequence_form import PlayerSequences
from ..protocol import Left, Progress
from .optimal_plans import Face, Plan, extreme

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Range:
    """From ``low`` to ``high``; both are attained."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class SequenceRanges:
    """Ranges of a player's sequences, by index (the empty one included).

    ``weights``: of each sequence's weight. ``conditional``: of its share of the weight of what leads to it, over the
    optimal plans that give that any; None where none does, and for the empty sequence. ``plans``: optimal plans that
    between them attain every end; ``programs``: the linear programs it took.
    """

    weights: tuple[Range, ...]
    conditional: tuple[Range | None, ...]
    plans: tuple[Plan, ...]
    programs: int


@dataclass
class _Search:
    """What is known so far, while ``sequence_ranges`` works: plans, and the ends they attain."""

    face: Face
    left: Left
    progress: Progress
    plans: list[Plan] = field(default_factory=list)
    programs: int = 0

    def end(self, sequence: int, within: int, least: bool, bound: Fraction) -> Fraction:
        """The end of the range of ``x[sequence] / x[within]``, which is known not to lie beyond *bound*."""
        known = (plan[sequence] / plan[within] for plan in self.plans if plan[within])
        if bound in known:
            return bound
        found = extreme(self.face, sequence, within, least, self.left, self.progress)
        self.programs += 1
        self.progress(f"ranges: {self.programs:,} linear programs, {len(self.plans):,} optimal plans")
        if found.plan not in self.plans:
            self.plans.append(found.plan)
        return found.value


def sequence_ranges(face: Face, left: Left, progress: Progress) -> SequenceRanges:
    """The ranges over the plans in *face*. Raises ``NotExactError``, ``LinearProgramError`` or ``TimeLimit``."""
    side = face.form.players[0]
    search = _Search(face, left, progress)
    weights = [Range(ZERO, ZERO)] * side.count
    conditional: list[Range | None] = [None] * side.count
    weights[0] = Range(ONE, ONE)
    played = [False] * side.count
    for s in face.support:
        played[s] = True
    for k in sets_in_order(side):
        parent, first = int(side.parent[k]), int(side.first[k])
        if not played[parent]:
            continue
        actions = range(first, first + int(side.widths[k]))
        for s in actions:
            conditional[s] = Range(ZERO, ZERO)
        open_ = [s for s in actions if played[s]]
        if len(open_) == 1:
            weights[open_[0]], conditional[open_[0]] = weights[parent], Range(ONE, ONE)
            continue
        above = weights[parent]
        fixed = above.low == above.high
        for s, found in _ends(search, open_, 0, above.high, fixed).items():
            weights[s] = found
            conditional[s] = Range(found.low / above.high, found.high / above.high)
        if not fixed:
            for s, found in _ends(search, open_, parent, ONE, True).items():
                conditional[s] = found
    if not search.plans:  # nothing was left to choose: any end gives the one plan there is
        search.plans.append(extreme(face, 0, 0, True, left, progress).plan)
    return SequenceRanges(tuple(weights), tuple(conditional), tuple(search.plans), search.programs)


def _ends(search: _Search, sequences: list[int], within: int, whole: Fraction, complete: bool) -> dict[int, Range]:
    """Ranges of the actions of one set, none beyond 0 and *whole*; *complete*: they always sum to that."""
    if complete and len(sequences) == 2:  # then one's range is the other's, turned around
        one, other = sequences
        found = Range(search.end(one, within, True, ZERO), search.end(one, within, False, whole))
        return {one: found, other: Range(whole - found.high, whole - found.low)}
    return {s: Range(search.end(s, within, True, ZERO), search.end(s, within, False, whole)) for s in sequences}


def sets_in_order(side: PlayerSequences) -> list[int]:
    """The player's sets, each after the set of the own move that leads to it."""
    owner, parent = side.owner.tolist(), side.parent.tolist()
    children: dict[int, list[int]] = {}
    for k, sequence in enumerate(parent):
        children.setdefault(owner[sequence], []).append(k)
    order: list[int] = []
    waiting = list(reversed(children.get(-1, [])))
    while waiting:
        k = waiting.pop()
        order.append(k)
        waiting += reversed(children.get(k, []))
    return order
