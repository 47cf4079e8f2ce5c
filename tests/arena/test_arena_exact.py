"""Sampled and exact values agree over many pairings."""

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import inf

import pytest
from fighters import CROOKED, FLOATING, PLAIN

import efg_builder as eb
from efg_builder.base.words import quiet
from efg_builder.experiments.arena import run_arena
from efg_builder.experiments.arena.expected import ExpectedPayoffs
from efg_builder.experiments.arena.play import Contest
from efg_builder.experiments.arena.results import apart
from efg_builder.experiments.arena.schedule import contestants
from efg_builder.forms.subject import Subject
from efg_builder.players import TIMEOUT
from efg_builder.players.find import Table, find
from efg_builder.proof import values

ALL = (*PLAIN, "equilibrium", CROOKED, FLOATING)
GAMES = {
    "one die each, two sides": ("liars-dice", {}, ALL, 1200),
    "one die each, three sides": ("liars-dice", {"sides": 3}, ALL, 1200),
    "two dice against one": ("liars-dice", {"dice": "2,1"}, (*PLAIN, "equilibrium", CROOKED), 1200),
    "one die against two, joker": (
        *("liars-dice", {"sides": 3, "dice": "1,2", "wild": 1, "wild_biddable": False}),
        *((*PLAIN, "equilibrium"), 1200),
    ),
    "two dice each": ("liars-dice", {"dice": "2,2"}, (*PLAIN, "equilibrium", FLOATING), 1200),
    "highest wild, bluff order": ("liars-dice", {"sides": 3, "wild": "highest", "order": "bluff"}, PLAIN, 1000),
    "over arrays: six sides": ("liars-dice", {"sides": 6}, (*PLAIN, FLOATING), 1000),
    "dice poker": ("dice-poker", {}, ("uniform", "equilibrium", CROOKED), 2000),
    "three players": ("liars-dice", {"dice": "1,1,1"}, (*PLAIN, CROOKED), 1200),
    "three players, two names": ("liars-dice", {"dice": "1,2,1", "max_quantity": 2}, ("uniform", CROOKED), 900),
}
MATCHES = {
    "to the last die": ({"sides": 2, "dice": "2,2"}, (*PLAIN, "equilibrium"), 1000),
    "by the difference": (
        {"sides": 3, "dice": "2,1", "loss": "difference", "next": "winner", "exact": "bidder-loses-one"},
        *((*PLAIN, CROOKED), 1000),
    ),
}

# Of some 650 figures, normal and at worst independent, one is further off by chance in one run of two hundred.
SIGMAS = 4.5


def gaps(found):
    """How far every sampled figure is from the exact one, in standard errors: each player's mean, and in each seat."""
    out = []
    for meeting in found.meetings:
        places = range(len(meeting.players))
        for place in places:
            assert meeting.exact(place) is not None, meeting.expected.why
            out.append(meeting.off(place))
            out += [apart(meeting.in_seat(place, s), meeting.exact_in_seat(place, s)) for s in places]
    # Where all deals came out alike there is no standard error: any gap is infinitely many.
    return [inf if off is None else off for off in out]


@pytest.mark.parametrize("which", [*GAMES, *MATCHES])
@pytest.mark.first(6)
@pytest.mark.slow
def test_sampled_means_are_the_exact_ones(which):
    if which in GAMES:
        name, settings, players, games = GAMES[which]
        subject = eb.game(name, **settings)
    else:
        settings, players, games = MATCHES[which]
        subject = eb.match_rules(settings)
    found = run_arena(subject, players, games, seed=11, workers=1)
    assert max(map(abs, gaps(found))) < SIGMAS


def test_exact_values_are_those_that_evaluate_finds():
    game = eb.game("liars-dice", sides=3, dice=(2, 1))
    found = run_arena(game, ["uniform", "lowest-raise"], 4, workers=1).meetings[0]
    both = eb.evaluate(game, "uniform", "lowest-raise").matches
    for seat in range(2):
        assert found.exact_in_seat(0, seat) == both[seat].value[seat]
    assert found.exact(0) == (both[0].value[0] + both[1].value[1]) / 2 == -found.exact(1)


def test_larger_games_are_exact_where_all_are_sparse(monkeypatch):
    # 27,622 nodes, over the limit of trees.
    game = eb.game("liars-dice", sides=3, dice=(1, 1, 1))
    players = ["equilibrium", "always-call", "best-response:always-call"]
    sparse = run_arena(game, players, 300, workers=1)
    assert max(map(abs, gaps(sparse))) < SIGMAS
    monkeypatch.setattr("efg_builder.experiments.arena.expected.NODES", 30_000)
    tree = run_arena(game, players, 2, workers=1)
    assert sparse.meetings[0].expected == tree.meetings[0].expected
    monkeypatch.undo()
    mixed = run_arena(game, ["uniform", *players[:2]], 2, workers=1)
    assert "27,622 nodes are too many" in mixed.meetings[0].expected.why


def test_errors_of_later_rounds_add_up(monkeypatch):
    """If each round is off by 1, the match is off by the number of rounds of its longest course."""
    monkeypatch.setattr(ExpectedPayoffs, "_round", lambda *_: ((0.0, 0.0), 1.0))
    for dice, rounds in {(1, 1): 1, (2, 1): 2, (2, 2): 3, (3, 2): 4}.items():
        contest = Contest.of(eb.match_rules({"sides": 2, "dice": dice}), contestants(PLAIN[:2]))
        assert ExpectedPayoffs(contest).of((0, 1)).error == pytest.approx(rounds)


# --- matches of three: the chain of rounds, worked out here from the values of the rounds alone


@cache
def to_win(dice, first, seated):
    """How likely each player of a match of one die a call wins it, the loser of a round beginning the next one."""
    alive = [seat for seat, left in enumerate(dice) if left]
    if len(alive) == 1:
        return tuple(Fraction(int(seat == alive[0])) for seat in range(len(dice)))
    places = sorted(alive, key=lambda seat: (seat - first) % len(dice))
    game = eb.game("liars-dice", sides=2, dice=tuple(dice[place] for place in places))
    tree = eb.build(game)
    table = Table(Subject(game), TIMEOUT, quiet)
    plays = [find(seated[place], table).on(tree).probabilities for place in places]
    rows = {k: plays[tree.infosets[k].player][k] for k in tree.personal}
    paid = values(eb.TreeProfile.from_personal(tree, rows)).value
    others = len(places) - 1
    out = [Fraction(0)] * len(dice)
    for player, place in enumerate(places):
        # A round pays 1/others to all but the loser, who pays 1.
        loses = (Fraction(1, others) - paid[player]) / (1 + Fraction(1, others))
        left = tuple(n - (seat == place) for seat, n in enumerate(dice))
        then = next(s for k in range(len(dice)) if left[s := (place + k) % len(dice)])
        for seat, p in enumerate(to_win(left, then, seated)):
            out[seat] += loses * p
    return tuple(out)


def test_matches_of_three_are_won_as_often_as_their_rounds_say():
    found = run_arena(eb.match_rules({"sides": 2, "dice": (2, 1, 1)}), PLAIN, 3000, seed=5, workers=1).meetings[0]
    expected = dict.fromkeys(PLAIN, Fraction(0))
    for seated in permutations(PLAIN):
        for name, p in zip(seated, to_win((2, 1, 1), 0, seated), strict=True):
            expected[name] += p / 6
    assert sum(expected.values()) == 1
    for place, name in enumerate(found.players):
        mean = found.paid(place)  # 1 for the winner, -1/2 for each of the others
        assert abs(mean.mean - float(expected[name] * 3 / 2 - Fraction(1, 2))) < 4.5 * mean.error
        assert found.first(place) == pytest.approx((mean.mean + 1 / 2) / 1.5)
