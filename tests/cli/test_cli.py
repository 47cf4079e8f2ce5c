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


def test_exit_code_4_at_the_time_limit(cli):
    code, out, _ = cli("solve", "liars-dice", "--method", "gambit-enummixed", "--timeout", "1", "--json")
    assert code == 4
    assert json.loads(out)["status"] == "timeout"


def test_equilibria_of_one_solution_are_drawn_by_number_and_the_file_given_stays(cli, tmp_path, in_process):
    (tmp_path / "outputs").mkdir()
    file, solution, pictures = tmp_path / "outputs" / "bos.efg", tmp_path / "s.json", set()
    file.write_text(BATTLE)
    assert cli("run", file, "--out", tmp_path)[0] == 0
    assert file.read_text() == BATTLE
    assert cli("solve", file, "--method", "gambit-enummixed", "-o", solution)[0] == 0
    for which in (1, 2, 3):
        picture = tmp_path / f"{which}.svg"
        assert cli("draw", file, "--solution", solution, "--which", which, "-o", picture)[0] == 0
        pictures.add(picture.read_text())
    assert len(pictures) == 3


def test_a_damaged_solution_is_not_drawn(cli, tmp_path):
    file, picture = tmp_path / "s.json", tmp_path / "x.svg"
    assert cli("solve", "liars-dice", "sides=3", "--method", "oracle", "-o", file)[0] == 0
    file.write_text(file.read_text().replace('"1x1 1x3"', '"1x1 1x2"').replace('"-1/9"', '"-1/8"'))
    code, _, err = cli("draw", "liars-dice", "sides=3", "--solution", file, "-o", picture)
    assert (code, err.count("\n"), picture.exists()) == (3, 1, False)


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

    assert figure(Fraction(-1, 9)) == "-1/9 = -0.111111"
    assert (figure(Fraction(3)), bare_figure(Fraction(-1, 9)), brief(Fraction(1, 3))) == ("3", "-1/9", "1/3")
    long = Fraction(10**5000 + 1, 10**5000 + 3)
    assert figure(long) == bare_figure(long) == "1 (rounded)"
    assert brief(long) == "1"


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
