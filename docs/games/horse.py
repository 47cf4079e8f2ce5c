"""The horse of Reinhard Selten (International Journal of Game Theory 4, 1975, figure 1)."""

import efg_builder as eb


class Horse(eb.Game):
    """Selten's horse.

    Two may stop a game for three; the third does not see which of them did.
    """

    players = "Ann", "Bob", "Cat"

    def turn(self, state):
        ends = {"RR": (1, 1, 1), "RLR": (4, 4, 0), "RLL": (0, 0, 1), "LR": (3, 2, 2), "LL": (0, 0, 0)}
        if state in ends:
            return eb.End(ends[state])
        player = {"": 0, "R": 1}.get(state, 2)
        return eb.Decision(player, "stopped" if player == 2 else "begin", [(m, state + m) for m in "RL"])
