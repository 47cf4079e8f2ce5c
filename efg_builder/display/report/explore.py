"""The viewer: the tree to unfold, with what is played on it."""

from __future__ import annotations

from ...strategies.sparse_profile import SparseProfile
from ..pages.payload import Shown
from ..pages.viewer import viewer_part
from .about import About
from .markup import Section, paragraph

MOST_NODES = 300_000
"""Larger trees are left out: the page would be too large to hand out."""


def explored(about: About) -> bool:
    """Whether the page has the viewer on what is played."""
    return about.played is not None and len(about.played.tree) <= MOST_NODES


def section(about: About) -> Section | None:
    """The viewer, on the whole tree, or without one on that of what is played; nothing where it is too large."""
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
        said += " Only what is played is in it; the whole tree is too large."
    # On paper there is nothing to unfold: there the picture stands for it.
    return Section("explore", "The tree, to explore", paragraph(said) + part.body, part, "only-screen")


def _name(about: About) -> str:
    return "the equilibrium of this report" if about.equilibrium else "the strategies of this report"


def _caption(about: About) -> str:
    if not about.equilibrium:
        return "not an equilibrium"
    return "equilibrium (exact)" if about.solution.exact else "equilibrium"
