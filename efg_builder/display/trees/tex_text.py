"""Any text as LaTeX in plain ASCII: whatever letters a label has, the document compiles and shows them."""

from __future__ import annotations

import re
import unicodedata

_WRITTEN = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedblright{}",
    "`": r"\textquoteleft{}",
    "[": "{[}",
    "]": "{]}",
    "−": "$-$",
    "…": r"\dots{}",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}

_TWICE = re.compile(r"([-,'])(?=\1)")


def escaped(text: str) -> str:
    """*text* for the body of a document; letters that plain LaTeX has no way to write become ``[U+4E2D]``."""
    # Two hyphens, commas or quotes in a row would become one sign.
    return _TWICE.sub(r"\1{}", "".join(map(_letter, unicodedata.normalize("NFC", text))))


def comment(text: str) -> str:
    """*text* for a comment: on one line, in ASCII, and without backslashes, which editors and scripts take for
    commands even there."""
    plain = text.replace("−", "-").replace("…", "...").replace("\\", "/")
    return "".join(c if " " <= c <= "~" else "?" if c.isprintable() else " " for c in plain)


def _letter(letter: str) -> str:
    if letter in _WRITTEN:
        return _WRITTEN[letter]
    if " " <= letter <= "~":
        return letter
    if not letter.isprintable():
        return " "
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii() and base.isalpha():
        stem = {"i": r"\i", "j": r"\j"}.get(base, base)
        return f"\\{_ACCENTS[marks[0]]}{{{stem}}}"
    return f"{{[}}U+{ord(letter):04X}{{]}}"
