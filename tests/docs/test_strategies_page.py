"""The page on strategies of one's own: its Python runs and prints what it says, its table is one that is read."""

import re
import subprocess
import sys

import pytest
from paths import DOCS

import efg_builder as eb

PAGE = (DOCS / "strategies.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind == "python"])
def test_python_of_the_page(code, tmp_path):
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    said = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert said
    assert done.stdout.splitlines() == said


def test_the_table_of_the_page_is_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(next(text for kind, text in BLOCKS if kind == "csv"))
    found = eb.evaluate(eb.game("liars-dice"), path)
    assert found.exact
    assert found.matches[0].nash_conv > 0
