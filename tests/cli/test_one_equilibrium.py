"""Every command shows the same equilibrium of a small game, and the same bytes each time."""

import json
import re

import pytest
from paths import carried

import efg_builder as eb
from efg_builder.base.words import quiet
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table, find

GAMES = ["liars-dice sides=2", "liars-dice sides=3", "dice-poker", "mia"]


def profile(text):
    return [entry["probabilities"] for entry in json.loads(text)["profile"]]


def numbers(file):
    """The numbers in what a command made: those that stand alone in a picture, all of a report and of a page's data."""
    if file.suffix == ".svg":
        return re.findall(r">(-?[\d./%]+)</text>", file.read_text())
    if file.name == "play.html":
        return re.findall(r"-?\d[\d./]*", json.dumps(carried(file) | {"opponent": ""}))
    return re.findall(r"-?\d+/\d+|[\d.]+%", re.sub(r'(href|src)="[^"]*"', "", file.read_text()))


@pytest.mark.parametrize("words", GAMES)
@pytest.mark.first(1)
def test_the_same_from_every_command_and_python(words, cli, tmp_path):
    words = words.split()
    solved = cli("solve", *words, "--json")[1]
    expected = profile(solved)
    assert cli("run", *words, "--no-gambit", "--out", tmp_path)[0] == 0
    (written,) = (tmp_path / "outputs").glob("*.json")
    assert profile(written.read_text()) == expected

    game = eb.game(words[0], **dict(word.split("=") for word in words[1:]))
    assert profile(json.dumps(eb.build(game).solve().to_json())) == expected
    assert profile(json.dumps(eb.solve(game).to_json())) == expected
    # What plays in play, sit, evaluate and the arena.
    rows = find("equilibrium", Table(Subject(game), 60.0, quiet)).probabilities
    assert eb.solve(game).profile.probabilities == rows

    # What a command finds by itself has the numbers of what it makes of the file.
    for command, by_itself, name in (
        ("draw", ["--strategy", "equilibrium"], "draw.svg"),
        ("report", [], "report.html"),
        ("play", [], "play.html"),
    ):
        made = []
        for asked in (by_itself, ["--solution", written]):
            assert cli(command, *words, *asked, "-o", tmp_path / name)[0] == 0
            made.append(numbers(tmp_path / name))
        assert made[0] == made[1], command
        assert made[0]

    measured = json.loads(cli("evaluate", *words, "--strategy", "equilibrium", "--json")[1])["matches"][0]
    assert measured["nash_conv"] == "0"
    assert measured["value"] == json.loads(solved)["value"]
