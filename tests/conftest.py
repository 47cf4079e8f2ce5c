"""Fixtures of several test modules."""

import os

import pytest
from hypothesis import settings

from efg_builder.cli import run

# Before NumPy is imported, here and in processes of the tests: tests run on all cores already, and small matrices
# only wait for each other's threads.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# No test asserts a time: not that of an example either, which pays for what is imported when it is first used.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


@pytest.fixture
def cli(capfd):
    def call(*words):
        code = run([str(word) for word in words])
        out, err = capfd.readouterr()
        return code, out, err

    return call
