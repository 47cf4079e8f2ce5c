"""Read ``.ef`` files, the tree layouts of Gambit's gtdraw and Game Theory Explorer. All numbers are exact.

Each line is a node, a player's name, an information set of several nodes, or a comment that begins with ``%``
(https://github.com/gambitproject/gtdraw, "The EF Format Specification"). Labels are TeX, with ``~`` for a space. A
comment on the first nonblank line is the title.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import numpy as np

from ..base.errors import EfgSyntaxError, TreeTooLargeError, check_kind
from ..base.rationals import parse
from ..forms.extensive import NONE, GameTree
from .efg.reader import NodeRecord, RecordError, Tables, parents

CONTENT = re.compile(r"\ufeff?\s*(?:%[^\n]*\n\s*)*+(?:player\s+\d+\s|level\s+\S+\s+node\s)")
"""A regular expression for the beginning of an ``.ef`` file."""

_SIGNS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\_{}": "_",
    **{"\\" + sign: sign for sign in "%&#${}_"},
    r"\space{}": " ",
    "~": " ",
}
"""The character for each TeX command; longer commands precede their prefixes."""

_WRITTEN = re.compile("|".join(map(re.escape, _SIGNS)))

_FRACTION = re.compile(r"([-+]?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")
_NUMBER = re.compile(r"\\[dt]?frac\{\d++\}\{\d++\}|\d++/\d++|\d++\.?\d*+|\.\d++")

_PARTS = {
    **{"player": "a player's number", "from": "the parent's name", "move": "the move's name"},
    **{"xshift": "a number", "arrow": "a number"},
}
"""The keywords after a node's name, and the argument of each keyword."""

_PLAYERS = 100


class _Word(NamedTuple):
    text: str
    line: int
    column: int


@dataclass
class _Node:
    first: _Word
    level: _Word
    name: _Word
    player: int | None = None
    parent: _Word | None = None
    move: _Word | None = None
    payoffs: list[_Word] | None = None
    above: int = NONE
    below: list[int] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The label of the last move before the node."""
        return _plain(self.move.text) if self.move else ""


def parse_ef(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """Return the game in *text*, without the positions of its nodes. Raises the errors of ``parse_efg``.

    A two-player game with one payoff at each terminal node is zero-sum, and the payoff is player 1's.
    """
    check_kind("parse_ef", text, str, "the text of a file", "eb.build(path) reads a file")
    reader = _Reader(source)
    reader.read(text)
    if max_nodes is not None and len(reader.nodes) > max_nodes:
        raise TreeTooLargeError(len(reader.nodes), max_nodes)
    return reader.tree()


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.title = ""
        self.names: dict[int, str] = {}
        self.nodes: list[_Node] = []
        self.sets: list[list[_Word]] = []
        self.composite = False
        self.known: dict[object, list[int]] = {}

    def fail(self, problem: str, word: _Word) -> NoReturn:
        raise EfgSyntaxError(problem, word.line, word.column, word.text, self.source)

    # Lines.

    def read(self, content: str) -> None:
        words: list[_Word] = []
        for number, line in enumerate(content.removeprefix("\ufeff").split("\n"), 1):
            begun, words = bool(words), [_Word(m[0], number, m.start() + 1) for m in re.finditer(r"\S+", line)] or words
            if not words or words[0].line != number:
                continue
            first = words[0]
            if first.text.startswith("%"):
                if not begun:
                    self.title = line.strip().lstrip("%").strip()
            elif first.text == "player":
                player, named_too = self._player(words, 0), words[2:3]
                if named_too and named_too[0].text != "name":
                    self.fail("expected the word 'name', then the player's name", named_too[0])
                if named_too:
                    self.names[player] = _plain(self._after(words, 2, "the player's name").text)
            elif first.text == "level":
                self.nodes.append(self._node(words))
            elif first.text == "iset":
                self.sets.append(words)
            else:
                self.fail("a line must begin with player, level, iset, or % (for a comment)", first)
        if not self.nodes:
            end = words[-1] if words else _Word("", 1, 1)
            self.fail("the file has no node; expected a line such as 'level 0 node 1 player 1'", end)

    def _after(self, words: list[_Word], k: int, what: str) -> _Word:
        if k + 1 >= len(words):
            self.fail(f"expected {what} after this word", words[-1])
        return words[k + 1]

    def _player(self, words: list[_Word], k: int) -> int:
        """Return the player number (0 for chance) after the word with the index *k*."""
        word = self._after(words, k, "a player's number")
        if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 4 and int(word.text) <= _PLAYERS):
            self.fail(f"a player's number must be a whole number from 0 (chance) to {_PLAYERS}", word)
        return int(word.text)

    def _node(self, words: list[_Word]) -> _Node:
        level = self._after(words, 0, "a number")
        self._number(level)
        if self._after(words, 1, "node").text != "node":
            self.fail("expected the word 'node', then the node's name", words[2])
        node = _Node(words[0], level, self._after(words, 2, "the node's name"))
        for k in range(4, len(words), 2):
            kind = words[k].text.partition(":")[0]
            if kind == "payoffs":
                node.payoffs = words[k + 1 :]
                break
            if kind not in _PARTS:
                self.fail("expected player, xshift, from, move, arrow or payoffs", words[k])
            argument = self._after(words, k, _PARTS[kind])
            if kind == "player":
                node.player = self._player(words, k)
            elif kind == "from":
                node.parent = argument
            elif kind == "move":
                node.move = argument
        return node

    def _number(self, word: _Word) -> object:
        try:
            return parse(word.text)
        except (ValueError, ZeroDivisionError):
            self.fail("a level must be a number", word)

    # Nodes by name.

    def _key(self, word: _Word) -> object:
        """Return the key of a node. Older files name a node by its level and name, separated by a comma."""
        if not self.composite:
            return word.text
        level, comma, name = word.text.partition(",")
        if not comma:
            self.fail("expected a node in the form level,name, as on an earlier line", word)
        return self._number(_Word(level, word.line, word.column)), name

    def _find(self, word: _Word) -> int:
        nodes = self.known.get(self._key(word), [])
        if len(nodes) != 1:
            lines = " and ".join(str(self.nodes[k].first.line) for k in nodes)
            self.fail(f"several nodes have this name (lines {lines})" if nodes else "no node has this name", word)
        return nodes[0]

    # The game.

    def tree(self) -> GameTree:
        self.composite = any(node.parent is not None and "," in node.parent.text for node in self.nodes)
        for k, node in enumerate(self.nodes):
            key = (self._number(node.level), node.name.text) if self.composite else node.name.text
            self.known.setdefault(key, []).append(k)
        root = self._join()
        set_of, owner = self._join_sets()
        order = self._in_order(root)
        longest = max((len(node.payoffs) for node in self.nodes if node.payoffs), default=0)
        players = max(1, *self.names, *owner.values(), 1 if longest == 1 else longest)
        tables, numbers, counts = Tables(players), dict[int, int](), Counter[int]()
        paid: dict[tuple[str, ...], int] = {}
        infosets, outcomes = [], []
        for k in order:
            node, record = self.nodes[k], NodeRecord("t", "", outcome="0")
            if node.below:
                which, player = set_of[k], owner[set_of[k]]
                if which not in numbers:
                    counts[player] += 1
                    numbers[which] = counts[player]
                record.kind, record.player, record.number = "cp"[player > 0], str(player), str(numbers[which])
                self._add_moves(record, node)
            if node.payoffs:
                record.payoffs = _payoffs(node.payoffs, players == 2 and longest == 1)
                record.outcome = str(paid.setdefault(record.payoffs, len(paid) + 1))
            try:
                infoset, outcome = tables.enter(record)
            except RecordError as error:
                self._refuse(error, node)
            infosets.append(infoset)
            outcomes.append(outcome)
        tables.warn(self.source)
        parent, action = parents(np.array([len(self.nodes[k].below) for k in order], dtype=np.int32))
        return GameTree(
            title=self.title,
            players=tuple(self.names.get(player, str(player)) for player in range(1, players + 1)),
            parent=parent,
            action=action,
            infoset=np.array(infosets, dtype=np.int32),
            outcome=np.array(outcomes, dtype=np.int32),
            infosets=tuple(tables.infosets),
            outcomes=tuple(tables.outcomes),
        )

    def _join(self) -> int:
        roots = [k for k, node in enumerate(self.nodes) if node.parent is None]
        if len(roots) != 1:
            word = self.nodes[roots[1] if roots else 0].first
            problem = "a second root: every node except the root needs 'from' and its parent"
            self.fail(problem if roots else "no root: every node has a parent", word)
        for k, node in enumerate(self.nodes):
            if node.parent is not None:
                node.above = self._find(node.parent)
                self.nodes[node.above].below.append(k)
        return roots[0]

    def _join_sets(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return the information set of each node with moves, and the player (0: chance) of each information set."""
        set_of: dict[int, int] = {}
        owner: dict[int, int] = {}
        for words in self.sets:
            which, k, members = len(owner), 1, list[tuple[int, _Word]]()
            while k < len(words):
                if words[k].text == "player":
                    owner[which] = self._player(words, k)
                    k += 2
                    continue
                index = self._find(words[k])
                if index in set_of:
                    self.fail("this node is already in an information set", words[k])
                set_of[index] = which
                members.append((index, words[k]))
                k += 1
            if not members:
                self.fail("expected the nodes of the information set", words[0])
            named = [player for index, _ in members if (player := self.nodes[index].player) is not None]
            if not owner.setdefault(which, named[0] if named else 0):
                self.fail(
                    "the information set has no player; expected 'player' and a number from 1 at the end of the line",
                    words[-1],
                )
            for index, word in members:
                if self.nodes[index].player not in (None, owner[which]):
                    self.fail(
                        f"the information set has another player than this node ({self.nodes[index].player})",
                        word,
                    )
                self._match(members[0][0], index, word)
        for index, node in enumerate(self.nodes):
            if not node.below:
                if node.player is not None or index in set_of:
                    self.fail("this node has no moves, so it cannot have a player", node.first)
            elif index not in set_of:
                if node.player is None:
                    self.fail(
                        "the node has no player; expected 'player' and a number (0 for chance), or an iset", node.first
                    )
                set_of[index] = len(owner)
                owner[len(owner)] = node.player
        return set_of, owner

    def _match(self, one: int, other: int, word: _Word) -> None:
        """Sort the children of node *other* in the order of the moves of node *one*; the moves must be the same."""
        wanted = [self.nodes[child].label for child in self.nodes[one].below]
        here: dict[str, deque[int]] = {}
        for child in self.nodes[other].below:
            here.setdefault(self.nodes[child].label, deque()).append(child)
        if sorted(wanted) != sorted(self.nodes[child].label for child in self.nodes[other].below):
            mine = ", ".join(self.nodes[child].label for child in self.nodes[other].below) or "none"
            theirs = ", ".join(wanted) or "none"
            first = self.nodes[one].name.text
            self.fail(f"this node has the moves {mine}; node {first} of the information set has {theirs}", word)
        self.nodes[other].below = [here[label].popleft() for label in wanted]

    def _in_order(self, root: int) -> list[int]:
        order, stack = [], [root]
        while stack:
            order.append(stack.pop())
            stack.extend(reversed(self.nodes[order[-1]].below))
        if len(order) < len(self.nodes):
            lost = min(set(range(len(self.nodes))) - set(order))
            self.fail("this node does not descend from the root", self.nodes[lost].first)
        return order

    def _add_moves(self, record: NodeRecord, node: _Node) -> None:
        children = [self.nodes[child] for child in node.below]
        if record.kind == "c":
            record.actions, record.probabilities = zip(*map(self._chance, children), strict=True)
        else:
            record.actions = tuple(child.label for child in children)

    def _chance(self, node: _Node) -> tuple[str, str]:
        label, _, likely = (node.move.text if node.move else "").strip("~").rpartition("~")
        likely = likely.removeprefix("(").removesuffix(")")
        if not _NUMBER.fullmatch(likely):
            hint = r"expected a chance move with its probability, such as L~(\frac{1}{3}) or \frac{1}{3}"
            self.fail(hint, node.move or node.first)
        return _plain(label), _fraction(likely)

    def _refuse(self, error: RecordError, node: _Node) -> NoReturn:
        word = node.first
        if error.part == "payoffs" and node.payoffs:
            word = node.payoffs[min(error.index, len(node.payoffs) - 1)]
        elif error.part == "probabilities" and node.below:
            child = self.nodes[node.below[min(error.index, len(node.below) - 1)]]
            word = child.move or child.first
        self.fail(error.problem, word)


def _payoffs(given: list[_Word], zero_sum: bool) -> tuple[str, ...]:
    """Return the payoffs in the file; if *zero_sum*, also player 2's payoff after player 1's."""
    words = tuple(_fraction(word.text) for word in given)
    return (*words, *map(negative, words)) if zero_sum else words


def negative(number: str) -> str:
    """Return the text of the negative of *number*."""
    return number[1:] if number.startswith("-") else f"-{number.lstrip('+')}"


def _plain(tex: str) -> str:
    return _WRITTEN.sub(lambda match: _SIGNS[match[0]], _fraction(tex)).strip()


def _fraction(word: str) -> str:
    return _FRACTION.sub(r"\1\2/\3", word)
