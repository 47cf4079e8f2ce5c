"""Gambit's strategic games: both versions of the format read as pygambit reads them; errors say line and column."""

from __future__ import annotations

import io
import itertools
from fractions import Fraction
from math import prod
from pathlib import Path

import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms.extensive import NONE
from efg_builder.interop.nfg import parse_nfg
from sound import problems

# https://gambitproject.readthedocs.io, "The strategic game (.nfg) file format": the example of both versions, and what
# the manual says of it: player 1's strategy is the fastest to change.
PAYOFFS = """NFG 1 R "Selten (IJGT, 75), Figure 2, normal form"
{ "Player 1" "Player 2" } { 3 2 }

1 1 0 2 0 2
1 1 0 3 2 0
"""
OUTCOMES = """NFG 1 R "Selten (IJGT, 75), Figure 2, normal form" { "Player 1" "Player 2" }

{
{ "1" "2" "3" }
{ "1" "2" }
}
"a comment"

{
{ "" 1, 1 }
{ "" 0, 2 }
{ "" 0, 3 }
{ "" 2, 0 }
}
1 2 2 1 3 4
"""


def cells(tree: eb.GameTree) -> dict[tuple[int, ...], tuple[Fraction, ...]]:
    """What each combination of strategies pays, by walking the tree."""
    found = {}
    for node in range(len(tree)):
        if tree.is_terminal(node):
            path, at = [], node
            while at:
                path.append(int(tree.action[at]))
                at = int(tree.parent[at])
            found[tuple(reversed(path))] = tree.payoffs[tree.outcome[node]]
    return found


def gambits(text: str) -> dict[tuple[int, ...], tuple[Fraction, ...]]:
    """The same, as pygambit reads it."""
    arrays = pygambit.read_nfg(io.StringIO(text)).to_arrays()
    places = itertools.product(*map(range, arrays[0].shape))
    return {at: tuple(Fraction(str(side[at])) for side in arrays) for at in places}


@pytest.mark.parametrize("text", [PAYOFFS, OUTCOMES])
def test_the_example_of_the_manual(text: str) -> None:
    tree = parse_nfg(text)
    found = {at: tuple(map(int, paid)) for at, paid in cells(tree).items()}
    assert found == {(0, 0): (1, 1), (1, 0): (0, 2), (2, 0): (0, 2), (0, 1): (1, 1), (1, 1): (0, 3), (2, 1): (2, 0)}
    assert problems(tree) == []
    assert tree.players == tree.names == ("Player 1", "Player 2")
    assert [infoset.actions for infoset in tree.infosets] == [("1", "2", "3"), ("1", "2")]
    assert len(tree.outcomes) == 4
    assert tree.comment == ("a comment" if text is OUTCOMES else "")


NUMBERS = st.fractions(-9, 9, max_denominator=7)


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file of either version: one to four players, names with blanks and quotation marks, an outcome of none."""
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    players = " ".join(f'"P {k}"' for k in range(len(counts)))
    names = " ".join("{ " + " ".join(f'"s\\"{k} {i}"' for i in range(count)) + " }" for k, count in enumerate(counts))
    listed = draw(st.sampled_from([names, " ".join(map(str, counts))]))
    head = f'NFG 1 R "drawn" {{ {players} }}\n{{ {listed} }}\n'
    rows = st.lists(NUMBERS, min_size=len(counts), max_size=len(counts)).map(lambda row: list(map(str, row)))
    if draw(st.booleans()):
        return head + '"why"\n' + "\n".join(" ".join(draw(rows)) for _ in range(prod(counts)))
    outcomes = draw(st.lists(rows, min_size=1, max_size=4))
    chosen = draw(st.lists(st.integers(0, len(outcomes)), min_size=prod(counts), max_size=prod(counts)))
    table = "\n".join(f'{{ "o{k}" {", ".join(row)} }}' for k, row in enumerate(outcomes))
    return head + f"{{\n{table}\n}}\n" + " ".join(map(str, chosen))


@settings(deadline=None, max_examples=30)
@given(files())
def test_both_versions_are_read_as_gambit_reads_them(text: str) -> None:
    tree = parse_nfg(text)
    assert problems(tree) == []
    assert cells(tree) == gambits(text)
    theirs = pygambit.read_nfg(io.StringIO(text))
    assert list(tree.players) == list(theirs.players)
    for infoset, player in zip(tree.infosets, theirs.players, strict=True):
        assert list(infoset.actions) == list(theirs.get_strategies(player))


CATALOGUE = sorted(Path(pygambit.__file__).parent.joinpath("catalog_data").rglob("*.nfg"))


@pytest.mark.parametrize("path", CATALOGUE, ids=lambda path: path.stem)
def test_strategic_games_of_gambits_catalogue(path: Path) -> None:
    tree = eb.build(path)
    assert cells(tree) == gambits(path.read_text())
    assert cells(eb.build(pygambit.read_nfg(path))) == cells(tree)


@pytest.mark.parametrize(("name", "chosen"), [("dice-poker", {"sides": 3}), ("liars-dice", {"max_quantity": 1})])
def test_what_matrix_writes_pays_the_same_when_it_is_read(name: str, chosen: dict[str, object], tmp_path) -> None:
    tree = eb.build(eb.game(name, **chosen))
    form = eb.matrix(tree)
    again = eb.build(form.write(tmp_path / "game.nfg"))
    back = eb.matrix(again)
    assert [side.tolist() for side in back.cells] == [side.tolist() for side in form.cells]
    assert (back.scale, again.title, again.players) == (form.scale, tree.title, tree.players)
    assert [infoset.actions for infoset in again.infosets] == [side.codes for side in form.strategies]
    assert eb.solve(again).value == eb.solve(tree).value


def test_three_players_at_once_are_solved() -> None:
    # Each wants to be the odd one out (D. K. Levine's lecture notes, "odd man out"): mixing evenly is an equilibrium.
    rows = []
    for third, second, first in itertools.product(range(2), repeat=3):
        votes = [first, second, third]
        rows.append(" ".join(str(int(votes.count(vote) == 1)) for vote in votes))
    tree = parse_nfg('NFG 1 R "odd" { "A" "B" "C" } { 2 2 2 } ' + " ".join(rows))
    half = eb.read_strategy({player: {"1": Fraction(1, 2), "2": Fraction(1, 2)} for player in "ABC"}, tree)
    assert eb.verify(half).regret == 0
    assert eb.solve(tree).status in ("equilibrium", "near-equilibrium")


def test_an_outcome_of_none_pays_nothing() -> None:
    tree = parse_nfg('NFG 1 R "none" { "A" } { 2 } { { "win" 1 } } 0 1')
    assert cells(tree) == {(0,): (0,), (1,): (1,)}
    assert (tree.outcome == NONE).sum() == 2  # the root, and the end that pays nothing


def test_more_players_than_an_array_has_dimensions() -> None:
    names = " ".join('"p"' for _ in range(80))
    payoffs = " ".join(map(str, range(160)))
    tree = parse_nfg(f'NFG 1 R "many" {{ {names} }} {{ 2 {"1 " * 79}}} {payoffs}')
    assert problems(tree) == []
    assert sorted(int(paid[0]) for paid in cells(tree).values()) == [0, 80]


def test_a_tree_that_would_be_too_large_is_refused_before_its_payoffs_are_read() -> None:
    for counts, limit in (("99999 99999", None), ("3 3", 12), ("2 " * 2_000, None)):
        names = " ".join('"p"' for _ in counts.split())
        with pytest.raises(eb.TreeTooLargeError):
            parse_nfg(f'NFG 1 R "t" {{ {names} }} {{ {counts} }} 1', max_nodes=limit)
    assert len(parse_nfg('NFG 1 R "t" { "a" "b" } { 3 3 } ' + "1 " * 18, max_nodes=13)) == 13


def test_strategies_of_one_set_go_by_its_actions(tmp_path):
    (tmp_path / "bos.efg").write_text(
        'EFG 2 R "bos" { "A" "B" }\np "" 1 1 "" { "opera" "football" } 0\np "" 2 1 "" { "opera" "football" } 0\n'
        't "" 1 "" { 2, 1 }\nt "" 2 "" { 0, 0 }\np "" 2 1 0\nt "" 2\nt "" 3 "" { 1, 2 }\n'
    )
    path = eb.matrix(tmp_path / "bos.efg").write(tmp_path / "bos.nfg")
    assert '{ { "opera" "football" }\n  { "opera" "football" } }' in path.read_text()
    assert eb.build(path).infosets[0].actions == ("opera", "football")
