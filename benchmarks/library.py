"""Make a data set of games with proved values: ``python benchmarks/library.py -o FOLDER [PATTERN ...]``.

Each game has a folder ``instances/NAME`` with the tree (``game.efg``), the linear program (``game.mps``, only for
two-player constant-sum games), a certificate, and ``instance.json``. A pattern such as 'kuhn*' selects games. The same
command resumes an interrupted run: verified instances remain, and all others are made again. A folder that is not empty
needs the marker that this script writes first. Other files in the folder remain. Exit code 0: all instances are made;
3: some are not; 2: invalid input.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import frame
import public_exam
from efg_builder.base.errors import EfgBuilderError, FileError, NotSolvedError, ParameterError
from efg_builder.base.files import reason, write_atomically
from efg_builder.base.rationals import parse
from efg_builder.base.words import plural, quiet
from efg_builder.equilibria.solve import AUTO_NODES, solve
from efg_builder.experiments.exam.files import key_path
from efg_builder.experiments.jobs.executors import as_done, executor
from efg_builder.experiments.library import (
    CHECKERS,
    EFG,
    EXAM,
    GAMBIT,
    MARK,
    MARKER,
    MPS,
    NAMED,
    PROVED,
    RECORD,
    TREE,
    Instance,
    as_json,
    contents_of,
    description,
    gambit_games,
    instance_folders,
    prove_instance,
    read_record,
    record_of,
)
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.forms.recall import has_perfect_recall
from efg_builder.interop.efg import parse_efg, read_efg
from efg_builder.interop.gambit import lacking
from efg_builder.proof.certificate import encode

GAMBIT_NODES = 1_000
"""The maximum number of nodes of a game from pygambit."""

BY_NAME = ("liars-dice", "liars-dice-stakes")
"""The games that ``checker.py`` knows; their certificates name the game, and need not contain the tree."""

TIMEOUT = 300.0
"""Time limit for solving a game, in seconds."""

OWN = {EFG, MPS, RECORD, *CHECKERS}
"""The names of the files of an instance."""

MADE, KEPT = "made", "there already"

# --- the list


@dataclass(frozen=True)
class Family:
    """Variants of a game: the values of its settings, the maximum number of nodes, and the house's shares."""

    name: str
    game: str
    settings: Mapping[str, str]
    nodes: int = 5_000
    rakes: tuple[str, ...] = ("0",)


TWO = "1..3,1..3"
"""Numbers of dice for two players."""

THREE = "1,2..3;2..3,1..3"
"""Pairs with at least three dice in total: with two dice, the order ``bluff`` equals ``quantity-face``."""

FAMILIES = (
    # Two players: the first call ends the round, and the loser pays 1.
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": TWO, "order": "quantity-face;face-quantity"}, 60_000),
    Family(
        "liars-dice",
        "liars-dice",
        {"sides": "2..6", "dice": TWO, "wild": "highest", "order": "quantity-face;face-quantity"},
        60_000,
    ),
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": THREE, "wild": "highest", "order": "bluff"}, 60_000),
    Family("liars-dice", "liars-dice", {"sides": "2..6", "dice": TWO, "wild": "1", "wild_biddable": "*"}, 60_000),
    Family("liars-dice", "liars-dice", {"sides": "6", "dice": "1,1", "wild": "none;highest"}, 400_000),
    Family("liars-dice-quantity", "liars-dice", {"sides": "2..8", "dice": "1,1;2,1;1,2", "max_quantity": "1"}, 40_000),
    Family("liars-dice-points", "liars-dice", {"sides": "2..4", "dice": "1,1;2,1;1,2", "payoff": "points"}),
    Family("liars-dice-spot-on", "liars-dice-spot-on", {"sides": "2..4", "dice": "1..2,1..2", "order": "*"}),
    Family("liars-dice-spot-on", "liars-dice-spot-on", {"sides": "2..4", "dice": "1..2,1..2", "wild": "highest"}),
    # A round of a match: the cost of a lost call depends on the number of dice.
    *(
        Family(
            "liars-dice-stakes",
            "liars-dice-stakes",
            {"sides": "2..4", "dice": dice, "loss": loss, "exact": "*", "wild": "none;highest", "lose1": a, "lose2": b},
            10_000,
        )
        for dice, loss, a, b in (
            ("1,1", "one", "-1", "2"),
            ("2,1", "one", "-1", "3"),
            ("2,1", "difference", "-1,-3", "3"),
            ("1,2", "one", "-3", "1"),
            ("1,2", "difference", "-3", "1,3"),
            ("2,2", "one", "-2", "1"),
            ("2,2", "difference", "-1,-2", "1,2"),
            ("3,1", "difference", "-1,-2,-4", "4"),
        )
    ),
    # More than two players: an equilibrium and its payoffs.
    Family("liars-dice-many", "liars-dice", {"sides": "2..3", "dice": "1..2,1,1;1,2,1;1,1,2", "max_quantity": "1;2"}),
    Family("liars-dice-many", "liars-dice", {"sides": "2", "dice": "1,1,1", "wild": "none;highest", "order": "*"}),
    Family("liars-dice-many", "liars-dice", {"sides": "2", "dice": "1,1,1,1;1,1,1,1,1", "max_quantity": "1..2"}),
    Family("liars-dice-many", "liars-dice-spot-on", {"sides": "2", "dice": "1,1,1", "wild": "none;highest"}),
    Family("poker-many", "kuhn", {"cards": "4..5", "seats": "3"}),
    Family("poker-many", "leduc", {"ranks": "2", "raises": "1", "seats": "3"}),
    # Card games and other bluffing games.
    Family("kuhn", "kuhn", {"cards": "3..20"}),
    Family("leduc", "leduc", {"suits": "2..3", "ranks": "2..4", "raises": "1..2"}, 10_000),
    Family("dice-poker", "dice-poker", {"sides": "2..14", "bet": "1..3"}),
    Family("mia", "mia", {"sides": "2..3", "max_rolls": "0..2"}, 10_000),
    Family("liars-poker", "liars-poker", {"hand_length": "1..2", "num_digits": "2..3"}, 10_000),
    # The house takes a share, so the payoffs have no constant sum.
    Family("raked", "kuhn", {"cards": "3..7"}, rakes=("1/20", "1/10", "1/4")),
    Family("raked", "dice-poker", {"sides": "3..7"}, rakes=("1/20", "1/10", "1/4")),
    Family("raked", "leduc", {"ranks": "2", "raises": "1"}, rakes=("1/10",)),
    Family(
        "raked",
        "liars-dice-stakes",
        {"sides": "2", "dice": "2,1", "loss": "difference", "lose1": "-1,-3", "lose2": "3"},
        rakes=("1/10", "1/4"),
    ),
)


def instances() -> tuple[Instance, ...]:
    """Return the games in the order of the families, without duplicates, then pygambit's games."""
    found: dict[tuple[str, str], Instance] = {}
    for family in FAMILIES:
        for one in grid(family.game, family.settings).variants:
            if one.nodes is None or one.nodes <= family.nodes:
                for rake in family.rakes:
                    found.setdefault((one.key, rake), Instance(family.name, family.game, one.asked, parse(rake)))
    return (*found.values(), *_gambits())


def _gambits() -> Iterator[Instance]:
    """Yield pygambit's games with perfect recall; the checker cannot verify equilibria of other games."""
    for name, path in gambit_games().items() if lacking() is None else ():
        tree = read_efg(path)
        if len(tree) <= GAMBIT_NODES and has_perfect_recall(tree):
            yield Instance(GAMBIT, name)


# --- making


def make_library(
    folder: Path, wanted: Sequence[Instance], *, workers: int = 1, progress: Callable[[str], None] = quiet
) -> dict[str, str]:
    """Make the games of *wanted* that *folder* lacks, *workers* at a time, and describe all games in *folder*.

    Return ``MADE``, ``KEPT`` or a one-line problem by slug. Raises ``FileError`` if *folder* cannot be written, or has
    files but no marker.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / MARKER).is_file() and any(folder.iterdir()):
            problem = f"cannot make a data set in {folder}: it has files, and no {MARKER} that this script writes first"
            raise FileError(f"{problem}; name a new folder")
        # This write is not atomic, because a run that is killed here must leave only the marker.
        (folder / MARKER).write_text(MARK, "utf-8")
        (folder / "instances").mkdir(exist_ok=True)
        for path in (path for place in (folder, *instance_folders(folder)) for path in place.glob(".eb-*.part")):
            path.unlink()  # a killed run left this file
    except OSError as error:
        raise FileError(f"cannot write {folder}: {reason(error)}") from error
    found = dict[str, str]()
    try:
        with executor(workers, here=True) as pool:
            for one, future in as_done(pool, partial(attempt, folder), iter(wanted), workers):
                found[one.slug] = future.result()
                progress(f"{len(found):,} of {plural(len(wanted), 'instance')}: {one.slug} {found[one.slug]}")
    finally:
        add_exam(folder)
        for name, content in description(folder).items():
            write_atomically(folder / name, [content])
    return found


def attempt(folder: Path, one: Instance) -> str:
    """Make the instance, unless it exists and is verified."""
    own = folder / "instances" / one.slug
    try:
        if prove_instance(own).result == PROVED and read_record(own)["asked"] == one.to_json():
            return KEPT
        make(own, one)
    except FileError:
        raise
    except EfgBuilderError as error:
        clear(own)
        return str(error)
    except OSError as error:
        raise FileError(f"cannot write {own}: {reason(error)}") from error
    return MADE


def make(own: Path, one: Instance) -> None:
    """Solve the instance and write its folder *own*. Raises ``EfgBuilderError`` and ``OSError``."""
    clear(own)
    tree, rules = one.tree(), one.rules
    contents = contents_of(tree)
    # Solve without refinement, because the checkers do not check refinements.
    if rules is not None and one.game in BY_NAME and len(tree) > AUTO_NODES:
        found, certificate = solve(rules, timeout=TIMEOUT, refine=False), NAMED
    elif EFG in contents:
        found, certificate = solve(parse_efg(contents[EFG].decode()), timeout=TIMEOUT, refine=False), TREE
    else:
        raise NotSolvedError("the tree is too large for a certificate to carry it")
    own.mkdir(exist_ok=True)
    write_atomically(own / certificate, (part.encode() for part in (*encode(found.to_json()), "\n")))
    contents[certificate] = (own / certificate).read_bytes()
    record = record_of(one, tree, found.verify(), contents)
    for name in contents.keys() - {certificate}:
        write_atomically(own / name, [contents[name]])
    write_atomically(own / RECORD, [as_json(record | {"seconds": round(found.seconds, 3)})])


def add_exam(folder: Path) -> None:
    (folder / EXAM).mkdir(exist_ok=True)
    positions = frame.ROOT / public_exam.FOLDER / "positions.jsonl"
    certificates = [frame.ROOT / solution for _, solution, _ in public_exam.GAMES.values()]
    for path in (positions, key_path(positions), *certificates):
        write_atomically(folder / EXAM / path.name, [path.read_bytes()])


def clear(own: Path) -> None:
    for name in OWN:
        (own / name).unlink(missing_ok=True)
    with suppress(OSError):
        own.rmdir()


def foreign(folder: Path) -> list[str]:
    """Return the files in the instances' folders that this script did not write."""
    found = (path for own in instance_folders(folder) for path in own.iterdir() if path.name not in OWN)
    return sorted(path.relative_to(folder).as_posix() for path in found)


# --- the command


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="number of processes, e.g. 2")
    parser.add_argument("--list", action="store_true", help="only list the names of the games")
    given = parser.parse_args(arguments)
    try:
        return _run(given.patterns, given.output, given.workers, given.list)
    except EfgBuilderError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _run(patterns: Sequence[str], folder: Path | None, workers: int, only_list: bool) -> int:
    listed = {one.slug: one for one in instances()}
    lack = lacking(f"the family {GAMBIT}")
    for pattern in patterns:
        if not any(fnmatchcase(slug, pattern) for slug in listed):
            problem = f"no game is called {pattern}; --list lists the names"
            raise ParameterError(f"{problem}; {lack}" if lack else problem)
    wanted = {slug: one for slug, one in listed.items() if any(fnmatchcase(slug, each) for each in patterns or ["*"])}
    if only_list:
        print("\n".join(wanted))
        return 0
    if folder is None or workers < 1:
        raise ParameterError("name the folder: -o library" if folder is None else f"--workers {workers}: at least 1")
    found = make_library(folder, list(wanted.values()), workers=workers, progress=frame.tell)
    counts = Counter(found.values())
    print(f"{plural(len(found), 'game')} in {folder}: {counts[MADE]:,} {MADE}, {counts[KEPT]:,} {KEPT}")
    failed = {slug: said for slug, said in found.items() if said not in (MADE, KEPT)}
    print("".join(f"{slug}: {said}\n" for slug, said in failed.items()), end="")
    if others := foreign(folder):
        print(f"left alone: {plural(len(others), 'file')} of others, e.g. {others[0]}")
    if lack and not patterns:
        print(f"left out: {lack}")
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
