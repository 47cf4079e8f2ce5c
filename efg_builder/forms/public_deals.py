"""The deals before public play, and the payoffs at each public end for all hands, derived from a game tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..base.errors import NotApplicableError
from .extensive import CHANCE, GameTree, payoffs_in_all
from .public_tree import PublicTree

Hands = tuple[int, ...]
"""The index of each player's hand."""

Seen = tuple[str, ...]
"""The public chance moves after the deal, such as the public card of Leduc hold'em."""


@dataclass(frozen=True, eq=False)
class PublicDeals:
    """The deals before ``public`` play, the later chance moves, and the payoffs."""

    public: PublicTree
    hands: tuple[tuple[str, ...], ...]  # [player]: the names of the hands
    deals: Mapping[Hands, Fraction]  # joint probabilities
    opened: Mapping[Seen, Mapping[Hands, Fraction]]  # [chance moves][hands]: the probability of these moves
    ends: Mapping[int, Mapping[Seen, Mapping[Hands, tuple[Fraction, ...]]]]  # [history][chance moves][hands]: payoffs
    opening: frozenset[int]  # the histories at which chance makes a public move


def public_deals(public: PublicTree) -> PublicDeals:
    """Return the deals before *public* play.

    Raises ``NotApplicableError`` unless the game consists of a deal and public play.
    """
    tree, of = public.tree, public.of.tolist()
    if tree.player[0] != CHANCE:
        _refuse(tree, "nothing is dealt before the first move")
    deal, likely, seen, later = _dealt(public)
    names, hands = _hands(public, deal, list(likely), seen)
    deals: dict[Hands, Fraction] = {}
    opened: dict[Seen, dict[Hands, Fraction]] = {}
    ends: dict[int, dict[Seen, dict[Hands, tuple[Fraction, ...]]]] = {}
    for one, p in likely.items():
        deals[hands[one]] = deals.get(hands[one], Fraction(0)) + p
    payoffs = payoffs_in_all(tree)
    for node in np.flatnonzero(tree.player < CHANCE).tolist():
        mine, what, paid = hands[deal[node]], seen[node], payoffs(node)
        if ends.setdefault(of[node], {}).setdefault(what, {}).setdefault(mine, paid) != paid:
            _refuse(tree, "payoffs depend on more than hands and moves")
        if what and opened.setdefault(what, {}).setdefault(mine, later[node]) != later[node]:
            _refuse(tree, f"the probability of chance's {' '.join(what)} depends on play")
    opening = frozenset(of[node] for node in np.flatnonzero(tree.player == CHANCE).tolist() if of[node])
    rank = {name: k for k, name in enumerate(names[0])}
    order = sorted(opened, key=lambda what: [rank.get(name, len(rank)) for name in what])
    sorted_ends = {
        history: {what: paid[what] for what in ((), *order) if what in paid} for history, paid in ends.items()
    }
    return PublicDeals(public, names, deals, {what: opened[what] for what in order}, sorted_ends, opening)


def _hands(
    public: PublicTree, deal: list[int], deals: list[int], seen: list[Seen]
) -> tuple[tuple[tuple[str, ...], ...], dict[int, Hands]]:
    """Return the names of each player's hands, and the hands in each deal."""
    names, held = list[tuple[str, ...]](), list[dict[int, int]]()
    for player in range(len(public.tree.players)):
        own, hand_of = _hands_of(public, player, deal, deals, seen)
        if names and set(own) == set(names[0]):  # use the order of player 1's hands
            place = [names[0].index(name) for name in own]
            own, hand_of = names[0], {one: place[hand] for one, hand in hand_of.items()}
        names.append(own)
        held.append(hand_of)
    return tuple(names), {one: tuple(hand_of[one] for hand_of in held) for one in deals}


def _dealt(public: PublicTree) -> tuple[list[int], dict[int, Fraction], list[Seen], list[Fraction]]:
    """Return each node's deal, the deals' probabilities, and each node's later chance moves with their probability.

    A deal is identified by the node after its last chance move.
    """
    tree = public.tree
    of, parent, player, action = (array.tolist() for array in (public.of, tree.parent, tree.player, tree.action))
    deal, later = [0] * len(tree), [Fraction(1)] * len(tree)
    seen: list[Seen] = [()] * len(tree)
    likely: dict[int, Fraction] = {0: Fraction(1)}
    for node in range(1, len(tree)):
        above = parent[node]
        deal[node], seen[node], later[node] = deal[above], seen[above], later[above]
        if player[above] != CHANCE:
            continue
        roll = tree.infosets[tree.infoset[above]]
        p = roll.chances[action[node]]
        if of[above] == 0:
            deal[node], likely[node] = node, likely[deal[above]] * p
        else:
            seen[node], later[node] = (*seen[above], roll.actions[action[node]]), later[above] * p
    dealt = {deal[node] for node in range(len(tree)) if player[node] != CHANCE}
    return deal, {one: p for one, p in likely.items() if one in dealt}, seen, later


def _hands_of(
    public: PublicTree, player: int, deal: list[int], deals: list[int], seen: list[Seen]
) -> tuple[tuple[str, ...], dict[int, int]]:
    """Return the names of a player's hands, and the player's hand in each deal.

    The player has the same hand in two deals that lead to the same information set.
    """
    tree = public.tree
    members: dict[int, list[int]] = {}
    for node in np.flatnonzero(tree.player == player).tolist():
        members.setdefault(int(tree.infoset[node]), []).append(node)
    same = {one: one for one in deals}
    for nodes in members.values():
        if len({seen[node] for node in nodes}) > 1:
            _refuse(tree, f"{tree.players[player]} does not see a chance move during play")
        joined = {same[deal[node]] for node in nodes}
        same |= {one: min(joined) for one, hand in same.items() if hand in joined}
    sets: dict[tuple[int, int, Seen], int] = {}
    names: dict[int, tuple[int, str]] = {}
    for k, nodes in members.items():
        hand, history = same[deal[nodes[0]]], int(public.of[nodes[0]])
        if sets.setdefault((hand, history, seen[nodes[0]]), k) != k:
            _refuse(tree, f"{tree.players[player]} learns more about the deal during play")
        named = dict(zip(public.infosets[history], public.hands(history), strict=True))
        names[hand] = min(names.get(hand, (history, named[k])), (history, named[k]), key=lambda pair: pair[0])
    order = list(names)
    if len(order) < 2:  # a player who knows nothing about the deal
        return ("",), dict.fromkeys(deals, 0)
    if any(same[one] not in names for one in deals):
        _refuse(tree, f"{tree.players[player]} moves only after some deals")
    return tuple(names[hand][1] for hand in order), {one: order.index(same[one]) for one in deals}


def _refuse(tree: GameTree, why: str) -> None:
    raise NotApplicableError(f"{tree.title!r} is not a deal followed by public play: {why}")
