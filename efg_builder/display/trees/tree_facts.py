"""The contents of a tree's picture: the shown nodes, and the texts at each node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...base.rationals import ROUGHLY, Number
from ...base.words import LONG, Notation, amount, full, notation
from ...forms.extensive import CHANCE, NONE, GameTree, has_value, kept, payoffs_in_all
from ...forms.subgames import subgames
from ...proof.reach import ReachProduct, beliefs, expected_payoffs, reaches, settled
from ...proof.sequential import SequentialVerdict
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions
from .scene import payoff_texts
from .sizes import SIZES, badge_size, badges, before_probability, cut_inside, shorten, text_width

# --- the shown nodes


@dataclass(frozen=True)
class Folded:
    """The shown nodes of a tree, each with an index."""

    nodes: tuple[int, ...]  # each node's number in the whole tree, in prefix order
    reach: tuple[Number, ...] | None  # each node's reach probability; None without a profile
    parent: tuple[int, ...]  # the index of each node's parent, -1 at the root
    hidden: tuple[int, ...]  # for each node, the number of hidden moves
    open: frozenset[int]  # the players' information sets, of at least two actions, with both shown and hidden nodes
    of: int  # the number of nodes in the whole tree

    @property
    def hidden_nodes(self) -> int:
        return self.of - len(self.nodes)


def fold(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> Folded:
    """Return the nodes whose reach probability is above ``options.reach`` and whose depth is at most ``options.depth``.

    The root is always included. Without a profile, ``options.reach`` must be None.
    """
    parents, sizes, depths = tree.parent.tolist(), tree.sizes.tolist(), tree.depth.tolist()
    at: dict[int, int] = {}  # the index of each shown node
    reach: list[ReachProduct] = []
    parent: list[int] = []
    hidden: list[int] = []
    node = 0
    while node < len(tree):
        above = at.get(parents[node], NONE)
        way, kept = ReachProduct(), True
        if node:
            k = tree.infoset[parents[node]]
            way = reach[above].then(profile.probabilities[k][tree.action[node]]) if profile else way
            kept = options.reach is None or way.likely > options.reach
            kept &= options.depth is None or depths[node] <= options.depth
        if not kept:
            node += sizes[node]
            continue
        at[node] = len(at)
        reach.append(way)
        parent.append(above)
        hidden.append(0 if tree.is_terminal(node) else len(tree.infosets[tree.infoset[node]].actions))
        if node:
            hidden[above] -= 1
        node += 1
    nodes = list(at)
    likely = tuple(way.likely for way in reach) if profile else None
    return Folded(tuple(nodes), likely, tuple(parent), tuple(hidden), _open_sets(tree, nodes), len(tree))


def _open_sets(tree: GameTree, nodes: list[int]) -> frozenset[int]:
    # Indices are shifted by one, because terminal nodes have the information set -1.
    every = np.bincount(tree.infoset + 1, minlength=len(tree.infosets) + 1)[1:]
    kept = np.bincount(tree.infoset[nodes] + 1, minlength=len(tree.infosets) + 1)[1:]
    partly = np.flatnonzero((kept > 0) & (kept < every))
    return frozenset(int(k) for k in partly if _is_choice(tree, int(k)))


def _is_choice(tree: GameTree, k: int) -> bool:
    """Return whether a player decides at the information set *k*: a single action leaves no choice."""
    return tree.infosets[k].player != CHANCE and len(tree.infosets[k].actions) > 1


@kept
def proper_subgames(tree: GameTree) -> Set[int]:
    """Return the first nodes of all proper subgames; with perfect information, return none, as each node begins one."""
    several = np.flatnonzero(np.bincount(tree.infoset[tree.infoset != NONE]) > 1)
    return frozenset(subgames(tree)[1:]) if any(_is_choice(tree, int(k)) for k in several) else frozenset()


# --- the texts at each node

LABEL_LETTERS = 36  # the maximum length of a label; longer labels are cut in the middle
_TIP_NODES = 20_000  # the maximum number of nodes of a tree whose tooltips have values and beliefs by default


@dataclass(frozen=True, eq=False)
class TreeNode:
    """A shown node with its texts; empty texts are not drawn."""

    number: int  # the number in the whole tree
    above: int  # the index of the parent
    player: int
    infoset: int  # the player's information set; NONE for chance, terminal nodes and sets with a single action
    dead: bool  # whether the reach probability is 0, apart from rounding errors
    action: str  # the move to the node
    likely: Number | None  # the probability of that move; None if unknown
    chance: str  # the probability of that move as text
    payoffs: tuple[str, ...]  # the payoffs of a terminal node
    value: str  # the expected payoff
    whose: int  # the player with that expected payoff
    belief: str  # the probability of the node within its information set
    hidden: int  # the number of hidden moves
    each: str  # the common probability of the chance moves at the root, empty if they differ
    tip: str  # the tooltip

    @cached_property
    def label(self) -> str:
        return cut_inside(shorten(self.action, 10**6), LABEL_LETTERS)

    @cached_property
    def inline(self) -> str:
        """The label before a probability on the same line."""
        return before_probability(self.label, self.chance)

    @cached_property
    def inline_width(self) -> float:
        """The width of the label and the probability on one line, in pixels."""
        beside = 5.0 if self.label and self.chance else 0.0
        return text_width(self.inline, SIZES.label) + beside + self.widths[1]

    @cached_property
    def widths(self) -> tuple[float, float]:
        """The widths of the label and of the move's probability, in pixels."""
        return text_width(self.label, SIZES.label), text_width(self.chance, SIZES.label, True)

    @property
    def stub(self) -> str:
        return f"+{self.hidden}" if self.hidden else ""


@dataclass(frozen=True)
class _Step:
    """The move to a node. ``shown`` contains the probabilities at the branch: none, one, or both ends of a range."""

    action: str = ""
    likely: Number | None = None
    by_chance: bool = False
    shown: tuple[Number, ...] = ()
    row: tuple[Number, ...] = ()  # the probabilities of all moves at the information set


@dataclass(frozen=True)
class _Notations:
    """The notations of chance probabilities, and of all other probabilities in the picture."""

    chance: Notation
    players: Notation

    @classmethod
    def of(cls, steps: Sequence[_Step], beliefs: Iterable[Number]) -> _Notations:
        rules = [p for step in steps if step.by_chance for p in step.shown]
        others = [*(p for step in steps if not step.by_chance for p in step.shown), *beliefs]
        chance = notation(rules, rules=True)
        return cls(chance, notation(others if chance.fractions else [*rules, *others]))

    def written(self, step: _Step) -> str:
        """Return the probabilities at a branch as text; a range whose ends have the same text is one number."""
        write = self.chance if step.by_chance else self.players
        row = step.shown if len(step.shown) > 1 else step.row
        return " to ".join(dict.fromkeys(write(p, row) for p in step.shown))

    @property
    def rounded(self) -> bool:
        return self.chance.rounded or self.players.rounded


class _Texts:
    """The numbers and notations from which the texts at nodes are made."""

    def __init__(
        self,
        tree: GameTree,
        profile: TreeProfile | None,
        folded: Folded,
        options: DrawOptions,
        sequential: SequentialVerdict | None,
    ) -> None:
        self.tree, self.folded, self.options = tree, folded, options
        small = len(tree) <= _TIP_NODES
        self.values: Sequence[Sequence[Number]] | None = None
        self.believed: Sequence[Number | None] | None = None
        self.off_path = set[int]()
        if profile is not None and (options.values or small):
            self.values = expected_payoffs(tree, profile)
        if profile is not None and (options.beliefs or small):
            self.believed = beliefs(tree, reaches(tree, profile))
            if sequential is not None:
                self.off_path = {index for index, belief in enumerate(self.believed) if belief is None}
                self.believed = [sequential.beliefs.get(node) for node in range(len(tree))]
        self.kept = Counter(tree.infoset[list(folded.nodes)].tolist())
        self.paid, self.one = payoffs_in_all(tree), has_value(tree)
        self.each = _uniform_chance(tree, options)
        self.steps = [_step_to(tree, profile, options, node, self.each) if node else _Step() for node in folded.nodes]
        self.beliefs = [self._shown_belief(node) for node in folded.nodes]
        self.write = _Notations.of([*self.steps, self.each], (p for p in self.beliefs if p is not None))

    def _choice(self, node: int) -> int:
        """Return the information set of a player with a choice at *node*; otherwise ``NONE``."""
        k = int(self.tree.infoset[node])
        return k if k != NONE and _is_choice(self.tree, k) else NONE

    def _shown_belief(self, node: int) -> Number | None:
        k = self._choice(node)
        if k == NONE or self.believed is None or not self.options.beliefs:
            return None
        if self.kept[k] == 1 and k not in self.folded.open:
            return None
        return self.believed[node] if self.believed[node] or node in self.off_path else None

    def node(self, index: int) -> TreeNode:
        tree, write, node = self.tree, self.write, self.folded.nodes[index]
        player, step, shown_belief = int(tree.player[node]), self.steps[index], self.beliefs[index]
        reach = None if self.folded.reach is None else self.folded.reach[index]
        payoffs = () if player >= CHANCE else tuple(amount(payoff, LONG) for payoff in self.paid(node))
        whose = 0 if self.one or player < 0 else player
        return TreeNode(
            number=node,
            above=self.folded.parent[index],
            player=player,
            infoset=self._choice(node),
            dead=reach == 0,
            action=step.action,
            likely=step.likely,
            chance=write.written(step),
            payoffs=tuple(text for text, _ in payoff_texts(payoffs)),
            value="" if reach == 0 else self._value(node, player, whose),
            whose=whose,
            belief="" if shown_belief is None else write.players(shown_belief),
            hidden=self.folded.hidden[index],
            each=f"each {write.written(self.each)}" if self.each.shown and not node else "",
            tip="\n".join(filter(None, self._tip(index, node, payoffs, reach))),
        )

    def _value(self, node: int, player: int, whose: int) -> str:
        # In a general-sum game, a chance node has no mover whose payoff could be shown.
        valued = player >= 0 or (player == CHANCE and self.one)
        if self.values is None or not self.options.values or not valued:
            return ""
        return amount(self.values[node][whose])

    def _tip(self, index: int, node: int, payoffs: tuple[str, ...], reach: Number | None) -> Iterator[str | None]:
        yield self.tree.node_labels.get(node)
        yield _about(self.tree, node, payoffs)
        if reach is not None:
            yield f"reached with probability {full(reach)}"
        if self.values is not None and not payoffs:
            yield _named("expected payoffs", self.tree, map(full, self.values[node]))
        belief = None if self.believed is None or self._choice(node) == NONE else self.believed[node]
        if belief is not None:
            yield f"belief {full(belief)}"
        if hidden := self.folded.hidden[index]:
            yield f"{hidden} moves not shown"
        if int(self.tree.infoset[node]) in self.folded.open:
            yield "the information set has nodes that are not shown"


def _uniform_chance(tree: GameTree, options: DrawOptions) -> _Step:
    """Return the common probability of the root's chance moves; no number if they differ, or if ranges are shown."""
    k = int(tree.infoset[0])
    rule = tree.infosets[k].probabilities if k != NONE and options.ranges is None else None
    if rule is None or len(rule) < 2 or len(set(rule)) > 1:
        return _Step(by_chance=True)
    return _Step(by_chance=True, shown=rule[:1])


def _about(tree: GameTree, node: int, payoffs: tuple[str, ...]) -> str:
    if payoffs:
        return _named("payoffs", tree, payoffs)
    player, label = int(tree.player[node]), tree.names[int(tree.infoset[node])]
    who = "chance" if player == CHANCE else tree.players[player]
    return f"{who}: {label}" if label else who


def _named(what: str, tree: GameTree, numbers: Iterable[str]) -> str:
    return f"{what}: " + ", ".join(map(" ".join, zip(tree.players, numbers, strict=True)))


def _step_to(tree: GameTree, profile: TreeProfile | None, options: DrawOptions, node: int, each: _Step) -> _Step:
    """Return the move to *node*, with the probabilities to show. A move without a name has its number.

    No probability is shown if the move is certain, if a player never makes it, or if the root states the probability
    *each* of this chance move.
    """
    k, a = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
    infoset = tree.infosets[k]
    rule, by_chance = infoset.probabilities, infoset.player == CHANCE
    row: tuple[Number, ...] = rule or ()
    if profile:
        row = tuple(map(settled, profile.probabilities[k]))
    likely = row[a] if row else None
    ends: tuple[Number, ...] = () if likely is None else (likely,)
    if by_chance and each.shown and set(rule or ()) == set(each.shown):
        ends = ()
    if options.ranges is not None:
        ends = options.ranges.get((k, a), ends)
    # With a profile, probabilities 0 and 1 need no text, because the line width shows them.
    ranged = len(ends) == 2 and (profile is None or ends[0] != ends[1])
    single = bool(ends) and (0 < ends[0] < 1 or (by_chance and ends[0] == 0))
    shown = ends if ranged else ends[:1] if single else ()
    return _Step(infoset.actions[a] or str(a + 1), likely, by_chance, shown, row)


class TreeFacts:
    """The shown nodes of a picture, with their texts."""

    def __init__(
        self,
        tree: GameTree,
        profile: TreeProfile | None,
        folded: Folded,
        options: DrawOptions,
        sequential: SequentialVerdict | None,
        refuted: Container[int] = (),
    ) -> None:
        """Collect the texts. *refuted*: the numbers of nodes whose moves are not best, which are marked."""
        self.tree, self.profile, self.folded = tree, profile, folded
        begins = proper_subgames(tree)
        self.subgames = {index for index, node in enumerate(folded.nodes) if node in begins}
        self.refuted = {index for index, node in enumerate(folded.nodes) if node in refuted}
        texts = _Texts(tree, profile, folded, options, sequential)
        self.nodes = [texts.node(index) for index in range(len(folded.nodes))]
        self.percent_rounded = texts.write.rounded
        self.badges = badges(tree.players)
        self.children: dict[int, list[int]] = {}  # by parent; the root's parent is NONE
        for index, above in enumerate(folded.parent):
            self.children.setdefault(above, []).append(index)
        self.first_half = self._first_halves()

    def _first_halves(self) -> list[bool]:
        """Return, for each node, whether it is in the first half of its siblings; a middle child is not."""
        first = {index for each in self.children.values() for index in each[: len(each) // 2]}
        return [index in first for index in range(len(self.nodes))]

    @property
    def letters(self) -> float:
        """The smallest font size of the texts, in pixels."""
        sizes = {badge_size(self.badges[node.player]) for node in self.nodes if node.player >= 0}
        noted = any(node.value or node.belief or node.stub for node in self.nodes)
        return min(SIZES.label, *sizes, SIZES.note if noted else SIZES.label)

    @property
    def rounded(self) -> bool:
        """Whether any payoff in the picture is rounded."""
        texts = (text for node in self.nodes for text in (node.value, *node.payoffs))
        return any(ROUGHLY in text for text in texts)
