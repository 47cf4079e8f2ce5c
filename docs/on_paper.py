"""What the oracle costs, on paper: ``python docs/on_paper.py`` makes ``docs/on-paper.md`` anew from ``on-paper.json``.

``--sweep FILE`` takes in the rows of a sweep (those of the page: ``efg-builder sweep liars-dice sides=2..6
dice=1..3,1..3 ... -o FILE --timeout 60``) and proves their certificates again, ``--measure`` measures shares of the
work, full-width passes, and a sweep and a match on 1 and 2 workers. Both end with new models and a new page. The
games of ``oracle.json`` and the rounds of the certificates in ``matches/`` are taken in each time.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

from on_paper_fit import Row, bytes_each, game, models, two_costs
from oracle_games import GAMES

from efg_builder.base.files import write_atomically
from efg_builder.experiments.sweeps.table import read as read_sweep
from efg_builder.proof.certificate import encode

DOCS = Path(__file__).parent

ABOUT = "What the oracle's work was measured to be, and models of it, in the words of docs/on_paper.py."

MATCHES = {"plain": "3-2-6"}
"""Certificates of matches whose rounds are simulated."""


def take_in(path: Path, seconds: dict[str, float]) -> list[Row]:
    """The rows of the sweep at *path*; *seconds* of proving each certificate, by key."""
    rows = []
    for each in read_sweep(path):
        of, said = each.figures, each.settings
        sides, dice = int(said["sides"]), [int(count) for count in said["dice"].split(",")]
        rules = "plain" if said["wild"] == "none" else "highest" if said["wild_biddable"] == "true" else "joker"
        row = game(dice, sides, rules, said["order"])
        assert str(row["infosets"]) == of["infosets"]
        row |= {"status": of["status"], "exact": of["exact"], "method": of["method"], "rounds": of["rounds"]}
        row |= {"seconds": of["seconds"], "cpu_seconds": of["cpu_seconds"], "peak_mib": of["peak_mib"]}
        row |= {"sequences": of["columns"], "certificate_bytes": of["certificate_bytes"], "gap": of["gap"]}
        row |= {"proof_seconds": seconds.get(of["key"]), "nodes": of["nodes"], "timeout": of["timeout"]}
        row["gap"] = None if row["gap"] is None else float(_fraction(row["gap"]))
        rows.append(row)
    return rows


def _fraction(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)


def oracle_rows(folder: Path) -> list[Row]:
    """The games of ``oracle.json`` in *folder*."""
    records, rows = json.loads((folder / "oracle.json").read_text())["games"], []
    for each in GAMES:
        if (record := records.get(each.name)) is None:
            continue
        row = game(each.dice, each.sides, each.rules) | {"method": "oracle", "rounds": record["rounds"]}
        assert row["infosets"] == record["infosets"]
        row |= {key: record[key] for key in ("status", "exact", "seconds", "peak_mib", "certificate_bytes")}
        row |= {"sequences": sum(record["sequences"]), "proof_seconds": record["verify_seconds"]}
        row |= {"gap": float(_fraction(record["gap"])), "visited": sum(record["visited"])}
        rows.append(row)
    return rows


def all_rows(data: dict[str, Any], folder: Path = DOCS) -> list[Row]:
    """One row for each game: of the sweep's and that of ``oracle.json`` the exact one, or the one of longer search."""
    rows = {_name(row): row for row in data["rows"]}
    for row in oracle_rows(folder):
        before = rows.get(_name(row))
        if before is None or (not before["exact"] and (row["exact"] or row["seconds"] > before["seconds"])):
            rows[_name(row)] = row
    return list(rows.values())


def _name(row: Row) -> tuple[Any, ...]:
    return (*row["dice"], row["sides"], row["rules"], row["order"])


def match_rounds() -> dict[str, dict[str, float]]:
    """Seconds of the rounds of the matches that are kept, by the dice left."""
    found = {}
    for name, file in MATCHES.items():
        data = json.loads(gzip.decompress((DOCS / "matches" / f"{file}.json.gz").read_bytes()))
        found[name] = {",".join(map(str, one["dice"])): one["solution"]["seconds"] for one in data["rounds"]}
    return found


def fits(data: dict[str, Any]) -> dict[str, Any]:
    """The models, as plain data."""
    found: dict[str, Any] = {name: model.to_json() for name, model in models(all_rows(data)).items()}
    found["memory"] = bytes_each(all_rows(data))
    points = [(v, p, s) for one in data["profile"].values() for p, v, s in one["responses"] if s >= 0.001]
    costs = two_costs(points)
    found["best responses"] = dict(
        zip(("visited", "product", "factor"), (float(f"{c:.6g}") for c in costs), strict=True)
    )
    return found


def main(words: list[str] | None = None) -> None:
    """Take in, measure, fit and render."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweep", type=Path, metavar="FILE", help="take in the rows of this sweep")
    parser.add_argument("--measure", action="store_true", help="measure shares, passes and runs anew")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where page and figures are (default: %(default)s)")
    given = parser.parse_args(words)
    path = given.folder / "on-paper.json"
    data: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    if given.sweep is not None:
        from on_paper_measure import proofs

        data["rows"] = take_in(given.sweep, proofs(given.sweep))
    if given.measure:
        from on_paper_measure import measured

        data |= measured()
    if given.sweep is not None or given.measure:
        data = {"about": ABOUT, **data, "matches": match_rounds(), "fits": fits(data)}
        write_atomically(path, [part.encode() for part in (*encode(data), "\n")])
    from on_paper_page import render  # matplotlib, which is not needed before

    render(given.folder)


if __name__ == "__main__":
    main()
