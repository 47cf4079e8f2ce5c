"""PDF: one page as large as the picture."""

from __future__ import annotations

from dataclasses import dataclass

from .canvas import render
from .scene import Scene

_POINTS_PER_PIXEL = 0.75
_LONGEST_SIDE = 14_400.0
"""In points: PDF readers take no larger page."""


@dataclass(frozen=True)
class _Pdf:
    name: str = "pdf"
    suffixes: tuple[str, ...] = (".pdf",)

    def render(self, scene: Scene) -> bytes:
        """The page; without a date, so that equal scenes give equal bytes."""
        scale = min(_POINTS_PER_PIXEL, _LONGEST_SIDE / max(scene.width, scene.height))
        metadata = {"Title": scene.title, "Subject": scene.description, "CreationDate": None}
        return render(scene, "pdf", scale, metadata)


FORMATS = (_Pdf(),)
