"""Gambit as the master of the oracle: its answers, what it is given, and what happens where something goes wrong."""

import io
from fractions import Fraction

import numpy as np
import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_tree

import efg_builder as eb
from efg_builder.base import child
from efg_builder.forms.extensive import NONE, constant_sum
from efg_builder.forms.recall import has_perfect_recall
from efg_builder.solvers.gambit import oracle
from efg_builder.solvers.gambit.oracle import GambitError, simplified
from sound import problems

FOUR = eb.game("liars-dice", sides=4)
HARD = eb.game("liars-dice", dice="2,1")
HARD_VALUE = Fraction(1, 4)


def by_linear_programs(tree, left, progress):
    """What Gambit would find, without a process."""
    return eb.TreeProfile(tree, eb.solve(simplified(tree), "lp").profile.probabilities)


@pytest.fixture
def without_gambit(monkeypatch):
    monkeypatch.setattr(oracle, "gambits_profile", by_linear_programs)


def interrupt_at(start):
    def progress(line):
        if line.startswith(start):
            raise KeyboardInterrupt

    return progress


def test_restricted_games_grow_and_load_in_gambit_with_their_nodes(monkeypatch):
    sizes = []

    def master(tree, *more):
        sizes.append(len(tree))
        assert gambits_nodes(tree) == len(tree)
        return by_linear_programs(tree, *more)

    monkeypatch.setattr(oracle, "gambits_profile", master)
    solution = eb.solve(FOUR, "gambit-oracle")
    assert sizes == sorted(sizes)
    assert sizes[-1] < 300
    assert solution.exact


def gambits_nodes(tree):
    return len(eb.parse_efg(pygambit.read_efg(io.StringIO(tree.to_efg())).to_efg()))


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_what_gambit_is_given_is_the_same_game(seed):
    tree = random_tree(seed, 6)
    simple = simplified(tree)
    assert problems(simple) == []
    assert has_perfect_recall(simple)
    assert gambits_nodes(simple) == len(simple)
    assert constant_sum(simple) == 0
    assert all(len(simple.infosets[k].actions) > 1 for k in np.unique(simple.infoset) if k != NONE)
    profile = eb.solve(simple, "lp").profile
    assert eb.verify(eb.TreeProfile(tree, profile.probabilities)).regret == 0


@pytest.mark.parametrize(("method", "other"), [("oracle", "lp"), ("gambit-oracle", "gambit-lp")])
def test_of_a_tree_the_method_to_take_is_named(method, other):
    for game in (eb.game("kuhn"), eb.build(FOUR)):
        solution = eb.solve(game, method)
        assert solution.status == "not-applicable"
        assert solution.message == (
            f"{method} does not apply: it solves two-player bidding games from their rules, not from a tree; "
            f"use --method (method=) {other}"
        )


# --- ends before the end


@pytest.mark.parametrize("gap", [2, Fraction(1, 2), 1e-300])
def test_it_stops_as_soon_as_the_gap_is_reached(gap, without_gambit):
    solution = eb.solve(HARD, "gambit-oracle", gap=gap)
    assert solution.lower <= HARD_VALUE <= solution.upper
    assert solution.upper - solution.lower <= gap
    assert solution.status == ("bracket" if gap > 1e-9 else "equilibrium")
    assert solution.message.startswith("the requested gap was reached; ") == (gap > 1e-9)


def test_the_time_limit_and_ctrl_c_give_the_best_bracket_so_far(without_gambit):
    first = eb.solve(HARD, "gambit-oracle", timeout=1e-9)
    later = eb.solve(HARD, "gambit-oracle", progress=interrupt_at("round 4: gap"))
    assert (first.status, later.status) == ("timeout", "interrupted")
    assert first.message.startswith("the time limit came first; 0 rounds")
    assert later.message.startswith("stopped before the end; 4 rounds, the last on ")
    assert first.lower <= later.lower <= HARD_VALUE <= later.upper <= first.upper
    assert 0 < later.upper - later.lower < first.upper - first.lower


def test_ctrl_c_ends_gambits_process(monkeypatch):
    started, start = [], child.start
    monkeypatch.setattr(child, "start", lambda *words: started.append(start(*words)) or started[-1])
    solution = eb.solve(HARD, "gambit-oracle", progress=interrupt_at("round 3: Gambit"))
    assert len(started) == 2  # in the first round there is nothing to choose
    assert all(process.returncode is not None for process in started)
    assert (solution.status, "2 rounds" in solution.message) == ("interrupted", True)
    assert solution.lower <= HARD_VALUE <= solution.upper


def test_a_master_that_lies_or_fails_leaves_a_bracket(monkeypatch):
    def fail(*_):
        raise GambitError("made to fail")

    three = eb.game("liars-dice", sides=3)
    for master, said in ((lambda tree, *_: eb.TreeProfile.uniform(tree), "not an equilibrium"), (fail, "to fail; 1")):
        monkeypatch.setattr(oracle, "gambits_profile", master)
        solution = eb.solve(three, "gambit-oracle")
        assert solution.status == "bracket"
        assert solution.lower <= Fraction(-1, 9) <= solution.upper
        assert said in solution.message
