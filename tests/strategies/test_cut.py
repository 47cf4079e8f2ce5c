"""Strategies that are cut: the saved information sets, and the small change in play."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial

import brute
import pytest

import efg_builder as eb
from efg_builder.strategies.cut import GRID, cut
from efg_builder.strategies.sparse_profile import SparseProfile, own_turns

GAME = eb.game("liars-dice", sides=3, dice=(2, 1))


def profiles() -> list[SparseProfile]:
    return [brute.random_sparse(GAME, random.Random(seed), 0.7).canonical() for seed in range(4)]


def reach(profile: SparseProfile, player: int, history: str, hand: int) -> Fraction:
    """Return the probability of the player's hand and moves to a set, move by move along its history."""
    moves = history.split() if history != "start" else []
    likely = profile.game.hand_probabilities[player][hand]
    for k in range(player, len(moves), 2):
        before = " ".join(moves[:k]) or "start"
        label = profile.game.infoset_name(player, hand, before)
        likely *= profile[label][moves[k]]
    return likely


def test_what_is_kept_is_reached_at_least_as_often_as_what_is_not():
    for whole in (cut(profile, 10**9) for profile in profiles()):
        reaches = {(player, *at): reach(whole, player, *at) for player, *at, _ in whole}
        for most in (1, 7, 20, len(reaches)):
            left = cut(whole, most)
            kept = {(player, history, hand) for player, history, hand, _ in left}
            # A set with the default move is not written, and an unreached one has no effect.
            assert len(kept) <= most
            assert kept <= set(reaches)
            floor = sorted(reaches.values(), reverse=True)[most - 1]
            assert all(float(reaches[at]) >= float(floor) - 1e-12 for at in kept)
            assert all(at in kept for at, likely in reaches.items() if float(likely) > float(floor) + 1e-12)
            rows = {(player, history, hand): row for player, history, hand, row in whole}
            assert all(rows[player, history, hand] == row for player, history, hand, row in left)


def test_probabilities_are_rounded_to_the_grid_and_by_less_than_a_part_of_it():
    for profile in profiles():
        for player, history, hand, row in cut(profile, 10**9):
            old = profile.rows(player, history)[hand]
            assert sum(row.values()) == 1
            assert all((p * GRID).denominator == 1 for p in row.values())
            assert all(abs(row.get(action, 0) - p) < Fraction(1, GRID) for action, p in old.items())


def test_nothing_is_left_of_nothing_and_a_cut_strategy_is_cut_no_further():
    for profile in profiles():
        assert cut(profile, 0).sizes == (0, 0)
        whole = cut(profile, 10**9)
        assert cut(whole, 10**9).strategies == whole.strategies == whole.canonical().strategies


def test_an_equilibrium_in_three_digits_is_nearly_one():
    """On a path of at most 7 moves, each of 7 actions' probabilities is off by less than 1/1000; a payoff changes by at
    most 2."""
    found = eb.solve(eb.game("liars-dice", sides=3, dice=(2, 1)), "oracle").sparse
    assert eb.verify(found).regret == 0
    assert eb.verify(cut(found, 10**9)).regret <= 2 * 2 * Fraction(7 * 7, GRID)


def test_hands_that_are_not_independent_are_refused():
    game = eb.game("kuhn")
    assert game.hand_probabilities is None
    with pytest.raises(eb.NotApplicableError, match="only strategies of players with independent hands can be cut"):
        cut(SparseProfile(game, ({}, {})), 10)


def test_what_lies_behind_turns_at_which_nothing_is_written_is_not_looked_for():
    """Both players make all bids once, then call, so the many later turns need no work."""
    game = eb.game("liars-dice", sides=3, dice=(2, 2))
    first, answer = ({bid: Fraction(1, len(bids)) for bid in bids} for bids in (game.bid_names, game.bid_names[1:]))
    rows = ({"start": {0: first}}, {"1x1": {0: answer}})
    profile = SparseProfile(game, rows)
    for player in range(2):

        def played(turn, hands):
            return {hand: profile.at(turn, hand) for hand in hands}

        every = {turn.history: row for turn, row in own_turns(game, player, played)}
        few = {turn.history: row for turn, row in own_turns(game, player, played, partial(profile.silent, player))}
        written = {history for history in every if profile.rows(player, history)}
        assert written == set(rows[player]) <= set(few)
        assert all(every[history] == row for history, row in few.items())
        assert len(few) < len(every) / 2
