"""A normal form as files: Gambit's ``.nfg`` and a table with commas. All numbers exact."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

from ..base.files import csv_lines, write_atomically
from ..base.rationals import text
from ..forms.normal_form import NormalForm
from .efg.labels import Spelling, quoted


def write_nfg(form: NormalForm, path: str | os.PathLike[str]) -> Path:
    """Write ``nfg_chunks`` to *path*, whole or not at all. Raises ``FileError``."""
    return write_atomically(path, nfg_chunks(form))


def nfg_chunks(form: NormalForm) -> Iterator[bytes]:
    """The normal form in Gambit's format NFG 1 R: strategies by their codes, payoffs as integers and ``p/q``.

    One payoff a player for each pair, player 1's strategy the faster to change
    (https://gambitproject.readthedocs.io, "The strategic game (.nfg) file format, payoff version").
    """
    tree, spelling = form.tree, Spelling()
    yield f"NFG 1 R {quoted(spelling.text(tree.title))} {{ {spelling.players(tree.players)} }}\n\n".encode()
    codes = ("{ " + " ".join(map(quoted, side.codes)) + " }" for side in form.strategies)
    yield ("{ " + "\n  ".join(codes) + " }\n").encode()
    yield (quoted(spelling.text(tree.comment)) + "\n\n").encode()
    written = _texts(form.scale)
    for column in range(form.shape[1]):
        pairs = zip(*(side[:, column].tolist() for side in form.cells), strict=True)
        yield (" ".join(f"{written(one)} {written(two)}" for one, two in pairs) + "\n").encode()


def write_csv(form: NormalForm, path: str | os.PathLike[str]) -> Path:
    """Write ``csv_chunks`` to *path*, whole or not at all. Raises ``FileError``."""
    return write_atomically(path, csv_chunks(form))


def csv_chunks(form: NormalForm) -> Iterator[bytes]:
    """A line for each strategy of player 1, after one with player 2's codes.

    Cells are player 1's payoffs, ``"-1/9"``; where the payoffs do not sum to a constant, both with a blank between.
    """
    return csv_lines(_rows(form))


def _rows(form: NormalForm) -> Iterator[list[str]]:
    first, second = form.tree.players
    yield [f"{first} \\ {second}", *form.strategies[1].codes]
    written = _texts(form.scale)
    for code, *rows in zip(form.strategies[0].codes, *(side.tolist() for side in form.cells), strict=True):
        shown = rows if form.total is None else rows[:1]
        yield [code, *(" ".join(map(written, cells)) for cells in zip(*shown, strict=True))]


def _texts(scale: int) -> Callable[[int], str]:
    """The text of a cell, divided by *scale*; few numbers are distinct, so each is made once."""
    return cache(lambda cell: text(Fraction(cell, scale)))
