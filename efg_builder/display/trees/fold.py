"""Which nodes of a tree a picture shows, and a small tree of just those to lay out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...base.rationals import Number
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset, Outcome
from ...forms.extensive.model import Ints
from ...proof.reach import Way
from ...strategies.tree_profile import Profile
from .options import DrawOptions


@dataclass(frozen=True)
class Folded:
    """The kept part of a tree.

    ``nodes`` are the kept nodes' numbers in the whole tree, in prefix order, and ``reach`` their
    probabilities (None without a profile); ``parent`` is each one's parent as an index into ``nodes`` (-1 at
    the root) and ``hidden`` how many of its moves are folded away; ``open`` are the players' information sets
    of which some nodes are kept and some are not; ``of`` is how many nodes the whole tree has.
    """

    nodes: tuple[int, ...]
    reach: tuple[Number, ...] | None
    parent: tuple[int, ...]
    hidden: tuple[int, ...]
    open: frozenset[int]
    of: int

    @property
    def hidden_nodes(self) -> int:
        """How many nodes are not shown."""
        return self.of - len(self.nodes)


def fold(tree: GameTree, profile: Profile | None, options: DrawOptions) -> Folded:
    """The nodes reached with more than ``options.reach`` and no deeper than ``options.depth``; the root always.

    Without a profile, ``options.reach`` must be None.
    """
    limit = options.reach
    sizes, infosets = tree.sizes.tolist(), tree.infoset.tolist()
    nodes: list[int] = []
    reach: list[Number] = []
    parent: list[int] = []
    hidden: list[int] = []
    stack: list[tuple[int, Way, int, int]] = [(0, Way(), NONE, 0)]
    while stack:
        node, way, above, depth = stack.pop()
        index = len(nodes)
        nodes.append(node)
        reach.append(way.likely)
        parent.append(above)
        k = infosets[node]
        if k == NONE:
            hidden.append(0)
            continue
        row = profile.probabilities[k] if profile else None
        moves = len(tree.infosets[k].actions)
        kept: list[tuple[int, Way, int, int]] = []
        child = node + 1
        for action in range(moves if depth != options.depth else 0):
            then = way.then(row[action]) if row else way
            if limit is None or then.likely > limit:
                kept.append((child, then, index, depth + 1))
            child += sizes[child]
        hidden.append(moves - len(kept))
        stack.extend(reversed(kept))
    return Folded(
        nodes=tuple(nodes),
        reach=tuple(reach) if profile else None,
        parent=tuple(parent),
        hidden=tuple(hidden),
        open=_open_sets(tree, nodes),
        of=len(tree),
    )


def _open_sets(tree: GameTree, nodes: list[int]) -> frozenset[int]:
    """The players' information sets with kept nodes and folded ones."""
    # Shifted by one, so that ends, which are in no set, count too.
    every = np.bincount(tree.infoset + 1, minlength=len(tree.infosets) + 1)[1:]
    kept = np.bincount(tree.infoset[nodes] + 1, minlength=len(tree.infosets) + 1)[1:]
    partly = np.flatnonzero((kept > 0) & (kept < every))
    return frozenset(int(k) for k in partly if tree.infosets[k].player != CHANCE)


def shadow(tree: GameTree, folded: Folded) -> GameTree:
    """A tree of the kept nodes alone, for laying out: same shape, plain labels, nothing paid.

    Members of an information set that keep different moves go into different sets, since all members of
    a set must have as many moves; a node that keeps none is an end.
    """
    children: list[list[int]] = [[] for _ in folded.nodes]
    actions = [0] * len(folded.nodes)
    for index, above in enumerate(folded.parent):
        if above != NONE:
            actions[index] = len(children[above])
            children[above].append(index)
    table: dict[tuple[int, tuple[int, ...]], int] = {}
    infosets: list[Infoset] = []
    numbers = dict.fromkeys(range(CHANCE, len(tree.players)), 0)
    column = []
    for index, node in enumerate(folded.nodes):
        if not children[index]:
            column.append(NONE)
            continue
        kept = tuple(int(tree.action[folded.nodes[child]]) for child in children[index])
        key = (int(tree.infoset[node]), kept)
        if key not in table:
            table[key] = len(infosets)
            player = tree.infosets[key[0]].player
            numbers[player] += 1
            infosets.append(_plain(player, numbers[player], len(kept)))
        column.append(table[key])
    outcome = [0 if k == NONE else NONE for k in column]
    players = tuple(f"Player {number}" for number in range(1, len(tree.players) + 1))
    nothing = Outcome(1, "end", (Fraction(0),) * len(players))
    return GameTree(
        title="layout",
        players=players,
        parent=_column(folded.parent),
        action=_column([NONE, *actions[1:]]),
        infoset=_column(column),
        outcome=_column(outcome),
        infosets=tuple(infosets),
        outcomes=(nothing,),
    )


def _column(values: Sequence[int]) -> Ints:
    return np.array(values, dtype=np.int32)


def _plain(player: int, number: int, moves: int) -> Infoset:
    labels = tuple(f"m{move}" for move in range(1, moves + 1))
    if player != CHANCE:
        return Infoset(player, number, f"s{player + 1}.{number}", labels)
    # How likely the moves are does not matter to a layout; they must only sum to 1.
    return Infoset(player, number, f"c{number}", labels, (Fraction(1, moves),) * moves)
