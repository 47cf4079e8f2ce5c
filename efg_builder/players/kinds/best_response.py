"""The best response to another player: what beats it most, in every seat."""

from __future__ import annotations

from ...base.errors import NotApplicableError
from ...base.parameters import Parameter
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

NAME = "best-response"

DEEPEST = 20
"""At most so many best responses may be nested, each to the next."""


def _sit(table: Table, opponent: str) -> Strategy:
    if not opponent:
        raise NotApplicableError(f"{NAME}: to whom? {NAME}:uniform answers the player 'uniform', {NAME}:FILE a file")
    if (depth := opponent.count(f"{NAME}:")) >= DEEPEST:
        raise NotApplicableError(f"{NAME}: {depth + 1} of them one in another; at most {DEEPEST} are worked out")
    table.progress(f"{NAME}: working out what answers {opponent} best")
    return table.respond(opponent)


PLAYERS = (
    Player(
        NAME,
        "gets the most that can be got where the given player or file plays all other seats; any game",
        _sit,
        (Parameter("opponent", "", str, "whom to answer: a player with its settings, or a file"),),
        main="opponent",
    ),
)
