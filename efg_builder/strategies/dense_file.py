"""Dense strategies in ``.npz`` files: arrays that are mapped into memory, with the game's name and settings.

Such a file is a plain archive of NumPy arrays: ``player1`` and ``player2`` (either may be missing), laid out as in
``strategies.dense_rows``, in 32 or 64 bits, and ``about``, a text in JSON: ``format``, and ``game`` with its
``name``, all ``settings`` and ``title``.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..base.errors import FileError, ParameterError, ProfileError
from ..base.files import reason, write_atomically
from ..base.npy_file import array_of, read_head
from ..games.bid_index import class_size
from ..games.bidding import BiddingGame
from ..games.catalogue import identify, make
from .dense_profile import DenseProfile
from .dense_rows import Array

FORMAT = "efg-builder strategy 1"

DAMAGE = (ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError)
"""What reading a damaged archive can raise, besides its compression's own errors."""

_HEAD = 30
"""Bytes of an archive member's own header before its name."""

_TEXT = 1 << 16
"""Bytes that ``about`` and the head of an array may take."""

_PIECE = 1 << 16
"""Rows written at a time."""


def write_dense(path: str | os.PathLike[str], strategy: DenseProfile) -> None:
    """Write *strategy* to *path*, whole or not at all; flags are written in 32 bits. Raises ``FileError``."""
    write_atomically(path, _archive(strategy))


def _archive(strategy: DenseProfile) -> Iterator[bytes]:
    named = identify(strategy.game)
    game: dict[str, Any] = {} if named is None else {"name": named[0], "settings": named[1]}
    about = json.dumps({"format": FORMAT, "game": game | {"title": strategy.game.title}})
    out = _Pieces()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in (("about", np.array(about)), *_arrays(strategy)):
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                kind = np.dtype(np.float32) if array.dtype == np.bool_ else array.dtype
                member.write(_header(kind, array.shape))
                for start in range(0, len(array), _PIECE) if array.ndim else ():
                    member.write(np.ascontiguousarray(array[start : start + _PIECE], dtype=kind).tobytes())
                    yield from out.taken()
                if not array.ndim:
                    member.write(array.tobytes())
            yield from out.taken()
    yield from out.taken()


def _arrays(strategy: DenseProfile) -> Iterator[tuple[str, Array]]:
    for player, array in enumerate(strategy.arrays, start=1):
        if array is not None:
            yield f"player{player}", array


def _header(kind: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": kind.str, "fortran_order": False, "shape": shape})
    return head.getvalue()


class _Pieces(io.RawIOBase):
    """A stream that is written to and emptied piece by piece, so that a large archive needs no memory."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        """Yes."""
        return True

    def write(self, data: Any) -> int:
        """Keep *data* until it is taken."""
        self._pieces.append(bytes(data))
        return len(self._pieces[-1])

    def taken(self) -> list[bytes]:
        """What was written since the last call."""
        found, self._pieces = self._pieces, []
        return found


def read_dense(path: str | os.PathLike[str], game: BiddingGame) -> DenseProfile:
    """The strategies in the file at *path*, checked, arrays mapped into memory where they are not compressed.

    Raises ``FileError`` where it cannot be read or is no such file, and ``ProfileError`` where it is of another game
    or its numbers are no strategies.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            if "about" not in members:
                raise _without(path, "an array named 'about'", f"only {', '.join(sorted(members)[:5]) or 'nothing'}")
            written = str(np.asarray(_member(path, archive, members["about"], _TEXT))[()])
            _check_about(str(path), written, game)
            most = [class_size(len(game.bid_names)) * hands * 8 for hands in game.hand_counts]
            names = ("player1", "player2")
            found = [
                _member(path, archive, members[name], limit) if name in members else None
                for name, limit in zip(names, most, strict=True)
            ]
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except (*DAMAGE, ArithmeticError, zipfile.BadZipFile, zlib.error, lzma.LZMAError) as error:
        raise FileError(f"cannot read {path}: it is no file of strategies as arrays, or damaged ({error})") from error
    return DenseProfile(game, (found[0], found[1]), str(path), str(path))


def _member(path: str | os.PathLike[str], archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> Array:
    if info.file_size > most + _TEXT:
        raise ValueError(f"{info.filename} is larger than this game's arrays")
    with archive.open(info) as member:
        shape, by_columns, kind = read_head(member, info.file_size)
        if by_columns or (shape and kind.kind == "U"):
            raise ValueError("an array stored by columns, or of texts")
        at = member.tell() if info.compress_type == zipfile.ZIP_STORED else 0
        if not at or not shape:
            return array_of(member.read(), (shape, by_columns, kind))
    with open(path, "rb") as file:
        file.seek(info.header_offset)
        head = file.read(_HEAD)
    lead = _HEAD + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    found: Array = np.memmap(path, dtype=kind, mode="r", offset=info.header_offset + lead + at, shape=shape)
    return found


def _without(path: str | os.PathLike[str], what: str, found: str) -> FileError:
    """An error that says what a file needs, and which text that is."""
    wanted = f'{{"format": "{FORMAT}", "game": {{"name": ..., "settings": {{...}}, "title": ...}}}}'
    where = "docs/strategies.md, 'As arrays'; efg_builder.strategies.dense_file.write_dense() writes it"
    return FileError(f"cannot read {path}: {what} is missing ({found}); 'about' is the text {wanted}: {where}")


def _check_about(source: str, written: str, game: BiddingGame) -> None:
    """Raise ``FileError`` where the text *written* is not what ``about`` should be, else as ``_check_game``."""
    try:
        about = json.loads(written)
    except (ValueError, RecursionError):
        raise _without(source, "JSON in the array 'about'", f"it is {written[:40]!r}") from None
    if not isinstance(about, dict) or not isinstance(about.get("game"), dict):
        raise _without(source, "the key 'game' in 'about'", f"it is {written[:40]!r}")
    if about.get("format") != FORMAT:
        raise _without(source, f'"format": "{FORMAT}" in \'about\'', f"it is {str(about.get('format'))[:40]!r}")
    part = about["game"]
    lacking = [key for key in ("settings", "title") if key not in part] if "name" in part else ["title"]
    if lacking and any(key not in part for key in lacking):
        raise _without(source, f"the key {lacking[0]!r} of 'game' in 'about'", f"it has {', '.join(part) or 'none'}")
    _check_game(source, part, game)


def _check_game(source: str, part: Any, game: BiddingGame) -> None:
    """Raise ``ProfileError`` where the file is of another game."""
    named = "name" in part
    try:
        same = make(part["name"], part["settings"]) == game if named else part["title"] == game.title
    except ParameterError:
        same = False
    if not same:
        raise ProfileError(f"{source} is a strategy for {part['title']!r}, not for {game.title!r}")
