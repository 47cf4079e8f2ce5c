"""The command line: exit codes, keys, files that appear whole or not at all, one clear line for bad input."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from processes import PATIENCE, interrupted, start
from small_files import BATTLE

import efg_builder as eb
from efg_builder.cli import run

FILES_OF_RUN = (
    "outputs/liars-dice_sides-2.efg",
    "outputs/liars-dice_sides-2.json",
    "visualizations/liars-dice_sides-2.svg",
)


def test_run_without_arguments_takes_the_two_sided_game(cli, tmp_path):
    code, out, err = cli("run", "--out", tmp_path)
    assert code == 0
    assert err == ""
    for file in FILES_OF_RUN:
        assert (tmp_path / file).stat().st_size > 0
        assert file in out
    assert "125 nodes, 32 information sets" in out
    assert "the players are even" in out
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_the_summary_says_what_a_person_wants_to_know(cli, tmp_path):
    code, out, _ = cli("run", "liars-dice", "sides=3", "--out", tmp_path, "--picture", "png")
    assert code == 0
    assert "-1/9 = -0.111111 to Player 1: Player 2 is ahead" in out
    assert "exact: Player 1's strategy guarantees -1/9" in out
    assert "bluff" in out
    assert (tmp_path / "visualizations" / "liars-dice_sides-3.png").read_bytes().startswith(b"\x89PNG")


def test_run_of_a_file_and_of_dice_poker(cli, tmp_path):
    assert cli("build", "dice-poker", "-o", tmp_path / "own.efg")[0] == 0
    code, out, _ = cli("run", tmp_path / "own.efg", "--out", tmp_path)
    assert code == 0
    assert "5/54" in out
    assert (tmp_path / "visualizations" / "own.svg").exists()


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


def test_info_of_trees_far_too_large(cli):
    code, out, _ = cli("info", "liars-dice", "sides=6", "dice=5,5", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["nodes"] == 1 + 252**2 * (2**61 - 1)
    assert data["checked"] is False


def test_build_solve_draw_by_files(cli, tmp_path):
    game, solution, picture = tmp_path / "g.efg", tmp_path / "s.json", tmp_path / "p.svg"
    assert cli("build", "liars-dice", "sides=3", "-o", game)[0] == 0
    code, out, _ = cli("solve", game, "--json", "-o", solution)
    assert code == 0
    assert json.loads(out) == json.loads(solution.read_text())
    assert json.loads(out)["value"] == ["-1/9", "1/9"]
    assert cli("draw", game, "--solution", solution, "-o", picture, "--reach", "0")[0] == 0
    assert picture.read_text().startswith("<")


def test_exit_code_3_where_nothing_is_verified(cli):
    code, out, _ = cli("solve", "liars-dice", "dice=1,1,1", "--method", "lp", "--json")
    assert code == 3
    assert json.loads(out)["status"] == "not-applicable"


def test_exit_code_4_at_the_time_limit(cli):
    code, out, _ = cli("solve", "liars-dice", "--method", "gambit-enummixed", "--timeout", "1", "--json")
    assert code == 4
    assert json.loads(out)["status"] == "timeout"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["info", "liars_dice"], "did you mean 'liars-dice'"),
        (["info", "liars-dice", "side=3"], "did you mean 'sides'"),
        (["info", "liars-dice", "sides=one"], "whole number from 2 to 20"),
        (["info", "liars-dice", "sides=2", "sides=3"], "set twice"),
        (["info", "liars-dice", "three"], "KEY=VALUE"),
        (["info", "sides=3"], "stands where a game should"),
        (["info"], "name a game"),
        (["info", "nowhere.efg"], "cannot read nowhere.efg: No such file"),
        (["info", "a.efg", "sides=3"], "takes no settings"),
        (["build", "liars-dice", "-o", "no/such/folder/x.efg"], "cannot write"),
        (["build", "liars-dice", "sides=6", "dice=3,3", "-o", "x.efg"], "over the budget of 5,000,000"),
        (["build", "liars-dice"], "-o"),
        (["build", "kuhn", "-o", "k.nfg"], "k.nfg: name a file that ends in .efg"),
        (["solve", "dice-poker", "--method", "gambitlp"], "did you mean 'gambit-lp'"),
        (["solve", "dice-poker", "--method", "lp", "--option", "x=1"], "no option 'x'"),
        (["solve", "dice-poker", "--option", "x=1"], "needs a --method"),
        (["solve", "dice-poker", "--timeout", "0"], "at least 1/1000"),
        (["solve", "dice-poker", "--timeout", "soon"], "not a number"),
        (["draw", "dice-poker", "-o", "x.bmp"], "bmp"),
        (["draw", "dice-poker", "-o", "x.svg", "--solution", "nowhere.json"], "cannot read nowhere.json"),
        (["draw", "dice-poker", "-o", "x.svg", "--reach", "2", "--solution", "y"], "at most 1"),
        (["draw", "dice-poker", "-o", "x.svg", "--reach", "0"], "a --solution or a --strategy"),
        (["run", "liars-dice", "--method", "foo"], "no method 'foo'"),
        (["run", "liars-dice", "--method", "gambit-lp", "--option", "foo=1"], "no option 'foo'"),
        (["solve", "liars-dice", "-o", "no/such/s.json"], "there is no folder"),
        (["draw", "liars-dice", "-o", "no/such/x.png"], "there is no folder"),
        (["info", "liars-dice", "--sides", "3"], "KEY=VALUE: sides=3"),
        (["info", "dice-poker", "ante=1/0"], "denominator of zero"),
        (["info", "dice-poker", "ante=1e400"], "beyond 1e300"),
        (["solve", "liars-dice", "--timeout", "1e400"], "is too large"),
        (["solve", "liars-dice", "--timeout", "1e9999999"], "1e9999999 is too large"),
        (["solve", "liars-dice", "--tolerance", "nan"], "not a number"),
        (["draw", "liars-dice", "sides=6", "-o", "x.svg"], "--reach"),
        (["sovle"], "sovle"),
    ],
)
def test_bad_input_gives_one_clear_line_and_nothing_else(cli, tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*words)
    assert code == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_malformed_files_are_named_with_line_and_column(cli, tmp_path):
    bad = tmp_path / "bad.efg"
    bad.write_text(BATTLE.replace("EFG 2", "EFG 3"))
    code, out, err = cli("solve", bad)
    assert (code, out) == (2, "")
    assert "bad.efg:1:5: expected 2, the version" in err
    assert err.count("\n") == 1


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


def test_games_in_json(cli):
    data = json.loads(cli("games", "--json")[1])
    assert [game["name"] for game in data] == list(eb.catalogue())
    assert all(game["sources"] for game in data)


def test_general_sum_games_have_payoffs_and_several_equilibria_that_can_be_drawn(cli, tmp_path, in_process):
    (tmp_path / "outputs").mkdir()
    file, solution = tmp_path / "outputs" / "bos.efg", tmp_path / "s.json"
    file.write_text(BATTLE)
    code, out, _ = cli("run", file, "--out", tmp_path)
    assert code == 0
    assert file.read_text() == BATTLE  # what is given is not written again
    assert "payoffs" in out
    assert "ahead" not in out
    assert "by information set" in out
    code, out, _ = cli("solve", file, "--method", "gambit-enummixed", "-o", solution)
    assert code == 0
    assert "found         3 profiles, 3 verified as equilibria" in out
    assert out.count("payoffs 2/3, 2/3") == 1
    data = json.loads(solution.read_text())
    assert data["exact"] is True  # in fractions, with regrets of 0; there is no value to prove
    assert [entry["regret"] for entry in data["equilibria"]] == ["0"] * 3
    assert all({"value", "regret", "profile"} <= set(entry) for entry in data["equilibria"])
    pictures = set()
    for which in (1, 2, 3):
        picture = tmp_path / f"{which}.svg"
        assert cli("draw", file, "--solution", solution, "--which", which, "-o", picture)[0] == 0
        pictures.add(picture.read_text())
    assert len(pictures) == 3
    code, _, err = cli("draw", file, "--solution", solution, "--which", 4, "-o", tmp_path / "4.svg")
    assert (code, "no equilibrium number 4" in err) == (2, True)


def test_a_solution_of_another_game_is_named(cli, tmp_path):
    cli("solve", "liars-dice", "sides=2", "-o", tmp_path / "s.json")
    code, _, err = cli("draw", "liars-dice", "sides=3", "--solution", tmp_path / "s.json", "-o", tmp_path / "x.svg")
    assert code == 2
    assert (
        'is a solution of "Liar\'s Dice: one two-sided die each", not of "Liar\'s Dice: one three-sided die each"'
        in err
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["games"], ["--help"], ["solve", "dice-poker", "--json"]])
def test_a_full_disk_is_one_line_and_code_2(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "efg_builder", *words], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "error: cannot write the output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_stderr_does_not_cost_the_answer():
    with open("/dev/full", "w") as full:
        words = ["solve", "liars-dice", "sides=6", "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "efg_builder", *words], stdout=subprocess.PIPE, stderr=full, text=True
        )
    assert done.returncode == 0
    assert json.loads(done.stdout)["value"] == ["-1/9", "1/9"]


@pytest.mark.parametrize(
    ("words", "endings"),
    [
        ("solve dice-poker", (".json", ".csv")),
        ("solve dice-poker --json", (".json",)),
        ("qre dice-poker sides=2", (".csv", ".svg")),
        ("matrix dice-poker sides=2", (".nfg", ".csv")),
        ("evaluate dice-poker sides=2 --strategy uniform", (".json",)),
        ("evaluate dice-poker sides=2 --strategy uniform --json", (".json",)),
        ("match liars-dice sides=2 dice=2,1 --workers 1", (".json",)),
        ("arena kuhn --players uniform,equilibrium --games 10 --workers 1", (".csv",)),
    ],
)
def test_an_answer_is_printed_although_its_files_cannot_be_written(words, endings, cli, tmp_path, full_disk):
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


def test_a_report_that_cannot_be_written_leaves_the_solution(cli, tmp_path, full_disk):
    _, told, _ = cli("solve", "dice-poker")
    code, out, err = cli("report", "dice-poker", "-o", tmp_path / "x.html")
    assert out.splitlines()[:-1] == told.splitlines()[:-1]
    assert (code, err) == (2, f"error: cannot write {tmp_path / 'x.html'}: No space left on device\n")


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


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_link_stays_a_link(cli, tmp_path):
    real, link = tmp_path / "real.efg", tmp_path / "link.efg"
    real.write_text("old")
    link.symlink_to(real)
    assert cli("build", "dice-poker", "-o", link)[0] == 0
    assert link.is_symlink()
    assert real.read_text().startswith("EFG 2 R")


def test_no_command_shows_the_help():
    assert run([]) == 2


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
    from efg_builder.cli.run_command import _proof

    assert figure(Fraction(-1, 9)) == "-1/9 = -0.111111"
    assert (figure(Fraction(3)), bare_figure(Fraction(-1, 9)), brief(Fraction(1, 3))) == ("3", "-1/9", "1/3")
    long = Fraction(10**5000 + 1, 10**5000 + 3)
    assert figure(long) == bare_figure(long) == "1 (rounded)"
    assert brief(long) == "1"
    stakes = Fraction(10**50 + 1, 10**50 + 3)
    one = eb.parse_efg(f'EFG 2 R "one" {{ "A" "B" }} ""\nt "" 1 "" {{ {stakes} -{stakes} }}\n')
    solution = eb.solve(one, "lp")
    assert solution.exact
    assert "guarantees 1 (rounded), B's allows no more than 1 (rounded)" in _proof(solution)


def test_where_the_digits_of_rounded_figures_are_is_said_once(cli, tmp_path):
    stakes = Fraction(10**50 + 1, 10**50 + 3)
    file = tmp_path / "long.efg"
    file.write_text(f'EFG 2 R "one" {{ "A" "B" }} ""\nt "" 1 "" {{ {stakes} -{stakes} }}\n')
    for words in (("solve", file), ("evaluate", file, "--strategy", "uniform"), ("ranges", file)):
        out = cli(*words)[1]
        assert out.count("(rounded)") >= 1
        assert out.count("in --json)") == 1
        assert out.endswith("\n(rounded figures are exact in --json)\n")
    assert "--json" not in cli("run", file, "--out", tmp_path, "--no-report")[1]  # which has none


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout here")
def test_dev_stdout_is_the_stream_wherever_it_leads(tmp_path):
    words = [sys.executable, "-m", "efg_builder", "build", "dice-poker", "-o"]
    wanted = eb.build(eb.game("dice-poker")).to_efg()
    for path in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        if Path(path).exists():
            assert subprocess.run([*words, path], capture_output=True, text=True, check=True).stdout == wanted
    log = tmp_path / "log"
    log.write_text("old\n")
    with log.open("a") as out:
        subprocess.run([*words, "/dev/stdout"], stdout=out, stderr=subprocess.PIPE, check=True)
    assert log.read_text() == "old\n" + wanted
    closed = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *words, "/dev/stdout"], capture_output=True, text=True)
    assert closed.returncode == 2
    assert "cannot write /dev/stdout" in closed.stderr
    assert list(tmp_path.iterdir()) == [log]


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


def test_build_says_which_labels_it_spells_otherwise(cli, tmp_path):
    # A backslash before a quotation mark is an escape to Gambit.
    text = 'EFG 2 R "b" { "A" }\np "" 1 1 "a" { "up\\\\" "é" } 0\nt "" 1 "o" { 1 }\nt "" 2 "u" { 0 }\n'
    (tmp_path / "game.efg").write_text(text, encoding="utf-8")
    code, out, err = cli("build", tmp_path / "game.efg", "-o", "-")
    assert (code, '{ "up/" "é" }' in out) == (0, True)
    assert err.splitlines()[0] == "1 label spelled otherwise for Gambit's reader: up\\ is now up/"
    code, out, err = cli("build", tmp_path / "game.efg", "--portable", "-o", "-")
    assert (code, '{ "up/" "e" }' in out) == (0, True)
    assert err.startswith("2 labels spelled otherwise")


@pytest.mark.parametrize("asked", [["--reach", "0"], ["--values"], ["--beliefs", "--depth", "2"]])
@pytest.mark.first(1)
def test_run_without_a_solution_draws_the_plain_tree(cli, tmp_path, asked):
    words = ["run", "liars-dice", "sides=2", "--method", "gambit-lcp", "--timeout", "0.001", "--out", tmp_path]
    code, out, err = cli(*words, *asked)
    assert (code, err) == (4, "")
    assert "result    timeout by gambit-lcp" in out
    assert "the plain tree: there is no solution" in out
    for file in FILES_OF_RUN:
        assert file in out
        assert (tmp_path / file).stat().st_size > 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    ("words", "code", "closing"),
    [
        *((["solve", word], 2, closing) for word in ("nosuch", "--nosuch") for closing in ("2>/dev/full", "2>&-")),
        (["build", "dice-poker", "-o", "x.efg"], 0, "2>/dev/full"),
        (["draw", "dice-poker", "sides=2", "-o", "x.svg"], 0, "2>&-"),
    ],
)
def test_a_full_or_closed_stderr_leaves_the_exit_code(tmp_path, words, code, closing):
    line = f'exec "$@" {closing}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-m", "efg_builder", *words], cwd=tmp_path, stdout=subprocess.PIPE
    )
    assert (done.returncode, done.stdout) == (code, b"")
    assert len(list(tmp_path.iterdir())) == (code == 0)


def test_run_without_a_tree_writes_proves_and_draws(cli, tmp_path):
    words = ["liars-dice", "sides=6", "dice=2,1"]
    code, out, _ = cli("run", *words, "--beliefs", "--no-gambit", "--out", tmp_path, "--max-nodes", "10000")
    assert code == 0
    stem = "liars-dice_sides-6_dice-2-1"
    assert not (tmp_path / "outputs" / f"{stem}.efg").exists()
    assert "no .efg: the tree has 66,060,163 nodes, over the budget of 10,000 (--max-nodes)\n" in out  # and no advice
    assert "66,060,163 nodes, 3,538,944 information sets; solved without building the tree" in out
    assert "value     212027/771552 = 0.274806 to Player 1: Player 1 is ahead" in out
    assert "(best responses over the whole game)" in out
    assert "          6,6   " in out
    assert "bluffs    of all bids in this equilibrium" in out
    # 4,116 nodes are played: too many for a picture, but what the table sees is not.
    assert "the picture shows what the table sees, all hands together" in out
    assert re.search(r"; without --beliefs: the table sees no hands$", out, re.M)
    picture = (tmp_path / "visualizations" / f"{stem}.svg").read_text()
    assert ">equilibrium (exact), worth 0.2748 to Player 1<" in picture
    certificate = tmp_path / "outputs" / f"{stem}.json"
    assert cli("verify", certificate)[0] == 0

    again = tmp_path / "again.svg"
    assert cli("draw", *words, "--solution", certificate, "--view", "table", "--reach", "1/100", "-o", again)[0] == 0
    assert again.read_text() == picture
    # Without further words the same, and a line that says so.
    code, _, err = cli("draw", *words, "--solution", certificate, "-o", again)
    seen = "the picture shows what the table sees, all hands together, where it is reached with probability above 1/100"
    assert (code, err) == (0, f"{seen}\n{again}\n")
    assert again.read_text() == picture
    code, _, err = cli("draw", *words, "--solution", certificate, "--view", "tree", "-o", again)
    assert (code, err.count("\n")) == (2, 1)
    told = r"a picture of \d,\d{3} nodes is too large to read \(limit 1,500\); --view table \(view='table'\) draws it"
    assert re.search(told, err)
    assert cli("draw", *words, "--solution", certificate, "--reach", "0.001", "-o", again)[0] == 0
    assert "nodes are not shown" in again.read_text()
    code, _, err = cli("draw", *words, "--solution", certificate, "--max-nodes", "100", "-o", again)
    assert (code, "more than 100 nodes" in err) == (2, True)


def test_run_tells_the_answer_before_it_makes_files(cli, tmp_path):
    (tmp_path / "outputs").write_text("a file stands where the folder should be")
    code, out, err = cli("run", "--out", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "proof     exact: " in out
    assert f"files     {tmp_path / 'visualizations' / 'liars-dice_sides-2.svg'}" in out  # the other folder can be made
    assert "outputs" not in out


def test_run_of_a_game_with_a_tree_that_was_not_needed(cli, tmp_path):
    code, out, _ = cli("run", "liars-dice", "sides=6", "--no-gambit", "--out", tmp_path)
    assert code == 0
    assert "value     -1/9 = -0.111111 to Player 1: Player 2 is ahead" in out
    assert "the picture shows only what is reached" in out
    assert eb.read_efg(tmp_path / "outputs" / "liars-dice_sides-6.efg").node_counts["nodes"] == 294_877
    certificate, picture = tmp_path / "outputs" / "liars-dice_sides-6.json", tmp_path / "x.svg"
    words = ["draw", "liars-dice", "sides=6", "--solution", certificate, "-o", picture]
    assert cli(*words)[0] == 0
    assert picture.read_bytes() == (tmp_path / "visualizations" / "liars-dice_sides-6.svg").read_bytes()
    # The whole tree from its file, with the same strategies on it.
    file = tmp_path / "outputs" / "liars-dice_sides-6.efg"
    assert cli("draw", file, "--solution", certificate, "--reach", "0", "-o", picture)[0] == 0
    assert ">faded: never reached<" not in picture.read_text()
    assert cli(*words, "--which", "1")[0] == 2


def test_brackets_of_games_without_a_tree_claim_no_more_than_they_prove(cli, tmp_path):
    code, out, _ = cli("run", "liars-dice", "sides=5", "dice=3,2", "--timeout", "0.5", "--out", tmp_path)
    assert code == 4
    assert re.search(r"value     between -?0\.\d+( \(rounded\))? and 0\.\d+", out)
    proof = (
        r"proof     nobody gains more than \d\.\d+ a round by playing otherwise \(best responses over the whole game\)"
    )
    assert re.search(proof + "; the time limit came first", out)
    assert "ahead" not in out
    assert "the picture shows what the table sees" in out
    assert "without --beliefs" not in out
    assert "by these strategies" in out
    assert "and 11 more hands: the solution's file has them all" in out


def test_a_sparse_solution_of_another_game_and_a_damaged_one_are_named(cli, tmp_path):
    file, picture = tmp_path / "s.json", tmp_path / "x.svg"
    assert cli("solve", "liars-dice", "sides=3", "--method", "oracle", "-o", file)[0] == 0
    code, _, err = cli("draw", "liars-dice", "sides=4", "--solution", file, "-o", picture)
    assert (code, err.count("\n")) == (3, 1)
    assert 'the solution is of "Liar\'s Dice: one three-sided die each"' in err
    file.write_text(file.read_text().replace('"1x1 1x3"', '"1x1 1x2"').replace('"-1/9"', '"-1/8"'))
    code, _, err = cli("draw", "liars-dice", "sides=3", "--solution", file, "-o", picture)
    assert (code, err.count("\n")) == (3, 1)
    assert not picture.exists()


def test_solve_tells_the_support_and_small_strategies(cli):
    out = cli("solve", "liars-dice", "sides=4")[1]
    assert " of 1,024 information sets; " in out
    assert "strategy      (where play reaches; anywhere else: call)" in out
    assert "Player 1  1: start        " in out
    assert "strategy" not in cli("solve", "liars-dice", "sides=6")[1]


def test_info_says_what_is_solved_without_a_tree(cli):
    assert "by the oracle, without building the tree" in cli("info", "liars-dice", "sides=6", "dice=2,2")[1]
    assert "by many, without building the tree" in cli("info", "liars-dice", "sides=3", "dice=2,1,1")[1]
    for words in (["liars-dice"], ["dice-poker", "sides=100"]):
        assert "without building" not in cli("info", *words)[1]


def test_a_solution_of_nothing_is_not_written(cli, tmp_path):
    path = tmp_path / "nothing.json"
    path.write_text("kept")
    code, out, err = cli(
        "solve", "liars-dice", "dice=1,1,1", "--method", "gambit-logit", "--timeout", "0.01", "-o", path
    )
    assert code == 4
    assert f"{path} is not written: neither a strategy nor a bound was found" in err.splitlines()
    assert str(path) not in out
    assert path.read_text() == "kept"


@pytest.mark.skipif(os.name == "nt", reason="pipes")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["qre", "dice-poker"], 0),
        (["solve", "liars-dice"], 0),
        (["solve", "liars-dice", "dice=1,1,1,1", "--method", "many", "--option", "iterations=1"], 3),
        (["games"], 0),
        (["solve", "--help"], 0),
    ],
)
def test_a_reader_of_a_pipe_that_has_gone_does_not_change_the_exit_code(words, code):
    process = start(*words)
    process.stdout.close()  # as head does once it has its lines; here before the first
    assert process.wait(timeout=PATIENCE) == code
    assert "error" not in process.stderr.read()
    process.stderr.close()


def test_json_is_all_that_a_new_process_prints():
    """HiGHS 1.16.0 tells its version once a process, where C prints: no other test here would see it."""
    words = ["solve", "dice-poker", "sides=2", "--method", "lp", "--json"]
    done = subprocess.run([sys.executable, "-m", "efg_builder", *words], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["method"] == "lp"


def test_build_prints_labels_escaped(cli, tmp_path):
    label = "a\u202e\x9b31m"
    (tmp_path / "x.efg").write_text(f'EFG 2 R "t" {{ "A" }}\np "" 1 1 "x" {{ "{label}" }} 0\nt "" 1 "" {{ 1 }}\n')
    code, _, err = cli("build", tmp_path / "x.efg", "-o", tmp_path / "y.efg")
    assert code == 0
    assert err.splitlines()[0].endswith(r"reader: 'a\u202e\x9b31m' is now a\u202e 31m")
    assert all(line.isprintable() for line in err.splitlines())
