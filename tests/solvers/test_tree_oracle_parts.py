"""Parts of the double oracle on trees: best responses, default moves, restricted games."""

import io
from fractions import Fraction

import brute
import numpy as np
import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import all_moves, qualifying, random_tree, responses
from test_lp import matrix_game

import efg_builder as eb
from efg_builder.forms.extensive import NONE, constant_sum, has_perfect_recall, problems
from efg_builder.solvers import Request
from efg_builder.solvers.oracle import tree_oracle
from efg_builder.solvers.oracle.tree_oracle_game import restrict, whole_game
from efg_builder.solvers.oracle.tree_oracle_masters import exact, simplified
from efg_builder.solvers.oracle.tree_oracle_response import best_response, extended, improving

# --- best responses -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 7))
def test_best_responses_are_the_judges(seed, depth):
    tree = random_tree(seed, depth)
    profile = brute.random_profile(tree, seed)
    judged = tuple(eb.best_response(profile, player).value for player in range(2))
    assert responses(profile) == judged
    assert responses(profile, exact_=False) == pytest.approx(judged)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_best_responses_are_those_of_enumeration(seed):
    tree = random_tree(seed, 3)
    profile = brute.random_profile(tree, seed)
    assert responses(profile) == tuple(brute.best_response_value(profile, player) for player in range(2))


@pytest.mark.parametrize("tree", list(qualifying()))
def test_best_responses_in_the_catalogue(tree):
    for seed in range(3):
        profile = brute.random_profile(tree, seed)
        assert responses(profile) == tuple(eb.best_response(profile, player).value for player in range(2))


def test_numbers_beyond_64_bits_stay_exact():
    tree = matrix_game([[10**30 + 1, -3], [Fraction(1, 10**25), 10**30]])
    profile = brute.random_profile(tree, 1)
    assert responses(profile) == tuple(eb.best_response(profile, player).value for player in range(2))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_what_is_added_lets_the_restricted_game_reach_more(seed):
    """Moves are added exactly where the best response beats what is allowed, and only moves not yet allowed."""
    tree = random_tree(seed, 6)
    whole = whole_game(tree)
    allowed = tuple(side.default for side in whole.sides)
    part = restrict(whole, allowed)
    strategies = extended(whole, part, eb.uniform(part.tree), exact=True)
    for player, side in enumerate(whole.sides):
        response = best_response(whole, player, strategies[1 - player], allowed[player])
        new = improving(side, allowed[player], response, Fraction(0))
        assert not (new & allowed[player]).any()
        assert new.any() == (response.gain[0] > 0)
        again = best_response(whole, player, strategies[1 - player], allowed[player] | new)
        assert again.gain[0] == 0


# --- default moves and restricted games ---------------------------------------------------------------------


def default_labels(tree):
    whole = whole_game(tree)
    for side in whole.sides:
        for k, first in zip(side.sequences.infosets, side.sequences.first, strict=True):
            actions = tree.infosets[k].actions
            (place,) = np.flatnonzero(side.default[first : first + len(actions)])
            yield tree.infosets[k].label, actions[place]


@pytest.mark.parametrize("chosen", [{}, {"sides": 3}, {"dice": "2,1"}, {"sides": 3, "order": "face-quantity"}])
def test_the_default_in_liars_dice_is_to_call(chosen):
    for label, action in default_labels(eb.build(eb.game("liars-dice", **chosen))):
        assert action == ("1x1" if label.endswith(": start") else "call")


@pytest.mark.parametrize("name", ["liars-dice", "dice-poker"])
def test_the_default_is_the_one_of_the_rules(name):
    game = eb.game(name)
    tree, states, wanted = eb.build(game), [game.public_root()], {}
    while states:
        turn = game.public_turn(states.pop())
        if hasattr(turn, "actions"):
            for hand in range(game.hand_counts[turn.player]):
                label = game.infoset_name(turn.player, hand, turn.history)
                wanted[turn.player, label] = turn.actions[game.default_action(turn)][0]
            states += [state for _, state in turn.actions]
    assert list(wanted.values())
    assert dict(default_labels(tree)) == {label: action for (_, label), action in wanted.items()}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_restricted_games_are_sound_and_load_in_gambit(seed):
    tree, rng = random_tree(seed, 6), np.random.default_rng(seed)
    whole = whole_game(tree)
    allowed = tuple(side.default | (rng.random(side.sequences.count) < 0.4) for side in whole.sides)
    part = restrict(whole, allowed).tree
    for game in (part, simplified(part)):
        assert problems(game) == []
        assert has_perfect_recall(game)
        assert gambits_nodes(game) == len(game)


def gambits_nodes(tree):
    return len(eb.parse_efg(pygambit.read_efg(io.StringIO(eb.to_efg(tree))).to_efg()))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_what_gambit_is_given_is_the_same_game(seed):
    tree = random_tree(seed, 6)
    simple = simplified(tree)
    assert constant_sum(simple) == 0
    assert all(len(simple.infosets[k].actions) > 1 for k in np.unique(simple.infoset) if k != NONE)
    profile = eb.solve(simple, "lp").profile
    assert eb.verify(eb.Profile(tree, profile.probabilities)).regret == 0


@pytest.mark.parametrize("tree", list(qualifying()))
def test_with_every_move_allowed_the_restricted_game_is_the_game(tree):
    from dataclasses import replace

    whole = whole_game(tree)
    part = restrict(whole, all_moves(whole))
    assert replace(part.tree, title=tree.title, comment=tree.comment).equals(tree)


def test_restricted_games_of_liars_dice_load_with_their_nodes(monkeypatch):
    seen = []

    def master(tree, left, progress):
        seen.append(len(tree))
        assert gambits_nodes(tree) == len(tree)
        return exact(tree, left, progress)

    tree = eb.build(eb.game("liars-dice", sides=4))
    found = tree_oracle.run_phases(tree, Request(), [tree_oracle.Phase(master, Fraction(1, 100), Fraction(0), True)])
    assert found.ended == "done"
    assert seen == sorted(seen)
    assert seen[-1] < 300
    assert f"{seen[-1]:,} of 8,177 nodes" in found.message
