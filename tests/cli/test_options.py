"""An option means the same in every command; old spellings; ``-`` for standard input and output."""

import json
import subprocess
import sys
from collections import defaultdict

import click
import pytest

import efg_builder as eb
from efg_builder.cli import COMMANDS, root
from efg_builder.interop.efg import to_efg

FOUND = {name: root.get_command(click.Context(root), name) for name in COMMANDS}
OPTIONS = defaultdict(dict)
for name, command in FOUND.items():
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            OPTIONS[parameter.opts[-1]][name] = parameter

IN_OTHER_WORDS = {
    "--output": "says what the command writes",
    "--solution": "says what the solution is for",
    "--strategy": "says who sits where",
    "--workers": "verify has one where nothing is said, as it may lie beside a sweep that runs",
    "--checkpoint": "says what is kept: of one game, or of the rounds of a match",
}
"""Options of one kind, whose help says what the command does with them."""

OF_TWO_KINDS = {
    "--all": "solve: all equilibria; draw: all ends of the game",
    "--match": "play: also a FILE; arena: always those settings",
    "--option": "a setting of how to solve; train: of how to train",
    "--resume": "from a file; train: from the folder --checkpoints",
    "--timeout": "for solving; train: for training",
}
"""All options that mean another thing in another command, and what."""

ASKED_FOR = {"run", "report", "solve", "sweep", "match", "ranges", "matrix"}
"""The commands whose answer is the solution: they take their time."""


def kind(option):
    """The type of *option*, as far as it decides what may be given."""
    found = option.type
    choices = getattr(found, "choices", None)
    return type(found).__name__, found.name, str(found) if choices else None, getattr(found, "max", None)


@pytest.mark.parametrize("option", [name for name, uses in OPTIONS.items() if len(uses) > 1])
def test_an_option_has_one_meaning(option):
    uses = OPTIONS[option]
    if option in OF_TWO_KINDS:
        return
    assert len({kind(each) for each in uses.values()}) == 1, option
    if option not in IN_OTHER_WORDS:
        assert len({each.help for each in uses.values()}) == 1, option
        assert len({each.metavar for each in uses.values()}) == 1, option


def test_the_exceptions_are_no_more_than_those_that_are_there():
    for option in (*IN_OTHER_WORDS, *OF_TWO_KINDS):
        assert len({each.help for each in OPTIONS[option].values()}) > 1, option


def test_solving_has_a_minute_on_the_way_and_no_limit_where_it_is_what_is_asked_for():
    uses = OPTIONS["--timeout"]
    for name, option in uses.items():
        if name != "train":
            assert option.get_default(click.Context(FOUND[name])) == (None if name in ASKED_FOR else "60"), name
    assert len({option.help for name, option in uses.items() if name != "train"}) == 1
    assert set(uses) >= ASKED_FOR
    # Whoever can be given less time can be content with less.
    assert set(OPTIONS["--gap"]) >= set(uses) - {"ranges", "matrix", "qre", "train", "arena", "exploitability"}


def test_names_of_options_say_what_they_are():
    assert all(isinstance(each.type, click.IntRange) for each in OPTIONS["--seat"].values())
    assert set(OPTIONS["--players"]) == {"play", "arena", "exploitability"}
    assert {name for name in OPTIONS if name.startswith("--list")} == {
        "--list-methods",
        "--list-players",
        "--list-variants",
    }
    for option in OPTIONS["--output"].values():
        assert option.opts == ["-o", "--output"]
    for gone in ("--csv", "--parquet", "--plot", "--onnx", "--table", "--player", "--methods", "--list"):
        assert gone not in OPTIONS


# --- old spellings


# --- standard input and output


def piped(*words, text=""):
    command = [sys.executable, "-m", "efg_builder", *map(str, words)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_game_goes_through_pipes(tmp_path):
    code, efg, err = piped("build", "dice-poker", "-o", "-")
    assert (code, efg) == (0, to_efg(eb.build(eb.game("dice-poker"))))
    assert err.strip().endswith("181 nodes, 12 information sets")
    code, found, err = piped("solve", "-", "-o", "-", text=efg)
    assert (code, err) == (0, "")
    assert json.loads(found)["status"] == "equilibrium"
    (tmp_path / "s.json").write_text(found)
    assert piped("verify", tmp_path / "s.json", "-", text=efg)[0] == 0
    # A game in strategic form too: its text says what it is.
    code, out, _ = piped("build", "-", "-o", "-", text='NFG 1 R "strategic" { "A" } { 2 } 1 0')
    assert (code, out.splitlines()[0]) == (0, 'EFG 2 R "strategic" { "A" }')
    page = tmp_path / "tree.html"
    assert piped("draw", "-", "--strategy", "equilibrium", "-o", page, text=efg)[0] == 0
    assert page.exists()


# --- where files come again


@pytest.mark.parametrize("method", ["auto", "oracle"])  # on a tree, and without one
def test_run_draws_the_view_that_is_asked_for(cli, tmp_path, method):
    words = [
        "run",
        "liars-dice",
        "sides=3",
        "--method",
        method,
        "--no-report",
        "--no-gambit",
        "--out",
        tmp_path,
        "--view",
    ]
    drawn = {}
    for view in ("tree", "public", "table"):
        code, out, _ = cli(*words, view)
        assert code == 0
        assert ("--view table shows only solutions found without a tree" in out) == (
            (method, view) == ("auto", "table")
        )
        drawn[view] = (tmp_path / "visualizations" / "liars-dice_sides-3.svg").read_text()
    assert "each with a table of the mover's hands by moves" in drawn["public"]
    assert len(set(drawn.values())) == (3 if method == "oracle" else 2)
