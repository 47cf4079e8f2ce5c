"""A data set of games with proved values: the record of each game, and the verification of all records.

``benchmarks/library.py`` creates the data set.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..base.errors import CertificateError, EfgBuilderError, FileError, ParameterError
from ..base.files import csv_lines, read_text, reason
from ..base.rationals import parse, text
from ..base.strict_json import strict_json
from ..base.version import __version__
from ..base.words import plural, quiet
from ..forms.extensive import (
    MAX_NODES,
    TERMINAL,
    GameTree,
    build,
    constant_sum,
    has_value,
    payoff_range,
)
from ..forms.recall import has_perfect_recall, solvable
from ..forms.sequence_form import sequence_form
from ..games.catalogue import identify, known
from ..games.protocol import Game
from ..interop.efg import parse_efg, read_efg, to_efg
from ..interop.gambit import lacking
from ..interop.sequence_files import payoff_matrices, write_sequence_form
from ..proof.certificate import Proof, verify_solution
from ..proof.certificate.reading import read_plain, word

EFG, MPS, RECORD = "game.efg", "game.mps", "instance.json"

EFG_NODES, MPS_NODES = 60_000, 400_000
"""The maximum numbers of nodes for ``game.efg`` and ``game.mps``; files of larger trees exceed ten megabytes."""

TREE, NAMED = "certificate.tree.json.gz", "certificate.named.json.gz"
"""The file names of certificates: one contains the tree (for ``tree_checker.py``), the other names the game (for
``checker.py``).
"""

CHECKERS = {TREE: "tree_checker.py", NAMED: "checker.py"}

EXAM = "exam"  # the folder of the public exam
MARKER = "efg-library.txt"  # the file that marks a folder as a data set
MARK = (
    f"A data set made by benchmarks/library.py of efg-builder {__version__}, which replaces the files it made here.\n"
)

MOST_REGRET = Fraction(1, 10**12)
"""The maximum regret of an approximate equilibrium, relative to the payoff range."""

Record = dict[str, Any]


def _template(name: str) -> str:
    return (files("efg_builder.experiments") / "data_set" / name).read_text("utf-8")


PACKAGE: dict[str, Any] = strict_json(_template("datapackage.json"))

COLUMNS: tuple[str, ...] = tuple(field["name"] for field in PACKAGE["resources"][0]["schema"]["fields"])

GAMBIT = "gambit-catalogue"  # the family of games from pygambit


@dataclass(frozen=True)
class Instance:
    """A game of the data set.

    ``family``: the group of games. ``game`` and the settings ``asked`` specify the game. ``rake``: the fraction of each
    win that the house takes. In the family ``gambit-catalogue``, ``game`` is a path in pygambit's folder of games.
    """

    family: str
    game: str
    asked: Mapping[str, str] = field(default_factory=dict)
    rake: Fraction = Fraction(0)

    def to_json(self) -> dict[str, Any]:
        return {"family": self.family, "game": self.game, "asked": dict(self.asked), "rake": text(self.rake)}

    @property
    def _rules(self) -> Game:
        return known(self.game).create(self.asked)

    @property
    def rules(self) -> Game | None:
        """The catalogue's game; None if it has a rake or comes from pygambit."""
        return None if self.family == GAMBIT or self.rake else self._rules

    @property
    def slug(self) -> str:
        """The instance's name, without default settings. Its characters are letters, digits, ``-``, ``_`` and ``.``."""
        words = [GAMBIT.partition("-")[0], self.game]
        if self.family != GAMBIT:
            defaults = {one.name: one.default for one in known(self.game).parameters}
            always = {next(iter(defaults), ""), "dice"}
            words = [f"{k}-{v}" for k, v in self.asked.items() if k in always or v != defaults[k]]
            words = [self.game, *words, *([f"rake-{text(self.rake)}"] if self.rake else [])]
        short = "_".join(words).lower()
        return re.sub(r"[^a-z0-9._-]", lambda sign: {",": ".", "/": "."}.get(sign[0], "-"), short)

    @property
    def settings(self) -> str | None:
        """All settings in words, including the rake; None if the game has no settings."""
        found = None if self.family == GAMBIT else identify(self._rules)
        words = [f"{key}={value}" for key, value in (found[1] if found else {}).items()]
        return " ".join([*words, *([f"rake={text(self.rake)}"] if self.rake else [])]) or None

    def source(self, tree: GameTree) -> str:
        """Return the source of the game; *tree* is the game's tree."""
        if self.family == GAMBIT:
            return " ".join(f"pygambit's catalogue, {self.game}: {tree.comment or tree.title}".split())
        return "; ".join(known(self.game).sources)

    def tree(self, max_nodes: int = MAX_NODES) -> GameTree:
        """Build the tree. Raises ``EfgBuilderError``."""
        if self.family == GAMBIT:
            if lack := lacking(f"the family {GAMBIT}"):
                raise lack
            if self.game not in (games := gambit_games()):
                raise ParameterError(f"the installed pygambit has no game {self.game!r}")
            return read_efg(games[self.game], max_nodes=max_nodes)
        tree = build(self._rules, max_nodes=max_nodes)
        return raked(tree, self.rake) if self.rake else tree


def instance_of(data: object) -> Instance:
    """Read the values of ``Instance.to_json``. Raises ``FileError`` for other values."""
    try:
        match data:
            case {"family": str(family), "game": str(game), "asked": dict(asked), "rake": str(rake)}:
                found = Instance(family, game, asked, parse(rake))
                if found.to_json() == data and all(isinstance(value, str) for value in asked.values()):
                    return found
    except (ValueError, ZeroDivisionError):
        pass
    raise FileError(
        "the row does not name a game: 'asked' needs family, game and rake as text, and the settings 'asked'"
    )


def raked(tree: GameTree, share: Fraction) -> GameTree:
    """Return *tree* with *share* of each win taken by the house."""
    title = f"{tree.title}, the house keeps {share} of what is won"
    won = ([u * (1 - share) if u > 0 else u for u in outcome.payoffs] for outcome in tree.outcomes)
    pairs = zip(tree.outcomes, won, strict=True)
    return replace(tree, title=title, outcomes=tuple(o._replace(payoffs=tuple(u)) for o, u in pairs))


def gambit_games() -> dict[str, Path]:
    """Return the games of the installed pygambit, by path in its folder; empty if pygambit is missing."""
    found = importlib.util.find_spec("pygambit")
    places = found.submodule_search_locations if found is not None else None
    folder = Path(next(iter(places))) / "catalog_data" if places else None
    files = sorted(folder.rglob("*.efg")) if folder is not None else ()
    return {path.relative_to(folder or path).with_suffix("").as_posix(): path for path in files}


# --- the record of a game


def record_of(one: Instance, tree: GameTree, proof: Proof, contents: dict[str, bytes]) -> Record:
    """Return the content of ``instance.json``, except ``seconds``, if the other files have these *contents*.

    Raises ``CertificateError`` unless *proof* proves an exact equilibrium, or strategies very close to an equilibrium.
    """
    certificate = next(name for name in CHECKERS if name in contents)
    is_value, sums, regret = has_value(tree), constant_sum(tree), proof.regret
    near = not is_value and isinstance(regret, Fraction) and regret <= MOST_REGRET * payoff_range(tree)
    if not proof.exact and not (proof.status == "near-equilibrium" and near):
        problem = f"{proof.status}, a player gains {float(regret):.3g}"
        raise CertificateError("claim", f"{problem}; the data set takes only exact or almost exact equilibria")
    payoffs = [text(value) for value in proof.value]
    paths = {name: f"instances/{one.slug}/{name}" for name in contents}
    return {
        **{name: getattr(one, name) for name in ("slug", "family", "game", "settings")},
        "asked": one.to_json(),
        "title": tree.title,
        "players": len(tree.players),
        "constant_sum": None if sums is None else text(sums),
        **sizes(tree),
        "kind": "value" if is_value else "equilibrium",
        "value": payoffs[0] if is_value else None,
        "payoffs": " ".join(payoffs),
        "regret": text(regret),
        "method": proof.method,
        "certificate": paths[certificate],
        "checker": CHECKERS[certificate],
        "efg": paths.get(EFG),
        "mps": paths.get(MPS),
        "source": one.source(tree),
        "licence": "GPL-2.0-or-later" if one.family == GAMBIT else "MIT",
        "files": {name: digest(content) for name, content in sorted(contents.items())},
    }


def sizes(tree: GameTree) -> dict[str, int | None]:
    """Return the sizes of the tree, its sequence form and its linear program (None if undefined)."""
    found: dict[str, int | None] = dict.fromkeys(("sequences", "lp_rows", "lp_columns", "lp_nonzeros"))
    found |= {"nodes": len(tree), "ends": int((tree.player == TERMINAL).sum()), "infosets": len(tree.personal)}
    if len(tree.players) != 2 or not has_perfect_recall(tree):
        return found
    tree = solvable(tree)
    one, two = players = sequence_form(tree).players
    found["sequences"] = one.count + two.count
    if has_value(tree):
        entries = sum(1 + len(side.widths) + int(side.widths.sum()) for side in players)
        (_, _, paid), _ = payoff_matrices(tree, players)
        found["lp_rows"], found["lp_columns"] = 1 + len(one.infosets) + two.count, one.count + 1 + len(two.infosets)
        found["lp_nonzeros"] = entries + len(paid)
    return found


def read_record(own: Path) -> Record:
    """Read ``instance.json``. Raises ``FileError`` for a missing or unknown key, or an incomplete digest."""
    record = read_plain(read_text(own / RECORD), RECORD)
    digests = record.get("files")
    if record.keys() != {*COLUMNS, "asked", "files"} or not isinstance(digests, dict):
        raise FileError(f"{RECORD} does not have the keys of this version")
    if not all(isinstance(each, dict) and each.keys() == digest(b"").keys() for each in digests.values()):
        raise FileError(f"{RECORD}, files: each needs 'bytes' and 'hash'")
    return record


def instance_folders(folder: Path) -> list[Path]:
    return sorted(own for own in folder.glob("instances/*") if own.is_dir())


def digest(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "hash": f"sha256:{sha256(content).hexdigest()}"}


def as_json(data: object) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False).encode() + b"\n"


def index_of(folder: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the contents of the index files and the checkers, by name, and all files' sizes and digests, by path.

    Instances without a valid ``instance.json`` are omitted.
    """
    rows, digests = list[Record](), dict[str, Any]()
    for own in instance_folders(folder):
        try:
            record, content = read_record(own), (own / RECORD).read_bytes()
        except (EfgBuilderError, OSError):
            continue
        rows.append({name: record[name] for name in COLUMNS})
        listed = record["files"] | {RECORD: digest(content)}
        digests |= {f"instances/{own.name}/{name}": each for name, each in listed.items()}
    digests |= {f"{EXAM}/{path.name}": digest(path.read_bytes()) for path in sorted(folder.glob(f"{EXAM}/*"))}
    cells = [["" if cell is None else cell for cell in row.values()] for row in rows]
    found = {
        "index.csv": b"".join(csv_lines([COLUMNS, *cells])),
        "index.json": as_json({"version": __version__, "instances": rows}),
    }
    found |= {name: (files("efg_builder.proof") / name).read_bytes() for name in CHECKERS.values()}
    return found, {name: digest(content) for name, content in found.items()} | digests


# --- the files that describe the data set


def description(folder: Path) -> dict[str, bytes]:
    """Return the files that describe the instances in *folder*, by name.

    ``datapackage.json`` follows the Frictionless Data Package 1.0 (https://specs.frictionlessdata.io).
    """
    contents, digests = index_of(folder)
    games = plural(contents["index.csv"].count(b"\n") - 1, "game")
    contents["README.md"] = _template("README.md").format(games=games, version=__version__).encode()
    contents["LICENSE"] = _template("LICENSE").encode()
    digests |= {name: digest(contents[name]) for name in ("README.md", "LICENSE")}
    package = PACKAGE | {"description": PACKAGE["description"].format(games=games), "version": __version__}
    (index,) = PACKAGE["resources"]
    package["resources"] = [index | digests.pop("index.csv")]
    for path, found in digests.items():
        name = path.removeprefix("instances/") if "/" in path else path.lower().replace(".", "-")
        package["resources"].append({"name": name, "path": path} | found)
    return contents | {"datapackage.json": as_json(package)}


# --- verification

PROVED, WRONG, NOT_COMPARED = RESULTS = ("proved", "wrong", "not compared")
"""The results for an instance or a file. "Not compared" means that this version cannot rebuild the game, or that
another version made the data set.
"""


@dataclass(frozen=True)
class LibraryFinding:
    """The result for an instance or a file, with a one-line ``problem`` or the ``proof``."""

    name: str
    result: str
    problem: str = ""
    proof: Proof | None = None

    def to_json(self) -> dict[str, Any]:
        proof = None if self.proof is None else self.proof.to_json()
        return {"name": self.name, "result": self.result, "problem": self.problem or None, "proof": proof}


def prove_library(
    folder: Path, *, max_nodes: int = MAX_NODES, progress: Callable[[str], None] = quiet
) -> Iterator[LibraryFinding]:
    """Yield a finding for each instance in *folder*, and for each wrong file that describes the instances.

    Raises ``ParameterError`` if *folder* is not a data set.
    """
    if not (folder / MARKER).is_file():
        problem = f"{folder} is not a data set: it has no file {MARKER}"
        raise ParameterError(f"{problem}; name a solution's file, or a folder that benchmarks/library.py made")
    folders = instance_folders(folder)
    for count, own in enumerate(folders, start=1):
        yield prove_instance(own, max_nodes)
        progress(f"{count:,} of {plural(len(folders), 'game')}")
    if _content(folder / MARKER) != MARK.encode():
        problem = "another version made this data set; its index, README.md and checkers are not compared"
        yield LibraryFinding(MARKER, NOT_COMPARED, problem)
        return
    for name, content in description(folder).items():
        if _content(folder / name) != content:
            why = f"it does not match the {RECORD} files and this version of efg-builder"
            yield LibraryFinding(name, WRONG, why)


def prove_instance(own: Path, max_nodes: int = MAX_NODES) -> LibraryFinding:
    """Build an instance's game, verify its certificate, and compare all files with the game and the proof."""
    try:
        record = read_record(own)
        one = instance_of(record["asked"])
    except EfgBuilderError as error:
        return LibraryFinding(own.name, WRONG, str(error))
    try:
        tree = one.tree(max_nodes)
    except EfgBuilderError as error:
        return LibraryFinding(own.name, NOT_COMPARED, str(error))
    try:
        proof = _proof(own, one, tree, record)
    except (EfgBuilderError, OSError) as error:
        return LibraryFinding(own.name, WRONG, reason(error) if isinstance(error, OSError) else str(error))
    return LibraryFinding(own.name, PROVED, proof=proof)


def contents_of(tree: GameTree) -> dict[str, bytes]:
    """Return the contents of ``game.efg`` and ``game.mps``, unless *tree* is too large."""
    found = {}
    if len(tree) <= EFG_NODES:
        found[EFG] = to_efg(tree, portable=True).encode()
    if len(tree) <= MPS_NODES and has_value(tree):
        with TemporaryDirectory() as place:
            found[MPS] = write_sequence_form(tree, Path(place) / MPS).read_bytes()
    return found


def _proof(own: Path, one: Instance, tree: GameTree, record: dict[str, Any]) -> Proof:
    right = contents_of(tree)
    names = {path.name for path in own.iterdir()} - {RECORD}
    certificates = names & CHECKERS.keys()
    if names != right.keys() | certificates or len(certificates) != 1:
        listed = ", ".join(sorted(right))
        raise FileError(f"its files must be {RECORD}, {listed} and one certificate, not {', '.join(sorted(names))}")
    for name, content in right.items():
        if (own / name).read_bytes() != content:
            raise FileError(f"{name} does not describe the row's game")
    (certificate,) = certificates
    # The certificate ``TREE`` contains the tree of ``game.efg``, with names in ASCII.
    subject = parse_efg(right[EFG].decode()) if certificate == TREE else one.rules or tree
    proof = verify_solution(own / certificate, subject)
    right[certificate] = (own / certificate).read_bytes()
    expected = record_of(one, tree, proof, right)
    if own.name != expected["slug"]:
        raise FileError(f"the game of the row is {expected['slug']}")
    for key, value in expected.items():
        # Compare text, because 7.0 == 7 and True == 1 in Python.
        if json.dumps(record[key], sort_keys=True) != json.dumps(value, sort_keys=True):
            raise FileError(f"{RECORD}: {key} is {word(record[key])}, but {word(value)} by the rules and the proof")
    if isinstance(record["seconds"], bool) or not isinstance(record["seconds"], int | float) or record["seconds"] < 0:
        raise FileError(f"{RECORD}: seconds is {word(record['seconds'])}, not a number of at least 0")
    return proof


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
