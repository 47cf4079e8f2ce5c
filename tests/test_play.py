"""The engine behind play: moves are worth what they are said to be, luck is luck, and rounds follow the rules."""

import json
import random
from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.playing import (
    Session,
    begin,
    board_for,
    choose,
    opponent,
    record,
    refined,
    repeated,
    sampler,
    score,
)
from efg_builder.playing.on_table import OnTable
from efg_builder.playing.on_tree import OnTree
from efg_builder.playing.rows import on_tree_rows
from efg_builder.strategy_given import find, table_of
from efg_builder.strategy_seats import Ground

GAMES = {
    "two sides": ("liars-dice", {}),
    "three sides": ("liars-dice", {"sides": 3, "max_quantity": 1}),
    "two dice against one": ("liars-dice", {"dice": "2,1", "max_quantity": 1}),
    "points, wild": ("liars-dice", {"sides": 3, "wild": "highest", "payoff": "points", "max_quantity": 1}),
    "three players": ("liars-dice", {"dice": "1,1,1", "max_quantity": 1}),
    "dice poker": ("dice-poker", {"sides": 3, "bet": "2/3"}),
    "mia": ("mia", {}),
}


@cache
def table(name):
    word, parameters = GAMES[name]
    game = eb.game(word, **parameters)
    return game, table_of(game, 10**6, 60.0, lambda line: None)


@cache
def seated(name, strategy):
    game, at = table(name)
    return board_for(game, find(strategy, at)[1], at.tree)


def every_round(board, seat, human):
    """Every course a round can take: (probability, record). ``human(play)``: the chance of each legal move.

    All draws go through the pick: it follows a script, and the first draw beyond its end puts all its continuations
    on the list.
    """

    class Forked(Exception):
        pass

    courses = [((), Fraction(1))]
    while courses:
        script, probability = courses.pop()
        left = list(script)

        def pick(chances, script=script, probability=probability, left=left):
            if left:
                return left.pop(0)
            courses.extend(((*script, k), probability * p) for k, p in enumerate(chances) if p)
            raise Forked

        try:
            play = begin(board, seat, pick)
            while not play.over:
                move = human(play)
                chosen = pick(list(move.values()))
                play = choose(play, list(move)[chosen], pick)
        except Forked:
            continue
        yield probability, record(play)


def at_random(play):
    return {action: Fraction(1, len(play.actions)) for action in play.actions}


def weighted(play):
    """Not uniform, everything positive: later moves are more likely."""
    total = sum(range(1, len(play.actions) + 1))
    return {action: Fraction(k, total) for k, action in enumerate(play.actions, start=1)}


HUMANS = {
    "at random": at_random,
    "weighted": weighted,
    "first move": lambda play: {play.actions[0]: Fraction(1)},
    "last move": lambda play: {play.actions[-1]: Fraction(1)},
    "worst move": lambda play: {min(play.values, key=play.values.get): Fraction(1)},
    "best move": lambda play: {max(play.values, key=play.values.get): Fraction(1)},
}

PAIRS = [(name, strategy) for name in GAMES for strategy in ("uniform", "equilibrium")]


@pytest.mark.parametrize("human", HUMANS)
@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_luck_is_zero_on_average_however_one_plays(name, strategy, human):
    board = seated(name, strategy)
    for seat in range(len(board.players)):
        courses = list(every_round(board, seat, HUMANS[human]))
        assert sum(p for p, _ in courses) == 1
        start = board.values(seat).start
        for _, each in courses:
            assert each.result == start + each.luck - each.price
            assert all(step.price >= 0 for step in each.steps)
        assert sum(p * each.luck for p, each in courses) == 0
        mean = {key: sum(p * getattr(each, key) for p, each in courses) for key in ("result", "price")}
        assert mean["result"] == start - mean["price"]
        if human == "best move":
            assert mean["price"] == 0


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_a_move_is_worth_the_mean_of_what_comes_after_it(name, strategy):
    # That, and the payoff where nothing of one's own comes after, is the definition. None of these games pays midway.
    board = seated(name, strategy)
    for seat in range(len(board.players)):
        sums, weights, values = defaultdict(Fraction), defaultdict(Fraction), {}
        for p, each in every_round(board, seat, at_random):
            then = [step.best for step in each.steps[1:]] + [each.result]
            for step, after in zip(each.steps, then, strict=False):
                key = step.infoset, step.action
                sums[key] += p * after
                weights[key] += p
                values[key] = step.values[step.action]
        assert values == {key: sums[key] / weights[key] for key in sums}


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_the_start_is_what_the_best_response_gets(name, strategy):
    _game, at = table(name)
    board = seated(name, strategy)
    profile = eb.uniform(at.tree()) if strategy == "uniform" else eb.solve(at.tree()).profile
    for seat in range(len(board.players)):
        best = eb.best_response(profile, seat).value
        assert board.values(seat).start == pytest.approx(best, abs=0 if profile.exact else 1e-9)


@pytest.mark.parametrize(("sides", "dice"), [(6, "1,1"), (6, "2,1"), (4, "1,2")])
def test_without_a_tree_the_start_is_the_proved_value(sides, dice):
    game = eb.game("liars-dice", sides=sides, dice=dice)
    solution = eb.solve(game, "oracle")
    board = board_for(game, solution.sparse.profile, lambda: pytest.fail("no tree is needed"))
    assert (board.values(0).start, board.values(1).start) == tuple(solution.value)


@pytest.mark.parametrize("strategy", ["uniform", "equilibrium", "always-call", "lowest-raise"])
@pytest.mark.parametrize("parameters", [{"sides": 3}, {"dice": "2,1"}, {"order": "face-quantity", "payoff": "points"}])
def test_by_the_table_and_by_the_tree_moves_are_worth_the_same(parameters, strategy):
    game = eb.game("liars-dice", **parameters)
    at = table_of(game, 10**6, 60.0, lambda line: None)
    strategies = find(strategy, at)[1]
    by_table = board_for(game, strategies, at.tree)
    by_tree = OnTree(at.tree(), on_tree_rows(strategies, Ground(at.tree(), game), None), game)
    assert isinstance(by_table, OnTable)
    assert [by_table.values(seat).start for seat in (0, 1)] == [by_tree.values(seat).start for seat in (0, 1)]
    met = 0
    for seat in (0, 1):
        for seed in range(40):
            rounds = [walk(board, seat, seed) for board in (by_table, by_tree)]
            assert (
                len({tuple((s.infoset, s.action, tuple(s.values.items())) for s in each.steps) for each in rounds}) == 1
            )
            assert len({(each.events, each.uncovered, each.payoffs) for each in rounds}) == 1
            met += len(rounds[0].steps)
    assert met >= 80


def walk(board, seat, seed):
    """A round with a human who moves at random."""
    source = random.Random(seed)
    pick, play = sampler(source), None
    play = begin(board, seat, pick)
    while not play.over:
        play = choose(play, source.choice(play.actions), pick)
    return record(play)


THREE = eb.game("liars-dice", sides=3)
EQUILIBRIUM = opponent(table_of(THREE, 10**6, 60.0, lambda line: None))
BOARD = board_for(THREE, EQUILIBRIUM.given, lambda: pytest.fail("no tree is needed"))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 1), st.integers(0, 2**32), st.integers(1, 6), st.lists(st.integers(0, 99), min_size=40, max_size=40)
)
def test_sessions_follow_the_rules_and_add_up(seat, seed, rounds, moves):
    pick, session = sampler(random.Random(seed)), Session(repeated(BOARD, seat, rounds))
    while (following := session.next) is not None:
        play = begin(following.board, following.seat, pick)
        while not play.over:
            assert set(play.actions) == set(play.values)
            play = choose(play, play.actions[moves.pop() % len(play.actions)], pick)
        session = session.with_record(record(play))
    total = score(session.records)
    assert total.rounds == rounds
    assert total.result == total.start + total.luck - total.price == total.skill + total.luck
    assert total.start == rounds * BOARD.values(seat).start
    for each in session.records:
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


@pytest.mark.parametrize("name", GAMES)
def test_who_plays_the_equilibrium_against_it_makes_no_mistake(name):
    board = seated(name, "equilibrium")
    for seat in range(len(board.players)):
        prices = [p * each.price for p, each in every_round(board, seat, lambda play: play.advice(board))]
        # That of three players is solved for in floats, to a regret that is not quite 0.
        assert sum(prices) == 0 if name != "three players" else sum(prices) < Fraction(1, 10**6)


def test_a_refined_opponent_punishes_mistakes_at_least_as_much():
    game, at = table("two sides")
    strict = refined(at)
    assert strict.equilibrium
    assert strict.name == "refined equilibrium"
    board = board_for(game, strict.given, at.tree)
    assert board.values(0).start == 0  # the value of the game, in the README's table
    for _, each in every_round(board, 0, lambda play: play.advice(board)):
        assert each.price == 0


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


def test_every_form_of_a_strategy_is_worth_the_same(tmp_path):
    game = eb.game("liars-dice")
    at = table_of(game, 10**6, 60.0, lambda line: None)
    uniform = eb.uniform(at.tree())
    data = {at.tree().infosets[k].label: uniform[at.tree().infosets[k].label] for k in at.tree().personal}
    (tmp_path / "all.json").write_text(
        json.dumps({label: {action: str(p) for action, p in row.items()} for label, row in data.items()})
    )
    (tmp_path / "none.json").write_text("{}")
    forms = [
        (uniform, None),
        ("uniform", None),
        (str(tmp_path / "all.json"), None),
        (str(tmp_path / "none.json"), "uniform"),
    ]
    boards = [board_for(game, find(form, at)[1], at.tree, complete) for form, complete in forms]
    assert len({(board.values(0).start, board.values(1).start) for board in boards}) == 1
    calls = board_for(game, find(str(tmp_path / "none.json"), at)[1], at.tree)
    always = board_for(game, find("always-call", at)[1], at.tree)
    assert calls.values(0).start == always.values(0).start != boards[0].values(0).start


def test_floats_and_arrays_play_what_they_say():
    game = eb.game("liars-dice", sides=3, max_quantity=1)
    tree = eb.build(game)
    widths = {k: len(tree.infosets[k].actions) for k in tree.personal}
    rows = {k: tuple((a + 1) / (n * (n + 1) / 2) for a in range(n)) for k, n in widths.items()}
    assert any(sum(map(Fraction, row)) != 1 for row in rows.values())  # so that dividing by the sum is needed
    board = board_for(game, eb.Profile.from_personal(tree, rows), lambda: tree)
    assert sum(p * each.luck for p, each in every_round(board, 1, weighted)) == 0
    exact = eb.Profile.from_personal(
        tree, {k: tuple(Fraction(2 * (a + 1), n * (n + 1)) for a in range(n)) for k, n in widths.items()}
    )
    assert board.values(0).start == pytest.approx(eb.best_response(exact, 0).value, abs=1e-12)
    found = eb.evaluate(game, "uniform", method="wide", exploiter=True)
    arrays = board_for(game, found.exploiter, lambda: tree)
    # The exploiter is a pure strategy: it moves with certainty.
    play = begin(arrays, 1, sampler(random.Random(2)))
    assert set(play.advice(arrays).values()) <= {0, 1}
    assert sum(p * each.luck for p, each in every_round(arrays, 0, at_random)) == 0


def test_a_strategy_that_leads_everywhere_in_a_huge_game_is_refused():
    game = eb.game("liars-dice", sides=6, dice="2,2")
    at = table_of(game, 10**6, 60.0, lambda line: None)
    board = board_for(game, find("uniform", at)[1], at.tree)
    with pytest.raises(eb.NotApplicableError, match="more than 20,000 turns of yours"):
        begin(board, 0, sampler(random.Random(1)))
