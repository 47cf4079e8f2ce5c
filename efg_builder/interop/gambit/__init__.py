"""Gambit at arm's length: ``.efg`` text goes in, plain lists come out.

``gambit.adapter`` alone imports pygambit; ``gambit.worker`` runs it in a process of its own, because its
routines hold the interpreter for as long as they compute, know no time limit, ignore Ctrl-C, and may
crash; ``gambit.child`` starts, watches and ends that process. What the lists mean on a tree of this package
is the business of those who ask.

pygambit comes with the extra ``gambit``: it and pandas, which it brings, are larger than all else together.
"""

from __future__ import annotations

from importlib.util import find_spec

from ...base.errors import NotApplicableError, not_installed


def lacking(what: str = "this") -> NotApplicableError | None:
    """The error of *what*, which needs pygambit, where that is not installed; nothing is imported."""
    return not_installed(what, "pygambit", "gambit") if find_spec("pygambit") is None else None


__all__ = ["lacking"]
