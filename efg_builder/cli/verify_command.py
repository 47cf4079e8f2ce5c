"""``efg-builder verify``: a solution, proved again from its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import ParameterError
from ..base.files import SQLITE, begins_with
from ..base.words import equilibrium_within, figure, nobody_gains, plural
from ..games.catalogue import is_file, named
from ..proof.certificate import STOPPED, MatchProof, Proof, verify_file
from . import NO_EQUILIBRIUM, echo
from .common import (
    Progress,
    json_option,
    max_nodes_option,
    print_json,
    show,
    source,
    tolerance_option,
    workers_option,
)
from .match_command import in_words

if TYPE_CHECKING:
    from ..experiments.sweeps.proving import Finding


@click.command("verify")
@click.argument("solution", type=click.Path(path_type=Path), metavar="SOLUTION")
@click.argument("words", nargs=-1, metavar="[GAME KEY=VALUE ... | FILE.efg | FILE.nfg | FILE.py:CLASS]")
@tolerance_option
@workers_option("1")
@json_option
@max_nodes_option
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
    every row that has a certificate is proved, in --workers processes, and held against what that proves. A
    tolerance that the file names is no criterion: --tolerance is.

    Exit code 0: what the file claims is true; 3: it is not, or the file was changed (a line says where).
    """
    if str(solution) == "-":
        raise ParameterError("'-' is no file: verify reads SOLUTION from a file, not from standard input")
    if begins_with(solution, SQLITE):
        if tolerance is not None:
            raise ParameterError(f"{solution} is a sweep, whose equilibria are exact; leave --tolerance out")
        return _sweep(solution, words, workers or 1, as_json, max_nodes)
    if workers is not None:
        raise ParameterError(f"--workers is for the rows of a sweep, and {solution} is none")
    game = source(words).subject(max_nodes) if words else None
    proof = verify_file(solution, game, tolerance=tolerance, max_nodes=max_nodes)
    show(as_json, proof.to_json, lambda: describe(proof) if isinstance(proof, Proof) else describe_match(proof))
    return 0


def _sweep(path: Path, words: tuple[str, ...], workers: int, as_json: bool, max_nodes: int) -> int:
    """The proof of a sweep, row by row; 3 where one is wrong. Of what was found until Ctrl-C the lines are printed."""
    from ..experiments.sweeps.proving import RESULTS, WRONG, prove_sweep

    if words and (len(words) > 1 or not is_file(words[0])):
        raise ParameterError(f"{path} is a sweep, whose rows name their games; leave {words[0]!r} out")
    if words:
        named(words[0])
        workers = 1  # the class is loaded in this process
    found: list[Finding] = []
    try:
        with Progress() as progress:
            for finding in prove_sweep(path, workers=workers, max_nodes=max_nodes, progress=progress):
                found.append(finding)
    except KeyboardInterrupt:
        if not as_json:
            echo("\n".join(describe_rows(found)))
        raise
    counts = Counter(finding.result for finding in found)
    if as_json:
        rows = [finding.to_json() for finding in found]
        print_json({"file": str(path), "counts": {result: counts[result] for result in RESULTS}, "rows": rows})
    else:
        echo("\n".join(describe_rows(found)))
    return NO_EQUILIBRIUM if counts[WRONG] else 0


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


def describe_match(proof: MatchProof) -> list[str]:
    """The proof of a match: a line for each round, and what was checked."""
    lines = [proof.rules.title]
    for pair, bounds in proof.bounds.items():
        how = "exact" if bounds.width == 0 else f"to within {float(bounds.width):.2g}"
        lines.append(f"proved        {pair[0]} against {pair[1]}: {in_words(bounds)} to who bids first ({how})")
    if not proof.rounds:
        lines.append("proved        nothing: there are no rounds in the file")
    left = "" if proof.complete else "; the rounds with more dice are not there"
    return [
        *lines,
        f"checked       {plural(len(proof.rounds), 'round')}, each for what those before it are worth{left}",
    ]


def _verdict(proof: Proof) -> list[str]:
    """What was proved, in a sentence."""
    if proof.lower is None and isinstance(proof.regret, Fraction):
        lines = [f"proved        {nobody_gains(proof.regret) if proof.regret else 'nobody gains by playing otherwise'}"]
        return lines + ([f"              {equilibrium_within(proof.radius)}"] if proof.radius is not None else [])
    if proof.lower is None or proof.upper is None or not proof.exact:
        return []
    first = proof.players[0]
    if proof.lower == proof.upper:
        return [f"proved        the value of the game is {figure(proof.lower)} to {first}"]
    return [f"proved        the value of the game to {first} is from {figure(proof.lower)} to {figure(proof.upper)}"]


def describe(proof: Proof) -> list[str]:
    """The proof in a few lines: the bounds, or the payoffs, and what was checked."""
    lines = [
        proof.title,
        *_verdict(proof),
        f"claim         {proof.status}{': true' if proof.status not in STOPPED else ''}",
    ]
    if proof.tolerance is not None and proof.status == "equilibrium":
        lines.append(f"tolerance     {figure(proof.tolerance)} of the payoff range may be gained in an equilibrium")
    if proof.lower is not None:
        first, second = proof.players
        lines.append(f"lower bound   {first}'s strategy guarantees {first} {figure(proof.lower)}")
        lines.append(f"upper bound   {second}'s strategy allows {first} no more than {figure(proof.upper)}")
    for player, value in zip(proof.players, proof.value, strict=True):
        lines.append(f"payoff        {player}: {figure(value)}")
    lines.append(f"regret        {figure(proof.regret)}")
    sets = ", ".join(f"{name} {count:,}" for name, count in zip(proof.players, proof.written, strict=True))
    lines += [f"checked       {proof.checked}", f"written       information sets: {sets}"]
    if proof.visited is not None:
        visits = zip(proof.players, proof.visited, strict=True)
        sizes = ", ".join(f"{name} {count:,}" for name, count in visits)
        lines.append(f"visited       public histories, by the best response of each: {sizes}")
    elif proof.nodes is not None:
        lines.append(f"visited       {plural(proof.nodes, 'node')}")
    return lines
