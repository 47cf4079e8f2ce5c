"""The rules of a match in words that need no settings known."""

from __future__ import annotations

from .liars_dice_stakes import EXACTS
from .match_rules import MatchRules

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def in_short(rules: MatchRules) -> str:
    """What makes a match of rounds, in a few sentences."""
    dice = " against ".join(counted(count) for count in rules.dice)
    lost = "one die"
    if rules.loss == "difference":
        lost = "as many dice as bid and count differ by (one where they do not)"
    exact = "" if rules.exact == EXACTS[0] else " Where the count is just the bid, the bidder loses one die."
    return (
        f"A match, {dice}: rounds until one side has none left. Who loses a call loses {lost}; "
        f"its {rules.next} makes the first bid of the next round.{exact}"
    )


def in_a_line(rules: MatchRules) -> str:
    """The dice and what can be set, in one line: ``3 dice against 2, three sides; a lost call costs one die; ...``."""
    head, *others = rules.dice
    dice = " against ".join((counted(head), *map(str, others)))
    sides = _NUMBERS[rules.sides] if rules.sides < len(_NUMBERS) else str(rules.sides)
    lost = "one die"
    if rules.loss == "difference":
        lost = "as many dice as bid and count differ by"
    parts = [f"{dice}, {sides} sides", *_bids(rules), f"a lost call costs {lost}"]
    if rules.exact != EXACTS[0]:
        parts.append("a bid that is met exactly costs the bidder one die")
    elif rules.loss == "difference":
        parts.append("a bid that is met exactly costs the caller one die")
    return "; ".join((*parts, f"the {rules.next} starts the next round"))


def _bids(rules: MatchRules) -> list[str]:
    """What is particular about bids: wild faces, and another order than by quantity."""
    said = []
    if rules.wild is not None:
        bid = "" if rules.wild_biddable else ", and no bid names them"
        said.append(f"dice showing {rules.wild} count for every face{bid}")
    if rules.order == "face-quantity":
        said.append("a higher bid is one of a higher face, or of more dice")
    elif rules.order == "bluff":
        said.append(f"bids of {rules.wild}s rank as in the board game")
    return said


def counted(count: int) -> str:
    """``1 die``, ``2 dice``."""
    return "1 die" if count == 1 else f"{count} dice"
