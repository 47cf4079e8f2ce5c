"""The arena: players against each other, on the same deals, with ratings.

``arena.schedule`` has pairings, seats and blocks, ``arena.play`` plays one round or match, ``arena.tally`` adds
a block of them, ``arena.results`` has file and table, and ``arena.running`` joins these. ``arena.expected``
has the exact payoffs, ``arena.ratings`` the ratings, and ``arena.report`` writes them.
"""

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
