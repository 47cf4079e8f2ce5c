"""A missing extra matters only to commands that use it, and the error names the extra in one line."""

import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from fractions import Fraction

import pytest
from paths import ROOT
from small_files import BATTLE

import efg_builder as eb
from efg_builder.solvers.oracle import regret
from efg_builder.solvers.protocol import Found
from efg_builder.solvers.registry import method

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

INSTALL = "which is not installed: pip install 'pygambit>=17.0.0b2,<18'"


@pytest.fixture
def without_gambit(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "pygambit"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "efg_builder.interop.gambit.adapter", raising=False)
    monkeypatch.setitem(sys.modules, "pygambit", None)


@pytest.fixture
def battle(tmp_path):
    path = tmp_path / "battle.efg"
    path.write_text(BATTLE)
    return path


def test_each_use_of_gambit_says_what_to_install(cli, without_gambit, battle):
    of_rules = ["solve", "liars-dice", "--method", "gambit-oracle"]
    for words in (["solve", battle, "--method", "gambit-lcp"], of_rules, ["qre", battle]):
        code, out, err = cli(*words)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.endswith(f"needs pygambit, {INSTALL}\n")
    solution = eb.solve(battle)
    with pytest.raises(
        eb.NotApplicableError, match=r"^to_gambit\(\) needs pygambit, which is not installed: pip install"
    ):
        solution.to_gambit()


def test_auto_does_without_gambit(cli, without_gambit, battle):
    code, out, _ = cli("solve", battle)
    assert code == 0
    assert "status        equilibrium" in out
    assert "gambit" not in out


def test_where_auto_finds_nothing_it_says_that_gambit_was_not_there(cli, without_gambit, battle, monkeypatch):
    finds_nothing = replace(method("lcp"), run=lambda tree, request: Found((), "failed", "no luck"))
    monkeypatch.setattr("efg_builder.equilibria.solve.applicable", lambda facts: iter([finds_nothing]))
    solution = eb.solve(battle)
    assert not solution.solved
    wanted = f"none of Gambit's routines was tried: each needs pygambit, {INSTALL}"
    assert wanted in solution.message
    monkeypatch.setattr("efg_builder.solvers.registry.AUTO_ORDER", ("gambit-lcp",))
    with pytest.raises(eb.NotApplicableError, match=r"^gambit-lcp needs pygambit"):
        eb.solve(battle)


def without_numba(*words):
    """Run in a new process, because nothing may be compiled yet."""
    code = 'import sys; sys.modules["numba"] = None; from efg_builder.cli import run; sys.exit(run(sys.argv[1:]))'
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_large_games_do_without_compiled_steps():
    """Regret minimization, which is what numba compiles; the value is in published_values.json."""
    words = ("sides=3", "dice=2,1", "--method", "oracle", "--option", "master=regret", "--gap", "1/20", "--json")
    code, out = without_numba("solve", "liars-dice", *words)
    assert code == 0
    found = json.loads(out)
    assert Fraction(found["lower"]) <= Fraction(1, 9) <= Fraction(found["upper"])
    assert found["message"] == "the requested gap was reached"
    assert "numba" not in out


def test_where_time_runs_out_the_extra_that_saves_time_is_named():
    code, out = without_numba("solve", "liars-dice", "sides=6", "dice=3,3", "--timeout", "2")
    assert code == 4
    assert "the time limit came first; numba makes this several times as fast: pip install 'efg-builder[fast]'" in out
    assert "fast" in PROJECT["optional-dependencies"]


def test_numba_that_is_installed_is_not_recommended(monkeypatch):
    """An installed numba may be unusable if it cannot save compiled code."""
    pytest.importorskip("numba")
    monkeypatch.setattr(regret, "fastest", regret.NumpyStep)
    solution = eb.solve(eb.game("liars-dice", sides=6, dice=(3, 3)), "oracle", timeout=1)
    assert solution.message == "the time limit came first"


def test_each_error_names_an_extra_that_there_is():
    named = set()
    for path in (ROOT / "efg_builder").rglob("*.py"):
        if path.name != "errors.py":
            named.update(re.findall(r'not_installed\(.*?"(\w+)"\s*\)', path.read_text(), re.DOTALL))
    assert {"cluster", "neural"} <= named <= set(PROJECT["optional-dependencies"])
