"""What is typed is understood, and what is said is plain."""

from fractions import Fraction

import pytest

from efg_builder.players.rounds import Score
from efg_builder.players.rounds.words import hint, numbered, slips, understood

SLIPS = {
    (2, 1): "1 of 2 moves was a mistake",
    (4, 2): "2 of 4 moves were mistakes",
    (0, 0): "you had no move",
    (3, 0): "no mistake",
    (1, 1): "your only move was a mistake",
}


def test_mistakes_are_counted_in_plain_words():
    assert {moves: slips(Score(1, *(Fraction(0),) * 4, *moves)) for moves in SLIPS} == SLIPS


def test_a_hint_tells_the_best_five_moves_and_all_when_asked():
    values = {f"1x{k}": Fraction(-k, 7) for k in range(60, 0, -1)}
    assert list(hint(values)) == [
        "Against this opponent a move is worth, on average:",
        "  1x1  -1/7  best",
        "  1x2  -2/7  costs 1/7",
        "  1x3  -3/7  costs 2/7",
        "  1x4  -4/7  costs 3/7",
        "  1x5  -5/7  costs 4/7",
        "  and 55 more moves, none of them better; hh shows all",
    ]
    _, *rows = hint(values, whole=True)
    assert rows[0] == "  1x1    -1/7  best"
    assert len(rows) == 60
    assert understood("hh", BIDS).kind == "hints"


def test_moves_have_numbers_that_no_label_takes():
    fold, chips = ("raise", "fold"), ("5 chips", "2 chips", "fold")
    assert numbered(fold) == {"1": "raise", "2": "fold"}
    assert understood("2", fold, numbered(fold)).text == "fold"
    assert understood("2", chips, numbered(chips)).text == "2 chips"  # what begins with a 2
    assert understood("#2", chips, numbered(chips)).text == "2 chips"
    assert understood("#1", chips, numbered(chips)).text == "5 chips"
    assert understood("2", BIDS).kind == "unclear"  # bids are not numbered


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
        ("3x1", BIDS, "unclear", "'3x1' is not a legal move: 1x1, 1x2, 2x1, 2x2 or call; ? for help"),
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
