"""Arguments of a wrong type in games, forms and files: each function names itself, the argument and both types."""

from functools import partial

import pytest

import efg_builder as eb

KUHN = eb.game("kuhn")
TREE = eb.build(KUHN)
UNIFORM, TEXT = eb.TreeProfile.uniform(TREE), TREE.to_efg()
NODES, FILE = "a number as max_nodes=", "the path of a file"

# What is called, the words of the error, and values of that argument beside those of WRONG.
CALLS = [
    (eb.game, r"game\(\) takes the name of a game", (KUHN, TREE)),
    (eb.catalogue()["kuhn"].create, r"create\(\) takes a mapping of settings", ("cards=3", KUHN)),
    (eb.match_rules, r"match_rules\(\) takes a mapping of settings", ("2,2", KUHN)),
    (eb.build, r"build\(\) takes a game", (UNIFORM,)),
    (lambda x: eb.build(KUHN, max_nodes=x), rf"build\(\) takes {NODES}", ("9", KUHN)),
    (eb.read_efg, rf"read_efg\(\) takes {FILE}", (KUHN, TREE)),
    (lambda x: eb.read_efg("a.efg", max_nodes=x or "9"), rf"read_efg\(\) takes {NODES}", ("9",)),
    (eb.parse_efg, r"parse_efg\(\) takes the text of a file", (KUHN, TREE)),
    (lambda x: eb.parse_efg(TEXT, max_nodes=x or "9"), rf"parse_efg\(\) takes {NODES}", ("9",)),
    (eb.to_gambit, r"to_gambit\(\) takes a tree or a solution", (eb.Solution, eb.TreeProfile)),
    (lambda x: eb.read_strategy(x, KUHN), rf"read_strategy\(\) takes {FILE} or a mapping", (KUHN, UNIFORM)),
    (partial(eb.read_strategy, {}), r"read_strategy\(\) takes a game or a tree", (UNIFORM,)),
    (lambda x: eb.read_strategy({}, KUHN, tree=x or TREE), r"read_strategy\(\) takes a function as tree", (TREE,)),
    (lambda x: eb.write_sequence_form(x, "a.lp"), r"write_sequence_form\(\) takes a game or a tree", (UNIFORM,)),
    (partial(eb.write_sequence_form, KUHN), rf"write_sequence_form\(\) takes {FILE}", (KUHN,)),
    (
        lambda x: eb.write_sequence_form(KUHN, "a.lp", max_nodes=x),
        rf"write_sequence_form\(\) takes {NODES}",
        ("9", KUHN),
    ),
]


@pytest.mark.parametrize("case", range(len(CALLS)))
def test_a_wrong_type_is_named(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, words, values = CALLS[case]
    numbers = () if "a number as" in words else (5, 1.5)
    for value in (*values, *numbers, None, [1], b"kuhn", object(), int):
        with pytest.raises(eb.ParameterError, match=rf"{words}.*, not ") as caught:
            call(value)
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
