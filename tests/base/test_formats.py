"""Every JSON file has a format with a number and a schema; real files fit the schemas, and damaged files do not."""

import gzip
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
import small_files
from paths import DOCS, ROOT
from tampering import replaced

import efg_builder as eb
from efg_builder.base.formats import NUMBERS, check_format, format_of
from efg_builder.base.version import __version__
from efg_builder.equilibria.solution import STATUSES
from efg_builder.experiments.sweeps import store, table
from efg_builder.proof import checker, tree_checker

FOLDER = files("efg_builder") / "schemas"
NAMES = sorted(path.name.removesuffix(".json") for path in FOLDER.iterdir())
REFERENCE = (DOCS / "reference" / "files.md").read_text()

COMMANDS = {
    "solution": (
        "solve kuhn -o solution/refined.json",
        "solve liars-dice sides=4 -o solution/sparse.json",
        "solve own.efg --all -o solution/several.json",
        "solve liars-dice sides=2 dice=1,1,1 -o solution/three.json",
        "solve dice-poker --method cfr --option iterations=5 -o solution/bracket.json",
        "solve forgetful.efg -o solution/forgetful.json",
        "solve kuhn --method many -o solution/not-applicable.json --timeout 0.001",
        "run dice-poker sides=3 --out . --no-gambit",
    ),
    "match": ("match liars-dice sides=2 dice=2,1 -o match/match.json",),
    "strategy": (
        "evaluate kuhn --strategy uniform -o strategy/tree.json",
        "evaluate liars-dice sides=3 --strategy always-call -o strategy/sparse.json",
    ),
    "exam-positions": (
        "exam kuhn --count 5 --answers -o exam-positions/kuhn.jsonl",
        "exam liars-dice sides=3 --count 5 --answers -o exam-positions/dice.jsonl",
    ),
    "exploitability": ("evaluate liars-dice sides=2..3 --players uniform,threshold -o exploitability/l.json",),
}
"""The commands that write files of each format, each into the folder of its format."""

OLD = {
    "solution": [
        *sorted((DOCS / "certificates").glob("*.json.gz"), key=lambda path: path.stat().st_size)[:12],
        *[DOCS / "proof.json", DOCS / "coin.json", *(ROOT / "outputs").glob("*.json")],
    ],
    "match": [DOCS / "matches" / "2-2-6-bluff.json.gz"],
    "exam-positions": [DOCS / "exam" / "positions.jsonl"],
    "exam-key": [DOCS / "exam" / "positions.answers.jsonl"],
}
"""Files in the repository. Releases before formats wrote some of them."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The objects in the new files of each format."""
    folder = tmp_path_factory.mktemp("formats")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("efg_builder.cli.common.QUIET", float("inf"))
        Path("own.efg").write_text(small_files.HORSE)
        Path("forgetful.efg").write_text(small_files.DRIVER)
        for name, commands in COMMANDS.items():
            Path(name).mkdir()
            for command in commands:
                assert run(shlex.split(command)) in (0, 3, 4), command
        assert run(["sweep", "liars-dice", "sides=2..3", "-o", "s.db", "--workers", "1"]) == 0
        Path("exam-key").mkdir()
        for path in Path("exam-positions").glob("*.answers.jsonl"):
            path.rename(Path("exam-key") / path.name)
        found = {name: list(objects(sorted(folder.glob(f"{name}/*.json*")))) for name in NUMBERS}
        found["solution"] += objects(sorted(folder.glob("outputs/*.json")))
        rows = [row.to_json() for row in table.read_all([folder / "s.db"])]
    return found | {
        "sweep-rows": [{"format": format_of("sweep-rows"), "file": "s.db", "files": ["s.db"], "rows": rows}]
    }


def run(words):
    from efg_builder.cli import run

    return run(words)


def objects(paths) -> Iterator[dict]:
    for path in paths:
        content = path.read_bytes()
        text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
        lines = text.splitlines() if ".jsonl" in path.name else [text]
        yield from map(json.loads, lines)


@cache
def validator(name):
    return jsonschema.Draft202012Validator(json.loads((FOLDER / f"{name}.json").read_text()))


def test_each_format_has_a_valid_schema_that_ships():
    assert {*NUMBERS, "exam-answers"} == set(NAMES)
    for name in NAMES:
        schema = validator(name).schema
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"]
        if name in NUMBERS:
            assert schema["properties"]["format"] == {"const": format_of(name)}
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["efg_builder"]
    assert "schemas/*.json" in data


def test_the_schemas_know_all_words():
    properties = validator("solution").schema["properties"]
    assert properties["status"]["enum"] == list(STATUSES)
    rows = validator("sweep-rows").schema["properties"]["rows"]["items"]["properties"]
    assert rows["status"]["enum"] == list(store.STATUSES)
    assert list(rows) == ["game", "settings", *table.FIGURES]


@pytest.mark.parametrize("name", NUMBERS)
def test_new_files_state_their_format_and_fit_the_schema(name, written):
    assert written[name]
    for data in written[name]:
        assert next(iter(data)) == "format"
        assert data["format"] == format_of(name)
        validator(name).validate(data)
    if name == "match":
        for data in written[name]:
            for each in data["rounds"]:
                validator("solution").validate(each["solution"])
    if name == "solution":
        statuses = {data["status"] for data in written[name]}
        assert {"equilibrium", "bracket"} <= statuses
        assert {"strategies", "profile", "equilibria", "refined"} <= {key for data in written[name] for key in data}


@pytest.mark.parametrize("name", OLD)
def test_files_in_the_repository_fit_the_schema(name):
    for data in objects(OLD[name]):
        validator(name).validate(data)


def test_answers_fit_their_schema():
    answers = (
        '"move": "call"',
        '"move": null',
        '"moves": {"call": "2/3", "2x6": "1/3"}',
        '"moves": {"a": 0.5}, "x": 1',
    )
    for answer in answers:
        validator("exam-answers").validate(json.loads(f'{{"id": "a", {answer}}}'))
    for wrong in (
        '"x": 1',
        '"move": 1',
        '"moves": ["a"]',
        '"moves": {"a": -1}',
        '"moves": {"a": "x"}',
        '"move": "a", "moves": {}',
    ):
        assert not validator("exam-answers").is_valid(json.loads(f'{{"id": "a", {wrong}}}'))


FREE = re.compile(r"solution /run/(?!versions)|match /rounds/0/solution|exploitability /measurements/0/seats")
"""Places with any content."""


def mutants(data, schema_name):
    """Copies of *data*, each with one change that no reader could understand, and the place of the change."""
    yield "another key", {**data, "another key": 1}
    places = [((key,), data[key]) for key in data]
    while places:
        path, part = places.pop()
        place = "/" + "/".join(map(str, path))
        if not FREE.match(f"{schema_name} {place}") or path[-1] == "seats":
            for wrong in ([{"?": []}], {"?": [[]]}):
                if type(wrong) is not type(part) or part == []:
                    yield place, replaced(data, path, wrong)
                    break
        if isinstance(part, dict) and not FREE.match(f"{schema_name} {place}/") and place != "/run":
            yield f"{place}, another key", replaced(data, path, {**part, "another key": []})
        if isinstance(part, dict) and not FREE.match(f"{schema_name} {place}/"):
            places += [((*path, key), each) for key, each in list(part.items())[:30]]
        if isinstance(part, list):
            places += [((*path, 0), part[0])] if part else []


@pytest.mark.parametrize("name", NUMBERS)
def test_damaged_files_do_not_fit_the_schema(name, written):
    check = validator(name)
    for data in written[name][:8]:
        for key in check.schema["required"]:
            assert not check.is_valid({k: v for k, v in data.items() if k != key}), key
        for place, mutant in mutants(data, name):
            assert not check.is_valid(mutant), place


# --- reading


def test_a_newer_number_is_refused_in_one_line_that_names_the_release():
    data = {"format": "efg-builder solution 2", "run": {"versions": {"efg-builder": "0.9.1"}}}
    with pytest.raises(eb.FileError) as error:
        check_format(data, "solution", "s.json")
    mine = f"efg-builder {__version__} reads 'efg-builder solution 1'"
    theirs = "release 0.9.1 wrote and reads it"
    assert str(error.value) == f"s.json: its format is 'efg-builder solution 2', but {mine}; {theirs}"
    with pytest.raises(eb.FileError, match=r"; a newer release reads it$"):
        check_format({"format": "efg-builder solution 2", "run": 3}, "solution", "s.json")
    for wrong in (
        "efg-builder match 1",
        "efg-builder solution 0",
        "efg-builder solution 01",
        "solution 1",
        1,
        None,
        "",
    ):
        with pytest.raises(eb.FileError, match=r"^s.json: its format is .*, not 'efg-builder solution 1'$"):
            check_format({"format": wrong}, "solution", "s.json")
    check_format({}, "solution", "s.json")


READERS = {
    "solution": (
        *("verify {}", "draw kuhn --solution {} -o x.svg", "report kuhn --solution {} -o x.html", "info {}"),
        *("evaluate kuhn --strategy {}", "exam kuhn --solution {} --at '1: start'", "play kuhn --players you,{}"),
    ),
    "match": ("verify {}", "match liars-dice sides=2 dice=1,1 --resume {} -o x.json", "play --match {}"),
    "strategy": ("evaluate kuhn --strategy {}",),
    "exam-positions": ("exam --score a.jsonl --positions {}",),
    "exam-key": ("exam --score a.jsonl --positions positions.jsonl",),
    "exploitability": ("evaluate liars-dice --players uniform -o {}",),
}
MADE = {
    "solution": "solve kuhn -o file.json",
    "match": "match liars-dice sides=2 dice=1,1 -o file.json",
    "strategy": "evaluate kuhn --strategy uniform -o file.json",
    "exam-positions": "exam kuhn --count 1 --answers -o file.jsonl",
    "exam-key": "exam kuhn --count 1 --answers -o positions.jsonl",
    "exploitability": "evaluate liars-dice sides=2 --players uniform -o file.json",
}


@pytest.mark.parametrize("name", MADE)
def test_every_reader_refuses_a_newer_number(name, tmp_path, monkeypatch, cli):
    monkeypatch.chdir(tmp_path)
    assert cli(*shlex.split(MADE[name]))[0] == 0
    Path("a.jsonl").write_text("")
    path = Path({"exam-key": "positions.answers.jsonl", "exam-positions": "file.jsonl"}.get(name, "file.json"))
    text = path.read_text()
    for command in READERS[name]:
        path.write_text(text.replace(format_of(name), f"efg-builder {name} {NUMBERS[name] + 1}", 1))
        code, out, err = cli(*shlex.split(command.format(path)))
        assert (code, out, err.count("\n")) == (2, "", 1), (command, out, err)
        assert f"{path}" in err
        assert f"its format is 'efg-builder {name} {NUMBERS[name] + 1}', but efg-builder {__version__} reads" in err
        # A file of release 0.3 has no format.
        if name != "exploitability":
            path.write_text(re.sub(rf'"format": "{format_of(name)}",\s*', "", text))
            assert format_of(name) not in path.read_text()
            code, _, err = cli(*shlex.split(command.format(path)))
            assert code == 0 or "format" not in err, (command, err)


def test_the_stand_alone_checkers_know_the_format():
    for module, words in ((checker, "liars-dice sides=4"), (tree_checker, "docs/games/quiche.py")):
        assert format_of("solution") == module.FORMAT
        game = words if module is checker else eb.parse_efg(small_files.COIN)
        data = eb.solve(game).to_json()
        assert module.prove(data)
        assert module.prove({key: part for key, part in data.items() if key != "format"})
        for wrong in ("efg-builder solution 2", "", None, 1):
            with pytest.raises(module._Refused, match="format"):
                module.prove(data | {"format": wrong})


def test_the_reference_lists_the_formats():
    for name in NAMES:
        assert f"`{name}.json`" in REFERENCE
        if name in NUMBERS:
            assert f"`{format_of(name)}`" in REFERENCE
