"""``efg-builder draw``: pictures and pages of a tree, with strategies."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from ..base.errors import NotApplicableError, ParameterError, PictureTooLargeError, TreeTooLargeError
from ..base.files import PAGES, read_text
from ..display.pages.card import write_card
from ..display.pages.viewer import Shown, all_different, each_equilibrium, exploiters, shown_on, write_shown
from ..display.trees import DrawOptions, Style, formats, save, suited
from ..display.trees.choose import part_in_words, picture, with_ranges
from ..display.trees.options import LARGE, check_page_options, picture_of, settings_of
from ..display.trees.strategies import NO_EQUILIBRIUM, find_drawn, read_drawn
from ..display.trees.subject import DrawnStrategies, DrawnSubject, subject_of
from ..equilibria.ranges import ranges as all_ranges
from ..forms.extensive import GameTree
from ..forms.hand_names import Label, displayed
from ..forms.subject import Subject
from ..players.find import AUTO, Table
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..proof.certificate.reading import holds_strategies
from . import options as opts
from . import say
from .common import Progress, advised, built, check_outputs, ending, playable, source

UNBELIEVED = "; --beliefs is ignored: the public tree has no hands"

_TYPES = {"number": float, "probability": opts.rational(0, 1), "count": click.IntRange(min=1)}


def _options_of(settings: type) -> Callable[[Any], Any]:
    """Return a decorator that adds the options for *settings*. The options for ``Style`` have the default None."""
    made = []
    for name, setting in settings_of(settings).items():
        kind: dict[str, Any] = {"type": _TYPES.get(setting.kind), "metavar": setting.metavar}
        if setting.kind == "choice":
            kind = {"type": click.Choice(setting.choices)}
        elif setting.kind == "flag":
            kind = {"is_flag": True, "default": None if settings is Style else False}
        option = setting.option or f"--{name.replace('_', '-')}"
        made.append(click.option(option, name, help=setting.help, **kind))
    return opts.all_of(*made)


picture_options = _options_of(DrawOptions)


@click.command("draw", cls=opts.Grouped, first="output solution strategy view for")
@opts.words
@opts.outputs("Picture (.svg, .png, .pdf, .tex, .gv) or interactive web page (.html).", required=True)
@click.option(
    "--solution",
    "solutions",
    type=opts.FilePath(),
    multiple=True,
    help="Solution from 'efg-builder solve -o'. On a web page, you can switch between several solutions.",
)
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="Strategy for all seats: a file, or the name of a computer player such as equilibrium, as for 'evaluate'.",
)
@opts.count("--which", "Number of the equilibrium to draw, for a solution with several equilibria, e.g. 2.")
@click.option("--ranges", "ranged", is_flag=True, help="Show the range of each probability over all equilibria.")
@click.option(
    "--all",
    "all_ends",
    is_flag=True,
    help="With --view public, for two players: show the game without strategies, with a table of the payoffs for "
    "each pair of hands at each terminal history.",
)
@click.option(
    "--blanks",
    is_flag=True,
    help="With --view public, for two players: draw a worksheet, which is the picture of --all with an empty box for "
    "each probability. With strategies, the boxes contain the answers.",
)
@picture_options
@_options_of(Style)
@opts.timeout(on_the_way=True)
@opts.gap
@opts.max_nodes
def command(words: tuple[str, ...], outputs: tuple[Path, ...], max_nodes: int, **given: Any) -> None:
    """Draw the tree of a game or file, for a slide, a printed column or page, or a web browser.

    For a --solution found without a tree, the picture shows the reached part of the game. If this part is too large,
    the picture shows the public histories with the highest reach probabilities (--view table). --strategy equilibrium
    draws the best strategy found within --timeout. Exit code 3: no strategy was found; 4: no strategy was found within
    --timeout.

    A web page (-o x.html) shows the whole tree; you can expand it, search it and compare strategies. You can repeat
    --solution, and add a --strategy; the page then also shows each player's best response to the strategy. With
    --view card, the page is a card to print: each player's moves by hand and last bid.

    \b
    Examples:
      efg-builder draw liars-dice sides=2 --strategy equilibrium -o slide.png
      efg-builder draw dice-poker sides=2 --for column -o figure.tex
      efg-builder draw liars-dice sides=3 --strategy equilibrium --ranges -o tree.html
      efg-builder draw liars-dice sides=3 --strategy equilibrium --view card -o card.html
      efg-builder draw liars-dice sides=3 --strategy equilibrium --view public -o public.pdf
      efg-builder draw liars-dice sides=6 dice=2,1 --solution solution.json --view table --reach 1/100 -o table.png
    """
    check_outputs(outputs, [*(suffix for each in formats().values() for suffix in each.suffixes), *PAGES])
    pages = [path for path in outputs if ending(path, *PAGES)]
    if 0 < len(pages) < len(outputs):
        raise ParameterError("a page and a picture take different options; use one command for each")
    names = ("solutions", "strategy", "which", "timeout", "gap", "view", "ranged")
    named = {name: given.pop(name) for name in names}
    strategies = (len(named["solutions"]), named["strategy"] is not None, named["which"] is not None)
    options = None
    if pages:
        check_page_options(
            given | {"table": named["view"] == "table", "view": named["view"]}, *strategies, named["ranged"]
        )
    else:
        options = picture_of(given | {"view": named["view"], "ranges": {} if named["ranged"] else None}, *strategies)
    with Progress() as progress:
        request = DrawRequest(source(words).subject(max_nodes), progress=progress, **named)
        if named["view"] == "card" and request.drawn is not None and pages:
            for path in pages:
                write_card(path, request.drawn)
        elif options is None:
            _write_pages(request, pages)
        else:
            _draw(request, outputs, options)
    for path in outputs:
        say(f"{path}")


# The subject of the picture.


@dataclass(frozen=True)
class DrawRequest:
    """The request, as typed on the command line.

    ``timeout`` (in seconds) and ``gap`` are limits for the strategy ``equilibrium``.
    """

    game: Subject
    solutions: tuple[Path, ...]
    strategy: str | None
    which: int | None
    timeout: float
    gap: Fraction | None
    view: str | None
    ranged: bool
    progress: Callable[[str], None]

    @cached_property
    def tree(self) -> GameTree:
        return built(self.game)

    @cached_property
    def drawn(self) -> DrawnStrategies | None:
        """The strategies of a picture."""
        if self.solutions:
            return self.read(self.solutions[0])
        return None if self.strategy is None else self.found()

    def read(self, solution: Path) -> DrawnStrategies:
        with advised(self.game):
            return read_drawn(solution, self.game, self.which)

    def found(self, method: str = AUTO) -> DrawnStrategies:
        table = Table(self.game, self.timeout, self.progress, gap=self.gap)
        return find_drawn(self.strategy or "", table, method, say)

    def subject(self, part: bool) -> DrawnSubject:
        """Return the subject of a picture of the whole game, or of *part* of it."""
        if self.drawn is None:
            return subject_of(self.tree, None, self.view)
        on_file = self.solutions and self.game.given_tree is not None and self.view != "table"
        shown = self.tree if on_file else self.drawn
        return subject_of(shown, self.drawn, self.view, max_nodes=self.game.max_nodes, part=part)


# Pictures.


def _draw(asked: DrawRequest, outputs: Sequence[Path], options: DrawOptions) -> None:
    view, subject = asked.view, asked.subject(options.folds)
    beliefs, table = options.beliefs, subject.view == "table"
    options = subject.headed(replace(options, view=subject.view, beliefs=beliefs and not table))
    if asked.ranged:
        options = with_ranges(options, subject, asked.progress)
    first, *others = (suited(path, options) for path in outputs)
    if options.ranges is None and all(other == first for other in others):
        options = first  # one layout for all files
    try:
        shown = picture(subject, options, view)
        if shown.options.view != options.view:
            say(f"{shown.why}, so it is drawn with --view {shown.options.view}; --view tree draws each deal")
        if table and (view is None or shown.options.reach != options.reach):
            say(f"the picture shows {part_in_words(shown.options)}{UNBELIEVED if beliefs else ''}")
        for path in outputs:
            save(path, subject, shown)
    except PictureTooLargeError as error:
        paged = not options.by_hands and options.view != "sheet"
        hint = f"{error.hint}; a page (-o x.html) has no such limit" if paged else error.hint
        raise PictureTooLargeError(error.nodes, error.limit, hint, error.parts) from None
    for line in _about_picture(subject, shown.options):
        say(line)


def _about_picture(subject: DrawnSubject, drawn: DrawOptions) -> Iterator[str]:
    if subject.sparse is not None and drawn.view == "tree" and drawn.reach:
        yield "--reach applies to each deal separately; --view table averages over hands"
    if drawn.beliefs and (line := subject.about_beliefs(drawn.view)):
        yield line
    if len(subject.tree) > LARGE and drawn.view not in ("public", "sheet") and not drawn.folds:
        less = "--reach 0" if subject.profile is not None else "--solution FILE --reach 0"
        yield f"the picture is large: {len(subject.tree):,} nodes; {less} or --depth D makes it smaller"


# Pages.


def _write_pages(asked: DrawRequest, pages: Sequence[Path]) -> None:
    """Write *pages* with all solutions and the strategy.

    If the tree is too large, and the solution was found without a tree, the page shows the reached part of the game.
    """
    label: Label | None = None
    only_played = False
    try:
        tree = asked.tree
    except TreeTooLargeError as error:
        game, alone = asked.game.given_rules, not asked.solutions and asked.strategy in (None, EQUILIBRIUM)
        if alone and game is not None and playable(game):
            raise ParameterError(_way_to_large(error, pages[0])) from None
        one = len(asked.solutions) == 1 and asked.strategy is None and not asked.ranged
        if not (one and holds_strategies(read_text(asked.solutions[0]))):
            raise
        part = replace(asked, view="tree").subject(False)
        only_played = part.only_played
        tree, shown = part.tree, [shown_on(part.tree, part, _name(asked.solutions[0]))]
        label = displayed(part.sparse.game) if part.sparse else None
    else:
        shares = all_ranges(tree, vertices=0, progress=asked.progress).shares if asked.ranged else None
        shown = [shown_on(tree, each, name) for path in asked.solutions for name, each in _each(asked, path)]
        if asked.strategy is not None:
            shown += _plays(asked, asked.strategy)
        shown = [replace(each, ranges=shares) for each in all_different(shown)]
    for page in pages:
        write_shown(tree, shown, page, asked.view, label, only_played)


def _plays(asked: DrawRequest, strategy: str) -> list[Shown]:
    """Return the entries for *strategy*: each equilibrium that was found, or the strategy and its best responses."""
    try:
        found = asked.found()
    except NotApplicableError:  # measuring without a tree is too slow; the page needs the tree anyway
        found = asked.found("tree")
    if found.solution is not None:  # no player gains by a best response to an equilibrium
        several = each_equilibrium(strategy, found, found.solution.pick)
        return [shown_on(asked.tree, each, name) for name, each in several]
    plays = shown_on(asked.tree, found, NO_EQUILIBRIUM if strategy == EQUILIBRIUM else strategy)
    return [plays] if found.equilibrium else [plays, *exploiters(plays)]


def _way_to_large(error: TreeTooLargeError, output: Path) -> str:
    words = shlex.join(click.get_current_context().params["words"])
    nodes = f"{error.nodes:,}" if error.exact else f"more than {error.nodes:,}"
    page = shlex.quote(str(output))
    return (
        f"the tree has {nodes} nodes, over the budget of {error.budget:,}; to make a page of the reached part, run "
        f"'efg-builder solve {words} -o s.json.gz', then 'efg-builder draw {words} --solution s.json.gz -o {page}'"
    )


def _each(asked: DrawRequest, path: Path) -> list[tuple[str, DrawnStrategies]]:
    """Return the equilibria in a solution file by name, or the only one; ``--which`` picks one."""
    first = asked.read(path)
    if asked.which is not None:
        return [(_name(path), first)]
    return each_equilibrium(_name(path), first, lambda number: replace(asked, which=number).read(path))


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".json")
