"""When to bluff and when to call: after each bid, how often it is made, false, and called, and by which hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from ..bid_figures import Answer, BidFigures, bid_figures
from ..games.bidding import BiddingGame
from ..rationals import Number, is_played
from ..summary import bluffing
from .about import About
from .markup import Cell, Section, bar, listed, often, paragraph, shade, share, table

MOST_HANDS = 24
"""Hands that stand side by side; where there are more, they are joined by how many of their dice count."""


def section(about: About) -> Section | None:
    """Tables for each player's bids; nothing where bids claim nothing."""
    game, strategies = about.bidding, about.strategies
    if game is None or strategies is None:
        return None
    found = [row for row in bid_figures(strategies, game) if is_played(row.made)]
    if not found:
        return None
    parts = [paragraph(_words(about)), *_example(about, found)]
    for player in dict.fromkeys(row.player for row in found):
        rows = [row for row in found if row.player == player]
        parts += [_made(about, rows), _answers(about, game, rows)]
    return Section("bids", "When to bluff, and when to call", "\n".join(parts))


def _words(about: About) -> str:
    shares = [f"{share(each.share)} of {escape(each.player)}'s bids" for each in bluffing(about.solution, about.game)]
    start = f"Bluffs, bids that none of the own dice bears out, are {listed(shares)}. " if shares else ""
    return (
        f"{start}<em>Made</em>: in how many rounds the player makes the bid, at whatever point. Of these, "
        "<em>bluff</em>: none of the own dice bears it out; <em>false</em>: it does not hold; "
        "<em>called</em>: it is called at once."
    )


def _example(about: About, found: Sequence[BidFigures]) -> list[str]:
    """The bid that is made most, in a sentence."""
    most = max(found, key=lambda row: row.made)
    bidder, answerer = escape(about.players[most.player]), escape(about.players[most.answerer])
    return [
        paragraph(
            f"For example: {bidder} bids {escape(most.bid)} in {often(most.made)} of all rounds. It is then false in "
            f"{often(most.false)} of the cases, and {answerer} calls it in {often(most.called)}."
        )
    ]


def _made(about: About, rows: Sequence[BidFigures]) -> str:
    name = about.players[rows[0].player]
    caption = f"{name}'s bids, {about.here}"
    head = ("bid", "made", "bluff", "false", "called")
    lines: list[list[str | Cell]] = [
        [escape(row.bid), *map(bar, (row.made, row.bluff, row.false, row.called))] for row in rows
    ]
    return table(caption, head, lines, "bars")


def _answers(about: About, game: BiddingGame, rows: Sequence[BidFigures]) -> str:
    """Who calls, by hand, or where hands are many, by how many of their dice count towards the bid."""
    answerer = rows[0].answerer
    name, bidder = about.players[answerer], about.players[rows[0].player]
    hands = game.hands[answerer]
    if len(hands) <= MOST_HANDS:
        caption = f"How often {name} calls {bidder}'s bid, in percent, by {name}'s hand"
        columns, by_row = list(hands), [{a.hand: a.called for a in row.answers} for row in rows]
    else:
        caption = f"How often {name} calls {bidder}'s bid, in percent, by how many of {name}'s dice count towards it"
        joined = [_by_matching(game, row) for row in rows]
        columns, by_row = sorted({key for row in joined for key in row}), joined
    lines: list[list[str | Cell]] = [
        [escape(row.bid), *(shade(called.get(column)) for column in columns)]
        for row, called in zip(rows, by_row, strict=True)
    ]
    note = paragraph("A dot: that hand does not meet this bid. 100 means: always call.", "note")
    return table(caption, ("bid", *map(escape, columns)), lines, "heat") + note


def _by_matching(game: BiddingGame, row: BidFigures) -> dict[str, Number]:
    """How often the bid is called, by the number of the answerer's dice that count towards it."""
    index = {hand: number for number, hand in enumerate(game.hands[row.answerer])}
    groups: dict[str, list[Answer]] = {}
    for answer in row.answers:
        claim = game.claim(row.answerer, index[answer.hand], row.bid)
        groups.setdefault("" if claim is None else str(claim.matching), []).append(answer)
    return {
        key: sum((a.held * a.called for a in group), Fraction(0)) / sum((a.held for a in group), Fraction(0))
        for key, group in groups.items()
    }
