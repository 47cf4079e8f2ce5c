"""The tree that a certificate carries: as the text of a ``.efg`` file, so that the file proves itself.

Games of this package are named, and made anew from their settings. A tree from a file, or from somebody's class, is
carried; above a size its digest is, and the game must be given to be proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ...base.errors import CertificateError, EfgSyntaxError
from ...forms.extensive import CHANCE, MAX_NODES, GameTree
from ...games.catalogue import in_package
from ...games.protocol import Game
from ...interop.efg import efg_chunks, parse_efg
from ...strategies.writing import game_part

MOST_CARRIED = 1_000_000
"""The bytes of text above which a certificate carries the tree's digest alone."""

KEYS = frozenset({"efg", "sha256"})
"""The keys of the part ``game`` by which a certificate carries its tree, one of the two."""


def certified_game(game: Game | None, tree: GameTree | None) -> dict[str, Any]:
    """The part ``game`` of a certificate: as ``game_part``, and the tree where no game of this package makes it."""
    part = game_part(game, tree)
    return part if tree is None or (game is not None and in_package(game)) else part | tree_part(tree)


def tree_part(tree: GameTree) -> dict[str, str]:
    """``efg``, the text of *tree*; or ``sha256``, its digest, where it is too long, or the format changes the tree.

    That is so with names that ``.efg`` cannot have, and with information sets that have no nodes.
    """
    digest, kept, size = sha256(), list[bytes](), 0
    for chunk in efg_chunks(tree, as_named=True):
        digest.update(chunk)
        size += len(chunk)
        if size <= MOST_CARRIED:
            kept.append(chunk)
    if size <= MOST_CARRIED:
        efg = b"".join(kept).decode()
        if _is_same(parse_efg(efg), tree):
            return {"efg": efg}
    return {"sha256": digest.hexdigest()}


def _is_same(one: GameTree, other: GameTree) -> bool:
    """Whether both are the same game, and have the same sets."""
    return len(one.infosets) == len(other.infosets) and _plain(one) == _plain(other)


def _plain(tree: GameTree) -> GameTree:
    """*tree* without what says nothing of its play, and what the format may change: labels of chance and of nodes."""
    sets = tuple(each._replace(label="") if each.player == CHANCE else each for each in tree.infosets)
    outcomes = tuple(each._replace(label="") for each in tree.outcomes)
    return replace(tree, comment="", node_labels={}, infosets=sets, outcomes=outcomes)


def carried_tree(part: Mapping[str, Any], max_nodes: int = MAX_NODES) -> GameTree | None:
    """The tree that the part ``game`` of a certificate carries; None where it carries none.

    Raises ``CertificateError`` for a text that is no tree, or stands beside what says it otherwise, and
    ``TreeTooLargeError``.
    """
    if len(keys := [key for key in ("name", *sorted(KEYS)) if key in part]) > 1:
        raise CertificateError("game", f"{keys[0]!r} and {keys[1]!r} both say which game it is; there must be one")
    for key in keys:
        if not isinstance(part[key], str):
            raise CertificateError("game", f"{key} is not a text")
    if "efg" not in part:
        return None
    try:
        return parse_efg(part["efg"], max_nodes=max_nodes)
    except EfgSyntaxError as error:
        raise CertificateError("game", f"efg: {error}") from None


def check_carried(part: Mapping[str, Any], carried: GameTree | None, given: GameTree) -> None:
    """Raise ``CertificateError`` unless *given* is the tree that the part carries, or has its digest."""
    if carried is not None and not _is_same(carried, given):
        raise CertificateError("game", f"the certificate carries another tree than the one given, {given.title!r}")
    if "sha256" in part:
        digest = sha256()
        for chunk in efg_chunks(given, as_named=True):
            digest.update(chunk)
        if part["sha256"] != digest.hexdigest():
            raise CertificateError("game", f"sha256 is not that of the tree given, {given.title!r}, as .efg")
