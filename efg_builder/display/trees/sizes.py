"""The sizes of texts, nodes and lines in pictures, and shortened names. Lengths are in pixels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...base.rationals import Number
from ...games.bidding import FACES

FONT_FAMILY = "DejaVu Sans, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Sizes:
    """The sizes of letters, nodes and lines, in pixels."""

    label: float = 11.0
    note: float = 8.5
    badge: float = 11.0
    title: float = 17.0
    caption: float = 12.5
    node: float = 7.5  # the radius of a decision node
    end: float = 2.2  # the radius of the dot at a terminal node
    rim: float = 1.2  # the width of the line around a node
    ring: float = 2.0  # the difference between the radii of a ring and the node inside it
    plain_line: float = 1.4  # the width of an edge without a profile
    least_line: float = 1.0  # the width of an edge whose move is never made
    gain_line: float = 3.4  # the additional width of an edge whose move is certain
    band_line: float = 0.8  # the width of the line around an information set's band or a table of hands
    chip_line: float = 0.7  # the width of the line around an expected payoff
    frame_line: float = 0.6  # the width of the line around an empty cell


SIZES = Sizes()
FALL = 0.36  # the distance from the vertical center of a line of text to its baseline, as a share of the font size

DIE, DIE_ROOM = 0.92, 0.98
"""The side of a die in a text, and its advance width, as shares of the font size.

The die characters of DejaVu Sans have three quarters of this size, at which six spots look like five.
"""

THIN, BESIDE_DICE = "\u2009", re.compile(f"(?<=[{FACES}]) | (?=[{FACES}])")
"""The thin space beside a die, and the pattern of the spaces that it replaces."""

_EXTRA = {"·": 0.318, "−": 0.838, "…": 1.0, "≤": 0.838, "≈": 0.838, THIN: 0.2}
_PLAIN = (
    "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 "
    "838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 "
    "685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 "
    "392 634 592 818 592 592 525 636 337 636 838"
)
_BOLD = (
    "348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400 400 "
    "838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720 682 812 774 1103 "
    "771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 "
    "478 712 652 924 645 652 582 712 365 712 838"
)
_WIDTHS = {
    bold: {chr(32 + k): int(width) / 1000 for k, width in enumerate(widths.split())}
    | {letter: wide * width for letter, width in _EXTRA.items()}
    for bold, widths, wide in ((False, _PLAIN, 1.0), (True, _BOLD, 1.1))
}
"""For each font weight, the width of each letter as a share of the font size."""


def edge_width(p: Number | None) -> float:
    """Return the width of an edge whose move has probability *p* (None without a profile)."""
    return SIZES.plain_line if p is None else SIZES.least_line + SIZES.gain_line * float(p)


@lru_cache(maxsize=8192)  # each candidate layout measures the same texts
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of *text* in pixels, in DejaVu Sans at *size*; the fallback fonts are narrower."""
    table, wide = _WIDTHS[bold], 1.1 if bold else 1.0
    total = 0.0
    for letter in BESIDE_DICE.sub(THIN, text):
        total += table.get(letter) or (DIE_ROOM if letter in FACES else wide * (0.7 if letter < "\u2e80" else 1.0))
    return total * size


def shorten(text: str, letters: int) -> str:
    """Return *text* on one line of at most *letters* characters, without unprintable characters."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= letters else clean[: letters - 1] + "…"


def before_probability(label: str, chance: str) -> str:
    """Return the *label* of a move, with a colon before its probability *chance*: "22: 1/4" is not 22 and a quarter."""
    return f"{label}:" if label and chance and not label.endswith(":") else label


@lru_cache(maxsize=4096)
def shortened(texts: tuple[str, ...], letters: int) -> Mapping[str, str]:
    """Return a short form of each text, cut at the end.

    If two short forms would be equal, cut all texts in the middle; if two are still equal, cut none.
    """
    whole = {text: shorten(text, 10**6) for text in texts}
    ways = [
        {text: shorten(text, letters) for text in texts},
        {text: cut_inside(shown, letters) for text, shown in whole.items()},
    ]
    return next((way for way in ways if len(set(way.values())) == len(whole)), whole)


def cut_inside(text: str, letters: int) -> str:
    """Cut *text* in the middle to at most *letters* characters."""
    half = letters // 2
    return text if len(text) <= letters else f"{text[:half]}…{text[half + 1 - letters :]}"


def badges(players: Sequence[str]) -> tuple[str, ...]:
    """Return a character for each player: a letter in which all names differ, or else the player's number."""
    names = [" ".join(name.split()) for name in players]
    heads = {name[:-1] for name in names}
    for letters in (
        [name[-1:] for name in names] if len(heads) == 1 < len(names) else [],
        [name[:1].upper() for name in names],
    ):
        if letters and len(set(letters)) == len(names) and all(c.isascii() and c.isalnum() for c in letters):
            return tuple(letters)
    return tuple(str(player + 1) for player in range(len(names)))


def badge_size(badge: str) -> float:
    """Return the font size in a node, which is smaller for two digits."""
    return SIZES.badge if len(badge) == 1 else 0.7 * SIZES.badge
