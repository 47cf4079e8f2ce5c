"""Dice in texts, drawn as shapes, because fonts lack die characters or draw them too small to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...games.bidding import FACES
from .scene import BESIDE_DICE, DIE, DIE_ROOM, FALL, THIN, Box, Item, Mark, Scene, Text, text_width

_SPOTS = ("4", "26", "246", "0268", "02468", "035268")
"""The spots of each face of a die, as indices into a 3 x 3 grid, row by row."""


def painted(scene: Scene) -> Iterator[Item]:
    """Yield the items of *scene*; shapes replace the die faces in texts."""
    for item in scene.items:
        if isinstance(item, Text) and any(face in item.text for face in FACES):
            yield from _with_dice(item)
        else:
            yield item


def _with_dice(item: Text) -> Iterator[Item]:
    x = item.left
    for part in re.split(f"([{FACES}])", BESIDE_DICE.sub(THIN, item.text)):
        if part and part in FACES:
            yield from _die(FACES.index(part), x + DIE_ROOM / 2 * item.size, item)
        elif words := part.strip():
            indent = text_width(part[: part.index(words)], item.size, item.bold)
            yield replace(item, x=x + indent, text=words, anchor="start")
        x += text_width(part, item.size, item.bold)


def _die(face: int, x: float, beside: Text) -> Iterator[Item]:
    y, side, color = beside.y - FALL * beside.size, DIE * beside.size, beside.color
    corner, line = (x - side / 2, y - side / 2), 0.08 * side
    yield Box(*corner, side, side, "", "die", rim=color, line=line, round=0.2 * side)
    for place in map(int, _SPOTS[face]):
        down, along = place // 3 - 1, place % 3 - 1
        at = x + 0.27 * side * along, y + 0.27 * side * down
        yield Mark("circle", *at, 0.12 * side, color, "die")
