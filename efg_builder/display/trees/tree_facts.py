"""What a picture of the view ``"tree"`` has to say: which nodes are kept (``fold``), and the words at each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ...base.rationals import Number
from ...base.words import LONG, ROUGHLY, SHORT, decimal, exact_or, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, has_value, payoffs_in_all
from ...proof.reach import ReachProduct, beliefs, expected_payoffs, reaches, settled
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions
from .style import (
    badges,
    shorten,
)

# --- which nodes are kept


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


def fold(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> Folded:
    """The nodes reached with more than ``options.reach`` and no deeper than ``options.depth``; the root always.

    Without a profile, ``options.reach`` must be None.
    """
    limit = options.reach
    sizes, infosets = tree.sizes.tolist(), tree.infoset.tolist()
    nodes: list[int] = []
    reach: list[Number] = []
    parent: list[int] = []
    hidden: list[int] = []
    stack: list[tuple[int, ReachProduct, int, int]] = [(0, ReachProduct(), NONE, 0)]
    while stack:
        node, way, above, depth = stack.pop()
        index = len(nodes)
        nodes.append(node)
        reach.append(way.likely if profile else 1)
        parent.append(above)
        k = infosets[node]
        if k == NONE:
            hidden.append(0)
            continue
        row = profile.probabilities[k] if profile else None
        moves = len(tree.infosets[k].actions)
        kept: list[tuple[int, ReachProduct, int, int]] = []
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


# --- what is said of each

LABEL_LETTERS = 36
"""Longer labels are cut in the middle; the whole of them is in the text shown on hovering."""

_TIP_NODES = 20_000
"""Trees over this size get values and beliefs only where they are asked for: both need every node."""


@dataclass(frozen=True, eq=False)
class Node:
    """A kept node. ``number`` is its own in the whole tree, ``above`` its parent's index among the kept ones.

    ``player`` moves at ``infoset``; ``dead``: the profile never reaches it, or only by a float solver's noise.
    ``action`` leads to it, with probability ``likely`` (None where nothing is known of it); ``chances``, one number or
    the ends of a range, stand beside it. ``payoffs`` are those of an end; ``value`` is the expected payoff of
    ``whose``, and ``belief`` the probability within the information set, None where they are not written. ``hidden``
    moves are folded away; ``known`` is what the text shown on hovering says of play.
    """

    number: int
    above: int
    player: int
    infoset: int
    dead: bool
    action: str
    likely: Number | None
    chances: tuple[Number, ...]
    payoffs: tuple[Number, ...]
    value: Number | None
    whose: int
    belief: Number | None
    hidden: int
    known: tuple[str, ...]

    @cached_property
    def label(self) -> str:
        """The move's name as it is drawn."""
        name, half = shorten(self.action, 10**6), LABEL_LETTERS // 2
        return name if len(name) <= LABEL_LETTERS else f"{name[:half]}…{name[1 - half :]}"

    @property
    def stub(self) -> str:
        """How many of the moves are folded away; empty for none."""
        return f"+{self.hidden}" if self.hidden else ""


def nodes_of(tree: GameTree, profile: TreeProfile | None, folded: Folded, options: DrawOptions) -> list[Node]:
    """The kept nodes by index into ``folded.nodes``, and what is known of each."""
    small = len(tree) <= _TIP_NODES
    values = expected_payoffs(tree, profile) if profile is not None and (options.values or small) else None
    believed = None
    if profile is not None and (options.beliefs or small):
        believed = beliefs(tree, reaches(tree, profile))
    paid = payoffs_in_all(tree)
    one = has_value(tree)
    kept = Counter(tree.infoset[list(folded.nodes)].tolist())
    found = []
    for index, node in enumerate(folded.nodes):
        player, k, known = int(tree.player[node]), int(tree.infoset[node]), []
        dead = folded.reach is not None and folded.reach[index] == 0
        action, likely = "", None
        chances: tuple[Number, ...] = ()
        if index:
            j, a = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
            action, chance = tree.infosets[j].actions[a], tree.infosets[j].probabilities
            likely = settled(profile.probabilities[j][a]) if profile else chance[a] if chance else None
            # Chance moves are rules, and off the path too; what is played there is part of the strategy.
            told = tree.infosets[j].player == CHANCE or not (dead and options.style.mute_offpath)
            chances = () if likely is None or not told else (likely,)
            if options.ranges is not None:
                chances = options.ranges.get((j, a), chances)
        if folded.reach is not None:
            known.append(f"reached with probability {full(folded.reach[index])}")
        if values is not None and player >= CHANCE:
            pairs = zip(tree.players, values[node], strict=True)
            known.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        belief = believed[node] if believed is not None and player >= 0 else None
        if belief is not None:
            known.append(f"belief {full(belief)}")
        alone = kept[k] == 1 and k not in folded.open
        # Of general sums nobody's payoff speaks for all where chance moves.
        valued = options.values and values is not None and not dead and (player >= 0 or (player == CHANCE and one))
        whose = 0 if one or player < 0 else player
        found.append(
            Node(
                number=node,
                above=folded.parent[index],
                player=player,
                infoset=k,
                dead=dead,
                action=action,
                likely=likely,
                chances=chances,
                payoffs=() if player >= CHANCE else paid(node),
                value=values[node][whose] if valued and values is not None else None,
                whose=whose,
                belief=belief or None if options.beliefs and not alone else None,
                hidden=folded.hidden[index],
                known=tuple(known),
            )
        )
    return found


class TreeFacts:
    """The kept nodes with the words of the picture."""

    def __init__(self, tree: GameTree, profile: TreeProfile | None, folded: Folded, options: DrawOptions) -> None:
        self.tree, self.profile, self.folded, self.options = tree, profile, folded, options
        self.nodes = nodes_of(tree, profile, folded, options)
        self.badges = badges(tree.players)
        # Layouts ask for them again and again.
        self.chance, self.payoffs = cache(self._chance_of), cache(self._payoffs_of)
        self.value, self.belief = cache(self._value_of), cache(self._belief_of)

    @property
    def rounded(self) -> bool:
        """Whether some number is rounded."""
        return any(
            ROUGHLY in text
            for node in self.nodes
            for text in (self.chance(node), self.value(node), self.belief(node), *self.payoffs(node))
        )

    def _chance_of(self, node: Node) -> str:
        """What stands beside the move's name: nothing where it is certain, or a move that a player never makes."""
        by_chance = node.above != NONE and self.nodes[node.above].player == CHANCE
        letters = LONG if by_chance else SHORT
        ends = dict.fromkeys(exact_or(percent, p, letters) for p in node.chances)
        if len(ends) == 2 or (len(node.chances) == 2 and self.profile is None):  # no width of a line tells it then
            return " to ".join(ends)
        if not node.chances:
            return ""
        mixed, never = 0 < node.chances[0] < 1, by_chance and node.chances[0] == 0
        return next(iter(ends)) if mixed or never else ""

    def _payoffs_of(self, node: Node) -> tuple[str, ...]:
        """What every player has in the end."""
        return tuple(exact_or(decimal, paid, LONG) for paid in node.payoffs)

    def _value_of(self, node: Node) -> str:
        """The expected payoff written above a node; empty at ends and where never reached."""
        return "" if node.value is None else exact_or(decimal, node.value)

    def _belief_of(self, node: Node) -> str:
        """The belief written below a node: empty where never reached, or the node is all of its information set."""
        return "" if node.belief is None else exact_or(percent, node.belief)

    def tip(self, node: Node) -> str:
        """All that is known of a node, in lines."""
        lines = [label] if (label := self.tree.node_labels.get(node.number)) else []
        if node.payoffs:
            pairs = zip(self.tree.players, self.payoffs(node), strict=True)
            lines.append("payoffs: " + ", ".join(f"{name} {paid}" for name, paid in pairs))
        else:
            who = "chance" if node.player == CHANCE else self.tree.players[node.player]
            label = self.tree.names[node.infoset]
            lines.append(f"{who}: {label}" if label else who)
        lines += node.known
        if node.hidden:
            lines.append(f"{node.hidden} moves not shown")
        if node.infoset in self.folded.open:
            lines.append("the information set has nodes that are not shown")
        return "\n".join(lines)
