"""The review of a round: losses on moves, the board as it was, beliefs and expected payoffs, against Python's."""

import re
from collections import defaultdict
from fractions import Fraction
from functools import cache

import pytest
from looking import expect, moved
from play_page import TOLERANCE, against, fraction, infoset, moves, play_on, records, replayed, told
from small_files import B_FORGETS

import efg_builder as eb
from efg_builder.display.pages.play import play_part, write_play
from efg_builder.forms.hand_names import printed_tree
from efg_builder.proof.reach import beliefs, reaches
from efg_builder.strategies.policy import Policy
from efg_builder.strategies.tree_profile import TreeProfile

GAMES = {
    "kuhn": ("kuhn", {}),
    "three sides": ("liars-dice", {"sides": 3}),
    "leduc": ("leduc", {}),
    "mia": ("mia", {}),
    "dice poker": ("dice-poker", {}),
}


@cache
def boards(name):
    """The board, the opponent, and the equilibrium on the tree with the hands as they are printed."""
    word, parameters = GAMES[name]
    game = eb.game(word, **parameters)
    board, other = against(game)
    tree = eb.build(game)
    rows = board.rows
    profile = Policy(rows, game=game).on(tree) if callable(rows) else TreeProfile(tree, tuple(rows))
    return board, other, profile


@pytest.fixture
def playing(seated, tmp_path):
    def opens(name, seat=0, **context):
        board, other, _ = boards(name)
        context = {"viewport": {"width": 1280, "height": 800}} | context
        return seated(write_play(tmp_path / "play.html", play_part(board, other, board, seat)), **context)

    return opens


def several_rounds(page, count=6):
    """Rounds to their end with different moves; their records."""
    for k in range(count):
        if not infoset(page):
            page.get_by_role("button", name="New round").click()
        play_on(page, lambda turn, k=k: k + 3 * turn)
    return records(page)


def chips(page):
    """The buttons of the moves, without the end."""
    return page.locator(".play-history li:not(.end) button").all()


def moves_of(each):
    return [(k, event) for k, event in enumerate(each["events"]) if event["player"] >= 0]


@pytest.mark.parametrize("name", ["kuhn", "three sides", pytest.param("leduc", marks=pytest.mark.slow)])
def test_each_move_has_its_loss_and_shows_the_board_as_it_was(playing, name):
    page, board, lost = playing(name), boards(name)[0], 0
    for index, each in enumerate(several_rounds(page)):
        page.locator(".play-rounds button").nth(index).click()
        found, _, _ = replayed(board, each["seat"], each["events"])
        turns = iter(found)
        for chip, (_, event) in zip(chips(page), moves_of(each), strict=True):
            chip.click()
            expect(page.locator(".play-history [aria-current]")).to_have_text(chip.inner_text(), use_inner_text=True)
            assert moves(page).count() == 0  # nothing can be moved now
            made = page.locator("button.move.made")
            assert made.get_attribute("data-action") == event["action"]
            notes = {
                each.get_attribute("data-action"): (each.locator(".note").inner_text(), each.get_attribute("title"))
                for each in page.locator("button.move:not([data-kind=''])").all()
            }
            if event["player"] != each["seat"]:
                assert sum(told_share(note) for note, _ in notes.values()) == pytest.approx(1, abs=0.02)
                continue
            _, actions, values = next(turns)
            best, exact = max(values), all(value.denominator <= 24 for value in values)
            assert list(notes) == actions
            for value, (note, title) in zip(values, notes.values(), strict=True):
                assert (note == "best") == (value == best)
                if note != "best":
                    assert number(note, exact) == pytest.approx(value - best, abs=0 if exact else 6e-4)
                worth = re.search(r"worth ([^,]+)", title)[1]
                assert number(worth, exact) == pytest.approx(value, abs=0 if exact else 6e-4)
            price = best - values[actions.index(event["action"])]
            lost += price > 0
            assert chip.locator("b").count() == (price > 0)
            if price:
                shown = chip.locator("b").inner_text()
                assert number(shown, "/" in shown) == pytest.approx(-price, abs=6e-4)
                assert "loss" in page.locator(".play-status").inner_text()
            else:
                expect(page.locator(".play-status")).to_contain_text("a best move, worth", use_inner_text=True)
    assert lost > 1
    page.get_by_role("button", name="New round").click()  # one click on from any step
    assert infoset(page)


def number(text, exact):
    return fraction(text.strip()) if exact else told(text.strip())


def told_share(text):
    found = text.removeprefix("≈")
    if found.endswith("%"):
        return float(found.strip("<>%")) / 100
    return float(Fraction(found))


def bars(page):
    """The bars by hand, as probabilities."""
    found = {}
    for row in page.locator(".play-bars li").all():
        dice = row.locator(".die").evaluate_all("(all) => all.map((die) => die.getAttribute('aria-label').slice(-1))")
        found[",".join(dice) or row.locator(".of").inner_text()] = told_share(row.locator(".share").inner_text())
    return found


def hand_of(tree, node, seat):
    """The hand or last roll in the name of the last own information set, or of the next one; None before a roll."""
    at = node
    while at >= 0 and tree.player[at] != seat:
        at = int(tree.parent[at])
    if at < 0:
        at = node
        while tree.player[at] >= 0 and tree.player[at] != seat:
            at = next(iter(tree.children(at)))
    label = tree.names[int(tree.infoset[at])] if tree.player[at] == seat else ""
    rolls = re.findall(r"\((\d)(\d)\)", label)
    return label.rpartition(": ")[0] or (",".join(rolls[-1]) if rolls else None)


def believed(profile, node, seat):
    """The mover's beliefs at *node* about the hand of *seat*; None if the information set is unreached."""
    tree, found = profile.tree, defaultdict(Fraction)
    for other, share in enumerate(beliefs(tree, reaches(tree, profile))):
        if tree.infoset[other] == tree.infoset[node]:
            if share is None:
                return None
            found[hand_of(tree, other, seat)] += share
    return found


@pytest.mark.parametrize("name", ["kuhn", "three sides", "mia", pytest.param("leduc", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_bars_are_the_beliefs_at_the_others_information_sets(playing, name, seat):
    page, solved, seen = playing(name, seat), boards(name)[2], set()
    profile = TreeProfile(printed_tree(solved.tree), solved.probabilities)
    for index, each in enumerate(several_rounds(page, 8)):
        page.locator(".play-rounds button").nth(index).click()
        way = [0]
        for step in each["path"]:
            way.append(list(profile.tree.children(way[-1]))[step])
        for chip, (k, event) in zip(chips(page), moves_of(each), strict=True):
            if event["player"] == seat:
                continue
            chip.click()
            shown, expected = page.locator(".play-believed"), believed(profile, way[k], seat)
            if expected is None:
                expect(shown).to_contain_text("Off the equilibrium path: ", use_inner_text=True)
                assert all(not share.inner_text() for share in shown.locator(".share").all())
                seen.add("off the path")
            elif None in expected:  # nothing is rolled yet
                expect(shown).to_be_hidden()
            else:
                found = {hand: p for hand, p in bars(page).items() if p}
                assert found == pytest.approx({hand: float(p) for hand, p in expected.items() if p}, abs=6e-3)
                seen.add("on the path")
    assert "on the path" in seen or (name, seat) == ("mia", 1)


def test_bayes_rule_by_hand(playing):
    """On the rules of Liar's Dice, without a tree: chances of the hands times those of the moves."""
    page, (board, _, _) = playing("three sides"), boards("three sides")
    action = moves(page).first.get_attribute("data-action")
    before = {str(face): Fraction(1, 3) for face in (1, 2, 3)}
    assert page.locator(".play-bars .share").all_inner_texts() == [""] * 3  # nothing is told unasked
    page.keyboard.press("h")
    assert bars(page) == pytest.approx({hand: float(p) for hand, p in before.items()})
    moves(page).first.click()
    weights = {}
    for _, p, state in board.turn(board.root()).branches:
        turn = board.turn(state)
        made = dict(zip((action for action, _ in turn.actions), board.behavior(state, turn), strict=True))
        hand = turn.infoset.partition(":")[0]
        weights[hand] = weights.get(hand, 0) + p * made[action]
    if infoset(page):
        page.keyboard.press("h")
    total = sum(weights.values())
    assert bars(page) == pytest.approx({hand: float(p / total) for hand, p in weights.items()}, abs=6e-3)


def test_off_the_path_bayes_rule_says_nothing(playing):
    page, (board, _, _) = playing("three sides"), boards("three sides")
    openings = defaultdict(Fraction)
    for _, p, state in board.turn(board.root()).branches:
        turn = board.turn(state)
        for (action, _), chance in zip(turn.actions, board.behavior(state, turn), strict=True):
            openings[action] += p * chance
    never = next(action for action, chance in openings.items() if not chance)
    page.locator(f'button[data-action="{never}"]').click()
    if infoset(page):
        page.keyboard.press("h")
    shown = never.replace("x", "×")
    expect(page.locator(".play-believed p")).to_have_text(
        f"Off the equilibrium path: the equilibrium would not make the move “{shown}” here with any hand. "
        "So Bayes’ rule says nothing about your hand.",
        use_inner_text=True,
    )


@pytest.mark.parametrize("name", ["kuhn", "three sides", "mia"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_line_goes_from_best_play_to_the_payoff(playing, name, seat):
    page, board = playing(name, seat), boards(name)[0]
    for index, each in enumerate(several_rounds(page)):
        page.locator(".play-rounds button").nth(index).click()
        found, payoffs, _ = replayed(board, seat, each["events"])
        expected, own = [board.values(seat).start], 0
        for event, after in zip(each["events"], [*each["events"][1:], None], strict=True):
            if event["player"] == seat:
                _, actions, values = found[own]
                expected.append(values[actions.index(event["action"])])
                own += 1
            elif after and after["player"] == seat:
                expected.append(max(found[own][2]))
        expected.append(payoffs[seat])
        label = page.locator(".play-course svg").get_attribute("aria-label")
        line = [told(number.rpartition(" ")[2]) for number in label.partition(": ")[2].split(", ")]
        assert line == pytest.approx([float(value) for value in expected], abs=6e-4)
        assert line[-1] == pytest.approx(each["result"], abs=TOLERANCE)
        ticks = page.locator(".play-course text:not(.number)").all_text_contents()
        assert (ticks[0], ticks[-1]) == ("start", "end")
        assert len(page.locator(".play-course path.lost").all()) == sum(step["price"] > 0 for step in each["steps"])


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("name", ["three sides", "kuhn"])
def test_nothing_is_covered_and_nothing_jumps(playing, serious, name, width, height):
    page = playing(name, viewport={"width": width, "height": height})
    tops = {}

    def places(when):
        assert page.evaluate("document.documentElement.scrollWidth") <= width, when
        box = page.locator(".play-tools").bounding_box()
        assert box["y"] + box["height"] <= height, when
        tops[when] = page.locator(".play-moves").bounding_box()["y"] if width > 760 else None

    places("start")
    page.keyboard.press("h")
    places("hint")
    assert tops["start"] == tops["hint"]
    told_box = page.locator(".play-told").bounding_box()
    assert told_box["y"] + told_box["height"] <= page.locator(".play-tools").bounding_box()["y"]
    play_on(page, lambda turn: 0)
    page.evaluate("scrollTo(0, 0)")
    heights = set()
    for _ in range(4):
        heights.add(
            (page.locator(".play-stage").bounding_box()["height"], page.locator(".play-course").bounding_box()["y"])
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("ArrowLeft")
        assert serious(page) == []
    assert len(heights) == 1


def test_by_keyboard_through_a_round_and_back_to_the_one_in_play(playing):
    page = playing("three sides")
    play_on(page, lambda turn: 0)
    steps = len(chips(page))
    for k in reversed(range(steps)):
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".play-history li").nth(k).locator("button")).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowLeft")  # there is nothing before the first move
    assert page.locator(".play-history li").first.locator("[aria-current]").count() == 1
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".play-history .end [aria-current]")).to_have_count(1)
    page.keyboard.press("n")
    before = infoset(page)
    page.locator(".play-rounds button").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Back to your round")).to_be_enabled()
    assert page.locator(".play-standing").inner_text() == "Round 1."
    page.keyboard.press("h")  # no help and no move in review
    page.keyboard.press("c")
    assert (infoset(page), page.locator(".play-told").inner_text(), len(records(page))) == (before, "", 1)
    page.keyboard.press("n")
    assert moves(page).count()
    assert infoset(page) == before
    moved(page, "Tab")


def test_without_an_equilibrium_or_public_moves_no_belief_is_claimed(seated, tmp_path):
    board, other = against(eb.game("kuhn"), "uniform")
    page = seated(write_play(tmp_path / "uniform.html", play_part(board, other)))
    play_on(page, lambda turn: 0)
    expect(page.locator(".play-believed")).to_be_hidden()
    expect(page.locator(".play-course svg")).to_be_visible()
    (tmp_path / "forgets.efg").write_text(B_FORGETS)
    board, other = against(eb.read_efg(tmp_path / "forgets.efg"), "uniform")
    page = seated(write_play(tmp_path / "forgets.html", play_part(board, other, board)))
    play_on(page, lambda turn: 0)
    expect(page.locator(".play-believed")).to_be_hidden()
    chips(page)[0].click()
    assert page.locator("button.move.made").count() == 1


def test_before_a_hint_the_bars_do_not_tell_the_strategy(seated, tmp_path):
    """At most ten hands are shown. Without a hint, their choice must not depend on the strategy."""
    game = eb.game("liars-dice", sides=5, dice=(2, 1))
    board, other = against(game)
    page = seated(write_play(tmp_path / "many.html", play_part(board, other, board)))

    def hands():
        return page.locator(".play-bars .of").evaluate_all("(all) => all.map((each) => each.innerHTML)")

    before = hands()
    assert len(before) == 10
    while infoset(page):
        assert hands() == before
        moves(page).first.click()
    assert len(hands()) == 10
    expect(page.locator(".play-believed p")).to_contain_text(re.compile("The other 5 hands: |Off the equilibrium path"))
