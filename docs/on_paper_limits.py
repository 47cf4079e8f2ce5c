"""The tables of ``on-paper.md`` that go beyond what was solved: what the models say there, beside what was measured."""

from __future__ import annotations

from math import ceil
from typing import Any

from on_paper_fit import Row, game, said
from on_paper_tables import DAY, FAMILIES, KINDS, RULES, Data, about, of_settings, rounded, size, table

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


def measured(rows: list[Row], data: Data) -> list[Row]:
    """Every search that there is a record of: the games of the page, and those that the models had not seen."""
    unseen = [of_settings(one["settings"]) | one for one in data["unseen"].values()]
    there = {_name(row) for row in rows}
    return rows + [row for row in unseen if _name(row) not in there]


def _name(row: Row) -> tuple[Any, ...]:
    return (*row["dice"], row["sides"], row["rules"], row["order"])


def title(row: Row) -> str:
    """``3v3, 6 sides, highest wild, by faces``."""
    name = f"{row['dice'][0]}v{row['dice'][1]}, {row['sides']} sides{RULES[row['rules']]}"
    return name + (", by faces" if row["order"] == "face-quantity" else "")


def over(rows: list[Row], data: Data) -> dict[tuple[Any, ...], float]:
    """Of each search that was not done: the seconds that it had, in those that the model says it takes."""
    weights = data["fits"]["seconds"]["weights"]
    return {_name(row): row["seconds"] / said(weights, row) for row in measured(rows, data) if not row["exact"]}


def worst(rows: list[Row], data: Data) -> float:
    """The largest factor that the model of seconds is known to be off by: left out, unseen, or not done."""
    weights = data["fits"]["seconds"]["weights"]
    unseen = [one["seconds"] / said(weights, of_settings(one["settings"])) for one in data["unseen"].values()]
    off = [max(ratio, 1 / ratio) for ratio in unseen] + list(over(rows, data).values())
    return float(max(data["fits"]["seconds"]["unseen"][2], *off))


def failures(rows: list[Row], data: Data) -> list[str]:
    """How often the model of seconds is contradicted by searches that were not done."""
    off, nine = over(rows, data), data["fits"]["seconds"]["unseen"][1]
    some = sorted((row for row in measured(rows, data) if off.get(_name(row), 0) > 1), key=lambda r: -off[_name(r)])
    weights = data["fits"]["seconds"]["weights"]
    told = "; ".join(
        f"{title(row)}: more than {about(row['seconds'])}, and {about(said(weights, row))} by the model" for row in some
    )
    far = sum(ratio > nine for ratio in off.values())
    return [
        "",
        f"**{len(off)} searches were not done in the time they had, {len(some)} of them in longer than the model "
        f"says**, {far} in more than {nine:.2g} times as long ({told}). The worst that the model of seconds is known "
        f"to be off by is a factor of {worst(rows, data):.2g}; ranges of cells marked{BEYOND} are by that.",
        "",
    ]


def predictions(rows: list[Row], data: Data) -> list[str]:
    """What the models say of some games, and what was measured where they were tried."""
    names = ("seconds", "sequences")
    (time, count), (slack, _) = ([data["fits"][name][key] for name in names] for key in ("weights", "unseen"))
    tried, found = {_name(row): row for row in measured(rows, data)}, []
    for dice, sides, rules in UNTRIED:
        row = game(dice, sides, rules)
        mark, taken, sequences = beyond(row), said(time, row), said(count, row)
        factor = worst(rows, data) if mark else slack[1]
        there = tried.get(_name(row))
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
                for row in measured(rows, data)
                if (tuple(row["dice"]), row["rules"], row["order"]) == (dice, rules, order)
            ]
            done = max((row for row in some if row["exact"]), key=lambda row: int(row["sides"]), default=None)
            least = 0 if done is None else int(done["sides"])
            failed = [row for row in some if not row["exact"] and row["sides"] > least]
            not_done = min(failed, key=lambda row: int(row["sides"]), default=None)
            ends, factor = by_model(rows, data, dice, rules, order)
            found.append(
                [
                    f"{dice[0]}v{dice[1]}{RULES[rules]}{', by faces' if order == 'face-quantity' else ''}",
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
