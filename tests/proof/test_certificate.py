"""Solutions prove themselves from their files; files that were changed, by accident or on purpose, do not."""

import gzip
import json
from dataclasses import replace
from fractions import Fraction

import pytest
from certificates import FOREIGN, KINDS, POKER, POKER_SOLVED, SOLVED, SPARSE, changed, sparse_solution, written
from paths import ROOT
from small_files import BATTLE

import efg_builder as eb
from efg_builder.equilibria.solution import Judged
from efg_builder.proof.certificate import digests, verify_solution
from efg_builder.strategies.sparse_profile import SparseProfile


@pytest.mark.parametrize("solution", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", ["s.json", "s.json.gz"])
def test_a_solution_proves_itself(solution, name, tmp_path, cli):
    path = solution.write(tmp_path / name)
    proof = verify_solution(path)
    assert (proof.title, proof.players, proof.status) == (solution.title, solution.players, "equilibrium")
    assert (proof.value, proof.lower, proof.upper) == (solution.value, solution.lower, solution.upper)
    assert (proof.regret, proof.exact) == (0, True)
    code, out, err = cli("verify", path)
    assert (code, err) == (0, "")
    first, second = solution.players
    assert f"{first}'s strategy guarantees {first} {solution.lower} = " in out
    assert f"{second}'s strategy allows {first} no more than {solution.upper} = " in out
    code, out, _ = cli("verify", path, "--json")
    assert code == 0
    assert json.loads(out) == proof.to_json()
    assert json.loads(out)["lower"] == str(solution.lower)


def test_a_sparse_solution_is_as_good_as_one_on_the_tree(tmp_path):
    proof = verify_solution(written(SPARSE, tmp_path))
    assert proof.value == SOLVED.value
    assert proof.written == SPARSE.sparse.sizes
    assert all(a < len(SOLVED.tree.personal) / 4 for a in proof.written)
    assert proof.visited is not None
    assert (SPARSE.tree, SPARSE.profile, SPARSE.exact, SPARSE.regret) == (None, None, True, 0)
    assert "oracle: equilibrium, value" in repr(SPARSE)
    assert ">equilibrium (exact), worth " in SPARSE._repr_svg_()


def test_a_certificate_has_an_information_set_a_line_and_nothing_twice(tmp_path):
    text = written(SPARSE, tmp_path).read_text()
    data = json.loads(text)
    for player, part in enumerate(data["strategies"]):
        assert len(part) == SPARSE.sparse.sizes[player]
        for name, row in part.items():
            assert f"   {json.dumps(name)}: {json.dumps(row)}" in text.splitlines() or f"{json.dumps(row)}," in text
            assert sum(map(Fraction, row.values())) == 1
    assert data["game"]["name"] == "liars-dice"
    assert data["game"]["settings"]["wild_biddable"] == "false"
    assert data["game"]["nodes"] == len(SOLVED.tree)
    assert "soonest" in data["default"]
    assert SPARSE.write(tmp_path / "again.json").read_text() == text


def test_a_game_too_large_for_any_tree_has_its_size_in_the_certificate(tmp_path):
    game = eb.game("liars-dice", sides=6, dice=(5, 5))
    profile = SparseProfile(game, ({}, {}))
    path = written(sparse_solution(game, profile, "bracket"), tmp_path)
    assert json.loads(path.read_text())["game"]["nodes"] == game.size().nodes > 10**20
    proof = verify_solution(path)
    assert (proof.status, proof.exact, proof.written) == ("bracket", False, (0, 0))
    assert proof.lower < proof.upper


def test_a_missing_file_and_a_missing_game_are_bad_input(tmp_path, cli):
    assert cli("verify", tmp_path / "none.json")[0] == 2
    tree = eb.parse_efg(FOREIGN)
    path = changed(written(eb.solve(tree, "lp"), tmp_path), lambda data: data["game"].pop("efg"))  # as 0.1 wrote it
    code, _, err = cli("verify", path)
    assert code == 2
    assert "give the game or FILE.efg" in err
    (tmp_path / "own.efg").write_text(FOREIGN)
    assert cli("verify", path, tmp_path / "own.efg")[0] == 0


def test_solutions_of_files_are_of_the_file_that_is_given(tmp_path, cli):
    (tmp_path / "own.efg").write_text(FOREIGN)
    (tmp_path / "other.efg").write_text(BATTLE)
    assert cli("solve", tmp_path / "own.efg", "-o", tmp_path / "s.json")[0] == 0
    data = json.loads((tmp_path / "s.json").read_text())
    assert "name" not in data["game"]
    code, out, _ = cli("verify", tmp_path / "s.json", tmp_path / "own.efg")
    assert code == 0
    assert "guarantees Row 1 0" in out
    code, _, err = cli("verify", tmp_path / "s.json", tmp_path / "other.efg")
    assert code == 3
    assert "game: title" in err
    # The same title and size, but other payoffs: what is claimed is not true of that game.
    (tmp_path / "own.efg").write_text(FOREIGN.replace("{ 1 -1 }", "{ 2 -2 }"))
    assert cli("verify", tmp_path / "s.json", tmp_path / "own.efg")[0] == 3


def test_the_game_may_be_given_and_must_be_the_same(tmp_path, cli):
    path = written(SPARSE, tmp_path)
    words = ("sides=3", "wild=1", "wild_biddable=false")
    assert cli("verify", path, "liars-dice", *words, "dice=2,1")[0] == 0
    code, _, err = cli("verify", path, "liars-dice", *words, "dice=1,2")
    assert code == 3
    assert "game: the solution is of" in err
    path = written(POKER_SOLVED, tmp_path)
    assert verify_solution(path, POKER).exact
    assert verify_solution(path, POKER_SOLVED.tree).exact
    unnamed = written(eb.solve(eb.parse_efg(POKER_SOLVED.tree.to_efg()), "lp"), tmp_path)
    assert verify_solution(unnamed, POKER).exact
    with pytest.raises(eb.CertificateError, match="game: title is"):
        verify_solution(unnamed, eb.game("dice-poker", sides=4))
    path = written(POKER_SOLVED, tmp_path)
    with pytest.raises(eb.CertificateError, match="not of 'Dice poker: 4 sides"):
        verify_solution(path, eb.game("dice-poker", sides=4))
    with pytest.raises(eb.ParameterError, match=r"verify_file\(\) takes a game or a tree"):
        verify_solution(path, "dice-poker")


@pytest.mark.parametrize("solution", [*KINDS.values(), SOLVED], ids=[*KINDS, "tree"])
def test_a_solution_in_memory_is_proved_as_its_file_is(solution, tmp_path):
    assert verify_solution(solution) == verify_solution(written(solution, tmp_path))


def test_a_solution_in_memory_brings_its_game_and_is_not_believed():
    tree = eb.parse_efg(FOREIGN)
    solution = eb.solve(tree)
    assert verify_solution(solution) == verify_solution(solution, tree)
    with pytest.raises(eb.CertificateError, match=r"^the solution: game: title is"):
        verify_solution(solution, eb.parse_efg(BATTLE))
    # A verdict of another profile: what is claimed does not follow from what is played.
    lie = Judged(eb.TreeProfile.uniform(tree), solution.verdict)
    (honest,) = eb.solve(eb.parse_efg(FOREIGN.replace("{ 1 -1 }", "{ 2 -2 }"))).judged
    assert verify_solution(replace(solution, judged=(lie,))).exact  # uniform play is right in matching pennies
    with pytest.raises(eb.CertificateError, match=r"^the solution: "):
        verify_solution(replace(solution, judged=(Judged(solution.profile, honest.verdict),)))


@pytest.mark.parametrize("given", [POKER_SOLVED.profile, SPARSE.sparse, POKER, 3, None, {"profile": []}])
def test_what_is_neither_solution_nor_path_is_named(given):
    words = rf"^verify_solution\(\) takes a solution or the path of its file, not {type(given).__name__}; eb.verify\("
    with pytest.raises(eb.ParameterError, match=words):
        verify_solution(given)


def test_every_committed_solution_proves_itself():
    found = sorted((ROOT / "outputs").glob("*.json"))
    assert found
    for path in found:
        assert verify_solution(path).exact


def test_compressed_files_are_the_same_whenever_they_are_written(tmp_path, monkeypatch):
    first = SPARSE.write(tmp_path / "a.json.gz").read_bytes()
    monkeypatch.setattr("time.time", lambda: 10**9)
    assert SPARSE.write(tmp_path / "b.json.gz").read_bytes() == first
    assert gzip.decompress(first) == SPARSE.write(tmp_path / "c.json").read_bytes()
    assert len(first) < len(gzip.decompress(first)) / 2
    tree = POKER_SOLVED.tree
    assert eb.read_efg(tree.write(tmp_path / "game.efg.gz")) == tree


def test_a_sparse_certificate_proves_nothing_of_another_tree(tmp_path):
    game = eb.game("liars-dice", sides=3)
    eb.solve(game, "oracle").write(tmp_path / "s.json")
    text = eb.build(game).to_efg()
    assert verify_solution(tmp_path / "s.json", eb.parse_efg(text)).exact
    with pytest.raises(eb.CertificateError, match="another"):
        verify_solution(tmp_path / "s.json", eb.parse_efg(text.replace("{ -1, 1 }", "{ 5, -5 }")))


def test_a_tree_of_other_payoffs_does_not_prove_a_named_game(tmp_path, cli):
    # Title, players and counts of nodes are those of the game; the forged value is right in the tree that is given.
    tree = POKER_SOLVED.tree
    doubled = replace(tree, outcomes=tuple(o._replace(payoffs=tuple(2 * u for u in o.payoffs)) for o in tree.outcomes))
    forged = eb.solve(doubled, "lp").to_json()
    forged["game"] = POKER_SOLVED.to_json()["game"]
    path, file = tmp_path / "forged.json", doubled.write(tmp_path / "doubled.efg")
    path.write_text(json.dumps(forged | {"digests": digests(forged)}))
    for given in ((), ("dice-poker",), (file,)):
        assert cli("verify", path, *given)[0] == 3
    with pytest.raises(eb.CertificateError, match=r"game: .* the tree that was given is another"):
        eb.verify_file(path, doubled)
