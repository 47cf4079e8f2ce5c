"""Dice bluffing games as extensive-form games: rules, trees, ``.efg`` files, verified equilibria, pictures.

>>> import efg_builder as eb
>>> tree = eb.build(eb.game("liars-dice", sides=3))
>>> solution = tree.solve()
>>> print(solution.value[0])
-1/9

The public names are in ``__all__``, and ``__init__.pyi`` lists the module of each. A name is imported at its first use.
"""

from typing import Any

import lazy_loader

from ._later import show_in_notebooks
from .base.errors import nearest

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


GUESSES = {
    "tree": "build",
    "verify_file": "verify",
    "games": "catalogue",
    "exploitability": "evaluate",
    "nash_conv": "evaluate",
    "slides": "draw",
}
"""Former names and likely wrong ones, each with the correct name."""


def __getattr__(name: str) -> Any:
    if name not in __all__ and not name.startswith("_"):
        near = f"did you mean {GUESSES[name]!r}?" if name in GUESSES else nearest(name, __all__)
        raise AttributeError(f"efg_builder has no {name!r}; {near}", name=name, obj=None)
    value = _load(name)
    show_in_notebooks()
    return value
