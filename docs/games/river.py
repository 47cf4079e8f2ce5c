"""A chance move in the middle: a private coin each, a bet, then a public coin that may be worth the most."""

from fractions import Fraction

import efg_builder as eb

HALF = Fraction(1, 2)


class River(eb.Game):
    """Two hidden coins, a bet, then one coin for all: two heads among them win for Alice."""

    players = "Alice", "Bob"

    def turn(self, state):
        if len(state) < 2:
            return eb.Chance("coin", [(side, HALF, state + side) for side in "HT"])
        coins, moves = state[:2], state[2:]
        if moves == "":
            return eb.Decision(0, coins[0], [("check", state + "c"), ("bet", state + "b")])
        if moves == "b":
            return eb.Decision(1, f"{coins[1]}: bet", [("fold", state + "f"), ("call", state + "k")])
        if moves == "bf":
            return eb.End((1, -1), "fold")
        if len(state) < 5 and not moves.endswith(("H", "T")):
            return eb.Chance("river", [(side, HALF, state + side) for side in "HT"])
        stake, heads = 3 if "b" in moves else 1, (coins + moves[-1]).count("H")
        return eb.End((stake, -stake) if heads >= 2 else (-stake, stake))
