"""Two-player games from tables of payoffs: arrays in Python, and ``.csv`` files. All numbers are exact."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ..base.errors import EfgSyntaxError, ParameterError, check_argument, check_kind, kind_of
from ..base.files import GAMES_READ, csv_text
from ..base.words import all_named, one_line, player_names, plural
from ..forms.extensive import GameTree
from .ef import negative
from .efg.reader import NO_GAMES, RecordError, Tables
from .nfg import check_cells, new_outcome, simultaneous

Cells = list[list[tuple[str, ...]]]
"""The payoffs in each cell, as texts: both players' payoffs, or player 1's payoff in a zero-sum game."""

_NUMBER = re.compile(r"[-+.]*\d[-+./\deE]*\Z", re.ASCII)

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+([eE][-+]?\d+)?\Z", re.ASCII)
"""A cell with one number in some languages, and with two payoffs in others."""


def normal_form(
    A: Any,
    B: Any = None,
    *,
    players: Sequence[str] | None = None,
    actions: tuple[Sequence[str], Sequence[str]] | None = None,
    title: str = "",
) -> GameTree:
    """Return the two-player game with the given payoffs: both players choose at once.

    Parameters
    ----------
    A : array or nested sequences
        Player 1's payoffs: a row for each action of player 1, and a column for each action of player 2. Each payoff is
        an integer, a fraction, a text such as ``"1/3"``, or a float, which is read as its shortest decimal.
    B : array or nested sequences, optional
        Player 2's payoffs, in the same shape. By default, the game is zero-sum: ``B = -A``.
    players : pair of str, optional
        The players' names. By default, they are Player 1 and Player 2.
    actions : pair of sequences of str, optional
        The names of the rows and of the columns. By default, they are numbered from 1.
    title : str, default ""
        The game's title.

    Returns
    -------
    GameTree
        The tree: player 1 chooses a row, then player 2 chooses a column without seeing the row.

    Raises
    ------
    ParameterError
        If the arguments are not such tables or names. The message contains the row and the column.
    TreeTooLargeError
        If there are too many cells.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.normal_form([[1, -1], [-1, 1]]).solve().value[0]
    Fraction(0, 1)
    >>> game = eb.normal_form([[3, 0], [5, 1]], [[3, 5], [0, 1]], actions=(["c", "d"], ["c", "d"]))
    >>> eb.matrix(game).analyse().equilibria
    ((1, 1),)
    """
    tables = [_table("A", A)] if B is None else [_table("A", A), _table("B", B)]
    shape = tables[0].shape
    if tables[-1].shape != shape:
        raise ParameterError(f"normal_form() takes B= in the shape of A=, {shape}, not {tables[-1].shape}")
    pair = actions is None or (isinstance(actions, tuple | list) and len(actions) == 2)
    check_argument("normal_form", "actions", actions, pair, "two lists of names")
    check_argument("normal_form", "title", title, isinstance(title, str), "a text")
    rows, columns = [range(1, count + 1) for count in shape] if actions is None else actions
    named = (("players", players or player_names(2), 2), ("actions", rows, shape[0]), ("actions", columns, shape[1]))
    names = [_names(*each) for each in named]
    cells = [[tuple(map(str, cell)) for cell in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]

    def refuse(row: int, column: int, error: RecordError) -> NoReturn:
        which = min(error.index, len(tables) - 1)
        place = f"row {row + 1}, column {column + 1} of {'AB'[which]}="
        raise ParameterError(f"normal_form(): {place}: {error.problem}: {kind_of(tables[which][row, column])}")

    return _game(title, names, cells, refuse)


def _table(name: str, given: Any) -> npt.NDArray[np.object_]:
    try:
        table: npt.NDArray[np.object_] = np.array(given, dtype=object)
    except ValueError:  # nested sequences of different depths
        table = np.array(None)
    if table.ndim != 2 or not table.size:
        wanted = "a table of payoffs, such as [[1, -1], [-1, 1]] with rows of equal length,"
        raise ParameterError(f"normal_form() takes {wanted} as {name}=, not {kind_of(given)}")
    return table


def _names(name: str, given: Sequence[object], count: int) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:
        raise ParameterError(f"normal_form() takes {plural(count, 'name')} in a list of {name}=, not {kind_of(given)}")
    return tuple(one_line(str(each)) for each in given)


def _game(
    title: str,
    names: Sequence[tuple[str, ...]],
    cells: Cells,
    refuse: Callable[[int, int, RecordError], NoReturn],
    max_nodes: int | None = None,
) -> GameTree:
    """Return the game; *names* are the players, rows and columns. *refuse* is called for a cell without payoffs."""
    players, rows, columns = names
    check_cells((len(rows), len(columns)), max_nodes)
    tables, known, outcomes = Tables(2), dict[tuple[str, ...], int](), list[int]()
    for column, row in product(range(len(columns)), range(len(rows))):
        words = cells[row][column]
        if words not in known:
            try:
                known[words] = new_outcome(tables, "", words if len(words) > 1 else (*words, negative(words[0])))
            except RecordError as error:
                refuse(row, column, error)
        outcomes.append(known[words])
    return simultaneous(one_line(title), all_named(players), (rows, columns), tables, outcomes)


def parse_csv(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """Return the game in a table of payoffs, as ``NormalForm.write`` and spreadsheets write it.

    Commas, semicolons or tabs separate the cells. A cell has both players' payoffs, such as ``3, -1`` or ``3 -1``, or
    player 1's payoff in a zero-sum game. Between semicolons or tabs, ``3,5`` may also be a decimal and is refused.

    The first row and the first column may have the names of actions. If the first cell is empty or has the form
    ``Ann \\ Bob``, both have names. Otherwise they have names if none of their cells has payoffs.

    Raises ``EfgSyntaxError``, whose line and column are the row and the column, and ``TreeTooLargeError``.
    """
    check_kind("parse_csv", text, str, "the text of a file", "eb.build(path) reads a file")
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    lines = _lines(text, separator, source)
    numbers, table = list(lines), list(lines.values())
    corner = table[0][0]
    both = not corner or "\\" in corner
    top = both or not any(map(_has_payoffs, table[0]))
    left = both or not any(_has_payoffs(line[0]) for line in table)
    cells = [[_words(cell) for cell in line[left:]] for line in table[top:]]
    if not cells or not cells[0]:
        _fail(source, f"a table without payoffs; {GAMES_READ}", 1, 1, corner)

    def refuse(row: int, column: int, error: RecordError) -> NoReturn:
        found = table[row + top][column + left] or " "
        _fail(source, error.problem, numbers[row + top], column + left + 1, found)

    count = len(cells[0][0])
    for row, column in product(range(len(cells)), range(len(cells[0]))):
        problem = _problem(table[row + top][column + left], count, separator)
        if problem:
            refuse(row, column, RecordError(problem, "payoffs"))
    players = tuple(name.strip() for name in corner.partition("\\")[::2]) if both else ("", "")
    rows = [line[0] for line in table[top:]] if left else [str(k + 1) for k in range(len(cells))]
    columns = table[0][left:] if top else [str(k + 1) for k in range(len(cells[0]))]
    by_number = dict(zip(numbers[top:], rows, strict=True)), dict(enumerate(columns, left + 1))
    _check_names(source, *by_number, numbers[0], count)
    names = [tuple(map(one_line, each)) for each in (players, rows, columns)]
    return _game(Path(source.removesuffix(".gz")).stem, names, cells, refuse, max_nodes)


def _problem(cell: str, count: int, separator: str) -> str:
    """Return the problem of a cell that does not have *count* payoffs, and otherwise an empty text."""
    if separator != "," and _DECIMAL_COMMA.match(cell):
        first, second = cell.split(",")
        return f"write {first}.{second} for a decimal number, or '{first}, {second}' with a blank for two payoffs"
    words = _words(cell)
    if not _has_payoffs(cell):
        return "not a number; a cell has one payoff or two"
    if len(words) > 2:
        return "a cell has one payoff or two"
    return "" if len(words) == count else f"expected {plural(count, 'payoff')}, as in the first cell"


def _check_names(source: str, rows: dict[int, str], columns: dict[int, str], header: int, count: int) -> None:
    """Raise the error if a row or a column has no name, but another has one. *header* is the first row's number."""
    advice = "; write both payoffs in one cell: 3, 2" if count == 1 else ""
    for what, names in (("column", columns), ("row", rows)):
        for number, name in names.items():
            if not name and any(names.values()):
                place = (header, number) if what == "column" else (number, 1)
                _fail(source, f"{what} {number} has no name{advice}", *place, " ")


def _fail(source: str, problem: str, row: int, column: int, found: str) -> NoReturn:
    raise EfgSyntaxError(f"row {row}, column {column}: {problem}", row, column, found, source)


def _separator(text: str) -> str:
    outside_quotes = re.sub('"[^"]*"', "", text.partition("\n")[0])
    return next((each for each in "\t;" if each in outside_quotes), ",")


def _lines(text: str, separator: str, source: str) -> dict[int, list[str]]:
    """Return the cells of each line that is not blank, by the line's number. All have the same number of cells."""
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    lines = dict[int, list[str]]()
    try:
        for line in reader:
            if any(map(str.strip, line)):
                lines[reader.line_num] = [csv_text(cell).strip() for cell in line]
    except csv.Error as error:
        _fail(source, str(error), reader.line_num, 1, " ")
    if not lines:
        _fail(source, "the file is empty", 1, 1, "")
    first = next(iter(lines.values()))
    if first[0] in NO_GAMES:
        _fail(source, f"not a table of payoffs{NO_GAMES[first[0]]}", 1, 1, first[0])
    for number, line in lines.items():
        if len(line) != len(first):
            problem = f"{plural(len(line), 'cell')} here, but {len(first)} in the first row"
            _fail(source, problem, number, len(line), line[-1] or " ")
    return lines


def _words(cell: str) -> tuple[str, ...]:
    return tuple(re.split(r"[\s,;]+", cell))


def _has_payoffs(cell: str) -> bool:
    return all(map(_NUMBER.match, _words(cell)))
