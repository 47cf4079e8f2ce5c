"""The work on one variant: a plain function of picklable values, for any executor."""

from __future__ import annotations

import base64
import os
import platform
from dataclasses import asdict, replace

from .child import Ended, run
from .rows import FAILED, MEMORY, TIMEOUT, Outcome, Task

GRACE = 60.0
"""Seconds that building and verifying may take on top of the time limit, and as long again as the limit itself."""


def solve_variant(task: Task) -> Outcome:
    """Solve *task* in a process of its own, under its limits of time and memory. Whatever happens there is an outcome.

    The time limit is the solver's own, so that it can round and prove the bracket it has by then. One that does not
    stop is killed after twice the limit and a minute, and leaves no bracket; one over its memory limit at once.
    """
    limit = None if task.timeout is None else 2 * task.timeout + GRACE
    return replace(judge(task, run(asdict(task), limit, task.memory)), worker=f"{platform.node()}:{os.getpid()}")


def judge(task: Task, ended: Ended) -> Outcome:
    """The outcome of a child process that ended so."""
    peak = max(ended.peak, ended.answer.get("peak_bytes") or 0) or None
    if ended.how == "answered":
        data = dict(ended.answer)
        if data["certificate"] is not None:
            data["certificate"] = base64.b64decode(data["certificate"])
        found = Outcome(**data)
        return replace(found, peak_bytes=peak, seconds=found.seconds or round(ended.seconds, 3))
    status, error = FAILED, ended.reason
    if ended.how == "memory":
        assert task.memory is not None
        status, error = MEMORY, f"over the memory limit of {task.memory / 2**20:g} MiB"
    if ended.how == "timeout":
        assert task.timeout is not None
        error = f"did not stop at the time limit of {task.timeout:g} s, killed after {ended.seconds:.0f} s"
        status = TIMEOUT
    return Outcome(status, seconds=round(ended.seconds, 3), peak_bytes=peak, error=error)
