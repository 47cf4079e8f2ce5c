"""The double oracle without a tree: its answers against the tree and published values, its ends, its checkpoints."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from bidding_games import HARD

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.solvers import driver
from efg_builder.solvers.lp.exact import NotExactError
from efg_builder.solvers.oracle import search
from efg_builder.solvers.oracle.state import load, start


def change(monkeypatch, **settings):
    monkeypatch.setattr(search, "SETTINGS", replace(search.SETTINGS, **settings))


@pytest.mark.parametrize(
    ("game", "method", "given", "says"),
    [
        *((HARD, "oracle", {"gap": gap}, "gap=") for gap in (-1, float("nan"), float("inf"), "wide")),
        (HARD, "oracle", {"options": {"master": "lpp"}}, "master=lpp: did you mean 'lp'"),
        (
            HARD,
            "cfr",
            {"checkpoint": "x.npz"},
            r"--checkpoint and --resume \(checkpoint=, resume=\) are for the method 'oracle'",
        ),
        (eb.build(eb.game("liars-dice")), "auto", {"resume": "x.npz"}, "resume"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(game, method, given, says):
    with pytest.raises(eb.ParameterError, match=says):
        eb.solve(game, method, **given)


def test_what_cannot_be_made_exact_ends_in_a_bracket(monkeypatch):
    def fails(*_):
        raise NotExactError("for the test")

    monkeypatch.setattr(search, "exact_optimum", fails)
    solution = eb.solve(HARD, "oracle")
    assert solution.status == "bracket"
    assert "for the test" in solution.message
    assert 0 < solution.upper - solution.lower < 1e-6


def test_a_tiny_gap_is_reached_by_being_exact():
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 10**9))
    assert solution.exact


def test_more_hands_than_memory_holds_are_left_alone():
    game = eb.game("liars-dice", sides=20, dice="10,10")
    with pytest.raises(eb.TreeTooLargeError):
        eb.solve(game, timeout=1)


@pytest.mark.parametrize("how", ["lp", "regret"])
def test_the_bracket_never_widens(how):
    brackets = []

    def note(line):
        found = re.match(r"round \d+: .* value in \[(\S+), (\S+)\]", line)
        if found and "rationals" not in line:
            brackets.append((float(found[1]), float(found[2])))
            assert "gap" in line
            assert "sequences" in line
            assert "histories visited" in line

    solution = eb.solve(HARD, "oracle", options={"master": how}, gap=Fraction(1, 30), progress=note, timeout=60)
    assert solution.status == "bracket"
    assert 0 < solution.upper - solution.lower <= Fraction(1, 30)
    assert len(set(brackets)) > 4
    for before, after in pairwise(brackets):
        assert before[0] <= after[0] <= after[1] <= before[1]
    assert solution.lower >= brackets[-1][0] - 1e-5
    assert solution.upper <= brackets[-1][1] + 1e-5


# --- regret minimization where linear programs are too slow


def test_regrets_seed_linear_programs_that_end_exactly(monkeypatch):
    value, lines = eb.solve(HARD, "oracle").value[0], []
    change(monkeypatch, first_sequences=0)
    solution = eb.solve(HARD, "oracle", progress=lines.append)
    assert solution.exact
    assert solution.value[0] == value
    how = ["regret" if "regret minimization" in line else "lp" for line in lines if line.startswith("round")]
    assert "regret" in how
    assert how[-1] == "lp"


@pytest.mark.parametrize(("patience", "sequences"), [(1e-9, 1e15), (None, 0)])
def test_regrets_go_on_where_linear_programs_are_too_slow_or_large(patience, sequences, monkeypatch):
    # Linear programs are tried at a gap that the search always passes, and again at smaller gaps.
    change(monkeypatch, first_sequences=0, sequences_per_second=sequences, near_gap=0.05)
    tried, solve = [], search.double_oracle

    def counted(found, wanted, patience=patience, most=None):
        tried.append(patience)
        return solve(found, wanted, patience if sequences == 0 else 1e-9, most)

    monkeypatch.setattr(search, "double_oracle", counted)
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 1000), timeout=60)
    assert solution.upper - solution.lower <= Fraction(1, 1000)
    if sequences == 0:
        assert tried == [None]
    else:
        assert len(tried) > 1
        assert tried[1:] == sorted(tried[1:])


# --- checkpoints


def test_regret_minimization_goes_on_from_a_checkpoint_too(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "SAVE_EVERY", 0.0)
    state, lines = tmp_path / "state.npz", []
    first = eb.solve(HARD, "oracle", gap=Fraction(1, 3), options={"master": "regret"}, checkpoint=state)
    again = eb.solve(HARD, "oracle", gap=Fraction(1, 10), resume=state, progress=lines.append)
    assert "regret minimization" in lines[0]
    assert again.details["rounds"] > first.details["rounds"]
    assert again.upper - again.lower <= Fraction(1, 10)


def test_regrets_outlive_a_checkpoint_of_linear_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "SAVE_EVERY", 0.0)
    change(monkeypatch, first_sequences=0)
    state, lines = tmp_path / "state.npz", []

    def interrupt(line):
        """In the second round of linear programs after regrets."""
        lines.append(line)
        if not line.startswith("round"):
            return
        programs = [k for k, line in enumerate(lines) if line.startswith("round") and ";" not in line]
        regrets = [k for k, line in enumerate(lines) if "regret" in line]
        if regrets and len([k for k in programs if k > regrets[-1]]) == 2:
            raise KeyboardInterrupt

    stopped = eb.solve(HARD, "oracle", checkpoint=state, progress=interrupt)
    assert stopped.status == "interrupted"
    saved = load(state, BiddingForm(HARD))
    assert saved.turns == 1
    assert saved.spent > 0
    assert saved.regrets.iterations > 0
    assert eb.solve(HARD, "oracle", resume=state).exact


def test_a_checkpoint_is_promised_only_where_there_is_one(tmp_path):
    early = eb.solve(HARD, "oracle", timeout=1e-6, checkpoint=tmp_path / "state.npz")
    assert not (tmp_path / "state.npz").exists()
    assert early.message.endswith("too early for a checkpoint")


def test_a_round_with_other_stakes_resumes_without_the_basis(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "SAVE_EVERY", 0.0)
    state, rules = tmp_path / "state.npz", {"sides": 3, "dice": "2,2"}
    before = eb.game("liars-dice-stakes", **rules, lose1="-1/2", lose2="1/2")
    after = eb.game("liars-dice-stakes", **rules, lose1="-4/9", lose2="3/5")
    rounds = eb.solve(before, "oracle", checkpoint=state).details["rounds"]
    assert load(state, BiddingForm(before)).last is not None
    assert load(state, BiddingForm(after)).last is None
    found = eb.solve(after, "oracle", resume=state)
    assert found.exact
    assert found.value == eb.solve(after, "oracle").value
    assert found.details["rounds"] > rounds
    with pytest.raises(eb.FileError, match="cannot resume from"):
        eb.solve(eb.game("liars-dice-stakes", **rules, loss="difference"), "oracle", resume=state)


DAMAGED = "it is not a checkpoint of the oracle, or it is damaged"


@pytest.fixture
def state(tmp_path):
    start(BiddingForm(HARD)).save(tmp_path / "state.npz")
    return tmp_path / "state.npz"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "LiarsDice()"}, f"it belongs to {HARD.title!r} with other rules"),
        ({"game": "LiarsDice()", "title": "x"}, f"it belongs to 'x', not to {HARD.title!r}"),
        *(({key: value}, DAMAGED) for key in ("rounds", "turns", "spent", "floor", "alike") for value in (-1, "1")),
        *(({key: 99}, DAMAGED) for key in ("floor", "alike")),
        *(({"early": value}, DAMAGED) for value in (True, 0)),
        *(({"format": value}, DAMAGED) for value in ("x", 4)),
    ],
)
def test_a_state_with_other_rules_or_a_wrong_course_is_refused(changes, says, state):
    with np.load(state) as file:
        arrays = dict(file)
    course = json.loads(str(arrays["state"]))
    assert changes.keys() <= course.keys()
    np.savez(state, **arrays | {"state": json.dumps(course | changes)})
    with pytest.raises(eb.FileError) as caught:
        eb.solve(HARD, "oracle", resume=state)
    assert str(caught.value) == f"cannot resume from {state}: {says}"


def test_a_damaged_state_is_refused(state):
    whole = state.read_bytes()
    for damaged in (whole[:-40], b"", b"nothing", whole.replace(b"parent.npy", b"parens.npy")):
        state.write_bytes(damaged)
        with pytest.raises(eb.FileError) as caught:
            eb.solve(HARD, "oracle", resume=state)
        assert str(caught.value) == f"cannot resume from {state}: {DAMAGED}"
    with pytest.raises(eb.FileError, match="cannot read"):
        eb.solve(HARD, "oracle", resume=state.with_name("none.npz"))
