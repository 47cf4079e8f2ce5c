"""An executor with what long runs need besides: how much it can do at once, and an end in the middle."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any


class Pool(Executor):
    """An executor that tells how much it can do at once, and can be stopped in the middle."""

    address: str | None = None
    """Of the scheduler, where it is a cluster."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """A future that ends with one of these had its worker die under it; the work can be given again."""

    @abstractmethod
    def width(self) -> int:
        """How many tasks run at once now; 0 while a cluster has no workers.

        Raises ``NotSolvedError`` where the cluster is gone.
        """

    @abstractmethod
    def stop(self) -> None:
        """End all work at once, finished or not."""

    def starts(self, future: Future[Any]) -> int:
        """How often the task of *future*, which has ended, was started."""
        return 1
