"""The double oracle without a tree: its parts against the tree and enumeration, the whole against published values."""

from fractions import Fraction

import pytest
from bidding_games import HARD, SMALL, small_games
from test_lp import published

import efg_builder as eb
from efg_builder.proof import verify
from efg_builder.solvers.lp.rational import NotExactError
from efg_builder.solvers.oracle import bidding_programs

# Proved by their certificates; 5/54 and 2128/8375 by `lp` too, the others have no other source.
PROVED = [
    ({"sides": 6, "dice": "2,1"}, "212027/771552"),
    ({"sides": 6, "dice": "1,2", "wild": 1, "wild_biddable": False}, "-5/54"),
    ({"sides": 6, "dice": "2,1", "wild": 1, "wild_biddable": False}, "7/27"),
    ({"sides": 5, "dice": "2,1"}, "2128/8375"),
]


@pytest.mark.parametrize(("chosen", "value"), [*published(), *((c, Fraction(v)) for c, v in PROVED)])
def test_values_are_proved_without_a_tree(chosen, value):
    solution = eb.solve(eb.game("liars-dice", **chosen), "oracle")
    assert solution.tree is None
    assert (solution.status, solution.exact, solution.regret) == ("equilibrium", True, 0)
    assert solution.lower == solution.upper == solution.value[0] == value


@small_games([*SMALL, {"sides": 4}, {"sides": 4, "wild": "highest"}, {"dice": "2,2"}, {"dice": "3,1"}, {"dice": "1,3"}])
def test_the_tree_and_the_linear_program_agree(game):
    solution, tree = eb.solve(game, "oracle"), eb.build(game)
    assert solution.lower == solution.upper
    assert solution.value == eb.solve(tree, "lp").value
    verdict = verify(solution.sparse.on(tree))
    assert (verdict.lower, verdict.upper, verdict.regret) == (solution.lower, solution.upper, 0)


@pytest.mark.slow
def test_two_dice_a_side_are_exact():
    """2^24 histories; the value has no other source than its certificate."""
    solution = eb.solve(eb.game("liars-dice", sides=6, dice="2,2"), "oracle")
    assert solution.exact
    assert solution.value[0] == Fraction(-97993266983069, 5815959611262048)


@pytest.mark.slow
def test_three_dice_against_one_are_exact():
    solution = eb.solve(eb.game("liars-dice", sides=6, dice="3,1"), "oracle")
    assert solution.exact
    assert solution.value[0] == Fraction(137405, 401112)


def test_auto_takes_the_oracle_where_the_tree_is_large():
    assert eb.solve(eb.game("liars-dice", sides=3)).method == "lp"
    assert eb.solve(eb.game("liars-dice", sides=4)).method == "oracle"
    assert eb.solve(eb.build(eb.game("liars-dice", sides=4))).method == "lp"


@pytest.mark.parametrize("chosen", [{"dice": "1,1,1", "max_quantity": 1}, {"sides": 3}])
def test_other_games_need_a_tree(chosen):
    game = eb.game("dice-poker", **chosen) if "dice" not in chosen else eb.game("liars-dice", **chosen)
    solution = eb.solve(game, "oracle")
    assert solution.tree is not None
    assert solution.status == ("not-applicable" if "dice" in chosen else "equilibrium")


def test_a_time_limit_gives_a_verified_bracket():
    solution = eb.solve(HARD, "oracle", timeout=0.15)
    assert solution.status == "timeout"
    assert -1 <= solution.lower < solution.upper <= 1
    assert solution.message


def test_an_interrupt_gives_a_verified_bracket():
    def interrupt(line):
        if line.startswith("round 6"):
            raise KeyboardInterrupt

    solution = eb.solve(HARD, "oracle", progress=interrupt)
    assert solution.status == "interrupted"
    value = eb.solve(HARD, "oracle").value[0]
    assert -1 < solution.lower < value < solution.upper < 1
    assert solution.details["rounds"] == 6


def test_the_asked_for_gap_is_enough():
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 20))
    assert solution.status == "bracket"
    assert 0 < solution.upper - solution.lower <= Fraction(1, 20)


@pytest.mark.parametrize("gap", [-1, float("nan"), float("inf"), "dense"])
def test_a_gap_must_be_a_number_from_zero_on(gap):
    with pytest.raises(eb.ParameterError, match="gap="):
        eb.solve(HARD, "oracle", gap=gap)


def test_what_cannot_be_made_exact_ends_in_a_bracket(monkeypatch):
    def fails(*_):
        raise NotExactError("for the test")

    monkeypatch.setattr(bidding_programs, "exact_optimum", fails)
    solution = eb.solve(HARD, "oracle")
    assert solution.status == "bracket"
    assert "for the test" in solution.message
    assert 0 < solution.upper - solution.lower < 1e-6


def test_progress_tells_round_gap_bracket_and_sizes():
    lines = []
    eb.solve(HARD, "oracle", progress=lines.append)
    assert any("gap" in line and "sequences" in line and "histories visited" in line for line in lines)


def test_the_master_must_be_known():
    with pytest.raises(eb.ParameterError, match="master=lpp: did you mean 'lp'"):
        eb.solve(HARD, "oracle", options={"master": "lpp"})


def test_a_tiny_gap_is_reached_by_being_exact():
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 10**9))
    assert solution.exact


def test_more_hands_than_memory_holds_are_left_alone():
    game = eb.game("liars-dice", sides=20, dice="10,10")
    with pytest.raises(eb.TreeTooLargeError):
        eb.solve(game, timeout=1)


def test_an_option_of_the_sparse_search_is_no_option_on_a_tree():
    with pytest.raises(eb.ParameterError, match="master"):
        eb.solve(eb.game("dice-poker"), "oracle", options={"master": "lp"})
