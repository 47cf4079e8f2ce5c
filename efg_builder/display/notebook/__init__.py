"""The display of results in notebooks: a picture if small, otherwise a few facts.

Trees and results do not depend on pictures, so notebook methods are attached here. A class gets both ``_repr_svg_`` (or
``_repr_png_``) and ``_repr_html_``. The second returns None if there is a picture, since notebooks prefer HTML. Sizes
are checked before any work, so that a cell is always quick.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_SVG, _PNG, _HTML, _LINE = "_repr_svg_", "_repr_png_", "_repr_html_", "_repr_pretty_"

_METHODS = (
    ("forms.extensive", "GameTree", _SVG, "drawn_svg"),
    ("forms.extensive", "GameTree", _HTML, "drawn_html"),
    ("equilibria.solution", "Solution", _SVG, "drawn_svg"),
    ("equilibria.solution", "Solution", _HTML, "drawn_html"),
    ("games.protocol", "Game", _HTML, "cell", "game"),
    ("strategies.tree_profile", "TreeProfile", _HTML, "strategy"),
    ("strategies.sparse_profile", "SparseProfile", _HTML, "strategy"),
    ("proof.verify", "Verdict", _HTML, "cell", "verdict"),
    ("proof.verify", "Verdict", _LINE, "pretty"),
    ("proof.sequential", "SequentialVerdict", _HTML, "cell", "sequential"),
    ("proof.sequential", "SequentialVerdict", _LINE, "pretty"),
    ("proof.best_response", "BestResponse", _HTML, "cell", "response"),
    ("proof.best_response", "BestResponse", _LINE, "pretty"),
    ("proof.certificate.check", "Proof", _HTML, "cell", "proof"),
    ("forms.normal_form", "NormalForm", _HTML, "cell", "form"),
    ("players.evaluate", "Evaluation", _HTML, "cell", "evaluation"),
    ("players.evaluate", "Seating", _HTML, "cell", "match"),
    ("equilibria.ranges", "Ranges", _HTML, "ranges_html"),
    ("equilibria.ranges", "Ranges", _LINE, "pretty"),
    ("equilibria.strategic", "MatrixReport", _PNG, "plot", "matrix"),
    ("equilibria.strategic", "MatrixReport", _HTML, "unplotted", "matrix"),
    ("equilibria.strategic", "MatrixReport", _LINE, "pretty"),
    ("equilibria.qre", "QuantalBranch", _PNG, "plot", "branch"),
    ("equilibria.qre", "QuantalBranch", _HTML, "unplotted", "branch"),
    ("equilibria.qre", "QuantalBranch", _LINE, "pretty"),
)
"""Module and class, the notebook method, the function in ``cells`` that it calls, and its arguments.

IPython also stores a ``repr``; ``pretty`` replaces those that would go over all information sets by a line.
"""


def attach() -> None:
    """Attach the methods to all classes whose modules are loaded, without importing any."""
    package = __name__.partition(".")[0]
    for module, name, method, function, *given in _METHODS:
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # a module that is being loaded may lack it
        if kind is not None and method not in vars(kind):
            setattr(kind, method, _calling(function, *given))


def _calling(function: str, *given: str) -> Callable[..., Any]:
    """Return a method that imports its function when called."""

    def method(self: Any, *more: Any) -> Any:
        return getattr(import_module(".cells", __name__), function)(*given, self, *more)

    return method
