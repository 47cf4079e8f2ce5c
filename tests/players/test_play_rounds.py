"""Rounds follow the rules, scores add up, and every form of a strategy can be played."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import at_random, every_round, table_for, weighted

import efg_builder as eb
from efg_builder.forms.subject import Subject
from efg_builder.players.rounds import begin, board_for, choose, opponent, record, sampler, score

THREE = eb.game("liars-dice", sides=3)
EQUILIBRIUM = opponent(table_for(THREE))
ABOUT = Subject.of(THREE)
BOARD = board_for(ABOUT, EQUILIBRIUM.given)


def test_a_dealt_game_needs_no_tree():
    assert BOARD.game is THREE
    assert ABOUT.known_tree is None


@settings(max_examples=60)
@given(
    st.integers(0, 1), st.integers(0, 2**32), st.integers(1, 6), st.lists(st.integers(0, 99), min_size=40, max_size=40)
)
def test_sessions_follow_the_rules_and_add_up(seat, seed, rounds, moves):
    pick, records = sampler(random.Random(seed)), []
    for _ in range(rounds):
        play = begin(BOARD, seat, pick)
        while not play.over:
            assert set(play.actions) == set(play.values)
            play = choose(play, play.actions[moves.pop() % len(play.actions)], pick)
        records.append(record(play))
    total = score(records)
    assert total.rounds == rounds
    assert total.result == total.start + total.luck - total.price == total.skill + total.luck
    assert total.start == rounds * BOARD.values(seat).start
    for each in records:
        bids = [event.action for event in each.events if event.player >= 0]
        assert bids[-1] == "call"
        assert [event.player for event in each.events[1:]] == [k % 2 for k in range(len(bids))]
        made = [THREE.bid_names.index(bid) for bid in bids[:-1]]
        assert made == sorted(set(made))
        assert made
        # By the rules alone, which know nothing of boards: who lost the call.
        (quantity, face), hands = THREE.bids[made[-1]], [int(hand) for _, hand in each.uncovered]
        caller = len(made) % 2
        loser = caller if hands.count(face) >= quantity else 1 - caller
        assert each.payoffs == tuple(Fraction(-1 if player == loser else 1) for player in (0, 1))


def test_an_illegal_move_and_a_seat_that_is_not_there_are_refused():
    pick = sampler(random.Random(1))
    play = begin(BOARD, 0, pick)
    with pytest.raises(eb.ParameterError, match="'call' is not a legal move"):
        choose(play, "call", pick)
    play = choose(play, "2x3", pick)
    assert play.over
    assert play.actions == ()
    assert play.values == {}
    with pytest.raises(eb.ParameterError, match="the round is over"):
        choose(play, "call", pick)
    with pytest.raises(eb.ParameterError, match="there is no seat 3"):
        begin(BOARD, 2, pick)


def test_draws_have_exactly_the_probabilities_asked_for():
    class Counting:
        def __init__(self, value):
            self.value = value

        def randrange(self, scale):
            assert scale == 12
            return self.value

    chances = [Fraction(1, 4), Fraction(0), Fraction(1, 3), Fraction(5, 12)]
    drawn = [sampler(Counting(value))(chances) for value in range(12)]
    assert [drawn.count(k) for k in range(4)] == [3, 0, 4, 5]


def test_floats_and_arrays_play_what_they_say():
    game = eb.game("liars-dice", sides=3, max_quantity=1)
    tree = eb.build(game)
    widths = {k: len(tree.infosets[k].actions) for k in tree.personal}
    rows = {k: tuple((a + 1) / (n * (n + 1) / 2) for a in range(n)) for k, n in widths.items()}
    assert any(sum(map(Fraction, row)) != 1 for row in rows.values())  # so that dividing by the sum is needed
    board = board_for(game, eb.TreeProfile.from_personal(tree, rows))
    assert sum(p * each.luck for p, each in every_round(board, 1, weighted)) == 0
    exact = eb.TreeProfile.from_personal(
        tree, {k: tuple(Fraction(2 * (a + 1), n * (n + 1)) for a in range(n)) for k, n in widths.items()}
    )
    assert board.values(0).start == pytest.approx(eb.best_response(exact, 0).value, abs=1e-12)
    found = eb.evaluate(game, "uniform", method="dense", exploiter=True)
    arrays = board_for(game, found.exploiter)
    # The exploiter is a pure strategy: it moves with certainty.
    play = begin(arrays, 1, sampler(random.Random(2)))
    assert set(play.advice(arrays).values()) <= {0, 1}
    assert sum(p * each.luck for p, each in every_round(arrays, 0, at_random)) == 0
