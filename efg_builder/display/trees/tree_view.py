"""The view ``"tree"``: every node of a game tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import hypot

from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...proof.refinement import UNCHECKED, Refinement
from ...proof.sequential import SequentialVerdict
from ...strategies.tree_profile import TreeProfile
from .colors import GREY, INK, NEVER, PALE, PAPER, ink, rim, tint
from .options import LARGE, DrawOptions, check_size
from .scene import Mark, Stroke, opening
from .sizes import SIZES, edge_width, text_width
from .surround import ROUNDED, ROUNDED_PERCENT, Fitted, LegendEntry, Surround, directions, fitted, lines_of, name_of
from .tree_board import ROOM, Placement
from .tree_facts import TreeFacts, TreeNode, fold
from .tree_layout import Fans, NodeRoom, Zones, across, enters, lanes, levels, placed


def fit_tree(
    tree: GameTree,
    profile: TreeProfile | None,
    options: DrawOptions,
    sequential: SequentialVerdict | None = None,
    off_path: Refinement = UNCHECKED,
) -> Fitted:
    """Return the picture of *tree* with *profile*, and with the beliefs of the proof *sequential*, if it is given.

    The nodes that a negative verdict *off_path* names are marked.

    Raises ``PictureTooLargeError``, and ``PictureTooSmallError`` if letters would be too small for the purpose.
    """
    if not options.folds:
        check_size(len(tree), options, profile is not None)
    folded = fold(tree, profile, options)
    check_size(len(folded.nodes), options, profile is not None)
    facts = TreeFacts(tree, profile, folded, options, sequential, off_path.refuted)
    surround = Surround(tree, options, _description(facts), list(_legend(facts, off_path.empty is not None)))
    if options.style.purpose == "auto" and len(folded.nodes) > LARGE:
        surround = surround.for_purpose("free")
    kinds, rights = lines_of(options.style, len(facts.nodes)), directions(options.style)
    ways = [[partial(placement, facts, lines, right) for right in rights] for lines in kinds]
    return fitted(ways, surround)


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


def _legend(facts: TreeFacts, in_subgame: bool) -> Iterator[LegendEntry]:
    """Yield the entries. *in_subgame*: whether the marked nodes, if any, are the first of a subgame."""
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
    if facts.subgames:
        node = Mark("circle", SIZES.node + 2, 0, SIZES.node - 3, PALE, "legend")
        arc = replace(opening((SIZES.node + 2, 0), True, SIZES.node + 1), role="legend")
        yield LegendEntry.said("a subgame begins", (arc, node), 2 * SIZES.node - 1)
    if facts.refuted:
        node = Mark("circle", SIZES.node, 0, SIZES.node, PAPER, "legend", rim=INK)
        said = "a player gains in this subgame" if in_subgame else "not best, whatever the belief"
        yield LegendEntry.said(said, (node, replace(node, r=SIZES.node - 3, color=PALE, rim="")), 2 * SIZES.node)
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


# --- the layout

GAPS = (12.0, 5.0)  # additional distances between sibling subtrees, by the depth of their parent
_FANS = {
    ("elbow", True): Fans(1 / 8, 26.0, 90.0),
    ("elbow", False): Fans(1 / 24, 10.0, 26.0),
    ("straight", True): Fans(1 / 8, 6.0, 70.0),
    ("straight", False): Fans(1 / 16, 12.0, 40.0),
}
"""The fans by the kind of branch and by direction (True means right)."""


def placement(facts: TreeFacts, lines: str, right: bool, along: float = 0.0, spread: float = 1.0) -> Placement:
    """Return the layout of *facts*. *along* is added to the length of fans; *spread* multiplies distances across."""
    nodes, parent, straight = facts.nodes, facts.folded.parent, lines == "straight"
    members = Counter(node.infoset for node in nodes)
    level = levels(parent, [node.infoset if members[node.infoset] > 1 else NONE for node in nodes])
    rows = [node.payoffs for node in nodes]
    columns = tuple(
        max((text_width(row[p], SIZES.label) for row in rows if row), default=0.0) for p in range(max(map(len, rows)))
    )
    place, low, high = _across(facts, level, right, straight, spread)
    groups, pads = _groups(facts, level)
    lane, counts = lanes(level, groups, place, pads)
    beside, after = _levels_of_ends(facts, level, place, groups, pads, straight)
    zones = _zones(facts, level, counts, right, columns, straight, beside)
    beyond: list[float] = []
    if right:
        deeper = [zone.labels + zone.paid for zone in zones[1:]] + [0.0]
        beyond = [(_paid_room(columns) - room if at in after else 0.0) for at, room in enumerate(deeper)]
    elif straight:
        beyond = _beyond_labels(facts, level, place, zones)
    fans = _FANS[lines, right]
    fans = replace(fans, share=fans.share / spread, extra=along, beyond=beyond)  # spreading must not lengthen fans
    found = placed(parent, level, place, (low, high), lane, counts, zones, fans)
    last = max((at for at, row in zip(found.along, rows, strict=True) if row), default=0.0)
    long = max(found.height, last + _paid_room(columns))
    size = (long, found.width) if right else (found.width, found.height)
    # If a right-aligned payoff would be far from its node, align all payoffs to the left.
    pairs = ((wide, text_width(one, SIZES.label)) for row in rows for one, wide in zip(row, columns, strict=False))
    ragged = any(wide - narrow > ROOM.far for wide, narrow in pairs)
    return Placement(*size, facts, lines, found, columns, ragged, right=right, steps=max(level))


def _across(
    facts: TreeFacts, level: Sequence[int], right: bool, straight: bool, spread: float
) -> tuple[tuple[float, ...], float, float]:
    """Return the position of each node across, and the extents of the picture beyond its two outermost nodes."""
    nodes = facts.nodes
    noted = any(node.value or node.belief or node.stub or node.each for node in nodes)
    ends = sum(1 for node in nodes if node.payoffs)
    row = max(ROOM.open_end + 7 if facts.folded.open else 22.0, min(34.0, ROOM.small / max(ends, 1)))
    share = ROOM.staggered if straight else 1.0
    rooms = [_room(facts, index, row, right, noted, share) for index in range(len(nodes))]
    gap, gaps = (0.0, GAPS) if right else (ROOM.leaf_gap, (10.0,))
    place, low, high = across(facts.folded.parent, level, rooms, not right, gap, gaps)
    place = tuple(spread * one for one in place)
    if straight and not right:  # the outermost labels need their full width
        whole = [_room(facts, index, row, right, noted, 1.0) for index in range(len(nodes))]
        low = max([low, *(room.before - at for room, at in zip(whole, place, strict=True))])
        high = max([high, *(room.after + at - max(place) for room, at in zip(whole, place, strict=True))])
    return place, low, high


def _levels_of_ends(
    facts: TreeFacts,
    level: Sequence[int],
    place: Sequence[float],
    groups: Sequence[Sequence[int]],
    pads: Sequence[float],
    straight: bool,
) -> tuple[set[int], set[int]]:
    """Return the levels with terminal nodes beside a band, and the levels with terminal nodes after the lanes."""
    nodes = facts.nodes
    # Only bands of information sets can be between the rows of two subtrees.
    bands = [
        (level[group[0]], place[group[0]] - pad, place[group[-1]] + pad)
        for group, pad in zip(groups, pads, strict=True)
        if len(group) > 1 or nodes[group[0]].infoset in facts.folded.open
    ]
    ends = [(at, row) for at, row, node in zip(level, place, nodes, strict=True) if node.payoffs]
    # A branch to a terminal node must not cross a band, because the node would look like a member.
    beside = {at for at, row in ends if any(at == band and a < row < b for band, a, b in bands)}
    after = {at for at, row in ends if not straight or any(at < band and a < row < b for band, a, b in bands)}
    return beside, after - beside


def _paid_room(columns: Sequence[float]) -> float:
    return 9 + sum(columns) + ROOM.pay_gap * len(columns)


def _room(facts: TreeFacts, index: int, row: float, right: bool, noted: bool, share: float) -> NodeRoom:
    node = facts.nodes[index]
    goes_on = (ROOM.open_end + ROOM.open_gap / 2) if node.infoset in facts.folded.open else 0.0
    if right:
        # Notes are above and below inner nodes.
        half = row / 2
        if noted and not node.payoffs:
            half = max(half, SIZES.node + 1.5 + (SIZES.note + 2) * bool(node.value or node.belief or node.stub))
        half = max(half, goes_on)
        return NodeRoom(row / 2, row / 2, half, half)
    label = ROOM.away + 2.5 + max(node.widths) * share if any(node.widths) else 0.0
    sides = (label, ROOM.other) if facts.first_half[index] else (ROOM.other, label)
    if node.payoffs:
        wide = max(text_width(paid, SIZES.label) for paid in node.payoffs) / 2
        return NodeRoom(*sides, wide, wide)
    least = max(SIZES.node + 2, goes_on)
    texts = (node.value, node.belief, node.stub, node.each)
    notes = [SIZES.node + 4 + text_width(text, SIZES.note) for text in texts if text]
    return NodeRoom(*sides, least, max([least, *notes]))


def _groups(facts: TreeFacts, level: Sequence[int]) -> tuple[list[list[int]], list[float]]:
    """Return the groups of nodes that share a lane, and the extent of each group's band beyond its nodes."""
    groups: dict[tuple[int, int], list[int]] = {}
    for index, node in enumerate(facts.nodes):
        if not node.payoffs:
            groups.setdefault((level[index], node.infoset if node.infoset != NONE else -1 - index), []).append(index)
    goes_on = facts.folded.open
    pads = [ROOM.open_end + ROOM.open_gap / 2 if k in goes_on else SIZES.node + ROOM.band + 3 for _, k in groups]
    return list(groups.values()), pads


def _zones(
    facts: TreeFacts,
    level: Sequence[int],
    counts: Sequence[int],
    right: bool,
    columns: Sequence[float],
    straight: bool,
    beside: Container[int],
) -> list[Zones]:
    """Return the zones of each level. *beside* contains the levels with terminal nodes between members of a band."""
    size = len(counts)
    labels, chances = [0.0] * size, [0.0] * size
    to_inner, to_end = [0.0] * size, [0.0] * size  # the room for a label before an inner node and a terminal node
    moves = Counter(facts.folded.parent)
    many = [0] * size
    ending, valued, notes, marks = [False] * size, [0.0] * size, [0.0] * size, [0.0] * size
    for index, (at, enter) in enumerate(zip(level, enters(facts.folded.parent, level), strict=True)):
        node = facts.nodes[index]
        ending[at] |= bool(node.payoffs)
        valued[at] = max(valued[at], SIZES.note * bool(node.value), (SIZES.label - 6) * bool(node.each))
        written = (text_width(note, SIZES.note) + 9 for note in (node.value, node.belief, node.stub) if note)
        words = (text_width(word, SIZES.label) + 3 for word in node.each.split())
        marked = ROOM.opening - SIZES.node if index in facts.subgames or index in facts.refuted else 0.0
        notes[at] = max([notes[at], marked, *written, *words])
        marks[at] = max(marks[at], marked)
        many[enter] = max(many[enter], moves[node.above])
        labels[enter] = max(labels[enter], node.widths[0])
        chances[enter] = max(chances[enter], node.widths[1])
        room, least = (to_end, 4) if node.payoffs else (to_inner, 8)
        room[enter] = max(room[enter], 10 + node.inline_width + 2 * bool(node.chance) + least)
    found = []
    edge = SIZES.node + ROOM.band
    for at in range(size):
        if right:
            paid = _paid_room(columns) - ROOM.pay_gap / 2 if at in beside else 0.0
            whole = max(to_inner[at], to_end[at] + paid) if at else 0.0
            after = edge + max(notes[at], SIZES.end + 3)
            found.append(Zones(whole - paid, paid, edge + notes[at], after, 2 * edge + 1.5 + notes[at]))
            continue
        parting = _parting(many[at]) if straight and not chances[at] else 0.0
        lines = bool(labels[at]) + bool(chances[at]) + parting
        paid = SIZES.end + 3 + len(columns) * ROOM.line if ending[at] else 0.0
        # A label beside an elbow cannot move, so the box of an expected payoff leaves space for descenders.
        before = edge + max(marks[at], valued[at] + (1 if straight else 4) if valued[at] else 0.0)
        found.append(Zones(lines * ROOM.line + 4 if lines else 2.0, paid, before, edge, before + edge + 1.5))
    return found


_LONGEST_FAN = 64  # the maximum length of a fan that separates branches before their labels, in pixels


def _beyond_labels(
    facts: TreeFacts, level: Sequence[int], place: Sequence[float], zones: Sequence[Zones]
) -> list[float]:
    """Return, for each level of a downward tree, a length of the fan that makes room for labels between branches."""
    found = [0.0] * len(zones)
    for above, siblings in facts.children.items():
        at, middle = level[above], place[above]
        for pair in pairwise(siblings):
            for one, other in (pair, pair[::-1]):
                if (one == pair[0]) != facts.first_half[one]:  # the label is between the two branches
                    spans = (place[one] - middle, place[other] - middle)
                    needed = _fan_for_label(facts.nodes[one], spans, zones[at + 1].labels)
                    found[at] = max(found[at], needed)
    return found


def _fan_for_label(node: TreeNode, spans: tuple[float, float], labels: float) -> float:
    """Return the length of a fan, before *labels*, that makes room for a label between its branch and the next branch.

    *spans* are the extents of the two branches across. If no length suffices, return 0.
    """
    edge = SIZES.node + ROOM.band
    tall = ROOM.line * (bool(node.label) + bool(node.chance))
    for fan in range(0, _LONGEST_FAN, 4):
        long = 2 * edge + fan + labels
        own, other = (away * hypot(span, long) / long for away, span in zip((1, ROOM.nearest), spans, strict=True))
        needed = max(node.widths) + ROOM.away * (own + other) + edge_width(1) + ROOM.words
        if abs(spans[0] - spans[1]) * (long - edge - tall) / long >= needed:
            return fan
    return 0.0


def _parting(moves: int) -> float:
    """Return the distance, in lines of text, over which the branches of a node separate before their labels."""
    return 0.0 if moves < 4 else 0.6 if moves < 6 else 0.2 * min(moves, 12)
