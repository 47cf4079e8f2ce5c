"""``efg-builder train``: train a neural network by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import FileError, ParameterError
from ..base.facts import attributes
from ..base.words import plural
from ..games.catalogue import key_values
from . import TIME_LIMIT, say
from . import options as opts
from .common import Progress, check_outputs, show, source, written

if TYPE_CHECKING:
    from ..players.nets.training import TrainedNet


@click.command("train", cls=opts.Grouped, first="output steps timeout kind resume")
@opts.words
@click.option(
    "--kind",
    metavar="NAME",
    default="value",
    show_default=True,
    help="Learning algorithm: value (self-play with a value network) or deep-cfr (regrets and average strategy over "
    "all histories and hands; closer to an equilibrium; for games with up to 18 bids).",
)
@opts.outputs("File for the network (.npz).")
@opts.count("--steps", "Number of training steps, e.g. 500. [default: value 2,000, deep-cfr 120]", high=10**9)
@opts.timeout(
    said="Time limit for training in seconds, e.g. 600. At the limit, the network is written, and the exit code is 4."
)
@opts.seed(0)
@opts.path("--checkpoints", said="Folder for checkpoints, from which --resume continues.", metavar="FOLDER")
@opts.count("--every", "Seconds between checkpoints.", high=10**6, metavar="SECONDS", default=30)
@click.option(
    "--resume",
    is_flag=True,
    help="Resume from the checkpoint in --checkpoints. The result is the same as without an interruption.",
)
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"]),
    default="auto",
    show_default=True,
    help="Device for training; auto uses a GPU if PyTorch finds one.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="Setting of the network or the training, e.g. width=64; docs/neural.md lists the settings. May be repeated.",
)
@click.option(
    "--half",
    is_flag=True,
    help="Write 16-bit weights: the file has half the size, and the network plays almost equally well.",
)
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
    """Train a neural network to play two-player Liar's Dice, by self-play.

    Training needs PyTorch: pip install 'efg-builder[neural]'. Playing and measuring the network do not need PyTorch:
    'efg-builder evaluate GAME --strategy neural:net.npz' computes the payoff of a best response. After Ctrl-C, the exit
    code is 130, and --resume continues from the last checkpoint.

    \b
    Examples:
      efg-builder train liars-dice sides=2 --steps 20 -o net.npz
      efg-builder train liars-dice sides=2 --kind deep-cfr --steps 5 --checkpoints kept -o net.npz
    """
    check_outputs(outputs, (".npz",))
    game = source(words).game
    if isinstance(game, Path):
        raise ParameterError(f"{game} is a file; a network learns from rules, such as liars-dice")
    from ..players.nets import write_net
    from ..players.nets.encoding import two_bidders
    from ..players.nets.training import train

    two_bidders(game, game.title, "a network")
    if not outputs and checkpoints is None:
        raise ParameterError("nothing would be saved; name a file for the network: -o FILE.npz")
    settings |= {"options": key_values(options, "options"), "checkpoints": checkpoints}
    with Progress() as progress:
        try:
            run = train(game, progress=lambda course: progress(str(course)), **settings)
        except KeyboardInterrupt:
            if checkpoints is not None and (checkpoints / "state.npz").exists():
                say(
                    f"interrupted; {checkpoints / 'state.npz'} is saved; --checkpoints {checkpoints} --resume continues"
                )
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
        f"net         {run.net.kind}, {plural(run.net.parameters, 'parameter')}",
        f"steps       {run.net.trained['steps']:,}{'' if run.complete else ', stopped by the time limit'}",
        f"seconds     {run.seconds:.1f}",
    ]
