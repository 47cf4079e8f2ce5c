"""A study of one parameter with fractions: steps, the order of rows, sizes, all payoffs of a row, and the plot."""

import csv
import json
from fractions import Fraction as F

import pytest
from sweeps_here import sweeps_here

import efg_builder as eb
from efg_builder.cli import run
from efg_builder.display.plots import sweep_plot
from efg_builder.experiments.sweeps.table import profiles, read
from efg_builder.experiments.sweeps.variants import grid

# A player claims that a coin is good, which it is with probability p; the other folds or doubts. With a stake of 2 and
# p < 3/4, the bad coin is claimed with probability p/(3 - 3p), and the claim folded to with probability 1/3.
RULES = """
from dataclasses import dataclass
from fractions import Fraction
import efg_builder as eb

@dataclass(frozen=True)
class Claim(eb.Game):
    p: Fraction = Fraction(1, 2)
    players = "A", "B"

    def turn(self, s):
        if not s:
            return eb.Chance("coin", [("good", self.p, "g"), ("bad", 1 - self.p, "b")])
        if s in "gb":
            return eb.Decision(0, s, [("claim", s + "c"), ("quit", s + "q")])
        if s.endswith("q"):
            return eb.End((-1, 1))
        if s.endswith("c"):
            return eb.Decision(1, "claim", [("fold", s + "f"), ("doubt", s + "d")])
        if s.endswith("f"):
            return eb.End((1, -1))
        return eb.End((2, -2) if s[0] == "g" else (-2, 2))

@dataclass(frozen=True)
class Sexes(eb.Game):
    a: Fraction = Fraction(2)
    players = "Row", "Column"

    def turn(self, s):
        if len(s) < 2:
            return eb.Decision(len(s), "pick", [(move, s + move) for move in "xy"])
        return eb.End({"xx": (self.a, 1), "yy": (1, self.a)}.get(s, (0, 0)))
"""


@pytest.fixture
def swept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(RULES)

    def sweep(*words):
        with sweeps_here():
            assert run(["sweep", *words, "-o", "s.db", "--workers", "1"]) == 0
        capsys.readouterr()
        return read("s.db")

    return sweep


def test_steps_order_sizes_and_values(swept, tmp_path, capsys):
    rows = swept("own.py:Claim", "p=1/8..7/8:1/8")
    assert [row.settings["p"] for row in rows] == ["1/8", "1/4", "3/8", "1/2", "5/8", "3/4", "7/8"]
    right = [(8 * F(k, 8) - 3) / 3 if k < 6 else F(1) for k in range(1, 8)]  # by hand: p/(3 - 3p) is claimed
    assert [F(row.figures["value"]) for row in rows] == right
    assert {(row.figures["nodes"], row.figures["infosets"]) for row in rows} == {("11", "3")}
    assert run(["table", "s.db", "-o", "s.csv"]) == 0
    with open("s.csv", newline="") as file:
        assert [row["p"] for row in csv.DictReader(file)] == [row.settings["p"] for row in rows]
    assert run(["table", "s.db"]) == 0
    assert capsys.readouterr().out.splitlines()[3].split()[:2] == ["1/4", "-1/3"]
    assert run(["verify", "s.db"]) == 0


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("0..2:1/4", [F(k, 4) for k in range(9)]),
        ("-1..1:1/2", [F(k, 2) for k in range(-2, 3)]),
        ("0..1:0.3", [F(0), F(3, 10), F(6, 10), F(9, 10)]),
        ("1/3..1:1/3;5", [F(1, 3), F(2, 3), F(1), F(5)]),
    ],
)
def test_steps(swept, said, values):
    found = grid("own.py:Sexes", {"a": said}).variants
    assert [F(one.settings["a"]) for one in found] == values


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("0..2/4", "needs a step after a colon, as in 0..2:1/4"),
        ("0..2:0", "the step 0 must be above 0"),
        ("0..2:-1/4", "the step -1/4 must be above 0"),
        ("2..0:1/4", "is in reverse order; write 0..2"),
        ("0..1:1/0", "a denominator of zero"),
        ("0..100000:1/9", "more than 100,000 values"),
    ],
)
def test_wrong_steps_are_one_line(swept, said, problem):
    with pytest.raises(eb.ParameterError, match=problem):
        grid("own.py:Sexes", {"a": said})


def test_several_equilibria_of_a_row_are_all_there(swept, capsys):
    """The mixed equilibrium of the battle of the sexes pays a/(1 + a) to both (row and column alike)."""
    rows = swept("own.py:Sexes", "a=2;3", "--method", "extreme")
    for row, a in zip(rows, (2, 3), strict=True):
        found = {tuple(map(F, each.split(", "))) for each in row.figures["payoffs_of_equilibria"].split("; ")}
        assert found == {(a, 1), (1, a), (F(a, 1 + a), F(a, 1 + a))}
    assert run(["table", "s.db"]) == 0
    assert capsys.readouterr().out.count("1 of 3 equilibria") == 2
    assert run(["table", "s.db", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["payoffs_of_equilibria"].count(";") == 2


def test_the_plot_has_the_value_and_the_moves(swept, tmp_path):
    rows = swept("own.py:Claim", "p=1/8..7/8:1/8")
    figure = sweep_plot._figure("p", rows, {row.figures["key"]: F(row.settings["p"]) for row in rows},
                                profiles(["s.db"], rows), "Claim")  # fmt: skip
    value, first, second = figure.axes
    assert value.lines[0].get_ydata().tolist() == pytest.approx([float(F(row.figures["value"])) for row in rows])
    assert [axis.get_title("left") for axis in (first, second)] == [
        "Player 1: probability of claim",
        "Player 2: probability of fold",
    ]
    bluffs = [float(F(k, 8) / (3 - 3 * F(k, 8))) for k in range(1, 6)]
    assert first.lines[0].get_ydata()[:5] == pytest.approx(bluffs)
    assert second.lines[0].get_ydata()[:5] == pytest.approx([1 / 3] * 5)
    assert run(["table", "s.db", "-o", "s.svg"]) == 0
    assert "<svg" in (tmp_path / "s.svg").read_text()


def test_a_plot_of_words_or_of_two_settings_is_one_line(swept, tmp_path, capsys):
    with sweeps_here():
        assert run(["sweep", "liars-dice", "sides=2..3", "dice=1,1;2,1", "-o", "two.db", "--workers", "1"]) == 0
        assert run(["sweep", "liars-dice", "sides=2", "order=*", "-o", "words.db", "--workers", "1"]) == 0
    capsys.readouterr()
    for name, problem in (("two.db", "one setting varies, not sides and dice"), ("words.db", "order has other values")):
        assert run(["table", name, "-o", "x.svg"]) == 2
        assert problem in capsys.readouterr().err
        assert not (tmp_path / "x.svg").exists()
