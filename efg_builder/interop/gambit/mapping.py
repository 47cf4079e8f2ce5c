"""Conversion between Gambit's lists and trees.

Information sets and actions are matched by position, never by label, because Gambit renames equal labels.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import NotApplicableError, ParameterError, ProfileError, check_functions, check_kind
from ...base.foreign import is_gambits
from ...base.rationals import Number, TooLongError, exact_row, parse, text
from ...forms.extensive import CHANCE, GameTree, first_moves
from ...strategies.reading import strategy_from_file
from ...strategies.sparse_profile import Solved
from ...strategies.tree_profile import FLOAT_SUM_TOLERANCE, Strategy, TreeProfile, check_distribution
from ..efg import to_efg
from ..trees import GameLike, as_subject, tree_of
from . import lacking

PLAYED = 1e-9
"""A float probability above this bound counts as positive in ``own_reach``."""

MAX_DEPTH = 10_000
"""Maximum depth of a tree for Gambit, whose reader crashed at 12,500 to 12,900 levels with a stack of 8 MiB."""

DENOMINATOR = 10**6
"""Maximum denominator of the fractions that replace a float starting point for an exact routine."""


def order(tree: GameTree) -> list[list[int]]:
    """Return each player's information sets (indices in ``tree.infosets``) in Gambit's order, by first node."""
    sets = [(tree.infosets[k].player, k) for k in tree.first_nodes]
    return [[k for mover, k in sets if mover == player] for player in range(len(tree.players))]


Rows = Sequence[Sequence[Sequence[str | float]]]
Table = dict[int, tuple[Number, ...]]


def to_profile(tree: GameTree, rows: Rows) -> TreeProfile:
    """Return the profile of Gambit's *rows* (see ``gambit.adapter``) on *tree*.

    A row that is not a distribution is scaled to sum to 1, or, if this is impossible, replaced by a uniform row.
    ``faults`` describes such rows at reached information sets. Raises ``ProfileError`` if the shape is wrong or a
    number is too long.
    """
    # Gambit's rows are arbitrary at information sets that the mover's strategy and chance do not reach. At information
    # sets that the opponent does not reach, the realization weights of the moves in Gambit's linear program (17.0.0b2)
    # may sum to less than the weight of the sequence before them. A scaled row does not reduce the mover's payoff; a
    # uniform row may reduce it.
    table = _table(tree, rows)
    exact = all(isinstance(p, Fraction) for row in table.values() for p in row)
    for k in _bad(tree, table):
        share = Fraction(1, len(tree.infosets[k].actions))
        uniform = (share if exact else float(share),) * len(tree.infosets[k].actions)
        table[k] = _scaled(table.get(k, ())) or uniform
    return TreeProfile.from_personal(tree, table)


def faults(tree: GameTree, rows: Rows) -> list[str]:
    """Return a sentence about each row that is not a distribution, among the information sets in ``own_reach``."""
    table, wrong = _wrong(tree, rows)
    reached = sorted((_scaled(table.get(k, ())) is not None, k) for k in wrong)
    return [
        f"at {tree.names[k]!r}, which the player can reach, Gambit's probabilities are not a distribution "
        f"({', '.join(map(str, table.get(k, ())))}); they were {'scaled to sum to 1' if scaled else 'taken as uniform'}"
        for scaled, k in reached
    ]


def _table(tree: GameTree, rows: Rows) -> Table:
    sets = order(tree)
    if [len(r) for r in rows] != [len(s) for s in sets]:
        raise ProfileError("Gambit's information sets differ from the tree's information sets")
    try:
        return {
            k: tuple(_clipped(parse(p) if isinstance(p, str) else float(p)) for p in row)
            for player, numbers in zip(sets, rows, strict=True)
            for k, row in zip(player, numbers, strict=True)
        }
    except TooLongError as error:
        raise ProfileError(f"it has {error}") from None


def _bad(tree: GameTree, table: Table) -> list[int]:
    wrong = []
    for k in tree.personal:
        try:
            check_distribution(table.get(k, ()), len(tree.infosets[k].actions), "")
        except ProfileError:
            wrong.append(k)
    return wrong


def _wrong(tree: GameTree, rows: Rows) -> tuple[Table, list[int]]:
    """Return the row of each information set, and the reached information sets whose rows are not distributions."""
    table = _table(tree, rows)
    bad = _bad(tree, table)
    reached = own_reach(tree, table) if bad else ()
    return table, [k for k in bad if reached[k]]


def own_reach(tree: GameTree, table: Mapping[int, Sequence[Number]]) -> npt.NDArray[np.bool_]:
    """Return, for each information set, whether the mover's strategy and chance can reach it; shape (infosets,).

    Chance matters, because Gambit does not report a mixed strategy's moves after a chance move of probability 0.
    """
    starts = first_moves(tree)
    played = np.ones(int(starts[-1]) + 1, dtype=bool)  # one more entry, because there is no move before the root
    chance = {k: i.probabilities for k, i in enumerate(tree.infosets) if i.probabilities is not None}
    for k, row in {**table, **chance}.items():
        played[starts[k] : starts[k] + len(row)] = [p > (0 if isinstance(p, Fraction) else PLAYED) for p in row]
    above = tree.parent
    movers, came = tree.player[above], played[starts[tree.infoset[above]] + tree.action]
    reachable = np.array([i.player == CHANCE for i in tree.infosets], dtype=bool)
    for player in range(len(tree.players)):
        passed = came | ~np.isin(movers, (player, CHANCE))
        reach = np.ones(len(tree), dtype=bool)
        for nodes in tree.levels[1:]:
            reach[nodes] = reach[above[nodes]] & passed[nodes]
        reachable[tree.infoset[reach & (tree.player == player)]] = True
    return reachable


def from_profile(profile: TreeProfile, *, exact: bool) -> list[list[list[str | float]]]:
    """Return a profile as Gambit's rows. With *exact*, the entries of a row are rational and sum to exactly 1."""

    def written(row: Sequence[Number]) -> list[str | float]:
        return [*map(text, exact_row(row, DENOMINATOR))] if exact else [*map(float, row)]

    return [[written(profile.probabilities[k]) for k in sets] for sets in order(profile.tree)]


def to_gambit(given: GameLike | Strategy | Solved) -> Any:
    """Return a pygambit game, or a behavior profile on a pygambit game.

    Parameters
    ----------
    given : GameLike, TreeProfile or Solution
        A game, a strategy, or a solution, whose strategy is used.

    Returns
    -------
    pygambit.gambit.Game or pygambit.gambit.MixedBehaviorProfile
        The game. For a strategy or a solution, the profile, which is rational if the strategy is exact and otherwise
        has floats. If the strategy's tree was built from a pygambit game, the profile's ``game`` is this game, unless
        the game has changed since then. The profile of a strategic game is a ``MixedStrategyProfile``.

    Raises
    ------
    NotApplicableError
        If pygambit is not installed, if the game has no players or more than 10,000 levels, or if a solution has no
        profile on a tree. ``eb.support_tree`` returns a tree for such a solution.
    ParameterError
        If the argument is not a game, a strategy or a solution.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.to_gambit("kuhn").title  # doctest: +SKIP
    'Kuhn poker: 2 players, 3 cards'
    """
    profile = given.tree_profile if isinstance(given, Strategy) else None
    if profile is None and not isinstance(given, type) and hasattr(given, "strategy"):
        profile = given.strategy.tree_profile
        if profile is None:
            raise NotApplicableError("the solution has no profile on a tree for Gambit")
    if profile is None:
        return _game(tree_of("to_gambit", given, "a tree or a solution"), "game")
    rows, game = from_profile(profile, exact=profile.exact), profile.tree.origin
    if not is_gambits(game) or tree_of("to_gambit", game) != profile.tree:  # perhaps it has changed since then
        game = _game(profile.tree, "profile")
    if hasattr(game, "mixed_behavior_profile"):
        return game.mixed_behavior_profile(rows, rational=profile.exact)
    return game.mixed_strategy_profile([row for (row,) in rows], rational=profile.exact)


def _game(tree: GameTree, what: str) -> Any:
    lack = too_deep(tree) if tree.players else "the game has no players"
    if lack is not None:
        raise NotApplicableError(f"Gambit cannot read this {what}: {lack}")
    if problem := lacking("to_gambit()"):
        raise problem
    from . import adapter

    return adapter.read(to_efg(tree))


def read_strategy(
    path: str | os.PathLike[str] | Mapping[str, Any],
    game: GameLike,
    complete: str | None = None,
    *,
    tree: Callable[[], GameTree] | None = None,
) -> Strategy:
    """Read a strategy for a game from a file, a mapping, or a result of pygambit.

    Parameters
    ----------
    path : str, path, mapping or pygambit profile
        The path of the file, the content of a ``.json`` file as a mapping, or a pygambit profile.
    game : GameLike
        The game of the strategy.
    complete : {"default", "uniform"}, optional
        The strategy at information sets that are not in the file: the default move of a dealt game, or all actions with
        equal probability. By default, it is ``"default"`` for dealt games and the trees that ``eb.build`` made from
        their rules, and ``"uniform"`` for other games.
    tree : callable, optional
        A function that returns the tree of a game that is not a dealt game. By default, the tree is built.

    Returns
    -------
    Strategy
        For a dealt game, a strategy without a tree, unless *path* is a pygambit profile. Otherwise, a ``TreeProfile``.

    Raises
    ------
    FileError
        If the file cannot be read.
    ProfileError
        If the content is not a strategy for this game. The message names the line or the key.
    ParameterError
        If *complete* is "default" but the game has no default move, or if an argument has the wrong type.
    NotApplicableError
        If the file contains arrays, and the game is not a two-player bidding game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve("kuhn").write("kuhn.csv")
    >>> eb.verify(eb.read_strategy(path, "kuhn")).regret
    Fraction(0, 1)
    """
    subject = as_subject("read_strategy", game)
    check_functions("read_strategy", tree=tree)
    on = subject.tree if tree is None or subject.given_tree is not None else tree
    if not is_gambits(path):
        kinds = (str, os.PathLike, Mapping)
        check_kind(
            "read_strategy",
            path,
            kinds,
            "the path of a file or a mapping",
            "then the game, e.g. eb.read_strategy('mine.csv', 'kuhn')",
        )
        return strategy_from_file(path, subject, complete, on)
    return read_gambit(path, on())


def read_gambit(given: Any, tree: GameTree | None = None) -> TreeProfile:
    """Return the ``TreeProfile`` on *tree* of *given*: a pygambit profile, or a routine's result with one equilibrium.

    By default, *tree* is the tree of the profile's game. The payoffs of the two games may differ. Raises
    ``ProfileError`` if their moves, information sets or chance probabilities differ, or if a reached information set
    has no distribution. Raises ``ParameterError`` for other pygambit objects.
    """
    profile, what = getattr(given, "equilibrium", given), f"pygambit's {type(given).__name__}"
    if profile is None:
        raise ProfileError(f"{what} has no equilibrium")
    if not hasattr(profile, "max_regret"):
        hint = "; take one of its .equilibria" if hasattr(given, "equilibria") else ""
        raise ParameterError(f"{what} is not a strategy; give a behavior or strategy profile{hint}")
    from . import adapter

    theirs = tree_of("read_strategy", profile.game)
    tree = theirs if tree is None else tree
    # Gambit renames labels, so convert *tree* with Gambit too.
    if tree is not theirs and _play(theirs) != _play(tree_of("read_strategy", _game(tree, "tree"))):
        raise ProfileError(
            f"the profile belongs to {theirs.title!r}, not to {tree.title!r}: the games differ in moves, information "
            "sets or chance probabilities"
        )
    rows = adapter.rows(profile)
    table, wrong = _wrong(tree, rows)
    for k in wrong:
        found = ", ".join(map(str, table.get(k, ())))
        raise ProfileError(f"{what}: at {tree.names[k]!r} the probabilities are {found}; they must sum to 1")
    return replace(to_profile(tree, rows), name="pygambit's profile")


def _play(tree: GameTree) -> tuple[object, ...]:
    """Return the parts of *tree* that determine its strategies: not payoffs, titles or names of information sets."""
    sets = tuple((each.player, each.actions, each.probabilities) for each in tree.infosets)
    return sets, tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()


def too_deep(tree: GameTree) -> str | None:
    """Return a message if *tree* is too deep for Gambit, whose reader recurses once for each level; otherwise None."""
    if (depth := int(tree.depth.max())) <= MAX_DEPTH:
        return None
    limit = f"Gambit's recursive reader crashes beyond {MAX_DEPTH:,}"
    return f"the tree is {depth:,} levels deep, and {limit}"


def _clipped(p: Number) -> Number:
    return 0.0 if isinstance(p, float) and -FLOAT_SUM_TOLERANCE <= p <= 0 else p


def _scaled(row: Sequence[Number]) -> tuple[Number, ...] | None:
    """Return *row* scaled to sum to 1; None if an entry is negative or not a number, or if all entries are zero."""
    if not all(p >= 0.0 for p in row):  # nan fails too
        return None
    total = sum(row)
    # The sum of floats must exceed rounding noise and be finite.
    if not (total > 0 if isinstance(total, Fraction) else PLAYED < total < inf):
        return None
    return tuple(p / total for p in row)
