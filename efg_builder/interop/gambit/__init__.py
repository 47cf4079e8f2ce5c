"""Gambit at arm's length: ``.efg`` text goes in, plain lists come out.

``gambit.adapter`` alone imports pygambit. ``gambit.worker`` runs it in a process of its own, because its routines hold
the interpreter while they compute, know no time limit, ignore Ctrl-C, and may crash. ``gambit.child`` starts, watches
and ends that process. pygambit comes with the plain install where it has a wheel; all else works without it.
"""

from __future__ import annotations

from importlib.util import find_spec

from ...base.errors import NotApplicableError


def lacking(what: str = "this") -> NotApplicableError | None:
    """Return the error of *what*, which needs pygambit, if pygambit is not installed. Import nothing."""
    if find_spec("pygambit") is not None:
        return None
    return NotApplicableError(f"{what} needs pygambit, which is not installed: pip install 'pygambit>=17.0.0b2,<18'")


__all__ = ["lacking"]
