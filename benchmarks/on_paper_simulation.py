"""Sweeps and matches on 1 to 256 workers: a small discrete-event simulation, seeded, and what is simulated by it.

List scheduling as sweeps and matches do it: a worker that is free takes the first task in order whose needs are done
(R. L. Graham, SIAM J. Appl. Math. 17, 1969: never slower than twice the best there is).
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from statistics import mean

import frame
from efg_builder.games.match_rules import Bounds, MatchRules, match_rules
from on_paper_models import Data, game, said


@dataclass(frozen=True)
class Task:
    """Work of so many ``seconds``, which begins when the tasks of the numbers ``needs`` are done."""

    seconds: float
    needs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Costs:
    """What comes on top, in seconds: for each worker at its ``start``, and for ``each`` task.

    ``deaths``: of one worker in an hour; the next one starts at once. A task is tried again ``retries`` times.
    """

    start: float = 0.0
    each: float = 0.0
    deaths: float = 0.0
    retries: int = 1


@dataclass(frozen=True)
class Course:
    """How it went: ``seconds`` until the last task was done, ``busy`` seconds of all workers on tries that counted,
    ``lost`` on tries that a death ended, and how many tasks were not done (``failed``).
    """

    seconds: float
    busy: float
    lost: float
    failed: int


def simulate(
    tasks: Sequence[Task], workers: int, order: Iterable[int] | None = None, costs: Costs = Costs(), seed: int = 0
) -> Course:
    """The course of *tasks* on *workers*, taken in *order* (numbers of tasks; None: as they come)."""
    chance, ticket = random.Random(seed), count()
    rank = {task: place for place, task in enumerate(order if order is not None else range(len(tasks)))}
    left = {number: set(task.needs) for number, task in enumerate(tasks)}
    needed: dict[int, list[int]] = {}
    for number, needs in left.items():
        for other in needs:
            needed.setdefault(other, []).append(number)
    tries = [0] * len(tasks)
    ready = [(rank[number], number) for number, needs in left.items() if not needs]
    heapq.heapify(ready)
    # Who is busy: until when, with what (None: with starting), and whether that comes to its end.
    busy = [(costs.start, next(ticket), -1, True) for _ in range(min(workers, len(tasks)))]
    free = done = 0
    last = good = lost = 0.0
    while busy:
        now, _, ended, whole = heapq.heappop(busy)
        if ended >= 0 and whole:
            done, last = done + 1, now
            for number in needed.pop(ended, ()):
                left[number].discard(ended)
                if not left[number]:
                    heapq.heappush(ready, (rank[number], number))
        if whole:
            free += 1
        else:
            heapq.heappush(busy, (now + costs.start, next(ticket), -1, True))
            if tries[ended] <= costs.retries:
                heapq.heappush(ready, (rank[ended], ended))
        while free and ready:
            _, number = heapq.heappop(ready)
            free, tries[number] = free - 1, tries[number] + 1
            takes = tasks[number].seconds + costs.each
            dies = chance.expovariate(costs.deaths / 3600) if costs.deaths else float("inf")
            heapq.heappush(busy, (now + min(takes, dies), next(ticket), number, dies >= takes))
            good, lost = (good + takes, lost) if dies >= takes else (good, lost + dies)
    return Course(last, good, lost, len(tasks) - done)


def longest_first(seconds: Sequence[float]) -> list[int]:
    """The numbers of tasks in the order of how long they take, or are thought to take."""
    return sorted(range(len(seconds)), key=lambda number: -seconds[number])


def critical_path(tasks: Sequence[Task]) -> float:
    """The seconds of the longest chain of tasks that need one another; tasks come after what they need."""
    ends: list[float] = []
    for task in tasks:
        ends.append(task.seconds + max((ends[number] for number in task.needs), default=0.0))
    return max(ends, default=0.0)


def rounds(rules: MatchRules, seconds: dict[tuple[int, int], float]) -> list[Task]:
    """The rounds of a match as tasks, in their order; each needs those that its stakes are made of."""
    pairs = list(rules.rounds())
    return [Task(seconds[pair], tuple(sorted(pairs.index(other) for other in _needed(rules, pair)))) for pair in pairs]


def _needed(rules: MatchRules, pair: tuple[int, int]) -> set[tuple[int, int]]:
    asked: set[tuple[int, int]] = set()

    class Asking(dict[tuple[int, int], Bounds]):
        def __missing__(self, key: tuple[int, int]) -> Bounds:
            asked.add(key)
            return Bounds(Fraction(0), Fraction(0))

    rules.stakes(pair, Asking())
    return asked


# --- what is simulated

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)

DEATHS = 1.0
"""Of one worker in an hour, where workers die."""

SEEDS = range(20)
"""Courses with deaths are a mean over these."""

HOUR = 3600.0

LIMIT = 60.0
"""Seconds for each variant of the sweep; those that were tried again with more count as if they had ended there."""

MATCH = {"dice": "3,2"}
"""Its rules, which say which rounds need which."""

LARGE = (5, 5)


@dataclass(frozen=True)
class Scenario:
    """``tasks``, taken in ``order`` by workers with ``costs``; a column of the table."""

    name: str
    tasks: tuple[Task, ...]
    order: tuple[int, ...]
    costs: Costs

    def seconds(self, workers: int) -> float:
        """How long it takes, on average where there is chance."""
        seeds = SEEDS if self.costs.deaths else range(1)
        return mean(simulate(self.tasks, workers, self.order, self.costs, seed).seconds for seed in seeds)

    @property
    def work(self) -> float:
        """Seconds of all tasks."""
        return sum(task.seconds for task in self.tasks)

    @property
    def most(self) -> float:
        """No number of workers makes it faster than by this factor."""
        costs = self.costs
        each = [replace(task, seconds=task.seconds + costs.each) for task in self.tasks]
        return (costs.start + sum(task.seconds for task in each)) / (costs.start + critical_path(each))


def overheads(data: Data) -> Costs:
    """What comes on top of a variant's own seconds, from the runs on one worker: the rest of the whole, by each."""
    alone = [run for run in data["runs"]["sweeps"] if run["workers"] == 1]
    each = mean((run["whole"] - sum(run["tasks"])) / len(run["tasks"]) for run in alone)
    return Costs(start=each, each=each)


def scenarios(data: Data, root: Path = frame.ROOT) -> list[Scenario]:
    """All columns of the table."""
    costs = overheads(data)
    rows = sorted(data["rows"], key=lambda row: int(row["nodes"]))
    sweep = tuple(Task(min(row["seconds"], LIMIT) if row["timeout"] > LIMIT else row["seconds"]) for row in rows)
    inorder, weights = tuple(range(len(sweep))), data["fits"]["seconds"]["weights"]
    longest = tuple(longest_first([task.seconds for task in sweep]))
    guessed = tuple(longest_first([said(weights, row) for row in rows]))
    records = frame.load("oracle", root)["games"].values()
    games = tuple(Task(one["seconds"]) for one in sorted(records, key=lambda one: one["nodes"]))
    slow = tuple(longest_first([task.seconds for task in games]))
    return [
        Scenario("sweep, small games first", sweep, inorder, costs),
        Scenario("sweep, longest first", sweep, longest, costs),
        Scenario("sweep, longest first by the model", sweep, guessed, costs),
        Scenario("sweep, small first, workers die", sweep, inorder, replace(costs, deaths=DEATHS)),
        Scenario("games of oracle.md, small first", games, tuple(range(len(games))), costs),
        Scenario("games of oracle.md, longest first", games, slow, costs),
        _match(data, costs),
        _large(weights, costs),
    ]


def _match(data: Data, costs: Costs) -> Scenario:
    rules, seconds = match_rules(MATCH), data["matches"]["plain"]
    tasks = rounds(rules, {(one, two): seconds[f"{one},{two}"] for one, two in rules.rounds()})
    return Scenario("match 3 against 2, plain rules", tuple(tasks), tuple(range(len(tasks))), costs)


def _large(weights: dict[str, float], costs: Costs) -> Scenario:
    rules = match_rules({"dice": LARGE})
    seconds = {pair: min(HOUR, said(weights, game(pair, rules.sides))) for pair in rules.rounds()}
    tasks = rounds(rules, seconds)
    return Scenario("match 5 against 5, an hour a round at most", tuple(tasks), tuple(range(len(tasks))), costs)
