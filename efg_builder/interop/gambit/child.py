"""Starts, watches and ends the process in which Gambit computes."""

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
from typing import IO, Any, Literal

from ...base import child

TICK = 0.25
"""Seconds between two progress lines."""


@dataclass
class Answer:
    """``rows`` of every profile found (see ``gambit.adapter``), and how the process ended.

    ``success`` is what Gambit says of itself, where the routine ended.
    """

    rows: list[Any] = field(default_factory=list)
    ended: Literal["done", "timeout", "failed"] = "failed"
    message: str = ""
    success: bool = False


def run(
    chunks: Iterable[bytes],
    routine: str,
    options: Mapping[str, Any],
    timeout: float | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Answer:
    """Run Gambit's *routine* on an ``.efg`` text, for *timeout* seconds from now, starting up included.

    *options* are what ``adapter.solve`` takes. *progress* gets a line about four times a second. The
    process is gone when this returns or raises, on ``KeyboardInterrupt`` too; what was found by the time
    limit, or before a crash, is returned.
    """
    began = time.monotonic()
    efg = b"".join(chunks)
    header = {"routine": routine, "options": dict(options), "bytes": len(efg), "limit": timeout}
    request = json.dumps(header).encode() + b"\n" + efg
    with tempfile.TemporaryFile() as stderr:
        process = _start(stderr)
        messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threads = [
            threading.Thread(target=child.feed, args=(process, request), daemon=True),
            threading.Thread(target=child.listen, args=(process, messages), daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            answer = _watch(process, messages, began, timeout, progress)
        finally:
            child.finish(process, threads)
        if answer.ended == "failed" and not answer.message:
            answer.message = _reason(process.returncode, stderr)
        return answer


def _start(stderr: IO[bytes]) -> subprocess.Popen[bytes]:
    return child.start((*child.PYTHON, f"{__package__}.worker"), stderr, child.with_package())


def _watch(
    process: subprocess.Popen[bytes],
    messages: queue.SimpleQueue[bytes],
    began: float,
    timeout: float | None,
    progress: Callable[[str], None],
) -> Answer:
    """Take the messages as they come, to their end or to the time limit."""
    answer, latest, next_line = Answer(), "", began
    while True:
        now = time.monotonic()
        if timeout is not None and now >= began + timeout:
            child.kill(process)
            while message := messages.get():  # the pipe may still hold what was found just before
                _take(message, answer)
            if answer.ended == "failed" and not answer.message:
                answer.ended, answer.message = "timeout", f"stopped at the time limit of {timeout:g} s"
            return answer
        if now >= next_line:
            next_line = now + TICK
            progress(_line(now - began, timeout, latest))
        wait = TICK if timeout is None else min(TICK, began + timeout - now)
        with contextlib.suppress(queue.Empty):
            if not (message := messages.get(timeout=wait)):
                process.wait()
                return answer
            latest = _take(message, answer) or latest


def _take(message: bytes, answer: Answer) -> str:
    """Enter one message into *answer*; returns its line of progress."""
    try:
        said: dict[str, Any] = json.loads(message)
    except ValueError:  # cut short by the end of the process
        return ""
    if "profile" in said:
        answer.rows.append(said["profile"])
    elif "failed" in said:
        answer.ended, answer.message = "failed", said["failed"]
    elif "done" in said:
        done = said["done"]
        answer.ended, answer.success = "done", done["success"]
        answer.message = "; ".join(part for part in (done["reason"], done["note"]) if part)
    return str(said.get("progress", ""))


def _line(elapsed: float, timeout: float | None, latest: str) -> str:
    limit = "" if timeout is None else f" of {timeout:g} s"
    return f"Gambit, {elapsed:.0f} s{limit}" + (f": {latest}" if latest else "")


def _reason(code: int, stderr: IO[bytes]) -> str:
    """Why a process ended that said neither ``done`` nor ``failed``."""
    if code < 0:
        return f"Gambit crashed ({child.signal_name(code)})"
    return f"Gambit's {child.ended_without_answer(code, stderr)}"
