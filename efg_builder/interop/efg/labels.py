"""Labels as Gambit takes them: clean, distinct, quoted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from ...base.words import all_named, distinct

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
"""What stands for letters and signs that Unicode does not decompose into ASCII."""

CHANCE_LABEL = "Chance"
"""Gambit's own player; nobody else may have the name."""


@dataclass(frozen=True)
class Spelling:
    """How labels are spelled: as UTF-8, or with ``portable`` in ASCII without quotation marks.

    Gambit 17 takes any printable text. Version 16 wants ASCII, and OpenSpiel ends a label at the first
    quotation mark even where it is escaped.
    """

    portable: bool = False
    as_named: bool = False

    def label(self, label: str) -> str:
        """*label* without what Gambit refuses: control characters, line ends, outer and double blanks.

        A backslash becomes a slash where it stands before another, a quotation mark or the end: Gambit
        reads two as three, and one before a mark as an escape.
        """
        if self.portable:
            label = _ascii(label)
        if not _UNFIT.search(label):
            return label
        # Blanks first: what they hid from the end may be a backslash.
        return _without_backslashes(" ".join(_UNFIT_TEXT.sub(" ", label).split()))

    def labels(self, labels: Iterable[str]) -> list[str]:
        """``label`` of each; a single look at all of them where none needs a change."""
        given = list(labels)
        joined = "\n".join(["", *given, ""])
        if joined.isascii() and joined.count("\n") == len(given) + 1:
            odd = joined.encode().translate(None, _HARMLESS)
            if not odd and not any(blanks in joined for blanks in ("  ", "\n ", " \n")):
                return given
        return [self.label(label) for label in given]

    def text(self, text: str) -> str:
        """A title or comment, which may have several lines and any blanks."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _without_backslashes(_UNFIT_TEXT.sub(" ", _ascii(text) if self.portable else text))

    def different(self, labels: Iterable[str]) -> tuple[str, ...]:
        """``labels``, but distinct and not empty if ``portable``.

        Gambit then shows the labels in the file; otherwise it reads equal and empty names of players,
        actions and outcomes too, and adds to them what ``distinct`` adds.
        """
        fit = self.labels(labels)
        return distinct(fit) if self.portable else tuple(fit)

    def players(self, names: Iterable[str]) -> str:
        """The names of the players as a file lists them: in quotation marks, none of them Gambit's for chance."""
        free = [f"{CHANCE_LABEL}_1" if name == CHANCE_LABEL else name for name in self.labels(names)]
        return " ".join(map(quoted, self.different(all_named(free))))


def quoted(label: str) -> str:
    """*label* between quotation marks, its own ones escaped."""
    return '"' + label.replace('"', '\\"') + '"'


def _without_backslashes(text: str) -> str:
    return re.sub(_BACKSLASH, lambda run: "/" * len(run[0]), text)


def _ascii(label: str) -> str:
    label = label.replace('"', "'")
    if label.isascii():
        return label
    plain = unicodedata.normalize("NFKD", label).translate(_LIKE)
    # What has no likeness goes by its number, so that different labels stay different.
    return "".join(c if c.isascii() else f"U+{ord(c):04X}" for c in plain if not unicodedata.combining(c))
