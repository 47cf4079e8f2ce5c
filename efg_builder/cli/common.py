"""What the commands share: reading GAME or FILE.efg (or FILE.nfg, FILE.ef), options, progress on stderr."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..base.errors import EfgBuilderError, EfgSyntaxError, ParameterError, TreeTooLargeError, nearest, printable
from ..base.files import check_writable, read_text
from ..base.rationals import TooLongError, parse
from ..base.words import DRAWING, PROVING, ROUNDED, STOPPING, VERIFYING, WRITING, plural
from ..forms.extensive import MAX_NODES, GameTree, build
from ..games.catalogue import catalogue, is_file, named
from ..games.match_rules import MatchRules, match_rules
from ..games.protocol import DealtGame, Game
from ..players import TIMEOUT
from ..strategies.lines import OFF_PATH
from . import CLEARED, echo, put, say

DEFAULT_GAME = ("liars-dice", "sides=2")

MATCH_GAME = "liars-dice"
"""The game that whole matches are played of."""


@dataclass(frozen=True)
class Source:
    """What the user named: a game with its rules, or a file's tree; ``name`` is good for file names.

    ``text``: what the file holds, where it can be read once only.
    """

    name: str
    game: Game | None = None
    file: Path | None = None
    text: str | None = None

    def tree(self, max_nodes: int) -> GameTree:
        """The tree: of the game, in the file, or carried by the solution that the file is.

        Raises ``TreeTooLargeError``, ``EfgSyntaxError``, ``FileError``, ``CertificateError``, and ``ParameterError``
        where the file is a solution that carries no tree.
        """
        from ..interop.trees import parse_tree, read_tree

        try:
            if self.game is not None:
                return build(self.game, max_nodes=max_nodes)
            assert self.file is not None
            if self.text is not None:
                return parse_tree(self.text, "standard input", max_nodes=max_nodes)
            return read_tree(self.file, max_nodes=max_nodes)
        except TreeTooLargeError as error:
            advise(error, self.game)
            raise
        except EfgSyntaxError:
            assert self.file is not None
            content = read_text(self.file) if self.text is None else self.text
            if (carried := _carried(self.file, content, max_nodes)) is not None:
                return carried
            raise

    def subject(self, max_nodes: int) -> Game | GameTree:
        """The game, or the file's tree. Raises what ``tree`` raises."""
        return self.game if self.game is not None else self.tree(max_nodes)


def advise(error: TreeTooLargeError, game: Game | None) -> None:
    """Add to *error* the method that solves *game* without its tree, where there is one; else how to play it at all."""
    if game is not None and playable(game):
        name = "oracle" if len(game.players) == 2 else "many"
        error.add_note(f"'efg-builder solve ... --method {name}' solves this game without its tree")
    elif isinstance(game, DealtGame) and error.nodes >= 10**9:
        error.add_note("'efg-builder play ... --players' plays it without its tree, unsolved, against players by name")


def playable(game: Game) -> bool:
    """Whether there is a method that solves *game* without its tree."""
    from ..equilibria.solve import AUTO_PLAY
    from ..solvers.protocol import method

    return any(method(name).unplayable(game) is None for name in AUTO_PLAY)


def without_tree(game: Game) -> str | None:
    """The method by which ``--method auto`` solves *game* without its tree; None where it builds the tree."""
    from ..equilibria.solve import Plan

    solver = Plan.choose(game, refine=False).by_rules
    return None if solver is None else solver.name


def _carried(path: Path, text: str, max_nodes: int) -> GameTree | None:
    """The tree that a solution carries, whose *text* is that of the file at *path*; None where that is no solution.

    Raises ``ParameterError`` where it carries none, and what ``carried_tree`` raises.
    """
    try:
        data = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not ("strategies" in data or "profile" in data):
        return None
    from ..proof.certificate import carried_tree

    found = carried_tree(data["game"], max_nodes) if isinstance(data.get("game"), dict) else None
    if found is None:
        raise ParameterError(f"{path} is a solution, not a game: 'efg-builder draw GAME --solution {path}' draws it")
    return found


def source(words: tuple[str, ...]) -> Source:
    """The game or file in ``GAME [KEY=VALUE ...]``, ``FILE.py:CLASS [KEY=VALUE ...]``, or ``FILE.efg``
    (``.nfg``, ``.ef``).

    ``-`` is standard input.

    Raises ``ParameterError``, ``RulesError``, and ``FileError`` where a file cannot be read.
    """
    if not words:
        raise ParameterError("name a game, a FILE.efg, a FILE.nfg or a FILE.ef; 'efg-builder games' lists the games")
    first, rest = words[0], words[1:]
    if not is_file(first) and (
        first == "-"
        or first.lower().endswith((".efg", ".nfg", ".ef"))
        or "/" in first
        or "\\" in first
        or (os.path.isfile(first) and first not in catalogue())
    ):
        if rest:
            raise ParameterError(f"{first} is a file and takes no settings, but {rest[0]!r} was given")
        if first == "-":
            return Source("stdin", file=STDIN, text=read_text(STDIN))
        return Source(Path(first).stem, file=Path(first))
    if "=" in first:
        raise ParameterError(f"{first!r} stands where a game should; {nearest(first, catalogue())}")
    settings = key_values(rest, "settings")
    kind = named(first)
    game = kind.create(settings)
    tail = [f"{key}-{value}" for key, value in settings.items()]
    name = "_".join([kind.name.rpartition(":")[2], *tail]).replace(",", "-").replace("/", "-")
    return Source(name, game=game)


def key_values(words: tuple[str, ...], what: str) -> dict[str, str]:
    """``KEY=VALUE`` words, in their order. Raises ``ParameterError`` where one is not, or a key stands twice."""
    pairs: dict[str, str] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if not sign or not key:
            raise ParameterError(f"{word!r} is not of the form KEY=VALUE, like sides=3 ({what})")
        if key in pairs:
            raise ParameterError(f"{key!r} is set twice ({pairs[key]!r} and {value!r})")
        pairs[key] = value
    return pairs


def rules_of_match(words: tuple[str, ...], who: str) -> MatchRules:
    """The match in ``liars-dice [KEY=VALUE ...]``; *who* asks for it, in the error. Raises ``ParameterError``."""
    if not words or words[0] != MATCH_GAME:
        given, near = (repr(words[0]), nearest(words[0], [MATCH_GAME])) if words else ("nothing", "")
        raise ParameterError("; ".join(filter(None, [f"{who} plays {MATCH_GAME}, but {given} was given", near])))
    return match_rules(key_values(words[1:], "settings"))


def rational(low: int | Fraction, high: int | None = None) -> Callable[[str], Fraction]:
    """Reads an exact number from *low* to *high*: ``1/36`` or ``0.01``."""

    def number(text: str) -> Fraction:
        try:
            value = parse(text)
        except TooLongError:
            raise click.BadParameter(f"{text[:40]} is too large or has too many digits") from None
        except (ValueError, ZeroDivisionError):
            raise click.BadParameter(f"{text!r} is not a number such as 0.01 or 1/36") from None
        if value < low or (high is not None and value > high):
            upper = f" and at most {high}" if high is not None else ""
            raise click.BadParameter(f"{text} must be at least {low}{upper}")
        return value

    return number


_SECONDS = rational(Fraction(1, 1000), 10**7)


def timeout_option(
    on_the_way: bool = False,
    unlimited: str = "no limit",
    said: str = "Time limit for solving, in seconds, e.g. 60, for each game, round or linear program; proof and files "
    "take extra time.",
) -> Callable[[Any], Any]:
    """``--timeout SECONDS``: no limit where the solution is what is asked for, a minute where it is *on_the_way*.

    *unlimited* is what the help says of the first; *said* is for what is no solving.
    """
    default, shown = (f"{TIMEOUT:g}", True) if on_the_way else (None, unlimited)
    return click.option("--timeout", type=_SECONDS, metavar="SECONDS", default=default, show_default=shown, help=said)


gap_option = click.option(
    "--gap",
    type=rational(0),
    metavar="NUMBER",
    help="Stop solving where two proved bounds of the value are this near: 0.01.",
)


def workers_option(default: str = "one for each core") -> Callable[[Any], Any]:
    """``--workers N``; *default* in words."""
    said = f"Processes on this machine; 1: none but this one (default: {default})."
    return click.option("--workers", type=click.IntRange(1, 4096), metavar="N", help=said)


rounds_option = click.option(
    "--rounds",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="How many rounds, or matches (default: until you stop where a person plays, else 1).",
)


def seed_option(default: int | None = None) -> Callable[[Any], Any]:
    """``--seed N``; without *default* chance is not to be foreseen."""
    said = "Decides all chance: with equal seeds the same happens."
    kind = click.IntRange(0, 2**32 - 1)
    return click.option("--seed", type=kind, metavar="N", default=default, show_default=default is not None, help=said)


def players_option(**settings: Any) -> Callable[[Any], Any]:
    """``--players A,B,...``, any number of times; ``players.names`` reads it. *settings* are click's."""
    return click.option(
        "--players",
        multiple=True,
        metavar="A,B,...",
        help="Who plays: names ('evaluate --list-players' lists them), with settings as NAME:KEY=VALUE, or files; a "
        "pattern in quotes stands for all files that fit. May be given again. A comma belongs to a setting where "
        "neither a player nor a file follows.",
        **settings,
    )


method_option = click.option(
    "--method",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="How to solve; 'efg-builder solve --list-methods' lists the methods. auto takes the one that suits the game.",
)


scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="A Dask cluster instead, as tcp://HOST:8786 (extra 'cluster')."
)


STDIN, STDOUT = Path("/dev/stdin"), Path("/dev/stdout")


class FilePath(click.Path):
    """The name of a file, or of a *folder*. ``-`` is standard output where *stdout* says so, and refused elsewhere."""

    def __init__(self, stdout: bool = False, folder: bool = False) -> None:
        super().__init__(path_type=Path, file_okay=not folder)
        self.stdout = stdout

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path. Fails for ``-``."""
        if os.fspath(value) != "-":
            return super().convert(value, param, ctx)
        if not self.stdout:
            self.fail("'-' is no file, and 'build' and 'solve' alone write to standard output; name a file", param, ctx)
        return STDOUT


def path_option(*names: str, said: str, metavar: str | None = None, required: bool = False) -> Callable[[Any], Any]:
    """An option that takes a path, under these *names*; *said* is its help."""
    return click.option(*names, type=FilePath(), metavar=metavar, required=required, help=said)


def output_option(said: str, *names: str, required: bool = False, stdout: bool = False) -> Callable[[Any], Any]:
    """``-o FILE``; *said* is its help, *names* that of its parameter, where it is not ``output``."""
    kind = FilePath(stdout)
    return click.option("-o", "--output", *names, type=kind, metavar="FILE", required=required, help=said)


def outputs_option(said: str, required: bool = False, stdout: bool = False) -> Callable[[Any], Any]:
    """``-o FILE``, any number of times; *said* is its help."""
    kind, again = FilePath(stdout), f"{said} May be given again."
    return click.option(
        "-o", "--output", "outputs", multiple=True, type=kind, metavar="FILE", required=required, help=again
    )


def listing_option(name: str, callback: Callable[..., None], said: str) -> Callable[[Any], Any]:
    """A flag that calls *callback* before all else; *said* is its help."""
    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=said)


def check_outputs(paths: Sequence[Path], endings: Sequence[str]) -> None:
    """Raise unless each file's name ends in one of *endings*, and it can be written: before anything is done."""
    for path in paths:
        if path.suffix.lower() not in endings:
            raise ParameterError(f"{path}: name a file that ends in {', '.join(endings)}")
        check_writable(path)


@contextmanager
def written(paths: Iterable[Path], write: Callable[[Path], object]) -> Iterator[list[Path]]:
    """Let *write* make each of *paths*, and give those that it made.

    An error is raised only at the end, so that the answer is printed although a file cannot be written.
    """
    done, failed = list[Path](), list[EfgBuilderError]()
    for path in paths:
        try:
            write(path)
            done.append(path)
        except EfgBuilderError as error:
            failed.append(error)
    yield done
    if failed:
        others = [*dict.fromkeys(map(str, failed))][1:]
        for other in others:
            failed[0].add_note(other)
        raise failed[0]


class Command(click.Command):
    """A command that takes options by the names that they had, for a release: ``old``, and the words of today.

    ``old`` is not in the help, and a line on stderr says so of each that is used.
    """

    def __init__(self, *arguments: Any, old: Mapping[str, str], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.old = old

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """click's own, of the words of today."""
        ends = args.index("--") if "--" in args else len(args)
        found, used = list[str](), dict[str, str]()
        for word in args[:ends]:
            name, sign, value = word.partition("=")
            if name in self.old:
                used[name] = self.old[name]
                name, *more = self.old[name].split()
                found += [f"--output={value}" if sign and name == "-o" else f"{name}{sign}{value}", *more]
            else:
                found.append(word)
        for name, new in used.items():
            say(f"{name} is now {new}; the old spelling will go")
        return super().parse_args(ctx, [*found, *args[ends:]])


words_argument = click.argument(
    "words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.nfg | FILE.ef | FILE.py:CLASS | -"
)

max_nodes_option = click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    metavar="N",
    default=MAX_NODES,
    show_default=True,
    help="Refuse trees with more nodes than this before memory is spent.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, and nothing else, on stdout.")


def all_of(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


tolerance_option = click.option(
    "--tolerance",
    type=rational(0),
    metavar="NUMBER",
    help="What a player may gain by deviating in what still counts as an equilibrium, as a fraction of the payoff "
    "range (default: 0 for rational profiles, 1e-6 for floats).",
)

refine_option = click.option(
    "--refine/--no-refine",
    default=None,
    help="Of all equilibria one that plays well after mistakes too, verified at every information set. [default: "
    "of small games, with --method auto]",
)


solve_options = all_of(
    method_option,
    timeout_option(unlimited="no limit, but 60 where auto takes one of Gambit's methods"),
    tolerance_option,
    refine_option,
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="A setting of the method; 'efg-builder solve --list-methods' lists them.",
    ),
)
"""The options of every command that solves."""


def print_json(data: object) -> None:
    """One JSON document on stdout."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    echo("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def show(as_json: bool, data: Callable[[], object], lines: Callable[[], Iterable[str]]) -> None:
    """Print *data* as one JSON document, or else the *lines*."""
    if as_json:
        print_json(data())
        return
    show_lines(lines())


def show_lines(lines: Iterable[str]) -> None:
    """Print the *lines*, and after them where the digits are that were left out."""
    shortened = False
    for line in lines:
        echo(line, dim=line.endswith(OFF_PATH))
        shortened |= ROUNDED in line
    if shortened:
        echo("(rounded figures are exact in --json)")


QUIET = 5.0
"""Seconds after which progress is told where stderr is no terminal."""


class Progress:
    """Progress on stderr: one line rewritten in a terminal, a line now and then elsewhere.

    A stderr that is closed or full must not cost the answer: then there is no progress to see.
    """

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._first = self._next = time.monotonic() + (0.0 if self._terminal else QUIET)
        self._shown = False

    def __call__(self, line: str) -> None:
        """Show *line*, if it is time."""
        now = time.monotonic()
        after = line in (VERIFYING, PROVING) or line.startswith((WRITING, DRAWING))
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
    """``125 nodes, 32 information sets``."""
    return f"{plural(len(tree), 'node')}, {plural(len(tree.personal), 'information set')}"
