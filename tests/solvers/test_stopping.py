"""Ends before the end, on trees: a gap that is enough, and Ctrl-C wherever it comes."""

import json
import os
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from processes import interrupted
from random_trees import random_tree
from small_files import B_FORGETS, BATTLE, DRIVER

import efg_builder as eb
from efg_builder.base.words import STOPPING
from efg_builder.equilibria import solve as solving
from efg_builder.interop.gambit import child
from efg_builder.proof import verify
from efg_builder.proof.certificate import verify_solution
from efg_builder.solvers import extreme, forgetful
from efg_builder.solvers.oracle import tree as tree_oracle
from efg_builder.solvers.oracle.tree import best_response, default_behavior, solve_exactly, strategy
from efg_builder.solvers.protocol import Facts, Request, methods
from efg_builder.solvers.tree_model import whole_game

HARD = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
SMALL = eb.build(eb.game("liars-dice", dice="2,1"))
VALUES = {id(tree): eb.solve(tree, "lp").value[0] for tree in (HARD, SMALL)}
TREES = pytest.mark.parametrize(("tree", "method"), [(HARD, "oracle"), (SMALL, "gambit-oracle")])


def width(solution):
    return solution.upper - solution.lower


@cache
def rounds(tree, method, **more):
    """The solution, and how many rounds it took."""
    lines = []
    solution = eb.solve(tree, method, progress=lines.append, **more)
    return solution, max((int(line.split()[1].rstrip(":")) for line in lines if ": gap " in line), default=0)


def interrupt_at(start):
    def progress(line):
        if line.startswith(start):
            raise KeyboardInterrupt

    return progress


# --- the time limit


@pytest.mark.parametrize(
    ("module", "text", "phases"),
    [
        # All vertices of both sides; then all pairs of them.
        (
            extreme,
            BATTLE,
            {
                f"incomplete: {n} found; the time limit ended the search"
                for n in ("1 extreme equilibrium", "2 extreme equilibria")
            },
        ),
        # What moves are worth, by nodes; then combinations of moves.
        (forgetful, B_FORGETS, {"the time limit came before the last strategy"}),
        (forgetful, DRIVER, {"the time limit came before the last strategy"}),
    ],
    ids=["extreme", "forgetful", "met again"],
)
def test_the_clock_is_looked_at_in_all_phases(module, text, phases, monkeypatch):
    """However many looks find time left, the next one ends it."""
    tree, looks, seen = eb.parse_efg(text), [], set()

    def run(most):
        looks.clear()
        monkeypatch.setattr(module, "countdown", lambda _: lambda: looks.append(0) or float(len(looks) <= most))
        return module.run(tree, Request())

    assert run(10**9).ended == "done"
    for most in range(len(looks)):
        found = run(most)
        assert (found.ended, len(looks)) == ("timeout", most + 1)
        seen |= {phase for phase in phases if found.message.startswith(phase)}
    assert seen == phases
    assert len(looks) > len(tree)


# --- the gap


@pytest.mark.parametrize(
    ("tree", "method", "gap"),
    [
        (HARD, "oracle", Fraction(1, 2)),
        # From about 1/16 on the value may be met at once: that hangs on the version of HiGHS.
        (HARD, "oracle", Fraction(1, 8)),
        (SMALL, "gambit-oracle", Fraction(1, 2)),
        (SMALL, "gambit-oracle", Fraction(1, 4)),
    ],
)
def test_the_tree_oracle_stops_as_soon_as_the_gap_is_reached(tree, method, gap, in_process):
    whole, last = rounds(tree, method)
    solution, needed = rounds(tree, method, gap=gap)
    assert (whole.status, solution.status) == ("equilibrium", "bracket")
    assert 0 < needed < last
    assert 0 < width(solution) <= gap
    assert solution.lower <= VALUES[id(tree)] <= solution.upper
    assert solution.profile.exact
    assert solution.message.startswith(f"the asked-for gap was reached; {needed} round")
    # A round less would not have done.
    before = eb.solve(tree, method, progress=interrupt_at(f"round {needed - 1}: gap"))
    assert needed == 1 or width(before) > gap
    if method == "gambit-oracle":  # in rationals all the way: a gap as wide to the last digit is enough
        assert rounds(tree, method, gap=width(solution))[1] == needed


@pytest.mark.parametrize("method", ["oracle", "gambit-oracle"])
def test_a_gap_as_wide_as_the_payoffs_needs_no_round(method):
    solution, needed = rounds(HARD, method, gap=2)
    assert (solution.status, needed) == ("bracket", 0)
    assert 0 < width(solution) <= 2
    assert "the asked-for gap was reached; 0 rounds" in solution.message


SLOW = pytest.mark.slow


@pytest.mark.parametrize("gap", [pytest.param(0, marks=SLOW), 1e-300, pytest.param(Fraction(1, 10**12), marks=SLOW)])
def test_a_tiny_gap_of_the_tree_oracle_is_reached_by_being_exact(gap, in_process):
    for tree, method in ((HARD, "oracle"), (SMALL, "gambit-oracle")):
        solution = eb.solve(tree, method, gap=gap)
        assert (solution.status, solution.exact) == ("equilibrium", True)
        assert "gap" not in solution.message


@pytest.mark.parametrize("seed", range(40))
def test_what_is_given_keeps_the_gap_that_was_asked_for(seed):
    tree = random_tree(seed, 6)
    value = eb.solve(tree, "lp").value[0]
    for gap in (Fraction(5), Fraction(1, 2), Fraction(1, 10**6), Fraction(1, 10**10)):
        solution = eb.solve(tree, "oracle", gap=gap)
        assert solution.status in ("bracket", "equilibrium")
        assert width(solution) <= gap
        assert solution.lower <= value <= solution.upper


def test_floats_that_flatter_do_not_reach_a_gap():
    """A bracket in floats counts for as much as its strategies prove once they are rational."""
    whole = whole_game(eb.build(eb.game("liars-dice", sides=3, payoff="points")))
    half = whole.form.half
    assert half != 1
    one, two = (strategy(side, default_behavior(side, exact=False)) for side in whole.sides)
    everything = tuple(np.ones(side.sequences.count, dtype=bool) for side in whole.sides)
    upper, lower = (Fraction(best_response(whole, p, (one, two)[1 - p], everything[p]).value) for p in range(2))
    lower = -lower
    wide = half * (upper - lower)
    said = tree_oracle.State(everything, tree_oracle.Bracket(-0.01, 0.01, (one, two)))
    assert wide > half / 10
    assert tree_oracle._near_enough(whole, said, wide * Fraction(999, 1000)) is None
    state = tree_oracle._near_enough(whole, said, wide * Fraction(1001, 1000))
    assert float(state.bracket.lower) == pytest.approx(float(lower))
    assert float(state.bracket.upper) == pytest.approx(float(upper))
    assert all(chosen.exact for chosen in state.bracket.strategies)


def test_where_nothing_is_at_stake_any_gap_is_reached_exactly():
    tree = eb.parse_efg('EFG 2 R "t" { "A" "B" } ""\np "" 1 1 "a" { "c" "d" } 0\nt "" 1 "" { 1 2 }\nt "" 1\n')
    solution = eb.solve(tree, "oracle", gap=Fraction(1, 9))
    assert (solution.status, solution.lower, solution.upper) == ("equilibrium", 1, 1)


def test_methods_that_do_not_stop_at_a_gap_say_so(in_process):
    for method in ("lp", "gambit-lp", "auto"):
        solution = eb.solve(eb.game("dice-poker", sides=2), method, gap=Fraction(1, 10), refine=False)
        assert solution.status == "equilibrium"
        name = "lp" if method == "auto" else method
        assert solution.message.endswith(f"{name} does not stop at a gap (--gap); cfr, gambit-oracle, many, oracle do")
        assert "gap" not in eb.solve(eb.game("dice-poker", sides=2), method).message
    solution = eb.solve(HARD, "lp", gap=Fraction(1, 10), timeout=1e-9)
    assert (solution.status, "; lp does not stop at a gap" in solution.message) == ("timeout", True)


def test_the_methods_that_stop_at_a_gap_are_those_that_are_named(in_process):
    """The others with a bracket come to the same answer, whatever gap is asked for."""
    for name, solver in methods().items():
        if not solver.brackets or solver.inapplicable(Facts(SMALL)):
            assert not solver.stops_at_gap
            continue
        found = eb.solve(SMALL, name, gap=1)
        assert (found.status == "bracket") == solver.stops_at_gap, name


def test_a_gap_on_the_command_line(cli, tmp_path):
    file, solution = tmp_path / "game.efg", tmp_path / "s.json"
    HARD.write(file)
    code, out, _ = cli("solve", file, "--method", "oracle", "--gap", "1/2", "-o", solution)
    assert code == 0
    assert "the asked-for gap was reached" in out
    assert "status        bracket" in out
    assert cli("verify", solution, file)[0] == 0
    code, out, _ = cli("solve", "dice-poker", "--no-refine", "--gap", "1/10")
    assert code == 0
    assert "lp does not stop at a gap (--gap); cfr, gambit-oracle, many, oracle do" in out


# --- Ctrl-C


@TREES
def test_an_interrupt_gives_the_bracket_so_far(tree, method, in_process):
    solution = eb.solve(tree, method, progress=interrupt_at("round 4: gap"))
    assert solution.status == "interrupted"
    assert solution.message.startswith("stopped before the end; 4 rounds, the last on ")
    assert solution.profile.exact
    first = eb.solve(tree, method, timeout=1e-9)
    assert first.lower <= solution.lower <= VALUES[id(tree)] <= solution.upper <= first.upper
    assert 0 < width(solution) < width(first)


def test_an_interrupt_within_the_linear_program_gives_the_rounds_before(monkeypatch):
    calls = []

    def master(tree, left, progress):
        calls.append(len(tree))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve_exactly(tree, left, progress)

    phase = tree_oracle.Phase(master, Fraction(1, 100), Fraction(0), True)
    found = tree_oracle.run_phases(HARD, Request(), [phase])
    assert found.ended == "interrupted"
    assert "3 rounds" in found.message  # the first needs no linear program: there is nothing to choose
    verdict = verify(found.strategies[0])
    assert verdict.lower < verdict.upper


def test_an_interrupt_while_gambits_child_runs_gives_the_bracket_and_ends_the_child(monkeypatch):
    started, start = [], child._start
    monkeypatch.setattr(child, "_start", lambda complaints: started.append(start(complaints)) or started[-1])
    solution = eb.solve(SMALL, "gambit-oracle", progress=interrupt_at("round 3: Gambit"))
    assert len(started) == 2  # in the first round there is nothing to choose
    assert all(process.returncode is not None for process in started)
    assert solution.status == "interrupted"
    assert "2 rounds" in solution.message
    assert solution.lower <= VALUES[id(SMALL)] <= solution.upper
    assert width(solution) < 2


def test_an_interrupted_search_on_the_command_line(cli, tmp_path, monkeypatch):
    file, path = tmp_path / "game.efg", tmp_path / "s.json"
    HARD.write(file)
    monkeypatch.setattr(tree_oracle, "_line", _interrupt)
    code, out, err = cli("solve", file, "--method", "oracle", "--json", "-o", path)
    data = json.loads(out)
    assert (code, err.strip()) == (130, STOPPING)
    assert (data["status"], data["exact"]) == ("interrupted", False)
    assert Fraction(data["lower"]) <= VALUES[id(HARD)] <= Fraction(data["upper"])
    monkeypatch.undo()
    assert json.loads(path.read_text()) == data
    assert verify_solution(path, HARD).status == "interrupted"


def _interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["oracle", "gambit-oracle"])
@pytest.mark.parametrize("step", ["whole_game", "_start"])
def test_an_interrupt_before_the_first_round_is_one_line(cli, tmp_path, monkeypatch, method, step):
    file, path = tmp_path / "game.efg", tmp_path / "s.json"
    SMALL.write(file)
    monkeypatch.setattr(tree_oracle, step, _interrupt)
    code, out, err = cli("solve", file, "--method", method, "-o", path)
    assert (code, out, err.strip()) == (130, "", "interrupted")  # after the end of the line on which ^C stands
    assert not path.exists()


@pytest.mark.parametrize(
    "words",
    [["dice-poker", "--method", "lp"], ["dice-poker", "--method", "oracle"], ["liars-dice", "--method", "oracle"]],
)
def test_an_interrupt_while_the_answer_is_verified_claims_nothing(cli, tmp_path, monkeypatch, words):
    path = tmp_path / "s.json"
    monkeypatch.setattr(solving, "verify", _interrupt)
    for more in (["-o", path], ["--json"]):
        code, out, err = cli("solve", *words, *more)
        assert (code, out, err.strip()) == (130, "", "interrupted")
    assert not path.exists()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_at_a_terminal_gives_the_bracket_of_gambits_oracle(tmp_path):
    SMALL.write(tmp_path / "game.efg")
    words = ["solve", tmp_path / "game.efg", "--method", "gambit-oracle", "--json"]
    code, out, err = interrupted(words, "round 3: Gambit")
    assert code == 130
    assert "Traceback" not in err
    data = json.loads(out)
    assert (data["status"], data["exact"]) == ("interrupted", False)
    assert Fraction(data["lower"]) <= VALUES[id(SMALL)] <= Fraction(data["upper"])
