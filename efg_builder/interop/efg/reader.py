"""Read EFG 2 text into a tree, token by token and without recursion.

Programs usually write one node per line, and few lines are distinct. Each distinct line is parsed only once.
"""

from __future__ import annotations

import os
import re
import warnings
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple, NoReturn

import numpy as np

from ...base.errors import EfgSyntaxError, NearestFractionsWarning, TreeTooLargeError, check_budget, check_kind
from ...base.files import GAMES_READ, read_text
from ...base.rationals import (
    DIGITS,
    TOGETHER,
    TooLongError,
    common_denominator,
    exact_sum,
    parse,
    simple_fraction,
    text,
    typed_fraction,
)
from ...base.words import all_named, one_line, plural
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset, Ints, Outcome

STRING, WORD, END = "string", "word", "end"
"""The kinds of tokens, besides braces and commas."""

_LONGEST = 1 << 14
"""Maximum length of a cached line; a whole file may be one line."""


def read_efg(path: str | os.PathLike[str], *, max_nodes: int | None = None) -> GameTree:
    """Read a game from an EFG 2 file, e.g. from Gambit, OpenSpiel or ``GameTree.write``.

    Parameters
    ----------
    path : str or path
        The file, perhaps compressed with gzip.
    max_nodes : int, optional
        Maximum number of nodes. By default, there is no limit.

    Returns
    -------
    GameTree
        The game, with the numbers and labels of the file. All payoffs and probabilities are exact.

    Raises
    ------
    FileError
        If the file cannot be read.
    EfgSyntaxError
        If the text is not a complete game. The message contains the line and column.
    TreeTooLargeError
        If the game has more than *max_nodes* nodes.
    ParameterError
        If an argument has the wrong type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.build("kuhn").write("kuhn.efg")
    >>> eb.read_efg(path) == eb.build("kuhn")
    True
    """
    check_kind("read_efg", path, (str, os.PathLike), "the path of a file", "eb.parse_efg(text) reads a text")
    if max_nodes is not None:
        check_budget("read_efg", "max_nodes", max_nodes)
    return parse_efg(read_text(path), str(path), max_nodes=max_nodes)


def parse_efg(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """Read a game from EFG 2 text.

    Information sets and outcomes keep their numbers and labels. After its first mention, an information set or outcome
    may be repeated in full, in part, or only by its number.

    Parameters
    ----------
    text : str
        The whole file.
    source : str, optional
        The file name in error messages.
    max_nodes : int, optional
        Maximum number of nodes. By default, there is no limit.

    Returns
    -------
    GameTree
        The game, with exact numbers. Information sets and outcomes are in the order of their first mention.

    Raises
    ------
    EfgSyntaxError
        If the text is not a complete game. The message contains the line and column.
    TreeTooLargeError
        If the game has more than *max_nodes* nodes.
    ParameterError
        If an argument has the wrong type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> tree = eb.parse_efg('EFG 2 R "Gift" { "Ann" } t "" 1 "gift" { 3/2 }')
    >>> tree.payoffs[0]
    (Fraction(3, 2),)
    """
    check_kind("parse_efg", text, str, "the text of a file", "eb.read_efg(path) reads a file")
    if max_nodes is not None:
        check_budget("parse_efg", "max_nodes", max_nodes)
    lexer = Lexer(text, source, 1 if text.startswith("\ufeff") else 0)
    if lexer.value == "NFG" and lexer.kind == WORD:
        lexer.fail("this is a game in strategic form (NFG), not EFG 2; eb.build reads both formats")
    title, players = read_title(lexer, "EFG", "2")
    comment = lexer.take(STRING, "") if lexer.kind == STRING else ""
    tables = Tables(len(players))
    infosets, outcomes, labels = _read_nodes(lexer, tables, max_nodes)
    tables.warn(source)
    widths = np.array([len(i.actions) for i in tables.infosets] + [0], dtype=np.int32)[infosets]
    parent, action = parents(widths)
    return GameTree(
        title=title,
        players=players,
        parent=parent,
        action=action,
        infoset=infosets,
        outcome=outcomes,
        infosets=tuple(tables.infosets),
        outcomes=tuple(tables.outcomes),
        comment=comment,
        node_labels=MappingProxyType(labels),
    )


NO_GAMES = {"{": "; eb.read_solution(path) reads a solution"}
NO_GAMES |= dict.fromkeys(("player", "equilibrium"), "; eb.read_strategy(path, game) reads a table of a strategy")
"""Advice on files of this package that are not games, by their first word."""


def read_title(lexer: Lexer, kind: str, version: str) -> tuple[str, tuple[str, ...]]:
    """Read the title and players of an ``.efg`` or ``.nfg`` file. Players without names become ``Player 1``, ..."""
    if lexer.kind == END:
        lexer.fail("the file is empty")
    if lexer.value != kind or lexer.kind != WORD:
        others = "" if kind == "NFG" else f"; {GAMES_READ}"
        lexer.fail(f"an {kind} {version} file begins with {kind}{NO_GAMES.get(lexer.value, others)}")
    lexer.advance()
    if lexer.value != version or lexer.kind != WORD:
        lexer.fail(f"expected {version}, the version of the format")
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
    return title, all_named([one_line(name) for name in players])


class _Row(NamedTuple):
    """A distinct node entry. ``closed`` is true if the next line cannot belong to this entry."""

    number: int
    infoset: int
    outcome: int
    label: str
    width: int
    closed: bool


def _read_nodes(lexer: Lexer, tables: Tables, limit: int | None) -> tuple[Ints, Ints, dict[int, str]]:
    """Return each node's information set and outcome, as arrays of shape (nodes,), and the node labels.

    Raises ``EfgSyntaxError``, and ``TreeTooLargeError`` if there are more than *limit* nodes.
    """
    efg, position, places = lexer.text, lexer.start, 1
    nodes, rows, known, labels = array("i"), list[_Row](), dict[str, _Row](), dict[int, str]()
    find, look_up, add = efg.find, known.get, nodes.append
    while places:
        end = find("\n", position, position + _LONGEST) + 1
        row = look_up(efg[position:end])
        # The payoffs of an entry such as 't "" 1' may be on the next line.
        if row is None or not (row.closed or efg[end : end + 1] in "cpt"):
            row = _new_row(lexer, tables, position, len(rows))
            rows.append(row)
            if lexer.start == end and lexer.kind == WORD:
                known[efg[position:end]] = row
            end = lexer.start
        if limit is not None and len(nodes) >= limit:
            raise TreeTooLargeError(limit, limit, exact=False)
        number, _, _, label, width, _ = row
        if label:
            labels[len(nodes)] = label
        add(number)
        places += width - 1
        position = end
    lexer.seek(position)
    if lexer.kind != END:
        lexer.fail("text after the end of the tree: every action already has a node")
    table = np.array([(row.infoset, row.outcome) for row in rows], dtype=np.int32).T
    infosets, outcomes = table[:, np.frombuffer(nodes, dtype=np.int32)]
    return infosets, outcomes, labels


def _new_row(lexer: Lexer, tables: Tables, position: int, number: int) -> _Row:
    if lexer.start != position:
        lexer.seek(position)
    if lexer.kind == END:
        lexer.fail("the file ends before the tree is complete: an action has no node")
    record = read_record(lexer)
    try:
        infoset, outcome = tables.enter(record)
    except RecordError as error:
        lexer.fail(error.problem, record.at[error.part][error.index])
    width = 0 if infoset == NONE else len(tables.infosets[infoset].actions)
    return _Row(number, infoset, outcome, record.label, width, record.payoffs is not None or record.outcome == "0")


@dataclass(slots=True)
class NodeRecord:
    """A node entry as written in the file; omitted parts are None or empty.

    ``at`` contains the offsets of each part. The last offset of a list is the offset of its closing brace.
    """

    kind: str
    label: str
    player: str = ""
    number: str = ""
    infoset_label: str | None = None
    actions: tuple[str, ...] | None = None
    probabilities: tuple[str, ...] = ()
    outcome: str = ""
    outcome_label: str | None = None
    payoffs: tuple[str, ...] | None = None
    at: dict[str, list[int]] = field(default_factory=dict)


def read_record(lexer: Lexer) -> NodeRecord:
    """Read the node entry at the lexer's position. Raises ``EfgSyntaxError``."""
    at: dict[str, list[int]] = {"kind": [lexer.start]}
    if lexer.kind != WORD or lexer.value not in ("c", "p", "t"):
        lexer.fail("expected a node: c (chance), p (a player's) or t (terminal)")
    kind = lexer.take(WORD, "a node")
    record = NodeRecord(kind, lexer.take(STRING, "the node's label in quotation marks"), at=at)
    if kind == "p":
        at["player"] = [lexer.start]
        record.player = lexer.take(WORD, "the number of a player")
    if kind != "t":
        _read_infoset(lexer, record)
    at["outcome"] = [lexer.start]
    record.outcome = lexer.take(WORD, "the number of an outcome (0 for none)")
    if lexer.kind == STRING:
        at["outcome_label"] = [lexer.start]
        record.outcome_label = lexer.take(STRING, "")
    if lexer.kind == "{":
        opened = lexer.start
        lexer.advance()
        record.payoffs = read_payoffs(lexer, opened, at.setdefault("payoffs", []))
    return record


def _read_infoset(lexer: Lexer, record: NodeRecord) -> None:
    record.at["number"] = [lexer.start]
    record.number = lexer.take(WORD, "the number of an information set")
    if lexer.kind == STRING:
        record.at["infoset_label"] = [lexer.start]
        record.infoset_label = lexer.take(STRING, "")
    if lexer.kind != "{":
        return
    lexer.advance()
    labels, words, starts, places = [], [], [], []
    while lexer.kind != "}":
        starts.append(lexer.start)
        labels.append(lexer.take(STRING, "an action's label in quotation marks, or }"))
        if record.kind == "c":
            places.append(lexer.start)
            words.append(lexer.take(WORD, "the probability of this action"))
    record.actions, record.probabilities = tuple(labels), tuple(words)
    record.at["actions"], record.at["probabilities"] = [*starts, lexer.start], [*places, lexer.start]
    lexer.advance()


def read_payoffs(lexer: Lexer, opened: int, at: list[int]) -> tuple[str, ...]:
    """Read the list of payoffs that begins at the offset *opened*, and append the payoffs' offsets to *at*."""
    words = []
    while lexer.kind != "}":
        if lexer.kind != WORD:
            # If the closing brace is missing, the lexer may already be on a later line.
            begun = lexer.line(opened)
            where = f" in the list of payoffs that begins on line {begun}" if begun < lexer.line(lexer.start) else ""
            lexer.fail(f"expected a payoff or }}{where}")
        at.append(lexer.start)
        words.append(lexer.take(WORD, ""))
        if lexer.kind == ",":
            lexer.advance()
    at.append(lexer.start)
    lexer.advance()
    return tuple(words)


_SMALLEST, _LARGEST = -(2**31), 2**31 - 1  # Gambit's numbers are signed 32-bit integers
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}")


class RecordError(Exception):
    """An error in a node entry, or a contradiction to earlier entries. ``part`` is the wrong part of the entry."""

    def __init__(self, problem: str, part: str, index: int = 0) -> None:
        super().__init__(problem)
        self.problem, self.part, self.index = problem, part, index


class Tables:
    """The information sets and outcomes read so far, in the order of first mention."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.infosets: list[Infoset] = []
        self.outcomes: list[Outcome] = []
        self._infosets: dict[tuple[int, int], int] = {}
        self._outcomes: dict[int, int] = {}
        self._actions: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._numbers: dict[str, Fraction] = {}
        self._scale = 1
        self.rounded: list[tuple[str, Fraction]] = []  # decimal probabilities that were read as other fractions

    def warn(self, source: str) -> None:
        """Warn if decimals in *source* were read as other fractions."""
        if self.rounded:
            word, chance = self.rounded[0]
            count = plural(len(self.rounded), "probability", "probabilities")
            line = f"{count} of chance read as the nearest simple fractions, e.g. {word} as {chance}"
            warnings.warn(NearestFractionsWarning(f"{source or 'text'}: {line}", (source, line)), stacklevel=3)

    def enter(self, record: NodeRecord) -> tuple[int, int]:
        """Return the indices of the entry's information set and outcome, -1 for none. Raises ``RecordError``."""
        infoset = NONE if record.kind == "t" else self._infoset(record)
        return infoset, self._outcome(record)

    def _infoset(self, record: NodeRecord) -> int:
        player = CHANCE
        if record.kind == "p":
            player = _whole(record.player, "the number of a player", "player", 1, self.players) - 1
        number = _whole(record.number, "the number of an information set", "number")
        index = self._infosets.get((player, number))
        if index is not None:
            self._compare(record, self.infosets[index])
            return index
        if record.actions is None:
            whose = "chance" if player == CHANCE else f"player {player + 1}"
            raise RecordError(f"information set {number} of {whose} is used before its actions are listed", "number")
        if not record.actions:
            raise RecordError("an information set needs at least one action", "actions")
        chances = self._probabilities(record) if player == CHANCE else None
        for word, chance in zip(record.probabilities, chances or (), strict=True):
            if self._numbers[word] != chance:
                self.rounded.append((word, chance))
        index = self._infosets[player, number] = len(self.infosets)
        actions = self._actions.setdefault(record.actions, record.actions)  # equal lists are stored once
        self.infosets.append(Infoset(player, number, record.infoset_label or "", actions, chances))
        return index

    def _compare(self, record: NodeRecord, known: Infoset) -> None:
        which = f"information set {known.number}"
        if record.infoset_label and record.infoset_label != known.label:
            raise RecordError(f"{which} has a different label than before ({known.label!r})", "infoset_label")
        if record.actions is None:
            return
        if len(record.actions) != len(known.actions):
            shorter = min(len(record.actions), len(known.actions))
            raise RecordError(f"{which} had {plural(len(known.actions), 'action')} before", "actions", shorter)
        _check_same(f"{which} had the action", record.actions, known.actions, "actions")
        if known.probabilities is not None:
            _check_same(
                f"{which} had the probability", self._probabilities(record), known.probabilities, "probabilities"
            )

    def _probabilities(self, record: NodeRecord) -> tuple[Fraction, ...]:
        chances = tuple(self._number(word, "probabilities", k) for k, word in enumerate(record.probabilities))
        for index, chance in enumerate(chances):
            if chance < 0:
                raise RecordError("a probability is negative", "probabilities", index)
        try:
            total = exact_sum(chances)
            if total == 1:
                return chances
            words = zip(record.probabilities, chances, strict=True)
            simple = tuple(simple_fraction(word) or chance for word, chance in words)
            if exact_sum(simple) == 1:
                return simple
            typed = tuple(map(typed_fraction, record.probabilities))
            advised = exact_sum(typed) == 1
        except TooLongError as error:
            raise RecordError(str(error), "probabilities") from None
        digits = text(total)
        shown = digits if len(digits) < 60 else f"about {float(total):.17g}" if total < 1000 else "far more"
        problem, index = f"the probabilities sum to {shown}, not to 1", 0
        if advised:
            index = next(k for k, chance in enumerate(chances) if typed[k] != chance)
            problem += f"; write {text(typed[index])}"
        raise RecordError(problem, "probabilities", index)

    def _outcome(self, record: NodeRecord) -> int:
        number = _whole(record.outcome, "the number of an outcome", "outcome")
        if number == 0:
            if record.payoffs is not None or record.outcome_label is not None:
                part = "payoffs" if record.outcome_label is None else "outcome_label"
                raise RecordError("outcome 0 means no outcome, so it has no label and no payoffs", part)
            return NONE
        index = self._outcomes.get(number)
        if index is None and record.payoffs is None:
            raise RecordError(f"outcome {number} is used before its payoffs are given", "outcome")
        payoffs = None if record.payoffs is None else self._payoffs(record.payoffs)
        if index is None:
            self._check_scale(payoffs or ())
            index = self._outcomes[number] = len(self.outcomes)
            self.outcomes.append(Outcome(number, record.outcome_label or "", payoffs or ()))
            return index
        known = self.outcomes[index]
        if record.outcome_label and record.outcome_label != known.label:
            raise RecordError(f"outcome {number} has a different label than before ({known.label!r})", "outcome_label")
        if payoffs is not None:
            _check_same(f"outcome {number} had the payoff", payoffs, known.payoffs, "payoffs")
        return index

    def _check_scale(self, payoffs: tuple[Fraction, ...]) -> None:
        """Raise ``RecordError`` if the common denominator of all payoffs is too long for later computations."""
        if not any(self._scale % payoff.denominator for payoff in payoffs):
            return
        try:
            scale = common_denominator((Fraction(1, self._scale), *payoffs))
        except TooLongError as error:
            raise RecordError(str(error), "payoffs") from None
        if scale.bit_length() > TOGETHER * 3.33 * DIGITS:
            raise RecordError("the common denominator of the payoffs so far is too long", "payoffs")
        self._scale = scale

    def _payoffs(self, words: tuple[str, ...]) -> tuple[Fraction, ...]:
        if len(words) != self.players:
            need = f"expected {plural(self.players, 'payoff')}, one for each player"
            raise RecordError(f"{need}, but found {len(words)}", "payoffs", min(len(words), self.players))
        return tuple(self._number(word, "payoffs", k) for k, word in enumerate(words))

    def _number(self, word: str, part: str, index: int) -> Fraction:
        known = self._numbers.get(word)
        if known is not None:
            return known
        try:
            number = parse(word)
        except (ValueError, ZeroDivisionError) as error:
            problems = {ZeroDivisionError: "a denominator is zero", TooLongError: "a number that is too long"}
            raise RecordError(problems.get(type(error), "not a number"), part, index) from None
        self._numbers[word] = number
        return number


def _check_same(what: str, here: Sequence[str | Fraction], before: Sequence[str | Fraction], part: str) -> None:
    for index, (one, other) in enumerate(zip(here, before, strict=True)):
        if one != other:
            raise RecordError(f"{what} {repr(other) if isinstance(other, str) else other} here before", part, index)


def _whole(word: str, what: str, part: str, low: int = _SMALLEST, high: int = _LARGEST) -> int:
    if _WHOLE.fullmatch(word) and low <= int(word) <= high:
        return int(word)
    raise RecordError(f"{what} must be a whole number from {low:,} to {high:,}", part)


_BLANKS = r"[ \t\r\n\v\f]*+"
_TOKEN = re.compile(_BLANKS + r'(?:("[^"\\]*+(?:\\.[^"\\]*+)*+")|([{},])|([^ \t\r\n\v\f"{},]++)|(\Z))', re.DOTALL)
_GAP = re.compile(_BLANKS)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 40


class Lexer:
    """A tokenizer. ``kind``, ``start`` and ``value`` describe the current token; a string's ``value`` has no quotes."""

    def __init__(self, efg: str, source: str = "", position: int = 0) -> None:
        self.text, self.source = efg, source
        self.seek(position)

    def seek(self, position: int) -> None:
        """Go to the first token at or after the offset *position*."""
        self._end = position
        self.advance()

    def advance(self) -> None:
        """Go to the next token. Raises ``EfgSyntaxError`` for an unclosed string or a control character."""
        match = _TOKEN.match(self.text, self._end)
        if match is None:
            gap = _GAP.match(self.text, self._end)
            self.fail("a text that begins here has no closing quotation mark", gap.end() if gap else self._end)
        kind = match.lastindex or 4
        self.start, self._end, value = match.start(kind), match.end(), match[kind]
        if kind == 1:
            self.kind, self.value = STRING, value[1:-1]
            if "\\" in value:
                self.value = re.sub(r'\\(["\\])', r"\1", self.value)
        else:
            self.kind, self.value = (value, WORD, END)[kind - 2], value
        control = _CONTROL.search(value) if not value.isprintable() else None
        if control:
            self.fail("a control character", self.start + control.start(), control[0])

    def take(self, kind: str, expected: str) -> str:
        """Return the value of the current token, which must be of this *kind*, and advance."""
        if self.kind != kind:
            self.fail(f"expected {expected}")
        value = self.value
        self.advance()
        return value

    def whole(self, what: str, low: int, high: int = _LARGEST) -> int:
        """Return the whole number at the current token, and advance. Error messages call this number *what*."""
        start, word = self.start, self.take(WORD, what)
        try:
            return _whole(word, what, "", low, high)
        except RecordError as error:
            self.fail(error.problem, start)

    def line(self, at: int) -> int:
        """Return the line number, from 1, of the offset *at*."""
        return self.text.count("\n", 0, at) + 1

    def fail(self, problem: str, start: int | None = None, found: str | None = None) -> NoReturn:
        """Raise an ``EfgSyntaxError`` at the offset *start*, or at the current token."""
        at = self.start if start is None else start
        column = at - self.text.rfind("\n", 0, at)
        if found is None:
            token = _TOKEN.match(self.text, at)
            found = token[0] if token else self.text[at : at + _SHOWN + 1]
        if len(found) > _SHOWN:
            found = found[:_SHOWN] + "..."
        raise EfgSyntaxError(problem, self.line(at), column, found, self.source)


def parents(widths: Ints) -> tuple[Ints, Ints]:
    """Return each node's parent and the action from the parent to the node, both -1 at the root.

    *widths* contains the number of children of each node, in prefix order. A sort replaces a stack, so the time is
    independent of depth and width.
    """
    n = len(widths)
    # A gap is a node that is still missing: the root, or a child of an earlier node. open_[i] is the number of gaps
    # before node i. Each node fills one gap, and opens a gap for each of its children. So child k of node j is the
    # first node after j at which the number of gaps is k less than at child 0.
    open_ = np.ones(n + 1, dtype=np.int64)
    np.cumsum(widths.astype(np.int64) - 1, out=open_[1:])
    open_[1:] += 1
    keys = open_[:n] * n + np.arange(n)
    order = np.argsort(keys, kind="stable")
    above = np.repeat(np.arange(n), widths)
    first = np.cumsum(widths) - widths
    rank = np.arange(n - 1) - first[above]
    wanted = (open_[above + 1] - rank) * n + above
    children = order[np.searchsorted(keys[order], wanted, side="right")]
    parent, action = np.full(n, NONE, dtype=np.int32), np.full(n, NONE, dtype=np.int32)
    parent[children], action[children] = above, rank
    return parent, action
