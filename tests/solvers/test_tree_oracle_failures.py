"""The double oracle on trees where something goes wrong: time, interrupts, masters that fail or lie."""

import time
from fractions import Fraction

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.interop.gambit import child
from efg_builder.solvers import Request
from efg_builder.solvers.gambit import oracle as gambit_oracle
from efg_builder.solvers.oracle import tree_oracle
from efg_builder.solvers.oracle.tree_oracle_masters import MasterError, exact

# --- what can go wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["oracle", "gambit-oracle"])
def test_without_time_there_is_a_bracket(method):
    tree = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
    solution = eb.solve(tree, method, timeout=1e-9)
    assert solution.status == "timeout"
    assert solution.profile.exact
    assert solution.lower < solution.upper
    assert "0 rounds" in solution.message


@pytest.mark.parametrize("method", ["oracle", "gambit-oracle"])
def test_the_time_limit_gives_the_best_bracket_so_far(method, monkeypatch):
    tree = eb.build(eb.game("liars-dice", sides=4, wild="highest"))
    lines = []

    def slow(tree, left, progress, solve=exact if method == "gambit-oracle" else tree_oracle.near):
        if len([line for line in lines if "gap" in line]) >= 4:
            time.sleep(max(left(), 0))
        return solve(tree, left, progress)

    phase = tree_oracle.Phase(slow, Fraction(1, 100), Fraction(0), method == "gambit-oracle")
    monkeypatch.setattr(tree_oracle, "LP_PHASES", [phase])
    monkeypatch.setattr(gambit_oracle, "ROUTINES", {"gambit-lp": slow})
    first = eb.solve(tree, method, timeout=1e-9)
    solution = eb.solve(tree, method, timeout=1.5, progress=lines.append)
    assert solution.status == "timeout"
    assert "the time limit came first" in solution.message
    value = eb.solve(tree, "lp").value[0]
    assert first.lower <= solution.lower <= value <= solution.upper <= first.upper
    assert solution.upper - solution.lower < first.upper - first.lower
    assert solution.profile.exact
    told = [line for line in lines if "gap" in line][-1]
    assert "of 8,177 nodes" in told
    assert f"value from {float(solution.lower):.4g}"[:16] in told


def test_gambit_runs_out_of_time():
    tree = eb.build(eb.game("liars-dice", sides=6, wild="highest"))
    began = time.monotonic()
    solution = eb.solve(tree, "gambit-oracle", timeout=4)
    assert time.monotonic() - began < 20
    assert solution.status == "timeout"
    assert solution.lower <= Fraction(-7, 258) <= solution.upper


def test_an_interrupt_ends_the_child(monkeypatch):
    started, start = [], child._start
    monkeypatch.setattr(child, "_start", lambda complaints: started.append(start(complaints)) or started[-1])

    def interrupt(line):
        if "Gambit" in line:
            raise KeyboardInterrupt

    # What there is by then is given.
    assert eb.solve(eb.game("liars-dice", sides=3), "gambit-oracle", progress=interrupt).status == "interrupted"
    assert started
    assert all(process.returncode is not None for process in started)


def test_an_interrupt_passes_the_linear_program():
    def interrupt(line):
        if line.startswith("round 3"):
            raise KeyboardInterrupt

    # What there is by then is given.
    assert eb.solve(eb.build(eb.game("liars-dice", sides=3)), "oracle", progress=interrupt).status == "interrupted"


def test_what_a_master_says_of_sets_its_play_does_not_reach_is_not_used():
    spoilt = []

    def careless(tree, left, progress):
        profile = exact(tree, left, progress)
        rows = {k: profile.probabilities[k] for k in tree.personal}
        for k in tree.personal:
            if _own_play_misses(tree, profile, k):
                rows[k] = tuple(reversed([Fraction(int(a == 0)) for a in range(len(rows[k]))]))
                spoilt.append(k)
        return eb.Profile.from_personal(tree, rows)

    tree = eb.build(eb.game("liars-dice", sides=3, wild="highest"))
    found = tree_oracle.run_phases(tree, Request(), [tree_oracle.Phase(careless, Fraction(1, 100), Fraction(0), True)])
    assert spoilt
    assert eb.verify(found.strategies[0]).regret == 0


def _own_play_misses(tree, profile, k):
    """Whether the owner's own moves never lead to the set."""
    for node in np.flatnonzero(tree.infoset == k):
        while node:
            above = tree.parent[node]
            same = tree.player[above] == tree.infosets[k].player
            if same and not profile.probabilities[tree.infoset[above]][tree.action[node]]:
                break
            node = above
        else:
            return False
    return True


def test_a_master_that_lies_is_found_out(monkeypatch):
    tree = eb.build(eb.game("liars-dice", sides=3))
    monkeypatch.setattr(gambit_oracle, "ROUTINES", {"gambit-lp": lambda tree, left, progress: eb.uniform(tree)})
    solution = eb.solve(tree, "gambit-oracle")
    assert solution.status == "bracket"
    assert solution.lower <= Fraction(-1, 9) <= solution.upper
    assert "no equilibrium of it" in solution.message


def test_a_master_that_fails_leaves_a_bracket(monkeypatch):
    def fail(tree, left, progress):
        raise MasterError("made to fail")

    monkeypatch.setattr(gambit_oracle, "ROUTINES", {"gambit-lp": fail})
    solution = eb.solve(eb.game("liars-dice", sides=3), "gambit-oracle")
    assert solution.status == "bracket"
    assert "made to fail; 1 round" in solution.message


def test_where_nothing_exact_is_to_be_had_the_floats_are_rounded(monkeypatch):
    monkeypatch.setattr(tree_oracle, "LP_PHASES", tree_oracle.LP_PHASES[:1])
    solution = eb.solve(eb.build(eb.game("liars-dice", sides=6, wild=1, wild_biddable=False)), "oracle")
    assert solution.profile.exact
    assert solution.upper - solution.lower < Fraction(1, 10**4)


def test_options_are_checked_before_anything_starts():
    with pytest.raises(eb.ParameterError, match="must be gambit-lp or gambit-lcp"):
        eb.solve(eb.game("dice-poker"), "gambit-oracle", options={"routine": "gambit-gnm"})
