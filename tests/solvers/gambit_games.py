"""Games for Gambit's routines, and these by name: what several modules test with."""

from fractions import Fraction

import brute

from efg_builder.forms.extensive import build
from efg_builder.games.catalogue import game
from efg_builder.interop.efg import parse_efg
from efg_builder.solvers.gambit import routines as gambit_solvers
from efg_builder.solvers.protocol import Request

SOLVERS = {solver.name: solver for solver in gambit_solvers.SOLVERS}

COORDINATION = """EFG 2 R "Coordination" { "A" "B" }
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "x" "y" } 0
t "" 1 "both first" { 2, 1 }
t "" 2 "apart" { 0, 0 }
p "" 2 1 "b" { "x" "y" } 0
t "" 2 "apart" { 0, 0 }
t "" 3 "both second" { 1, 2 }
"""

DILEMMA = """EFG 2 R "Dilemma" { "A" "B" }
p "" 1 1 "a" { "hold" "tell" } 0
p "" 2 1 "b" { "hold" "tell" } 0
t "" 1 "silence" { 2, 2 }
t "" 2 "B tells" { 0, 3 }
p "" 2 1 "b" { "hold" "tell" } 0
t "" 3 "A tells" { 3, 0 }
t "" 4 "both tell" { 1, 1 }
"""

FORGETFUL = """EFG 2 R "Forgetful" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "again" { "l" "r" } 0
t "" 1 "good" { 2, 0 }
t "" 2 "bad" { 0, 1 }
p "" 1 2 "again" { "l" "r" } 0
t "" 2 "bad" { 0, 1 }
t "" 1 "good" { 2, 0 }
"""

# Numbers against the order of play.
SCRAMBLED = """EFG 2 R "Scrambled" { "A" "B" }
c "" 1 "deal" { "h" 1/3 "k" 2/3 } 0
p "" 1 7 "late" { "l" "m" "r" } 0
t "" 1 "o" { 2, 1 }
t "" 2 "z" { 0, 0 }
p "" 1 9 "deeper" { "a" "b" } 0
t "" 1 "o" { 2, 1 }
t "" 1 "o" { 2, 1 }
p "" 2 5 "other" { "l" "r" } 0
t "" 2 "z" { 0, 0 }
p "" 1 2 "early" { "u" "v" "w" "x" } 0
t "" 2 "z" { 0, 0 }
t "" 1 "o" { 2, 1 }
t "" 2 "z" { 0, 0 }
t "" 2 "z" { 0, 0 }
"""

POKER = build(game("dice-poker", sides=2))
BIDS = build(game("liars-dice", sides=2))
THREE = build(game("liars-dice", dice="1,1,1", sides=2, max_quantity=1))
TREES = {
    "coordination": parse_efg(COORDINATION),
    "dilemma": parse_efg(DILEMMA),
    "poker": POKER,
    "three": THREE,
    "scrambled": parse_efg(SCRAMBLED),
    "impossible": parse_efg(SCRAMBLED.replace('"h" 1/3 "k" 2/3', '"h" 0 "k" 1').replace('"m"', '"l"')),
}

EXACT = {"gambit-lp", "gambit-lcp", "gambit-enumpure", "gambit-enummixed", "gambit-enumpure-agent"}
"""The routines that compute in rationals by default and find what they look for to the last digit."""


def solve(name, tree, timeout=30.0, **options):
    return SOLVERS[name].run(tree, Request(timeout, options))


def best_on_tree(profile, player):
    """The best response's value by recursion over own information sets, for games with perfect recall."""
    tree, rows = profile.tree, brute.rows(profile)
    children = [[] for _ in range(len(tree))]
    for node in range(1, len(tree)):
        children[tree.parent[node]].append(node)

    def value(states):
        """The most from these (node, reach) on, all the same to the player."""
        total, own = Fraction(0), {}
        while states:
            node, p = states.pop()
            if tree.outcome[node] != -1:
                total += p * tree.outcomes[tree.outcome[node]].payoffs[player]
            if children[node] and tree.player[node] == player:
                own.setdefault(int(tree.infoset[node]), []).append((node, p))
            elif children[node]:
                row = rows[int(tree.infoset[node])]
                states += [(c, p * row[int(tree.action[c])]) for c in children[node]]
        for k, members in own.items():
            total += max(
                value([(children[node][a], p) for node, p in members]) for a in range(len(tree.infosets[k].actions))
            )
        return total

    return value([(0, Fraction(1))])
