"""Behavior strategy profiles: one probability for each action of each information set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .errors import ProfileError
from .rationals import Number
from .tree import CHANCE, GameTree

FLOAT_SUM_TOLERANCE = 1e-6
"""How far the floats of one information set may sum from 1; exact probabilities may not at all."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A behavior strategy for every player of ``tree``.

    ``probabilities[k]`` are the probabilities of ``tree.infosets[k]``'s actions, in order; chance events
    carry their own. Each number is a ``Fraction``, or a float where a float solver made it.
    Raises ``ProfileError`` where the shape is wrong, a number is negative, or a sum is not 1.
    """

    tree: GameTree
    probabilities: tuple[tuple[Number, ...], ...]

    def __post_init__(self) -> None:
        if len(self.probabilities) != len(self.tree.infosets):
            raise ProfileError(
                f"{len(self.probabilities)} distributions for {len(self.tree.infosets)} information sets"
            )
        for infoset, row in zip(self.tree.infosets, self.probabilities, strict=True):
            if infoset.player != CHANCE:
                check_distribution(row, len(infoset.actions), infoset.label)

    @cached_property
    def exact(self) -> bool:
        """Whether every probability is rational."""
        return all(isinstance(p, Fraction) for row in self.probabilities for p in row)

    @classmethod
    def from_personal(cls, tree: GameTree, rows: Mapping[int, Sequence[Number]]) -> Profile:
        """A profile from the personal players' rows, by index in ``tree.infosets``.

        Raises ``ProfileError`` where one is missing.
        """
        table: list[tuple[Number, ...]] = []
        for k, infoset in enumerate(tree.infosets):
            if infoset.probabilities is not None:
                table.append(infoset.probabilities)
            elif k in rows:
                table.append(tuple(rows[k]))
            else:
                raise ProfileError(f"no probabilities for the information set {infoset.label!r}")
        return cls(tree, tuple(table))


def uniform(tree: GameTree) -> Profile:
    """Every action as likely as any other, exactly."""
    rows = {k: (Fraction(1, len(a)),) * len(a) for k in tree.personal for a in [tree.infosets[k].actions]}
    return Profile.from_personal(tree, rows)


def check_distribution(row: Sequence[Number], actions: int, label: str) -> None:
    """Raise ``ProfileError`` unless *row* is a distribution over that many actions."""
    if len(row) != actions:
        raise ProfileError(f"{len(row)} probabilities for the {actions} actions of {label!r}")
    if not all(p >= 0.0 for p in row):  # nan fails too
        raise ProfileError(f"a negative probability at {label!r}: {', '.join(map(str, row))}")
    total: Number = Fraction(0)
    for p in row:
        total += p
    exact = all(isinstance(p, Fraction) for p in row)
    if (total != 1) if exact else not abs(float(total) - 1.0) <= FLOAT_SUM_TOLERANCE:
        raise ProfileError(f"the probabilities at {label!r} sum to {total}, not 1")
