"""Between Gambit's lists and a tree: the order of its information sets, repairs, ``to_gambit``; ``read_strategy``.

Positions, never labels, tie the two together: Gambit renames labels that it finds twice.
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
from ...base.rationals import Number, TooLongError, exact_row, parse, text
from ...base.surface import is_gambits
from ...forms.extensive import CHANCE, GameTree, build, first_moves
from ...games.protocol import Game
from ...strategies.reading import strategy_from_file
from ...strategies.sparse_profile import Solved
from ...strategies.tree_profile import FLOAT_SUM_TOLERANCE, Strategy, TreeProfile, check_distribution
from ..efg import to_efg
from ..trees import GameLike, subject, tree_of
from . import lacking

PLAYED = 1e-9
"""A float probability above this counts as played where it is asked what a player's own play reaches."""

MAX_DEPTH = 10_000
"""Levels that Gambit is given at most: its reader died between 12,500 and 12,900 of them with a stack of 8 MiB."""

DENOMINATOR = 10**6
"""Bound on the denominators of starting points that are given in floats to an exact routine."""


def order(tree: GameTree) -> list[list[int]]:
    """Each player's information sets (indices in ``tree.infosets``) in the order in which Gambit first meets them."""
    sets = [(tree.infosets[k].player, k) for k in tree.first_nodes]
    return [[k for mover, k in sets if mover == player] for player in range(len(tree.players))]


Rows = Sequence[Sequence[Sequence[str | float]]]
Table = dict[int, tuple[Number, ...]]


def to_profile(tree: GameTree, rows: Rows) -> TreeProfile:
    """The profile that Gambit's *rows* (see ``gambit.adapter``) are on *tree*.

    A row of weights is scaled to sum to 1, any other that is no distribution becomes uniform; ``faults`` lists them.
    Raises ``ProfileError`` where the shape is wrong or a number too long to read.
    """
    # Gambit leaves anything at sets that their owner's own play and chance do not reach. And its linear program
    # (17.0.0b2) asks a set's moves for no more than the weight that reaches it: where the other player never gets
    # to, some can be missing, even all. Filling up in proportion costs the owner nothing; other rows could.
    table = _table(tree, rows)
    exact = all(isinstance(p, Fraction) for row in table.values() for p in row)
    for k in _bad(tree, table):
        share = Fraction(1, len(tree.infosets[k].actions))
        uniform = (share if exact else float(share),) * len(tree.infosets[k].actions)
        table[k] = _scaled(table.get(k, ())) or uniform
    return TreeProfile.from_personal(tree, table)


def faults(tree: GameTree, rows: Rows) -> list[str]:
    """Where Gambit's *rows* are no distribution although the owner's own play gets there, in sentences."""
    table, wrong = _wrong(tree, rows)
    found = sorted((_scaled(table.get(k, ())) is not None, k) for k in wrong)
    return [
        f"at {tree.names[k]!r}, which is played to, Gambit gives no distribution but "
        f"{', '.join(map(str, table.get(k, ())))}: {'scaled to sum to 1' if scaled else 'taken as uniform'}"
        for scaled, k in found
    ]


def _table(tree: GameTree, rows: Rows) -> Table:
    sets = order(tree)
    if [len(r) for r in rows] != [len(s) for s in sets]:
        raise ProfileError("Gambit's information sets are not those of the tree")
    try:
        return {
            k: tuple(_clipped(parse(p) if isinstance(p, str) else float(p)) for p in row)
            for player, numbers in zip(sets, rows, strict=True)
            for k, row in zip(player, numbers, strict=True)
        }
    except TooLongError as error:
        raise ProfileError(f"it has {error}") from None


def _bad(tree: GameTree, table: Table) -> list[int]:
    found = []
    for k in tree.personal:
        try:
            check_distribution(table.get(k, ()), len(tree.infosets[k].actions), "")
        except ProfileError:
            found.append(k)
    return found


def _wrong(tree: GameTree, rows: Rows) -> tuple[Table, list[int]]:
    """The rows by set, and the sets without a distribution although their owner's own play gets there."""
    table = _table(tree, rows)
    bad = _bad(tree, table)
    reached = own_reach(tree, table) if bad else ()
    return table, [k for k in bad if reached[k]]


def own_reach(tree: GameTree, table: Mapping[int, Sequence[Number]]) -> npt.NDArray[np.bool_]:
    """The information sets that their owner's own moves and chance can reach, as flags; shape (infosets,).

    Chance counts because Gambit loses what a mixed strategy does after a move of chance that never comes.
    """
    starts = first_moves(tree)
    played = np.ones(int(starts[-1]) + 1, dtype=bool)  # one more: no move leads to the root
    chance = {k: i.probabilities for k, i in enumerate(tree.infosets) if i.probabilities is not None}
    for k, row in {**table, **chance}.items():
        played[starts[k] : starts[k] + len(row)] = [p > (0 if isinstance(p, Fraction) else PLAYED) for p in row]
    above = tree.parent
    movers, came = tree.player[above], played[starts[tree.infoset[above]] + tree.action]
    found = np.array([i.player == CHANCE for i in tree.infosets], dtype=bool)
    for player in range(len(tree.players)):
        passed = came | ~np.isin(movers, (player, CHANCE))
        reach = np.ones(len(tree), dtype=bool)
        for nodes in tree.levels[1:]:
            reach[nodes] = reach[above[nodes]] & passed[nodes]
        found[tree.infoset[reach & (tree.player == player)]] = True
    return found


def from_profile(profile: TreeProfile, *, exact: bool) -> list[list[list[str | float]]]:
    """A profile as Gambit's rows; *exact* ones are rationals that sum to exactly 1."""

    def written(row: Sequence[Number]) -> list[str | float]:
        return [*map(text, exact_row(row, DENOMINATOR))] if exact else [*map(float, row)]

    return [[written(profile.probabilities[k]) for k in sets] for sets in order(profile.tree)]


def to_gambit(given: GameLike | Strategy | Solved) -> Any:
    """Return a game of ``pygambit``, or a behavior profile on one.

    Parameters
    ----------
    given : GameLike, TreeProfile or Solution
        A game gives a game. A strategy gives a profile, whose game is ``.game``; of a solution it is the best profile
        found.

    Returns
    -------
    pygambit.gambit.Game or pygambit.gambit.MixedBehaviorProfile
        The profile is rational if the strategy is, else in floats.

    Raises
    ------
    NotApplicableError
        If pygambit is not installed, the game has no players or is more than 10,000 levels deep, or a solution has no
        profile on a tree (``eb.support_tree`` makes one).
    ParameterError
        If the argument is not a game, a strategy or a solution.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.to_gambit("kuhn").title  # doctest: +SKIP
    'Kuhn poker: 2 players, 3 cards'
    """
    if isinstance(given, type) or not (isinstance(given, TreeProfile) or hasattr(given, "strategy")):
        return _game(tree_of("to_gambit", given, "a tree or a solution"), "game")
    profile = given if isinstance(given, TreeProfile) else given.strategy
    if not isinstance(profile, TreeProfile):
        raise NotApplicableError("the solution has no profile on a tree that Gambit could have")
    game = _game(profile.tree, "profile")
    return game.mixed_behavior_profile(from_profile(profile, exact=profile.exact), rational=profile.exact)


def _game(tree: GameTree, what: str) -> Any:
    lack = too_deep(tree) if tree.players else "the game has no players"
    if lack is not None:
        raise NotApplicableError(f"Gambit cannot have this {what}: {lack}")
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
        The file; a mapping has the content of a ``.json`` file.
    game : GameLike
        The game that the strategy is for.
    complete : {"default", "uniform"}, optional
        The strategy at information sets that the file leaves out: the default move of a dealt game, or all actions
        with equal probability. By default it is the default move if the game has one.
    tree : callable, optional
        Makes the tree of a game that is not dealt. By default the tree is built.

    Returns
    -------
    Strategy
        A strategy by the rules for a dealt game, else a ``TreeProfile``.

    Raises
    ------
    FileError
        If the file cannot be read.
    ProfileError
        If it is not a strategy of this game; the message names the line or the key.
    ParameterError
        If the game has no default move, or an argument has a wrong type.
    NotApplicableError
        If the file has arrays, and the game is not a bidding game of two players.

    Examples
    --------
    >>> import efg_builder as eb
    >>> path = eb.solve("kuhn").write("kuhn.csv")
    >>> eb.verify(eb.read_strategy(path, "kuhn")).regret
    Fraction(0, 1)
    """
    rules = subject("read_strategy", game)
    check_functions("read_strategy", tree=tree)
    if not is_gambits(path):
        kinds = (str, os.PathLike, Mapping)
        check_kind(
            "read_strategy", path, kinds, "the path of a file or a mapping", "then the game, as in (path, 'kuhn')"
        )
        return strategy_from_file(path, rules, complete, tree)
    if isinstance(rules, Game):
        rules = build(rules) if tree is None else tree()
    return read_gambit(path, rules)


def read_gambit(given: Any, tree: GameTree) -> TreeProfile:
    """The strategies on *tree* of *given*: a profile of pygambit's, or what a routine returned with one equilibrium.

    Payoffs need not be equal. Raises ``ProfileError`` for a profile of a game with other moves, sets or chances, or
    that is no distribution where its player gets to, and ``ParameterError`` for anything else of pygambit's.
    """
    profile, what = getattr(given, "equilibrium", given), f"pygambit's {type(given).__name__}"
    if profile is None:
        raise ProfileError(f"{what} has no equilibrium")
    if not hasattr(profile, "max_regret"):
        hint = "; take one of its .equilibria" if hasattr(given, "equilibria") else ""
        raise ParameterError(f"{what} is no strategy; a behavior or strategy profile is right{hint}")
    from . import adapter

    # Gambit renames labels: what it reads in our text has the names that it gives.
    theirs, ours = tree_of("read_strategy", profile.game), tree_of("read_strategy", _game(tree, "tree"))
    if _play(theirs) != _play(ours):
        raise ProfileError(f"the profile is of {theirs.title!r}, not of {tree.title!r}: the games have other moves")
    rows = adapter.rows(profile)
    table, wrong = _wrong(tree, rows)
    for k in wrong:
        found = ", ".join(map(str, table.get(k, ())))
        raise ProfileError(f"{what}: at {tree.names[k]!r} the probabilities are {found}; they must sum to 1")
    return replace(to_profile(tree, rows), name="pygambit's profile")


def _play(tree: GameTree) -> tuple[object, ...]:
    """What must be equal where one strategy is to fit two trees: all but payoffs, titles and names of sets."""
    sets = tuple((each.player, each.actions, each.probabilities) for each in tree.infosets)
    return sets, tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()


def too_deep(tree: GameTree) -> str | None:
    """Why Gambit cannot read *tree*: its reader calls itself once for each level until the stack is full."""
    if (depth := int(tree.depth.max())) <= MAX_DEPTH:
        return None
    limit = f"Gambit, which reads level within level, crashes beyond {MAX_DEPTH:,}"
    return f"the tree is {depth:,} levels deep, and {limit}"


def _clipped(p: Number) -> Number:
    return 0.0 if isinstance(p, float) and -FLOAT_SUM_TOLERANCE <= p <= 0 else p


def _scaled(row: Sequence[Number]) -> tuple[Number, ...] | None:
    """*row* made to sum to 1, all in proportion; None where it has no weight, or is not made of weights."""
    if not all(p >= 0.0 for p in row):  # nan fails too
        return None
    total = sum(row)
    # A float's weight has to be more than noise; one beyond all bounds cannot be shared out.
    if not (total > 0 if isinstance(total, Fraction) else PLAYED < total < inf):
        return None
    return tuple(p / total for p in row)
