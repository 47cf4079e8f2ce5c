"""The objects of other packages, which are not imported."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_gambits(value: object) -> TypeGuard[Any]:
    """Return whether *value* is a pygambit object, by the name of its module; pygambit is not imported."""
    return _package(value) == "pygambit"


def is_open_spiels(value: object) -> TypeGuard[Any]:
    """Return whether *value* is an OpenSpiel object, by the name of its module."""
    return _package(value) in ("pyspiel", "open_spiel")


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]
