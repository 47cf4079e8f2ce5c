"""The judge, held against enumeration of all pure strategies; and that it convicts what is wrong."""

from fractions import Fraction

import brute
import pytest
import small_files
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms.extensive import constant_sum

TINY = [
    ("dice-poker", {"sides": 2}),
    ("dice-poker", {"sides": 3, "bet": "1/2"}),
    ("liars-dice", {"max_quantity": 1}),
    ("liars-dice", {"dice": (1, 1, 1), "max_quantity": 1}),
    ("liars-dice", {"sides": 3, "max_quantity": 1, "wild": 1, "wild_biddable": False, "dice": (2, 1)}),
]
TREES = [eb.build(eb.game(name, **chosen)) for name, chosen in TINY]

ONE_SIDED = """EFG 2 R "general sum, paid on the way" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 1 "toll" { -1/3 0 }
c "" 1 "c" { "x" 1/4 "y" 3/4 } 0
p "" 2 1 "b" { "u" "d" } 0
t "" 2 "" { 5, 1 }
t "" 3 "" { 0, 2/7 }
p "" 1 2 "a2" { "u" "d" } 0
t "" 4 "" { 1, 1 }
t "" 5 "" { 2, -3 }
p "" 2 1 "b" { "u" "d" } 6 "bonus" { 1 1 }
t "" 0
t "" 4 "" { 1, 1 }
"""


@pytest.mark.parametrize("tree", [*TREES, eb.parse_efg(ONE_SIDED)], ids=lambda t: t.title)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_best_responses_are_those_of_enumeration(tree, seed):
    profile = brute.random_profile(tree, seed)
    verdict = eb.verify(profile)
    regrets = [loss.regret for loss in verdict.losses]
    assert all(isinstance(regret, Fraction) and regret > 0 for regret in regrets)
    assert regrets == sorted(regrets, reverse=True)
    # The performance difference lemma (Kakade and Langford 2002, lemma 6.1).
    for player, gain in enumerate(verdict.regrets):
        assert sum(loss.regret for loss in verdict.losses if loss.player == player) == gain
    assert list(verdict.value) == brute.payoffs(tree, brute.rows(profile))
    for player in range(len(tree.players)):
        assert verdict.best_responses[player] == brute.best_response_value(profile, player)
    assert verdict.regret == max(b - v for b, v in zip(verdict.best_responses, verdict.value, strict=True))
    assert all(isinstance(number, Fraction) for number in (*verdict.value, verdict.regret))
    assert (verdict.lower is None) == (constant_sum(tree) is None or len(tree.players) > 2)


@pytest.mark.parametrize("tree", TREES, ids=lambda t: t.title)
def test_the_actions_of_a_best_response_earn_its_value(tree):
    profile = brute.random_profile(tree, 5)
    for player in range(len(tree.players)):
        best = eb.best_response(profile, player)
        rows = brute.rows(profile)
        for k, action in best.actions.items():
            rows[k] = [Fraction(int(a == action)) for a in range(len(rows[k]))]
        assert brute.payoffs(tree, rows)[player] == best.value


def test_floats_and_rationals_agree():
    tree = eb.build(eb.game("liars-dice", sides=3))
    exact = brute.random_profile(tree, 3)
    rows = {k: [float(p) for p in exact.probabilities[k]] for k in tree.personal}
    floats = eb.TreeProfile.from_personal(tree, rows)
    a, b = eb.verify(exact), eb.verify(floats)
    assert (a.exact, b.exact) == (True, False)
    assert all(isinstance(number, float) for number in (*b.value, b.regret, b.lower, b.upper))
    for x, y in zip((*a.value, *a.best_responses, a.regret), (*b.value, *b.best_responses, b.regret), strict=True):
        assert float(x) == pytest.approx(y, abs=1e-12)


def test_one_changed_probability_of_an_equilibrium_is_convicted():
    tree = eb.build(eb.game("dice-poker"))
    solution = eb.solve(tree, "lp")
    bluff = next(k for k in tree.personal if tree.infosets[k].label == "1: start")
    rows = {k: solution.profile.probabilities[k] for k in tree.personal}
    assert rows[bluff] == (Fraction(1, 3), Fraction(2, 3))
    rows[bluff] = (Fraction(1, 3) + Fraction(1, 10**9), Fraction(2, 3) - Fraction(1, 10**9))
    verdict = eb.verify(eb.TreeProfile.from_personal(tree, rows))
    assert not verdict.equilibrium
    assert 0 < verdict.regret < Fraction(1, 10**8)
    assert eb.verify(eb.TreeProfile.from_personal(tree, rows), tolerance=1e-6).equilibrium


CHOICE = """EFG 2 R "a choice" { "A" } ""
p "" 1 1 "a" { "l" "r" } 0
t "" 1 "" { 1 }
t "" 2 "" { 0 }
"""


@pytest.mark.parametrize("stakes", [Fraction(1000), Fraction(1), Fraction(1, 1000)])
def test_tolerance_is_a_fraction_of_the_payoff_range(stakes):
    tree = eb.parse_efg(CHOICE.replace("{ 1 }", f"{{ {stakes} }}"))
    (k,) = tree.personal
    exact = eb.TreeProfile.from_personal(tree, {k: (Fraction(3, 4), Fraction(1, 4))})
    assert eb.verify(exact).regret == stakes / 4
    assert eb.verify(exact, tolerance=0.25).equilibrium
    assert not eb.verify(exact, tolerance=0.2499).equilibrium
    for share, fine in ((2.0**-20, True), (2.0**-19, False)):  # about 1e-6, which is allowed, and twice that
        floats = eb.TreeProfile.from_personal(tree, {k: (1 - share, share)})
        verdict = eb.verify(floats)
        assert verdict.regret == pytest.approx(float(stakes) * share)
        assert (verdict.equilibrium, verdict.exact) == (fine, False)
        assert eb.verify(floats, tolerance=3e-6).equilibrium
        assert not eb.verify(floats, tolerance=3e-7).equilibrium


SADDLE = """EFG 2 R "saddle" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 2 -2 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { 0 0 }
t "" 4 "" { 3 -3 }
"""


def test_floats_without_regret_are_an_equilibrium_but_prove_nothing():
    tree = eb.parse_efg(SADDLE)
    verdict = eb.verify(eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, (1.0, 0.0))))
    assert (verdict.regret, verdict.lower, verdict.upper) == (0.0, 1.0, 1.0)
    assert verdict.equilibrium
    assert not verdict.exact
    rational = eb.verify(eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, (Fraction(1), Fraction(0)))))
    assert (rational.equilibrium, rational.exact) == (True, True)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ((Fraction(1, 2), Fraction(1, 3)), "sum to 5/6"),
        ((Fraction(3, 2), Fraction(-1, 2)), "negative"),
        ((Fraction(1),), "1 probabilities for the 2 actions"),
        ((0.5, 0.4), "sum to 0.9"),
        ((float("nan"), 1.0), "is not a number"),
    ],
)
def test_what_is_no_distribution_is_refused(row, words):
    tree = eb.build(eb.game("dice-poker", sides=2))
    rows = {k: (Fraction(1, 2), Fraction(1, 2)) for k in tree.personal}
    rows[tree.personal[0]] = row
    with pytest.raises(eb.ProfileError, match=words):
        eb.TreeProfile.from_personal(tree, rows)


@pytest.mark.parametrize("player", [-1, 2])
def test_best_responses_are_those_of_players(player):
    with pytest.raises(eb.ParameterError, match=f"no player number {player!r}; choose from: 0, 1"):
        eb.best_response(eb.TreeProfile.uniform(TREES[0]), player)


@pytest.mark.parametrize("tolerance", [-1e-9, float("nan"), float("inf"), "0"])
def test_tolerances_are_finite_and_not_negative(tolerance):
    with pytest.raises(eb.ParameterError, match="finite number of at least 0"):
        eb.verify(eb.TreeProfile.uniform(TREES[0]), tolerance)


TWICE = """EFG 2 R "one player, two moves" { "A" } ""
p "" 1 1 "first" { "stop" "go" } 0
t "" 1 "" { 1 }
p "" 1 2 "second" { "low" "high" } 0
t "" 2 "" { 0 }
t "" 3 "" { 4 }
"""


def test_the_regret_of_a_set_is_its_reach_times_the_gain_of_the_best_move_there():
    tree = eb.parse_efg(TWICE)
    half = Fraction(1, 2)
    verdict = eb.verify(eb.TreeProfile(tree, ((half, half), (half, half))))
    # By hand: go is worth 4, stop 1, so 5/2 is played for 4; at the second set, reached half the time, 2 for 4.
    found = [(each.infoset, each.reach, each.played, each.better, each.regret) for each in verdict.losses]
    assert found == [
        ("first", 1, {"stop": half, "go": half}, "go", Fraction(3, 2)),
        ("second", half, {"low": half, "high": half}, "high", 1),
    ]
    never = eb.verify(eb.TreeProfile(tree, ((Fraction(1), Fraction(0)), (Fraction(1), Fraction(0)))))
    assert [(each.infoset, each.regret) for each in never.losses] == [("first", 3)]  # own play never gets to the second


@pytest.mark.parametrize("power", [3, 12, 40])
@pytest.mark.parametrize("tolerance", [None, 1e-6, Fraction(1, 10)])
def test_an_outcome_that_nobody_reaches_hides_no_gain(power, tolerance):
    """A regret of half the game was an equilibrium in floats, within a millionth of a range of 10^12."""
    tree = eb.parse_efg(
        small_files.ABSURD.replace("0" * 12 + " ", "0" * power + " ").replace("0" * 12 + " }", "0" * power + " }")
    )
    for half in (0.5, Fraction(1, 2)):
        rows = dict(zip(tree.personal, ((half, 1 - half, 0 * half), (2 * half, 0 * half)), strict=True))
        verdict = eb.verify(eb.TreeProfile.from_personal(tree, rows), tolerance)
        assert (verdict.equilibrium, verdict.near, float(verdict.regret)) == (False, False, 0.5)
        if power > 3 or tolerance == Fraction(1, 10):  # so near in the whole range that the met payoffs decide
            assert verdict.spread in (1, 10**power + 1)
    assert not eb.solve(tree, lambda tree: {"s": {"a": 0.5, "b": 0.5}, "r": {"l": 1.0}}).solved


def test_a_rounding_error_scales_no_tolerance_unless_nothing_else_does():
    """1e-12 on a loss of 10^12 is a rounding error, and so is 1e-8 beside the only outcome of a pure equilibrium."""
    tree = eb.parse_efg(small_files.ABSURD)
    noise = (0.5123, 1 - 0.5123 - 1.2e-12, 1.2e-12)
    rows = dict(zip(tree.personal, (noise, (1.0, 0.0)), strict=True))
    assert not eb.verify(eb.TreeProfile.from_personal(tree, rows)).equilibrium
    small = eb.parse_efg(small_files.ABSURD.replace("0" * 12, ""))
    for lost, right in ((1e-8, True), (1e-3, False)):
        rows = dict(zip(small.personal, ((0.0, 1 - lost, lost), (1.0, 0.0)), strict=True))
        verdict = eb.verify(eb.TreeProfile.from_personal(small, rows))
        assert (verdict.regret > 0, verdict.equilibrium) == (True, right)
