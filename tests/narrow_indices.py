"""A stand-in for NumPy whose 64-bit integers are not its index type, as on 32-bit platforms such as a browser's.

On a 64-bit platform, ``np.int64`` and ``np.intp`` are one type, so a count in ``np.int64`` is no error. ``np.longlong``
has 64 bits too, but another type number. The stand-in gives it out as ``np.int64``: an array of NumPy's own default
integers keeps the index type, and an array with the type ``np.int64`` is recognized. The functions that refuse such an
array as counts or places on a 32-bit platform refuse it here, with the same message.
"""

import importlib
import pkgutil
import sys
from types import ModuleType

import numpy as np

import efg_builder

OPTIONAL = ("efg_builder.interop.gambit.adapter", "efg_builder.players.nets.training", "efg_builder.__main__")
"""The modules that need packages which may be missing, and the one that starts the command line."""

WIDE = np.dtype(np.longlong).num
REFUSED = "Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'"


def checked(places):
    if np.asarray(places).dtype.num == WIDE:
        raise TypeError(REFUSED)
    return places


class Ufunc:
    """A ufunc whose ``reduceat`` takes only places of the index type."""

    def __init__(self, ufunc):
        self._ufunc = ufunc

    def __call__(self, *given, **named):
        return self._ufunc(*given, **named)

    def __getattr__(self, name):
        return getattr(self._ufunc, name)

    def reduceat(self, array, places, *given, **named):
        return self._ufunc.reduceat(array, checked(places), *given, **named)


class NarrowNumpy(ModuleType):
    int64 = np.longlong

    def __getattr__(self, name):
        found = getattr(np, name)
        return Ufunc(found) if isinstance(found, np.ufunc) else found

    @staticmethod
    def repeat(array, counts, *given, **named):
        return np.repeat(array, checked(counts), *given, **named)

    @staticmethod
    def bincount(places, *given, **named):
        return np.bincount(checked(places), *given, **named)


def install():
    """Give the stand-in to every module of the package."""
    for found in pkgutil.walk_packages(efg_builder.__path__, "efg_builder."):
        if not found.name.startswith(OPTIONAL):
            importlib.import_module(found.name)
    narrow = NarrowNumpy("numpy")
    for name, module in list(sys.modules.items()):
        if name.startswith("efg_builder.") and getattr(module, "np", None) is np:
            module.np = narrow
