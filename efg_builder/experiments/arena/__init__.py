"""The arena: players against each other, on the same deals, and what that says of them.

``arena.contestants`` says who plays, ``arena.schedule`` who meets whom and where they sit, ``arena.draws`` what the
dice show, ``arena.hall`` plays a round, ``arena.contest`` a round or a whole match, ``arena.tally`` adds up what came
of it, ``arena.work`` does so in a process, ``arena.store`` keeps it in SQLite, ``arena.running`` brings these together.
``arena.results`` and ``arena.expected`` make the table of it, sampled and exact, ``arena.ratings`` and ``arena.luck``
the ratings.
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
