"""Games from tables: arrays of payoffs, and .csv files from spreadsheets and from ``matrix``."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.interop.payoff_tables import parse_csv

# The values are by hand, or those of the named textbook games.
PENNIES = [[1, -1], [-1, 1]]
PRISONERS = ([[3, 0], [5, 1]], [[3, 5], [0, 1]])


def sides(tree: eb.GameTree) -> list[list[list[Fraction]]]:
    """Return both players' payoffs [row, column], read from the tree's reduced normal form."""
    form = eb.matrix(tree)
    rows, columns = form.shape
    return [[[form.payoff(i, j)[p] for j in range(columns)] for i in range(rows)] for p in range(2)]


def test_one_array_is_zero_sum() -> None:
    tree = eb.normal_form(np.array(PENNIES))
    assert sides(tree) == [PENNIES, [[-1, 1], [1, -1]]]
    solution = tree.solve()
    assert (solution.value, solution.exact) == ((0, 0), True)
    assert dict(solution.strategy["Player 1"]) == {"1": Fraction(1, 2), "2": Fraction(1, 2)}


def test_two_arrays_and_names() -> None:
    tree = eb.normal_form(*PRISONERS, players=["Ann", "Bob"], actions=(("c", "d"), ("C", "D")), title="Dilemma")
    assert sides(tree) == list(PRISONERS)
    assert (tree.title, tree.players, tree.names) == ("Dilemma", ("Ann", "Bob"), ("Ann", "Bob"))
    assert [infoset.actions for infoset in tree.infosets] == [("c", "d"), ("C", "D")]
    assert eb.matrix(tree).analyse().equilibria == ((1, 1),)
    assert len(tree) == 1 + 2 + 4
    assert tree == eb.build('NFG 1 R "Dilemma" { "Ann" "Bob" } { { "c" "d" } { "C" "D" } } "" 3 3 5 0 0 5 1 1')


def test_numbers_are_exact() -> None:
    tree = eb.normal_form([["1/3", Fraction(2, 7)], [0.1, np.float64(2.5)], [np.int64(3), "-1e-3"]])
    read = [[Fraction(1, 3), Fraction(2, 7)], [Fraction(1, 10), Fraction(5, 2)], [3, Fraction(-1, 1000)]]
    assert sides(tree)[0] == read


@pytest.mark.parametrize(
    ("arguments", "named", "problem"),
    [
        (([[1, 2], [3]],), {}, "rows of equal length"),
        ((5,), {}, "as A=, not int 5"),
        (([[1, "x"]],), {}, "row 1, column 2 of A=: not a number: str 'x'"),
        (([[1], [float("nan")]],), {}, "row 2, column 1 of A=: not a number: float nan"),
        ((PENNIES, [[1, 2], [3, "1/0"]]), {}, "row 2, column 2 of B=: a denominator is zero"),
        ((PENNIES, [[1]]), {}, r"B= in the shape of A=, \(2, 2\), not \(1, 1\)"),
        ((PENNIES,), {"players": "AB"}, "2 names in a list of players="),
        ((PENNIES,), {"actions": (["l"], ["r", "s"])}, "2 names in a list of actions="),
        ((PENNIES,), {"actions": 5}, "two lists of names as actions=, not int 5"),
    ],
)
def test_wrong_arguments_are_named(arguments: tuple, named: dict, problem: str) -> None:
    with pytest.raises(eb.ParameterError, match=problem) as told:
        eb.normal_form(*arguments, **named)
    assert "\n" not in str(told.value)


TABLES = {
    "zero-sum": "1,-1\n-1,1\n",
    "names": ",l,r\nu,1,-1\nd,-1,1\n",
    "header": "l,r\n1,-1\n-1,1\n",
    "first column": "u,1,-1\nd,-1,1\n",
    "corner": "game,l,r\nu,1,-1\nd,-1,1\n",
    "pairs": '"1, -1","-1, 1"\n"-1, 1","1, -1"\n',
    "blanks": "1 -1,-1 1\n-1 1,1 -1\n",
    "semicolons": "1;-1\n-1;1\n",
    "tabs": "\tl\tr\nu\t1\t-1\nd\t-1\t1\n",
    "tabs and pairs": "1, -1\t-1, 1\n-1 1\t1,-1\n",
    "quoted pairs of one comma": '"1,-1","-1,+1"\n"-1,1","1,-1"\n',
    "semicolons and pairs": "1, -1;-1, 1\n-1, 1;1, -1\n",
    "spreadsheet": "\ufeffAnn \\ Bob,l,r\r\nu,1.0,-1e0\r\n,,\r\nd,'-1,2/2\r\n".replace("'", ""),
    "numbered": "Ann \\ Bob,1,2\n1,1,-1\n2,-1,1\n",
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_tables_of_matching_pennies(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pennies.csv"
    path.write_bytes(text.encode("utf-16"))
    written_by_excel = eb.build(path)
    path.write_bytes(text.encode())
    tree = eb.build(path)
    assert written_by_excel == tree
    assert sides(tree) == [PENNIES, [[-1, 1], [1, -1]]]
    assert tree.title == "pennies"
    assert eb.solve(str(path)).value[0] == 0
    names = [infoset.actions for infoset in tree.infosets]
    assert names[0] == (("u", "d") if "u" in text else ("1", "2"))
    assert names[1] == (("l", "r") if "l" in text else ("1", "2"))
    assert tree.players == (("Ann", "Bob") if "Ann" in text else ("Player 1", "Player 2"))


@pytest.mark.parametrize(
    ("text", "row", "column", "problem"),
    [
        ("", 1, 1, "the file is empty"),
        ("1,2\n\n3,x\n", 3, 2, "row 3, column 2: not a number"),
        ("1,2\n3\n", 2, 1, "1 cell here, but 2 in the first row"),
        ("1,2\n3,\n", 2, 2, "not a number"),
        ("u,1,2\nd,3,4/0\n", 2, 3, "a denominator is zero"),
        ("1,x\n2,3\n", 1, 2, "not a number"),
        ("1 2,3\n", 1, 2, "expected 2 payoffs, as in the first cell"),
        ("1 2 3\n", 1, 1, "column 1: a cell has one payoff or two"),
        (",L,,R,\nT,3,2,0,0\nB,0,0,2,3\n", 1, 3, "column 3 has no name; write both payoffs in one cell: 3, 2"),
        (",L,R\n\nT,3,0\n,2,0\n", 4, 1, "row 4 has no name; write both payoffs in one cell: 3, 2"),
        (",L,\nT,3 2,0 0\n", 1, 3, r"column 3 has no name \("),
        (";L;R\nOper\xe4;3,5;0,5\n", 2, 2, r"write 3\.5 for a decimal number, or '3, 5' with a blank for two payoffs"),
        ("3\t-0,5\n", 1, 2, r"write -0\.5 for a decimal number, or '-0, 5' with a blank"),
        (',Bob,\n,L,R\nT,"3,2","0,0"\n', 2, 2, r"not a number; a cell has one payoff or two \(found 'L'\)"),
        ("l,r\n", 1, 1, r"games are read from \.efg, \.nfg, \.ef and \.csv files"),
        ("player,infoset,action,probability\n1,a,b,1\n", 1, 1, r"eb\.read_strategy\(path, game\) reads"),
    ],
)
def test_errors_name_file_row_and_column(text: str, row: int, column: int, problem: str, tmp_path: Path, cli) -> None:
    with pytest.raises(eb.EfgSyntaxError, match=problem) as told:
        parse_csv(text, "x.csv")
    assert (told.value.line, told.value.column) == (row, column)
    (tmp_path / "x.csv").write_text(text)
    code, _, said = cli("solve", tmp_path / "x.csv")
    assert code == 2
    assert said.startswith(f"error: {tmp_path / 'x.csv'}:{row}:{column}: row {row}, column {column}: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["kuhn", "liars-dice sides=2 payoff=points", "dice-poker sides=2"])
def test_the_file_that_matrix_writes_is_the_same_game(name: str, tmp_path: Path, cli) -> None:
    path, again = tmp_path / "x.csv", tmp_path / "y.csv.gz"
    assert cli("matrix", *name.split(), "-o", path)[0] == 0
    form, back = eb.matrix(name), eb.matrix(path)
    assert back.tree.players == form.tree.players
    assert [infoset.actions for infoset in back.tree.infosets] == [side.codes for side in form.strategies]
    assert (sides(back.tree), back.total) == (sides(form.tree), form.total)
    again.write_bytes(path.read_bytes())
    assert sides(eb.build(again)) == sides(form.tree)


def test_a_table_written_twice_is_the_same_file(tmp_path: Path) -> None:
    tree = eb.normal_form(*PRISONERS, players=("Ann", "=Bob"), actions=(("c", "-d"), ("=C", "D")))
    first = eb.matrix(tree).write(tmp_path / "one.csv").read_text()
    back = eb.build(tmp_path / "one.csv")
    assert [infoset.actions for infoset in back.infosets] == [("c", "-d"), ("=C", "D")]
    assert back.players == ("Ann", "=Bob")
    assert sides(back) == list(PRISONERS)
    assert eb.matrix(back).write(tmp_path / "two.csv").read_text() == first


def test_too_many_cells_are_refused_before_the_tree_is_built(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n3,4\n")
    with pytest.raises(eb.TreeTooLargeError):
        eb.build(tmp_path / "x.csv", max_nodes=6)
