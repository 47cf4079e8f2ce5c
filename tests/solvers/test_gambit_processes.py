"""Gambit's routines run in a child process: how it ends, and what is left of it."""

import os
import signal
import subprocess
import sys

import pytest
from gambit_games import BIDS, SOLVERS, solve
from processes import PATIENCE, children, gone, until
from small_files import BATTLE

import efg_builder as eb
from efg_builder.base import child as base_child
from efg_builder.base.formats import COMPUTED
from efg_builder.interop.efg import parse_efg
from efg_builder.interop.gambit import child
from efg_builder.proof import verify
from efg_builder.solvers.protocol import Request


def test_the_time_limit_ends_the_child():
    seen = []
    others = set(children(os.getpid()))  # of other tests
    request = Request(2.0, {}, lambda line: seen.extend(set(children(os.getpid())) - others))
    found = SOLVERS["gambit-enummixed"].run(BIDS, request)
    assert seen, "while it ran, the child was not found"
    assert (found.ended, found.strategies) == ("timeout", ())
    assert found.message == "stopped at the time limit"
    assert all(map(gone, seen))


SLOW_START = "import time; time.sleep(3); from efg_builder.interop.gambit import worker; worker.main()"


def test_the_start_of_the_process_is_no_part_of_the_time_limit(monkeypatch):
    command, start = (sys.executable, "-c", SLOW_START), base_child.start
    monkeypatch.setattr(base_child, "start", lambda _, *words: start(command, *words))
    solution = eb.solve(eb.parse_efg(BATTLE), "gambit-lcp", timeout=2.5)
    assert solution.status == "equilibrium"
    assert solution.details[COMPUTED] < solution.seconds - 3


def test_a_process_that_does_not_start_is_given_up(monkeypatch):
    monkeypatch.setattr(child, "START", 0.2)
    found = SOLVERS["gambit-lp"].run(BIDS, Request())
    assert (found.ended, found.message) == ("timeout", "Gambit's process did not start within 0.2 s")


@pytest.mark.slow
def test_what_was_found_before_the_time_limit_is_kept():
    # Of 2^16 plans the first one is best. To list them takes a third of the time that it takes to try them all.
    sets = range(1, 17)
    chance = " ".join(f'"{k}" 1/16' for k in sets)
    choices = "".join(f'p "" 1 {k} "{k}" {{ "l" "r" }} 0\nt "" 1 "" {{ 1 0 }}\nt "" 2 "" {{ 0 0 }}\n' for k in sets)
    tree = parse_efg(f'EFG 2 R "t" {{ "A" "B" }} ""\nc "" 1 "" {{ {chance} }} 0\n{choices}')
    tried = (solve("gambit-enumpure", tree, timeout=seconds) for seconds in (2.5, 5.0, 10.0, 20.0))
    found = next(each for each in tried if each.strategies)
    assert found.ended == "timeout"
    assert [verify(profile).value for profile in found.strategies] == [(1, 0)]


SCRIPT = """
import sys
from efg_builder.games.catalogue import game
from efg_builder.solvers.protocol import Request
from efg_builder.solvers.registry import method
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
    (pid,) = children(process.pid)
    return process, pid


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_ends_the_child_and_is_raised_again():
    process, pid = running_script()
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 7
    assert "INTERRUPTED" in rest
    assert gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time limit ends it")
def test_the_child_dies_with_its_parent():
    process, pid = running_script()
    process.kill()
    process.communicate(timeout=PATIENCE)
    until(lambda: gone(pid))


def test_a_crash_is_survived_and_told():
    # pygambit 17.0.0b2 follows a null pointer where nobody plays.
    answer = child.run([b'EFG 2 R "nobody" { }\n""\nt "" 0\n'], "logit_solve", {}, 30.0)
    assert (answer.rows, answer.ended) == ([], "failed")
    assert answer.message == "Gambit crashed (SIGSEGV)"


def test_what_gambit_cannot_read_is_told():
    answer = child.run([b"EFG 2 X"], "lp_solve", {}, 30.0)
    assert answer.ended == "failed"
    assert answer.message.startswith("Parse error")
