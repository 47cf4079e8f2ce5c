"""The pages on the environment and on strategies: settings and the table."""

import inspect
import re

import pytest
from paths import DOCS

import efg_builder as eb


def test_settings_of_the_page_are_those_of_the_environments():
    gym = pytest.importorskip("efg_builder.players.environment.gym", reason="needs gymnasium (the extra 'env')")
    named = set(re.findall(r"^\| `(\w+)` \|", (DOCS / "environment.md").read_text(), flags=re.MULTILINE))
    assert named == set(inspect.signature(gym.LiarsDiceEnv).parameters) - {"settings"}


def test_the_table_of_the_page_is_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(re.findall(r"```csv\n(.*?)```", (DOCS / "strategies.md").read_text(), re.DOTALL)[0])
    found = eb.evaluate(eb.game("liars-dice"), path)
    assert found.exact
    assert found.matches[0].nash_conv > 0
