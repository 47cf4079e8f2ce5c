"""Strategies to files, in the formats that ``strategies.strategy_file`` and ``strategies.dense_file`` read."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..base.errors import ParameterError
from ..base.files import write_atomically
from ..base.naming import distinct
from ..base.rationals import text, to_json
from ..games.protocol import Game
from ..proof.certificate import encode, game_part
from ..strategies.dense_profile import WideStrategy
from ..strategies.sparse_profile import SparseProfile
from ..strategies.strategy_file import COLUMNS
from ..strategies.tree_profile import Profile

Written = SparseProfile | Profile | WideStrategy

MOST_LISTED = 1_000_000
"""Information sets of arrays are listed in a text file up to so many."""


def write_strategy(path: str | os.PathLike[str], play: Written, game: Game | None, about: str) -> Path:
    """Write *play* to *path*: ``.npz`` for arrays, ``.csv``, or else JSON; ``about`` says in a sentence what it is.

    Raises ``FileError``, and ``ParameterError`` where this strategy does not go into that kind of file.
    """
    check_format(path, play)
    if isinstance(play, WideStrategy):
        if _ends(path, ".npz"):
            from ..strategies.dense_file import write_wide

            write_wide(path, play)
            return Path(path)
        play = _listed(play)
    if _ends(path, ".csv"):
        return write_atomically(path, (line.encode() for line in _csv(play)))
    data: dict[str, Any] = {"game": game_part(game) if isinstance(play, SparseProfile) else _tree_part(play)}
    data |= {"strategy": about}
    if isinstance(play, SparseProfile):
        parts: list[dict[str, dict[str, str]]] = [{} for _ in play.strategies]
        for player, label, row in _rows(play):
            parts[player][label] = row
        data["strategies"] = parts
    else:
        data["profile"] = _entries(play)
    return write_atomically(path, (part.encode() for part in (*encode(data), "\n")))


def check_format(path: str | os.PathLike[str], play: Written) -> None:
    """Raise ``ParameterError`` where *play* does not go into a file of that name."""
    if _ends(path, ".npz") and not isinstance(play, WideStrategy):
        raise ParameterError(f"{path}: arrays (.npz) are written by --method wide; name a .json or .csv file")
    if isinstance(play, WideStrategy) and not _ends(path, ".npz"):
        sets = sum(array.size for array in play.arrays if array is not None)
        if sets > MOST_LISTED:
            raise ParameterError(f"{path}: {sets:,} information sets are too many for a text file; name a .npz file")


def _ends(path: str | os.PathLike[str], suffix: str) -> bool:
    return os.fspath(path).lower().removesuffix(".gz").endswith(suffix)


def _listed(play: WideStrategy) -> SparseProfile:
    from .strategy_wide import sparse_rows

    return SparseProfile(play.game, (sparse_rows(play, 0), sparse_rows(play, 1)))


def _tree_part(play: Profile) -> dict[str, Any]:
    return game_part(None, play.tree)


def _rows(play: SparseProfile) -> Iterator[tuple[int, str, dict[str, str]]]:
    # Histories come in the order of play; as in a tree, those of one hand stand together.
    for player, history, hand, behavior in sorted(play, key=lambda entry: (entry[0], entry[2])):
        label = play.game.infoset_name(player, hand, history)
        yield player, label, {action: text(p) for action, p in behavior.items() if p}


def _entries(play: Profile) -> list[dict[str, Any]]:
    tree = play.tree
    order = sorted(tree.personal, key=lambda k: (tree.infosets[k].player, tree.infosets[k].number))
    return [
        {
            "player": tree.infosets[k].player + 1,
            "infoset": tree.infosets[k].number,
            "label": tree.infosets[k].label,
            "probabilities": dict(zip(distinct(tree.infosets[k].actions), map(to_json, row), strict=True)),
        }
        for k, row in ((k, play.probabilities[k]) for k in order)
    ]


def _csv(play: SparseProfile | Profile) -> Iterator[str]:
    yield _line(COLUMNS)
    if isinstance(play, SparseProfile):
        for player, label, row in _rows(play):
            yield from (_line((player + 1, label, action, p)) for action, p in row.items())
        return
    entries = _entries(play)
    labels = Counter((entry["player"], entry["label"]) for entry in entries)
    for entry in entries:
        alone = entry["label"] and labels[entry["player"], entry["label"]] == 1
        name = entry["label"] if alone else f"set {entry['infoset']}"
        for action, p in entry["probabilities"].items():
            yield _line((entry["player"], name, action, p))


def _line(fields: tuple[object, ...]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(fields)
    return out.getvalue()
