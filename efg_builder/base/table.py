"""Rows of cells as text: CSV for files, columns for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Sequence


def csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    """*rows* as CSV in UTF-8, one line each; None is an empty cell."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def in_columns(rows: Sequence[Sequence[str]], right: Collection[int]) -> list[str]:
    """*rows*, all of one length, as lines with each column as wide as its widest cell; columns *right* flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(size) if k in right else cell.ljust(size)
            for k, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
