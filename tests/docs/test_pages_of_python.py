"""The pages on the environment and on strategies: settings, commands and the table; test_readme runs their Python."""

import inspect
import re

import pytest
from paths import DOCS

import efg_builder as eb

PAGES = {name: (DOCS / f"{name}.md").read_text() for name in ("environment", "strategies")}
ENVIRONMENT = PAGES["environment"]
COMMANDS = re.findall(r"^efg-builder (.*?) +# (.*)$", ENVIRONMENT, flags=re.MULTILINE)


def blocks(page, kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGES[page], flags=re.DOTALL)


def test_settings_of_the_page_are_those_of_the_environments():
    gym = pytest.importorskip("efg_builder.players.environment.gym", reason="needs gymnasium (the extra 'env')")
    named = set(re.findall(r"^\| `(\w+)` \|", ENVIRONMENT, flags=re.MULTILINE))
    assert named == set(inspect.signature(gym.LiarsDiceEnv).parameters) - {"settings"}


@pytest.mark.parametrize(("command", "line"), COMMANDS)
def test_commands_of_the_page_print_what_it_says(command, line, cli):
    code, out, err = cli(*command.split())
    assert (code, err) == (0, "")
    assert any(shown == line or shown.startswith(f"{line} ") for shown in out.splitlines())


def test_all_commands_of_the_page_are_run():
    assert len(COMMANDS) == ENVIRONMENT.count("\nefg-builder ") == 4


def test_the_table_of_the_page_is_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(blocks("strategies", "csv")[0])
    found = eb.evaluate(eb.game("liars-dice"), path)
    assert found.exact
    assert found.matches[0].nash_conv > 0
