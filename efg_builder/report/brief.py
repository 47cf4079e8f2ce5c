"""The report in a few lines, for its head."""

from __future__ import annotations

from html import escape

from ..rationals import is_played
from ..summary import bluffing, openings
from . import value
from .about import About
from .markup import bullets, listed, often, share


def lines(about: About) -> str:
    """What it is worth, who wins how often, how to open, how much is bluff, and whether that is proved."""
    return bullets(filter(None, (value.headline(about), value.results(about), *_opening(about), *_bluffs(about))))


def _opening(about: About) -> list[str]:
    """What the first mover does, where that is one line."""
    if about.strategies is None:
        return []
    found = openings(about.strategies, about.game)
    if not found or len(found) > _FEW:
        return []
    moves = []
    for row in found:
        played = [(action, p) for action, p in row.actions if is_played(p)]
        said = listed([escape(a) if p == 1 else f"{escape(a)} ({often(p)})" for a, p in played])
        moves.append(f"with hand {escape(row.hand)}, {said}" if about.dealt is not None else said)
    if about.dealt is None and len(moves) > 1:
        return []
    return [f"How {escape(found[0].player)} opens {about.here}: {'; '.join(moves)}."]


_FEW = 6
"""Hands whose first moves fit into a line."""


def _bluffs(about: About) -> list[str]:
    if about.strategies is None:
        return []
    shares = bluffing(about.solution, about.game)
    each = [f"{share(one.share)} of {escape(one.player)}'s bids" for one in shares]
    return [f"Bluffs, bids that none of the own dice bears out: {listed(each)}."] if shares else []
