"""The legend of a picture of public histories: just what is in the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...forms.public_tree import PublicTree
from .head import Entry, say
from .public_table import END_RADIUS, Table
from .scene import Box, Item, Mark, Stroke, Text
from .style import DIM, GREY, INK, LABEL_SIZE, NOTE_SIZE, PALE, RADIUS, fill, ink, letter_on, shade, shorten, text_width


def entries(tables: Sequence[Table], public: PublicTree, panels: int, cut: bool) -> Iterator[Entry]:
    """What the picture's signs mean; *cut*: some histories are folded away."""
    manner, turns = tables[0].manner, [table.turn for table in tables]
    for player in sorted({turn.player for turn in turns}):
        name = shorten(manner.players[player], 30) or f"player {player + 1}"
        yield Entry(_node(manner.badges[player], player), 2 * RADIUS, ((f"{name} moves", ink(player)),))
    if turns[0].reach is None:
        yield Entry((), 0.0, say("tables: hands by moves"))
    else:
        yield from _played(tables)
    moves = [move for turn in turns for move in turn.moves]
    if any(move.ends for move in moves):
        one = len(manner.whose) == 1
        whose = f"of {shorten(manner.players[0], 30)}" if one else "of each player"
        paid = f"; expected payoff {whose}" if turns[0].reach is not None else ""
        dot = Mark("circle", END_RADIUS, 0, END_RADIUS, INK, "legend")
        yield Entry((dot,), 2 * END_RADIUS, say(f"below a move: play ends{paid}"))
    if panels > 1:
        words = f"at the left of the other column{'s' if panels > 2 else ''}: the same start again"
        yield Entry(_node(manner.badges[turns[0].player], turns[0].player), 2 * RADIUS, say(words))
    if cut:
        every = sum(1 for player in public.player.tolist() if player >= 0)
        dots = Text(0, 3, "…", NOTE_SIZE, PALE, "legend")
        words = f"below a move: play goes on, not shown here ({len(turns):,} of {every:,} public histories are shown)"
        yield Entry((dots,), text_width("…", NOTE_SIZE), say(words))


def _node(badge: str, player: int) -> tuple[Item, ...]:
    letter = Text(RADIUS, 3.3, badge, 9.0, letter_on(player), "legend", -1, "middle", True)
    return (Mark("circle", RADIUS, 0, RADIUS, fill(player), "legend"), letter)


def _played(tables: Sequence[Table]) -> Iterator[Entry]:
    manner, turns = tables[0].manner, [table.turn for table in tables]
    shades = tuple(
        Box(k * 11.0, -6.0, 11.0, 12.0, shade(turns[0].player, p), "legend", -1, "" if p else "#d5d5d5", 0.6)
        for k, p in enumerate((0.0, 0.25, 0.5, 1.0))
    )
    yield Entry(shades, 44.0, say("how likely the hand makes the move: blank never, darkest always"))
    value = (
        f"worth: expected payoff of {shorten(manner.players[0], 30)}"
        if len(manner.whose) == 1
        else "worth: expected payoff of the player who moves"
    )
    yield Entry((), 0.0, say(f"reached: chance that play gets there; {value}; all: all hands together"))
    if manner.beliefs:
        yield Entry((), 0.0, say("belief: how likely the hand is, given that play got there"))
    if len(turns) > 1:
        thick = Stroke(((0, 0), (13, 0)), GREY, 4.4, "legend")
        thin = Stroke(((13, 0), (26, 0)), GREY, 1.4, "legend")
        yield Entry((thick, thin), 26.0, say("width: how likely the move is there"))
    faded = next((hand.name for turn in turns for hand in turn.hands if hand.never), None)
    if faded is not None:
        name = shorten(faded, 6)
        letters = Text(0, 4, name, LABEL_SIZE, INK, "legend", opacity=DIM)
        yield Entry((letters,), text_width(name, LABEL_SIZE), say("faded: the hand never gets there"))
    if any(turn.never or turn.absent for turn in turns):
        what = (
            "moves never made there"
            if not any(turn.absent for turn in turns)
            else "moves never made, hands that never get there"
        )
        yield Entry((Text(0, 3, "+n", NOTE_SIZE, PALE, "legend"),), text_width("+n", NOTE_SIZE) + 2, say(what))
