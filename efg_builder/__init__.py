"""Dice bluffing games as extensive-form games: rules, trees, ``.efg`` files, verified equilibria, pictures.

>>> import efg_builder as eb
>>> tree = eb.build(eb.game("liars-dice", sides=3))
>>> solution = eb.solve(tree)
>>> print(solution.value[0])
-1/9

Everything in ``__all__`` is the public interface; it is loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .base.version import __version__ as __version__

_HOME = {
    "BestResponse": "proof",
    "CertificateError": "base.errors",
    "EfgBuilderError": "base.errors",
    "EfgSyntaxError": "base.errors",
    "Evaluation": "players.evaluate",
    "FileError": "base.errors",
    "DrawOptions": "display.trees",
    "Game": "games.protocol",
    "GameTree": "forms.extensive",
    "Match": "experiments.matches",
    "MatchRules": "games.match_rules",
    "MatrixReport": "equilibria.strategic",
    "MatrixTooLargeError": "base.errors",
    "NormalForm": "forms.normal_form",
    "NotApplicableError": "base.errors",
    "NotSolvedError": "base.errors",
    "ParameterError": "base.errors",
    "PictureTooLargeError": "base.errors",
    "PlayerError": "base.errors",
    "Policy": "strategies",
    "Profile": "strategies.tree_profile",
    "ProfileError": "base.errors",
    "Proof": "proof.certificate",
    "Ranges": "equilibria.ranges",
    "Solution": "equilibria.solution",
    "Standings": "experiments.arena",
    "QuantalBranch": "equilibria.qre",
    "SequentialVerdict": "proof",
    "SparseProfile": "strategies.sparse_profile",
    "TreeTooLargeError": "base.errors",
    "Verdict": "proof",
    "analyse_matrix": "equilibria.strategic",
    "best_response": "proof",
    "build": "forms.extensive",
    "catalogue": "games",
    "draw": "display.trees",
    "draw_branch": "display.plots.branch",
    "draw_match": "display.plots.match_chart",
    "draw_matrix": "display.plots.heatmap",
    "evaluate": "players.evaluate",
    "game": "games",
    "match_rules": "games.match_rules",
    "matrix": "forms.normal_form",
    "methods": "solvers",
    "parse_efg": "interop.efg",
    "ranges": "equilibria.ranges",
    "quantal_branch": "equilibria.qre",
    "read_efg": "interop.efg",
    "read_match": "experiments.matches",
    "read_solution": "strategies.reading",
    "read_sparse": "proof.certificate",
    "read_standings": "experiments.arena",
    "run_arena": "experiments.arena",
    "solve": "equilibria.solve",
    "solve_match": "experiments.matches",
    "support_tree": "strategies.support_tree",
    "table_view": "strategies.table_view",
    "to_efg": "interop.efg",
    "to_gambit": "interop.gambit.mapping",
    "to_svg": "display.trees",
    "uniform": "strategies.tree_profile",
    "verify": "proof",
    "verify_match": "proof.certificate",
    "verify_sequential": "proof",
    "verify_solution": "proof.certificate",
    "write_efg": "interop.efg",
    "write_nfg": "interop.nfg",
    "write_report": "display.report",
    "write_viewer": "display.pages.viewer",
}
__all__ = [
    "BestResponse",
    "CertificateError",
    "DrawOptions",
    "EfgBuilderError",
    "EfgSyntaxError",
    "Evaluation",
    "FileError",
    "Game",
    "GameTree",
    "Match",
    "MatchRules",
    "MatrixReport",
    "MatrixTooLargeError",
    "NormalForm",
    "NotApplicableError",
    "NotSolvedError",
    "ParameterError",
    "PictureTooLargeError",
    "PlayerError",
    "Policy",
    "Profile",
    "ProfileError",
    "Proof",
    "QuantalBranch",
    "Ranges",
    "SequentialVerdict",
    "Solution",
    "SparseProfile",
    "Standings",
    "TreeTooLargeError",
    "Verdict",
    "analyse_matrix",
    "best_response",
    "build",
    "catalogue",
    "draw",
    "draw_branch",
    "draw_match",
    "draw_matrix",
    "evaluate",
    "game",
    "match_rules",
    "matrix",
    "methods",
    "parse_efg",
    "quantal_branch",
    "ranges",
    "read_efg",
    "read_match",
    "read_solution",
    "read_sparse",
    "read_standings",
    "run_arena",
    "solve",
    "solve_match",
    "support_tree",
    "table_view",
    "to_efg",
    "to_gambit",
    "to_svg",
    "uniform",
    "verify",
    "verify_match",
    "verify_sequential",
    "verify_solution",
    "write_efg",
    "write_nfg",
    "write_report",
    "write_viewer",
]

if TYPE_CHECKING:
    from .base.errors import (
        CertificateError,
        EfgBuilderError,
        EfgSyntaxError,
        FileError,
        MatrixTooLargeError,
        NotApplicableError,
        NotSolvedError,
        ParameterError,
        PictureTooLargeError,
        PlayerError,
        ProfileError,
        TreeTooLargeError,
    )
    from .display.pages.viewer import write_viewer
    from .display.plots.branch import draw_branch
    from .display.plots.heatmap import draw_matrix
    from .display.plots.match_chart import draw_match
    from .display.report import write_report
    from .display.trees import DrawOptions, draw, to_svg
    from .equilibria.qre import QuantalBranch, quantal_branch
    from .equilibria.ranges import Ranges, ranges
    from .equilibria.solution import Solution
    from .equilibria.solve import solve
    from .equilibria.strategic import MatrixReport, analyse_matrix
    from .experiments.arena import Standings, read_standings, run_arena
    from .experiments.matches import Match, read_match, solve_match
    from .forms.extensive import GameTree, build
    from .forms.normal_form import NormalForm, matrix
    from .games import catalogue, game
    from .games.match_rules import MatchRules, match_rules
    from .games.protocol import Game
    from .interop.efg import parse_efg, read_efg, to_efg, write_efg
    from .interop.gambit.mapping import to_gambit
    from .interop.nfg import write_nfg
    from .players.evaluate import Evaluation, evaluate
    from .proof import (
        BestResponse,
        SequentialVerdict,
        Verdict,
        best_response,
        verify,
        verify_sequential,
    )
    from .proof.certificate import Proof, read_sparse, verify_match, verify_solution
    from .solvers import methods
    from .strategies import Policy
    from .strategies.reading import read_solution
    from .strategies.sparse_profile import SparseProfile
    from .strategies.support_tree import support_tree
    from .strategies.table_view import table_view
    from .strategies.tree_profile import Profile, uniform


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    importlib.import_module(".display.notebook", __name__).attach()
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
