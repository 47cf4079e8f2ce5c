"""States of searches that were broken off, in a folder beside the file of a sweep: ``sweep.db.states``.

Each try of a variant keeps its state in a file of its own and goes on from that of the try before. So two runs never
write one file, not even where one was wrongly taken for dead.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path


def folder_of(path: Path) -> Path:
    """The folder for the states of the sweep at *path*."""
    return path.absolute().with_name(f"{path.name}.states")


def state_file(folder: Path, key: str, tries: int) -> Path:
    """The file for the state of the variant *key* in its try number *tries*."""
    return folder / f"{_name(key)}-{tries}.npz"


def kept(folder: Path, key: str) -> list[Path]:
    """The states of the variant *key*, that of the last try last."""
    return sorted(folder.glob(f"{_name(key)}-*.npz"), key=_tries)


def forget(paths: list[Path]) -> None:
    """Delete states that nobody will go on from."""
    for path in paths:
        with suppress(OSError):
            path.unlink()


def _name(key: str) -> str:
    return sha256(key.encode()).hexdigest()[:24]


def _tries(path: Path) -> int:
    _, _, number = path.stem.rpartition("-")
    return int(number) if number.isascii() and number.isdigit() else 0
