"""docs/neural.md: its tables and plot follow from the record, and the nets that are kept play as it says."""

from fractions import Fraction

import pytest
from nets.made import JOKER, game
from paths import DOCS

import efg_builder as eb
import frame
from efg_builder.players.nets import KINDS, read_net

DATA = frame.load("neural")
DICE = {"1v1": (1, 1), "1v2": (1, 2), "2v1": (2, 1)}
VALUES = {"1v1": "-7/327", "1v2": "-5/54", "2v1": "7/27"}  # oracle.json: 1v1-6-joker, and so on


def test_values_are_the_proved_ones():
    known = frame.load("oracle")["games"]
    for name, value in VALUES.items():
        record = known[f"{name}-6-joker"]
        assert record["lower"] == record["upper"] == value


def test_all_nets_that_are_kept_are_told_of():
    assert {path.stem for path in (DOCS / "neural").glob("*.npz")} == set(DATA["kept"]) == {*DICE, "1v1-value"}
    assert {name: kept["kind"] for name, kept in DATA["kept"].items()} == {
        **dict.fromkeys(DICE, "deep-cfr"),
        "1v1-value": "value",
    }


@pytest.mark.parametrize("name", [*DICE, "1v1-value"])
def test_the_nets_that_are_kept_play_as_is_said(name):
    kept, path = DATA["kept"][name], DOCS / "neural" / f"{name}.npz"
    name = name.partition("-")[0]
    rules = game(**JOKER, dice=DICE[name])
    net = read_net(path)
    assert (net.kind, net.game, net.trained) == (kept["kind"], rules, kept["trained"])
    assert path.stat().st_size == kept["bytes"] < 600_000
    match = eb.evaluate(rules, f"neural:{path}", method="dense").matches[0]
    assert [float(got) for got in match.best_response] == pytest.approx(kept["best_response"], abs=1e-4)
    # Nobody is exploited for less than an equilibrium is.
    value = float(Fraction(VALUES[name]))
    assert match.best_response[0] >= value - 1e-6
    assert match.best_response[1] >= -value - 1e-6


def test_all_runs_are_there_and_no_best_response_wins_too_little():
    for kind in KINDS:
        for name in DICE:
            ends = []
            for seed in range(3):
                run = DATA["runs"][f"{kind} {name} seed {seed}"]
                assert (run["kind"], run["game"], run["seed"]) == (kind, name, seed)
                assert run["points"][-1]["steps"] == run["steps"]
                value = float(Fraction(VALUES[name]))
                for point in run["points"]:
                    assert point["best_response"][0] >= value - 1e-6
                    assert point["best_response"][1] >= -value - 1e-6
                ends.append(sum(run["points"][-1]["best_response"]))
            if kind == "deep-cfr":
                assert max(ends) < 0.5 * min(
                    sum(DATA["runs"][f"value {name} seed {s}"]["points"][-1]["best_response"]) for s in range(3)
                )


def given_away(points, name):
    """By the net or table as player 1, and as player 2: what a best response wins beyond the least possible."""
    first, second = points[-1]["best_response"]
    value = float(Fraction(VALUES[name]))
    return second + value, first - value


def test_what_the_page_says_of_the_seats():
    page = (DOCS / "neural.md").read_text()
    given = {name: given_away(DATA["causes"][f"table {name} noise 0.01"]["points"], name) for name in DICE}
    assert 0.6 < given["1v1"][0] / given["1v1"][1] < 1
    assert 2.5 < given["2v1"][0] / given["2v1"][1] < given["1v2"][0] / given["1v2"][1] < 3.5
    for points, name, said in (
        (DATA["causes"]["table 2v1 noise 0.1"]["points"], "2v1", (0.259, 0.320)),
        (DATA["causes"]["table 1v2 noise 0.01"]["points"][:1], "1v2", (0.191, 0.142)),  # after 50 rounds
        (DATA["causes"]["table 2v1 noise 0.01"]["points"][:1], "2v1", (0.192, 0.197)),
        (DATA["runs"]["value 1v2 as its program"]["points"], "1v2", (0.370, 0.272)),
    ):
        assert given_away(points, name) == pytest.approx(said, abs=0.0005)
        assert all(f"{share:.3f}" in page for share in said)
    for name, one, other in (("1v2", (0.36, 0.40), (0.20, 0.33)), ("2v1", (0.33, 0.38), (0.29, 0.36))):
        runs = [DATA["runs"][f"value {name} seed {seed}"]["points"] for seed in range(3)]
        for first, second in (given_away(points, name) for points in runs):
            assert one[0] < first < one[1]
            assert other[0] < second < other[1]
