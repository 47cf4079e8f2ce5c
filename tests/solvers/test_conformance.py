"""What every solver must do, and that the exact ones agree."""

from fractions import Fraction

import brute
import gambit_games
import pytest

import efg_builder as eb

pytestmark = pytest.mark.usefixtures("in_process")
METHODS = list(eb.methods())
ALWAYS = {"lp", "lcp", "backward", "extreme", "many", "gambit-lp", "gambit-lcp", "gambit-enummixed"}
"""Methods that find an equilibrium of every small game that they apply to."""

PLAIN = """EFG 2 R "one choice each" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 2 -2 }
t "" 2 "" { -1 1 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { -1 1 }
t "" 4 "" { 1/2 -1/2 }
"""

TREES = {
    "matching": eb.parse_efg(PLAIN),  # unique, mixed: a 1/3, value 0
    "poker": eb.build(eb.game("dice-poker", sides=2)),
    "three": eb.build(eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)),
    **{name: gambit_games.TREES[name] for name in ("coordination", "dilemma", "scrambled", "impossible")},
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_every_method_tells_the_truth_about_every_game(name, tree):
    solution = eb.solve(tree, name, timeout=1)  # the limit is for cfr, which never gets quite there
    assert solution.method == name
    lacking = eb.methods()[name].inapplicable
    assert (solution.status == "not-applicable") == (lacking(tree) is not None)
    if solution.status != "equilibrium":
        assert solution.message
        assert solution.status == "not-applicable" or name not in ALWAYS
        return
    for judged in solution.judged:
        assert judged.strategy.tree is tree
        regret = float(brute.regret(_rational(judged.strategy)))
        assert float(judged.verdict.regret) == pytest.approx(regret, abs=1e-9)
        assert judged.verdict.equilibrium == (regret == 0 if judged.verdict.exact else regret <= 1e-6 * _range(tree))


@pytest.mark.parametrize(
    ("tree", "name", "count"),
    [
        ("matching", "gambit-enummixed", 1),
        ("matching", "gambit-enumpoly", 1),
        ("matching", "gambit-enumpure", 0),
        ("matching", "gambit-enumpure-agent", 0),
        ("poker", "gambit-enummixed", 4),
        ("poker", "gambit-enumpoly", 2),
        ("poker", "gambit-enumpure", 3),
        ("three", "gambit-enumpoly", 2),
        ("three", "gambit-enumpure", 2),
    ],
)
def test_methods_that_look_for_several_find_them(tree, name, count):
    solution = eb.solve(TREES[tree], name, timeout=60)
    assert solution.several
    assert [judged.verdict.equilibrium for judged in solution.judged] == [True] * count
    assert len({judged.strategy.probabilities for judged in solution.judged}) == count


@pytest.mark.parametrize("name", METHODS)
def test_unknown_options_are_refused_before_anything_starts(name):
    from efg_builder.cli import run

    assert run(["solve", "dice-poker", "sides=2", "--method", name, "--option", "nonsense=1"]) == 2


GENERAL = eb.parse_efg(PLAIN.replace("{ 2 -2 }", "{ 2 7 }"))
FOUR = eb.game("liars-dice", sides=4)


@pytest.mark.parametrize(
    ("game", "method"),
    [
        (GENERAL, "lcp"),
        (TREES["three"], "pure"),
        (eb.game("liars-dice", sides=3), "quasi-perfect"),
        (FOUR, "oracle"),
        (eb.build(FOUR), "lp"),
    ],
)
def test_auto_takes_the_method_that_suits_the_game(game, method):
    solution = eb.solve(game)
    assert (solution.method, solution.status, solution.regret) == (method, "equilibrium", 0)


def test_a_float_routines_word_is_not_taken():
    # Minimising the Lyapunov function of the agent form ends, after seconds, near an equilibrium but not at one.
    solution = eb.solve(eb.game("liars-dice"), "gambit-liap-agent", timeout=300)
    assert solution.status == "not-an-equilibrium"
    assert 2e-6 < solution.regret < 1e-2
    assert "gains" in solution.message


def _rational(profile):
    rows = {}
    for k in profile.tree.personal:
        exact = [Fraction(p) for p in profile.probabilities[k]]
        rows[k] = [p / sum(exact) for p in exact]
    return eb.TreeProfile.from_personal(profile.tree, rows)


def _range(tree):
    from efg_builder.forms.extensive import payoff_range

    return float(payoff_range(tree))
