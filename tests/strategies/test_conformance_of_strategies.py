"""All forms of a strategy agree: answers, on the tree, sparse and as arrays."""

from fractions import Fraction

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms.bidding_form import bids_at, class_size
from efg_builder.interop.gambit.mapping import read_strategy
from efg_builder.proof import verify
from efg_builder.strategies.dense_profile import DenseProfile
from efg_builder.strategies.dense_rows import bids_open, blocks, calling
from efg_builder.strategies.policy import Policy, Seated
from efg_builder.strategies.sparse_profile import SparseProfile, own_turns
from efg_builder.strategies.tree_profile import dealt
from efg_builder.strategies.writing import write_strategy

BIDDING = [
    eb.game("liars-dice"),
    eb.game("liars-dice", sides=3, max_quantity=1),
    eb.game("liars-dice", dice=(2, 1), max_quantity=2),
    eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, max_quantity=1, order="face-quantity"),
]
GAMES = [*BIDDING, eb.game("dice-poker", sides=3), eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)]
TREES = {game: eb.build(game) for game in GAMES}


def forms(game, seed):
    """Return one random strategy in all forms for the game, by name."""
    profile = dealt(brute.random_profile(TREES[game], seed), game)
    found = {
        "tree": profile,
        "sparse": profile.sparse(),
        "policy": Policy(profile.at).of(game),
        "seated": Seated((profile,) * len(game.players)),
    }
    if game in BIDDING:
        arrays = [profile.dense(player).array for player in range(2)]
        found["dense"] = DenseProfile(game, tuple(arrays))
    return found


def probabilities(strategy, turn, hand):
    found = strategy.at(turn, hand)
    assert set(found) <= {action for action, _ in turn.actions}
    return [float(found.get(action, 0)) for action, _ in turn.actions]


def matters(game, strategy):
    """Yield the turns and hands that the player's moves reach: a sparse form omits others."""
    sparse = strategy.sparse()
    return {
        (turn.player, turn.history, hand)
        for player in range(len(game.players))
        for turn, rows in own_turns(game, player, sparse.behaviors)
        for hand in rows
    }


@settings(max_examples=12)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_asked_and_on_the_tree_all_forms_agree(game, seed):
    all_forms = forms(game, seed)
    first = all_forms["tree"]
    reached = matters(game, first)
    index = {TREES[game].infosets[k].label: k for k in TREES[game].personal}
    trees = {name: strategy.on(TREES[game]) for name, strategy in all_forms.items()}
    for turn in game.turns():
        for hand in range(game.hand_counts[turn.player]):
            right = probabilities(first, turn, hand)
            k = index[game.infoset_name(turn.player, hand, turn.history)]
            for name, strategy in all_forms.items():
                asked = probabilities(strategy, turn, hand)
                assert asked == [float(p) for p in trees[name].probabilities[k]]
                if name != "sparse" or (turn.player, turn.history, hand) in reached:
                    assert asked == pytest.approx(right, abs=1e-15)
    assert all(trees[name].exact for name in all_forms if name != "dense")


@pytest.mark.parametrize("game", [BIDDING[0], GAMES[-1]])
def test_all_forms_have_one_interface(game):
    all_forms = forms(game, 1)
    right = [(entry.player, entry.infoset) for entry in all_forms["tree"].entries()]
    for name, strategy in all_forms.items():
        assert (strategy.title, strategy.players) == (game.title, game.players)
        assert (strategy.tree_profile is not None) == (strategy.tree is not None) == (name == "tree")
        assert strategy.measure == {"tree": "tree", "dense": "dense"}.get(name)
        assert (strategy.last_bid_only, strategy.on_end) == (False, None)
        assert strategy.on_tree().tree == TREES[game]
        assert strategy.canonical().title == game.title
        turn = next(game.turns())
        assert strategy.played(turn, 0) == {action: p for action, p in strategy.at(turn, 0).items() if p}
        if strategy.sparse() is not None:
            assert {(entry.player, entry.infoset) for entry in strategy.entries()} <= set(right)
        else:
            with pytest.raises(eb.ParameterError, match="cannot be listed"):
                strategy.entries()
    unknown = Policy(all_forms["tree"].at, name="mine")
    assert (unknown.title, unknown.players) == ("mine", ())


@settings(max_examples=20)
@given(st.sampled_from(BIDDING), st.integers(0, 10**6))
def test_as_arrays_all_forms_agree(game, seed):
    all_forms, m = forms(game, seed), len(game.bid_names)
    turns = {(turn.player, turn.history): turn for turn in game.turns()}
    for strategy in all_forms.values():
        for player in range(2):
            rows = strategy.dense(player)
            for start, stop in blocks(class_size(m)):
                bids = np.stack(
                    [
                        np.broadcast_to(rows.rows(b, start, stop), (stop - start, game.hand_counts[player]))
                        for b in bids_open(player, start, m)
                    ]
                    or [np.zeros((stop - start, 1))]
                )
                calls = calling(rows, player, start, stop, m)
                for index in range(start, stop):
                    turn = turns[player, game.history(bids_at(player, index))]
                    for hand in range(game.hand_counts[player]):
                        right = probabilities(strategy, turn, hand)
                        made = [float(bids[b, index - start, hand]) for b in range(len(bids_open(player, start, m)))]
                        if turn.actions[-1][0] == game.call:
                            made.append(float(calls[index - start, hand] if made else 1.0))
                        assert made == pytest.approx(right, abs=1e-12)


@settings(max_examples=20)
@given(st.sampled_from(GAMES), st.integers(0, 10**6))
def test_sparse_forms_are_the_same_and_worth_the_same(game, seed):
    all_forms = forms(game, seed)
    tree, sparse = all_forms["tree"], all_forms["sparse"]
    assert sparse.sparse() is sparse
    again = dealt(sparse.on(TREES[game]), game).sparse()
    assert list(again) == list(sparse.canonical())
    assert all_forms["policy"].sparse() is None
    right = verify(tree)
    for name in ("seated", "policy"):
        found = verify(all_forms[name], over="tree")
        assert (found.value, found.best_responses) == (right.value, right.best_responses)
    if game.constant_sum is not None and len(game.players) == 2:
        found = verify(tree, over="sparse")
        assert (found.value, found.best_responses, found.exact) == (right.value, right.best_responses, True)
    if game in BIDDING:
        for strategy in all_forms.values():
            found = verify(strategy, over="dense")
            for number, exact in zip(
                found.best_responses + found.value, right.best_responses + right.value, strict=True
            ):
                assert abs(Fraction(number) - exact) <= found.error_bound


@settings(max_examples=15)
@given(st.sampled_from(GAMES), st.integers(0, 10**6), st.sampled_from([".json", ".csv", ".json.gz"]))
def test_what_is_written_is_read_as_the_same(tmp_path_factory, game, seed, suffix):
    all_forms = forms(game, seed)
    path = tmp_path_factory.mktemp("s") / f"s{suffix}"
    for form in (all_forms["tree"], all_forms["sparse"]):
        write_strategy(path, form, game, "as drawn")
        again = read_strategy(path, game)
        assert again.exact
        assert again.on(TREES[game]).probabilities == form.on(TREES[game]).probabilities
        whole = isinstance(form, eb.TreeProfile)
        assert again.written.sets == (game.size().infosets if whole else form.sizes)
        assert (again.name, again.written.elsewhere) == (str(path), "default")


def test_a_policy_is_exact_where_all_its_answers_are():
    game = BIDDING[0]
    assert Policy(lambda turn, hand: {turn.actions[0][0]: 1}).of(game).exact
    halves = Policy(lambda turn, hand: {action: 1 / len(turn.actions) for action, _ in turn.actions}).of(game)
    assert not halves.exact
    assert not halves.on(TREES[game]).exact


def test_what_a_form_cannot_do_is_none_or_refused():
    mia = eb.TreeProfile.uniform(eb.build(eb.game("mia")))
    assert mia.sparse() is None
    assert mia.dense(0) is None
    with pytest.raises(eb.NotApplicableError, match=r"at\(\) needs a profile with the rules of a dealt game"):
        mia.at(next(BIDDING[0].turns()), 0)
    poker = GAMES[4]
    assert SparseProfile(poker, ({}, {})).dense(0) is None
    with pytest.raises(eb.NotApplicableError, match="arrays are for two-player bidding games"):
        verify(SparseProfile(poker, ({}, {})), over="dense")
    with pytest.raises(eb.ProfileError, match="is for"):
        mia.on(TREES[poker])
    with pytest.raises(eb.ProfileError, match="not for"):
        dealt(eb.TreeProfile.uniform(TREES[poker]), BIDDING[0]).at(next(BIDDING[0].turns()), 0)
