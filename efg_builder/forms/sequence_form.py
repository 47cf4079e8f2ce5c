"""The sequence form of a two-player game with perfect recall, in exact integers.

A *sequence* is the list of a player's moves so far, identified by the last move (information set and action). Sequence
0 is empty. A *realization plan* maps each sequence to the product of the probabilities of its moves. For plans x and y,
the expected payoff is ``x A y`` (von Stengel, "Efficient Computation of Behavior Strategies", 1996, sections 3-4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np
import numpy.typing as npt

from .extensive import NONE, TERMINAL, GameTree, chance_reach, first_moves, own_sequences, scaled_payoffs

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class PlayerSequences:
    """One player's sequences."""

    infosets: Indices  # [information set]: its index in ``tree.infosets``
    parent: Indices  # [information set]: the sequence that leads to the information set
    first: Indices  # [information set]: the sequence of the first action; the sequences of the other actions follow
    widths: Indices  # [information set]: the number of actions
    count: int  # number of sequences, including the empty sequence

    @property
    def owner(self) -> Indices:
        """Each sequence's position in ``infosets`` (-1 for the empty sequence); shape (count,)."""
        return np.concatenate([[NONE], np.repeat(np.arange(len(self.widths)), self.widths)])


@dataclass(frozen=True)
class SequenceForm:
    """Both players' sequences, and one player's payoffs.

    ``payoffs[j]`` is the integer entry of the matrix A for the sequences ``rows[j]`` of player 1 and ``columns[j]`` of
    player 2. Each pair of sequences appears at most once. For plans x and y, the expected payoff is
    ``middle + unit * (x A y)``. The minimum and maximum payoffs are ``middle - half`` and ``middle + half``.
    """

    players: tuple[PlayerSequences, PlayerSequences]
    rows: Indices
    columns: Indices
    payoffs: npt.NDArray[np.object_]
    middle: Fraction
    half: Fraction
    unit: Fraction


def sequence_form(tree: GameTree, player: int = 0) -> SequenceForm:
    """Return the sequence form of *tree*, with the payoffs of *player*.

    The tree must have two players with perfect recall (not checked).
    """
    last = own_sequences(tree)
    owned = ([k for k in tree.personal if tree.infosets[k].player == p] for p in range(2))
    players = tuple(player_sequences(tree, p, infosets, last) for p, infosets in enumerate(owned))
    ends = np.flatnonzero(tree.player == TERMINAL)
    paid, scale = scaled_payoffs(tree)
    chance, chance_scale = chance_reach(tree)
    # Subtract the middle of the payoff range, so that large but close payoffs stay distinct as floats. Double the
    # difference, so that it is an integer.
    mine = paid[ends, player]
    high, low = mine.max(), mine.min()
    rows, columns, sums = sums_by_pair(tree, players, last, (2 * mine - (high + low)) * chance[ends])
    common = max(gcd(*sums), 1)
    return SequenceForm(
        players=(players[0], players[1]),
        rows=rows,
        columns=columns,
        payoffs=sums // common,
        middle=Fraction(high + low, 2 * scale),
        half=Fraction(high - low, 2 * scale),
        unit=Fraction(common, 2 * scale * chance_scale),
    )


def sums_by_pair(
    tree: GameTree, players: Sequence[PlayerSequences], last: Indices, worth: npt.NDArray[np.object_]
) -> tuple[Indices, Indices, npt.NDArray[np.object_]]:
    """Sum *worth* (one number per terminal node) over terminal nodes with the same pair of sequences; omit sums of 0.

    *last*: ``own_sequences`` of the tree.
    """
    ends = tree.player == TERMINAL
    rows, columns = (move_sequences(tree, side.infosets)[last[ends, p]] for p, side in enumerate(players))
    # A pair's key can exceed the index type, which has 32 bits on some platforms.
    keys, where = np.unique(rows.astype(np.int64) * players[1].count + columns, return_inverse=True)
    sums = np.zeros(len(keys), dtype=object)
    np.add.at(sums, where, worth)
    used = np.flatnonzero(sums != 0)
    pairs = np.divmod(keys[used], players[1].count)
    return pairs[0].astype(np.intp), pairs[1].astype(np.intp), sums[used]


def player_sequences(
    tree: GameTree, player: int, infosets: Sequence[int], last: Indices | None = None
) -> PlayerSequences:
    """Return the sequences of *player* (from 0) for *infosets*, in this order. Perfect recall is not checked.

    *last*: ``own_sequences(tree)``, if already computed.
    """
    last = own_sequences(tree) if last is None else last
    sets = np.array(infosets, dtype=np.intp)
    widths = np.array([len(tree.infosets[k].actions) for k in infosets], dtype=np.intp)
    first = 1 + np.concatenate([[0], np.cumsum(widths)])[:-1].astype(np.intp)
    nodes = np.flatnonzero(tree.player == player)
    member = np.zeros(len(tree.infosets), dtype=np.intp)
    member[tree.infoset[nodes]] = nodes
    parent = move_sequences(tree, sets)[last[member[sets], player]]
    return PlayerSequences(sets, parent, first, widths, 1 + int(widths.sum()))


def move_sequences(tree: GameTree, infosets: Indices) -> Indices:
    """Return a table that maps move numbers in the tree (-1: no move yet) to sequences of the owner of *infosets*."""
    moves = first_moves(tree)
    table = np.zeros(moves[-1] + 1, dtype=np.intp)  # the last entry, index -1, stays the empty sequence
    widths = moves[infosets + 1] - moves[infosets]
    count = int(widths.sum())
    table[np.repeat(moves[infosets] - np.cumsum(widths) + widths, widths) + np.arange(count)] = 1 + np.arange(count)
    return table


def behavior(side: PlayerSequences, plan: list[Fraction]) -> dict[int, tuple[Fraction, ...]]:
    """Return the behavior strategy of a realization plan; keys are indices in ``tree.infosets``.

    The behavior is uniform at unreached information sets.
    """
    rows = {}
    for k, parent, first, width in zip(side.infosets, side.parent, side.first, side.widths, strict=True):
        reach = plan[parent]
        if reach:
            rows[int(k)] = tuple(weight / reach if weight else weight for weight in plan[first : first + width])
        else:
            rows[int(k)] = (Fraction(1, int(width)),) * int(width)
    return rows
