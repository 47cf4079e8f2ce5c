"""KEY=VALUE settings of Gambit's routines: what there is, and text to what the worker is sent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

from ...base.errors import FileError, ParameterError, ProfileError, nearest
from ...base.rationals import parse
from ...forms.extensive import GameTree
from ...interop.gambit.mapping import from_profile
from ...strategies.reading import read_solution

DIGITS = 10
"""Whole numbers have fewer digits: Gambit keeps them in 32 bits."""


@dataclass(frozen=True, slots=True)
class Option:
    """One setting: ``read`` turns text into JSON and raises ``ValueError`` saying what is right.

    ``needs`` names another setting that must be true beside it, ``excludes`` some that must not be set.
    """

    read: Callable[[str], Any]
    help: str
    needs: str = ""
    excludes: tuple[str, ...] = ()


def number(accepts: Callable[[float], bool], what: str) -> Callable[[str], float]:
    """Reads a finite float that *accepts* takes; *what* says which those are."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value) or not accepts(value):
            raise ValueError(f"must be {what}")
        return value

    return read


def executable(text: str) -> str:
    """Reads the path or the name of a program that can be run."""
    found = shutil.which(os.path.expanduser(text))
    if found is None:
        raise ValueError("must be the path of a program that can be run")
    return found


def exact(text: str) -> str:
    """Reads a rational above zero, as text that Gambit takes."""
    try:
        value = parse(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0:
        raise ValueError("must be a number above zero, like 1/1000 or 1e-6")
    return str(value)


def whole(low: int) -> Callable[[str], int]:
    """Reads a whole number from *low* on."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text[:DIGITS]) and len(text) < DIGITS):
            raise ValueError(f"must be a whole number from {low} to {10 ** (DIGITS - 1) - 1}")
        return int(text)

    return read


def truth(text: str) -> bool:
    """Reads ``true`` or ``false``."""
    if text.lower() not in ("true", "false"):
        raise ValueError("must be true or false")
    return text.lower() == "true"


above_zero = number(lambda value: value > 0, "a number above zero")
below_zero = number(lambda value: value < 0, "a number below zero")
one_or_more = number(lambda value: value >= 1, "a number from 1 on")
count = whole(1)

RATIONAL = Option(truth, "true (default): exact arithmetic; false: floats, faster and often wrong")
STRATEGIC = Option(truth, "true: solve the reduced strategic form; false (default): the tree")
MAX_REGRET = Option(above_zero, "accept a profile of at most this regret, as a share of the payoff range")
STOP_AFTER = Option(count, "stop after this many equilibria")


def point(key: str, tree: GameTree, text: str, *, kind: str) -> Any:
    """What the worker is sent for a point to start from.

    *text* is ``uniform`` (or ``centroid``), ``first``, ``random:SEED`` or a file; *kind* is as in
    ``Routine``. Raises ``ValueError`` saying what is right.
    """
    word, _, seed = text.partition(":")
    if text in ("uniform", "centroid"):
        if key == "perturbation":
            raise ValueError("must favour one strategy of each player, so it cannot be uniform; first does")
        return "uniform"
    if text == "first":
        return "first"
    if word == "random":
        try:
            return {"random": whole(0)(seed)}
        except ValueError:
            raise ValueError("must be random:SEED with a whole number like 1") from None
    if not text.endswith(".json") and not os.path.exists(text):
        raise ValueError(f"{nearest(text, ('uniform', 'first', 'random:SEED'))} or name a FILE.json")
    try:
        return {"rows": from_profile(read_solution(text, tree), exact=kind == "exact")}
    except (FileError, ProfileError) as error:
        raise ValueError(str(error)) from None


def read_options(name: str, known: Mapping[str, Option], given: Mapping[str, str]) -> dict[str, Any]:
    """The values of *given*, by key, for the solver *name*.

    Raises ``ParameterError`` naming the key and what is right.
    """
    values: dict[str, Any] = {}
    for key, text in given.items():
        if key not in known:
            raise ParameterError(f"{name} has no option {key!r}; {_choices(key, known)}")
        try:
            values[key] = known[key].read(text.strip())
        except ValueError as error:
            raise ParameterError(f"{name}: {key}={text}: {error}") from None
    for key in values:
        option = known[key]
        if option.needs and not values.get(option.needs):
            raise ParameterError(f"{name}: {key} works only with {option.needs}=true")
        for other in option.excludes:
            if values.get(other):
                raise ParameterError(f"{name}: {key} and {other} cannot be used together")
    return values


def _choices(key: str, known: Mapping[str, Option]) -> str:
    return nearest(key, known) if known else "it has none"
