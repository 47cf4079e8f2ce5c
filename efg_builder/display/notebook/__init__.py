"""What this package makes shows itself in a notebook: as a picture where it is small, otherwise as a few facts.

Trees and results know nothing of pictures, so the methods that notebooks look for are attached here. A class is given
both ``_repr_svg_`` (or ``_repr_png_``) and ``_repr_html_``: the second returns None wherever the first does not, since
notebooks would take HTML before a picture. Sizes are looked at before any work, so that a cell is never long in coming.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_REPRS = (
    ("forms.extensive", "GameTree", "_repr_svg_", "drawn_svg"),
    ("forms.extensive", "GameTree", "_repr_html_", "drawn_html"),
    ("equilibria.solution", "Solution", "_repr_svg_", "drawn_svg"),
    ("equilibria.solution", "Solution", "_repr_html_", "drawn_html"),
    ("strategies.tree_profile", "TreeProfile", "_repr_html_", "strategy"),
    ("strategies.sparse_profile", "SparseProfile", "_repr_html_", "strategy"),
    ("equilibria.ranges", "Ranges", "_repr_html_", "ranges_html"),
    ("equilibria.strategic", "MatrixReport", "_repr_png_", "matrix_png"),
    ("equilibria.strategic", "MatrixReport", "_repr_html_", "matrix_html"),
    ("equilibria.qre", "QuantalBranch", "_repr_png_", "branch_png"),
    ("equilibria.qre", "QuantalBranch", "_repr_html_", "branch_html"),
)
"""Module and class, the method that notebooks look for, and the function of ``cells`` that it calls."""

_MACROS = (
    ("games.protocol", "Game", "game"),
    ("proof.verify", "Verdict", "verdict"),
    ("proof.sequential", "SequentialVerdict", "sequential"),
    ("proof.best_response", "BestResponse", "response"),
    ("proof.certificate.check", "Proof", "proof"),
    ("forms.normal_form", "NormalForm", "form"),
    ("players.evaluate", "Evaluation", "evaluation"),
    ("players.evaluate", "Seating", "match"),
)
"""Module and class, and the macro of ``templates/cells.html`` that shows it."""

_LONG = (
    ("proof.verify", "Verdict"),
    ("proof.sequential", "SequentialVerdict"),
    ("proof.best_response", "BestResponse"),
    ("equilibria.ranges", "Ranges"),
    ("equilibria.strategic", "MatrixReport"),
    ("equilibria.qre", "QuantalBranch"),
)
"""Those whose ``repr`` goes over all information sets: IPython keeps it beside the table, so it is given a line."""


def attach() -> None:
    """Give the methods to all classes whose modules are loaded by now; nothing is imported for it."""
    package = __name__.partition(".")[0]
    calls = [
        *((module, name, method, _calling(function)) for module, name, method, function in _REPRS),
        *((module, name, "_repr_html_", _calling("cell", macro)) for module, name, macro in _MACROS),
        *((module, name, "_repr_pretty_", _calling("pretty")) for module, name in _LONG),
    ]
    for module, name, method, call in calls:
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # none yet in a module that is just being loaded
        if kind is not None and method not in vars(kind):
            setattr(kind, method, call)


def _calling(function: str, *given: str) -> Callable[..., Any]:
    """A method that imports what it calls when it is called."""

    def method(self: Any, *more: Any) -> Any:
        return getattr(import_module(".cells", __name__), function)(*given, self, *more)

    return method
