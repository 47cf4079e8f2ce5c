"""An option means the same in every command."""

from collections import defaultdict

import click
import pytest

from efg_builder.cli import COMMANDS, root
from efg_builder.cli.options import GROUPS, MOST_USED, Grouped

FOUND = {name: root.get_command(click.Context(root), name) for name in COMMANDS}
OPTIONS = defaultdict(dict)
for name, command in FOUND.items():
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
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
    assert set(OPTIONS["--gap"]) >= set(uses) - {"ranges", "matrix", "qre", "train", "arena", "exam"}


def test_names_of_options_say_what_they_are():
    assert all(isinstance(each.type, click.IntRange) for each in OPTIONS["--seat"].values())
    assert set(OPTIONS["--players"]) == {"play", "arena", "evaluate"}
    assert {name for name in OPTIONS if name.startswith("--list")} == {
        "--list-methods",
        "--list-players",
        "--list-variants",
    }
    for option in OPTIONS["--output"].values():
        assert option.opts == ["-o", "--output"]
    assert {name for name, option in OPTIONS["--output"].items() if option.type.stdout} == {"build", "solve"}
    for gone in ("--csv", "--parquet", "--plot", "--onnx", "--table", "--player", "--methods", "--list"):
        assert gone not in OPTIONS


@pytest.mark.parametrize("name", COMMANDS)
def test_many_options_are_in_groups_and_each_option_is_listed_once(name):
    command = FOUND[name]
    listed = {one for one, uses in OPTIONS.items() if name in uses}
    assert isinstance(command, Grouped) == (len(listed) > 8)
    if not isinstance(command, Grouped):
        return
    assert len(command.first) == 5
    _, first, said = command.get_help(click.Context(command)).partition(MOST_USED)
    headings = [line[:-1] for line in f"{first}{said}".splitlines() if line[:-1] in (MOST_USED, *GROUPS)]
    assert headings == [title for title in (MOST_USED, *GROUPS) if title in headings]
    assert [said.count(f"\n  {one}") + said.count(f", {one} ") for one in listed] == [1] * len(listed)


def test_the_groups_name_options_that_there_are():
    names = " ".join(GROUPS.values()).split()
    assert len(names) == len(set(names))
    assert {f"--{name}" for name in names} <= set(OPTIONS) | {"--head", "--report", "--refine", "--gambit"}
