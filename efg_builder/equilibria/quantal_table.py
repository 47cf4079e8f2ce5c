"""A branch of quantal responses as columns: which probabilities tell most, and the file with commas."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..base.files import write_atomically
from .quantal import QuantalBranch
from .strategic_words import short_names


@dataclass(frozen=True)
class Course:
    """One action's probability along the branch, a float for each point; ``name``: short for the information set.

    ``infoset`` (index in ``tree.infosets``) and ``index`` tell which action it is.
    """

    player: int
    infoset: int
    index: int
    name: str
    action: str
    probabilities: tuple[float, ...]

    @property
    def range(self) -> float:
        """How much the probability changes from its least to its greatest."""
        return max(self.probabilities) - min(self.probabilities)


def courses(branch: QuantalBranch, most: int | None = None) -> list[Course]:
    """One course for each set of more than one action, in the tree's order: that of the action that changes most.

    Where a player's sets all offer the same two actions, the second. With *most*, the sets that change most.
    """
    tree, found = branch.tree, []
    for player in range(len(tree.players)):
        sets = [k for k in tree.personal if tree.infosets[k].player == player and len(tree.infosets[k].actions) > 1]
        offered = {tree.infosets[k].actions for k in sets}
        second = len(offered) == 1 and len(next(iter(offered))) == 2
        for name, k in zip(short_names([tree.infosets[k].label for k in sets]), sets, strict=True):
            columns = zip(*(point.profile.probabilities[k] for point in branch.points), strict=True)
            each = [
                Course(player, k, index, name, tree.infosets[k].actions[index], tuple(map(float, column)))
                for index, column in enumerate(columns)
            ]
            found.append(each[1] if second else max(each, key=lambda course: course.range))
    if most is None or len(found) <= most:
        return found
    kept = sorted(range(len(found)), key=lambda i: -found[i].range)[:most]
    return [found[i] for i in sorted(kept)]


def write_branch(branch: QuantalBranch, path: str | os.PathLike[str]) -> Path:
    """Write ``branch_chunks`` to *path*, whole or not at all. Raises ``FileError``."""
    return write_atomically(path, branch_chunks(branch))


def branch_chunks(branch: QuantalBranch) -> Iterator[bytes]:
    """A line for each point: lambda, the checks, each player's payoff, and every probability."""
    tree = branch.tree
    sets = [tree.infosets[k] for k in tree.personal]
    names = [f"{tree.players[i.player]}|{i.label}|{action}" for i in sets for action in i.actions]
    values = [f"value of {name}" for name in tree.players]
    yield _line(["lambda", "regret", "nash_conv", "residual", *values, *names])
    for point in branch.points:
        numbers = [point.precision, point.regret, point.nash_conv, point.residual, *point.value]
        numbers += [p for k in tree.personal for p in point.profile.probabilities[k]]
        yield _line([repr(float(number)) for number in numbers])


def _line(cells: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()
