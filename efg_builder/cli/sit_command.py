"""``efg-builder sit``: persons, programs and players of all kinds at one table, one in each seat."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import click

from ..base.rationals import brief, to_json
from ..games.protocol import Game
from ..players.find import TIMEOUT
from . import echo
from .common import Progress, json_option, max_nodes_option, print_json, source, timeout_option, words_argument


@click.command("sit")
@words_argument
@click.option(
    "--seat",
    "names",
    multiple=True,
    metavar="NAME",
    default=["person", "uniform"],
    show_default=True,
    help="Who sits there, from the first seat on; the last one given sits in all seats that are left. A player's name "
    "('evaluate --players' lists them), person, program:COMMAND, or a file.",
)
@click.option("--rounds", type=click.IntRange(1, 10**9), metavar="N", default=1, show_default=True, help="How many.")
@click.option("--seed", type=int, metavar="N", help="Equal seeds and moves give equal rounds.")
@timeout_option("How long players who solve the game may take for it.", f"{TIMEOUT:g}")
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    names: tuple[str, ...],
    rounds: int,
    seed: int | None,
    timeout: Fraction,
    as_json: bool,
    max_nodes: int,
) -> int:
    """Play among named players, one in each seat: persons at this keyboard, programs, and all others.

    The first seat is yours unless --seat says otherwise: --seat person is whoever sits here, and may be given again.
    A player is asked at its turn, sees its own hand only, and sees all hands at the end. Prints every round and the sum
    of the payoffs; where a player fails or a person leaves (q), the rounds so far, and exit code 2. Exit code 3: a
    player that solves found no equilibrium; 4: not within its time limit.

    \b
    Examples:
      efg-builder sit liars-dice sides=6 dice=2,2,2 --seat uniform --seat lowest-raise
      efg-builder sit dice-poker --seat equilibrium --seat best-response:uniform --rounds 100 --json
    """
    from ..games.protocol import DealtGame
    from ..players.rounds import sampler
    from ..players.rounds.live import LiveRound, live_rounds, seated

    given = source(words)
    subject = given.subject(max_nodes)
    with Progress() as progress:
        chairs = seated(subject, names, max_nodes=max_nodes, timeout=float(timeout), progress=progress)
    assert isinstance(subject, DealtGame)
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    who = [chair.name for chair in chairs]
    played: list[LiveRound] = []
    try:
        for each in islice(live_rounds(subject, chairs, sampler(chance)), rounds):
            played.append(each)
            if not as_json:
                echo(_line(len(played), each, subject.players))
    finally:
        if as_json:
            print_json(_data(subject, who, played))
        elif played:
            for name, total, chair in zip(subject.players, _totals(subject, played), who, strict=True):
                echo(f"{name}, {chair}: {brief(total)}")
    return 0


def _line(number: int, each: Any, players: Sequence[str]) -> str:
    moves = ", ".join(f"{players[event.player]} {event.action}" for event in each.events)
    return f"Round {number}: {' | '.join(each.hands)}: {moves}: {each.ending}"


def _totals(game: Game, played: Sequence[Any]) -> list[Fraction]:
    return [sum((each.payoffs[seat] for each in played), Fraction(0)) for seat in range(len(game.players))]


def _data(game: Game, who: Sequence[str], played: Sequence[Any]) -> dict[str, Any]:
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
