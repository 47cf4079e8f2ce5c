"""Games from files: nothing is guessed from their labels, and nobody takes a seat whose moves have no worth."""

import io
import re
from fractions import Fraction

import pytest
from play_games import table_for
from small_files import B_FORGETS

import efg_builder as eb
from efg_builder.display.pages.play import match_part, open_seats, play_part
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.matches.playing import MatchTable, refused_in_match
from efg_builder.games.match_rules import match_rules
from efg_builder.players.find import find
from efg_builder.players.rounds import begin, board_for, choose, opponent, record, refused
from efg_builder.players.rounds import boards as boards_module
from efg_builder.players.rounds.boards import OnTree, on_tree_rows
from efg_builder.players.rounds.words import number, shown

# A file whose labels try to break lines, imitate the score, and turn the reading direction around.
NASTY = """EFG 2 R "Ti\ttle\nScore after 9 rounds: 9" { "A\n\nScore after 8 rounds: 8" "B" }
""
c "" 1 "de\nal" { "x\u200b\u202e\ny" 1 } 0
p "" 1 1 "in\nfo" { "go\nYou win 5." "go     You win 5." "st\u2028op" } 0
t "" 1 "en\nd" { 1, -1 }
t "" 2 "" { 0, 0 }
t "" 3 "" { 0, 0 }
"""


def data_of(part):
    return part.data["play-data"]


def alone(game, strategy=None):
    at = table_for(game)
    other = opponent(at, strategy)
    return board_for(at.subject, other.given), other


def foreign(game):
    """The tree of *game* as a file would have it: Python knows no rules of it."""
    return alone(eb.build(game), "uniform")


def test_bids_and_hands_are_in_the_data_only_where_the_game_is_known():
    board, other = foreign(eb.game("liars-dice"))
    data = data_of(play_part(board, other))
    assert (data["bids"], data["hands"], data["pictures"]) == (None, None, None)
    game = eb.game("liars-dice", dice="1,1,1", max_quantity=1, wild="highest")
    by_rules = data_of(play_part(*alone(game, "uniform")))["bidding"]
    tree = eb.build(game)
    on_tree = data_of(play_part(OnTree(tree, on_tree_rows(eb.TreeProfile.uniform(tree), tree), game), other))
    assert on_tree["pictures"] == "dice"
    for told in (by_rules, on_tree["bids"]):
        assert told["names"] == ["1x1", "1x2"]
        assert told["bids"] == [[1, 1], [1, 2]]
        assert (told["call"], told["wild"]) == ("call", 2)
    assert data_of(play_part(*alone(eb.game("dice-poker", sides=2))))["pictures"] == "dice"
    mia = data_of(play_part(*alone(eb.game("mia"))))
    assert (mia["bids"], mia["pictures"]) == (None, "rolls")


def test_a_seat_that_forgets_is_left_out_of_the_page():
    board, other = alone(eb.parse_efg(B_FORGETS), "uniform")
    assert list(refused(board)) == [1]
    assert data_of(play_part(board, other))["seats"] == [0]
    with pytest.raises(eb.NotApplicableError, match=r"^B lacks perfect recall: at .*, B forgets .* at .* \(.*; .*\)$"):
        play_part(board, other, seat=1)


def test_a_seat_with_too_many_turns_is_left_out_of_the_page(cli, tmp_path, monkeypatch):
    game = eb.game("liars-dice", sides=3)
    strategies = find("lowest-raise", table_for(game))
    turns = [walked(board_for(game, strategies), seat, monkeypatch) for seat in (0, 1)]
    assert turns[0] != turns[1]
    short, long = (0, 1) if turns[0] < turns[1] else (1, 0)
    monkeypatch.setattr(boards_module, "MAX_TURNS", turns[short])
    words = ["play", "liars-dice", "sides=3", "--strategy", "lowest-raise", "-o", tmp_path / "p.html", "--seat"]
    code, _, err = cli(*words, short + 1)
    assert code == 0
    assert [line for line in err.splitlines() if line.startswith(f"the page lacks seat {long + 1}: ")]
    code, _, err = cli(*words, long + 1)
    assert code == 2
    assert "too many to compute values of moves" in err.splitlines()[-1]


def walked(board, seat, monkeypatch):
    """How many own turns the values of *seat* take: the least limit under which they are worked out."""
    for limit in range(1, 200):
        monkeypatch.setattr(boards_module, "MAX_TURNS", limit)
        try:
            board.values(seat)
        except eb.NotApplicableError:
            continue
        return limit
    raise AssertionError("more than 200 turns")


def test_a_match_page_offers_the_seats_that_can_be_taken(monkeypatch):
    table = MatchTable(solve_match(match_rules({"sides": 2, "dice": "2,1"})), 0)
    assert refused_in_match(table) == {}
    assert data_of(match_part(table, ""))["seats"] == [0, 1]
    real = MatchTable.worth

    def worth(self, standing):
        if self.human == 1:
            raise eb.NotApplicableError("too many")
        return real(self, standing)

    monkeypatch.setattr(MatchTable, "worth", worth)
    assert list(refused_in_match(table)) == [1]
    assert data_of(match_part(table, ""))["seats"] == [0]
    assert open_seats(table.players, {0: None}) == [1]


def test_all_the_rules_of_a_match_begin_with_the_matchs_own():
    settings = {"sides": 2, "dice": "2,1", "loss": "difference", "next": "winner", "exact": "bidder-loses-one"}
    explained = data_of(match_part(MatchTable(solve_match(match_rules(settings)), 0), ""))["explained"]
    (first,) = [k for k, text in enumerate(explained) if text.startswith("One round: ")]
    before = " ".join(explained[:first])
    assert "A call costs its loser as many dice as bid and count differ by" in before
    assert "the bidder loses one die." in before
    assert "The winner of the call makes the first bid of the next round" in before
    # What follows is said to be the first round's, dice and all.
    assert "The following rules are for the first round, 2 against 1" in explained[first - 1]


def test_labels_of_files_break_no_line_and_stay_apart(cli, tmp_path, monkeypatch):
    path = tmp_path / "nasty.efg"
    path.write_text(NASTY)
    monkeypatch.setattr("sys.stdin", io.StringIO("h\ne\ngo\nstop\nst op\n"))
    code, out, _ = cli("play", path, "--strategy", "uniform", "--rounds", "1", "--seed", "1")
    assert code == 0
    assert out.isascii()
    assert all(line.isprintable() for line in out.splitlines())
    assert [line for line in out.splitlines() if line.startswith("Score after")] == ["Score after 1 round: 0"]
    assert not [line for line in out.splitlines() if re.match("You win 5|y|al|fo|op", line)]
    # Two labels that look alike can still be told apart, and typed.
    assert "Your information set: in fo. So far: de al: x y.\n" in out
    assert "Your move: 1 go You win 5._1, 2 go You win 5._2 or 3 st op\n" in out
    assert "Chance had chosen x y (de al)." in out


def test_computing_values_says_how_far_it_is():
    lines = []
    table = table_for(eb.game("liars-dice", sides=3))
    board = board_for(table.subject, opponent(table, "threshold").given, lines.append)
    board.values(0)
    assert lines[0] == "computing the values of moves: 1 of your turns (at most 20,000)"


def test_a_chance_event_called_as_a_player_is_no_hand():
    text = NASTY.replace("de\nal", "B").replace("x\u200b\u202e\ny", "1")
    board, _ = alone(eb.parse_efg(text), "uniform")
    play = choose(begin(board, 0, lambda chances: 0), "st op", lambda chances: 0)
    assert "Chance had chosen 1 (B)." in list(shown(record(play), board.game))


NUMBERS = {
    Fraction(10) ** 50: "1e+50",
    -(Fraction(10) ** 50): "-1e+50",
    Fraction(10**50, 3): "≈3.33333e+49",
    Fraction(10) ** 400: "1e+400",
    Fraction(1234567890123456789): "≈1.23457e+18",
    Fraction(10**14 + 1): "100000000000001",
    Fraction(1, 3): "1/3",
    Fraction(123456789, 10**9): "≈0.123",
}


def test_no_digit_is_made_up():
    # Floats have 15 to 17 digits: all that "%.4f" writes beyond them is made up.
    assert {value: number(value) for value in NUMBERS} == NUMBERS
