"""The common style of plots: fonts and colors, and reproducible files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from ...base.errors import ParameterError
from ...base.files import write_atomically
from ...base.words import minus
from ..trees.colors import contrast

if TYPE_CHECKING:
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

INK, GREY, PALE = "#222222", "#666666", "#bdbdbd"

# The colors follow Okabe and Ito, as in the drawings of trees.
FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#d8b400", "#5a3a1e", "#6fb7e0", "#3c3c3c")
MARKS = "osD^vP*X"  # the markers, which distinguish lines in prints without colors


def look(number: int) -> tuple[str, str]:
    """Return the color and the marker of a line by its number, from 0; the first 64 lines all differ."""
    return FILLS[number % len(FILLS)], MARKS[(number + number // len(FILLS)) % len(MARKS)]


ORDERED = tuple(FILLS[k] for k in (7, 0, 6, 2, 4, 1, 5, 3))  # the same colors, for ordered data
Scale = tuple[tuple[float, str], ...]
SCALE: Scale = ((0.0, "#ffe2ac"), (0.47, "#e6d0a4"), (0.5, "#cccccc"), (0.53, "#a9bfd2"), (1.0, "#0b4f8a"))
"""Colors from orange to blue, with a narrow range of gray in the middle.

The colors are distinct with any color vision. In grayscale, they become darker from orange to blue.
"""

BOTH_SIDES: Scale = ((0.0, FILLS[1]), (0.5, "#ffffff"), (1.0, FILLS[0]))
"""Colors from orange to blue that are equally strong at both ends, for cells that also contain their numbers."""

INKS = ("#000000", "#ffffff")  # black or white is readable on any color


def scale(colors: Scale = SCALE) -> Colormap:
    """Return *colors* as a matplotlib color map from 0 to 1."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("scale", list(colors), N=2001)  # an odd number has an exact middle


def graded(player: int, share: float) -> str:
    """Return the color of a hand: the player's color, from light (*share* 0, the weakest hand) to dark (1)."""
    from matplotlib.colors import to_hex

    return to_hex(scale(((0.0, "#ffffff"), (0.5, FILLS[player % len(FILLS)]), (1.0, "#000000")))(0.2 + 0.6 * share))


LEAST_PLAIN, RAISED = 1e-6, str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(number: float) -> str:
    """Return a number of an axis, such as 0.00003 or 10,000; below a millionth with a power of ten, such as 2·10⁻⁹."""
    if 0 < abs(number) < LEAST_PLAIN:
        digits, power = f"{number:.2g}".split("e")
        ten = f"10{str(int(power)).translate(RAISED)}"
        return ten if digits == "1" else f"{minus(digits)}·{ten}"
    return minus(f"{number:,.9f}".rstrip("0").rstrip("."))


def shaded(share: float, colors: Scale = SCALE) -> tuple[tuple[float, ...], str]:
    """Return the color at *share* of *colors*, and a readable text color."""
    from matplotlib.colors import to_rgb

    color = to_rgb(scale(colors)(share))
    return color, max(INKS, key=lambda ink: contrast(color, to_rgb(ink)))


DARK = ("#00365c", "#8a3c00")  # darker colors of the first two players, for text and for marks on their ``FILLS``
OTHERS = "#ededed"  # the color of the first of two actions
KINDS = (".svg", ".png")  # the formats of plots
CHART_KINDS = (*KINDS, ".pdf")  # the formats of charts for printing
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # the font that comes with matplotlib
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
    "pdf.fonttype": 42,  # TrueType fonts, so that text can be searched and copied
    "text.usetex": False,
    "text.parse_math": False,
}

DPI = 200


WITHOUT: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""The metadata to remove: the time and the version."""


def check_kind_of_plot(path: str | os.PathLike[str], kinds: Sequence[str] = KINDS) -> None:
    """Raise ``ParameterError`` unless *path* ends in one of *kinds*."""
    if Path(path).suffix.lower() not in kinds:
        listed = f"{', '.join(kinds[:-1])} or {kinds[-1]}"
        raise ParameterError(f"{path}: the file of a plot must end in {listed}")


MATPLOTLIB = RLock()
"""The lock for drawing, because matplotlib's settings and fonts are global: two threads would mix their pictures."""


@contextmanager
def style() -> Iterator[None]:
    import matplotlib

    # Start from matplotlib's defaults instead of user settings, so that equal data give equal pictures.
    defaults: dict[Any, Any] = dict(matplotlib.rcParamsDefault) | {"backend": matplotlib.rcParams["backend"]}
    with MATPLOTLIB, matplotlib.rc_context(defaults | STYLE):
        yield


HEADING, LINE = 0.55, 0.2  # in inches: from the top to the first line below a title, and between lines


def new_figure(width: float, height: float, **layout: Any) -> Figure:
    """Return an empty figure of the given size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), **layout)


def write_heading(figure: Figure, title: str, lines: Sequence[str]) -> None:
    """Write a title and *lines* at the top of *figure*; a constrained layout reserves space for them."""
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
    """Make a figure in the style of plots and write it to *path* atomically.

    Raises ``ParameterError`` if *path* does not end in one of *kinds*, and ``FileError`` if it cannot be written.
    """
    check_kind_of_plot(path, kinds)
    with style():
        figure = made()
    return write_figure(figure, path, title)


def write_figure(figure: Figure, path: str | os.PathLike[str], title: str) -> Path:
    """Write *figure* in the format of the file's suffix, without dates or versions. Raises ``FileError``."""
    out, kind = BytesIO(), Path(path).suffix.lower().removeprefix(".")
    metadata = {"Title": title, **WITHOUT[kind]}
    with style():
        figure.savefig(out, format=kind, dpi=DPI, metadata=metadata)
    return write_atomically(path, [out.getvalue()])
