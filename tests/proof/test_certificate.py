"""Solutions prove themselves from their files; files that were changed, by accident or on purpose, do not."""

import gzip
import json
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from certificates import (
    FOREIGN,
    GAME,
    KINDS,
    OF_THREE,
    POKER,
    POKER_SOLVED,
    SOLVED,
    SPARSE,
    THREE,
    THREE_ON_TREE,
    changed,
    sparse_solution,
    written,
)
from paths import ROOT
from small_files import BATTLE
from tampering import claim, game, put, rules

import efg_builder as eb
from efg_builder.base import files
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.proof import checker, prove_near, verify_sequential
from efg_builder.proof.certificate import digests, reading, verify_solution
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
    assert f"{second}'s strategy allows {first} at most {solution.upper} = " in out
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
    assert ">Exact equilibrium<" in SPARSE._repr_svg_()


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
    assert "pass the game, or its FILE.efg" in err
    (tmp_path / "own.efg").write_text(FOREIGN)
    assert cli("verify", path, tmp_path / "own.efg")[0] == 0


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
    with pytest.raises(eb.ParameterError, match=r"verify\(\) takes a game or a tree"):
        verify_solution(path, 3)
    assert verify_solution(path, f"dice-poker sides={POKER.sides}").exact


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
    kind = type(given).__name__
    words = rf"^verify_solution\(\) takes a solution or the path of its file, not {kind}( 3)?; eb.verify\("
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
    with pytest.raises(eb.CertificateError, match="given tree is different"):
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
    with pytest.raises(eb.CertificateError, match=r"game: .* the given tree is different"):
        eb.verify(path, game=doubled)


# --- What is damaged, or false

SECTIONS = ("format", "game", "claim", "default", "strategies", "profile", "digests", "seconds", "run")


def digit_positions(text):
    """The digits that count, each with the section it stands in."""
    starts = [(m.start(), m[1]) for m in re.finditer(r'^ "(\w+)":', text, re.MULTILINE)]
    for match in re.finditer(r"\d", text):
        key = next(name for at, name in reversed(starts) if at <= match.start())
        section = key if key in SECTIONS else "claim"
        if section not in ("format", "seconds", "run"):
            yield match.start(), section, key


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_digit_is_found_and_located(kind, tmp_path, cli):
    path = written(KINDS[kind], tmp_path)
    text = path.read_text()
    positions, rng = list(digit_positions(text)), random.Random(kind)
    by_section = {}
    for at, section, key in positions:
        by_section.setdefault(section, []).append((at, section, key))
    assert {"game", "claim", kind, "digests"} == set(by_section)
    chosen = [spot for spots in by_section.values() for spot in rng.sample(spots, min(10, len(spots)))]
    chosen += rng.sample(positions, 100 - len(chosen))
    for at, section, key in chosen:
        digit = rng.choice([d for d in "0123456789" if d != text[at]])
        path.write_text(text[:at] + digit + text[at + 1 :])
        code, out, err = cli("verify", path)
        assert (code, out) == (3, ""), (section, text[at - 30 : at + 30])
        assert err.count("\n") == 1
        assert section in err or key in err
        with pytest.raises(eb.CertificateError) as caught:
            verify_solution(path)
        assert caught.value.where
        assert section in str(caught.value) or key in str(caught.value)


FALSE = {
    2: [
        *(
            ("lower", "-1/9"),
            ("upper", "1/9"),
            ("upper", None),
            ("value", ["0", "0"]),
            ("value", "0"),
            ("value", ["0"]),
        ),
        *(("regret", "1/100"), ("regret", 0), ("exact", False), ("exact", 1), ("regrets", ["0", "0"])),
        *(("status", status) for status in ("bracket", "not-an-equilibrium", "proved")),
    ],
    3: [
        *(("value", value) for value in (["0", "0", "0"], ["1/8", "-1/8"], ["1/8", "-1/16", "-1/16", "0"])),
        *(("regrets", value) for value in (["0", "0", "1/100"], ["0", "0"], ["0"] * 4, [0, 0, 0], "0", None)),
        *(("regret", "1/100"), ("regret", 0), ("lower", "1/8"), ("upper", "1/8"), ("exact", False)),
        *(("status", status) for status in ("near-equilibrium", "bracket", "not-an-equilibrium", "proved")),
    ],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("players", "key", "value"), [(n, *row) for n, rows in FALSE.items() for row in rows])
def test_a_false_claim_with_right_check_values_fails_by_the_mathematics(kind, players, key, value, tmp_path, cli):
    solution = (KINDS if players == 2 else OF_THREE)[kind]
    path = changed(written(solution, tmp_path), lambda data: data.update({key: value}))
    code, out, err = cli("verify", path)
    assert (code, out) == (3, "")
    assert re.search(rf"s\.json: claim: .*{key}", err)
    if key == "regrets" and players == 3:
        path = changed(path, lambda data: data.pop("regrets"))
        assert cli("verify", path)[2].endswith("claim: only games without bounds have regrets\n")


def in_floats(profile):
    tree = profile.tree
    return eb.TreeProfile.from_personal(tree, {k: [float(p) for p in profile.probabilities[k]] for k in tree.personal})


def solution_of(*profiles, game=None, several=False, status="equilibrium", tolerance=None):
    judged = tuple(Judged(profile, eb.verify(profile, tolerance)) for profile in profiles)
    tree = profiles[0].tree
    return Solution(tree, "by hand", status, "", 0.0, judged, several, game=game, tolerance=tolerance)


def several_solution():
    tree = eb.parse_efg(BATTLE)
    pure = [eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, row)) for row in ((1, 0), (0, 1))]
    return solution_of(*pure, several=True)


OF_SPARSE = [
    (put("7,7: start", {"1x2": "1"}), "player 1, hand 7,7: .*no such hand"),
    (put("nonsense", {"1x2": "1"}), "hand nonsense: .*no such hand"),
    (put("1,1: 9x9", {"call": "1/2", "2x2": "1/2"}), "player 1, hand 1,1: '1,1: 9x9': it has no effect"),
    (put("1,1: start ", {"1x2": "1"}), "hand 1,1: .*it has no effect"),
    (put("1: 1x2", {"call": "1"}, 1), "player 2, hand 1: '1: 1x2': it has no effect"),
    (put("1: 1x2", {"9x9": "1"}, 1), "strategies: Player 2: '9x9' is not an action at '1: 1x2'"),
    (put("1: 1x2", {"call": "1/2", "2x2": "1/3"}, 1), "player 2, hand 1: .*do not sum to 1"),
    (put("1: 1x2", {"call": "1/2", "2x2": "2/4"}, 1), "'2x2' is not a positive fraction in lowest terms"),
    (put("1: 1x2", {"call": "1", "2x2": "0"}, 1), "'2x2' is not a positive fraction"),
    (put("1: 1x2", {"call": 1}, 1), "'call' is not a positive fraction"),
    (put("1: 1x2", {"call": "1/0"}, 1), "denominator of zero"),
    (put("1: 1x2", [], 1), "not an object of probabilities"),
    (put("1: 1x2\n", {"call": "1"}, 1), r"'1: 1x2\\n'"),
    (lambda data: data["strategies"].append({}), "strategies: 3 strategies for 2 players"),
    (claim(default="Whatever."), "default: this is not the default rule"),
    (game(name="chess"), "game: there is no game 'chess'"),
    (game(name=3), "game: 'name' and 'settings' do not name a game"),
    (rules(sides="4"), "game: title is"),
    (rules(sides=3), "game: settings is"),
    (rules(dice="10,10", sides="20"), "game: the game has more than 100,000 hands"),
    (game(nodes=12), "game: nodes is 12 in the file, but [0-9]+ by the rules"),
    (
        game(nodes=float("nan")),
        "game: nodes is NaN in the file, but [0-9]+ by the rules",
    ),
    (game(more=12), "game: more is 12 in the file, but null"),
    (lambda data: [data["game"].pop(key) for key in ("name", "settings")], "game: 'strategies' require the rules"),
    (game(name="mia", settings={}), "game: .*is not a dealt game"),
    (claim(status="timeout", lower="-1"), "claim: lower is"),
]
OF_PROFILE = [
    (lambda data: data["profile"].pop(), "is missing"),
    (lambda data: data["profile"][0].update(infoset=99), "profile: entry 1 of 'profile'"),
    (lambda data: data["profile"][0].update(reached=False), "profile: 'reached' is wrong at \"1: start\""),
    (claim(profile=None), "claims nothing"),
    (game(players=["A", "C"]), "game: players is"),
]
UNKNOWN_KEYS = [
    (SPARSE, claim(note="trust me"), "the whole: unknown key 'note'; choose from"),
    (SPARSE, claim(tolerence="1/2"), "the whole: .* 'tolerence'; did you mean 'tolerance'"),
    (POKER_SOLVED, claim(values=["1"]), "the whole: .* 'values'; did you mean 'value'"),
    (POKER_SOLVED, lambda data: data.update({"a\nb" * 50: 1}), r"the whole: .* 'a\\nba"),
    (POKER_SOLVED, lambda data: data["profile"][2].update(worth="1"), "profile, entry 3: .* 'worth'"),
    (None, lambda data: data["equilibria"][1].update(exact=True), "equilibria, number 2: .* 'exact'"),
    (
        None,
        lambda data: data["equilibria"][0]["profile"][1].update(reach="1"),
        "equilibria, number 1, profile, entry 2: .* 'reach'; did you mean 'reached'",
    ),
    (SPARSE, game(note=1), "game: note is 1 in the file, but null"),
    (POKER_SOLVED, game(note=1), "game: note is 1 in the file, but null"),
    (None, game(note=1), "game: note is 1 in the file, but null"),
]
NAMED = [(SPARSE, *row) for row in OF_SPARSE] + [(POKER_SOLVED, *row) for row in OF_PROFILE] + UNKNOWN_KEYS


@pytest.mark.parametrize(("solution", "change", "words"), NAMED)
def test_what_is_not_right_is_named_by_place(solution, change, words, tmp_path, cli):
    """With right check values: just that is wrong with the file."""
    (tmp_path / "own.efg").write_text(BATTLE)
    path = changed(written(solution or several_solution(), tmp_path), change)
    code, out, err = cli("verify", path, *([] if solution else [tmp_path / "own.efg"]))
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert len(err) < 400
    assert re.search(words, err), err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.pop("game"), "game: missing"),
        (lambda data: data.pop("digests"), "digests: missing"),
        (lambda data: data.pop("strategies"), "either 'strategies' or 'profile'"),
        (lambda data: data.update(profile=[]), "either 'strategies' or 'profile'"),
        (lambda data: data.update(strategies=3), "strategies: not a list"),
        (lambda data: data.update(equilibria=[3]), "equilibria: not a list of objects"),
        (lambda data: data.pop("default"), "default: only a file with 'strategies'"),
        (lambda data: data["digests"].pop("claim"), "claim: it has no digest"),
        (lambda data: data["digests"].update(more="0"), "more: it is in 'digests', but not in the file"),
        (lambda data: data["strategies"][0].popitem(), "strategies of player 1"),
        (lambda data: data.update(note="trust me"), "claim: it does not match"),
    ],
)
def test_missing_and_additional_parts_are_named(change, words, tmp_path):
    path = changed(written(SPARSE, tmp_path), change, sign=False)
    with pytest.raises(eb.CertificateError, match=words):
        verify_solution(path)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", 2, "not JSON"),
        (b"junk", 2, "not JSON"),
        (b'EFG 2 R "Coin" { "Ann" }\n', 2, "a game, not a solution: 'efg-builder solve' writes a solution"),
        (b"{", 2, "not JSON"),
        (b"[" * 100_000, 2, "not JSON"),
        (b"\xff\xfe", 2, "not JSON"),
        (b"\x1f\x8b\x08nonsense", 2, "damaged gzip"),
        (gzip.compress(b"junk", mtime=0), 2, "not JSON"),
        (gzip.compress(b"{}", mtime=0)[:-3], 2, "damaged gzip"),
        (b"[]", 2, "not an object"),
        (b"3", 2, "not an object"),
        (b"{}", 3, "game: missing"),
        (b'{"game": {"nodes": 012}}', 3, "game: not JSON"),
        (b'{"game": {"nodes": 1, "nodes": 2}}', 3, "game: the key 'nodes' appears twice"),
        (b'{"value": ["1"], "game": {', 3, "game: not JSON"),
    ],
)
def test_junk(content, code, words, tmp_path, cli):
    path = tmp_path / "junk.json"
    path.write_bytes(content)
    found, out, err = cli("verify", path)
    assert (found, out) == (code, "")
    assert err.count("\n") == 1
    assert re.search(words, err)


def test_junk_nested_deeply(tmp_path, cli):
    path = tmp_path / "junk.json"
    for depth in (100, 800, 950, 990, 5000):
        path.write_text('{"game": ' + "[" * depth + "]" * depth + "}")
        code, _, err = cli("verify", path)
        assert code in (2, 3)
        assert re.fullmatch("error: .*(game: missing|not JSON).*\n", err)


def test_a_small_file_cannot_ask_for_unbounded_memory(tmp_path, monkeypatch, cli):
    monkeypatch.setattr(files, "UNPACKED", 1 << 20)
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * (1 << 21)))
    code, _, err = cli("verify", tmp_path / "bomb.json.gz")
    assert code == 2
    assert "unpacks to more than 1 MiB" in err


# --- Tolerances, several equilibria, and floats


def test_floats_are_proved_to_within_the_tolerance(tmp_path, cli):
    solution = solution_of(in_floats(POKER_SOLVED.profile), game=POKER)
    path = written(solution, tmp_path)
    proof = verify_solution(path)
    assert not proof.exact
    assert proof.checked.startswith("in floats, within 1e-06 of the payoff range")
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


def of_three(profile, status):
    """Claims of this profile of three players, in both forms."""
    yield sparse_solution(THREE.game, profile, status)
    yield solution_of(profile.on(THREE_ON_TREE.tree), game=THREE.game, status=status)


def test_a_tolerance_that_the_file_names_is_no_criterion(tmp_path, cli):
    uniform, nothing = eb.TreeProfile.uniform(POKER_SOLVED.tree), SparseProfile(GAME, ({}, {}))
    of_two = solution_of(uniform, game=POKER), sparse_solution(GAME, nothing)
    for solution in (*of_two, *of_three(SparseProfile(THREE.game, ({}, {}, {})), "near-equilibrium")):
        path = written(solution, tmp_path)
        for tolerance in ("1/2", "1000", 1e300):
            changed(path, lambda data, t=tolerance: data.update(tolerance=t, status="equilibrium"))
            code, out, err = cli("verify", path)
            assert (code, out) == (3, "")
            assert re.search(r"claim: status is .* by the file's own tolerance .* a player gains", err)
            with pytest.raises(checker._Refused, match=r"claim, status|the whole"):
                checker.prove(json.loads(path.read_text()))
            proof = eb.verify(path, tolerance=Fraction(19, 20))
            assert (proof.status, proof.tolerance) == ("equilibrium", Fraction(19, 20))
            assert proof.regret > 0
        code, out, err = cli("verify", path, "--tolerance", "0.95")
        assert (code, err) == (0, "")
        assert "tolerance     19/20 = 0.95 of the payoff range: the maximum gain in an equilibrium\n" in out


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
        with pytest.raises(checker._Refused, match=r"claim, status|the whole"):
            checker.prove(json.loads(path.read_text()))


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
    assert "no action is better at any of the 8 information sets that chance does not exclude" in out
    for change, said in (
        (lambda part: part.update(greatest_gain="1"), "'greatest_gain' does not follow"),
        (lambda part: part["sets"][0].update(player=4), "entry 1 of 'sets': the game has no such"),
        (
            lambda part: part["sets"][-1]["beliefs"][0].update(probability="1"),
            "'sets' does not follow from the stated mistakes",
        ),
    ):
        changed(written(solution, tmp_path), lambda data, change=change: change(data["refined"]))
        code, out, err = cli("verify", path)
        assert (code, out) == (3, "")
        assert said in err


def test_whoever_allows_less_is_told_so(tmp_path, cli):
    floats = solution_of(in_floats(POKER_SOLVED.profile), game=POKER, tolerance=0.125)
    path = written(floats, tmp_path)
    assert "in floats, within 1e-06 of the payoff range" in cli("verify", path)[1]
    assert "in floats, within 1/8 of the payoff range" in cli("verify", path, "--tolerance", "1/8")[1]
    assert floats.verify().tolerance == 0.125  # who asked for it
    assert json.loads(cli("verify", path, "--json")[1])["tolerance"] is None
    assert cli("verify", path, "--tolerance", "-1")[0] == 2
    with pytest.raises(eb.ParameterError, match="tolerance"):
        eb.verify(path, tolerance=-1)


def test_every_key_that_is_written_is_known(tmp_path):
    """What the writer may come to write more must be checked, or be named as what proves nothing."""
    tree = eb.parse_efg(BATTLE)
    regret = eb.solve(GAME, "oracle", gap=1, options={"master": "regret"}, timeout=60)
    stopped = eb.solve(GAME, "oracle", timeout=1e-3)
    refined = eb.solve(POKER, refine=True)
    mixed = {"r": [Fraction(6667, 10000), Fraction(3333, 10000)], "c": [Fraction(1, 3), Fraction(2, 3)]}
    profile = eb.TreeProfile.from_personal(tree, {tree.by_label[name]: row for name, row in mixed.items()})
    near = replace(solution_of(profile, status="near-equilibrium"), near=prove_near(profile))
    solutions = [
        SPARSE,
        POKER_SOLVED,
        several_solution(),
        eb.solve(tree, "extreme"),
        eb.solve(GAME, "oracle"),
        regret,
        stopped,
        refined,
        near,
    ]
    written_keys = set()
    for solution in solutions:
        path = written(solution, tmp_path)
        assert (
            verify_solution(path, tree if solution.tree is tree or solution.several else None).status == solution.status
        )
        written_keys |= set(json.loads(path.read_text()))
    assert written_keys | {"seconds"} == reading.CLAIM | reading.APART  # files of older versions have "seconds"


def test_several_equilibria_are_proved_one_by_one(tmp_path):
    tree = eb.parse_efg(BATTLE)
    solution = several_solution()
    proof = verify_solution(written(solution, tmp_path), tree)
    assert proof.lower is None
    assert proof.value == (2, 1)
    assert "also all 2 profiles" in proof.checked

    def swap(data):
        for entry in data["equilibria"][1]["profile"]:
            entry["probabilities"] = {"Opera": "1/2", "Fight": "1/2"}

    with pytest.raises(eb.CertificateError, match="equilibria, number 2: "):
        verify_solution(changed(written(solution, tmp_path), swap), tree)
    with pytest.raises(eb.CertificateError, match="equilibria, number 2: it does not match"):
        verify_solution(changed(written(solution, tmp_path), swap, sign=False), tree)


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
        assert eb.verify(path, game=tree, tolerance=tolerance).status == "equilibrium"


def test_a_strategy_is_no_solution_and_its_command_is_named(tmp_path, cli):
    mine, exploiter = tmp_path / "s.json", tmp_path / "e.json"
    mine.write_text('{"1: start": {"1x1": 1}}')
    assert cli("evaluate", "liars-dice", "sides=2", "--strategy", "uniform", "-o", exploiter)[0] == 0
    for path in (mine, exploiter):
        code, out, err = cli("verify", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {path} is not a solution: ")
        assert "efg-builder evaluate GAME --strategy FILE" in err
