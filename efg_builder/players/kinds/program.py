"""A program in any language, which reads questions from standard input, and writes answers to standard output.

docs/players.md describes the protocol. Three threads serve the program's pipes. A program therefore blocks nothing if
it does not read, does not answer, or never stops writing. The program and its process group are terminated when the
process that started them exits. If that process is killed (SIGKILL), only the program's standard input is closed.
PR_SET_PDEATHSIG is not used, because it depends on the starting thread.
"""

from __future__ import annotations

import shlex
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from multiprocessing.util import Finalize
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import IO, Any, NoReturn

from ...base import child
from ...base.errors import NotApplicableError, PlayerError, misspelled
from ...base.parameters import Parameter, fraction, truth
from ...base.rationals import Number, exact_sum, parse, text
from ...games.bidding import BiddingGame
from ...games.catalogue import identify
from ...games.protocol import DealtGame, PublicDecision
from ...strategies.policy import Policy, Uncovered
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

NAME = "program"

PROTOCOL = 1  # version of the protocol; later versions only add words, which a program may ignore
ROUNDED = 1e-6  # maximum difference between a sum of decimals and 1
DAY = 86_400  # maximum time limit for an answer, in seconds
SECONDS = f"a number of seconds above zero, at most {DAY}"
REPORTED = 2_000  # number of answers between two lines of progress


LONGEST = 1 << 18  # maximum length of a line, in bytes
AHEAD = 16  # maximum number of lines that a program may write without being asked
BEHIND = 1_000  # maximum number of lines that a program may leave unread
PATIENCE = 10.0  # time limit in seconds for reading a line while more than BEHIND lines are unread
GRACE = 1.0  # time limit in seconds for the program to exit, after its standard input is closed and again after SIGTERM
_SHOWN = 100

Lines = SimpleQueue[bytes | None]  # lines to write or read; None marks the end


def read_answer(line: str, legal: Sequence[str]) -> dict[str, Number]:
    """Return the probability of each move in an answer such as ``"2x1"`` or ``"2x1=1/3 call=2/3"``.

    The probabilities are exact if they sum to 1. If their sum differs from 1 by at most ``ROUNDED``, they become floats
    that sum to 1. Raises ``ValueError`` for any other answer.
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
            raise ValueError(f"{move!r} is not a legal move; {misspelled(move, legal)}")
        if move in row:
            raise ValueError(f"{move!r} appears twice")
        try:
            row[move] = parse(number)
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"{word!r}: {error}") from None
        if row[move] < 0:
            raise ValueError(f"{word!r} is negative")
    if not row:
        raise ValueError("an empty line names no move")
    total = exact_sum(row.values())  # TooLongError is a ValueError
    if total == 1:
        return {**row}
    if abs(total - 1) > ROUNDED:
        raise ValueError(f"the probabilities sum to {text(total) if len(text(total)) < 20 else float(total)}, not 1")
    return {move: float(p / total) for move, p in row.items()}


def new_line(game: DealtGame) -> str:
    """Return the line about *game*: its number of players, its bids, and its name and settings in the catalogue."""
    name, settings = identify(game) or ("other", {})
    words = {"protocol": str(PROTOCOL), "game": name, **settings, "players": str(len(game.players))}
    if isinstance(game, BiddingGame):
        words["bids"] = _listed(game, game.bid_names)
    return _line("new", words)


def move_line(game: DealtGame, turn: PublicDecision, hand: int) -> str:
    words = {
        "seat": str(turn.player),
        "hand": _checked(game, game.hands[turn.player][hand]),
        "history": _listed(game, moves_made(game, turn.history)),
        "legal": _listed(game, [action for action, _ in turn.actions]),
    }
    return _line("move", words)


def end_line(game: DealtGame, end: Uncovered) -> str:
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
    """Return the moves in *history*. The initial history has no moves, but its name depends on the game."""
    start = game.public_turn(game.public_root())
    return [] if isinstance(start, PublicDecision) and history == start.history else history.split()


def _listed(game: DealtGame, labels: Sequence[str]) -> str:
    for label in labels:
        if set(label) & set(",="):
            raise NotApplicableError(
                f"{NAME}: the move {label!r} of {game.title} has a ',' or '='; moves in a line cannot contain them"
            )
    return ",".join(_checked(game, label) for label in labels)


def _checked(game: DealtGame, label: str) -> str:
    if label.split() != [label] or ";" in label:
        raise NotApplicableError(
            f"{NAME}: {label!r} of {game.title} has a blank or ';'; names in a line cannot contain them"
        )
    return label


class RunningProgram:
    """A running program with the command and arguments *words*. *player* is its name in errors.

    The program is terminated if it fails, when this object is garbage-collected, or when this process exits. Raises
    ``PlayerError`` if the program does not start.
    """

    def __init__(self, words: Sequence[str], player: str) -> None:
        self._name = f"{player} {shlex.join(words)!r}"
        self._failed = ""
        try:
            self._process = child.start(words, subprocess.PIPE, {})
        except (OSError, ValueError) as error:
            raise PlayerError(f"{self._name} cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._heard, self._said = Lines(), Lines()
        self._answers, self._noted = deque[bytes](maxlen=1), deque[bytes](maxlen=1)
        # The threads refer to the pipes only, so that this object can be garbage-collected.
        try:
            _begin(_write, self._process.stdin, self._heard)
            _begin(_read, self._process.stdout, self._said)
            self._notes = _begin(_note, self._process.stderr, self._noted)
        except RuntimeError as error:  # there are no threads
            child.kill(self._process, GRACE)
            raise PlayerError(f"{self._name} cannot be watched: {error}") from None
        # Worker processes of multiprocessing run ``Finalize``, but no finalizers of atexit or weakref.
        self._end = Finalize(self, _end, (self._process, self._heard), exitpriority=10)

    def tell(self, line: str) -> None:
        """Send *line*, which needs no answer. Raises ``PlayerError`` if the program does not read its input."""
        if self._failed:
            raise PlayerError(self._failed)
        least, until = BEHIND + 1, 0.0
        while (unread := self._heard.qsize()) > BEHIND:
            if unread < least or not until:
                least, until = unread, monotonic() + PATIENCE
            if monotonic() > until:
                self._fail(f"has read nothing for {PATIENCE:g} s")
            sleep(0.001)
        self._heard.put(f"{line}\n".encode())

    def ask(self, line: str, seconds: float) -> str:
        """Return the answer to *line*. Raises ``PlayerError`` if there is no answer within *seconds*."""
        if self._failed:
            raise PlayerError(self._failed)
        with suppress(Empty):
            early = self._said.get_nowait()
            if early is None:
                self._fail_ended("ended")
            self._fail(f"wrote {_short(early)} without a question")
        self.tell(line)
        try:
            answer = self._said.get(timeout=seconds)
        except Empty:
            if child.has_ended(self._process):  # but its child processes may keep its standard output open
                self._fail_ended(f"ended without an answer to {_short(line)}")
            self._fail(f"gave no answer to {_short(line)} within {seconds:g} s (does it flush every line?)")
        if answer is None:
            self._fail_ended(f"ended without an answer to {_short(line)}")
        self._answers.append(answer)
        if len(answer) > LONGEST:
            self._fail(f"wrote more than {LONGEST:,} bytes without an end of line")
        return answer.decode(errors="replace").strip()

    def refuse(self, problem: str) -> NoReturn:
        """Terminate the program after an invalid answer, and raise ``PlayerError`` with the message *problem*."""
        self._answers.clear()
        self._fail(problem)

    def _fail_ended(self, problem: str) -> NoReturn:
        ended = child.ends_within(self._process, GRACE)
        self._notes.join(GRACE)  # its last lines may not have been read yet
        child.kill(self._process, GRACE)
        code = self._process.returncode if ended else None
        self._fail(problem if code is None else f"{problem} (exit code {code})")

    def _fail(self, problem: str) -> NoReturn:
        last = next((f"; its last line: {_short(line)}" for line in (*self._noted, *self._answers)), "")
        self._failed = f"{self._name} {problem}{last}"
        child.kill(self._process, GRACE)
        self._end()
        raise PlayerError(self._failed)


def _short(line: str | bytes) -> str:
    text = line.decode(errors="replace") if isinstance(line, bytes) else line
    text = text.strip()
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _begin(work: Callable[..., None], pipe: IO[bytes] | None, lines: Any) -> Thread:
    thread = Thread(target=work, args=(pipe, lines), daemon=True)
    thread.start()
    return thread


def _write(pipe: IO[bytes], heard: Lines) -> None:
    with suppress(OSError, ValueError):
        while (line := heard.get()) is not None:
            pipe.write(line)
            pipe.flush()
    with suppress(OSError):
        pipe.close()


def _read(pipe: IO[bytes], said: Lines) -> None:
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(LONGEST + 1):
            said.put(line)
            if len(line) > LONGEST or said.qsize() > AHEAD:
                break
    said.put(None)


def _note(pipe: IO[bytes], noted: deque[bytes]) -> None:
    with suppress(OSError, ValueError), pipe:
        while line := pipe.readline(1 << 12):
            if line.strip():
                noted.append(line)


def _end(process: subprocess.Popen[bytes], heard: Lines) -> None:
    heard.put(None)
    if not child.ends_within(process, GRACE):
        with suppress(OSError):
            process.terminate()
        child.ends_within(process, GRACE)
    child.kill(process, GRACE)


def _sit(table: Table, command: list[str], timeout: Fraction, last_bid_only: bool) -> Strategy:
    if not command:
        raise NotApplicableError(f"{NAME}: the command is missing; write it as '{NAME}:python3 player.py'")
    game = table.dealt(NAME)
    if last_bid_only:
        table.bidding(f"{NAME}: last_bid_only=true")
    first, asked = new_line(game), 0
    running = RunningProgram(command, NAME)
    running.tell(first)

    def program(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        nonlocal asked
        line = move_line(game, turn, hand)
        answer = running.ask(line, float(timeout))
        asked += 1
        if asked % REPORTED == 0:
            table.progress(f"{NAME} {command[0]}: {asked:,} answers")
        try:
            return read_answer(answer, [action for action, _ in turn.actions])
        except ValueError as error:
            running.refuse(f"answered {answer[:100]!r} to {line[:100]!r}: {error}")

    return Policy(program, last_bid_only, on_end=lambda end: running.tell(end_line(game, end)))


PLAYERS = (
    Player(
        NAME,
        "a program in any language, which reads requests from its standard input (docs/players.md); plays dealt games",
        _sit,
        (
            Parameter(
                "command", "", shlex.split, "the program and its arguments, quoted as in a shell (no shell is started)"
            ),
            Parameter("timeout", "10", fraction(SECONDS, 1e-9, DAY), "time limit for an answer in seconds"),
            Parameter("last_bid_only", "false", truth, "true if the answers depend only on the hand and the last bid"),
        ),
        main="command",
    ),
)
