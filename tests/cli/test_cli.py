"""The command line: exit codes, keys, files that appear whole or not at all, one clear line for bad input."""

import json
import os
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from processes import interrupted

import efg_builder as eb

FILES_OF_RUN = (
    "outputs/liars-dice_sides-2.efg",
    "outputs/liars-dice_sides-2.json",
    "visualizations/liars-dice_sides-2.svg",
)


@pytest.mark.parametrize("words", [["liars-dice", "sides=4"], ["dice-poker"], ["mia"], ["liars-dice", "dice=2,1,1"]])
def test_info_in_json_and_in_words(cli, words):
    code, out, err = cli("info", *words, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    tree = eb.build(eb.game(words[0], **dict(w.split("=") for w in words[1:])))
    assert {k: data[k] for k in tree.node_counts} == dict(tree.node_counts)
    assert data["infosets"] == len(tree.personal)
    assert data["perfect_recall"] is True
    assert data["constant_sum"] is True
    assert f"{len(tree):,}" in cli("info", *words)[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("sides=6 dice=3,3", "this game was not solved exactly in 15 min"),
        ("sides=7 dice=2,1", "dice=2,1 sides=6 took "),
        ("sides=6 dice=2,2 wild=highest", "dice=2,1 sides=6 wild=highest took "),
        *(
            (words, "not measured\n")
            for words in ("sides=9 dice=3,3", "sides=5 dice=2,2 wild=2", "sides=6 dice=2,2 max_quantity=3")
        ),
    ],
)
def test_info_names_the_nearest_measured_game(cli, words, said):
    assert f"time to solve   {said}" in cli("info", "liars-dice", *words.split())[1]


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    from efg_builder.base.files import write_atomically

    target = tmp_path / "x.efg"
    target.write_text("old")

    def chunks():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(target, chunks())
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    write_atomically(target, [b"n", b"ew"])
    assert target.read_text() == "new"
    with pytest.raises(eb.FileError, match="it is a folder"):
        write_atomically(tmp_path, [b""])


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(
    ("words", "begun"), [(["sides=6", "--method", "lp"], "form"), (["--method", "gambit-enummixed"], "Gambit, ")]
)
def test_ctrl_c_exits_with_130_and_clean_stdout(words, begun):
    code, out, err = interrupted(["solve", "liars-dice", *words, "--json"], begun)
    assert (code, out) == (130, "")
    assert "interrupted" in err
    assert "Traceback" not in err


def test_version_and_methods_are_told(cli):
    assert eb.__version__ in cli("--version")[1]
    code, out, _ = cli("solve", "--list-methods")
    assert code == 0
    for name in eb.methods():
        assert name in out


@pytest.mark.parametrize(
    ("words", "endings"),
    [
        ("solve dice-poker", (".json", ".csv")),
        ("solve dice-poker --json", (".json",)),
        ("qre dice-poker sides=2", (".csv", ".svg")),
        ("matrix dice-poker sides=2", (".nfg", ".csv")),
        ("evaluate dice-poker sides=2 --strategy uniform", (".json",)),
        ("evaluate dice-poker sides=2 --strategy uniform --json", (".json",)),
        ("match liars-dice sides=2 dice=2,1", (".json",)),
        ("arena kuhn --players uniform,equilibrium --games 10 --workers 1", (".csv",)),
    ],
)
def test_an_answer_is_printed_although_its_files_cannot_be_written(
    words, endings, cli, tmp_path, full_disk, in_process
):
    def answer(*outputs):
        code, out, err = cli(*words.split(), *outputs)
        lines = [line for line in out.splitlines() if "seconds" not in line]
        return code, lines, err.splitlines()

    paths = [tmp_path / f"x{ending}" for ending in endings]
    _, told, _ = answer()
    code, again, said = answer(*(word for path in paths for word in ("-o", path)))
    assert told
    assert again == told
    assert said[-1] == "error: " + "; ".join(f"cannot write {path}: No space left on device" for path in paths)
    assert code == 2
    assert set(full_disk) == set(paths)


def test_run_tries_each_of_its_files(cli, tmp_path, full_disk):
    code, out, err = cli("run", "--out", tmp_path)
    assert code == 2
    assert "value" in out
    assert "files" not in out
    assert {str(path.relative_to(tmp_path)) for path in full_disk} == {
        *FILES_OF_RUN,
        "outputs/liars-dice_sides-2_report.html",
    }
    assert err.count("No space left on device") == 4


LONG = """EFG 2 R "long numbers" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "l" "r" } 0
t "" 1 "" { 2W -2W }
t "" 2 "" { -1X 1X }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { -1Y 1Y }
t "" 4 "" { 3Z -3Z }
"""


def test_numbers_longer_than_python_writes_are_shown_and_saved(cli, tmp_path):
    text = LONG
    for k, letter in enumerate("WXYZ"):
        text = text.replace(f"{letter} ", "0" * 1900 + f"/{10**1900 + 2 * k + 1} ")
    file, solution = tmp_path / "long.efg", tmp_path / "s.json"
    file.write_text(text)
    code, out, err = cli("solve", file, "-o", solution)
    assert code in (0, 3), err
    assert max(map(len, out.splitlines())) < 400
    assert max(len(part) for part in solution.read_text().split('"')) > 4300
    code, out, err = cli("solve", file, "--json")
    assert code in (0, 3), err
    assert len(json.loads(out)["value"][0]) > 4300
    assert len(repr(eb.solve(eb.read_efg(file)))) > 4300


def test_long_fractions_are_shortened_for_people():
    from efg_builder.base.rationals import brief
    from efg_builder.base.words import bare_figure, figure

    assert figure(Fraction(-1, 9)) == "-1/9 = -0.111111"
    assert (figure(Fraction(3)), bare_figure(Fraction(-1, 9)), brief(Fraction(1, 3))) == ("3", "-1/9", "1/3")
    long = Fraction(10**5000 + 1, 10**5000 + 3)
    assert figure(long) == bare_figure(long) == "1 (rounded)"
    assert brief(long) == "≈1"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_pipes_and_devices_are_written_to(tmp_path):
    fifo, link = tmp_path / "fifo", tmp_path / "link"
    os.mkfifo(fifo)
    link.symlink_to(fifo)
    wanted = eb.build(eb.game("dice-poker")).to_efg()
    for path in (fifo, link):
        with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE, text=True) as reader:
            eb.build(eb.game("dice-poker")).write(path)
            assert reader.communicate()[0] == wanted
    assert fifo.is_fifo()
    assert link.is_symlink()
    eb.build(eb.game("dice-poker")).write("/dev/null")
    assert Path("/dev/null").is_char_device()
    assert sorted(tmp_path.iterdir()) == [fifo, link]


def test_brackets_of_games_without_a_tree_claim_no_more_than_they_prove(cli, tmp_path):
    code, out, _ = cli("run", "liars-dice", "sides=5", "dice=3,2", "--timeout", "0.5", "--no-report", "--out", tmp_path)
    assert code == 4
    number = r"(-?\d+/\d+ = )?-?[01](\.\d+)?( \(rounded\))?"  # short fractions if a busy machine got no further
    assert re.search(f"value         between {number} and {number} to Player 1", out)
    proof = r"proof         nobody gains more than \d\.\d+ a round by deviating \(best responses over the whole game\)"
    assert re.search(proof + "; the time limit came first", out)
    assert "ahead" not in out
    assert "the picture shows the public tree" in out
    assert "without --beliefs" not in out
    assert "by these strategies" in out
    assert "and 11 less probable hands: the solution's file has them all" in out
