"""The report on a solution: one self-contained page. A function ``..._section(about)`` returns a section or None."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ...base.errors import check_argument, check_kind
from ...base.files import write_atomically
from ...base.words import WRITING, progress_of
from ...equilibria.solution import Solution
from ...equilibria.solve import solve
from ...interop.trees import GameLike, as_subject
from ..markup import render
from ..pages.page import Part, check_page, page
from . import known, playing
from .about import About, Commands, Section, commands_for, known_ranges

__all__ = ["About", "Commands", "report", "write_report"]

_SECTIONS: tuple[Callable[[About], Section | None], ...] = (
    playing.picture_section,
    known.rules_section,
    playing.sheet_section,
    known.size_section,
    known.value_section,
    playing.bids_section,
    playing.course_section,
    playing.explore_section,
    known.equilibria_section,
    known.certificate_section,
    known.made_section,
)


def _handout(about: About) -> list[Section | None]:
    """Return the sections of a handout, in order."""
    sheet = playing.sheet_section(about, playing.WIDE_SHEET, playing.WIDE_SHEET)
    # A handout of a bidding game has no room for both.
    alone = sheet is not None and about.bidding is not None
    picture = None if alone else playing.picture_section(about, playing.SHEET, playing.SHEET)
    return [picture, known.rules_section(about), sheet, known.proof_section(about)]


def write_report(
    solution: Solution | GameLike,
    path: str | os.PathLike[str],
    *,
    short: bool = False,
    commands: Commands | None = None,
    file: str = "",
    progress: Callable[[str], None] | None = None,
) -> Path:
    """Write a report on a solution: one page with the rules, value, strategies in words, picture and proof.

    Sections that do not apply are omitted. The report calls strategies an equilibrium only if this was verified.

    Parameters
    ----------
    solution : Solution or GameLike
        A solution, or a game to solve first.
    path : path-like
        The path of the report, a ``.html`` file.
    short : bool, default False
        Write a handout that fits on one printed sheet.
    commands : Commands, optional
        The command lines in the report. The default commands make the report, and solve, verify and play the game.
    file : str, default ""
        The name of the file that contains the strategies; an empty name means that they were just found.
    progress : callable, optional
        A function that takes each line of progress.

    Returns
    -------
    Path
        The report.

    Raises
    ------
    ParameterError
        If *path* has another suffix, *solution* is neither a solution nor a game, or an argument has a wrong type.
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.write_report(eb.solve("kuhn"), "kuhn.html", short=True).name
    'kuhn.html'
    """
    check_page(path, "a report")
    say = progress_of("write_report", progress)
    if commands is not None:
        check_kind(
            "write_report", commands, Commands, "Commands or None as commands", "None shows the default commands"
        )
    check_argument("write_report", "file", file, isinstance(file, str), "the name of a file")
    if not isinstance(solution, Solution):
        solution = solve(as_subject("write_report", solution, "a solution, a game or a tree"), progress=say)
    say("all equilibria")
    ranges = known_ranges(solution, say)
    say(f"{WRITING} {os.fspath(path)}")
    command_lines = commands if commands is not None else commands_for(solution, str(path))
    return write_atomically(path, [report(About(solution, command_lines, ranges, file), short).encode()])


def report(about: About, short: bool = False) -> str:
    """Return the page as HTML; equal solutions and commands give equal bytes."""
    title = about.solution.title
    every = _handout(about) if short else [section(about) for section in _SECTIONS]
    sections = [section for section in every if section is not None]
    body = render("report.html", short=short, title=title, brief=known.in_brief(about, short), sections=sections)
    # Only the section with the interactive tree has a script.
    part = next((each.needs for each in sections if each.needs is not None), Part(body))
    return page(f"{title}: a report", replace(part, body=body, styles=("report.css", *part.styles)))
