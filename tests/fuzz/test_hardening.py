"""Files that lie, processes that are killed, runs that are repeated.

The readers are fuzzed here by hypothesis, a little; ``tests/fuzz/run.py`` does it by coverage, as long as one likes.
"""

import contextlib
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from fnmatch import fnmatch
from fractions import Fraction

import numpy as np
import pytest
from fuzz.hostile import overlapping
from fuzz.mutation import mutated, unzipped, zipped
from fuzz.targets import TARGETS, checkpoint_seeds, dense_profile, dense_seeds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from paths import ROOT, TESTS

import compare_releases
import efg_builder as eb
from efg_builder.base import files
from efg_builder.base.npy_file import read_arrays
from efg_builder.base.rationals import TooLongError, exact_sum
from efg_builder.cli import COMMANDS
from efg_builder.display.trees import draw
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.forms.normal_form import reduced_form
from efg_builder.interop.efg.writer import write_efg
from efg_builder.interop.nfg import write_form
from efg_builder.solvers.oracle.state import load
from efg_builder.strategies.dense_profile import read_dense, write_dense

EXAMPLES = 40


# --- any bytes


@pytest.mark.parametrize("name", TARGETS)
def test_whole_files_are_read(name):
    for seed in TARGETS[name].seeds():
        TARGETS[name].check(seed)


@pytest.mark.parametrize("name", TARGETS)
def test_files_with_a_few_changes_are_read_or_refused(name):
    target = TARGETS[name]
    seeds = target.seeds()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow, HealthCheck.large_base_example],
    )
    @given(which=st.integers(0, len(seeds) - 1), random=st.randoms(use_true_random=False))
    def check(which, random):
        target.check(mutated(seeds[which], random, target.kind))

    check()


@given(st.binary(max_size=300))
@settings(max_examples=60, deadline=None, database=None)
def test_any_bytes_are_read_or_refused(data):
    for target in TARGETS.values():
        target.check(data)


# --- files that ask for time or memory


@pytest.mark.skipif(sys.platform != "linux", reason="limits on memory and processor time are set as on Linux")
def test_no_file_asks_for_more_than_it_is_worth(tmp_path):
    """Each is refused by a process that may use 2 GiB and a minute of processor time for all of them."""
    env = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, TESTS / "fuzz" / "hostile.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    said = {
        "probabilities.efg": "the common denominator of these numbers is too long",
        "payoffs.efg": "the common denominator of the payoffs so far is too long",
        "huge.efg": "a number that is too long",
        "exponent.efg": "a number that is too long",
        "counts.efg": "must be a whole number",
        "twice.json": "the key '60000' appears twice",
        "nested.json": "not JSON",
        "list.json": "not a number: a list",
        "denominators.json": "the common denominator of these numbers is too long",
        "denominators-strategy.json": "the common denominator of these numbers is too long",
        "bomb.json.gz": "unpacks to more than",
        "bomb.efg.gz": "unpacks to more than",
        "endless": "it yields more than",
        "declared.npz": "damaged",
        "bomb.npz": "damaged",
        "overlap.npz": "damaged",
        "declared-strategy.npz": "size differs from its header",
    }
    assert set(lines) == set(said)
    for name, words in said.items():
        assert words in lines[name], (name, lines[name])


def test_sums_of_long_numbers_are_exact_or_refused():
    F = Fraction
    long = [F(1, 10**3000 + k) for k in range(30)]
    with pytest.raises(TooLongError, match="common denominator"):
        exact_sum(long)
    # One after the other they are still summed where they do have something in common.
    same = [F(k, 7 * 10**3999) for k in range(100)]
    assert exact_sum(same) == sum(same, start=F(0))
    # What was worked out may be longer than what is read.
    huge = [F(1, 3**20_000), 1 - F(1, 3**20_000)]
    assert exact_sum(huge) == 1
    assert exact_sum([]) == 0
    assert exact_sum([F(1, 3), F(1, 4)]) == F(7, 12)


def test_an_error_is_one_line_whatever_a_file_says():
    assert str(eb.ParameterError("a\nb\r\u2028c\x1b[31m é")) == "a\\nb\\r\\u2028c\\x1b[31m é"


def test_compressed_text_may_be_as_dense_as_text_is(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "FREELY", 1 << 16)
    (tmp_path / "plain.gz").write_bytes(gzip.compress(bytes(range(32, 127)) * 2000))
    assert len(files.read_text(tmp_path / "plain.gz")) == 190_000
    (tmp_path / "trap.gz").write_bytes(gzip.compress(b" " * 190_000))
    with pytest.raises(eb.FileError, match="unpacks to more than 0 MiB"):
        files.read_text(tmp_path / "trap.gz")


# --- states of the oracle that lie

GAME = eb.game("liars-dice", sides=3)


def array(data):
    out = io.BytesIO()
    np.save(out, data)
    return out.getvalue()


def with_members(whole, **changed):
    members = unzipped(whole) | {f"{name}.npy": content for name, content in changed.items()}
    return {name: content for name, content in members.items() if content is not None}


def member(whole, name):
    return np.load(io.BytesIO(unzipped(whole)[f"{name}.npy"]))


def changed_array(whole, name, change):
    found = member(whole, name).copy()
    return {name: array(change(found))}


def put(index, value):
    def change(found):
        found[index] = value
        return found

    return change


def state(whole, **course):
    """The text beside the arrays, with some of it changed: to JSON as given, or left out where that is empty."""
    data = json.loads(str(member(whole, "state")))
    parts = {key: json.dumps(value) for key, value in data.items()} | course
    text = ", ".join(f'"{key}": {value}' for key, value in parts.items() if value)
    return {"state": array(np.array(f"{{{text}}}"))}


CHANGES = {
    "rounds are infinite": lambda w: state(w, rounds="1e999"),
    "rounds are a fraction": lambda w: state(w, rounds="1.5"),
    "rounds are negative": lambda w: state(w, rounds="-1"),
    "no rounds": lambda w: state(w, rounds=""),
    "seconds are infinite": lambda w: state(w, spent="Infinity"),
    "turns are a text": lambda w: state(w, turns="[]"),
    "a parent from the end": lambda w: changed_array(w, "parent", lambda a: np.append(a[:-1], a[-1] - (len(a) - 1))),
    "a parent that comes later": lambda w: changed_array(w, "parent", put(2, 3)),
    "parents are fractions": lambda w: changed_array(w, "parent", lambda a: a + 0.5),
    "bids that do not rise": lambda w: changed_array(w, "bid", put(2, 0)),
    "no openings": lambda w: changed_array(w, "allowed0", lambda a: a * 0),
    "hands that did not bid before": lambda w: changed_array(w, "allowed0", put(0, 0b011 << 5)),
    "a hand without an opening": lambda w: changed_array(w, "allowed0", lambda a: a & (0b011 << 5)),
    "a plan at the root": lambda w: changed_array(w, "nodes1", put(0, 0)),
    "a node twice": lambda w: changed_array(w, "nodes1", lambda a: np.repeat(a[:1], len(a))),
    "weights that are none": lambda w: changed_array(w, "weights0", put((0, 0), np.nan)),
    "weights of another shape": lambda w: changed_array(w, "weights0", lambda a: a[:, :1]),
    "a head that is cut": lambda w: {"parent": unzipped(w)["parent.npy"].replace(b"'shape': (", b"'shape': ((")},
    "a head of another version": lambda w: {"parent": b"\x93NUMPY\x03\x00" + unzipped(w)["parent.npy"][8:]},
    "another format without a game": lambda w: state(w, format="1", game=""),
    "another format": lambda w: state(w, format='"efg-builder oracle 1"'),
    "a game that is no text": lambda w: state(w, game="[1]"),
    "invalid code points": lambda w: {"state": unzipped(w)["state.npy"][:-4] + b"\xff\xff\xff\x7f"},
    "objects": lambda w: {"parent": unzipped(w)["parent.npy"].replace(b"'<i8'", b"'|O' ")},
    "an array of another size": lambda w: {"parent": unzipped(w)["parent.npy"] + bytes(8)},
    "a missing array": lambda w: {"bid": None},
}


LIES = {
    # Where there are no regrets, whose layout would not fit either.
    "a parent from the end, alone": (0, CHANGES["a parent from the end"]),
    **{name: (1, change) for name, change in CHANGES.items()},
    **{
        f"{name} {value:g}": (1, lambda w, n=name, v=value: changed_array(w, n, put(0 if n == "weight" else (0, 0), v)))
        for name in ("bids0", "calls1", "totals0", "weight")
        for value in (np.nan, np.inf, -1, 1e31)
    },
    # More than so many iterations can have come to: regrets that nothing would ever change.
    **{f"{name} 1e6": (1, lambda w, n=name: changed_array(w, n, put((0, 0), 1e6))) for name in ("bids0", "calls1")},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_state_that_lies_is_refused(lie, tmp_path):
    which, change = LIES[lie]
    whole, path = checkpoint_seeds()[which], tmp_path / "state"
    path.write_bytes(zipped(with_members(whole, **state(whole))))
    found = load(path, BiddingForm(GAME))
    assert found.rounds == json.loads(str(member(whole, "state")))["rounds"]
    assert (found.regrets is not None) == which
    path.write_bytes(zipped(with_members(whole, **change(whole))))
    with pytest.raises(eb.FileError, match="not a checkpoint of the oracle, or it is damaged"):
        load(path, BiddingForm(GAME))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("which", "name"), [(0, "weights0"), (1, "bids0"), (1, "calls1"), (1, "totals0")])
def test_what_is_next_to_nothing_is_nothing(which, name, tmp_path):
    whole = checkpoint_seeds()[which]
    tiny = changed_array(whole, name, lambda a: a * 0 + np.finfo(a.dtype).smallest_subnormal)
    (tmp_path / "state").write_bytes(zipped(with_members(whole, **tiny)))
    solution = eb.solve(GAME, "oracle", resume=tmp_path / "state")
    assert solution.exact
    assert solution.value[0] == Fraction(-1, 9)


def archive(*members, packing=zipfile.ZIP_STORED):
    """An open archive of these arrays, all under one name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for content in members:
            file.writestr("a.npy", array(content))
    return out


def test_arrays_are_read_where_they_are_what_they_say():
    numbers = np.arange(6.0).reshape(2, 3)
    assert read_arrays(archive(numbers))["a"].tolist() == numbers.tolist()
    assert read_arrays(archive(np.asfortranarray(numbers)))["a"].tolist() == numbers.tolist()
    assert read_arrays(archive(np.array("é☃")))["a"] == "é☃"
    for packing in (zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA):
        # Larger packed than not: nothing else is wrong with it.
        with pytest.raises(ValueError, match="compressed"):
            read_arrays(archive(np.arange(2), packing=packing))
    with pytest.raises(ValueError, match="larger than the archive"):
        read_arrays(io.BytesIO(overlapping(array(np.zeros(1000)), 9)))
    with pytest.raises(ValueError, match="unsupported type"):
        read_arrays(archive(np.array([1j])))


def test_damaged_arrays_of_strategies_are_refused(tmp_path):
    small, whole = eb.game("liars-dice", sides=2), dense_seeds()[0]
    damaged = zipped(unzipped(whole), zipfile.ZIP_LZMA).replace(b"NUMPY", b"NUMPZ")
    cut = unzipped(whole) | {"about.npy": unzipped(whole)["about.npy"].replace(b"'shape': (", b"'shape': ((")}
    packed = bytearray(zipped(unzipped(whole), zipfile.ZIP_LZMA))
    packed[packed.find(b"about.npy") + 20] ^= 255
    letters = unzipped(whole) | {"about.npy": unzipped(whole)["about.npy"][:-4] + b"\x00\x00\x11\x00"}
    texts = unzipped(whole) | {"about.npy": array(np.array(["a" * 100] * 3))}
    for spoilt in (damaged[:-30], zipped(cut), bytes(packed), zipped(letters), zipped(texts)):
        (tmp_path / "wide.npz").write_bytes(spoilt)
        with pytest.raises(eb.FileError, match="not a file of strategies as arrays, or it is damaged"):
            read_dense(tmp_path / "wide.npz", small)


# --- kill -9

STEPS = {
    "before": (tempfile, "mkstemp", False),
    "empty": (tempfile, "mkstemp", True),
    "half": (files, "reason", False),  # not called: the chunks themselves end here
    "whole": (os, "chmod", False),
    "beside": (os, "replace", False),
    "in place": (os, "replace", True),
}
"""The steps of writing a file: the function at which the process is killed, and whether it is called before that."""
NEW = b"n" * (3 << 20)


def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked and killed")
@pytest.mark.parametrize("step", [*STEPS, *range(4)])
def test_a_killed_process_leaves_the_old_file_or_the_new_one(step, tmp_path):
    """At each step of writing, and at random moments."""

    def chunks():
        yield NEW[: len(NEW) // 2]
        if step == "half":
            die()
        yield NEW[len(NEW) // 2 :]

    path = tmp_path / "file"
    path.write_bytes(b"old")
    if (process := os.fork()) == 0:
        with contextlib.suppress(BaseException):
            if step in STEPS:
                place, name, after = STEPS[step]
                function = getattr(place, name)
                setattr(place, name, lambda *given, **named: (after and function(*given, **named), die()))
            while True:
                files.write_atomically(path, chunks())
        os._exit(1)
    if step not in STEPS:
        time.sleep(0.01 * step)
        os.kill(process, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(process, 0)[1]) == signal.SIGKILL
    wanted = {b"old", NEW} if step not in STEPS else {NEW if step == "in place" else b"old"}
    assert path.read_bytes() in wanted
    assert all(fnmatch(other.name, ".eb-*.part") for other in tmp_path.iterdir() if other != path)


def writers(folder):
    """For each kind of file, what writes one."""
    tree = eb.build(eb.game("dice-poker", sides=2))
    solved, form, state = eb.solve(tree, "lp"), reduced_form(tree), folder / "state"
    state.write_bytes(checkpoint_seeds()[0])
    search = load(state, BiddingForm(GAME))
    return {
        **dict.fromkeys(("svg", "png", "pdf", "gv", "tex"), lambda path: draw(tree, path)),
        **dict.fromkeys(("json", "json.gz"), solved.write),
        **dict.fromkeys(("csv", "nfg"), lambda path: write_form(form, path)),
        "efg": lambda path: write_efg(tree, path),
        "state.npz": search.save,
        "npz": lambda path: write_dense(path, dense_profile(0.25)),
    }


def test_every_kind_of_file_is_written_in_this_way(tmp_path, request):
    made = writers(tmp_path)
    full_disk = request.getfixturevalue("full_disk")
    for kind, write in made.items():
        path = tmp_path / f"file.{kind}"
        path.write_bytes(b"old")
        with pytest.raises(eb.FileError, match="No space left"):
            write(path)
        assert path.read_bytes() == b"old"
        assert full_disk.pop() == path


# --- twice the same


@pytest.mark.slow
def test_two_runs_write_the_same_bytes():
    """All that is written, and all that is printed, but for the times that are stated."""
    first, second = (compare_releases.made_by(ROOT, seed) for seed in ("0", "1"))
    assert first.outputs == second.outputs
    assert first.files == second.files
    assert {words.partition(" ")[0] for words in compare_releases.COMMANDS} >= set(COMMANDS)
