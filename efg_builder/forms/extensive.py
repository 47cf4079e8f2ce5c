"""The extensive form: game trees as read-only arrays, their properties, and their construction from rules."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property, partial, wraps
from itertools import count, islice
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np
import numpy.typing as npt

from .._later import later
from ..base.errors import TreeTooLargeError, check_kind
from ..base.rationals import text
from ..base.words import BUILDING, all_named, distinct, one_line, quiet
from ..games import checks
from ..games.protocol import (
    Chance,
    Deal,
    DealtGame,
    Decision,
    End,
    Game,
    PublicDecision,
    PublicEnd,
    PublicSize,
    Size,
    State,
    Wrong,
    check_turn,
    in_module_of_games,
    in_prefix_order,
    told,
)

if TYPE_CHECKING:
    import os
    from pathlib import Path
    from typing import Unpack

    import networkx

    from ..display.trees import Picture
    from ..display.trees.options import DrawSettings
    from ..display.trees.subject import Named, Playable
    from ..equilibria.solution import Solution

Ints = npt.NDArray[np.int32]
Kept = TypeVar("Kept")

CHANCE = -1  # the player number at chance nodes
TERMINAL = -2  # the player number at terminal nodes
NONE = -1
"""The index for a missing parent, action, information set or outcome."""

NODE_COUNTS = ("nodes", "chance_nodes", "decision_nodes", "terminal_nodes")

NUMBERED = re.compile(r"set (\d{1,9})\Z", re.ASCII)
"""The pattern of names such as ``set 3``, which contain an information set's number."""

MOST_NAMED_BY_MOVES = 2_000
"""Up to this many information sets without unique labels are named by moves. If there are more, numbers are used."""


class Infoset(NamedTuple):
    """An information set, or a chance event (``player == CHANCE``, with exact ``probabilities``).

    Players are numbered from 0. ``number`` is the number in ``.efg`` files.
    """

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """The probabilities of a chance event; empty for an information set."""
        return self.probabilities or ()


class Outcome(NamedTuple):
    """Payoffs of all players, added up along a path. ``number`` is the number in ``.efg`` files."""

    number: int
    label: str
    payoffs: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game in extensive form, as returned by ``eb.build`` and ``eb.read_efg``.

    Nodes are numbered in prefix order: the root is 0, and a subtree is a contiguous range. All arrays are read-only.
    Every name and label is one line: line breaks and other control characters become blanks. In the comment, only line
    breaks remain.

    Attributes
    ----------
    title, comment : str
        The title and the comment, as in an ``.efg`` file.
    players : tuple of str
        The players' names. In all other fields, players are numbered from 0.
    parent, action : int32 arrays, shape (nodes,)
        Each node's parent, and the index of the parent's action that leads to the node; -1 at the root.
    infoset, outcome : int32 arrays, shape (nodes,)
        The index in ``infosets`` of each node's information set or chance event, and the index in ``outcomes`` of each
        node's outcome; -1 if there is none.
    infosets : tuple of Infoset
        Information sets and chance events: ``player`` (-1 for chance), ``number``, ``label``, ``actions``,
        ``probabilities``.
    outcomes : tuple of Outcome
        Outcomes: ``number``, ``label`` and exact ``payoffs``. Payoffs along a path are added.
    node_labels : mapping of int to str
        The labels of labeled nodes.
    game : Game or None
        The rules; None if the tree was read from a file, cut or changed.
    origin : object or None
        The pygambit game, or the rules of the OpenSpiel game, that the tree was built from, if any.

    Examples
    --------
    >>> import efg_builder as eb
    >>> tree = eb.build("kuhn")
    >>> len(tree), tree.players, tree.infosets[1].actions
    (55, ('Player 1', 'Player 2'), ('check', 'bet'))
    >>> [tree.infosets[0].actions[tree.action[node]] for node in tree.children(0)][:2]
    ['1 vs 2', '1 vs 3']
    """

    title: str
    players: tuple[str, ...]
    parent: Ints  # [node]: NONE at the root
    action: Ints  # [node]: index of the parent's action that leads here, NONE at the root
    infoset: Ints  # [node]: index into infosets, NONE at terminal nodes
    outcome: Ints  # [node]: index into outcomes, or NONE
    infosets: tuple[Infoset, ...]
    outcomes: tuple[Outcome, ...]
    comment: str = ""
    node_labels: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))  # labeled nodes only
    game: Game | None = field(init=False, default=None)  # the rules; None if the tree was read, cut or changed
    origin: Any = field(init=False, default=None, repr=False)  # the pygambit game or the rules of the OpenSpiel game
    _kept: dict[Any, Any] = field(init=False, default_factory=dict, repr=False)  # results of functions with ``kept``

    def __post_init__(self) -> None:
        for column in (self.parent, self.action, self.infoset, self.outcome):
            column.setflags(write=False)
        for name, fit in _fit_names(self).items():
            object.__setattr__(self, name, fit)

    def __len__(self) -> int:
        return len(self.parent)

    def __eq__(self, other: object) -> bool:
        """Return whether *other* has the same nodes, players, labels, probabilities and payoffs.

        The order of ``infosets`` and ``outcomes`` does not matter.
        """
        if self is other or not isinstance(other, GameTree):
            return True if self is other else NotImplemented
        return bool(
            (self.title, self.players, self.comment) == (other.title, other.players, other.comment)
            and dict(self.node_labels) == dict(other.node_labels)
            and np.array_equal(self.parent, other.parent)
            and np.array_equal(self.action, other.action)
            and _same_table(self.infoset, self.infosets, other.infoset, other.infosets)
            and _same_table(self.outcome, self.outcomes, other.outcome, other.outcomes)
        )

    def __hash__(self) -> int:
        return hash((self.title, self.players, len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy only the fields, without cached properties."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.init}
        return partial(GameTree, **values | {"node_labels": dict(self.node_labels)}), ()

    def __repr__(self) -> str:
        return f"<GameTree {self.title!r}: {len(self):,} nodes, {len(self.personal):,} information sets>"

    @cached_property
    def player(self) -> Ints:
        """The mover at each node: a player from 0, -1 for chance, -2 at terminal nodes; shape (nodes,)."""
        movers = np.array([i.player for i in self.infosets] + [TERMINAL], dtype=np.int32)
        return _frozen(movers[self.infoset].astype(np.int32, copy=False))

    @cached_property
    def sizes(self) -> Ints:
        """The number of nodes in each node's subtree, including the node itself; shape (nodes,)."""
        sizes = np.ones(len(self), dtype=np.int32)
        for nodes in reversed(self.levels[1:]):
            np.add.at(sizes, self.parent[nodes], sizes[nodes])
        return _frozen(sizes)

    @cached_property
    def depth(self) -> Ints:
        """The number of moves before each node; shape (nodes,)."""
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
        """The indices of the players' information sets, without chance events."""
        return tuple(k for k, i in enumerate(self.infosets) if i.player != CHANCE)

    @cached_property
    def first_nodes(self) -> Mapping[int, int]:
        """The first node of each information set and chance event, by index in ``infosets``; sorted by node."""
        sets, first = np.unique(self.infoset, return_index=True)
        order = np.argsort(first)
        pairs = zip(sets[order].tolist(), first[order].tolist(), strict=True)
        return MappingProxyType({k: node for k, node in pairs if k != NONE})

    @cached_property
    def numbered(self) -> tuple[int, ...]:
        """The indices of the players' information sets, sorted by player and number."""
        return tuple(sorted(self.personal, key=lambda k: (self.infosets[k].player, self.infosets[k].number)))

    @cached_property
    def by_number(self) -> Mapping[tuple[int, int], int]:
        """The index of each player's information set by (player, number); players are numbered from 0."""
        return MappingProxyType({(self.infosets[k].player, self.infosets[k].number): k for k in self.numbered})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The unique name of each information set in ``infosets``, for all input and output.

        The name is the label if the label is unique for the player and is not of the form ``set 3``. Otherwise the name
        states the moves that all nodes of the information set share ("start", "Strong", "after Stay"). If these moves
        are not unique, the name consists of the player's name and the information set's number ("Wesley 1").
        """
        counts = Counter((i.player, i.label) for i in self.infosets)
        by_set = {
            k: i.label
            for k, i in enumerate(self.infosets)
            if i.player == CHANCE or (i.label and counts[i.player, i.label] == 1 and not NUMBERED.match(i.label))
        }
        blank = [k for k in range(len(self.infosets)) if k not in by_set]
        if 0 < len(blank) <= MOST_NAMED_BY_MOVES:
            by_set |= _names_by_moves(self, blank, counts)
        taken = {(self.infosets[k].player, name) for k, name in by_set.items()} | set(counts)
        for k in sorted(set(blank) - by_set.keys()):
            infoset = self.infosets[k]
            name = numbered_name(self.players[infoset.player] or f"Player {infoset.player + 1}", infoset.number)
            while (infoset.player, name) in taken:  # another information set has this label
                name = f"({name})"
            by_set[k] = name
            taken.add((infoset.player, name))
        return tuple(by_set[k] for k in range(len(self.infosets)))

    @cached_property
    def by_label(self) -> Mapping[str, int]:
        """The index of each player's information set by label; the last index if labels are equal."""
        return MappingProxyType({self.infosets[k].label: k for k in self.personal})

    def is_terminal(self, node: int) -> bool:
        """Return whether play ends at *node*."""
        return bool(self.infoset[node] == NONE)

    def children(self, node: int) -> Iterator[int]:
        """Iterate over the children of *node*, in the order of its actions."""
        child, end = node + 1, node + int(self.sizes[node])
        while child < end:
            yield child
            child += int(self.sizes[child])

    @cached_property
    def node_counts(self) -> MappingProxyType[str, int]:
        """The numbers of ``nodes``, ``chance_nodes``, ``decision_nodes`` and ``terminal_nodes``.

        >>> import efg_builder as eb
        >>> dict(eb.build("kuhn").node_counts)
        {'nodes': 55, 'chance_nodes': 1, 'decision_nodes': 24, 'terminal_nodes': 30}
        """
        chance, terminal = int((self.player == CHANCE).sum()), int((self.player == TERMINAL).sum())
        counts = (len(self), chance, len(self) - chance - terminal, terminal)
        return MappingProxyType(dict(zip(NODE_COUNTS, counts, strict=True)))

    @cached_property
    def payoffs(self) -> tuple[tuple[Fraction, ...], ...]:
        """The payoffs of each outcome, followed by zeros for the index -1."""
        return (*(o.payoffs for o in self.outcomes), (Fraction(0),) * len(self.players))

    def solve(self, method: str = "auto", **options: Any) -> Solution:
        """Find an equilibrium and verify it, with the parameters and errors of ``eb.solve``."""
        found: Solution = later("GameTree.solve")(self, method, **options)
        return found

    def write(self, path: str | os.PathLike[str], *, portable: bool = False) -> Path:
        """Write the tree atomically as a Gambit ``.efg`` file, and return the path.

        Parameters
        ----------
        path : str or path
            The file; compressed if the name ends in ``.gz``.
        portable : bool, default False
            Write an equivalent game in ASCII for Gambit 16.7 and OpenSpiel. By default, the file is for Gambit 17,
            which adds ``_1``, ``_2``, ... to equal and empty names.

        Raises
        ------
        FileError
            If the file cannot be written.
        ParameterError
            If *path* is not a path.
        """
        written: Path = later("GameTree.write")(self, path, portable=portable)
        return written

    def to_efg(self, *, portable: bool = False) -> str:
        """Return the text that ``write`` writes."""
        text: str = later("GameTree.to_efg")(self, portable=portable)
        return text

    @overload
    def draw(
        self, path: None = None, strategy: Playable | Named | None = None, **settings: Unpack[DrawSettings]
    ) -> Picture: ...

    @overload
    def draw(
        self, path: str | os.PathLike[str], strategy: Playable | Named | None = None, **settings: Unpack[DrawSettings]
    ) -> Path: ...

    def draw(self, path: Any = None, strategy: Any = None, **settings: Any) -> Path | Picture:
        """Write a picture of the tree to the file *path*, and return the path.

        Parameters
        ----------
        path : path-like, optional
            The file for the picture, e.g. ``kuhn.svg``. By default, return a picture that a notebook displays.
        strategy : Solution, Strategy, str, path or mapping, optional
            The strategies to draw on the tree, as for ``efg_builder.evaluate``, e.g. ``"equilibrium"``.
        **settings
            Keyword arguments of ``efg_builder.draw``. Its documentation also lists the formats and the errors.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.build("kuhn").draw(depth=2)
        <Picture of 'Kuhn poker: 2 players, 3 cards', 720 x 685 pixels>
        """
        drawn: Path | Picture = later("GameTree.draw")(self, path, strategy, **settings)
        return drawn

    def to_networkx(self) -> networkx.DiGraph[int]:
        """Return the tree as a ``networkx.DiGraph``.

        Nodes have the attributes ``player``, ``infoset`` and ``payoffs``, which may be None. Edges have ``action`` and,
        after chance nodes, ``probability``.
        """
        import networkx

        graph: networkx.DiGraph[int] = networkx.DiGraph(title=self.title, players=self.players)
        sets, payoffs = (*self.infosets, None), (*(o.payoffs for o in self.outcomes), None)
        for node, (k, paid) in enumerate(zip(self.infoset, self.outcome, strict=True)):
            infoset = sets[k]
            player = infoset and ("chance", *self.players)[infoset.player + 1]
            graph.add_node(node, player=player, infoset=infoset and infoset.label, payoffs=payoffs[paid])
            if node:
                above = self.infosets[self.infoset[self.parent[node]]]
                data: dict[str, Any] = {"action": above.actions[self.action[node]]}
                if above.probabilities:
                    data["probability"] = above.probabilities[self.action[node]]
                graph.add_edge(int(self.parent[node]), node, **data)
        return graph


def kept(compute: Callable[[GameTree], Kept]) -> Callable[[GameTree], Kept]:
    """Decorate a function of a tree, so that its result is computed once and kept with the tree."""

    @wraps(compute)
    def once(tree: GameTree) -> Kept:
        if compute not in tree._kept:
            tree._kept[compute] = compute(tree)
        result: Kept = tree._kept[compute]
        return result

    return once


def _frozen(array: Ints) -> Ints:
    array.setflags(write=False)
    return array


def _fit_names(tree: GameTree) -> dict[str, Any]:
    """Return the texts of *tree* made fit by ``one_line``, by field; an empty dictionary if all texts are fit."""
    lists = {id(infoset.actions): infoset.actions for infoset in tree.infosets}
    labels = [infoset.label for infoset in tree.infosets] + [outcome.label for outcome in tree.outcomes]
    names = [
        tree.title,
        *tree.players,
        *labels,
        *tree.node_labels.values(),
        *(name for row in lists.values() for name in row),
    ]
    comment = "\n".join(map(one_line, tree.comment.replace("\r\n", "\n").split("\n")))
    if "".join(names).isprintable() and comment == tree.comment:
        return {}
    rows = {key: tuple(map(one_line, row)) for key, row in lists.items()}
    players = all_named(tuple(map(one_line, tree.players)))
    return {
        "title": one_line(tree.title),
        "comment": comment,
        "players": players if players == tree.players else distinct(players),
        "infosets": tuple(i._replace(label=one_line(i.label), actions=rows[id(i.actions)]) for i in tree.infosets),
        "outcomes": tuple(outcome._replace(label=one_line(outcome.label)) for outcome in tree.outcomes),
        "node_labels": MappingProxyType({node: one_line(label) for node, label in tree.node_labels.items()}),
    }


def _same_table(mine: Ints, table: tuple[Any, ...], others: Ints, other_table: tuple[Any, ...]) -> bool:
    pairs = np.unique((mine.astype(np.int64) + 1) * (len(other_table) + 1) + others + 1)
    mine_at, others_at = (side.tolist() for side in np.divmod(pairs, len(other_table) + 1))
    one, two = (None, *table), (None, *other_table)
    return all(one[a] == two[b] for a, b in zip(mine_at, others_at, strict=True))


def numbered_name(player: str, number: int) -> str:
    """Return the name of a player's information set by its number, e.g. "Wesley 1" or "Player 1, set 1"."""
    return f"{player}, set {number}" if player[-1].isdigit() else f"{player} {number}"


def shared_moves(tree: GameTree, wanted: set[int]) -> dict[int, str]:
    """Name each of the *wanted* information sets by the moves that all its nodes share; ``""`` without such moves."""
    shared: dict[int, list[tuple[int, str]]] = {}
    parents, sets, actions = tree.parent.tolist(), tree.infoset.tolist(), tree.action.tolist()
    for node, k in enumerate(sets):
        if k not in wanted:
            continue
        way: list[tuple[int, str]] = []
        above = node
        while above:
            event = tree.infosets[sets[parents[above]]]
            way.append((event.player, event.actions[actions[above]]))
            above = parents[above]
        way.reverse()
        common = shared.get(k)
        shared[k] = way if common is None else [one for one, other in zip(common, way, strict=False) if one == other]
    names = {}
    for k, way in shared.items():
        chance = [action for player, action in way if player == CHANCE]
        moves = [action for player, action in way if player != CHANCE]
        parts = [*chance, *(["after " + " ".join(moves)] if moves else [])]
        named = " ".join(", ".join(parts).split()) if all([*chance, *moves]) else ""
        names[k] = "start" if k == sets[0] and not way else named
    return names


def _names_by_moves(tree: GameTree, blank: Sequence[int], labels: Counter[tuple[int, str]]) -> dict[int, str]:
    """Return the names by moves of the *blank* information sets, if they are unique and equal none of the *labels*."""
    shared = shared_moves(tree, set(blank))
    keys = {k: (tree.infosets[k].player, name) for k, name in shared.items()}
    times = Counter(keys.values())
    return {
        k: name
        for k, name in shared.items()
        if name and times[keys[k]] == 1 and not labels[keys[k]] and not NUMBERED.match(name)
    }


def same_play(one: GameTree, other: GameTree) -> bool:
    """Return whether two trees have equal moves, information sets, probabilities and payoffs, by position.

    Titles, names, labels and numbers may differ, and payoffs may be at other nodes of a path.
    """
    alike = len(one.players) == len(other.players) and all(
        np.array_equal(mine, others)
        for mine, others in (
            (one.parent, other.parent),
            (one.action, other.action),
            (_first_node_of_set(one), _first_node_of_set(other)),
        )
    )
    if not alike:
        return False
    for mine, others in zip(one.first_nodes, other.first_nodes, strict=True):
        a, b = one.infosets[mine], other.infosets[others]
        if (a.player, len(a.actions), a.probabilities) != (b.player, len(b.actions), b.probabilities):
            return False
    ends = one.player == TERMINAL
    (paid, scale), (others_paid, other_scale) = scaled_payoffs(one), scaled_payoffs(other)
    return np.array_equal(paid[ends] * other_scale, others_paid[ends] * scale)


def _first_node_of_set(tree: GameTree) -> Ints:
    first = np.full(len(tree.infosets) + 1, NONE, dtype=np.int32)  # the last entry is for nodes without a set
    first[list(tree.first_nodes)] = list(tree.first_nodes.values())
    return first[tree.infoset]


# Properties of a tree, computed from its nodes.


@kept
def revisits(tree: GameTree) -> frozenset[int]:
    """Return the nodes that follow a node of their own information set (absent-mindedness)."""
    found, way, times = [], list[int](), [0] * (len(tree.infosets) + 1)  # the last entry is for terminal nodes
    for node, (k, depth) in enumerate(zip(tree.infoset.tolist(), tree.depth.tolist(), strict=True)):
        while len(way) > depth:
            times[way.pop()] -= 1
        if k != NONE and times[k]:
            found.append(node)
        way.append(k)
        times[k] += 1
    return frozenset(found)


@kept
def has_perfect_information(tree: GameTree) -> bool:
    """Return whether every information set of a player has only one node."""
    sets = tree.infoset[tree.player >= 0]
    return len(np.unique(sets)) == len(sets)


def own_sequences(tree: GameTree, forced: bool = True) -> npt.NDArray[np.intp]:
    """Return each player's last move before each node; shape (nodes, players).

    The number of a move is ``first_moves(tree)[infoset] + action``. An entry is -1 if the player has not moved yet. If
    not *forced*, moves at information sets with one action do not count.
    """
    starts = first_moves(tree)
    free = np.append(np.diff(starts) > 1, False) | forced
    last = np.full((len(tree), len(tree.players)), NONE, dtype=np.intp)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        last[nodes] = last[above]
        movers = tree.player[above]
        moved = (movers >= 0) & free[tree.infoset[above]]
        last[nodes[moved], movers[moved]] = starts[tree.infoset[above[moved]]] + tree.action[nodes[moved]]
    return last


def first_moves(tree: GameTree) -> npt.NDArray[np.intp]:
    """Return the index of each information set's first action in a list of all actions of the tree.

    The shape is (infosets + 1,). The last entry is the total number of actions.
    """
    widths = np.array([len(i.actions) for i in tree.infosets], dtype=np.intp)
    return np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(widths)])


def scaled_payoffs(tree: GameTree) -> tuple[npt.NDArray[np.object_], int]:
    """Return the payoffs summed along the path to each node: integers of shape (nodes, players), and a denominator."""
    scale = lcm(1, *(p.denominator for o in tree.outcomes for p in o.payoffs))
    table = np.array([[int(p * scale) for p in row] for row in tree.payoffs], dtype=object)
    paid = table[tree.outcome]
    if (tree.outcome[tree.player != TERMINAL] != NONE).any():
        for nodes in tree.levels[1:]:
            paid[nodes] += paid[tree.parent[nodes]]
    return paid, scale


def chance_reach(tree: GameTree) -> tuple[npt.NDArray[np.object_], int]:
    """Return the product of chance probabilities before each node: integers of shape (nodes,), and a denominator."""
    state = np.zeros(len(tree), dtype=np.intp)
    products = [Fraction(1)]
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        state[nodes] = state[above]
        for node in nodes[tree.player[above] == CHANCE]:
            event = tree.infosets[tree.infoset[tree.parent[node]]]
            products.append(products[state[node]] * event.chances[tree.action[node]])
            state[node] = len(products) - 1
    scale = lcm(*(p.denominator for p in products))
    return np.array([int(p * scale) for p in products], dtype=object)[state], scale


def payoffs_in_all(tree: GameTree) -> Callable[[int], tuple[Fraction, ...]]:
    """Return a function from a node to the payoffs summed along its path."""
    if (tree.outcome[tree.player != TERMINAL] == NONE).all():
        return lambda node: tree.payoffs[tree.outcome[node]]
    paid, scale = scaled_payoffs(tree)
    return lambda node: tuple(Fraction(int(p), scale) for p in paid[node])


@kept
def constant_sum(tree: GameTree) -> Fraction | None:
    """Return the constant sum of the payoffs at the terminal nodes; None if the sum is not constant."""
    if tree.outcomes and (tree.outcome[tree.player != TERMINAL] == NONE).all():
        used = np.unique(tree.outcome[tree.player == TERMINAL])
        sums = {sum(tree.payoffs[k], Fraction(0)) for k in used}
        return sums.pop() if len(sums) == 1 else None
    paid, scale = scaled_payoffs(tree)
    totals = set(paid[tree.player == TERMINAL].sum(axis=1))
    return Fraction(totals.pop(), scale) if len(totals) == 1 else None


def has_value(tree: GameTree) -> bool:
    """Return whether the game has a value: two players, and payoffs with a constant sum."""
    return len(tree.players) == 2 and constant_sum(tree) is not None


def payoff_range(tree: GameTree) -> Fraction:
    """Return the greatest difference between two payoffs of one player at terminal nodes."""
    paid, scale = scaled_payoffs(tree)
    ends = paid[tree.player == TERMINAL]
    return Fraction(max(max(column) - min(column) for column in ends.T), scale)


# Building a tree from rules.

LARGEST = 2**31 - 1
"""Maximum number of nodes; node numbers have 32 bits."""

MAX_NODES = 5_000_000
"""The default maximum number of nodes. With all derived arrays, such a tree takes about a gigabyte."""


def build(game: Game, *, max_nodes: int = MAX_NODES, progress: Callable[[str], None] = quiet) -> GameTree:
    """Return the whole tree of *game*.

    Call *progress* with one line after every ``STEP`` nodes of a walk; an exception that it raises ends the building.
    Raises ``TreeTooLargeError`` if the tree has more than *max_nodes* nodes. Raises ``RulesError`` if the rules are
    wrong. Raises ``ParameterError`` if *game* is not a game.
    """
    check_kind("build", game, Game, "a game", "eb.game(...) makes a game")
    max_nodes = min(max_nodes, LARGEST)
    size, public = _measured(game, progress)
    if size is not None and size.nodes > max_nodes:
        raise TreeTooLargeError(size.nodes, max_nodes)
    if game.dealt_game is not None:
        return tile(game.dealt_game, public, progress)
    return walk(game, max_nodes=max_nodes, progress=progress)


def _measured(game: Game, progress: Callable[[str], None]) -> tuple[Size | None, _Public | None]:
    """Return the size of *game* (None if unknown), and the public tree if it was needed to compute the size."""
    public, dealt = None, game.dealt_game
    checks.check_rules(game)
    if dealt is not None and type(dealt).public_size is DealtGame.public_size:
        public = _public_tree(dealt, progress)
        # Cache the sizes, so that the game does not walk the public tree again.
        size = PublicSize(tuple(map(len, public.histories)), int((public.end != NONE).sum()))
        vars(game)["_public_play"] = size, tuple(public.ends)
    with told(game, []):
        return game.size(), public


STEP = 1_000
"""The number of nodes between two progress lines. Smaller trees are always built to their end."""


def _walk_in_steps(
    game: Game,
    root: Callable[[], State],
    turn_of: Callable[[State], Any],
    what: str,
    add: Callable[[int, int, Any], None],
    progress: Callable[[str], None],
) -> None:
    """Call *add* with each turn of ``in_prefix_order``, and *progress* after every ``STEP`` turns.

    *progress* is called outside ``told``, so that its exceptions pass through.
    """
    at: list[State] = []
    with told(game, at):
        turns = in_prefix_order(root(), turn_of, at, what)
    nodes = 0
    while True:
        with told(game, at, turn_of):
            added = 0
            for turn in islice(turns, STEP):
                add(*turn)
                added += 1
        if added < STEP:
            return
        nodes += added
        progress(f"{BUILDING}: {nodes:,} nodes")


@dataclass
class _Tables:
    """The information sets and outcomes of a tree under construction. The methods raise ``Wrong``."""

    game: Game
    infosets: dict[tuple[int, str], int] = field(default_factory=dict)
    infoset_list: list[Infoset] = field(default_factory=list)
    numbers: dict[int, count[int]] = field(default_factory=dict)
    outcomes: dict[End, int] = field(default_factory=dict)

    def event(self, turn: Chance | Decision) -> int:
        if isinstance(turn, Chance):
            checks.check_chance(turn)
            probabilities = tuple(Fraction(p) for _, p, _ in turn.branches)
            return self._add(CHANCE, turn.label, tuple(label for label, _, _ in turn.branches), probabilities)
        key = (turn.player, turn.infoset)
        try:
            index = self.infosets.get(key)
            actions = tuple(label for label, _ in turn.actions)
        except (TypeError, ValueError):
            checks.check_decision(self.game, turn)
            raise
        if index is None or type(turn.player) is not int:
            checks.check_decision(self.game, turn)
            index = self.infosets[key] = self._add(turn.player, turn.infoset, actions, None)
        elif self.infoset_list[index].actions != actions:
            raise Wrong(
                f"the information set {turn.infoset!r} of {self.game.players[turn.player]} has the actions "
                f"{', '.join(map(str, actions))} here and {', '.join(self.infoset_list[index].actions)} elsewhere; "
                "a player who cannot distinguish two states has the same actions at both"
            )
        return index

    def end(self, turn: End, method: str = "turn") -> int:
        # A float equals a fraction in a dict lookup, but floats must be refused.
        exact = isinstance(turn, End) and isinstance(turn.payoffs, tuple) and all(map(checks.is_exact, turn.payoffs))
        index = self.outcomes.get(turn) if exact else None
        if index is None:
            checks.check_end(self.game, turn, method)
            index = self.outcomes[turn] = len(self.outcomes)
        return index

    def outcome_table(self) -> tuple[Outcome, ...]:
        labels = distinct(end.label or ", ".join(map(text, end.payoffs)) for end in self.outcomes)
        ends = zip(self.outcomes, labels, strict=True)
        return tuple(Outcome(number, label, end.payoffs) for number, (end, label) in enumerate(ends, start=1))

    def _add(self, player: int, label: str, actions: tuple[str, ...], p: tuple[Fraction, ...] | None) -> int:
        number = next(self.numbers.setdefault(player, count(1)))
        self.infoset_list.append(Infoset(player, number, label, actions, p))
        return len(self.infoset_list) - 1


def walk(game: Game, *, max_nodes: int = MAX_NODES, progress: Callable[[str], None] = quiet) -> GameTree:
    """Return the tree of any game, built turn by turn. Raises ``TreeTooLargeError`` and ``RulesError``."""
    tables = _Tables(game)
    parent, action, infoset, outcome = (array("i") for _ in range(4))

    def add(above: int, by: int, turn: Any) -> None:
        if len(parent) >= max_nodes:
            raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
        check_turn(turn, (Chance, Decision, End), "turn")
        parent.append(above)
        action.append(by)
        outcome.append(tables.end(turn) if isinstance(turn, End) else NONE)
        infoset.append(NONE if isinstance(turn, End) else tables.event(turn))

    _walk_in_steps(game, game.root, game.turn, "play", add, progress)
    return _tree(game, tables, parent, action, infoset, outcome)


@dataclass(frozen=True)
class _Public:
    """The public tree of a dealt game, in prefix order.

    ``move[node]``: an index in the mover's ``histories``. ``end[node]``: an index in ``ends``.
    """

    parent: Ints
    action: Ints
    player: Ints
    move: Ints
    end: Ints
    histories: list[list[tuple[str, tuple[str, ...]]]]
    ends: list[object]


def tile(game: DealtGame, public: _Public | None = None, progress: Callable[[str], None] = quiet) -> GameTree:
    """Return the tree of a dealt game: a chance node, then one copy of the *public* tree for each deal."""
    public = public or _public_tree(game, progress)
    with told(game, []):
        deals, tables = game.deals, _Tables(game)
        root = tables.event(Chance("deal", tuple((game.deal_name(d), d.probability, None) for d in deals)))
        infoset = _tiled_infosets(game, public, deals, tables)
    for key in public.ends if not in_module_of_games(type(game)) else ():
        checks.payoff_classes(game, key)  # statistics of the game's strategies rely on the classes
    copies, nodes = infoset.shape
    offsets = 1 + nodes * np.arange(copies, dtype=np.int32)[:, None]
    parent = np.where(public.parent == NONE, 0, public.parent + offsets)
    action = np.repeat(public.action[None, :], copies, axis=0)
    action[:, 0] = np.arange(copies)
    outcome = np.full((copies, nodes), NONE, dtype=np.int32)
    ended = np.flatnonzero(public.end != NONE)
    at: list[State] = []
    step = max(1, STEP // nodes)
    for first in range(0, copies, step):
        if first:
            progress(f"{BUILDING}: {first:,} of {copies:,} deals")
        with told(game, at, lambda state: game.settle(*state)):
            for row, deal in enumerate(deals[first : first + step], start=first):
                paid = np.empty(len(public.ends), dtype=np.int32)
                for k, key in enumerate(public.ends):
                    at[:] = [(key, deal)]
                    paid[k] = tables.end(game.settle(key, deal), "settle")
                outcome[row, ended] = paid[public.end[ended]]
    columns = ((NONE, parent), (NONE, action), (root, infoset), (NONE, outcome))
    return _tree(game, tables, *(np.concatenate([[top], rows.ravel()]) for top, rows in columns))


def _tiled_infosets(game: DealtGame, public: _Public, deals: Sequence[Deal], tables: _Tables) -> Ints:
    """Add the information sets of all players, and return the information set of each node; shape (deals, nodes)."""
    infoset = np.full((len(deals), len(public.parent)), NONE, dtype=np.int32)
    for player, histories in enumerate(public.histories):
        mine = np.flatnonzero(public.player == player)
        first = len(tables.infoset_list)
        _add_infosets(game, tables, player, histories, [deal.hands[player] for deal in deals])
        hands = np.array([deal.hands[player] for deal in deals], dtype=np.int32)
        infoset[:, mine] = first + hands[:, None] * len(histories) + public.move[mine]
    return infoset


def _add_infosets(
    game: DealtGame, tables: _Tables, player: int, histories: list[tuple[str, tuple[str, ...]]], dealt: Sequence[int]
) -> None:
    """Add the player's information sets, sorted by hand. Their numbers follow the order of the hands in *dealt*."""
    name, turns = game.infoset_name, len(histories)
    hands = range(len(game.hands[player]))
    place = {hand: rank for rank, hand in enumerate(dict.fromkeys((*dealt, *hands)))}
    for hand in hands:
        numbered = enumerate(histories, start=1 + place[hand] * turns)
        tables.infoset_list += [
            Infoset(player, n, name(player, hand, history), actions) for n, (history, actions) in numbered
        ]
    names = Counter(each.label for each in tables.infoset_list if each.player == player)
    if names and (most := names.most_common(1)[0])[1] > 1:
        problem = f"infoset_name() gives {most[0]!r} to {most[1]} hands or histories of {game.players[player]}"
        raise Wrong(f"{problem}; if a player does not see the hand, write a subclass of eb.Game")


def _public_tree(game: DealtGame, progress: Callable[[str], None]) -> _Public:
    parent, action, player, move, end = (array("i") for _ in range(5))
    histories: list[list[tuple[str, tuple[str, ...]]]] = [[] for _ in game.players]
    ends: dict[object, int] = {}
    action_sets: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(above: int, by: int, turn: Any) -> None:
        check_turn(turn, (PublicDecision, PublicEnd), "public_turn")
        parent.append(above)
        action.append(by)
        if isinstance(turn, PublicEnd):
            player.append(NONE)
            move.append(NONE)
            end.append(ends.setdefault(turn.key, len(ends)))
            return
        checks.check_decision(game, turn)
        labels = tuple(label for label, _ in turn.actions)
        player.append(turn.player)
        move.append(len(histories[turn.player]))
        end.append(NONE)
        histories[turn.player].append((turn.history, action_sets.setdefault(labels, labels)))

    _walk_in_steps(game, game.public_root, game.public_turn, "public play", add, progress)
    with told(game, []):
        for name, turns in zip(game.players, histories, strict=True):
            if len({history for history, _ in turns}) < len(turns):
                twice = Counter(history for history, _ in turns).most_common(1)[0][0]
                raise Wrong(
                    f"two public turns of {name} have the history {twice!r}; the history must contain all earlier moves"
                )
    return _Public(*map(_ints, (parent, action, player, move, end)), histories, list(ends))  # type: ignore[call-arg, arg-type]


def _tree(game: Game, tables: _Tables, *columns: Ints | array[int]) -> GameTree:
    parent, action, infoset, outcome = map(_ints, columns)
    sets, outcomes, players = tuple(tables.infoset_list), tables.outcome_table(), tuple(game.players)
    tree = GameTree(game.title, players, parent, action, infoset, outcome, sets, outcomes, game.comment)
    object.__setattr__(tree, "game", game)
    return tree


def _ints(numbers: Ints | array[int]) -> Ints:
    return np.array(numbers, dtype=np.int32)
