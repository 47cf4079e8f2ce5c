"""The layout of a solution's JSON, and a strict reader of its parts.

The reader refuses damaged and ambiguous files. Its errors name the wrong part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from math import lcm
from typing import Any

from ...base.errors import CertificateError, FileError, ProfileError, nearest
from ...base.formats import check_format
from ...base.rationals import TooLongError, exact_sum, parse, text
from ...base.strict_json import parse_json, repeated
from ...base.words import one_line_names
from ...games.protocol import DealtGame
from ...strategies.sparse_profile import Behavior, SparseProfile

DEFAULT_RULE = (
    "At an information set that is not written down the player makes the move after which play can end soonest; "
    "of several, the first."
)
"""The part ``default`` of every certificate with sparse strategies."""

APART = frozenset(
    {
        "format",
        "game",
        "default",
        "strategies",
        "profile",
        "equilibria",
        "refined",
        "off_path",
        "seconds",
        "run",
        "digests",
    }
)
"""The keys outside the claim. ``run``, and ``seconds`` in older files, describe the search, and prove nothing."""

CLAIM = frozenset(
    {"method", "status", "message", "value", "lower", "upper", "exact", "regret", "regrets", "radius", "tolerance"}
)
"""The keys of the claim."""

ENTRY = frozenset({"player", "infoset", "label", "reached", "probabilities"})
"""The keys of an entry in ``profile``, which describes one information set."""

ONE_OF_SEVERAL = frozenset({"value", "regret", "equilibrium", "profile"})
"""The keys of an entry in ``equilibria``."""

_SECTION = re.compile(rf'"({"|".join(sorted(APART | CLAIM))})"\s*:')

_STRATEGIES = re.compile(r'^ ?"strategies"\s*:', re.MULTILINE)

_IDLE = (
    "it has no effect: there is no such history, or the player's strategy never reaches the history with this hand, "
    "or this is the default move"
)


def read_parts(content: str, source: str) -> dict[str, Any]:
    """Return the JSON object in *content*. Raises the errors of ``read_plain`` and ``check_parts``."""
    data = read_plain(content, source)
    with named_source(source):
        check_parts(data, source)
    return data


def check_parts(data: Mapping[str, Any], source: str) -> None:
    """Raise ``CertificateError`` unless a solution's parts have the right types, digests and keys.

    Raises ``FileError``, which names *source*, for an unknown format.
    """
    check_format(data, "solution", source)
    _check_kinds(data)
    _check_digests(data)
    _check_keys(data)
    for key in sorted(CLAIM - {"regrets", "radius"} - data.keys()):
        raise CertificateError("claim", f"the key {key!r} is missing")


def with_fit_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a solution's data with every name in one printable line, as in a ``GameTree``.

    Releases up to 0.3.0 wrote names with line breaks as they were. Raises ``CertificateError`` if two keys of an object
    become equal.
    """
    kept = {key: part for key, part in data.items() if key in ("strategies", "digests", "run")}
    fit = {}
    for key in data.keys() - kept.keys():
        try:
            fit[key] = one_line_names(data[key])
        except ValueError as error:
            raise CertificateError(key, str(error)) from None
    if "efg" in data["game"]:  # has line breaks between nodes; its reader makes the names fit
        fit["game"]["efg"] = data["game"]["efg"]
    return fit | kept


@contextmanager
def named_source(source: str) -> Iterator[None]:
    """Add the name of the file to each ``CertificateError``."""
    try:
        yield
    except CertificateError as error:
        raise CertificateError(error.where, error.problem, source) from None


def read_plain(content: str, source: str) -> dict[str, Any]:
    """Return the JSON object in *content*. No object may contain a key twice.

    Raises ``FileError`` if *content* is not a JSON object. Raises ``CertificateError`` if the JSON is damaged within a
    known part, or if a key appears twice.
    """
    try:
        data = parse_json(content)
    except json.JSONDecodeError as error:
        before = _SECTION.findall(content, 0, error.pos)
        if not before:
            what = f"not JSON: {error}"
            if content.startswith(("EFG ", "NFG ")):
                what = "a game, not a solution: 'efg-builder solve' writes a solution"
            elif content.startswith(("player,", "equilibrium,")):
                what = f"a table, not a solution: 'efg-builder evaluate GAME --strategy {source}' measures its strategy"
            raise FileError(f"cannot read {source}: {what}") from None
        raise CertificateError(before[-1], f"not JSON: {error}", source) from None
    except (ValueError, RecursionError) as error:
        raise FileError(f"cannot read {source}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise FileError(f"cannot read {source}: it is not an object with a 'game' and a claim")
    try:
        for place, key in repeated(data):
            raise CertificateError(place or "the whole", f"the key {key!r} appears twice", source)
    except RecursionError:
        raise FileError(f"cannot read {source}: the JSON is nested too deeply") from None
    return data


def _check_kinds(data: Mapping[str, Any]) -> None:
    if not isinstance(data.get("game"), dict):
        raise CertificateError("game", "missing, or not an object")
    if not isinstance(data.get("digests"), dict):
        raise CertificateError("digests", "missing, or not an object: 'efg-builder solve ... -o' writes them")
    for key in ("strategies", "profile", "equilibria"):
        part = data.get(key)
        missing = part is None and (key == "profile" or key not in data)  # A solution without a claim has no profile.
        if not missing and not (isinstance(part, list) and all(isinstance(entry, dict) for entry in part)):
            raise CertificateError(key, "not a list of objects")
    if ("strategies" in data) == ("profile" in data):
        raise CertificateError("the whole", "there must be either 'strategies' or 'profile'")
    if ("strategies" in data) != ("default" in data) or ("strategies" in data and "equilibria" in data):
        raise CertificateError("default", "only a file with 'strategies' may contain it")
    if "strategies" in data and "refined" in data:
        raise CertificateError("refined", "only a file with 'profile' may contain it")


def _check_digests(data: Mapping[str, Any]) -> None:
    found, stored = digests(data), data["digests"]
    for name, digest in found.items():
        if name in stored and stored[name] != digest:
            problem = "it does not match its digest in 'digests': one of the two was changed"
            raise CertificateError(name, problem)
    for name in [*found, *stored]:
        if name not in stored or name not in found:
            lacking = "has no digest in 'digests'" if name in found else "is in 'digests', but not in the file"
            raise CertificateError(name, f"it {lacking}")


def _check_keys(data: Mapping[str, Any]) -> None:
    """Refuse unknown keys, because a reader might think that their unchecked values are verified.

    Other checks cover ``game``, ``strategies`` and ``digests``. ``run`` may contain any data of a method.
    """
    _known(data, APART | CLAIM, "the whole")
    _known_entries(data.get("profile"), "profile")
    for number, one in enumerate(data.get("equilibria") or (), start=1):
        place = f"equilibria, number {number}"
        _known(one, ONE_OF_SEVERAL, place)
        _known_entries(one.get("profile"), f"{place}, profile")


def _known_entries(entries: object, place: str) -> None:
    # Entries of other types are refused when they are read.
    for number, entry in enumerate(entries if isinstance(entries, list) else (), start=1):
        if isinstance(entry, dict):
            _known(entry, ENTRY, f"{place}, entry {number}")


def _known(part: Mapping[str, Any], keys: frozenset[str], place: str) -> None:
    for key in part:
        if key not in keys:
            raise CertificateError(place, f"unknown key {key[:40]!r}; {nearest(key[:40], keys)}")


def have_all(part: Mapping[str, Any], keys: frozenset[str], place: str) -> None:
    """Raise ``CertificateError`` unless *part* has exactly these *keys*."""
    _known(part, keys, place)
    for key in sorted(keys - part.keys()):
        raise CertificateError(place, f"{key!r} is missing")


def holds_strategies(content: str) -> bool:
    """Return whether *content* is the JSON, perhaps damaged, of a solution without a tree (with the key
    ``strategies``).
    """
    try:
        data = parse_json(content)
    except (ValueError, RecursionError):
        return _STRATEGIES.search(content) is not None
    return isinstance(data, dict) and "strategies" in data


def read_strategies(game: DealtGame, parts: list[dict[str, Any]]) -> SparseProfile:
    """Return the strategies in the part ``strategies`` of a solution. This part must be in canonical form.

    Raises ``CertificateError``, which names the player, the hand and the history.
    """
    if len(parts) != len(game.players):
        raise CertificateError("strategies", f"{len(parts)} strategies for {len(game.players)} players")
    strategies: list[dict[str, dict[int, Behavior]]] = []
    for player, rows in enumerate(parts):
        hands = {name: hand for hand, name in enumerate(game.hands[player])}
        strategies.append({})
        for name, row in rows.items():
            hand_name, _, history = name.partition(": ")
            place = hand_place(player + 1, hand_name)
            if hand_name not in hands or game.infoset_name(player, hands[hand_name], history) != name:
                raise CertificateError(place, f"{name!r}: {game.players[player]} has no such hand")
            strategies[player].setdefault(history, {})[hands[hand_name]] = _behavior(row, place, name)
    try:
        profile = SparseProfile.of_distributions(game, tuple(strategies))
        canonical = profile.canonical()
    except ProfileError as error:
        raise CertificateError("strategies", str(error)) from None
    for player, history, hand, behavior in profile:
        if canonical.rows(player, history).get(hand) != behavior:
            name = game.infoset_name(player, hand, history)
            raise CertificateError(hand_place(player + 1, game.hands[player][hand]), f"{name!r}: {_IDLE}")
    return profile


_SHORT = re.compile(r"([1-9][0-9]{0,17})/([1-9][0-9]{0,17})")


def _in_short(row: dict[str, Any]) -> dict[str, Fraction] | None:
    """Return *row* as fractions if it is valid and contains only short numbers, otherwise None.

    This fast path saves time, because a file can have half a million numbers.
    """
    parts, found = [], {}
    for action, given in row.items():
        match = _SHORT.fullmatch(given) if isinstance(given, str) else None
        if match is None:
            return {action: Fraction(1)} if len(row) == 1 and given == "1" else None
        above, below = int(match[1]), int(match[2])
        number = found[action] = Fraction(above, below)
        if below == 1 or number.denominator != below:
            return None
        parts.append((above, below))
    scale = lcm(*(below for _, below in parts))
    return found if sum(above * (scale // below) for above, below in parts) == scale else None


def _behavior(row: object, place: str, name: str) -> Behavior:
    if not isinstance(row, dict):
        raise CertificateError(place, f"{name!r}: not an object of probabilities")
    found = _in_short(row)
    if found is not None:
        return found
    found = {}
    for action, given in row.items():
        try:
            number = parse(given) if isinstance(given, str) else Fraction(0)
        except (ValueError, ZeroDivisionError) as error:
            raise CertificateError(place, f"{name!r}: {error}") from None
        if number <= 0 or text(number) != given:
            problem = f"the probability of {action!r} is not a positive fraction in lowest terms, as text"
            raise CertificateError(place, f"{name!r}: {problem}")
        found[action] = number
    try:
        total = exact_sum(found.values())
    except TooLongError as error:
        raise CertificateError(place, f"{name!r}: {error}") from None
    if total != 1:
        raise CertificateError(place, f"{name!r}: the probabilities do not sum to 1")
    return found


def strategies_part(profile: SparseProfile) -> list[dict[str, dict[str, str]]]:
    """Return, for each player, a map from information sets to the probabilities of played actions.

    The map is in the order of the player's hands, and contains only the rows of ``SparseProfile.canonical``.
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
    """Return a map from the name of each part of a solution's JSON to the part's short digest.

    Digests locate damage, but prove nothing: a forger can change a part and its digest. A digest does not depend on
    white space or the order of keys.
    """
    plain = {name: json.dumps(part, sort_keys=True, separators=(",", ":")) for name, part in _parts(data)}
    return {name: sha256(text.encode()).hexdigest()[:12] for name, text in plain.items()}


def _parts(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "game", data["game"]
    yield "claim", {key: value for key, value in data.items() if key not in APART}
    if "default" in data:
        yield "default", data["default"]
    for player, rows in enumerate(data.get("strategies") or (), start=1):
        hands: dict[str, dict[str, Any]] = {}
        for name, row in rows.items():
            hands.setdefault(name.partition(":")[0], {})[name] = row
        # Yield this part even for a player without rows.
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
    if "off_path" in data:
        yield "off_path", data["off_path"]


def hand_place(player: int, hand: str) -> str:
    """Return the name of the part with the strategy of *player* (from 1) for *hand*."""
    return f"strategies of player {player}, hand {hand}"


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys whose values have different JSON texts. (In Python, 1144.0 == 1144 and True == 1.)"""
    texts = [{key: json.dumps(part, sort_keys=True) for key, part in each.items()} for each in (one, other)]
    return (key for key in texts[0] | texts[1] if texts[0].get(key) != texts[1].get(key))


def word(value: object) -> str:
    """Return a value as JSON for a message, cut to 60 characters."""
    shown = json.dumps(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
