"""Where work is done: processes of this machine, this very process, or a Dask cluster (``jobs.dask_pool``).

    with executor(workers=4) as pool:                    # or executor(address="tcp://host:8786")
        futures = [pool.submit(function, value) for value in values]

All take plain functions of picklable values.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ...base.errors import ParameterError
from .pool import Pool

T = TypeVar("T")


@contextmanager
def executor(workers: int | None = None, address: str | None = None) -> Iterator[Pool]:
    """A pool of *workers* processes here (None: one for each core it may use), or the cluster at *address*.

    Leaving it waits for what was submitted; leaving it by an exception stops that. Raises ``ParameterError`` where
    both are given, where the cluster cannot be reached, and ``NotApplicableError`` without the extra ``cluster``.
    """
    if workers is not None and address is not None:
        raise ParameterError("--workers is for processes on this machine; a cluster (--scheduler) has its own")
    pool: Pool
    if address is None:
        pool = ProcessPool(workers or cores())
    else:
        from .dask_pool import DaskPool

        pool = DaskPool(address)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.shutdown()


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ProcessPool(Pool):
    """Processes of this machine, one to a thread: a process that dies loses only its own task.

    They end with this process, however it ends: each waits for the end of a pipe that nobody writes to.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="variant")
        self._own = threading.local()
        self._ours: list[ProcessPoolExecutor] = []
        self._spawn = multiprocessing.get_context("spawn")
        self._end, self._open = self._spawn.Pipe(duplex=False)

    def width(self) -> int:
        """The number of processes."""
        return self._workers

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run *function* in one of the processes."""
        return self._threads.submit(self._run, function, args, named)

    def _run(self, function: Callable[..., T], args: tuple[Any, ...], named: dict[str, Any]) -> T:
        """In a thread of its own: wait for the one process of this thread."""
        process: ProcessPoolExecutor | None = getattr(self._own, "process", None)
        if process is None:
            process = self._own.process = ProcessPoolExecutor(1, self._spawn, _begin, (self._end,))
            self._ours.append(process)
        try:
            return process.submit(function, *args, **named).result()
        except BrokenExecutor:
            self._own.process = None
            # Its semaphores are given back when its own thread has ended, which may be the last that this process does.
            process.shutdown(wait=True)
            raise

    def stop(self) -> None:
        """End the processes, and with each the one that it has started."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._open.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what was submitted, and end the processes."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process in self._ours:
            process.shutdown(wait, cancel_futures=cancel_futures)
        with suppress(OSError):
            self._open.close()
            self._end.close()


def _begin(end: Connection) -> None:
    """In each process at its start: Ctrl-C at the terminal is for the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_wait_for_end, args=(end,), daemon=True).start()


def _wait_for_end(end: Connection) -> None:
    with suppress(OSError, EOFError):
        end.recv_bytes()
    os._exit(1)


class InProcess(Pool):
    """Runs each task in this very process, when it is submitted."""

    def width(self) -> int:
        """One."""
        return 1

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run *function* now; the future that is returned has ended. ``KeyboardInterrupt`` is raised here."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self) -> None:
        """Nothing runs."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing runs."""
