"""Schemes of colours for a finished picture: for a dark page, for a grey print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import replace

from .scene import PAPER, Box, Item, Mark, Scene, Stroke, Text, contrast, luminance, rgb

PLAIN, GREY, DARK = SCHEMES = ("plain", "grey", "dark")
"""The first is the one that pictures are made in: colours that are told apart with any colour vision."""

READABLE = 4.5
"""The least contrast of a text with what is behind it (WCAG 2.1, level AA)."""

DARK_PAPER = "#14171c"


def recolored(scene: Scene, scheme: str) -> Scene:
    """*scene* in the colours of *scheme*; texts keep a contrast of at least ``READABLE``."""
    if scheme == PLAIN:
        return scene
    turn = _grey if scheme == GREY else _inverted
    items = tuple(_turned(item, turn) for item in scene.items)
    changed = replace(scene, items=items, paper=DARK_PAPER if scheme == DARK else PAPER)
    return replace(changed, items=tuple(_readable(changed)))


def _turned(item: Item, turn: Callable[[str], str]) -> Item:
    color = turn(item.color) if item.color else item.color
    if isinstance(item, Box):
        return replace(item, color=color, rim=turn(item.rim) if item.rim else "")
    return replace(item, color=color)


def _hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _grey(color: str) -> str:
    light = luminance(rgb(color))
    value = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return _hex((value, value, value))


def _inverted(color: str) -> str:
    """Light for dark, of the same hue; white becomes the dark paper."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    base = rgb(DARK_PAPER)[0]
    return _hex(hls_to_rgb(hue, base + (1 - base) * (1 - light), strong)) if light < 0.999 else DARK_PAPER


def _readable(scene: Scene) -> Iterator[Item]:
    for item, behind in with_backgrounds(scene):
        if isinstance(item, Text) and contrast(rgb(item.color), rgb(behind)) < READABLE:
            yield replace(item, color=_moved(item.color, behind))
        else:
            yield item


def _moved(color: str, behind: str) -> str:
    """*color* as much lighter or darker as it must be to be read on *behind*."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    ends = (1.0, 0.0) if luminance(rgb(behind)) < 0.18 else (0.0, 1.0)
    for end in ends:
        for step in range(1, 21):
            tried = _hex(hls_to_rgb(hue, light + (end - light) * step / 20, strong))
            if contrast(rgb(tried), rgb(behind)) >= READABLE:
                return tried
    return _hex((ends[0],) * 3)


def with_backgrounds(scene: Scene) -> Iterator[tuple[Item, str]]:
    """Each item, and the colour of what was drawn last in its middle before it; lines count for nothing."""
    below: list[Box | Mark] = []
    for item in scene.items:
        if isinstance(item, Box | Mark):
            if item.color and item.opacity == 1:
                below.append(item)
            yield item, scene.paper
        elif isinstance(item, Stroke):
            yield item, scene.paper
        else:
            x, y = item.left + item.width / 2, item.y - 0.36 * item.size
            found = next((one.color for one in reversed(below) if _covers(one, x, y)), scene.paper)
            yield item, scene.paper if item.halo else found


def _covers(item: Box | Mark, x: float, y: float) -> bool:
    if isinstance(item, Box):
        return item.x <= x <= item.x + item.width and item.y <= y <= item.y + item.height
    return (x - item.x) ** 2 + (y - item.y) ** 2 <= item.r**2
