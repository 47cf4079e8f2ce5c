"""The page on zero intelligence: ``python docs/zero_intelligence.py`` makes ``zero-intelligence.md`` and its pictures.

Every figure is worked out here, but for what was measured in games and races, which takes long: that stands in
``zero-intelligence.json`` (``python docs/zero_intelligence_measure.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import erf, sqrt
from pathlib import Path
from typing import Any

import efg_builder as eb
from efg_builder.files import write_atomically
from efg_builder.plots import zero_intelligence as plots
from efg_builder.rationals import from_json
from efg_builder.zero_intelligence import level, randomised, robust, table, worst_case
from efg_builder.zero_intelligence.beliefs import cumulative

DOCS = Path(__file__).parent
PICTURES = "zero-intelligence"
TEMPLATE = DOCS / PICTURES / "page.txt"

EXAMPLE = eb.game("liars-dice", sides=6, dice=(5, 9, 9, 9, 9), wild=1)
"""The text's example: five dice, 36 unseen, 1 is wild."""

HAND, SIXTEEN = EXAMPLE.hands[0].index("2,3,3,3,3"), EXAMPLE.bids.index((16, 3))
OPPONENTS = (1, 2, 3, 4, 5, 8)
GAMES = ("1v1", "1v2", "2v1", "2v2")

Records = list[dict[str, Any]]


def example() -> dict[str, str]:
    """The figures of the example."""
    lam = level.indifference().call_probability
    worth = table.raise_payoffs(EXAMPLE, 0, HAND, SIXTEEN, lam)
    normal = table.raise_payoffs(EXAMPLE, 0, HAND, SIXTEEN, lam, "normal")
    order = sorted(worth, key=lambda name: -worth[name])[:4]
    rows = "\n".join(f"| {name} | {float(worth[name]):.4f} | {float(normal[name]):.4f} |" for name in order)
    tails = ("exact", "normal", "printed")
    return {
        **{tail: f"{float(table.false_chance(EXAMPLE, 0, HAND, SIXTEEN, tail)):.4f}" for tail in tails},
        "z_printed": f"{table.score(EXAMPLE, 0, HAND, SIXTEEN, 'printed'):.4f}",
        "z": f"{table.score(EXAMPLE, 0, HAND, SIXTEEN):.4f}".replace("-", "−"),
        "expected": ", ".join(str(x) for x in table.expected(EXAMPLE, 0, HAND)),
        "raises": rows.replace("-", "−"),
        "best": order[0],
    }


def levels() -> dict[str, str]:
    """The indifference equation's solutions."""
    found = level.indifference()
    rows = [
        f"| {variance} | {each.y0:.4f} | {each.call_z:.4f} | {each.call_probability:.4f} | {each.printed:.4f} |"
        for variance in (0, 1, 2, 3, 4, 8)
        for each in [level.indifference(variance=variance)]
    ]
    strengths = ", ".join(
        f"{level.indifference(strength=s).call_probability:.3f} for s = {s:g}".replace("-", "−") for s in (-2, -1, 1, 2)
    )
    return {
        "y0": f"{found.y0:.4f}",
        "call_probability": f"{found.call_probability:.4f}",
        "call_z": f"{found.call_z:.4f}",
        "lambda_printed": f"{found.printed:.4f}",
        "levels": "\n".join(rows),
        "strengths": strengths,
    }


def robust_rows() -> dict[str, str]:
    """The robust levels, in three ways, and what they and others are worth."""
    rows, away = [], {"derivative": 0.0, "maximum": 0.0}
    z = level.indifference().call_z
    for k in OPPONENTS:
        closed = robust.by_closed_form(k)
        away["derivative"] = max(away["derivative"], abs(robust.by_derivative(k) - closed))
        away["maximum"] = max(away["maximum"], abs(robust.by_maximum(k) - closed))
        printed = robust.as_printed(k)
        wins = [worst_case.worst_case(each, k) for each in (closed, z, 2 * z, printed)]
        cells = [f"{closed:.6f}", f"{cumulative(-closed):.4f}", *(f"{win:.4f}" for win in wins[:3])]
        rows.append(f"| {k} | {' | '.join(cells)} | {printed:.4f} | {wins[3]:.4f} |")
    for name, most in (("derivative", 1e-9), ("maximum", 1e-7)):
        assert away[name] < most, f"{name}: {away[name]:g} away from the closed form"
    u = sqrt(2 / 7) * robust.by_closed_form(3)
    return {"robust": "\n".join(rows), "u": f"{u:.4f}", "erf": f"{1 + erf(u):.4f}"}


def drawn_rows(records: Records) -> dict[str, str]:
    """What drawing the level gains."""
    rows = []
    for k in OPPONENTS:
        mine = [record for record in records if record["opponents"] == k]
        fixed, best = mine[0], max(mine, key=lambda record: record["wins"])
        told = f"{best['mean']:.3f} ± {best['deviation']:g}"
        rows.append(f"| {k} | {fixed['mean']:.4f} | {fixed['wins']:.4f} | {told} | {best['wins']:.4f} |")
    drawn = randomised.normal_level(0.63, 0.3)
    calls = []
    for y in (-1.0, 0.0, 1.0, 3.0):
        call, won = randomised.best_call(y, drawn, 3)
        waited = randomised.others_win(float("inf"), y, drawn, 3)
        calls.append(f"| {y:g} | {call:.3f} | {won:.4f} | {waited:.4f} |".replace("-", "−").replace("inf", "wait"))
    return {"drawn": "\n".join(rows), "calls": "\n".join(calls)}


def exploitability(record: dict[str, Any]) -> float:
    """Half the NashConv."""
    return float(from_json(record["nash_conv"])) / 2


def listed_rows(records: Records) -> dict[str, str]:
    """A row for each setting, a column for each game; the least of each column stands out."""
    found = {(r["strategy"], r["rules"], r["game"]): exploitability(r) for r in records}
    places = [(rules, game) for rules in ("joker", "plain") for game in GAMES]
    least = {place: min(found[key] for key in found if key[1:] == place) for place in places}
    rows = []
    for spec in dict.fromkeys(record["strategy"] for record in records):
        cells = []
        for place in places:
            value = found.get((spec, *place))
            cell = "" if value is None else f"{value:.3f}"
            cells.append(f"**{cell}**" if value is not None and value <= least[place] + 1e-9 else cell)
        rows.append(f"| `{spec}` | {' | '.join(cells)} |")
    means = {
        f"{name}_{rules}": f"{sum(found[spec, rules, game] for game in GAMES) / len(GAMES):.3f}"
        for rules in ("joker", "plain")
        for name, spec in (("default", "zero-intelligence"), ("printed", "zero-intelligence:level=printed"))
    }
    harder = sum(found["zero-intelligence", *place] < found["uniform", *place] for place in places)
    means["harder"] = f"{harder} of these {len(places)}"
    return means | {"listed": "\n".join(rows)}


def grid_rows(records: Records) -> dict[str, str]:
    """The least exploitable setting of each game, with a fixed level and with one that is drawn."""
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


def page_of(data: dict[str, Records]) -> str:
    """The text of ``zero-intelligence.md``: the template with its figures."""
    figures = example() | levels() | robust_rows() | drawn_rows(data["drawn"])
    figures |= listed_rows(data["listed"]) | grid_rows(data["grid"])
    return TEMPLATE.read_text().format(**figures)


def pictures(data: dict[str, Records]) -> dict[str, Callable[[Path], object]]:
    """Each picture's name, and how it is drawn to a path."""
    lam = level.indifference().call_probability
    return {
        "raises": lambda path: plots.draw_payoffs(EXAMPLE, 0, HAND, SIXTEEN, lam, path),
        "indifference": plots.draw_indifference,
        "race": lambda path: plots.draw_race(path, robust.by_closed_form(3), 3),
        "worst-case": plots.draw_worst_case,
        "drawn": lambda path: plots.draw_courses(path, *drawn_courses(data["drawn"]), largest=True),
        "measured": lambda path: plots.draw_courses(path, *grid_courses(data["grid"]), largest=False),
    }


def drawn_courses(records: Records) -> tuple[dict[str, Any], str, str]:
    """How often A wins over the deviation of its level."""
    courses = {f"k = {k}": [(r["deviation"], r["wins"]) for r in records if r["opponents"] == k] for k in (1, 3, 5)}
    up = "How often A wins the race against k players, its level drawn"
    return {"normal levels, of each deviation the best mean": courses}, "standard deviation of the level", up


def grid_courses(records: Records) -> tuple[dict[str, Any], str, str]:
    """Exploitability over the level, for each spread and tie-break."""
    panels: dict[str, Any] = {}
    for game in GAMES:
        for ties in ("highest", "uniform"):
            for spread in ("0", "1"):
                mine = [r for r in records if (r["game"], r["ties"], r["spread"]) == (game, ties, spread)]
                name = ties if spread == "0" else f"{ties}, spread 1"
                points = [(float(from_json(r["call_z"])), exploitability(r)) for r in mine]
                panels.setdefault(game, {})[name] = points
    return panels, "call_z", "Exploitability, six sides, joker: by level, tie-break and spread"


def main() -> None:
    """Write the page and the pictures."""
    data = json.loads((DOCS / "zero-intelligence.json").read_text())
    for name, draw in pictures(data).items():
        draw(DOCS / PICTURES / f"{name}.svg")
    write_atomically(DOCS / "zero-intelligence.md", [page_of(data).encode()])


if __name__ == "__main__":
    main()
