"""Child processes, each in a process group that is killed when the child or this process ends."""

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
"""The command that runs a module. ``-P`` excludes the current folder from the search for modules."""


def with_package() -> dict[str, str]:
    """Return a variable ``PYTHONPATH`` with which a child can import this package, even if it is not installed."""
    root = str(Path(__file__).parents[2])
    return {"PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))}


class Child(subprocess.Popen[bytes]):
    """A child process with pipes for its standard input and output."""

    stdin: IO[bytes]
    stdout: IO[bytes]


def start(command: Sequence[str], stderr: int | IO[bytes], environment: Mapping[str, str]) -> Child:
    """Start *command* with pipes for its standard input and output.

    *environment* extends the environment of this process. The child runs in a separate session, so that Ctrl-C in the
    terminal does not reach the child. Raises ``OSError`` or ``ValueError``.
    """
    return Child(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | environment,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def feed(process: Child, data: bytes) -> None:
    """Write *data* to the child's standard input, and leave the pipe open."""
    with suppress(OSError, ValueError):
        process.stdin.write(data)
        process.stdin.flush()


def listen(process: Child, lines: SimpleQueue[bytes]) -> None:
    """Put each line of the child's standard output into *lines*, and ``b""`` at the end of the output."""
    with suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line)
    lines.put(b"")


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether the child has ended.

    If the system has ``waitid``, an ended child remains a zombie, so that no new process gets the child's process ID
    before ``kill``.
    """
    if process.returncode is not None:
        return True
    if sys.platform == "win32" or not hasattr(os, "waitid"):
        ended = process.poll() is not None
        if ended:
            _kill_group(process)  # now, because another process may soon get this process ID
        return ended
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def ends_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Wait up to *seconds* for the child to end; return whether it has ended."""
    until = monotonic() + seconds
    while not (ended := has_ended(process)) and monotonic() < until:
        sleep(0.002)
    return ended


def kill(process: subprocess.Popen[bytes], patience: float | None = None) -> None:
    """Kill the child and its process group, then wait at most *patience* seconds for the child.

    The wait frees the process ID, which is also the group ID. So the group is killed before the wait.
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


def finish(process: Child, threads: Iterable[threading.Thread]) -> None:
    """Kill the child, join the *threads* that read and write its pipes, and close the pipes."""
    kill(process)
    for thread in threads:
        if thread.is_alive():
            thread.join()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            pipe.close()


def signal_name(code: int) -> str:
    return signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"


def ended_without_answer(code: int, stderr: IO[bytes]) -> str:
    """Return the error message for a child that ended early: its exit code and its last line on *stderr*."""
    stderr.seek(0)
    lines = stderr.read().decode(errors="replace").strip().splitlines()
    return f"process ended without an answer (exit code {code})" + (f": {lines[-1]}" if lines else "")


# Functions that run in the child.


def answers() -> TextIO:
    """Return a stream that writes to the parent; redirect all other output from stdout to stderr."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return channel


def read_bytes(size: int) -> bytes:
    """Return the next *size* bytes of standard input. Raises ``SystemExit`` if there are fewer bytes."""
    parts = []
    while size:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            raise SystemExit("the request ended early")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_line() -> bytes:
    """Return the next line of standard input, without reading beyond it. Raises ``SystemExit`` if it is incomplete."""
    line = bytearray()
    while not line.endswith(b"\n"):
        line += read_bytes(1)
    return bytes(line)


def die_with_parent(descriptor: int = 0) -> None:
    """End this process as soon as the other end of the pipe *descriptor* is closed.

    On Linux, the kernel sends a signal, which works even while a Gambit routine holds the GIL. If this process leads
    its group, the signal ends the whole group. On other systems, a thread reads the pipe.
    """
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return
    if sys.platform == "linux":
        import fcntl

        group = os.getpgrp()
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, -group if group == os.getpid() else os.getpid())
        flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([descriptor], [], [], 0)[0]:  # the pipe was closed before O_ASYNC was set
            os._exit(1)
    else:
        threading.Thread(target=_wait_for_end, args=(descriptor,), daemon=True).start()


def _wait_for_end(descriptor: int) -> None:
    while os.read(descriptor, 1):
        pass
    os._exit(1)
