"""Small games by pivoting in integers: against the proof, against floats, and without threads or programs in floats."""

import threading
from fractions import Fraction
from random import Random
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_tree
from small_files import cells_in_integers, finish

import efg_builder as eb
from efg_builder.forms.sequence_form import behavior, sequence_form
from efg_builder.proof import verify
from efg_builder.solvers import small
from efg_builder.solvers.driver import Driver
from efg_builder.solvers.lp import highs
from efg_builder.solvers.protocol import Request, TimeLimit
from efg_builder.strategies.tree_profile import TreeProfile


def profile(tree, form, plans):
    rows = [behavior(side, plan) for side, plan in zip(form.players, plans, strict=True)]
    return TreeProfile.from_personal(tree, rows[0] | rows[1])


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_random_games_have_the_same_value_in_integers_and_in_floats(seed, depth):
    tree = random_tree(seed, depth=depth)
    with cells_in_integers(10**9):
        exact = eb.solve(tree, "lp")
    with cells_in_integers(0):
        other = eb.solve(tree, "lp")
    assert exact.exact
    assert exact.value == other.value


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_random_games_are_refined_in_integers(seed, depth):
    with cells_in_integers(10**9):
        solution = eb.solve(random_tree(seed, depth=depth), refine=True)
    assert solution.exact
    assert solution.refined.sequential


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from([Fraction(1, 3), None]), st.integers(0, 3))
def test_lemkes_path_ends_at_an_equilibrium_from_every_start(seed, depth, total, number):
    tree = random_tree(seed, depth=depth, total=total)
    forms = sequence_form(tree), sequence_form(tree, 1)
    assert verify(profile(tree, forms[0], finish(small.equilibrium_plans(forms, number)))).regret == 0


@pytest.mark.parametrize("patience", [0, 1, 10**9])
def test_both_rules_end_where_every_pivot_is_degenerate(patience):
    # Payoffs are all 0 but one: nearly every ratio ties.
    tree = eb.parse_efg(
        'EFG 2 R "ties" { "A" "B" } ""\np "" 1 1 "" { "a" "b" "c" } 0\n'
        + "".join(
            'p "" 2 1 "" { "a" "b" "c" } 0\n'
            + "".join(f't "" {3 * i + j + 1} "" {{ {int(i == j == 2)} {-int(i == j == 2)} }}\n' for j in range(3))
            for i in range(3)
        )
    )
    with mock.patch.object(small, "SETTINGS", small.SmallSettings(patience=patience)):
        assert eb.solve(tree, "lp").value == (0, 0)
        assert eb.solve(tree, refine=True).exact


def test_a_small_game_needs_no_thread_and_no_floats(monkeypatch):
    def refuse(*_args, **_settings):
        raise AssertionError("a small game needs none")

    tree = eb.build(eb.game("kuhn"))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(highs, "_run", refuse)
    for options in ({}, {"refine": False}, {"method": "lp"}):
        assert eb.solve(tree, **options).value[0] == Fraction(-1, 18)  # Kuhn 1950


def test_the_time_limit_holds_between_pivots():
    form = sequence_form(eb.build(eb.game("kuhn")))
    with pytest.raises(TimeLimit):
        Driver(Request(timeout=-1)).complete(small.optimal_plans(form))


def test_a_dense_game_goes_to_floats_before_its_integers_have_grown(monkeypatch):
    """The limit is one of work, not of time: the same game always gets the same equilibrium."""
    form = sequence_form(payoff_table(60))
    tried = []
    monkeypatch.setattr(small.Dictionary, "pivot", counted(small.Dictionary.pivot, tried))
    assert Driver(Request()).complete(small.quick_plans(form)) is None
    assert len(tried) > 10
    monkeypatch.setattr(small, "SETTINGS", small.SmallSettings(work=3600 * 59))  # to write the dictionary takes more
    del tried[:]
    assert Driver(Request()).complete(small.quick_plans(form)) is None
    assert tried == []


@pytest.mark.parametrize(
    ("game", "quick"),
    [
        ("kuhn", {False, True}),
        ("dice-poker", {False, True}),
        ("liars-dice sides=2", {False, True}),
        ("liars-dice sides=3", {True}),  # HiGHS alone takes a sixth of the time, but not with its start
        ("leduc", set()),
    ],
)
def test_pivots_solve_games_for_which_highs_is_slower(game, quick):
    form = sequence_form(eb.build(game))
    done = {mistakes for mistakes in (False, True) if Driver(Request()).complete(small.quick_plans(form, mistakes))}
    assert done == quick


def counted(method, calls):
    def call(*given):
        calls.append(given)
        return method(*given)

    return call


def payoff_table(size):
    """A constant-sum game with random payoffs in which both players choose one of *size* actions at once."""
    names, random = " ".join(f'"{k}"' for k in range(size)), Random(0)
    numbers = [[random.randint(-100, 100) for _ in range(size)] for _ in range(size)]
    rows = [
        f'p "" 2 1 "" {{ {names} }} 0\n'
        + "".join(f't "" {size * i + j + 1} "" {{ {number} {-number} }}\n' for j, number in enumerate(row))
        for i, row in enumerate(numbers)
    ]
    return eb.parse_efg(f'EFG 2 R "table" {{ "A" "B" }} ""\np "" 1 1 "" {{ {names} }} 0\n' + "".join(rows))
