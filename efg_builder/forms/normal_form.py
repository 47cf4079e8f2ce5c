"""The exact reduced normal form of a two-player game.

A *reduced pure strategy* specifies an action only at the information sets that the player's earlier choices can reach
(B. von Stengel, "Computing equilibria for two-person games", Handbook of Game Theory 3, 2002, section 4).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, prod
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from .._later import later
from ..base.errors import MatrixTooLargeError, NotApplicableError, ParameterError, check_argument, nearest
from ..base.rationals import brief, exact_row
from ..base.words import in_columns, listed, plural
from ..games.bidding import FACES
from .extensive import TERMINAL, GameTree, chance_reach, constant_sum, own_sequences, scaled_payoffs
from .recall import has_perfect_recall, lacks_recall, solvable
from .sequence_form import PlayerSequences, move_sequences, player_sequences

if TYPE_CHECKING:
    import scipy

    from ..equilibria.dominance import Dominance
    from ..equilibria.strategic import MatrixReport

MAX_CELLS = 1 << 20
"""The default maximum number of cells; a million cells take a few megabytes and a few seconds."""

MAX_CHOICES = 1 << 27
"""Maximum number of entries, strategies times information sets, in a player's table (half a gigabyte)."""

NOT_REACHED = -1
"""The entry for an information set that the strategy does not reach."""

DIGITS = "123456789abcdefghijklmnopqrstuvwxyz"
"""The characters of choices in a strategy's code: 1 is the first action."""

HAND = re.compile(rf"\d+(,\d+)*|[{FACES}]+|[2-9TJQKA][cdhs]?")
"""A hand of dice or a card before the colon of a label."""

MAX_NAMES, NAME_LETTERS = 500, 32
"""Maximum number of a player's strategies that have short names, and of characters in a name."""

SHOWN_ROWS, SHOWN_COLUMNS = 16, 8
INT64 = 2**62
HOPELESS = 10**9
"""If a matrix has more cells, the error message gives the number of cells instead of the number of choices."""

Longs = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]
Objects = npt.NDArray[np.object_]
Cells = npt.NDArray[np.object_] | npt.NDArray[np.int64]


def own_sets(tree: GameTree, player: int) -> PlayerSequences:
    """Return the sequences of *player* (from 0), with the information sets in Gambit's order: by first node."""
    return player_sequences(tree, player, [k for k in tree.first_nodes if tree.infosets[k].player == player])


def count_strategies(side: PlayerSequences) -> int:
    """Return the number of reduced pure strategies.

    Counts are added over the actions at an information set, and multiplied over the information sets after an action.
    """
    below = [1] * side.count
    for parent, first, width in reversed(_sets(side)):
        below[parent] *= sum(below[first : first + width])
    return below[0]


def _sets(side: PlayerSequences) -> list[tuple[int, int, int]]:
    return list(zip(side.parent.tolist(), side.first.tolist(), side.widths.tolist(), strict=True))


def all_choices(side: PlayerSequences) -> npt.NDArray[np.int32]:
    """Return all reduced pure strategies in lexicographic order, as an array of shape (count, information sets).

    An entry is the action at an information set, or -1 if the strategy does not reach it.
    """
    rows, owner = np.full((1, len(side.infosets)), NOT_REACHED, dtype=np.int32), side.owner
    for c, (parent, _, width) in enumerate(_sets(side)):
        led = np.ones(len(rows), dtype=bool)
        if parent:
            led = rows[:, owner[parent]] == parent - side.first[owner[parent]]
        times = np.where(led, width, 1)
        before = np.repeat(np.cumsum(times) - times, times)
        rows = np.repeat(rows, times, axis=0)
        rows[:, c] = np.where(np.repeat(led, times), np.arange(len(rows)) - before, NOT_REACHED)
    return rows


@dataclass(frozen=True, eq=False)
class Strategies:
    """The reduced pure strategies of ``player`` (from 0), in lexicographic order."""

    tree: GameTree
    player: int
    infosets: Indices  # [information set]: its index in ``tree.infosets``
    choices: npt.NDArray[np.int32]  # [strategy, information set]: the action, or NOT_REACHED

    def __len__(self) -> int:
        return len(self.choices)

    def code(self, index: int) -> str:
        """Return Gambit's code: the action's number at each information set, or ``*`` at an unreached information set.

        The code is ``-`` if there are no information sets. With more than 35 actions, periods separate the numbers.
        """
        row = [int(choice) for choice in self.choices[index]]
        if all(len(self.tree.infosets[k].actions) <= len(DIGITS) for k in self.infosets):
            return "".join("*" if choice == NOT_REACHED else DIGITS[choice] for choice in row) or "-"
        return ".".join("*" if choice == NOT_REACHED else str(choice + 1) for choice in row)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of all strategies."""
        return tuple(map(self.code, range(len(self))))

    def find(self, word: str) -> int:
        """Return the index of the strategy that has the code *word*, or that always plays the action *word*.

        At information sets without this action, the strategy plays the first action. Raises ``ParameterError``.
        """
        if word in self.codes:
            return self.codes.index(word)
        offered = [self.tree.infosets[k].actions for k in self.infosets]
        known = sorted({action for actions in offered for action in actions})
        if word not in known:
            problem = f"{word!r} is neither a strategy's code nor an action of {self.tree.players[self.player]}"
            raise ParameterError(f"{problem}; {nearest(word, known)}")
        wanted = [actions.index(word) if word in actions else 0 for actions in offered]
        fits = (self.choices == np.array(wanted)) | (self.choices == NOT_REACHED)
        return int(np.flatnonzero(fits.all(axis=1))[0])

    def in_words(self, index: int, letters: int | None = None) -> str:
        """Return a strategy in words, such as ``raise at 1, 5, 6; otherwise show``; at most *letters* characters.

        Information sets that the strategy does not reach are omitted. With a single information set, a strategy has the
        name of its action.
        """
        names = short_names([self.tree.names[k] for k in self.infosets])
        groups: dict[str, list[str]] = {}
        for name, k, choice in zip(names, self.infosets, self.choices[index], strict=True):
            if choice != NOT_REACHED:
                groups.setdefault(self.tree.infosets[k].actions[choice], []).append(name)
        if not groups:
            return "nothing to choose"
        # The most frequent action (the first one if tied) comes last, without its information sets.
        last = max(groups, key=lambda action: len(groups[action]))
        if len(groups) == 1:
            words = last if len(names) == 1 else f"always {last}"
        else:
            parts = [f"{action} at {', '.join(sets)}" for action, sets in groups.items() if action != last]
            words = "; ".join([*parts, f"otherwise {last}"])
        return words if letters is None or len(words) <= letters else words[: letters - 1] + "…"

    def short_names(self) -> tuple[str, ...]:
        """Return the strategies in words, quoted unless they are single actions.

        The result is empty if some words are missing, equal or long, or if there are many strategies.
        """
        if not len(self.infosets):
            return self.codes
        if len(self) > MAX_NAMES:
            return ()
        words = [self.in_words(k) for k in range(len(self))]
        if not all(words) or len(set(words)) < len(words) or max(map(len, words)) > NAME_LETTERS:
            return ()
        return tuple(words if len(self.infosets) == 1 else map(repr, words))

    def behavior(self, mix: Sequence[Fraction]) -> dict[int, tuple[Fraction, ...]]:
        """Return the behavior strategy that is realization equivalent to *mix*; keys are indices in ``tree.infosets``.

        The behavior is uniform at information sets that *mix* never reaches (Kuhn 1953).
        """
        played = [i for i, weight in enumerate(mix) if weight]
        rows = {}
        for c, k in enumerate(self.infosets):
            weights = [Fraction(0)] * len(self.tree.infosets[k].actions)
            for i in played:
                if (choice := int(self.choices[i, c])) != NOT_REACHED:
                    weights[choice] += mix[i]
            rows[int(k)] = exact_row(weights, 1)
        return rows


@dataclass(frozen=True, eq=False)
class NormalForm:
    """A reduced normal form: both players' reduced pure strategies, and their payoffs. ``str`` returns a table.

    Attributes
    ----------
    tree : GameTree
        The game tree.
    strategies : pair of Strategies
        The reduced pure strategies of each player.
    cells : pair of arrays
        ``cells[p][i, j]`` is the payoff of player p times ``scale`` if player 1 plays i and player 2 plays j. The
        integers have 64 bits if all values fit.
    scale : int
        The common denominator of the payoffs.
    total : Fraction or None
        The constant sum of the payoffs; None if the sum varies.

    Examples
    --------
    >>> import efg_builder as eb
    >>> form = eb.matrix("kuhn")
    >>> form.shape, form.total
    ((27, 64), Fraction(0, 1))
    """

    tree: GameTree
    strategies: tuple[Strategies, Strategies]
    cells: tuple[Cells, Cells]  # [strategy of player 1, strategy of player 2]
    scale: int
    total: Fraction | None = None  # the constant sum of the payoffs, None if it varies

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of strategies of player 1 (rows) and player 2 (columns)."""
        return len(self.strategies[0]), len(self.strategies[1])

    def payoff(self, row: int, column: int) -> tuple[Fraction, Fraction]:
        """Return both players' expected payoffs for the strategies *row* and *column*, numbered from 0."""
        for name, given, count in zip(("row", "column"), (row, column), self.shape, strict=True):
            right = isinstance(given, Integral) and 0 <= given < count
            check_argument("payoff", name, given, right, f"a number from 0 to {count - 1}")
        one, two = (Fraction(int(side[int(row), int(column)]), self.scale) for side in self.cells)
        return one, two

    def analyse(
        self,
        start: int | None = None,
        *,
        timeout: float | Fraction | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> MatrixReport:
        """Find pure equilibria, best responses, and the value in mixed strategies.

        Parameters
        ----------
        start : int, optional
            Player 1's strategy with which a chain of best responses begins. By default, there is no chain.
        timeout : float, optional
            Time limit in seconds for the linear programs. By default, there is no limit.
        progress : callable, optional
            Called with one line of text at a time.

        Returns
        -------
        MatrixReport
            The report, with ``equilibria``, ``pure``, ``mixed`` and ``chain``.

        Raises
        ------
        ParameterError
            If *start* does not exist, or an argument is invalid.

        Examples
        --------
        >>> import efg_builder as eb
        >>> eb.matrix("kuhn").analyse().mixed.lower
        Fraction(-1, 18)
        """
        found: MatrixReport = later("NormalForm.analyse")(self, start, timeout=timeout, progress=progress)
        return found

    def dominance(
        self,
        kind: Literal["strict", "weak"] = "strict",
        *,
        timeout: float | Fraction | None = None,
        progress: Callable[[str], None] | None = None,
    ) -> Dominance:
        """Eliminate dominated strategies, round by round, until none is dominated.

        A pure strategy is dominated if another pure or mixed strategy is better against all strategies of the opponent
        that are left. If *kind* is ``"weak"``, it suffices that it is never worse, and better against one of them. Each
        round removes all dominated strategies of both players at once. Weak elimination in another order may leave
        other strategies.

        Parameters
        ----------
        kind : str, default "strict"
            ``"strict"`` or ``"weak"``.
        timeout : float, optional
            Time limit in seconds. By default, there is no limit.
        progress : callable, optional
            Called with one line of text at a time.

        Returns
        -------
        Dominance
            The strategies removed in each round with the strategies that dominate them (``rounds``), and the
            ``remaining`` strategies.

        Raises
        ------
        NotSolvedError
            If the time limit is reached.
        ParameterError
            If an argument is invalid.

        Examples
        --------
        >>> import efg_builder as eb
        >>> form = eb.matrix(eb.normal_form([[3, 0], [0, 3], [1, 1]]))
        >>> form.dominance().rounds[0][0].by
        ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
        """
        found: Dominance = later("NormalForm.dominance")(self, kind, timeout=timeout, progress=progress)
        return found

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Write a Gambit ``.nfg`` file or a ``.csv`` table to *path*, and return the path. Raises ``FileError``."""
        written: Path = later("NormalForm.write")(self, path)
        return written

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<NormalForm of {self.tree.title!r}: {rows:,} x {columns:,}>"


def _lines(form: NormalForm) -> list[str]:
    (rows, columns), (one, two) = form.shape, form.tree.players
    paid = (
        f"both payoffs, {one} first" if form.total is None else f"payoffs to {one}; payoffs sum to {brief(form.total)}"
    )
    size = f"{rows:,} x {columns:,} reduced pure strategies, by their codes"
    said = [form.tree.title, f"{size}; rows: {one}'s strategies; columns: {two}'s strategies; cells: {paid}"]
    down, across = range(min(rows, SHOWN_ROWS)), range(min(columns, SHOWN_COLUMNS))
    cells = [["", *(form.strategies[1].code(column) for column in across)]]
    for row in down:
        pairs = [form.payoff(row, column) for column in across]
        shown = [", ".join(map(brief, pair if form.total is None else pair[:1])) for pair in pairs]
        cells.append([form.strategies[0].code(row), *shown])
    said += [f"  {line}" for line in in_columns(cells, right=range(1, len(across) + 1))]
    more = ((rows - len(down), "row"), (columns - len(across), "column"))
    left = [plural(count, what) for count, what in more if count]
    return [*said, f"and {listed(left)} more: form.write('matrix.csv') writes all"] if left else said


def reduced_form(tree: GameTree, max_cells: int = MAX_CELLS) -> NormalForm:
    """Return the reduced normal form of *tree*, a two-player game with perfect recall.

    Raises ``NotApplicableError`` for other games, and ``MatrixTooLargeError`` if the form is too large.
    """
    if len(tree.players) != 2:
        raise NotApplicableError(
            f"the normal form is for two players; this game has {plural(len(tree.players), 'player')}"
        )
    if not has_perfect_recall(tree):
        raise NotApplicableError(f"reduced strategies need perfect recall; {lacks_recall(tree)}")
    tree = solvable(tree)
    sides = [own_sets(tree, player) for player in range(2)]
    counts = [count_strategies(side) for side in sides]
    largest = max(count * len(side.infosets) for count, side in zip(counts, sides, strict=True))
    # If there are too many strategies, raising the limit on cells does not help, so the message must not suggest that.
    listed = largest if largest > MAX_CHOICES and prod(counts) <= max(max_cells, HOPELESS) else None
    if listed or prod(counts) > max_cells:
        raise MatrixTooLargeError(counts[0], counts[1], MAX_CHOICES if listed else max_cells, listed)
    strategies = [Strategies(tree, p, side.infosets, all_choices(side)) for p, side in enumerate(sides)]
    cells, scale = _cells(tree, strategies)
    return NormalForm(tree, (strategies[0], strategies[1]), cells, scale, constant_sum(tree))


def _cells(tree: GameTree, strategies: Sequence[Strategies]) -> tuple[tuple[Cells, Cells], int]:
    ends = np.flatnonzero(tree.player == TERMINAL)
    last = own_sequences(tree)[ends]
    numbers = [move_sequences(tree, side.infosets) for side in strategies]
    rows, columns = (numbers[p][last[:, p]] for p in range(2))
    paid, scale = scaled_payoffs(tree)
    chance, chance_scale = chance_reach(tree)
    played = [_played(side) for side in strategies]
    products = [_product(played[0], played[1], rows, columns, paid[ends, p] * chance[ends]) for p in range(2)]
    common = gcd(scale * chance_scale, *(int(u) for side in products for u in np.unique(side)))
    one, two = (side // common for side in products)
    return (one, two), scale * chance_scale // common


def _played(side: Strategies) -> scipy.sparse.csr_matrix:
    """Return a matrix of shape (strategies, sequences) with 1 for each sequence that a strategy plays, otherwise 0."""
    import scipy.sparse

    widths = np.array([len(side.tree.infosets[k].actions) for k in side.infosets], dtype=np.intp)
    first = 1 + np.cumsum(widths) - widths
    who, where = np.nonzero(side.choices != NOT_REACHED)
    count = len(side)
    rows = np.concatenate([np.arange(count), who])
    columns = np.concatenate([np.zeros(count, dtype=np.intp), first[where] + side.choices[who, where]])
    shape = (count, 1 + int(widths.sum()))
    return scipy.sparse.csr_matrix((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape)


def _product(
    one: scipy.sparse.csr_matrix, two: scipy.sparse.csr_matrix, rows: Indices, columns: Indices, weights: Objects
) -> Cells:
    """Return, for each pair of strategies, the sum of *weights* over the terminal nodes that both strategies allow."""
    import scipy.sparse

    if sum(map(abs, weights)) < INT64:
        ends = scipy.sparse.csr_matrix((weights.astype(np.int64), (rows, columns)), shape=(one.shape[1], two.shape[1]))
        small: Longs = (one @ ends @ two.T).toarray()
        return small
    sums = np.zeros((one.shape[1], two.shape[1]), dtype=object)
    np.add.at(sums, (rows, columns), weights)
    large: Objects = one.toarray().astype(object) @ sums @ two.T.toarray().astype(object)
    return large


def short_names(labels: Sequence[str]) -> list[str]:
    """Return *labels* without a common ending after the colon: ``1`` and ``2`` for ``1: start`` and ``2: start``."""
    tails = {label.partition(": ")[2] for label in labels}
    heads = [label.partition(": ")[0] for label in labels]
    return heads if len(tails) == 1 and len(set(heads)) == len(heads) else list(labels)


def place_in_words(label: str) -> str:
    """Return the label of an information set in words: ``hand 1, after 1x2 2x1`` for ``1: 1x2 2x1``."""
    hand, _, play = label.partition(": ")
    if not play or not HAND.fullmatch(hand):
        return label
    return f"hand {hand}, at the start" if play == "start" else f"hand {hand}, after {play}"


def by_hand(labels: Sequence[str]) -> bool:
    """Return whether *labels* differ only in the hand, so that ``short_names`` returns hands."""
    names = short_names(labels)
    return list(names) != list(labels) and all(HAND.fullmatch(name) for name in names)
