"""Subgame perfect or not, sequential or not: textbook games, and random games against code that shares nothing."""

import itertools
from dataclasses import replace
from fractions import Fraction

import brute
import certificates
import numpy as np
import pytest
import small_files
from random_trees import random_tree

import efg_builder as eb
from efg_builder.equilibria.solution import judge
from efg_builder.forms.extensive import CHANCE, NONE
from efg_builder.forms.subgames import subgames
from efg_builder.proof.refinement import refinement
from efg_builder.strategies.tree_profile import TreeProfile

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
# R. Gibbons, Game Theory for Applied Economists (1992), figure 4.1.1: only (L, L') is a perfect Bayesian equilibrium.
GIBBONS = """EFG 2 R "Gibbons 4.1.1" { "1" "2" }
p "" 1 1 "start" { "L" "M" "R" } 0
p "" 2 1 "not R" { "L'" "R'" } 0
t "" 1 { 2 1 }
t "" 2 { 0 0 }
p "" 2 1 "not R" { "L'" "R'" } 0
t "" 3 { 0 2 }
t "" 4 { 0 1 }
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
        (
            TWO_WAYS_IN,
            "extreme",
            ["sequential", "not sequential: at 'entry', accommodate is better with every consistent belief"],
        ),
        (GIBBONS, "pure", ["sequential", "not sequential: at 'not R', L' is better with every consistent belief"]),
        (ENTRY, "subgames", ["sequential"]),
        (small_files.OUTSIDE, "subgames", ["sequential"] * 3),
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


# Games after Gambit's own edge cases: forced moves at an information set that occurs twice on a path, and a player who
# forgets whether there was an own move. The numbers of subgames were counted by hand.
CHAIN = """EFG 2 R "chain" { "1" "2" }
p "" 2 1 "start" { "T" "B" } 0
p "" 1 1 "once" { "go" } 0
p "" 1 1 "once" { "go" } 0
p "" 1 2 "last" { "t" "b" } 0
t "" 1 { 1 -1 }
t "" 2 { 2 -2 }
p "" 1 1 "once" { "go" } 0
t "" 3 { 3 -3 }
"""
DRIVER = """EFG 2 R "driver" { "1" }
p "" 1 1 "start" { "exit" "on" } 0
t "" 1 { 0 }
p "" 1 1 "start" { "exit" "on" } 0
p "" 1 2 "after" { "a" "b" } 0
t "" 2 { 3 }
t "" 3 { 4 }
t "" 4 { 1 }
"""


def test_forced_moves_neither_begin_nor_cross_subgames():
    tree = eb.parse_efg(CHAIN)
    assert subgames(tree) == (0, 3)
    (only,) = eb.solve(tree, "all").judged
    assert (only.verdict.value, str(only.off_path)) == ((2, -2), "sequential")


def test_an_absent_minded_player_plans_all_moves_together():
    """The pure move after the second exit is part of each deviation; exit with p earns 4 p (1 - p) + (1 - p)^2."""
    solution = eb.solve(eb.parse_efg(DRIVER), "all")
    assert [one.verdict.regret for one in solution.judged] == [0]
    assert (solution.value, solution.strategy["start"]["exit"]) == ((Fraction(4, 3),), Fraction(1, 3))


def test_moves_that_the_own_strategy_avoids_are_no_empty_threats():
    """Ann never comes in, so her moves inside are open: the list says the best ones."""
    text = THREAT.replace('p "" 1 1 "A" { "u" "d" } 0', 'p "" 1 1 "A" { "out" "u" "d" } 0\nt "" 9 { 9 9 }').replace(
        't "" 1 { 3 4 }', 'p "" 1 2 "A again" { "bad" "good" } 0\nt "" 1 { 0 4 }\nt "" 5 { 3 4 }'
    )
    for method in ("extreme", "pure", "lcp", "all"):
        for one in eb.solve(eb.parse_efg(text), method).judged:
            assert one.strategy["A again"]["good"] == 1


def test_a_nash_equilibrium_that_is_not_subgame_perfect():
    said = [str(one.off_path) for one in eb.solve(eb.parse_efg(ENTRY), "pure").judged]
    assert said == ["sequential", "not subgame perfect (I gains 2 after in)"]
    said = [str(one.off_path) for one in eb.solve(eb.parse_efg(THREAT), "pure").judged]
    assert sorted(said) == [
        "not subgame perfect (B gains 1 after d)",
        "not subgame perfect (B gains 3 after u)",
        "sequential",
    ]


def test_the_four_of_beer_and_quiche():
    """All are sequential (I.-K. Cho and D. M. Kreps, Quarterly Journal of Economics 102, 1987)."""
    solution = eb.solve("docs/games/quiche.py", "extreme")
    assert [str(one.off_path) for one in solution.judged] == ["sequential"] * 4
    assert {tuple(map(str, one.verdict.value)) for one in solution.judged} == {("29/10", "9/10"), ("21/10", "9/10")}


# Random games with proper subgames, against code that shares nothing.

GAMES = [(2, 12), (3, 12), *(pytest.param(players, 150, marks=pytest.mark.slow) for players in (2, 3))]
"""Numbers of players and of games."""


def games(players, count):
    trees = (random_tree(seed, 3 + seed % 2, None, players) for seed in itertools.count())
    return itertools.islice((tree for tree in trees if len(tree) <= 40 and len(subgame_roots(tree)) > 1), count)


def subgame_roots(tree):
    """By the definition, node by node."""
    reach = [Fraction(1)]
    for node in range(1, len(tree)):
        row = tree.infosets[int(tree.infoset[tree.parent[node]])].chances
        reach.append(reach[tree.parent[node]] * (row[tree.action[node]] if row else 1))
    roots = []
    for root in range(len(tree)):
        inside = {root}
        for node in range(root + 1, len(tree)):
            if tree.parent[node] in inside:
                inside.add(node)
        sets = {int(tree.infoset[v]) for v in inside if tree.player[v] >= 0}
        sets = {k for k in sets if len(tree.infosets[k].actions) > 1}
        closed = all(int(v) in inside for k in sets for v in np.flatnonzero(tree.infoset == k))
        one = int(tree.infoset[root]) in sets and (tree.infoset == tree.infoset[root]).sum() == 1
        alone = tree.player[root] == CHANCE or one
        begun = any(
            len(tree.infosets[int(tree.infoset[v])].actions) > 1 or tree.player[v] == CHANCE for v in range(root)
        )
        if root == 0 or (begun and sets and closed and alone and tree.infoset[root] != NONE and reach[root]):
            roots.append(root)
    return tuple(roots)


@pytest.mark.parametrize(("players", "count"), GAMES)
def test_what_solve_returns_is_subgame_perfect(players, count):
    """By brute force: in each proper subgame, all pure strategies of each player."""
    exact = 0
    for tree in games(players, count):
        assert subgames(tree) == subgame_roots(tree)
        solution = eb.solve(tree)
        if not solution.exact:
            continue
        played, exact = brute.rows(solution.strategy), exact + 1
        for root in subgame_roots(tree):
            values = brute.payoffs(tree, played, root)
            for player in range(players):
                strategies = brute.pure_strategies(tree, player)
                assert max(brute.payoffs(tree, played | pure, root)[player] for pure in strategies) == values[player]
    assert exact >= 0.9 * count


def believed(tree, rows):
    """Beliefs by Bayes' rule: the probability of each node given its information set, by products along its path."""
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


def gains_by_class(tree, played, k):
    """Gains of the mover's pure strategies, from *k* on, given the nodes that need the same mistakes.

    A row for each strategy. A node has no column if another node needs some, but not all, of its mistakes.
    """
    player, columns = tree.infosets[k].player, {}
    for v in np.flatnonzero(tree.infoset == k).tolist():
        mistakes, weight, at = set(), Fraction(1), v
        while at:
            above = int(tree.parent[at])
            move = int(tree.infoset[above]), int(tree.action[at])
            p = played[move[0]][move[1]]
            if p or tree.infosets[move[0]].player >= 0:
                mistakes |= set() if p else {move}
                weight *= p or 1
            else:
                weight = Fraction(0)  # chance never comes here
            at = above
        if weight:
            columns.setdefault(frozenset(mistakes), []).append((v, weight))
    columns = {few: nodes for few, nodes in columns.items() if not any(fewer < few for fewer in columns)}

    def gain(pure, nodes):
        gained = [
            brute.payoffs(tree, played | pure, v)[player] - brute.payoffs(tree, played, v)[player] for v, _ in nodes
        ]
        return sum(w * g for (_, w), g in zip(nodes, gained, strict=True)) / sum(w for _, w in nodes)

    strategies = brute.pure_strategies(tree, player)
    return sorted({tuple(gain(pure, nodes) for nodes in columns.values()) for pure in strategies})


def some_belief(gains):
    """Whether no row gains for some shares of the columns: some vertex of these shares exists, all are tried."""
    width = len(gains[0])
    units = [tuple(Fraction(-int(i == j)) for j in range(width)) for i in range(width)]
    for tight in itertools.combinations([*gains, *units], width - 1):
        shares = brute.solution([*tight, (1,) * width], [0] * (width - 1) + [1])
        if shares and all(sum(a * x for a, x in zip(row, shares, strict=True)) <= 0 for row in [*gains, *units]):
            return True
    return False


def test_vertices_of_beliefs_are_enumerated():
    third = Fraction(1, 3)
    assert brute.solution([(1, -2), (1, 1)], [0, 1]) == [2 * third, third]
    assert brute.solution([(1, 1), (2, 2)], [0, 1]) is None
    assert some_belief([(1, -1), (-2, 1)])  # shares of 2/5 for the first column
    assert not some_belief([(1, -1), (-1, 2)])
    assert not some_belief([(1,)])


@pytest.mark.parametrize(("players", "count"), GAMES)
def test_the_verdicts_of_random_games(players, count):
    """*Sequential*: small mistakes give small gains. *Not sequential*: no belief is any good."""
    kinds = {"sequential": 0, "not sequential": 0, "open": 0}
    for tree in games(players, count):
        listed = [eb.solve(tree, method).equilibria[:4] for method in ("subgames", "pure", "extreme")]
        for profile in itertools.chain(*listed):
            played, verdict = brute.rows(profile), refinement(profile)
            kinds[verdict.kind] += 1
            if verdict.kind == "sequential":
                gains = []
                for e in (Fraction(1, 10**3), Fraction(1, 10**6)):
                    beliefs = believed(tree, tremble(tree, played, verdict.proof.mistakes, e))
                    gains.append(max(gain_at(tree, played, beliefs, k) for k in beliefs))
                assert gains[1] <= gains[0] / 100 or gains[1] == 0
            elif verdict.kind == "not sequential":
                assert not some_belief(gains_by_class(tree, played, verdict.at))
    assert kinds["sequential"] >= count / 2
    assert kinds["not sequential"] >= count / 4
    assert kinds["open"] <= count / 25


def test_each_sequential_equilibrium_says_its_beliefs_off_the_path(tmp_path):
    solution = eb.solve(eb.parse_efg(small_files.OUTSIDE), "all")
    sequential = [n for n, one in enumerate(solution.judged) if one.off_path.kind == "sequential"]
    out = next(n for n in sequential if solution.judged[n].strategy["door"]["out"] == 1)
    entry = solution.to_json()["off_path"][out]
    (col,) = entry["beliefs"]
    assert (col["player"], col["label"]) == (2, "col")
    believed = {tuple(each["history"]): each["probability"] for each in col["beliefs"]}
    row = solution.judged[out].strategy["row"]
    assert believed == {("in", action): str(p) for action, p in row.items() if p}
    said = "; ".join(f"{p} after in, {action}" for action, p in row.items() if p)
    assert f"belief at 'col': {said}" in str(solution)
    path = certificates.written(solution, tmp_path)
    eb.verify(path)
    certificates.changed(path, lambda data: data["off_path"][out].pop("beliefs"))
    eb.verify(path)
    certificates.changed(path, lambda data: data["off_path"][out].update(beliefs=[]))
    with pytest.raises(eb.CertificateError, match=f"off_path, number {out + 1}: 'beliefs' is wrong"):
        eb.verify(path)


# Counterexamples to sentences that earlier versions printed.
RARE = """EFG 2 R "a large loss after two mistakes" { "A" "B" "C" }
p "" 1 1 "A1" { "out" "in" } 0
t "" 1 { 9 0 0 }
p "" 2 1 "B" { "x" "y" } 0
t "" 2 { 0 1 0 }
p "" 3 1 "C" { "p" "q" } 0
p "" 1 2 "A2" { "d" "c" } 0
t "" 3 { 0 0 1 }
t "" 4 { 1 0 1 }
p "" 1 2 "A2" { "d" "c" } 0
t "" 5 { 0 0 0 }
t "" 6 { -10000000 0 0 }
"""
LATER = """EFG 2 R "a gain that needs another move later" { "A" "B" }
p "" 2 1 "B" { "out" "a" "b" } 0
t "" 1 { 0 10 }
p "" 1 1 "k" { "L" "R" } 0
p "" 1 2 "k2" { "m" "n" } 0
t "" 2 { 0 0 }
t "" 3 { 3 0 }
t "" 4 { -1 0 }
p "" 1 1 "k" { "L" "R" } 0
p "" 1 2 "k2" { "m" "n" } 0
t "" 5 { 0 0 }
t "" 6 { -1 0 }
t "" 7 { 3 0 }
"""
PENNIES_OF_THREE = """EFG 2 R "out, or cyclic pennies" { "A" "B" "C" }
p "" 1 1 { "out" "in" } 0
t "" 1 { 5 5 5 }
p "" 1 2 { "h" "t" } 0
p "" 2 1 { "h" "t" } 0
p "" 3 1 { "h" "t" } 0
t "" 2 { 1 1 0 }
t "" 3 { 1 0 1 }
p "" 3 1 { "h" "t" } 0
t "" 4 { 0 0 0 }
t "" 5 { 0 1 1 }
p "" 2 1 { "h" "t" } 0
p "" 3 1 { "h" "t" } 0
t "" 6 { 0 1 1 }
t "" 7 { 0 0 0 }
p "" 3 1 { "h" "t" } 0
t "" 8 { 1 0 1 }
t "" 9 { 1 1 0 }
"""


# After y, C's nodes need B's mistake and A's; after x, only A's. So C believes x, and q is bad.
MORE_MISTAKES = """EFG 2 R "more mistakes" { "A" "B" "C" }
p "" 1 1 "A" { "out" "in" "come" } 0
t "" 1 { 5 0 0 }
p "" 2 1 "B" { "x" "y" } 0
p "" 3 1 "C" { "p" "q" } 0
t "" 2 { 0 1 1 }
t "" 3 { 0 1 0 }
p "" 3 1 "C" { "p" "q" } 0
t "" 4 { 0 0 0 }
t "" 5 { 0 0 1 }
p "" 2 1 "B" { "x" "y" } 0
p "" 3 1 "C" { "p" "q" } 0
t "" 2
t "" 3
p "" 3 1 "C" { "p" "q" } 0
t "" 4
t "" 5
"""


def test_a_node_that_needs_more_mistakes_is_not_believed():
    verdicts = {
        "".join(move for name in "ABC" for move, p in one.strategy[name].items() if p): str(one.off_path)
        for one in eb.solve(eb.parse_efg(MORE_MISTAKES), "pure").judged
    }
    assert verdicts["outxp"] == "sequential"
    assert verdicts["outxq"] == "not sequential: at 'C', p is better with every consistent belief"


def test_all_lists_each_equilibrium_once():
    """The subgame-perfect equilibria replace those that differ only at moves that their mover avoids."""
    solution = eb.solve(eb.parse_efg(small_files.OUTSIDE), "all")
    played = [tuple(tuple(one.strategy[name].items()) for name in ("door", "row", "col")) for one in solution.judged]
    keys = {(row[0], row[2]) if row[0][0] == ("out", 1) else row for row in played}
    assert len(keys) == len(played)


def coordination(size):
    """Out, or a coordination game with 2**size - 1 equilibria, all of them extreme."""
    names = " ".join(f'"{n}"' for n in range(size))
    rows = [
        f'p "" 2 1 {{ {names} }} 0\n'
        + "".join(f't "" {2 + (i == j)} {{ {int(i == j)} {int(i == j)} }}\n' for j in range(size))
        for i in range(size)
    ]
    first = 'EFG 2 R "" { "A" "B" }\np "" 1 1 { "out" "in" } 0\nt "" 1 { 9 9 }\n'
    return eb.parse_efg(first + f'p "" 1 2 {{ {names} }} 0\n' + "".join(rows))


@pytest.mark.parametrize(
    ("most", "message"),
    [("7", "all 7 subgame-perfect equilibria that are extreme in each subgame"), ("6", "the first 6 subgame-perfect")],
)
def test_a_list_is_called_complete_only_if_nothing_was_cut(most, message):
    assert eb.solve(coordination(3), "subgames", options={"most": most}).message.startswith(message)


def test_the_fewest_mistakes_decide_what_a_completed_move_is():
    first = eb.solve(eb.parse_efg(RARE), "pure").judged[0]
    assert (first.strategy["A2"]["c"], str(first.off_path)) == (1, "sequential")


def test_a_deviation_that_goes_on_is_not_said_to_be_one_move():
    verdicts = [str(one.off_path) for one in eb.solve(eb.parse_efg(LATER), "extreme").judged]
    assert all("is better" not in verdict for verdict in verdicts)


def test_a_subgame_of_three_without_a_pure_equilibrium():
    solution = eb.solve(eb.parse_efg(PENNIES_OF_THREE))
    assert (solution.method, solution.value, solution.off_path.subgame_perfect) == ("subgames", (5, 5, 5), True)


def test_a_subgame_without_a_result_names_the_search_in_it(monkeypatch):
    monkeypatch.setattr("efg_builder.solvers.subgames.MOST_CHECKED", 0)
    searched = "no equilibrium in pure strategies; mixed strategies were not searched"
    solution = eb.solve(eb.parse_efg(PENNIES_OF_THREE), "subgames")
    assert solution.message == f"no equilibrium of the subgame after in was found: {searched}"


def test_no_file_claims_a_verdict_for_a_profile_that_is_no_equilibrium(tmp_path):
    """Out, though T and T pay 3: no player gains in the proper subgame, but Ann gains in the game."""
    solution = eb.solve(eb.parse_efg(small_files.OUTSIDE), "lcp")
    rows = dict.fromkeys(solution.tree.personal, (1, 0))
    profile = TreeProfile.from_personal(solution.tree, rows)
    one = replace(judge(profile, None), off_path=refinement(profile))
    assert not one.equilibrium
    forged = replace(solution, judged=(one,), status="near-equilibrium", refined=None, several=False)
    with pytest.raises(eb.CertificateError, match="off_path, number 1: the profile is not an equilibrium"):
        eb.verify(certificates.written(forged, tmp_path))


def test_a_wrong_verdict_in_a_certificate_is_refused(tmp_path):
    path = certificates.written(eb.solve(eb.parse_efg(THREAT), "pure"), tmp_path)
    eb.verify(path)

    def change(data):
        data["off_path"][1]["subgame_perfect"] = True

    certificates.changed(path, change)
    with pytest.raises(eb.CertificateError, match="off_path, number 2: 'subgame_perfect' is wrong"):
        eb.verify(path)
