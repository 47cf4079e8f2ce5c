"""The public surface, where it is reached from below: methods such as ``tree.solve()``, and what notebooks show.

A room imports only the rooms before it, but people look for ``solve`` and ``draw`` where the tree is. Such a method
names the function of a later room that it stands for; the room is loaded when the method is called.
"""

from __future__ import annotations

import importlib
from typing import Any, TypeGuard


def later(place: str) -> Any:
    """The function that *place* names as ``"room.module:function"``."""
    module, _, name = place.partition(":")
    found = getattr(importlib.import_module(f"efg_builder.{module}"), name)
    show_in_notebooks()
    return found


def show_in_notebooks() -> None:
    """Let all classes that are loaded by now show themselves in a notebook."""
    importlib.import_module("efg_builder.display.notebook").attach()


def is_gambits(value: object) -> TypeGuard[Any]:
    """Whether *value* is an object of pygambit's; by name, so that pygambit is not imported for other things."""
    return type(value).__module__.partition(".")[0] == "pygambit"
