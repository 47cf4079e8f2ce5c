"""Measure rounds and matches per second in one process: ``python benchmarks/arena_speed.py``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import efg_builder as eb
from efg_builder.experiments.arena.play import Contest
from efg_builder.experiments.arena.schedule import contestants
from efg_builder.experiments.arena.tally import count
from efg_builder.forms.subject import Subject
from efg_builder.games.match_rules import MatchRules

ROUNDS: tuple[tuple[dict[str, Any], tuple[str, ...], int], ...] = (
    ({"sides": 3}, ("uniform", "equilibrium"), 5000),
    ({"sides": 6}, ("uniform", "lowest-raise"), 5000),
    ({"sides": 6}, ("equilibrium", "always-call"), 5000),
    ({"sides": 6, "dice": (2, 2)}, ("uniform", "lowest-raise"), 3000),
    ({"sides": 6, "dice": (5, 5)}, ("uniform", "lowest-raise"), 500),
    ({"sides": 6, "dice": (2, 2, 2)}, ("uniform", "lowest-raise", "always-call"), 1000),
)
MATCHES: tuple[tuple[dict[str, Any], tuple[str, ...], int], ...] = (
    ({"sides": 6, "dice": (2, 2)}, ("uniform", "lowest-raise"), 1000),
    ({"sides": 6, "dice": (5, 5)}, ("uniform", "lowest-raise"), 100),
    ({"sides": 6, "dice": (2, 2, 2)}, ("uniform", "lowest-raise", "always-call"), 300),
)


def measure(given: Subject | MatchRules, players: Sequence[str], deals: int) -> None:
    """Print the games per CPU second, excluding the time to load the players."""
    contest = Contest.of(given, contestants(players))
    seats = tuple(range(contest.seats))
    count(contest, seats, 0, 0, deals // 10)
    began = time.process_time()
    games = count(contest, seats, 0, 1, deals).games
    rate = games / (time.process_time() - began)
    print(f"{rate:>10,.0f} a second  {' : '.join(players):40}  {given.title}", flush=True)


if __name__ == "__main__":
    for settings, players, deals in ROUNDS:
        measure(Subject(eb.game("liars-dice", **settings)), players, deals)
    for settings, players, deals in MATCHES:
        measure(eb.match_rules(settings), players, deals)
