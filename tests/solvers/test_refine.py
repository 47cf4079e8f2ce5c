"""Refined equilibria: exact, sequential at every set, and honest where that fails."""

import json
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import cells_in_integers, finish, matrix_tree

import efg_builder as eb
from efg_builder.equilibria import solve as solving
from efg_builder.forms.sequence_form import sequence_form
from efg_builder.proof.certificate.check import refined_part
from efg_builder.proof.certificate.reading import digests
from efg_builder.proof.sequential import verify_sequential
from efg_builder.solvers import small
from efg_builder.solvers.driver import STEP
from efg_builder.solvers.lp import refine
from efg_builder.solvers.lp.exact import NotExactError, solve_exactly

F = Fraction


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_random_two_stage_games(seed, rows, columns):
    rng = random.Random(seed)
    matrix = [[[rng.randint(-1, 1) for _ in range(2)] for _ in range(columns)] for _ in range(rows)]
    with cells_in_integers(0):
        solution = eb.solve(matrix_tree(matrix, deep=True), refine=True)
    assert solution.status == "equilibrium"
    assert solution.exact
    assert solution.refined.sequential


def plans_at(problem, inverse):
    _, basis = finish(solve_exactly(problem.program(inverse)))
    return finish(problem.plans(basis))


@pytest.mark.parametrize("in_floats", [True, False])
def test_plans_of_the_perturbed_game_keep_their_least_weights(in_floats):
    form = sequence_form(eb.build(eb.game("liars-dice", sides=2)))
    if in_floats:
        problem = refine._Perturbed.of(form)
        plans = plans_at(problem, 100)
    else:
        plans = finish(small.optimal_plans(form, mistakes=True))
    e = F(1, 10**6)
    for side, plan in zip(form.players, plans, strict=True):
        weights = [sum(c * e**k for k, c in enumerate(poly)) for poly in plan]
        lengths = refine.sequence_lengths(side)
        assert weights[0] == 1
        assert all(w >= e ** int(n) for w, n in zip(weights[1:], lengths[1:], strict=True))
        for parent, first, width in zip(side.parent, side.first, side.widths, strict=True):
            assert sum(weights[first : first + width]) == weights[parent]


def test_a_basis_that_is_not_optimal_for_all_small_mistakes_is_not_taken(monkeypatch):
    form = sequence_form(eb.build(eb.game("liars-dice", sides=2)))
    problem = refine._Perturbed.of(form)
    # At e = 1/4 mistakes are so likely that another basis is optimal.
    assert plans_at(problem, 4) is None
    monkeypatch.setattr(refine, "INVERSE_MISTAKES", (4,))
    with cells_in_integers(0):
        with pytest.raises(NotExactError, match="no basis"):
            finish(refine.quasi_perfect(form))
        solution = eb.solve(eb.game("liars-dice", sides=2), refine=True)
    assert (solution.status, solution.refined, solution.profile) == ("no-result", None, None)


def test_what_fails_the_check_is_not_called_refined(monkeypatch):
    game = eb.game("liars-dice", sides=3)
    plain = eb.solve(game, "lp").profile
    rows = {k: tuple(map(F, plain.probabilities[k])) for k in plain.tree.personal}
    mistakes = {k: tuple((p, 0) if p else (F(1), 1) for p in row) for k, row in rows.items()}

    def found_at_once(form):
        yield STEP
        return refine.Refined(rows, mistakes)

    monkeypatch.setattr(solving, "quasi_perfect", found_at_once)
    solution = eb.solve(game, refine=True)
    assert solution.status == "no-result"
    assert "after a mistake, a player gains" in solution.message
    assert solution.refined is None
    assert "refined" not in solution.to_json()


def test_the_file_is_proved_again_and_a_changed_one_is_not(cli, tmp_path):
    path = tmp_path / "refined.json"
    code, out, _ = cli("solve", "liars-dice", "--refine", "-o", path)
    assert code == 0
    assert "refined       no action is better at any of 32 information sets" in out
    code, out, _ = cli("verify", path)
    assert code == 0
    assert "no action is better at any of the 32 information sets that chance does not exclude" in out
    data = json.loads(path.read_text())
    part = data["refined"]
    assert (part["concept"], part["verified"], part["greatest_gain"]) == ("sequential equilibrium", True, "0")
    assert part["sets_checked"] == len(part["sets"]) == 32
    assert all(sum(F(b["probability"]) for b in entry["beliefs"]) == 1 for entry in part["sets"])
    second = next(e for e in part["sets"] if e["label"] == "1: 2x2")
    # Both hands open 2x2 by mistakes of one order: as likely as the deal.
    assert [b["history"][-1] for b in second["beliefs"]] == ["2x2", "2x2"]


def test_refining_says_where_it_does_not_apply(cli):
    code, out, _ = cli("solve", "liars-dice", "dice=1,1,1", "max_quantity=1", "--refine")
    assert code == 3
    assert "refining does not apply: the game has 3 players, not two" in out
    code, _, err = cli("solve", "liars-dice", "--refine", "--method", "lp")
    assert code == 2
    assert "refine" in err
    with pytest.raises(eb.ParameterError, match="refine=True"):
        eb.solve(eb.game("dice-poker"), "gambit-lp", refine=True)


def test_a_profile_that_is_not_sequential_is_not_proved_under_that_name(cli, tmp_path):
    """All that the file says of mistakes, beliefs and gains is true; only, someone gains."""
    tree, path = eb.build(eb.game("liars-dice")), tmp_path / "forged.json"
    solution = eb.solve(eb.game("liars-dice"), "lp")
    profile = eb.TreeProfile(tree, solution.profile.probabilities)
    mistakes = {k: tuple((F(p), 0) if p else (F(1), 1) for p in profile.probabilities[k]) for k in tree.personal}
    verdict = verify_sequential(profile, mistakes)
    assert not verdict.sequential
    data = json.loads(json.dumps(solution.to_json()))
    data |= {"refined": refined_part(verdict), "method": "quasi-perfect"}
    data["digests"] = digests(data)
    path.write_text(json.dumps(data))
    code, _, err = cli("verify", path)
    assert code == 3
    assert "not a sequential equilibrium" in err


def test_a_game_in_which_only_one_player_moves():
    tree = eb.parse_efg('EFG 2 R "one" { "1" "2" } p "" 1 1 "" { "a" "b" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 }')
    solution = eb.solve(tree, refine=True)
    assert (solution.exact, solution.value[0]) == (True, 1)
    assert solution.refined.sequential
