"""Messages that recommend a command, an option or a call: the tests do what the message recommends.

``advice.txt`` has an entry for each recommendation, in three lines: a command or call that causes the message; ``!``
and words of the message; the recommended command or call. Recommended commands exit with code 0, or with the documented
code in brackets. ``;`` separates commands, and the lines typed on standard input follow ``<``.
"""

import ast
import io
import json
import re
import shlex
import shutil
from dataclasses import replace
from functools import cache

import click
import pytest
from paths import DOCS, PACKAGE, TESTS

import efg_builder as eb
from efg_builder.cli import COMMANDS, GONE, root, run

ENTRY = """EFG 2 R "Entry" { "Firm" "Rival" }
p "" 1 1 "start" { "enter" "stay out" } 0
p "" 2 1 "entered" { "fight" "share" } 0
t "" 1 "" { -1 -1 }
t "" 2 "" { 1 1 }
t "" 3 "" { 0 3 }
"""

THREE = """EFG 2 R "Three" { "A" "B" "C" }
p "" 1 1 "a" { "left" "right" } 0
t "" 1 "" { 1 1 1 }
p "" 2 1 "b" { "left" "right" } 0
t "" 2 "" { 0 2 2 }
p "" 3 1 "c" { "left" "right" } 0
t "" 3 "" { 2 1 0 }
t "" 4 "" { 0 0 1 }
"""

FILES = """
build kuhn -o kuhn.efg
solve kuhn -o s.json -o s.csv
solve entry.efg --all -o all.json
solve liars-dice sides=2 --method oracle -o x.json
solve sums.py:Sums sides=2 --method oracle -o own.json
match liars-dice sides=2 dice=2,1 -o m.json.gz
sweep liars-dice sides=2 --workers 1 -o sweep.db
arena kuhn --players uniform,best-response:uniform --games 2 --workers 1 -o arena.db
exam kuhn -o positions.jsonl --answers
evaluate kuhn --strategy uniform -o strategy.json
"""
"""The commands that make the files of the situations."""

SITUATIONS = [block.splitlines() for block in (TESTS / "cli" / "advice.txt").read_text("utf-8").split("\n\n")]

COMMAND = re.compile(r"'efg-builder ([^']*)'")
CALL = re.compile(r"\beb\.([a-z_]+)")
OPTION = re.compile(r"(?<![\w'-])--([a-z][a-z-]+)")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the files of the situations."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / "entry.efg").write_text(ENTRY)
        shutil.copy(DOCS / "games" / "sums.py", folder)
        for line in FILES.split("\n"):
            if line:
                assert run(shlex.split(line)) == 0, line
        further_files(folder)
    return folder


def further_files(folder):
    """Write the files that no command writes."""
    (folder / "three.efg").write_text(THREE)
    solution = json.loads((folder / "s.json").read_text())
    (folder / "unsigned.json").write_text(json.dumps({key: solution[key] for key in solution if key != "digests"}))
    (folder / "unlisted.json").write_text("[]")
    eb.solve("liars-dice sides=3", "oracle", gap=1).write(folder / "bound.json")
    whole = eb.read_match("m.json.gz")
    replace(whole, rounds=whole.rounds[:1]).write(folder / "part.json.gz")


@pytest.fixture
def act(made, tmp_path, monkeypatch, cli):
    """A function that runs a line of ``advice.txt`` in a copy of the folder, and returns all that it says."""
    folder = tmp_path / "here"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)

    def act(line, code=None):
        if line.startswith("eb."):
            if code == 0:
                return str(eval(line, {"eb": eb}))
            with pytest.raises(eb.EfgBuilderError) as raised:
                eval(line, {"eb": eb})
            return str(raised.value)
        said = ""
        for part in line.split("; "):
            words, _, typed = part.partition(" < ")
            monkeypatch.setattr("sys.stdin", io.StringIO(typed.replace(", ", "\n") + "\n"))
            ended, out, err = cli(*shlex.split(words))
            assert code is None or ended in (0, code), f"{part}\n{out}{err}"
            said += out + err
        return said

    return act


@pytest.mark.parametrize(("typed", "advice", "then"), SITUATIONS, ids=[" ".join(entry[:2]) for entry in SITUATIONS])
def test_the_advice_of_a_message_works(act, typed, advice, then):
    said = " ".join(act(typed).split())
    assert advice.removeprefix("! ") in said, said
    code, line = re.fullmatch(r"(?:\[(\d)\] )?(.*)", then).groups()
    act(line, int(code or 0))


# The source.


@cache
def texts():
    """Each text in the source, but no docstring and no help of an option: (place, text), "\\0" for parts put in."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        left_out, inner = set(), set()
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and isinstance(node.body[0], ast.Expr):
                left_out.add(node.body[0].value)
            if isinstance(node, ast.Call):
                helps = [word.value for word in node.keywords if word.arg in ("help", "said", "epilog")]
                left_out |= {each for help in helps for each in ast.walk(help)}
            if isinstance(node, ast.JoinedStr):
                inner |= set(node.values)
        for node in ast.walk(tree):
            if node in left_out or node in inner:
                continue
            text = text_of(node)
            if text:
                found.append((f"{path.relative_to(PACKAGE)}:{node.lineno}", text))
    return found


def text_of(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
    return ""


def options_of(command):
    return {name for each in click_command(command).params for name in (*each.opts, *each.secondary_opts)}


def click_command(name):
    return root.get_command(click.Context(root), name)


OPTIONS = {name for command in COMMANDS for name in options_of(command)} | {"--help"}


def test_a_recommended_command_exists_and_has_the_recommended_options():
    for place, text in texts():
        for quoted in COMMAND.findall(text):
            name, *words = quoted.replace("\0", "X").split()
            if name == "X":  # a former command, with its new name
                continue
            assert name in COMMANDS, (place, quoted)
            assert {word for word in words if word.startswith("-")} <= options_of(name), (place, quoted)


def test_a_recommended_option_exists():
    found = [(place, f"--{name}") for place, text in texts() for name in OPTION.findall(text)]
    found = [(place, name) for place, name in found if f" {name}" not in " ".join(GONE)]
    assert len(found) > 100
    assert not [(place, name) for place, name in found if name not in OPTIONS | {"--tone"}]  # a variable in CSS


def test_a_recommended_call_exists():
    found = [(place, name) for place, text in texts() for name in CALL.findall(text)]
    assert len(found) > 30
    assert not [(place, name) for place, name in found if not hasattr(eb, name)]


UNTRIED = {
    "train": "needs PyTorch",
    "train GAME -o FILE": "needs PyTorch",
    "verify FOLDER": "the data set takes hours; tests/library makes a small one",
    "verify FILE": "advice of the stand-alone checkers; tests/proof gives the same files to both",
}
"""Recommended commands without an entry in ``advice.txt``, and the reason."""


def test_each_recommended_command_and_call_is_tried():
    """A new message needs an entry in ``advice.txt``."""
    advised = " ".join(advice for _, advice, _ in SITUATIONS)
    commands, calls = COMMAND.findall(advised), set(CALL.findall(advised))
    missing = []
    for place, text in texts():
        for quoted in COMMAND.findall(text):
            like = re.compile(".*".join(map(re.escape, quoted.split("\0"))))
            tried = any(like.fullmatch(command) for command in commands)
            missing += [(place, quoted)] * (not tried and quoted not in UNTRIED)
        missing += [(place, name) for name in CALL.findall(text) if name not in calls]
    assert missing == []
