"""The judge of sparse strategies, held against the judge over trees and against all pure strategies."""

import random
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from pathlib import Path

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS

import efg_builder as eb
from efg_builder.games.protocol import Deal, DealtGame, End, PublicDecision, PublicEnd, PublicSize
from efg_builder.proof import sparse, verify
from efg_builder.strategies.sparse_profile import SparseProfile, way_to
from efg_builder.strategies.tree_profile import dealt


@dataclass(frozen=True)
class ThreeCards(DealtGame):
    """Kuhn's poker: a card each of three, so that hands depend on each other; A has the higher ones more often."""

    players = ("A", "B")
    title = "Three cards"
    constant_sum = Fraction(1, 2)
    hands = (("J", "Q", "K"),) * 2

    @property
    def deals(self):
        pairs = list(permutations(range(3), 2))
        return tuple(Deal(Fraction(1 + a, 2 * sum(range(4))), (a, b)) for a, b in pairs)

    def public_root(self):
        return "start"

    def public_turn(self, state):
        if state in ("start", "check"):
            return PublicDecision(int(state != "start"), state, self.after(state, "check", "bet"))
        if state in ("bet", "check bet"):
            return PublicDecision(int(state == "bet"), state, self.after(state, "fold", "call"))
        return PublicEnd(state)

    def after(self, state, *actions):
        return tuple((a, a if state == "start" else f"{state} {a}") for a in actions)

    def settle(self, key, deal):
        bet, folded = "bet" in key, key.endswith("fold")
        winner = (0 if key == "bet fold" else 1) if folded else int(deal.hands[1] > deal.hands[0])
        stake = Fraction(2 if bet and not folded else 1) * (1 if winner == 0 else -1)
        return End((stake + Fraction(1, 4), Fraction(1, 4) - stake), f"{winner} {stake}")

    def public_size(self):
        return PublicSize((2, 2), 5)


SMALL = [
    eb.game("dice-poker", sides=3, bet="2/3"),
    eb.game("liars-dice"),
    eb.game("liars-dice", sides=3),
    eb.game("liars-dice", dice=(2, 1)),
    eb.game("liars-dice", sides=3, wild=1, wild_biddable=False),
    eb.game("liars-dice", sides=3, wild="highest"),
    eb.game("liars-dice", order="face-quantity", payoff="points", dice=(1, 2)),
    eb.game("liars-dice", sides=3, max_quantity=1, dice=(2, 1)),
    ThreeCards(),
    eb.game("liars-dice", dice=(1, 1, 1), max_quantity=2),
    eb.game("liars-dice", dice=(2, 1, 1), max_quantity=1),
    eb.game("liars-dice", dice=(1, 1, 1, 1), max_quantity=1),
    eb.game(str(DOCS / "games" / "guts.py")),
]
TREES = {game: eb.build(game) for game in SMALL}


def random_sparse(game, seed):
    rng = random.Random(seed)
    return brute.random_sparse(game, rng, rng.random())


def same(verdict, other):
    keys = ("value", "best_responses", "regret", "lower", "upper", "equilibrium", "exact")
    return all(getattr(verdict, key) == getattr(other, key) for key in keys)


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.title)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_best_responses_are_those_over_the_tree(game, seed):
    profile = random_sparse(game, seed)
    verdict = verify(profile)
    assert same(verdict, eb.verify(profile.on(TREES[game])))
    on_tree = brute.random_profile(TREES[game], seed)
    assert same(verify(dealt(on_tree, game).sparse()), eb.verify(on_tree))
    assert all(isinstance(n, Fraction) for n in (*verdict.value, *verdict.best_responses, verdict.regret))


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.title)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_canonical_form_is_smaller_and_worth_the_same(game, seed):
    profile = random_sparse(game, seed)
    canonical = profile.canonical()
    assert same(verify(profile), verify(canonical))
    assert all(a <= b for a, b in zip(canonical.sizes, profile.sizes, strict=True))
    assert list(canonical.canonical()) == list(canonical)
    for player, _, _, behavior in canonical:
        assert player in range(len(game.players))
        assert all(p > 0 for p in behavior.values())


def test_what_is_not_a_profile_of_the_game_is_refused():
    game = eb.game("liars-dice")
    tree = TREES[game]
    floats = eb.TreeProfile.from_personal(
        tree, {k: [1.0 / len(tree.infosets[k].actions)] * len(tree.infosets[k].actions) for k in tree.personal}
    )
    assert dealt(floats, game).sparse() is None  # no exact form
    with pytest.raises(eb.ProfileError, match="not for 'Dice poker: 6 sides"):
        dealt(eb.TreeProfile.uniform(tree), eb.game("dice-poker")).sparse()


def test_an_action_that_is_not_legal_is_refused():
    game = eb.game("liars-dice")
    profile = SparseProfile(game, ({"start": {1: {"call": Fraction(1)}}}, {}))
    for judge in (verify, SparseProfile.canonical):
        with pytest.raises(eb.ProfileError, match="Player 1: 'call' is not an action at '2: start'"):
            judge(profile)


def test_bounds_need_two_players_who_divide_a_constant():
    game = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)
    for over in ("sparse", "tree"):
        found = verify(SparseProfile(game, ({}, {}, {})), over=over)
        assert (found.lower, found.upper) == (None, None)
        assert len(found.best_responses) == 3


def test_payoffs_that_do_not_sum_to_what_the_game_says_are_found():
    class Wrong(ThreeCards):
        constant_sum = Fraction(0)

    with pytest.raises(eb.RulesError, match="the payoffs sum to 1/2, but constant_sum is 0"):
        verify(SparseProfile(Wrong(), ({}, {})))


def test_a_tolerance_is_a_share_of_the_payoff_range():
    game = eb.game("liars-dice")
    profile = SparseProfile(game, ({}, {}))
    regret = verify(profile).regret
    assert not verify(profile, regret / 2 - Fraction(1, 10**9)).equilibrium
    assert verify(profile, regret / 2).equilibrium
    with pytest.raises(eb.ParameterError, match="tolerance"):
        verify(profile, -1)


def test_no_float_takes_part():
    source = Path(sparse.__file__).read_text()
    code = source.partition('"""')[2].partition('"""')[2]
    assert "numpy" not in code
    assert "float(" not in code
    assert " / " not in code


@pytest.mark.parametrize("dice", ["2,2", "5,5"])
def test_where_everybody_calls_the_size_of_the_game_does_not_matter(dice):
    game = eb.game("liars-dice", sides=6, dice=dice)
    verdict = verify(SparseProfile(game, ({}, {})))
    # The lowest bid is called at once; whoever bids something else is called too.
    assert verdict.lower <= verdict.value[0] <= verdict.upper
    assert verdict.visited == (1 + len(game.bids), 2 + (len(game.bids) - 1))


def test_play_too_deep_for_recursion_is_refused():
    game = eb.game("liars-dice", sides=20, max_quantity=20)
    state, strategies = game.public_root(), ({}, {})
    for _ in range(390):
        turn = game.public_turn(state)
        action, state = turn.actions[0]
        strategies[turn.player][turn.history] = {0: {action: Fraction(1)}}
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(400)  # of the usual 1,000 a game of 1,100 bids is too deep, and takes half a minute to make
    try:
        with pytest.raises(eb.NotApplicableError, match="too deep"):
            verify(SparseProfile(game, strategies))
    finally:
        sys.setrecursionlimit(usual)


def test_of_ends_met_with_the_same_weights_only_those_that_pay_most_are_worked_out(monkeypatch):
    """All ends, which ``leave`` asks for, give the same; bids on one face pay less as they rise."""
    game = eb.game("liars-dice", sides=3, dice=(2, 2))
    profile = SparseProfile(game, ({}, {}))  # bids 1x1, then calls
    met: list[object] = []
    worth = sparse.Ends.worth
    monkeypatch.setattr(sparse.Ends, "worth", lambda self, key, *rest: met.append(key) or worth(self, key, *rest))
    moves = partial(sparse.played, profile)
    for player in range(2):
        met.clear()
        found = sparse.respond(game, player, moves, sparse.Ends(game))
        few = len(met)
        met.clear()
        assert sparse.respond(game, player, moves, sparse.Ends(game), leave=lambda *_: None) == found
        # Where player 1 opens, the 12 bids meet a call: one for each of the three faces is worked out. Player 2
        # raises the lowest bid to the other 11 or calls.
        assert (few, len(met)) == (3 if player == 0 else 4, 12)


def test_what_moves_are_worth_at_one_turn_is_what_the_whole_pass_finds_there():
    game = eb.game("liars-dice", sides=2, dice=(2, 1))
    profile = random_sparse(game, 5)
    moves, ends, whole = partial(sparse.played, profile), sparse.Ends(game), {}
    for player in range(2):
        sparse.respond(game, player, moves, ends, leave=lambda turn, reaches, worths: whole.update({turn: worths}))
    assert len(whole) > 5
    for turn, worths in whole.items():
        way = way_to(game, turn.history)
        steps = list(zip(way.turns, way.moves, strict=False))
        _, found = sparse.respond_at(game, turn.player, moves, ends, steps, turn)
        hands = range(game.hand_counts[turn.player])
        assert [[each.of(h) for h in hands] for each in found] == [[each.of(h) for h in hands] for each in worths]
