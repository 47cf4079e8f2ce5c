"""Reading profiles back from a solution's JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .errors import ProfileError
from .profile import Profile, distinct
from .rationals import Number, from_json
from .tree import GameTree


def read_profile(text: str, tree: GameTree, source: str = "solution") -> Profile:
    """The profile in a solution's JSON, for *tree*.

    Raises ``ProfileError`` that names the entry which does not fit the tree.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: not JSON: {error}") from None
    entries = data.get("profile") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise ProfileError(
            f"{source}: it has no list 'profile'; make one with 'efg-builder solve ... -o solution.json'"
        )
    index = {(tree.infosets[k].player + 1, tree.infosets[k].number): k for k in tree.personal}
    rows: dict[int, tuple[Number, ...]] = {}
    for position, entry in enumerate(entries, start=1):
        where = f"{source}: entry {position} of 'profile'"
        if not isinstance(entry, Mapping):
            raise ProfileError(f"{where}: not an object")
        key = (entry.get("player"), entry.get("infoset"))
        if key not in index or not all(type(part) is int for part in key):
            raise ProfileError(f"{where}: the game has no information set {key[1]} of player {key[0]}")
        rows[index[key]] = _row(entry, tree, index[key], where)
    missing = [k for k in tree.personal if k not in rows]
    if missing:
        raise ProfileError(f"{source}: nothing for the information set {tree.infosets[missing[0]].label!r}")
    return Profile.from_personal(tree, rows)


def _row(entry: Mapping[str, Any], tree: GameTree, k: int, where: str) -> tuple[Number, ...]:
    infoset = tree.infosets[k]
    if entry.get("label", infoset.label) != infoset.label:
        raise ProfileError(f"{where}: labelled {entry['label']!r}, but in this game it is {infoset.label!r}")
    given, names = entry.get("probabilities"), list(distinct(infoset.actions))
    if not isinstance(given, Mapping) or set(given) != set(names):
        raise ProfileError(f"{where}: 'probabilities' must have exactly the actions {', '.join(names)}")
    try:
        return tuple(from_json(given[name]) for name in names)
    except (ValueError, ZeroDivisionError) as error:
        raise ProfileError(f"{where}: {error}") from None
