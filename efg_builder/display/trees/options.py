"""The options of pictures, with their defaults, limits and help texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from math import inf
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from ...base.errors import ParameterError, PictureTooLargeError, kind_of, nearest
from .colors import SCHEMES

if TYPE_CHECKING:
    import os

    from ...equilibria.ranges import Ranges
    from ...equilibria.solution import Solution

MAX_NODES = 1_500
"""The default maximum number of nodes in a picture; the terminal nodes of such a tree fill about ten screens."""

LARGE = 600
"""The number of nodes above which a picture has no room on a slide or in a notebook's cell.

With letters of 9 pixels, about 150 terminal nodes fit side by side on a slide.
"""

PURPOSES = ("auto", "slide", "column", "page", "free")
DIRECTIONS = ("auto", "right", "down")
LEGENDS = ("auto", "top", "bottom", "none")
LINES = ("straight", "elbow")
VIEWS = ("tree", "public", "sheet", "table", "card", "explore")  # the views; the first is the default
ONLY_PAGES = {
    "explore": "only a page can be explored",
    "card": "a card is a page to print",
}  # the views without a picture
PAGE_VIEWS = ("tree", "public", "explore")  # the views that a page can show first


@dataclass(frozen=True)
class Setting:
    """An option with its help, which is empty if the option is not on the command line.

    ``kind`` is a key of ``_KINDS``, ``"choice"`` (one of ``choices``) or ``"aspect"``. ``limits`` are for numbers.
    ``option`` is the command-line name if it is not the field's name.
    """

    kind: str
    help: str
    choices: tuple[str, ...] = ()
    limits: tuple[float, float] = (0, inf)
    option: str = ""
    metavar: str | None = None

    def complaint(self, value: Any) -> str:
        """Return the requirement that *value* violates, or '' if *value* is valid."""
        if self.kind == "choice":
            return "" if value in self.choices else nearest(value, self.choices)
        kind, wanted = _KINDS.get(self.kind, (object, ""))
        right = isinstance(value, kind) and (kind not in (Real, Integral) or self.limits[0] <= value <= self.limits[1])
        return "" if right else f"must be {wanted.format(*self.limits)}"


_KINDS: Mapping[str, tuple[Any, str]] = {
    "flag": (bool, "True or False"),
    "text": (str, "text"),
    "number": (Real, "from {} to {} pixels"),
    "probability": (Real, "a probability, from 0 to 1"),
    "count": (Integral, "a whole number of at least {}"),
}
"""For each kind of setting, its type and its requirement in words."""


def _option(default: Any, kind: str, said: str = "", **known: Any) -> Any:
    return field(default=default, metadata={"setting": Setting(kind, said, **known)})


def _choice(choices: tuple[str, ...], said: str, **known: Any) -> Any:
    return _option(choices[0], "choice", said, choices=choices, **known)


def settings_of(options: type) -> dict[str, Setting]:
    """Return the command-line options of ``Style`` or ``DrawOptions``, by field name."""
    found = {each.name: each.metadata["setting"] for each in fields(options) if each.metadata}
    return {name: setting for name, setting in found.items() if setting.help}


def _check(options: Style | DrawOptions) -> None:
    for each in fields(options):
        value = getattr(options, each.name)
        if not each.metadata or (value is None and "None" in str(each.type)):
            continue
        if wrong := each.metadata["setting"].complaint(value):
            raise ParameterError(f"{each.name}={value!r}: {wrong}")


Options = TypeVar("Options", "Style", "DrawOptions")


def made(kind: type[Options], settings: Mapping[str, Any], source: str) -> Options:
    """Return options of type *kind* with the *settings*. In error messages, *source* names their origin."""
    known = _names(kind)
    for name in settings:
        if name not in known:
            near = nearest(name, known | _names(Style))
            raise ParameterError(f"{source} has no setting {name!r}; {near}")
    return kind(**settings)


def _names(kind: type) -> set[str]:
    return {each.name for each in fields(kind)}


def options_of(settings: Mapping[str, Any], source: str) -> DrawOptions:
    """Return the options with *settings*, which may include fields of ``Style``. Raises ``ParameterError``."""
    looks = {name: value for name, value in settings.items() if name in _names(Style)}
    options = made(DrawOptions, {name: settings[name] for name in settings if name not in looks}, source)
    return replace(options, style=replace(options.style, **looks)) if looks else options


_FOR = (
    "Size: slide (1280 x 720 pixels, font size at least 9 pixels), column (228.6 points wide, font size at least 6.5 "
    "points, no title or legend), page (482 points wide) or free (as large as needed). [default: slide if readable, "
    "else free; .tex: free]"
)


@dataclass(frozen=True)
class Style:
    """The look of a picture.

    Parameters
    ----------
    purpose : str, default "auto"
        ``"slide"``, ``"column"`` or ``"page"``, which have a size and a minimum font size, or ``"free"``. ``"auto"`` is
        ``"slide"`` if the slide is readable, otherwise ``"free"``.
    direction : str, default "auto"
        ``"right"`` or ``"down"``; ``"auto"`` selects the direction with the larger text.
    lines : str, default "straight"
        ``"straight"`` (elbows only if the labels do not fit) or ``"elbow"``.
    aspect : (float, float) or str, optional
        Aspect ratio (width to height) from 1:20 to 20:1, such as ``"16:9"``, instead of the purpose's ratio.
    width : float, optional
        Width in pixels, from 50 to 20,000, instead of the purpose's width.
    legend : str, default "auto"
        ``"top"``, ``"bottom"`` or ``"none"``; ``"auto"`` depends on the purpose.
    head : bool, default True
        Draw the title and the caption.
    title : str, optional
        The title. By default the game's title.
    colors : str, default "plain"
        ``"plain"``, ``"grey"`` for grayscale printing, or ``"dark"`` for a dark page.
    fragment : bool, default False
        For ``.tex``: write only the tikzpicture, for ``\\input``.

    Raises
    ------
    ParameterError
        If a value is invalid.
    """

    purpose: str = _choice(PURPOSES, _FOR, option="--for")
    direction: str = _choice(DIRECTIONS, "Direction of play. [default: the direction with the larger text]")
    aspect: tuple[float, float] | None = _option(
        None, "aspect", "Aspect ratio of the picture (width:height), e.g. 16:9.", metavar="W:H"
    )
    width: float | None = _option(
        None, "number", "Width of the picture in pixels, e.g. 900.", limits=(50, 20_000), metavar="PIXELS"
    )
    legend: str = _choice(LEGENDS, "Position of the legend.")
    head: bool = _option(True, "flag", "Draw the title and the caption.", option="--head/--no-head")
    title: str | None = _option(None, "text", "Title of the picture.", metavar="TEXT")
    lines: str = _choice(
        LINES, "Straight branches, or elbows. Straight branches become elbows if the labels do not fit."
    )
    colors: str = _choice(SCHEMES, "Colors: plain, dark (for dark pages), or grey (for grayscale printing).")
    fragment: bool = _option(False, "flag", "For .tex: write only the tikzpicture, for use with \\input.")

    def __post_init__(self) -> None:
        object.__setattr__(self, "aspect", _aspect(self.aspect))
        _check(self)


def _aspect(value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        width, height = (float(part) for part in (value.split(":") if isinstance(value, str) else value))
    except (TypeError, ValueError, OverflowError):
        width = height = 0.0
    if not (0 < width <= 20 * height < inf and height <= 20 * width):
        raise ParameterError(f"aspect={value!r}: must be width by height from 1:20 to 20:1, such as '16:9'")
    return width, height


_VIEW = (
    "tree: the game tree with every deal. public: the public tree, with a table of hands and moves at each public "
    "history. sheet: each hand in each situation as a bar that is divided by its moves. table: the public tree "
    "averaged over hands, for strategies found without a tree. card: a page to print, with each player's moves by hand "
    "and last bid, for bidding games of two players. explore: the probabilities as bars to move, on a web page, which "
    "opens with tree, public or explore. [default: tree, but public for web pages and, if the tree is too large for a "
    "slide, for --ranges; 'run' chooses a view that fits]"
)


@dataclass(frozen=True)
class DrawOptions:
    """The content of a picture.

    Float probabilities within ``base.rationals.NEGLIGIBLE`` of 0 or 1 are rounded to 0 or 1.

    Parameters
    ----------
    reach : Fraction or float, optional
        Hide nodes whose reach probability is at most this number, from 0 to 1. By default, no node is hidden.
    depth : int, optional
        Maximum depth of the shown nodes in moves, at least 0. By default, no node is hidden.
    values : bool, default False
        Show expected payoffs at nodes: player 1's payoff in a two-player constant-sum game, otherwise the mover's
        payoff.
    beliefs : bool, default False
        Show the probability of each node within its information set or, in the public view, of each hand. Unreached
        information sets have beliefs only if the profile was proved to be a sequential equilibrium.
    caption : str, optional
        The line below the title. By default the verdict of a solution.
    result : (str, str), optional
        A number to the right of the title, and its meaning. By default the payoffs of an equilibrium.
    max_nodes : int or None, default 1500
        Maximum number of nodes to draw; None for no limit.
    ranges : Ranges, optional
        The result of ``eb.ranges``: show the lowest and highest probability of each action over all equilibria.
    view : str, default "tree"
        ``"tree"``: every node. ``"public"``: for each public history, a table of the mover's hands and moves.
        ``"sheet"``: each hand in each situation as a bar that is divided by its moves, on one page. In bidding games, a
        situation is the last bid, averaged over the earlier bids.
        ``"table"``: for strategies without a tree, the public tree averaged over hands (``table_view``).
        ``"explore"`` is for pages: probabilities to move. So is ``"card"``: each player's moves by hand and last bid.
    style : Style or mapping, optional
        The look, such as ``{"purpose": "column", "lines": "elbow"}``.
    all_ends : bool, default False
        Show a table of payoffs by hands at each terminal history. Only for the public view of a two-player game without
        strategies.
    blanks : bool, default False
        A worksheet: as with ``all_ends``, with an empty box for each probability. With strategies, the boxes contain
        the answers.

    Raises
    ------
    ParameterError
        If a value is out of range, or the view does not support *beliefs* or *all_ends*.

    Examples
    --------
    >>> import efg_builder as eb
    >>> options = eb.DrawOptions(values=True, style={"direction": "down"})
    >>> options.style.direction, options.max_nodes
    ('down', 1500)
    """

    reach: Fraction | float | None = _option(  # noqa: RUF009
        None,
        "probability",
        "Fold away nodes with at most this reach probability, e.g. 1/100. With 0, only unreached nodes are folded "
        "away.",
        limits=(0, 1),
        metavar="P",
    )
    depth: int | None = _option(
        None, "count", "Fold away nodes that are more than this number of moves deep, e.g. 3.", metavar="N"
    )
    values: bool = _option(False, "flag", "Show expected payoffs at reached nodes.")
    beliefs: bool = _option(
        False,
        "flag",
        "Show beliefs: each node's probability within its information set. Off the equilibrium path, beliefs are "
        "shown only if the equilibrium was proved to be sequential.",
    )
    caption: str = _option("", "text")
    result: tuple[str, str] | None = None
    max_nodes: int | None = _option(MAX_NODES, "count")
    ranges: Mapping[tuple[int, int], tuple[Fraction, Fraction]] | None = None
    view: str = _choice(VIEWS, _VIEW)
    style: Style = Style()
    all_ends: bool = _option(False, "flag")
    blanks: bool = _option(False, "flag")

    def __post_init__(self) -> None:
        if isinstance(self.style, Mapping):
            object.__setattr__(self, "style", made(Style, self.style, "style"))
        shares = getattr(self.ranges, "shares", self.ranges)
        if not (shares is None or isinstance(shares, Mapping)):
            raise ParameterError(f"ranges={kind_of(shares)}: must be the result of eb.ranges(game)")
        object.__setattr__(self, "ranges", shares)
        if not isinstance(self.style, Style):
            raise ParameterError(f"style={self.style!r}: must be settings, such as {{'purpose': 'slide'}}")
        _check(self)
        if self.view in ONLY_PAGES:
            way = f"'efg-builder draw GAME --view {self.view} -o x.html' (eb.draw) writes one"
            raise ParameterError(f"view={self.view!r}: {ONLY_PAGES[self.view]}; {way}")
        if self.beliefs and self.view == "table":
            hands = "the public tree has no hands, so there are no beliefs"
            raise ParameterError(f"beliefs=True with view='table': {hands}; leave one of the two out")
        shown = {"beliefs": self.beliefs, "values": self.values, "ranges": self.ranges is not None}
        if self.view == "sheet" and (name := next((name for name, given in shown.items() if given), "")):
            raise ParameterError(f"{name} with view='sheet': leave one of the two out; --view public shows {name}")
        if self.view == "sheet" and (self.style.direction, self.style.lines) != (DIRECTIONS[0], LINES[0]):
            raise ParameterError("direction= and lines= are for trees; leave them out with view='sheet'")
        for name, given in (("all_ends (--all)", self.all_ends), ("blanks (--blanks)", self.blanks)):
            if given and self.view != "public":
                raise ParameterError(f"{name} with view={self.view!r}: this option needs view='public' (--view public)")

    @property
    def by_hands(self) -> bool:
        """Whether the picture shows the payoffs by both players' hands."""
        return self.all_ends or self.blanks

    @property
    def folds(self) -> bool:
        """Whether ``reach`` or ``depth`` folds the tree."""
        return self.reach is not None or self.depth is not None

    def check(self, played: bool) -> None:
        """Raise ``ParameterError`` if options exclude each other, or need strategies but none are *played*."""
        asked = {"reach": self.reach, "values": self.values or None, "beliefs": self.beliefs or None}
        if not played and not self.by_hands and (name := next((k for k, v in asked.items() if v is not None), "")):
            hint = "on the command line, add --solution or --strategy"
            raise ParameterError(f"{name}={asked[name]}: this option needs a strategy profile; {hint}")
        excluded = {"strategies": played and not self.blanks, "ranges": self.ranges is not None}
        excluded |= {name: value is not None for name, value in asked.items()}
        if self.by_hands and any(excluded.values()):
            name = next(name for name, given in excluded.items() if given)
            if self.blanks:
                raise ParameterError(f"blanks (--blanks) with {name}: leave one out")
            raise ParameterError(
                f"all_ends (--all) with {name}: this option is for games without strategies; leave one out"
            )


def picture_of(settings: Mapping[str, Any], solutions: int, strategy: bool, which: bool) -> DrawOptions:
    """Return the options of a picture with the *settings* of a command line, where None stands for a default.

    *solutions*: the number of solutions; *strategy* and *which*: whether these options are given. Raises
    ``ParameterError`` if they exclude each other.
    """
    if solutions > 1:
        raise ParameterError("only pages (-o x.html) take several --solution; a picture shows one solution")
    if solutions and strategy:
        raise ParameterError("--solution and --strategy: a picture shows only one of the two")
    if which and not solutions:
        raise ParameterError("--which needs a --solution")
    options = options_of({name: value for name, value in settings.items() if value is not None}, "draw")
    options.check(bool(solutions) or strategy)
    return options


def check_page_options(settings: Mapping[str, Any], solutions: int, strategy: bool, which: bool, ranges: bool) -> None:
    """Raise ``ParameterError`` if a page cannot have the *settings* of a command line, as in ``picture_of``."""
    named = {"table": "--view table", "all_ends": "--all"}
    named |= {name: f"--{name}" for name in ("reach", "depth", "values", "beliefs", "blanks")}
    for name, value in settings.items():
        if name != "view" and value is not None and value is not False:
            option = named.get(name, "an option of the appearance, such as --for,")
            raise ParameterError(f"{option} is for pictures; a page has its own controls")
    if settings.get("view") == "card" and (solutions + strategy != 1 or ranges):
        raise ParameterError("--view card needs one --solution or one --strategy, and takes no --ranges")
    if which and solutions > 1:
        raise ParameterError("--which takes one --solution, but several are given")
    if ranges and not solutions and not strategy:
        raise ParameterError("--ranges on a page needs a --solution or a --strategy")


class DrawSettings(TypedDict, total=False):
    """The keyword arguments of ``draw`` for type checkers: the fields of ``DrawOptions`` and ``Style``."""

    reach: Fraction | float | None
    depth: int | None
    values: bool
    beliefs: bool
    caption: str
    result: tuple[str, str] | None
    max_nodes: int | None
    ranges: Ranges | Mapping[tuple[int, int], tuple[Fraction, Fraction]] | None
    view: str
    solution: Solution | str | os.PathLike[str]
    which: int
    all: bool
    style: Style | Mapping[str, Any]
    all_ends: bool
    blanks: bool
    purpose: str
    direction: str
    lines: str
    aspect: tuple[float, float] | str | None
    width: float | None
    legend: str
    head: bool
    title: str | None
    colors: str
    fragment: bool


def check_size(nodes: int, options: DrawOptions, played: bool, parts: str = "nodes") -> None:
    """Raise ``PictureTooLargeError`` if *nodes*, or other *parts*, exceed the limit in *options*.

    The hint suggests folding by reach probability only if a profile is *played*.
    """
    if options.max_nodes is not None and nodes > options.max_nodes:
        hint = "fold away rarely reached nodes with --reach, or cut below a depth with --depth"
        if not played:
            fold = "" if options.by_hands else ", or fold with a --solution and --reach"
            hint = f"cut below a depth with --depth{fold}"
        raise PictureTooLargeError(nodes, options.max_nodes, hint, parts)
