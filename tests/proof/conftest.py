"""What the tests of both stand-alone checkers share."""

import shutil
import subprocess
import sys

import pytest


@pytest.fixture
def check(tmp_path, request):
    """Runs the module's checker as somebody does who has nothing but the file: alone in a folder, without
    site-packages."""
    folder = tmp_path / "alone"
    folder.mkdir()
    shutil.copy(request.module.SOURCE, folder)

    def run(*paths):
        command = [sys.executable, "-I", "-S", request.module.SOURCE.name, *map(str, paths)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines(), done.stderr

    return run
