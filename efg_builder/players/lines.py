"""A program in any language, asked one line at a time, with limits on its time and on what it writes.

Three threads serve the program's pipes, so that a program that does not read, does not answer, or writes without end
blocks nothing. It ends with the process that started it, in worker processes too, and with all of its process group. A
process that is killed (SIGKILL) cannot end its children: then the program finds its standard input closed, and must end
by itself. (Linux could signal it, PR_SET_PDEATHSIG; but that is sent when the thread that started it ends, not the
process, and setting it takes code between fork and exec, which is unsafe among threads.)
"""

from __future__ import annotations

import shlex
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.util import Finalize
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import IO, Any, NoReturn

from ..base import child
from ..base.errors import PlayerError

LONGEST = 1 << 18
"""The most bytes of a line."""

AHEAD = 16
"""The most lines that a program may write without a question."""

BEHIND = 1_000
"""Lines that the program has not read yet, at most: then it is waited for."""

PATIENCE = 10.0
"""Seconds in which a program that is waited for must read something."""

GRACE = 1.0
"""Seconds that a program has to end by itself when its standard input is closed, and again after SIGTERM."""

_SHOWN = 100

Lines = SimpleQueue[bytes | None]
"""Lines on their way; None is the end of them."""


class RunningProgram:
    """A program that was started: *words* are its command and arguments; *player* is who it plays for, in errors.

    Raises ``PlayerError`` where it cannot be started. It is ended when it fails, when nobody knows this object any
    more, and when this process ends.
    """

    def __init__(self, words: Sequence[str], player: str) -> None:
        self._name = f"{player} {shlex.join(words)!r}"
        self._failed = ""
        try:
            self._process = child.start(words, subprocess.PIPE, {})
        except (OSError, ValueError) as error:
            raise PlayerError(f"{self._name} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._heard, self._said = Lines(), Lines()
        self._answers, self._noted = deque[bytes](maxlen=1), deque[bytes](maxlen=1)
        # The threads know the pipes and not this object, which can then be forgotten.
        _begin(_write, self._process.stdin, self._heard)
        _begin(_read, self._process.stdout, self._said)
        self._notes = _begin(_note, self._process.stderr, self._noted)
        # Of multiprocessing, because its workers end without running what others register for the end.
        self._end = Finalize(self, _end, (self._process, self._heard), exitpriority=10)

    def tell(self, line: str) -> None:
        """Send *line*, to which there is no answer. Raises ``PlayerError`` where none is read."""
        if self._failed:
            raise PlayerError(self._failed)
        least, until = BEHIND + 1, 0.0
        while (unread := self._heard.qsize()) > BEHIND:
            if unread < least or not until:
                least, until = unread, monotonic() + PATIENCE
            if monotonic() > until:
                self._fail(f"has read nothing for {PATIENCE:g} s")
            sleep(0.001)
        self._heard.put(f"{line}\n".encode())

    def ask(self, line: str, seconds: float) -> str:
        """The line that it answers to *line*. Raises ``PlayerError`` where there is none within *seconds*."""
        if self._failed:
            raise PlayerError(self._failed)
        with suppress(Empty):
            early = self._said.get_nowait()
            if early is None:
                self._fail_ended("ended")
            self._fail(f"wrote {_short(early)} where nothing was asked")
        self.tell(line)
        try:
            answer = self._said.get(timeout=seconds)
        except Empty:
            if child.has_ended(self._process):  # and what it started holds its standard output open
                self._fail_ended(f"ended without an answer to {_short(line)}")
            self._fail(f"gave no answer to {_short(line)} within {seconds:g} s (does it flush every line?)")
        if answer is None:
            self._fail_ended(f"ended without an answer to {_short(line)}")
        self._answers.append(answer)
        if len(answer) > LONGEST:
            self._fail(f"wrote more than {LONGEST:,} bytes without an end of line")
        return answer.decode(errors="replace").strip()

    def refuse(self, problem: str) -> NoReturn:
        """End the program, whose last answer is none: *problem* quotes it. Raises ``PlayerError``."""
        self._answers.clear()
        self._fail(problem)

    def _fail_ended(self, problem: str) -> NoReturn:
        """It has ended, or closed its standard output."""
        ended = child.ends_within(self._process, GRACE)
        self._notes.join(GRACE)  # its last words may still be on their way
        child.kill(self._process, GRACE)
        code = self._process.returncode if ended else None
        self._fail(problem if code is None else f"{problem} (exit code {code})")

    def _fail(self, problem: str) -> NoReturn:
        last = next((f"; its last line: {_short(line)}" for line in (*self._noted, *self._answers)), "")
        self._failed = f"{self._name} {problem}{last}"
        child.kill(self._process, GRACE)
        self._end()
        raise PlayerError(self._failed)


def _short(line: str | bytes) -> str:
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _begin(work: Callable[..., None], pipe: IO[bytes] | None, lines: Any) -> Thread:
    thread = Thread(target=work, args=(pipe, lines), daemon=True)
    thread.start()
    return thread


def _write(pipe: IO[bytes], heard: Lines) -> None:
    with suppress(OSError, ValueError):
        while (line := heard.get()) is not None:
            pipe.write(line)
            pipe.flush()
    with suppress(OSError):
        pipe.close()


def _read(pipe: IO[bytes], said: Lines) -> None:
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(LONGEST + 1):
            said.put(line)
            if len(line) > LONGEST or said.qsize() > AHEAD:
                break
    said.put(None)


def _note(pipe: IO[bytes], noted: deque[bytes]) -> None:
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(1 << 12):
            if line.strip():
                noted.append(line)


def _end(process: subprocess.Popen[bytes], heard: Lines) -> None:
    """Ask the program to end by closing its standard input, then by a signal; then make it, and what it started."""
    heard.put(None)
    if not child.ends_within(process, GRACE):
        with suppress(OSError):
            process.terminate()
        child.ends_within(process, GRACE)
    child.kill(process, GRACE)
