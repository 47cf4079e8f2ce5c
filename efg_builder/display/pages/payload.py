"""A tree and what is played on it as data for a page: everything exact, as text, and nothing twice.

The page works out the rest (reach, beliefs, values): it is told what is played, not what follows from it.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import NotApplicableError, ProfileError
from ...base.rationals import Number, text
from ...forms.extensive import CHANCE, GameTree, constant_sum
from ...forms.public_tree import PublicTree, public_tree
from ...strategies.tree_profile import Profile

FORMAT = 1
"""Counts up when the meaning of a key changes; the scripts refuse any other."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A profile to look at: its ``name`` for a list to choose from, a line on what was verified of it, and
    ``ranges``, from where to where a probability can go over all equilibria, by information set and action.
    """

    name: str
    profile: Profile
    caption: str = ""
    ranges: Mapping[tuple[int, int], tuple[Number, Number]] | None = None


def view_data(tree: GameTree, shown: Sequence[Shown] = ()) -> dict[str, Any]:
    """The data of the viewer, ready for JSON.

    ``infoset`` and ``outcome``: for each node in prefix order its index into the tables of these names, -1 for none;
    the tree follows from them. ``infosets``: [player (-1 chance), label, [actions as indices into ``labels``]], and
    for chance a list of probabilities. ``public``: the public tree, or null with the reason in ``no_public``.
    ``solutions``: what is shown; ``probabilities`` are indices into ``numbers``, one list for each information set
    (null for chance). Raises ``ProfileError`` where a profile is on another tree.
    """
    labels: dict[str, int] = {}
    infosets: list[list[Any]] = []
    for infoset in tree.infosets:
        actions = [labels.setdefault(action, len(labels)) for action in infoset.actions]
        row = [infoset.player, infoset.label, actions]
        infosets.append([*row, [text(p) for p in infoset.probabilities]] if infoset.probabilities else row)
    sum_ = constant_sum(tree)
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": tree.title,
        "comment": tree.comment,
        "players": list(tree.players),
        "constant_sum": None if sum_ is None else text(sum_),
        "infoset": tree.infoset.tolist(),
        "outcome": tree.outcome.tolist(),
        "node_labels": {str(node): label for node, label in tree.node_labels.items()},
        "outcomes": [[outcome.label, [text(paid) for paid in outcome.payoffs]] for outcome in tree.outcomes],
        "infosets": infosets,
    }
    try:
        data["public"] = _public(public_tree(tree), labels)
    except NotApplicableError as error:
        data |= {"public": None, "no_public": str(error)}
    numbers: dict[str, int] = {}
    data["solutions"] = [_solution(tree, each, numbers) for each in shown]
    return data | {"labels": list(labels), "numbers": list(numbers)}


def _public(public: PublicTree, labels: dict[str, int]) -> dict[str, Any]:
    return {
        "of": public.of.tolist(),
        "parent": public.parent.tolist(),
        "moves": [labels.setdefault(move, len(labels)) for move in public.moves],
        "player": public.player.tolist(),
        "infosets": [list(sets) for sets in public.infosets],
        "hands": [list(public.hands(history)) for history in range(len(public))],
    }


def _solution(tree: GameTree, shown: Shown, numbers: dict[str, int]) -> dict[str, Any]:
    if shown.profile.tree is not tree:
        raise ProfileError(f"the profile {shown.name!r} is one of another tree ({shown.profile.tree.title!r})")
    rows = [
        None if infoset.player == CHANCE else [_number(p, numbers) for p in row]
        for infoset, row in zip(tree.infosets, shown.profile.probabilities, strict=True)
    ]
    ranges = None
    if shown.ranges is not None:
        pairs = shown.ranges.items()
        ranges = [[k, a, _number(low, numbers), _number(high, numbers)] for (k, a), (low, high) in sorted(pairs)]
    return {"name": shown.name, "caption": shown.caption, "probabilities": rows, "ranges": ranges}


def _number(value: Number, numbers: dict[str, int]) -> int:
    return numbers.setdefault(text(value), len(numbers))


def packed(data: Mapping[str, Any]) -> str:
    """*data* as base64 of compressed JSON: what a page carries; equal data give equal text."""
    raw = json.dumps(data, separators=(",", ":"), ensure_ascii=True).encode("ascii")
    return base64.b64encode(gzip.compress(raw, compresslevel=9, mtime=0)).decode("ascii")
