"""Values as theorems: the kernel of Coq accepts those that are true. Without ``coqc``, only the files are tested."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.base.errors import FileError, NotApplicableError
from efg_builder.proof.kernel import (
    HERE,
    LIBRARY,
    MOST_SAID,
    REFUSED,
    ask_kernel,
    by_rules,
    label_numbers,
    tree_text,
    write_theorem,
)

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")

MOST_DEFINED, MOST_PROVED = 150, 500
"""The limits of lines: of the definitions, which a reader checks in one sitting, and of the proof."""

VALUES = {
    "kuhn": (-1, 18),  # H. Kuhn, Contributions to the Theory of Games 1, 1950
    "liars-dice sides=2": (0, 1),
    "liars-dice sides=3": (-1, 9),  # tests/published_values.json has the sources of the values of Liar's Dice
    "liars-dice sides=2 dice=2,1": None,
    "liars-dice sides=3 wild=highest": None,
    "liars-dice sides=3 wild=1 wild_biddable=false": None,
    "liars-dice sides=3 order=face-quantity max_quantity=1": None,
    "dice-poker sides=3": None,
    "leduc ranks=2 raises=1": None,
}


def theorem(game, folder, method="lp"):
    solution = eb.solve(game, method)
    return solution, write_theorem(solution.game, solution.profile.on_tree(), solution.value[0], folder)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The files of every theorem, checked by Coq once."""
    _, made = theorem("kuhn", tmp_path_factory.mktemp("library"))
    assert ask_kernel(made).accepted
    return made.folder


def ask_after(library, made):
    """Ask the kernel about the last files of a theorem: the others are checked."""
    for path in library.iterdir():
        if path.stem in LIBRARY:
            shutil.copy(path, made.folder)
    return ask_kernel(replace(made, files=made.files[len(LIBRARY) :]))


def test_definitions_and_proof_are_short():
    counts = {name: len((HERE / f"{name}.v").read_text("utf-8").splitlines()) for name in LIBRARY}
    assert counts["Game"] + counts["Rules"] <= MOST_DEFINED
    assert counts["Check"] <= MOST_PROVED
    text = "".join((HERE / f"{name}.v").read_text("utf-8") for name in LIBRARY)
    assert not re.search(r"\b(Axiom|Parameter|Admitted|admit|Conjecture)\b", text)


@pytest.mark.parametrize(
    ("game", "term"),
    [
        ("kuhn", "kuhn"),
        ("kuhn cards=4", None),
        ("kuhn seats=3 cards=4", None),
        ("leduc", None),
        ("liars-dice sides=3", "(liars_dice 3 1 1)"),
        ("liars-dice sides=3 dice=2,1", "(liars_dice 3 2 1)"),
        ("liars-dice sides=3 dice=1,1,1", None),
        ("liars-dice sides=3 payoff=points", None),
        ("liars-dice sides=3 wild=highest order=bluff", None),
        ("liars-dice sides=3 max_quantity=1", "(liars_dice_with (quantity_face 3 1) None 3 1 1)"),
        ("liars-dice sides=3 order=face-quantity", "(liars_dice_with (face_quantity 3 2) None 3 1 1)"),
        ("liars-dice sides=3 wild=highest", "(liars_dice_with (quantity_face 3 2) (Some 3%N) 3 1 1)"),
        (
            "liars-dice sides=3 wild=1 wild_biddable=false",
            "(liars_dice_with (without 1 (quantity_face 3 2)) (Some 1%N) 3 1 1)",
        ),
    ],
)
def test_rules_have_a_term(game, term):
    name, *settings = game.split()
    assert by_rules(eb.game(name, **dict(word.split("=") for word in settings))) == term


@pytest.mark.parametrize("game", ["liars-dice sides=3 dice=2,1", "liars-dice sides=3 order=face-quantity", "kuhn"])
def test_labels_and_moves_are_those_of_the_rules(game):
    tree = eb.build(game)
    if game != "kuhn":
        bid_names = tree.game.bid_names
    named = {(tree.infosets[k].player, *label_numbers(tree.infosets[k])) for k in tree.personal}
    assert len(named) == len(tree.personal)
    for k in tree.personal:
        actions = tree.infosets[k].actions
        if game == "kuhn":
            assert actions in (("check", "bet"), ("fold", "call"))
            continue
        bids = [action for action in actions if action != "call"]
        places = [bid_names.index(bid) for bid in bids]
        assert actions == (*bids, *(["call"] if "call" in actions else []))
        assert places == sorted(places)


def test_a_tree_is_written_with_its_file(tmp_path):
    solution, made = theorem("dice-poker sides=2", tmp_path / "coq")
    assert made.statement == f"value game ({solution.value[0].numerator} # {solution.value[0].denominator})"
    assert tree_text(eb.build(tmp_path / "coq" / "game.efg")) == (tmp_path / "coq" / "Tree.v").read_text("utf-8")
    text = (tmp_path / "coq" / "Tree.v").read_text("utf-8")
    assert text.count("Move ") + text.count("Chance ") + text.count("End ") == len(solution.tree)
    assert made.accepted is None
    assert made.commands()[-2][-1] == "Tree.v"


def test_what_is_no_theorem_is_refused(tmp_path):
    tree = eb.build("kuhn seats=3 cards=4")
    with pytest.raises(NotApplicableError, match="two players with a constant sum"):
        write_theorem(tree.game, eb.TreeProfile.uniform(tree), Fraction(0), tmp_path / "coq")
    for name in ("Game.v", "Check.v", "Theorem.v"):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text("(* mine *)")
        with pytest.raises(FileError, match="is not empty"):
            theorem("kuhn", folder)
        assert (folder / name).read_text() == "(* mine *)"
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="file: "):
        theorem("kuhn", tmp_path / "file")


def test_a_second_theorem_leaves_nothing_of_the_first(tmp_path):
    theorem("dice-poker sides=2", tmp_path)
    (tmp_path / "Theorem.vo").write_text("")
    (tmp_path / ".Theorem.aux").write_text("")
    mine = {"Tree.txt", "Game.md", "Check", "Theorem.v.orig"}
    for name in mine:
        (tmp_path / name).write_text("mine")
    _, made = theorem("kuhn", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"Game.v", "Rules.v", "Check.v", "Theorem.v"} | mine
    assert [command[-1] for command in made.commands()] == ["Game.v", "Rules.v", "Check.v", "Theorem.v"]


INNER = (
    'EFG 2 R "inner *) (* \\"" { "A" "B" } "" p "" 1 1 "*)" { "l" "r" } 0 p "" 2 1 "" { "l" "r" } 1 "ante" { 3 7 } '
    't "" 2 "" { 1 -1 } t "" 3 "" { 5 -5 } t "" 4 "" { 2 8 }'
)
"""Payoffs at an inner node, and a constant sum of 10: A gets 3 + 1 by the move l, and 2 by r. Names end comments."""


def test_payoffs_before_the_end_are_part_of_the_tree(tmp_path):
    solution, made = theorem(INNER, tmp_path)
    assert solution.value[0] == 4
    text = (tmp_path / "Tree.v").read_text("utf-8")
    assert [int(paid) for paid in re.findall(r"End \((-?\d+) # 1\)", text)] == [4, 8, 2]
    assert made.notes[1] == "payoffs are those of A; B gets 10 minus them"


def test_the_command_says_what_is_missing(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("efg_builder.proof.kernel.shutil.which", lambda _: None)
    assert cli("solve", "kuhn", "-o", tmp_path / "s.json")[0] == 0
    code, out, _ = cli("verify", tmp_path / "s.json", "--coq", tmp_path / "coq")
    assert code == 0
    assert "theorem       value kuhn (-1 # 18)\nkernel        not asked: Coq is not installed; with it:" in out
    assert "coqc -q -R . EfgBuilder Game.v && coqc" in out
    code, out, _ = cli("verify", tmp_path / "s.json", "--coq", tmp_path / "coq", "--json")
    assert json.loads(out)["theorem"]["accepted"] is None


def test_the_printed_command_enters_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("-dash", "two words", "it's"):
        _, made = theorem("kuhn", Path(name))
        enter = made.facts()[1].lines[1].partition(" && ")[0]
        subprocess.run(["sh", "-c", f"{enter} && test -f Theorem.v"], check=True)


@pytest.mark.parametrize(
    ("coqc", "words"),
    [
        ("#!/bin/sh\nexit 0\n", "Theorem.v: .*exit code 0"),
        ("#!/bin/sh\nkill -9 $$\n", "Game.v: .*exit code -9"),
        ("#!/no/such/program\n", "'coqc' cannot be run: No such file"),
        (f"#!/bin/sh\necho {'warning ' * MOST_SAID}>&2; echo 'Error: full' >&2; exit 1\n", "Game.v: .*Error: full"),
    ],
)
def test_only_coq_accepts_and_refuses(cli, tmp_path, monkeypatch, coqc, words):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "coqc").write_text(coqc)
    (tmp_path / "bin" / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert cli("solve", "kuhn", "-o", tmp_path / "s.json")[0] == 0
    code, out, err = cli("verify", tmp_path / "s.json", "--coq", tmp_path / "coq")
    assert code == 2
    assert "proved        the value of the game is -1/18" in out
    assert "accepted" not in out
    assert "REFUSED" not in out
    assert re.search(words, err)


def test_a_match_is_not_one_game(cli, tmp_path):
    assert cli("match", "liars-dice", "dice=1,1", "sides=2", "-o", tmp_path / "m.json")[0] == 0
    code, _, err = cli("verify", tmp_path / "m.json", "--coq", tmp_path / "coq")
    assert (code, "--coq is for the solution of one game" in err) == (2, True)


def test_a_theorem_is_not_made_from_a_pipe(cli, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    code, _, err = cli("verify", tmp_path / "pipe", "--coq", tmp_path / "coq")
    assert (code, "is not a file but a pipe" in err) == (2, True)


@needs_coq
def test_the_kernel_accepts_kuhn_and_refuses_what_is_false(tmp_path):
    _, made = theorem("kuhn", tmp_path)
    asked = ask_kernel(made)
    assert asked.accepted, asked.said
    path = tmp_path / "Theorem.v"
    path.write_text(path.read_text("utf-8").replace("(-1 # 18).", "(-1 # 17)."), "utf-8")
    asked = ask_kernel(made)
    assert asked.accepted is False
    assert any("REFUSED" in line for each in asked.facts() for line in each.lines)
    path.write_text("Theorem.", "utf-8")
    problem = r"Theorem.v: Coq neither proved it without axioms nor refused it: .*Syntax error"
    with pytest.raises(NotApplicableError, match=problem):
        ask_kernel(made)


@needs_coq
@pytest.mark.parametrize("game", [*VALUES, INNER])
def test_true_values_are_accepted(game, tmp_path, library):
    solution, made = theorem(game, tmp_path)
    if VALUES.get(game) is not None:
        assert solution.value[0] == Fraction(*VALUES[game])
    asked = ask_after(library, made)
    assert asked.accepted, asked.said
    assert asked.said.endswith("Closed under the global context")


@needs_coq
@pytest.mark.slow
def test_coqchk_finds_no_axioms(tmp_path):
    _, made = theorem("liars-dice sides=2", tmp_path)
    assert ask_kernel(made).accepted
    command = ["coqchk", "-silent", "-o", "-R", ".", "EfgBuilder", "EfgBuilder.Theorem"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert re.search(r"\* Axioms:\s*<none>", done.stdout + done.stderr)


RULES = [
    ("N.leb (fst b)", "N.ltb (fst b)"),  # a bid is true only if there are more dice
    ("(raises rest (opponent who) now", "(raises higher (opponent who) now"),  # the last bid may be repeated
    ("then bidder else opponent bidder", "then opponent bidder else bidder"),
    ("hand (opponent who) ++ now", "now"),  # nobody sees a hand
    ("Move One (hand One)", "Move Two (hand One)"),
]


@needs_coq
def test_60_wrong_theorems_are_refused(tmp_path, library):
    solution, made = theorem("liars-dice sides=2 dice=2,1", tmp_path)
    path = tmp_path / "Theorem.v"
    text, value = path.read_text("utf-8"), solution.value[0]
    wrong = []
    for n, sign in product(range(1, 11), (1, -1)):  # another value
        other = value + Fraction(sign, n**3)
        wrong.append(text.replace(made.statement, f"value (liars_dice 2 2 1) {_text(other)}"))
    second = text.index("Definition strategy_2")
    for of_player in (text[:second], text[second:]):  # one probability of player 1, or of player 2 (a dual)
        rows = [found.span() for found in re.finditer(r"\[\(-?\d+ # [^\]]*\]", of_player)]
        assert len(rows) >= 8
        for start, end in rows[:8]:  # the sum is not 1, or one is negative
            start, end = text.index(of_player) + start, text.index(of_player) + end
            row = re.findall(r"\(-?\d+ # \d+\)", text[start:end])
            first = _number(row[0])
            for changed in (["(1 # 7)", *row[1:]], [_text(first - 2), _text(_number(row[1]) + 2), *row[2:]]):
                wrong.append(text[:start] + "[" + "; ".join(changed) + "]" + text[end:])
    for term in ("2 1 1", "2 1 2", "3 1 1", "3 2 1", "2 2 2"):  # the rules of another game
        wrong.append(text.replace("(liars_dice 2 2 1)", f"(liars_dice {term})"))
    for bids, wild in product(
        ("(quantity_face 2 3)", "(face_quantity 2 3)", "(quantity_face 2 2)"), ("(Some 2%N)", "None")
    ):
        if (bids, wild) != ("(quantity_face 2 3)", "None"):
            wrong.append(text.replace("(liars_dice 2 2 1)", f"(liars_dice_with {bids} {wild} 2 2 1)"))
    assert len(set(wrong)) == len(wrong) >= 60
    assert ask_after(library, made).accepted
    said = words_on_failures(made, wrong)
    assert len(said) == len(wrong)
    assert all(map(REFUSED.search, said)), said


def words_on_failures(made, texts):
    """Return Coq's words on each of the theorems *texts*, in one file; Coq stops if one of them does not fail."""
    parts = []
    for number, text in enumerate(texts):
        head, _, rest = text.partition("Open Scope Q_scope.\n")
        end = "Qed.\nPrint Assumptions the_value."
        assert rest.count(end) == 1
        parts += [f"Module M{number}.", rest.replace(end, "Fail Qed. Abort."), f"End M{number}."]
    (made.folder / "Theorem.v").write_text("\n".join([head, "Open Scope Q_scope.", *parts]), "utf-8")
    coqc, *words = made.commands()[-1]
    command = [coqc, "-test-mode", *words]  # so that it prints the messages of Fail
    done = subprocess.run(command, cwd=made.folder, capture_output=True, text=True, check=True)
    return (done.stdout + done.stderr).split("The command has indeed failed with message:")[1:]


@needs_coq
@pytest.mark.parametrize(
    "game",
    [
        "kuhn",
        "liars-dice sides=3",
        "liars-dice sides=2 max_quantity=1",
        "liars-dice sides=3 wild=1 wild_biddable=false",
        "liars-dice sides=2 wild=highest order=face-quantity",
    ],
)
def test_the_rules_make_the_tree_of_the_package(library, game):
    """With one die each, the trees are equal. With more dice, ``Rules.v`` has a branch for each order of the dice."""
    tree = eb.build(game)
    (library / "Same.v").write_text(
        tree_text(tree, label_numbers).replace("Require Import Game", "Require Import Game Rules")
        + f"Goal game = {by_rules(tree.game)}. Proof. vm_compute. reflexivity. Qed.\n"
    )
    subprocess.run(["coqc", "-q", "-R", ".", "EfgBuilder", "Same.v"], cwd=library, check=True)


NOT_FAIR = ("[(1 # 2)] [End (0 # 1)]", "[(3 # 2); (-1 # 2)] [End (0 # 1); End (0 # 1)]", "[] []")
"""Chance moves without a distribution; the payoff is 0 all the same."""


@needs_coq
@pytest.mark.parametrize("chance", NOT_FAIR)
def test_a_tree_without_probabilities_has_no_value(tmp_path, library, chance):
    tree = 'EFG 2 R "fair" { "A" "B" } "" c "" 1 "" { "l" 1/2 "r" 1/2 } 0 t "" 1 "" { 0 0 } t "" 1 "" { 0 0 }'
    _, made = theorem(tree, tmp_path)
    assert ask_after(library, made).accepted
    text = (tmp_path / "Tree.v").read_text("utf-8")
    fair = "[(1 # 2); (1 # 2)] [End (0 # 1); End (0 # 1)]"
    assert text.count(fair) == 1
    (tmp_path / "Tree.v").write_text(text.replace(fair, chance), "utf-8")
    assert ask_after(library, made).accepted is False


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), RULES)
def test_other_rules_have_another_value(tmp_path, old, new):
    _, made = theorem("liars-dice sides=2 dice=2,1", tmp_path)
    rules = (tmp_path / "Rules.v").read_text("utf-8")
    assert rules.count(old) == 1
    (tmp_path / "Rules.v").write_text(rules.replace(old, new), "utf-8")
    try:
        assert not ask_kernel(made).accepted
    except NotApplicableError:
        assert "raises" in old  # a game without an end is no definition


def _number(text):
    return Fraction(*map(int, re.findall(r"-?\d+", text)))


def _text(value):
    return f"({value.numerator} # {value.denominator})"
