"""``efg-builder evaluate`` and ``arena``: measure strategies, and play them against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import NotApplicableError, ParameterError, TreeTooLargeError
from ..base.files import check_writable, csv_lines, write_atomically
from ..base.rationals import Number, brief
from ..base.words import in_columns, quiet
from ..forms.extensive import MAX_NODES
from ..forms.subject import Subject
from ..games.protocol import Game
from ..players import evaluate as measuring
from ..players.find import GIB, METHODS, Table, float_kind
from ..players.find import players as named_players
from ..players.spelling import names_of
from ..solvers.driver import Keeper
from . import echo, listing, options, say
from .common import (
    Progress,
    answer,
    check_outputs,
    ending,
    rules_of_match,
    show,
    source,
    variants_of,
    written,
)

if TYPE_CHECKING:
    from ..experiments.arena import Standings
    from ..experiments.exploitability import Measurement, Seat

PICTURES = (".svg", ".png")
HEAD = ("game", "player", "seat", "value", "against equilibrium", "against best response", "loss", "exploitability")


def _list_players() -> None:
    for player in named_players().values():
        listing(player.name, player.summary)
        for setting in player.parameters:
            default = f" [default: {setting.default}]" if setting.default else ""
            echo(f"    {setting.name}=  {setting.help}{default}")


def _fits_in_arrays(game: Game, max_memory: int | None) -> bool:
    try:
        float_kind(Table(Subject(game)), [], max_memory, False, quiet)
    except NotApplicableError:
        return False
    return True


@click.command("evaluate", cls=options.Grouped, first="strategy against list-players output json")
@options.words
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="Strategy to measure: a player's name (--list-players lists the names), or a file with a solution or a "
    "strategy (.json, .csv, .npz).",
)
@click.option(
    "--against",
    metavar="FILE|NAME",
    help="Strategy of all other players. The measured strategy then takes each seat in turn; without --against, it "
    "takes all seats.",
)
@options.players
@options.path(
    "--match",
    said="Match from 'efg-builder match -o' in which to measure the strategy, instead of in a game.",
    metavar="FILE",
)
@options.complete
@click.option(
    "--measure",
    "method",
    metavar="NAME",
    default=METHODS[0],
    show_default=True,
    help=f"Method of measurement ({', '.join(METHODS)}): tree uses the game tree, and sparse the reached part of a "
    "sparse strategy; both are exact. dense uses float arrays over all histories, and gives an error bound.",
)
@options.timeout(on_the_way=True)
@options.gap
@click.option(
    "--max-memory",
    type=options.times(GIB, Fraction(1, 1024), 10**6),
    metavar="GIB",
    help="Memory limit for arrays in GiB, e.g. 4. [default: three quarters of the machine's memory]",
)
@options.outputs(
    "File for each seat's best response to the strategy (.json, .csv, .npz), which --strategy can read. With "
    "--players: results (.json, .csv), or plot (.svg, .png); an existing .json file is continued."
)
@options.as_json
@options.max_nodes
@options.listing("--list-players", _list_players, "List the named players, then exit.")
def evaluate(
    words: tuple[str, ...],
    strategy: str | None,
    against: str | None,
    players: tuple[str, ...],
    match: Path | None,
    outputs: tuple[Path, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure a strategy: its payoffs, the payoff of each player's best response, and NashConv.

    NashConv is the sum of all players' gains from a best response to the other players' strategies. For two players,
    exploitability is half of NashConv. Both are 0 for an equilibrium. With --against, both measure the pair of
    strategies, not one strategy alone. Fractions are exact; floats come with an error bound. The player 'equilibrium'
    plays the best strategy found within --timeout. Exit code 3: no strategy was found; 4: no strategy was found within
    --timeout. With --match, the strategy plays a whole match against the strategies of that match, and against a best
    response.

    If the measurement uses the tree, the output lists the losses by information set. The regret of an information set
    is its reach probability times the gain from the best move there. The sum of a player's regrets is the gain from a
    best response.

    --players measures many players in many games of two players: each player's loss in each seat, which is the game's
    value for that seat minus the player's payoff, against the equilibrium and against a best response. Exploitability
    is then the mean loss over both seats. Separate several values of a parameter with ';', in quotes for the shell;
    2..6 is a range, as in 'sweep'. Measurements in an existing .json file are not repeated.

    \b
    Examples:
      efg-builder evaluate liars-dice sides=3 --strategy uniform
      efg-builder evaluate liars-dice sides=3 --strategy uniform --against equilibrium
      efg-builder evaluate liars-dice sides=3 --strategy always-call -o exploiter.json
      efg-builder evaluate liars-dice sides=2..3 --players uniform,always-call -o losses.json -o losses.svg
    """
    if players:
        combined = {"words", "players", "timeout", "outputs", "as_json"}
        if not combined.issuperset(options.asked_for(click.get_current_context().params)):
            raise ParameterError("--players can be combined only with --timeout, -o and --json")
        _measure_players(words, players, settings["timeout"], outputs, as_json)
    elif strategy is None:
        problem = "name a strategy to measure: --strategy FILE|NAME"
        raise ParameterError(f"{problem}; the players are {', '.join(named_players())}")
    elif match is None:
        _over_game(words, strategy, against, outputs, as_json, **settings)
    elif words or against is not None or outputs:
        raise ParameterError("--match names the game and the opponent; leave out the game, --against and -o")
    else:
        del settings["max_nodes"]
        _over_match(match, strategy, as_json, **settings)


def _over_game(
    words: tuple[str, ...], strategy: str, against: str | None, outputs: Sequence[Path], as_json: bool, **settings: Any
) -> None:
    for path in outputs:
        check_writable(path)
    named = source(words)
    if any(path.suffix == ".npz" for path in outputs) and settings["method"] == METHODS[0]:
        settings["method"] = "dense"
    with Progress() as progress:
        game = named.subject(settings["max_nodes"])
        try:
            settings |= {"exploiter": bool(outputs), "progress": progress, "announce": say}
            evaluation = measuring.evaluate(game, strategy, against, **settings)
        except TreeTooLargeError as error:
            if game.given_rules is not None and _fits_in_arrays(game.given_rules, settings["max_memory"]):
                error.add_note("--measure dense uses arrays instead of the tree")
            raise
    with written(outputs, evaluation.write_exploiter) as files:
        for warning in evaluation.warnings if as_json else ():
            say(f"warning: {warning}")
        exploiters = [f"exploiter      {path}" for path in files]
        show(as_json, evaluation.to_json, lambda: [*str(evaluation).splitlines(), *exploiters])


def _over_match(path: Path, strategy: str, as_json: bool, **settings: Any) -> None:
    from ..experiments.matches import read_match
    from ..experiments.matches.playing import measure

    match = read_match(path)
    with Progress() as progress:
        measured = measure(match, strategy, progress=progress, **settings)
    answer(measured, as_json)


def _measure_players(
    words: tuple[str, ...], players: tuple[str, ...], timeout: float, outputs: tuple[Path, ...], as_json: bool
) -> None:
    from ..experiments.exploitability import keep, measure_all, merged, read

    grid = variants_of(words)
    names = tuple(dict.fromkeys(names_of(players)))
    check_outputs(outputs, (".json", ".csv", *PICTURES))
    kept = [path for path in outputs if ending(path, ".json")]
    measurements = merged((), [each for path in kept for each in read(path)])
    for path in kept:
        keep(path, measurements)
    keepers = [Keeper(path, every=0) for path in kept]
    with Progress() as progress:
        for each in measure_all(grid.variants, names, timeout=timeout, known=measurements, progress=progress):
            measurements = merged(measurements, [each])
            for keeper in keepers:
                keeper.keep(lambda path, measurements=measurements: keep(path, measurements))  # type: ignore[misc]
    asked = {variant.key for variant in grid.variants}
    shown = [each for each in measurements if each.game in asked and each.player in names]
    unwritten = [path for path in outputs if path not in kept]
    unwritten += [keeper.path for keeper in keepers if keeper.path is not None and keeper.failed]
    with written(unwritten, lambda path: _write(measurements, path)):
        show(as_json, lambda: {"measurements": [each.to_json() for each in shown]}, lambda: lines(shown))


def _write(measured: Sequence[Measurement], path: Path) -> None:
    from ..experiments.exploitability import keep

    if ending(path, ".json"):
        keep(path, measured)
    elif ending(path, ".csv"):
        write_atomically(path, csv_lines([HEAD, *_rows(measured, str)]))
    else:
        from ..display.plots.exploitability_plot import draw_exploitability

        draw_exploitability(measured, path)


def lines(measured: Sequence[Measurement]) -> list[str]:
    refused = [f"not measured: {each.player}: {each.refused}" for each in measured if each.refused]
    return [*in_columns([HEAD, *_rows(measured, brief)], right=range(3, len(HEAD))), *refused]


def _rows(measured: Sequence[Measurement], form: Callable[[Number], str]) -> list[list[str]]:
    def shown(number: Number | None) -> str:
        return "" if number is None else form(number)

    def row(each: Measurement, index: int, seat: Seat) -> list[str]:
        figures = (seat.value, seat.against_equilibrium, seat.against_best_response, seat.loss)
        last = shown(each.exploitability) if index == 0 else ""
        return [each.short, each.player, str(index + 1), *map(shown, figures), last]

    return [row(each, index, seat) for each in measured for index, seat in enumerate(each.seats)]


@click.command("arena", cls=options.Grouped, first="players games output show json")
@click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.py:CLASS")
@options.players
@options.count("--games", "Number of games per pairing, e.g. 1000.", high=10**9, default=10_000)
@click.option("--match", "matches", is_flag=True, help="Play whole matches with the settings of 'efg-builder match'.")
@options.seed(0)
@options.workers()
@options.timeout(on_the_way=True)
@options.outputs(
    "SQLite file of all games (.db), table of results by pairing (.csv), or chart of ratings (.svg, .png)."
)
@options.path("--show", "kept_file", said="Print the table of this file, without playing.", metavar="FILE.db")
@options.as_json
def arena(
    words: tuple[str, ...],
    players: tuple[str, ...],
    matches: bool,
    outputs: tuple[Path, ...],
    kept_file: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play every pairing of players in all seats, on the same deals, in single rounds or whole matches.

    The output has each player's payoff against every other player with a 95% confidence interval; for small games, it
    also has the exact payoff. The output also has Elo ratings by maximum likelihood, and r, the share of skill in the
    results (the rest is luck). With -o FILE.db, the same command continues after an interruption, more --games or
    players extend the file, and several runs can share it. Exit code 3: a player that solves the game found no
    equilibrium; 4: no equilibrium was found within --timeout.

    \b
    Examples:
      efg-builder arena liars-dice sides=3 --players uniform,always-call,equilibrium --games 1000 -o arena.db
      efg-builder arena liars-dice sides=2 dice=2,2 --match --players uniform,lowest-raise --games 500 --workers 1
      efg-builder arena --show arena.db -o meetings.csv -o ratings.svg
    """
    from ..experiments.arena import read_standings, run_arena

    kept = [path for path in outputs if ending(path, ".db", ".sqlite", ".sqlite3")]
    others = [path for path in outputs if path not in kept]
    if kept_file is not None and (words or players or kept):
        raise ParameterError("--show prints the table of a file; leave out game, players and -o FILE.db")
    if len(kept) > 1:
        raise ParameterError(f"-o {kept[0]} and -o {kept[1]}: an arena has one file; leave one out")
    path = kept[0] if kept else None
    check_outputs(others, (".db", ".csv", *PICTURES))
    if kept_file is not None:
        _tell_standings(read_standings(kept_file), others, as_json)
        return
    subject = rules_of_match(words, "--match") if matches else source(words).subject(MAX_NODES)
    if not players:
        listed = "'efg-builder evaluate --list-players' lists them"
        raise ParameterError(f"name the players: --players uniform,always-call ({listed})")
    with Progress() as progress:
        standings = run_arena(subject, names_of(players), path=path, progress=progress, **settings)
    _tell_standings(standings, others, as_json)


def _tell_standings(standings: Standings, paths: Sequence[Path], as_json: bool) -> None:
    from ..experiments.arena.report import rated, to_csv, to_data

    def write(path: Path) -> None:
        if ending(path, ".csv"):
            to_csv(standings, path)
        else:
            from ..display.plots.arena_plot import draw_ratings

            draw_ratings(rated(standings), path)

    with written(paths, write, tell="wrote "):
        show(as_json, lambda: to_data(standings), lambda: str(standings).splitlines())
