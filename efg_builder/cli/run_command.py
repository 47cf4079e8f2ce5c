"""``efg-builder run``: from rules to the .efg file, the solution, the picture and the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

from ..base.errors import NotApplicableError, TreeTooLargeError
from ..base.files import make_folder
from ..base.words import (
    NOBODY_GUARANTEED,
    NOBODY_SURE,
    WRITING,
    bare_figure,
    figure,
    mixtures,
    nobody_gains,
    notation,
    plural,
)
from ..display.trees import DrawOptions, formats, save, suited
from ..display.trees.choose import FILE, ONLY_REACHED, Views, choose, part_in_words
from ..display.trees.subject import Subject, subject_of
from ..equilibria.second_opinion import LIMIT, ask_gambit
from ..equilibria.solution import (
    EMPTY_THREATS,
    ONE_OF_MANY,
    Solution,
    ahead,
    may_threaten,
    most_probable,
    one_of_many,
    openings,
)
from ..forms.extensive import GameTree
from ..forms.hand_names import printed
from ..games.protocol import Game
from . import echo, in_words
from . import options as opts
from .common import Progress, Source, ending, size_in_words, source, written
from .draw_command import UNBELIEVED, picture_options
from .solve_commands import asked_for, exit_code, report_on, solve_with

SHOWN_HANDS = 24
"""The maximum number of hands in the list of opening moves."""


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
    for line in summary(solution, given.game):
        echo(line)
    tree, notes = solution.tree, list[str]()
    try:
        tree = tree or given.tree(max_nodes)
    except TreeTooLargeError as error:
        notes.append(f"no .efg: {in_words(error)}")
    if gambit:
        with progress:
            opinion = ask_gambit(solution, tree, progress=progress)
        solution = replace(solution, gambit=opinion)
        echo(f"{'gambit':<10}{opinion}")
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
        for k, told in enumerate([*map(str, files), *notes]):
            echo(f"{'' if k or not files else 'files':<10}{told}")


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
    sparse, beliefs, said = solution.sparse is not None, shown["beliefs"], list[str]()
    if view == "table" and not sparse:
        view = "tree"
        said.append("--view table shows only solutions found without a tree")
    if solution.profile is None and not sparse and (shown["reach"] is not None or shown["values"] or beliefs):
        shown, beliefs = {"depth": shown["depth"]}, False
        said.append("the picture shows the plain tree: --reach, --values and --beliefs need a solution")
    folded = shown.get("reach") is not None or shown["depth"] is not None
    try:
        for kind in (None, "table") if sparse and view is None else (view,):
            subject = subject_of(solution, None, kind, max_nodes=max_nodes, part=folded)
            options = DrawOptions(**shown | {"view": subject.view, "beliefs": beliefs and subject.view != "table"})
            found = choose(Views(subject, subject.headed(suited(path, options))), FILE, kind)
            if found is not None:
                save(path, subject, found)
                said += _about_picture(subject, found.options, beliefs, folded)
                notes.extend(filter(None, ["; ".join(said)]))
                return True
        notes.append("no picture: the tree is too large; --depth D, or --reach P with a solution, draws less of it")
    except (NotApplicableError, TreeTooLargeError) as error:
        notes.append(f"no picture: {in_words(error)}")
    return False


def _about_picture(subject: Subject, drawn: DrawOptions, beliefs: bool, folded: bool) -> Iterator[str]:
    """Yield remarks on a picture: the part that it shows unless the user *folded* a tree, and its *beliefs*."""
    sparse, part = subject.sparse is not None, part_in_words(drawn)
    if sparse or (part and not folded):
        ignored = UNBELIEVED if beliefs and not drawn.beliefs else ""
        yield f"the picture shows {part or ONLY_REACHED}{ignored}"
    if drawn.beliefs and not sparse and (line := subject.about_beliefs(drawn.view)):
        yield line


def summary(solution: Solution, game: Game | None) -> list[str]:
    verdict = solution.verdict
    lines = [solution.title]
    if solution.tree is not None:
        lines.append(f"{'size':<10}{size_in_words(solution.tree)}")
    elif game is not None and (size := game.size()) is not None:
        sizes = f"{plural(size.nodes, 'node')}, {plural(sum(size.infosets), 'information set')}"
        lines.append(f"{'size':<10}{sizes}; solved without building the tree")
    if verdict is None:
        return [*lines, f"{'result':<10}{solution.status} by {solution.method}: {solution.message}"]
    lines.append(_worth(solution, game))
    if len(solution.players) > 2:
        lines.append(f"{'':<10}{NOBODY_SURE if solution.solved else NOBODY_GUARANTEED}")
    lines.append(f"{'proof':<10}{_proof(solution)}")
    lines += _openings_table(solution, game)
    if solution.bluffs.shares:
        said = f"share of bids {_where(solution)} that none of the bidder's dice support"
        lines.append(f"{'bluffs':<10}{said}: {solution.bluffs.told(solution.regret)}")
    if may_threaten(solution):
        lines.append(f"{'off path':<10}{EMPTY_THREATS}")
    if one_of_many(solution):
        lines.append(f"{'others':<10}{ONE_OF_MANY}")
    return lines


def _worth(solution: Solution, game: Game | None) -> str:
    if solution.lower is not None and solution.status != "equilibrium":
        bounds = f"{figure(solution.lower)} and {figure(solution.upper)}"
        return f"{'value':<10}between {bounds} to {solution.players[0]}"
    told = [f"{figure(value)} to {name}" for name, value in zip(solution.players, solution.value, strict=True)]
    word, worth = ("payoffs", ", ".join(told)) if solution.lower is None else ("value", told[0])
    return ": ".join(filter(None, [f"{word:<10}{worth}", ahead(solution, game)]))


def _proof(solution: Solution) -> str:
    whole = "tree" if solution.sparse is None else "game"
    if solution.exact and solution.lower is not None:
        first, second = solution.players
        return (
            f"exact: {first}'s strategy guarantees {bare_figure(solution.lower)}, "
            f"{second}'s allows no more than {bare_figure(solution.upper)} (best responses over the whole {whole})"
        )
    stopped = solution.lower is not None or solution.status != "not-an-equilibrium"
    if solution.status != "equilibrium" and stopped:
        ended = f"; {solution.message}" if solution.message else ""
        return f"{nobody_gains(solution.regret)} (best responses over the whole {whole}){ended}"
    word = "a verified equilibrium" if solution.status == "equilibrium" else solution.status
    gain = "no player gains by deviating" if solution.regret == 0 else f"a player gains up to {figure(solution.regret)}"
    return f"{word} by {solution.method}: {gain} (best responses over the whole {whole})"


def _openings_table(solution: Solution, game: Game | None) -> list[str]:
    found = () if not solution.judged else openings(solution.strategy, game)
    if not found:
        return []
    rows, more = [found[at] for at in most_probable(found, SHOWN_HANDS)], len(found) - SHOWN_HANDS
    by = "hand" if game is not None else "information set"
    others = " (others may differ)" if solution.status == "equilibrium" else ""
    head = f"{'start':<10}first move of {rows[0].player} {_where(solution)}{others}, for each {by}"
    label = printed(game)
    tails = [[share for share in (row.bluff, row.false) if share is not None] for row in rows]
    played = chain.from_iterable(row.actions for row in rows)
    write = notation(chain((p for _, p in played), *tails), solution.regret)
    plays, notes = mixtures((row.actions for row in rows), write, "always")
    hands = [label(solution.players.index(row.player), row.hand) for row in rows]
    hand_width = max(len(by), *map(len, hands)) + 2
    width = max(4, *map(len, plays)) + 2
    claims = any(row.bluff is not None for row in rows)
    table = [f"{'':<10}{by:<{hand_width}}{'play':<{width}}" + ("bluff   false" if claims else "")]
    for tail, hand, play in zip(tails, hands, plays, strict=True):
        table.append(f"{'':<10}{hand:<{hand_width}}{play:<{width}}{''.join(f'{write(share):<8}' for share in tail)}")
    table += [f"{'':<10}{'; '.join(notes)}"] if notes else []
    if more > 0:
        table.append(f"{'':<10}and {plural(more, f'less probable {by}')}: the solution's file has them all")
    if claims:
        table.append(
            f"{'':<10}bluff: probability that none of the bidder's dice support the bid; false: that the bid is false"
        )
    return [head, *(line.rstrip() for line in table)]


def _where(solution: Solution) -> str:
    return "in this equilibrium" if solution.status == "equilibrium" else "by these strategies"
