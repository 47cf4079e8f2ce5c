"""What every reader of a text format owes to a malformed text."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import efg_builder as eb


def refused_at(
    parse: Callable[[str, str], object], name: str, text: str, line: int, column: int, problem: str
) -> eb.EfgSyntaxError:
    """The error by which *parse* refuses *text*: in one line it says the file, the place and the problem."""
    with pytest.raises(eb.EfgSyntaxError) as caught:
        parse(text, name)
    error = caught.value
    assert problem in error.problem
    assert (error.line, error.column) == (line, column)
    assert str(error).startswith(f"{name}:{line}:{column}: ")
    assert "\n" not in str(error)
    return error
