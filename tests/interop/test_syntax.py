"""Malformed files of each text format: the error says the file, the line, the column and the problem in one line."""

import pytest

import efg_builder as eb
from efg_builder.interop.ef import parse_ef
from efg_builder.interop.nfg import parse_nfg

E = 'EFG 2 R "t" { "a" "b" }\n'
COIN = 'c "" 1 "x" { "A" 1/2 "B" 1/2 } 0\n'
END = 't "" 1 "o" { 1 2 }\n'
EFG = [
    ("", 1, 1, "empty"),
    ("  \n ", 2, 2, "empty"),
    ('NFG 1 R "x" { "a" }', 1, 1, "strategic form"),
    ("hello", 1, 1, "begins with EFG"),
    ('"EFG" 2', 1, 1, "begins with EFG"),
    ('EFG 1 R "t" { "a" }', 1, 5, "version"),
    ('EFG 2 X "t" { "a" }', 1, 7, "R or D"),
    ('EFG 2 R t { "a" } t "" 0', 1, 9, "title"),
    ('EFG 2 R "t" "a" t "" 0', 1, 13, "players"),
    ('EFG 2 R "t" { a } t "" 0', 1, 15, "player's name"),
    ('EFG 2 R "t" { } t "" 0', 1, 15, "at least one player"),
    ('EFG 2 R "t" { "a"', 1, 18, "player's name"),
    (E, 2, 1, "ends before the tree"),
    (E + '"c', 2, 1, "no closing quotation mark"),
    (E + 'x "" 0', 2, 1, "expected a node"),
    (E + "t 0", 2, 3, "node's label"),
    (E + 't "" o', 2, 6, "outcome must be a whole number"),
    (E + 't "" -1', 2, 6, "before its payoffs"),
    (E + 't "" -2147483649 "o" { 1 2 }', 2, 6, "from -2,147,483,648"),
    (E + 't "" -0 "o" { 1 2 }', 2, 9, "outcome 0"),
    (E + 't "" +-1 "o" { 1 2 }', 2, 6, "whole number"),
    (E + 't "" 1', 2, 6, "before its payoffs"),
    (E + 't "" 1 "o" { 1 }', 2, 16, "2 payoffs needed"),
    (E + 't "" 1 "o" { 1 2 3 }', 2, 18, "2 payoffs needed"),
    (E + 't "" 1 "o" { 1,, 2 }', 2, 16, "expected a payoff"),
    (E + 't "" 1 "o" { 1 2', 2, 17, "expected a payoff"),
    (E + 't "" 1 "o" { 1 1/0 }', 2, 16, "denominator is zero"),
    (E + 't "" 1 "o" {\n1 2\nt "" 2', 4, 3, "expected a payoff or }, for the payoffs that begin on line 2"),
    (E + 't "" 1 "o" { 1 two }', 2, 16, "not a number"),
    (E + 't "" 1 "o" { 1 1e999999999 }', 2, 16, "too long"),
    (E + 't "" 1 "o" { 1 1e9999 }', 2, 16, "too long"),
    (E + 't "" 0 "o" { 1 2 }', 2, 8, "outcome 0"),
    (E + 't "" 0 { 1 2 }', 2, 10, "outcome 0"),
    (E + END + END, 3, 1, "after the end"),
    (E + END + "}", 3, 1, "after the end"),
    (E + COIN + END, 4, 1, "ends before the tree"),
    (E + COIN + END + 't "" 1 "o" { 1 3 }\n', 4, 16, "had the payoff 2"),
    (E + COIN + END + 't "" 1 "q" { 1 2 }\n', 4, 8, "another label"),
    (E + 'p "" 3 1 "x" { "A" } 0\nt "" 0', 2, 6, "from 1 to 2"),
    (E + 'p "" 0 1 "x" { "A" } 0\nt "" 0', 2, 6, "from 1 to 2"),
    (E + 'p "" 1.5 1 "x" { "A" } 0\nt "" 0', 2, 6, "whole number"),
    (E + 'p "" -1 1 "x" { "A" } 0\nt "" 0', 2, 6, "from 1 to 2"),
    (E + 'p "" 1 99999999999 "x" { "A" } 0\nt "" 0', 2, 8, "to 2,147,483,647"),
    (E + 'p "" 1 1 "x" { } 0\nt "" 0', 2, 16, "at least one action"),
    (E + 'p "" 1 1 "x" { "A" 1/2 } 0\nt "" 0', 2, 20, "an action's label"),
    (E + 'p "" 1 1 "x" { "A", "B" } 0\nt "" 0', 2, 19, "an action's label"),
    (E + 'p "" 1 1 0\nt "" 0', 2, 8, "before its actions"),
    (E + COIN + 'p "" 1 1 "x" { "A" } 0\nt "" 0\np "" 1 1 "x" { "A" "B" } 0\n', 5, 20, "had 1 action before"),
    (E + COIN + 'p "" 1 1 "x" { "A" } 0\nt "" 0\np "" 1 1 "x" { "Z" } 0\n', 5, 16, "had the action 'A'"),
    (E + COIN + 'p "" 1 1 "x" { "A" } 0\nt "" 0\np "" 1 1 "z" { "A" } 0\n', 5, 10, "another label"),
    (E + COIN + 'c "" 1 "x" { "A" 1/3 "B" 2/3 } 0\n', 3, 18, "had the probability 1/2"),
    (E + 'c "" 1 "x" { "A" "B" } 0', 2, 18, "the probability of this action"),
    (E + 'c "" 1 "x" { "A" 3/2 "B" -1/2 } 0', 2, 26, "negative"),
    (E + 'c "" 1 "x" { "A" 0.3333 "B" 0.6666 } 0', 2, 18, "sum to 9999/10000"),
    (E + 't "a\x01b" 0', 2, 5, "control character"),
    (E + "\x00", 2, 1, "control character"),
]

N = 'NFG 1 R "t" { "a" "b" } { 2 2 }\n'
NFG = [
    ("", 1, 1, "the file is empty"),
    ('EFG 2 R "t" { "a" } t "" 0', 1, 1, "an NFG 1 file begins with NFG"),
    ('NFG 2 R "t" { "a" } { 1 } 1', 1, 5, "expected 1, the version"),
    ('NFG 1 X "t" { "a" } { 1 } 1', 1, 7, "R or D"),
    ('NFG 1 R { "a" } { 1 } 1', 1, 9, "title"),
    ('NFG 1 R "t" { } { } 1', 1, 15, "at least one player"),
    ('NFG 1 R "t" { "a" } 1', 1, 21, "the players' strategies"),
    ('NFG 1 R "t" { "a" "b" } { 1 } 1', 1, 29, "the number of strategies of 'b'"),
    ('NFG 1 R "t" { "a" } { 1 1 } 1', 1, 25, "} after the strategies of 1 player"),
    ('NFG 1 R "t" { "a" } { 0 } 1', 1, 23, "whole number from 1"),
    ('NFG 1 R "t" { "a" } { -1 } 1', 1, 23, "whole number from 1"),
    ('NFG 1 R "t" { "a" } { 1.5 } 1', 1, 23, "whole number from 1"),
    ('NFG 1 R "t" { "a" } { ² } 1', 1, 23, "whole number from 1"),
    ('NFG 1 R "t" { "a" } { 9999999999 } 1', 1, 23, "whole number from 1"),
    ('NFG 1 R "t" { "a" } { { } } 1', 1, 23, "at least one strategy"),
    ('NFG 1 R "t" { "a" } { { 1 } } 1', 1, 25, "a strategy's name"),
    ('NFG 1 R "t" { "a" "b" } { { "1" } 1 } 1 1', 1, 35, "{ and the strategies of 'b'"),
    (N + "1 2 3 4 5 6 7", 2, 14, "has its payoffs: 8 are needed"),
    (N + "1 2 3 4 5 6 7 8 9", 2, 17, "text after the end of the game"),
    (N + "1 2 3 4 5 six 7 8", 2, 11, "not a number"),
    (N + "1 2 3 4 5 6/0 7 8", 2, 11, "denominator is zero"),
    (N + "1 2, 3 4 5 6 7 8", 2, 4, "expected a payoff"),
    (N + '"why" "why" 1', 2, 7, "expected a payoff"),
    (N + '{ "o" 1 2 } 1 1 1 1', 2, 3, "{ and an outcome, or }"),
    (N + "{ { 1 2 } } 1 1 1 1", 2, 5, "the outcome's name"),
    (N + '{ { "o" 1 } } 1 1 1 1', 2, 11, "2 payoffs needed"),
    (N + '{ { "o" 1 2 3 } } 1 1 1 1', 2, 13, "2 payoffs needed"),
    (N + '{ { "o" 1 2', 2, 12, "expected a payoff or }"),
    (N + '{ { "o" 1 2 } } 1 1 2 1', 2, 21, "from 0 to 1"),
    (N + '{ { "o" 1 2 } } 1 1 -1 1', 2, 21, "from 0 to 1"),
    (N + '{ { "o" 1 2 } } 1 1 1', 2, 22, "has its outcome"),
    (N + '{ { "o" 1 2 } } 1 1 1 1 1', 2, 25, "text after the end"),
    (N + "1 2 3 4 \x00", 2, 9, "control character"),
]

ROOT = "level 0 node 1 player 1\n"
TWO = ROOT + "level 2 node 2 from 1 move a payoffs 1\nlevel 2 node 3 from 1 move b "
OLD = "level 0 node 1 player 1\nlevel 2 node 1 from 0,1 move l payoffs 1\n"
EF = [
    ("", 1, 1, "the file has no node"),
    ("% nothing", 1, 3, "the file has no node"),
    ("nodes\n" + TWO + "payoffs 1", 1, 1, "a line begins with player, level, iset"),
    ("player\n" + TWO, 1, 1, "expected a player's number"),
    ("player one\n" + TWO, 1, 8, "whole number from 0 (chance) to 100"),
    ("player 1000\n" + TWO, 1, 8, "whole number from 0"),
    ("player 1 named x\n" + TWO, 1, 10, "expected name"),
    ("player 1 name\n" + TWO, 1, 10, "expected the player's name"),
    ("level x node 1", 1, 7, "a level must be a number"),
    ("level 0 nod 1", 1, 9, "expected node, and the node's name"),
    ("level 0 node", 1, 9, "expected the node's name"),
    (ROOT + "level 2 node 2 form 1", 2, 16, "expected player, xshift, from, move, arrow or payoffs"),
    (ROOT + "level 2 node 2 from", 2, 16, "expected the name of the node before"),
    (ROOT + "level 2 node 2 from 7", 2, 21, "no node has this name"),
    (
        TWO + "payoffs 1\nlevel 2 node 2 from 1\nlevel 4 node 9 from 2",
        5,
        21,
        "several nodes have this name (lines 2 and 4)",
    ),
    (TWO + "payoffs 1\nlevel 2 node 4 payoffs 1", 4, 1, "a second root"),
    ("level 0 node 1 from 2 player 1\nlevel 0 node 2 from 1 player 1", 1, 1, "no root"),
    (TWO + "payoffs 1\nlevel 4 node 8 from 9 player 1\nlevel 4 node 9 from 8 player 1", 4, 1, "does not come from"),
    ("level 0 node 1\nlevel 2 node 2 from 1 payoffs 1", 1, 1, "whose node?"),
    (TWO + "player 1", 3, 1, "no move leads on from this node"),
    (TWO + "payoffs one", 3, 38, "not a number"),
    (TWO + "payoffs 1/0", 3, 38, "denominator is zero"),
    (TWO + "payoffs 1 2", 2, 38, "1 given, 2 payoffs needed"),
    ("level 0 node 1 player 0\nlevel 2 node 2 from 1 move a payoffs 1", 2, 28, "a move of chance with its probability"),
    ("level 0 node 1 player 0\nlevel 2 node 2 from 1 payoffs 1", 2, 1, "a move of chance with its probability"),
    ("level 0 node 1 player 0\nlevel 2 node 2 from 1 move a~(1/2) payoffs 1", 2, 28, "the probabilities sum to 1/2"),
    (TWO + "payoffs 1\niset player 1", 4, 1, "expected the nodes of the information set"),
    (TWO + "payoffs 1\niset 1 1 player 1", 4, 8, "in an information set already"),
    (TWO + "payoffs 1\niset 4 player 1", 4, 6, "no node has this name"),
    (TWO + "payoffs 1\niset 1 player 0", 4, 15, "whose information set?"),
    (TWO + "payoffs 1\niset 1 player 2", 4, 1, "another player's"),
    (TWO + "player 1\nlevel 4 node 4 from 3 move c payoffs 1\niset 1 3 player 1", 5, 8, "has the moves c; node 1 of"),
    (TWO + "\niset 2 player 1", 2, 1, "no move leads on"),
    (OLD + "iset 4", 3, 6, "expected a node as level,name"),
]


@pytest.mark.parametrize(
    ("kind", "text", "line", "column", "problem"),
    [(kind, *row) for kind, rows in (("efg", EFG), ("nfg", NFG), ("ef", EF)) for row in rows],
)
def test_errors_say_where(kind, text, line, column, problem):
    parse, name = {"efg": eb.parse_efg, "nfg": parse_nfg, "ef": parse_ef}[kind], f"game.{kind}"
    with pytest.raises(eb.EfgSyntaxError) as caught:
        parse(text, name)
    error = caught.value
    assert problem in error.problem
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"{name}:{line}:{column}: ")
    assert "\n" not in str(error)
    if kind == "efg":
        assert text.split("\n")[line - 1][column - 1 :].startswith(error.text.removesuffix("..."))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("ef", ROOT + "level 2 node 2 from 3 payoffs 1\n", "2:21: no node has this name (found '3')"),
        (
            *("nfg", N + "1 2 3"),
            "2:6: the file ends before every combination of strategies has its payoffs: 8 are needed (found the end of "
            "the file)",
        ),
    ],
)
def test_a_mistake_in_a_file_is_one_line(kind, text, said, cli, tmp_path):
    path = tmp_path / f"game.{kind}"
    path.write_text(text)
    assert cli("solve", path) == (2, "", f"error: {path}:{said}\n")
