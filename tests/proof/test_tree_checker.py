"""The checker of trees proves what carries its tree, refuses what was tampered with, and agrees with the package."""

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
from certificates import FOREIGN, POKER_SOLVED, assert_judged_alike, changed, in_words, mutants, respelled
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS, ROOT, TESTS
from random_trees import random_tree
from small_files import B_FORGETS, BATTLE, matrix_tree

import efg_builder as eb
from efg_builder.base.errors import RecallError
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.forms.extensive import CHANCE, NONE, scaled_payoffs
from efg_builder.proof import verify
from efg_builder.proof.certificate import check as certificate_check
from efg_builder.proof.certificate import digests, verify_solution
from efg_builder.strategies.tree_profile import TreeProfile

SOURCE = ROOT / "efg_builder" / "proof" / "tree_checker.py"
CORPUS = sorted(Path(pygambit.__file__).parent.joinpath("catalog_data").rglob("*.efg"))

_spec = importlib.util.spec_from_file_location("tree_checker", SOURCE)
checker = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(checker)

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


def claimed(profile, status=None, **more):
    """A solution that claims what is true of a profile."""
    verdict = verify(profile)
    two = "bracket" if verdict.lower is not None else "near-equilibrium"
    status = status or ("equilibrium" if verdict.equilibrium else two)
    return Solution(profile.tree, "guess", status, "as found", 0.1, (Judged(profile, verdict),), **more)


def plain(solution):
    return json.loads(json.dumps(solution.to_json()))


# --- One file


def test_it_is_one_short_file_of_the_standard_library():
    text = SOURCE.read_text()
    assert len(text.splitlines()) <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


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
    assert "game: the certificate carries another tree than the one given" in err
    Path("was-run").unlink()
    shutil.move("coin.py", "away.py")
    code, out, _ = cli("verify", "k.json")
    assert code == 0
    assert "the value of the game is 1/3" in out
    assert "; the tree is the one that is in the file" in out
    code, lines, err = check(tmp_path / "k.json", tmp_path / "refined.json.gz")
    assert (code, err) == (0, "")
    assert lines[0] == f"{tmp_path}/k.json: proved: the value to Ann is 1/3 (exact)"
    assert lines[1].endswith(" is 1/3 (exact) (not looked at: 'refined'; 'efg-builder verify FILE' does)")
    assert not Path("was-run").exists()


@pytest.mark.parametrize("name", ["river.py", "guts.py", "../../docs/games/quiche.py", "coin.py"])
def test_games_of_users_are_proved_by_both(name, tmp_path):
    """Chance in the middle, three players, no constant sum, and not dealt."""
    game = eb.game(str(TESTS / "own" / name))
    solution = eb.solve(game, timeout=20)
    data = plain(solution)
    assert checker.prove(data).startswith(in_words(data))
    assert verify_solution(solution.write(tmp_path / "s.json")).regret == solution.regret


def test_a_sweep_of_a_class_is_proved_with_it(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    Path("coin.py").write_text(COIN)
    assert cli("sweep", "coin.py:Coin", "stake=1..2", "--workers", "1", "-o", "x.db")[0] == 0
    code, out, _ = cli("verify", "x.db", "coin.py:Coin")
    assert code == 0
    assert "2 rows: 2 proved, 0 wrong" in out


def test_above_a_size_the_digest_stands_for_the_tree(tmp_path, monkeypatch, cli, check):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(certificate_check, "MOST_CARRIED", 100)
    Path("own.efg").write_text(FOREIGN)
    Path("other.efg").write_text(FOREIGN.replace("{ -1 1 }", "{ -1 1/1 }").replace('"H1"', '"H2"'))
    assert cli("solve", "own.efg", "--method", "lp", "-o", "k.json")[0] == 0
    assert len(json.loads(Path("k.json").read_text())["game"]["sha256"]) == 64
    code, _, err = cli("verify", "k.json")
    assert code == 2
    assert "k.json has only the digest of its tree: give the game or FILE.efg it is of" in err
    code, out, _ = cli("verify", "k.json", "own.efg")
    assert code == 0
    assert "; the tree is the one of which the file has the digest" in out
    code, _, err = cli("verify", "k.json", "other.efg")
    assert code == 3
    assert "game: sha256 is not that of the tree given, 'matching pennies 7', as .efg" in err
    assert "it carries no tree" in check(tmp_path / "k.json")[1][0]


# Names that the format changes.
ODD = {"two blanks": FOREIGN.replace('"r"', '"r  r"')}

# Equal names of a player's sets, which Gambit's format does not have, and a certificate's text does.
EQUAL = {
    "equal": BATTLE.replace('p "" 2 1 "c" { "Opera" "Fight" } 0\nt "" 2', 'p "" 2 2 "c" { "Opera" "Fight" } 0\nt "" 2'),
}


@pytest.mark.parametrize("efg", ODD.values(), ids=ODD)
def test_a_tree_that_the_format_changes_is_not_carried(efg, tmp_path):
    tree = eb.parse_efg(efg)
    solution = claimed(brute.random_profile(tree, 3))
    assert "efg" not in plain(solution)["game"]
    assert verify_solution(solution.write(tmp_path / "s.json"), tree).regret == solution.regret


@pytest.mark.parametrize("efg", EQUAL.values(), ids=EQUAL)
def test_a_tree_with_equal_names_is_carried(efg, tmp_path):
    solution = claimed(brute.random_profile(eb.parse_efg(efg), 3))
    assert "efg" in plain(solution)["game"]
    assert verify_solution(solution.write(tmp_path / "s.json")).regret == solution.regret


def test_it_prints_what_the_page_says(check, tmp_path, cli):
    shutil.copy(DOCS / "coin.json", tmp_path / "alone")
    shutil.copy(DOCS / "coin.json", tmp_path / "alone" / "forged.json")
    changed(tmp_path / "alone" / "forged.json", efg("{ 2, -2 }", "{ 3, -3 }"))
    code, lines, err = check("coin.json", "forged.json")
    assert (code, err) == (1, "")
    assert "".join(f"    {line}\n" for line in lines) in (DOCS / "proof.md").read_text()
    assert cli("verify", DOCS / "coin.json")[0] == 0


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


def test_it_says_what_it_does_not_know(check, tmp_path):
    POKER_SOLVED.write(tmp_path / "poker.json")
    code, lines, err = check(tmp_path / "poker.json", DOCS / "proof.json")
    assert (code, err, len(lines)) == (1, "", 2)
    for line in lines:
        assert ": refused: the whole: it carries no tree; checker.py (Liar's Dice) or 'efg-builder verify FILE'" in line


def test_it_says_what_it_cannot_read(check, tmp_path):
    solution = claimed(brute.random_profile(eb.parse_efg(BATTLE), 3))
    good, bad = solution.write(tmp_path / "good.json.gz"), tmp_path / "bad.json.gz"
    bad.write_bytes(good.read_bytes()[:-4])
    code, lines, err = check(tmp_path / "none.json", bad, good, tmp_path)
    assert (code, err) == (2, "")
    assert [line.split(": ")[1] for line in lines] == ["cannot be read", "cannot be read", "proved", "cannot be read"]
    code, lines, err = check()
    assert (code, lines) == (2, [])
    assert err.startswith("usage: python tree_checker.py FILE")


# --- What is malformed


def entry(data, at=0):
    return data["profile"][at]


def put(**what):
    return lambda data: entry(data).update(what)


def efg(old, new):
    def change(data):
        assert old in data["game"]["efg"]
        data["game"]["efg"] = data["game"]["efg"].replace(old, new, 1)

    return change


WRONG = [
    (put(probabilities={"Opera": "1"}), 'player 1, set 1, the moves: ["Opera"] in the file'),
    (put(probabilities={"Opera": "1", "Fight": "1/2"}), "is no distribution"),
    (put(probabilities={"Opera": "3/2", "Fight": "-1/2"}), "is no distribution"),
    (
        put(probabilities={"Opera": 0.5, "Fight": "1/2"}),
        "\"Opera\": 0.5 is no exact number, such as 1/3; 'efg-builder verify FILE' takes floats",
    ),
    (put(probabilities={"Opera": "1/0", "Fight": "1"}), '"1/0" is no exact number'),
    (put(probabilities={"Opera": True, "Fight": "0"}), "true is no exact number"),
    (put(label="R"), 'player 1, set 1, label: "R" in the file, but it must be "r"'),
    (put(reached=False), "player 1, set 1, reached: false in the file"),
    (put(infoset=7), "player 1, set 7: there is no such set"),
    (put(player=0), "player 0, set 1: there is no such set"),
    (put(player=2), "player 2, set 1, label"),
    (put(note="x"), 'the key "note" is unknown'),
    (lambda data: data["profile"].append(entry(data)), "player 1, set 1: it stands there twice"),
    (lambda data: data["profile"].pop(), "profile: nothing for player 2, set 1"),
    (lambda data: data.update(profile=None), "profile: null is not of the type list"),
    (lambda data: data.update(status="equilibrium"), 'claim, status: "equilibrium" does not follow'),
    (lambda data: data.update(status="bracket"), 'claim, status: "bracket" does not follow'),
    (lambda data: data.update(lower="0"), 'claim, lower: "0" in the file, but it must be null'),
    (lambda data: data.update(regrets=["0", "0"]), "claim, regrets"),
    (lambda data: data.pop("regrets"), "claim, regrets: null in the file"),
    (lambda data: data.update(exact=1), "claim, exact: 1 in the file, but it must be false"),
    (lambda data: data["game"].update(name="mia"), 'game: the key "name" is unknown'),
    (lambda data: data["game"].update(nodes=8), "game, nodes: 8 in the file, but it must be 7"),
    (lambda data: data["game"].update(players=["Col", "Row"]), "game, players"),
    (efg("EFG 2 R", "NFG 1 R"), "game, efg, line 1: it does not begin with EFG 2 R"),
    (efg("{ 2, 1 }", "{ 2, 1, 0 }"), "game, efg, line 6: outcome 1 needs a payoff for each player"),
    (efg("{ 2, 1 }", "{ 2, one }"), 'line 6: an exact number must stand before "one"'),
    (efg('{ "Opera"', '{ "Opera'), "game, efg, line"),
    (efg('p "" 2 1 "c" { "Opera" "Fight" }', 'p "" 3 1 "c" { "Opera" "Fight" }'), "there is no such player"),
    (efg('p "" 2 1', 'q "" 2 1'), 'a node (c, p or t) must stand before "q"'),
    (lambda data: data["game"].update(efg=data["game"]["efg"] + 't "" 0'), "text after the end of the tree"),
    (
        lambda data: data["game"].update(efg=data["game"]["efg"][:-30]),
        "line 9: a text without a closing quotation mark",
    ),
    (lambda data: data["game"].update(efg=data["game"]["efg"][:-2]), 'line 10: an exact number must stand before ""'),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_what_is_wrong_is_named(change, words, tmp_path, capsys):
    profile = TreeProfile.from_personal(
        eb.parse_efg(BATTLE), {0: (Fraction(1, 3), Fraction(2, 3)), 1: (Fraction(1), 0)}
    )
    path = changed(claimed(profile).write(tmp_path / "forged.json"), change)
    assert checker.main([str(path)]) == 1
    out, err = capsys.readouterr()
    assert (err, out.count("\n"), len(out.splitlines())) == ("", 1, 1)
    assert out.startswith(f"{path}: refused: ")
    assert words in out
    with pytest.raises((eb.CertificateError, eb.FileError)):
        verify_solution(path)


@pytest.mark.parametrize(
    "junk", [b"", b"[]", b"3", b"{}", b"\xff", b"[" * 100_000, b'{"game": {"efg": 1}}', b'{"a":1,"a":1}']
)
def test_junk_gives_one_line(junk, tmp_path, check):
    path = tmp_path / "junk.json"
    path.write_bytes(junk)
    code, lines, err = check(path)
    assert (code, err, len(lines)) == (1, "", 1)
    assert lines[0].startswith(f"{path}: refused: ")


def test_without_perfect_recall_nothing_is_proved():
    tree = eb.parse_efg(B_FORGETS)
    data = plain(claimed(brute.random_profile(eb.parse_efg(BATTLE), 3)))
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
    data["digests"] = digests(data)
    with pytest.raises(checker.Refused, match="player 2 has no perfect recall at set 2"):
        checker.prove(data)


# --- Two implementations


def assert_same_tree(text):
    """The checker's reading of a text against the package's."""
    mine, theirs = checker.Tree(text), eb.parse_efg(text)
    assert (mine.title, tuple(mine.players), mine.comment) == (theirs.title, theirs.players, theirs.comment)
    assert (mine.above, mine.move) == (theirs.parent.tolist(), theirs.action.tolist())
    sets = [None if at == NONE else mine.sets[at] for at in mine.at]
    for one, k in zip(sets, theirs.infoset.tolist(), strict=True):
        other = None if k == NONE else theirs.infosets[k]
        assert (one is None) == (other is None)
        if one is not None:
            assert (one.owner, one.number, one.label, tuple(one.moves)) == other[:4]
            assert tuple(one.chances) == (other.probabilities or ())
            assert (one.owner == checker.NONE) == (other.player == CHANCE)
    paid, scale = scaled_payoffs(theirs)
    assert mine.paid == [[Fraction(p, scale) for p in row] for row in paid]


def assert_agree(profile):
    """Both prove the true claim, from equal figures."""
    solution = claimed(profile)
    data, verdict = plain(solution), solution.judged[0].verdict
    assert_same_tree(data["game"]["efg"])
    value, regrets, bounds = checker.judge(checker.Tree(data["game"]["efg"]), data["profile"], "profile")
    assert tuple(value) == verdict.value
    assert tuple(regrets) == verdict.regrets
    assert bounds == ([] if verdict.lower is None else [verdict.lower, verdict.upper])
    assert checker.prove(data) == in_words(data)
    proof = verify_solution(solution)
    assert (proof.value, proof.regret) == (verdict.value, verdict.regret)


@settings(max_examples=60)
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
    mine = checker.Tree(tree.to_efg())
    by_set = {(each.player, each.number): row for each, row in zip(tree.infosets, rows, strict=True)}
    found = [by_set[each.owner, each.number] for each in mine.sets]
    for player in range(players):
        assert checker.most(mine, found, player) == brute.best_response_value(profile, player)


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
        with pytest.raises(checker.Refused, match=r"no perfect recall at set .*; 'efg-builder verify FILE' may do"):
            checker.prove(plain(claimed(profile)))
    else:
        assert_agree(profile)


@pytest.mark.parametrize("mark", [",", ", ", "  ", ' "x"'])
def test_marks_after_a_probability(mark):
    """A comma may follow a payoff, and no probability."""
    text = json.loads((DOCS / "coin.json").read_text())["game"]["efg"]
    assert " 1/2 " in text
    assert_same_reading(text.replace(" 1/2 ", f" 1/2{mark} ", 1))


@settings(max_examples=150)
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
        with pytest.raises(checker.Refused, match="game, efg, line "):
            checker.Tree(text)
    else:
        assert_same_tree(text)


def test_several_equilibria_are_each_proved(tmp_path):
    found = eb.solve(eb.parse_efg(BATTLE), "gambit-enumpure")
    assert len(found.equilibria) == 2
    data = plain(found)
    assert checker.prove(data) == in_words(data)
    assert checker.prove(data).endswith("; 2 of 2 profiles in 'equilibria' are equilibria")
    data["equilibria"][1]["value"] = data["equilibria"][0]["value"]
    data["digests"] = digests(data)
    with pytest.raises(checker.Refused, match="equilibria, number 2, value"):
        checker.prove(data)


def test_a_radius_is_not_looked_at():
    data = plain(claimed(brute.random_profile(eb.parse_efg(BATTLE), 3)))
    data["radius"] = "1/10"
    data["digests"] = digests(data)
    assert checker.prove(data) == f"{in_words(data)} (not looked at: 'radius'; 'efg-builder verify FILE' does)"


def test_floats_prove_nothing_exactly():
    tree = eb.parse_efg(BATTLE)
    third = TreeProfile.from_personal(tree, {0: (2 / 3, 1 / 3), 1: (1 / 3, 2 / 3)})
    with pytest.raises(
        checker.Refused, match="is no exact number, such as 1/3; 'efg-builder verify FILE' takes floats"
    ):
        checker.prove(plain(claimed(third)))


# --- What is tampered with

TAMPERED = 300


def bases():
    trees = [random_tree(seed, 4, total, n) for seed, total, n in ((1, 0, 2), (5, None, 2), (8, None, 3), (11, 1, 3))]
    matrix = matrix_tree([[3, -1], [-2, 1]])
    found = [
        eb.solve(matrix, "lp"),
        eb.solve(random_tree(3, 4), "lp"),
        eb.solve(eb.parse_efg(BATTLE), "gambit-enumpure"),
    ]
    return [*map(plain, found), *(plain(claimed(brute.random_profile(tree, 1))) for tree in trees)]


def change_a_digit(data, rng):
    key = rng.choice(["value", "regret", "profile", "profile", "game", "game", "lower", "upper", "regrets"])
    text = json.dumps(data.get(key))
    places = [at for at, letter in enumerate(text) if letter.isdigit()]
    if places:
        at = rng.choice(places)
        data[key] = json.loads(text[:at] + rng.choice([d for d in "123456789" if d != text[at]]) + text[at + 1 :])


def change_the_efg(data, rng):
    lines = data["game"]["efg"].split("\n")
    at = rng.randrange(3, len(lines) - 1)
    change = rng.randrange(4)
    if change == 0:
        del lines[at]
    elif change == 1:
        other = rng.randrange(3, len(lines) - 1)
        lines[at], lines[other] = lines[other], lines[at]
    elif change == 2:
        lines[at] = re.sub(r"-?\d+(?= \}|, )", lambda number: str(int(number[0]) + 1), lines[at], count=1)
    else:
        lines.insert(at, lines[at])
    data["game"]["efg"] = "\n".join(lines)


def move_probability(data, rng):
    row = rng.choice(data["profile"])["probabilities"]
    source = rng.choice([move for move, p in row.items() if p != "0"])
    target, shift = rng.choice(list(row)), Fraction(row[source]) / rng.randint(1, 5)
    row[source] = str(Fraction(row[source]) - shift)
    row[target] = str(Fraction(row[target]) + shift)


def break_a_probability(data, rng):
    row = rng.choice(data["profile"])["probabilities"]
    move = rng.choice(list(row))
    p = Fraction(row[move])
    row[move] = rng.choice([str(-p - 1), str(p / 2 + 1), float(p), None, "p", str(p + 1), " 1", "1/0", [row[move]]])


def change_an_entry(data, rng):
    one = rng.choice(data["profile"])
    key, value = rng.choice(
        [
            ("player", 3 - one["player"]),
            ("infoset", one["infoset"] + 1),
            ("label", "x"),
            ("reached", not one["reached"]),
            ("reached", None),
            ("note", ""),
        ]
    )
    one[key] = value


def change_the_entries(data, rng):
    entries, at = data["profile"], rng.randrange(len(data["profile"]))
    if rng.random() < 0.5:
        del entries[at]
    else:
        entries.append(entries[at])


def rename_a_move(data, rng):
    row = rng.choice(data["profile"])["probabilities"]
    row[rng.choice(["fold", "", "0 "])] = row.pop(rng.choice(list(row)))


def change_the_head(data, rng):
    key = rng.choice(["title", "players", "nodes", "decision_nodes", "name", "sha256", "efg"])
    wrong = {"title": "Chess", "players": data["game"]["players"][::-1], "name": "mia", "sha256": "0" * 64, "efg": ""}
    data["game"][key] = wrong.get(key, 12345)


def change_the_claim(data, rng):
    two, exact = data["lower"] is not None, data["regret"] == "0"
    true = {"equilibrium"} if exact else {"bracket" if two else "near-equilibrium", "not-an-equilibrium"}
    statuses = ["equilibrium", "near-equilibrium", "bracket", "not-an-equilibrium", "proved", ""]
    status = rng.choice([status for status in statuses if status not in true])
    changes = [
        {"status": status},
        {"status": status if exact else rng.choice(sorted(true)), "tolerance": rng.choice(["1", "1000", 10.0**300])},
        {"exact": not data["exact"]},
        {"value": [*data["value"][1:], data["value"][0] + "1"]},
        {"lower": "-100"},
        {"upper": "100"},
        {"regrets": [*data.get("regrets", ["0"]), "0"]},
        {"regret": "1/1000"},
        {"regret": 0},
        {"regret": "-1/10"},
        {"value": data["value"][:-1]},
        {"note": "true"},
        {"default": "none"},
    ]
    data.update(rng.choice(changes))


def lose_a_part(data, rng):
    del data[rng.choice(["value", "exact", "regret", "status", "profile", "method", "game"])]


CHANGES = [
    *(change_a_digit, change_a_digit, change_a_digit, change_the_efg, change_the_efg, change_the_efg, change_the_claim),
    *(move_probability, move_probability, break_a_probability, change_an_entry, change_the_entries, rename_a_move),
    *(change_the_head, change_the_claim, lose_a_part),
]


def test_tampered_certificates_are_refused(tmp_path, check):
    """By both. What is true all the same, such as another equilibrium, both prove."""
    given_bases, paths, held = bases(), [], set()
    for number in range(int(1.25 * TAMPERED)):
        rng = random.Random(number)
        base = rng.choice(given_bases)
        data, change = json.loads(json.dumps(base)), rng.choice(CHANGES)
        change(data, rng)
        signed = number % 3 > 0
        if signed and "game" in data:
            data["digests"] = digests(data)
        if data == base:
            continue
        text = json.dumps(data)
        if number % 20 == 19:  # a key that stands twice, with its old value last
            text = (
                f"{json.dumps({rng.choice(['lower', 'status', 'game', 'profile']): '0'})[:-1]}, {json.dumps(base)[1:]}"
            )
        path = tmp_path / f"{number}-{change.__name__}-{'signed' if signed else 'plain'}.json"
        path.write_text(text)
        paths.append(path)
        try:
            verify_solution(path)
            held.add(path)
        except (eb.CertificateError, eb.FileError, eb.ParameterError):
            pass
    code, lines, err = check(*paths)
    assert (code, err, len(lines)) == (1, "", len(paths))
    refused = {path: line for path, line in zip(paths, lines, strict=True) if line.startswith(f"{path}: refused: ")}
    assert set(paths) - set(refused) == held
    assert len(refused) >= TAMPERED
    signed = [line for path, line in refused.items() if path.stem.endswith("signed")]
    assert len(signed) >= TAMPERED / 2
    assert not any("agree with its digest" in line for line in signed)
    assert sum(": claim, " in line for line in signed) >= TAMPERED / 6


@pytest.mark.parametrize("files", [mutants, respelled])
def test_verify_and_the_checker_prove_the_same(files, tmp_path):
    for solution in (eb.solve(eb.parse_efg(BATTLE), "gambit-enumpure"), eb.solve(eb.parse_efg(FOREIGN), "lp")):
        data = solution.to_json()
        assert_judged_alike(checker, verify_solution, files(data), tmp_path)


def test_a_compressed_trap_is_refused_by_its_size(tmp_path, check):
    path = tmp_path / "trap.json.gz"
    path.write_bytes(gzip.compress(bytes(70 << 20)))
    assert check(path) == (2, [f"{path}: cannot be read: it unpacks to more than 64 MiB"], "")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_names_are_printed_in_every_encoding(encoding, tmp_path):
    tree = eb.parse_efg(BATTLE.replace('"Row"', '"Zoë"').replace('"Col"', '"Łukasz"'))
    path = claimed(brute.random_profile(tree, 3)).write(tmp_path / "s.json")
    env = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, SOURCE, path], env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Zoë gets " in (said := done.stdout.decode(encoding))
    assert ("\\u0141ukasz gets " if encoding == "cp1252" else "Łukasz gets ") in said


@pytest.mark.parametrize("key", ["message", "method", "seconds", "run", "tolerance"])
@pytest.mark.parametrize("content", [None, "1000", -1, 1e300, "a\nb", {"a": [1]}])
def test_parts_that_prove_nothing_are_ignored(key, content, tmp_path):
    solution = claimed(brute.random_profile(eb.parse_efg(BATTLE), 3))
    path = changed(solution.write(tmp_path / "s.json"), lambda data: data.update({key: content}))
    assert checker.prove(checker.read(str(path))) == in_words(plain(solution))
    assert verify_solution(path).status == solution.status == "near-equilibrium"
    changed(path, lambda data: data.update(status="equilibrium"))
    with pytest.raises(checker.Refused, match="claim, status"):
        checker.prove(checker.read(str(path)))


def test_progress_is_told_at_most_every_two_seconds(monkeypatch, capsys):
    clock = iter(range(10**9))
    monkeypatch.setattr(checker, "monotonic", lambda: next(clock))
    monkeypatch.setattr(checker, "DUE", [0])
    checker.prove(plain(claimed(brute.random_profile(eb.parse_efg(BATTLE), 3))))
    out, err = capsys.readouterr()
    assert out == ""
    assert "best response of player 2: " in err
    monkeypatch.setattr(checker, "monotonic", lambda: 0)
    checker.progress("not yet")
    assert capsys.readouterr().err == ""
