"""Behavior strategies for two-player bidding games, as arrays over all information sets (see ``dense_rows``)."""

from __future__ import annotations

import io
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..base.errors import FileError, ParameterError, ProfileError
from ..base.files import reason, write_atomically
from ..base.npy_file import array_of, read_head
from ..base.strict_json import strict_json
from ..base.words import quiet
from ..forms.bidding_form import bids_at, class_size, last_bid, locate
from ..games.bidding import BiddingGame
from ..games.catalogue import identify, make
from ..games.protocol import PublicDecision
from .dense_rows import Array, ArrayRows, bids_open, blocks
from .sparse_profile import Behavior, SparseProfile
from .tree_profile import Strategy

SLACK = 1e-6
"""Tolerance for the sum of the bids' probabilities, in addition to rounding errors of stored floats.

The sum must be 1 at the root, and at most 1 at other information sets.
"""


@dataclass(frozen=True, eq=False)
class DenseProfile(Strategy):
    """The strategies of one or both players of ``game``; ``arrays`` has None for a player without a strategy.

    Raises ``ProfileError`` if an array is not a strategy.
    """

    game: BiddingGame
    arrays: tuple[Array | None, Array | None]
    name: str = "arrays"

    measure = "dense"

    def __post_init__(self) -> None:
        m, excess = len(self.game.bid_names), [0.0, 0.0]
        for player, array in enumerate(self.arrays):
            if array is not None:
                self._check_shape(player, array)
                excess[player] = max(self._check_block(player, array, *block) for block in blocks(class_size(m)))
        object.__setattr__(self, "_excess", tuple(excess))

    @property
    def dense_profile(self) -> DenseProfile:
        """The profile itself."""
        return self

    @property
    def exact(self) -> bool:
        """Whether all arrays are Boolean. Only pure strategies fit in Boolean arrays."""
        return all(array is None or array.dtype == np.bool_ for array in self.arrays)

    def at(self, turn: PublicDecision, hand: int) -> dict[str, float]:
        """Return the stored probabilities of the bids, and the remaining probability for the call."""
        array = self._of(turn.player)
        bids = self.game.bids_of(turn.history)
        entry, first = locate(bids)[1], bids[-1] + 1 if bids else 0
        names = self.game.bid_names
        bids_played = {names[bid]: float(array[entry | 1 << bid >> 1, hand]) for bid in range(first, len(names))}
        return bids_played | {self.game.call: max(1.0 - sum(bids_played.values()), 0.0)} if bids else bids_played

    def sparse(self) -> SparseProfile | None:
        """Return pure strategies as a sparse profile of their bids; None if an array is missing or contains floats."""
        if not self.exact or any(array is None for array in self.arrays):
            return None
        return SparseProfile(self.game, (self._bids(0), self._bids(1)), self.name)

    def _bids(self, player: int) -> dict[str, dict[int, Behavior]]:
        array, m, by_history = self._of(player), len(self.game.bid_names), dict[str, dict[int, Behavior]]()
        for index in sorted(range(class_size(m)), key=lambda index: bids_at(player, index)):  # in the order of play
            made: dict[int, Behavior] = {
                int(hand): {self.game.bid_names[bid]: Fraction(1)}
                for bid in bids_open(player, index, m)
                for hand in np.flatnonzero(array[index | 1 << bid >> 1])
            }
            if made:
                by_history[self.game.history(bids_at(player, index))] = made
        return by_history

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> ArrayRows:
        """Return the array of *player* (from 0). Raises ``ProfileError`` if the player has no array."""
        excess: tuple[float, float] = self._excess  # type: ignore[attr-defined]
        return ArrayRows(self._of(player), excess[player])

    def _of(self, player: int) -> Array:
        array = self.arrays[player]
        if array is None:
            raise ProfileError(f"{self.name}: it has no strategy for player {player + 1}")
        return array

    def _place(self, player: int) -> str:
        return f"{self.name}: player{player + 1}"

    def _check_shape(self, player: int, array: Array) -> None:
        wanted = class_size(len(self.game.bid_names)), self.game.hand_counts[player]
        if array.shape != wanted:
            raise ProfileError(f"{self._place(player)}: the array has shape {array.shape}; the shape must be {wanted}")
        if array.dtype not in (np.float32, np.float64, np.bool_):
            right = "the type must be float32, float64 or bool"
            raise ProfileError(f"{self._place(player)}: the array has type {array.dtype}; {right}")
        if player == 1 and array[0].any():
            raise ProfileError(f"{self._place(player)}: row 0 belongs to the empty history, and must be zero")

    def _check_block(self, player: int, array: Array, start: int, stop: int) -> float:
        m, total = len(self.game.bid_names), np.zeros((stop - start, array.shape[1]))
        for bid in bids_open(player, start, m):
            rows = ArrayRows(array).rows(bid, start, stop)
            if not np.all(rows >= 0):  # nan fails too
                self._refuse(player, start, ~(rows >= 0), rows, f"the probability of {self.game.bid_names[bid]!r} is")
            total += rows
        off = np.abs(total - 1) if last_bid(player, start) < 0 else np.maximum(total - 1, 0)
        kind = array.dtype if array.dtype != np.bool_ else np.float64
        allowed = SLACK + m * float(np.finfo(kind).eps)
        if not np.all(off <= allowed):
            right = "1" if last_bid(player, start) < 0 else "at most 1 (the rest is the call)"
            self._refuse(player, start, ~(off <= allowed), total, f"the bids' probabilities must sum to {right}, not")
        return float(off.max())

    def _refuse(self, player: int, start: int, wrong: Array, numbers: Array, what: str) -> None:
        row, hand = (int(index[0]) for index in np.nonzero(wrong))
        history = self.game.history(bids_at(player, start + row))
        label = self.game.infoset_name(player, hand, history)
        raise ProfileError(f"{self._place(player)}, {label!r}: {what} {numbers[row, hand]:.9g}")


FORMAT = "efg-builder strategy 1"

DAMAGE = (ValueError, KeyError, IndexError, TypeError, EOFError, NotImplementedError, RuntimeError, AttributeError)
"""Exceptions, besides decompression errors, that reading a damaged archive can raise."""

_HEAD = 30  # size in bytes of an archive member's header, up to its name
_TEXT = 1 << 16  # maximum size in bytes of ``about``, and of an array's header
_PIECE = 1 << 16  # number of rows written at a time


def write_dense(path: str | os.PathLike[str], strategy: DenseProfile) -> None:
    """Write *strategy* atomically to *path*; Booleans become 32-bit floats. Raises ``FileError``."""
    write_atomically(path, _archive(strategy))


def _archive(strategy: DenseProfile) -> Iterator[bytes]:
    named = identify(strategy.game)
    game: dict[str, Any] = {} if named is None else {"name": named[0], "settings": named[1]}
    about = json.dumps({"format": FORMAT, "game": game | {"title": strategy.game.title}})
    arrays = [(f"player{player}", array) for player, array in enumerate(strategy.arrays, start=1) if array is not None]
    with tempfile.TemporaryFile() as out:
        with zipfile.ZipFile(out, "w") as archive:
            for name, array in (("about", np.array(about)), *arrays):
                kind = np.dtype(np.float32) if array.dtype == np.bool_ else array.dtype
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    member.write(_header(kind, array.shape))
                    for start in range(0, len(array) if array.ndim else 1, _PIECE):
                        piece = array[start : start + _PIECE] if array.ndim else array
                        member.write(np.ascontiguousarray(piece, dtype=kind).tobytes())
        out.seek(0)
        yield from iter(lambda: out.read(_TEXT), b"")


def _header(kind: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": kind.str, "fortran_order": False, "shape": shape})
    return head.getvalue()


def read_dense(path: str | os.PathLike[str], game: BiddingGame) -> DenseProfile:
    """Read and check the strategies in the file at *path*; uncompressed arrays are memory-mapped.

    Raises ``FileError``. Raises ``ProfileError`` if the file is for another game, or an array is not a strategy.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            about = _member(path, archive, members["about"], _TEXT) if "about" in members else ""
            _check_about(str(path), str(np.asarray(about)[()]), game)
            most = [class_size(len(game.bid_names)) * hands * 8 for hands in game.hand_counts]
            names = ("player1", "player2")
            arrays = [
                _member(path, archive, members[name], limit) if name in members else None
                for name, limit in zip(names, most, strict=True)
            ]
    except OSError as error:
        raise FileError(f"cannot read {path}: {reason(error)}") from error
    except (*DAMAGE, ArithmeticError, zipfile.BadZipFile, zlib.error) as error:
        raise FileError(
            f"cannot read {path}: it is not a file of strategies as arrays, or it is damaged ({error})"
        ) from error
    return DenseProfile(game, (arrays[0], arrays[1]), str(path))


def _member(path: str | os.PathLike[str], archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> Array:
    if info.file_size > most + _TEXT:
        raise ValueError(f"{info.filename} is larger than this game's arrays")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{info.filename} is compressed by a method that NumPy does not use")
    with archive.open(info) as member:
        shape, by_columns, kind = read_head(member, info.file_size)
        if by_columns or (shape and kind.kind == "U"):
            raise ValueError("an array has column-major order or contains text")
        at = member.tell() if info.compress_type == zipfile.ZIP_STORED else 0
        if not at or not shape:
            return array_of(member.read(), (shape, by_columns, kind))
    with open(path, "rb") as file:
        file.seek(info.header_offset)
        head = file.read(_HEAD)
    lead = _HEAD + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    array: Array = np.memmap(path, dtype=kind, mode="r", offset=info.header_offset + lead + at, shape=shape)
    return array


def _check_about(source: str, written: str, game: BiddingGame) -> None:
    try:
        about = strict_json(written)
        part, named = about["game"], "name" in about["game"]
        right = about["format"] == FORMAT and isinstance(part["title"], str) and (not named or part["settings"])
    except (ValueError, RecursionError, TypeError, KeyError):
        right = False
    if not right:
        wanted = f'{{"format": "{FORMAT}", "game": {{"name": ..., "settings": {{...}}, "title": ...}}}}'
        where = (
            "see docs/strategies.md, 'As arrays'; efg_builder.strategies.dense_profile.write_dense() writes this text"
        )
        raise FileError(
            f"cannot read {source}: the array 'about' must be the text {wanted}, not {written[:40]!r}; {where}"
        )
    try:
        same = make(part["name"], part["settings"]) == game if named else part["title"] == game.title
    except ParameterError:
        same = False
    if not same:
        raise ProfileError(f"{source} is a strategy for {part['title']!r}, not for {game.title!r}")
