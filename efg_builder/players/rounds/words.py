"""A round in words: the meaning of a typed line, and texts about the hand, the moves, the end and the score.

A move may be typed in several forms. The meaning of an ambiguous line is never guessed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from ...base.rationals import ROUGHLY, text
from ...base.words import LEFT_OUT, amount, in_text, listed, listed_in_short, moves_shown, plural, shows_all
from ...forms.extensive import CHANCE
from ...forms.hand_names import printed
from ...forms.subject import Subject
from ...games.bidding import Bid, DiceBidding
from ...games.kuhn import RANKS
from ...games.mia import Mia
from ...games.protocol import End, Game
from . import Event, OpenRound, Record, Score

Kind = Literal["move", "help", "hint", "hints", "equilibrium", "quit", "unclear"]

_WORDS: dict[Kind, str] = {
    "help": "? help",
    "hint": "h hint",
    "hints": "hh",
    "equilibrium": "e equilibrium",
    "quit": "q quit exit",
}
_COMMANDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}

_BID = re.compile(r"(\d+)\s*(?:x|×|\*|,|-|\s)\s*(\d+)s?\Z")


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
IN_DIGITS = {word: str(n) for n, name in enumerate(_NUMBERS, start=1) for word in (name, f"{name}s", f"{name}es")}
"""The digits of numbers and faces in words, such as ``two sixes``."""

MOVES_HELP = "Type a move, or the beginning of one; bids can be typed as 1x2, 1 x 2 or 1 2."


def typed_line() -> str:
    """Return the next line of standard input, or an empty string if no line can be read."""
    try:
        return sys.stdin.readline()
    except (OSError, ValueError, AttributeError):
        return ""


@dataclass(frozen=True)
class Typed:
    """The meaning of a typed line. ``text`` is a move's label, or a message about an unclear line."""

    kind: Kind
    text: str = ""


def numbered(actions: Sequence[str]) -> dict[str, str]:
    """Return *actions* by number: ``1``, ``2``, ..., or ``#1``, ``#2``, ... if a move begins with a digit."""
    mark = "#" if any(action[:1].isdigit() for action in actions) else ""
    return {f"{mark}{k}": action for k, action in enumerate(actions, start=1)}


def understood(line: str, actions: Sequence[str], numbers: Mapping[str, str] = MappingProxyType({})) -> Typed:
    """Return the meaning of *line* if *actions* are the legal moves.

    *line* is compared with the labels of moves, then with the words and letters of commands, then with *numbers*.
    Finally, *line* may be the beginning of exactly one move. Case and blanks are ignored. ``1 x 2``, ``1*2``, ``1 2``
    and ``one two`` mean ``1x2``.
    """
    if line.strip() in actions:
        return Typed("move", line.strip())
    word = " ".join(line.casefold().split())
    bid = _BID.match(" ".join(IN_DIGITS.get(part, part) for part in word.split()))
    spellings = [word] if bid is None else [word, f"{bid[1]}x{bid[2]}"]
    folded = {action: action.casefold() for action in actions}
    alike = [action for action, label in folded.items() if label in spellings]
    if len(alike) != 1 and word in _COMMANDS:
        return Typed(_COMMANDS[word])
    if len(alike) != 1 and word in numbers:
        return Typed("move", numbers[word])
    begun = alike or [a for a, label in folded.items() if word and label.startswith(spellings[-1].replace(" ", ""))]
    if len(begun) == 1:
        return Typed("move", begun[0])
    if begun:
        return Typed("unclear", f"that could be {listed_in_short(begun, 'or')}")
    said = f"{line.strip()[:40]!r} is not a legal move" if word else "nothing was typed"
    return Typed("unclear", f"{said}: {listed_in_short(actions, 'or')}; ? for help")


# --- a round

_LETTERS = 9  # maximum length of a fraction; longer fractions are shown as decimals
BEST = 5  # number of moves in a hint
_DIGITS = 10**15
"""Numbers of at least this size are shown with six digits and a power of ten: such floats have no decimal places."""


@dataclass(frozen=True)
class Unit:
    """The formats of numbers: the value of a move (``worth``), and its loss (``cost``).

    ``what`` is a noun to print before a value.
    """

    worth: Callable[[Fraction], str]
    cost: Callable[[Fraction], str]
    what: str = ""


def number(value: Fraction) -> str:
    """Return a short fraction exactly, such as ``-1/3``, and other numbers as decimals, such as ``≈-0.037``."""
    if abs(value) < _DIGITS:
        return amount(value, _LETTERS).replace("−", "-")
    # Avoid floats, which overflow above 1e308.
    rounded = Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator)).normalize()
    return f"{'' if Fraction(rounded) == value else ROUGHLY}{rounded:g}"


PAYOFFS = Unit(number, number, "a payoff of ")  # payoffs as they are


def dealt(now: OpenRound) -> str:
    hand = now.board.hand(now.state, now.seat)
    return f"You hold {printed(now.board.game)(now.seat, hand)}." if hand else ""


def known(now: OpenRound) -> str:
    """Return a line with the human's hand. In a game without hands, the line contains all events seen."""
    if hand := dealt(now):
        return hand
    if isinstance(now.turn, End):
        return ""
    seen = so_far(now.board.seen(now.state), now.board.players, now.seat, now.board.game)
    if isinstance(now.board.game, Mia):  # names of its information sets would repeat the events
        return f"You know: {seen or 'nothing yet'}."
    told = f"So far: {seen}." if seen else "You have seen nothing so far."
    return f"Your information set: {now.turn.infoset}. {told}"


def so_far(seen: Sequence[Event], players: Sequence[str], seat: int, game: Game | None) -> str:
    """Return the events seen, in order: ``you roll 22; you announce 11; Player 2 believes``."""
    told = []
    for each in seen:
        if each.player != CHANCE:
            told.append(f"{'you' if each.player == seat else players[each.player]}{_says(each, seat, game)}")
        else:  # in Mia, a player sees only her own rolls
            told.append(
                f"you roll {each.action}" if isinstance(game, Mia) else f"{each.label or 'chance'}: {each.action}"
            )
    return "; ".join(told)


def _says(event: Event, seat: int, game: Game | None) -> str:
    """Return the words after the mover's name: `` bids 1x2``, or `` bid 1x2`` after *you*.

    In all games except bidding games and Mia, the label of the move follows a colon.
    """
    verb, _, what = game.verb(event.action).partition(" ") if game is not None else ("", "", "")
    if not verb:
        return f": {event.action}"
    return f" {verb}{'' if event.player == seat else 's'}{' ' * bool(what)}{what}"


def asked(now: OpenRound) -> str:
    """Return the request for a move: ``Your move: 1x1, 1x2 or call``, or ``Your move: 1 fold or 2 call``."""
    names = [f"{k} {action}" for k, action in numbers(now).items()] or now.actions
    return f"Your move: {listed_in_short(names, 'or')}"


def numbers(now: OpenRound) -> dict[str, str]:
    """Return the legal moves by number; empty if the moves contain numbers, as bids on dice do."""
    game, told = now.board.game, numbered(now.actions)
    return told if game is None or not (isinstance(game, DiceBidding) or "#1" in told) else {}


def happened(now: OpenRound, since: int) -> Iterator[str]:
    for event in now.events[since:]:
        if event.player not in (CHANCE, now.seat) and now.board.open:
            yield f"{now.board.players[event.player]}{_says(event, now.seat, now.board.game)}."


def ended(record: Record, game: Game | None) -> Iterator[str]:
    """Yield the lines of ``shown``, and a line about the human's payoff."""
    yield from shown(record, game)
    yield (
        f"You {'win' if record.result > 0 else 'lose'} {number(abs(record.result))}." if record.result else "You get 0."
    )


def shown(record: Record, game: Game | None) -> Iterator[str]:
    """Yield lines about all moves of a finished round, the hidden information, and the outcome."""
    names = ["You" if player == record.seat else name for player, name in enumerate(record.players)]
    made = [event for event in record.events if event.player != CHANCE]
    if isinstance(game, Mia):
        moves = [f"{names[event.player]}{_says(event, record.seat, game)}" for event in made]
    else:
        moves = [f"{names[event.player]} {event.action}" for event in made]
    yield f"Moves: {', '.join(moves)}." if moves else "Nobody had a choice."
    yield from _uncovered(record, game)
    if isinstance(game, DiceBidding):
        yield from _called(record, game)
    elif record.ending == ", ".join(map(text, record.payoffs)):  # an end without a label
        pairs = zip(record.players, record.payoffs, strict=True)
        yield f"{', '.join(f'{name} gets {text(payoff)}' for name, payoff in pairs)}."
    elif record.ending:
        yield f"{record.ending[0].upper()}{record.ending[1:]}."


def _uncovered(record: Record, game: Game | None) -> Iterator[str]:
    me = record.players[record.seat]
    names = ["you" if name == me else name for name in record.players]
    if game is not None and Subject.of(game).dealt is not None:
        label = printed(game)
        hands = [label(player, hand) for player, (_, hand) in enumerate(record.uncovered)]
        hidden = [f"{name} {hand}" for name, hand in zip(names, hands, strict=True)]
    elif isinstance(game, Mia):  # players take turns in rolling, player 1 first
        hidden = [f"{names[k % 2]} rolled {what}" for k, (_, what) in enumerate(record.uncovered)]
    else:  # chance events, which may have the name of a player
        hidden = []
        if chosen := [f"{what} ({label})" if label else what for label, what in record.uncovered]:
            yield f"Chance had chosen {listed(chosen)}."
    if hidden:
        yield f"Uncovered: {'; '.join(hidden)}."


def called_bid(record: Record, game: DiceBidding) -> tuple[Bid, int]:
    """Return the bid that was called at the end of a round of Liar's Dice, and the number of matching dice."""
    made = [event for event in record.events if event.player != CHANCE]
    bid = game.bids[game.bid_names.index(made[-2].action)]
    hands = [tuple(map(int, hand.split(","))) for _, hand in record.uncovered]
    return bid, sum(game.matches(hand, bid[1]) for hand in hands)


def _called(record: Record, game: DiceBidding) -> Iterator[str]:
    made = [event for event in record.events if event.player != CHANCE]
    (quantity, face), there = called_bid(record, game)
    wild = f" or the wild {game.wild}" if game.wild not in (None, face) else ""
    dice = "1 die shows" if there == 1 else f"{there or 'no'} dice show"
    holds = "holds" if there >= quantity else "does not hold"
    if there == quantity and game.needed(1) > 1:
        holds = "is met exactly"
    yield f"The bid {made[-2].action} {holds}: {dice} {face}{wild}."
    loser = made[-1].player if there >= quantity else made[-2].player
    if len(record.players) > 2 and loser != record.seat:  # With two players, the payoff shows the loser.
        yield f"{record.players[loser]} loses."


def mistakes(record: Record, unit: Unit = PAYOFFS, game: Game | None = None) -> Iterator[str]:
    for k, step in enumerate(record.steps):
        if step.price:
            best = [action for action, value in step.values.items() if value == step.best]
            yield (
                f"{occasion(record, k, game)}, your {step.action} was worth "
                f"{unit.what}{unit.worth(step.values[step.action])}; "
                f"{listed_in_short(best, 'or')} would have been {unit.worth(step.best)}: loss {unit.cost(step.price)}."
            )


def occasion(record: Record, k: int, game: Game | None = None) -> str:
    """Return the situation at the human's move *k*, such as ``With a 1 after a raise``.

    In a game without hands, the situation is the information set, or in Mia the events seen.
    """
    step = record.steps[k]
    if not step.hand:
        seen = so_far(step.seen, record.players, record.seat, game)
        return f"Knowing that {seen}" if isinstance(game, Mia) else f"At {step.infoset}"
    made = [event for event in record.events if event.player != CHANCE]
    own = [at for at, event in enumerate(made) if event.player == record.seat]
    before = [_noun(event.action) for event in made[: own[k]]]
    hand = printed(game)(record.seat, step.hand)
    hand = _noun(hand, "a ") if hand.isdigit() or hand in RANKS else hand
    return f"With {hand} {'after ' + ', '.join(before) if before else 'at the start'}"


def _noun(word: str, article: str = "") -> str:
    if word[0].isdigit() and not article:
        return word
    return f"{'an' if word[0] in 'aeiou8' or word in ('11', '18', 'A') else 'a'} {word}"


def hint(
    values: Mapping[str, Fraction], unit: Unit = PAYOFFS, whole: bool = False, opponents: int = 1
) -> Iterator[str]:
    """Yield lines with the values and losses of the best moves, or of all moves if *whole* is true."""
    best, worth = max(values.values()), unit.worth
    ranked = sorted(values, key=lambda action: -values[action])
    told = ranked if whole else ranked[:BEST]
    yield f"Against {'this opponent' if opponents == 1 else 'these opponents'} a move is worth, on average:"
    wide, deep = max(map(len, told)), max(len(worth(values[action])) for action in told)
    for action in told:
        price = best - values[action]
        end = f"costs {unit.cost(price)}" if price else "best"
        yield f"  {action:{wide}}  {worth(values[action]):>{deep}}  {end}"
    if len(told) < len(ranked):
        yield f"  and {plural(len(ranked) - BEST, 'more move')}, none of them better; hh shows all"


EQUILIBRIUM = "The equilibrium"  # the adviser, at the start of a sentence
SOLUTION = "These strategies"  # the adviser for a solution that is nearly an equilibrium


def help_lines(who: str = EQUILIBRIUM) -> tuple[str, ...]:
    return (
        MOVES_HELP,
        "If moves are numbered, you can type the number.",
        f"h  the best five moves against this opponent               e  advice from {who[0].lower()}{who[1:]}",
        "hh all moves                                               q  stop, with the score",
        "?  this help",
    )


def advice(chances: Mapping[str, Fraction], strayed: bool, who: str = EQUILIBRIUM) -> str:
    """Return the advice of *who*. *strayed*: whether the human has made a move that *who* never makes."""
    regret = 0 if who == EQUILIBRIUM else 1  # a regret above 0 prints the probabilities in whole percent
    shown = moves_shown(chances.items())
    numbers = in_text([p for _, p in shown], regret)
    parts = [f"{action} {text}" if p != 1 else action for (action, p), text in zip(shown, numbers, strict=True)]
    rest = f" ({LEFT_OUT})" if not shows_all(shown, chances.items()) else ""
    gets = "It never gets here by its" if who == EQUILIBRIUM else "They never get here by their"
    note = f" {gets} own moves, so do not rely on this advice." if strayed else ""
    return f"{who} would play {', '.join(parts)}{rest}.{note}"


def score_line(score: Score) -> str:
    return f"Score after {plural(score.rounds, 'round')}: {number(score.result)}"


def tally(score: Score) -> Iterator[str]:
    """Yield lines about the score: the result, the start, the losses and the luck."""
    parts = [number(part) for part in (score.start, -score.price, score.luck)]
    start, price, luck = (part.rjust(max(9, *map(len, parts))) for part in parts)
    starts = " + ".join(f"{plural(times, 'round')} x {number(start)}" for times, start in score.starts)
    yield score_line(score)
    yield f"  best play  {start}   {starts}"
    yield f"  mistakes   {price}   {slips(score)}"
    yield f"  luck       {luck}   the rest: dice and the others' choices, 0 on average"
    each = number(score.skill / score.rounds)
    yield "  The three add up to your result, the sum of your payoffs."
    yield f"  Without luck, your payoff is {each} a round: an estimate, rough after few rounds,"
    yield "  because possible losses depend on the dice."


def slips(score: Score) -> str:
    if not score.moves:
        return "you had no move"
    if not score.mistakes:
        return "no mistake"
    if score.moves == 1:
        return "your only move was a mistake"
    return f"{score.mistakes} of {score.moves} moves {'was a mistake' if score.mistakes == 1 else 'were mistakes'}"
