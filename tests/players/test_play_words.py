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
        ("0", "0%"),
        ("1/4", "25%"),
        ("1/3", "33.3%"),
        ("9999/10000", ">99.9%"),
        ("1999/2000", ">99.9%"),
        ("9994/10000", "99.9%"),
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


ALL = ("1x1", "1x2", "1x3", "2x1", "2x2", "2x3")


@pytest.mark.parametrize(
    ("line", "actions", "text"),
    [
        ("1x3", (*ALL[3:], "call"), "1x3 is too low: a bid must be higher than 1x3: 2x1, 2x2, 2x3 or call; ? for help"),
        ("1 1", (*ALL[3:], "call"), "1x1 is too low: a bid must be higher than 1x3: 2x1, 2x2, 2x3 or call; ? for help"),
        ("3x1", (*ALL[5:], "call"), "'3x1' is no legal move: 2x3 or call; ? for help"),
        ("c", ALL[:2], "there is no bid yet to call: 1x1 or 1x2; ? for help"),
        ("CALL", ALL[:2], "there is no bid yet to call: 1x1 or 1x2; ? for help"),
        ("cold", ALL[:2], "'cold' is no legal move: 1x1 or 1x2; ? for help"),
    ],
)
def test_it_is_said_why_a_bid_or_a_call_cannot_be_made(line, actions, text):
    assert understood(line, actions, ALL).text == text
