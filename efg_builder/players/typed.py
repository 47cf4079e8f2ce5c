"""A typed line and its meaning: forgiving in form, never guessing between two moves."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ..base.words import listed_in_short

Kind = Literal["move", "help", "hint", "hints", "equilibrium", "quit", "unclear"]

_WORDS: dict[Kind, str] = {
    "help": "? help",
    "hint": "h hint",
    "hints": "hh",
    "equilibrium": "e equilibrium",
    "quit": "q quit exit",
}
_COMMANDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}

_BID = re.compile(r"(\d+)\s*(?:x|×|\*|,|-|\s)\s*(\d+)s?\Z")


MOVES_HELP = "Type a move, or the beginning of one; bids can be typed as 1x2, 1 x 2 or 1 2."


def typed_line() -> str:
    """The next line of standard input; empty where it has ended, is closed or does not exist."""
    try:
        return sys.stdin.readline()
    except (OSError, ValueError, AttributeError):
        return ""


@dataclass(frozen=True)
class Typed:
    """What was meant: of a move its label in ``text``; of something unclear, what to say."""

    kind: Kind
    text: str = ""


def numbered(actions: Sequence[str]) -> dict[str, str]:
    """*actions* by number: ``1``, ``2``, ...; ``#1``, ``#2``, ... where a move itself begins with a digit."""
    mark = "#" if any(action[:1].isdigit() for action in actions) else ""
    return {f"{mark}{k}": action for k, action in enumerate(actions, start=1)}


def understood(line: str, actions: Sequence[str], numbers: Mapping[str, str] = MappingProxyType({})) -> Typed:
    """What *line* means where *actions* are the legal moves.

    A move's whole label comes first, then a command's word or letter, then a move's number where moves are
    numbered, then what a single move begins with; case and blanks do not matter, and ``1 x 2``, ``1*2`` and ``1 2`` are
    ``1x2``.
    """
    if line.strip() in actions:
        return Typed("move", line.strip())
    word = " ".join(line.casefold().split())
    bid = _BID.match(word)
    spellings = [word] if bid is None else [word, f"{bid[1]}x{bid[2]}"]
    folded = {action: action.casefold() for action in actions}
    alike = [action for action, label in folded.items() if label in spellings]
    if len(alike) != 1 and word in _COMMANDS:
        return Typed(_COMMANDS[word])
    if len(alike) != 1 and word in numbers:
        return Typed("move", numbers[word])
    begun = alike or [a for a, label in folded.items() if word and label.startswith(spellings[-1].replace(" ", ""))]
    if len(begun) == 1:
        return Typed("move", begun[0])
    if begun:
        return Typed("unclear", f"that could be {listed_in_short(begun, 'or')}")
    said = f"{line.strip()[:40]!r} is no legal move" if word else "nothing was typed"
    return Typed("unclear", f"{said}: {listed_in_short(actions, 'or')}; ? for help")
