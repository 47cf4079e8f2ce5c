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
"""Module and class, the method that notebooks look for, the function of ``cells`` that it calls, and its arguments.

IPython keeps a ``repr`` beside the table; where it would go over all information sets, ``pretty`` is a line instead.
"""


def attach() -> None:
    """Give the methods to all classes whose modules are loaded by now; nothing is imported for it."""
    package = __name__.partition(".")[0]
    for module, name, method, function, *given in _METHODS:
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # none yet in a module that is just being loaded
        if kind is not None and method not in vars(kind):
            setattr(kind, method, _calling(function, *given))


def _calling(function: str, *given: str) -> Callable[..., Any]:
    """A method that imports what it calls when it is called."""

    def method(self: Any, *more: Any) -> Any:
        return getattr(import_module(".cells", __name__), function)(*given, self, *more)

    return method
