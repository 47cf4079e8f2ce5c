"""The scripts in benchmarks/: the ones without a page of their own run, and what they count is what they say."""

import ast
import fnmatch
import io
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pygambit
import pytest
from paths import ROOT

import compare_releases
import comparison
import efg_builder as eb
import evaluation
import frame
import oracle
from efg_builder.solvers.lp import highs
from efg_builder.solvers.oracle import regret, response, search
from efg_builder.solvers.oracle.state import WIDEST

GAMBIT = (ROOT / "docs" / "from-gambit.md").read_text()
SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))
PACKAGE = sorted((ROOT / "efg_builder").rglob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_each_script_names_its_command(path):
    text = path.read_text()
    if "ArgumentParser" in text:
        assert f"``python benchmarks/{path.name}" in ast.get_docstring(ast.parse(text))


def test_each_script_can_be_imported_on_each_system():
    for path in SCRIPTS:
        first = [line.split()[1] for line in path.read_text().splitlines() if line.startswith(("import ", "from "))]
        assert not {"fcntl", "pwd", "resource", "termios"} & set(first), path


def test_the_package_knows_nothing_of_its_benchmarks():
    names = "|".join(path.stem for path in SCRIPTS)
    for path in PACKAGE:
        assert not re.search(rf"(?m)^ *(from|import) ({names})\b", path.read_text("utf-8")), path


def test_the_table_of_evaluation_speed_is_that_of_its_data():
    rows, page = frame.load("evaluation")["rows"], (ROOT / "docs" / "from-openspiel.md").read_text()
    assert frame.filled(page, {"evaluation": evaluation.tables(rows)}) == page
    for row in rows:
        assert abs(float(row["floats"]["nash_conv"]) - float(Fraction(row["exact"]["nash_conv"]))) < 1e-9


# --- the frame


def test_a_page_is_filled_between_its_marks():
    text = "a\n<!-- one -->\nold\n<!-- end of one -->\nb\n<!-- two -->\n<!-- end of two -->\n"
    table = frame.table("game | value", [["1v1", "-1/9"]])
    filled = frame.filled(text, {"one": table, "two": [r"\1"]})
    assert "\n\n| game | value |\n| --- | ---: |\n| 1v1 | -1/9 |\n\n<!-- end of one -->\nb\n" in filled
    assert filled.endswith("<!-- two -->\n\n\\1\n\n<!-- end of two -->\n")
    assert frame.filled(filled, {"one": table, "two": [r"\1"]}) == filled
    with pytest.raises(ValueError, match="no place for three"):
        frame.filled(text, {"three": []})


def test_figures_are_kept_and_read_again(tmp_path):
    data = {"about": "é", "games": {"one": {"value": 0.1, "list": [1, 2]}}}
    assert frame.load("x", tmp_path) == {}
    frame.keep("x", data, tmp_path)
    assert frame.load("x", tmp_path) == data


# --- against Gambit


def test_the_table_of_the_comparison_is_that_of_its_data():
    data, page = frame.load("comparison"), (ROOT / "docs" / "comparison.md").read_text()
    assert [row["job"] for row in data["rows"]] == list(comparison.JOBS)
    assert frame.filled(page, {"comparison": comparison.table(data)}) == page
    # The sentence at the top has the first row's ratio.
    said = re.findall(r"(?:1,144 nodes\)|efg_builder is) ([\d,]+) times faster", page + GAMBIT)
    assert said == 2 * [frame.two(comparison.ratio(data["rows"][0]))]


def test_the_ratio_to_a_stopped_peer_is_a_lower_bound():
    data = frame.load("comparison")
    data["rows"][0]["pygambit"] = None
    row = next(line for line in comparison.table(data) if "`lp_solve`" in line)
    assert f"| more than {comparison.LIMIT} s |" in row
    assert row.endswith(f"| at least {frame.two(comparison.LIMIT / data['rows'][0]['efg_builder'])} |")


@pytest.mark.parametrize("job", [job for job in comparison.JOBS if job.startswith(("build", "draw"))])
def test_a_job_runs_in_a_process_of_its_own(job):
    what, programs = comparison.JOBS[job]
    assert all(frame.own_process(function, what)["seconds"] > 0 for function in programs.values())


def test_both_sides_build_the_same_game():
    game = eb.game("liars-dice", sides=2)
    theirs = eb.parse_efg(comparison.built_by_pygambit(game).to_efg())
    ours = eb.build(game)
    assert theirs.node_counts == ours.node_counts
    assert len(theirs.personal) == len(ours.personal)
    assert eb.solve(theirs, "lp").value == eb.solve(ours, "lp").value
    assert pygambit.read_efg(io.StringIO(ours.to_efg())).is_const_sum


# --- files passed


def test_the_files_of_a_command_are_listed():
    script = ROOT / "benchmarks" / "files_passed.py"
    done = subprocess.run(
        [sys.executable, str(script), "info", "liars-dice"], capture_output=True, text=True, check=True
    )
    assert "game_commands.py" in done.stdout
    assert "exit code 0" in done.stdout
    assert " without the command line and the ground floor (*); " in done.stdout


# --- two releases


def test_what_is_of_a_run_is_left_out_and_nothing_else(tmp_path):
    one = b'{"run": {"seconds": 1}, "value": "1/2", "each": [{"seconds": 2, "name": "a"}]}\n'
    other = one.replace(b"1}", b"3}").replace(b"2,", b"4,")
    assert compare_releases._without_run_in_json(one) == compare_releases._without_run_in_json(other)
    assert b"1/2" in compare_releases._without_run_in_json(one)
    assert compare_releases._without_run_in_json(b"value 1/2\n") == b"value 1/2\n"
    for name, text in (("a.json", json.dumps({"versions": 1, "value": 2})), ("a.csv", "value,seconds\n2,1\n")):
        (tmp_path / name).write_text(text)
        content = compare_releases._content(tmp_path / name)
        assert "value" in content
        assert "seconds" not in content
        assert "versions" not in content


def test_differences_are_counted_and_shown_those_on_purpose_only_shown(capsys, monkeypatch):
    monkeypatch.setattr(compare_releases, "ON_PURPOSE", {"meant": "plainer words"})
    old = {"same": "a", "changed": "a\nb\nc", "gone": "x", "meant": "a"}
    new = {"same": "a", "changed": "a\nB\nc", "new": "y", "meant": "b"}
    assert compare_releases.differences(old, new, "file", 5) == 3
    out = capsys.readouterr().out
    assert "file: changed\n  @@ -2 +2 @@\n  -b\n  +B\n" in out
    assert "file: gone\n  only old\n" in out
    assert "file: new\n  only new\n" in out
    assert "file: meant\n  on purpose: plainer words\n  @@ -1 +1 @@\n  -a\n  +b\n" in out


def test_what_differs_on_purpose_is_still_compared():
    written = re.findall(r" -o (\S+)| --(?:csv|plot) (\S+)", "\n".join(compare_releases.COMMANDS))
    names = {*compare_releases.COMMANDS, *compare_releases.SCRIPTS, *(name for pair in written for name in pair)}
    names |= {"gallery", "gallery/visualizations/any.svg", "out/visualizations/any.png"}
    assert not [pattern for pattern in compare_releases.ON_PURPOSE if not fnmatch.filter(names, pattern)]


# --- the oracle's parts, changed one at a time

REGRETS = {"steps": {"Kernel"}, "without low bids": True, "blends": {0.25}}
PROGRAMS = {"steps": set(), "without low bids": False, "blends": set()}
UNCHANGED = {"warm": True, "interior": False, "cuts": {1e-11}, "share": 0.01, "best only": False, "devex": False}
EFFECTS = {
    "the search unchanged": REGRETS,
    "all bids from the start": REGRETS | {"without low bids": False},
    "best responses to vertices": REGRETS | {"blends": {1.0}},
    "NumPy instead of compiled steps": REGRETS | {"steps": {"NumpyStep"}},
    oracle.LP: PROGRAMS,
    f"{oracle.LP}; each round starts simplex anew": PROGRAMS | {"warm": False},
    f"{oracle.LP}; interior point first, simplex last": PROGRAMS
    | {"warm": False, "interior": True, "cuts": {1e-5, 1e-11}},
    f"{oracle.LP}; only the best move of an information set": PROGRAMS | {"best only": True},
    f"{oracle.LP}; only moves that gain 10% of the gap": PROGRAMS | {"share": 0.1},
    f"{oracle.LP}; only moves that gain 30% of the gap": PROGRAMS | {"share": 0.3},
    f"{oracle.LP}; Devex pricing": PROGRAMS | {"devex": True},
}
"""The observed effects of each change. Those not listed are as in ``UNCHANGED``."""


SLOWEST = "NumPy instead of compiled steps"


@pytest.mark.parametrize(
    "change",
    [pytest.param(name, marks=pytest.mark.slow if name == SLOWEST else ()) for name in oracle.CHANGES],
)
def test_each_change_is_in_effect_and_solves_the_game(change, monkeypatch):
    if "Kernel" in EFFECTS[change]["steps"]:
        pytest.importorskip("numba")
    for place, part in (
        (search, "best_responses"),
        (search, "maximize"),
        (response, "work_out"),
        (regret, "fastest"),
        (highs, "SIMPLEX"),
    ):
        monkeypatch.setattr(place, part, getattr(place, part))  # so that it is put back
    # So that regrets are minimized in a game as small as this.
    monkeypatch.setattr(search, "SETTINGS", replace(search.SETTINGS, first_sequences=20))
    monkeypatch.setattr(oracle, "load_libraries", lambda: None)
    steps, floors, blends, starts, cuts, solvers, thresholds, moves = set(), [], set(), [], set(), [], [], Counter()

    def spy(place, part, take):
        function = getattr(place, part)
        monkeypatch.setattr(place, part, lambda *words, **named: (take(*words), function(*words, **named))[1])

    def count(_, responses):
        """Count the moves that each hand gets at each history in one round."""
        pairs = [
            (p, node, hand) for p in range(2) for node, _, hands in responses[p].moves for hand in hands.nonzero()[0]
        ]
        moves.update((len(thresholds), *pair) for pair in pairs)

    spy(regret.RestrictedRegrets, "iterate", lambda regrets: steps.add(type(regrets.step).__name__))
    spy(search, "minimize_without_low_bids", lambda found, *words: floors.append(found.floor))
    spy(search, "blended", lambda *words: blends.add(words[-1]))
    spy(search, "maximize", lambda program, start=None: starts.append(start))
    spy(search, "float_plan", lambda *words: cuts.add(words[-1]))
    spy(highs, "_solver", lambda program, options, timeout: solvers.append(options))
    spy(search.OracleState, "respond", lambda found, _, threshold: thresholds.append(threshold))
    spy(search.OracleState, "add_moves", count)
    assert oracle.changed("2v1-4", change, 60.0)["exact"]
    assert UNCHANGED | EFFECTS[change] == {
        "steps": steps,
        "without low bids": any(floors),
        "blends": blends,
        "warm": any(start is not None for start in starts),
        "interior": any(options["solver"] == "ipm" for options in solvers),
        "cuts": cuts,
        "share": round(thresholds[0] / WIDEST, 6),
        "best only": max(moves.values()) == 1,
        "devex": "simplex_dual_edge_weight_strategy" in solvers[-1],
    }
