"""The centipede of Robert Rosenthal (Journal of Economic Theory 25, 1981), as short as is asked for."""

from dataclasses import dataclass

import efg_builder as eb


@dataclass(frozen=True)
class Centipede(eb.Game):
    """Two in turn take the larger heap, or pass; what is passed grows."""

    legs: int = 5
    players = "Ann", "Bob"

    def turn(self, state):
        passed, done = state.count("p"), state.endswith("t")
        if done or passed == self.legs:
            large, small = (passed + 2, passed) if done else (passed + 1, passed + 1)
            return eb.End((large, small) if passed % 2 == 0 else (small, large))
        return eb.Decision(passed % 2, f"after {passed}", [("take", state + "t"), ("pass", state + "p")])
