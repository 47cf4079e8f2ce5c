"""One player's strategy as full-width arrays over the histories of a two-player game of bidding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..base.errors import NotApplicableError, ProfileError
from ..base.rationals import Number
from ..games.bid_index import bids_at, class_size, last_bid, locate
from ..games.bidding import BiddingGame
from ..games.protocol import PublicDecision
from ..strategies.dense_profile import Array, ByLastBid, Dense, WideRows, WideStrategy, bids_open, blocks
from ..strategies.sparse_profile import SparseProfile
from ..strategies.strategy_file import StrategyFile
from ..strategies.strategy_rows import Rows, by_rules, check_game
from ..strategies.tree_profile import Profile
from . import Policy
from .strategy_seats import UNIFORM, Given, Seat, asked

MOST_ASKED = 2_000_000
"""A policy that looks at more than the last bid is asked at so many information sets, at most."""


TOLD = 256
"""A policy's progress is told after so many histories."""


def _quiet(line: str) -> None:
    pass


def held(given: Given, player: int, game: BiddingGame) -> int:
    """The bytes of memory that ``as_wide`` will hold for *given*; files of arrays are mapped, and take none."""
    if isinstance(given, WideStrategy) or (isinstance(given, Policy) and given.last_bid_only):
        return 0
    return class_size(len(game.bid_names)) * game.hand_counts[player] * np.dtype(np.float64).itemsize


def as_wide(
    given: Given, player: int, game: BiddingGame, how: str | None, progress: Callable[[str], None] = _quiet
) -> tuple[WideRows, Seat]:
    """The strategy of *player* as arrays, and how much of it was written down.

    Raises ``ProfileError`` where it does not fit the game, and ``NotApplicableError`` where there are more sets than
    can be asked for one by one.
    """
    sets = class_size(len(game.bid_names)) * game.hand_counts[player]
    if isinstance(given, WideStrategy):
        if given.game != game:
            raise ProfileError(f"the arrays are of {given.game.title!r}, not of {game.title!r}")
        dense = given.of(player)
        if dense is None:
            lacking = f"there is no strategy of player {player + 1} in it"
            raise ProfileError(f"{given.source}: {lacking}" if given.source else lacking)
        return dense, Seat(sets, sets, how)
    if isinstance(given, Policy) and given.wide is not None:
        return as_wide(given.wide(), player, game, how, progress)
    if isinstance(given, Policy):
        return _asked(given, player, game, sets, progress), Seat(sets, sets, how)
    rows = _rows(given, game)
    array = _base(player, game, how)
    for history, hands in rows[player].items():
        _write(array, player, game, history, hands)
    written = sets if how is None else sum(map(len, rows[player].values()))
    return Dense(array), Seat(written, sets, how)


def _rows(given: StrategyFile | SparseProfile | Profile, game: BiddingGame) -> Rows:
    if isinstance(given, StrategyFile):
        check_game(given, game, game.title)
        return by_rules(given, game)
    sparse = SparseProfile.from_profile(game, given) if isinstance(given, Profile) else given
    if sparse.game != game:
        raise ProfileError(f"the strategies are of {sparse.game.title!r}, not of {game.title!r}")
    return tuple({history: dict(hands) for history, hands in mine.items()} for mine in sparse.strategies)


def _base(player: int, game: BiddingGame, how: str | None) -> Array:
    """The array of a strategy of which nothing is written down."""
    entries, hands = class_size(len(game.bid_names)), game.hand_counts[player]
    array = np.zeros((entries, hands))
    if how == "uniform":
        policy = _asked(UNIFORM, player, game, 0)
        for start, stop in blocks(entries):
            for bid in bids_open(player, start, len(game.bid_names)):
                Dense(array).rows(bid, start, stop)[:] = policy.rows(bid, start, stop)
    elif player == 0:
        array[0] = 1.0  # the lowest bid, where there is nothing to call
    return array


def _write(
    array: Array, player: int, game: BiddingGame, history: str, hands: Mapping[int, Mapping[str, Number]]
) -> None:
    names = {name: bid for bid, name in enumerate(game.bid_names)}
    bids = [] if history == game.history(()) else [names[word] for word in history.split(" ")]
    index = locate(bids)[1]
    for hand, row in hands.items():
        for bid in bids_open(player, index, len(names)):
            array[index | 1 << bid >> 1, hand] = float(row.get(game.bid_names[bid], 0))


def _asked(
    policy: Policy, player: int, game: BiddingGame, sets: int, progress: Callable[[str], None] = _quiet
) -> WideRows:
    m, hands = len(game.bid_names), game.hand_counts[player]
    turn_of = _turns(game)
    if policy.last_bid_only:
        table = np.zeros((m + 1, hands, m))
        # The first entry of each slice stands for all histories with its last bid.
        for start in (start for start, _ in blocks(class_size(m), class_size(m))):
            turn, last = turn_of(bids_at(player, start)), last_bid(player, start)
            for hand in range(hands):
                for bid, p in _bids(policy, game, turn, hand).items():
                    table[last + 1, hand, bid] = p
        return ByLastBid(player, table)
    if sets > MOST_ASKED:
        raise NotApplicableError(
            f"{game.title}: policy {policy.name!r} would have to be asked at {sets:,} information sets, more than "
            f"{MOST_ASKED:,}; one that looks at the hand and the last bid alone is asked seldom: "
            "eb.Policy(function, last_bid_only=True); or, of a program, program:last_bid_only=true:command=COMMAND; "
            "of any other, write the probabilities into an .npz file "
            "(docs/strategies.md, 'As arrays')"
        )
    array = np.zeros((class_size(m), hands))
    for index in range(len(array)):
        if index % TOLD == 0:
            progress(f"{game.players[player]}, policy {policy.name!r}: asked at {index * hands:,} of {sets:,} sets")
        turn = turn_of(bids_at(player, index))
        for hand in range(hands):
            for bid, p in _bids(policy, game, turn, hand).items():
                array[index | 1 << bid >> 1, hand] = p
    return Dense(array)


def _bids(policy: Policy, game: BiddingGame, turn: PublicDecision, hand: int) -> dict[int, float]:
    """The probability of each bid."""
    names = {name: bid for bid, name in enumerate(game.bid_names)}
    row = asked(policy, game, turn, hand)
    return {names[action]: float(p) for action, p in row.items() if action != game.call}


def _turns(game: BiddingGame) -> Callable[[tuple[int, ...]], PublicDecision]:
    """The public turn after some bids."""
    states: dict[tuple[int, ...], Any] = {(): game.public_root()}

    def state(bids: tuple[int, ...]) -> Any:
        if bids not in states:
            before, bid = bids[:-1], bids[-1]
            turn = game.public_turn(state(before))
            assert isinstance(turn, PublicDecision)
            states[bids] = turn.actions[bid - (before[-1] + 1 if before else 0)][1]
        return states[bids]

    def turn(bids: tuple[int, ...]) -> PublicDecision:
        found = game.public_turn(state(bids))
        assert isinstance(found, PublicDecision)
        return found

    return turn


def sparse_rows(strategy: WideStrategy, player: int) -> dict[str, dict[int, dict[str, Fraction]]]:
    """A pure strategy in flags as rows that are written down: wherever there is a bid to make."""
    game, array = strategy.game, strategy.arrays[player]
    assert array is not None
    m, found = len(game.bid_names), dict[str, dict[int, dict[str, Fraction]]]()
    for index in sorted(range(class_size(m)), key=lambda index: bids_at(player, index)):  # in the order of play
        played = {
            int(hand): {game.bid_names[bid]: Fraction(1)}
            for bid in bids_open(player, index, m)
            for hand in np.flatnonzero(array[index | 1 << bid >> 1])
        }
        if played:
            found[game.history(bids_at(player, index))] = played
    return found
