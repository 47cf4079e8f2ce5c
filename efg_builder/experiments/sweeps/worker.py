"""The child process: ``python -m efg_builder.experiments.sweeps.worker``.

Reads a task from stdin, one line of JSON with the fields of ``Task``, and writes one line of JSON to
stdout: the fields of ``Outcome``, the certificate in base 64.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from ...base.rationals import Number, parse, text
from ...equilibria.solution import Solution, versions
from ...equilibria.solve import solve
from ...games import make
from ...interop.gambit.worker import die_with_parent
from ...proof.certificate import encode
from . import memory
from .rows import DONE, FAILED, MEMORY, TIMEOUT, Outcome, one_line


def answer(request: Mapping[str, Any]) -> Outcome:
    """Solve one task; what is raised on the way is a failed outcome."""
    try:
        gap = None if request["gap"] is None else parse(request["gap"])
        game = make(request["game"], request["settings"])
        found = solve(game, request["method"], gap=gap, timeout=request["timeout"])
        return outcome(found, gap)
    except MemoryError:
        return Outcome(MEMORY, error="out of memory")
    except Exception as error:
        return Outcome(FAILED, error=one_line(str(error) or type(error).__name__))


def outcome(found: Solution, gap: Fraction | None) -> Outcome:
    """What a row keeps of a solution. A value is kept only of a verified equilibrium; bounds are always proved."""
    status = {"equilibrium": DONE, "bracket": DONE, "timeout": TIMEOUT}.get(found.status, FAILED)
    lower, upper = found.lower, found.upper
    if gap is not None and lower is not None and upper is not None and Fraction(upper) - Fraction(lower) <= gap:
        status = DONE
    settled = found.status == "equilibrium" and found.value is not None
    value = found.value[0] if settled and found.value else None
    rounds, sequences = found.details.get("rounds"), found.details.get("sequences")
    said = one_line(found.message) if found.message else None
    return Outcome(
        status,
        found.status,
        *(*_both(value), *_both(lower), *_both(upper)),
        found.exact,
        None if found.regret is None else text(found.regret),
        found.method,
        rounds if isinstance(rounds, int) else None,
        sum(sequences) if isinstance(sequences, list | tuple) else None,
        round(found.seconds, 3),
        versions=json.dumps(versions()),
        note=said if status == DONE else None,
        error=None if status == DONE else said or found.status,
        certificate=certificate(found) if found.verdict is not None else None,
    )


def _both(number: Number | None) -> tuple[str | None, float | None]:
    return (None, None) if number is None else (text(number), float(number))


def certificate(found: Solution) -> bytes:
    """The solution's JSON, compressed: what ``solve -o`` would write."""
    return gzip.compress(("".join(encode(found.to_json())) + "\n").encode(), 9, mtime=0)


def main() -> None:
    """Answer the one task on stdin."""
    # Solvers may print: what they print goes to stderr, and the answer has a descriptor of its own.
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    line = b""
    while not line.endswith(b"\n"):
        if not (part := os.read(0, 1 << 16)):
            raise SystemExit("the task ended early")
        line += part
    request = json.loads(line)
    die_with_parent(0)
    if request["memory"] is not None and not memory.watched():
        memory.limit_own(request["memory"])
    found = answer(request)
    data = asdict(found) | {"peak_bytes": memory.own_peak(), "cpu_seconds": round(sum(os.times()[:4]), 3)}
    if found.certificate is not None:
        data["certificate"] = base64.b64encode(found.certificate).decode()
    channel.write(json.dumps(data) + "\n")
    channel.close()
    # Not by way of the interpreter's end: it would wait for a solver's thread.
    os._exit(0)


if __name__ == "__main__":
    main()
