"""The sequence form as files: HiGHS reads the linear programs to the proved values; the archive is exact."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import highspy
import numpy as np
import pytest
from paths import ROOT
from small_files import B_FORGETS, BATTLE

import efg_builder as eb
from efg_builder.forms.sequence_form import sequence_form

RECORDS = json.loads((ROOT / "benchmarks" / "data" / "oracle.json").read_text())["games"]
ROUNDS = ("1v1-2", "1v1-3", "1v1-4", "1v1-3-joker", "1v1-4-joker", "2v1-2", "1v2-2", "1v2-3", "2v2-2")
"""Rounds of Liar's Dice whose values certificates prove (docs/certificates)."""

OTHERS = [("dice-poker", {}, "5/54"), ("mia", {"sides": 2}, "1/2")]
"""Values as the README has them."""


def settings(name: str) -> dict[str, object]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in RECORDS[name]["settings"].items()}


PROVED = [
    *(pytest.param("liars-dice", settings(name), RECORDS[name]["lower"], id=name) for name in ROUNDS),
    *(pytest.param(*other, id=other[0]) for other in OTHERS),
]


def solved(path: Path) -> highspy.Highs:
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs


@pytest.mark.parametrize(("name", "chosen", "value"), PROVED)
def test_highs_reads_the_linear_program_to_the_proved_value(name, chosen, value, tmp_path) -> None:
    tree = eb.build(eb.game(name, **chosen))
    form = sequence_form(tree)
    for kind in ("lp", "mps"):
        highs = solved(eb.write_sequence_form(tree, tmp_path / f"game.{kind}"))
        assert highs.getObjectiveValue() == pytest.approx(float(Fraction(value)), abs=1e-7)
        columns = dict(zip(highs.getLp().col_names_, highs.getSolution().col_value, strict=True))
        rows = dict(zip(highs.getLp().row_names_, highs.getSolution().row_dual, strict=True))
        # Both players' plans are there, as the comments say: those of x, and the multipliers of y.
        for player, plan in enumerate((columns, rows)):
            side = form.players[player]
            weights = [abs(plan[f"{'xy'[player]}{sequence}"]) for sequence in range(side.count)]
            assert weights[0] == pytest.approx(1)
            for parent, first, width in zip(side.parent, side.first, side.widths, strict=True):
                assert sum(weights[first : first + width]) == pytest.approx(weights[parent], abs=1e-6)


def dense(data, name: str, shape: tuple[int, int], values) -> np.ndarray:
    found = np.full(shape, Fraction(0), dtype=object)
    for row, column, value in zip(data[f"{name}_row"], data[f"{name}_column"], values, strict=True):
        found[row, column] = value
    return found


def parts(path: Path):
    """All matrices of an archive as fractions, and the archive."""
    data = np.load(path)  # no pickles
    sizes = [len(data[f"sequence_set_{p}"]) for p in (1, 2)]
    plans = [
        dense(data, name, (len(data[name.lower()]), sizes[p]), map(Fraction, map(int, data[f"{name}_value"])))
        for p, name in enumerate("EF")
    ]
    payoffs = []
    for name in "AB":
        pairs = zip(data[f"{name}_numerator"], data[f"{name}_denominator"], strict=True)
        values = [Fraction(int(above), int(below)) for above, below in pairs]
        assert data[f"{name}_value"].tolist() == [float(value) for value in values]
        payoffs.append(dense(data, name, (sizes[0], sizes[1]), values))
    return plans, payoffs, data


def plan_of(strategy: eb.TreeProfile, player: int) -> list[Fraction]:
    """The realization plan of a strategy, from its probabilities alone."""
    tree, side = strategy.tree, sequence_form(strategy.tree).players[player]
    plan = [Fraction(1)] + [Fraction(0)] * (side.count - 1)
    waiting = list(zip(side.infosets.tolist(), side.parent.tolist(), side.first.tolist(), strict=True))
    known = {0}
    while waiting:
        for entry in [entry for entry in waiting if entry[1] in known]:
            infoset, parent, first = entry
            for k, p in enumerate(strategy.probabilities[infoset]):
                plan[first + k] = plan[parent] * p
            known |= set(range(first, first + len(tree.infosets[infoset].actions)))
            waiting.remove(entry)
    return plan


@pytest.mark.parametrize("given", [eb.game("dice-poker", sides=3, bet="2/3"), eb.game("mia", sides=2), BATTLE])
def test_the_archive_says_exactly_what_strategies_pay(given, tmp_path) -> None:
    tree = eb.build(given)
    (e, f), (a, b), data = parts(eb.write_sequence_form(given, tmp_path / "game.npz"))
    for strategy in (eb.solve(tree).strategy, eb.read_strategy({}, tree, "uniform")):
        x, y = (np.array(plan_of(strategy, player), dtype=object) for player in range(2))
        assert (e @ x).tolist() == data["e"].tolist() == [1] + [0] * (len(e) - 1)
        assert (f @ y).tolist() == data["f"].tolist()
        assert (x @ a @ y, x @ b @ y) == eb.verify(strategy).value


def test_the_archive_names_everything(tmp_path) -> None:
    _, _, data = parts(eb.write_sequence_form(BATTLE, tmp_path / "game.npz"))
    assert data["players"].tolist() == ["Row", "Col"]
    assert data["sequence_set_1"].tolist() == ["", "r", "r"]
    assert data["sequence_action_2"].tolist() == ["", "Opera", "Fight"]
    assert data["constraint_2"].tolist() == ["", "c"]
    assert "E x = e" in str(data["about"])
    assert str(data["title"]) == "Battle of the Sexes"


def test_numbers_beyond_64_bits_are_text(tmp_path) -> None:
    large = 10**30 + 1
    moves = 'p "" 1 1 "a" { "l" "r" } 0\n'
    text = f'EFG 2 R "large" {{ "A" "B" }}\n{moves}t "" 1 "" {{ {large}/3, 1 }}\nt "" 2 "" {{ 0 1 }}'
    _, (a, _), data = parts(eb.write_sequence_form(text, tmp_path / "game.npz"))
    assert a[1, 0] == Fraction(large, 3)
    assert data["A_numerator"].dtype.kind == "U"


def test_comments_name_rows_and_columns_and_say_what_is_rounded(tmp_path) -> None:
    for kind, mark in (("lp", "\\"), ("mps", "*")):
        lines = eb.write_sequence_form(eb.game("dice-poker"), tmp_path / f"g.{kind}").read_text().splitlines()
        comments = [line.removeprefix(f"{mark} ") for line in lines if line.startswith(mark)]
        assert "x3: A at '2: start' plays 'show'" in comments
        assert "y2: B at '1: raise' plays 'call'" in comments
        assert "v2: B at '2: raise'" in comments
        # Payoffs times 1/36: of these only multiples of 9/36 are decimals.
        found = next(line for line in comments if "rounded to 17 digits" in line)
        assert int(found.partition(" payoffs, ")[2].split()[0]) > 0
        assert found.endswith("; the .npz file of this game has exact payoffs.")
        assert max(map(len, lines)) <= 255
    plain = eb.write_sequence_form(eb.game("dice-poker", sides=2), tmp_path / "h.lp").read_text()
    assert "8 payoffs, 0 of them rounded to 17 digits." in plain


def test_labels_that_are_long_or_odd_stay_comments(tmp_path) -> None:
    label = "a\nEnd\n" + "very long " * 100
    text = (
        f'EFG 2 R "{label}" {{ "A" "B" }}\np "" 1 1 "{label}" {{ "{label}" "\\\\*" }} 0\nt "" 1 "" {{ 1 -1 }}\nt "" 0'
    )
    for kind in ("lp", "mps"):
        path = eb.write_sequence_form(text, tmp_path / f"game.{kind}")
        assert solved(path).getObjectiveValue() == pytest.approx(1)
        assert max(map(len, path.read_text().splitlines())) <= 255


THREE = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)
PENNIES = eb.build('NFG 1 R "pennies" { "A" "B" } { 2 2 } 1 -1 -1 1 -1 1 1 -1')
LARGE = replace(
    PENNIES,
    outcomes=tuple(one._replace(payoffs=tuple(payoff * 10**400 for payoff in one.payoffs)) for one in PENNIES.outcomes),
)


@pytest.mark.parametrize(
    ("given", "name", "error", "problem"),
    [
        (BATTLE, "g.lp", eb.NotApplicableError, "a constant sum, but their sum varies; an .npz file has both"),
        (BATTLE, "g.mps", eb.NotApplicableError, "with a constant sum"),
        (B_FORGETS, "g.npz", eb.NotApplicableError, "needs perfect recall"),
        (THREE, "g.npz", eb.NotApplicableError, "for two players; this game has 3"),
        (BATTLE, "g.txt", eb.ParameterError, "must end in .mps, .lp or .npz"),
        (5, "g.lp", eb.ParameterError, r"write_sequence_form\(\) takes a game or a tree, not int"),
        (LARGE, "g.lp", eb.NotApplicableError, "a payoff is too large for the decimals"),
    ],
)
def test_what_has_no_such_file_is_refused_in_one_line(given, name, error, problem, tmp_path) -> None:
    with pytest.raises(error, match=problem) as caught:
        eb.write_sequence_form(given, tmp_path / name)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
