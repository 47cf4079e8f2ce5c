"""Make the tables and the picture of ``docs/variants.md``: ``python benchmarks/variants.py [SWEEP.db]``.

Read ``outputs/liars-dice-variants.db``, and write the CSV file next to it. If a sweep is given, first copy the sweep to
this database, with certificates only for exact values.
"""

from __future__ import annotations

import argparse
import math
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import frame
from efg_builder.base.rationals import parse
from efg_builder.display.plots.style import INK, scale, shaded
from efg_builder.experiments.sweeps.table import Row, read, to_csv

OUTPUTS = frame.ROOT / "outputs"
SWEEP = OUTPUTS / "liars-dice-variants.db"
TABLE = OUTPUTS / "liars-dice-variants.csv"

SIDES = (2, 3, 4, 5, 6)
DICE = tuple((one, two) for one in (1, 2, 3) for two in (1, 2, 3))
MATCHES = tuple((one, two) for one, two in DICE if one <= two)
WILDS = ("plain", "joker", "highest wild")
ORDERS = ("quantity-face", "face-quantity")

Bounds = tuple[Fraction, Fraction]
Cell = tuple[int, tuple[int, int], str, str]
"""The number of sides, both players' dice, the wild face (``WILDS``), and the order of bids."""


def cell(row: Row) -> Cell:
    settings = row.settings
    one, two = map(int, settings["dice"].split(","))
    wild = "plain" if settings["wild"] == "none" else WILDS[1 + (settings["wild_biddable"] == "true")]
    return int(settings["sides"]), (one, two), wild, settings["order"]


def bounds(rows: list[Row] | tuple[Row, ...]) -> dict[Cell, Bounds]:
    """Return the verified bounds of each variant's value to player 1; an exact value has equal bounds."""
    return {
        cell(row): (parse(row.figures["lower"]), parse(row.figures["upper"]))
        for row in rows
        if row.figures["lower"] is not None
    }


def starting(known: dict[Cell, Bounds], sides: int, dice: tuple[int, int], wild: str, order: str) -> Bounds | None:
    """Return the change (from -1 to 1) in the probability of winning if a player starts instead of answering, with the
    same dice.

    Let v(a, b) be the value to the first mover, with a dice against b dice. The player with the a dice wins with
    probability (1 + v(a, b)) / 2 as the first mover, and (1 - v(b, a)) / 2 as the second mover. The difference (v(a, b)
    + v(b, a)) / 2 is the same for both players.
    """
    pair = [known.get((sides, each, wild, order)) for each in (dice, dice[::-1])]
    if pair[0] is None or pair[1] is None:
        return None
    return (pair[0][0] + pair[1][0]) / 2, (pair[0][1] + pair[1][1]) / 2


def with_more_dice(
    known: dict[Cell, Bounds], sides: int, dice: tuple[int, int], wild: str, order: str
) -> Bounds | None:
    """Return the probability of winning with ``dice[1]`` dice against ``dice[0]``, if a coin decides who starts."""
    fewer, more = known.get((sides, dice, wild, order)), known.get((sides, dice[::-1], wild, order))
    if fewer is None or more is None:
        return None
    return (2 + more[0] - fewer[1]) / 4, (2 + more[1] - fewer[0]) / 4


def decimals(found: Bounds | None, scale: int, digits: int, sign: bool = True) -> str:
    """Return *found* times *scale* with *digits* decimals; bounds of a bracket are rounded outward."""
    if found is None:
        return "not run"
    mark = "+" if sign else ""
    unit = Fraction(1, 10**digits)
    low, high = (value * scale for value in found)
    if low == high:
        return f"{float(low):{mark}.{digits}f}"
    ends = (low // unit * unit, -(-high // unit) * unit)
    return "[" + ", ".join(f"{float(end):{mark}.{digits}f}" for end in ends) + "]"


def grid(title: str, names: list[str], cells: Callable[[int, int], str]) -> list[str]:
    """Return a table with a column for each number of sides; *cells* takes the row and the number of sides."""
    rows = [[name, *(cells(i, sides) for sides in SIDES)] for i, name in enumerate(names)]
    return frame.table([title, *(f"{sides} sides" for sides in SIDES)], rows)


def values(known: dict[Cell, Bounds]) -> Iterator[str]:
    """Yield the tables of values, one for each wild face and each order."""
    for wild in WILDS:
        for order in ORDERS:
            yield from [f"**{wild}, {order}**", ""]

            def shown(i: int, sides: int, wild: str = wild, order: str = order) -> str:
                found = known.get((sides, DICE[i], wild, order))
                if found is not None and found[0] == found[1] and len(str(found[0])) <= 9:
                    return str(found[0])
                return decimals(found, 1, 5)

            yield from [*grid("dice", [f"{one} against {two}" for one, two in DICE], shown), ""]


def opening(known: dict[Cell, Bounds]) -> list[str]:
    """Return the rounds of a hundred that the starter wins, with six sides and the simplest rules."""
    rows = []
    for mine in (1, 2, 3):
        found = [known[6, (mine, theirs), WILDS[0], ORDERS[0]] for theirs in (1, 2, 3)]
        wins = [decimals(((1 + low) / 2, (1 + high) / 2), 100, 1, sign=False) for low, high in found]
        rows.append([f"{mine} {'die' if mine == 1 else 'dice'}", *wins])
    return frame.table(["the starter has", *(f"against {theirs}" for theirs in (1, 2, 3))], rows)


def counts(rows: tuple[Row, ...]) -> Iterator[str]:
    """Yield the number of exact values, the widest bracket, and the total time."""
    exact = [row for row in rows if row.figures["exact"]]
    loose = [row for row in rows if not row.figures["exact"] and row.figures["lower"] is not None]
    open_ = [row for row in rows if row.figures["lower"] is None]
    seconds = sum(row.figures["cpu_seconds"] or 0 for row in rows)
    words = f"{len(exact)} of {len(rows)} values are exact"
    if loose:
        gap, widest = max((parse(row.figures["gap"]), _name(cell(row))) for row in loose)
        words += f". The other {len(loose)} have a proved bracket. "
        words += f"The widest bracket ({widest}) has a width of {float(gap):.2g}"
    if open_:
        words += f". {len(open_)} variants were not run"
    yield f"{words}. The saved attempts took {seconds / 3600:.1f} core-hours, including verification."


def _name(of: Cell) -> str:
    sides, (one, two), wild, order = of
    return f"{one} against {two}, {sides} sides, {wild}, {order}"


def picture(known: dict[Cell, Bounds], path: Path) -> None:
    """Draw six maps of the effect of starting on the probability of winning: blue is better, orange is worse."""
    with frame.plot(path, 11, 7.2, frame.PLAIN) as figure:
        from matplotlib.cm import ScalarMappable

        figure.set_layout_engine("constrained")
        axes = figure.subplots(2, 3)
        for across, order in enumerate(ORDERS):
            for down, wild in enumerate(WILDS):
                _panel(axes[across][down], known, wild, order)
        figure.suptitle(
            "Advantage of starting: additional rounds per hundred won by starting instead of answering\n"
            "(in equilibrium; blue: starting is better; orange: answering is better; pale: not settled; "
            "two numbers: proved bounds)",
            fontsize=11,
        )
        # These few steps are drawn as vectors; more steps would give a pixel image, which the site cannot recolor.
        steps = [step / 47 for step in range(48)]
        colors = ScalarMappable(cmap=scale())
        key = figure.colorbar(colors, ax=axes, location="bottom", shrink=0.6, aspect=50, pad=0.02, boundaries=steps)
        key.set_ticks([place(more) for more in TICKS], labels=[f"{more:+d}" if more else "0" for more in TICKS])
        key.set_label("additional rounds per hundred won by starting (square-root scale)")
        key.outline.set_visible(False)


TICKS = (-100, -50, -20, -5, 0, 5, 20, 50, 100)


def place(more: float) -> float:
    """Return the position of *more* percentage points on the color scale. A square root spreads small numbers."""
    return 0.5 + 0.05 * math.copysign(math.sqrt(abs(more)), more)


def _panel(axis: object, known: dict[Cell, Bounds], wild: str, order: str) -> None:
    from matplotlib.patches import Rectangle

    drawn: Any = axis
    for x, sides in enumerate(SIDES):
        for y, dice in enumerate(MATCHES):
            found = starting(known, sides, dice, wild, order)
            middle = None if found is None else float(sum(found) * 50)
            sure = found is not None and (found[0] == found[1] or found[0] > 0 or found[1] < 0)
            shade, ink = ("#f2f2f2", INK) if middle is None or not sure else shaded(place(middle))
            drawn.add_patch(Rectangle((x, y), 1, 1, facecolor=shade, edgecolor="white", linewidth=2))
            drawn.text(
                x + 0.5, y + 0.5, _cell_text(found), ha="center", va="center", color=ink,
                fontsize=7 if "\n" in _cell_text(found) else 9,
            )  # fmt: skip
    drawn.set(xlim=(0, len(SIDES)), ylim=(len(MATCHES), 0), title=f"{wild}, {order}")
    drawn.set_xticks([x + 0.5 for x in range(len(SIDES))], [f"{sides} sides" for sides in SIDES])
    drawn.set_yticks(
        [y + 0.5 for y in range(len(MATCHES))],
        [
            f"{one} and {two} dice" if one != two else f"{one} {'die' if one == 1 else 'dice'} each"
            for one, two in MATCHES
        ],
    )
    drawn.tick_params(length=0)
    for spine in drawn.spines.values():
        spine.set_visible(False)


def _cell_text(found: Bounds | None) -> str:
    if found is None:
        return "?"
    if found[0] == found[1] == 0:
        return "0"
    shown = decimals(found, 100, 1)
    return shown if not shown.startswith("[") else shown[1:-1].replace(", ", "\nto ")


def keep(source: Path) -> None:
    """Copy the sweep at *source* to ``outputs/`` without the certificates of brackets, which are large."""
    SWEEP.parent.mkdir(exist_ok=True)
    beside = SWEEP.with_suffix(".part")
    beside.unlink(missing_ok=True)
    with sqlite3.connect(f"file:{source}?mode=ro", uri=True) as old, sqlite3.connect(beside) as new:
        old.backup(new)
        new.execute("DELETE FROM certificates WHERE key IN (SELECT key FROM variants WHERE NOT exact)")
        new.execute("DELETE FROM runs")
        new.execute("UPDATE variants SET worker = NULL, run = NULL")
        # Some variants may have been running when the copy was made.
        new.execute("UPDATE variants SET status = 'timeout' WHERE status = 'running' AND lower IS NOT NULL")
        new.execute("UPDATE variants SET status = 'open' WHERE status = 'running'")
        new.commit()
        new.execute("VACUUM")
    new.close()
    beside.rename(SWEEP)


def parts(rows: tuple[Row, ...]) -> dict[str, Iterable[str]]:
    known = bounds(rows)
    return {
        "opening": opening(known),
        "counts": counts(rows),
        "values": list(values(known))[:-1],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", nargs="?", type=Path, metavar="SWEEP.db", help="sweep to copy first")
    given = parser.parse_args()
    if given.sweep is not None:
        keep(given.sweep)
    rows = read(SWEEP)
    to_csv(rows, TABLE)
    picture(bounds(rows), frame.ROOT / "docs" / "variants.svg")
    frame.fill("variants", parts(rows))


if __name__ == "__main__":
    main()
