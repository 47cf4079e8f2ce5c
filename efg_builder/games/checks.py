"""Checks of users' rules. A failed check raises ``Wrong`` with a message of one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from inspect import isfunction
from itertools import product
from math import isfinite
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeGuard

from ..base.rationals import text
from ..base.words import one_line, plural
from .protocol import (
    Chance,
    Deal,
    DealtGame,
    Decision,
    End,
    Game,
    PublicDecision,
    Wrong,
    brief,
    check_turn,
    in_module_of_games,
    told,
    with_kind,
)

if TYPE_CHECKING:
    from .bidding import BiddingGame


def check_rules(game: Game) -> None:
    """Check the players, deals and bids of *game*, without public play and payoffs. Raises ``RulesError``."""
    dealt, bidding = game.dealt_game, game.bidding_game
    with told(game, []):
        check_players(game)
        # If a game overrides the deal count, do not list its deals yet, because there may be too many.
        if dealt is not None and type(dealt).deal_count is DealtGame.deal_count:
            check_deal(dealt)
        if bidding is not None:
            check_bids(bidding)


def check_players(game: Game) -> None:
    _check_methods(game)
    players = game.players
    if not isinstance(players, tuple | list) or not players or not all(isinstance(name, str) for name in players):
        raise Wrong(f"players is {with_kind(players)}; it must list the players' names, as in ('Alice', 'Bob')")
    if (twice := _twice(players)) is not None:
        raise Wrong(f"two players are called {twice!r}")
    _check_text(game.title, "title")
    for name in (game.title, *players):
        _check_one_line(name)
    _check_text(game.comment, "comment")
    total = _declared_sum(game)
    if total is not None and not isinstance(total, Fraction | int):
        raise Wrong(f"constant_sum is {with_kind(total)}; it must be an exact number, or None if the sum varies")


def _check_methods(game: Game) -> None:
    """Check that no parameter replaces a method, as a dataclass field called ``claim`` does."""
    for base in (Game, DealtGame):
        methods = [name for name, method in vars(base).items() if isfunction(method) and name[0] != "_"]
        for name in methods if isinstance(game, base) else ():
            if not callable(given := getattr(game, name)):
                told = f"give this parameter another name, because {name}() is a method"
                raise Wrong(f"{name} is {with_kind(given)}; {told}")


def _check_text(value: object, what: str) -> None:
    if not isinstance(value, str):
        raise Wrong(f"{what} is {with_kind(value)}; it must be text")


def _check_one_line(name: str) -> None:
    if one_line(name) != name:
        raise Wrong(f"the name {brief(name)} must be one line, without control characters")


def _declared_sum(game: Game) -> Fraction | int | None:
    """Return the payoff sum that the class of *game* declares; None without a declaration."""
    default = type(game).constant_sum in (Game.constant_sum, DealtGame.constant_sum)
    return None if default else game.constant_sum


def _twice(items: Sequence[object]) -> object | None:
    """Return an item that appears more than once; None if all items differ."""
    return next((item for item, times in Counter(items).most_common(1) if times > 1), None)


def check_deal(game: DealtGame) -> None:
    _check_hands(game)
    hands, deals, count = game.hands, game.deals, len(game.players)
    if not isinstance(deals, tuple | list) or not deals or not all(isinstance(deal, Deal) for deal in deals):
        raise Wrong(f"deals is {brief(deals)}; it must list each Deal(probability, indices of the hands)")
    _check_hand_names(game)
    for deal in deals:
        fits = isinstance(deal.hands, tuple) and len(deal.hands) == count
        if not fits or not all(type(k) is int and 0 <= k < len(own) for k, own in zip(deal.hands, hands, strict=True)):
            raise Wrong(f"{brief(deal)} must have one hand index, from 0, for each of {plural(count, 'player')}")
    if twice := [hands for hands, times in Counter(deal.hands for deal in deals).items() if times > 1]:
        raise Wrong(f"the hands {twice[0]} are dealt twice; write one Deal with the total probability")
    check_odds([(game.deal_name(deal), deal.probability) for deal in deals], "deals")
    if zero := [deal for deal in deals if not deal.probability]:
        raise Wrong(f"{brief(zero[0])} has probability 0; leave it out")


def _check_lists(given: object, name: str, what: str, players: int, least: int) -> None:
    """Check that *given* has a list of at least *least* items for each of the *players*."""
    if not isinstance(given, tuple | list) or not all(isinstance(o, tuple | list) and len(o) >= least for o in given):
        raise Wrong(f"{name} is {brief(given)}; it must list each player's {what}, as in (('J', 'Q'), ('J', 'Q'))")
    if len(given) != players:
        raise Wrong(f"{name} has {plural(len(given), 'entry', 'entries')} for {plural(players, 'player')}")


def _check_name(name: object, said: str) -> None:
    if not isinstance(name, str) or not name or ":" in name:
        raise Wrong(f"{said} {brief(name)}; a name must be nonempty text without a colon")
    _check_one_line(name)


def _check_hands(game: DealtGame) -> None:
    hands = game.hands
    _check_lists(hands, "hands", "hands", len(game.players), 1)
    for name in (name for own in hands for name in own):
        _check_name(name, "a hand is called")
    for own, player in zip(hands, game.players, strict=True):
        if (twice := _twice(own)) is not None:
            raise Wrong(f"two hands of {player} are called {twice!r}")


def _check_hand_names(game: DealtGame) -> None:
    names, hands = game.hand_names, game.hands
    _check_lists(names, "hand_names", "names", len(hands), 0)
    for own, held, player in zip(names, hands, game.players, strict=True):
        if len(own) != len(held):
            raise Wrong(f"hand_names has {plural(len(own), 'name')} for the {plural(len(held), 'hand')} of {player}")
        for name in own:
            _check_name(name, "hand_names has")
        if (twice := _twice(own)) is not None:
            raise Wrong(f"hand_names has {twice!r} twice for {player}")
        for name, hand in zip(own, held, strict=True):
            if name != hand and name in held:
                raise Wrong(f"hand_names renames {hand!r} of {player} to {name!r}, the name of another hand in hands")


def check_bids(game: BiddingGame) -> None:
    """Check the names of the bids, and that the turns of a user's game are those of a bidding game."""
    _check_inherited(game)
    bids = game.bid_names
    if not isinstance(bids, tuple | list) or not bids:
        raise Wrong(f"bid_names is {brief(bids)}; it must list the names of all bids, lowest first")
    _check_labels(bids, "a bid")
    for name in bids:
        _check_one_line(name)
        if name in (game.call, "start"):
            raise Wrong(f"a bid is called {brief(name)}; it must have another name than {game.call} and start")
        if name.split() != [name]:
            raise Wrong(f"a bid is called {brief(name)}; its name must be one word, without blanks")


_TURNS = ("root", "turn", "public_root", "public_turn", "history", "bids_of")
"""The methods of a bidding game that no user's class may override, because many methods rely on them."""


def _check_inherited(game: BiddingGame) -> None:
    for method in _TURNS:
        owner = next(kind for kind in type(game).__mro__ if method in vars(kind))
        if not in_module_of_games(owner):
            problem = f"the bids define the turns of a BiddingGame, but this class has a {method}() of its own"
            raise Wrong(f"{problem}; write a subclass of eb.DealtGame")


def check_odds(odds: Sequence[tuple[str, object]], what: str) -> None:
    """Check that *odds*, the (label, probability) pairs of *what*, are a probability distribution."""
    total = Fraction(0)
    for label, number in odds:
        if not is_exact(number):
            raise Wrong(f"the probability of {label!r} is {_inexact(number)}")
        if number < 0:
            raise Wrong(f"the probability of {label!r} is {number}, below 0")
        total += number
    if total != 1:
        shown = ", ".join(f"{label} {number}" for label, number in odds[:6]) + ", ..." * (len(odds) > 6)
        raise Wrong(f"the probabilities of {what} sum to {text(total)}, not 1: {shown}")


def is_exact(number: object) -> TypeGuard[Fraction | int]:
    """Return whether *number* is an int or a Fraction of Python integers; NumPy integers would overflow."""
    return isinstance(number, Fraction | int) and type(number.numerator) is type(number.denominator) is int


def _inexact(number: object) -> str:
    said = f"the float {number!r}" if isinstance(number, float) else with_kind(number)
    if isinstance(number, float) and isfinite(number):
        near = Fraction(number).limit_denominator(1000)
        return f"{said}; write Fraction({near.numerator}, {near.denominator})"
    if isinstance(number, Rational) and isfinite(number):
        kind = type(number.numerator).__name__
        return f"{number} with integers of type {kind}, which overflow; convert them with int(...)"
    return f"{said}; it must be a whole number or a Fraction"


def _check_labels(labels: Sequence[object], what: str) -> None:
    for label in labels:
        if not isinstance(label, str) or not label:
            raise Wrong(f"{what} is called {brief(label)}; its label must be nonempty text")
    if (twice := _twice(labels)) is not None:
        raise Wrong(f"{what} appears twice: {twice!r}")


def _check_parts(parts: object, size: int, what: str, form: str) -> None:
    if not isinstance(parts, tuple | list) or not parts:
        raise Wrong(f"{what} are {brief(parts)}; there must be at least one, as in {form}")
    for part in parts:
        if not isinstance(part, tuple | list) or len(part) != size:
            raise Wrong(f"{what} contain {brief(part)}; write {what} as in {form}")


def check_decision(game: Game, turn: Decision | PublicDecision) -> None:
    if type(turn.player) is not int or not 0 <= turn.player < len(game.players):
        raise Wrong(f"there is no player {brief(turn.player)}; players are numbered from 0 to {len(game.players) - 1}")
    _check_text(*((turn.infoset, "infoset") if isinstance(turn, Decision) else (turn.history, "history")))
    _check_parts(turn.actions, 2, "actions", "(('check', next state), ('bet', next state))")
    _check_labels([label for label, _ in turn.actions], "an action")
    if isinstance(turn, PublicDecision):  # the names in a tree become one line when the tree is made
        for name in (turn.history, *(label for label, _ in turn.actions)):
            _check_one_line(name)


def check_chance(turn: Chance) -> None:
    _check_parts(turn.branches, 3, "branches", "('heads', Fraction(1, 2), next state)")
    _check_text(turn.label, "the label of a Chance")
    _check_labels([label for label, _, _ in turn.branches], "a branch of chance")
    check_odds([(label, number) for label, number, _ in turn.branches], f"{turn.label!r}")


def check_end(game: Game, turn: Any, method: str = "turn") -> None:
    """Check *turn*, the result of *method*: an end with exact payoffs and the declared sum."""
    check_turn(turn, (End,), method)
    if not isinstance(turn.payoffs, tuple) or len(turn.payoffs) != len(game.players):
        raise Wrong(f"the payoffs are {brief(turn.payoffs)}; there must be one for each of {len(game.players)} players")
    for number, player in zip(turn.payoffs, game.players, strict=True):
        if not (isinstance(number, Fraction) and is_exact(number)):
            raise Wrong(f"the payoff of {player} is {_inexact(number)}")
    _check_text(turn.label, "the label")
    total = _declared_sum(game)
    if total is not None and (found := sum(turn.payoffs, Fraction(0))) != total:
        raise Wrong(f"the payoffs sum to {text(found)}, but constant_sum is {text(Fraction(total))}")


# --- payoffs


def settle(game: DealtGame, key: Any, deal: Deal) -> End:
    """Return the end of *deal* at the public end *key*. Raises ``RulesError`` for a mistake in a user's ``settle``."""
    if in_module_of_games(type(game)):
        return game.settle(key, deal)
    with told(game, [(key, deal.hands)], lambda _: game.settle(key, deal)):
        end = game.settle(key, deal)
        check_end(game, end, "settle")
    return end


def payoff_classes(game: DealtGame, key: Hashable) -> list[tuple[int, ...]]:
    """Return the payoff class of each player's hands at the public end *key*.

    The classes of a user's game are compared with the payoffs of all hands, once for each key. If the hands are not
    independent, all classes of a user's game differ. Raises ``RulesError`` for wrong classes.
    """
    if in_module_of_games(type(game)):
        return [game.classes(key, player) for player in range(len(game.players))]
    known = game._checked_classes
    if key not in known:
        counts = game.hand_counts
        if type(game).classes is DealtGame.classes or game.hand_probabilities is None:
            known[key] = [tuple(range(count)) for count in counts]
        else:
            with told(game, [key]):
                classes = [_given_classes(game, key, player) for player in range(len(game.players))]
            _compare_classes(game, key, classes)
            known[key] = classes
    return known[key]


def _given_classes(game: DealtGame, key: Hashable, player: int) -> tuple[int, ...]:
    given, count = game.classes(key, player), game.hand_counts[player]
    fits = isinstance(given, tuple | list) and len(given) == count
    if not fits or not all(isinstance(number, int) for number in given):
        wanted = f"a whole number for each of the {plural(count, 'hand')} of {game.players[player]}"
        raise Wrong(f"classes() returned {with_kind(given)}; it must return {wanted}")
    return tuple(given)


def _compare_classes(game: DealtGame, key: Hashable, classes: list[tuple[int, ...]]) -> None:
    """Check that each deal has the payoffs of the deal with the first hands of the same classes."""
    cells = product(*map(range, map(len, classes)))
    paid = {hands: settle(game, key, Deal(Fraction(1), hands)).payoffs for hands in cells}
    firsts = [[mine.index(number) for number in mine] for mine in classes]
    for hands in paid:
        for player, first in enumerate(firsts):
            other = (*hands[:player], first[hands[player]], *hands[player + 1 :])
            if paid[hands] != paid[other]:
                with told(game, [key]):
                    raise Wrong(_classes_differ(game, player, (other, hands), [paid[other], paid[hands]]))


def _classes_differ(
    game: DealtGame, player: int, deals: Sequence[tuple[int, ...]], paid: Sequence[Sequence[Fraction]]
) -> str:
    one, two = (game.hands[player][hands[player]] for hands in deals)
    others = ", ".join(game.hands[p][hand] for p, hand in enumerate(deals[0]) if p != player)
    first, second = (", ".join(map(text, payoffs)) for payoffs in paid)
    same = f"classes() gives the hands {one!r} and {two!r} of {game.players[player]} the same number"
    return f"{same}, but against {others!r} the payoffs are ({first}) and ({second})"
