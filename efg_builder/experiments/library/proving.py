"""The proof of a data set: each row is held against the game that it names, and the index against the rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ...base.errors import EfgBuilderError, FileError, ParameterError
from ...base.files import reason
from ...base.words import plural, quiet
from ...forms.extensive import MAX_NODES, GameTree, has_value
from ...interop.efg import parse_efg, to_efg
from ...interop.sequence_files import write_sequence_form
from ...proof.certificate import Proof, verify_solution
from ...proof.certificate.reading import word
from .index import (
    CHECKERS,
    EFG,
    EFG_NODES,
    MARK,
    MARKER,
    MPS,
    MPS_NODES,
    RECORD,
    TREE,
    description,
    instance_folders,
    read_record,
    record_of,
)
from .instance import Instance, instance_of

PROVED, WRONG, NOT_COMPARED = RESULTS = ("proved", "wrong", "not compared")
"""The result for an instance or a file. Not compared: this version cannot rebuild the game that the row names."""


@dataclass(frozen=True)
class LibraryFinding:
    """The result for the instance or the file ``name``, with the ``problem`` in a line, or the ``proof``."""

    name: str
    result: str
    problem: str = ""
    proof: Proof | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain data; exact numbers are text."""
        proof = None if self.proof is None else self.proof.to_json()
        return {"name": self.name, "result": self.result, "problem": self.problem or None, "proof": proof}


def is_library(folder: Path) -> bool:
    """Whether *folder* is marked as a data set."""
    return (folder / MARKER).is_file()


def prove_library(
    folder: Path, *, max_nodes: int = MAX_NODES, progress: Callable[[str], None] = quiet
) -> Iterator[LibraryFinding]:
    """Prove each instance in *folder*, and compare the files that describe them; those only if they are wrong.

    Raises ``ParameterError`` where *folder* is no data set.
    """
    if not is_library(folder):
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
            yield LibraryFinding(name, WRONG, f"it is not what the {RECORD} files and this version of efg-builder give")


def prove_instance(own: Path, max_nodes: int = MAX_NODES) -> LibraryFinding:
    """Prove the instance in the folder *own*: build its game anew, prove the certificate, compare all files."""
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
    """Return ``game.efg`` and ``game.mps`` of *tree*, those that it has."""
    found = {}
    if len(tree) <= EFG_NODES:
        found[EFG] = to_efg(tree, portable=True).encode()
    if len(tree) <= MPS_NODES and has_value(tree):
        with TemporaryDirectory() as place:
            found[MPS] = write_sequence_form(tree, Path(place) / MPS).read_bytes()
    return found


def _proof(own: Path, one: Instance, tree: GameTree, record: dict[str, Any]) -> Proof:
    """Prove the certificate of *tree*, and compare all files. Raises ``EfgBuilderError`` and ``OSError``."""
    right = contents_of(tree)
    names = {path.name for path in own.iterdir()} - {RECORD}
    certificates = names & CHECKERS.keys()
    if names != right.keys() | certificates or len(certificates) != 1:
        listed = ", ".join(sorted(right))
        raise FileError(f"its files must be {RECORD}, {listed} and one certificate, not {', '.join(sorted(names))}")
    for name, content in right.items():
        if (own / name).read_bytes() != content:
            raise FileError(f"{name} is not of the game that the row names")
    (certificate,) = certificates
    # The certificate carries the tree of game.efg, in ASCII.
    subject = parse_efg(right[EFG].decode()) if certificate == TREE else one.rules or tree
    proof = verify_solution(own / certificate, subject)
    right[certificate] = (own / certificate).read_bytes()
    expected = record_of(one, tree, proof, right)
    if own.name != expected["slug"]:
        raise FileError(f"the game that the row names is {expected['slug']}")
    for key, value in expected.items():
        # As text: to Python, 7.0 is 7 and True is 1.
        if json.dumps(record[key], sort_keys=True) != json.dumps(value, sort_keys=True):
            raise FileError(f"{RECORD}: {key} is {word(record[key])}, by the rules and the proof {word(value)}")
    if isinstance(record["seconds"], bool) or not isinstance(record["seconds"], int | float) or record["seconds"] < 0:
        raise FileError(f"{RECORD}: seconds is {word(record['seconds'])}, which is not a number from 0 on")
    return proof


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
