"""Hands of dice: all sorted hands with their probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

Hand = tuple[int, ...]
"""The faces of a hand of dice, sorted: ``(2, 5)``."""


def sorted_hands(dice: int, sides: int) -> tuple[tuple[Hand, Fraction], ...]:
    """All sorted hands of *dice* fair dice with *sides* sides, with their exact probabilities.

    Two dice of six sides give 21 hands: a pair with 1/36, two different faces with 2/36.
    """
    rolls = sides**dice
    return tuple(
        (hand, Fraction(_orders(hand), rolls)) for hand in combinations_with_replacement(range(1, sides + 1), dice)
    )


def _orders(hand: Hand) -> int:
    return factorial(len(hand)) // prod(factorial(count) for count in Counter(hand).values())


def hand_name(hand: Hand) -> str:
    """The hand as text: ``"2,5"``."""
    return ",".join(map(str, hand))


def at_least(needed: int, dice: int, p: Fraction) -> Fraction:
    """The probability that at least *needed* of *dice* count, each with probability *p*: a binomial tail."""
    counts = range(max(needed, 0), dice + 1)
    return sum((comb(dice, i) * p**i * (1 - p) ** (dice - i) for i in counts), Fraction(0))
