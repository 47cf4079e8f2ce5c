"""Fixtures of several test modules."""

import pytest

from efg_builder.cli import run


@pytest.fixture
def cli(capfd):
    def call(*words):
        code = run([str(word) for word in words])
        out, err = capfd.readouterr()
        return code, out, err

    return call
