"""The player ``neural:FILE``, and the command that trains it."""

import json
import subprocess
import sys

import pytest
from nets.made import MAKERS, game

import efg_builder as eb
from efg_builder.players.nets import KINDS, read_net, write_net

NEEDS = 'training needs PyTorch: pip install --editable ".[neural]"'


@pytest.fixture
def net(tmp_path):
    def make(kind="value", **settings):
        path = tmp_path / f"{kind}.npz"
        write_net(path, MAKERS[kind](game(**settings)))
        return path

    return make


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_measured_like_any_player(kind, net):
    path = net(kind, sides=3)
    arrays = eb.evaluate(game(sides=3), f"neural:{path}", method="dense")
    asked = eb.evaluate(game(sides=3), f"neural:{path}", method="tree")
    (one,), (two,) = arrays.matches, asked.matches
    assert float(one.nash_conv) == pytest.approx(float(two.nash_conv), abs=1e-3)
    assert float(one.nash_conv) > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_it_plays_without_pytorch(kind, net):
    script = (
        "import sys; sys.modules['torch'] = None; import efg_builder as eb; "
        f"print(eb.evaluate(eb.game('liars-dice', sides=2), 'neural:{net(kind, sides=2)}').matches[0].nash_conv)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) >= 0


# --- the command


TINY = ["--option", "embedding=6", "--option", "width=5", "--option", "layers=1", "--option", "games=4"]


def test_from_training_to_measuring(cli, tmp_path):
    pytest.importorskip("torch", reason=NEEDS)
    out = tmp_path / "net.npz"
    words = ["train", "liars-dice", "sides=2", "--steps", "3", *TINY, "--seed", "5"]
    code, said, err = cli(*words, "-o", out, "--json")
    assert code == 0, err
    data = json.loads(said)
    assert data["kind"] == "value"
    assert data["trained"] == {
        "steps": 3,
        "seed": 5,
        "options": {
            **{"embedding": 6, "width": 5, "layers": 1, "games": 4},
            **{"noise": 0.01, "rate": 0.001, "fall": 500, "power": 1.0, "decay": 0.0},
        },
    }
    assert data["complete"]
    assert data["files"] == [str(out)]
    assert data["parameters"] == read_net(out).parameters
    first = out.read_bytes()
    code, said, _ = cli(*words, "-o", out, "--half")
    assert (code, "value" in said) == (0, True)
    assert len(out.read_bytes()) < len(first)
    assert cli("evaluate", "liars-dice", "sides=2", "--strategy", f"neural:{out}")[0] == 0


def test_pytorch_is_named_where_it_is_missing(cli, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "efg_builder.players.nets.training.learners", raising=False)
    monkeypatch.setitem(sys.modules, "torch", None)
    code, out, err = cli("train", "liars-dice", "-o", tmp_path / "net.npz")
    assert (code, out) == (2, "")
    assert err == "error: training needs PyTorch: pip install 'efg-builder[neural]'\n"
    assert list(tmp_path.iterdir()) == []
