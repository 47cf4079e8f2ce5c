"""``efg-builder play --match`` as people use it."""

import json
import re
from fractions import Fraction

import pytest
from play_games import typed

from efg_builder.experiments.matches import Match, solve_match
from efg_builder.games.match_rules import match_rules

ENOUGH = ["1x1", "c", "2x2", "c"] * 30


@pytest.fixture(scope="module")
def solved():
    return solve_match(match_rules({"sides": 2, "dice": "2,2"}))


@pytest.mark.parametrize("seat", [1, 2])
def test_a_match_to_its_end_has_a_winner_and_an_exact_score(seat):
    done = typed(f"liars-dice sides=2 dice=2,2 --match --seat {seat} --seed 3 --rounds 2 --json", ENOUGH)
    assert done.exit_code == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["match"]["dice"] == "2,2"
    assert data["opponent"] == {"name": "equilibrium", "caption": "verified, exact"}
    assert len(data["matches"]) == 2
    for match in data["matches"]:
        score = {key: Fraction(value) for key, value in match["score"].items()}
        assert score["result"] == (1 if match["winner"] == seat else -1)
        assert score["result"] == score["start"] + score["luck"] - score["price"]
        # 1/16 is the value of this match (docs/matches.md, and 'efg-builder match liars-dice sides=2').
        assert score["start"] == (Fraction(1, 16) if seat == 1 else Fraction(-1, 16))
        assert score["rounds"] == len(match["rounds"])
        assert match["rounds"][0]["dice"] == [2, 2]
        assert match["rounds"][0]["first"] == 1
        assert 0 in match["dice"]
        for key in ("luck", "price"):
            assert sum(Fraction(each[key]) for each in match["rounds"]) == score[key]
    winner = data["matches"][0]["winner"]
    assert ("You win the match." if winner == seat else f"Player {winner} wins the match.") in done.stderr
    assert "Match 2, round 1. You have 2 dice, " in done.stderr


def test_a_match_that_is_not_whole_says_how_to_go_on(cli, tmp_path, solved):
    path = tmp_path / "match.json"
    Match(solved.rules, solved.rounds[:2]).write(path)
    code, out, err = cli("play", "--match", path)
    assert (code, out) == (2, "")
    assert f"'efg-builder match liars-dice sides=2 --resume {path} -o {path}' continues" in err


def test_a_bracket_is_played_as_what_it_is(tmp_path):
    path = tmp_path / "near.json.gz"
    near = solve_match(match_rules({"sides": 2, "dice": "2,2"}), gap=Fraction(1, 2))
    assert near.worth.width > 0
    near.write(path)
    done = typed(f"--match {path} --seed 1", ["e", "q"])
    assert re.search(r"Against you: strategies proved to within \d+\.\d points of the chance to win\.\n", done.stdout)
    assert "These strategies would play " in done.stdout
    assert "quilibrium" not in done.stdout
    data = json.loads(typed(f"--match {path} --seed 1 --json", ["q"]).stdout)
    assert data["opponent"]["name"] == "strategies"


def test_a_damaged_match_is_not_played(cli, tmp_path, solved):
    path = tmp_path / "match.json"
    solved.write(path)
    path.write_text(path.read_text().replace('"1/16"', '"1/15"'))
    code, out, err = cli("play", "--match", path)
    assert out == ""
    assert code == 3
    assert "match.json: rounds, 2 against 2, claim: it does not match its digest" in err.splitlines()[-1]
