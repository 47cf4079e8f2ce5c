"""The colors of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

INK = "#222222"
BLACK = "#000000"
GREY = "#666666"
PALE = "#6e6e6e"
PAPER = "#ffffff"
DIM = 0.25  # the opacity of lines that are never reached, where that is asked for

# After Okabe and Ito: distinct with any colour vision. Neighbours also differ in lightness, so that a
# grey print still tells two or three players apart. The second colour of each is dark enough for text.
_FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#f0c800", "#5a3a1e", "#7ec8f2", "#3c3c3c")
_TEXTS = ("#005b96", "#b34700", "#00735a", "#8e3a80", "#7a6200", "#5a3a1e", "#1f6f9f", "#3c3c3c")

FRAME = "#d5d5d5"  # the colour of the line around an empty cell


def fill(player: int) -> str:
    """The colour of a player's nodes (players from 0; -1 is chance); lighter from the ninth player on."""
    return GREY if player < 0 else _mixed(_FILLS[player % len(_FILLS)], 255, 0.55 ** (player // len(_FILLS)))


def ink(player: int) -> str:
    """The colour of a player's numbers: the same hue, dark enough to read on white."""
    return GREY if player < 0 else _mixed(_TEXTS[player % len(_TEXTS)], 0, 0.6 ** (player // len(_TEXTS)))


def tint(player: int) -> str:
    """The colour within an enclosure."""
    return _mixed(fill(player), 255, 0.13)


def shade(player: int, p: float) -> str:
    """The colour of a probability: the darker the likelier, in a grey print too; white for 0."""
    return _mixed(ink(player), 255, 0.0 if p <= 0 else 0.12 + 0.88 * min(float(p), 1.0))


def _mixed(color: str, end: int, share: float) -> str:
    return "#" + "".join(f"{round(end + share * (part - end)):02x}" for part in _parts(color))


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
