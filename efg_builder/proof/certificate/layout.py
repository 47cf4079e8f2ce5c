"""The layout of a solution's JSON: which parts it has, how they are written, and their check values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from ...base.rationals import text
from ...strategies.sparse_profile import SparseProfile

DEFAULT_RULE = (
    "At an information set that is not written down the player makes the move after which play can end soonest; "
    "of several, the first."
)
"""Stands in every certificate with sparse strategies."""

APART = frozenset({"game", "default", "strategies", "profile", "equilibria", "refined", "seconds", "run", "digests"})
"""Keys that are no part of the claim. Of these, ``seconds`` and ``run`` tell how it was found, and prove nothing."""

CLAIM = frozenset(
    {"method", "status", "message", "value", "lower", "upper", "exact", "regret", "regrets", "radius", "tolerance"}
)
"""The keys of the claim."""

ENTRY = frozenset({"player", "infoset", "label", "reached", "probabilities"})
"""The keys of what stands in ``profile`` for one information set."""

ONE_OF_SEVERAL = frozenset({"value", "regret", "equilibrium", "profile"})
"""The keys of what stands in ``equilibria`` for one of them."""


def strategies_part(profile: SparseProfile) -> list[dict[str, dict[str, str]]]:
    """One object for each player: by information set, hand after hand, the actions played and their probabilities.

    Only what ``SparseProfile.canonical`` keeps is written.
    """
    game, parts = profile.game, []
    for player, histories in enumerate(profile.canonical().strategies):
        rows = {(hand, at): row for at, history in enumerate(histories) for hand, row in histories[history].items()}
        names = list(histories)
        parts.append(
            {
                game.infoset_name(player, hand, names[at]): {action: text(p) for action, p in rows[hand, at].items()}
                for hand, at in sorted(rows)
            }
        )
    return parts


def digests(data: Mapping[str, Any]) -> dict[str, str]:
    """A short check value for each part of a solution's JSON, by the name of the part.

    They tell where a file was damaged, and prove nothing: whoever changes a part on purpose can do so with its
    check value. White space and the order of keys do not count.
    """
    return {name: _digest(part) for name, part in _parts(data)}


def _digest(part: Any) -> str:
    plain = json.dumps(part, sort_keys=True, separators=(",", ":"))
    return sha256(plain.encode()).hexdigest()[:12]


def _parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "game", data["game"]
    yield "claim", {key: value for key, value in data.items() if key not in APART}
    if "default" in data:
        yield "default", data["default"]
    for player, rows in enumerate(data.get("strategies") or (), start=1):
        hands: dict[str, dict[str, Any]] = {}
        for name, row in rows.items():
            hands.setdefault(name.partition(":")[0], {})[name] = row
        # A player with nothing written has a part too.
        yield f"strategies of player {player}", list(hands)
        for hand, part in hands.items():
            yield hand_place(player, hand), part
    owned: dict[Any, list[Any]] = {}
    for entry in data.get("profile") or ():
        owned.setdefault(json.dumps(entry.get("player")), []).append(entry)
    for owner, entries in owned.items():
        yield f"profile of player {owner}", entries
    for number, entry in enumerate(data.get("equilibria") or (), start=1):
        yield f"equilibria, number {number}", entry
    if "refined" in data:
        yield "refined", data["refined"]


def hand_place(player: int, hand: str) -> str:
    """What *player* (from 1) does with *hand*, as a place in the file."""
    return f"strategies of player {player}, hand {hand}"
