"""The lines of a panel that shows a player's probabilities of moves, and the panel's heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ...base.rationals import Number
from ...base.words import Notation, listed
from ...games.protocol import Game
from ..trees.sizes import shorten, shortened
from .line_ends import DASHES, Line, draw_lines
from .style import FILLS, graded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 14
"""The maximum number of lines in a panel."""

MOST_KEYS, MOST_LETTERS, HEADING_LETTERS = 3, 40, 110
"""The maximum number of decisions whose dashes a heading explains; maximum lengths of a name and of a heading."""


@dataclass(frozen=True)
class Move:
    """The probabilities of a move: one for each x, nan where there is none.

    ``end``: the last probability, exact if known. ``reach``: the reach probability of the information set.
    """

    infoset: str
    action: str
    ys: Sequence[float]
    end: Number
    reach: float = 1.0

    @property
    def hand(self) -> str:
        """The hand that the information set names, or the name of the information set."""
        return self.infoset.partition(": ")[0]

    @property
    def place(self) -> str:
        """The history that the information set names, such as "after check"; empty if it names no hand."""
        play = self.infoset.partition(": ")[2]
        return "at the start" if play == "start" else f"after {play}" if play else ""

    @property
    def decision(self) -> str:
        return f"{self.action} {self.place}".strip()


@dataclass(frozen=True)
class Panel:
    """A panel: its heading, its lines, the notation of its probabilities, and whether colors show the hands."""

    heading: str
    lines: tuple[Line, ...]
    write: Notation
    by_hand: bool

    @property
    def height(self) -> float:
        """The height in inches."""
        return max(2.1, 0.5 + 0.2 * len(self.lines))

    def draw(self, axis: Axes, xs: Sequence[float]) -> None:
        axis.set_title(self.heading, loc="left", fontsize=9.5, fontweight="bold")
        axis.set(ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
        axis.set_yticklabels(map(self.write, (Fraction(0), Fraction(1, 2), Fraction(1))))
        axis.grid(axis="y")
        draw_lines(axis, xs, self.lines)


def most_moving(moves: Sequence[Move]) -> list[Move]:
    """Return up to ``MOST_LINES`` moves, in the given order: those that change most, weighted by reach probability."""
    kept = sorted(range(len(moves)), key=lambda k: -_range(moves[k].ys) * moves[k].reach)[:MOST_LINES]
    return [moves[k] for k in sorted(kept)]


def _range(ys: Sequence[float]) -> float:
    seen = [y for y in ys if y == y]
    return max(seen) - min(seen)


def panel_of(
    name: str, player: int, moves: Sequence[Move], hands: Sequence[str], write: Notation, more: str = "", mark: str = ""
) -> Panel:
    """Return the panel of *moves* of the player *name*, whose *hands* are in order from the weakest.

    A line is darker for a stronger hand, and its dashes show the decision: the action and its place. The heading
    explains the dashes of a few decisions; otherwise, each label has its place.

    *more*: a note for the heading. *mark*: a marker for every point.
    """
    decisions = list(dict.fromkeys(move.decision for move in moves))
    keyed = len(decisions) <= MOST_KEYS and len({move.action for move in moves}) == len(decisions)
    dashes = dict(zip(decisions, DASHES, strict=False))
    keys = [f"{each} ({dashes[each]})" if decisions[1:] else each for each in decisions] if keyed else ["each move"]
    short = shortened(tuple(dict.fromkeys(move.hand for move in moves)), MOST_LETTERS)
    found = []
    for number, move in enumerate(moves):
        dash = list(DASHES)[decisions.index(move.decision) % len(DASHES)] if keyed or move.place else "solid"
        color = FILLS[number % len(FILLS)]
        if move.hand in hands:
            color = graded(player, hands.index(move.hand) / max(len(hands) - 1, 1))
        what = "" if not decisions[1:] else move.action if keyed else move.decision
        end = write(move.end, [other.end for other in moves])
        found.append(Line(move.ys, short[move.hand], what, end, color, dash, mark))
    heading = shorten(f"{name}: probability of {listed(keys)}{more}", HEADING_LETTERS)
    return Panel(heading, tuple(found), write, any(move.hand in hands for move in moves))


def about_labels(panels: Sequence[Panel], last: str) -> str:
    """Return a note on the labels, which end with *last*, and on the colors of *panels*."""
    darker = " Darker: a higher hand." if any(panel.by_hand for panel in panels) else ""
    return f"Each line is named at its right end, with {last}.{darker}"


def hands_of(game: Game | None, player: int, infosets: Sequence[str]) -> list[str]:
    """Return the displayed names of the player's hands, from the weakest; empty if *infosets* name no hands."""
    dealt = None if game is None else game.dealt_game
    if dealt is not None:
        return list(dealt.hand_names[player])
    hands = {hand for hand, colon, _ in (name.partition(": ") for name in infosets) if colon}
    return sorted(hands, key=lambda hand: (len(hand), hand))
