"""Writing files so that they appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .errors import FileError


def reason(error: OSError) -> str:
    """What the operating system said, without the number and the path."""
    return error.strerror or str(error)


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes], *, parents: bool = False) -> Path:
    """Write *chunks* beside *path* and rename the result into place.

    Whatever interrupts the writing, *path* holds the old file (or none) or the new one, never a part.
    ``parents`` creates missing folders. Raises ``FileError`` for a path that cannot be written.
    """
    target = Path(path)
    try:
        if parents:
            target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise FileError(f"cannot write {target}: it is a folder; name a file")
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise FileError(f"cannot write {target}: {reason(error)}") from error
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as out:
            for chunk in chunks:
                out.write(chunk)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise FileError(f"cannot write {target}: {reason(error)}") from error
        raise
    return target


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text at *path*. Raises ``FileError`` where it cannot be read or is not text."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"cannot read {path}: not UTF-8 text (byte {error.start})") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
