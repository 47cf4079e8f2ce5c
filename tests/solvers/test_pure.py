"""Pure equilibria, forced moves and forgetful players, against brute force and published or hand-solved games."""

from fractions import Fraction

import brute
import numpy as np
import pytest
import small_files
from random_trees import random_tree
from small_files import DRIVER, FORGETS_A_MOVE

import efg_builder as eb
from efg_builder.forms.extensive import chance_reach, scaled_payoffs
from efg_builder.forms.plans import payoff_cells, reduced_plans
from efg_builder.forms.recall import forgotten, has_perfect_recall, solvable

# Matching pennies after a move that player 1 forgets and that matters to nobody.
WARM_UP = """EFG 2 R "warm-up" { "A" "B" }
p "" 1 1 "warm-up" { "u" "v" } 0
p "" 1 2 "coin" { "H" "T" } 0
p "" 2 1 "guess" { "h" "t" } 0
t "" 1 { 1 -1 }
t "" 2 { -1 1 }
p "" 2 1 "guess" { "h" "t" } 0
t "" 2
t "" 1
p "" 1 2 "coin" { "H" "T" } 0
p "" 2 1 "guess" { "h" "t" } 0
t "" 1
t "" 2
p "" 2 1 "guess" { "h" "t" } 0
t "" 2
t "" 1
"""


@pytest.mark.parametrize("players", [1, 2, 3])
def test_all_pure_equilibria_of_random_games_are_found(players):
    """Brute force tries every combination of pure strategies; reduced strategies stand for those with equal payoffs."""
    found = 0
    for seed in range(30):
        tree = random_tree(seed, 3, None, players)
        every = [list(brute.pure_strategies(tree, player)) for player in range(players)]
        if np.prod([len(each) for each in every]) > 200:
            continue
        chance = {k: list(infoset.chances) for k, infoset in enumerate(tree.infosets) if infoset.chances}

        def joined(at, every=every, chance=chance):
            return dict(chance) | {k: row for player, index in enumerate(at) for k, row in every[player][index].items()}

        shape = [len(each) for each in every]
        worth = np.empty((*shape, players), dtype=object)
        for at in np.ndindex(*shape):
            worth[at] = brute.payoffs(tree, joined(at))
        best = [worth[..., p] == worth[..., p].max(axis=p, keepdims=True) for p in range(players)]
        right = {tuple(worth[tuple(at)]) for at in np.argwhere(np.logical_and.reduce(best))}
        solution = eb.solve(tree, "pure")
        assert {one.verdict.value for one in solution.judged} == right
        assert all(one.equilibrium for one in solution.judged)
        found += len(right)
        plans = tuple(reduced_plans(tree, player, 1000) for player in range(players))
        scale = scaled_payoffs(tree)[1] * chance_reach(tree)[1]
        for player, cell in enumerate(payoff_cells(tree, plans, 10**6)):
            assert {int(c) for c in cell.ravel()} == {int(v * scale) for v in worth[..., player].ravel()}
    assert found > 10


def test_a_forced_move_is_no_memory(tmp_path):
    tree = eb.parse_efg(small_files.FORCED)
    assert has_perfect_recall(tree)
    assert len(solvable(tree)) == len(tree) - 2
    solution = eb.solve(tree)
    assert (solution.value, solution.exact, solution.strategy["after l"]) == ((0, 0), True, {"go": 1})
    for method in ("lp", "lcp", "extreme", "many", "cfr"):
        assert abs(eb.solve(tree, method).value[0]) < 1e-3
    assert eb.matrix(tree).shape == (2, 2)
    assert eb.ranges(tree).value == 0
    assert eb.verify(solution.write(tmp_path / "a.json")).exact


def test_payoffs_at_a_forced_move_are_paid():
    """After l, player 1 gets 5 more: the rows are (6, -1) and (4, 1), and the value is 1 (by hand)."""
    forced = 'p "" 1 2 "" { "go" } '
    text = small_files.FORCED.replace(forced + "0", forced + '9 "bonus" { 5 -5 }', 1)
    solution = eb.solve(eb.parse_efg(text.replace(forced + "0", forced + "9")))
    assert (solution.value[0], solution.exact) == (1, True)


@pytest.mark.parametrize(("most", "said"), [(2, "all 2 equilibria"), (1, "the first 1 of 2 equilibria")])
def test_a_list_that_is_just_long_enough_is_complete(most, said):
    game = eb.normal_form([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    assert eb.solve(game, "pure", options={"most": most}).message.startswith(said)


def test_a_forgotten_move_that_matters_to_nobody():
    solution = eb.solve(eb.parse_efg(WARM_UP))
    assert (solution.method, solution.value, solution.exact) == ("forgetful", (0, 0), True)
    assert [str(p) for name in ("coin", "guess") for p in solution.strategy[name].values()] == ["1/2"] * 4


class Card(eb.Game):
    """A sees the card, bets, and has forgotten it."""

    players = "A", "B"

    def turn(self, state):
        if state == "":
            return eb.Chance("deal", [(card, Fraction(1, 2), card) for card in "JK"])
        if len(state) == 1:
            return eb.Decision(0, state, [("bet", state + "b"), ("pass", state + "p")])
        if state.endswith("b"):
            return eb.Decision(0, "raise?", [("yes", state + "y"), ("no", state + "n")])
        return eb.End((1, -1) if state.startswith("K") else (-1, 1))


@pytest.mark.parametrize(
    ("tree", "kind", "words"),
    [
        (
            eb.parse_efg(FORGETS_A_MOVE),
            "own move",
            "at 'second', A forgets the move made at 'first' (after l; after r)",
        ),
        (eb.build(Card()), "own knowledge", "at 'raise?', A forgets what A knew at 'J' (after J, bet; after K, bet)"),
        (eb.parse_efg(DRIVER), "absent-minded", "Driver reaches 'x' at the start, and again after on"),
    ],
)
def test_who_forgets_what_and_where(tree, kind, words):
    (found,) = forgotten(tree)
    assert (found.kind, found.in_words(tree)) == (kind, words)
    refused = eb.solve(tree, "lp")
    assert refused.status == "not-applicable"
    if len(tree.players) == 2:
        assert words in refused.message


def test_with_perfect_recall_nothing_is_forgotten():
    assert forgotten(eb.build("kuhn")) == ()
    assert forgotten(eb.parse_efg(small_files.FORCED)) == ()
