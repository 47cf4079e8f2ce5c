"""First bids with the same answers: detecting them, and equal results with and without detection."""

import random
from dataclasses import dataclass
from fractions import Fraction

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.games.bidding import BiddingGame
from efg_builder.games.protocol import Deal, End, PublicEnd
from efg_builder.proof.sparse import Ends, played, respond, sparse_figures
from efg_builder.strategies.cut import cut
from efg_builder.strategies.sparse_profile import SparseProfile, alike_openings, with_alike, without_alike

GAMES = [
    eb.game("liars-dice", sides=3),
    eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, dice=(1, 2)),
    eb.game("liars-dice", dice=(1, 1, 1), max_quantity=2),
]
TREES = {game: eb.build(game) for game in GAMES}


def answered_alike(game, seed):
    """Return random strategies with the same answer to the first bids up to some bid, and the number of such bids."""
    rng = random.Random(seed)
    profile, last = brute.random_sparse(game, rng, 0.8), rng.randrange(1, len(game.bid_names) - 1)
    lowest, *others = game.bid_names[: last + 1]
    higher = game.bid_names[last + 1 :]
    after, rest = [], []
    for player, mine in enumerate(profile.strategies[1:], start=1):
        after.append({h: rows for h, rows in mine.items() if h.split()[0] == lowest and fits(h, last, game)})
        rest.append({h: rows for h, rows in mine.items() if h.split()[0] not in (lowest, *others)})
        if player == 1:
            after[0][lowest] = {
                hand: brute_row(rng.sample(higher, rng.randrange(1, len(higher) + 1)))
                for hand in range(game.hand_counts[1])
            }
    copies = [
        {name + h.removeprefix(lowest): rows for name in (lowest, *others) for h, rows in mine.items()}
        for mine in after
    ]
    strategies = (profile.strategies[0], *(a | b for a, b in zip(copies, rest, strict=True)))
    return SparseProfile(game, strategies), dict.fromkeys(others, lowest)


def fits(history, last, game):
    """Return whether the bids after the first are higher than bid number *last*."""
    return all(game.bid_names.index(word) > last for word in history.split()[1:])


def brute_row(names):
    return {name: Fraction(1, len(names)) for name in names}


def unnoticed(profile):
    """Return the best responses' payoffs if every first bid is examined."""
    ends = Ends(profile.game)
    return tuple(
        respond(profile.game, player, lambda turn, reach: played(profile, turn, reach), ends)
        for player in range(len(profile.game.players))
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_figures_are_those_over_the_tree_from_fewer_histories(game, seed):
    profile, alike = answered_alike(game, seed)
    assert alike.items() <= alike_openings(profile).items()
    figures, verdict = sparse_figures(profile), eb.verify(profile.on(TREES[game]))
    assert (figures.value, figures.best) == (verdict.value, verdict.best_responses)
    every = unnoticed(profile)
    assert figures.best == tuple(most for most, _ in every)
    assert figures.visited[0] < every[0][1]
    assert figures.visited[1:] == tuple(visited for _, visited in every[1:])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.title)
def test_a_call_or_another_row_or_a_bid_that_is_not_higher_makes_them_differ(game):
    profile, alike = answered_alike(game, 3)
    last = list(alike)[-1]
    assert last in alike_openings(profile)
    rows = profile.strategies[1][last]
    row = rows[0]
    for other in (
        {game.call: Fraction(1)},
        {a: p / 2 for a, p in row.items()} | {game.call: Fraction(1, 2)},
        {game.bid_names[-1]: Fraction(1)} if row != {game.bid_names[-1]: 1} else {game.bid_names[-2]: Fraction(1)},
        {game.bid_names[0]: Fraction(1)},
    ):
        second = dict(profile.strategies[1]) | {last: dict(rows) | {0: other}}
        assert last not in alike_openings(SparseProfile(game, (profile.strategies[0], second, *profile.strategies[2:])))
    fewer = dict(profile.strategies[1]) | {last: {hand: row for hand, row in rows.items() if hand}}
    assert last not in alike_openings(SparseProfile(game, (profile.strategies[0], fewer, *profile.strategies[2:])))
    # The first player's strategy makes no difference.
    first = dict(profile.strategies[0]) | {f"{last} {game.bid_names[-1]}": {0: {game.call: Fraction(1)}}}
    assert last in alike_openings(SparseProfile(game, (first, *profile.strategies[1:])))


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_what_is_told_once_comes_back_and_is_cut_once(seed):
    game = GAMES[1]
    profile, _ = answered_alike(game, seed)
    once = without_alike(profile, alike_openings(profile))
    assert with_alike(once, alike_openings(profile)).strategies == profile.strategies
    assert sum(once.sizes) < sum(profile.sizes)
    for most in (0, 1, game.hand_counts[1] - 1):
        assert sum(cut(profile, most).sizes) <= most
    for most in (10**9, sum(once.sizes) // 2):
        left = cut(profile, most)
        assert sum(without_alike(left, alike_openings(left)).sizes) <= most
        # Every hand's answer to them is saved: otherwise calls would distinguish them.
        assert alike_openings(left).keys() >= alike_openings(profile).keys()


@dataclass(frozen=True)
class Named(BiddingGame):
    """Two hands each; a player whose highest bid is called wins 10."""

    players = ("a", "b")
    hands = (("h", "l"), ("h", "l"))
    bid_names: tuple[str, ...] = ("one", "two", "three")

    @property
    def deals(self):
        return tuple(Deal(Fraction(1, 4), (a, b)) for a in range(2) for b in range(2))

    def settle(self, key, deal):
        won = Fraction(10 if key == (2, 0) else 0)
        return End((won, -won))


class FirstCounts(Named):
    """Against the rules of bidding games, an end depends on the first bid."""

    def public_turn(self, state):
        turn = super().public_turn((None, *state[1:]) if state[0] == "called" else state)
        if isinstance(turn, PublicEnd):
            return turn
        return turn._replace(
            actions=tuple((a, ("called", *then[1:]) if a == "call" else then) for a, then in turn.actions)
        )


class BidsByDefault(Named):
    """The default move after two bids is a bid."""

    def default_action(self, turn):
        return 0


@pytest.mark.parametrize(
    ("game", "alike"),
    [(Named(), True), (BidsByDefault(), False)],
    ids=["as in the class", "another default"],
)
def test_only_games_by_the_rules_of_bidding_have_them(game, alike):
    profile = SparseProfile(game, ({}, answers(game)))
    assert (alike_openings(profile) == {game.bid_names[1]: game.bid_names[0]}) == alike
    assert eb.verify(profile).best_responses == eb.verify(profile.on(eb.build(game))).best_responses


def answers(game):
    """The second player's highest bid after each other first bid."""
    return {bid: {hand: {game.bid_names[2]: Fraction(1)} for hand in range(2)} for bid in game.bid_names[:2]}


@pytest.mark.parametrize("game", [Named(("one a", "two b", "three c")), FirstCounts()], ids=["blanks", "other turns"])
def test_games_against_the_rules_of_bidding_have_none(game):
    assert alike_openings(SparseProfile(game, ({}, answers(game)))) == {}
    with pytest.raises(eb.RulesError, match=r"one word|a public_turn\(\) of its own"):
        eb.build(game)


def test_games_without_bids_have_none():
    game = eb.game("dice-poker")
    assert alike_openings(SparseProfile(game, ({}, {}))) == {}
    assert alike_openings(SparseProfile(GAMES[0], ({}, {}))) == {}
