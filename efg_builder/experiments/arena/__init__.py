"""The arena: games between players on the same deals, with ratings."""

from .ratings import LossEvent, Ratings, SkillAndLuck, fit_elo, fit_luck
from .results import Meeting, Standings, read_standings
from .running import run_arena

__all__ = [
    "LossEvent",
    "Meeting",
    "Ratings",
    "SkillAndLuck",
    "Standings",
    "fit_elo",
    "fit_luck",
    "read_standings",
    "run_arena",
]
