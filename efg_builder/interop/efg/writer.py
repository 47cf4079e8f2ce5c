"""Write a tree as EFG 2 text.

Every line contains the node's information set and outcome in full, so each distinct line is formatted only once.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ...base.errors import check_kind
from ...base.files import write_atomically
from ...base.rationals import text
from ...base.words import all_named, distinct
from ...forms.extensive import CHANCE, NONE, TERMINAL, GameTree, Infoset, Ints, Outcome, scaled_payoffs

_CHUNK = 1 << 16
"""Number of nodes written at once; their text has a few megabytes."""


def write_efg(tree: GameTree, path: str | os.PathLike[str], *, portable: bool = False) -> Path:
    """Write *tree* atomically to *path*, and return the path.

    Gambit 17 reads the file, but adds ``_1``, ``_2``, ... to equal and empty names. Gambit 16.7 rejects non-ASCII
    labels. OpenSpiel rejects payoffs at nonterminal nodes, and quotation marks in labels. With ``portable``, all these
    programs read an equivalent game (see ``portable_tree``).

    Raises ``FileError``, and ``ParameterError`` if *tree* is not a tree.
    """
    check_kind("write_efg", tree, GameTree, "a tree", "eb.build(game) makes a tree")
    return write_atomically(path, efg_chunks(tree, portable=portable))


def to_efg(tree: GameTree, *, portable: bool = False) -> str:
    """Return the text that ``write_efg`` writes. Raises ``ParameterError`` if *tree* is not a tree."""
    check_kind("to_efg", tree, GameTree, "a tree", "eb.build(game) makes a tree")
    return b"".join(efg_chunks(tree, portable=portable)).decode("utf-8")


Names = Literal["distinct", "equal", "unchanged"]
"""The names in a file. Gambit needs distinct labels, without extra spaces, and no player named Chance.

``"equal"`` lets labels be equal. ``"unchanged"`` keeps equal labels, spaces and the name Chance too.
"""


def efg_chunks(tree: GameTree, *, portable: bool = False, names: Names = "distinct") -> Iterator[bytes]:
    """Yield the text of ``write_efg`` in chunks. Only this package reads other *names* than ``"distinct"``."""
    spelling = Spelling(portable, names)
    if portable:
        tree = portable_tree(tree)
    title, comment = quoted(spelling.text(tree.title)), quoted(spelling.text(tree.comment))
    yield f"EFG 2 R {title} {{ {' '.join(map(quoted, spelling.players(tree.players)))} }}\n{comment}\n\n".encode()
    lines, line_of = _lines(tree, spelling)
    labels = spelling.nodes(tree.node_labels.values())
    for node, label in zip(tree.node_labels, labels, strict=True):
        plain, line_of[node] = lines[line_of[node]], len(lines)
        lines.append(plain[:2] + quoted(label) + plain[4:])
    table = np.array(lines, dtype=object)
    for start in range(0, len(tree), _CHUNK):
        yield "".join(table[line_of[start : start + _CHUNK]]).encode()


def renamed(tree: GameTree, *, portable: bool = False) -> list[tuple[str, str]]:
    """Return the names of players, information sets, actions, outcomes and nodes that ``write_efg`` changes.

    Each pair has the name and the name in the file. A name may occur in several pairs: equal labels get numbers.
    """
    spelling = Spelling(portable)
    nodes, outcomes = tuple(tree.node_labels.values()), [outcome.label for outcome in tree.outcomes]
    lists = {id(infoset.actions): infoset.actions for infoset in tree.infosets}.values()
    pairs = chain(
        zip(tree.players, spelling.players(tree.players), strict=True),
        zip((infoset.label for infoset in tree.infosets), _infoset_labels(tree, spelling), strict=True),
        *(zip(actions, spelling.different(actions), strict=True) for actions in lists),
        zip(outcomes, spelling.different(outcomes), strict=True),
        zip(nodes, spelling.nodes(nodes), strict=True),
    )
    return list(dict.fromkeys((was, now) for was, now in pairs if was != now))


def _lines(tree: GameTree, spelling: Spelling) -> tuple[list[str], npt.NDArray[np.integer[Any]]]:
    ends = _outcome_texts(tree, spelling)
    # An information set or outcome of -1 means none. As an index, -1 selects the last text, the text for none.
    inside = tree.infoset != NONE
    if (tree.outcome[inside] == NONE).all():
        lines = _infoset_texts(tree, spelling, " 0\n")[:-1] + [f't ""{end}\n' for end in ends]
        last = np.int32(len(tree.infosets))
        return lines, np.where(inside, tree.infoset, last + tree.outcome % len(ends))
    moves = _infoset_texts(tree, spelling)
    pairs = (tree.infoset % len(moves)).astype(np.int64) * len(ends) + tree.outcome % len(ends)
    used, line_of = np.unique(pairs, return_inverse=True)
    lines = [f"{moves[pair // len(ends)]}{ends[pair % len(ends)]}\n" for pair in used.tolist()]
    return lines, line_of.reshape(-1)


def _outcome_texts(tree: GameTree, spelling: Spelling) -> list[str]:
    labels = spelling.different(outcome.label for outcome in tree.outcomes)
    texts = [
        f" {outcome.number} {quoted(label)} {{ {', '.join(map(text, outcome.payoffs))} }}"
        for outcome, label in zip(tree.outcomes, labels, strict=True)
    ]
    return [*texts, " 0"]


def _infoset_texts(tree: GameTree, spelling: Spelling, end: str = "") -> list[str]:
    # Information sets share action lists, and the identity of a list is a cheaper key than the hash of its labels.
    lists: dict[int, str] = {}
    texts = []
    for infoset, name in zip(tree.infosets, _infoset_labels(tree, spelling), strict=True):
        label = quoted(name) if '"' in name else f'"{name}"'
        if infoset.player == CHANCE:
            texts.append(f'c "" {infoset.number} {label} {{ {_chances(infoset, spelling)} }}{end}')
            continue
        actions = lists.get(id(infoset.actions))
        if actions is None:
            actions = lists[id(infoset.actions)] = " ".join(map(quoted, spelling.different(infoset.actions)))
        texts.append(f'p "" {infoset.player + 1} {infoset.number} {label} {{ {actions} }}{end}')
    return [*texts, f't ""{end}']


def _chances(infoset: Infoset, spelling: Spelling) -> str:
    labels = spelling.different(infoset.actions)
    return " ".join(f"{quoted(label)} {text(p)}" for label, p in zip(labels, infoset.chances, strict=True))


def _infoset_labels(tree: GameTree, spelling: Spelling) -> list[str]:
    """Return the labels, distinct for each player as Gambit requires; empty labels may repeat."""
    labels = spelling.labels(infoset.label for infoset in tree.infosets)
    if len(set(labels)) < len(labels) and spelling.names == "distinct":
        owners = np.array([infoset.player for infoset in tree.infosets], dtype=np.intp)
        for player in np.unique(owners):
            mine = np.flatnonzero(owners == player).tolist()
            for index, label in zip(mine, distinct((labels[k] for k in mine), empty=True), strict=True):
                labels[index] = label
    return labels


def portable_tree(tree: GameTree) -> GameTree:
    """Return an equivalent game with an outcome at every terminal node, and at no other node.

    The payoffs on the path to a terminal node are added to its own payoffs. Each player's information sets are numbered
    from 1. If no change is needed, return *tree* itself.
    """
    infosets = _renumbered(tree)
    outcome, outcomes = _paid_at_the_end(tree)
    if infosets is tree.infosets and outcome is tree.outcome:
        return tree
    return replace(tree, infosets=infosets, outcome=outcome, outcomes=outcomes)


def _renumbered(tree: GameTree) -> tuple[Infoset, ...]:
    used = np.unique(tree.infoset[tree.infoset != NONE]).tolist()
    numbers: dict[int, list[int]] = {}
    for index in used:
        numbers.setdefault(tree.infosets[index].player, []).append(tree.infosets[index].number)
    ranks = {(who, number): rank for who, mine in numbers.items() for rank, number in enumerate(sorted(mine), 1)}
    if all(number == rank for (_, number), rank in ranks.items()):
        return tree.infosets
    table = list(tree.infosets)
    for index in used:
        table[index] = table[index]._replace(number=ranks[table[index].player, table[index].number])
    return tuple(table)


def _paid_at_the_end(tree: GameTree) -> tuple[Ints, tuple[Outcome, ...]]:
    ends = tree.player == TERMINAL
    if (tree.outcome[~ends] == NONE).all():
        if (tree.outcome[ends] != NONE).all():
            return tree.outcome, tree.outcomes
        numbers = {outcome.number for outcome in tree.outcomes}
        free = next(number for number in count(1) if number not in numbers)
        nothing = Outcome(free, "nothing", tree.payoffs[NONE])
        filled = np.where(ends & (tree.outcome == NONE), np.int32(len(tree.outcomes)), tree.outcome)
        return filled, (*tree.outcomes, nothing)
    paid, scale = scaled_payoffs(tree)
    table: dict[tuple[str, tuple[int, ...]], int] = {}
    outcome = np.full(len(tree), NONE, dtype=np.int32)
    for node in np.flatnonzero(ends).tolist():
        label = "" if tree.outcome[node] == NONE else tree.outcomes[tree.outcome[node]].label
        outcome[node] = table.setdefault((label, tuple(paid[node])), len(table))
    outcomes = (
        Outcome(number, label, tuple(Fraction(p, scale) for p in row)) for number, (label, row) in enumerate(table, 1)
    )
    return outcome, tuple(outcomes)


# --- labels for Gambit: clean, distinct, quoted

_CONTROL = r"\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_BACKSLASH = r'\\{2,}|\\(?="|\Z)'
_UNFIT = re.compile(rf"[{_CONTROL}\n\r\t\v\f\u2028\u2029]|^\s|\s\Z|\s\s|{_BACKSLASH}")
_HARMLESS = b"\n" + bytes(set(range(0x20, 0x7F)) - set(b'"\\\\'))
_UNFIT_TEXT = re.compile(rf"[{_CONTROL}\v\f]")

_LIKE = str.maketrans(
    {
        **dict(zip("ØøĐđŁłıĦħ", "OoDdLliHh", strict=True)),
        **{"ß": "ss", "Æ": "AE", "æ": "ae", "Œ": "OE", "œ": "oe", "Þ": "Th", "þ": "th", "Ð": "D", "ð": "d"},
        **dict.fromkeys('‘’‚“”„«»"', "'"),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **{"×": "x", "\u2044": "/", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "€": "EUR"},
    }
)
"""ASCII replacements for letters and signs that Unicode does not decompose into ASCII."""

CHANCE_LABEL = "Chance"
"""Gambit's name for chance; a player cannot have this name."""


@dataclass(frozen=True)
class Spelling:
    """The spelling of labels: UTF-8, or, with ``portable``, ASCII without quotation marks.

    OpenSpiel ends a label at the first quotation mark, even if the mark is escaped.
    """

    portable: bool = False
    names: Names = "distinct"

    def label(self, label: str) -> str:
        """Return *label* without characters that Gambit rejects: control characters, line breaks and extra spaces.

        A backslash before another backslash, before a quotation mark or at the end becomes a slash, because Gambit
        misreads such backslashes.
        """
        if self.names == "unchanged":
            return self.text(label)
        if self.portable:
            label = _ascii(label)
        if not _UNFIT.search(label):
            return label
        # Remove spaces first: a backslash before trailing spaces is then at the end.
        return _without_backslashes(" ".join(_UNFIT_TEXT.sub(" ", label).split()))

    def labels(self, labels: Iterable[str]) -> list[str]:
        """Return *labels*, each spelled by ``label``. All are checked at once, because usually no label changes."""
        given = list(labels)
        joined = "\n".join(["", *given, ""])
        if joined.isascii() and joined.count("\n") == len(given) + 1:
            odd = joined.encode().translate(None, _HARMLESS)
            if not odd and not any(blanks in joined for blanks in ("  ", "\n ", " \n")):
                return given
        return [self.label(label) for label in given]

    def text(self, text: str) -> str:
        """Return the spelling of a title or comment, which may have several lines and any spaces."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _without_backslashes(_UNFIT_TEXT.sub(" ", _ascii(text) if self.portable else text))

    def different(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return *labels*, spelled by ``labels``; if ``portable``, also add the suffixes that Gambit would add."""
        fit = self.labels(labels)
        return distinct(fit) if self.portable else tuple(fit)

    def players(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the players' names in a file: not empty, and different from Gambit's name for chance."""
        free = [
            f"{CHANCE_LABEL}_1" if name == CHANCE_LABEL and self.names != "unchanged" else name
            for name in self.labels(names)
        ]
        return self.different(all_named(free))

    def nodes(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return the labels of nodes in a file, distinct as Gambit requires."""
        return distinct(self.labels(labels), empty=True)


def quoted(label: str) -> str:
    """Return *label* in quotation marks, with escaped inner quotation marks."""
    return '"' + label.replace('"', '\\"') + '"'


def _without_backslashes(text: str) -> str:
    return re.sub(_BACKSLASH, lambda run: "/" * len(run[0]), text)


def _ascii(label: str) -> str:
    label = label.replace('"', "'")
    if label.isascii():
        return label
    plain = unicodedata.normalize("NFKD", label).translate(_LIKE)
    # Letters without a replacement become code points, so that different labels stay different.
    return "".join(c if c.isascii() else f"U+{ord(c):04X}" for c in plain if not unicodedata.combining(c))
