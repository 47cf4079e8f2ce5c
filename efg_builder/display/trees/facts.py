"""Everything a picture says of the kept nodes, as text and numbers, before it has a place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ...base.rationals import Number
from ...base.rationals import text as written
from ...forms.extensive import CHANCE, NONE, GameTree, constant_sum
from ...forms.extensive.checks import scaled_payoffs
from ...proof.reach import beliefs, expected_payoffs, reaches, settled
from ...strategies.tree_profile import Profile
from .fold import Folded
from .options import DrawOptions
from .style import alike, badges, decimal, percent, shorten

LABEL_LETTERS = 24
"""Longer labels are cut; the whole of them is in the text shown on hovering."""

_TIP_NODES = 20_000
"""Trees over this size get values and beliefs only where they are asked for: both need every node."""


@dataclass(frozen=True)
class Facts:
    """The kept nodes of ``tree`` by index into ``folded.nodes``, and what is known of each."""

    tree: GameTree
    profile: Profile | None
    folded: Folded
    options: DrawOptions

    @cached_property
    def badges(self) -> tuple[str, ...]:
        """One letter for each player."""
        return badges(self.tree.players)

    @cached_property
    def payoffs(self) -> dict[int, tuple[str, ...]]:
        """What every player has in the end, by index of the ends."""
        return {index: tuple(map(self._as_payoff, paid)) for index, paid in self._paid.items()}

    @cached_property
    def _paid(self) -> dict[int, tuple[Fraction, ...]]:
        paid, scale = scaled_payoffs(self.tree)
        return {
            index: tuple(Fraction(int(p), scale) for p in paid[node])
            for index, node in enumerate(self.folded.nodes)
            if self.tree.is_terminal(node)
        }

    @cached_property
    def _as_payoff(self) -> Callable[[Number], str]:
        """How payoffs are written, and values: the same way in the whole picture."""
        values = [value for value, _ in filter(None, map(self._value, range(len(self.folded.nodes))))]
        return alike((*values, *(p for paid in self._paid.values() for p in paid)), decimal)

    @cached_property
    def _as_probability(self) -> Callable[[Number], str]:
        """How probabilities are written, and beliefs: the same way in the whole picture."""
        indices = range(len(self.folded.nodes))
        told = [p for told in (self._told, self._belief) for p in map(told, indices) if p is not None]
        return alike((*told, *(p for index in indices for p in self._range(index) or ())), percent)

    @cached_property
    def values(self) -> list[tuple[Number, ...]] | None:
        """The players' expected payoffs at each node of the whole tree, where they are shown."""
        if self.profile is None or not (self.options.values or len(self.tree) <= _TIP_NODES):
            return None
        return expected_payoffs(self.tree, self.profile)

    @cached_property
    def beliefs(self) -> list[Number | None] | None:
        """Each node's probability within its information set, for the whole tree, where they are shown."""
        if self.profile is None or not (self.options.beliefs or len(self.tree) <= _TIP_NODES):
            return None
        return beliefs(self.tree, reaches(self.tree, self.profile))

    @cached_property
    def zero_sum_like(self) -> bool:
        """Whether one player's payoff tells the other's."""
        return len(self.tree.players) == 2 and constant_sum(self.tree) is not None

    @cached_property
    def set_sizes(self) -> dict[int, int]:
        """How many kept nodes each information set has."""
        sizes: dict[int, int] = {}
        for node in self.folded.nodes:
            k = int(self.tree.infoset[node])
            sizes[k] = sizes.get(k, 0) + 1
        return sizes

    def player(self, index: int) -> int:
        """Who moves there."""
        return int(self.tree.player[self.folded.nodes[index]])

    def dead(self, index: int) -> bool:
        """Whether the profile never reaches the node, or only by a float solver's noise."""
        return self.folded.reach is not None and self.folded.reach[index] == 0

    def action(self, index: int) -> str:
        """The move that leads to the node."""
        node = self.folded.nodes[index]
        infoset = self.tree.infosets[int(self.tree.infoset[self.tree.parent[node]])]
        return infoset.actions[int(self.tree.action[node])]

    def probability(self, index: int) -> Number | None:
        """How likely the move that leads to the node is; chance moves have one without a profile too."""
        node = self.folded.nodes[index]
        k, action = int(self.tree.infoset[self.tree.parent[node]]), int(self.tree.action[node])
        if self.profile is not None:
            return settled(self.profile.probabilities[k][action])
        row = self.tree.infosets[k].probabilities
        return row[action] if row is not None else None

    def probability_text(self, index: int) -> str:
        """What stands beside the move's name: nothing where it is certain, or where the node is never reached."""
        if (ends := self._range(index)) is not None:
            low, high = map(self._as_probability, ends)
            return f"{low} to {high}" if low != high else low if ends[0] < 1 else ""
        likely = self._told(index)
        return "" if likely is None else self._as_probability(likely)

    def _range(self, index: int) -> tuple[Number, Number] | None:
        if self.options.ranges is None or self.folded.parent[index] == NONE:
            return None
        node = self.folded.nodes[index]
        return self.options.ranges.get((int(self.tree.infoset[self.tree.parent[node]]), int(self.tree.action[node])))

    def _told(self, index: int) -> Number | None:
        if self.folded.parent[index] == NONE or self.dead(index):
            return None
        likely = self.probability(index)
        return None if likely is None or likely >= 1 else likely

    def label(self, index: int) -> str:
        """The move's name as it is drawn."""
        return shorten(self.action(index), LABEL_LETTERS)

    def value(self, index: int) -> tuple[str, int]:
        """The expected payoff written above a node and whose it is; empty at ends and where never reached."""
        found = self._value(index)
        return ("", NONE) if found is None else (self._as_payoff(found[0]), found[1])

    def _value(self, index: int) -> tuple[Number, int] | None:
        mover = self.player(index)
        if not self.options.values or self.values is None or mover < CHANCE or self.dead(index):
            return None
        if mover == CHANCE and not self.zero_sum_like:
            return None  # nobody's payoff speaks for all
        whose = 0 if self.zero_sum_like or mover == CHANCE else mover
        return self.values[self.folded.nodes[index]][whose], whose

    def belief(self, index: int) -> str:
        """The belief written below a node: empty where never reached, or the node is all of its information set."""
        likely = self._belief(index)
        return "" if likely is None else self._as_probability(likely)

    def _belief(self, index: int) -> Number | None:
        if not self.options.beliefs or self.beliefs is None or self.player(index) < 0:
            return None
        node = self.folded.nodes[index]
        k = int(self.tree.infoset[node])
        alone = self.set_sizes[k] == 1 and k not in self.folded.open
        return None if alone else self.beliefs[node] or None

    def stub(self, index: int) -> str:
        """How many of the node's moves are folded away; empty for none."""
        hidden = self.folded.hidden[index]
        return f"+{hidden}" if hidden else ""

    def tip(self, index: int) -> str:
        """All that is known of a node, in lines."""
        node = self.folded.nodes[index]
        lines = []
        if label := self.tree.node_labels.get(node):
            lines.append(label)
        if self.tree.is_terminal(node):
            pairs = zip(self.tree.players, self.payoffs[index], strict=True)
            lines.append("payoffs: " + ", ".join(f"{name} {paid}" for name, paid in pairs))
        else:
            infoset = self.tree.infosets[self.tree.infoset[node]]
            who = "chance" if infoset.player == CHANCE else self.tree.players[infoset.player]
            lines.append(f"{who}: {infoset.label}" if infoset.label else who)
        lines += self._played(index, node)
        if self.folded.hidden[index]:
            lines.append(f"{self.folded.hidden[index]} moves not shown")
        if not self.tree.is_terminal(node) and int(self.tree.infoset[node]) in self.folded.open:
            lines.append("the information set has nodes that are not shown")
        return "\n".join(lines)

    def _played(self, index: int, node: int) -> list[str]:
        lines = []
        if self.folded.reach is not None:
            lines.append(f"reached with probability {full(self.folded.reach[index])}")
        if self.values is not None and not self.tree.is_terminal(node):
            pairs = zip(self.tree.players, self.values[node], strict=True)
            lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        belief = self.beliefs[node] if self.beliefs is not None and self.player(index) >= 0 else None
        if belief is not None:
            lines.append(f"belief {full(belief)}")
        return lines


def full(value: Number) -> str:
    """All digits of a fraction, with a decimal where it is long."""
    if not isinstance(value, Fraction):
        return f"{float(value):.6g}"
    text = written(value)
    return text if len(text) <= 6 else f"{text} = {float(value):.6g}"
