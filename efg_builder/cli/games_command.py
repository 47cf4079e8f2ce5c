"""``efg-builder games``: the catalogue."""

from __future__ import annotations

import click

from ..games.catalogue import broken, catalogue
from . import echo, options, say
from .common import print_json


@click.command("games")
@options.as_json
def command(as_json: bool) -> None:
    """List the games, their parameters, defaults and sources."""
    entries = catalogue().values()
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "summary": game.summary,
                    "parameters": [{"name": p.name, "default": p.default, "help": p.help} for p in game.parameters],
                    "sources": list(game.sources),
                }
                for game in entries
            ]
        )
        return
    for game in entries:
        click.echo(f"{click.style(game.name, bold=True)}  {game.summary}")
        for parameter in game.parameters:
            echo(f"    {parameter.name + '=' + parameter.default:<22} {parameter.help}")
        for source in game.sources:
            echo(f"    from: {source}")
        echo()
    echo("Set a parameter by KEY=VALUE:  efg-builder run liars-dice sides=3 dice=2,1")
    echo("A game of your own is a class in a file, FILE.py:CLASS: docs/your-own-game.md")
    for problem in broken().values():
        say(problem)
