"""Mistakes in rules that somebody wrote, as errors of one line: the class, the state, the problem."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..base.errors import EfgBuilderError, RulesError

_SHOWN = 80
"""Letters of a state that a message shows."""


class Wrong(Exception):
    """A mistake in rules; who catches it knows the state."""


@contextmanager
def told(game: object, state: Sequence[object]) -> Iterator[None]:
    """Turn an exception within into a ``RulesError`` that names the last of *state*, if there is one.

    That is ``Wrong``, and whatever the methods of *game* raise, with the line of its file; ``SystemExit`` too.
    """
    try:
        yield
    except (EfgBuilderError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        where = f"{type(game).__name__}, state {brief(state[-1])}" if state else type(game).__name__
        raise RulesError(f"{where}: {_said(error, game)}") from error


def _said(error: BaseException, game: object) -> str:
    """The mistake, and where: the game's own file, and of what its methods raised the last line there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    if isinstance(error, Wrong):
        return f"{error} ({Path(own).name})" if own else str(error)
    inside = [frame for frame in frames if own and Path(frame.filename).name == Path(own).name]
    if isinstance(error, SystemExit):
        return program_ended(*(inside or frames)[:1])
    last = (inside or frames)[-1]
    said = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{said} ({Path(last.filename).name}, line {last.lineno})"


def program_ended(frame: traceback.FrameSummary) -> str:
    """The message of a ``SystemExit`` from *frame* of the rules."""
    where = "while it was read" if frame.name == "<module>" else f"in {frame.name}()"
    return f"{Path(frame.filename).name} ended the program (sys.exit) {where}"


def brief(value: object) -> str:
    """*value* as Python writes it, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
