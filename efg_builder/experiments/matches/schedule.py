"""Where rounds are solved: here, one after the other, or at once on the workers of an executor.

A file in a shared folder asks workers to stop, and others hold their lines of progress. A worker on another machine may
not see that folder: its round then does not stop early, and reports nothing before it ends.
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ...base.errors import NotSolvedError, warnings_as_lines
from ...base.words import VERIFYING
from ...equilibria.solution import Solution
from ...games.match_rules import StakedRound

RETRIES = 2
"""A round whose worker dies is tried this often again."""

PATIENCE = 60.0
"""Seconds that rounds have on Ctrl-C to stop, and to prove the brackets that they have."""

LOOK = 0.5
"""Seconds between two lines of progress, here and on the workers."""

STOP = "stop"
LAST = VERIFYING
"""The line of progress from which on a round is all but done, and is not stopped."""


@dataclass(frozen=True)
class Order:
    """A round to be solved, as plain values that can be sent anywhere.

    ``timeout`` in seconds, ``gap``: as of ``solve``. ``state``: the file that keeps the state of the
    search, and from which it goes on where it exists. ``folder``: of progress and the request to stop.
    """

    game: StakedRound
    timeout: float | Fraction | None = None
    gap: float | Fraction | None = None
    state: Path | None = None
    folder: Path | None = None

    @property
    def name(self) -> str:
        """``2 against 1``."""
        return " against ".join(map(str, self.game.dice))


Solve = Callable[[Order, Callable[[str], None]], Solution]
"""Solves a round, and reports its progress. A plain function of a module, so that it can be pickled."""


@dataclass
class Work:
    """The rounds that are being solved on ``executor``; ``lost`` counts the workers that died under each."""

    executor: Executor
    solve: Solve
    folder: Path
    held: dict[Future[Solution], Order] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)

    def give(self, order: Order) -> None:
        """Submit *order*. Raises ``NotSolvedError`` where the executor accepts no more."""
        try:
            self.held[self.executor.submit(away, self.solve, order)] = order
        except (BrokenExecutor, RuntimeError) as error:
            raise NotSolvedError(f"{order.name}: nobody is there to solve it: {error}") from None

    def ended(self, timeout: float = LOOK) -> Iterator[tuple[Order, Solution]]:
        """Those that ended by now, or within *timeout* seconds.

        Raises ``NotSolvedError`` where one failed, as where its workers died too often.
        """
        done, _ = wait(self.held, timeout=timeout, return_when=FIRST_COMPLETED)
        for future in done:
            order = self.held.pop(future)
            try:
                yield order, future.result()
            except CancelledError:
                raise NotSolvedError(f"{order.name}: it was dropped by the executor; --resume goes on") from None
            except getattr(self.executor, "lost", BrokenExecutor):
                self.lost[order.name] += 1
                if self.lost[order.name] > RETRIES:
                    raise NotSolvedError(f"{order.name}: its worker died {self.lost[order.name]} times") from None
                self.give(order)

    def stop(self, patience: float = PATIENCE) -> Iterator[tuple[Order, Solution]]:
        """Cancel what has not begun, ask the others to stop, and yield their results within *patience* seconds."""
        self.call_off()
        end = time.monotonic() + patience
        while self.held and (left := end - time.monotonic()) > 0:
            yield from self.ended(left)

    def call_off(self) -> None:
        """Cancel what has not begun, and ask the others to stop."""
        (self.folder / STOP).touch()
        for future in [future for future in self.held if future.cancel()]:
            del self.held[future]

    def latest_line(self) -> str:
        """The latest line of progress of any round; empty where there is none."""
        said: list[tuple[float, str, str]] = []
        for order in self.held.values():
            with contextlib.suppress(OSError):
                path = self.folder / order.name
                said.append((path.stat().st_mtime, order.name, path.read_text()))
        return ": ".join(max(said)[1:]) if said else ""


@contextmanager
def work_on(executor: Executor, solve: Solve) -> Iterator[Work]:
    """Rounds to be solved on *executor* by *solve*; leaving calls off what is left of them."""
    with tempfile.TemporaryDirectory(prefix="efg-builder-match-") as folder:
        work = Work(executor, solve, Path(folder))
        try:
            yield work
        finally:
            work.call_off()


def away(solve: Solve, order: Order) -> Solution:
    """On a worker: solve *order*, report its progress, and stop on request."""
    spoken = float("-inf")

    def tell(line: str) -> None:
        nonlocal spoken
        now, folder = time.monotonic(), order.folder
        if folder is None or line == LAST or now - spoken < LOOK:
            return
        spoken = now
        if (folder / STOP).exists():
            # Once: what was asked to stop is not asked again while it proves what it has.
            spoken = float("inf")
            raise KeyboardInterrupt
        with contextlib.suppress(OSError):
            (folder / order.name).write_text(line)

    with warnings_as_lines(lambda line: print(f"{order.name}: {line}", file=sys.stderr)):
        return solve(order, tell)
