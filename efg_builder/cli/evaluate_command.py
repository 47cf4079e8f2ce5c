"""``efg-builder evaluate``: any strategy measured by best responses."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError, TreeTooLargeError
from ..base.files import check_writable
from ..base.rationals import to_json
from ..games.bidding import BiddingGame
from ..players.evaluate import Described, Evaluation, Seating, evaluate
from ..players.find import GIB, METHODS, players
from ..proof.best_response import Loss
from ..strategies.reading import COMPLETIONS
from . import echo, options, say
from .common import Progress, answer, show, source, written


def _list_players() -> None:
    for player in players().values():
        click.echo(f"{click.style(player.name, bold=True)}  {player.summary}")
        for setting in player.parameters:
            default = f" [default: {setting.default}]" if setting.default else ""
            echo(f"    {setting.name}=  {setting.help}{default}")


complete_option = click.option(
    "--complete",
    type=click.Choice(COMPLETIONS),
    help="What a file's player does at information sets that are not in it: the game's default move, or all moves "
    "alike. [default: default where the game has such a move, else uniform]",
)


@click.command("evaluate")
@options.words
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="What to measure: a player's name (--list-players lists them), a solution, a strategy as JSON or .csv, or "
    "arrays (.npz).",
)
@click.option(
    "--against",
    metavar="FILE|NAME",
    help="Who plays the other seats; the strategy then sits in each seat in turn. Without it, it plays all seats.",
)
@options.path("--match", said="Measure over this whole match, which 'match' wrote, in place of a game.", metavar="FILE")
@complete_option
@click.option(
    "--measure",
    "method",
    metavar="NAME",
    default=METHODS[0],
    show_default=True,
    help=f"How to measure ({', '.join(METHODS)}): over the tree, over what sparse strategies lead to (both exact), or "
    "over all histories in floats with a bound on their error.",
)
@options.timeout(on_the_way=True)
@options.gap
@click.option(
    "--max-memory",
    type=options.times(GIB, Fraction(1, 1024), 10**6),
    metavar="GIB",
    help="Refuse arrays that need more memory than this, in GiB (default: three quarters of the machine's).",
)
@options.outputs(
    "Write, for each seat, a best response to the strategy, in a file that --strategy reads: .json, .csv or .npz."
)
@options.as_json
@options.max_nodes
@options.listing("--list-players", _list_players, "List the players that have names, and do nothing else.")
def command(
    words: tuple[str, ...],
    strategy: str | None,
    against: str | None,
    match: Path | None,
    outputs: tuple[Path, ...],
    as_json: bool,
    max_nodes: int,
    **settings: Any,
) -> None:
    """Measure a strategy: what it gets, what a best response of each player gets, and what all could gain.

    The NashConv is the sum of what each player could gain by a best response to the others; the exploitability, of two
    players, is half of it. Both are 0 for an equilibrium. With --against they are those of the two strategies seated
    together, of neither alone. Fractions are exact; floats come with a bound on their error. The player 'equilibrium'
    plays the best strategy that it finds within --timeout. Exit code 3: it found none; 4: not within that time.
    With --match: what the strategy gets over a whole match, against the strategies of that match and a best response.

    Over a tree it also says where a player loses: the regret of an information set is how likely play gets there, times
    what the best move gains there over what is played. A player's regrets sum to what a best response gains.

    \b
    Examples:
      efg-builder evaluate liars-dice sides=3 --strategy uniform
      efg-builder evaluate liars-dice sides=3 --strategy uniform --against equilibrium
      efg-builder evaluate liars-dice sides=3 --strategy always-call -o exploiter.json
    """
    if strategy is None:
        raise ParameterError(f"name what to measure: --strategy FILE, or a player's name: {', '.join(players())}")
    if match is not None:
        if words or against is not None or outputs:
            raise ParameterError("--match names game and opponent: leave the game, --against and -o out")
        _over_match(match, strategy, as_json, **settings)
        return
    for path in outputs:
        check_writable(path)
    given = source(words)
    if any(path.suffix == ".npz" for path in outputs) and settings["method"] == METHODS[0]:
        settings["method"] = "dense"
    with Progress() as progress:
        try:
            found = evaluate(
                given.subject(max_nodes),
                strategy,
                against,
                max_nodes=max_nodes,
                exploiter=bool(outputs),
                progress=progress,
                announce=say,
                **settings,
            )
        except TreeTooLargeError as error:
            if isinstance(given.game, BiddingGame) and len(given.game.players) == 2:
                error.add_note("--measure dense measures without it, over arrays")
            raise
    with written(outputs, found.write_exploiter) as files:
        for warning in found.warnings if as_json else ():
            say(f"warning: {warning}")
        exploiters = [f"exploiter      {path}" for path in files]
        show(as_json, lambda: to_data(found), lambda: [*str(found).splitlines(), *exploiters])


def _over_match(path: Path, strategy: str, as_json: bool, **settings: Any) -> None:
    from ..experiments.matches import read_match
    from ..experiments.matches.playing import measure

    match = read_match(path)
    with Progress() as progress:
        found = measure(match, strategy, progress=progress, **settings)
    answer(found, as_json)


def to_data(found: Evaluation) -> dict[str, Any]:
    """The evaluation as plain data; exact rationals are text such as ``"-1/9"``, with floats beside them."""
    return {
        "game": {"title": found.title, "players": list(found.players)},
        "method": found.method,
        "exact": found.exact,
        "error_bound": found.error_bound,
        "nash_conv_error_bound": found.nash_conv_error_bound,
        "strategies": [_strategy(each) for each in found.strategies],
        "warnings": list(found.warnings),
        "no_regret": found.no_regret or None,
        "forgetful": list(found.forgetful),
        "matches": [_match(match) for match in found.matches],
        "seconds": round(found.seconds, 3),
    }


def _strategy(each: Described) -> dict[str, Any]:
    seats = [
        None if s is None else {"sets": s.sets, "written": s.written, "completed": s.completed} for s in each.seats
    ]
    return {"name": each.name, "completion": each.completion, "seats": seats}


def _match(match: Seating) -> dict[str, Any]:
    lists = {"value": match.value, "best_response": match.best_response, "gains": match.gains}
    singles = {"nash_conv": match.nash_conv, "exploitability": match.exploitability}
    data: dict[str, Any] = {"seats": list(match.seats)}
    for key, row in lists.items():
        data |= {key: [to_json(each) for each in row], f"{key}_float": [float(each) for each in row]}
    for key, one in singles.items():
        data |= {key: None if one is None else to_json(one), f"{key}_float": None if one is None else float(one)}
    return data | {"losses": None if match.losses is None else [_loss(loss) for loss in match.losses]}


def _loss(loss: Loss) -> dict[str, Any]:
    """An information set at which a player loses; see ``proof.best_response.Loss``."""
    return {
        "player": loss.player + 1,
        "infoset": loss.infoset,
        "reach": to_json(loss.reach),
        "played": {move: to_json(p) for move, p in loss.played.items()},
        "better": loss.better,
        "regret": to_json(loss.regret),
        "regret_float": float(loss.regret),
    }
