"""The rules of Liar's Dice in words, for these parameters: what somebody needs who has never played."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .liars_dice import LiarsDice

_ALL_BIDS = 12
"""Up to so many bids are all named."""

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count(number: int, noun: str, nouns: str = "") -> str:
    """``one die``, ``two dice``, ``20 dice``."""
    word = _COUNTS[number] if number < len(_COUNTS) else str(number)
    return f"{word} {noun if number == 1 else nouns or noun + 's'}"


def explain(game: LiarsDice) -> tuple[str, ...]:
    """The rules of *game*, one paragraph each, what is paid last."""
    ends = (_call(game), _payoffs(game))
    parts = (_roll(game), _turns(game), _bids(game), _wild(game), _higher(game), _beyond(game), *ends)
    return tuple(filter(None, parts))


def comment(game: LiarsDice) -> str:
    """The rules of *game* in a sentence, in ASCII, for files and pictures."""
    high = game.bid_names[-1]
    held = [",".join([str(min(number, game.sides))] * dice) for number, dice in enumerate(game.dice, start=1)]
    holds = ", ".join(f"{name} holds {hand}" for name, hand in zip(game.players, held, strict=True))
    return (
        f"{high} bids that at least {high.partition('x')[0]} of all dice show {high.partition('x')[2]}; call "
        "challenges the last bid: the caller loses where it holds, the bidder where it does not. "
        f"{' vs '.join(held)}: {holds}."
    )


def _roll(game: LiarsDice) -> str:
    players = count(len(game.dice), "player").capitalize()
    if len(set(game.dice)) == 1:
        rolls = f"Each rolls {count(game.dice[0], 'die', 'dice')} with {game.sides} sides"
    else:
        each = [f"{name} rolls {count(n, 'die', 'dice')}" for name, n in zip(game.players, game.dice, strict=True)]
        rolls = f"{_listed(each)}, each die with {game.sides} sides"
    return f"{players} play one round. {rolls}, in secret: you see your own dice only."


def _turns(game: LiarsDice) -> str:
    first, *others = game.players
    order = f"then {others[0]}, and so on in turn" if len(others) == 1 else f"then {_listed(others)}, and round again"
    return (
        f"{first} begins, {order}. Whose turn it is either bids higher than the last bid, or calls it. "
        "The first move must be a bid, for there is nothing to call."
    )


def _bids(game: LiarsDice) -> str:
    face = max(face for _, face in game.bids if face != game.wild or game.sides == 1)
    quantity, table = min(2, game.max_quantity), count(sum(game.dice), "die", "dice")
    few = f"at least {quantity} show a {face}" if quantity > 1 else f"at least 1 shows a {face}"
    says = f"The bid {quantity}x{face} says: of the {table} on the table, {few}"
    return f"A bid says something of all dice together. {says}."


def _wild(game: LiarsDice) -> str:
    if game.wild is None:
        return ""
    counts = f"A die that shows a {game.wild} is wild: it counts as every face"
    if not game.wild_biddable:
        return f"{counts}. Nobody may bid on the face {game.wild} itself."
    return f"{counts}. One may also bid on the face {game.wild} itself; then only dice that show it count."


def _higher(game: LiarsDice) -> str:
    names = game.bid_names
    how = "it names more dice, or as many dice and a higher face"
    if game.order == "face-quantity":
        how = "it names a higher face, or the same face and more dice"
    if game.order == "bluff":
        how += f"; but bids on the {game.wild} stand apart: one comes right after all bids of one die, two come after "
        how += "all of three dice, three after all of five, and so on"
    if len(names) == 1:
        return f"There is just one bid, {names[0]}, so all that can follow it is a call."
    row = " < ".join(names if len(names) <= _ALL_BIDS else _some(game))
    return (
        f"A bid is higher than another where {how}. That makes {len(names)} bids: {row}. "
        f"After {names[-1]}, the highest, all that is left is to call."
    )


def _some(game: LiarsDice) -> list[str]:
    """The first bids, the step from one number of dice (or face) to the next, and the last; dots between them."""
    names, faces = game.bid_names, len({face for _, face in game.bids})
    step = game.max_quantity if game.order == "face-quantity" else faces
    places = {0, 1, step - 1, step, len(names) - 1}
    if game.order == "bluff" and game.max_quantity > 1:
        two_wild = names.index(f"2x{game.wild}")
        places |= {two_wild - 1, two_wild}
    kept = sorted(at for at in places if at < len(names))
    shown = [names[0]]
    for before, at in pairwise(kept):
        shown += [names[at]] if at == before + 1 else ["...", names[at]]
    return shown


def _beyond(game: LiarsDice) -> str:
    """What is unusual where bids do not end at the number of dice."""
    total = sum(game.dice)
    if game.max_quantity < total:
        return (
            f"No bid may name more than {game.max_quantity}, although there are {total} dice: "
            "so this is another game than the usual one, and its value can differ."
        )
    if game.max_quantity > total:
        return f"Bids that name more than {total} can never hold, for there are no more dice; they change no value."
    return ""


def _call(game: LiarsDice) -> str:
    other = "the other player, who made the bid, loses"
    if len(game.dice) > 2:
        other = "the player who made the bid, the one before the caller, loses"
    return (
        "A call ends the round: all dice are uncovered. Where at least as many dice count as the last bid says, it "
        f"holds and the caller loses; where they are fewer, {other}."
    )


def _payoffs(game: LiarsDice) -> str:
    players = len(game.dice)
    if game.payoff == "points":
        return "The winner has 1 point, the loser 0."
    if players == 2:
        return "The loser pays 1 to the winner: payoffs are 1 and -1."
    share = Fraction(1, players - 1)
    return f"The loser pays 1, which the other {players - 1} players share: {share} each."


def _listed(words: list[str]) -> str:
    return ", ".join(words[:-1]) + (" and " if words[:-1] else "") + words[-1]
