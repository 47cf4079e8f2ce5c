"""What is said of trees that are too large, and the help of commands."""

import re
import shlex
from importlib.util import find_spec

import click
import pytest

import efg_builder as eb
from efg_builder.cli import COMMANDS, root, run


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
    assert len(found["solve"]) == 3
    assert all(found[command] for command in ("run", "info", "build", "solve", "draw"))
    if find_spec("torch") is None:  # an extra that these tests can do without
        del found["train"]
    assert run(["matrix", "dice-poker", "sides=2", "-o", "strategic.nfg"]) == 0
    (tmp_path / "answers.jsonl").write_text("")  # no answers
    for line in [line for lines in found.values() for line in lines]:
        assert run(shlex.split(line)[1:]) == 0, line
        capsys.readouterr()
    assert {"game.efg", "solution.json", "slide.png", "table.png", "curve.svg"} <= {
        path.name for path in tmp_path.iterdir()
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_the_help_says_what_it_does(command, capsys):
    found = root.get_command(click.Context(root), command)
    for parameter in found.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            assert parameter.help, parameter.name
            # "INTEGER RANGE" and "TEXT" say nothing to people.
            assert parameter.is_flag or parameter.metavar or isinstance(parameter.type, click.Path | click.Choice)


def test_names_that_are_numbers_are_told_apart_from_probabilities(cli, tmp_path):
    path = tmp_path / "numbers.efg"
    nodes = ['p "" 1 1 "1" { "1" "2/3" } 0', 'p "" 2 1 "1" { "1" "50%" } 0']
    ends = [f't "" {k} "" {{ {pay} {-pay} }}' for k, pay in enumerate((1, -1, -1, 1), 1)]
    path.write_text("\n".join(['EFG 2 R "N" { "1" "2" }', *nodes, *ends[:2], nodes[1], *ends[2:]]))
    out = cli("solve", path)[1]
    assert '  "1"  "1"  "1" 1/2, "2/3" 1/2\n  "2"  "1"  "1" 1/2, "50%" 1/2\n' in out
    assert '"1" 1/2, "2/3" 1/2' in cli("run", path, "--no-gambit", "--no-report", "--out", tmp_path)[1]


def test_run_announces_each_file_once_and_only_files_it_writes(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("efg_builder.cli.common.QUIET", 0.0)
    for words in ((), ("--method", "oracle", "--max-nodes", 100)):
        code, out, err = cli("run", "liars-dice", "sides=2", "--no-gambit", "--out", f"{len(words)}", *words)
        announced = re.findall(r"(?m)^writing (\S+)$", err)
        assert code == 0
        assert sorted(announced) == sorted(re.findall(r"\S+/(?:outputs|visualizations)/\S+", out))
        assert ("no .efg" in out) == bool(words)


@pytest.mark.parametrize("player", ["threshold", "zero-intelligence", "neural"])
def test_a_player_of_one_game_does_not_claim_to_play_its_variants(cli, player):
    title = eb.game("liars-dice-spot-on", sides=2).title
    code, _, err = cli("evaluate", "liars-dice-spot-on", "sides=2", "--strategy", player)
    assert (code, err.count("Liar's Dice")) == (2, 1)
    assert re.match(rf"error: {player} plays only the game liars-dice.*, not {title}$", err)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("play kuhn --seat two", "'two' is not a whole number."),
        ("draw kuhn --width 10cm -o a.svg", "'10cm' is not a number."),
        ("draw kuhn --solution missing.csv -o a.svg", "cannot read missing.csv: No such file or directory"),
    ],
)
def test_what_a_mistyped_value_should_be(cli, words, said):
    code, _, err = cli(*words.split())
    assert (code, err.removesuffix("\n")[-len(said) :]) == (2, said)


def test_a_report_on_a_solution_keeps_to_the_limit_of_nodes(cli, tmp_path):
    """The solution is of a tree, which the report builds from the rules: Kuhn poker has 55 nodes."""
    file, page = eb.solve("kuhn").write(tmp_path / "kuhn.json"), tmp_path / "kuhn.html"
    code, _, err = cli("report", "kuhn", "--solution", file, "--max-nodes", 54, "-o", page)
    assert (code, page.exists()) == (2, False)
    assert "55" in err
    assert cli("report", "kuhn", "--solution", file, "--max-nodes", 55, "-o", page)[0] == 0
