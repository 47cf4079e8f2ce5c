"""Methods that are shorthands for functions of a later room, such as ``tree.solve()``.

A room imports only the rooms before it, but people look for ``solve`` and ``draw`` where the tree is. Such a method
names the function that it stands for; the function's room is loaded when the method is called.
"""

from __future__ import annotations

import importlib
from typing import Any


def later(place: str) -> Any:
    """The function that *place* names as ``"room.module:function"``."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(f"efg_builder.{module}"), name)
