"""The driver of every long search: time limit, Ctrl-C, progress and checkpoint (an ``.npz`` file)."""

from __future__ import annotations

import io
import json
import os
import time
import warnings
import zipfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..base.errors import FileError, NotSavedWarning, NotSolvedError
from ..base.files import reason, write_atomically
from ..base.npy_file import read_arrays
from ..base.strict_json import strict_json
from ..base.words import STOPPING
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from .protocol import Ended, Progress, Request, TimeLimit, Watch, countdown

SAVE_EVERY = 2.0
"""Minimum number of seconds between checkpoints; the interval is longer if writing is slow."""

WATCH_GROWTH, WATCH_SHARE, WATCH_SECONDS = 1.4, 0.15, 2.0
"""Growth factor of the iteration from one look at the strategies to the next. All looks may take this share of the
search's time, or these seconds if that is more, if the next look takes no longer than the last one.
"""

HOW_TO = "; --resume"
"""The beginning of the hint, in a message, about resuming the search."""

DAMAGE = (
    *(ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError),
    *(ArithmeticError, zipfile.BadZipFile),
)
"""The exceptions that can occur while a damaged file is read."""

MOST_ROUNDS = 10**12
"""Maximum number of rounds or iterations in a valid checkpoint; no search runs so many rounds."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Iterate:
    """A step of an algorithm.

    ``line``: a line of progress, or an empty text. ``save``: a function that writes the algorithm's state to a file, or
    None if a checkpoint is not possible now. ``last``: whether the algorithm has its result, so that the time limit no
    longer matters. ``number``: the number of iterations so far. ``strategies``: a function that returns the best or
    average strategies after this step, for ``Request.watch``.
    """

    line: str = ""
    save: Callable[[Path], object] | None = None
    last: bool = False
    number: int = 0
    strategies: Callable[[], TreeProfile | SparseProfile] | None = None


STEP = Iterate()
"""A step without a line of progress: only the time is checked."""

Iterates = Generator[Iterate, float | None, T]
"""An algorithm. It yields its steps, and returns its result.

The algorithm reports no progress and writes no file; ``Driver`` does all this between the steps. The driver answers
each step with the remaining seconds (None: no limit). After the time limit, it raises ``TimeLimit`` at the last
``yield``.
"""


class Driver:
    """The time limit, progress and checkpoint of one request.

    ``ended``: the outcome of the search. ``message``: the reason for the outcome.
    """

    def __init__(self, request: Request) -> None:
        self.left = countdown(request.timeout)
        self.progress = request.progress
        self.keeper = Keeper(request.checkpoint)
        self.watcher = Watcher(request.watch)
        self.ended: Ended = "done"
        self.message = ""

    @property
    def late(self) -> bool:
        seconds = self.left()
        return seconds is not None and seconds <= 0

    def complete(self, iterates: Iterates[T]) -> T:
        """Run an algorithm to its end, and return its result. Raises ``TimeLimit``. Ctrl-C is not caught."""
        with closing(iterates):
            step = partial(next, iterates)
            while True:
                try:
                    iterate = step()
                except StopIteration as end:
                    result: T = end.value
                    return result
                if iterate.line:
                    self.progress(iterate.line)
                if iterate.save is not None:
                    self.keeper.keep(iterate.save)
                self.watcher.look(iterate)
                left = self.left()
                late = left is not None and left <= 0 and not iterate.last
                step = partial(iterates.throw, TimeLimit()) if late else partial(iterates.send, left)

    def run(self, iterates: Iterates[T]) -> T | None:
        """Run an algorithm, and return its result, or None if the time limit or Ctrl-C stops it.

        In the second case, set ``ended`` and ``message``. At the end, warn if the last checkpoint was not written.
        """
        result = None
        try:
            result = self.complete(iterates)
        except TimeLimit:
            self.ended, self.message = "timeout", f"the time limit came first{self.keeper.how_to_resume()}"
        except KeyboardInterrupt:
            self.progress(STOPPING)
            self.ended, self.message = "interrupted", f"stopped before the end{self.keeper.how_to_resume()}"
        self.keeper.end()
        return result

    def step(self, line: str) -> None:
        """Report progress. Raises ``TimeLimit``."""
        self.progress(line)
        if self.late:
            raise TimeLimit

    def build(self, line: str) -> None:
        """Report progress in building a tree. Raises ``NotSolvedError`` if the time limit has passed."""
        self.progress(line)
        if self.late:
            raise NotSolvedError(f"the time limit was reached while {line}", timed_out=True)

    @contextmanager
    def in_time(self, message: str) -> Iterator[None]:
        """Set ``ended`` and ``message`` if the time limit stops the ``with`` block. Ctrl-C is not caught."""
        try:
            yield
        except TimeLimit:
            self.ended, self.message = "timeout", message

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Suppress the time limit and Ctrl-C, because the ``with`` block only improves a known answer."""
        try:
            yield
        except TimeLimit:
            pass
        except KeyboardInterrupt:
            self.progress(STOPPING)


@dataclass
class Watcher:
    """The looks at the strategies of a search, which call ``watch`` (None: no looks).

    ``due``: the least iteration of the next look. ``began``: the time of the start. ``spent``, ``cost``: the seconds of
    all looks and of the last look.
    """

    watch: Watch | None
    due: int = 1
    began: float = field(default_factory=time.monotonic)
    spent: float = 0.0
    cost: float = 0.0

    def look(self, iterate: Iterate) -> None:
        """Look at the strategies of *iterate* if a look is due, and if there is time; not at the final strategies."""
        if self.watch is None or iterate.strategies is None or iterate.last or iterate.number < self.due:
            return
        now = time.monotonic()
        if self.spent + self.cost > max(WATCH_SECONDS, WATCH_SHARE * (now - self.began)):
            return
        self.watch(iterate.number, iterate.strategies())
        self.cost = time.monotonic() - now
        self.spent += self.cost
        self.due = max(iterate.number + 1, int(iterate.number * WATCH_GROWTH))


def interrupting_once(progress: Progress) -> Progress:
    """Return *progress* without all but its first ``KeyboardInterrupt``.

    A search ends at the first one, and calls *progress* again while it verifies the strategies found so far. A function
    that looks at a flag would discard them.
    """
    interrupted = False

    def report(line: str) -> None:
        nonlocal interrupted
        try:
            progress(line)
        except KeyboardInterrupt:
            if not interrupted:
                interrupted = True
                raise

    return report


@dataclass(frozen=True)
class StateKind:
    """The method that wrote a checkpoint, and the version of this method's file format."""

    method: str
    version: int

    @property
    def format(self) -> str:
        return f"efg-builder {self.method} {self.version}"


@dataclass
class Keeper:
    """The writer of checkpoints to the file ``path``. Without a path, it writes nothing.

    ``due``: the earliest time of the next checkpoint. ``every``: the minimum number of seconds between checkpoints.
    ``failed``: the error of the last attempt, or an empty text. ``reasons``: all reasons for failures so far; each
    reason causes one ``NotSavedWarning``.
    """

    path: Path | None
    due: float = 0.0
    every: float | None = None
    saved: bool = False
    failed: str = ""
    reasons: set[str] = field(default_factory=set)

    def keep(self, write: Callable[[Path], object], at_once: bool = False) -> None:
        """Call *write* with the path if a checkpoint is due, or if *at_once* is true. Without a path, do nothing."""
        began = time.monotonic()
        if self.path is None or (began < self.due and not at_once):
            return
        try:
            write(self.path)
            self.saved, self.failed = True, ""
        except FileError as error:
            self.failed = str(error)
            why = reason(error.__cause__) if isinstance(error.__cause__, OSError) else self.failed
            if why not in self.reasons:
                self.reasons.add(why)
                text = f"{error}; the search continues, and will try again to write a checkpoint"
                warnings.warn(NotSavedWarning(text, why), stacklevel=2)
        ended = time.monotonic()
        # Saving should take at most a twentieth of the time.
        every = SAVE_EVERY if self.every is None else self.every
        self.due = ended + max(every, 20 * (ended - began) if every else 0.0)

    def end(self) -> None:
        if self.failed:
            left = "the file has an earlier state" if self.saved else "there is no checkpoint of this run"
            text = f"the last checkpoint was not written: {self.failed}; {left}"
            warnings.warn(NotSavedWarning(text, "the last checkpoint"), stacklevel=2)

    def how_to_resume(self) -> str:
        if self.path is None:
            return ""
        if self.saved:
            return f"{HOW_TO} {self.path} continues from {'an earlier state' if self.failed else 'there'}"
        return f"; no checkpoint was written: {self.failed}" if self.failed else "; it was too early for a checkpoint"


def save_state(
    path: Path, kind: StateKind, title: str, game: str, arrays: Mapping[str, Any], course: Mapping[str, object]
) -> None:
    """Write a checkpoint. Raises ``FileError``.

    *game*: a text that distinguishes games with the same *title*. *arrays*, *course*: the state of the search as arrays
    and as JSON data.
    """
    state = json.dumps({"format": kind.format, "game": game, "title": title, **course})
    buffer = io.BytesIO()
    np.savez(buffer, **arrays, state=np.array(state))
    write_atomically(path, [buffer.getvalue()])


def load_state(
    path: Path, kind: StateKind, title: str, game: str, restored: Callable[[dict[str, Any], dict[str, Any]], T]
) -> T:
    """Return the state that *restored* builds from the arrays and the JSON data in a checkpoint.

    Raises ``FileError``.
    """
    try:
        with open(path, "rb") as file:
            arrays = read_arrays(file)
        state = strict_json(str(arrays["state"]))
        saved, form = state.get("title", ""), state["format"]
        if not all(isinstance(text, str) for text in (form, state["game"], saved)):
            raise ValueError("another format")
        if form == kind.format and state["game"] == game:
            return restored(arrays, state)
        words = form.split(" ")
        if form != kind.format and (len(words) != 3 or words[0] != "efg-builder" or words[1] == kind.method):
            raise ValueError("another format")
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except DAMAGE as error:
        what = f"the {kind.method}" if kind.method == "oracle" else f"the method {kind.method!r}"
        raise FileError(f"cannot resume from {path}: it is not a checkpoint of {what}, or it is damaged") from error
    if form != kind.format:
        raise FileError(
            f"cannot resume from {path}: it belongs to the method {words[1][:40]!r}, not to {kind.method!r} (--method)"
        )
    other = f"{saved[:200]!r}" if "title" in state else "another game"
    if saved == title:
        raise FileError(f"cannot resume from {path}: it belongs to {other} with other rules")
    raise FileError(f"cannot resume from {path}: it belongs to {other}, not to {title!r}")


def is_state(path: str | os.PathLike[str]) -> bool:
    """Return whether the file looks like a checkpoint, possibly damaged, of any game."""
    try:
        with zipfile.ZipFile(path) as file:
            return "state.npy" in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def round_count(given: object) -> int:
    """Return *given* if it is a number of rounds or iterations. Raises ``ValueError``."""
    if type(given) is not int or not 0 <= given <= MOST_ROUNDS:
        raise ValueError("not a number of rounds")
    return given
