"""A typed line and its meaning: forgiving in form, never guessing between two moves."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..base.words import listed_in_short
from ..games.bidding import BiddingGame

Kind = Literal["move", "help", "hint", "equilibrium", "quit", "unclear"]

_COMMANDS: dict[str, Kind] = {
    "?": "help",
    "help": "help",
    "h": "hint",
    "hint": "hint",
    "e": "equilibrium",
    "equilibrium": "equilibrium",
    "q": "quit",
    "quit": "quit",
    "exit": "quit",
}

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


def understood(line: str, actions: Sequence[str], bids: Sequence[str] = ()) -> Typed:
    """What *line* means where *actions* are the legal moves.

    A move's whole label comes first, then a command's word or letter, then what a single move begins with; case and
    blanks do not matter, and ``1 x 2``, ``1*2`` and ``1 2`` are ``1x2``. *bids*: in a game of bidding all bids, lowest
    first; then it is said why a bid is too low, or that there is nothing to call.
    """
    word = " ".join(line.casefold().split())
    bid = _BID.match(word)
    spellings = [word] if bid is None else [word, f"{bid[1]}x{bid[2]}"]
    folded = {action: action.casefold() for action in actions}
    for action in (action for action in actions if action == line.strip()):
        return Typed("move", action)
    alike = [action for action, label in folded.items() if label in spellings]
    if len(alike) == 1:
        return Typed("move", alike[0])
    if word in _COMMANDS:
        return Typed(_COMMANDS[word])
    begun = alike or [a for a, label in folded.items() if word and label.startswith(spellings[-1].replace(" ", ""))]
    if len(begun) == 1:
        return Typed("move", begun[0])
    if begun:
        return Typed("unclear", f"that could be {listed_in_short(begun, 'or')}")
    said = f"{line.strip()[:40]!r} is no legal move" if word else "nothing was typed"
    said = _too_early(spellings, actions, bids) or said
    return Typed("unclear", f"{said}: {listed_in_short(actions, 'or')}; ? for help")


def _too_early(spellings: Sequence[str], actions: Sequence[str], bids: Sequence[str]) -> str:
    """Why a bid cannot be made any more, or a call not yet; empty where it is neither."""
    # Every bid above the last one is legal, so the last bid is the highest that is not.
    passed = [bid for bid in bids if bid not in actions]
    for bid in passed:
        if bid in spellings:
            return f"{bid} is too low: a bid must be higher than {passed[-1]}"
    call = BiddingGame.call
    if bids and call not in actions and spellings[0] and call.startswith(spellings[0]):
        return "there is no bid yet to call"
    return ""
