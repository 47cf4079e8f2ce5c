"""Strategies, in whatever form they were given, as the exact probabilities that a board asks for."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...base.errors import ProfileError
from ...base.rationals import Number
from ...games.bidding import BiddingGame
from ...games.protocol import DealtGame, PublicDecision
from ...strategies.dense_profile import WideStrategy
from ...strategies.sparse_profile import SparseProfile
from ...strategies.strategy_file import StrategyFile
from ...strategies.strategy_rows import by_rules, check_game
from ...strategies.tree_profile import Profile
from .. import Policy
from ..strategy_seats import UNIFORM, Given, Ground, asked, completion, on_tree
from .board import Row, exact
from .on_table import Rows


def on_table_rows(given: Given, game: DealtGame, complete: str | None) -> Rows:
    """*given* by public turn and hand. Raises ``ProfileError`` where it does not fit the game."""
    how = completion(given, complete, game)
    if isinstance(given, Policy):
        return _of_policy(given, game)
    if isinstance(given, SparseProfile):
        if given.game != game:
            raise ProfileError(f"the strategies are of {given.game.title!r}, not of {game.title!r}")
        return given.played
    if isinstance(given, Profile):
        return _of_profile(given, game)
    if isinstance(given, StrategyFile):
        return _of_file(given, game, how)
    assert isinstance(given, WideStrategy)
    if given.game != game:
        raise ProfileError(f"the arrays are of {given.game.title!r}, not of {game.title!r}")
    return _of_arrays(given, given.game)


def on_tree_rows(given: Given, ground: Ground, complete: str | None) -> tuple[Row, ...]:
    """*given* in every seat: one row for each information set of the tree, chance included. Raises ``ProfileError``."""
    how = completion(given, complete, ground.game)
    found: dict[int, tuple[Number, ...]] = {}
    for player in range(len(ground.tree.players)):
        found |= on_tree(given, player, ground, how)[0]
    chances = {k: i.probabilities for k, i in enumerate(ground.tree.infosets) if i.probabilities is not None}
    return tuple(chances[k] if k in chances else exact(found[k]) for k in range(len(ground.tree.infosets)))


def _exact(behavior: Mapping[str, Number]) -> dict[str, Fraction]:
    return dict(zip(behavior, exact(tuple(behavior.values())), strict=True))


def _of_policy(given: Policy, game: DealtGame) -> Rows:
    known: dict[tuple[int, str, int], dict[str, Fraction]] = {}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        seen = turn.history.rpartition(" ")[2] if given.last_bid_only else turn.history
        key = turn.player, seen, hand
        if key not in known:
            known[key] = _exact(asked(given, game, turn, hand))
        return known[key]

    return rows


def _of_profile(given: Profile, game: DealtGame) -> Rows:
    tree = given.tree
    index = {tree.infosets[k].label: k for k in tree.personal}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        k = index.get(game.infoset_name(turn.player, hand, turn.history))
        if k is None or tree.infosets[k].actions != tuple(action for action, _ in turn.actions):
            raise ProfileError(f"the profile is not one of {game.title!r}: it is of {tree.title!r}")
        return _exact(dict(zip(tree.infosets[k].actions, given.probabilities[k], strict=True)))

    return rows


def _of_file(given: StrategyFile, game: DealtGame, how: str | None) -> Rows:
    check_game(given, game, game.title)
    written = by_rules(given, game)

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        found = written[turn.player].get(turn.history, {}).get(hand)
        if found is None and how == "uniform":
            found = UNIFORM.at(turn, hand)
        return {turn.actions[game.default_action(turn)][0]: Fraction(1)} if found is None else _exact(found)

    return rows


def _of_arrays(given: WideStrategy, game: BiddingGame) -> Rows:
    from ...games.bid_index import locate

    number = {name: bid for bid, name in enumerate(game.bid_names)}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        array: Any = given.arrays[turn.player]
        if array is None:
            lacking = f"there is no strategy of player {turn.player + 1} in it"
            raise ProfileError(f"{given.source}: {lacking}" if given.source else lacking)
        bids = [number[word] for word in turn.history.split()] if turn.history != game.history(()) else []
        entry = locate(bids)[1]
        found = {
            action: Fraction(float(array[entry | 1 << number[action] >> 1, hand]))
            for action, _ in turn.actions
            if action != game.call
        }
        if bids:
            found[game.call] = max(1 - sum(found.values(), Fraction(0)), Fraction(0))
        return _exact(found)

    return rows
