"""Solutions as JSON, both ways."""

import copy
import json
import pickle
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
from paths import ROOT

import efg_builder as eb
from efg_builder.interop.efg import to_efg, write_efg
from efg_builder.proof.certificate import read_sparse
from efg_builder.strategies.lines import SHOWN_SETS
from efg_builder.strategies.reading import read_solution

GAME = eb.game("liars-dice", sides=3)
SOLUTION = eb.solve(GAME)


def test_the_json_has_every_documented_key():
    data = json.loads(json.dumps(SOLUTION.to_json()))
    for key in ("method", "status", "value", "lower", "upper", "exact", "regret", "profile"):
        assert key in data
    assert data["value"] == ["-1/9", "1/9"]
    assert (data["lower"], data["upper"], data["regret"], data["exact"]) == ("-1/9", "-1/9", "0", True)
    assert (data["method"], data["status"]) == ("quasi-perfect", "equilibrium")
    entry = data["profile"][0]
    assert (entry["player"], entry["infoset"], entry["label"], entry["reached"]) == (1, 1, "1: start", True)
    assert list(entry["probabilities"]) == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    assert len(data["profile"]) == 192
    assert all(entry["reached"] for entry in data["profile"] if entry["label"].endswith(": start"))
    assert any(not entry["reached"] for entry in data["profile"])
    assert "quasi-perfect: equilibrium, value -1/9" in repr(SOLUTION)


def test_a_profile_survives_the_round_trip(tmp_path):
    again = read_solution(SOLUTION.write(tmp_path / "s.json"), SOLUTION.tree)
    assert again.probabilities == SOLUTION.profile.probabilities
    assert again.exact


def change(**changes):
    data = json.loads(json.dumps(SOLUTION.to_json()))
    data["profile"][4].update(changes)
    return json.dumps(data)


ACTIONS = SOLUTION.to_json()["profile"][4]["probabilities"]


def weight(value):
    return change(probabilities=dict.fromkeys(ACTIONS, 0) | {next(iter(ACTIONS)): value})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "no list 'profile'"),
        ('{"profile": null, "status": "timeout"}', r"it has no profile \(status timeout\)$"),
        ('{"profile": null, "status": 3}', r"it has no profile \(status unknown\)$"),
        ('{"profile": [3]}', "entry 1 of 'profile': not an object"),
        ('{"profile": []}', "the information set '1: start' is missing"),
        (change(infoset=9999), "entry 5 .* no information set 9999 of player 1"),
        (change(infoset="5"), "no information set 5"),
        (change(label="something"), "the label is 'something'"),
        (change(probabilities={"2x1": 1}), "exactly the actions"),
        (change(probabilities=None), "exactly the actions"),
        (change(probabilities={action: f"1/{10**1900 + k}" for k, action in enumerate(ACTIONS)}), "sum to"),
        (weight("x"), "not a number"),
        (weight("1/0"), "denominator of zero"),
        (weight("2"), "sum to"),
        (weight(-1), "negative"),
        (weight("9" * 5000), "more than 4000 digits"),
        (weight("1e99999"), "more than 4000 digits"),
    ],
    ids=range(18),
)
def test_what_does_not_fit_is_named(tmp_path, text, words):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(eb.ProfileError, match=words) as caught:
        read_solution(tmp_path / "s.json", SOLUTION.tree)
    assert "\n" not in str(caught.value)


def test_what_read_solution_gives_and_what_it_does_not(tmp_path):
    path = eb.solve(GAME, "oracle").write(tmp_path / "s.json")
    with pytest.raises(
        eb.ProfileError, match=r"s\.json: it was found without a tree, .*eb\.read_strategy reads its strat"
    ):
        read_solution(path, SOLUTION.tree)
    assert read_sparse(path).sizes == eb.solve(GAME, "oracle").sparse.sizes
    assert "not the verdict" in read_solution.__doc__
    # The verdict is not read but worked out anew.
    read = read_solution(SOLUTION.write(tmp_path / "t.json"), SOLUTION.tree)
    assert eb.verify(read) == SOLUTION.verdict


def test_behavior_by_label():
    assert sum(SOLUTION.profile["1: start"].values()) == 1
    assert list(SOLUTION.profile["3: 2x2"]) == ["2x3", "call"]
    with pytest.raises(eb.ParameterError, match="no information set is labeled '1: strat'; did you mean '1: start'"):
        SOLUTION.profile["1: strat"]
    assert dict(SOLUTION.profile)["1: start"] == SOLUTION.profile["1: start"]
    assert len(list(SOLUTION.profile)) == len(SOLUTION.tree.personal)
    assert "2: 1x1" in SOLUTION.profile
    assert "2: 1x9" not in SOLUTION.profile


def test_numbers_of_any_length_have_a_text():
    from efg_builder.base.rationals import parse, text, to_json

    for exponent in (1, 599, 600, 601, 1200, 4299):
        for number in (Fraction(10**exponent), Fraction(-(10**exponent) + 1), Fraction(7, 10**exponent + 1)):
            assert text(number) == str(number)
    assert text(Fraction(10**9000)) == "1" + "0" * 9000
    assert to_json(Fraction(-1, 10**5000)) == "-1/1" + "0" * 5000
    with pytest.raises(ValueError, match="more than 4000 digits"):
        parse(text(Fraction(10**5000)))
    assert (text(0.5), text(Fraction(0))) == ("0.5", "0")


def test_a_byte_order_mark_is_no_error(tmp_path):
    file = tmp_path / "s.json"
    file.write_text(json.dumps(SOLUTION.to_json()), encoding="utf-8-sig")
    assert read_solution(file, SOLUTION.tree).probabilities == SOLUTION.profile.probabilities


@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy])
def test_trees_and_solutions_can_be_pickled_and_copied(copied):
    moves = 'p "first" 1 1 "a" { "l" "r" } 0\nt "" 1 "" { 1 }\nt "end" 2 "" { 0 }\n'
    tree = eb.parse_efg(f'EFG 2 R "t" {{ "A" }} ""\n{moves}')
    assert tree.node_counts["nodes"] == 3
    again = copied(tree)
    assert again == tree
    assert dict(again.node_labels) == {0: "first", 2: "end"}
    assert not again.parent.flags.writeable
    solution = copied(SOLUTION)
    assert solution.tree == SOLUTION.tree
    assert solution.profile.tree is solution.tree
    assert solution.to_json() == SOLUTION.to_json()


WRONG_SETTINGS = [
    ({"timeout": 0}, "timeout=0: must be a number of seconds above 0"),
    ({"timeout": float("nan")}, "timeout=nan"),
    ({"timeout": "5"}, "timeout='5'"),
    ({"tolerance": -1}, "tolerance=-1: must be a finite number of at least 0"),
    ({"tolerance": float("inf")}, "tolerance=inf"),
    (
        {"options": {"x": 1}},
        r"^auto takes lp for this game, and lp has no option 'x'; it takes no options; "
        r"an option of another method requires --method METHOD \(method=\)$",
    ),
    ({"options": {"x": 1}, "refine": True}, r"^--refine \(refine=True\) takes no options \(--option, options=\)$"),
    ({"method": "lpp"}, "did you mean 'lp'"),
    ({"method": "lp", "options": {"x": 1}}, "lp has no option 'x'; it takes no options"),
    ({"method": "gambit-lp", "options": {"x": 1}}, "gambit-lp has no option 'x'; its options: rational"),
]


MATRIX, BRANCH = eb.matrix("kuhn"), partial(eb.quantal_branch, "dice-poker sides=2")

RESPONSE = partial(eb.best_response, profile=SOLUTION.profile, player=0)
PROVE, JUDGE = partial(eb.verify, SOLUTION), partial(eb.verify, SOLUTION.strategy)

WRONG_TYPES = [
    *(
        (call, {name: wrong}, rf"^{call.__name__}\(\) takes .*, not {type(wrong).__name__}")
        for call, name in [
            (eb.solve, "game"),
            (eb.ranges, "game"),
            (eb.matrix, "tree"),
            (eb.quantal_branch, "tree"),
            (eb.read_solution, "path"),
            (eb.solve_many, "games"),
        ]
        for wrong in (5, -0.5, None, b"kuhn")
    ),
    (eb.solve, {"game": SOLUTION.strategy}, r"^solve\(\) takes a game or a tree, not TreeProfile"),
    (eb.solve, {"game": eb.GameTree}, r"^solve\(\) takes a game or a tree, not type"),
    (eb.solve_many, {"games": "kuhn"}, r"^solve_many\(\) takes a list of games as games=, not str 'kuhn'$"),
    (eb.solve_many, {"games": [], "time": 5}, r"^solve_many\(\) takes no argument time=; did you mean 'timeout'\?$"),
    *(
        (partial(call, "kuhn"), {name: wrong}, rf"^{call.__name__}\(\) takes .* as {name}=, not {type(wrong).__name__}")
        for call, name, wrong in [
            (eb.solve, "options", "x=1"),
            (eb.solve, "options", [1]),
            (eb.solve, "refine", "yes"),
            (eb.solve, "progress", 5),
            (eb.solve, "progress", eb.GameTree),
            (eb.solve, "checkpoint", b"x.npz"),
            (eb.solve, "resume", 5),
            (eb.solve, "max_nodes", "1000"),
            (eb.solve, "max_nodes", None),
            (eb.ranges, "max_nodes", float("nan")),
            (eb.ranges, "progress", int),
            (eb.matrix, "max_cells", "5"),
            (eb.quantal_branch, "progress", "x"),
        ]
    ),
    (eb.ranges, {"game": "kuhn", "vertices": -1}, "^vertices=-1: must be"),
    (eb.ranges, {"game": "kuhn", "timeout": "5"}, "^timeout='5': must be"),
    (BRANCH, {"max_regret": "x"}, "^max_regret='x': must be"),
    (BRANCH, {"timeout": "5"}, "^timeout='5': must be"),
    (BRANCH, {"points": 2.5}, "^points=2.5: must be"),
    (MATRIX.analyse, {"start": 1.5}, r"^analyse\(\) takes a strategy's number as start=, not float 1.5$"),
    (MATRIX.analyse, {"timeout": "5"}, "^timeout='5': must be"),
    (MATRIX.analyse, {"progress": 5}, r"^analyse\(\) takes a function as progress=, not int 5$"),
    *(
        (
            MATRIX.payoff,
            {"row": 0, "column": 0} | {name: wrong},
            rf"^payoff\(\) takes a number from 0 to {most} as {name}=",
        )
        for name, most in (("row", MATRIX.shape[0] - 1), ("column", MATRIX.shape[1] - 1))
        for wrong in (-1, most + 1, "0", 0.0, None)
    ),
    (MATRIX.write, {"path": 5}, "^5 is not the path of a file"),
    (SOLUTION.write, {"path": "a\0.json"}, "is not the path of a file: it has a null character$"),
    (eb.read_efg, {"path": "a\0.efg"}, "is not the path of a file: it has a null character$"),
    *(
        (partial(call, SOLUTION, "x.html"), {name: wrong}, rf"^{call.__name__}\(\) takes {words}")
        for call, name, words in (
            (eb.write_report, "progress", "a function as progress=, not "),
            (eb.write_report, "commands", "Commands or None as commands, not "),
            (eb.write_report, "file", "the name of a file as file=, not "),
            (eb.write_viewer, "shown", "solutions by name, not "),
            (eb.write_viewer, "ranges", "ranges, not "),
        )
        for wrong in (5, SOLUTION)
    ),
    (RESPONSE, {"profile": SOLUTION}, r"^best_response\(\) takes a strategy on a tree, not Solution"),
    *(
        (RESPONSE, {"player": wrong}, r"^best_response\(\) takes a number as player=, not ")
        for wrong in ("0", 0.5, None)
    ),
    (RESPONSE, {"player": 2}, "^there is no player number 2; choose from: 0, 1"),
    (eb.verify, {"given": 5}, r"^verify\(\) takes a strategy, a solution, or the path of a file, not int 5"),
    (PROVE, {"game": 5}, r"^verify\(\) takes a game or a tree, not int 5"),
    (PROVE, {"max_nodes": "5"}, r"^verify\(\) takes a number as max_nodes=, not str '5'"),
    (PROVE, {"over": "tree"}, r"^verify\(\) takes no argument over= with Solution; choose from: tolerance, game"),
    (JUDGE, {"game": GAME}, r"^verify\(\) takes no argument game= with TreeProfile; choose from: tolerance, over"),
    (JUDGE, {"progress": 5}, r"^verify\(\) takes a function as progress=, not int 5"),
    (JUDGE, {"over": "dense", "kind": int}, r"^verify\(\) takes numpy.float32 or numpy.float64 as kind=, not type"),
    (JUDGE, {"tolerance": "x"}, "^tolerance='x': must be a finite number of at least 0"),
]


def test_settings_may_be_plain_python_values():
    game = eb.game("dice-poker", sides=2)
    options = {"use_strategic": True, "stop_after": 1}
    solution = eb.solve(game, "gambit-lcp", timeout=Fraction(60), tolerance=Fraction(0), options=options)
    assert (solution.status, len(solution.judged)) == ("equilibrium", 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((partial(eb.solve, GAME, **wrong), words) for wrong, words in WRONG_SETTINGS),
        (lambda: eb.build(5), r"build\(\) takes a game, not int 5; a game can be a name, e.g. 'kuhn'"),
        (lambda: eb.build(SOLUTION), r"build\(\) takes a game, not Solution"),
        (lambda: eb.solve("liars"), r"there is no game 'liars'; did you mean 'liars-dice'"),
        (lambda: write_efg(GAME, "x.efg"), r"write_efg\(\) takes a tree, not LiarsDice; eb.build\(game\) makes a tree"),
        (lambda: to_efg(GAME), r"to_efg\(\) takes a tree"),
        *((partial(call, **given), words) for call, given, words in WRONG_TYPES),
    ],
)
def test_what_is_out_of_range_or_no_game_or_tree_is_named(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(eb.ParameterError, match=words):
        call()
    assert not list(tmp_path.iterdir())


def test_a_tree_that_was_built_knows_its_game(tmp_path):
    game = eb.game("liars-dice", sides=2)
    tree = eb.build(game)
    solution = tree.solve()
    assert solution.game is tree.game is game
    assert eb.verify(solution.write(tmp_path / "s.json")).exact
    assert eb.ranges(tree).game is game
    # What was read, changed or unpickled is known by its tree alone.
    for other in (eb.parse_efg(tree.to_efg()), replace(tree, title="another"), pickle.loads(pickle.dumps(tree))):
        assert other.game is None
        assert other.solve().game is None


def test_all_public_results_print_in_short(tmp_path, in_process):
    poker = eb.build(eb.game("dice-poker", sides=2))
    matrix, large = eb.matrix(poker), eb.solve(GAME, "oracle")
    shown = {
        "Game": GAME,
        "GameTree": SOLUTION.tree,
        "Solution": SOLUTION,
        "strategy": SOLUTION.strategy,
        "TreeProfile": SOLUTION.judged[0].strategy,
        "SparseProfile": large.strategy,
        "Policy": eb.Policy(lambda turn, hand: {}),
        "Verdict": SOLUTION.verdict,
        "verify": eb.verify(large.strategy),
        "verify_file": eb.verify(SOLUTION.write(tmp_path / "s.json")),
        "evaluate": eb.evaluate(GAME, "uniform"),
        "best_response": eb.best_response(SOLUTION.profile, 0),
        "read_strategy": eb.read_strategy(SOLUTION.to_json(), GAME),
        "ranges": eb.ranges(GAME),
        "matrix": matrix,
        "analyse": matrix.analyse(),
        "quantal_branch": eb.quantal_branch(poker),
        "support_tree": eb.support_tree(large),
        "table_view": eb.table_view(large),
        "catalogue": eb.catalogue(),
        "methods": eb.methods(),
        "DrawOptions": eb.DrawOptions(),
    }
    for name, each in shown.items():
        assert len(repr(each)) < 2_000, name
        assert repr(each).count("Fraction(") <= 8, name  # a Verdict has eight figures
        assert "Fraction(" not in str(each).replace(repr(each), ""), name
        assert len(str(each).splitlines()) <= 90, name  # of ranges 40 sets of each player


@pytest.mark.parametrize(
    ("words", "made"),
    [
        ("solve dice-poker", lambda: eb.solve(eb.game("dice-poker"))),
        ("solve liars-dice sides=3 --method oracle", lambda: eb.solve(GAME, "oracle")),
        ("ranges dice-poker", lambda: eb.ranges(eb.game("dice-poker"))),
        ("qre dice-poker sides=2", lambda: eb.quantal_branch(eb.build(eb.game("dice-poker", sides=2)))),
        ("matrix dice-poker sides=2", lambda: eb.matrix(eb.build(eb.game("dice-poker", sides=2))).analyse()),
        ("verify docs/certificates/1v1-3.json.gz", lambda: eb.verify("docs/certificates/1v1-3.json.gz")),
    ],
)
def test_a_result_prints_as_its_command_prints_it(cli, words, made, monkeypatch, in_process):
    monkeypatch.chdir(ROOT)
    printed = [line for line in cli(*words.split())[1].splitlines() if not line.startswith(("seconds", "(rounded"))]
    assert [line for line in str(made()).splitlines() if not line.startswith("seconds")] == printed


def test_a_match_and_an_arena_print_as_their_commands_print_them(cli):
    match = eb.solve_match(eb.match_rules({"sides": 2, "dice": "2,1"}))
    printed = cli("match", "liars-dice", "sides=2", "dice=2,1")[1]
    assert printed.startswith(f"{match}\nproof       ")
    assert repr(match).endswith("rounds, value 5/8 = 0.625>")
    assert len(repr(match.rounds[0])) < 300  # not the whole certificate
    standings = eb.run_arena(GAME, ["uniform", "always-call"], 100, workers=1)
    words = ("arena", "liars-dice", "sides=3", "--players", "uniform,always-call", "--games", "100", "--workers", "1")
    assert cli(*words)[1] == f"{standings}\n"
    assert repr(standings) == f"<Standings of {GAME.title!r}: 2 players, 100 rounds>"


def test_a_profile_prints_what_play_reaches_and_how_many_sets_are_left_out():
    lines = str(SOLUTION.profile).splitlines()
    assert lines[:2] == [GAME.title, "  Player 1  1: start    1x1"]
    reached = [k for k in SOLUTION.tree.personal if SOLUTION.verdict.reach[k]]
    left = len(SOLUTION.tree.personal) - len(reached)
    assert len(lines) == 2 + len(reached)
    assert lines[-1].startswith(f"and {left} more information sets, never reached: profile[NAME] shows one")
    uniform = eb.TreeProfile.uniform(SOLUTION.tree)
    lines = str(uniform).splitlines()
    assert len(lines) == 42
    assert lines[-1].startswith("and 152 more information sets, none of them reached more often")
    reach = eb.verify(uniform).reach
    likeliest = sorted(reach[k] for k in SOLUTION.tree.personal)[-40]
    shown = {line.split("  ")[2].strip() for line in lines[1:-1]}
    for k in SOLUTION.tree.personal:  # each that is likelier than the fortieth is there
        assert SOLUTION.tree.names[k] in shown or reach[k] <= likeliest
    sparse = str(eb.solve(GAME, "oracle").strategy).splitlines()
    assert sparse[1] == "moves at 2 + 5 information sets; elsewhere, the player makes the default move"
    assert sparse[2] == "  Player 1  1: start        1x1"


def test_a_matrix_prints_its_payoffs_as_many_as_fit():
    form = eb.matrix(eb.build(eb.game("dice-poker", sides=2)))
    # A raises with both and B folds with both: A wins the ante, which is 1.
    assert str(form).splitlines()[-1].split() == ["22", "1", "0", "1", "0"]
    assert "payoffs to A; payoffs sum to 0" in str(form)
    large = str(eb.matrix(eb.build(eb.game("liars-dice", sides=2)))).splitlines()
    assert len(large) == 2 + 1 + 16 + 1
    assert large[-1].endswith(" columns more: form.write('matrix.csv') writes all")


def test_a_verdict_prints_where_a_player_loses():
    verdict = str(eb.verify(eb.TreeProfile.uniform(SOLUTION.tree))).splitlines()
    assert verdict[0] == "equilibrium    no: regret 334/405 = 0.824691"
    assert any(line.startswith("  player 1  3: start  1x1 1/6, ") for line in verdict)
    assert str(SOLUTION.verdict).splitlines()[:2] == [
        "equilibrium    yes: regret 0",
        "bounds         the value to player 1 is -1/9 = -0.111111",
    ]


UNSOLVED = replace(SOLUTION, status="timeout", message="the time limit came first", judged=())


@pytest.mark.parametrize(
    ("solution", "names", "words", "late"),
    [
        (UNSOLVED, ("strategy", "value", "regret", "regrets"), "'timeout': .*; a longer timeout= may find one$", True),
        (
            eb.solve("kuhn", "backward"),
            ("strategy", "value", "regret", "regrets"),
            r"has no \w+; backward ended with status 'not-applicable': .*; eb.solve\(game\) chooses a method$",
            False,
        ),
        (
            replace(UNSOLVED, status="interrupted"),
            ("value",),
            r"ended with status 'interrupted': .* first$",
            False,
        ),
        (
            replace(SOLUTION, status="no-result", judged=(replace(SOLUTION.judged[0], verdict=None),)),
            ("value", "regret", "regrets"),
            r"; \.strategy was found, but not verified$",
            False,
        ),
    ],
)
def test_what_was_not_found_raises_and_the_rest_shows_itself(solution, names, words, late, tmp_path):
    for name in names:
        with pytest.raises(eb.NotSolvedError, match=words) as error:
            getattr(solution, name)
        assert error.value.timed_out == late
    assert solution.verdict is None
    assert solution.status in repr(solution)
    assert solution.report(tmp_path / "r.html").stat().st_size
    assert f"status        {solution.status}" in str(solution)
    data = solution.to_json()
    assert data["value"] is data["regret"] is None
    assert "regrets" not in data
    if not solution.judged:
        assert data["profile"] is solution.profile is solution.sparse is None
        assert solution._repr_html_()
        for write in (
            solution.table,
            solution.to_gambit,
            lambda: eb.evaluate("kuhn", solution),
        ):
            with pytest.raises(eb.NotSolvedError, match="has no strategy"):
                write()


def test_no_support_tree_is_built_for_strategies_that_are_not_printed(monkeypatch):
    solution = eb.solve("liars-dice sides=5 dice=2,1", "oracle")
    assert sum(solution.sparse.sizes) > SHOWN_SETS
    monkeypatch.setattr("efg_builder.equilibria.solution_facts.support_tree", lambda *of, **more: pytest.fail("built"))
    assert "support" in str(solution)
    assert "strategy" not in str(solution)
