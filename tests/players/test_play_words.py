"""What is typed is understood, and what is said is plain."""

from fractions import Fraction

import pytest

from efg_builder.players.rounds import Score
from efg_builder.players.rounds.words import percent, slips
from efg_builder.players.typed import understood


@pytest.mark.parametrize(
    ("moves", "mistakes", "words"),
    [
        (2, 1, "1 of 2 moves was a mistake"),
        (4, 2, "2 of 4 moves were mistakes"),
        (0, 0, "you had no move"),
        (3, 0, "no mistake"),
        (1, 1, "your only move was a mistake"),
    ],
)
def test_mistakes_are_counted_in_plain_words(moves, mistakes, words):
    assert slips(Score(1, *(Fraction(0),) * 4, moves, mistakes)) == words


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        ("1", "100%"),
        ("1/3", "33.3%"),
        ("1999/2000", ">99.9%"),
        ("1/3000", "0.033%"),
        ("59999/100000", "60%"),
    ],
)
def test_percents_are_those_of_the_page(chance, shown):
    assert percent(Fraction(chance)) == shown


BIDS = ("1x1", "1x2", "2x1", "2x2", "call")


@pytest.mark.parametrize(
    ("line", "actions", "kind", "text"),
    [
        ("1x2", BIDS, "move", "1x2"),
        ("  1 X 2 \n", BIDS, "move", "1x2"),
        ("1 2", BIDS, "move", "1x2"),
        ("2*1", BIDS, "move", "2x1"),
        ("2 × 2s", BIDS, "move", "2x2"),
        ("C", BIDS, "move", "call"),
        ("ca", BIDS, "move", "call"),
        ("1", BIDS, "unclear", "that could be 1x1 or 1x2"),
        ("3x1", BIDS, "unclear", "'3x1' is no legal move: 1x1, 1x2, 2x1, 2x2 or call; ? for help"),
        ("\n", BIDS, "unclear", "nothing was typed: 1x1, 1x2, 2x1, 2x2 or call; ? for help"),
        ("?", BIDS, "help", ""),
        ("H", BIDS, "hint", ""),
        ("e", BIDS, "equilibrium", ""),
        ("quit", BIDS, "quit", ""),
        ("h", ("heads", "tails"), "hint", ""),
        ("he", ("heads", "tails"), "move", "heads"),
        ("h", ("h", "t"), "move", "h"),
        ("A", ("a", "A"), "move", "A"),
        ("2", ("11", "22", "21"), "unclear", "that could be 22 or 21"),
        ("21", ("11", "22", "21"), "move", "21"),
    ],
)
def test_what_is_typed_is_understood_and_never_guessed(line, actions, kind, text):
    found = understood(line, actions)
    assert (found.kind, found.text) == (kind, text)
