"""A sweep proved from its file: every row that says what its certificate does not prove is found."""

import dataclasses
import gzip
import json
import shutil
import signal
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from processes import PATIENCE, below, gone, start, until
from runs import fill
from tampering import repacked

import efg_builder as eb
from efg_builder.cli import run
from efg_builder.equilibria.solution import Judged, Solution
from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.proving import PROVED, RESULTS, WITHOUT, WRONG, prove_sweep
from efg_builder.experiments.sweeps.store import FAILED, TIMEOUT, TaskOutcome
from efg_builder.experiments.sweeps.variants import grid

TWO, THREE, BRACKET = (
    grid("liars-dice", {"sides": sides, "dice": dice}).variants[0].key
    for sides, dice in ((2, "1,1"), (3, "1,1"), (3, "2,1"))
)
SHIPPED = Path(__file__).parents[2] / "outputs" / "liars-dice-variants.db"


def games():
    found = [*grid("liars-dice", {"sides": "2..5", "dice": "1,1"}).variants]
    found += grid("liars-dice", {"sides": "3", "dice": "2,1"}).variants
    return [*found, *grid("liars-dice", {"sides": "2", "dice": "1,1,1", "max_quantity": "1"}).variants]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two exact rows, a bracket, an equilibrium of three players, a failed row and an open one."""

    def ends(settings):
        game, which = eb.game("liars-dice", **settings), (settings["sides"], settings["dice"])
        if which in (("2", "1,1"), ("3", "1,1"), ("2", "1,1,1")):
            return work.outcome(eb.solve(game), None)
        if which == ("3", "2,1"):
            found = work.outcome(eb.solve(game, "oracle", gap=Fraction(1)), None)
            assert found.lower != found.upper
            return dataclasses.replace(found, status=TIMEOUT, error="too slow")
        return TaskOutcome(FAILED, error="no luck") if which == ("4", "1,1") else None

    return fill(tmp_path_factory.mktemp("sweep") / "s.db", games(), ends)


@pytest.fixture
def copy(made, tmp_path):
    return Path(shutil.copy(made, tmp_path / "copy.db"))


def change(path, *statements):
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            assert db.execute(*statement).rowcount == 1, statement
        db.commit()


def by_key(path, **more):
    return {finding.key: finding for finding in prove_sweep(path, **more)}


@pytest.mark.parametrize(("gap", "result"), [(None, RESULTS[3]), (Fraction(2), PROVED), (Fraction(1, 10), RESULTS[3])])
def test_a_regret_of_three_players_is_held_against_the_gap(tmp_path, gap, result):
    # Best responses to who always calls, together: their regret is between the two gaps.
    variants = grid("liars-dice", {"sides": "3", "dice": "1,1,1"}).variants
    game = eb.game("liars-dice", sides=3, dice="1,1,1")
    profile = eb.evaluate(game, "always-call", exploiter=True).exploiter
    found = Solution(None, "mine", "near-equilibrium", "", 0.0, (Judged(profile, eb.verify(profile)),), game=game)
    outcome = work.outcome(found, gap)
    assert outcome.status == "done"
    gap = None if gap is None else str(gap)
    (row,) = prove_sweep(fill(tmp_path / "s.db", variants, lambda of: outcome, gap=gap))
    assert row.result == result


def test_what_was_swept_is_proved(made):
    found = by_key(made)
    assert sorted(finding.result for finding in found.values()) == [PROVED] * 4 + [WITHOUT] * 2
    # 0 and -1/9: thomasahle/snyd, README.
    assert [found[key].proof.value[0] for key in (TWO, THREE)] == [0, Fraction(-1, 9)]
    assert not found[BRACKET].proof.exact
    assert {finding.status for finding in found.values() if finding.result == WITHOUT} == {"failed", "open"}


def test_workers_find_the_same(made, copy):
    change(copy, ("UPDATE variants SET upper = '1/9' WHERE key = ?", (THREE,)))
    one, two = by_key(copy), by_key(copy, workers=2)
    plain = [{key: dataclasses.replace(each, seconds=0.0) for key, each in found.items()} for found in (one, two)]
    assert plain[0] == plain[1]
    assert plain[0][THREE].result == WRONG


LIES = {
    THREE: [
        *(("value", "-1/8"), ("value", None), ("value", b"-1/9"), ("value_float", -0.125), ("lower", "-1/10")),
        *(("upper", "-1/10"), ("upper_float", -0.1), ("exact", 0), ("regret", "1/100"), ("outcome", "bracket")),
        *(("method", "oracle"), ("nodes", "1145"), ("infosets", None)),
    ],
    BRACKET: [("exact", 1), ("lower", "1/9"), ("upper", "1/9"), ("value", "1/9"), ("lower_float", 0.11)],
    TWO: [
        *(("settings", "{}"), ("settings", "no JSON"), ("settings", "[" * 100_000)),
        *(("game", "dice-poker"), ("game", "no such game")),
    ],
}


@pytest.mark.parametrize(
    ("key", "column", "value"), [(key, column, value) for key, lies in LIES.items() for column, value in lies]
)
def test_a_changed_row_is_convicted_and_no_other(copy, capsys, key, column, value):
    change(copy, (f"UPDATE variants SET {column} = ? WHERE key = ?", (value, key)))
    assert run(["verify", str(copy)]) == 3
    out, err = capsys.readouterr()
    wrong = [line for line in out.splitlines() if line.startswith("wrong ")]
    assert (len(wrong), err) == (1, "")
    assert f" {key}: " in wrong[0]
    assert [line for line in out.splitlines() if line.startswith(("checked", "unproved"))] == [
        "checked       6 rows: 3 proved, 1 wrong",
        "unproved      2 rows without a certificate (1 failed, 1 open)",
    ]


def content(path, key):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT data FROM certificates WHERE key = ?", (key,)).fetchone()[0]


def certify(path, key, data, *statements):
    change(path, ("UPDATE certificates SET data = ? WHERE key = ?", (data, key)), *statements)
    return by_key(path)[key]


def test_certificates_that_lie_or_are_of_another_game_are_convicted(copy):
    lie = repacked(content(copy, THREE), lambda parts: parts.update(value=["0", "0"], lower="0", upper="0"))
    row = "UPDATE variants SET value = '0', lower = '0', upper = '0', value_float = 0, lower_float = 0, upper_float = 0"
    other, whole = content(copy, TWO), content(copy, THREE)
    # Without a name the strategies are still held against the game that the row names.
    nameless = repacked(content(copy, TWO), lambda parts: [parts["game"].pop(name) for name in ("name", "settings")])
    found = certify(copy, THREE, other)
    assert (found.result, "the solution is of " in found.problem) == (WRONG, True)
    assert certify(copy, THREE, nameless).problem.startswith("the certificate: game: title is ")
    assert certify(copy, THREE, whole).result == PROVED
    said = certify(copy, THREE, lie, (f"{row} WHERE key = ?", (THREE,))).problem
    assert said.startswith("the certificate: claim: value is ")


def test_two_rows_exchanged_are_both_convicted(copy):
    change(
        copy,
        ("UPDATE variants SET key = 'x' WHERE key = ?", (TWO,)),
        ("UPDATE variants SET key = ? WHERE key = ?", (TWO, THREE)),
        ("UPDATE variants SET key = ? WHERE key = 'x'", (THREE,)),
    )
    found = by_key(copy)
    assert [found[key].result for key in (TWO, THREE)] == [WRONG] * 2
    assert found[TWO].problem.startswith("key is liars-dice sides=2 ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        pytest.param(b"no gzip", "the certificate is damaged", id="no gzip"),
        pytest.param(gzip.compress(b"{}")[:-9], "the certificate is damaged", id="cut short"),
        pytest.param(gzip.compress(b"\xff"), "the certificate is damaged", id="no text"),
        pytest.param("text", "the certificate is damaged: it is not bytes", id="no bytes"),
        pytest.param(gzip.compress(b"no JSON"), "not JSON", id="no JSON"),
        pytest.param(gzip.compress(b" " * ((64 << 20) + 1)), "it unpacks to more than 64 MiB", id="a bomb"),
    ],
)
def test_a_damaged_certificate_is_convicted_and_not_given_back(copy, tmp_path, capsys, data, said):
    found = certify(copy, TWO, data)
    assert (found.result, by_key(copy)[THREE].result) == (WRONG, PROVED)
    assert said in found.problem
    if said != "not JSON":
        assert run(["table", str(copy), "--extract", TWO, "-o", str(tmp_path / "c.json")]) == 2
        assert said.partition(":")[0].removeprefix("the certificate ") in capsys.readouterr().err
        assert not (tmp_path / "c.json").exists()


def test_rows_and_certificates_without_each_other(copy):
    change(copy, ("DELETE FROM certificates WHERE key = ?", (THREE,)), ("DELETE FROM variants WHERE key = ?", (TWO,)))
    found = by_key(copy)
    assert (found[THREE].result, found[THREE].problem) == (WRONG, "it has 'value', but no certificate")
    assert (found[TWO].result, found[TWO].problem) == (WRONG, "it has a certificate, but no row")


def ended_as(copy, status):
    """Make the row of the bracket one that is done, with this status in it and in its certificate."""
    data = repacked(content(copy, BRACKET), lambda parts: parts.update(status=status))
    row = "UPDATE variants SET status = 'done', outcome = ? WHERE key = ?"
    return certify(copy, BRACKET, data, (row, (status, BRACKET)))


def test_a_bracket_is_done_only_if_that_was_enough(copy, capsys):
    """Width below 2 as asked with a gap of 2; without a gap a bracket of a solver that was stopped is not the end."""
    assert ended_as(copy, "timeout").problem.startswith("status is done, but ")
    assert ended_as(copy, "bracket").result == "bracket"
    assert run(["verify", str(copy)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "checked       6 rows: 3 proved, 0 wrong" in lines
    assert "bracket       1 row done with only a bracket, which proves no value" in lines
    change(copy, ("UPDATE sweep SET gap = '2'",))
    assert by_key(copy)[BRACKET].result == ended_as(copy, "timeout").result == PROVED
    change(copy, ("UPDATE sweep SET gap = 'wide'",))
    with pytest.raises(eb.FileError, match="has an invalid gap"):
        by_key(copy)


def test_a_tree_over_the_budget_is_not_proved(copy, capsys):
    assert run(["verify", str(copy), "--max-nodes", "1000"]) == 3
    out = capsys.readouterr().out
    assert f"{THREE}: the tree has 1,144 nodes, over the budget of 1,000" in out
    assert out.count("\nwrong") + out.startswith("wrong") == 1


def test_a_line_says_what_is_wrong_and_json_has_an_object_for_each_row(copy, capsys):
    change(copy, ("UPDATE variants SET upper = '1/9' WHERE key = ?", (THREE,)))
    assert run(["verify", str(copy)]) == 3
    assert f"wrong         {THREE}: upper is 1/9, but the certificate proves -1/9\n" in capsys.readouterr().out
    assert run(["verify", str(copy), "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["counts"] == dict(zip(RESULTS, (3, 1, 2, 0), strict=True))
    rows = {row["key"]: row for row in data["rows"]}
    assert len(rows) == 6
    assert rows[THREE]["problem"] == "upper is 1/9, but the certificate proves -1/9"
    assert rows[THREE]["proof"]["upper"] == "-1/9"
    assert (rows[TWO]["result"], rows[TWO]["problem"], rows[TWO]["proof"]["exact"]) == ("proved", None, True)


def test_ctrl_c_prints_what_was_found_and_exits_130(made, capsys, monkeypatch):
    from efg_builder.experiments.sweeps import proving

    judge, seen = proving.judge, []

    def judge_two(job):
        seen.append(job)
        if len(seen) > 2:
            raise KeyboardInterrupt
        return judge(job)

    monkeypatch.setattr(proving, "judge", judge_two)
    assert run(["verify", str(made)]) == 130
    out, err = capsys.readouterr()
    assert (out, err.strip()) == ("checked       2 rows: 2 proved, 0 wrong\n", "interrupted")


@pytest.mark.skipif(not SHIPPED.exists(), reason="needs the table of variants")
def test_ctrl_c_ends_the_workers(tmp_path):
    child = start("verify", SHIPPED, "--workers", 2)
    until(lambda: len(below(child.pid)) >= 2)
    left = below(child.pid)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert out.startswith("checked ")
    until(lambda: all(map(gone, left)))


@pytest.mark.slow
def test_the_table_of_variants_is_proved():
    found = by_key(SHIPPED)
    assert {finding.result for finding in found.values()} == {PROVED, WITHOUT}
    assert sum(finding.result == PROVED for finding in found.values()) >= 240


def test_rows_that_are_not_done_are_counted(copy, capsys):
    """A row set to another status claims nothing false, but nothing is done by it."""
    change(copy, ("UPDATE variants SET status = 'open' WHERE key = ?", (THREE,)))
    assert run(["verify", str(copy)]) == 0
    assert "not done      4 rows (2 open, 1 timeout, 1 failed)" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("column", "value"), [("settings", b"{}"), ("nodes", b"1"), ("seconds", "long"), ("tries", "x")]
)
def test_a_sweep_with_cells_of_another_type_is_not_gone_on_with(copy, capsys, column, value):
    change(copy, (f"UPDATE variants SET {column} = ? WHERE key = ?", (value, TWO)))
    assert run(["sweep", "liars-dice", "sides=2..5", "dice=1,1", "-o", str(copy)]) == 2
    assert f"error: {copy} is damaged: {column} in the table 'variants' is " in capsys.readouterr().err
