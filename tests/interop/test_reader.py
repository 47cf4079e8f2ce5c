"""Reading: every layout of EFG 2, Gambit's own corpus, and errors that say where."""

from __future__ import annotations

import io
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pygambit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.base.errors import EfgSyntaxError, TreeTooLargeError
from efg_builder.forms.extensive import CHANCE, GameTree, build
from efg_builder.games.catalogue import game
from efg_builder.interop.efg import parse_efg, read_efg, to_efg
from efg_builder.interop.efg.reader import parents
from sound import problems

CORPUS = sorted(Path(pygambit.__file__).parent.joinpath("catalog_data").rglob("*.efg"))
HEAD = 'EFG 2 R "t" { "a" "b" }\n'
TWO = 'c "" 1 "x" { "A" 1/2 "B" 1/2 } 0\n'


def nodes(text: str) -> GameTree:
    tree = parse_efg(HEAD + text)
    assert problems(tree) == []
    return tree


def assert_gambit_agrees(text: str) -> None:
    """Gambit sees the same players, moves, information sets, probabilities and payoffs at every node."""
    tree, theirs = parse_efg(text), pygambit.read_efg(io.BytesIO(text.encode()))
    tree = parse_efg(theirs.to_efg()) if "" in {o.label for o in tree.outcomes} else tree
    histories = list(pygambit.layout_tree(theirs))
    assert len(histories) == len(tree)
    together: dict[int, set[int]] = defaultdict(set)
    for node, infoset in enumerate(tree.infoset.tolist()):
        together[infoset].add(node)
    place = {history: node for node, history in enumerate(histories)}
    for node, history in enumerate(histories):
        here, names = pygambit.H.path(*history.actions), ("Chance", *theirs.players)
        outcome = theirs.get_outcome(here)
        if outcome is None:
            assert not any(tree.payoffs[tree.outcome[node]])
        else:
            payoffs = theirs.get_outcome_payoffs(outcome)
            found = [Fraction(str(payoffs[player])) for player in theirs.players]
            assert found == list(tree.payoffs[tree.outcome[node]])
        if tree.is_terminal(node):
            assert theirs.get_player(here) is None
            continue
        infoset = tree.infosets[tree.infoset[node]]
        assert theirs.get_player(here) == names[infoset.player + 1]
        assert len(theirs.get_actions(here)) == len(infoset.actions)
        assert {place[h] for h in theirs.get_members(here)} == together[int(tree.infoset[node])]
        if infoset.player == CHANCE:
            chances = [Fraction(str(p)) for p in theirs.get_action_probs(here).values()]
            assert chances == list(infoset.probabilities or ())


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_gambits_own_games(path: Path) -> None:
    if len(read_efg(path)) < 200:  # written again they all are in test_catalogue.py
        assert_gambit_agrees(path.read_text(encoding="utf-8"))


PAID = (
    HEAD + 'c "r" 7 "x" { "A" 0.25 "B" .75 } 9 "o" { 1, -5 }\np "" 2 3 "k" { "L" } 4 "p" { 1/3 2.50 }\nt "" 9\n'
    'p "" 2 3 0\nt "e" 0\n'
)


@pytest.mark.parametrize("given_", [game("liars-dice"), game("dice-poker", sides=3, bet="2/3"), game("mia"), PAID])
def test_gambit_agrees_about_our_games(given_: object) -> None:
    assert_gambit_agrees(given_ if isinstance(given_, str) else to_efg(build(given_)))


@pytest.mark.parametrize(
    ("given_", "names"),
    [
        ('"" ""', ("Player 1", "Player 2")),
        ('"Ann" " "', ("Ann", "Player 2")),
        ('"" "Player 1"', ("Player 1_1", "Player 1")),
        ('"A" "A"', ("A", "A")),
    ],
)
def test_players_without_a_name_are_numbered(given_: str, names: tuple[str, ...]) -> None:
    text = f'EFG 2 R "t" {{ {given_} }}\np "" 2 1 "" {{ "l" }} 0\nt "" 1 "" {{ 1, 2 }}\n'
    tree = parse_efg(text)
    assert tree.players == names
    assert parse_efg(to_efg(tree)).players == names


LAYOUTS = {
    "restated": TWO + 'p "" 2 1 "k" { "L" } 0\nt "" 1 "o" { 1, 2 }\np "" 2 1 "k" { "L" } 0\nt "" 1 "o" { 1, 2 }\n',
    "by number": TWO + 'p "" 2 1 "k" { "L" } 0\nt "" 1 "o" { 1, 2 }\np "" 2 1 0\nt "" 1\n',
    "by label": TWO + 'p "" 2 1 "k" { "L" } 0\nt "" 1 "o" { 1, 2 }\np "" 2 1 "k" 0\nt "" 1 "o"\n',
    "decimals": TWO.replace("1/2", ".50")
    + 'p "" 2 1 "k" { "L" } 0 t "" 1 "o" { 1. 2e0 } p "" 2 1 "" 0 t "" 1 { +1 2/1 }',
    "one line": (TWO + 'p""2 1"k"{"L"}0 t""1"o"{1,2,}p""2 1{"L"}0 t""1"o"{1 2}').replace("\n", " "),
    "many lines": TWO.replace(" ", "\n")
    + 'p\n""\n2\n1\n"k"\n{\n"L"\n}\n0\nt "" 1\n"o" { 1 2 }\np "" 2 1\n0\nt "" 1\n\n',
    "carriage returns": TWO + 'p "" 2 1 "k" { "L" } 0\r\nt "" 1 "o" { 1, 2 }\r\np "" 2 1 0\r\nt "" 1\r\n',
    "late extension": TWO + 'p "" 2 1 "k" { "L" } 0\nt "" 1\n"o" { 1, 2 }\np "" 2 1 0\nt "" 1\n{ 1, 2 }\n',
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_mean_the_same(layout: str) -> None:
    assert nodes(LAYOUTS[layout]) == nodes(LAYOUTS["restated"])


def test_header() -> None:
    tree = parse_efg('\ufeff EFG 2 D "a \\"b\\" \\\\ \\c\nd" {"p""é"} "com\nment" t "end" 0')
    assert (tree.title, tree.players, tree.comment) == ('a "b" \\ \\c d', ("p", "é"), "com\nment")
    assert dict(tree.node_labels) == {0: "end"}
    assert (len(tree), tree.infosets, tree.outcomes) == (1, (), ())


def test_numbers_and_tables_are_kept_in_order_of_first_mention() -> None:
    tree = nodes('p "" 2 70 "k" { "L" "R" } 0\nt "" 9 "o" { 1 2 }\np "" 1 70 "k" { "M" } 3 "i" { 0 0 }\nt "" 9\n')
    assert [(i.player, i.number) for i in tree.infosets] == [(1, 70), (0, 70)]
    assert [o.number for o in tree.outcomes] == [9, 3]
    assert tree.parent.tolist() == [-1, 0, 0, 2]
    assert tree.action.tolist() == [-1, 0, 1, 0]


# What Gambit takes although its manual wants numbers from 1, here and there by number only.
ODD_NUMBERS = """c "" 0 "x" { "A" 1/2 "B" 1/2 } -7 "fee" { -1, 0 }
p "" 1 0 "k" { "L" "R" } 0
t "" -1 "o" { 1, 2 }
p "" 2 0 "m" { "L" } +0
t "" -2147483648 "p" { 3, 4 }
p "" 1 0 0
p "" 1 -4 "n" { "L" } 0
t "" -1
t "" -0
"""


def test_numbers_below_one() -> None:
    tree = nodes(ODD_NUMBERS)
    found = [(i.player, i.number, i.label) for i in tree.infosets]
    assert found == [(-1, 0, "x"), (0, 0, "k"), (1, 0, "m"), (0, -4, "n")]
    assert [o.number for o in tree.outcomes] == [-7, -1, -(2**31)]
    assert tree.outcome.tolist() == [0, -1, 1, -1, 2, -1, -1, 1, -1]
    text = to_efg(tree)
    assert parse_efg(text) == tree
    assert nodes(ODD_NUMBERS.replace("\n", "  ")) == tree
    assert_gambit_agrees(HEAD + ODD_NUMBERS)
    assert_gambit_agrees(text)


def test_numbers_below_one_in_portable_files() -> None:
    text = to_efg(nodes(ODD_NUMBERS), portable=True)
    assert {line.split()[3] for line in text.splitlines() if line.startswith("p")} == {"1", "2"}
    assert_gambit_agrees(text)
    # The end without payoffs gets an outcome of its own; it must not be 0, which means none.
    tree = nodes('p "" 1 0 "k" { "L" "R" } 0\nt "" -1 "o" { 1, 2 }\nt "" 0\n')
    again = parse_efg(to_efg(tree, portable=True))
    assert [o.number for o in again.outcomes] == [-1, 1]
    assert again.payoffs[again.outcome[2]] == (0, 0)
    assert_gambit_agrees(to_efg(tree, portable=True))


def test_more_nodes_than_allowed() -> None:
    tree = build(game("dice-poker", sides=2))
    text, n = to_efg(tree), len(tree)
    for given_ in (text, HEAD + " ".join(text.split("\n")[3:])):
        assert len(parse_efg(given_, max_nodes=n)) == n
        for limit in (0, 1, n - 1):
            with pytest.raises(TreeTooLargeError, match=f"more than {limit} nodes, over the budget of {limit} "):
                parse_efg(given_, max_nodes=limit)
    # The rest is not even looked at.
    lines = text.splitlines(keepends=True)
    with pytest.raises(TreeTooLargeError):
        parse_efg("".join([*lines[:24], "nonsense"]), max_nodes=20)
    with pytest.raises(EfgSyntaxError):
        parse_efg("".join([*lines[:23], "nonsense"]), max_nodes=20)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e5", 10**5), (".25", "1/4"), ("1.", 1), ("+3", 3), ("-.5e-3", "-1/2000"), ("-7/21", "-1/3"), ("0.1", "1/10")],
)
def test_numbers_are_exact(text: str, value: int | str) -> None:
    assert nodes(f't "" 1 "" {{ {text} 0 }}').outcomes[0].payoffs[0] == Fraction(value)


def test_absent_minds_and_zero_probabilities() -> None:
    assert len(nodes('p "" 1 1 "" { "go" "exit" } 0\np "" 1 1 0\nt "" 0\nt "" 0\nt "" 0\n')) == 5
    assert nodes('c "" 1 "" { "A" 1 "B" 0 } 0\nt "" 0\nt "" 0\n').infosets[0].probabilities == (1, 0)


@settings(max_examples=80)
@given(st.lists(st.integers(0, 4), max_size=60))
def test_parents_are_those_a_stack_finds(widths: list[int]) -> None:
    whole, places = [], 1
    for width in widths:
        if not places:
            break
        whole.append(width)
        places += width - 1
    whole += [0] * places
    parent, action, stack = [], [], [(-1, -1)]
    for node, width in enumerate(whole):
        above, by = stack.pop()
        parent.append(above)
        action.append(by)
        stack += [(node, k) for k in reversed(range(width))]
    found = parents(np.array(whole, dtype=np.int32))
    assert (found[0].tolist(), found[1].tolist()) == (parent, action)


def test_every_cut_is_noticed() -> None:
    tree = build(game("kuhn"))
    text = to_efg(tree)
    whole = []
    for end in range(len(text)):
        try:
            cut = parse_efg(text[:end])
        except EfgSyntaxError:
            continue
        assert cut == tree
        whole.append(text[end:])
    # A last line of which payoffs or label are missing still names an outcome whose payoffs are known.
    assert all(len(rest) <= len(text.splitlines()[-1]) for rest in whole)
    assert whole[-1] == "\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_utf_16_with_its_mark_is_read(encoding, tmp_path):
    """PowerShell's ``>`` writes UTF-16 with a byte-order mark."""
    text = 'EFG 2 R "Jörg" { "Å" } t "" 1 "" { 1 }'
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    (tmp_path / "x.efg").write_bytes(mark + text.encode(encoding))
    tree = eb.read_efg(tmp_path / "x.efg")
    assert (tree.title, tree.players) == ("Jörg", ("Å",))
    (tmp_path / "y.efg").write_bytes(text.encode("latin-1"))
    with pytest.raises(eb.FileError, match=r"not UTF-8 text .* save the file as UTF-8"):
        eb.read_efg(tmp_path / "y.efg")


def test_a_file_of_another_kind_names_the_formats_that_are_read():
    for text in ("#AGG\n2\n", "1,2\n3,4\n", "player;move\n"):
        with pytest.raises(eb.EfgSyntaxError, match=r"games are read from \.efg, \.nfg, \.ef and \.csv files"):
            eb.parse_efg(text)
