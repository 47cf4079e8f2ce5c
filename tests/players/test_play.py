"""The engine behind play: moves are worth what they are said to be, and luck is luck."""

import random
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction

import pytest
from play_games import GAMES, HUMANS, at_random, every_round, seated, table, table_for

import efg_builder as eb
from efg_builder.forms.subject import Subject
from efg_builder.players.find import find
from efg_builder.players.rounds import begin, board_for, choose, opponent, record, sampler
from efg_builder.players.rounds.boards import OnTable, OnTree, on_tree_rows

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
    profile = eb.TreeProfile.uniform(at.tree()) if strategy == "uniform" else eb.solve(at.tree()).profile
    for seat in range(len(board.players)):
        best = eb.best_response(profile, seat).value
        assert board.values(seat).start == pytest.approx(best, abs=0 if profile.exact else 1e-9)


@pytest.mark.parametrize(("sides", "dice"), [(6, "1,1"), (6, "2,1"), (4, "1,2")])
def test_without_a_tree_the_start_is_the_proved_value(sides, dice):
    game = eb.game("liars-dice", sides=sides, dice=dice)
    solution = eb.solve(game, "oracle")
    about = Subject.of(game)
    board = board_for(about, solution.sparse)
    assert about.known_tree is None
    assert (board.values(0).start, board.values(1).start) == tuple(solution.value)


@pytest.mark.parametrize("strategy", ["uniform", "equilibrium", "always-call", "lowest-raise"])
@pytest.mark.parametrize("parameters", [{"sides": 3}, {"dice": "2,1"}, {"order": "face-quantity", "payoff": "points"}])
def test_by_the_table_and_by_the_tree_moves_are_worth_the_same(parameters, strategy):
    game = eb.game("liars-dice", **parameters)
    at = table_for(game)
    strategies = find(strategy, at)
    by_table = board_for(at.subject, strategies)
    by_tree = OnTree(at.tree(), on_tree_rows(strategies, at.tree()), game)
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


@pytest.mark.parametrize("name", GAMES)
def test_who_plays_the_equilibrium_against_it_makes_no_mistake(name):
    board = seated(name, "equilibrium")
    for seat in range(len(board.players)):
        prices = [p * each.price for p, each in every_round(board, seat, lambda play: play.advice(board))]
        assert sum(prices) == 0


def test_a_refined_opponent_punishes_mistakes_at_least_as_much():
    _, at = table("two sides")
    strict = opponent(replace(at, refine=True))
    assert (strict.equilibrium, strict.name) == (True, "equilibrium")
    board = board_for(at.subject, strict.given)
    assert board.values(0).start == 0  # the value of the game, in the README's table
    for _, each in every_round(board, 0, lambda play: play.advice(board)):
        assert each.price == 0
