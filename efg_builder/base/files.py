"""Writing files so that they appear whole or not at all, gzip-compressed where their names end in ``.gz``."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import os
import re
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from .errors import FileError, ParameterError

UNPACKED = 1 << 29
"""The most bytes of text that a compressed file may unpack to, so that a small one cannot take unbounded memory."""

FREELY = 1 << 26
"""Up to this many bytes of text, the ratio of compression is not limited."""

DENSEST = 250
"""Beyond that, the greatest ratio of compression: that of game files is about twenty, of a trap a thousand."""

SQLITE = b"SQLite format 3\0"
"""How a database begins: the file of a sweep or an arena, which takes long to make and is never to be replaced."""

REPLACED = {".ef": "; .ef files are only read: gtdraw draws the .efg that 'efg-builder build' writes"}
"""Endings of files that are written no more, with what replaced them."""

_GZIP = b"\x1f\x8b"
_STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
_STREAM = re.compile(r"/dev/(?:(stdin|stdout|stderr)|fd/(\d{1,9}))\Z|/proc/self/fd/(\d{1,9})\Z", re.ASCII)


def reason(error: OSError) -> str:
    """The operating system's message, without the number and the path."""
    return error.strerror or str(error)


def check_writable(path: str | os.PathLike[str], *, database: bool = False) -> None:
    """Raise ``FileError`` where *path* could not be written now: before work that would be lost.

    Only a *database* may be where a database is.
    """
    check_path(path)
    stream = _stream(path)
    if stream is not None:
        try:
            os.fstat(stream)
        except OSError as error:
            raise FileError(f"cannot write {path}: {reason(error)}") from error
        return
    target = Path(os.path.realpath(path))
    if os.path.isdir(path):
        raise FileError(f"cannot write {path}: it is a folder; name a file")
    if not database and begins_with(path, SQLITE):
        raise FileError(f"cannot write {path}: it is a database (of a sweep or an arena), which would be lost")
    if not _special(path) and not target.parent.is_dir():
        raise FileError(f"cannot write {path}: there is no folder {target.parent}")
    if not os.access(path if os.path.exists(path) else target.parent, os.W_OK):
        raise FileError(f"cannot write {path}: permission denied")


def is_rules_file(name: str) -> bool:
    """Whether *name* has the form ``FILE.py`` or ``FILE.py:CLASS``."""
    return ".py" in (Path(name).suffix.lower(), Path(name.rpartition(":")[0]).suffix.lower())


def check_path(path: object) -> None:
    """Raise ``ParameterError`` unless *path* is of a type that names a file."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"{path!r} is no path of a file, such as 'game.efg'")


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> Path:
    """Write *chunks* beside *path* and rename the result into place.

    Whatever interrupts the writing, *path* holds the old file (or none) or the new one; a process that is killed leaves
    at most a hidden file ``.eb-*.part``. A link stays a link: its target is replaced. A pipe, a device and a stream of
    this process (``/dev/stdout``) are written to directly. Where *path* ends in ``.gz`` they are compressed; equal
    chunks give equal files. Raises ``FileError`` for a path that cannot be written.
    """
    check_writable(path)
    if os.fspath(path).lower().endswith(".gz"):
        chunks = _packed(chunks)
    stream = _stream(path)
    try:
        if stream is not None:
            _flush()
            with os.fdopen(os.dup(stream), "wb") as out:
                out.writelines(chunks)
        elif _special(path):
            with open(path, "wb") as out:
                out.writelines(chunks)
        else:
            _replace(Path(os.path.realpath(path)), chunks)
    except OSError as error:
        raise FileError(f"cannot write {path}: {reason(error)}") from error
    return Path(path)


def make_folder(path: Path) -> None:
    """Make the folder *path*, and those above it. Raises ``FileError``."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {path}: {reason(error)}") from error


def _stream(path: str | os.PathLike[str]) -> int | None:
    """The descriptor that *path* stands for: 1 for ``/dev/stdout``.

    To open such a path would start at the beginning of the file that the shell has redirected it to.
    """
    found = _STREAM.match(os.fspath(path)) if os.name == "posix" else None
    if found is None:
        return None
    name, *numbers = found.groups()
    return _STREAMS[name] if name else int(numbers[0] or numbers[1])


def _special(path: str | os.PathLike[str]) -> bool:
    # Of the path as given: what a link in /proc leads to has no path of its own.
    return os.path.exists(path) and not os.path.isfile(path)


def _flush() -> None:
    """Print first what was printed first."""
    for own in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            own.flush()


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


def _packed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    # 31: with the head and tail of a gzip file, in which zlib writes neither a name nor a time.
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for chunk in chunks:
        yield packer.compress(chunk)
    yield packer.flush()


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """Rows as lines of comma-separated values in UTF-8, each ended by a line feed (RFC 4180 quoting)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()


def begins_with(path: str | os.PathLike[str], magic: bytes) -> bool:
    """Whether *path* is a file that begins with *magic*; False for one that cannot be read, and for a pipe."""
    try:
        if not Path(path).is_file():  # what is read from a pipe is gone
            return False
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text at *path*, unpacked where it is gzip-compressed (whatever its name).

    Raises ``FileError`` where it cannot be read, is damaged, is not text, or unpacks to more than 512 MiB (64 MiB
    where that is more than 250 times its size).
    """
    check_path(path)
    try:
        data = _content(path)
        return (
            (unpack(data, f"cannot read {path}") if data.startswith(_GZIP) else data)
            .decode("utf-8")
            .replace("\r\n", "\n")
            .replace("\r", "\n")
        )
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise FileError(f"cannot read {path}: not UTF-8 text (byte {error.start})") from error


def _content(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        # A pipe or a device may never end.
        data = file.read(UNPACKED + 1)
    if len(data) > UNPACKED:
        raise FileError(f"cannot read {path}: no file, and more than {UNPACKED >> 20} MiB come out of it")
    return data


def unpack(data: bytes, what: str) -> bytes:
    """The content of gzip-compressed *data*, of which not much can come from little.

    Raises ``FileError``, which begins with *what*.
    """
    most = min(UNPACKED, max(FREELY, DENSEST * len(data)))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            found = packed.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"{what}: damaged gzip data ({error})") from error
    if len(found) > most:
        raise FileError(f"{what}: it unpacks to more than {most >> 20} MiB")
    return found


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
