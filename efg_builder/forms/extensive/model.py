"""The game tree: flat, immutable, exact.

Nodes stand in prefix order (the root is 0, a subtree is a contiguous range), one entry per node in
read-only arrays. Information sets and outcomes are tables. All numbers are ``Fraction``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...base.surface import later

if TYPE_CHECKING:
    import os
    from pathlib import Path

    import networkx

    from ...equilibria.solution import Solution

Ints = npt.NDArray[np.int32]

CHANCE = -1
"""The player number of chance."""

TERMINAL = -2
"""Stands for a player at terminal nodes."""

NONE = -1
"""No parent, no action, no information set, no outcome."""


class Infoset(NamedTuple):
    """An information set, or a chance event (``player == CHANCE``, with exact ``probabilities``).

    ``player`` counts from 0; ``number`` is the set's number among its player's, as in ``.efg`` (from 1, but a file
    may have others).
    """

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None


class Outcome(NamedTuple):
    """Payoffs of all players, added up along the path; ``number`` is its number in ``.efg``."""

    number: int
    label: str
    payoffs: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class GameTree:
    """An extensive game.

    Arrays of shape (nodes,), in prefix order: ``parent`` (node, -1 at the root), ``action`` (index of the
    parent's action that leads here, -1 at the root), ``infoset`` (index into ``infosets``, -1 at terminal
    nodes), ``outcome`` (index into ``outcomes``, -1 for none). ``node_labels`` names the few nodes that
    have names. Do not write into them: they are shared.
    """

    title: str
    players: tuple[str, ...]
    parent: Ints
    action: Ints
    infoset: Ints
    outcome: Ints
    infosets: tuple[Infoset, ...]
    outcomes: tuple[Outcome, ...]
    comment: str = ""
    node_labels: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        for array in (self.parent, self.action, self.infoset, self.outcome):
            array.setflags(write=False)

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.parent)

    def __eq__(self, other: object) -> bool:
        """Whether *other* is the same game: see ``equals``."""
        return self is other or (self.equals(other) if isinstance(other, GameTree) else NotImplemented)

    def __hash__(self) -> int:
        return hash((self.title, self.players, len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """For ``pickle`` and ``copy``: the fields alone; what is derived from them is worked out anew."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restored, (values | {"node_labels": dict(self.node_labels)},)

    def __repr__(self) -> str:
        return f"<GameTree {self.title!r}: {len(self):,} nodes, {len(self.personal):,} information sets>"

    @cached_property
    def player(self) -> Ints:
        """Who moves at each node: a player from 0, ``CHANCE`` or ``TERMINAL``; shape (nodes,)."""
        movers = np.array([i.player for i in self.infosets] + [TERMINAL], dtype=np.int32)
        return _frozen(movers[self.infoset].astype(np.int32, copy=False))

    @cached_property
    def sizes(self) -> Ints:
        """The number of nodes in each node's subtree, itself included; shape (nodes,)."""
        # In prefix order a subtree ends where the next node of no greater depth stands.
        sizes = np.ones(len(self), dtype=np.int32)
        for nodes in reversed(self.levels[1:]):
            np.add.at(sizes, self.parent[nodes], sizes[nodes])
        return _frozen(sizes)

    @cached_property
    def depth(self) -> Ints:
        """Moves before each node; shape (nodes,)."""
        depth = np.zeros(len(self), dtype=np.int32)
        step, known = self.parent.copy(), self.parent >= 0
        # Pointer doubling: log2(depth) passes over the array instead of one step per node.
        depth[known] = 1
        while known.any():
            depth[known] += depth[step[known]]
            step[known] = step[step[known]]
            known = step >= 0
        return _frozen(depth)

    @cached_property
    def levels(self) -> tuple[Ints, ...]:
        """The nodes at each depth, in prefix order."""
        order = np.argsort(self.depth, kind="stable").astype(np.int32)
        return tuple(np.split(order, np.cumsum(np.bincount(self.depth))[:-1]))

    @cached_property
    def personal(self) -> tuple[int, ...]:
        """Indices of the personal players' information sets, chance left out."""
        return tuple(k for k, i in enumerate(self.infosets) if i.player != CHANCE)

    @cached_property
    def first_nodes(self) -> Mapping[int, int]:
        """The first node of each information set and chance event, by index, in the order of these nodes.

        That is Gambit's order of information sets. A set without nodes has no entry.
        """
        sets, first = np.unique(self.infoset, return_index=True)
        order = np.argsort(first)
        pairs = zip(sets[order].tolist(), first[order].tolist(), strict=True)
        return MappingProxyType({k: node for k, node in pairs if k != NONE})

    @cached_property
    def numbered(self) -> tuple[int, ...]:
        """Indices of the personal information sets, by player and number: the order in all files."""
        return tuple(sorted(self.personal, key=lambda k: (self.infosets[k].player, self.infosets[k].number)))

    @cached_property
    def by_number(self) -> Mapping[tuple[int, int], int]:
        """The index of each personal information set by player (from 0) and number."""
        return MappingProxyType({(self.infosets[k].player, self.infosets[k].number): k for k in self.numbered})

    @cached_property
    def by_label(self) -> Mapping[str, int]:
        """The index of each personal information set by its label; of several with one label, the last."""
        return MappingProxyType({self.infosets[k].label: k for k in self.personal})

    def is_terminal(self, node: int) -> bool:
        """Whether play ends at *node*."""
        return bool(self.infoset[node] == NONE)

    def children(self, node: int) -> Iterator[int]:
        """The children of *node*, in the order of its actions."""
        child, end = node + 1, node + int(self.sizes[node])
        while child < end:
            yield child
            child += int(self.sizes[child])

    @cached_property
    def node_counts(self) -> MappingProxyType[str, int]:
        """``nodes``, ``chance_nodes``, ``decision_nodes``, ``terminal_nodes``."""
        chance = int((self.player == CHANCE).sum())
        terminal = int((self.player == TERMINAL).sum())
        return MappingProxyType(
            {
                "nodes": len(self),
                "chance_nodes": chance,
                "decision_nodes": len(self) - chance - terminal,
                "terminal_nodes": terminal,
            }
        )

    @cached_property
    def payoffs(self) -> tuple[tuple[Fraction, ...], ...]:
        """The payoffs of each outcome, by index, and zeros last (so that index -1 means no outcome)."""
        return (*(o.payoffs for o in self.outcomes), (Fraction(0),) * len(self.players))

    def equals(self, other: GameTree) -> bool:
        """Whether both are the same game: same nodes, players, labels, probabilities and payoffs.

        The order in which information sets and outcomes stand in their tables does not matter.
        """
        same = (
            (self.title, self.players, self.comment) == (other.title, other.players, other.comment)
            and dict(self.node_labels) == dict(other.node_labels)
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.action, other.action)
        )
        return bool(
            same
            and _same_table(self.infoset, self.infosets, other.infoset, other.infosets)
            and _same_table(self.outcome, self.outcomes, other.outcome, other.outcomes)
        )

    def solve(self, method: str = "auto", **options: Any) -> Solution:
        """Find an equilibrium and verify it: ``efg_builder.solve``, with its options and errors."""
        found: Solution = later("equilibria.solve:solve")(self, method, **options)
        return found

    def write(self, path: str | os.PathLike[str], *, portable: bool = False) -> Path:
        """Write the tree as Gambit's ``.efg`` to *path*, whole or not at all, and return the path.

        Gambit 17 reads any such file, but adds ``_1``, ``_2``, ... to equal and empty names of players, actions and
        outcomes. Gambit 16.7 refuses labels that are not ASCII, and OpenSpiel payoffs before the ends of play and
        quotation marks in labels. *portable* makes an equal game that all three read, in ASCII, and of which Gambit
        shows the labels that the file has. Raises ``FileError``.
        """
        written: Path = later("interop.efg:write_efg")(self, path, portable=portable)
        return written

    def to_efg(self, *, portable: bool = False) -> str:
        """The text that ``write`` writes."""
        text: str = later("interop.efg:to_efg")(self, portable=portable)
        return text

    def draw(self, path: str | os.PathLike[str], strategy: Any = None, **options: Any) -> Path:
        """Draw the tree, with *strategy* on it if given: ``efg_builder.draw``, with its options and errors."""
        drawn: Path = later("display.trees:draw")(self, path, strategy, **options)
        return drawn

    def to_networkx(self) -> networkx.DiGraph[int]:
        """The tree as a ``networkx.DiGraph`` (needs the extra ``networkx``).

        Nodes carry ``player`` (name, ``"chance"`` or None), ``infoset`` (label or None), ``payoffs`` (the
        outcome's, or None); edges carry ``action`` and, after chance, ``probability``.
        """
        try:
            import networkx
        except ImportError:
            from ...base.errors import NotApplicableError

            problem = "to_networkx() needs networkx: pip install '.[networkx]' in the checkout"
            raise NotApplicableError(problem) from None
        graph: networkx.DiGraph[int] = networkx.DiGraph(title=self.title, players=self.players)
        for node in range(len(self)):
            infoset = None if self.is_terminal(node) else self.infosets[self.infoset[node]]
            who = None if infoset is None else ("chance", *self.players)[infoset.player + 1]
            number = int(self.outcome[node])
            graph.add_node(
                node,
                player=who,
                infoset=infoset.label if infoset else None,
                payoffs=self.outcomes[number].payoffs if number != NONE else None,
            )
            if node:
                above = self.infosets[self.infoset[self.parent[node]]]
                data: dict[str, Any] = {"action": above.actions[self.action[node]]}
                if above.probabilities:
                    data["probability"] = above.probabilities[self.action[node]]
                graph.add_edge(int(self.parent[node]), node, **data)
        return graph


def _restored(values: dict[str, Any]) -> GameTree:
    return GameTree(**values | {"node_labels": MappingProxyType(values["node_labels"])})


def _frozen(array: Ints) -> Ints:
    array.setflags(write=False)
    return array


def _same_table(mine: Ints, table: tuple[Any, ...], others: Ints, other_table: tuple[Any, ...]) -> bool:
    """Whether two columns point at equal entries, node for node."""
    pairs = np.unique((mine.astype(np.int64) + 1) * (len(other_table) + 1) + others + 1)
    mine_at, others_at = (side.tolist() for side in np.divmod(pairs, len(other_table) + 1))
    one, two = (None, *table), (None, *other_table)
    return all(one[a] == two[b] for a, b in zip(mine_at, others_at, strict=True))
