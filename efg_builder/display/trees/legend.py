"""The legend of a picture of deals: just what is in the picture."""

from __future__ import annotations

from collections.abc import Iterator

from ...forms.extensive import CHANCE
from .facts import Facts
from .head import Entry, head, say
from .scene import Item, Mark, Stroke, Text
from .style import DIM, GREY, INK, NOTE_SIZE, PALE, RADIUS, fill, ink, letter_on, shorten, text_width


def header(facts: Facts, width: float, margin: float, panels: int = 1) -> tuple[list[Item], float]:
    """The head of a picture of this *width*, and the height at which the tree may begin.

    *panels* is how many the tree is broken into.
    """
    tree, caption = facts.tree, facts.options.caption
    return head(tree.title, tree.comment, caption, _entries(facts, panels), width, margin)


def _entries(facts: Facts, panels: int) -> Iterator[Entry]:
    movers = {facts.player(index) for index in range(len(facts.folded.nodes))}
    if CHANCE in movers:
        yield Entry(_node(facts, CHANCE), 2 * RADIUS, say("chance"))
    for player, name in enumerate(facts.tree.players):
        yield Entry(_node(facts, player), 2 * RADIUS, ((_name(name, player), ink(player)),))
    if facts.payoffs:
        yield _payoff_entry(facts)
    if any(facts.set_sizes.get(k, 0) > 1 for k in facts.tree.personal):
        line = Stroke(((2, -8), (2, 8)), fill(0), 2.0, "legend", dash=(0.1, 4.4))
        yield Entry((line,), 4, say("dotted: information set"))
    if facts.folded.open:
        yield Entry(tuple(_open_node()), 8, say("dotted stub: the set goes on in moves not shown"))
    if panels > 1:
        words = f"at the left of {'both' if panels == 2 else f'all {panels}'} columns: one and the same start"
        yield Entry(_node(facts, facts.player(0)), 2 * RADIUS, say(words))
    if facts.profile is not None:
        yield from _played(facts)
    if facts.folded.hidden_nodes:
        stub = Text(0, 3, "+n", NOTE_SIZE, PALE, "legend")
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield Entry((stub,), text_width("+n", NOTE_SIZE) + 3, say(words))


def _node(facts: Facts, player: int) -> tuple[Item, ...]:
    """A node of the player, or of chance."""
    if player == CHANCE:
        return (Mark("diamond", RADIUS, 0, RADIUS, GREY, "legend"),)
    badge = Text(RADIUS, 3.3, facts.badges[player], 9.0, letter_on(player), "legend", -1, "middle", True)
    return (Mark("circle", RADIUS, 0, RADIUS, fill(player), "legend"), badge)


def _open_node() -> Iterator[Item]:
    for way in (-1, 1):
        yield Stroke(((4, way * 5.6), (4, way * 10.4)), fill(0), 2.0, "legend", dash=(0.1, 4.4))
    yield Mark("circle", 4, 0, 3.6, fill(0), "legend")


def _played(facts: Facts) -> Iterator[Entry]:
    thick = Stroke(((0, 0), (13, 0)), GREY, 4.4, "legend")
    thin = Stroke(((13, 0), (26, 0)), GREY, 1.4, "legend")
    yield Entry((thick, thin), 26, say("width: how likely the move is there"))
    indices = range(len(facts.folded.nodes))
    if any(map(facts.dead, indices)):
        faded = Stroke(((0, 0), (22, 0)), INK, 1.4, "legend", opacity=DIM)
        yield Entry((faded,), 22, say("faded: never reached"))
    # The samples are numbers of the picture: the first that is not a whole one, where there is one.
    values = [text for text, _ in map(facts.value, indices) if text]
    if values:
        whose = f"of {facts.tree.players[0]}" if facts.zero_sum_like else "of the player who moves"
        yield _note_entry(values, ink(0), f"above a node: expected payoff {whose}")
    beliefs = list(filter(None, map(facts.belief, indices)))
    if beliefs:
        yield _note_entry(beliefs, INK, "below a node: belief")


def _note_entry(numbers: list[str], color: str, words: str) -> Entry:
    sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
    return Entry((Text(0, 3, sample, NOTE_SIZE, color, "legend"),), text_width(sample, NOTE_SIZE) + 2, say(words))


def _payoff_entry(facts: Facts) -> Entry:
    words = [("payoffs", INK), *((_name(name, player), ink(player)) for player, name in enumerate(facts.tree.players))]
    return Entry((Mark("circle", 2.2, 0, 2.2, INK, "legend"),), 4.4, tuple(words))


def _name(name: str, player: int) -> str:
    return shorten(name, 30) or f"player {player + 1}"
