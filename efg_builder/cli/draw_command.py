"""``efg-builder draw``: pictures and pages of a tree, with strategies."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from ..base.errors import NotApplicableError, PictureTooLargeError, PictureTooSmallError, RecallError, TreeTooLargeError
from ..base.rationals import brief, up
from ..base.words import listed, minus
from ..display.pages.page import SUFFIXES
from ..display.pages.viewer import Shown, all_different, exploiters, shown_on, write_shown
from ..display.trees import DrawOptions, Style, Subject, caption_of, draw, fit, formats, payoffs_of, subject_of
from ..display.trees.options import MAX_NODES, made, settings_of
from ..equilibria.ranges import ranges as all_ranges
from ..forms.extensive import GameTree, has_value, revisits
from ..forms.hand_names import Label, displayed
from ..forms.public_tree import public_tree
from ..players.evaluate import unwritten
from ..players.find import AUTO, Table, drawn_form, find, shown
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..players.kinds.equilibrium import solved
from ..proof import Verdict, verify
from ..proof.best_response import values
from ..proof.certificate import read_refined, read_solved, read_sparse
from ..proof.reach import reaches
from ..proof.sequential import SequentialVerdict
from ..strategies.reading import place_in
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from . import options as opts
from . import say
from .common import Progress, Source, check_outputs, ending, playable, source

UNBELIEVED = "; --beliefs is ignored: the public tree has no hands"

RANGED = "probabilities: lowest to highest over all equilibria"

LARGE = 400
"""The maximum number of nodes of a whole tree that fits on a slide."""

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
@picture_options
@_options_of(Style)
@opts.timeout(on_the_way=True)
@opts.gap
@opts.max_nodes
def command(words: tuple[str, ...], outputs: tuple[Path, ...], **given: Any) -> None:
    """Draw the tree of a game or file, for a slide, a printed column or page, or a web browser.

    For a --solution found without a tree, the picture shows the reached part of the game. If this part is too large,
    the picture shows the public histories with the highest reach probabilities (--view table). --strategy equilibrium
    draws the best strategy found within --timeout. Exit code 3: no strategy was found; 4: no strategy was found within
    --timeout.

    A web page (-o x.html) shows the whole tree; you can expand it, search it and compare strategies. You can repeat
    --solution, and add a --strategy; the page then also shows each player's best response to the strategy.

    \b
    Examples:
      efg-builder draw liars-dice sides=2 --strategy equilibrium -o slide.png
      efg-builder draw dice-poker sides=2 --for column -o figure.tex
      efg-builder draw liars-dice sides=3 --strategy equilibrium --ranges -o tree.html
      efg-builder draw liars-dice sides=3 --strategy equilibrium --view public -o public.pdf
      efg-builder draw liars-dice sides=6 dice=2,1 --solution solution.json --view table --reach 1/100 -o table.png
    """
    check_outputs(outputs, [*(suffix for each in formats().values() for suffix in each.suffixes), *SUFFIXES])
    pages = [path for path in outputs if ending(path, *SUFFIXES)]
    if 0 < len(pages) < len(outputs):
        raise click.UsageError("a page and a picture take different options; use one command for each")
    names = ("solutions", "strategy", "which", "max_nodes", "timeout", "gap", "view", "ranged")
    named = {name: given.pop(name) for name in names}
    check = _check_page if pages else _picture_options
    options = check(named, given)
    with Progress() as progress:
        asked = DrawRequest(source(words), progress=progress, **named)
        if options is None:
            _write_pages(asked, pages)
        else:
            _draw(asked, outputs, options)
    for path in outputs:
        say(f"{path}")


# The subject of the picture.


@dataclass(frozen=True)
class DrawRequest:
    """The request, as typed on the command line.

    ``timeout`` (in seconds) and ``gap`` are limits for the strategy ``equilibrium``.
    """

    given: Source
    solutions: tuple[Path, ...]
    strategy: str | None
    which: int | None
    max_nodes: int
    timeout: float
    gap: Fraction | None
    view: str | None
    ranged: bool
    progress: Callable[[str], None]

    @cached_property
    def tree(self) -> GameTree:
        return self.given.tree(self.max_nodes)


@dataclass(frozen=True)
class DrawnStrategies:
    """Strategies of all players, with caption and verdict. ``equilibrium``: True for an equilibrium from --strategy.

    ``refined`` is the proof of a sequential equilibrium. ``place``: the number of the equilibrium among several in the
    file, such as ``"1 of 4"``.
    """

    form: TreeProfile | SparseProfile
    caption: str
    equilibrium: bool = False
    verdict: Verdict | None = None
    refined: SequentialVerdict | None = None
    place: str = ""

    @classmethod
    def verified(
        cls,
        form: TreeProfile | SparseProfile,
        verdict: Verdict,
        refined: SequentialVerdict | None,
        equilibrium: bool = False,
        place: str = "",
    ) -> DrawnStrategies:
        caption = caption_of(_players(form), verdict, refined is not None, place)
        return cls(form, caption, equilibrium, verdict, refined, place)


def _solved(asked: DrawRequest, solution: Path) -> DrawnStrategies:
    if solution.exists() and str(solution).lower().removesuffix(".gz").endswith(".csv"):
        hint = f"--strategy {solution} draws a table of one equilibrium"
        raise click.UsageError(f"--solution {solution}: must be a .json file; {hint}")
    game = asked.given.game
    found = read_solved(solution, game if game is not None else asked.tree, lambda: asked.tree, asked.which)
    if asked.which is not None and isinstance(found, SparseProfile):
        raise click.UsageError(f"--which is for solutions with several equilibria; {solution} has one equilibrium")
    place = "" if isinstance(found, SparseProfile) else place_in(solution, asked.which)
    try:
        verdict = verify(found)
    except NotApplicableError:
        return DrawnStrategies(found, "")
    refined = read_refined(solution, found) if isinstance(found, TreeProfile) and asked.which is None else None
    return DrawnStrategies.verified(found, verdict, refined, place=place)


def _played(asked: DrawRequest, method: str = AUTO) -> DrawnStrategies:
    assert asked.strategy is not None
    subject = asked.given.subject(asked.max_nodes)
    seats = Table(subject, asked.max_nodes, asked.timeout, asked.progress, gap=asked.gap)
    solution = solved(seats) if asked.strategy == EQUILIBRIUM else None
    plays = find(asked.strategy if solution is None else solution.strategy, seats)
    if line := unwritten(plays, seats):
        say(line)
    over, form = drawn_form(asked.strategy, plays, seats, method)
    try:
        verdict = verify(form, over=over)
    except RecallError as error:
        if not isinstance(form, TreeProfile):
            raise
        # Payoffs are defined even without perfect recall.
        value, equilibrium, gain = values(form).value, False, f"no NashConv: {error}"
    else:
        if solution is not None and verdict.equilibrium:
            return DrawnStrategies.verified(form, verdict, solution.refined, True)
        value, equilibrium = verdict.value, verdict.equilibrium
        gains = [best - value for best, value in zip(verdict.best_responses, value, strict=True)]
        total = sum(gains[1:], start=gains[0])
        gain = f"NashConv {minus(brief(total))} ({'exact' if verdict.exact else 'floats'})"
        if verdict.exact and verdict.error_bound is not None:
            gain = f"NashConv at most {up(Fraction(total), 6)}"
    one = isinstance(form, SparseProfile) or has_value(form.tree)  # sparse profiles are for two-player zero-sum games
    payoffs = payoffs_of(_players(form), value, one, "payoff")
    return DrawnStrategies(form, f"{shown(asked.strategy)} in all seats: {payoffs}; {gain}", equilibrium)


def _players(form: TreeProfile | SparseProfile) -> tuple[str, ...]:
    return form.tree.players if isinstance(form, TreeProfile) else form.game.players


def table_in_words(reach: Fraction | float | None) -> str:
    return f"the public tree, averaged over hands{f'; only {nodes_above(reach)}' if reach is not None else ''}"


def nodes_above(reach: Fraction | float | None) -> str:
    return f"nodes reached with probability above {reach}" if reach else "reached nodes"


def about_beliefs(subject: Subject, view: str | None) -> str:
    """Return a message if ``--beliefs`` has nothing to show, or beliefs need an explanation; otherwise return ""."""
    profile, tree = subject.profile, subject.tree
    if profile is None or view == "public":
        return ""
    sizes = Counter(tree.infoset.tolist())
    believed = subject.sequential.beliefs if subject.sequential else dict(enumerate(reaches(tree, profile)))
    sets = {k for node, k in enumerate(tree.infoset.tolist()) if believed.get(node)}
    if any(sizes[k] > 1 for k in sets.intersection(tree.personal)):
        again = {int(tree.infoset[node]) for node in revisits(tree)}
        twice = listed([repr(tree.names[k]) for k in sorted(again)])
        return f"a path meets {twice} twice: a belief there is a share of the expected visits" if again else ""
    return "--beliefs has nothing to show: no information set with several nodes is reached"


# Pictures.


def _picture_options(named: Mapping[str, Any], given: Mapping[str, Any]) -> DrawOptions:
    shown = {name: given[name] for name in ("reach", "depth", "values", "beliefs", "all_ends")}
    style = {name: value for name, value in given.items() if name not in shown and value is not None}
    if len(named["solutions"]) > 1:
        raise click.UsageError("only pages (-o x.html) take several --solution; a picture shows one solution")
    if named["solutions"] and named["strategy"] is not None:
        raise click.UsageError("--solution and --strategy: a picture shows only one of the two")
    if named["which"] is not None and not named["solutions"]:
        raise click.UsageError("--which needs a --solution")
    options = DrawOptions(view=named["view"] or "tree", style=made(Style, style, "the style"), **shown)
    options.check(bool(named["solutions"]) or named["strategy"] is not None)
    return options


def _draw(asked: DrawRequest, outputs: Sequence[Path], options: DrawOptions) -> None:
    view, ranged = asked.view, asked.ranged
    part = options.reach is not None or options.depth is not None
    subject = _subject(asked, part)
    beliefs, reach, table = options.beliefs, options.reach, subject.view == "table"
    options = subject.headed(replace(options, view=subject.view, beliefs=beliefs and not table))
    if ranged:
        if subject.sparse is not None:
            raise click.UsageError("--ranges needs a tree or a solution with a tree: solve the game with --method lp")
        shares = all_ranges(subject.tree, vertices=0, progress=asked.progress).shares
        options = replace(options, ranges=shares, caption="; ".join(filter(None, [options.caption, RANGED])))
    if ranged and view is None and _better_public(subject, options):
        options = replace(options, view="public")
        say("the tree is too large for a slide, so it is drawn with --view public; --view tree draws each deal")
    if table and not part:
        options = _that_fits(subject, options, whole=view == "table")
    if table and (view is None or options.reach != reach):
        say(f"the picture shows {table_in_words(options.reach)}{UNBELIEVED if beliefs else ''}")
    try:
        for path in outputs:
            draw(subject, path, options=options)
    except PictureTooLargeError as error:
        hint = error.hint if options.all_ends else f"{error.hint}; a page (-o x.html) has no such limit"
        raise PictureTooLargeError(error.nodes, error.limit, hint) from None
    public = options.view == "public"
    if subject.sparse is not None and options.view == "tree" and reach:
        say("--reach is for each deal separately; --view table averages over hands")
    if beliefs and not table and (line := about_beliefs(subject, options.view)):
        say(line)
    if len(subject.tree) > LARGE and not public and options.reach is None and options.depth is None:
        less = "--reach 0" if subject.profile is not None else "--solution FILE --reach 0"
        say(f"the picture is large: {len(subject.tree):,} nodes; {less} or --depth D makes it smaller")


def _subject(asked: DrawRequest, part: bool) -> Subject:
    view = asked.view
    if not asked.solutions and asked.strategy is None:
        return subject_of(asked.given.tree(asked.max_nodes), None, view)
    found = _solved(asked, asked.solutions[0]) if asked.solutions else _played(asked)
    sparse = isinstance(found.form, SparseProfile)
    on_file = asked.solutions and sparse and asked.given.game is None and view != "table"
    shown = asked.tree if on_file else found.form
    subject = subject_of(shown, found.form, view, max_nodes=asked.max_nodes, part=part)
    return replace(subject, caption=found.caption, verdict=found.verdict, refined=found.refined, place=found.place)


def _that_fits(subject: Subject, options: DrawOptions, whole: bool) -> DrawOptions:
    """Return *options* with a reach probability at which the public tree is readable.

    If *whole* is true, the tree is folded only if it is too large for a picture.
    """
    from ..display.trees.tree_view import TABLE_NODES, reach_that_fits

    assert subject.profile is not None
    fitting = reach_that_fits(subject.profile, options, MAX_NODES if whole else TABLE_NODES)
    caption = options.caption
    if options.style.purpose in ("slide", "page") and fitting is not None:  # such pictures omit the game's comment
        caption = f"{caption}; the picture shows {table_in_words(fitting)}".removeprefix("; ")
    return replace(options, reach=fitting, caption=caption)


def _better_public(subject: Subject, options: DrawOptions) -> bool:
    style = options.style
    if style.purpose != "auto" or style.aspect or style.width:
        return False
    try:
        fit(subject, options=replace(options, style=replace(style, purpose="slide")))
    except (PictureTooLargeError, PictureTooSmallError):
        with suppress(NotApplicableError):
            public_tree(subject.tree)
            return True
    return False


# Pages.


def _check_page(named: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    given = {**given, "table": named["view"] == "table"}
    pictured = {"table": "--view table", "all_ends": "--all"}
    pictured |= {name: f"--{name}" for name in ("reach", "depth", "values", "beliefs")}
    for name, value in given.items():
        if value is not None and value is not False:
            option = pictured.get(name, "an option of the appearance, such as --for,")
            raise click.UsageError(f"{option} is for pictures; a page has its own controls")
    if named["which"] is not None and len(named["solutions"]) > 1:
        raise click.UsageError("--which takes one --solution, but several are given")
    if named["ranged"] and not named["solutions"] and named["strategy"] is None:
        raise click.UsageError("--ranges on a page needs a --solution or a --strategy")


def _write_pages(asked: DrawRequest, pages: Sequence[Path]) -> None:
    """Write *pages* with all solutions, the strategy, and each player's best response to the strategy.

    If the tree is too large, and the solution was found without a tree, the page shows the reached part of the game.
    """
    label: Label | None = None
    try:
        tree = asked.tree
    except TreeTooLargeError as error:
        game, alone = asked.given.game, not asked.solutions and asked.strategy in (None, EQUILIBRIUM)
        if alone and game is not None and playable(game):
            raise click.UsageError(_way_to_large(error, pages[0])) from None
        one = len(asked.solutions) == 1 and asked.strategy is None and not asked.ranged
        if not one or read_sparse(asked.solutions[0], game) is None:
            raise
        part = _subject(replace(asked, view="tree"), False)
        assert part.profile is not None
        tree, shown = part.tree, [Shown(_name(asked.solutions[0]), part.profile, part.caption)]
        label = displayed(part.sparse.game) if part.sparse else None
    else:
        shares = all_ranges(tree, vertices=0, progress=asked.progress).shares if asked.ranged else None
        shown = [_entry(tree, _solved(asked, path), _name(path)) for path in asked.solutions]
        if asked.strategy is not None:
            try:
                found = _played(asked)
            except NotApplicableError:  # measuring without a tree is too slow; the page needs the tree anyway
                found = _played(asked, "tree")
            plays = _entry(tree, found, asked.strategy)
            # No player gains by a best response to an equilibrium.
            shown += [plays] if found.equilibrium else [plays, *exploiters(plays)]
        shown = [replace(each, ranges=shares) for each in all_different(shown)]
    for page in pages:
        write_shown(tree, shown, page, asked.view, label)


def _entry(tree: GameTree, found: DrawnStrategies, name: str) -> Shown:
    return shown_on(tree, found.form, name, caption=found.caption)


def _way_to_large(error: TreeTooLargeError, output: Path) -> str:
    words = shlex.join(click.get_current_context().params["words"])
    nodes = f"{error.nodes:,}" if error.exact else f"more than {error.nodes:,}"
    page = shlex.quote(str(output))
    return (
        f"the tree has {nodes} nodes, over the budget of {error.budget:,}; to make a page of the reached part, run "
        f"'efg-builder solve {words} -o s.json.gz', then 'efg-builder draw {words} --solution s.json.gz -o {page}'"
    )


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".json")
