"""What goes to a worker and what comes back: plain values that can be pickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

from ...base.rationals import parse

OPEN, RUNNING, DONE, FAILED, TIMEOUT, MEMORY = STATUSES = ("open", "running", "done", "failed", "timeout", "memory")
"""``open`` and ``running`` are on the way; ``--retry-failed`` retries the last three."""

RETRIED = (FAILED, TIMEOUT, MEMORY)


@dataclass(frozen=True)
class Task:
    """One variant to solve. ``timeout`` is in seconds, ``memory`` in bytes, ``gap`` exact as text; None: no limit."""

    key: str
    game: str
    settings: Mapping[str, str]
    method: str = "auto"
    gap: str | None = None
    timeout: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How it ended. Fields are columns of the same name of the table ``variants``, but for ``certificate``.

    ``value`` is what player 1 gets in a verified equilibrium, ``lower`` and ``upper`` are proved bounds on it, all as
    exact text, with ``*_float`` to sort by. ``outcome`` is the solution's own status, ``columns`` counts the sequences
    of both players in the last restricted game. ``seconds`` are solving and verifying by the clock, ``cpu_seconds``
    what the process with all that it started had of a core, its start included, and ``peak_bytes`` their memory.
    ``certificate`` is the solution's JSON, gzip-compressed.
    """

    status: str
    outcome: str | None = None
    value: str | None = None
    value_float: float | None = None
    lower: str | None = None
    lower_float: float | None = None
    upper: str | None = None
    upper_float: float | None = None
    exact: bool = False
    regret: str | None = None
    method: str | None = None
    rounds: int | None = None
    columns: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    peak_bytes: int | None = None
    versions: str | None = None
    note: str | None = None
    error: str | None = None
    worker: str | None = None
    certificate: bytes | None = None


COLUMNS = tuple(field.name for field in fields(Outcome) if field.name != "certificate")
"""Of the table ``variants``: what an outcome fills in."""

EVIDENCE = (
    *("outcome", "value", "value_float", "lower", "lower_float", "upper", "upper_float", "exact", "regret"),
    *("method", "rounds", "columns", "versions", "note"),
    *("seconds", "cpu_seconds", "peak_bytes", "worker", "timeout", "memory", "finished"),
)
"""What a try that found less leaves as it was: the bounds, and the figures of the try that proved them."""


def width(lower: str | None, upper: str | None) -> Fraction | None:
    """The width of a bracket from its exact text; None where there is none."""
    return None if lower is None or upper is None else parse(upper) - parse(lower)


def one_line(text: str) -> str:
    """The first line of *text*, or of what an exception says; never empty."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason was given")
