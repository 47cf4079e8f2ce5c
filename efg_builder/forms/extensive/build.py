"""From rules to a tree: by tiling for dealt games, by an explicit stack for all others."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count

import numpy as np

from ...base.errors import TreeTooLargeError, check_kind
from ...base.naming import distinct
from ...games.protocol import Chance, DealtGame, Decision, End, Game, PublicEnd, State
from .model import CHANCE, NONE, GameTree, Infoset, Ints, Outcome

LARGEST = 2**31 - 1
"""Nodes are numbered in 32 bits."""

MAX_NODES = 5_000_000
"""The node budget where none is given: about a gigabyte with everything derived from it."""


def build(game: Game, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The whole tree of *game*.

    Raises ``TreeTooLargeError`` before memory is spent where the size is over *max_nodes*: with the exact
    size where the game knows it, otherwise as soon as the budget is passed; ``ParameterError`` for no game.
    """
    check_kind("build", game, Game, "a game", "eb.game(...) makes one")
    size = game.size()
    max_nodes = min(max_nodes, LARGEST)
    if size is not None and size.nodes > max_nodes:
        raise TreeTooLargeError(size.nodes, max_nodes)
    with _no_collection():
        return tile(game) if isinstance(game, DealtGame) else walk(game, max_nodes=max_nodes)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the cyclic garbage collector: it would scan the many small objects that stay, again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@dataclass
class _Tables:
    """The tables under construction, each entry found by what identifies it."""

    infosets: dict[tuple[int, str], int] = field(default_factory=dict)
    infoset_list: list[Infoset] = field(default_factory=list)
    numbers: dict[int, count[int]] = field(default_factory=dict)
    outcomes: dict[End, int] = field(default_factory=dict)

    def decision(self, turn: Decision) -> int:
        """The index of the decision's information set."""
        key = (turn.player, turn.infoset)
        actions = tuple(label for label, _ in turn.actions)
        index = self.infosets.get(key)
        if index is None:
            index = self.infosets[key] = self._add(turn.player, turn.infoset, actions, None)
        elif self.infoset_list[index].actions != actions:
            raise ValueError(
                f"the rules give the information set {turn.infoset!r} of player {turn.player + 1} the actions "
                f"{actions} and {self.infoset_list[index].actions}"
            )
        return index

    def chance(self, turn: Chance) -> int:
        """The index of a new chance event."""
        probabilities = tuple(p for _, p, _ in turn.branches)
        if sum(probabilities) != 1 or min(probabilities) < 0:
            raise ValueError(f"the rules' probabilities of {turn.label!r} do not sum to 1: {probabilities}")
        return self._add(CHANCE, turn.label, tuple(label for label, _, _ in turn.branches), probabilities)

    def end(self, turn: End) -> int:
        """The index of the outcome."""
        return self.outcomes.setdefault(turn, len(self.outcomes))

    def outcome_table(self) -> tuple[Outcome, ...]:
        """The outcomes found; ends that pay differently under one name are numbered apart."""
        labels = distinct(end.label for end in self.outcomes)
        ends = zip(self.outcomes, labels, strict=True)
        return tuple(Outcome(number, label, end.payoffs) for number, (end, label) in enumerate(ends, start=1))

    def _add(self, player: int, label: str, actions: tuple[str, ...], p: tuple[Fraction, ...] | None) -> int:
        number = next(self.numbers.setdefault(player, count(1)))
        self.infoset_list.append(Infoset(player, number, label, actions, p))
        return len(self.infoset_list) - 1


def walk(game: Game, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The tree of any game, turn by turn, without recursion. Raises ``TreeTooLargeError``."""
    tables = _Tables()
    parent: list[int] = []
    action: list[int] = []
    infoset: list[int] = []
    outcome: list[int] = []
    stack: list[tuple[State, int, int]] = [(game.root(), NONE, NONE)]
    while stack:
        state, above, by = stack.pop()
        node = len(parent)
        if node >= max_nodes:
            raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
        parent.append(above)
        action.append(by)
        turn = game.turn(state)
        if isinstance(turn, End):
            infoset.append(NONE)
            outcome.append(tables.end(turn))
            continue
        infoset.append(tables.chance(turn) if isinstance(turn, Chance) else tables.decision(turn))
        outcome.append(NONE)
        branches = turn.branches if isinstance(turn, Chance) else turn.actions
        stack.extend((branches[k][-1], node, k) for k in range(len(branches) - 1, -1, -1))
    return _tree(game, tables, _ints(parent), _ints(action), _ints(infoset), _ints(outcome))


@dataclass(frozen=True)
class _Public:
    """The public tree in prefix order; ``move`` counts each player's public decisions, ``end`` the end keys."""

    parent: Ints
    action: Ints
    player: Ints
    move: Ints
    end: Ints
    histories: list[list[tuple[str, tuple[str, ...]]]]
    ends: list[object]


def tile(game: DealtGame) -> GameTree:
    """The tree of a dealt game: one chance node, then the public tree once for each deal.

    The arrays are the public tree's, repeated with offsets; only information sets (hand and public
    decision) and outcomes (public end and deal) are worked out, once each.
    """
    public, deals, tables = _public_tree(game), game.deals, _Tables()
    nodes, copies = len(public.parent), len(deals)
    root = Chance("deal", tuple((game.deal_name(d), d.probability, None) for d in deals))
    tables.chance(root)
    offsets = 1 + nodes * np.arange(copies, dtype=np.int32)[:, None]
    parent = np.where(public.parent == NONE, 0, public.parent + offsets)
    action = np.repeat(public.action[None, :], copies, axis=0)
    action[:, 0] = np.arange(copies)
    infoset = np.full((copies, nodes), NONE, dtype=np.int32)
    for player, histories in enumerate(public.histories):
        mine = np.flatnonzero(public.player == player)
        first = len(tables.infoset_list)
        _add_infosets(game, tables, player, histories)
        hands = np.array([deal.hands[player] for deal in deals], dtype=np.int32)
        infoset[:, mine] = first + hands[:, None] * len(histories) + public.move[mine]
    outcome = np.full((copies, nodes), NONE, dtype=np.int32)
    ended = np.flatnonzero(public.end != NONE)
    for row, deal in enumerate(deals):
        paid = np.array([tables.end(game.settle(key, deal)) for key in public.ends], dtype=np.int32)
        outcome[row, ended] = paid[public.end[ended]]
    return _tree(
        game,
        tables,
        _with_root(NONE, parent),
        _with_root(NONE, action),
        _with_root(0, infoset),
        _with_root(NONE, outcome),
    )


def _add_infosets(game: DealtGame, tables: _Tables, player: int, histories: list[tuple[str, tuple[str, ...]]]) -> None:
    name, turns = game.infoset_name, len(histories)
    for hand in range(len(game.hands[player])):
        numbered = enumerate(histories, start=1 + hand * turns)
        tables.infoset_list += [
            Infoset(player, n, name(player, hand, history), actions) for n, (history, actions) in numbered
        ]


def _with_root(at_root: int, rows: Ints) -> Ints:
    return np.concatenate([np.array([at_root], dtype=np.int32), rows.ravel().astype(np.int32, copy=False)])


def _public_tree(game: DealtGame) -> _Public:
    parent: list[int] = []
    action: list[int] = []
    player: list[int] = []
    move: list[int] = []
    end: list[int] = []
    histories: list[list[tuple[str, tuple[str, ...]]]] = [[] for _ in game.players]
    ends: dict[object, int] = {}
    action_sets: dict[tuple[str, ...], tuple[str, ...]] = {}
    stack: list[tuple[State, int, int]] = [(game.public_root(), NONE, NONE)]
    while stack:
        state, above, by = stack.pop()
        node = len(parent)
        parent.append(above)
        action.append(by)
        turn = game.public_turn(state)
        if isinstance(turn, PublicEnd):
            player.append(NONE)
            move.append(NONE)
            end.append(ends.setdefault(turn.key, len(ends)))
            continue
        labels = tuple(label for label, _ in turn.actions)
        player.append(turn.player)
        move.append(len(histories[turn.player]))
        end.append(NONE)
        histories[turn.player].append((turn.history, action_sets.setdefault(labels, labels)))
        for k in range(len(turn.actions) - 1, -1, -1):
            stack.append((turn.actions[k][1], node, k))
    for number, turns in enumerate(histories, start=1):
        if len({history for history, _ in turns}) < len(turns):
            twice = Counter(history for history, _ in turns).most_common(1)[0][0]
            raise ValueError(f"the rules give two turns of player {number} the history {twice!r}")
    return _Public(_ints(parent), _ints(action), _ints(player), _ints(move), _ints(end), histories, list(ends))


def _tree(game: Game, tables: _Tables, parent: Ints, action: Ints, infoset: Ints, outcome: Ints) -> GameTree:
    return GameTree(
        title=game.title,
        players=game.players,
        parent=parent,
        action=action,
        infoset=infoset,
        outcome=outcome,
        infosets=tuple(tables.infoset_list),
        outcomes=tables.outcome_table(),
        comment=game.comment,
    )


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int32)
