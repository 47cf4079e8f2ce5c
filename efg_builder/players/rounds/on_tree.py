"""A board for any game that has a tree: any number of players, rolls in mid-game, files from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from ...base.errors import NotApplicableError
from ...base.naming import distinct
from ...forms.extensive import CHANCE, NONE, GameTree
from ...forms.public_tree import public_tree
from ...games.protocol import Chance, DealtGame, Decision, End, Game, State, Turn
from ...proof import best_response
from ...strategies.protocol import Strategy
from ...strategies.tree_profile import TreeProfile
from .board import Row, Values, exact, one_line


@dataclass(frozen=True, eq=False)
class OnTree:
    """See ``Board``; a state is a node. ``rows``: the probabilities at each of the tree's information sets.

    Labels are those of the tree, each as ``board.one_line`` shows it, and made different where they are not: a
    file's labels hold anything, and what is shown here is also what is typed.
    """

    tree: GameTree
    rows: Sequence[Row]
    game: Game | None = None
    _known: dict[int, Values] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The game's title."""
        return one_line(self.tree.title)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return distinct(map(one_line, self.tree.players), empty=True)

    @cached_property
    def open(self) -> bool:
        """Whether public histories can be distinguished (see ``forms.public_tree``)."""
        try:
            public_tree(self.tree)
        except NotApplicableError:
            return False
        return True

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        return distinct(one_line(infoset.label) for infoset in self.tree.infosets)

    @cached_property
    def _paid(self) -> list[Row]:
        """What was paid along the way to each node."""
        paid: list[Row] = []
        for above, outcome in zip(self.tree.parent.tolist(), self.tree.outcome.tolist(), strict=True):
            here = self.tree.payoffs[outcome]
            paid.append(here if above == NONE else tuple(a + b for a, b in zip(paid[above], here, strict=True)))
        return paid

    def root(self) -> State:
        """Node 0."""
        return 0

    def turn(self, state: State) -> Turn:
        """Read off the tree; information sets go by their labels, made different where they are not."""
        k, outcome = int(self.tree.infoset[state]), int(self.tree.outcome[state])
        if k == NONE:
            return End(self._paid[state], one_line(self.tree.outcomes[outcome].label) if outcome != NONE else "")
        infoset, children = self.tree.infosets[k], self.tree.children(state)
        names = distinct(map(one_line, infoset.actions))
        if infoset.probabilities is not None:
            return Chance(self._labels[k], tuple(zip(names, infoset.probabilities, children, strict=True)))
        return Decision(infoset.player, self._labels[k], tuple(zip(names, children, strict=True)))

    def behavior(self, state: State, turn: Decision) -> Row:
        """The row of the node's information set."""
        return self.rows[int(self.tree.infoset[state])]

    def hand(self, state: State, player: int) -> str:
        """Of a dealt game the hand; of other games there is none, and the information set names what is known."""
        return dict(self.uncovered(state)).get(self.players[player], "") if isinstance(self.game, DealtGame) else ""

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        """Of a dealt game the hands, of others what chance did on the way."""
        way = []
        while state:
            above = int(self.tree.parent[state])
            event = self.tree.infosets[int(self.tree.infoset[above])]
            if event.player == CHANCE:
                way.append((event.label, event.actions[int(self.tree.action[state])], int(self.tree.action[state])))
            state = above
        if isinstance(self.game, DealtGame):
            deal = self.game.deals[way[-1][2]]
            return tuple((name, self.game.hands[p][deal.hands[p]]) for p, name in enumerate(self.players))
        return tuple((one_line(label), one_line(action)) for label, action, _ in reversed(way))

    def values(self, player: int) -> Values:
        """By backward induction over own sets. Raises ``NotApplicableError`` where the player lacks perfect recall."""
        if player not in self._known:
            self._known[player] = _values(self, player)
        return self._known[player]


def _values(board: OnTree, player: int) -> Values:
    tree = board.tree
    best = best_response(TreeProfile(tree, tuple(board.rows)), player)
    reach = dict.fromkeys(best.actions, Fraction(0))
    for k, weight in zip(tree.infoset.tolist(), best.weights, strict=True):
        if k in reach:
            reach[k] += Fraction(weight)

    def at(state: State) -> Row:
        k = int(tree.infoset[state])
        actions = range(len(tree.infosets[k].actions))
        return tuple(Fraction(best.gains.get((k, action), 0)) / reach[k] for action in actions)

    return Values(Fraction(best.value), at)


def on_tree_rows(strategy: Strategy, tree: GameTree) -> tuple[Row, ...]:
    """*strategy* at each information set of *tree*, chance included. Raises ``ProfileError``."""
    return tuple(map(exact, strategy.on(tree).probabilities))
