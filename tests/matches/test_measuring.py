"""A player measured over a whole match."""

from fractions import Fraction
from functools import cache

import pytest

import efg_builder as eb
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.matches.playing import measure
from efg_builder.games.match_rules import Bounds, match_rules
from efg_builder.proof.certificate.reading import read_strategies


def by_hand(match, player, best):
    """What *player* gets as Player 1 and as Player 2, round by round over standings of the whole match."""
    rules = match.rules
    solutions = {each.pair: each.solution["strategies"] for each in match.rounds}

    @cache
    def worth(dice, first, measured):
        """To who is measured, the player *measured* (from 0)."""
        if 0 in dice:
            return Fraction(1 if dice[measured] else -1)
        pair, seat = (dice[first], dice[1 - first]), 0 if first == measured else 1
        stakes = []
        for loser in (first, 1 - first):
            left = tuple(count - (who == loser) for who, count in enumerate(dice))
            value = worth(left, loser if rules.next == "loser" else 1 - loser, measured)
            stakes.append(value if seat == 0 else -value)
        game = eb.game("liars-dice-stakes", sides=rules.sides, dice=pair, lose1=stakes[:1], lose2=stakes[1:])
        if best:
            return -eb.evaluate(game, player).matches[0].best_response[1 - seat]
        found = eb.evaluate(game, player, read_strategies(game, solutions[pair]))
        return found.matches[seat].value[seat]

    return [worth(rules.dice, 0, measured) for measured in range(2)]


@pytest.mark.parametrize("following", ["loser", "winner"])
@pytest.mark.parametrize("player", ["uniform", "threshold"])
def test_it_is_what_comes_out_by_hand(player, following):
    match = solve_match(match_rules({"sides": 2, "dice": "2,1", "next": following}))
    found = measure(match, player)
    assert list(found.against) == [Bounds(value, value) for value in by_hand(match, player, best=False)]
    assert list(found.worst) == [Bounds(value, value) for value in by_hand(match, player, best=True)]


@pytest.mark.parametrize("following", ["loser", "winner"])
@pytest.mark.first(1)
def test_the_equilibrium_gets_what_the_match_is_worth(following):
    match = solve_match(match_rules({"sides": 3, "dice": "2,1", "next": following}))
    found = measure(match, "equilibrium")
    assert found.against == found.worst == found.best == (match.worth, -match.worth)


def test_a_match_that_is_not_complete_is_refused():
    parts = []
    match_rules_ = match_rules({"sides": 2})
    solve_match(match_rules_, keep=lambda match, _: parts.append(match))
    with pytest.raises(eb.NotApplicableError, match="2 of its rounds are solved, but all rounds must be solved"):
        measure(parts[1], "uniform")
