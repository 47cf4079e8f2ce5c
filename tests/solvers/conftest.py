"""Gambit without its child process, for tests that have it do many small things."""

import json
from types import SimpleNamespace

import pytest

from efg_builder.interop.gambit import child, worker
from efg_builder.solvers.gambit import routines as gambit_solvers


@pytest.fixture
def gambit_here(monkeypatch):
    """Gambit in this very process: starting one for every round takes most of a test's time."""

    def run(chunks, routine, options, timeout, progress):
        answer = child.Answer()
        request = {"routine": routine, "options": options}
        worker.serve(request, b"".join(chunks).decode(), lambda said: child._take(worker.json.dumps(said), answer))
        return answer

    monkeypatch.setattr(child, "run", run)


@pytest.fixture
def in_process(monkeypatch):
    """Gambit in this very process: the child's start takes a second, a tiny game a millisecond."""

    def run(chunks, routine, options, timeout=None, progress=None):
        messages = []
        request = json.loads(json.dumps({"routine": routine, "options": options}))
        worker.serve(request, b"".join(chunks).decode(), messages.append)
        answer = child.Answer()
        for message in messages:
            child._take(json.dumps(message).encode(), answer)
        return answer

    monkeypatch.setattr(gambit_solvers, "child", SimpleNamespace(run=run))
