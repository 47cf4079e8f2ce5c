"""The part ``refined`` of a solution's file: mistakes, beliefs, and that no action is better anywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...base.errors import CertificateError, EfgBuilderError
from ...base.rationals import parse, text
from ...base.words import distinct
from ...forms.extensive import GameTree
from ...strategies.tree_profile import TreeProfile
from ..sequential import Chance, SequentialVerdict, verify_sequential

PART = "refined"

HEAD = {
    "concept": "sequential equilibrium",
    "found_as": "quasi-perfect equilibrium: the limit of optimal plans where every move must be made at times",
    "source": "Miltersen and Sorensen (Economic Theory 42, 2010); Kreps and Wilson (Econometrica 50, 1982)",
}


def refined_part(verdict: SequentialVerdict) -> dict[str, Any]:
    """The verdict as plain data; histories, as lists of actions from the root, name the nodes.

    ``mistakes``: each action that is not played is taken with probability c e^k, for a small e: its c as
    ``probability``, its k as ``order``. ``beliefs``: how likely the set's nodes are, those of probability 0 left out.
    """
    tree = verdict.profile.tree
    nodes: dict[int, list[int]] = {}
    for node in sorted(verdict.beliefs):
        if verdict.beliefs[node]:
            nodes.setdefault(int(tree.infoset[node]), []).append(node)
    return {
        **HEAD,
        "verified": verdict.sequential,
        "greatest_gain": text(verdict.gain),
        "sets_checked": len(verdict.gains),
        "sets": [
            {
                "player": tree.infosets[k].player + 1,
                "infoset": tree.infosets[k].number,
                "label": tree.infosets[k].label,
                "mistakes": [
                    {"action": action, "probability": text(chance), "order": power}
                    for action, (chance, power) in zip(
                        distinct(tree.infosets[k].actions), verdict.mistakes[k], strict=True
                    )
                    if power
                ],
                "beliefs": [
                    {"history": history(tree, node), "probability": text(verdict.beliefs[node])}
                    for node in nodes.get(k, ())
                ],
            }
            for k in tree.numbered
        ],
    }


def history(tree: GameTree, node: int) -> list[str]:
    """The actions that lead to a node, chance's included."""
    path = []
    while node:
        above = int(tree.parent[node])
        path.append(tree.infosets[tree.infoset[above]].actions[tree.action[node]])
        node = above
    return path[::-1]


def prove_refined(part: object, profile: TreeProfile) -> SequentialVerdict:
    """Check the part of a file: beliefs and gains must be those that its mistakes give, and no gain positive.

    Returns the verdict. That the equilibrium is quasi-perfect, as it was found, is not
    proved by this: only that it is sequential. Raises ``CertificateError``.
    """
    if not isinstance(part, Mapping) or not isinstance(part.get("sets"), list):
        raise CertificateError(PART, "not an object with a list 'sets'")
    tree = profile.tree
    mistakes: dict[int, tuple[Chance, ...]] = {}
    for number, entry in enumerate(part["sets"], start=1):
        place = f"{PART}, entry {number} of 'sets'"
        owner, its = (entry.get("player"), entry.get("infoset")) if isinstance(entry, Mapping) else (None, None)
        k = tree.by_number.get((owner - 1, its)) if type(owner) is int and type(its) is int else None
        if k is None:
            raise CertificateError(place, "the game has no such information set")
        try:
            mistakes[k] = _row(entry.get("mistakes"), profile, k)
        except (ValueError, TypeError, KeyError, AttributeError, ZeroDivisionError):
            raise CertificateError(
                place, "'mistakes' must name an action, a probability as text and an order"
            ) from None
    try:
        verdict = verify_sequential(profile, mistakes)
    except EfgBuilderError as error:
        raise CertificateError(PART, str(error)) from None
    true = refined_part(verdict)
    for key in [*part, *true]:
        # As text, so that 1 is not true and 32.0 not 32.
        if key not in true or key not in part or json.dumps(part[key]) != json.dumps(true[key]):
            raise CertificateError(PART, f"{key!r} is not what the mistakes stated there give")
    if not verdict.sequential:
        gain = text(verdict.gain)
        raise CertificateError(PART, f"not a sequential equilibrium: by another action a player gains {gain} at a set")
    return verdict


def _row(entries: Any, profile: TreeProfile, k: int) -> tuple[Chance, ...]:
    place = {action: at for at, action in enumerate(distinct(profile.tree.infosets[k].actions))}
    row: list[Chance] = [(Fraction(p), 0) for p in profile.probabilities[k]]
    for entry in entries:
        if type(entry["order"]) is not int:
            raise ValueError(entry["order"])
        row[place[entry["action"]]] = (parse(entry["probability"]), entry["order"])
    return tuple(row)
