"""Gambit's routines run in a child process: how it ends, and what is left of it."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from gambit_games import BIDS, SOLVERS, best_on_tree, solve
from small_files import SHORT_BATTLE

import efg_builder as eb
from efg_builder.base import child as base_child
from efg_builder.interop.gambit import child
from efg_builder.solvers.gambit.routines import COMPUTED
from efg_builder.solvers.protocol import Request

NEEDS_PS = pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps to list processes with")


def children_of(pid):
    """The workers that the process *pid* started and that still run."""
    return [int(row[0]) for row in processes() if int(row[1]) == pid and "efg_builder.interop.gambit.worker" in row[3]]


def workers():
    return {int(row[0]) for row in processes() if "efg_builder.interop.gambit.worker" in row[3]}


def processes():
    """Process id, parent, state and arguments of all processes; -ww because ps cuts lines where COLUMNS is set."""
    command = ["ps", "-ww", "-eo", "pid,ppid,stat,args"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [line.split(None, 3) for line in listed.splitlines()[1:]]


@NEEDS_PS
def test_the_time_limit_ends_the_child():
    seen = []
    began = time.monotonic()
    request = Request(2.0, {}, lambda line: seen.extend(children_of(os.getpid())))
    found = SOLVERS["gambit-enummixed"].run(BIDS, request)
    assert time.monotonic() - began < 4
    assert seen, "while it ran, the child was not found"
    assert (found.ended, found.strategies) == ("timeout", ())
    assert found.message == "stopped at the time limit of 2 s"
    assert not children_of(os.getpid())


SLOW_START = "import time; time.sleep(2); from efg_builder.interop.gambit import worker; worker.main()"


def test_the_start_of_the_process_is_no_part_of_the_time_limit(monkeypatch):
    command = (sys.executable, "-c", SLOW_START)
    monkeypatch.setattr(child, "_start", lambda stderr: base_child.start(command, stderr, base_child.with_package()))
    solution = eb.solve(eb.parse_efg(SHORT_BATTLE), timeout=1.5)
    assert (solution.status, solution.method) == ("equilibrium", "gambit-lcp")
    assert solution.details[COMPUTED] < 1.5 < solution.seconds


def test_a_process_that_does_not_start_is_given_up(monkeypatch):
    monkeypatch.setattr(child, "START", 0.2)
    found = SOLVERS["gambit-lp"].run(BIDS, Request())
    assert (found.ended, found.message) == ("timeout", "Gambit's process did not start within 0.2 s")


def test_what_was_found_before_the_time_limit_is_kept():
    # The first pure equilibria come at once; trying all pairs of strategies would take very long.
    found = solve("gambit-enumpure", BIDS, timeout=6.0)
    assert found.ended == "timeout"
    assert found.strategies
    assert all(best_on_tree(profile, 0) + best_on_tree(profile, 1) == 0 for profile in found.strategies)


SCRIPT = """
import sys
from efg_builder.games.catalogue import game
from efg_builder.solvers.protocol import Request, method
from efg_builder.forms.extensive import build
def progress(line):
    print(line, flush=True)
try:
    method("gambit-enummixed").run(build(game("liars-dice", sides=2)), Request(60.0, {}, progress))
except KeyboardInterrupt:
    print("INTERRUPTED", flush=True)
    sys.exit(7)
"""


def running_script():
    """A process in which Gambit computes, and the worker's process id."""
    # A shell's background jobs ignore SIGINT, and what they start does too unless it is told not to.
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    for line in process.stdout:
        if "2 s of" in line:
            break
    (pid,) = children_of(process.pid)
    assert pid in workers()
    return process, pid


@NEEDS_PS
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_the_child_and_is_raised_again():
    process, pid = running_script()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=10)
    assert process.returncode == 7
    assert "INTERRUPTED" in rest
    assert pid not in workers()


@NEEDS_PS
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time limit ends it")
def test_the_child_dies_with_its_parent():
    process, pid = running_script()
    process.kill()
    process.communicate(timeout=10)
    deadline = time.monotonic() + 5
    while pid in workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert pid not in workers()


def test_a_crash_is_survived_and_told():
    # pygambit 17.0.0b2 follows a null pointer where nobody plays.
    answer = child.run([b'EFG 2 R "nobody" { }\n""\nt "" 0\n'], "logit_solve", {}, 30.0)
    assert (answer.rows, answer.ended) == ([], "failed")
    assert answer.message == "Gambit crashed (SIGSEGV)"


def test_what_gambit_cannot_read_is_told():
    answer = child.run([b"EFG 2 X"], "lp_solve", {}, 30.0)
    assert answer.ended == "failed"
    assert answer.message.startswith("Parse error")


@NEEDS_PS
def test_an_exception_in_the_progress_line_ends_the_child():
    seen = []

    def refuse(line):
        began = time.monotonic()
        while not seen and time.monotonic() - began < 10:  # until it has its own name in the list
            seen.extend(children_of(os.getpid()))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        SOLVERS["gambit-lp"].run(BIDS, Request(30.0, {}, refuse))
    assert seen, "while it ran, the child was not found"
    assert not children_of(os.getpid())
