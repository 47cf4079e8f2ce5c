"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import NotApplicableError, PictureTooLargeError, PictureTooSmallError, TreeTooLargeError
from ..base.files import write_atomically
from ..display.pages.viewer import SUFFIXES, Shown, all_different, exploiters, shown_on, write_shown
from ..display.trees.options import DIRECTIONS, LEGENDS, PURPOSES, SETS, Style, read_style, style_text
from ..display.trees.palettes import SCHEMES
from ..equilibria.ranges import ranges as all_ranges
from ..forms.extensive import GameTree
from ..forms.public_tree import public_tree
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..proof.certificate import read_solved, read_sparse
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from . import say
from .common import (
    Command,
    FilePath,
    Progress,
    Source,
    all_of,
    check_outputs,
    gap_option,
    max_nodes_option,
    outputs_option,
    playable,
    rational,
    source,
    timeout_option,
    words_argument,
)
from .drawn import (
    UNBELIEVED,
    VIEW_TABLE,
    Drawn,
    Limits,
    no_beliefs,
    played,
    solved,
    table_in_words,
    verdict_in_words,
)

if TYPE_CHECKING:
    from ..display.trees import DrawOptions

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
    click.option("--values", is_flag=True, help="Show the expected payoffs of the nodes that are reached."),
    click.option("--beliefs", is_flag=True, help="Show how likely each node is within its information set."),
    click.option(
        "--view",
        type=click.Choice(["tree", "public", "table"]),
        help="tree: each deal by itself. public: one node per public history, in it a table of hands by moves. table: "
        "the tree that the table sees, all hands together, of strategies found without a tree, as --method oracle "
        "does. A page has the first two and opens with this one.  [default: tree; with --ranges public, where "
        "the tree is no slide; in a page public, where there is one; in 'run' what fits]",
    ),
)
"""The options of every command that draws."""


def _aspect(text: str) -> tuple[float, float]:
    """``16:9``."""
    try:
        width, height = (float(part) for part in text.split(":"))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not WIDTH:HEIGHT, such as 16:9") from None
    if not (width > 0 and height > 0):
        raise click.BadParameter(f"{text!r}: both must be above 0")
    return width, height


style_options = all_of(
    click.option(
        "--for",
        "purpose",
        type=click.Choice(PURPOSES),
        help="slide: 1280 x 720, letters of at least 9 pixels. column: 228.6 points wide, letters of at least 6.5 "
        "points, no title, no legend. page: 482 points wide. free: as large as it gets.  [default: slide where it "
        "can be read, else free; .tex: free]",
    ),
    click.option(
        "--direction", type=click.Choice(DIRECTIONS), help="Where play goes.  [default: what gives larger letters]"
    ),
    click.option("--aspect", type=_aspect, metavar="W:H", help="Width by height of the picture: 16:9."),
    click.option("--width", type=float, metavar="PIXELS", help="Width of the picture."),
    click.option("--font-size", type=float, metavar="PIXELS", help="Height of the letters of moves."),
    click.option("--legend", type=click.Choice(LEGENDS), help="Where it stands."),
    click.option("--head/--no-head", default=None, help="With title and caption or without."),
    click.option("--title", metavar="TEXT", help="Another title."),
    click.option("--sets", type=click.Choice(SETS), help="Information sets as dotted lines or enclosures."),
    click.option("--colors", type=click.Choice(SCHEMES), help="dark: for a dark page; grey: for a grey print."),
    click.option(
        "--mute-offpath/--show-offpath", default=None, help="Fade what play never reaches, or draw it dashed (default)."
    ),
    click.option("--fragment", is_flag=True, default=None, help="Of .tex what a paper takes by \\input."),
    click.option("--style", "style_file", type=FilePath(), help="A TOML file with any of these settings."),
    click.option("--style-out", type=FilePath(), help="Write the present settings as TOML."),
)
"""How a picture looks. What is not given is as in --style, or else the default."""


def asked_style(given: Mapping[str, Any]) -> Style:
    """The style that options ask for, over that of the file. Writes it where that is asked for."""
    chosen = {name: value for name, value in given.items() if value is not None}
    path, out = chosen.pop("style_file", None), chosen.pop("style_out", None)
    style = read_style(path, chosen) if path is not None else Style(**chosen)
    if out is not None:
        write_atomically(out, [style_text(style).encode()])
    return style


@click.command("draw", cls=Command, old={"--table": "--view table"})
@words_argument
@outputs_option("A .svg, .png, .pdf, .tex, .gv or .ef file, or a page (.html) to look at it all.", required=True)
@click.option(
    "--solution",
    "solutions",
    type=FilePath(),
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
    "--all",
    "all_ends",
    is_flag=True,
    help="With --view public, for two players: the game by itself, with what each end pays to each pair of hands.",
)
@picture_options
@style_options
@timeout_option(on_the_way=True)
@gap_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    solutions: tuple[Path, ...],
    strategy: str | None,
    which: int | None,
    view: str | None,
    reach: Fraction | None,
    depth: int | None,
    values: bool,
    beliefs: bool,
    ranged: bool,
    all_ends: bool,
    timeout: Fraction,
    gap: Fraction | None,
    max_nodes: int,
    **given_style: Any,
) -> None:
    """Draw the tree of a game or file, for a slide, a column or a page.

    With a --solution that was found without a tree, the part of the game that is played is drawn; where that is too
    large for a picture, what the table sees of it (--view table), as often reached as there is room. The --strategy
    'equilibrium' is the best that is found within --timeout. Exit code 3: none was found; 4: not within that time.

    A page (-o x.html) shows it all in any browser: it unfolds, searches and compares, and takes several --solution
    and a --strategy, which comes with a best response of each player.

    \b
    Examples:
      efg-builder draw liars-dice sides=2 --strategy equilibrium -o slide.png
      efg-builder draw dice-poker sides=2 --for column --sets enclosed -o figure.tex
      efg-builder draw liars-dice sides=3 --strategy equilibrium --ranges -o tree.html
      efg-builder draw liars-dice sides=3 --strategy equilibrium --view public -o public.pdf
      efg-builder draw liars-dice sides=6 dice=2,1 --solution solution.json --view table --reach 1/100 -o table.png
    """
    from ..display.trees import MAX_NODES, TABLE_HINT, VIEWS, DrawOptions, draw, formats
    from ..display.trees.room import TABLE_NODES, reach_that_fits

    limits, table = Limits(float(timeout), gap), view == "table"
    known = [suffix for each in formats().values() for suffix in each.suffixes]
    check_outputs(outputs, [*known, *SUFFIXES])
    pages = [path for path in outputs if path.suffix.lower() in SUFFIXES]
    if 0 < len(pages) < len(outputs):
        raise click.UsageError("a page and a picture take different options; give each a command of its own")
    if pages:
        pictured = {"--reach": reach is not None, "--depth": depth is not None, "--values": values}
        pictured |= {
            "--beliefs": beliefs,
            VIEW_TABLE: table,
            "--all": all_ends,
            "--for and what else is said of a style": any(value is not None for value in given_style.values()),
        }
        _check_page(pictured, solutions, which, strategy, ranged)
        with Progress() as progress:
            _write_page(source(words), pages, solutions, which, strategy, ranged, view, max_nodes, progress, limits)
        _tell(pages)
        return
    style = asked_style(given_style)
    if len(solutions) > 1:
        raise click.UsageError("several --solution are for pages (-o x.html); a picture shows one")
    solution = solutions[0] if solutions else None
    check_picture(view, beliefs)
    _check_words(solution, strategy, which)
    if all_ends and (view != "public" or solution is not None or strategy is not None or ranged):
        raise click.UsageError("--all draws a game by itself: it needs --view public, and takes no strategy")
    if solution is None and strategy is None and (reach is not None or values or beliefs or table):
        raise click.UsageError(f"--reach, --values, --beliefs and {VIEW_TABLE} need a --solution or a --strategy")
    given, shares = source(words), None
    part = reach is not None or depth is not None
    with Progress() as progress:
        if solution is not None:
            shown = solved(given, solution, which, view, max_nodes, part)
        elif strategy is not None:
            shown = played(given, strategy, view, max_nodes, progress, limits, part=part)
        else:
            shown = Drawn(given.tree(max_nodes), None, "")
        tree, caption, sparse = shown.tree, shown.caption, shown.sparse
        if ranged:
            if sparse is not None:
                raise click.UsageError("--ranges needs the tree, or a solution of one: solve it with --method lp")
            shares = all_ranges(tree, vertices=0, progress=progress).shares
            caption = "; ".join(filter(None, [caption, RANGED]))
            asked = DrawOptions(reach, depth, values, beliefs, ranges=shares, style=style)
            if view is None and _better_public(tree, shown.profile, asked):
                view = "public"
                say("too large for a slide as a tree: drawn as --view public; --view tree draws each deal by itself")
    public, table = view == "public", shown.table
    try:
        drawn_as = VIEWS[0] if table or view is None else view
        options = DrawOptions(
            reach,
            depth,
            values,
            beliefs and not table,
            caption,
            ranges=shares,
            view=drawn_as,
            style=style,
            all_ends=all_ends,
        )
        if table and not part:
            assert shown.profile is not None
            fitting = reach_that_fits(shown.profile, options, MAX_NODES if view == "table" else TABLE_NODES)
            options = replace(options, reach=fitting)
            if style.purpose in ("slide", "page") and fitting is not None:  # which have no room for the game's comment
                options = replace(options, caption=f"{caption}; shown is {table_in_words(fitting)}".removeprefix("; "))
        if table and (view is None or options.reach != reach):
            say(f"the picture shows {table_in_words(options.reach)}{UNBELIEVED if beliefs else ''}")
        for path in outputs:
            draw(tree, path, sparse if public and sparse is not None else shown.profile, options)
    except PictureTooLargeError as error:
        hint = error.hint if sparse is None or table or public else TABLE_HINT
        page = "a page (-o x.html) has no such limit"
        raise PictureTooLargeError(error.nodes, error.limit, f"{hint}; {page}") from None
    if sparse is not None and not table and not public and reach:
        say(f"--reach counts each deal by itself here; {VIEW_TABLE} joins all hands")
    if beliefs and not table and (line := no_beliefs(shown.profile, view)):
        say(line)
    if len(tree) > LARGE and not public and options.reach is None and depth is None:
        less = "--reach 0" if shown.profile is not None else "--solution FILE --reach 0"
        say(f"a large picture: {len(tree):,} nodes; {less} or --depth D draws less")
    _tell(outputs)


def _better_public(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> bool:
    """Whether *tree* is no slide, and has a public tree: a range that is written at every deal is read at none."""
    from ..display.trees import scene_of

    style = options.style
    if style.purpose != "auto" or style.aspect or style.width or style.font_size:
        return False
    try:
        scene_of(tree, profile, replace(options, style=replace(style, purpose="slide")))
    except (PictureTooLargeError, PictureTooSmallError):
        try:
            public_tree(tree)
        except NotApplicableError:
            return False
        return True
    return False


def _tell(paths: Sequence[Path]) -> None:
    for path in paths:
        say(f"{path}")


def _check_words(solution: Path | None, strategy: str | None, which: int | None) -> None:
    """Raise ``click.UsageError`` for options that do not go together."""
    if solution is not None and strategy is not None:
        raise click.UsageError("--solution and --strategy: a picture is of one of the two")
    if which is not None and solution is None:
        raise click.UsageError("--which needs a --solution")


def check_picture(view: str | None, beliefs: bool) -> None:
    """Raise ``click.UsageError`` for what does not go together."""
    from ..display.trees import NO_BELIEFS

    if view == "table" and beliefs:
        raise click.UsageError(f"--beliefs with {VIEW_TABLE}: {NO_BELIEFS}")


# Pages.


def _check_page(
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


def _write_page(
    given: Source,
    pages: Sequence[Path],
    solutions: Sequence[Path],
    which: int | None,
    strategy: str | None,
    ranged: bool,
    view: str | None,
    max_nodes: int,
    progress: Callable[[str], None],
    limits: Limits,
) -> None:
    """Write the *pages*, each alike: all *solutions*, then the *strategy*, and each player's best response to it.

    They open with *view* (None: the public one, where there is one).
    Where the tree is too large and there is one solution without a tree, the part that is played is shown. Raises what
    reading, measuring and writing raise, and ``click.UsageError``, which says how to get there, where the tree is too
    large for a page of a game that is solved without it.
    """
    try:
        tree = given.tree(max_nodes)
    except TreeTooLargeError as error:
        asked = not solutions and strategy in (None, EQUILIBRIUM)
        if asked and given.game is not None and playable(given.game):
            raise click.UsageError(_way_to_large(error, pages[0])) from None
        if len(solutions) != 1 or strategy is not None or ranged or read_sparse(solutions[0], given.game) is None:
            raise
        part = solved(given, solutions[0], which, "tree", max_nodes)
        assert part.profile is not None
        for page in pages:
            write_shown(part.tree, [Shown(_name(solutions[0]), part.profile, part.caption)], page, view)
        return
    shares = all_ranges(tree, vertices=0, progress=progress).shares if ranged else None
    shown = [_solution(given, tree, path, which) for path in solutions]
    if strategy is not None:
        drawn = _played(given, strategy, max_nodes, progress, limits)
        strategies = drawn.sparse if drawn.sparse is not None else drawn.profile
        assert strategies is not None
        plays = shown_on(tree, strategies, strategy, caption=drawn.caption)
        # Nobody gains against an equilibrium.
        shown += [plays] if drawn.equilibrium else [plays, *exploiters(plays)]
    shown = [Shown(each.name, each.profile, each.caption, shares) for each in shown]
    for page in pages:
        write_shown(tree, all_different(shown), page, view)


def _way_to_large(error: TreeTooLargeError, output: Path) -> str:
    """What to do instead of a page of the whole tree, which no budget would make small."""
    words = shlex.join(click.get_current_context().params["words"])
    nodes = f"{error.nodes:,}" if error.exact else f"more than {error.nodes:,}"
    page = shlex.quote(str(output))
    return (
        f"the tree has {nodes} nodes, over the budget of {error.budget:,}; a page of what is reached is made by "
        f"'efg-builder solve {words} -o s.json.gz', then 'efg-builder draw {words} --solution s.json.gz -o {page}'"
    )


def _played(given: Source, strategy: str, max_nodes: int, progress: Callable[[str], None], limits: Limits) -> Drawn:
    """The strategy, measured where that is quick, or else over the tree, which is there anyway."""
    try:
        return played(given, strategy, "tree", max_nodes, progress, limits)
    except NotApplicableError:
        return played(given, strategy, "tree", max_nodes, progress, limits, "tree")


def _solution(given: Source, tree: GameTree, path: Path, which: int | None) -> Shown:
    """The equilibrium in a file, verified here and now rather than believed."""
    found = read_solved(path, given.game if given.game is not None else tree, lambda: tree, which)
    if which is not None and isinstance(found, SparseProfile):
        raise click.UsageError(f"--which is for solutions with several equilibria; {path} has one")
    return shown_on(tree, found, _name(path), caption=verdict_in_words(found))


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".json")
