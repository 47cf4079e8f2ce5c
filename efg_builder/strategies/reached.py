"""The public histories that given strategies reach, over all hands.

A hand's weight is the probability of the player's moves with this hand. If hands are independent, the weight also has
the hand's probability as a factor. Exact weights are integers over a common denominator, because integers are ten times
as fast as fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod
from typing import Any, NamedTuple

import numpy as np

from ..base.errors import TreeTooLargeError, check_budget
from ..base.rationals import Number
from ..forms.extensive import MAX_NODES, NONE, GameTree, Infoset, Outcome, walk
from ..games.checks import payoff_classes, settle
from ..games.protocol import Deal, DealtGame, Decision, Game, PublicDecision, PublicEnd, State, Turn
from .sparse_profile import Solved, SparseProfile, strategies_of
from .tree_profile import TreeProfile

Count = int | float
"""A numerator: an integer for exact strategies, otherwise a float with the denominator 1."""

Behaviors = Callable[[PublicDecision, Collection[int]], Mapping[int, Mapping[str, Number]]]
"""A function that takes a turn and hands, and returns the mover's action probabilities with each hand."""


class Weights(NamedTuple):
    """The weights of a player's hands: ``by_hand[hand] / scale``. Hands of weight 0 are omitted."""

    scale: int
    by_hand: dict[int, Count]


Rows = tuple[Weights, ...]


class Reached(NamedTuple):
    """A reached public history: its turn, the last ``action`` (empty at the root), and all players' weights ``rows``.

    ``above``: the index of the parent history (NONE at the root). ``onward``: the mover's weights after each
    action.
    """

    turn: PublicDecision | PublicEnd
    above: int
    action: str
    rows: Rows
    onward: dict[str, Weights]


def number(count: Count, scale: int) -> Number:
    return Fraction(count, scale) if isinstance(count, int) else count / scale


class Hands:
    """The deals of *game*. ``chances`` has each player's hand probabilities; None if hands are dependent."""

    def __init__(self, game: DealtGame) -> None:
        self.game, self.chances = game, game.hand_probabilities

    @cached_property
    def _deals(self) -> tuple[int, list[tuple[tuple[int, ...], int]]]:
        deals = self.game.deals
        scale = lcm(*(deal.probability.denominator for deal in deals))
        return scale, [(deal.hands, int(deal.probability * scale)) for deal in deals]

    def start(self) -> Rows:
        if self.chances is None:
            return tuple(Weights(1, dict.fromkeys(range(count), 1)) for count in self.game.hand_counts)
        rows = []
        for mine in self.chances:
            scale = lcm(*(chance.denominator for chance in mine))
            rows.append(Weights(scale, {hand: int(chance * scale) for hand, chance in enumerate(mine) if chance}))
        return tuple(rows)

    def together(
        self, rows: Rows, classes: Sequence[Sequence[Hashable]]
    ) -> tuple[int, dict[tuple[Hashable, ...], Count]]:
        """Return a denominator, and for each combination of hand classes the numerator of its reach probability.

        ``classes[player][hand]`` is the class of a hand.
        """
        scale, counts = prod(row.scale for row in rows), dict[tuple[Hashable, ...], Count]()
        if self.chances is not None:
            sums = []
            for row, mine in zip(rows, classes, strict=True):
                added = dict[Hashable, Count]()
                for hand, weight in row.by_hand.items():
                    added[mine[hand]] = added.get(mine[hand], 0) + weight
                sums.append(added)
            for cell in product(*sums):
                counts[cell] = prod(mine[name] for mine, name in zip(sums, cell, strict=True))
            return scale, counts
        by_chance, deals = self._deals
        for hands, chance in deals:
            if all(hand in row.by_hand for row, hand in zip(rows, hands, strict=True)):
                cell = tuple(mine[hand] for mine, hand in zip(classes, hands, strict=True))
                weight = prod((row.by_hand[hand] for row, hand in zip(rows, hands, strict=True)), start=chance)
                counts[cell] = counts.get(cell, 0) + weight
        return scale * by_chance, counts

    def held(self, rows: Rows, player: int) -> Weights:
        """Return the joint probability of the history and each hand of *player*."""
        classes = [
            range(count) if other == player else [0] * count for other, count in enumerate(self.game.hand_counts)
        ]
        scale, counts = self.together(rows, classes)
        return Weights(scale, {cell[player]: weight for cell, weight in sorted(counts.items())})  # type: ignore[misc]

    def likely(self, rows: Rows) -> Number:
        """Return the reach probability of the history with the weights *rows*."""
        scale, counts = self.together(rows, [[0] * count for count in self.game.hand_counts])
        return number(sum(counts.values()), scale)


def reached(hands: Hands, behaviors: Behaviors) -> Iterator[Reached]:
    """Yield all public histories reached under *behaviors*, in prefix order."""
    game, count = hands.game, 0
    stack: list[tuple[State, int, str, Rows]] = [(game.public_root(), NONE, "", hands.start())]
    while stack:
        state, above, action, rows = stack.pop()
        turn, onward = game.public_turn(state), dict[str, Weights]()
        if isinstance(turn, PublicDecision):
            row = rows[turn.player]
            if hands.chances is None:
                # Skip hands that are impossible given the other players' hands.
                possible = hands.held(rows, turn.player).by_hand
                row = Weights(row.scale, {hand: weight for hand, weight in row.by_hand.items() if hand in possible})
            onward = parted(turn, row, behaviors(turn, row.by_hand.keys()))
            before, after = rows[: turn.player], rows[turn.player + 1 :]
            stack += [
                (then, count, move, (*before, onward[move], *after))
                for move, then in reversed(turn.actions)
                if move in onward
            ]
        yield Reached(turn, above, action, rows, onward)
        count += 1


def parted(turn: PublicDecision, row: Weights, behaviors: Mapping[int, Mapping[str, Number]]) -> dict[str, Weights]:
    """Return the weights after each played action, from the mover's weights *row* and the behavior with each hand."""
    made: dict[str, list[tuple[int, Number]]] = {}
    for hand in row.by_hand:
        for action, p in behaviors[hand].items():
            if p:
                made.setdefault(action, []).append((hand, p))
    weights, after = row.by_hand, dict[str, Weights]()
    for action, _ in turn.actions:
        if action not in made:
            continue
        if all(isinstance(weights[hand], int) and not isinstance(p, float) for hand, p in made[action]):
            scale = lcm(*{p.denominator for _, p in made[action]})  # type: ignore[union-attr]
            part = {hand: weights[hand] * p.numerator * (scale // p.denominator) for hand, p in made[action]}  # type: ignore[union-attr]
            after[action] = _lowest(row.scale * scale, part)
        else:
            # Divide first, because an integer may be too large for a float.
            after[action] = Weights(1, {hand: weights[hand] / row.scale * float(p) for hand, p in made[action]})
    return after


def _lowest(scale: int, weights: dict[int, Count]) -> Weights:
    common = gcd(scale, *weights.values())  # type: ignore[arg-type]
    return Weights(scale // common, {hand: weight // common for hand, weight in weights.items()})


def support_tree(profile: SparseProfile | Solved, *, max_nodes: int = MAX_NODES) -> GameTree:
    """Return the support tree: the part of the game tree that *profile* reaches.

    Parameters
    ----------
    profile : SparseProfile or Solution
        Strategies or a solution without a tree, such as ``eb.solve(game, "oracle")``.
    max_nodes : int, default 5,000,000
        Maximum number of nodes in the tree.

    Returns
    -------
    GameTree
        The tree with only the actions of positive probability. The names are the same as in the whole tree.
        ``profile.on(tree)`` returns the profile on this tree.

    Raises
    ------
    TreeTooLargeError
        If there are more than *max_nodes* nodes.
    ProfileError
        If an action with positive probability is not legal.
    ParameterError
        If *profile* has another type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("liars-dice sides=2", "oracle")
    >>> len(eb.support_tree(solution)), len(eb.build("liars-dice sides=2"))
    (15, 125)
    """
    check_budget("support_tree", "max_nodes", max_nodes)
    strategies = strategies_of("support_tree", profile)
    game = strategies.game
    if game.deal_count >= max_nodes:  # check before listing the deals
        raise TreeTooLargeError(game.deal_count + 1, max_nodes, exact=False)
    actions_left, order = dict[_Set, tuple[str, ...]](), dict[_Set, tuple[int, int]]()
    for position, place in enumerate(reached(Hands(game), strategies.behaviors)):
        if position >= max_nodes:
            raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
        if isinstance(place.turn, PublicDecision):
            player = place.turn.player
            for hand in place.rows[player].by_hand:
                key = player, game.infoset_name(player, hand, place.turn.history)
                actions_left[key] = tuple(action for action, weights in place.onward.items() if hand in weights.by_hand)
                order[key] = hand, position
    tree = walk(_Support(game, actions_left), max_nodes=max_nodes)
    # Sort by player and hand, as in the whole tree.
    ranked = sorted(range(1, len(tree.infosets)), key=lambda k: (tree.infosets[k].player, *order[_key(tree, k)]))
    counts, infosets = Counter[int](), [tree.infosets[0]]
    for each in (tree.infosets[k] for k in ranked):
        counts[each.player] += 1
        infosets.append(each._replace(number=counts[each.player]))
    place_of = np.zeros(len(infosets) + 1, dtype=np.int32)
    place_of[[0, *ranked, NONE]] = [*range(len(infosets)), NONE]
    comment = _what_is_left(game, len(tree))
    return replace(tree, infoset=place_of[tree.infoset], infosets=tuple(infosets), comment=comment)


_Set = tuple[int, str]


def _key(tree: GameTree, k: int) -> _Set:
    return tree.infosets[k].player, tree.infosets[k].label


@dataclass(frozen=True)
class _Support(Game):
    """The rules ``game``, restricted to the actions ``left`` at each information set."""

    game: DealtGame
    left: Mapping[_Set, Collection[str]]
    title = property(lambda self: self.game.title)
    players = property(lambda self: self.game.players)

    def size(self) -> None:
        """Return None: the size is unknown."""

    def root(self) -> State:
        return self.game.root()

    def turn(self, state: State) -> Turn:
        turn = self.game.turn(state)
        if not isinstance(turn, Decision):
            return turn
        left = self.left[turn.player, turn.infoset]
        return Decision(turn.player, turn.infoset, tuple(way for way in turn.actions if way[0] in left))


def _what_is_left(game: DealtGame, nodes: int) -> str:
    bidding = game.bidding_game
    move = "make the move after which play can end soonest" if bidding is None else bidding.call
    count = f"{nodes:,} of {game.size().nodes:,} nodes"
    shown = f"Only moves with positive probability are shown: {count}; elsewhere, the mover would {move}."
    return f"{game.comment} {shown}".strip()


SEEN = (
    "This tree averages over all hands. Each move has its mean probability, and each terminal node has the expected "
    "payoffs. Only moves with positive probability are shown."
)
"""The comment in trees of public histories."""


def table_view(profile: SparseProfile | Solved, *, max_nodes: int = MAX_NODES) -> TreeProfile:
    """Return *profile*, averaged over hands, on the tree of reached public histories.

    Parameters
    ----------
    profile : SparseProfile or Solution
        Strategies or a solution without a tree, such as ``eb.solve(game, "oracle")``.
    max_nodes : int, default 5,000,000
        Maximum number of public nodes, and of each player's hands.

    Returns
    -------
    TreeProfile
        The public tree, with each move's mean probability over the hands, and the expected payoffs at each terminal
        node.

    Raises
    ------
    TreeTooLargeError
        If there are more than *max_nodes* nodes, hands or deals.
    ProfileError
        If an action with positive probability is not legal.
    ParameterError
        If *profile* has another type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("liars-dice sides=2", "oracle")
    >>> seen = eb.table_view(solution)
    >>> seen["1x2"]
    {'2x2': Fraction(1, 2), 'call': Fraction(1, 2)}
    """
    check_budget("table_view", "max_nodes", max_nodes)
    strategies = strategies_of("table_view", profile)
    game = strategies.game
    if max(game.hand_counts) > max_nodes:  # check before listing the hands
        raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
    hands = Hands(game)
    if hands.chances is None and game.deal_count > max_nodes:
        raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
    parent, action, infoset, outcome = list[int](), list[int](), list[int](), list[int]()
    infosets, rows, outcomes, reach = list[Infoset](), list[list[Any]](), list[Outcome](), list[Any]()
    counts, ends = Counter[int](), _Ends(hands)
    for place in reached(hands, strategies.behaviors):
        if len(parent) == max_nodes:
            raise TreeTooLargeError(max_nodes, max_nodes, exact=False)
        reach.append(hands.likely(place.rows))
        parent.append(place.above)
        if place.above == NONE:
            action.append(NONE)
        else:
            above = infoset[place.above]
            action.append(infosets[above].actions.index(place.action))
            rows[above].append(reach[-1] / reach[place.above])
        if isinstance(place.turn, PublicEnd):
            infoset.append(NONE)
            outcome.append(len(outcomes))
            label = f"mean {len(outcomes) + 1}"
            outcomes.append(Outcome(len(outcomes) + 1, label, ends.mean(place.turn.key, place.rows)))
            continue
        outcome.append(NONE)
        infoset.append(len(infosets))
        counts[place.turn.player] += 1
        infosets.append(Infoset(place.turn.player, counts[place.turn.player], place.turn.history, tuple(place.onward)))
        rows.append([])
    tree = GameTree(
        title=game.title,
        players=game.players,
        parent=np.array(parent, dtype=np.int32),
        action=np.array(action, dtype=np.int32),
        infoset=np.array(infoset, dtype=np.int32),
        outcome=np.array(outcome, dtype=np.int32),
        infosets=tuple(infosets),
        outcomes=tuple(outcomes),
        comment=f"{SEEN} {game.comment}".strip(),
    )
    return TreeProfile.from_personal(tree, dict(enumerate(map(tuple, rows))))


class _Ends:
    """Expected payoffs at the terminal nodes of the public tree, cached by node and combination of hand classes."""

    def __init__(self, hands: Hands) -> None:
        self.hands, self.game = hands, hands.game
        self._classes: dict[Hashable, list[tuple[int, ...]]] = {}
        self._paid: dict[tuple[Hashable, tuple[Hashable, ...]], tuple[Fraction, ...]] = {}

    def mean(self, key: Hashable, rows: Rows) -> tuple[Fraction, ...]:
        if key not in self._classes:
            alone = self.hands.chances is None  # some combinations of classes may be impossible
            each = [tuple(range(count)) for count in self.game.hand_counts]
            self._classes[key] = each if alone else payoff_classes(self.game, key)
        _, found = self.hands.together(rows, self._classes[key])
        payoffs = {cell: self._payoffs(key, cell) for cell in found}
        whole = sum(found.values())  # an integer, because sparse strategies are exact
        return tuple(
            sum((int(weight) * payoffs[cell][player] for cell, weight in found.items()), Fraction(0)) / int(whole)
            for player in range(len(rows))
        )

    def _payoffs(self, key: Hashable, cell: tuple[Hashable, ...]) -> tuple[Fraction, ...]:
        if (key, cell) not in self._paid:
            held = tuple(map(tuple.index, self._classes[key], cell))
            self._paid[key, cell] = settle(self.game, key, Deal(Fraction(1), held)).payoffs
        return self._paid[key, cell]
