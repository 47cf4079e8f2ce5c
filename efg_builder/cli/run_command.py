"""``efg-builder run``: from rules to the .efg file, the solution, the picture and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..base.errors import NotApplicableError, PictureTooLargeError, TreeTooLargeError
from ..base.facts import fact
from ..base.files import make_folder
from ..base.words import WRITING
from ..display.trees import DrawOptions, Subject, caption_of, draw, formats, subject_of
from ..display.trees.tree_view import reach_that_fits
from ..equilibria.second_opinion import LIMIT, ask_gambit
from ..equilibria.solution import Solution
from ..equilibria.solution_facts import brief_facts
from ..forms.extensive import GameTree
from . import echo, in_words
from . import options as opts
from .common import Progress, Source, ending, source, tell, written
from .draw_command import LARGE, UNBELIEVED, about_beliefs, nodes_above, picture_options, table_in_words
from .solve_commands import asked_for, exit_code, report_on, solve_with

REACHES = (None, Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""The reach probabilities at which a picture is folded, tried in order until the picture fits (None: no folding)."""

PUBLIC_REACHES = (None, Fraction(1, 1000), Fraction(3, 1000), Fraction(1, 100), Fraction(3, 100))
"""The reach probabilities to try for the public view if strategies were found without a tree, in order."""


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
    shown = {name: settings.pop(name) for name in ("reach", "depth", "values", "beliefs")}
    DrawOptions(beliefs=shown["beliefs"], view=view or "tree")  # raises errors before the game is solved
    given = source(words := words or ("liars-dice", "sides=2"))
    progress = Progress()
    with progress:
        solution = solve_with(given, max_nodes, progress, **settings)
    # Print the answer first: writing the files of a large game takes a while.
    echo(solution.title)
    tell(*brief_facts(solution))
    tree, notes = solution.tree, list[str]()
    try:
        tree = tree or given.tree(max_nodes)
    except TreeTooLargeError as error:
        notes.append(f"no .efg: {in_words(error)}")
    if gambit:
        with progress:
            opinion = ask_gambit(solution, tree, progress=progress)
        solution = replace(solution, gambit=opinion)
        tell(fact("gambit", str(opinion)))
    efg, data, page = (out / "outputs" / f"{given.name}{end}" for end in (".efg", ".json", "_report.html"))
    writers: dict[Path, Callable[[Path], object]] = {} if tree is None else {efg: partial(_write_efg, given, tree)}
    writers |= {
        data: solution.write,
        page: lambda path: report_on(solution, words, path, asked_for(settings), progress),
        out / "visualizations" / f"{given.name}.{picture}": lambda path: _draw(
            solution, path, shown, view, max_nodes, notes
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


def _write_efg(given: Source, tree: GameTree, path: Path) -> bool:
    from ..interop.efg import write_efg

    # Do not overwrite the user's own file, which may be at that path.
    if given.file is None or not path.exists() or not path.samefile(given.file):
        write_efg(tree, path)
    return True


def _draw(
    solution: Solution, path: Path, shown: dict[str, Any], view: str | None, max_nodes: int, notes: list[str]
) -> bool:
    """Draw the requested picture, or the most complete one that fits. Return whether a picture was drawn."""
    attempts = _on_tree(solution, shown, view) if solution.sparse is None else _sparse(solution, shown, view, max_nodes)
    try:
        for drawn, settings, note in attempts:
            with suppress(PictureTooLargeError):
                draw(drawn, path, **settings)
                notes.extend(filter(None, [note]))
                return True
        notes.append("no picture: the tree is too large; --depth D, or --reach P with a solution, draws less of it")
    except (NotApplicableError, TreeTooLargeError) as error:
        notes.append(f"no picture: {in_words(error)}")
    return False


Attempt = tuple[Subject, dict[str, Any], str]
"""The subject of a picture, its settings, and a remark."""


def _on_tree(solution: Solution, shown: dict[str, Any], view: str | None) -> Iterator[Attempt]:
    assert solution.tree is not None
    asked = shown["reach"] is not None or shown["depth"] is not None or solution.profile is None
    notes = ["--view table shows only solutions found without a tree"] if view == "table" else []
    if solution.profile is None and (shown["reach"] is not None or shown["values"] or shown["beliefs"]):
        shown = {"depth": shown["depth"]}
        notes.append("the picture shows the plain tree: --reach, --values and --beliefs need a solution")
    for reach in [shown.get("reach")] if asked else REACHES[len(solution.tree) > LARGE :]:
        part = "" if asked or reach is None else f"the picture shows only {nodes_above(reach)}"
        subject = subject_of(solution.tree, solution)
        unseen = about_beliefs(subject, view) if shown.get("beliefs") else ""
        settings = {**shown, "view": "public" if view == "public" else "tree", "reach": reach}
        yield subject, settings, "; ".join(filter(None, [*notes, part, unseen]))


def _sparse(solution: Solution, shown: dict[str, Any], view: str | None, max_nodes: int) -> Iterator[Attempt]:
    """For strategies found without a tree, yield pictures of the support tree, then of the public tree."""
    assert solution.sparse is not None
    assert solution.verdict is not None
    caption = caption_of(solution.players, solution.verdict)
    asked = shown["reach"] is not None or shown["depth"] is not None
    for kind in (None, "table") if view is None else (view,):
        seen = subject_of(solution.sparse, view=kind, max_nodes=max_nodes, part=asked)
        seen = replace(seen, caption=caption, verdict=solution.verdict)
        table, reaches = seen.view == "table", [shown["reach"]] if asked else [None]
        if table and not asked:
            assert seen.profile is not None
            reaches = [reach_that_fits(seen.profile, DrawOptions())]
        elif kind == "public" and not asked:
            reaches = list(PUBLIC_REACHES)
        for reach in reaches:
            said = f"only {nodes_above(reach)}"
            if table:
                said = f"{table_in_words(reach)}{UNBELIEVED if shown['beliefs'] else ''}"
            beliefs = shown["beliefs"] and not table
            settings = shown | {"view": seen.view, "beliefs": beliefs, "reach": reach}
            yield seen, settings, f"the picture shows {said}"
