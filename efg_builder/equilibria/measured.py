"""Measured solving times of the method ``oracle`` for Liar's Dice games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.words import about
from ..games.catalogue import identify
from ..games.protocol import Game

PLAIN, JOKER, HIGHEST = "none", "1", "highest"

SECONDS = {
    (PLAIN, 1, 1): {2: 0.022, 3: 0.023, 4: 0.022, 5: 0.026, 6: 0.029},
    (PLAIN, 2, 1): {2: 0.034, 3: 0.045, 4: 0.122, 5: 0.185, 6: 0.322},
    (PLAIN, 1, 2): {2: 0.028, 3: 0.045, 4: 0.051, 5: 0.089, 6: 0.141},
    (PLAIN, 2, 2): {2: 0.037, 3: 0.143, 4: 0.302, 5: 2.123, 6: 3.474},
    (PLAIN, 3, 1): {3: 0.138, 4: 0.102, 5: 1.579, 6: 3.494},
    (PLAIN, 1, 3): {3: 0.091, 4: 0.134, 5: 0.218, 6: 1.021},
    (PLAIN, 3, 2): {3: 0.49, 4: 1.489, 5: 21.76, 6: 299.121},
    (PLAIN, 2, 3): {3: 0.374, 4: 1.431, 5: 7.087, 6: 4.69},
    (PLAIN, 3, 3): {3: 1.696, 4: 1.908, 5: 8.492, 6: 921.329},
    (PLAIN, 4, 4): {6: 314.679},
    (PLAIN, 5, 5): {6: 350.282},
    (JOKER, 1, 1): {2: 0.012, 3: 0.019, 4: 0.03, 5: 0.057, 6: 0.158},
    (JOKER, 2, 1): {6: 1.223},
    (JOKER, 1, 2): {6: 0.307},
    (JOKER, 2, 2): {6: 32.83},
    (HIGHEST, 1, 1): {6: 0.483},
    (HIGHEST, 2, 1): {5: 1.781, 6: 13.894},
}
"""Seconds on two cores: ``SECONDS[wild face, dice of player 1, dice of player 2][sides]``.

Source: benchmarks/data/oracle.json.
"""

STOPPED = {(PLAIN, 3, 3, 6), (PLAIN, 4, 4, 6), (PLAIN, 5, 5, 6)}
"""Games whose search was stopped after the time in ``SECONDS``, before it found the exact value."""

FARTHEST = 2
"""Maximum total difference in dice and sides between a game and its nearest measured game."""


@dataclass(frozen=True)
class MeasuredGame:
    """A measured game, compared with a given game.

    ``exact``: True if the search found the exact value. ``same``: True if both games are equal. ``within``: True if the
    given game has at least as many dice (for each player) and sides as the measured game.
    """

    settings: str
    seconds: float
    exact: bool
    same: bool
    within: bool

    def __str__(self) -> str:
        game = "this game" if self.same else self.settings
        return (
            f"{game} took {about(self.seconds)}"
            if self.exact
            else f"{game} was not solved exactly in {about(self.seconds)}"
        )

    def to_json(self) -> dict[str, Any]:
        return {"game": self.settings, "seconds": self.seconds, "exact": self.exact}


def nearest_measured(game: Game) -> MeasuredGame | None:
    """Return the measured game nearest to *game*, with the same rules; None if no measured game is near.

    If two games are equally near, return the larger game.
    """
    identified = identify(game)
    if identified is None or identified[0] != "liars-dice":
        return None
    settings = identified[1]
    dice, sides = [int(count) for count in settings["dice"].split(",")], int(settings["sides"])
    rules = HIGHEST if settings["wild"] == settings["sides"] else settings["wild"]
    usual = settings["order"] == "quantity-face" and int(settings["max_quantity"]) == sum(dice)
    if len(dice) != 2 or not usual or (settings["wild_biddable"] == "true") == (rules == JOKER):
        return None
    size = (*dice, sides)
    near = [
        (sum(abs(a - b) for a, b in zip(other, size, strict=True)), -sum(other), other, seconds)
        for (wild, first, second), by_sides in SECONDS.items()
        if wild == rules
        for other, seconds in (((first, second, faces), seconds) for faces, seconds in by_sides.items())
    ]
    if not near or min(near)[0] > FARTHEST:
        return None
    steps, _, other, seconds = min(near)
    words = f"dice={other[0]},{other[1]} sides={other[2]}" + ("" if rules == PLAIN else f" wild={rules}")
    within = all(a <= b for a, b in zip(other, size, strict=True))
    return MeasuredGame(words, seconds, (rules, *other) not in STOPPED, steps == 0, within)
