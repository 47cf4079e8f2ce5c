"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..analysis import Verdict, verify, verify_sparse
from ..certificate import read_sparse
from ..equilibrium_ranges import ranges as all_ranges
from ..errors import NotApplicableError, PictureTooLargeError
from ..files import check_writable
from ..profile import Profile
from ..profile_file import read_solution
from ..sparse_profile import SparseProfile
from ..support import support_tree
from ..table import table_view
from ..tree import GameTree
from . import say
from .common import Progress, Source, all_of, max_nodes_option, rational, source, words_argument

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
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .svg, .png, .pdf or .gv file.")
@click.option("--solution", type=click.Path(path_type=Path), help="A solution written by 'efg-builder solve -o'.")
@click.option(
    "--which", type=click.IntRange(min=1), metavar="N", help="Which of the solution's several equilibria, from 1."
)
@click.option(
    "--ranges", "ranged", is_flag=True, help="Show from where to where probabilities can go over all equilibria."
)
@picture_options
@max_nodes_option
def command(
    words: tuple[str, ...],
    output: Path,
    solution: Path | None,
    which: int | None,
    reach: Fraction | None,
    depth: int | None,
    values: bool,
    beliefs: bool,
    table: bool,
    ranged: bool,
    max_nodes: int,
) -> None:
    """Draw the tree of a game or file, left to right on Gambit's layout.

    With a --solution that was found without a tree, the part of the game that is played is drawn.

    \b
    Examples:
      efg-builder draw liars-dice sides=2 -o tree.svg
      efg-builder draw liars-dice sides=6 dice=2,1 --solution solution.json --table --reach 1/100 -o table.png
    """
    from ..drawing import TABLE_HINT, DrawOptions, draw

    check_picture(table, beliefs)
    if solution is None and (reach is not None or values or beliefs or table or which is not None):
        raise click.UsageError("--reach, --values, --beliefs, --table and --which need a --solution")
    check_writable(output)
    tree, profile, caption, played = _subject(source(words), solution, which, table, max_nodes)
    shares = None
    if ranged:
        if played:
            raise click.UsageError("--ranges needs the tree, or a solution of one: solve it with --method lp")
        with Progress() as progress:
            shares = all_ranges(tree, vertices=0, progress=progress).shares
        caption = "; ".join(filter(None, [caption, RANGED]))
    try:
        options = DrawOptions(reach, depth, values, beliefs, caption, ranges=shares)
        draw(tree, output, profile, options)
    except PictureTooLargeError as error:
        if not played or table:
            raise
        raise PictureTooLargeError(error.nodes, error.limit, TABLE_HINT) from None
    if played and not table and reach:
        say("--reach counts each deal by itself here; --table joins all hands")
    if len(tree) > LARGE and reach is None and depth is None:
        say(f"a large picture: {len(tree):,} nodes; --solution FILE --reach 0 or --depth D draws less")
    say(f"{output}")


def check_picture(table: bool, beliefs: bool) -> None:
    """Raise ``click.UsageError`` for what does not go together."""
    from ..drawing import NO_BELIEFS

    if table and beliefs:
        raise click.UsageError(f"--beliefs with --table: {NO_BELIEFS}")


def _subject(
    given: Source, solution: Path | None, which: int | None, table: bool, max_nodes: int
) -> tuple[GameTree, Profile | None, str, bool]:
    """The tree, the profile on it, what the picture says of that, and whether the table's view could be had."""
    if solution is None:
        return given.tree(max_nodes), None, "", False
    tree = given.tree(max_nodes) if given.game is None else None
    sparse = read_sparse(solution, tree if tree is not None else given.game)
    if sparse is None:
        if table:
            raise click.UsageError(f"--table needs a solution found without a tree; {solution} is one of a tree")
        tree = tree if tree is not None else given.tree(max_nodes)
        profile = read_solution(solution, tree, which)
        return tree, profile, verdict_in_words(profile), False
    if which is not None:
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one")
    shown = sparse_picture(sparse, table, max_nodes) if tree is None or table else sparse.on(tree)
    return shown.tree, shown, verdict_in_words(sparse), True


def sparse_picture(profile: SparseProfile, table: bool, max_nodes: int) -> Profile:
    """What is drawn of strategies without a tree: what the table sees, or the tree of all that is played."""
    if table:
        return table_view(profile, max_nodes=max_nodes)
    return profile.on(support_tree(profile, max_nodes=max_nodes))


def verdict_in_words(profile: Profile | SparseProfile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    try:
        if isinstance(profile, SparseProfile):
            return caption_for(profile.game.players, verify_sparse(profile))
        return caption_for(profile.tree.players, verify(profile))
    except NotApplicableError:
        return ""


def caption_for(players: tuple[str, ...], verdict: Verdict) -> str:
    """A verdict as the line under a picture's title."""
    from ..drawing import caption_of

    return caption_of(players, verdict)
