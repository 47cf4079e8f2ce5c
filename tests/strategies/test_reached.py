"""Weights of hands at each history, compared with the definition: deal by deal, in fractions."""

from fractions import Fraction

import brute
import pytest

import efg_builder as eb
from efg_builder.games.protocol import PublicEnd
from efg_builder.strategies.reached import Hands, Weights, number, reached
from efg_builder.strategies.tree_profile import dealt

GAMES = {
    "dice": eb.game("liars-dice", sides=3),
    "two against one": eb.game("liars-dice", sides=2, dice=(2, 1)),
    "wild": eb.game("liars-dice", sides=3, wild=1, wild_biddable=False),
    "three players": eb.game("liars-dice", sides=2, dice=(1, 1, 1), max_quantity=1),
    "cards, of which nobody holds another's": eb.game("kuhn"),
    "three cards of four": eb.game("kuhn", cards=4, seats=3),
}
BY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
SEEDS = pytest.mark.parametrize("seed", range(3))


def sparse(game, seed):
    """Return random exact play with a third of the moves never made, so that many sets are unreached."""
    return dealt(brute.random_profile(eb.build(game), seed), game).sparse()


def deal_by_deal(game, at):
    """Return all histories in the order of play: turn, reach probability with each deal, the same by action, parent."""
    found = []

    def go(state, ways, above):
        turn, onward, number = game.public_turn(state), {}, len(found)
        found.append((turn, ways, onward, above))
        if isinstance(turn, PublicEnd):
            return
        for deal, way in ways.items():
            for action, p in at(turn, deal.hands[turn.player]).items():
                if p:
                    onward.setdefault(action, {})[deal] = way * p
        for action, then in turn.actions:
            if action in onward:
                go(then, onward[action], number)

    go(game.public_root(), {deal: deal.probability for deal in game.deals}, -1)
    return found


@BY_GAME
@SEEDS
def test_histories_hands_and_moves_are_those_of_the_definition(game, seed):
    profile, hands = sparse(game, seed), Hands(game)
    right, found = deal_by_deal(game, profile.at), list(reached(hands, profile.behaviors))
    assert [(place.turn, place.above) for place in found] == [(turn, above) for turn, _, _, above in right]
    for place, (turn, ways, onward, _) in zip(found, right, strict=True):
        assert hands.likely(place.rows) == sum(ways.values())
        assert list(place.onward) == [a for a, _ in getattr(turn, "actions", ()) if a in onward]
        for player in range(len(game.players)):
            held = {}
            for deal, way in ways.items():
                held[deal.hands[player]] = held.get(deal.hands[player], 0) + way
            scale, weights = hands.held(place.rows, player)
            assert {hand: number(weight, scale) for hand, weight in weights.items()} == held


@BY_GAME
@SEEDS
def test_what_the_table_sees_is_the_mean_over_all_deals(game, seed):
    profile = sparse(game, seed)
    seen = eb.table_view(profile)
    right = deal_by_deal(game, profile.at)
    assert len(seen.tree) == len(right)
    for node, (turn, ways, onward, _) in enumerate(right):
        whole = sum(ways.values())
        if isinstance(turn, PublicEnd):
            ends = [(way, game.settle(turn.key, deal).payoffs) for deal, way in ways.items()]
            mean = tuple(sum(way * paid[p] for way, paid in ends) / whole for p in range(len(game.players)))
            assert seen.tree.payoffs[seen.tree.outcome[node]] == mean
            continue
        k = seen.tree.infoset[node]
        row = dict(zip(seen.tree.infosets[k].actions, seen.probabilities[k], strict=True))
        assert row == {action: sum(onward[action].values()) / whole for action, _ in turn.actions if action in onward}
        assert (seen.tree.infosets[k].player, seen.tree.infosets[k].label) == (turn.player, turn.history)


@BY_GAME
def test_in_floats_weights_are_nearly_those_in_fractions(game):
    profile, hands = sparse(game, 0), Hands(game)

    def rounded(turn, held):
        rows = profile.behaviors(turn, held)
        return {hand: {a: float(p) if p < 1 else p for a, p in row.items()} for hand, row in rows.items()}

    pairs = zip(reached(hands, rounded), reached(hands, profile.behaviors), strict=True)
    for floats, exact in pairs:
        assert float(hands.likely(floats.rows)) == pytest.approx(float(hands.likely(exact.rows)))


def test_no_deal_is_listed_where_hands_are_independent(monkeypatch):
    """Five dice each: 63,504 deals, which an earlier version listed at every history."""
    game = eb.game("liars-dice", sides=6, dice=(5, 5))
    monkeypatch.setattr(type(game), "deals", property(lambda self: pytest.fail("deals are listed")))
    first = {hand: {"1x1": Fraction(1, 3), "2x6": Fraction(2, 3)} for hand in range(game.hand_counts[0])}
    seen = eb.table_view(eb.SparseProfile(game, ({"start": first}, {})))
    assert len(seen.tree) == 5
    # A bid on ones is false if none of ten dice shows a one.
    assert seen.tree.payoffs[0][1] == 2 * Fraction(5, 6) ** 10 - 1


def test_weights_stay_short():
    """Weights are in lowest terms: after a move of 2/3, two hands of 1/2 have 1/3 each, not 2/6."""
    game = eb.game("liars-dice", sides=2)
    third = {hand: {"1x1": Fraction(1, 3), "1x2": Fraction(2, 3)} for hand in range(2)}
    places = list(reached(Hands(game), eb.SparseProfile(game, ({"start": third}, {})).behaviors))
    assert places[0].rows[0] == Weights(2, {0: 1, 1: 1})
    assert places[0].onward["1x2"] == Weights(3, {0: 1, 1: 1})
