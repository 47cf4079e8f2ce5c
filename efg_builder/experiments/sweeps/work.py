"""The solution of one variant: a function for any executor, and the child process that it starts.

The child (``python -m efg_builder.experiments.sweeps.work``) reads the fields of a ``Task`` from stdin as a line of
JSON. It writes the fields of a ``TaskOutcome`` to stdout, with the certificate in base64.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import platform
import queue
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from ...base import child
from ...base.errors import FileError, warnings_as_lines
from ...base.machine import own_peak
from ...base.rationals import parse, text
from ...base.strict_json import strict_json
from ...equilibria.solution import Solution
from ...equilibria.solution_files import versions
from ...games.catalogue import named
from ...games.protocol import Game
from ...proof.certificate import encode
from ..jobs.executors import unwanted
from .store import DONE, FAILED, MEMORY, TIMEOUT, Task, TaskOutcome, first_line

GRACE = 60.0
"""Seconds for building and verifying, in addition to twice the time limit of the search."""

TICK = 0.05  # seconds between two checks of the child's memory, which may exceed its limit between checks
LOOKS = 20  # the minimum time between two checks, as a multiple of the duration of a check
WORKER = (*child.PYTHON, "efg_builder.experiments.sweeps.work")


def solve_variant(task: Task) -> TaskOutcome:
    """Solve *task* in a separate process; every result, even an error, is an outcome.

    At the time limit, the solver stops and proves its bracket. The process is killed after twice the time limit plus a
    minute, and immediately if it exceeds the memory limit.
    """
    limit = None if task.timeout is None else 2 * task.timeout + GRACE
    return replace(judge(task, run(asdict(task), limit, task.memory)), worker=f"{platform.node()}:{os.getpid()}")


def judge(task: Task, ended: Ended) -> TaskOutcome:
    peak = max(ended.peak, ended.answer.get("peak_bytes") or 0) or None
    if ended.how == "answered":
        data = dict(ended.answer)
        if data["certificate"] is not None:
            data["certificate"] = base64.b64decode(data["certificate"])
        found = TaskOutcome(**data)
        return replace(found, peak_bytes=peak, seconds=found.seconds or round(ended.seconds, 3))
    status, error = FAILED, ended.reason
    if ended.how == "memory":
        status, error = MEMORY, f"over the memory limit of {(task.memory or 0) / 2**20:g} MiB"
    if ended.how == "timeout":
        limit = f"did not stop at the time limit of {task.timeout:g} s"
        status, error = TIMEOUT, f"{limit}, killed after {ended.seconds:.0f} s"
    return TaskOutcome(status, seconds=round(ended.seconds, 3), peak_bytes=peak, error=error)


@dataclass(frozen=True)
class Ended:
    """The end of a child process: ``answer`` or ``reason``, peak memory in bytes, and wall-clock seconds."""

    how: Literal["answered", "timeout", "memory", "died"]
    answer: Mapping[str, Any]
    peak: int
    seconds: float
    reason: str = ""


def run(
    request: Mapping[str, Any],
    limit: float | None = None,
    memory: int | None = None,
    command: Sequence[str] = WORKER,
) -> Ended:
    """Start *command*, write *request* to its stdin, and wait for its answer.

    The request and the answer are lines of JSON. The process is killed after *limit* seconds, or if it and its children
    use more than *memory* resident bytes. It never outlives this function or the current process. Raises
    ``InterruptedError`` if the task was canceled (``unwanted``).
    """
    began = time.monotonic()
    # Use one thread, because a sweep solves as many variants at once as there are cores.
    threads = {name: os.environ.get(name, "1") for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    with tempfile.TemporaryFile() as stderr:
        process = child.start(command, stderr, child.with_package() | threads)
        lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        listener = threading.Thread(target=child.listen, args=(process, lines), daemon=True)
        how: Literal["answered", "timeout", "memory"] = "timeout"
        try:
            listener.start()
            child.feed(process, json.dumps(request).encode() + b"\n")
            how, line, peak = _watch(process.pid, lines, began, limit, memory)
        finally:
            if how == "answered":
                child.ends_within(process, 0.5)  # the process is about to end by itself
            child.finish(process, [listener])
        answer, reason = _answer(line), ""
        if how == "answered" and not answer:
            reason = f"its {child.ended_without_answer(process.returncode, stderr)}"
            if process.returncode < 0:
                name = child.signal_name(process.returncode)
                more = "; perhaps the system was out of memory" if name == "SIGKILL" else ""
                reason = f"its process was ended by {name}{more}"
        return Ended("died" if reason else how, answer, peak, time.monotonic() - began, reason)


def _watch(
    pid: int, lines: queue.SimpleQueue[bytes], began: float, limit: float | None, memory: int | None
) -> tuple[Literal["answered", "timeout", "memory"], bytes, int]:
    peak, pause = 0, TICK
    while True:
        with suppress(queue.Empty):
            return "answered", lines.get(timeout=pause), peak
        looked = time.monotonic()
        now = resident(pid)
        pause = max(TICK, LOOKS * (time.monotonic() - looked))
        peak = max(peak, now)
        if memory is not None and now > memory:
            return "memory", b"", peak
        if limit is not None and time.monotonic() - began > limit:
            return "timeout", b"", peak
        if unwanted.get()():
            raise InterruptedError("this variant was canceled")


def resident(pid: int) -> int:
    """Return the resident memory in bytes of process *pid* and all its descendants; 0 if psutil is not installed."""
    try:
        import psutil
    except ImportError:
        return 0
    total = 0
    with suppress(psutil.Error):
        one = psutil.Process(pid)
        for each in (one, *one.children(recursive=True)):
            with suppress(psutil.Error):
                total += each.memory_info().rss
    return total


def _answer(line: bytes) -> Mapping[str, Any]:
    with suppress(ValueError):
        found = strict_json(line) if line.endswith(b"\n") else {}
        return found if isinstance(found, dict) else {}
    return {}


# The folder ``sweep.db.states`` contains the states of interrupted searches. Each try resumes from the file of the
# previous try, and writes a new file, so two runs never write to the same file.


def folder_of(path: Path) -> Path:
    return path.absolute().with_name(f"{path.name}.states")


def state_file(folder: Path, key: str, tries: object) -> Path:
    """Return the file for the saved state of the variant *key* in try number *tries*."""
    return folder / f"{sha256(key.encode()).hexdigest()[:24]}-{tries}.npz"


def kept(folder: Path, key: str) -> list[Path]:
    """Return the saved states of the variant *key*, ordered by try."""
    return sorted(folder.glob(state_file(folder, key, "*").name), key=_tries)


def _tries(path: Path) -> int:
    _, _, number = path.stem.rpartition("-")
    return int(number) if number.isascii() and number.isdigit() else 0


def forget(paths: Iterable[Path]) -> None:
    for path in paths:
        with suppress(OSError):
            path.unlink()


# Functions that run in the child process.


def answer(request: Mapping[str, Any]) -> TaskOutcome:
    """Solve one task. Every exception becomes an outcome."""
    try:
        gap = None if request["gap"] is None else parse(request["gap"])
        game = named(request["game"]).create(request["settings"])
        warned: list[str] = []
        with warnings_as_lines(warned.append):
            found, said = _solved(game, gap, request)
        one = outcome(found, gap)
        told = "; ".join(filter(None, [one.note or one.error, said, *warned[-1:]])) or None
        return replace(one, note=told) if one.status == DONE else replace(one, error=told)
    except MemoryError:
        return TaskOutcome(MEMORY, error="out of memory")
    except Exception as error:
        return TaskOutcome(FAILED, error=first_line(str(error) or type(error).__name__))


ON = "resumed from the state of an earlier try; the seconds are of the last try"  # a part of a row's note


def _solved(game: Game, gap: Fraction | None, request: Mapping[str, Any]) -> tuple[Solution, str]:
    from ...equilibria.solve import Plan, solve
    from ...solvers.driver import HOW_TO, is_state

    def again(own: Path | None = None, before: Path | None = None) -> Solution:
        limits = {"gap": gap, "timeout": request["timeout"]}
        found = solve(game, request["method"], **limits, refine=False, checkpoint=own, resume=before)
        # The next run of the sweep resumes the search, so omit the hint on --resume.
        return replace(found, message=found.message.partition(HOW_TO)[0] if own else found.message)

    folder = Path(request.get("folder") or "")
    plan = Plan.choose(game, request["method"], refine=False)
    # A worker on another machine may have no access to the folder.
    if not request.get("folder") or not folder.is_dir() or not plan.keeps_state:
        return again(), ""
    before, own = kept(folder, request["key"]), state_file(folder, request["key"], request["tries"])
    if not before:
        return again(own), ""
    try:
        if not is_state(before[-1]):
            raise FileError("it is damaged")
        return again(own, before[-1]), ON
    except FileError as error:
        forget([own])
        return again(own), f"started again, because its state {before[-1].name} is unusable: {error}"


def outcome(found: Solution, gap: Fraction | None) -> TaskOutcome:
    """Return the outcome of a solution; only an equilibrium has a value."""
    settles = {"equilibrium": DONE, "near-equilibrium": DONE, "bracket": DONE, "timeout": TIMEOUT}
    status = settles.get(found.status, FAILED)
    lower, upper = found.lower, found.upper
    if gap is not None and lower is not None and upper is not None and Fraction(upper) - Fraction(lower) <= gap:
        status = DONE
    numbers = {"value": found.value[0] if found.status == "equilibrium" else None, "lower": lower, "upper": upper}
    figures: dict[str, Any] = {name: None if number is None else text(number) for name, number in numbers.items()}
    figures |= {f"{name}_float": None if number is None else float(number) for name, number in numbers.items()}
    rounds, sequences = found.details.get("rounds"), found.details.get("sequences")
    said = first_line(found.message) if found.message else None
    return TaskOutcome(
        status,
        outcome=found.status,
        **figures,
        exact=found.exact,
        regret=None if found.verdict is None else text(found.regret),
        method=found.method,
        rounds=rounds if isinstance(rounds, int) else None,
        columns=sum(sequences) if isinstance(sequences, list | tuple) else None,
        seconds=round(found.seconds, 3),
        versions=json.dumps(versions()),
        note=said if status == DONE else None,
        error=None if status == DONE else said or found.status,
        certificate=certificate(found) if found.verdict is not None else None,
    )


def certificate(found: Solution) -> bytes:
    return gzip.compress(("".join(encode(found.to_json())) + "\n").encode(), 9, mtime=0)


def main() -> None:
    channel = child.answers()  # solvers may print to stdout
    request = strict_json(child.read_line())
    child.die_with_parent()
    found = answer(request)
    data = asdict(found) | {"peak_bytes": own_peak(), "cpu_seconds": round(sum(os.times()[:4]), 3)}
    if found.certificate is not None:
        data["certificate"] = base64.b64encode(found.certificate).decode()
    channel.write(json.dumps(data) + "\n")
    channel.close()
    # Exit at once, because the interpreter would wait for a solver's thread.
    os._exit(0)


if __name__ == "__main__":
    main()
