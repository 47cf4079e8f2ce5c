"""Solutions and their files, and ways to change these: what several modules test with."""

import json

import efg_builder as eb
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.proof import verify
from efg_builder.proof.certificate import digests
from efg_builder.strategies import dealt

GAME = eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, dice=(2, 1))
SOLVED = eb.solve(GAME, "lp")
POKER = eb.game("dice-poker")
POKER_SOLVED = eb.solve(POKER, "lp")
FOREIGN = """EFG 2 R "matching pennies 7" { "Row 1" "Col" } ""
p "" 1 1 "r" { "H1" "T" } 0
p "" 2 1 "c" { "H" "T" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "c" { "H" "T" } 0
t "" 2 "" { -1 1 }
t "" 1 "" { 1 -1 }
"""


def sparse_solution(game, profile, status="equilibrium", **more):
    judged = (Judged(profile, verify(profile, more.get("tolerance"))),)
    return Solution(None, "oracle", status, "as found", 0.1, judged, game=game, **more)


SPARSE = sparse_solution(GAME, dealt(SOLVED.profile, GAME).sparse())
KINDS = {"strategies": SPARSE, "profile": POKER_SOLVED}

THREE = eb.solve(eb.game("liars-dice", dice=(1, 1, 1)), "many")
THREE_ON_TREE = eb.solve(THREE.game)
OF_THREE = {"strategies": THREE, "profile": THREE_ON_TREE}
"""Equilibria of three players, with no bounds."""


def written(solution, folder):
    return solution.write(folder / "s.json")


def changed(path, change, *, sign=True):
    """The file with its data changed, and, with *sign*, new check values: what an attacker would write."""
    data = json.loads(path.read_text())
    change(data)
    if sign:
        data["digests"] = digests(data)
    path.write_text(json.dumps(data))
    return path
