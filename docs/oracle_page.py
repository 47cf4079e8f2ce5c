"""The tables of ``oracle.md``, between its marks, and the plots beside it, from ``oracle.json``."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from oracle_games import GAMES, Measured
from oracle_plots import convergence, growth

HEAD = (
    "game",
    "information sets",
    "value, or bracket",
    "gap",
    "seconds",
    "peak MiB",
    "rounds",
    "sequences",
    "histories",
    "visited",
    "certificate",
    "verified in",
    "published",
)

LONGEST = 36
"""Fractions longer than this are cut short in the table; certificate and ``oracle.json`` have them whole."""

RULES = {"plain": "", "joker": ", joker", "highest": ", highest wild"}

ABLATED = {
    "2v2-6": "2v2",
    "3v1-6": "3v1",
    "2v1-6-highest": "2v1, highest face wild",
    "3v3-4": "3v3, four sides",
}


def render(folder: Path) -> None:
    """Make the tables in ``oracle.md`` and the plots anew."""
    records = json.loads((folder / "oracle.json").read_text())["games"]
    page = folder / "oracle.md"
    if page.exists():
        found = page.read_text()
        found = _between(found, "table", _table(records))
        found = _between(found, "limit", _limit(records))
        if (folder / "ablation.json").exists():
            found = _between(found, "ablation", _ablation(json.loads((folder / "ablation.json").read_text())))
        page.write_text(found)
    growth(records, folder / "growth.svg")
    convergence(records, folder / "convergence.svg")


def _between(page: str, name: str, lines: list[str]) -> str:
    """*page* with *lines* between the two marks of *name*."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, rest = page.split(start)
    return f"{before}{start}\n" + "\n".join(lines) + f"\n{end}{rest.split(end)[1]}"


def _table(records: dict[str, dict[str, Any]]) -> list[str]:
    there = [(game, records[game.name]) for game in GAMES if game.name in records]
    rows = [_row(game, record) for game, record in there]
    lines = [HEAD, ("---",) + ("---:",) * (len(HEAD) - 1), *rows]
    versions = {f"CPython {r['versions']['python']}, highspy {r['versions']['highspy']}" for _, r in there}
    cores = sorted({r["cores"] for _, r in there})
    made = f"Measured with {'; '.join(sorted(versions))}, on {' or '.join(map(str, cores))} shared cores."
    return ["", *(f"| {' | '.join(line)} |" for line in lines), "", made, ""]


def _limit(records: dict[str, dict[str, Any]]) -> list[str]:
    """What is exact, what is not, and what was not tried."""
    there = [(game, records[game.name]) for game in GAMES if game.name in records]
    exact = [(record["infosets"], game) for game, record in there if record["exact"]]
    ended = [(game, record) for game, record in there if not record["exact"]]
    size, largest = max(exact, key=lambda pair: pair[0])
    done = f"{len(exact)} of {len(there)} games"
    lines = ["", f"Exact: {done}, the largest of them {title(largest)}, with {count(size)} information sets."]
    if ended:
        lines += ["", "A bracket is what there is, after the time given, for:", ""]
    for game, record in ended:
        gap, sequences = upwards(Fraction(record["gap"])), sum(record["sequences"])
        lines.append(f"- {title(game)}: gap {gap} after {record['seconds']:,.0f} s, {sequences:,} sequences")
    missing = [title(game) for game in GAMES if game.name not in records]
    if missing:
        lines += ["", f"Not measured yet: {'; '.join(missing)}."]
    return [*lines, ""]


def title(game: Measured) -> str:
    """``2v2, 6 sides, joker``."""
    return f"{game.dice[0]}v{game.dice[1]}, {game.sides} sides{RULES[game.rules]}"


def _row(game: Measured, record: dict[str, Any]) -> tuple[str, ...]:
    size = f"{record['certificate_bytes'] / 1000:,.1f} kB"
    return (
        title(game),
        count(record["infosets"]),
        value(record),
        "0" if record["exact"] else upwards(Fraction(record["gap"])),
        f"{record['seconds']:.2f}" if record["seconds"] < 10 else f"{record['seconds']:.0f}",
        str(record["peak_mib"]),
        str(record["rounds"]),
        " + ".join(f"{number:,}" for number in record["sequences"]),
        f"{record['histories']:,}",
        f"{sum(record['visited']):,}",
        f"[{size}]({record['certificate']})" if record["certificate"] else size,
        f"{record['verify_seconds']:.2f} s" if record["proved"] else "**not proved**",
        _published(record),
    )


def _published(record: dict[str, Any]) -> str:
    said = record["published"]
    if said is None:
        return ""
    return "the same" if said["agrees"] and record["exact"] else f"{said['value']}: **differs**"


def value(record: dict[str, Any]) -> str:
    """The proved value, or the bracket in decimals, rounded outwards."""
    lower, upper = Fraction(record["lower"]), Fraction(record["upper"])
    if not record["exact"]:
        return f"[{floor(lower * 10**5) / 10**5:.5f}, {ceil(upper * 10**5) / 10**5:.5f}]"
    if len(record["lower"]) > LONGEST:
        return f"{float(lower):.10f}… ({len(str(lower.denominator))} digits below the line)"
    return record["lower"] if lower.denominator < 10 else f"{record['lower']} = {float(lower):.6f}"


def upwards(gap: Fraction) -> str:
    """A gap with two digits, rounded up."""
    power = floor(log10(gap)) - 1
    digits = ceil(gap / Fraction(10) ** power)
    return f"{float(digits * Fraction(10) ** power):.2g}"


def count(number: int) -> str:
    """All digits of numbers that a person still reads, else a power of ten."""
    return f"{number:,}" if number < 10**10 else re.sub(r"e\+?0*", "e", f"{number:.1e}")


def _ablation(found: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    games = [name for name in ABLATED if name in found]
    changes = list(dict.fromkeys(change for name in games for change in found[name]))
    lines = [["", *(ABLATED[name] for name in games)], ["---", *("---:" for _ in games)]]
    lines += [[change, *(_cell(found[name].get(change)) for name in games)] for change in changes]
    return ["", *(f"| {' | '.join(line)} |" for line in lines), ""]


def _cell(run: dict[str, Any] | None) -> str:
    if run is None:
        return ""
    if not run["exact"]:
        return f"> {run['limit']:.0f} s (gap {run['gap']:.1g})"
    return f"{run['seconds']:.1f} s, {run['rounds']} rounds, {run['sequences']:,}"
