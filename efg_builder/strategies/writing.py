"""Writing strategies to files for ``read_strategy``, and writing parts of solution files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..base.errors import ParameterError
from ..base.files import csv_lines, write_atomically
from ..base.formats import format_of
from ..base.rationals import Number, text, to_json
from ..forms.extensive import NODE_COUNTS, GameTree
from ..games.catalogue import identify, in_package
from ..games.protocol import Game
from .dense_profile import write_dense
from .reading import COLUMNS
from .tree_profile import Strategy, TreeProfile

MOST_LISTED = 1_000_000
"""Maximum number of information sets of a dense profile that is written to a text file."""

_WIDTH = 110
"""Maximum line length of a flat JSON object or list under a top-level key.

At deeper levels, flat objects and lists are never split.
"""


def write_strategy(path: str | os.PathLike[str], strategy: Strategy, game: Game | None, about: str) -> Path:
    """Write *strategy* to *path* as arrays (``.npz``), CSV (``.csv``) or JSON (with the description *about*).

    Raises ``FileError``. Raises ``ParameterError`` if this strategy cannot be written in this format.
    """
    arrays = strategy.dense_profile
    if _ends(path, ".npz"):
        if os.fspath(path).lower().endswith(".gz"):
            raise ParameterError(f"{path}: an .npz file cannot be compressed again; omit .gz")
        if arrays is None:
            only = "only strategies from --measure dense can be written as arrays (.npz)"
            raise ParameterError(f"{path}: {only}; name a .json or .csv file")
        write_dense(path, arrays)
        return Path(path)
    if arrays is not None:
        sets = sum(array.size for array in arrays.arrays if array is not None)
        if sets > MOST_LISTED:
            raise ParameterError(f"{path}: {sets:,} information sets are too many for a text file; name a .npz file")
    if _ends(path, ".csv"):
        return write_atomically(path, csv_lines(table(strategy)))
    if strategy.tree_profile is None:
        parts: list[dict[str, dict[str, str]]] = [{} for _ in strategy.players]
        for entry in strategy.entries():
            parts[entry.player][entry.infoset] = {action: text(p) for action, p in entry.row.items()}
        body = {"game": game_part(game), "strategy": about, "strategies": parts}
    else:
        profile = profile_part(strategy.tree_profile)
        body = {"game": game_part(None, strategy.tree), "strategy": about, "profile": profile}
    data = {"format": format_of("strategy")} | body
    return write_atomically(path, (part.encode() for part in (*encode(data), "\n")))


def _ends(path: str | os.PathLike[str], suffix: str) -> bool:
    return os.fspath(path).lower().removesuffix(".gz").endswith(suffix)


def table(
    strategy: Strategy,
    more: Sequence[str] = (),
    besides: Callable[[int | None, Number], tuple[str, ...]] = lambda k, p: (),
) -> Iterator[tuple[object, ...]]:
    """Yield *strategy* as rows of a table: column names first, then one row for each action.

    *more*: the names of additional columns. *besides*: a function of the index of an information set (None without a
    tree) and a probability. It returns the row's fields in these columns.
    """
    yield (*COLUMNS, *more)
    for player, label, row, k in strategy.entries():
        for action, p in row.items():
            yield player + 1, label, action, text(p), *besides(k, p)


def profile_part(profile: TreeProfile, reached: Sequence[bool | None] | None = None) -> list[dict[str, Any]]:
    """Return an entry for each information set k; ``reached[k]``: whether play reaches it (None: unknown)."""
    infosets = profile.tree.infosets
    return [
        {"player": infosets[k].player + 1, "infoset": infosets[k].number, "label": infosets[k].label}
        | ({} if reached is None else {"reached": reached[k]})
        | {"probabilities": {action: to_json(p) for action, p in profile.row(k).items()}}
        for k in profile.tree.numbered
    ]


def game_part(game: Game | None, tree: GameTree | None = None) -> dict[str, Any]:
    """Return the game's title, players and, if known, size as JSON data.

    For a game of this package, add the name and settings. Omit the name of a class from a user's file: a program that
    reads the JSON data must not run that file.
    """
    head: dict[str, Any] = {}
    counts: Mapping[str, int] = {} if tree is None else tree.node_counts
    if game is not None:
        named = identify(game) if in_package(game) else None
        head = {} if named is None else {"name": named[0], "settings": named[1]}
        if tree is None and (size := game.size()) is not None:
            counts = {key: getattr(size, key) for key in NODE_COUNTS}
    shown: Any = game if tree is None else tree
    return head | {"title": shown.title, "players": list(shown.players)} | dict(counts)


def encode(data: Any, level: int = 0) -> Iterator[str]:
    """Yield the JSON text of *data* in parts, with one information set or one flat list on each line."""
    if not isinstance(data, dict | list) or not data:
        yield json.dumps(data, ensure_ascii=False)
        return
    parts = list(data.values()) if isinstance(data, dict) else data
    if not any(isinstance(part, dict | list) for part in parts):
        line = json.dumps(data, ensure_ascii=False)
        if level > 1 or len(line) <= _WIDTH:
            yield line
            return
    names = (
        [f"{json.dumps(name, ensure_ascii=False)}: " for name in data] if isinstance(data, dict) else [""] * len(data)
    )
    lead, end = "{}" if isinstance(data, dict) else "[]"
    for name, part in zip(names, parts, strict=True):
        yield f"{lead}\n{' ' * (level + 1)}{name}"
        yield from encode(part, level + 1)
        lead = ","
    yield f"\n{' ' * level}{end}"
