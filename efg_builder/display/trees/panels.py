"""Tall pictures broken into panels side by side, as text is into columns: each has some of the root's moves.

The root stands at the left of every panel. Only pictures without lines between the nodes of an information set can
be broken: what the table sees, and games in which everything is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .fold import Folded

GAP = 44.0
"""Between two panels, in pixels."""

_TALL = 0.8
"""Pictures are left whole up to this height, as a share of their width: two columns would make them no clearer."""

_SLIDE = (16.0, 9.0)
_HEAD = 160.0
"""About the height of title and legend, in pixels."""

MOST = 24
"""Panels at most: 1,500 moves of the root, as many as a picture has nodes, would be on a slide in fewer."""


@dataclass(frozen=True)
class Panels:
    """Which panel each kept node is in, its height within it, and the height of the root in each of them."""

    of: tuple[int, ...]
    y: tuple[float, ...]
    start: tuple[float, ...]

    def height_of(self, above: int, index: int) -> float:
        """The height of the node *above*, as the panel of its child *index* has it."""
        return self.start[self.of[index]] if above == 0 else self.y[above]


def one_panel(y: Sequence[float]) -> Panels:
    """The picture as it is."""
    return Panels((0,) * len(y), tuple(y), (y[0],))


def fit(width: float, height: float) -> float:
    """How small a picture of this size, without its head, gets on a slide: less is better."""
    return max(width / _SLIDE[0], (height + _HEAD) / _SLIDE[1])


def is_tall(width: float, height: float) -> bool:
    """Whether a picture of this size, without its head, is too tall to be left whole."""
    return height + _HEAD > _TALL * width


def ways_to_break(folded: Folded, y: Sequence[float], row: float) -> Iterator[Panels]:
    """The picture in two panels, in three, and so on, each time as low as the root's subtrees allow."""
    blocks = _blocks(folded, y, row)
    for count in range(2, min(MOST, len(blocks)) + 1):
        groups = lowest(blocks, count)
        if len(groups) == count:
            yield _panels(y, groups)


@dataclass(frozen=True)
class Block:
    """A subtree of the root: its nodes' indices (or its number), and the room that it takes from top to bottom."""

    nodes: range
    top: float
    bottom: float


def _blocks(folded: Folded, y: Sequence[float], row: float) -> list[Block]:
    """The root's subtrees, in order."""
    first = [index for index, above in enumerate(folded.parent) if above == 0]
    spans = (range(a, b) for a, b in pairwise([*first, len(y)]))
    return [Block(span, min(y[k] for k in span) - row / 2, max(y[k] for k in span) + row / 2) for span in spans]


def lowest(blocks: Sequence[Block], count: int) -> list[list[Block]]:
    """*blocks* in at most *count* panels, the tallest of which is as low as it can be, to half a pixel."""
    low, high = max(block.bottom - block.top for block in blocks), blocks[-1].bottom - blocks[0].top
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_fill(blocks, middle)) <= count else (middle, high)
    return _fill(blocks, high)


def _fill(blocks: Sequence[Block], most: float) -> list[list[Block]]:
    """The blocks in order, as many into each panel as have room in *most* pixels."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.bottom - groups[-1][0].top <= most:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _panels(y: Sequence[float], groups: Sequence[Sequence[Block]]) -> Panels:
    of, height, start = [0] * len(y), list(y), []
    for panel, group in enumerate(groups):
        for index in (index for block in group for index in block.nodes):
            of[index], height[index] = panel, y[index] - group[0].top
        start.append((height[group[0].nodes[0]] + height[group[-1].nodes[0]]) / 2)
    height[0] = start[0]
    return Panels(tuple(of), tuple(height), tuple(start))
