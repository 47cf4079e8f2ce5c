"""``.ef``, the layouts of Gambit's gtdraw and Game Theory Explorer: where nodes stand, and no looks.

These programs draw straight lines down with the name of a move beside the middle, ovals around information sets, and
payoffs below ends, in letters of 10 points. So the places are not those of our own pictures, though found the same way.
"""

from __future__ import annotations

from ...base.errors import ParameterError
from ...base.rationals import text
from ...forms.extensive import CHANCE, NONE, TERMINAL, GameTree
from ...interop.ef import to_ef
from ...interop.efg import portable_tree
from .scene import Format, Scene, text_width
from .tree_layout import Fans, NodeRoom, Zones, across, lanes, levels, placed

Point = tuple[float, float]

_LETTERS = 0.32
"""All lengths are centimetres. Of letters the size at which DejaVu Sans is as wide as TeX's at 10 points."""

_OVAL, _LINE, _BESIDE, _GAP = 0.3, 0.4, 0.15, 0.3
"""Half the height of an oval, the height of a line of payoffs, from a line to its label, and between neighbours."""

_FANS = Fans(0.35, 1.6, 4.0)


def places(tree: GameTree) -> tuple[Point, ...]:
    """Where each node stands: to the right and down."""
    parent, infoset = tree.parent.tolist(), tree.infoset.tolist()
    own = [NONE if tree.player[node] < 0 else k for node, k in enumerate(infoset)]
    level = levels(parent, own)
    moves = [_move(tree, node) for node in range(len(tree))]
    rooms = [_room(tree, node, moves[node]) for node in range(len(tree))]
    place, low, high = across(parent, level, rooms, True, _GAP, (_GAP,))
    groups: dict[tuple[int, int], list[int]] = {}
    for node, k in enumerate(infoset):
        if k != NONE:
            groups.setdefault((level[node], k if own[node] != NONE else -1 - node), []).append(node)
    lane, counts = lanes(level, list(groups.values()), place, [_OVAL + 0.1] * len(groups))
    ends = {at for node, at in enumerate(level) if tree.player[node] == TERMINAL}
    paid = (len(tree.players) + 1) * _LINE
    zones = [Zones(0.0, paid if at in ends else 0.0, _OVAL, _OVAL, 2 * _OVAL + 0.15) for at in range(len(counts))]
    found = placed(parent, level, place, (low, high), lane, counts, zones, _FANS)
    return tuple(zip(found.across, found.along, strict=True))


def _move(tree: GameTree, node: int) -> float:
    if not node:
        return 0.0
    infoset, action = tree.infosets[tree.infoset[tree.parent[node]]], int(tree.action[node])
    label = infoset.actions[action]
    if infoset.probabilities is not None:
        label += f" ({text(infoset.probabilities[action])})"
    return text_width(label, _LETTERS)


def _room(tree: GameTree, node: int, move: float) -> NodeRoom:
    beside = 0.75 * move + _BESIDE
    if tree.player[node] == TERMINAL:
        wide = max(text_width(text(paid), _LETTERS) for paid in tree.payoffs[tree.outcome[node]]) / 2
        return NodeRoom(beside, wide, wide)
    who = "chance" if tree.player[node] == CHANCE else tree.players[tree.player[node]]
    return NodeRoom(beside, _OVAL, _OVAL + text_width(who, _LETTERS))


def write_ef(scene: Scene) -> str:
    """The game of the scene. Raises ``ParameterError`` where the scene shows less or more than it."""
    if scene.game is None:
        raise ParameterError(
            ".ef holds a whole game and where its nodes stand: leave out strategies, --view, --reach, --depth"
        )
    tree = portable_tree(scene.game)
    return to_ef(tree, places(tree))


FORMATS = (Format("ef", (".ef",), lambda scene: write_ef(scene).encode()),)
