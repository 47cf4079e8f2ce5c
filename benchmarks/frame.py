"""Shared code of the scripts in this folder: JSON data, separate processes, marked tables, and plots.

A script saves its results in ``benchmarks/data``, and fills a page in ``docs`` between ``<!-- name -->`` and ``<!-- end
of name -->``. A test can use a copy of the repository as *root*.
"""

from __future__ import annotations

import importlib
import inspect
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from efg_builder.base.files import write_atomically
from efg_builder.base.machine import own_peak
from efg_builder.display.plots import style as plots_style
from efg_builder.proof.certificate import encode

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parent.parent

# --- data


def data_file(name: str, root: Path = ROOT) -> Path:
    return root / "benchmarks" / "data" / f"{name}.json"


def load(name: str, root: Path = ROOT) -> dict[str, Any]:
    path = data_file(name, root)
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def keep(name: str, data: dict[str, Any], root: Path = ROOT) -> None:
    path = data_file(name, root)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, [part.encode() for part in (*encode(data), "\n")])


def two(number: float) -> str:
    """Return a positive *number* with two significant digits, e.g. 0.016, 1.0, 8.5 and 8,800."""
    rounded = float(f"{number:.2g}")
    return f"{rounded:,.{max(0, 1 - math.floor(math.log10(rounded)))}f}"


# --- measuring


def own_process(function: Callable[..., Any], *words: Any, timeout: float | None = None) -> dict[str, Any]:
    """Call *function*, from a module in this folder, in a separate process, and return its result.

    The separate process isolates the measurement of time and memory. Arguments and result are JSON values. Raises
    ``subprocess.SubprocessError`` if the call fails or takes longer than *timeout* seconds.
    """
    step = json.dumps([Path(inspect.getfile(function)).stem, function.__name__, words])
    done = subprocess.run([sys.executable, __file__, step], capture_output=True, text=True, check=True, timeout=timeout)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def peak_mib() -> int:
    """Return the peak memory of this process in MiB; 0 if it is unknown."""
    return round((own_peak() or 0) / (1 << 20))


def in_turn(runs: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median seconds of each function; each function runs once per round."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - began)
    return {name: median(taken) for name, taken in seconds.items()}


def tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# --- pages


def table(head: str | Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> list[str]:
    """Return a Markdown table; all columns after the first *left* columns contain numbers. *head* may be ``first |
    second``.
    """
    head = head.split(" | ") if isinstance(head, str) else head
    rule = ["---"] * left + ["---:"] * (len(head) - left)
    return [f"| {' | '.join(line)} |" for line in (head, rule, *rows)]


def filled(text: str, parts: Mapping[str, Iterable[str]]) -> str:
    """Return the page *text*, with *parts* between their marks. Raises ``ValueError`` if a mark is missing."""
    for name, lines in parts.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, started, rest = text.partition(start)
        _, ended, after = rest.partition(end)
        if not (started and ended):
            raise ValueError(f"the page has no place for {name}")
        text = before + start + "\n".join(["", *lines, "", end]) + after
    return text


def fill(page: str, parts: Mapping[str, Iterable[str]], root: Path = ROOT) -> None:
    """Fill the marked passages of ``docs/PAGE.md`` with *parts*."""
    path = root / "docs" / f"{page}.md"
    write_atomically(path, [filled(path.read_text(), parts).encode()])


# --- plots

PLAIN: dict[Any, Any] = plots_style.STYLE

STYLE: dict[Any, Any] = PLAIN | {
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
}

HEADING: dict[str, Any] = {"loc": "left", "fontsize": 10, "fontweight": "bold"}
"""Arguments of ``set_title``."""


def power(number: float, _: int = 0) -> str:
    """Return the label of a logarithmic tick: ``10,000``, ``10⁷``."""
    if number < 1e6:
        return f"{number:,g}"
    return f"10{str(round(math.log10(number))).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


@contextmanager
def plot(path: Path, width: float, height: float, style: dict[Any, Any] = STYLE) -> Iterator[Figure]:
    """Yield a figure of the given size in inches, then write it to *path* (.svg) with reproducible bytes."""
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(style):
        figure = Figure(figsize=(width, height))
        FigureCanvasSVG(figure)  # measures texts in the font of the file
        yield figure
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    module, name, words = json.loads(sys.argv[1])
    print(json.dumps(getattr(importlib.import_module(module), name)(*words)))
