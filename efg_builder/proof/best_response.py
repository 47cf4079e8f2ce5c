"""Best responses and values over the whole tree: plain, and exact where the profile is rational.

This module judges what solvers propose and shares no code with them: it walks the tree's nodes, and knows
nothing of sequence forms, linear programs or Gambit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..base.errors import ParameterError, RecallError, check_kind
from ..base.rationals import Number
from ..forms.extensive import NONE, GameTree
from ..strategies.tree_profile import TreeProfile


@dataclass(frozen=True)
class Values:
    """What a profile is worth, and where it leads.

    ``value``: each player's expected payoff. ``reach``: the probability that play passes through each
    information set, by index in ``tree.infosets`` (of a set met twice on a path, the sum).
    """

    value: tuple[Number, ...]
    reach: tuple[Number, ...]


@dataclass(frozen=True)
class BestResponse:
    """The most that ``player`` (from 0) can get against the others' strategies: ``value``.

    ``actions``: a best action at each of the player's sets that the others and chance reach, by index in
    ``tree.infosets``. ``gains``: by such a set and an action, what that action is worth, and ``weights``: by node, both
    times the probability that chance and the others play there.
    """

    player: int
    value: Number
    actions: dict[int, int]
    gains: Mapping[tuple[int, int] | None, Number] = field(default_factory=dict, repr=False, compare=False)
    weights: Sequence[Number] = field(default=(), repr=False, compare=False)


def values(profile: TreeProfile) -> Values:
    """Expected payoffs and reach probabilities; Fractions where the profile is rational, otherwise floats."""
    return values_of(Walk(profile))


def values_of(walk: Walk) -> Values:
    """``values`` of a profile that was unpacked already."""
    tree, numbers, columns = walk.tree, walk.numbers, walk.columns
    total = [numbers.zero] * len(tree.players)
    reached = [numbers.zero] * len(tree.infosets)
    weight: list[Number] = [numbers.zero] * len(tree)
    node, end = 0, len(tree)
    while node < end:
        above = columns.parent[node]
        p = numbers.one
        if above >= 0:
            p = weight[above] * numbers.probabilities[columns.infoset[above]][columns.action[node]]
        if not p:
            node += columns.sizes[node]
            continue
        weight[node] = p
        if columns.outcome[node] != NONE:
            for player, payoff in enumerate(numbers.payoffs[columns.outcome[node]]):
                total[player] += p * payoff
        if columns.infoset[node] != NONE:
            reached[columns.infoset[node]] += p
        node += 1
    return Values(tuple(total), tuple(reached))


def best_response(profile: TreeProfile, player: int) -> BestResponse:
    """The best response of *player* (from 0) to the others in *profile*, by backward induction over own sets.

    Subtrees that the others never reach are not visited. Raises ``RecallError`` where the player
    lacks perfect recall (a best response is then no backward induction), and ``ParameterError`` for a number
    that is no player's.
    """
    hint = "solution.profile and strategy.on(tree) are such"
    check_kind("best_response", profile, TreeProfile, "a strategy on a tree", hint)
    if player not in range(len(profile.tree.players)):
        known = ", ".join(map(str, range(len(profile.tree.players)))) or "none"
        raise ParameterError(f"there is no player number {player!r}; choose from: {known}")
    return best_response_of(Walk(profile), player)


def best_response_of(walk: Walk, player: int) -> BestResponse:
    """``best_response`` to a profile that was unpacked already."""
    tree, numbers, columns = walk.tree, walk.numbers, walk.columns
    # gain[(set, action)]: what ends of play after this as the last own move are worth in all, weighted by
    # the probability that chance and the others play towards them. None stands for no own move yet.
    gain: dict[tuple[int, int] | None, Number] = {None: numbers.zero}
    before: dict[int, tuple[int, int] | None] = {}
    weight: list[Number] = [numbers.zero] * len(tree)
    last: list[tuple[int, int] | None] = [None] * len(tree)
    node, end = 0, len(tree)
    while node < end:
        above = columns.parent[node]
        p, own = numbers.one, None
        if above >= 0:
            p, own, k = weight[above], last[above], columns.infoset[above]
            if columns.mover[k] == player:
                own = (k, columns.action[node])
            else:
                p = p * numbers.probabilities[k][columns.action[node]]
        if not p:
            node += columns.sizes[node]
            continue
        weight[node], last[node] = p, own
        if columns.outcome[node] != NONE:
            gain[own] = gain.get(own, numbers.zero) + p * numbers.payoffs[columns.outcome[node]][player]
        k = columns.infoset[node]
        if k != NONE and columns.mover[k] == player and before.setdefault(k, own) != own:
            raise RecallError(f"{tree.players[player]} does not have perfect recall at {tree.names[k]!r}")
        node += 1
    actions = {}
    # A set is first met after the set of the own move before it: backwards, the later ones come first.
    for k in reversed(before):
        worth = [gain.get((k, action), numbers.zero) for action in range(len(tree.infosets[k].actions))]
        actions[k] = max(range(len(worth)), key=worth.__getitem__)
        gain[before[k]] = gain.get(before[k], numbers.zero) + worth[actions[k]]
    return BestResponse(player, gain[None], actions, gain, weight)


class Walk:
    """A profile unpacked for walks over its tree."""

    def __init__(self, profile: TreeProfile) -> None:
        self.tree = profile.tree
        self.numbers, self.columns = _Numbers(profile), _Columns(profile.tree)


class _Columns:
    """The tree's arrays as Python lists: single elements are read faster there."""

    def __init__(self, tree: GameTree) -> None:
        self.parent: list[int] = tree.parent.tolist()
        self.action: list[int] = tree.action.tolist()
        self.infoset: list[int] = tree.infoset.tolist()
        self.outcome: list[int] = tree.outcome.tolist()
        self.sizes: list[int] = tree.sizes.tolist()
        self.mover: list[int] = [infoset.player for infoset in tree.infosets]


class _Numbers:
    """Probabilities and payoffs, all Fractions or all floats: mixed arithmetic would be slow and inexact."""

    def __init__(self, profile: TreeProfile) -> None:
        tree = profile.tree
        self.zero: Number = Fraction(0) if profile.exact else 0.0
        self.one: Number = Fraction(1) if profile.exact else 1.0
        self.probabilities: list[list[Number]] = [
            list(row) if profile.exact else _normalised(row) for row in profile.probabilities
        ]
        self.payoffs: list[list[Number]] = [[u if profile.exact else float(u) for u in row] for row in tree.payoffs]


def _normalised(row: tuple[Number, ...]) -> list[Number]:
    """Floats that sum to 1: what a solver left over or out would otherwise count as payoff."""
    floats = [float(p) for p in row]
    total = sum(floats)
    return [p / total for p in floats]
