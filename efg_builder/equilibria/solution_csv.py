"""A solution as a table for spreadsheets: a line for each action of each information set."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path

from ..base.errors import ProfileError
from ..base.files import write_atomically
from ..base.naming import distinct
from ..base.rationals import text
from ..strategies.sparse_profile import SparseProfile
from .solution import Judged, Solution

COLUMNS = ("player", "infoset", "action", "probability", "float", "reach probability")
"""The first four are those of a strategy file."""


def write_solution_csv(solution: Solution, path: str | os.PathLike[str]) -> Path:
    """Write ``csv_lines`` to *path*, whole or not at all; gzip-compressed where *path* ends in ``.gz``.

    Raises ``FileError``, and ``ProfileError`` where the solution has no profile.
    """
    return write_atomically(path, (line.encode() for line in csv_lines(solution)))


def csv_lines(solution: Solution) -> Iterator[str]:
    """The best profile found, in lines; the first one names the columns.

    Players are numbered from 1, information sets named by their labels (``set 3``, by number, where one has none).
    ``probability`` is exact where the profile is (``1/3``), ``float`` the same rounded; ``reach probability`` that of
    the information set when all play this profile. Strategies found without a tree have what is written down of them:
    elsewhere the default move is played, and no reach is worked out.
    """
    if solution.judged:
        rows = _on_tree(solution.judged[0])
    elif solution.sparse is not None:
        rows = _without_tree(solution.sparse.profile)
    else:
        raise ProfileError(f"there is no strategy to write: {solution.status}, {solution.message}")
    yield _line(COLUMNS)
    for row in rows:
        yield _line(row)


def _on_tree(judged: Judged) -> Iterator[tuple[str, ...]]:
    tree, verdict = judged.profile.tree, judged.verdict
    for k in sorted(tree.personal, key=lambda k: (tree.infosets[k].player, tree.infosets[k].number)):
        infoset = tree.infosets[k]
        reach = "" if verdict is None else text(verdict.reach[k])
        name = infoset.label or f"set {infoset.number}"
        for action, p in zip(distinct(infoset.actions), judged.profile.probabilities[k], strict=True):
            yield str(infoset.player + 1), name, action, text(p), repr(float(p)), reach


def _without_tree(profile: SparseProfile) -> Iterator[tuple[str, ...]]:
    for player, history, hand, behavior in profile.canonical():
        name = profile.game.infoset_name(player, hand, history)
        for action, p in behavior.items():
            yield str(player + 1), name, action, text(p), repr(float(p)), ""


def _line(fields: tuple[str, ...]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(fields)
    return out.getvalue()
