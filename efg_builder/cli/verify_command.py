"""``efg-builder verify``: a solution, proved again from its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import ParameterError
from ..base.files import SQLITE, begins_with, is_rules_file
from ..base.words import plural
from ..games.catalogue import named
from ..proof.certificate import verify_file
from . import NO_EQUILIBRIUM, echo, options
from .common import Progress, answer, show, source

if TYPE_CHECKING:
    from ..experiments.sweeps.proving import Finding


@click.command("verify")
@click.argument("solution", type=click.Path(path_type=Path), metavar="SOLUTION|FOLDER")
@click.argument("words", nargs=-1, metavar="[GAME KEY=VALUE ... | FILE.efg | FILE.nfg | FILE.ef | FILE.py:CLASS]")
@options.tolerance
@options.workers("1")
@options.as_json
@options.max_nodes
def command(
    solution: Path,
    words: tuple[str, ...],
    tolerance: Fraction | None,
    workers: int | None,
    as_json: bool,
    max_nodes: int,
) -> int:
    """Prove the solution in the file SOLUTION again, which 'efg-builder solve -o', 'match -o' or 'sweep -o' wrote.

    The game is made from its rules, the strategies are read, each player's best response to them is worked out
    over the whole game, and the claim is held against them. No solver takes part. A solution of a file or of a
    FILE.py:CLASS carries its tree; of a large tree it has only the digest, and the game must be given. Of a sweep
    every row that has a certificate is proved, in --workers processes, and held against what that proves. Of a data
    set, a FOLDER that benchmarks/library.py made, every game is built anew from its row, and all
    files of the data set are compared. A tolerance in the file is ignored: give --tolerance.

    Exit code 0: what the file claims is true; 3: it is not, or the file was changed (a line says where).
    """
    if str(solution) == "-":
        raise ParameterError("'-' is no file: verify reads SOLUTION from a file, not from standard input")
    if solution.is_dir():
        if words or tolerance is not None or workers is not None:
            problem = "its rows name their games, and its equilibria are exact"
            raise ParameterError(f"{solution} is a folder: {problem}; leave games, --tolerance and --workers out")
        return _library(solution, as_json, max_nodes)
    if begins_with(solution, SQLITE):
        if tolerance is not None:
            raise ParameterError(f"{solution} is a sweep, whose equilibria are exact; leave --tolerance out")
        return _sweep(solution, words, workers or 1, as_json, max_nodes)
    if workers is not None:
        raise ParameterError(f"--workers is for the rows of a sweep, and {solution} is none")
    game = source(words).subject(max_nodes) if words else None
    proof = verify_file(solution, game, tolerance=tolerance, max_nodes=max_nodes)
    answer(proof, as_json)
    return 0


def _sweep(path: Path, words: tuple[str, ...], workers: int, as_json: bool, max_nodes: int) -> int:
    """Prove a sweep, row by row; return 3 where one is wrong."""
    from ..experiments.sweeps.proving import RESULTS, WRONG, prove_sweep

    if words and (len(words) > 1 or not is_rules_file(words[0])):
        raise ParameterError(f"{path} is a sweep, whose rows name their games; leave {words[0]!r} out")
    if words:
        named(words[0])
        workers = 1  # the class is loaded in this process
    counts = _prove(
        lambda progress: prove_sweep(path, workers=workers, max_nodes=max_nodes, progress=progress),
        {"file": str(path)},
        RESULTS,
        describe_rows,
        as_json,
    )
    return NO_EQUILIBRIUM if counts[WRONG] else 0


def _library(folder: Path, as_json: bool, max_nodes: int) -> int:
    """Prove a data set, instance by instance; return 3 unless all is proved."""
    from ..experiments.library import PROVED, RESULTS, prove_library

    def lines(found: Sequence[Any]) -> list[str]:
        problems = [f"{each.result}: {each.name}: {each.problem}" for each in found if each.result != PROVED]
        counts = Counter(finding.result for finding in found)
        return [*problems, ", ".join(f"{counts[result]:,} {result}" for result in RESULTS)]

    counts = _prove(
        lambda progress: prove_library(folder, max_nodes=max_nodes, progress=progress),
        {"folder": str(folder)},
        RESULTS,
        lines,
        as_json,
    )
    return 0 if counts and set(+counts) == {PROVED} else NO_EQUILIBRIUM


def _prove(
    findings: Callable[[Progress], Iterable[Any]],
    about: dict[str, Any],
    results: Sequence[str],
    lines: Callable[[Sequence[Any]], list[str]],
    as_json: bool,
) -> Counter[str]:
    """Print all *findings*, at Ctrl-C the *lines* on those until then; return how many there are of each result."""
    found: list[Any] = []
    try:
        with Progress() as progress:
            for finding in findings(progress):
                found.append(finding)
    except KeyboardInterrupt:
        if not as_json:
            echo("\n".join(lines(found)))
        raise
    counts = Counter(finding.result for finding in found)
    show(
        as_json,
        lambda: about | {"counts": {key: counts[key] for key in results}, "rows": [each.to_json() for each in found]},
        lambda: lines(found),
    )
    return counts


def describe_rows(found: Sequence[Finding]) -> list[str]:
    """A line for each row that is wrong, and what there is in all."""
    from ..experiments.sweeps.proving import BRACKET, PROVED, WITHOUT, WRONG
    from ..experiments.sweeps.store import DONE

    counts = Counter(finding.result for finding in found)
    without = Counter(finding.status for finding in found if finding.result == WITHOUT)
    lines = [f"wrong         {finding.key}: {finding.problem}" for finding in found if finding.result == WRONG]
    lines.append(f"checked       {plural(len(found), 'row')}: {counts[PROVED]:,} proved, {counts[WRONG]:,} wrong")
    brackets = counts[BRACKET]
    if brackets:
        lines.append(f"bracket       {plural(brackets, 'row')} done by a bracket alone: no value is proved there")
    undone = Counter(finding.status for finding in found if finding.status != DONE)
    if undone:
        states = ", ".join(f"{count:,} {status}" for status, count in undone.most_common())
        lines.append(f"not done      {plural(undone.total(), 'row')} ({states})")
    if without:
        states = ", ".join(f"{count:,} {status}" for status, count in without.most_common())
        lines.append(f"unproved      {plural(without.total(), 'row')} without a certificate ({states})")
    return lines
