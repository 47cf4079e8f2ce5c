"""What the oracle costs, on paper: ``python benchmarks/on_paper.py`` makes ``docs/on-paper.md`` and its plots anew.

``--sweep FILE`` takes in the rows of a sweep (those of the page: ``efg-builder sweep liars-dice sides=2..6
dice=1..3,1..3 ... -o FILE --timeout 60``) and proves their certificates again, ``--measure`` measures shares of the
work, full-width passes, and a sweep and a match on 1 and 2 workers. Both end with new models and a new page. The
games of ``oracle.json`` and the rounds of the certificates in ``docs/matches`` are taken in each time.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, exp
from pathlib import Path
from statistics import mean, median
from typing import Any

import frame
import on_paper_models as models
from efg_builder.base.words import about
from efg_builder.display.plots.style import FILLS, PALE, look
from efg_builder.games.match_rules import match_rules
from efg_builder.solvers.bidding_model import MOST_NUMBERS
from efg_builder.solvers.regret.cfr import memory
from frame import table
from on_paper_models import Data, Row, exact_rows, game, name_of, of_settings, said, title
from on_paper_simulation import SEEDS, WORKERS, Costs, Scenario, Task, overheads, rounds, scenarios, simulate
from oracle import IN_WORDS

ABOUT = "What the oracle's work was measured to be, and models of it, in the words of benchmarks/on_paper.py."

# --- in words

DAY = 86_400.0


def size(count: float) -> str:
    """Bytes, for people."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.3g} {unit}"
        count /= 1000
    raise AssertionError


def rounded(number: float) -> str:
    """To two digits, without powers of ten."""
    short = float(f"{number:.2g}")
    return f"{short:,.0f}" if short >= 100 else f"{short:g}"


# --- what was measured, and the models

MACHINES = (("24 GiB", 24 * 2**30), ("1 TiB", 2**40))
FAMILIES = ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 4), (5, 5))
MOST_SIDES = 60

KINDS = (("plain", "quantity-face"), ("plain", "face-quantity"), ("highest", "quantity-face"))
"""Rules and orders of the tables of limits."""


def counted(rows: list[Row], data: Data) -> list[str]:
    """What there is to go by."""
    exact, used, sweep = [row for row in rows if row["exact"]], exact_rows(rows), data["rows"]
    done = sum(bool(row["exact"]) for row in sweep)
    return [
        f"{len(rows)} games: {len(sweep)} variants of a sweep, {done} of them exact, and those of "
        f"[oracle.json](../benchmarks/data/oracle.json), which had up to an hour; {len(exact)} are exact in all. The "
        f"models are fitted to the {len(used)} exact ones of at least {models.FEWEST:,} sequences. The time limit was "
        f"{_limits(sweep)}. The sweep is older: its searches began with linear programs throughout, those of "
        "oracle.json minimise regrets first."
    ]


def _limits(sweep: list[Row]) -> str:
    """How many rows had which time limit."""
    counts = sorted(Counter(row["timeout"] for row in sweep).items())
    return " and ".join(f"{limit:g} seconds for {count} rows" for limit, count in counts)


def model_table(data: Data) -> list[str]:
    """The models: what they are of, constants, powers and factors, and how wrong they are; and how to compute one."""
    head = ["", *models.TERMS, "games", "scatter", "left out: half, 9 in 10, all", "larger half, the same"]
    rows = []
    for name, model in data["fits"].items():
        if "weights" not in model:
            continue
        weights = model["weights"]
        powers = [_constant(weights), *(f"{weights[term]:.3f}" for term in models.TERMS[1:4])]
        factors = [f"x {exp(weights[term]):.3g}" for term in models.TERMS[4:]]
        games = f"{model['rows']}" + (f" + {model['over']}" if model["over"] else "")
        off = [", ".join(f"{factor:.2g}" for factor in model[key]) for key in ("unseen", "larger")]
        rows.append([name, *powers, *factors, games, f"{model['scatter']:.2g}", *off])
    return [*table(head, rows), "", worked(data)]


def _constant(weights: dict[str, float]) -> str:
    return f"{exp(weights['constant']):.3g}"


WORKED = ((2, 2), 6, "highest", "face-quantity")
"""The game of the worked example."""


def worked(data: Data) -> str:
    """One prediction, from the figures of the table of models alone."""
    row = game(*WORKED)
    weights, (one, two) = data["fits"]["sequences"]["weights"], row["hands"]
    powers = zip((row["bids"], one, two), models.TERMS[1:4], strict=True)
    factors = [f"{exp(weights[term]):.3g}" for term in ("highest wild", "by faces", "wild by faces")]
    parts = [_constant(weights), *(f"{of}^{weights[term]:.3f}" for of, term in powers), *factors]
    return (
        f"For one: two dice each with six sides, the highest wild, by faces, are {row['bids']} bids and {one} and "
        f"{two} hands; so {' · '.join(parts)} = {rounded(said(weights, row))} sequences."
    )


def costs(data: Data, rows: list[Row]) -> list[str]:
    """What a unit of work or of memory comes to."""
    exact, regret = models.by_programs(rows), models.by_regrets(rows)
    lps = [(one["programs"][-1][2], one["parts"]["linear programs"]) for one in data["profile"].values()]
    last = [(one["programs"][-1], one) for one in data["profile"].values()]
    bytes_each = [(one["peak_mib"] - one["base_mib"]) * 2**20 / program[2] for program, one in last]
    exponent, _, factor = models.power(lps)
    whole, _, off = models.power([(row["sequences"], max(row["seconds"], 0.01)) for row in exact_rows(rows)])
    answer = data["fits"]["best responses"]
    pairs = [sum(one["hands"]) << (one["bids"] - 1) for one in data["wide"].values()]
    passes = [1e9 * one["iteration"] / count for one, count in zip(data["wide"].values(), pairs, strict=True)]
    best = [1e9 * one["best_response"] / count for one, count in zip(data["wide"].values(), pairs, strict=True)]
    found = [
        ["memory, linear programs", _spread(models.memory_each(exact), "B a sequence"), f"{len(exact)} exact games"],
        ["the same", _spread(bytes_each, "B a nonzero of the last program"), f"{len(last)} profiled games"],
        ["memory, regret minimisation", _spread(models.memory_each(regret), "B a sequence"), f"{len(regret)} brackets"],
        ["all linear programs", f"nonzeros of the last ^ {exponent:.2f}", f"{len(lps)} games, factor {factor:.2g}"],
        ["an exact search", f"sequences ^ {whole:.2f}", f"{len(exact_rows(rows))} games, factor {off:.2g}"],
        [
            "both best responses",
            f"{1e6 * answer['visited']:.0f} µs a history visited + {1e9 * answer['product']:.2g} ns a product",
            f"profiled games, factor {answer['factor']:.2g}",
        ],
        ["full-width regret, an iteration", _spread(passes, "ns a hand at a history"), f"{len(passes)} games"],
        ["full-width best response", _spread(best, "ns a hand at a history"), f"{len(best)} games"],
    ]
    return table(["what", "cost", "from"], found)


def _spread(numbers: Sequence[float], unit: str) -> str:
    low, middle, high = min(numbers), median(numbers), max(numbers)
    return f"{rounded(middle)} {unit} ({rounded(low)} to {rounded(high)})"


def shares(data: Data) -> list[str]:
    """Which parts the work has, and what is left if all but the linear programs cost nothing."""
    parts = list(next(iter(data["profile"].values()))["parts"])
    head = ["game", "seconds", *parts, "two best responses at once", "all but the programs free"]
    rows = []
    for name, one in data["profile"].items():
        whole = one["seconds"]
        both, serial = one["parts"]["best responses"] / 2, one["parts"]["linear programs"]
        gains = [f"{whole / (whole - both):.2f} times", f"at most {whole / serial:.3g} times"]
        rows.append([name, f"{whole:.1f}", *(f"{100 * one['parts'][part] / whole:.1f}%" for part in parts), *gains])
    return table(head, rows)


def largest(fits: Callable[[int], bool]) -> int:
    """The most sides that fit, 0 where two do not."""
    return max((sides for sides in range(2, MOST_SIDES + 1) if fits(sides)), default=0)


def unseen(data: Data) -> list[str]:
    """What the models say of games beyond those that they are fitted to, and what these took."""
    names = ("seconds", "sequences")
    time, count = (data["fits"][name]["weights"] for name in names)
    found = []
    for name, one in data["unseen"].items():
        row = of_settings(one["settings"])
        taken, sequences = said(time, row), said(count, row)
        if one["exact"]:
            off = [f"{one['seconds'] / taken:.2f}", f"{one['sequences'] / sequences:.2f}"]
        else:
            off = [f"> {one['seconds'] / taken:.2f}", "not exact"]
        cells = [f"{taken:.1f}", f"{one['seconds']:.1f}", off[0], f"{sequences:,.0f}", f"{one['sequences']:,}", off[1]]
        found.append([name, *cells])
    return table(["game", "seconds: model", "measured", "ratio", "sequences: model", "measured", "ratio"], found)


def full_width(data: Data) -> list[str]:
    """Where arrays over all histories end."""
    pairs = [(sum(one["hands"]) << (one["bids"] - 1), one["iteration"]) for one in data["wide"].values()]
    each = max(taken / count for count, taken in pairs)
    head = ["dice", *(f"regret minimisation, {name}" for name, _ in MACHINES), "an iteration there"]
    head += [f"measuring a strategy, {name}" for name, _ in MACHINES] + ["bracket by the oracle: tables up to"]
    rows = []
    for dice in FAMILIES:
        ends = [largest(lambda s, d=dice, m=most: arrays(d, s) <= m) for _, most in MACHINES]  # type: ignore[misc]
        wide = [largest(lambda s, d=dice, m=most: passes(d, s) <= m) for _, most in MACHINES]  # type: ignore[misc]
        tables = largest(lambda s, d=dice: numbers(d, s) <= MOST_NUMBERS)  # type: ignore[misc]
        times = [about(each * game(dice, end)["infosets"]) if end else "" for end in ends]
        cells = [f"{end} sides" if end else "-" for end in ends]
        rows.append(
            [
                f"{dice[0]}v{dice[1]}",
                *cells,
                ", ".join(filter(None, times)) or "-",
                *(f"{end} sides" if end else "-" for end in wide),
                f"{tables} sides" + (" or more" if tables == MOST_SIDES else ""),
            ]
        )
    return table(head, rows)


def arrays(dice: tuple[int, int], sides: int) -> int:
    """Bytes of full-width regret minimisation, by the formula of the solver itself."""
    row = game(dice, sides)
    return int(memory(row["bids"], tuple(row["hands"])))


def passes(dice: tuple[int, int], sides: int) -> int:
    """Bytes of measuring a strategy given by a rule: two classes of histories, by the larger number of hands."""
    row = game(dice, sides)
    return int((1 << row["bids"]) * max(row["hands"]) * 8)


def numbers(dice: tuple[int, int], sides: int) -> int:
    """What the oracle's tables of payoffs have."""
    row = game(dice, sides)
    return int(row["bids"] * row["hands"][0] * row["hands"][1])


# --- beyond what was solved: what the models say there, beside what was measured

FITTED_SIDES, FITTED_DICE = range(2, 7), range(1, 4)
"""What the models are fitted to."""

TOLD = 8
"""Of more sides nothing is said: up to about so many the models were held against games that they had not seen."""

BEYOND = " †"
"""The mark of what a model says of games beyond those that it is fitted to."""

UNTRIED = (
    *(((2, 1), 8, "plain"), ((2, 2), 7, "plain"), ((2, 2), 8, "plain"), ((3, 2), 6, "highest"), ((3, 2), 7, "plain")),
    *(((3, 3), 6, "plain"), ((3, 3), 7, "plain"), ((4, 3), 6, "plain"), ((4, 4), 5, "plain"), ((4, 4), 6, "plain")),
    ((5, 5), 6, "plain"),
)
"""Games to be predicted."""


def beyond(row: Row) -> str:
    """The mark, where the models are not fitted to games like this one; else nothing."""
    fitted = row["sides"] in FITTED_SIDES and all(count in FITTED_DICE for count in row["dice"])
    return "" if fitted else BEYOND


def searches(rows: list[Row], data: Data) -> list[Row]:
    """Every search that there is a record of: the games of the page, and those that the models had not seen."""
    unseen = [of_settings(one["settings"]) | one for one in data["unseen"].values()]
    there = {name_of(row) for row in rows}
    return rows + [row for row in unseen if name_of(row) not in there]


def over(rows: list[Row], data: Data) -> dict[tuple[Any, ...], float]:
    """Of each search that was not done: the seconds that it had, in those that the model says it takes."""
    weights = data["fits"]["seconds"]["weights"]
    return {name_of(row): row["seconds"] / said(weights, row) for row in searches(rows, data) if not row["exact"]}


def worst(rows: list[Row], data: Data) -> float:
    """The largest factor that the model of seconds is known to be off by: left out, unseen, or not done."""
    weights = data["fits"]["seconds"]["weights"]
    unseen = [one["seconds"] / said(weights, of_settings(one["settings"])) for one in data["unseen"].values()]
    off = [max(ratio, 1 / ratio) for ratio in unseen] + list(over(rows, data).values())
    return float(max(data["fits"]["seconds"]["unseen"][2], *off))


def failures(rows: list[Row], data: Data) -> list[str]:
    """How often the model of seconds is contradicted by searches that were not done."""
    off, nine = over(rows, data), data["fits"]["seconds"]["unseen"][1]
    some = [name for name, ratio in off.items() if ratio > 1]
    far = sum(ratio > nine for ratio in off.values())
    return [
        f"**{len(off)} searches were not done in the time they had, {len(some)} of them in longer than the model "
        f"says**, {far} in more than {nine:.2g} times as long. The worst that the model of seconds is known to be off "
        f"by is a factor of {worst(rows, data):.2g}; ranges of cells marked{BEYOND} are by that.",
    ]


def predictions(rows: list[Row], data: Data) -> list[str]:
    """What the models say of some games, and what was measured where they were tried."""
    names = ("seconds", "sequences")
    (time, count), (slack, _) = ([data["fits"][name][key] for name in names] for key in ("weights", "unseen"))
    tried, found = {name_of(row): row for row in searches(rows, data)}, []
    for dice, sides, rules in UNTRIED:
        row = game(dice, sides, rules)
        mark, taken, sequences = beyond(row), said(time, row), said(count, row)
        factor = worst(rows, data) if mark else slack[1]
        there = tried.get(name_of(row))
        found.append(
            [
                title(row),
                f"{row['infosets']:.1e}".replace("e+", "e"),
                rounded(sequences) + mark,
                "" if there is None else f"{there['sequences']:,}" + ("" if there["exact"] else ", not done"),
                size(sequences * data["fits"]["memory"]["linear programs"]) + mark,
                f"{about(taken)} ({about(taken / factor)} to {about(taken * factor)}){mark}",
                _seconds(there),
            ]
        )
    head = ["game", "information sets", "sequences: model", "measured", "memory: model", "seconds: model", "measured"]
    return table(head, found)


def _seconds(row: Row | None) -> str:
    if row is None:
        return ""
    return f"{row['seconds']:,.3g} s" if row["exact"] else f"> {row['seconds']:,.0f} s"


def limits(rows: list[Row], data: Data) -> list[str]:
    """Where exactness ends: what was solved, what was not, and the most sides that take a day by the model."""
    found = []
    for rules, order in KINDS:
        for dice in FAMILIES:
            some = [
                row
                for row in searches(rows, data)
                if (tuple(row["dice"]), row["rules"], row["order"]) == (dice, rules, order)
            ]
            done = max((row for row in some if row["exact"]), key=lambda row: int(row["sides"]), default=None)
            least = 0 if done is None else int(done["sides"])
            failed = [row for row in some if not row["exact"] and row["sides"] > least]
            not_done = min(failed, key=lambda row: int(row["sides"]), default=None)
            ends, factor = by_model(rows, data, dice, rules, order)
            found.append(
                [
                    f"{dice[0]}v{dice[1]}{IN_WORDS[rules]}{', by faces' if order == 'face-quantity' else ''}",
                    "-" if done is None else f"{done['sides']} ({done['seconds']:,.3g} s)",
                    "" if not_done is None else f"{not_done['sides']} (> {not_done['seconds']:,.0f} s)",
                    ends,
                    "" if factor == 1 else f"{factor:.2g} times",
                ]
            )
    head = ["dice and rules", "most sides solved", "tried, not done", "a day on one core, by the model", "contradicted"]
    return table(head, found)


def by_model(rows: list[Row], data: Data, dice: tuple[int, int], rules: str, order: str) -> tuple[str, float]:
    """The most sides that take a day by the model, and by what factor failures contradict it.

    Where a search with the same rules and no more dice was not done in longer than the model says, all seconds are
    multiplied by that factor; as it may be more, only the range is told then.
    """
    weights = data["fits"]["seconds"]["weights"]
    failed = [
        ratio
        for (one, two, _, of, by), ratio in over(rows, data).items()
        if (of, by) == (rules, order) and one <= dice[0] and two <= dice[1]
    ]
    factor, far = max([1.0, *failed]), worst(rows, data)
    times = {n: factor * said(weights, game(dice, n, rules, order)) for n in range(2, TOLD + 1)}
    low, end, high = (max((n for n, t in times.items() if t * off <= DAY), default=0) for off in (far, 1, 1 / far))

    def shown(sides: int) -> str:
        words = "fewer than 2" if not sides else f"{TOLD} or more" if sides == TOLD else str(sides)
        return words + (beyond(game(dice, sides or 2)))

    ends = f"{shown(low)} to {shown(high)}"
    if factor > 1:  # which is only the least that it can be
        return (shown(end) if low == high else f"{ends}, no closer"), factor
    return (shown(end) if low == high else f"{shown(end)} ({ends})"), factor


def brackets(rows: list[Row], data: Data) -> list[str]:
    """What there is of games that were not solved exactly, and what the model says that an exact value takes."""
    weights = data["fits"]["seconds"]["weights"]
    there = sorted(
        (row for row in rows if not row["exact"]), key=lambda row: (row["infosets"], row["rules"], row["order"])
    )
    found = []
    for row in there:
        gap, taken = row["gap"], said(weights, row)
        shown = "-" if gap is None else f"{ceil(gap * 1e4) / 1e4:.4f}"
        cells = [f"{row['sequences']:,}", f"{row['peak_mib']:,.0f}", about(taken) + beyond(row)]
        off = f"> {row['seconds'] / taken:.2g} times" if row["seconds"] > taken else ""
        found.append([title(row), shown, f"{row['seconds']:,.0f}", *cells, off])
    return table(["game", "gap", "seconds", "sequences", "MiB", "exact, by the model", "contradicted"], found)


# --- the simulation


def speedups(all_of_them: Sequence[Scenario]) -> list[str]:
    """How many times as fast as one worker."""
    rows = []
    for one in all_of_them:
        alone = one.seconds(1)
        cells = [f"{alone / one.seconds(workers):.3g}" for workers in WORKERS[1:]]
        rows.append([one.name, str(len(one.tasks)), about(one.work), *cells, f"{one.most:.3g}"])
    return table(["what", "tasks", "work", *map(str, WORKERS[1:]), "most"], rows)


def deaths(all_of_them: Sequence[Scenario]) -> list[str]:
    """What deaths of workers cost: time, and tasks that a retry did not save."""
    found = []
    for name in ("sweep, small games first", "games of oracle.md, longest first"):
        one = next(scenario for scenario in all_of_them if scenario.name == name)
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
    head = ["run", "workers", "seconds of its tasks", "seconds in all", "simulated", "ratio"]
    return [*table(head, found), "", _ratios(data)]


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


# --- the plots

COLOURS = {
    ("plain", "quantity-face"): ("plain", FILLS[0], "o"),
    ("plain", "face-quantity"): ("plain, by faces", FILLS[0], "^"),
    ("joker", "quantity-face"): ("joker", FILLS[1], "o"),
    ("joker", "face-quantity"): ("joker, by faces", FILLS[1], "^"),
    ("highest", "quantity-face"): ("highest wild", FILLS[3], "o"),
    ("highest", "face-quantity"): ("highest wild, by faces", FILLS[3], "^"),
}

PARTS = {
    "linear programs": FILLS[0],
    "writing them down": FILLS[6],
    "best responses": FILLS[1],
    "regret minimisation": FILLS[2],
    "exact finish": FILLS[4],
    "exact best responses": FILLS[5],
    "verification": FILLS[3],
    "rest": PALE,
}


PANELS = (("sequences", "sequences in the last restricted game"), ("seconds", "seconds to solve and verify"))


def draw_predicted(rows: Sequence[Row], data: Data, path: Path) -> None:
    """Measured figures over those that the models say."""
    with frame.plot(path, 9.6, 4.9) as figure:
        axes = figure.subplots(1, 2)
        for axis, (name, title) in zip(axes, PANELS, strict=True):
            _panel(axis, rows, data["fits"][name]["weights"], name)
            axis.set_title(title, **frame.HEADING)
            axis.set_xlabel("as the model says")
        axes[0].set_ylabel("measured")
        axes[0].legend(loc="upper left", frameon=False, fontsize=8, handletextpad=0.2)
        figure.tight_layout()


def _panel(axis: Any, rows: Sequence[Row], weights: dict[str, float], name: str) -> None:
    of, there = models.FIGURES[name], exact_rows(rows)
    for (rules, order), (label, colour, mark) in COLOURS.items():
        some = [row for row in there if (row["rules"], row["order"]) == (rules, order)]
        axis.plot(
            [said(weights, row) for row in some], [of(row) for row in some], mark, ms=4.5, color=colour, label=label
        )
        if name == "seconds":
            over = [row for row in rows if not row["exact"] and (row["rules"], row["order"]) == (rules, order)]
            style: dict[str, Any] = {"ms": 5.5, "color": colour, "markerfacecolor": "white"}
            axis.plot([said(weights, row) for row in over], [of(row) for row in over], mark, **style)
    if name == "seconds":
        axis.annotate("hollow: not done by then", (0.97, 0.04), xycoords="axes fraction", ha="right", fontsize=8.5)
    axis.set_xscale("log")
    axis.set_yscale("log")
    low, high = (pick(*axis.get_xlim(), *axis.get_ylim()) for pick in (min, max))
    axis.plot([low, high], [low, high], color="#999999", linewidth=0.9, zorder=0)
    if name == "seconds":
        axis.set_xticks([10.0**k for k in range(-2, 7, 2)])
    axis.minorticks_off()
    for one in (axis.xaxis, axis.yaxis):
        one.set_major_formatter(lambda number, _: f"{number:,.0f}" if number >= 1 else f"{number:g}")


def draw_shares(data: Data, path: Path) -> None:
    """What the work is made of."""
    games = data["profile"]
    with frame.plot(path, 9.6, 3.9) as figure:
        axis = figure.subplots()
        left = [0.0] * len(games)
        for part, colour in PARTS.items():
            widths = [100 * one["parts"][part] / one["seconds"] for one in games.values()]
            axis.barh(range(len(games)), widths, left=left, color=colour, label=part, height=0.66)
            left = [before + width for before, width in zip(left, widths, strict=True)]
        axis.set_yticks(range(len(games)), [f"{name} ({one['seconds']:.1f} s)" for name, one in games.items()])
        axis.invert_yaxis()
        axis.set_xlim(0, 100)
        axis.xaxis.set_major_formatter("{x:g}%")
        axis.grid(visible=False, axis="y")
        figure.legend(loc="upper center", ncols=4, frameon=False, fontsize=8.5)
        figure.tight_layout(rect=(0, 0, 1, 0.87))


def draw_speedups(all_of_them: Sequence[Scenario], path: Path) -> None:
    """How many times as fast so many workers are."""
    with frame.plot(path, 9.6, 5.2) as figure:
        axis = figure.subplots()
        axis.plot(WORKERS, WORKERS, color="#bbbbbb", linewidth=0.9, linestyle="--", label="as many times as workers")
        for number, one in enumerate(all_of_them):
            colour, mark = look(number)
            alone = one.seconds(1)
            gains = [alone / one.seconds(workers) for workers in WORKERS]
            axis.plot(WORKERS, gains, color=colour, linewidth=1.3, marker=mark, ms=4.5, label=one.name)
        axis.set_xscale("log", base=2)
        axis.set_yscale("log", base=2)
        axis.set_xticks(WORKERS, [str(workers) for workers in WORKERS])
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_ylim(0.9, 80)
        axis.minorticks_off()
        axis.set_xlabel("workers")
        axis.set_title("times as fast as one worker (simulated)", **frame.HEADING)
        axis.legend(loc="upper left", frameon=False, fontsize=8.5)
        figure.tight_layout()


# --- the page


def parts(data: Data, root: Path = frame.ROOT) -> dict[str, Sequence[str]]:
    """The tables of the page by the names of their marks."""
    rows, simulated = models.all_rows(data, root), scenarios(data, root)
    return {
        "counted": counted(rows, data),
        "models": model_table(data),
        "costs": costs(data, rows),
        "shares": shares(data),
        "failures": failures(rows, data),
        "predictions": predictions(rows, data),
        "unseen": unseen(data),
        "limits": limits(rows, data),
        "full width": full_width(data),
        "brackets": brackets(rows, data),
        "speedups": speedups(simulated),
        "deaths": deaths(simulated),
        "checked": checked(data),
    }


def main() -> None:
    """Take in, measure, fit and render."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweep", type=Path, metavar="FILE", help="take in the rows of this sweep")
    parser.add_argument("--measure", action="store_true", help="measure shares, passes and runs anew")
    parser.add_argument("--root", type=Path, default=frame.ROOT, help="of the repository, or of a copy")
    given = parser.parse_args()
    data = frame.load("on-paper", given.root)
    if given.sweep is not None:
        data["rows"] = models.take_in(given.sweep, models.proofs(given.sweep))
    if given.measure:
        data |= models.measured()
    data = {"about": ABOUT, **data, "matches": models.match_rounds(), "fits": models.fits(data)}
    frame.keep("on-paper", data, given.root)
    frame.fill("on-paper", parts(data, given.root), given.root)
    pictures = given.root / "docs" / "on-paper"
    draw_predicted(models.all_rows(data, given.root), data, pictures / "predicted.svg")
    draw_shares(data, pictures / "shares.svg")
    draw_speedups(scenarios(data, given.root), pictures / "speedups.svg")


if __name__ == "__main__":
    main()
