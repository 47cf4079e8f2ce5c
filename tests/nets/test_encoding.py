"""What nets see, held against the histories themselves."""

import numpy as np
import pytest
from nets.made import SMALL, game

from efg_builder.games.bid_index import bids_at, class_size
from efg_builder.players.nets.encoding import bids_made, hand_inputs, legal_moves, public_inputs


@pytest.mark.parametrize("m", [1, 2, 3, 6])
@pytest.mark.parametrize("player", [0, 1])
def test_each_history_is_seen_as_it_is(player, m):
    made, inputs, legal = bids_made(player, m), public_inputs(player, m), legal_moves(player, m)
    assert inputs.shape == (class_size(m), 3 * m + 1)
    for index in range(class_size(m)):
        bids = bids_at(player, index)
        whose = [set(bids[0::2]), set(bids[1::2])]  # player 1 bids first
        for seat in range(2):
            assert set(np.flatnonzero(made[seat][index])) == whose[seat]
        assert set(np.flatnonzero(inputs[index, :m])) == whose[player]
        assert set(np.flatnonzero(inputs[index, m : 2 * m])) == whose[1 - player]
        last = bids[-1] if bids else -1
        assert list(np.flatnonzero(inputs[index, 2 * m :])) == [last + 1]
        assert list(np.flatnonzero(legal[index])) == [*range(last + 1, m), *([m] if bids else [])]


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
