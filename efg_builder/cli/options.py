"""The arguments and options of the commands. One that several commands share is declared once, here."""

from __future__ import annotations

import os
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


def times(unit: int, low: int | Fraction, high: int) -> Callable[[str], int]:
    """Reads a number from *low* to *high* of units, such as MiB; the result is in bytes."""
    return lambda text: int(rational(low, high)(text) * unit)


def _seconds(text: str) -> float:
    return float(rational(Fraction(1, 1000), 10**7)(text))


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


def all_of(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which the help lists them."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def count(name: str, said: str, low: int = 1, high: int | None = None, **settings: Any) -> Decorator:
    """An option that takes a whole number from *low* to *high*; *said* is its help, *settings* are click's."""
    settings.setdefault("metavar", "N")
    shown = settings.get("default") is not None
    return click.option(name, type=click.IntRange(low, high), show_default=shown, help=said, **settings)


def path(*names: str, said: str, metavar: str | None = None) -> Decorator:
    """An option that takes a path, under these *names*; *said* is its help."""
    return click.option(*names, type=FilePath(), metavar=metavar, help=said)


def output(said: str, *names: str, stdout: bool = False, **settings: Any) -> Decorator:
    """``-o FILE``; *said* is its help, *names* its parameter's unless ``output``, *settings* are click's."""
    return click.option("-o", "--output", *names, type=FilePath(stdout), metavar="FILE", help=said, **settings)


def outputs(said: str, required: bool = False, stdout: bool = False) -> Decorator:
    """``-o FILE``, any number of times; *said* is its help."""
    return output(f"{said} May be given again.", "outputs", required=required, stdout=stdout, multiple=True)


def listing(name: str, lines: Callable[[], None], said: str) -> Decorator:
    """A flag that prints *lines* and does nothing else; *said* is its help."""

    def callback(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
        if asked and not ctx.resilient_parsing:
            lines()
            ctx.exit()

    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=said)


def timeout(
    on_the_way: bool = False,
    unlimited: str = "no limit",
    said: str = "Time limit for solving, in seconds, e.g. 60, for each game, round or linear program; proof and files "
    "take extra time.",
) -> Decorator:
    """``--timeout SECONDS``: no limit where the solution is what is asked for, a minute where it is *on_the_way*.

    *unlimited* is what the help says of the first; *said* is for what is no solving.
    """
    default, shown = (f"{TIMEOUT:g}", True) if on_the_way else (None, unlimited)
    return click.option("--timeout", type=_seconds, metavar="SECONDS", default=default, show_default=shown, help=said)


def workers(default: str = "one for each core") -> Decorator:
    """``--workers N``; *default* in words."""
    return count("--workers", f"Processes on this machine; 1: none but this one (default: {default}).", high=4096)


def seed(default: int | None = None) -> Decorator:
    """``--seed N``; without *default* chance is not to be foreseen."""
    said = "Decides all chance: with equal seeds the same happens."
    return count("--seed", said, 0, 2**32 - 1, default=default)


words = click.argument(
    "words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.nfg | FILE.ef | FILE.py:CLASS | -"
)

variants = click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE;VALUE ...]")

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, and nothing else, on stdout.")

gap = click.option(
    "--gap",
    type=rational(0),
    metavar="NUMBER",
    help="Stop solving where two proved bounds of the value are this near: 0.01.",
)

rounds = count(
    "--rounds", "How many rounds, or matches (default: until you stop where a person plays, else 1).", high=10**9
)

players = click.option(
    "--players",
    multiple=True,
    metavar="A,B,...",
    help="Who plays: names ('evaluate --list-players' lists them), with settings as NAME:KEY=VALUE, or files; a "
    "pattern in quotes stands for all files that fit. May be given again. A comma belongs to a setting where "
    "neither a player nor a file follows.",
)

method = click.option(
    "--method",
    metavar="NAME",
    default="auto",
    show_default=True,
    help="How to solve; 'efg-builder solve --list-methods' lists the methods. auto takes the one that suits the game.",
)

scheduler = click.option(
    "--scheduler", metavar="ADDRESS", help="A Dask cluster instead, as tcp://HOST:8786 (extra 'cluster')."
)

max_nodes = count("--max-nodes", "Refuse trees with more nodes than this before memory is spent.", default=MAX_NODES)

complete = click.option(
    "--complete",
    type=click.Choice(COMPLETIONS),
    help="What a file's player does at information sets that are not in it: the game's default move, or all moves "
    "alike. [default: default where the game has such a move, else uniform]",
)

tolerance = click.option(
    "--tolerance",
    type=rational(0),
    metavar="NUMBER",
    help="What a player may gain by deviating in what still counts as an equilibrium, as a fraction of the payoff "
    "range (default: 0 for rational profiles, 1e-6 for floats).",
)

refine = click.option(
    "--refine/--no-refine",
    default=None,
    help="Of all equilibria one that plays well after mistakes too, verified at every information set. [default: "
    "of small games, with --method auto]",
)

solving = all_of(
    method,
    timeout(unlimited="no limit, but 60 where auto takes one of Gambit's methods"),
    tolerance,
    refine,
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="A setting of the method; 'efg-builder solve --list-methods' lists them.",
    ),
)
"""The options of every command that solves."""
