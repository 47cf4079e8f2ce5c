"""Reach probabilities, expected payoffs and beliefs at every node under a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError
from ..base.rationals import NEGLIGIBLE, Number, is_played
from ..forms.extensive import CHANCE, NONE, GameTree, payoffs_in_all
from ..forms.public_tree import PublicTree, public_tree
from ..strategies.tree_profile import TreeProfile


@dataclass(frozen=True, slots=True)
class ReachProduct:
    """The reach probability of a node as two factors: a product of exact probabilities and a product of floats.

    A tiny product of floats can be a solver's rounding error. A tiny exact probability, such as the probability of a
    deal, cannot be an error.
    """

    exact: Fraction = Fraction(1)
    floats: Number = Fraction(1)

    def then(self, p: Number) -> ReachProduct:
        """Return the reach probability after another move of probability *p*."""
        if isinstance(p, Fraction):
            return ReachProduct(self.exact * p, self.floats)
        return ReachProduct(self.exact, settled(self.floats * settled(p)))

    @property
    def likely(self) -> Number:
        """The reach probability: exact if all factors are exact, and 0 if the floats are a rounding error."""
        return self.exact * self.floats


def settled(p: Number) -> Number:
    """Return a probability without a solver's rounding errors: floats close to 0 or 1 become 0 or 1."""
    if isinstance(p, Fraction):
        return p
    if not is_played(p):
        return 0.0
    return p if p < 1 - NEGLIGIBLE else 1.0


def reaches(tree: GameTree, profile: TreeProfile) -> list[Number]:
    """Return the reach probability of each node, without a solver's rounding errors; exact if the profile is exact."""
    ways = [ReachProduct()]
    rows = profile.probabilities
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    for node in range(1, len(tree)):
        above = parents[node]
        ways.append(ways[above].then(rows[infosets[above]][actions[node]]))
    return [way.likely for way in ways]


def expected_payoffs(tree: GameTree, profile: TreeProfile) -> list[tuple[Number, ...]]:
    """Return each player's expected payoff given each node, including the payoffs on the path to the node.

    From each node, even an unreached node, play continues as in the profile.
    """
    paid = payoffs_in_all(tree)
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    players = range(len(tree.players))
    values: list[list[Number]] = [[Fraction(0) for _ in players] for _ in parents]
    for node in range(len(parents) - 1, -1, -1):
        mine = values[node]
        if infosets[node] == NONE:
            mine[:] = paid(node)
        if node:
            above = parents[node]
            weight = profile.probabilities[infosets[above]][actions[node]]
            for player in players:
                values[above][player] += weight * mine[player]
    return [tuple(row) for row in values]


def beliefs(tree: GameTree, reach: list[Number]) -> list[Number | None]:
    """Return the probability of each node given its information set.

    The probability is None if the node has no information set, or if the information set is unreached. If a path meets
    an information set twice, the probability of a node is its share of the expected number of visits (M. Piccione and
    A. Rubinstein, Games and Economic Behavior 20, 1997, "consistent beliefs"), so that the probabilities sum to 1.
    """
    infosets = tree.infoset.tolist()
    totals: list[Number] = [Fraction(0)] * len(tree.infosets)
    for node, k in enumerate(infosets):
        if k != NONE:
            totals[k] += reach[node]
    return [reach[node] / totals[k] if k != NONE and totals[k] > 0 else None for node, k in enumerate(infosets)]


def action_payoffs(profile: TreeProfile, beliefs: Mapping[int, Number]) -> dict[int, list[Number]]:
    """Return the mover's expected payoff, including earlier payoffs, for each action at each information set.

    *beliefs*: the probability of each node given its information set. Information sets without beliefs are omitted.
    """
    tree, worth = profile.tree, expected_payoffs(profile.tree, profile)
    parent, action, infoset = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    found: dict[int, list[Number]] = {}
    for node in range(1, len(tree)):
        if (belief := beliefs.get(parent[node])) is not None:
            event = tree.infosets[k := infoset[parent[node]]]
            options = found.setdefault(k, [Fraction(0)] * len(event.actions))
            options[action[node]] += belief * worth[node][event.player]
    return found


Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Holding:
    """A hand (or information set) of the mover at a step of play.

    ``held``: the probability of this hand for an observer who knows the strategies but no hands. ``plays``: the
    probability of the step's move with this hand.
    """

    hand: str
    held: Number
    plays: Number


@dataclass(frozen=True)
class PlayStep:
    """A move in a course of play.

    ``player``: the mover, from 0 (-1: chance). ``chance``: the probability of the move. ``reach``: the reach
    probability after the move. ``holdings``: the mover's possible hands; empty unless the course is public.
    """

    player: int
    move: str
    chance: Number
    reach: Number
    holdings: tuple[Holding, ...]


@dataclass(frozen=True)
class LikelyPlay:
    """A course of play from start to end, with its probability ``reach`` and the players' mean payoffs at its end.

    ``public``: if true, the steps are public moves, for all hands together. Otherwise, the steps are the moves on a
    path of the tree, including chance moves.
    """

    steps: tuple[PlayStep, ...]
    reach: Number
    payoffs: tuple[Number, ...]
    public: bool


def likeliest(profile: TreeProfile, reach: Sequence[Number] | None = None, *, dealt: bool = False) -> LikelyPlay | None:
    """Return the most likely course of play under *profile*; None if the game has no moves.

    Among equally likely courses, return the first in the tree's order. A course consists of public histories if
    ``public_by_moves(tree, dealt=dealt)`` returns a public tree, otherwise of nodes. *reach*: the reach probability of
    each node, if known. The result is exact if *profile* is exact.
    """
    tree = profile.tree
    if len(tree) < 2:
        return None
    reach = reaches(tree, profile) if reach is None else reach
    public = public_by_moves(tree, dealt=dealt)
    return _of_nodes(profile, reach) if public is None else _of_histories(profile, public, reach)


def public_by_moves(tree: GameTree, *, dealt: bool = False) -> PublicTree | None:
    """Return the public tree if the players' moves are the only public events; else None.

    The trees of *dealt* games have no other public events. In other trees, no chance event may be common knowledge: a
    chain of outcomes must connect any two outcomes. At each step of the chain, some player cannot distinguish the two
    neighbors. (``public_tree.public_tree`` treats all chance events as hidden, even a coin toss that all players see.)
    """
    try:
        public = public_tree(tree)
    except NotApplicableError:
        return None
    return public if dealt or _hides_chance(public) else None


def _hides_chance(public: PublicTree) -> bool:
    """Return whether no chance event is common knowledge (Aumann 1976), according to the information sets alone.

    Compare the nodes of each public history, and the outcomes of each chance node. A player cannot distinguish two
    nodes or outcomes if one of her information sets contains nodes at or below both. At a history after her last turn,
    the nodes of the information set may also be above both.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    which, where, views = _views(public)
    tags, view = np.unique(where.astype(np.int64) * len(public.tree.infosets) + views, return_inverse=True)
    size = 2 * len(public.tree)
    edges = np.ones(len(which), dtype=np.int8), (which, size + view)
    _, group = connected_components(coo_array(edges, shape=(size + len(tags),) * 2), directed=False)
    pairs = np.unique(np.stack([where, group[which]]), axis=1)
    return bool(len(np.unique(where)) == pairs.shape[1])


def _views(public: PublicTree) -> tuple[Indices, Indices, Indices]:
    """Return three arrays: the nodes and chance outcomes to compare, their groups, and their information sets.

    The group of a node is its public history. The number of a chance outcome is the number of its node plus the number
    of all nodes. The group of a chance outcome is the chance node, numbered after all histories.
    """
    tree, count, kinds = public.tree, len(public.tree), len(public.tree.infosets)
    mover, above = tree.player, tree.parent
    decisions = np.flatnonzero(mover >= 0)
    at, sets = decisions, tree.infoset[decisions].astype(np.intp)
    found: list[tuple[Indices, Indices, Indices]] = []
    while at.size:
        moved = mover[at] >= 0
        found.append((at[moved], public.of[at[moved]].astype(np.intp), sets[moved]))
        inner = above[at] != NONE
        at, sets = at[inner], sets[inner]
        drawn = mover[above[at]] == CHANCE
        found.append((at[drawn] + count, above[at[drawn]].astype(np.intp) + len(public), sets[drawn]))
        # Follow each pair of a node and an information set only once.
        pairs = np.divmod(np.unique(above[at].astype(np.int64) * kinds + sets), kinds)
        at, sets = pairs[0].astype(np.intp), pairs[1].astype(np.intp)
    for player in range(len(tree.players)):
        last = _last_sets(tree, player)
        after = decisions[(last[decisions] != NONE) & ~_moves_yet(public, player)[public.of[decisions]]]
        found.append((after, public.of[after].astype(np.intp), last[after]))
    which, where, views = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return which, where, views


def _last_sets(tree: GameTree, player: int) -> Indices:
    """Return the player's last information set before each node (NONE before the player's first); shape (nodes,)."""
    last = np.full(len(tree), NONE, dtype=np.intp)
    for nodes in tree.levels[1:]:
        parents = tree.parent[nodes]
        last[nodes] = np.where(tree.player[parents] == player, tree.infoset[parents], last[parents])
    return last


def _moves_yet(public: PublicTree, player: int) -> npt.NDArray[np.bool_]:
    yet: npt.NDArray[np.bool_] = public.player == player
    for history in range(len(public) - 1, 0, -1):
        yet[public.parent[history]] |= yet[history]
    return yet


def payoff_chances(profile: TreeProfile, reach: Sequence[Number] | None = None) -> tuple[dict[Fraction, Number], ...]:
    """Return the probability of each payoff of each player under *profile*, in ascending order of payoffs."""
    tree = profile.tree
    reach = reaches(tree, profile) if reach is None else reach
    paid = payoffs_in_all(tree)
    found: list[dict[Fraction, Number]] = [{} for _ in tree.players]
    for node in _ends(tree):
        if reach[node]:
            for payoff, chances in zip(paid(node), found, strict=True):
                chances[payoff] = chances.get(payoff, Fraction(0)) + reach[node]
    return tuple(dict(sorted(chances.items())) for chances in found)


def _ends(tree: GameTree) -> list[int]:
    ends: list[int] = np.flatnonzero(tree.infoset == NONE).tolist()
    return ends


def _of_nodes(profile: TreeProfile, reach: Sequence[Number]) -> LikelyPlay:
    tree = profile.tree
    end = max(_ends(tree), key=lambda node: reach[node])
    path = [end]
    while tree.parent[path[-1]] != NONE:
        path.append(int(tree.parent[path[-1]]))
    steps = []
    for node in reversed(path[:-1]):
        k, action = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
        infoset = tree.infosets[k]
        steps.append(
            PlayStep(infoset.player, infoset.actions[action], profile.probabilities[k][action], reach[node], ())
        )
    return LikelyPlay(tuple(steps), reach[end], _mean(tree, [end], reach), public=False)


def _of_histories(profile: TreeProfile, public: PublicTree, reach: Sequence[Number]) -> LikelyPlay:
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
        steps.append(PlayStep(player, move, likely[then] / likely[at], likely[then], tuple(holdings)))
    ends = np.flatnonzero((public.of == last) & (tree.infoset == NONE)).tolist()
    return LikelyPlay(tuple(steps), likely[last], _mean(tree, ends, reach), public=True)


def _weights(public: PublicTree, reach: Sequence[Number]) -> tuple[list[Number], dict[int, Number]]:
    tree = public.tree
    likely: list[Number] = [Fraction(0)] * len(public)
    held: dict[int, Number] = {}
    movers, of, sets = tree.player.tolist(), public.of.tolist(), tree.infoset.tolist()
    for node, chance in enumerate(reach):
        # Skip chance nodes: the nodes after a chance node are in the same history, and are counted.
        if chance and movers[node] != CHANCE:
            likely[of[node]] += chance
            if movers[node] >= 0:
                held[sets[node]] = held.get(sets[node], Fraction(0)) + chance
    return likely, held


def _mean(tree: GameTree, ends: list[int], reach: Sequence[Number]) -> tuple[Number, ...]:
    paid = payoffs_in_all(tree)
    total = sum((reach[node] for node in ends), start=Fraction(0))
    return tuple(
        sum((reach[node] * paid(node)[player] for node in ends), start=Fraction(0)) / total
        for player in range(len(tree.players))
    )
