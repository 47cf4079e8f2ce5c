"""``efg-builder match``: rounds until one side has no dice left, solved backward."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from ..games.match_rules import PARAMETERS
from ..solvers.driver import Keeper
from . import TIME_LIMIT, say
from .common import (
    Progress,
    check_outputs,
    gap_option,
    json_option,
    outputs_option,
    path_option,
    rules_of_match,
    scheduler_option,
    show,
    timeout_option,
    workers_option,
    written,
)

if TYPE_CHECKING:
    from ..equilibria.solution import Solution
    from ..experiments.matches import Match

FILES, PICTURES = (".json", ".gz"), (".svg", ".png", ".pdf")


@click.command("match", epilog="Settings: " + "; ".join(f"{p.name}={p.default} ({p.help})" for p in PARAMETERS) + ".")
@click.argument("words", nargs=-1, metavar="liars-dice [KEY=VALUE ...]")
@outputs_option(
    "A file to write: .json or .json.gz (the certificate, kept after every round), .svg, .png or .pdf (a chart to "
    "print)."
)
@timeout_option()
@gap_option
@path_option("--resume", said="Go on from a certificate: -o of before.", metavar="FILE")
@path_option("--checkpoint", said="Keep the state of long rounds beside it.", metavar="PREFIX")
@workers_option()
@scheduler_option
@json_option
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    timeout: Fraction | None,
    gap: Fraction | None,
    resume: Path | None,
    checkpoint: Path | None,
    workers: int | None,
    scheduler: str | None,
    as_json: bool,
) -> int:
    """Solve a whole match of Liar's Dice for two: rounds until one side has no dice left.

    Solved backward over the dice that are left: each round is played for what the rest of the match is worth, so
    what comes out is who wins how often with perfect play on both sides. Exact where every round is; else a bracket.
    --timeout and --gap are for each round; what is known by then is carried forward.
    Payoffs are 1 for winning the match and -1 for losing it. Exit code 4: a round ended at the time limit.
    Long rounds that do not depend on one another are solved at once.

    \b
    Examples:
      efg-builder match liars-dice sides=3 dice=2,1
      efg-builder match liars-dice sides=2 dice=2,2 loss=difference next=winner -o match.json.gz -o chart.svg
      efg-builder match liars-dice sides=2 dice=3,2 loss=difference next=winner --resume match.json.gz -o match.json.gz
    """
    rules = rules_of_match(words, "match")
    check_outputs(outputs, FILES + PICTURES)
    from ..experiments.matches import read_match, solve_match

    files = [path for path in outputs if path.suffix.lower() in FILES]
    before = None if resume is None else read_match(resume)
    if resume is not None and before is not None and (beside := _beside(resume)).exists():
        # A run that went on from this file was broken off: its rounds are the better ones.
        later = read_match(beside)
        if replace(later.rules, dice=before.rules.dice) == before.rules:
            rounds = {each.pair: each for each in (*before.rounds, *later.rounds)}
            before = replace(before, rounds=tuple(rounds.values()))

    late, kept = False, dict[Path, Path]()
    keepers = [Keeper(path, every=0) for path in files]

    def keep(match: Match, solved: Solution | None) -> None:
        nonlocal late
        late = late or (solved is not None and solved.status == "timeout")
        for keeper in keepers:
            keeper.keep(lambda path: save(match, path))

    def save(match: Match, path: Path) -> None:
        kept[path] = _write(match, path, before if _same_file(path, resume) else None)

    with Progress() as progress, _pool(workers, scheduler) as pool:
        try:
            match = solve_match(
                rules,
                timeout=timeout,
                gap=gap,
                progress=progress,
                resume=before,
                keep=keep,
                checkpoint=checkpoint,
                executor=pool,
            )
        except KeyboardInterrupt:
            for keeper in keepers:
                keeper.end()
            for path in list(kept.values())[:1]:
                say(f"interrupted; what is solved is in {path}: --resume {path} goes on")
            raise

    def write(path: Path) -> None:
        if path not in files:
            match.draw(path)
        elif any(keeper.path == path and keeper.failed for keeper in keepers):
            save(match, path)
        say(f"{path}")

    with written(outputs, write) as done:
        show(as_json, match.to_json, lambda: _lines(match, [path for path in files if path in done]))
    return TIME_LIMIT if late else 0


def _pool(workers: int | None, scheduler: str | None) -> AbstractContextManager[Executor | None]:
    """Where rounds are solved; None: in this process, one after the other. Raises what ``executor`` raises."""
    from ..base.machine import cores
    from ..experiments.jobs.executors import executor

    if scheduler is None and (workers or cores()) == 1:
        return nullcontext()
    return executor(workers, scheduler)


def _same_file(path: Path, other: Path | None) -> bool:
    return other is not None and path.exists() and other.exists() and path.samefile(other)


def _beside(path: Path) -> Path:
    """Where a run that goes on from *path* keeps what it has, as long as that is less."""
    return path.with_name(f"going-on-{path.name}")


def _write(match: Match, path: Path, before: Match | None) -> Path:
    """Write *match* to *path*, or beside it as long as *before*, which is there, has more rounds: nothing is lost."""
    beside = _beside(path)
    if before is not None and len(match.rounds) < len(before.rounds):
        match.write(beside)
        return beside
    match.write(path)
    if before is not None:
        beside.unlink(missing_ok=True)
    return path


def _lines(match: Match, files: Sequence[Path]) -> list[str]:
    """The match as lines, and how to prove it again from the *files* that were written."""
    return [*str(match).splitlines(), f"proof       {_kept(files)}"]


def _kept(files: Sequence[Path]) -> str:
    if not files:
        return "-o FILE.json keeps it; 'efg-builder verify FILE.json' proves it again, round by round"
    command = f"efg-builder verify {quote(str(files[0]))}"
    return f"kept in {' and '.join(map(str, files))}; to prove it again, round by round: {command}"
