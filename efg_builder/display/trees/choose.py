"""The choice of a picture: its view, and the folding that gives it room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from ...base.errors import NotApplicableError, ParameterError, PictureTooLargeError, PictureTooSmallError
from ...proof.reach import reaches
from .options import LARGE, MAX_NODES, DrawOptions, Style
from .payoff_tables import fit_game
from .public_play import PublicPlay
from .public_view import fit_public
from .sheet_view import fit_sheet
from .subject import DrawnSubject
from .surround import Fitted
from .tree_view import fit_tree

Look = dict[str, Any]  # the view, the reach probability and the depth of a picture, and its maximum number of nodes

_STEPS = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
REACHES = (Fraction(0), *(Fraction(step, 10**zeros) for zeros in range(7, 1, -1) for step in _STEPS))
"""The reach probabilities at which a picture may be folded, the best first."""

DEPTHS = (4, 3, 2, 1)
"""The depths at which a picture may be cut, the best first."""

TABLE_NODES = 150
"""The maximum number of nodes of a folded public tree that is averaged over hands."""

_MERGED = ("public", "sheet")
"""The views that have less than one item for each node."""

RANGED = "probabilities: lowest to highest over all equilibria"


@dataclass(frozen=True)
class Room:
    """The room for a picture, as maximum numbers of nodes, and of pixels.

    Each deal is drawn if the whole tree, or its reached part, has room. Otherwise, the public view is preferred.
    """

    whole: float = inf  # nodes of a whole tree
    reached: float = LARGE  # reached nodes of a tree whose unreached nodes are folded away
    width: float = inf
    height: float = inf
    folded: float = MAX_NODES  # nodes of any other picture


NOTEBOOK = Room(folded=LARGE)
FILE = Room(LARGE, MAX_NODES)


@dataclass(frozen=True, eq=False)
class Shown:
    """A chosen picture, and its options. ``why``: the reason for another view or folding than requested, or ""."""

    options: DrawOptions
    picture: Fitted
    why: str = ""


Words = Callable[[DrawOptions, str], str]
"""Takes the options of another view or folding than requested, and its reason. Returns words after the caption."""


def wordless(options: DrawOptions, why: str) -> str:
    return ""


class Views:
    """The pictures of a subject with the same options, except for the view and the folding.

    *words* returns the words about another view or folding that follow the caption.
    """

    def __init__(self, given: DrawnSubject, options: DrawOptions, words: Words = wordless) -> None:
        options.check(given.profile is not None)
        given = given.on_whole_tree if options.blanks else given
        self.given, self.subject, self.options, self._words = given, given.displayed, options, words
        self._tried: dict[tuple[object, ...], Shown | None] = {}
        self._too_small: PictureTooSmallError | None = None  # the error of a picture without folding

    @cached_property
    def play(self) -> PublicPlay:
        subject = self.subject
        return PublicPlay(subject.tree, subject.profile, subject.sparse, self.options.ranges)

    def fit(self, options: DrawOptions) -> Fitted:
        """Return the layout of the picture with *options*. Raises the errors of the view."""
        tree, profile = self.subject.tree, self.subject.profile
        if options.by_hands:
            return fit_game(tree, options, profile)
        if options.view == "public":
            return fit_public(self.play, options)
        if options.view == "sheet":
            return fit_sheet(self.given, options)
        # Both trees have the same node numbers, so use the cached proof for the given tree.
        return fit_tree(tree, profile, options, self.given.believed(options), self.given.off_path)

    @cached_property
    def _reached(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        tree, profile = self.subject.tree, self.subject.profile
        return np.ones(len(tree)) if profile is None else np.array(reaches(tree, profile), dtype=float)

    def above(self, reach: Fraction) -> int:
        """Return the number of nodes of the tree with a reach probability above *reach*."""
        # Use a slightly higher bound, so that rounding does not count nodes with exactly this reach probability.
        return int((self._reached > float(reach) * (1 + 1e-9)).sum())

    def tried(self, look: Look, room: Room) -> Shown | None:
        """Return the picture of *look*; None if it cannot be drawn in *room*."""
        key = tuple(look.items())
        if key not in self._tried:
            self._tried[key] = None
            try:
                options, why = replace(self.options, **look), ""
                if options != self.options:
                    why = self._why
                    said = filter(None, [options.caption, self._words(options, why)])
                    options = replace(options, caption="; ".join(said))
                self._tried[key] = Shown(options, self.fit(options), why)
            except PictureTooSmallError as error:
                self._too_small = self._too_small if options.folds else error
            except (PictureTooLargeError, NotApplicableError, ParameterError):
                pass
        shown = self._tried[key]
        if shown is None or shown.picture.width > room.width or shown.picture.height > room.height:
            return None
        return shown

    @property
    def _why(self) -> str:
        """The reason why the whole tree is not drawn: the size of its text or, before a try, the number of nodes."""
        if self._too_small is None:
            return f"the tree has {len(self.given.tree):,} nodes"
        return f"the text of the whole tree would be too small for a {self._too_small.purpose}"

    def first(self, looks: Sequence[Look], room: Room) -> Shown | None:
        """Return the picture of the first of *looks* that has *room*, by bisection: each look has fewer nodes."""
        found, low, high, middle = None, -1, len(looks), 0
        while high - low > 1:
            shown = self.tried(looks[middle], room)
            if shown is None:
                low = middle
            else:
                found, high = shown, middle
            middle = (low + high) // 2
        return found


def choose(views: Views, room: Room, view: str | None = None) -> Shown | None:
    """Return the picture that hides the least, and has *room*; None if there is none.

    If *view* is None, the view is chosen. A folding in the options stays.
    """
    if views.subject.view == "table":
        whole = TABLE_NODES if view is None else MAX_NODES
        room, view = replace(room, whole=whole, reached=0, folded=TABLE_NODES), "table"
    for looks in _looks(views, room, ("tree", "public") if view is None else (view,)):
        shown = views.first(looks, room)
        # A folded picture without a move tells nothing.
        if shown is not None and (shown.picture.layout.steps or shown.options.reach is None):
            return shown
    return None


def _looks(views: Views, room: Room, kinds: Sequence[str]) -> Iterator[list[Look]]:
    """Yield lists of pictures to try, the best first; each list is in the order of decreasing numbers of nodes."""
    options = views.options
    if options.folds:
        yield [{"view": kinds[0]}]
        return
    limit = inf if options.max_nodes is None else options.max_nodes
    most = min(room.folded, limit)
    less: Look = {} if most == inf else {"max_nodes": int(most)}
    each_deal = kinds[0] not in _MERGED
    # A support tree is already the reached part of a game.
    whole = room.whole if views.subject.sparse is None else max(room.whole, room.reached)
    played = views.subject.profile is not None
    if not each_deal or len(views.subject.tree) <= min(whole, limit):
        yield [{"view": kinds[0]}]
    if not played:
        yield [{"view": kinds[0], "depth": depth, **less} for depth in DEPTHS]
        return
    if each_deal and views.above(Fraction(0)) <= min(room.reached, limit):
        yield [{"view": kinds[0], "reach": Fraction(0)}]
    for kind in sorted(kinds):  # the public view first
        folds = [p for p in REACHES if kind in _MERGED or views.above(p) <= most]
        yield [{"view": kind, "reach": reach, **less} for reach in folds]


def picture(subject: DrawnSubject, options: DrawOptions, view: str | None, notebook: Room | None = None) -> Shown:
    """Return the picture of *subject* with *options*. Raises the errors of ``fit``.

    In a *notebook*, a picture without room is folded. In a file, only a public tree that is averaged over hands is
    folded. If *view* is None, a file shows ranges in the public view if there is one and the tree does not fit on a
    slide.
    """

    def words(folded: DrawOptions, why: str) -> str:
        if folded.view == "table":
            # The pictures for these purposes omit the comment of the game.
            said = notebook is None and folded.style.purpose in ("slide", "page")
            return f"the picture shows {part_in_words(folded)}" if said else ""
        names = [name for name in ("view", "reach", "depth") if getattr(folded, name) != getattr(options, name)]
        return f"drawn with {', '.join(f'{name}={getattr(folded, name)}' for name in names)}, as {why}"

    views = Views(subject, options, words)
    shown = choose(views, notebook or FILE, view) if notebook or subject.view == "table" else None
    if options.ranges is not None and view is None and _unsized(options.style):
        shown = views.tried({}, Room())
        if shown is None or shown.picture.surround.style.purpose == "free":
            with suppress(NotApplicableError):
                public = replace(options, view="public")
                shown = Shown(public, views.fit(public), "the tree is too large for a slide")
    return shown or Shown(options, fit(views))


def _unsized(style: Style) -> bool:
    return style.purpose == "auto" and style.aspect is None and style.width is None


def with_ranges(options: DrawOptions, subject: DrawnSubject, progress: Callable[[str], None]) -> DrawOptions:
    """Return *options* with the ranges over all equilibria. Raises ``ParameterError`` for strategies without a tree."""
    from ...equilibria.ranges import ranges

    if subject.sparse is not None:
        raise ParameterError("--ranges needs a tree or a solution with a tree: solve the game with --method lp")
    caption = "; ".join(filter(None, [options.caption, RANGED]))
    return replace(options, ranges=ranges(subject.tree, vertices=0, progress=progress).shares, caption=caption)


def part_in_words(options: DrawOptions) -> str:
    """Return the part of the game that a picture with *options* shows; "" for the whole tree."""
    said = ["the public tree, averaged over hands"] if options.view == "table" else []
    if options.reach is not None:
        said.append(f"only nodes reached with probability above {options.reach}" if options.reach else ONLY_REACHED)
    elif options.depth is not None and not said:
        said.append(f"only nodes up to depth {options.depth}")
    return "; ".join(said)


ONLY_REACHED = "only reached nodes"


def fit(views: Views) -> Fitted:
    """Return the layout of the picture with the options of *views*.

    Raises ``PictureTooLargeError`` if more than ``max_nodes`` nodes remain after folding, and ``PictureTooSmallError``
    if the text would be too small; the messages name options that draw less. For the public view, also raises
    ``NotApplicableError`` if a player does not see all moves.
    """
    try:
        return views.fit(views.options)
    except PictureTooLargeError as error:
        if views.subject.sparse is None or views.options.view != "tree":
            raise
        table = "--view table (view='table') averages over hands"
        hint = f"{table}; fold with --reach, or cut below a depth with --depth"
        raise PictureTooLargeError(error.nodes, error.limit, hint) from None
    except PictureTooSmallError as error:
        fits = list(_smaller(views))
        less = f"; {' or '.join(fits)} {'make' if len(fits) > 1 else 'makes'} the picture smaller" if fits else ""
        raise PictureTooSmallError(error.purpose, error.letters, error.least, error.hint + less) from None


def _smaller(views: Views) -> Iterator[str]:
    """Yield command-line options that make the picture fit, each with the value that hides the least."""
    options, merged = views.options, views.options.view in _MERGED
    ways: dict[str, list[Any]] = {}
    if views.subject.profile is not None:
        least = -1 if options.reach is None else options.reach
        ways["reach"] = [p for p in REACHES if p > least and (merged or views.above(p) <= LARGE)]
        ways["view"] = [] if merged else ["public"]
    ways["depth"] = [depth for depth in DEPTHS if options.depth is None or depth < options.depth]
    for name, values in ways.items():
        shown = views.first([{name: value} for value in values], Room())
        if shown is not None:
            yield f"--{name} {getattr(shown.options, name)}"
