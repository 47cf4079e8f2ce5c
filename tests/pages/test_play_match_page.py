"""Whole matches on the page, to their end: its figures against Python's, standings by the rules."""

import re
from fractions import Fraction
from functools import cache

import pytest
from looking import expect
from play_page import TOLERANCE, check, fits, infoset, play_on, records, told

from efg_builder.cli import run
from efg_builder.display.pages.play import match_part, write_play
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.matches.playing import MatchTable
from efg_builder.games.match_rules import Standing, match_rules

MATCHES = {
    "plain": ({"sides": 2, "dice": "2,2"}, None),
    "difference, winner starts": ({"sides": 3, "dice": "2,2", "loss": "difference", "next": "winner"}, None),
    "exact calls, wild": (
        {"sides": 3, "dice": "2,1", "loss": "difference", "exact": "bidder-loses-one", "wild": "highest"},
        None,
    ),
    "brackets": ({"sides": 2, "dice": "2,2"}, Fraction(1, 2)),
}


@cache
def match(name):
    settings, gap = MATCHES[name]
    return solve_match(match_rules(settings), gap=gap)


@pytest.fixture
def playing(seated, tmp_path):
    def opens(name, seat=0, **context):
        part = match_part(MatchTable(match(name), seat), "as it is")
        return seated(write_play(tmp_path / "match.html", part), **context)

    return opens


def standing(of):
    return Standing(tuple(of["dice"]), of["first"])


def to_the_end(page, choice):
    """One match; its records."""
    before = len(records(page))
    while True:
        play_on(page, choice)
        played = records(page)[before:]
        if 0 in played[-1]["after"]["dice"]:
            return played
        page.get_by_role("button", name="Next round").click()


@pytest.mark.parametrize("seat", [pytest.param(0, marks=pytest.mark.slow), 1])
@pytest.mark.parametrize("name", ["plain", *(pytest.param(n, marks=pytest.mark.slow) for n in MATCHES if n != "plain")])
def test_matches_to_their_end_have_pythons_figures(playing, name, seat):
    table = MatchTable(match(name), seat)
    page, winners, start = playing(name, seat), [], float(table.worth(table.opening))
    for k in range(3):
        at = table.opening
        played = to_the_end(page, lambda turn, k=k: -1 if turn > k else 1 + 2 * k)
        for number, each in enumerate(played, start=1):
            assert (standing(each["before"]), each["match"], each["round"]) == (at, k + 1, number)
            assert each["seat"] == table.seat(at)
            board = table.board(at)
            check(board, each)
            caller, bidder = each["events"][-1]["player"], each["events"][-2]["player"]
            quantity, face = map(int, each["events"][-2]["action"].split("x"))
            dice = [int(die) for _, hand in each["uncovered"] for die in hand.split(",")]
            there = sum(die in (face, table.rules.wild) for die in dice)
            assert {caller, bidder} == {0, 1}
            called = caller if at.first == 0 else 1 - caller
            at = table.rules.after(at, called, (quantity, face), there)
            assert standing(each["after"]) == at
            assert each["result"] == pytest.approx(float(table.worth(at)), abs=TOLERANCE)
        winners.append(table.rules.winner(at))
        won = winners[-1] == seat
        sums = {key: sum(each[key] for each in played) for key in ("luck", "price")}
        verdict = page.locator(".play-verdict").inner_text()
        if start - sums["price"] < -1 - 1e-3:
            assert "nothing is left: mistakes cost more than the chance at the start" in verdict
        assert not re.search("[\u2212-]\\d", verdict)
        assert start + sums["luck"] - sums["price"] == pytest.approx(1 if won else -1, abs=1e-8)
        ending = page.locator(".play-ending").inner_text()
        assert ending.endswith("You win the match." if won else f"Player {2 - seat} wins the match.")
        assert ending in page.locator(".play-status").text_content()
        shown = [
            Fraction(text.replace("\u2212", "-").strip("%+"))
            for text in page.locator(".play-score td").all_inner_texts()
        ]
        assert sum(shown[:3]) == shown[3] == (100 if won else 0)
        lines = [each.get_attribute("title") for each in page.locator(".play-rounds button").all()][-len(played) :]
        lucks = [re.search("luck in this round: ([+\u2212]?[0-9.]+) points", line)[1] for line in lines]
        assert sum(Fraction(luck.replace("\u2212", "-").strip("+")) for luck in lucks) == shown[2]
        assert float(shown[0]) == pytest.approx(50 * (1 + start), abs=0.0051)
        assert float(shown[1]) == pytest.approx(-50 * sums["price"], abs=0.0051)
        assert f"You have won {winners.count(seat)} of {k + 1} match" in verdict
        page.get_by_role("button", name="New match").click()
        assert page.locator(".play-standing").inner_text().startswith(f"Match {k + 2}, round 1. You have ")


def test_what_moves_are_worth_is_told_in_chances(playing):
    table = MatchTable(match("plain"), 0)
    page = playing("plain")
    state = next(
        then
        for label, _, then in table.board(table.opening).turn(None).branches
        if label.startswith(infoset(page).partition(":")[0])
    )
    values = table.board(table.opening).values(0).at(state)
    page.keyboard.press("h")
    worth = float(50 * (1 + max(values)))
    assert f"is worth {worth:.2f}% on average" in page.locator(".play-told").inner_text()
    for button, value in zip(page.locator(".play-grid button").all(), values, strict=True):
        note = button.locator(".note").inner_text()
        assert (note == "best") == (value == max(values))
        if note not in ("best", "<0.1"):
            assert told(note) == pytest.approx(float(50 * (value - max(values))), abs=0.051)
    page.keyboard.press("e")
    expect(page.locator(".play-told")).to_contain_text("The equilibrium would play", use_inner_text=True)


def test_a_bracket_is_no_equilibrium_on_the_page_either(playing):
    page = playing("brackets")
    expect(page.locator(".play-opponent")).to_have_text("Against you: strategies as it is.", use_inner_text=True)
    page.keyboard.press("e")
    expect(page.locator(".play-told")).to_contain_text("These strategies would play", use_inner_text=True)


def test_seats_change_between_matches_only(playing):
    page = playing("plain")
    page.get_by_label("Your seat").select_option("1")  # nothing has been played yet
    assert page.locator(".play-standing").inner_text().endswith("Player 1 bids first.")
    play_on(page, lambda turn: -1)
    page.get_by_role("button", name="Next round").click()
    page.get_by_label("Your seat").select_option("0")
    expect(page.locator(".play-told")).to_have_text("You change seats with the next match.", use_inner_text=True)
    to_the_end(page, lambda turn: -1)
    assert {each["human"] for each in records(page)} == {1}
    page.get_by_role("button", name="New match").click()
    assert page.locator(".play-standing").inner_text().endswith("You bid first.")
    to_the_end(page, lambda turn: -1)
    assert {each["human"] for each in records(page) if each["match"] == 2} == {0}


def test_all_rounds_are_told(playing):
    page = playing("difference, winner starts")
    played = to_the_end(page, lambda turn: 7 + turn)
    listed = page.locator(".play-rounds button").all()
    assert len(listed) == len(played)
    for button, each in zip(listed, played, strict=True):
        assert button.inner_text().startswith(f"1.{each['round']}: ")
        button.click()
        assert page.locator(".play-standing").inner_text().startswith(f"Match 1, round {each['round']}. You have ")
        chips = page.locator(".play-history li").all_inner_texts()
        assert len(page.locator(".play-history .lost").all()) == sum(step["price"] > 0 for step in each["steps"])
        assert sum(" bid" in chip for chip in chips) == sum("x" in event["action"] for event in each["events"])


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1100, "light")])
@pytest.mark.first(1)
@pytest.mark.slow
def test_it_fits_and_can_be_read(playing, serious, scheme, width):
    page = playing("plain", color_scheme=scheme, viewport={"width": width, "height": 740})
    fits(page, serious, width, lambda page: to_the_end(page, lambda turn: 5 if not turn else -1))


def test_the_command_writes_the_page(tmp_path, capsys):
    path = tmp_path / "match.html"
    words = ("play", "liars-dice", "sides=2", "dice=2,1", "--match", "--seat", "2", "-o", str(path))
    assert run(words) == 0
    assert capsys.readouterr().out == ""
    first = path.read_bytes()
    assert run(words) == 0
    assert path.read_bytes() == first
