"""Solutions as JSON data and as tables, and writing them to files."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib import metadata
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import ParameterError
from ..base.facts import attributes, plain
from ..base.files import check_writable, csv_lines, write_atomically
from ..base.formats import COMPUTED, format_of
from ..base.rationals import Number, text, to_json
from ..base.version import __version__
from ..proof import Verdict
from ..proof.certificate import DEFAULT_RULE, certified_game, digests, strategies_part
from ..proof.certificate.check import REFINED, SEARCHED, refined_part
from ..strategies.reading import EQUILIBRIUM_COLUMN
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile, dealt
from ..strategies.writing import encode, profile_part, table

if TYPE_CHECKING:
    from .solution import Judged, Solution

SUFFIXES = (".json", ".json.gz", ".csv", ".csv.gz")
CURVES = (".svg", ".png", ".pdf")  # the formats of learning curves


def write_solution(solution: Solution, path: str | os.PathLike[str]) -> Path:
    """Write *solution* as JSON or as a table; see ``Solution.write``."""
    check_writable(path)
    name = os.fspath(path).lower().removesuffix(".gz")
    if not name.endswith((".csv", ".json")) and not name.startswith("/dev/"):
        raise ParameterError(f"{os.fspath(path)}: a solution is written as {', '.join(SUFFIXES)}")
    if name.endswith(".csv"):
        return write_atomically(path, csv_lines(solution.table()))
    return write_atomically(path, (part.encode() for part in (*encode(solution.to_json()), "\n")))


def solution_json(solution: Solution) -> dict[str, Any]:
    """Return the data of a solution file; see ``Solution.to_json``."""
    verdict, near = solution.verdict, solution.near
    figures = _figures(verdict)
    data: dict[str, Any] = {
        "format": format_of("solution"),
        "game": certified_game(solution.game, None if solution.sparse is not None else solution.tree),
        **attributes(solution, "method", "status", "message"),
        "value": figures["value"],
        **attributes(solution, "lower", "upper", "exact"),
        "regret": figures["regret"],
        "tolerance": None if solution.tolerance is None else to_json(solution.tolerance),
        "run": _run(solution),
    }
    if verdict is not None and verdict.lower is None:
        # If there are bounds, the regrets follow from the bounds.
        data["regrets"] = plain(verdict.regrets)
    if near is not None and near.radius is not None:
        data["radius"] = plain(near.radius)
    data |= _strategies(solution)
    if solution.refined is not None:
        data["refined"] = refined_part(solution.refined, SEARCHED if solution.off_path.proof else REFINED)
    shown = solution.judged if solution.several else solution.judged[solution.number - 1 : solution.number]
    if any(judged.off_path.known for judged in shown):
        data["off_path"] = [judged.off_path.to_json() if judged.off_path.known else None for judged in shown]
    return data | {"digests": digests(data)}


def _run(solution: Solution) -> dict[str, Any]:
    """Return the part that no proof covers: versions, details without times, bluffs, and answers without a proof."""
    run = {
        "versions": versions(),
        **{key: detail for key, detail in solution.details.items() if key != COMPUTED},
        **solution.bluffs.to_json(),
    }
    if solution.near is not None and solution.near.radius is None:
        run["near"] = solution.near.reason
    if solution.gambit is not None:
        run["gambit"] = solution.gambit.to_json()
    return run


def _strategies(solution: Solution) -> dict[str, Any]:
    if solution.sparse is not None:
        part: dict[str, Any] = {"default": DEFAULT_RULE, "strategies": strategies_part(solution.sparse)}
    else:
        part = {"profile": _profile(solution.judged[solution.number - 1]) if solution.judged else None}
    if solution.several:
        part["equilibria"] = [
            {**_figures(judged.verdict), "equilibrium": judged.equilibrium, "profile": _profile(judged)}
            for judged in solution.judged
        ]
    return part


def _figures(verdict: Verdict | None) -> dict[str, Any]:
    return {"value": None, "regret": None} if verdict is None else attributes(verdict, "value", "regret")


def _profile(judged: Judged) -> list[dict[str, Any]] | None:
    profile, verdict = judged.strategy.tree_profile, judged.verdict
    if profile is None:
        return None
    unknown: list[bool | None] = [None] * len(profile.tree.infosets)
    return profile_part(profile, unknown if verdict is None else [reach > 0 for reach in verdict.reach])


def versions() -> dict[str, str]:
    parts = ("pygambit", "highspy", "numpy", "scipy")
    ours = {"python": platform.python_version(), "efg-builder": __version__}
    return ours | {part: _version(part) for part in parts}


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def solution_table(solution: Solution) -> Iterator[tuple[object, ...]]:
    """Return the rows of a table; see ``Solution.table``."""
    if len(solution.equilibria) < 2:
        return _rows(solution.strategy, solution.verdict)
    numbered = [(n, judged) for n, judged in enumerate(solution.judged, 1) if judged.equilibrium]
    numbered.sort(key=lambda pair: pair[0] != solution.number)  # a reader of the table takes the first strategy
    every = (_rows(dealt(judged.strategy, solution.game), judged.verdict, n) for n, judged in numbered)
    return chain(next(every), *(islice(rows, 1, None) for rows in every))


def _rows(
    strategy: TreeProfile | SparseProfile, verdict: Verdict | None, number: int | None = None
) -> Iterator[tuple[object, ...]]:
    which = () if number is None else (str(number),)

    def besides(k: int | None, p: Number) -> tuple[str, ...]:
        return repr(float(p)), "" if k is None or verdict is None else text(verdict.reach[k]), *which

    return table(
        strategy.canonical(), ("float", "reach probability", *([EQUILIBRIUM_COLUMN] if which else [])), besides
    )
