"""Measure the bidding oracle: ``python benchmarks/oracle.py`` makes ``docs/oracle.md`` and its plots.

One process solves each game of ``GAMES`` within a time limit; another process verifies the certificate. Results are
saved at once, so ``--missing`` can resume an interrupted run. A wider bracket replaces a narrower bracket only with
``--force``. ``--ablation`` solves the same games with one part of the oracle changed at a time. ``--render`` only makes
the page and its plots.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from fractions import Fraction
from functools import cache
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import efg_builder as eb
import frame
from efg_builder.base.rationals import text
from efg_builder.display.plots.style import GREY, look
from efg_builder.equilibria.solution_files import versions
from efg_builder.games.protocol import Game
from efg_builder.proof.certificate import verify_solution
from efg_builder.solvers.driver import STEP
from efg_builder.solvers.lp import highs
from efg_builder.solvers.oracle import regret, response, search

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Record = dict[str, Any]
Records = dict[str, Record]

# --- the games

LIMIT = 60.0
"""Time limit in seconds for a game that is not in ``LIMITS``."""

LIMITS = {
    **dict.fromkeys(("3v3-4", "2v1-6-highest"), 300.0),
    **dict.fromkeys(("1v3-6", "3v2-4", "2v3-4", "3v2-5", "2v3-5"), 600.0),
    **dict.fromkeys(("3v2-6", "2v3-6", "3v3-5", "3v3-6", "2v2-6-joker", "4v4-6", "5v5-6"), 3600.0),
}

RULES: dict[str, dict[str, Any]] = {
    "plain": {},
    "joker": {"wild": 1, "wild_biddable": False},
    "highest": {"wild": "highest"},
}

IN_WORDS = {"plain": "", "joker": ", joker", "highest": ", highest wild"}


@dataclass(frozen=True)
class Measured:
    """A measured game: both players' numbers of dice, the number of sides, and the name of its ``RULES``."""

    dice: tuple[int, int]
    sides: int
    rules: str = "plain"

    @property
    def name(self) -> str:
        """The name, such as ``3v1-6`` or ``2v1-6-joker``."""
        return f"{self.dice[0]}v{self.dice[1]}-{self.sides}" + ("" if self.rules == "plain" else f"-{self.rules}")

    @property
    def title(self) -> str:
        """The title, such as ``2v2, 6 sides, joker``."""
        return f"{self.dice[0]}v{self.dice[1]}, {self.sides} sides{IN_WORDS[self.rules]}"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings for ``eb.game("liars-dice", ...)``."""
        return {"sides": self.sides, "dice": list(self.dice), **RULES[self.rules]}

    @property
    def published(self) -> dict[str, str] | None:
        """The published value and its source, or None."""
        for entry in _published():
            wild = {None: "plain", 1: "joker", "highest face": "highest"}[entry["wild"]]
            if (tuple(entry["dice"]), wild) == (self.dice, self.rules) and str(self.sides) in entry["values"]:
                return {"value": entry["values"][str(self.sides)], "source": entry["source"]}
        return None


@cache
def _published() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((frame.ROOT / "tests/published_values.json").read_text())["liars_dice"]
    return found


def make(settings: dict[str, Any]) -> Game:
    """Return the game with these *settings* (JSON values)."""
    return eb.game("liars-dice", **{key: tuple(v) if isinstance(v, list) else v for key, v in settings.items()})


def _one(*dice: int, sides: range, rules: str = "plain") -> list[Measured]:
    return [Measured((dice[0], dice[1]), count, rules) for count in sides]


SIX = range(6, 7)

GAMES: tuple[Measured, ...] = (
    *_one(1, 1, sides=range(2, 7)),
    *_one(1, 1, sides=range(2, 7), rules="joker"),
    *_one(1, 1, sides=SIX, rules="highest"),
    *_one(2, 1, sides=range(2, 7)),
    *_one(1, 2, sides=range(2, 7)),
    *_one(2, 1, sides=SIX, rules="joker"),
    *_one(1, 2, sides=SIX, rules="joker"),
    *_one(2, 2, sides=range(2, 7)),
    *_one(3, 1, sides=range(3, 7)),
    *_one(1, 3, sides=range(3, 7)),
    *_one(2, 1, sides=range(5, 7), rules="highest"),
    *_one(3, 2, sides=range(3, 7)),
    *_one(2, 3, sides=range(3, 7)),
    *_one(3, 3, sides=range(3, 7)),
    *_one(2, 2, sides=SIX, rules="joker"),
    *_one(4, 4, sides=SIX),
    *_one(5, 5, sides=SIX),
)
"""The games from the quickest to the hardest, including every game with a published value."""

BY_NAME = {game.name: game for game in GAMES}

# --- measuring a game

KEPT_BYTES = 300_000
"""The maximum size of a saved certificate in bytes."""

MOST_POINTS = 120
"""The maximum number of saved points of the gap over time."""

ABOUT = "Results of the oracle for each game. benchmarks/oracle.py writes this file."

_LINE = re.compile(r"round (\d+): gap ([0-9.e+-]+)")


class Course:
    """The gap over time, read from lines of progress."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.points: list[tuple[float, float]] = []

    def __call__(self, line: str) -> None:
        found = _LINE.match(line)
        if found is None:
            return
        gap = float(found[2])
        if not self.points or gap < self.points[-1][1]:
            self.points.append((round(time.monotonic() - self.began, 3), gap))

    def to_json(self) -> dict[str, list[float]]:
        """Return the seconds and gaps; if there are many points, only evenly spaced points."""
        step = -(-len(self.points) // MOST_POINTS) or 1
        kept = self.points[::step]
        kept += [] if not self.points or kept[-1] == self.points[-1] else self.points[-1:]
        return {"seconds": [seconds for seconds, _ in kept], "gap": [gap for _, gap in kept]}


def load_libraries() -> None:
    """Solve a tiny game, so that the next measurement excludes loading the libraries."""
    eb.solve(eb.game("liars-dice"), "oracle")


def solve(settings: dict[str, Any], seconds: float, path: str) -> Record:
    """Solve a game by the oracle, and write the certificate to *path*."""
    load_libraries()
    game, course = make(settings), Course()
    size = game.size()
    assert size is not None
    solution = eb.solve(game, "oracle", timeout=seconds, progress=course)
    solution.write(path)
    lower, upper = solution.lower, solution.upper
    assert lower is not None
    assert upper is not None
    return {
        "title": solution.title,
        "infosets": sum(size.infosets),
        "nodes": size.nodes,
        "status": solution.status,
        "message": solution.message,
        "exact": solution.exact,
        "lower": text(lower),
        "upper": text(upper),
        "gap": text(upper - lower),
        "seconds": round(solution.seconds, 3),
        "peak_mib": frame.peak_mib(),
        **solution.details,
        "certificate_bytes": Path(path).stat().st_size,
        "course": course.to_json(),
        "versions": versions(),
    }


def prove(path: str) -> Record:
    began = time.monotonic()
    proof = verify_solution(path)
    seconds = round(time.monotonic() - began, 3)
    assert proof.lower is not None
    assert proof.upper is not None
    bounds = {"lower": text(proof.lower), "upper": text(proof.upper), "written": list(proof.written)}
    return bounds | {"verify_seconds": seconds, "verify_mib": frame.peak_mib()}


def measure(game: Measured, limit: float, root: Path, force: bool = False) -> str:
    """Solve and verify *game*, save a better result, and return a line about it."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / f"{game.name}.json.gz"
        try:
            found = frame.own_process(solve, game.settings, limit, str(path), timeout=2 * limit + 300)
            proved = frame.own_process(prove, str(path))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            return f"{game.name}: failed: {(error.stderr or '').strip().splitlines()[-1:] or error}"
        agrees = all(found[bound] == proved[bound] for bound in ("lower", "upper"))
        record = {"settings": game.settings, "limit": limit, "cores": os.cpu_count(), **found, **proved}
        record |= {"proved": agrees, "published": _compared(game, record), "certificate": None}
        records = frame.load("oracle", root).get("games", {})
        old = records.get(game.name)
        if not force and old is not None and Fraction(old["gap"]) < Fraction(record["gap"]):
            return f"{_line(game, record)}; not kept: the gap was {float(Fraction(old['gap'])):.3g}"
        record["certificate"] = _keep_certificate(path, root)
        records[game.name] = record
        ordered = {name: records[name] for name in BY_NAME if name in records}
        frame.keep("oracle", {"about": ABOUT, "games": ordered}, root)
    return _line(game, record)


def _keep_certificate(path: Path, root: Path) -> str | None:
    target = root / "docs" / "certificates" / path.name
    if path.stat().st_size > KEPT_BYTES:
        target.unlink(missing_ok=True)
        return None
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, target)
    return f"certificates/{path.name}"


def _compared(game: Measured, record: Record) -> Record | None:
    if game.published is None:
        return None
    inside = Fraction(record["lower"]) <= Fraction(game.published["value"]) <= Fraction(record["upper"])
    return {**game.published, "agrees": inside}


def _line(game: Measured, record: Record) -> str:
    what = f"value {record['lower']}" if record["exact"] else f"gap {float(Fraction(record['gap'])):.3g}"
    proof = "proved" if record["proved"] else "NOT PROVED"
    return f"{game.name}: {record['status']}, {what}, {record['seconds']:.1f} s, {record['peak_mib']} MiB, {proof}"


# --- ablation: one part changed at a time

ABLATED = {
    "2v2-6": "2v2",
    "3v1-6": "3v1",
    "2v1-6-highest": "2v1, highest face wild",
    "3v3-4": "3v3, four sides",
}

SEARCH: Any = search
RESPONSE: Any = response
"""The modules that the ablation changes."""

MIDDLE_CUT, MIDDLE_ENDS = 1e-5, 1e-4
"""``MIDDLE_CUT``: weights below this value are noise of the interior point method. ``MIDDLE_ENDS``: the gap at which
the simplex method continues.
"""


def nothing() -> None:
    """Change nothing."""


def vertices() -> None:
    """Respond only to the plans of the linear programs, not to the best plans so far."""
    SEARCH.SETTINGS = dataclasses.replace(SEARCH.SETTINGS, blend_share=1.0)


def uncompiled() -> None:
    """Compute regrets by NumPy."""
    regret.fastest = regret.NumpyStep


def cold() -> None:
    """Solve each restricted game's linear program without a starting basis."""
    warm = SEARCH.maximize
    SEARCH.maximize = lambda program, start=None, **given: warm(program, **given)


def middle() -> None:
    """Use the interior point method without crossover while the gap is wide, then simplex without a starting basis."""
    simplex, respond, wide = SEARCH.maximize, SEARCH.best_responses, [True]
    cut = SEARCH.SETTINGS.least_weight

    def maximize(program: Any, start: Any = None, **given: Any) -> Any:
        if not wide[0]:
            return (yield from simplex(program, **given))
        left = yield STEP
        limit = float("inf") if left is None else left
        solver = highs._solver(program, {"solver": "ipm", "run_crossover": "off"}, limit)
        yield from highs._run(solver, "")
        point = solver.getSolution()
        rows, columns = program.matrix.shape
        basic_columns, basic_rows = np.zeros(columns, dtype=bool), np.ones(rows, dtype=bool)
        return highs.Vertex(np.array(point.col_value), -np.array(point.row_dual), basic_columns, basic_rows)

    def best_responses(search: Any, *given: Any) -> Any:
        least = MIDDLE_CUT if wide[0] else cut
        SEARCH.SETTINGS = dataclasses.replace(SEARCH.SETTINGS, least_weight=least)
        moves = respond(search, *given)
        if search.gap <= MIDDLE_ENDS:
            wide[0] = False  # even if the gap is closed: only the simplex method's basis can be solved exactly
        return moves

    SEARCH.maximize, SEARCH.best_responses = maximize, best_responses


def best_only() -> None:
    """Add only the best improving move of each information set."""
    every = RESPONSE.work_out

    def work_out(walk: Any, threshold: Any) -> Any:
        found = every(walk, threshold)
        gains = {
            node: {bid: best for bid, hands in row.items() if (best := hands & (found.best[:, node] == bid)).any()}
            for node, row in found.gains.items()
        }
        return dataclasses.replace(found, gains=gains)

    RESPONSE.work_out = work_out


def share(part: float) -> Callable[[], None]:
    """Add moves that gain more than this share of the gap."""

    def change() -> None:
        SEARCH.SETTINGS = dataclasses.replace(SEARCH.SETTINGS, add_share_of_gap=part)

    return change


def devex() -> None:
    """Use Devex pricing in the simplex method instead of HiGHS' choice."""
    highs.SIMPLEX = {**highs.SIMPLEX, "simplex_dual_edge_weight_strategy": 1}


LP = "linear programs alone"
PROGRAMS = {"master": "lp"}

CHANGES: dict[str, tuple[Callable[[], None], dict[str, str]]] = {
    "the search unchanged": (nothing, {}),
    "all bids from the start": (nothing, {"bids": "all"}),
    "best responses to vertices": (vertices, {}),
    "NumPy instead of compiled steps": (uncompiled, {}),
    LP: (nothing, PROGRAMS),
    f"{LP}; each round starts simplex anew": (cold, PROGRAMS),
    f"{LP}; interior point first, simplex last": (middle, PROGRAMS),
    f"{LP}; only the best move of an information set": (best_only, PROGRAMS),
    f"{LP}; only moves that gain 10% of the gap": (share(0.1), PROGRAMS),
    f"{LP}; only moves that gain 30% of the gap": (share(0.3), PROGRAMS),
    f"{LP}; Devex pricing": (devex, PROGRAMS),
}
"""Each change of the search with its options, by name.

These changes did not help, and have no code any more: constraints grouped by classes of hands (no faster with up to 21
hands per player); moves of one player at a time (slower on 3v3 with four sides); the interior point method with
crossover instead of the last basis (7 to 38 s for a program of 12,000 rows); the simplex method without perturbation,
without scaling, in primal form, or with Dantzig pricing (2, 1.3, 4 or 8 times as long); no moves of weight 0 off the
opponent's path (half the size, 2 to 12% of the time); only histories that both averages reach (no faster); more
accurate averages before the first linear program (the gap at the first vertex rises from 9e-6 to 0.11); probabilities
within 5 to 40% of their averages (equally many rounds); predictive regrets (twice the gap of CFR+ after 800 iterations
on 2v2 with a joker); no histories that the averages rarely reach (the search adds them again, because they deter the
opponent's deviations).
"""

SMALL = ("vertices", "pricing", "only moves", "interior")
SHOWN = [change for change in CHANGES if not any(word in change for word in SMALL)]
"""The changes in the table on the page. All results are in ``benchmarks/data/ablation.json``."""


def changed(name: str, change: str, limit: float) -> Record:
    load_libraries()
    make_change, options = CHANGES[change]
    make_change()
    solution = eb.solve(make(BY_NAME[name].settings), "oracle", timeout=limit, options=options)
    assert solution.upper is not None
    assert solution.lower is not None
    return {
        "limit": limit,
        "exact": solution.exact,
        "gap": float(solution.upper - solution.lower),
        "seconds": round(solution.seconds, 2),
        "rounds": solution.details["rounds"],
        "sequences": sum(solution.details["sequences"]),  # type: ignore[call-overload]
    }


def ablate(names: Iterable[str], limit: float, root: Path) -> None:
    found = frame.load("ablation", root)
    for name in names:
        found[name] = {change: run for change, run in found.get(name, {}).items() if change in CHANGES}
        for change in CHANGES:
            found[name][change] = frame.own_process(changed, name, change, limit)
            print(name, change, found[name][change], flush=True)
            frame.keep("ablation", found, root)


# --- the page

HEAD = "game | information sets | value, or bracket | seconds | certificate"

OPENING = {
    "2v2-6": "two dice each",
    "3v2-6": "three dice against two",
    "3v3-6": "three dice each",
}
"""Games in the short table at the top of the page, by their names there."""

LONGEST = 36
"""The length above which the table shortens a fraction."""


def render(root: Path) -> None:
    """Make the tables in ``oracle.md``, if the file exists, and the plots."""
    records, docs = frame.load("oracle", root)["games"], root / "docs"
    there = [(game, records[game.name]) for game in GAMES if game.name in records]
    if (docs / "oracle.md").exists():
        parts = {"opening": _opening(records), "table": _table(there), "limit": _limit(there)}
        frame.fill("oracle", parts | {"ablation": _ablation(frame.load("ablation", root))}, root)
    growth(records, docs / "growth.svg")
    convergence(records, docs / "convergence.svg")


def _opening(records: Records) -> list[str]:
    known = [(title, records[name]) for name, title in OPENING.items() if name in records]
    cells = [(title, f"{one['infosets']:,}", _decimals(one), f"{one['seconds']:.0f}") for title, one in known]
    return frame.table("six-sided dice | information sets | value to the first bidder | seconds", cells)


def _decimals(record: Record) -> str:
    if not record["exact"]:
        return f"proved: {value(record)[1:-1].replace(', ', ' to ')}"
    return f"exact: {float(Fraction(record['lower'])):.6f}…"


def _table(there: list[tuple[Measured, Record]]) -> list[str]:
    versions = {f"CPython {r['versions']['python']}, highspy {r['versions']['highspy']}" for _, r in there}
    cores = sorted({r["cores"] for _, r in there})
    made = f"Measured with {'; '.join(sorted(versions))}, on {' or '.join(map(str, cores))} shared cores."
    return [*frame.table(HEAD, [_row(game, record) for game, record in there]), "", made]


def _limit(there: list[tuple[Measured, Record]]) -> Iterator[str]:
    exact = [(record["infosets"], game) for game, record in there if record["exact"]]
    size, largest = max(exact, key=lambda pair: pair[0])
    done = f"{len(exact)} of {len(there)} games"
    yield f"{done} have an exact value. The largest is {largest.title}, with {count(size)} information sets."
    yield "In the other games, the time limit ended the search with a bracket."
    published = [record["published"] for _, record in there if record["published"]]
    equal = sum(one["agrees"] for one in published)
    same = "all" if equal == len(published) else equal
    yield f"{len(published)} of the values were published before; {same} of these are equal to ours."
    known = {game for game, _ in there}
    missing = [game.title for game in GAMES if game not in known]
    if missing:
        yield from ("", f"Not measured yet: {'; '.join(missing)}.")


def _row(game: Measured, record: Record) -> tuple[str, ...]:
    size = f"{record['certificate_bytes'] / 1000:,.1f} kB"
    certificate = f"[{size}]({record['certificate']})" if record["certificate"] else size
    return (
        game.title,
        count(record["infosets"]),
        value(record),
        f"{record['seconds']:.2f}" if record["seconds"] < 10 else f"{record['seconds']:.0f}",
        certificate if record["proved"] else "**not proved**",
    )


def value(record: Record) -> str:
    """Return the exact value, or the bracket in decimals, rounded outward."""
    lower, upper = Fraction(record["lower"]), Fraction(record["upper"])
    if not record["exact"]:
        return f"[{floor(lower * 10**5) / 10**5:.5f}, {ceil(upper * 10**5) / 10**5:.5f}]"
    if len(record["lower"]) > LONGEST:
        return f"{float(lower):.10f}… ({len(str(lower.denominator))} digits in the denominator)"
    return record["lower"] if lower.denominator < 10 else f"{record['lower']} = {float(lower):.6f}"


def upwards(gap: Fraction) -> str:
    """Return a gap with two digits, rounded up."""
    power = floor(log10(gap)) - 1
    digits = ceil(gap / Fraction(10) ** power)
    return f"{float(digits * Fraction(10) ** power):.2g}"


def count(number: int) -> str:
    """Return *number* with all digits if it is short, otherwise as a power of ten."""
    return f"{number:,}" if number < 10**10 else re.sub(r"e\+?0*", "e", f"{number:.1e}")


def _ablation(found: dict[str, Records]) -> list[str]:
    games = [name for name in ABLATED if name in found]
    changes = [change for change in SHOWN if any(change in found[name] for name in games)]
    rows = [[change, *(_cell(found[name].get(change)) for name in games)] for change in changes]
    return frame.table(["", *(ABLATED[name] for name in games)], rows)


def _cell(run: Record | None) -> str:
    if run is None:
        return ""
    if not run["exact"]:
        return f"> {run['limit']:.0f} s (gap {run['gap']:.1g})"
    return f"{run['seconds']:.1f} s, {run['rounds']} rounds, {run['sequences']:,}"


# --- the plots

LOOKS = {dice: look(number) for number, dice in enumerate((2, 3, 4, 5, 6, 8, 10))}
"""Color and mark by the total number of dice."""

FAMILIES = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3), (4, 4), (5, 5))

COURSES = {
    "2v2-6": ("2v2 six sides", look(0)),
    "3v1-6": ("3v1 six sides", look(1)),
    "3v3-4": ("3v3 four sides", look(2)),
    "2v1-6-highest": ("2v1 six sides, highest face wild", look(3)),
    "2v2-6-joker": ("2v2 six sides, joker", look(4)),
    "3v2-6": ("3v2 six sides", look(5)),
}
"""The games in the plot of the gap over time, each with its label and look."""

FLOOR = 1e-7
"""The position of a gap of 0 in the plot."""

PANELS: tuple[tuple[str, Callable[[Record], float]], ...] = (
    ("sequences in the restricted game", lambda record: sum(record["sequences"])),
    ("rounds", lambda record: record["rounds"]),
    ("histories visited by both best responses", lambda record: sum(record["visited"])),
    ("seconds", lambda record: max(record["seconds"], 0.01)),
)


def growth(records: Records, path: Path) -> None:
    """Draw the work against the size of the game for plain rules."""
    with frame.plot(path, 9.6, 7.4) as figure:
        axes = figure.subplots(2, 2, sharex=True)
        figure.subplots_adjust(left=0.08, right=0.98, top=0.84, bottom=0.07, wspace=0.16, hspace=0.17)
        for axis, (title, figure_of) in zip(axes.flat, PANELS, strict=True):
            axis.set_title(title, **frame.HEADING)
            axis.set_xscale("log")
            if title == "rounds":
                axis.set_ylim(0, 1.08 * max(record["rounds"] for record in records.values()))
            else:
                axis.set_yscale("log")
                axis.yaxis.set_major_formatter(frame.power)
            axis.xaxis.set_major_formatter(frame.power)
            axis.minorticks_off()
            ends = [end for dice in FAMILIES if (end := _family(axis, records, dice, figure_of)) is not None]
            _name(axis, ends)
        for axis in axes[1]:
            axis.set_xlabel("information sets of the whole game")
        figure.suptitle(
            "Work of the double oracle over the size of the game (plain rules)",
            x=0.01,
            ha="left",
            fontsize=12,
            fontweight="bold",
        )
        _legend(figure, records)


def _family(
    axis: Axes, records: Records, dice: tuple[int, int], figure_of: Callable[[Record], float]
) -> tuple[str, float, float] | None:
    """Draw the games with these *dice*; return their name and the last point."""
    games = [game for game in GAMES if game.dice == dice and game.rules == "plain" and game.name in records]
    found = [(records[g.name]["infosets"], figure_of(records[g.name]), records[g.name]["exact"]) for g in games]
    if not found:
        return None
    colour, mark = LOOKS[sum(dice)]
    axis.plot([x for x, _, _ in found], [y for _, y, _ in found], color=colour, linewidth=0.9, alpha=0.6)
    for x, y, exact in found:
        axis.plot(x, y, mark, markersize=5, color=colour, markerfacecolor=colour if exact else "white")
    x, y, _ = found[-1]
    return f"{dice[0]}v{dice[1]}", x, y


AWAY = ((6, -3), (6, 4), (6, -10), (-26, 4), (-26, -10), (-10, 7), (-10, -14), (6, 12), (6, -18), (-26, 12), (-26, -18))
"""Candidate positions of a name, in points from the end of its line; the least crowded position is used."""


def _name(axis: Axes, ends: list[tuple[str, float, float]]) -> None:
    axis.autoscale_view()
    to_points, per = axis.transData.transform, 72 / axis.figure.dpi
    points = [to_points(place) * per for line in axis.lines for place in np.asarray(line.get_xydata(), dtype=float)]
    taken: list[tuple[float, float]] = []
    for words, x, y in ends:
        at, down = to_points((float(x), float(y))) * per

        def crowded(away: tuple[int, int], at: float = at, down: float = down) -> int:
            left, low = at + away[0], down + away[1]
            names = sum(abs(left - x) < 22 and abs(low - y) < 9 for x, y in taken)
            marks = sum(left - 3 < x < left + 23 and low - 3 < y < low + 9 for x, y in points)
            return int(100 * names + marks)

        away = min(AWAY, key=crowded)
        taken.append((at + away[0], down + away[1]))
        axis.annotate(words, (x, y), away, textcoords="offset points", fontsize=8, fontweight="bold")


def _legend(figure: Figure, records: Records) -> None:
    from matplotlib.lines import Line2D

    shown = sorted({sum(g.dice) for g in GAMES if g.rules == "plain" and g.name in records})
    marks = [
        Line2D([], [], color=colour, marker=mark, markersize=5, label=f"{dice} dice in total")
        for dice, (colour, mark) in LOOKS.items()
        if dice in shown
    ]
    grey: dict[str, Any] = {"marker": "o", "color": GREY, "linestyle": "", "markersize": 5}
    marks.append(Line2D([], [], label="exact", **grey))
    marks.append(Line2D([], [], label="bracket at the time limit", markerfacecolor="white", **grey))
    figure.legend(
        handles=marks,
        loc="upper left",
        bbox_to_anchor=(0, 0.965),
        ncols=5,
        frameon=False,
        fontsize=8.5,
        handlelength=1.6,
    )


def convergence(records: Records, path: Path) -> None:
    with frame.plot(path, 9.6, 4.8) as figure:
        axis = figure.subplots()
        for name, (label, looks) in COURSES.items():
            if name in records:
                _course(axis, records[name], label, *looks)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_ylim(FLOOR / 2, 4)
        ticks = [FLOOR, 1e-6, 1e-4, 1e-2, 1]
        axis.set_yticks(ticks, ["0: exact", "10⁻⁶", "10⁻⁴", "10⁻²", "1"])
        axis.minorticks_off()
        axis.xaxis.set_major_formatter("{x:,g}")
        axis.set_xlabel("seconds")
        axis.set_title("gap between the two bounds on the value", **frame.HEADING)
        if axis.lines:
            axis.legend(loc="lower left", frameon=False, fontsize=8.5)
        figure.tight_layout()


def _course(axis: Axes, record: Record, label: str, colour: str, mark: str) -> None:
    points = [(max(s, 0.01), g) for s, g in zip(*(record["course"][key] for key in ("seconds", "gap")), strict=True)]
    points = [(s, g) for s, g in points if g > 10 * FLOOR]
    end = (record["seconds"], FLOOR if record["exact"] else points[-1][1])
    xs, ys = zip(*points, end, strict=True)
    axis.plot(xs, ys, color=colour, linewidth=1.4, drawstyle="steps-post")
    axis.plot([], [], color=colour, marker=mark, markersize=6, linewidth=1.4, label=label)
    axis.plot(*end, mark, color=colour, markersize=6, markerfacecolor=colour if record["exact"] else "white")


# --- the command


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", default=["*"], help="games to measure, e.g. 3v1-*")
    parser.add_argument("--missing", action="store_true", help="only games without a record")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="time limit for each game (default: the game's)")
    parser.add_argument("--force", action="store_true", help="save the new result even if it is worse")
    parser.add_argument("--ablation", action="store_true", help="measure one change at a time instead")
    parser.add_argument("--render", action="store_true", help="only make the page and its plots")
    parser.add_argument("--list", action="store_true", help="only list the games and their limits")
    parser.add_argument("--root", type=Path, default=frame.ROOT, help="root of the repository, or of a copy")
    given = parser.parse_args()
    for pattern in given.only:
        if not any(fnmatch(name, pattern) for name in BY_NAME):
            raise SystemExit(f"no game is called {pattern}; --list shows all")
    there = frame.load("oracle", given.root).get("games", {}) if given.missing else {}
    names = [n for n in BY_NAME if n not in there and any(fnmatch(n, pattern) for pattern in given.only)]
    if given.list:
        print(*(f"{name:<16}{LIMITS.get(name, LIMIT):>6.0f} s" for name in names), sep="\n")
        return
    if given.ablation:
        ablate([name for name in ABLATED if name in names], given.limit or LIMIT, given.root)
    elif not given.render:
        for name in names:
            limit = given.limit or LIMITS.get(name, LIMIT)
            print(measure(BY_NAME[name], limit, given.root, given.force), flush=True)
    render(given.root)


if __name__ == "__main__":
    main()
