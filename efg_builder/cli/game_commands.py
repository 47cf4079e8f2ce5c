"""``efg-builder games``, ``info`` and ``build``: games without a solution."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.errors import ParameterError
from ..base.facts import attributes
from ..base.words import plural
from ..forms.extensive import GameTree
from ..forms.size import size_and_properties
from ..games.catalogue import broken, catalogue
from . import echo, listing, options, say
from .common import check_outputs, ending, print_json, size_in_words, source


@click.command("games")
@options.as_json
def games(as_json: bool) -> None:
    """List the games, their parameters, defaults and sources."""
    entries = catalogue().values()
    if as_json:
        for_json = [attributes(game, "name", "summary", "parameters", "sources") for game in entries]
        for entry in for_json:
            entry["parameters"] = [attributes(each, "name", "default", "help") for each in entry["parameters"]]
        print_json(for_json)
        return
    for game in entries:
        listing(game.name, game.summary)
        for parameter in game.parameters:
            echo(f"    {parameter.name + '=' + parameter.default:<22} {parameter.help}")
        for paper in game.sources:
            echo(f"    from: {paper}")
        echo()
    echo("Set a parameter by KEY=VALUE:  efg-builder run liars-dice sides=3 dice=2,1")
    echo("A game of your own is a class in a file, FILE.py:CLASS: docs/your-own-game.md")
    for problem in broken().values():
        say(problem)


@click.command("info")
@options.words
@options.as_json
@options.max_nodes
def info(words: tuple[str, ...], as_json: bool, max_nodes: int) -> None:
    """Print the size and the properties of a game: nodes, information sets, perfect recall, constant sum.

    Proper subgames are counted without regard to information sets with one action. If a tree is too large to build,
    the counts are computed from the rules. For a variant of Liar's Dice that is too large for a tree, the command
    prints the measured solving time of the game, or of the most similar measured game (docs/oracle.md).

    \b
    Examples:
      efg-builder info liars-dice sides=3
      efg-builder info liars-dice sides=6 dice=5,5
    """
    game = source(words).subject(max_nodes)
    data = size_and_properties(game)
    from ..equilibria.measured import nearest_measured
    from ..equilibria.solve import solver_by_rules

    alone = solver_by_rules(game)
    measured = nearest_measured(game.given_rules) if game.given_rules and alone else None
    if as_json:
        data["measured"] = None if measured is None else measured.to_json()
        print_json(data)
        return
    echo(data["title"])
    for key in ("nodes", "chance_nodes", "decision_nodes", "terminal_nodes", "infosets"):
        echo(f"  {key.replace('_', ' '):<16}{data[key]:>30,}")
    for name, count in zip(data["players"], data["infosets_by_player"], strict=True):
        echo(f"    {name:<14}{count:>30,}")
    checked = "" if data["checked"] else " (by the rules; too large to check each node)"
    echo(f"  perfect recall  {'yes' if data['perfect_recall'] else 'no'}{checked}")
    for entry in data["forgotten"][:SHOWN_NAMES]:
        echo(f"                  {entry['text']}")
    if len(data["forgotten"]) > SHOWN_NAMES:
        more = plural(len(data["forgotten"]) - SHOWN_NAMES, "more information set")
        echo(f"                  and {more}: --json lists all")
    total = f"yes, {data['sum']}" if data["constant_sum"] else "no"
    echo(f"  constant sum    {total}")
    if data["proper_subgames"]:
        echo(f"  proper subgames{data['proper_subgames']:>31,}")
    if alone is not None:
        echo(f"  method          {alone.name}, without building the tree (--method auto)")
        echo(f"  time to solve   {'not measured' if measured is None else f'{measured} on two cores'}")
    for note in data["notes"]:
        echo(f"  note: {note}")


SHOWN_NAMES = 4
"""Maximum number of renamed labels in the message of ``build``."""


@click.command("build")
@options.words
@options.outputs(
    "Gambit file (.efg, or - for standard output), linear program (.mps, .lp) or exact matrices (.npz).",
    required=True,
    stdout=True,
)
@click.option(
    "--portable",
    is_flag=True,
    help="For strict parsers of .efg files: ASCII labels, payoffs only at terminal nodes, information sets numbered "
    "from 1.",
)
@options.max_nodes
def build(words: tuple[str, ...], outputs: tuple[Path, ...], portable: bool, max_nodes: int) -> None:
    """Write the .efg file of a game for Gambit, or its sequence form for other solvers; convert FILE.efg or FILE.nfg.

    The sequence form is for two players with perfect recall. If the sum of payoffs is constant, .mps and .lp files
    contain player 1's linear program, whose optimal value is the game's value for player 1. Comments name each row and
    column; numbers are decimals with 17 digits. An .npz file contains the exact constraints and payoff matrices of both
    players, with names.

    \b
    Examples:
      efg-builder build liars-dice sides=2 -o game.efg
      efg-builder build dice-poker -o -
      efg-builder build strategic.nfg -o game.efg
      efg-builder build dice-poker -o poker.lp -o poker.npz
    """
    from ..interop.sequence_files import SUFFIXES, write_sequence_form

    check_outputs([path for path in outputs if path.suffix], (".efg", *SUFFIXES))
    programs = [path for path in outputs if ending(path, *SUFFIXES)]
    if portable and len(programs) == len(outputs):
        raise ParameterError("--portable is for .efg files")
    tree = source(words).tree(max_nodes)
    for path in outputs:
        if path in programs:
            write_sequence_form(tree, path)
            say(f"{path}")
        else:
            _write_efg(tree, path, portable)


def _write_efg(tree: GameTree, path: Path, portable: bool) -> None:
    from ..interop.efg import renamed, write_efg

    write_efg(tree, path, portable=portable)
    if pairs := renamed(tree, portable=portable):
        shown = [f"{was if was.isprintable() else repr(was)} is now {now}" for was, now in pairs[:SHOWN_NAMES]]
        more = f", and {len(pairs) - SHOWN_NAMES:,} more" if len(pairs) > SHOWN_NAMES else ""
        say(f"renamed for Gambit's reader: {', '.join(shown)}{more}")
    say(f"{'standard output' if path == options.STDOUT else path}: {size_in_words(tree)}")
