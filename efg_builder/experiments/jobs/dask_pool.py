"""A Dask cluster as an executor. The only module that imports ``distributed``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from ...base.errors import NotSolvedError, ParameterError, not_installed
from .executors import Pool, unwanted

try:
    import distributed
except ImportError:
    raise not_installed("--scheduler", "Dask", "cluster") from None

T = TypeVar("T")

_dask: Any = distributed
"""The library, which has no types."""

PATIENCE = "20s"
"""How long to look for the scheduler."""


class DaskPool(Pool):
    """The workers of the scheduler at *address*; they must have this package installed, of the same version.

    The cluster itself starts a task again whose worker has died (up to its ``allowed-failures``, by default three
    times).
    """

    def __init__(self, address: str) -> None:
        self.address = address
        # The errors raised here say in one line what its log says with tracebacks.
        self._log = logging.getLogger("distributed.client")
        self._level = self._log.level
        self._log.setLevel(logging.CRITICAL)
        try:
            self._client = _dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            self._log.setLevel(self._level)
            said = str(error).partition("\n")[0] or type(error).__name__
            raise ParameterError(f"--scheduler {address}: cannot be reached: {said}") from None
        self._executor = self._client.get_executor(pure=False)

    def width(self) -> int:
        """The threads of all workers that the cluster has now, 0 while it has none."""
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            problem = f"the scheduler at {self.address} is gone; the same command goes on when it is back"
            raise NotSolvedError(problem) from error

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run *function* on one of the workers."""
        future: Future[T] = self._executor.submit(_until_unwanted, function, args, named)
        return future

    def stop(self) -> None:
        """Cancel all that was submitted; a worker notices when it next asks ``unwanted``."""
        self._executor.shutdown(wait=False)
        self._client.close(timeout=2)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what was submitted, and leave the cluster."""
        self._executor.shutdown(wait and not cancel_futures)
        self._client.close(timeout=2)
        self._log.setLevel(self._level)


def _until_unwanted(function: Callable[..., T], args: tuple[Any, ...], named: dict[str, Any]) -> T:
    """On a worker: set ``unwanted`` for the task."""
    worker = _dask.get_worker()
    key = worker.get_current_task()

    def forgotten() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    token = unwanted.set(forgotten)
    try:
        return function(*args, **named)
    finally:
        unwanted.reset(token)
