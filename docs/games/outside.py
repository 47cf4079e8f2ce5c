"""A general-sum game with a proper subgame: an outside option before a battle of the sexes."""

import efg_builder as eb


class Outside(eb.Game):
    """Outside option.

    Ann stays out, or comes in, and both choose a theatre at the same time.
    """

    players = "Ann", "Bob"

    def turn(self, state):
        if not state:
            return eb.Decision(0, "door", [("out", ("out",)), ("in", ("in",))])
        if state == ("out",):
            return eb.End((2, 2))
        if len(state) == 1:
            return eb.Decision(0, "Ann inside", [(show, (*state, show)) for show in ("opera", "boxing")])
        if len(state) == 2:
            return eb.Decision(1, "Bob inside", [(show, (*state, show)) for show in ("opera", "boxing")])
        if state[1] != state[2]:
            return eb.End((0, 0))
        return eb.End((3, 1) if state[1] == "opera" else (1, 3))
