"""A pool that is no pool: work is done here, when it is submitted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from ..sweeps.pool import Pool

T = TypeVar("T")


class InProcess(Pool):
    """Does in this very process what it is given, one at a time."""

    def width(self) -> int:
        """One."""
        return 1

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Do it, and give a future that has ended; interrupts come through."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self) -> None:
        """Nothing is on its way."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing is on its way."""
