"""Functions that all commands use: reading a game or a file, writing, printing, and progress on stderr."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import (
    EfgBuilderError,
    EfgSyntaxError,
    FileError,
    ParameterError,
    TreeTooLargeError,
    nearest,
    printable,
    printable_line,
)
from ..base.facts import Fact, fact_lines
from ..base.files import GAMES_READ, REPLACED, check_writable, is_game_file, is_rules_file, read_text
from ..base.formats import check_format
from ..base.rationals import to_json
from ..base.strict_json import RepeatedKeyError, strict_json
from ..base.words import PROVING, ROUNDED, STOPPING, VERIFYING, WRITING, plural
from ..forms.extensive import GameTree
from ..forms.subject import Subject
from ..games.catalogue import catalogue, key_values, named
from ..games.match_rules import MatchRules, match_rules
from ..games.protocol import Game
from ..strategies.lines import OFF_PATH
from . import CLEARED, echo, put, say
from .options import STDIN

if TYPE_CHECKING:
    from ..experiments.sweeps.variants import Grid

MATCH_GAME = "liars-dice"


@dataclass(frozen=True)
class Source:
    """The game named on the command line: rules, or a file. ``name`` can be used in file names."""

    name: str
    game: Game | Path

    def subject(self, max_nodes: int) -> Subject:
        """Return the game. A file is read: it contains a tree, or a solution with its tree."""
        return Subject.of(_in_file(self.game, max_nodes) if isinstance(self.game, Path) else self.game, max_nodes)

    def tree(self, max_nodes: int) -> GameTree:
        return built(self.subject(max_nodes))


def _in_file(path: Path, max_nodes: int) -> GameTree:
    from ..interop.trees import parse_tree

    text = read_text(path)
    try:
        return parse_tree(text, "standard input" if path == STDIN else str(path), max_nodes=max_nodes)
    except EfgSyntaxError:
        if (carried := _carried(path, text, max_nodes)) is not None:
            return carried
        raise


def built(game: Subject) -> GameTree:
    """Return the tree of *game*. If it is too large, the error names a command that needs no tree."""
    with advised(game):
        return game.tree()


@contextmanager
def advised(subject: Subject) -> Iterator[None]:
    """Add a hint to a ``TreeTooLargeError``: a command that needs no tree for the game."""
    try:
        yield
    except TreeTooLargeError as error:
        game = subject.given_rules
        if game is not None and playable(game):
            name = "oracle" if len(game.players) == 2 else "many"
            error.add_note(f"'efg-builder solve ... --method {name}' needs no tree")
        elif subject.given_dealt is not None and error.nodes >= 10**9:
            error.add_note(
                "'efg-builder play ... --players' plays this game against named players, without its tree or a solution"
            )
        raise


def playable(game: Game) -> bool:
    """Return whether a method can solve *game* without its tree."""
    from ..equilibria.solve import AUTO_PLAY
    from ..solvers.registry import method

    return any(method(name).needs_tree(game) is None for name in AUTO_PLAY)


def _carried(path: Path, text: str, max_nodes: int) -> GameTree | None:
    """Return the tree in *text* if *text* is the content of a solution file, otherwise None.

    Raises ``ParameterError`` if the solution file contains no tree.
    """
    try:
        data = strict_json(text)
    except RepeatedKeyError as error:
        raise FileError(f"{path}: {error}") from None
    except (ValueError, RecursionError):
        return None
    if isinstance(data, dict) and "match" in data:
        raise ParameterError(f"{path} is a match, not a game: 'efg-builder play --match {path}' plays it")
    if not isinstance(data, dict) or not ("strategies" in data or "profile" in data):
        return None
    from ..proof.certificate import carried_tree

    check_format(data, "strategy" if "strategy" in data else "solution", str(path))
    tree = carried_tree(data["game"], max_nodes) if isinstance(data.get("game"), dict) else None
    if tree is None:
        title = data["game"].get("title") if isinstance(data.get("game"), dict) else None
        kind = f"a solution of {title!r}" if isinstance(title, str) else "a solution"
        hint = f"name the game; 'efg-builder draw GAME --solution {path}' draws the solution"
        raise ParameterError(f"{path} is {kind}, not a game: {hint}")
    return tree


def source(words: tuple[str, ...]) -> Source:
    """Return the game that *words* specify: a name or ``FILE.py:CLASS`` with settings, a file, or ``-`` (stdin)."""
    if not words:
        raise ParameterError(f"name a game or a file ({GAMES_READ}); 'efg-builder games' lists the games")
    first, rest = words[0], words[1:]
    like_file = first == "-" or is_game_file(first) or set("/\\") & set(first)
    if not is_rules_file(first) and (like_file or (os.path.isfile(first) and first not in catalogue())):
        if rest:
            raise ParameterError(f"{first} is a file and takes no settings, but {rest[0]!r} was given")
        if first == "-":
            return Source("stdin", STDIN)
        return Source(Path(first).stem, Path(first))
    if "=" in first:
        raise ParameterError(f"expected a game, but {first!r} was given; {nearest(first, catalogue())}")
    settings = key_values(rest, "settings")
    kind = named(first)
    game = kind.create(settings)
    tail = [f"{key}-{value}" for key, value in settings.items()]
    name = "_".join([kind.name.rpartition(":")[2], *tail]).replace(",", "-").replace("/", "-")
    return Source(name, game)


def variants_of(words: tuple[str, ...]) -> Grid:
    from ..experiments.sweeps.variants import grid

    if not words:
        raise ParameterError("name a game; 'efg-builder games' lists the games")
    return grid(words[0], key_values(words[1:], "settings"))


def rules_of_match(words: tuple[str, ...], who: str) -> MatchRules:
    """Return the rules that *words* specify: ``liars-dice [KEY=VALUE ...]``.

    Raises ``ParameterError``; if the game is wrong, the message names *who*.
    """
    if not words or words[0] != MATCH_GAME:
        if not words:
            raise ParameterError(f"{who} needs a game: {MATCH_GAME}, with settings such as dice=2,1")
        near = f"write {MATCH_GAME} {words[0]}" if "=" in words[0] else nearest(words[0], [MATCH_GAME])
        raise ParameterError(f"{who} plays {MATCH_GAME}, but {words[0]!r} was given; {near}")
    return match_rules(key_values(words[1:], "settings"))


def ending(path: Path, *endings: str) -> bool:
    return path.suffix.lower() in endings


def check_outputs(paths: Sequence[Path], endings: Sequence[str]) -> None:
    """Raise an error unless each path has one of the *endings* and can be written."""
    for path in paths:
        if not ending(path, *endings):
            replaced = REPLACED.get(path.suffix.lower(), "")
            raise ParameterError(f"{path}: name a file that ends in {', '.join(endings)}{replaced}")
        check_writable(path)


@contextmanager
def written(paths: Iterable[Path], write: Callable[[Path], object], tell: str | None = None) -> Iterator[list[Path]]:
    """Call *write* for each of *paths*, and yield the list of written paths. Raise the errors at the end.

    Unless *tell* is None, print each written path on stderr after the prefix *tell*.
    """
    done, failed = list[Path](), list[EfgBuilderError]()
    for path in paths:
        try:
            write(path)
            done.append(path)
            if tell is not None:
                say(f"{tell}{path}")
        except EfgBuilderError as error:
            failed.append(error)
    yield done
    if failed:
        for other in [*dict.fromkeys(map(str, failed))][1:]:
            failed[0].add_note(other)
        raise failed[0]


def answer(found: Any, as_json: bool, paths: Iterable[Path] = (), write: Callable[[Path], object] = Path) -> None:
    """Print *found*, write each of *paths* with *write*, and print the names of these files on stderr."""
    with written(paths, write, tell=""):
        show(as_json, found.to_json, lambda: str(found).split("\n"))


def print_json(data: object) -> None:
    """Print *data* as a JSON document on stdout, with fractions as text."""
    text = json.dumps(data, indent=2, ensure_ascii=False, default=to_json)
    echo("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text), whole=True)


def show(as_json: bool, data: Callable[[], object], lines: Callable[[], Iterable[str]]) -> None:
    """If *as_json* is true, print *data* as a JSON document; otherwise, print *lines*."""
    if as_json:
        print_json(data())
        return
    shortened = False
    for line in lines():
        echo(printable_line(line), dim=line.endswith(OFF_PATH))
        shortened |= ROUNDED in line
    if shortened:
        echo("(rounded figures are exact in --json)")


def tell(*facts: Fact) -> None:
    for line in fact_lines(facts):
        echo(line)


QUIET = 5.0
"""The time in seconds before the first progress line if stderr is not a terminal."""


class Progress:
    """Progress on stderr: one line that is rewritten in a terminal; otherwise, a new line every ten seconds."""

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._first = self._next = time.monotonic() + (0.0 if self._terminal else QUIET)
        self._shown = False

    def __call__(self, line: str) -> None:
        """Show *line* unless the previous line is too recent."""
        now = time.monotonic()
        after = line in (VERIFYING, PROVING) or line.startswith(WRITING)
        if now < (self._first if after else self._next) and line != STOPPING:
            return
        self._next = now + (0.1 if self._terminal else 10.0)
        put(f"{CLEARED}{printable(line)[:100]}" if self._terminal else printable(line), newline=not self._terminal)
        self._shown = self._terminal

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            put(CLEARED, newline=False)


def size_in_words(tree: GameTree) -> str:
    return f"{plural(len(tree), 'node')}, {plural(len(tree.personal), 'information set')}"
