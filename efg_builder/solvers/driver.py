"""What surrounds every long search: its time limit, Ctrl-C, and its checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..base.words import STOPPING
from .checkpoint import Keeper
from .lp.highs import TimeLimit
from .protocol import Ended, Request, countdown


class Driver:
    """The limits of one request: ``ended`` and ``message`` say how the search stopped."""

    def __init__(self, request: Request) -> None:
        self.left = countdown(request.timeout)
        self.progress = request.progress
        self.keeper = Keeper(request.checkpoint)
        self.ended: Ended = "done"
        self.message = ""

    @property
    def late(self) -> bool:
        """Whether the time is used up."""
        seconds = self.left()
        return seconds is not None and seconds <= 0

    def check_time(self) -> None:
        """Raise ``TimeLimit`` if the time is used up."""
        if self.late:
            raise TimeLimit("time limit")

    def save(self, write: Callable[[Path], object]) -> None:
        """Let *write* make the checkpoint, if one was asked for and it is time to."""
        self.keeper.keep(write)

    @contextmanager
    def stopping(self) -> Iterator[None]:
        """Turn the time limit and Ctrl-C in the body into ``ended`` and ``message``; then close the checkpoint."""
        try:
            yield
        except TimeLimit:
            self.ended, self.message = "timeout", f"the time limit came first{self.keeper.how_to_resume()}"
        except KeyboardInterrupt:
            self.progress(STOPPING)
            self.ended, self.message = "interrupted", f"stopped before the end{self.keeper.how_to_resume()}"
        self.keeper.end()

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """Cut short what only improves an answer: at the time limit or Ctrl-C the answer stays as it is."""
        try:
            yield
        except TimeLimit:
            pass
        except KeyboardInterrupt:
            self.progress(STOPPING)
