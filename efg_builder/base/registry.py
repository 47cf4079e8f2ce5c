"""One registry for everything that is one file: games, solvers, picture formats.

A package lists its plug-ins by what its modules define: every module of the package that has the
attribute *attribute* (a tuple of named values) contributes those values. Adding a file adds an entry.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import Any


@cache
def collect(package: str, attribute: str) -> MappingProxyType[str, Any]:
    """All values named in *attribute* of the modules in *package*, by their ``name``, sorted.

    Raises ``RuntimeError`` where two modules claim one name (a mistake of the programmer).
    """
    found: dict[str, Any] = {}
    root = importlib.import_module(package)
    for info in pkgutil.iter_modules(root.__path__):
        module = importlib.import_module(f"{package}.{info.name}")
        for value in getattr(module, attribute, ()):
            if value.name in found:
                raise RuntimeError(f"{package}: the name {value.name!r} is taken twice")
            found[value.name] = value
    return MappingProxyType(dict(sorted(found.items())))
