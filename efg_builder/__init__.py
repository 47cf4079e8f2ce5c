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
    "FileError": "errors",
    "DrawOptions": "drawing",
    "Game": "games.protocol",
    "GameTree": "tree",
    "NotApplicableError": "errors",
    "ParameterError": "errors",
    "PictureTooLargeError": "errors",
    "Profile": "profile",
    "ProfileError": "errors",
    "Proof": "certificate",
    "Solution": "solution",
    "SparseProfile": "sparse_profile",
    "SparseVerdict": "analysis",
    "TreeTooLargeError": "errors",
    "Verdict": "analysis",
    "best_response": "analysis",
    "build": "tree",
    "catalogue": "games",
    "draw": "drawing",
    "game": "games",
    "methods": "solvers",
    "parse_efg": "efg",
    "read_efg": "efg",
    "read_solution": "profile_file",
    "read_sparse": "certificate",
    "solve": "solving",
    "support_tree": "support",
    "table_view": "table",
    "to_efg": "efg",
    "to_svg": "drawing",
    "uniform": "profile",
    "verify": "analysis",
    "verify_solution": "certificate",
    "verify_sparse": "analysis",
    "write_efg": "efg",
}
__all__ = [
    "BestResponse",
    "CertificateError",
    "DrawOptions",
    "EfgBuilderError",
    "EfgSyntaxError",
    "FileError",
    "Game",
    "GameTree",
    "NotApplicableError",
    "ParameterError",
    "PictureTooLargeError",
    "Profile",
    "ProfileError",
    "Proof",
    "Solution",
    "SparseProfile",
    "SparseVerdict",
    "TreeTooLargeError",
    "Verdict",
    "best_response",
    "build",
    "catalogue",
    "draw",
    "game",
    "methods",
    "parse_efg",
    "read_efg",
    "read_solution",
    "read_sparse",
    "solve",
    "support_tree",
    "table_view",
    "to_efg",
    "to_svg",
    "uniform",
    "verify",
    "verify_solution",
    "verify_sparse",
    "write_efg",
]

if TYPE_CHECKING:
    from .analysis import BestResponse, SparseVerdict, Verdict, best_response, verify, verify_sparse
    from .certificate import Proof, read_sparse, verify_solution
    from .drawing import DrawOptions, draw, to_svg
    from .efg import parse_efg, read_efg, to_efg, write_efg
    from .errors import (
        CertificateError,
        EfgBuilderError,
        EfgSyntaxError,
        FileError,
        NotApplicableError,
        ParameterError,
        PictureTooLargeError,
        ProfileError,
        TreeTooLargeError,
    )
    from .games import catalogue, game
    from .games.protocol import Game
    from .profile import Profile, uniform
    from .profile_file import read_solution
    from .solution import Solution
    from .solvers import methods
    from .solving import solve
    from .sparse_profile import SparseProfile
    from .support import support_tree
    from .table import table_view
    from .tree import GameTree, build


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    importlib.import_module(".notebook", __name__).attach()
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
