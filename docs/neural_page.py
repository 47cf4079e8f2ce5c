"""The tables of ``neural.md``, from the records in ``neural.json``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from efg_builder.base.files import write_atomically

Record = dict[str, Any]

SAID = {"value": "value", "deep-cfr": "deep-cfr"}


def fill(page: Path, data: Record, values: dict[str, str]) -> None:
    """Put the tables between their marks."""
    text = page.read_text()
    tables = {"measured": _measured(data, values), "causes": _causes(data, values), "kept": _kept(data, values)}
    for name, lines in tables.items():
        marks = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
        body = "\n".join(lines) + "\n"
        text, count = re.subn(marks, lambda found, body=body: found[1] + body + found[2], text, flags=re.DOTALL)  # type: ignore[misc]
        assert count == 1, f"{page}: no place for {name}"
    write_atomically(page, [text.encode()])


def _least(values: dict[str, str], game: str) -> tuple[float, float]:
    """What a best response wins from an equilibrium in seat 1, and in seat 2."""
    value = float(Fraction(values[game]))
    return -value, value


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _won(point: Record) -> tuple[float, float]:
    """What a best response wins from the net in seat 1, and in seat 2."""
    first, second = point["best_response"]
    return second, first


def _measured(data: Record, values: dict[str, str]) -> list[str]:
    head = ("game", "kind", "steps", "seconds", "net as player 1", "least", "net as player 2", "least", "NashConv")
    lines = [_row(head), "|---|---|---:|---:|---|---:|---|---:|---|"]
    for game in values:
        least = _least(values, game)
        for kind in SAID:
            runs = [r for r in data["runs"].values() if (r["game"], r["kind"]) == (game, kind) and "options" not in r]
            ends = [run["points"][-1] for run in runs if run["points"] and run["points"][-1]["steps"] == run["steps"]]
            if not ends:
                continue
            seats = [sorted(_won(end)[seat] for end in ends) for seat in range(2)]
            convs = sorted(sum(_won(end)) for end in ends)
            shown = [", ".join(f"{won:.3f}" for won in seat) for seat in (*seats, convs)]
            cells = (game, kind, f"{ends[0]['steps']:,}", f"{median(end['seconds'] for end in ends):.0f}")
            lines.append(_row((*cells, shown[0], f"{least[0]:.3f}", shown[1], f"{least[1]:.3f}", shown[2])))
    return lines


def _causes(data: Record, values: dict[str, str]) -> list[str]:
    lines = [_row(("game", "what plays", "noise", "how long", "player 1 gives away", "player 2", "NashConv"))]
    lines.append("|---|---|---:|---|---:|---:|---:|")
    for name, cause in data["causes"].items():
        game, end = "v".join(map(str, cause["dice"])), cause["points"][-1]
        noise = f"{cause['noise']:g}" + ("/T" if cause.get("falls") else "")
        given = [won - least for won, least in zip(_won(end), _least(values, game), strict=True)]
        cells = (game, "table", noise, f"{end['rounds']} rounds")
        lines.append(_row((*cells, *(f"{x:.3f}" for x in given), f"{sum(given):.3f}")))
        assert name.startswith(f"table {game}")
    for run in data["runs"].values():
        if (run["kind"], run["game"]) == ("value", "1v2") and run["seed"] == 0 and run["points"]:
            end, options = run["points"][-1], dict(run.get("options", {}))
            given = [won - least for won, least in zip(_won(end), _least(values, "1v2"), strict=True)]
            noise = options.pop("noise", "0.01")
            more = "".join(f", {key}={value}" for key, value in options.items())
            cells = ("1v2", f"net{more}", noise, f"{end['steps']:,} steps")
            lines.append(_row((*cells, *(f"{x:.3f}" for x in given), f"{sum(given):.3f}")))
    return lines


def _kept(data: Record, values: dict[str, str]) -> list[str]:
    lines = [_row(("file", "kind", "kB", "as player 1", "least", "as player 2", "least", "NashConv"))]
    lines.append("|---|---|---:|---:|---:|---:|---:|---:|")
    for name, kept in data["kept"].items():
        (first, second), least = _won(kept), _least(values, name.partition("-")[0])
        cells = (f"[{name}.npz](neural/{name}.npz)", kept["kind"], f"{kept['bytes'] / 1000:.0f}")
        figures = (first, least[0], second, least[1], first + second)
        lines.append(_row((*cells, *(f"{x:.4f}" for x in figures))))
    return lines
