"""Rounds of a match solved at once: the same match as one round after the other."""

import json
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.experiments.jobs.executors import executor
from efg_builder.experiments.matches import backward, solve_match
from efg_builder.games.match_rules import match_rules
from efg_builder.proof.certificate.chain import prove_match

PATIENCE = 120
"""Seconds after which a test that waits fails; no test asserts a time."""


@pytest.fixture(autouse=True)
def every_round_is_sent(monkeypatch):
    """Small rounds would be solved here; the workers do not look at this number."""
    monkeypatch.setattr(backward, "SMALL", 0)


def plain(match):
    """The certificate, without how long it took and what it was made with."""
    data = json.loads(json.dumps(match.to_json()))
    for entry in data["rounds"]:
        for key in ("seconds", "run"):
            del entry["solution"][key]
    return data


def rounds_in_turn(monkeypatch, act):
    """Each round's solving is ``act(pair, solve, progress)``, where ``solve(**changes)`` is the real one."""
    original = backward.solve

    def solve(game, *words, **named):
        return act(game.dice, lambda **new: original(game, *words, **named | new), named["progress"])

    monkeypatch.setattr(backward, "solve", solve)


def test_processes_give_the_same_match():
    rules, kept = match_rules({"sides": 3, "dice": "2,2"}), ([], [])
    here = solve_match(rules, keep=lambda match, new: kept[0].append((plain(match), new is None)))
    with executor(workers=2) as pool:
        there = solve_match(rules, executor=pool, keep=lambda match, new: kept[1].append((plain(match), new is None)))
    assert plain(there) == plain(here)
    assert kept[1] == kept[0]
    assert prove_match(there.to_json()).bounds == here.bounds


def test_a_round_waits_only_for_those_after_it(monkeypatch):
    """3 against 1 needs 2 against 1 alone, and 1 against 2 may take longer; yet they are kept in order."""
    begun, kept, late = threading.Event(), [], []

    def act(pair, solve, _):
        if pair == (3, 1):
            begun.set()
        if pair == (1, 2):
            late.append(not begun.wait(PATIENCE))
        return solve()

    rounds_in_turn(monkeypatch, act)
    rules = match_rules({"sides": 2, "dice": "3,1"})
    with ThreadPoolExecutor(2) as pool:
        match = solve_match(rules, executor=pool, keep=lambda match, _: kept.append([r.pair for r in match.rounds]))
    assert late == [False]
    assert kept == [list(rules.rounds()[:count]) for count in range(1, 6)]
    assert match.bounds == solve_match(rules).bounds


class Dying(Executor):
    """Solves what it is given at once, but the worker dies under the first *deaths* of each round."""

    def __init__(self, deaths):
        self.deaths, self.tried = deaths, []

    def submit(self, function, order):
        future = Future()
        self.tried.append(order.name)
        if self.tried.count(order.name) <= self.deaths:
            future.set_exception(BrokenExecutor("died"))
        else:
            future.set_result(function(order))
        return future


def test_a_round_whose_worker_dies_is_tried_again():
    pool, rules = Dying(backward.RETRIES), match_rules({"sides": 2, "dice": "2,1"})
    assert solve_match(rules, executor=pool).bounds == solve_match(rules).bounds
    assert {name: pool.tried.count(name) for name in pool.tried} == dict.fromkeys(
        ["1 against 1", "1 against 2", "2 against 1"], 1 + backward.RETRIES
    )


def test_a_round_that_nobody_solves_ends_it_in_a_line():
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    for pool, said in (
        (Dying(backward.RETRIES + 1), "its worker died 3 times"),
        (closed, "nobody is there to solve it"),
    ):
        with pytest.raises(eb.NotSolvedError, match=f"1 against 1: {said}"):
            solve_match(match_rules({"sides": 2}), executor=pool)


def stopped(progress):
    """Whether *progress* says at last that it is to stop."""
    for _ in range(100 * PATIENCE):
        try:
            progress("round 1")
        except KeyboardInterrupt:
            return True
        time.sleep(0.01)
    return False


def test_an_interrupt_asks_all_rounds_for_their_brackets(monkeypatch):
    """Both rounds at work stop, and are kept; what was not begun is not; the match goes on from there."""
    monkeypatch.setattr(backward, "LOOK", 0.0)
    at_work = threading.Barrier(3)

    def act(pair, solve, progress):
        if pair == (1, 1):
            return solve()
        wide = solve(gap=1)
        at_work.wait(PATIENCE)
        assert stopped(progress)
        progress("verifying")
        return replace(wide, status="interrupted")

    def tell(line):
        if line.startswith("1 of 4 rounds; ") and at_work.n_waiting == 2:
            at_work.wait(PATIENCE)
            raise KeyboardInterrupt

    rounds_in_turn(monkeypatch, act)
    rules, seen = match_rules({"sides": 3}), []
    with ThreadPoolExecutor(2) as pool, pytest.raises(KeyboardInterrupt):
        solve_match(rules, executor=pool, progress=tell, keep=lambda *pair: seen.append(pair))
    assert [new.status for _, new in seen] == ["equilibrium", "interrupted", "interrupted"]
    part = seen[-1][0]
    assert not part.complete
    assert any(bounds.width > 0 for bounds in part.bounds.values())
    assert prove_match(part.to_json()).bounds == part.bounds
    monkeypatch.undo()
    assert solve_match(rules, resume=part).bounds == solve_match(rules).bounds


def test_what_the_workers_say_is_told(monkeypatch):
    monkeypatch.setattr(backward, "LOOK", 0.0)
    said, heard = [], threading.Event()

    def act(pair, solve, progress):
        progress(f"hello from {pair[0]}")
        assert heard.wait(PATIENCE)
        return solve()

    def tell(line):
        said.append(line)
        if "hello" in line:
            heard.set()

    rounds_in_turn(monkeypatch, act)
    with ThreadPoolExecutor(1) as pool:
        solve_match(match_rules({"sides": 2, "dice": "1,1"}), executor=pool, progress=tell)
    assert "0 of 1 rounds; 1 against 1: hello from 1" in said


def test_the_state_of_a_round_is_kept_until_the_round_is(monkeypatch, tmp_path):
    """A round that is done before those in front of it would else be lost where the match is broken off."""
    monkeypatch.setattr("efg_builder.solvers.driver.SAVE_EVERY", 0.0)
    there = {}

    def keep(match, new):
        there[match.rounds[-1].pair] = sorted(path.name for path in tmp_path.iterdir())

    rules = match_rules({"sides": 3, "dice": "2,1"})
    with ThreadPoolExecutor(1) as pool:
        solve_match(rules, executor=pool, keep=keep, checkpoint=tmp_path / "state")
    assert all(f"state.{one}-{two}.npz" in names for (one, two), names in there.items())
    assert len(there) == 3
    assert list(tmp_path.iterdir()) == []


def test_the_time_limit_is_for_each_round():
    """Two rounds at once have each as long as one alone."""
    seen = {}

    class Watching(ThreadPoolExecutor):
        def submit(self, function, order):
            seen[order.name] = order.timeout
            return super().submit(function, order)

    with Watching(2) as pool:
        solve_match(match_rules({"sides": 2}), executor=pool, timeout=Fraction(60))
    assert seen == dict.fromkeys(["1 against 1", "1 against 2", "2 against 1", "2 against 2"], 60)


def test_small_rounds_are_not_sent(monkeypatch):
    monkeypatch.undo()

    class Refusing(Executor):
        def submit(self, *_):
            raise AssertionError("nothing here is worth a process")

    assert solve_match(match_rules({"sides": 3}), executor=Refusing()).complete
