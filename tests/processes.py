"""Processes of a test: found, waited for and killed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import psutil

PATIENCE = 120
"""Seconds after which a test that waits fails; no test asserts a time."""


def until(condition):
    """Wait for *condition* to give something true, and return that."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def children(pid, recursive=False):
    """The processes that *pid* has started; with *recursive*, and that these have."""
    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(pid).children(recursive)]
    return []


def below(pid):
    """All processes below *pid*."""
    return children(pid, recursive=True)


def gone(pid):
    """Whether *pid* does not run (it may wait to be collected)."""
    try:
        return psutil.Process(pid).status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return True


def kill(pid):
    os.kill(pid, signal.SIGKILL)


def start(*words, **more):
    """``efg-builder`` on its way. Where the tests run in the background they ignore SIGINT; it does not."""
    return subprocess.Popen(
        [sys.executable, "-m", "efg_builder", *map(str, words)],
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def interrupted(words, begun):
    """Exit code, stdout and stderr of a command that gets SIGINT when its progress in a terminal contains *begun*."""
    terminal, stderr = os.openpty()
    process = start(*words, stderr=stderr)
    os.close(stderr)
    said = ""
    with suppress(OSError):  # a terminal that nobody holds open any more
        while begun not in said:
            said += os.read(terminal, 4096).decode()
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    with suppress(OSError):
        while more := os.read(terminal, 4096):
            said += more.decode()
    os.close(terminal)
    return process.returncode, out, said
