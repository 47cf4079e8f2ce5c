"""The proof of a sweep from its file: each row's certificate proved again, and the row held against it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

from ...base.errors import CertificateError, EfgBuilderError, FileError
from ...base.rationals import parse
from ...base.words import quiet
from ...forms.extensive import MAX_NODES
from ...games.catalogue import known
from ...games.protocol import Game
from ...proof.certificate.check import Proof, prove
from ...proof.certificate.reading import read_parts
from ..jobs.executors import as_done, executor
from ..jobs.running import in_words, time_left
from .store import DONE, opened, unpacked
from .variants import variant

PROVED, WRONG, WITHOUT, BRACKET = RESULTS = ("proved", "wrong", "without", "bracket")
"""What became of a row: its certificate proves it; it does not, or proves something else; it has none; or the row is
done, and what is proved is a bracket wider than the sweep asked for, or a regret above that and a millionth of the
payoff range (regret minimisation ends so)."""


@dataclass(frozen=True)
class Finding:
    """What was found of the row of ``key``: one of ``RESULTS``, with the ``problem`` in a line where it is not proved.

    ``status`` is the row's own; ``proof`` is that of its certificate, where there is one; ``seconds`` it took.
    """

    key: str
    status: str
    result: str
    problem: str = ""
    proof: Proof | None = None
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data; exact numbers are text."""
        proof = None if self.proof is None else self.proof.to_json()
        head = {"key": self.key, "status": self.status, "result": self.result, "problem": self.problem or None}
        return head | {"seconds": round(self.seconds, 3), "proof": proof}


@dataclass(frozen=True)
class _Job:
    """A row with its certificate, to be judged: plain values that can be pickled."""

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
    """Prove every row of the sweep at *path* that has a certificate, smallest games first; one finding for each row.

    A row is proved where its game is that of its certificate, the certificate proves its claim
    (``verify_solution``), and the row's figures are those of the claim: value, bounds and regret,
    exact or not, status and method; its key and size are held against the rules. What no certificate can prove (times,
    memory, notes) is not looked at. *workers*: processes (1: this one). A sweep may go on meanwhile.

    Raises ``FileError`` for a file that is no sweep.
    """
    with opened(Path(path)) as connection:
        sizes = _sizes(connection)
        settled: list[tuple[int, float]] = []
        for done, finding in enumerate(_findings(_jobs(connection, list(sizes), max_nodes), workers), start=1):
            size = sizes.pop(finding.key, None)
            if size is not None and finding.proof is not None:
                settled.append((size, finding.seconds))
            ahead = [nodes for nodes in sizes.values() if nodes is not None]
            left = in_words(time_left(settled, ahead, workers, overhead=0.0))
            progress(", ".join(filter(None, [f"{done} of {done + len(sizes)} rows", left])))
            yield finding


def _sizes(connection: sqlite3.Connection) -> dict[str, int | None]:
    """The nodes of each variant that has a row or a certificate, smallest first, by key.

    None where they are not known, or there is no certificate and so nothing to do.
    """
    there = connection.execute("SELECT key, nodes FROM certificates LEFT JOIN variants USING (key)").fetchall()
    rows = connection.execute("SELECT key FROM variants").fetchall()
    found = {str(key): None for (key,) in rows} | {str(key): _whole(nodes) for key, nodes in there}
    return dict(sorted(found.items(), key=lambda one: (one[1] is None, one[1] or 0, one[0])))


def _whole(digits: object) -> int | None:
    return int(digits) if isinstance(digits, str) and digits.isdecimal() and len(digits) < 300 else None


def _jobs(connection: sqlite3.Connection, keys: list[str], max_nodes: int) -> Iterator[_Job]:
    """Each row as it is when its turn comes: certificates may be large, and rows may be filled in meanwhile."""
    gap = _gap(connection)
    both = "SELECT variants.*, data FROM variants LEFT JOIN certificates USING (key) WHERE key = ?"
    for key in keys:
        rows = connection.execute(both, (key,)).fetchall()
        row = dict(rows[0]) if rows else {"key": key}
        yield _Job(row, row.pop("data", None), gap, max_nodes)


def _gap(connection: sqlite3.Connection) -> Fraction | None:
    """The width of a bracket that is enough in this sweep."""
    found = connection.execute("SELECT gap FROM sweep").fetchone()
    if found is None or found["gap"] is None:
        return None
    try:
        return parse(str(found["gap"]))
    except (ValueError, ZeroDivisionError) as error:
        raise FileError(f"the table 'sweep' has a gap that is none: {error}") from None


def _findings(jobs: Iterator[_Job], workers: int) -> Iterator[Finding]:
    with executor(workers, here=True) as pool:
        for job, future in as_done(pool, judge, jobs, workers):
            try:
                yield future.result()
            except pool.lost:
                yield _wrong(job.row, "the process that was to prove it died")


def judge(job: _Job) -> Finding:
    """Prove one row."""
    row, began = job.row, perf_counter()
    if "status" not in row:
        return _wrong(row, "a certificate without a row")
    if job.data is None:
        says = [name for name in ("value", "exact") if row.get(name)] or ["done"] * (row["status"] == DONE)
        if says:
            return _wrong(row, f"it says {says[0]!r}, and has no certificate")
        return Finding(str(row["key"]), str(row["status"]), WITHOUT)
    try:
        rules = _rules(row)
        data = read_parts(unpacked(job.data), "the certificate")
        proof = prove(data, "the certificate", rules, job.max_nodes)
    except CertificateError as error:
        return _wrong(row, f"the certificate: {error.where}: {error.problem}", perf_counter() - began)
    except EfgBuilderError as error:
        return _wrong(row, str(error), perf_counter() - began)
    problem = "; ".join(_differences(row, _claim(data, proof), "the certificate proves"))
    result = WRONG if problem else PROVED
    if result == PROVED and row["status"] == DONE and not _settles(proof, job.gap):
        result = BRACKET if proof.status in ("bracket", "near-equilibrium") else WRONG
        problem = f"status is done, but the certificate proves a {proof.status} and no more"
    return Finding(str(row["key"]), str(row["status"]), result, problem, proof, perf_counter() - began)


def _wrong(row: Mapping[str, Any], problem: str, seconds: float = 0.0) -> Finding:
    return Finding(str(row["key"]), str(row.get("status")), WRONG, problem, None, seconds)


def _rules(row: Mapping[str, Any]) -> Game:
    """The game of a row, whose key and size must be those of its settings. Raises ``EfgBuilderError``."""
    try:
        settings = json.loads(row.get("settings", ""))
    except (TypeError, ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise FileError("the row's settings are no JSON object")
    name = str(row.get("game"))
    kind = known(name)
    game = kind.create(settings)
    found = variant(kind, game, settings)
    sizes = {"nodes": found.nodes, "infosets": found.infosets, "deals": found.deals}
    right: dict[str, object] = {"key": found.key, "settings": dict(found.settings)}
    right |= {name: None if size is None else str(size) for name, size in sizes.items()}
    if wrong := _differences({**row, "settings": settings}, right, "by the rules it is"):
        raise FileError("; ".join(wrong))
    return game


def _claim(data: Mapping[str, Any], proof: Proof) -> dict[str, object]:
    """What a row must say by the claim *data*, which was proved.

    Of floats that is what the certificate says: the proof allows it the last digits, in which machines differ.
    """
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
    """Whether a row with this claim is settled: by an equilibrium, or by a bracket as narrow as was asked for.

    Of more than two players, who have no bracket: by a regret as small as that.
    """
    if proof.status == "equilibrium" or proof.near:
        return True
    if proof.lower is None or proof.upper is None:
        return proof.status == "near-equilibrium" and gap is not None and Fraction(proof.regret) <= gap
    return Fraction(proof.upper) - Fraction(proof.lower) <= (gap or 0)
