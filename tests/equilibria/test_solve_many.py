"""Many games in a loop: in order, on several cores, and from a script as people write one."""

import subprocess
import sys
from fractions import Fraction
from itertools import count, islice
from unittest import mock

import pytest
from random_trees import random_tree

import efg_builder as eb
from efg_builder.experiments import many_games

NAMES = ["kuhn", "liars-dice sides=2", "dice-poker sides=2", "kuhn cards=4"]


@pytest.mark.parametrize("workers", [None, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_solutions_come_in_the_order_of_the_games(workers):
    trees = [random_tree(seed, depth=4) for seed in range(20)]
    with mock.patch.object(many_games, "SETTINGS", many_games.LoopSettings(seconds_here=0.01, seconds_left=0.0)):
        found = list(eb.solve_many([*trees, *NAMES], workers=workers))
    expected = [eb.solve(game) for game in [*trees, *NAMES]]
    assert [one.value for one in found] == [one.value for one in expected]
    assert [one.profile.probabilities for one in found] == [one.profile.probabilities for one in expected]
    assert [one.game for one in found[20:]] == [one.game for one in expected[20:]]
    assert all(one.exact for one in found)


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_endless_list_is_solved_as_far_as_it_is_asked_for(workers):
    found = eb.solve_many((random_tree(seed, depth=2) for seed in count()), workers=workers)
    assert len(list(islice(found, 5))) == 5
    found.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_names_the_place_of_the_game(workers):
    found = eb.solve_many(["kuhn", "liars-dice sides=2", "kun"], workers=workers, refine=False)
    assert next(found).value[0] == Fraction(-1, 18)  # Kuhn 1950
    with pytest.raises(eb.ParameterError, match="there is no game 'kun'") as caught:
        list(found)
    assert caught.value.__notes__ == ["game 2 of the list"]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_errors_are_yielded_on_request(workers):
    found = list(eb.solve_many(["kun", "kuhn", "chess", "kuhn"], workers=workers, refine=False, errors="yield"))
    assert [type(one).__name__ for one in found] == ["ParameterError", "Solution", "ParameterError", "Solution"]
    assert [one.__notes__ for one in found[::2]] == [["game 0 of the list"], ["game 2 of the list"]]
    with pytest.raises(eb.ParameterError, match="errors='skip': must be 'raise' or 'yield'"):
        eb.solve_many(["kuhn"], errors="skip")


def test_a_short_list_starts_no_process():
    settings = many_games.LoopSettings(seconds_here=1e-9)
    with mock.patch.object(many_games, "SETTINGS", settings), mock.patch.object(many_games, "executor") as started:
        assert len(list(eb.solve_many(["kuhn"] * 3, refine=False))) == 3
    started.assert_not_called()


def test_options_are_those_of_solve():
    (found,) = eb.solve_many(["kuhn"], lambda tree: eb.TreeProfile.uniform(tree), workers=2)
    assert found.method == "<lambda>"
    assert not found.exact
    (found,) = eb.solve_many(["kuhn"], "cfr", options={"iterations": 10}, workers=2)
    assert found.method == "cfr"
    for workers in (0, "2", 1.5):
        with pytest.raises(eb.ParameterError, match="must be a whole number of at least 1"):
            eb.solve_many(["kuhn"], workers=workers)


def test_a_script_runs_once_and_its_classes_need_no_file(tmp_path):
    script = tmp_path / "study.py"
    script.write_text(
        "import efg_builder as eb\n\nprint('begin')\n\nclass Pay(eb.Game):\n    players = ('Ann',)\n\n"
        "    def __init__(self, won):\n        self.won = won\n\n    def turn(self, state):\n"
        "        return eb.End((self.won,))\n\n"
        "found = list(eb.solve_many([Pay(won) for won in range(5)], workers=2))\n"
        "print(*[one.value[0] for one in found], found[3].game.won)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("begin\n0 1 2 3 4 3\n", "")
