"""Registries of games, players and solvers, and their KEY=VALUE settings from the command line and the API."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib.metadata import entry_points
from math import inf, isfinite
from numbers import Real
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from .errors import ParameterError, RulesError, nearest
from .rationals import parse

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A KEY=VALUE setting. ``read`` converts text to a value, or raises ``ValueError`` with the accepted values."""

    name: str
    default: str
    read: Callable[[str], Any]
    help: str
    required: bool = False

    @property
    def choices(self) -> tuple[str, ...]:
        """The accepted words; empty if the parameter takes other text."""
        if isinstance(self.read, Choice):
            return self.read.names
        return ("true", "false") if self.read is truth else ()


def read_settings(name: str, parameters: Sequence[Parameter], settings: Mapping[str, object]) -> dict[str, Any]:
    """Return the value of each parameter: from *settings* (text or Python values), or its default.

    Raises ``ParameterError``, which names the game or player *name*, the key, its value and the accepted values.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for key in settings:
        if key not in known:
            right = nearest(key, known) if known else "it takes no parameters"
            raise ParameterError(f"{name} has no parameter {key!r}; {right}")
    values = {}
    for key, parameter in known.items():
        if parameter.required and key not in settings:
            raise ParameterError(f"{name}: {key} has no default; set it")
        text = as_text(settings.get(key, parameter.default))
        try:
            values[key] = parameter.read(text)
        except (ValueError, ZeroDivisionError) as error:
            raise ParameterError(f"{name}: {key}={text}: {error}") from None
    return values


def as_text(value: object) -> str:
    """Return a Python value in the notation of the command line: ``(2, 1)`` as ``"2,1"``, ``True`` as ``"true"``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return "none" if value is None else str(value).strip()


def integer(low: int, high: int) -> Callable[[str], int]:
    """Return a function that reads a whole number in ``[low, high]``."""

    def read(text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def word_or(read: Callable[[str], Any], *words: str) -> Callable[[str], Any]:
    """Return a function that returns any of *words* unchanged, and passes other text to *read*."""

    def read_either(text: str) -> Any:
        try:
            return text if text in words else read(text)
        except ValueError as error:
            raise ValueError(str(error).replace("must be", f"must be {', '.join(words)} or", 1)) from None

    return read_either


def integers(low: int, high: int, least: int, most: int) -> Callable[[str], tuple[int, ...]]:
    """Return a function that reads *least* to *most* whole numbers in ``[low, high]``, such as ``"1,2"``."""
    one = integer(low, high)

    def read(text: str) -> tuple[int, ...]:
        with suppress(ValueError):
            numbers = tuple(one(part.strip()) for part in text.split(",") if text)
            if least <= len(numbers) <= most:
                return numbers
        like = ",".join(["1"] * max(least, 2))
        raise ValueError(f"must be {least} to {most} whole numbers from {low} to {high}, like {like}")

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Return a function that reads a float in ``[low, high]``."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise ValueError("must be a number") from None
        if not low <= number <= high:
            raise ValueError(f"must be from {low:.10g} to {high:.10g}")
        return number

    return read


class Choice:
    """A callable that accepts one of *names*."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __call__(self, text: str) -> str:
        """Return *text* if it is one of the names, else raise ``ValueError``."""
        if text not in self.names:
            raise ValueError(nearest(text, self.names))
        return text


def truth(text: str) -> bool:
    if text.lower() in ("true", "yes", "1"):
        return True
    if text.lower() in ("false", "no", "0"):
        return False
    raise ValueError("must be true or false")


def positive(text: str) -> Fraction:
    """Read an exact number above zero: ``1``, ``3/2``, ``0.5``."""
    number = parse(text)
    if number <= 0:
        raise ValueError("must be above zero")
    return number


def fraction(right: str, low: float = -inf, high: float = inf) -> Callable[[str], Fraction | None]:
    """Return a function that reads an exact number in ``[low, high]``.

    In messages, *right* describes the accepted values. If *right* begins with "none", the word "none" is accepted too.
    """

    def read(text: str) -> Fraction | None:
        if text == "none" and right.startswith(text):
            return None
        with suppress(ValueError, ZeroDivisionError):
            if low <= (number := parse(text)) <= high:
                return number
        raise ValueError(f"must be {right}")

    return read


@cache
def collect(package: str, attribute: str) -> MappingProxyType[str, Any]:
    """Return the values listed in *attribute* of each module of *package*, sorted by ``name``."""
    found: dict[str, Any] = {}
    root = importlib.import_module(package)
    for info in pkgutil.iter_modules(root.__path__):
        module = importlib.import_module(f"{package}.{info.name}")
        for value in getattr(module, attribute, ()):
            if value.name in found:
                raise RuntimeError(f"{package}: two entries have the name {value.name!r}")
            found[value.name] = value
    return MappingProxyType(dict(sorted(found.items())))


def summary_of(value: object) -> str:
    """Return the first line of the docstring of *value*, without its period; empty if there is no docstring."""
    return (getattr(value, "__doc__", "") or "").strip().partition("\n")[0].rstrip(".")


class Registry(Generic[T]):
    """A registry of the games, solvers or players of this package and of installed packages.

    Each module in *package* lists entries in the tuple *attribute*. Other packages declare entry points in *group*. An
    entry point loads an entry of type *kind*, or a value that *read* converts to this type. *word* is the word for an
    entry in messages.
    """

    def __init__(
        self, group: str, package: str, attribute: str, word: str, kind: type[T], read: Callable[[Any, str], T]
    ) -> None:
        self.group, self._place, self._word, self._kind, self._read = group, (package, attribute), word, kind, read

    @property
    def own(self) -> Mapping[str, T]:
        """The entries of this package."""
        return collect(*self._place)

    @cached_property
    def brought(self) -> Mapping[str, T | RulesError]:
        """The entries of installed packages.

        A ``RulesError`` replaces an entry that fails to load, or that has the name of an entry of this package.
        """
        found: dict[str, T | RulesError] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self.own:
                problem = f"{entry.value}: the name {entry.name!r} is already used by this package"
                found[f"{entry.name} ({entry.value})"] = RulesError(problem)
                continue
            try:
                given = entry.load()
                found[entry.name] = given if isinstance(given, self._kind) else self._read(given, entry.name)
            except (Exception, SystemExit) as error:
                problem = f"the {self._word} {entry.name!r} ({entry.value}) cannot be loaded: {error}"
                found[entry.name] = RulesError(problem)
        return found

    def all(self) -> MappingProxyType[str, T]:
        others = {name: one for name, one in self.brought.items() if not isinstance(one, RulesError)}
        return MappingProxyType(others | dict(self.own))

    def __contains__(self, name: str) -> bool:
        return name in self.own or name in self.brought

    def find(self, name: Any, *others: str) -> T:
        """Return the entry with this name. Installed packages are loaded only if this package has no such entry.

        Raises ``ParameterError`` for an unknown name; the message suggests the closest name, which may be one of
        *others*. Raises ``RulesError`` if the entry could not be loaded.
        """
        found = (self.own.get(name) or self.brought.get(name)) if isinstance(name, str) else None
        if isinstance(found, RulesError):
            raise found
        if found is None:
            raise ParameterError(f"there is no {self._word} {name!r}; {nearest(name, [*self.all(), *others])}")
        return found


def check_seconds(timeout: object) -> float | None:
    """Return a time limit as a float, or None. Raises ``ParameterError`` if the limit is not a positive number."""
    if timeout is not None and (not isinstance(timeout, Real) or not isfinite(timeout) or timeout <= 0):
        raise ParameterError(f"timeout={timeout!r}: must be a number of seconds above 0")
    return None if timeout is None else float(timeout)


def check_gap(gap: float | Fraction | None) -> Fraction | None:
    """Return a gap as a fraction, or None.

    Raises ``ParameterError`` for a gap that is negative or not a finite number.
    """
    if gap is not None and (not isinstance(gap, Real) or not isfinite(gap) or gap < 0):
        raise ParameterError(f"gap={gap!r}: must be a finite number of at least 0, e.g. 0.05 or Fraction(1, 20)")
    return None if gap is None else Fraction(gap)
