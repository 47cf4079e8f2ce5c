"""The display of results in notebooks: a picture of a small result, otherwise a few facts.

The modules of trees and results do not import drawing code, so the notebook methods are attached here. Notebooks prefer
HTML to pictures, so ``_repr_html_`` returns None if there is a picture (``_repr_svg_`` or ``_repr_png_``). Sizes are
checked before drawing, so that every cell appears quickly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_SVG, _PNG, _HTML, _LINE = "_repr_svg_", "_repr_png_", "_repr_html_", "_repr_pretty_"

_METHODS = (
    ("forms.extensive", "GameTree", _SVG, "tree_svg"),
    ("forms.extensive", "GameTree", _HTML, "tree_html"),
    ("equilibria.solution", "Solution", _SVG, "solution_svg"),
    ("equilibria.solution", "Solution", _HTML, "solution_html"),
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
"""The module, class and name of each notebook method, the function in ``cells`` that it calls, and the arguments.

IPython also stores a ``repr`` of each result. ``pretty`` replaces this text by one line, because a ``repr`` over all
information sets would be slow.
"""


def attach() -> None:
    """Attach the methods to all classes whose modules are loaded; import no module."""
    package = __name__.partition(".")[0]
    for module, name, method, function, *given in _METHODS:
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # a module that is being loaded may not define it yet
        if kind is not None and method not in vars(kind):
            setattr(kind, method, _calling(function, *given))


def _calling(function: str, *given: str) -> Callable[..., Any]:

    def method(self: Any, *more: Any) -> Any:
        return getattr(import_module(".cells", __name__), function)(*given, self, *more)

    return method
