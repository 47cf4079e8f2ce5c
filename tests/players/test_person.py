"""A person at the keyboard: what is asked, what is understood, how it ends, and where nobody is asked."""

import io
import sys
from fractions import Fraction

import pytest
from play_games import after, table_for

import efg_builder as eb
from efg_builder.players.find import find
from efg_builder.strategies.policy import Uncovered

THREE = eb.game("liars-dice", sides=3, dice=(1, 2))
THREE_PLAYERS = eb.game("liars-dice", dice=(1, 1, 1), max_quantity=1)


class Keyboard:
    """Lines to be typed, and what was said."""

    def __init__(self, monkeypatch, *lines):
        self.said = io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        monkeypatch.setattr(sys, "stderr", self.said)

    @property
    def lines(self):
        return self.said.getvalue().splitlines()


def seated(game):
    return find("person", table_for(game, live=True))


@pytest.mark.parametrize(
    ("game", "moves", "hand", "line", "move", "asked"),
    [
        (
            *(THREE, ("1x1", "1x2", "2x1"), 2, "2 X 2", "2x2"),
            [
                "Player 2, you hold 1,3. So far: Player 1 1x1, Player 2 1x2 and then Player 1 2x1.",
                "Your move: 2x2, 2x3, 3x1, 3x2, 3x3 or call (? for help)",
            ],
        ),
        (
            THREE_PLAYERS,
            (),
            0,
            "1x1",
            "1x1",
            ["Player 1, you hold 1. You begin.", "Your move: 1x1 or 1x2 (? for help)"],
        ),
        (
            *(THREE_PLAYERS, ("1x1", "1x2"), 1, "c", "call"),
            ["Player 3, you hold 2. So far: Player 1 1x1 and then Player 2 1x2.", "Your move: call (? for help)"],
        ),
        (
            *(eb.game("dice-poker"), ("raise",), 5, "CALL", "call"),
            ["B, you hold 6. So far: raise.", "Your move: fold or call (? for help)"],
        ),
    ],
)
def test_a_turn(monkeypatch, game, moves, hand, line, move, asked):
    keyboard, policy = Keyboard(monkeypatch, line), seated(game)
    assert policy.at(after(game, *moves), hand) == {move: Fraction(1)}
    assert keyboard.lines == asked
    assert policy.name == "person"


def test_help_and_what_is_not_understood_come_before_the_move(monkeypatch):
    keyboard = Keyboard(monkeypatch, "?", "h", "1x1", "zz", "", "2", "2x1")
    assert seated(THREE).at(after(THREE, "1x2"), 0) == {"2x1": 1}
    said = keyboard.lines[2:]
    assert said[0].startswith("Type a move")
    assert said[2] == "Legal moves: 1x3 2x1 2x2 2x3 3x1 3x2 3x3 call"
    assert said[3] == "There are no hints at this table; 'efg-builder play' has some."
    assert said[4].startswith("'1x1' is no legal move: 1x3, 2x1")
    assert said[5].startswith("'zz' is no legal move")
    assert said[6].startswith("nothing was typed")
    assert said[7] == "that could be 2x1, 2x2 or 2x3"
    assert len(said) == 8


@pytest.mark.parametrize(
    ("seat", "payoffs", "last"),
    [(1, (Fraction(-1), Fraction(1)), "You get 1."), (0, (Fraction(-1, 2), Fraction(1, 2)), "You lose 1/2.")],
)
def test_the_end_is_told(monkeypatch, seat, payoffs, last):
    keyboard = Keyboard(monkeypatch)
    seated(THREE).on_end(Uncovered(seat, ("2", "1,3"), "1x1 2x1", "call", payoffs))
    you = ["", ""]
    you[seat] = " (you)"
    assert keyboard.lines == [
        "Player 1 1x1, Player 2 2x1 and then Player 1 call.",
        f"Uncovered: Player 1{you[0]} 2; Player 2{you[1]} 1,3.",
        last,
    ]


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_a_person_can_leave(monkeypatch, word):
    Keyboard(monkeypatch, word)
    with pytest.raises(eb.PlayerError, match=r"^person: Player 2 has left the table$"):
        seated(THREE).at(after(THREE, "1x1"), 0)


def test_the_end_of_input_is_an_error_in_one_line(monkeypatch):
    Keyboard(monkeypatch, "zz")
    with pytest.raises(eb.PlayerError, match=r"^person: Player 1 is to move, and standard input has ended$"):
        seated(THREE).at(after(THREE), 0)
    for closed in (None, open(__file__)):  # noqa: SIM115
        if closed:
            closed.close()
        monkeypatch.setattr(sys, "stdin", closed)
        with pytest.raises(eb.PlayerError, match="standard input has ended"):
            seated(THREE).at(after(THREE), 0)


def test_a_seat_is_live_for_whoever_sits_there_and_not_for_those_who_are_answered():
    table = table_for(THREE, live=True)
    with pytest.raises(eb.NotApplicableError, match="one move at a time"):
        table.respond("person")
