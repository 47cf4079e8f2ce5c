"""PNG, two pixels to each of the scene where that stays a sensible size."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from .canvas import render
from .scene import Scene

_ZOOM = 2.0
_MOST_PIXELS = 60e6
_LONGEST_SIDE = 30_000.0
"""Agg, which draws, gives up at 65,536; most viewers do before."""


@dataclass(frozen=True)
class _Png:
    name: str = "png"
    suffixes: tuple[str, ...] = (".png",)

    def render(self, scene: Scene) -> bytes:
        """The picture's pixels; without dates or versions, so that equal scenes give equal bytes."""
        area, side = scene.width * scene.height, max(scene.width, scene.height)
        zoom = min(_ZOOM, sqrt(_MOST_PIXELS / area), _LONGEST_SIDE / side)
        return render(scene, "png", zoom, {"Software": None, "Title": scene.title})


FORMATS = (_Png(),)
