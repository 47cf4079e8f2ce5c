"""A market entry: the smallest game with an equilibrium that rests on an empty threat."""

import efg_builder as eb


class Entry(eb.Game):
    """A newcomer enters a market or stays out; the incumbent then shares the market, or starts a price war."""

    players = "Newcomer", "Incumbent"

    def turn(self, state):
        if state == "":
            return eb.Decision(0, "begin", [("enter", "in"), ("stay out", "out")])
        if state == "in":
            return eb.Decision(1, "an entry", [("share", "shared"), ("fight", "fought")])
        return eb.End({"out": (0, 4), "shared": (2, 2), "fought": (-1, 1)}[state], state)
