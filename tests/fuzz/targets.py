"""What is fuzzed: one function for each reader of files, with whole files to start from.

A target takes the bytes of a file and may do two things: accept them, and then what was read must hold together, or
raise an error of ours with a message of one line. Everything else is a finding. ``run.py`` drives the targets by
coverage, ``test_hardening.py`` by hypothesis.
"""

import gzip
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from unittest import mock

import numpy as np
from small_files import BET_LAYOUT

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.forms.extensive import GameTree
from efg_builder.interop.efg.reader import parse_efg, read_efg
from efg_builder.interop.efg.writer import to_efg
from efg_builder.interop.gambit.mapping import read_strategy
from efg_builder.interop.nfg import nfg_chunks
from efg_builder.interop.trees import read_tree
from efg_builder.proof.certificate import digests
from efg_builder.proof.certificate.check import verify_solution
from efg_builder.solvers import driver as saving
from efg_builder.solvers.oracle.state import load
from efg_builder.strategies.dense_profile import DenseProfile, read_dense, write_dense
from sound import problems

ROOT = Path(__file__).parent.parent.parent
SMALL = 3000
"""Nodes up to which a tree that was read is written and read again."""
NODES = 20_000
"""The budget for trees that a solution names."""


Check = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    """``check`` takes a file's bytes and raises for a finding; ``kind`` says how such files are mutated."""

    check: Check
    seeds: Callable[[], list[bytes]]
    kind: str = "text"


def tolerant(read: Callable[[Path], None], data: bytes, suffix: str) -> bool:
    """Whether *read* takes a file of *data*; an error of ours, in one line, says no."""
    handle, name = tempfile.mkstemp(suffix=suffix)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        read(Path(name))
    except eb.EfgBuilderError as error:
        said = str(error)
        assert said.strip()
        assert len(said.splitlines()) == 1, f"not one line: {said!r}"
        return False
    finally:
        os.unlink(name)
    return True


# --- game files


def tree_target(read: Callable[[Path], GameTree], again: Callable[[GameTree], GameTree], suffix: str) -> Check:
    """What is read is a tree that holds together, and is the same when it is written and read *again*."""

    def looked_at(path: Path) -> None:
        tree = read(path)
        assert problems(tree) == []
        if len(tree) <= SMALL:
            same = again(tree)
            assert same.parent.tolist() == tree.parent.tolist()
            assert same.player.tolist() == tree.player.tolist()
            assert [o.payoffs for o in same.outcomes] == [o.payoffs for o in tree.outcomes] or suffix != ".efg"

    return lambda data: tolerant(looked_at, data, suffix)


def ef_seeds() -> list[bytes]:
    old = (
        "\ufeff% Old\r\nplayer 1 name é~2\r\nlevel 0 node 1 player 1\r\n"
        "level 2.5 node 1 xshift -a=1 from 0,1 move:l:.2 \\frac{1}{2} payoffs -\\frac{1}{2}\r\n"
        "level 2 node 2 xshift 2a from 0,1 arrow:red .5 payoffs .5\r\niset 0,1 player 1"
    )
    return [BET_LAYOUT.encode(), old.encode(), b"level 0 node x payoffs 1", b"level 0"]


def nfg_seeds() -> list[bytes]:
    odd = (
        'NFG 1 D "odd" { "a" "b" "c" } { { "u" "d" } { "l" } { "x\\"" "" } } "why\n"\n{ { "o" 1/3, -2e3 0 }\n'
        '{ "" .5 0.0, 1 } } 0 1 2 1'
    )
    poker = b"".join(nfg_chunks(eb.matrix(small_trees()[1], max_cells=10_000)))
    return [poker, odd.encode(), '\ufeffNFG 1 R "é" { "ü" } { 3 } 1 2 3'.encode(), b"EFG 2 R"]


def _files(pattern: str, most: int = 60_000) -> list[bytes]:
    return [path.read_bytes() for path in sorted(ROOT.glob(pattern)) if path.stat().st_size <= most]


def efg_seeds() -> list[bytes]:
    odd = (
        'EFG 2 R "odd" { "a" "b" } "a\ncomment"\nc "" 1 "x" { "l" 1/3 "r" .6666666666e0 "m" 0.0 } 1 "o" { 1, -2e3 }\n'
        'p "n\\"" 1 1 "s" { "u" "v" } 0 t "" 1 t "" 2 "" { 1/2 1 }\np "" 1 1 0 t "" 2 t "" 2 t "" 0'
    )
    return [*_files("outputs/*.efg"), odd.encode(), '\ufeffEFG 2 D "é" { "ü" } t "" 0'.encode(), b"NFG 1 R"]


# --- solutions


@cache
def values() -> dict[str, Fraction]:
    """The proved value of each game that the certificates are of, by title."""
    found = {}
    for record in json.loads((ROOT / "benchmarks/data/oracle.json").read_text())["games"].values():
        if record["exact"]:
            found[record["title"]] = Fraction(record["lower"])
    return found


def sealed(data: bytes) -> bytes | None:
    """The solution in *data* with check values that agree, so that what lies behind them is met."""
    try:
        found = json.loads(data)
        found["digests"] = digests(found)
        return json.dumps(found).encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def certificate(data: bytes) -> None:
    """No file whatever may prove another value than the game has."""

    def read(path: Path) -> None:
        proof = verify_solution(path, max_nodes=NODES)
        right = values().get(proof.title)
        if right is not None and proof.exact:
            assert proof.lower <= right <= proof.upper, "a false proof"

    tolerant(read, data, ".json")
    if (again := sealed(data)) is not None:
        tolerant(read, again, ".json")


def unpacked(paths: list[bytes]) -> list[bytes]:
    return [gzip.decompress(data) for data in paths]


def certificate_seeds() -> list[bytes]:
    sparse = unpacked(_files("docs/certificates/*.json.gz", 1300))
    return [data for data in sparse if len(data) < 20_000] + _files("outputs/*.json")


@cache
def small_trees() -> list[eb.GameTree]:
    return [eb.build(eb.game("liars-dice", sides=2)), eb.build(eb.game("dice-poker"))]


def packed(data: bytes) -> None:
    """The same readers on compressed files: *data* as it is, and what it would be compressed."""
    for suffix in (".efg.gz", ".json.gz"):
        read = read_efg if suffix.startswith(".efg") else verify_solution
        tolerant(lambda path, read=read: read(path) and None, data, suffix)


def packed_seeds() -> list[bytes]:
    return [*_files("docs/certificates/1v1-*.json.gz"), gzip.compress(_files("outputs/dice-poker.efg")[0], mtime=0)]


# --- states of the oracle


DICE = ("liars-dice", {"sides": 3})


def checkpoint(data: bytes) -> None:
    """A state is refused, or the search goes on from it to the right value, or at least to a bracket around it."""
    game = eb.game(DICE[0], **DICE[1])

    def read(path: Path) -> None:
        load(path, BiddingForm(game))
        solution = eb.solve(game, "oracle", resume=path, timeout=5)
        # A changed state may leave regret minimization alone, which ends at the precision of floats.
        near = solution.status == "bracket" and solution.upper - solution.lower < Fraction(1, 10**8)
        assert solution.exact or solution.status == "timeout" or near, solution
        assert solution.lower <= Fraction(-1, 9) <= solution.upper

    tolerant(read, data, ".state")


@cache
def checkpoint_seeds() -> list[bytes]:
    found = []
    for options in ({}, {"master": "regret"}):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "state.npz"
            gap = Fraction(1, 20) if options else None
            with mock.patch.object(saving, "SAVE_EVERY", 0.0):
                eb.solve(eb.game(DICE[0], **DICE[1]), "oracle", checkpoint=path, options=options, gap=gap)
            found.append(path.read_bytes())
    return found


# --- strategies


def strategy(data: bytes) -> None:
    game = eb.game("liars-dice", sides=2)
    for suffix in (".json", ".csv"):
        for of in (game, small_trees()[0]):

            def read(path: Path, of: eb.Game | eb.GameTree = of) -> None:
                found = read_strategy(path, of)
                rows = found.probabilities if isinstance(found, eb.TreeProfile) else ()
                assert all(abs(sum(row) - 1) < 1e-5 for row in rows)

            tolerant(read, data, suffix)


def strategy_seeds() -> list[bytes]:
    tree = small_trees()[0]
    rows = ["player,infoset,action,probability"]
    for k in tree.personal:
        infoset = tree.infosets[k]
        rows += [f'{infoset.player + 1},"{infoset.label}",{a},1/{len(infoset.actions)}' for a in infoset.actions]
    plain = {tree.infosets[k].label: {tree.infosets[k].actions[0]: 1} for k in tree.personal}
    sparse = unpacked(_files("docs/certificates/1v1-2.json.gz"))
    return ["\n".join(rows).encode(), json.dumps(plain).encode(), *sparse, *_files("outputs/*.json")]


def dense(data: bytes) -> None:
    game = eb.game("liars-dice", sides=2)

    def read(path: Path) -> None:
        found = read_dense(path, game)
        for array in found.arrays:
            assert array is None or np.isfinite(array).all()

    tolerant(read, data, ".npz")


def dense_profile(share: float, kind: type = np.float64) -> DenseProfile:
    """Player 1 makes the first bid, and player 2 each move with the weight *share*."""
    game = eb.game("liars-dice", sides=2)
    one, two = (np.zeros((1 << len(game.bid_names) - 1, hands), dtype=kind) for hands in game.hand_counts)
    one[0], two[1:] = 1, share
    return DenseProfile(game, (one, two))


@cache
def dense_seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "dense.npz"
        found = []
        for kind in (np.float32, np.float64):
            write_dense(path, dense_profile(0.25, kind))
            found.append(path.read_bytes())
        return found


TARGETS = {
    "efg": Target(tree_target(read_efg, lambda tree: parse_efg(to_efg(tree)), ".efg"), efg_seeds),
    "nfg": Target(
        tree_target(lambda path: read_tree(path, max_nodes=NODES), lambda tree: parse_efg(to_efg(tree)), ".nfg"),
        nfg_seeds,
    ),
    "ef": Target(
        tree_target(lambda path: read_tree(path, max_nodes=NODES), lambda tree: parse_efg(to_efg(tree)), ".ef"),
        ef_seeds,
    ),
    "payoffs": Target(
        tree_target(lambda path: read_tree(path, max_nodes=NODES), lambda tree: parse_efg(to_efg(tree)), ".csv"),
        lambda: [b",l,r\nu,1,2\nd,3,1/3\n", b'"1, 2";-3e1 .5\n', "\ufeffÅ \\ B,'=x\r\n-y,1 2".encode()],
    ),
    "certificate": Target(certificate, certificate_seeds),
    "packed": Target(packed, packed_seeds, "gzip"),
    "checkpoint": Target(checkpoint, checkpoint_seeds, "archive"),
    "strategy": Target(strategy, strategy_seeds),
    "dense": Target(dense, dense_seeds, "archive"),
}
