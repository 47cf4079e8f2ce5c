"""Arguments of a wrong type: each function names itself, the argument, the given type and the type that it takes."""

from functools import partial

import pytest

import efg_builder as eb

KUHN, DICE = eb.game("kuhn"), eb.game("liars-dice", sides=2)
TREE = eb.build(KUHN)
UNIFORM, SPARSE = eb.TreeProfile.uniform(TREE), eb.SparseProfile(DICE, ({}, {}))
POLICY = eb.Policy(lambda turn, hand: {turn.actions[0][0]: 1})
RULES = eb.match_rules({"dice": "1,1", "sides": "2"})
MATCH = eb.solve_match(RULES)
MEASURED = eb.evaluate(KUHN, "uniform", exploiter=True)
PLAYED = ["uniform", "equilibrium"]
SIZE, FUNCTION, FILE, COUNT = "a number as", "a function as", "the path of a file", "a whole number as"
NUMBER = "must be a number of seconds above 0"

# The call, the words of the error, and values of that argument beside those of the test below.
CALLS = [
    (lambda x: eb.evaluate(x, "uniform"), r"evaluate\(\) takes a game or a tree", ()),
    (
        partial(eb.evaluate, KUHN),
        r"evaluate\(\) takes a player's name, a file, a mapping, a strategy, an array or a function",
        (None, KUHN),
    ),
    (lambda x: eb.evaluate(KUHN, "uniform", x), r"evaluate\(\) takes a player's name", (KUHN,)),
    (lambda x: eb.evaluate(KUHN, "uniform", max_nodes=x), rf"evaluate\(\) takes {SIZE} max_nodes", (None, "9")),
    (lambda x: eb.evaluate(KUHN, "uniform", max_memory=x), r"evaluate\(\) takes a number as max_memory=", ("9",)),
    (lambda x: eb.evaluate(KUHN, "uniform", gap=x), "gap=.*: must be a finite number of at least 0", ("0.1", "", -1)),
    (lambda x: eb.evaluate(KUHN, "uniform", timeout=x), NUMBER, ("9", -1)),
    (lambda x: eb.evaluate(KUHN, "uniform", progress=x), rf"evaluate\(\) takes {FUNCTION} progress", (5, "x")),
    (lambda x: eb.evaluate(KUHN, "uniform", announce=x), rf"evaluate\(\) takes {FUNCTION} announce", (5, "x")),
    (MEASURED.write_exploiter, "is not the path of a file", (5, None)),
    (eb.support_tree, r"support_tree\(\) takes a sparse profile", (5, None, "s.json")),
    (lambda _: eb.support_tree(UNIFORM), "not a profile on a tree; eb.solve", (0,)),
    (lambda _: eb.table_view(eb.solve(TREE)), "not a solution on a tree; eb.solve", (0,)),
    (lambda x: eb.support_tree(SPARSE, max_nodes=x), rf"support_tree\(\) takes {SIZE} max_nodes", (None, "9")),
    (eb.table_view, r"table_view\(\) takes a sparse profile", (5, None, UNIFORM)),
    (lambda x: eb.table_view(SPARSE, max_nodes=x), rf"table_view\(\) takes {SIZE} max_nodes", (None, "9")),
    (eb.solve_match, r"solve_match\(\) takes the rules of a match", (5, None, KUHN)),
    (lambda x: eb.solve_match(RULES, resume=x), r"solve_match\(\) takes a match as resume", (5, "x.json")),
    (lambda x: eb.solve_match(RULES, progress=x), rf"solve_match\(\) takes {FUNCTION} progress", (5,)),
    (lambda x: eb.solve_match(RULES, keep=x), rf"solve_match\(\) takes {FUNCTION} keep", (5, 0, [])),
    (lambda x: eb.solve_match(RULES, checkpoint=x), "is not the path of a file", (5,)),
    (lambda x: eb.solve_match(RULES, timeout=x), NUMBER, ("9",)),
    (eb.read_match, rf"read_match\(\) takes {FILE}", (5, None)),
    (MATCH.draw, "is not the path of a file", (5, None)),
    (MATCH.write, "is not the path of a file", (5, None)),
    (lambda x: eb.run_arena(x, PLAYED, 4), r"run_arena\(\) takes a game, a tree or rules of a match", (5, None)),
    (lambda x: eb.run_arena(KUHN, x, 4), r"run_arena\(\) takes a list of players", (5, None, "uniform", POLICY)),
    (lambda x: eb.run_arena(KUHN, [x, "uniform"], 4, workers=1), r"run_arena\(\) takes a player's name", (5, None)),
    (lambda x: eb.run_arena(KUHN, PLAYED, x), rf"run_arena\(\) takes {COUNT} games", (None, "9", 1.5)),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, seed=x), rf"run_arena\(\) takes {COUNT} seed", (None, "9")),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, workers=x), rf"run_arena\(\) takes {COUNT} workers", ("9",)),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, workers=x), "workers", (0, -1)),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, timeout=x), NUMBER, ("9",)),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, progress=x), rf"run_arena\(\) takes {FUNCTION} progress", (5,)),
    (lambda x: eb.run_arena(KUHN, PLAYED, 4, path=x), r"run_arena\(\) takes the path of a file", (5,)),
    (eb.read_standings, rf"read_standings\(\) takes {FILE}", (5, None)),
    (
        lambda x: eb.read_standings("x.db", x),
        r"read_standings\(\) takes a list of names as only",
        (5, 0, "", "x"),
    ),
    (eb.Policy, r"Policy\(\) takes a function as function", (5, None, KUHN)),
    (lambda x: eb.Policy(min, arrays=x), r"Policy\(\) takes a function as arrays", (5, 0, [])),
    (lambda x: eb.Policy(min, game=x), r"Policy\(\) takes a dealt game", (5, KUHN.title, TREE)),
    (POLICY.of, r"Policy.of\(\) takes a dealt game", (5, None, TREE)),
    (lambda x: eb.SparseProfile(x, ({}, {})), r"SparseProfile\(\) takes a dealt game", (5, None, TREE)),
    (lambda x: eb.SparseProfile(DICE, x), r"SparseProfile\(\) takes a tuple of strategies", (5, None, {})),
    (
        lambda x: eb.SparseProfile(DICE, (x, {})),
        r"SparseProfile\(\) takes a mapping with histories as keys",
        (5, None, []),
    ),
    (
        lambda x: eb.SparseProfile(DICE, ({"": x}, {})),
        r"SparseProfile\(\) takes a mapping with hands as keys",
        (5, None, []),
    ),
    (
        lambda x: eb.SparseProfile(DICE, ({"": {0: x}}, {})),
        r"SparseProfile\(\) takes a mapping with actions as keys",
        (5, None),
    ),
    (SPARSE.on, r"on\(\) takes a tree", (5, None, DICE)),
    (lambda x: SPARSE[x], r"profile\[...\]\(\) takes the label of an information set", (5, None)),
    (lambda x: eb.TreeProfile(x, ()), r"TreeProfile\(\) takes a tree", (5, None, KUHN)),
    (partial(eb.TreeProfile, TREE), r"TreeProfile\(\) takes a tuple of rows", (5, None)),
    (lambda x: eb.TreeProfile(TREE, (x,) * 13), r"TreeProfile\(\) takes a tuple of numbers", (5, None)),
    (UNIFORM.on, r"on\(\) takes a tree", (5, None, KUHN)),
    (lambda x: UNIFORM[x], r"profile\[...\]\(\) takes the label of an information set", (5, None)),
    (eb.TreeProfile.uniform, r"uniform\(\) takes a tree", (5, None, KUHN)),
    (lambda x: eb.TreeProfile.from_personal(x, {}), r"from_personal\(\) takes a tree", (5, None, KUHN)),
    (partial(eb.TreeProfile.from_personal, TREE), r"from_personal\(\) takes a mapping of rows", (5, None, [])),
    (lambda x: eb.TreeProfile.from_mixed(x, ((), ())), r"from_mixed\(\) takes a normal form", (5, None, KUHN)),
    (
        partial(eb.TreeProfile.from_mixed, eb.matrix(TREE)),
        r"from_mixed\(\) takes a pair of mixed strategies",
        (5, None),
    ),
]

TEXT, NODES = TREE.to_efg(), "a number as max_nodes="

# The same of games, forms and files, which all refuse FURTHER too.
OF_GAMES_AND_FILES = [
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
FURTHER = (None, [1], b"kuhn")


@pytest.mark.parametrize("case", range(len(CALLS) + len(OF_GAMES_AND_FILES)))
def test_a_wrong_type_is_named(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, words, values = [*CALLS, *OF_GAMES_AND_FILES][case]
    if case >= len(CALLS):
        values = (*values, *(() if "a number as" in words else (5, 1.5)), *FURTHER)
        words = rf"{words}.*, not "
    for value in (*values, object(), int):
        with pytest.raises(eb.ParameterError, match=words) as caught:
            call(value)
        assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("p", ["1", None, b"1", 1j, eb])
def test_a_probability_that_is_not_a_number_is_named(p):
    for make in (
        lambda: eb.SparseProfile(DICE, ({"start": {0: {"1x1": p}}}, {})),
        lambda: eb.TreeProfile.from_personal(TREE, dict.fromkeys(TREE.personal, (p, 0))),
    ):
        with pytest.raises(eb.ProfileError, match=r"a probability at '1: start' is .*, not a number"):
            make()


def test_a_policy_without_a_game_has_the_rules_of_the_tree():
    assert POLICY.on(TREE).probabilities == POLICY.of(KUHN).on(TREE).probabilities
    with pytest.raises(eb.ParameterError, match=r"nor the tree has the rules of a dealt game; call Policy.of\(game\)"):
        POLICY.on(eb.parse_efg(TREE.to_efg()))


def test_a_class_and_a_name_in_the_place_of_a_game_and_a_file():
    with pytest.raises(eb.ParameterError, match=r"solve\(\) takes .*, not a class; KuhnPoker\(\.\.\.\) is a game"):
        eb.solve(type(KUHN))
    with pytest.raises(eb.FileError, match=r"there is no file 'kuhn' to verify; eb\.solve"):
        eb.verify("kuhn")


def test_an_evaluation_in_short():
    assert repr(MEASURED) == "<Evaluation of uniform in 'Kuhn poker: 2 players, 3 cards': value 1/8, -1/8>"
