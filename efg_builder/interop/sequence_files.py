"""The sequence form as files for other solvers: player 1's linear program (``.lp``, ``.mps``), or arrays (``.npz``).

Player 1's realization plan is x >= 0 with E x = e, and player 2's is y >= 0 with F y = f. The expected payoffs are
x A y to player 1 and x B y to player 2. If the sum of payoffs is constant, player 1's linear program is: maximize v0,
the first entry of v, such that E x = e, x >= 0 and F' v <= A' x (von Stengel, "Efficient Computation of Behavior
Strategies", 1996, section 4). The optimum is the game's value to player 1.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError, ParameterError, check_kind, printable
from ..base.files import check_writable, write_atomically
from ..base.rationals import text
from ..base.words import plural
from ..forms import extensive
from ..forms.extensive import MAX_NODES, GameTree
from ..forms.recall import has_perfect_recall, lacks_recall, solvable
from ..forms.sequence_form import Indices, PlayerSequences, sequence_form, sums_by_pair
from .trees import GameLike, tree_of

SUFFIXES = (".mps", ".lp", ".npz")

_WIDTH = 200
"""Maximum line length. CPLEX accepts 560 characters in an ``.lp`` file ("White space and line length in LP file
format").
"""

_LARGEST = 2**63 - 1

Triples = tuple[Indices, Indices, list[Fraction]]
"""The rows (player 1's sequences), columns (player 2's sequences) and values of a sparse matrix."""


def write_sequence_form(game: GameLike, path: str | os.PathLike[str], *, max_nodes: int = MAX_NODES) -> Path:
    """Write the sequence form of a two-player game with perfect recall.

    Parameters
    ----------
    game : GameLike
        Rules, a tree, a name such as ``"kuhn"``, a file, or a pygambit or OpenSpiel game.
    path : str or path
        The file. An ``.npz`` file contains the constraints on realization plans, both exact payoff matrices, and the
        names of all sequences. An ``.lp`` or ``.mps`` file contains player 1's linear program with up to 17 digits per
        number, and comments that explain rows and columns.
    max_nodes : int, default 5,000,000
        Maximum number of nodes of the tree.

    Returns
    -------
    Path
        The path of the file, which is written atomically.

    Raises
    ------
    ParameterError
        If the path has another suffix, or an argument has the wrong type.
    NotApplicableError
        If the game does not have two players with perfect recall. For a linear program, also if the sum of payoffs is
        not constant, or if a payoff is too large for a decimal.
    FileError
        If the file cannot be written.
    TreeTooLargeError
        If the tree has more than *max_nodes* nodes.

    References
    ----------
    B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.write_sequence_form("kuhn", "kuhn.lp").name
    'kuhn.lp'
    """
    hint = "an example is eb.write_sequence_form('kuhn', 'kuhn.lp')"
    check_kind("write_sequence_form", path, (str, os.PathLike), "the path of a file", hint)
    kind = Path(path).suffix.lower()
    if kind not in SUFFIXES:
        raise ParameterError(f"{os.fspath(path)}: the file of a sequence form must end in .mps, .lp or .npz")
    check_writable(path)
    tree = tree_of("write_sequence_form", game, "a game or a tree", max_nodes)
    if len(tree.players) != 2:
        raise NotApplicableError(f"the sequence form is for two players; this game has {len(tree.players)}")
    if not has_perfect_recall(tree):
        raise NotApplicableError(f"the sequence form needs perfect recall; {lacks_recall(tree)}")
    tree = solvable(tree)
    if kind == ".npz":
        return write_atomically(path, [_archive(tree)])
    if extensive.constant_sum(tree) is None:
        problem = "a linear program needs payoffs with a constant sum, but their sum varies"
        raise NotApplicableError(f"{problem}; an .npz file has both payoff matrices")
    program = _program(tree)
    return write_atomically(path, (line.encode() for line in (_lp if kind == ".lp" else _mps)(program)))


def payoff_matrices(tree: GameTree, players: tuple[PlayerSequences, PlayerSequences]) -> tuple[Triples, Triples]:
    """Return both players' nonzero payoffs for each pair of sequences, weighted by chance's reach probability."""
    last, ends = extensive.own_sequences(tree), np.flatnonzero(tree.player == extensive.TERMINAL)
    paid, scale = extensive.scaled_payoffs(tree)
    chance, chance_scale = extensive.chance_reach(tree)

    def matrix(player: int) -> Triples:
        rows, columns, sums = sums_by_pair(tree, players, last, paid[ends, player] * chance[ends])
        return rows, columns, [Fraction(entry, scale * chance_scale) for entry in sums]

    return matrix(0), matrix(1)


# --- the linear program


@dataclass(frozen=True)
class _Program:
    """Player 1's linear program. Columns v are free, and columns x are nonnegative.

    A row has a name, a flag (True for an equation, False for ``<=``), a right-hand side, and entries (column,
    coefficient).
    """

    about: list[str]
    columns: list[str]
    rows: list[tuple[str, bool, int, list[tuple[int, Fraction]]]]


def _program(tree: GameTree) -> _Program:
    one, two = players = sequence_form(tree).players
    (rows, columns, values), _ = payoff_matrices(tree, players)
    rounded = sum(Fraction(_decimal(value)) != value for value in values)
    first, second = tree.players
    about = [
        tree.title,
        f"The sequence form as the linear program of {first} (player 1): the maximum of v0 is the game's value to "
        f"{first}.",
        f"Columns x are {first}'s realization plan: x5 is the product of {first}'s probabilities up to sequence 5. "
        f"Columns v are bounds on {first}'s expected payoff at {second}'s information sets, v0 for the whole game.",
        f"Rows s make x a plan. There is a row y for each sequence of {second}; the multipliers are {second}'s plan.",
        f"{plural(len(values), 'payoff')}, {rounded:,} of them rounded to 17 digits"
        + ("; the .npz file of this game has exact payoffs." if rounded else "."),
        "",
        "x0, y0: no move yet",
        *_meaning(tree, one, 0, "x"),
        *_meaning(tree, two, 1, "y"),
        "s0, v0: the start",
        *(f"s{k}: {first} at {tree.names[i]!r}" for k, i in enumerate(one.infosets.tolist(), 1)),
        *(f"v{k}: {second} at {tree.names[i]!r}" for k, i in enumerate(two.infosets.tolist(), 1)),
    ]
    names = [f"x{s}" for s in range(one.count)] + [f"v{k}" for k in range(1 + len(two.infosets))]
    found = [(f"s{k}", True, int(k == 0), entries) for k, entries in enumerate(_constraints(one))]
    # F' v <= A' x: the row of a sequence of player 2 contains the sequence's columns of F and A.
    replies: list[list[tuple[int, Fraction]]] = [[] for _ in range(two.count)]
    for k, entries in enumerate(_constraints(two)):
        for sequence, sign in entries:
            replies[sequence].append((one.count + k, sign))
    for row, column, value in zip(rows.tolist(), columns.tolist(), values, strict=True):
        replies[column].append((row, -value))
    found += [(f"y{t}", False, 0, entries) for t, entries in enumerate(replies)]
    return _Program(about, names, found)


def _meaning(tree: GameTree, side: PlayerSequences, player: int, letter: str) -> Iterator[str]:
    for sequence, (name, action) in enumerate(_moves(tree, side)):
        if sequence:
            yield f"{letter}{sequence}: {tree.players[player]} at {name!r} plays {action!r}"


def _moves(tree: GameTree, side: PlayerSequences) -> list[tuple[str, str]]:
    sets = [(tree.names[k], action) for k in side.infosets.tolist() for action in tree.infosets[k].actions]
    return [("", ""), *sets]


def _constraints(side: PlayerSequences) -> list[list[tuple[int, Fraction]]]:
    """Return the rows of E (or F).

    Row 0 is for the empty sequence. The row of an information set is the sum of its sequences minus the sequence before
    the information set.
    """
    found = [[(0, Fraction(1))]]
    for parent, first, width in zip(side.parent.tolist(), side.first.tolist(), side.widths.tolist(), strict=True):
        found.append([(parent, Fraction(-1)), *((s, Fraction(1)) for s in range(first, first + width))])
    return found


def _decimal(number: Fraction) -> str:
    if number.denominator == 1 and abs(number) < 1 << 53:
        return str(number)
    try:
        return repr(float(number))
    except OverflowError:
        raise NotApplicableError(
            "a payoff is too large for the decimals of a linear program; an .npz file is exact"
        ) from None


def _comments(program: _Program, mark: str) -> Iterator[str]:
    for line in program.about:
        for part in wrap(printable(line).replace("\n", " "), _WIDTH) or [""]:
            yield f"{mark} {part}".rstrip() + "\n"


def _lp(program: _Program) -> Iterator[str]:
    yield from _comments(program, "\\")
    yield "Maximize\n value: v0\nSubject To\n"
    names = program.columns
    for name, equation, right, entries in program.rows:
        terms = (f"{'-' if value < 0 else '+'} {_decimal(abs(value))} {names[column]}" for column, value in entries)
        yield from _lines(f" {name}:", (*terms, "=" if equation else "<=", str(right)))
    yield "Bounds\n" + "".join(f" {name} free\n" for name in _free(program)) + "End\n"


def _free(program: _Program) -> Iterator[str]:
    return (name for name in program.columns if name.startswith("v"))


def _lines(begin: str, words: Iterable[str]) -> Iterator[str]:
    line = begin
    for word in words:
        if len(line) + len(word) > _WIDTH:
            yield line + "\n"
            line = " "
        line += f" {word}"
    yield line + "\n"


def _mps(program: _Program) -> Iterator[str]:
    yield from _comments(program, "*")
    yield "NAME sequence_form\nOBJSENSE\n    MAX\nROWS\n N value\n"
    columns: list[list[tuple[str, Fraction]]] = [[] for _ in program.columns]
    for name, equation, _, entries in program.rows:
        yield f" {'E' if equation else 'L'} {name}\n"
        for column, value in entries:
            columns[column].append((name, value))
    yield "COLUMNS\n"
    for name, rows in zip(program.columns, columns, strict=True):
        if name == "v0":
            yield f" {name} value 1\n"
        yield from (f" {name} {row} {_decimal(value)}\n" for row, value in rows)
    yield "RHS\n" + "".join(f" RHS {name} {right}\n" for name, _, right, _ in program.rows if right)
    yield "BOUNDS\n" + "".join(f" FR BOUND {name}\n" for name in _free(program)) + "ENDATA\n"


# --- the arrays

_ABOUT = """The sequence form of a two-player game with perfect recall: realization plans x, y >= 0, E x = e, F y = f.
Expected payoffs are x A y to player 1 and x B y to player 2. A matrix M has entries M_row, M_column and M_value. For A
and B, the exact entries are M_numerator / M_denominator (text beyond 64 bits), and M_value is the nearest double.
Sequence 0 is the empty sequence. Sequence s of player p ends with the action sequence_action_p[s] at the information
set sequence_set_p[s]. Row k of E is for the information set constraint_1[k], and row k of F for constraint_2[k]. Row 0
is for the start."""


def _archive(tree: GameTree) -> bytes:
    players = sequence_form(tree).players
    arrays: dict[str, Any] = {
        "about": np.array(_ABOUT),
        "title": np.array(tree.title),
        "players": _words(tree.players),
    }
    for number, (letter, side) in enumerate(zip("EF", players, strict=True), start=1):
        entries = [(k, s, int(sign)) for k, row in enumerate(_constraints(side)) for s, sign in row]
        rows, columns, signs = np.array(entries, dtype=np.int64).T
        arrays |= {f"{letter}_row": rows, f"{letter}_column": columns, f"{letter}_value": signs}
        arrays[letter.lower()] = np.eye(1, 1 + len(side.infosets), dtype=np.int64)[0]
        sets, actions = zip(*_moves(tree, side), strict=True)
        arrays[f"sequence_set_{number}"], arrays[f"sequence_action_{number}"] = _words(sets), _words(actions)
        arrays[f"constraint_{number}"] = _words(["", *(tree.names[k] for k in side.infosets.tolist())])
    for letter, (rows, columns, values) in zip("AB", payoff_matrices(tree, players), strict=True):
        arrays |= {f"{letter}_row": rows, f"{letter}_column": columns}
        arrays[f"{letter}_numerator"] = _wholes([value.numerator for value in values])
        arrays[f"{letter}_denominator"] = _wholes([value.denominator for value in values])
        arrays[f"{letter}_value"] = np.array([_double(value) for value in values], dtype=np.float64)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _words(words: Sequence[str]) -> npt.NDArray[np.str_]:
    # Escape unprintable characters, because NumPy drops trailing null characters. An array of Python objects would be
    # pickled.
    return np.array([printable(word) for word in words], dtype=np.str_)


def _wholes(numbers: list[int]) -> npt.NDArray[Any]:
    small = all(abs(number) <= _LARGEST for number in numbers)
    return np.array(numbers, dtype=np.int64) if small else _words([text(Fraction(number)) for number in numbers])


def _double(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
