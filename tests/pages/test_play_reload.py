"""A reload, or a way back, goes on where one was: the round, the score, the match, and how often help was asked for."""

import pytest
from looking import expect
from play_page import against, check, infoset, moves, play_on, records

import efg_builder as eb
from efg_builder.display.pages.play import match_part, play_part, write_play
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.matches.playing import MatchTable
from efg_builder.games.match_rules import match_rules

PARTS = (".play-standing", ".play-own", ".play-others", ".play-history", ".play-closing", ".play-moves", ".play-score")
MORE = (".play-verdict", ".play-helps", ".play-rounds", ".play-tools")


@pytest.fixture(scope="module")
def three():
    """Liar's Dice by its rules."""
    return against(eb.game("liars-dice", sides=3))


@pytest.fixture(scope="module")
def mia():
    """A game that a page gets as its tree."""
    return against(eb.game("mia"))


def sight(page):
    """All that is shown of play, and what tests hold against Python."""
    shown = [page.locator(part).evaluate("(each) => each.outerHTML") for part in (*PARTS, *MORE)]
    shown = [each.replace(' class=""', "") for each in shown]  # what a class leaves that was taken away
    return shown, records(page), infoset(page), page.locator("#play-seat").input_value()


def same_after_a_reload(page):
    before = sight(page)
    assert sight(reloaded(page)) == before


def reloaded(page):
    page.reload()
    page.wait_for_selector("#play[data-records]")
    return page


@pytest.mark.parametrize("seed", [7, None])
@pytest.mark.parametrize("name", ["three", "mia"])
@pytest.mark.first(1)
def test_in_the_middle_of_a_round(request, seated, opened, tmp_path, name, seed):
    board, other = request.getfixturevalue(name)
    path = write_play(tmp_path / "play.html", play_part(board, other, board))
    page = seated(path) if seed else opened(path)
    page.wait_for_selector("#play[data-records]")
    play_on(page, lambda turn: 1)
    same_after_a_reload(page)
    assert not infoset(page)  # between two rounds
    page.select_option("#play-seat", "1")
    while True:  # up to the middle of a round, after a move and some help
        page.keyboard.press("h")
        moves(page).first.click()
        if infoset(page):
            break
        page.get_by_role("button", name="New round").click()
    page.keyboard.press("e")
    before = sight(page)
    helps = page.locator(".play-helps").inner_text()
    page.locator("#play-seat").blur()
    reloaded(page)
    after = sight(page)
    # What was told of the moves at the last turn is asked for again.
    assert after[1:] == before[1:]
    expect(page.locator(".play-helps")).to_have_text(helps, use_inner_text=True)
    assert page.locator(".play-history").inner_text()
    play_on(page, lambda turn: 0)
    for each in records(page):
        check(board, each)
    assert records(page)[-1]["steps"][0]["helped"]
    assert not records(page)[0]["steps"][0]["helped"]


@pytest.mark.slow
def test_a_reload_deals_what_would_have_come_anyway(seated, three, tmp_path):
    def events(reloads):
        page = seated(write_play(tmp_path / f"{reloads}.html", play_part(*three)), seed=5)
        for _ in range(4):
            while infoset(page):
                moves(page).first.click()
                if reloads:
                    reloaded(page)
            page.get_by_role("button", name="New round").click()
            if reloads:
                reloaded(page)
        return [each["events"] for each in records(page)]

    assert events(True) == events(False)


@pytest.mark.slow
def test_in_the_middle_of_a_match(seated, tmp_path):
    table = MatchTable(solve_match(match_rules({"sides": 2, "dice": "2,2"})), 1)
    page = seated(write_play(tmp_path / "match.html", match_part(table, "as it is")))
    lengths = []
    for _ in range(2):
        while True:
            if infoset(page):
                page.keyboard.press("h")
                assert infoset(reloaded(page))
                play_on(page, lambda turn: -1)
            same_after_a_reload(page)
            if 0 in records(page)[-1]["after"]["dice"]:
                break
            page.get_by_role("button", name="Next round").click()
        lengths.append(len(records(page)))
        page.get_by_role("button", name="New match").click()
        assert page.locator(".play-standing").inner_text().startswith(f"Match {len(lengths) + 1}, round 1.")
        same_after_a_reload(page)
    expect(page.locator(".play-verdict")).to_contain_text("of 2 matches.", use_inner_text=True)
    assert [each["match"] for each in records(page)] == [1] * lengths[0] + [2] * (lengths[1] - lengths[0])


def test_the_way_back_from_another_page(opened, three, tmp_path):
    page = opened(write_play(tmp_path / "play.html", play_part(*three)))
    page.wait_for_selector("#play[data-records]")
    play_on(page, lambda turn: 2)
    page.get_by_role("button", name="New round").click()
    before = sight(page)
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector("#play[data-records]")
    assert sight(page) == before


@pytest.mark.first(1)
def test_another_game_or_seed_begins_anew_and_so_does_who_wants_to(seated, three, mia, tmp_path):
    path = tmp_path / "play.html"
    page = seated(write_play(path, play_part(*three)))
    play_on(page, lambda turn: 2)
    assert len(records(reloaded(page))) == 1
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Start over").click()
    assert len(records(page)) == 1
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start over").click()
    assert (records(page), records(reloaded(page))) == ([], [])
    play_on(page, lambda turn: 2)
    page.evaluate("location.hash = 'seed=8'")
    assert records(reloaded(page)) == []
    play_on(page, lambda turn: 2)
    write_play(path, play_part(*mia))
    assert records(reloaded(page)) == []
    assert page.locator("h1").inner_text().startswith("Mia")


def test_without_storage_the_page_plays_on(browser, three, tmp_path):
    context = browser.new_context()
    context.add_init_script("Storage.prototype.setItem = () => { throw Error('full'); }")
    page = context.new_page()
    page.goto(write_play(tmp_path / "play.html", play_part(*three)).as_uri())
    page.wait_for_selector("#play[data-records]")
    play_on(page, lambda turn: 0)
    assert len(records(page)) == 1
    context.close()
