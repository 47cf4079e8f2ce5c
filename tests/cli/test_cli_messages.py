"""What the command line says of options, of what is too large, of files in the wrong place; and its help."""

import gzip
import re
import shlex
from importlib.util import find_spec

import click
import pytest
from small_files import BATTLE

import efg_builder as eb
from efg_builder.cli import COMMANDS, root, run

LARGE = ["liars-dice", "sides=6", "dice=2,1"]


def refused(answer):
    """The line that a refusal is."""
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("error: ")
    return err.removeprefix("error: ").rstrip("\n")


# --- options of what auto takes


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dice-poker"], "auto takes lp for this game, and lp has no option 'x'; it takes none; "),
        (
            ["liars-dice", "sides=6"],
            "auto takes oracle for this game, and oracle has no option 'x'; its options: master",
        ),
        (["liars-dice", "dice=1,1,1"], "auto takes many for this game, and many has no option 'x'; "),
    ],
)
@pytest.mark.parametrize("command", ["solve", "run"])
def test_an_option_that_the_method_lacks_names_the_method_and_its_options(
    cli, tmp_path, monkeypatch, command, words, says
):
    monkeypatch.chdir(tmp_path)
    said = refused(cli(command, *words, "--option", "x=1"))
    assert said.startswith(says)
    assert said.endswith("; an option of another method needs a --method")
    assert list(tmp_path.iterdir()) == []


# --- what is too large


def test_too_large_a_tree_names_the_oracle_where_that_works(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    way = "'efg-builder solve ... --method oracle' solves this game without its tree"
    for words in (
        ["build", *LARGE, "-o", "x.efg"],
        ["solve", *LARGE, "--method", "lp"],
        ["run", *LARGE, "--method", "lp"],
        ["draw", *LARGE, "-o", "x.svg"],
    ):
        said = refused(cli(*words))
        assert said.startswith("the tree has 66,060,163 nodes, over the budget of 5,000,000 (--max-nodes); ")
        assert said.endswith(way)
    assert refused(cli("build", "liars-dice", "sides=6", "dice=5,5", "-o", "x.efg")).endswith(way)
    for words in (
        ["liars-dice", "sides=6", "dice=2,1,1"],
        ["dice-poker", "sides=20", "--max-nodes", "9"],
        ["mia", "sides=20"],
    ):
        assert "oracle" not in refused(cli("build", *words, "-o", "x.efg"))
    eb.build(eb.game("liars-dice")).write("g.efg")
    assert "oracle" not in refused(cli("info", "g.efg", "--max-nodes", "9"))


def test_too_large_a_tree_names_play_where_nothing_solves_the_game(cli):
    table = ["liars-dice", "dice=5,5,5", "sides=6"]
    way = "and no machine holds it; 'efg-builder play ... --players' plays it without its tree, unsolved, "
    way += "against players by name"
    for command in ("solve", "run", "play"):
        assert refused(cli(command, *table)).endswith(way)
    assert cli("play", *table, "--players", "uniform")[0] == 0
    for words in (["mia", "sides=20"], ["dice-poker", "sides=20", "--max-nodes", "9"]):  # not dealt; not that large
        assert "--players" not in refused(cli("solve", *words))


def test_a_number_of_hundreds_of_digits_is_not_written_out(cli):
    assert refused(cli("solve", "mia", "sides=20")) == (
        "the tree has about 10^489 nodes, over the budget of 5,000,000, and no machine holds it"
    )


def test_too_large_a_tree_carries_facts_and_names_no_option_in_python():
    large = eb.game("liars-dice", sides=6, dice=(2, 1))
    for call in (lambda: eb.build(large), lambda: eb.solve(large, "lp")):
        with pytest.raises(eb.TreeTooLargeError, match=r"budget of 5,000,000 \(max_nodes\)$") as raised:
            call()
        assert (raised.value.nodes, raised.value.budget, raised.value.exact) == (66_060_163, 5_000_000, True)
    profile = eb.SparseProfile(large, ({}, {}))
    for call, budget in ((eb.support_tree, 200), (eb.table_view, 2)):  # at the table no deals are seen
        with pytest.raises(eb.TreeTooLargeError, match=rf"more than \d+ nodes, over the budget of {budget}") as raised:
            call(profile, max_nodes=budget)
        assert not raised.value.exact


# --- pictures


def test_beliefs_of_the_table_are_refused(cli, tmp_path):
    why = "beliefs=True with view='table': the table sees no hands, so there is nothing to have beliefs about"
    words = ["draw", *LARGE, "--solution", "s.json", "--view", "table", "--beliefs", "-o", tmp_path / "x.svg"]
    assert refused(cli(*words)).startswith(why)
    assert refused(cli("run", *LARGE, "--view", "table", "--beliefs", "--out", tmp_path)).startswith(why)
    assert list(tmp_path.iterdir()) == []


# --- solutions where a game should be


@pytest.mark.parametrize("command", ["draw", "info", "build", "solve", "run"])
@pytest.mark.parametrize("name", ["s.json", "s.json.gz"])
def test_a_solution_in_the_place_of_a_game_names_the_right_command(cli, tmp_path, monkeypatch, command, name):
    monkeypatch.chdir(tmp_path)
    assert cli("solve", "liars-dice", "-o", name)[0] == 0
    out = {"draw": ["-o", "x.svg"], "build": ["-o", "x.efg"]}.get(command, [])
    right = f"'efg-builder draw GAME --solution {name}' draws it"
    assert refused(cli(command, name, *out)) == f"{name} is a solution, not a game: {right}"


def test_solutions_that_name_no_game_and_other_files(cli, tmp_path):
    tree = eb.build(eb.game("liars-dice"))
    eb.solve(tree).write(tmp_path / "s.json")
    assert f"draw GAME --solution {tmp_path / 's.json'}' draws" in refused(cli("info", tmp_path / "s.json"))
    for content in ('{"profile": 1, "game": {"name": "chess", "settings": {}}}', '\ufeff{"profile": 1, "game": 3}'):
        (tmp_path / "s.json").write_text(content)
        assert "draw GAME --solution" in refused(cli("info", tmp_path / "s.json"))
    for content in ("{}", "[]", "{", "[" * 100_000, "hello"):
        (tmp_path / "x.json").write_text(content)
        assert "x.json:1:1: an EFG 2 file begins with EFG" in refused(cli("info", tmp_path / "x.json"))
    (tmp_path / "g.efg.gz").write_bytes(gzip.compress(tree.to_efg().encode()))
    assert cli("info", tmp_path / "g.efg.gz")[0] == 0


# --- help


def examples(command, capsys):
    assert run([command, "--help"]) == 0
    said = capsys.readouterr().out
    return [line.strip() for line in said.splitlines() if re.match(r"    efg-builder ", line)]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_the_help_have_options_that_exist(command, capsys):
    for line in examples(command, capsys):
        _, name, *words = shlex.split(line)
        group = root.get_command(click.Context(root), name)
        assert group.make_context(name, words).params


@pytest.mark.slow  # the test above reads them all
def test_the_examples_of_the_help_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = {command: examples(command, capsys) for command in COMMANDS}
    assert len(found["solve"]) == 2
    assert all(found[command] for command in ("run", "info", "build", "solve", "draw"))
    if find_spec("torch") is None:  # an extra that these tests can do without
        del found["train"]
    assert run(["matrix", "dice-poker", "sides=2", "-o", "strategic.nfg"]) == 0
    for line in [line for lines in found.values() for line in lines]:
        assert run(shlex.split(line)[1:]) == 0, line
        capsys.readouterr()
    assert {"game.efg", "solution.json", "slide.png", "table.png"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_the_help_says_what_it_does(command, capsys):
    found = root.get_command(click.Context(root), command)
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            # "INTEGER RANGE" and "TEXT" say nothing to people.
            assert parameter.is_flag or parameter.metavar or isinstance(parameter.type, click.Path | click.Choice)


def test_a_solution_is_written_under_a_name_that_says_what_it_is(cli, tmp_path):
    for name in ("s.npz", "s.txt", "s"):
        code, out, err = cli("solve", "liars-dice", "-o", tmp_path / name)
        assert (code, out) == (2, "")
        assert err.strip().endswith(f"{name}: a solution is written as .json, .json.gz, .csv, .csv.gz")
        assert not (tmp_path / name).exists()


def test_standard_streams_go_by_their_names(cli):
    why = "'-' is no file: verify reads SOLUTION from a file, not from standard input"
    assert refused(cli("verify", "-")) == why
    assert cli("build", "dice-poker", "-o", "-")[2].startswith("standard output: 181 nodes")


def test_a_method_is_known_by_its_second_part_too(cli, tmp_path):
    (tmp_path / "x.efg").write_text(BATTLE)
    assert refused(cli("solve", tmp_path / "x.efg", "--method", "ipa")).endswith("did you mean 'gambit-ipa'?")
