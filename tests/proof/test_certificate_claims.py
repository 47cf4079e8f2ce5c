"""What a solution file may claim beside the exact value: tolerances, several equilibria, profiles in floats."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from certificates import (
    GAME,
    POKER,
    POKER_SOLVED,
    SPARSE,
    THREE,
    THREE_ON_TREE,
    changed,
    sparse_solution,
    written,
)
from small_files import BATTLE

import efg_builder as eb
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.proof import checker, prove_near, verify_sequential
from efg_builder.proof.certificate import reading, verify_solution
from efg_builder.strategies.sparse_profile import SparseProfile


def in_floats(profile):
    tree = profile.tree
    return eb.TreeProfile.from_personal(tree, {k: [float(p) for p in profile.probabilities[k]] for k in tree.personal})


def solution_of(*profiles, game=None, several=False, status="equilibrium", tolerance=None):
    judged = tuple(Judged(profile, eb.verify(profile, tolerance)) for profile in profiles)
    tree = profiles[0].tree
    return Solution(tree, "by hand", status, "", 0.0, judged, several, game=game, tolerance=tolerance)


def test_floats_are_proved_to_within_the_tolerance(tmp_path, cli):
    solution = solution_of(in_floats(POKER_SOLVED.profile), game=POKER)
    path = written(solution, tmp_path)
    proof = verify_solution(path)
    assert not proof.exact
    assert proof.checked.startswith("in floats, to within 1e-06 of the payoff range")
    assert proof.value[0] == pytest.approx(5 / 54)
    nan = [float("nan")] * 2
    for key, value in (
        ("lower", solution.lower + 1e-6),
        ("value", nan),
        ("upper", float("inf")),
        ("exact", True),
        ("regret", "0"),
        ("upper", "5/54"),
    ):
        with pytest.raises(eb.CertificateError, match=f"claim: {key}"):
            verify_solution(changed(written(solution, tmp_path), lambda data, k=key, v=value: data.update({k: v})))


def test_a_tolerance_that_the_file_names_is_no_criterion(tmp_path, cli):
    uniform, nothing = eb.TreeProfile.uniform(POKER_SOLVED.tree), SparseProfile(GAME, ({}, {}))
    for tolerance in ("1/2", "1", "1000", 1.0, 1e300):
        for solution in (solution_of(uniform, game=POKER), sparse_solution(GAME, nothing)):
            path = changed(
                written(solution, tmp_path),
                lambda data, tolerance=tolerance: data.update(tolerance=tolerance, status="equilibrium"),
            )
            with pytest.raises(eb.CertificateError, match=r"by the file's own tolerance .* a player gains"):
                eb.verify_file(path)
            assert cli("verify", path)[0] == 3
            with pytest.raises(checker.Refused, match=r"claim, status|the whole"):
                checker.prove(json.loads(path.read_text()))
            proof = eb.verify_file(path, tolerance=Fraction(19, 20))
            assert (proof.status, proof.tolerance) == ("equilibrium", Fraction(19, 20))
            assert proof.regret > 0
            code, out, err = cli("verify", path, "--tolerance", "0.95")
            assert (code, err) == (0, "")
            assert "tolerance     19/20 = 0.95 of the payoff range may be gained in an equilibrium\n" in out


def of_three(profile, status):
    """Claims of this profile of three players, in both forms."""
    yield sparse_solution(THREE.game, profile, status)
    yield solution_of(profile.on(THREE_ON_TREE.tree), game=THREE.game, status=status)


def test_a_tolerance_is_no_criterion_for_three_players_either(tmp_path, cli):
    nothing = SparseProfile(THREE.game, ({}, {}, {}))
    for solution in of_three(nothing, "near-equilibrium"):
        path = written(solution, tmp_path)
        assert cli("verify", path)[0] == 0
        for tolerance in ("1", "1000", 1e300):
            changed(path, lambda data, t=tolerance: data.update(tolerance=t, status="near-equilibrium"))
            assert eb.verify_file(path).status == "near-equilibrium"
            changed(path, lambda data: data.update(status="equilibrium"))
            code, out, err = cli("verify", path)
            assert (code, out) == (3, "")
            assert re.search(r"claim: status is .* by the file's own tolerance .* a player gains", err)
            with pytest.raises(checker.Refused, match=r"claim, status|the whole"):
                checker.prove(json.loads(path.read_text()))
            assert cli("verify", path, "--tolerance", "1")[0] == 0


@pytest.mark.parametrize("tiny", [Fraction(1, 10**17), Fraction(1, 10**300)])
def test_who_gains_next_to_nothing_is_in_no_equilibrium(tiny, tmp_path, cli):
    """The strategies are exact, so an equilibrium has a regret of 0. Here player 1 makes the worst bid at times."""
    slip = {move: p * (1 - tiny) for move, p in THREE.strategy["1: start"].items()} | {"3x2": tiny}
    first, *others = THREE.strategy.strategies
    profile = SparseProfile(THREE.game, (first | {"start": first["start"] | {0: slip}}, *others))
    assert 0 < eb.verify(profile).regret < 2 * tiny
    for solution in of_three(profile, "near-equilibrium"):
        path = written(solution, tmp_path)
        code, out, _ = cli("verify", path)
        assert code == 0
        assert "\nproved        nobody gains more than " in out
        assert "\nclaim         near-equilibrium: true\n" in out
        changed(path, lambda data: data.update(status="equilibrium"))
        code, out, err = cli("verify", path)
        assert (code, out) == (3, "")
        assert 'claim: status is "equilibrium", but a player gains' in err
        with pytest.raises(checker.Refused, match=r"claim, status|the whole"):
            checker.prove(json.loads(path.read_text()))


@pytest.mark.parametrize("solution", [THREE, THREE_ON_TREE], ids=["strategies", "profile"])
@pytest.mark.parametrize("status", ["near-equilibrium", "not-an-equilibrium"])
def test_an_equilibrium_of_three_players_claims_no_less(solution, status, tmp_path, cli):
    assert "\nproved        nobody gains by playing otherwise\n" in cli("verify", written(solution, tmp_path))[1]
    path = changed(written(solution, tmp_path), lambda data: data.update(status=status))
    code, out, err = cli("verify", path)
    assert (code, out) == (3, "")
    assert f'claim: status is "{status}", but no player gains by deviating' in err


def test_a_sequential_equilibrium_of_three_players_is_proved(tmp_path, cli):
    """Nothing that is written finds one, but the part ``refined`` of a file holds for any number of players."""
    game = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)
    profile = eb.solve(game).profile
    tree, mistake = profile.tree, (Fraction(1), 1)
    stated = {k: tuple((Fraction(p), 0) if p else mistake for p in profile.probabilities[k]) for k in tree.personal}
    judged = (Judged(profile, eb.verify(profile)),)
    refined = verify_sequential(profile, stated)
    solution = Solution(tree, "by hand", "equilibrium", judged=judged, game=game, refined=refined)
    path = written(solution, tmp_path)
    code, out, err = cli("verify", path)
    assert (code, err) == (0, "")
    assert "no action is better at any information set that chance lets play get to (8)" in out
    for change, said in (
        (lambda part: part.update(greatest_gain="1"), "'greatest_gain' is not"),
        (lambda part: part["sets"][0].update(player=4), "entry 1 of 'sets': the game has no such"),
        (lambda part: part["sets"][-1]["beliefs"][0].update(probability="1"), "'sets' is not what the mistakes"),
    ):
        changed(written(solution, tmp_path), lambda data, change=change: change(data["refined"]))
        code, out, err = cli("verify", path)
        assert (code, out) == (3, "")
        assert said in err


def test_whoever_allows_less_is_told_so(tmp_path, cli):
    floats = solution_of(in_floats(POKER_SOLVED.profile), game=POKER, tolerance=0.125)
    path = written(floats, tmp_path)
    assert "in floats, to within 1e-06 of the payoff range" in cli("verify", path)[1]
    assert "in floats, to within 1/8 of the payoff range" in cli("verify", path, "--tolerance", "1/8")[1]
    assert floats.verify().tolerance == 0.125  # who asked for it
    assert json.loads(cli("verify", path, "--json")[1])["tolerance"] is None
    assert cli("verify", path, "--tolerance", "-1")[0] == 2
    with pytest.raises(eb.ParameterError, match="tolerance"):
        eb.verify_file(path, tolerance=-1)


def test_a_bracket_in_floats_that_its_own_tolerance_makes_an_equilibrium_is_refused(tmp_path):
    uniform = in_floats(eb.TreeProfile.uniform(POKER_SOLVED.tree))
    path = written(solution_of(uniform, game=POKER, status="bracket"), tmp_path)
    assert verify_solution(path).status == "bracket"
    with pytest.raises(eb.CertificateError, match=r"no player gains more than the file's own tolerance of 1 of"):
        verify_solution(changed(path, lambda data: data.update(tolerance="1")))


def several_solution():
    tree = eb.parse_efg(BATTLE)
    pure = [eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, row)) for row in ((1, 0), (0, 1))]
    return solution_of(*pure, several=True)


@pytest.mark.parametrize(
    ("solution", "change", "words"),
    [
        (SPARSE, lambda data: data.update(note="trust me"), "the whole: there is no such key as 'note'; choose from"),
        (SPARSE, lambda data: data.update(tolerence="1/2"), "the whole: .* 'tolerence'; did you mean 'tolerance'"),
        (POKER_SOLVED, lambda data: data.update(values=["1"]), "the whole: .* 'values'; did you mean 'value'"),
        (POKER_SOLVED, lambda data: data.update({"a\nb" * 50: 1}), r"the whole: .* 'a\\nba"),
        (POKER_SOLVED, lambda data: data["profile"][2].update(worth="1"), "profile, entry 3: .* 'worth'"),
        (None, lambda data: data["equilibria"][1].update(exact=True), "equilibria, number 2: .* 'exact'"),
        (
            None,
            lambda data: data["equilibria"][0]["profile"][1].update(reach="1"),
            "equilibria, number 1, profile, entry 2: .* 'reach'; did you mean 'reached'",
        ),
        (SPARSE, lambda data: data["game"].update(note=1), "game: note is 1 in the file, but null"),
        (POKER_SOLVED, lambda data: data["game"].update(note=1), "game: note is 1 in the file, but null"),
        (None, lambda data: data["game"].update(note=1), "game: note is 1 in the file, but null"),
    ],
)
def test_keys_that_nobody_checks_are_refused_by_name_and_place(solution, change, words, tmp_path, cli):
    """With right check values: only that nobody knows the key is wrong with the file."""
    (tmp_path / "own.efg").write_text(BATTLE)
    path = changed(written(solution or several_solution(), tmp_path), change)
    code, out, err = cli("verify", path, *([] if solution else [tmp_path / "own.efg"]))
    assert (code, out) == (3, "")
    assert err.count("\n") == 1
    assert len(err) < 400
    assert re.search(rf"s\.json: {words}", err), err


def test_every_key_that_is_written_is_known(tmp_path):
    """What the writer may come to write more must be checked, or be named as what proves nothing."""
    tree = eb.parse_efg(BATTLE)
    regret = eb.solve(GAME, "oracle", gap=1, options={"master": "regret"}, timeout=60)
    stopped = eb.solve(GAME, "oracle", timeout=1e-3)
    refined = eb.solve(POKER, refine=True)
    mixed = {"r": [Fraction(6667, 10000), Fraction(3333, 10000)], "c": [Fraction(1, 3), Fraction(2, 3)]}
    profile = eb.TreeProfile.from_personal(tree, {tree.by_label[name]: row for name, row in mixed.items()})
    near = replace(solution_of(profile, status="near-equilibrium"), near=prove_near(profile))
    solutions = [SPARSE, POKER_SOLVED, several_solution(), eb.solve(GAME, "oracle"), regret, stopped, refined, near]
    written_keys = set()
    for solution in solutions:
        path = written(solution, tmp_path)
        assert (
            verify_solution(path, tree if solution.tree is tree or solution.several else None).status == solution.status
        )
        written_keys |= set(json.loads(path.read_text()))
    assert written_keys == reading.CLAIM | reading.APART


def test_several_equilibria_are_proved_one_by_one(tmp_path):
    tree = eb.parse_efg(BATTLE)
    solution = several_solution()
    proof = verify_solution(written(solution, tmp_path), tree)
    assert proof.lower is None
    assert proof.value == (2, 1)
    assert "so were all 2 profiles" in proof.checked

    def swap(data):
        for entry in data["equilibria"][1]["profile"]:
            entry["probabilities"] = {"Opera": "1/2", "Fight": "1/2"}

    with pytest.raises(eb.CertificateError, match="equilibria, number 2: "):
        verify_solution(changed(written(solution, tmp_path), swap), tree)
    with pytest.raises(eb.CertificateError, match="equilibria, number 2: it does not agree"):
        verify_solution(changed(written(solution, tmp_path), swap, sign=False), tree)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["profile"].pop(), "nothing for the information set"),
        (lambda data: data["profile"][0].update(infoset=99), "profile: entry 1 of 'profile'"),
        (lambda data: data["profile"][0].update(reached=False), "profile: 'reached' is wrong at \"1: start\""),
        (lambda data: data.update(profile=None), "claims nothing"),
        (lambda data: data["game"].update(players=["A", "C"]), "game: players is"),
    ],
)
def test_profiles_that_do_not_fit_are_named(change, words, tmp_path):
    with pytest.raises(eb.CertificateError, match=words):
        verify_solution(changed(written(POKER_SOLVED, tmp_path), change))


def test_what_claims_nothing_is_no_certificate(tmp_path, cli):
    for status in ("no-result", "timeout", "not-applicable"):
        path = written(Solution(POKER_SOLVED.tree, "lp", status, "nothing", 0.0, game=POKER), tmp_path)
        code, _, err = cli("verify", path)
        assert code == 3
        assert f'claims nothing: it has no profile ("{status}")' in err
    # What the time limit left is claimed, and proved, as the bounds that it is.
    path = written(sparse_solution(GAME, SparseProfile(GAME, ({}, {})), "timeout"), tmp_path)
    assert verify_solution(path).status == "timeout"


def test_one_that_is_none_stays_none_where_more_is_allowed(tmp_path):
    tree = eb.parse_efg(BATTLE)
    pure, mixed = [
        eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, row)) for row in ((1, 0), (0.5, 0.5))
    ]
    path = written(solution_of(pure, mixed, several=True), tmp_path)
    assert [one["equilibrium"] for one in json.loads(path.read_text())["equilibria"]] == [True, False]
    for tolerance in (None, Fraction(1, 2)):
        assert eb.verify_file(path, tree, tolerance=tolerance).status == "equilibrium"


def test_a_strategy_is_no_solution_and_its_command_is_named(tmp_path, cli):
    mine, exploiter = tmp_path / "s.json", tmp_path / "e.json"
    mine.write_text('{"1: start": {"1x1": 1}}')
    assert cli("evaluate", "liars-dice", "sides=2", "--strategy", "uniform", "-o", exploiter)[0] == 0
    for path in (mine, exploiter):
        code, out, err = cli("verify", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {path} is no solution: ")
        assert "efg-builder evaluate GAME --strategy FILE" in err
