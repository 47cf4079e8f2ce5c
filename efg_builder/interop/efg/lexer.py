"""The tokens of EFG 2 text, and errors that say where."""

from __future__ import annotations

import re
from typing import NoReturn

from ...base.errors import EfgSyntaxError

STRING, WORD, END = "string", "word", "end"
"""Kinds of tokens; a brace or a comma is its own kind."""

_BLANKS = r"[ \t\r\n\v\f]*+"
_TOKEN = re.compile(_BLANKS + r'(?:("[^"\\]*+(?:\\.[^"\\]*+)*+")|([{},])|([^ \t\r\n\v\f"{},]++)|(\Z))', re.DOTALL)
_GAP = re.compile(_BLANKS)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 40


class Lexer:
    """Reads tokens one by one; the current one is ``kind``, ``value`` and ``start`` (its offset).

    A string's value is what stands between its quotation marks, with ``\\"`` and ``\\\\`` resolved.
    """

    def __init__(self, text: str, source: str = "", position: int = 0) -> None:
        self.text, self.source = text, source
        self.seek(position)

    def seek(self, position: int) -> None:
        """Make the first token at or after the offset *position* the current one."""
        self._end = position
        self.advance()

    def advance(self) -> None:
        """Go to the next token. Raises ``EfgSyntaxError`` for an open string or a control character."""
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
        """The value of the current token, which must be of this *kind*; then the next one is current."""
        if self.kind != kind:
            self.fail(f"expected {expected}")
        value = self.value
        self.advance()
        return value

    def line(self, at: int) -> int:
        """The number of the line, from 1, that has the offset *at*."""
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
