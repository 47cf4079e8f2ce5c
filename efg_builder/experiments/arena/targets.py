"""Where a table and a picture of an arena may be written: not over each other, and over no database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from ...base.errors import FileError
from ...base.files import check_writable, reason

_DATABASE = b"SQLite format 3\0"
"""How every file of SQLite begins."""


def check_target(path: str | os.PathLike[str], endings: Sequence[str]) -> None:
    """Raise ``FileError`` unless *path* can be written, has one of *endings*, and is no file of SQLite."""
    if not os.fspath(path).lower().endswith(tuple(endings)):
        raise FileError(f"cannot write {path}: its name is to end in {' or '.join(endings)}")
    check_writable(path)
    if not os.path.isfile(path):
        return
    try:
        with open(path, "rb") as file:
            kept = file.read(len(_DATABASE)) == _DATABASE
    except OSError as error:
        raise FileError(f"cannot write {path}: {reason(error)}") from error
    if kept:
        raise FileError(f"cannot write {path}: it is a database of SQLite, such as an arena, and would be lost")


def check_apart(files: Sequence[tuple[str, Path | None]]) -> None:
    """Raise ``FileError`` where two of *files*, each with the option that names it, are the same file."""
    given = [(option, path) for option, path in files if path is not None]
    for (one, path), (other, second) in combinations(given, 2):
        if _same(path, second):
            raise FileError(f"{one} {path} and {other} {second} are the same file; name two")


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False  # one of them is not there yet
