"""What a picture can be asked for."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from ...base.errors import FileError, ParameterError, PictureTooLargeError, nearest
from ...base.files import read_text
from .palettes import SCHEMES

TABLE_HINT = (
    "--view table (table=True) draws it over all hands together; fold with --reach, or cut below a depth with --depth"
)
"""What helps where strategies without a tree play too much for a picture."""

MAX_NODES = 1_500
"""Nodes in a picture where no limit is given: its ends then fill about ten screens, one below the other."""


NO_BELIEFS = "the table sees no hands, so there is nothing to have beliefs about; leave one of the two out"


NO_TABLE = "both are what the table sees, with and without hands; leave one of the two out"

PURPOSES = ("auto", "slide", "column", "page", "free")
DIRECTIONS = ("auto", "right", "down")
LEGENDS = ("auto", "top", "bottom", "right", "none")
SETS = ("lines", "enclosed")
_LARGEST = 10**6
"""Of the numbers of an aspect."""


@dataclass(frozen=True)
class Style:
    """How a picture looks, whatever it shows.

    ``purpose``: ``slide`` (1280 x 720 pixels, letters of at least 9 pixels), ``column`` (228.6 points wide, letters of
    at least 6.5 points, no title and no legend), ``page`` (482 points wide, at most 680 high, letters of at least 7
    points), ``free`` (as large as it gets), or ``auto``: a slide where the letters are large enough for one, else free.
    ``direction`` of play; ``auto``: the one that gives larger letters, and to the right in a free picture. ``aspect``:
    width by height; ``width``: in pixels; ``font_size``: of labels, in pixels. These three stand in place of a
    purpose's own size. ``legend``: where it stands. ``head``: whether there are title and caption;
    ``title``: another title. ``sets``: information sets as dotted lines or enclosures. ``colors``: a scheme of
    ``palettes.SCHEMES``. ``mute_offpath``: moves where play never gets are faded, and only chance's have probabilities.
    ``fragment``: of TikZ no document, but what ``\\input`` takes, in a document that loads TikZ.

    Raises ``ParameterError`` for what is none of these.
    """

    purpose: str = PURPOSES[0]
    direction: str = DIRECTIONS[0]
    aspect: tuple[float, float] | None = None
    width: float | None = None
    font_size: float | None = None
    legend: str = LEGENDS[0]
    head: bool = True
    title: str | None = None
    sets: str = SETS[0]
    colors: str = "plain"
    mute_offpath: bool = False
    fragment: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (
            ("purpose", self.purpose, PURPOSES),
            ("direction", self.direction, DIRECTIONS),
            ("legend", self.legend, LEGENDS),
            ("sets", self.sets, SETS),
            ("colors", self.colors, SCHEMES),
        ):
            if value not in known:
                raise ParameterError(f"{name}={value!r}: {nearest(value, known)}")
        for name, number, low, high in (
            ("width", self.width, 50, 20_000),
            ("font_size", self.font_size, 2, 200),
        ):
            if number is not None and not low <= number <= high:
                raise ParameterError(f"{name}={_sized(number)}: must be from {low} to {high} pixels")
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


def style_of(settings: Mapping[str, Any], source: str = "style") -> Style:
    """The style with these settings, by name; an aspect may be text, ``"16:9"``. Raises ``ParameterError``."""
    known = {field.name: field for field in fields(Style)}
    values = dict(settings)
    for name, value in settings.items():
        if name not in known:
            raise ParameterError(f"{source} has no setting {name!r}; {nearest(name, known)}")
        if name == "aspect" and value is not None:
            values[name] = _aspect(value, source)
        elif name in ("head", "mute_offpath", "fragment"):
            check_setting(isinstance(value, bool), source, name, value, "true or false")
        elif name in ("width", "font_size"):
            check_setting(isinstance(value, int | float | None), source, name, value, "a number of pixels")
        elif name != "aspect":
            check_setting(isinstance(value, str | None), source, name, value, "text")
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
    for field in fields(Style):
        value = getattr(style, field.name)
        if value is None:
            continue
        if field.name == "aspect":
            value = ":".join(map(_sized, value))
        # Of what JSON leaves as it is, TOML refuses one character.
        written = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines.append(f"{field.name} = {written}")
    return "\n".join([*lines, ""])


VIEWS = ("tree", "public")
"""The kinds of pictures; the first where none is named."""


@dataclass(frozen=True)
class DrawOptions:
    """What to show, and how much of it.

    ``reach`` folds away every node that the profile reaches with at most this probability (0 folds what
    is never reached, None nothing); ``depth`` cuts below this many moves from the root. ``values`` writes an
    expected payoff above each node that is reached and is no end: player 1's in a two-player constant-sum
    game, elsewhere that of the player who moves, and none where chance does. ``beliefs`` writes below each
    node that is reached its probability within its information set, unless it is the set's only node.
    ``caption`` is a line under the title; ``max_nodes`` is the most nodes to draw (None for no limit). ``table``
    draws strategies without a tree as the table sees them (``table_view``). ``ranges`` writes beside an
    action, by (index in ``tree.infosets``, action), from where to where its probability can go, instead of one number:
    ``shares``. ``view``: ``"tree"``, every node by itself, or ``"public"``, one node per
    public history, in it a table of the mover's hands by moves; what is never reached is not shown there, values
    always are, and ``beliefs`` are those that others have of a hand. ``all_ends``: of a game of two players without a
    profile, the public histories with a table of payoffs by the players' hands at each end. ``style``: size,
    shape and colours.

    Probabilities in floats of at most ``NEGLIGIBLE`` (in ``rationals``) count as 0 everywhere in a picture,
    and those as near to 1 as 1. Raises ``ParameterError`` for a reach outside 0..1, a negative depth, or
    ``beliefs`` with ``table``, a view that does not exist, ``table`` with the public view, or ``all_ends``
    with another.
    """

    reach: Fraction | float | None = None
    depth: int | None = None
    values: bool = False
    beliefs: bool = False
    caption: str = ""
    max_nodes: int | None = MAX_NODES
    table: bool = False
    ranges: Mapping[tuple[int, int], tuple[Fraction, Fraction]] | None = None
    view: str = VIEWS[0]
    style: Style = Style()
    all_ends: bool = False

    def __post_init__(self) -> None:
        if self.reach is not None and not 0 <= self.reach <= 1:
            raise ParameterError(f"reach={self.reach}: must be a probability, from 0 to 1")
        if self.depth is not None and self.depth < 0:
            raise ParameterError(f"depth={self.depth}: must not be negative")
        if self.beliefs and self.table:
            raise ParameterError(f"beliefs=True with table=True: {NO_BELIEFS}")
        check_view(self.view)
        if self.table and self.view != VIEWS[0]:
            raise ParameterError(f"view={self.view!r} with table=True: {NO_TABLE}")
        if self.all_ends and self.view != "public":
            raise ParameterError(f"all_ends with view={self.view!r}: it needs view='public'")


def check_unplayed(options: DrawOptions) -> None:
    """Raise ``ParameterError`` where *options* ask for what needs a profile."""
    if options.reach is not None:
        raise ParameterError(f"reach={options.reach}: folding by probability needs a strategy profile")
    for name, asked in (("values", options.values), ("beliefs", options.beliefs)):
        if asked:
            raise ParameterError(f"{name}=True: this needs a strategy profile")


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


def check_view(view: str) -> None:
    """Raise ``ParameterError`` for a view that does not exist."""
    if view not in VIEWS:
        raise ParameterError(f"view={view!r}: {nearest(view, VIEWS)}")
