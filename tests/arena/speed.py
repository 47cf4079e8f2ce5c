"""Rounds and matches a second of one process: ``python tests/arena/speed.py``. No test: times are for people."""

import time

import efg_builder as eb
from efg_builder.experiments.arena.contestants import Patience, contestants
from efg_builder.experiments.arena.play import Contest
from efg_builder.experiments.arena.tally import count

ROUNDS = (
    ({"sides": 3}, ("uniform", "equilibrium"), 5000),
    ({"sides": 6}, ("uniform", "lowest-raise"), 5000),
    ({"sides": 6}, ("equilibrium", "always-call"), 5000),
    ({"sides": 6, "dice": (2, 2)}, ("uniform", "lowest-raise"), 3000),
    ({"sides": 6, "dice": (5, 5)}, ("uniform", "lowest-raise"), 500),
    ({"sides": 6, "dice": (2, 2, 2)}, ("uniform", "lowest-raise", "always-call"), 1000),
)
MATCHES = (
    ({"sides": 6, "dice": (2, 2)}, ("uniform", "lowest-raise"), 1000),
    ({"sides": 6, "dice": (5, 5)}, ("uniform", "lowest-raise"), 100),
    ({"sides": 6, "dice": (2, 2, 2)}, ("uniform", "lowest-raise", "always-call"), 300),
)


def measure(subject, players, deals):
    """Print how many games were played a second of processor time, once all have sat down."""
    contest = Contest(subject, contestants(players), Patience())
    seats = tuple(range(contest.seats))
    count(contest, seats, 0, 0, deals // 10)
    began = time.process_time()
    games = count(contest, seats, 0, 1, deals).games
    rate = games / (time.process_time() - began)
    print(f"{rate:>10,.0f} a second  {' : '.join(players):40}  {subject.title}", flush=True)


if __name__ == "__main__":
    for settings, players, deals in ROUNDS:
        measure(eb.game("liars-dice", **settings), players, deals)
    for settings, players, deals in MATCHES:
        measure(eb.match_rules(settings), players, deals)
