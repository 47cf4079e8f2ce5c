"""One variant in a process of its own: its answer, its limits, and how it can die."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict

import pytest
from processes import PATIENCE, gone, until

import efg_builder as eb
from efg_builder.experiments.jobs.executors import unwanted
from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.store import DONE, FAILED, MEMORY, TIMEOUT, Task
from efg_builder.experiments.sweeps.work import solve_variant
from efg_builder.proof.certificate import verify_solution

LARGE = {"sides": "6", "dice": "2,2", "wild": "highest"}
"""Takes far more than the seconds that a test has."""


def task(settings, game="liars-dice", **more):
    return Task("key", game, settings, **more)


def proof(outcome, tmp_path):
    (tmp_path / "c.json.gz").write_bytes(outcome.certificate)
    return verify_solution(tmp_path / "c.json.gz")


def test_an_exact_value_with_its_certificate(tmp_path):
    found = solve_variant(task({"sides": "3"}))
    # -1/9: thomasahle/snyd, README.
    assert (found.status, found.value, found.lower, found.upper, found.exact) == (DONE, "-1/9", "-1/9", "-1/9", True)
    assert (found.outcome, found.method, found.regret, found.error) == ("equilibrium", "lp", "0", None)
    assert found.value_float == found.lower_float == found.upper_float == -1 / 9
    assert found.seconds > 0
    assert found.cpu_seconds > 0
    assert found.peak_bytes > 2**20
    assert json.loads(found.versions)["python"] == ".".join(map(str, sys.version_info[:3]))
    checked = proof(found, tmp_path)
    assert checked.exact
    assert checked.lower == checked.upper == eb.solve(eb.game("liars-dice", sides=3)).value[0]


def test_the_work_of_the_oracle_is_counted():
    found = solve_variant(task({"sides": "4", "dice": "2,1"}))
    again = eb.solve(eb.game("liars-dice", sides=4, dice=(2, 1)))
    # 345/1696: thomasahle/snyd, README.
    assert (found.value, found.method) == ("345/1696", "oracle")
    assert (found.rounds, found.columns) == (again.details["rounds"], sum(again.details["sequences"]))


def test_over_the_time_limit_the_bracket_stays_and_is_proved(tmp_path):
    found = solve_variant(task(LARGE, timeout=1.0))
    assert (found.status, found.outcome, found.value, found.exact) == (TIMEOUT, "timeout", None, False)
    assert found.error == "the time limit came first"
    checked = proof(found, tmp_path)
    assert (str(checked.lower), str(checked.upper)) == (found.lower, found.upper)
    # -1 to 1 is what the rules alone say.
    assert -1 < checked.lower < checked.upper < 1


def test_a_gap_is_enough():
    found = solve_variant(task(LARGE, gap="1", timeout=60.0))
    assert (found.status, found.value, found.error) == (DONE, None, None)
    assert 0 < eb.solve(eb.game("dice-poker")).value[0] < 1  # the process here is none the worse
    assert found.upper_float - found.lower_float <= 1


def test_over_the_memory_limit_the_row_says_so():
    found = solve_variant(task(LARGE, memory=80 * 2**20))
    assert (found.status, found.error, found.value, found.certificate) == (
        *(MEMORY, "over the memory limit of 80 MiB"),
        *(None, None),
    )
    assert found.peak_bytes > 80 * 2**20


def test_what_cannot_be_solved_is_a_failed_outcome_in_one_line():
    for settings, more, said in [
        ({"sides": "99"}, {}, "liars-dice: sides=99: must be a whole number from 2 to 20"),
        ({}, {"method": "no-such"}, "there is no method 'no-such'"),
        ({"dice": "1,1,1", "max_quantity": "1"}, {"method": "lp"}, "lp does not apply: the game has 3 players"),
    ]:
        found = solve_variant(task(settings, **more))
        assert found.status == FAILED
        assert found.error.startswith(said)
        assert "\n" not in found.error


def script(text):
    return [sys.executable, "-c", text]


def sleeper(path):
    return script(f"import os, time; open({str(path)!r}, 'w').write(str(os.getpid())); time.sleep(600)")


def test_a_child_that_dies_is_told_with_its_last_words():
    for text, said in {
        "raise SystemExit('no luck')": "its process ended without an answer (exit code 1): no luck",
        "import os; os.kill(os.getpid(), 11)": "its process was ended by SIGSEGV",
        "import os; os.kill(os.getpid(), 9)": "its process was ended by SIGKILL; perhaps the system was out of memory",
        **dict.fromkeys(("print('{')", "print('[1]')", "print('{\"status\": ', end='')"), "its process ended without"),
    }.items():
        ended = work.run({}, command=script(text))
        assert (ended.how, ended.reason[: len(said)]) == ("died", said)


def test_a_child_that_does_not_stop_or_that_nobody_wants_is_killed(tmp_path):
    ended = work.run({}, limit=1.0, command=sleeper(tmp_path / "pid"))
    assert ended.how == "timeout"
    assert gone(int((tmp_path / "pid").read_text()))
    judged = work.judge(task({}, timeout=0.25), ended)
    assert judged.status == TIMEOUT
    assert judged.error.startswith("did not stop at the time limit of 0.25 s, killed after ")
    token = unwanted.set(lambda: (tmp_path / "other").exists())
    try:
        with pytest.raises(InterruptedError):
            work.run({}, command=sleeper(tmp_path / "other"))
    finally:
        unwanted.reset(token)
    until(lambda: gone(int((tmp_path / "other").read_text() or 0)))


def test_memory_of_what_the_child_starts_counts_and_other_memory_does_not():
    eater = "import time; x = bytearray(300 << 20); time.sleep(600)"
    ended = work.run(
        {}, 60.0, 200 << 20, script(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {eater!r}])")
    )
    assert ended.how == "memory"
    assert ended.peak > 200 << 20
    ours = bytearray(300 << 20)
    ended = work.run({}, 60.0, 200 << 20, script("print('{\"a\": 1}')"))
    assert (ended.how, dict(ended.answer)) == ("answered", {"a": 1})
    assert len(ours) > ended.peak


def test_an_answer_of_any_length_arrives():
    ended = work.run(
        {"n": 3_000_000}, command=script("import json; print(json.dumps({'x': 'y' * json.loads(input())['n']}))")
    )
    assert len(ended.answer["x"]) == 3_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the process ends when it has its turn")
def test_the_solver_ends_with_the_process_that_waits_for_it():
    reader, writer = os.pipe()
    process = subprocess.Popen(work.WORKER, stdin=reader, stdout=subprocess.DEVNULL, start_new_session=True)
    os.close(reader)
    os.write(writer, json.dumps(asdict(task(LARGE))).encode() + b"\n")
    until(lambda: work.resident(process.pid) > 60 << 20)
    os.close(writer)
    assert process.wait(timeout=PATIENCE) in (1, -signal.SIGIO)
