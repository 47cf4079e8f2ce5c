"""The view ``"tree"``: every node of a game tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from ...base.errors import PictureTooLargeError, PictureTooSmallError
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...proof.reach import reaches
from ...proof.sequential import SequentialVerdict
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size
from .scene import (
    GREY,
    INK,
    NEVER,
    PAPER,
    SIZES,
    Mark,
    Stroke,
    ink,
    rim,
    tint,
)
from .sheet import ROUNDED, ROUNDED_PERCENT, Fitted, LegendEntry, Sheet, directions, fitted, lines_of, name_of
from .tree_board import ROOM, placement
from .tree_facts import TreeFacts, fold

MOST_ON_SLIDE = 600
"""The maximum number of nodes on a slide. With letters of 9 pixels, about 150 terminal nodes fit side by side."""


def fit_tree(
    tree: GameTree, profile: TreeProfile | None, options: DrawOptions, sequential: SequentialVerdict | None = None
) -> Fitted:
    """Return the picture of *tree* with *profile*, and with the beliefs of the proof *sequential*, if it is given.

    Raises ``PictureTooLargeError``, and ``PictureTooSmallError`` if letters would be too small for the purpose.
    """
    if options.reach is None and options.depth is None:
        check_size(len(tree), options, profile is not None)
    folded = fold(tree, profile, options)
    check_size(len(folded.nodes), options, profile is not None)
    facts = TreeFacts(tree, profile, folded, options, sequential)
    sheet = Sheet(tree, options, _description(facts), list(_legend(facts)))
    if options.style.purpose == "auto" and len(folded.nodes) > MOST_ON_SLIDE:
        sheet = sheet.for_purpose("free")
    kinds, rights = lines_of(options.style, len(facts.nodes)), directions(options.style)
    ways = [[partial(placement, facts, lines, right) for right in rights] for lines in kinds]
    return fitted(ways, sheet)


def _description(facts: TreeFacts) -> str:
    counts = facts.tree.node_counts
    parts = [
        f"Game tree of {counts['nodes']:,} nodes, {counts['terminal_nodes']:,} of them terminal, "
        f"for {', '.join(facts.tree.players)}."
    ]
    if facts.profile is not None:
        parts.append("Branches show the probabilities of the strategy profile; unreached nodes are hollow.")
    if facts.folded.hidden_nodes:
        parts.append(f"{facts.folded.hidden_nodes:,} nodes are not shown.")
    return " ".join(parts)


# --- the legend


def _legend(facts: TreeFacts) -> Iterator[LegendEntry]:
    nodes, tree, played = facts.nodes, facts.tree, facts.profile is not None
    for player, name in enumerate(tree.players):
        yield LegendEntry.node(player, facts.badges, name_of(name, player), ink(player))
    personal = [node.infoset for node in nodes if node.infoset != NONE]
    if len(set(personal)) < len(personal):
        width = 2 * (SIZES.node + ROOM.band)
        around = Stroke(((6, 0), (22, 0)), rim(0), width - 3, "legend", round=True)
        inside = Stroke(((6, 0), (22, 0)), tint(0), width - 3 - 2 * SIZES.band_line, "legend", round=True)
        yield LegendEntry.said("one information set", (around, inside), 28)
    if facts.folded.open:
        around, inside = (
            Stroke(((0, 0), (22, 0)), color, 12 - less, "legend")
            for color, less in ((rim(0), 0), (tint(0), 2 * SIZES.band_line))
        )
        yield LegendEntry.said("its other nodes are not shown", (around, inside), 22)
    if played:
        yield from _played(facts)
    if any(node.player == CHANCE for node in nodes):
        yield LegendEntry.node(CHANCE, facts.badges, "chance", optional=True)
    if any(node.payoffs for node in nodes):
        yield LegendEntry.end((("payoff" if len(tree.players) == 1 else "payoffs", INK),), optional=True)
    if facts.rounded:
        yield ROUNDED
    if facts.percent_rounded:
        yield ROUNDED_PERCENT
    if facts.folded.hidden_nodes:
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        yield LegendEntry.note("+n", f"moves folded away; {hidden:,} of {every:,} nodes are not shown", 3)


def _played(facts: TreeFacts) -> Iterator[LegendEntry]:
    yield LegendEntry.widths()
    if any(node.likely == 0 for node in facts.nodes):
        line = Stroke(((0, 0), (22, 0)), NEVER, SIZES.least_line, "legend")
        yield LegendEntry.said("never played", (line,), 22)
    if any(node.dead for node in facts.nodes):
        mark = Mark("circle", SIZES.node - 1, 0, SIZES.node - 2, PAPER, "legend", rim=GREY)
        yield LegendEntry.said("not reached", (mark,), 2 * SIZES.node - 2)
    numbers = [node.value for node in facts.nodes if node.value]
    if numbers:
        whose = facts.tree.players[0] if has_value(facts.tree) else "the mover"
        yield LegendEntry.chip(numbers, f"expected payoff of {whose}")
    if beliefs := [node.belief for node in facts.nodes if node.belief]:
        yield LegendEntry.note(beliefs[0], "belief", 2, INK)


# --- folding a public tree

TABLE_NODES = 150  # the maximum number of nodes of a public tree that fits on a page


def reach_that_fits(seen: TreeProfile, options: DrawOptions, whole: int = TABLE_NODES) -> Fraction | None:
    """Return the lowest round reach probability at which *seen* is readable after folding; None for no folding.

    The limit is *whole* nodes without folding, and ``TABLE_NODES`` nodes after folding. Letters must also be large
    enough. If no probability fits, the highest is returned, and drawing raises an error.
    """

    endless = options.style.purpose in ("auto", "free") and options.style.aspect is None

    def fits(reach: Fraction | None) -> bool:
        if endless:
            return True  # no size limit
        try:
            fit_tree(seen.tree, seen, replace(options, reach=reach))
        except (PictureTooLargeError, PictureTooSmallError):
            return False
        return True

    if len(seen.tree) <= whole and fits(None):
        return None
    reached = np.array(reaches(seen.tree, seen), dtype=float)
    digits = (10, 30) if endless else (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
    rising = [Fraction(digit, 10**zeros) for zeros in range(7, 1, -1) for digit in digits]
    # Use a slightly higher bound, so that rounding does not count nodes with exactly this reach probability.
    few = (reach for reach in rising if (reached > float(reach) * (1 + 1e-9)).sum() <= TABLE_NODES)
    return next((reach for reach in few if fits(reach)), rising[-1])
