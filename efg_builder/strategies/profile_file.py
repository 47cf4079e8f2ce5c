"""Reading profiles back from a solution's JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ..base.errors import ProfileError
from ..base.files import read_text
from ..base.naming import distinct
from ..base.rationals import Number, from_json
from ..forms.extensive import GameTree
from .tree_profile import Profile


def read_solution(path: str | os.PathLike[str], tree: GameTree, which: int | None = None) -> Profile:
    """The profile in the solution file at *path*, for *tree*; *which* picks one of several equilibria, from 1.

    Of a solution only its strategies come back: no verdict, value or status, for a file may claim anything.
    ``verify`` judges the profile, ``verify_solution`` proves what the file claims, and
    ``read_sparse`` reads strategies that were found without a tree. Raises ``FileError`` and what
    ``read_profile`` raises.
    """
    return read_profile(read_text(path), tree, str(path), which)


def read_profile(text: str, tree: GameTree, source: str = "solution", which: int | None = None) -> Profile:
    """The profile in a solution's JSON, for *tree*; *which* picks one of its ``equilibria``, from 1.

    Where the method looks for one equilibrium only, that is number 1. A byte order mark may stand first.
    Raises ``ProfileError`` that names the entry which does not fit the tree, and, where the solution is of
    a game with another title, says so.
    """
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: not JSON: {error}") from None
    entries = _entries(data, source, which)
    try:
        return profile_of(entries, tree, source)
    except ProfileError as error:
        game = data.get("game")
        title = game.get("title") if isinstance(game, Mapping) else None
        if isinstance(title, str) and title != tree.title:
            raise ProfileError(f"{source} is a solution of {title!r}, not of {tree.title!r} ({error})") from None
        raise


def _entries(data: Any, source: str, which: int | None) -> list[Any]:
    found = data.get("profile") if isinstance(data, dict) else None
    if isinstance(data, dict) and "profile" in data and found is None:
        raise ProfileError(f"{source}: it has no profile (status {_word(data.get('status'))})")
    if which is not None and isinstance(data, dict):
        several = data.get("equilibria", [data])
        if not isinstance(several, list) or not 1 <= which <= len(several):
            count = len(several) if isinstance(several, list) else 0
            raise ProfileError(f"{source}: there is no equilibrium number {which} in it; it has {count}")
        found = several[which - 1].get("profile") if isinstance(several[which - 1], dict) else None
    if found is None and isinstance(data, dict) and "strategies" in data:
        hint = "eb.read_sparse reads its strategies, eb.verify_solution proves it"
        raise ProfileError(f"{source}: it was found without a tree, so it has no profile of one; {hint}")
    if not isinstance(found, list):
        raise ProfileError(
            f"{source}: it has no list 'profile'; make one with 'efg-builder solve ... -o solution.json'"
        )
    return found


def _word(status: object) -> str:
    return status if isinstance(status, str) and status.isprintable() else "unknown"


def profile_of(entries: list[Any], tree: GameTree, source: str = "solution") -> Profile:
    """The profile in the *entries* of a solution's ``profile``, for *tree*. Raises ``ProfileError``."""
    index = {(tree.infosets[k].player + 1, tree.infosets[k].number): k for k in tree.personal}
    rows: dict[int, tuple[Number, ...]] = {}
    for position, entry in enumerate(entries, start=1):
        where = f"{source}: entry {position} of 'profile'"
        if not isinstance(entry, Mapping):
            raise ProfileError(f"{where}: not an object")
        player, number = entry.get("player"), entry.get("infoset")
        k = index.get((player, number)) if type(player) is int and type(number) is int else None
        if k is None:
            raise ProfileError(f"{where}: the game has no information set {number} of player {player}")
        if k in rows:
            raise ProfileError(f"{where}: information set {number} of player {player} stands there twice")
        rows[k] = _row(entry, tree, k, where)
    missing = [k for k in tree.personal if k not in rows]
    if missing:
        raise ProfileError(f"{source}: nothing for the information set {tree.infosets[missing[0]].label!r}")
    return Profile.from_personal(tree, rows)


def _row(entry: Mapping[str, Any], tree: GameTree, k: int, where: str) -> tuple[Number, ...]:
    infoset = tree.infosets[k]
    if entry.get("label", infoset.label) != infoset.label:
        raise ProfileError(f"{where}: labelled {entry['label']!r}, but in this game it is {infoset.label!r}")
    given, names = entry.get("probabilities"), distinct(infoset.actions)
    if not isinstance(given, Mapping) or set(given) != set(names):
        raise ProfileError(f"{where}: 'probabilities' must have exactly the actions {', '.join(names)}")
    try:
        return tuple(from_json(given[name]) for name in names)
    except (ValueError, ZeroDivisionError) as error:
        raise ProfileError(f"{where}: {error}") from None
