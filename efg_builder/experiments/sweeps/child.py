"""Runs one request in a process of its own, under a limit of time and of memory."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from . import memory as memory_

TICK = 0.05
"""Seconds between two looks at the child's memory: what it can take in that time may come on top of its limit."""

WORKER = (sys.executable, "-P", "-m", f"{__package__}.worker")

unwanted: ContextVar[Callable[[], bool]] = ContextVar("unwanted", default=lambda: False)
"""Tells that nobody waits for the answer any more; a scheduler sets it for the task that it runs."""


@dataclass(frozen=True)
class Ended:
    """How the child ended: with its ``answer``, at a limit, or on its own (``reason`` in one line).

    ``peak`` is the most memory seen, in bytes (0 where the system does not tell); ``seconds`` are all, from the start.
    """

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
    """Start *command*, write *request* to it as a line of JSON, and wait for the line of JSON that it answers with.

    It is killed after *limit* seconds, and when it has more than *memory* bytes resident together with what it started.
    It is gone when this returns or raises; where this process is killed, the end of its stdin tells it so.
    """
    began = time.monotonic()
    with tempfile.TemporaryFile() as complaints:
        process = _start(command, complaints)
        answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        listener = threading.Thread(target=_listen, args=(process, answers), daemon=True)
        try:
            listener.start()
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                process.stdin.flush()
            how, line, peak = _watch(process.pid, answers, began, limit, memory)
        finally:
            _end(process, listener)
        answer = _answer(line)
        reason = _epitaph(process.returncode, complaints) if how == "answered" and not answer else ""
        return Ended("died" if reason else how, answer, peak, time.monotonic() - began, reason)


def _start(command: Sequence[str], complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    # The child finds this very package, installed or not, and nothing that happens to lie in the current folder.
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]))
    # One variant has one core: as many are solved at once as there are cores.
    threads = {name: os.environ.get(name, "1") for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    # A session of its own: Ctrl-C at the terminal ends it by way of the pipe, not by a traceback.
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=os.environ | threads | {"PYTHONPATH": path},
        start_new_session=True,
    )


def _watch(
    pid: int, answers: queue.SimpleQueue[bytes], began: float, limit: float | None, memory: int | None
) -> tuple[Literal["answered", "timeout", "memory"], bytes, int]:
    peak = 0
    while True:
        with contextlib.suppress(queue.Empty):
            return "answered", answers.get(timeout=TICK), peak
        now = memory_.resident(pid)
        peak = max(peak, now)
        if memory is not None and now > memory:
            return "memory", b"", peak
        if limit is not None and time.monotonic() - began > limit:
            return "timeout", b"", peak
        if unwanted.get()():
            raise InterruptedError("nobody waits for this variant any more")


def _listen(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[bytes]) -> None:
    assert process.stdout is not None
    line = b""
    with contextlib.suppress(OSError, ValueError):
        line = process.stdout.readline()
    answers.put(line)


def _end(process: subprocess.Popen[bytes], listener: threading.Thread) -> None:
    """End the process, where it has not ended, and what it started; then its pipes are at their end."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        # One that has answered, or has nothing more to say, is about to go by itself.
        process.wait(timeout=0.5 if not listener.is_alive() else 0)
    if process.returncode is None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        listener.join()
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()


def _answer(line: bytes) -> Mapping[str, Any]:
    try:
        said = json.loads(line) if line.endswith(b"\n") else {}
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _epitaph(code: int, complaints: IO[bytes]) -> str:
    """Why a process went that answered nothing."""
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").strip().splitlines()
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        more = "; the system was out of memory, or somebody did it" if name == "SIGKILL" else ""
        return f"its process was ended by {name}{more}"
    return f"its process ended without an answer (exit code {code})" + (f": {lines[-1]}" if lines else "")
