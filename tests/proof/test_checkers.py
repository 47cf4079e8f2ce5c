"""The checkers of one file prove what is committed, refuse what was tampered with, and agree with the package."""

import ast
import gzip
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import brute
import pygambit
import pytest
from certificates import (
    FOREIGN,
    POKER_SOLVED,
    SPARSE,
    THREE,
    assert_judged_alike,
    changed,
    figure,
    in_words,
    mutants,
    respelled,
    sparse_solution,
)
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from paths import DOCS, ROOT, unwrapped
from random_trees import random_tree
from small_files import B_FORGETS, BATTLE, matrix_tree
from tampering import claim, game, put, rules, signed, tampered

import efg_builder as eb
from efg_builder.base.errors import RecallError
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.forms.extensive import CHANCE, NONE, scaled_payoffs
from efg_builder.games.catalogue import identify
from efg_builder.proof import verify
from efg_builder.proof.certificate import check as certificate_check
from efg_builder.proof.certificate import verify_solution
from efg_builder.strategies.sparse_profile import SparseProfile
from efg_builder.strategies.tree_profile import TreeProfile


def stand_alone(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "efg_builder" / "proof" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER, TREE_CHECKER = stand_alone("checker"), stand_alone("tree_checker")
BOTH = pytest.mark.parametrize("checker", [CHECKER, TREE_CHECKER], ids=["rounds", "trees"])
CERTIFICATES = [*sorted((DOCS / "certificates").glob("*.json.gz")), DOCS / "proof.json"]
CORPUS = sorted(Path(pygambit.__file__).parent.joinpath("catalog_data").rglob("*.efg"))


@pytest.fixture
def check(tmp_path):
    """Runs a checker as somebody does who has nothing but the file: alone in a folder, without site-packages."""
    folder = tmp_path / "alone"
    folder.mkdir()

    def run(checker, *paths):
        shutil.copy(checker.__file__, folder)
        command = [sys.executable, "-I", "-S", Path(checker.__file__).name, *map(str, paths)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr

    return run


def status_of(verdict):
    """What a claim with this verdict is, when nothing stopped it."""
    return "equilibrium" if verdict.equilibrium else "bracket" if verdict.lower is not None else "near-equilibrium"


def claimed(profile, status=None, **more):
    """A solution that claims what is true of a profile."""
    verdict = verify(profile)
    judged = (Judged(profile, verdict),)
    return Solution(profile.tree, "guess", status or status_of(verdict), "as found", 0.1, judged, **more)


def plain(solution):
    return json.loads(json.dumps(solution.to_json()))


def certificate(name):
    return json.loads(gzip.decompress((DOCS / "certificates" / f"{name}.json.gz").read_bytes()))


GUESS = claimed(brute.random_profile(eb.parse_efg(BATTLE), 3))
SOLUTIONS = {CHECKER: [SPARSE, THREE], TREE_CHECKER: [GUESS, eb.solve(eb.parse_efg(FOREIGN), "lp")]}
"""What each checker proves, in both orders of claims: equilibria, and a near one."""


# --- One file


@BOTH
def test_it_is_one_short_file_of_the_standard_library(checker):
    text = Path(checker.__file__).read_text()
    assert len(text.splitlines()) <= 416
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


@pytest.mark.parametrize("most", [3_000, pytest.param(10**9, marks=pytest.mark.slow)], ids=["small", "all"])
def test_it_proves_every_certificate(check, most):
    """The small ones by default: ``verify`` proves all of them (tests/docs/test_docs.py)."""
    paths = [path for path in CERTIFICATES if path.stat().st_size <= most]
    assert len(paths) > 10
    code, lines, _ = check(CHECKER, *paths)  # on a busy machine stderr has lines of progress
    assert (code, len(lines)) == (0, len(paths))
    for path, line in zip(paths, lines, strict=True):
        text = path.read_text() if path.suffix == ".json" else gzip.decompress(path.read_bytes())
        assert line == f"{path}: proved: {in_words(json.loads(text))}"


@BOTH
def test_it_says_what_it_does_not_know(checker, check, tmp_path):
    others = [*sorted((ROOT / "outputs").glob("*.json")), *sorted((DOCS / "matches").glob("*.json.gz"))]
    why = "not one round of bidding with sparse strategies; try 'efg-builder verify FILE'"
    if checker is TREE_CHECKER:
        others = [POKER_SOLVED.write(tmp_path / "poker.json"), DOCS / "proof.json"]
        why = "it has no tree; try checker.py (Liar's Dice) or 'efg-builder verify FILE'"
    code, lines, err = check(checker, *others)
    assert (code, err, len(lines)) == (1, "", len(others))
    for path, line in zip(others, lines, strict=True):
        assert line.startswith(f"{path}: refused: the whole: {why}")


@BOTH
def test_it_says_what_it_cannot_read(checker, check, tmp_path):
    good, trap = SOLUTIONS[checker][0].write(tmp_path / "good.json.gz"), tmp_path / "trap.json.gz"
    data = good.read_bytes()
    trap.write_bytes(gzip.compress(bytes(70 << 20)))
    wrong = {trap: "it unpacks to more than 64 MiB", tmp_path / "none.json": "", tmp_path: ""}
    for number, (content, words) in enumerate(
        [
            (b"\x1f\x8b\x08nonsense", ""),
            (data[:-100], "Compressed file ended before the end-of-stream marker was reached"),
            (data[:-4], "Compressed file ended before the end-of-stream marker was reached"),
            (data + b"xx", "Not a gzipped file (b'xx')"),
            (data[:20] + bytes(20) + data[40:], "Error -3 while decompressing"),
        ]
    ):
        path = tmp_path / f"{number}.json.gz"
        path.write_bytes(content)
        wrong[path] = words
    code, [*lines, proved], err = check(checker, *wrong, good)
    assert (code, err) == (2, "")
    assert proved.startswith(f"{good}: proved: ")
    for (path, words), line in zip(wrong.items(), lines, strict=True):
        assert line.startswith(f"{path}: cannot be read: {words}")
    code, lines, err = check(checker)
    assert (code, lines) == (2, [])
    assert err.startswith(f"usage: python {Path(checker.__file__).name} FILE")


@pytest.mark.parametrize(
    ("checker", "name", "line", "forged"),
    [
        (CHECKER, "proof.json", '"3: 1x1 1x3": {"2x3": "1"}', '"3: 1x1 1x3": {"2x2": "1"}'),
        (TREE_CHECKER, "coin.json", "{ 2, -2 }", "{ 3, -3 }"),
    ],
)
def test_it_prints_what_the_page_says(checker, name, line, forged, check, tmp_path, cli):
    shutil.copy(DOCS / name, tmp_path / "alone")
    path, text = tmp_path / "alone" / "forged.json", (DOCS / name).read_text()
    assert line in text
    path.write_text(text.replace(line, forged))
    changed(path, lambda data: None)
    code, lines, err = check(checker, name, "forged.json")
    assert (code, err) == (1, "")
    assert "".join(f"    {line}\n" for line in lines) in unwrapped((DOCS / "proof.md").read_text())
    assert cli("verify", DOCS / name)[0] == 0


@BOTH
def test_progress_is_told_at_most_every_two_seconds(checker, monkeypatch, capsys):
    clock = iter(range(10**9))
    monkeypatch.setattr(checker, "monotonic", lambda: next(clock))
    monkeypatch.setattr(checker, "DUE", [0])
    checker.prove(plain(SOLUTIONS[checker][0]))
    out, err = capsys.readouterr()
    assert out == ""
    assert ("player 1, best response: " if checker is CHECKER else "best response of player 2: ") in err
    monkeypatch.setattr(checker, "monotonic", lambda: 0)
    checker.progress("not yet")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_names_are_printed_in_every_encoding(encoding, tmp_path):
    """A Windows console in another encoding prints them too; of rounds of Liar's Dice all is ASCII."""
    tree = eb.parse_efg(BATTLE.replace('"Row"', '"Zoë"').replace('"Col"', '"Łukasz"'))
    files = {
        CHECKER: shutil.copy(DOCS / "certificates" / "2v1-6.json.gz", tmp_path),
        TREE_CHECKER: claimed(brute.random_profile(tree, 3)).write(tmp_path / "s.json"),
    }
    env, said = os.environ | {"PYTHONIOENCODING": encoding}, {}
    for checker, path in files.items():
        done = subprocess.run([sys.executable, checker.__file__, path], env=env, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        said[checker] = done.stdout
    assert said[CHECKER].isascii()
    assert b", about " in said[CHECKER]
    assert "Zoë gets " in (words := said[TREE_CHECKER].decode(encoding))
    assert ("\\u0141ukasz gets " if encoding == "cp1252" else "Łukasz gets ") in words


# --- Trees that a certificate carries

COIN = '''
from dataclasses import dataclass
from fractions import Fraction

import efg_builder as eb

open("was-run", "w").close()


@dataclass(frozen=True)
class Coin(eb.Game):
    """Ann sees a coin and bets or folds, Bob calls or passes; a call is for the stake."""

    stake: int = 2

    title = "A bet on a coin"
    players = ("Ann", "Bob")

    def root(self):
        return ""

    def turn(self, state):
        if state == "":
            return eb.Chance("coin", (("heads", Fraction(1, 2), "h"), ("tails", Fraction(1, 2), "t")))
        if len(state) == 1:
            return eb.Decision(0, state, (("bet", state + "b"), ("fold", state + "f")))
        if state in ("hb", "tb"):
            return eb.Decision(1, "bet", (("call", state + "c"), ("pass", state + "p")))
        won = {"c": self.stake if state[0] == "h" else -self.stake, "p": 1, "f": -1}[state[-1]]
        return eb.End((won, -won))
'''


def test_a_class_in_a_file_is_proved_without_it(tmp_path, monkeypatch, cli, check):
    """Of a bet on a coin: Ann gets 1/3 where the stake is 2, by hand; neither proof runs the file."""
    monkeypatch.chdir(tmp_path)
    Path("coin.py").write_text(COIN)
    assert cli("solve", "coin.py:Coin", "--method", "lp", "-o", "k.json")[0] == 0
    assert cli("solve", "coin.py:Coin", "-o", "refined.json.gz")[0] == 0
    data = json.loads(Path("k.json").read_text())
    assert data["game"]["efg"] == eb.build(eb.game("coin.py:Coin")).to_efg()
    assert not {"name", "settings", "sha256"} & data["game"].keys()
    assert cli("verify", "k.json", "coin.py:Coin")[0] == 0
    code, _, err = cli("verify", "k.json", "coin.py:Coin", "stake=3")
    assert code == 3
    assert "game: the tree in the certificate differs from the given tree" in err
    Path("was-run").unlink()
    shutil.move("coin.py", "away.py")
    code, out, _ = cli("verify", "k.json")
    assert code == 0
    assert "the value of the game is 1/3" in out
    assert "; the tree is in the file" in out
    code, lines, err = check(TREE_CHECKER, tmp_path / "k.json", tmp_path / "refined.json.gz")
    assert (code, err) == (0, "")
    assert lines[0] == f"{tmp_path}/k.json: proved: the value to Ann is 1/3 (exact)"
    assert lines[1].endswith(" is 1/3 (exact) (not checked: 'refined'; use 'efg-builder verify FILE')")
    assert not Path("was-run").exists()


@pytest.mark.parametrize("name", ["river.py", "guts.py", "quiche.py", "coin.py"])
def test_games_of_users_are_proved_by_both(name, tmp_path):
    """Chance in the middle, three players, no constant sum, and not dealt."""
    game = eb.game(str(DOCS / "games" / name))
    solution = eb.solve(game, timeout=20)
    data = plain(solution)
    assert TREE_CHECKER.prove(data).startswith(in_words(data))
    assert verify_solution(solution.write(tmp_path / "s.json")).regret == solution.regret


def test_above_a_size_the_digest_stands_for_the_tree(tmp_path, monkeypatch, cli, check):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(certificate_check, "MOST_CARRIED", 100)
    Path("own.efg").write_text(FOREIGN)
    Path("other.efg").write_text(FOREIGN.replace("{ -1 1 }", "{ -1 1/1 }").replace('"H1"', '"H2"'))
    assert cli("solve", "own.efg", "--method", "lp", "-o", "k.json")[0] == 0
    assert len(json.loads(Path("k.json").read_text())["game"]["sha256"]) == 64
    code, _, err = cli("verify", "k.json")
    assert code == 2
    assert "k.json has only the digest of its tree: pass the game, or its FILE.efg" in err
    code, out, _ = cli("verify", "k.json", "own.efg")
    assert code == 0
    assert "; the tree has the digest in the file" in out
    code, _, err = cli("verify", "k.json", "other.efg")
    assert code == 3
    assert "game: sha256 is not the digest of the .efg text of the given tree, 'matching pennies 7'" in err
    assert "it has no tree" in check(TREE_CHECKER, tmp_path / "k.json")[1][0]


# Names that the format changes; and equal names of a player's sets, which Gambit's format does not have.
ODD = FOREIGN.replace('"r"', r'"r\\"')
WIDE = FOREIGN.replace('"r"', '"r  r"')
EQUAL = BATTLE.replace('p "" 2 1 "c" { "Opera" "Fight" } 0\nt "" 2', 'p "" 2 2 "c" { "Opera" "Fight" } 0\nt "" 2')


CALLED_CHANCE = BATTLE.replace('"Row"', '"Chance"')


@pytest.mark.parametrize(("efg", "carried"), [(ODD, False), (EQUAL, True), (WIDE, True), (CALLED_CHANCE, True)])
def test_a_tree_is_carried_unless_the_format_changes_it(efg, carried, tmp_path):
    tree = eb.parse_efg(efg)
    solution = claimed(brute.random_profile(tree, 3))
    assert ("efg" in plain(solution)["game"]) == carried
    path = solution.write(tmp_path / "s.json")
    assert verify_solution(path, None if carried else tree).regret == solution.regret
    if carried:
        assert TREE_CHECKER.prove(plain(solution))


def test_a_tree_that_is_carried_keeps_to_the_budget(cli):
    code, _, err = cli("verify", DOCS / "coin.json", "--max-nodes", "10")
    assert (code, "over the budget of 10" in err) == (2, True)


def test_a_solution_that_carries_its_tree_is_taken_where_a_file_is(tmp_path, cli):
    coin, drawn = DOCS / "coin.json", tmp_path / "coin.svg"
    assert cli("build", coin, "-o", tmp_path / "coin.efg")[0] == 0
    assert (tmp_path / "coin.efg").read_text() == json.loads(coin.read_text())["game"]["efg"]
    assert cli("draw", coin, "--solution", coin, "-o", drawn)[0] == 0
    assert "Ann" in drawn.read_text()
    assert "1/3" in cli("evaluate", coin, "--strategy", coin)[1]


# --- What is malformed

PROOF = json.loads((DOCS / "proof.json").read_text())
TWO_WAYS = plain(
    claimed(TreeProfile.from_personal(eb.parse_efg(BATTLE), {0: (Fraction(1, 3), Fraction(2, 3)), 1: (Fraction(1), 0)}))
)


WRONG_ROUNDS = [
    (put("7: 1x1 1x2", {"1x3": "1"}), 'player 1, "7: 1x1 1x2": player 1 has no such hand'),
    (put("3: 1x1", {"1x3": "1"}), 'player 1, "3: 1x1": player 1 has no such hand, or does not move'),
    (put("3: 1x2 1x1", {"1x3": "1"}), "does not move after such bids"),
    (put("3: 1x1  1x2", {"1x3": "1"}), "does not move after such bids"),
    (put("3: 1x1 1x2 call 2x2", {"2x3": "1"}), "does not move after such bids"),
    (put("3: start ", {"1x3": "1"}), "does not move after such bids"),
    (put("3: 1x1 2x2", {"2x1": "1"}), 'is not a distribution over ["2x3", "call"]'),
    (put("3: start", {"call": "1"}), "is not a distribution over"),
    (put("3: start", {}), "is not a distribution over"),
    (put("3: start", {"1x2": "3/2", "1x3": "-1/2"}), "positive numbers with sum 1"),
    (put("3: start", {"1x2": "1", "1x3": "0"}), "positive numbers with sum 1"),
    (put("3: start", {"1x2": "1/2", "1x3": "1/3"}), "positive numbers with sum 1"),
    (put("3: start", {"1x2": "2/4", "1x3": "1/2"}), '"2/4" is not an exact number'),
    (put("3: start", {"1x2": "0.5", "1x3": "1/2"}), '"0.5" is not an exact number'),
    (put("3: start", {"1x2": "1/0"}), '"1/0" is not an exact number'),
    (put("3: start", {"1x2": 1}), "1x2: 1 is not of the type str"),
    (put("3: start", ["1x2"]), 'start: ["1x2"] is not of the type dict'),
    (put("3: start", {"1x1": "1"}), "it is the default move"),
    (put("3: 1x1 1x2 1x3 2x1", {"call": "1"}), "it is the default move"),
    (put("3: 1x2 1x3", {"2x1": "1"}), "the player's moves never lead there"),
    (lambda data: data["strategies"].append({}), "number of strategies: 3 in the file"),
    (lambda data: data["strategies"].reverse(), "does not move after such bids"),
    (claim(default="To call."), "default: "),
    (claim(status="solved"), 'claim, status: "solved" does not follow'),
    (claim(status="bracket"), 'claim, status: "bracket" does not follow'),
    (claim(exact=1), "claim, exact: 1 in the file, but it must be true"),
    (claim(value=["-1/9"]), "claim, value"),
    (claim(note="trust me"), 'the key "note" is unknown'),
    (lambda data: data.pop("regret"), 'the key "regret" is missing'),
    (game(name="chess"), 'game, name: "chess" is not one of the bidding games'),
    (game(nodes=1145), "game, nodes: 1145 in the file, but it must be 1144"),
    (game(nodes=True), "nodes: true is not of the type int"),
    (game(title="Liar's Dice"), "game, title"),
    (game(players=["A", "B"]), "game, players"),
    (rules(sides="21"), 'settings, sides: "21" does not match'),
    (rules(sides=3), "sides: 3 is not of the type str"),
    (rules(dice="1,11"), 'settings, dice: "1,11" does not match'),
    (rules(dice="1" + ",1" * 10), "settings, dice: "),
    (rules(dice="1,1,1"), "game, title: "),
    (rules(dice="1,1,1", payoff="points"), "points and stakes are for two"),
    (claim(regrets=["0", "0"]), 'claim, regrets: ["0", "0"] in the file, but it must be null'),
    (claim(regrets=None), "regrets: null is not of the type list"),
    (claim(lower=None, upper=None), 'claim, lower: null in the file, but it must be "-1/9"'),
    (claim(status="near-equilibrium"), 'claim, status: "near-equilibrium" does not follow'),
    (rules(wild="4"), "do not go together"),
    (rules(wild_biddable="false"), "do not go together"),
    (rules(order="bluff"), "do not go together"),
    (rules(dice="10,10", sides="20"), "too many to check"),
    (rules(loss="one"), "game, settings: "),
    (lambda data: data["game"].update({"a\nb\u2028": 1}), "the key"),
]


def entry(data, at=0):
    return data["profile"][at]


def set_(**what):
    return lambda data: entry(data).update(what)


def efg(old, new):
    def change(data):
        assert old in data["game"]["efg"]
        data["game"]["efg"] = data["game"]["efg"].replace(old, new, 1)

    return change


WRONG_TREES = [
    (set_(probabilities={"Opera": "1"}), 'player 1, set 1, the moves: ["Opera"] in the file'),
    (set_(probabilities={"Opera": "1", "Fight": "1/2"}), "is not a distribution"),
    (set_(probabilities={"Opera": "3/2", "Fight": "-1/2"}), "is not a distribution"),
    (
        set_(probabilities={"Opera": 0.5, "Fight": "1/2"}),
        "\"Opera\": 0.5 is not an exact number, e.g. 1/3; 'efg-builder verify FILE' takes floats",
    ),
    (set_(probabilities={"Opera": "1/0", "Fight": "1"}), '"1/0" is not an exact number'),
    (set_(probabilities={"Opera": True, "Fight": "0"}), "true is not an exact number"),
    (set_(label="R"), 'player 1, set 1, label: "R" in the file, but it must be "r"'),
    (set_(reached=False), "player 1, set 1, reached: false in the file"),
    (set_(infoset=7), "player 1, set 7: there is no such set"),
    (set_(player=0), "player 0, set 1: there is no such set"),
    (set_(player=2), "player 2, set 1, label"),
    (set_(note="x"), 'the key "note" is unknown'),
    (lambda data: data["profile"].append(entry(data)), "player 1, set 1: it appears twice"),
    (lambda data: data["profile"].pop(), "profile: no entry for player 2, set 1"),
    (claim(profile=None), "profile: null is not of the type list"),
    (claim(status="equilibrium"), 'claim, status: "equilibrium" does not follow'),
    (claim(status="bracket"), 'claim, status: "bracket" does not follow'),
    (claim(lower="0"), 'claim, lower: "0" in the file, but it must be null'),
    (claim(regrets=["0", "0"]), "claim, regrets"),
    (lambda data: data.pop("regrets"), "claim, regrets: null in the file"),
    (claim(exact=1), "claim, exact: 1 in the file, but it must be false"),
    (claim(exact=0), "claim, exact: 0 in the file, but it must be false"),
    (game(name="mia"), 'game: the key "name" is unknown'),
    (game(nodes=8), "game, nodes: 8 in the file, but it must be 7"),
    (game(players=["Col", "Row"]), "game, players"),
    (efg("EFG 2 R", "NFG 1 R"), "game, efg, line 1: it does not begin with EFG 2 R"),
    (efg("{ 2, 1 }", "{ 2, 1, 0 }"), "game, efg, line 6: outcome 1 needs a payoff for each player"),
    (efg("{ 2, 1 }", "{ 2, one }"), 'line 6: an exact number must come before "one"'),
    (efg('{ "Opera"', '{ "Opera'), "game, efg, line"),
    (efg('p "" 2 1 "c" { "Opera" "Fight" }', 'p "" 3 1 "c" { "Opera" "Fight" }'), "unknown player"),
    (efg('p "" 2 1', 'q "" 2 1'), 'a node (c, p or t) must come before "q"'),
    (lambda data: data["game"].update(efg=data["game"]["efg"] + 't "" 0'), "text after the end of the tree"),
    (
        lambda data: data["game"].update(efg=data["game"]["efg"][:-30]),
        "line 9: a text without a closing quotation mark",
    ),
    (lambda data: data["game"].update(efg=data["game"]["efg"][:-2]), 'line 10: an exact number must come before ""'),
]


TABLES = [(CHECKER, PROOF, *row) for row in WRONG_ROUNDS] + [(TREE_CHECKER, TWO_WAYS, *row) for row in WRONG_TREES]


@pytest.mark.parametrize(("checker", "data", "change", "words"), TABLES)
def test_what_is_wrong_is_named(checker, data, change, words, tmp_path, capsys):
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(data))
    assert checker.main([str(changed(path, change))]) == 1
    out, err = capsys.readouterr()
    assert (err, out.count("\n"), len(out.splitlines())) == ("", 1, 1)
    assert out.startswith(f"{path}: refused: ")
    assert words in out
    with pytest.raises((eb.CertificateError, eb.FileError)):
        verify_solution(path)


JUNK = [
    (b"", "not a certificate in JSON"),
    (b"[]", "the whole: "),
    (b"3", "the whole: "),
    (b"{}", "the whole: "),
    (b"\xff", "not a certificate in JSON"),
    (b"[" * 100_000, "not a certificate in JSON"),
    (b'{"strategies": ' + b"[" * 9_000 + b"]" * 9_000 + b"}", "the whole"),
    (b'{"strategies": 1}', "the whole"),
    (b'{"strategies": [], "game": {}}', "the whole"),
    (b'{"game": {"efg": 1}}', "the whole"),
    (b'{"strategies": [], "strategies": []}', 'a key appears twice in {"strategies": []}'),
    (b'{"strategies": ' + b"9" * 200_000 + b"}", "not a certificate in JSON"),
    ((DOCS / "proof.json").read_bytes()[:-20], "not a certificate in JSON"),
    ((DOCS / "proof.json").read_bytes().replace(b'"nodes": 1144', b'"nodes": 1144.0'), ": "),
]


@BOTH
def test_junk_gives_one_line_each(checker, tmp_path, check):
    paths = [tmp_path / f"junk{number}.json" for number in range(len(JUNK))]
    for path, (content, _) in zip(paths, JUNK, strict=True):
        path.write_bytes(content)
    code, lines, err = check(checker, *paths)
    assert (code, err, len(lines)) == (1, "", len(JUNK))
    for path, line, (_, words) in zip(paths, lines, JUNK, strict=True):
        assert line.startswith(f"{path}: refused: ")
        assert words in line


def test_without_perfect_recall_nothing_is_proved():
    tree = eb.parse_efg(B_FORGETS)
    data = plain(GUESS)
    rows = {k: tuple(Fraction(1, 2) for _ in tree.infosets[k].actions) for k in tree.personal}
    data["profile"] = [
        {
            "player": tree.infosets[k].player + 1,
            "infoset": tree.infosets[k].number,
            "label": tree.infosets[k].label,
            "reached": True,
            "probabilities": dict(zip(tree.infosets[k].actions, map(str, rows[k]), strict=True)),
        }
        for k in tree.numbered
    ]
    data["game"] = certificate_check.certified_game(None, tree)
    with pytest.raises(TREE_CHECKER._Refused, match="player 2 lacks perfect recall at set 2"):
        TREE_CHECKER.prove(signed(data))


# --- What is tampered with


def bracket():
    """A claim of two bounds that differ, with stakes."""
    stakes = {"loss": "difference", "lose1": "-1/3,-1", "lose2": "5/6"}
    rules = eb.game("liars-dice-stakes", sides=3, wild=1, dice="2,1", **stakes)
    return sparse_solution(rules, brute.random_sparse(rules, random.Random(5), 0.1), "bracket").to_json()


def near():
    """A claim that nobody of three gains more than the regret, which is not 0."""
    rules = eb.game("liars-dice", sides=3, wild=1, dice="1,2,1", max_quantity=3)
    return sparse_solution(rules, brute.random_sparse(rules, random.Random(5), 0.1), "near-equilibrium").to_json()


def trees():
    found = [random_tree(seed, 4, total, n) for seed, total, n in ((1, 0, 2), (5, None, 2), (8, None, 3), (11, 1, 3))]
    solved = [
        eb.solve(matrix_tree([[3, -1], [-2, 1]]), "lp"),
        eb.solve(random_tree(3, 4), "lp"),
        *SOLUTIONS[TREE_CHECKER],
    ]
    return [*map(plain, solved), *(plain(claimed(brute.random_profile(tree, 1))) for tree in found)]


TWO = ("1v1-3", "1v1-4-joker", "1v1-6-highest", "1v2-3", "1v2-6-joker", "2v1-4", "2v2-3")
MORE = ("1v1v1-2", "1v1v1-3", "1v1v1-4", "1v1v1-5", "2v1v1-2", "1v1v1v1-2", "1v1v1v1-3", "1v1v1v1v1-2")
BASES = {
    "two players": (CHECKER, lambda: [*map(certificate, TWO), bracket()]),
    "more players": (CHECKER, lambda: [*map(certificate, MORE), near()]),
    "trees": (TREE_CHECKER, trees),
}


@pytest.mark.parametrize("wanted", [60, pytest.param(240, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("checker", "bases"), BASES.values(), ids=BASES)
def test_tampered_certificates_are_refused(checker, bases, wanted, tmp_path, check):
    """By both. What is true all the same, such as another equilibrium, both prove."""
    paths, held = [], set()
    for name, text in tampered(bases(), int(1.25 * wanted)).items():
        paths.append(path := tmp_path / f"{name}.json")
        path.write_text(text)
        try:
            verify_solution(path)
            held.add(path)
        except (eb.CertificateError, eb.FileError, eb.ParameterError):
            pass
    code, lines, err = check(checker, *paths)
    assert (code, err, len(lines)) == (1, "", len(paths))
    refused = {path: line for path, line in zip(paths, lines, strict=True) if line.startswith(f"{path}: refused: ")}
    assert set(paths) - set(refused) == held
    assert len(refused) >= wanted
    signed = [line for path, line in refused.items() if path.stem.endswith("signed")]
    assert len(signed) >= wanted * 0.45
    assert not any("agree with its digest" in line for line in signed)
    assert sum(": claim, " in line for line in signed) >= wanted / 10


@BOTH
@pytest.mark.parametrize(
    "files",
    [
        pytest.param(respelled, id="respelled"),
        pytest.param(lambda data: mutants(data, 4), id="each fourth mutant"),
        pytest.param(mutants, id="mutants", marks=pytest.mark.slow),
    ],
)
def test_verify_and_the_checker_prove_the_same(checker, files, tmp_path, in_process):
    several = [] if checker is CHECKER else [eb.solve(eb.parse_efg(BATTLE), "gambit-enumpure")]
    for solution in [*SOLUTIONS[checker], *several]:
        # The checker does not check what is claimed off the path, and says so.
        data = {key: part for key, part in solution.to_json().items() if key not in ("refined", "off_path")}
        assert_judged_alike(checker, verify_solution, files(signed(data)), tmp_path)


@BOTH
@pytest.mark.parametrize("key", ["message", "method", "seconds", "run", "tolerance"])
def test_parts_that_prove_nothing_are_ignored(checker, key, tmp_path):
    for solution in SOLUTIONS[checker]:
        data, path = plain(solution), solution.write(tmp_path / "s.json")
        for content in (None, "1000", -1, 1e300, "a\nb", {"a": [1]}):
            changed(path, lambda data, content=content: data.update({key: content}))
            assert checker.prove(checker.read(str(path))) == in_words(data)
            assert verify_solution(path).status == solution.status
            with pytest.raises(checker._Refused, match="claim, status"):
                checker.prove(signed(data, **{key: content, "status": "proved"}))


def test_a_run_that_was_stopped_claims_its_bounds_alone():
    rules = eb.game("liars-dice", sides=6, dice=(4, 4))
    for status in ("timeout", "interrupted"):
        data = sparse_solution(rules, SparseProfile(rules, ({}, {})), status).to_json()
        assert CHECKER.prove(data) == in_words(data)


@pytest.mark.parametrize("name", ["1v1v1-3", "1v1v1v1-2", "2v1v1-2", "1v1v1-5"])
def test_a_status_that_does_not_follow_is_refused_by_every_tolerance(name):
    """The regret of 1v1v1-5 is below 1e-16: its strategies are floats' worth of digits, written as fractions."""
    data = certificate(name)
    exact = data["regret"] == "0"
    assert Fraction(data["regret"]) < Fraction(1, 10**16)
    assert data["status"] == ("equilibrium" if exact else "near-equilibrium")
    for tolerance in (None, data["regret"], "1/10", "1000", str(10**300)):
        assert CHECKER.prove(signed(data, tolerance=tolerance)) == in_words(data)
        for status in ("near-equilibrium", "not-an-equilibrium", "bracket") if exact else ("equilibrium", "bracket"):
            with pytest.raises(CHECKER._Refused, match="claim, status"):
                CHECKER.prove(signed(data, status=status, tolerance=tolerance))
    if not exact:
        with pytest.raises(CHECKER._Refused, match="claim, reg"):
            CHECKER.prove(signed(data, status="equilibrium", regret="0", regrets=["0", "0", "0"]))


def test_a_radius_is_not_looked_at():
    data = signed(plain(GUESS), radius="1/10")
    assert TREE_CHECKER.prove(data) == f"{in_words(data)} (not checked: 'radius'; use 'efg-builder verify FILE')"


def test_floats_prove_nothing_exactly():
    third = TreeProfile.from_personal(eb.parse_efg(BATTLE), {0: (2 / 3, 1 / 3), 1: (1 / 3, 2 / 3)})
    with pytest.raises(
        TREE_CHECKER._Refused, match=r"is not an exact number, e\.g\. 1/3; 'efg-builder verify FILE' takes"
    ):
        TREE_CHECKER.prove(plain(claimed(third)))


def test_several_equilibria_are_each_proved(in_process):
    found = eb.solve(eb.parse_efg(BATTLE), "gambit-enumpure")
    assert len(found.equilibria) == 2
    data = plain(found)
    assert TREE_CHECKER.prove(data).partition(" (not checked: ")[0] == in_words(data)
    assert "; 2 of 2 profiles in 'equilibria' are equilibria (not checked: " in TREE_CHECKER.prove(data)
    data["equilibria"][1]["value"] = data["equilibria"][0]["value"]
    with pytest.raises(TREE_CHECKER._Refused, match="equilibria, number 2, value"):
        TREE_CHECKER.prove(signed(data))


# --- Three implementations, of rounds

# A failure is shown as it was found: a smaller one is not looked for, since each attempt builds a tree.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


def variants(draw, sizes, bids):
    """The rules of a round with one of *sizes* (sides and dice), and at most that many *bids*."""
    sides, dice = draw(st.sampled_from(sizes))
    wild = draw(st.sampled_from(["none", *map(str, range(1, sides + 1))]))
    biddable = wild == "none" or draw(st.booleans())
    orders = ["quantity-face", "face-quantity", *(["bluff"] if wild != "none" and biddable else [])]
    most = min(sum(map(int, dice.split(","))) + 1, bids // (sides - (not biddable)))
    order, most = draw(st.sampled_from(orders)), draw(st.integers(1, most))
    return {"sides": sides, "dice": dice, "wild": wild, "wild_biddable": biddable, "order": order, "max_quantity": most}


@st.composite
def games(draw):
    """Variants of two players that are small enough for a tree."""
    rules = variants(
        draw, [*((2, d) for d in ("1,1", "2,1", "1,2", "2,2")), *((3, d) for d in ("1,1", "2,1", "1,2"))], 9
    )
    if draw(st.booleans()):
        return eb.game("liars-dice", **rules, payoff=draw(st.sampled_from(["win-loss", "points"])))
    loss = draw(st.sampled_from(["one", "difference"]))
    numbers = st.fractions(-2, 2, max_denominator=9)
    stakes = {}
    for player, count in enumerate(map(int, rules["dice"].split(",")), start=1):
        most = count if loss == "difference" else 1
        stakes[f"lose{player}"] = ",".join(map(str, draw(st.lists(numbers, min_size=1, max_size=most))))
    exact = draw(st.sampled_from(["caller-loses-one", "bidder-loses-one"]))
    return eb.game("liars-dice-stakes", **rules, loss=loss, exact=exact, **stakes)


@st.composite
def games_of_more(draw):
    """Variants of three and four players."""
    of_two = [(2, d) for d in ("1,1,1", "2,1,1", "1,2,1", "1,1,2", "1,1,1,1", "1,1,2,1")]
    return eb.game("liars-dice", **variants(draw, [*of_two, *((3, d) for d in ("1,1,1", "1,2,1", "1,1,1,1"))], 8))


@pytest.mark.parametrize("dice", ["1,1", "2,2", "2,1", "1,1,1", "2,2,2", "1,2,1", "1,1,1,1"])
@pytest.mark.parametrize("sides", [2, 12, 13])
def test_titles_are_those_of_the_games(dice, sides):
    rules = eb.game("liars-dice", sides=sides, dice=dice, max_quantity=2)
    assert CHECKER.Round({name: str(value) for name, value in identify(rules)[1].items()}).title() == rules.title


@settings(max_examples=12, phases=PHASES)
@given(
    game=st.one_of(games(), games_of_more()),
    seed=st.integers(0, 10**6),
    density=st.sampled_from([0, 0.05, 0.2, 0.6]),
)
def test_three_implementations_agree(game, seed, density):
    profile = brute.random_sparse(game, random.Random(seed), density).canonical()
    verdict = verify(profile)
    solution = sparse_solution(game, profile, status_of(verdict))
    data = plain(solution)

    mine = CHECKER.read_game(data["game"])
    odds = [[Fraction(n, sum(own)) for n in own] for own in mine.odds]
    assert mine.moves == [*game.bid_names, "call"]
    assert (mine.hands, odds) == ([list(own) for own in game.hands], [list(own) for own in game.hand_probabilities])
    assert mine.title() == game.title

    plans = [CHECKER.read_plan(mine, player, rows) for player, rows in enumerate(data["strategies"])]
    best, value = (tuple(CHECKER.worth(mine, player, plans, best) for player in mine.players) for best in (True, False))
    tree = eb.build(game)
    on_tree = eb.verify(profile.on(tree), over="tree")
    assert {key: data["game"][key] for key in tree.node_counts} == dict(tree.node_counts)
    assert best == verdict.best_responses == on_tree.best_responses
    assert value == verdict.value == on_tree.value
    assert tuple(map(Fraction.__sub__, best, value)) == verdict.regrets == on_tree.regrets
    assert max(verdict.regrets) == verdict.regret == on_tree.regret
    assert sum(value) == mine.total

    proof = verify_solution(solution, game)
    assert (proof.value, proof.regret) == (value, verdict.regret)
    assert (proof.lower, proof.upper) == ((mine.total - best[1], best[0]) if len(value) == 2 else (None, None))
    assert CHECKER.prove(data) == in_words(data)


@settings(max_examples=10, phases=PHASES)
@given(
    game=st.one_of(games(), games_of_more()),
    seed=st.integers(0, 10**6),
    off=st.fractions(-1, 1, max_denominator=1000),
)
def test_every_number_of_a_claim_must_follow(game, seed, off):
    assume(off)
    profile = brute.random_sparse(game, random.Random(seed), 0.2)
    data = plain(sparse_solution(game, profile, status_of(verify(profile))))
    numbers = {key: data[key] for key in ("value", "lower", "upper", "regret", "regrets") if data.get(key) is not None}
    for key, said in numbers.items():
        for at in range(len(said) if isinstance(said, list) else 1):
            wrong = str(Fraction(said[at] if isinstance(said, list) else said) + off)
            forged = data | {key: [*said[:at], wrong, *said[at + 1 :]] if isinstance(said, list) else wrong}
            with pytest.raises(CHECKER._Refused, match=f"claim, {key}: "):
                CHECKER.prove(signed(forged))


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("-1/9", "-1/9"),
        ("212027/771552", "212027/771552, about 0.2748058459"),
        (f"{10**40 // 3}/{10**40}", "about 0.3333333333 (81 digits)"),
        (f"2/{3 * 10**60}", "about 6.666666667E-61 (62 digits)"),
    ],
)
def test_a_long_fraction_has_a_decimal(number, shown):
    assert CHECKER.figure(Fraction(number)) == figure(Fraction(number))
    assert CHECKER.figure(Fraction(number)).startswith(shown.partition(" (")[0])


def test_a_printed_bracket_holds_the_proved_one():
    third = Fraction(1, 3 * 10**50)
    assert CHECKER.figure(third, CHECKER.ROUND_FLOOR).startswith("about 3.333333333E-51")
    assert CHECKER.figure(third, CHECKER.ROUND_CEILING).startswith("about 3.333333334E-51")


# --- Two implementations, of trees


def assert_same_tree(text):
    """The checker's reading of a text against the package's."""
    mine, theirs = TREE_CHECKER.Tree(text), eb.parse_efg(text)
    assert (mine.title, tuple(mine.players), mine.comment) == (theirs.title, theirs.players, theirs.comment)
    assert (mine.above, mine.move) == (theirs.parent.tolist(), theirs.action.tolist())
    sets = [None if at == NONE else mine.sets[at] for at in mine.at]
    for one, k in zip(sets, theirs.infoset.tolist(), strict=True):
        other = None if k == NONE else theirs.infosets[k]
        assert (one is None) == (other is None)
        if one is not None:
            assert (one.owner, one.number, one.label, tuple(one.moves)) == other[:4]
            assert tuple(one.chances) == (other.probabilities or ())
            assert (one.owner == TREE_CHECKER.NONE) == (other.player == CHANCE)
    paid, scale = scaled_payoffs(theirs)
    assert mine.paid == [[Fraction(p, scale) for p in row] for row in paid]


def assert_agree(profile):
    """Both prove the true claim, from equal figures."""
    solution = claimed(profile)
    data, verdict = plain(solution), solution.judged[0].verdict
    assert_same_tree(data["game"]["efg"])
    value, regrets, bounds = TREE_CHECKER.judge(TREE_CHECKER.Tree(data["game"]["efg"]), data["profile"], "profile")
    assert tuple(value) == verdict.value
    assert tuple(regrets) == verdict.regrets
    assert bounds == ([] if verdict.lower is None else [verdict.lower, verdict.upper])
    assert TREE_CHECKER.prove(data) == in_words(data)
    proof = verify_solution(solution)
    assert (proof.value, proof.regret) == (verdict.value, verdict.regret)


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), players=st.integers(1, 4), constant=st.booleans(), zeros=st.booleans())
def test_both_agree_on_random_trees(seed, players, constant, zeros):
    tree = random_tree(seed, 4, Fraction(1, 3) if constant else None, players)
    assert_agree(brute.random_profile(tree, seed, zeros=zeros))


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 3))
def test_the_most_is_that_of_all_pure_strategies(seed, players):
    """``brute`` tries every pure strategy, by the definition of a best response."""
    tree = random_tree(seed, 3, None, players)
    profile = brute.random_profile(tree, seed)
    rows = [list(each.probabilities or profile.probabilities[k]) for k, each in enumerate(tree.infosets)]
    mine = TREE_CHECKER.Tree(tree.to_efg())
    by_set = {(each.player, each.number): row for each, row in zip(tree.infosets, rows, strict=True)}
    found = [by_set[each.owner, each.number] for each in mine.sets]
    for player in range(players):
        assert TREE_CHECKER.most(mine, found, player) == brute.best_response_value(profile, player)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_both_agree_on_files_of_gambit(path):
    tree = eb.read_efg(path)
    assert_same_tree(path.read_text())
    rows = {k: (Fraction(1, len(tree.infosets[k].actions)),) * len(tree.infosets[k].actions) for k in tree.personal}
    profile = TreeProfile.from_personal(tree, rows)
    try:
        forgetful = bool(verify(profile).forgetful)
    except RecallError:
        return
    if forgetful:
        with pytest.raises(TREE_CHECKER._Refused, match=r"lacks perfect recall at set .*; try 'efg-builder verify"):
            TREE_CHECKER.prove(plain(claimed(profile)))
    else:
        assert_agree(profile)


@pytest.mark.parametrize("mark", [",", ", ", "  ", ' "x"'])
def test_marks_after_a_probability(mark):
    """A comma may follow a payoff, and no probability."""
    text = json.loads((DOCS / "coin.json").read_text())["game"]["efg"]
    assert " 1/2 " in text
    assert_same_reading(text.replace(" 1/2 ", f" 1/2{mark} ", 1))


@settings(max_examples=40)
@given(data=st.data())
def test_both_read_the_same_texts(data):
    """Words taken out, put in, doubled and changed in files that were good."""
    text = data.draw(st.sampled_from([FOREIGN, BATTLE, B_FORGETS, random_tree(4, 3, None, 2).to_efg()]))
    words = re.findall(r'"[^"]*"|[^\s"]+|\s+', text)
    more = st.sampled_from([*words, "0", "-1", "1/2", ".5", "1e2", '"x"', "{", "}", ",", '""', "c", "\n", '"a\\"b"'])
    for _ in range(data.draw(st.integers(1, 2))):
        at = data.draw(st.integers(0, len(words) - 1))
        words[at : at + data.draw(st.integers(0, 1))] = data.draw(st.lists(more, max_size=2))
    assert_same_reading("".join(words))


def assert_same_reading(text):
    """Both refuse *text*, or both read the same tree."""
    try:
        eb.parse_efg(text)
    except eb.EfgSyntaxError:
        with pytest.raises(TREE_CHECKER._Refused, match="game, efg, line "):
            TREE_CHECKER.Tree(text)
    else:
        assert_same_tree(text)
