"""Atomic writing of files, compressed if the name ends in ``.gz``, and reading of files within size limits."""

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
"""Maximum size in bytes of the content of a compressed file."""

FREELY, DENSEST = 1 << 26, 250
"""A compression ratio above ``DENSEST`` is rejected if the content has more than ``FREELY`` bytes.

Game files have a ratio of about 20, and decompression bombs have a ratio of about 1,000.
"""

SQLITE = b"SQLite format 3\0"
"""The first bytes of a database (a sweep or an arena). Other output never overwrites a database."""

GAME_FILES = (".efg", ".nfg", ".ef", ".csv")
"""The suffixes of the files from which games are read; ``.gz`` may follow."""

GAMES_READ = f"games are read from {', '.join(GAME_FILES[:-1])} and {GAME_FILES[-1]} files"
"""The end of a message about another kind of file."""

PAGES = (".html", ".htm")
"""The suffixes of web pages."""

REPLACED = {".ef": "; .ef files can only be read; gtdraw also draws .efg files, which 'efg-builder build' writes"}
"""The suffixes of formats that are no longer written, and the advice for each suffix."""

_GZIP = b"\x1f\x8b"
_STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
_STREAM = re.compile(r"/dev/(?:(stdin|stdout|stderr)|fd/(\d{1,9}))\Z|/proc/self/fd/(\d{1,9})\Z", re.ASCII)


def reason(error: OSError) -> str:
    """Return the operating system's message, without the error number and the path."""
    return error.strerror or str(error)


def check_writable(path: str | os.PathLike[str], *, database: bool = False) -> None:
    """Raise ``FileError`` if *path* cannot be written now, or if it is a database and *database* is false."""
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
    """Return whether *name* has the form ``FILE.py`` or ``FILE.py:CLASS``."""
    return ".py" in (Path(name).suffix.lower(), Path(name.rpartition(":")[0]).suffix.lower())


def is_game_file(name: str) -> bool:
    """Return whether *name* has a suffix of ``GAME_FILES``, perhaps followed by ``.gz``."""
    return name.lower().removesuffix(".gz").endswith(GAME_FILES)


def check_path(path: object) -> None:
    """Raise ``ParameterError`` unless *path* is a string or a path-like object without null characters."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"{path!r} is not the path of a file, such as 'game.efg'")
    if "\0" in os.fsdecode(path):
        raise ParameterError(f"{os.fsdecode(path)!r} is not the path of a file: it has a null character")


def write_atomically(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> Path:
    """Write *chunks* to a temporary file beside *path*, then rename the file to *path*. Raises ``FileError``.

    The file is compressed if *path* ends in ``.gz``. After an interrupt, *path* is either the old file or the complete
    new file. A killed process may also leave a hidden file ``.eb-*.part``. Pipes, devices and streams of this process
    (``/dev/stdout``) are written directly.
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
    """Make the folder *path* and its parents. Raises ``FileError``."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {path}: {reason(error)}") from error


def _stream(path: str | os.PathLike[str]) -> int | None:
    # Opening /dev/stdout or a similar path would overwrite the redirected file from its beginning.
    found = _STREAM.match(os.fspath(path)) if os.name == "posix" else None
    if found is None:
        return None
    name, *numbers = found.groups()
    return _STREAMS[name] if name else int(numbers[0] or numbers[1])


def _special(path: str | os.PathLike[str]) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)


def _flush() -> None:
    for own in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            own.flush()


def _replace(target: Path, chunks: Iterable[bytes]) -> None:
    # The user can always read the new file: in a browser, the mask may be 0o777.
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask() | 0o600
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
    # The argument 31 selects a gzip header and trailer. zlib writes neither a name nor a time into the header.
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    for chunk in chunks:
        yield packer.compress(chunk)
    yield packer.flush()


_FORMULA = re.compile(r"'*[=+\-@]")
_NUMBERS = re.compile(r"([+-]?[\d./]+(e[+-]?\d+)?([ ,;]+|\Z))+\Z", re.ASCII | re.IGNORECASE)


def csv_lines(rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """Yield each row as a CSV line in UTF-8, quoted as in RFC 4180 and ended by a line feed.

    A text that a spreadsheet would run as a formula gets an apostrophe in front, which ``csv_text`` removes.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow(f"'{cell}" if isinstance(cell, str) and _is_formula(cell) else cell for cell in row)
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()


def _is_formula(cell: str) -> bool:
    """Return whether *cell* begins like a formula, perhaps behind apostrophes, and is not a list of numbers."""
    return _FORMULA.match(cell) is not None and _NUMBERS.match(cell) is None


def csv_text(cell: str) -> str:
    """Return the text that ``csv_lines`` wrote as *cell*."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell) else cell


def begins_with(path: str | os.PathLike[str], magic: bytes) -> bool:
    """Return whether *path* is a file that begins with *magic*; False for pipes and unreadable files."""
    try:
        if not Path(path).is_file():  # a pipe's bytes can be read only once
            return False
        with open(path, "rb") as file:
            return file.read(len(magic)) == magic
    except OSError:
        return False


UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""The byte-order marks of UTF-16, which PowerShell's ``>`` writes."""


def read_text(path: str | os.PathLike[str]) -> str:
    """Return the text at *path*, unpacked if it is gzip-compressed: UTF-8, or UTF-16 with its byte-order mark.

    Raises ``FileError``.
    """
    check_path(path)
    try:
        data = _content(path)
        if data.startswith(_GZIP):
            data = unpack(data, f"cannot read {path}")
        encoding = "utf-16" if data.startswith(UTF_16) else "utf-8"
        if encoding == "utf-8" and b"\0" in data[:2]:  # UTF-16 without its mark
            raise FileError(f"cannot read {path}: not UTF-8 text; save the file as UTF-8")
        return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        problem = f"not UTF-8 text (byte {error.start}); save the file as UTF-8"
        raise FileError(f"cannot read {path}: {problem}") from error


def _content(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read()
        # A pipe or a device may never end.
        data = file.read(UNPACKED + 1)
    if len(data) > UNPACKED:
        raise FileError(f"cannot read {path}: it is not a file, and it yields more than {UNPACKED >> 20} MiB")
    return data


def unpack(data: bytes, what: str) -> bytes:
    """Return the content of gzip-compressed *data*.

    Raises ``FileError``, whose message begins with *what*, if the data are damaged or the content is too large.
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
