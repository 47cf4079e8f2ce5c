"""The interface for games: exact rules without a tree.

A ``Game`` defines its rules turn by turn. A ``DealtGame`` is one private deal followed by public play. Players are
numbered from 0. An int may replace a ``Fraction``.
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
from functools import cached_property, partial
from itertools import count, product
from math import prod
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..base.errors import FAILURES, PASSED_ON, EfgBuilderError, RulesError
from ..base.words import listed

if TYPE_CHECKING:
    from .bidding import BiddingGame

State = Any
"""A state of play: any immutable value. Only the game interprets its states."""

Payoffs = tuple[Fraction, ...]
"""The exact payoff of each player."""


def _exact(number: Any) -> Any:
    """Convert an int to a fraction. Other values are unchanged; ``build`` rejects inexact values."""
    return Fraction(number) if isinstance(number, int) else number


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance move, returned by ``Game.turn``.

    Parameters
    ----------
    label : str
        The name of the chance event.
    branches : sequence of (str, Fraction or int, state)
        The label, probability and next state of each outcome. No probability is negative, and the sum is exactly 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import efg_builder as eb
    >>> coin = eb.Chance("coin", [("heads", Fraction(1, 2), "H"), ("tails", Fraction(1, 2), "T")])
    >>> coin.branches[0][0]
    'heads'
    """

    label: str
    branches: Sequence[tuple[str, Fraction | int, State]]


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a player, returned by ``Game.turn``.

    Parameters
    ----------
    player : int
        The mover, from 0.
    infoset : str
        The mover's knowledge. A player's decisions with the same ``infoset`` belong to one information set.
    actions : sequence of (str, state)
        The label and next state of each action. All decisions in an information set have the same labels in the same
        order.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.Decision(1, "a claim", [("fold", "Hcf"), ("doubt", "Hcd")]).player
    1
    """

    player: int
    infoset: str
    actions: Sequence[tuple[str, State]]


@dataclass(frozen=True, slots=True)
class End:
    """The end of play, returned by ``Game.turn`` and ``DealtGame.settle``.

    Parameters
    ----------
    payoffs : sequence of Fraction or int
        The exact payoff of each player; floats are rejected.
    label : str, optional
        The name of the outcome; by default, the payoffs.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.End((2, -2), "called").payoffs
    (Fraction(2, 1), Fraction(-2, 1))
    """

    payoffs: Payoffs
    label: str = ""

    if TYPE_CHECKING:

        def __init__(self, payoffs: Sequence[Fraction | int], label: str = "") -> None: ...

    def __post_init__(self) -> None:
        if isinstance(self.payoffs, tuple | list):
            object.__setattr__(self, "payoffs", tuple(map(_exact, self.payoffs)))


Turn = Chance | Decision | End


@dataclass(frozen=True, slots=True)
class Size:
    """The exact size of a game tree. ``infosets`` contains each player's number of information sets."""

    chance_nodes: int
    decision_nodes: int
    terminal_nodes: int
    infosets: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """The total number of nodes."""
        return self.chance_nodes + self.decision_nodes + self.terminal_nodes


def in_module_of_games(kind: type) -> bool:
    """Return whether the class *kind* is one of this package's games, whose rules need no checks."""
    return kind.__module__.startswith("efg_builder.games.")


def own_attributes(game: object) -> dict[str, Any]:
    kind = type(game)
    return {name: v for name, v in vars(game).items() if not isinstance(getattr(kind, name, None), cached_property)}


class Game(ABC):
    """The base class of games whose rules are defined turn by turn, with any chance moves and information sets.

    A subclass defines ``turn`` and ``players``. Methods must not change the game. A game with settings is a dataclass
    with ``frozen=True``. Two games of one class with equal attributes are equal.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import efg_builder as eb
    >>> class Coin(eb.Game):
    ...     players = "Alice", "Bob"
    ...
    ...     def turn(self, state):
    ...         if state == "":
    ...             return eb.Chance("coin", [(side, Fraction(1, 2), side) for side in ("heads", "tails")])
    ...         if state in ("heads", "tails"):  # Alice has not seen the coin
    ...             return eb.Decision(0, "guess", [("heads", state + "/heads"), ("tails", state + "/tails")])
    ...         coin, guess = state.split("/")
    ...         return eb.End((1, -1) if coin == guess else (-1, 1))
    >>> eb.solve(Coin()).value[0]
    Fraction(0, 1)
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and own_attributes(self) == own_attributes(other)

    def __hash__(self) -> int:
        return hash(type(self))

    if TYPE_CHECKING:
        players: Any  # allows an attribute, a property or a cached property
    else:

        @property
        @abstractmethod
        def players(self) -> Sequence[str]:
            """The players' names, in the order of their numbers."""

    @property
    def dealt_game(self) -> DealtGame | None:
        """The game itself if it is a ``DealtGame``; otherwise None."""
        return None

    @property
    def bidding_game(self) -> BiddingGame | None:
        """The game itself if it is a ``BiddingGame``; otherwise None."""
        return None

    @property
    def title(self) -> str:
        """A title in one line of ASCII; by default, the class's name and settings.

        If the class's docstring has several paragraphs, its first line replaces the name.
        """
        name = _title_and_rules(type(self))[0]
        if not is_dataclass(self):
            return name
        settings = ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self) if field.init)
        return f"{name}: {settings}" if settings else name

    @property
    def comment(self) -> str:
        """A one-sentence summary of the rules in ASCII.

        By default, the first paragraph of the class's docstring, without a line that is the title.
        """
        return _title_and_rules(type(self))[1]

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the game with these settings."""
        return ()

    def explain(self) -> tuple[str, ...]:
        """Return the rules for these settings in paragraphs; by default, return the comment."""
        return (self.comment,) if self.comment else ()

    def verb(self, action: str) -> str:
        """Return *action* as a verb with its object, such as ``"bid 1x2"``; by default empty, to print the label."""
        return ""

    @property
    def pictures(self) -> Literal["dice", "rolls"] | None:
        """The texts that a page draws as dice.

        ``"dice"``: hands. ``"rolls"``: rolls in histories, such as ``(62)``. None: no texts.
        """
        return None

    @property
    def constant_sum(self) -> Fraction | int | None:
        """The constant sum of the payoffs; None if the sum varies or is not declared."""
        return None

    def size(self) -> Size | None:
        """Return the exact size of the tree without building it; None for an unknown size."""
        return None

    def root(self) -> State:
        """Return the state before the first move; by default, the empty string."""
        return ""

    @abstractmethod
    def turn(self, state: State, /) -> Turn:
        """Return the turn at *state*: a ``Chance``, a ``Decision`` or an ``End``."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal of hands with its exact probability.

    Parameters
    ----------
    probability : Fraction or int
        The probability, which must be positive.
    hands : sequence of int
        The index of each player's hand in ``DealtGame.hands``, from 0.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import efg_builder as eb
    >>> eb.Deal(Fraction(1, 6), (0, 2)).hands
    (0, 2)
    """

    probability: Fraction
    hands: tuple[int, ...]

    if TYPE_CHECKING:

        def __init__(self, probability: Fraction | int, hands: Sequence[int]) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "probability", _exact(self.probability))


class PublicDecision(NamedTuple):
    """A public move of a player, returned by ``DealtGame.public_turn``.

    Parameters
    ----------
    player : int
        The mover, from 0.
    history : str
        The public history. The history and the mover's hand identify the information set, so any two public turns of
        one player must have different histories.
    actions : sequence of (str, state)
        The label and next public state of each action.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.PublicDecision(0, "", [("bet", "bet"), ("check", "check")]).player
    0
    """

    player: int
    history: str
    actions: Sequence[tuple[str, State]]


class PublicEnd(NamedTuple):
    """The end of public play, returned by ``DealtGame.public_turn``.

    Parameters
    ----------
    key : hashable
        The first argument of ``DealtGame.settle``. Public ends with equal keys have equal payoffs for each deal.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.PublicEnd("bet fold").key
    'bet fold'
    """

    key: Hashable


@dataclass(frozen=True, slots=True)
class PublicSize:
    """The number of public histories at which each player moves, and the number at which play ends."""

    decisions: tuple[int, ...]
    ends: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about the dice (or digits) of all players.

    ``matching`` is the number of the player's own dice that match the claim. ``false`` is the probability of a false
    claim, given the player's hand.
    """

    matching: int
    false: Fraction


MOST_DEFAULT_TURNS, MOST_DEFAULT_MOVES = 1_000, 4
"""``default_in_words`` lists the moves of at most this many public turns, and at most this many distinct moves."""

SOONEST = "the move after which play can end soonest"


class DealtGame(Game):
    """The base class of games with one private deal, followed by public play.

    A subclass defines ``players``, ``hands``, ``deals``, ``public_turn`` and ``settle``. Its tree is built faster than
    the tree of a ``Game``. Its pictures show tables of hands and moves.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import efg_builder as eb
    >>> class Bluff(eb.DealtGame):
    ...     players = "Alice", "Bob"
    ...     hands = ("low", "high"), ("none",)
    ...     deals = eb.Deal(Fraction(1, 2), (0, 0)), eb.Deal(Fraction(1, 2), (1, 0))
    ...
    ...     def public_turn(self, state):
    ...         if state == "":
    ...             return eb.PublicDecision(0, state, [("bet", "bet"), ("check", "check")])
    ...         if state == "bet":
    ...             return eb.PublicDecision(1, state, [("call", "bet call"), ("fold", "bet fold")])
    ...         return eb.PublicEnd(state)
    ...
    ...     def settle(self, key, deal):
    ...         if key == "bet fold":
    ...             return eb.End((1, -1))
    ...         stake = 2 if key == "bet call" else 1
    ...         return eb.End((stake, -stake) if deal.hands[0] == 1 else (-stake, stake))
    >>> eb.solve(Bluff()).value[0]
    Fraction(1, 3)
    """

    @property
    def dealt_game(self) -> DealtGame:
        """The game itself."""
        return self

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        """Return the claim that *player* makes by *action* with *hand* (an index); None without a claim."""
        return None

    if TYPE_CHECKING:
        hands: Any
        deals: Any
    else:

        @property
        @abstractmethod
        def hands(self) -> Sequence[Sequence[str]]:
            """The names of each player's possible hands in files, data and input."""

        @property
        @abstractmethod
        def deals(self) -> Sequence[Deal]:
            """All deals with positive probability; the probabilities sum to exactly 1."""

    @property
    def hand_names(self) -> Sequence[Sequence[str]]:
        """The names of each player's hands in pictures, pages and tables; by default, ``hands``.

        The order is the same as in ``hands``. A terminal shows these names only if all of them are ASCII. Users may
        type either name of a hand, so a name must not be another hand's name in ``hands``.

        >>> import efg_builder as eb
        >>> eb.game("kuhn").hands[0], eb.game("kuhn").hand_names[0]
        (('1', '2', '3'), ('J', 'Q', 'K'))
        """
        hands: Sequence[Sequence[str]] = self.hands
        return hands

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """The number of hands of each player. Override this property in games with many hands."""
        return tuple(map(len, self.hands))

    @property
    def deal_count(self) -> int:
        """The number of deals. Override this property in games with many deals."""
        return len(self.deals)

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """The probability of each hand of each player; None if the hands are not independent."""
        chances = [[Fraction(0)] * count for count in self.hand_counts]
        for deal in self.deals:
            for mine, hand in zip(chances, deal.hands, strict=True):
                mine[hand] += deal.probability
        joint = {deal.hands: deal.probability for deal in self.deals}
        for hands in product(*map(range, self.hand_counts)):
            if joint.get(hands, 0) != prod(mine[hand] for mine, hand in zip(chances, hands, strict=True)):
                return None
        return tuple(map(tuple, chances))

    def classes(self, key: Any, player: int, /) -> tuple[int, ...]:
        """Return the payoff class of each hand of *player* at the public end *key*; by default, all classes differ.

        Two deals with equal classes for all players have the same payoffs at this end. Fewer classes save time.
        Read classes by ``checks.payoff_classes``, which compares the classes of users' games with ``settle``.
        """
        return tuple(range(self.hand_counts[player]))

    @cached_property
    def _checked_classes(self) -> dict[Hashable, list[tuple[int, ...]]]:
        return {}

    def default_action(self, turn: PublicDecision) -> int:
        """Return the index of a strategy's default action: the first action after which play can end soonest."""
        fronts = [[then] for _, then in turn.actions]
        while True:
            for index, front in enumerate(fronts):
                turns = [self.public_turn(state) for state in front]
                if any(isinstance(then, PublicEnd) for then in turns):
                    return index
                fronts[index] = [s for then in turns if isinstance(then, PublicDecision) for _, s in then.actions]

    def default_in_words(self) -> str:
        """Return the default moves as text: a list of at most four moves of a small game, otherwise a description."""
        if sum(self.public_size().decisions) <= MOST_DEFAULT_TURNS:
            turns = self.turns()
            moves = {f"{self.players[t.player]} {t.actions[self.default_action(t)][0]}": None for t in turns}
            if len(moves) <= MOST_DEFAULT_MOVES:
                return ", ".join(moves)
        return SOONEST

    def public_root(self) -> State:
        """Return the public state before the first move; by default, the empty string."""
        return ""

    @abstractmethod
    def public_turn(self, state: State, /) -> PublicDecision | PublicEnd:
        """Return the turn at the public state *state*: a ``PublicDecision`` or a ``PublicEnd``."""

    def turns(self, within: Callable[[PublicDecision], bool] = lambda turn: True) -> Iterator[PublicDecision]:
        """Iterate over all decisions of public play in prefix order, with actions in their order.

        If *within* is false at a decision, its subtree is omitted.
        """
        return (turn for turn in self.public_play(within) if isinstance(turn, PublicDecision))

    def public_play(
        self, within: Callable[[PublicDecision], bool] = lambda turn: True
    ) -> Iterator[PublicDecision | PublicEnd]:
        """Iterate over the decisions of ``turns`` and all public ends. Raises ``RulesError`` for invalid rules."""

        def seen(state: State) -> PublicDecision | PublicEnd | None:
            turn = self._public_turn(state)
            return turn if isinstance(turn, PublicEnd) or within(turn) else None

        at: list[State] = []
        with told(self, at, self.public_turn):
            yield from (turn for _, _, turn in in_prefix_order(self.public_root(), seen, at, "public play") if turn)

    def _public_turn(self, state: State) -> PublicDecision | PublicEnd:
        turn = self.public_turn(state)
        if type(turn) is not PublicDecision:
            check_turn(turn, (PublicDecision, PublicEnd), "public_turn")
        return turn

    @abstractmethod
    def settle(self, key: Any, deal: Deal, /) -> End:
        """Return the payoffs of *deal* at a public end with this *key*."""

    @cached_property
    def _public_play(self) -> tuple[PublicSize, tuple[Hashable, ...]]:
        decisions, ends, keys = [0] * len(self.players), 0, dict[Hashable, None]()
        for turn in self.public_play():
            if isinstance(turn, PublicDecision):
                decisions[turn.player] += 1
            else:
                ends += 1
                keys[turn.key] = None
        return PublicSize(tuple(decisions), ends), tuple(keys)

    def public_size(self) -> PublicSize:
        """Return the size of the public tree, counted by a walk. Override this method in games with many histories."""
        return self._public_play[0]

    @cached_property
    def _sums(self) -> frozenset[Fraction]:
        sums, at = set[Fraction](), list[State]()
        with told(self, at, lambda state: self.settle(*state)):
            for key, deal in product(self._public_play[1], self.deals):
                at[:] = [(key, deal)]
                end = self.settle(key, deal)
                check_turn(end, (End,), "settle")
                sums.add(sum(end.payoffs, Fraction(0)))
        return frozenset(sums)

    @property
    def constant_sum(self) -> Fraction | int | None:
        """The constant sum of the payoffs, by default computed from all ends; None if the sum varies."""
        return next(iter(self._sums)) if len(self._sums) == 1 else None

    def deal_name(self, deal: Deal) -> str:
        """Return the deal as text, with hands in the order of the players: ``"1 vs 2"``."""
        return " vs ".join(self.hands[player][hand] for player, hand in enumerate(deal.hands))

    def infoset_name(self, player: int, hand: int, history: str) -> str:
        """Return the name of an information set, ``"2: 1x1 1x2"``; the hand alone if the history is empty."""
        return f"{self.hands[player][hand]}: {history}" if history else self.hands[player][hand]

    def size(self) -> Size:
        """Return the size: with D deals and P public histories, the tree has 1 + D * P nodes."""
        with told(self, []):
            public, deals = self.public_size(), self.deal_count
            infosets = tuple(h * d for h, d in zip(self.hand_counts, public.decisions, strict=True))
        return Size(1, deals * sum(public.decisions), deals * public.ends, infosets)

    def root(self) -> State:
        """Return None, the state before the deal."""
        return None

    def turn(self, state: State, /) -> Turn:
        """Return the turn at *state*, as in ``Game``. ``forms.extensive.tile`` does not need this method."""
        if state is None:
            start = self.public_root()
            return Chance("deal", tuple((self.deal_name(d), d.probability, (d, start)) for d in self.deals))
        deal, public = state
        with told(self, [public], self.public_turn):
            turn = self._public_turn(public)
        if isinstance(turn, PublicEnd):
            return self.settle(turn.key, deal)
        name = self.infoset_name(turn.player, deal.hands[turn.player], turn.history)
        return Decision(turn.player, name, tuple((a, (deal, then)) for a, then in turn.actions))


DEEPEST = 10_000
"""The maximum number of moves; longer play is treated as endless."""


def in_prefix_order(
    start: State, turn_of: Callable[[State], Any], at: list[State], what: str
) -> Iterator[tuple[int, int, Any]]:
    """Yield each turn as (parent's number, index of the action from the parent, turn); both numbers are -1 at *start*.

    *at* contains the current state. The caller must reject an invalid turn before the next step. Raises ``Wrong`` for
    endless play; *what* names this play in the message.
    """
    stack: list[tuple[State, int, int, int]] = [(start, -1, -1, 0)]
    for node in count():
        if not stack:
            return
        state, above, by, depth = stack.pop()
        at[:] = [state]
        if depth > DEEPEST:
            raise Wrong(f"{what} has not ended after {DEEPEST:,} moves; it must end")
        turn = turn_of(state)
        yield above, by, turn
        branches = turn.branches if isinstance(turn, Chance) else getattr(turn, "actions", ())
        stack.extend((branches[k][-1], node, k, depth + 1) for k in range(len(branches) - 1, -1, -1))


# Errors about mistakes in users' rules, each in one line: the class, the state and the problem.


class Wrong(Exception):
    """A mistake in a user's rules. ``told`` adds the state."""


def check_turn(turn: object, kinds: tuple[type, ...], method: str) -> None:
    if not isinstance(turn, kinds):
        names = listed([kind.__name__ for kind in kinds], "or")
        raise Wrong(f"{method}() returned {with_kind(turn)}; it must return {names}")


def with_kind(value: object) -> str:
    """Return *value*, shortened, and its type: ``'1', a str``."""
    kind = type(value).__name__
    return "None" if value is None else f"{brief(value)}, {'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


@contextmanager
def told(game: object, state: Sequence[object], method: Callable[[Any], object] | None = None) -> Iterator[None]:
    """Convert ``Wrong``, and exceptions from methods of *game*, to a ``RulesError`` that names the last *state*.

    For the line of a ``Wrong``, *method* is called with this state once more, so what it prints appears twice. If it
    is not a function of the state, the line may be another one. The exceptions in ``PASSED_ON`` and
    ``KeyboardInterrupt`` pass through unchanged, also from this call.
    """
    try:
        yield
    except (EfgBuilderError, *PASSED_ON):
        raise
    except FAILURES as error:
        where = f"{type(game).__name__}, state {brief(state[-1])}" if state else type(game).__name__
        call = partial(method, state[-1]) if method and state else None
        raise RulesError(f"{where}: {_mistake(error, game, call)}") from error


def _mistake(error: BaseException, game: object, call: Callable[[], object] | None) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    if isinstance(error, Wrong):
        line = _last_line(call, own) if own and call else None
        return f"{error} ({Path(own).name}{f', line {line}' if line else ''})" if own else str(error)
    inside = [frame for frame in frames if own and Path(frame.filename).name == Path(own).name]
    if isinstance(error, SystemExit):
        return program_ended(error)
    last = (inside or frames)[-1]
    said = f": {error}" if str(error) else ""
    return f"{type(error).__name__}{said} ({Path(last.filename).name}, line {last.lineno})"


def _last_line(call: Callable[[], object], path: str) -> int | None:
    """Return the last line of the file *path* at which a function returns during *call*; None without one."""
    lines: list[int] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame.f_code.co_filename == path:
            lines.append(frame.f_lineno)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    except PASSED_ON:
        raise
    except FAILURES:
        return None
    finally:
        sys.setprofile(before)
    return lines[-1] if lines else None


RULES_FILES: set[str] = set()
"""The paths of the rules files that have been run."""


def program_ended(error: SystemExit) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    frame = next((frame for frame in frames if frame.filename in RULES_FILES), frames[-1])
    where = "while it was read" if frame.name == "<module>" else f"in {frame.name}()"
    return f"{Path(frame.filename).name} ended the program (sys.exit) {where}"


def brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


MOST_TITLE = 60  # the maximum number of letters of a title in a docstring


def _title_and_rules(kind: type) -> tuple[str, str]:
    """Return the title in the docstring of a class, or else its name, and the paragraph with the rules."""
    # dataclass() adds a docstring to a class without one
    text = inspect.cleandoc(vars(kind).get("__doc__") or "")
    first, _, rest = ("" if text.startswith(f"{kind.__name__}(") else text).partition("\n\n")
    titled = "\n" not in first and len(first) <= MOST_TITLE and first.isascii()
    is_title = titled and rest and "\n---" not in rest.partition("\n\n")[0]  # that would be a section of NumPy's style
    rules = rest.partition("\n\n")[0] if is_title else first
    return first.rstrip(".") if is_title else kind.__name__, " ".join(rules.split())
