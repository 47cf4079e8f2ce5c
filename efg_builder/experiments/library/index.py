"""The index of a library: a table as CSV and JSON, its description, the licence, and how to cite it.

``datapackage.json`` is after the Frictionless Data Package 1.0 (https://specs.frictionlessdata.io): what the columns
mean, of what type they are, and the size and digest of each file of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...base.files import csv_lines, write_atomically
from ...base.version import __version__
from ...base.words import plural
from .instances import GAMBIT, GAMBIT_LICENCE, LICENCE, Instance
from .making import CHECKERS, Record, as_json, digest, read

FRACTION = "-?[0-9]+(/[1-9][0-9]*)?"

SETTINGS = "settings, KEY=VALUE, separated by spaces; rake is the share of what is won that the house keeps"

COLUMNS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "slug",
        "string",
        "The name of the instance, and of its folder in instances/.",
        {"required": True, "unique": True},
    ),
    ("family", "string", "Which part of the list it is of.", {"required": True}),
    ("game", "string", "The game of efg-builder that it is, or its path in pygambit's catalogue.", {"required": True}),
    ("settings", "string", f"All {SETTINGS}.", {}),
    ("title", "string", "The game in words.", {}),
    ("players", "integer", "How many players.", {"required": True, "minimum": 1}),
    ("constant_sum", "string", "What the payoffs sum to; empty where that is no constant.", {"pattern": FRACTION}),
    ("nodes", "integer", "Nodes of the tree, ends included.", {"required": True, "minimum": 1}),
    ("ends", "integer", "Ends of play.", {"required": True, "minimum": 1}),
    ("infosets", "integer", "Information sets of all players.", {"required": True, "minimum": 0}),
    ("sequences", "integer", "Sequences of both players, the empty ones included (two players).", {"minimum": 2}),
    ("lp_rows", "integer", "Rows of game.mps.", {"minimum": 1}),
    ("lp_columns", "integer", "Columns of game.mps.", {"minimum": 1}),
    ("lp_nonzeros", "integer", "Entries of game.mps that are not 0.", {"minimum": 1}),
    (
        "kind",
        "string",
        "value: the game's value is proved (two players, constant sum). equilibrium: the payoffs are those of an "
        "equilibrium that the certificate has; others may pay differently.",
        {"required": True, "enum": ["value", "equilibrium"]},
    ),
    ("value", "string", "What the game is worth to player 1; empty where kind is equilibrium.", {"pattern": FRACTION}),
    (
        "payoffs",
        "string",
        "What each player gets by the strategies of the certificate, separated by spaces.",
        {"required": True, "pattern": f"{FRACTION}( {FRACTION})*"},
    ),
    (
        "regret",
        "string",
        "The most that any one player gains by another strategy, proved. 0: an equilibrium. Else the strategies are "
        "nearly one, and payoffs are theirs.",
        {"required": True, "pattern": FRACTION},
    ),
    ("method", "string", "How efg-builder found the strategies; the proof does not depend on it.", {"required": True}),
    ("seconds", "number", "Solving and verifying, on the machine that made the library.", {"minimum": 0}),
    ("certificate", "string", "The certificate.", {"required": True}),
    ("checker", "string", "The stand-alone program that proves it.", {"enum": sorted(CHECKERS.values())}),
    ("efg", "string", "The tree for Gambit and OpenSpiel, in ASCII; empty where it is too large.", {}),
    ("mps", "string", "Player 1's sequence-form linear program; empty where it is too large or there is none.", {}),
    ("source", "string", "Who wrote of the game.", {}),
    ("licence", "string", "SPDX identifier of the licence of these files.", {"required": True}),
)
"""Name, type, meaning and constraints of each column of the index."""


def row(record: Record) -> dict[str, Any]:
    """A row of the index, from what ``instance.json`` has; None stands for an empty cell."""
    asked, names = record["asked"], record["files"]
    folder = f"instances/{record['slug']}"
    certificate = next(name for name in CHECKERS if name in names)
    words = [f"{key}={value}" for key, value in asked["settings"].items()]
    found = record | {
        "family": asked["family"],
        "game": asked["game"],
        "settings": " ".join([*words, *([f"rake={asked['rake']}"] if asked["rake"] != "0" else [])]) or None,
        "payoffs": " ".join(record["payoffs"]),
        "certificate": f"{folder}/{certificate}",
        "checker": CHECKERS[certificate],
        "efg": f"{folder}/game.efg" if "game.efg" in names else None,
        "mps": f"{folder}/game.mps" if "game.mps" in names else None,
        "source": asked["source"],
        "licence": asked["licence"],
    }
    return {name: found[name] for name, *_ in COLUMNS}


def records(folder: Path, listed: Iterable[Instance]) -> Iterator[Record]:
    """Of those that are *listed*, the ones that are in *folder* and whole."""
    for one in listed:
        if (record := read(folder, one)) is not None:
            yield record


def write_index(folder: Path, listed: Iterable[Instance]) -> int:
    """Describe what of *listed* is in *folder*: the table, the data package, the licence, a page, the checkers.

    Returns the number of instances. Raises ``FileError``.
    """
    there = list(records(folder, listed))
    rows = [row(record) for record in there]
    names = [name for name, *_ in COLUMNS]
    cells = [["" if one[name] is None else one[name] for name in names] for one in rows]
    write_atomically(folder / "index.csv", csv_lines([names, *cells]))
    write_atomically(folder / "index.json", [as_json({"version": __version__, "instances": rows})])
    for checker in CHECKERS.values():
        write_atomically(folder / checker, [(files("efg_builder.proof") / checker).read_bytes()])
    write_atomically(folder / "LICENSE", [_licence(rows).encode()])
    write_atomically(folder / "README.md", [_page(rows).encode()])
    write_atomically(folder / "datapackage.json", [as_json(package(folder, there))])
    return len(rows)


def package(folder: Path, there: Sequence[Record]) -> dict[str, Any]:
    """The data package: the index with its schema, and every file of every instance."""
    fields = [
        {"name": name, "type": kind, "description": said, **({"constraints": limits} if limits else {})}
        for name, kind, said, limits in COLUMNS
    ]
    schema = {"fields": fields, "primaryKey": "slug", "missingValues": [""]}
    resources: list[dict[str, Any]] = [
        {"name": "index", "path": "index.csv", "profile": "tabular-data-resource", "format": "csv"}
        | {"mediatype": "text/csv", "encoding": "utf-8", "schema": schema},
        {"name": "index-json", "path": "index.json", "format": "json", "mediatype": "application/json"},
    ]
    for each in resources:
        each |= _measure(digest((folder / each["path"]).read_bytes()))
    for record in there:
        slug = record["slug"]
        for name, kept in record["files"].items():
            path = f"instances/{slug}/{name}"
            resources.append({"name": f"{slug}/{name}", "path": path} | _measure(kept))
    licences = [{"name": LICENCE, "path": "https://spdx.org/licenses/MIT.html", "title": "MIT License"}]
    if any(record["asked"]["licence"] != LICENCE for record in there):
        path = "https://spdx.org/licenses/GPL-2.0-or-later.html"
        licences.append({"name": GAMBIT_LICENCE, "path": path, "title": f"of the family {GAMBIT} alone"})
    return {
        "profile": "data-package",
        "name": "efg-builder-library",
        "title": "Games with proved values, for people who write solvers",
        "description": f"{plural(len(there), 'game')} in extensive form, each with a certificate of its value, or of "
        "an equilibrium. README.md says more.",
        "version": __version__,
        "keywords": ["game theory", "extensive form", "Nash equilibrium", "linear programming", "benchmark"],
        "licenses": licences,
        "contributors": [{"title": "The efg_builder authors", "role": "author"}],
        "resources": resources,
    }


def _measure(kept: dict[str, Any]) -> dict[str, Any]:
    return {"bytes": kept["bytes"], "hash": f"sha256:{kept['sha256']}"}


def _licence(rows: Sequence[dict[str, Any]]) -> str:
    lines = [
        f"SPDX-License-Identifier: {LICENCE}",
        "Copyright (c) 2026 The efg_builder authors",
        "",
        "All files here are under the MIT License, as efg-builder is: https://spdx.org/licenses/MIT.html",
    ]
    if any(one["licence"] != LICENCE for one in rows):
        lines += [
            "",
            f"Except the folders of the family {GAMBIT}: these games are of the catalogue that pygambit",
            "brings, written anew. They have the licence of pygambit, GPL-2.0-or-later:",
            "https://spdx.org/licenses/GPL-2.0-or-later.html. The column licence of the index says which they are.",
        ]
    return "\n".join(lines) + "\n"


def _page(rows: Sequence[dict[str, Any]]) -> str:
    values = sum(one["kind"] == "value" for one in rows)
    near = sum(one["regret"] != "0" for one in rows)
    several = plural(len(rows) - values, "game")
    nearly = f" In {near} of these the strategies are nearly one: `regret` says what is gained." if near else ""
    columns = "\n".join(f"| `{name}` | {kind} | {said} |" for name, kind, said, _ in COLUMNS)
    return f"""# Games with proved values

{plural(len(rows), "game")} in extensive form, made by efg-builder {__version__}. {plural(values, "game")} of two
players with a constant sum have their value. {several}, of more players or without a constant sum, have the payoffs of
*one* equilibrium, which the certificate proves; others may pay differently.{nearly}

| in `instances/SLUG/` | what it is |
| --- | --- |
| `game.efg` | the tree, in ASCII, for Gambit and OpenSpiel |
| `game.mps` | the linear program of player 1 in sequence form: its greatest objective `v0` is the value |
| `certificate.tree.json.gz` | strategies and claim, with the tree; `tree_checker.py` proves it |
| `certificate.named.json.gz` | the same of a round of Liar's Dice that it names; `checker.py` proves it |
| `instance.json` | what the index has of it, and the digests of these files |

Large games have no `game.efg`. Numbers in `game.mps` are decimals of 17 digits, all else is exact.

## Prove it

With Python 3.11 or later and nothing else:

    python tree_checker.py instances/*/certificate.tree.json.gz
    python checker.py instances/*/certificate.named.json.gz

## The index

`index.csv` and `index.json` have the same rows; `datapackage.json` describes them.

| column | type | meaning |
| --- | --- | --- |
{columns}

## Cite it

    The efg_builder authors: Games with proved values. Made by efg-builder {__version__}, 2026.

Name the version, and where you use few games their slugs. Cite the games' own authors too: the column `source`.

## Licence

MIT; the games of the family `{GAMBIT}` GPL-2.0-or-later, as pygambit is. See `LICENSE`.
"""
