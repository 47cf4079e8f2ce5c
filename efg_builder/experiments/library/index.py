"""A row of the data set, and the files that describe all rows: index, data package, license, page and checkers.

``datapackage.json`` follows the Frictionless Data Package 1.0 (https://specs.frictionlessdata.io): meaning and type of
each column, and size and digest of each file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...base.errors import CertificateError, EfgBuilderError, FileError
from ...base.files import csv_lines, read_text
from ...base.rationals import text
from ...base.version import __version__
from ...base.words import plural
from ...forms.extensive import TERMINAL, GameTree, constant_sum, has_perfect_recall, has_value, payoff_range
from ...forms.sequence_form import sequence_form
from ...interop.sequence_files import payoff_matrices
from ...proof.certificate import Proof
from ...proof.certificate.reading import read_plain
from .instance import GAMBIT, Instance

EFG, MPS, RECORD = "game.efg", "game.mps", "instance.json"

EFG_NODES, MPS_NODES = 60_000, 400_000
"""Larger trees have no ``game.efg``, and no ``game.mps``: the files would have more than ten megabytes."""

TREE, NAMED = "certificate.tree.json.gz", "certificate.named.json.gz"
"""The certificate of a tree that it carries, for ``tree_checker.py``; of a game that it names, for ``checker.py``."""

CHECKERS = {TREE: "tree_checker.py", NAMED: "checker.py"}

MARKER = "efg-library.txt"
"""The file that marks a folder as a data set."""

MARK = (
    f"A data set made by benchmarks/library.py of efg-builder {__version__}, which replaces the files it made here.\n"
)

MOST_REGRET = Fraction(1, 10**12)
"""The greatest regret of an approximate equilibrium, as a fraction of the payoff range."""

Record = dict[str, Any]

FRACTION = "-?[0-9]+(/[1-9][0-9]*)?"

COLUMNS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "slug",
        "string",
        "The name of the instance, and of its folder in instances/.",
        {"required": True, "unique": True},
    ),
    ("family", "string", "The part of the list.", {"required": True}),
    ("game", "string", "The game of efg-builder, or its path in pygambit's catalogue.", {"required": True}),
    (
        "settings",
        "string",
        "All settings, KEY=VALUE, separated by spaces; rake is the share of each win that the house keeps.",
        {},
    ),
    ("title", "string", "The game in words.", {}),
    ("players", "integer", "Number of players.", {"required": True, "minimum": 1}),
    ("constant_sum", "string", "The sum of the payoffs; empty if it is not constant.", {"pattern": FRACTION}),
    ("nodes", "integer", "Nodes of the tree, ends included.", {"required": True, "minimum": 1}),
    ("ends", "integer", "Ends of play.", {"required": True, "minimum": 1}),
    ("infosets", "integer", "Information sets of all players.", {"required": True, "minimum": 0}),
    ("sequences", "integer", "Sequences of both players, the empty ones included (two players).", {"minimum": 2}),
    ("lp_rows", "integer", "Rows of game.mps.", {"minimum": 1}),
    ("lp_columns", "integer", "Columns of game.mps.", {"minimum": 1}),
    ("lp_nonzeros", "integer", "Nonzero entries of game.mps.", {"minimum": 1}),
    (
        "kind",
        "string",
        "value: the game's value is proved (two players, constant sum). equilibrium: the payoffs are those of the "
        "equilibrium in the certificate; other equilibria may pay differently.",
        {"required": True, "enum": ["value", "equilibrium"]},
    ),
    ("value", "string", "The value to player 1; empty where kind is equilibrium.", {"pattern": FRACTION}),
    (
        "payoffs",
        "string",
        "Each player's expected payoff under the strategies of the certificate, separated by spaces.",
        {"required": True, "pattern": f"{FRACTION}( {FRACTION})*"},
    ),
    (
        "regret",
        "string",
        "The most that any one player gains by another strategy, proved. 0: an equilibrium. Else the strategies are "
        "an approximate equilibrium.",
        {"required": True, "pattern": FRACTION},
    ),
    ("method", "string", "The method that found the strategies; the proof does not depend on it.", {"required": True}),
    ("seconds", "number", "Solving and verifying, on the machine that made the data set.", {"minimum": 0}),
    ("certificate", "string", "The certificate.", {"required": True}),
    ("checker", "string", "The stand-alone program that proves it.", {"enum": sorted(CHECKERS.values())}),
    ("efg", "string", "The tree for Gambit and OpenSpiel, in ASCII; empty where it is too large.", {}),
    ("mps", "string", "Player 1's sequence-form linear program; empty if too large or undefined.", {}),
    ("source", "string", "The authors of the game.", {}),
    ("licence", "string", "SPDX identifier of the license of these files.", {"required": True}),
)
"""Name, type, meaning and constraints of each column of the index."""

KEYS = {name for name, *_ in COLUMNS} | {"asked", "files"}
"""The keys of ``instance.json``."""


def record_of(one: Instance, tree: GameTree, proof: Proof, contents: dict[str, bytes]) -> Record:
    """Return the content of ``instance.json`` without ``seconds``, for the files with these *contents*.

    Raises ``CertificateError`` unless *proof* is of an equilibrium in fractions, or of strategies next to one.
    """
    certificate = next(name for name in CHECKERS if name in contents)
    is_value, sums, regret = has_value(tree), constant_sum(tree), proof.regret
    near = not is_value and isinstance(regret, Fraction) and regret <= MOST_REGRET * payoff_range(tree)
    if not proof.exact and not (proof.status == "near-equilibrium" and near):
        problem = f"{proof.status}, somebody gains {float(regret):.3g}"
        raise CertificateError("claim", f"{problem}; only an exact equilibrium has a place here")
    payoffs = [text(value) for value in proof.value]
    return {
        "asked": one.to_json(),
        "slug": one.slug,
        "family": one.family,
        "game": one.game,
        "settings": one.settings,
        "title": tree.title,
        "players": len(tree.players),
        "constant_sum": None if sums is None else text(sums),
        **sizes(tree),
        "kind": "value" if is_value else "equilibrium",
        "value": payoffs[0] if is_value else None,
        "payoffs": " ".join(payoffs),
        "regret": text(regret),
        "method": proof.method,
        "certificate": f"instances/{one.slug}/{certificate}",
        "checker": CHECKERS[certificate],
        "efg": f"instances/{one.slug}/{EFG}" if EFG in contents else None,
        "mps": f"instances/{one.slug}/{MPS}" if MPS in contents else None,
        "source": one.source(tree),
        "licence": one.licence,
        "files": {name: digest(content) for name, content in sorted(contents.items())},
    }


def sizes(tree: GameTree) -> dict[str, int | None]:
    """Count nodes, ends of play and information sets; the sequences of two players with perfect recall; and rows,
    columns and nonzero entries of the linear program in ``game.mps``. None where there is none."""
    found: dict[str, int | None] = {
        "nodes": len(tree),
        "ends": int((tree.player == TERMINAL).sum()),
        "infosets": len(tree.personal),
    }
    found |= dict.fromkeys(("sequences", "lp_rows", "lp_columns", "lp_nonzeros"))
    if len(tree.players) != 2 or not has_perfect_recall(tree):
        return found
    one, two = players = sequence_form(tree).players
    found["sequences"] = one.count + two.count
    if has_value(tree):
        entries = sum(1 + len(side.widths) + int(side.widths.sum()) for side in players)
        (_, _, paid), _ = payoff_matrices(tree, players)
        found["lp_rows"] = 1 + len(one.infosets) + two.count
        found["lp_columns"] = one.count + 1 + len(two.infosets)
        found["lp_nonzeros"] = entries + len(paid)
    return found


def read_record(own: Path) -> Record:
    """Read ``instance.json`` in the folder *own*. Raises ``FileError`` unless all keys and digests are there."""
    record = read_plain(read_text(own / RECORD), RECORD)
    digests = record.get("files")
    if record.keys() != KEYS or not isinstance(digests, dict):
        raise FileError(f"{RECORD} does not have the keys of this version")
    if not all(isinstance(each, dict) and each.keys() == digest(b"").keys() for each in digests.values()):
        raise FileError(f"{RECORD}, files: each needs 'bytes' and 'hash'")
    return record


def instance_folders(folder: Path) -> list[Path]:
    """List the folders of the instances, by name."""
    return sorted(own for own in folder.glob("instances/*") if own.is_dir())


def digest(content: bytes) -> dict[str, Any]:
    """Return the size and the digest of a file's content."""
    return {"bytes": len(content), "hash": f"sha256:{sha256(content).hexdigest()}"}


def as_json(data: object) -> bytes:
    """Return the content of a JSON file of the data set."""
    return json.dumps(data, indent=1, ensure_ascii=False).encode() + b"\n"


def description(folder: Path) -> dict[str, bytes]:
    """Return the files that describe the instances in *folder*, by name; instances without a record are left out."""
    names = [name for name, *_ in COLUMNS]
    rows, resources = list[Record](), list[dict[str, Any]]()
    for own in instance_folders(folder):
        try:
            record, content = read_record(own), (own / RECORD).read_bytes()
        except (EfgBuilderError, OSError):
            continue
        rows.append({name: record[name] for name in names})
        for name, kept in (record["files"] | {RECORD: digest(content)}).items():
            resources.append({"name": f"{own.name}/{name}", "path": f"instances/{own.name}/{name}"} | kept)
    cells = [["" if cell is None else cell for cell in row.values()] for row in rows]
    found = {
        "index.csv": b"".join(csv_lines([names, *cells])),
        "index.json": as_json({"version": __version__, "instances": rows}),
        "README.md": README.format(games=plural(len(rows), "game"), version=__version__).encode(),
        "LICENSE": LICENSE.encode(),
    }
    found |= {name: (files("efg_builder.proof") / name).read_bytes() for name in CHECKERS.values()}
    return found | {"datapackage.json": as_json(_package(found, len(rows), resources))}


def _package(top: dict[str, bytes], games: int, resources: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The data package: the index with its schema, and every other file."""
    fields = [
        {"name": name, "type": kind, "description": said, **({"constraints": limits} if limits else {})}
        for name, kind, said, limits in COLUMNS
    ]
    schema = {"fields": fields, "primaryKey": "slug", "missingValues": [""]}
    table = {"profile": "tabular-data-resource", "format": "csv", "mediatype": "text/csv", "encoding": "utf-8"}
    described = {"index.csv": table | {"schema": schema}}
    return {
        "profile": "data-package",
        "name": "efg-builder-library",
        "title": "Games with proved values, for testing solvers",
        "description": f"{plural(games, 'game')} in extensive form, each with a certificate of its value, or of "
        "an equilibrium. README.md says more.",
        "version": __version__,
        "keywords": ["game theory", "extensive form", "Nash equilibrium", "linear programming", "benchmark"],
        "licenses": [
            {"name": "MIT", "path": "https://spdx.org/licenses/MIT.html", "title": "MIT License"},
            {
                "name": "GPL-2.0-or-later",
                "path": "https://spdx.org/licenses/GPL-2.0-or-later.html",
                "title": f"of the family {GAMBIT} alone",
            },
        ],
        "contributors": [{"title": "The efg_builder authors", "role": "author"}],
        "resources": [
            *(
                {"name": name.lower().replace(".", "-"), "path": name} | described.get(name, {}) | digest(content)
                for name, content in top.items()
            ),
            *resources,
        ],
    }


LICENSE = f"""SPDX-License-Identifier: MIT AND GPL-2.0-or-later
Copyright (c) 2026 The efg_builder authors

These files are under the MIT License, as efg-builder is: https://spdx.org/licenses/MIT.html

The instances of the family {GAMBIT} are the exception: their games are from pygambit's catalogue,
and have its license, GPL-2.0-or-later: https://spdx.org/licenses/GPL-2.0-or-later.html. See the column licence.
"""

README = """# Games with proved values

{games} in extensive form, made by efg-builder {version}. Two-player games with a constant sum have their value; all
others have the payoffs of one equilibrium, and other equilibria may pay differently.

| in `instances/SLUG/` | content |
| --- | --- |
| `game.efg` | the tree, in ASCII, for Gambit and OpenSpiel; large games have none |
| `game.mps` | player 1's linear program in sequence form: its greatest objective `v0` is the value |
| `certificate.tree.json.gz` | strategies and claim, with the tree; `tree_checker.py` proves it |
| `certificate.named.json.gz` | strategies and claim of a named round of Liar's Dice; `checker.py` proves it |
| `instance.json` | the row of the index, and the digests of these files |

Numbers in `game.mps` are decimals of 17 digits; all others are exact. `index.csv` and `index.json` have the same rows,
and `datapackage.json` explains the columns.

With Python 3.11 or later and nothing else, the checkers prove the certificates:

    python tree_checker.py instances/*/certificate.tree.json.gz
    python checker.py instances/*/certificate.named.json.gz

`efg-builder verify FOLDER` also builds each game anew and compares it with these files.

Cite as "The efg_builder authors: Games with proved values. Made by efg-builder {version}, 2026." Name the version, and
the slugs if you use few games. Cite the authors of the games too: the column `source`. `LICENSE` has the licenses.
"""
