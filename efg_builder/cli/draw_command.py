"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..analysis import Verdict
from ..errors import NotApplicableError
from ..files import read_text
from ..profile import Profile
from ..profile_file import read_profile
from ..rationals import Number
from .common import max_nodes_option, rational, source, words_argument


@click.command("draw")
@words_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .svg, .png, .pdf or .gv file.")
@click.option("--solution", type=click.Path(path_type=Path), help="A solution written by 'efg-builder solve -o'.")
@click.option(
    "--reach", type=rational(0, 1), metavar="P", help="Fold away what is reached with probability at most this."
)
@click.option("--depth", type=click.IntRange(min=1), help="Fold away what lies deeper than this many moves.")
@click.option("--values", is_flag=True, help="Show the expected payoffs at every node.")
@click.option("--beliefs", is_flag=True, help="Show how likely each node is within its information set.")
@max_nodes_option
def command(
    words: tuple[str, ...],
    output: Path,
    solution: Path | None,
    reach: Fraction | None,
    depth: int | None,
    values: bool,
    beliefs: bool,
    max_nodes: int,
) -> None:
    """Draw the tree of a game or file, left to right on Gambit's layout."""
    from ..drawing import DrawOptions, draw

    if solution is None and (reach is not None or values or beliefs):
        raise click.UsageError("--reach, --values and --beliefs need a --solution")
    tree = source(words).tree(max_nodes)
    profile, caption = None, ""
    if solution is not None:
        profile = read_profile(read_text(solution), tree, str(solution))
        caption = verdict_in_words(profile)
    draw(tree, output, profile, DrawOptions(reach=reach, depth=depth, values=values, beliefs=beliefs, caption=caption))
    click.echo(f"{output}", err=True)


def verdict_in_words(profile: Profile) -> str:
    """What the picture says of the profile, verified here and now rather than taken from the file."""
    from ..analysis import verify

    try:
        verdict = verify(profile)
    except NotApplicableError:
        return ""
    return caption_of(profile.tree.players, verdict)


def caption_of(players: tuple[str, ...], verdict: Verdict) -> str:
    """One line on a profile: whether it is an equilibrium, and what it is worth."""
    if not verdict.equilibrium:
        return f"not an equilibrium: a player can gain {brief(verdict.regret)}"
    worth = [f"{brief(value)} to {name}" for name, value in zip(players, verdict.value, strict=True)]
    shown = worth[:1] if verdict.lower is not None else worth
    return f"equilibrium{' (exact)' if verdict.exact else ''}, worth {', '.join(shown)}"


def brief(number: Number) -> str:
    """A fraction as it is, a float to four digits."""
    return str(number) if isinstance(number, Fraction) else f"{number:.4g}"
