"""Lemke's method on the sequence form: against Gambit's, on random trees, where payoffs differ much in size."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_tree
from small_files import BATTLE, cells_in_integers

import efg_builder as eb
from efg_builder.forms.extensive import Outcome
from efg_builder.forms.sequence_form import sequence_form
from efg_builder.solvers import lcp
from efg_builder.solvers.driver import Driver
from efg_builder.solvers.protocol import Request

pytestmark = pytest.mark.usefixtures("in_process")


def paid_anew(tree, seed, pay):
    """The game with payoffs drawn by *pay*."""
    rng = random.Random(seed)
    outcomes = tuple(Outcome(one.number, one.label, (pay(rng), pay(rng))) for one in tree.outcomes)
    return replace(tree, outcomes=outcomes)


def path(tree):
    problem = lcp.problem_of(forms(tree))
    return Driver(Request()).complete(lcp.lemke(problem, 0))


def forms(tree):
    return sequence_form(tree), sequence_form(tree, 1)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**9), st.integers(2, 6), st.booleans())
def test_every_random_game_has_an_exact_equilibrium(seed, depth, degenerate):
    tree = random_tree(seed, depth, None)
    if degenerate:
        tree = paid_anew(tree, seed, lambda rng: Fraction(rng.randint(0, 1)))
    solution = eb.solve(tree, "lcp")
    assert (solution.status, solution.regret) == ("equilibrium", 0)


@pytest.mark.parametrize("seed", range(8))
def test_floats_and_integers_and_gambit_agree(seed):
    # Random payoffs: of so small games the equilibrium is often the only one.
    tree = paid_anew(random_tree(seed, 3, None), seed, lambda rng: Fraction(rng.randint(-99, 99)))
    theirs, only = eb.solve(tree, "gambit-lcp", timeout=60), len(eb.solve(tree, "extreme").equilibria) == 1
    for cells in (0, 10**9):
        with cells_in_integers(cells):
            ours = eb.solve(tree, "lcp")
        assert theirs.regret == ours.regret == 0
        assert not only or ours.value == theirs.value


def test_payoffs_of_very_different_sizes_are_solved_in_integers():
    # With these payoffs floats lead nowhere from any start.
    tree = paid_anew(random_tree(4, 5, None), 4, _wide)
    with pytest.raises((lcp.NoEndError, lcp.NotExactError)):
        path(tree)
    solution = eb.solve(tree, "lcp")
    assert (solution.status, solution.regret) == ("equilibrium", 0)


def _wide(rng):
    return Fraction(rng.randint(-9, 9) * 10 ** rng.choice([0, 0, 9, 18]))


def test_where_all_fails_it_says_so(monkeypatch):
    monkeypatch.setattr(lcp, "SETTINGS", lcp.LemkeSettings(pivots_per_equation=0, integer_equations=0))
    with cells_in_integers(0):
        found = lcp.SOLVERS[0].run(eb.parse_efg(BATTLE), Request())
    assert (found.ended, found.message) == (
        "failed",
        "no path from 8 starts ended at an equilibrium: the path is too long",
    )
    assert found.strategies == ()


def test_several_starts_lead_to_several_equilibria():
    # Battle of the sexes has two in pure strategies; the mixed one lies on no path from a generic start.
    solution = eb.solve(eb.parse_efg(BATTLE), "lcp", options={"starts": 20})
    assert solution.message == "2 equilibria from 20 starts; there may be more"
    assert {float(max(max(row) for row in one.probabilities if row)) for one in solution.equilibria} == {1.0}
    again = eb.solve(eb.parse_efg(BATTLE), "lcp", options={"starts": 20})
    assert [one.probabilities for one in again.equilibria] == [one.probabilities for one in solution.equilibria]
