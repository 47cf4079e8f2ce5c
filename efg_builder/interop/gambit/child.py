"""Start, watch and end the process in which Gambit computes."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...base import child
from ...base.strict_json import strict_json
from ...base.words import quiet
from . import lacking

TICK = 0.25
"""Minimum number of seconds between two progress lines."""

START = 60.0
"""Time limit in seconds for the first message, which usually arrives after one second (ten on a busy machine)."""


@dataclass
class GambitAnswer:
    """The ``rows`` and ``payoffs`` of every profile that Gambit found; ``success`` is Gambit's own report."""

    rows: list[Any] = field(default_factory=list)
    ended: Literal["done", "timeout", "failed"] = "failed"
    message: str = ""
    success: bool = False
    seconds: float = 0.0
    payoffs: list[Any] = field(default_factory=list)


def run(
    chunks: Iterable[bytes],
    routine: str,
    options: Mapping[str, Any],
    timeout: float | None = None,
    progress: Callable[[str], None] = quiet,
) -> GambitAnswer:
    """Run Gambit's *routine* on an ``.efg`` text in a process that ends before this function returns or raises.

    *options* are passed to ``adapter.solve`` or ``adapter.branch``. The time limit of *timeout* seconds begins when the
    process starts to read the game. Profiles found before the time limit or a crash are returned. Raises
    ``NotApplicableError`` if pygambit is not installed.
    """
    if problem := lacking("Gambit's routine"):
        raise problem
    efg = b"".join(chunks)
    header = {"routine": routine, "options": dict(options), "bytes": len(efg), "limit": timeout}
    request = json.dumps(header).encode() + b"\n" + efg
    with tempfile.TemporaryFile() as stderr:
        try:
            process = child.start((*child.PYTHON, f"{__package__}.worker"), stderr, child.with_package())
        except OSError as error:
            return GambitAnswer(message=f"Gambit's process cannot be started: {error.strerror or error}")
        messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threads = [
            threading.Thread(target=child.feed, args=(process, request), daemon=True),
            threading.Thread(target=child.listen, args=(process, messages), daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            answer = _watch(process, messages, timeout, progress)
        except RuntimeError as error:  # there are no threads
            answer = GambitAnswer(message=f"Gambit's process cannot be watched: {error}")
        finally:
            child.finish(process, threads)
        if answer.ended == "failed" and not answer.message:
            crash = f"Gambit crashed ({child.signal_name(process.returncode)})" if process.returncode < 0 else ""
            answer.message = crash or f"Gambit's {child.ended_without_answer(process.returncode, stderr)}"
        return answer


def _watch(
    process: subprocess.Popen[bytes],
    messages: queue.SimpleQueue[bytes],
    timeout: float | None,
    progress: Callable[[str], None],
) -> GambitAnswer:
    answer, latest, next_line, started = GambitAnswer(), "starting", 0.0, False
    began, stopped = time.monotonic(), f"Gambit's process did not start within {START:g} s"
    limit: float | None = START
    while True:
        now = time.monotonic()
        answer.seconds = now - began if started else 0.0
        if limit is not None and now >= began + limit:
            child.kill(process)
            while message := messages.get():  # the pipe may still contain late profiles
                _take(message, answer)
            if answer.ended == "failed" and not answer.message:
                answer.ended, answer.message = "timeout", stopped
            return answer
        if now >= next_line:
            next_line = now + TICK
            limited = "" if timeout is None else f" of {timeout:g} s"
            progress(f"Gambit, {answer.seconds:.0f} s{limited}: {latest}")
        wait = TICK if limit is None else min(TICK, began + limit - now)
        with contextlib.suppress(queue.Empty):
            if not (message := messages.get(timeout=wait)):
                process.wait()
                return answer
            if not started:
                began, limit, started = time.monotonic(), timeout, True
                stopped = "stopped at the time limit" if timeout is not None else ""  # part of it may have gone by
            latest = _take(message, answer) or latest


def _take(message: bytes, answer: GambitAnswer) -> str:
    try:
        said: dict[str, Any] = strict_json(message)
    except ValueError:  # cut short by the end of the process
        return ""
    if "profile" in said:
        answer.rows.append(said["profile"])
        answer.payoffs.append(said.get("payoffs"))
    elif "failed" in said:
        answer.ended, answer.message = "failed", said["failed"]
    elif "done" in said:
        done = said["done"]
        answer.ended, answer.success = "done", done["success"]
        answer.message = "; ".join(part for part in (done["reason"], done["note"]) if part)
    return str(said.get("progress", ""))
