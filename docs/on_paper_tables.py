"""The tables of ``on-paper.md``: lists of lines of Markdown, from the data of ``on-paper.json`` alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import exp
from statistics import median
from typing import Any

from on_paper_fit import FEWEST, TERMS, Row, by_programs, by_regrets, exact_rows, game, memory, power, said

from efg_builder.solvers.bidding_model import MOST_NUMBERS
from efg_builder.solvers.cfr import arrays as regret_arrays

DAY = 86_400.0
MACHINES = (("24 GiB", 24 * 2**30), ("1 TiB", 2**40))
FAMILIES = ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 4), (5, 5))
MOST_SIDES = 60

KINDS = (("plain", "quantity-face"), ("plain", "face-quantity"), ("highest", "quantity-face"))
"""Rules and orders of the tables of limits."""

RULES = {"plain": "", "joker": ", joker", "highest": ", highest wild"}

Data = dict[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table; all columns but the first are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return ["", *(f"| {' | '.join(line)} |" for line in lines), ""]


def size(count: float) -> str:
    """Bytes, for people."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.3g} {unit}"
        count /= 1000
    raise AssertionError


def about(seconds: float) -> str:
    """A time, to two digits."""
    for limit, length, unit in ((99.5, 1, "s"), (5970, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds / DAY:,.0f} days"


def rounded(number: float) -> str:
    """To two digits, without powers of ten."""
    short = float(f"{number:.2g}")
    return f"{short:,.0f}" if short >= 100 else f"{short:g}"


def models(data: Data) -> list[str]:
    """The models: what they are of, constants, powers and factors, and how wrong they are; and how to compute one."""
    head = ["", *TERMS[:4], *TERMS[4:], "games", "scatter", "left out: half, 9 in 10, all", "larger half, the same"]
    rows = []
    for name, model in data["fits"].items():
        if "weights" not in model:
            continue
        weights = model["weights"]
        powers = [_constant(weights), *(f"{weights[term]:.3f}" for term in TERMS[1:4])]
        factors = [f"x {exp(weights[term]):.3g}" for term in TERMS[4:]]
        games = f"{model['rows']}" + (f" + {model['over']}" if model["over"] else "")
        off = [", ".join(f"{factor:.2g}" for factor in model[key]) for key in ("unseen", "larger")]
        rows.append([name, *powers, *factors, games, f"{model['scatter']:.2g}", *off])
    return [*table(head, rows), worked(data), ""]


def _constant(weights: dict[str, float]) -> str:
    return f"{exp(weights['constant']):.3g}"


WORKED = ((2, 2), 6, "highest", "face-quantity")
"""The game of the worked example."""


def worked(data: Data) -> str:
    """One prediction, from the figures of the table of models alone."""
    row = game(*WORKED)
    weights, (one, two) = data["fits"]["sequences"]["weights"], row["hands"]
    powers = zip((row["bids"], one, two), TERMS[1:4], strict=True)
    factors = [f"{exp(weights[term]):.3g}" for term in ("highest wild", "by faces", "wild by faces")]
    parts = [_constant(weights), *(f"{of}^{weights[term]:.3f}" for of, term in powers), *factors]
    return (
        f"For one: two dice each with six sides, the highest wild, by faces, are {row['bids']} bids and {one} and "
        f"{two} hands; so {' · '.join(parts)} = {rounded(said(weights, row))} sequences."
    )


def costs(data: Data, rows: list[Row]) -> list[str]:
    """What a unit of work or of memory comes to."""
    exact, regret = by_programs(rows), by_regrets(rows)
    lps = [(one["programs"][-1][2], one["parts"]["linear programs"]) for one in data["profile"].values()]
    last = [(one["programs"][-1], one) for one in data["profile"].values()]
    bytes_each = [(one["peak_mib"] - one["base_mib"]) * 2**20 / program[2] for program, one in last]
    exponent, _, factor = power(lps)
    whole, _, off = power([(row["sequences"], max(row["seconds"], 0.01)) for row in exact_rows(rows)])
    answer = data["fits"]["best responses"]
    pairs = [sum(one["hands"]) << (one["bids"] - 1) for one in data["wide"].values()]
    passes = [1e9 * one["iteration"] / count for one, count in zip(data["wide"].values(), pairs, strict=True)]
    best = [1e9 * one["best_response"] / count for one, count in zip(data["wide"].values(), pairs, strict=True)]
    found = [
        ["memory, linear programs", _spread([*map(memory, exact)], "B a sequence"), f"{len(exact)} exact games"],
        ["the same", _spread(bytes_each, "B a nonzero of the last program"), f"{len(last)} profiled games"],
        ["memory, regret minimisation", _spread([*map(memory, regret)], "B a sequence"), f"{len(regret)} brackets"],
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


def of_settings(settings: dict[str, Any]) -> Row:
    """The row of a game by its settings."""
    rules = "plain" if "wild" not in settings else "highest" if settings["wild"] == "highest" else "joker"
    return game(settings["dice"], settings["sides"], rules, settings.get("order", "quantity-face"))


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
    return int(regret_arrays.memory(row["bids"], tuple(row["hands"])))


def passes(dice: tuple[int, int], sides: int) -> int:
    """Bytes of measuring a strategy given by a rule: two classes of histories, by the larger number of hands."""
    row = game(dice, sides)
    return int((1 << row["bids"]) * max(row["hands"]) * 8)


def numbers(dice: tuple[int, int], sides: int) -> int:
    """What the oracle's tables of payoffs have."""
    row = game(dice, sides)
    return int(row["bids"] * row["hands"][0] * row["hands"][1])


def counted(rows: list[Row], data: Data) -> list[str]:
    """What there is to go by."""
    exact, used, sweep = [row for row in rows if row["exact"]], exact_rows(rows), data["rows"]
    done = sum(bool(row["exact"]) for row in sweep)
    line = (
        f"{len(rows)} games: {len(sweep)} variants of a sweep, {done} of them exact, and those of "
        f"[oracle.json](oracle.json), which had up to an hour; {len(exact)} are exact in all. The models are fitted to "
        f"the {len(used)} exact ones of at least {FEWEST:,} sequences. The time limit was {_limits(sweep)}."
    )
    return ["", line, ""]


def _limits(sweep: list[Row]) -> str:
    """How many rows had which time limit."""
    counts = sorted(Counter(row["timeout"] for row in sweep).items())
    return " and ".join(f"{limit:g} seconds for {count} rows" for limit, count in counts)
