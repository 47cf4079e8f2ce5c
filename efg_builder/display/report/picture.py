"""Play to look at: in a picture, for paper too, and in the viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ...base.errors import NotApplicableError, PictureTooLargeError
from ...strategies.sparse_profile import SparseProfile
from ..markup import paragraph
from ..pages.viewer import Shown, viewer_part
from ..trees import DrawOptions, scene_of
from ..trees.scene import Scene
from ..trees.svg import write_svg
from .about import About, Section

WIDTH, HEIGHT = 1_500, 1_900
"""A picture that is larger, in pixels, cannot be read on a screen."""

UPRIGHT, ACROSS = (774, 900), (1_070, 590)
"""On a page of A4, upright and across: of pictures up to so wide and high, no letter is below 6 points."""

REACHES = (*(Fraction(p, 1000) for p in (0, 1, 10, 30, 50, 100, 150, 200, 300, 500)),)


def picture_section(about: About) -> Section | None:
    """The public view, or the tree where there is none, as far as it can be read; on paper maybe less."""
    if about.played is None:
        return None
    screen = _first(about, lambda scene: scene.width <= WIDTH and scene.height <= HEIGHT)
    if screen is None:
        return None
    paper = _first(about, lambda scene: _within(scene, UPRIGHT) or _within(scene, ACROSS))
    if paper == screen:
        body = _shown(*screen)
    else:
        body = f'<div class="only-screen">{_shown(*screen)}</div><div class="only-print">{_paper(paper)}</div>'
    across = paper is not None and not _within(paper[0], UPRIGHT)
    return Section("picture", "Play in a picture", body, css="across" if across else "")


def _paper(found: tuple[Scene, str] | None) -> str:
    if found is None:
        return paragraph("The picture is too large for paper: this page, on a screen, has it.")
    return _shown(*found)


def _shown(scene: Scene, words: str) -> str:
    plate = f'<div class="picture" role="region" tabindex="0" aria-label="Play">{write_svg(scene)}</div>'
    return f'<div class="plate">{paragraph(words)}{plate}</div>'


def _within(scene: Scene, size: tuple[int, int]) -> bool:
    return scene.width <= size[0] and scene.height <= size[1]


def _first(about: About, fits: Callable[[Scene], bool]) -> tuple[Scene, str] | None:
    """The picture that shows most of those that fit, and what it shows in words."""
    for options, words in _choices(about):
        try:
            scene = scene_of(about.solution, options=options)
        except (NotApplicableError, PictureTooLargeError):
            continue
        if fits(scene):
            return scene, words
    return None


def _choices(about: About) -> Iterator[tuple[DrawOptions, str]]:
    for view in ("public", "tree") if about.public else ("tree",):
        for reach in REACHES:
            yield DrawOptions(view=view, reach=reach), _words(about, view, reach)


def _words(about: About, view: str, reach: Fraction) -> str:
    much = f"{float(100 * reach):g}%"
    kept = f"Only what happens in more than {much} of all rounds is drawn." if reach else ""
    if view == "tree":
        return f"Every course of play that comes up; the width of a line is how likely the move is there. {kept}"
    turn = (
        "as the table sees it; in it, hand by hand,"
        if about.dealt is not None
        else "as the moves alone distinguish it; in it, for each information set,"
    )
    return (
        f"Each box is a turn, {turn} how often each move is made there (the darker, the more often). Moves that are "
        f"never made are left out. {kept}"
    )


MOST_NODES = 300_000
"""Larger trees are left out: the page would be too large to hand out."""


def explored(about: About) -> bool:
    """Whether the page has the viewer on the strategies' tree."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def explore_section(about: About) -> Section | None:
    """The viewer, on the whole tree, or without one on the support tree; nothing where it is too large."""
    profile = about.played
    if profile is None:
        if about.tree is None or len(about.tree) > MOST_NODES:
            return None
        part = viewer_part(about.tree)
    elif len(profile.tree) > MOST_NODES:
        return None
    else:
        name, ranges = _name(about), None if about.ranges is None else about.ranges.shares
        part = viewer_part(profile.tree, [Shown(name, profile, _caption(about), ranges)])
    sought = "a hand or a bid" if about.bidding is not None else "a hand or a move" if about.dealt else "a move"
    said = (
        f"Unfold the game move by move, search for {sought}, and see at each point what is believed there, what "
        "each move is worth and how often it is made. The question mark tells the keys."
    )
    if isinstance(about.strategies, SparseProfile):
        said += " It has only moves of positive probability; the whole tree is too large."
    # On paper there is nothing to unfold: there the picture stands for it.
    return Section("explore", "The tree, to explore", paragraph(said) + part.body, part, "only-screen")


def _name(about: About) -> str:
    return "the equilibrium of this report" if about.equilibrium else "the strategies of this report"


def _caption(about: About) -> str:
    if not about.equilibrium:
        return "not an equilibrium"
    return "equilibrium (exact)" if about.solution.exact else "equilibrium"
