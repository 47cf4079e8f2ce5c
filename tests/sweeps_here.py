"""Sweeps without processes: each of those would import the package anew, which takes longer than a small game."""

from contextlib import contextmanager
from dataclasses import asdict
from unittest import mock

from efg_builder.experiments.jobs.executors import InProcess
from efg_builder.experiments.sweeps import running, work


@contextmanager
def sweeps_here():
    """Solve the variants of a sweep in this very process. tests/sweeps has the same in processes."""
    with (
        mock.patch.object(running, "executor", return_value=InProcess()),
        mock.patch.object(running, "solve_variant", lambda task: work.answer(asdict(task))),
    ):
        yield
