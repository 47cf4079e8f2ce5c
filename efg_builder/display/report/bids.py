"""When to bluff and when to call: after each bid, how often it is made, false, and called, and by which hands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape

from ...base.rationals import Number
from ...games.bidding import BiddingGame
from ...proof.bid_statistics import Answer, BidFigures
from .about import About
from .markup import Cell, Section, bar, often, paragraph, shade, table

MOST_HANDS = 24
"""Hands that stand side by side; where there are more, they are joined by how many of their dice count."""


def section(about: About) -> Section | None:
    """Tables for each player's bids; nothing where bids claim nothing."""
    game, found = about.bidding, about.bids
    if game is None or not found:
        return None
    parts = [paragraph(_words(about)), *_example(about, found)]
    for player in dict.fromkeys(row.player for row in found):
        rows = [row for row in found if row.player == player]
        parts += [_made(about, rows), _answers(about, game, rows)]
    return Section("bids", "When to bluff, and when to call", "\n".join(parts))


def _words(about: About) -> str:
    start = f"Here, bluffs are {'; and '.join(about.bluffs)}. " if about.bluffs else ""
    return (
        f"A <em>bluff</em> is {about.bluff}. {_not_counted(about)}{start}<em>Made</em>: in how many rounds the player "
        "makes the bid, at whatever point. The other columns are shares of just those rounds: how often the bid is a "
        "<em>bluff</em>; how often it is <em>false</em>, which means that it does not hold; and how often it is "
        "<em>called</em> at once."
    )


def _not_counted(about: About) -> str:
    """That a bid on more dice than one holds is no bluff by this word, with the game's own bid."""
    bids = about.bidding.bid_names if about.bidding is not None else ()
    two = next((bid for bid in bids if bid.startswith("2x")), None)
    if two is None:
        return ""
    face = two.partition("x")[2]
    return f"A bid of {two} with a single {face} is not counted as one; that it may fail shows under <em>false</em>. "


def _example(about: About, found: Sequence[BidFigures]) -> list[str]:
    """The bid that is made most, in a sentence."""
    most = max(found, key=lambda row: row.made)
    bidder, answerer = escape(about.players[most.player]), escape(about.players[most.answerer])
    return [
        paragraph(
            f"For example: {bidder} bids {escape(most.bid)} in {often(most.made)} of all rounds. Of these "
            f"rounds, the bid is a bluff in {often(most.bluff)} and false in {often(most.false)}, and {answerer} calls "
            f"it in {often(most.called)}."
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
    note = paragraph("0: never call. 100: always call. A dot: that hand does not meet this bid.", "note")
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
