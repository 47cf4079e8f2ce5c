"""The rows of a sweep as a printed table, CSV, JSON or Parquet."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...base.errors import FileError, ParameterError, not_installed
from ...base.files import csv_lines, write_atomically
from ...base.rationals import down, from_json, parse, text, up
from ...base.strict_json import strict_json
from ...base.words import in_columns
from ...games.catalogue import named
from ...proof.certificate.reading import read_plain
from .store import DONE, SCHEMA, certificate, first_line, opened, unpacked, width
from .variants import sort_key, variant

FIGURES = (
    *("status", "value", "value_float", "payoffs", "payoffs_of_equilibria"),
    *("lower", "lower_float", "upper", "upper_float", "gap", "exact", "regret"),
    *("outcome", "method", "nodes", "infosets", "deals", "rounds", "columns", "seconds", "cpu_seconds", "peak_mib"),
    *("tries", "timeout", "memory_mib", "note", "error", "worker", "finished", "versions", "certificate_bytes", "key"),
)
"""The columns after the settings, in files and in JSON."""

_WHOLE = ("rounds", "columns", "tries", "certificate_bytes")
_REAL = ("value_float", "lower_float", "upper_float", "seconds", "cpu_seconds", "peak_mib", "timeout", "memory_mib")

_RIGHT = frozenset({"nodes", "seconds", "MiB"})  # the headings of right-aligned columns
LONG = 24  # the maximum length of a printed fraction; longer fractions are printed as decimals
SHORT = 9  # the maximum length of a fraction in a cell with several numbers


@dataclass(frozen=True)
class Row:
    """A variant: its game, all settings, the requested settings, and the columns ``FIGURES``."""

    game: str
    settings: Mapping[str, str]
    asked: Mapping[str, str]
    figures: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {"game": self.game, "settings": dict(self.settings), **self.figures}


def read(path: str | os.PathLike[str]) -> tuple[Row, ...]:
    return read_all([path])


def read_all(paths: Sequence[str | os.PathLike[str]]) -> tuple[Row, ...]:
    """Return the rows of the sweeps at *paths* as one table, with the best row of each variant.

    The best row has the narrowest bracket. Ties go to a row with the status done, then to a row with a value, then to a
    row with a finished try, then to the first of *paths*.
    """
    query = "SELECT variants.*, length(data) AS certificate_bytes FROM variants LEFT JOIN certificates USING (key)"
    found: dict[str, Row] = {}
    for path in paths:
        with opened(Path(path)) as connection:
            SCHEMA.check_types(connection, Path(path))
            rows = [_row(row, connection, path) for row in connection.execute(query).fetchall()]
        for row in rows:
            before = found.get(row.figures["key"])
            if before is None or _rank(row) < _rank(before):
                found[row.figures["key"]] = row
    return tuple(sorted(found.values(), key=lambda row: sort_key(row.game, row.settings)))


def _certified(connection: sqlite3.Connection, row: sqlite3.Row, path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the figures of a row that only its certificate has.

    ``payoffs``: all payoffs, such as ``5/16, -1/4, -1/16``, of a row without bounds. ``payoffs_of_equilibria``: the
    payoffs of all equilibria, if there are several. ``nodes`` and ``infosets``: the sizes of a game whose rules do not
    tell them.
    """
    if row["certificate_bytes"] is None or (row["lower"] is not None and row["nodes"] is not None):
        return {}
    where = f"{path}: the certificate of {row['key']!r}"
    data = read_plain(unpacked(certificate(connection, row["key"])), where)
    try:
        found: dict[str, Any] = {}
        if row["nodes"] is None and isinstance(data.get("profile"), list):
            found |= {"nodes": str(int(data["game"]["nodes"])), "infosets": str(len(data["profile"]))}
        if row["lower"] is None and data.get("value") is not None:
            found["payoffs"] = _in_text(data["value"])
            several = [_in_text(one["value"]) for one in data.get("equilibria", ()) if one["equilibrium"]]
            found["payoffs_of_equilibria"] = "; ".join(several) if len(several) > 1 else None
        return found
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise FileError(f"{where} is damaged: value: {first_line(str(error))[:200]}") from None


Profile = list[dict[str, Any]]
"""The entries of the part ``profile`` of a certificate, one for each information set."""


def profiles(paths: Sequence[str | os.PathLike[str]], rows: Sequence[Row]) -> dict[str, Profile]:
    """Return the profiles in the certificates of *rows*, by key; rows without a tree have none."""
    sizes = {row.figures["key"]: row.figures["certificate_bytes"] for row in rows}
    found: dict[str, Profile] = {}
    for path in paths:
        with opened(Path(path)) as connection:
            for key, data in connection.execute("SELECT key, data FROM certificates").fetchall():
                if key not in found and len(data) == sizes.get(key):
                    part = read_plain(unpacked(data), f"{path}: the certificate of {key!r}").get("profile")
                    found[key] = part if isinstance(part, list) else []
    return found


def _in_text(payoffs: Sequence[object]) -> str:
    return ", ".join(text(from_json(each)) for each in payoffs)


def _rank(row: Row) -> tuple[bool, Fraction, bool, bool, bool]:
    gap, never = row.figures["gap"], row.figures["finished"] is None
    wide = Fraction(0) if gap is None else parse(gap)
    return gap is None, wide, row.figures["status"] != DONE, row.figures["value"] is None, never


def _row(row: sqlite3.Row, connection: sqlite3.Connection, path: str | os.PathLike[str]) -> Row:
    try:
        settings, asked = strict_json(row["settings"]), strict_json(row["asked"])
        if not all(
            isinstance(part, dict) and all(isinstance(word, str) for word in part.values())
            for part in (settings, asked)
        ):
            raise ValueError("its settings are not all text")
        gap = width(row["lower"], row["upper"])
        figures = dict(row) | {
            "payoffs": None,
            "payoffs_of_equilibria": None,
            "gap": None if gap is None else text(gap),
            "exact": bool(row["exact"]),
            "peak_mib": _mib(row["peak_bytes"]),
            "memory_mib": _mib(row["memory"]),
            "versions": None if row["versions"] is None else strict_json(row["versions"]),
        }
        value(figures), _count(row["nodes"])
    except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
        raise FileError(f"{path}: the row of {row['key'][:200]!r} is damaged: {first_line(str(error))[:200]}") from None
    figures |= _certified(connection, row, path)
    return Row(row["game"], settings, asked, {name: figures[name] for name in FIGURES})


def _mib(number: int | None) -> float | None:
    return None if number is None else round(number / 2**20, 1)


def varying(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the parameters with several requested values, in the order of the first row's settings."""
    names = dict.fromkeys(name for row in rows for name in row.settings)
    return tuple(name for name in names if len({row.asked.get(name) for row in rows}) > 1)


def cells(rows: Sequence[Row]) -> list[list[str]]:
    """Return the headings and rows of the printed table: varying settings, result, method, size, time and note."""
    names = varying(rows)
    games = len({row.game for row in rows}) > 1
    found = [
        [*(["game"] * games), *names, "value", "gap", "regret", "status", "method", "nodes", "seconds", "MiB", "note"]
    ]
    for row in rows:
        of = row.figures
        settings = [row.asked.get(name) or row.settings.get(name, "") for name in names]
        alone = "" if of["payoffs"] is None else _brief(of["regret"], of["regret"] == "0")
        numbers = [_brief(of["gap"], of["gap"] == "0"), alone, of["status"], of["method"] or "", _count(of["nodes"])]
        of_all = of["payoffs_of_equilibria"]
        several = "" if of_all is None else f"1 of {of_all.count(';') + 1} equilibria"
        work = [
            "" if of[name] is None else f"{of[name]:.{digits}f}" for name, digits in (("seconds", 2), ("peak_mib", 0))
        ]
        found.append([*([row.game] * games), *settings, value(of), *numbers, *work, of["error"] or several])
    # Omit these columns if empty: rows with bounds show no regret, rows with payoffs show no gap, and notes are rare.
    seldom = {"gap", "regret", "note"} if any(row.figures["payoffs"] for row in rows) else {"regret", "note"}
    filled = [k for k, name in enumerate(found[0]) if name not in seldom or any(line[k] for line in found[1:])]
    return [[line[k] for k in filled] for line in found]


def lines(rows: Sequence[Row]) -> list[str]:
    found = cells(rows)
    return in_columns(found, {k for k, name in enumerate(found[0]) if name in _RIGHT})


def markdown(rows: Sequence[Row]) -> list[str]:
    head, *rest = cells(rows)
    rule = ["---:" if name in _RIGHT else "---" for name in head]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in (head, rule, *rest)]


def value(figures: Mapping[str, Any]) -> str:
    """Return a value as text: ``-1/9``, ``0.141277105`` if long, ``[-0.01, 0.02]`` for a bracket, or all payoffs."""
    if figures.get("payoffs") is not None:
        return ", ".join(_brief(each, len(each) <= SHORT) for each in figures["payoffs"].split(", "))
    if figures["value"] is not None:
        return _brief(figures["value"], len(figures["value"]) <= LONG)
    if figures["lower"] is None:
        return ""
    return f"[{down(parse(figures['lower']), 6)}, {up(parse(figures['upper']), 6)}]"


def _brief(number: str | None, exactly: bool) -> str:
    return "" if number is None else number if exactly else f"{float(parse(number)):.9g}"


def _count(digits: str | None) -> str:
    if digits is None:
        return ""
    return f"{int(digits):,}" if len(digits) <= 13 else f"{float(digits):.2g}"


def to_csv(rows: Sequence[Row], path: str | os.PathLike[str]) -> Path:
    """Write all columns to *path*: settings first, exact numbers as fractions. Raises ``FileError``."""
    columns = _columns(rows)
    return write_atomically(path, csv_lines([columns, *zip(*columns.values(), strict=True)]))


def to_parquet(rows: Sequence[Row], path: str | os.PathLike[str]) -> Path:
    """Write the columns of ``to_csv`` to *path* as Parquet; exact numbers and sizes are strings."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise not_installed(".parquet", "pyarrow", "parquet") from None
    kinds = (
        dict.fromkeys(_WHOLE, pyarrow.int64()) | dict.fromkeys(_REAL, pyarrow.float64()) | {"exact": pyarrow.bool_()}
    )
    columns = {
        name: pyarrow.array(values, kinds.get(name, pyarrow.string())) for name, values in _columns(rows).items()
    }
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer)
    return write_atomically(path, [buffer.getvalue()])


def _columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row.settings)
    # A setting that has the name of a figure is renamed.
    settings = {name if name not in FIGURES else f"{name}_setting": name for name in names}
    columns: dict[str, list[Any]] = {"game": [row.game for row in rows]}
    columns |= {shown: [row.settings.get(name) for row in rows] for shown, name in settings.items()}
    columns |= {name: [row.figures[name] for row in rows] for name in FIGURES}
    columns["versions"] = [None if each is None else json.dumps(each) for each in columns["versions"]]
    return columns


def extract(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    game: str,
    settings: Mapping[str, str],
    to: str | os.PathLike[str],
) -> Path:
    """Write the certificate in a variant's best row (``read_all``) to the file *to*. *path*: one or more sweeps.

    Raises ``ParameterError`` if no row has a certificate.
    """
    kind = named(game)
    key = variant(kind, kind.create(settings), settings).key
    paths = [path] if isinstance(path, str | os.PathLike) else path
    rows = [(row, each) for each in paths for row in read(each) if row.figures["key"] == key]
    proved = [(row, each) for row, each in rows if row.figures["certificate_bytes"] is not None]
    named_files = ", ".join(map(str, paths))
    lacks = f"none of {named_files} has a" if len(paths) > 1 else f"{named_files} has no"
    if not rows:
        raise ParameterError(f"{lacks} variant {key}")
    if not proved:
        states = " and ".join(row.figures["status"] for row, _ in rows)
        raise ParameterError(f"{lacks} certificate for {key}, whose status is {states}")
    _, best = min(proved, key=lambda one: _rank(one[0]))
    with opened(Path(best)) as connection:
        return write_atomically(to, [unpacked(certificate(connection, key)).encode()])
