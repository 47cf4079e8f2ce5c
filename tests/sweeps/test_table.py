"""The rows read back: printed, as CSV, JSON and Parquet; and the two commands."""

import csv
import gzip
import json
import random
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from paths import DOCS
from runs import fill
from sweeps_here import sweeps_here

import efg_builder as eb
from efg_builder.cli import run
from efg_builder.experiments.jobs.running import RETRIES, time_left
from efg_builder.experiments.jobs.store import LEASE
from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.store import DONE, FAILED, SCHEMA, TIMEOUT, TaskOutcome, joined
from efg_builder.experiments.sweeps.table import FIGURES, lines, read, to_csv, varying
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.proof.certificate import verify_solution

LONG = Fraction(-97993266983069, 5815959611262048)
"""Two dice each, six sides: docs/oracle.md."""

ENDS = {
    "2": TaskOutcome(
        DONE, "equilibrium", "0", 0.0, "0", 0.0, "0", 0.0, True, "0", "lp", seconds=0.25, peak_bytes=70 << 20
    ),
    "3": TaskOutcome(
        DONE, "equilibrium", *[str(LONG), float(LONG)] * 3, exact=True, method="oracle", rounds=19, columns=6786
    ),
    "4": TaskOutcome(TIMEOUT, "timeout", None, None, "-1/3", -1 / 3, "1/7", 1 / 7, method="oracle", error="too slow"),
    "5": TaskOutcome(FAILED, error="no luck"),
}


def made(path):
    """A sweep whose rows were entered in some order, with outcomes that are given."""
    found = list(grid("liars-dice", {"sides": "2;3;4;5;10", "wild": "highest"}).variants)
    random.Random(0).shuffle(found)
    for each in found:
        fill(path, [each], lambda of: ENDS.get(of["sides"]), timeout=2.5, memory=100 << 20)
    return path


def change(path, text, *values):
    with joined(path, [], "auto", None) as store:
        assert store.connection.execute(f"UPDATE variants SET {text}", values).rowcount == 1


def test_the_table_for_people(tmp_path):
    shown = lines(read(made(tmp_path / "s.db")))
    cells = [line.split() for line in shown]
    assert cells[0] == ["sides", "value", "gap", "status", "method", "nodes", "seconds", "MiB", "note"]
    assert cells[1] == ["2", "0", "0", "done", "lp", "125", "0.25", "70"]
    assert cells[2] == ["3", "-0.0168490281", "0", "done", "oracle", "1,144"]
    assert cells[3] == ["4", "[-0.333334,", "0.142858]", "0.476190476", "timeout", "oracle", "8,177", "too", "slow"]
    assert cells[4] == ["5", "failed", "51,176", "no", "luck"]
    assert cells[5][:2] == ["10", "open"]


def test_the_table_in_markdown(tmp_path, capsys):
    path = made(tmp_path / "s.db")
    change(path, "error = 'a | b' WHERE error = 'no luck'")
    assert run(["table", str(path), "--markdown"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[:3] == [
        "| sides | value | gap | status | method | nodes | seconds | MiB | note |",
        "| --- | --- | --- | --- | --- | ---: | ---: | ---: | --- |",
        "| 2 | 0 | 0 | done | lp | 125 | 0.25 | 70 |  |",
    ]
    assert shown[5].endswith(" | a \\| b |")
    assert len(shown) == 2 + 5


def filled(path, ends):
    """A sweep of two- and three-sided dice that ended so; the certificate is what the row's bounds are."""
    return str(fill(path, grid("liars-dice", {"sides": "2;3"}).variants, lambda of: ends.get(of["sides"])))


def test_of_several_files_the_better_row_is_shown_and_given_back(tmp_path, capsys):
    def bracket(lower, upper, status=TIMEOUT, **more):
        bounds = {"lower": lower, "upper": upper, "certificate": gzip.compress(f"{lower} {upper}".encode())}
        return TaskOutcome(status, lower_float=0.0, upper_float=0.0, **bounds, **more)

    files = [
        filled(tmp_path / "a.db", {"2": TaskOutcome(FAILED, error="no luck"), "3": bracket("0", "1/2", error="a")}),
        filled(tmp_path / "b.db", {"2": bracket("0", "0", DONE, value="0"), "3": bracket("1/5", "1/2", error="b")}),
        filled(tmp_path / "c.db", {"2": bracket("0", "0"), "3": bracket("1/4", "11/20", error="c")}),
        filled(tmp_path / "d.db", {"2": TaskOutcome(FAILED, error="again")}),
    ]
    for given, expected in [
        (files[:2], [("done", "0"), ("timeout", "1/5")]),
        (files[1::-1], [("done", "0"), ("timeout", "1/5")]),
        (files, [("done", "0"), ("timeout", "1/5")]),  # that of c.db is as narrow, and later
        (files[::-1], [("done", "0"), ("timeout", "1/4")]),
        ([files[0], files[3]], [("failed", None), ("timeout", "0")]),
        (files[:1], [("failed", None), ("timeout", "0")]),
    ]:
        assert run(["table", *given, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert (data["file"], data["files"]) == (given[0], given)
        assert [(row["status"], row["lower"]) for row in data["rows"]] == expected
        for row in data["rows"]:
            code = run(["table", *given, "--extract", row["key"], "-o", str(tmp_path / "c.json")])
            assert code == (0 if row["lower"] else 2)
            if code == 0:
                assert (tmp_path / "c.json").read_text() == f"{row['lower']} {row['upper']}"
        capsys.readouterr()


def test_columns_are_what_was_asked_for_with_more_than_one_value(tmp_path):
    path, asked = tmp_path / "s.db", {"sides": "2;3", "dice": "1,1;2,1", "wild": "highest"}
    fill(path, grid("liars-dice", asked).variants, lambda of: None)
    assert lines(read(path))[0].split()[-1] == "MiB"  # no column of notes: there are none
    # max_quantity and the wild face's number vary too, but nobody asked for that.
    assert varying(read(path)) == ("sides", "dice")
    assert lines(read(path))[0].split()[:3] == ["sides", "dice", "value"]
    fill(path, grid("mia", {"sides": "2"}).variants, lambda of: None)
    assert lines(read(path))[0].split()[:3] == ["game", "sides", "dice"]


def test_of_three_players_the_payoffs_of_all_and_the_regret_are_told(tmp_path, capsys):
    path = str(tmp_path / "s.db")
    with sweeps_here():
        assert run(["sweep", "liars-dice", "sides=2..3", "dice=1,1,1", "-o", path, "--workers", "1"]) == 0
    cells = [line.split() for line in lines(read(path))]
    assert cells[0][:4] == ["sides", "value", "regret", "status"]
    for sides, row in ((2, cells[1]), (3, cells[2])):
        solution = eb.solve(eb.game("liars-dice", sides=sides, dice="1,1,1"))
        assert row[1:4] == ", ".join(map(str, solution.value)).split()
        assert row[4:6] == ["0", "done"]
    capsys.readouterr()
    assert run(["verify", path]) == 0
    assert "2 rows: 2 proved, 0 wrong" in capsys.readouterr().out
    assert run(["table", path, "--json"]) == 0
    (row, _) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["payoffs"], row["value"], row["lower"]) == ("5/16, -1/4, -1/16", "5/16", None)


def test_csv_and_json_have_everything_in_full(tmp_path, capsys):
    path = made(tmp_path / "s.db")
    assert run(["table", str(path), "-o", str(tmp_path / "s.csv")]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / 's.csv'}\n"
    with open(tmp_path / "s.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["sides"] for row in rows] == ["2", "3", "4", "5", "10"]
    assert [row["value"] for row in rows] == ["0", str(LONG), "", "", ""]
    assert (
        rows[2] | {"lower": "-1/3", "upper": "1/7", "gap": "10/21", "timeout": "2.5", "memory_mib": "100.0"} == rows[2]
    )
    assert run(["table", str(path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["settings"]["sides"] for row in data["rows"]] == ["2", "3", "4", "5", "10"]
    assert set(data["rows"][0]) == {"game", "settings", *FIGURES}
    assert (data["rows"][1]["exact"], data["rows"][2]["exact"]) == (True, False)
    assert data["rows"][0]["peak_mib"] == 70.0
    for row, other in zip(data["rows"], rows, strict=True):
        assert eb.game(row["game"], **row["settings"]).size().nodes == int(row["nodes"]) == int(other["nodes"])


@pytest.mark.parametrize(
    ("column", "content"),
    [
        *(("settings", content) for content in ("no JSON", "[]", '{"sides": 2}', b"{}")),
        *(("lower", content) for content in ("1/0", "x", b"1", "9" * 5000)),
        *((column, "x") for column in ("peak_bytes", "versions", "nodes", "exact")),
        *(("error", b"x"), ("value", "1" * 5000)),
    ],
)
def test_a_damaged_row_is_one_line(tmp_path, capsys, column, content):
    path = made(tmp_path / "s.db")
    change(path, f"{column} = ? WHERE value = '0'", content)
    assert run(["table", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    typed = f"error: {path} is damaged: {column} in the table 'variants' is "
    assert err.startswith((f"error: {path}: the row of 'liars-dice sides=2 ", typed))
    assert " is damaged: " in err


def test_parquet_has_numbers_as_numbers(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow (the extra 'parquet')")
    path = made(tmp_path / "s.db")
    assert run(["table", str(path), "-o", str(tmp_path / "s.parquet")]) == 0
    to_csv(read(path), tmp_path / "s.csv")
    found = parquet.read_table(tmp_path / "s.parquet")
    with open(tmp_path / "s.csv", newline="") as file:
        assert found.column_names == next(csv.reader(file))
    columns = found.to_pydict()
    assert columns["value"] == ["0", str(LONG), None, None, None]
    assert columns["value_float"] == [0.0, float(LONG), None, None, None]
    assert (columns["rounds"], columns["exact"]) == ([None, 19, None, None, None], [True, True, False, False, False])


def test_without_pyarrow_it_is_said_what_is_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(["table", str(made(tmp_path / "s.db")), "-o", str(tmp_path / "s.parquet")]) == 2
    assert "pip install 'efg-builder[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "s.parquet").exists()


def test_extras_are_not_needed_to_import():
    script = """
import sys
sys.modules["distributed"] = sys.modules["pyarrow"] = None
from efg_builder.cli import run
assert run(["sweep", "--help"]) == run(["table", "--help"]) == 0
assert not {"scipy", "highspy", "pygambit", "matplotlib"} & set(sys.modules), sorted(sys.modules)
import efg_builder.experiments.sweeps.work
"""
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)


def test_a_certificate_comes_back_by_any_spelling_of_the_game(tmp_path, capsys):
    path, solution = tmp_path / "s.db", eb.solve(eb.game("liars-dice", sides=3, wild="highest"))
    solution.write(tmp_path / "made.json.gz")
    content = (tmp_path / "made.json.gz").read_bytes()
    ends = {"3": TaskOutcome(DONE, certificate=content)}
    fill(path, grid("liars-dice", {"sides": "3;4", "wild": "highest"}).variants, lambda of: ends.get(of["sides"]))
    for words, name in [("liars-dice wild=3 sides=3", "a.json.gz"), ("liars-dice sides=3 wild=highest", "b.json")]:
        assert run(["table", str(path), "--extract", words, "-o", str(tmp_path / name)]) == 0
        assert verify_solution(tmp_path / name).exact
        written = (tmp_path / name).read_bytes()
        assert (gzip.decompress(written) if name.endswith("gz") else written) == gzip.decompress(content)
    words = ["--extract", "liars-dice sides=4 wild=highest", "-o", str(tmp_path / "c.json")]
    assert run(["table", str(path), *words]) == 2
    assert "has no certificate for liars-dice sides=4 dice=1,1 wild=4" in capsys.readouterr().err
    assert not (tmp_path / "c.json").exists()


def test_the_time_left_is_a_power_of_the_nodes():
    settled = [(10**k, 0.01 * 4.0**k) for k in range(1, 6)]
    assert time_left(settled[:2], [100], 1) is None
    assert time_left(settled, [10**6], 1) == pytest.approx(0.5 + 0.01 * 4**6)
    assert time_left(settled, [10**6] * 4, 2) == pytest.approx(2 * (0.5 + 0.01 * 4**6))
    assert time_left(settled, [10**6, 10**40], 1, limit=10.0) == pytest.approx(21)
    assert time_left([(125, 0.5)] * 3, [125], 1) == pytest.approx(1.0)
    assert time_left(settled, [], 2) == 0


# --- docs/sweeps.md

PAGE = (DOCS / "sweeps.md").read_text()


def test_every_column_of_the_file_is_on_the_page():
    columns = re.search(r"CREATE TABLE variants \((.*?)\n\)", SCHEMA.tables, flags=re.DOTALL)[1]
    names = re.findall(r"(\w+) (?:TEXT|INTEGER|REAL)", columns)
    assert len(names) == 32
    described = PAGE[PAGE.index("The table `variants`") :]
    for name in names:
        assert f"`{name.removesuffix('_float')}`" in described, name


def test_figures_of_the_page_are_those_of_the_code():
    assert f"no heartbeat for {LEASE:.0f} seconds" in PAGE
    assert work.GRACE == 60
    assert "twice the limit plus one minute" in PAGE
    assert RETRIES == 2
    assert "up to twice per run" in PAGE
