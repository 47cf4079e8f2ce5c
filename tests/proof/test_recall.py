"""Best responses of players who forget: held against grids of behavior strategies, and what books say of games."""

import random
import re
from fractions import Fraction
from itertools import product

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import DRIVER, TWICE_TWO

import efg_builder as eb
from efg_builder.base.errors import RecallError
from efg_builder.forms.extensive import CHANCE, NONE, GameTree, Infoset, Outcome
from efg_builder.forms.recall import has_perfect_recall, lacks_recall
from efg_builder.proof import recall
from efg_builder.proof.verify import best_responses
from efg_builder.proof.walk import ProfileWalk
from sound import problems

HALF = Fraction(1, 2)

# Piccione and Rubinstein's driver with a third exit: 4q - 2q^2 - 2q^3 for q, the probability to drive on, whose
# derivative 4 - 4q - 6q^2 is 0 at q = (sqrt(7) - 1) / 3.
THREE_EXITS = """EFG 2 R "three exits" { "Driver" }

p "" 1 1 "x" { "exit" "on" } 0
t "" 1 "" { 0 }
p "" 1 1 "x" { "exit" "on" } 0
t "" 2 "" { 4 }
p "" 1 1 "x" { "exit" "on" } 0
t "" 3 "" { 2 }
t "" 4 "" { 0 }
"""

# Shoham and Leyton-Brown, Multiagent Systems (2008), figure 5.12: section 5.2.3 has the equilibrium 98/198 of L, and D.
FIGURE_5_12 = """EFG 2 R "figure 5.12" { "1" "2" }

p "" 1 1 "one" { "L" "R" } 0
p "" 1 1 "one" { "L" "R" } 0
t "" 1 "" { 1 0 }
t "" 2 "" { 100 100 }
p "" 2 1 "two" { "U" "D" } 0
t "" 3 "" { 5 1 }
t "" 4 "" { 2 2 }
"""

# Wichardt, Games and Economic Behavior 63 (2008): no equilibrium in behavior strategies.
WICHARDT = """EFG 2 R "Wichardt" { "1" "2" }

p "" 1 1 "a" { "R" "L" } 0
p "" 1 2 "b" { "r" "l" } 0
p "" 2 1 "c" { "B" "T" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "c" { "B" "T" } 0
t "" 3 "" { -5, 5 }
t "" 3 "" { -5, 5 }
p "" 1 2 "b" { "r" "l" } 0
p "" 2 1 "c" { "B" "T" } 0
t "" 3 "" { -5, 5 }
t "" 3 "" { -5, 5 }
p "" 2 1 "c" { "B" "T" } 0
t "" 2 "" { -1, 1 }
t "" 1 "" { 1, -1 }
"""


FAR = 'EFG 2 R "far" { "D" }\n' + 'p "" 1 1 "x" { "exit" "on" } 0\nt "" 1 "" { 1 }\n' * 30 + 't "" 2 "" { 3 }'


def forgetful_tree(seed, again=False, depth=4):
    """A random tree whose players meet a few sets anywhere; *again*: the first set of A, and it alone, also twice."""
    rng = random.Random(seed)
    sets = [Infoset(p, n + 1, f"{p} {n}", tuple("xyz"[: 2 + (n == 2)])) for p in (0, 1) for n in range(3)]
    sets.append(Infoset(CHANCE, 1, "chance", ("h", "t"), (Fraction(1, 3), Fraction(2, 3))))
    columns, outcomes = ([], [], [], []), []

    def grow(parent, action, met):
        node = len(columns[0])
        free = [k for k in range(len(sets)) if k not in met or k == 6 or (again and k == 0)]
        k = rng.choice([*free, *[0] * again]) if len(met) < depth and (node == 0 or rng.random() < 0.85) else NONE
        if k == NONE or rng.random() < 0.1:
            outcomes.append(Outcome(len(outcomes) + 1, "", tuple(Fraction(rng.randint(-9, 9)) for _ in range(2))))
        paid = len(outcomes) - 1 if outcomes and k == NONE else NONE
        for column, entry in zip(columns, (parent, action, k, paid), strict=True):
            column.append(entry)
        for a in range(len(sets[k].actions) if k != NONE else 0):
            grow(node, a, (*met, k))

    grow(NONE, NONE, ())
    arrays = [np.array(column, dtype=np.int32) for column in columns]
    tree = GameTree(f"forgetful {seed}", ("A", "B"), *arrays, infosets=tuple(sets), outcomes=tuple(outcomes))
    assert problems(tree) == []
    return tree


def grid(tree, player, rng, count=25):
    """Behavior strategies of *player*: some of a grid, and some pure but for one set."""
    own = [k for k in tree.personal if tree.infosets[k].player == player]
    for number in range(count):
        rows = {}
        for k in own:
            width = len(tree.infosets[k].actions)
            parts = [rng.randint(0, 12) for _ in range(width)]
            if number % 2 and k != own[0]:
                parts = [0] * width
            parts[rng.randrange(width)] += not any(parts)
            rows[k] = [Fraction(part, sum(parts)) for part in parts]
        yield rows


def finds_the_best(tree, seed):
    """Whether nothing tried gains more than what is verified, and that can be gained."""
    profile, rng = brute.random_profile(tree, seed), random.Random(seed)
    verdict, exploiter = eb.verify(profile), brute.rows(best_responses(profile, "tree"))
    fixed = brute.rows(profile)
    for player, best in enumerate(verdict.best_responses):
        own = [k for k in tree.personal if tree.infosets[k].player == player]
        reached = brute.payoffs(tree, fixed | {k: exploiter[k] for k in own})[player]
        if not best - Fraction(verdict.error_bound or 0) <= reached <= best:
            return False
        if any(brute.payoffs(tree, fixed | rows)[player] > best for rows in grid(tree, player, rng)):
            return False
        if verdict.error_bound is None and brute.best_response_value(profile, player) > best:
            return False
    return True


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_behavior_strategy_gains_more_than_is_verified(seed):
    tree = forgetful_tree(seed)
    assert finds_the_best(tree, seed)
    # Without absent-mindedness some pure strategy is best (the payoff is linear in the row of each set).
    profile = brute.random_profile(tree, seed)
    best = tuple(brute.best_response_value(profile, player) for player in range(2))
    assert eb.verify(profile).best_responses == best


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_nor_where_a_set_is_met_again(seed):
    assert finds_the_best(forgetful_tree(seed, again=True), seed)


@pytest.mark.parametrize("again", [False, True])
def test_a_broken_enumeration_is_found(monkeypatch, again):
    trees = [(seed, forgetful_tree(seed, again)) for seed in range(12)] + [(1, eb.parse_efg(DRIVER))] * again
    assert not all(has_perfect_recall(tree) for _, tree in trees)
    assert all(finds_the_best(tree, seed) for seed, tree in trees)
    right, roots = recall._after, recall.roots
    with monkeypatch.context() as patch:  # what does not pass the set is lost
        patch.setattr(
            recall, "_after", lambda terms, move: right({path: w for path, w in terms.items() if move in path}, move)
        )
        assert not all(finds_the_best(tree, seed) for seed, tree in trees)
    with monkeypatch.context() as patch:  # the last action is never tried
        patch.setattr(recall, "_after", lambda terms, move: right(terms, (move[0], 0)))
        assert not all(finds_the_best(tree, seed) for seed, tree in trees)
    if again:
        monkeypatch.setattr(recall, "roots", lambda p, width: list(roots(p, width))[1:])  # the first is lost
        assert not all(finds_the_best(tree, seed) for seed, tree in trees)


@pytest.mark.parametrize(
    "chosen", [{"sides": 2}, {"sides": 2, "dice": (1, 1, 1), "max_quantity": 1}, {"sides": 3, "max_quantity": 1}]
)
@pytest.mark.parametrize("seed", range(3))
def test_with_perfect_recall_it_is_backward_induction(chosen, seed):
    tree = eb.build(eb.game("liars-dice", **chosen))
    walk = ProfileWalk(brute.random_profile(tree, seed))
    for player in range(len(tree.players)):
        found = recall.recall_response_of(walk, player, "nobody forgets")
        assert (found.value, found.slack) == (walk.best_response(player).value, 0)


def test_the_absent_minded_driver():
    # Piccione and Rubinstein (Games and Economic Behavior 20, 1997): drives on with 2/3, and gets 4/3; no pure
    # strategy, and so no mixed one, gets more than 1 (Isbell 1957 has such games first).
    tree = eb.parse_efg(DRIVER)
    verdict = eb.verify(eb.TreeProfile.uniform(tree))
    assert (verdict.value, verdict.best_responses) == ((Fraction(5, 4),), (Fraction(4, 3),))
    assert (verdict.forgetful, verdict.error_bound, verdict.equilibrium) == ((0,), None, False)
    best = best_responses(eb.TreeProfile.uniform(tree), "tree")
    assert best["x"] == {"exit": Fraction(1, 3), "on": Fraction(2, 3)}
    assert brute.best_response_value(eb.TreeProfile.uniform(tree), 0) == 1
    solution = eb.solve(tree)
    assert (solution.method, solution.status, solution.value, solution.regret) == (
        "forgetful",
        "equilibrium",
        (Fraction(4, 3),),
        0,
    )
    assert solution.profile["x"]["on"] == Fraction(2, 3)
    assert solution.verify().status == "equilibrium"


def test_a_best_probability_that_is_irrational_is_told_from_above(tmp_path, cli):
    tree = eb.parse_efg(THREE_EXITS)
    verdict = eb.verify(eb.TreeProfile.uniform(tree))
    (best,) = verdict.best_responses
    # q = (sqrt(7) - 1) / 3 gets 4q - 2q^2 - 2q^3 = (28 sqrt(7) - 40) / 27: best, if 27 best + 40 = 28 sqrt(7).
    assert 0 < (27 * best + 40) ** 2 - 28**2 * 7 < Fraction(1, 10**26)
    assert 0 < verdict.error_bound < 1e-30
    assert verdict.exact  # in fractions, though not the last digit
    solution = eb.solve(tree)
    assert (solution.status, solution.solved, solution.exact) == ("near-equilibrium", True, False)
    assert 0 < solution.regret < Fraction(1, 10**30)
    assert "no behavior or mixed strategy gains more than the regret" in solution.message
    assert eb.verify(solution.profile, 1e-12).equilibrium
    assert solution.verify().regret == solution.regret
    in_floats = eb.TreeProfile.from_personal(tree, {0: tuple(map(float, solution.profile["x"].values()))})
    verdict = eb.verify(in_floats)
    assert (verdict.equilibrium, verdict.exact) == (True, False)
    path = tmp_path / "d.efg"
    path.write_text(THREE_EXITS)
    out = cli("evaluate", path, "--strategy", "uniform")[1]
    assert "over the whole tree, with fractions, each value accurate to " in out
    assert "recall         not perfect: Driver; best response: over all behavior strategies" in out
    assert cli("draw", path, "--strategy", "uniform", "-o", tmp_path / "d.svg")[0] == 0
    assert "NashConv at most 0.012261" in (tmp_path / "d.svg").read_text()


def test_two_players_of_whom_one_is_absent_minded():
    solution = eb.solve(eb.parse_efg(FIGURE_5_12))
    assert (solution.method, solution.status, solution.regret) == ("subgames", "equilibrium", 0)
    assert (solution.profile["one"]["L"], solution.profile["two"]["D"]) == (Fraction(98, 198), 1)


def test_a_game_without_an_equilibrium_in_behavior_strategies():
    solution = eb.solve(eb.parse_efg(WICHARDT))
    assert (solution.method, solution.status, len(solution.equilibria)) == ("forgetful", "bracket", 0)
    assert solution.message.startswith("no equilibrium was found among all pure strategies, the uniform strategies")
    # None on a grid either: A's sets are pure but for tenths, B mixes in tenths.
    tree, tenths = eb.parse_efg(WICHARDT), [Fraction(n, 10) for n in range(11)]
    for a, b, c in product(tenths, [Fraction(0), HALF, Fraction(1)], tenths):
        rows = {k: (p, 1 - p) for k, p in zip(tree.numbered, (a, b, c), strict=True)}
        assert not eb.verify(eb.TreeProfile.from_personal(tree, rows)).equilibrium


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_is_proposed_is_all_that_enumeration_finds(seed):
    tree = forgetful_tree(seed, depth=3)
    if has_perfect_recall(tree):
        return
    solution = eb.solve(tree, "forgetful")
    found = {tuple(one.strategy.probabilities[k] for k in tree.first_nodes) for one in solution.judged}
    right, paid = set(), set()
    met = [k for k in tree.personal if k in tree.first_nodes]
    for choice in product(*(range(len(tree.infosets[k].actions)) for k in met)):
        rows = {k: [Fraction(int(a == 0)) for a in range(len(tree.infosets[k].actions))] for k in tree.personal}
        for k, pick in zip(met, choice, strict=True):
            rows[k] = [Fraction(int(a == pick)) for a in range(len(rows[k]))]
        profile = eb.TreeProfile.from_personal(tree, rows)
        if brute.regret(profile) == 0:
            right.add(tuple(profile.probabilities[k] for k in tree.first_nodes))
            paid.add(tuple(brute.payoffs(tree, brute.rows(profile))))
    if not right:  # then a mixed strategy is proposed
        assert solution.exact or solution.status != "equilibrium"
        return
    # Strategies that differ only where the player's own moves never lead are listed once.
    assert found <= right
    assert all(one.verdict.equilibrium for one in solution.judged)
    assert {one.verdict.value for one in solution.judged} == paid or len(found) == 100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            TWICE_TWO,
            "Driver does not have perfect recall at 'x', and a path contains 'x', 'y' more than once; only one such",
        ),
        (
            DRIVER.replace('"exit" "on" } 0', '"exit" "on" "back" } 0').replace("{ 4 }", '{ 4 }\nt "" 2 "" { 4 }')
            + 't "" 3 "" { 1 }\n',
            "and a path contains 'x' more than once; only one such information set, with two actions, is supported",
        ),
        (FAR, "30 times"),
    ],
)
def test_what_cannot_be_worked_out_is_refused(text, said):
    tree = eb.parse_efg(text)
    with pytest.raises(RecallError, match=said):
        eb.verify(eb.TreeProfile.uniform(tree))
    assert len(eb.evaluate(tree, "uniform").matches[0].value) == 1


def test_a_set_with_one_action_may_be_met_as_often_as_it_likes():
    before = 'p "" 1 9 "go" { "on" } 0\n'
    text = DRIVER.replace('p ""', before + 'p ""')
    tree = eb.parse_efg(text)
    assert eb.verify(eb.TreeProfile.uniform(tree)).best_responses == (Fraction(4, 3),)
    assert (eb.solve(tree).method, eb.solve(tree).regret) == ("forgetful", 0)


def test_too_many_strategies_are_refused(monkeypatch):
    tree = eb.parse_efg(WICHARDT)
    monkeypatch.setattr(recall, "MOST_STEPS", 5)
    with pytest.raises(
        RecallError, match=r"perfect recall at 'b', and has too many strategies for a search \(limit 5 steps"
    ):
        eb.verify(eb.TreeProfile.uniform(tree))
    many = "".join(f'p "" 1 {n} "s{n}" {{ "l" "r" }} 0\nt "" 0\n' for n in range(1, 900))
    deep = eb.parse_efg('EFG 2 R "deep" { "D" }\n' + many + 't "" 2 "" { 3 }\n')
    monkeypatch.undo()
    walk = ProfileWalk(eb.TreeProfile.uniform(deep))
    with pytest.raises(RecallError, match="too many moves in a row"):
        recall.recall_response_of(walk, 0, "D forgets")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.fractions(-9, 9, max_denominator=9), max_size=7))
def test_the_greatest_value_of_a_polynomial(coefficients):
    p = recall._trimmed(coefficients)
    lower, upper, x = recall.greatest(p)
    assert 0 <= upper - lower < recall.NARROW
    assert 0 <= x <= 1
    assert recall._at(p, x) == lower
    assert all(recall._at(p, Fraction(n, 500)) <= upper for n in range(501))


@pytest.mark.parametrize(
    ("inside", "outside", "irrational"),
    [
        ([Fraction(1, 3)], [], 0),
        ([Fraction(1, 3)] * 3 + [HALF], [Fraction(2)], 0),
        ([Fraction(355, 452), Fraction(356, 453)], [Fraction(-1, 7)], 0),
        ([Fraction(1, 3)], [Fraction(3)], 1),
        ([], [], 2),
        ([Fraction(1)], [], 0),
    ],
)
def test_roots_are_told_apart(inside, outside, irrational):
    p = [Fraction(1)]
    for factor in [*([-r, 1] for r in inside + outside), *([[Fraction(-1, 2), 0, 1]] * irrational)]:  # sqrt(1/2)
        p = [
            sum(p[i] * factor[n - i] for i in range(len(p)) if 0 <= n - i < len(factor))
            for n in range(len(p) + len(factor) - 1)
        ]
    found = sorted(recall.roots(list(map(Fraction, p)), Fraction(1, 1000)))
    assert [low for low, high in found if low == high] == sorted(set(inside))
    wide = [(low, high) for low, high in found if low < high]
    assert len(wide) == bool(irrational)
    assert all(low**2 < HALF < high**2 and high - low <= Fraction(1, 1000) for low, high in wide)


def test_every_refusal_names_the_player_the_information_set_and_two_histories(tmp_path):
    tree = eb.parse_efg(WICHARDT)
    clause = lacks_recall(tree)
    assert clause == "1 lacks perfect recall: at 'b', 1 forgets the move made at 'a' (after R; after L)"
    profile = eb.TreeProfile.uniform(tree)
    for call in (
        lambda: eb.matrix(tree),
        lambda: eb.quantal_branch(tree),
        lambda: eb.write_sequence_form(tree, tmp_path / "x.mps"),
        lambda: eb.ranges(tree),
        lambda: eb.best_response(profile, 0),
    ):
        with pytest.raises(eb.EfgBuilderError, match=re.escape(clause) + "$"):
            call()
    assert eb.best_response(profile, 1).player == 1
