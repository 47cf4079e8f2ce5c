"""The whole of play in a picture, for paper too."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..drawing import DrawOptions, scene_of
from ..drawing.svg import write_svg
from ..errors import NotApplicableError, PictureTooLargeError
from .about import About
from .markup import Section, paragraph

WIDTH, HEIGHT = 1_500, 1_900
"""A picture that is larger, in pixels, cannot be read on a page."""

REACHES = (Fraction(0), Fraction(1, 1000), Fraction(1, 100), Fraction(3, 100), Fraction(1, 10))


def section(about: About) -> Section | None:
    """The public view, or where moves are not seen by all the tree, as far as it fits on a page."""
    if about.played is None:
        return None
    for options, words in _choices():
        try:
            scene = scene_of(about.solution, options=options)
        except (NotApplicableError, PictureTooLargeError):
            continue
        if scene.width <= WIDTH and scene.height <= HEIGHT:
            shown = f'<div class="picture" role="region" tabindex="0" aria-label="Play">{write_svg(scene)}</div>'
            return Section("picture", "Play in a picture", paragraph(words) + shown)
    return None


def _choices() -> Iterator[tuple[DrawOptions, str]]:
    for view in ("public", "tree"):
        for reach in REACHES:
            yield DrawOptions(view=view, reach=reach), _words(view, reach)


def _words(view: str, reach: Fraction) -> str:
    kept = f"Only what happens in more than {100 * reach}% of all rounds is drawn." if reach else ""
    if view == "tree":
        return f"Every course of play that comes up; the width of a line is how likely the move is there. {kept}"
    return (
        "Each box is a turn, as the table sees it; in it, hand by hand, how often each move is made there (the darker, "
        f"the more often). Moves that are never made are left out. {kept}"
    )
