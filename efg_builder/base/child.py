"""Child processes, each in a process group that ends with it, its limits and its parent."""

from __future__ import annotations

import os
import select
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic, sleep
from typing import IO, TextIO

PYTHON = (sys.executable, "-P", "-m")
"""Runs a module of this package, and nothing that happens to lie in the current folder; see ``with_package``."""


def with_package() -> dict[str, str]:
    """The environment in which a child finds this very package, installed or not."""
    root = str(Path(__file__).parents[2])
    return {"PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))}


def start(command: Sequence[str], stderr: int | IO[bytes], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start *command* with pipes for its standard input and output, and *environment* beside this process's own.

    Its session is its own: Ctrl-C at the terminal reaches this process alone. Raises ``OSError``, ``ValueError``.
    """
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | environment,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write *data* to the child. The pipe stays open: its end tells the child that this process is gone."""
    assert process.stdin is not None
    with suppress(OSError, ValueError):
        process.stdin.write(data)
        process.stdin.flush()


def listen(process: subprocess.Popen[bytes], lines: SimpleQueue[bytes]) -> None:
    """Put each line of the child's standard output into *lines*, and an empty one at its end."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put(b"")


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the child has ended. Where the system allows it, the child stays a zombie: see ``kill``."""
    if process.returncode is not None:
        return True
    if sys.platform == "win32" or not hasattr(os, "waitid"):
        ended = process.poll() is not None
        if ended:
            _kill_group(process)  # at once: the number may soon be that of another process
        return ended
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait up to *seconds* for the child to end; whether it has."""
    until = monotonic() + seconds
    while not (ended := has_ended(process)) and monotonic() < until:
        sleep(0.002)
    return ended


def kill(process: subprocess.Popen[bytes], patience: float | None = None) -> None:
    """End the child and its process group, and wait for it for at most *patience* seconds.

    A process keeps its number, which is its group's, until it is waited for; so that is last.
    """
    if process.returncode is not None:
        return
    _kill_group(process)
    with suppress(OSError):
        process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.wait(patience)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def finish(process: subprocess.Popen[bytes], threads: Iterable[threading.Thread]) -> None:
    """Kill the child. Its pipes are then at their end, and with them *threads*, which read and write them."""
    kill(process)
    for thread in threads:
        if thread.is_alive():
            thread.join()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            assert pipe is not None
            pipe.close()


def signal_name(code: int) -> str:
    """The signal that ended a process with the exit code *code*, which is below 0."""
    return signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"


def ended_without_answer(code: int, stderr: IO[bytes]) -> str:
    """How a child ended by itself: its exit code, and the last line that it wrote to *stderr*."""
    stderr.seek(0)
    lines = stderr.read().decode(errors="replace").strip().splitlines()
    return f"process ended without an answer (exit code {code})" + (f": {lines[-1]}" if lines else "")


# In the child.


def answers() -> TextIO:
    """Where the child writes its answers. What libraries print to standard output goes to stderr from here on."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return channel


def read_bytes(size: int) -> bytes:
    """The next *size* bytes of standard input. Raises ``SystemExit`` if there are fewer."""
    parts = []
    while size:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            raise SystemExit("the request ended early")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_line() -> bytes:
    """The next line of standard input, and nothing after it. Raises ``SystemExit`` if there is none."""
    line = bytearray()
    while not line.endswith(b"\n"):
        line += read_bytes(1)
    return bytes(line)


def die_with_parent(descriptor: int = 0) -> None:
    """End this process and its group as soon as the pipe *descriptor* is closed at the other end.

    Gambit's routines hold the interpreter's lock, so on Linux the kernel sends a signal; elsewhere a thread waits.
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
