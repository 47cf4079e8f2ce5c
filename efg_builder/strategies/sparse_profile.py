"""Behavior strategies for games too large for a tree. Most information sets are omitted and have default moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

from .._later import later
from ..base.errors import ParameterError, ProfileError, check_kind, kind_of, misspelled
from ..base.rationals import is_distribution
from ..forms.hand_names import hand_called, printed_hands
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, PublicDecision, State
from .dense_rows import DenseRows, from_written
from .tree_profile import Entry, Row, Strategy, check_distribution

Behavior = Mapping[str, Fraction]
"""The probability of each action; omitted actions have probability 0."""


class MovesTo(NamedTuple):
    """The path to a public history: its turns, including the turn at the history, and the indices of the actions."""

    turns: tuple[PublicDecision, ...]
    moves: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SparseProfile(Strategy):
    """A behavior strategy for every player of a dealt game; default moves are omitted.

    Parameters
    ----------
    game : DealtGame
        The rules, such as ``eb.game("liars-dice")``.
    strategies : tuple of mappings
        ``strategies[player][history][hand]`` maps actions to exact probabilities. At other information sets, the player
        makes the default move (``game.default_action``), after which play can end soonest.
    name : str, default "strategies"
        A name for reports.

    Raises
    ------
    ProfileError
        If a distribution has a negative or inexact probability, or does not sum to 1.
    ParameterError
        If *game* or *strategies* has the wrong type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> profile = eb.solve("liars-dice sides=2", "oracle").strategy
    >>> profile
    <SparseProfile of "Liar's Dice: one two-sided die each": 2 + 2 information sets>
    >>> profile["2: 1x2"]
    {'2x1': Fraction(0, 1), '2x2': Fraction(1, 1), 'call': Fraction(0, 1)}
    """

    game: DealtGame
    strategies: tuple[Mapping[str, Mapping[int, Behavior]], ...]
    name: str = "strategies"

    def __post_init__(self) -> None:
        check_kind("SparseProfile", self.game, DealtGame, "a dealt game", "eb.game('liars-dice') makes a dealt game")
        hint = "strategies[player][history][hand] has probabilities by action"
        check_kind("SparseProfile", self.strategies, Sequence, "a tuple of strategies, one for each player", hint)
        layer: Sequence[Any] = self.strategies
        for keys in ("histories", "hands", "actions"):
            for each in layer:
                check_kind("SparseProfile", each, Mapping, f"a mapping with {keys} as keys", hint)
            layer = [value for each in layer for value in each.values()]
        if len(self.strategies) != len(self.game.players):
            raise ProfileError(f"{len(self.strategies)} strategies for {len(self.game.players)} players")
        for player, history, hand, behavior in self:
            if not is_distribution(behavior.values()):
                label = self.game.infoset_name(player, hand, history)
                check_distribution(tuple(behavior.values()), len(behavior), label)
                raise ProfileError(f"{self.game.players[player]}: a probability at {label!r} is not an exact fraction")

    @classmethod
    def of_distributions(
        cls, game: DealtGame, strategies: tuple[Mapping[str, Mapping[int, Behavior]], ...], name: str = "strategies"
    ) -> SparseProfile:
        """Return a profile without checks. The caller guarantees that the rows are exact distributions."""
        profile = object.__new__(cls)
        profile.__dict__.update(game=game, strategies=strategies, name=name)
        return profile

    @property
    def sparse_profile(self) -> SparseProfile:
        """The profile itself."""
        return self

    def __iter__(self) -> Iterator[tuple[int, str, int, Behavior]]:
        """Yield the stored information sets as (player, history, hand, behavior)."""
        for player, histories in enumerate(self.strategies):
            for history, hands in histories.items():
                for hand, behavior in hands.items():
                    yield player, history, hand, behavior

    def entries(self) -> Iterator[Entry]:
        """Yield the stored information sets. As in a tree, all entries of a hand are adjacent, in the order of play."""
        for player, history, hand, behavior in sorted(self, key=lambda entry: (entry[0], entry[2])):
            row = {action: p for action, p in behavior.items() if p}
            yield Entry(player, self.game.infoset_name(player, hand, history), row)

    @property
    def exact(self) -> bool:
        """True for every sparse profile."""
        return True

    def rows(self, player: int, history: str) -> Mapping[int, Behavior]:
        """Return the player's stored behavior at *history* for each hand. Other hands make the default move."""
        return self.strategies[player].get(history, {})

    def at(self, turn: PublicDecision, hand: int) -> Behavior:
        """Return the mover's probabilities at *turn* with *hand*; omitted actions have probability 0."""
        behavior = self.rows(turn.player, turn.history).get(hand)
        return behavior or {turn.actions[self.game.default_action(turn)][0]: Fraction(1)}

    def played(self, turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        """Return the positive probabilities, in the order of actions. Raises ``ProfileError`` for illegal actions."""
        behavior = self.at(turn, hand)
        played = {action: behavior[action] for action, _ in turn.actions if behavior.get(action)}
        if len(played) < len(behavior):
            self._check_actions(turn)
        return played

    def behaviors(self, turn: PublicDecision, hands: Iterable[int]) -> dict[int, Behavior]:
        """Return the mover's behavior at *turn* for each hand. Raises ``ProfileError`` for illegal actions."""
        written = self.rows(turn.player, turn.history)
        default = {turn.actions[self.game.default_action(turn)][0]: Fraction(1)}
        by_hand = {hand: written.get(hand) or default for hand in hands}
        legal = {action for action, _ in turn.actions}
        if written and not all(legal.issuperset(behavior) for behavior in by_hand.values()):
            self._check_actions(turn)
        return by_hand

    def __getitem__(self, label: str) -> dict[str, Fraction]:
        """Return the probability of each action at the information set *label*, such as ``"2,5: 1x1 1x2"``.

        Raises ``ParameterError`` if there is no such information set.
        """
        check_kind("profile[...]", label, str, "the label of an information set", "such as '2: 1x2'")
        named, _, history = label.partition(": ")
        called = {player: hand_called(self.game, player, named) for player in range(len(self.game.players))}
        held = {player: hand for player, hand in called.items() if hand is not None}
        if not held:
            said, _, after = label.partition(":")
            if (blank := f"{said.strip()}: {after.strip()}") != label and blank in self:
                raise ParameterError(f"there is no information set {label!r}; did you mean {blank!r}?")
            names = [name for hands in printed_hands(self.game) for name in hands]
            raise ParameterError(
                f"there is no information set {label!r}, because there is no hand {named!r}; {misspelled(named, names)}"
            )
        first, turn = (turns := towards(self.game, history).turns)[0].history, turns[-1]
        if turn.history != history:
            word, moves = history.removeprefix(turn.history).strip().partition(" ")[0], [a for a, _ in turn.actions]
            problem = f"{word!r} does not follow {turn.history!r}; {misspelled(word, moves)}"
            if len(turns) == 1 and not history.startswith(first):
                problem = f"no history begins with {word!r}; {misspelled(word, (first, *moves))}"
            raise ParameterError(f"there is no information set {label!r}: {problem}")
        if turn.player not in held:
            mover, own = self.game.players[turn.player], printed_hands(self.game)[turn.player]
            problem = f"{mover}, who moves at {history!r}, has no hand {named!r}; {misspelled(named, own)}"
            raise ParameterError(f"there is no information set {label!r}: {problem}")
        behavior = self.at(turn, held[turn.player])
        return Row(label, {action: behavior.get(action, Fraction(0)) for action, _ in turn.actions})

    def __contains__(self, label: object) -> bool:
        """Return whether ``self[label]`` is an information set."""
        try:
            return isinstance(label, str) and bool(self[label])
        except ParameterError:
            return False

    def __str__(self) -> str:
        return "\n".join(later("SparseProfile.__str__")(self))

    def __repr__(self) -> str:
        return f"<SparseProfile of {self.game.title!r}: {' + '.join(f'{n:,}' for n in self.sizes)} information sets>"

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Each player's number of stored information sets."""
        return tuple(sum(map(len, histories.values())) for histories in self.strategies)

    def silent(self, player: int, turn: PublicDecision) -> bool:
        """Return whether *player* calls from *turn* on in a bidding game, as no information set there is stored."""
        return self.game.bidding_game is not None and turn.history not in self._leading[player]

    @cached_property
    def _leading(self) -> tuple[frozenset[str], ...]:
        """Each player's histories with a stored information set, and all histories before them."""
        start = self.game.public_turn(self.game.public_root())
        first = start.history if isinstance(start, PublicDecision) else ""
        return tuple(
            frozenset({first}.union(*(accumulate(history.split(" "), "{} {}".format) for history in histories)))
            for histories in self.strategies
        )

    def canonical(self) -> SparseProfile:
        """Return the same strategies in their shortest form, in the order of play.

        Probabilities of 0, default moves, and information sets that the player's moves never reach are omitted. Raises
        ``ProfileError`` if an action is not legal.
        """
        strategies: tuple[dict[str, dict[int, Behavior]], ...] = tuple({} for _ in self.strategies)
        for player, mine in enumerate(strategies):
            ways = sorted(
                filter(None, (way_to(self.game, history) for history in self.strategies[player])),
                key=lambda way: way.moves,
            )
            for way in ways:
                turn = way.turns[-1]
                hands = [hand for hand in sorted(self.rows(player, turn.history)) if self._leads(way, hand)]
                if turn.player != player or not hands:
                    continue
                self._check_actions(turn)
                default = turn.actions[self.game.default_action(turn)][0]
                played: dict[int, Behavior] = {hand: self.played(turn, hand) for hand in hands}
                if kept := {hand: row for hand, row in played.items() if list(row) != [default]}:
                    mine[turn.history] = kept
        return SparseProfile.of_distributions(self.game, strategies)

    def _leads(self, way: MovesTo, hand: int) -> bool:
        player = way.turns[-1].player
        made = zip(way.turns, way.moves, strict=False)
        return all(self.at(t, hand).get(t.actions[a][0]) for t, a in made if t.player == player)

    def sparse(self) -> SparseProfile:
        """Return the profile itself."""
        return self

    def _rows_of(self, game: BiddingGame, player: int, progress: Callable[[str], None]) -> DenseRows:
        return from_written(game, player, self.strategies[player], "default")

    def _check_actions(self, turn: PublicDecision) -> None:
        legal = {action for action, _ in turn.actions}
        for hand, behavior in self.rows(turn.player, turn.history).items():
            for action in behavior:
                if action not in legal:
                    label = self.game.infoset_name(turn.player, hand, turn.history)
                    raise ProfileError(f"{self.game.players[turn.player]}: {action!r} is not an action at {label!r}")


def way_to(game: DealtGame, history: str) -> MovesTo | None:
    """Return the path to *history*; None if it is not a public history."""
    path = towards(game, history)
    return path if path.turns and path.turns[-1].history == history else None


def towards(game: DealtGame, history: str) -> MovesTo:
    """Return the path to *history*, or to the longest prefix of *history* that is a public history."""
    turn = game.public_turn(game.public_root())
    turns, moves = list[PublicDecision](), list[int]()
    while isinstance(turn, PublicDecision):
        turns.append(turn)
        # A history usually ends with the label of its last action, so try that action first.
        word = history.removeprefix(turn.history).strip().partition(" ")[0]
        likely = [index for index, (label, _) in enumerate(turn.actions) if label == word]
        for index in (*likely, *range(len(turn.actions))) if turn.history != history else ():
            then = game.public_turn(turn.actions[index][1])
            if isinstance(then, PublicDecision) and f"{history} ".startswith(f"{then.history} "):
                moves.append(index)
                turn = then
                break
        else:
            break
    return MovesTo(tuple(turns), tuple(moves))


def own_turns(
    game: DealtGame,
    player: int,
    rows: Callable[[PublicDecision, Mapping[int, float]], dict[int, Behavior]],
    silent: Callable[[PublicDecision], bool] = lambda turn: False,
    chances: Sequence[Fraction] = (),
) -> Iterator[tuple[PublicDecision, dict[int, Behavior]]]:
    """Yield, in prefix order, the turns of *player* that the player's moves can reach, each with its rows.

    ``rows(turn, hands)`` returns the behavior with each hand. *hands* maps each hand to its weight: the hand's
    probability in *chances* (1 if *chances* is empty) times the probability of the player's moves. Turns after another
    player's *silent* turn are omitted.
    """
    start = {hand: float(chances[hand]) if chances else 1.0 for hand in range(game.hand_counts[player])}
    stack: list[tuple[State, dict[int, float]]] = [(game.public_root(), start)]
    while stack:
        state, hands = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        if turn.player != player:
            if silent(turn):
                continue
            stack += [(then, hands) for _, then in reversed(turn.actions)]
            continue
        played, follow = rows(turn, hands), dict[str, dict[int, float]]()
        yield turn, played
        for hand, behavior in played.items():
            for action, p in behavior.items():
                if p:
                    follow.setdefault(action, {})[hand] = hands[hand] * float(p)
        stack += [(then, follow[a]) for a, then in reversed(turn.actions) if a in follow]


class Solved(Protocol):
    """A solution, possibly without a strategy."""

    @property
    def strategy(self) -> Strategy:
        """The strategy that was found. Raises ``NotSolvedError`` if there is none."""


def strategies_of(call: str, given: Any) -> SparseProfile:
    """Return the sparse profile *given*, or the sparse profile of the solution *given*.

    If there is none, raise ``ParameterError``, which names the function *call*.
    """
    alone = isinstance(given, Strategy)
    strategy: Strategy | None = given if alone else None
    if not alone and not isinstance(given, type):
        strategy = getattr(given, "strategy", None)
    profile = None if strategy is None else strategy.sparse_profile
    if profile is None:
        what = "a profile" if alone else "a solution"
        got = kind_of(given) if strategy is None or strategy.tree is None else f"{what} on a tree"
        hint = 'eb.solve(game, "oracle") finds such strategies for bidding games'
        raise ParameterError(f"{call}() takes a sparse profile, or a solution without a tree, not {got}; {hint}")
    return profile


def from_answers(strategy: Strategy, game: DealtGame) -> SparseProfile:
    """Return the canonical sparse profile of an exact *strategy*, queried at all information sets of *game*."""
    strategies: tuple[dict[str, dict[int, Behavior]], ...] = tuple({} for _ in game.players)
    for turn in game.turns():
        for hand in range(game.hand_counts[turn.player]):
            behavior = {action: Fraction(p) for action, p in strategy.at(turn, hand).items()}
            strategies[turn.player].setdefault(turn.history, {})[hand] = behavior
    return SparseProfile(game, strategies, strategy.name).canonical()


_RULES = ("public_root", "public_turn", "history", "default_action")
"""Methods that a game must inherit from ``BiddingGame``, so that payoffs depend only on the last bid and the caller."""


def alike_openings(profile: SparseProfile) -> dict[str, str]:
    """Map first bids to the lowest first bid that receives the same answers from all other players.

    The next player always bids higher than both bids, so neither bid is called. Payoffs depend only on the last bid and
    its caller, so the first player can get the same payoff after either bid. Only bidding games have alike openings.
    """
    game = profile.game.bidding_game
    if game is None or any(" " in name for name in game.bid_names):
        return {}
    if any(getattr(type(game), rule) is not getattr(BiddingGame, rule) for rule in _RULES):
        return {}
    bids = {name: bid for bid, name in enumerate(game.bid_names)}
    answers, every = profile.strategies[1], range(game.hand_counts[1])
    after: dict[str, dict[tuple[int, str], Mapping[int, Behavior]]] = {
        name: {}
        for name, bid in bids.items()
        if all(hand in answers.get(name, {}) for hand in every)
        and all(bids.get(action, -1) > bid for row in answers[name].values() for action in row)
    }
    for player, histories in enumerate(profile.strategies[1:], start=1):
        for history, rows in histories.items():
            first, _, then = history.partition(" ")
            if first in after:
                after[first][player, then] = rows
    lowest, lowest_alike = list[str](), dict[str, str]()
    for name, answered in after.items():
        lower = next((other for other in lowest if after[other] == answered), None)
        if lower is None:
            lowest.append(name)
        else:
            lowest_alike[name] = lower
    return lowest_alike


def without_alike(profile: SparseProfile, alike: Mapping[str, str]) -> SparseProfile:
    """Return *profile* without the other players' answers to the keys of *alike*."""
    mine, *others = profile.strategies
    answers = ({h: rows for h, rows in each.items() if _first_bid(h) not in alike} for each in others)
    return SparseProfile.of_distributions(profile.game, (mine, *answers), profile.name)


def with_alike(profile: SparseProfile, alike: Mapping[str, str]) -> SparseProfile:
    """Invert ``without_alike``: copy the answers to each bid in ``alike.values()`` to the keys with this value."""
    copies = dict[str, list[str]]()
    for name, lower in alike.items():
        copies.setdefault(lower, []).append(name)
    mine, *others = profile.strategies
    whole = []
    for each in others:
        answers = dict(each)
        for history, rows in each.items():
            first = _first_bid(history)
            answers |= {name + history.removeprefix(first): rows for name in copies.get(first, ())}
        whole.append(answers)
    return SparseProfile.of_distributions(profile.game, (mine, *whole), profile.name)


def _first_bid(history: str) -> str:
    return history.partition(" ")[0]
