"""A program in any language, asked on its standard input and answering on its standard output: docs/players.md."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...base.errors import NotApplicableError, nearest
from ...base.parameters import Parameter, truth
from ...base.rationals import Number, exact_sum, parse, text
from ...games.bidding import BiddingGame
from ...games.catalogue import identify
from ...games.protocol import DealtGame, PublicDecision
from ...strategies.policy import Policy, Uncovered
from ...strategies.tree_profile import Strategy
from ..find import Player, Table
from ..lines import RunningProgram

NAME = "program"

PROTOCOL = 1
"""The number of the protocol; what is added to it later are words that a program may pass over."""

ROUNDED = 1e-6
"""Probabilities that are written as decimals may sum to 1 within this error."""

DAY = 86_400
"""The longest that an answer may be waited for, in seconds."""

REPORTED = 2_000
"""The number of answers between two lines of progress."""


def read_answer(line: str, legal: Sequence[str]) -> dict[str, Number]:
    """The probabilities of the moves in an answer: ``"2x1"``, or ``"2x1=1/3 call=2/3"``.

    Exact where they sum to exactly 1; decimals that are off by a millionth at most are rounded ones, and become floats
    that sum to 1. Raises ``ValueError``, which says what is wrong.
    """
    words = line.split()
    if len(words) == 1 and "=" not in words[0]:
        words = [f"{words[0]}=1"]
    row: dict[str, Fraction] = {}
    for word in words:
        move, _, number = word.rpartition("=")
        if not move:
            raise ValueError(f"{word!r} is not MOVE=PROBABILITY")
        if move not in legal:
            raise ValueError(f"{move!r} is no legal move; {nearest(move, legal)}")
        if move in row:
            raise ValueError(f"{move!r} stands there twice")
        try:
            row[move] = parse(number)
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"{word!r}: {error}") from None
        if row[move] < 0:
            raise ValueError(f"{word!r} is negative")
    return _distribution(row)


def _distribution(row: Mapping[str, Fraction]) -> dict[str, Number]:
    if not row:
        raise ValueError("an empty line names no move")
    total = exact_sum(row.values())  # TooLongError is a ValueError
    if total == 1:
        return dict(row)
    if abs(total - 1) > ROUNDED:
        raise ValueError(f"the probabilities sum to {text(total) if len(text(total)) < 20 else float(total)}, not 1")
    return {move: float(p / total) for move, p in row.items()}


def new_line(game: DealtGame) -> str:
    """The line that names the game: its name and all settings, where the catalogue has it; players; bids."""
    name, settings = identify(game) or ("other", {})
    words = {"protocol": str(PROTOCOL), "game": name, **settings, "players": str(len(game.players))}
    if isinstance(game, BiddingGame):
        words["bids"] = _listed(game, game.bid_names)
    return _line("new", words)


def move_line(game: DealtGame, turn: PublicDecision, hand: int) -> str:
    """The line that asks for a move."""
    words = {
        "seat": str(turn.player),
        "hand": _checked(game, game.hands[turn.player][hand]),
        "history": _listed(game, moves_made(game, turn.history)),
        "legal": _listed(game, [action for action, _ in turn.actions]),
    }
    return _line("move", words)


def end_line(game: DealtGame, end: Uncovered) -> str:
    """The line about the end of a round."""
    words = {
        "seat": str(end.seat),
        "hands": ";".join(_checked(game, hand) for hand in end.hands),
        "history": _listed(game, moves_made(game, end.history)),
        "last": end.last,
        "payoffs": ",".join(map(text, end.payoffs)),
    }
    return _line("end", words)


def _line(word: str, words: Mapping[str, str]) -> str:
    return " ".join([word, *(f"{key}={value}" for key, value in words.items())])


def moves_made(game: DealtGame, history: str) -> list[str]:
    """The moves so far; none at the start, whatever the game calls that."""
    start = game.public_turn(game.public_root())
    return [] if isinstance(start, PublicDecision) and history == start.history else history.split()


def _listed(game: DealtGame, labels: Sequence[str]) -> str:
    for label in labels:
        if set(label) & set(",="):
            raise NotApplicableError(
                f"{NAME}: the move {label!r} of {game.title} has a ',' or '=', and no line holds it"
            )
    return ",".join(_checked(game, label) for label in labels)


def _checked(game: DealtGame, label: str) -> str:
    if label.split() != [label] or ";" in label:
        raise NotApplicableError(f"{NAME}: {label!r} of {game.title} has a blank or ';' in it, and no line holds it")
    return label


def _sit(table: Table, command: tuple[str, ...], timeout: float, last_bid_only: bool) -> Strategy:
    if not command:
        raise NotApplicableError(f"{NAME}: which one? {NAME}:COMMAND, such as '{NAME}:python3 player.py'")
    game = table.dealt(NAME)
    if last_bid_only:
        table.bidding(f"{NAME}: last_bid_only=true")
    first, asked = new_line(game), 0
    running = RunningProgram(command, NAME)
    running.tell(first)

    def program(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        nonlocal asked
        line = move_line(game, turn, hand)
        answer = running.ask(line, timeout)
        asked += 1
        if asked % REPORTED == 0:
            table.progress(f"{NAME} {command[0]}: {asked:,} answers")
        try:
            return read_answer(answer, [action for action, _ in turn.actions])
        except ValueError as error:
            running.refuse(f"answered {answer[:100]!r} to {line[:100]!r}: {error}")

    return Policy(program, last_bid_only, on_end=lambda end: running.tell(end_line(game, end)))


def _command(given: str) -> tuple[str, ...]:
    return tuple(shlex.split(given))


def _seconds(given: str) -> float:
    seconds = parse(given)
    if not 0 < seconds <= DAY:
        raise ValueError(f"must be a number of seconds above zero, at most {DAY}")
    return float(seconds)


PLAYERS = (
    Player(
        NAME,
        "a program in any language, asked on its standard input (docs/players.md); plays dealt games",
        _sit,
        (
            Parameter("command", "", _command, "the program and its arguments, quoted as in a shell; none is used"),
            Parameter("timeout", "10", _seconds, "seconds for each answer"),
            Parameter("last_bid_only", "false", truth, "whether its answers depend on hand and last bid alone"),
        ),
        main="command",
    ),
)
