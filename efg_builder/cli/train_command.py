"""``efg-builder train``: a net that learns the game by playing against itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import FileError, ParameterError
from ..base.words import plural
from ..games.catalogue import key_values
from . import TIME_LIMIT, say
from . import options as opts
from .common import Progress, attributes, check_outputs, show, source, written

if TYPE_CHECKING:
    from ..players.nets.training import TrainedNet


@click.command("train")
@opts.words
@click.option(
    "--kind",
    metavar="NAME",
    default="value",
    show_default=True,
    help="How to learn: value (self-play with a net of values) or deep-cfr (regrets and average strategy, all "
    "histories and hands at once: nearer to equilibrium, games of up to 18 bids).",
)
@opts.outputs("The net: .npz.")
@opts.count("--steps", "How long to train (default: value 2,000, deep-cfr 120).", high=10**9)
@opts.timeout(said="How long to train at most; the net is then what it is by then, and the exit code is 4.")
@opts.seed(0)
@opts.path("--checkpoints", said="Keep there what --resume goes on from.", metavar="FOLDER")
@opts.count("--every", "How often.", high=10**6, metavar="SECONDS", default=30)
@click.option("--resume", is_flag=True, help="Go on from --checkpoints; the net becomes that of one uninterrupted run.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    show_default=True,
    help="Where to work out; auto takes a GPU where PyTorch sees one.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Sizes and rates: see docs/neural.md.")
@click.option("--half", is_flag=True, help="Write the .npz in 16 bits: half the size, nearly the same play.")
@opts.as_json
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    checkpoints: Path | None,
    options: tuple[str, ...],
    half: bool,
    as_json: bool,
    **settings: Any,
) -> int:
    """Train a net to play Liar's Dice for two, by self-play.

    Needs PyTorch: pip install 'efg-builder[neural]'. To play the net, and to measure it, nothing is needed:
    'efg-builder evaluate GAME --strategy neural:net.npz' says what a best response gets.
    Ctrl-C ends with the last checkpoint kept (exit code 130).

    \b
    Examples:
      efg-builder train liars-dice sides=2 --steps 20 -o net.npz
      efg-builder train liars-dice sides=2 --kind deep-cfr --steps 5 --checkpoints kept -o net.npz
    """
    check_outputs(outputs, (".npz",))
    if not outputs and checkpoints is None:
        raise ParameterError("nothing would be kept; -o FILE.npz names the net's file")
    from ..players.nets import write_net
    from ..players.nets.training import train

    chosen = source(words)
    if chosen.game is None:
        raise ParameterError(f"{chosen.file} is a file; a net learns from rules, as of liars-dice")
    settings |= {"options": key_values(options, "options"), "checkpoints": checkpoints}
    with Progress() as progress:
        try:
            run = train(chosen.game, progress=lambda course: progress(str(course)), **settings)
        except KeyboardInterrupt:
            if checkpoints is not None and (checkpoints / "state.npz").exists():
                say(f"interrupted; {checkpoints / 'state.npz'} is kept: --checkpoints {checkpoints} --resume goes on")
            raise
    with written(outputs, lambda path: write_net(path, run.net, half), tell="") as files:
        show(as_json, lambda: _data(run, files), lambda: _lines(run))
    if run.unsaved and not outputs:
        raise FileError(run.unsaved)
    return 0 if run.complete else TIME_LIMIT


def _data(run: TrainedNet, files: Sequence[Path]) -> dict[str, Any]:
    facts = {"game": run.net.game.title} | attributes(run.net, "kind", "parameters", "trained")
    return facts | attributes(run, "complete", "seconds") | {"files": list(map(str, files))}


def _lines(run: TrainedNet) -> list[str]:
    return [
        run.net.game.title,
        f"net         {run.net.kind}, {plural(run.net.parameters, 'number')}",
        f"steps       {run.net.trained['steps']:,}{'' if run.complete else ', ended by the time limit'}",
        f"seconds     {run.seconds:.1f}",
    ]
