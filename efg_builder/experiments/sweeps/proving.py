"""Verification of a sweep's file: each row's certificate is verified and compared with the row."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

from ...base.errors import CertificateError, EfgBuilderError, FileError
from ...base.rationals import parse
from ...base.strict_json import strict_json
from ...base.words import quiet
from ...forms.extensive import MAX_NODES
from ...forms.subject import Subject
from ...games.catalogue import known
from ...games.protocol import Game
from ...proof.certificate.check import Proof, prove
from ...proof.certificate.reading import read_parts
from ..jobs.executors import as_done, executor
from .store import DONE, SCHEMA, certificate, opened, unpacked
from .variants import variant

PROVED, WRONG, WITHOUT, BRACKET = RESULTS = ("proved", "wrong", "without", "bracket")
"""The results for a row: the certificate proves the row, does not prove it, or is missing.

A row with the result ``bracket`` is marked done, but its bracket or regret is too large.
"""


@dataclass(frozen=True)
class Finding:
    """The result for the row ``key``: one of ``RESULTS``, with a one-line ``problem`` or the ``proof``."""

    key: str
    status: str
    result: str
    problem: str = ""
    proof: Proof | None = None
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        proof = None if self.proof is None else self.proof.to_json()
        head = {"key": self.key, "status": self.status, "result": self.result, "problem": self.problem or None}
        return head | {"seconds": round(self.seconds, 3), "proof": proof}


@dataclass(frozen=True)
class _Job:
    row: Mapping[str, Any]
    data: object
    gap: Fraction | None
    max_nodes: int


def prove_sweep(
    path: str | os.PathLike[str],
    *,
    workers: int = 1,
    max_nodes: int = MAX_NODES,
    progress: Callable[[str], None] = quiet,
) -> Iterator[Finding]:
    """Yield a finding for each row of the sweep at *path*, smallest games first.

    A row is proved if its certificate belongs to its game and proves the row's value, bounds, regret, status and
    method. The key and the sizes must follow from the rules. Times, memory and notes are not compared. The sweep may be
    running.
    """
    with opened(Path(path)) as connection, executor(workers, here=True) as pool:
        found = connection.execute("SELECT gap FROM sweep").fetchone()
        try:
            gap = None if found is None or found["gap"] is None else parse(str(found["gap"]))
        except (ValueError, ZeroDivisionError) as error:
            raise FileError(f"the table 'sweep' has an invalid gap: {error}") from None
        keys = [key for (key,) in connection.execute(_KEYS).fetchall()]
        jobs = (_job(connection, key, gap, max_nodes) for key in keys)
        for done, (job, future) in enumerate(as_done(pool, judge, jobs, workers), start=1):
            progress(f"{done} of {len(keys)} rows")
            try:
                yield future.result()
            except BrokenExecutor:
                yield _finding(job.row, WRONG, "the process that verified it died")


_KEYS = f"""
SELECT key FROM (SELECT key FROM variants UNION SELECT key FROM certificates) LEFT JOIN variants USING (key)
ORDER BY key NOT IN (SELECT key FROM certificates), {SCHEMA.order}
"""


def _job(connection: sqlite3.Connection, key: object, gap: Fraction | None, max_nodes: int) -> _Job:
    """Read a row just before its verification, because certificates may be large and rows may change."""
    row = connection.execute("SELECT * FROM variants WHERE key = ?", (key,)).fetchone()
    return _Job(dict(row) if row else {"key": key}, certificate(connection, key), gap, max_nodes)


def judge(job: _Job) -> Finding:
    row, began = job.row, perf_counter()
    if "status" not in row:
        return _finding(row, WRONG, "it has a certificate, but no row")
    if job.data is None:
        says = [name for name in ("value", "exact") if row.get(name)] or ["done"] * (row["status"] == DONE)
        return _finding(row, WRONG, f"it has {says[0]!r}, but no certificate") if says else _finding(row, WITHOUT)
    try:
        rules = _rules(row)
        data = read_parts(unpacked(job.data), "the certificate")
        proof = prove(data, "the certificate", Subject(rules), job.max_nodes)
    except EfgBuilderError as error:
        problem = str(error)
        if isinstance(error, CertificateError):
            problem = f"the certificate: {error.where}: {error.problem}"
        return _finding(row, WRONG, problem, seconds=perf_counter() - began)
    problem = "; ".join(_differences(row, _claim(data, proof), "but the certificate proves"))
    result = WRONG if problem else PROVED
    if result == PROVED and row["status"] == DONE and not _settles(proof, job.gap):
        result = BRACKET if proof.status in ("bracket", "near-equilibrium") else WRONG
        problem = f"status is done, but the certificate proves only a {proof.status}"
    return _finding(row, result, problem, proof, perf_counter() - began)


def _finding(row: Mapping[str, Any], *found: Any, **named: Any) -> Finding:
    return Finding(str(row["key"]), str(row.get("status")), *found, **named)


def _rules(row: Mapping[str, Any]) -> Game:
    try:
        settings = strict_json(row.get("settings", ""))
    except (TypeError, ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise FileError("the row's settings are not a JSON object")
    kind = known(str(row.get("game")))
    game = kind.create(settings)
    found = variant(kind, game, settings)
    sizes = {"nodes": found.nodes, "infosets": found.infosets, "deals": found.deals}
    right: dict[str, object] = {"key": found.key, "settings": dict(found.settings)}
    right |= {name: None if size is None else str(size) for name, size in sizes.items()}
    if wrong := _differences({**row, "settings": settings}, right, "but by the rules it is"):
        raise FileError("; ".join(wrong))
    return game


def _claim(data: Mapping[str, Any], proof: Proof) -> dict[str, object]:
    """Return the values that a row must have, given a verified claim. Floats are copied from the certificate."""
    right: dict[str, object] = {"outcome": proof.status, "method": proof.method, "exact": int(proof.exact)}
    right["regret"] = str(data["regret"])
    settled = proof.status == "equilibrium"
    numbers = {
        "value": (data["value"][0], proof.value[0]) if settled else (None, None),
        "lower": (data["lower"], proof.lower),
        "upper": (data["upper"], proof.upper),
    }
    for name, (said, proved) in numbers.items():
        right[name] = None if said is None else str(said)
        right[f"{name}_float"] = None if proved is None else float(said if isinstance(said, float) else proved)
    return right


def _differences(row: Mapping[str, Any], right: Mapping[str, object], proves: str) -> list[str]:
    return [
        f"{name} is {_word(row.get(name))}, {proves} {_word(is_)}"
        for name, is_ in right.items()
        if row.get(name) != is_
    ]


def _word(value: object) -> str:
    shown = "nothing" if value is None else str(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _settles(proof: Proof, gap: Fraction | None) -> bool:
    """Return whether the proof settles a row.

    An equilibrium, a negligible regret, or a bracket of at most *gap* settles the row. Without a bracket, so does a
    near-equilibrium with a regret of at most *gap*.
    """
    if proof.status == "equilibrium" or proof.near:
        return True
    if proof.lower is None or proof.upper is None:
        return proof.status == "near-equilibrium" and gap is not None and Fraction(proof.regret) <= gap
    return Fraction(proof.upper) - Fraction(proof.lower) <= (gap or 0)
