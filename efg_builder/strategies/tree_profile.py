"""The base class of all strategies, and ``TreeProfile``, a strategy on a game tree.

The base class converts strategies by calls to ``Strategy.at``. Subclasses override the conversions that they can do
faster.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from .._later import later
from ..base.errors import NotApplicableError, ParameterError, ProfileError, check_kind, kind_of, misspelled
from ..base.rationals import Number, TooLongError, exact_sum, is_distribution, text
from ..base.words import distinct, quiet
from ..forms.bidding_form import class_size, locate
from ..forms.extensive import CHANCE, GameTree, build
from ..forms.hand_names import displayed_tree
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision
from .dense_rows import ArrayRows, DenseRows, Elsewhere

if TYPE_CHECKING:
    from ..forms.normal_form import NormalForm
    from .dense_profile import DenseProfile
    from .policy import Policy
    from .sparse_profile import SparseProfile

P = TypeVar("P", bound=Number)

FLOAT_SUM_TOLERANCE = 1e-6
"""Maximum difference between 1 and the sum of float probabilities at an information set."""

MOST_ASKED = 2_000_000
"""Maximum number of information sets at which a strategy is queried to convert it to arrays."""

PROGRESS_EVERY = 256
"""Number of histories between two progress lines."""


@dataclass(frozen=True, slots=True)
class Written:
    """The part of a strategy that is in its file.

    ``sets``: each player's number of information sets in the file. ``elsewhere``: the strategy at other information
    sets.
    """

    sets: tuple[int, ...]
    elsewhere: Elsewhere


class Entry(NamedTuple):
    """The behavior at one information set. ``k``: its index in ``tree.infosets`` (None without a tree)."""

    player: int
    infoset: str
    row: Mapping[str, Number]
    k: int | None = None


class Row(dict[str, P]):
    """The probability of each action at the information set *label*; an unknown action raises ``ParameterError``."""

    def __init__(self, label: str, probabilities: Mapping[str, P]) -> None:
        super().__init__(probabilities)
        self.label = label

    def __missing__(self, action: str) -> P:
        raise ParameterError(f"{action!r} is not a move at {self.label!r}; {misspelled(action, self)}")

    def __reduce__(self) -> tuple[object, ...]:
        return Row, (self.label, dict(self))


class Strategy:
    """A behavior strategy for every player of a game.

    Attributes
    ----------
    game : Game or None
        The rules; None if only a tree is known.
    name : str
        A name for reports.
    tree : GameTree or None
        The tree of a ``TreeProfile``; None for the other kinds.
    written : Written or None
        The part of the strategy that is in its file; None if the file contains everything, or there is no file.
    last_bid_only : bool
        Whether, in a bidding game, the answer depends only on the mover, the hand and the last bid.
    on_end : callable or None
        A function that receives an ``Uncovered`` at the end of each round.
    measure : str or None
        The method of ``eb.verify`` that fits only this kind, ``"tree"`` or ``"dense"``; None if several methods fit.
    """

    game: Any
    name: str
    tree: GameTree | None = None
    written: Written | None = None
    last_bid_only: bool = False
    on_end: Callable[[Any], None] | None = None
    measure: ClassVar[str | None] = None

    @property
    def title(self) -> str:
        """The title of the tree or of the rules; the strategy's name if neither is known."""
        known: Any = self.tree if self.tree is not None else self.game
        return self.name if known is None else str(known.title)

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names; empty if neither the tree nor the rules are known."""
        known: Any = self.tree if self.tree is not None else self.game
        return () if known is None else tuple(known.players)

    @property
    def tree_profile(self) -> TreeProfile | None:
        """The strategy itself if it is a ``TreeProfile``; otherwise None."""
        return None

    @property
    def sparse_profile(self) -> SparseProfile | None:
        """The strategy itself if it is a ``SparseProfile``; otherwise None."""
        return None

    @property
    def policy(self) -> Policy | None:
        """The strategy itself if it is a ``Policy``, which may draw randomly; otherwise None."""
        return None

    @property
    def dense_profile(self) -> DenseProfile | None:
        """The strategy itself if it is a ``DenseProfile``; otherwise None."""
        return None

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """Return the mover's probability of each move at *turn* with the hand of index *hand*.

        Omitted moves have probability 0. Raises ``NotApplicableError`` if the game is not a dealt game.
        """
        raise NotImplementedError

    @cached_property
    def exact(self) -> bool:
        """Whether all probabilities are rational."""
        return all(
            isinstance(p, Fraction | int)
            for turn in self.game.turns()
            for hand in range(self.game.hand_counts[turn.player])
            for p in self.at(turn, hand).values()
        )

    def played(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """Return the positive probabilities of ``at``."""
        return {action: p for action, p in self.at(turn, hand).items() if p}

    def behaviors(self, turn: PublicDecision, hands: Iterable[int]) -> Mapping[int, Mapping[str, Number]]:
        """Return the mover's behavior at *turn* for each hand, as ``at`` does."""
        return {hand: self.at(turn, hand) for hand in hands}

    def on_tree(self) -> TreeProfile:
        """Return the profile on the tree of the game, which is built if needed. Raises ``TreeTooLargeError``."""
        if self.game is None:
            raise ParameterError(f"the strategy {self.name!r} has no game; use policy.of(game)")
        return self.on(build(self.game))

    def on(self, tree: GameTree) -> TreeProfile:
        """Return the profile on *tree*: the game's tree, or a part of this tree with fewer actions.

        Raises ``ProfileError`` if an information set of *tree* is not in the game, or *tree* lacks an action with
        positive probability.
        """
        check_tree("on", tree)
        index, name, rows = tree.by_label, self.game.infoset_name, dict[int, tuple[Number, ...]]()

        def known(turn: PublicDecision) -> bool:
            hands = range(self.game.hand_counts[turn.player])
            return any(name(turn.player, hand, turn.history) in index for hand in hands)

        for turn in self.game.turns(known):
            for hand in range(self.game.hand_counts[turn.player]):
                k = index.get(name(turn.player, hand, turn.history))
                if k is not None:
                    behavior = self.at(turn, hand)
                    rows[k] = tuple(behavior.get(action, Fraction(0)) for action in tree.infosets[k].actions)
        return dealt(TreeProfile.from_personal(tree, rows, self.name, self.written), self.game)

    def sparse(self) -> SparseProfile | None:
        """Return the strategy as a sparse profile; None if it cannot be converted exactly."""
        return None

    def canonical(self) -> Self:
        """Return the strategy in its shortest form."""
        return self

    def entries(self) -> Iterator[Entry]:
        """Yield the information sets in the order of files. Raises ``ParameterError`` without a list of them."""
        profile = self.sparse()
        if profile is None:
            raise ParameterError(f"{self.name} has no sparse profile, so it cannot be listed")
        return profile.entries()

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        """Return the rows of *player* (from 0); None unless the game is a two-player bidding game.

        Raises ``NotApplicableError`` if the strategy must be queried at more than 2,000,000 information sets.
        """
        game = bidding_of_two(self.game)
        return None if game is None else self._rows_of(game, player, progress)

    def _rows_of(self, game: BiddingGame, player: int, progress: Callable[[str], None]) -> DenseRows:
        m, hands = len(game.bid_names), game.hand_counts[player]
        sets, done = class_size(m) * hands, 0
        if sets > MOST_ASKED:
            raise NotApplicableError(
                f"{game.title}: conversion of policy {self.name!r} needs queries at {sets:,} information sets; the "
                f"limit is {MOST_ASKED:,}. If the policy depends only on the hand and the last bid, use "
                "eb.Policy(function, last_bid_only=True), or program:last_bid_only=true:command=COMMAND for a program. "
                "Otherwise, write the probabilities to an .npz file (docs/strategies.md, 'As arrays')"
            )
        array, bids = np.zeros((class_size(m), hands)), {name: bid for bid, name in enumerate(game.bid_names)}
        for turn in game.turns():
            if turn.player != player:
                continue
            if done % PROGRESS_EVERY == 0:
                asked = f"queried at {done * hands:,} of {sets:,} information sets"
                progress(f"{game.players[player]}, policy {self.name!r}: {asked}")
            index, done = locate(game.bids_of(turn.history))[1], done + 1
            for hand in range(hands):
                for action, p in self.at(turn, hand).items():
                    if action in bids:
                        array[index | 1 << bids[action] >> 1, hand] = p
        return ArrayRows(array)


def bidding_of_two(game: Game | None) -> BiddingGame | None:
    """Return *game* if it is a two-player bidding game, otherwise None."""
    bidding = None if game is None else game.bidding_game
    return bidding if bidding is not None and len(bidding.players) == 2 else None


@dataclass(frozen=True, eq=False)
class TreeProfile(Strategy):
    """A behavior strategy for every player of a tree.

    Parameters
    ----------
    tree : GameTree
        The tree, such as ``eb.build("kuhn")``.
    probabilities : tuple of tuples
        ``probabilities[k]`` contains the probabilities of ``tree.infosets[k].actions``, as fractions or floats. The
        indices k include chance events.
    name : str, default "profile"
        A name for reports.
    written : Written, optional
        The part of the strategy that is in its file.
    game : DealtGame, optional
        The rules, which ``at`` needs.

    Raises
    ------
    ProfileError
        If the shape is wrong, a probability is negative or not a number, or a sum is not 1.
    ParameterError
        If *tree* or *probabilities* has the wrong type.

    Examples
    --------
    >>> import efg_builder as eb
    >>> profile = eb.TreeProfile.uniform(eb.build("kuhn"))
    >>> profile["1: start"]
    {'check': Fraction(1, 2), 'bet': Fraction(1, 2)}
    """

    tree: GameTree = field()  # without the default of the base class
    probabilities: tuple[tuple[Number, ...], ...]
    name: str = "profile"
    written: Written | None = None
    game: DealtGame | None = None

    measure = "tree"

    def __post_init__(self) -> None:
        check_tree("TreeProfile", self.tree)
        hint = "probabilities[k] has one probability for each of tree.infosets[k].actions"
        check_kind("TreeProfile", self.probabilities, Collection, "a tuple of rows", hint)
        for row in self.probabilities:
            if type(row) is not tuple:  # check_kind is slow, and there may be a million rows
                check_kind("TreeProfile", row, Collection, "a tuple of numbers for each row", hint)
        if len(self.probabilities) != len(self.tree.infosets):
            raise ProfileError(
                f"{len(self.probabilities)} distributions for {len(self.tree.infosets)} information sets"
            )
        object.__setattr__(self, "probabilities", tuple(map(_exact, self.probabilities)))
        for infoset, name, row in zip(self.tree.infosets, self.tree.names, self.probabilities, strict=True):
            if infoset.player != CHANCE:
                check_distribution(row, len(infoset.actions), name)

    @property
    def tree_profile(self) -> TreeProfile:
        """The profile itself."""
        return self

    @cached_property
    def exact(self) -> bool:
        """Whether all probabilities are rational."""
        return all(type(p) is Fraction for row in self.probabilities for p in row)

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """Return the mover's probability of each move at *turn* with the hand of index *hand*.

        Raises ``NotApplicableError`` if the profile has no rules. Raises ``ProfileError`` if the rules are for another
        game.
        """
        if self.game is None:
            raise NotApplicableError(f"{self.tree.title}: at() needs a profile with the rules of a dealt game")
        k = self.tree.by_label.get(self.game.infoset_name(turn.player, hand, turn.history))
        if k is None or self.tree.infosets[k].actions != tuple(action for action, _ in turn.actions):
            raise ProfileError(f"the profile is for {self.tree.title!r}, not for {self.game.title!r}")
        return dict(zip(self.tree.infosets[k].actions, self.probabilities[k], strict=True))

    def on_tree(self) -> TreeProfile:
        """Return the profile itself."""
        return self

    def on(self, tree: GameTree) -> TreeProfile:
        """Return the profile on *tree*. Raises ``ProfileError`` unless *tree* equals the profile's tree."""
        check_tree("on", tree)
        if tree is self.tree:
            return self
        if tree != self.tree:
            raise ProfileError(f"the profile is for {self.tree.title!r}, not for {tree.title!r}")
        return TreeProfile(tree, self.probabilities, self.name, self.written)

    def sparse(self) -> SparseProfile | None:
        """Return the profile as a sparse profile; None if the profile has no rules or contains floats."""
        if self.game is None or not self.exact:
            return None
        profile: SparseProfile = later("TreeProfile.sparse")(self, self.game)
        return profile

    def entries(self) -> Iterator[Entry]:
        """Yield all information sets, sorted by player and number."""
        for k in self.tree.numbered:
            yield Entry(self.tree.infosets[k].player, self.tree.names[k], self.row(k), k)

    def __str__(self) -> str:
        return "\n".join(later("TreeProfile.__str__")(self))

    def __repr__(self) -> str:
        numbers = "exact" if self.exact else "floats"
        return f"<TreeProfile of {self.tree.title!r}: {len(self.tree.personal)} information sets, {numbers}>"

    def __getitem__(self, label: str) -> dict[str, Number]:
        """Return the probability of each action at the information set with this name or label.

        Raises ``ParameterError`` unless exactly one information set has this name or label.
        """
        hint = "profile.probabilities[k] takes an index"
        check_kind("profile[...]", label, str, "the label of an information set", hint)
        sets = self._by_label.get(label, [])
        if len(sets) != 1:
            if not sets:
                raise ParameterError(f"no information set is labeled {label!r}; {misspelled(label, self._by_label)}")
            raise ParameterError(f"there are {len(sets)} information sets labeled {label!r}")
        return Row(label, self.row(sets[0]))

    def __contains__(self, label: object) -> bool:
        """Return whether ``self[label]`` is an information set."""
        return isinstance(label, str) and len(self._by_label.get(label, [])) == 1

    def row(self, k: int) -> dict[str, Number]:
        """Return the probability of each action at ``tree.infosets[k]``, with numbers for equal labels."""
        return dict(zip(distinct(self.tree.infosets[k].actions), self.probabilities[k], strict=True))

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all players' information sets."""
        return (self.tree.names[k] for k in self.tree.personal)

    keys = __iter__

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        by_label: dict[str, list[int]] = {}
        for k in self.tree.personal:
            by_label.setdefault(self.tree.names[k], []).append(k)
        named = set(by_label)
        for k in self.tree.personal:
            if (label := self.tree.infosets[k].label) and label not in named:
                by_label.setdefault(label, []).append(k)
        display_names, names = displayed_tree(self.tree, self.game).names, set(by_label)
        for k in self.tree.personal:
            if display_names[k] not in names:
                by_label.setdefault(display_names[k], []).append(k)
        return by_label

    @classmethod
    def from_personal(
        cls,
        tree: GameTree,
        rows: Mapping[int, Sequence[Number]],
        name: str = "profile",
        written: Written | None = None,
    ) -> TreeProfile:
        """Return the profile of *tree* with *rows* for the players' information sets.

        Parameters
        ----------
        tree : GameTree
            The tree, which determines the probabilities of chance events.
        rows : mapping of int to sequence of Number
            ``rows[k]`` contains the probabilities of ``tree.infosets[k].actions``, for every ``k`` in
            ``tree.personal``.
        name : str, default "profile"
            A name for reports.
        written : Written, optional
            The part of the strategy that is in its file.

        Raises
        ------
        ProfileError
            If a row is missing or is not a distribution.

        Examples
        --------
        >>> import efg_builder as eb
        >>> tree = eb.build("kuhn")
        >>> passive = eb.TreeProfile.from_personal(tree, {k: (1, 0) for k in tree.personal})
        >>> passive["3: start"]
        {'check': Fraction(1, 1), 'bet': Fraction(0, 1)}
        """
        check_tree("from_personal", tree)
        check_kind("from_personal", rows, Mapping, "a mapping of rows", "its keys are indices of tree.infosets")
        table: list[tuple[Number, ...]] = []
        for k, infoset in enumerate(tree.infosets):
            if infoset.probabilities is not None:
                table.append(infoset.probabilities)
            elif k in rows:
                table.append(tuple(rows[k]))
            else:
                raise ProfileError(f"no probabilities for the information set {tree.names[k]!r}")
        return TreeProfile(tree, tuple(table), name, written)

    @classmethod
    def from_mixed(cls, form: NormalForm, mixes: tuple[Sequence[Fraction], Sequence[Fraction]]) -> TreeProfile:
        """Return the profile that is realization equivalent to the mixed strategies *mixes* of two players.

        Parameters
        ----------
        form : NormalForm
            The reduced normal form, such as ``eb.matrix("kuhn")``.
        mixes : pair of sequences of Fraction
            The probabilities of each player's pure strategies, in the order of ``form.strategies``.

        Returns
        -------
        TreeProfile
            The profile, uniform at information sets that the player's moves never reach.

        Examples
        --------
        >>> import efg_builder as eb
        >>> from fractions import Fraction
        >>> form = eb.matrix("kuhn")
        >>> mixes = [[Fraction(1)] + [Fraction(0)] * (n - 1) for n in form.shape]
        >>> eb.TreeProfile.from_mixed(form, mixes)["3: start"]
        {'check': Fraction(1, 1), 'bet': Fraction(0, 1)}
        """
        from ..forms.normal_form import NormalForm

        check_kind("from_mixed", form, NormalForm, "a normal form", "eb.matrix(game) makes a normal form")
        n, m = form.shape
        hint = f"player 1 has {n:,} pure strategies, and player 2 has {m:,}"
        check_kind("from_mixed", mixes, Sequence, "a pair of mixed strategies", hint)
        for mix in mixes:
            check_kind("from_mixed", mix, Sequence, "a pair of mixed strategies", hint)
            for p in mix:
                check_kind("from_mixed", p, Rational, "fractions", hint)
        if tuple(map(len, mixes)) != form.shape:
            wrong = " and ".join(f"{len(mix):,}" for mix in mixes)
            raise ProfileError(f"from_mixed() takes {n:,} and {m:,} probabilities, not {wrong}; {hint}")
        rows = form.strategies[0].behavior(mixes[0]) | form.strategies[1].behavior(mixes[1])
        # A file may declare information sets without nodes, which are in no pure strategy.
        return TreeProfile.from_personal(form.tree, {**uniform_rows(form.tree), **rows})

    def to_gambit(self) -> Any:
        """Return the profile as a pygambit ``MixedBehaviorProfile``, rational if the profile is exact.

        Raises ``NotApplicableError`` if the tree has no players or is too deep for Gambit.
        """
        return later("TreeProfile.to_gambit")(self)

    @classmethod
    def uniform(cls, tree: GameTree) -> TreeProfile:
        """Return the profile with equal exact probabilities at each information set of *tree*."""
        check_tree("uniform", tree)
        return cls.from_personal(tree, uniform_rows(tree), "uniform")


def uniform_rows(tree: GameTree) -> dict[int, tuple[Number, ...]]:
    """Return equal exact probabilities for each player's information set, by its index in ``tree.infosets``."""
    widths = {k: len(tree.infosets[k].actions) for k in tree.personal}
    rows = {width: (Fraction(1, width),) * width for width in set(widths.values())}
    return {k: rows[width] for k, width in widths.items()}


Named = TypeVar("Named", bound=Strategy)


def named(strategy: Named, name: str) -> Named:
    """Return a copy of *strategy* with another name, without new checks."""
    renamed = copy.copy(strategy)
    object.__setattr__(renamed, "name", name)
    return renamed


def dealt(strategy: Named, game: Game | None) -> Named | TreeProfile:
    """Return *strategy*. If it is a tree profile without rules and *game* is a dealt game, add *game* as its rules."""
    profile, rules = strategy.tree_profile, None if game is None else game.dealt_game
    return strategy if profile is None or profile.game is not None or rules is None else replace(profile, game=rules)


def check_tree(call: str, tree: object) -> None:
    """Raise ``ParameterError`` unless *tree*, an argument of the function *call*, is a tree."""
    check_kind(call, tree, GameTree, "a tree", "eb.build(game) makes a tree")


def _exact(row: tuple[Number, ...]) -> tuple[Number, ...]:
    if all(type(p) is Fraction and type(p.numerator) is type(p.denominator) is int for p in row):
        return row
    # Convert NumPy integers, because they would overflow.
    return tuple(Fraction(int(p.numerator), int(p.denominator)) if isinstance(p, Rational) else p for p in row)


def check_distribution(row: Sequence[Number], actions: int, label: str) -> None:
    """Raise ``ProfileError`` unless *row* is a distribution over this number of *actions*."""
    if len(row) != actions:
        raise ProfileError(f"{len(row)} probabilities for the {actions} actions of {label!r}")
    if is_distribution(row):
        return
    if wrong := [p for p in row if not isinstance(p, Real)]:
        raise ProfileError(f"a probability at {label!r} is {kind_of(wrong[0])}, not a number")
    if any(p != p for p in row):
        raise ProfileError(f"a probability at {label!r} is not a number: {', '.join(map(text, row))}")
    if not all(p >= 0.0 for p in row):
        raise ProfileError(f"a negative probability at {label!r}: {', '.join(map(text, row))}")
    exact = all(isinstance(p, Fraction) for p in row)
    try:
        total = exact_sum([Fraction(p) for p in row]) if exact else sum(row, start=Fraction(0))
    except TooLongError as error:
        raise ProfileError(f"the probabilities at {label!r}: {error}") from None
    if (total != 1) if exact else not abs(float(total) - 1.0) <= FLOAT_SUM_TOLERANCE:
        raise ProfileError(f"the probabilities at {label!r} sum to {text(total)}, not 1")
