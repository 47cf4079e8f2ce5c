"""``efg-builder play --players``: persons, programs and players of all kinds at one table, one in each seat."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from ..base.errors import ParameterError, PersonLeftError
from ..base.rationals import brief, to_json
from ..forms.extensive import GameTree
from ..games.protocol import Game
from ..players.kinds.person import NAME as PERSON
from ..players.names import names_of
from . import echo, say
from .common import Progress, print_json, source

YOU = "you"
"""Another name of the person at this keyboard."""


def play_seated(
    words: tuple[str, ...],
    players: tuple[str, ...],
    *,
    rounds: int | None,
    seed: int | None,
    timeout: Fraction,
    gap: Fraction | None,
    as_json: bool,
    max_nodes: int,
) -> None:
    """Play among named players, one in each seat; print every round, and the sum of the payoffs.

    A player is asked at its turn, sees its own hand only, and sees all hands at the end. Where a player fails, or a
    person leaves before the *rounds* are over, the rounds so far are printed and the error is raised.
    """
    from ..players.find import Table
    from ..players.rounds import sampler
    from ..players.rounds.seating import LiveRound, live_rounds, seated

    names = [PERSON if name == YOU else name for name in names_of(players)]
    if seat := next((name for name in names if name.isdecimal()), None):
        raise ParameterError(
            f"{seat!r} is no player: --players takes names, as in person,uniform; --seat N is for play without them"
        )
    given = source(words)
    subject = given.subject(max_nodes)
    notes: list[str] = []
    with Progress() as progress:
        chairs = seated(Table(subject, max_nodes, float(timeout), progress, gap=gap, note=notes.append), names)
    for line in dict.fromkeys(notes):
        say(line)
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    who = [chair.name for chair in chairs]
    played: list[LiveRound] = []
    count = 1 if rounds is None and PERSON not in who else rounds
    try:
        pick = sampler(chance)
        for each in islice(live_rounds(chairs, pick), count):
            played.append(each)
            if not as_json:
                echo(_line(len(played), each, subject.players))
    except PersonLeftError:
        if count is not None:
            raise
    finally:
        if as_json:
            print_json(_data(subject, who, played))
        elif played:
            for name, total, chair in zip(subject.players, _totals(subject, played), who, strict=True):
                echo(f"{name}, {chair}: {brief(total)}")


def _line(number: int, each: Any, players: Sequence[str]) -> str:
    moves = ", ".join(f"{players[event.player]} {event.action}" for event in each.events)
    return ": ".join(filter(None, [f"Round {number}", " | ".join(each.hands), moves, each.ending]))


def _totals(game: Game | GameTree, played: Sequence[Any]) -> list[Fraction]:
    return [sum((each.payoffs[seat] for each in played), Fraction(0)) for seat in range(len(game.players))]


def _data(game: Game | GameTree, who: Sequence[str], played: Sequence[Any]) -> dict[str, Any]:
    """The rounds as plain data; players count from 1, exact rationals are text."""
    return {
        "game": {"title": game.title, "players": list(game.players)},
        "seats": list(who),
        "totals": [to_json(total) for total in _totals(game, played)],
        "rounds": [
            {
                "hands": list(each.hands),
                "moves": [[event.player + 1, event.action] for event in each.events],
                "payoffs": [to_json(payoff) for payoff in each.payoffs],
                "ending": each.ending,
            }
            for each in played
        ],
    }
