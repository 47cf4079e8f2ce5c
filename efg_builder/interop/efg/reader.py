"""From EFG 2 text to a tree, without recursion.

The grammar is read token by token, whatever the layout. Files that programs write have a node a line and
few distinct lines, so a line is understood once and looked up afterwards.
"""

from __future__ import annotations

import os
from array import array
from types import MappingProxyType

import numpy as np

from ...base.errors import TreeTooLargeError
from ...base.files import read_text
from ...forms.extensive.model import NONE, GameTree, Ints
from .lexer import END, STRING, WORD, Lexer
from .records import Record, read_line, read_record
from .shape import parents
from .tables import Refused, Tables

_LONGEST = 1 << 14
"""Longer lines are not remembered; a file may be one line."""


def read_efg(path: str | os.PathLike[str], *, max_nodes: int | None = None) -> GameTree:
    """The game in the EFG 2 file at *path*, as Gambit, OpenSpiel or ``writer.write_efg`` write it.

    Raises ``FileError`` for a file that cannot be read, and what ``parse_efg`` raises.
    """
    return parse_efg(read_text(path), str(path), max_nodes=max_nodes)


def parse_efg(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """The game in EFG 2 *text*; numbers are read exactly, tables are in the order of first mention.

    Information sets and outcomes keep their numbers and labels. What is declared once may be mentioned
    again in full, in part or by number. Raises ``EfgSyntaxError``, which says the line and column, for
    anything that is not one whole game; *source* is the file's name in the message. Raises
    ``TreeTooLargeError`` as soon as more than *max_nodes* nodes were read (None: no limit).
    """
    lexer = Lexer(text, source, 1 if text.startswith("\ufeff") else 0)
    title, players, comment = _read_header(lexer)
    nodes = _Nodes(lexer, Tables(len(players)))
    nodes.read(max_nodes)
    infosets, outcomes = nodes.columns()
    widths = np.array([len(i.actions) for i in nodes.tables.infosets] + [0], dtype=np.int32)[infosets]
    parent, action = parents(widths)
    return GameTree(
        title=title,
        players=players,
        parent=parent,
        action=action,
        infoset=infosets,
        outcome=outcomes,
        infosets=tuple(nodes.tables.infosets),
        outcomes=tuple(nodes.tables.outcomes),
        comment=comment,
        node_labels=MappingProxyType(nodes.labels),
    )


def _read_header(lexer: Lexer) -> tuple[str, tuple[str, ...], str]:
    """Title, players and comment; then the lexer is at the root."""
    if lexer.kind == END:
        lexer.fail("the file is empty")
    if lexer.value == "NFG" and lexer.kind == WORD:
        lexer.fail("this is a game in strategic form (NFG), which has no tree; EFG 2 is needed")
    if lexer.value != "EFG" or lexer.kind != WORD:
        lexer.fail("an EFG 2 file begins with EFG")
    lexer.advance()
    if lexer.value != "2" or lexer.kind != WORD:
        lexer.fail("expected 2, the version of the format")
    lexer.advance()
    if lexer.value not in ("R", "D") or lexer.kind != WORD:
        lexer.fail("expected R or D, the kind of numbers")
    lexer.advance()
    title = lexer.take(STRING, "the game's title in quotation marks")
    lexer.take("{", "{ and the players' names")
    players = []
    while lexer.kind != "}":
        players.append(lexer.take(STRING, "a player's name in quotation marks, or }"))
    if not players:
        lexer.fail("a game needs at least one player")
    lexer.advance()
    comment = lexer.take(STRING, "") if lexer.kind == STRING else ""
    return title, tuple(players), comment


class _Nodes:
    """The nodes in the order of the file, each as the number of its row: (information set, outcome, label)."""

    def __init__(self, lexer: Lexer, tables: Tables) -> None:
        self.lexer, self.tables = lexer, tables
        self.labels: dict[int, str] = {}
        self._nodes = array("i")
        self._infosets, self._outcomes = array("i"), array("i")
        self._named: dict[int, str] = {}
        self._closed: list[bool] = []
        self._widths: list[int] = []
        self._lists: dict[str, tuple[str, ...]] = {}

    def read(self, limit: int | None) -> None:
        """At most *limit* nodes, which must be all, and the end of the file.

        Raises ``EfgSyntaxError`` and ``TreeTooLargeError``.
        """
        text, position = self.lexer.text, self.lexer.start
        known: dict[str, int] = {}
        look_up, find, add = known.get, text.find, self._nodes.append
        places, closed, widths, named = 1, self._closed, self._widths, self._named
        while places:
            end = find("\n", position, position + _LONGEST) + 1
            row = look_up(text[position:end])
            # An entry like 't "" 1' goes on where the next line gives its payoffs.
            if row is None or not (closed[row] or text[end : end + 1] in "cpt"):
                row, end = self._new(position, end, known)
            if limit is not None and len(self._nodes) >= limit:
                raise TreeTooLargeError(limit, limit, exact=False)
            if row in named:
                self.labels[len(self._nodes)] = named[row]
            add(row)
            places += widths[row] - 1
            position = end
        self.lexer.seek(position)
        if self.lexer.kind != END:
            self.lexer.fail("text after the end of the tree: every action has its node already")

    def columns(self) -> tuple[Ints, Ints]:
        """Information set and outcome of each node; shape (nodes,) each."""
        rows = np.frombuffer(self._nodes, dtype=np.int32)
        infosets = np.frombuffer(self._infosets, dtype=np.int32)
        return infosets[rows], np.frombuffer(self._outcomes, dtype=np.int32)[rows]

    def _new(self, position: int, end: int, known: dict[str, int]) -> tuple[int, int]:
        """The row of the entry at *position*, and the offset after it; a whole line becomes *known*."""
        text = self.lexer.text
        if end and text[end : end + 1] in "cpt":
            record = read_line(text[position : end - 1], self._lists)
            if record is not None:
                try:
                    row = self._add(record)
                except Refused:
                    pass  # to be read again, for the place of the mistake
                else:
                    known[text[position:end]] = row
                    return row, end
        self.lexer.seek(position)
        if self.lexer.kind == END:
            self.lexer.fail("the file ends before the tree does: an action has no node yet")
        record = read_record(self.lexer)
        try:
            row = self._add(record)
        except Refused as error:
            self.lexer.fail(error.problem, record.at[error.part][error.index])
        after = self.lexer.start
        if after == end and self.lexer.kind == WORD:
            known[text[position:end]] = row
        return row, after

    def _add(self, record: Record) -> int:
        infoset, outcome = self.tables.enter(record)
        row = len(self._closed)
        self._infosets.append(infoset)
        self._outcomes.append(outcome)
        self._closed.append(record.is_closed)
        self._widths.append(0 if infoset == NONE else len(self.tables.infosets[infoset].actions))
        if record.label:
            self._named[row] = record.label
        return row
