"""Gambit in a separate process. The input is ``.efg`` text, and the output is plain lists.

Only ``adapter`` imports pygambit. ``worker`` runs ``adapter`` in a separate process, because Gambit's routines hold the
GIL, have no time limit, ignore Ctrl-C, and may crash. ``child`` starts, watches and ends this process.
"""

from __future__ import annotations

from importlib.util import find_spec

from ...base.errors import NotApplicableError


def lacking(what: str = "this") -> NotApplicableError | None:
    """Return the error for *what*, which needs pygambit; None if pygambit is installed. pygambit is not imported."""
    if find_spec("pygambit") is not None:
        return None
    return NotApplicableError(f"{what} needs pygambit, which is not installed: pip install 'pygambit>=17.0.0b2,<18'")


__all__ = ["lacking"]
