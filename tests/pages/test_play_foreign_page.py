"""Games from files on the page: plain words, no verdict on what only looks like a bid, no seat that cannot be taken."""

import pytest
from looking import expect
from play_page import against, check, fits, infoset, play_on, records
from small_files import B_FORGETS

import catalogue
import efg_builder as eb
from efg_builder.display.pages.play import play_part, write_play

# Labels that look like bids, a call, dice, and a roll of Mia; a chance event called as a player is.
LOOKALIKE = """EFG 2 R "Lookalike" { "A" "B" }
""
c "" 1 "B" { "1,2" 1 } 0
p "" 1 1 "(21)" { "2x2" "3x1" } 0
p "" 2 1 "b" { "call" "no" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { 1000000000000000000000000000000000000000000000000001/3, 0 }
t "" 3 "" { 12345678901234567890, 0 }
"""


@pytest.fixture
def playing(seated, tmp_path):
    def opens(game, strategy="uniform"):
        board, other = against(game, strategy)
        return seated(write_play(tmp_path / "play.html", play_part(board, other))), board

    return opens


@pytest.fixture
def file(tmp_path):
    def read(text):
        (tmp_path / "game.efg").write_text(text)
        return eb.read_efg(tmp_path / "game.efg")

    return read


def test_liars_dice_from_a_file_has_no_verdict_on_its_bids(playing, tmp_path):
    eb.build(eb.game("liars-dice")).write(tmp_path / "ld.efg")
    page, board = playing(eb.read_efg(tmp_path / "ld.efg"))
    expect(page.locator(".play-grid")).to_have_count(0)
    for k in range(6):
        play_on(page, lambda turn, k=k: k + turn)
        text = page.locator(".play-closing").inner_text() + page.locator(".play-status").text_content()
        assert "hold" not in text
        assert "dice show" not in text
        last = records(page)[-1]
        check(board, last)
        assert f"Uncovered: deal: {last['uncovered'][0][1]}." in text
        moves = [event for event in last["events"] if event["player"] >= 0]
        assert page.locator(".play-history li:not(.chance) span").all_inner_texts() == [
            *(f"{'You' if event['player'] == 0 else 'Player 2'}: {event['action']}" for event in moves),
            "End",
        ]
        page.get_by_role("button", name="New round").click()


def test_no_label_is_taken_for_a_bid_dice_or_a_hand(playing, file):
    page, _ = playing(file(LOOKALIKE))
    expect(page.locator(".die")).to_have_count(0)
    assert page.locator("button.move").all_inner_texts() == ["2x2", "3x1"]
    page.keyboard.press("h")
    assert "2x2" in page.locator(".play-told").inner_text() or "3x1" in page.locator(".play-told").inner_text()
    page.keyboard.press("c")
    assert infoset(page) == "(21)"
    play_on(page, lambda turn: 1)
    expect(page.locator(".die")).to_have_count(0)
    expect(page.locator(".play-others")).to_have_text("", use_inner_text=True)
    closing = page.locator(".play-closing").inner_text()
    assert "You win ≈1.23457e+19." in closing
    assert "Uncovered: B: 1,2." in closing


def test_the_seats_offered_are_those_that_can_be_taken(playing, file):
    page, _ = playing(file(B_FORGETS))
    assert page.locator("#play-seat option").all_inner_texts() == ["A (moves first)"]
    page, _ = playing(eb.game("liars-dice", sides=3), None)
    assert page.locator("#play-seat option").all_inner_texts() == ["Player 1 (moves first)", "Player 2"]


AXE = (
    "journals/ijgt/selten1975/fig1",
    "books/shohamleytonbrown2008/fig5_9",
    "books/watson2013/fig29_1",
    "journals/geb/bagwell1995",
    "books/myerson1991/fig2_1",
)
PATHS = dict(catalogue.games())


@pytest.mark.skipif(not PATHS, reason="the installed pygambit has no catalogue")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", AXE)
@pytest.mark.first(3)
@pytest.mark.slow
def test_axe_finds_nothing(seated, axe, tmp_path, name, scheme):
    tree = eb.read_efg(PATHS[name])
    board, other = against(tree, "uniform")
    path = write_play(tmp_path / "play.html", play_part(board, other, board))
    for width, height in ((390, 844), (1280, 720)):
        page = seated(path, viewport={"width": width, "height": height}, color_scheme=scheme)
        fits(page, axe, width, lambda page: play_on(page, lambda turn: -1))
