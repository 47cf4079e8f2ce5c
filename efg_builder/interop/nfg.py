"""Normal forms as files: Gambit's ``.nfg`` files, and CSV tables, which ``payoff_tables`` reads. Numbers are exact."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..base.errors import TreeTooLargeError, check_kind
from ..base.files import check_path, csv_lines, write_atomically
from ..base.rationals import text
from ..base.words import plural
from ..forms.extensive import LARGEST, NONE, GameTree, Infoset, Ints
from .efg.reader import END, STRING, WORD, Lexer, NodeRecord, RecordError, Tables, read_payoffs, read_title
from .efg.writer import Spelling, quoted

if TYPE_CHECKING:
    from ..forms.normal_form import NormalForm, Strategies

_NUMBERS = re.compile(r"[-+./0-9eE \t\r\n]*+")


def write_form(form: NormalForm, path: str | os.PathLike[str]) -> Path:
    """Write *form* atomically to *path*, as CSV or in Gambit's format. Raises ``FileError``."""
    check_path(path)
    table = os.fspath(path).lower().endswith(".csv")
    return write_atomically(path, csv_lines(csv_rows(form)) if table else nfg_chunks(form))


def nfg_chunks(form: NormalForm) -> Iterator[bytes]:
    """Yield the normal form in Gambit's format NFG 1 R; player 1's strategy changes fastest.

    Strategies are named by their codes, or by their actions if the player has only one information set.
    """
    tree, spelling = form.tree, Spelling()
    players = " ".join(map(quoted, spelling.players(tree.players)))
    yield f"NFG 1 R {quoted(spelling.text(tree.title))} {{ {players} }}\n\n".encode()
    names = ("{ " + " ".join(map(quoted, _names(side, spelling))) + " }" for side in form.strategies)
    yield ("{ " + "\n  ".join(names) + " }\n").encode()
    yield (quoted(spelling.text(tree.comment)) + "\n\n").encode()
    written = _texts(form.scale)
    for column in range(form.shape[1]):
        pairs = zip(*(side[:, column].tolist() for side in form.cells), strict=True)
        yield (" ".join(f"{written(one)} {written(two)}" for one, two in pairs) + "\n").encode()


def _names(side: Strategies, spelling: Spelling) -> Sequence[str]:
    if len(side.infosets) != 1:
        return side.codes
    return spelling.different(side.tree.infosets[side.infosets[0]].actions)


def csv_rows(form: NormalForm) -> Iterator[list[str]]:
    """Yield a header with the names of player 2's strategies, then a row of payoffs for each strategy of player 1.

    A cell contains both payoffs, or only player 1's payoff if the game is zero-sum. Names are as in ``nfg_chunks``.
    """
    first, second = form.tree.players
    rows_named, columns_named = (_names(side, Spelling()) for side in form.strategies)
    yield [f"{first} \\ {second}", *columns_named]
    written = _texts(form.scale)
    for name, *rows in zip(rows_named, *(side.tolist() for side in form.cells), strict=True):
        shown = rows[:1] if form.total == 0 else rows
        yield [name, *(" ".join(map(written, cells)) for cells in zip(*shown, strict=True))]


def _texts(scale: int) -> Callable[[int], str]:
    """Return a function that converts a cell to the text of cell / *scale*, with a cache for equal cells."""
    return cache(lambda cell: text(Fraction(cell, scale)))


def parse_nfg(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """Return the strategic game in *text* (NFG 1, with payoffs or outcomes) as a tree of simultaneous moves.

    Each player has one information set. Its label is the player's name, and its actions are the strategies. Players
    move in order without seeing earlier moves. Raises the errors of ``parse_efg``.
    """
    check_kind("parse_nfg", text, str, "the text of a file", "eb.build(path) reads a file")
    lexer = Lexer(text, source, 1 if text.startswith("\ufeff") else 0)
    title, players = read_title(lexer, "NFG", "1")
    strategies = _read_strategies(lexer, players)
    comment = lexer.take(STRING, "") if lexer.kind == STRING else ""
    counts = [len(each) for each in strategies]
    check_cells(counts, max_nodes)
    tables = Tables(len(players))
    if lexer.kind == "{":
        _read_outcomes(lexer, tables)
        cells = [_outcome_number(lexer, len(tables.outcomes)) for _ in range(prod(counts))]
    else:
        cells = _read_cells(lexer, tables, prod(counts))
    if lexer.kind != END:
        lexer.fail("text after the end of the game: every combination of strategies already has payoffs")
    return simultaneous(title, players, [tuple(map(str, each)) for each in strategies], tables, cells, comment)


def simultaneous(
    title: str,
    players: tuple[str, ...],
    strategies: Sequence[tuple[str, ...]],
    tables: Tables,
    cells: Sequence[int],
    comment: str = "",
) -> GameTree:
    """Return the game in which each player chooses one of the *strategies* without seeing other choices.

    *cells*: the index of an outcome of *tables* (-1: none) for each combination; player 1's strategy changes fastest.
    """
    parent, action, infoset, cell = _simultaneous([len(each) for each in strategies])
    ends = infoset == NONE
    outcome = np.full(len(parent), NONE, dtype=np.int32)
    outcome[ends] = np.array(cells, dtype=np.int32)[cell[ends]]
    return GameTree(
        title=title,
        players=players,
        parent=parent,
        action=action,
        infoset=infoset,
        outcome=outcome,
        infosets=tuple(Infoset(p, 1, players[p], each) for p, each in enumerate(strategies)),
        outcomes=tuple(tables.outcomes),
        comment=comment,
    )


def _read_strategies(lexer: Lexer, players: tuple[str, ...]) -> list[list[str] | range]:
    """Return each player's strategies: the names in the file, or 1, 2, ... if the file has no names."""
    lexer.take("{", "{ and the players' strategies")
    strategies: list[list[str] | range] = []
    named = lexer.kind == "{"
    for player in players:
        start = lexer.start
        if not named:
            strategies.append(range(1, 1 + lexer.whole(f"the number of strategies of {player!r}", 1)))
            continue
        lexer.take("{", f"{{ and the strategies of {player!r}")
        names = []
        while lexer.kind != "}":
            names.append(lexer.take(STRING, "a strategy's name in quotation marks, or }"))
        if not names:
            lexer.fail("a player needs at least one strategy", start)
        lexer.advance()
        strategies.append(names)
    lexer.take("}", f"}} after the strategies of {plural(len(players), 'player')}")
    return strategies


def check_cells(counts: Sequence[int], max_nodes: int | None) -> None:
    """Raise ``TreeTooLargeError`` if the tree of simultaneous choices among *counts* strategies is too large."""
    limit = LARGEST if max_nodes is None else min(max_nodes, LARGEST)
    nodes = level = 1
    for count in counts:
        level *= count
        nodes += level
        if nodes > limit:
            raise TreeTooLargeError(limit, limit, exact=False)


def _read_outcomes(lexer: Lexer, tables: Tables) -> None:
    lexer.advance()
    while lexer.kind != "}":
        opened = lexer.start
        lexer.take("{", "{ and an outcome, or }")
        label, at = lexer.take(STRING, "the outcome's name in quotation marks"), list[int]()
        payoffs = read_payoffs(lexer, opened, at)
        _enter(lexer, tables, label, payoffs, {"payoffs": at})
    lexer.advance()


def _outcome_number(lexer: Lexer, count: int) -> int:
    if lexer.kind == END:
        lexer.fail("the file ends before every combination of strategies has an outcome")
    return lexer.whole("the number of an outcome (0 for none)", 0, count) - 1


def _read_cells(lexer: Lexer, tables: Tables, count: int) -> list[int]:
    """Return the outcomes of *count* combinations of strategies; equal payoffs share one outcome."""
    number_of: dict[tuple[str, ...], int] = {}
    rest = lexer.text[lexer.start :]
    if _NUMBERS.fullmatch(rest) and len(words_left := rest.split()) == count * tables.players:
        # Parsing all payoffs at once is ten times as fast. After an error, parse each payoff to find the error's
        # position.
        with contextlib.suppress(RecordError):
            indices = []
            for row in zip(*[iter(words_left)] * tables.players, strict=True):
                place = number_of.get(row)
                if place is None:
                    place = number_of[row] = new_outcome(tables, "", row)
                indices.append(place)
            lexer.seek(len(lexer.text))
            return indices
    cells = []
    for _ in range(count):
        words, starts = list[str](), list[int]()
        for _ in range(tables.players):
            starts.append(lexer.start)
            if lexer.kind == END:
                needed = f"{count * tables.players:,} are needed"
                lexer.fail(f"the file ends before every combination of strategies has payoffs: {needed}")
            words.append(lexer.take(WORD, "a payoff"))
        payoffs = tuple(words)
        index = number_of.get(payoffs)
        if index is None:
            index = number_of[payoffs] = _enter(lexer, tables, "", payoffs, {"payoffs": starts})
        cells.append(index)
    return cells


def _enter(lexer: Lexer, tables: Tables, label: str, payoffs: tuple[str, ...], at: dict[str, list[int]]) -> int:
    try:
        return new_outcome(tables, label, payoffs)
    except RecordError as error:
        lexer.fail(error.problem, at[error.part][error.index])


def new_outcome(tables: Tables, label: str, payoffs: tuple[str, ...]) -> int:
    """Return the index of a new outcome. Raises ``RecordError``."""
    number = str(len(tables.outcomes) + 1)
    return tables.enter(NodeRecord("t", "", outcome=number, outcome_label=label, payoffs=payoffs))[1]


def _simultaneous(counts: list[int]) -> tuple[Ints, Ints, Ints, Ints]:
    """Return each node's parent, action, information set and cell, for players with *counts* strategies.

    A cell is the position of a terminal node in the file's list, in which player 1's strategy changes fastest.
    """
    sizes = [1]
    for count in reversed(counts):
        sizes.append(1 + count * sizes[-1])
    parent, action, infoset, cell = (np.full(sizes[-1], NONE, dtype=np.int32) for _ in range(4))
    nodes = cells = np.zeros(1, dtype=np.intp)
    stride = 1
    for player, (count, size) in enumerate(zip(counts, sizes[-2::-1], strict=True)):
        infoset[nodes] = player
        choices = np.arange(count)
        below = (nodes[:, None] + 1 + choices * size).ravel()
        parent[below], action[below] = np.repeat(nodes, count), np.tile(choices, len(nodes))
        nodes, cells = below, (cells[:, None] + choices * stride).ravel()
        stride *= count
    cell[nodes] = cells
    return parent, action, infoset, cell
