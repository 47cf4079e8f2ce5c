"""Subgame perfect or not, sequential or not: textbook games, and random games against code that shares nothing."""

import random
from fractions import Fraction

import brute
import certificates
import numpy as np
import pytest
import small_files
from random_trees import random_tree

import efg_builder as eb
from efg_builder.forms.extensive import CHANCE, NONE
from efg_builder.forms.subgames import subgames
from efg_builder.proof.refinement import refinement

# A. Mas-Colell, M. D. Whinston, J. R. Green, Microeconomic Theory (1995), figure 9.C.1: the entrant's two ways in.
TWO_WAYS_IN = """EFG 2 R "entry" { "E" "I" }
p "" 1 1 "door" { "out" "in1" "in2" } 0
t "" 1 { 0 2 }
p "" 2 1 "entry" { "fight" "accommodate" } 0
t "" 2 { -1 -1 }
t "" 3 { 3 0 }
p "" 2 1 "entry" { "fight" "accommodate" } 0
t "" 4 { -1 -1 }
t "" 5 { 2 1 }
"""
# The same, figure 9.C.5: out, and both fight after entry, is a weak perfect Bayesian equilibrium, not subgame perfect.
ENTRY = """EFG 2 R "entry, then both choose" { "E" "I" }
p "" 1 1 "door" { "out" "in" } 0
t "" 1 { 0 2 }
p "" 1 2 "E inside" { "fight" "accommodate" } 0
p "" 2 1 "I" { "fight" "accommodate" } 0
t "" 2 { -3 -1 }
t "" 3 { 1 -2 }
p "" 2 1 "I" { "fight" "accommodate" } 0
t "" 4 { -2 -1 }
t "" 5 { 3 1 }
"""
# A battle of the sexes after an outside option: three subgame-perfect equilibria (solved by hand).
OUTSIDE = """EFG 2 R "outside option" { "A" "B" }
p "" 1 1 "door" { "out" "in" } 0
t "" 1 { 2 2 }
p "" 1 2 "row" { "T" "W" } 0
p "" 2 1 "col" { "T" "W" } 0
t "" 2 { 3 1 }
t "" 3 { 0 0 }
p "" 2 1 "col" { "T" "W" } 0
t "" 4 { 0 0 }
t "" 5 { 1 3 }
"""
# The second player sees "down" only, and can burn the first player's money: u, x, x with (3, 4) (solved by hand).
THREAT = """EFG 2 R "threat" { "A" "B" }
p "" 1 1 "A" { "u" "d" } 0
p "" 2 1 "B after u" { "x" "y" } 0
t "" 1 { 3 4 }
t "" 2 { 1 1 }
p "" 2 2 "B after d" { "x" "y" } 0
t "" 3 { 2 1 }
t "" 4 { 2 0 }
"""


@pytest.mark.parametrize(
    ("text", "method", "verdicts"),
    [
        # R. Selten, International Journal of Game Theory 4 (1975), figure 1: type 1 is not perfect, type 2 is.
        (small_files.HORSE, "pure", ["sequential", "not sequential"]),
        (TWO_WAYS_IN, "extreme", ["sequential", "not sequential: at 'entry', accommodate is better with every belief"]),
        (ENTRY, "subgames", ["sequential"]),
        (OUTSIDE, "subgames", ["sequential"] * 3),
        (THREAT, "backward", ["sequential"]),
    ],
)
def test_textbook_games(text, method, verdicts):
    solution = eb.solve(eb.parse_efg(text), method)
    said = [str(one.off_path) for one in solution.judged]
    assert len(said) >= len(verdicts)
    for verdict in verdicts:
        assert any(each.startswith(verdict) for each in said)
    assert said[0] == "sequential"


def test_a_nash_equilibrium_that_is_not_subgame_perfect():
    said = [str(one.off_path) for one in eb.solve(eb.parse_efg(ENTRY), "pure").judged]
    assert said == ["sequential", "not subgame perfect (a player gains after in)"]
    said = [str(one.off_path) for one in eb.solve(eb.parse_efg(THREAT), "pure").judged]
    assert sorted(said) == [
        "not subgame perfect (a player gains after d)",
        "not subgame perfect (a player gains after u)",
        "sequential",
    ]


def test_the_four_of_beer_and_quiche():
    """All are sequential (I.-K. Cho and D. M. Kreps, Quarterly Journal of Economics 102, 1987)."""
    solution = eb.solve("docs/games/quiche.py", "extreme")
    assert [str(one.off_path) for one in solution.judged] == ["sequential"] * 4
    assert {tuple(map(str, one.verdict.value)) for one in solution.judged} == {("29/10", "9/10"), ("21/10", "9/10")}


# Code that shares nothing: beliefs by Bayes' rule under completely mixed strategies, for a small number e.


def believed(tree, rows):
    """The probability of each node given its information set, by products along its path."""
    reach = brute.reaches(tree, rows)
    return {
        k: {v: reach[v] / whole for v in nodes}
        for k in tree.personal
        if (nodes := np.flatnonzero(tree.infoset == k).tolist()) and (whole := sum(reach[v] for v in nodes))
    }


def gain_at(tree, played, beliefs, k):
    """The mover's largest gain by another action at *k*, if all follow *played* afterwards."""
    player = tree.infosets[k].player

    def worth(row):
        changed = played | {k: row}
        return sum(p * brute.payoffs(tree, changed, v)[player] for v, p in beliefs[k].items())

    width = len(tree.infosets[k].actions)
    units = [[Fraction(int(a == b)) for b in range(width)] for a in range(width)]
    return max(map(worth, units)) - worth(played[k])


def tremble(tree, played, mistakes, e):
    rows = dict(played)
    for k in tree.personal:
        row = [p if p else c * e**order for p, (c, order) in zip(played[k], mistakes[k], strict=True)]
        rows[k] = [p / sum(row) for p in row]
    return rows


def equilibria(seed, players):
    tree = random_tree(seed, 3, None, players)
    if not 5 <= len(tree) <= 40 or len(tree.personal) < 2:
        return
    for method in ("subgames", "pure", "extreme"):
        yield from eb.solve(tree, method).equilibria[:4]


@pytest.mark.parametrize("players", [2, 3])
def test_the_verdicts_of_random_games_by_mistakes_of_small_probability(players):
    kinds = {"sequential": 0, "not sequential": 0, "open": 0}
    for seed in range(25):
        for profile in equilibria(seed, players):
            tree, played, found = profile.tree, brute.rows(profile), refinement(profile)
            kinds[found.kind] += 1
            if found.kind == "sequential":
                gains = []
                for e in (Fraction(1, 10**3), Fraction(1, 10**6)):
                    beliefs = believed(tree, tremble(tree, played, found.proof.mistakes, e))
                    gains.append(max(gain_at(tree, played, beliefs, k) for k in beliefs))
                assert gains[1] <= gains[0] / 100 or gains[1] == 0
            elif found.kind == "not sequential":
                rng = random.Random(seed)
                for _ in range(20):
                    mistakes = {
                        k: [(rng.randint(1, 9), rng.randint(1, 3)) for _ in tree.infosets[k].actions]
                        for k in tree.personal
                    }
                    beliefs = believed(tree, tremble(tree, played, mistakes, Fraction(1, 10**9)))
                    assert max(gain_at(tree, played, beliefs, k) for k in beliefs) > Fraction(1, 10**6)
    assert kinds["sequential"] > 8
    assert kinds["not sequential"] > 8
    assert kinds["open"] <= 1


def subgame_roots(tree):
    """By the definition, node by node."""
    reach = [Fraction(1)]
    for node in range(1, len(tree)):
        row = tree.infosets[int(tree.infoset[tree.parent[node]])].chances
        reach.append(reach[tree.parent[node]] * (row[tree.action[node]] if row else 1))
    found = []
    for root in range(len(tree)):
        inside = {root}
        for node in range(root + 1, len(tree)):
            if tree.parent[node] in inside:
                inside.add(node)
        sets = {int(tree.infoset[v]) for v in inside if tree.player[v] >= 0}
        closed = all(int(v) in inside for k in sets for v in np.flatnonzero(tree.infoset == k))
        alone = tree.player[root] == CHANCE or (tree.infoset == tree.infoset[root]).sum() == 1
        if root == 0 or (sets and closed and alone and tree.infoset[root] != NONE and reach[root]):
            found.append(root)
    return tuple(found)


@pytest.mark.parametrize("players", [2, 3])
def test_what_solve_returns_is_subgame_perfect(players):
    """By brute force: in each proper subgame, all pure strategies of each player."""
    checked = 0
    for seed in range(20):
        tree = random_tree(seed, 3, None, players)
        assert subgames(tree) == subgame_roots(tree)
        if not 5 <= len(tree) <= 40 or len(subgames(tree)) == 1:
            continue
        solution = eb.solve(tree)
        if not solution.exact:
            continue
        played, checked = brute.rows(solution.strategy), checked + 1
        for root in subgame_roots(tree):
            values = brute.payoffs(tree, played, root)
            for player in range(players):
                strategies = brute.pure_strategies(tree, player)
                assert max(brute.payoffs(tree, played | pure, root)[player] for pure in strategies) == values[player]
    assert checked > 4


def test_a_wrong_verdict_in_a_certificate_is_refused(tmp_path):
    path = certificates.written(eb.solve(eb.parse_efg(THREAT), "pure"), tmp_path)
    eb.verify(path)

    def change(data):
        data["off_path"][1]["subgame_perfect"] = True

    certificates.changed(path, change)
    with pytest.raises(eb.CertificateError, match="off_path, number 2: 'subgame_perfect' is wrong"):
        eb.verify(path)
