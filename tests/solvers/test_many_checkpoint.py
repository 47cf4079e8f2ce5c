"""Checkpoints and time limits of ``many``: on trees, on arrays, and on the part that grows."""

import errno
import json
import os
import time
import warnings
import zipfile
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from bidding_games import HARD
from processes import kill, start, until
from test_many import growing, random_matrices

import efg_builder as eb
from efg_builder.base.errors import NotSavedWarning, warnings_as_lines
from efg_builder.forms.bidding_form import BiddingForm, Joined
from efg_builder.proof import verify
from efg_builder.solvers import driver
from efg_builder.solvers.driver import Keeper, is_state
from efg_builder.solvers.regret import many
from efg_builder.solvers.regret.part import BiddingRegrets

FOUR = eb.game("liars-dice", dice="1,1,1", sides=4)
KINDS = pytest.mark.parametrize("kind", ["tree", "part", pytest.param("arrays", marks=pytest.mark.slow)])
LOOKS = ("iteration", "round")


@pytest.fixture(autouse=True)
def often(monkeypatch):
    monkeypatch.setattr(driver, "SAVE_EVERY", 0.0)


def subject(kind, monkeypatch):
    """A game that the method has to look at more than five times for."""
    if kind == "oracle":
        return HARD
    if kind == "part":
        monkeypatch.setattr(many, "MOST_CELLS", 0)
        return eb.game("liars-dice", dice="1,1,1", sides=3)
    return random_matrices(seed=25, size=8) if kind == "tree" else FOUR


def stopping(lines, looks):
    """Ctrl-C at the look of this number."""

    def progress(line):
        lines.append(line)
        if len(lines) == looks:
            raise KeyboardInterrupt

    return progress


def plain(solution):
    data = solution.to_json()
    return data.get("strategies") or data["profile"]


@pytest.mark.parametrize("kind", ["arrays", "part", "tree", "oracle"])
@pytest.mark.first(2)
def test_a_search_goes_on_from_a_checkpoint(kind, tmp_path, monkeypatch):
    """And comes to where it comes without a stop; on the tree that is from the third start."""
    game, state, lines = subject(kind, monkeypatch), tmp_path / "state.npz", []
    method = "oracle" if kind == "oracle" else "many"
    whole = eb.solve(game, method, progress=lines.append)
    looks = [line for line in lines if line.startswith(LOOKS)]
    stop = len(looks) - 1
    assert stop > 2
    stopped = eb.solve(game, method, progress=stopping([], stop), checkpoint=state)
    assert stopped.status == "interrupted"
    assert stopped.message == f"stopped before the end; --resume {state} continues from there"
    again = []
    resumed = eb.solve(game, method, resume=state, progress=again.append)
    assert again[0].partition(":")[0] == looks[stop - 1].partition(":")[0]
    assert (resumed.status, resumed.regret) == (whole.status, whole.regret)
    assert plain(resumed) == plain(whole)


GOES_ON = "the search continues, and will try again to write a checkpoint"


def failing(number):
    def write(path):
        raise eb.FileError(f"cannot write {path}: {os.strerror(number)}") from OSError(number, os.strerror(number))

    return write


def test_a_checkpoint_that_cannot_be_written_is_tried_again_and_told_once():
    keeper, said = Keeper(Path("x.npz")), []
    with warnings_as_lines(said.append):
        for number in (errno.ENOSPC, errno.ENOSPC, errno.EROFS, errno.ENOSPC):
            keeper.keep(failing(number))
    why = [os.strerror(number) for number in (errno.ENOSPC, errno.EROFS)]
    assert said == [f"warning: cannot write x.npz: {each}; {GOES_ON}" for each in why]
    assert keeper.how_to_resume() == f"; no checkpoint was written: cannot write x.npz: {why[0]}"
    keeper.keep(lambda path: None)
    assert keeper.how_to_resume() == "; --resume x.npz continues from there"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        keeper.end()
        keeper.keep(failing(errno.ENOSPC))
    with pytest.warns(NotSavedWarning, match="the last checkpoint was not written: .*; the file has an earlier st"):
        keeper.end()
    assert keeper.how_to_resume() == "; --resume x.npz continues from an earlier state"


@pytest.mark.parametrize("words", ["liars-dice sides=4 --method oracle", "liars-dice dice=1,1,1 sides=4 --method many"])
def test_a_search_goes_on_where_no_checkpoint_can_be_written(words, cli, tmp_path, full_disk):
    state = tmp_path / "state.npz"
    _, told, _ = cli("solve", *words.split())
    code, out, err = cli("solve", *words.split(), "--checkpoint", state)
    assert (code, out.splitlines()[:-1]) == (0, told.splitlines()[:-1])
    problem = f"cannot write {state}: No space left on device"
    assert err.splitlines() == [
        f"warning: {problem}; {GOES_ON}",
        f"warning: the last checkpoint was not written: {problem}; there is no checkpoint of this run",
    ]
    assert len(full_disk) > 2


@KINDS
def test_what_is_best_so_far_is_kept(kind, tmp_path, monkeypatch):
    game, state = subject(kind, monkeypatch), tmp_path / "state.npz"
    first = eb.solve(game, "many", checkpoint=state, progress=stopping([], 3))
    again = eb.solve(game, "many", resume=state, gap=first.regret * Fraction(101, 100))
    assert again.regret <= first.regret
    assert again.details["iterations"] == first.details["iterations"]


@pytest.mark.parametrize("words", ["sides=4", "sides=6"])
@pytest.mark.first(1)
def test_a_killed_search_goes_on(words, cli, tmp_path):
    """With 16 bids on arrays, with 24 on the part that grows."""
    state, settings = tmp_path / "state.npz", ["liars-dice", "dice=1,1,1,1", words, "--method", "many"]
    process = start("solve", *settings, "--checkpoint", state)
    until(lambda: is_state(state))
    kill(process.pid)
    process.communicate()
    code, out, err = cli("solve", *settings, "--resume", state, "--gap", "1/5")
    assert (code, err, "equilibrium" in out) == (0, "", True)
    assert is_state(state)
    assert [path.name for path in tmp_path.iterdir()] == ["state.npz"]


def test_more_iterations_may_be_asked_for_of_what_has_ended(tmp_path):
    """Iterations end a search; no state hangs on them."""
    state = tmp_path / "state.npz"
    first = eb.solve(FOUR, "many", checkpoint=state, options={"iterations": 2})
    assert "stopped after 2 iterations" in first.message
    more = eb.solve(FOUR, "many", resume=state, options={"iterations": 5})
    assert (more.details["iterations"], more.regret <= first.regret) == (5, True)


def test_a_state_of_a_later_turn_is_in_the_last_where_there_are_fewer(tmp_path):
    """The last turn is that of the first engines, which have made their 200 iterations: there is nothing more to do."""
    tree, state, again, lines = random_matrices(seed=25, size=8), tmp_path / "state.npz", tmp_path / "again.npz", []
    eb.solve(tree, "many", progress=lines.append)
    looks = [line for line in lines if line.startswith("iteration")]
    stopped = eb.solve(tree, "many", checkpoint=state, progress=stopping([], len(looks) - 1))
    with np.load(state) as file:
        course = json.loads(str(file["state"]))
    assert course["turn"] > 0
    assert max(course["done"]["engine"]) < 199
    short = eb.solve(tree, "many", resume=state, checkpoint=again, options={"iterations": 199})
    assert short.message.startswith("stopped after 199 iterations of each rule")
    assert (short.regret, again.exists()) == (stopped.regret, False)


def test_a_checkpoint_of_another_game_or_method_is_refused_in_one_line(cli, tmp_path):
    state, other = tmp_path / "many.npz", tmp_path / "oracle.npz"
    eb.solve(FOUR, "many", checkpoint=state, options={"iterations": 1})
    three = eb.game("liars-dice", dice="1,1,1", sides=3)
    with pytest.raises(eb.FileError) as caught:
        eb.solve(three, "many", resume=state)
    assert str(caught.value) == f"cannot resume from {state}: it belongs to {FOUR.title!r}, not to {three.title!r}"
    two = eb.game("liars-dice", sides=4)
    eb.solve(two, "oracle", checkpoint=other)
    for method, path, of in (("oracle", state, "many"), ("many", other, "oracle")):
        says = f"error: cannot resume from {path}: it belongs to the method {of!r}, not to {method!r} (--method)"
        assert cli("solve", "liars-dice", "sides=4", "--method", method, "--resume", path) == (2, "", f"{says}\n")
    one, tree = (random_matrices(seed, 8) for seed in (25, 26))
    assert one.title == tree.title
    eb.solve(one, "many", checkpoint=state, options={"iterations": 1})
    with pytest.raises(eb.FileError, match="it belongs to 'matrix' with other rules"):
        eb.solve(tree, "many", resume=state)


def test_only_methods_that_keep_their_state_take_a_checkpoint(tmp_path):
    tree, state = eb.build(eb.game("liars-dice", dice="1,1,1")), tmp_path / "state.npz"
    for method in ("auto", "gambit-enumpure"):
        with pytest.raises(eb.ParameterError, match="for the method 'oracle' on a bidding game, and for 'many'"):
            eb.solve(tree, method, checkpoint=state)
    eb.solve(FOUR, checkpoint=state, gap=10)
    assert is_state(state)


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


CHANGES = {
    "first0.regrets": [put(0, np.nan), put(0, 1e300), lambda a: a[1:], lambda a: a.astype(np.float32)],
    "first1.totals": [put(0, -1.0), put(0, np.inf)],
    "first2.played": [lambda a: a * 2, put(slice(None), 0), lambda a: a.reshape(1, -1)],
    "best.played": [lambda a: a / 2, put(0, np.nan)],
}
IN_PARTS = {
    "first0.histories": [
        *(put(-1, history) for history in (2**62, -1, 0, 1)),
        *(put(0, 1), put(slice(None), 0), lambda a: a[::-1].copy(), lambda a: a + 0.5),
    ],
    "first0.sizes": [put(0, 0), put(0, 10**9), put(0, -1), lambda a: a[:-1], lambda a: a.reshape(1, -1)],
    "first0.allowed": [lambda a: a & False, lambda a: a[1:], lambda a: a.astype(np.int64)],
}


@KINDS
def test_a_state_that_lies_is_refused(kind, tmp_path, monkeypatch):
    game, state = subject(kind, monkeypatch), tmp_path / "state.npz"
    # From the tenth iteration on the part has more than one bid.
    eb.solve(game, "many", checkpoint=state, progress=stopping([], 7 if kind == "part" else 3))
    with np.load(state) as file:
        arrays = dict(file)
    course = json.loads(str(arrays["state"]))
    assert eb.solve(game, "many", resume=state, gap=10, checkpoint=tmp_path / "other.npz").regret < 10
    lies = [(name, change) for name, some in CHANGES.items() for change in some]
    lies += [(name, change) for name, some in IN_PARTS.items() for change in some if kind == "part"]
    spoilt = [arrays | {name: change(arrays[name].copy())} for name, change in lies]
    more = ({"turn": -1}, {"rule": 3}, {"due": "8"}, {"done": {"first": [1, 2]}}, {"how": 1}, {"done": {}})
    spoilt += [arrays | {"state": np.array(json.dumps(course | one))} for one in more]
    spoilt.append({name: array for name, array in arrays.items() if name != "first1.totals"})
    for number, lie in enumerate(spoilt):
        np.savez(state, **lie)
        with pytest.raises(eb.FileError, match="not a checkpoint of the method 'many', or it is damaged"):
            eb.solve(game, "many", resume=state, progress=lambda line, n=number: pytest.fail(f"lie {n} was believed"))
    whole = state.read_bytes()
    for broken in (b"", b"nothing", whole[:-40]):
        state.write_bytes(broken)
        with pytest.raises(eb.FileError, match="not a checkpoint of the method 'many', or it is damaged"):
            eb.solve(game, "many", resume=state)


def test_other_archives_are_not_overwritten(tmp_path):
    path = tmp_path / "mine.npz"
    np.savez(path, numbers=np.arange(3))
    with pytest.raises(eb.ParameterError, match="this file is not a saved search, and would be overwritten"):
        eb.solve(FOUR, "many", checkpoint=path)
    assert zipfile.ZipFile(path).namelist() == ["numbers.npy"]


# --- between and within iterations


class Clock:
    """Time that goes on by a second with each look at it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


@KINDS
@pytest.mark.parametrize("limit", [3, 30, 60])
def test_the_time_limit_is_looked_at_after_each_step(kind, limit, monkeypatch):
    """Nothing looks at the clock after the limit; what is given is judged like any other."""
    game, clock = subject(kind, monkeypatch), Clock()
    late = []
    began = driver.countdown

    def countdown(timeout):
        assert timeout == limit
        monkeypatch.setattr(time, "monotonic", clock)
        left = began(timeout)
        return lambda: late.append(left()) or late[-1]

    monkeypatch.setattr(driver, "countdown", countdown)
    found = many.run(game, eb_request(limit)) if kind == "tree" else many.run_by_rules(game, eb_request(limit))
    monkeypatch.undo()
    assert (found.ended, found.message) == ("timeout", "the time limit came first")
    assert sum(seconds <= 0 for seconds in late) == 1
    assert verify(found.strategies[0]).regret > 0


def eb_request(limit):
    return many.Request(timeout=limit)


@pytest.mark.parametrize("engine", [BiddingRegrets, growing])
def test_after_a_stop_within_an_iteration_the_strategies_are_whole(engine, monkeypatch):
    """Ctrl-C may come anywhere: plans, strategies and averages must still fit one another."""
    one, of = engine(BiddingForm(FOUR), many.RULES["pcfr+"]), Joined.of
    for most in range(1, 60, 7):
        calls = iter(range(most))
        monkeypatch.setattr(Joined, "of", lambda call, weights, calls=calls: (next(calls), of(call, weights))[1])
        with suppress(StopIteration):
            while True:
                one.iterate()
        monkeypatch.setattr(Joined, "of", of)
        for strategy in (one.last(), one.average()):
            gains = [gain * unit for gain, unit in zip(one.gains(strategy), one.units, strict=True)]
            assert gains == pytest.approx([float(gain) for gain in verify(one.written(strategy)).regrets], abs=1e-12)


# --- gaps


def test_a_message_says_that_a_gap_is_below_the_precision_of_floats():
    found = eb.solve(eb.game("liars-dice", dice="1,1,1", sides=4), "many", gap=Fraction(1, 10**20))
    assert found.status == "equilibrium"
    assert found.message == ""
    tree = eb.build(eb.game("kuhn", cards=4, seats=3))
    found = eb.solve(tree, "many", gap=Fraction(1, 10**30))
    assert found.regret > 0
    assert found.message.startswith("the search stops at a gap of ")
    assert found.message.endswith(", the precision of floats")
    assert "gap" not in eb.solve(tree, "many").message
