"""Solutions prove themselves from their files; files that were changed, by accident or on purpose, do not."""

import gzip
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder import files
from efg_builder.analysis import verify_sparse
from efg_builder.certificate import digests, layout
from efg_builder.solution import Judged, JudgedSparse, Solution
from efg_builder.sparse_profile import SparseProfile

GAME = eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, dice=(2, 1))
SOLVED = eb.solve(GAME, "lp")
POKER = eb.game("dice-poker")
POKER_SOLVED = eb.solve(POKER, "lp")
FOREIGN = """EFG 2 R "matching pennies 7" { "Row 1" "Col" } ""
p "" 1 1 "r" { "H1" "T" } 0
p "" 2 1 "c" { "H" "T" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1 1 }
p "" 2 1 "c" { "H" "T" } 0
t "" 2 "" { -1 1 }
t "" 1 "" { 1 -1 }
"""
BATTLE = """EFG 2 R "battle" { "Row" "Col" } ""
p "" 1 1 "r" { "O" "F" } 0
p "" 2 1 "c" { "O" "F" } 0
t "" 1 "" { 2 1 }
t "" 2 "" { 0 0 }
p "" 2 1 "c" { "O" "F" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 1 2 }
"""


def sparse_solution(game, profile, status="equilibrium", **more):
    sparse = JudgedSparse(profile, verify_sparse(profile, more.get("tolerance")))
    return Solution(None, "oracle", status, "as found", 0.1, game=game, sparse=sparse, **more)


SPARSE = sparse_solution(GAME, SparseProfile.from_profile(GAME, SOLVED.profile))
KINDS = {"strategies": SPARSE, "profile": POKER_SOLVED}


def written(solution, folder):
    return solution.write(folder / "s.json")


def changed(path, change, *, sign=True):
    """The file with its data changed, and, with *sign*, new check values: what an attacker would write."""
    data = json.loads(path.read_text())
    change(data)
    if sign:
        data["digests"] = digests(data)
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize("solution", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", ["s.json", "s.json.gz"])
def test_a_solution_proves_itself(solution, name, tmp_path, cli):
    path = solution.write(tmp_path / name)
    proof = eb.verify_solution(path)
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
    proof = eb.verify_solution(written(SPARSE, tmp_path))
    assert proof.value == SOLVED.value
    assert proof.written == SPARSE.sparse.profile.sizes
    assert all(a < len(SOLVED.tree.personal) / 4 for a in proof.written)
    assert proof.visited is not None
    assert (SPARSE.tree, SPARSE.profile, SPARSE.exact, SPARSE.regret) == (None, None, True, 0)
    assert "oracle: equilibrium, value" in repr(SPARSE)
    assert ">equilibrium (exact), worth " in SPARSE._repr_svg_()


def test_the_command_line_shows_a_sparse_solution():
    from efg_builder.cli.run_command import summary
    from efg_builder.cli.solve_command import describe

    shown = "\n".join(describe(SPARSE))
    assert f"value         Player 1: {SPARSE.value[0]}" in shown
    assert "exact: Player 1's strategy guarantees" in "\n".join(summary(SPARSE, GAME))


def test_a_certificate_has_an_information_set_a_line_and_nothing_twice(tmp_path):
    text = written(SPARSE, tmp_path).read_text()
    data = json.loads(text)
    for player, part in enumerate(data["strategies"]):
        assert len(part) == SPARSE.sparse.profile.sizes[player]
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
    proof = eb.verify_solution(path)
    assert (proof.status, proof.exact, proof.written) == ("bracket", False, (0, 0))
    assert proof.lower < proof.upper


SECTIONS = ("game", "claim", "default", "strategies", "profile", "digests", "seconds", "run")


def digit_positions(text):
    """The digits that count, each with the section it stands in."""
    starts = [(m.start(), m[1]) for m in re.finditer(r'^ "(\w+)":', text, re.MULTILINE)]
    for match in re.finditer(r"\d", text):
        key = next(name for at, name in reversed(starts) if at <= match.start())
        section = key if key in SECTIONS else "claim"
        if section not in ("seconds", "run"):
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
            eb.verify_solution(path)
        assert caught.value.where
        assert section in str(caught.value) or key in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("lower", "-1/9"),
        ("upper", "1/9"),
        ("upper", None),
        ("value", ["0", "0"]),
        ("value", "0"),
        ("value", ["0"]),
        ("regret", "1/100"),
        ("regret", 0),
        ("exact", False),
        ("exact", 1),
        ("status", "bracket"),
        ("status", "not-an-equilibrium"),
        ("status", "proved"),
        ("tolerance", "-1"),
        ("tolerance", "x"),
    ],
)
def test_a_false_claim_with_right_check_values_fails_by_the_mathematics(kind, key, value, tmp_path, cli):
    path = changed(written(KINDS[kind], tmp_path), lambda data: data.update({key: value}))
    code, _, err = cli("verify", path)
    assert code == 3
    assert re.search(rf"s\.json: claim: .*{key}", err)


def test_changed_strategies_with_right_check_values_fail_unless_what_they_claim_is_true(tmp_path):
    text, rng = written(SPARSE, tmp_path).read_text(), random.Random(3)
    tree, failed = SOLVED.tree, 0
    spots = [at for at, section, _ in digit_positions(text) if section == "strategies"]
    for at in rng.sample(spots, 60):
        path = tmp_path / "s.json"
        path.write_text(text[:at] + rng.choice("123456789") + text[at + 1 :])
        try:
            path = changed(path, lambda data: None)
            proof = eb.verify_solution(path)
        except eb.CertificateError as error:
            failed += "claim" in error.where or "strategies" in error.where
            continue
        # Another equilibrium, or the same: judged by other code, over the tree.
        rows = json.loads(path.read_text())["strategies"]
        verdict = eb.verify(from_json(rows).on(tree))
        assert (verdict.lower, verdict.upper, verdict.regret) == (proof.lower, proof.upper, 0)
    assert failed > 30


def from_json(parts):
    strategies = ({}, {})
    for player, rows in enumerate(parts):
        for name, row in rows.items():
            hand, _, history = name.partition(": ")
            index = GAME.hands[player].index(hand)
            behavior = {action: Fraction(p) for action, p in row.items()}
            strategies[player].setdefault(history, {})[index] = behavior
    return SparseProfile(GAME, strategies)


def test_equal_shares_moved_between_two_moves_are_no_equilibrium_any_more(tmp_path):
    def shift(data):
        row = data["profile"][0]["probabilities"]
        assert row == {"show": "1/3", "raise": "2/3"}
        row.update({"show": "1/4", "raise": "3/4"})

    path = changed(written(POKER_SOLVED, tmp_path), shift)
    with pytest.raises(eb.CertificateError, match="claim: lower is"):
        eb.verify_solution(path)


def put(name, row, player=0):
    return lambda data: data["strategies"][player].update({name: row})


@pytest.mark.parametrize(
    ("change", "words"),
    [
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
        (lambda data: data["strategies"].append({}), "strategies: 3 of them for 2 players"),
        (lambda data: data.update(default="Whatever."), "default: not the rule"),
        (lambda data: data["game"].update(name="chess"), "game: there is no game 'chess'"),
        (lambda data: data["game"].update(name=3), "game: 'name' and 'settings' do not name a game"),
        (lambda data: data["game"]["settings"].update(sides="4"), "game: title is"),
        (lambda data: data["game"]["settings"].update(sides=3), "game: settings is"),
        (lambda data: data["game"]["settings"].update(dice="10,10", sides="20"), "game: more than 100,000 hands"),
        (lambda data: data["game"].update(nodes=12), "game: nodes is 12 in the file, but [0-9]+ by the rules"),
        (lambda data: data["game"].update(more=12), "game: more is 12 in the file, but null"),
        (lambda data: [data["game"].pop(key) for key in ("name", "settings")], "game: 'strategies' need a game"),
        (lambda data: data["game"].update(name="mia", settings={}), "game: .*is no dealt game"),
        (lambda data: data.update(status="timeout", lower="-1"), "claim: lower is"),
    ],
)
def test_what_is_not_right_is_named(change, words, tmp_path, cli):
    path = changed(written(SPARSE, tmp_path), change)
    code, _, err = cli("verify", path)
    assert code == 3
    assert err.count("\n") == 1
    assert re.search(words, err)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.pop("game"), "game: missing"),
        (lambda data: data.pop("digests"), "digests: missing"),
        (lambda data: data.pop("strategies"), "either 'strategies' or 'profile'"),
        (lambda data: data.update(profile=[]), "either 'strategies' or 'profile'"),
        (lambda data: data.update(strategies=3), "strategies: not a list"),
        (lambda data: data.update(equilibria=[3]), "equilibria: not a list of objects"),
        (lambda data: data.pop("default"), "default: it belongs"),
        (lambda data: data["digests"].pop("claim"), "claim: it has no check value"),
        (lambda data: data["digests"].update(more="0"), "more: it is in 'digests', but not in the file"),
        (lambda data: data["strategies"][0].popitem(), "strategies of player 1"),
        (lambda data: data.update(note="trust me"), "claim: it does not agree"),
    ],
)
def test_missing_and_additional_parts_are_named(change, words, tmp_path):
    path = changed(written(SPARSE, tmp_path), change, sign=False)
    with pytest.raises(eb.CertificateError, match=words):
        eb.verify_solution(path)


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", 2, "not JSON"),
        (b"junk", 2, "not JSON"),
        (b"{", 2, "not JSON"),
        (b"[" * 100_000, 2, "not JSON"),
        (b"\xff\xfe", 2, "not UTF-8"),
        (b"\x1f\x8b\x08nonsense", 2, "damaged gzip"),
        (gzip.compress(b"junk"), 2, "not JSON"),
        (gzip.compress(b"{}")[:-3], 2, "damaged gzip"),
        (b"[]", 3, "not an object"),
        (b"3", 3, "not an object"),
        (b"{}", 3, "game: missing"),
        (b'{"game": {"nodes": 012}}', 3, "game: not JSON"),
        (b'{"game": {"nodes": NaN}}', 3, "game, nodes: 'NaN' is not how a number is written"),
        (b'{"game": {"nodes": 0.30000000000000003}}', 3, "game, nodes: .* is not how a number is written"),
        (b'{"game": {"nodes": 1, "nodes": 2}}', 3, "game: the key 'nodes' stands there twice"),
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


@pytest.mark.parametrize("depth", [100, 800, 950, 990, 5000])
def test_junk_nested_deeply(depth, tmp_path, cli):
    path = tmp_path / "junk.json"
    path.write_text('{"game": ' + "[" * depth + "]" * depth + "}")
    code, _, err = cli("verify", path)
    assert code in (2, 3)
    assert re.fullmatch("error: .*(game: missing|not JSON).*\n", err)


def test_a_missing_file_and_a_missing_game_are_bad_input(tmp_path, cli):
    assert cli("verify", tmp_path / "none.json")[0] == 2
    tree = eb.parse_efg(FOREIGN)
    path = written(eb.solve(tree, "lp"), tmp_path)
    code, _, err = cli("verify", path)
    assert code == 2
    assert "give the game or FILE.efg" in err


def test_solutions_of_files_need_the_file(tmp_path, cli):
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
    assert eb.verify_solution(path, POKER).exact
    assert eb.verify_solution(path, POKER_SOLVED.tree).exact
    unnamed = written(eb.solve(POKER_SOLVED.tree, "lp"), tmp_path)
    assert eb.verify_solution(unnamed, POKER).exact
    with pytest.raises(eb.CertificateError, match="game: title is"):
        eb.verify_solution(unnamed, eb.game("dice-poker", sides=4))
    path = written(POKER_SOLVED, tmp_path)
    with pytest.raises(eb.CertificateError, match="not of 'Dice poker: 4 sides"):
        eb.verify_solution(path, eb.game("dice-poker", sides=4))
    with pytest.raises(eb.ParameterError, match=r"verify_solution\(\) takes a game or a tree"):
        eb.verify_solution(path, "dice-poker")


def in_floats(profile):
    tree = profile.tree
    return eb.Profile.from_personal(tree, {k: [float(p) for p in profile.probabilities[k]] for k in tree.personal})


def solution_of(*profiles, game=None, several=False, status="equilibrium", tolerance=None):
    judged = tuple(Judged(profile, eb.verify(profile, tolerance)) for profile in profiles)
    tree = profiles[0].tree
    return Solution(tree, "by hand", status, "", 0.0, judged, several, game=game, tolerance=tolerance)


def test_floats_are_proved_to_within_the_tolerance(tmp_path, cli):
    solution = solution_of(in_floats(POKER_SOLVED.profile), game=POKER)
    path = written(solution, tmp_path)
    proof = eb.verify_solution(path)
    assert not proof.exact
    assert proof.checked.startswith("in floats, to within 1e-06 of the payoff range")
    assert proof.value[0] == pytest.approx(5 / 54)
    for key, value in (("lower", solution.lower + 1e-6), ("exact", True), ("regret", "0"), ("upper", "5/54")):
        with pytest.raises(eb.CertificateError, match=f"claim: {key}"):
            eb.verify_solution(changed(written(solution, tmp_path), lambda data, k=key, v=value: data.update({k: v})))


def test_a_claim_with_a_tolerance_says_so(tmp_path):
    tree = POKER_SOLVED.tree
    regret = eb.verify(eb.uniform(tree)).regret
    path = written(solution_of(eb.uniform(tree), game=POKER, tolerance=Fraction(1, 2)), tmp_path)
    assert json.loads(path.read_text())["tolerance"] == "1/2"
    assert (eb.verify_solution(path).status, eb.verify_solution(path).regret) == ("equilibrium", regret)
    with pytest.raises(eb.CertificateError, match=r"claim: status .* a player gains"):
        eb.verify_solution(changed(path, lambda data: data.update(tolerance=None)))
    profile = SparseProfile(GAME, ({}, {}))
    path = written(sparse_solution(GAME, profile, tolerance=1.0), tmp_path)
    assert eb.verify_solution(path).regret > 0


def test_verify_tells_the_tolerance_of_a_claim(tmp_path, cli):
    tree = POKER_SOLVED.tree
    exact = solution_of(eb.uniform(tree), game=POKER, tolerance=Fraction(1, 2))
    floats = solution_of(in_floats(POKER_SOLVED.profile), game=POKER, tolerance=0.125)
    sparse = sparse_solution(GAME, SparseProfile(GAME, ({}, {})), tolerance=Fraction(1))
    for solution, shown in ((exact, "1/2 = 0.5"), (floats, "0.125"), (sparse, "1")):
        path = written(solution, tmp_path)
        code, out, err = cli("verify", path)
        assert (code, err) == (0, "")
        assert f"tolerance     {shown} of the payoff range may be gained in an equilibrium\n" in out
        assert json.loads(cli("verify", path, "--json")[1])["tolerance"] == json.loads(path.read_text())["tolerance"]
        assert eb.verify_solution(path).tolerance == solution.tolerance
    assert "in floats, to within 0.125 of the payoff range" in cli("verify", written(floats, tmp_path))[1]
    # Where the claim names none, there is none to tell: an exact equilibrium has no regret at all.
    path = written(POKER_SOLVED, tmp_path)
    assert "tolerance" not in cli("verify", path)[1]
    assert eb.verify_solution(path).tolerance is None


def several_solution():
    tree = eb.parse_efg(BATTLE)
    pure = [eb.Profile.from_personal(tree, dict.fromkeys(tree.personal, row)) for row in ((1, 0), (0, 1))]
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
    solutions = [SPARSE, POKER_SOLVED, several_solution(), eb.solve(GAME, "oracle"), regret, stopped, refined]
    written_keys = set()
    for solution in solutions:
        path = written(solution, tmp_path)
        assert eb.verify_solution(path, tree if solution.several else None).status == solution.status
        written_keys |= set(json.loads(path.read_text()))
    assert written_keys == layout.CLAIM | layout.APART


def test_several_equilibria_are_proved_one_by_one(tmp_path):
    tree = eb.parse_efg(BATTLE)
    pure = [eb.Profile.from_personal(tree, dict.fromkeys(tree.personal, row)) for row in ((1, 0), (0, 1))]
    solution = solution_of(*pure, several=True)
    proof = eb.verify_solution(written(solution, tmp_path), tree)
    assert proof.lower is None
    assert proof.value == (2, 1)
    assert "so were all 2 profiles" in proof.checked

    def swap(data):
        for entry in data["equilibria"][1]["profile"]:
            entry["probabilities"] = {"O": "1/2", "F": "1/2"}

    with pytest.raises(eb.CertificateError, match="equilibria, number 2: "):
        eb.verify_solution(changed(written(solution, tmp_path), swap), tree)
    with pytest.raises(eb.CertificateError, match="equilibria, number 2: it does not agree"):
        eb.verify_solution(changed(written(solution, tmp_path), swap, sign=False), tree)


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
        eb.verify_solution(changed(written(POKER_SOLVED, tmp_path), change))


def test_what_claims_nothing_is_no_certificate(tmp_path, cli):
    for status in ("no-result", "timeout", "not-applicable"):
        path = written(Solution(POKER_SOLVED.tree, "lp", status, "nothing", 0.0, game=POKER), tmp_path)
        code, _, err = cli("verify", path)
        assert code == 3
        assert f'claims nothing: it has no profile ("{status}")' in err
    # What the time limit left is claimed, and proved, as the bounds that it is.
    path = written(sparse_solution(GAME, SparseProfile(GAME, ({}, {})), "timeout"), tmp_path)
    assert eb.verify_solution(path).status == "timeout"


def test_every_committed_solution_proves_itself():
    found = sorted((Path(__file__).parent.parent / "outputs").glob("*.json"))
    assert found
    for path in found:
        assert eb.verify_solution(path).exact


def test_compressed_files_are_the_same_whenever_they_are_written(tmp_path, monkeypatch):
    first = SPARSE.write(tmp_path / "a.json.gz").read_bytes()
    monkeypatch.setattr("time.time", lambda: 10**9)
    assert SPARSE.write(tmp_path / "b.json.gz").read_bytes() == first
    assert gzip.decompress(first) == SPARSE.write(tmp_path / "c.json").read_bytes()
    assert len(first) < len(gzip.decompress(first)) / 2
    tree = POKER_SOLVED.tree
    assert eb.read_efg(eb.write_efg(tree, tmp_path / "game.efg.gz")) == tree


def test_a_small_file_cannot_ask_for_unbounded_memory(tmp_path, monkeypatch, cli):
    monkeypatch.setattr(files, "UNPACKED", 1 << 20)
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(b" " * (1 << 21)))
    code, _, err = cli("verify", tmp_path / "bomb.json.gz")
    assert code == 2
    assert "unpacks to more than 1 MiB" in err


def test_a_sparse_certificate_proves_nothing_of_another_tree(tmp_path):
    game = eb.game("liars-dice", sides=3)
    eb.solve(game, "oracle").write(tmp_path / "s.json")
    text = eb.to_efg(eb.build(game))
    assert eb.verify_solution(tmp_path / "s.json", eb.parse_efg(text)).exact
    with pytest.raises(eb.CertificateError, match="another"):
        eb.verify_solution(tmp_path / "s.json", eb.parse_efg(text.replace("{ -1, 1 }", "{ 5, -5 }")))
