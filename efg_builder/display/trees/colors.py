"""The colors of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache

INK = "#222222"
BLACK = "#000000"
GREY = "#666666"
PALE = "#6e6e6e"
PAPER = "#ffffff"
NEVER = "#8b9096"  # the color of a move that is never made; its contrast on paper is 3.2 to 1
UNREACHED = 3.5  # the minimum contrast of a player's line off the path of play, above the contrast of NEVER

# The colors follow Okabe and Ito, so they are distinct with any color vision. Neighboring colors also differ in
# lightness, so two or three players are distinct in grayscale. The colors in ``_TEXTS`` are dark enough for text.
_FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#f0c800", "#5a3a1e", "#7ec8f2", "#3c3c3c")
_TEXTS = ("#005b96", "#b34700", "#00735a", "#8e3a80", "#7a6200", "#5a3a1e", "#1f6f9f", "#3c3c3c")

_WHITE = (1.0, 1.0, 1.0)

MANY_PLAYERS = len(_FILLS)
"""The number of distinct colors. With more players, payoffs are drawn as one black vector."""

KINDS = ("#c3cad1", "#2a9d8f", "#b5304a", "#e0a526", "#7a5195", "#6b4a2b")
"""The colors of kinds of moves: passive, calling, aggressive, and three more; the first three differ in grayscale."""

FRAME = "#949494"  # the color of the line around an empty cell; its contrast on paper is 3 to 1


def fill(player: int) -> str:
    """Return the node color of *player* (from 0; -1 is chance), which is lighter from the ninth player on."""
    return GREY if player < 0 else _mixed(_FILLS[player % len(_FILLS)], 255, 0.55 ** (player // len(_FILLS)))


def ink(player: int) -> str:
    """Return the color of the player's texts and lines: the hue of ``fill``, dark enough to read on white.

    In grayscale, every player's lines are darker than the color ``NEVER``.
    """
    return GREY if player < 0 else _mixed(_TEXTS[player % len(_TEXTS)], 0, 0.6 ** (player // len(_TEXTS)))


@cache
def faded(color: str, least: float) -> str:
    """Return *color* mixed with white to 45%, or to the nearest share with a contrast of at least *least*."""
    shares = (share / 100 for share in range(45, 101, 5))
    return next((mix for share in shares if contrast(rgb(mix := _mixed(color, 255, share)), _WHITE) >= least), color)


def tint(player: int) -> str:
    """Return the color of a player's information-set bands and table headings."""
    return _mixed(fill(player), 255, 0.13)


def rim(player: int) -> str:
    """Return the color of the line around an information set's band; its contrast on paper is 3 to 1."""
    return _mixed(ink(player), 255, 0.7)


def shade(player: int, p: float) -> str:
    """Return the color of a probability: white for 0, and darker for higher probabilities."""
    return _mixed(ink(player), 255, 0.0 if p <= 0 else 0.12 + 0.88 * min(float(p), 1.0))


@cache
def _mixed(color: str, end: int, share: float) -> str:
    return "#" + "".join(f"{round(end + share * (part - end)):02x}" for part in _parts(color))


@cache
def letter_over(color: str) -> str:
    """Return black or white, whichever has the higher contrast ratio on *color* (WCAG 2.1)."""
    return max(BLACK, PAPER, key=lambda letters: contrast(rgb(color), rgb(letters)))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast ratio of two colors, from 1 to 21 (WCAG 2.1). Red, green and blue are from 0 to 1."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: Sequence[float]) -> float:
    """Return the relative luminance of a color, from 0 to 1 (WCAG 2.1). Red, green and blue are from 0 to 1."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def rgb(color: str) -> tuple[float, float, float]:
    """Return the red, green and blue components of ``#rrggbb``, each from 0 to 1."""
    red, green, blue = (part / 255 for part in _parts(color))
    return red, green, blue


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


# --- color schemes of a finished picture: gray print, dark page

SCHEMES = ("plain", "grey", "dark")
"""The color schemes; the first is the default, which suits any color vision."""

READABLE = 4.5  # the minimum contrast of text (WCAG 2.1, level AA)
VISIBLE = 3.0  # the minimum contrast of lines
DARK_PAPER = "#14171c"


def _hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def greyed(color: str) -> str:
    light = luminance(rgb(color))
    value = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return _hex((value, value, value))


def inverted(color: str) -> str:
    """Return *color* for a dark page: the same hue with inverted lightness."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    base = rgb(DARK_PAPER)[0]
    return _hex(hls_to_rgb(hue, base + (1 - base) * (1 - light), strong)) if light < 0.999 else DARK_PAPER


def readable_on(color: str, behind: str) -> str:
    """Return *color*, made lighter or darker until it is readable on *behind*."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    ends = (1.0, 0.0) if luminance(rgb(behind)) < 0.18 else (0.0, 1.0)
    for end in ends:
        for step in range(1, 21):
            tried = _hex(hls_to_rgb(hue, light + (end - light) * step / 20, strong))
            if contrast(rgb(tried), rgb(behind)) >= READABLE:
                return tried
    return _hex((ends[0],) * 3)
