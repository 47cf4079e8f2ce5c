"""Gambit without its child process, for tests that have it do many small things."""

import json

import pytest

from efg_builder.interop.gambit import child, worker


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

    monkeypatch.setattr(child, "run", run)
