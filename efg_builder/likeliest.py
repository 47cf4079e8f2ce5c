"""What happens most: the course of play that is more likely than any other, and how likely each payoff is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from .drawing.play import reaches
from .errors import NotApplicableError
from .profile import Profile
from .public_tree import PublicTree, public_tree
from .rationals import Number
from .tree import CHANCE, NONE, GameTree
from .tree.checks import scaled_payoffs


@dataclass(frozen=True)
class Holding:
    """One hand (or information set) of the player who moves: how likely it is there, and how often it makes the move.

    ``held`` is what somebody believes who knows the strategies and no hand.
    """

    hand: str
    held: Number
    plays: Number


@dataclass(frozen=True)
class Step:
    """A move on the course: ``player`` from 0 (-1 chance), ``chance`` of the move there, ``reach`` after it.

    ``holdings``: of a public course, by the mover's hands that get there.
    """

    player: int
    move: str
    chance: Number
    reach: Number
    holdings: tuple[Holding, ...]


@dataclass(frozen=True)
class Course:
    """A course of play from start to end, and its end: how likely it is, and each player's mean payoff there.

    ``public``: it is one of moves that all see, over all hands together; otherwise one of nodes, chance included.
    """

    steps: tuple[Step, ...]
    reach: Number
    payoffs: tuple[Number, ...]
    public: bool


def likeliest(profile: Profile, reach: Sequence[Number] | None = None) -> Course | None:
    """The course of play that is more likely than any other under *profile*; of several, the first in the tree's order.

    Where all moves are seen by all and chance is hidden (:func:`efg_builder.public_tree.public_tree`), it is one of
    public histories, and otherwise one of nodes. *reach*: of each node, where that is known. None for a tree without
    moves. Exact where *profile* is.
    """
    tree = profile.tree
    if len(tree) < 2:
        return None
    reach = reaches(tree, profile) if reach is None else reach
    try:
        public = public_tree(tree)
    except NotApplicableError:
        return _of_nodes(profile, reach)
    return _of_histories(profile, public, reach)


def payoff_chances(profile: Profile, reach: Sequence[Number] | None = None) -> tuple[dict[Fraction, Number], ...]:
    """For each player, how likely each payoff is that can come of *profile*, the least first."""
    tree = profile.tree
    reach = reaches(tree, profile) if reach is None else reach
    paid, scale = scaled_payoffs(tree)
    found: list[dict[Fraction, Number]] = [{} for _ in tree.players]
    for node in _ends(tree):
        if reach[node]:
            for player, chances in enumerate(found):
                payoff = Fraction(int(paid[node][player]), scale)
                chances[payoff] = chances.get(payoff, Fraction(0)) + reach[node]
    return tuple(dict(sorted(chances.items())) for chances in found)


def _ends(tree: GameTree) -> list[int]:
    ends: list[int] = np.flatnonzero(tree.infoset == NONE).tolist()
    return ends


def _of_nodes(profile: Profile, reach: Sequence[Number]) -> Course:
    tree = profile.tree
    end = max(_ends(tree), key=lambda node: reach[node])
    path = [end]
    while tree.parent[path[-1]] != NONE:
        path.append(int(tree.parent[path[-1]]))
    steps = []
    for node in reversed(path[:-1]):
        k, action = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
        infoset = tree.infosets[k]
        steps.append(Step(infoset.player, infoset.actions[action], profile.probabilities[k][action], reach[node], ()))
    return Course(tuple(steps), reach[end], _mean(tree, [end], reach), public=False)


def _of_histories(profile: Profile, public: PublicTree, reach: Sequence[Number]) -> Course:
    tree = profile.tree
    likely, held = _weights(public, reach)
    below = public.children
    last = max((h for h in range(len(public)) if not below[h]), key=lambda h: likely[h])
    histories = [last]
    while histories[-1]:
        histories.append(int(public.parent[histories[-1]]))
    histories.reverse()
    steps = []
    for at, then in pairwise(histories):
        move, holdings = public.moves[then], []
        for k, hand in zip(public.infosets[at], public.hands(at), strict=True):
            if held.get(k):
                row = dict(zip(tree.infosets[k].actions, profile.probabilities[k], strict=True))
                holdings.append(Holding(hand, held[k] / likely[at], row.get(move, Fraction(0))))
        player = int(public.player[at])
        steps.append(Step(player, move, likely[then] / likely[at], likely[then], tuple(holdings)))
    ends = np.flatnonzero((public.of == last) & (tree.infoset == NONE)).tolist()
    return Course(tuple(steps), likely[last], _mean(tree, ends, reach), public=True)


def _weights(public: PublicTree, reach: Sequence[Number]) -> tuple[list[Number], dict[int, Number]]:
    """How likely each public history is, and each personal information set."""
    tree = public.tree
    likely: list[Number] = [Fraction(0)] * len(public)
    held: dict[int, Number] = {}
    movers, of, sets = tree.player.tolist(), public.of.tolist(), tree.infoset.tolist()
    for node, chance in enumerate(reach):
        # Chance nodes lead to others of the same history: these count, once.
        if chance and movers[node] != CHANCE:
            likely[of[node]] += chance
            if movers[node] >= 0:
                held[sets[node]] = held.get(sets[node], Fraction(0)) + chance
    return likely, held


def _mean(tree: GameTree, ends: list[int], reach: Sequence[Number]) -> tuple[Number, ...]:
    """Each player's mean payoff at *ends*, given that play gets to one of them."""
    paid, scale = scaled_payoffs(tree)
    total = sum((reach[node] for node in ends), start=Fraction(0))
    return tuple(
        sum((reach[node] * Fraction(int(paid[node][player]), scale) for node in ends), start=Fraction(0)) / total
        for player in range(len(tree.players))
    )
