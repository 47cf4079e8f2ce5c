"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..base.errors import NotSolvedError, ParameterError, PictureTooLargeError
from ..base.files import check_writable
from ..display.pages.viewer import SUFFIXES
from ..equilibria.ranges import ranges as all_ranges
from . import NO_EQUILIBRIUM, TIME_LIMIT, say
from .common import Progress, Source, all_of, max_nodes_option, rational, source, words_argument
from .draw_page import check_page, is_page, write_page
from .drawn import Drawn, played, solved

RANGED = "probabilities: from the least to the greatest over all equilibria"

LARGE = 400
"""Nodes above which a whole tree makes a picture for a wall rather than for a slide."""

picture_options = all_of(
    click.option(
        "--reach",
        type=rational(0, 1),
        metavar="P",
        help="Fold away what is reached with probability at most this: 1/100; 0 folds what is never reached.",
    ),
    click.option(
        "--depth", type=click.IntRange(min=1), metavar="N", help="Fold away what lies deeper than this many moves."
    ),
    click.option("--values", is_flag=True, help="Show the expected payoffs where play gets to."),
    click.option("--beliefs", is_flag=True, help="Show how likely each node is within its information set."),
    click.option(
        "--table",
        is_flag=True,
        help="Show what the table sees, all hands together, instead of each deal by itself (for solutions found "
        "without a tree, as --method oracle does).",
    ),
)
"""The options of every command that draws."""


@click.command("draw")
@words_argument
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    help="A .svg, .png, .pdf, .tex or .gv file, or a page (.html) to look at it all.",
)
@click.option(
    "--solution",
    "solutions",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A solution written by 'efg-builder solve -o'; in a page several, to switch between.",
)
@click.option(
    "--strategy", metavar="FILE|NAME", help="Any strategy, in all seats: what 'efg-builder evaluate --strategy' takes."
)
@click.option(
    "--which", type=click.IntRange(min=1), metavar="N", help="Which of the solution's several equilibria, from 1."
)
@click.option(
    "--ranges", "ranged", is_flag=True, help="Show from where to where probabilities can go over all equilibria."
)
@click.option(
    "--view",
    type=click.Choice(["tree", "public"]),
    help="tree: each deal by itself. public: one node per public history, in it a table of hands by moves. A page has "
    "both and opens with this one.  [default: tree; in a page public, where there is one]",
)
@picture_options
@max_nodes_option
def command(
    words: tuple[str, ...],
    output: Path,
    solutions: tuple[Path, ...],
    strategy: str | None,
    which: int | None,
    view: str | None,
    reach: Fraction | None,
    depth: int | None,
    values: bool,
    beliefs: bool,
    table: bool,
    ranged: bool,
    max_nodes: int,
) -> int | None:
    """Draw the tree of a game or file, left to right on Gambit's layout.

    With a --solution that was found without a tree, the part of the game that is played is drawn. Exit code 3: the
    --strategy 'equilibrium' found none that could be verified; 4: not within a minute.

    A page (-o x.html) shows it all in any browser: it unfolds, searches and compares, and takes several --solution
    and a --strategy, which comes with a best response of each player.

    \b
    Examples:
      efg-builder draw liars-dice sides=2 -o tree.svg
      efg-builder draw liars-dice sides=3 --strategy equilibrium --ranges -o tree.html
      efg-builder draw liars-dice sides=3 --strategy equilibrium --view public -o public.pdf
      efg-builder draw liars-dice sides=6 dice=2,1 --solution solution.json --table --reach 1/100 -o table.png
    """
    from ..display.trees import TABLE_HINT, VIEWS, DrawOptions, draw, formats

    if is_page(output):
        pictured = {"--reach": reach is not None, "--depth": depth is not None, "--values": values}
        check_page(pictured | {"--beliefs": beliefs, "--table": table}, solutions, which, strategy, ranged)
        return _page(source(words), output, solutions, which, strategy, ranged, view, max_nodes)
    if output.suffix.lower() not in (known := [suffix for each in formats().values() for suffix in each.suffixes]):
        raise ParameterError(f"{output}: name a file that ends in {', '.join([*known, *SUFFIXES])}")
    if len(solutions) > 1:
        raise click.UsageError("several --solution are for pages (-o x.html); a picture shows one")
    solution = solutions[0] if solutions else None
    check_picture(table, beliefs)
    _check_words(solution, strategy, which, view, table, ranged)
    if solution is None and strategy is None and (reach is not None or values or beliefs or table):
        raise click.UsageError("--reach, --values, --beliefs and --table need a --solution or a --strategy")
    check_writable(output)
    given, shares = source(words), None
    with Progress() as progress:
        try:
            if solution is not None:
                shown = solved(given, solution, which, table, max_nodes)
            elif strategy is not None:
                shown = played(given, strategy, table, max_nodes, progress)
            else:
                shown = Drawn(given.tree(max_nodes), None, "")
        except NotSolvedError as error:
            say(f"error: {error}")
            return TIME_LIMIT if error.timed_out else NO_EQUILIBRIUM
        tree, caption, sparse = shown.tree, shown.caption, shown.sparse
        if ranged:
            if sparse is not None:
                raise click.UsageError("--ranges needs the tree, or a solution of one: solve it with --method lp")
            shares = all_ranges(tree, vertices=0, progress=progress).shares
            caption = "; ".join(filter(None, [caption, RANGED]))
    public = view == "public"
    try:
        options = DrawOptions(reach, depth, values, beliefs, caption, ranges=shares, view=view or VIEWS[0])
        draw(tree, output, sparse if public and sparse is not None else shown.profile, options)
    except PictureTooLargeError as error:
        if sparse is None or table or public:
            raise
        raise PictureTooLargeError(error.nodes, error.limit, TABLE_HINT) from None
    if sparse is not None and not table and not public and reach:
        say("--reach counts each deal by itself here; --table joins all hands")
    if len(tree) > LARGE and not public and reach is None and depth is None:
        say(f"a large picture: {len(tree):,} nodes; --solution FILE --reach 0 or --depth D draws less")
    say(f"{output}")
    return None


def _page(
    given: Source,
    output: Path,
    solutions: tuple[Path, ...],
    which: int | None,
    strategy: str | None,
    ranged: bool,
    view: str | None,
    max_nodes: int,
) -> int | None:
    check_writable(output)
    with Progress() as progress:
        try:
            write_page(given, output, solutions, which, strategy, ranged, view, max_nodes, progress)
        except NotSolvedError as error:
            say(f"error: {error}")
            return TIME_LIMIT if error.timed_out else NO_EQUILIBRIUM
    say(f"{output}")
    return None


def _check_words(
    solution: Path | None, strategy: str | None, which: int | None, view: str | None, table: bool, ranged: bool
) -> None:
    """Raise ``click.UsageError`` for options that do not go together."""
    from ..display.trees import NO_TABLE

    if solution is not None and strategy is not None:
        raise click.UsageError("--solution and --strategy: a picture is of one of the two")
    if which is not None and solution is None:
        raise click.UsageError("--which needs a --solution")
    if view == "public" and table:
        raise click.UsageError(f"--table with --view public: {NO_TABLE}")
    if view == "public" and ranged:
        raise click.UsageError("--ranges with --view public: a cell holds one number; leave one of the two out")


def check_picture(table: bool, beliefs: bool) -> None:
    """Raise ``click.UsageError`` for what does not go together."""
    from ..display.trees import NO_BELIEFS

    if table and beliefs:
        raise click.UsageError(f"--beliefs with --table: {NO_BELIEFS}")
