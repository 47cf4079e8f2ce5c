"""The decision process against the formulas of "Game 2 Player Liar's Dice" (Kakatur and Chang), written down anew."""

from fractions import Fraction
from itertools import combinations, product

import pytest

import efg_builder as eb
from efg_builder.games.liars_dice_rules import Bid, State
from efg_builder.players.environment import Process


def process_of(**parameters):
    return Process(eb.game("liars-dice", **{"order": "face-quantity"} | parameters))


TEXT = process_of(sides=6, dice=(4, 4))


def state(bids, hands=((1,), (2,)), status="Active"):
    return State(hands, tuple(bids), status)


# --- the text's list of examples, row by row: quantity and value as they are said, e.g. "three 3s"

EXAMPLES = [
    ((3, 3), (4, 3), True, "increase quantity, same value"),
    ((3, 3), (3, 4), True, "increase value, same quantity"),
    ((3, 3), (1, 4), True, "increase value, any quantity allowed"),
    ((3, 3), (5, 4), True, "increase both"),
    ((3, 3), (2, 3), False, "decrease quantity, same value"),
    ((4, 4), (3, 3), False, "decrease value"),
    # Of the text's "must increase EITHER the quantity OR the face value" and "You CANNOT decrease face value", LEGAL
    # decides for the second.
    ((3, 4), (4, 3), False, "decrease value, increase quantity"),
]


@pytest.mark.parametrize(("last", "new", "valid", "why"), EXAMPLES, ids=[row[3] for row in EXAMPLES])
def test_every_row_of_the_list_of_valid_and_invalid_bids(last, new, valid, why):
    before, bid = state([Bid(last[1], last[0])]), Bid(new[1], new[0])
    assert TEXT.legal(before, bid) is valid
    assert TEXT.higher(before.bids, bid) is valid
    then = state([Bid(last[1], last[0]), bid])
    assert TEXT.transition(then, before, bid) == int(valid)
    if not valid:
        with pytest.raises(eb.ParameterError, match="not legal"):
            TEXT.step(before, bid)


# --- S, A, T, LEGAL as printed


def legal_of_the_text(history, bid):
    if not history:
        return True
    value, amount = history[-1]
    return bid[0] > value or (bid[0] == value and bid[1] > amount)


def t_of_the_text(then, now, action):
    """T(s' | s, a) as printed, word by word."""
    if action == "call":
        return int(then == State(now.hands, now.bids, "GameOver"))
    return int(legal_of_the_text(now.bids, action) and then == State(now.hands, (*now.bids, action), "Active"))


def histories(process):
    """All bid histories that can come about: increasing sequences of the process's bids."""
    for length in range(len(process.bids) + 1):
        yield from combinations(process.bids, length)


def all_states(process):
    sides, dice = process.game.sides, process.game.dice
    for hands in product(*(product(range(1, sides + 1), repeat=count) for count in dice)):
        for bids in histories(process):
            for status in ("Active", "GameOver"):
                yield State(hands, bids, status)


def printed_but_not_played(now, action):
    """Where T as printed cannot be meant: a call of nothing, and moves after the end."""
    return now.status == "GameOver" or (action == "call" and not now.bids)


@pytest.mark.parametrize("parameters", [{"sides": 2, "dice": (1, 1)}, {"sides": 3, "dice": (1, 1), "max_quantity": 1}])
def test_every_transition_between_all_states_is_that_of_the_text(parameters):
    process = process_of(**parameters)
    states, ones = list(all_states(process)), 0
    for now, action in product(states, process.actions):
        for then in states:
            expected = 0 if printed_but_not_played(now, action) else t_of_the_text(then, now, action)
            assert process.transition(then, now, action) == expected
            ones += expected
        assert process.legal(now, action) == any(process.transition(then, now, action) for then in states)
        if not process.legal(now, action):
            with pytest.raises(eb.ParameterError, match="not legal"):
                process.step(now, action)
    assert ones > len(states) / 2


# --- O, R, WIN


def win_of_the_text(now, caller):
    """WIN(s, caller) as printed; 1, 2 or None."""
    if now.status == "Active":
        return None
    value, amount = now.bids[-1]
    count = (now.hands[0] + now.hands[1]).count(value)
    if caller == 1:
        return 1 if count < amount else 2
    return 1 if count >= amount else 2


@pytest.mark.parametrize("parameters", [{"sides": 2, "dice": (2, 1)}, {"sides": 3, "dice": (1, 1)}])
def test_every_win_and_reward_is_that_of_the_text(parameters):
    process = process_of(**parameters)
    seen = set()
    for now in all_states(process):
        if now.status == "GameOver" and not now.bids:
            continue
        caller = len(now.bids) % 2 + 1  # players bid in turn, player 1 first
        winner = win_of_the_text(now, caller)
        assert process.win(now) == winner
        assert process.reward(now) == {1: 1, 2: -1, None: 0}[winner]
        assert process.reward(now, 2) == -process.reward(now)
        seen.add((caller, winner))
    assert seen == {(1, None), (2, None), (1, 1), (1, 2), (2, 1), (2, 2)}


def test_an_observation_is_the_own_hand_the_bids_and_the_status():
    now = state([Bid(3, 1)], ((1, 3), (2, 2)))
    assert TEXT.observe(now) == ((1, 3), (Bid(3, 1),), "Active")
    assert TEXT.observe(now, 2) == ((2, 2), (Bid(3, 1),), "Active")
    assert TEXT.observe(state([Bid(3, 1)], ((1, 3), (1, 1)))) == TEXT.observe(now)


@pytest.mark.parametrize(("sides", "dice"), [(6, (1, 1)), (3, (2, 2)), (2, (3, 1))])
def test_the_roll_is_uniform(sides, dice):
    process = process_of(sides=sides, dice=dice)
    rolls = list(product(*(product(range(1, sides + 1), repeat=count) for count in dice)))
    for start, chance in process.starts:
        assert start.bids == ()
        assert start.status == "Active"
        same = [roll for roll in rolls if tuple(tuple(sorted(hand)) for hand in roll) == start.hands]
        assert chance == Fraction(len(same), len(rolls))
    assert sum(chance for _, chance in process.starts) == 1


@pytest.mark.parametrize(
    "parameters",
    [{"sides": 3}, {"dice": (1, 1, 1), "max_quantity": 2}, {"payoff": "points"}, {"sides": 3, "wild": 1}],
)
def test_rewards_are_the_payoffs_of_the_tree(parameters):
    process = process_of(**parameters)
    game, players, ends = process.game, len(process.game.dice), 0
    for deal in game.deals:
        hands = tuple(cup[i][0] for cup, i in zip(game.cups, deal.hands, strict=True))
        for bids in histories(process):
            if not bids:
                continue
            over = process.step(State(hands, bids), "call")
            key = game.called(process.rank(bids[-1]), len(bids) % players)
            assert (
                tuple(process.reward(over, player + 1) for player in range(players)) == game.settle(key, deal).payoffs
            )
            ends += 1
    assert ends == game.size().terminal_nodes


def test_other_games_are_refused():
    for name in ("dice-poker", "liars-dice-stakes", "mia"):
        with pytest.raises(eb.NotApplicableError, match="the environment is one of liars-dice"):
            Process(eb.game(name))
    with pytest.raises(eb.NotApplicableError, match="one of liars-dice"):
        Process(None)
