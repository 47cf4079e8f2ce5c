"""Information sets that a path meets twice: reach is a probability, and the convention of beliefs is named."""

import random
from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest
from brute import random_profile
from random_trees import random_tree

import efg_builder as eb
from efg_builder.forms.extensive import CHANCE, NONE, Infoset, revisits
from efg_builder.proof import values

# Gambit's noPR-AM-driver-one-player: test_absent_minded_infoset_prob expects 1 at "Absent-minded".
DRIVER = """EFG 2 R "AM-driver variation" { "Player 1" }
p "" 1 1 "Absent-minded" { "1" "2" } 0
p "" 1 2 "Second" { "1" "2" } 0
p "" 1 1 "Absent-minded" { "1" "2" } 0
t "" 1 "" { 1 }
p "" 1 3 "Third" { "1" "2" } 0
t "" 2 "" { 2 }
t "" 5 "" { 5 }
t "" 3 "" { 3 }
t "" 4 "" { 4 }
"""


def test_the_driver_reaches_the_set_with_probability_one(tmp_path, cli):
    tree = eb.parse_efg(DRIVER)
    solution = eb.solve(tree)
    assert solution.verdict.reach[0] == 1
    assert eb.verify(eb.TreeProfile.uniform(tree)).reach == (1, F(1, 2), F(1, 8))
    (tmp_path / "d.efg").write_text(DRIVER)
    assert cli("solve", tmp_path / "d.efg", "-o", tmp_path / "d.csv")[0] == 0
    rows = [line.split(",") for line in (tmp_path / "d.csv").read_text().splitlines()]
    place = rows[0].index("reach probability")
    assert {row[place] for row in rows[1:] if row[1] == "Absent-minded"} == {"1"}
    code, _, err = cli("draw", tmp_path / "d.efg", "--strategy", "uniform", "--beliefs", "-o", tmp_path / "d.svg")
    assert (code, "a path meets 'Absent-minded' twice: a belief there is a share of the expected visits" in err) == (
        0,
        True,
    )


def forgetful(seed):
    """A random tree in which information sets with equally many actions of a player are merged at random."""
    tree, rng = random_tree(seed), random.Random(seed)
    index, merged, kept = {}, np.full(len(tree.infosets), NONE, dtype=np.int32), []
    for k, infoset in enumerate(tree.infosets):
        key = (k,) if infoset.player == CHANCE else (infoset.player, len(infoset.actions), rng.randrange(2))
        if key not in index:
            index[key] = len(kept)
            kept.append(Infoset(infoset.player, len(kept) + 1, "", *infoset[3:]))
        merged[k] = index[key]
    sets = np.append(merged, np.int32(NONE))[tree.infoset]  # the last entry is for terminal nodes
    return replace(tree, infoset=sets, infosets=tuple(kept))


@pytest.mark.parametrize("seed", range(30))
def test_reach_is_the_probability_that_play_meets_the_set(seed):
    """By enumeration: a path counts once for each information set on it."""
    tree = forgetful(seed)
    profile = random_profile(tree, seed)
    right = [F(0)] * len(tree.infosets)
    for end in np.flatnonzero(tree.infoset == NONE).tolist():
        met, chance, node = set(), F(1), end
        while node:
            above = int(tree.parent[node])
            k = int(tree.infoset[above])
            met.add(k)
            chance *= profile.probabilities[k][tree.action[node]]
            node = above
        for k in met:
            right[k] += chance
    assert list(values(profile).reach) == right
    assert max(right, default=0) <= 1


def test_some_of_these_trees_meet_a_set_twice():
    assert sum(bool(revisits(forgetful(seed))) for seed in range(30)) >= 10
    assert not revisits(eb.build("kuhn"))
