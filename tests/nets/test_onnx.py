"""ONNX files: another runtime comes to the same moves, at every information set."""

import numpy as np
import pytest
from nets.made import JOKER, MAKERS, game, value_net
from paths import DOCS

import efg_builder as eb
from efg_builder.games.bid_index import bids_at, class_size
from efg_builder.players.nets import KINDS, Net, playing, read_net
from efg_builder.players.nets.encoding import hand_inputs, legal_moves, public_inputs
from efg_builder.players.nets.onnx_file import write_onnx
from efg_builder.players.nets.ready import matched, softmax
from efg_builder.strategies.dense_rows import bids_open, blocks

onnxruntime = pytest.importorskip("onnxruntime", reason="compares with onnxruntime, which is not installed")
pytest.importorskip("onnx", reason="writes with the package onnx, which is not installed")


KEPT = DOCS / "neural"


def opened(net, path):
    """The net in the other runtime."""
    write_onnx(path, net)
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def states(player, m):
    """All histories of a class as the value net's public inputs."""
    found = np.zeros((class_size(m), 2 * (m + 1)), dtype=np.float32)
    for index in range(class_size(m)):
        for turn, bid in enumerate(bids_at(player, index)):
            found[index, turn % 2 * (m + 1) + bid] = 1
    return found


def by_values(session, rules, player):
    """The moves that follow from the values that the runtime works out."""
    m, public = len(rules.bid_names), states(player, len(rules.bid_names))
    found = []
    for hand in hand_inputs(rules, player):
        options = np.repeat(public[:, None], m + 2, axis=1)
        options[:, range(1, m + 2), player * (m + 1) + np.arange(m + 1)] = 1
        rows = options.reshape(-1, public.shape[1])
        given = {"hand": np.repeat(hand[None], len(rows), axis=0), "public": rows}
        values = session.run(["value"], given)[0].reshape(len(public), m + 2)
        found.append(matched(values[:, 1:] - values[:, :1], legal_moves(player, m)))
    return np.stack(found, axis=1)


def by_sums(session, rules, player):
    m = len(rules.bid_names)
    inputs = {f"public{seat + 1}": public_inputs(seat, m) for seat in range(2)}
    sums = session.run([f"moves{player + 1}"], inputs)[0]
    return softmax(sums, legal_moves(player, m)[:, None])


@pytest.mark.parametrize("kind", KINDS)
def test_moves_agree_at_every_information_set_of_one_die_each(kind, tmp_path):
    rules = game(**JOKER)
    sizes = {"embedding": 40, "width": 20, "layers": 4} if kind == "value" else {"width": 20, "layers": 3}
    net = MAKERS[kind](rules, seed=1, **sizes)
    session = opened(net, tmp_path / "net.onnx")
    ready, sets = playing(net), 0
    for player in range(2):
        theirs = (by_values if kind == "value" else by_sums)(session, rules, player)
        assert theirs.sum(axis=2) == pytest.approx(1)
        for index in range(class_size(len(rules.bid_names))):
            bids = bids_at(player, index)
            for hand in range(6):
                ours = ready.probabilities(bids, hand)
                assert theirs[index, hand] == pytest.approx(ours, abs=1e-3)
                sets += 1
    assert sets == 6 * 2**10


@pytest.mark.parametrize("name", ["1v1", "1v2", "2v1"])
def test_the_trained_nets_make_the_same_moves_there(name, tmp_path):
    # What evaluate measures, every history and hand at once, against the other runtime.
    net = read_net(KEPT / f"{name}.npz")
    session = opened(net, tmp_path / "net.onnx")
    rules = net.game
    m, arrays, compared, far = len(rules.bid_names), playing(net).dense().arrays, 0, 0
    for player in range(2):
        theirs = by_sums(session, rules, player)
        for start, stop in blocks(class_size(m)):
            for bid in bids_open(player, start, m):
                above = 1 << bid >> 1
                off = np.abs(arrays[player][above + start : above + stop] - theirs[start:stop, :, bid])
                compared, far = compared + off.size, far + int((off > 1e-3).sum())
                # Moves at the edge of what is left out (1 %) may fall on either side of it.
                assert off.max() < 0.02
    assert far <= compared / 10_000
    assert compared > 6_000


def test_the_package_is_named_where_it_is_missing(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    with pytest.raises(eb.NotApplicableError, match=r"pip install 'efg-builder\[onnx\]'"):
        write_onnx(tmp_path / "net.onnx", value_net(game(sides=2)))
    assert list(tmp_path.iterdir()) == []


def test_a_net_that_is_none_is_not_written(tmp_path):
    net = value_net(game(sides=2))
    bad = Net("value", net.game, {n: w for n, w in net.weights.items() if n != "2.bias"})
    with pytest.raises(eb.FileError, match=r"'2.bias' is missing"):
        write_onnx(tmp_path / "net.onnx", bad)
    assert list(tmp_path.iterdir()) == []
