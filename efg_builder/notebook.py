"""Trees and solutions show themselves in a notebook.

The tree knows nothing of pictures, so the method that notebooks look for is attached here.
"""

from __future__ import annotations

from .solution import Solution
from .tree import GameTree


def _tree_svg(tree: GameTree) -> str | None:
    from .drawing import notebook_svg

    return notebook_svg(tree)


def _solution_svg(solution: Solution) -> str | None:
    from .drawing import notebook_svg

    return notebook_svg(solution)


def attach() -> None:
    """Give both classes ``_repr_svg_``; a picture too large to read gives way to the plain ``repr``."""
    GameTree._repr_svg_ = _tree_svg  # type: ignore[attr-defined]
    Solution._repr_svg_ = _solution_svg  # type: ignore[attr-defined]
