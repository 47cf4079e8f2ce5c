"""Lines fit the terminal: broken at words, with a hanging indent; pipes and files keep whole lines."""

import os
import pty
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder.base.words import wrapped
from efg_builder.cli import run

COMMANDS = (
    *("solve leduc ranks=2", "games", "solve --list-methods", "evaluate --list-players", "info liars-dice dice=5,5"),
    *("ranges kuhn", "evaluate kuhn --strategy uniform", "solve kuhn --method gambit-lp --option x=1", "matrix kuhn"),
)


def in_terminal(columns, monkeypatch, words):
    """Return the output of a command in a terminal with *columns* columns."""
    ours, theirs = pty.openpty()
    monkeypatch.setenv("COLUMNS", str(columns))
    with os.fdopen(theirs, "w") as terminal:
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, terminal)
        child = os.fork()
        if not child:
            os.close(ours)
            run(words.split())
            terminal.flush()
            os._exit(0)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.waitpid(child, 0)
    os.close(ours)
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", seen.decode()).replace("\r\n", "\n")


@pytest.mark.parametrize("words", COMMANDS)
def test_no_line_is_broken_inside_a_word(words, monkeypatch, cli):
    _, out, err = cli(*words.split())
    whole = re.sub(r"(?m)^seconds.*$", "", out + err)
    monkeypatch.undo()
    for columns in (60, 80):
        shown = in_terminal(columns, monkeypatch, words)
        lines = [line.rpartition("\r")[2] for line in shown.split("\n")]
        longest = max(map(len, whole.split()))
        assert all(len(line) <= max(columns, longest + columns // 2) for line in lines)
        assert sum(len(line) > columns for line in lines) <= sum(len(word) > columns // 2 for word in whole.split())
        assert set(whole.split()) <= set(" ".join(lines).split()) | {"seconds"}


@given(st.text(alphabet="ab -", max_size=60), st.integers(10, 40))
def test_wrapped_lines_have_all_words(line, width):
    lines = wrapped(line, width)
    assert " ".join(lines).split() == line.split()
    longest = max(map(len, line.split()), default=0)
    assert all(len(each) <= max(width, longest + width // 2) for each in lines)


def test_a_value_hangs_below_its_column():
    line = "regret        0 (exact: two best responses over the whole game agree on the value)"
    assert wrapped(line, 50) == [
        "regret        0 (exact: two best responses over",
        "              the whole game agree on the value)",
    ]
