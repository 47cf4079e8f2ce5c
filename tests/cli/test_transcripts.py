"""Commands with all that they print, their exit codes and the files that they make: ``transcripts/*.txt``.

After ``$`` stands a command, ``<`` before a line that is typed, then its stdout, ``!`` before a line of stderr, ``+``
before a new file, and the exit code where it is not 0. JSON has its innermost lists and objects on one line each. After
``%`` stands a command whose stdout is left out, as others show it. A line with signs of the shell is run by bash, in
processes of its own. ``EFG_TRANSCRIPTS=write pytest tests/cli/test_transcripts.py`` writes what happens now.
"""

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import small_files
from paths import TESTS

FILES = sorted((TESTS / "cli" / "transcripts").glob("*.txt"))
GIVEN = {
    "battle.efg": small_files.BATTLE,
    "version.efg": small_files.BATTLE.replace("EFG 2", "EFG 3"),
    "entry.efg": small_files.ENTRY,
    "forgets.efg": small_files.B_FORGETS,
    "horse.efg": small_files.HORSE,
    "dominant.nfg": small_files.DOMINANT,
    "rounded.efg": small_files.ROUNDED,
    "odd.efg": 'EFG 2 R "b" { "A" }\np "" 1 1 "a" { "up\\\\" "é" } 0\nt "" 1 "o" { 1 }\nt "" 2 "u" { 0 }\n',
    "letters.efg": 'EFG 2 R "t" { "A" }\np "" 1 1 "x" { "a\u202e\x9b31m" } 0\nt "" 1 "" { 1 }\n',
    "chess.json": '{"profile": 1, "game": {"name": "chess", "settings": {}}}',
    "empty.json": "{}",
    "unlabeled.efg": small_files.UNLABELED,
    "coin.efg": small_files.COIN,
    "two-roads.efg": small_files.TWICE_TWO,
    "driver.efg": small_files.DRIVER,
    "nothing.csv": "player,infoset,action,probability\n",
    "one.csv": "player,infoset,action,probability\n1,2: start,1x2,1\n",
}
VOLATILE = re.compile(
    r'(?m)(?<=^seconds {7})[\d.]+|(?<="seconds": )[\d.e-]+|\b\d+(?:\.\d+)? s\b|\d\.\d{9,}|\b\de-1\d\b'
)
"""Times, and the last digits of floats."""


INNERMOST = re.compile(r"[\[{]\n[^][{}]*\n *[]}]")


def in_one_line(found):
    """The list or object of JSON that was *found* on one line, if that has at most 100 letters."""
    line = re.sub(r"\n *", " ", found[0])
    return line if len(line) <= 100 else found[0]


def by_shell(line):
    """Exit code, stdout and stderr of a *line* of bash."""
    program = "from efg_builder.cli import common, main; common.QUIET = float('inf'); main()"
    script = f'efg-builder() {{ {shlex.quote(sys.executable)} -c "{program}" "$@"; }}\n{line}'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_commands_do_what_is_written(path, cli, tmp_path, monkeypatch, in_process):
    monkeypatch.chdir(tmp_path)
    text = path.read_text("utf-8")
    for name, content in GIVEN.items():
        Path(name).write_text(content, "utf-8")
    found, there = [], set(Path().rglob("*"))
    for part in re.split(r"(?m)^(?=[#$%] )", text)[1:]:
        line, *rest = part.splitlines()
        typed = [each for each in rest if each.startswith("<")]
        found += [line, *typed]
        if line.startswith("#"):
            continue
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{each[2:]}\n" for each in typed)))
        shell = bool(re.search("[<>|&]|^. (?!efg-builder )", line))
        code, out, err = by_shell(line[2:]) if shell else cli(*shlex.split(line)[2:])
        new = sorted(str(file) for file in {*Path().rglob("*")} - there if file.is_file())
        there |= {*Path().rglob("*")}
        assert code != 2 or typed or shell or (out, new, err.count("\n")) == ("", [], 1), f"{line}\n{out}{err}{new}"
        found += [] if line.startswith("%") else INNERMOST.sub(in_one_line, out).splitlines()
        found += [*(f"! {said}" for said in err.splitlines()), *(f"+ {name}" for name in new)]
        found += [f"[{code}]"] * (code != 0) + [""]
    happened = VOLATILE.sub("<number>", "\n".join(found).replace(str(Path.cwd()), "FOLDER"))
    if os.environ.get("EFG_TRANSCRIPTS") == "write":
        path.write_text(happened, "utf-8")
    assert happened.splitlines() == text.splitlines()
