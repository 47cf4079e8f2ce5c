"""Starts, watches and ends the process in which Gambit computes."""

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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

TICK = 0.25
"""Seconds between two progress lines."""


@dataclass
class Answer:
    """What came back: ``rows`` of every profile found (see ``gambit.adapter``), and how it ended.

    ``success`` is Gambit's own word, where the routine came to its end.
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
    """Let Gambit's *routine* loose on an ``.efg`` text, for *timeout* seconds from now, starting up included.

    *options* are what ``adapter.solve`` takes. *progress* gets a line about four times a second. The
    process is gone when this returns or raises, on ``KeyboardInterrupt`` too; what was found by the time
    limit, or before a crash, is returned.
    """
    began = time.monotonic()
    efg = b"".join(chunks)
    header = {"routine": routine, "options": dict(options), "bytes": len(efg), "limit": timeout}
    request = json.dumps(header).encode() + b"\n" + efg
    with tempfile.TemporaryFile() as complaints:
        process = _start(complaints)
        messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threads = [
            threading.Thread(target=_feed, args=(process, request), daemon=True),
            threading.Thread(target=_listen, args=(process, messages), daemon=True),
        ]
        try:
            for thread in threads:
                thread.start()
            answer = _watch(process, messages, began, timeout, progress)
        finally:
            _end(process, threads)
        if answer.ended == "failed" and not answer.message:
            answer.message = _epitaph(process.returncode, complaints)
        return answer


def _start(complaints: IO[bytes]) -> subprocess.Popen[bytes]:
    # The child finds this very package, installed or not, and nothing that happens to lie in the current folder.
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[3]), os.environ.get("PYTHONPATH", "")]))
    # A session of its own: Ctrl-C at the terminal reaches this process alone, which then ends the other.
    return subprocess.Popen(
        [sys.executable, "-P", "-m", f"{__package__}.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


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
            _kill(process)
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
    """Enter one message into *answer*; what it says of progress."""
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


def _feed(process: subprocess.Popen[bytes], request: bytes) -> None:
    # The pipe stays open afterwards: its end tells the worker that this process is gone.
    assert process.stdin is not None
    with contextlib.suppress(OSError, ValueError):
        process.stdin.write(request)
        process.stdin.flush()


def _listen(process: subprocess.Popen[bytes], messages: queue.SimpleQueue[bytes]) -> None:
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            messages.put(line)
    messages.put(b"")


def _end(process: subprocess.Popen[bytes], threads: Iterable[threading.Thread]) -> None:
    """End the process; with it both pipes are at their end, and so are the threads."""
    _kill(process)
    for thread in threads:
        if thread.is_alive():
            thread.join()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            assert pipe is not None
            pipe.close()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and what it started, and wait for it; a second call does nothing."""
    if process.returncode is not None:
        return
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _epitaph(code: int, complaints: IO[bytes]) -> str:
    """Why a process went that said neither ``done`` nor ``failed``."""
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").strip().splitlines()
    if code < 0:
        known = code in {-s for s in signal.Signals}
        return f"Gambit crashed ({signal.Signals(-code).name if known else f'signal {-code}'})"
    return f"Gambit's process ended without an answer (exit code {code})" + (f": {lines[-1]}" if lines else "")
