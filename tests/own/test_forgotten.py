"""Own rules by which a player forgets something give one warning; files and games of the package give none."""

import warnings

import pytest
import small_files

import efg_builder as eb
from efg_builder.base.errors import ForgottenWarning

# The label of A's second decision leaves out A's first move, as in open_spiel issues 399, 565 and 1299.
RULES = """import efg_builder as eb

class Forgets(eb.Game):
    players = "A", "B"

    def turn(self, moves):
        if len(moves) < 3:
            player, label = ((0, "first"), (0, LABEL), (1, "B"))[len(moves)]
            return eb.Decision(player, label, [("l", moves + "l"), ("r", moves + "r")])
        return eb.End((1, -1) if len(set(moves)) == 1 else (0, 0))
"""
SAID = (
    "Forgets: at 'second', A forgets the move made at 'first' (after l; after r); if this is a mistake, add it to "
    "the label"
)


@pytest.fixture
def rules(tmp_path):
    path = tmp_path / "forgets.py"
    path.write_text(RULES.replace("LABEL", '"second"'))
    return path


@pytest.mark.parametrize("use", [eb.solve, eb.build, eb.draw])
def test_python_warns_once_where_a_player_forgets(rules, use):
    with pytest.warns(ForgottenWarning) as said:
        use(f"{rules}:Forgets")
    assert [str(each.message) for each in said] == [SAID]


@pytest.mark.parametrize("words", ["info", "build -o x.efg", "solve", "draw -o x.svg"])
def test_commands_print_the_warning_as_a_line(rules, cli, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command, *options = words.split()
    _, _, err = cli(command, f"{rules}:Forgets", *options)
    assert err.splitlines().count(f"warning: {SAID}") == 1


def test_no_warning_with_memory_nor_for_files(rules):
    rules.write_text(RULES.replace("LABEL", 'f"second after {moves}"'))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        eb.build(f"{rules}:Forgets")
        eb.build(eb.parse_efg(small_files.FORGETS_A_MOVE))
        eb.build("liars-dice sides=2")
