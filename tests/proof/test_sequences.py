"""Sequences and the walk over the nodes are two implementations of one judge: they must agree in every number."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from random import Random

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import random_tree
from small_files import FORGETS_A_MOVE, small_games

import efg_builder as eb
from efg_builder.proof import sequences
from efg_builder.proof.best_response import play_of
from efg_builder.proof.sequences import SequencePlay, over_sequences, sequences_of
from efg_builder.proof.walk import ProfileWalk


def figures(play, profile):
    """Return all that *play* computes: payoffs, reach probabilities, best responses with their gains, and losses."""
    found = play.values()
    best = [play.best_response(player) for player in range(len(profile.tree.players))]
    judged = [play.judge(player, profile, found.reach) for player in range(len(profile.tree.players))]
    return found, best, [(each.gains, each.reach) for each in best], judged


def agree(profile):
    assert isinstance(play_of(profile), SequencePlay)
    assert figures(play_of(profile), profile) == figures(ProfileWalk(profile), profile)


def scattered(tree, seed, bits):
    """Return a profile whose rows have unrelated denominators of this length."""
    rng, rows = Random(seed), {}
    for k in tree.personal:
        bottom = rng.getrandbits(bits) | 1 << bits
        cuts = [0, *sorted(rng.randrange(bottom) for _ in tree.infosets[k].actions[1:]), bottom]
        rows[k] = [Fraction(high - low, bottom) for low, high in pairwise(cuts)]
    return eb.TreeProfile.from_personal(tree, rows)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 6), players=st.integers(2, 3), total=st.sampled_from([None, 1]))
def test_random_trees(seed, depth, players, total):
    tree = random_tree(seed, depth=depth, total=total, players=players)
    agree(brute.random_profile(tree, seed))
    agree(scattered(tree, seed, 12))


@pytest.mark.parametrize("game", small_games(), ids=lambda game: game.title)
def test_the_catalogue(game):
    tree = eb.build(game)
    agree(eb.TreeProfile.uniform(tree))
    agree(brute.random_profile(tree, 1))


def test_large_payoffs_and_chances_are_not_rounded():
    long, small = 10**60 + 7, Fraction(1, 3**50)
    tree = eb.parse_efg(
        f"""EFG 2 R "long numbers" {{ "A" "B" }} ""
c "" 1 "" {{ "x" {small} "y" {1 - small} }} 0
p "" 1 1 "a" {{ "l" "r" }} 0
p "" 2 1 "b" {{ "u" "d" }} 1 "on the way" {{ {long} {small} }}
t "" 2 "" {{ 1, {long} }}
t "" 3 "" {{ {-long}, 0 }}
t "" 4 "" {{ {small}, -1 }}
p "" 1 1 "a" {{ "l" "r" }} 0
t "" 5 "" {{ 0, {small} }}
p "" 2 1 "b" {{ "u" "d" }} 0
t "" 2 "" {{ 1, {long} }}
t "" 4 "" {{ {small}, -1 }}
"""
    )
    for seed in range(5):
        agree(brute.random_profile(tree, seed))
        agree(scattered(tree, seed, 100))


def test_the_walk_takes_over_where_denominators_are_too_long(monkeypatch):
    tree = eb.build(eb.game("liars-dice"))
    profile, uniform = scattered(tree, 1, 60), eb.TreeProfile.uniform(tree)
    by_sequences = eb.verify(profile)
    monkeypatch.setattr(sequences, "MOST_BITS", 100)
    assert over_sequences(profile) is None
    assert over_sequences(uniform) is not None
    assert eb.verify(profile) == by_sequences


@pytest.mark.parametrize(
    "long", ['"x" 1/{0} "y" {1}/{0} }} 0 "" {{ 0 0 }}', '"x" 1/2 "y" 1/2 }} 1 "" {{ 1/{0} {1}/{0} }}']
)
def test_a_tree_with_a_long_denominator_is_left_to_the_walk(monkeypatch, long):
    monkeypatch.setattr(sequences, "MOST_BITS", 100)
    bottom = 2**101
    text = 'EFG 2 R "" { "A" "B" } ""\nc "" 1 "" { ' + long.format(bottom, bottom - 1)
    tree = eb.parse_efg(text.replace('0 "" { 0 0 }', "0") + '\nt "" 2 "" { 1 2 }\nt "" 3 "" { 3 4 }\n')
    assert sequences_of(tree) is None
    assert eb.verify(eb.TreeProfile.uniform(tree)).equilibrium


def test_without_perfect_recall_there_are_no_sequences():
    tree = eb.parse_efg(FORGETS_A_MOVE)
    assert sequences_of(tree) is None
    assert isinstance(play_of(eb.TreeProfile.uniform(tree)), ProfileWalk)
    assert eb.verify(eb.TreeProfile.uniform(tree)).best_responses == (1, Fraction(1, 2))


def test_floats_are_close_to_fractions():
    for game in small_games():
        tree = eb.build(game)
        exact = brute.random_profile(tree, 2)
        rows = {k: [float(p) for p in exact.probabilities[k]] for k in tree.personal}
        near = play_of(eb.TreeProfile.from_personal(tree, rows))
        assert isinstance(near, SequencePlay)
        for player in range(len(tree.players)):
            assert near.payoff(player) == pytest.approx(float(play_of(exact).payoff(player)), abs=1e-9)
            assert near.best_payoff(player) == pytest.approx(float(play_of(exact).best_payoff(player)), abs=1e-9)
        reach = zip(near.values().reach, play_of(exact).values().reach, strict=True)
        assert all(a == pytest.approx(float(b), abs=1e-12) for a, b in reach)


def test_sequences_are_kept_with_the_tree():
    tree = eb.build("kuhn")
    assert sequences_of(tree) is sequences_of(tree)
    assert sequences_of(replace(tree)) is not sequences_of(tree)


def test_uniform_play_of_a_large_tree():
    """Release 0.3.0 found this number by the walk, with a fraction at each node."""
    tree = eb.build("liars-dice sides=6")
    verdict = eb.verify(eb.TreeProfile.uniform(tree))
    assert (len(tree), sum(verdict.regrets)) == (294_877, Fraction(439249, 249480))
