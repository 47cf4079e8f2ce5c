"""Executors: processes on this machine, the current process, or a Dask cluster.

    with executor(workers=4) as pool:                    # or executor(address="tcp://host:8786")
        futures = [pool.submit(function, value) for value in values]

Tasks are module-level functions with picklable arguments.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from fractions import Fraction
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar

from ...base.errors import NotSolvedError, ParameterError, not_installed
from ...base.machine import cores

J = TypeVar("J")
T = TypeVar("T")

unwanted: ContextVar[Callable[[], bool]] = ContextVar("unwanted", default=lambda: False)
"""A function that returns whether the current task was canceled. A cluster's pool sets this function for each task."""


PATIENCE = "20s"  # time limit for finding the scheduler of a cluster


class Pool(Executor):
    """An executor that can be stopped, and that reports its ``width``.

    ``address``: the address of a cluster's scheduler. A future raises ``BrokenExecutor`` if its worker died; the task
    can then be submitted again.
    """

    address: str | None = None

    @abstractmethod
    def width(self) -> int:
        """Return the current maximum number of simultaneous tasks; 0 while a cluster has no workers.

        Raises ``NotSolvedError`` if the cluster cannot be reached.
        """

    def stop(self) -> None:
        """End all tasks without waiting for them."""


def as_done(pool: Pool, function: Callable[[J], T], jobs: Iterator[J], width: int) -> Iterator[tuple[J, Future[T]]]:
    """Submit *jobs*, *width* at a time, and yield each job with its finished future."""
    held: dict[Future[T], J] = {}
    while held := held | {pool.submit(function, job): job for job in islice(jobs, width - len(held))}:
        for future in wait(held, timeout=1.0, return_when=FIRST_COMPLETED)[0]:
            yield held.pop(future), future


@contextmanager
def executor(
    workers: int | None = None, address: str | None = None, *, here: bool = False, main: bool = True
) -> Iterator[Pool]:
    """Open a pool of *workers* processes (by default, one per core), or the cluster at *address*.

    If *here* is true and there is one worker, tasks run in the current process. If *main* is false, processes do not
    import the main program, so they cannot use its classes. A normal exit from the context waits for all tasks; an
    exception stops the pool. Raises ``ParameterError`` if both *workers* and *address* are given, or the cluster cannot
    be reached.
    """
    if workers is not None and address is not None:
        raise ParameterError("--workers is for processes on this machine; a cluster (--scheduler) has its own workers")
    pool: Pool
    if here and (workers or cores()) == 1:
        pool = InProcess()
    elif address is None:
        pool = ProcessPool(workers or cores(), main)
    else:
        pool = DaskPool(address)
    try:
        yield pool
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.shutdown()


class ProcessPool(Pool):
    """Processes on this machine, each with its own thread, so that a process that dies loses only its own task.

    The processes exit with this process, because each waits for a pipe to close. ``ProcessPoolExecutor`` would need two
    extra threads, and would hang if it could not start them.
    """

    def __init__(self, workers: int, main: bool = True) -> None:
        self._workers, self._main = workers, main
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="variant")
        self._own = threading.local()
        self._ours: list[tuple[SpawnProcess, Connection]] = []
        self._spawn = multiprocessing.get_context("spawn")
        self._end, self._open = self._spawn.Pipe(duplex=False)

    def width(self) -> int:
        return self._workers

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run *function* in one of the processes.

        Raises ``ParameterError`` if the system cannot start a thread. The future raises this error if the system cannot
        start a process.
        """
        try:
            return self._threads.submit(self._run, function, args, named)
        except RuntimeError as error:
            raise self._refused(error) from None

    def _refused(self, error: Exception) -> ParameterError:
        hint = "try fewer workers, or allow more memory (ulimit -v) or processes (ulimit -u)"
        if sys.platform == "emscripten":
            hint = "a browser has neither; a command for one game works without them"
        return ParameterError(
            f"--workers {self._workers}: the system cannot start another process or thread ({error}); {hint}"
        )

    def _run(self, function: Callable[..., T], args: tuple[Any, ...], named: dict[str, Any]) -> T:
        try:
            if not hasattr(self._own, "line"):
                self._own.line = self._started()
            line: Connection = self._own.line
            line.send((function, args, named))
            found, error = line.recv()
        except (EOFError, ConnectionError) as lost:
            vars(self._own).clear()
            raise BrokenExecutor("a process ended before it answered") from lost
        if error is not None:
            raise error
        return found  # type: ignore[no-any-return]

    def _started(self) -> Connection:
        """Return the pipe to a new process.

        Raises ``ParameterError`` if the system cannot start a process. Raises ``EOFError`` if the process dies during
        startup.
        """
        try:
            line, theirs = self._spawn.Pipe()
            process = self._spawn.Process(target=_serve, args=(theirs, self._end))
            with nullcontext() if self._main else _hidden_main():
                process.start()
        except (OSError, RuntimeError) as error:
            raise self._refused(error) from None
        self._ours.append((process, line))
        theirs.close()  # so that the pipe closes when the process exits
        refused = line.recv()
        if refused is not None:
            raise self._refused(refused)
        return line

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._open.close()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process, line in self._ours:
            line.close()
            if wait:
                process.join()
        with suppress(OSError):
            self._open.close()
            self._end.close()


# By default, a fraction is pickled as text, and unpickling the text takes as long as solving a small game.
ForkingPickler.register(Fraction, lambda number: (Fraction, (number.numerator, number.denominator)))

_starting = threading.Lock()


@contextmanager
def _hidden_main() -> Iterator[None]:
    """Hide the main program from a new process, which would otherwise run the script again."""
    main: dict[str, Any] = vars(sys.modules["__main__"])
    with _starting:
        saved: dict[str, Any] = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
        main["__spec__"] = None
        try:
            yield
        finally:
            main.update(saved)


def _serve(line: Connection, end: Connection) -> None:
    """In a child process, run the tasks that arrive on the pipe *line* until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the parent process handles Ctrl-C
    try:
        threading.Thread(target=_wait_for_end, args=(end,), daemon=True).start()
    except RuntimeError as error:
        return line.send(error)
    line.send(None)
    while True:
        try:
            function, args, named = line.recv()
        except EOFError:
            return None
        try:
            answer: tuple[Any, Exception | None] = (function(*args, **named), None)
        except Exception as error:
            answer = (None, error)
        try:
            line.send(answer)
        except Exception as error:  # the answer cannot be pickled
            line.send((None, RuntimeError(f"{type(error).__name__}: {error}")))


def _wait_for_end(end: Connection) -> None:
    with suppress(OSError, EOFError):
        end.recv_bytes()
    os._exit(1)


class InProcess(Pool):
    """The current process, which runs each task on submission."""

    def width(self) -> int:
        return 1

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        """Run *function* now, and return a finished future. ``KeyboardInterrupt`` is raised, not stored."""
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **named))
        except Exception as error:
            future.set_exception(error)
        return future


class DaskPool(Pool):
    """The workers of a Dask cluster, which must have the same version of this package.

    If a worker dies, the cluster itself repeats the task, up to ``allowed-failures`` times.
    """

    def __init__(self, address: str) -> None:
        self.address, dask = address, _dask()
        # Silence the client's log, because the errors raised here report the same problems.
        self._log = logging.getLogger("distributed.client")
        self._level = self._log.level
        self._log.setLevel(logging.CRITICAL)
        try:
            self._client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            self._log.setLevel(self._level)
            said = str(error).partition("\n")[0] or type(error).__name__
            raise ParameterError(f"--scheduler {address}: cannot be reached: {said}") from None
        self._executor = self._client.get_executor(pure=False)

    def width(self) -> int:
        """Return the total number of threads of the current workers."""
        try:
            return sum(self._client.nthreads().values())
        except (OSError, TimeoutError) as error:
            problem = f"the scheduler at {self.address} is gone; repeat the command to continue when it is back"
            raise NotSolvedError(problem) from error

    def submit(self, function: Callable[..., T], /, *args: Any, **named: Any) -> Future[T]:
        future: Future[T] = self._executor.submit(_until_unwanted, function, args, named)
        return future

    def stop(self) -> None:
        """Cancel all tasks. A running task notices the cancellation at its next call of ``unwanted``."""
        self._executor.shutdown(wait=False)
        self._client.close(timeout=2)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._executor.shutdown(wait and not cancel_futures)
        self._client.close(timeout=2)
        self._log.setLevel(self._level)


def _until_unwanted(function: Callable[..., T], args: tuple[Any, ...], named: dict[str, Any]) -> T:
    worker = _dask().get_worker()
    key = worker.get_current_task()

    def forgotten() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    token = unwanted.set(forgotten)
    try:
        return function(*args, **named)
    finally:
        unwanted.reset(token)


def _dask() -> Any:
    try:
        import distributed
    except ImportError:
        raise not_installed("--scheduler", "Dask", "cluster") from None
    return distributed
