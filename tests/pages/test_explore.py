"""Explore in a real browser: bars are moved by mouse, finger, keyboard and script, and the page says what follows."""

import json
import re
from fractions import Fraction

import pytest
from looking import at_rest, comes, expect, probe, unreadable
from paths import DOCS

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, write_shown
from efg_builder.interop.efg.reader import parse_efg

NUMBER = "(text) => text.replace('≈', '').split('/').reduce((a, b) => a / b)"
GAP = f"(([low, high]) => high - low)(efg.state().bounds.map({NUMBER}))"
"""The gap between the bounds."""

CUT_WORDS = """() => [...document.querySelectorAll(".efg-xpart, .efg-xheads span, .efg-called")].filter((part) => {
  const words = new Range();
  words.selectNodeContents(part);
  return words.getBoundingClientRect().width > part.clientWidth + 1;
}).map((part) => part.textContent)"""
COVERED_NAMES = """() => {
  const boxes = [...document.querySelectorAll(".efg-xname")].map((name) => name.getBoundingClientRect());
  const shown = boxes.filter(({ height }) => height);
  return shown.filter((a, n) => shown.slice(n + 1).some((b) => Math.abs(a.top - b.top) < 0.9 * a.height)).length;
}"""

SCREENS = [(1280, 800), (390, 844)]

FORGETFUL = (
    'EFG 2 R "x" { "A" "B" } "" p "" 1 1 "x" { "l" "r" } 0 p "" 1 2 "z" { "l" "r" } 0 t "" 1 "" { 1 -1 } '
    't "" 2 "" { 0 0 } p "" 1 2 "z" { "l" "r" } 0 t "" 2 "" { 0 0 } t "" 1 "" { 1 -1 }'
)

BOTH_FORGET = (
    'EFG 2 R "x" { "A" "B" } "" p "" 1 1 "x" { "l" "r" } 0 p "" 1 2 "z" { "l" "r" } 0 p "" 2 1 "x" { "l" "r" } 0 '
    'p "" 2 2 "z" { "l" "r" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 } p "" 2 2 "z" { "l" "r" } 0 t "" 1 "" { 1 -1 } '
    't "" 2 "" { 0 0 } t "" 2 "" { 0 0 } p "" 1 2 "z" { "l" "r" } 0 t "" 2 "" { 0 0 } t "" 1 "" { 1 -1 }'
)


class AtOnce(eb.Game):
    """Both choose at once, with a card each; "out" only loses."""

    players = "A", "B"

    def turn(self, state):
        if not state:
            return eb.Chance("deal", [(x + y, Fraction(1, 6), (x, y)) for x in "JQK" for y in "JQK" if x != y])
        if len(state) == 2:
            return eb.Decision(0, f"{state[0]}: start", [(m, (*state, m)) for m in ("in", "raise", "out")])
        if len(state) == 3:
            return eb.Decision(1, f"{state[1]}: start", [(m, (*state, m)) for m in ("in", "out")])
        one, other, first, second = state
        stake = {"in": 2, "raise": 3}.get(first, 0)
        paid = -1 if not stake else 1 if second == "out" else stake if "JQK".index(one) > "JQK".index(other) else -stake
        return eb.End((paid, -paid))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages that open on Explore, by name."""
    folder = tmp_path_factory.mktemp("explore")

    def page(name, shown, **more):
        return eb.write_viewer(shown, folder / f"{name}.html", view="explore", **more)

    kuhn, dice = eb.build("kuhn"), eb.build(eb.game("liars-dice", sides=2))
    return {
        "kuhn": page("kuhn", eb.solve(kuhn), ranges=eb.ranges(kuhn, vertices=0)),
        "dice": page("dice", eb.solve(dice), ranges=eb.ranges(dice, vertices=0)),
        "poker": page("poker", eb.solve("dice-poker")),
        "leduc": page("leduc", eb.solve("leduc")),
        "sides": page("sides", eb.solve(eb.game("liars-dice", sides=3))),
        "unproved": page("unproved", nearly_solved(kuhn)),
        "quiche": page("quiche", eb.solve(f"{DOCS}/games/quiche.py:Quiche", "extreme")),
        "guts": page("guts", eb.solve(f"{DOCS}/games/guts.py:Guts")),
        "three": page("three", eb.solve(eb.game("liars-dice", dice="1,1,1", max_quantity=1))),
        "unsolved": page("unsolved", kuhn),
        "forgetful": page("forgetful", parse_efg(FORGETFUL)),
        "at once": page("once", eb.solve(AtOnce())),
        "both forget": page("both", parse_efg(BOTH_FORGET)),
        "many": page("many", eb.build(eb.game("liars-dice", sides=3, dice=(2, 1)))),
        "large": page("large", eb.build(eb.game("liars-dice", sides=5))),
        "only played": page("played", eb.solve(eb.game("liars-dice", sides=5))),
        "without a tree": page("sparse", eb.solve(eb.game("liars-dice", sides=2), "oracle")),
    }


def nearly_solved(tree):
    """The equilibrium of Kuhn poker, but J bets a little more often."""
    rows = dict(enumerate(eb.solve(tree).profile.probabilities))
    jack = min(tree.personal)
    rows[jack] = (rows[jack][0] - Fraction(1, 10**10), rows[jack][1] + Fraction(1, 10**10))
    return eb.TreeProfile.from_personal(tree, {k: rows[k] for k in tree.personal})


@pytest.fixture
def explore(viewer, pages):
    def opens(name, *size, **context):
        page = viewer(pages[name], *size, **context)
        page.wait_for_selector(".efg-explore > *")
        return page

    return opens


def state(page):
    return page.evaluate("efg.state()")


def bounds(page):
    return [Fraction(each) for each in state(page)["bounds"]]


def moves(page, label):
    return {
        move: each["p"] for move, each in next(s for s in state(page)["sets"] if s["label"] == label)["moves"].items()
    }


def say(page):
    return page.locator(".efg-xsay")


def preset(page, name):
    page.get_by_role("button", name=name).click()


def bar(page, label, move):
    return page.get_by_role("slider", name=f"{label}: {move}")


def drag(page, bar, start, end):
    """Drag along a bar, from one share of its width to another."""
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + start * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + end * box["width"], y, steps=5)
    page.mouse.up()
    at_rest(page)


def slide(page, label, key):
    """Move the slider of a payoff or a parameter by four steps."""
    page.get_by_label("What to change").select_option(label=label)
    page.get_by_label("Its value").focus()
    for _ in range(4):
        page.keyboard.press(key)


def test_it_opens_at_the_equilibrium_with_bounds_that_meet(explore):
    page = explore("kuhn")
    expect(page.get_by_role("button", name="Explore")).to_have_attribute("aria-pressed", "true")
    expect(say(page)).to_contain_text("The bounds meet: this is an equilibrium, and the value is −1/18.")
    expect(page.locator(".efg-xaxes")).to_have_attribute(
        "aria-label", "Player 1 is sure of −1/18Player 2 allows at most −1/18"
    )
    expect(page.locator(".efg-xrow")).to_have_count(12)
    first = page.locator(".efg-xrow").first
    expect(first).to_contain_text("= indifferent")
    expect(bar(page, "Player 1, J: start", "bet")).to_have_attribute("aria-valuetext", "check 2/3, bet 1/3")
    panel = page.locator(".efg-panel")
    expect(panel.get_by_role("heading").first).to_have_text("Why bet 1/3 with J?")
    expect(panel).to_contain_text(
        "With less than 1/3, the best response of Player 2 with Q after bet is fold; with more, it is call. "
        "At 1/3 both are equally good, and Player 1 is sure of the most. "
        "With Q, Player 2 then faces K with probability 3/4 and J with 1/4. "
        "To Player 1, check and bet with J pay the same now."
    )
    expect(page.locator(".efg-xlegend")).to_contain_text("Below a bar: what each move pays its player")
    expect(page.locator(".efg-tree")).to_be_hidden()


def test_a_drag_shows_who_can_punish_it_and_undo_takes_it_back(explore):
    page = explore("kuhn")
    jack = bar(page, "Player 1, J: start", "bet")
    drag(page, jack, 0.66, 0.34)
    assert moves(page, "J: start") == {"check": "1/3", "bet": "2/3"}
    assert bounds(page) == [Fraction(-1, 6), Fraction(-1, 18)]
    assert state(page)["regrets"] == ["0", "1/9"]
    expect(say(page)).to_have_text("Player 2 can gain 1/9: call with Q after bet.")
    expect(page.locator(".efg-panel")).to_contain_text(
        "2/3 is more than 1/3, so the best response of Player 2 with Q after bet is call, not fold. "
        "With Q, Player 2 then faces K with probability 3/5 and J with 2/5. "
        "Player 1 is now sure of only −1/6, not −1/18. "
        "While only this bar moves, check and bet with J pay the same: only the best response punishes the bar."
    )
    expect(page.locator(".efg-xloss")).to_have_text(["loses 2/5"])
    page.get_by_role("button", name="Undo").click()
    comes(page, "efg.state().bounds[0] === '-1/18'")
    page.get_by_role("button", name="Redo").click()
    comes(page, "efg.state().bounds[0] === '-1/6'")
    preset(page, "Equilibrium")
    expect(say(page)).to_contain_text("The bounds meet")


def test_a_bluff_that_is_never_made_meets_only_the_strong_hand(explore):
    """The panel said that Q folds if J never bets, but not the reason."""
    page = explore("kuhn")
    drag(page, bar(page, "Player 1, J: start", "bet"), 2 / 3, 1)
    answer = "so the best response of Player 2 with Q after bet is fold, not call. With Q, Player 2 then faces only K."
    expect(page.locator(".efg-xanswer")).to_contain_text(answer)


def test_a_hand_that_is_faced_is_named_once(explore):
    """B does not see A's move, so each hand of A comes with two moves."""
    page = explore("at once")
    preset(page, "Uniform")
    answer = page.locator(".efg-xanswer")
    for row in page.locator(".efg-xbox").first.locator(".efg-xrow > b").all():
        row.click()
        at_rest(page)
        faced = re.findall("[JQK] with", answer.inner_text())
        assert len(faced) == len(set(faced))
    expect(answer).to_contain_text("this bar loses")


def test_only_a_bar_that_loses_nothing_is_said_to_be_punished_by_the_best_response_alone(explore):
    page = explore("at once")
    bars = page.locator(".efg-xbox").first.locator(".efg-xrow")
    preset(page, "Uniform")
    for row in bars.locator("xpath=./b").all():
        row.click()
        at_rest(page)
        expect(page.locator(".efg-xanswer")).not_to_contain_text("While only this bar moves")


def test_the_curve_is_dragged_as_the_bar_is(explore):
    page = explore("kuhn")
    curve, dot = page.locator(".efg-xsvg[data-left]"), page.locator(".efg-xdot").bounding_box()
    expect(curve.locator(".efg-xoften")).to_have_text(["never bet", "always bet"])
    never, always = (word.bounding_box()["x"] for word in curve.locator(".efg-xoften").all())
    assert always < never  # the bar of bet grows to the left, too
    x, y = dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y, steps=3)
    assert Fraction(moves(page, "J: start")["bet"]) > Fraction(1, 3)
    page.mouse.move(x + 400, y, steps=3)
    page.mouse.up()
    at_rest(page)
    assert moves(page, "J: start") == {"check": "1", "bet": "0"}
    page.get_by_role("button", name="Undo").click()
    comes(page, "efg.state().bounds[0] === '-1/18'")


def test_a_finger_that_scrolls_over_a_bar_does_not_move_it(explore):
    page = explore("kuhn", (390, 844), has_touch=True)
    before, chosen = state(page)["sets"], page.locator(".efg-chosen .efg-xbar").get_attribute("aria-label")
    box = bar(page, "Player 2, Q: check", "bet").bounding_box()
    fingers, x, y = page.context.new_cdp_session(page), box["x"] + box["width"] / 2, box["y"] + 8
    for kind, steps in (("touchStart", [0]), ("touchMove", range(20, 320, 20)), ("touchEnd", [None])):
        for step in steps:
            points = [] if step is None else [{"x": x, "y": y - step}]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    comes(page, "document.querySelector('.efg-explore').scrollTop > 100")
    at_rest(page)
    assert state(page)["sets"] == before
    expect(page.locator(".efg-chosen .efg-xbar")).to_have_attribute("aria-label", chosen)


def test_a_bar_moves_by_keys_alone(explore):
    page = explore("kuhn")
    jack = bar(page, "Player 1, J: start", "bet")
    for _ in range(40):
        page.keyboard.press("Tab")
        if jack.evaluate("(e) => e === document.activeElement"):
            break
    expect(jack).to_be_focused()
    page.keyboard.press("ArrowLeft")  # the part on the right grows
    assert moves(page, "J: start")["bet"] == "5/12"
    page.keyboard.press("Shift+ArrowRight")
    assert moves(page, "J: start")["bet"] == "41/100"
    page.keyboard.press("ArrowUp")
    assert moves(page, "J: start")["bet"] == "5/12"
    page.keyboard.press("End")
    expect(jack).to_have_attribute("aria-valuenow", "100")
    page.keyboard.press("Home")
    assert moves(page, "J: start") == {"check": "1", "bet": "0"}
    expect(jack).to_be_focused()


def test_numbers_are_those_of_evaluate(explore):
    page = explore("kuhn")
    preset(page, "Uniform")
    found, right = state(page), eb.evaluate("kuhn", "uniform").matches[0]
    assert found["exact"]
    assert [Fraction(each) for each in found["payoffs"]] == list(right.value)
    assert [Fraction(each) for each in found["regrets"]] == list(right.gains)
    losses = {(loss.player, loss.infoset): loss.regret for loss in right.losses}
    known = {"1": "J", "2": "Q", "3": "K"}
    shown = {(eb.build("kuhn").players.index(each["player"]), each["label"]): each for each in found["sets"]}
    for (player, label), regret in losses.items():
        each = shown[player, known[label[0]] + label[1:]]
        assert Fraction(each["loss"]) * Fraction(each["reach"]) == regret


def test_ranges_over_all_equilibria_are_marked(explore):
    page = explore("kuhn")
    shown = page.locator(".efg-xrange:visible")
    expect(shown).to_have_count(3)  # J and K bet, Q calls
    expect(shown.first).to_have_attribute("title", "bet over all equilibria: 0 to 1/3")
    page = explore("dice")
    tree = eb.build(eb.game("liars-dice", sides=2))
    free = [k for (k, _), (low, high) in eb.ranges(tree, vertices=0).shares.items() if low < high]
    many = [k for k in free if len(tree.infosets[k].actions) > 2]
    expect(page.locator(".efg-xfree")).to_have_count(len(many))


def test_best_replies_gain_what_they_can(explore):
    page = explore("kuhn")
    for player in (0, 1):
        preset(page, "Uniform")
        gains = [Fraction(each) for each in state(page)["regrets"]]
        payoffs = [Fraction(each) for each in state(page)["payoffs"]]
        preset(page, f"Best response of Player {player + 1}")
        assert state(page)["regrets"][player] == "0"
        assert Fraction(state(page)["payoffs"][player]) == payoffs[player] + gains[player]


def test_scripts_set_bars_and_read_results(explore):
    page = explore("kuhn")
    page.evaluate("efg.set('Player 2', 'Q: bet', { call: '1/5' })")
    page.evaluate("efg.set(1, '1: start', { bet: '0.25' })")  # by number, and by the name in files
    assert moves(page, "Q: bet") == {"fold": "4/5", "call": "1/5"}
    assert moves(page, "J: start") == {"check": "3/4", "bet": "1/4"}
    page.evaluate("efg.set(1, 'J: start', { bet: '1/100000007' })")
    assert moves(page, "J: start")["bet"] == "1/100000007"
    page.evaluate("efg.set(1, 'J: start', { bet: '0.25' })")
    for wrong, said in (
        ("'Player 3', 'J: start', {bet: '1'}", "no player"),
        ("1, 'A: start', {bet: '1'}", "no information set"),
        ("1, 'J: start', {raise: '1'}", "the moves of"),
        ("1, 'J: start', {bet: '3/2'}", "from 0 to 1"),
        ("1, 'J: start', {bet: 'x'}", "from 0 to 1"),
        ("1, 'J: start', {bet: '1/2', check: '1/3'}", "with sum 1"),
    ):
        found = page.evaluate(
            f"() => {{ try {{ efg.set({wrong}); return ''; }} catch (error) {{ return error.message; }} }}"
        )
        assert said in found
    assert moves(page, "J: start")["bet"] == "1/4"


def test_the_example_of_the_guide_is_right(explore):
    page = explore("kuhn")
    block = (DOCS / "viewer.md").read_text("utf-8").partition("```js\n")[2].partition("```")[0]
    first, second = block.splitlines()
    page.evaluate(first)
    code, _, result = second.partition("; // ")
    assert page.evaluate(code) == json.loads(result)


def test_a_changed_payoff_breaks_the_equilibrium_and_learning_finds_another(explore):
    page = explore("kuhn")
    slide(page, "Player 2 takes 4", "ArrowLeft")
    expect(say(page)).to_contain_text("The payoffs are changed; Learn finds the new equilibrium.")
    expect(page.locator(".efg-caption").first).to_contain_text("Before the change of payoffs: ")
    low, high = bounds(page)
    assert low < high
    preset(page, "Learn")
    expect(say(page)).to_contain_text("The bounds meet: this is an equilibrium, and the value is −1/9.")
    assert bounds(page) == [Fraction(-1, 9)] * 2
    page.get_by_role("button", name="Reset").click()
    assert not state(page)["changed"]
    expect(page.locator(".efg-caption").first).not_to_contain_text("Before the change")
    expect(page.get_by_role("button", name="Reset")).to_be_hidden()


def test_ranges_are_of_the_equilibria_before_a_change_of_payoffs(explore):
    """The bars kept the ranges of the game before the change."""
    for name, ranges in (("kuhn", ".efg-xrange:visible"), ("dice", ".efg-xfree")):
        page = explore(name)
        before = page.locator(ranges).count()
        assert before > 0
        page.get_by_label("Its value").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(ranges)).to_have_count(0)
        page.get_by_role("button", name="Reset").click()
        expect(page.locator(ranges)).to_have_count(before)


def test_the_caption_is_of_the_solution_and_not_of_moved_bars(explore):
    """The page called strategies that somebody had moved an exact sequential equilibrium."""
    for size in SCREENS:
        page = explore("kuhn", size)
        caption = page.locator(".efg-caption").first
        solved = "Exact sequential equilibrium, value −1/18 to Player 1 · with ranges over all equilibria"
        expect(caption).to_have_text(solved)
        preset(page, "Uniform")
        expect(caption).to_have_text(f"Before the bars moved: {solved}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        preset(page, "Equilibrium")
        expect(caption).to_have_text(solved)
        preset(page, "Learn")
        expect(caption).to_have_text(f"Before the bars moved: {solved}")  # while it learns, too
        page.get_by_role("button", name="Full tree").click()
        expect(caption).to_have_text(solved)
    page = explore("unsolved")
    preset(page, "Best response of Player 1")
    expect(page.locator(".efg-caption").first).to_have_text("The tree without a solution")


def test_the_value_between_near_bounds_has_one_sign_for_about(explore):
    """After Learn, the sentence said 'the value is about ≈−0.056'."""
    page = explore("kuhn")
    page.evaluate("efg.set('Player 2', 'Q: bet', { call: '0.3334' })")  # 1/3 in every equilibrium
    expect(say(page)).to_have_text(re.compile(r"^The value is about −1/18: the bounds are only ≈0\.0000\d+ apart\.$"))
    page.evaluate("efg.set('Player 1', 'J: start', { bet: '0.33339999' })")
    expect(say(page)).to_have_text(re.compile(r"^The value is ≈−0\.056: the bounds are only ≈0\.0000\d+ apart\.$"))


def test_learning_from_an_equilibrium_begins_with_uniform_play(explore):
    page = explore("kuhn")
    preset(page, "Learn")
    expect(page.get_by_role("button", name="Learn")).to_be_visible()
    assert max(abs(bound + Fraction(1, 18)) for bound in bounds(page)) < Fraction(1, 1000)
    title = page.locator(".efg-panel .efg-h").first.inner_text()
    if title != "Why bet 1/3 with J?":  # where learning ends depends on the time it had: Kuhn has many equilibria
        assert title.endswith("with J instead of 1/3")
        expect(page.locator(".efg-panel")).to_contain_text(re.compile("This is (nearly )?another equilibrium."))


def test_the_rules_are_in_the_panel_and_stay_open(explore):
    page = explore("kuhn")
    rules = page.locator(".efg-panel details")
    expect(rules).to_contain_text(eb.game("kuhn").explain()[0])
    expect(rules.locator("p").first).to_be_hidden()
    rules.locator("summary").click()
    drag(page, bar(page, "Player 1, J: start", "bet"), 2 / 3, 1 / 4)
    expect(rules.locator("p").first).to_be_visible()
    expect(page.locator(".efg-panel")).to_contain_text("pay the same: only the best response punishes the bar.")


def test_a_parameter_of_the_game_moves_payoffs_as_the_rules_do(explore):
    page = explore("poker")
    slide(page, "bet", "ArrowRight")
    assert state(page)["changed"] == {"bet": "2"}
    preset(page, "Uniform")
    right = eb.evaluate(eb.game("dice-poker", bet=2), "uniform").matches[0]
    assert [Fraction(each) for each in state(page)["payoffs"]] == list(right.value)
    assert [Fraction(each) for each in state(page)["regrets"]] == list(right.gains)
    preset(page, "Learn")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    comes(page, f"{GAP} < 1e-3")
    page.locator(".efg-go").click()
    expect(page.get_by_role("button", name="Learn")).to_be_visible()
    low, high = bounds(page)
    assert low <= Fraction(7, 72) <= high  # the value of this game


def test_a_link_brings_back_bars_payoffs_and_the_chosen_bar(explore):
    page = explore("kuhn")
    page.evaluate("efg.set('Player 1', 'Q: check bet', { fold: '1/7' })")
    page.get_by_label("Its value").focus()
    page.keyboard.press("ArrowRight")
    before = state(page)
    page.wait_for_function("() => /bars=.*1\\/7,6\\/7.*&pay=/.test(location.hash)")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert state(page) == before
    expect(page.locator(".efg-chosen .efg-xbar")).to_have_attribute("aria-label", "Player 1, Q: check bet: call")
    page.evaluate("location.hash = 'view=explore&bars=1:2/3,2/3;999:1,0&pay=x:1'")
    page.reload()
    page.wait_for_selector(".efg-ready")
    expect(page.locator(".efg-note")).to_contain_text("do not fit this game")
    assert bounds(page) == [Fraction(-1, 18)] * 2


def test_undo_takes_back_thousands_of_bars_and_a_link_brings_them_back(explore):
    """With more than 400 moved bars, neither did."""
    page = explore("many")
    before = state(page)
    preset(page, "Best response of Player 1")
    after = state(page)
    changed = [one["moves"] != other["moves"] for one, other in zip(before["sets"], after["sets"], strict=True)]
    assert sum(changed) > 400
    page.wait_for_function("() => /bars=/.test(location.hash)")
    page.get_by_role("button", name="Undo").click()
    comes(page, f"efg.state().payoffs[0] === {json.dumps(before['payoffs'][0])}")
    page.get_by_role("button", name="Redo").click()
    page.wait_for_function("() => /bars=/.test(location.hash)")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert state(page) == after


def test_moves_of_a_bar_with_many_trade_at_an_edge_and_grow_by_their_number(explore):
    page = explore("dice")
    one = page.locator(".efg-xrow").first
    label = "⚀: start"
    page.evaluate(f"efg.set(1, '{label}', {{ '1x1': '1/2', '2x1': '1/2' }})")
    drag(page, one.locator(".efg-xbar"), 0.52, 0.25)
    assert moves(page, label) == {"1x1": "1/4", "1x2": "0", "2x1": "3/4", "2x2": "0"}
    drag(page, bar(page, f"Player 1, {label}", "2x2"), 0.5, 1.5)
    grown = moves(page, label)
    assert Fraction(grown["2x2"]) > 0
    assert sum(map(Fraction, grown.values())) == 1
    assert Fraction(grown["2x1"]) == 3 * Fraction(grown["1x1"])
    bar(page, f"Player 1, {label}", "1x2").focus()
    page.keyboard.press("End")
    assert moves(page, label) == {"1x1": "0", "1x2": "1", "2x1": "0", "2x2": "0"}
    preset(page, "Never bluff")
    assert moves(page, label)["1x2"] == "0"


def test_a_pure_bar_of_many_moves_can_be_dragged_from_its_end(explore):
    page = explore("dice")
    page.evaluate("efg.set(1, '⚀: start', { '1x1': '1' })")
    drag(page, page.locator(".efg-xrow .efg-xbar").first, 0.98, 0.5)
    assert moves(page, "⚀: start") == {"1x1": "1/2", "1x2": "1/2", "2x1": "0", "2x2": "0"}


def test_what_is_not_reached_is_gray_and_can_be_moved(explore):
    page = explore("kuhn")
    dead = page.locator(".efg-xrow.efg-xdead")
    expect(dead).to_have_count(1)
    drag(page, dead.locator(".efg-xbar"), 0.1, 0.5)
    assert moves(page, "K: check bet") == {"fold": "1/2", "call": "1/2"}
    page.evaluate("efg.set(1, 'K: start', { check: '1/2' })")
    expect(page.locator(".efg-xrow.efg-xdead")).to_have_count(0)
    assert state(page)["regrets"][0] == "1/24"


def test_the_curve_has_the_values_of_the_bar_and_of_the_solution(explore):
    """Between the points of a grid, the top of Leduc's curve read −0.089, and its value −0.086."""
    page = explore("leduc")
    expect(page.locator(".efg-xaxes .efg-xsmall")).to_have_text("value ≈−0.086")
    ends = ".efg-panel .efg-xsvg .efg-soft[text-anchor=end]:not(.efg-xoften)"
    expect(page.locator(ends)).to_have_text(["≈−1.599", "≈−0.086"])
    drag(page, page.locator(".efg-xbar").first, 0.93, 0.5)
    expect(page.locator(ends)).to_have_text(["≈−1.599", "≈−0.086"])
    page = explore("sides")
    expect(page.locator(ends)).to_have_text(["−1/3", "−1/9"])
    answer = "With less, the best response of Player 2 pays more, and Player 1 is sure of less."
    expect(page.locator(".efg-xanswer")).to_contain_text(answer)
    expect(page.locator(".efg-panel")).to_contain_text("It does not change with this bar.")


def test_only_a_proved_equilibrium_is_a_button_equilibrium(explore):
    page = explore("unproved")
    expect(say(page)).to_contain_text("this is an equilibrium up to rounding")
    expect(page.get_by_role("button", name="Solution", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Equilibrium")).to_have_count(0)


def test_the_limit_of_a_best_response_is_exact(explore):
    """It came from a grid: 1/2 and 1/18 read ≈50% and ≈5%."""
    page = explore("quiche")
    # With weak, beer pays 2, and quiche 1 and twice the probability of leave.
    expect(page.locator(".efg-xanswer")).to_contain_text("0 is less than 1/2, so the best response of Guest at weak")
    preset(page, "Uniform")
    page.locator(".efg-xbar").first.press("ArrowRight")
    page.locator(".efg-xbar").first.press("ArrowLeft")
    # With quiche, fight pays 1/10 times 1/2, and leave 9/10 times the probability of quiche with strong.
    expect(page.locator(".efg-xanswer")).to_contain_text(
        "1/2 is more than 1/18, so the best response of Bully at quiche"
    )


def test_general_sums_show_what_each_player_gains_and_each_equilibrium(explore):
    page = explore("quiche")
    # Nobody mixes, so the threat that holds the equilibrium together is explained first.
    expect(page.locator(".efg-panel .efg-h").first).to_have_text("Why never leave at quiche?")
    expect(page.locator(".efg-xanswer")).to_contain_text("so the best response of Guest at weak is beer, not quiche.")
    gains = page.locator(".efg-xgains")
    expect(gains.get_by_text("no gain from a best response")).to_have_count(2)
    expect(page.get_by_role("button", name="Equilibrium 1 of")).to_be_visible()
    names = page.locator(".efg-choose select").first.locator("option").all_text_contents()
    assert len(names) > 1
    assert names[0] == f"solution 1 of {len(names)}"
    first = state(page)["payoffs"]
    page.locator(".efg-choose select").first.select_option(index=1)
    expect(page.get_by_role("button", name="Equilibrium 2 of")).to_be_visible()
    expect(gains.get_by_text("no gain from a best response")).to_have_count(2)
    page.locator(".efg-choose select").first.select_option(index=0)
    assert state(page)["payoffs"] == first
    preset(page, "Uniform")
    expect(gains).to_contain_text("gains")
    expect(say(page)).to_contain_text("can gain")


def test_three_players(explore):
    page = explore("three")
    expect(page.locator(".efg-xgains tr")).to_have_count(3)
    preset(page, "Uniform")
    assert state(page)["bounds"] is None
    assert any(gain != "0" for gain in state(page)["regrets"])


def test_without_a_solution_it_begins_with_uniform_play(explore):
    page = explore("unsolved")
    assert set(moves(page, "J: start").values()) == {"1/2"}
    expect(page.get_by_role("button", name="Equilibrium")).to_have_count(0)
    preset(page, "Learn")
    expect(say(page)).to_have_text(re.compile("The bounds meet|The value is ≈"))
    low, high = bounds(page)
    assert low <= Fraction(-1, 18) <= high < low + Fraction(1, 1000)


def test_it_says_what_it_cannot_do(explore):
    page = explore("forgetful")
    expect(say(page)).to_have_text(
        "A forgets earlier moves or knowledge, so this tab has no best responses, bounds or Learn for A. "
        "Payoffs and reach probabilities follow the bars."
    )
    expect(page.get_by_role("button", name="Learn")).to_be_hidden()
    assert state(page)["regrets"] == [None, "0"]
    expect(page.locator(".efg-panel")).not_to_contain_text("pay the same")
    page.evaluate("efg.set('A', 'x', { l: '1' })")
    assert state(page)["payoffs"] == ["1/2", "-1/2"]
    page = explore("both forget")
    expect(say(page)).to_contain_text("A and B forget earlier moves or knowledge, so this tab has no best responses")
    assert state(page)["regrets"] == [None, None]
    page = explore("large")
    expect(page.locator(".efg-explore")).to_contain_text("Explore takes trees of up to 50,000 nodes")
    page.get_by_role("button", name="Public tree").click()
    expect(page.locator("[role=treeitem]").first).to_be_visible()


def test_a_part_of_the_tree_is_not_explored_and_says_so(explore):
    """Without the moves that are never played, Explore claimed that no player has a choice, or that bounds meet."""
    page = explore("only played")
    expect(page.locator(".efg-explore")).to_have_text(
        "This page has only the moves that are played, and best responses need all moves."
    )
    expect(page.locator(".efg-caption")).to_have_text(re.compile("only moves that are played$"))
    with pytest.raises(Exception, match="this page has only the moves that are played"):
        state(page)
    page.get_by_role("button", name="Public tree").click()
    expect(page.locator("[role=treeitem]").first).to_be_visible()
    expect(page.locator(".efg-caption")).to_have_text(re.compile("only moves that are played$"))
    page = explore("without a tree")  # a small game has all moves
    expect(say(page)).to_contain_text("The bounds meet: this is an equilibrium, and the value is 0.")
    expect(page.locator(".efg-caption")).not_to_contain_text("played")
    assert set(moves(page, "⚀: start")) == {"1x1", "1x2", "2x1", "2x2"}


def test_the_trees_are_there_as_ever_after_it(explore):
    page = explore("kuhn")
    page.get_by_role("button", name="Full tree").click()
    expect(page.locator(".efg-explore")).to_be_hidden()
    assert page.locator("[role=treeitem]").count() > 20
    page.get_by_role("button", name="Public tree").click()
    assert page.locator("[role=treeitem]").count() > 4
    page.keyboard.press("ArrowRight")
    page.go_back()
    page.go_back()
    expect(page.locator(".efg-explore")).to_be_visible()
    page.keyboard.press("v")
    expect(page.locator(".efg-tree")).to_be_visible()


def test_labels_of_files_stay_text(viewer, tmp_path):
    text = FORGETFUL.replace('"z"', '"<img src=x onerror=alert(1)>"').replace('"l"', '"<b>&amp;"')
    page = viewer(eb.write_viewer(parse_efg(text), tmp_path / "a.html", view="explore"))
    expect(page.locator(".efg-explore img, .efg-explore b b")).to_have_count(0)
    assert "<b>&amp;" in page.locator(".efg-xheads").first.inner_text()


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["kuhn", "dice", "quiche", "three"])
@pytest.mark.first(2)
@pytest.mark.slow
def test_it_is_accessible_and_fits(explore, axe, name, scheme, size):
    page = explore(name, size, color_scheme=scheme)
    assert axe(page) == []
    preset(page, "Uniform")
    at_rest(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    assert unreadable(probe(page, "painted")) == []


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("name", ["sides", "leduc", "guts"])
def test_words_in_bars_and_names_of_curves_are_whole(explore, name, size):
    """With uniform strategies, six bids with their shares were cut, and the names of two players covered each other."""
    page = explore(name, size)
    for button in ("Uniform", "Best response of"):
        assert page.evaluate(CUT_WORDS) == []
        assert page.evaluate(COVERED_NAMES) == 0
        page.get_by_role("button", name=button).first.click()
        at_rest(page)


def test_on_a_phone_a_finger_moves_bars_and_the_reason_is_a_tap_away(explore):
    page = explore("kuhn", (390, 844), has_touch=True)
    expect(page.locator(".efg-panel")).to_be_hidden()
    page.locator(".efg-handle").click()
    expect(page.locator(".efg-panel")).to_contain_text("Payoff that Player 1 is sure of")
    page.locator(".efg-handle").click()
    jack = bar(page, "Player 1, J: start", "bet")
    box = jack.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 4, box["y"] + 5)
    comes(page, "efg.state().sets[0].moves.bet.p === '3/4'")


def test_on_paper_all_bars_are_light(explore):
    page = explore("dice", color_scheme="dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    at_rest(page)
    assert page.locator(".efg-xbox .efg-xrow").count() == page.locator(".efg-xbox").count() * 2
    expect(page.get_by_role("button", name="Learn")).to_be_hidden()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.efg-viewer')).backgroundColor") == "rgb(255, 255, 255)"
    )
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(page.get_by_role("button", name="Learn")).to_be_visible()


def test_large_games_take_few_sheets_of_paper(explore):
    """Leduc hold'em took 32."""
    sheets = explore("leduc").pdf(format="A4").count(b"/Type /Page\n")
    assert 2 < sheets <= 12


@pytest.mark.slow
def test_a_large_tree_keeps_few_bars_in_the_page(viewer, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=3, dice="2,2", max_quantity=3))
    page = viewer(write_shown(tree, [Shown("u", eb.TreeProfile.uniform(tree))], tmp_path / "a.html", "explore"))
    expect(page.locator(".efg-xrow").first).to_be_visible()
    assert page.locator(".efg-xrow").count() < 200
    found = state(page)
    assert not found["exact"]
    assert found["payoffs"][0].startswith("≈")
    page.locator(".efg-explore").evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
    at_rest(page)
    assert page.locator(".efg-xrow").count() < 200
