"""Making the library: a folder for each game, whole or not at all, and made again only where it is not whole.

A folder holds ``game.efg``, ``game.mps`` (two players, constant sum), the certificate, and ``instance.json``, which is
written last and has the digest of each of the others. So a folder is whole where its files have these digests.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import Any

from ...base.errors import EfgBuilderError, FileError, NotSolvedError
from ...base.files import reason, write_atomically
from ...base.rationals import Number, text
from ...base.version import __version__
from ...base.words import plural, quiet
from ...equilibria.solution import Solution
from ...equilibria.solve import AUTO_NODES, solve
from ...forms.extensive import TERMINAL, GameTree, constant_sum, has_perfect_recall, has_value
from ...forms.sequence_form import sequence_form
from ...interop.efg import parse_efg, to_efg
from ...interop.sequence_files import payoff_matrices, write_sequence_form
from ...proof.certificate import encode
from ..jobs.executors import executor
from .instances import Instance

EFG_NODES, MPS_NODES = 60_000, 400_000
"""Of larger trees there is no ``game.efg``, and no ``game.mps``: they would have more than ten megabytes."""

BY_NAME = ("liars-dice", "liars-dice-stakes")
"""The games that ``checker.py`` knows: a certificate names them, and need not carry the tree."""

TREE, NAMED = "certificate.tree.json.gz", "certificate.named.json.gz"
"""The certificate: of a tree that it carries, for ``tree_checker.py``, or of a game by name, for ``checker.py``."""

CHECKERS = {TREE: "tree_checker.py", NAMED: "checker.py"}

ABOUT = "instance.json"

MOST_REGRET = Fraction(1, 10**12)
"""What a player may gain, as a fraction of the widest range of a player's payoffs, where there is no exact answer."""

TIMEOUT = 300.0
"""Seconds that a game may take to solve."""

FORMAT = 1
"""Of the folders: those of another number are made anew."""

Record = dict[str, Any]

KEYS = {
    *("format", "slug", "asked", "title", "players", "constant_sum", "kind", "value", "payoffs", "regret", "method"),
    *("seconds", "version", "nodes", "ends", "infosets", "sequences", "lp_rows", "lp_columns", "lp_nonzeros", "files"),
}
"""What ``instance.json`` has."""


@dataclass(frozen=True)
class Made:
    """What a run came to: the slugs that were there and whole, those made, and why others were not."""

    kept: tuple[str, ...]
    made: tuple[str, ...]
    failed: Mapping[str, str]


def make_library(
    folder: Path,
    wanted: Sequence[Instance],
    *,
    workers: int = 1,
    progress: Callable[[str], None] = quiet,
) -> Made:
    """Make those of *wanted* that are not in *folder* yet, *workers* at a time. The index is not written here.

    What is interrupted is not there, and the rest stays. Raises ``FileError`` where *folder* cannot be written, or has
    files and is no library: the index would replace the README and the licence of something else.
    """
    try:
        own = (folder / "instances").is_dir()
        if not own and folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir()):
            raise FileError(f"cannot make a library in {folder}: it has other files; name a new folder")
        (folder / "instances").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot write {folder}: {reason(error)}") from error
    kept, failed, made = list[str](), dict[str, str](), list[str]()
    missing = list[Instance]()
    for one in wanted:
        if read(folder, one) is None:
            missing.append(one)
        else:
            kept.append(one.slug)

    def done(one: Instance, problem: str | None) -> None:
        if problem is None:
            made.append(one.slug)
        else:
            failed[one.slug] = problem
        count = len(made) + len(failed)
        progress(f"{count:,} of {plural(len(missing), 'instance')} made: {one.slug}")

    if workers == 1:
        for one in missing:
            progress(f"{len(made) + len(failed):,} of {plural(len(missing), 'instance')} made, now {one.slug}")
            done(one, attempt(folder, one))
    elif missing:
        with executor(min(workers, len(missing))) as pool:
            held = {pool.submit(attempt, folder, one): one for one in missing}
            while held:
                for future in wait(held, timeout=1.0, return_when=FIRST_COMPLETED)[0]:
                    done(held.pop(future), future.result())
    return Made(tuple(kept), tuple(made), failed)


def attempt(folder: Path, one: Instance) -> str | None:
    """Make the instance; why it was not made, in one line, or None."""
    try:
        make(folder, one)
    except FileError:
        raise
    except EfgBuilderError as error:
        return str(error)
    return None


def place(folder: Path, slug: str) -> Path:
    """The folder of an instance."""
    return folder / "instances" / slug


def read(folder: Path, one: Instance) -> Record | None:
    """What ``instance.json`` says of an instance; None where it is not there, not of this game, or not whole."""
    own = place(folder, one.slug)
    try:
        record = json.loads((own / ABOUT).read_text("utf-8"))
        if record["format"] != FORMAT or record["asked"] != _asked(one) or ABOUT in record["files"]:
            return None
        if record.keys() != KEYS or not all(isinstance(payoff, str) for payoff in record["payoffs"]):
            return None
        whole = all(digest((own / name).read_bytes()) == kept for name, kept in record["files"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return record if whole and CHECKERS.keys() & record["files"].keys() else None


def digest(content: bytes) -> dict[str, Any]:
    """What is kept of the content of a file."""
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}


def _asked(one: Instance) -> Record:
    """What makes the game, and must be the same where a folder is kept."""
    words = {"family": one.family, "game": one.game, "settings": dict(one.settings), "rake": text(one.rake)}
    return words | {"source": one.source, "licence": one.licence}


def make(folder: Path, one: Instance) -> Record:
    """Solve the instance and write its folder; returns what ``instance.json`` has.

    Raises ``NotSolvedError`` where no equilibrium was verified: such a game has no place here.
    """
    own = place(folder, one.slug)
    tree = one.tree()
    portable = to_efg(tree, portable=True) if len(tree) <= EFG_NODES else None
    rules = one.rules
    if rules is not None and one.game in BY_NAME and len(tree) > AUTO_NODES:
        found, certificate = solve(rules, timeout=TIMEOUT, refine=False), NAMED
    else:
        # The tree as the file has it, so that the certificate carries the very game of the file. Not refined, here and
        # above: the checkers would not look at that.
        found, certificate = solve(parse_efg(portable or to_efg(tree)), timeout=TIMEOUT, refine=False), TREE
    claim = found.to_json()
    _check(tree, found, claim, certificate)
    record = _record(one, tree, found)
    try:
        if own.exists():
            rmtree(own)
        own.mkdir()
    except OSError as error:
        raise FileError(f"cannot write {own}: {reason(error)}") from error
    write_atomically(own / certificate, (part.encode() for part in (*encode(claim), "\n")))
    if portable is not None:
        write_atomically(own / "game.efg", [portable.encode()])
    if len(tree) <= MPS_NODES and has_value(tree):
        write_sequence_form(tree, own / "game.mps")
    names = sorted(os.listdir(own))
    record["files"] = {name: digest((own / name).read_bytes()) for name in names}
    write_atomically(own / ABOUT, [as_json(record)])
    return record


def as_json(data: object) -> bytes:
    """The content of a file of the library."""
    return json.dumps(data, indent=1, ensure_ascii=False).encode() + b"\n"


def _check(tree: GameTree, found: Solution, claim: Record, certificate: str) -> None:
    """Raise ``NotSolvedError`` unless the solution has a verified regret, 0 or next to it, in fractions."""
    verdict = found.verdict
    if verdict is None or not verdict.exact:
        problem = found.message or found.status
        raise NotSolvedError(f"no equilibrium was verified in fractions: {problem}")
    near = found.status == "near-equilibrium" and not has_value(tree)
    if not (found.exact or (near and Fraction(verdict.regret) <= MOST_REGRET * Fraction(verdict.spread))):
        raise NotSolvedError(f"{found.status}, somebody gains {float(verdict.regret):.3g}")
    if certificate == TREE and "efg" not in claim["game"]:
        raise NotSolvedError("its tree is too large to be carried by a certificate")


def _record(one: Instance, tree: GameTree, found: Solution) -> Record:
    """The instance in plain data, without the files; exact numbers are text."""
    value = found.value
    assert value is not None
    assert found.regret is not None
    total = constant_sum(tree)
    return {
        "format": FORMAT,
        "slug": one.slug,
        "asked": _asked(one),
        "title": tree.title,
        "players": len(tree.players),
        "constant_sum": None if total is None else text(total),
        "kind": "value" if has_value(tree) else "equilibrium",
        "value": _text(value[0]) if has_value(tree) else None,
        "payoffs": [_text(each) for each in value],
        "regret": _text(found.regret),
        "method": found.method,
        "seconds": round(found.seconds, 3),
        "version": __version__,
        **sizes(tree),
    }


def _text(number: Number) -> str:
    return text(Fraction(number))


def sizes(tree: GameTree) -> dict[str, int | None]:
    """Nodes, ends of play, information sets; with two players and perfect recall both players' sequences; and rows,
    columns and entries of the linear program in ``game.mps``. None where there is none."""
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
