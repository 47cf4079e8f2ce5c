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
    ("games.protocol", "Game", "_repr_html_", "game_html"),
    ("strategies.tree_profile", "TreeProfile", "_repr_html_", "strategy_html"),
    ("strategies.sparse_profile", "SparseProfile", "_repr_html_", "strategy_html"),
    ("proof.verify", "Verdict", "_repr_html_", "verdict_html"),
    ("proof.sequential", "SequentialVerdict", "_repr_html_", "sequential_html"),
    ("proof.best_response", "BestResponse", "_repr_html_", "response_html"),
    ("proof.certificate.check", "Proof", "_repr_html_", "proof_html"),
    ("forms.normal_form", "NormalForm", "_repr_html_", "form_html"),
    ("players.evaluate", "Evaluation", "_repr_html_", "evaluation_html"),
    ("players.evaluate", "Seating", "_repr_html_", "match_html"),
    ("equilibria.ranges", "Ranges", "_repr_html_", "ranges_html"),
    ("equilibria.strategic", "MatrixReport", "_repr_png_", "matrix_png"),
    ("equilibria.strategic", "MatrixReport", "_repr_html_", "matrix_html"),
    ("equilibria.qre", "QuantalBranch", "_repr_png_", "branch_png"),
    ("equilibria.qre", "QuantalBranch", "_repr_html_", "branch_html"),
)
"""Module and class, the method that notebooks look for, and the function of ``cells`` that it calls."""

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
    pretty = [(module, name, "_repr_pretty_", "pretty") for module, name in _LONG]
    for module, name, method, function in (*_REPRS, *pretty):
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # none yet in a module that is just being loaded
        if kind is not None and method not in vars(kind):
            setattr(kind, method, _calling(function))


def _calling(function: str) -> Callable[[Any], Any]:
    """A method that imports what it calls when it is called."""

    def method(self: Any, *given: Any) -> Any:
        return getattr(import_module(".cells", __name__), function)(self, *given)

    return method
