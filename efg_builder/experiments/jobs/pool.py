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
    """An executor that says how many tasks it runs at once, and can be stopped before they end."""

    address: str | None = None
    """Of the scheduler, where it is a cluster."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)
    """A future that ends with one of these lost its worker; its work can be submitted again."""

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
