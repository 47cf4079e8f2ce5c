"""Sampled and exact values agree over many pairings; and they do not where a rule is broken on purpose."""

from fractions import Fraction
from functools import cache
from math import inf

import pytest
from fighters import CROOKED, FLOATING, PLAIN

import efg_builder as eb
from efg_builder.experiments.arena import run_arena
from efg_builder.experiments.arena.play import Contest, Draws, Room
from efg_builder.experiments.arena.results import apart
from efg_builder.experiments.arena.schedule import pairings

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


def played(which):
    name, settings, players, games = GAMES[which]
    return run_arena(eb.game(name, **settings), players, games, seed=11, workers=1)


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


@pytest.mark.parametrize("which", GAMES)
def test_sampled_means_of_rounds_are_the_exact_ones(which):
    assert max(map(abs, gaps(played(which)))) < SIGMAS


@pytest.mark.parametrize("which", MATCHES)
def test_sampled_means_of_matches_are_the_exact_ones(which):
    settings, players, games = MATCHES[which]
    found = run_arena(eb.match_rules(settings), players, games, seed=11, workers=1)
    assert max(map(abs, gaps(found))) < SIGMAS


def test_those_are_more_than_forty_pairings():
    found = [(players, len(eb.game(name, **settings).players)) for name, settings, players, _ in GAMES.values()]
    found += [(players, 2) for _, players, _ in MATCHES.values()]
    names = [([each if isinstance(each, str) else each[0] for each in players], seats) for players, seats in found]
    assert sum(len(pairings(*each)) for each in names) == 86


def test_exact_values_are_those_that_evaluate_finds():
    game = eb.game("liars-dice", sides=3, dice=(2, 1))
    found = run_arena(game, ["uniform", "lowest-raise"], 4, workers=1).meetings[0]
    both = eb.evaluate(game, "uniform", "lowest-raise").matches
    for seat in range(2):
        assert found.exact_in_seat(0, seat) == both[seat].value[seat]
    assert found.exact(0) == (both[0].value[0] + both[1].value[1]) / 2 == -found.exact(1)


# --- with a rule broken, the same comparison fails


def paid_to_the_wrong_player(monkeypatch):
    right = Room.paid
    monkeypatch.setattr(Room, "paid", lambda self, key, hands: right(self, key, hands)[::-1])


def an_exact_count_lets_the_bidder_lose(monkeypatch):
    right = Room.paid

    def paid(self, key, hands):
        bid = self.game.bids[key[0]]
        counted = sum(self.game.matches(cup[hand][0], bid[1]) for cup, hand in zip(self.game.cups, hands, strict=True))
        return right(self, key, hands)[:: -1 if counted == bid[0] else 1]

    monkeypatch.setattr(Room, "paid", paid)


def dice_are_loaded(monkeypatch):
    right = Room.hands
    monkeypatch.setattr(Room, "hands", lambda self, numbers: right(self, [x**2 for x in numbers]))


def seats_are_exchanged(monkeypatch):
    right = Contest.play
    monkeypatch.setattr(Contest, "play", lambda self, seating, draws, game: right(self, seating[::-1], draws, game))


def hands_are_seen(monkeypatch):
    monkeypatch.setattr(Draws, "moves", lambda self, game, turn, part: [[x] * 8 for x in self.hands(game, turn)])


def nobody_may_call_the_first_bid(monkeypatch):
    right = Room._asked

    def asked(self, who, turn, hand):
        row = right(self, who, turn, hand)
        return [2.0, *row[1:]] if len(turn.history) == 3 else row

    monkeypatch.setattr(Room, "_asked", asked)


@pytest.mark.parametrize(
    "broken",
    [
        paid_to_the_wrong_player,
        an_exact_count_lets_the_bidder_lose,
        dice_are_loaded,
        seats_are_exchanged,
        hands_are_seen,
        nobody_may_call_the_first_bid,
    ],
)
def test_a_broken_rule_is_seen(broken, monkeypatch):
    broken(monkeypatch)
    assert max(map(abs, gaps(played("one die each, three sides")))) > 2 * SIGMAS


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
    rows = {}
    for player, place in enumerate(places):
        rows |= {
            k: row
            for k, row in zip(tree.personal, _rows(tree, game, seated[place]), strict=True)
            if tree.infosets[k].player == player
        }
    value = eb.TreeProfile.from_personal(tree, rows)
    from efg_builder.proof import values

    paid = values(value).value
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


def _rows(tree, game, name):
    for k in tree.personal:
        actions = tree.infosets[k].actions
        if name == "uniform":
            yield (Fraction(1, len(actions)),) * len(actions)
        elif name == "always-call":
            at = actions.index("call") if "call" in actions else 0
            yield tuple(Fraction(int(a == at)) for a in range(len(actions)))
        else:
            yield tuple(Fraction(int(a == 0)) for a in range(len(actions)))


def test_matches_of_three_are_won_as_often_as_their_rounds_say():
    from itertools import permutations

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
