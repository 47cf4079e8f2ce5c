"""What a picture can be asked for: each option once, with its default, its limits and the help of the command line."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from ...base.errors import FileError, ParameterError, PictureTooLargeError, nearest
from ...base.files import read_text
from .scene import SCHEMES

TABLE_HINT = (
    "--view table (view='table') draws it over all hands together; fold with --reach, or cut below a depth with --depth"
)
"""What helps where strategies without a tree play too much for a picture."""

MAX_NODES = 1_500
"""Nodes in a picture where no limit is given: its ends then fill about ten screens, one below the other."""

PURPOSES = ("auto", "slide", "column", "page", "free")
DIRECTIONS = ("auto", "right", "down")
LEGENDS = ("auto", "top", "bottom", "right", "none")
SETS = ("lines", "enclosed")
VIEWS = ("tree", "public", "table")
"""The kinds of pictures; the first where none is named."""

PAGE_VIEWS = VIEWS[:2]
"""The views that a page can open with."""

_LARGEST = 10**6
"""Of the numbers of an aspect."""


@dataclass(frozen=True)
class Setting:
    """One option: its kind and help, and its name on the command line where that is not the field's.

    ``kind`` is ``"choice"``, ``"number"``, ``"flag"``, ``"text"``, ``"aspect"``, ``"probability"`` or ``"count"``;
    ``choices`` are those of a choice, ``limits`` the least and the greatest number.
    """

    kind: str
    help: str
    choices: tuple[str, ...] = ()
    limits: tuple[float, float] = (0.0, 0.0)
    option: str = ""
    metavar: str | None = None


def _option(default: Any, kind: str, said: str, **known: Any) -> Any:
    return field(default=default, metadata={"setting": Setting(kind, said, **known)})


def settings_of(options: type) -> dict[str, Setting]:
    """The options of ``Style`` or ``DrawOptions`` that the command line has too, by the field's name."""
    return {each.name: each.metadata["setting"] for each in fields(options) if each.metadata}


_FOR = (
    "slide: 1280 x 720, letters of at least 9 pixels. column: 228.6 points wide, letters of at least 6.5 "
    "points, no title, no legend. page: 482 points wide. free: as large as it gets.  [default: slide where it "
    "can be read, else free; .tex: free]"
)


@dataclass(frozen=True)
class Style:
    """How a picture looks, whatever it shows.

    Each setting is declared below with its help, ``FRAMES`` has the sizes of the purposes. ``aspect`` (width by
    height), ``width`` and ``font_size`` (of labels, in pixels) stand in place of a purpose's own size. Where moves off
    the path are faded (``mute_offpath``), only chance's have probabilities. A ``fragment`` is for a document that loads
    TikZ.

    Raises ``ParameterError`` for what is none of these.
    """

    purpose: str = _option(PURPOSES[0], "choice", _FOR, choices=PURPOSES, option="--for")
    direction: str = _option(
        DIRECTIONS[0], "choice", "Where play goes.  [default: what gives larger letters]", choices=DIRECTIONS
    )
    aspect: tuple[float, float] | None = _option(None, "aspect", "Width by height of the picture: 16:9.", metavar="W:H")
    width: float | None = _option(None, "number", "Width of the picture.", limits=(50, 20_000), metavar="PIXELS")
    font_size: float | None = _option(
        None, "number", "Height of the letters of moves.", limits=(2, 200), metavar="PIXELS"
    )
    legend: str = _option(LEGENDS[0], "choice", "Where it stands.", choices=LEGENDS)
    head: bool = _option(True, "flag", "With title and caption or without.", option="--head/--no-head")
    title: str | None = _option(None, "text", "Another title.", metavar="TEXT")
    sets: str = _option(SETS[0], "choice", "Information sets as dotted lines or enclosures.", choices=SETS)
    colors: str = _option("plain", "choice", "dark: for a dark page; grey: for a grey print.", choices=SCHEMES)
    mute_offpath: bool = _option(
        False,
        "flag",
        "Fade what play never reaches, or draw it dashed (default).",
        option="--mute-offpath/--show-offpath",
    )
    fragment: bool = _option(False, "flag", "Of .tex what a paper takes by \\input.")

    def __post_init__(self) -> None:
        for name, setting in settings_of(Style).items():
            value = getattr(self, name)
            if setting.kind == "choice" and value not in setting.choices:
                raise ParameterError(f"{name}={value!r}: {nearest(value, setting.choices)}")
            low, high = setting.limits
            if setting.kind == "number" and value is not None and not low <= value <= high:
                raise ParameterError(f"{name}={_sized(value)}: must be from {low} to {high} pixels")
        if self.aspect is not None:
            width, height = self.aspect
            if not (width <= 20 * height and height <= 20 * width and width + height <= _LARGEST):
                shape = f"{_sized(width)}:{_sized(height)}"
                raise ParameterError(f"aspect={shape}: width by height must be from 1:20 to 20:1")
        if self.font_size is not None and (self.width is not None or self.aspect is not None):
            raise ParameterError("font_size beside width or aspect: the size of letters follows from these")


def _sized(number: float) -> str:
    """In as few digits as tell it from every other number; ``9`` for 9.0."""
    try:
        return repr(float(number)).removesuffix(".0")
    except OverflowError:
        return "a number beyond 1e308"


_KINDS: Mapping[str, tuple[Any, str]] = {
    "flag": (bool, "true or false"),
    "number": (int | float | None, "a number of pixels"),
    "choice": (str | None, "text"),
    "text": (str | None, "text"),
}
"""By a setting's kind, its type and the words for it."""


def style_of(settings: Mapping[str, Any], source: str = "style") -> Style:
    """The style with these settings, by name; an aspect may be text, ``"16:9"``. Raises ``ParameterError``."""
    known = settings_of(Style)
    values = dict(settings)
    for name, value in settings.items():
        if name not in known:
            raise ParameterError(f"{source} has no setting {name!r}; {nearest(name, known)}")
        if name != "aspect":
            kind, wanted = _KINDS[known[name].kind]
            check_setting(isinstance(value, kind), source, name, value, wanted)
        elif value is not None:
            values[name] = _aspect(value, source)
    return Style(**values)


def check_setting(right: bool, source: str, name: str, value: object, wanted: str) -> None:
    """Raise ``ParameterError`` unless the value is *right*."""
    if not right:
        raise ParameterError(f"{source}: {name} is {value!r}, and must be {wanted}")


def _aspect(value: object, source: str) -> tuple[float, float]:
    parts = value.split(":") if isinstance(value, str) else value
    try:
        width, height = (float(part) for part in parts)  # type: ignore[attr-defined]
        found = (width, height)
    except (TypeError, ValueError, OverflowError):
        found = (0.0, 0.0)
    check_setting(min(found) > 0, source, "aspect", value, "width and height, such as '16:9'")
    return found


def read_style(path: str | os.PathLike[str], over: Mapping[str, Any] = MappingProxyType({})) -> Style:
    """The style in the TOML file at *path*; what is in *over* goes before. Raises ``ParameterError``, ``FileError``."""
    try:
        settings = tomllib.loads(read_text(path))
    except ValueError as error:  # TOMLDecodeError is one, and a number of thousands of digits
        raise FileError(f"cannot read {path}: not TOML: {error}") from None
    return style_of({**settings, **over}, str(path))


def style_text(style: Style) -> str:
    """*style* as TOML."""
    lines = ["# How pictures look: efg-builder draw ... --style FILE"]
    for name in settings_of(Style):
        value = getattr(style, name)
        if value is None:
            continue
        if name == "aspect":
            value = ":".join(map(_sized, value))
        # Of what JSON leaves as it is, TOML refuses one character.
        written = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines.append(f"{name} = {written}")
    return "\n".join([*lines, ""])


_VIEW = (
    "tree: each deal by itself. public: one node per public history, in it a table of hands by moves. table: "
    "the tree that the table sees, all hands together, of strategies found without a tree, as --method oracle "
    "does. A page has the first two and opens with this one.  [default: tree; with --ranges public, where "
    "the tree is no slide; in a page public, where there is one; in 'run' what fits]"
)


@dataclass(frozen=True)
class DrawOptions:
    """What to show, and how much of it; options of the command line are declared below with their help.

    ``reach`` and ``depth`` fold nodes away (None for nothing). ``values`` are player 1's in a two-player constant-sum
    game, elsewhere those of the player who moves, and none where chance does. ``beliefs`` are the probabilities within
    information sets of several nodes; in the public view, those that others have of a hand.
    ``caption`` is a line under the title; ``max_nodes`` is the most nodes to draw (None for no limit).
    ``ranges`` writes beside an action, by (index in ``tree.infosets``, action), from where to where its probability can
    go, instead of one number: ``shares``. ``view``: ``"tree"``, every node by itself; ``"public"``, one node per
    public history, in it a table of the mover's hands by moves, with values, and without what is never reached; or
    ``"table"``, strategies without a tree as the table sees them (``table_view``). ``all_ends``: of a game of two
    players without a profile, the public histories with a table of payoffs by the players' hands at each end.

    Probabilities in floats of at most ``NEGLIGIBLE`` (in ``rationals``) count as 0 everywhere in a picture,
    and those as near to 1 as 1. Raises ``ParameterError`` for a reach outside 0..1, a negative depth, a view that does
    not exist, ``beliefs`` with the view ``"table"``, or ``all_ends`` with another view than ``"public"``.
    """

    reach: Fraction | float | None = _option(  # noqa: RUF009
        None,
        "probability",
        "Fold away what is reached with probability at most this: 1/100; 0 folds what is never reached.",
        metavar="P",
    )
    depth: int | None = _option(None, "count", "Fold away what lies deeper than this many moves.", metavar="N")
    values: bool = _option(False, "flag", "Show the expected payoffs of the nodes that are reached.")
    beliefs: bool = _option(False, "flag", "Show how likely each node is within its information set.")
    caption: str = ""
    max_nodes: int | None = MAX_NODES
    ranges: Mapping[tuple[int, int], tuple[Fraction, Fraction]] | None = None
    view: str = _option(VIEWS[0], "choice", _VIEW, choices=VIEWS)
    style: Style = Style()
    all_ends: bool = False

    def __post_init__(self) -> None:
        if self.reach is not None and not 0 <= self.reach <= 1:
            raise ParameterError(f"reach={self.reach}: must be a probability, from 0 to 1")
        if self.depth is not None and self.depth < 0:
            raise ParameterError(f"depth={self.depth}: must not be negative")
        check_view(self.view)
        if self.beliefs and self.view == "table":
            hands = "the table sees no hands, so there is nothing to have beliefs about"
            raise ParameterError(f"beliefs=True with view='table': {hands}; leave one of the two out")
        if self.all_ends and self.view != "public":
            raise ParameterError(f"all_ends (--all) with view={self.view!r}: it needs view='public'")

    def check(self, played: bool) -> None:
        """Raise ``ParameterError`` for what needs strategies where none are *played*, and for what excludes them."""
        asked = {"reach": self.reach, "values": self.values or None, "beliefs": self.beliefs or None}
        if not played and not self.all_ends and (name := next((k for k, v in asked.items() if v is not None), "")):
            hint = "on the command line, a --solution or a --strategy"
            raise ParameterError(f"{name}={asked[name]}: this needs a strategy profile; {hint}")
        excluded = {"strategies": played, "ranges": self.ranges is not None, "values": self.values}
        if self.all_ends and any(excluded.values()):
            name = next(name for name, given in excluded.items() if given)
            raise ParameterError(f"all_ends (--all) with {name}: it draws the game by itself; leave one of the two out")


def check_size(nodes: int, options: DrawOptions, played: bool) -> None:
    """Raise ``PictureTooLargeError`` where *nodes* are more than *options* allow.

    The hint is one that can be followed: only where a profile is *played* can its reach fold anything.
    """
    if options.max_nodes is not None and nodes > options.max_nodes:
        hint = "fold away what is hardly reached with --reach, or cut below a depth with --depth"
        if not played:
            fold = "" if options.all_ends else ", or fold with a --solution and --reach"
            hint = f"cut below a depth with --depth{fold}"
        raise PictureTooLargeError(nodes, options.max_nodes, hint)


def check_view(view: str, views: tuple[str, ...] = VIEWS) -> None:
    """Raise ``ParameterError`` for a view that does not exist."""
    if view not in views:
        raise ParameterError(f"view={view!r}: {nearest(view, views)}")
