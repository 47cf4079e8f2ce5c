"""The authoring interface of games: rules in exact rationals, and no tree.

Two kinds. A ``Game`` is any finite game, given turn by turn: its class says who plays (``players``) and what happens
at a state (``turn``). A ``DealtGame`` is one private deal followed by public play: its class says ``players``,
``hands``, ``deals``, whose public turn it is (``public_turn``) and what an end pays (``settle``). The deal and public
play are given separately, so that its tree can be tiled instead of walked. All else has a default that is worked
out. Players are numbered from 0; whole numbers may stand where a ``Fraction`` is asked for.

``efg_builder.build`` checks the rules and raises ``RulesError``, which names the state (see ``games.checks``).
"""

from __future__ import annotations

import inspect
import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ..base.errors import EfgBuilderError, RulesError

State = Any
"""A state of play: any immutable value; only the game that made it looks inside."""

Payoffs = tuple[Fraction, ...]
"""One exact payoff for each player."""


def _exact(number: Any) -> Any:
    """A whole number as a fraction. What is no exact number stays, and is refused where a tree is built."""
    return Fraction(number) if isinstance(number, int) else number


@dataclass(frozen=True, slots=True)
class Chance:
    """A roll: ``branches`` are (label, probability, next state); the probabilities sum to exactly 1."""

    label: str
    branches: tuple[tuple[str, Fraction, State], ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice of ``player``. Turns with equal ``player`` and ``infoset`` text are one information set.

    ``actions`` are (label, next state), in the order of play's rules; equal in the whole set.
    """

    player: int
    infoset: str
    actions: tuple[tuple[str, State], ...]


@dataclass(frozen=True, slots=True)
class End:
    """The end of play: one exact payoff per player, and a name for this outcome."""

    payoffs: Payoffs
    label: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.payoffs, tuple | list):
            object.__setattr__(self, "payoffs", tuple(map(_exact, self.payoffs)))


Turn = Chance | Decision | End


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a game tree, exact at any magnitude.

    ``infosets`` counts the personal players' information sets, one entry for each player.
    """

    chance_nodes: int
    decision_nodes: int
    terminal_nodes: int
    infosets: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.chance_nodes + self.decision_nodes + self.terminal_nodes


def _said(game: object) -> dict[str, Any]:
    """The attributes of *game* that are not worked out from others and kept."""
    kind = type(game)
    return {name: v for name, v in vars(game).items() if not isinstance(getattr(kind, name, None), cached_property)}


class Game(ABC):
    """A finite game, given turn by turn. Two games of one class with equal attributes are equal."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _said(self) == _said(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The players' names, in the order of their numbers."""

    @property
    def title(self) -> str:
        """One line for files and pictures, in ASCII. By default the name of the class, and its settings."""
        name = type(self).__name__
        if not is_dataclass(self):
            return name
        settings = ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self) if field.init)
        return f"{name}: {settings}" if settings else name

    @property
    def comment(self) -> str:
        """The rules in a sentence, in ASCII. By default the first paragraph of the class's docstring."""
        text = inspect.cleandoc(vars(type(self)).get("__doc__") or "").partition("\n\n")[0]
        # dataclass() writes a docstring of its own where there is none
        return "" if text.startswith(f"{type(self).__name__}(") else " ".join(text.split())

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of these parameters, in sentences."""
        return ()

    def explain(self) -> tuple[str, ...]:
        """The rules for these parameters in words, one paragraph each, for somebody who has never played.

        Where a game says no more, this is its comment; empty where it has none.
        """
        return (self.comment,) if self.comment else ()

    @property
    def pictures(self) -> Literal["dice", "rolls"] | None:
        """Which texts of this game are dice that a page may draw: ``"dice"``, the hands, such as ``"2,5"``;
        ``"rolls"``, what stands in brackets in a history, such as ``"(21)"``; None: no text."""
        return None

    @property
    def constant_sum(self) -> Fraction | None:
        """The sum of the payoffs wherever play ends, or None where it varies, or where nobody said so.

        A tree's own is worked out from its payoffs, whatever is said here.
        """
        return None

    def size(self) -> Size | None:
        """The exact size of the tree without building it, or None where the size is not known."""
        return None

    def root(self) -> State:
        """The state before anything happened. By default the empty text, for states that are histories as text."""
        return ""

    @abstractmethod
    def turn(self, state: State) -> Turn:
        """Whose turn it is at *state*, and what can happen."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its exact probability and the index of each player's hand."""

    probability: Fraction
    hands: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "probability", _exact(self.probability))


class PublicDecision(NamedTuple):
    """A public choice: ``history`` is the public history as text, ``actions`` are (label, next state).

    Different public turns of one player have different histories: with the hand, they name the sets. At the first
    turn it may be empty.
    """

    player: int
    history: str
    actions: tuple[tuple[str, State], ...]


class PublicEnd(NamedTuple):
    """The end of public play; ends with equal ``key`` pay the same for the same deal."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class PublicSize:
    """Public histories at which each player moves, and at which play ends."""

    decisions: tuple[int, ...]
    ends: int


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim of an action: how many own dice bear it out, and the probability that it is false.

    ``false`` is conditional on the own hand alone, not on play.
    """

    matching: int
    false: Fraction


class DealtGame(Game):
    """One private deal, then public play."""

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        """What *action* claims when *player* holds *hand* (by index), or None where it claims nothing."""
        return None

    @property
    @abstractmethod
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The names of each player's possible hands."""

    @property
    @abstractmethod
    def deals(self) -> tuple[Deal, ...]:
        """All deals of positive probability; the probabilities sum to exactly 1."""

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many hands each player can have; a game with many should not list them to count."""
        return tuple(map(len, self.hands))

    @property
    def deal_count(self) -> int:
        """How many deals there are; a game with many should not list them to count."""
        return len(self.deals)

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """The probability of each hand of each player where hands are independent; None where they are not."""
        chances = [[Fraction(0)] * count for count in self.hand_counts]
        for deal in self.deals:
            for mine, hand in zip(chances, deal.hands, strict=True):
                mine[hand] += deal.probability
        joint = {deal.hands: deal.probability for deal in self.deals}
        for hands in product(*map(range, self.hand_counts)):
            if joint.get(hands, 0) != prod(mine[hand] for mine, hand in zip(chances, hands, strict=True)):
                return None
        return tuple(map(tuple, chances))

    def classes(self, key: Hashable, player: int) -> tuple[int, ...]:
        """The payoff class of each hand of *player* at the public end *key*.

        Deals with equal classes of all players pay the same there. Fewer classes make larger games tractable; the
        hand's own index is always right.
        """
        return tuple(range(self.hand_counts[player]))

    def default_action(self, turn: PublicDecision) -> int:
        """The index of the action after which play can end soonest; of several, the first.

        A strategy plays it wherever its file has no row.
        """
        states = [then for _, then in turn.actions]
        fronts = [[state] for state in states]
        while True:
            for index, front in enumerate(fronts):
                turns = [self.public_turn(state) for state in front]
                if any(isinstance(then, PublicEnd) for then in turns):
                    return index
                fronts[index] = [s for then in turns if isinstance(then, PublicDecision) for _, s in then.actions]

    def public_root(self) -> State:
        """The public state before the first move. By default the empty text, for states that are histories as text."""
        return ""

    @abstractmethod
    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """Whose public turn it is at *state*."""

    def turns(self, within: Callable[[PublicDecision], bool] = lambda turn: True) -> Iterator[PublicDecision]:
        """All turns of public play in prefix order, lowest moves first.

        Where *within* is false of a turn, that turn and all that follow it are left out.
        """
        stack = [self.public_root()]
        while stack:
            turn = self.public_turn(stack.pop())
            if isinstance(turn, PublicDecision) and within(turn):
                yield turn
                stack += [then for _, then in reversed(turn.actions)]

    @abstractmethod
    def settle(self, key: Hashable, deal: Deal) -> End:
        """What a public end with this *key* pays when *deal* is uncovered."""

    @cached_property
    def _public_play(self) -> tuple[PublicSize, tuple[Hashable, ...]]:
        """The size of public play, by walking it, and the keys of its ends."""
        decisions, ends, keys = [0] * len(self.players), 0, dict[Hashable, None]()
        stack = [self.public_root()]
        while stack:
            turn = self.public_turn(stack.pop())
            if isinstance(turn, PublicDecision):
                decisions[turn.player] += 1
                stack += [then for _, then in turn.actions]
            else:
                ends += 1
                keys[turn.key] = None
        return PublicSize(tuple(decisions), ends), tuple(keys)

    def public_size(self) -> PublicSize:
        """The size of public play. By default all of it is walked; a game with much of it should know better."""
        return self._public_play[0]

    @cached_property
    def _sums(self) -> frozenset[Fraction]:
        return frozenset(
            sum(self.settle(key, deal).payoffs, Fraction(0)) for key in self._public_play[1] for deal in self.deals
        )

    @property
    def constant_sum(self) -> Fraction | None:
        """The sum of the payoffs wherever play ends, or None where it varies. By default all ends are looked at."""
        return next(iter(self._sums)) if len(self._sums) == 1 else None

    def deal_name(self, deal: Deal) -> str:
        """The deal as text, hands in the players' order: ``"1 vs 2"``."""
        return " vs ".join(self.hands[player][hand] for player, hand in enumerate(deal.hands))

    def infoset_name(self, player: int, hand: int, history: str) -> str:
        """What *player* knows, as text: ``"2: 1x1 1x2"``; at an empty history the hand alone."""
        return f"{self.hands[player][hand]}: {history}" if history else self.hands[player][hand]

    def size(self) -> Size:
        """``1 + D * P`` nodes for D deals and P public histories (one chance node, then D copies)."""
        with told(self, []):
            public, deals = self.public_size(), self.deal_count
            infosets = tuple(h * d for h, d in zip(self.hand_counts, public.decisions, strict=True))
        return Size(1, deals * sum(public.decisions), deals * public.ends, infosets)

    def root(self) -> State:
        """None: nothing has been dealt."""
        return None

    def turn(self, state: State) -> Turn:
        """The same game turn by turn: slower than tiling, and what the tiling is tested against."""
        if state is None:
            start = self.public_root()
            return Chance("deal", tuple((self.deal_name(d), d.probability, (d, start)) for d in self.deals))
        deal, public = state
        turn = self.public_turn(public)
        if isinstance(turn, PublicEnd):
            return self.settle(turn.key, deal)
        name = self.infoset_name(turn.player, deal.hands[turn.player], turn.history)
        return Decision(turn.player, name, tuple((a, (deal, then)) for a, then in turn.actions))


# Mistakes in rules that somebody wrote, as errors of one line: the class, the state, the problem.

_SHOWN = 80
"""Letters of a state that a message shows."""


class Wrong(Exception):
    """A mistake in rules; who catches it knows the state."""


@contextmanager
def told(game: object, state: Sequence[object]) -> Iterator[None]:
    """Turn an exception within into a ``RulesError`` that names the last of *state*, if there is one.

    That is ``Wrong``, and whatever the methods of *game* raise, with the line of its file; ``SystemExit`` too.
    """
    try:
        yield
    except (EfgBuilderError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        where = f"{type(game).__name__}, state {brief(state[-1])}" if state else type(game).__name__
        raise RulesError(f"{where}: {_mistake(error, game)}") from error


def _mistake(error: BaseException, game: object) -> str:
    """The mistake, and where: the game's own file, and of what its methods raised the last line there."""
    frames = traceback.extract_tb(error.__traceback__)
    own = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    if isinstance(error, Wrong):
        return f"{error} ({Path(own).name})" if own else str(error)
    inside = [frame for frame in frames if own and Path(frame.filename).name == Path(own).name]
    if isinstance(error, SystemExit):
        return program_ended(*(inside or frames)[:1])
    last = (inside or frames)[-1]
    said = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{said} ({Path(last.filename).name}, line {last.lineno})"


def program_ended(frame: traceback.FrameSummary) -> str:
    """The message of a ``SystemExit`` from *frame* of the rules."""
    where = "while it was read" if frame.name == "<module>" else f"in {frame.name}()"
    return f"{Path(frame.filename).name} ended the program (sys.exit) {where}"


def brief(value: object) -> str:
    """*value* as Python writes it, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 3]}..."
