"""The sizes of what is drawn and of letters, in pixels, and names cut to size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...base.rationals import Number

FONT_FAMILY = "DejaVu Sans, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Sizes:
    """The sizes of letters, nodes and lines, in pixels; of dots and dashes the lengths on and off."""

    label: float = 11.0
    note: float = 8.5
    badge: float = 10.5
    title: float = 17.0
    caption: float = 12.5
    node: float = 7.5  # the radius of a decision node
    end: float = 2.2  # the radius of the dot at an end
    rim: float = 1.2  # the width of the rim of paper around a node
    plain_line: float = 1.4  # an edge without a profile
    least_line: float = 1.0  # an edge whose move is never made
    gain_line: float = 3.4  # what certainty adds to that
    set_line: float = 2.0  # the line of an information set
    table_line: float = 1.3  # around a table of hands
    frame_line: float = 0.6  # around an empty cell
    dots: tuple[float, float] = (0.1, 4.4)  # of the line of an information set
    sparse_dots: tuple[float, float] = (0.1, 10.0)  # of one that crosses another information set of the player
    stub_dots: tuple[float, float] = (0.1, 3.4)  # of its open ends
    dashes: tuple[float, float] = (5.0, 3.6)  # of moves off the path of play


SIZES = Sizes()

_EXTRA = {"·": 0.318, "−": 0.838, "…": 1.0, "≤": 0.838, "≈": 0.838}
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
"""By weight, the widths of letters of one pixel."""


def edge_width(p: Number | None) -> float:
    """The width of an edge whose move has probability *p*; None without a profile."""
    return SIZES.plain_line if p is None else SIZES.least_line + SIZES.gain_line * float(p)


@lru_cache(maxsize=8192)  # layouts ask for the same words at every size that is tried
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of *text* in DejaVu Sans, in pixels at *size* pixels; the fallback fonts are narrower."""
    table, wide = _WIDTHS[bold], 1.1 if bold else 1.0
    total = 0.0
    for letter in text:
        total += table.get(letter) or wide * (0.7 if letter < "\u2e80" else 1.0)
    return total * size


def shorten(text: str, letters: int) -> str:
    """*text* on one line of at most this many letters, without what cannot be printed."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= letters else clean[: letters - 1] + "…"


@lru_cache(maxsize=4096)
def shortened(texts: tuple[str, ...], letters: int) -> Mapping[str, str]:
    """*texts* as ``shorten`` makes them; where that makes different ones equal, cut in the middle, or not at all."""
    whole = {text: shorten(text, 10**6) for text in texts}
    ways = [
        {text: shorten(text, letters) for text in texts},
        {text: cut_inside(shown, letters) for text, shown in whole.items()},
    ]
    return next((way for way in ways if len(set(way.values())) == len(whole)), whole)


def cut_inside(text: str, letters: int) -> str:
    """*text* of at most this many letters, cut in the middle."""
    half = letters // 2
    return text if len(text) <= letters else f"{text[:half]}…{text[half + 1 - letters :]}"


def badges(players: Sequence[str]) -> tuple[str, ...]:
    """One letter for each player: the one in which their names differ, or else their numbers."""
    names = [" ".join(name.split()) for name in players]
    heads = {name[:-1] for name in names}
    for letters in ([name[-1:] for name in names] if len(heads) == 1 else [], [name[:1].upper() for name in names]):
        if letters and len(set(letters)) == len(names) and all(c.isascii() and c.isalnum() for c in letters):
            return tuple(letters)
    return tuple(str(player + 1) for player in range(len(names)))
