"""Colours, the widths of lines, sizes, and the widths of letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from ...base.rationals import Number

FONT_FAMILY = "DejaVu Sans, Helvetica, Arial, sans-serif"

INK = "#222222"
BLACK = "#000000"
GREY = "#666666"
PALE = "#6e6e6e"
PAPER = "#ffffff"
DIM = 0.25
"""The opacity of lines that are never reached, where that is asked for."""

# After Okabe and Ito: distinct with any colour vision. Neighbours also differ in lightness, so that a
# grey print still tells two or three players apart. The second colour of each is dark enough for text.
_FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#f0c800", "#5a3a1e", "#7ec8f2", "#3c3c3c")
_TEXTS = ("#005b96", "#b34700", "#00735a", "#8e3a80", "#7a6200", "#5a3a1e", "#1f6f9f", "#3c3c3c")

LABEL_SIZE = 11.0
NOTE_SIZE = 8.5
BADGE_SIZE = 10.5
TITLE_SIZE = 17.0
CAPTION_SIZE = 12.5
RADIUS = 7.5
"""Of a decision node, in pixels, as are all sizes."""

END_RADIUS = 2.2
"""Of the dot at an end."""

RIM = 1.2
"""The width of the rim of paper around a node."""

PLAIN_LINE, LEAST_LINE, GAIN_LINE = 1.4, 1.0, 3.4
"""Widths of edges: of all without a profile; of a move that is never made; what certainty adds to that."""

SET_LINE = 2.0
"""The width of the line of an information set."""

DOTS, SPARSE_DOTS, STUB_DOTS = (0.1, 4.4), (0.1, 10.0), (0.1, 3.4)
"""Dots of that line, of one that crosses another set of the player, and of its open ends: lengths on and off."""

OFF_PATH = (5.0, 3.6)
"""Dashes of moves where play never gets."""

TABLE_LINE, FRAME_LINE = 1.3, 0.6
"""Widths of the lines around a table of hands, and around an empty cell."""

FRAME = "#d5d5d5"
"""The colour of the line around an empty cell."""

_FIRST, _LAST = 32, 126
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
_WIDTHS = {bold: [int(w) / 1000 for w in text.split()] for bold, text in ((False, _PLAIN), (True, _BOLD))}


def edge_width(p: Number | None) -> float:
    """The width of an edge whose move has probability *p*; None without a profile."""
    return PLAIN_LINE if p is None else LEAST_LINE + GAIN_LINE * float(p)


@lru_cache(maxsize=8192)  # layouts ask for the same words at every size that is tried
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of *text* in DejaVu Sans, in pixels at *size* pixels; the fallback fonts are narrower."""
    table, wide = _WIDTHS[bold], 1.1 if bold else 1.0
    total = 0.0
    for letter in text:
        code = ord(letter)
        if _FIRST <= code <= _LAST:
            total += table[code - _FIRST]
        else:
            total += wide * _EXTRA.get(letter, 0.7 if code < 0x2E80 else 1.0)
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
        {text: _cut_inside(shown, letters) for text, shown in whole.items()},
    ]
    return next((way for way in ways if len(set(way.values())) == len(whole)), whole)


def _cut_inside(text: str, letters: int) -> str:
    half = letters // 2
    return text if len(text) <= letters else f"{text[:half]}…{text[half + 1 - letters :]}"


def fill(player: int) -> str:
    """The colour of a player's nodes (players from 0; -1 is chance); lighter from the ninth player on."""
    return GREY if player < 0 else _mixed(_FILLS, player, 255, 0.45)


def ink(player: int) -> str:
    """The colour of a player's numbers: the same hue, dark enough to read on white."""
    return GREY if player < 0 else _mixed(_TEXTS, player, 0, 0.4)


def _mixed(colors: Sequence[str], player: int, end: int, share: float) -> str:
    """The color of *player*; once the colors are used up, mixed with black (*end* 0) or white (255) each time."""
    kept = (1 - share) ** (player // len(colors))
    return "#" + "".join(f"{round(end + kept * (part - end)):02x}" for part in _parts(colors[player % len(colors)]))


def letter_on(player: int) -> str:
    """The colour of the letter inside a player's node."""
    return letter_over(fill(player))


def tint(player: int) -> str:
    """The colour within an enclosure."""
    return "#" + "".join(f"{round(255 + 0.13 * (part - 255)):02x}" for part in _parts(fill(player)))


def shade(player: int, p: float) -> str:
    """The colour of a probability: the darker the likelier, in a grey print too; white for 0."""
    strength = 0.0 if p <= 0 else 0.12 + 0.88 * min(float(p), 1.0)
    mixed = (round(255 + strength * (part - 255)) for part in _parts(ink(player)))
    return "#" + "".join(f"{part:02x}" for part in mixed)


@cache
def letter_over(color: str) -> str:
    """Black or white, whichever is read better on *color*: the one with the higher contrast ratio (WCAG 2.1)."""
    return max(BLACK, PAPER, key=lambda letters: contrast(rgb(color), rgb(letters)))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.1); red, green and blue are from 0 to 1."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: Sequence[float]) -> float:
    """The relative luminance of a colour, from 0 to 1 (WCAG 2.1); red, green and blue are from 0 to 1."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def rgb(color: str) -> tuple[float, float, float]:
    """Red, green and blue of ``#rrggbb``, each from 0 to 1."""
    red, green, blue = (part / 255 for part in _parts(color))
    return red, green, blue


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def badges(players: Sequence[str]) -> tuple[str, ...]:
    """One letter for each player: the one in which their names differ, or else their numbers."""
    names = [" ".join(name.split()) for name in players]
    heads = {name[:-1] for name in names}
    for letters in ([name[-1:] for name in names] if len(heads) == 1 else [], [name[:1].upper() for name in names]):
        if letters and len(set(letters)) == len(names) and all(c.isascii() and c.isalnum() for c in letters):
            return tuple(letters)
    return tuple(str(player + 1) for player in range(len(names)))
