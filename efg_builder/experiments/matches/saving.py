"""Saving a match after every round, so that an interrupted run can be resumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...equilibria.solution import Solution
from ...solvers.driver import Keeper
from .backward import Match, read_match


class MatchFiles:
    """The files of a match: *paths*, written after every round. ``late``: True if a round reached the time limit.

    ``before`` is the match in the file *resume*. ``files`` maps each of *paths* to the file that was actually written.
    If one of *paths* is *resume* itself, the run writes a file beside *resume* until it has solved as many rounds as
    *resume* contains. Thus no rounds are lost.
    """

    def __init__(self, paths: Sequence[Path], resume: Path | None) -> None:
        self.resume, self.before, self.late = resume, None if resume is None else read_match(resume), False
        self.keepers, self.files = [Keeper(path, every=0) for path in paths], dict[Path, Path]()
        if resume is not None and self.before is not None and (beside := _beside(resume)).exists():
            # An interrupted run resumed from this file before. If a round is in both files, use the later file.
            later = read_match(beside)
            if replace(later.rules, dice=self.before.rules.dice) == self.before.rules:
                rounds = {each.pair: each for each in (*self.before.rounds, *later.rounds)}
                self.before = replace(self.before, rounds=tuple(rounds.values()))

    def keep(self, match: Match, solved: Solution | None) -> None:
        self.late = self.late or (solved is not None and solved.status == "timeout")
        for keeper in self.keepers:
            keeper.keep(lambda path: self.save(match, path))

    def save(self, match: Match, path: Path) -> None:
        goes_on = self.resume is not None and path.exists() and self.resume.exists() and path.samefile(self.resume)
        fewer = goes_on and self.before is not None and len(match.rounds) < len(self.before.rounds)
        self.files[path] = _beside(path) if fewer else path
        match.write(self.files[path])
        if goes_on and not fewer:
            _beside(path).unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """Return the file that a run resumed from *path* writes while it has solved fewer rounds than *path* contains."""
    return path.with_name(f"going-on-{path.name}")
