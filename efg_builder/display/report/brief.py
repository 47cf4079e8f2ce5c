"""The report in a few lines, for its head."""

from __future__ import annotations

from html import escape

from ...base.rationals import is_played
from ...equilibria.openings import opening_bids, openings
from . import value, weak
from .about import About
from .markup import bullets, listed, plural, share

_FEW = 6
"""Hands whose first moves fit into a line; where there are more, so many of the first bids are named."""


def lines(about: About) -> str:
    """What it is worth, who wins how often, how to open, how much is bluff, whether that is proved, how to play it."""
    told = (value.headline(about), value.results(about), *_opening(about), *_bluffs(about), *_play(about))
    return bullets(filter(None, told))


def _opening(about: About) -> list[str]:
    """What the first mover does: hand by hand where that is one line, otherwise the first bids of all hands."""
    if about.strategies is None:
        return []
    found = openings(about.strategies, about.game)
    if not found:
        return []
    start = f"How {escape(found[0].player)} opens {about.here}"
    if len(found) > _FEW:
        return _bids(about, start)
    moves = []
    for row in found:
        played = [(action, p) for action, p in row.actions if is_played(p)]
        said = listed([escape(a) if p == 1 else f"{escape(a)} {share(p)}" for a, p in played])
        moves.append(f"with hand {escape(row.hand)}, {said}" if about.dealt is not None else said)
    if about.dealt is None and len(moves) > 1:
        return []
    return [f"{start}: {'; '.join(moves)}."]


def _bids(about: About, start: str) -> list[str]:
    bids = [bid for bid in opening_bids(about.solution, about.game) if is_played(bid.made)]
    if not bids:
        return []
    shown = sorted(bids, key=lambda bid: -bid.made)[:_FEW]
    said = [f"{escape(bid.bid)} {share(bid.made)}" for bid in shown]
    more = len(bids) - len(shown)
    said += [plural(more, "other bid")] if more else []
    return [f"{start}, all hands together: {listed(said)}. Hand by hand: see <em>How to open</em>."]


def _bluffs(about: About) -> list[str]:
    if about.bluffs:
        return [f"Bluffs: {'; '.join(about.bluffs)}. A bluff is {about.bluff}."]
    found = weak.bets(about)
    return found if len(found) <= _FEW // 2 else []


def _play(about: About) -> list[str]:
    """The command that plays against it."""
    if not about.equilibrium or not about.commands.play:
        return []
    return [
        f"To play against {'it' if about.refined else 'an equilibrium'}: <code>{escape(about.commands.play)}</code>"
    ]
