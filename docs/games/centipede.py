"""The centipede of Robert Rosenthal (Journal of Economic Theory 25, 1981), as short as is asked for."""

from dataclasses import dataclass

import efg_builder as eb


@dataclass(frozen=True)
class Centipede(eb.Game):
    """The centipede.

    Two in turn take the larger heap, or pass; what is passed grows.
    """

    legs: int = 5
    players = "Ann", "Bob"

    def turn(self, state):
        passed, done = state.count("p"), state.endswith("t")
        if done or passed == self.legs:
            return eb.End((passed + 2, passed) if passed % 2 == 0 else (passed, passed + 2))
        return eb.Decision(passed % 2, f"after {passed}", [("take", state + "t"), ("pass", state + "p")])
