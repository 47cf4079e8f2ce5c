"""The child process: ``python -m efg_builder.interop.gambit.worker``.

Reads from stdin one line of JSON, ``{"routine", "options", "bytes", "limit"}``, and then that many bytes of
``.efg`` text; or ``"path"`` instead of ``"bytes"``. Writes lines of JSON to stdout: ``{"progress": line}``
(at most four a second), ``{"profile": rows}`` for each one found (of the routine ``logit_branch``: what
``adapter.branch`` says of each point), and at last
``{"done": {"success", "reason", "note"}}`` or ``{"failed": reason}``.
"""

from __future__ import annotations

import faulthandler
import json
import os
import select
import stat
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

PROGRESS_INTERVAL = 0.25
"""Seconds between two progress lines, at least."""

GRACE = 5.0
"""Seconds over the limit after which a worker that nobody ended ends itself."""

BRANCH = "logit_branch"
"""Stands for ``adapter.branch``, which is no routine of ``pygambit.nash``."""

Message = dict[str, Any]


def serve(request: Mapping[str, Any], efg: str, send: Callable[[Message], None]) -> None:
    """Answer one request by calls of *send*; never raises for what Gambit raises."""
    last = 0.0

    def progress(line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS_INTERVAL:
            last = now
            send({"progress": line})

    try:
        from . import adapter

        send({"progress": "reading the game"})
        game = adapter.read(efg)
        send({"progress": "solving"})
        routine, options = request["routine"], request["options"]

        def found(what: Any) -> None:
            send({"profile": what})

        if routine == BRANCH:
            ended = adapter.branch(game, options, found, progress)
        else:
            ended = adapter.solve(game, routine, options, found, progress)
    except Exception as error:
        send({"failed": str(error).strip() or type(error).__name__})
    else:
        send({"done": asdict(ended)})


def main() -> None:
    """Serve the one request on stdin."""
    # pygambit may print: what it prints goes to stderr, and the messages have a descriptor of their own.
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    source = os.fdopen(0, "rb", buffering=0, closefd=False)
    request = json.loads(_line(source.read))
    efg = _efg(request, source.read)
    if request.get("limit") is not None:
        # A timer in C, which needs no turn of the interpreter.
        faulthandler.dump_traceback_later(request["limit"] + GRACE, exit=True)
    die_with_parent(0)

    def send(message: Message) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    serve(request, efg, send)
    channel.close()
    # Not by way of the interpreter's end: it would wait for the thread and for Gambit's tables to be freed.
    os._exit(0)


def die_with_parent(descriptor: int) -> None:
    """End this process, and what it started, as soon as the pipe *descriptor* is closed at the other end.

    Gambit's routines hold the interpreter's lock while they compute, so a thread that waits for the end of
    the pipe would not get its turn. On Linux the kernel is asked for a signal instead, which ends a process
    that does not handle it. Elsewhere the thread is all there is, with the time limit behind it.
    """
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return
    if sys.platform == "linux":
        import fcntl

        group = os.getpgrp()
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, -group if group == os.getpid() else os.getpid())
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([descriptor], [], [], 0)[0]:  # it was closed before the kernel was asked
            os._exit(1)
    else:
        threading.Thread(target=_wait_for_end, args=(descriptor,), daemon=True).start()


def _wait_for_end(descriptor: int) -> None:
    while os.read(descriptor, 1):
        pass
    os._exit(1)


def _line(read: Callable[[int], bytes | None]) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        part = read(1)
        if not part:
            raise SystemExit("the request ended early")
        line += part
    return line


def _efg(request: Mapping[str, Any], read: Callable[[int], bytes | None]) -> str:
    if "path" in request:
        return Path(request["path"]).read_text(encoding="utf-8")
    parts, missing = [], int(request["bytes"])
    while missing:
        part = read(min(missing, 1 << 20))
        if not part:
            raise SystemExit("the game ended early")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts).decode()


if __name__ == "__main__":
    main()
