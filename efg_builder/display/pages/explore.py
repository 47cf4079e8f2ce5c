"""The data of the viewer's tab Explore that the tree does not contain: parameters of the rules, and bluffs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...base.errors import FAILURES, PASSED_ON
from ...base.rationals import text
from ...forms.extensive import NONE, GameTree, build
from ...games.protocol import PublicDecision

MOST_NODES = 50_000
"""The maximum number of nodes of a tree that Explore shows (``MOST_EXPLORED`` in ``src/explore_game.js``)."""

MOST_TIMES = 4
"""The page moves a positive parameter from its value divided by this number to its value times this number."""

Slopes = list[list[Fraction]]  # [outcome][player]


def explore_data(tree: GameTree, only_played: bool = False) -> dict[str, Any]:
    """Return the entries of the viewer's data for Explore, without those that the game does not have.

    - ``rules``: the rules in words, as paragraphs.
    - ``settings``: the parameters that payoffs depend on linearly on the whole slider. Each has ``name``, ``value``
      and ``slopes``: for each outcome, the increase of each player's payoff if the parameter
      increases by 1. If payoffs are not linear in several parameters together, there is only the first.
    - ``bluffs``: by information set, the bids that nothing in the bidder's hand supports, as indices of actions.
    - ``only_played``: true for a support tree (*only_played*), which Explore refuses.
    """
    if only_played:
        return {"only_played": True}
    if len(tree) > MOST_NODES:
        return {}
    rules = [tree.comment] * bool(tree.comment) if tree.game is None else list(tree.game.explain())
    found = {"rules": rules, "settings": _settings(tree), "bluffs": _bluffs(tree)}
    return {name: entry for name, entry in found.items() if entry}


def _settings(tree: GameTree) -> list[dict[str, Any]]:
    game = tree.game
    if game is None or not is_dataclass(game) or isinstance(game, type):
        return []
    values = {each.name: getattr(game, each.name) for each in fields(game)}
    slopes = {}
    for name, now in values.items():
        if type(now) is Fraction and now > 0 and (found := _linear(tree, name, now)):
            slopes[name] = found
    corners = ({name: factor * values[name] for name in slopes} for factor in _ENDS)
    if len(slopes) > 1 and not all(_is_sum(tree, corner, values, slopes) for corner in corners):
        slopes = dict(list(slopes.items())[:1])
    return [
        {"name": name, "value": text(values[name]), "slopes": [[text(slope) for slope in row] for row in rows]}
        for name, rows in slopes.items()
    ]


_ENDS = (Fraction(1, MOST_TIMES), Fraction(MOST_TIMES))


def _linear(tree: GameTree, name: str, now: Fraction) -> Slopes | None:
    """Return the slopes of the payoffs in the parameter *name*, which are equal toward both ends of the slider.

    Return None if they differ, or if the parameter changes no payoff or other things.
    """
    low, high = (_slopes(tree, _with(tree, {name: factor * now}), (factor - 1) * now) for factor in _ENDS)
    return low if low == high and low is not None and any(map(any, low)) else None


def _is_sum(
    tree: GameTree, changed: Mapping[str, Fraction], values: Mapping[str, Any], slopes: Mapping[str, Slopes]
) -> bool:
    """Return whether the changes of several parameters together are the sum of their changes alone."""
    found = _slopes(tree, _with(tree, changed), Fraction(1))
    players = range(len(tree.players))
    right = [
        [sum((slopes[name][n][i] * (at - values[name]) for name, at in changed.items()), Fraction(0)) for i in players]
        for n in range(len(tree.outcomes))
    ]
    return found == right


def _with(tree: GameTree, changed: Mapping[str, Fraction]) -> GameTree | None:
    """Return the tree of the game with other parameters; None if its rules do not allow them."""
    game: Any = tree.game
    try:
        return build(replace(game, **changed), max_nodes=len(tree))
    except PASSED_ON:
        raise
    except FAILURES:
        return None


def _slopes(tree: GameTree, other: GameTree | None, step: Fraction) -> Slopes | None:
    """Return the differences of the payoffs by outcome, divided by *step*; None if more than the payoffs differ."""
    if other is None:
        return None
    same = tree.infosets == other.infosets and np.array_equal(tree.infoset, other.infoset)
    if not same or not np.array_equal(tree.outcome == NONE, other.outcome == NONE):
        return None
    found: dict[int, list[Fraction]] = {}
    for here, there in sorted(set(zip(tree.outcome.tolist(), other.outcome.tolist(), strict=True))):
        if here == NONE:
            continue
        pairs = zip(tree.outcomes[here].payoffs, other.outcomes[there].payoffs, strict=True)
        slopes = [(Fraction(after) - Fraction(before)) / step for before, after in pairs]
        if found.setdefault(here, slopes) != slopes:
            return None
    return [found.get(n, [Fraction(0)] * len(tree.players)) for n in range(len(tree.outcomes))]


def _bluffs(tree: GameTree) -> dict[str, list[int]]:
    game = None if tree.game is None else tree.game.dealt_game
    if game is None:
        return {}
    claim, found = cache(game.claim), dict[int, list[int]]()

    def indices(turn: PublicDecision) -> list[tuple[int, int]]:
        """Return each hand at *turn* with its information set in the tree, which may be a part of the game's tree."""
        named = ((hand, game.infoset_name(turn.player, hand, turn.history)) for hand in range(hands[turn.player]))
        return [(hand, tree.by_label[name]) for hand, name in named if name in tree.by_label]

    hands = game.hand_counts
    for turn in game.turns(lambda turn: bool(indices(turn))):
        for hand, k in indices(turn):
            claims = (claim(turn.player, hand, action) for action in tree.infosets[k].actions)
            if lies := [a for a, made in enumerate(claims) if made is not None and made.matching == 0]:
                found[k] = lies
    return {str(k): found[k] for k in sorted(found)}
