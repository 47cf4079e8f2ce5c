"""Games that OpenSpiel has too: every path, compared with OpenSpiel's payoffs and information states."""

from collections import Counter
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.games.protocol import Chance, End

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("open_spiel.python.games.liars_poker")

SUITED = [rank + suit for rank in "JQK" for suit in "hs"]


def named(names, dice=1):
    """Return our names of the cards, or of the *dice* of each hand, that OpenSpiel deals by number."""

    def called(dealt):
        hands = (sorted(names[card] for card in dealt[k : k + dice]) for k in range(0, len(dealt), dice))
        return " vs ".join(map(",".join, hands))

    return called


def dealt_by(state):
    """Yield all chance moves until a player moves: (OpenSpiel's actions, probability, OpenSpiel's state)."""
    if not state.is_chance_node():
        yield (), Fraction(1), state
        return
    for action, p in state.chance_outcomes():
        for others, q, then in dealt_by(state.child(action)):
            yield (action, *others), Fraction(p).limit_denominator(1000) * q, then


def compare(game, ours, theirs, called, sets):
    """Walk both side by side; *sets* collects pairs of our and their information sets."""
    turn = game.turn(ours)
    if isinstance(turn, End):
        assert theirs.is_terminal()
        assert list(map(float, turn.payoffs)) == pytest.approx(theirs.returns())
        return
    if isinstance(turn, Chance):
        states, met = {label: then for label, _, then in turn.branches}, Counter()
        for actions, p, then in dealt_by(theirs):
            met[called(actions)] += p
            compare(game, states[called(actions)], then, called, sets)
        assert met == {label: p for label, p, _ in turn.branches}
        return
    assert turn.player == theirs.current_player()
    sets.add((turn.infoset, theirs.information_state_string(turn.player)))
    # Both order fold, call, raise; check, bet; and bids from the lowest. OpenSpiel puts the challenge first.
    moves = sorted(turn.actions, key=lambda move: move[0] != "challenge")
    for (_, then), action in zip(moves, theirs.legal_actions(), strict=True):
        compare(game, then, theirs.child(action), called, sets)


@pytest.mark.parametrize(
    ("name", "chosen", "called_there", "called"),
    [
        ("kuhn", {}, "kuhn_poker", named("123")),
        ("kuhn", {"cards": 4, "seats": 3}, "kuhn_poker(players=3)", named("1234")),
        ("leduc", {}, "leduc_poker(suit_isomorphism=true)", named("JQK")),
        ("leduc", {"suits_seen": True}, "leduc_poker", named(SUITED)),
        ("liars-poker", {}, "python_liars_poker(hand_length=1,num_digits=2)", named("012")),
        ("liars-poker", {"num_digits": 3}, "python_liars_poker(hand_length=1,num_digits=3)", named("0123")),
        ("liars-dice", {"sides": 3, "wild": 3}, "liars_dice(dice_sides=3)", named("123")),
        (
            *("liars-dice", {"sides": 3, "wild": 3, "order": "face-quantity"}),
            *("liars_dice(dice_sides=3,bidding_rule=reset-quantity)", named("123")),
        ),
        ("liars-dice", {"wild": 2, "dice": (2, 2)}, "liars_dice(dice_sides=2,numdice=2)", named("12", dice=2)),
    ],
)
def test_every_course_of_play_is_the_same(name, chosen, called_there, called):
    game, sets = eb.game(name, **chosen), set()
    compare(game, game.root(), pyspiel.load_game(called_there).new_initial_state(), called, sets)
    ours, theirs = zip(*sets, strict=True)
    assert len(sets) == len(set(ours)) == sum(game.size().infosets)
    assert len(set(theirs)) == len(sets)
