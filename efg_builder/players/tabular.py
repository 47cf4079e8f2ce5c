"""Strategies that a program passes as numbers: an array, a function of an information set, or an OpenSpiel policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import FAILURES, PASSED_ON, ParameterError, ProfileError, kind_of, misspelled
from ..base.rationals import Number
from ..base.words import distinct
from ..forms.extensive import CHANCE, NONE, GameTree, Infoset, first_moves, kept
from ..interop import open_spiel
from ..strategies.tree_profile import FLOAT_SUM_TOLERANCE, Strategy, TreeProfile, check_distribution

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


def is_tabular(given: object) -> bool:
    """Return whether *given* is an array, a function, or an OpenSpiel policy."""
    if isinstance(given, type | Strategy):
        return False
    return _is_array(given) or callable(given) or hasattr(given, "action_probabilities")


def _is_array(given: object) -> bool:
    """Return whether NumPy takes *given* as an array, as it takes a tensor of PyTorch or JAX."""
    return hasattr(given, "__array__")


def name_of(given: object) -> str:
    """Return the name of *given* for reports: a function's name, or the name of a type."""
    return str(getattr(given, "__name__", type(given).__name__))


def profile_of(given: Any, tree: GameTree) -> TreeProfile:
    """Return *given* (see ``is_tabular``) as a profile on *tree*; exact if a function returns fractions.

    Raises ``ParameterError`` or ``ProfileError`` if it is not a strategy of *tree*. Raises ``NotApplicableError`` for
    an OpenSpiel policy if the tree is not from OpenSpiel.
    """
    if _is_array(given):
        played = floats_of(given, tree)
        return seated_floats(tree, [played] * len(tree.players), name_of(given))
    rows = dict(zip(tree.personal, _rows(given, tree), strict=True))
    return TreeProfile.from_personal(tree, rows, name_of(given))


def floats_in(profile: TreeProfile) -> Floats:
    """Return the probability of each move in *profile*, chance included, numbered as in ``first_moves``."""
    count = len(_moves_of(profile.tree).sets)
    return np.fromiter(chain.from_iterable(profile.probabilities), dtype=np.float64, count=count)


def floats_of(given: Any, tree: GameTree) -> Floats:
    """Return the probability of each move, numbered as in ``first_moves``; the entries of chance are arbitrary.

    *given*: see ``is_tabular``. Raises the errors of ``profile_of``.
    """
    moves = _moves_of(tree)
    if _is_array(given):
        played = _checked(np.asarray(given), tree, moves)[moves.sets, moves.actions].astype(np.float64)
    else:
        played, rows = np.zeros(len(moves.sets)), list(_rows(given, tree))
        try:
            played[moves.of_players] = np.fromiter(chain.from_iterable(rows), dtype=np.float64)
        except (TypeError, ValueError):
            for k, row in zip(tree.personal, rows, strict=True):
                check_distribution(row, len(row), tree.names[k])  # the error names the information set
            raise
    _check(played, tree, moves)
    return played


def floats_by_name(given: Mapping[str, Any], tree: GameTree) -> Floats | None:
    """Return the probability of each move in a mapping ``{information set: {action: probability}}``.

    Return None unless the keys are the names of all information sets and of all their actions, with probabilities as
    numbers. The reader of strategy files reads all other mappings, and writes the messages about their errors.
    """
    moves = _moves_of(tree)
    names = [tree.names[k] for k in tree.personal]
    if len(given) != len(names) or given.keys() != set(names):
        return None
    rows = list[float]()
    for k, name in zip(tree.personal, names, strict=True):
        row, actions = given[name], tree.infosets[k].actions
        # The reader gives names to equal labels, and refuses unknown actions and truth values.
        if not isinstance(row, Mapping) or row.keys() != set(actions) or len(row) != len(actions):
            return None
        rows += [row[action] for action in actions]
    if not all(type(p) in (float, int, np.float64, Fraction) for p in rows):
        return None
    played = np.zeros(len(moves.sets))
    played[moves.of_players] = rows
    try:
        _check(played, tree, moves)
    except ProfileError:
        return None
    return played


def seated_floats(tree: GameTree, seats: Sequence[Floats], name: str = "seated") -> TreeProfile:
    """Return the profile in which each player has the probabilities that ``floats_of`` returned for its seat."""
    starts = _moves_of(tree).starts.tolist()
    ends, owners = [*starts[1:], None], [infoset.player for infoset in tree.infosets]
    rows = {k: seats[owners[k]][starts[k] : ends[k]].tolist() for k in tree.personal}
    return TreeProfile.from_personal(tree, rows, name)


def _checked(array: npt.NDArray[Any], tree: GameTree, moves: _Moves) -> npt.NDArray[Any]:
    """Return *array*. Raises ``ProfileError`` unless it has a number for each move of *tree*."""
    if array.dtype.kind not in "bfiu":
        raise ProfileError(f"an array of {array.dtype} is not a strategy; the probabilities must be numbers")
    sets, width = len(tree.infosets), 1 + int(moves.actions.max(initial=NONE))
    if array.ndim == 2 and array.shape[0] == sets and array.shape[1] >= width:
        return array
    chance = "; chance events have rows too" if array.ndim == 2 and array.shape[0] == len(tree.personal) else ""
    raise ProfileError(
        f"an array of shape {array.shape} is not a strategy of {tree.title!r}; array[k, action] is the probability "
        f"of tree.infosets[k].actions[action], so the shape is ({sets}, {width}){chance}"
    )


@dataclass(frozen=True)
class _Moves:
    """The moves of a tree, numbered as in ``first_moves``. For moves of chance, ``actions`` is 0."""

    sets: Indices  # [move]: the index in ``tree.infosets``
    actions: Indices  # [move]
    of_players: npt.NDArray[np.bool_]  # [move]
    starts: Indices  # [information set]


@kept
def _moves_of(tree: GameTree) -> _Moves:
    starts = first_moves(tree)
    sets = np.repeat(np.arange(len(tree.infosets)), np.diff(starts))
    of_players = np.array([infoset.player != CHANCE for infoset in tree.infosets], dtype=bool)[sets]
    actions = np.where(of_players, np.arange(len(sets)) - starts[sets], 0)
    return _Moves(sets, actions, of_players, starts[:-1])


def _check(played: Floats, tree: GameTree, moves: _Moves) -> None:
    """Raise ``ProfileError`` unless *played* has a distribution at each information set of a player."""
    if not len(played):
        return
    good = np.abs(np.add.reduceat(played, moves.starts) - 1) <= FLOAT_SUM_TOLERANCE
    good &= np.minimum.reduceat(played, moves.starts) >= 0
    for k in np.flatnonzero(~good).tolist():
        if tree.infosets[k].player != CHANCE:
            row = tuple(played[moves.sets == k].tolist())
            check_distribution(row, len(row), tree.names[k])


def _rows(given: Any, tree: GameTree) -> Iterator[Sequence[Number]]:
    """Yield the probabilities at each information set in ``tree.personal``."""
    if hasattr(given, "action_probabilities"):
        yield from open_spiel.rows(given, tree)
        return
    name = name_of(given)
    try:
        signature(given).bind(None)
    except ValueError:
        pass  # some builtin functions have no signature
    except TypeError:
        hint = "eb.Policy(function) takes a function of a turn and a hand"
        raise ParameterError(f"{name}() cannot be called with one information set; {hint}") from None
    for k in tree.personal:
        yield _row(given, name, tree, k)


def _row(function: Callable[[Infoset], Any], name: str, tree: GameTree, k: int) -> Sequence[Number]:
    infoset = tree.infosets[k]
    where, actions = f"the function {name} at {tree.names[k]!r}", distinct(infoset.actions)
    try:
        answer = function(infoset)
    except PASSED_ON:
        raise
    except FAILURES as error:
        said = f": {error}" if str(error) else ""
        raise ProfileError(f"{where} raised {type(error).__name__}{said}") from error
    if isinstance(answer, Mapping):
        if wrong := [action for action in answer if action not in actions]:
            raise ProfileError(f"{where}: {wrong[0]!r} is not an action; {misspelled(str(wrong[0]), actions)}")
        answer = [answer.get(action, 0) for action in actions]
    elif _is_array(answer):
        answer = np.asarray(answer).tolist()
    if not isinstance(answer, Sequence) or isinstance(answer, str):
        wanted = "one probability for each action, or a mapping from actions to probabilities"
        raise ProfileError(f"{where} returned {kind_of(answer)}, not {wanted}")
    if len(answer) != len(actions):
        raise ProfileError(f"{where} returned {len(answer)} probabilities for {len(actions)} actions")
    return tuple(answer)
