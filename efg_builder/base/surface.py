"""The methods, such as ``tree.solve()``, that stand for a function of a later room, loaded when they are called."""

from __future__ import annotations

import importlib
from typing import Any, TypeGuard

LATER = {
    "QuantalBranch.draw": "display.plots.branch:draw_branch",
    "Solution.draw": "display.trees:draw",
    "Solution.report": "display.report:write_report",
    "MatrixReport.draw": "display.plots.heatmap:draw_matrix",
    "Standings.__str__": "experiments.arena.report:lines",
    "Match.draw": "display.plots.match_chart:draw_match",
    "GameTree.solve": "equilibria.solve:solve",
    "GameTree.write": "interop.efg:write_efg",
    "GameTree.to_efg": "interop.efg:to_efg",
    "GameTree.draw": "display.trees:draw",
    "NormalForm.analyse": "equilibria.strategic:analyse_matrix",
    "SparseProfile.__str__": "strategies.lines:sparse_lines",
    "TreeProfile.sparse": "strategies.sparse_profile:from_answers",
    "TreeProfile.__str__": "proof.best_response:profile_lines",
    "TreeProfile.to_gambit": "interop.gambit.mapping:to_gambit",
    "NormalForm.write": "interop.nfg:write_form",
}
"""The methods that stand for a function of another module, and that function as ``"room.module:function"``."""


def later(method: str) -> Any:
    """The function that *method* (``"Class.name"``) stands for."""
    module, _, name = LATER[method].partition(":")
    found = getattr(importlib.import_module(f"efg_builder.{module}"), name)
    show_in_notebooks()
    return found


def show_in_notebooks() -> None:
    """Let all classes that are loaded by now show themselves in a notebook."""
    importlib.import_module("efg_builder.display.notebook").attach()


def is_gambits(value: object) -> TypeGuard[Any]:
    """Whether *value* is an object of pygambit's; by name, so that pygambit is not imported for other things."""
    return _package(value) == "pygambit"


def is_open_spiels(value: object) -> TypeGuard[Any]:
    """Whether *value* is an object of OpenSpiel's; by name, as in ``is_gambits``."""
    return _package(value) in ("pyspiel", "open_spiel")


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]
