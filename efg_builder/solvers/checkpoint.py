"""Checkpoints: the state of a long search in a file (``.npz``), which another run goes on from.

In reading order: ``Keeper``, when to write; ``save`` and ``load``, what is in every such file; ``damage``, what a file
may hold that was written by anybody.
"""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..base.errors import FileError
from ..base.files import reason, write_atomically
from ..base.npy_file import read_arrays

SAVE_EVERY = 2.0
"""Seconds between two checkpoints; more where writing one takes long."""

HOW_TO = "; --resume"
"""How the end of a message begins that says how to go on."""

DAMAGE = (
    *(ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError),
    *(ArithmeticError, zipfile.BadZipFile),
)
"""What reading a damaged file can raise."""

MOST_ROUNDS = 10**12
"""More rounds or iterations than any search has."""

T = TypeVar("T")


@dataclass(frozen=True)
class Kind:
    """A kind of state: the ``method`` and the ``version`` of what its files hold."""

    method: str
    version: int

    @property
    def format(self) -> str:
        """What its files name."""
        return f"efg-builder {self.method} {self.version}"


@dataclass
class Keeper:
    """Keeps a search's state in the file ``path`` (None: nowhere), not before ``due`` on the clock; ``saved``: did."""

    path: Path | None
    due: float = 0.0
    saved: bool = False

    def keep(self, write: Callable[[Path], object]) -> None:
        """Let *write* make the file, if one was asked for and it is time to."""
        began = time.monotonic()
        if self.path is None or began < self.due:
            return
        write(self.path)
        self.saved = True
        ended = time.monotonic()
        # Saving should cost no more than a twentieth of the time.
        self.due = ended + max(SAVE_EVERY, 20 * (ended - began) if SAVE_EVERY else 0.0)

    def how_to_resume(self) -> str:
        """The end of a message: how to go on from the checkpoint."""
        if self.path is None:
            return ""
        return f"{HOW_TO} {self.path} goes on from there" if self.saved else "; too early for a checkpoint"


def save(
    path: Path, kind: Kind, title: str, game: str, arrays: Mapping[str, Any], course: Mapping[str, object]
) -> None:
    """Write what ``load`` gives back: *arrays*, and the *course* of the search so far, plain data.

    *game* tells games of one *title* apart. Raises ``FileError``.
    """
    state = json.dumps({"format": kind.format, "game": game, "title": title, **course})
    buffer = io.BytesIO()
    np.savez(buffer, **arrays, state=np.array(state))
    write_atomically(path, [buffer.getvalue()])


def load(path: Path, kind: Kind, title: str, game: str, restored: Callable[[dict[str, Any], dict[str, Any]], T]) -> T:
    """What *restored* makes of the arrays and the course in a file that ``save`` wrote.

    Raises ``FileError`` where the file cannot be read, is of another game or method, or *restored* finds damage.
    """
    try:
        with open(path, "rb") as file:
            arrays = read_arrays(file)
        state = json.loads(str(arrays["state"]))
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
        raise FileError(f"cannot resume from {path}: it is no state of {what}, or damaged") from error
    if form != kind.format:
        raise FileError(
            f"cannot resume from {path}: it is of the method {words[1][:40]!r}, not of {kind.method!r} (--method)"
        )
    other = f"{saved[:200]!r}" if "title" in state else "another game"
    if saved == title:
        raise FileError(f"cannot resume from {path}: it is of {other} with other rules")
    raise FileError(f"cannot resume from {path}: it is of {other}, not of {title!r}")


def is_state(path: str | os.PathLike[str]) -> bool:
    """Whether the file at *path* is like a saved state, of whichever game, damaged or not."""
    try:
        with zipfile.ZipFile(path) as file:
            return "state.npy" in file.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


def count(given: object) -> int:
    """A number of rounds or iterations. Raises ``ValueError``."""
    if type(given) is not int or not 0 <= given <= MOST_ROUNDS:
        raise ValueError("no number of rounds")
    return given
