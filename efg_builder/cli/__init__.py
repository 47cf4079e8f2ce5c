"""The command line. It loads the commands, and turns errors into exit codes (docs/commands.md)."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import os
import re
import shutil
import sys
import traceback
from collections.abc import Sequence
from typing import TextIO

import click

from ..base.errors import (
    CertificateError,
    EfgBuilderError,
    MatrixTooLargeError,
    NotSolvedError,
    TreeTooLargeError,
    nearest,
    printable,
    printable_line,
    warnings_as_lines,
)
from ..base.version import __version__
from ..base.words import wrapped

GROUPS = {
    "Make": {
        "games": "List the games, their parameters, defaults and sources.",
        "info": "Print the size and the properties of a game, however large.",
        "build": "Write the .efg file of a game, or its sequence form: .mps, .lp, .npz.",
    },
    "Solve": {
        "run": "Run all steps: .efg file, solution, proof, picture and report.",
        "solve": "Find an equilibrium and verify it.",
        "verify": "Verify a saved solution, without a solver.",
        "ranges": "Compute the range of each probability over all equilibria.",
        "matrix": "Compute the reduced normal form, its equilibria and value.",
        "qre": "Compute quantal response equilibria.",
    },
    "Show": {
        "draw": "Draw the tree, with or without a solution.",
        "report": "Write a report on a game and its solution, for screen and print.",
    },
    "Play": {
        "play": "Play against the equilibrium or other players, in the terminal or on a web page.",
        "train": "Train a neural player by self-play.",
    },
    "Measure": {
        "evaluate": "Measure any strategy, or many players: best responses, NashConv, exploitability.",
        "exam": "Sample decision problems with the exact loss of each move, and score answers.",
        "arena": "Run a tournament between players: payoffs, Elo ratings, skill and luck.",
    },
    "Families of games": {
        "sweep": "Solve every variant of a game on many cores; interrupted sweeps can be resumed.",
        "table": "Print or convert the rows of a sweep, or make an atlas of web pages.",
        "match": "Solve a whole match: rounds until one player has no dice left.",
    },
}
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}

MODULES = dict.fromkeys(("games", "info", "build"), "game_commands")
MODULES |= dict.fromkeys(("ranges", "matrix", "qre"), "analysis_commands")
MODULES |= dict.fromkeys(("evaluate", "arena"), "measure_commands")
MODULES |= dict.fromkeys(("sweep", "table"), "sweep_commands") | dict.fromkeys(("solve", "report"), "solve_commands")
"""The modules that contain several commands."""

CLEARED = "\r\x1b[K"
"""The escape sequence that clears a line of the terminal."""

GONE = {
    "library": "'python benchmarks/library.py -o FOLDER' in the repository makes the data set, "
    "and 'efg-builder verify FOLDER' verifies it",
    "draw --style": "write the settings of the file as options, e.g. --colors grey --lines elbow",
    "draw --style-out": "save the command line itself, e.g. in a shell script",
    "draw --sets": "every picture shows information sets as bands",
    "draw --font-size": "--width PIXELS enlarges the picture with its text",
    **dict.fromkeys(
        ("draw --mute-offpath", "draw --show-offpath"),
        "every picture shows unreached nodes as hollow",
    ),
    "solve precision": "--method oracle serves larger games",
    "train --net": "the .npz file holds the weights as NumPy arrays, see docs/neural.md",
    "methods": "'efg-builder solve --list-methods' lists the methods",
    "sit": "'efg-builder play GAME --players person,uniform' seats players",
    "atlas": "'efg-builder table SWEEP.db -o FOLDER' makes the pages",
}
"""Commands and options that do not exist, but did in the previous release or may be expected, each with advice."""

RENAMED = {
    "export": ("build", "build -o FILE.lp"),
    "exploitability": ("evaluate", "evaluate --players"),
}
"""Former commands that still run for one release, each with the new command and its usage."""

BAD_INPUT, NO_EQUILIBRIUM, TIME_LIMIT, INTERRUPTED = 2, 3, 4, 130


class _Lazy(click.Group):
    """A group that loads a command's module when the command is first called, so that ``--help`` is quick."""

    # The methods below override methods of ``click.Group``.

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{MODULES.get(cmd_name, f'{cmd_name}_command')}")
        command: click.Command = getattr(module, cmd_name if cmd_name in MODULES else "command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        for words in [args[:1], *([args[0], word.partition("=")[0]] for word in args[1:])]:
            if (gone := " ".join(words)) in GONE:
                ctx.fail(f"there is no {'option' if ' ' in gone else 'command'} {gone!r}: {GONE[gone]}")
        if args and args[0] in RENAMED:
            args = _renamed(*args)
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            ctx.fail(f"there is no command {args[0]!r}; {nearest(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), line) for name, line in group.items()])


def _renamed(old: str, *rest: str) -> list[str]:
    now, written = RENAMED[old]
    say(f"'efg-builder {old}' is now 'efg-builder {written}'; the next release drops the old name")
    return [now, *rest]


@click.group(
    cls=_Lazy, name="efg-builder", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="efg-builder")
def root() -> None:
    """Write Gambit .efg files of dice bluffing games, find verified equilibria, and draw them.

    Commands take GAME [KEY=VALUE ...], FILE.efg, FILE.nfg, FILE.ef, FILE.csv, or FILE.py:CLASS. 'efg-builder games'
    lists the games and their keys; 'efg-builder COMMAND --help' has examples. Start with:

    \b
      efg-builder run
      efg-builder run liars-dice sides=3
    """


def fitted(text: str, stream: TextIO | None) -> str:
    """Return *text* with lines wrapped at words to the width of *stream* if it is a terminal."""
    if stream is None or not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width))


def echo(text: str = "", dim: bool = False, whole: bool = False) -> None:
    """Print *text* on stdout, in gray if *dim*, with control characters escaped.

    In a terminal, lines are wrapped at words, unless they must stay *whole*. If stdout is a pipe whose reader (head,
    less) exits early, the exit code does not change.
    """
    try:
        shown = printable(text) if whole else fitted(printable(text), sys.stdout)
        click.echo(click.style(shown, dim=True) if dim else shown)
    except BrokenPipeError:
        # Another flush at exit would fail again, so discard the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def listing(name: str, summary: str) -> None:
    """Print an entry of a list, with its name in bold."""
    click.echo(click.style(name, bold=True) + fitted(f"{name}  {summary}", sys.stdout).removeprefix(name))


def say(text: str) -> None:
    """Print *text* as one line on stderr, with control characters and line breaks escaped."""
    put(fitted(printable_line(text), sys.stderr))


def put(text: str, newline: bool = True) -> None:
    """Write *text* unchanged to stderr, even if stderr is closed or full."""
    try:
        click.echo(text, err=True, nl=newline)
    except (OSError, ValueError, AttributeError):
        # Another flush at exit would fail again.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _say_alone(text: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        put(CLEARED, newline=False)
    say(text)


def in_words(error: EfgBuilderError) -> str:
    """Return the text of *error*, with command-line names of limits (``max-nodes`` for ``max_nodes``)."""
    limit = isinstance(error, TreeTooLargeError | MatrixTooLargeError)
    return (
        re.sub("([(]?)max_(nodes|cells)", lambda m: f"{m[1] and '(--'}max-{m[2]}", str(error)) if limit else str(error)
    )


OBJECTS = 200_000
"""The number of new objects before a garbage collection. Python's default, 700, slows reading of large files down."""


def main(arguments: Sequence[str] | None = None) -> None:
    gc.set_threshold(OBJECTS)
    code = run(arguments)
    if code == INTERRUPTED:
        # If a solver's thread is still running, a normal exit would abort the process.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _instead_of(error: click.NoSuchOption) -> str:
    """Return what to type instead of an unknown option: a setting of a game or a method, or the command's help."""
    from ..games.catalogue import catalogue
    from ..solvers.registry import methods

    name = error.option_name.lstrip("-").replace("-", "_")
    if any(name == parameter.name for kind in catalogue().values() for parameter in kind.parameters):
        return "write the settings of a game as KEY=VALUE, e.g. sides=3"
    if any(name in solver.options for solver in methods().values()):
        return f"write the settings of a method as --option {name}=VALUE"
    command = error.ctx.info_name if error.ctx is not None and error.ctx.parent is not None else ""
    return f"'{' '.join(filter(None, ['efg-builder', command]))} --help' lists the options"


def _wrong_words(error: click.ClickException) -> str:
    """Return the message about a command line that click refuses."""
    problem = error.format_message()
    if isinstance(error, click.NoSuchOption):
        return f"{problem.rstrip('.')} ({_instead_of(error)})"
    if isinstance(error, click.MissingParameter):
        file = error.param is not None and error.param.name in ("output", "outputs")
        return problem.rstrip(".") + (": name the file to write" if file else "")
    for wanted, kind in (("a whole number", "integer"), ("a number", "float")):
        problem = re.sub(f"is not a valid {kind}(?: range)?", f"is not {wanted}", problem)
    return problem


def _say_error(error: EfgBuilderError) -> None:
    say("; ".join([f"error: {in_words(error)}", *getattr(error, "__notes__", ())]))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. No input causes a traceback."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        for stream in (sys.stdout, sys.stderr):  # the terminal's encoding may lack a label's characters
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        with warnings_as_lines(_say_alone):
            code = root.main(args=words or ["--help"], standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(code or 0) if words else BAD_INPUT
    except click.ClickException as error:
        problem = _wrong_words(error)
    except NotSolvedError as error:
        _say_error(error)
        return TIME_LIMIT if error.timed_out else NO_EQUILIBRIUM
    except EfgBuilderError as error:
        _say_error(error)
        return NO_EQUILIBRIUM if isinstance(error, CertificateError) else BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        return INTERRUPTED
    except SystemExit as error:
        frames = traceback.extract_tb(error.__traceback__)
        if frames[-1].filename == click.core.__file__:
            # Stdout is a pipe whose reader (head, less) exited before the help or a list was complete.
            return 0
        from ..games.protocol import program_ended

        problem = program_ended(error)
    except (TimeoutError, ModuleNotFoundError) as error:
        # The user's rules or player ran out of time, or Python lacks a part, such as sqlite3 in a browser.
        problem = f"{type(error).__name__}: {error}"
    except OSError as error:
        # Another flush at exit would fail again, so discard the output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        problem = f"cannot write the output: {error.strerror or error}"
    except MemoryError:
        problem = "out of memory; a smaller --max-nodes refuses such trees early"
    say(f"error: {problem}")
    return BAD_INPUT
