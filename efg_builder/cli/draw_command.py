"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..analysis import verify
from ..errors import NotApplicableError
from ..files import check_writable
from ..profile import Profile
from ..profile_file import read_solution
from . import say
from .common import all_of, max_nodes_option, rational, source, words_argument

LARGE = 400
"""Nodes above which a whole tree makes a picture for a wall rather than for a slide."""


picture_options = all_of(
    click.option(
        "--reach",
        type=rational(0, 1),
        metavar="P",
        help="Fold away what is reached with probability at most this.",
    ),
    click.option("--depth", type=click.IntRange(min=1), help="Fold away what lies deeper than this many moves."),
    click.option("--values", is_flag=True, help="Show the expected payoffs where play gets to."),
    click.option("--beliefs", is_flag=True, help="Show how likely each node is within its information set."),
)
"""The options of every command that draws."""


@click.command("draw")
@words_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .svg, .png, .pdf or .gv file.")
@click.option("--solution", type=click.Path(path_type=Path), help="A solution written by 'efg-builder solve -o'.")
@click.option("--which", type=click.IntRange(min=1), help="Which of the solution's several equilibria, from 1.")
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
    max_nodes: int,
) -> None:
    """Draw the tree of a game or file, left to right on Gambit's layout."""
    from ..drawing import draw

    if solution is None and (reach is not None or values or beliefs or which is not None):
        raise click.UsageError("--reach, --values, --beliefs and --which need a --solution")
    check_writable(output)
    tree = source(words).tree(max_nodes)
    profile, caption = None, ""
    if solution is not None:
        profile = read_solution(solution, tree, which)
        caption = verdict_in_words(profile)
    draw(tree, output, profile, reach=reach, depth=depth, values=values, beliefs=beliefs, caption=caption)
    if len(tree) > LARGE and reach is None and depth is None:
        say(f"a large picture: {len(tree):,} nodes; --solution FILE --reach 0 or --depth D draws less")
    say(f"{output}")


def verdict_in_words(profile: Profile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    from ..drawing import caption_of

    try:
        verdict = verify(profile)
    except NotApplicableError:
        return ""
    return caption_of(profile.tree.players, verdict)
