"""What the first mover does, hand by hand, and how much of it is bluff."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from ...base.rationals import is_played
from ...equilibria.openings import Opening, opening_bids, openings
from ...forms.extensive import CHANCE
from . import weak
from .about import About
from .free import marks, note
from .markup import Cell, Section, bar, paragraph, plural, shade, share, table

MOST_HANDS, MOST_MOVES = 60, 24
"""Hands, and moves that some of them make, in the table."""


def section(about: About) -> Section | None:
    """A table of hands and first moves; nothing where nobody moves."""
    found = () if about.strategies is None else openings(about.strategies, about.game)
    if not found:
        return None
    shown, moves = found[:MOST_HANDS], _moves(about, found)
    name, claims = escape(found[0].player), any(row.bluff is not None for row in found)
    by = "hand" if about.game is not None else "information set"
    parts = [paragraph(_words(about, name, by, claims))]
    sets = _sets(about)[:MOST_HANDS]
    head = [by, *map(escape, moves), *(("bluff", "false") if claims else ()), *([""] if sets else [])]
    marked = [marks(about.free, k) for k in sets] or [[] for _ in shown]
    rows = [[*_row(row, moves, claims), *mark] for row, mark in zip(shown, marked, strict=True)]
    parts.append(table(f"{found[0].player}'s first move, in percent, by {by}, {about.here}", head, rows, "heat"))
    parts += [*note(about.free, sets), *map(paragraph, weak.bets(about))]
    if len(found) > len(shown):
        parts.append(
            paragraph(f"And {plural(len(found) - len(shown), f'more {by}')}: the solution's file has them all.")
        )
    bids = opening_bids(about.solution, about.game)
    if bids:
        lines: list[list[str | Cell]] = [
            [escape(bid.bid), *map(bar, (bid.made, bid.bluff, bid.false))] for bid in bids if is_played(bid.made)
        ]
        caption = f"{found[0].player}'s first bids, all hands together, {about.here}"
        parts.append(table(caption, ("bid", "made", "bluff", "false"), lines, "bars"))
    return Section("opening", "How to open", "\n".join(parts))


def _moves(about: About, found: Sequence[Opening]) -> list[str]:
    """Every move that some hand makes, in the order of the rules."""
    made = [action for row in found for action, _ in row.actions]
    order: list[str] = []
    if about.tree is not None:
        first = next((i for i in about.tree.infosets if i.player != CHANCE and set(made) <= set(i.actions)), None)
        order = list(first.actions) if first is not None else []
    elif about.bidding is not None:
        order = list(about.bidding.bid_names)
    rank = {move: place for place, move in enumerate(order)}
    return sorted(dict.fromkeys(made), key=lambda move: rank.get(move, len(rank)))[:MOST_MOVES]


def _sets(about: About) -> list[int]:
    """The information sets of the first moves, in the openings' order, where it is known which are free."""
    if about.free is None or about.played is None:
        return []
    found = {infoset.label or f"set {infoset.number}": k for k, infoset in enumerate(about.played.tree.infosets)}
    return [found[row.hand] for row in openings(about.played)]


def _words(about: About, name: str, by: str, claims: bool) -> str:
    said = f"{name} moves first. Each row is one {by}: how often, of 100 times, each move is made with it."
    if not claims:
        return said
    return (
        f"{said} <em>Bluff</em>: how often it is {about.bluff}. <em>False</em>: how likely the bid is not to hold, as "
        f"far as {name}'s own dice tell."
    )


def _row(row: Opening, moves: Sequence[str], claims: bool) -> list[str | Cell]:
    played = dict(row.actions)
    tail: list[str | Cell] = []
    if claims:
        tail = [Cell("" if p is None else share(p), "number") for p in (row.bluff, row.false)]
    return [escape(row.hand), *(shade(played.get(move, Fraction(0))) for move in moves), *tail]
