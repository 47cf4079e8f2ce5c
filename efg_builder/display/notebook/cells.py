"""A notebook cell for each result: a small picture or plot, otherwise facts and tables.

This module computes the data for the macros in ``templates/cells.html``. A strategy table has a row for each of the
mover's hands, grouped by public history, and a column for each move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from itertools import groupby, islice
from math import prod
from typing import TYPE_CHECKING, Any

from ...base.errors import TreeTooLargeError
from ...base.rationals import Number, brief
from ...base.words import NOBODY_SURE, distinct
from ...equilibria.solution_facts import ahead
from ...forms.extensive import CHANCE, GameTree
from ...forms.hand_names import displayed, displayed_tree
from ...forms.public_tree import merge
from ...proof import values
from ...strategies.lines import HandPlay, PlayPlace, likeliest_places
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import notation, template
from ..trees import draw
from ..trees.options import LARGE as NOTEBOOK_NODES
from ..trees.subject import DrawnSubject, caption_of, subject_of

if TYPE_CHECKING:
    from ...equilibria.ranges import ActionRange, Ranges
    from ...equilibria.solution import Solution


def cell(kind: str, *found: object) -> str:
    """Return *found* as HTML, rendered by the template's macro *kind*."""
    return str(getattr(template("cells.html").module, kind)(*found))


# --- strategy tables

MOST_NODES = 20_000
"""The maximum number of nodes of a tree with a complete strategy table; a larger tree has a table of first moves."""

MOST_DEALS = 10_000
"""The maximum number of chance moves examined at the root of a large tree."""


def shown_places(places: Sequence[PlayPlace], most: int) -> list[PlayPlace]:
    """Return the most probable turns in the given order: as many as fit into *most* rows, but at least one."""
    total = sum(len(place.hands) for place in places)
    if total <= most:
        return list(places)
    order = sorted(range(len(places)), key=lambda n: (-(places[n].reach or 0), n))
    kept, room = set[int](), most
    for n in order:
        if places[n].reach == 0 and kept:
            break
        if len(places[n].hands) <= room or not kept:
            kept.add(n)
            room -= len(places[n].hands)
    return [place for n, place in enumerate(places) if n in kept]


def profile_places(profile: TreeProfile, reach: Sequence[Number] = ()) -> list[PlayPlace]:
    """Return the turns of a profile in prefix order; in a large tree, only the turns of the first move.

    *reach* contains the reach probability of each information set, if known.
    """
    tree, reaches = displayed_tree(profile.tree, profile.game), None
    if len(tree) > MOST_NODES:
        nodes = islice(tree.children(0), MOST_DEALS) if tree.player[0] == CHANCE else [0]
        sets = list(dict.fromkeys(int(tree.infoset[node]) for node in nodes if tree.player[node] >= 0))
    else:
        sets = [k for k in tree.first_nodes if tree.infosets[k].player != CHANCE]
        reaches = reach if len(reach) == len(tree.infosets) else values(profile).reach
    groups: dict[tuple[int, str, tuple[str, ...]], list[int]] = {}
    for k in sets:
        infoset = tree.infosets[k]
        groups.setdefault((infoset.player, place_of(tree, k)[1], infoset.actions), []).append(k)

    def played(k: int) -> HandPlay:
        infoset = tree.infosets[k]
        behavior = dict(zip(distinct(infoset.actions), profile.probabilities[k], strict=True))
        return HandPlay(place_of(tree, k)[0], behavior, None if reaches is None else reaches[k] > 0)

    return [
        PlayPlace(
            player,
            history,
            None if reaches is None else sum((reaches[k] for k in members), start=Fraction(0)),
            tuple(map(played, sorted(members))),
        )
        for (player, history, _), members in groups.items()
    ]


def place_of(tree: GameTree, k: int) -> tuple[str, str]:
    """Split an information set's name ``"hand: history"``; without a colon, the history is empty."""
    hand, colon, history = tree.names[k].rpartition(": ")
    return (hand, history) if colon else (tree.names[k], "")


def sparse_places(profile: SparseProfile, most: int) -> list[PlayPlace]:
    """Return the reached turns of strategies without a tree, the most probable first, up to *most* rows."""
    places, label = list[PlayPlace](), displayed(profile.game)
    rows = 0
    for place in likeliest_places(profile):
        if places and rows + len(place.hands) > most:
            break
        hands = tuple(replace(hand, name=label(place.player, hand.name)) for hand in place.hands)
        places.append(replace(place, hands=hands))
        rows += len(place.hands)
    return places


MOST_ROWS = 40
"""The approximate maximum number of rows of a table; the table states the number of omitted rows."""

MOST_COLUMNS = 14
"""The maximum number of columns in a table; the most frequent moves get the columns."""


def strategy(profile: TreeProfile | SparseProfile) -> str:
    """Return the cell of strategies; without a tree, it shows the most probable turns."""
    title = profile.title
    return cell("strategy", title, _table(profile))


def _table(strategies: TreeProfile | SparseProfile, reach: Sequence[Number] = (), regret: Number = 0) -> dict[str, Any]:
    """Return the data of the strategy table; *reach* is as in ``profile_places``, *regret* as in ``notation``."""
    places, written, total = list[PlayPlace](), None, 0
    if strategies.tree_profile is not None:
        places = shown_places(profile_places(strategies.tree_profile, reach), MOST_ROWS)
        total = len(strategies.tree_profile.tree.personal)
    elif strategies.sparse_profile is not None:
        places, written = sparse_places(strategies.sparse_profile, MOST_ROWS), strategies.sparse_profile.sizes
    moves, omitted = _place_columns(places)
    return {
        "players": strategies.players,
        "places": places,
        "write": notation(
            (place.reach for place in places),
            (hand.behavior for place in places for hand in place.hands[:MOST_ROWS]),
            regret=regret,
        ),
        "moves": moves,
        "total": total,
        "shown": sum(min(len(place.hands), MOST_ROWS) for place in places),
        "pale": any(hand.reached is False for place in places for hand in place.hands),
        "left": omitted,
        "written": written,
        "most": MOST_ROWS,
    }


def _place_columns(places: Sequence[PlayPlace]) -> tuple[list[str], tuple[int, str] | None]:
    """Return the moves with columns, in the order of the rules, and a description of the other moves.

    The description is a pair: the number of other moves, and a remark on their frequency; None if there are none.
    """
    rows = [hand.behavior for place in places for hand in place.hands]
    moves = merge(dict.fromkeys(tuple(row) for row in rows))
    if len(moves) <= MOST_COLUMNS:
        return moves, None
    made = Counter[str]()
    for row in rows:
        made.update({action: float(p) for action, p in row.items()})
    kept = {action for action, often in made.most_common(MOST_COLUMNS) if often > 0}
    which = "never made here" if sum(often > 0 for often in made.values()) == len(kept) else "seldom or never made here"
    return [move for move in moves if move in kept], (len(moves) - len(kept), which)


# --- trees and solutions


def tree_svg(found: GameTree | Solution) -> str | None:
    """Return the picture of a tree, or of a solution with strategies; None if it is too large for a cell."""
    subject = _drawn_subject(found)
    return None if subject is None else str(draw(subject))


def tree_html(tree: GameTree) -> str | None:
    """Return the facts of a tree that has no picture; None if there is a picture."""
    return tree_facts(tree) if _drawn_subject(tree) is None else None


def solution_svg(solution: Solution) -> str | None:
    """Return the picture of a solution; None if it has no strategies, or is too large for a cell."""
    return tree_svg(solution) if solution.judged else None


def solution_html(solution: Solution) -> str | None:
    """Return the facts of a solution that has no picture; None if there is a picture."""
    return None if solution.judged and _drawn_subject(solution) is not None else solution_facts(solution)


def _drawn_subject(found: GameTree | Solution) -> DrawnSubject | None:
    """Return the subject of the picture; None if it is too large for a cell."""
    try:
        subject = subject_of(found, max_nodes=NOTEBOOK_NODES)
    except TreeTooLargeError:
        return None
    return subject if len(subject.tree) <= NOTEBOOK_NODES else None


def tree_facts(tree: GameTree) -> str:
    """Return the facts of a tree that is too large for a picture."""
    owners = [tree.infosets[k].player for k in tree.personal]
    return cell("tree", tree, tree.node_counts, [owners.count(player) for player in range(min(len(tree.players), 8))])


def solution_facts(solution: Solution) -> str:
    """Return the verdict and strategies of a solution that is too large for a picture."""
    verdict = solution.verdict
    judged = (
        ""
        if verdict is None
        else caption_of(solution.players, verdict, solution.refined is not None, solution.place, solution.off_path)
    )
    if len(solution.players) > 2 and verdict is not None and verdict.equilibrium:
        judged += f"; {NOBODY_SURE}"
    lead = ahead(solution)
    # Counting bluffs visits every information set, which would take too long for large certificates.
    large_tree = solution.tree is not None and len(solution.tree.personal) > 50_000
    large = large_tree or (solution.sparse is not None and sum(solution.sparse.sizes) > 5_000)
    reach = () if verdict is None else verdict.reach
    table = None if not solution.judged else _table(solution.strategy, reach, solution.regret)
    return cell("solution", solution, judged, lead, "" if large else solution.bluffs.told(0), table)


def pretty(found: object, printer: Any, cycle: bool) -> None:
    """Write the type, the game and the value to IPython's *printer*."""
    holder = next((each for name in ("form", "profile") if (each := getattr(found, name, None)) is not None), found)
    solved = getattr(found, "verdict", holder) is not None
    tree, value = getattr(holder, "tree", None), getattr(found, "value", ()) if solved else ()
    of = "" if tree is None else f" of {tree.title!r}"
    values = ", ".join(map(brief, value if isinstance(value, tuple) else (value,)))
    printer.text(f"<{type(found).__name__}{of}{': value ' if values else ''}{values}>")


# --- measurements and all equilibria

MOST_CELLS = 20_000
"""The maximum number of cells of a plotted matrix; a larger matrix is described in words."""

MOST_COURSES = 20_000
"""The maximum number of points times the number of information sets, for a plotted branch."""

DPI = 100
"""The resolution of plots in dots per inch."""


def ranges_html(ranges: Ranges) -> str:
    """Return the cell of the ranges over all equilibria: forced and free probabilities."""
    tree = ranges.tree
    groups = [list(group) for _, group in groupby(ranges.actions, key=lambda action: action.infoset)]
    reached = [group for group in groups if any(action.conditional for action in group)]
    shown = _in_order(ranges, reached)[:MOST_ROWS]
    moves = merge(dict.fromkeys(tree.infosets[group[0].infoset].actions for group in shown))[:MOST_COLUMNS]
    bands = [
        (player, history, [(place_of(tree, g[0].infoset)[0], _by_move(tree, g)) for g in band])
        for (player, history), band in groupby(
            shown, key=lambda group: (group[0].player, place_of(tree, group[0].infoset)[1])
        )
    ]
    write = notation(action.conditional for group in shown for action in group)
    return cell("ranges", ranges, bands, moves, write, len(reached) - len(shown), len(groups) - len(reached))


def _by_move(tree: GameTree, actions: Sequence[ActionRange]) -> dict[str, ActionRange]:
    return {tree.infosets[action.infoset].actions[action.action]: action for action in actions}


def _in_order(found: Ranges, groups: list[list[ActionRange]]) -> list[list[ActionRange]]:
    tree = found.tree
    if len(tree) > MOST_NODES:
        return groups
    first = dict[tuple[int, str], tuple[int, int]]()
    keys = []
    for k in (group[0].infoset for group in groups):
        name, node = (tree.infosets[k].player, place_of(tree, k)[1]), tree.first_nodes.get(k, 0)
        first[name] = min(first.get(name, (len(tree), 0)), (int(tree.depth[node]), node))
        keys.append((name, k))
    order = sorted(range(len(groups)), key=lambda n: (first[keys[n][0]], keys[n][1]))
    return [groups[n] for n in order]


def plot(kind: str, found: Any) -> bytes | None:
    """Return the heat map of a normal form or the plot of a branch as PNG; None if the plot is too large."""
    if not _plotted(kind, found):
        return None
    from ..plots.branch import branch_figure
    from ..plots.heatmap import heatmap
    from ..plots.style import style

    out = BytesIO()
    with style():
        figure = heatmap(found) if kind == "matrix" else branch_figure(found)
        figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()


def unplotted(kind: str, found: Any) -> str | None:
    """Return a description of a result that has no plot; None if there is a plot."""
    return None if _plotted(kind, found) else cell(kind, found)


def _plotted(kind: str, found: Any) -> bool:
    if kind == "matrix":
        return bool(prod(found.form.shape) <= MOST_CELLS)
    return 0 < len(found.points) * len(found.tree.personal) <= MOST_COURSES
