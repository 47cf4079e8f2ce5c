"""What all tests share: marks by folder, which tests run and with how many processes, hypothesis, the commands."""

import errno
import json
import os
import time
from collections import Counter

import pytest
from chromium import browser
from hypothesis import settings
from paths import TESTS

from efg_builder.base import files
from efg_builder.cli import run
from efg_builder.interop.gambit import child, worker

# Before NumPy is imported, here and in processes of the tests: tests run on all cores already, and small matrices
# only wait for each other's threads.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# No test asserts a time: not that of an example either, which pays for what is imported when it is first used.
settings.register_profile("house", deadline=None)
settings.load_profile("house")

BEGAN = time.monotonic()

__all__ = ["browser"]  # a fixture of the tests in folders


def pytest_configure(config):
    for folder in TESTS.iterdir():
        config.addinivalue_line("markers", f"{folder.name}: the tests in tests/{folder.name}, each of which has it")


def pytest_xdist_auto_num_workers(config):
    """None for the tests of one file, which are over before workers have started; else two."""
    files = {word.partition("::")[0] for word in config.args}
    return 0 if len(files) == 1 and files.pop().endswith(".py") else 2


@pytest.hookimpl(tryfirst=True)  # before -m is applied
def pytest_collection_modifyitems(config, items):
    cases = Counter()
    for item in items:
        item.add_marker(item.path.relative_to(TESTS).parts[0])
        if first := item.get_closest_marker("first"):
            cases[item.path, item.originalname] += 1
            if cases[item.path, item.originalname] > first.args[0]:
                item.add_marker("slow")
    # Not by a default -m, which another -m would replace: 'pytest -m solvers' leaves the slow ones out too.
    if "slow" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("slow")]
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=left_out)


def pytest_runtest_setup(item):
    """Slow tests begin within the first EFG_SLOW_SECONDS of a session, where that is set."""
    limit = float(os.environ.get("EFG_SLOW_SECONDS", "inf"))
    if item.get_closest_marker("slow") and time.monotonic() - BEGAN > limit:
        pytest.skip("no time left (EFG_SLOW_SECONDS)")


@pytest.fixture
def cli(capfd, monkeypatch):
    monkeypatch.setattr("efg_builder.cli.common.QUIET", float("inf"))  # or a busy machine would tell of its progress

    def call(*words):
        code = run([str(word) for word in words])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def full_disk(monkeypatch):
    """No file can be written; the list that is returned has one entry for each attempt."""
    tried = []

    def fail(target, chunks):
        tried.append(target)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files, "_replace", fail)
    return tried


@pytest.fixture
def in_process(monkeypatch):
    """Gambit in this very process: the child's start takes a second, a tiny game a millisecond."""

    def run(chunks, routine, options, timeout=None, progress=None):
        messages = []
        request = json.loads(json.dumps({"routine": routine, "options": options}))
        worker.serve(request, b"".join(chunks).decode(), messages.append)
        answer = child.GambitAnswer()
        for message in messages:
            child._take(json.dumps(message).encode(), answer)
        return answer

    monkeypatch.setattr(child, "run", run)
