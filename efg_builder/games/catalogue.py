"""The catalogue of games from this package, from installed packages, and from files.

Each game module of this package has a tuple ``GAMES``. Other packages register a ``GameType`` or a subclass of ``Game``
as an entry point in the group ``efg_builder.games``. A class in a file has the name ``FILE.py:CLASS``.
"""

from __future__ import annotations

import copyreg
import os
import shlex
import sys
import traceback
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from inspect import isabstract, isclass
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Literal, overload

from ..base.errors import PASSED_ON, EfgBuilderError, FileError, ParameterError, RulesError, check_kind, nearest
from ..base.files import is_game_file, is_rules_file
from ..base.parameters import (
    Choice,
    Parameter,
    Registry,
    as_text,
    integer,
    integers,
    read_settings,
    summary_of,
    truth,
)
from ..base.rationals import parse
from .protocol import RULES_FILES, DealtGame, Game, in_module_of_games, own_attributes, program_ended

if TYPE_CHECKING:
    from .liars_dice import LiarsDice


@dataclass(frozen=True, slots=True)
class GameType:
    """A game in the catalogue."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    sources: tuple[str, ...]
    make: Callable[..., Game]
    small: tuple[Mapping[str, object], ...] = ({},)
    """Settings with small trees, for the tests that run on every game."""

    def __repr__(self) -> str:
        return f"<GameType {self.name!r}: {self.summary}>"

    def create(self, settings: Mapping[str, object]) -> Game:
        """Return the game with *settings*, given as text or Python values. Raises ``ParameterError``."""
        check_kind("create", settings, Mapping, "a mapping of settings", "for example, write create({'dice': '2,2'})")
        values = read_settings(self.name, self.parameters, settings)
        try:
            return self.make(**values)
        except ValueError as error:
            raise ParameterError(f"{self.name}: {error}") from None


def catalogue() -> MappingProxyType[str, GameType]:
    """Return the games of this package and of installed packages by name.

    Returns
    -------
    mapping of str to GameType
        A read-only mapping. A ``GameType`` has ``name``, ``summary``, ``parameters`` and ``sources``. Each parameter
        has ``name``, ``default``, ``choices`` and ``help``.

    Examples
    --------
    >>> import efg_builder as eb
    >>> "kuhn" in eb.catalogue()
    True
    >>> [each.name for each in eb.catalogue()["kuhn"].parameters]
    ['cards', 'seats']
    """
    return REGISTRY.all()


@overload
def game(name: Literal["liars-dice", "liars-dice-stakes"], /, **settings: object) -> LiarsDice: ...
@overload
def game(
    name: Literal["dice-poker", "kuhn", "liars-dice-spot-on", "liars-poker"], /, **settings: object
) -> DealtGame: ...
@overload
def game(name: str, /, **settings: object) -> Game: ...
def game(name: str, /, **settings: object) -> Game:
    """Return the exact rules of the game with this name; no tree is built.

    Parameters
    ----------
    name : str
        A name in ``eb.catalogue()``, or a class in a file, ``"FILE.py:CLASS"``. The file is run.
    **settings
        The parameters of the game, as Python values or as text: ``dice=(2, 1)`` or ``dice="2,1"``. Omitted parameters
        have their defaults. The parameters of a class in a file are its dataclass fields.

    Returns
    -------
    Game
        The rules. Every function that takes a game accepts them.

    Raises
    ------
    ParameterError
        If the game or a parameter does not exist, or a value is invalid. The message suggests a valid name or value.
    FileError
        If the file cannot be read.
    RulesError
        If the file fails, or the class is not a game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.game("liars-dice", sides=3, dice=(2, 1)).size().nodes
    18415
    >>> eb.game("kuhn", cards=4).players
    ('Player 1', 'Player 2')
    """
    check_kind("game", name, str, "the name of a game", "eb.catalogue() lists the games")
    return named(name).create(settings)


def in_words(text: str) -> Game:
    """Return the game described by *text*: a name, then settings, e.g. ``liars-dice sides=3 dice=2,2``.

    Raises the same exceptions as ``game``.
    """
    try:
        name, *words = shlex.split(text, posix=os.sep == "/")
    except ValueError:  # empty text, or an unclosed quotation mark
        raise ParameterError(f"{text!r} does not name a game; {nearest(text, catalogue())}") from None
    return named(name).create(key_values(words, "settings"))


def key_values(words: Iterable[str], what: str) -> dict[str, str]:
    """Return the ``KEY=VALUE`` words as a dict. Raises ``ParameterError`` for any other word and for a repeated key."""
    pairs: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise ParameterError(f"{word!r} is not of the form KEY=VALUE, like sides=3 ({what})")
        if key in pairs:
            raise ParameterError(f"{key!r} is set twice ({pairs[key]!r} and {value!r})")
        pairs[key] = value
    return pairs


def named(name: str) -> GameType:
    """Return the game type with this name. For a class ``FILE.py:CLASS``, the file is run.

    Raises the same exceptions as ``game``. For names in result files, use ``known``: reading a file must not run
    another file.
    """
    if is_rules_file(name):
        return _in_file(name)
    if is_game_file(name):
        raise ParameterError(f"{name} is a tree, but rules are needed: give a game's name or FILE.py:CLASS")
    return REGISTRY.find(name)


def known(name: str) -> GameType:
    """Return a game type from the catalogue, or from a file that ``named`` has already run. This function runs no file.

    Raises ``ParameterError`` for any other name.
    """
    loaded = {kind.name: kind for kind in _loaded.values()}
    if is_rules_file(name) and name not in loaded:
        raise ParameterError(
            f"the game {name!r} is a class in a file; to run the file, name the class in the command or call eb.game"
        )
    return loaded.get(name) or named(name)


def make(name: str, settings: Mapping[str, object]) -> Game:
    """Return the game that a result file names, with *settings*. Unlike ``game``, this function runs no file."""
    return known(name).create(settings)


def identify(game: Game) -> tuple[str, dict[str, str]] | None:
    """Return the name and all settings of *game*; None for a class that is neither in the catalogue nor loaded."""
    named = REGISTRY.own if in_module_of_games(type(game)) else catalogue()
    for kind in [_loaded[type(game)]] if type(game) in _loaded else named.values():
        settings = {p.name: as_text(getattr(game, p.name)) for p in kind.parameters if hasattr(game, p.name)}
        if len(settings) == len(kind.parameters):
            try:
                same = kind.create(settings)
            except ParameterError:
                continue
            # Two games of a class without settings are the same, even if they do not compare equal.
            if same == game or (type(same) is type(game) and not settings):
                return kind.name, settings
    return None


def in_package(game: Game) -> bool:
    """Return whether *game* is in this package, so that its name and settings identify it on any computer."""
    return in_module_of_games(type(game)) and identify(game) is not None


# Games from files and other packages.

_loaded: dict[type, GameType] = {}


def broken() -> dict[str, str]:
    """Return the names of installed games that cannot be loaded, each with the reason."""
    return {name: str(kind) for name, kind in REGISTRY.brought.items() if isinstance(kind, RulesError)}


def _in_file(name: str) -> GameType:
    """Return the game type of the class in ``FILE.py:CLASS``, or of the only game class in ``FILE.py``."""
    file, colon, wanted = name.rpartition(":")
    if not colon or Path(name).suffix.lower() == ".py":
        file, wanted = name, ""
    module = _module(Path(file))
    here = {
        key: value for key, value in vars(module).items() if _is_game(value) and value.__module__ == module.__name__
    }
    if not wanted and len(here) == 1:
        (wanted,) = here
    if not wanted:
        problem = (
            "name the class of the game, as in"
            if here
            else "it has no subclass of eb.Game or eb.DealtGame; define one, and name it as"
        )
        raise ParameterError(f"{file}: {problem} {file}:{next(iter(here), 'CLASS')}")
    kind = getattr(module, wanted, None)
    if kind is None:
        raise ParameterError(
            f"{file} has no class {wanted!r}; {nearest(wanted, here) if here else 'the file has no game'}"
        )
    return _register(kind, f"{file}:{wanted}", Path(file).resolve())


def _register(kind: Any, name: str, place: Path) -> GameType:
    _loaded[kind] = type_of(kind, name)
    # Another process cannot import the module by name, and may run in another folder, so it loads the file by path.
    slots = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    copyreg.pickle(
        kind,
        lambda game: (_restored, (name, place, own_attributes(game) | {key: getattr(game, key) for key in slots})),
    )
    return _loaded[kind]


def _restored(name: str, place: Path, attributes: dict[str, Any]) -> Game:
    kind: Any = getattr(_module(place), name.rpartition(":")[2])
    if kind not in _loaded:
        _register(kind, name, place)
    game: Game = object.__new__(kind)
    for key, value in attributes.items():
        object.__setattr__(game, key, value)
    return game


def _is_game(value: object) -> bool:
    return isclass(value) and issubclass(value, Game)


def _module(path: Path) -> ModuleType:
    """Run the file at *path* once, and again if its content changes. Raises ``FileError``."""
    try:
        return _run(path.resolve(), path.read_bytes())
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}") from None


@cache
def _run(place: Path, content: bytes) -> ModuleType:
    """Run *content* as a module. Raises ``RulesError`` if *content* is not valid Python or fails."""
    name = f"{place.stem}_{sha256(bytes(place) + content).hexdigest()[:12]}"
    module = ModuleType(name)
    module.__file__ = str(place)
    RULES_FILES.add(str(place))
    # A dataclass looks up its module in sys.modules. The file may import other modules from its folder.
    sys.modules[name] = module
    sys.path.insert(0, str(place.parent))
    try:
        exec(compile(content, str(place), "exec"), vars(module))
    except (EfgBuilderError, *PASSED_ON):
        raise
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""
        raise RulesError(f"{place.name}{where}: not valid Python: {error.msg}") from None
    except SystemExit as error:
        raise RulesError(program_ended(error)) from None
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(place)]
        where = f", line {lines[-1]}" if lines else ""
        raise RulesError(f"{place.name}{where}: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(str(place.parent))
    return module


def type_of(kind: Any, name: str) -> GameType:
    """Return a ``GameType`` for *kind*, a subclass of ``Game``; its settings are its dataclass fields.

    Raises ``RulesError`` if *kind* is not such a class, lacks a method, is mutable, or has a field of a wrong type.
    """
    if not _is_game(kind):
        raise RulesError(f"{name} is not a game; it must be a subclass of eb.Game or eb.DealtGame")
    if isabstract(kind):
        missing = ", ".join(sorted(kind.__abstractmethods__))
        raise RulesError(f"{name} lacks {missing}, which every game must define")
    own = fields(kind) if is_dataclass(kind) else ()
    if kind.__hash__ is None:
        raise RulesError(f"{name} is mutable, but a game must not change; write @dataclass(frozen=True)")
    try:
        types = typing.get_type_hints(kind) if own else {}
    except Exception as error:
        raise RulesError(f"{name}: the types of its fields cannot be read: {error}") from None
    parameters = tuple(_parameter(name, field, types[field.name]) for field in own if field.init)
    said = summary_of(kind)
    summary = "" if said.startswith(f"{kind.__name__}(") else said

    def create(**values: Any) -> Game:
        try:
            made: Game = kind(**values)
        except (EfgBuilderError, ValueError, *PASSED_ON):
            raise
        except SystemExit as error:
            raise RulesError(program_ended(error)) from None
        except Exception as error:
            raise RulesError(f"{name}: {type(error).__name__}: {error}") from None
        return made

    return GameType(name, summary or kind.__name__, parameters, (), create)


def _parameter(name: str, field: Any, kind: Any) -> Parameter:
    read = _READERS.get(kind)
    if typing.get_origin(kind) is typing.Literal and all(isinstance(word, str) for word in typing.get_args(kind)):
        read = Choice(*typing.get_args(kind))
    if read is None:
        shown = getattr(kind, "__name__", kind)
        raise RulesError(
            f"{name}: its field {field.name!r} has the type {shown}; a setting must have the type int, bool, "
            "str, Fraction, tuple[int, ...] or Literal of strings"
        )
    default = field.default if field.default_factory is MISSING else field.default_factory()
    if default is MISSING:
        return Parameter(field.name, "", read, "must be given", required=True)
    return Parameter(field.name, as_text(default), read, "")


REGISTRY = Registry("efg_builder.games", "efg_builder.games", "GAMES", "game", GameType, type_of)

_MOST = 999_999_999
_READERS: dict[Any, Callable[[str], Any]] = {
    int: integer(-_MOST, _MOST),
    bool: truth,
    str: str,
    Fraction: parse,
    tuple[int, ...]: integers(-_MOST, _MOST, 0, 1000),
}
