"""The options of ``exam``, and the rules for their combinations."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...base.errors import ParameterError
from ...forms.extensive import MAX_NODES
from ...players import TIMEOUT


@dataclass(frozen=True, kw_only=True)
class ExamOptions:
    """The options of ``exam``, by the names of its parameters; ``words`` name the game.

    Without ``score`` and ``at``, positions are drawn. Raises ``ParameterError`` for options that exclude each other.
    """

    words: tuple[str, ...] = ()
    output: Path | None = None
    solution: Path | None = None
    count: int = 200
    seed: int = 1
    answers: bool = False
    at: str | None = None
    score: str | None = None
    positions: Path | None = None
    timeout: float = TIMEOUT
    as_json: bool = False
    max_nodes: int = MAX_NODES

    def __post_init__(self) -> None:
        scores, prices = self.score is not None, self.at is not None
        draws = not scores and not prices
        key = draws and self.output is not None and self.output.suffix == ".jsonl"
        for wrong, problem in (
            (scores and prices, "--score and --at exclude each other; use one of them"),
            (scores != (self.positions is not None), "--score FILE and --positions FILE must be used together"),
            (
                not self.words and (not scores or self.solution is not None),
                "name a game; 'efg-builder games' lists the games",
            ),
            (draws and self.output is None, "name a file for the positions: -o positions.jsonl"),
            (draws and self.as_json, "--json is for --score and --at"),
            (prices and self.output is not None, "--at prints one position; it takes no -o"),
            (
                self.output is not None and self.output in (self.positions, Path(self.score or "")),
                "-o names an input file; name another file",
            ),
            (self.answers and not key, "--answers needs -o NAME.jsonl"),
        ):
            if wrong:
                raise ParameterError(problem)
