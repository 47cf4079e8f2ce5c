"""Our games and strategies elsewhere: pygambit's profiles, spreadsheets, OpenSpiel."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import brute
import pygambit
import pytest

import efg_builder as eb
from efg_builder.base.files import csv_lines
from efg_builder.interop import open_spiel

GENERAL = """EFG 2 R "Chain" { "A" "B" "C" }
c "" 1 "roll" { "h" 1/3 "l" 2/3 "never" 0 } 1 "fee" { -1/2, 0, 0 }
p "" 1 7 "" { "in" "out" } 0
p "" 2 1 "b" { "x" "y" } 0
t "" 2 "two" { 2, 1, 0 }
t "" 3 "three" { 0, 3, 1 }
t "" 4 "four" { 1, 1, 1 }
p "" 2 1 "b" { "x" "y" } 0
t "" 2 "two" { 2, 1, 0 }
p "" 3 4 "c" { "x" "x" } 0
t "" 3 "three" { 0, 3, 1 }
t "" 0
p "" 1 2 "alone" { "in" "out" } 0
t "" 4 "four" { 1, 1, 1 }
t "" 0
"""
"""Three players, a roll that never comes, an outcome on the way, numbers out of order, empty and equal labels."""

POKER = eb.game("dice-poker", sides=3)


# --- pygambit


@pytest.mark.parametrize(
    ("name", "chosen"), [("liars-dice", {}), ("dice-poker", {"sides": 3}), ("mia", {}), ("liars-dice", {"sides": 3})]
)
def test_gambit_finds_no_regret_in_an_exact_solution(name: str, chosen: dict[str, object]) -> None:
    solution = eb.solve(eb.build(eb.game(name, **chosen)))
    assert solution.exact
    for theirs in (eb.to_gambit(solution), eb.to_gambit(solution.profile), solution.to_gambit()):
        assert theirs.max_regret() == 0
        assert eb.build(theirs.game) == solution.tree
        payoffs = [Fraction(str(theirs.payoffs[player])) for player in theirs.game.players]
        assert payoffs == list(solution.value)


@pytest.mark.parametrize("options", [{}, {"method": "extreme"}])
def test_a_solution_of_a_pygambit_game_is_a_profile_on_this_game(options: dict[str, str]) -> None:
    for theirs in (pygambit.read_efg(io.StringIO(GENERAL)), pygambit.read_efg(io.StringIO(eb.build(POKER).to_efg()))):
        if len(theirs.players) > 2 and options:
            continue
        for solution in (eb.solve(theirs, **options), *eb.solve_many([theirs], workers=2, **options)):
            assert solution.equilibria
            for found in (solution, solution.strategy, *solution.equilibria):
                profile = eb.to_gambit(found)
                assert profile.game == theirs  # as in pygambit, where it is a new object each time
                assert profile.max_regret() < 1e-9


def test_a_solution_of_a_strategic_game_is_a_profile_on_this_game() -> None:
    theirs = pygambit.StrategicGame.from_arrays([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    solution = eb.solve(theirs, "extreme")
    assert len(solution.equilibria) == 3
    for found in solution.equilibria:
        profile = eb.to_gambit(found)
        assert profile.game == theirs  # as in pygambit, where it is a new object each time
        assert profile.max_regret() == 0
        assert eb.verify(profile).value == eb.verify(found).value


def test_a_pygambit_game_that_changes_after_it_is_solved_gets_no_profile() -> None:
    theirs = pygambit.read_efg(io.StringIO(eb.build(POKER).to_efg()))
    solution = eb.solve(theirs)
    theirs.title = "another"
    assert eb.to_gambit(solution).game.title == solution.title


def test_verify_judges_profiles_of_pygambit() -> None:
    theirs = pygambit.read_efg(io.StringIO(GENERAL))
    behavior, mixed = theirs.mixed_behavior_profile(rational=True), theirs.mixed_strategy_profile(rational=True)
    for profile in (behavior, mixed):
        assert eb.verify(profile).regret == Fraction(str(profile.max_regret())) > 0
    assert not eb.verify(theirs.mixed_behavior_profile()).exact
    strategic = pygambit.StrategicGame.from_arrays([[1, -1], [-1, 2]], [[-1, 1], [1, -2]])
    assert eb.verify(pygambit.nash.lcp_solve(strategic).equilibria[0]).equilibrium
    assert eb.verify(pygambit.nash.lp_solve(strategic, rational=True)).regret == 0
    with pytest.raises(eb.ParameterError, match="StrategicGame is not a strategy"):
        eb.verify(strategic)
    with pytest.raises(eb.ParameterError, match="takes no argument game="):
        eb.verify(behavior, game=theirs)


def test_floats_stay_floats() -> None:
    tree = eb.build(POKER)
    rows = dict.fromkeys(tree.personal, (0.25, 0.75))
    theirs = eb.TreeProfile.from_personal(tree, rows).to_gambit()
    assert isinstance(theirs.max_regret(), float)
    assert theirs.max_regret() == pytest.approx(float(eb.verify(eb.TreeProfile.from_personal(tree, rows)).regret))


@pytest.mark.parametrize("seed", range(5))
def test_a_profile_of_gambits_is_a_strategy_with_the_regret_that_brute_force_sees(seed: int) -> None:
    tree = eb.parse_efg(GENERAL)
    profile = brute.random_profile(tree, seed)
    theirs = profile.to_gambit()
    match, verdict = eb.evaluate(tree, theirs).matches[0], eb.verify(profile)
    assert match.value == verdict.value
    assert Fraction(str(theirs.max_regret())) == brute.regret(profile) == verdict.regret
    assert [Fraction(str(theirs.payoffs[player])) for player in theirs.game.players] == list(match.value)
    assert eb.evaluate(theirs.game, theirs.as_strategy()).matches[0].value == match.value
    back = eb.read_strategy(theirs, tree)
    assert isinstance(back, eb.TreeProfile)
    assert back.probabilities == profile.probabilities
    assert not eb.evaluate(tree, theirs.as_float()).exact


def test_what_gambits_routines_return_is_a_strategy() -> None:
    solution = eb.solve(POKER)
    result = pygambit.nash.lp_solve(eb.to_gambit(solution.tree), rational=True)
    assert eb.evaluate(POKER, result).matches[0].nash_conv == 0
    game = pygambit.StrategicGame.from_arrays([[1, -1], [-1, 2]], [[-1, 1], [1, -2]])
    found = pygambit.nash.enummixed_solve(game)
    assert eb.evaluate(game, found.equilibria[0]).matches[0].nash_conv == 0
    with pytest.raises(eb.ParameterError, match=r"EnumMixedResult is not a strategy; .* take one of its \.equilibria"):
        eb.evaluate(game, found)
    with pytest.raises(eb.ProfileError, match="not to 'Untitled strategic game': the games differ in moves"):
        eb.evaluate(game, result)
    with pytest.raises(eb.ParameterError, match="StrategicGame is not a strategy"):
        eb.evaluate(game, game)


def test_a_profile_of_gambits_must_be_a_distribution_where_play_gets() -> None:
    theirs = eb.to_gambit(eb.solve(POKER))
    weights = [[[2 for _ in actions] for _, actions in sets] for sets in theirs]
    theirs = theirs.game.mixed_behavior_profile(weights, rational=True)
    with pytest.raises(eb.ProfileError, match="must sum to 1"):
        eb.evaluate(POKER, theirs)


def test_what_gambit_cannot_have_is_refused() -> None:
    with pytest.raises(eb.NotApplicableError, match="no profile on a tree"):
        eb.solve(eb.game("liars-dice"), "oracle").to_gambit()


# --- spreadsheets


def table(solution: eb.Solution) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(csv_lines(solution.table())).decode())))


def test_a_table_has_every_probability_and_where_play_gets_to() -> None:
    solution = eb.solve(eb.build(POKER))
    rows = table(solution)
    assert list(rows[0]) == ["player", "infoset", "action", "probability", "float", "reach probability"]
    tree, profile = solution.tree, solution.profile
    assert len(rows) == sum(len(tree.infosets[k].actions) for k in tree.personal)
    reach = {tree.infosets[k].label: solution.verdict.reach[k] for k in tree.personal}
    for row in rows:
        exact = profile[row["infoset"]][row["action"]]
        assert Fraction(row["probability"]) == exact
        assert float(row["float"]) == float(exact)
        assert Fraction(row["reach probability"]) == reach[row["infoset"]]


# --- OpenSpiel (skipped where it is not installed)


@pytest.fixture
def pyspiel():
    return pytest.importorskip("pyspiel")


@pytest.mark.parametrize("tree", ["liars-dice", "dice-poker", "mia", "general"])
def test_open_spiel_reads_our_files_as_the_same_game(pyspiel, tree: str) -> None:
    ours = eb.parse_efg(GENERAL) if tree == "general" else eb.build(eb.game(tree))
    theirs, sets = open_spiel.load(ours), {}
    assert theirs.num_players() == len(ours.players)
    paid = brute_payoffs(ours)
    for node, state in open_spiel._side_by_side(ours, theirs):
        if state.is_terminal():
            assert state.returns() == pytest.approx([float(u) for u in paid[node]])
        elif state.is_chance_node():
            chances = ours.infosets[ours.infoset[node]].probabilities
            assert [p for _, p in state.chance_outcomes()] == pytest.approx([float(p) for p in chances])
        else:
            sets.setdefault(state.information_state_string(), set()).add(int(ours.infoset[node]))
    # Theirs and ours divide the nodes into the same sets.
    assert sorted(map(len, sets.values())) == [1] * len(sets)
    assert {k for found in sets.values() for k in found} == set(ours.personal)


def brute_payoffs(tree: eb.GameTree) -> dict[int, list[Fraction]]:
    found: dict[int, list[Fraction]] = {}
    for node in range(len(tree)):
        above = found[int(tree.parent[node])] if node else [Fraction(0)] * len(tree.players)
        found[node] = [a + b for a, b in zip(above, tree.payoffs[tree.outcome[node]], strict=True)]
    return found


@pytest.mark.parametrize(("name", "value"), [("liars-dice", "0"), ("dice-poker", "5/54"), ("mia", None)])
def test_open_spiel_finds_no_gain_in_an_exact_solution(pyspiel, name: str, value: str | None) -> None:
    tree = eb.build(eb.game(name, **({"sides": 6} if name == "dice-poker" else {})))
    solution = eb.solve(tree)
    theirs = open_spiel.load(tree)
    policy = open_spiel.policy(solution.profile, theirs)
    assert pyspiel.nash_conv(theirs, policy, False) == pytest.approx(0, abs=1e-12)
    returns = pyspiel.expected_returns(theirs.new_initial_state(), policy, -1, True)
    assert returns == pytest.approx([float(v) for v in solution.value], abs=1e-12)
    assert value is None or solution.value[0] == Fraction(value)
    # The measure is not blind: uniform play leaves a gain, the one that ours finds.
    uniform = eb.TreeProfile.uniform(tree)
    verdict = eb.verify(uniform)
    gains = [float(b - v) for b, v in zip(verdict.best_responses, verdict.value, strict=True)]
    found = pyspiel.nash_conv(theirs, open_spiel.policy(uniform, theirs), False)
    assert found == pytest.approx(sum(gains))
    assert found > 1e-3


# Values: OpenSpiel's own sequence-form LP tests, and Kuhn (1950); the pennies and the auction are symmetric.
@pytest.mark.parametrize(
    ("name", "nodes", "value"),
    [
        ("kuhn_poker", 58, Fraction(-1, 18)),
        ("matrix_rps", 13, Fraction(0)),  # simultaneous moves become turns
        ("goofspiel(num_cards=3)", None, Fraction(0)),
        ("first_sealed_auction(max_value=3)", None, None),
    ],
)
def test_a_game_of_open_spiels_is_solved(pyspiel, name: str, nodes: int | None, value: Fraction | None) -> None:
    theirs = pyspiel.load_game(name)
    tree = eb.build(theirs)
    assert nodes is None or len(tree) == nodes
    solution = eb.solve(theirs)
    assert solution.exact
    assert value is None or solution.value[0] == value
    assert eb.parse_efg(tree.to_efg()) == tree
    # Their own best responses find no gain, on their own game.
    turns = (
        theirs if name in ("kuhn_poker", "first_sealed_auction(max_value=3)") else pyspiel.convert_to_turn_based(theirs)
    )
    assert pyspiel.nash_conv(turns, open_spiel.policy(solution.profile, turns), False) == pytest.approx(0, abs=1e-9)


def test_a_state_of_open_spiels_is_a_game_of_its_own(pyspiel) -> None:
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for move in (4, 0, 8, 2):  # x must answer at the top: a draw
        state.apply_action(move)
    tree = eb.build(state)
    assert len(tree) < 500
    assert eb.solve(tree).value == (0, 0)
    assert str(state) == str(state.clone())  # nobody has moved in it


def test_what_of_open_spiels_has_no_tree_is_named(pyspiel) -> None:
    for name, lacking in {
        "mfg_crowd_modelling": "simultaneous moves",
        "hanabi": "no information states",
        "tarok": "sampled chance",
    }.items():
        with pytest.raises(eb.NotApplicableError, match=f"has {lacking}, so it has no tree"):
            eb.build(pyspiel.load_game(name))
    with pytest.raises(eb.TreeTooLargeError):
        eb.build(pyspiel.load_game("leduc_poker"), max_nodes=100)


def test_another_game_of_open_spiels_is_refused(pyspiel) -> None:
    tree = eb.build(POKER)
    other = open_spiel.load(eb.build(eb.game("dice-poker", sides=2)))
    with pytest.raises(eb.ProfileError, match="different numbers of actions"):
        open_spiel.policy(eb.TreeProfile.uniform(tree), other)


def test_without_open_spiel_it_is_named(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    with pytest.raises(eb.NotApplicableError, match="OpenSpiel is not installed: pip install"):
        open_spiel.load(eb.build(POKER))
