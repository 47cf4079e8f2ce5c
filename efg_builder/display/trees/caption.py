"""The line under the title of a picture with a solution on it."""

from __future__ import annotations

from typing import Protocol

from ...base.rationals import Number, brief


class Judgement(Protocol):
    """What a caption tells of a verdict: whether it is an equilibrium, how that is known, and what it is worth."""

    @property
    def equilibrium(self) -> bool:
        """Whether it is one."""

    @property
    def exact(self) -> bool:
        """Whether that was found in exact arithmetic."""

    @property
    def regret(self) -> Number:
        """The largest gain of any one player."""

    @property
    def value(self) -> tuple[Number, ...]:
        """Each player's expected payoff."""

    @property
    def lower(self) -> Number | None:
        """What player 1 is guaranteed; None where one player's payoff does not tell the other's."""


def caption_of(players: tuple[str, ...], verdict: Judgement) -> str:
    """One line on a profile: whether it is an equilibrium, and what it is worth."""
    if not verdict.equilibrium:
        return f"not an equilibrium: a player can gain {brief(verdict.regret)}"
    worth = [f"{_minus(verdict.value[0])} to {players[0]}"]
    if verdict.lower is None:
        worth = [f"{_minus(value)} to {name}" for name, value in zip(players, verdict.value, strict=True)]
    return f"equilibrium{' (exact)' if verdict.exact else ''}, worth {', '.join(worth)}"


def _minus(value: Number) -> str:
    return brief(value).replace("-", "\u2212")
