"""First bids that a strategy answers alike: they are worth the same, so that one of them stands for all.

The search leaves low bids out, and player 2 then answers all of them as the lowest one. Such strategies are large only
because each answer is written once for each first bid.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..games.bidding import BiddingGame
from .sparse_profile import Behavior, SparseProfile

_RULES = ("public_root", "public_turn", "history", "default_action")
"""What a game must have as it is in ``BiddingGame``, so that only the last bid and the caller count."""


def alike_openings(profile: SparseProfile) -> dict[str, str]:
    """First bids after which all others play as they do after a lower one, with the lowest of these; of bidding only.

    Whatever the hand, the next player bids higher than either. So nobody calls the first bid. What may be bid from
    then on is the same after both, what is answered is the same, and what an end pays depends on the last bid and its
    caller alone. So the first player can get as much after one as after the other.
    """
    game = profile.game
    if not isinstance(game, BiddingGame) or any(" " in name for name in game.bid_names):
        return {}
    if any(getattr(type(game), rule) is not getattr(BiddingGame, rule) for rule in _RULES):
        return {}
    bids = {name: bid for bid, name in enumerate(game.bid_names)}
    answers, every = profile.strategies[1], range(game.hand_counts[1])
    after: dict[str, dict[tuple[int, str], Mapping[int, Behavior]]] = {
        name: {}
        for name, bid in bids.items()
        if all(hand in answers.get(name, {}) for hand in every)
        and all(bids.get(action, -1) > bid for row in answers[name].values() for action in row)
    }
    for player, histories in enumerate(profile.strategies[1:], start=1):
        for history, rows in histories.items():
            first, _, then = history.partition(" ")
            if first in after:
                after[first][player, then] = rows
    lowest, found = list[str](), dict[str, str]()
    for name, answered in after.items():
        lower = next((other for other in lowest if after[other] == answered), None)
        if lower is None:
            lowest.append(name)
        else:
            found[name] = lower
    return found


def without_alike(profile: SparseProfile, alike: Mapping[str, str]) -> SparseProfile:
    """*profile* without what others than the first player answer to the keys of *alike*."""
    mine, *others = profile.strategies
    left = ({h: rows for h, rows in each.items() if _first_bid(h) not in alike} for each in others)
    return SparseProfile.of_distributions(profile.game, (mine, *left), profile.name)


def with_alike(profile: SparseProfile, alike: Mapping[str, str]) -> SparseProfile:
    """The inverse of ``without_alike``: the answers to each value of *alike* are copied to its keys."""
    copies = dict[str, list[str]]()
    for name, lower in alike.items():
        copies.setdefault(lower, []).append(name)
    mine, *others = profile.strategies
    whole = []
    for each in others:
        found = dict(each)
        for history, rows in each.items():
            first = _first_bid(history)
            found |= {name + history.removeprefix(first): rows for name in copies.get(first, ())}
        whole.append(found)
    return SparseProfile.of_distributions(profile.game, (mine, *whole), profile.name)


def _first_bid(history: str) -> str:
    """The first bid of a public history."""
    return history.partition(" ")[0]
