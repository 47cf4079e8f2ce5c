"""Files of an exam in JSON Lines format: positions, the answer key (``NAME.answers.jsonl``), and answers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...base.errors import EfgBuilderError, FileError
from ...base.files import read_text, write_atomically
from ...base.formats import check_format, format_of
from ...base.rationals import from_json, to_json
from ...base.strict_json import RepeatedKeyError, strict_json
from ...base.words import listed, one_line_names
from .positions import Certified, Position, at, named, with_population
from .scores import Given

KEY = ("value", "losses", "kinds", "references")  # the fields of a position that only the answer key contains
ANSWER = '{"id": "...", "move": "..."} or {"id": "...", "moves": {"...": "1/2", "...": "1/2"}}'


def key_path(path: Path) -> Path:
    return path.with_suffix(f".answers{path.suffix}")


def question(position: Position) -> dict[str, Any]:
    """Return a position without its answer, as JSON values; players are numbered from 1."""
    asked = {"format": format_of("exam-positions")}
    asked |= {name: value for name, value in asdict(position).items() if name not in KEY}
    if position.population is None:
        del asked["population"]
    return asked | {"player": position.player + 1, "moves": position.moves}


def answer(position: Position) -> dict[str, Any]:
    """Return the answer key's entry for a position, with each loss as an exact fraction and as a decimal."""
    key = {"format": format_of("exam-key"), "id": position.id, "certificate": position.certificate}
    key |= {name: getattr(position, name) for name in KEY}
    return key | {"decimals": {move: float(loss) for move, loss in position.losses.items()}}


def write_lines(path: str | os.PathLike[str], records: Iterable[Mapping[str, Any]]) -> Path:
    return write_atomically(path, (f"{_line(each)}\n".encode() for each in records))


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, default=to_json)


def read_positions(path: Path, of: Certified | None = None) -> tuple[list[Position], list[str]]:
    """Return the positions at *path* with their answers, and the ids of positions for other certificates than *of*.

    If *of* is given, compute the positions again, and reject files with different positions. The answer key may then be
    missing. Without *of*, the list of ids is empty. Raises ``FileError``, which names the file and the position.
    """
    key, asked = key_path(path), _by_id(path, "exam-positions")
    keys = _by_id(key, "exam-key") if key.exists() else {}
    if not keys and of is None:
        raise FileError(f"there is no answer key {key}; name the game and --solution to compute the losses")
    for name in (asked.keys() ^ keys.keys()) if keys else ():
        raise FileError(f"position {name} is only in {path if name in asked else key}: questions and key differ")
    found, others = list[Position](), list[str]()
    for name, part in asked.items():
        if of is not None and part.get("certificate") != of.digest:
            others.append(name)
            continue
        try:
            found.append(_position(part, keys.get(name, {}), of))
        except EfgBuilderError as error:
            raise FileError(f"{path} or {key}: position {name}: {error}") from None
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise FileError(
                f"{path} or {key}: position {name}: it is not in the format that exam writes: {error!r}"
            ) from None
    if of is None:
        return found, others
    if any("population" in part for part in asked.values()):
        found = with_population(of, found)
    if not found:
        there = listed(sorted({str(asked[name].get("certificate")) for name in others})) or "no certificate"
        raise FileError(f"{path} has no position for the certificate {of.digest} of {of.board.title}; found: {there}")
    return found, others


def _position(part: dict[str, Any], secret: dict[str, Any], of: Certified | None) -> Position:
    """Return the position of a question *part* and its answer *secret*. Raises ``FileError`` if *of* contradicts it."""
    position = _stated(part | secret) if of is None else at(of, named(of, part["player"] - 1, part["infoset"]))
    made = strict_json(_line(answer(position) | question(position)))
    del made["format"]
    wrong = [name for name in sorted(made) if any(each.get(name, made[name]) != made[name] for each in (part, secret))]
    if wrong:
        what = "the position's losses" if of is None else f"the certificate {of.digest}"
        raise FileError(f"{listed(wrong)}: inconsistent with {what}")
    return position


def _stated(part: Mapping[str, Any]) -> Position:
    def exact(numbers: Mapping[str, object]) -> dict[str, Fraction]:
        return {move: _exact(numbers[move]) for move in part["moves"]}

    losses, kinds = exact(part["losses"]), dict(part["kinds"])
    references = {who: exact(row) for who, row in part["references"].items()}
    numbers = {name: _exact(part[name]) for name in ("reach", "value")}
    wrong = min(losses.values()) or {move for move, loss in losses.items() if loss} != kinds.keys()
    wrong = wrong or any(sum(row.values()) != 1 or min(row.values()) < 0 for row in references.values())
    wrong = wrong or any(p and losses[move] for move, p in references["equilibrium"].items())
    if wrong or not 0 <= numbers["reach"] <= 1 or part["depth"] not in range(len(part["history"]) + 1):
        raise ValueError("losses, kinds, references, reach or depth contradict each other")
    fields = {name: part[name] for name in Position.__dataclass_fields__ if name != "population"}
    _check_types({"population": 1} | dict(part), kinds)
    mappings = {"losses": losses, "kinds": kinds, "references": references}
    history = tuple((who, move) for who, move in part["history"])
    counted = {"player": part["player"] - 1, "history": history, "population": part.get("population")}
    return Position(**fields | numbers | mappings | counted)


def _check_types(part: Mapping[str, Any], kinds: Mapping[str, object]) -> None:
    whole = ("population", "player", "depth")
    for name in ("population", "game", "rules", "certificate", "infoset", "hand", "words", "player", "depth"):
        if type(part[name]) is not (int if name in whole else str):
            raise TypeError(f"{name}: {part[name]!r}")
    if not all(isinstance(kind, str) for kind in kinds.values()):
        raise TypeError(f"kinds: {kinds!r}")


def _exact(written: object) -> Fraction:
    if not isinstance(written, str):
        raise ValueError(f"{written!r} is not a fraction as text")
    return Fraction(from_json(written))


def read_answers(path: Path) -> dict[str, Given]:
    """Read the answers at *path* by position id. Raises ``FileError``."""
    found: dict[str, Given] = {}
    for name, part in _by_id(path).items():
        given = part.get("move", part.get("moves"))
        if ("move" in part) == ("moves" in part) or not isinstance(given, str | dict | None):
            raise FileError(f"{path}: the answer to {name} is invalid; write a line such as {ANSWER}")
        found[name] = given
    return found


def _by_id(path: Path, kind: str = "") -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(read_text(path).removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            part = one_line_names(strict_json(line))
        except RepeatedKeyError as error:
            raise FileError(f"{path}, line {number}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise FileError(f"{path}, line {number}: not JSON: {error}") from None
        if not (isinstance(part, dict) and isinstance(part.get("id"), str)):
            raise FileError(f"{path}, line {number}: not an object with an 'id'")
        if kind:
            check_format(part, kind, f"{path}, line {number}")
        if part["id"] in found:
            raise FileError(f"{path}, line {number}: the id {part['id']!r} occurs twice")
        found[part["id"]] = part
    return found
