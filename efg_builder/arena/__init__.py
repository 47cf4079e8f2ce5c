"""The arena: players against each other, on the same deals, and what that says of them.

:mod:`.contestants` says who plays, :mod:`.schedule` who meets whom and where they sit, :mod:`.draws` what the dice
show, :mod:`.hall` plays a round, :mod:`.contest` a round or a whole match, :mod:`.tally` adds up what came of it,
:mod:`.work` does so in a process, :mod:`.store` keeps it in SQLite, :mod:`.running` brings these together.
:mod:`.results` and :mod:`.expected` make the table of it, sampled and exact, :mod:`.ratings` and :mod:`.luck` the
ratings.
"""

from .luck import SkillAndLuck, fit_luck
from .ratings import Event, Ratings, fit_elo
from .results import Meeting, Standings, read_standings
from .running import run_arena

__all__ = [
    "Event",
    "Meeting",
    "Ratings",
    "SkillAndLuck",
    "Standings",
    "fit_elo",
    "fit_luck",
    "read_standings",
    "run_arena",
]
