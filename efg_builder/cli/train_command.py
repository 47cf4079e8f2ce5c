"""``efg-builder train``: a net that learns the game by playing against itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from ..base.errors import FileError, ParameterError
from ..base.words import plural
from . import TIME_LIMIT, echo, say
from .common import (
    Command,
    Progress,
    check_outputs,
    json_option,
    key_values,
    outputs_option,
    path_option,
    print_json,
    seed_option,
    source,
    timeout_option,
    words_argument,
    written,
)

FILES, ONNX = (".npz",), (".onnx",)


@click.command("train", cls=Command, old={"--onnx": "-o"})
@words_argument
@click.option(
    "--kind",
    metavar="NAME",
    default="value",
    show_default=True,
    help="How to learn: value (self-play with a net of values) or deep-cfr (regrets and average strategy, all "
    "histories and hands at once: nearer to equilibrium, games of up to 18 bids).",
)
@outputs_option("The net: .npz to play, .onnx for other programs.")
@path_option("--net", said="Train nothing: take this net, for -o FILE.onnx.", metavar="FILE")
@click.option(
    "--steps",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="How long to train (default: value 2,000, deep-cfr 120).",
)
@timeout_option(said="How long to train at most; the net is then what it is by then, and the exit code is 4.")
@seed_option(0)
@path_option("--checkpoints", said="Keep there what --resume goes on from.", metavar="FOLDER")
@click.option(
    "--every", type=click.IntRange(1, 10**6), metavar="SECONDS", default=30, show_default=True, help="How often."
)
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
@json_option
def command(
    words: tuple[str, ...],
    kind: str,
    outputs: tuple[Path, ...],
    net: Path | None,
    steps: int | None,
    timeout: Fraction | None,
    seed: int,
    checkpoints: Path | None,
    every: int,
    resume: bool,
    device: str,
    options: tuple[str, ...],
    half: bool,
    as_json: bool,
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
    check_outputs(outputs, (*FILES, *ONNX))
    onnx = [path for path in outputs if path.suffix.lower() in ONNX]
    if net is not None:
        return _convert(net, outputs)
    if not outputs and checkpoints is None:
        raise ParameterError("nothing would be kept; -o FILE.npz names the net's file")
    from ..players.nets import write_net
    from ..players.nets.onnx_file import write_onnx
    from ..players.nets.training import train

    chosen = source(words)
    if chosen.game is None:
        raise ParameterError(f"{chosen.file} is a file; a net learns from rules, as of liars-dice")
    with Progress() as progress:
        try:
            run = train(
                chosen.game,
                kind,
                steps=steps,
                timeout=None if timeout is None else float(timeout),
                seed=seed,
                options=key_values(options, "options"),
                device=device,
                checkpoints=checkpoints,
                every=every,
                resume=resume,
                progress=lambda course: progress(str(course)),
            )
        except KeyboardInterrupt:
            if checkpoints is not None and (checkpoints / "state.npz").exists():
                say(f"interrupted; {checkpoints / 'state.npz'} is kept: --checkpoints {checkpoints} --resume goes on")
            raise
    learnt = run.net

    def write(path: Path) -> None:
        if path in onnx:
            write_onnx(path, learnt)
        else:
            write_net(path, learnt, half)
        say(f"{path}")

    with written(outputs, write) as files:
        if as_json:
            facts = {"game": learnt.game.title, "kind": learnt.kind, "parameters": learnt.parameters}
            ended = {"trained": dict(learnt.trained), "complete": run.complete, "seconds": run.seconds}
            print_json(facts | ended | {"files": [str(path) for path in files]})
        else:
            echo(learnt.game.title)
            echo(f"net         {learnt.kind}, {plural(learnt.parameters, 'number')}")
            echo(f"steps       {learnt.trained['steps']:,}{'' if run.complete else ', ended by the time limit'}")
            echo(f"seconds     {run.seconds:.1f}")
    if run.unsaved and not outputs:
        raise FileError(run.unsaved)
    return 0 if run.complete else TIME_LIMIT


def _convert(net: Path, outputs: Sequence[Path]) -> int:
    if not outputs or any(path.suffix.lower() not in ONNX for path in outputs):
        raise ParameterError("--net FILE.npz is for -o FILE.onnx, and no other file")
    from ..players.nets import read_net
    from ..players.nets.onnx_file import write_onnx

    for path in outputs:
        write_onnx(path, read_net(net))
        say(f"{path}")
    return 0
