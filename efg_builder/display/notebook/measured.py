"""What was measured or worked out over all equilibria: tables, and plots where they are small enough."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING

from ...base.rationals import Number
from ...forms.public_tree import merge
from ..trees.style import number
from .markup import Band, Cell, Row, facts, note, table, worth
from .places import MOST_NODES, first_nodes, place_of
from .strategies import after

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...equilibria.quantal import QuantalBranch
    from ...equilibria.ranges import ActionRange, Ranges
    from ...equilibria.strategic import MatrixReport
    from ...players.evaluate import Evaluation, Seating

MOST_CELLS = 20_000
"""Larger matrices are told of in words."""

MOST_COURSES = 20_000
"""Points times information sets of a branch that is drawn."""

DPI = 100
"""Of plots in a cell: about their size in pixels on most screens."""

MOST_ROWS, MOST_COLUMNS = 40, 14
"""Of the table of ranges; of what is left out it says how much."""


def evaluation_html(found: Evaluation) -> str:
    """What a strategy gets, what best responses to it get, and how far it is from an equilibrium."""
    kind = "exact, in fractions" if found.exact else f"floats, right to {found.error_bound:.2g}"
    rows = [("method", f"{found.method}, {kind}"), *(("warning", words) for words in found.warnings)]
    told = facts(found.title, rows)
    return told + "".join(_match(match, found.players) for match in found.matches)


def match_html(match: Seating) -> str:
    """One seating."""
    return _match(match, [f"player {n + 1}" for n in range(len(match.seats))])


def _match(match: Seating, players: tuple[str, ...] | list[str]) -> str:
    columns = zip(players, match.seats, match.value, match.best_response, match.gains, strict=True)
    rows = [Row(who, (seat, worth(v), worth(best), worth(gain))) for who, seat, v, best, gain in columns]
    head = ("player", "strategy", "gets", "a best response would get", "gain")
    half = match.exploitability
    words = f"NashConv {worth(match.nash_conv)}" + ("" if half is None else f"; exploitability {worth(half)}")
    return table(head, rows) + note(words)


def ranges_html(found: Ranges) -> str:
    """From where to where each probability can go over all equilibria; what is forced, and what is free."""
    players = found.tree.players
    told = facts(
        f"All equilibria of {found.tree.title}",
        [
            ("value", worth(found.value)),
            *((name, _freedom(found, player)) for player, name in enumerate(players)),
            ("verified", f"{found.verified:,} equilibria, which attain every end"),
        ],
    )
    groups = [list(group) for _, group in groupby(found.actions, key=lambda action: action.infoset)]
    reached = [group for group in groups if any(action.conditional for action in group)]
    shown = _in_order(found, reached)[:MOST_ROWS]
    moves = merge(dict.fromkeys(found.tree.infosets[group[0].infoset].actions for group in shown))[:MOST_COLUMNS]
    rows = table(("hand", *moves), _range_rows(found, shown, moves))
    left, never = len(groups) - len(shown), len(groups) - len(reached)
    notes = [f"{left - never:,} more information sets are left out"] if left > never else []
    notes += [f"{never:,} more, to which own play leads in no equilibrium"] if never else []
    return told + rows + "".join(map(note, notes))


def _in_order(found: Ranges, groups: list[list[ActionRange]]) -> list[list[ActionRange]]:
    """The sets' actions place by place, those of few moves first; of a large tree as they come."""
    tree = found.tree
    if len(tree) > MOST_NODES:
        return groups
    first, place = first_nodes(tree), dict[tuple[int, str], tuple[int, int]]()
    names = [(infoset.player, place_of(infoset)[1]) for infoset in (tree.infosets[g[0].infoset] for g in groups)]
    for name, group in zip(names, groups, strict=True):
        node = first.get(group[0].infoset, 0)
        place[name] = min(place.get(name, (int(tree.depth[node]), node)), (int(tree.depth[node]), node))
    order = sorted(range(len(groups)), key=lambda n: (place[names[n]], groups[n][0].infoset))
    return [groups[n] for n in order]


def _freedom(found: Ranges, player: int) -> str:
    plans = found.plans[player]
    if plans.unique:
        return "one strategy only"
    corners = "" if plans.vertices is None else f", a polytope with {len(plans.vertices):,} vertices"
    return f"free in {plans.dimension:,} dimension{'s' if plans.dimension > 1 else ''}{corners}"


def _range_rows(found: Ranges, shown: list[list[ActionRange]], moves: list[str]) -> Iterator[Row | Band]:
    before: tuple[int, str] | None = None
    for group in shown:
        infoset = found.tree.infosets[group[0].infoset]
        hand, history = place_of(infoset)
        if (infoset.player, history) != before:
            before = (infoset.player, history)
            yield Band(found.tree.players[infoset.player] + after(history))
        cells = {infoset.actions[action.action]: _range_cell(action) for action in group}
        yield Row(hand, [cells.get(move, "") for move in moves])


def _range_cell(action: ActionRange) -> Cell:
    if action.conditional is None:
        return Cell("?", tip="in no equilibrium does own play lead here")
    low, high = action.conditional
    if low == high:
        return Cell(number(low) if low else "·", float(low) or None, action.player)
    return Cell(f"{number(low)} to {number(high)}", float(low + high) / 2, action.player, "free")


def matrix_png(report: MatrixReport) -> bytes | None:
    """The map of a normal form, or None where it has too many cells."""
    if prod(report.form.shape) > MOST_CELLS:
        return None
    from ..plots.heatmap import heatmap
    from ..plots.paper import style

    with style():
        return _png(heatmap(report))


def matrix_html(report: MatrixReport) -> str | None:
    """The same in words, where there is no picture."""
    if prod(report.form.shape) <= MOST_CELLS:
        return None
    rows, columns = report.form.shape
    pure = f"{len(report.equilibria):,} pairs of plans are best replies to each other"
    mixed = report.mixed
    value = report.message if mixed is None else _between(mixed.lower, mixed.upper)
    size = f"{rows:,} x {columns:,} plans"
    return facts(f"Normal form of {report.form.tree.title}", [("size", size), ("pure play", pure), ("value", value)])


def _between(lower: Number, upper: Number) -> str:
    return worth(lower) if lower == upper else f"from {worth(lower)} to {worth(upper)}"


def branch_png(branch: QuantalBranch) -> bytes | None:
    """The plot of a branch, or None where it has too many points or sets."""
    if not _plotted(branch):
        return None
    from ..plots.branch import branch_figure
    from ..plots.paper import style

    with style():
        return _png(branch_figure(branch))


def branch_html(branch: QuantalBranch) -> str | None:
    """The same in words, where there is no plot."""
    if _plotted(branch):
        return None
    limit = "" if branch.limit is None else ", ".join(map(worth, branch.limit.value))
    last = f"{branch.points[-1].precision:,.4g}" if branch.points else ""
    rows = [("ended", branch.ended), ("message", branch.message), ("points", f"{len(branch.points):,}")]
    rows += [("last lambda", last), ("equilibrium at the end", limit)]
    return facts(f"Quantal responses in {branch.tree.title}", rows)


def _plotted(branch: QuantalBranch) -> bool:
    return bool(branch.points) and len(branch.points) * len(branch.tree.personal) <= MOST_COURSES


def _png(figure: Figure) -> bytes:
    out = BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()
