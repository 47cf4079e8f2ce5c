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


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise ``FileError`` where *path* could not be written now: before work that would be lost."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise FileError(f"cannot write {path}: it is a folder; name a file")
    if not target.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {target.parent}")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise FileError(f"cannot write {path}: permission denied")


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> Path:
    """Write *chunks* beside *path* and rename the result into place.

    Whatever interrupts the writing, *path* holds the old file (or none) or the new one, never a part. A link
    stays a link: what it points to is replaced. What is no file (a pipe, a device) is written to directly.
    Raises ``FileError`` for a path that cannot be written.
    """
    check_writable(path)
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as out:
                out.writelines(chunks)
        else:
            _replace(target, chunks)
    except OSError as error:
        raise FileError(f"cannot write {path}: {reason(error)}") from error
    return Path(path)


def _replace(target: Path, chunks: Iterable[bytes]) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=".eb-", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb", buffering=1 << 20) as out:
            for chunk in chunks:
                out.write(chunk)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


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
