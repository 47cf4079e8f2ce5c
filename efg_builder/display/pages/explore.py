"""The data of the viewer's tab Explore that the tree does not contain: parameters of the rules, and bluffs."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from ...base.errors import EfgBuilderError
from ...base.rationals import text
from ...forms.extensive import NONE, GameTree, build

MOST_NODES = 50_000
"""The maximum number of nodes of a tree that Explore shows (``MOST_EXPLORED`` in ``src/explore_game.js``)."""


def explore_data(tree: GameTree) -> dict[str, Any]:
    """Return the entries of the viewer's data for Explore, without those that the game does not have.

    - ``rules``: the rules in words, as paragraphs.
    - ``settings``: the parameters that payoffs depend on linearly. Each has ``name``, ``value`` and ``slopes``: for
      each outcome, the increase of each player's payoff if the parameter increases by 1.
    - ``bluffs``: by information set, the bids that none of the bidder's dice support, as indices of actions.
    """
    if len(tree) > MOST_NODES:
        return {}
    rules = [tree.comment] * bool(tree.comment) if tree.game is None else list(tree.game.explain())
    found = {"rules": rules, "settings": _settings(tree), "bluffs": _bluffs(tree)}
    return {name: entry for name, entry in found.items() if entry}


def _settings(tree: GameTree) -> list[dict[str, Any]]:
    game = tree.game
    if game is None or not is_dataclass(game) or isinstance(game, type):
        return []
    settings = []
    for each in fields(game):
        value = getattr(game, each.name)
        if type(value) is not Fraction:
            continue
        try:
            one, two = (build(replace(game, **{each.name: value + step}), max_nodes=len(tree)) for step in (1, 2))
        except EfgBuilderError:
            continue
        slopes = _slopes(tree, one)
        if slopes is not None and slopes == _slopes(one, two) and any(any(row) for row in slopes):
            written = [[text(slope) for slope in row] for row in slopes]
            settings.append({"name": each.name, "value": text(value), "slopes": written})
    return settings


def _slopes(tree: GameTree, other: GameTree) -> list[list[Fraction]] | None:
    """Return the differences of the payoffs by outcome; None if more than the payoffs differ."""
    same = tree.infosets == other.infosets and np.array_equal(tree.infoset, other.infoset)
    if not same or not np.array_equal(tree.outcome == NONE, other.outcome == NONE):
        return None
    found: dict[int, list[Fraction]] = {}
    for here, there in sorted(set(zip(tree.outcome.tolist(), other.outcome.tolist(), strict=True))):
        if here == NONE:
            continue
        pairs = zip(tree.outcomes[here].payoffs, other.outcomes[there].payoffs, strict=True)
        step = [Fraction(after) - Fraction(before) for before, after in pairs]
        if found.setdefault(here, step) != step:
            return None
    return [found.get(n, [Fraction(0)] * len(tree.players)) for n in range(len(tree.outcomes))]


def _bluffs(tree: GameTree) -> dict[str, list[int]]:
    game: Any = tree.game
    if not hasattr(game, "claim"):
        return {}
    claim = cache(game.claim)
    indices = [{name: n for n, name in enumerate(names)} for names in game.hands]
    found = {}
    for k in tree.personal:
        infoset, hand = tree.infosets[k], tree.names[k].rpartition(": ")[0]
        if hand not in indices[infoset.player]:
            continue
        claims = (claim(infoset.player, indices[infoset.player][hand], action) for action in infoset.actions)
        lies = [a for a, made in enumerate(claims) if made is not None and made.matching == 0]
        if lies:
            found[str(k)] = lies
    return found
