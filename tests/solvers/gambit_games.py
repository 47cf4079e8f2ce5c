"""Games for Gambit's routines, and these by name: what several modules test with."""

from small_files import BATTLE

from efg_builder.forms.extensive import build
from efg_builder.games.catalogue import game
from efg_builder.interop.efg import parse_efg
from efg_builder.solvers.gambit import routines as gambit_solvers
from efg_builder.solvers.protocol import Request

SOLVERS = {solver.name: solver for solver in gambit_solvers.SOLVERS}

DILEMMA = """EFG 2 R "Dilemma" { "A" "B" }
p "" 1 1 "a" { "hold" "tell" } 0
p "" 2 1 "b" { "hold" "tell" } 0
t "" 1 "silence" { 2, 2 }
t "" 2 "B tells" { 0, 3 }
p "" 2 1 "b" { "hold" "tell" } 0
t "" 3 "A tells" { 3, 0 }
t "" 4 "both tell" { 1, 1 }
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
    "coordination": parse_efg(BATTLE),
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
