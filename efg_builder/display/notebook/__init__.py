"""What this package makes shows itself in a notebook: as a picture where it is small, otherwise as a few facts.

Trees and results know nothing of pictures, so the methods that notebooks look for are attached here. A class is given
both ``_repr_svg_`` (or ``_repr_png_``) and ``_repr_html_``: the second returns None wherever the first does not, since
notebooks would take HTML before a picture. Sizes are looked at before any work, so that a cell is never long in coming.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...forms.extensive import GameTree

_REPRS = (
    ("forms.extensive.model", "GameTree", "_repr_svg_", ".:tree_svg"),
    ("forms.extensive.model", "GameTree", "_repr_html_", ".:tree_html"),
    ("equilibria.solution", "Solution", "_repr_svg_", ".:solution_svg"),
    ("equilibria.solution", "Solution", "_repr_html_", ".:solution_html"),
    ("games.protocol", "Game", "_repr_html_", "summaries:game_html"),
    ("strategies.tree_profile", "Profile", "_repr_html_", "strategies:profile_html"),
    ("strategies.sparse_profile", "SparseProfile", "_repr_html_", "strategies:sparse_html"),
    ("proof.verify", "Verdict", "_repr_html_", "summaries:verdict_html"),
    ("proof.sequential", "SequentialVerdict", "_repr_html_", "summaries:sequential_html"),
    ("proof.best_response", "BestResponse", "_repr_html_", "summaries:response_html"),
    ("proof.certificate.check", "Proof", "_repr_html_", "summaries:proof_html"),
    ("forms.normal_form", "NormalForm", "_repr_html_", "summaries:form_html"),
    ("players.evaluate", "Evaluation", "_repr_html_", "measured:evaluation_html"),
    ("players.evaluate", "Seating", "_repr_html_", "measured:match_html"),
    ("equilibria.ranges", "Ranges", "_repr_html_", "measured:ranges_html"),
    ("equilibria.strategic", "MatrixReport", "_repr_png_", "measured:matrix_png"),
    ("equilibria.strategic", "MatrixReport", "_repr_html_", "measured:matrix_html"),
    ("equilibria.quantal", "QuantalBranch", "_repr_png_", "measured:branch_png"),
    ("equilibria.quantal", "QuantalBranch", "_repr_html_", "measured:branch_html"),
)
"""Module and class, the method that notebooks look for, and the module and function here that it calls."""

_LONG = (
    ("proof.verify", "Verdict"),
    ("proof.sequential", "SequentialVerdict"),
    ("proof.best_response", "BestResponse"),
    ("equilibria.ranges", "Ranges"),
    ("equilibria.strategic", "MatrixReport"),
    ("equilibria.quantal", "QuantalBranch"),
)
"""Those whose ``repr`` goes over all information sets: IPython keeps it beside the table, so it is given a line."""


def attach() -> None:
    """Give the methods to all classes whose modules are loaded by now; nothing is imported for it."""
    package = __name__.partition(".")[0]
    pretty = [(module, name, "_repr_pretty_", "summaries:pretty") for module, name in _LONG]
    for module, name, method, target in (*_REPRS, *pretty):
        loaded = sys.modules.get(f"{package}.{module}")
        kind = getattr(loaded, name, None)  # none yet in a module that is just being loaded
        if kind is not None and method not in vars(kind):
            setattr(kind, method, _calling(target))


def _calling(target: str) -> Callable[[Any], Any]:
    """A method that imports what it calls when it is called."""
    home, _, function = target.partition(":")

    def method(self: Any, *given: Any) -> Any:
        module = sys.modules[__name__] if home == "." else import_module(f".{home}", __name__)
        return getattr(module, function)(self, *given)

    return method


def tree_svg(tree: GameTree) -> str | None:
    """The picture of a tree, or None where it is too large for a cell."""
    from ..trees import notebook_svg

    return notebook_svg(tree)


def tree_html(tree: GameTree) -> str | None:
    """The facts of a tree of which there is no picture."""
    from .summaries import tree_html as facts

    return None if tree_svg(tree) is not None else facts(tree)


def solution_svg(solution: Solution) -> str | None:
    """The picture of a solution, or None where it is too large for a cell or nothing was found."""
    from ..trees import notebook_svg

    drawn = solution.profile is not None or solution.sparse is not None
    return notebook_svg(solution) if drawn else None


def solution_html(solution: Solution) -> str | None:
    """The facts of a solution of which there is no picture."""
    from .summaries import solution_html as facts

    return None if solution_svg(solution) is not None else facts(solution)
