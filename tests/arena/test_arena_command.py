"""``efg-builder arena``: what it prints and writes, patterns of files, matches by their solution, and refusals."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from hashlib import sha256
from math import erf
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.display.plots.arena_plot import Rated, checkpoints, draw_ratings, ratings_figure
from efg_builder.experiments.arena import read_standings, run_arena
from efg_builder.experiments.arena.expected import ExpectedPayoffs
from efg_builder.experiments.arena.report import short, to_csv, yardstick
from efg_builder.players.spelling import digest, expanded, files_in, names_of, natural

SMALL = ("arena", "liars-dice", "--workers", "1", "--games", "200")
TWO = ("--players", "uniform,lowest-raise")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The file of an arena, to be copied."""
    path = tmp_path_factory.mktemp("arena") / "kept.db"
    run_arena(eb.game("liars-dice"), TWO[1].split(","), 200, path=path, workers=1)
    return path


@pytest.fixture
def arena(kept, tmp_path):
    """The file of an arena, to be damaged."""
    return Path(shutil.copy(kept, tmp_path / "a.db"))


def refused(answer):
    """The line that a refusal is."""
    code, out, err = answer
    assert (code, out) == (2, "")
    lines = [line for line in err.splitlines() if line.startswith("error: ")]
    assert len(lines) == 1
    return lines[0].removeprefix("error: ")


def test_the_largest_of_many_figures_is_held_against_a_larger_one():
    # Of one the 97.5% quantile; of N independent ones, 95% is the N-th power of what each has.
    assert yardstick(1) == pytest.approx(1.959964)
    assert erf(yardstick(20) / 2**0.5) ** 20 == pytest.approx(0.95)


def test_json_has_it_all_and_stands_alone(cli, tmp_path):
    code, out, _ = cli(*SMALL, *TWO, "--json", "-o", tmp_path / "a.db", "-o", tmp_path / "a.csv")
    data = json.loads(out)
    assert code == 0
    assert (data["play"], data["seats"], data["games"], data["open"]) == ("rounds", 2, 200, 0)
    assert data["game"]["settings"]["sides"] == "2"
    (meeting,) = data["meetings"]
    first, second = meeting["results"]
    assert first["mean"]["value"] == -second["mean"]["value"]
    assert first["mean"]["low"] < first["mean"]["value"] < first["mean"]["high"]
    exact = eb.evaluate(eb.game("liars-dice"), "uniform", "lowest-raise").matches
    assert first["seats"][1]["exact"] == str(exact[1].value[1])
    assert sum(meeting["orders"].values()) == meeting["games"] == 200
    assert {each["player"] for each in data["ratings"]["players"]} == {"uniform", "lowest-raise"}
    assert data["luck"]["high"] == 1
    assert json.loads(cli("arena", "--show", tmp_path / "a.db", "--json")[1]) == data
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [row["player"] for row in rows] == ["uniform", "lowest-raise"]
    assert float(rows[0]["mean"]) == first["mean"]["value"]
    assert rows[0]["exact"] == first["exact"]


def test_matches_and_their_solution_as_a_player(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("match", "liars-dice", "sides=2", "dice=2,1", "-o", "match.json.gz")[0] == 0
    words = (*SMALL, "sides=2", "dice=2,1", "--match", "--players", "match.json.gz,uniform", "--players", "always-call")
    data = json.loads(cli(*words, "--json")[1])
    assert data["play"] == "matches"
    against = {tuple(m["players"]): m["results"][0] for m in data["meetings"]}
    # It plays an equilibrium of the match, and so gets in each seat what that is worth there, or more.
    found = eb.read_match("match.json.gz")
    assert eb.match_rules({"dice": (2, 1), "sides": 2}) == found.rules
    assert found.worth.width == 0
    for name in ("uniform", "always-call"):
        seats = against["match.json.gz", name]["seats"]
        assert Fraction(seats[0]["exact"]) >= found.worth.middle
        assert Fraction(seats[1]["exact"]) >= -found.worth.middle
    # A round of it is played so too; of another game it is none.
    assert cli(*SMALL, "dice=2,1", "--players", "match.json.gz,uniform")[0] == 0
    assert "which has no round" in refused(cli(*SMALL, "sides=3", "--players", "match.json.gz,uniform"))


# --- who plays


def checkpoint_files(folder, numbers):
    """Files of a net that is learning: the less of random play, the later."""
    tree = eb.build(eb.game("liars-dice"))
    found = eb.solve(tree).profile
    for number, share in numbers.items():
        rows = {}
        for k in tree.personal:
            actions = tree.infosets[k].actions
            mixed = [share * p + (1 - share) / len(actions) for p in found.probabilities[k]]
            rows[tree.infosets[k].label] = dict(zip(actions, map(str, mixed), strict=True))
        (folder / f"net-{number}.json").write_text(json.dumps(rows))


def test_a_tournament_of_checkpoints(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    checkpoint_files(tmp_path, {20: Fraction(0), 100: Fraction(1, 2), 1000: Fraction(1)})
    words = ("--players", "*.json", "--games", "3000", "-o", "elo.svg", "--json")
    code, out, _ = cli(*SMALL, *words)
    assert code == 0
    players = json.loads(out)["ratings"]["players"]
    assert [each["player"] for each in players] == ["net-20.json", "net-100.json", "net-1000.json"]
    assert [each["elo"] for each in players] == sorted(each["elo"] for each in players)
    assert (tmp_path / "elo.svg").read_text().startswith("<?xml")


def test_patterns_stand_for_files_in_the_order_of_their_numbers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a-10.npz", "a-9.npz", "b.npz", "c[1].npz"):
        (tmp_path / name).touch()
    assert expanded("a-*.npz") == ["a-9.npz", "a-10.npz"]
    assert expanded("neural:?-*.npz") == ["neural:a-9.npz", "neural:a-10.npz"]
    assert expanded("neural:file=a-*.npz") == ["neural:file=a-9.npz", "neural:file=a-10.npz"]
    assert expanded("c[1].npz") == ["c[1].npz"]
    assert expanded("uniform") == ["uniform"]
    assert expanded("best-response:a-*.npz") == ["best-response:a-9.npz", "best-response:a-10.npz"]
    assert expanded("best-response:neural:a-*.npz") == ["best-response:neural:a-9.npz", "best-response:neural:a-10.npz"]
    # What a command does with its words is its own affair.
    for word in ("program:python3 likely.py --x[1]", "program:timeout=5:command=./play a-*.npz?"):
        assert expanded(word) == [word]
    with pytest.raises(eb.ParameterError, match=r"neural:x\*: no file matches 'x\*'"):
        expanded("neural:x*")
    assert sorted(["n2x", "n10x", "m"], key=natural) == ["m", "n2x", "n10x"]


def test_names_are_cut_at_commas_but_for_those_of_a_setting(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a,b.json", "net-2.npz", "net-10.npz"):
        (tmp_path / name).write_text("")
    assert names_of(["a, b", "c"]) == ["a", "b", "c"]
    nested = "threshold:opponent=threshold,threshold=1/3"
    assert names_of([f"{nested},uniform,{nested}", "uniform"]) == [nested, "uniform", nested, "uniform"]
    assert names_of(["program:sh play.sh --x 1,2", "a,b.json"]) == ["program:sh play.sh --x 1,2", "a,b.json"]
    assert names_of(["neural:net-*.npz,net-2.npz"]) == ["neural:net-2.npz", "neural:net-10.npz", "net-2.npz"]
    for wrong in ("a,,b", "threshold:threshold=1/2,", ""):
        with pytest.raises(eb.ParameterError, match="a name is missing"):
            names_of([wrong])


def test_names_are_shown_without_their_folders_where_that_tells_them_apart():
    assert short(["x/a.json", "neural:y/b.npz"]) == {"x/a.json": "a.json", "neural:y/b.npz": "neural:b.npz"}
    assert short(["x/a.json", "y/a.json"]) == {"x/a.json": "x/a.json", "y/a.json": "y/a.json"}


# --- damaged files


TALLIES = [
    *("tally = '{' WHERE block = 3", "tally = '[]' WHERE block = 3", "tally = printf('%.*c', 200000, '[')"),
    *("deals = deals + 1 WHERE block = 3", "deals = -1, tally = NULL WHERE block = 3"),
    *(
        f"tally = replace(tally, '{old}', '{new}')"
        for old, new in [
            *(
                ('"low": -1.0', '"low": NaN'),
                ("0>1", "0>2"),
                ('"paid": [', '"paid": [0, '),
                ('"paid": [', '"paid": [9'),
            ),
            *(('"0>1": ', '"0>1": -'), ('"0>1": ', '"0>1": 1'), ('"deals": ', '"deals": 1')),
            *(('"high": 1.0', f'"high": 1{0:0400}'), ('"seat2": [', '"seat2": [-')),
        ]
    ),
]
PAIRINGS = [
    *("slots = '3'", "slots = '[\"uniform\"]'", "slots = replace(slots, 'uniform', 'equilibrium')"),
    *("slots = '{'", "slots = '[1, 2]'", "slots = NULL", "expected = '[1]'", "expected = 1.5"),
    *(
        f"expected = replace(expected, '{old}', '{new}')"
        for old, new in [
            *(('"mean": [', '"mean": ["1", '), ('"mean": ["', '"mean": ["1/0'), ('"mean": ["', '"mean": ["1')),
            *(('"error": 0.0', '"error": "0"'), ('"error": 0.0', '"error": NaN')),
        ]
    ),
]
TYPES = {
    "arena SET game = x'ff00'": "game in the table 'arena' is blob, not text",
    "arena SET seats = 'two'": "seats in the table 'arena' is text, not integer",
    "players SET name = x'ff' WHERE place = 1": "name in the table 'players' is blob, not text",
    "units SET deals = 'x' WHERE block = 3": "deals in the table 'units' is text, not integer",
    "units SET seconds = 'long' WHERE block = 3": "seconds in the table 'units' is text, not real",
    "units SET tally = x'00' WHERE block = 3": "tally in the table 'units' is blob, not text",
}
ARENAS = ["settings = '{'", "settings = '[]'", "seed = -5", "block = 0", "what = 'chess'"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *((f"units SET {change}", "pairing 1 is damaged") for change in TALLIES),
        *((f"pairings SET {change}", "damaged") for change in PAIRINGS),
        *((f"arena SET {change}", "damaged") for change in ARENAS),
        *((change, f"is damaged: {said}") for change, said in TYPES.items()),
    ],
)
def test_a_damaged_file_is_refused_and_not_played_on(cli, arena, change, said):
    with closing(sqlite3.connect(arena)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'slots TEXT NOT NULL', 'slots TEXT')")
        db.commit()
    with closing(sqlite3.connect(arena)) as db:
        assert db.execute(f"UPDATE {change}").rowcount > 0
        db.commit()
    assert f"{arena}" in (line := refused(cli("arena", "--show", arena, "--json")))
    assert said in line
    if change.partition(" ")[0] != "units" or "blob" in said or "text" in said:
        assert said in refused(cli(*SMALL, *TWO, "--games", "400", "-o", arena))


# --- what is written where


def test_an_arena_is_not_written_over(arena):
    (hard := arena.with_name("hard.csv")).hardlink_to(arena)
    found = read_standings(arena)
    with pytest.raises(eb.FileError, match="it is a database"):
        to_csv(found, hard)
    with pytest.raises(eb.FileError, match="it is a database"):
        to_csv(found, arena)


# --- files within names


def test_every_file_in_a_spelling_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("p.py", "net.npz", "a,b.json", "with blank.npz", "c=d:e.json"):
        (tmp_path / name).write_text(name)
    for word, names in {
        "uniform": [],
        "neural:none.npz": [],
        "net.npz": ["net.npz"],
        "neural:net.npz": ["net.npz"],
        "neural:file=net.npz": ["net.npz"],
        "best-response:neural:net.npz": ["net.npz"],
        "best-response:opponent=neural:file=net.npz": ["net.npz"],
        "threshold:opponent=neural,net.npz": ["net.npz"],
        "a,b.json": ["a,b.json"],
        "best-response:c=d:e.json": ["c=d:e.json"],
        "program:python3 p.py": ["p.py"],
        "program:python3 ./p.py --weights=net.npz": ["p.py", "net.npz"],
        "program:timeout=5:command=python3 p.py 'with blank.npz'": ["p.py", "with blank.npz"],
        "program:python3 p.py with\\ blank.npz": ["p.py", "with blank.npz"],
        "best-response:program:python3 p.py": ["p.py"],
        f"program:{tmp_path}/p.py it's": [f"{tmp_path}/p.py"],
    }.items():
        assert [str(path) for path in files_in(word)] == names, word
        before = digest(word)
        assert bool(before) == bool(names)
        for name in names:
            kept = Path(name).read_text()
            Path(name).write_text("something else")
            assert digest(word) != before
            Path(name).write_text(kept)
        assert digest(word) == before
    # One file's digest is that of its bytes.
    assert digest("neural:net.npz") == sha256(b"net.npz").hexdigest()


def test_a_player_that_failed_is_measured_again_and_one_that_never_can_is_not(tmp_path, monkeypatch):
    path, game, asked = tmp_path / "a.db", eb.game("liars-dice"), []
    right = ExpectedPayoffs.seated

    def fails(problem):
        def seated(self, seating):
            asked.append(seating)
            raise problem

        return seated

    def run():
        (meeting,) = run_arena(game, ["uniform", "always-call"], 20, path=path, workers=1).meetings
        return meeting

    for problem in (eb.PlayerError("it ended"), eb.NotSolvedError("too late", timed_out=True)):
        monkeypatch.setattr(ExpectedPayoffs, "seated", fails(problem))
        assert run().expected.why == f"{problem} (the next run tries again)"
    assert len(asked) == 2
    monkeypatch.setattr(ExpectedPayoffs, "seated", right)
    meeting = run()
    assert meeting.exact(0) is not None
    assert meeting.expected.why == ""
    path.unlink()
    monkeypatch.setattr(ExpectedPayoffs, "seated", fails(eb.NotApplicableError('too large, "again": true')))
    assert [run().expected.why for _ in range(2)] == ['too large, "again": true'] * 2
    assert len(asked) == 3


def test_where_nothing_is_found_in_time_the_code_is_4(cli):
    words = ("liars-dice", "sides=3", "dice=1,1,1", "--players", "uniform,equilibrium", "--timeout", "0.01")
    code, out, err = cli("arena", *words, "--games", "10", "--workers", "1")
    assert (code, out) == (4, "")
    assert "equilibrium: " in err


def test_python_takes_strategies_and_solutions():
    game = eb.game("liars-dice", sides=3)
    found = run_arena(game, [("mine", eb.solve(game, "lp")), "always-call"], 100, workers=1)
    assert found.meetings[0].exact(0) == pytest.approx(2 / 9)
    with pytest.raises(eb.ParameterError, match="games=0"):
        run_arena(game, ["uniform", "always-call"], 0)


# --- the picture

NETS = tuple(f"nets/net-{n}.npz" for n in (20, 100, 5000))


def rated(names, half=(5.0, 5.0, 5.0)):
    elo = (-10.0, 0.0, 10.0, 40.0)[: len(names)]
    low, high = (tuple(x + sign * h for x, h in zip(elo, half, strict=True)) for sign in (-1, 1))
    return Rated("A game", "some rounds", names, names, elo, low, high)


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (NETS, {0: 20, 1: 100, 2: 5000}),
        (("uniform", *NETS, "other-7"), {1: 20, 2: 100, 3: 5000}),
        (("a", "b", "c"), {}),
        (("n1-2", "n2-2", "n3-3"), {}),
        (("n1", "n2", "n02"), {}),
        (("n1", "n2"), {}),
        ((), {}),
    ],
)
def test_checkpoints_are_files_that_differ_in_one_number(names, numbers):
    assert checkpoints(names) == numbers


def test_the_picture_is_a_curve_of_checkpoints_or_a_row_for_each_player(tmp_path):
    (curve,) = ratings_figure(rated(NETS)).axes
    assert list(curve.lines[1].get_xdata()) == [20, 100, 5000]
    assert [label.get_text() for label in curve.get_xticklabels()] == ["20", "100", "5,000"]
    (mixed,) = ratings_figure(rated(("equilibrium", *NETS), (5.0,) * 4)).axes
    assert list(mixed.lines[1].get_xdata()) == [20, 100, 5000]
    assert [text.get_text() for text in mixed.texts] == ["equilibrium"]
    (rows,) = ratings_figure(rated(("a", "b", "c" * 50), (5.0, 5.0, float("inf")))).axes
    assert [label.get_text() for label in rows.get_yticklabels()] == ["…" + "c" * 33, "a", "b"]
    assert [text.get_text() for text in rows.texts] == ["not finite", "\u221210", "+0"]
    for name in ("x.svg", "x.png"):
        one = draw_ratings(rated(NETS), tmp_path / name).read_bytes()
        assert draw_ratings(rated(NETS), tmp_path / name).read_bytes() == one
