"""A picture as an immutable list of strokes, marks and texts, before any file format.

Lengths are pixels, the origin is the top left corner, y grows downwards. Items stand in drawing order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through ``points`` or, if ``curved``, cubic Béziers (the start, then three points each).

    ``role`` says what it stands for (``edge``, ``stem``, ``infoset``, ``legend``), ``node`` which node of the
    tree it ends at and ``source`` where it begins (-1 for none; a stem begins and ends at its own node).
    ``dash`` are lengths on and off, empty for solid.
    """

    points: tuple[Point, ...]
    color: str
    width: float
    role: str
    node: int = -1
    source: int = -1
    curved: bool = False
    opacity: float = 1.0
    dash: tuple[float, ...] = ()
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node: a filled circle or diamond of radius ``r`` around (x, y); ``tip`` is shown on hovering."""

    shape: Literal["circle", "diamond"]
    x: float
    y: float
    r: float
    color: str
    role: str
    node: int = -1
    opacity: float = 1.0
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; (x, y) is on its baseline, at the ``anchor``. ``halo`` clears what is behind it."""

    x: float
    y: float
    text: str
    size: float
    color: str
    role: str
    node: int = -1
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    opacity: float = 1.0
    halo: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its top left corner at (x, y), filled with ``color`` and with a line of ``rim`` around it.

    Either is empty for none. ``role`` says what it stands for (``table``, ``cell``, ``legend``), ``node`` which node
    it belongs to (-1 for none); ``tip`` is shown on hovering.
    """

    x: float
    y: float
    width: float
    height: float
    color: str
    role: str
    node: int = -1
    rim: str = ""
    line: float = 1.0
    opacity: float = 1.0
    tip: str = ""


Item = Stroke | Mark | Text | Box


@dataclass(frozen=True)
class Scene:
    """A whole picture; ``description`` says in words what it shows."""

    width: float
    height: float
    title: str
    description: str
    items: tuple[Item, ...]

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts."""
        return tuple(item for item in self.items if isinstance(item, Text))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks."""
        return tuple(item for item in self.items if isinstance(item, Mark))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All rectangles."""
        return tuple(item for item in self.items if isinstance(item, Box))

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        """All strokes."""
        return tuple(item for item in self.items if isinstance(item, Stroke))
