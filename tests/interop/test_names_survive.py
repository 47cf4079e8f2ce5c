"""A strategy or certificate of a game fits the file that ``build`` or Gambit writes of it, although labels differ."""

import io
import json
import random
import shlex
from dataclasses import replace
from pathlib import Path

import pygambit
import pytest
import random_trees

import efg_builder as eb
from efg_builder.forms.extensive import CHANCE, same_play
from efg_builder.interop.efg import portable_tree
from efg_builder.proof.certificate import check, digests
from efg_builder.strategies.reading import profile_of

EQUAL = """EFG 2 R "Equal labels" { "P1" "P2" }
p "x" 1 1 "Choose" { "X" "Y" } 0
p "x" 2 1 "React" { "U" "D" } 0
t "x" 1 "o" { 2 1 }
t "x" 2 "o" { 0 3 }
p "x" 2 2 "React" { "U" "D" } 0
t "x" 3 "o" { 1 2 }
t "x" 4 "o" { 3 0 }
"""
CALLED_CHANCE = """EFG 2 R "called Chance" { "Chance" "B" }
p "" 1 1 "first" { "l" "r" } 0
t "" 1 "" { 1, 0 }
t "" 2 "" { 0, 1 }
"""
LABELS = ("", "", "a", "a", "b", "a_1", "set 2", "two  blanks")


def with_odd_labels(seed: int) -> eb.GameTree:
    """A random tree with equal, empty and odd labels of information sets, and a player named Chance."""
    tree, draw = random_trees.random_tree(seed), random.Random(seed)
    sets = tuple(each if each.player == CHANCE else each._replace(label=draw.choice(LABELS)) for each in tree.infosets)
    tree = replace(tree, players=("Chance", "B"), infosets=sets)
    return portable_tree(tree) if seed % 2 else tree  # half of the trees have numbers that Gambit keeps


def rewritten(tree: eb.GameTree) -> list[eb.GameTree]:
    texts = (tree.to_efg(), tree.to_efg(portable=True), pygambit.read_efg(io.StringIO(tree.to_efg())).to_efg())
    return list(map(eb.parse_efg, texts))


@pytest.mark.parametrize("seed", range(12))
def test_files_of_a_game_fit_the_rewritten_game(seed: int, tmp_path: Path) -> None:
    tree = with_odd_labels(seed)
    solution = eb.solve(tree)
    table, certificate = solution.write(tmp_path / "s.csv"), solution.write(tmp_path / "s.json")
    value = eb.verify(certificate).value  # it holds its tree
    for other in rewritten(tree):
        assert same_play(tree, other)
        proof = eb.verify(certificate, game=other)
        assert proof.value == value
        assert proof.checked.endswith("; the given game is the same, labels differ")
        theirs = eb.solve(other)
        names = [theirs.write(tmp_path / f"t.{ending}") for ending in ("csv", "json")]
        assert eb.verify(names[1], game=tree).value == theirs.value
        if tree.by_number.keys() != other.by_number.keys():
            continue  # a name such as "Chance 2" means another information set
        for file in (table, certificate):
            again = eb.read_strategy(file, other)
            assert again.probabilities == solution.profile.probabilities
        assert eb.read_solution(certificate, other).value == value
        for file in names:
            assert eb.read_strategy(file, tree).probabilities == theirs.profile.probabilities


def test_another_game_is_told_from_other_labels() -> None:
    tree = eb.parse_efg(EQUAL)
    assert same_play(tree, eb.parse_efg(EQUAL.replace("React", "Other").replace('"U"', '"V"').replace("P1", "A")))
    for old, new in (
        ('"o" { 3 0 }', '"o" { 3 1 }'),
        ('p "x" 2 2 "React"', 'p "x" 2 1 "React"'),
        ('p "x" 2 2 "React"', 'p "x" 1 2 "React"'),
        ('p "x" 1 1 "Choose" { "X" "Y" }', 'c "x" 1 "Choose" { "X" 1/2 "Y" 1/2 }'),
    ):
        assert old in EQUAL
        assert not same_play(tree, eb.parse_efg(EQUAL.replace(old, new)))
    half = 'EFG 2 R "c" { "A" "B" }\nc "" 1 "" { "l" 1/2 "r" 1/2 } 0\nt "" 1 "" { 1, 0 }\nt "" 2 "" { 0, 1 }\n'
    third = half.replace('"l" 1/2 "r" 1/2', '"l" 1/3 "r" 2/3')
    assert not same_play(eb.parse_efg(half), eb.parse_efg(third))


def test_a_certificate_of_another_game_is_refused(tmp_path: Path) -> None:
    certificate = eb.solve(eb.parse_efg(EQUAL)).write(tmp_path / "s.json")
    with pytest.raises(eb.CertificateError, match="the tree in the certificate differs from the given tree"):
        eb.verify(certificate, game=eb.parse_efg(EQUAL.replace("{ 3 0 }", "{ 2 1 }")))
    kuhn = eb.solve("kuhn").write(tmp_path / "k.json")
    other = replace(eb.build("kuhn"), players=("Ann", "Bob"))
    assert eb.verify(kuhn, game=other).checked.endswith("labels differ")
    with pytest.raises(eb.CertificateError, match="the given tree is different"):
        eb.verify(kuhn, game=eb.build("kuhn cards=4"))
    sparse = eb.solve("liars-dice sides=2", "oracle").write(tmp_path / "l.json")
    assert "labels differ" not in eb.verify(sparse, game=eb.build("liars-dice sides=2")).checked
    assert "labels differ" in eb.verify(sparse, game=replace(eb.build("liars-dice sides=2"), title="other")).checked


def test_a_label_in_a_certificate_must_be_the_label_of_its_own_tree() -> None:
    solution = eb.solve(eb.parse_efg(EQUAL))
    data = solution.to_json()
    data["profile"][1]["label"] = "React_1"
    with pytest.raises(eb.ProfileError, match="the label is 'React_1', but this game has 'React'"):
        profile_of(data["profile"], solution.tree)


COMMANDS = (
    ("solve equal.efg -o z.csv -o z.json", ""),
    ("build equal.efg -o z.efg", "React is now React_1, React is now React_2, x is now x_1, x is now x_2, and 5 more"),
    ("evaluate z.efg --strategy z.csv", "exploitability 0"),
    ("evaluate z.efg --strategy z.json", "exploitability 0"),
    ("verify z.json z.efg", "the given game is the same, labels differ"),
    ("draw z.efg --solution z.json -o z.svg", ""),
    ("report z.efg --solution z.json -o z.html", ""),
    ("solve chance.efg -o y.json", ""),
    ("verify y.json", "proved        the value of the game is 1 to Chance"),
    ("build chance.efg -o y.efg", "renamed for Gambit's reader: Chance is now Chance_1\n"),
    ("verify y.json y.efg", "labels differ"),
    ("verify y.json chance.efg", "proved"),
    ("evaluate y.efg --strategy y.json", "exploitability 0"),
)


def test_commands_take_the_files_of_the_original(tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    Path("equal.efg").write_text(EQUAL)
    Path("chance.efg").write_text(CALLED_CHANCE)
    for command, said in COMMANDS:
        code, out, err = cli(*shlex.split(command))
        assert code == 0, (command, err)
        assert said in out + err, command


def test_a_certificate_without_the_text_of_a_tree_with_a_player_named_chance_is_still_read(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "MOST_CARRIED", 0)
    tree = eb.parse_efg(CALLED_CHANCE)
    path = eb.solve(tree).write(tmp_path / "s.json")
    data = json.loads(path.read_text())
    assert "efg" not in data["game"]
    assert eb.verify(path, game=tree).exact
    # Version 0.3 took the digest of the text with Gambit's name.
    old = check._digest(tree, "equal")
    assert old != data["game"]["sha256"]
    data["game"]["sha256"] = old
    path.write_text(json.dumps(data | {"digests": digests(data)}))
    assert eb.verify(path, game=tree).exact
