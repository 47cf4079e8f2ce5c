"""What is simulated for ``on-paper.md``: a sweep, the games of ``oracle.md``, and matches, on 1 to 256 workers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from on_paper_fit import game, said
from on_paper_simulation import Costs, Task, critical_path, longest_first, rounds, simulate
from on_paper_tables import Data, about, table

from efg_builder.games.match_rules import match_rules

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)

DEATHS = 1.0
"""Of one worker in an hour, where workers die."""

SEEDS = range(20)
"""Courses with deaths are a mean over these."""

HOUR = 3600.0

LIMIT = 60.0
"""Seconds for each variant of the sweep; those that were tried again with more count as if they had ended there."""

MATCH = {"plain": {"dice": "3,2"}}
"""Their rules, which say which rounds need which."""

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


def scenarios(data: Data, folder: Path) -> list[Scenario]:
    """All columns of the table."""
    costs = overheads(data)
    rows = sorted(data["rows"], key=lambda row: int(row["nodes"]))
    sweep = tuple(Task(min(row["seconds"], LIMIT) if row["timeout"] > LIMIT else row["seconds"]) for row in rows)
    inorder, weights = tuple(range(len(sweep))), data["fits"]["seconds"]["weights"]
    longest = tuple(longest_first([task.seconds for task in sweep]))
    guessed = tuple(longest_first([said(weights, row) for row in rows]))
    records = json.loads((folder / "oracle.json").read_text())["games"].values()
    games = tuple(Task(one["seconds"]) for one in sorted(records, key=lambda one: one["nodes"]))
    slow = tuple(longest_first([task.seconds for task in games]))
    return [
        Scenario("sweep, small games first", sweep, inorder, costs),
        Scenario("sweep, longest first", sweep, longest, costs),
        Scenario("sweep, longest first by the model", sweep, guessed, costs),
        Scenario("sweep, small first, workers die", sweep, inorder, replace(costs, deaths=DEATHS)),
        Scenario("games of oracle.md, small first", games, tuple(range(len(games))), costs),
        Scenario("games of oracle.md, longest first", games, slow, costs),
        _match(data, "plain", costs),
        _large(weights, costs),
    ]


def _match(data: Data, name: str, costs: Costs) -> Scenario:
    seconds = {_pair(pair): taken for pair, taken in data["matches"][name].items()}
    tasks = rounds(match_rules(MATCH[name]), seconds)
    return Scenario(f"match 3 against 2, {name} rules", tuple(tasks), tuple(range(len(tasks))), costs)


def _large(weights: dict[str, float], costs: Costs) -> Scenario:
    rules = match_rules({"dice": LARGE})
    seconds = {pair: min(HOUR, said(weights, game(pair, rules.sides))) for pair in rules.rounds()}
    tasks = rounds(rules, seconds)
    return Scenario("match 5 against 5, an hour a round at most", tuple(tasks), tuple(range(len(tasks))), costs)


def _pair(text: str) -> tuple[int, int]:
    one, two = map(int, text.split(","))
    return one, two


def speedups(all_of_them: Sequence[Scenario]) -> list[str]:
    """How many times as fast as one worker."""
    rows = []
    for one in all_of_them:
        alone = one.seconds(1)
        cells = [f"{alone / one.seconds(workers):.3g}" for workers in WORKERS[1:]]
        rows.append([one.name, str(len(one.tasks)), about(one.work), *cells, f"{one.most:.3g}"])
    return table(["what", "tasks", "work", *map(str, WORKERS[1:]), "most"], rows)


def deaths(data: Data, folder: Path) -> list[str]:
    """What deaths of workers cost: time, and tasks that a retry did not save."""
    found = []
    base = scenarios(data, folder)
    for name in ("sweep, small games first", "games of oracle.md, longest first"):
        one = next(scenario for scenario in base if scenario.name == name)
        for rate in (0.01, 0.1, 1.0):
            costs = replace(one.costs, deaths=rate)
            courses = [simulate(one.tasks, 16, one.order, costs, seed) for seed in SEEDS]
            quiet = one.seconds(16)
            found.append(
                [
                    one.name,
                    f"{rate:g}",
                    f"{mean(course.seconds for course in courses) / quiet:.2f}",
                    f"{100 * mean(course.lost / (course.busy + course.lost) for course in courses):.1f}%",
                    f"{mean(course.failed for course in courses):.2g} of {len(one.tasks)}",
                ]
            )
    return table(["on 16 workers", "deaths an hour", "times as long", "work lost", "not done"], found)


def checked(data: Data) -> list[str]:
    """Real runs beside what the simulation says of the same durations."""
    costs, found = overheads(data), []
    for kind, key in (("sweep", "sweeps"), ("match", "matches")):
        for run in data["runs"][key]:
            tasks = [Task(taken) for taken in run["tasks"]]
            if kind == "match":
                rules = match_rules(data["runs"]["match"])
                tasks = rounds(rules, dict(zip(rules.rounds(), run["tasks"], strict=True)))
            simulated = simulate(tasks, run["workers"], None, costs if kind == "sweep" else Costs(costs.start)).seconds
            work = sum(run["tasks"])
            found.append(
                [
                    f"{kind} of {len(tasks)}",
                    str(run["workers"]),
                    f"{work:.1f}",
                    f"{run['whole']:.1f}",
                    f"{simulated:.1f}",
                    f"{run['whole'] / simulated:.2f}",
                ]
            )
    lines = table(["run", "workers", "seconds of its tasks", "seconds in all", "simulated", "ratio"], found)
    return [*lines[:-1], "", _ratios(data), ""]


def _ratios(data: Data) -> str:
    said_ = []
    for kind, word in (("sweeps", "sweep"), ("matches", "match")):
        whole: dict[int, list[float]] = {1: [], 2: []}
        work: dict[int, list[float]] = {1: [], 2: []}
        for run in data["runs"][kind]:
            whole[run["workers"]].append(run["whole"])
            work[run["workers"]].append(sum(run["tasks"]))
        gain, slower = mean(whole[1]) / mean(whole[2]), mean(work[2]) / mean(work[1])
        said_.append(
            f"Two workers did the {word} {gain:.2f} times as fast as one, while each task took {slower:.2f} times as "
            "long beside another"
        )
    return f"{'. '.join(said_)}. The machine had {data['runs']['load']:g} things to do at a time on its two cores."
