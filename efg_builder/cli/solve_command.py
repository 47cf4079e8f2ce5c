"""``efg-builder solve``: an equilibrium, verified."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..errors import ParameterError
from ..files import write_atomically
from ..solution import Solution
from ..solvers import methods
from ..solving import solve
from . import NO_EQUILIBRIUM, TIME_LIMIT
from .common import (
    Progress,
    json_option,
    key_values,
    max_nodes_option,
    print_json,
    rational,
    solve_options,
    source,
    words_argument,
)


def _list_methods(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or ctx.resilient_parsing:
        return
    for solver in methods().values():
        click.echo(f"{click.style(solver.name, bold=True)}  {solver.summary}\n    {solver.source}")
        for option, text in solver.options.items():
            click.echo(f"      --option {option}=...  {text}")
    ctx.exit()


@click.command("solve")
@words_argument
@solve_options
@click.option("--gap", type=rational(0), metavar="NUMBER", help="A bracket at most this wide counts as success.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the solution as JSON.")
@json_option
@max_nodes_option
@click.option(
    "--methods", is_flag=True, is_eager=True, expose_value=False, callback=_list_methods, help="List the methods."
)
def command(
    words: tuple[str, ...],
    gap: Fraction | None,
    output: Path | None,
    as_json: bool,
    max_nodes: int,
    **settings: Any,
) -> int:
    """Find an equilibrium and verify it by best responses over the whole tree.

    Exit code 0: a verified equilibrium, or the asked-for gap; 3: none; 4: time limit.
    """
    given = source(words)
    with Progress() as progress:
        solution = solve_with(given.tree(max_nodes), progress, **settings)
    if as_json or output is not None:
        data = solution.to_json()
        if output is not None:
            write_json(data, output)
        if as_json:
            print_json(data)
    if not as_json:
        for line in describe(solution):
            click.echo(line)
        if output is not None:
            click.echo(f"solution      {output}")
    return exit_code(solution, gap)


def solve_with(
    tree: Any,
    progress: Progress,
    *,
    method: str,
    timeout: Fraction | None,
    tolerance: Fraction | None,
    options: tuple[str, ...],
) -> Solution:
    """:func:`efg_builder.solving.solve` with the command line's settings."""
    own = dict(key_values(options, "--option"))
    known = methods()[method].options if method in methods() else {}
    if method == "auto" and own:
        raise ParameterError(f"--option {next(iter(own))} needs a --method: 'auto' has none of its own")
    unknown = sorted(set(own) - set(known))
    if method in methods() and unknown:
        right = ", ".join(known) if known else "it has none"
        raise ParameterError(f"{method} has no option {unknown[0]!r}; its options: {right}")
    return solve(
        tree,
        method,
        timeout=None if timeout is None else float(timeout),
        tolerance=None if tolerance is None else float(tolerance),
        options=own,
        progress=progress,
    )


def write_json(data: object, path: Path) -> None:
    """Write *data* as JSON, whole or not at all."""
    encoder = json.JSONEncoder(indent=1, ensure_ascii=False)
    write_atomically(path, (chunk.encode() for chunk in (*encoder.iterencode(data), "\n")))


def describe(solution: Solution) -> list[str]:
    """The solution in a few lines."""
    lines = [f"{solution.tree.title}", f"method        {solution.method}", f"status        {solution.status}"]
    if solution.message:
        lines.append(f"              {solution.message}")
    if solution.value is not None:
        for player, value in zip(solution.tree.players, solution.value, strict=True):
            lines.append(f"value         {player}: {number(value)}")
    if solution.lower is not None and solution.lower != solution.upper:
        lines.append(f"bracket       {number(solution.lower)} to {number(solution.upper)}")
    if solution.regret is not None:
        proof = " (exact: two best responses over the whole tree agree)" if solution.exact else ""
        lines.append(f"regret        {number(solution.regret)}{proof}")
    if solution.several:
        good = sum(1 for j in solution.judged if j.verdict and j.verdict.equilibrium)
        lines.append(f"found         {len(solution.judged)} profiles, {good} verified as equilibria")
    return [*lines, f"seconds       {solution.seconds:.2f}"]


def number(value: object) -> str:
    """A number for people: a fraction with its decimal, a float as it is."""
    if isinstance(value, Fraction):
        return f"{value}" if value.denominator == 1 else f"{value} = {float(value):.6g}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def exit_code(solution: Solution, gap: Fraction | None = None) -> int:
    """The command line's verdict."""
    if solution.status == "equilibrium":
        return 0
    reached = gap is not None and solution.lower is not None and solution.upper is not None
    if reached and gap is not None and Fraction(solution.upper or 0) - Fraction(solution.lower or 0) <= gap:
        return 0
    return TIME_LIMIT if solution.status == "timeout" else NO_EQUILIBRIUM
