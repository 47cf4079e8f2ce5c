"""The interface of every executor here: an executor that long runs can ask for its width, and stop."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from contextvars import ContextVar
from typing import Any

unwanted: ContextVar[Callable[[], bool]] = ContextVar("unwanted", default=lambda: False)
"""Whether nobody waits for the answer any more; a cluster's pool sets it for the task that it runs."""


class Pool(Executor):
    """An executor that says how many tasks it runs at once, and can be stopped before they end.

    ``address`` is that of the scheduler of a cluster. A future that ends with one of the errors ``lost`` lost its
    worker; its work can be submitted again.
    """

    address: str | None = None
    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    @abstractmethod
    def width(self) -> int:
        """Return how many tasks run at once now; 0 while a cluster has no workers.

        Raises ``NotSolvedError`` if the cluster is gone.
        """

    def stop(self) -> None:
        """End all work at once, finished or not."""

    def starts(self, future: Future[Any]) -> int:
        """Return how often the task of *future*, which has ended, was started."""
        return 1
