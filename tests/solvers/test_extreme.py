"""All extreme equilibria, against Gambit's enumeration."""

import random
import re
from pathlib import Path

import pygambit
import pytest
from small_files import BATTLE, matrix_tree

import efg_builder as eb
from efg_builder.solvers import driver, extreme
from efg_builder.solvers.protocol import countdown

HORSE = Path(pygambit.__file__).parent / "catalog_data" / "journals" / "ijgt" / "selten1975" / "fig1.efg"

pytestmark = pytest.mark.usefixtures("in_process")


def matrix(seed, size, most):
    rng = random.Random(seed)
    return matrix_tree([[(rng.randint(0, most), rng.randint(0, most)) for _ in range(size)] for _ in range(size)])


def played(solution):
    assert solution.status == "equilibrium"
    assert all(judged.verdict.regret == 0 for judged in solution.judged)
    return {one.probabilities for one in solution.equilibria}


@pytest.mark.parametrize(("size", "most"), [(2, 9), (3, 9), (3, 1), (4, 9), (4, 1), (5, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_of_a_matrix_they_are_gambits(seed, size, most):
    tree = matrix(seed, size, most)
    assert played(eb.solve(tree, "extreme")) == played(eb.solve(tree, "gambit-enummixed", timeout=60))


@pytest.mark.parametrize("sides", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_of_dice_poker_they_are_among_gambits(sides):
    # Gambit's are extreme as mixed strategies: some of these are no extreme plans, and none is missing.
    tree = eb.build(eb.game("dice-poker", sides=sides))
    ours = eb.solve(tree, "extreme")
    assert played(ours) <= played(eb.solve(tree, "gambit-enummixed", timeout=60))
    if sides == 2:
        assert ours.message == "all 3 extreme equilibria"


def test_the_number_is_told_and_can_be_limited():
    # Two in pure strategies and a mixed one.
    short = eb.solve(eb.parse_efg(BATTLE), "extreme", options={"most": 2})
    assert short.message == "the first 2 of 3 extreme equilibria; --option most=NUMBER lists more"
    assert len(short.equilibria) == 2
    pennies = matrix_tree([[1, -1], [-1, 1]])
    assert eb.solve(pennies, "extreme").message == "the only extreme equilibrium"
    assert "verified      1 profile that attains the ends of all ranges" in str(eb.ranges(pennies))


def test_too_large_a_game_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(extreme, "SETTINGS", extreme.ExtremeSettings(most_plans=1))
    solution = eb.solve(eb.parse_efg(BATTLE), "extreme")
    assert (solution.status, solution.message) == (
        "no-result",
        "a player has more than 1 pure plans, so the equilibria were not enumerated; method lcp finds some of them "
        "(--option starts=NUMBER)",
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ending", ["timeout", "interrupted"])
@pytest.mark.parametrize("looks", [0, 30, 90])
@pytest.mark.first(6)
def test_what_is_known_when_it_is_stopped_is_some_of_all(seed, ending, looks, monkeypatch):
    tree, left = matrix(seed, 7, 4), []
    every = played(eb.solve(tree, "extreme"))

    def clock():
        left.append(0)
        if len(left) == looks + 1 and ending == "interrupted":
            raise KeyboardInterrupt
        return float(len(left) <= looks)

    # The second countdown is the method's; the others are those of building and of verifying.
    clocks = iter([countdown(None), clock])
    monkeypatch.setattr(driver, "countdown", lambda limit: next(clocks, countdown(limit)))
    found = eb.solve(tree, "extreme")
    some = [one.probabilities for one in found.equilibria]
    assert found.status == ending
    assert set(some) <= every
    assert 0 < len(some) == len(set(some)) == len(found.judged)
    stopped = "the time limit" if ending == "timeout" else "an interrupt"
    assert re.fullmatch(
        rf"incomplete: {len(some)} (extreme )?equilibri(a|um) found; {stopped} ended the search", found.message
    )


def test_of_three_players_it_names_methods_that_find_several():
    tree = eb.read_efg(HORSE)
    found = eb.solve(tree, "extreme")
    assert found.status == "not-applicable"
    assert "the game has 3 players, not two; --method (method=) gambit-enumpoly" in found.message
    assert len(eb.solve(tree, "gambit-enumpoly").equilibria) > 1
    assert "--method (method=)" not in eb.solve(tree, "lp").message
