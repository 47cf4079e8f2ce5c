"""The arguments and options of the commands, and the groups of options in their help.

This module declares each option that several commands share. In this module, *said* is the help text of an option.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..base.rationals import TooLongError, parse
from ..forms.extensive import MAX_NODES
from ..players import TIMEOUT
from ..strategies.reading import COMPLETIONS

STDIN, STDOUT = Path("/dev/stdin"), Path("/dev/stdout")

Decorator = Callable[[Any], Any]

MOST_USED = "Most used"

GROUPS = {
    "Strategies and methods": "solution strategy against which players method option refine tolerance all match advice "
    "complete measure kind device half retry-failed improve seat seed gambit short",
    "Content of the picture": "view blanks ranges reach depth values beliefs",
    "Limits": "timeout gap max-nodes max-memory memory size count rounds games steps limit workers scheduler",
    "Output": "output out json picture report checkpoint checkpoints every resume show positions answers fragment",
    "Appearance": "for direction aspect width legend head title lines colors",
    "Other": "",
}
"""The options under each heading of a command's help. Options that are not listed are under ``Other``."""

_WIDTH = 26  # the width of the name column in characters, the same in all groups


class Grouped(click.Command):
    """A command whose help groups its options. *first* contains the most used options, in order."""

    def __init__(self, *args: Any, first: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.first = first.split()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, dict[str, tuple[str, str]]] = {title: {} for title in (MOST_USED, *GROUPS)}
        heading = {name: title for title, names in GROUPS.items() for name in names.split()}
        heading |= dict.fromkeys(self.first, MOST_USED)
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                name = next(one.removeprefix("--") for one in parameter.opts if one.startswith("--"))
                groups[heading.get(name, "Other")][name] = record
        groups[MOST_USED] = {name: groups[MOST_USED][name] for name in self.first}
        for title, rows in groups.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl([(names.ljust(_WIDTH), said) for names, said in rows.values()], _WIDTH)


def rational(low: int | Fraction, high: int | None = None) -> Callable[[str], Fraction]:
    """Return a parser of exact numbers from *low* to *high*, such as ``1/36`` or ``0.01``."""

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


def times(unit: int, low: int | Fraction, high: int) -> Callable[[str], int]:
    """Return a parser of sizes from *low* to *high*, in units of *unit* bytes. The parser returns the size in bytes."""
    return lambda text: int(rational(low, high)(text) * unit)


def page_size(text: str) -> int:
    """Return a size in bytes, such as ``500kB`` or ``1MB``."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kM])B", text)
    if size is None:
        raise click.BadParameter(f"{text!r} is not a size such as 500kB or 1MB")
    return int(Fraction(size[1]) * {"k": 10**3, "M": 10**6}[size[2]])


def _seconds(text: str) -> float:
    return float(rational(Fraction(1, 1000), 10**7)(text))


class FilePath(click.Path):
    """The path of a file, or of a *folder*. ``-`` is standard output if *stdout* is true, and an error otherwise."""

    def __init__(self, stdout: bool = False, folder: bool = False) -> None:
        super().__init__(path_type=Path, file_okay=not folder)
        self.stdout = stdout

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if os.fspath(value) != "-":
            return super().convert(value, param, ctx)
        if not self.stdout:
            only = "only 'build' and 'solve' write to standard output; name a file"
            self.fail(f"'-' is not a file, and {only}", param, ctx)
        return STDOUT


def all_of(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options. The help lists the options in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def count(name: str, said: str, low: int = 1, high: int | None = None, **settings: Any) -> Decorator:
    """Return an option for an integer from *low* to *high*.

    *settings* are further keyword arguments of ``click.option``.
    """
    settings.setdefault("metavar", "N")
    shown = settings.get("default") is not None
    return click.option(name, type=click.IntRange(low, high), show_default=shown, help=said, **settings)


def path(*names: str, said: str, metavar: str | None = None) -> Decorator:
    return click.option(*names, type=FilePath(), metavar=metavar, help=said)


def output(said: str, *names: str, stdout: bool = False, **settings: Any) -> Decorator:
    """Return ``-o FILE``. *names* replace the parameter name ``output``.

    *settings* are further keyword arguments of ``click.option``.
    """
    return click.option("-o", "--output", *names, type=FilePath(stdout), metavar="FILE", help=said, **settings)


def outputs(said: str, required: bool = False, stdout: bool = False) -> Decorator:
    """Return ``-o FILE``, which may be repeated."""
    return output(f"{said} May be repeated.", "outputs", required=required, stdout=stdout, multiple=True)


def listing(name: str, lines: Callable[[], None], said: str) -> Decorator:
    """Return a flag that prints *lines* and ends the command."""

    def callback(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            lines()
            ctx.exit()

    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=said)


def timeout(
    on_the_way: bool = False,
    unlimited: str = "no limit",
    said: str = "Time limit in seconds for building and solving each game, round or linear program, e.g. 60. Proving "
    "the answer and reading or writing files take extra time.",
) -> Decorator:
    """Return ``--timeout SECONDS``. If *on_the_way* is true, the default is a minute; otherwise, there is no limit.

    *on_the_way* means that solving is only one step of the command. If there is no limit, the help text describes the
    default by the words *unlimited*.
    """
    default, shown = (f"{TIMEOUT:g}", True) if on_the_way else (None, unlimited)
    return click.option("--timeout", type=_seconds, metavar="SECONDS", default=default, show_default=shown, help=said)


def workers(default: str = "one per core") -> Decorator:
    return count(
        "--workers",
        f"Number of processes on this machine, e.g. 4; with 1, no further process is started. [default: {default}]",
        high=4096,
    )


def seed(default: int | None = None) -> Decorator:
    """Return ``--seed N``. Without *default*, every run is different."""
    said = "Random seed, e.g. 7. The same seed gives the same results."
    return count("--seed", said, 0, 2**32 - 1, default=default)


words = click.argument(
    "words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.nfg | FILE.ef | FILE.csv | FILE.py:CLASS | -"
)

variants = click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE;VALUE ...]")

as_json = click.option("--json", "as_json", is_flag=True, help="Print only JSON on standard output.")

gap = click.option(
    "--gap",
    type=rational(0),
    metavar="NUMBER",
    help="Stop when the proved bounds on the value differ by at most this number, e.g. 0.01.",
)

rounds = count(
    "--rounds", "Number of rounds or matches, e.g. 10. [default: no limit; 1 if no person plays]", high=10**9
)

players = click.option(
    "--players",
    multiple=True,
    metavar="A,B,...",
    help="Players: names ('efg-builder evaluate --list-players' lists the names), names with settings "
    "(NAME:KEY=VALUE), or files. A pattern in quotes stands for all matching files. After a setting, a comma starts "
    "a new player only if a name or a file follows. May be repeated.",
)

method = click.option(
    "--method",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="Solution method, e.g. oracle; 'efg-builder solve --list-methods' lists the methods. auto chooses a method "
    "for the game.",
)

scheduler = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask cluster to use instead of this machine, e.g. tcp://HOST:8786. Requires the "
    "'cluster' extra: pip install 'efg-builder[cluster]'.",
)

max_nodes = count(
    "--max-nodes",
    "Maximum number of tree nodes. A larger tree causes an error before it uses memory.",
    default=MAX_NODES,
)

complete = click.option(
    "--complete",
    type=click.Choice(COMPLETIONS),
    help="Moves at information sets that are missing from a file: the game's default move, or all moves with equal "
    "probability. [default: 'default' if the game has a default move, else 'uniform']",
)

tolerance = click.option(
    "--tolerance",
    type=rational(0),
    metavar="NUMBER",
    help="Accept strategies as an equilibrium if no player can gain more than this fraction of the payoff range by "
    "deviating, e.g. 1e-4. [default: 0 for rational probabilities, 1e-6 for floats]",
)

refine = click.option(
    "--refine/--no-refine",
    default=None,
    help="Choose a quasi-perfect equilibrium, which is optimal even after mistakes. The verification shows only the "
    "weaker property that the equilibrium is sequential. [default: for small games, with --method auto]",
)

solving = all_of(
    method,
    timeout(unlimited="no limit, but 60 if auto chooses one of Gambit's methods"),
    tolerance,
    refine,
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="Setting of the method, e.g. iterations=1000 for cfr; 'efg-builder solve --list-methods' lists the "
        "settings. "
        "May be repeated.",
    ),
)


def asked_for(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the *settings* that were typed on the command line."""
    context, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    return {name: value for name, value in settings.items() if context.get_parameter_source(name) is typed}
