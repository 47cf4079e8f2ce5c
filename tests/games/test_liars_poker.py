"""Liar's Poker: its rules against a second statement of OpenSpiel's, and OpenSpiel's values."""

from fractions import Fraction
from itertools import product

import pytest

import efg_builder as eb
from efg_builder.games.protocol import Chance, Decision, End


class AsInOpenSpiel(eb.Game):
    """OpenSpiel's python_liars_poker, restated from its source: digits dealt one by one, actions as numbers.

    Action 0 challenges, action a > 0 bids (a - 1) // digits + 1 times the digit (a - 1) % digits + 1.
    """

    constant_sum = Fraction(0)
    players = ()

    def __init__(self, length, digits, seats):
        self.length, self.digits, self.players = length, digits, tuple(f"Player {n + 1}" for n in range(seats))

    def root(self):
        return (), ()

    def turn(self, state):
        dealt, actions = state
        seats = len(self.players)
        if len(dealt) < seats * self.length:
            p = Fraction(1, self.digits)
            branches = tuple((str(d), p, ((*dealt, d), actions)) for d in range(1, self.digits + 1))
            return Chance(f"deal {dealt}", branches)
        current, originator, challenges, rebid, player = -1, -1, 0, False, 0
        for action in actions:
            if action == 0:
                challenges += 1
            else:
                rebid = player == originator
                current, originator, challenges = action, player, 0
            player = (player + 1) % seats
        if challenges == (seats - 1 if rebid else seats):
            return self.end(dealt, current - 1, originator)
        legal = [0] if current != -1 else []
        if player != originator or (not rebid and challenges == seats - 1):
            legal += range(max(1, current + 1), self.length * self.digits * seats + 1)
        # What a player holds, in whatever order it was dealt.
        knows = f"{sorted(dealt[player::seats])} {actions}"
        return Decision(player, knows, tuple((str(a), (dealt, (*actions, a))) for a in legal))

    def end(self, dealt, bid, originator):
        holds = dealt.count(bid % self.digits + 1) >= bid // self.digits + 1
        others = len(self.players) - 1
        wins, loses = (others, -1) if holds else (-others, 1)
        return End(tuple(Fraction(wins if p == originator else loses) for p in range(others + 1)))


SMALL = [(1, 2, 2), (1, 3, 2), (1, 2, 3)]


def values(game, state, moves=0):
    """All that can happen: (cards, moves) as numbers, with what is paid and who is to move."""
    turn = game.turn(state)
    if isinstance(turn, End):
        yield tuple(turn.payoffs)
    elif isinstance(turn, Decision):
        yield turn.player, len(turn.actions)
        # Ours puts the challenge last, theirs first.
        first = [a for a in turn.actions if a[0] in ("0", "challenge")]
        for _, then in [*first, *(a for a in turn.actions if a not in first)]:
            yield from values(game, then)


@pytest.mark.parametrize(("length", "digits", "seats"), [*SMALL, (2, 2, 2)])
def test_play_and_payoffs_are_those_of_openspiel(length, digits, seats):
    ours = eb.game("liars-poker", hand_length=length, num_digits=digits, seats=seats)
    theirs = AsInOpenSpiel(length, digits, seats)
    deals = {then[0].hands: (p, then) for _, p, then in ours.turn(ours.root()).branches}
    met = dict.fromkeys(deals, Fraction(0))
    for dealt in product(range(1, digits + 1), repeat=length * seats):
        hands = tuple(",".join(map(str, sorted(dealt[seat::seats]))) for seat in range(seats))
        key = tuple(names.index(hand) for names, hand in zip(ours.hands, hands, strict=True))
        if not met[key]:
            assert list(values(ours, deals[key][1])) == list(values(theirs, (dealt, ())))
        met[key] += Fraction(1, digits ** (length * seats))
    assert met == {key: p for key, (p, _) in deals.items()}


@pytest.mark.parametrize(
    # OpenSpiel 2.0.2, sequence_form_lp.solve_zero_sum_game (solver CLARABEL): 4e-8, 0.11111111228, 0.12499999120.
    ("length", "digits", "value"),
    [(1, 2, "0"), (1, 3, "1/9"), (2, 2, "1/8")],
)
def test_the_value_is_that_of_openspiel_s_linear_program(length, digits, value):
    solution = eb.solve(eb.game("liars-poker", hand_length=length, num_digits=digits), "lp")
    assert (solution.exact, solution.regret) == (True, 0)
    assert solution.value[0] == Fraction(value)


@pytest.mark.parametrize(("length", "digits", "seats"), [*SMALL, (1, 4, 2)])
def test_the_size_is_that_of_the_tree(length, digits, seats):
    game = eb.game("liars-poker", hand_length=length, num_digits=digits, seats=seats)
    tree, size = eb.build(game), game.size()
    assert (len(tree), len(tree.personal)) == (size.nodes, sum(size.infosets))


def test_a_game_too_large_for_a_tree_says_so():
    with pytest.raises(eb.TreeTooLargeError, match="over the budget of 5,000,000, and no machine holds it"):
        eb.solve(eb.game("liars-poker", hand_length=8, num_digits=9), "oracle")
