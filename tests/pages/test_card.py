"""The card: its moves are the strategy's moves, its page fits on paper, and its refusals."""

import re
from fractions import Fraction
from pathlib import Path

import brute
import pytest

import efg_builder as eb
from efg_builder.base.errors import NotApplicableError, ParameterError
from efg_builder.cli import run
from efg_builder.display.pages import card
from efg_builder.equilibria.bids import first_replies
from efg_builder.games.protocol import PublicDecision
from efg_builder.strategies.tree_profile import dealt

SETTINGS = [{"sides": 2}, {"sides": 3}, {"sides": 2, "dice": (2, 1)}, {"sides": 2, "dice": (1, 2)}]


def averaged(tree, rows, weights):
    """The moves by player, hand and last bid, with nodes weighted by *weights*, and the keys whose moves vary."""
    found, varied = {}, {}
    for key, weight, row in brute.after_last_bids(tree, rows, weights):
        sums = found.setdefault(key, {})
        for action, p in row.items():
            sums[action] = sums.get(action, 0) + weight * p
        played = {a: p for a, p in row.items() if p}
        varied.setdefault(key, set()).add(tuple(sorted(played.items())))
    moves = {key: {a: p / sum(sums.values()) for a, p in sums.items() if p} for key, sums in found.items()}
    return moves, {key for key, each in varied.items() if len(each) > 1}


def own_reach(tree, rows, node, player):
    """The probability of the player's own moves on the way to *node*."""
    p = Fraction(1)
    while node:
        above = int(tree.parent[node])
        p *= rows[int(tree.infoset[above])][int(tree.action[node])] if tree.player[above] == player else 1
        node = above
    return p


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("sparse", [False, True])
def test_each_answer_is_the_average_of_the_strategy(settings, sparse):
    game = eb.game("liars-dice", **settings)
    tree = eb.build(game)
    profile = brute.random_profile(tree, 7)
    rows = brute.rows(profile)
    reach = brute.reaches(tree, rows)
    on_path, varied = averaged(tree, rows, lambda node: reach[node])
    # Off the path: the other player's first bid, after the player's own opening, if there is one.
    history = {k: tree.infosets[k].label.partition(": ")[2].split() for k in tree.personal}

    def first(node):
        k, player = int(tree.infoset[node]), int(tree.player[node])
        bids = history[k]
        direct = bids != ["start"] and len(bids) == (2 if player == 0 else 1)
        return own_reach(tree, rows, node, player) if direct else 0

    off_path, _ = averaged(tree, rows, first)
    right = {key: (moves, True) for key, moves in on_path.items()}
    right |= {key: (moves, False) for key, moves in off_path.items() if key not in right}
    shown, found = dealt(profile, game).sparse() if sparse else profile, {}
    firsts = first_replies(shown, game)
    assert off_path == {
        (player, game.hands[player][hand], bid): moves
        for (player, bid), by_hand in firsts.items()
        for hand, moves in by_hand.items()
    }
    order = {name: place for place, name in enumerate((*game.bid_names, "call"))}
    for player in range(2):
        for (bid, hand), answer in card.answers(shown, game, player).items():
            found[player, game.hands[player][hand], bid] = answer
    assert set(found) == set(right)
    for key, (moves, reached) in right.items():
        answer = found[key]
        assert (answer.reached, answer.varied) == (reached, reached and key in varied), key
        assert answer.moves == card.in_percent(moves, order, card.MOST_MOVES), key
        assert sum(share for _, share in answer.moves) == 100
        first_move, rest = answer.moves[0], answer.moves[1:]
        assert all(abs(share - 100 * moves[move]) <= 0.5 for move, share in rest)
        assert first_move[1] >= 100 * moves[first_move[0]] - 2.5


def test_rare_moves_go_to_the_most_frequent_one():
    moves = {"1x1": Fraction(4, 100), "1x2": Fraction(50, 100), "2x1": Fraction(30, 100), "call": Fraction(16, 100)}
    order = {"1x1": 0, "1x2": 1, "2x1": 2, "call": 3}
    assert card.in_percent(moves, order, 5) == (("1x2", 54), ("2x1", 30), ("call", 16))
    assert card.in_percent(moves, order, 2) == (("1x2", 70), ("2x1", 30))


def test_a_bid_without_a_column_is_called_with_every_hand():
    solution = eb.read_solution(certificate("2v2-6"), eb.game("liars-dice", sides=6, dice=(2, 2)))
    game = solution.game
    for player, seat in enumerate(card.card(solution.strategy)):
        columns = {column.bid for column in seat.columns}
        given = card.answers(solution.strategy, game, player)
        assert {answer.moves for (bid, _), answer in given.items() if bid not in columns} == {(("call", 100),)}
        assert [name for names, _ in seat.rows for name in names] == list(game.hand_names[player])


def test_hands_that_play_alike_are_in_one_row():
    """Known by hand: with one six-sided die each, Player 1 opens 1x1 with 1 to 3, and raises 1x3 only with 3."""
    solution = eb.read_solution(certificate("1v1-6"), eb.game("liars-dice", sides=6))
    first, _ = card.card(solution.strategy)
    assert [names for names, _ in first.rows] == [("⚀", "⚁"), ("⚂",), ("⚃",), ("⚄",), ("⚅",)]
    assert [row[0].moves for _, row in first.rows] == [((bid, 100),) for bid in ("1x1", "1x1", "1x4", "1x5", "1x6")]
    assert [column.bid for column in first.columns] == ["", "1x2", "1x3"]


def certificate(name):
    return Path(__file__).parents[2] / "docs" / "certificates" / f"{name}.json.gz"


def test_the_card_of_a_game_of_your_own(tmp_path):
    class Higher(eb.BiddingGame):
        players = "Alice", "Bob"
        hands = (("1", "2", "3"),) * 2
        deals = tuple(eb.Deal(Fraction(1, 9), (a, b)) for a in range(3) for b in range(3))
        bid_names = "1", "2", "3"

        def settle(self, key, deal):
            bid, caller = key
            gain = -1 if max(deal.hands) >= bid else 1
            return eb.End((gain, -gain) if caller == 0 else (-gain, gain))

    solution = eb.solve(Higher(), "oracle")
    page = eb.draw(solution, tmp_path / "card.html", view="card")
    assert re.findall("<h1>(.*): (.*)</h1>", page.read_text())[1][1] == "Bob"
    turn = Higher().public_turn(Higher().public_root())
    assert isinstance(turn, PublicDecision)
    opening = {hand: dict(card.answers(solution.strategy, Higher(), 0)["", hand].moves) for hand in range(3)}
    assert opening == {
        hand: dict(card.in_percent(solution.strategy.at(turn, hand), {"1": 0, "2": 1, "3": 2}, 5)) for hand in range(3)
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["kuhn", "--strategy", "equilibrium"], "a card needs a bidding game of two players"),
        (["liars-dice", "sides=2"], "--view card needs one --solution or one --strategy"),
        (["liars-dice", "sides=2", "--strategy", "uniform", "--ranges"], "takes no --ranges"),
        (["liars-dice", "sides=2", "--strategy", "uniform", "--reach", "1/9"], "--reach is for pictures"),
        (["liars-dice", "sides=2", "dice=1,1,1", "--strategy", "uniform"], "a bidding game of two players"),
    ],
)
def test_what_a_card_refuses(words, message, tmp_path, capsys):
    assert run(["draw", *words, "--view", "card", "-o", str(tmp_path / "a.html")]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_card_is_a_page(tmp_path, capsys):
    words = ["draw", "liars-dice", "sides=2", "--strategy", "equilibrium", "--view", "card", "-o"]
    assert run([*words, str(tmp_path / "a.pdf")]) == 2
    assert "a card is a page to print" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="a card is a page to print"):
        eb.draw("liars-dice sides=2", strategy="equilibrium", view="card")
    with pytest.raises(ParameterError, match="a card needs a solution or a strategy"):
        eb.draw("liars-dice sides=2", tmp_path / "a.html", view="card")
    with pytest.raises(NotApplicableError, match="bidding game"):
        eb.draw(eb.solve("kuhn"), tmp_path / "a.html", view="card")
    assert run([*words, str(tmp_path / "a.html")]) == 0


SIDES = {"1v1-6": 1, "2v1-6": 2, "1v2-6": 1, "2v2-6": 2, "3v1-6": 2, "1v3-6": 2, "3v2-6": 3, "2v3-6": 3}
"""The sides of A4 paper of each card: at most two for each player."""


@pytest.mark.parametrize(
    "name", [name if name in ("1v1-6", "3v2-6") else pytest.param(name, marks=pytest.mark.slow) for name in SIDES]
)
def test_a_card_fits_on_paper_in_readable_letters(name, browser, tmp_path):
    dice = tuple(map(int, name.removesuffix("-6").split("v")))
    game = eb.game("liars-dice", sides=6, dice=dice)
    written = eb.draw(eb.read_solution(certificate(name), game), tmp_path / "card.html", view="card")
    page = browser.new_page()
    page.goto(written.as_uri())
    assert page.locator("table").count() == 2
    paper = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type /Page\b", paper)) == SIDES[name]
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1070, "height": 740})  # 283 mm, the width of A4 paper without margins
    sizes = page.evaluate(
        "[...document.querySelectorAll('.card td, .card th')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) * 0.75 >= 6 - 1e-6
    # No table is wider than the paper, so the browser does not make its letters smaller.
    assert page.evaluate("Math.max(...[...document.querySelectorAll('table')].map(t => t.scrollWidth))") <= 1070
    page.close()
