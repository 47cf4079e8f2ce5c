"""Make ``docs/zero-intelligence.md`` and its pictures: ``python benchmarks/zero_intelligence.py``.

The measurements of games and races take half an hour, and are saved in ``zero-intelligence.json``. ``--measure``
repeats the measurements. The text of the page is in ``benchmarks/data/zero-intelligence.txt``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import efg_builder as eb
import frame
import randomised
import robust_levels
import zero_intelligence_plots as plots
from efg_builder.base.files import write_atomically
from efg_builder.base.rationals import from_json, to_json
from efg_builder.display.plots.style import style, write_figure
from efg_builder.players.kinds import zero_intelligence as zi

Record = dict[str, Any]
Records = list[Record]

# --- measuring

DICE = ((1, 1), (1, 2), (2, 1), (2, 2))
RULES: dict[str, dict[str, Any]] = {"joker": {"sides": 6, "wild": 1, "wild_biddable": False}, "plain": {"sides": 6}}

LISTED = (
    "zero-intelligence",
    "zero-intelligence:tail=exact",
    "zero-intelligence:tail=printed",
    "zero-intelligence:level=printed",
    "zero-intelligence:level=table",
    "zero-intelligence:level=robust",
    "zero-intelligence:ties=lowest",
    "zero-intelligence:ties=uniform",
    "zero-intelligence:spread=1",
    "zero-intelligence:level=printed:spread=1",
    "zero-intelligence:level=printed:ties=uniform",
    "uniform",
    "always-call",
    "lowest-raise",
)
"""The strategies measured in every game. The game with two dice each and plain rules needs large arrays, so only the
strategies in ``FEW`` are measured there.
"""

FEW = ("zero-intelligence", "zero-intelligence:level=printed", "zero-intelligence:level=printed:spread=1", "uniform")

CALL_Z = ("0", "1/4", "1/2", "3/4", "1", "3/2", "2")
SPREADS = ("0", "1/2", "1")
TIES = ("highest", "lowest", "uniform")

OPPONENTS = (1, 2, 3, 4, 5, 8)
DEVIATIONS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8)


def measured(rules: str, dice: tuple[int, int], spec: str) -> dict[str, Any]:
    """Return the payoff of *spec* against itself, and its NashConv."""
    found = eb.evaluate(eb.game("liars-dice", dice=dice, **RULES[rules]), spec)
    match = found.matches[0]
    assert match.nash_conv is not None  # dealt games have perfect recall
    return {
        "game": f"{dice[0]}v{dice[1]}",
        "rules": rules,
        "strategy": spec,
        "value": to_json(match.value[0]) if found.exact else round(float(match.value[0]), 9),
        "nash_conv": to_json(match.nash_conv) if found.exact else round(float(match.nash_conv), 9),
        "exact": found.exact,
    }


def listed() -> Iterator[dict[str, Any]]:
    for rules, dice in product(RULES, DICE):
        for spec in FEW if (rules, dice) == ("plain", (2, 2)) else LISTED:
            yield measured(rules, dice, spec)


def grid() -> Iterator[dict[str, Any]]:
    """Measure levels, spreads and tie-breaks with the joker."""
    for dice, ties, spread, call_z in product(DICE, TIES, SPREADS, CALL_Z):
        spec = f"zero-intelligence:call_z={call_z}:ties={ties}:spread={spread}"
        found = measured("joker", dice, spec)
        kept = {key: found[key] for key in ("game", "nash_conv")}
        yield kept | {"ties": ties, "spread": spread, "call_z": call_z}


def drawn() -> Iterator[dict[str, Any]]:
    """Yield A's worst case at the robust level, then at the best mean of a normal level for each deviation."""
    from scipy.optimize import minimize_scalar

    for opponents in OPPONENTS:
        fixed = zi.robust_level(opponents)
        yield {
            "opponents": opponents,
            "deviation": 0.0,
            "mean": fixed,
            "wins": robust_levels.worst_case(fixed, opponents),
        }
        for deviation in DEVIATIONS if opponents in (1, 3, 5) else (0.2, 0.3):
            best = minimize_scalar(
                lambda mean, deviation=deviation, opponents=opponents: (
                    -randomised.worst_case(randomised.normal_level(mean, deviation), opponents)
                ),
                bounds=(fixed - 0.3, fixed + 0.5),
                method="bounded",
                options={"xatol": 2e-3},
            )
            yield {"opponents": opponents, "deviation": deviation, "mean": float(best.x), "wins": -float(best.fun)}


def measure() -> dict[str, Records]:
    return {part.__name__: [_rounded(record) for record in part()] for part in (listed, grid, drawn)}


def _rounded(record: Record) -> Record:
    return {key: round(value, 9) if isinstance(value, float) else value for key, value in record.items()}


# --- the figures

EXAMPLE: Any = eb.game("liars-dice", sides=6, dice=(5, 9, 9, 9, 9), wild=1)
"""The text's example: five dice, 36 unseen dice, and 1 is wild."""

HAND, SIXTEEN = EXAMPLE.hands[0].index("2,3,3,3,3"), EXAMPLE.bids.index((16, 3))
GAMES = ("1v1", "1v2", "2v1", "2v2")
OPENING = (
    *("zero-intelligence:level=printed:spread=1", "zero-intelligence:level=printed", "zero-intelligence"),
    "uniform",
)
"""Strategies in the first table of the page."""


def example() -> dict[str, str]:
    lam = zi.indifference().call_probability
    worth = zi.raise_payoffs(EXAMPLE, 0, HAND, SIXTEEN, lam)
    tails: tuple[zi.Tail, ...] = ("exact", "normal", "printed")
    return {
        **{tail: f"{float(zi.false_chance(EXAMPLE, 0, HAND, SIXTEEN, tail)):.4f}" for tail in tails},
        "z_printed": f"{zi.score(EXAMPLE, 0, HAND, SIXTEEN, 'printed'):.4f}",
        "z": f"{zi.score(EXAMPLE, 0, HAND, SIXTEEN):.4f}".replace("-", "−"),
        "expected": ", ".join(str(x) for x in zi.expected(EXAMPLE, 0, HAND)),
        "best": max(worth, key=lambda name: worth[name]),
    }


def levels() -> dict[str, str]:
    found = zi.indifference()
    rows = [
        f"| {variance} | {each.y0:.4f} | {each.call_z:.4f} | {each.call_probability:.4f} | {each.printed:.4f} |"
        for variance in (0, 1, 2, 3, 4, 8)
        for each in [zi.indifference(variance=variance)]
    ]
    return {
        "y0": f"{found.y0:.4f}",
        "call_probability": f"{found.call_probability:.4f}",
        "call_z": f"{found.call_z:.4f}",
        "lambda_printed": f"{found.printed:.4f}",
        "levels": "\n".join(rows),
    }


def robust_rows() -> dict[str, str]:
    """Return the robust levels, which three methods agree on, and their winning probabilities."""
    rows, away = [], {"derivative": 0.0, "maximum": 0.0}
    for k in OPPONENTS:
        closed = zi.robust_level(k)
        away["derivative"] = max(away["derivative"], abs(robust_levels.by_derivative(k) - closed))
        away["maximum"] = max(away["maximum"], abs(robust_levels.by_maximum(k) - closed))
        wins = robust_levels.worst_case(closed, k)
        rows.append(f"| {k} | {closed:.6f} | {zi.cumulative(-closed):.4f} | {wins:.4f} |")
    for name, most in (("derivative", 1e-9), ("maximum", 1e-7)):
        assert away[name] < most, f"{name}: {away[name]:g} away from the closed form"
    return {"robust": "\n".join(rows)}


def drawn_rows(records: Records) -> dict[str, str]:
    """Return the gain from a random level."""
    rows = []
    for k in OPPONENTS:
        mine = [record for record in records if record["opponents"] == k]
        best = max(mine, key=lambda record: record["wins"])
        told = f"{best['mean']:.3f} ± {best['deviation']:g}"
        rows.append(f"| {k} | {told} | {best['wins']:.4f} |")
    return {"drawn": "\n".join(rows)}


def exploitability(record: dict[str, Any]) -> float:
    return float(from_json(record["nash_conv"])) / 2


def listed_rows(records: Records) -> dict[str, str]:
    """Return two tables with a row for each strategy and a column for each game; the minimum is bold."""
    found = {(r["strategy"], r["rules"], r["game"]): exploitability(r) for r in records}
    places = [(rules, game) for rules in ("joker", "plain") for game in GAMES]
    least = {place: min(found[key] for key in found if key[1:] == place) for place in places}
    tables: dict[str, list[str]] = {"joker": [], "plain": []}
    for spec, (rules, rows) in product(dict.fromkeys(record["strategy"] for record in records), tables.items()):
        cells = []
        for game in GAMES:
            value = found.get((spec, rules, game))
            cell = "" if value is None else f"{value:.3f}"
            cells.append(f"**{cell}**" if value is not None and value <= least[rules, game] + 1e-9 else cell)
        if rules == "joker" or all(cells):
            rows.append(f"| `{spec}` | {' | '.join(cells)} |")
    lines = [
        f"| `{spec}` | " + " | ".join(f"{sum(found[spec, rules, game] for game in GAMES) / 4:.3f}" for rules in tables)
        for spec in OPENING
    ]
    means = {"means": "\n".join(f"{line} |" for line in lines)}
    harder = sum(found["zero-intelligence", *place] < found["uniform", *place] for place in places)
    means["harder"] = f"{harder} of {len(places)}"
    return means | {f"listed_{rules}": "\n".join(rows) for rules, rows in tables.items()}


def grid_rows(records: Records) -> dict[str, str]:
    """Return the least exploitable setting of each game, with a fixed level and with a random level."""
    rows = []
    for game in (*GAMES, "all"):
        cells = []
        for fixed in (True, False):
            mine = [r for r in records if (r["spread"] == "0") == fixed]
            if game == "all":
                sums: dict[tuple[str, str, str], list[float]] = {}
                for r in mine:
                    sums.setdefault((r["call_z"], r["ties"], r["spread"]), []).append(exploitability(r))
                (call_z, ties, spread), values = min(sums.items(), key=lambda item: sum(item[1]))
                value = sum(values) / len(values)
            else:
                best = min((r for r in mine if r["game"] == game), key=exploitability)
                call_z, ties, spread, value = best["call_z"], best["ties"], best["spread"], exploitability(best)
            words = f"`call_z={call_z}:ties={ties}" + (f":spread={spread}`" if not fixed else "`")
            cells.append(f"{words} | {value:.4f}")
        name = "mean of the four" if game == "all" else game
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return {"grid": "\n".join(rows)}


# --- the page


def page_of(data: dict[str, Records]) -> str:
    figures = example() | levels() | robust_rows() | drawn_rows(data["drawn"])
    figures |= listed_rows(data["listed"]) | grid_rows(data["grid"])
    return frame.data_file("zero-intelligence").with_suffix(".txt").read_text().format(**figures)


def pictures(data: dict[str, Records]) -> dict[str, tuple[str, Callable[[], Any]]]:
    lam = zi.indifference().call_probability
    worth = zi.raise_payoffs(EXAMPLE, 0, HAND, SIXTEEN, lam, "exact")
    best = zi.robust_level(3)
    return {
        "raises": (
            "The payoff of each raise",
            lambda: plots.payoffs_figure(EXAMPLE, EXAMPLE.hands[0][HAND], worth, 12),
        ),
        "indifference": ("The indifference equation", plots.indifference_figure),
        "race": ("The race", lambda: plots.race_figure(best, 3)),
        "worst-case": ("The worst case", plots.worst_case_figure),
        "drawn": (
            DRAWN,
            lambda: plots.courses_figure(
                drawn_courses(data["drawn"]), "standard deviation of the level", DRAWN, largest=True
            ),
        ),
        "measured": (GRID, lambda: plots.courses_figure(grid_courses(data["grid"]), "call_z", GRID, largest=False)),
    }


DRAWN = "A's probability of winning against k players with a random level"
GRID = "Exploitability, six sides, joker: by level, tie-break and spread"


def drawn_courses(records: Records) -> dict[str, Any]:
    """Return A's probability of winning by the deviation of A's level."""
    courses = {f"k = {k}": [(r["deviation"], r["wins"]) for r in records if r["opponents"] == k] for k in (1, 3, 5)}
    return {"normal levels, with the best mean for each deviation": courses}


def grid_courses(records: Records) -> dict[str, Any]:
    """Return exploitability by level, for each spread and tie-break."""
    panels: dict[str, Any] = {}
    for game, ties, spread in product(GAMES, ("highest", "uniform"), ("0", "1")):
        mine = [r for r in records if (r["game"], r["ties"], r["spread"]) == (game, ties, spread)]
        points = [(float(from_json(r["call_z"])), exploitability(r)) for r in mine]
        panels.setdefault(game, {})[ties if spread == "0" else f"{ties}, spread 1"] = points
    return panels


def draw(data: dict[str, Records], folder: Path) -> None:
    for name, (title, make) in pictures(data).items():
        with style():
            figure = make()
        write_figure(figure, folder / f"{name}.svg", title)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="repeat all measurements first")
    if parser.parse_args().measure:
        frame.keep("zero-intelligence", measure())
    data, docs = frame.load("zero-intelligence"), frame.ROOT / "docs"
    draw(data, docs / "zero-intelligence")
    write_atomically(docs / "zero-intelligence.md", [page_of(data).encode()])


if __name__ == "__main__":
    main()
