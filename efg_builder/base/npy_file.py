"""Reading an untrusted NumPy archive (``.npz``) with memory proportional to the size of the file."""

from __future__ import annotations

import warnings
import zipfile
from math import prod
from typing import IO, Any

import numpy as np
import numpy.typing as npt

KINDS = "biufU"
"""NumPy's codes of the accepted element types: Booleans, integers, floats and text, but not objects or records."""

LETTERS = 0x10FFFF  # the last code point of Unicode

Head = tuple[tuple[int, ...], bool, np.dtype[Any]]
"""The shape, whether the order is column-major, and the element type."""


def read_head(member: IO[bytes], size: int) -> Head:
    """Read the header of the array in *member*, an open file of *size* bytes, up to the array's data.

    Raises ``ValueError`` if the header is damaged, the element type is not in ``KINDS``, or the data have the wrong
    size.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            version = np.lib.format.read_magic(member)
            shape, by_columns, kind = np.lib.format.read_array_header_1_0(member)
    except Exception:
        # NumPy passes the header to Python's parser, which may raise nearly any exception.
        raise ValueError("the header of an array is damaged") from None
    if version != (1, 0) or kind.kind not in KINDS or not kind.itemsize:
        raise ValueError(f"an array has an unsupported type ({kind})")
    if min(shape, default=0) < 0 or prod(shape) * kind.itemsize != size - member.tell():
        raise ValueError("an array's size differs from its header")
    return shape, by_columns, kind


def read_arrays(file: IO[bytes]) -> dict[str, npt.NDArray[Any]]:
    """Return the named arrays in an uncompressed archive. Raises ``ValueError`` and ``zipfile.BadZipFile``."""
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        whole = file.seek(0, 2)
        if any(info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 for info in members):
            raise ValueError("the archive is compressed or encrypted")
        # Overlapping members could sum to more than the size of the file.
        if sum(info.file_size for info in members) > whole:
            raise ValueError("the archive's members are larger than the archive")
        return {info.filename.removesuffix(".npy"): _array(archive, info) for info in members}


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with archive.open(info) as member:
        head = read_head(member, info.file_size)
        return array_of(member.read(), head)


def array_of(data: bytes, head: Head) -> npt.NDArray[Any]:
    """Return the array of *data*, with the shape and type in *head*.

    Raises ``ValueError`` for invalid code points in text. NumPy does not check code points, and Python would fail later
    on invalid code points.
    """
    shape, by_columns, kind = head
    if (
        kind.kind == "U"
        and (np.frombuffer(data, dtype=np.dtype(np.uint32).newbyteorder(kind.byteorder)) > LETTERS).any()
    ):
        raise ValueError("a text has invalid code points")
    return np.frombuffer(bytearray(data), dtype=kind).reshape(shape, order="F" if by_columns else "C")
