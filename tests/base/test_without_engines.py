"""The package works without its engines, threads and processes, and with a 32-bit index type, as in a browser."""

import json
import subprocess
import sys
import threading
import tomllib
from fractions import Fraction

import bare_python
import narrow_indices
import numpy as np
import pytest
import scipy.optimize
from packaging.requirements import Requirement
from paths import ROOT, TESTS

import efg_builder as eb
from efg_builder.experiments.jobs import executors
from efg_builder.forms.sequence_form import sequence_form
from efg_builder.solvers.driver import Driver
from efg_builder.solvers.lp import exact, highs
from efg_builder.solvers.lp.basis import independent, optimal_basis
from efg_builder.solvers.lp.lp import linear_program
from efg_builder.solvers.protocol import Request, TimeLimit

SMALL = {
    f"{name}-{number}": (name, dict(settings))
    for name, kind in eb.catalogue().items()
    for number, settings in enumerate(kind.small)
}


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The folder and the results of the script ``bare_python``, which runs in its own process."""
    folder = tmp_path_factory.mktemp("bare")
    words = [sys.executable, TESTS / "bare_python.py", folder]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder, dict(map(json.loads, done.stdout.splitlines()))


def test_the_bare_process_solves_every_small_game_and_draws_every_kind(bare):
    folder, results = bare
    assert set(results) == {*SMALL, "commands"}
    drawn = {path.parent.name.rpartition("-")[0] for path in folder.glob("*/tree.svg")}
    assert drawn == set(eb.catalogue())


@pytest.mark.parametrize("key", SMALL)
def test_a_bare_python_finds_the_same_value_with_proof_and_picture(bare, key):
    """The value, the certificate and the evaluation are compared with those of this process, which has all engines."""
    folder, results = bare
    name, settings = SMALL[key]
    game, found = eb.game(name, **settings), results[key]
    solution = eb.solve(game)
    assert (found["status"], found["value"]) == (solution.status, [str(value) for value in solution.value])
    eb.verify(folder / key / "solution.json")  # raises CertificateError if a part is wrong
    assert "</html>" in (folder / key / "tree.html").read_text()
    if (picture := folder / key / "tree.svg").exists():
        assert "</svg>" in picture.read_text()
    assert set(found["modes"]) == {0o600}
    assert found["uniform"] == {**eb.evaluate(game, "uniform").to_json(), "seconds": found["uniform"]["seconds"]}
    for method, (status, *value) in found["methods"].items():
        exact_methods = ("lp", "lcp", "backward")
        assert status in {"equilibrium", "not-applicable", *(() if method in exact_methods else NOT_EXACT)}, method
        if len(game.players) == 2:
            assert value in ([], found["value"]), method


NOT_EXACT = ("bracket", "near-equilibrium")


ANSWERS = {
    "gambit": (2, "gambit-lcp needs pygambit, which is not installed"),
    "branch": (2, "Gambit's routine needs pygambit, which is not installed"),
    "sweep": (2, "the system cannot start another process or thread (can't start new thread)"),
    "memory": (2, "--memory needs psutil, which is not installed: pip install psutil"),
    "program": (2, "program 'cat' cannot be started: this platform does not support processes."),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_command_that_needs_an_engine_names_it_in_one_line(bare, name):
    code, out, err = bare[1]["commands"][name]
    assert (code, out, err.count("\n")) == (ANSWERS[name][0], "", 1)
    assert ANSWERS[name][1] in err


def test_the_other_commands_use_another_engine(bare):
    """The value with six sides and two dice against one is in published_values.json; Leduc's is -0.0856 to the poker
    literature (F. Southey et al., UAI 2005)."""
    folder, results = bare
    commands = results["commands"]
    assert {code for name, (code, _, _) in commands.items() if name not in ANSWERS} == {0}
    assert (folder / "report.html").stat().st_size > 10_000
    assert len(list((folder / "run").rglob("liars-dice*"))) == 4
    assert json.loads(commands["large"][1])["value"][0] == "212027/771552"
    assert round(float(Fraction(json.loads(commands["leduc"][1])["value"][0])), 4) == -0.0856
    regret = json.loads(commands["regret"][1])
    assert Fraction(regret["upper"]) - Fraction(regret["lower"]) <= Fraction(1, 10)
    found = json.loads(commands["ranges by linear programs"][1])
    assert found["linear_programs"][0] > 30  # so SciPy's HiGHS found the ranges
    expected = eb.ranges(eb.game("liars-dice", sides=3)).to_json()
    assert (found["value"], found["actions"]) == (expected["value"], expected["actions"])


def test_a_missing_part_of_python_is_named_in_one_line(tmp_path):
    """In a browser, sqlite3 is missing until it is loaded."""
    code = 'import sys; sys.modules["sqlite3"] = None; from efg_builder.cli import run; sys.exit(run(sys.argv[1:]))'
    words = [sys.executable, "-c", code, "sweep", "liars-dice", "sides=2", "-o", tmp_path / "sweep.db"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ModuleNotFoundError: ")
    assert "sqlite3" in done.stderr


def test_a_browser_is_not_advised_to_allow_more_processes(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(threading.Thread, "start", bare_python.no_thread)
    with executors.executor(2) as pool, pytest.raises(eb.ParameterError, match=r"a browser has neither; a command"):
        pool.submit(int)


# --- SciPy's HiGHS


@pytest.fixture
def without_highspy(monkeypatch):
    monkeypatch.setattr(highs, "find_spec", lambda name: None)


@pytest.mark.parametrize("key", [key for key in SMALL if "dice=1,1,1" not in key])
def test_the_basis_of_scipys_solution_is_optimal(without_highspy, monkeypatch, key):
    """``exact_optimum`` magnifies errors if the basis is not optimal; these programs need no magnification."""
    name, settings = SMALL[key]
    tree = eb.build(eb.game(name, **settings))
    if len(tree.players) != 2:
        pytest.skip("a linear program has two players")
    monkeypatch.setattr(exact, "REFINEMENTS", 1)
    program = linear_program(sequence_form(tree))
    point, vertex = Driver(Request()).complete(exact.solve_exactly(program))
    assert vertex.basic_columns.sum() == (~vertex.basic_rows).sum()
    middle = sequence_form(tree)
    assert middle.middle + middle.unit * point.primal[program.objective] == eb.solve(tree).value[0]


def test_scipys_highs_obeys_the_time_limit_and_the_patience(without_highspy, monkeypatch):
    """HiGHS rarely looks at its clock, so its answer is given here: the status 1 is that of a limit."""
    seconds = []

    def late(*given, options, **named):
        seconds.append(options["time_limit"])
        return scipy.optimize.OptimizeResult(status=1, message="Time limit reached.")

    monkeypatch.setattr(scipy.optimize, "linprog", late)
    program = linear_program(sequence_form(eb.build("kuhn"))).floats
    with pytest.raises(highs.TooSlow):
        Driver(Request()).complete(highs.maximize(program, patience=7))
    with pytest.raises(TimeLimit):
        Driver(Request(timeout=5)).complete(highs.maximize(program))
    assert [round(limit) for limit in seconds] == [7, 5]


def test_an_unbounded_program_is_an_error_of_scipy_too(without_highspy):
    program = linear_program(sequence_form(eb.build("kuhn"))).floats
    free = highs.Program(program.matrix[:0], program.cost, program.lower, np.zeros(0), np.zeros(0))
    with pytest.raises(highs.UnclearError, match=r"^HiGHS: .*unbounded"):
        Driver(Request()).complete(highs.maximize(free))


def test_columns_of_lower_order_are_chosen_first():
    from scipy.sparse import csc_matrix

    matrix = csc_matrix([[1.0, 0.0, 1.0, 2.0], [0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    assert independent(matrix, np.array([0, 0, 1, 1])).tolist() == [True, True, False, False]
    assert independent(matrix, np.array([1, 1, 0, 0])).tolist() == [False, False, True, True]
    assert independent(matrix, np.array([0, 1, 2, 0])).sum() == 2  # the columns 0 and 3 are dependent


def test_a_basis_contains_what_is_moved_and_charged():
    """Maximize x + y with x + y <= 1 and y <= 1: at (1, 0), the first row has the price 1, and y is not priced."""
    from scipy.sparse import csc_matrix

    matrix = csc_matrix([[1.0, 1.0], [0.0, 1.0]])
    columns, rows = optimal_basis(
        matrix, np.array([1.0, 0.0]), np.zeros(2), np.array([0.0, 1.0]), np.array([1.0, 0]), np.zeros(2, dtype=bool)
    )
    assert columns.tolist() == [True, False]
    assert rows.tolist() == [True, False]


# --- threads


def test_highspy_runs_without_threads(monkeypatch):
    pytest.importorskip("highspy")
    monkeypatch.setattr(threading.Thread, "start", bare_python.no_thread)
    assert eb.solve("leduc", "lp").status == "equilibrium"


# --- the index type


def test_the_stand_in_for_numpy_refuses_wide_counts_and_places():
    narrow = narrow_indices.NarrowNumpy("numpy")
    wide, numbers = np.ones(2, dtype=narrow.int64), np.arange(2)
    calls = (
        lambda given: narrow.repeat(numbers, given),
        narrow.bincount,
        lambda given: narrow.add.reduceat(numbers, given),
    )
    for call in calls:
        call(numbers)
        with pytest.raises(TypeError, match="Cannot cast array data from dtype"):
            call(wide + numbers)


# --- what is installed


def test_a_browser_installs_neither_psutil_nor_pygambit():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = list(map(Requirement, project["dependencies"]))
    browser = {"sys_platform": "emscripten", "platform_machine": "wasm32", "python_version": "3.12"}
    here = {one.name for one in needed if one.marker is None or one.marker.evaluate(browser)}
    assert {one.name for one in needed} - here == {"psutil", "pygambit"}
