"""``efg-builder run``: the main job, from rules to picture."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..errors import PictureTooLargeError
from ..games.protocol import Game
from ..solution import Solution
from ..summary import ahead, bluffing, openings
from .common import DEFAULT_GAME, Progress, max_nodes_option, solve_options, source, words_argument
from .draw_command import caption_of
from .solve_command import exit_code, number, solve_with, write_json

WHOLE = 400
"""Larger trees are drawn folded to what the solution reaches: a whole one would not fit on a slide."""

REACHES = (None, Fraction(0), Fraction(1, 1000), Fraction(1, 100))
"""The picture folds by the first of these that makes it small enough (None: not at all)."""


@click.command("run")
@words_argument
@solve_options
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("."),
    show_default=True,
    help="The folder that gets outputs/ and visualizations/.",
)
@click.option("--picture", type=click.Choice(["svg", "png", "pdf", "gv"]), default="svg", show_default=True)
@max_nodes_option
def command(words: tuple[str, ...], out: Path, picture: str, max_nodes: int, **settings: Any) -> int:
    """Build GAME, write its .efg, solve it, prove the answer and draw it.

    The .efg and the solution go into outputs/, the picture into visualizations/. Without GAME: the
    2-sided Liar's Dice.
    """
    from ..efg import write_efg

    given = source(words or DEFAULT_GAME)
    with Progress() as progress:
        tree = given.tree(max_nodes)
        files = [out / "outputs" / f"{given.name}.efg"]
        write_efg(tree, made(files[0]))
        solution = solve_with(tree, progress, **settings)
        files.append(out / "outputs" / f"{given.name}.json")
        write_json(solution.to_json(), files[1])
        progress("drawing")
        drawn, note = _draw(solution, made(out / "visualizations" / f"{given.name}.{picture}"))
    if drawn:
        files.append(drawn)
    for line in summary(solution, given.game):
        click.echo(line)
    for k, path in enumerate(files):
        click.echo(f"{'files' if k == 0 else '':<10}{path}")
    if note:
        click.echo(f"{'':<10}{note}")
    return exit_code(solution)


def made(path: Path) -> Path:
    """*path*, its folder made. Raises ``FileError``."""
    from ..errors import FileError
    from ..files import reason

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {path.parent}: {reason(error)}") from error
    return path


def _draw(solution: Solution, path: Path) -> tuple[Path | None, str]:
    """The fullest picture that can be read, and a note where that is not the whole tree."""
    from ..drawing import DrawOptions, draw

    verdict = solution.verdict
    caption = "" if verdict is None else caption_of(solution.tree.players, verdict)
    reaches = REACHES if len(solution.tree) <= WHOLE else REACHES[1:]
    for reach in reaches if solution.profile is not None else (None,):
        try:
            draw(solution.tree, path, solution.profile, DrawOptions(caption=caption, reach=reach))
        except PictureTooLargeError:
            continue
        if reach is None:
            return path, ""
        return path, f"the picture shows only what is reached{f' with probability above {reach}' if reach else ''}"
    return None, "no picture: too large; 'efg-builder draw' with --reach P or --depth D shows a part"


def summary(solution: Solution, game: Game | None) -> list[str]:
    """The game and its solution in words, for the screen."""
    tree, verdict = solution.tree, solution.verdict
    lines = [tree.title, f"{'size':<10}{len(tree):,} nodes, {len(tree.personal):,} information sets"]
    if solution.profile is None or verdict is None or solution.value is None:
        return [*lines, f"{'result':<10}{solution.status} by {solution.method}: {solution.message}"]
    if len(tree.players) == 2:
        lines.append(f"{'value':<10}{number(solution.value[0])} to {tree.players[0]}: {ahead(solution)}")
    else:
        values = ", ".join(f"{number(v)} to {name}" for name, v in zip(tree.players, solution.value, strict=True))
        lines.append(f"{'value':<10}{values}: {ahead(solution)}")
    lines.append(f"{'proof':<10}{_proof(solution)}")
    lines += _openings_table(solution, game)
    shares = bluffing(solution, game)
    if shares:
        words = ", ".join(f"{share.player} {_percent(share.share)}" for share in shares)
        lines.append(f"{'bluffs':<10}of all bids, those that no own die bears out: {words}")
    return lines


def _proof(solution: Solution) -> str:
    tree = solution.tree
    if solution.exact and solution.lower is not None:
        return (
            f"exact: {tree.players[0]}'s strategy guarantees {solution.lower}, "
            f"{tree.players[1]}'s allows no more than {solution.upper} (best responses over the whole tree)"
        )
    if solution.status == "bracket":
        return f"bracket: the value lies between {solution.lower} and {solution.upper}; {solution.message}"
    word = "a verified equilibrium" if solution.status == "equilibrium" else solution.status
    return f"{word} by {solution.method}: no player can gain more than {number(solution.regret)}"


def _openings_table(solution: Solution, game: Game | None) -> list[str]:
    assert solution.profile is not None
    rows = openings(solution.profile, game)
    if not rows:
        return []
    head = f"{'start':<10}what {rows[0].player} does first, by hand"
    plays = [", ".join(f"{a} {_share(p)}" for a, p in row.actions) for row in rows]
    hand_width = max(4, *(len(row.hand) for row in rows)) + 2
    width = max(4, *map(len, plays)) + 2
    claims = any(row.bluff is not None for row in rows)
    table = [f"{'':<10}{'hand':<{hand_width}}{'play':<{width}}" + ("bluff   false" if claims else "")]
    for row, play in zip(rows, plays, strict=True):
        tail = (
            f"{_percent(row.bluff):<8}{_percent(row.false)}" if row.bluff is not None and row.false is not None else ""
        )
        table.append(f"{'':<10}{row.hand:<{hand_width}}{play:<{width}}{tail}".rstrip())
    if claims:
        table.append(f"{'':<10}bluff: a bid that no own die bears out; false: the chance that the bid is false")
    return [head, *(line.rstrip() for line in table)]


def _share(p: Any) -> str:
    if p == 1:
        return "always"
    return str(p) if isinstance(p, Fraction) and p.denominator < 10_000 else f"{float(p):.4f}"


def _percent(p: Any) -> str:
    return f"{100 * float(p):.3g}%"
