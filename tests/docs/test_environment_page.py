"""The page on the environment: its Python runs and prints what it says."""

import re
import subprocess
import sys

import pytest
from paths import DOCS

PAGE = (DOCS / "environment.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_python_of_the_page(code, tmp_path):
    if "environment.make(" in code:
        pytest.importorskip("gymnasium", reason="needs gymnasium (the extra 'env')")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    said = re.findall(r"print\(.*\)  # (.*)", code)
    assert said
    assert done.stdout.splitlines() == said


def test_settings_of_the_page_are_those_of_the_environments():
    gym = pytest.importorskip("efg_builder.players.environment.gym", reason="needs gymnasium (the extra 'env')")
    import inspect

    named = set(re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE))
    assert named == set(inspect.signature(gym.LiarsDiceEnv).parameters) - {"settings"}


COMMANDS = re.findall(r"^efg-builder (.*?) +# (.*)$", PAGE, flags=re.MULTILINE)


@pytest.mark.parametrize(("command", "line"), COMMANDS)
def test_commands_of_the_page_print_what_it_says(command, line, cli):
    code, out, err = cli(*command.split())
    assert (code, err) == (0, "")
    assert any(shown == line or shown.startswith(f"{line} ") for shown in out.splitlines())


def test_all_commands_of_the_page_are_run():
    assert len(COMMANDS) == PAGE.count("\nefg-builder ") == 4
