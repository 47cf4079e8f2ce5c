"""What the plots share: fonts, colours, and a figure as a file of the same bytes each time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import ParameterError
from ...base.files import write_atomically
from ..trees.scene import contrast

if TYPE_CHECKING:
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

INK, GREY, PALE = "#222222", "#666666", "#bdbdbd"

# After Okabe and Ito, like the trees' players; the second of each pair is dark enough for text on white.
FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#d8b400", "#5a3a1e", "#6fb7e0", "#3c3c3c")
MARKS = "osD^vP*X"  # so that lines differ without colours


def look(number: int) -> tuple[str, str]:
    """The colour and the mark of the line of that number, from 0: no two of the first 64 have the same two."""
    return FILLS[number % len(FILLS)], MARKS[(number + number // len(FILLS)) % len(MARKS)]


ORDERED = tuple(FILLS[k] for k in (7, 0, 6, 2, 4, 1, 5, 3))  # the same colours for what has an order, neighbours alike
SCALE = ((0.0, "#ffe2ac"), (0.47, "#e6d0a4"), (0.5, "#cccccc"), (0.53, "#a9bfd2"), (1.0, "#0b4f8a"))
"""From orange over grey to blue, which differ with every kind of colour vision, and ever darker, so that they differ in
grey too; what is nearly even has a colour of its own."""

INKS = ("#000000", "#ffffff")  # on pale colours and on dark ones: one of the two can be read on any


def scale() -> Colormap:
    """``SCALE`` as matplotlib takes it, from 0 to 1."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("scale", list(SCALE), N=2001)  # one just in the middle


def shaded(share: float) -> tuple[tuple[float, ...], str]:
    """The colour at *share* of ``SCALE``, and the ink that can be read on it."""
    from matplotlib.colors import to_rgb

    colour = to_rgb(scale()(share))
    return colour, max(INKS, key=lambda ink: contrast(colour, to_rgb(ink)))


DARK = ("#00365c", "#8a3c00")  # the first two players' marks on their own colours
OTHERS = "#ededed"  # where the action that a colour stands for is not taken
KINDS = (".svg", ".png")  # the formats of plots
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # matplotlib brings it
    "font.size": 9.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "svg.hashsalt": "efg_builder",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,  # letters can be searched and copied
    "text.usetex": False,
    "text.parse_math": False,
}

DPI = 200


WITHOUT: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What would say when and by which version a file was made."""


def check_kind_of_plot(path: str | os.PathLike[str], kinds: Sequence[str] = KINDS) -> None:
    """Raise ``ParameterError`` unless *path* ends in one of *kinds*."""
    if Path(path).suffix.lower() not in kinds:
        listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise ParameterError(f"{path}: a plot is a file that ends in {listed}")


@contextmanager
def style() -> Iterator[None]:
    """matplotlib with the house's settings; what was set before comes back afterwards."""
    import matplotlib

    # From the defaults, not from what a user has set: equal data give equal pictures.
    defaults: dict[Any, Any] = dict(matplotlib.rcParamsDefault) | {"backend": matplotlib.rcParams["backend"]}
    with matplotlib.rc_context(defaults | STYLE):
        yield


HEADING, LINE = 0.55, 0.2  # inches above the first line below a title, and from line to line


def new_figure(width: float, height: float, **layout: Any) -> Figure:
    """Return an empty figure of this size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), **layout)


def write_heading(figure: Figure, title: str, lines: Sequence[str]) -> None:
    """Write a title and *lines* below it at the top of *figure*; a layout by constraints leaves them room."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    wide, high = figure.get_size_inches()
    left = 0.25 / wide
    figure.text(left, 1 - 0.3 / high, title, fontsize=13, fontweight="bold", color=INK)
    for number, line in enumerate(lines):
        figure.text(left, 1 - (HEADING + LINE * number) / high, line, fontsize=9, color=GREY)
    if isinstance(engine := figure.get_layout_engine(), ConstrainedLayoutEngine):
        top = (HEADING + LINE * len(lines)) / high
        engine.set(rect=(0.25 / wide, 0.1 / high, 1 - 0.35 / wide, 1 - top - 0.1 / high))


def write_plot(
    path: str | os.PathLike[str], made: Callable[[], Figure], title: str, kinds: Sequence[str] = KINDS
) -> Path:
    """Make a figure in the house's style and write it to *path*, whole or not at all.

    Raises ``ParameterError`` unless *path* ends in one of *kinds*, what *made* raises, and ``FileError``.
    """
    check_kind_of_plot(path, kinds)
    with style():
        figure = made()
    return write_figure(figure, path, title)


def write_figure(figure: Figure, path: str | os.PathLike[str], title: str) -> Path:
    """Write *figure* as its file name says, without dates or versions. Raises ``FileError``."""
    out, kind = BytesIO(), Path(path).suffix.lower().removeprefix(".")
    metadata = {"Title": title, **WITHOUT[kind]}
    with style():
        figure.savefig(out, format=kind, dpi=DPI, metadata=metadata)
    return write_atomically(path, [out.getvalue()])
