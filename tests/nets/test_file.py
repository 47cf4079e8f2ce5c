"""Nets in files: the same net comes back, and whatever is wrong is said in one line."""

import numpy as np
import pytest
from nets.made import MAKERS, game, policy_net, value_net

import efg_builder as eb
from efg_builder.players.nets import KINDS, Net, playing, read_net, write_net
from efg_builder.players.nets.file import archive


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_comes_back(kind, tmp_path):
    rules = game(sides=3, wild=1, wild_biddable=False)
    net = MAKERS[kind](rules)
    write_net(tmp_path / "net.npz", net)
    found = read_net(tmp_path / "net.npz")
    assert (found.kind, found.game) == (kind, rules)
    assert {n: w.tolist() for n, w in found.weights.items()} == {n: w.tolist() for n, w in net.weights.items()}
    write_net(tmp_path / "again.npz", found)
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "net.npz").read_bytes()


def test_half_is_half_the_size_and_nearly_the_same(tmp_path):
    net = policy_net(game(sides=3), width=40)
    write_net(tmp_path / "net.npz", net)
    write_net(tmp_path / "half.npz", net, half=True)
    whole, half = ((tmp_path / name).stat().st_size for name in ("net.npz", "half.npz"))
    assert half < 0.6 * whole
    ways = [playing(read_net(tmp_path / name)).dense().arrays for name in ("net.npz", "half.npz")]
    for one, two in zip(*ways, strict=True):
        assert one == pytest.approx(two, abs=0.02)


def broken(net, **changes):
    weights = {**net.weights, **changes}
    return Net(net.kind, net.game, {name: w for name, w in weights.items() if w is not None})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"out.bias": None}, "'out.bias' is missing"),
        ({"hand.weight": np.zeros((7, 3), np.float32)}, "'hand.weight' is not an array of 7 x 4 finite floats"),
        ({"2.bias": np.full(5, np.nan, np.float32)}, "'2.bias' is not an array of 5 finite floats"),
        ({"1.weight": np.zeros((5, 7), np.int32)}, "'1.weight' is not an array of any x 7 finite floats"),
        ({"1.weight": None}, "it has no layers"),
    ],
)
def test_weights_that_are_no_net_are_named(changes, says):
    with pytest.raises(eb.FileError, match=says):
        playing(broken(value_net(game(sides=2)), **changes))
    with pytest.raises(eb.FileError, match=r"'player2.out.weight' is not an array of 10 x 6 finite floats"):
        playing(broken(policy_net(game(sides=2)), **{"player2.out.weight": np.zeros((9, 6))}))


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ({"format": "efg-builder strategy 1"}, "its format is 'efg-builder strategy 1'"),
        ([], "not a net, or damaged"),
        ({"format": "efg-builder net 1"}, "its kind is None; the known kinds are value, deep-cfr"),
        ({"format": "efg-builder net 1", "kind": "value"}, "is invalid"),
        (
            {"format": "efg-builder net 1", "kind": "value", "game": {"name": "mia", "settings": {}}},
            "not two-player Liar's Dice",
        ),
        ({"format": "efg-builder net 1", "kind": "value", "game": {"name": "go", "settings": {}}}, "no game 'go'"),
    ],
)
def test_a_file_that_says_something_else_is_refused(about, says, tmp_path):
    (tmp_path / "x.npz").write_bytes(archive(about, {}))
    with pytest.raises(eb.FileError, match=says) as raised:
        read_net(tmp_path / "x.npz")
    assert "\n" not in str(raised.value)


def test_damage_is_an_error_of_ours(tmp_path):
    write_net(tmp_path / "net.npz", value_net(game(sides=2)))
    content, random = (tmp_path / "net.npz").read_bytes(), np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        changed = bytearray(content)
        for place in random.integers(0, len(changed), 3):
            changed[place] = random.integers(0, 256)
        (tmp_path / "x.npz").write_bytes(bytes(changed[: random.integers(1, len(changed) + 1)]))
        try:
            playing(read_net(tmp_path / "x.npz")).dense()
        except eb.EfgBuilderError:
            refused += 1
    assert refused > 200
    with pytest.raises(eb.FileError, match="No such file"):
        read_net(tmp_path / "none.npz")


def test_weights_beyond_floats_still_play():
    net = value_net(game(sides=2))
    large = Net("value", net.game, {n: w * np.float32(1e30) for n, w in net.weights.items()})
    rows = playing(large).dense().arrays[1]
    assert np.isfinite(rows).all()
