"""Where a strategy moves, and what each hand does there: the rows of a strategy table, no more of them than are shown.

A place is a public history at which one player moves; of games that are not dealt, a single information set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, islice
from math import prod

import numpy as np

from ...base.naming import distinct
from ...base.rationals import Number
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset
from ...games.protocol import DealtGame, PublicDecision
from ...proof import values
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Profile

MOST_NODES = 20_000
"""Of profiles on larger trees only the start is told: nothing is worked out over the whole tree."""

MOST_HANDS = 2_000
"""Of strategies in games with more hands of one player nothing is listed."""

MOST_DEALS = 10_000
"""At the start of a large tree, so many branches of chance are looked at."""


@dataclass(frozen=True)
class Hand:
    """What is done with one hand: the probability of each legal action, by its label.

    ``reached``: whether play gets there; None where that was not worked out.
    """

    name: str
    behavior: Mapping[str, Number]
    reached: bool | None


@dataclass(frozen=True)
class Place:
    """Where ``player`` (from 0) moves, after ``history`` (empty where labels do not tell), and what each hand does.

    ``reach``: how likely play is to get there; None where that was not worked out.
    """

    player: int
    history: str
    reach: Number | None
    hands: tuple[Hand, ...]


def shown_places(places: Sequence[Place], most: int) -> list[Place]:
    """Those that fit into *most* rows, the likeliest first to be kept, in their old order; a first one always."""
    total = sum(len(place.hands) for place in places)
    if total <= most:
        return list(places)
    order = sorted(range(len(places)), key=lambda n: (-(places[n].reach or 0), n))
    kept, room = set[int](), most
    for n in order:
        if places[n].reach == 0 and kept:
            break
        if len(places[n].hands) <= room or not kept:
            kept.add(n)
            room -= len(places[n].hands)
    return [place for n, place in enumerate(places) if n in kept]


def profile_places(profile: Profile, reach: Sequence[Number] = ()) -> list[Place]:
    """The places of a profile in prefix order; of a large tree, those of the first move alone.

    *reach*: how likely each information set is, where that is known.
    """
    tree = profile.tree
    if len(tree) > MOST_NODES:
        return _grouped(profile, _first_sets(tree), None)
    known = reach if len(reach) == len(tree.infosets) else values(profile).reach
    first = first_nodes(tree)
    return _grouped(profile, sorted(first, key=first.__getitem__), known)


def first_nodes(tree: GameTree) -> dict[int, int]:
    """Each personal information set's first node in prefix order."""
    found, first = np.unique(tree.infoset, return_index=True)
    met = {int(k): int(node) for k, node in zip(found, first, strict=True) if k != NONE}
    return {k: node for k, node in met.items() if tree.infosets[k].player != CHANCE}


def place_of(infoset: Infoset) -> tuple[str, str]:
    """The hand and the public history in a set's label, ``"hand: history"``; of other labels the whole and nothing."""
    hand, colon, history = infoset.label.rpartition(": ")
    return (hand, history) if colon else (infoset.label or f"set {infoset.number}", "")


def _first_sets(tree: GameTree) -> list[int]:
    nodes = islice(tree.children(0), MOST_DEALS) if tree.player[0] == CHANCE else [0]
    return list(dict.fromkeys(int(tree.infoset[node]) for node in nodes if tree.player[node] >= 0))


def _grouped(profile: Profile, sets: Iterable[int], reach: Sequence[Number] | None) -> list[Place]:
    tree = profile.tree
    groups: dict[tuple[int, str, tuple[str, ...]], list[int]] = {}
    for k in sets:
        infoset = tree.infosets[k]
        groups.setdefault((infoset.player, place_of(infoset)[1], infoset.actions), []).append(k)
    return [
        Place(
            player,
            history,
            None if reach is None else sum((reach[k] for k in members), start=Fraction(0)),
            tuple(_hand(profile, k, reach) for k in sorted(members)),
        )
        for (player, history, _), members in groups.items()
    ]


def _hand(profile: Profile, k: int, reach: Sequence[Number] | None) -> Hand:
    infoset = profile.tree.infosets[k]
    behavior = dict(zip(distinct(infoset.actions), profile.probabilities[k], strict=True))
    return Hand(place_of(infoset)[0], behavior, None if reach is None else reach[k] > 0)


def sparse_places(profile: SparseProfile, most: int) -> list[Place]:
    """The places of strategies without a tree that play gets to, likeliest first, until *most* rows are full.

    Empty where there are too many hands, or where hands are not independent.
    """
    game = profile.game
    if max(game.hand_counts) > MOST_HANDS or game.hand_probabilities is None:
        return []
    found: list[Place] = []
    rows = 0
    for place in _likeliest_first(profile, game, game.hand_probabilities):
        if found and rows + len(place.hands) > most:
            break
        found.append(place)
        rows += len(place.hands)
    return found


def _likeliest_first(profile: SparseProfile, game: DealtGame, chances: Sequence[Sequence[Fraction]]) -> Iterator[Place]:
    """Public play by how likely it is; by player and hand, how likely hand and own moves are together."""
    number = count()
    start = tuple({hand: p for hand, p in enumerate(mine) if p} for mine in chances)
    heap = [(-1.0, next(number), game.public_root(), start)]
    while heap:
        _, _, state, ways = heappop(heap)
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        onward: dict[str, dict[int, Fraction]] = {}
        hands = []
        for hand, way in ways[turn.player].items():
            played = profile.played(turn, hand)
            for action, p in played.items():
                onward.setdefault(action, {})[hand] = way * p
            behavior = {action: played.get(action, Fraction(0)) for action, _ in turn.actions}
            hands.append(Hand(game.hands[turn.player][hand], behavior, True))
        yield Place(turn.player, turn.history, _likely(ways), tuple(hands))
        for action, then in turn.actions:
            if action in onward:
                after = (*ways[: turn.player], onward[action], *ways[turn.player + 1 :])
                heappush(heap, (-float(_likely(after)), next(number), then, after))


def _likely(ways: Sequence[Mapping[int, Fraction]]) -> Fraction:
    return prod((sum(way.values(), Fraction(0)) for way in ways), start=Fraction(1))
