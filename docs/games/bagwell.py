"""Commitment that is seen through a fog (Kyle Bagwell, Games and Economic Behavior 8, 1995)."""

from fractions import Fraction

import efg_builder as eb

PAID = {"SS": (5, 2), "SC": (3, 1), "CS": (6, 3), "CC": (4, 4)}


class Bagwell(eb.Game):
    """Bagwell's game of commitment.

    A leader commits; the follower sees the move, but in one of a hundred cases the other one.
    """

    players = "Leader", "Follower"

    def turn(self, state):
        if not state:
            return eb.Decision(0, "begin", [(move, move) for move in "SC"])
        if len(state) == 1:
            odds = (("S", Fraction(99 if state == "S" else 1, 100)), ("C", Fraction(1 if state == "S" else 99, 100)))
            return eb.Chance(f"after {state}", [(f"sees {seen}", share, state + seen) for seen, share in odds])
        if len(state) == 2:
            return eb.Decision(1, f"sees {state[1]}", [(move, state + move) for move in "SC"])
        return eb.End(PAID[state[0] + state[2]])
