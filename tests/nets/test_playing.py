"""How nets play: held against the nets computed anew, layer by layer, at every information set."""

import itertools

import numpy as np
import pytest
from nets.made import MAKERS, SMALL, game

from efg_builder.forms.bidding_form import bids_at, class_size, locate
from efg_builder.players.nets import KINDS, playing
from efg_builder.players.nets.encoding import hand_inputs, legal_moves
from efg_builder.players.nets.ready import CUT
from efg_builder.strategies.dense_rows import bids_open


def value(net, player, hand, moves):
    """The post's net as it is drawn there: embed, multiply, four layers (here: as many as there are), tanh."""
    m, w = len(net.game.bid_names), net.weights
    public = np.zeros(2 * (m + 1))
    for turn, move in enumerate(moves):
        public[turn % 2 * (m + 1) + move] = 1
    mine = hand_inputs(net.game, player)[hand]
    x = (w["hand.weight"] @ mine + w["hand.bias"]) * (w["public.weight"] @ public + w["public.bias"])
    for number in itertools.count(1):
        if f"{number}.weight" not in w:
            return float(np.tanh(w["out.weight"] @ x + w["out.bias"])[0])
        x = np.maximum(w[f"{number}.weight"] @ x + w[f"{number}.bias"], 0)


def by_regrets(net, bids, hand):
    m, player = len(net.game.bid_names), len(bids) % 2
    legal = [*range(bids[-1] + 1 if bids else 0, m), *([m] if bids else [])]
    now = value(net, player, hand, bids)
    regrets = {move: max(value(net, player, hand, (*bids, move)) - now, 0) for move in legal}
    total, row = sum(regrets.values()), np.zeros(m + 1)
    for move in legal:
        row[move] = regrets[move] / total if total else 1 / len(legal)
    return row


def by_softmax(net, bids, hand):
    m, player = len(net.game.bid_names), len(bids) % 2
    x = np.zeros(3 * m + 1)
    for turn, bid in enumerate(bids):
        x[bid if turn % 2 == player else m + bid] = 1
    x[2 * m + 1 + (bids[-1] if bids else -1)] = 1
    for number in itertools.count(1):
        name = f"player{player + 1}.{number}"
        if f"{name}.weight" not in net.weights:
            break
        after = np.maximum(net.weights[f"{name}.weight"] @ x + net.weights[f"{name}.bias"], 0)
        x = after + x if number > 1 else after
    name = f"player{player + 1}.out"
    sums = (net.weights[f"{name}.weight"] @ x + net.weights[f"{name}.bias"]).reshape(-1, m + 1)[hand]
    sums[: bids[-1] + 1 if bids else 0] = -np.inf
    if not bids:
        sums[m] = -np.inf
    row = np.exp(sums - sums.max())
    row /= row.sum()
    row[row < CUT] = 0
    return row / row.sum()


PLAIN = {"value": by_regrets, "deep-cfr": by_softmax}


@pytest.mark.parametrize("settings", SMALL, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_that_of_the_net_computed_plainly(kind, settings):
    rules = game(**settings)
    net = MAKERS[kind](rules, seed=3)
    ready, m = playing(net), len(rules.bid_names)
    wide, fronts = ready.dense(), 0
    for player in range(2):
        legal = legal_moves(player, m)
        for index in range(class_size(m)):
            bids = bids_at(player, index)
            for hand in range(rules.hand_counts[player]):
                expected = PLAIN[kind](net, bids, hand)
                row = ready.probabilities(bids, hand)
                assert row == pytest.approx(expected, abs=1e-3)
                assert not row[~legal[index]].any()
                for bid in bids_open(player, index, m):
                    assert wide.arrays[player][index | 1 << bid >> 1, hand] == pytest.approx(expected[bid], abs=1e-3)
                fronts += np.count_nonzero(expected) > 1
    assert fronts >= 8  # the nets mix


@pytest.mark.parametrize("kind", KINDS)
def test_moves_have_their_names(kind):
    rules = game(sides=2)
    ready = playing(MAKERS[kind](rules))
    turn = rules.public_turn(rules.public_root())
    for history in ((), (0,), (1, 2), (0, 1, 3)):
        state = rules.public_root()
        for bid in history:
            state = dict(rules.public_turn(state).actions)[rules.bid_names[bid]]
        turn = rules.public_turn(state)
        row = ready.at(turn, 1)
        assert set(row) <= {label for label, _ in turn.actions}
        assert sum(row.values()) == pytest.approx(1)
        expected = ready.probabilities(history, 1)
        assert row.get("call", 0) == expected[-1]
        assert locate(history)[0] == turn.player


@pytest.mark.parametrize("settings", SMALL, ids=str)
def test_hands_are_counts_of_faces_and_each_differs(settings):
    rules = game(**settings)
    seen = [hand_inputs(rules, player) for player in range(2)]
    assert seen[0].shape[1] == seen[1].shape[1] == sum(rules.dice) * rules.sides
    rows = np.concatenate(seen)
    assert len(np.unique(rows, axis=0)) == len(rows)
    for player, mine in enumerate(seen):
        blocks = np.split(mine, [rules.dice[0] * rules.sides], axis=1)
        assert not blocks[1 - player].any()
        counts = blocks[player].reshape(len(mine), rules.sides, rules.dice[player])
        for index, (hand, _) in enumerate(rules.cups[player]):
            for face in range(1, rules.sides + 1):
                expected = [hand.count(face) == k for k in range(1, rules.dice[player] + 1)]
                assert list(counts[index, face - 1]) == expected
