"""``efg-builder match``: solve a whole match, backward from the last round."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from ..games.match_rules import PARAMETERS
from . import TIME_LIMIT, options, say
from .common import Progress, check_outputs, ending, rules_of_match, show, written

FILES, PICTURES = (".json", ".gz"), (".svg", ".png", ".pdf")


def _former(_context: click.Context, _option: click.Parameter, given: str | None) -> None:
    if given is not None:
        say("--workers and --scheduler have no effect, as rounds are solved one by one; the next release drops them")


@click.command("match", epilog="Settings: " + "; ".join(f"{p.name}={p.default} ({p.help})" for p in PARAMETERS) + ".")
@click.argument("words", nargs=-1, metavar="liars-dice [KEY=VALUE ...]")
@options.outputs("Certificate, saved after every round (.json, .json.gz), or chart for printing (.svg, .png, .pdf).")
@options.timeout()
@options.gap
@options.path("--resume", said="Resume from this certificate, which an earlier run wrote with -o.", metavar="FILE")
@options.path("--checkpoint", said="Save the state of long rounds in files with this prefix.", metavar="PREFIX")
@click.option("--workers", "--scheduler", hidden=True, expose_value=False, callback=_former)
@options.as_json
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    resume: Path | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Solve a whole match of Liar's Dice for two players: rounds until one player has no dice left.

    The match is solved backward over the numbers of dice left: the payoff of a round is the value of the rest of the
    match. The result is each player's probability of winning if both play optimally. It is exact if every round is
    solved exactly; otherwise it is a bracket. --timeout and --gap apply to each round. If a round reaches a limit, its
    bracket is used in the other rounds. The payoff is 1 for winning the match and -1 for losing it. Exit code 4: a
    round reached the time limit.

    \b
    Examples:
      efg-builder match liars-dice sides=3 dice=2,1
      efg-builder match liars-dice sides=2 dice=2,2 loss=difference next=winner -o match.json.gz -o chart.svg
      efg-builder match liars-dice sides=2 dice=3,2 loss=difference next=winner --resume match.json.gz -o match.json.gz
    """
    rules = rules_of_match(words, "match")
    check_outputs(outputs, FILES + PICTURES)
    from ..experiments.matches import solve_match
    from ..experiments.matches.saving import MatchFiles

    kept = MatchFiles([path for path in outputs if ending(path, *FILES)], resume)
    with Progress() as progress:
        try:
            match = solve_match(rules, progress=progress, resume=kept.before, keep=kept.keep, **settings)
        except KeyboardInterrupt:
            for keeper in kept.keepers:
                keeper.end()
            for path in list(kept.files.values())[:1]:
                say(f"interrupted; the solved rounds are in {path}: --resume {path} continues")
            raise

    def write(path: Path) -> None:
        if not ending(path, *FILES):
            match.draw(path)
        elif any(keeper.path == path and keeper.failed for keeper in kept.keepers):
            kept.save(match, path)

    with written(outputs, write, tell="") as done:
        files = [path for path in done if ending(path, *FILES)]
        show(as_json, match.to_json, lambda: [*str(match).splitlines(), f"proof       {_proof(files)}"])
    return TIME_LIMIT if kept.late else 0


def _proof(files: Sequence[Path]) -> str:
    if not files:
        return "-o FILE.json saves it; 'efg-builder verify FILE.json' verifies it, round by round"
    command = f"efg-builder verify {quote(str(files[0]))}"
    return f"saved in {' and '.join(map(str, files))}; to verify it, round by round: {command}"
