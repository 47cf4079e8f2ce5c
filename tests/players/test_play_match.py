"""Whole matches against their equilibrium: rounds follow one another by the rules, and the score adds up."""

import random
import re
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import HUMANS, every_round

import efg_builder as eb
from efg_builder.experiments.matches import Match, solve_match
from efg_builder.experiments.matches.playing import (
    MatchTable,
    chance,
    closing,
    heading,
    next_round,
    played_matches,
    points,
    tally,
)
from efg_builder.games.match_rules import Standing, lost, match_rules
from efg_builder.players.rounds import begin, choose, record, sampler

MATCHES = {
    "plain": {"sides": 2, "dice": "2,2"},
    "difference, winner starts": {"sides": 2, "dice": "2,2", "loss": "difference", "next": "winner"},
    "exact calls": {"sides": 2, "dice": "2,1", "loss": "difference", "exact": "bidder-loses-one"},
    "three sides, wild": {"sides": 3, "dice": "1,2", "wild": "highest", "next": "winner"},
}


@cache
def table(name, human, gap=None):
    return MatchTable(solve_match(match_rules(MATCHES[name]), gap=gap), human)


def played(where, seed, matches=1):
    """So many matches of a human who moves at random."""
    source = random.Random(seed)
    pick, records = sampler(source), []
    while (following := next_round(where, records, matches)) is not None:
        play = begin(*following, pick)
        while not play.over:
            play = choose(play, source.choice(play.actions), pick)
        records.append(record(play))
    return records


@settings(max_examples=20)
@given(
    st.sampled_from(sorted(MATCHES)), st.integers(0, 1), st.integers(0, 2**32), st.sampled_from([None, Fraction(1, 2)])
)
def test_a_match_goes_by_the_rules_to_its_end_and_its_score_adds_up(name, human, seed, gap):
    where = table(name, human, gap)
    rules, records = where.rules, played(where, seed)
    dice, first = list(rules.dice), 0
    for each in records:
        assert 0 not in dice
        # By the rules as they are told: hands are as large as the dice left, and the call costs what it costs.
        order = [first, 1 - first]
        assert each.players == tuple(f"Player {player + 1}" for player in order)
        hands = [list(map(int, hand.split(","))) for _, hand in each.uncovered]
        assert [len(hand) for hand in hands] == [dice[player] for player in order]
        moves = [event for event in each.events if event.player >= 0]
        assert each.seat == order.index(human)
        quantity, face = map(int, moves[-2].action.split("x"))
        count = sum(die in (face, rules.wild) for hand in hands for die in hand)
        caller, cost = lost(rules.loss, rules.exact, (quantity, face), count)
        loser = order[moves[-1].player if caller else moves[-2].player]
        dice[loser] = max(0, dice[loser] - cost)
        first = loser if rules.next == "loser" else 1 - loser
        if 0 not in dice:
            assert each.result == where.worth(Standing(tuple(dice), first))
    assert 0 in dice
    won = dice[human] > 0
    (course,) = played_matches(where, records)
    assert course.standing.dice == tuple(dice)
    assert rules.winner(course.standing) == (human if won else 1 - human)
    total = course.score(where.worth(where.opening))
    assert total.result == (1 if won else -1)
    assert total.result == total.start + total.luck - total.price
    assert total.luck == sum(each.luck for each in records)
    assert total.price == sum(step.price for each in records for step in each.steps)
    assert all(after.start == before.result for before, after in pairwise(records))
    # Values are those of a chance to win.
    assert all(-1 <= value <= 1 for each in records for step in each.steps for value in step.values.values())


@pytest.mark.parametrize("name", MATCHES)
def test_against_the_equilibrium_the_stakes_are_those_of_the_match(name):
    starts = []
    for human in (0, 1):
        where = table(name, human)
        assert all(each.exact for each in where.match.rounds)
        for dice, first, worth in where.match.standings():
            standing = Standing(dice, first)
            assert where.worth(standing) == (worth.lower if human == 0 else -worth.lower)
            stakes = where.rules.stakes(where.pair(standing), where.match.bounds)
            game = where.board(standing).game
            assert (game.lose1, game.lose2) == tuple(tuple(each.lower for each in side) for side in stakes)
        starts.append(where.worth(where.opening))
    assert sum(starts) == 0
    assert starts[0] == where.match.worth.lower


def expected(where, standing, human):
    """From *standing* on the mean result of the match, and that of all its prices: by every course of every round."""
    if where.rules.winner(standing) is not None:
        return Fraction(1 if where.rules.winner(standing) == where.human else -1), Fraction(0)
    result, price = Fraction(0), Fraction(0)
    ways, luck = {}, Fraction(0)
    for p, each in every_round(where.board(standing), where.seat(standing), human):
        after = where.after(standing, each)
        ways[after] = ways.get(after, Fraction(0)) + p
        price += p * each.price
        luck += p * each.luck
    assert sum(ways.values()) == 1
    assert luck == 0
    for after, p in ways.items():
        then = expected(where, after, human)
        result += p * then[0]
        price += p * then[1]
    return result, price


@pytest.mark.parametrize("human", ["at random", "best move"])
@pytest.mark.parametrize("gap", [None, Fraction(1, 2)])
@pytest.mark.parametrize("seat", [0, 1])
def test_what_wins_matches_is_the_start_without_the_prices(seat, gap, human):
    # Of one die each and of two against one, every deal, draw and move: wins and losses alone make the mean.
    rules = match_rules({"sides": 2, "dice": "2,1", "loss": "difference"})
    where = MatchTable(solve_match(rules, gap=gap), seat)
    result, price = expected(where, where.opening, HUMANS[human])
    assert result == where.worth(where.opening) - price
    assert (price == 0) == (human == "best move")


def test_only_whole_matches_of_two_can_be_played():
    match = solve_match(match_rules(MATCHES["plain"]))
    with pytest.raises(eb.NotApplicableError, match="3 of its 4 rounds are solved"):
        MatchTable(Match(match.rules, match.rounds[:3]), 0)
    with pytest.raises(eb.ParameterError, match="there is no seat 3"):
        MatchTable(match, 2)


def test_matches_follow_one_another():
    where = table("plain", 1)
    records = played(where, 5, matches=4)
    found = played_matches(where, records)
    assert len(found) == 4
    assert sum(len(course.records) for course in found) == len(records)
    assert all(course.standings[0] == Standing((2, 2), 0) for course in found)
    assert all(where.rules.winner(course.standing) is not None for course in found)
    assert {where.rules.winner(course.standing) for course in found} == {0, 1}
    assert next_round(where, records, 4) is None
    assert next_round(where, records, 5)[0] is where.board(where.opening)
    # In mid-match the dice that are left are dealt.
    cut = records[:1]
    after = played_matches(where, cut)[0].standing
    assert next_round(where, cut, None)[0] is where.board(after)
    lines = list(tally(where, found))
    won = sum(where.rules.winner(course.standing) == 1 for course in found)
    assert lines[-1].startswith(f"After 4 matches you have won {won}; ")


@pytest.mark.parametrize("name", MATCHES)
def test_what_is_shown_adds_up_and_names_the_winner(name):
    for seed in range(12):
        where = table(name, seed % 2)
        records, lucks = played(where, seed), []
        for k in range(1, len(records) + 1):
            (course,) = played_matches(where, records[:k])
            lines = list(tally(where, (course,)))
            # Luck is rounded in one way over the whole report.
            lucks += figures(closing(where, course), "luck")
            (whole,) = figures(lines, "luck")
            assert sum(lucks) == whole
            exact = float(50 * sum(each.luck for each in records[:k]))
            assert float(whole) == pytest.approx(exact, abs=0.0151)  # three roundings
            parts = [Fraction(line[14:].split()[0].removesuffix("%")) for line in lines[1:4]]
            now = Fraction(lines[0].rpartition(": ")[2].removesuffix("%"))
            assert sum(parts) == now
            price = sum((each.price for each in records[:k]), Fraction(0))
            assert float(parts[1]) == pytest.approx(float(-50 * price), abs=0.0051)
            assert float(now) == pytest.approx(float(50 * (1 + records[k - 1].result)), abs=0.0051)
            told = list(closing(where, course))
            before, after = course.standings[-2:]
            (loser,) = (player for player in (0, 1) if after.dice[player] < before.dice[player])
            less = before.dice[loser] - after.dice[loser]
            who = "You lose" if loser == where.human else f"Player {loser + 1} loses"
            assert f"{who} {'1 die' if less == 1 else f'{less} dice'}." in told
        winner = where.rules.winner(course.standing)
        assert told[-1] == ("You win the match." if winner == where.human else f"Player {winner + 1} wins the match.")
        assert now == (100 if winner == where.human else 0)


def test_the_words_of_a_match():
    values = {"1": "100%", "-1": "0%", "1/16": "53.12%", "0": "50.00%", "99999/100000": "99.99%"}
    assert {value: chance(Fraction(value)) for value in values} == values
    prices = {"0": "0.00 points", "1/10000": "less than 0.01 points", "1/9": "5.56 points", "2": "100.00 points"}
    assert {value: points(Fraction(value)) for value in prices} == prices
    said = heading(table("plain", 1), 2, 3, Standing((1, 2), 1))
    assert said == "Match 2, round 3. You have 2 dice, Player 1 has 1 die. You bid first."
    assert heading(table("plain", 1), 1, 1, Standing((2, 2), 0)).endswith("Player 1 bids first.")


def figures(lines, word):
    """The numbers after *word* in the lines that tell one, without unit."""
    found = (re.search(rf"{word}:? +([+-]?\d+\.\d\d)", line) for line in lines)
    return [Fraction(match[1]) for match in found if match]


def test_no_chance_to_win_is_told_below_zero():
    """Mistakes of a match can cost more than the chance at the start: it is said so, and never as a chance."""
    seen = set()
    for seed in range(40):
        where = table("plain", seed % 2)
        (course,) = played_matches(where, played(where, seed))
        lines = list(tally(where, (course,)))
        worth = where.worth(where.opening) - sum(each.price for each in course.records)
        assert not any(re.search(r"-\d+\.\d\d%", line) for line in lines)
        assert not any("whatever the luck" in line for line in lines)
        if worth < -1:
            assert "no chance is left: mistakes cost more than the chance at the start" in lines[-1]
            assert "may fall outside 0% to 100%" in lines[-1]
        else:
            (shown,) = re.findall(r"wins about (\d+\.\d\d)% \(an estimate", lines[-1])
            assert float(shown) == pytest.approx(float(50 * (1 + worth)), abs=0.0101)
        seen.add(worth < -1)
    assert seen == {True, False}
