"""From Gambit's answers to profiles: whose information sets they are, and what is repaired."""

from fractions import Fraction
from types import SimpleNamespace

import brute
import pytest
from gambit_games import POKER, TREES, solve
from random_trees import random_tree

from efg_builder.base.errors import ProfileError
from efg_builder.interop.efg import to_efg
from efg_builder.interop.gambit import adapter, child
from efg_builder.interop.gambit.mapping import faults, from_profile, order, to_profile
from efg_builder.proof import verify
from efg_builder.solvers.gambit import routines as gambit_solvers
from efg_builder.strategies.tree_profile import TreeProfile


def test_information_sets_are_matched_by_gambits_order():
    tree = TREES["scrambled"]
    gambit_order = adapter.rows(adapter.read(to_efg(tree)).mixed_behavior_profile(rational=True))
    widths = [[len(tree.infosets[k].actions) for k in sets] for sets in order(tree)]
    assert widths == [[len(row) for row in player] for player in gambit_order] == [[3, 2, 4], [2]]
    assert to_profile(tree, gambit_order).probabilities == TreeProfile.uniform(tree).probabilities
    profile = brute.random_profile(tree, 1)
    assert to_profile(tree, from_profile(profile, exact=True)).probabilities == profile.probabilities


UNIFORM, SCALED = "taken as uniform", "scaled to sum to 1"
REPAIRS = [
    (["0", "0", "0", "0"], [0.25] * 4, UNIFORM),
    ([0.0, 1e-17, 0.0, 0.0], [0.25] * 4, UNIFORM),
    ([float("nan"), 0.0, 1.0, 0.0], [0.25] * 4, UNIFORM),
    ([float("inf"), 0.0, 1.0, 0.0], [0.25] * 4, UNIFORM),
    (["3/2", "-1", "0", "0"], [0.25] * 4, UNIFORM),
    ([1.5, -1.0, 0.0, 0.0], [0.25] * 4, UNIFORM),
    (["1/2", "1/4", "1/4", "1/2"], [1 / 3, 1 / 6, 1 / 6, 1 / 3], SCALED),
    (["0", "0", "3/8", "1/8"], [0, 0, 0.75, 0.25], SCALED),
    ([0.5, 0.75, 0.0, -1e-9], [0.4, 0.6, 0, 0], SCALED),
]
"""What a row of Gambit's that is no distribution becomes, and what is said of it."""


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(("depth", "seeds"), [(4, range(30)), (5, (42, 99, 118, 144, 147, 163))])
def test_gambits_exact_answers_with_weight_missing_are_equilibria_once_scaled(depth, seeds):
    # pygambit 17.0.0b2 leaves part of a set's weight away where the other player never gets to. Uniform instead of in
    # proportion, that cost up to 2 in these games.
    scaled = 0
    for seed in seeds:
        tree = random_tree(seed, depth)
        found = solve("gambit-lp", tree)
        (profile,) = found.strategies
        assert profile.exact
        assert verify(profile).regret == 0, (seed, found.message)
        scaled += SCALED in found.message
    assert scaled > len(seeds) / 10


def test_rows_that_lost_all_that_gambit_gave_are_told_first():
    tree = TREES["scrambled"]
    rows = [[["1/2", "0", "0"], ["1", "0"], ["0", "0", "0", "0"]], [["1", "0"]]]
    assert [said.rpartition("they were ")[2] for said in faults(tree, rows)] == [UNIFORM, SCALED]


def test_what_own_play_does_not_reach_is_repaired_in_silence_all_else_with_a_word():
    tree = TREES["scrambled"]
    found = to_profile(tree, [[["1", "0", "0"], ["4", "-3"], ["0", "1", "0", "0"]], [["1", "0"]]])
    labels = {infoset.label: row for infoset, row in zip(tree.infosets, found.probabilities, strict=True)}
    assert labels["deeper"] == (Fraction(1, 2), Fraction(1, 2))
    assert labels["early"] == (0, 1, 0, 0)  # not reached either, but by the other's doing
    found = to_profile(tree, [[[1.0, 0.0, -1e-17], [float("nan"), 0.0], [0.0, 1.0, 0.0, 0.0]], [[1.0, 0.0]]])
    labels = {infoset.label: row for infoset, row in zip(tree.infosets, found.probabilities, strict=True)}
    assert labels["deeper"] == (0.5, 0.5)
    assert labels["late"] == (1.0, 0.0, 0.0)
    for row, found, word in REPAIRS:
        rows = [[["1", "0", "0"], ["1", "0"], row], [["1", "0"]]]
        (said,) = faults(tree, rows)
        assert said.startswith(
            "at 'early', which the player can reach, Gambit's probabilities are not a distribution ("
        )
        assert said.endswith(f"); they were {word}")
        assert not faults(tree, [[["1", "0", "0"], row[:2], ["0", "1", "0", "0"]], [["1", "0"]]])
        repaired = to_profile(tree, rows).probabilities
        assert sum(list(map(float, probabilities)) == found for probabilities in repaired) == 1
        assert all(isinstance(p, Fraction) for r in repaired for p in r) == isinstance(row[0], str)
    with pytest.raises(ProfileError, match="differ from the tree's"):
        to_profile(tree, [[["1", "0", "0"]], [["1", "0"]]])


@pytest.mark.usefixtures("in_process")
def test_profiles_come_once_and_broken_ones_are_told(monkeypatch):
    good = from_profile(TreeProfile.uniform(POKER), exact=True)
    broken = [[["1", "1"] for _ in player] for player in good]
    answer = child.GambitAnswer([good, good, broken], "done", "", True)
    monkeypatch.setattr(gambit_solvers, "child", SimpleNamespace(run=lambda *_: answer))
    found = solve("gambit-lp", POKER)
    assert [type(p) for p in found.strategies] == [TreeProfile]  # broken, repaired, is uniform too
    assert "are not a distribution (1, 1); they were scaled to sum to 1 (and 3 similar problems)" in found.message
