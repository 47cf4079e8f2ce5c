"""The arrays of an untrusted NumPy archive (``.npz``), which take no more memory than the size of the file."""

from __future__ import annotations

import warnings
import zipfile
from math import prod
from typing import IO, Any

import numpy as np
import numpy.typing as npt

KINDS = "biufU"
"""Flags, whole numbers, floats and text: no objects, no records."""

LETTERS = 0x10FFFF
"""The last code point of Unicode."""

Head = tuple[tuple[int, ...], bool, np.dtype[Any]]
"""Shape, whether stored by columns, kind."""


def read_head(member: IO[bytes], size: int) -> Head:
    """The head of the array in *member*, an open file of *size* bytes, which is then at the array's numbers.

    Raises ``ValueError`` for a damaged head, a kind that is not in ``KINDS``, and a size that is not the file's.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            version = np.lib.format.read_magic(member)
            shape, by_columns, kind = np.lib.format.read_array_header_1_0(member)
    except Exception:
        # NumPy hands the text to Python's own parser, which raises nearly anything.
        raise ValueError("the head of an array is damaged") from None
    if version != (1, 0) or kind.kind not in KINDS or not kind.itemsize:
        raise ValueError(f"an array of a kind that has no place here ({kind})")
    if min(shape, default=0) < 0 or prod(shape) * kind.itemsize != size - member.tell():
        raise ValueError("an array is not of the size that it says")
    return shape, by_columns, kind


def read_arrays(file: IO[bytes]) -> dict[str, npt.NDArray[Any]]:
    """All arrays of an archive that is not compressed, by name. Raises ``ValueError`` and ``zipfile.BadZipFile``."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        whole = file.seek(0, 2)
        if any(info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 for info in members):
            raise ValueError("compressed, or with a password")
        # Members that overlap are larger together than the file.
        if sum(info.file_size for info in members) > whole:
            raise ValueError("larger inside than outside")
        return {info.filename.removesuffix(".npy"): _array(archive, info) for info in members}


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with archive.open(info) as member:
        head = read_head(member, info.file_size)
        return array_of(member.read(), head)


def array_of(data: bytes, head: Head) -> npt.NDArray[Any]:
    """The array of that *head* in *data*. Raises ``ValueError`` for text of letters that do not exist.

    Python takes such letters from NumPy without a look, and fails wherever they turn up later.
    """
    shape, by_columns, kind = head
    if (
        kind.kind == "U"
        and (np.frombuffer(data, dtype=np.dtype(np.uint32).newbyteorder(kind.byteorder)) > LETTERS).any()
    ):
        raise ValueError("a text with letters that do not exist")
    return np.frombuffer(bytearray(data), dtype=kind).reshape(shape, order="F" if by_columns else "C")
