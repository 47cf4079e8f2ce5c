"""Dice bluffing games as extensive-form games: rules, trees, ``.efg`` files, verified equilibria, pictures.

>>> import efg_builder as eb
>>> tree = eb.build(eb.game("liars-dice", sides=3))
>>> solution = tree.solve()
>>> print(solution.value[0])
-1/9

The public names are in ``__all__``, and ``__init__.pyi`` lists the module of each. A name is imported at its first use.
"""

import warnings
from importlib import import_module
from typing import Any

import lazy_loader

from ._later import show_in_notebooks
from .base.errors import nearest

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


OLD_NAMES = {"tree": ("build", "interop.trees:build"), "verify_file": ("verify", "proof.certificate:verify_file")}
"""Deprecated names, each with its new name and its function."""

GUESSES = {"games": "catalogue", "exploitability": "evaluate", "nash_conv": "evaluate", "slides": "draw"}
"""Likely wrong names, each with the correct name."""


def __getattr__(name: str) -> Any:
    if name in OLD_NAMES:
        new, place = OLD_NAMES[name]
        warnings.warn(f"eb.{name} is now eb.{new}", DeprecationWarning, stacklevel=2)
        module, _, function = place.partition(":")
        return getattr(import_module(f"{__name__}.{module}"), function)
    if name not in __all__ and not name.startswith("_"):
        near = f"did you mean {GUESSES[name]!r}?" if name in GUESSES else nearest(name, __all__)
        raise AttributeError(f"efg_builder has no {name!r}; {near}", name=name, obj=None)
    value = _load(name)
    show_in_notebooks()
    return value
