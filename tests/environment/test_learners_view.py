"""Observations and actions as numbers, there and back, and what was learnt as a strategy. Needs no extra."""

import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.games.liars_dice_rules import Observation, State
from efg_builder.players.environment import Process, as_policy, make, make_aec

PARAMETERS = st.fixed_dictionaries(
    {
        "sides": st.integers(2, 6),
        "dice": st.sampled_from([(1, 1), (2, 1), (1, 3), (2, 2), (1, 1, 2)]),
        "order": st.sampled_from(["quantity-face", "face-quantity"]),
        "wild": st.sampled_from([None, 1, "highest"]),
        "wild_biddable": st.booleans(),
    }
)


@settings(max_examples=60)
@given(PARAMETERS, st.randoms(use_true_random=False), st.sampled_from(["Active", "GameOver"]))
def test_nothing_of_an_observation_is_lost(parameters, source, status):
    process = Process(eb.game("liars-dice", **parameters))
    for player, count in enumerate(process.game.dice, start=1):
        hand = tuple(sorted(source.randint(1, process.game.sides) for _ in range(count)))
        bids = tuple(bid for bid in process.bids if source.random() < 0.3)
        seen = Observation(hand, bids, status)
        vector = process.encode(seen)
        assert vector.dtype == np.int8
        assert vector.shape == (len(process.highest),) == (process.game.sides + len(process.bids) + 1,)
        assert (vector >= 0).all()
        assert (vector <= process.highest).all()
        assert process.decode(vector) == seen
        assert player


@settings(max_examples=40)
@given(PARAMETERS, st.randoms(use_true_random=False))
def test_the_mask_is_what_is_legal(parameters, source):
    process = Process(eb.game("liars-dice", **parameters))
    state, (start, _) = None, source.choice(process.starts)
    state = start
    while True:
        mask = process.mask(state)
        moves = {process.action(k) for k in np.flatnonzero(mask)}
        assert moves == set(process.legal_moves(state))
        if not moves:
            assert state.status == "GameOver"
            break
        state = process.step(state, source.choice(sorted(moves, key=process.rank)))


def test_what_is_no_action_is_named():
    process = Process(eb.game("liars-dice"))
    for wrong in (-1, 5, 1.5, None, "call", float("nan"), float("inf")):
        with pytest.raises(eb.ParameterError, match=r"is no action; actions are the whole numbers from 0 to 4"):
            process.action(wrong)
    assert process.action(np.int32(4)) == "call"
    with pytest.raises(eb.ParameterError, match=r"has the shape \(7,\), not \(3,\)"):
        process.decode([1, 0, 0])


@pytest.mark.parametrize(
    "parameters", [{"sides": 3}, {"dice": (1, 2), "order": "face-quantity"}, {"sides": 2, "wild": 1}]
)
def test_a_rule_of_thumb_is_the_same_strategy_by_numbers(parameters):
    game = eb.game("liars-dice", **parameters)

    def lowest(seen, mask):
        return int(np.flatnonzero(mask)[0])

    def alike(seen, mask):
        return np.ones(len(mask))

    for act, word in ((lowest, "lowest-raise"), (alike, "uniform")):
        mine, theirs = (eb.evaluate(game, strategy).matches[0] for strategy in (as_policy(game, act), word))
        assert [float(u) for u in mine.best_response] == pytest.approx(
            [float(u) for u in theirs.best_response], abs=1e-9
        )
        assert [float(u) for u in mine.value] == pytest.approx([float(u) for u in theirs.value], abs=1e-9)


def test_a_policy_sees_what_the_process_shows():
    game = eb.game("liars-dice", sides=3, dice=(2, 1))
    process, asked = Process(game), []

    def act(seen, mask):
        asked.append((seen, mask))
        return random.Random(len(asked)).choice(np.flatnonzero(mask))

    policy = as_policy(game, act)
    for turn in game.turns():
        for hand in range(game.hand_counts[turn.player]):
            ((name, p),) = policy.at(turn, hand).items()
            assert p == 1
            seen, mask = asked[-1]
            shown = process.decode(seen)
            assert shown.hand == game.cups[turn.player][hand][0]
            assert " ".join(f"{bid.amount}x{bid.face}" for bid in shown.bids) == turn.history.replace("start", "")
            assert [game.bid_names[k] if k < len(process.bids) else "call" for k in np.flatnonzero(mask)] == [
                action for action, _ in turn.actions
            ]
            assert name in dict(turn.actions)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (99, "the action 99 is not legal"),
        (4, "the action 4 is not legal; legal are"),  # a call of nothing
        (-1, "the action -1 is not legal"),
        (0.5, "the action 0.5 is not legal"),
        ([1, 2], r"weights of shape \(2,\)"),
        ([0, 0, 0, 0, 1], "not 0 for all legal actions"),
        ([-1, 1, 1, 1, 1], "not negative"),
        ([float("nan"), 1, 1, 1, 1], "finite"),
    ],
)
def test_answers_that_are_none_are_named(answer, problem):
    game = eb.game("liars-dice")
    with pytest.raises(eb.ProfileError, match=problem):
        eb.evaluate(game, as_policy(game, lambda seen, mask: answer))


def test_without_the_extra_it_is_said_in_a_line(monkeypatch):
    for module in [name for name in sys.modules if name.startswith("efg_builder.players.environment.")]:
        if module.endswith((".gym", ".aec")):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(eb.NotApplicableError, match=r"needs gymnasium: pip install 'efg-builder\[env\]'"):
        make()
    with pytest.raises(eb.NotApplicableError, match=r"needs pettingzoo: pip install 'efg-builder\[env\]'"):
        make_aec()
    assert Process(eb.game("liars-dice")).observe(State(((1,), (2,)))).hand == (1,)


def test_the_rules_and_the_definition_load_nothing_heavy():
    heavy = {"efg_builder.games.liars_dice_rules": {"numpy"}, "efg_builder.players.environment": set()}
    for module, more in heavy.items():
        script = f"import sys, {module}; print(*{{name.split('.')[0] for name in sys.modules}})"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert not set(done.stdout.split()) & ({"gymnasium", "pettingzoo"} | more)
