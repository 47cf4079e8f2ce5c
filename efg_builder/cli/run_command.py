"""``efg-builder run``: from rules to the .efg file, the solution, the picture and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..base.errors import NotApplicableError, TreeTooLargeError
from ..base.facts import fact
from ..base.files import make_folder
from ..base.words import WRITING
from ..display.trees import DrawOptions, formats, save, suited
from ..display.trees.choose import FILE, ONLY_REACHED, Views, choose, part_in_words
from ..display.trees.subject import DrawnSubject, subject_of
from ..equilibria.second_opinion import LIMIT, ask_gambit
from ..equilibria.solution import Solution
from ..equilibria.solution_facts import brief_facts
from ..forms.extensive import GameTree
from . import echo, in_words
from . import options as opts
from .common import Progress, Source, built, ending, source, tell, written
from .draw_command import UNBELIEVED, picture_options
from .solve_commands import exit_code, report_on, solve_with


@click.command("run", cls=opts.Grouped, first="method timeout picture report out")
@opts.words
@opts.solving
@click.option(
    "--out",
    type=opts.FilePath(folder=True),
    default=Path("."),
    show_default=True,
    help="Folder in which outputs/ and visualizations/ are written.",
)
@click.option(
    "--picture",
    type=click.Choice(list(formats())),
    default="svg",
    show_default=True,
    help="File format of the picture.",
)
@picture_options
@opts.gap
@click.option("--report/--no-report", default=True, show_default=True, help="Write a report (.html).")
@click.option(
    "--gambit/--no-gambit",
    default=True,
    show_default=True,
    help=f"Compare the result with one of Gambit's routines, which runs for at most {LIMIT:g} seconds.",
)
@opts.max_nodes
def command(
    words: tuple[str, ...],
    out: Path,
    picture: str,
    view: str | None,
    report: bool,
    gambit: bool,
    max_nodes: int,
    **settings: Any,
) -> int:
    """Build GAME, write its .efg file, solve it, prove the result, compare it with Gambit, draw it and write a report.

    The .efg file, the solution and the report are written to outputs/, and the picture to visualizations/. Files from
    earlier runs of the same game are replaced. Without GAME, the command runs two-sided Liar's Dice.

    \b
    Examples:
      efg-builder run
      efg-builder run liars-dice sides=3 --picture png
    """
    drawn = {name: settings.pop(name) for name in ("reach", "depth", "values", "beliefs")}
    DrawOptions(beliefs=drawn["beliefs"], view=view or "tree")  # raises errors before the game is solved
    named = source(words := words or ("liars-dice", "sides=2"))
    progress = Progress()
    with progress:
        game = named.subject(max_nodes)
        solution = solve_with(game, progress, **settings)
    # Print the answer first: writing the files of a large game takes a while.
    echo(solution.title)
    tell(*brief_facts(solution))
    tree, notes = solution.tree, list[str]()
    try:
        tree = tree or built(game)
    except TreeTooLargeError as error:
        notes.append(f"no .efg: {in_words(error)}")
    if gambit:
        with progress:
            opinion = ask_gambit(solution, tree, progress=progress)
        solution = replace(solution, gambit=opinion)
        tell(fact("gambit", str(opinion)))
    efg, data, page = (out / "outputs" / f"{named.name}{end}" for end in (".efg", ".json", "_report.html"))
    writers: dict[Path, Callable[[Path], object]] = {} if tree is None else {efg: partial(_write_efg, named, tree)}
    writers |= {
        data: solution.write,
        page: lambda path: report_on(solution, words, path, opts.asked_for(settings), progress),
        out / "visualizations" / f"{named.name}.{picture}": lambda path: _draw(
            solution, path, drawn, view, max_nodes, notes
        ),
    }
    if not report:
        del writers[page]
    _write(writers, notes, progress)
    return exit_code(solution, settings["gap"])


def _write(writers: dict[Path, Callable[[Path], object]], notes: list[str], progress: Progress) -> None:
    files = list[Path]()

    def write(path: Path) -> None:
        with progress:
            make_folder(path.parent)
            if not ending(path, ".html"):  # a report says when it is written
                progress(f"{WRITING} {path}")
            if writers[path](path):
                files.append(path)

    with written(writers, write):
        tell(fact("files" if files else "", *map(str, files), *notes))


def _write_efg(named: Source, tree: GameTree, path: Path) -> bool:
    from ..interop.efg import write_efg

    # Do not overwrite the user's own file, which may be at that path.
    if not (isinstance(named.game, Path) and path.exists() and path.samefile(named.game)):
        write_efg(tree, path)
    return True


def _draw(
    solution: Solution, path: Path, asked: dict[str, Any], view: str | None, max_nodes: int, notes: list[str]
) -> bool:
    """Draw the requested picture, or the most complete one that fits. Return whether a picture was drawn."""
    sparse, beliefs, remarks = solution.sparse is not None, asked["beliefs"], list[str]()
    if view == "table" and not sparse:
        view = "tree"
        remarks.append("--view table shows only solutions found without a tree")
    if solution.profile is None and not sparse and (asked["reach"] is not None or asked["values"] or beliefs):
        asked, beliefs = {"depth": asked["depth"]}, False
        remarks.append("the picture shows the plain tree: --reach, --values and --beliefs need a solution")
    folded = asked.get("reach") is not None or asked["depth"] is not None
    try:
        for kind in (None, "table") if sparse and view is None else (view,):
            subject = subject_of(solution, None, kind, max_nodes=max_nodes, part=folded)
            options = DrawOptions(**asked | {"view": subject.view, "beliefs": beliefs and subject.view != "table"})
            picture = choose(Views(subject, subject.headed(suited(path, options))), FILE, kind)
            if picture is not None:
                save(path, subject, picture)
                remarks += _about_picture(subject, picture.options, beliefs, folded)
                notes.extend(filter(None, ["; ".join(remarks)]))
                return True
        notes.append("no picture: the tree is too large; --depth D, or --reach P with a solution, draws less of it")
    except (NotApplicableError, TreeTooLargeError) as error:
        notes.append(f"no picture: {in_words(error)}")
    return False


def _about_picture(subject: DrawnSubject, drawn: DrawOptions, beliefs: bool, folded: bool) -> Iterator[str]:
    """Yield remarks on a picture: the part that it shows unless the user *folded* a tree, and its *beliefs*."""
    sparse, part = subject.sparse is not None, part_in_words(drawn)
    if sparse or (part and not folded):
        ignored = UNBELIEVED if beliefs and not drawn.beliefs else ""
        yield f"the picture shows {part or ONLY_REACHED}{ignored}"
    if drawn.beliefs and not sparse and (line := subject.about_beliefs(drawn.view)):
        yield line
