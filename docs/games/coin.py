"""A coin that one player sees: the smallest game with a bluff. It is given turn by turn, not as a deal."""

from fractions import Fraction

import efg_builder as eb


class Coin(eb.Game):
    """Alice sees a coin and may claim heads; Bob believes her and folds, or doubts."""

    players = "Alice", "Bob"

    def turn(self, state):
        if state == "":
            return eb.Chance("coin", [("heads", Fraction(1, 2), "H"), ("tails", Fraction(1, 2), "T")])
        if len(state) == 1:
            return eb.Decision(0, state, [("claim", state + "c"), ("give up", state + "g")])
        if state.endswith("g"):
            return eb.End((-1, 1), "given up")
        if state.endswith("c"):
            return eb.Decision(1, "a claim", [("fold", state + "f"), ("doubt", state + "d")])
        if state.endswith("f"):
            return eb.End((1, -1), "fold")
        return eb.End((2, -2) if state[0] == "H" else (-2, 2), "uncovered")
