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

__version__ = "0.1.0"

_HOME = {
    "BestResponse": "analysis",
    "CertificateError": "errors",
    "EfgBuilderError": "errors",
    "EfgSyntaxError": "errors",
    "Evaluation": "evaluation",
    "FileError": "errors",
    "DrawOptions": "drawing",
    "Game": "games.protocol",
    "GameTree": "tree",
    "Match": "matches",
    "MatchRules": "games.match_rules",
    "MatrixReport": "matrix_report",
    "MatrixTooLargeError": "errors",
    "NormalForm": "normal_form",
    "NotApplicableError": "errors",
    "NotSolvedError": "errors",
    "ParameterError": "errors",
    "PictureTooLargeError": "errors",
    "PlayerError": "errors",
    "Policy": "players",
    "Profile": "profile",
    "ProfileError": "errors",
    "Proof": "certificate",
    "Ranges": "equilibrium_ranges",
    "Solution": "solution",
    "Standings": "arena",
    "QuantalBranch": "quantal",
    "SequentialVerdict": "analysis",
    "SparseProfile": "sparse_profile",
    "SparseVerdict": "analysis",
    "TreeTooLargeError": "errors",
    "Verdict": "analysis",
    "analyse_matrix": "matrix_report",
    "best_response": "analysis",
    "build": "tree",
    "catalogue": "games",
    "draw": "drawing",
    "draw_branch": "plots.branch",
    "draw_match": "plots.match_chart",
    "draw_matrix": "plots.heatmap",
    "evaluate": "evaluation",
    "game": "games",
    "match_rules": "games.match_rules",
    "matrix": "normal_form",
    "methods": "solvers",
    "parse_efg": "efg",
    "ranges": "equilibrium_ranges",
    "quantal_branch": "quantal",
    "read_efg": "efg",
    "read_match": "matches",
    "read_solution": "profile_file",
    "read_sparse": "certificate",
    "read_standings": "arena",
    "run_arena": "arena",
    "solve": "solving",
    "solve_match": "matches",
    "support_tree": "support",
    "table_view": "table",
    "to_efg": "efg",
    "to_gambit": "gambit_profile",
    "to_svg": "drawing",
    "uniform": "profile",
    "verify": "analysis",
    "verify_match": "certificate",
    "verify_sequential": "analysis",
    "verify_solution": "certificate",
    "verify_sparse": "analysis",
    "write_efg": "efg",
    "write_solution_csv": "solution_csv",
    "write_nfg": "matrix_files",
    "write_report": "report",
    "write_viewer": "viewing",
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
    "SparseVerdict",
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
    "verify_sparse",
    "write_efg",
    "write_nfg",
    "write_report",
    "write_solution_csv",
    "write_viewer",
]

if TYPE_CHECKING:
    from .analysis import (
        BestResponse,
        SequentialVerdict,
        SparseVerdict,
        Verdict,
        best_response,
        verify,
        verify_sequential,
        verify_sparse,
    )
    from .arena import Standings, read_standings, run_arena
    from .certificate import Proof, read_sparse, verify_match, verify_solution
    from .drawing import DrawOptions, draw, to_svg
    from .efg import parse_efg, read_efg, to_efg, write_efg
    from .equilibrium_ranges import Ranges, ranges
    from .errors import (
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
    from .evaluation import Evaluation, evaluate
    from .gambit_profile import to_gambit
    from .games import catalogue, game
    from .games.match_rules import MatchRules, match_rules
    from .games.protocol import Game
    from .matches import Match, read_match, solve_match
    from .matrix_files import write_nfg
    from .matrix_report import MatrixReport, analyse_matrix
    from .normal_form import NormalForm, matrix
    from .players import Policy
    from .plots.branch import draw_branch
    from .plots.heatmap import draw_matrix
    from .plots.match_chart import draw_match
    from .profile import Profile, uniform
    from .profile_file import read_solution
    from .quantal import QuantalBranch, quantal_branch
    from .report import write_report
    from .solution import Solution
    from .solution_csv import write_solution_csv
    from .solvers import methods
    from .solving import solve
    from .sparse_profile import SparseProfile
    from .support import support_tree
    from .table import table_view
    from .tree import GameTree, build
    from .viewing import write_viewer


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    importlib.import_module(".notebook", __name__).attach()
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
