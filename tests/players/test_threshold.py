"""The threshold player against "Game 2 Player Liar's Dice" (Kakatur and Chang), written down anew here, and Bayes."""

import re
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS
from play_games import after, table_for

import efg_builder as eb
from efg_builder.games.bidding import at_least
from efg_builder.players.find import invite
from efg_builder.players.kinds.threshold import DEFAULT, after_bids, by_bayes, by_prior, policy, priority

ORDERS = st.sampled_from(["quantity-face", "face-quantity"])


def game_of(**parameters):
    return eb.game("liars-dice", **parameters)


def sit(game, word):
    return invite(word)(table_for(game))


def answer(game, word, hand, *names):
    turn = after(game, *names)
    ((move, p),) = sit(game, word).at(turn, game.hands[turn.player].index(hand)).items()
    assert p == 1
    return move


# --- P_valid


def p_valid_of_the_text(amount, own, dice, sides):
    """P(c2 >= k) as printed, c2 ~ Binomial(dice, 1/sides), k = amount - own."""
    k = amount - own
    if k > dice:
        return Fraction(0)
    if k <= 0:
        return Fraction(1)
    p = Fraction(1, sides)
    return sum((comb(dice, i) * p**i * (1 - p) ** (dice - i) for i in range(k, dice + 1)), Fraction(0))


@settings(max_examples=40)
@given(
    st.integers(2, 3),
    st.sampled_from([(1, 1), (2, 1), (1, 2), (2, 2), (1, 1, 1), (1, 2, 1)]),
    st.sampled_from([None, 1, "highest"]),
    st.booleans(),
    ORDERS,
    st.data(),
)
def test_p_valid_is_the_share_of_rolls_in_which_the_bid_holds(sides, dice, wild, biddable, order, data):
    game = game_of(sides=sides, dice=dice, wild=wild, wild_biddable=biddable, order=order)
    mover = data.draw(st.integers(0, len(dice) - 1))
    turn = after(game, *game.bid_names[:mover])
    hand = data.draw(st.integers(0, game.hand_counts[mover] - 1))
    quantity, face = data.draw(st.sampled_from(game.bids))
    unseen = sum(dice) - dice[mover]
    own = game.cups[mover][hand][0]
    rolls = list(product(range(1, sides + 1), repeat=unseen))
    holds = [sum(die in (face, game.wild) for die in (*own, *roll)) >= quantity for roll in rolls]
    assert by_prior(game)(turn, hand, (quantity, face)) == Fraction(sum(holds), len(rolls))


# --- the order of bids


def test_the_documented_priority_in_the_order_of_the_text():
    game = game_of(sides=6, dice=(3, 3), order="face-quantity")
    last = game.bids.index((4, 5))
    assert priority(game, last) == (*((q, 6) for q in range(1, 7)), (5, 5), (6, 5))
    assert priority(game, -1) == tuple((q, f) for f in range(1, 7) for q in range(1, 7))


@pytest.mark.parametrize("parameters", [{"sides": 3, "dice": "2,1"}, {"sides": 3, "wild": 3, "order": "bluff"}])
def test_other_orders_go_from_the_lowest_bid_up(parameters):
    game = game_of(**parameters)
    for last in range(-1, len(game.bids)):
        assert priority(game, last) == game.bids[last + 1 :]


# --- the player


def move_of_the_text(hand, last, sides, dice, threshold):
    """What the text says, for N dice each, bids as (value, amount); None: the text says nothing."""

    def p(bid):
        return p_valid_of_the_text(bid[1], hand.count(bid[0]), dice, sides)

    if last is not None and p(last) < threshold:
        return "call"
    bids = [(v, a) for v in range(1, sides + 1) for a in range(1, 2 * dice + 1)]  # by value then amount, lowest first
    higher = [bid for bid in bids if last is None or bid[0] > last[0]]
    same = [bid for bid in bids if last is not None and bid[0] == last[0] and bid[1] > last[1]]
    likely = [f"{a}x{v}" for v, a in higher + same if p((v, a)) >= threshold]
    return likely[0] if likely else None


@settings(max_examples=80)
@given(st.integers(2, 6), st.integers(1, 3), st.fractions(0, 1, max_denominator=12), st.data())
def test_in_the_game_of_the_text_it_is_the_player_of_the_text(sides, dice, threshold, data):
    game = game_of(sides=sides, dice=(dice, dice), order="face-quantity")
    play = sit(game, f"threshold:threshold={threshold}")
    assert play.last_bid_only
    last = data.draw(st.none() | st.integers(0, len(game.bids) - 1))
    turn = after(game, *([] if last is None else [game.bid_names[last]]))
    for hand, (faces, _) in enumerate(game.cups[turn.player]):
        bid = None if last is None else game.bids[last][::-1]
        expected = move_of_the_text(faces, bid, sides, dice, threshold)
        if expected is not None:
            assert play.at(turn, hand) == {expected: 1}
        elif last is not None:
            assert play.at(turn, hand) == {"call": 1}


def test_where_no_bid_is_likely_enough_it_calls_or_opens_with_the_likeliest():
    game = game_of(sides=6, dice=(2, 2), max_quantity=4)
    assert answer(game, "threshold:threshold=1", "3,5") == "1x3"  # the first bid that its own dice bear out
    three = game_of(sides=6, dice=(1, 1), wild=1, wild_biddable=False, max_quantity=2)
    assert answer(three, "threshold:threshold=1", "4", "1x4") == "call"  # it holds for sure, and nothing higher does
    none = game_of(sides=6, dice=(1, 1), wild=None)
    chance = by_prior(none)
    unlikely = policy(none, Fraction(1), lambda turn, hand, bid: chance(turn, hand, bid) / 2)
    assert unlikely.at(after(none), 3) == {"1x4": 1}  # nothing reaches the threshold: of all, the likeliest
    unlikely = policy(none, Fraction(1), lambda turn, hand, bid: Fraction(1, 3))
    assert unlikely.at(after(none), 3) == {"1x1": 1}  # of several, the first


def test_a_bid_just_at_the_threshold_is_likely_enough():
    game = game_of(sides=6, order="face-quantity")
    assert answer(game, "threshold:threshold=1/6", "5", "1x2") == "1x3"
    assert answer(game, "threshold:threshold=1/5", "5", "1x2") == "call"
    assert answer(game, "threshold:threshold=0.1666", "1", "1x6") == "call"  # above 1x6 only 2x6, which cannot hold
    assert answer(game, "threshold:threshold=1/6", "6", "1x5") == "1x6"
    assert answer(game, "threshold:threshold=1/6", "6", "1x6") == "2x6"
    assert answer(game, "threshold:threshold=0", "1", "2x6") == "call"  # nothing is higher


def test_a_round_that_costs_dice_asks_for_one_more_where_an_exact_count_is_the_bidders_loss():
    settings_ = {"sides": 3, "exact": "bidder-loses-one", "lose1": "-2/7", "lose2": "5/6"}
    game = eb.game("liars-dice-stakes", **settings_)
    assert by_prior(game)(after(game), 1, (1, 2)) == Fraction(1, 3)  # the own two alone is not enough
    assert by_prior(game)(after(game), 0, (1, 2)) == 0


# --- the posterior


def posterior_by_brute_force(game, rows, history, player):
    """P(hand | bids): over every deal, the chance that *player* makes its own bids; None where it never does."""
    weights = [Fraction(0)] * game.hand_counts[player]
    for hand, (_, chance) in enumerate(game.cups[player]):
        reach, names = chance, [] if history == "start" else history.split()
        for length, name in enumerate(names):
            turn = after(game, *names[:length])
            if turn.player == player:
                reach *= Fraction(rows(turn, hand).get(name, 0))
        weights[hand] = reach
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total else None


def by_hand(turn, hand):
    """A player for tests: not uniform, and with bids that some hands never make."""
    moves = [action for action, _ in turn.actions]
    weights = [(hand + 1) * (k + 1) % 4 for k in range(len(moves))]
    weights[-1] += 1
    return {move: Fraction(weight, sum(weights)) for move, weight in zip(moves, weights, strict=True)}


TINY = [
    {"sides": 3},
    {"dice": "2,1"},
    {"dice": "1,2", "order": "face-quantity", "wild": 2},
    {"dice": "1,1,1", "max_quantity": 2},
    {"sides": 3, "wild": "highest", "order": "bluff"},
]


@pytest.mark.parametrize("parameters", TINY)
@pytest.mark.parametrize("word", ["uniform", "by hand"])
def test_the_posterior_is_bayes_over_all_deals(parameters, word):
    game = game_of(**parameters)
    rows = by_hand if word == "by hand" else sit(game, word).at
    beliefs = after_bids(game, rows)
    chance, inferred, compared = by_bayes(game, rows), 0, 0
    for turn in game.turns():
        found = beliefs(turn.history)
        brute = [posterior_by_brute_force(game, rows, turn.history, player) for player in range(len(game.players))]
        for mine, theirs in zip(found, brute, strict=True):
            assert theirs is None or mine == theirs
            compared += theirs is not None
        inferred += any(mine != prior for mine, prior in zip(found, game.hand_probabilities, strict=True))
        if None in brute:
            continue
        others = [player for player in range(len(game.players)) if player != turn.player]
        for hand in range(game.hand_counts[turn.player]):
            quantity, face = game.bids[(len(turn.history) + hand) % len(game.bids)]
            expected = Fraction(0)
            for hands in product(*(range(game.hand_counts[player]) for player in others)):
                dice = list(game.cups[turn.player][hand][0])
                p = Fraction(1)
                for player, one in zip(others, hands, strict=True):
                    dice += game.cups[player][one][0]
                    p *= brute[player][one]
                expected += p * (sum(die in (face, game.wild) for die in dice) >= quantity)
            assert chance(turn, hand, (quantity, face)) == expected
    assert compared > 3
    assert (inferred > 0) == (word == "by hand")


def test_a_bid_that_is_never_made_is_passed_over():
    # Holding a two, the opponent opens 1x2; holding a one, 1x1; it never opens with two of a kind.
    game = game_of(sides=2, dice=(1, 1))

    def honest(turn, hand):
        if turn.history == "start":
            return {f"1x{hand + 1}": Fraction(1)}
        return {turn.actions[-1][0]: Fraction(1)}

    beliefs = after_bids(game, honest)
    prior = (Fraction(1, 2), Fraction(1, 2))
    assert beliefs("start") == (prior, prior)
    assert beliefs("1x2") == ((0, 1), prior)
    assert beliefs("2x1") == (prior, prior)  # never made: nothing is learnt
    assert beliefs("1x2 2x1 2x2") == ((0, 1), prior)  # what 1x2 told stands, though nobody would have gone on so
    chance = by_bayes(game, honest)
    assert chance(after(game, "1x2"), 0, (1, 2)) == 1
    assert chance(after(game, "1x1"), 0, (1, 2)) == 0
    assert by_prior(game)(after(game, "1x1"), 0, (1, 2)) == Fraction(1, 2)


def test_it_believes_a_stated_opponent():
    game = game_of(sides=6, dice=(1, 1), order="face-quantity")
    sceptic, believer = "threshold:threshold=1/2", "threshold:threshold=1/2:opponent=threshold,threshold=1/2"
    chance = by_bayes(game, sit(game, sceptic).at)
    # Such an opponent opens with one of its own face, so that the bid gives its hand away.
    assert [chance(after(game, "1x4"), 1, bid) for bid in [(1, 4), (2, 4), (1, 6)]] == [1, 0, 0]
    assert answer(game, sceptic, "2", "1x4") == "call"  # 1/6 is below 1/2
    assert answer(game, believer, "2", "1x4") == "call"  # 1x4 holds, but nothing higher does
    assert answer(game, sceptic, "4", "1x4") == "call"  # 1x4 holds: nothing higher is likely enough
    assert answer(game, believer, "4", "1x4") == "2x4"  # it is known to be true
    assert answer(game, sceptic, "6", "1x4") == "call"
    assert answer(game, believer, "6", "1x4") == "1x6"


# --- sitting down


def nash_conv(game, threshold):
    return eb.evaluate(game, f"threshold:threshold={threshold}", method="dense").matches[0].nash_conv


def losses(sides_dice, order):
    """The NashConv of every threshold there is (up to what calls and bids the same), by game."""
    for sides, dice in sides_dice:
        game = game_of(sides=sides, dice=dice, order=order)
        steps = sorted({at_least(k, n, Fraction(1, sides)) for n in set(dice) for k in range(1, n + 1)} | {Fraction(1)})
        yield {threshold: Fraction(nash_conv(game, threshold)) for threshold in steps}


def rows_by_threshold(sides_dice, orders):
    """The NashConv in each of the games, by threshold; a threshold plays like the next step above it."""
    tables = [table for order in orders for table in losses(sides_dice, order)]
    thresholds = sorted({threshold for table in tables for threshold in table})
    return {t: [table[min(step for step in table if step >= t)] for table in tables] for t in thresholds}


@pytest.mark.slow
def test_the_default_loses_least_and_the_table_of_the_page_is_right():
    dice = [(1, 1), (1, 2), (2, 1), (2, 2)]
    games = [(sides, pair) for sides in range(2, 7) for pair in dice]
    rows = rows_by_threshold(games, ["face-quantity", "quantity-face"])
    default = rows[Fraction(DEFAULT)]
    for row in rows.values():
        assert sum(default) <= sum(row) + Fraction(1, 10**9)
        assert max(default) <= max(row) + Fraction(1, 10**9)
    least = [min(column) for column in zip(*rows.values(), strict=True)]
    page = (DOCS / "players.md").read_text().replace("**", "")
    shown = re.findall(r"^\| ([\d/]+) \| ([\d.]+) \| ([\d.]+) \| (\d+)", page, flags=re.MULTILINE)
    assert len(shown) == 9
    for threshold, mean, greatest, wins in shown:
        row = rows[Fraction(threshold)]
        assert (f"{float(sum(row) / len(row)):.3f}", f"{float(max(row)):.3f}") == (mean, greatest)
        assert sum(abs(mine - best) < 1e-9 for mine, best in zip(row, least, strict=True)) == int(wins)


def test_in_the_two_sided_game_it_is_an_equilibrium_in_both_orders():
    # Shown, not assumed: the NashConv is worked out over the whole tree, exactly.
    for order in ("quantity-face", "face-quantity"):
        match = eb.evaluate(game_of(order=order), "threshold").matches[0]
        assert (match.nash_conv, match.value) == (0, (0, 0))
