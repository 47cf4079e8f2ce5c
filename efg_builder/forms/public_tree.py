"""The public tree of a game tree: nodes with the same earlier moves of the players are merged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import chain, count, pairwise

import numpy as np

from ..base.errors import NotApplicableError
from .extensive import CHANCE, NONE, GameTree, Ints

_DIGITS = re.compile(r"([0-9]{1,9})")


@dataclass(frozen=True, eq=False, repr=False)
class PublicTree:
    """The public histories of ``tree``, numbered in prefix order; history 0 is the root. The arrays are read-only."""

    tree: GameTree
    of: Ints  # [node]: its public history
    parent: Ints  # [history]: NONE at the root
    player: Ints  # [history]: the mover, or TERMINAL
    moves: tuple[str, ...]  # [history]: the label of the last move; empty at the root
    infosets: tuple[tuple[int, ...], ...]  # [history]: the mover's information sets, one for each hand

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The children of each history, in the order of the moves."""
        below: list[list[int]] = [[] for _ in range(len(self))]
        for history, above in enumerate(self.parent.tolist()):
            if above != NONE:
                below[above].append(history)
        return tuple(map(tuple, below))

    def path(self, history: int) -> tuple[str, ...]:
        """Return the moves that lead to *history*, from first to last."""
        moves = []
        while history:
            moves.append(self.moves[history])
            history = int(self.parent[history])
        return tuple(reversed(moves))

    def hands(self, history: int) -> tuple[str, ...]:
        """Return the words that distinguish the names of the mover's information sets at *history*.

        Examples are ``"2"`` for ``"2: 1x1"``, and ``"J, (Q)"`` for ``"J: check (Q) raise"``.
        """
        return self.hands_of(self.infosets[history])

    def hands_of(self, infosets: Sequence[int]) -> tuple[str, ...]:
        """Return the words that distinguish the names of *infosets*, which must belong to one history."""
        labels = [self.tree.names[k] for k in infosets]
        hands, colons, after = zip(*(label.rpartition(": ") for label in labels), strict=True) if labels else ((),) * 3
        if labels and all(colons):
            pairs = zip(hands, _differing(after), strict=True)
            found = tuple(f"{hand}, {rest}" if rest else hand for hand, rest in pairs)
        else:
            found = tuple(rest.rstrip(",") for rest in _differing(labels)) if len(labels) > 1 else tuple(labels)
        return found if len(set(found)) == len(labels) and all(found) else tuple(labels)

    @cached_property
    def opened(self) -> Mapping[int, str]:
        """The public chance moves after the first move, e.g. ``"Q"`` for a card, by information set.

        Empty if there are no such moves, or if some player does not see them.
        """
        tree, of = self.tree, self.of
        late = (tree.player == CHANCE) & (of != 0)
        if not late.any():
            return {}
        parent, action, turns = tree.parent.tolist(), tree.action.tolist(), late.tolist()
        seen, found = [""] * len(tree), dict[int, str]()
        for node in range(1, len(tree)):
            above = parent[node]
            seen[node] = seen[above]
            if turns[above]:
                label = tree.infosets[tree.infoset[above]].actions[action[node]]
                seen[node] = f"{seen[above]} {label.strip('()')}".strip()
        for node in np.flatnonzero(tree.player >= 0).tolist():
            if found.setdefault(int(tree.infoset[node]), seen[node]) != seen[node]:
                return {}
        return found

    def holds_hands(self, history: int) -> bool:
        """Return whether the names of the mover's information sets at *history* include a hand, e.g. ``"2: 1x1"``."""
        return all(": " in self.tree.names[k] for k in self.infosets[history])


def _differing(labels: Sequence[str]) -> list[str]:
    """Return *labels* without their common first and last words."""
    words = [label.split() for label in labels]
    if len({tuple(row) for row in words}) == 1:
        return [""] * len(labels)
    first = next(k for k in count() if len({tuple(row[k : k + 1]) for row in words}) > 1)
    rest = [row[first:][::-1] for row in words]
    last = next((k for k in range(min(map(len, rest))) if len({row[k] for row in rest}) > 1), min(map(len, rest)))
    return [" ".join(row[last:][::-1]) for row in rest]


def public_tree(tree: GameTree) -> PublicTree:
    """Return the public tree of *tree*.

    Raises ``NotApplicableError`` if chance determines the mover or the end of play, or if some player does not see a
    move.
    """
    of, moves, above = _numbered(tree)
    player, infosets = _movers(tree, of, len(moves))
    order = _prefix_order(above, moves, infosets, tree)
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    parent = above[order]
    parent[1:] = place[parent[1:]]
    of, player = place[of], player[order]
    for array in (of, parent, player):
        array.setflags(write=False)
    names, sets = tuple(moves[k] for k in order), tuple(infosets[k] for k in order)
    return PublicTree(tree, of, parent, player, names, sets)


def _numbered(tree: GameTree) -> tuple[Ints, list[str], Ints]:
    """Return each node's public history, numbered level by level, and each history's last move and parent."""
    names, label = _labels(tree)
    of, moves, above, count = np.zeros(len(tree), dtype=np.int32), [""], [np.array([NONE])], 1
    for nodes in tree.levels[1:]:
        parents = tree.parent[nodes]
        of[nodes] = of[parents]
        nodes, parents = nodes[tree.player[parents] != CHANCE], parents[tree.player[parents] != CHANCE]
        # A key combines the previous history and the move, so equal keys mean the same history.
        keys = of[parents].astype(np.int64) * len(names) + label[tree.infoset[parents], tree.action[nodes]]
        histories, which = np.unique(keys, return_inverse=True)
        of[nodes] = count + which
        above.append(histories // len(names))
        moves += [names[k] for k in (histories % len(names)).tolist()]
        count += len(histories)
    return of, moves, np.concatenate(above).astype(np.int32)


def _labels(tree: GameTree) -> tuple[list[str], Ints]:
    names: dict[str, int] = {}
    width = max((len(infoset.actions) for infoset in tree.infosets), default=1)
    numbers = np.zeros((len(tree.infosets) or 1, width), dtype=np.int32)
    for k, infoset in enumerate(tree.infosets):
        if infoset.player != CHANCE:
            for a, action in enumerate(infoset.actions):
                numbers[k, a] = names.setdefault(action, len(names))
    return list(names) or [""], numbers


def _movers(tree: GameTree, of: Ints, count: int) -> tuple[Ints, list[tuple[int, ...]]]:
    player = np.full(count, NONE, dtype=np.int32)
    open_ = tree.player != CHANCE
    player[of[open_]] = tree.player[open_]
    differs = open_ & (player[of] != tree.player)
    if differs.any():
        one = int(np.flatnonzero(differs)[0])
        _refuse(tree, f"chance decides the next mover after the same moves (at node {one})")
    sets: list[tuple[int, ...]] = [()] * count
    decisions = np.flatnonzero(tree.player >= 0)
    pairs = np.unique(np.stack([tree.infoset[decisions], of[decisions]]), axis=1)
    twice = np.flatnonzero(np.diff(pairs[0]) == 0)
    if twice.size:
        label = tree.names[pairs[0][twice[0]]]
        _refuse(tree, f"the nodes of the information set {label!r} follow different moves")
    for k, history in sorted(zip(*pairs.tolist(), strict=True)):
        sets[history] = (*sets[history], k)
    return player, sets


def _refuse(tree: GameTree, why: str) -> None:
    raise NotApplicableError(
        f"{tree.title!r} has no public tree, which requires that all players see every move: {why}"
    )


def _prefix_order(above: Ints, moves: Sequence[str], infosets: Sequence[tuple[int, ...]], tree: GameTree) -> Ints:
    below: list[list[int]] = [[] for _ in moves]
    for history, parent in enumerate(above.tolist()):
        if parent != NONE:
            below[parent].append(history)
    every = dict.fromkeys(tree.infosets[k].actions for k in tree.personal)
    everywhere = _in_order(every, sorted(set(chain.from_iterable(every)), key=_by_number))
    order, stack = [], [0]
    while stack:
        history = stack.pop()
        order.append(history)
        if len(below[history]) > 1:
            # Prefer an order consistent with all information sets: actions may be missing at this history.
            here = dict.fromkeys(tree.infosets[k].actions for k in infosets[history])
            rank = {action: number for number, action in enumerate(everywhere or merge(here))}
            below[history].sort(key=lambda then: rank[moves[then]])
        stack += reversed(below[history])
    return np.array(order, dtype=np.int32)


def merge(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return all items of *lists* in an order consistent with each list.

    If no such order exists, the items are in the order of first appearance.
    """
    rows = list(lists)
    come = list(dict.fromkeys(chain.from_iterable(rows)))
    return _in_order(rows, come) or come


def _in_order(lists: Iterable[Sequence[str]], labels: Sequence[str]) -> list[str] | None:
    """Return *labels* in an order consistent with each of *lists*; None if no such order exists.

    Ties are broken by the order of *labels*.
    """
    rank = {action: number for number, action in enumerate(labels)}
    order = TopologicalSorter[str](dict.fromkeys(rank, ()))
    for one, other in chain.from_iterable(map(pairwise, lists)):
        order.add(other, one)
    try:
        order.prepare()
    except CycleError:
        return None
    merged, ready = [], [(rank[action], action) for action in order.get_ready()]
    heapify(ready)
    while ready:
        _, action = heappop(ready)
        merged.append(action)
        order.done(action)
        for then in order.get_ready():
            heappush(ready, (rank[then], then))
    return merged


def _by_number(label: str) -> list[tuple[int, str]]:
    """Return a sort key that puts ``2x1`` before ``10x1``."""
    words = _DIGITS.split(label)
    return [(int(word), "") if k % 2 else (-1, word) for k, word in enumerate(words)]
