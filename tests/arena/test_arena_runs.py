"""Runs of an arena: killed and resumed, two at once, with more games or processes; the table is the same."""

import os
import signal
import sqlite3
from contextlib import closing

import pytest
from fighters import CROOKED, PLAIN, command, finished
from processes import below, gone, until

import efg_builder as eb
from efg_builder.experiments.arena import play, read_standings, run_arena, running, schedule
from efg_builder.experiments.arena.play import Room
from efg_builder.experiments.arena.report import to_data

LONG = ("liars-dice", "sides=6", "--players", "uniform,lowest-raise,always-call", "--games", "160000", "--seed", "3")
ROUND = eb.game("liars-dice", sides=3)


def rows(path, query):
    try:
        with closing(sqlite3.connect(path, timeout=60)) as db:
            return db.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []


def done(path):
    """How many units are done; None while there is no table."""
    found = rows(path, "SELECT count(*) FROM units WHERE status = 'done'")
    return found[0][0] if found else None


@pytest.mark.slow
def test_a_killed_run_resumes_to_the_same_table_as_one_that_ran_through(tmp_path):
    straight, broken = tmp_path / "straight.db", tmp_path / "broken.db"
    whole = finished(command(*LONG, "-o", straight, "--workers", 2))
    for units in (3, 60):
        run = command(*LONG, "-o", broken, "--workers", 2)
        until(lambda so_far=units: (done(broken) or 0) >= so_far)
        assert run.poll() is None, "it was done before it could be killed"
        left = below(run.pid)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
        until(lambda left=left: all(map(gone, left)))
        assert 0 < done(broken) < 192
    assert finished(command(*LONG, "-o", broken, "--workers", 1)) == whole
    tries = [row[0] for row in rows(broken, "SELECT tries FROM units")]
    assert len(tries) == 192
    assert 1 < max(tries) <= 3
    assert to_data(read_standings(broken)) == whole == to_data(read_standings(straight))


@pytest.mark.slow
def test_two_runs_at_once_lose_and_double_nothing(tmp_path):
    path, straight = tmp_path / "two.db", tmp_path / "one.db"
    runs = [command(*LONG, "-o", path, "--workers", 1) for _ in range(2)]
    found = [finished(run) for run in runs]
    assert found[0] == found[1] == finished(command(*LONG, "-o", straight, "--workers", 1))
    assert rows(path, "SELECT DISTINCT status, tries FROM units") == [("done", 1)]
    assert rows(path, "SELECT count(*) FROM runs") == [(0,)]


def test_ctrl_c_gives_back_what_is_being_played(tmp_path):
    path = tmp_path / "a.db"
    run = command(*LONG, "--games", 2_000_000, "-o", path, "--workers", 2)
    until(lambda: (done(path) or 0) >= 3)
    left = below(run.pid)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err.splitlines()[-1]) == (130, "", "interrupted")
    assert "Traceback" not in err
    assert rows(path, "SELECT count(*) FROM units WHERE status = 'running'") == [(0,)]
    until(lambda: all(map(gone, left)))


def table(players=PLAIN, games=400, **settings):
    return to_data(run_arena(ROUND, players, games, **{"workers": 1, "seed": 7} | settings))


@pytest.mark.slow
def test_processes_do_not_change_the_table():
    assert table(workers=2) == table()
    assert table(players=(*PLAIN, CROOKED), workers=2) == table(players=(*PLAIN, CROOKED))


def test_the_seed_does():
    assert table(seed=8)["meetings"] != table()["meetings"]


def test_more_games_and_players_add_to_what_is_there(tmp_path, monkeypatch):
    # 150 deals are 21 blocks of 7 and a part of one; that one is played again when more is asked for.
    for module in (running, schedule):
        monkeypatch.setattr(module, "block_size", lambda deals: 7)
    path = tmp_path / "a.db"
    first = table(PLAIN[:2], 300, path=path)
    assert [row[0] for row in rows(path, "SELECT deals FROM units ORDER BY block")] == [7] * 21 + [3]
    assert first == table(PLAIN[:2], 300)
    assert table(games=400, path=path) == table(games=400)
    assert rows(path, "SELECT sum(tries), count(*) FROM units") == [(3 * 29 + 1, 3 * 29)]
    # Asking for less takes nothing away.
    assert table(games=100, path=path) == table(games=400)


def test_a_full_room_begins_anew_and_changes_nothing(monkeypatch):
    before, made = table(players=(*PLAIN, CROOKED)), []
    right = Room._made
    monkeypatch.setattr(Room, "_made", lambda self, state: made.append(state) or right(self, state))
    after = table(players=(*PLAIN, CROOKED))
    calls = len(made)
    monkeypatch.setattr(play, "KEPT", 40)
    assert table(players=(*PLAIN, CROOKED)) == before == after
    assert len(made) > 3 * 2 * calls


def dies(*_):
    os._exit(9)


def test_a_run_that_dies_again_and_again_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "play_sent", dies)
    with pytest.raises(eb.NotSolvedError, match="processes of the arena died 3 times"):
        run_arena(ROUND, PLAIN, 100, path=tmp_path / "a.db", workers=2)
    assert rows(tmp_path / "a.db", "SELECT DISTINCT status FROM units") == [("open",)]
