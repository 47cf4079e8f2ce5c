"""What the tests of the page to play on share: reading it, playing on it, and its figures against Python's."""

import json
from fractions import Fraction

import pytest

from efg_builder.forms.hand_names import printed_hands
from efg_builder.forms.subject import Subject
from efg_builder.games.protocol import Chance, Decision
from efg_builder.players.find import Table
from efg_builder.players.rounds import board_for, opponent

TOLERANCE = 1e-9


def against(game, strategy=None):
    """The board of *game* with the opponent of that name, and the opponent."""
    at = Table(Subject.of(game), 60.0, lambda line: None)
    other = opponent(at, strategy)
    return board_for(at.subject, other.given), other


def records(page):
    return json.loads(page.get_attribute("#play", "data-records"))


def infoset(page):
    return page.get_attribute("#play", "data-infoset")


def moves(page):
    return page.locator("button.move:enabled")


def told(text):
    """A number as it is shown, with a true minus sign."""
    return float(fraction(text.removeprefix("≈")))


def fraction(text):
    """The same exactly: ``−1/3``."""
    return Fraction(text.replace("−", "-"))


def play_on(page, choice):
    """To the end of the round, by the legal move of number ``choice(k)`` at the k-th turn."""
    turn = 0
    while infoset(page):
        found = moves(page)
        found.nth(choice(turn) % found.count()).click()
        turn += 1


def fits(page, checker, width, end):
    """At the start, with a hint and at the end: nothing sticks out of the window, and *checker* finds nothing."""
    for step in ("start", "hint", "end"):
        if step == "hint":
            page.keyboard.press("h")
        elif step == "end":
            page.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")
            end(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, step
        cut = "[...document.querySelectorAll('.play button')].filter((b) => b.scrollWidth > b.clientWidth + 1).length"
        assert page.evaluate(cut) == 0, step
        assert checker(page) == []


def as_printed(game):
    """The deals of a game with the hands as they are printed."""
    names = printed_hands(game)
    return [" vs ".join(names[n][hand] for n, hand in enumerate(deal.hands)) for deal in game.deals]


def replayed(board, seat, events):
    """The values at each of the human's turns on the way of these events, and the payoff at its end."""
    state, found = board.root(), []
    for event in events:
        turn = board.turn(state)
        if isinstance(turn, Chance):
            assert event["player"] == -1
            names = [label for label, _, _ in turn.branches] if board.dealt is None else as_printed(board.dealt)
            state = {name: then for name, (_, _, then) in zip(names, turn.branches, strict=True)}[event["action"]]
        else:
            assert isinstance(turn, Decision)
            assert event["player"] == turn.player
            if turn.player == seat:
                found.append((turn.infoset, [a for a, _ in turn.actions], board.values(seat).at(state)))
            else:
                assert dict(zip((a for a, _ in turn.actions), board.behavior(state, turn), strict=True))[
                    event["action"]
                ]
            state = dict(turn.actions)[event["action"]]
    return found, board.turn(state).payoffs, board.uncovered(state)


def check(board, each):
    """One of the page's records against Python's figures."""
    seat = each["seat"]
    found, payoffs, uncovered = replayed(board, seat, each["events"])
    assert [(step["infoset"], step["actions"]) for step in each["steps"]] == [(k, actions) for k, actions, _ in found]
    price = Fraction(0)
    for step, (_, actions, values) in zip(each["steps"], found, strict=True):
        assert step["values"] == pytest.approx([float(value) for value in values], abs=TOLERANCE)
        paid = max(values) - values[actions.index(step["action"])]
        assert step["price"] == pytest.approx(float(paid), abs=TOLERANCE)
        assert (step["price"] == 0) == (paid == 0)
        price += paid
    start = board.values(seat).start
    assert each["payoffs"] == pytest.approx([float(payoff) for payoff in payoffs], abs=TOLERANCE)
    assert each["uncovered"] == [list(pair) for pair in uncovered]
    figures = {"result": payoffs[seat], "start": start, "price": price, "luck": payoffs[seat] - start + price}
    for key, value in figures.items():
        assert each[key] == pytest.approx(float(value), abs=TOLERANCE)
