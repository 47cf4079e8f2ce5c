"""One step of ``measure.py`` in a process of its own, so that its time and its memory are its own.

``python measure_one.py solve SETTINGS SECONDS FILE`` solves and writes a certificate, ``python measure_one.py
verify FILE`` proves one. Both print one line of JSON.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

from oracle_games import make

import efg_builder as eb
from efg_builder.base.rationals import text

_LINE = re.compile(r"round (\d+): gap ([0-9.e+-]+)")

MOST_POINTS = 120
"""The course of the gap is kept at no more points than this."""


class Course:
    """The gap after each round, from the lines of progress."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.points: list[tuple[float, float]] = []

    def __call__(self, line: str) -> None:
        """Take a line of progress."""
        found = _LINE.match(line)
        if found is None:
            return
        gap = float(found[2])
        if not self.points or gap < self.points[-1][1]:
            self.points.append((round(time.monotonic() - self.began, 3), gap))

    def to_json(self) -> dict[str, list[float]]:
        """Seconds and gaps; of very many points, every so manyth and the last."""
        step = -(-len(self.points) // MOST_POINTS) or 1
        kept = self.points[::step]
        kept += [] if not self.points or kept[-1] == self.points[-1] else self.points[-1:]
        return {"seconds": [seconds for seconds, _ in kept], "gap": [gap for _, gap in kept]}


def solve(settings: dict[str, Any], seconds: float, path: Path) -> dict[str, Any]:
    """Solve by the oracle and write the certificate."""
    game, course = make(settings), Course()
    size = game.size()
    assert size is not None
    solution = eb.solve(game, "oracle", timeout=seconds, progress=course)
    solution.write(path)
    lower, upper = solution.lower, solution.upper
    assert lower is not None
    assert upper is not None
    return {
        "title": solution.title,
        "infosets": sum(size.infosets),
        "nodes": size.nodes,
        "status": solution.status,
        "message": solution.message,
        "exact": solution.exact,
        "lower": text(lower),
        "upper": text(upper),
        "gap": text(upper - lower),
        "seconds": round(solution.seconds, 3),
        "peak_mib": peak(),
        **solution.details,
        "certificate_bytes": path.stat().st_size,
        "course": course.to_json(),
        "versions": eb.solution.versions(),
    }


def verify(path: Path) -> dict[str, Any]:
    """Prove the certificate."""
    began = time.monotonic()
    proof = eb.verify_solution(path)
    seconds = round(time.monotonic() - began, 3)
    assert proof.lower is not None
    assert proof.upper is not None
    bounds = {"lower": text(proof.lower), "upper": text(proof.upper), "written": list(proof.written)}
    return bounds | {"verify_seconds": seconds, "verify_mib": peak()}


def peak() -> int:
    """The most memory that this process has had, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def main(words: list[str]) -> None:
    """Print what the step named by *words* comes to."""
    step, *rest = words
    if step == "solve":
        # Once before the clock starts, so that loading the libraries is not counted.
        eb.solve(eb.game("liars-dice"), "oracle")
    found = solve(json.loads(rest[0]), float(rest[1]), Path(rest[2])) if step == "solve" else verify(Path(rest[0]))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
