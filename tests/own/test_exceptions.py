"""Exceptions in a user's rules and functions: mistakes become errors of this package, a caller's alarm passes."""

import pytest

import efg_builder as eb
from efg_builder.interop.open_spiel import OpenSpielGame

KUHN = eb.build("kuhn")
BIDDING = eb.game("liars-dice", sides=2)


def rules(act):
    class Own(eb.Game):
        players = ("A",)

        def root(self):
            return ""

        def turn(self, state):
            return act()

    return eb.solve(Own())


def dealt(base, name, **settings):
    def run(act):
        return eb.build(type("Dealt", (type(base),), {name: lambda *_: act()})(**settings))

    return run


def method(act):
    return eb.solve(KUHN, lambda tree: act())


def policy(act):
    return eb.evaluate(BIDDING, eb.Policy(lambda turn, hand: act()))


def policy_on_tree(act):
    return eb.evaluate(KUHN, lambda infoset: act())


def open_spiels(act):
    pyspiel = pytest.importorskip("pyspiel")

    class Wrapped:
        """A game of OpenSpiel whose states call *act*."""

        def __init__(self, theirs):
            self._theirs = theirs

        def __getattr__(self, name):
            return act() if name == "is_terminal" else getattr(self._theirs, name)

    found = OpenSpielGame(pyspiel.load_game("kuhn_poker"))
    found._start = Wrapped(found._start)
    return eb.build(found)


def open_spiels_policy(act):
    pyspiel = pytest.importorskip("pyspiel")

    class Own:
        def action_probabilities(self, state):
            return act()

    return eb.evaluate(pyspiel.load_game("kuhn_poker"), Own())


PLACES = {
    "rules": rules,
    "public_turn": dealt(eb.game("kuhn"), "public_turn"),
    "settle": dealt(eb.game("kuhn"), "settle"),
    "settle of a bidding game": dealt(BIDDING, "settle", sides=2),
    "method": method,
    "policy": policy,
    "policy on a tree": policy_on_tree,
    "OpenSpiel's game": open_spiels,
    "OpenSpiel's policy": open_spiels_policy,
}


class AlarmError(TimeoutError):
    """A caller's own exception of time."""


def raising(error):
    def act():
        raise error

    return act


@pytest.mark.parametrize("error", [AlarmError("late"), KeyboardInterrupt(), MemoryError()], ids=repr)
@pytest.mark.parametrize("place", PLACES)
def test_the_callers_exceptions_pass_through(place, error):
    with pytest.raises(type(error)) as raised:
        PLACES[place](raising(error))
    assert raised.value is error


@pytest.mark.parametrize("error", [ZeroDivisionError("by hand"), SystemExit(3)], ids=repr)
@pytest.mark.parametrize("place", PLACES)
def test_mistakes_become_errors_of_this_package(place, error):
    with pytest.raises(eb.EfgBuilderError) as raised:
        PLACES[place](raising(error))
    assert raised.value.__cause__ is error


def test_an_alarm_passes_while_the_line_of_a_mistake_is_found():
    """The rules are called a second time for the line."""
    calls = []

    def act():
        calls.append(1)
        if len(calls) > 1:
            raise TimeoutError("the caller's")

    with pytest.raises(TimeoutError, match="the caller's"):
        rules(act)
    assert len(calls) == 2
