"""``efg-builder verify``: verify the solution in a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import FileError, NotApplicableError, ParameterError
from ..base.facts import fact, fact_lines
from ..base.files import SQLITE, begins_with, is_rules_file
from ..base.words import plural
from ..games.catalogue import named
from ..proof.certificate import holds_match, verify_file
from . import NO_EQUILIBRIUM, echo, options
from .common import Progress, answer, show, source

if TYPE_CHECKING:
    from ..experiments.sweeps.proving import Finding
    from ..proof.kernel import Theorem


@click.command("verify")
@click.argument("solution", type=click.Path(path_type=Path), metavar="SOLUTION|FOLDER")
@click.argument(
    "words", nargs=-1, metavar="[GAME KEY=VALUE ... | FILE.efg | FILE.nfg | FILE.ef | FILE.csv | FILE.py:CLASS]"
)
@click.option(
    "--coq",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Also write the value as a theorem about the rules of the game to this folder, and let the kernel of Coq "
    "check it if 'coqc' is installed.",
)
@options.tolerance
@options.workers("1")
@options.as_json
@options.max_nodes
def command(
    solution: Path,
    words: tuple[str, ...],
    coq: Path | None,
    tolerance: Fraction | None,
    workers: int | None,
    as_json: bool,
    max_nodes: int,
) -> int:
    """Verify the solution in the file SOLUTION, from 'efg-builder solve -o', 'match -o' or 'sweep -o'.

    The game is built from its rules, and the strategies are read from the file. Each player's best response is computed
    over the whole game, and the result is compared with the claim in the file. No solver is used. A solution of a game
    file or of FILE.py:CLASS contains the tree. If the tree is large, the solution has only its digest, and you must
    give the game. In a sweep, every certificate is verified and compared with its row, in --workers processes. In a
    data set (a FOLDER from benchmarks/library.py), every game is rebuilt from its row, and all files are compared. A
    tolerance in the file is ignored; use --tolerance. --coq has the value checked by the kernel of Coq, without this
    package.

    Exit code 0: the claim in the file is true; 3: the claim is false, or the file was changed. In case 3, the output
    names the position in the file.
    """
    if str(solution) == "-":
        raise ParameterError("'-' is not a file: verify reads SOLUTION from a file, not from standard input")
    if coq is not None and solution.exists() and not (solution.is_file() or solution.is_dir()):
        raise ParameterError(f"--coq reads the solution more than once, and {solution} is not a file but a pipe")
    if coq is not None and _has_many(solution):
        raise ParameterError(f"--coq is for the solution of one game, and {solution} has many")
    if solution.is_dir():
        if words or tolerance is not None or workers is not None:
            problem = "its rows name their games, and its equilibria are exact"
            raise ParameterError(f"{solution} is a folder: {problem}; leave out games, --tolerance and --workers")
        return _library(solution, as_json, max_nodes)
    if not solution.suffix and not solution.exists():
        way = "'efg-builder solve GAME -o FILE.json' writes a file"
        raise FileError(f"there is no file {str(solution)!r} to verify; {way}")
    if begins_with(solution, SQLITE):
        if tolerance is not None:
            raise ParameterError(f"{solution} is a sweep, whose equilibria are exact; leave out --tolerance")
        return _sweep(solution, words, workers or 1, as_json, max_nodes)
    if workers is not None:
        raise ParameterError(f"--workers is for the rows of a sweep, and {solution} is not a sweep")
    game = source(words).subject(max_nodes) if words else None
    proof = verify_file(solution, game, tolerance=tolerance, max_nodes=max_nodes)
    if coq is not None:
        return _with_theorem(proof, as_json, lambda: prove_in_coq(solution, game, coq, max_nodes))
    answer(proof, as_json)
    return 0


def _has_many(path: Path) -> bool:
    return path.is_dir() or begins_with(path, SQLITE) or (path.exists() and holds_match(path))


def _with_theorem(proof: Any, as_json: bool, theorem_of: Callable[[], Theorem]) -> int:
    """Print *proof* and then the theorem, in one document if *as_json*. Return the exit code."""
    if not as_json:
        answer(proof, False)
    theorem = theorem_of()
    show(as_json, lambda: proof.to_json() | {"theorem": theorem.to_json()}, lambda: fact_lines(theorem.facts()))
    return NO_EQUILIBRIUM if theorem.accepted is False else 0


def prove_in_coq(path: Path, game: Any, folder: Path, max_nodes: int) -> Theorem:
    """Write the theorem of the solution at *path* to *folder*, and ask the kernel of Coq if it is installed."""
    from ..equilibria.stored import read_solution
    from ..proof.kernel import ask_kernel, is_installed, write_theorem

    solution = read_solution(path, game, max_nodes=max_nodes)
    strategies = solution.sparse or solution.profile
    if not solution.exact or solution.value is None or strategies is None:
        raise NotApplicableError(
            f"{path}: a theorem needs an exact value of a game with two players and a constant sum"
        )
    theorem = write_theorem(solution.game, strategies.on_tree(), Fraction(solution.value[0]), folder)
    if not is_installed():
        return theorem
    with Progress() as progress:
        return ask_kernel(theorem, progress)


def _sweep(path: Path, words: tuple[str, ...], workers: int, as_json: bool, max_nodes: int) -> int:
    """Verify each row of a sweep. Return exit code 3 if a row is wrong."""
    from ..experiments.sweeps.proving import RESULTS, WRONG, prove_sweep

    if words and (len(words) > 1 or not is_rules_file(words[0])):
        raise ParameterError(f"{path} is a sweep, whose rows name their games; leave out {words[0]!r}")
    if words:
        named(words[0])
        workers = 1  # the class is loaded only in this process
    counts = _prove(
        lambda progress: prove_sweep(path, workers=workers, max_nodes=max_nodes, progress=progress),
        {"file": str(path)},
        RESULTS,
        describe_rows,
        as_json,
    )
    return NO_EQUILIBRIUM if counts[WRONG] else 0


def _library(folder: Path, as_json: bool, max_nodes: int) -> int:
    """Verify each game of a data set. Return exit code 3 unless all games are verified."""
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
    """Print all *findings*, and return the number of findings by result. After Ctrl-C, print the findings so far."""
    listed: list[Any] = []
    try:
        with Progress() as progress:
            for finding in findings(progress):
                listed.append(finding)
    except KeyboardInterrupt:
        if not as_json:
            echo("\n".join(lines(listed)))
        raise
    counts = Counter(finding.result for finding in listed)
    show(
        as_json,
        lambda: about | {"counts": {key: counts[key] for key in results}, "rows": [each.to_json() for each in listed]},
        lambda: lines(listed),
    )
    return counts


def describe_rows(found: Sequence[Finding]) -> list[str]:
    from ..experiments.sweeps.proving import BRACKET, PROVED, WITHOUT, WRONG
    from ..experiments.sweeps.store import DONE

    counts = Counter(finding.result for finding in found)
    facts = [fact("wrong", f"{finding.key}: {finding.problem}") for finding in found if finding.result == WRONG]
    rows = f"{plural(len(found), 'row')}: {counts[PROVED]:,} proved, {counts[WRONG]:,} wrong"
    facts.append(fact("checked", rows))
    if counts[BRACKET]:
        only = f"{plural(counts[BRACKET], 'row')} done with only a bracket, which proves no value"
        facts.append(fact("bracket", only))
    for label, said, some in (
        ("not done", "", [finding for finding in found if finding.status != DONE]),
        ("unproved", " without a certificate", [finding for finding in found if finding.result == WITHOUT]),
    ):
        by_status = Counter(finding.status for finding in some)
        states = ", ".join(f"{count:,} {status}" for status, count in by_status.most_common())
        if some:
            facts.append(fact(label, f"{plural(len(some), 'row')}{said} ({states})"))
    return [*fact_lines(facts)]
