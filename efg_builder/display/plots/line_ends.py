"""Lines that are named at their right ends. All plots with named lines are drawn here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING, Any

from ...games.bidding import FACES
from ..trees.colors import PAPER, readable_on
from .style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.offsetbox import AnnotationBbox

SIZE, DIE = 8.5, 12.5
"""The sizes of letters and dice in points. The die characters of the font are small."""

BESIDE, ROOM = 13.0, 1.5
"""The distance from the right edge of a panel to its labels, and between two labels, in points."""

PASSES = 3
"""Labels change the layout of a figure, and the layout changes the places of labels, so both are computed in turn."""

LOW, HIGH = -0.06, 1.06
"""The lowest and the highest place of a label, as shares of the panel's height."""

COINCIDENT = 0.01
"""Lines with the same label share it if their ends differ by at most this share of the panel's height."""

MOST_LETTERS = 40
"""Maximum number of characters in a line of a label, unless a single name is longer."""

DASHES = {"solid": "solid", "dashed": (0, (5, 1.6)), "dotted": (0, (1.2, 1.3)), "dash-dotted": (0, (7, 1.5, 1.2, 1.5))}
"""The dashes that tell decisions apart, by their names in headings."""


@dataclass(frozen=True)
class Line:
    """A line and its label, ``who`` ``what`` → ``end``, such as "K bet → 3/5". The texts may be empty.

    ``ys``: a number for each x; nan where there is none. Lines with the same ``what`` share it: "J, Q call → 0".
    """

    ys: Sequence[float]
    who: str
    what: str = ""
    end: str = ""
    color: str = INK
    dash: str = "solid"
    mark: str = ""


@dataclass(frozen=True)
class Label:
    """A label beside a panel.

    ``height``: in points. ``y``: the end of its lines, as a share of the panel's height.
    """

    box: AnnotationBbox
    height: float
    y: float

    def move(self, y: float) -> None:
        self.box.xybox = (1.0, y)


def draw_lines(axis: Axes, xs: Sequence[float], lines: Sequence[Line]) -> None:
    """Draw *lines* with a label for each group of lines that end together. ``place_labels`` places the labels."""
    for line in lines:
        shown: dict[str, Any] = {"color": line.color, "linestyle": DASHES[line.dash], "label": names_of([line])}
        axis.plot(xs, line.ys, linewidth=1.7, marker=line.mark, markersize=3.5, clip_on=False, **shown)
    for group in groups_of(lines, axis.get_ylim()):
        _write(axis, xs, group)


def end_of(ys: Sequence[float]) -> int:
    """Return the index of the last number in *ys*."""
    return max(k for k, y in enumerate(ys) if not isnan(y))


def groups_of(lines: Sequence[Line], limits: tuple[float, float]) -> list[list[Line]]:
    """Return *lines* in groups that share a label, in the order of their ends, from the lowest."""
    near = COINCIDENT * abs(limits[1] - limits[0])
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.ys[end_of(line.ys)]):
        k, y = end_of(line.ys), line.ys[end_of(line.ys)]
        same = (
            group
            for group in groups
            if (end_of(group[0].ys), group[0].end) == (k, line.end) and y - group[0].ys[k] <= near
        )
        group = next(same, None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return [sorted(group, key=lines.index) for group in groups]


def names_of(group: Sequence[Line]) -> str:
    """Return the label of *group*: lines of text, such as "J call, Q bet → 0"."""
    who: dict[str, list[str]] = {}
    for line in group:
        who.setdefault(line.what, []).append(line.who)
    *parts, last = [f"{', '.join(filter(None, names))} {what}".strip() for what, names in who.items()]
    rows = [""]
    for part in [*(f"{part}, " for part in parts), f"{last} → {group[0].end}" if group[0].end else last]:
        if rows[-1] and len(rows[-1] + part) > MOST_LETTERS:
            rows.append("")
        rows[-1] += part
    return "\n".join(rows)


def _write(axis: Axes, xs: Sequence[float], group: Sequence[Line]) -> None:
    from matplotlib.offsetbox import AnnotationBbox, HPacker, TextArea, VPacker
    from matplotlib.transforms import ScaledTranslation

    colors = {line.color for line in group}
    color = readable_on(group[0].color, PAPER) if len(colors) == 1 else INK
    rows = [
        HPacker(
            children=[
                TextArea(part, textprops={"fontsize": DIE if part[0] in FACES else SIZE, "color": color})
                for part in filter(None, re.split(f"([{FACES}]+)", row))
            ],
            pad=0,
            sep=0,
        )
        for row in names_of(group).split("\n")
    ]
    k = end_of(group[0].ys)
    right = axis.transAxes + ScaledTranslation(BESIDE / 72, 0, axis.figure.dpi_scale_trans)
    leader = {"arrowstyle": "-", "color": color if len(colors) == 1 else GREY, "linewidth": 0.7, "shrinkA": 2}
    box = AnnotationBbox(
        VPacker(children=[*rows], pad=0, sep=1),
        (xs[k], group[0].ys[k]),
        xybox=(1.0, 0.5),
        boxcoords=right,
        box_alignment=(0, 0.5),
        pad=0,
        frameon=False,
        annotation_clip=False,
        arrowprops={**leader, "shrinkB": 3, "relpos": (0, 0.5)},
    )
    axis.add_artist(box)


def place_labels(figure: Figure) -> None:
    """Place all labels beside the ends of their lines, without overlaps. Call it when the figure is complete."""
    for _ in range(PASSES):
        figure.draw_without_rendering()
        for axis in figure.axes:
            _place(axis, 72 / figure.dpi)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _place(axis: Axes, point: float) -> None:
    labels = sorted(labels_of(axis), key=lambda label: label.y)
    whole = axis.get_window_extent().height * point
    heights = [(label.height + ROOM) / whole for label in labels]
    for label, y in zip(labels, spread([label.y for label in labels], heights), strict=True):
        label.move(y)


def labels_of(axis: Axes) -> Iterator[Label]:
    """Yield the labels beside *axis*, after the layout of its figure."""
    from matplotlib.offsetbox import AnnotationBbox

    for box in axis.findobj(AnnotationBbox):
        y = axis.transAxes.inverted().transform(axis.transData.transform(box.xy))[1]
        yield Label(box, box.offsetbox.get_window_extent().height * 72 / axis.figure.dpi, y)


def spread(wanted: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Return centers near *wanted*, in ascending order, at which labels with *heights* do not overlap.

    The centers minimize the sum of squared distances from *wanted* (the pool-adjacent-violators algorithm), with all
    labels between ``LOW`` and ``HIGH`` if there is room.
    """
    above = [0.0]  # the distance of each center from the first one if all labels touch
    for one, other in pairwise(heights):
        above.append(above[-1] + (one + other) / 2)
    blocks: list[tuple[float, int]] = []  # the mean place of the first center, and the number of labels
    for y, rise in zip(wanted, above, strict=False):
        mean, count = y - rise, 1
        while blocks and blocks[-1][0] >= mean:
            other, more = blocks.pop()
            mean, count = (mean * count + other * more) / (count + more), count + more
        blocks.append((mean, count))
    firsts = [mean for mean, count in blocks for _ in range(count)]
    if heights:
        least, most = LOW + heights[0] / 2, HIGH - heights[-1] / 2 - above[-1]
        firsts = [max(min(first, most), least) for first in firsts]
    return [first + rise for first, rise in zip(firsts, above, strict=False)]
