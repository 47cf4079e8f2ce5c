"""One node's entry, as it is written: nothing is looked up or checked against other nodes here."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .lexer import STRING, WORD, Lexer

_TEXT = r'"([^"\\]*+)"'
_OUTCOME = r'(-?[0-9]++)(?: "([^"\\]*+)" \{ ([^ {},"]++(?:,?[ ][^ {},"]++)*+) \})? *+'
_TERMINAL_LINE = re.compile(rf"t {_TEXT} {_OUTCOME}")
_PERSONAL_LINE = re.compile(rf'p {_TEXT} ([0-9]++) (-?[0-9]++)(?: {_TEXT} \{{ "([^{{}}\\]*+)\}})? {_OUTCOME}')


@dataclass(slots=True)
class Record:
    """A node as written; None is what was left out.

    ``at`` has the offsets of the parts by name, lists with the offset of the closing brace last; it is
    empty where the entry was read in one piece.
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

    @property
    def is_closed(self) -> bool:
        """Whether nothing that follows can belong to this entry any more."""
        return self.payoffs is not None or self.outcome == "0"


def read_line(line: str, lists: dict[str, tuple[str, ...]]) -> Record | None:
    """The entry on a line of the usual layout, or None, which says nothing about a line.

    ``lists`` remembers action lists by their text, so that equal ones are stored once.
    """
    if not line.isprintable():
        return None
    if line.startswith("t"):
        match = _TERMINAL_LINE.fullmatch(line)
        if match is None:
            return None
        label, outcome, outcome_label, payoffs = match.groups()
        return Record("t", label, outcome=outcome, outcome_label=outcome_label, payoffs=_split(payoffs))
    match = _PERSONAL_LINE.fullmatch(line)
    if match is None:
        return None
    label, player, number, name, listed, outcome, outcome_label, payoffs = match.groups()
    actions = lists.get(listed) if listed else None
    if actions is None and listed is not None:
        actions = tuple(listed[:-2].split('" "'))
        if not listed.endswith('" ') or listed.count('"') != 2 * len(actions) - 1:
            return None
        lists[listed] = actions
    return Record("p", label, player, number, name, actions, (), outcome, outcome_label, _split(payoffs))


def _split(payoffs: str | None) -> tuple[str, ...] | None:
    return None if payoffs is None else tuple(payoffs.replace(",", "").split(" "))


def read_record(lexer: Lexer) -> Record:
    """The entry at the lexer, in any layout. Raises ``EfgSyntaxError``."""
    at: dict[str, list[int]] = {"kind": [lexer.start]}
    if lexer.kind != WORD or lexer.value not in ("c", "p", "t"):
        lexer.fail("expected a node: c (chance), p (a player's) or t (terminal)")
    kind = lexer.take(WORD, "a node")
    record = Record(kind, lexer.take(STRING, "the node's label in quotation marks"), at=at)
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
        record.payoffs = _read_payoffs(lexer, at.setdefault("payoffs", []))
    return record


def _read_infoset(lexer: Lexer, record: Record) -> None:
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


def _read_payoffs(lexer: Lexer, at: list[int]) -> tuple[str, ...]:
    opened = lexer.start
    lexer.advance()
    words = []
    while lexer.kind != "}":
        if lexer.kind != WORD:
            # Where the brace is missing, this is some lines on.
            begun = lexer.line(opened)
            where = f", for the payoffs that begin on line {begun}" if begun < lexer.line(lexer.start) else ""
            lexer.fail(f"expected a payoff or }}{where}")
        at.append(lexer.start)
        words.append(lexer.take(WORD, ""))
        if lexer.kind == ",":
            lexer.advance()
    at.append(lexer.start)
    lexer.advance()
    return tuple(words)
