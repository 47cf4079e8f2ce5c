"""Methods such as ``tree.solve()`` that call functions of later packages, which are imported at the first call."""

from __future__ import annotations

import importlib
from typing import Any

LATER = {
    "QuantalBranch.draw": "display.plots.branch:draw_branch",
    "Solution.draw_curve": "display.plots.learning_curve:draw_curve",
    "Solution.draw": "display.trees:draw",
    "Solution.report": "display.report:write_report",
    "MatrixReport.draw": "display.plots.heatmap:draw_matrix",
    "Standings.__str__": "experiments.arena.report:lines",
    "Match.draw": "display.plots.match_chart:draw_match",
    "GameTree.solve": "equilibria.solve:solve",
    "GameTree.write": "interop.efg:write_efg",
    "GameTree.to_efg": "interop.efg:to_efg",
    "GameTree.draw": "display.trees:draw",
    "NormalForm.dominance": "equilibria.dominance:dominance",
    "NormalForm.analyse": "equilibria.strategic:analyse_matrix",
    "SparseProfile.__str__": "strategies.lines:sparse_lines",
    "TreeProfile.sparse": "strategies.sparse_profile:from_answers",
    "TreeProfile.__str__": "proof.best_response:profile_lines",
    "TreeProfile.to_gambit": "interop.gambit.mapping:to_gambit",
    "NormalForm.write": "interop.nfg:write_form",
}
"""For each method, the function that implements it, as ``"package.module:function"``."""


def later(method: str) -> Any:
    """Return the function that implements *method* (``"Class.name"``)."""
    module, _, name = LATER[method].partition(":")
    found = getattr(importlib.import_module(f"efg_builder.{module}"), name)
    show_in_notebooks()
    return found


def show_in_notebooks() -> None:
    """Attach the notebook displays to all classes that are already loaded."""
    importlib.import_module("efg_builder.display.notebook").attach()
