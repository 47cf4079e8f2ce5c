"""``efg-builder draw -o x.html``: the viewer, with everything put in that is to be looked at."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from ..base.errors import NotApplicableError, TreeTooLargeError
from ..display.pages.payload import Shown
from ..display.pages.viewer import SUFFIXES, write_viewer
from ..display.viewing import all_different, exploiters, shown_on
from ..equilibria.ranges import ranges as all_ranges
from ..forms.extensive import GameTree
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..proof.certificate import read_solved, read_sparse
from ..strategies.sparse_profile import SparseProfile
from .common import Source, playable
from .drawn import Drawn, played, solved, verdict_in_words


def is_page(output: Path) -> bool:
    """Whether a page is asked for, rather than a picture."""
    return output.suffix.lower() in SUFFIXES


def check_page(
    options: dict[str, bool], solutions: Sequence[Path], which: int | None, strategy: str | None, ranged: bool
) -> None:
    """Raise ``click.UsageError`` for options that are not for pages, or do not go together."""
    given = [name for name, is_given in options.items() if is_given]
    if given:
        raise click.UsageError(f"{given[0]} is for pictures: a page shows and folds by itself")
    if which is not None and len(solutions) > 1:
        raise click.UsageError("--which with several --solution: it is not said of which of them")
    if ranged and not solutions and strategy is None:
        raise click.UsageError("--ranges in a page stand beside probabilities: they need a --solution or a --strategy")


def write_page(
    given: Source,
    output: Path,
    solutions: Sequence[Path],
    which: int | None,
    strategy: str | None,
    ranged: bool,
    max_nodes: int,
    progress: Callable[[str], None],
) -> None:
    """Write the page: all *solutions*, then the *strategy*, and what each player's best response to it is.

    Where the tree is too large and there is one solution without a tree, the part that is played is shown. Raises what
    reading, measuring and writing raise, and ``click.UsageError``, which says how to get there, where the tree is too
    large for a page of a game that is solved without it.
    """
    try:
        tree = given.tree(max_nodes)
    except TreeTooLargeError as error:
        asked = not solutions and strategy in (None, EQUILIBRIUM)
        if asked and given.game is not None and playable(given.game):
            raise click.UsageError(_way_to_large(error, output)) from None
        if len(solutions) != 1 or strategy is not None or ranged or read_sparse(solutions[0], given.game) is None:
            raise
        part = solved(given, solutions[0], which, False, max_nodes)
        assert part.profile is not None
        write_viewer(part.tree, [Shown(_name(solutions[0]), part.profile, part.caption)], output)
        return
    shares = all_ranges(tree, vertices=0, progress=progress).shares if ranged else None
    shown = [_solution(given, tree, path, which) for path in solutions]
    if strategy is not None:
        drawn = _played(given, strategy, max_nodes, progress)
        strategies = drawn.sparse if drawn.sparse is not None else drawn.profile
        assert strategies is not None
        plays = shown_on(tree, strategies, strategy, caption=drawn.caption)
        # Nobody gains against an equilibrium.
        shown += [plays] if strategy == EQUILIBRIUM else [plays, *exploiters(plays)]
    shown = [Shown(each.name, each.profile, each.caption, shares) for each in shown]
    write_viewer(tree, all_different(shown), output)


def _way_to_large(error: TreeTooLargeError, output: Path) -> str:
    """What to do instead of a page of the whole tree, which no budget would make small."""
    words = shlex.join(click.get_current_context().params["words"])
    nodes = f"{error.nodes:,}" if error.exact else f"more than {error.nodes:,}"
    page = shlex.quote(str(output))
    return (
        f"the tree has {nodes} nodes, over the budget of {error.budget:,}; a page of what is played is made by "
        f"'efg-builder solve {words} -o s.json.gz', then 'efg-builder draw {words} --solution s.json.gz -o {page}'"
    )


def _played(given: Source, strategy: str, max_nodes: int, progress: Callable[[str], None]) -> Drawn:
    """The strategy, measured where that is quick, or else over the tree, which is there anyway."""
    try:
        return played(given, strategy, False, max_nodes, progress)
    except NotApplicableError:
        return played(given, strategy, False, max_nodes, progress, "tree")


def _solution(given: Source, tree: GameTree, path: Path, which: int | None) -> Shown:
    """The equilibrium in a file, verified here and now rather than believed."""
    found = read_solved(path, given.game if given.game is not None else tree, lambda: tree, which)
    if which is not None and isinstance(found, SparseProfile):
        raise click.UsageError(f"--which is for solutions with several equilibria; {path} has one")
    return shown_on(tree, found, _name(path), caption=verdict_in_words(found))


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".json")
