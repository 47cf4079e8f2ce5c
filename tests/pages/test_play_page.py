"""The page to play on in a real browser, as people use it; its figures against Python's."""

import re
from fractions import Fraction
from functools import cache

import pytest
from looking import comes, expect, moved
from play_page import against, check, fits, fraction, infoset, moves, play_on, records, told

import efg_builder as eb
from efg_builder.base.words import in_text
from efg_builder.display.pages.play import play_part, write_play
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table
from efg_builder.players.rounds import board_for
from efg_builder.players.rounds.seating import judged
from efg_builder.strategies.cut import cut
from efg_builder.strategies.sparse_profile import alike_openings, without_alike

GAMES = {
    "three sides": ("liars-dice", {"sides": 3}, None),
    "against uniform": ("liars-dice", {"sides": 3}, "uniform"),
    "four sides, two dice each": ("liars-dice", {"sides": 4, "dice": "2,2"}, None),
    "wild, points": ("liars-dice", {"sides": 3, "wild": "highest", "payoff": "points", "order": "face-quantity"}, None),
    "stakes": (
        "liars-dice-stakes",
        {"dice": "2,1", "loss": "difference", "exact": "bidder-loses-one", "lose1": "-1/3,-1", "lose2": "1/2"},
        None,
    ),
    "dice poker": ("dice-poker", {"bet": "2/3"}, None),
    "mia": ("mia", {}, None),
    "three players": ("liars-dice", {"dice": "1,1,1", "max_quantity": 1}, "uniform"),
    "three players, three sides": ("liars-dice", {"sides": 3, "dice": "1,1,1"}, None),
    "four players": ("liars-dice", {"dice": "1,1,1,2", "max_quantity": 3, "wild": 2}, "lowest-raise"),
}


@cache
def boards(name):
    """The opponent's board, the opponent, and the equilibrium's board (None: nobody to ask)."""
    word, parameters, strategy = GAMES[name]
    game = eb.game(word, **parameters)
    board, other = against(game, strategy)
    adviser = against(game)[0] if name == "against uniform" else board if strategy is None else None
    return board, other, adviser


@pytest.fixture
def playing(seated, tmp_path):
    def opens(name, seat=0, **context):
        return seated(write_play(tmp_path / "play.html", play_part(*boards(name), seat)), **context)

    return opens


QUICK = ("three sides", "mia", "three players, three sides")
EACH = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]


@pytest.mark.parametrize("name", EACH)
@pytest.mark.first(1)
def test_rounds_to_their_end_have_pythons_figures(playing, name):
    board, steps = boards(name)[0], 0
    page = playing(name)
    for seat in range(len(board.players)):
        if seat:
            page.get_by_label("Your seat").select_option(str(seat))
        for k in range(6):
            if seat == k == 0:
                pass
            elif not infoset(page):
                page.get_by_role("button", name="New round").click()
            play_on(page, lambda turn, k=k: k + 3 * turn)
    played = records(page)
    for each in played:
        check(board, each)
        steps += len(each["steps"])
    assert len(played) >= 6 * len(board.players)
    assert steps >= 6
    sums = {key: sum(each[key] for each in played) for key in ("start", "price", "luck", "result")}
    shown = [told(text) for text in page.locator(".play-score td").all_inner_texts()]
    expected = [sums["start"], -sums["price"], sums["luck"], sums["result"]]
    assert shown[0] + shown[1] + shown[2] == pytest.approx(shown[3], abs=2e-3)  # what is shown adds up
    assert shown == pytest.approx(expected, abs=6e-4)  # three decimals
    expect(page.locator(".play-score")).to_contain_text(f"Result of {len(played)} rounds", use_inner_text=True)


def test_the_score_says_what_it_is_made_of(playing):
    page, board = playing("three sides"), boards("three sides")[0]
    for k in range(8):
        play_on(page, lambda turn: 5 if not turn else -1)
        if k < 7:
            page.get_by_role("button", name="New round").click()
    start = board.values(0).start
    assert start == Fraction(-1, 9)  # the value of the game, in the README's table
    notes = page.locator(".play-score small").all_inner_texts()
    assert notes[0] == "8 rounds × −1/9"
    shown = [fraction(text) for text in page.locator(".play-score td").all_inner_texts()]
    assert shown[0] == 8 * start
    assert shown[3] == sum(shown[:3])  # in fractions, so with nothing left
    listed = page.locator(".play-rounds button")
    assert len(listed.all()) == 8
    for k, each in enumerate(records(page)):
        expect(listed.nth(k)).to_have_text(f"{k + 1}: {each['result']}".replace("-", "−"), use_inner_text=True)
        listed.nth(k).click()
        shown = [page.locator(place).inner_html() for place in (".play-own", ".play-others")]
        for html, (_, hand) in zip(shown, each["uncovered"], strict=True):
            assert f'aria-label="a die showing {hand}' in html
        # 2x3 with a one or a two: its loss is on the move.
        chip = page.locator(".play-history li").first
        assert chip.inner_text().startswith("You bid 2×3")
        assert ("−2/3" in chip.inner_text()) == (each["steps"][0]["price"] > 0)
    assert any(each["price"] for each in records(page))
    hidden = "(({ scrollHeight: all, clientHeight: shown }) => all - shown)(document.querySelector('.play-rounds'))"
    assert page.evaluate(hidden) <= 1


def test_dice_poker_says_its_stakes_and_a_seat_without_a_move_has_made_no_mistake(playing):
    assert "payoffs are 1 and \u22121." in playing("three sides").locator("p.play-rules").inner_text()
    page = playing("dice poker", seat=1)
    shown = page.locator(".play-rules").inner_text()
    assert "Each puts an ante of 1 into the pot" in shown
    assert "one with a raise and a call 5/3" in shown
    seen = set()
    for _ in range(12):
        moved = bool(infoset(page))
        play_on(page, lambda turn: 0)
        closing = page.locator(".play-closing").inner_text()
        assert ("You had no move." in closing) == (not moved)
        assert moved or "no mistake" not in closing
        if "Mistake: " in closing:
            assert re.search(
                r"Mistake: with an? \d after a raise, your fold was worth a payoff of −1; call would have been ",
                closing,
            )
            seen.add("mistake")
        seen.add(moved)
        page.get_by_role("button", name="New round").click()
    assert seen == {True, False, "mistake"}


def test_the_others_dice_are_hidden_until_the_end(playing):
    page = playing("four sides, two dice each")
    expect(page.get_by_role("img", name="a hidden die")).to_have_count(2)
    expect(page.locator(".play-own .die")).to_have_count(2)
    own = infoset(page).partition(":")[0]
    assert [f"a die showing {face}" for face in own.split(",")] == [
        each.get_attribute("aria-label") for each in page.locator(".play-own .die").all()
    ]
    play_on(page, lambda turn: -1 if turn else 0)
    expect(page.get_by_role("img", name="a hidden die")).to_have_count(0)
    (_, theirs) = records(page)[0]["uncovered"][1]
    labels = [each.get_attribute("aria-label") for each in page.locator(".play-others .die").all()]
    assert [label.removesuffix(", which counts") for label in labels] == [
        f"a die showing {face}" for face in theirs.split(",")
    ]
    ending = page.locator(".play-ending").inner_text()
    won = records(page)[0]["result"] == 1
    assert re.match(r"The bid \d×\d (holds|does not hold): (no|\d) (dice show|die shows) \d\.", ending)
    assert ending.endswith("You win 1." if won else "You lose 1.")
    # A screen reader is told the same.
    assert ending in page.locator(".play-status").text_content()


def test_only_legal_bids_can_be_made(playing):
    page = playing("three sides")
    assert page.get_by_role("button", name="Call").is_disabled()
    assert moves(page).count() == 6
    before = infoset(page)
    assert page.get_by_role("button", name="New round").is_disabled()
    page.keyboard.press("n")  # a round once begun cannot be thrown away
    assert (infoset(page), records(page)) == (before, [])
    page = playing("three sides", seat=1)
    bid = page.locator(".play-history li").last.inner_text().removeprefix("Player 1 bids ").replace("×", "x")
    names = eb.game("liars-dice", sides=3).bid_names
    legal = {each.get_attribute("data-action") for each in moves(page).all()}
    assert legal == {*names[names.index(bid) + 1 :], "call"}
    expect(page.get_by_role("status").first).to_contain_text(
        f"Player 1 bids {bid.replace('x', '×')}.", use_inner_text=True
    )


def test_a_hint_says_what_each_move_costs(playing):
    page, board = playing("three sides"), boards("three sides")[0]
    page.get_by_role("button", name="Hint").click()
    values = at_the_start(board, infoset(page))
    best = max(values.values())
    for button in moves(page).all():
        value = values[button.get_attribute("data-action")]
        note = button.locator(".note").inner_text()
        assert note == "best" if value == best else fraction(note) == value - best
        worth = button.get_attribute("title").removeprefix("best: ").removeprefix("worth ").partition(",")[0]
        assert fraction(worth) == value
    good = [action.replace("x", "×") for action, value in values.items() if value == best]
    expect(page.locator(".play-told")).to_have_text(
        f"Against this opponent, {', '.join(good[:-1])} or {good[-1]} is worth {best} on average; "
        "under each other move is its loss.".replace("-", "−"),
        use_inner_text=True,
    )
    expect(page.locator(".play-helps")).to_contain_text("You asked for help at 1 move.", use_inner_text=True)


def at_the_start(board, label):
    """The values of the first player's moves with that hand."""
    for _, _, state in board.turn(board.root()).branches:
        turn = board.turn(state)
        if turn.infoset == label:
            return dict(zip((action for action, _ in turn.actions), board.values(0).at(state), strict=True))
    raise AssertionError(label)


def test_what_the_equilibrium_would_do_is_asked_of_the_equilibrium(playing):
    # Also where somebody else plays: here against uniform play.
    page, adviser = playing("against uniform"), boards("against uniform")[2]
    page.get_by_role("button", name="What would the equilibrium do?").click()
    for _, _, state in adviser.turn(adviser.root()).branches:
        turn = adviser.turn(state)
        if turn.infoset == infoset(page):
            chances = dict(zip((action for action, _ in turn.actions), adviser.behavior(state, turn), strict=True))
    shown = {each.get_attribute("data-action"): each.locator(".note").inner_text() for each in moves(page).all()}
    texts = in_text(list(chances.values()))
    assert shown == dict(zip(chances, texts, strict=True))
    expect(page.locator(".play-told")).to_contain_text("The equilibrium would play", use_inner_text=True)
    page = playing("three players")
    expect(page.get_by_role("button", name="What would the equilibrium do?")).to_be_hidden()


@pytest.mark.slow
def test_equal_seeds_deal_alike_and_others_do_not(playing):
    def rounds(seed):
        page = playing("three sides", seed=seed)
        for _ in range(8):
            play_on(page, lambda turn: 0)
            page.get_by_role("button", name="New round").click()
        return [each["events"] for each in records(page)]

    assert rounds(5) == rounds(5) != rounds(6)


def test_a_round_by_keyboard_alone(playing):
    page = playing("three sides")
    for _ in range(30):
        moved(page, "Tab")
        if page.evaluate("document.activeElement.dataset.action") == "1x1":
            break
    page.keyboard.press("ArrowRight")
    comes(page, "document.activeElement.dataset.action === '1x2'")
    page.keyboard.press("ArrowDown")
    comes(page, "document.activeElement.dataset.action === '2x2'")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("h")
    expect(page.locator(".play-told")).to_contain_text("Against this opponent, ", use_inner_text=True)
    page.keyboard.press("e")
    expect(page.locator(".play-told")).to_contain_text("The equilibrium would play", use_inner_text=True)
    page.keyboard.press("Enter")
    expect(page.locator(".play-history li").first).to_have_text("You bid 1×1", use_inner_text=True)
    while infoset(page):
        page.keyboard.press("c")
    # The focus goes where one goes on.
    comes(page, "document.activeElement.textContent.startsWith('New round')")
    page.keyboard.press("Enter")
    assert infoset(page)
    assert len(records(page)) == 1


LOOKS = [
    ("four sides, two dice each", (320, 740), "dark"),
    ("mia", (390, 664), "light"),
    ("dice poker", (1280, 720), "dark"),
    ("three sides", (390, 664), "light"),
    ("four sides, two dice each", (390, 664), "light"),
    ("four sides, two dice each", (1280, 720), "light"),
    ("mia", (1280, 720), "dark"),
    ("dice poker", (375, 740), "dark"),
]


@pytest.mark.parametrize(("name", "size", "scheme"), LOOKS)
@pytest.mark.first(3)
def test_it_fits_and_can_be_read(playing, serious, name, size, scheme):
    (width, height), ground = size, "getComputedStyle(document.querySelector('.play')).backgroundColor"
    page = playing(name, viewport={"width": width, "height": height}, color_scheme=scheme)
    brightness = sum(map(int, page.evaluate(ground).removeprefix("rgb(").removesuffix(")").split(",")))
    assert (brightness < 3 * 60) if scheme == "dark" else (brightness > 3 * 200)
    if width >= 390:  # the tools are within the first screen
        for _ in range(2):
            box = page.locator(".play-tools").bounding_box()
            assert box["y"] + box["height"] <= height
            page.keyboard.press("h")
            page.evaluate("scrollTo(0, 0)")
    if width < 760:
        page.locator("details.play-rules summary").click()
        assert page.locator("details.play-rules").inner_text().count("\n") > 2
    fits(page, serious, width, lambda page: play_on(page, lambda turn: 5 if not turn else -1))


def test_strategies_that_were_cut_are_played_and_asked_on_a_phone_and_called_no_equilibrium(seated, tmp_path):
    """The page's figures are those of what is left, in both seats."""
    game = eb.game("liars-dice", sides=5, dice=(2, 2))
    found = eb.solve(game, options={"master": "regret"}, gap=Fraction(1, 10)).sparse
    at, once = Table(Subject(found.game), 60.0, lambda line: None), without_alike(found, alike_openings(found))
    left = cut(found, sum(once.sizes) // 2)
    # Low bids were left out in the search: their answers stand in the page once.
    assert alike_openings(left)
    board, other = board_for(at.subject, left), judged("found, cut", left, at)
    page = seated(
        write_play(tmp_path / "p.html", play_part(board, other, board)), viewport={"width": 390, "height": 844}
    )
    expect(page.locator(".play-opponent")).to_contain_text("found, cut (proved: you get at most ", use_inner_text=True)
    assert not page.get_by_role("button", name="What would the equilibrium do?").count()
    page.get_by_role("button", name="What would these strategies do?").click()
    expect(page.locator(".play-told")).to_contain_text("These strategies would play ", use_inner_text=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for seat in (0, 1):
        page.get_by_label("Your seat").select_option(str(seat))
        for k in range(3):
            if not infoset(page):
                page.get_by_role("button", name="New round").click()
            play_on(page, lambda turn, k=k: k + 3 * turn)
    for each in records(page):
        check(board, each)
